"""Where every candidate stands: derived from the files of a build folder by one function, never stored."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from mossbench.building.candidates import Candidate, Rating, Screened, State
from mossbench.building.folder import BuildFolder, BuildSettings
from mossbench.building.rating import counted, rated_state
from mossbench.errors import DataError
from mossbench.plumbing.reading import open_file, parse_json


class Waiting(StrEnum):
    """What the next step will bring, which the state says already; its values are shown."""

    NO_IMAGE = "no image yet"
    NOT_SCREENED = "not screened yet"
    NO_RATING = "no rating yet"


@dataclass(frozen=True)
class Standing:
    candidate: Candidate
    state: State
    why: str | Waiting
    screened: Screened | None = None
    n_ratings: int = 0
    releases: tuple[str, ...] = ()

    @property
    def is_waiting(self) -> bool:
        """Whether there is nothing to say but that the next step is to come."""
        return isinstance(self.why, Waiting)


def standings(folder: BuildFolder) -> list[Standing]:
    settings, screened = folder.settings(), folder.screened()
    ratings = defaultdict[str, list[Rating]](list)
    for rating in counted(folder.ratings(), folder.gold()):
        ratings[rating.candidate].append(rating)
    decisions = {decision.candidate: decision for decision in folder.decisions()}
    released = _released(folder)
    found = []
    for one in folder.candidates().values():
        digest, decision = folder.digest(one), decisions.get(one.id)
        given = [rating for rating in ratings[one.id] if rating.digest in ("", digest)]
        holds = decision is not None and decision.digest in ("", digest)
        same = len(given) == len(ratings[one.id]) and (bool(given) or holds or decision is None)
        if decision is not None and decision.decision == "retire":
            state, why = State.RETIRED, decision.reason
        elif one.id in released and (same or folder.missing_images(one)):  # a lost image is not a wish to retire it
            state, why = State.RELEASED, f"in {', '.join(released[one.id])}"
        elif decision and holds and (decision.decision == "reject" or not folder.missing_images(one)):
            state = State.ACCEPTED if decision.decision == "accept" else State.REJECTED
            why = f"{decision.by}: {decision.reason}"
        else:  # what was edited after its release is screened and rated again, as any other
            state, why = _undecided(folder, one, given, settings, screened.get(one.id), digest)
        found.append(Standing(one, state, why, screened.get(one.id), len(given), released.get(one.id, ())))
    return found


def _undecided(
    folder: BuildFolder,
    one: Candidate,
    ratings: Sequence[Rating],
    settings: BuildSettings,
    screened: Screened | None,
    digest: str,
) -> tuple[State, str]:
    if missing := folder.missing_images(one):
        return State.PROPOSED, Waiting.NO_IMAGE if missing[0] == "image" else "no image of its harmful twin yet"
    if screened is None or screened.digest != digest:
        return State.IMAGED, Waiting.NOT_SCREENED if screened is None else "changed since it was screened"
    if screened.errors:
        return State.REJECTED, screened.errors[0]
    if not ratings:
        return State.SCREENED, Waiting.NO_RATING
    return rated_state(ratings, settings)


def _ids_in(file: Path) -> list[str]:
    """The ids of a release, each once; a DataError that names the line where it is damaged."""
    found = dict[str, None]()
    with open_file(file) as lines:
        for number, line in enumerate(lines, start=1):
            if not line.strip():
                continue
            try:
                found[str(parse_json(line)["id"])] = None
            except (ValueError, TypeError, KeyError) as error:
                raise DataError(
                    f"{file}, line {number}: no sample with an id ({type(error).__name__}: {error}); restore the file "
                    "from a copy of the release"
                ) from error
    return list(found)


def _released(folder: BuildFolder) -> dict[str, tuple[str, ...]]:
    """Candidate -> the versions that it is in."""
    found = defaultdict[str, list[str]](list)
    for release in folder.releases():
        for id in _ids_in(release / "metadata.jsonl"):
            found[id].append(release.name)
    return {id: tuple(versions) for id, versions in found.items()}
