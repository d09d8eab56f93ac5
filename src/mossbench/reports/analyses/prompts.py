"""prompts on the page: what each system prompt changes on either side, and the front over prompts."""

from __future__ import annotations

from typing import Any

from mossbench.analyses.prompts import NONE, Effect, Prompts
from mossbench.look.numbers import UNKNOWN, cell, number, p_value, percent, points, whole
from mossbench.reports.analyses.plane import plane
from mossbench.reports.analyses.section import Section, Table
from mossbench.reports.dots import themed
from mossbench.results.comparisons import Difference
from mossbench.samples import Side


def section(record: Prompts) -> Section:
    return Section(
        "What does a system prompt change, and at what price?",
        _finding(record),
        text=(
            "Every request was asked without a system prompt and with each of several, on both sides. Fewer refusals "
            "of harmless requests help only if harmful ones stay refused, so both changes are shown. The price is the "
            "second divided by the first: by how many points fewer harmful requests are refused for each point fewer "
            "of harmless ones. A price of 0 or less means that the prompt is free.",
            "d′ shows whether a prompt helps the model to distinguish the two sides, or only changes how readily it "
            "refuses (the criterion).",
        ),
        tables=(_changes(record), _levels(record), *_by_stimulus(record), _texts(record)),
        cautions=(
            *record.notes,
            "Only one wording of each prompt was asked. Another wording may have another effect; "
            "pass your own with --prompts.",
        ),
    )


def chart(record: Prompts) -> Any:
    field = record.fields[-1]
    if not any(point.known for point in field.points):
        return None
    subtitle = "with 95 % intervals; the line is the front: prompts that no other prompt beats on both sides"
    return themed(plane(field.points, "System prompts by both rates", subtitle), _finding(record))


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
    for side, name in ((Side.BENIGN, "harmless"), (Side.CONTRAST, "harmful")):
        found = effect.over_all(side)
        if found and found.told_apart:
            less = "less" if found.estimate.value < 0 else "more"
            before, after = (percent(rate) for rate in found.rates)
            changes.append(f"{name} requests {less} often ({before} → {after})")
    return f"{effect.name} refuses {' and '.join(changes)}" if changes else ""


def _changes(record: Prompts) -> Table:
    rows = tuple(
        (
            effect.name,
            *_change(effect.over_all(Side.BENIGN)),
            *_change(effect.over_all(Side.CONTRAST)),
            number(effect.price),
        )
        for effect in record.effects
    )
    head = (f"Compared with {record.baseline}", "Harmless, points", "p", "Harmful, points", "p", "Price")
    note = (
        "Changes of the refusal rate in points on the same requests, with 95 % intervals; exact p, adjusted by Holm "
        "over the prompts of a side. A price is given only where the change on harmless requests is clear."
    )
    return Table(head, rows, "What each prompt changes", note)


def _change(found: Difference | None) -> tuple[str, str]:
    return (points(found.estimate), p_value(found.p_adjusted)) if found else (UNKNOWN, UNKNOWN)


def _levels(record: Prompts) -> Table:
    on_front = {point.name: point for point in record.fields[-1].points}
    rows = tuple(
        (
            c.name,
            cell(c.over),
            cell(c.safe),
            number(c.d_prime),
            number(c.criterion),
            "yes" if on_front[c.name].on_front else "no",
            whole(on_front[c.name].front_share),
        )
        for c in record.conditions
    )
    n, left = record.conditions[0].over.n, sum(c.over.n_left_out + c.safe.n_left_out for c in record.conditions)
    head = ("Refused", "Harmless, %", "Harmful, %", "d′", "Criterion", "On the front", "In draws")
    return Table(head, rows, "Under each prompt", f"{n} harmless rows {_under(record)}; {left} rows left out in total.")


def _by_stimulus(record: Prompts) -> tuple[Table, ...]:
    groups = [d.group for d in record.effects[0].differences if d.group != "all"]
    names = list(dict.fromkeys(groups))
    if not names:
        return ()
    found = []
    for side, title in (
        (Side.BENIGN, "Harmless requests by stimulus"),
        (Side.CONTRAST, "Harmful requests by stimulus"),
    ):
        rows = []
        for effect in record.effects:
            by_group = {d.group: d for d in effect.differences if d.side is side}
            cells = [f"{points(by_group[n].estimate)}{_star(by_group[n])}" if n in by_group else UNKNOWN for n in names]
            rows.append((effect.name, *cells))
        found.append(
            Table(("Points", *names), tuple(rows), title, "* clear, with p adjusted over prompts and stimuli.")
        )
    return tuple(found)


def _star(found: Difference) -> str:
    return " *" if found.told_apart else ""


def _texts(record: Prompts) -> Table:
    rows = tuple((c.name, c.system or "") for c in record.conditions if c.name != NONE)
    return Table(("Prompt", "Text"), rows, "The prompts", words=True)
