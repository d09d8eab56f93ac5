"""Which of several systems is best, how certain a rank is, and which systems are on the front of two rates.

Systems are compared on the same rows, pair by pair. Two of them are told apart when the difference survives Holm's
correction over all pairs and both directions, so that at 95 % no claim in a whole table is wrong.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mossbench.statistics.clusters import cluster_draws, drawn_rates
from mossbench.statistics.estimates import (
    CONFIDENCE,
    Array,
    Clusters,
    Codes,
    Estimate,
    Significance,
    as_codes,
    as_rows,
    normal_quantile,
)
from mossbench.statistics.paired import flip_chances, holm

Better = NDArray[np.bool_]
"""Entry i, j: system i is shown to have a lower rate than system j."""


@dataclass(frozen=True)
class Ranked:
    name: str
    rate: float
    rank: int
    """Its place by rate; equal rates share the best one."""
    low_rank: int
    """With all the others, its true rank lies in low_rank..high_rank at 95 %."""
    high_rank: int
    best: float
    """Share of bootstrap draws in which it is best; draws with several best are split among them."""
    tie_group: int
    """1 for the best group: those not told apart from the group's leader."""
    n: int
    n_left_out: int
    method: str


def rank(
    systems: Mapping[str, ArrayLike],
    clusters: Clusters | None = None,
    *,
    rng: np.random.Generator,
    n_bootstrap: int = 4000,
    missing: Mapping[str, ArrayLike] | None = None,
) -> tuple[Ranked, ...]:
    """The systems from lowest rate to highest with simultaneous rank sets, chance of being best and tie groups.

    `systems` maps names to rows of equal length (0, 1) in the same order of items, NaN where a row does not count; two
    systems are compared on the rows that count for both. Rank sets: Mogstad, Romano, Shaikh and Wilhelm (2024), Rev.
    Econ. Stud. 91:476, with exact one-sided sign-flip tests over clusters and Holm's step-down. Tie groups: the first
    system that is told apart from a group's leader leads the next. A system for which nothing counts comes last, may
    have any rank, and is never best. `missing` says of each system's rows which could have counted either way: two
    systems are told apart only if they are with every such row counted against it.
    """
    if not systems:
        return ()
    names = list(systems)
    table = np.stack([as_rows(systems[name]) for name in names])
    codes = as_codes(clusters, table.shape[1])
    rates = np.array([_mean(row) for row in table])
    is_missing = np.stack([np.asarray(missing[name], dtype=bool) for name in names]) if missing else None
    better = proven_lower(table, codes, is_missing)
    chances = best_chances(table, codes, rng, n_bootstrap)
    n_clusters = len(set(codes.tolist()))
    method = f"sign flip over {n_clusters} clusters, holm over {len(names) * (len(names) - 1)} one-sided tests"
    counts = [(int((~np.isnan(row)).sum()), int(np.isnan(row).sum())) for row in table]
    return in_order(names, rates, better, chances, counts, method)


def in_order(
    names: list[str], rates: Array, better: Better, chances: Array, counts: list[tuple[int, int]], method: str
) -> tuple[Ranked, ...]:
    """The systems from lowest rate to highest; those without a rate come last. `counts`: rows that count, left out."""
    order = sorted(range(len(names)), key=lambda i: (math.isnan(rates[i]), rates[i], names[i]))
    groups = _tie_groups(order, better)
    return tuple(
        Ranked(
            name=names[i],
            rate=float(rates[i]),
            rank=1 + int((rates < rates[i]).sum()) if not math.isnan(rates[i]) else len(names),
            low_rank=1 + int(better[:, i].sum()),
            high_rank=len(names) - int(better[i].sum()),
            best=float(chances[i]),
            tie_group=groups[i],
            n=counts[i][0],
            n_left_out=counts[i][1],
            method=method,
        )
        for i in order
    )


def proven_lower(table: Array, codes: Codes, missing: NDArray[np.bool_] | None = None) -> Better:
    """Entry i, j: row i of the table is lower than row j, all such claims holding together at 95 %.

    Where an entry of the table is `missing`, it counts against the claim: as 1 in row i and as 0 in row j.
    """
    n = len(table)
    p_values = np.full((n, n), np.nan)
    for i, j in combinations(range(n), 2):
        p_values[i, j], p_values[j, i] = _lower_chances(table[i], table[j], codes)
        if missing is None or not (missing[i].any() or missing[j].any()) or math.isnan(p_values[i, j]):
            continue
        highest = [np.where(missing[k], 1.0, table[k]) for k in (i, j)]
        lowest = [np.where(missing[k], 0.0, table[k]) for k in (i, j)]
        p_values[i, j] = max(p_values[i, j], _lower_chances(highest[0], lowest[1], codes)[0])
        p_values[j, i] = max(p_values[j, i], _lower_chances(lowest[0], highest[1], codes)[1])
    return claims(p_values)


