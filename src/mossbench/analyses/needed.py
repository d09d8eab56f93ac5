"""How many answers or requests would decide a claim, and how small a size its comparisons would find."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import NamedTuple

from mossbench.statistics import Effect

RELEVANT_SIZE = 0.15
"""The smallest size worth knowing, as a share of requests. A claim that may be larger than this is undecided."""
POWER = 0.8
"""How often a comparison of enough answers should find a size that is there."""
MIN_SIZE_TO_PLAN_BY = 0.05
"""The smallest measured size that may be taken as the true one to say how many answers are needed."""

LEAST_INCREASE = 1.1
"""The least number of answers that is advised for a claim that is not decided: a tenth more than there are."""
SEARCH_STEP = 1.02
"""The factor by which the number of requests grows in the search for a sufficient one; the estimate is no finer."""


@dataclass(frozen=True)
class AmountNeeded:
    """How many answers or requests would decide a claim.

    The claim is taken to be as large as it was measured; if that is less than `MIN_SIZE_TO_PLAN_BY`, as large as
    `RELEVANT_SIZE`.
    """

    answers: int | None = None
    """Answers to the same requests; None if more of them cannot decide, or if it is not known."""
    requests: int | None = None
    """Requests, asked as often as these; None if it is not known."""


def smallest_found(effects: Sequence[Effect], levels: Sequence[float]) -> float:
    """The smallest size that all of these comparisons would find four times of five."""
    sizes = []
    for effect, level in zip(effects, levels, strict=True):
        errors_needed = NormalDist().inv_cdf(1 - level) + NormalDist().inv_cdf(POWER)
        sizes.append(effect.error * errors_needed)
    return max(sizes)


class _Target(NamedTuple):
    """A comparison, and the size that more answers should show with p at most `level`."""

    effect: Effect
    size: float
    level: float


def amount_needed(effects: Sequence[Effect], levels: Sequence[float]) -> AmountNeeded:
    """How many answers or requests would show every one of the effects at its level.

    More answers to the same requests help only as far as the answers to one request vary.
    """
    smallest = min(effect.value for effect in effects)
    is_size_measured = smallest >= MIN_SIZE_TO_PLAN_BY
    targets = []
    for effect, level in zip(effects, levels, strict=True):
        size = effect.value if is_size_measured else RELEVANT_SIZE
        targets.append(_Target(effect, size, level))
    return AmountNeeded(_answers_needed(targets), _requests_needed(targets, is_size_measured))


def _requests_needed(targets: Sequence[_Target], is_size_measured: bool) -> int | None:
    """How many requests, asked as often as these, could decide; None where not they but their epochs are the units."""
    for target in targets:
        n_clusters = target.effect.n_clusters
        if n_clusters and target.effect.df < n_clusters - 1:
            return None
    n = targets[0].effect.n
    factor = max(_factor_of_requests(target, is_size_measured) for target in targets)
    return max(n + 1, math.ceil(n * factor))


def _answers_needed(targets: Sequence[_Target]) -> int | None:
    """How many answers to the same requests could decide; None where these cannot, or it is not known."""
    largest_factor = LEAST_INCREASE
    for target in targets:
        factor = _factor_of_answers(target)
        if factor is None:
            return None
        largest_factor = max(largest_factor, factor)
    n_answers = sum(target.effect.n_answers for target in targets)
    return math.ceil(n_answers * largest_factor)


def _factor_of_requests(target: _Target, is_size_measured: bool) -> float:
    """How many times as many requests would show the size four times of five.

    They are taken to vary, and to change at all, as these do; where the size is not that of these, at least as if a
    share of them as large as the size changed completely.
    """
    effect = target.effect
    size = target.size
    n = effect.n_clusters or effect.n
    variance = n * effect.error**2
    if not is_size_measured:
        variance = max(variance, size * (1 - size))
    share_changed = 1.0
    if effect.n_changed is not None:
        least_changed = 0.0 if is_size_measured else size
        share_changed = min(1.0, max(effect.n_changed / n, least_changed))
    n_requests = n + 1
    while not _is_enough(n_requests, target, variance, share_changed):
        n_requests = max(n_requests + 1, round(SEARCH_STEP * n_requests))
    return n_requests / n


def _is_enough(n_requests: int, target: _Target, variance: float, share_changed: float) -> bool:
    """Whether so many requests would show the size four times of five: by t, and because enough of them change."""
    from scipy.special import bdtrc

    is_shown_by_t = variance / n_requests <= _largest_variance(target.size, target.level, n_requests - 1)
    n_changed_needed = math.ceil(-math.log2(target.level))
    return is_shown_by_t and bdtrc(n_changed_needed - 1, n_requests, share_changed) >= POWER


def _factor_of_answers(target: _Target) -> float | None:
    """How many times as many answers to the same requests would show it; None where none can, or it is not known."""
    effect = target.effect
    if effect.n_changed is not None and 0.5**effect.n_changed > target.level:  # too few requests change at all
        return None
    largest_variance = _largest_variance(target.size, target.level, effect.df)
    variance_within = min(effect.again, effect.error**2)
    variance_between = effect.error**2 - variance_within
    if not variance_within > 0 or variance_between >= largest_variance:
        return None
    return variance_within / (largest_variance - variance_between)


def _largest_variance(size: float, level: float, df: float) -> float:
    """The largest variance with which the size is shown four times of five."""
    from scipy.special import stdtrit

    errors_needed = float(stdtrit(df, 1 - level)) + NormalDist().inv_cdf(POWER)
    return (size / errors_needed) ** 2
