"""Shares within rows: an item is asked several times in several ways, and ways are compared within it.

Every row counts the same, however often it was asked. The variance of a mean over rows is the larger of two: the
sandwich over clusters with G/(G-1), which knows that answers of a row are alike, and the binomial one at the share
common to all cells, half a row of yes and half a row of no added, which does not vanish where yes is rare. The first
alone finds too much when one cell was asked less often than the others.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mossbench.statistics.estimates import Clusters, Estimate, Significance, as_codes, no_estimate, recode, t_quantile
from mossbench.statistics.proportions import wilson_interval


@dataclass(frozen=True)
class _Mean:
    value: float
    error: float
    """NaN with fewer than two clusters."""
    n_rows: int
    n_clusters: int
    n_left_out: int


def share_contrast(
    yes: ArrayLike, asked: ArrayLike, weights: ArrayLike, clusters: Clusters | None = None, *, confidence: float = 0.95
) -> tuple[Estimate, Significance]:
    """The mean over rows of a weighted sum of their shares, and how surprising it is if its true value is 0 or less.

    `yes` and `asked` are counts, rows × cells; `weights` has one number a cell, such as 1 and -1 for a difference. Rows
    that were not asked in every cell with a weight are left out. p is one-sided; fewer than two clusters give none. The
    quantile is Student's with G-1 degrees of freedom. Worked number: four rows of 2/2 and 0/2, weights 1 and -1, give 1
    in [0.20, 1], p = 0.014.
    """
    from scipy.special import stdtr

    w = np.asarray(weights, dtype=float)
    mean = _mean(np.asarray(yes, dtype=float), np.asarray(asked, dtype=float), w, clusters)
    method = f"contrast over {mean.n_clusters} clusters"
    if not mean.n_rows:
        method = "contrast"
        none = no_estimate(method, n_left_out=mean.n_left_out)
        return none, Significance(math.nan, math.nan, 0, mean.n_left_out, method)
    half = t_quantile(confidence, mean.n_clusters - 1) * mean.error if mean.n_clusters > 1 else math.nan
    least, most = float(np.minimum(w, 0).sum()), float(np.maximum(w, 0).sum())
    low, high = np.clip([mean.value - half, mean.value + half], least, most).tolist()
    p = float(stdtr(mean.n_clusters - 1, -mean.value / mean.error)) if mean.n_clusters > 1 else math.nan
    return (
        Estimate(mean.value, low, high, mean.n_rows, mean.n_left_out, method),
        Significance(p, mean.value / mean.error, mean.n_rows, mean.n_left_out, method),
    )


def row_rate(
    yes: ArrayLike, asked: ArrayLike, clusters: Clusters | None = None, *, confidence: float = 0.95
) -> Estimate:
    """The mean of the rows' shares; n counts answers, n_left_out rows that were not asked.

    Wilson's interval at the number of independent answers that the rows are worth: at least one each. Worked number:
    rows of 2/2, 0/2, 0/2, 0/2 are worth 4: 0.25 in [0.046, 0.699].
    """
    k, n = np.asarray(yes, dtype=float), np.asarray(asked, dtype=float)
    mean, answers = _mean(k[:, None], n[:, None], np.ones(1), clusters), int(n.sum())
    if not mean.n_rows:
        return no_estimate("wilson", n_left_out=mean.n_left_out)
    method = f"wilson over {mean.n_clusters} clusters"
    if mean.n_clusters < 2:
        return Estimate(mean.value, math.nan, math.nan, answers, mean.n_left_out, method)
    worth = min(max(mean.value * (1 - mean.value) / mean.error**2, mean.n_clusters), answers)
    low, high = wilson_interval(mean.value, worth, confidence=confidence)
    return Estimate(mean.value, low, high, answers, mean.n_left_out, method)


def _mean(
    yes: NDArray[np.float64], asked: NDArray[np.float64], w: NDArray[np.float64], clusters: Clusters | None
) -> _Mean:
    used = w != 0
    counts: NDArray[np.bool_] = np.asarray((asked[:, used] > 0).all(axis=1))
    k, n, w, n_left_out = yes[counts][:, used], asked[counts][:, used], w[used], int((~counts).sum())
    if not len(n):
        return _Mean(math.nan, math.nan, 0, 0, n_left_out)
    codes = recode(as_codes(clusters, len(counts))[counts])
    rows, n_rows, n_clusters = (k / n) @ w, len(n), int(codes.max()) + 1
    value = float(rows.mean())
    if n_clusters < 2:
        return _Mean(value, math.nan, n_rows, n_clusters, n_left_out)
    sandwich = float(np.square(np.bincount(codes, rows - value)).sum()) * n_clusters / (n_clusters - 1)
    a_row = float(n.sum()) / n_rows
    share = (float(k.sum()) + a_row / 2) / (float(n.sum()) + a_row)
    binomial = share * (1 - share) * float((np.square(w) / n).sum())
    return _Mean(value, math.sqrt(max(sandwich, binomial)) / n_rows, n_rows, n_clusters, n_left_out)
