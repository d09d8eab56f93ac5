"""Which of several groups or runs is refused most often, and whether that is shown: facts, no sentences."""

import math
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass

from mossbench.reports.record import Report
from mossbench.results.rates import Rate
from mossbench.statistics import Estimate
from mossbench.statistics.planning import fisher_p


@dataclass(frozen=True)
class NotRanked:
    """Fewer than two groups have a known rate, or rows are missing, which may belong to any of them."""


@dataclass(frozen=True)
class NothingRefused:
    pass


@dataclass(frozen=True)
class EverythingRefused:
    pass


@dataclass(frozen=True)
class NotShown:
    """No group is shown to be refused more often than all others."""


@dataclass(frozen=True)
class RefusedMost:
    groups: tuple[str, ...]
    """Those with the highest rate, each clearly above every other group."""


MostRefused = NotRanked | NothingRefused | EverythingRefused | NotShown | RefusedMost


def most_refused(rates: Sequence[Rate]) -> MostRefused:
    """Which of these groups is refused most often."""
    with_rate = [rate for rate in rates if has_rate(rate.estimate)]
    if not _can_be_ranked(with_rate):
        return NotRanked()
    n_refused = sum(rate.refused for rate in with_rate)
    if n_refused == 0:
        return NothingRefused()
    if n_refused == sum(rate.estimate.n for rate in with_rate):
        return EverythingRefused()
    leaders = _clear_leaders(with_rate)
    if not leaders:
        return NotShown()
    return RefusedMost(tuple(rate.group for rate in leaders))


def _can_be_ranked(rates: Sequence[Rate]) -> bool:
    """Whether there are several rates, all known, and no row is missing."""
    if len(rates) < 2:
        return False
    return all(rate.is_known and not rate.n_missing for rate in rates)


def _clear_leaders(rates: Sequence[Rate]) -> list[Rate]:
    """The groups with the highest rate, if each is clearly above every other group; else none."""
    highest = max(rate.estimate.value for rate in rates)
    leaders = [rate for rate in rates if rate.estimate.value == highest]
    followers = [rate.estimate for rate in rates if rate.estimate.value < highest]
    n_tests = _n_pairs(len(rates))
    are_clear = all(_is_above_all(rate.estimate, followers, n_tests) for rate in leaders)
    return leaders if followers and are_clear else []


@dataclass(frozen=True)
class RunsCompared:
    """Several runs on one axis."""

    n_runs: int
    differences: tuple[str, ...]
    """What would have to be the same for the rates to be ranked and is not."""
    n_with_rate: int
    refuses_most: str | None
    """The name of the run that is shown to refuse the most; None where none is."""


def compare_runs(reports: Sequence[Report], names: Sequence[str]) -> RunsCompared:
    """Whether the runs can be ranked, and which of them refuses the most. `names` are those of the runs."""
    differences = []
    for property_name, value_of in _SAME_IN_RANKED_RUNS.items():
        if len({value_of(report) for report in reports}) > 1:
            differences.append(property_name)
    estimates = []
    for name, report in zip(names, reports, strict=True):
        if has_rate(report.rate.estimate) and report.rate.is_known:
            estimates.append((name, report.rate.estimate))
    refuses_most = None if differences else _refuses_most(estimates)
    return RunsCompared(len(reports), tuple(differences), len(estimates), refuses_most)


def _refuses_most(estimates: Sequence[tuple[str, Estimate]]) -> str | None:
    """The run that is shown to refuse more than every other; None where none is."""
    if len(estimates) < 2:
        return None
    ordered = sorted(estimates, key=lambda pair: -pair[1].value)
    name, highest = ordered[0]
    followers = [estimate for _, estimate in ordered[1:]]
    return name if _is_above_all(highest, followers, _n_pairs(len(estimates))) else None


_SAME_IN_RANKED_RUNS: dict[str, Callable[[Report], Hashable]] = {
    "data": lambda report: (report.protocol.benign, report.protocol.contrast),
    "judge": lambda report: report.judge,
    "rule": lambda report: report.rule,
    "arms": lambda report: (report.protocol.arm, report.protocol.system),
    "sampling": lambda report: (report.protocol.temperature, report.protocol.max_tokens, report.protocol.epochs),
    "number of rows": lambda report: report.n_rows,
    "side": lambda report: report.side,
}
"""What has to be the same for rates to be ranked."""


def has_rate(estimate: Estimate) -> bool:
    return estimate.n > 0 and not math.isnan(estimate.value)


def _n_pairs(n: int) -> int:
    return n * (n - 1) // 2


def _is_above_all(estimate: Estimate, followers: Sequence[Estimate], n_tests: int) -> bool:
    return all(_is_clearly_higher(estimate, follower, n_tests) for follower in followers)


def _is_clearly_higher(higher: Estimate, lower: Estimate, n_tests: int) -> bool:
    """Intervals apart, and Fisher's exact test shows it among so many: intervals of few rows are approximate.

    Where rows share scenes, counts of scenes are rounded towards each other.
    """
    n = higher.n_independent
    m = lower.n_independent
    p = fisher_p(math.floor(higher.value * n + 1e-9), n, math.ceil(lower.value * m - 1e-9), m)
    return higher.low > lower.high and p * n_tests <= 0.05
