"""Comparisons of two or more systems, arms or readings on the same rows, and corrections for several tests.

A row is 1 (yes), 0 (no), or NaN if it does not count. A pair counts if both of its rows count; n_left_out is the number
of the other pairs. Differences are first minus second.
"""

import math
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mossbench.statistics.clusters import design_effect
from mossbench.statistics.estimates import (
    CONFIDENCE,
    Array,
    Clusters,
    Codes,
    Estimate,
    Significance,
    Unit,
    as_codes,
    as_rows,
    no_estimate,
    normal_quantile,
    recode,
)

N_HALVINGS = 50
"""Halvings of an interval at most 2 wide: its end is then exact to about 1e-15."""
TINY = 1e-300
"""In place of a variance of zero, so that nothing is divided by zero."""
MAX_EXACT_COINS = 2000
"""Up to this number of coins the chances are computed from whole numbers."""


def mcnemar_mid_p(only_first: int, only_second: int) -> float:
    """Two-sided mid-p of McNemar's exact test from the two discordant counts; 1 when there are none.

    Fagerland, Lydersen and Laake (2013), BMC Med. Res. Methodol. 13:91. Worked number: 1 and 7 give 0.0391.
    """
    from scipy.special import bdtr

    n = only_first + only_second
    k = min(only_first, only_second)
    if n == 0:
        return 1.0
    # Mid-p: outcomes as likely as the observed one have half their weight; doubling for two sides cancels the half.
    at_most_k = float(bdtr(k, n, 0.5))
    below_k = float(bdtr(k - 1, n, 0.5)) if k else 0.0
    if only_first == only_second:  # both tails include the observed outcome
        return 1 - (at_most_k - below_k) / 2
    return min(1.0, at_most_k + below_k)


def paired_difference(
    first: ArrayLike, second: ArrayLike, clusters: Clusters | None = None, *, confidence: float = CONFIDENCE
) -> Estimate:
    """The difference of two rates on the same rows, with Tango's interval, which inverts the score test.

    Tango (1998), Stat. Med. 17:891. With clusters, counts are divided by the design effect of the differences first;
    fewer than two clusters give no interval. Worked number: of 50 pairs 12 only first, 2 only second, 36 both give 0.2
    in [0.061, 0.345].
    """
    first_rows, second_rows, codes, n_left_out = counted_pairs(first, second, clusters)
    n = len(first_rows)
    if n == 0:
        return no_estimate("tango", n_left_out=n_left_out)
    differences = first_rows - second_rows
    value = float(differences.mean())
    n_clusters = int(codes.max()) + 1
    if clusters is not None and n_clusters < 2:
        return Estimate(value, math.nan, math.nan, n, n_left_out, "tango").over_clusters(n_clusters)
    effect = design_effect(differences - value, codes)
    only_first = np.maximum(differences, 0).sum() / effect
    only_second = np.maximum(-differences, 0).sum() / effect
    low, high = tango_interval(only_first, only_second, n / effect, confidence=confidence)
    estimate = Estimate(value, low, high, n, n_left_out, "tango")
    if clusters is None or n_clusters == n:
        return estimate
    return estimate.over_clusters(n_clusters)


def tango_interval(
    only_first: float, only_second: float, n: float, *, confidence: float = CONFIDENCE
) -> tuple[float, float]:
    """Tango's score interval of (only_first - only_second) / n, by bisection."""
    value = (only_first - only_second) / n
    z = normal_quantile(confidence)

    def score(difference: float) -> float:
        """How many standard errors the observed difference lies above this true difference."""
        b = -only_first - only_second + (2 * n - only_first + only_second) * difference
        root = math.sqrt(max(b * b + 8 * n * only_second * difference * (1 - difference), 0.0))
        # The maximum likelihood estimate of the share of pairs with only the second, given this true difference.
        only_second_share = (root - b) / (4 * n)
        variance = n * (2 * only_second_share + difference * (1 - difference))
        return (only_first - only_second - n * difference) / math.sqrt(max(variance, TINY))

    def crossing(low: float, high: float, target: float) -> float:
        for _ in range(N_HALVINGS):  # the score falls as the difference grows
            middle = (low + high) / 2
            if score(middle) > target:
                low = middle
            else:
                high = middle
        return (low + high) / 2

    return crossing(-1.0, value, z), crossing(value, 1.0, -z)


