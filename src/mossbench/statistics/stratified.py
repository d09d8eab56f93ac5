"""A share of known rows from labels of some of them, drawn at random within strata: how many to draw where, and how
well the share is then known.

Rows in a stratum are alike in how likely a yes is: by what a judge reads, and how sure it is. The labels alone decide;
strata that say little make the interval wider, not wrong.

People err too. A label that says something else than the judge's reading is checked by a second one, and a third
decides where these differ. How often that overturns the first label tells how often labels are wrong; those that agree
with the judge are mostly not checked, and their errors are corrected by that share.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from mossbench.statistics.estimates import Array, Estimate, no_estimate, tails, wilson_interval

NEUTRAL = 1 / 3
"""Yes and no that are added to the labels of a stratum for its limits: Kerman's neutral prior."""
FEWEST_PER_STRATUM = 3
"""Labels that every stratum gets first, whatever is expected of it."""
EXPECTATION_WORTH = 10.0
"""How many labels the expected share of a stratum is worth when labels are allocated; estimates do not use it."""
MOST_UNIFORM = 0.1
"""Labels are allocated as if each stratum had at least this share of yes and of no: none is trusted to be uniform."""
MOST_SLIPS = 0.25
"""Labels that are wrong more often than this are not corrected any further."""


@dataclass(frozen=True)
class Stratum:
    """The rows of a stratum, and what is known of those that were drawn."""

    n_rows: int
    reads_yes: bool = False
    """What the judge reads, and a label is expected to say."""
    expected: float = 0.5
    """The share of yes that is expected before any label; it only steers where labels are drawn."""
    n_labelled: int = 0
    n_yes: int = 0
    """Of the labelled rows."""
    n_open: int = 0
    """Rows that were drawn and have no result: they may be either."""

    @property
    def n_drawn(self) -> int:
        return self.n_labelled + self.n_open


@dataclass(frozen=True)
class Slips:
    """Labels that turned out wrong when the same row was labelled again."""

    n_labels: int = 0
    n_wrong: int = 0


@dataclass(frozen=True)
class SlipRate:
    """The share of labels that are wrong, and how large it may be (97.5 %)."""

    value: float
    high: float


def stratified_share(strata: Sequence[Stratum], slips: Slips = Slips()) -> Estimate:
    """The share of yes in all rows of the strata, as labels without errors would have it.

    Value: each stratum's share of yes among its labels, weighted by its rows: unbiased, since rows are drawn at random
    within strata. Labels that differ from the reading are divided by the share of labels that are right (Rogan and
    Gladen 1978, with errors in one direction, as those in the other were checked).
    Interval: limits of each stratum under a neutral prior, Beta(1/3, 1/3) (Kerman 2011, Electron. J. Stat. 5:1450),
    drawn in where much of the stratum is labelled, and joined by square-and-add (Zou and Donner 2008, Stat. Med.
    27:1693) with each other and with what is not known of label errors. Rows that were drawn and have no result count
    as no for the lower end and as yes for the upper.
    Worked number: of 40 rows 20 are labelled, 10 of them yes; of 60 rows 20 are labelled, none yes: 0.4 * 0.5 = 0.20.

    Returns:
        `n`: labelled rows; `n_left_out`: rows that were drawn and have no result. NaN without labels.
    """
    n_labelled = sum(stratum.n_labelled for stratum in strata)
    n_open = sum(stratum.n_open for stratum in strata)
    method = f"stratified, square-and-add over {len(strata)} strata"
    if not n_labelled:
        return no_estimate(method, n_left_out=n_open)
    slip_rate = label_error(slips)
    reads_yes = np.array([stratum.reads_yes for stratum in strata])
    weights = _weights(strata)
    seen = _shares(strata)
    low, high = _limits(strata)
    shares = _without_slips(seen, reads_yes, slip_rate.value)
    low = _without_slips(low, reads_yes, slip_rate.value)
    high = _without_slips(high, reads_yes, slip_rate.value)
    not_labelled = np.sqrt([1 - stratum.n_labelled / stratum.n_rows for stratum in strata])
    moved_by_slips = weights * (_without_slips(seen, reads_yes, slip_rate.high) - shares)
    lowered_by_slips = float(moved_by_slips[reads_yes].sum())
    raised_by_slips = float(moved_by_slips[~reads_yes].sum())
    below = math.hypot(*(weights * not_labelled * (shares - low)), lowered_by_slips)
    above = math.hypot(*(weights * not_labelled * (high - shares)), raised_by_slips)
    value = float(weights @ shares)
    return Estimate(value, max(value - below, 0.0), min(value + above, 1.0), n_labelled, n_open, method)


def label_error(slips: Slips) -> SlipRate:
    """The share of labels that are wrong; without labels it may be anything up to `MOST_SLIPS`."""
    from scipy.special import betaincinv

    if not slips.n_labels:
        return SlipRate(0.0, MOST_SLIPS)
    _, above = tails()
    n_right = slips.n_labels - slips.n_wrong
    high = float(betaincinv(slips.n_wrong + NEUTRAL, n_right + NEUTRAL, above))
    return SlipRate(min(slips.n_wrong / slips.n_labels, MOST_SLIPS), min(high, MOST_SLIPS))


