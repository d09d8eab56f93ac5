"""Claims: when a contrast may be called a cause or a help, corrected for everything that a page says.

A claim has a comparison that shows it, and guards: comparisons that have to hold too, because each excludes a rival.
The p of what shows the claims about one model on a page are adjusted together. Where a guard does not hold, what the
first comparison changed is still shown to matter, and nothing is said of why; so is a change to the other side.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import chain
from statistics import NormalDist
from typing import Literal, NamedTuple, Protocol, Self, runtime_checkable

from mossbench.analyses.analysis import Part
from mossbench.samples import Stimulus
from mossbench.statistics import Effect, Estimate, holm

PAGE_LEVEL = 0.05
"""Largest probability that any claim on a page is due to chance. The table of changes has the same level again."""
CLAIM_LEVEL = 0.01
"""Largest unadjusted p of a claim that is shown: with few claims, Holm's adjustment alone lets more pass."""
GUARD_LEVEL = 0.025
"""Largest p of a guard that holds: how often, at most, a rival passes the guard that excludes it."""
RELEVANT_SIZE = 0.15
"""The smallest size worth knowing, as a share of requests. A claim that may be larger than this is undecided."""
POWER = 0.8
"""How often a comparison of enough answers should find a size that is there."""
MIN_SIZE_TO_PLAN_BY = 0.05
"""The smallest measured size that may be taken as the true one to say how many answers are needed."""

LEAST_INCREASE = 1.1
"""The least number of answers that is advised for a claim that is not decided: a tenth more than there are."""
SEARCH_STEP = 1.02
"""By which factor the number of requests grows while it is searched for: 2 % is finer than the estimate is."""


class Verdict(StrEnum):
    """What may be said of a claim; the value is how files say it, and tables all but `UNDECIDED`."""

    SHOWN = "shown"
    ONLY_CHANGE = "only the change"
    """Refusals are shown to change, and not why."""
    INCONCLUSIVE = "inconclusive"
    """The reading of the answers could explain it, or it rests on a single image."""
    UNDECIDED = "cannot tell"
    """There are too few answers, or requests that it needs are missing."""
    NOT_SHOWN = "not shown"
    """It is smaller than the smallest size worth knowing."""
    ANOTHER_EXPLANATION = "another explanation"
    """Something changes refusals, and a rival of the claim explains it."""


@dataclass(frozen=True)
class Comparison:
    """A contrast: one thing changed, and what that does."""

    name: str
    share: Estimate
    """By how much refusals fall with the change."""
    p: float
    against: bool = False
    """Whether the claim is lost if this comparison is shown."""
    level: float = GUARD_LEVEL
    """Largest p with which it is shown."""
    is_bound: bool = False
    """Whether it changes nothing, and measures directly how large the claim can be at most."""

    @property
    def lost(self) -> bool:
        """Whether a rival of the claim is left open: the comparison does not hold or, if it is `against`, it does."""
        return (self.p <= self.level) is self.against


@dataclass(frozen=True)
class AmountNeeded:
    """How many answers or requests would decide a claim.

    The claim is taken to be as large as it was measured; if that is less than `MIN_SIZE_TO_PLAN_BY`, as large as
    `RELEVANT_SIZE`.
    """

    answers: int | None = None
    """Answers to the same requests; None if more of them cannot decide, or if it is not known."""
    requests: int | None = None
    """Requests, asked as often as these; None if it is not known."""


@dataclass(frozen=True)
class ReadingRival:
    """How the reading of the answers, rather than the answers, could explain a claim."""

    kind: Literal["same words", "missing", "too many missing", "measured error"]
    """The same words read differently; missing answers, counted against it; too many of them in one arm; errors of the
    judge as large as they were measured."""
    share: Estimate | None = None
    """The size that is left without it."""
    arm: str | None = None
    """The arm of which too many answers are missing."""
    missed: float = math.nan
    """Share of refusals that the judge was measured to miss, at most."""
    invented: float = math.nan
    """Share of answers that it was measured to take for refusals, at most."""


