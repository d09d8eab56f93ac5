"""access on the page: where a difference between two routes lies."""

from __future__ import annotations

from typing import Any

from mossbench.analyses.access import PARTS, Access
from mossbench.look.numbers import p_value, percent, points
from mossbench.reports.analyses.marks import LABEL_THEME, Dot, intervals, themed
from mossbench.reports.analyses.section import Section, Table
from mossbench.reports.tables import short_name
from mossbench.samples import Side

NAMES = {Side.BENIGN: "harmless", Side.CONTRAST: "harmful"}
PART_NAMES = {
    "filter": "a filter's block",
    "nothing returned": "nothing returned",
    "gate": "a gate of the product (cannot see or process)",
    "own words": "the model's own words",
}


def section(record: Access) -> Section:
    first, second = record.routes
    return Section(
        "Does the route matter, and where does the difference lie?",
        " ".join(_found(record, side) for side in record.layers),
        text=(
            f"The same requests went to {first} and to {second}; pairs of answers are compared. The difference of the "
            "whole is the sum of four that do not overlap: answers that a filter blocked, nothing returned at "
            "all, gates "
            "of a product (it says that it cannot see or process the picture), and refusals in the model's own words. "
            "Answers that failed on the way count as none of these and are shown beside.",
        ),
        tables=(
            _wholes(record),
            *(_parts(record, side) for side in record.layers),
            *(_layers(record, side) for side in record.layers),
        ),
        cautions=(
            *record.notes,
            "Hidden system prompts, other versions and other settings of the model cannot be seen from outside: a "
            "difference in its own words may be any of them.",
        ),
    )


def chart(record: Access) -> Any:
    import altair as alt

    blocks = []
    for side in record.layers:
        whole = next(d for d in record.differences if d.side is side and d.group == "all")
        if not whole.estimate.n:
            continue
        dots = [Dot("in all", whole.estimate, side is Side.CONTRAST)]
        dots += [Dot(p.part, p.estimate, side is Side.CONTRAST) for p in record.parts if p.side is side]
        title = f"{NAMES[side].capitalize()} requests turned down: {record.routes[1]} less {record.routes[0]}"
        blocks.append(intervals(dots, title, "points, with 95 % intervals; the parts add up", differences=True))
    says = " ".join(_found(record, side) for side in record.layers)
    return themed(alt.vconcat(*blocks, spacing=36), says, LABEL_THEME) if blocks else None


def heads(first: str, second: str) -> tuple[str, str]:
    """The routes' names for narrow columns: short ones, or as much of their ends as tells them apart."""
    short = short_name(first), short_name(second)
    if short[0] != short[1] or first == second:
        return short
    one, other = first.split("/"), second.split("/")
    n = next(n for n in range(1, max(len(one), len(other)) + 1) if one[-n:] != other[-n:])
    return "/".join(one[-n:]), "/".join(other[-n:])


def _found(record: Access, side: Side) -> str:
    whole = next(d for d in record.differences if d.side is side and d.group == "all")
    if not whole.estimate.n:
        return f"On {NAMES[side]} requests no pair counts ({whole.estimate.n_left_out} left out)."
    first, second = record.routes
    rates = f"{percent(whole.rates[0])} by {first}, {percent(whole.rates[1])} by {second}"
    parts = [PART_NAMES[part] for part in record.lies_in(side)]
    if not whole.told_apart and not parts:
        return f"On {NAMES[side]} requests no difference is shown ({rates})."
    if not parts:
        return f"On {NAMES[side]} requests the routes differ ({rates}), and in no single part is that shown."
    if not whole.told_apart:
        return f"On {NAMES[side]} requests no difference is shown ({rates}), but parts of it: {', '.join(parts)}."
    return (
        f"On {NAMES[side]} requests the routes differ ({rates}), and the difference lies in {' and in '.join(parts)}."
    )


def _wholes(record: Access) -> Table:
    own = {(d.side, d.group): d for d in record.own_words}
    rows = tuple(
        (
            f"{NAMES[d.side]}, {d.group}",
            *(percent(rate) for rate in d.rates),
            points(d.estimate),
            p_value(d.p_adjusted),
            points(own[d.side, d.group].estimate),
            p_value(own[d.side, d.group].p_adjusted),
        )
        for d in record.differences
    )
    head = ("", *heads(*record.routes), "Points", "p", "Own words only, points", "p")
    note = "Pairs that count, with 95 % intervals; p exact, adjusted by Holm. Own words: pairs in which both answered."
    return Table(head, rows, "The whole", note)


def _parts(record: Access, side: Side) -> Table:
    rows = tuple(
        (PART_NAMES[p.part], *map(str, p.counts), points(p.estimate), p_value(p.p_adjusted))
        for name in PARTS
        for p in record.parts
        if p.side is side and p.part == name
    )
    n = next((p.estimate.n for p in record.parts if p.side is side), 0)
    title = f"Where it lies: {NAMES[side]} requests"
    return Table(("Turned down by", *heads(*record.routes), "Points", "p"), rows, title, f"Of {n} pairs that count.")


def _layers(record: Access, side: Side) -> Table:
    first, second = record.layers[side]
    rows = tuple((name, str(first[name]), str(second[name])) for name in first if first[name] or second[name])
    return Table(("Layer", *heads(*record.routes)), rows, f"All rows, {NAMES[side]} requests")
