"""`Estimate`, the result of every function in this room; how rows are given; Wilson's interval of independent rows.

Rows are arrays: 1 yes, 0 no, NaN (or None) a row that does not count. Rows that do not count are left out, and the
estimate has their number. Clusters are ids, one per row (the scene an item was made from); a row whose id is None is
its own cluster. If nothing counts the value is NaN with n = 0; a single cluster has a value and no interval.

Quantiles come from scipy.special, imported where they are used: it takes longer to import than everything else here.
"""

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, fields, replace
from statistics import NormalDist
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]
Codes = NDArray[np.intp]
CONFIDENCE = 0.95
"""Of every interval, and of claims that hold together."""
Clusters = Sequence[Hashable] | NDArray[np.generic]
Unit = Literal["row", "cluster"]


@dataclass(frozen=True)
class Estimate:
    """A number with its interval and how it was made."""

    value: float
    """NaN when nothing counted, or when it is known only within `low` and `high`."""
    low: float
    high: float
    n: int
    """Rows that count."""
    n_left_out: int
    """Rows that do not: failed, unjudged."""
    method: str
    """How it was made, in words for people: its test, and what that went over."""
    n_clusters: int | None = None
    """How many groups of rows count as independent; None where every row does."""
    unit: Unit = "row"
    """What counts as independent of the others."""
    test: str = ""
    """The interval's own name, such as `wilson`; `method` where nothing else is given."""

    def __post_init__(self) -> None:
        make_plain(self)
        if not self.test:
            object.__setattr__(self, "test", self.method)

    @property
    def n_independent(self) -> int:
        """How many independent observations it rests on."""
        return self.n if self.n_clusters is None else self.n_clusters

    def over_clusters(self, n_clusters: int) -> "Estimate":
        """The same estimate, with the clusters on record that its interval went over."""
        method = f"{self.method} over {n_clusters} clusters"
        return replace(self, method=method, n_clusters=n_clusters, unit="cluster")


@dataclass(frozen=True)
class Significance:
    """How surprising the data are if there is no difference."""

    p: float
    """Two-sided; NaN when nothing counted."""
    statistic: float
    n: int
    n_left_out: int
    method: str
    unit: Unit = "row"
    """What was swapped or shuffled as one."""

    def __post_init__(self) -> None:
        make_plain(self)


def make_plain(record: Any) -> None:
    """Puts Python's own numbers in place of numpy's: they print as they are, and every JSON writer takes them."""
    for field in fields(record):
        value = getattr(record, field.name)
        if isinstance(value, np.generic):
            object.__setattr__(record, field.name, value.item())


def no_estimate(method: str, *, n_left_out: int = 0) -> Estimate:
    """Nothing counted: all NaN, n = 0."""
    return Estimate(math.nan, math.nan, math.nan, 0, n_left_out, method)


def as_rows(values: ArrayLike) -> Array:
    """The values as floats, None as NaN; raises ValueError when one lies outside 0..1."""
    rows = np.asarray(values, dtype=float)
    wrong = rows[(rows < 0) | (rows > 1)]
    if wrong.size:
        raise ValueError(f"rows must lie in 0..1 or be NaN, got {wrong.flat[0]}")
    return rows


def as_codes(clusters: Clusters | None, n: int) -> Codes:
    """Cluster ids as numbers 0..; without ids, and for rows whose id is None, each row is its own cluster."""
    if clusters is None:
        return np.arange(n)
    if len(clusters) != n:
        raise ValueError(f"one cluster id per row is needed, got {len(clusters)} for {n} rows")
    if isinstance(clusters, np.ndarray) and clusters.dtype.kind in "iu":
        return recode(clusters.astype(np.intp))
    codes: dict[Hashable, int] = {}
    keys = [("alone", i) if cluster is None else ("named", cluster) for i, cluster in enumerate(clusters)]
    return np.array([codes.setdefault(key, len(codes)) for key in keys], dtype=np.intp)


def recode(codes: Codes) -> Codes:
    """The same clusters numbered 0.. without gaps, as after rows were left out."""
    return np.asarray(np.unique(codes, return_inverse=True)[1], dtype=np.intp)


