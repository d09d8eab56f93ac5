"""Shares within rows: an item is asked several times, and every row counts the same, however often it was asked.

The variance of a mean over rows is the larger of two: the sandwich over clusters with G/(G-1), which knows that answers
of a row are alike, and the binomial one at the share of all answers, half a row of yes and half a row of no added,
which does not vanish where yes is rare.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from mossbench.statistics.estimates import Clusters, Estimate, as_codes, no_estimate, recode
from mossbench.statistics.proportions import wilson_interval


def row_rate(
    yes: ArrayLike, asked: ArrayLike, clusters: Clusters | None = None, *, confidence: float = 0.95
) -> Estimate:
    """The mean of the rows' shares; n counts answers, n_left_out rows that were not asked.

    Wilson's interval at the number of independent answers that the rows are worth: at least one each. Worked number:
    rows of 2/2, 0/2, 0/2, 0/2 are worth 4: 0.25 in [0.046, 0.699].
    """
    k, n = np.asarray(yes, dtype=float), np.asarray(asked, dtype=float)
    counts = n > 0
    n_left_out, answers, n_rows = int((~counts).sum()), int(n.sum()), int(counts.sum())
    if not n_rows:
        return no_estimate("wilson", n_left_out=n_left_out)
    codes = recode(as_codes(clusters, len(counts))[counts])
    k, n, n_clusters = k[counts], n[counts], int(codes.max()) + 1
    value, method = float((k / n).mean()), f"wilson over {n_clusters} clusters"
    if n_clusters < 2:
        return Estimate(value, math.nan, math.nan, answers, n_left_out, method)
    sandwich = float(np.square(np.bincount(codes, k / n - value)).sum()) * n_clusters / (n_clusters - 1)
    a_row = answers / n_rows
    share = (float(k.sum()) + a_row / 2) / (answers + a_row)
    variance = max(sandwich, share * (1 - share) * float((1 / n).sum())) / n_rows**2
    worth = min(max(value * (1 - value) / variance, n_clusters), answers)
    low, high = wilson_interval(value, worth, confidence=confidence)
    return Estimate(value, low, high, answers, n_left_out, method)
