"""Shares of rows that come in clusters: items drawn from one scene, or one item asked several times.

Rows of a cluster are alike, so n clustered rows are worth fewer independent ones: n / design effect. The design effect
is measured on the rows and pulled a little towards the one of rows that are all alike within their cluster: with few
yes rows (or none) there is nothing to measure it from, and taking it as 1 would invent certainty.

Where every row counts the same however often it was asked (`row_rate`), the variance is the larger of two: the sandwich
over clusters with G/(G-1), which knows that answers of a row are alike, and the binomial one at the share of all
answers, half a row of yes and half a row of no added, which does not vanish where yes is rare.

Always: order and names do not matter; a row written twice into its cluster changes nothing.
"""

import math

import numpy as np
from numpy.typing import ArrayLike

from mossbench.statistics.estimates import (
    Array,
    Clusters,
    Codes,
    Estimate,
    as_codes,
    as_rows,
    no_estimate,
    recode,
    wilson_interval,
)

PRIOR_ROWS = 0.5
"""Weight, in clusters of average size, of the prior "all alike". Without it coverage falls to 85 % at rare yes rows."""


def cluster_rate(values: ArrayLike, clusters: Clusters | None = None) -> Estimate:
    """The share of yes rows with Wilson's interval at the effective number of independent rows.

    NaN rows are left out. No interval with fewer than two clusters. Without clusters it is Wilson's interval.
    The variance is the sandwich of a ratio of cluster sums with G/(G-1) (Liang and Zeger 1986, Biometrika 73:13); the
    effective sample size follows Korn and Graubard (1998), Surv. Methodol. 24:193.
    Worked number: rows 1 1 0 0 0 0 in pairs are worth 2.33 rows: 0.333 in [0.051, 0.823].
    """
    rows, codes, n_left_out = counted_rows(values, clusters)
    if not len(rows):
        return no_estimate("wilson", n_left_out=n_left_out)
    share = float(rows.mean())
    n_clusters = int(codes.max()) + 1
    if clusters is None or (n_clusters == len(rows) and n_clusters > 1):
        low, high = wilson_interval(share, len(rows))
        return Estimate(share, low, high, len(rows), n_left_out, "wilson")
    method = "cluster-robust wilson"
    if n_clusters < 2:
        without_interval = Estimate(share, math.nan, math.nan, len(rows), n_left_out, method)
        return without_interval.over_clusters(n_clusters)
    n_effective = len(rows) / design_effect(rows - share, codes)
    low, high = wilson_interval(share, n_effective)
    estimate = Estimate(share, low, high, len(rows), n_left_out, method)
    return estimate.over_clusters(n_clusters)


def macro_rate(values: ArrayLike, groups: Clusters, clusters: Clusters | None = None) -> Estimate:
    """The mean of the groups' shares, each group counting the same, whatever its size.

    The groups' intervals are joined by square-and-add (Zou and Donner 2008, Stat. Med. 27:1693). Groups are taken as
    independent: no cluster may lie in two of them. NaN as soon as nothing counts in one of the groups.
    """
    rows = as_rows(values)
    codes = as_codes(clusters, len(rows))
    names = as_codes(groups, len(rows))
    if len(set(zip(codes.tolist(), names.tolist(), strict=True))) > len(set(codes.tolist())):
        raise ValueError("a cluster lies in two groups; their rates are not independent")
    parts = [
        cluster_rate(rows[names == group], None if clusters is None else codes[names == group])
        for group in range(len(set(names.tolist())))
    ]
    n = sum(part.n for part in parts)
    n_left_out = sum(part.n_left_out for part in parts)
    method = f"mean of {len(parts)} groups, square-and-add"
    if not parts or any(part.n == 0 for part in parts):
        return Estimate(math.nan, math.nan, math.nan, n, n_left_out, method)
    value = sum(part.value for part in parts) / len(parts)
    below = math.hypot(*(part.value - part.low for part in parts)) / len(parts)
    above = math.hypot(*(part.high - part.value for part in parts)) / len(parts)
    return Estimate(value, value - below, value + above, n, n_left_out, method)


