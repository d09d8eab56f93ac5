"""A model's page: its runs over time, both sides, by stimulus or any other column, what changed, and its gates."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from mossbench.errors import Code, UsageError
from mossbench.leaderboard.submissions import Submission, submitted_protocol, submitted_results
from mossbench.look.commands import as_commands
from mossbench.outcomes import MAX_FAILED, Counted, Layer, Rule, counted
from mossbench.protocols import Topic, digest
from mossbench.reports.comparison_text import check_words
from mossbench.reports.standing_text import FALSE_ALARMS, whether_changed
from mossbench.reports.wording import headline, lede, model_name
from mossbench.results.changes import Change, by_model, settings_that_differ
from mossbench.results.current import Current, RunCandidate, current_runs, n_samples, protocol_key, who
from mossbench.results.gates import Gate
from mossbench.results.rates import Rate
from mossbench.results.table import Results
from mossbench.samples import Side
from mossbench.web.filters import filters_of
from mossbench.web.home import change_values, changes_of, gate_values, standings_of
from mossbench.web.leaderboard import rankable
from mossbench.web.loaded_run import LoadedRun
from mossbench.web.pages import ChosenText, model_address, page, shelf_of
from mossbench.web.runs import run_line

router = APIRouter()
MOST_RUNS = 6
"""Runs whose groups are shown side by side."""
NOTHING: dict[str, Any] = {
    **dict.fromkeys(("heading", "lede", "shown", "by", "by_title", "gates_fault", "key", "not_ranked"), ""),
    **dict.fromkeys(("newer", "protocols", "columns", "groups", "changed", "gates", "gate_checks", "open_runs"), ()),
    **{"change": None, "again": False, "standing": None, "no_change": False, "false_alarms": ""},
    **{"n_protocols": 1, "most_samples": True, "n_samples": 0, "recorded": False},
}


@router.get("/models")
@router.get("/models/{label:path}")
def model_page(
    request: Request,
    label: str = "",
    model: ChosenText = None,
    by: ChosenText = None,
    protocol: ChosenText = None,
    data: ChosenText = None,
) -> Response:
    shelf, name = shelf_of(request), model or label
    everything = shelf.runs()
    keys = {run.info.model_key for run in everything if run.info and run.info.model == name}
    runs = [run for run in everything if run.info and run.info.model_key in keys]
    ranked = rankable(shelf, everything)
    if not runs and (submitted := [one for one in ranked.submissions if one.model == name]):
        return page(request, "model.html", "Leaderboard", **_submitted(submitted, by))
    if not runs:
        raise UsageError(f"no run of a model named {name!r} in the runs folder of this server", code=Code.NOT_FOUND)
    key = ("model", name, by, protocol, data, tuple((run.name, run.signature) for run in runs))
    values = shelf.slow(key, lambda: _history(name, runs, by, protocol, data), f"Counting {model_name(name)}")
    lines = {run.name: {**run_line(run), **gate_values(shelf, run)} for run in runs}
    finished = {one["run"] for group in values["protocols"] for one in group["rows"]}
    shown = lines.get(values["shown"], NOTHING)
    spellings = {run.info.model for run in runs if run.info}
    change = _change_of(changes_of(shelf, ranked), spellings, values["key"])
    among = ((one, place) for one in standings_of(shelf, ranked) for place in one.places if place.model)
    standing, place = next((both for both in among if both[1].run == values["shown"]), (None, None))
    values = {
        **values,
        **_named(name),
        "title": "Its runs",
        "lines": lines,
        "changed": tuple(whether_changed([change])) if change else (),
        "change": change_values(change) if change else None,
        "no_change": len(finished) > 1 and change is None,
        "false_alarms": FALSE_ALARMS if change else "",
        "standing": standing,
        "place": place,
        "gate_checks": [_check_lines(gate, shelf.settings.runs) for gate in shown["gates"]],
        "gates_fault": shown["gates_fault"],
        "open_runs": [line for run, line in lines.items() if run not in finished],
        "again": shelf.reading or any(line["going"] for line in lines.values()),
    }
    return page(request, "model.html", "Leaderboard", **values)


def _check_lines(gate: Gate, runs: Path) -> list[str]:
    """What is said of each check of a gate, without the folder of this machine that the runs are in."""
    return [check_words(check).replace(f"{runs}{os.sep}", "") for check in gate.checks]


def _change_of(found: Sequence[Change], spellings: set[str], protocol: str) -> Change | None:
    """What changed on the dataset and protocol that the page is headed by, however the model's name is spelled."""
    for change in found:
        if change.model in spellings and change.protocol == protocol:
            return change
    return None


