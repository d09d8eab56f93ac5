"""Compare: runs on the same samples, pair by pair, and every sample on which they differ with both answers."""

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from fastapi import APIRouter, Request
from fastapi import Query as QueryParameter
from pydantic import BeforeValidator
from starlette.responses import Response

from mossbench.errors import UsageError
from mossbench.messages import on_command_line
from mossbench.outcomes import Rule
from mossbench.plumbing.apart import apart
from mossbench.plumbing.json_values import to_json
from mossbench.published.results_json import records_csv
from mossbench.reports.comparison_page import comparison_values
from mossbench.reports.comparison_tables import flips_csv
from mossbench.reports.tables import short_name
from mossbench.reports.words import compare_page as words
from mossbench.reports.words.comparisons import headline
from mossbench.reports.words.run_lines import too_few_to_compare
from mossbench.results.comparability import set_apart, settings_of
from mossbench.results.comparison_words import not_comparable_message
from mossbench.results.comparisons import Comparison, compare, names_of
from mossbench.results.one_judge import load_read_by, with_one_judge_each
from mossbench.store.run_folder import RunFolder
from mossbench.web.changed_samples import SAMPLES_PER_PAGE, ChangedSamples, FlipChoice, changed_samples
from mossbench.web.data import Data
from mossbench.web.leaderboard import AnyRule
from mossbench.web.loaded_run import LoadedRun
from mossbench.web.pages import (
    ChosenSide,
    ChosenText,
    Query,
    QueryValue,
    address,
    download,
    page,
    shelf_of,
)
from mossbench.web.run_line import RunLine
from mossbench.web.runs import run_line
from mossbench.web.shelf import LARGE_RUN, Shelf

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

router = APIRouter()
MAX_RUNS = 20
Way = Annotated[Literal["answered", "refused"] | None, BeforeValidator(lambda value: value or None)]
"""To what a sample changed, from the first run to the other."""
COLUMNS = ("stimulus", "harm")
"""Columns of the samples by which differences are always shown, where the data have them."""


@dataclass(frozen=True)
class Compared:
    """Runs that were compared, in their order, and those that could not be, with the reason."""

    runs: tuple[str, ...]
    """Names of their folders."""
    by_column: dict[str, Comparison]
    """Only the first of them has the changed samples."""
    apart: tuple[tuple[str, str], ...]
    """Runs that were not compared, and why."""
    settings: dict[str, tuple[str, ...]]
    """How the runs in `readable` were asked, by topic."""
    readable: tuple[str, ...]
    """Names of the runs that could be read."""


@dataclass(frozen=True)
class NotCompared:
    """What compare.html shows in place of a `ComparisonView` where the runs cannot be compared."""

    found: None = None


@dataclass(frozen=True)
class ComparePage:
    """What compare.html shows beside the comparison and its changed samples."""

    short_headline: str
    """The finding with the names of the runs as short as they can be told apart."""
    asked_result: str
    query: Query
    own: str
    """Its address, with all that was chosen."""
    runs: Sequence[RunLine]
    apart: Sequence[tuple[str, str]]
    """Runs that are not compared, and why."""
    settings: Mapping[str, Sequence[str]]
    """How the runs in `readable` were asked, by topic."""
    readable: Sequence[str]
    judges: Sequence[str]
    rules: Sequence[str]
    columns: Sequence[tuple[str, str]]
    """Other columns by which differences can be shown: names and titles."""
    link: Callable[..., str]
    """The address of this page with other choices."""


@dataclass(frozen=True)
class RunChoice:
    """A run that can be ticked."""

    line: RunLine
    is_chosen: bool
    has_same_data: bool
    """As the run that was chosen first."""


@dataclass(frozen=True)
class ChoosePage:
    """What compare_choose.html shows."""

    choices: Sequence[RunChoice]
    too_few: str
    """Shown where there are fewer than two runs."""
    first: LoadedRun | None
    """The run that was chosen first."""