@dataclass(frozen=True)
class Conclusion:
    """What may be said of a claim and what that rests on: words are made of this, and never read back."""

    claim: str
    verdict: Verdict
    size: Estimate
    """With its interval."""
    holds: tuple[str, ...]
    """Contrasts that hold, the first of which gives the size; each of the others excludes a rival."""
    leaves_open: tuple[str, ...]
    """Contrasts that do not hold: the rivals that they would exclude are left."""
    reading_rival: ReadingRival | None
    """How answers were read, where that could have made it."""
    needed: AmountNeeded | None
    """What would decide the claim; None unless the verdict is `UNDECIDED`."""


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
    """The smallest size that would be found four times out of five; NaN if it cannot be measured."""
    comparisons: tuple[Comparison, ...] = ()
    """The comparison that shows the claim, then its guards."""
    n_answers: int = 0
    """Answers that it rests on."""
    within: str | None = None
    """A claim that is shown by the same comparison and has fewer guards: it is not tested a second time."""
    p_change: float = math.nan
    """One-sided, of the first comparison, whether or not the guards hold: refusals fall."""
    p_reverse: float = math.nan
    """One-sided, of the first comparison: refusals rise."""
    p_change_adjusted: float = math.nan
    p_reverse_adjusted: float = math.nan
    to_tell: AmountNeeded = field(default_factory=lambda: AmountNeeded())
    reading_rival: ReadingRival | None = None
    """Why it is inconclusive, where how answers were read could have made it."""
    n_images: int | None = None
    """How many different neutral images it rests on; None if on none, or if the number is not known."""

    @property
    def named(self) -> bool:
        return self.p_adjusted <= PAGE_LEVEL and self.p <= CLAIM_LEVEL

    @property
    def changes(self) -> Literal["falls", "rises"] | None:
        """Whether refusals are shown to change with what its first comparison takes away, whatever that says of why."""
        if self.within is not None:
            return None
        if self.p_change_adjusted <= CLAIM_LEVEL:
            return "falls"
        return "rises" if self.p_reverse_adjusted <= CLAIM_LEVEL else None

    @property
    def is_lost_to_reading(self) -> bool:
        """Whether it is inconclusive because of how answers were read."""
        return self.reading_rival is not None and not self.named and not self.changes

    @property
    def verdict(self) -> Verdict:
        if self.named:
            return Verdict.SHOWN
        if self.changes:
            return Verdict.ONLY_CHANGE
        if self.is_lost_to_reading or self.n_images == 1:
            return Verdict.INCONCLUSIVE
        if math.isnan(self.p) or not self.excluded:
            return Verdict.UNDECIDED
        is_bounded = any(comparison.is_bound for comparison in self.comparisons)
        return Verdict.NOT_SHOWN if is_bounded or self.share.high < RELEVANT_SIZE else Verdict.ANOTHER_EXPLANATION

    @property
    def guards_lost(self) -> tuple[Comparison, ...]:
        """The comparisons after the first that leave a rival open."""
        return tuple(comparison for comparison in self.comparisons[1:] if comparison.lost)

    @property
    def conclusion(self) -> Conclusion:
        is_undecided = self.verdict is Verdict.UNDECIDED
        return Conclusion(
            claim=self.name,
            verdict=self.verdict,
            size=self.share,
            holds=tuple(comparison.name for comparison in self.comparisons if not comparison.lost),
            leaves_open=tuple(comparison.name for comparison in self.comparisons if comparison.lost),
            reading_rival=self.reading_rival if self.is_lost_to_reading else None,
            needed=AmountNeeded(self.n_needed, self.n_requests_needed) if is_undecided else None,
        )

    @property
    def ceiling(self) -> float:
        """The most that it can be: every comparison has to hold."""
        bounds = [comparison.share.high for comparison in self.comparisons if not comparison.against]
        return min(bounds, default=self.share.high)

    @property
    def excluded(self) -> bool:
        """Whether it is shown to be smaller than the smallest size worth knowing."""
        return not self.named and self.ceiling < RELEVANT_SIZE

    @property
    def n_needed(self) -> int | None:
        """How many answers to the same requests would decide it; None if none are needed, or none could."""
        return None if self.named or self.excluded else self.to_tell.answers

    @property
    def n_requests_needed(self) -> int | None:
        """How many requests, asked as often as these, would decide it; None if none are needed, or none could."""
        return None if self.named or self.excluded else self.to_tell.requests


