"""A model's page: its runs over time, both sides, by stimulus or any other column, what changed, and its gates."""

from __future__ import annotations

import os
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
from mossbench.results.rates import GROUPS
from mossbench.samples import Side
from mossbench.web.filters import filters_of
from mossbench.web.home import change_values, changes_of, gate_values
from mossbench.web.leaderboard import rankable
from mossbench.web.pages import ChosenText, model_address, page, shelf_of
from mossbench.web.runs import run_line
from mossbench.web.shelf import LoadedRun

router = APIRouter()
MOST_RUNS = 6
"""Runs whose groups are shown side by side."""


@router.get("/models")
@router.get("/models/{label:path}")
def model_page(request: Request, label: str = "", model: ChosenText = None, by: ChosenText = None) -> Response:
    shelf, name = shelf_of(request), model or label
    everything = shelf.runs()
    runs = [run for run in everything if run.info and without_folders(run.info.config.model) == name]
    if not runs:
        raise UsageError(f"no run of a model named {name!r} in the runs folder of this server", code=Code.NOT_FOUND)
    key = ("model", name, by, tuple((run.name, run.signature) for run in runs))
    values = shelf.slow(key, lambda: _history(name, runs, by), f"Counting {model_name(name)}")
    lines = {run.name: {**run_line(run), **gate_values(shelf, run)} for run in runs}
    finished = {one["run"] for protocol in values["protocols"] for one in protocol["rows"]}
    newest = lines.get(values["newest"], {"gates": (), "gates_fault": ""})
    change = changes_of(shelf, rankable(shelf, everything)).get(name)
    return page(
        request,
        "model.html",
        "Leaderboard",
        **values,
        name=model_name(name),
        full=name,
        changed=tuple(whether_changed([change])) if change else (),
        change=change_values(change) if change else None,
        gate_lines=[gate_line(gate).replace(f"{shelf.settings.runs}{os.sep}", "") for gate in newest["gates"]],
        gates_fault=newest["gates_fault"],
        open_runs=[line for run, line in lines.items() if run not in finished],
        lines=lines,
        own_path=model_address(name).partition("?")[0],
        own_query=name if "?" in model_address(name) else "",
        again=shelf.reading or any(line["going"] for line in lines.values()),
    )


def _history(model: str, loaded: Sequence[LoadedRun], by: str | None) -> dict[str, Any]:
    """What the page says of runs that are finished and judged, the newest first."""
    runs = by_model(run.results for run in loaded if run.results).get(model, [])
    if not runs:
        nothing = f"No run of {model_name(model)} is finished and judged."
        return {
            "heading": nothing,
            "newest": "",
            "protocols": [],
            "columns": [],
            "by": "",
            "by_title": "",
            "groups": [],
        }
    found: dict[Any, list[Results]] = {}
    for run in runs:
        found.setdefault(run.protocol().ranked(), []).append(run)
    columns = _columns(runs[0])
    by = by or (columns[0][0] if columns else None)
    return {
        "heading": _heading(runs[0]),
        "newest": runs[0].name,
        "protocols": [
            {
                "title": f"{some[0].info.dataset.label}, judge {some[0].judge}",
                "apart": settings_that_differ(runs[0], some[0]) if some[0] is not runs[0] else (),
                "rows": [
                    {"run": run.name, "settings": settings_that_differ(before, run) if before else None}
                    for run, before in zip(some, [*some[1:], None], strict=True)
                ],
            }
            for some in found.values()
        ],
        "columns": columns,
        "by": by,
        "by_title": dict(columns).get(by or "", by),
        "groups": _groups(next(iter(found.values()))[:MOST_RUNS], by) if by else [],
    }


def _heading(run: Results) -> str:
    rates = {rate.side: rate for rate in run.rates(by=None)}
    rate = rates.get(Side.BENIGN) or rates[Side.CONTRAST]
    samples = {row.sample.id for row in run.rows if row.key.side is rate.side}
    return headline(run.model, rate, n_unjudged=rate.layers[Layer.UNJUDGED], n_samples=len(samples))


def _columns(run: Results) -> list[tuple[str, str]]:
    """What the run's samples can be grouped by, as `rates` calls it, and in words."""
    found = []
    for one in filters_of({row.sample.key: row.sample for row in run.rows}.values()):
        own = one.name.removeprefix("column.")
        found.append((f"data_{own}" if own != one.name and own in GROUPS else own, one.title))
    return found


def _groups(runs: Sequence[Results], by: str) -> list[dict[str, Any]]:
    """Each group of samples with its rates in every run."""
    groups: dict[str, dict[str, dict[Side, Any]]] = {}
    for run in runs:
        for rate in run.rates(by=by):
            if rate.group != "all":
                groups.setdefault(rate.group, {}).setdefault(run.name, {})[rate.side] = rate
    return [
        {
            "name": name,
            "rows": [
                {"run": run, "harmless": sides.get(Side.BENIGN), "harmful": sides.get(Side.CONTRAST)}
                for run, sides in some.items()
            ],
        }
        for name, some in groups.items()
    ]
