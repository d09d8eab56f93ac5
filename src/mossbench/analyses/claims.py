"""Claims: what a page may say of causes and of help, corrected for everything that it says.

A claim has a comparison that shows it, and guards: comparisons that have to hold too, because each excludes a rival.
The p of what shows the claims about one model on a page are adjusted together.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import NormalDist
from typing import Any, Protocol, Self, runtime_checkable

from mossbench.analyses.analysis import Part
from mossbench.samples import Stimulus
from mossbench.statistics import Effect, Estimate, holm

LEVEL = 0.05
"""How often at most any claim on a page may be due to chance. The table of changes has as much for itself."""
ALONE = 0.01
"""How small the p of a claim has to be before it is adjusted: with few claims, Holm alone lets more pass."""
GUARD = 0.025
"""How often at most a rival passes a guard that is there to exclude it."""
WORTH = 0.15
"""A size that one wants to know of: what may still be larger than this is not told."""
LEAST = 0.05
"""A size below which what it looks like says nothing of how many answers could tell."""


@dataclass(frozen=True)
class Comparison:
    """One thing changed, and what that does."""

    name: str
    share: Estimate
    """By how much refusals fall when it is taken away."""
    p: float


@dataclass(frozen=True)
class Claim:
    """Something that may be said of a model, and what speaks for it."""

    name: str
    stimulus: Stimulus | None
    """The harmless requests that it is measured on; None for all."""
    share: Estimate
    """Its size: how much of their refusal rate it makes."""
    p: float
    """One-sided, of the first comparison; 1 where a guard does not hold, NaN where one cannot be measured."""
    p_adjusted: float
    seen_from: float
    """A size that would be found four times of five; NaN when it cannot be measured."""
    comparisons: tuple[Comparison, ...] = ()
    """What shows it, then its guards."""
    n_answers: int = 0
    """Answers that it rests on."""
    within: str | None = None
    """A claim that is shown by the same comparison and has fewer guards: it is not tested a second time."""

    @property
    def named(self) -> bool:
        return self.p_adjusted <= LEVEL and self.p <= ALONE

    @property
    def ceiling(self) -> float:
        """The most that it can be: every comparison has to hold."""
        return min([one.share.high for one in self.comparisons], default=self.share.high)

    @property
    def excluded(self) -> bool:
        """Whether it is shown that it is smaller than what one wants to know of."""
        return not self.named and self.ceiling < WORTH

    @property
    def n_needed(self) -> int | None:
        """How many answers could tell, if it is as large as it looks, or else as large as one wants to know of."""
        if self.named or self.excluded or math.isnan(self.seen_from):
            return None
        weakest = min([one.share.value for one in self.comparisons], default=self.share.value)
        size = weakest if weakest >= LEAST else WORTH
        return max(2 * self.n_answers, math.ceil(self.n_answers * (self.seen_from / size) ** 2))


def claim(
    name: str, stimulus: Stimulus | None, effects: dict[str, Effect], n_claims: int, within: str | None = None
) -> Claim:
    """A claim that is shown by the first of these comparisons and guarded by the others."""
    parts = tuple(Comparison(part, effect.estimate(), effect.p) for part, effect in effects.items())
    first, *guards = parts
    unknown = any(math.isnan(one.p) for one in parts)
    p = math.nan if unknown else first.p if all(one.p <= GUARD for one in guards) else 1.0
    z = [NormalDist().inv_cdf(1 - LEVEL / n_claims), *[NormalDist().inv_cdf(1 - GUARD)] * len(guards)]
    needs = [e.error * (least + NormalDist().inv_cdf(0.8)) for e, least in zip(effects.values(), z, strict=True)]
    n_answers = sum(effect.n_answers for effect in effects.values())
    seen_from = math.nan if unknown else max(needs)
    return Claim(name, stimulus, first.share, p, math.nan, seen_from, parts, n_answers, within)


def adjusted(claims: Sequence[Claim]) -> tuple[Claim, ...]:
    """The claims with p adjusted over all of them."""
    p = holm([math.nan if one.within else one.p for one in claims]).tolist()
    of = {one.name: new for one, new in zip(claims, p, strict=True)}
    return tuple(replace(one, p_adjusted=one.p if not one.p < 1 else of[one.within or one.name]) for one in claims)


@runtime_checkable
class Claiming(Protocol):
    """A record that makes claims."""

    @property
    def claims(self) -> tuple[Claim, ...]: ...

    def with_claims(self, claims: Sequence[Claim]) -> Self: ...


def jointly(parts: Sequence[Part]) -> list[Part]:
    """The parts of a page, with the claims about each model adjusted together."""
    found = list(parts)
    for model in dict.fromkeys(part.model for part in parts):
        places = [i for i, part in enumerate(parts) if part.model == model and isinstance(part.record, Claiming)]
        together = list(adjusted([one for i in places for one in parts[i].record.claims]))
        for i in places:
            record: Any = parts[i].record
            n = len(record.claims)
            found[i] = replace(parts[i], record=record.with_claims(together[:n]))
            together = together[n:]
    return found
