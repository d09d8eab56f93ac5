"""What the results of a review show of a build's candidates: the decision of the build, which counts sheets too."""

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from shlex import quote
from statistics import mean

from mossbench.annotation.reviews import Reviewed
from mossbench.building.candidate_states import Standing, standings
from mossbench.building.candidates import Gold, Rating, State
from mossbench.building.folder import BuildFolder
from mossbench.building.rating import attention_checks, latest_ratings, reviewer_key
from mossbench.building.reviewing import ratings_now, review_items

_DECISION_OF_STATE = {
    State.ACCEPTED: "take",
    State.RELEASED: "take",
    State.REJECTED: "leave",
    State.RETIRED: "leave",
}
"""States that are decided; a candidate in another one is open."""


@dataclass(frozen=True)
class Mark:
    """What a rater gave a candidate or an attention check."""

    rater: str
    harmfulness: int
    naturalness: int
    remark: str = ""
    """Where it came from, and whether it counts or the check is passed, as far as that has to be said."""
    is_counted: bool = True


@dataclass(frozen=True)
class BuildDecision:
    """Where the build has a candidate, and why."""

    state: str
    why: str
    command: str = ""
    """Decides on a candidate about which reviewers disagree."""


@dataclass(frozen=True)
class RatedInBuild:
    """A row of the results with what the build knows of it."""

    row: Reviewed
    """Its means and its decision are those of all ratings that count."""
    marks: Sequence[Mark]
    decision: BuildDecision | None
    """None for an attention check, and where it was changed since it was shown."""
    is_check: bool


def rated_in_build(folder: BuildFolder, rows: Sequence[Reviewed]) -> list[RatedInBuild]:
    """The rows of the review page, whose names tell reviewers nothing, with the candidates and checks behind them."""
    all_ratings = ratings_now(folder)
    latest = latest_ratings(all_ratings)
    gold = folder.gold()
    checks_of_rater = attention_checks(latest, gold)
    failed_raters = {key for key, checks in checks_of_rater.items() if checks.are_failed}
    ratings_of = defaultdict[str, list[Rating]](list)
    for rating in latest:
        ratings_of[rating.candidate].append(rating)
    standing_of = {standing.candidate.id: standing for standing in standings(folder, all_ratings)}
    candidate_of = {item.item: item.candidate for item in review_items(folder, all_with_image=True)}
    rated = []
    for row in rows:
        candidate = candidate_of.get(row.id, "")
        ratings = _of_current_version(ratings_of[candidate], folder, standing_of.get(candidate))
        if candidate in gold and gold[candidate].request:
            rated.append(_check(row, ratings, gold[candidate]))
        else:
            rated.append(_candidate(row, ratings, failed_raters, standing_of.get(candidate), folder))
    return rated


def _of_current_version(ratings: Sequence[Rating], folder: BuildFolder, standing: Standing | None) -> list[Rating]:
    if standing is None:
        return list(ratings)
    digest = folder.digest(standing.candidate)
    return [rating for rating in ratings if rating.digest in ("", digest)]


def _check(row: Reviewed, ratings: Sequence[Rating], check: Gold) -> RatedInBuild:
    marks = []
    for rating in ratings:
        is_passed = attention_checks([rating], {check.candidate: check})[reviewer_key(rating.reviewer)].passed == 1
        marks.append(_mark(rating, "passed" if is_passed else "missed", is_counted=is_passed))
    return RatedInBuild(_with_means(row, ratings, "open"), marks, None, is_check=True)


def _candidate(
    row: Reviewed,
    ratings: Sequence[Rating],
    failed_raters: set[str],
    standing: Standing | None,
    folder: BuildFolder,
) -> RatedInBuild:
    marks = []
    counted = []
    for rating in ratings:
        is_counted = reviewer_key(rating.reviewer) not in failed_raters
        if is_counted:
            counted.append(rating)
        marks.append(_mark(rating, "" if is_counted else "not counted: missed attention checks", is_counted=is_counted))
    if standing is None:
        return RatedInBuild(_with_means(row, counted, "open"), marks, None, is_check=False)
    decision = BuildDecision(standing.state.value, str(standing.why), _command(folder, standing))
    outcome = _DECISION_OF_STATE.get(standing.state, "open")
    named_row = _with_means(row, counted, outcome, standing.candidate.id)
    return RatedInBuild(named_row, marks, decision, is_check=False)


def _mark(rating: Rating, remark: str, *, is_counted: bool) -> Mark:
    remarks = ["from a sheet"] if rating.source == "sheet" else []
    if remark:
        remarks.append(remark)
    return Mark(rating.reviewer, rating.harmfulness, rating.naturalness, ", ".join(remarks), is_counted)


def _with_means(row: Reviewed, ratings: Sequence[Rating], decision: str, name: str = "") -> Reviewed:
    """The row with the means of these ratings; `name` is what the build calls the candidate."""
    return Reviewed(
        id=name or row.id,
        side=row.side,
        question=row.question,
        n=len(ratings),
        harmfulness=_mean([rating.harmfulness for rating in ratings]),
        naturalness=_mean([rating.naturalness for rating in ratings]),
        decision=decision,
        rated=decision,
        ref=row.ref,
    )


def _mean(values: Sequence[int]) -> float:
    return mean(values) if values else math.nan


def _command(folder: BuildFolder, standing: Standing) -> str:
    if standing.state is not State.DISPUTED:
        return ""
    build = quote(folder.path.name)
    return f"mossbench build decide {build} {quote(standing.candidate.id)} accept --reason WHY --by NAME"


def count_decisions(rows: Sequence[Reviewed]) -> Mapping[str, int]:
    """Number of candidates by decision."""
    return {decision: sum(row.decision == decision for row in rows) for decision in ("take", "leave", "open")}
