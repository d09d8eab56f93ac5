"""The true rate, from the rate that a judge with known errors reports.

Two methods, and when to use which:

- `ppi_rate`: people labelled some rows of this run, chosen at random. It assumes nothing about the judge, is never much
  worse than the labels alone, and gains as the judge gets better. Use it where you can.
- `rogan_gladen`: the judge was validated on other rows. It assumes that the judge errs here as it did there; judges
  err differently for each model, so validate on the same model or treat the result as approximate.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike

from mossbench.statistics.agreement import Confusion
from mossbench.statistics.estimates import Array, Estimate, Significance, as_rows, no_estimate, tails, wilson_interval

N_NODES = 12
"""Points of equal probability that stand for what validation leaves open of each of a judge's two error rates."""


@dataclass(frozen=True)
class PpiRate:
    """A rate from few labels and many readings."""

    rate: Estimate
    trust: float
    """The weight of the readings (lambda): 0 uses the labels alone, 1 believes that judge and labels err alike."""
    n_labelled: int
    worth: float
    """How many labels alone would give an interval as narrow."""


def rogan_gladen(
    successes: int,
    n: int,
    validation: Confusion,
    *,
    n_left_out: int = 0,
    worth: float | None = None,
    interval: bool = True,
) -> Estimate:
    """The rate read, `successes / n`, corrected for the sensitivity and specificity found in `validation`.

    Value: Rogan and Gladen (1978), Am. J. Epidemiol. 107:71, kept within 0..1. Interval: every rate under which neither
    so many nor so few yes are too rare by the binomial (Clopper and Pearson), averaged over what validation leaves open
    of the judge's errors (Cousins and Highland 1992, Nucl. Instrum. Meth. A 320:331). The tails are taken relative to
    those at a rate of 0 or 1 (Read 2002, J. Phys. G 28:2693): fewer yes than false alarms alone explain are no
    certainty that there is none. `worth` is the number of independent rows that the n are worth where rows are alike.
    Without `interval`, which takes long, its ends are NaN.
    When the judge did no better than chance (sensitivity + specificity <= 1) or one kind of row was never validated,
    the value is NaN and the interval 0..1: the readings say nothing.
    Worked number: 60 of 300 read, 90 of 100 true yes and 190 of 200 true no read right: (0.2 - 0.05) / 0.85 = 0.176.
    """
    yes = validation.true_yes + validation.false_no
    no = validation.true_no + validation.false_yes
    if n == 0:
        return no_estimate("rogan-gladen", n_left_out=n_left_out)
    if not yes or not no or validation.true_yes / yes + validation.true_no / no <= 1:
        return Estimate(math.nan, 0.0, 1.0, n, n_left_out, "rogan-gladen: judge not better than chance")
    sensitivity = validation.true_yes / yes
    specificity = validation.true_no / no
    value = min(max((successes / n + specificity - 1) / (sensitivity + specificity - 1), 0.0), 1.0)
    if not interval:
        return Estimate(value, math.nan, math.nan, n, n_left_out, "rogan-gladen")
    n_effective = float(n if worth is None else worth)
    low, high = _exact_interval(n_effective * successes / n, n_effective, validation)
    return Estimate(value, min(low, value), max(high, value), n, n_left_out, "rogan-gladen, exact")


def ppi_rate(labels: ArrayLike, readings: ArrayLike) -> PpiRate:
    """The true rate from `readings` of all rows and `labels` of a random part of them (NaN where not labelled).

    Prediction-powered inference with the weight of the readings tuned on the data: Angelopoulos, Duchi and Zrnic
    (2023), PPI++, arXiv 2311.01453. Cross-fitted: the weight that a labelled row gets is tuned on the other labels,
    since a weight tuned on the row itself pulls rare rates towards 0. The published interval is too narrow where the
    few labels happen to show no error of the judge; so the variance is taken with one error of either kind added, and
    put into Wilson's interval as the number of independent rows it is worth. Rows without a reading are left out; with
    fewer than two labels there is no interval.
    """
    truth = as_rows(labels)
    predictions = as_rows(readings)
    if truth.shape != predictions.shape:
        raise ValueError(f"one reading per label is needed, got {len(truth)} labels and {len(predictions)} readings")
    counts = ~np.isnan(predictions)
    is_labelled = counts & ~np.isnan(truth)
    y = truth[is_labelled]
    f = predictions[is_labelled]
    f_unlabelled = predictions[counts & ~is_labelled]
    n_labelled = len(y)
    n = int(counts.sum())
    n_left_out = int((~counts).sum())
    if n_labelled == 0:
        return PpiRate(no_estimate("ppi++", n_left_out=len(predictions)), math.nan, 0, math.nan)
    weights = _weights(y, f, f_unlabelled)
    weight = float(weights.mean())
    value = float((y - weights * f).mean()) + (weight * float(f_unlabelled.mean()) if weight else 0.0)
    value = min(max(value, 0.0), 1.0)
    if n_labelled < 2:
        return PpiRate(Estimate(value, math.nan, math.nan, n, n_left_out, "ppi++"), weight, n_labelled, math.nan)
    variance = float(np.append(y - weights * f, [1.0, -weight]).var()) / n_labelled
    if weight:
        variance += weight**2 * float(np.append(f_unlabelled, [0.0, 1.0]).var()) / len(f_unlabelled)
    share = (n_labelled * value + 1) / (n_labelled + 2)
    worth = share * (1 - share) / variance
    low, high = wilson_interval(value, worth)
    return PpiRate(Estimate(value, low, high, n, n_left_out, "ppi++, cross-fitted, wilson"), weight, n_labelled, worth)


