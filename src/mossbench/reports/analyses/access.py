"""access on the page: which part of the answers makes the difference between two routes."""

import math
from collections.abc import Iterable

from mossbench.analyses.access import PARTS, Access
from mossbench.look.charts import Chart, themed
from mossbench.look.numbers import p_value, percent, points
from mossbench.reports.analyses.section import PAGES, Section, Table, table
from mossbench.reports.comparison_text import missing_in_runs
from mossbench.reports.dots import Dot, dots
from mossbench.reports.tables import SIDES, short_name
from mossbench.results.differences import Difference
from mossbench.samples import Side

WORDS = PAGES["access"]
NAMED: dict[str, str] = WORDS["parts_named"]


def section(record: Access) -> Section:
    first, second = record.routes
    sides = record.layers
    return Section(
        WORDS["title"],
        _findings(record),
        tuple(text.format(first=first, second=second) for text in WORDS["text"]),
        (_wholes(record), *(_parts(record, side) for side in sides), *(_layers(record, side) for side in sides)),
        (*record.notes, WORDS["caution"]),
    )


def chart(record: Access) -> Chart | None:
    blocks = []
    for side in record.layers:
        whole = _whole(record, side)
        if not whole.estimate.n:
            continue
        named = [("total", whole.estimate), *((p.part, p.estimate) for p in record.parts if p.side is side)]
        drawn = [Dot(name, one, text=points(one), harmful=side is Side.CONTRAST) for name, one in named]
        title = f"{SIDES[side].capitalize()} requests refused: {record.routes[1]} minus {record.routes[0]}"
        blocks.append(dots(drawn, title, WORDS["chart"], differences=True))
    return themed({"vconcat": blocks, "spacing": 36}, _findings(record), labels=190) if blocks else None


def heads(first: str, second: str) -> tuple[str, str]:
    """The routes' names for narrow columns: short ones, or as much of their ends as tells them apart."""
    short = short_name(first), short_name(second)
    if short[0] != short[1] or first == second:
        return short
    one, other = first.split("/"), second.split("/")
    n = next(n for n in range(1, max(len(one), len(other)) + 1) if one[-n:] != other[-n:])
    return "/".join(one[-n:]), "/".join(other[-n:])


def _findings(record: Access) -> str:
    return " ".join(_found(record, side) for side in record.layers)


def _whole(record: Access, side: Side) -> Difference:
    return next(d for d in record.differences if d.side is side and d.group == "all")


def _found(record: Access, side: Side) -> str:
    whole, on = _whole(record, side), f"On {SIDES[side]} requests"
    if not whole.estimate.n:
        return f"{on} no pair counts ({whole.estimate.n_left_out} left out)."
    first, second = record.routes
    rates = f"{percent(whole.rates[0])} by {first}, {percent(whole.rates[1])} by {second}"
    shown = record.lies_in(side)
    signs = {p.part: math.copysign(1.0, p.estimate.value) for p in record.parts if p.side is side}
    goes = math.copysign(1.0, whole.estimate.value)
    with_it, against = (
        " and in ".join(NAMED[p] for p in shown if (signs[p] == goes) is same) for same in (True, False)
    )
    if whole.is_inconclusive:
        missing = "; ".join(missing_in_runs(whole))
        return f"{on} it is inconclusive whether the routes differ ({rates}): rows are missing, {missing}."
    if not whole.told_apart:
        in_parts = f", but in parts: {', '.join(NAMED[part] for part in shown)}" if shown else ""
        return f"{on} no {'total ' if shown else ''}difference is shown ({rates}){in_parts}."
    if not shown:
        return f"{on} the routes differ ({rates}), but no single part shows it."
    if not with_it:
        why = f"no single part that goes this way shows it; shown the other way: in {against}"
        return f"{on} the routes differ ({rates}), but {why}."
    other = f"; against it goes a difference in {against}" if against else ""
    return f"{on} the routes differ ({rates}), and the difference is in {with_it}{other}."


def _wholes(record: Access) -> Table:
    own_words = {(difference.side, difference.group): difference for difference in record.own_words}
    rows = []
    for whole in record.differences:
        own = own_words[whole.side, whole.group]
        name = f"{SIDES[whole.side]}, {whole.group}"
        cells = (points(whole.estimate), p_value(whole.p_adjusted), points(own.estimate), p_value(own.p_adjusted))
        rows.append((name, *map(percent, whole.rates), *cells))
    return _table(record, "wholes", rows)


def _parts(record: Access, side: Side) -> Table:
    by_name = {part.part: part for part in record.parts if part.side is side}
    ordered = [by_name[name] for name in PARTS if name in by_name]
    rows = []
    for part in ordered:
        rows.append((NAMED[part.part], *map(str, part.counts), points(part.estimate), p_value(part.p_adjusted)))
    n_pairs = ordered[0].estimate.n if ordered else 0
    return _table(record, "parts", rows, side, n_pairs)


def _layers(record: Access, side: Side) -> Table:
    first, second = record.layers[side]
    rows = [(name, str(first[name]), str(second[name])) for name in first if first[name] or second[name]]
    return _table(record, "layers", rows, side)


def _table(
    record: Access, name: str, rows: Iterable[tuple[str, ...]], side: Side | None = None, n_pairs: int = 0
) -> Table:
    first, second = heads(*record.routes)
    return table(WORDS[name], rows, first=first, second=second, side=SIDES[side] if side else "", n=n_pairs)
