"""Where every candidate stands: derived from the files of a build folder by one function, never stored."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from mossbench.building.candidates import Candidate, Decision, Rating, Screened, State
from mossbench.building.folder import AnyBuild, BuildFolder, BuildSettings, open_build
from mossbench.building.rating import DerivedState, counted_ratings, rated_state
from mossbench.errors import DataError
from mossbench.plumbing.untrusted_files import open_file, parse_json


class Waiting(StrEnum):
    """What the next step will bring, which the state says already; its values are shown."""

    NO_IMAGE = "no image yet"
    NOT_SCREENED = "not screened yet"
    NO_RATING = "no rating yet"


@dataclass(frozen=True)
class Standing:
    """A candidate, its state and why it has that state."""

    candidate: Candidate
    state: State
    why: str | Waiting
    screened: Screened | None = None
    n_ratings: int = 0
    """Ratings that count, of the candidate as it is now."""
    releases: tuple[str, ...] = ()
    """The versions that it is in."""

    def __repr__(self) -> str:
        return f"<Standing {self.candidate.id}: {self.state}>"

    @property
    def is_waiting(self) -> bool:
        """Whether there is nothing to say but that the next step is to come."""
        return isinstance(self.why, Waiting)


@dataclass(frozen=True)
class _Evidence:
    """What the files of a build folder have about one candidate."""

    candidate: Candidate
    digest: str
    missing_images: list[str]
    screened: Screened | None
    ratings: list[Rating]
    """Those that count, also of earlier words or images."""
    decision: Decision | None
    """The last one."""
    releases: tuple[str, ...]

    @property
    def current_ratings(self) -> list[Rating]:
        """Ratings of the candidate as it is now."""
        return [rating for rating in self.ratings if rating.digest in ("", self.digest)]

    @property
    def decision_holds(self) -> bool:
        """Whether somebody decided on the candidate as it is now."""
        return self.decision is not None and self.decision.digest in ("", self.digest)

    @property
    def is_as_reviewed(self) -> bool:
        """Whether nothing that people said is about other words or images."""
        ratings = self.current_ratings
        if len(ratings) < len(self.ratings):
            return False
        return bool(ratings) or self.decision_holds or self.decision is None


def standings(folder: AnyBuild, all_ratings: Sequence[Rating] | None = None) -> list[Standing]:
    """Where every candidate of the folder stands, in the order in which they were added.

    `all_ratings` are those to count instead of what is on file, such as `reviewing.ratings_now`.
    """
    folder = open_build(folder)
    settings = folder.settings()
    screened = folder.screened()
    ratings = defaultdict[str, list[Rating]](list)
    for rating in counted_ratings(folder.ratings() if all_ratings is None else all_ratings, folder.gold()):
        ratings[rating.candidate].append(rating)
    decisions = {decision.candidate: decision for decision in folder.decisions()}
    releases = _releases_by_candidate(folder)
    all_standings = []
    for candidate in folder.candidates().values():
        evidence = _Evidence(
            candidate=candidate,
            digest=folder.digest(candidate),
            missing_images=folder.missing_images(candidate),
            screened=screened.get(candidate.id),
            ratings=ratings[candidate.id],
            decision=decisions.get(candidate.id),
            releases=releases.get(candidate.id, ()),
        )
        all_standings.append(_standing(evidence, settings))
    return all_standings


def _standing(evidence: _Evidence, settings: BuildSettings) -> Standing:
    derived = _decided_state(evidence) or _undecided_state(evidence, settings)
    return Standing(
        candidate=evidence.candidate,
        state=derived.state,
        why=derived.why,
        screened=evidence.screened,
        n_ratings=len(evidence.current_ratings),
        releases=evidence.releases,
    )


def _decided_state(evidence: _Evidence) -> DerivedState | None:
    """The state that a decision or a release gives; None: it depends on screen and reviewers.

    What was edited after its release is screened and rated again, as any other.
    """
    decision = evidence.decision
    if decision is not None and decision.decision == "retire":
        return DerivedState(State.RETIRED, decision.reason)
    # A lost image is not a wish to retire the candidate.
    if evidence.releases and (evidence.is_as_reviewed or evidence.missing_images):
        return DerivedState(State.RELEASED, f"in {', '.join(evidence.releases)}")
    if decision is None or not evidence.decision_holds:
        return None
    why = f"{decision.by}: {decision.reason}"
    if decision.decision == "reject":
        return DerivedState(State.REJECTED, why)
    if evidence.missing_images:
        return None
    return DerivedState(State.ACCEPTED, why)


def _undecided_state(evidence: _Evidence, settings: BuildSettings) -> DerivedState:
    """The state of a candidate that nobody decided on: how far images, screen and reviewers have brought it."""
    screened = evidence.screened
    if evidence.missing_images:
        has_own_image = evidence.missing_images[0] != "image"
        return DerivedState(State.PROPOSED, "no image of its harmful twin yet" if has_own_image else Waiting.NO_IMAGE)
    if screened is None:
        return DerivedState(State.IMAGED, Waiting.NOT_SCREENED)
    if screened.digest != evidence.digest:
        return DerivedState(State.IMAGED, "changed since it was screened")
    if screened.errors:
        return DerivedState(State.REJECTED, screened.errors[0])
    if not evidence.current_ratings:
        return DerivedState(State.SCREENED, Waiting.NO_RATING)
    return rated_state(evidence.current_ratings, settings)


def _releases_by_candidate(folder: BuildFolder) -> dict[str, tuple[str, ...]]:
    """Candidate -> the versions that it is in."""
    versions = defaultdict[str, list[str]](list)
    for release in folder.releases():
        for id in _ids_in(release / "metadata.jsonl"):
            versions[id].append(release.name)
    return {id: tuple(versions_of_id) for id, versions_of_id in versions.items()}


def _ids_in(file: Path) -> list[str]:
    """The ids of a release, each once; a DataError that names the line where it is damaged."""
    ids = dict[str, None]()
    with open_file(file) as lines:
        for number, line in enumerate(lines, start=1):
            if not line.strip():
                continue
            try:
                ids[str(parse_json(line)["id"])] = None
            except (ValueError, TypeError, KeyError) as error:
                raise DataError(
                    f"{file}, line {number}: no sample with an id ({type(error).__name__}: {error}); restore the file "
                    "from a copy of the release"
                ) from error
    return list(ids)
