"""Leaderboard: boards of all judged runs and submissions, sorted and downloaded, and the form that adds a submission.

What can be ranked (`rankable`) and which runs are superseded are used by other pages too.
"""

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
from mossbench.leaderboard.boards import Board, Sort, make_boards, sorted_board
from mossbench.leaderboard.checking import check_submission, submission_in
from mossbench.leaderboard.other_files import other_file
from mossbench.leaderboard.printed import published_boards
from mossbench.leaderboard.rankable_runs import sends_other_texts, shows_other_pictures
from mossbench.leaderboard.submission_records import Submission, same_run
from mossbench.messages import on_command_line
from mossbench.outcomes import Rule
from mossbench.plumbing.json_values import to_json
from mossbench.reports.board_bundles import add_submission, read_board
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
from mossbench.web.shelf import Shelf, wait_until_read

router = APIRouter()
Order = Literal["up", "down"]
FIRST_ORDER: dict[str, Order] = {"safety": "down"}
"""The order at the first click on a column, where it is not `up`: the highest safety is the best."""
_ONE_AT_A_TIME = CapacityLimiter(1)
"""A single upload is checked at a time: pages keep the other threads, however many uploads come."""
PLAIN_NAME = re.compile(r"\w[\w .()+-]{0,100}", re.ASCII)
"""Names of uploaded files that can be repeated in commands as they are."""
AnyRule = Annotated[Rule, BeforeValidator(lambda value: value or Rule.SYSTEM)]
"""In an address, an empty value stands for the default."""


@dataclass(frozen=True)
class BoardControls:
    """What board.html shows beside its boards in the app: links for every order and format, and what is chosen."""

    query: Query
    """What is chosen, as the address of the page has it."""
    sorts: Mapping[str, str]
    """Column -> the address of the page sorted by it."""
    sort: str
    """The column that is sorted by."""
    direction: Literal["ascending", "descending"]
    csv: str
    """The address of the boards as CSV."""
    json: str
    """The address of the boards as JSON."""
    rules: Sequence[str]
    stimuli: Sequence[tuple[str, str]]
    availabilities: Sequence[tuple[str, str]]
    added: str | None
    """The submission that was just added to the board."""
    is_demo_running: bool
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
    order: Order | None = None,
    format: Literal["html", "csv", "json"] = "html",
    added: ChosenText = None,
) -> Response:
    shelf = shelf_of(request)
    first_order = FIRST_ORDER.get(sort, "up")
    order = order or first_order
    boards_here, left_out = boards_of_runs(shelf, rule, stimulus)
    all_boards = [*boards_here, *boards_of_published(shelf, stimulus)]
    boards = []
    for board in all_boards:
        boards.append(sorted_board(board, by=sort, descending=order == "down", availability=availability))
    if format == "csv":
        return download(boards_csv(boards), "leaderboard.csv", "text/csv; charset=utf-8")
    if format == "json":
        return download(to_json(boards), "leaderboard.json", "application/json")
    query: Query = {
        "rule": rule.value if rule is not Rule.SYSTEM else None,
        "stimulus": stimulus and stimulus.value,
        "availability": availability,
        "sort": sort if sort != "rate" else None,
        "order": order if order != first_order else None,
    }
    controls = _controls(request, query, sort, order, all_boards, added)
    html = board_page(
        boards,
        frame=frame_of(request, "Leaderboard"),
        controls=template_values(controls),
        left_out=left_out,
        models=_model_links(all_boards),
    )
    return HTMLResponse(html)


def _controls(
    request: Request, query: Query, sort: Sort, order: Order, boards: Sequence[Board], added: str | None
) -> BoardControls:
    shelf = shelf_of(request)
    return BoardControls(
        query=query,
        sorts=_sort_links(query),
        sort=sort,
        direction="descending" if order == "down" else "ascending",
        csv=address("/leaderboard", **query, format="csv"),
        json=address("/leaderboard", **query, format="json"),
        rules=[choice.value for choice in Rule],
        stimuli=[(choice.value, choice.title) for choice in Stimulus],
        availabilities=_availabilities(boards),
        added=added if added and _is_on_board(shelf, added) else None,
        is_demo_running=request.app.state.is_demo_running(),
        runs={run.name for run in shelf.runs()},
    )