def square_and_add(a: float, b: float, correlation: float) -> float:
    """Half-width of a difference from the half-widths of its two parts (Zou and Donner 2008, Stat. Med. 27:1693)."""
    return math.sqrt(max(a * a + b * b - 2 * correlation * a * b, 0.0))


def sign_flip_test(first: ArrayLike, second: ArrayLike, clusters: Clusters | None = None) -> Significance:
    """Permutation test of no difference: the two sides are swapped in whole clusters.

    Exact: all swaps are counted, none is drawn; without clusters it is McNemar's exact test. Rows are 0 or 1 (for
    several epochs give every row, with its item as cluster). The statistic is the difference of rates. One cluster
    can show nothing: p is 1. Pesarin and Salmaso (2010), Permutation Tests for Complex Data.
    """
    first_rows, second_rows, codes, n_left_out = counted_pairs(first, second, clusters)
    if not len(first_rows):
        return Significance(math.nan, math.nan, 0, n_left_out, "sign flip")
    differences = first_rows - second_rows
    totals = np.bincount(codes, differences)
    as_large, as_small = flip_chances(totals)
    method = f"sign flip over {len(totals)} clusters"
    p = min(1.0, 2 * min(as_large, as_small))
    return Significance(p, float(differences.mean()), len(first_rows), n_left_out, method)


def sign_flip_test_at_worst(
    first: ArrayLike,
    second: ArrayLike,
    clusters: Clusters | None,
    *,
    first_missing: ArrayLike,
    second_missing: ArrayLike,
) -> Significance:
    """`sign_flip_test` with every missing row counted against the difference that the other rows show.

    Where the first side is higher, its missing rows are taken as 0 and those of the second side as 1, and vice versa.
    p is 1 when the rows that count show no difference, or when the missing rows could reverse it.
    """
    observed = sign_flip_test(first, second, clusters)
    first_is_missing = np.asarray(first_missing, dtype=bool)
    second_is_missing = np.asarray(second_missing, dtype=bool)
    if math.isnan(observed.p) or not (first_is_missing.any() or second_is_missing.any()):
        return observed
    first_value, second_value = (0.0, 1.0) if observed.statistic > 0 else (1.0, 0.0)
    first_at_worst = np.where(first_is_missing, first_value, as_rows(first))
    second_at_worst = np.where(second_is_missing, second_value, as_rows(second))
    worst = sign_flip_test(first_at_worst, second_at_worst, clusters)
    same_direction = observed.statistic * worst.statistic > 0
    return worst if same_direction else replace(worst, p=1.0)


def flip_chances(totals: NDArray[Any]) -> tuple[float, float]:
    """The chances that the sum is at least, and at most, the observed one if each total has a random sign.

    Args:
        totals: The sum of the differences of each cluster.
    """
    steps = np.abs(totals[totals != 0])
    if np.any(steps != np.rint(steps)):
        raise ValueError("rows must be 0 or 1; give every epoch's row, with its item as cluster")
    n_by_step = tuple(np.bincount(steps.astype(int)).tolist())
    # sum = positive - negative and all steps = positive + negative, so positive = (sum + all steps) / 2.
    positive_sum = round((float(totals.sum()) + float(steps.sum())) / 2)
    return _positive_sum_chances(n_by_step, positive_sum)


@lru_cache(4096)
def _positive_sum_chances(n_by_step: tuple[int, ...], positive_sum: int) -> tuple[float, float]:
    """The chances that totals with random signs have positive ones that sum to at least, and at most, `positive_sum`.

    `n_by_step[i]` is the number of clusters whose total is i or -i.
    """
    chances = np.ones(1)  # chances[i]: the positive totals so far sum to i
    for step, n in enumerate(n_by_step):
        if n and step:
            sums = np.zeros(step * n + 1)
            sums[::step] = _head_chances(n)
            chances = np.convolve(chances, sums)
    return float(chances[positive_sum:].sum()), float(chances[: positive_sum + 1].sum())