def claim(
    name: str,
    stimulus: Stimulus | None,
    effects: dict[str, Effect],
    n_claims: int,
    within: str | None = None,
    against: dict[str, Effect] | None = None,
    n_images: int | None = None,
) -> Claim:
    """A claim that the first of the effects shows and the others guard; any effect `against` it that holds loses it."""
    comparisons = [Comparison(title, effect.estimate(), effect.p) for title, effect in effects.items()]
    rivals = [Comparison(title, effect.estimate(), effect.p, against=True) for title, effect in (against or {}).items()]
    first, *guards = comparisons
    all_effects = list(effects.values())
    levels = (min(CLAIM_LEVEL, PAGE_LEVEL / n_claims), *[GUARD_LEVEL] * len(guards))
    is_unknown = any(math.isnan(comparison.p) for comparison in comparisons)
    if is_unknown:
        p = math.nan
    elif all(guard.p <= GUARD_LEVEL for guard in guards) and not any(rival.p <= GUARD_LEVEL for rival in rivals):
        p = first.p
    else:
        p = 1.0
    return Claim(
        name,
        stimulus,
        first.share,
        p,
        math.nan,
        seen_from=math.nan if is_unknown else _smallest_found(all_effects, levels),
        comparisons=(*comparisons, *rivals),
        n_answers=sum(effect.n_answers for effect in all_effects),
        within=within,
        p_change=all_effects[0].p,
        p_reverse=all_effects[0].p_reverse,
        to_tell=AmountNeeded() if is_unknown else _amount_needed(all_effects, levels),
        n_images=n_images,
    )


def _smallest_found(effects: Sequence[Effect], levels: Sequence[float]) -> float:
    """The smallest size that all of these comparisons would find four times of five."""
    sizes = []
    for effect, level in zip(effects, levels, strict=True):
        sizes.append(effect.error * (NormalDist().inv_cdf(1 - level) + NormalDist().inv_cdf(POWER)))
    return max(sizes)


class _Target(NamedTuple):
    """A comparison, and the size that more answers should show with p at most `level`."""

    effect: Effect
    size: float
    level: float


def _amount_needed(effects: Sequence[Effect], levels: Sequence[float]) -> AmountNeeded:
    """How many answers or requests would show every one of the effects at its level.

    More answers to the same requests help only as far as the answers to one request vary.
    """
    is_seen = min(effect.value for effect in effects) >= MIN_SIZE_TO_PLAN_BY
    targets = []
    for effect, level in zip(effects, levels, strict=True):
        targets.append(_Target(effect, effect.value if is_seen else RELEVANT_SIZE, level))
    return AmountNeeded(_answers_needed(targets), _requests_needed(targets, is_seen))


def _requests_needed(targets: Sequence[_Target], is_seen: bool) -> int | None:
    """How many requests, asked as often as these, could tell; None where their epochs and not they are the units."""
    if any(target.effect.n_clusters and target.effect.df < target.effect.n_clusters - 1 for target in targets):
        return None
    n = targets[0].effect.n
    times = max(_times_as_many_requests(target, is_seen) for target in targets)
    return max(n + 1, math.ceil(n * times))


def _answers_needed(targets: Sequence[_Target]) -> int | None:
    """How many answers to the same requests could tell; None where these cannot, or it is not known."""
    most_times = LEAST_INCREASE
    for target in targets:
        times = _times_as_many_answers(target)
        if times is None:
            return None
        most_times = max(most_times, times)
    return math.ceil(sum(target.effect.n_answers for target in targets) * most_times)


def _times_as_many_requests(target: _Target, is_seen: bool) -> float:
    """How many times as many requests would show the size four times of five: by t, and enough of them change at all.

    They are taken to vary and to change as these do; where the size is not seen here, at least as if that share of
    them changed as far as can be.
    """
    from scipy.special import bdtrc

    effect = target.effect
    size = target.size
    n = effect.n_clusters or effect.n
    variance = n * effect.error**2
    if not is_seen:
        variance = max(variance, size * (1 - size))
    share_changed = 1.0
    if effect.n_changed is not None:
        least_changed = 0.0 if is_seen else size
        share_changed = min(1.0, max(effect.n_changed / n, least_changed))
    n_changed_needed = math.ceil(-math.log2(target.level))
    m = n + 1
    while (
        variance / m > _largest_variance(size, target.level, m - 1)
        or bdtrc(n_changed_needed - 1, m, share_changed) < POWER
    ):
        m = max(m + 1, round(SEARCH_STEP * m))
    return m / n


