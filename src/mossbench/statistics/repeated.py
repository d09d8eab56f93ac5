"""Items asked in several ways in several epochs, compared within the epochs that they have in common.

Ways that were asked in different epochs cannot be compared directly: whatever is special about an epoch (a seed, a bad
hour) would look like an effect of the way. So only common epochs count. Where the answers of an epoch are alike across
items, epochs are the independent units, not items.

A p-value asks whether the ways can do the same with every item; repeats count there. An interval is about items like
these: however often forty of them are asked, they do not rule out that one in twenty behaves differently. So no
interval is narrower than what an unseen share of items leaves open.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from mossbench.statistics.estimates import Array, Clusters, Estimate, as_codes, recode, t_quantile, tails

ALIKE = 0.99
"""How sure it has to be that the variance over epochs is larger than that over items before epochs are the units."""
_LEAST_EPOCHS = 3


@dataclass(frozen=True)
class Effect:
    """A difference with its standard error. NaN where it cannot be measured."""

    value: float
    error: float
    df: float
    n: int
    n_left_out: int
    n_answers: int
    bounds: tuple[float, float] = (-1.0, 1.0)
    n_clusters: int | None = None
    """The independent units; None: not known, and the interval uses the error alone."""
    n_changed: int | None = None
    """Of those, how many differ between the ways at all; None: not known."""
    again: float = math.nan
    """The part of the variance that more epochs of the same rows would remove; NaN: not known."""

    @property
    def p(self) -> float:
        """One-sided: how surprising it is if the true value is 0 or less."""
        return self._tail(-1)

    @property
    def p_reverse(self) -> float:
        """One-sided: how surprising it is if the true value is 0 or more."""
        return self._tail(1)

    @property
    def p_either(self) -> float:
        return min(1.0, 2 * min(self.p, self.p_reverse))

    def _tail(self, sign: int) -> float:
        from scipy.special import stdtr

        if not (self.error > 0 and self.df > 0):
            return math.nan
        # If the ways do the same, each cluster that differs is equally likely to differ in either direction.
        least = 0.0 if self.n_changed is None else 0.5**self.n_changed
        return max(float(stdtr(self.df, sign * self.value / self.error)), least)

    def estimate(self) -> Estimate:
        method = "contrast within epochs"
        if not self.n or not self.error > 0 or not self.df > 0:
            return Estimate(self.value, math.nan, math.nan, self.n, self.n_left_out, method)
        half = t_quantile(self.df) * self.error
        low, high = self._widened(self.value - half, self.value + half)
        low, high = np.clip([low, high], *self.bounds).tolist()
        return Estimate(self.value, low, high, self.n, self.n_left_out, method)

    def _widened(self, low: float, high: float) -> tuple[float, float]:
        """The interval, widened for kinds of clusters that the sample happens not to contain.

        A share `unseen` of all clusters would be missed this rarely. They may differ as much as the bounds allow, but
        they do not turn a significant effect into its opposite.
        """
        if not self.n_clusters:
            return low, high
        unseen = 1 - tails()[0] ** (1 / self.n_clusters)
        part_seen = (1 - unseen) * self.value
        down = 0.0 if low > 0 else self.bounds[0]
        up = 0.0 if high < 0 else self.bounds[1]
        return min(low, part_seen + unseen * down), max(high, part_seen + unseen * up)

    def minus(self, other: Effect) -> Effect:
        """The difference of two effects on different rows; degrees of freedom are the smaller ones."""
        bounds = (self.bounds[0] - other.bounds[1], self.bounds[1] - other.bounds[0])
        return Effect(
            self.value - other.value,
            math.hypot(self.error, other.error),
            min(self.df, other.df),
            self.n + other.n if self.n and other.n else 0,
            self.n_left_out + other.n_left_out,
            self.n_answers + other.n_answers,
            bounds,
            min(self.n_clusters, other.n_clusters) if self.n_clusters and other.n_clusters else None,
            None if self.n_changed is None or other.n_changed is None else self.n_changed + other.n_changed,
            self.again + other.again,
        )


def repeated_contrast(values: ArrayLike, weights: ArrayLike, clusters: Clusters | None = None) -> Effect:
    """The mean over rows of a weighted sum of shares, each row over the epochs that count in every cell with a weight.

    `values` are rows × cells × epochs: 1 yes, 0 no, NaN where nothing counts. The variance is the largest of three: the
    sandwich over clusters with G/(G-1); that of single answers about the mean, half an answer in each cell added so
    that it does not vanish; and, from three epochs on and where it is larger than chance makes it, that over epochs.
    Worked numbers: four rows that say yes in both of two epochs in one cell and never in the other give 1, error 0.12,
    and a p of 1/16, as of four coins; forty rows that never differ give 0 (-0.088 to 0.088), however many the epochs.
    """
    from scipy.special import chdtri

    table = np.asarray(values, dtype=float)
    w = np.asarray(weights, dtype=float)
    table = table[:, w != 0]
    w = w[w != 0]
    is_whole = ~np.isnan(table).any(axis=1)
    single = np.where(is_whole, np.einsum("c,rce->re", w, np.nan_to_num(table)), 0.0)
    n_epochs_asked = is_whole.sum(axis=1)
    bounds = (float(np.minimum(w, 0).sum()), float(np.maximum(w, 0).sum()))
    is_used = n_epochs_asked > 0
    n = int(is_used.sum())
    n_left_out = int((~is_used).sum())
    n_answers = int(n_epochs_asked.sum()) * len(w)
    codes = recode(as_codes(clusters, len(n_epochs_asked))[is_used]) if n else np.zeros(0, dtype=int)
    n_clusters = len(set(codes.tolist()))
    if n_clusters < 2:
        value = float((single[is_used].sum(axis=1) / n_epochs_asked[is_used]).mean()) if n else math.nan
        return Effect(value, math.nan, 0, n, n_left_out, n_answers, bounds)
    rows = single[is_used].sum(axis=1) / n_epochs_asked[is_used]
    value = float(rows.mean())
    clustered = float(np.square(np.bincount(codes, rows - value)).sum()) * n_clusters / (n_clusters - 1) / n**2
    spread = float((np.square(single - value) * is_whole).sum()) + float(np.square(w).sum()) / 2
    unclustered = spread / (n_epochs_asked.sum() + 1) * float((1 / n_epochs_asked[is_used]).sum()) / n**2
    error = math.sqrt(max(clustered, unclustered))
    df = n_clusters - 1.0
    n_changed = int((np.bincount(codes, np.abs(rows)) > 0).sum())
    within_rows = _within_rows(single, is_whole, n_epochs_asked)
    variance, n_epochs = _over_epochs(single, is_whole)
    if n_epochs >= _LEAST_EPOCHS and variance > chdtri(n_epochs - 1, 1 - ALIKE) / (n_epochs - 1) * error**2:
        error = math.sqrt(variance)
        df = min(df, n_epochs - 1.0)
        within_rows = variance
    return Effect(value, error, df, n, n_left_out, n_answers, bounds, n_clusters, n_changed, within_rows)


def slope(x: ArrayLike, y: ArrayLike, clusters: Clusters) -> Effect:
    """How much larger the share of yes in `y` is where `x` is 1 than where it is 0; rows with a NaN are left out.

    Least squares with the sandwich over clusters, G/(G-1); NaN while either group has fewer than five rows or lies in
    one cluster.
    """
    x_rows = np.asarray(x, dtype=float)
    y_rows = np.asarray(y, dtype=float)
    is_whole = ~(np.isnan(x_rows) | np.isnan(y_rows))
    codes = recode(as_codes(clusters, len(x_rows))[is_whole]) if is_whole.any() else np.zeros(0, dtype=int)
    x_rows = x_rows[is_whole]
    y_rows = y_rows[is_whole]
    n_left_out = int((~is_whole).sum())
    is_too_few = any((x_rows == side).sum() < 5 or len(set(codes[x_rows == side])) < 2 for side in (0, 1))
    if is_too_few:
        return Effect(math.nan, math.nan, 0, 0, n_left_out, 0)
    centred = x_rows - x_rows.mean()
    spread = float(np.square(centred).sum())
    value = float(centred @ y_rows) / spread
    residuals = centred * (y_rows - y_rows.mean() - value * centred)
    n_clusters = int(codes.max()) + 1
    meat = float(np.square(np.bincount(codes, residuals)).sum()) * n_clusters / (n_clusters - 1)
    share = (y_rows.sum() + 0.5) / (len(y_rows) + 1)
    error = math.sqrt(max(meat / spread**2, float(share * (1 - share)) / spread))
    return Effect(value, error, n_clusters - 1, len(x_rows), n_left_out, 2 * len(x_rows))


def _within_rows(single: Array, is_whole: Array, n_epochs_asked: Array) -> float:
    """The variance of the mean that comes from single answers differing within rows; NaN where none was repeated."""
    is_repeated = n_epochs_asked > 1
    if not is_repeated.any():
        return math.nan
    means = single.sum(axis=1) / np.maximum(n_epochs_asked, 1)
    squares = (np.square(single - means[:, None]) * is_whole)[is_repeated].sum()
    variance = squares / (n_epochs_asked[is_repeated] - 1).sum()
    is_used = n_epochs_asked > 0
    return float(variance * (1 / n_epochs_asked[is_used]).sum() / is_used.sum() ** 2)


def _over_epochs(rows: Array, counts: Array) -> tuple[float, int]:
    """The variance of the mean if epochs are the independent units, and how many there are."""
    n_rows = counts.sum(axis=0)
    sums = np.where(counts, rows, 0.0).sum(axis=0)[n_rows > 0]
    n_rows = n_rows[n_rows > 0]
    n_epochs = len(n_rows)
    if n_epochs < _LEAST_EPOCHS:
        return math.nan, n_epochs
    value = sums.sum() / n_rows.sum()
    deviations = np.square(sums - n_rows * value).sum()
    return float(deviations / n_rows.sum() ** 2 * n_epochs / (n_epochs - 1)), n_epochs
