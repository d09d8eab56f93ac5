"""Compare: runs on the same samples, pair by pair, and every sample on which they differ with both answers."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Request
from pydantic import BeforeValidator
from starlette.responses import Response

from mossbench.datasets.arms import PLAIN
from mossbench.errors import UsageError
from mossbench.look.commands import as_commands
from mossbench.outcomes import Key, Rule
from mossbench.plumbing.apart import apart
from mossbench.plumbing.storage import to_json
from mossbench.published.results_json import records_csv
from mossbench.reports.cards import pieces
from mossbench.reports.comparison_text import comparison_values, flips_csv
from mossbench.results.comparability import set_apart, settings_of
from mossbench.results.comparison_words import not_comparable_words
from mossbench.results.comparisons import Comparison, Flip, compare, names_of
from mossbench.results.rows import ResultRow
from mossbench.results.table import load_results
from mossbench.store.run_folder import RunFolder
from mossbench.web.data import Data
from mossbench.web.explorer import answer_of
from mossbench.web.leaderboard import AnyRule
from mossbench.web.loaded_run import LoadedRun
from mossbench.web.pages import (
    FULL_SIZE,
    SIDES,
    ChosenSide,
    ChosenText,
    address,
    download,
    explorer_address,
    page,
    picture_address,
    shelf_of,
)
from mossbench.web.runs import run_line
from mossbench.web.shelf import LARGE, Shelf

router = APIRouter()
AT_ONCE = 10
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


@router.get("/compare")
def compare_page(
    request: Request,
    run: Annotated[list[str] | None, Query(max_length=MOST_RUNS)] = None,
    rule: AnyRule = Rule.SYSTEM,
    judge: ChosenText = None,
    by: ChosenText = None,
    order: Literal["given", "started"] = "given",
    second: ChosenText = None,
    side: ChosenSide = None,
    way: Way = None,
    start: Annotated[int, Query(ge=0)] = 0,
    format: Literal["html", "csv", "differences", "json"] = "html",
) -> Response:
    shelf = shelf_of(request)
    chosen = [shelf.run(name) for name in dict.fromkeys(run or ())]
    if order == "started":  # what came first is what others are compared with
        chosen.sort(key=lambda one: one.info.started if one.info else "")
    if len(chosen) < 2:
        return _choose(request, chosen)
    key = ("compare", tuple((one.name, one.signature) for one in chosen), rule, judge, by)
    found = shelf.slow(key, lambda: _compared(chosen, rule, judge, by), f"Comparing {len(chosen)} runs")
    if format != "html":
        return _export(found, format, by)
    data = next((one for one in shelf.data() if any(member is chosen[0] for member in one.runs)), None)
    kept = {"rule": rule.value if rule is not Rule.SYSTEM else None, "judge": judge, "by": by}
    query = {"run": [one.name for one in chosen], **kept, "second": second, "side": side and side.value, "way": way}
    values = _changed(found, {one.name: one for one in chosen}, data, query, start) if found.by else {}
    return page(
        request,
        "compare.html",
        "Runs",
        query=query,
        own=address("/compare", **query, start=start or None),
        runs=[{**run_line(one), "model": one.label} for one in chosen],
        apart=[(name, as_commands(why)) for name, why in found.apart],
        settings=found.settings,
        read=found.read,
        judges=_judges(shelf, chosen),
        rules=[rule.value for rule in Rule],
        columns=[(one.group, one.title) for one in data.filters if one.group not in COLUMNS] if data else [],
        link=lambda **other: address("/compare", **{**query, **other}),
        **(comparison_values(found.by) if found.by else {"found": None}),
        **values,
    )


def _compared(chosen: Sequence[LoadedRun], rule: Rule, judge: str | None, by: str | None) -> Compared:
    """What the library says of the runs; one that cannot be read, or not be compared with the first, is set apart."""
    damaged = tuple((run.name, f"cannot be read: {run.error}") for run in chosen if run.error)
    folders = [run.index.runs / run.name for run in chosen if not run.error]
    large = sum(run.n_rows for run in chosen) > LARGE
    asked = folders, rule, judge, by
    found = apart(_comparison, *asked) if large else _comparison(*asked)
    runs = chosen[0].index.runs
    root = f"{runs.parent}{os.sep}" if runs.is_absolute() else ""
    return replace(found, apart=(*damaged, *((name, why.replace(root, "")) for name, why in found.apart)))


def _comparison(folders: Sequence[Path], rule: Rule, judge: str | None, by: str | None) -> Compared:
    read = [load_results(folder, judge=judge) for folder in folders]
    why = set_apart(read)
    runs = [one for place, one in enumerate(read) if place not in why]
    columns = dict.fromkeys((*COLUMNS, *([by] if by else [])))
    made = {column: compare(*runs, rule=rule, by=column) for column in columns} if len(runs) > 1 else {}
    made = {column: one if column == COLUMNS[0] else replace(one, flips=()) for column, one in made.items()}
    reasons = tuple((read[place].name, not_comparable_words(reason)) for place, reason in why.items())
    return Compared(tuple(run.name for run in runs), made, reasons, settings_of(read), tuple(names_of(read)))


def _export(found: Compared, format: str, by: str | None) -> Response:
    """The comparison as the command line writes it; of runs that cannot be compared there is none."""
    if not found.by:
        raise UsageError("; ".join(f"{name}: {why}" for name, why in found.apart))
    comparison = replace(found.by[by or COLUMNS[0]], flips=found.by[COLUMNS[0]].flips)
    if format == "json":
        return download(to_json(comparison.to_dict()), "comparison.json", "application/json")
    content = flips_csv(comparison) if format == "csv" else records_csv(comparison.lines())
    name = "changed-samples.csv" if format == "csv" else "differences.csv"
    return download(content, name, "text/csv; charset=utf-8")


def _choose(request: Request, chosen: Sequence[LoadedRun]) -> Response:
    """All runs to choose from, those on the data of the one that is chosen first."""
    runs = shelf_of(request).runs()
    hashes = chosen[0].info.dataset.hashes if chosen and chosen[0].info else {}
    lines = [
        {**run_line(run), "chosen": run in chosen, "alike": bool(hashes) and run.info.dataset.hashes == hashes}
        for run in runs
        if run.info
    ]
    lines.sort(key=lambda line: (not line["chosen"], not line["alike"]))
    return page(request, "compare_choose.html", "Runs", lines=lines, one=next(iter(chosen), None))


def _judges(shelf: Shelf, chosen: Sequence[LoadedRun]) -> list[str]:
    of_each = [RunFolder(shelf.settings.runs / run.name).judges() for run in chosen]
    return [label for label in of_each[0] if all(label in labels for labels in of_each)]


def _changed(
    found: Compared, chosen: Mapping[str, LoadedRun], data: Data | None, query: Mapping[str, Any], start: int
) -> dict[str, Any]:
    """The changed samples that the address asks for, one page of them with both answers."""
    comparison = found.by[COLUMNS[0]]
    folders = dict(zip(comparison.runs, found.runs, strict=True))
    second = next((name for name, folder in folders.items() if folder == query["second"]), None)
    refused_by_first = {"answered": True, "refused": False}.get(query["way"] or "")
    flips = [
        flip
        for flip in comparison.flips
        if second in (None, flip.second)
        and query["side"] in (None, flip.side.value)
        and refused_by_first in (None, flip.refused_by == comparison.runs[0])
    ]
    start = start if start < len(flips) else 0
    after = start + AT_ONCE
    runs = {name: chosen[folder] for name, folder in folders.items()}
    return {
        "folders": folders,
        "flips": [_flip(flip, comparison, runs, data) for flip in flips[start:after]],
        "n_flips": len(flips),
        "start": start,
        "before": address("/compare", **query, start=max(start - AT_ONCE, 0) or None) if start else "",
        "after": address("/compare", **query, start=after) if after < len(flips) else "",
    }


def _flip(flip: Flip, comparison: Comparison, runs: Mapping[str, LoadedRun], data: Data | None) -> dict[str, Any]:
    first, key = comparison.runs[0], (flip.side, flip.sample)
    keys = {name: Key(*key, arm, flip.epoch) for name, arm in zip((first, flip.second), flip.arms, strict=True)}
    pair = [(name, next(row for row in runs[name].by_sample[key] if row.key == keys[name])) for name in keys]
    sample = pair[0][1].sample
    return {
        "flip": flip,
        "side": SIDES[flip.side],
        "harm": sample.label("harm"),
        "picture": picture_address(data, sample, 480) if data else "",
        "large": picture_address(data, sample, FULL_SIZE) if data else "",
        "alt": sample.alt,
        "open": explorer_address([runs[name].name for name, _ in pair], key) if data else "",
        "answers": [
            {"name": name, "shown": _shown(runs[name], row)}
            | _answer(row, flip, at, runs[name].counted.judge, comparison.judge)
            for at, (name, row) in enumerate(pair)
        ],
    }


def _answer(row: ResultRow, flip: Flip, at: int, own_judge: str | None, judge: str) -> dict[str, Any]:
    """The answer as the run's own judge read it; of another judge only the outcome is at hand."""
    found = answer_of(row, judge)
    if own_judge == judge:
        return found
    first, rest = pieces(flip.answers[at] or "", ())
    return {**found, "kind": flip.outcomes[at], "why": judge, "answer": first, "rest": rest}


def _shown(run: LoadedRun, row: ResultRow) -> str:
    """With what it was asked, where that is not the sample's own image."""
    arm = run.results.arm(row) if run.results else PLAIN
    return arm.alt(row.sample) if arm.picture != "own" else ""
