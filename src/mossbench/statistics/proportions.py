"""Shares of independent rows with intervals; rows that share scenes are for `clusters`."""

from __future__ import annotations

import math

from mossbench.statistics.estimates import Estimate, normal_quantile, tails


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
    yes, no = n * share + 0.5, n * (1 - share) + 0.5
    below, above = tails(confidence)
    return float(betaincinv(yes, no, below)), float(betaincinv(yes, no, above))
