"""Looking again and again: later columns of answers compared with one fixed set of columns, many times.

Each time an exact test compares the newest one, two or three columns with the fixed ones (`shuffle_test`). Its p-value
holds for one look. Over many looks false alarms add up, so the smallest p of a look is compared with what the largest
of all scores of all looks would be if nothing ever changed (`LookScores`): a boundary of constant height (Pocock 1977,
Biometrika 64:191) for comparisons with one control (Dunnett 1955, J. Am. Stat. Assoc. 50:1096). All looks share the
noise of the fixed columns, and windows overlap; the boundary knows both, so it is lower than Bonferroni's.
"""

import math
from collections import Counter
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import ArrayLike

from mossbench.statistics.estimates import CONFIDENCE, Array, Clusters, Significance, as_codes, as_rows, recode

N_DRAWS = 100_000
"""Series of looks that are drawn: a chance of 5 % is then known to ±0.07 points, one of 0.1 % to ±0.01 points."""
LEAST_BEYOND = 10
"""Drawn series beyond a score that make it reliable: up to 500 tests; with more of them Bonferroni's bound is used."""
DRAWS_AT_ONCE = 5_000
LONGEST_WINDOW = 3
"""Looks that are taken together at most. Longer windows would find small changes, and every change later."""


def shuffle_test(after: ArrayLike, before: ArrayLike, clusters: Clusters | None = None) -> Significance:
    """Permutation test of no difference between two sets of columns: columns are shuffled in whole clusters.

    Exact: all ways to choose the columns are counted, none is drawn. With one column on each side it is
    `sign_flip_test`. Rows are 0 or 1, and a row counts if no column is NaN there. p is two-sided: twice the smaller
    tail. Pesarin and Salmaso (2010), Permutation Tests for Complex Data.

    Worked number: five rows, yes in the one later column and no in two earlier ones: each has its yes in the later
    column with a chance of 1/3, so p = 2 / 3**5 = 0.0082.

    Args:
        after: Rows × later columns.
        before: Rows × earlier columns.
        clusters: One id per row; rows of a cluster are shuffled together.
    """
    later, earlier, codes, n_left_out = _complete_rows(after, before, clusters)
    if not len(later):
        return Significance(math.nan, math.nan, 0, n_left_out, "columns shuffled")
    columns = np.hstack([later, earlier])
    n_chosen = later.shape[1]
    totals = np.stack([np.bincount(codes, column) for column in columns.T], axis=1)
    at_least, at_most = _tails_of_sum(totals.astype(int), n_chosen)
    method = f"columns shuffled over {len(totals)} clusters"
    p = min(1.0, 2 * min(at_least, at_most))
    return Significance(p, float(later.mean() - earlier.mean()), len(later), n_left_out, method)


def shuffle_test_at_worst(after: ArrayLike, before: ArrayLike, clusters: Clusters | None = None) -> Significance:
    """`shuffle_test` with every NaN counted against the difference that the other rows show.

    p is 1 when the rows that count show no difference, or when the others could reverse it.
    """
    later = as_rows(after)
    earlier = as_rows(before)
    observed = shuffle_test(later, earlier, clusters)
    if math.isnan(observed.p) or not (np.isnan(later).any() or np.isnan(earlier).any()):
        return observed
    later_value, earlier_value = (0.0, 1.0) if observed.statistic > 0 else (1.0, 0.0)
    later_at_worst = np.where(np.isnan(later), later_value, later)
    earlier_at_worst = np.where(np.isnan(earlier), earlier_value, earlier)
    worst = shuffle_test(later_at_worst, earlier_at_worst, clusters)
    if observed.statistic * worst.statistic > 0:
        return worst
    return Significance(1.0, worst.statistic, worst.n, worst.n_left_out, worst.method)


def _complete_rows(
    after: ArrayLike, before: ArrayLike, clusters: Clusters | None
) -> tuple[Array, Array, np.ndarray, int]:
    """The rows without NaN, their clusters numbered without gaps, and how many rows were left out."""
    later = as_rows(after)
    earlier = as_rows(before)
    if later.ndim != 2 or earlier.ndim != 2 or len(later) != len(earlier):
        raise ValueError(f"rows × columns with as many rows are needed, got shapes {later.shape} and {earlier.shape}")
    for values in (later, earlier):
        if not (np.isnan(values) | (values == 0) | (values == 1)).all():
            raise ValueError("values of 0, 1 or NaN are needed")
    is_complete = ~(np.isnan(later).any(axis=1) | np.isnan(earlier).any(axis=1))
    codes = recode(as_codes(clusters, len(later))[is_complete])
    return later[is_complete], earlier[is_complete], codes, int((~is_complete).sum())