def _lower_chances(first: Array, second: Array, codes: Codes) -> tuple[float, float]:
    """Chances of what is seen if neither row is lower: for the claim that the first is, and that the other is."""
    gap = second - first
    left_out = np.isnan(gap)
    if left_out.all():
        return math.nan, math.nan
    return flip_chances(np.bincount(codes, np.where(left_out, 0.0, gap)))


def claims(p_values: Array) -> Better:
    """Which of the one-sided claims "i is lower than j" hold together at 95 %, by Holm; NaN: no claim."""
    tested = ~np.isnan(p_values)
    better = np.zeros(p_values.shape, dtype=bool)
    better[tested] = holm(p_values[tested]) <= 1 - CONFIDENCE
    return better


def best_chances(table: Array, codes: Codes, rng: np.random.Generator, n_bootstrap: int) -> Array:
    """For each system, in how many draws of clusters it has the lowest rate, equals sharing."""
    if np.isnan(table).all():
        return np.full(len(table), np.nan)
    draws_at_a_time = 200  # all at once they would take n_bootstrap x clusters numbers
    n_clusters = int(codes.max()) + 1
    sizes = [min(draws_at_a_time, n_bootstrap - i) for i in range(0, n_bootstrap, draws_at_a_time)]
    rates = np.concatenate([drawn_rates(table, codes, cluster_draws(n_clusters, size, rng)) for size in sizes])
    return most_often_lowest(np.where(np.isnan(rates), np.inf, rates))


def most_often_lowest(rates: Array) -> Array:
    """For each column, in which share of the rows (draws) it is the lowest, equals sharing.

    A rate that a draw does not have is infinite. Draws without any rate are left out; NaN if all are.
    """
    rates = rates[np.isfinite(rates).any(axis=1)]
    if not len(rates):
        return np.full(rates.shape[1], np.nan)
    lowest = np.abs(rates - rates.min(axis=1, keepdims=True)) < 1e-12
    shares: Array = lowest / lowest.sum(axis=1, keepdims=True)
    return np.asarray(shares.mean(axis=0))


def spearman(first: ArrayLike, second: ArrayLike) -> Estimate:
    """Spearman's rank correlation, equal values sharing their mean rank, with an interval; pairs with NaN are left out.

    Interval on Fisher's scale with variance (1 + rho²/2) / (n - 3): Bonett and Wright (2000), Psychometrika 65:23. With
    fewer than four pairs there is none. At rho = ±1 the far end is that of the next smaller rho the ranks can have.
    NaN when one side is constant. Worked number: 1 2 3 4 5 against 2 1 4 3 5 gives 1 - 6*4/120 = 0.8.
    """
    x = np.asarray(first, dtype=float)
    y = np.asarray(second, dtype=float)
    is_counted = ~(np.isnan(x) | np.isnan(y))
    n = int(is_counted.sum())
    n_left_out = int((~is_counted).sum())
    x_ranks = _mean_ranks(x[is_counted])
    y_ranks = _mean_ranks(y[is_counted])
    if n < 2 or np.ptp(x_ranks) == 0 or np.ptp(y_ranks) == 0:
        return Estimate(math.nan, math.nan, math.nan, n, n_left_out, "spearman, bonett-wright")
    rho = min(max(float(np.corrcoef(x_ranks, y_ranks)[0, 1]), -1.0), 1.0)
    low, high = _rank_interval(rho, n)
    return Estimate(rho, low, high, n, n_left_out, "spearman, bonett-wright")


def spearman_test(
    first: ArrayLike, second: ArrayLike, *, rng: np.random.Generator, n_draws: int = 100_000
) -> Significance:
    """Permutation test of Spearman's correlation: one side is shuffled. Two-sided; p is at least 1 / (n_draws + 1).

    Pairs with NaN are left out; NaN when fewer than two pairs count or one side is constant.
    """
    x = np.asarray(first, dtype=float)
    y = np.asarray(second, dtype=float)
    measured = spearman(x, y)
    method = f"spearman, shuffled {n_draws:,} times"
    if math.isnan(measured.value):
        return Significance(math.nan, math.nan, measured.n, measured.n_left_out, method)
    is_counted = ~(np.isnan(x) | np.isnan(y))
    x_ranks = _mean_ranks(x[is_counted])
    y_ranks = _mean_ranks(y[is_counted])
    centred = x_ranks - x_ranks.mean()
    shuffled = rng.permuted(np.tile(y_ranks, (n_draws, 1)), axis=1) @ centred
    is_as_far = np.abs(shuffled) >= abs(y_ranks @ centred) - 1e-9
    p = (int(is_as_far.sum()) + 1) / (n_draws + 1)
    return Significance(p, measured.value, measured.n, measured.n_left_out, method)


