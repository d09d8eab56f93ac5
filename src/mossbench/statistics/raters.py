"""How far several raters agree beyond chance: Cohen, Fleiss, Gwet's AC1, Krippendorff's alpha, with intervals.

Every coefficient is 1 - observed disagreement / disagreement by chance, both functions of sums over rows. So one
jackknife over rows (or clusters) serves them all: it leaves out one row's part of the sums. The interval is built on
Fisher's scale, atanh, which follows the skew near full agreement. Where nobody ever disagrees the jackknife would give
[1, 1]; the lower end is then computed from the largest disagreement that is still plausible (Wilson).

Ratings are rows × raters, any labels, None or NaN where a rater gave none; a row with fewer than two ratings is left
out. A coefficient is NaN where disagreement by chance is impossible: everybody always gave the same label.
"""

import math
from collections.abc import Callable, Hashable, Sequence
from itertools import chain
from typing import Literal

import numpy as np

from mossbench.statistics.estimates import (
    Array,
    Clusters,
    Estimate,
    as_codes,
    no_estimate,
    recode,
    t_quantile,
    wilson_interval,
)

Ratings = Sequence[Sequence[Hashable]]
Categories = Sequence[Hashable] | None
Disagreements = Callable[[Array], tuple[Array, Array]]
"""Sums of row features (features along the last axis) -> disagreement seen, disagreement by chance."""


def cohen_kappa(first: Sequence[Hashable], second: Sequence[Hashable], clusters: Clusters | None = None) -> Estimate:
    """Cohen's kappa of two raters: chance from each rater's own habits. Cohen (1960), Educ. Psychol. Meas. 20:37."""
    ratings = list(zip(first, second, strict=True))
    pairs = [row for row in ratings if not any(map(_missing, row))]
    categories = _categories(pairs, None)
    k = len(categories)
    features = np.zeros((len(ratings), k * k))
    for i, row in enumerate(ratings):
        if not any(map(_missing, row)):
            features[i, categories[row[0]] * k + categories[row[1]]] = 1

    def disagreements(sums: Array) -> tuple[Array, Array]:
        shares = (sums / sums.sum(axis=-1, keepdims=True)).reshape(*sums.shape[:-1], k, k)
        by_chance = (shares.sum(axis=-1) * shares.sum(axis=-2)).sum(axis=-1)
        return 1 - np.trace(shares, axis1=-2, axis2=-1), 1 - by_chance

    return _estimate(features, features.sum(axis=1) > 0, disagreements, clusters, "cohen kappa")


def fleiss(ratings: Ratings, clusters: Clusters | None = None) -> Estimate:
    """Fleiss' kappa: chance from the habits of all raters together. Fleiss (1971), Psychol. Bull. 76:378.

    Rows may have different numbers of ratings (Gwet 2014, Handbook of Inter-Rater Reliability).
    """
    counts = _counts(ratings, None)

    def disagreements(sums: Array) -> tuple[Array, Array]:
        observed, shares = _observed_and_shares(sums)
        return observed, 1 - np.square(shares).sum(axis=-1)

    return _estimate(_features(counts), counts.sum(axis=1) > 1, disagreements, clusters, "fleiss kappa")


def gwet_ac1(ratings: Ratings, clusters: Clusters | None = None, *, categories: Categories = None) -> Estimate:
    """Gwet's AC1, which stays sensible where one category is rare. Gwet (2008), Br. J. Math. Stat. Psychol. 61:29.

    It depends on how many categories there were to choose from: name them where some may not have been used.
    """
    counts = _counts(ratings, categories)
    k = counts.shape[1]

    def disagreements(sums: Array) -> tuple[Array, Array]:
        observed, shares = _observed_and_shares(sums)
        return observed, 1 - (shares * (1 - shares)).sum(axis=-1) / (k - 1) if k > 1 else np.zeros_like(observed)

    return _estimate(_features(counts), counts.sum(axis=1) > 1, disagreements, clusters, "gwet ac1")


def krippendorff_alpha(
    ratings: Ratings,
    clusters: Clusters | None = None,
    *,
    level: Literal["nominal", "ordinal", "interval"] = "nominal",
    categories: Categories = None,
) -> Estimate:
    """Krippendorff's alpha. Hayes and Krippendorff (2007), Commun. Methods Meas. 1:77.

    For `ordinal` the order is that of `categories`, else the sorted one; for `interval` categories are numbers.
    """
    names = list(_categories(ratings, categories))
    counts = _counts(ratings, names)
    k = len(names)
    n_ratings = counts.sum(axis=1)
    pairable = n_ratings > 1
    pairs_in_row = counts[:, :, None] * counts[:, None, :] - counts[:, :, None] * np.eye(k)
    features = np.where(pairable[:, None, None], pairs_in_row / np.maximum(n_ratings - 1, 1)[:, None, None], 0.0)

    def disagreements(sums: Array) -> tuple[Array, Array]:
        pairs = sums.reshape(*sums.shape[:-1], k, k)
        used = pairs.sum(axis=-1)
        n = used.sum(axis=-1)
        distance = _distance(used, names, level)
        by_chance = (used[..., :, None] * used[..., None, :] * distance).sum(axis=(-1, -2)) / (n * (n - 1))
        return (pairs * distance).sum(axis=(-1, -2)) / n, by_chance

    flat = features.reshape(len(counts), k * k)
    return _estimate(flat, pairable, disagreements, clusters, f"krippendorff alpha, {level}")


