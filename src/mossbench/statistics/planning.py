"""How many rows it takes to detect a difference, and which differences a number of rows can detect."""

import math
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from mossbench.statistics.estimates import normal_quantile, wilson_interval

POWER = 0.8
"""The chance to detect a difference that is real."""
MANY = 20_000
"""Discordant pairs above which the number of pairs is approximated: an exact search would take up to minutes."""


def n_paired(
    first: float, second: float, *, correlation: float = 0.0, confidence: float = 0.95, design_effect: float = 1.0
) -> int:
    """Pairs needed to detect, with a power of 80 %, that two rates on the same rows with this `correlation` differ.

    The power is that of McNemar's exact test (`sign_flip_test` without clusters). The search starts at Connor's
    approximation (1987, Biometrics 43:207), which is too optimistic for it: 202 pairs where 0.10 against 0.20 takes 215
    uncorrelated, and 108 instead of 114 at 0.5. The number is for independent rows; `design_effect` (see
    `clusters.design_effect`) multiplies it when rows come in clusters.
    """
    if not (0 <= first <= 1 and 0 <= second <= 1) or first == second:
        raise ValueError(f"two different rates in 0..1 are needed, got {first} and {second}")
    gap = abs(first - second)
    discordant = discordant_share(first, second, correlation)
    null_part = normal_quantile(confidence) * math.sqrt(discordant)
    power_part = NormalDist().inv_cdf(POWER) * math.sqrt(discordant - gap * gap)
    low = max(math.ceil(((null_part + power_part) / gap) ** 2 - 1e-9) - 1, 0)
    if low * discordant > MANY:  # the exact test takes nearly 2 / gap pairs more
        return math.ceil((low + 1 + 2 / gap) * design_effect)
    step = 1
    high = low + step
    while exact_power(high, discordant, gap, confidence=confidence) < POWER:
        low = high
        step = 2 * step
        high = low + step
    while high - low > 1:
        middle = (low + high) // 2
        if exact_power(middle, discordant, gap, confidence=confidence) >= POWER:
            high = middle
        else:
            low = middle
    return math.ceil(high * design_effect - 1e-9)


def exact_power(n: int, discordant: float, gap: float, *, confidence: float = 0.95) -> float:
    """Chance that McNemar's exact test shows a difference of `gap` in `n` pairs of which this share is discordant.

    Worked number: 6 pairs that all differ one way show it, p = 2 / 2**6 = 0.031, and 5 cannot.
    """
    from scipy.special import bdtr, bdtrc, gammaln, xlog1py, xlogy

    reach = 8 * math.sqrt(n * discordant * (1 - discordant))  # beyond this, counts have no chance worth counting
    m = np.arange(max(0, math.floor(n * discordant - reach)), min(n, math.ceil(n * discordant + reach)) + 1)
    ways = gammaln(n + 1) - gammaln(m + 1) - gammaln(n - m + 1)
    chances = np.exp(ways + xlogy(m, discordant) + xlog1py(n - m, -discordant))
    last_k = _last_significant(m, (1 - confidence) / 2)
    share = min(max((discordant - gap) / 2 / discordant, 0.0), 1.0)
    significant = bdtr(last_k, m, share) + bdtrc(m - last_k - 1, m, share)
    return float((chances * np.where(last_k >= 0, significant, 0.0)).sum())


def _last_significant(m: NDArray[np.int_], tail: float) -> NDArray[np.int_]:
    """The largest k with P(Bin(m, 1/2) ≤ k) ≤ tail; -1 when even k = 0 is too likely."""
    from scipy.special import bdtr

    low = np.full(len(m), -1)
    high = m // 2 + 1
    while np.any(high - low > 1):
        middle = (low + high) // 2
        enough = bdtr(middle, m, 0.5) <= tail + 1e-12
        next_low = np.where(enough, middle, low)
        high = np.where(enough, high, np.maximum(middle, low + 1))
        low = next_low
    return low


