"""Two things at once, one to be low and one high: who is beaten in neither by anybody else (the Pareto front)."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mossbench.statistics.clusters import cluster_draws, drawn_rates
from mossbench.statistics.estimates import Array, Clusters, as_codes, as_rows

SLACK = 1e-12
"""Rates that differ by less are the same: rounding must not put a system off the front."""


def front(low: ArrayLike, high: ArrayLike) -> NDArray[np.bool_]:
    """Which systems are on the front: no other has a value as low and as high, and one of the two better.

    Along the last axis; a system with a NaN is not on it. Equal systems share their place. Worked number: (1, 5),
    (2, 6), (2, 5) has the first two.
    """
    one, other = np.asarray(low, dtype=float), np.asarray(high, dtype=float)
    known = ~(np.isnan(one) | np.isnan(other))
    one, other = np.where(known, one, np.inf), np.where(known, other, -np.inf)
    with np.errstate(invalid="ignore"):  # two unknown ones: inf - inf is no better
        lower, higher = one[..., :, None] - one[..., None, :], other[..., None, :] - other[..., :, None]
        beaten = (lower >= -SLACK) & (higher >= -SLACK) & ((lower > SLACK) | (higher > SLACK))
    return np.asarray(known & ~beaten.any(axis=-1))


def front_shares(
    low: ArrayLike,
    high: ArrayLike,
    low_clusters: Clusters,
    high_clusters: Clusters,
    *,
    rng: np.random.Generator,
    n_bootstrap: int = 4000,
) -> Array:
    """In which share of draws of clusters each system is on the front, of those in which its rates are known.

    NaN when there is none, as for a system of which nothing counts on one side.

    `low` and `high` are tables of systems × rows (0, 1, NaN), whose rates are to be low and high. The two may have
    clusters in common: a scene is drawn with all that it has in either table.
    """
    one, other = as_rows(low), as_rows(high)
    n_one, n_other = one.shape[1], other.shape[1]
    if n_one + n_other == 0:
        return np.full(len(one), math.nan)
    codes = as_codes([*low_clusters, *high_clusters], n_one + n_other)
    times = cluster_draws(int(codes.max()) + 1, n_bootstrap, rng)
    rates = [drawn_rates(table, part, times) for table, part in ((one, codes[:n_one]), (other, codes[n_one:]))]
    known = (~np.isnan(rates[0] + rates[1])).sum(axis=0)
    with np.errstate(invalid="ignore"):
        return np.asarray(front(*rates).sum(axis=0) / np.where(known, known, np.nan))
