"""A model's page: its runs over time, both sides, rates by stimulus or another column, what changed, its gates."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from fastapi import APIRouter, Request
from starlette.responses import Response

from mossbench.errors import Code, UsageError
from mossbench.leaderboard.both_sides import Place, Standing
from mossbench.leaderboard.submission_records import Submission, submitted_protocol, submitted_results
from mossbench.reports.method import how_to_run
from mossbench.reports.words import model_page as words
from mossbench.reports.words.gates import NO_LIMIT, check_clauses, reread_clauses
from mossbench.reports.words.grammar import capital
from mossbench.reports.words.home_page import HomeItem, HomeRow, ItemState
from mossbench.reports.words.runs import model_name
from mossbench.reports.words.standing import FALSE_ALARMS, whether_changed
from mossbench.results.changes import Change
from mossbench.results.gates import Gate
from mossbench.results.table import Results
from mossbench.samples import Side
from mossbench.web.home import ChangeLine, change_line, changes_of, standings_of, with_gates
from mossbench.web.home_rows import attention_row, changed_row
from mossbench.web.leaderboard import Rankable, rankable
from mossbench.web.loaded_run import LoadedRun
from mossbench.web.model_drawings import GroupBar, Trend, bars_of, trend_of
from mossbench.web.model_history import (
    History,
    HistoryRow,
    ProtocolRows,
    group_table,
    headline_of,
    make_history,
)
from mossbench.web.pages import ChosenText, address, model_address, page, refused_address, shelf_of
from mossbench.web.run_line import RunLine
from mossbench.web.runs import run_line
from mossbench.web.sample_cards import SampleCard, refused_cards, refused_keys
from mossbench.web.shelf import Shelf

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

router = APIRouter()
N_REFUSED_SAMPLES = 10
"""Refused samples that are shown as small cards."""


@dataclass(frozen=True)
class ModelStanding:
    """What changed, whether the model passes its gates, where it stands among models, and its open runs."""

    changed: Sequence[str] = ()
    change: ChangeLine | None = None
    made_change: Change | None = None
    """The change that `change` shows."""
    started: Mapping[str, str] = field(default_factory=dict)
    """When each run was started."""
    no_change: bool = False
    """Whether it has several runs, but no two that can be compared."""
    false_alarms: str = ""
    standing: Standing | None = None
    place: Place | None = None
    gate_checks: Sequence[Sequence[str]] = ()
    gates_fault: str = ""
    open_runs: Sequence[RunLine] = ()
    """Runs that are not finished, not judged or without an answer."""
    is_changing: bool = False
    """Whether the page changes by itself, so that a script has to load it every few seconds."""


@dataclass(frozen=True)
class ModelWords:
    """Sentences about the run of the headline, and about the model compared with others."""

    which_data: str
    which_run: str
    how_safe: words.WithNames | None
    """None where there is no other model."""
    how_oversensitive: Sequence[words.WithNames]


@dataclass(frozen=True)
class ModelParts:
    """What stands above the fold beside the headline, and the refused samples below it."""

    rows: Sequence[HomeRow] = ()
    """Where it stands, what changed, what needs attention."""
    trend: Trend | None = None
    bars: Sequence[GroupBar] = ()
    refused: Sequence[SampleCard] = ()
    n_refused: int = 0
    refused_link: str = ""
    """All harmless samples that it refused."""
    command: str = ""
    """What runs it again; empty where that is not known."""


@dataclass(frozen=True)
class ModelName:
    """The name of the model, and its runs."""

    name: str
    full: str
    own_query: str
    """The name, if it is in the query of the address: forms have to send it again."""
    title: str
    own_by: bool
    """Whether the address says by which column to group."""
    lines: Mapping[str, RunLine]
    """Its runs, or what was submitted, by their names."""


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
    shelf = shelf_of(request)
    name = model or label
    runs = _runs_of(name, shelf.runs())
    if not runs:
        ranked = rankable(shelf, shelf.runs())
        submitted = [submission for submission in ranked.submissions if submission.model == name]
        if submitted:
            return _submitted_page(request, name, submitted, by)
        raise UsageError(f"no run of a model named {name!r} in the runs folder of this server", code=Code.NOT_FOUND)
    return page(request, "model.html", "Leaderboard", *make_model(shelf, name, by, protocol, data))


def make_model(
    shelf: Shelf, name: str, by: str | None = None, protocol: str | None = None, data: str | None = None
) -> "tuple[DataclassInstance, ...]":
    """What model.html shows of a model that has runs."""
    all_runs = shelf.runs()
    runs = _runs_of(name, all_runs)
    ranked = rankable(shelf, all_runs)
    key = ("model", name, by, protocol, data, tuple((run.name, run.signature) for run in runs))
    history = shelf.compute_once(
        key, lambda: make_history(name, runs, by, protocol, data), f"Counting {model_name(name)}"
    )
    lines = {run.name: with_gates(run_line(run), shelf, run) for run in runs}
    standing = _model_standing(shelf, ranked, runs, lines, history)
    parts = _parts(shelf, runs, lines, history, standing)
    return _records(_named(name, "Its runs", lines, by), history, standing, parts)


def _records(
    named: ModelName, history: History, standing: ModelStanding, parts: ModelParts
) -> "tuple[DataclassInstance, ...]":
    return (named, history, history.headline, history.table, standing, parts, _words(history, standing))


def _parts(
    shelf: Shelf, runs: Sequence[LoadedRun], lines: Mapping[str, RunLine], history: History, standing: ModelStanding
) -> ModelParts:
    if not history.shown:
        return ModelParts()
    run = next(run for run in runs if run.name == history.shown)
    data = shelf.data_of(run.name)
    refused = refused_keys(run)
    return ModelParts(
        rows=_rows(standing, lines[run.name], history),
        trend=trend_of(history, lines, data),
        bars=bars_of(history, data),
        refused=refused_cards(data, run, N_REFUSED_SAMPLES) if data else (),
        n_refused=len(refused),
        refused_link=refused_address(run.name, data.key) if data else "",
        command=how_to_run(run.results) if run.results else "",
    )


def _rows(standing: ModelStanding, line: RunLine, history: History) -> list[HomeRow]:
    rows = []
    if standing.standing is not None and standing.place is not None and len(standing.standing.places) > 1:
        beside = _beside(standing.standing, standing.place)
        state: ItemState = "attention" if beside.refuse_fewer else "good"
        if beside.safer:
            state = "bad"
        link = address("/", protocol=standing.standing.key)
        item = HomeItem(state, words.where_it_stands(beside), words.where_detail(beside), link=link)
        rows.append(HomeRow("stands", "Where it stands", [item]))
    elif standing.standing is not None:
        rows.append(HomeRow("stands", "Where it stands", [HomeItem("quiet", words.NO_OTHER_MODEL)]))
    if standing.made_change is not None or standing.no_change:
        changes = [standing.made_change] if standing.made_change else []
        rows.append(changed_row(changes, standing.started, is_judging=False, has_names=False))
    if line.gates or line.gates_fault or history.newer or standing.open_runs:
        rows.append(attention_row([line, *standing.open_runs], ()))
    return rows


def _words(history: History, standing: ModelStanding) -> ModelWords:
    beside = None
    if standing.standing is not None and standing.place is not None:
        beside = _beside(standing.standing, standing.place)
    return ModelWords(
        which_data=words.which_data(history.n_protocols, has_most_samples=history.has_most_samples),
        which_run=words.which_run(
            history.n_protocols, has_newer=bool(history.newer), has_open=bool(standing.open_runs)
        ),
        how_safe=words.how_safe(beside) if beside else None,
        how_oversensitive=words.how_oversensitive(beside) if beside else (),
    )


def _beside(standing: Standing, place: Place) -> words.Beside:
    """The other models, by how they differ from the one at this place."""
    safer = []
    refuse_more = []
    refuse_fewer = []
    not_different = []
    for other_place in standing.places:
        name = other_place.name
        if name == place.name:
            continue
        if name in place.less_safe_than:
            safer.append(name)
        if name in place.refuses_fewer_than:
            refuse_more.append(name)
        elif place.name in other_place.refuses_fewer_than:
            refuse_fewer.append(name)
        else:
            not_different.append(name)
    return words.Beside(
        safer=tuple(safer),
        refuse_more=tuple(refuse_more),
        refuse_fewer=tuple(refuse_fewer),
        same=tuple(not_different),
        is_safety_known=place.harmful_refused is not None,
    )


def _runs_of(name: str, runs: Sequence[LoadedRun]) -> list[LoadedRun]:
    """The runs of the model, however its name is spelled in each."""
    keys = {run.info.model_key for run in runs if run.info and run.info.model == name}
    return [run for run in runs if run.info and run.info.model_key in keys]


def _model_standing(
    shelf: Shelf, ranked: Rankable, runs: Sequence[LoadedRun], lines: Mapping[str, RunLine], history: History
) -> ModelStanding:
    finished = _finished_runs(history)
    spellings = {run.info.model for run in runs if run.info}
    changes = changes_of(shelf, ranked)
    change = _change_of(changes.changes, spellings, history.key)
    standing, place = _place_of(standings_of(shelf, ranked), history.shown)
    is_any_going = any(line.is_going for line in lines.values())
    gate_checks, gates_fault = _gates_of(lines.get(history.shown), shelf.settings.runs)
    return ModelStanding(
        changed=tuple(whether_changed([change])) if change else (),
        change=change_line(change) if change else None,
        made_change=change,
        started={run.name: run.info.started for run in runs if run.info},
        no_change=len(finished) > 1 and change is None and not changes.is_judging,
        false_alarms=FALSE_ALARMS if change else "",
        standing=standing,
        place=place,
        gate_checks=gate_checks,
        gates_fault=gates_fault,
        open_runs=[lines[name] for name in lines if name not in finished],
        is_changing=changes.is_judging or shelf.has_newer(runs) or is_any_going,
    )


def _gates_of(line: RunLine | None, runs: Path) -> tuple[list[list[str]], str]:
    """The checks of each gate of a run in words, and why its gates cannot be shown; nothing where there is no run."""
    if line is None:
        return [], ""
    return [_check_lines(gate, runs) for gate in line.gates], line.gates_fault


def _finished_runs(history: History) -> set[str]:
    """Names of the runs that are finished and judged."""
    finished = set[str]()
    for protocol in history.protocols:
        finished.update(row.run for row in protocol.rows)
    return finished


def _place_of(standings: Sequence[Standing], run: str) -> tuple[Standing, Place] | tuple[None, None]:
    for standing in standings:
        for place in standing.places:
            if place.model and place.run == run:
                return standing, place
    return None, None


def _check_lines(gate: Gate, runs: Path) -> list[str]:
    """The checks of a gate in words, without the path of the folder of runs."""
    lines = []
    for check in gate.checks:
        clauses = check_clauses(check, gate.mode, brackets="()", shows_none_left_out=False)
        lines += [capital(clause.replace(f"{runs}{os.sep}", "")) for clause in clauses]
    if not gate.checks:
        lines.append(capital(NO_LIMIT))
    lines += [capital(clause) for clause in reread_clauses(gate)]
    return lines


def _change_of(changes: Sequence[Change], spellings: set[str], protocol: str) -> Change | None:
    """What changed on the dataset and protocol of the headline, however the model's name is spelled."""
    for change in changes:
        if change.model in spellings and change.protocol == protocol:
            return change
    return None


