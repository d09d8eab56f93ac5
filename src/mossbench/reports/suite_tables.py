"""A suite that was run, or would be, or was compared with another, in tables.

`suite_summaries` has the files for CI, `reports.words.suites` what is said of each gate and run.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from rich.table import Table

from mossbench.look.numbers import UNKNOWN, bare_percent, dollars, p_value
from mossbench.look.numbers import difference as points_between
from mossbench.outcomes import Rule
from mossbench.plumbing.json_values import as_json_value
from mossbench.plumbing.spreadsheets import cell as safe_cell
from mossbench.plumbing.spreadsheets import csv_text, number_cell
from mossbench.reports.tables import percent, text_table
from mossbench.reports.words.gates import STATE_WORDS
from mossbench.results.nightly import SideChange
from mossbench.results.suite_comparisons import SuiteComparison
from mossbench.runs.suites import CellForecast, CellRun, SuiteRun
from mossbench.samples import Side
from mossbench.store.suite_record import InSuite

Rows = tuple[tuple[str, ...], list[tuple[str, ...]]]


def suite_rows(suite_run: SuiteRun) -> Rows:
    """Head and rows of the summary: a row for each cell and judge."""
    has_judge_column = len(suite_run.suite.judges) > 1
    axes, names = _axes([cell_run.cell.names for cell_run in suite_run.cells])
    head = [*axes, "harmless refused", "harmful refused", "run", "gates"]
    if has_judge_column:
        head.insert(len(axes), "judge")
    rows = []
    for cell_names, cell_run in zip(names, suite_run.cells, strict=True):
        for cells in _cell_rows(cell_run, suite_run.suite.rule):
            judge = (cells.judge,) if has_judge_column else ()
            rows.append((*cell_names, *judge, *cells.rates, cells.state, cells.gates))
    return tuple(head), rows


@dataclass(frozen=True)
class _CellRow:
    """What is known of a cell by one judge."""

    judge: str
    rates: tuple[str, ...]
    state: str
    gates: str


def _cell_rows(cell_run: CellRun, rule: Rule) -> Iterator[_CellRow]:
    """A row for each judge, the gates in the first; one row of a cell without results."""
    gates = ", ".join(f"{gate.name} {STATE_WORDS[gate.state]}" for gate in cell_run.gates) or UNKNOWN
    if not cell_run.results:
        yield _CellRow(UNKNOWN, (UNKNOWN, UNKNOWN), cell_run.state, gates)
    for number, results in enumerate(cell_run.results):
        rates = {rate.side: percent(rate) for rate in results.rates(rule=rule, by=None)}
        n_failed = results.failures().total()
        state = f"{cell_run.state}, {n_failed} of {len(results)} rows failed" if n_failed else cell_run.state
        yield _CellRow(
            judge=str(results.judge),
            rates=tuple(rates.get(side, UNKNOWN) for side in Side),
            state=state,
            gates=gates if number == 0 else "",
        )


def forecast_rows(forecasts: Sequence[CellForecast]) -> Rows:
    """Head and rows of what the cells would still take, and the sum."""
    axes, names = _axes([cell_forecast.cell.names for cell_forecast in forecasts])
    rows = []
    n_requests = 0
    n_judge_calls = 0
    total_cost: float | None = 0.0
    for cell_names, cell_forecast in zip(names, forecasts, strict=True):
        forecast = cell_forecast.forecast
        judge_calls = sum(calls.n_requests for calls in forecast.judging)
        counts = (f"{forecast.n_requests:,}", f"{judge_calls:,}")
        rows.append((*cell_names, _STATES[cell_forecast.state], *counts, dollars(forecast.total_cost)))
        n_requests += forecast.n_requests
        n_judge_calls += judge_calls
        if total_cost is None or forecast.total_cost is None:
            total_cost = None
        else:
            total_cost += forecast.total_cost
    no_names = [""] * len(axes)
    rows.append(("all", *no_names, f"{n_requests:,}", f"{n_judge_calls:,}", dollars(total_cost)))
    return (*axes, "run", "requests", "judge calls", "cost"), rows


_STATES = {"ran": "new", "continued": "resumed", "skipped": "finished", "stopped": "stopped"}
"""What would become of a cell."""


def _axes(cells: Sequence[InSuite]) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """The axes that need a column, and each cell's names on them: the model, and whatever differs."""
    names = [{"model": cell.model, "prompt": cell.prompt, "data": cell.data, "arm": cell.arm} for cell in cells]
    axes = []
    for axis in names[0]:
        differs = len({names_of_cell[axis] for names_of_cell in names}) > 1
        if axis == "model" or differs:
            axes.append(axis)
    return tuple(axes), [tuple(names_of_cell[axis] for axis in axes) for names_of_cell in names]


