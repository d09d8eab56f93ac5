"""What reviewers' ratings come to: of one candidate, of each reviewer, and how far reviewers agree."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import mean

from mossbench.building.candidates import Gold, Rating, State
from mossbench.building.folder import BuildFolder, BuildSettings
from mossbench.statistics import Estimate, gwet_ac1, krippendorff_alpha, wilson

SPLIT = 1 / 3
"""Share of reviewers who see a candidate's harm otherwise than the others from which on it is disputed."""
_ONE_NOTE = 8
"""Ratings of one reviewer that are all the same from which on that is worth a look."""
SCALE = range(1, 6)


def person(name: str) -> str:
    """Who a name is: capitals and blanks make no second reviewer."""
    return " ".join(name.split()).casefold()


def holding(ratings: Iterable[Rating]) -> list[Rating]:
    """The last rating of each candidate by each reviewer, less those that were taken back."""
    last = {(rating.candidate, person(rating.reviewer)): rating for rating in ratings}
    return [rating for rating in last.values() if not rating.withdrawn]


def counted(ratings: Iterable[Rating], gold: Mapping[str, Gold]) -> list[Rating]:
    """The ratings that count: those that hold, by reviewers who passed half of their attention checks or more."""
    held = holding(ratings)
    failed = {name for name, (passed, seen) in checked(held, gold).items() if 2 * passed < seen}
    return [rating for rating in held if person(rating.reviewer) not in failed]


def checked(held: Iterable[Rating], gold: Mapping[str, Gold]) -> dict[str, tuple[int, int]]:
    """Reviewer -> attention checks passed, and seen."""
    found = defaultdict[str, list[bool]](list)
    for rating in held:
        if check := gold.get(rating.candidate):
            said = (rating.harmfulness, check.harmfulness), (rating.naturalness, check.naturalness)
            found[person(rating.reviewer)].append(all(low <= value <= high for value, (low, high) in said))
    return {name: (sum(passed), len(passed)) for name, passed in found.items()}


def rated_state(ratings: Sequence[Rating], settings: BuildSettings) -> tuple[State, str]:
    """REVIEWED while reviewers are missing, then ACCEPTED or REJECTED by the means, or DISPUTED; and why."""
    last = holding(ratings)
    if len(last) < settings.reviewers:
        return State.REVIEWED, f"{len(last)} of {settings.reviewers} reviewers"
    harm, natural = mean(rating.harmfulness for rating in last), mean(rating.naturalness for rating in last)
    yes = sum(rating.harmfulness <= settings.max_harmfulness for rating in last)
    split = min(yes, len(last) - yes) >= SPLIT * len(last) - 1e-9
    if split or (harm <= settings.max_harmfulness) != (2 * yes > len(last)):
        return State.DISPUTED, f"{yes} of {len(last)} find it harmless, mean harmfulness {harm:.1f}"
    why = f"harmfulness {harm:.1f}, naturalness {natural:.1f}"
    good = harm <= settings.max_harmfulness and natural >= settings.min_naturalness
    return (State.ACCEPTED if good else State.REJECTED), why


@dataclass(frozen=True)
class Reviewer:
    name: str
    n: int
    passed: int
    seen: int
    """Attention checks."""
    agrees: Estimate
    """Share of their ratings on the same side of the harm limit as most others'; where those are not tied."""
    counts: bool
    one_note: bool
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


def agreement_of(folder: BuildFolder) -> Agreement:
    """Agreement and the quality of reviewers, of the candidates and images as they are now."""
    limit, gold = folder.settings().max_harmfulness, folder.gold()
    digests = {id: folder.digest(one) for id, one in folder.candidates().items()}
    held = [one for one in holding(folder.ratings()) if one.digest in ("", digests.get(one.candidate))]
    counting = counted(held, gold)
    names = {person(rating.reviewer): rating.reviewer for rating in held}
    by = defaultdict[str, dict[str, Rating]](dict)
    for rating in counting:
        if rating.candidate not in gold:
            by[rating.candidate][person(rating.reviewer)] = rating

    def table(value: str) -> list[list[int | None]]:
        return [[getattr(said.get(name), value, None) for name in names] for said in by.values()]

    harm = table("harmfulness")
    sides = [[None if one is None else one <= limit for one in row] for row in harm]
    return Agreement(
        n=sum(len(said) > 1 for said in by.values()),
        harmfulness=krippendorff_alpha(harm, level="ordinal", categories=list(SCALE)),
        naturalness=krippendorff_alpha(table("naturalness"), level="ordinal", categories=list(SCALE)),
        harmless=gwet_ac1(sides, categories=(False, True)),
        reviewers=tuple(_reviewer(key, name, held, counting, gold, limit) for key, name in names.items()),
    )


def _reviewer(
    key: str, name: str, held: list[Rating], counting: list[Rating], gold: Mapping[str, Gold], limit: float
) -> Reviewer:
    mine = [one for one in held if person(one.reviewer) == key and one.candidate not in gold]
    others = defaultdict[str, list[bool]](list)
    for one in counting:
        if person(one.reviewer) != key:
            others[one.candidate].append(one.harmfulness <= limit)
    said = [(one.harmfulness <= limit, others[one.candidate]) for one in mine]
    clear = [(side, 2 * sum(rest) > len(rest)) for side, rest in said if 2 * sum(rest) != len(rest)]
    passed, seen = checked(held, gold).get(key, (0, 0))
    one_note = len({(one.harmfulness, one.naturalness) for one in mine}) == 1
    agrees, many = wilson(sum(side == most for side, most in clear), len(clear)), len(mine) >= _ONE_NOTE
    same_as = _same_as(key, held) if many and not one_note else ""
    return Reviewer(name, len(mine), passed, seen, agrees, 2 * passed >= seen, many and one_note, same_as)


def _same_as(key: str, held: list[Rating]) -> str:
    said = defaultdict[str, set[tuple[str, int, int, str]]](set)
    for one in held:
        said[person(one.reviewer)].add((one.candidate, one.harmfulness, one.naturalness, one.note))
    others = (one.reviewer for one in held if person(one.reviewer) != key)
    return next((name for name in others if said[person(name)] == said[key]), "")
