"""A model's page: its runs over time, both sides, by stimulus or any other column, what changed, and its gates."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from fastapi import APIRouter, Request
from starlette.responses import Response

from mossbench.errors import Code, UsageError
from mossbench.leaderboard.both_sides import Place, Standing
from mossbench.leaderboard.submissions import Submission, submitted_protocol, submitted_results
from mossbench.reports.words import model_page as words
from mossbench.reports.words.gates import check_clauses
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
class BesideOthers:
    """What is known of the model beside its own runs: what changed, its gates, and where it stands."""

    changed: Sequence[str] = ()
    change: ChangeLine | None = None
    no_change: bool = False
    """Whether it has several runs, none of which can be compared with another."""
    false_alarms: str = ""
    standing: Standing | None = None
    place: Place | None = None
    gate_checks: Sequence[Sequence[str]] = ()
    gates_fault: str = ""
    open_runs: Sequence[RunLine] = ()
    """Runs that are not finished, not judged or without an answer."""
    again: bool = False
    """Whether the page changes by itself and is to be asked for again."""


@dataclass(frozen=True)
class ModelWords:
    """What is said of the run of the headline, and of the model beside others."""

    which_data: str
    which_run: str
    how_safe: words.WithNames | None
    """None where it stands beside no other."""
    how_oversensitive: Sequence[words.WithNames]


@dataclass(frozen=True)
class ModelName:
    """How the page is headed, and what it lists."""

    name: str
    full: str
    own_query: str
    """The name where it stands in the query of the address: forms have to send it again."""
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
    everything = shelf.runs()
    runs = _runs_of(name, everything)
    ranked = rankable(shelf, everything)
    if not runs:
        submitted = [submission for submission in ranked.submissions if submission.model == name]
        if submitted:
            return _submitted_page(request, name, submitted, by)
        raise UsageError(f"no run of a model named {name!r} in the runs folder of this server", code=Code.NOT_FOUND)
    key = ("model", name, by, protocol, data, tuple((run.name, run.signature) for run in runs))
    history = shelf.slow(key, lambda: make_history(name, runs, by, protocol, data), f"Counting {model_name(name)}")
    lines = {run.name: with_gates(run_line(run), shelf, run) for run in runs}
    beside = _beside_others(shelf, ranked, runs, lines, history)
    return _show(request, _named(name, "Its runs", lines), history, beside)


def _show(request: Request, named: ModelName, history: History, beside: BesideOthers) -> Response:
    model_words = _words(history, beside)
    return page(
        request, "model.html", "Leaderboard", named, history, history.headline, history.table, beside, model_words
    )


def _words(history: History, beside: BesideOthers) -> ModelWords:
    others = None
    if beside.standing is not None and beside.place is not None:
        others = _beside(beside.standing, beside.place)
    return ModelWords(
        which_data=words.which_data(history.n_protocols, has_most_samples=history.most_samples),
        which_run=words.which_run(history.n_protocols, has_newer=bool(history.newer), has_open=bool(beside.open_runs)),
        how_safe=words.how_safe(others) if others else None,
        how_oversensitive=words.how_oversensitive(others) if others else (),
    )


def _beside(standing: Standing, place: Place) -> words.Beside:
    safer = []
    refuse_more = []
    refuse_fewer = []
    same = []
    for other in standing.places:
        if other.name == place.name:
            continue
        if other.name in place.less_safe_than:
            safer.append(other.name)
        if other.name in place.refuses_fewer_than:
            refuse_more.append(other.name)
        elif place.name in other.refuses_fewer_than:
            refuse_fewer.append(other.name)
        else:
            same.append(other.name)
    return words.Beside(
        safer=tuple(safer),
        refuse_more=tuple(refuse_more),
        refuse_fewer=tuple(refuse_fewer),
        same=tuple(same),
        is_safety_known=place.safe is not None,
    )


def _runs_of(name: str, runs: Sequence[LoadedRun]) -> list[LoadedRun]:
    """The runs of the model, however its name is spelled in each."""
    keys = {run.info.model_key for run in runs if run.info and run.info.model == name}
    return [run for run in runs if run.info and run.info.model_key in keys]


def _beside_others(
    shelf: Shelf, ranked: Rankable, runs: Sequence[LoadedRun], lines: Mapping[str, RunLine], history: History
) -> BesideOthers:
    finished = set[str]()
    for protocol in history.protocols:
        finished.update(row.run for row in protocol.rows)
    spellings = {run.info.model for run in runs if run.info}
    change = _change_of(changes_of(shelf, ranked), spellings, history.key)
    standing, place = _place_of(standings_of(shelf, ranked), history.shown)
    gates: Sequence[Gate] = ()
    gates_fault = ""
    if history.shown:
        gates = lines[history.shown].gates
        gates_fault = lines[history.shown].gates_fault
    return BesideOthers(
        changed=tuple(whether_changed([change])) if change else (),
        change=change_line(change) if change else None,
        no_change=len(finished) > 1 and change is None,
        false_alarms=FALSE_ALARMS if change else "",
        standing=standing,
        place=place,
        gate_checks=[_check_lines(gate, shelf.settings.runs) for gate in gates],
        gates_fault=gates_fault,
        open_runs=[line for run, line in lines.items() if run not in finished],
        again=shelf.reading or any(line.going for line in lines.values()),
    )


def _place_of(standings: Sequence[Standing], run: str) -> tuple[Standing, Place] | tuple[None, None]:
    for standing in standings:
        for place in standing.places:
            if place.model and place.run == run:
                return standing, place
    return None, None


def _check_lines(gate: Gate, runs: Path) -> list[str]:
    """What is said of the checks of a gate, a line each, without the folder of this machine that the runs are in."""
    lines = []
    for check in gate.checks:
        clauses = check_clauses(check, brackets="()", shows_none_left_out=False)
        lines += [capital(clause.replace(f"{runs}{os.sep}", "")) for clause in clauses]
    return lines


def _change_of(changes: Sequence[Change], spellings: set[str], protocol: str) -> Change | None:
    """What changed on the dataset and protocol that the page is headed by, however the model's name is spelled."""
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
    """The page of a model that was submitted: what each file says, the newest first; how it was asked is as stated."""
    newest_first = sorted(submitted, key=lambda submission: submission.date, reverse=True)
    lines = {}
    protocols = []
    every: list[Results] = []
    for number, submission in enumerate(newest_first, start=1):
        results = submitted_results(submission, Path(f"submission {number} of {submission.date}"))
        every.append(results)
        lines[results.name] = _submitted_line(submission, results)
        asked = [f"{topic} {words}" for topic, words in submitted_protocol(submission).words().items()]
        row = HistoryRow(results.name, settings=(), is_submission=True)
        protocols.append(ProtocolRows(submission.dataset, [row], asked))
    newest = every[0]
    headline = headline_of(newest, newest_first[0].rule)
    history = History(headline, group_table([newest], newest, by), protocols=protocols)
    return _show(request, _named(name, "As submitted", lines), history, BesideOthers())
