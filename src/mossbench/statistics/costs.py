"""What errors to two sides cost together, over the share of rows that really call for a yes.

One false alarm costs 1, one miss costs `ratio`. Saying yes always costs only false alarms, never saying it only misses;
a system is worth its while where it costs less than both. That depends on `odds x ratio` alone: the odds of a row that
calls for a yes, times what a miss costs.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mossbench.statistics.estimates import Estimate
from mossbench.statistics.paired import square_and_add

PER = 1000
"""Rows that a cost is given for."""


@dataclass(frozen=True)
class CostPoint:
    """The expected cost of 1,000 rows at one base rate."""

    base_rate: float
    """Share of rows that call for a yes."""
    cost: Estimate
    never: float
    always: float


@dataclass(frozen=True)
class CostCurve:
    """Costs over base rates for one ratio, and where they lie below those of always and of never saying yes."""

    ratio: float
    points: tuple[CostPoint, ...]
    better: tuple[float, float] | None
    """Base rates between which it costs less than both; None: nowhere."""
    shown: tuple[float, float] | None
    """The same where the intervals show it."""


def cost_curve(
    alarms: Estimate, hits: Estimate, *, ratio: float, base_rates: Sequence[float], correlation: float = 0.0
) -> CostCurve:
    """The cost curve of a system with these rates of false alarms and hits, whose errors have this correlation.

    Intervals join those of both rates by square-and-add (Zou and Donner 2008, Stat. Med. 27:1693). Worked number: 10 %
    false alarms, 80 % hits, base rate 0.1, ratio 5: 1000 * (0.9 * 0.1 + 0.1 * 0.2 * 5) = 190; never 500, always 900;
    better from odds x ratio 0.1 / 0.8 to 0.9 / 0.2, that is base rates 0.0244 to 0.474.
    """
    points = tuple(_point(alarms, hits, ratio, base, correlation) for base in base_rates)
    if math.isnan(alarms.value + hits.value) or hits.value <= alarms.value:
        return CostCurve(ratio, points, None, None)
    most = (1 - alarms.value) / (1 - hits.value) if hits.value < 1 else math.inf
    better = _base_rate(alarms.value / hits.value, ratio), _base_rate(most, ratio)
    shown = _shown(alarms, hits, correlation)
    return CostCurve(
        ratio, points, better, (_base_rate(shown[0], ratio), _base_rate(shown[1], ratio)) if shown else None
    )


def _point(alarms: Estimate, hits: Estimate, ratio: float, base: float, correlation: float) -> CostPoint:
    calm, harmful = PER * (1 - base), PER * base * ratio
    value = calm * alarms.value + harmful * (1 - hits.value)
    below = square_and_add(calm * (alarms.value - alarms.low), harmful * (hits.high - hits.value), correlation)
    above = square_and_add(calm * (alarms.high - alarms.value), harmful * (hits.value - hits.low), correlation)
    if math.isnan(below):  # square_and_add gives 0 for what is not known
        below = above = math.nan
    n, left_out = alarms.n + hits.n, alarms.n_left_out + hits.n_left_out
    cost = Estimate(value, max(value - below, 0.0), value + above, n, left_out, "square-and-add")
    return CostPoint(base, cost, harmful, calm)


def _shown(alarms: Estimate, hits: Estimate, correlation: float) -> tuple[float, float] | None:
    """The lowest and highest odds x ratio at which the intervals show that it costs less than always and never."""
    if math.isnan(alarms.low + hits.low):
        return None
    weight = np.geomspace(1e-6, 1e6, 4801)
    one, other = alarms.high - alarms.value, weight * (hits.value - hits.low)
    half = np.sqrt(np.maximum(one * one + other * other - 2 * correlation * one * other, 0))  # as square_and_add
    less_than_never = alarms.value - weight * hits.value + half < 0
    less_than_always = weight * (1 - hits.value) - (1 - alarms.value) + half < 0
    found = weight[less_than_never & less_than_always].tolist()
    return (found[0], found[-1]) if found else None


def _base_rate(weight: float, ratio: float) -> float:
    """The base rate whose odds times `ratio` are `weight`."""
    return 1.0 if math.isinf(weight) else weight / (weight + ratio)
