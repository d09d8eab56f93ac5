"""What is said of two routes to a model: whether they differ, and in which part of the answers."""

import math

from mossbench.analyses.access import Access
from mossbench.look.numbers import percent
from mossbench.reports.tables import SIDES
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


def how_to_read(record: Access) -> str:
    first, second = record.routes
    return (
        f"The same requests went to {first} and to {second}; pairs of answers are compared. The total difference is "
        "the sum of four parts that do not overlap: answers that a filter blocked, nothing returned at all, gates of a "
        "product (it says that it cannot see or process the image), and refusals in the model's own words. Failed "
        "calls are none of these and are shown separately."
    )


def finding(record: Access) -> str:
    return " ".join(_finding_on_side(record, side) for side in record.layers)


def total_difference(record: Access, side: Side) -> Difference:
    return next(row for row in record.differences if row.side is side and row.group == "all")


def _finding_on_side(record: Access, side: Side) -> str:
    total = total_difference(record, side)
    requests = f"On {SIDES[side]} requests"
    if not total.estimate.n:
        return f"{requests} no pair counts ({total.estimate.n_left_out} left out)."
    first, second = record.routes
    rates = f"{percent(total.rates[0])} by {first}, {percent(total.rates[1])} by {second}"
    if total.is_inconclusive:
        missing = "; ".join(missing_in_runs(total))
        return f"{requests} it is inconclusive whether the routes differ ({rates}): rows are missing, {missing}."
    parts_that_differ = record.lies_in(side)
    if not total.is_significant and not parts_that_differ:
        return f"{requests} there is no significant difference ({rates})."
    if not total.is_significant:
        names = ", ".join(PART_NAMES[part] for part in parts_that_differ)
        return f"{requests} the total difference is not significant ({rates}), but parts differ: {names}."
    if not parts_that_differ:
        return f"{requests} the routes differ ({rates}), but no single part differs significantly."
    return f"{requests} the routes differ ({rates}), {_where_it_lies(record, total)}."


def _where_it_lies(record: Access, total: Difference) -> str:
    """The parts that differ in the direction of the total, and those that differ in the other."""
    direction = math.copysign(1.0, total.estimate.value)
    directions = {}
    for part in record.parts:
        if part.side is total.side:
            directions[part.part] = math.copysign(1.0, part.estimate.value)
    with_total: list[str] = []
    against_total: list[str] = []
    for name in record.lies_in(total.side):
        parts = with_total if directions[name] == direction else against_total
        parts.append(PART_NAMES[name])
    against = " and in ".join(against_total)
    if not with_total:
        return f"but no single part differs significantly in this direction; in the opposite direction: {against}"
    finding = f"and the difference is in {' and in '.join(with_total)}"
    return f"{finding}; in the opposite direction: {against}" if against else finding
