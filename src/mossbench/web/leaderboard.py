"""Leaderboard: boards of all judged runs and submissions, sorted, downloaded, and a place to submit."""

import re
import shutil
import tempfile
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Any, BinaryIO, Literal, get_args

from anyio import CapacityLimiter, to_thread
from fastapi import APIRouter, Request
from pydantic import BeforeValidator
from starlette.datastructures import UploadFile
from starlette.responses import HTMLResponse, Response

from mossbench.errors import MossbenchError, NotASubmission, SubmissionError, UsageError, n_of
from mossbench.leaderboard.boards import Board, Sort, add_submission, make_boards, read_board, sorted_board
from mossbench.leaderboard.checking import check_submission, submission_in
from mossbench.leaderboard.other_files import other_file
from mossbench.leaderboard.printed import published_boards
from mossbench.leaderboard.submissions import Submission, same_run, sends_other_texts, shows_other_pictures
from mossbench.look.commands import as_commands
from mossbench.outcomes import Layer, Rule
from mossbench.plumbing.storage import to_json
from mossbench.reports.board_text import board_page, boards_csv
from mossbench.results.current import current_runs
from mossbench.results.listing import Signature, signature_of_files
from mossbench.results.table import Results
from mossbench.samples import Side, Stimulus
from mossbench.web.loaded_run import LoadedRun
from mossbench.web.pages import (
    ChosenStimulus,
    ChosenText,
    address,
    download,
    frame_of,
    message_page,
    model_address,
    shelf_of,
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
    order = order or FIRST.get(sort, "up")
    boards, left_out = own_boards(shelf_of(request), rule, stimulus)
    boards += published(shelf_of(request), stimulus)
    shown = [sorted_board(b, by=sort, descending=order == "down", availability=availability) for b in boards]
    if format == "csv":
        return download(boards_csv(shown), "leaderboard.csv", "text/csv; charset=utf-8")
    if format == "json":
        return download(to_json(shown), "leaderboard.json", "application/json")
    query = {
        "rule": rule.value if rule is not Rule.SYSTEM else None,
        "stimulus": stimulus and stimulus.value,
        "availability": availability,
        "sort": sort if sort != "rate" else None,
        "order": order if order != FIRST.get(sort, "up") else None,
    }
    on_board = {name for name, *_ in _files(shelf_of(request).settings.board_path)}
    controls = _controls(query, boards, added if f"{added}.json" in on_board else None) | {
        "coming": request.app.state.coming(),
        "runs": {run.name for run in shelf_of(request).runs()},
    }
    models = _model_links(boards)
    frame = frame_of(request, "Leaderboard")
    return HTMLResponse(board_page(shown, frame=frame, controls=controls, left_out=left_out, models=models))


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
        return message_page(
            request, 400, "No file", "Choose the file that `mossbench submit` wrote.", here="Leaderboard"
        )
    try:
        name = file.filename or ""
        path = await to_thread.run_sync(_add, request, file.file, name, limiter=_ONE_AT_A_TIME)
    except NotASubmission as error:
        heading = f"{(file.filename or 'The file')[:100]} is not a submission"
        text = f"It is {error.what}. The board is unchanged. Make a submission of it, with your own DATA and NAME:"
        return message_page(
            request, 422, heading, text, faults=tuple(map(as_commands, error.faults)), here="Leaderboard"
        )
    except SubmissionError as error:
        heading = f"{(file.filename or 'The file')[:100]} was rejected"
        n = n_of(len(error.faults), "error")
        text = f"{n}. The board is unchanged. Fix the file, or write it again with mossbench submit."
        faults = tuple(map(as_commands, error.faults))
        return message_page(request, 422, heading, text, faults=faults, here="Leaderboard")
    finally:
        await form.close()
    return redirect(address("/leaderboard", added=path.stem))


def _add(request: Request, content: BinaryIO, sent_as: str) -> Path:
    """Where the submission is now. It is checked from a file of our own naming, never of the sender's."""
    settings = request.app.state.settings
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "upload.json"
        with file.open("wb") as copy:
            shutil.copyfileobj(content, copy)
        found = submission_in(file)
        if found is None:
            shown = sent_as if PLAIN_NAME.fullmatch(sent_as) else "results.json"
            other = other_file(file, shown=shown)
            if other is not None:
                raise NotASubmission(shown, other.what, other.steps, "the board is unchanged")
            raise SubmissionError("refused", check_submission(file)[1])
        for run in patiently(shelf_of(request).runs):
            if run.results and same_run(found, run.results):
                raise UsageError(f"the board has this run already: {run.name!r}; nothing was changed")
        datasets = patiently(shelf_of(request).datasets)
        data = next((d for d in datasets if found.hashes.items() & d.hashes.items()), None)
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
    def found(self) -> list[Results | Submission]:
        """Oldest first: on a board, names that recur are numbered in the order in which they were made."""
        return [*(run.results for run in self.runs[::-1] if run.results is not None), *self.submissions]


def rankable(shelf: Shelf, runs: Sequence[LoadedRun], rule: Rule = Rule.SYSTEM) -> Rankable:
    """A submission that is one of the runs, counted under the same rule, stands there once: as the run."""
    reasons = {run.name: _not_ranked(run) for run in runs}
    ranked = tuple(run for run in runs if not reasons[run.name])
    left_out = [f"{run.label} ({run.name}): {reasons[run.name]}" for run in runs if reasons[run.name]]
    submissions, faults = board_submissions(shelf)
    for one in [one for one in submissions if one.rule is rule]:
        if same := [run.name for run in ranked if run.results and same_run(one, run.results)]:
            submissions = tuple(other for other in submissions if other is not one)
            left_out.append(f"the submission of {one.model}, which is the run {same[0]}")
    made_of = tuple((run.name, run.signature) for run in ranked), _files(shelf.settings.board_path)
    return Rankable(ranked, submissions, (*left_out, *faults), made_of)


def superseded_of(shelf: Shelf, ranked: Rankable) -> dict[str, str]:
    """By the name of each run that is superseded, the newer run that stands for its model under that protocol."""
    runs = [run.results for run in ranked.runs if run.results is not None]

    def made() -> dict[str, str]:
        return {
            older.results.name: current.stands.results.name
            for current in current_runs(runs)
            for older in current.superseded
        }

    return shelf.slow(("superseded", ranked.made_of), made, "Comparing runs")


def own_boards(shelf: Shelf, rule: Rule, stimulus: Stimulus | None) -> tuple[list[Board], list[str]]:
    """Boards of all runs that can be ranked and of all submissions, and why the other runs are left out."""
    ranked = rankable(shelf, shelf.runs(), rule)
    of = str(("boards of current runs", rule, stimulus))

    def made() -> tuple[Board, ...]:
        return make_boards(ranked.found, rule=rule, stimulus=stimulus)

    keep = partial(shelf.index.kept, of, ranked.made_of, tuple[Board, ...], made)
    found = shelf.slow((of, ranked.made_of), keep, "Ranking models")
    return list(found), list(ranked.left_out)


def published(shelf: Shelf, stimulus: Stimulus | None) -> list[Board]:
    return list(shelf.slow(("published", stimulus), lambda: published_boards(stimulus=stimulus), "Ranking models"))


def _not_ranked(run: LoadedRun) -> str:
    info, layers = run.info, run.counted.layers
    if info is None:
        return f"cannot be read: {run.error}"
    if info.ended is None:
        return "not finished"
    if run.n_missing:
        return f"incomplete, {run.n_missing} of {run.n_rows} answers are missing"
    if layers.get(Layer.FAILED, 0) == run.n_rows:
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
        found, damaged = shelf.slow(key, lambda: read_board(folder), "Reading submissions")
    except MossbenchError as error:
        return (), [as_commands(str(error))]
    return found, [f"submission {path.name} is damaged: {as_commands(faults[0])}" for path, faults in damaged.items()]


def _files(folder: Path) -> Signature:
    return signature_of_files(sorted(folder.glob("*.json")) if folder.is_dir() else ())


def _controls(query: dict[str, Any], boards: list[Board], added: str | None) -> dict[str, Any]:
    """What the page needs beside its boards: links for every order and format, and what is chosen."""

    def order(by: str) -> str:
        other = "up" if FIRST.get(by) == "down" else "down"
        flip = other if (query["sort"] or "rate") == by and query["order"] is None else None
        return address("/leaderboard", **{**query, "sort": by if by != "rate" else None, "order": flip})

    kinds = sorted({row.availability for board in boards for row in board.rows if row.availability})
    return {
        "query": query,
        "sorts": {by: order(by) for by in get_args(Sort)},
        "sort": query["sort"] or "rate",
        "direction": "descending" if (query["order"] or FIRST.get(query["sort"])) == "down" else "ascending",
        **{format: address("/leaderboard", **query, format=format) for format in ("csv", "json")},
        "rules": [rule.value for rule in Rule],
        "stimuli": [(one.value, one.title) for one in Stimulus],
        "availabilities": [(kind, kind) for kind in kinds],
        "added": added,
    }
