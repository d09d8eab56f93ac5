"""access on the page: which part of the answers makes the difference between two routes."""

from __future__ import annotations

import math
from typing import Any

from mossbench.analyses.access import PARTS, Access
from mossbench.look.numbers import p_value, percent, points
from mossbench.reports.analyses.section import Section, Table
from mossbench.reports.dots import Dot, dots, themed
from mossbench.reports.tables import short_name
from mossbench.samples import Side

NAMES = {Side.BENIGN: "harmless", Side.CONTRAST: "harmful"}
PART_NAMES = {
    "filter": "blocks by a filter",
    "nothing returned": "nothing returned",
    "gate": "a gate of the product (says that it cannot see or process)",
    "own words": "the model's own words",
}


def section(record: Access) -> Section:
    first, second = record.routes
    return Section(
        "Do the two routes differ, and in which part?",
        " ".join(_found(record, side) for side in record.layers),
        text=(
            f"The same requests went to {first} and to {second}; pairs of answers are compared. The total difference "
            "is the sum of four parts that do not overlap: answers that a filter blocked, nothing returned at all, "
            "gates of a product (it says that it cannot see or process the image), and refusals in the model's own "
            "words. Failed calls are none of these and are shown separately.",
        ),
        tables=(
            _wholes(record),
            *(_parts(record, side) for side in record.layers),
            *(_layers(record, side) for side in record.layers),
        ),
        cautions=(
            *record.notes,
            "Hidden system prompts, other versions and other settings of the model cannot be seen from outside: any of "
            "them may cause a difference in its own words.",
        ),
    )


def chart(record: Access) -> Any:
    import altair as alt

    blocks = []
    for side in record.layers:
        whole = next(d for d in record.differences if d.side is side and d.group == "all")
        if not whole.estimate.n:
            continue
        named = [("total", whole.estimate), *((p.part, p.estimate) for p in record.parts if p.side is side)]
        drawn = [Dot(name, one, text=points(one), harmful=side is Side.CONTRAST) for name, one in named]
        title = f"{NAMES[side].capitalize()} requests refused: {record.routes[1]} minus {record.routes[0]}"
        blocks.append(dots(drawn, title, "points, with 95 % intervals; the parts add up", differences=True))
    says = " ".join(_found(record, side) for side in record.layers)
    return themed(alt.vconcat(*blocks, spacing=36), says, labels=190) if blocks else None


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
    with_it = [
        PART_NAMES[p]
        for p in record.lies_in(side)
        if _sign(record, side, p) == math.copysign(1.0, whole.estimate.value)
    ]
    if not whole.told_apart and not parts:
        return f"On {NAMES[side]} requests no difference is shown ({rates})."
    if not parts:
        return f"On {NAMES[side]} requests the routes differ ({rates}), but no single part shows it."
    if not whole.told_apart:
        return f"On {NAMES[side]} requests no total difference is shown ({rates}), but in parts: {', '.join(parts)}."
    found = f"On {NAMES[side]} requests the routes differ ({rates})"
    against = " and in ".join(part for part in parts if part not in with_it)
    if not with_it:
        return f"{found}, but no single part that goes this way shows it; shown the other way: in {against}."
    return f"{found}, and the difference is in {' and in '.join(with_it)}" + (
        f"; against it goes a difference in {against}." if against else "."
    )


def _sign(record: Access, side: Side, name: str) -> float:
    part = next(part for part in record.parts if part.side is side and part.part == name)
    return math.copysign(1.0, part.estimate.value)


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
    note = "Pairs that count, with 95 % intervals; exact p, adjusted by Holm. Own words: pairs in which both answered."
    return Table(head, rows, "Total difference", note)


def _parts(record: Access, side: Side) -> Table:
    rows = tuple(
        (PART_NAMES[p.part], *map(str, p.counts), points(p.estimate), p_value(p.p_adjusted))
        for name in PARTS
        for p in record.parts
        if p.side is side and p.part == name
    )
    n = next((p.estimate.n for p in record.parts if p.side is side), 0)
    title = f"Parts of the difference: {NAMES[side]} requests"
    return Table(("Refused by", *heads(*record.routes), "Points", "p"), rows, title, f"Of {n} pairs that count.")


def _layers(record: Access, side: Side) -> Table:
    first, second = record.layers[side]
    rows = tuple((name, str(first[name]), str(second[name])) for name in first if first[name] or second[name])
    return Table(("Layer", *heads(*record.routes)), rows, f"All rows: {NAMES[side]} requests")