def _is_on_board(shelf: Shelf, submission_name: str) -> bool:
    """Whether the board has a file with this name: an address may name one that is no longer there."""
    return f"{submission_name}.json" in {name for name, *_ in _signature_of_board(shelf.settings.board_path)}


def _model_links(boards: Sequence[Board]) -> dict[str, str]:
    """The pages of models: by the model of a run, or by the name of a submission's row, which may have more in it."""
    links = {}
    for board in boards:
        for row in board.rows:
            if row.model:
                links[row.model] = model_address(row.model)
            elif row.submitted_as:
                links[row.name] = model_address(row.submitted_as)
    return links


@router.post("/leaderboard/submit")
async def submit(request: Request) -> Response:
    """Adds an uploaded submission to the board, or lists everything that is wrong with it."""
    form = await read_form(request)
    file = form.get("file")
    if not isinstance(file, UploadFile):
        return message_page(
            request, 400, "No file", "Choose the file that mossbench submit wrote.", current_page="Leaderboard"
        )
    shown_name = (file.filename or "The file")[:100]
    try:
        path = await to_thread.run_sync(_add_to_board, request, file.file, file.filename or "", limiter=_ONE_AT_A_TIME)
    except NotASubmission as error:
        heading = f"{shown_name} is not a submission"
        text = f"It is {error.what}. The board is unchanged. Make a submission of it, with your own DATA and NAME:"
        return _rejection_page(request, heading, text, list(map(as_command, error.message.steps)))
    except SubmissionError as error:
        heading = f"{shown_name} was rejected"
        n_faults = n_of(len(error.faults), "error")
        text = f"{n_faults}. The board is unchanged. Fix the file, or write it again with mossbench submit."
        return _rejection_page(request, heading, text, error.faults)
    finally:
        await form.close()
    return redirect(address("/leaderboard", added=path.stem))


def _rejection_page(request: Request, heading: str, text: str, faults: Sequence[str]) -> Response:
    return message_page(request, 422, heading, text, faults=tuple(faults), current_page="Leaderboard")


def _add_to_board(request: Request, content: BinaryIO, sent_as: str) -> Path:
    """Checks an upload, adds it to the board and returns its new file; a SubmissionError if the board cannot take it.

    The upload is checked under a name of our own, never under that of its sender, `sent_as`.
    """
    board: Path = request.app.state.settings.board_path
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "upload.json"
        with file.open("wb") as copy:
            shutil.copyfileobj(content, copy)
        submission = submission_in(file)
        if submission is None:
            raise _why_no_submission(file, sent_as)
        same_as = _submitted_run(submission, wait_until_read(shelf_of(request).runs))
        if same_as is not None:
            raise UsageError(f"the board has this run already: {same_as.name!r}; nothing was changed")
        datasets = wait_until_read(shelf_of(request).datasets)
        hashes = submission.hashes.items()
        data = next((dataset for dataset in datasets if hashes & dataset.hashes.items()), None)
        return add_submission(file, board, data=data)


def _why_no_submission(file: Path, sent_as: str) -> SubmissionError:
    shown_name = sent_as if PLAIN_NAME.fullmatch(sent_as) else "results.json"
    recognized = other_file(file, shown=shown_name)
    if recognized is not None:
        return NotASubmission(shown_name, recognized.what, recognized.steps, "the board is unchanged")
    return SubmissionError("refused", check_submission(file)[1])


@dataclass(frozen=True)
class Rankable:
    """The runs and submissions that boards can rank, newest first, and why the others are left out."""

    runs: tuple[LoadedRun, ...]
    submissions: tuple[Submission, ...]
    left_out: tuple[str, ...]
    """The other runs and submissions, and why they cannot be ranked."""
    made_of: Hashable
    """What results about them are kept by: it changes with the files of the runs and of the board."""

    @property
    def entries(self) -> list[Results | Submission]:
        """Runs, oldest first, and submissions: a board numbers equal names in the order in which runs were made."""
        results = [run.results for run in reversed(self.runs) if run.results is not None]
        return [*results, *self.submissions]