def _tails_of_sum(totals: np.ndarray, n_chosen: int) -> tuple[float, float]:
    """The chances that the first columns sum to at least, and at most, what they do, if columns are shuffled by row."""
    observed = int(totals[:, :n_chosen].sum())
    patterns = Counter(tuple(row) for row in np.sort(totals, axis=1).tolist())
    chances = np.ones(1)
    for pattern, n_clusters in patterns.items():
        if pattern[0] == pattern[-1]:  # all columns are equal: nothing to shuffle
            observed -= n_chosen * pattern[0] * n_clusters
        else:
            chances = np.convolve(chances, _of_many(_sum_of_chosen(pattern, n_chosen), n_clusters))
    return float(chances[observed:].sum()), float(chances[: observed + 1].sum())


def _sum_of_chosen(values: tuple[int, ...], n_chosen: int) -> Array:
    """The chances of each sum of `n_chosen` of the values, drawn without replacement."""
    ways = np.zeros((n_chosen + 1, sum(values) + 1))  # ways[k, s]: choices of k values that sum to s
    ways[0, 0] = 1
    for value in values:
        with_value = np.zeros_like(ways)
        with_value[1:, value:] = ways[:-1, : ways.shape[1] - value]
        ways = ways + with_value
    return np.asarray(ways[n_chosen] / ways[n_chosen].sum())


def _of_many(chances: Array, n: int) -> Array:
    """The chances of the sum of `n` independent draws."""
    result = np.ones(1)
    power = chances
    while n:
        if n % 2:
            result = np.convolve(result, power)
        n //= 2
        if n:
            power = np.convolve(power, power)
    return result


@dataclass(frozen=True)
class LookScores:
    """What the largest score of a series of looks is if nothing ever changes, drawn many times."""

    n_looks: int
    largest: Array
    """One for each series that was drawn, in ascending order."""

    def p_over_looks(self, p: float) -> float:
        """The chance that any look of the series gives a p as small as this one if nothing ever changes.

        Never more than Bonferroni's bound for single windows. NaN stays NaN.
        """
        if math.isnan(p):
            return p
        score = score_of(p)
        n_as_large = len(self.largest) - int(np.searchsorted(self.largest, score - 1e-9))
        drawn = (n_as_large + 1) / (len(self.largest) + 1)
        bound = p * self.n_looks * min(LONGEST_WINDOW, self.n_looks)
        return max(p, min(1.0, drawn, bound))

    def confidence(self, n_tests: int = 1) -> float:
        """Of an interval of one look, so that those of all looks and of `n_tests` such tests hold together at 95 %.

        Never less than that of one look with so many tests, and never more than by Bonferroni's bound.
        """
        share = (1 - CONFIDENCE) / n_tests
        score = score_of(share / self.n_looks)  # Bonferroni's, of single looks: intervals have no windows
        if share * len(self.largest) >= LEAST_BEYOND:
            drawn = float(np.quantile(self.largest, 1 - share))
            score = max(score_of(share), min(drawn, score))
        return 1 - 2 * NormalDist().cdf(-score)


def score_of(p: float) -> float:
    """The standard errors that a two-sided p is worth: 1.96 for 0.05."""
    return -NormalDist().inv_cdf(max(p, 1e-300) / 2)


def look_scores(n_looks: int, *, weight_before: float = 1.0, rng: np.random.Generator) -> LookScores:
    """The largest score over `n_looks` looks and windows of one to three of them, for 100,000 series.

    In large samples the scores of a series are jointly normal, with correlations that follow from the numbers of
    columns alone. Worked number: with 1 look 5 % of the series have a score of 1.96 or more, with 30 looks of 3.06.

    Args:
        n_looks: How often the later columns are compared with the fixed ones.
        weight_before: How many fixed columns there are for each column of a look.
        rng: Draws the series.
    """
    if n_looks < 1:
        raise ValueError(f"at least one look is needed, got {n_looks}")
    largest = []
    for _ in range(0, N_DRAWS, DRAWS_AT_ONCE):
        before = rng.standard_normal((DRAWS_AT_ONCE, 1)) / math.sqrt(weight_before)
        looks = rng.standard_normal((DRAWS_AT_ONCE, n_looks))
        largest.append(_largest_of_windows(before, looks, weight_before))
    return LookScores(n_looks, np.sort(np.concatenate(largest)))


def _largest_of_windows(before: Array, looks: Array, weight_before: float) -> Array:
    """For each series the largest score of all windows."""
    sums = np.cumsum(np.hstack([np.zeros((len(looks), 1)), looks]), axis=1)
    largest = np.zeros(len(looks))
    for window in range(1, min(LONGEST_WINDOW, looks.shape[1]) + 1):
        means = (sums[:, window:] - sums[:, :-window]) / window
        scores = (means - before) / math.sqrt(1 / window + 1 / weight_before)
        largest = np.maximum(largest, np.abs(scores).max(axis=1))
    return largest