def corrected_spearman(
    first: ArrayLike, second: ArrayLike, first_errors: ArrayLike, second_errors: ArrayLike
) -> Estimate:
    """Spearman's correlation of the true values behind noisy ones: noise pulls the measured correlation towards 0.

    The value and its interval are divided by the root of both reliabilities, 1 - mean squared standard error / variance
    (Spearman 1904, Am. J. Psychol. 15:72), and cut off at ±1; approximate on ranks. NaN where noise makes up nine
    tenths or more of the variance of either side. Worked number: 0.4 at reliabilities 0.8 and 0.5 gives 0.632.
    """
    x = np.asarray(first, dtype=float)
    y = np.asarray(second, dtype=float)
    measured = spearman(x, y)
    is_counted = ~(np.isnan(x) | np.isnan(y))
    x_reliability = _reliability(x[is_counted], np.asarray(first_errors, dtype=float)[is_counted])
    y_reliability = _reliability(y[is_counted], np.asarray(second_errors, dtype=float)[is_counted])
    method = f"spearman over noise (reliabilities {x_reliability:.2f} and {y_reliability:.2f}), bonett-wright"
    if not min(x_reliability, y_reliability) > 0.1:
        return Estimate(math.nan, math.nan, math.nan, measured.n, measured.n_left_out, method)

    def corrected(rho: float) -> float:
        return rho if math.isnan(rho) else min(max(rho / math.sqrt(x_reliability * y_reliability), -1.0), 1.0)

    low = corrected(measured.low)
    high = corrected(measured.high)
    return Estimate(corrected(measured.value), low, high, measured.n, measured.n_left_out, method)


def _reliability(values: Array, errors: Array) -> float:
    """The share of the values' variance that is not noise."""
    spread = float(values.var(ddof=1)) if len(values) > 1 else 0.0
    return max(0.0, 1 - float(np.square(errors).mean()) / spread) if spread > 0 else math.nan


def _rank_interval(rho: float, n: int) -> tuple[float, float]:
    if n < 4:
        return math.nan, math.nan
    largest = 1 - 12 / (n * (n * n - 1))  # rho after two neighbours have changed places
    middle = math.atanh(min(max(rho, -largest), largest))
    half = normal_quantile() * math.sqrt((1 + rho * rho / 2) / (n - 3))
    low = -1.0 if rho < -largest else math.tanh(middle - half)
    return low, 1.0 if rho > largest else math.tanh(middle + half)


def _tie_groups(order: list[int], better: Better) -> dict[int, int]:
    groups: dict[int, int] = {}
    leader = order[0]
    group = 1
    for i in order:
        if better[leader, i]:
            leader = i
            group += 1
        groups[i] = group
    return groups


def _mean_ranks(values: Array) -> Array:
    _, places, sizes = np.unique(values, return_inverse=True, return_counts=True)
    return (np.cumsum(sizes) - (sizes - 1) / 2)[places]


def _mean(row: Array) -> float:
    return float(np.nanmean(row)) if not np.isnan(row).all() else math.nan


SLACK = 1e-12
"""Rates that differ by less are the same: rounding must not put a system off the front."""


def front(low: ArrayLike, high: ArrayLike) -> NDArray[np.bool_]:
    """Which systems are on the front: no other has a value as low and as high, and one of the two better.

    Along the last axis; a system with a NaN is not on it. Equal systems share their place. Worked number: (1, 5),
    (2, 6), (2, 5) has the first two.
    """
    lows = np.asarray(low, dtype=float)
    highs = np.asarray(high, dtype=float)
    is_known = ~(np.isnan(lows) | np.isnan(highs))
    lows = np.where(is_known, lows, np.inf)
    highs = np.where(is_known, highs, -np.inf)
    with np.errstate(invalid="ignore"):  # two unknown systems: inf - inf is no better
        lower = lows[..., :, None] - lows[..., None, :]
        higher = highs[..., None, :] - highs[..., :, None]
        is_beaten = (lower >= -SLACK) & (higher >= -SLACK) & ((lower > SLACK) | (higher > SLACK))
    return np.asarray(is_known & ~is_beaten.any(axis=-1))


def front_shares(
    low: ArrayLike,
    high: ArrayLike,
    low_clusters: Clusters,
    high_clusters: Clusters,
    *,
    rng: np.random.Generator,
    n_bootstrap: int = 4000,
) -> Array:
    """The share of bootstrap draws in which each system is on the front, of the draws in which its rates are known.

    NaN when there is no such draw, as for a system without a row that counts on one side.

    `low` and `high` are tables of systems × rows (0, 1, NaN), whose rates are to be low and high. The two may have
    clusters in common: a scene is drawn with all that it has in either table.
    """
    low_rows = as_rows(low)
    high_rows = as_rows(high)
    n_low = low_rows.shape[1]
    n_high = high_rows.shape[1]
    if n_low + n_high == 0:
        return np.full(len(low_rows), math.nan)
    codes = as_codes([*low_clusters, *high_clusters], n_low + n_high)
    times = cluster_draws(int(codes.max()) + 1, n_bootstrap, rng)
    low_rates = drawn_rates(low_rows, codes[:n_low], times)
    high_rates = drawn_rates(high_rows, codes[n_low:], times)
    n_known = (~np.isnan(low_rates + high_rates)).sum(axis=0)
    n_on_front = front(low_rates, high_rates).sum(axis=0)
    with np.errstate(invalid="ignore"):
        return np.asarray(n_on_front / np.where(n_known, n_known, np.nan))
