"""A sweep as one table, in the terminal and in Markdown, and as one chart."""

import math
from collections.abc import Sequence
from typing import Any

from rich.table import Table

from mossbench.look.charts import Chart, themed, vega_lite
from mossbench.look.numbers import UNKNOWN, dollars, p_value
from mossbench.look.numbers import difference as points_between
from mossbench.reports.tables import percent, text_table
from mossbench.results.differences import Difference
from mossbench.results.sweep_tables import PointOfSweep, SweepLine, SweepTable, sweep_table
from mossbench.runs.suites import SuiteRun
from mossbench.samples import Side

_HEAD = ("point", "harmless refused", "change", "p", "harmful refused", "change", "p", "cost", "s/answer")
_NOTE = (
    "Change: in points from the first row, paired sample by sample, with its 95 % interval. p: exact, swapping the two "
    "runs in whole scenes; adjusted by Holm over the other rows, each side apart. * p at most 0.05."
)


def tables_of_sweep(suite_run: SuiteRun) -> tuple[SweepTable, ...]:
    """A table for each model, prompt, dataset and arm that was swept; none for other suites."""
    groups: dict[str, list[PointOfSweep]] = {}
    choices = {choice.name: choice for choice in suite_run.suite.models}
    for cell_run in suite_run.cells:
        names = cell_run.cell.names
        choice = choices[names.model]
        if not choice.point:
            continue
        title = " · ".join((choice.swept, names.prompt, names.data, names.arm))
        results = cell_run.results[0] if cell_run.results else None
        if results is not None and results.unfinished():
            results = None
        groups.setdefault(title, []).append(PointOfSweep(choice.point, results))
    tables = [sweep_table(title, points, suite_run.suite.rule) for title, points in groups.items()]
    return tuple(table for table in tables if table is not None)


def _cells(line: SweepLine) -> tuple[str, ...]:
    cells = [line.point]
    for side in Side:
        rate = line.rates.get(side)
        difference = line.differences.get(side)
        cells.append(UNKNOWN if rate is None else percent(rate))
        cells += _change(difference)
    seconds = UNKNOWN if math.isnan(line.seconds) else f"{line.seconds:.2g}"
    return (*cells, dollars(line.cost), seconds)


def _change(difference: Difference | None) -> tuple[str, str]:
    if difference is None:
        return "", ""
    if difference.is_inconclusive:
        return points_between(difference.estimate), "inconclusive"
    star = " *" if difference.is_significant else ""
    return points_between(difference.estimate), p_value(difference.p_adjusted) + star


def sweep_page(table: SweepTable) -> Table:
    rows = [_cells(line) for line in table.lines]
    return text_table(*_HEAD, rows=rows, title=f"{table.title} · judge {table.judge} · rule {table.rule}")


def sweep_markdown(tables: Sequence[SweepTable]) -> str:
    """All tables with what their columns mean."""
    lines: list[str] = []
    for table in tables:
        lines += [f"## {table.title}", "", f"Judge {table.judge}, rule {table.rule}.", ""]
        lines += [_row(_HEAD), _row(("---",) * len(_HEAD))]
        lines += [_row(_cells(line)) for line in table.lines]
        lines += ["", *table.notes, ""]
    return "\n".join([*lines, _NOTE, ""])


def _row(cells: Sequence[str]) -> str:
    escaped = [cell.replace("|", "\\|").replace("*", "\\*") for cell in cells]
    return f"| {' | '.join(escaped)} |"


def sweep_note() -> str:
    return _NOTE


def sweep_chart(tables: Sequence[SweepTable]) -> Chart:
    """The rates of both sides with their intervals, point by point."""
    cells: list[dict[str, Any]] = []
    for table in tables:
        for line in table.lines:
            for side, rate in line.rates.items():
                estimate = rate.estimate
                if rate.is_known and not math.isnan(estimate.value):
                    cells.append(
                        {
                            "table": table.title,
                            "point": line.point,
                            "side": side.adjective,
                            "value": estimate.value,
                            "low": estimate.low,
                            "high": estimate.high,
                        }
                    )
    order = list(dict.fromkeys(line.point for table in tables for line in table.lines))
    text = "; ".join(f"{cell['table']}, {cell['point']}, {cell['side']}: {100 * cell['value']:.1f} %" for cell in cells)
    return themed(vega_lite("sweep", cells=cells, order=order), f"Share refused at each point. {text}")