NO_CHANCE = 1e-12
"""Disagreement by chance that is none but for rounding: all ratings are alike."""


def _estimate(
    features: Array,
    pairable: np.ndarray[tuple[int], np.dtype[np.bool_]],
    disagreements: Disagreements,
    clusters: Clusters | None,
    name: str,
) -> Estimate:
    n = int(pairable.sum())
    n_left_out = int((~pairable).sum())
    if n == 0:
        return no_estimate(name, n_left_out=n_left_out)
    codes = recode(as_codes(clusters, len(features)))
    n_clusters = len(set(codes[pairable].tolist()))

    def estimate_of(value: float, low: float, high: float) -> Estimate:
        estimate = Estimate(value, low, high, n, n_left_out, f"{name}, jackknife")
        return estimate if clusters is None else estimate.over_clusters(n_clusters)

    parts = np.stack([np.bincount(codes, feature) for feature in features.T], axis=1)
    sums = parts.sum(axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        observed, by_chance = (float(x) for x in disagreements(sums))
        observed_without, chance_without = disagreements(sums - parts)
        left_out = np.where(chance_without > NO_CHANCE, observed_without / chance_without, math.nan)
    if not by_chance > NO_CHANCE:
        return estimate_of(math.nan, math.nan, math.nan)
    value = 1 - observed / by_chance
    if n_clusters < 2:
        return estimate_of(value, math.nan, math.nan)
    if value > 1 - 1e-12:
        high_observed = wilson_interval(0.0, n_clusters)[1]
        return estimate_of(1.0, max(-1.0, 1 - high_observed / by_chance), 1.0)
    low, high = _fisher_interval(value, 1 - left_out, n_clusters)
    return estimate_of(value, low, high)


def _fisher_interval(value: float, left_out: Array, n_clusters: int) -> tuple[float, float]:
    left_out = left_out[np.isfinite(left_out)]  # without one row chance may leave no room; it then says nothing
    count = len(left_out)
    if value <= -1 or count < 2:
        return math.nan, math.nan
    error = math.sqrt((count - 1) / count * float(np.square(left_out - left_out.mean()).sum()))
    half = t_quantile(n_clusters - 1) * error / (1 - value * value)
    return math.tanh(math.atanh(value) - half), math.tanh(math.atanh(value) + half)


def _features(counts: Array) -> Array:
    """For each row: is it pairable, its agreement if so, is it rated, and the shares of its categories."""
    n_ratings = counts.sum(axis=1)
    agreed = (np.square(counts).sum(axis=1) - n_ratings) / np.maximum(n_ratings * (n_ratings - 1), 1)
    shares = counts / np.maximum(n_ratings, 1)[:, None]
    return np.column_stack([n_ratings > 1, np.where(n_ratings > 1, agreed, 0.0), n_ratings > 0, shares])


def _observed_and_shares(sums: Array) -> tuple[Array, Array]:
    return 1 - sums[..., 1] / sums[..., 0], sums[..., 3:] / sums[..., 2:3]


def _distance(used: Array, names: Sequence[Hashable], level: str) -> Array:
    if level == "nominal":
        return 1 - np.eye(len(names))
    if level == "interval":
        places = np.asarray(names, dtype=float)
    else:  # ordinal: how many ratings lie between, half of either category's own included
        places = np.cumsum(used, axis=-1) - used / 2
    gaps: Array = places[..., :, None] - places[..., None, :]
    return np.square(gaps)


def _counts(ratings: Ratings, categories: Categories) -> Array:
    names = _categories(ratings, categories)
    counts = np.zeros((len(ratings), len(names)))
    for i, row in enumerate(ratings):
        for label in row:
            if not _missing(label):
                counts[i, names[label]] += 1
    return counts


def _categories(ratings: Ratings, categories: Categories) -> dict[Hashable, int]:
    """Places of the labels: in the order given, else sorted."""
    used = {label for label in chain.from_iterable(ratings) if not _missing(label)}
    if categories is None:
        in_order = sorted(used, key=lambda label: (str(type(label)), label))
        return {label: i for i, label in enumerate(in_order)}
    unknown = used - set(categories)
    if unknown:
        raise ValueError(f"ratings outside the categories: {sorted(map(str, unknown))}")
    return {label: i for i, label in enumerate(categories)}


def _missing(label: Hashable) -> bool:
    return label is None or (isinstance(label, float) and math.isnan(label))
