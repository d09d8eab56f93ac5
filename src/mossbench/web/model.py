"""A model's page: its runs over time, both sides, by stimulus or any other column, what changed, and its gates."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from mossbench.errors import Code, UsageError
from mossbench.outcomes import Layer
from mossbench.protocols import without_folders
from mossbench.reports.comparison_text import gate_line
from mossbench.reports.standing_text import whether_changed
from mossbench.reports.wording import headline, model_name
from mossbench.results import Results
from mossbench.results.changes import by_model, settings_that_differ
from mossbench.results.rates import GROUPS, Rate
from mossbench.samples import Side
from mossbench.web.filters import filters_of
from mossbench.web.home import change_values, changes_of, gate_values
from mossbench.web.pages import ChosenText, model_address, page, shelf_of
from mossbench.web.runs import run_line
from mossbench.web.shelf import LoadedRun, Shelf

router = APIRouter()
MOST_RUNS = 6
"""Runs whose groups are shown side by side."""


@router.get("/models")
@router.get("/models/{label:path}")
def model_page(request: Request, label: str = "", model: ChosenText = None, by: ChosenText = None) -> Response:
    shelf, name = shelf_of(request), model or label
    runs = [run for run in shelf.runs() if run.info and without_folders(run.info.config.model) == name]
    if not runs:
        raise UsageError(f"no run of a model named {name!r} in the runs folder of this server", code=Code.NOT_FOUND)
    ready = by_model(run.results for run in runs if run.results).get(name, [])
    lines = {run.name: {**run_line(run), **gate_values(shelf, run)} for run in runs}
    change = changes_of(shelf).get(name)
    newest = ready[0] if ready else None
    columns = _columns(newest) if newest else []
    by = by or (columns[0][0] if columns else None)
    return page(
        request,
        "model.html",
        "Leaderboard",
        name=model_name(name),
        full=name,
        heading=_heading(newest) if newest else f"No run of {model_name(name)} is finished and judged.",
        changed=tuple(whether_changed([change])) if change else (),
        change=change_values(change) if change else None,
        gate_lines=[gate_line(gate) for gate in lines[newest.name]["gates"]] if newest else [],
        open_runs=[lines[run.name] for run in runs if run.results not in ready],
        protocols=_protocols(ready, lines),
        gates_fault=lines[newest.name]["gates_fault"] if newest else "",
        columns=columns,
        by=by,
        by_title=dict(columns).get(by or "", by),
        groups=_groups(shelf, runs, ready, by) if by else [],
        own_path=model_address(name).partition("?")[0],
        own_query=name if "?" in model_address(name) else "",
        again=shelf.reading or any(line["going"] for line in lines.values()),
    )


def _heading(run: Results) -> str:
    rates = {rate.side: rate for rate in run.rates(by=None)}
    rate = rates.get(Side.BENIGN) or rates[Side.CONTRAST]
    samples = {row.sample.id for row in run.rows if row.key.side is rate.side}
    return headline(run.model, rate, n_unjudged=rate.layers[Layer.UNJUDGED], n_samples=len(samples))


def _protocols(runs: Sequence[Results], lines: dict[str, dict[str, Any]]) -> list[dict[str, Any]]:
    """The runs by protocol, the newest first, each with the settings in which it differs from the one before it."""
    found: dict[Any, list[Results]] = {}
    for run in runs:
        found.setdefault(run.protocol().ranked(), []).append(run)
    return [
        {
            "title": f"{some[0].info.dataset.label}, judge {some[0].judge}",
            "apart": settings_that_differ(runs[0], some[0]) if some[0] is not runs[0] else (),
            "rows": [
                {**lines[run.name], "settings": settings_that_differ(before, run) if before else ()}
                for run, before in zip(some, [*some[1:], None], strict=True)
            ],
        }
        for some in found.values()
    ]


def _columns(run: Results) -> list[tuple[str, str]]:
    """What the run's samples can be grouped by, as `rates` calls it, and in words."""
    found = []
    for one in filters_of({row.sample.key: row.sample for row in run.rows}.values()):
        own = one.name.removeprefix("column.")
        found.append((f"data_{own}" if own != one.name and own in GROUPS else own, one.title))
    return found


def _groups(shelf: Shelf, runs: Sequence[LoadedRun], ready: Sequence[Results], by: str) -> list[dict[str, Any]]:
    """Each group of samples with its rates in the runs of the newest protocol, the newest first."""
    alike = [run for run in ready if run.protocol().ranked() == ready[0].protocol().ranked()][:MOST_RUNS]
    signatures = tuple(run.signature for run in runs if run.results in alike)
    key = ("groups", ready[0].model, signatures, by)
    found = shelf.slow(key, lambda: [(run, run.rates(by=by)) for run in alike], "Counting groups")
    names = dict.fromkeys(rate.group for _, rates in found for rate in rates if rate.group != "all")
    return [
        {
            "name": name,
            "rows": [
                {"run": run.name, "started": run.info.started[:10], **_sides(rates, name)}
                for run, rates in found
                if any(rate.group == name for rate in rates)
            ],
        }
        for name in names
    ]


def _sides(rates: Sequence[Rate], group: str) -> dict[str, Rate | None]:
    of = {rate.side: rate for rate in rates if rate.group == group}
    return {"harmless": of.get(Side.BENIGN), "harmful": of.get(Side.CONTRAST)}
