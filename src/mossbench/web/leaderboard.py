"""Leaderboard: boards of all judged runs and submissions, sorted, downloaded, and a place to submit."""

import re
import shutil
import tempfile
from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, BinaryIO, Literal, get_args

from anyio import CapacityLimiter, to_thread
from fastapi import APIRouter, Request
from pydantic import BeforeValidator
from starlette.datastructures import UploadFile
from starlette.responses import HTMLResponse, Response

from mossbench.errors import MossbenchError, NotASubmission, SubmissionError, UsageError, n_of
from mossbench.leaderboard.board_folder import add_submission, read_board
from mossbench.leaderboard.boards import Board, Sort, make_boards, sorted_board
from mossbench.leaderboard.checking import check_submission, submission_in
from mossbench.leaderboard.other_files import other_file
from mossbench.leaderboard.printed import published_boards
from mossbench.leaderboard.submissions import Submission, same_run, sends_other_texts, shows_other_pictures
from mossbench.messages import on_command_line
from mossbench.outcomes import Rule
from mossbench.plumbing.storage import to_json
from mossbench.reports.board_page import board_page
from mossbench.reports.board_tables import boards_csv
from mossbench.results.current import current_runs
from mossbench.results.listing import Signature, signature_of_files
from mossbench.results.table import Results
from mossbench.samples import Side, Stimulus
from mossbench.ways_out import as_command
from mossbench.web.loaded_run import LoadedRun
from mossbench.web.pages import (
    ChosenStimulus,
    ChosenText,
    Query,
    address,
    download,
    frame_of,
    message_page,
    model_address,
    shelf_of,
    template_values,
)
from mossbench.web.security import read_form, redirect
from mossbench.web.shelf import Shelf, patiently

router = APIRouter()
FIRST: dict[str, Literal["up", "down"]] = {"safety": "down"}
"""Where the best is not the lowest, the order of the first click."""
_ONE_AT_A_TIME = CapacityLimiter(1)
"""Of uploads that are checked: however many come, pages have the other threads."""
PLAIN_NAME = re.compile(r"\w[\w .()+-]{0,100}", re.ASCII)
"""Names of uploaded files that are repeated in commands."""
AnyRule = Annotated[Rule, BeforeValidator(lambda value: value or Rule.SYSTEM)]


@dataclass(frozen=True)
class BoardControls:
    """What board.html shows beside its boards in the app: links for every order and format, and what is chosen."""

    query: Query
    sorts: Mapping[str, str]
    """The address of each order, by the column that is sorted by."""
    sort: str
    direction: Literal["ascending", "descending"]
    csv: str
    json: str
    rules: Sequence[str]
    stimuli: Sequence[tuple[str, str]]
    availabilities: Sequence[tuple[str, str]]
    added: str | None
    """The submission that was just put onto the board."""
    coming: bool
    """Whether runs of control models are being made."""
    runs: Collection[str]
    """Runs that can be ticked for a comparison."""


@router.get("/leaderboard")
def leaderboard_page(
    request: Request,
    rule: AnyRule = Rule.SYSTEM,
    stimulus: ChosenStimulus = None,
    availability: ChosenText = None,
    sort: Sort = "rate",
    order: Literal["up", "down"] | None = None,
    format: Literal["html", "csv", "json"] = "html",
    added: ChosenText = None,
) -> Response:
    shelf = shelf_of(request)
    order = order or FIRST.get(sort, "up")
    boards, left_out = own_boards(shelf, rule, stimulus)
    boards += published(shelf, stimulus)
    shown = [sorted_board(board, by=sort, descending=order == "down", availability=availability) for board in boards]
    if format == "csv":
        return download(boards_csv(shown), "leaderboard.csv", "text/csv; charset=utf-8")
    if format == "json":
        return download(to_json(shown), "leaderboard.json", "application/json")
    query: Query = {
        "rule": rule.value if rule is not Rule.SYSTEM else None,
        "stimulus": stimulus and stimulus.value,
        "availability": availability,
        "sort": sort if sort != "rate" else None,
        "order": order if order != FIRST.get(sort, "up") else None,
    }
    files = {name for name, *_ in _files(shelf.settings.board_path)}
    controls = BoardControls(
        query=query,
        sorts=_links(query),
        sort=sort,
        direction="descending" if order == "down" else "ascending",
        csv=address("/leaderboard", **query, format="csv"),
        json=address("/leaderboard", **query, format="json"),
        rules=[each.value for each in Rule],
        stimuli=[(each.value, each.title) for each in Stimulus],
        availabilities=_availabilities(boards),
        added=added if f"{added}.json" in files else None,
        coming=request.app.state.coming(),
        runs={run.name for run in shelf.runs()},
    )
    html = board_page(
        shown,
        frame=frame_of(request, "Leaderboard"),
        controls=template_values(controls),
        left_out=left_out,
        models=_model_links(boards),
    )
    return HTMLResponse(html)


