"""Build: the candidates of a build folder with their images, by where they stand. It shows; commands do the work."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from shlex import quote
from typing import Annotated

from fastapi import APIRouter, Request
from starlette.responses import Response

from mossbench.building.candidate_states import Standing, standings
from mossbench.building.candidates import State
from mossbench.building.folder import BuildFolder, Variant
from mossbench.errors import Code, DataError, UsageError
from mossbench.images.preparing import thumbnail
from mossbench.plumbing.reading import read_file
from mossbench.samples import Stimulus
from mossbench.web.pages import Chosen, ChosenStimulus, Query, address, page
from mossbench.web.pictures import ALWAYS, Size

router = APIRouter(prefix="/build")
MOST = 4
"""Candidates of one state on the board; a page of its own has all of them."""


def folder_of(request: Request) -> BuildFolder:
    path: Path | None = request.app.state.settings.build
    if path is None:
        raise UsageError("no build to show; start with: mossbench serve --build FOLDER", code=Code.NOT_FOUND)
    return BuildFolder(path)


@dataclass(frozen=True)
class CandidateCard:
    standing: Standing
    picture: str
    twin: str
    """The picture of its harmful twin, where that shows another scene."""
    bare: str
    """The picture without its trigger."""


@dataclass(frozen=True)
class StateColumn:
    """The candidates that stand at one state."""

    state: State
    n: int
    cards: Sequence[CandidateCard]
    """The first of them, or all on the page of the state."""
    place: str
    """The page of the state."""


@dataclass(frozen=True)
class BuildPage:
    """What build.html shows."""

    name: str
    n: int
    n_rejected: int
    folder: str
    """As commands name it."""
    torn: Sequence[str]
    """Files whose last line is cut off."""
    stages: Sequence[tuple[str, int, str]]
    """States, how many candidates are there, and their pages; all of them first."""
    rated_here: bool
    """Whether the desk of reviewers is that of this build."""
    columns: Sequence[StateColumn]
    stimuli: Sequence[tuple[str, str]]
    query: Query


@router.get("")
def board(request: Request, state: Annotated[State | None, Chosen] = None, stimulus: ChosenStimulus = None) -> Response:
    folder = folder_of(request)
    every = standings(folder)
    fitting = [standing for standing in every if stimulus in (None, standing.candidate.stimulus)]
    stages = [("all", len(fitting), address("/build", stimulus=stimulus))]
    columns = []
    for each in State:
        in_state = [standing for standing in fitting if standing.state is each]
        place = address("/build", state=each, stimulus=stimulus)
        stages.append((each.value, len(in_state), place))
        if in_state and state in (None, each):
            cards = [_card(folder, standing) for standing in (in_state if state else in_state[:MOST])]
            columns.append(StateColumn(each, len(in_state), cards, place))
    review: Path | None = request.app.state.settings.review
    shown = BuildPage(
        name=folder.settings().name,
        n=len(every),
        n_rejected=len(folder.rejected()),
        folder=quote(folder.path.name),
        torn=folder.torn(),
        stages=stages,
        rated_here=review is not None and review.resolve() == folder.path.resolve() / "review",
        columns=columns,
        stimuli=[(each.value, each.title) for each in Stimulus],
        query={"state": state, "stimulus": stimulus},
    )
    return page(request, "build.html", "Build", shown)


def _card(folder: BuildFolder, standing: Standing) -> CandidateCard:
    candidate = standing.candidate
    has_own_twin = candidate.contrast.scene != candidate.scene
    return CandidateCard(
        standing=standing,
        picture=_picture(folder, candidate.id, "", 480),
        twin=_picture(folder, candidate.id, "contrast", 240) if has_own_twin else "",
        bare=_picture(folder, candidate.id, "counterfactual", 240),
    )


def _picture(folder: BuildFolder, id: str, variant: Variant, size: int) -> str:
    """The address of a picture, which changes with it; empty where there is none."""
    path = folder.image_path(id, variant)
    if not path.exists():
        return ""
    return address("/build/image", id=id, variant=variant, size=size, version=path.stat().st_mtime_ns)


@router.get("/image")
def image(request: Request, id: str, variant: Variant = "", size: Size = 480, version: int = 0) -> Response:
    folder = folder_of(request)
    if id not in folder.candidates():  # nothing else is served, whatever lies there
        raise UsageError(f"no candidate {id[:70]!r} in this build", code=Code.NOT_FOUND)
    path = folder.image_path(id, variant)
    try:
        content = thumbnail(read_file(path), size)
    except OSError as error:
        raise DataError(f"the image of candidate {id!r} is missing", code=Code.NOT_FOUND) from error
    return Response(content, media_type="image/webp", headers={"cache-control": ALWAYS if version else "no-cache"})
