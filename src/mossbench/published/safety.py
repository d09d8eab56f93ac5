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
    unadjusted = [_tradeoff(name) for name in ("all", *STIMULI)]
    p_adjusted = holm([tradeoff.p for tradeoff in unadjusted]).tolist()
    p_plotted_adjusted = holm([tradeoff.p_plotted for tradeoff in unadjusted]).tolist()
    return tuple(
        replace(tradeoff, p_adjusted=p, p_plotted_adjusted=p_plotted)
        for tradeoff, p, p_plotted in zip(unadjusted, p_adjusted, p_plotted_adjusted, strict=True)
    )


def safety() -> tuple[Safety, ...]:
    """The models of the plot, the safest first."""
    points = sorted(published_points(), key=lambda point: -point.safety_by_items)
    return tuple(
        Safety(point.model, point.safety_by_items, point.safety_by_stimulus, bool(point.inferred)) for point in points
    )


@dataclass(frozen=True)
class _Columns:
    """Refusal shares of the plot's models, in the same order."""

    harmless_refused: list[float]
    harmful_refused: list[float]

    def rho(self) -> Estimate:
        return spearman(self.harmless_refused, self.harmful_refused)

    def p(self) -> float:
        return spearman_test(self.harmless_refused, self.harmful_refused, rng=np.random.default_rng(0)).p


def _tradeoff(name: str) -> Tradeoff:
    plotted = _columns(published_points(tabled=False, swapped=False), name)
    corrected = _columns(published_points(), name)
    return Tradeoff(
        stimulus=name,
        printed=PRINTED_RHO.get(name),
        plotted=plotted.rho(),
        corrected=corrected.rho(),
        p=corrected.p(),
        p_plotted=plotted.p(),
    )


def _columns(points: tuple[PublishedPoint, ...], name: str) -> _Columns:
    """The columns of a stimulus, or of `all` three together."""
    if name == "all":
        return _Columns(
            harmless_refused=[sum(point.harmless_refused) / len(point.harmless_refused) for point in points],
            harmful_refused=[point.safety_by_stimulus for point in points],
        )
    k = STIMULI.index(name)
    return _Columns(
        harmless_refused=[point.harmless_refused[k] for point in points],
        harmful_refused=[point.harmful_refused[k] for point in points],
    )
