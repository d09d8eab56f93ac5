"""Rates of which only the shares are known, stratum by stratum, as printed tables have them.

A system's rate is the mean of its strata's shares, each stratum counting the same. Without the rows nothing is known of
which rows two systems share, so they are compared as if measured on different rows. Where both were measured on the
same rows and tend to agree, that is cautious: intervals are too wide and p-values too large, never the other way round.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from itertools import permutations
from statistics import NormalDist

import numpy as np

from mossbench.statistics.estimates import Array, Estimate, as_rows, wilson_interval
from mossbench.statistics.ranking import Better, Ranked, claims, in_order, most_often_lowest


def strata_rate(shares: Sequence[float], n: Sequence[float]) -> Estimate:
    """The mean of the strata's shares with their Wilson intervals squared and added (Zou and Donner 2008).

    `n` is how many independent rows each share is worth. Worked number: 0.1 and 0.3 of 50 each give 0.2 in
    [0.139, 0.289].
    """
    value = sum(shares) / len(shares)
    ends = [wilson_interval(share, worth) for share, worth in zip(shares, n, strict=True)]
    below = math.hypot(*(share - low for share, (low, _) in zip(shares, ends, strict=True))) / len(shares)
    above = math.hypot(*(high - share for share, (_, high) in zip(shares, ends, strict=True))) / len(shares)
    return Estimate(value, value - below, value + above, round(sum(n)), 0, "wilson by stratum, square-and-add")


def rank_shares(
    systems: Mapping[str, Sequence[float]], n: Sequence[float], *, rng: np.random.Generator, n_bootstrap: int = 4000
) -> tuple[Ranked, ...]:
    """As `ranking.rank`, lowest rate best, from printed shares: score tests by stratum in place of paired ones.

    The chance of being best is the share of draws from binomials with the printed shares and `n` rows.
    """
    if not systems:
        return ()
    names = list(systems)
    shares = as_rows(list(systems.values()))
    worth = np.asarray(n, dtype=float)
    better = _better(shares, worth, _unrelated)
    drawn = rng.binomial(np.rint(worth).astype(int), shares, size=(n_bootstrap, *shares.shape)) / np.rint(worth)
    chances = most_often_lowest(drawn.mean(axis=2))
    method = f"unpaired score tests by stratum, holm over {len(names) * (len(names) - 1)} one-sided tests"
    counts = [(round(float(worth.sum())), 0)] * len(names)
    return in_order(names, shares.mean(axis=1), better, chances, counts, method)


def n_shares_apart(systems: Mapping[str, Sequence[float]], n: Sequence[float], *, worst: bool = False) -> int:
    """How many pairs of systems are told apart as by `rank_shares`, or however the pairs of rows fell (`worst`)."""
    shares = as_rows(list(systems.values()))
    worth = np.asarray(n, dtype=float)
    return int(_better(shares, worth, _most_discordant if worst else _unrelated).sum())


def _better(shares: Array, n: Array, spread: Callable[[Array, Array], Array]) -> Better:
    """By the standard errors that one mean of shares lies above the other, if their shares are equal.

    Worked number: 0.2 against 0.1 of 100 each, unrelated, pooled 0.15: 0.1 / sqrt(2 * 0.1275 / 100) = 1.98.
    """
    p_values = np.full((len(shares), len(shares)), np.nan)
    for i, j in permutations(range(len(shares)), 2):
        error = math.sqrt(float((spread(shares[i], shares[j]) / n).sum()))
        p_values[i, j] = NormalDist().cdf(float((shares[i] - shares[j]).sum()) / error if error else 0.0)
    return claims(p_values)


def _unrelated(first: Array, second: Array) -> Array:
    """The variance of a difference of two rows that have nothing to do with each other."""
    middle = (first + second) / 2
    return 2 * middle * (1 - middle)


def _most_discordant(first: Array, second: Array) -> Array:
    """The largest share of pairs that can differ, which is their variance if both rates are the same."""
    return np.minimum(first, 1 - second) + np.minimum(second, 1 - first)
