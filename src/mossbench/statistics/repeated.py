"""Items asked in several ways in several epochs, compared within the epochs that they have in common.

A way that was asked in other epochs than another one is not like it: what an epoch brings (a seed, a bad hour) would
look like an effect of the way. So only common epochs count. Where the answers of an epoch are alike across items,
epochs are the independent units, not items.

A p asks whether the ways can do the same with every item; there repeats count. An interval is about items like these:
however often forty of them are asked, they do not exclude that one in twenty behaves otherwise. So no interval is
narrower than what an unseen share of items leaves open.
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
    """The independent units; None: not known, and the interval rests on the error alone."""
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
        # If the ways do the same, each of the clusters that differ is as likely to differ the other way.
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
        """With room for clusters of which none is among these: a share `unseen` of them is missed so rarely.

        They may be changed as far as can be; where an effect is shown, not to its other side.
        """
        if not self.n_clusters:
            return low, high
        unseen = 1 - tails()[0] ** (1 / self.n_clusters)
        seen = (1 - unseen) * self.value
        down = 0.0 if low > 0 else self.bounds[0]
        up = 0.0 if high < 0 else self.bounds[1]
        return min(low, seen + unseen * down), max(high, seen + unseen * up)

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

    table, w = np.asarray(values, dtype=float), np.asarray(weights, dtype=float)
    table, w = table[:, w != 0], w[w != 0]
    whole = ~np.isnan(table).any(axis=1)
    single = np.where(whole, np.einsum("c,rce->re", w, np.nan_to_num(table)), 0.0)
    asked, bounds = whole.sum(axis=1), (float(np.minimum(w, 0).sum()), float(np.maximum(w, 0).sum()))
    used = asked > 0
    n, n_left_out, n_answers = int(used.sum()), int((~used).sum()), int(asked.sum()) * len(w)
    codes = recode(as_codes(clusters, len(asked))[used]) if n else np.zeros(0, dtype=int)
    n_clusters = len(set(codes.tolist()))
    if n_clusters < 2:
        value = float((single[used].sum(axis=1) / asked[used]).mean()) if n else math.nan
        return Effect(value, math.nan, 0, n, n_left_out, n_answers, bounds)
    rows = single[used].sum(axis=1) / asked[used]
    value = float(rows.mean())
    clustered = float(np.square(np.bincount(codes, rows - value)).sum()) * n_clusters / (n_clusters - 1) / n**2
    spread = float((np.square(single - value) * whole).sum()) + float(np.square(w).sum()) / 2
    alone = spread / (asked.sum() + 1) * float((1 / asked[used]).sum()) / n**2
    error, df = math.sqrt(max(clustered, alone)), n_clusters - 1.0
    n_changed = int((np.bincount(codes, np.abs(rows)) > 0).sum())
    again = _within_rows(single, whole, asked)
    variance, n_epochs = _over_epochs(single, whole)
    if n_epochs >= _LEAST_EPOCHS and variance > chdtri(n_epochs - 1, 1 - ALIKE) / (n_epochs - 1) * error**2:
        error, df, again = math.sqrt(variance), min(df, n_epochs - 1.0), variance
    return Effect(value, error, df, n, n_left_out, n_answers, bounds, n_clusters, n_changed, again)


def slope(x: ArrayLike, y: ArrayLike, clusters: Clusters) -> Effect:
    """How much larger the share of yes in `y` is where `x` is 1 than where it is 0; rows with a NaN are left out.

    Least squares with the sandwich over clusters, G/(G-1); NaN while either group has fewer than five rows or lies in
    one cluster.
    """
    at, of = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
    whole = ~(np.isnan(at) | np.isnan(of))
    codes = recode(as_codes(clusters, len(at))[whole]) if whole.any() else np.zeros(0, dtype=int)
    at, of, n_left_out = at[whole], of[whole], int((~whole).sum())
    few = any((at == side).sum() < 5 or len(set(codes[at == side])) < 2 for side in (0, 1))
    if few:
        return Effect(math.nan, math.nan, 0, 0, n_left_out, 0)
    centred = at - at.mean()
    spread = float(np.square(centred).sum())
    value = float(centred @ of) / spread
    left = centred * (of - of.mean() - value * centred)
    n_clusters = int(codes.max()) + 1
    meat = float(np.square(np.bincount(codes, left)).sum()) * n_clusters / (n_clusters - 1)
    share = (of.sum() + 0.5) / (len(of) + 1)
    error = math.sqrt(max(meat / spread**2, float(share * (1 - share)) / spread))
    return Effect(value, error, n_clusters - 1, len(at), n_left_out, 2 * len(at))


def _within_rows(single: Array, whole: Array, asked: Array) -> float:
    """The variance of the mean that comes from single answers differing within rows; NaN where none was repeated."""
    often = asked > 1
    if not often.any():
        return math.nan
    means = single.sum(axis=1) / np.maximum(asked, 1)
    squares = (np.square(single - means[:, None]) * whole)[often].sum()
    used = asked > 0
    return float(squares / (asked[often] - 1).sum() * (1 / asked[used]).sum() / used.sum() ** 2)


def _over_epochs(rows: Array, counts: Array) -> tuple[float, int]:
    """The variance of the mean if epochs are the independent units, and how many there are."""
    asked = counts.sum(axis=0)
    sums = np.where(counts, rows, 0.0).sum(axis=0)[asked > 0]
    asked, n = asked[asked > 0], int((asked > 0).sum())
    if n < _LEAST_EPOCHS:
        return math.nan, n
    value = sums.sum() / asked.sum()
    return float(np.square(sums - asked * value).sum() / asked.sum() ** 2 * n / (n - 1)), n