def rankable(shelf: Shelf, runs: Sequence[LoadedRun], rule: Rule = Rule.SYSTEM) -> Rankable:
    """What can be ranked. A submission of one of the runs, counted under the same rule, is left out for the run."""
    reasons = {run.name: _why_not_ranked(run) for run in runs}
    ranked = tuple(run for run in runs if not reasons[run.name])
    left_out = [f"{run.label} ({run.name}): {reasons[run.name]}" for run in runs if reasons[run.name]]
    submissions, faults = board_submissions(shelf)
    ranked_submissions = []
    for submission in submissions:
        submitted_run = _submitted_run(submission, ranked) if submission.rule is rule else None
        if submitted_run is None:
            ranked_submissions.append(submission)
        else:
            left_out.append(f"the submission of {submission.model}, which is the run {submitted_run.name}")
    signatures = tuple((run.name, run.signature) for run in ranked)
    made_of = (signatures, _signature_of_board(shelf.settings.board_path))
    return Rankable(ranked, tuple(ranked_submissions), (*left_out, *faults), made_of)


def _submitted_run(submission: Submission, runs: Sequence[LoadedRun]) -> LoadedRun | None:
    """The run that was submitted; None if it is not among these."""
    for run in runs:
        if run.results and same_run(submission, run.results):
            return run
    return None


def superseded_of(shelf: Shelf, ranked: Rankable) -> dict[str, str]:
    """Names of superseded runs -> the newer run that stands for the model under that protocol."""
    runs = [run.results for run in ranked.runs if run.results is not None]

    def make() -> dict[str, str]:
        superseded = {}
        for current in current_runs(runs):
            for older in current.superseded:
                superseded[older.results.name] = current.representative.results.name
        return superseded

    return shelf.compute_once(("superseded", ranked.made_of), make, "Comparing runs")


def boards_of_runs(shelf: Shelf, rule: Rule, stimulus: Stimulus | None) -> tuple[tuple[Board, ...], tuple[str, ...]]:
    """Boards of all runs and submissions that can be ranked, and why the others are left out."""
    ranked = rankable(shelf, shelf.runs(), rule)
    name_in_index = str(("boards of current runs", rule, stimulus))

    def make() -> tuple[Board, ...]:
        return make_boards(ranked.entries, rule=rule, stimulus=stimulus)

    def make_or_load() -> tuple[Board, ...]:
        return shelf.index.kept(name_in_index, ranked.made_of, tuple[Board, ...], make)

    boards = shelf.compute_once((name_in_index, ranked.made_of), make_or_load, "Ranking models")
    return boards, ranked.left_out


def make_first_boards(shelf: Shelf) -> None:
    """Ranks what the page shows first, so that nobody waits for it."""
    boards_of_runs(shelf, Rule.SYSTEM, None)
    boards_of_published(shelf, None)


def boards_of_published(shelf: Shelf, stimulus: Stimulus | None) -> tuple[Board, ...]:
    """The boards of the published figures."""

    def make() -> tuple[Board, ...]:
        return published_boards(stimulus=stimulus)

    return shelf.compute_once(("published", stimulus), make, "Ranking models")


def _why_not_ranked(run: LoadedRun) -> str:
    """Why a run cannot be ranked; empty if it can."""
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
    """The submissions on the board, and the name and first fault of each damaged file."""
    folder = shelf.settings.board_path
    try:
        key = ("submissions", _signature_of_board(folder))
        submissions, damaged = shelf.compute_once(key, lambda: read_board(folder), "Reading submissions")
    except MossbenchError as error:
        return (), [on_command_line(error.message)]
    return submissions, [f"submission {path.name} is damaged: {faults[0]}" for path, faults in damaged.items()]


def _signature_of_board(folder: Path) -> Signature:
    """The files of the submissions on the board, and their bundles."""
    files = [*folder.glob("*.json"), *folder.glob("*.zip")] if folder.is_dir() else []
    return signature_of_files(sorted(files))


def _sort_links(query: Query) -> dict[str, str]:
    """The address of the page sorted by each column; a second click on a column reverses the order."""
    links = {}
    for column in get_args(Sort):
        is_first_click_done = (query["sort"] or "rate") == column and query["order"] is None
        reverse_order = "up" if FIRST_ORDER.get(column) == "down" else "down"
        changes: Query = {
            "sort": column if column != "rate" else None,
            "order": reverse_order if is_first_click_done else None,
        }
        links[column] = address("/leaderboard", **(query | changes))
    return links


def _availabilities(boards: Sequence[Board]) -> list[tuple[str, str]]:
    """The choices of the menu: value and label."""
    availabilities = set[str]()
    for board in boards:
        availabilities.update(row.availability for row in board.rows if row.availability)
    return [(availability, availability) for availability in sorted(availabilities)]