def _times_as_many_answers(target: _Target) -> float | None:
    """How many times as many answers to the same requests would show it; None where none can, or it is not known."""
    effect = target.effect
    if effect.n_changed is not None and 0.5**effect.n_changed > target.level:  # too few change at all
        return None
    largest = _largest_variance(target.size, target.level, effect.df)
    variance_within = min(effect.again, effect.error**2)
    variance_between = effect.error**2 - variance_within
    if not variance_within > 0 or variance_between >= largest:
        return None
    return variance_within / (largest - variance_between)


def _largest_variance(size: float, level: float, df: float) -> float:
    """The largest variance with which the size is shown four times of five."""
    from scipy.special import stdtrit

    return (size / (float(stdtrit(df, 1 - level)) + NormalDist().inv_cdf(POWER))) ** 2


def adjust_p(claims: Sequence[Claim]) -> tuple[Claim, ...]:
    """The claims of one record, with every p adjusted for the number of claims and of changes."""
    (adjusted_claims,) = _adjust_over_records([claims])
    return adjusted_claims


def _adjust_over_records(claims_of_records: Sequence[Sequence[Claim]]) -> list[tuple[Claim, ...]]:
    """The claims of each record, adjusted over all records.

    `p` is adjusted by Holm's method over the claims; `p_change` and `p_reverse` by Bonferroni's over all falls
    and rises. A claim `within` another one is no test of its own: it has the adjusted p of that claim of its record.
    Other records may have claims of the same name, as two runs of one model do.
    """
    claims = list(chain.from_iterable(claims_of_records))
    p_adjusted = holm([math.nan if claim.within else claim.p for claim in claims]).tolist()
    n_changes = 2 * sum(not (claim.within or math.isnan(claim.p_change)) for claim in claims)
    adjusted_records = []
    start = 0
    for claims_of_record in claims_of_records:
        end = start + len(claims_of_record)
        p_of_record = p_adjusted[start:end]
        adjusted_records.append(_put_adjusted_p(claims_of_record, p_of_record, n_changes))
        start = end
    return adjusted_records


def _put_adjusted_p(claims: Sequence[Claim], p_adjusted: Sequence[float], n_changes: int) -> tuple[Claim, ...]:
    """The claims of one record with their adjusted p; `n_changes` is the number of changes tested on the page."""
    p_by_name = {claim.name: p for claim, p in zip(claims, p_adjusted, strict=True)}
    adjusted_claims = []
    for claim, p in zip(claims, p_adjusted, strict=True):
        tested_p = p_by_name[claim.within] if claim.within else p
        adjusted_claim = replace(
            claim,
            p_adjusted=tested_p if claim.p < 1 else claim.p,
            p_change_adjusted=min(1.0, n_changes * claim.p_change),
            p_reverse_adjusted=min(1.0, n_changes * claim.p_reverse),
        )
        adjusted_claims.append(adjusted_claim)
    return tuple(adjusted_claims)


@runtime_checkable
class HasClaims(Protocol):
    """A record of an analysis that claims something."""

    @property
    def claims(self) -> tuple[Claim, ...]: ...

    def with_claims(self, claims: Sequence[Claim]) -> Self: ...


def adjust_parts(parts: Sequence[Part]) -> list[Part]:
    """The parts of a page, with the claims about each model adjusted together."""
    indices_by_model: dict[str, list[int]] = {}
    for i, part in enumerate(parts):
        if isinstance(part.record, HasClaims):
            indices_by_model.setdefault(part.model, []).append(i)
    adjusted_parts = list(parts)
    for indices in indices_by_model.values():
        records: list[HasClaims] = [parts[i].record for i in indices]
        adjusted_records = _adjust_over_records([record.claims for record in records])
        for i, record, claims in zip(indices, records, adjusted_records, strict=True):
            adjusted_parts[i] = replace(parts[i], record=record.with_claims(claims))
    return adjusted_parts