def _history(
    model: str, loaded: Sequence[LoadedRun], by: str | None, protocol: str | None, data: str | None
) -> dict[str, Any]:
    """What the page says of runs that are finished and judged: those of the chosen protocol first, the newest first."""
    by_key = by_model(run.results for run in loaded if run.results)
    runs = [run for some in by_key.values() for run in some]
    if not runs:
        return {**NOTHING, "heading": f"No run of {model_name(model)} is finished and judged with an answer."}
    every = current_runs(runs)
    chosen = _chosen(every, protocol, data)
    in_order = [chosen, *(one for one in every if one is not chosen)]
    ways = [_who_and_how(one.stands.results) for one in in_order]
    differing = [topic for topic in ways[0] if len({words.get(topic) for words in ways}) > 1]
    topics = [topic for topic in differing if topic != Topic.JUDGE]  # it is in the title
    head = chosen.stands.results
    protocols = [_protocol_values(model, one, topics, head) for one in in_order]
    newer = [{"run": one.candidate.results.name, "reason": as_commands(one.reason)} for one in chosen.passed_over]
    larger = n_samples(head) < max(n_samples(one.stands.results) for one in every)
    said = _headline(head, Rule.SYSTEM)
    return {
        **NOTHING,
        **said,
        "shown": head.name,
        "recorded": head.info.recorded,
        "key": protocol_key(head.protocol()),
        "newer": newer,
        "not_ranked": as_commands(chosen.stands.not_ranked(MAX_FAILED)),
        "n_protocols": len(every),
        "most_samples": not larger,
        "n_samples": n_samples(head),
        "protocols": protocols,
        **_grouped([head, *(one.results for one in chosen.superseded)][:MOST_RUNS], head, by),
    }


def _chosen(every: Sequence[Current[RunCandidate]], protocol: str | None, data: str | None) -> Current[RunCandidate]:
    """What was asked for by its protocol or its dataset; else the first, on the most samples."""
    for one in every:
        if protocol is not None and protocol_key(one.stands.results.protocol()) == protocol:
            return one
    for one in every:
        if data is not None and data in (one.stands.results.info.dataset.name, one.stands.results.info.dataset.label):
            return one
    return every[0]


def _who_and_how(run: Results) -> dict[str, str]:
    """How a run was asked, at which address, and from which folder its model came, in words that name neither."""
    subject, asked_model = who(run)
    words = {str(topic): text for topic, text in run.protocol().words().items()}
    words["endpoint"] = subject.address or "none"
    words["folder"] = digest(asked_model)
    return words


def _why_apart(run: Results, head: Results) -> str:
    """In what runs further down differ from those of the headline."""
    if run is head:
        return ""
    if protocol_key(run.protocol()) == protocol_key(head.protocol()):
        return "Another model of this name"
    what = "Other data" if run.info.dataset.label != head.info.dataset.label else "Asked otherwise"
    return f"{what}, not ranked with the runs above"


def _protocol_values(
    model: str, current: Current[RunCandidate], topics: Sequence[str], shown: Results
) -> dict[str, Any]:
    """The runs of one dataset and protocol, the newest first, each with what differs from the one before it."""
    head = current.stands.results
    words = _who_and_how(head)
    newer = [one.candidate.results for one in current.passed_over]
    older = [one.results for one in current.superseded]
    runs = [*newer, head, *older]
    rows = []
    for run, before in zip(runs, [*runs[1:], None], strict=True):
        row = {
            "run": run.name,
            "settings": [one.words() for one in settings_that_differ(before, run)] if before else None,
            "superseded_by": head.name if run in older else "",
            "passed_over": run in newer,
            "is_submission": False,
        }
        rows.append(row)
    key = protocol_key(head.protocol())
    return {
        "title": f"{head.info.dataset.label}, judge {head.judge}",
        "why_apart": _why_apart(head, shown),
        "asked": [f"{topic} {words[topic]}" for topic in topics if topic in words],
        "rows": rows,
        "link": "" if key == protocol_key(shown.protocol()) else model_address(model, protocol=key),
    }


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
        row = {
            "run": results.name,
            "settings": (),
            "superseded_by": "",
            "passed_over": False,
            "is_submission": True,
        }
        protocols.append({"title": one.dataset, "asked": asked, "rows": [row], "why_apart": "", "link": ""})
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
