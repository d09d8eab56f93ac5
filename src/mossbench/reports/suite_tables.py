"""A suite that was run, or would be, in tables; gates as a summary in Markdown and as JUnit XML for CI.

`reports.words.suites` has what is said of each gate and run.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Any
from xml.etree import ElementTree

from rich.table import Table

from mossbench.look.numbers import UNKNOWN, dollars
from mossbench.look.page import markdown, markdown_table
from mossbench.plumbing.storage import plain
from mossbench.reports.tables import percent, text_table
from mossbench.reports.words.gates import STATE_WORDS
from mossbench.reports.words.suites import Case
from mossbench.results.gate_checks import State
from mossbench.runs.suites import CellForecast, SuiteRun
from mossbench.samples import Side
from mossbench.store.suite_record import InSuite

_NOT_IN_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
Rows = tuple[tuple[str, ...], list[tuple[str, ...]]]


def suite_rows(done: SuiteRun) -> Rows:
    """Head and rows of the summary: a row for each cell and judge."""
    judges = len(done.suite.judges) > 1
    axes, names = _axes([one.cell.names for one in done.cells])
    head = (*axes, *(["judge"] if judges else []), "harmless refused", "harmful refused", "run", "gates")
    rows = []
    for cell, one in zip(names, done.cells, strict=True):
        gates = ", ".join(f"{gate.name} {STATE_WORDS[gate.state]}" for gate in one.gates) or UNKNOWN
        for number, results in enumerate(one.results):
            rates = {rate.side: percent(rate) for rate in results.rates(rule=done.suite.rule, by=None)}
            cells = [rates.get(side, UNKNOWN) for side in Side]
            of = [str(results.judge)] if judges else []
            failed = results.failures().total()
            state = f"{one.state}, {failed} of {len(results)} rows failed" if failed else one.state
            rows.append((*cell, *of, *cells, state, gates if number == 0 else ""))
        if not one.results:
            rows.append((*cell, *([UNKNOWN] if judges else []), UNKNOWN, UNKNOWN, one.state, gates))
    return head, rows


def forecast_rows(found: Sequence[CellForecast]) -> Rows:
    """Head and rows of what the cells would still take, and the sum."""
    states = {"ran": "new", "continued": "resumed", "skipped": "finished", "stopped": "stopped"}
    axes, names = _axes([one.cell.names for one in found])
    counts = [(one.forecast.n_requests, sum(calls.n_requests for calls in one.forecast.judging)) for one in found]
    rows = [
        (*cell, states[one.state], *(f"{n:,}" for n in asked), dollars(one.forecast.total_cost))
        for cell, one, asked in zip(names, found, counts, strict=True)
    ]
    costs = [one.forecast.total_cost for one in found]
    total = None if None in costs else sum(filter(None, costs))
    sums = (f"{sum(column):,}" for column in zip(*counts, strict=True))
    head = (*axes, "run", "requests", "judge calls", "cost")
    return head, [*rows, ("all", *([""] * len(axes)), *sums, dollars(total))]


def _axes(cells: Sequence[InSuite]) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """The axes that need a column, and each cell's names on them: the model, and whatever differs."""
    named = [{"model": one.model, "prompt": one.prompt, "data": one.data, "arm": one.arm} for one in cells]
    axes = tuple(axis for axis in named[0] if axis == "model" or len({one[axis] for one in named}) > 1)
    return axes, [tuple(one[axis] for axis in axes) for one in named]


def as_table(rows: Rows) -> Table:
    numbers = ("requests", "judge calls", "cost")
    return text_table(*rows[0], rows=rows[1], wraps=True, words={*rows[0]}.difference(numbers))


def as_markdown(title: str, state: State, rows: Rows | None, cases: Iterable[Case]) -> str:
    lines = [f"## mossbench {markdown(title)}: {STATE_WORDS[state]}", ""]
    if rows is not None:
        lines += markdown_table(*rows, words=len(rows[0]))
    return "\n".join([*lines, *(f"- {markdown(case.text)}" for case in cases), "", ""])


def as_junit(title: str, cases: Sequence[Case]) -> bytes:
    """JUnit XML: a failed gate is a failure, one that cannot be decided an error."""
    counts = {"failures": "fail", "errors": "undecided"}
    numbers = {name: str(sum(case.state == state for case in cases)) for name, state in counts.items()}
    root = ElementTree.Element("testsuites")
    about = {"name": _xml(title), "tests": str(len(cases)), "skipped": "0", **numbers}
    suite = ElementTree.SubElement(root, "testsuite", about)
    for case in cases:
        one = ElementTree.SubElement(suite, "testcase", classname=_xml(case.where), name=_xml(case.name))
        kind = {"pass": "system-out", "fail": "failure", "undecided": "error"}[case.state]
        said = ElementTree.SubElement(one, kind, {} if case.state == "pass" else {"message": _xml(case.text)})
        said.text = _xml(case.text)
    ElementTree.indent(root)
    found: bytes = ElementTree.tostring(root, encoding="utf-8", xml_declaration=True)
    return found


def _xml(text: str) -> str:
    """What XML can carry; a name or an answer may have anything in it."""
    return _NOT_IN_XML.sub("\ufffd", text)


def suite_dict(done: SuiteRun) -> dict[str, Any]:
    cells = [
        {
            **one.cell.names.model_dump(include={"model", "prompt", "data", "arm"}),
            "run": str(one.cell.folder),
            "state": one.state,
            "error": str(one.error),
            "results": [results.to_dict(rule=done.suite.rule) for results in one.results],
            "gates": [{"state": gate.state, **plain(gate)} for gate in one.gates],
        }
        for one in done.cells
    ]
    return {"suite": done.suite.name, "state": done.state, "cells": cells}
