"""Runs on several datasets beside each other: both sides and d' of each. No score is made across sets."""

from dataclasses import dataclass
from pathlib import Path

from mossbench.outcomes import Rule, parse_rule
from mossbench.results.rates import Rate
from mossbench.results.table import Results, check_ready, load_results
from mossbench.results.twins import told_apart, twins_of
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


def over_sets(
    *runs: Results | str | Path, rule: Rule | str = Rule.SYSTEM, judge: str | None = None
) -> tuple[SetLine, ...]:
    """A line for each run, by model, then by name of the dataset."""
    rule, lines = parse_rule(rule), []
    for run in runs:
        results = run if isinstance(run, Results) else load_results(run, judge=judge)
        check_ready(results)
        rates = {rate.side: rate for rate in results.rates(rule=rule, by=None)}
        d_prime = told_apart(twins_of(results.rows), rule).d_prime if len(rates) == len(Side) else None
        sides = (rates.get(Side.BENIGN), rates.get(Side.CONTRAST))
        lines.append(
            SetLine(
                results.label,
                results.info.dataset.name,
                results.info.dataset.label,
                results.judge or "",
                *sides,
                d_prime,
            )
        )
    return tuple(sorted(lines, key=lambda line: (line.model, line.data)))
