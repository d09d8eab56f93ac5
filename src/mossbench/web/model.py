"""A model's page: its runs over time, both sides, by stimulus or any other column, what changed, and its gates."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from mossbench.errors import Code, UsageError
from mossbench.leaderboard.submissions import Submission, submitted_protocol, submitted_results
from mossbench.outcomes import Layer
from mossbench.protocols import without_folders
from mossbench.reports.comparison_text import gate_line
from mossbench.reports.standing_text import whether_changed
from mossbench.reports.wording import headline, model_name
from mossbench.results.changes import by_model, settings_that_differ
from mossbench.results.rates import GROUPS
from mossbench.results.table import Results
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
    ranked = rankable(shelf, everything)
    if not runs and (submitted := [one for one in ranked.submissions if one.model == name]):
        return page(request, "model.html", "Leaderboard", **_submitted(submitted, by))
    if not runs:
        raise UsageError(f"no run of a model named {name!r} in the runs folder of this server", code=Code.NOT_FOUND)
    key = ("model", name, by, tuple((run.name, run.signature) for run in runs))
    values = shelf.slow(key, lambda: _history(name, runs, by), f"Counting {model_name(name)}")
    lines = {run.name: {**run_line(run), **gate_values(shelf, run)} for run in runs}
    finished = {one["run"] for protocol in values["protocols"] for one in protocol["rows"]}
    newest = lines.get(values["newest"], {"gates": (), "gates_fault": ""})
    change = changes_of(shelf, ranked).get(name)
    return page(
        request,
        "model.html",
        "Leaderboard",
        **values,
        **_named(name),
        title="Its runs, newest first",
        changed=tuple(whether_changed([change])) if change else (),
        change=change_values(change) if change else None,
        gate_lines=[gate_line(gate).replace(f"{shelf.settings.runs}{os.sep}", "") for gate in newest["gates"]],
        gates_fault=newest["gates_fault"],
        open_runs=[line for run, line in lines.items() if run not in finished],
        lines=lines,
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


def _named(name: str) -> dict[str, Any]:
    path, query, _ = model_address(name).partition("?")
    return {"name": model_name(name), "full": name, "own_path": path, "own_query": name if query else ""}


def _submitted(found: Sequence[Submission], by: str | None) -> dict[str, Any]:
    """The page of a model that was submitted: what each file says, the newest first; how it was asked is as stated."""
    newest = sorted(found, key=lambda one: one.date, reverse=True)
    some = [submitted_results(one, Path(f"submission {i} of {one.date}")) for i, one in enumerate(newest, start=1)]
    columns = _columns(some[0])
    by = by or (columns[0][0] if columns else None)
    lines, protocols = {}, []
    for one, results in zip(newest, some, strict=True):
        rates = {rate.side: rate for rate in results.rates(by=None, rule=one.rule)}
        asked = ", ".join(f"{topic} {words}" for topic, words in submitted_protocol(one).words().items())
        protocols.append(
            {"title": f"{one.dataset}: {asked}", "apart": (), "rows": [{"run": results.name, "settings": ()}]}
        )
        lines[results.name] = {
            **{"name": results.name, "link": "/leaderboard", "started": one.date, "gates": (), "gates_fault": ""},
            **{"harmless": rates.get(Side.BENIGN), "harmful": rates.get(Side.CONTRAST)},
        }
    return {
        **_named(found[0].model),
        **{"title": "As submitted", "heading": _heading(some[0]), "protocols": protocols, "lines": lines},
        **{"columns": columns, "by": by, "by_title": dict(columns).get(by or "", by)},
        "groups": _groups(some[:1], by) if by else [],
        **{"changed": (), "change": None, "gate_lines": [], "gates_fault": "", "open_runs": [], "again": False},
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