def as_table(rows: Rows) -> Table:
    numbers = ("requests", "judge calls", "cost")
    return text_table(*rows[0], rows=rows[1], wraps=True, words={*rows[0]}.difference(numbers))


def comparison_rows(comparison: SuiteComparison) -> Rows:
    """Head and rows of a comparison: a row for each cell and side."""
    axes, names = _axes([cell.names for cell in comparison.cells])
    head = (*axes, "side", "baseline", "tonight", "points", "p", "change")
    rows: list[tuple[str, ...]] = []
    for cell_names, cell in zip(names, comparison.cells, strict=True):
        if cell.night is None:
            rows.append((*cell_names, "", UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN, cell.state))
            continue
        for side in cell.night.sides:
            before, after = (bare_percent(rate) if side.n_samples else UNKNOWN for rate in side.rates)
            points = points_between(side.estimate) if side.n_samples else UNKNOWN
            change = _change_in_table(side)
            rows.append((*cell_names, side.side.adjective, before, after, points, p_value(side.p_adjusted), change))
    return head, rows


def comparison_csv(comparisons: Sequence[SuiteComparison]) -> str:
    """A line for each cell and side, with differences as shares; a cell that was not compared has one line."""
    names = ["folder", "model", "prompt", "data", "arm", "run", "state", "side"]
    numbers = ["baseline", "tonight", "difference", "low", "high", "confidence", "n", "p", "p_adjusted", "change"]
    rows: list[list[Any]] = [[*names, *numbers]]
    for comparison in comparisons:
        for cell in comparison.cells:
            cell_names = [cell.names.model, cell.names.prompt, cell.names.data, cell.names.arm]
            of_cell = [safe_cell(text) for text in (comparison.folder, *cell_names, cell.run, cell.state)]
            if cell.night is None:
                rows.append([*of_cell, *[""] * (1 + len(numbers))])
                continue
            rows += [[*of_cell, str(side.side), *_csv_numbers(side)] for side in cell.night.sides]
    return csv_text(rows)


def _csv_numbers(side: SideChange) -> list[Any]:
    estimate = side.estimate
    shares = [*side.rates, estimate.value, estimate.low, estimate.high, side.confidence]
    tests = [side.n_samples, number_cell(side.p), number_cell(side.p_adjusted), _change_in_table(side)]
    return [*(number_cell(share) for share in shares), *tests]


def _change_in_table(side: SideChange) -> str:
    if side.is_undecidable:
        return "inconclusive"
    if not side.is_change:
        return "none shown"
    return "worse" if side.is_worse else "better"


def suite_dict(suite_run: SuiteRun) -> dict[str, Any]:
    cells = [_cell_dict(cell_run, suite_run.suite.rule) for cell_run in suite_run.cells]
    content: dict[str, Any] = {"suite": suite_run.suite.name, "state": suite_run.state, "cells": cells}
    if suite_run.comparison is not None:
        content["comparison"] = suite_run.comparison.to_dict()
    return content


def _cell_dict(cell_run: CellRun, rule: Rule) -> dict[str, Any]:
    return {
        **cell_run.cell.names.model_dump(include={"model", "prompt", "data", "arm"}),
        "run": str(cell_run.cell.folder),
        "state": cell_run.state,
        "error": str(cell_run.error),
        "spent_usd": cell_run.spent,
        "seconds": round(cell_run.seconds, 3),
        "results": [results.to_dict(rule=rule) for results in cell_run.results],
        "gates": [{"state": gate.state, **as_json_value(gate)} for gate in cell_run.gates],
    }
