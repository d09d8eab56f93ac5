"""Proportions with intervals."""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist


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


def wilson(successes: int, n: int, *, n_left_out: int = 0, confidence: float = 0.95) -> Estimate:
    """The share `successes / n` with Wilson's score interval; all NaN when `n` is 0.

    Wilson (1927), J. Am. Stat. Assoc. 22:209. Worked number: 1 of 10 gives 0.1 in [0.018, 0.404].
    """
    if not 0 <= successes <= n:
        raise ValueError(f"successes must lie in 0..n, got {successes} of {n}")
    if n == 0:
        return Estimate(math.nan, math.nan, math.nan, 0, n_left_out, "wilson")
    z = NormalDist().inv_cdf(0.5 + confidence / 2)
    p = successes / n
    middle = p + z * z / (2 * n)
    half = z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    scale = 1 + z * z / n
    low = 0.0 if successes == 0 else (middle - half) / scale  # exact ends, where rounding would leave 1e-17
    high = 1.0 if successes == n else (middle + half) / scale
    return Estimate(p, low, high, n, n_left_out, "wilson")