@router.get("/compare")
def compare_page(
    request: Request,
    run: Annotated[list[str] | None, QueryParameter(max_length=MAX_RUNS)] = None,
    rule: AnyRule = Rule.SYSTEM,
    judge: ChosenText = None,
    by: ChosenText = None,
    order: Literal["given", "started"] = "given",
    second: ChosenText = None,
    side: ChosenSide = None,
    way: Way = None,
    start: Annotated[int, QueryParameter(ge=0)] = 0,
    format: Literal["html", "csv", "differences", "json"] = "html",
) -> Response:
    shelf = shelf_of(request)
    chosen = _chosen_runs(shelf, run or (), order)
    if len(chosen) < 2:
        return _choose(request, chosen)
    key = ("compare", tuple((each_run.name, each_run.signature) for each_run in chosen), rule, judge, by)
    compared = shelf.compute_once(key, lambda: _compared(chosen, rule, judge, by), f"Comparing {len(chosen)} runs")
    if format != "html":
        return _export(compared, format, by)
    query: Query = {
        "run": [each_run.name for each_run in chosen],
        "rule": rule.value if rule is not Rule.SYSTEM else None,
        "judge": judge,
        "by": by,
        "second": second,
        "side": side and side.value,
        "way": way,
    }
    content = _compare_content(shelf, chosen, compared, query, start)
    choice = FlipChoice(second, side, way)
    return page(request, "compare.html", "Runs", *_records(shelf, chosen, compared, content, choice, start))


def make_comparison(shelf: Shelf, names: Sequence[str], n_changed: int) -> "tuple[DataclassInstance, ...]":
    """What compare.html shows of these runs with the first `n_changed` samples that changed; empty if it has none."""
    chosen = _chosen_runs(shelf, names, "given")
    compared = _compared(chosen, Rule.SYSTEM, None, None)
    if not compared.by_column:
        return ()
    query: Query = dict.fromkeys(("rule", "judge", "by", "second", "side", "way"))
    content = _compare_content(shelf, chosen, compared, {"run": list(names)} | query, 0)
    return _records(shelf, chosen, compared, content, FlipChoice(None, None, None), 0, n_changed)


def _records(
    shelf: Shelf,
    chosen: Sequence[LoadedRun],
    compared: Compared,
    content: ComparePage,
    choice: FlipChoice,
    start: int,
    step: int = SAMPLES_PER_PAGE,
) -> "tuple[DataclassInstance, ...]":
    if not compared.by_column:
        return content, NotCompared(), ChangedSamples({})
    with_flips = compared.by_column[COLUMNS[0]]
    changed = changed_samples(
        with_flips,
        folders=dict(zip(with_flips.runs, compared.runs, strict=True)),
        chosen={each_run.name: each_run for each_run in chosen},
        data=shelf.data_of(chosen[0].name),
        choice=choice,
        query=content.query,
        start=start,
        step=step,
    )
    return content, comparison_values(compared.by_column), changed


def _chosen_runs(shelf: Shelf, names: Sequence[str], order: Literal["given", "started"]) -> list[LoadedRun]:
    """The runs of these names, each once; the others are compared with the first of them."""
    chosen = [shelf.run(name) for name in dict.fromkeys(names)]
    if order == "started":
        chosen.sort(key=lambda run: run.info.started if run.info else "")
    return chosen


def _compare_content(
    shelf: Shelf, chosen: Sequence[LoadedRun], compared: Compared, query: Query, start: int
) -> ComparePage:
    def link(**changes: QueryValue) -> str:
        return address("/compare", **(query | changes))

    return ComparePage(
        short_headline=_short_headline(compared, chosen),
        asked_result=words.asked_result(compared.settings),
        query=query,
        own=address("/compare", **query, start=start or None),
        runs=[run_line(run) for run in chosen],
        apart=compared.apart,
        settings=compared.settings,
        readable=compared.readable,
        judges=_judges(shelf, chosen),
        rules=[rule.value for rule in Rule],
        columns=_other_columns(shelf.data_of(chosen[0].name)),
        link=link,
    )


def _short_headline(compared: Compared, chosen: Sequence[LoadedRun]) -> str:
    """The headline of the comparison; runs of one model are called by their folders. Empty if nothing is compared."""
    if not compared.by_column:
        return ""
    comparison = compared.by_column[COLUMNS[0]]
    labels = {run.name: run.label for run in chosen}
    short_names = {}
    for long_name, folder in zip(comparison.runs, compared.runs, strict=True):
        is_unique = list(labels.values()).count(labels[folder]) == 1
        short_names[short_name(long_name)] = labels[folder] if is_unique else folder
    return words.with_short_names(headline(comparison), short_names)