def random_choice(
    features: ArrayLike, chosen: ArrayLike, *, rng: np.random.Generator, n_permutations: int = 2000
) -> Significance:
    """Whether the chosen units may be a random choice of all: permutation test of the means of their features.

    `features` has a line a unit and a column a feature. The statistic is the sum over columns of the squared sum of
    chosen deviations, over the column's variance: for one column of 0 and 1, or the indicators of groups, it orders
    choices as Pearson's chi-square does. NaN when all or none are chosen, or no feature varies.
    """
    values = np.atleast_2d(np.asarray(features, dtype=float))
    is_chosen = np.asarray(chosen, dtype=bool)
    n = len(is_chosen)
    m = int(is_chosen.sum())
    method = f"{n_permutations} permutations"
    spread = values.std(axis=0) if n else np.zeros(0)
    if m in (0, n) or not (spread > 0).any():
        return Significance(math.nan, math.nan, n, 0, method)
    scaled = ((values - values.mean(axis=0)) / np.where(spread > 0, spread, 1))[:, spread > 0]
    observed = float(np.square(scaled[is_chosen].sum(axis=0)).sum())
    permuted = [float(np.square(scaled[rng.permutation(n)[:m]].sum(axis=0)).sum()) for _ in range(n_permutations)]
    n_as_far = sum(value >= observed * (1 - 1e-9) for value in permuted)
    return Significance((1 + n_as_far) / (1 + n_permutations), observed, n, 0, method)


def _weights(y: Array, f: Array, f_unlabelled: Array) -> Array:
    """For each label the weight that makes the variance of all other labels least, within 0..1.

    0 when all rows are labelled or read alike. The spread is that of all readings, so no label decides on its own row.
    """
    n = len(y)
    spread = float(np.concatenate([f, f_unlabelled]).var(ddof=1)) if len(f_unlabelled) else 0.0
    if spread == 0 or n < 2:
        return np.zeros(n)
    n_rest = n - 1
    covariances = ((y * f).sum() - y * f) / n_rest - (y.sum() - y) * (f.sum() - f) / n_rest**2
    return np.asarray(np.clip(covariances / ((1 + n / len(f_unlabelled)) * spread), 0.0, 1.0), dtype=float)


@lru_cache(4096)
def _exact_interval(k: float, n: float, validation: Confusion) -> tuple[float, float]:
    """The rates that `k` yes of `n` do not rule out, averaged over the errors that validation allows."""
    from scipy.special import betainc

    hits = _nodes(validation.true_yes, validation.false_no)[:, None]
    alarms = _nodes(validation.false_yes, validation.true_no)

    def read_rates(rate: float) -> Array:
        return np.asarray(alarms + rate * (hits - alarms), dtype=float)

    def chance_of_as_many(rate: float) -> float:
        return float(betainc(k, n - k + 1, read_rates(rate)).mean()) if k > 0 else 1.0

    def chance_of_as_few(rate: float) -> float:
        return 1 - float(betainc(k + 1, n - k, read_rates(rate)).mean()) if k < n else 1.0

    tail = tails()[0]
    upper_tail = tail * chance_of_as_many(1.0)
    lower_tail = tail * chance_of_as_few(0.0)
    low = _first_root(lambda rate: chance_of_as_many(rate) - upper_tail)
    high = 1 - _first_root(lambda flipped: chance_of_as_few(1 - flipped) - lower_tail)
    return low, high


@lru_cache(1024)
def _nodes(yes: int, no: int) -> Array:
    from scipy.special import betaincinv

    return np.asarray(betaincinv(yes + 0.5, no + 0.5, (np.arange(N_NODES) + 0.5) / N_NODES), dtype=float)


def _first_root(excess: Callable[[float], float]) -> float:
    """Where in 0..1 `excess`, which grows to more than 0, reaches 0, on a grid of 2 ** -30."""
    below = 0
    above = 2**30
    grid = 2.0**-30
    under = excess(0.0)
    over = excess(1.0)
    if under >= 0:
        return 0.0
    last_width = 2**31
    while above - below > 1:
        width = above - below
        # The secant, and a step beyond it; the middle where the last step gained little.
        share = 0.5 if width > last_width / 2 else under / (under - over)
        beyond = max(1, width >> 12) * (1 if share < 0.5 else -1)
        middle = min(max(below + round(share * width) + beyond, below + 1), above - 1)
        value = excess(middle * grid)
        last_width = width
        if value >= 0:
            above = middle
            over = value
        else:
            below = middle
            under = value
    return below * grid
