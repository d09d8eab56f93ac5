"""access on the page: which part of the answers makes the difference between two routes.

What is said of it is in `reports.words.access`.
"""

from mossbench.analyses.access import PARTS, Access
from mossbench.look.charts import Chart, themed
from mossbench.look.numbers import p_value, percent, points
from mossbench.reports.analyses.section import Section, Table
from mossbench.reports.dots import Dot, dots
from mossbench.reports.tables import SIDES, short_name
from mossbench.reports.words.access import CAUTION, PART_NAMES, finding, how_to_read, total_difference
from mossbench.samples import Side


def section(record: Access) -> Section:
    parts = [_parts_table(record, side) for side in record.layers]
    layers = [_layers_table(record, side) for side in record.layers]
    return Section(
        title="Do the two routes differ, and in which part?",
        finding=finding(record),
        text=(how_to_read(record),),
        tables=(_totals_table(record), *parts, *layers),
        cautions=(*record.notes, CAUTION),
    )


def chart(record: Access) -> Chart | None:
    blocks = []
    for side in record.layers:
        if total_difference(record, side).estimate.n:
            blocks.append(_block(record, side))
    if not blocks:
        return None
    return themed({"vconcat": blocks, "spacing": 36}, finding(record), labels=190)


def _block(record: Access, side: Side) -> Chart:
    """The total difference on one side, and its parts."""
    is_harmful = side is Side.CONTRAST
    total = total_difference(record, side).estimate
    drawn = [Dot("total", total, text=points(total), harmful=is_harmful)]
    for part in record.parts:
        if part.side is side:
            drawn.append(Dot(part.part, part.estimate, text=points(part.estimate), harmful=is_harmful))
    title = f"{SIDES[side].capitalize()} requests refused: {record.routes[1]} minus {record.routes[0]}"
    return dots(drawn, title, "points, with 95 % intervals; the parts add up", differences=True)


def heads(first: str, second: str) -> tuple[str, str]:
    """The routes' names for narrow columns: short ones, or as much of their ends as tells them apart."""
    short = (short_name(first), short_name(second))
    if short[0] != short[1] or first == second:
        return short
    first_parts = first.split("/")
    second_parts = second.split("/")
    n = 1
    while first_parts[-n:] == second_parts[-n:]:
        n += 1
    return "/".join(first_parts[-n:]), "/".join(second_parts[-n:])


def _totals_table(record: Access) -> Table:
    own_words = {(difference.side, difference.group): difference for difference in record.own_words}
    rows = []
    for total in record.differences:
        own = own_words[total.side, total.group]
        name = f"{SIDES[total.side]}, {total.group}"
        cells = (points(total.estimate), p_value(total.p_adjusted), points(own.estimate), p_value(own.p_adjusted))
        rows.append((name, *map(percent, total.rates), *cells))
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
