"""Items asked in several ways in several epochs, compared within the epochs that they have in common.

A way that was asked in other epochs than another one is not like it: what an epoch brings (a seed, a bad hour) would
look like an effect of the way. So only common epochs count. Where the answers of an epoch are alike across items,
epochs are the independent units, not items.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from mossbench.statistics.estimates import Array, Clusters, Estimate, as_codes, recode, t_quantile

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
    """Rows."""
    n_left_out: int
    n_answers: int
    bounds: tuple[float, float] = (-1.0, 1.0)

    @property
    def p(self) -> float:
        """One-sided: how surprising it is if the true value is 0 or less."""
        from scipy.special import stdtr

        return float(stdtr(self.df, -self.value / self.error)) if self.error > 0 and self.df > 0 else math.nan

    def estimate(self, *, confidence: float = 0.95) -> Estimate:
        method = "contrast within epochs"
        if not self.n or not self.error > 0 or not self.df > 0:
            return Estimate(self.value, math.nan, math.nan, self.n, self.n_left_out, method)
        half = t_quantile(confidence, self.df) * self.error
        low, high = np.clip([self.value - half, self.value + half], *self.bounds).tolist()
        return Estimate(self.value, low, high, self.n, self.n_left_out, method)

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
        )


def repeated_contrast(values: ArrayLike, weights: ArrayLike, clusters: Clusters | None = None) -> Effect:
    """The mean over rows of a weighted sum of shares, each row over the epochs that count in every cell with a weight.

    `values` are rows × cells × epochs: 1 yes, 0 no, NaN where nothing counts. The variance is the largest of three: the
    sandwich over clusters with G/(G-1); that of single answers about the mean, half an answer in each cell added so
    that it does not vanish; and, from three epochs on and where it is larger than chance makes it, that over epochs.
    Worked number: four rows that say yes in both of two epochs in one cell and never in the other give 1, error 0.12.
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
    variance, n_epochs = _over_epochs(single, whole)
    if n_epochs >= _LEAST_EPOCHS and variance > chdtri(n_epochs - 1, 1 - ALIKE) / (n_epochs - 1) * error**2:
        error, df = math.sqrt(variance), min(df, n_epochs - 1.0)
    return Effect(value, error, df, n, n_left_out, n_answers, bounds)


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


def _over_epochs(rows: Array, counts: Array) -> tuple[float, int]:
    """The variance of the mean if epochs are the independent units, and how many there are."""
    asked = counts.sum(axis=0)
    sums = np.where(counts, rows, 0.0).sum(axis=0)[asked > 0]
    asked, n = asked[asked > 0], int((asked > 0).sum())
    if n < _LEAST_EPOCHS:
        return math.nan, n
    value = sums.sum() / asked.sum()
    return float(np.square(sums - asked * value).sum() / asked.sum() ** 2 * n / (n - 1)), n