@lru_cache(1024)
def _head_chances(n: int) -> Array:
    """The chances of 0..n heads among `n` fair coins: each rounded once, or for many coins exact to 1e-12.

    Only half of them are computed; the other half mirrors it.
    """
    if n > MAX_EXACT_COINS:  # whole numbers of ways would fill the memory
        k = np.arange((n + 1) // 2, n)
        upper = np.cumprod(np.r_[1.0, (n - k) / (k + 1)])
        chances = np.r_[upper[1 - n % 2 :][::-1], upper]
        return np.asarray(chances / chances.sum())
    ways = [1]
    for i in range(n // 2):
        ways.append(ways[-1] * (n - i) // (i + 1))
    half = [n_ways / 2**n for n_ways in ways]
    return np.array(half + half[: (n + 1) // 2][::-1])


def counted_pairs(first: ArrayLike, second: ArrayLike, clusters: Clusters | None) -> tuple[Array, Array, Codes, int]:
    """Selects the pairs that count.

    Returns:
        The first rows, the second rows, their clusters numbered without gaps, and how many pairs were left out.
    """
    first_rows = as_rows(first)
    second_rows = as_rows(second)
    if first_rows.shape != second_rows.shape:
        raise ValueError(f"pairs need as many rows on either side, got {len(first_rows)} and {len(second_rows)}")
    is_counted = ~(np.isnan(first_rows) | np.isnan(second_rows))
    codes = recode(as_codes(clusters, len(first_rows))[is_counted])
    n_left_out = int((~is_counted).sum())
    return first_rows[is_counted], second_rows[is_counted], codes, n_left_out


def cochran_q(
    table: ArrayLike,
    clusters: Clusters | None = None,
    *,
    rng: np.random.Generator | None = None,
    n_draws: int = 10_000,
) -> Significance:
    """Tests whether the arms of a table of rows × arms have the same rate; only rows that count in every arm are used.

    Cochran (1950), Biometrika 37:256: with independent rows p comes from chi-square with arms - 1 degrees of freedom.
    With clusters the arms are shuffled in whole clusters instead, which needs `rng`. p is 1 when no row differs.
    """
    from scipy.special import chdtrc

    rows = as_rows(table)
    if rows.ndim != 2 or rows.shape[1] < 2:
        raise ValueError(f"a table of rows × two or more arms is needed, got shape {rows.shape}")
    is_counted = np.asarray(~np.isnan(rows).any(axis=1))
    n_arms = rows.shape[1]
    n_left_out = int((~is_counted).sum())
    rows = rows[is_counted]
    method = "cochran q" if clusters is None else "cochran q, arms shuffled in clusters"
    unit: Unit = "row" if clusters is None else "cluster"
    if not len(rows):
        return Significance(math.nan, math.nan, 0, n_left_out, method, unit)
    in_row = rows.sum(axis=1)
    spread = float((in_row * (n_arms - in_row)).sum())
    if spread == 0:
        return Significance(1.0, 0.0, len(rows), n_left_out, method, unit)
    scale = n_arms * (n_arms - 1) / spread
    q = scale * _spread(rows.sum(axis=0))
    if clusters is None:
        return Significance(float(chdtrc(n_arms - 1, q)), q, len(rows), n_left_out, method, unit)
    if rng is None:
        raise ValueError("with clusters rng is needed: the arms are shuffled")
    codes = recode(as_codes(clusters, len(is_counted))[is_counted])
    totals = np.stack([np.bincount(codes, arm) for arm in rows.T], axis=1)
    n_as_far = sum(_spread(rng.permuted(totals, axis=1).sum(axis=0)) * scale >= q * (1 - 1e-12) for _ in range(n_draws))
    return Significance((n_as_far + 1) / (n_draws + 1), q, len(rows), n_left_out, method, unit)


def holm(p_values: ArrayLike) -> Array:
    """The p-values adjusted so that all claims under 0.05 hold together with 95 %; NaN stays and does not count.

    Holm (1979), Scand. J. Stat. 6:65; no assumption on how the tests depend. Worked number: 0.01 0.04 0.03 become
    0.03 0.06 0.06.
    """
    p = np.array(p_values, dtype=float)
    places = np.flatnonzero(~np.isnan(p))
    places = places[np.argsort(p[places], kind="stable")]
    p[places] = np.minimum(np.maximum.accumulate(p[places] * np.arange(len(places), 0, -1)), 1.0)
    return p


def _spread(totals: Array) -> float:
    return float(np.square(totals - totals.mean()).sum())