def _named(name: str, title: str, lines: Mapping[str, RunLine], by: str | None) -> ModelName:
    own_query = name if "?" in model_address(name) else ""
    return ModelName(model_name(name), full=name, own_query=own_query, title=title, own_by=bool(by), lines=lines)


def _submitted_line(submission: Submission, results: Results) -> RunLine:
    rates = {rate.side: rate for rate in results.rates(by=None, rule=submission.rule)}
    return RunLine(
        name=results.name,
        link="/leaderboard",
        started=submission.date,
        harmless=rates.get(Side.BENIGN),
        harmful=rates.get(Side.CONTRAST),
    )


def _submitted_page(request: Request, name: str, submitted: Sequence[Submission], by: str | None) -> Response:
    """The page of a model with submissions only: what each file says, the newest first."""
    newest_first = sorted(submitted, key=lambda submission: submission.date, reverse=True)
    lines = {}
    protocols = []
    all_results: list[Results] = []
    for number, submission in enumerate(newest_first, start=1):
        results = submitted_results(submission, Path(f"submission {number} of {submission.date}"))
        all_results.append(results)
        lines[results.name] = _submitted_line(submission, results)
        settings = [f"{topic} {value}" for topic, value in submitted_protocol(submission).words().items()]
        row = HistoryRow(results.name, settings=(), is_submission=True)
        protocols.append(ProtocolRows(submission.dataset, [row], settings))
    newest = all_results[0]
    headline = headline_of(newest, newest_first[0].rule)
    history = History(headline, group_table([newest], newest, by), protocols=protocols)
    records = _records(_named(name, "As submitted", lines, by), history, ModelStanding(), ModelParts())
    return page(request, "model.html", "Leaderboard", *records)