def _model_links(boards: Sequence[Board]) -> dict[str, str]:
    """The pages of models, by the name of a run's model or of a submission's row, which may say more than it."""
    links = {}
    for board in boards:
        for row in board.rows:
            model = row.model or row.submitted_as
            if model:
                links[row.model or row.name] = model_address(model)
    return links


@router.post("/leaderboard/submit")
async def submit(request: Request) -> Response:
    """Puts an uploaded submission onto the board, or says everything that is wrong with it."""
    form = await read_form(request)
    file = form.get("file")
    if not isinstance(file, UploadFile):
        return message_page(request, 400, "No file", "Choose the file that mossbench submit wrote.", here="Leaderboard")
    shown_name = (file.filename or "The file")[:100]
    try:
        path = await to_thread.run_sync(_add, request, file.file, file.filename or "", limiter=_ONE_AT_A_TIME)
    except NotASubmission as error:
        heading = f"{shown_name} is not a submission"
        text = f"It is {error.what}. The board is unchanged. Make a submission of it, with your own DATA and NAME:"
        return _rejected(request, heading, text, list(map(as_command, error.message.steps)))
    except SubmissionError as error:
        heading = f"{shown_name} was rejected"
        n_faults = n_of(len(error.faults), "error")
        text = f"{n_faults}. The board is unchanged. Fix the file, or write it again with mossbench submit."
        return _rejected(request, heading, text, error.faults)
    finally:
        await form.close()
    return redirect(address("/leaderboard", added=path.stem))


def _rejected(request: Request, heading: str, text: str, faults: Sequence[str]) -> Response:
    return message_page(request, 422, heading, text, faults=tuple(faults), here="Leaderboard")


def _add(request: Request, content: BinaryIO, sent_as: str) -> Path:
    """Where the submission is now. It is checked from a file of our own naming, never of the sender's."""
    settings = request.app.state.settings
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "upload.json"
        with file.open("wb") as copy:
            shutil.copyfileobj(content, copy)
        submission = submission_in(file)
        if submission is None:
            shown = sent_as if PLAIN_NAME.fullmatch(sent_as) else "results.json"
            other = other_file(file, shown=shown)
            if other is not None:
                raise NotASubmission(shown, other.what, other.steps, "the board is unchanged")
            raise SubmissionError("refused", check_submission(file)[1])
        for run in patiently(shelf_of(request).runs):
            if run.results and same_run(submission, run.results):
                raise UsageError(f"the board has this run already: {run.name!r}; nothing was changed")
        datasets = patiently(shelf_of(request).datasets)
        asked = submission.hashes.items()
        data = next((dataset for dataset in datasets if asked & dataset.hashes.items()), None)
        return add_submission(file, settings.board_path, data=data)


@dataclass(frozen=True)
class Rankable:
    runs: tuple[LoadedRun, ...]
    submissions: tuple[Submission, ...]
    left_out: tuple[str, ...]
    """Why other runs and submissions cannot be ranked."""
    made_of: Hashable
    """Changes with what is here."""

    @property
    def entries(self) -> list[Results | Submission]:
        """Oldest first: on a board, names that recur are numbered in the order in which they were made."""
        return [*(run.results for run in self.runs[::-1] if run.results is not None), *self.submissions]


