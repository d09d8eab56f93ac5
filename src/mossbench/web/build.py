"""Build: the candidates of a build folder with their images, by state. It only shows them; commands do the work."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
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
from mossbench.plumbing.untrusted_files import read_file
from mossbench.reports.words.grammar import is_are, was_were
from mossbench.samples import Stimulus
from mossbench.web.pages import Chosen, ChosenStimulus, Query, address, page
from mossbench.web.pictures import ALWAYS, Size

router = APIRouter(prefix="/build")
MAX_CARDS = 4
"""Candidates of one state on the page of all states; the page of the state has all of them."""


@dataclass(frozen=True)
class Step:
    """What a state means, and the command for its next step; without one the candidates wait for nothing."""

    meaning: str
    command: str = ""
    options: str = ""


STEPS = {
    "proposed": Step("An image is missing", "image", "--photos photos"),
    "imaged": Step("Not screened, or changed since then", "screen"),
    "screened": Step("No rating counts yet", "review"),
    "reviewed": Step("Needs more reviewers", "review"),
    "disputed": Step("Reviewers disagree, so it needs a decision", "decide", "ID accept --reason WHY --by NAME"),
    "accepted": Step("Ready for the next release", "release"),
    "released": Step("In a released version of the dataset"),
    "retired": Step("Removed from later versions"),
    "rejected": Step("Rejected by the screen, the reviewers or a decision"),
}
"""By state."""
WAITING = {state for state, step in STEPS.items() if step.command}


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
    twin_request: str
    counterfactual: str
    """The picture without its trigger."""


@dataclass(frozen=True)
class StateColumn:
    """The candidates in one state."""

    state: State
    n: int
    cards: Sequence[CandidateCard]
    """The first of them, or all on the page of the state."""
    link: str
    """The page of the state."""


@dataclass(frozen=True)
class BuildPage:
    """What build.html shows."""

    name: str
    heading: str
    text: str
    n: int
    folder: str
    """As commands name it."""
    torn: Sequence[str]
    """Files whose last line is cut off."""
    stages: Sequence[tuple[str, int, str]]
    """States, how many candidates are in each, and their pages; first all states together."""
    waiting: Sequence[tuple[str, int, str]]
    """The stages whose candidates wait for a step."""
    steps: Mapping[str, Step]
    step_command: Callable[[str, str], str]
    """The command for a state and, where the command takes one, a candidate."""
    is_rated_here: bool
    """Whether this app has the desk where this build is reviewed."""
    columns: Sequence[StateColumn]
    stimuli: Sequence[tuple[str, str]]
    query: Query


@router.get("")
def build_page(
    request: Request, state: Annotated[State | None, Chosen] = None, stimulus: ChosenStimulus = None
) -> Response:
    folder = folder_of(request)
    name = folder.settings().name
    candidates_of_build = standings(folder)
    fitting = [standing for standing in candidates_of_build if stimulus in (None, standing.candidate.stimulus)]
    by_state = {
        column_state: [standing for standing in fitting if standing.state is column_state] for column_state in State
    }
    stages = [("all", len(fitting), address("/build", stimulus=stimulus))]
    for column_state, in_state in by_state.items():
        stages.append((column_state.value, len(in_state), address("/build", state=column_state, stimulus=stimulus)))
    waiting = [stage for stage in stages if stage[0] in WAITING and stage[1]]
    if stimulus is not None and candidates_of_build:
        heading = f"{len(fitting):,} of {len(candidates_of_build):,} candidates of {name}"
    else:
        heading = build_heading(name, candidates_of_build)
    text = build_text(
        n=len(candidates_of_build),
        n_waiting=sum(n for _, n, _ in waiting),
        n_rejected=len(folder.rejected()),
        shows_twins=state is not None,
    )
    content = BuildPage(
        name=name,
        heading=heading,
        text=text,
        n=len(candidates_of_build),
        folder=quote(folder.path.name),
        torn=folder.torn(),
        stages=stages,
        waiting=waiting,
        steps=STEPS,
        step_command=partial(step_command, folder),
        is_rated_here=_is_rated_here(request, folder),
        columns=_columns(folder, by_state, state, stimulus),
        stimuli=[(choice.value, choice.title) for choice in Stimulus],
        query={"state": state, "stimulus": stimulus},
    )
    return page(request, "build.html", "Build", content)


def _columns(
    folder: BuildFolder,
    by_state: Mapping[State, Sequence[Standing]],
    chosen: State | None,
    stimulus: Stimulus | None,
) -> list[StateColumn]:
    """The chosen state with all its candidates; or all states that have candidates, with the first of each."""
    columns = []
    for state, candidates in by_state.items():
        if candidates and chosen in (None, state):
            shown = candidates if chosen else candidates[:MAX_CARDS]
            cards = [_card(folder, standing) for standing in shown]
            columns.append(
                StateColumn(state, len(candidates), cards, address("/build", state=state, stimulus=stimulus))
            )
    return columns


def _is_rated_here(request: Request, folder: BuildFolder) -> bool:
    review: Path | None = request.app.state.settings.review
    return review is not None and review.resolve() == folder.path.resolve() / "review"


def build_heading(name: str, candidates_of_build: Sequence[Standing]) -> str:
    """How many candidates a build has, and how many of them are released."""
    n = len(candidates_of_build)
    if not n:
        return f"{name} has no candidates yet"
    candidates = "candidate" if n == 1 else "candidates"
    n_released = sum(standing.state is State.RELEASED for standing in candidates_of_build)
    if not n_released:
        return f"{n:,} {candidates} of {name}, none released"
    return f"{n_released:,} of {n:,} {candidates} of {name} {is_are(n_released)} released"


def build_text(*, n: int, n_waiting: int, n_rejected: int, shows_twins: bool) -> str:
    """How many candidates wait for a step, and how many drafts were rejected."""
    sentences = []
    if n:
        waits = "waits" if n_waiting <= 1 else "wait"
        sentences.append(f"{f'{n_waiting:,}' if n_waiting else 'None'} {waits} for a step.")
    if shows_twins:
        sentences.append("Harmful twins ask for things that should be refused.")
    if n_rejected:
        drafts = "draft" if n_rejected == 1 else "drafts"
        sentences.append(f"{n_rejected:,} {drafts} {was_were(n_rejected)} rejected; rejected.jsonl says why.")
    return " ".join(sentences)


def step_command(folder: BuildFolder, state: str, id: str = "ID") -> str:
    """The command for the next step of candidates in a state."""
    step = STEPS[state]
    command = f"mossbench build {step.command} {quote(folder.path.name)}"
    return f"{command} {step.options.replace('ID', id, 1)}" if step.options else command


def _card(folder: BuildFolder, standing: Standing) -> CandidateCard:
    candidate = standing.candidate
    has_own_twin = candidate.contrast.scene != candidate.scene
    twin = _picture(folder, candidate.id, "contrast", 240) if has_own_twin else ""
    is_same_request = candidate.contrast.request == candidate.request
    return CandidateCard(
        standing=standing,
        picture=_picture(folder, candidate.id, "", 480),
        twin=twin,
        twin_request="the same request with this image" if is_same_request and twin else candidate.contrast.request,
        counterfactual=_picture(folder, candidate.id, "counterfactual", 240),
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
    if id not in folder.candidates():  # no other file in the folder is served
        raise UsageError(f"no candidate {id[:70]!r} in this build", code=Code.NOT_FOUND)
    path = folder.image_path(id, variant)
    try:
        content = thumbnail(read_file(path), size)
    except OSError as error:
        raise DataError(f"the image of candidate {id!r} is missing", code=Code.NOT_FOUND) from error
    return Response(content, media_type="image/webp", headers={"cache-control": ALWAYS if version else "no-cache"})
