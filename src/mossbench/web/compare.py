"""Compare: runs on the same samples, pair by pair, and every sample on which they differ with both answers."""

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Literal

from fastapi import APIRouter, Request
from fastapi import Query as QueryParameter
from pydantic import BeforeValidator
from starlette.responses import Response

from mossbench.errors import UsageError
from mossbench.messages import on_command_line
from mossbench.outcomes import Rule
from mossbench.plumbing.apart import apart
from mossbench.plumbing.storage import to_json
from mossbench.published.results_json import records_csv
from mossbench.reports.comparison_page import comparison_values
from mossbench.reports.comparison_tables import flips_csv
from mossbench.reports.words.run_lines import too_few_to_compare
from mossbench.results.comparability import set_apart, settings_of
from mossbench.results.comparison_words import not_comparable_message
from mossbench.results.comparisons import Comparison, compare, names_of
from mossbench.results.table import load_results
from mossbench.store.run_folder import RunFolder
from mossbench.web.changed_samples import ChangedSamples, FlipChoice, changed_samples
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
from mossbench.web.shelf import LARGE, Shelf

router = APIRouter()
MOST_RUNS = 20
Way = Annotated[Literal["answered", "refused"] | None, BeforeValidator(lambda value: value or None)]
"""To what a sample changed, from the first run to the other."""
COLUMNS = ("stimulus", "harm")
"""By which differences are always shown, where the data have them."""


@dataclass(frozen=True)
class Compared:
    """Runs that were compared, in their order, and those that could not be, with the reason."""

    runs: tuple[str, ...]
    """Names of their folders."""
    by: dict[str, Comparison]
    """By each column; changed samples are in the first of them."""
    apart: tuple[tuple[str, str], ...]
    settings: dict[str, tuple[str, ...]]
    """Of all runs that could be read."""
    read: tuple[str, ...]


@dataclass(frozen=True)
class NotCompared:
    """What compare.html shows in place of a `ComparisonView` where the runs cannot be compared."""

    found: None = None


@dataclass(frozen=True)
class ComparePage:
    """What compare.html shows beside the comparison and its changed samples."""

    query: Query
    own: str
    """Its address, with all that was chosen."""
    runs: Sequence[RunLine]
    apart: Sequence[tuple[str, str]]
    """Runs that are not compared, and why."""
    settings: Mapping[str, Sequence[str]]
    """How the runs in `read` were asked, by topic."""
    read: Sequence[str]
    judges: Sequence[str]
    rules: Sequence[str]
    columns: Sequence[tuple[str, str]]
    """By which differences can also be shown."""
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
    """What is said where there are no two runs."""
    first: LoadedRun | None
    """The run that was chosen first."""


@router.get("/compare")
def compare_page(
    request: Request,
    run: Annotated[list[str] | None, QueryParameter(max_length=MOST_RUNS)] = None,
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
    chosen = [shelf.run(name) for name in dict.fromkeys(run or ())]
    if order == "started":  # what came first is what others are compared with
        chosen.sort(key=lambda each: each.info.started if each.info else "")
    if len(chosen) < 2:
        return _choose(request, chosen)
    key = ("compare", tuple((each.name, each.signature) for each in chosen), rule, judge, by)
    compared = shelf.slow(key, lambda: _compared(chosen, rule, judge, by), f"Comparing {len(chosen)} runs")
    if format != "html":
        return _export(compared, format, by)
    data = shelf.data_of(chosen[0].name)
    query: Query = {
        "run": [each.name for each in chosen],
        "rule": rule.value if rule is not Rule.SYSTEM else None,
        "judge": judge,
        "by": by,
        "second": second,
        "side": side and side.value,
        "way": way,
    }

    def link(**other: QueryValue) -> str:
        return address("/compare", **(query | other))

    shown = ComparePage(
        query=query,
        own=address("/compare", **query, start=start or None),
        runs=[run_line(each) for each in chosen],
        apart=compared.apart,
        settings=compared.settings,
        read=compared.read,
        judges=_judges(shelf, chosen),
        rules=[each.value for each in Rule],
        columns=_other_columns(data),
        link=link,
    )
    if not compared.by:
        return page(request, "compare.html", "Runs", shown, NotCompared(), ChangedSamples({}))
    comparison = comparison_values(compared.by)
    with_flips = compared.by[COLUMNS[0]]
    folders = dict(zip(with_flips.runs, compared.runs, strict=True))
    runs = {each.name: each for each in chosen}
    changed = changed_samples(with_flips, folders, runs, data, FlipChoice(second, side, way), query, start)
    return page(request, "compare.html", "Runs", shown, comparison, changed)


def _other_columns(data: Data | None) -> list[tuple[str, str]]:
    if data is None:
        return []
    return [(each.group, each.title) for each in data.filters if each.group not in COLUMNS]


def _compared(chosen: Sequence[LoadedRun], rule: Rule, judge: str | None, by: str | None) -> Compared:
    """What the library says of the runs; one that cannot be read, or not be compared with the first, is set apart."""
    damaged = [(run.name, f"cannot be read: {run.error}") for run in chosen if run.error]
    folders = [run.index.runs / run.name for run in chosen if not run.error]
    if sum(run.n_rows for run in chosen) > LARGE:
        compared = apart(_comparison, folders, rule, judge, by)
    else:
        compared = _comparison(folders, rule, judge, by)
    runs = chosen[0].index.runs
    root = f"{runs.parent}{os.sep}" if runs.is_absolute() else ""
    reasons = [(name, reason.replace(root, "")) for name, reason in compared.apart]
    return replace(compared, apart=(*damaged, *reasons))


def _comparison(folders: Sequence[Path], rule: Rule, judge: str | None, by: str | None) -> Compared:
    read = [load_results(folder, judge=judge) for folder in folders]
    reasons = set_apart(read)
    runs = [results for place, results in enumerate(read) if place not in reasons]
    columns = list(COLUMNS)
    if by and by not in COLUMNS:
        columns.append(by)
    comparisons: dict[str, Comparison] = {}
    for column in columns if len(runs) > 1 else ():
        comparison = compare(*runs, rule=rule, by=column)
        # Changed samples are the same by whatever column, and many.
        comparisons[column] = comparison if column == COLUMNS[0] else replace(comparison, flips=())
    return Compared(
        runs=tuple(results.name for results in runs),
        by=comparisons,
        apart=tuple(
            (read[place].name, on_command_line(not_comparable_message(reason))) for place, reason in reasons.items()
        ),
        settings=settings_of(read),
        read=tuple(names_of(read)),
    )


def _export(compared: Compared, format: str, by: str | None) -> Response:
    """The comparison as the command line writes it; of runs that cannot be compared there is none."""
    if not compared.by:
        raise UsageError("; ".join(f"{name}: {reason}" for name, reason in compared.apart))
    comparison = replace(compared.by[by or COLUMNS[0]], flips=compared.by[COLUMNS[0]].flips)
    if format == "json":
        return download(to_json(comparison.to_dict()), "comparison.json", "application/json")
    if format == "csv":
        return download(flips_csv(comparison), "changed-samples.csv", "text/csv; charset=utf-8")
    return download(records_csv(comparison.lines()), "differences.csv", "text/csv; charset=utf-8")


def _choose(request: Request, chosen: Sequence[LoadedRun]) -> Response:
    """All runs to choose from, those on the data of the one that is chosen first."""
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
    """Judges that read all of the runs."""
    of_each = [RunFolder(shelf.settings.runs / run.name).judges() for run in chosen]
    return [label for label in of_each[0] if all(label in labels for labels in of_each)]
