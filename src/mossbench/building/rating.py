"""What reviewers' ratings come to: of one candidate, of each reviewer, and how far reviewers agree."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import mean
from typing import Literal, NamedTuple

from mossbench.building.candidates import Gold, Rating, State
from mossbench.building.folder import BuildFolder, BuildSettings
from mossbench.statistics import Estimate, gwet_ac1, krippendorff_alpha, wilson

SPLIT = 1 / 3
"""Share of reviewers who see a candidate's harm otherwise than the others from which on it is disputed."""
_ROUNDING = 1e-9
"""So that one reviewer of three reaches a third."""
_ONE_NOTE = 8
"""Ratings of one reviewer that are all the same from which on that is worth a look."""
SCALE = range(1, 6)


class DerivedState(NamedTuple):
    """A candidate's state, and why it has that state."""

    state: State
    why: str


class AttentionChecks(NamedTuple):
    """How many attention checks a reviewer has passed, and how many they have rated."""

    passed: int
    seen: int

    @property
    def are_failed(self) -> bool:
        """Whether fewer than half of them were passed."""
        return 2 * self.passed < self.seen


def reviewer_key(name: str) -> str:
    """Who a name is: capitals and blanks make no second reviewer."""
    return " ".join(name.split()).casefold()


def latest_ratings(ratings: Iterable[Rating]) -> list[Rating]:
    """The last rating of each candidate by each reviewer, without those that were taken back."""
    latest = {(rating.candidate, reviewer_key(rating.reviewer)): rating for rating in ratings}
    return [rating for rating in latest.values() if not rating.withdrawn]


def counted_ratings(ratings: Iterable[Rating], gold: Mapping[str, Gold]) -> list[Rating]:
    """The latest ratings by reviewers who passed half of their attention checks or more."""
    latest = latest_ratings(ratings)
    failed = {key for key, checks in attention_checks(latest, gold).items() if checks.are_failed}
    return [rating for rating in latest if reviewer_key(rating.reviewer) not in failed]


def attention_checks(latest: Iterable[Rating], gold: Mapping[str, Gold]) -> dict[str, AttentionChecks]:
    """Key of a reviewer -> their attention checks; a reviewer who has rated none is not in it."""
    passed = defaultdict[str, list[bool]](list)
    for rating in latest:
        check = gold.get(rating.candidate)
        if check is not None:
            passed[reviewer_key(rating.reviewer)].append(_passes(rating, check))
    return {key: AttentionChecks(sum(of_reviewer), len(of_reviewer)) for key, of_reviewer in passed.items()}


def _passes(rating: Rating, check: Gold) -> bool:
    lowest_harm, highest_harm = check.harmfulness
    lowest_natural, highest_natural = check.naturalness
    return lowest_harm <= rating.harmfulness <= highest_harm and lowest_natural <= rating.naturalness <= highest_natural


def rated_state(ratings: Sequence[Rating], settings: BuildSettings) -> DerivedState:
    """REVIEWED while reviewers are missing, then ACCEPTED or REJECTED by the means, or DISPUTED; and why."""
    latest = latest_ratings(ratings)
    n = len(latest)
    if n < settings.reviewers:
        return DerivedState(State.REVIEWED, f"{n} of {settings.reviewers} reviewers")
    harm = mean(rating.harmfulness for rating in latest)
    natural = mean(rating.naturalness for rating in latest)
    is_harmless = harm <= settings.max_harmfulness
    n_harmless = sum(rating.harmfulness <= settings.max_harmfulness for rating in latest)
    is_split = min(n_harmless, n - n_harmless) >= SPLIT * n - _ROUNDING
    most_find_it_harmless = 2 * n_harmless > n
    if is_split or is_harmless != most_find_it_harmless:
        return DerivedState(State.DISPUTED, f"{n_harmless} of {n} find it harmless, mean harmfulness {harm:.1f}")
    is_accepted = is_harmless and natural >= settings.min_naturalness
    state = State.ACCEPTED if is_accepted else State.REJECTED
    return DerivedState(state, f"harmfulness {harm:.1f}, naturalness {natural:.1f}")


@dataclass(frozen=True)
class Reviewer:
    name: str
    n: int
    """Candidates that they have rated."""
    passed: int
    seen: int
    """Attention checks."""
    agrees: Estimate
    """Share of their ratings on the same side of the harm limit as most others'; where those are not tied."""
    counts: bool
    one_note: bool
    """Whether all of their ratings are the same, and there are many."""
    same_as: str = ""
    """Somebody else whose ratings and notes are all the same as theirs, as if one sheet was read under two names."""


@dataclass(frozen=True)
class Agreement:
    """How far the reviewers who count agree, over candidates that two or more of them rated."""

    n: int
    harmfulness: Estimate
    """Krippendorff's alpha for ordered ratings."""
    naturalness: Estimate
    harmless: Estimate
    """Gwet's AC1 of harmless or not: it stays sensible where nearly all are harmless."""
    reviewers: tuple[Reviewer, ...]


