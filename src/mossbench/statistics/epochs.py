"""One item asked several times: how much of the spread lies in the items and how much in the sampling of answers."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from mossbench.statistics.clusters import cluster_rate
from mossbench.statistics.estimates import Clusters, Estimate, as_codes, as_rows


@dataclass(frozen=True)
class EpochSplit:
    """A rate over items asked several times, and where its uncertainty comes from."""

    rate: Estimate
    """Over all rows, with items (or their clusters) as the independent units."""
    item_variance: float
    """Variance of the items' own rates; NaN unless two items were asked twice."""
    sampling_variance: float
    """Variance of one answer about its item's own rate: 0 when every item always gets the same answer."""
    n_items: int
    n_epochs: float
    """Answers an item, on average."""

    @property
    def item_share(self) -> float:
        """Share of the rate's variance that comes from the choice of items: what more epochs cannot take away."""
        total = self.item_variance + self.sampling_variance / self.n_epochs if self.n_epochs else math.nan
        return self.item_variance / total if total > 0 else math.nan

    def standard_error(self, n_items: int, n_epochs: int) -> float:
        """The standard error that `n_items` independent items asked `n_epochs` times each would give."""
        return math.sqrt((self.item_variance + self.sampling_variance / n_epochs) / n_items)


def split_epochs(table: ArrayLike, clusters: Clusters | None = None, *, confidence: float = 0.95) -> EpochSplit:
    """The rate of a table of items × epochs (NaN where a row does not count) and its variance in two parts.

    One-way analysis of variance with unequal group sizes (Searle, Casella and McCulloch 1992, Variance Components,
    ch. 3); a negative item variance is set to 0. `clusters` holds one id an item. Worked number: items 11, 00, 10 have
    sampling variance 0.5/3 = 0.167 and item variance 0.25 - 0.167/2 = 0.167.
    """
    rows = as_rows(table)
    if rows.ndim != 2:
        raise ValueError(f"a table of items × epochs is needed, got {rows.ndim} dimension(s)")
    n_items, n_epochs = rows.shape
    ids = np.arange(n_items) if clusters is None else as_codes(clusters, n_items)
    rate = cluster_rate(rows.ravel(), np.repeat(ids, n_epochs), confidence=confidence)
    asked = (~np.isnan(rows)).sum(axis=1)
    rows, asked = rows[asked > 0], asked[asked > 0]
    n, items = int(asked.sum()), len(asked)
    if n - items < 1 or items < 2 or (asked > 1).sum() < 2:
        return EpochSplit(rate, math.nan, math.nan, items, n / items if items else 0.0)
    means = np.nansum(rows, axis=1) / asked
    within = float(np.nansum(np.square(rows - means[:, None]))) / (n - items)
    between = float((asked * np.square(means - rate.value)).sum()) / (items - 1)
    size = (n - float(np.square(asked).sum()) / n) / (items - 1)
    return EpochSplit(rate, max(0.0, (between - within) / size), within, items, n / items)
