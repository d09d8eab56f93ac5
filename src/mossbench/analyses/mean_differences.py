"""Differences within samples as one mean, with an interval that is honest where all samples agree."""

import math
from collections.abc import Hashable, Sequence

import numpy as np
from numpy.typing import ArrayLike

from mossbench.statistics import Effect, Estimate
from mossbench.statistics.estimates import as_codes, no_estimate, recode, tails

METHOD = "mean of differences within samples"
_TINY = 1e-12
"""The error of samples that do not differ: their interval is made by samples that are not among them."""


def mean_within(values: ArrayLike, clusters: Sequence[Hashable]) -> Estimate:
    """The mean of differences between -1 and 1, NaN left out, with Student's t over clusters (sandwich, G/(G-1)).

    It leaves room for samples unlike all of these (`Effect.estimate`), so that it never has the width 0: forty samples
    that never differ give 0 (-0.088 to 0.088). No interval with fewer than two clusters.
    """
    rows = np.asarray(values, dtype=float)
    counts = ~np.isnan(rows)
    n = int(counts.sum())
    n_left_out = int((~counts).sum())
    if n == 0:
        return no_estimate(METHOD, n_left_out=n_left_out)
    mean = float(rows[counts].mean())
    codes = recode(as_codes(clusters, len(rows))[counts])
    n_clusters = int(codes.max()) + 1
    if n_clusters < 2:
        return Estimate(mean, math.nan, math.nan, n, n_left_out, METHOD)
    sums = np.bincount(codes, rows[counts] - mean)
    error = math.sqrt(float(np.square(sums).sum()) * n_clusters / (n_clusters - 1)) / n
    effect = Effect(mean, max(error, _TINY), n_clusters - 1, n, n_left_out, n, n_clusters=n_clusters)
    interval = effect.estimate()
    return Estimate(mean, interval.low, interval.high, n, n_left_out, METHOD).over_clusters(n_clusters)


def unseen_share(n_clusters: int) -> float:
    """The largest share of clusters of which none is among so many in one of forty cases: 0.088 for forty clusters."""
    return float(1 - tails()[0] ** (1 / n_clusters))
