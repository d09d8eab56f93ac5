"""Runs on several datasets beside each other: both sides and d' of each. No score is made across sets."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mossbench.outcomes import Rule, parse_rule
from mossbench.plumbing.frames import FramedLines
from mossbench.results.rates import Rate
from mossbench.results.table import Results, check_ready, load_results
from mossbench.results.twins import detection_of, twins_of
from mossbench.samples import Side
from mossbench.statistics import Estimate


@dataclass(frozen=True)
class SetLine:
    """One run on one dataset."""

    model: str
    dataset: str
    """Its name."""
    data: str
    """Its name and hashes."""
    judge: str
    harmless: Rate | None
    """None where the run asked nothing of this side."""
    harmful: Rate | None
    d_prime: Estimate | None
    """How well the sides are told apart, as read; None where the run has only one side."""

    def __repr__(self) -> str:
        return f"<SetLine {self.model} on {self.dataset}: {self.harmless}, {self.harmful}>"


class SetLines(FramedLines[SetLine]):
    """Runs on several datasets, a line for each."""

    def lines(self) -> list[dict[str, Any]]:
        lines = []
        for line in self:
            values: dict[str, Any] = {"model": line.model, "dataset": line.dataset, "judge": line.judge}
            estimates = {
                "harmless": line.harmless.estimate if line.harmless else None,
                "harmful": line.harmful.estimate if line.harmful else None,
                "d_prime": line.d_prime,
            }
            for name, estimate in estimates.items():
                values[name] = estimate.value if estimate else None
                values[f"{name}_low"] = estimate.low if estimate else None
                values[f"{name}_high"] = estimate.high if estimate else None
            lines.append(values)
        return lines

    def title(self) -> str:
        return "Share refused, as read, with 95 % intervals, and d′"


def over_sets(*runs: Results | str | Path, rule: Rule | str = Rule.SYSTEM, judge: str | None = None) -> SetLines:
    """A line for each run, by model, then by name of the dataset."""
    rule = parse_rule(rule)
    lines = []
    for run in runs:
        results = run if isinstance(run, Results) else load_results(run, judge=judge)
        check_ready(results)
        lines.append(_line(results, rule))
    return SetLines(sorted(lines, key=lambda line: (line.model, line.data)))


def _line(results: Results, rule: Rule) -> SetLine:
    rates = {rate.side: rate for rate in results.rates(rule=rule, by=None)}
    has_both_sides = len(rates) == len(Side)
    return SetLine(
        model=results.label,
        dataset=results.info.dataset.name,
        data=results.info.dataset.label,
        judge=results.judge or "",
        harmless=rates.get(Side.BENIGN),
        harmful=rates.get(Side.CONTRAST),
        d_prime=detection_of(twins_of(results.rows), rule).d_prime if has_both_sides else None,
    )