@dataclass(frozen=True)
class _Ratings:
    """The latest ratings of a build, of the candidates and images as they are now."""

    latest: list[Rating]
    counted: list[Rating]
    """Without those of reviewers who failed their attention checks."""
    gold: Mapping[str, Gold]
    limit: float
    """The highest harmfulness that is harmless."""

    @property
    def names(self) -> dict[str, str]:
        """Key of a reviewer -> their name."""
        return {reviewer_key(rating.reviewer): rating.reviewer for rating in self.latest}

    def is_harmless(self, rating: Rating) -> bool:
        return rating.harmfulness <= self.limit


def agreement_of(folder: BuildFolder) -> Agreement:
    """Agreement and the quality of reviewers, of the candidates and images as they are now."""
    ratings = _current_ratings(folder)
    by_candidate = defaultdict[str, dict[str, Rating]](dict)
    for rating in ratings.counted:
        if rating.candidate not in ratings.gold:
            by_candidate[rating.candidate][reviewer_key(rating.reviewer)] = rating
    tables = list(by_candidate.values())
    harm = [_values(by_reviewer, ratings.names, "harmfulness") for by_reviewer in tables]
    natural = [_values(by_reviewer, ratings.names, "naturalness") for by_reviewer in tables]
    harmless = [[None if value is None else value <= ratings.limit for value in values] for values in harm]
    return Agreement(
        n=sum(len(by_reviewer) > 1 for by_reviewer in tables),
        harmfulness=krippendorff_alpha(harm, level="ordinal", categories=list(SCALE)),
        naturalness=krippendorff_alpha(natural, level="ordinal", categories=list(SCALE)),
        harmless=gwet_ac1(harmless, categories=(False, True)),
        reviewers=tuple(_reviewer(key, name, ratings) for key, name in ratings.names.items()),
    )


def _current_ratings(folder: BuildFolder) -> _Ratings:
    limit = folder.settings().max_harmfulness
    gold = folder.gold()
    digests = {id: folder.digest(candidate) for id, candidate in folder.candidates().items()}
    latest = latest_ratings(folder.ratings())
    current = [rating for rating in latest if rating.digest in ("", digests.get(rating.candidate))]
    return _Ratings(current, counted_ratings(current, gold), gold, limit)


def _values(
    by_reviewer: Mapping[str, Rating], keys: Iterable[str], scale: Literal["harmfulness", "naturalness"]
) -> list[int | None]:
    """What each reviewer gave one candidate; None where they have not rated it."""
    values: list[int | None] = []
    for key in keys:
        rating = by_reviewer.get(key)
        values.append(None if rating is None else getattr(rating, scale))
    return values


def _reviewer(key: str, name: str, ratings: _Ratings) -> Reviewer:
    own = [
        rating
        for rating in ratings.latest
        if reviewer_key(rating.reviewer) == key and rating.candidate not in ratings.gold
    ]
    checks = attention_checks(ratings.latest, ratings.gold).get(key, AttentionChecks(0, 0))
    are_all_the_same = len({(rating.harmfulness, rating.naturalness) for rating in own}) == 1
    are_many = len(own) >= _ONE_NOTE
    return Reviewer(
        name=name,
        n=len(own),
        passed=checks.passed,
        seen=checks.seen,
        agrees=_agreement_with_most(key, own, ratings),
        counts=not checks.are_failed,
        one_note=are_many and are_all_the_same,
        same_as=_same_as(key, ratings.latest) if are_many and not are_all_the_same else "",
    )


def _agreement_with_most(key: str, own: Sequence[Rating], ratings: _Ratings) -> Estimate:
    """Share of a reviewer's own ratings on the side of most others; candidates on which those are tied do not count."""
    harmless_to_others = defaultdict[str, list[bool]](list)
    for rating in ratings.counted:
        if reviewer_key(rating.reviewer) != key:
            harmless_to_others[rating.candidate].append(ratings.is_harmless(rating))
    agrees = []
    for rating in own:
        n_others = len(harmless_to_others[rating.candidate])
        n_harmless = sum(harmless_to_others[rating.candidate])
        if 2 * n_harmless != n_others:
            agrees.append(ratings.is_harmless(rating) == (2 * n_harmless > n_others))
    return wilson(sum(agrees), len(agrees))


def _same_as(key: str, latest: Sequence[Rating]) -> str:
    """The name of another reviewer who has given the very same ratings and notes; empty: nobody has."""
    contents = defaultdict[str, set[tuple[str, int, int, str]]](set)
    for rating in latest:
        content = (rating.candidate, rating.harmfulness, rating.naturalness, rating.note)
        contents[reviewer_key(rating.reviewer)].add(content)
    for rating in latest:
        key_of_rating = reviewer_key(rating.reviewer)
        if key_of_rating != key and contents[key_of_rating] == contents[key]:
            return rating.reviewer
    return ""
