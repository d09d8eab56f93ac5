"""A model's page: its runs over time, both sides, rates by stimulus or another column, what changed, its gates."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from fastapi import APIRouter, Request
from starlette.responses import Response

from mossbench.errors import Code, UsageError
from mossbench.leaderboard.both_sides import Place, Standing
from mossbench.leaderboard.submission_records import Submission, submitted_protocol, submitted_results
from mossbench.reports.words import model_page as words
from mossbench.reports.words.gates import NO_LIMIT, check_clauses, reread_clauses
from mossbench.reports.words.grammar import capital
from mossbench.reports.words.runs import model_name
from mossbench.reports.words.standing import FALSE_ALARMS, whether_changed
from mossbench.results.changes import Change
from mossbench.results.gates import Gate
from mossbench.results.table import Results
from mossbench.samples import Side
from mossbench.web.home import ChangeLine, change_line, changes_of, standings_of, with_gates
from mossbench.web.leaderboard import Rankable, rankable
from mossbench.web.loaded_run import LoadedRun
from mossbench.web.model_history import (
    History,
    HistoryRow,
    ProtocolRows,
    group_table,
    headline_of,
    make_history,
)
from mossbench.web.pages import ChosenText, model_address, page, shelf_of
from mossbench.web.run_line import RunLine
from mossbench.web.runs import run_line
from mossbench.web.shelf import Shelf

router = APIRouter()


@dataclass(frozen=True)
class ModelStanding:
    """What changed, whether the model passes its gates, where it stands among models, and its open runs."""

    changed: Sequence[str] = ()
    change: ChangeLine | None = None
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
class ModelName:
    """The name of the model, and its runs."""

    name: str
    full: str
    own_query: str
    """The name, if it is in the query of the address: forms have to send it again."""
    title: str
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
    all_runs = shelf.runs()
    runs = _runs_of(name, all_runs)
    ranked = rankable(shelf, all_runs)
    if not runs:
        submitted = [submission for submission in ranked.submissions if submission.model == name]
        if submitted:
            return _submitted_page(request, name, submitted, by)
        raise UsageError(f"no run of a model named {name!r} in the runs folder of this server", code=Code.NOT_FOUND)
    key = ("model", name, by, protocol, data, tuple((run.name, run.signature) for run in runs))
    history = shelf.compute_once(
        key, lambda: make_history(name, runs, by, protocol, data), f"Counting {model_name(name)}"
    )
    lines = {run.name: with_gates(run_line(run), shelf, run) for run in runs}
    standing = _model_standing(shelf, ranked, runs, lines, history)
    return _page(request, _named(name, "Its runs", lines), history, standing)


def _page(request: Request, named: ModelName, history: History, standing: ModelStanding) -> Response:
    records = (named, history, history.headline, history.table, standing, _words(history, standing))
    return page(request, "model.html", "Leaderboard", *records)


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
        no_change=len(finished) > 1 and change is None and not changes.is_judging,
        false_alarms=FALSE_ALARMS if change else "",
        standing=standing,
        place=place,
        gate_checks=gate_checks,
        gates_fault=gates_fault,
        open_runs=[lines[name] for name in lines if name not in finished],
        is_changing=changes.is_judging or shelf.is_reading or is_any_going,
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


def _named(name: str, title: str, lines: Mapping[str, RunLine]) -> ModelName:
    own_query = name if "?" in model_address(name) else ""
    return ModelName(name=model_name(name), full=name, own_query=own_query, title=title, lines=lines)


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
    return _page(request, _named(name, "As submitted", lines), history, ModelStanding())