def _other_columns(data: Data | None) -> list[tuple[str, str]]:
    if data is None:
        return []
    return [(filter.group, filter.title) for filter in data.filters if filter.group not in COLUMNS]


def _compared(chosen: Sequence[LoadedRun], rule: Rule, judge: str | None, by: str | None) -> Compared:
    """The comparison of the runs; one that cannot be read, or not be compared with the first, is set apart."""
    damaged = [(run.name, f"cannot be read: {run.error}") for run in chosen if run.error]
    folders = [run.index.runs / run.name for run in chosen if not run.error]
    if sum(run.n_rows for run in chosen) > LARGE_RUN:
        compared = apart(_comparison, folders, rule, judge, by)
    else:
        compared = _comparison(folders, rule, judge, by)
    runs = chosen[0].index.runs
    root = f"{runs.parent}{os.sep}" if runs.is_absolute() else ""
    reasons = [(name, reason.replace(root, "")) for name, reason in compared.apart]
    return replace(compared, apart=(*damaged, *reasons))


def _comparison(folders: Sequence[Path], rule: Rule, judge: str | None, by: str | None) -> Compared:
    readable = with_one_judge_each([load_read_by(folder, judge) for folder in folders])
    reasons = set_apart(readable)
    runs = [results for index, results in enumerate(readable) if index not in reasons]
    columns = list(COLUMNS)
    if by and by not in COLUMNS:
        columns.append(by)
    comparisons: dict[str, Comparison] = {}
    for column in columns if len(runs) > 1 else ():
        comparison = compare(*runs, rule=rule, by=column)
        # Changed samples are the same for every column, and many.
        comparisons[column] = comparison if column == COLUMNS[0] else replace(comparison, flips=())
    runs_apart = []
    for index, reason in reasons.items():
        runs_apart.append((readable[index].name, on_command_line(not_comparable_message(reason))))
    return Compared(
        runs=tuple(results.name for results in runs),
        by_column=comparisons,
        apart=tuple(runs_apart),
        settings=settings_of(readable, rule),
        readable=tuple(names_of(readable)),
    )


def _export(compared: Compared, format: str, by: str | None) -> Response:
    """The comparison as the command line writes it; a UsageError for runs that cannot be compared."""
    if not compared.by_column:
        raise UsageError("; ".join(f"{name}: {reason}" for name, reason in compared.apart))
    comparison = replace(compared.by_column[by or COLUMNS[0]], flips=compared.by_column[COLUMNS[0]].flips)
    if format == "json":
        return download(to_json(comparison.to_dict()), "comparison.json", "application/json")
    if format == "csv":
        return download(flips_csv(comparison), "changed-samples.csv", "text/csv; charset=utf-8")
    return download(records_csv(comparison.lines()), "differences.csv", "text/csv; charset=utf-8")


def _choose(request: Request, chosen: Sequence[LoadedRun]) -> Response:
    """The page on which runs are ticked: first those that are chosen, then those on the same data as the first."""
    first = chosen[0] if chosen else None
    hashes = first.info.dataset.hashes if first and first.info else {}
    choices = []
    for run in shelf_of(request).runs():
        if run.info:
            has_same_data = bool(hashes) and run.info.dataset.hashes == hashes
            choices.append(RunChoice(run_line(run), run in chosen, has_same_data))
    choices.sort(key=lambda choice: (not choice.is_chosen, not choice.has_same_data))
    return page(request, "compare_choose.html", "Runs", ChoosePage(choices, too_few_to_compare(len(choices)), first))


def _judges(shelf: Shelf, chosen: Sequence[LoadedRun]) -> list[str]:
    """Judges whose verdicts all of the runs have."""
    judges_of_runs = [RunFolder(shelf.settings.runs / run.name).judges() for run in chosen]
    return [judge for judge in judges_of_runs[0] if all(judge in judges for judges in judges_of_runs)]
