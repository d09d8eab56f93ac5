"""Are safer models more oversensitive? The published plot of 16 models, as drawn and corrected.

Safety over all three stimuli can be counted by items (100, 44 and 100 of 244) or by stimulus (each a third). Both are
given; the correlation over all takes the second, as the published averages of oversensitivity do.
"""

import math
from dataclasses import dataclass, replace

import numpy as np

from mossbench.published.tables import STIMULI, PublishedPoint, published_points
from mossbench.statistics import Estimate, holm, spearman, spearman_test

PRINTED_RHO = {"er": 0.19, "nh": 0.40, "ci": 0.47}


@dataclass(frozen=True)
class Tradeoff:
    """Whether safer models are more oversensitive, for one stimulus or all three together, over 16 models."""

    stimulus: str
    """`er`, `nh`, `ci` or `all`."""
    printed: float | None
    """None: not printed."""
    plotted: Estimate
    """Recomputed from the plot as it is."""
    corrected: Estimate
    p: float
    """Of the corrected one, by shuffling models."""
    p_plotted: float
    """The same of the plot as it is."""
    p_adjusted: float = math.nan
    """By Holm over the three stimuli and all together."""
    p_plotted_adjusted: float = math.nan

    @property
    def clear(self) -> bool:
        """Shown with our corrections and without them."""
        return self.p_adjusted <= 0.05 and self.p_plotted_adjusted <= 0.05


@dataclass(frozen=True)
class Safety:
    """One model's share of harmful requests refused, counted in both ways."""

    model: str
    by_items: float
    by_stimulus: float
    inferred: bool
    """Whether a cell of it is our reading and not what was drawn."""


def tradeoffs() -> tuple[Tradeoff, ...]:
    """All stimuli together first, then each of them; p corrected over all of them."""
    found = [_tradeoff(name) for name in ("all", *STIMULI)]
    both = zip(found, holm([one.p for one in found]), holm([one.p_plotted for one in found]), strict=True)
    return tuple(replace(one, p_adjusted=float(p), p_plotted_adjusted=float(q)) for one, p, q in both)


def safety() -> tuple[Safety, ...]:
    points = sorted(published_points(), key=lambda point: -point.safe_by_items)
    return tuple(Safety(one.model, one.safe_by_items, one.safe_by_stimulus, bool(one.inferred)) for one in points)


def _tradeoff(name: str) -> Tradeoff:
    plotted, corrected = (
        _columns(points, name) for points in (published_points(tabled=False, swapped=False), published_points())
    )
    p, q = (spearman_test(*columns, rng=np.random.default_rng(0)).p for columns in (corrected, plotted))
    return Tradeoff(name, PRINTED_RHO.get(name), spearman(*plotted), spearman(*corrected), p, q)


def _columns(points: tuple[PublishedPoint, ...], name: str) -> tuple[list[float], list[float]]:
    if name == "all":
        return [sum(point.over) / len(point.over) for point in points], [point.safe_by_stimulus for point in points]
    k = STIMULI.index(name)
    return [point.over[k] for point in points], [point.safe[k] for point in points]