def normal_quantile(confidence: float = CONFIDENCE) -> float:
    """Half-width of a two-sided normal interval in standard errors: 1.96 for 0.95."""
    return NormalDist().inv_cdf(tails(confidence)[1])


def t_quantile(df: float) -> float:
    """The same of Student's t with `df` degrees of freedom: 2.26 for 9."""
    from scipy.special import stdtrit

    return float(stdtrit(df, tails()[1]))


def at_confidence(estimate: Estimate, confidence: float) -> Estimate:
    """An estimate of a share whose 95 % interval is taken to another confidence: an approximation.

    On the scale of log odds each end moves away from the value in proportion to the normal quantiles; at a share of 0
    the odds of the upper end grow by their square, and likewise at 1, as Wilson's do. Without a value both ends move
    away from the middle of the interval. Worked number: of 60 in 300, Wilson's interval at 99.9 % is [0.135, 0.286],
    and so is this; of 1 in 300 this ends at 0.058 and Wilson's at 0.041.
    """
    if confidence == CONFIDENCE or math.isnan(estimate.low):
        return estimate
    ratio = normal_quantile(confidence) / normal_quantile()
    centre = (estimate.low + estimate.high) / 2 if math.isnan(estimate.value) else estimate.value
    low = 1 - _further_up(1 - centre, 1 - estimate.low, ratio)
    high = _further_up(centre, estimate.high, ratio)
    return replace(estimate, low=low, high=high)


def _further_up(centre: float, end: float, ratio: float) -> float:
    """The upper end of an interval, further from its centre by this ratio on the scale of log odds."""
    if end >= 1 or end <= centre or centre >= 1:
        return end
    if centre <= 0:
        log_odds = math.log(end / (1 - end)) + 2 * math.log(ratio)
    else:
        log_odds_of_centre = math.log(centre / (1 - centre))
        log_odds = log_odds_of_centre + ratio * (math.log(end / (1 - end)) - log_odds_of_centre)
    return 1 / (1 + math.exp(-log_odds))


def tails(confidence: float = CONFIDENCE) -> tuple[float, float]:
    """The two probabilities that cut off a two-sided interval: 0.025 and 0.975 for 0.95."""
    if not 0 < confidence < 1:
        raise ValueError(f"confidence must lie between 0 and 1, got {confidence}")
    return (1 - confidence) / 2, 0.5 + confidence / 2


def wilson(successes: int, n: int, *, n_left_out: int = 0, confidence: float = 0.95) -> Estimate:
    """The share `successes / n` with Wilson's score interval; all NaN when `n` is 0.

    Wilson (1927), J. Am. Stat. Assoc. 22:209. Worked number: 1 of 10 gives 0.1 in [0.018, 0.404].
    """
    if not 0 <= successes <= n:
        raise ValueError(f"successes must lie in 0..n, got {successes} of {n}")
    share = successes / n if n else math.nan
    low, high = wilson_interval(share, n, confidence=confidence)
    return Estimate(share, low, high, n, n_left_out, "wilson")


def wilson_interval(share: float, n: float, *, confidence: float = 0.95) -> tuple[float, float]:
    """Wilson's score interval of a share seen on `n` independent units; NaN when there are none.

    `n` need not be whole: it may be the number of independent rows that clustered rows are worth.
    """
    if n == 0 or math.isnan(share):
        return math.nan, math.nan
    z = normal_quantile(confidence)
    middle = share + z * z / (2 * n)
    half = z * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    scale = 1 + z * z / n
    low = 0.0 if share == 0 else (middle - half) / scale  # exact ends, where rounding would leave 1e-17
    high = 1.0 if share == 1 else (middle + half) / scale
    return low, high


def jeffreys_interval(share: float, n: float, *, confidence: float = 0.95) -> tuple[float, float]:
    """Quantiles of Beta(yes + 1/2, no + 1/2), inside 0..1 even where all rows agree; NaN when there are none."""
    from scipy.special import betaincinv

    if n == 0 or math.isnan(share):
        return math.nan, math.nan
    yes = n * share + 0.5
    no = n * (1 - share) + 0.5
    below, above = tails(confidence)
    return float(betaincinv(yes, no, below)), float(betaincinv(yes, no, above))
