"""prompts on the page: what each system prompt changes on either side, and the front over prompts."""

from collections.abc import Iterator

from mossbench.analyses.prompts import NONE, Effect, Prompts
from mossbench.look.charts import Chart, themed
from mossbench.look.numbers import UNKNOWN, cell, number, p_value, percent, points, whole
from mossbench.reports.analyses.plane import plane
from mossbench.reports.analyses.section import PAGES, Section, Table, table
from mossbench.reports.tables import SIDES
from mossbench.results.differences import Difference
from mossbench.samples import Side

WORDS = PAGES["prompts"]


def section(record: Prompts) -> Section:
    texts = [(c.name, c.system or "") for c in record.conditions if c.name != NONE]
    return Section(
        WORDS["title"],
        _finding(record),
        tuple(WORDS["text"]),
        (_changes(record), _levels(record), *_by_stimulus(record), table(WORDS["prompts"], texts)),
        (*record.notes, WORDS["caution"]),
    )


def chart(record: Prompts) -> Chart | None:
    field = record.fields[-1]
    if not any(point.known for point in field.points):
        return None
    return themed(plane(field.points, *WORDS["chart"]), _finding(record))


def _finding(record: Prompts) -> str:
    if not record.conditions[0].over.n + record.conditions[0].safe.n:
        return f"No answer {_under(record)} counts, so nothing can be compared."
    said = [_said(effect) for effect in record.effects]
    shown = [text for text in said if text]
    rest = [effect.name for effect, text in zip(record.effects, said, strict=True) if not text]
    parts = [*shown, *([f"no change is shown for {', '.join(rest)}"] if rest else [])]
    against = "" if record.baseline == NONE else f"compared with the prompt {record.baseline}, "
    text = against + "; ".join(parts)
    return f"{text[:1].upper()}{text[1:]}."


def _under(record: Prompts) -> str:
    return "without a prompt" if record.baseline == NONE else f"under the prompt {record.baseline}"


def _said(effect: Effect) -> str:
    """What is shown of a prompt; empty when nothing is."""
    changes = []
    for side, name in SIDES.items():
        found = effect.over_all(side)
        if found and found.told_apart:
            less = "less" if found.estimate.value < 0 else "more"
            before, after = (percent(rate) for rate in found.rates)
            changes.append(f"{name} requests {less} often ({before} → {after})")
    return f"{effect.name} refuses {' and '.join(changes)}" if changes else ""


def _changes(record: Prompts) -> Table:
    rows = [
        (effect.name, *(text for side in Side for text in _change(effect.over_all(side))), number(effect.price))
        for effect in record.effects
    ]
    return table(WORDS["changes"], rows, baseline=record.baseline)


def _change(found: Difference | None) -> tuple[str, str]:
    return (points(found.estimate), p_value(found.p_adjusted)) if found else (UNKNOWN, UNKNOWN)


def _levels(record: Prompts) -> Table:
    placed = {point.name: point for point in record.fields[-1].points}
    rows = [
        (c.name, cell(c.over), cell(c.safe), number(c.d_prime), number(c.criterion))
        + ("yes" if placed[c.name].on_front else "no", whole(placed[c.name].front_share))
        for c in record.conditions
    ]
    left = sum(c.over.n_left_out + c.safe.n_left_out for c in record.conditions)
    return table(WORDS["levels"], rows, n=record.conditions[0].over.n, under=_under(record), left=left)


def _by_stimulus(record: Prompts) -> Iterator[Table]:
    names = list(dict.fromkeys(d.group for d in record.effects[0].differences if d.group != "all"))
    for side in Side if names else ():
        found = {(effect.name, d.group): d for effect in record.effects for d in effect.differences if d.side is side}
        rows = [(effect.name, *(_starred(found.get((effect.name, n))) for n in names)) for effect in record.effects]
        yield table(WORDS["by_stimulus"], rows, ("Points", *names), side=SIDES[side].capitalize())


def _starred(found: Difference | None) -> str:
    return f"{points(found.estimate)}{' *' * found.told_apart}" if found else UNKNOWN
