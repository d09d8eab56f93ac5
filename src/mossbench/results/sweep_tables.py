"""What a sweep shows: each point compared with the first, on both sides, with what it cost and how long it took."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

from mossbench.outcomes import Rule
from mossbench.plumbing.json_values import as_json_value
from mossbench.results.comparisons import compare
from mossbench.results.differences import Difference
from mossbench.results.rates import Rate
from mossbench.results.table import Results
from mossbench.samples import Side


@dataclass(frozen=True)
class PointOfSweep:
    """A point with the run that was made there; None: it could not be made."""

    labels: tuple[str, ...]
    results: Results | None


@dataclass(frozen=True)
class SweepLine:
    """One point of a sweep."""

    point: str
    run: str
    rates: dict[Side, Rate]
    differences: dict[Side, Difference]
    """From the first point, paired sample by sample; empty for the first, and where the two cannot be compared."""
    cost: float | None
    """US dollars, without the judge."""
    seconds: float
    """Median of an answer; NaN where it is not known."""
    reasoning_tokens: int

    def to_dict(self) -> dict[str, Any]:
        return {
            "point": self.point,
            "run": self.run,
            "rates": {str(side): as_json_value(rate.estimate) for side, rate in self.rates.items()},
            "differences": {
                str(side): {**as_json_value(difference), "is_significant": difference.is_significant}
                for side, difference in self.differences.items()
            },
            "cost_usd": self.cost,
            "seconds": None if math.isnan(self.seconds) else self.seconds,
            "reasoning_tokens": self.reasoning_tokens,
        }


@dataclass(frozen=True)
class SweepTable:
    """All points at which one model was asked about one dataset."""

    title: str
    judge: str
    rule: Rule
    lines: tuple[SweepLine, ...]
    notes: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return f"<SweepTable {self.title}: {len(self.lines)} points>"

    def to_dict(self) -> dict[str, Any]:
        return {
            "title": self.title,
            "judge": self.judge,
            "rule": str(self.rule),
            "points": [line.to_dict() for line in self.lines],
            "notes": list(self.notes),
        }


def sweep_table(title: str, points: Sequence[PointOfSweep], rule: Rule) -> SweepTable | None:
    """The table of a model on a dataset; None where no point could be asked.

    Each point is compared with the first one, with p adjusted by Holm over all other points, each side apart.
    """
    asked = [(point, point.results) for point in points if point.results is not None]
    if not asked:
        return None
    missing = [f"{', '.join(point.labels)} was not asked to its end" for point in points if point.results is None]
    runs = [results for _, results in asked]
    has_first = points[0].results is not None
    if not has_first:
        missing.append("without the first point nothing is compared")
    differences = _differences(runs, rule) if has_first and len(runs) > 1 else [{} for _ in runs]
    lines = []
    for (point, results), of_point in zip(asked, differences, strict=True):
        lines.append(_line(point, results, of_point, rule))
    return SweepTable(title, str(runs[0].judge), rule, tuple(lines), tuple(missing))


def _differences(runs: Sequence[Results], rule: Rule) -> list[dict[Side, Difference]]:
    """For each run its differences from the first, by side; none for the first."""
    comparison = compare(runs[0], *runs[1:], rule=rule)
    totals = [difference for difference in comparison.differences if difference.group == "all"]
    by_run: list[dict[Side, Difference]] = [{}]
    for name in comparison.runs[1:]:
        by_run.append({difference.side: difference for difference in totals if difference.second == name})
    return by_run


def _line(point: PointOfSweep, results: Results, differences: dict[Side, Difference], rule: Rule) -> SweepLine:
    spent = results.spent()
    seconds = [row.answered.seconds for row in results.rows if row.answered and row.answered.seconds is not None]
    return SweepLine(
        point=" ".join(point.labels),
        run=results.name,
        rates={rate.side: rate for rate in results.rates(rule=rule, by=None)},
        differences=differences,
        cost=spent.cost,
        seconds=median(seconds) if seconds else math.nan,
        reasoning_tokens=spent.reasoning_tokens,
    )
