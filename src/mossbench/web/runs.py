"""Runs: the list, the report of each, and how far one is that is still going."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from types import MappingProxyType
from typing import Any
from urllib.parse import quote

from fastapi import APIRouter, Request
from starlette.responses import HTMLResponse, JSONResponse, Response

from mossbench.datasets.arms import Arm
from mossbench.errors import MossbenchError
from mossbench.outcomes import Layer, Rule
from mossbench.plumbing.apart import apart
from mossbench.reports.build import make_report
from mossbench.reports.cautions import while_going
from mossbench.reports.html import Ways, report_page
from mossbench.reports.record import Report
from mossbench.results.table import load_results
from mossbench.samples import Sample, Side
from mossbench.store.batches import rows_out, rows_out_text
from mossbench.store.run_folder import RunFolder
from mossbench.web.data import Data
from mossbench.web.leaderboard import rankable, superseded_of
from mossbench.web.loaded_run import UNREAD, LoadedRun
from mossbench.web.pages import (
    FULL_SIZE,
    address,
    explorer_address,
    frame_of,
    model_address,
    page,
    picture_address,
    shelf_of,
)
from mossbench.web.progress import RunProgress
from mossbench.web.shelf import LARGE, Shelf, StillReading

router = APIRouter()
FRESH = 30
"""Seconds after its last answer for which an unfinished run counts as going on, also where another machine asks."""


@router.get("/runs")
def runs_page(request: Request) -> Response:
    runs = shelf_of(request).runs(also_unread=True)
    superseded = _superseded(shelf_of(request), runs)
    rows = [run_line(run, superseded or {}) for run in runs if run.info or run.error]
    coming = request.app.state.coming()
    again = coming or shelf_of(request).reading or superseded is None or any(row["going"] for row in rows)
    values = {"rows": rows, "folder": request.app.state.settings.folder, "coming": coming, "again": again}
    return page(request, "runs.html", "Runs", **values, analyses=_analysis_lines(request))


def _superseded(shelf: Shelf, runs: Sequence[LoadedRun]) -> dict[str, str] | None:
    """Which runs are superseded, and by which; None while that is being found out: the list does not wait for it."""
    try:
        return superseded_of(shelf, rankable(shelf, runs))
    except StillReading:
        return None


@router.get("/runs/{name}")
def run_page(request: Request, name: str, rule: Rule = Rule.SYSTEM) -> Response:
    shelf = shelf_of(request)
    run = shelf.run(name)
    if run.info is None:
        return page(request, "run_broken.html", "Runs", name=name, error=run.error)
    key = ("report", run.name, run.signature, rule)
    report = shelf.slow(key, lambda: _report(run, rule), f"Counting {run.label}")
    data = next((one for one in shelf.data() if any(member.name == name for member in one.runs)), None)
    frame = frame_of(request, "Runs")

    def small(sample: Sample, arm: Arm) -> str:
        return picture_address(data, sample, 480, arm) if data else ""

    if run_progress(run).is_going:
        frame = replace(frame, progress=f"/runs/{quote(name, safe='')}/progress.json")
        report = replace(report, cautions=while_going(report.cautions))
    pages = _pages(request, run, data)

    shown = pictures_in(run, report, data, small)
    return HTMLResponse(report_page([report], [shown], frame=frame, ways=_ways(run, report, data, pages)))


def _analysis_lines(request: Request) -> list[dict[str, Any]]:
    from mossbench.web.analyses import analysis_lines  # with all that a run takes: Home begins without it

    return analysis_lines(request)


def _pages(request: Request, run: LoadedRun, data: Data | None) -> tuple[tuple[str, str], ...]:
    """Beside the report: the explorer with this run, comparisons, its model, its analyses."""
    model = run.results.model if run.results else ""
    pages = [("Explorer", explorer_address([run.name]))] if data else []
    pages += [("Compare", address("/compare", run=run.name)), ("All runs of this model", model_address(model))]
    lines = _analysis_lines(request)
    return (*pages, *((f"Analysis: {one['what']}", one["link"]) for one in lines if one["folder"] == run.name))


def _ways(run: LoadedRun, report: Report, data: Data | None, pages: tuple[tuple[str, str], ...]) -> Ways:
    """From each sample to the explorer with this run, and from the report to `pages`."""
    if data is None:
        return Ways(pages=pages)
    samples = {(card.side, card.id): explorer_address([run.name], (card.side, card.id)) for card in report.cards}
    large, _ = pictures_in(run, report, data, lambda sample, arm: picture_address(data, sample, FULL_SIZE, arm))
    return Ways(samples, large, pages)


def _report(run: LoadedRun, rule: Rule) -> Report:
    """The report, of a large run made in a process of its own."""
    folder = run.index.runs / run.name
    return apart(_report_of, folder, rule) if run.n_rows > LARGE else _report_of(folder, rule)


def _report_of(folder: Path, rule: Rule) -> Report:
    return make_report(load_results(folder), rule=rule)


@router.get("/runs/{name}/progress.json")
def progress(request: Request, name: str) -> Response:
    return JSONResponse(progress_of(shelf_of(request).run(name)))


def progress_of(run: LoadedRun) -> dict[str, Any]:
    """How many rows have an answer, of how many, and whether more are coming."""
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
        in_batches = rows_out_text(rows_out(folder.batches_path))
    if run.info.ended is None:
        # An analysis asks the rows under other arms, and they are among those of the run.
        n_under_other_arms = sum(run.counted.other_arms.values())
        return RunProgress(
            "in progress" if _is_going(run, folder) else "not finished",
            n_answers=run.n_answers + n_under_other_arms,
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


def run_line(run: LoadedRun, superseded: Mapping[str, str] = MappingProxyType({})) -> dict[str, Any]:
    """What pages show of a run; `superseded` has the newer runs of the same model and protocol by older ones."""
    progress = run_progress(run)
    is_unjudged = run.info is not None and run.counted is not UNREAD and not run.counted.judge
    line: dict[str, Any] = {
        "name": run.name,
        "error": run.error,
        **progress.to_dict(),
        "phase": progress.phase,
        "is_finished": progress.is_finished,
        "has_rates": progress.has_rates,
        "is_unjudged": is_unjudged,
        "listed_under": progress.listed_under(is_readable=not run.error, is_judged=not is_unjudged),
        "superseded_by": superseded.get(run.name, ""),
        "link": f"/runs/{quote(run.name, safe='')}",
    }
    if run.info is not None:
        line |= {
            "model": run.label,
            "data": run.info.dataset.name,
            "judge": run.counted.judge or "",
            "n_elsewhere": sum(run.counted.other_arms.values()),
            "started": run.info.started[:16].replace("T", " "),
            "harmless": run.counted.rates.get(Side.BENIGN),
            "harmful": run.counted.rates.get(Side.CONTRAST),
        }
    return line


def pictures_in(
    run: LoadedRun, report: Report, data: Data | None, address: Callable[[Sample, Arm], str]
) -> tuple[dict[tuple[Side, str], str], str]:
    """The addresses of the pictures that a report shows, by sample, or why there are none."""
    if data is None or data.dataset is None:
        return {}, "Images are left out: the dataset is not installed or has changed since the run."
    shown = {(card.side, card.id): run.by_sample[card.side, card.id][-1] for card in report.cards}
    found = {key: address(row.sample, run.results.arm(row)) for key, row in shown.items() if run.results}
    return {key: where for key, where in found.items() if where}, ""
