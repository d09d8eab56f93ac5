"""Build: the candidates of a build folder with their images, by where they stand. It shows; commands do the work."""

from pathlib import Path
from shlex import quote
from typing import Annotated

from fastapi import APIRouter, Request
from starlette.responses import Response

from mossbench.building.candidates import State
from mossbench.building.folder import BuildFolder, Variant
from mossbench.building.standing import Standing, standings
from mossbench.errors import Code, DataError, UsageError
from mossbench.images.preparing import thumbnail
from mossbench.plumbing.reading import read_file
from mossbench.samples import Stimulus
from mossbench.web.pages import Chosen, ChosenStimulus, address, page
from mossbench.web.pictures import ALWAYS, Size

router = APIRouter(prefix="/build")
MOST = 4
"""Candidates of one state on the board; a page of its own has all of them."""


def folder_of(request: Request) -> BuildFolder:
    path: Path | None = request.app.state.settings.build
    if path is None:
        raise UsageError("no build to show; start with: mossbench serve --build FOLDER", code=Code.NOT_FOUND)
    return BuildFolder(path)


@router.get("")
def board(request: Request, state: Annotated[State | None, Chosen] = None, stimulus: ChosenStimulus = None) -> Response:
    folder = folder_of(request)
    there = standings(folder)
    found = [one for one in there if stimulus in (None, one.candidate.stimulus)]
    by_state = {each: [one for one in found if one.state is each] for each in State}
    places = {each: address("/build", state=each, stimulus=stimulus) for each in State}
    return page(
        request,
        "build.html",
        "Build",
        name=folder.settings().name,
        n=len(there),
        n_rejected=len(folder.rejected()),
        folder=quote(folder.path.name),
        torn=folder.torn(),
        stages=[("all", len(found), address("/build", stimulus=stimulus))]
        + [(each.value, len(here), places[each]) for each, here in by_state.items()],
        rated_here=(own := request.app.state.settings.review) and own.resolve() == folder.path.resolve() / "review",
        columns=[
            {
                "state": each,
                "n": len(here),
                "cards": [_card(folder, one) for one in (here if state else here[:MOST])],
                "place": places[each],
            }
            for each, here in by_state.items()
            if here and state in (None, each)
        ],
        stimuli=[(one.value, one.title) for one in Stimulus],
        query={"state": state, "stimulus": stimulus},
    )


def _card(folder: BuildFolder, one: Standing) -> dict[str, object]:
    def picture(variant: Variant, size: int) -> str:
        path = folder.image_path(one.candidate.id, variant)
        if not path.exists():
            return ""
        version = path.stat().st_mtime_ns
        return address("/build/image", id=one.candidate.id, variant=variant, size=size, version=version)

    twin = picture("contrast", 240) if one.candidate.contrast.scene != one.candidate.scene else ""
    return {"standing": one, "picture": picture("", 480), "twin": twin, "bare": picture("counterfactual", 240)}


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