def _without_slips(shares: Array, reads_yes: NDArray[np.bool_], slip_rate: float) -> Array:
    """The shares of yes if labels that differ from the reading are missed as often as labels are wrong."""
    differing = np.where(reads_yes, 1 - shares, shares)
    corrected = np.minimum(differing / (1 - slip_rate), 1.0)
    return np.where(reads_yes, 1 - corrected, corrected)


def over_requests(share: Estimate, n_independent: float) -> Estimate:
    """The same share for all requests of the kind of these rows, which are worth `n_independent` independent ones.

    The interval is joined by square-and-add with Wilson's interval for a share that is seen on so many.
    """
    if math.isnan(share.value) or not n_independent:
        return share
    low, high = wilson_interval(share.value, n_independent)
    low_end = share.value - math.hypot(share.value - share.low, share.value - low)
    high_end = share.value + math.hypot(share.high - share.value, high - share.value)
    return replace(share, low=max(0.0, low_end), high=min(1.0, high_end))


def allocate(strata: Sequence[Stratum], n: int) -> list[int]:
    """How many of the next `n` labels to draw from each stratum; fewer than `n` where not so many rows are left.

    Every stratum first gets `FEWEST_PER_STRATUM`. Then each label goes where it takes most off the variance, which is
    Neyman's allocation (1934, J. R. Stat. Soc. 97:558) for the shares known so far.
    """
    added = [0] * len(strata)
    for _ in range(n):
        gains = [_gain(stratum, stratum.n_drawn + n_added) for stratum, n_added in zip(strata, added, strict=True)]
        largest = max(range(len(strata)), key=gains.__getitem__, default=None)
        if largest is None or not gains[largest]:  # every row is drawn
            break
        added[largest] += 1
    return added


def _gain(stratum: Stratum, n_drawn: int) -> float:
    """What one more label takes off the variance, times the square of the number of all rows; 0 if no row is left."""
    if n_drawn >= stratum.n_rows:
        return 0.0
    if n_drawn < FEWEST_PER_STRATUM:
        return math.inf
    share = (stratum.n_yes + EXPECTATION_WORTH * stratum.expected) / (stratum.n_labelled + EXPECTATION_WORTH)
    share = min(max(share, MOST_UNIFORM), 1 - MOST_UNIFORM)
    return stratum.n_rows**2 * share * (1 - share) / (n_drawn * (n_drawn + 1))


def is_within(share: Estimate, within: float) -> bool:
    """Whether the interval is at most twice `within` wide; never without an interval."""
    return share.high - share.low <= 2 * within + 1e-12


def labels_until(strata: Sequence[Stratum], slips: Slips, within: float, *, block: int) -> int:
    """About how many more rows to label until the interval is at most twice `within` wide, if shares stay as seen.

    Rows are added in blocks. If not even all rows would do, it is the number of rows that are left.
    """
    n_added = 0
    current = list(strata)
    while not is_within(stratified_share(current, slips), within):
        # Far away, a tenth more or less does not matter.
        step = max(block, n_added // (10 * block) * block)
        added = allocate(current, step)
        if not any(added):
            break
        current = [_with_labels(stratum, n) for stratum, n in zip(current, added, strict=True)]
        n_added += sum(added)
    return n_added


def _with_labels(stratum: Stratum, n: int) -> Stratum:
    """The stratum with `n` more labels that say what the others do."""
    n_labelled = stratum.n_labelled + n
    share = stratum.n_yes / stratum.n_labelled if stratum.n_labelled else stratum.expected
    return replace(stratum, n_labelled=n_labelled, n_yes=round(share * n_labelled))


def _weights(strata: Sequence[Stratum]) -> Array:
    n_rows = np.array([stratum.n_rows for stratum in strata], dtype=float)
    weights: Array = n_rows / n_rows.sum()
    return weights


def _shares(strata: Sequence[Stratum]) -> Array:
    """The share of yes among the labels of each stratum; that of all labels where a stratum has none."""
    n_labelled = sum(stratum.n_labelled for stratum in strata)
    share_of_all = sum(stratum.n_yes for stratum in strata) / n_labelled
    shares = []
    for stratum in strata:
        shares.append(stratum.n_yes / stratum.n_labelled if stratum.n_labelled else share_of_all)
    return np.array(shares)


def _limits(strata: Sequence[Stratum]) -> tuple[Array, Array]:
    """The limits of the share of yes in each stratum; 0 and 1 where it has no label."""
    from scipy.special import betaincinv

    n_drawn = np.array([stratum.n_drawn for stratum in strata], dtype=float)
    fewest_yes = np.array([stratum.n_yes for stratum in strata], dtype=float)
    most_yes = fewest_yes + np.array([stratum.n_open for stratum in strata], dtype=float)
    has_labels = np.array([stratum.n_labelled > 0 for stratum in strata])
    below, above = tails()
    low = betaincinv(fewest_yes + NEUTRAL, n_drawn - fewest_yes + NEUTRAL, below)
    high = betaincinv(most_yes + NEUTRAL, n_drawn - most_yes + NEUTRAL, above)
    low = np.where(has_labels & (fewest_yes > 0), low, 0.0)
    high = np.where(has_labels & (most_yes < n_drawn), high, 1.0)
    return low, high
