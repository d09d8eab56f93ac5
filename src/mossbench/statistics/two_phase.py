"""The share of yes among members of a population, from a stratified sample whose readings were checked in part.

Each row of the population is in a stratum. Of each stratum some rows are drawn at random and read: is it a member, and
is it a yes? Some of these, again at random, are checked by somebody who is taken to be right. The estimate is the
difference estimator of two-phase sampling (Särndal, Swensson and Wretman 1992, Model Assisted Survey Sampling, ch. 9):
what the readings give, plus what the checks say that they miss.

Rows are dependent where they share a cluster, in one way or in two at once (a user, an identical request): the variance
goes over the clusters of each way (Cameron, Gelbach and Miller 2011, J. Bus. Econ. Stat. 29:238).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mossbench.statistics.estimates import (
    Array,
    Codes,
    Estimate,
    no_estimate,
    normal_quantile,
    recode,
    t_quantile,
    wilson_interval,
)

_PRIOR = 0.1
"""How much the number of rows, if all of a cluster were alike, counts against what was measured. In simulated products
0.5, as in `clusters.py`, holds the planted share in 99.6 % of them where there are 20 users; 0 holds it too seldom."""


@dataclass(frozen=True)
class TwoPhaseRows:
    """A population with what was read and checked of it; each array has a value for each row."""

    strata: Codes
    """Numbers of strata."""
    member: Array
    """1 or 0 as read; NaN where the row was not drawn."""
    yes: Array
    """1 or 0 as read; NaN where the row was not drawn."""
    member_checked: Array
    """1 or 0 as checked; NaN where it was not checked."""
    yes_checked: Array
    clusters: tuple[Codes, ...] = ()
    """One or two ways in which rows are dependent; without any, every row is alone."""

    def only(self, keep: NDArray[np.bool_]) -> TwoPhaseRows:
        """Some of the rows, as a population of their own."""
        return TwoPhaseRows(
            recode(self.strata[keep]),
            self.member[keep],
            self.yes[keep],
            self.member_checked[keep],
            self.yes_checked[keep],
            tuple(recode(codes[keep]) for codes in self.clusters),
        )


@dataclass(frozen=True)
class _Totals:
    """Totals over the population, and what each row adds to them."""

    share: float
    n_members: float
    """Estimated."""
    weights: Array
    """How many members of the population each member that was drawn stands for; 0 for other rows."""
    influence: Array
    """What each row adds to the deviation of the yes total from the share of members; their sum is about 0."""
    unseen_variance: float
    """Of errors that so few checks would not have shown."""


def two_phase_share(rows: TwoPhaseRows) -> Estimate:
    """The share of yes among members, with the interval for a population of which this one is a sample.

    Wilson's interval at the number of independent members that the variance is worth, with Student's quantile over the
    clusters, pulled a little towards the number if all members of a cluster were alike (as in `clusters.py`): near a
    share of 0 or 1 there is nothing to measure the variance from. Where the checks of a stratum show no error, the
    variance has that of one error added: few checks without an error do not show that there is none. NaN where no
    member was drawn, or nothing of a stratum.

    Returns:
        `n`: rows drawn that are members; `n_clusters`: of the first way.
    """
    drawn = ~np.isnan(rows.member)
    n_drawn = int(np.nansum(rows.member[drawn]))
    method = "two-phase difference estimator, wilson"
    if not drawn.any() or len(np.unique(rows.strata[drawn])) <= int(rows.strata.max()):
        return no_estimate(method)  # of a stratum without a drawn row nothing is known
    totals = _totals(rows, drawn)
    if totals.n_members <= 0 or not n_drawn:
        return no_estimate(method)
    share = min(max(totals.share, 0.0), 1.0)
    clusters = rows.clusters or (np.arange(len(rows.strata)),)
    n_clusters = _n_clusters_seen(clusters[0], rows.member)
    variance = _clustered_variance(totals.influence, clusters) + totals.unseen_variance
    variance /= totals.n_members**2
    if n_clusters < 2:
        return Estimate(share, math.nan, math.nan, n_drawn, 0, method).over_clusters(n_clusters)
    variance *= (t_quantile(n_clusters - 1) / normal_quantile()) ** 2
    n_effective = _n_effective(share, variance, totals, clusters)
    low, high = wilson_interval(share, n_effective)
    estimate = Estimate(share, low, high, n_drawn, 0, method)
    return estimate.over_clusters(n_clusters) if rows.clusters else estimate


def _n_effective(share: float, variance: float, totals: _Totals, clusters: Sequence[Codes]) -> float:
    """How many independent members the variance is worth: at most as many as there are in the population.

    At a share of 0 or 1 it is the number if all members of a cluster were alike, in the way with the fewest.
    """
    n_if_alike, n_clusters = min(_clusters_if_alike(totals.weights, codes) for codes in clusters)
    prior = _PRIOR / n_clusters
    n_effective = (share * (1 - share) + prior) / (variance + prior / n_if_alike)
    return min(n_effective, max(totals.n_members, 1.0))


def _clusters_if_alike(weights: Array, codes: Codes) -> tuple[float, int]:
    """How many clusters of equal size the clusters of the members are worth (Kish), and how many they are."""
    sizes = np.bincount(codes, weights)
    return float(sizes.sum() ** 2 / np.square(sizes).sum()), int((sizes > 0).sum())


def _totals(rows: TwoPhaseRows, drawn: NDArray[np.bool_]) -> _Totals:
    member = np.where(drawn, rows.member, 0.0)
    yes = np.where(drawn, rows.yes, 0.0)
    is_member_checked = drawn & ~np.isnan(rows.member_checked)
    is_yes_checked = drawn & ~np.isnan(rows.yes_checked)
    best_member = np.where(is_member_checked, rows.member_checked, member)
    member_errors = np.where(is_member_checked, best_member - member, 0.0)
    yes_errors = np.where(is_yes_checked, best_member * (rows.yes_checked - yes), 0.0)
    read_weight = _weights(rows.strata, drawn)
    member_weight = _weights(rows.strata, is_member_checked)
    yes_weight = _weights(rows.strata, is_yes_checked)
    n_members = float((read_weight * member).sum() + (member_weight * member_errors).sum())
    n_yes = float(
        (read_weight * member * yes).sum()
        + (member_weight * member_errors * yes).sum()
        + (yes_weight * yes_errors).sum()
    )
    share = n_yes / n_members if n_members > 0 else math.nan
    deviation = member * (yes - share)
    member_deviation = member_errors * (yes - share)
    influence = np.zeros(len(rows.strata))
    for values, weights, chosen in (
        (deviation, read_weight, drawn),
        (member_deviation, member_weight, is_member_checked),
        (yes_errors, yes_weight, is_yes_checked),
    ):
        means = _stratum_means(rows.strata, values, chosen)[rows.strata]
        influence += means + np.where(chosen, weights * (values - means), 0.0)
    effects = _mean_effects(np.abs(yes - share) * member, rows.strata)
    unseen = _unseen_variance(rows.strata, member_errors, is_member_checked, drawn, effects)
    unseen += _unseen_variance(rows.strata, yes_errors, is_yes_checked, drawn, _mean_effects(member, rows.strata))
    return _Totals(share, n_members, read_weight * member, influence, unseen)


def _weights(strata: Codes, chosen: NDArray[np.bool_]) -> Array:
    """For each row how many rows of its stratum a chosen one stands for; 0 where none was chosen."""
    n_rows = np.bincount(strata)
    n_chosen = np.bincount(strata, chosen, len(n_rows))
    weights = np.divide(n_rows, n_chosen, out=np.zeros(len(n_rows)), where=n_chosen > 0)
    return np.asarray(np.where(chosen, weights[strata], 0.0))


def _stratum_means(strata: Codes, values: Array, chosen: NDArray[np.bool_]) -> Array:
    n_strata = int(strata.max()) + 1
    n_chosen = np.bincount(strata, chosen, n_strata)
    sums = np.bincount(strata, np.where(chosen, values, 0.0), n_strata)
    return np.asarray(np.divide(sums, n_chosen, out=np.zeros(n_strata), where=n_chosen > 0))


def _mean_effects(effects: Array, strata: Codes) -> Array:
    """How far one error can move the deviation of a row in each stratum, on average over its rows that were drawn."""
    n_strata = int(strata.max()) + 1
    sums = np.bincount(strata, effects, n_strata)
    counts = np.bincount(strata, effects > 0, n_strata)
    return np.asarray(np.divide(sums, counts, out=np.zeros(n_strata), where=counts > 0))


def _unseen_variance(
    strata: Codes, errors: Array, checked: NDArray[np.bool_], drawn: NDArray[np.bool_], effects: Array
) -> float:
    """The variance that one error among the checks would add in each stratum whose checks show none.

    0 where everything that was drawn is checked, and where nothing is: then readings are taken as they are.
    """
    n_rows = np.bincount(strata).astype(float)
    n_checked = np.bincount(strata, checked, len(n_rows))
    n_drawn = np.bincount(strata, drawn, len(n_rows))
    n_errors = np.bincount(strata, errors != 0, len(n_rows))
    is_partly = (n_checked > 0) & (n_checked < n_drawn) & (n_errors == 0)
    not_checked = 1 - np.divide(n_checked, n_drawn, out=np.ones(len(n_rows)), where=n_drawn > 0)
    squared = effects**2 / (n_checked + 1)
    variance = np.divide(n_rows**2 * squared * not_checked, n_checked, out=np.zeros(len(n_rows)), where=is_partly)
    return float(variance.sum())


def _clustered_variance(influence: Array, clusters: Sequence[Codes]) -> float:
    """The variance of the sum of the influences, over the clusters of one way or of two."""
    variances = [_variance_over(influence, codes) for codes in clusters]
    if len(clusters) == 1:
        return variances[0]
    first, second = clusters
    both = recode(first.astype(np.int64) * (int(second.max()) + 1) + second)
    return max(sum(variances) - _variance_over(influence, both), *variances)


def _variance_over(influence: Array, codes: Codes) -> float:
    sums = np.bincount(codes, influence)
    n_clusters = len(sums)
    return float(np.square(sums).sum()) * n_clusters / max(n_clusters - 1, 1)


def _n_clusters_seen(codes: Codes, member: Array) -> int:
    """Clusters of which a member was drawn."""
    return len(np.unique(codes[np.nan_to_num(member) > 0]))
