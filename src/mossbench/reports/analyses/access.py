"""access on the page: which part of the answers makes the difference between two routes."""

import math

from mossbench.analyses.access import PARTS, Access
from mossbench.look.charts import Chart, themed
from mossbench.look.numbers import p_value, percent, points
from mossbench.reports.analyses.section import Section, Table
from mossbench.reports.dots import Dot, dots
from mossbench.reports.tables import SIDES, short_name
from mossbench.reports.words.comparisons import missing_in_runs
from mossbench.results.differences import Difference
from mossbench.samples import Side

PART_NAMES = {
    "filter": "blocks by a filter",
    "nothing returned": "nothing returned",
    "gate": "a gate of the product (says that it cannot see or process)",
    "own words": "the model's own words",
}
"""By the name that the analysis has for a part."""
CAUTION = (
    "Hidden system prompts, other versions and other settings of the model cannot be seen from outside: any of them "
    "may cause a difference in its own words."
)


def section(record: Access) -> Section:
    parts = [_parts_table(record, side) for side in record.layers]
    layers = [_layers_table(record, side) for side in record.layers]
    return Section(
        title="Do the two routes differ, and in which part?",
        finding=_finding(record),
        text=_how_to_read(record),
        tables=(_wholes_table(record), *parts, *layers),
        cautions=(*record.notes, CAUTION),
    )


def _how_to_read(record: Access) -> tuple[str, ...]:
    first, second = record.routes
    return (
        f"The same requests went to {first} and to {second}; pairs of answers are compared. The total difference is "
        "the sum of four parts that do not overlap: answers that a filter blocked, nothing returned at all, gates of a "
        "product (it says that it cannot see or process the image), and refusals in the model's own words. Failed "
        "calls are none of these and are shown separately.",
    )


def chart(record: Access) -> Chart | None:
    blocks = []
    for side in record.layers:
        whole = _whole(record, side)
        if not whole.estimate.n:
            continue
        named = [("total", whole.estimate), *((p.part, p.estimate) for p in record.parts if p.side is side)]
        drawn = [Dot(name, estimate, text=points(estimate), harmful=side is Side.CONTRAST) for name, estimate in named]
        title = f"{SIDES[side].capitalize()} requests refused: {record.routes[1]} minus {record.routes[0]}"
        blocks.append(dots(drawn, title, "points, with 95 % intervals; the parts add up", differences=True))
    return themed({"vconcat": blocks, "spacing": 36}, _finding(record), labels=190) if blocks else None


def heads(first: str, second: str) -> tuple[str, str]:
    """The routes' names for narrow columns: short ones, or as much of their ends as tells them apart."""
    short = short_name(first), short_name(second)
    if short[0] != short[1] or first == second:
        return short
    one, other = first.split("/"), second.split("/")
    n = next(n for n in range(1, max(len(one), len(other)) + 1) if one[-n:] != other[-n:])
    return "/".join(one[-n:]), "/".join(other[-n:])


def _finding(record: Access) -> str:
    return " ".join(_finding_on(record, side) for side in record.layers)


def _whole(record: Access, side: Side) -> Difference:
    return next(d for d in record.differences if d.side is side and d.group == "all")


def _finding_on(record: Access, side: Side) -> str:
    whole = _whole(record, side)
    on = f"On {SIDES[side]} requests"
    if not whole.estimate.n:
        return f"{on} no pair counts ({whole.estimate.n_left_out} left out)."
    first, second = record.routes
    rates = f"{percent(whole.rates[0])} by {first}, {percent(whole.rates[1])} by {second}"
    shown = record.lies_in(side)
    if whole.is_inconclusive:
        missing = "; ".join(missing_in_runs(whole))
        return f"{on} it is inconclusive whether the routes differ ({rates}): rows are missing, {missing}."
    if not whole.told_apart:
        in_parts = f", but in parts: {', '.join(PART_NAMES[part] for part in shown)}" if shown else ""
        return f"{on} no {'total ' if shown else ''}difference is shown ({rates}){in_parts}."
    if not shown:
        return f"{on} the routes differ ({rates}), but no single part shows it."
    signs = {p.part: math.copysign(1.0, p.estimate.value) for p in record.parts if p.side is side}
    sign = math.copysign(1.0, whole.estimate.value)
    with_it = " and in ".join(PART_NAMES[part] for part in shown if signs[part] == sign)
    against = " and in ".join(PART_NAMES[part] for part in shown if signs[part] != sign)
    if not with_it:
        why = f"no single part that goes this way shows it; shown the other way: in {against}"
        return f"{on} the routes differ ({rates}), but {why}."
    other = f"; against it goes a difference in {against}" if against else ""
    return f"{on} the routes differ ({rates}), and the difference is in {with_it}{other}."


def _wholes_table(record: Access) -> Table:
    own_words = {(difference.side, difference.group): difference for difference in record.own_words}
    rows = []
    for whole in record.differences:
        own = own_words[whole.side, whole.group]
        name = f"{SIDES[whole.side]}, {whole.group}"
        cells = (points(whole.estimate), p_value(whole.p_adjusted), points(own.estimate), p_value(own.p_adjusted))
        rows.append((name, *map(percent, whole.rates), *cells))
    return Table(
        title="Total difference",
        head=("", *heads(*record.routes), "Points", "p", "Own words only, points", "p"),
        rows=tuple(rows),
        note="Pairs that count, with 95 % intervals; exact p, adjusted by Holm. Own words: pairs in which both "
        "answered.",
    )


def _parts_table(record: Access, side: Side) -> Table:
    by_name = {part.part: part for part in record.parts if part.side is side}
    ordered = [by_name[name] for name in PARTS if name in by_name]
    rows = []
    for part in ordered:
        rows.append((PART_NAMES[part.part], *map(str, part.counts), points(part.estimate), p_value(part.p_adjusted)))
    n_pairs = ordered[0].estimate.n if ordered else 0
    return Table(
        title=f"Parts of the difference: {SIDES[side]} requests",
        head=("Refused by", *heads(*record.routes), "Points", "p"),
        rows=tuple(rows),
        note=f"Of {n_pairs} pairs that count.",
    )


def _layers_table(record: Access, side: Side) -> Table:
    first, second = record.layers[side]
    rows = [(name, str(first[name]), str(second[name])) for name in first if first[name] or second[name]]
    return Table(
        title=f"All rows: {SIDES[side]} requests",
        head=("Layer", *heads(*record.routes)),
        rows=tuple(rows),
    )
