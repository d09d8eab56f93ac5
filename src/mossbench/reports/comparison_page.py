"""A comparison as a page shows it: what is said of it, and its differences as tables of each run and side."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from mossbench.reports.tables import SIDES, short_name
from mossbench.reports.words.compare_page import groups_shown_to_differ
from mossbench.reports.words.comparisons import findings, headline
from mossbench.results.comparisons import Comparison
from mossbench.results.differences import Difference
from mossbench.samples import Side

_TOPS = (5, 10, 20, 30, 40, 50, 60, 80, 100)
_TITLES = {"stimulus": "By stimulus", "harm": "By harm class"}


@dataclass(frozen=True)
class SideTables:
    """The differences of one side: the total first, then a part for each column."""

    side: Side
    name: str
    title: str
    parts: tuple[tuple[str, tuple[Difference, ...]], ...]
    """Title and rows; that of the total is empty."""


@dataclass(frozen=True)
class OtherRun:
    """A run that is compared with the first."""

    run: str
    name: str
    sides: tuple[SideTables, ...]
    groups_title: str
    """The columns by which its groups are."""
    groups_note: str
    """How many of its groups are shown to differ."""


@dataclass(frozen=True)
class ComparisonView:
    """All that the page says of a comparison."""

    headline: str
    findings: tuple[str, ...]
    found: Comparison
    names: tuple[str, ...]
    top: int
    """Points at either end of the axis."""
    others: tuple[OtherRun, ...]
    unpaired: tuple[tuple[str, int], ...]
    """Run and its rows that are in no pair."""


def comparison_values(by: Mapping[str, Comparison]) -> ComparisonView:
    """What the page shows of a comparison, whose differences are there by one or more columns."""
    comparison = next(iter(by.values()))
    differences: list[Difference] = []
    for grouped in by.values():
        differences += grouped.differences
    return ComparisonView(
        headline=headline(comparison),
        findings=tuple(findings(comparison)),
        found=comparison,
        names=tuple(short_name(name) for name in comparison.runs),
        top=_top(differences),
        others=tuple(_other_run(second, by) for second in comparison.runs[1:]),
        unpaired=tuple((short_name(name), n) for name, n in comparison.n_unpaired.items() if n),
    )


def _top(differences: Iterable[Difference]) -> int:
    """Points to either side of zero: the shortest axis that holds all intervals."""
    largest = 0.0
    for difference in differences:
        estimate = difference.estimate
        for end in (estimate.low, estimate.high, estimate.value):
            if not math.isnan(end):
                largest = max(largest, 100 * abs(end))
    return next(top for top in _TOPS if largest <= top + 1e-9)


def _other_run(second: str, by: Mapping[str, Comparison]) -> OtherRun:
    """The tables of one run that is compared with the first: one for each side that was asked."""
    sides = []
    for side in Side:
        side_tables = _side_tables(second, side, by)
        if side_tables is not None:
            sides.append(side_tables)
    titles: dict[str, None] = {}
    groups: list[Difference] = []
    for tables in sides:
        for title, rows in tables.parts[1:]:
            titles[title] = None
            groups += rows
    return OtherRun(
        run=second,
        name=short_name(second),
        sides=tuple(sides),
        groups_title=", ".join(titles),
        groups_note=groups_shown_to_differ(sum(group.is_significant for group in groups), len(groups)),
    )


def _side_tables(second: str, side: Side, by: Mapping[str, Comparison]) -> SideTables | None:
    """The tables of one side; None where it has no total."""
    totals: list[Difference] = []
    parts: list[tuple[str, tuple[Difference, ...]]] = []
    for column, comparison in by.items():
        of_side = []
        for difference in comparison.differences:
            if difference.second == second and difference.side is side:
                of_side.append(difference)
        if not parts:  # each column has the total again
            totals = [difference for difference in of_side if difference.group == "all"]
            parts.append(("", tuple(totals)))
        rows = [difference for difference in of_side if difference.group != "all"]
        if len(rows) > 1:
            parts.append((_TITLES.get(column, f"By {column}"), tuple(rows)))
    if not totals:
        return None
    name = SIDES[side].capitalize()
    return SideTables(side, name, f"{name} requests", tuple(parts))