def design_effect(residuals: Array, codes: Codes) -> float:
    """By how much clustering multiplies the variance of a mean, from rows less their mean and clusters 0..G-1.

    (sum of squared cluster sums * G/(G-1) + prior) / (sum of squares + prior); 1 when every row is alone.
    """
    sizes = np.bincount(codes)
    n = len(codes)
    n_clusters = len(sizes)
    if n_clusters == n or n_clusters < 2:
        return 1.0
    between = float(np.square(np.bincount(codes, residuals)).sum()) * n_clusters / (n_clusters - 1)
    effect_if_alike = float(np.square(sizes).sum()) / n  # what it is when the rows of a cluster are all the same
    prior = PRIOR_ROWS * n / n_clusters
    return (between + prior * effect_if_alike) / (float(np.square(residuals).sum()) + prior)


def drawn_rates(table: Array, codes: Codes, times: Array) -> Array:
    """Rates of draws × systems, from a table of systems × rows and how often each draw has each cluster."""
    n_clusters = times.shape[1]
    counts = ~np.isnan(table)
    yes = np.stack([np.bincount(codes, row, n_clusters) for row in np.where(counts, table, 0.0)], axis=1)
    size = np.stack([np.bincount(codes, row.astype(float), n_clusters) for row in counts], axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray((times @ yes) / (times @ size))


def cluster_draws(n_clusters: int, n_draws: int, rng: np.random.Generator) -> Array:
    """How often each cluster is drawn, of as many as there are with replacement: draws × clusters."""
    return rng.multinomial(n_clusters, np.full(n_clusters, 1 / n_clusters), size=n_draws).astype(float)


def counted_rows(values: ArrayLike, clusters: Clusters | None) -> tuple[Array, Codes, int]:
    """Rows that count, their clusters numbered without gaps, and how many rows were left out."""
    rows = as_rows(values)
    counts = ~np.isnan(rows)
    return rows[counts], recode(as_codes(clusters, len(rows))[counts]), int((~counts).sum())


def row_rate(yes: ArrayLike, times_asked: ArrayLike, clusters: Clusters | None = None) -> Estimate:
    """The mean of the rows' shares; n counts answers, n_left_out rows that were not asked.

    Wilson's interval at the effective number of independent answers, at least one per row. Worked number: rows of 2/2,
    0/2, 0/2, 0/2 are worth 4: 0.25 in [0.046, 0.699].
    """
    n_yes = np.asarray(yes, dtype=float)
    n_asked = np.asarray(times_asked, dtype=float)
    is_asked = n_asked > 0
    n_left_out = int((~is_asked).sum())
    n_answers = int(n_asked.sum())
    n_rows = int(is_asked.sum())
    if not n_rows:
        return no_estimate("wilson", n_left_out=n_left_out)
    codes = recode(as_codes(clusters, len(is_asked))[is_asked])
    n_yes = n_yes[is_asked]
    n_asked = n_asked[is_asked]
    n_clusters = int(codes.max()) + 1
    value = float((n_yes / n_asked).mean())
    if n_clusters < 2:
        without_interval = Estimate(value, math.nan, math.nan, n_answers, n_left_out, "wilson")
        return without_interval.over_clusters(n_clusters)
    sandwich = float(np.square(np.bincount(codes, n_yes / n_asked - value)).sum()) * n_clusters / (n_clusters - 1)
    answers_per_row = n_answers / n_rows
    share = (float(n_yes.sum()) + answers_per_row / 2) / (n_answers + answers_per_row)
    variance = max(sandwich, share * (1 - share) * float((1 / n_asked).sum())) / n_rows**2
    n_effective = min(max(value * (1 - value) / variance, n_clusters), n_answers)
    low, high = wilson_interval(value, n_effective)
    return Estimate(value, low, high, n_answers, n_left_out, "wilson").over_clusters(n_clusters)
