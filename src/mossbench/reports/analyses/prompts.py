"""prompts on the page: what each system prompt changes on either side, and the front over prompts."""

from collections.abc import Iterator, Sequence

from mossbench.analyses.prompts import NONE, Effect, Prompts
from mossbench.look.charts import Chart, themed
from mossbench.look.numbers import UNKNOWN, cell, number, p_value, percent, points, whole
from mossbench.reports.analyses.plane import plane
from mossbench.reports.analyses.section import Section, Table
from mossbench.reports.tables import SIDES
from mossbench.reports.words.grammar import capital
from mossbench.results.differences import Difference
from mossbench.samples import Side

HOW_TO_READ = (
    "Every request was asked without a system prompt and with each of several, on both sides. Fewer refusals of "
    "harmless requests help only if harmful ones stay refused, so both changes are shown. The price is the second "
    "divided by the first: by how many points fewer harmful requests are refused for each point fewer of harmless "
    "ones. A price of 0 or less means that the prompt is free.",
    "d′ shows whether a prompt helps the model to distinguish the two sides, or only changes how readily it refuses "
    "(the criterion).",
)
CAUTION = (
    "Only one wording of each prompt was asked. Another wording may have another effect; pass your own with --prompts."
)


def section(record: Prompts) -> Section:
    return Section(
        title="What does a system prompt change, and at what price?",
        finding=_finding(record),
        text=HOW_TO_READ,
        tables=(
            _changes_table(record),
            _levels_table(record),
            *_by_stimulus_tables(record),
            _prompts_table(record),
        ),
        cautions=(*record.notes, CAUTION),
    )


def chart(record: Prompts) -> Chart | None:
    field = record.fields[-1]
    if not any(point.known for point in field.points):
        return None
    subtitle = "with 95 % intervals; the line is the Pareto front: prompts that no other prompt beats on both sides"
    return themed(plane(field.points, "System prompts by both rates", subtitle), _finding(record))


def _finding(record: Prompts) -> str:
    if not record.conditions[0].harmless_refused.n + record.conditions[0].harmful_refused.n:
        return f"No answer {_under(record)} counts, so nothing can be compared."
    parts = [_what_it_does(effect) for effect in record.effects if _what_it_does(effect)]
    unshown = [effect.name for effect in record.effects if not _what_it_does(effect)]
    if unshown:
        parts.append(f"no significant change for {', '.join(unshown)}")
    against = "" if record.baseline == NONE else f"compared with the prompt {record.baseline}, "
    text = against + "; ".join(parts)
    return f"{capital(text)}."


def _under(record: Prompts) -> str:
    return "without a prompt" if record.baseline == NONE else f"under the prompt {record.baseline}"


def _what_it_does(effect: Effect) -> str:
    """What is shown of a prompt; empty when nothing is."""
    changes = []
    for side, name in SIDES.items():
        change = effect.over_all(side)
        if change and change.is_significant:
            less = "less" if change.estimate.value < 0 else "more"
            before, after = (percent(rate) for rate in change.rates)
            changes.append(f"{name} requests {less} often ({before} → {after})")
    return f"{effect.name} refuses {' and '.join(changes)}" if changes else ""


def _changes_table(record: Prompts) -> Table:
    rows = []
    for effect in record.effects:
        harmless = _change(effect.over_all(Side.BENIGN))
        harmful = _change(effect.over_all(Side.CONTRAST))
        rows.append((effect.name, *harmless, *harmful, number(effect.price)))
    return Table(
        title="What each prompt changes",
        head=(f"Compared with {record.baseline}", "Harmless, points", "p", "Harmful, points", "p", "Price"),
        rows=tuple(rows),
        note="Changes of the refusal rate in points on the same requests, with 95 % intervals; exact p, adjusted by "
        "Holm over the prompts of a side. Price: the change on harmful requests for each point of change on harmless "
        "ones, given only where that change is clear; 0 or less is free.",
    )


def _change(difference: Difference | None) -> tuple[str, str]:
    if difference is None:
        return UNKNOWN, UNKNOWN
    return points(difference.estimate), p_value(difference.p_adjusted)


def _levels_table(record: Prompts) -> Table:
    placed = {point.name: point for point in record.fields[-1].points}
    rows = []
    for condition in record.conditions:
        point = placed[condition.name]
        rates = (cell(condition.harmless_refused), cell(condition.harmful_refused))
        signal = (number(condition.d_prime), number(condition.criterion))
        front = ("yes" if point.on_front else "no", whole(point.front_share))
        rows.append((condition.name, *rates, *signal, *front))
    n_left_out = sum(c.harmless_refused.n_left_out + c.harmful_refused.n_left_out for c in record.conditions)
    n_harmless = record.conditions[0].harmless_refused.n
    return Table(
        title="Under each prompt",
        head=("Refused", "Harmless, %", "Harmful, %", "d′", "Criterion", "Pareto front", "On it in draws"),
        rows=tuple(rows),
        note=f"{n_harmless} harmless rows {_under(record)}; {n_left_out} rows left out in total.",
    )


def _by_stimulus_tables(record: Prompts) -> Iterator[Table]:
    names = list(dict.fromkeys(d.group for d in record.effects[0].differences if d.group != "all"))
    if not names:
        return
    for side in Side:
        yield Table(
            title=f"{SIDES[side].capitalize()} requests by stimulus",
            head=("Points", *names),
            rows=tuple(_by_stimulus_row(effect, side, names) for effect in record.effects),
            note="* clear, with p adjusted over prompts and stimuli.",
        )


def _by_stimulus_row(effect: Effect, side: Side, names: Sequence[str]) -> tuple[str, ...]:
    by_group = {d.group: d for d in effect.differences if d.side is side}
    return (effect.name, *(_starred(by_group.get(name)) for name in names))


def _starred(difference: Difference | None) -> str:
    """A change in points, with a star where it is clear."""
    if difference is None:
        return UNKNOWN
    return f"{points(difference.estimate)} *" if difference.is_significant else points(difference.estimate)


def _prompts_table(record: Prompts) -> Table:
    texts = [(c.name, c.system or "") for c in record.conditions if c.name != NONE]
    return Table(title="The prompts", head=("Prompt", "Text"), rows=tuple(texts), words=True)