def rankable(shelf: Shelf, runs: Sequence[LoadedRun], rule: Rule = Rule.SYSTEM) -> Rankable:
    """A submission that is one of the runs, counted under the same rule, stands there once: as the run."""
    reasons = {run.name: _not_ranked(run) for run in runs}
    ranked = tuple(run for run in runs if not reasons[run.name])
    left_out = [f"{run.label} ({run.name}): {reasons[run.name]}" for run in runs if reasons[run.name]]
    submissions, faults = board_submissions(shelf)
    others = []
    for submission in submissions:
        same = _run_submitted(submission, ranked) if submission.rule is rule else None
        if same is None:
            others.append(submission)
        else:
            left_out.append(f"the submission of {submission.model}, which is the run {same.name}")
    made_of = tuple((run.name, run.signature) for run in ranked), _files(shelf.settings.board_path)
    return Rankable(ranked, tuple(others), (*left_out, *faults), made_of)


def _run_submitted(submission: Submission, runs: Sequence[LoadedRun]) -> LoadedRun | None:
    for run in runs:
        if run.results and same_run(submission, run.results):
            return run
    return None


def superseded_of(shelf: Shelf, ranked: Rankable) -> dict[str, str]:
    """By the name of each run that is superseded, the newer run that stands for its model under that protocol."""
    runs = [run.results for run in ranked.runs if run.results is not None]

    def make() -> dict[str, str]:
        superseded = {}
        for current in current_runs(runs):
            for older in current.superseded:
                superseded[older.results.name] = current.stands.results.name
        return superseded

    return shelf.slow(("superseded", ranked.made_of), make, "Comparing runs")


def own_boards(shelf: Shelf, rule: Rule, stimulus: Stimulus | None) -> tuple[list[Board], list[str]]:
    """Boards of all runs that can be ranked and of all submissions, and why the other runs are left out."""
    ranked = rankable(shelf, shelf.runs(), rule)
    name = str(("boards of current runs", rule, stimulus))

    def make() -> tuple[Board, ...]:
        return make_boards(ranked.entries, rule=rule, stimulus=stimulus)

    def make_or_take() -> tuple[Board, ...]:
        return shelf.index.kept(name, ranked.made_of, tuple[Board, ...], make)

    boards = shelf.slow((name, ranked.made_of), make_or_take, "Ranking models")
    return list(boards), list(ranked.left_out)


def published(shelf: Shelf, stimulus: Stimulus | None) -> list[Board]:
    return list(shelf.slow(("published", stimulus), lambda: published_boards(stimulus=stimulus), "Ranking models"))


def _not_ranked(run: LoadedRun) -> str:
    if run.info is None:
        return f"cannot be read: {run.error}"
    if run.info.ended is None:
        return "not finished"
    if run.n_missing:
        return f"incomplete, {run.n_missing} of {run.n_rows} answers are missing"
    if run.n_failed == run.n_rows:
        return "no answer"
    if run.counted.judge is None:
        return "not judged yet"
    if run.results is None or len(run.results.info.arms) > 1:
        return "several arms"
    if shows_other_pictures(run.results):
        return "other images than the benchmark's"
    if sends_other_texts(run.results):
        return "other requests than the benchmark's"
    return "" if Side.BENIGN in run.counted.rates else "no harmless rows"


def board_submissions(shelf: Shelf) -> tuple[tuple[Submission, ...], list[str]]:
    """What is on the board, and of each damaged file its name and first fault."""
    folder = shelf.settings.board_path
    try:
        key = ("submissions", _files(folder))
        submissions, damaged = shelf.slow(key, lambda: read_board(folder), "Reading submissions")
    except MossbenchError as error:
        return (), [on_command_line(error.message)]
    return submissions, [f"submission {path.name} is damaged: {faults[0]}" for path, faults in damaged.items()]


def _files(folder: Path) -> Signature:
    return signature_of_files(sorted(folder.glob("*.json")) if folder.is_dir() else ())


def _links(query: Query) -> dict[str, str]:
    """The address of the page in the order of each column; a second click turns it round."""
    links = {}
    for by in get_args(Sort):
        is_sorted_so = (query["sort"] or "rate") == by and query["order"] is None
        turned = "up" if FIRST.get(by) == "down" else "down"
        other: Query = {"sort": by if by != "rate" else None, "order": turned if is_sorted_so else None}
        links[by] = address("/leaderboard", **(query | other))
    return links


def _availabilities(boards: Sequence[Board]) -> list[tuple[str, str]]:
    kinds = set[str]()
    for board in boards:
        kinds.update(row.availability for row in board.rows if row.availability)
    return [(kind, kind) for kind in sorted(kinds)]
