"""How many rows it takes to see a difference, or how small a difference so many rows can show.

All formulas are for independent rows; `design_effect` (see `clusters.design_effect`) multiplies them when rows come in
clusters. They plan; they do not analyse.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist

from mossbench.statistics.estimates import normal_quantile
from mossbench.statistics.proportions import wilson_interval


@dataclass(frozen=True)
class Plan:
    """Rows needed, and for what."""

    n: int
    """Rows a side when unpaired; pairs when paired."""
    power: float
    """Chance to see the difference if it is there; NaN for a plan of an interval's width."""
    confidence: float
    method: str


def n_unpaired(
    first: float, second: float, *, power: float = 0.8, confidence: float = 0.95, design_effect: float = 1.0
) -> Plan:
    """Rows a side to tell two rates apart that are measured on different rows.

    Fleiss, Levin and Paik (2003), Statistical Methods for Rates and Proportions, ch. 4, without continuity correction.
    Worked number: 0.10 against 0.20 takes 199 a side.
    """
    gap = _gap(first, second)
    middle = (first + second) / 2
    null = normal_quantile(confidence) * math.sqrt(2 * middle * (1 - middle))
    there = _power_quantile(power) * math.sqrt(first * (1 - first) + second * (1 - second))
    n = math.ceil(((null + there) / gap) ** 2 * design_effect - 1e-9)
    return Plan(n, power, confidence, "two rates, normal approximation")


def n_paired(
    first: float,
    second: float,
    *,
    correlation: float = 0.0,
    power: float = 0.8,
    confidence: float = 0.95,
    design_effect: float = 1.0,
) -> Plan:
    """Pairs to tell two rates apart that are measured on the same rows, whose outcomes have this `correlation`.

    Connor (1987), Biometrics 43:207. Worked number: 0.10 against 0.20 takes 202 pairs uncorrelated and 108 at 0.5.
    """
    gap = _gap(first, second)
    discordant = discordant_share(first, second, correlation)
    null = normal_quantile(confidence) * math.sqrt(discordant)
    there = _power_quantile(power) * math.sqrt(discordant - gap * gap)
    n = math.ceil(((null + there) / gap) ** 2 * design_effect - 1e-9)
    return Plan(n, power, confidence, "paired rates, normal approximation")


def n_for_interval(share: float, half_width: float, *, confidence: float = 0.95, design_effect: float = 1.0) -> Plan:
    """Rows for which Wilson's interval about `share` is no wider than twice `half_width`.

    Worked number: ±0.05 about 0.5 takes 381 rows.
    """
    if not 0 < half_width < 0.5:
        raise ValueError(f"half_width must lie between 0 and 0.5, got {half_width}")

    def too_wide(n: int) -> bool:
        low, high = wilson_interval(share, n, confidence=confidence)
        return high - low > 2 * half_width

    high = 1
    while too_wide(high):
        high *= 2
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if too_wide(middle) else (low, middle)
    return Plan(math.ceil(high * design_effect - 1e-9), math.nan, confidence, "width of wilson's interval")


def smallest_difference(
    first: float,
    n: int,
    *,
    correlation: float | None = None,
    power: float = 0.8,
    confidence: float = 0.95,
    design_effect: float = 1.0,
) -> float:
    """The smallest rise above the rate `first` that `n` rows a side can show; NaN when none can.

    Paired with a `correlation`, unpaired without. For a fall, ask from the other end: 1 - first.
    """

    def enough(gap: float) -> bool:
        options = {"power": power, "confidence": confidence, "design_effect": design_effect}
        if correlation is None:
            return n_unpaired(first, first + gap, **options).n <= n
        return n_paired(first, first + gap, correlation=_possible(first, first + gap, correlation), **options).n <= n

    low, high = 0.0, 1 - first
    if high <= 0 or not enough(high):
        return math.nan
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


def discordant_share(first: float, second: float, correlation: float) -> float:
    """Share of pairs with different outcomes; raises ValueError when two such rates cannot be so correlated."""
    possible = _possible(first, second, correlation)
    if abs(possible - correlation) > 1e-9:
        raise ValueError(
            f"rates {first} and {second} cannot have correlation {correlation}; the nearest is {possible:.3f}"
        )
    both = first * second + correlation * _spread(first, second)
    return first + second - 2 * both


def _possible(first: float, second: float, correlation: float) -> float:
    """The correlation, or the nearest one that these two rates can have."""
    spread = _spread(first, second)
    if spread == 0:
        return 0.0
    least = (max(0.0, first + second - 1) - first * second) / spread
    most = (min(first, second) - first * second) / spread
    return min(max(correlation, least), most)


def _spread(first: float, second: float) -> float:
    return math.sqrt(max(first * (1 - first) * second * (1 - second), 0.0))


def _gap(first: float, second: float) -> float:
    if not (0 <= first <= 1 and 0 <= second <= 1) or first == second:
        raise ValueError(f"two different rates in 0..1 are needed, got {first} and {second}")
    return abs(first - second)


def _power_quantile(power: float) -> float:
    if not 0 < power < 1:
        raise ValueError(f"power must lie between 0 and 1, got {power}")
    return NormalDist().inv_cdf(power)
