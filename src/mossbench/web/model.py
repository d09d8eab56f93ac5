"""A model's page: its runs over time, both sides, by stimulus or any other column, what changed, and its gates."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from mossbench.errors import Code, UsageError
from mossbench.leaderboard.submissions import Submission, submitted_protocol, submitted_results
from mossbench.outcomes import Counted, Layer, Rule, counted
from mossbench.protocols import without_folders
from mossbench.reports.comparison_text import gate_line
from mossbench.reports.standing_text import whether_changed
from mossbench.reports.wording import FEW, headline, lede, model_name
from mossbench.results.changes import by_model, settings_that_differ
from mossbench.results.rates import Rate
from mossbench.results.table import Results
from mossbench.samples import Side
from mossbench.statistics import Estimate
from mossbench.web.filters import filters_of
from mossbench.web.home import change_values, changes_of, gate_values, standings_of
from mossbench.web.leaderboard import rankable
from mossbench.web.pages import ChosenText, model_address, page, shelf_of
from mossbench.web.runs import run_line
from mossbench.web.shelf import LoadedRun

router = APIRouter()
MOST_RUNS = 6
"""Runs whose groups are shown side by side."""
NOTHING: dict[str, Any] = {
    **dict.fromkeys(("heading", "lede", "shown", "by", "by_title", "gates_fault"), ""),
    **dict.fromkeys(("newer", "protocols", "columns", "groups", "changed", "gates", "gate_lines", "open_runs"), ()),
    **{"change": None, "again": False, "standing": None},
}


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
    shown = lines.get(values["shown"], NOTHING)
    change = changes_of(shelf, ranked).get(name)
    among = ((one, place) for one in standings_of(shelf, ranked) for place in one.places if place.model)
    standing, place = next((both for both in among if both[1].run == values["shown"]), (None, None))
    values = {
        **values,
        **_named(name),
        "title": "Its runs",
        "lines": lines,
        "changed": tuple(whether_changed([change])) if change else (),
        "change": change_values(change) if change else None,
        "standing": standing,
        "place": place,
        "gate_lines": [gate_line(gate).replace(f"{shelf.settings.runs}{os.sep}", "") for gate in shown["gates"]],
        "gates_fault": shown["gates_fault"],
        "open_runs": [line for run, line in lines.items() if run not in finished],
        "again": shelf.reading or any(line["going"] for line in lines.values()),
    }
    return page(request, "model.html", "Leaderboard", **values)


def _history(model: str, loaded: Sequence[LoadedRun], by: str | None) -> dict[str, Any]:
    """What the page says of runs that are finished and judged, the newest first."""
    runs = by_model(run.results for run in loaded if run.results).get(model, [])
    if not runs:
        return {**NOTHING, "heading": f"No run of {model_name(model)} is finished and judged with an answer."}
    rates = {run.name: run.counted.rates for run in loaded if run.counted.rates}
    counts = {name: (some.get(Side.BENIGN) or some[Side.CONTRAST]).estimate for name, some in rates.items()}
    most = max(counts[run.name].n for run in runs)
    place = next(i for i, run in enumerate(runs) if _covers(run, counts[run.name], most))
    found: dict[Any, list[Results]] = {run.protocol().ranked(): [] for run in (runs[place], *runs)}
    for run in runs:
        found[run.protocol().ranked()].append(run)
    ways = [some[0].protocol().words() for some in found.values()]
    topics = [topic for topic in ways[0] if topic != "judge" and len({words.get(topic) for words in ways}) > 1]
    protocols = [
        {
            "title": f"{some[0].info.dataset.label}, judge {some[0].judge}",
            "asked": [f"{topic} {words[topic]}" for topic in topics if topic in words],
            "rows": [
                {"run": run.name, "settings": settings_that_differ(before, run) if before else None}
                for run, before in zip(some, [*some[1:], None], strict=True)
            ],
        }
        for words, some in zip(ways, found.values(), strict=True)
    ]
    newer = [(run.name, counts[run.name].n) for run in runs[:place]]
    said = _headline(runs[place], Rule.SYSTEM) | {"shown": runs[place].name, "newer": newer, "protocols": protocols}
    return {**NOTHING, **said, **_grouped(next(iter(found.values()))[:MOST_RUNS], runs[place], by)}


def _covers(run: Results, counts: Estimate, most: int) -> bool:
    """Whether it can be the headline: half as many rows count as in any other run, or in a whole set not few."""
    asked = run.protocol().benign or run.protocol().contrast
    return 2 * counts.n >= most or bool(asked and asked.whole and counts.n >= max(counts.n_left_out, FEW))


def _named(name: str) -> dict[str, Any]:
    return {"name": model_name(name), "full": name, "own_query": name if "?" in model_address(name) else ""}


def _submitted(found: Sequence[Submission], by: str | None) -> dict[str, Any]:
    """The page of a model that was submitted: what each file says, the newest first; how it was asked is as stated."""
    newest = sorted(found, key=lambda one: one.date, reverse=True)
    some = [submitted_results(one, Path(f"submission {i} of {one.date}")) for i, one in enumerate(newest, start=1)]
    lines, protocols = {}, []
    for one, results in zip(newest, some, strict=True):
        rates = {rate.side: rate for rate in results.rates(by=None, rule=one.rule)}
        asked = [f"{topic} {words}" for topic, words in submitted_protocol(one).words().items()]
        protocols.append({"title": one.dataset, "asked": asked, "rows": [{"run": results.name, "settings": ()}]})
        lines[results.name] = {
            **{"name": results.name, "link": "/leaderboard", "started": one.date, "gates": (), "gates_fault": ""},
            **{"harmless": rates.get(Side.BENIGN), "harmful": rates.get(Side.CONTRAST)},
        }
    said = {"title": "As submitted", "protocols": protocols, "lines": lines}
    told = _headline(some[0], newest[0].rule) | _grouped(some[:1], some[0], by)
    return {**NOTHING, **_named(found[0].model), **told, **said}


def _headline(run: Results, rule: Rule) -> dict[str, str]:
    """What the run found, as its report says it."""
    rates = {rate.side: rate for rate in run.rates(by=None, rule=rule)}
    rate = rates.get(Side.BENIGN) or rates[Side.CONTRAST]
    rows = [row for row in run.rows if counted(row.outcome, rule) is not Counted.LEFT_OUT]
    n = len({row.key.sample for row in rows if row.key.side is rate.side})
    harmful = rates.get(Side.CONTRAST) if rate.side is Side.BENIGN else None
    heading = headline(run.model, rate, n_unjudged=rate.layers[Layer.UNJUDGED], n_samples=n)
    return {"heading": heading, "lede": lede(rate, harmful, n, those="harmful requests")}


def _grouped(runs: Sequence[Results], shown: Results, by: str | None) -> dict[str, Any]:
    columns = [
        (one.group, one.title) for one in filters_of({row.sample.key: row.sample for row in shown.rows}.values())
    ]
    by = by or (columns[0][0] if columns else None)
    title = dict(columns).get(by or "", by)
    return {"columns": columns, "by": by, "by_title": title, "groups": _groups(runs, by) if by else []}


def _groups(runs: Sequence[Results], by: str) -> dict[str, dict[str, dict[Side, Rate]]]:
    """Each group of samples with its rates, by run and side."""
    groups: dict[str, dict[str, dict[Side, Rate]]] = {}
    for run in runs:
        for rate in run.rates(by=by):
            if rate.group != "all":
                groups.setdefault(rate.group, {}).setdefault(run.name, {})[rate.side] = rate
    return groups