def shown_between(n: int, m: int, *, confidence: float = 0.95) -> tuple[float, float]:
    """The smallest difference of shares of `n` and `m` rows that can be significant, and the largest that may not be.

    By Fisher's exact test, over all possible counts; the first is infinite when no difference can be significant.
    Worked number: of 40 and 40 rows, 0 and 6 differ significantly (p = 0.026) and no two counts that are closer do,
    while 15 and 24 do not: 0.15 and 0.225.
    """
    from scipy.special import gammaln

    smallest_shown = math.inf
    largest_not_shown = 0.0
    log_factorial = gammaln(np.arange(n + m + 1) + 1.0)
    for total in range(n + m + 1):
        first = np.arange(max(0, total - m), min(n, total) + 1)
        second = total - first
        ways = -(log_factorial[first] + log_factorial[n - first] + log_factorial[second] + log_factorial[m - second])
        chances = np.exp(ways - ways.max())
        order = np.argsort(chances)
        cumulative = np.cumsum(chances[order]) / chances.sum()
        p = cumulative[np.searchsorted(chances[order], chances * (1 + 1e-7), side="right") - 1]  # all no more likely
        gaps = np.abs(first / n - second / m)
        is_significant = p <= 1 - confidence
        smallest_shown = min(smallest_shown, gaps[is_significant].min(initial=math.inf))
        largest_not_shown = max(largest_not_shown, gaps[~is_significant].max(initial=0.0))
    return float(smallest_shown), float(largest_not_shown)


def fisher_p(first: int, n: int, second: int, m: int) -> float:
    """Fisher's exact test of `first` of `n` against `second` of `m`, two-sided.

    All tables that are no more likely count, as is usual. Worked number: 0 of 5 against 5 of 5 has 2 / 252.
    """
    total = first + second
    k = max(0, total - m)
    ways_observed = math.comb(n, first) * math.comb(m, second)
    ways_as_rare = 0
    ways = math.comb(n, k) * math.comb(m, total - k)
    while ways:  # each follows from the one before, exactly
        ways_as_rare += ways if ways <= ways_observed else 0
        ways = ways * (n - k) * (total - k) // ((k + 1) * (m - total + k + 1))
        k += 1
    return ways_as_rare / math.comb(n + m, total)


def discordant_share(first: float, second: float, correlation: float) -> float:
    """Share of pairs with different outcomes; raises ValueError when two such rates cannot be so correlated."""
    spread = math.sqrt(max(first * (1 - first) * second * (1 - second), 0.0))
    least = (max(0.0, first + second - 1) - first * second) / spread if spread else 0.0
    most = (min(first, second) - first * second) / spread if spread else 0.0
    possible = min(max(correlation, least), most)
    if abs(possible - correlation) > 1e-9:
        raise ValueError(
            f"rates {first} and {second} cannot have correlation {correlation}; the nearest is {possible:.3f}"
        )
    both_yes = first * second + correlation * spread
    return min(max(first + second - 2 * both_yes, abs(first - second)), 1.0)  # rounding must not leave what can be


def n_for_interval(share: float, within: float, *, confidence: float = 0.95, design_effect: float = 1.0) -> int:
    """Rows needed so that Wilson's interval of a share reaches at most this far from it, on either side.

    Worked number: 0.003 within 0.0004 takes 81,354 independent rows; by the normal approximation it would be 71,811.
    """
    if not 0 <= share <= 1 or not 0 < within < 1:
        raise ValueError(f"a share in 0..1 and a distance between 0 and 1 are needed, got {share} and {within}")

    def reach(n: int) -> float:
        low, high = wilson_interval(share, n, confidence=confidence)
        return max(high - share, share - low)

    high = 1
    while reach(high) > within:
        high *= 2
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        if reach(middle) > within:
            low = middle
        else:
            high = middle
    return math.ceil(high * design_effect - 1e-9)
