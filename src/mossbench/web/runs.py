"""Runs: the list, the report of each, and the progress of a run."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated

from fastapi import APIRouter, Request
from pydantic import BeforeValidator
from starlette.responses import HTMLResponse, JSONResponse, Response

from mossbench.datasets.arms import Arm
from mossbench.errors import MossbenchError
from mossbench.outcomes import Layer, Rule
from mossbench.plumbing.apart import apart
from mossbench.reports.build import make_report
from mossbench.reports.cautions import cautions_in_progress
from mossbench.reports.html import ReportLinks, report_page
from mossbench.reports.record import Report
from mossbench.reports.words import run_lines
from mossbench.reports.words.runs import model_name
from mossbench.results.table import load_results
from mossbench.samples import Sample, Side
from mossbench.store.batch_log import pending_rows, pending_rows_text
from mossbench.store.run_folder import RunFolder
from mossbench.web.data import Data
from mossbench.web.leaderboard import rankable, superseded_of
from mossbench.web.loaded_run import UNREAD, LoadedRun, SampleKey, asked_how
from mossbench.web.pages import (
    FULL_SIZE,
    Link,
    address,
    explorer_address,
    frame_of,
    model_address,
    page,
    picture_address,
    run_address,
    shelf_of,
)
from mossbench.web.run_line import RunLine
from mossbench.web.run_progress import ProgressJson, RunProgress
from mossbench.web.shelf import LARGE_RUN, Shelf, StillReading

if TYPE_CHECKING:
    from mossbench.web.analyses import AnalysisLine

router = APIRouter()
PictureAddress = Callable[[Sample, Arm], str]
"""The address of the picture that the arm shows for the sample; empty where there is none."""
SMALL_SIZE = 480
"""Pixels of the longer side of an image in a report."""
FRESH = 30
"""Seconds after the last change of its files in which an unfinished run counts as in progress, on any machine."""


@dataclass(frozen=True)
class RunsWords:
    """The texts above the list of runs."""

    heading: str
    how_to_use_the_list: str


def runs_words(rows: Sequence[RunLine], *, can_compare: bool) -> RunsWords:
    how_to = run_lines.how_to_use_the_list(can_compare=can_compare)
    return RunsWords(run_lines.n_runs(len(rows)), how_to)


class Order(StrEnum):
    """The orders of the list of runs, as addresses have them; the first one is the default."""

    MODEL = "model"
    NEWEST = "newest"
    REFUSED = "refused"


ORDER_TITLES = {
    Order.MODEL: "by model",
    Order.NEWEST: "newest first",
    Order.REFUSED: "most harmless refused first",
}


def grouped(rows: Sequence[RunLine], order: Order = Order.MODEL) -> list[list[RunLine]]:
    """The lines in groups of which each shows its model's name once; `rows` have the newest first.

    By model, the model with the newest run comes first, and what cannot be read stands where its run is.
    """
    if order is Order.NEWEST:
        return [[row] for row in rows]
    if order is Order.REFUSED:
        return [[row] for row in sorted(rows, key=_most_refused_first)]
    groups: dict[str, list[RunLine]] = {}
    for row in rows:
        groups.setdefault(row.name if row.error else f"model {row.short_model}", []).append(row)
    return list(groups.values())


def _most_refused_first(row: RunLine) -> float:
    """What is not known comes last."""
    if row.harmless is None or not row.harmless.is_known or not row.harmless.estimate.n:
        return 1.0
    return -row.harmless.estimate.value


def _orders(order: Order) -> list[Link]:
    """The orders and their addresses; the present one has none."""
    return [
        (title, "" if other is order else address("/runs", order=None if other is Order.MODEL else other.value))
        for other, title in ORDER_TITLES.items()
    ]


@dataclass(frozen=True)
class RunsPage:
    """What runs.html shows."""

    rows: Sequence[RunLine]
    groups: Sequence[Sequence[RunLine]]
    """The same lines, as they are shown."""
    words: RunsWords
    folder: str
    """The folder of runs, for the command that makes the first one."""
    is_demo_running: bool = False
    """Whether runs of control models are being made."""
    is_changing: bool = False
    """Whether the page changes by itself, so that a script has to load it every few seconds."""
    analyses: "Sequence[AnalysisLine]" = ()
    orders: Sequence[Link] = ()
    """Where the list can be ordered: titles and addresses."""


@dataclass(frozen=True)
class BrokenRunPage:
    """What run_broken.html shows."""

    name: str
    error: str


@router.get("/runs")
def runs_page(
    request: Request,
    order: Annotated[Order, BeforeValidator(lambda value: value or Order.MODEL)] = Order.MODEL,
) -> Response:
    shelf = shelf_of(request)
    runs = shelf.runs(also_unread=True)
    superseded = _superseded(shelf, runs)
    rows = [run_line(run, superseded or {}) for run in runs if run.info or run.error]
    is_demo_running: bool = request.app.state.is_demo_running()
    is_changing = shelf.has_newer(runs) or superseded is None or any(row.is_going for row in rows)
    content = RunsPage(
        rows=rows,
        groups=grouped(rows, order),
        words=runs_words(rows, can_compare=len(rows) > 1),
        folder=shelf.settings.folder,
        is_demo_running=is_demo_running,
        is_changing=is_demo_running or is_changing,
        analyses=_analysis_lines(shelf),
        orders=_orders(order),
    )
    return page(request, "runs.html", "Runs", content)


def _superseded(shelf: Shelf, runs: Sequence[LoadedRun]) -> dict[str, str] | None:
    """Which runs are superseded, and by which; None while that is still being computed: the list does not wait."""
    try:
        return superseded_of(shelf, rankable(shelf, runs))
    except StillReading:
        return None


@router.get("/runs/{name}")
def run_page(request: Request, name: str, rule: Rule = Rule.SYSTEM) -> Response:
    shelf = shelf_of(request)
    run = shelf.run(name)
    if run.info is None:
        return page(request, "run_broken.html", "Runs", BrokenRunPage(name, run.error))
    key = ("report", run.name, run.signature, rule)
    report = shelf.compute_once(key, lambda: _report(run, rule), f"Counting {run.label}")
    data = shelf.data_of(name)
    frame = frame_of(request, "Runs")
    if run_progress(run).is_going:
        frame = replace(frame, progress=f"{run_address(name)}/progress.json")
        report = replace(report, cautions=cautions_in_progress(report.cautions))
    links = _links(run, report, data, _pages_beside(shelf, run, data))
    pictures = pictures_in(run, report, data, _address_at_size(data, SMALL_SIZE))
    return HTMLResponse(report_page([report], [pictures], frame=frame, links=links))


def _address_at_size(data: Data | None, size: int) -> PictureAddress:
    def address_of(sample: Sample, arm: Arm) -> str:
        return picture_address(data, sample, size, arm) if data else ""

    return address_of


def _analysis_lines(shelf: Shelf) -> "list[AnalysisLine]":
    from mossbench.web.analyses import analysis_lines  # its imports are slow, and Home does not need them

    return analysis_lines(shelf)


def _pages_beside(shelf: Shelf, run: LoadedRun, data: Data | None) -> tuple[Link, ...]:
    """Links above the report: the explorer with this run, comparisons, its model, its analyses."""
    model = run.results.model if run.results else ""
    pages: list[Link] = []
    if data:
        pages.append(("Explorer", explorer_address([run.name])))
    pages.append(("Compare", address("/compare", run=run.name)))
    pages.append(("All runs of this model", model_address(model)))
    for line in _analysis_lines(shelf):
        if line.folder == run.name:
            pages.append((f"Analysis: {line.names}", line.link))
    return tuple(pages)


def _links(run: LoadedRun, report: Report, data: Data | None, pages: tuple[Link, ...]) -> ReportLinks:
    """Links from each sample to the explorer with this run, and from the report to `pages`."""
    if data is None:
        return ReportLinks(pages=pages)
    samples = {(card.side, card.id): explorer_address([run.name], (card.side, card.id)) for card in report.cards}
    full_size_images, _ = pictures_in(run, report, data, _address_at_size(data, FULL_SIZE))
    return ReportLinks(samples, full_size_images, pages)


def _report(run: LoadedRun, rule: Rule) -> Report:
    """The report; that of a large run is made in a process of its own."""
    folder = run.index.runs / run.name
    return apart(_report_of, folder, rule) if run.n_rows > LARGE_RUN else _report_of(folder, rule)


def _report_of(folder: Path, rule: Rule) -> Report:
    return make_report(load_results(folder), rule=rule)


@router.get("/runs/{name}/progress.json")
def progress(request: Request, name: str) -> Response:
    return JSONResponse(progress_of(shelf_of(request).run(name)))


def progress_of(run: LoadedRun) -> ProgressJson:
    return run_progress(run).to_dict()


def run_progress(run: LoadedRun) -> RunProgress:
    """How many rows have an answer, of how many, and whether more are coming."""
    if run.info is None:
        return RunProgress("cannot be read")
    if run.counted is UNREAD:
        return RunProgress("being read", n_rows=run.info.n_rows)
    folder = RunFolder(run.index.runs / run.name)
    in_batches = ""
    with suppress(MossbenchError):
        in_batches = pending_rows_text(pending_rows(folder.batches_path))
    if run.info.ended is None:
        # The rows that an analysis asks under other arms, or in further epochs, are rows of the run too.
        n_of_analyses = sum(run.counted.other_arms.values()) + run.counted.n_in_part_epochs
        return RunProgress(
            "in progress" if _is_going(run, folder) else "not finished",
            n_answers=run.n_answers + n_of_analyses,
            n_rows=run.info.n_rows,
            in_batches=in_batches,
        )
    return RunProgress(
        "ended",
        n_answers=run.n_answers,
        n_rows=run.n_rows,
        n_missing=run.n_missing,
        n_failed=run.n_failed,
        n_unjudged=run.counted.layers.get(Layer.UNJUDGED, 0) if run.counted.judge else 0,
        in_batches=in_batches,
    )


def _is_going(run: LoadedRun, folder: RunFolder) -> bool:
    last_change = max((changed for _, _, changed in run.signature), default=0) / 1e9
    return datetime.now(UTC).timestamp() - last_change < FRESH or folder.is_being_written()


def run_line(run: LoadedRun, superseded: Mapping[str, str] = MappingProxyType({})) -> RunLine:
    """The line of a run; `superseded`: names of superseded runs -> the newer run of that model and protocol."""
    line = RunLine(
        name=run.name,
        link=run_address(run.name),
        progress=run_progress(run),
        error=run.error,
        superseded_by=superseded.get(run.name, ""),
        model=run.label,
    )
    if run.info is None:
        return line
    return replace(
        line,
        is_unjudged=run.counted is not UNREAD and not run.counted.judge,
        short_model=model_name(run.info.model),
        asked=asked_how(run.info),
        model_link=model_address(run.results.model) if run.results else "",
        data=run.info.dataset.name,
        judge=run.counted.judge or "",
        n_elsewhere=sum(run.counted.other_arms.values()),
        started=run.info.started[:16].replace("T", " "),
        harmless=run.counted.rates.get(Side.BENIGN),
        harmful=run.counted.rates.get(Side.CONTRAST),
    )


def pictures_in(
    run: LoadedRun, report: Report, data: Data | None, address_of: PictureAddress
) -> tuple[dict[SampleKey, str], str]:
    """The addresses of the pictures that a report shows, by sample, or why there are none."""
    if data is None or data.dataset is None:
        return {}, "Images are left out: the dataset is not installed or has changed since the run."
    if run.results is None:
        return {}, ""
    addresses = {}
    for card in report.cards:
        row = run.by_sample[card.side, card.id][-1]
        picture = address_of(row.sample, run.results.arm(row))
        if picture:
            addresses[card.side, card.id] = picture
    return addresses, ""
