"""A suite's runs compared cell by cell with those of another folder: the night before, or a fixed baseline.

A cell is compared with the cell of the same names, if that was asked under the same protocol. A cell without such a
partner is new. What cannot be decided (a run that is not finished, that another judge has read) is no pass.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from mossbench.errors import MossbenchError, UsageError, n_of
from mossbench.messages import NOTHING, Message
from mossbench.outcomes import Rule, parse_rule
from mossbench.plumbing.json_values import as_json_value
from mossbench.results.comparability import DifferentSamples, DifferentSettings, NoCommonSample, NotComparable
from mossbench.results.comparison_words import not_comparable_message
from mossbench.results.gate_checks import State
from mossbench.results.nightly import (
    AskedInAnotherWay,
    LeftOutNight,
    NightComparison,
    adjust_for_suite,
    compare_night,
    name_with_folder,
)
from mossbench.results.one_judge import load_read_by
from mossbench.results.suite_folders import FoundCell, SuiteFolder, names_of_cell, read_suite_folder
from mossbench.results.table import Results, load_results
from mossbench.statistics.looks import LONGEST_WINDOW
from mossbench.store.suite_record import InSuite

CellState = Literal["compared", "new", "undecided"]


@dataclass(frozen=True)
class CellComparison:
    """A cell of tonight's suite beside the cell of the same names."""

    names: InSuite
    run: str
    state: CellState
    reason: Message = NOTHING
    """Why it is new or undecided."""
    night: NightComparison | None = None

    @property
    def gate_state(self) -> State:
        """`fail` where a change for the worse is shown; a new cell passes, a night over the budget decides nothing."""
        if self.state == "undecided":
            return "undecided"
        if self.night is None:
            return "pass"
        if self.night.is_over_budget:
            return "undecided"
        if any(side.is_worse for side in self.night.sides):
            return "fail"
        return "undecided" if any(side.is_undecidable for side in self.night.sides) else "pass"


@dataclass(frozen=True)
class SuiteComparison:
    """All cells of a suite compared with those of another folder."""

    folder: str
    """What it was compared with."""
    cells: tuple[CellComparison, ...]
    gone: tuple[str, ...] = ()
    """Cells of the other folder that tonight's suite does not have."""
    n_tests: int = 1
    """Comparisons and other checks that share the budget of 5 %."""
    looks: int = 1

    def __repr__(self) -> str:
        return f"<SuiteComparison with {self.folder}: {self.state}, {n_of(len(self.cells), 'cell')}>"

    @property
    def state(self) -> State:
        """`fail` if a change for the worse is shown; undecided as soon as a cell is, or if no cell was compared."""
        states = {cell.gate_state for cell in self.cells}
        is_compared = any(cell.state == "compared" for cell in self.cells)
        if "fail" in states:
            return "fail"
        return "undecided" if "undecided" in states or not is_compared else "pass"

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {
            "folder": self.folder,
            "state": self.state,
            "looks": self.looks,
            "n_tests": self.n_tests,
            "cells": [_cell_to_dict(cell) for cell in self.cells],
            "gone": list(self.gone),
        }


def _cell_to_dict(cell: CellComparison) -> dict[str, Any]:
    content: dict[str, Any] = {
        **cell.names.model_dump(include={"model", "prompt", "data", "arm"}),
        "run": cell.run,
        "state": cell.state,
        "gate_state": cell.gate_state,
        "reason": str(cell.reason),
    }
    if cell.night is not None:
        content |= as_json_value(cell.night)
        content["settings"] = [setting.words() for setting in cell.night.settings]
        content["model_changes"] = [change.words() for change in cell.night.model_changes]
        content["sides"] = [
            {**as_json_value(side), "is_change": side.is_change, "is_worse": side.is_worse} for side in cell.night.sides
        ]
    return content


@dataclass(frozen=True)
class CellToCompare:
    """A cell of tonight's suite: its results, or why there are none."""

    names: InSuite
    folder: Path
    results: Results | None
    error: Message = NOTHING


@dataclass(frozen=True)
class _Terms:
    """How every cell is compared."""

    looks: int
    n_tests: int
    rule: Rule
    judge: str | None


def compare_suite(
    cells: Sequence[CellToCompare],
    folder: SuiteFolder,
    *,
    earlier: Sequence[SuiteFolder] = (),
    looks: int = 1,
    n_other_tests: int = 0,
    rule: Rule = Rule.SYSTEM,
    judge: str | None = None,
) -> SuiteComparison:
    """Each cell beside its partner in the folder; p-values are adjusted for all of them.

    Args:
        cells: Those of tonight's suite.
        folder: The baseline.
        earlier: Folders of earlier nights, the oldest first.
        looks: For how many nights at most the baseline will be used.
        n_other_tests: Other checks of the suite that share the budget, such as gates.
        rule: What counts as refused.
        judge: Who has to have read the baseline; by default its own judge, or one that both can be read by.
    """
    n_sides = sum(len({row.key.side for row in cell.results.rows}) for cell in cells if cell.results is not None)
    n_tests = max(1, n_sides + n_other_tests)
    terms = _Terms(looks, n_tests, rule, judge)
    compared = [_compare_cell(cell, folder, earlier, terms) for cell in cells]
    nights = [cell.night for cell in compared if cell.night is not None]
    n_compared = sum(len(night.sides) for night in nights)
    adjusted = iter(adjust_for_suite(nights, n_other_tests=n_tests - n_compared))
    cells_with_p = [cell if cell.night is None else replace(cell, night=next(adjusted)) for cell in compared]
    names = {names_of_cell(cell.names) for cell in cells}
    gone = [found_cells[0].names.label for key, found_cells in folder.cells.items() if key not in names]
    return SuiteComparison(str(folder.path), tuple(cells_with_p), tuple(gone), n_tests, looks)


def compare_suites(
    first: str | Path, second: str | Path, *, rule: Rule | str = Rule.SYSTEM, judge: str | None = None
) -> SuiteComparison:
    """The suite in the second folder compared with that in the first, cell by cell; of a cell its newest run."""
    baseline = read_suite_folder(first)
    tonight = read_suite_folder(second)
    if baseline.path.resolve() == tonight.path.resolve():
        raise UsageError(f"the folder {str(second)!r} is given twice; name the folders of two suites")
    cells = []
    for found_cells in tonight.cells.values():
        newest = found_cells[0]
        try:
            results = load_read_by(newest.folder, judge)
            cells.append(CellToCompare(newest.names, newest.folder, results))
        except MossbenchError as error:
            cells.append(CellToCompare(newest.names, newest.folder, None, error.message))
    return compare_suite(cells, baseline, rule=parse_rule(rule), judge=judge)


def _compare_cell(
    cell: CellToCompare, folder: SuiteFolder, earlier: Sequence[SuiteFolder], terms: _Terms
) -> CellComparison:
    candidates = folder.candidates(cell.names, cell.folder.name)
    if cell.results is None:
        reason = cell.error or Message("the run has no results")
        return CellComparison(cell.names, cell.folder.name, "undecided", reason)
    if not candidates and folder.damaged:  # any of them may be the partner
        damaged = next(iter(folder.damaged.values()))
        return CellComparison(cell.names, cell.folder.name, "undecided", damaged.after("the baseline: "))
    if not candidates:
        return CellComparison(cell.names, cell.folder.name, "new", Message(f"{folder.path} has no cell of these names"))
    outcomes = []
    for candidate in candidates:
        outcome = _compare_with(candidate, cell.results, earlier, terms)
        outcomes.append(outcome)
        if isinstance(outcome, NightComparison):
            break
    compared = [outcome for outcome in outcomes if isinstance(outcome, NightComparison)]
    return _comparison_of(cell, compared[0] if compared else outcomes[0])


def _comparison_of(
    cell: CellToCompare, outcome: NightComparison | NotComparable | AskedInAnotherWay | Message
) -> CellComparison:
    """What came of comparing a cell: with a partner that was asked something else it is new."""
    name = cell.folder.name
    match outcome:
        case AskedInAnotherWay():
            settings = "; ".join(setting.words() for setting in outcome.settings)
            reason = Message(f"the baseline was asked in another way: {settings}")
            return CellComparison(cell.names, name, "new", reason)
        case DifferentSamples() | DifferentSettings() | NoCommonSample():
            return CellComparison(cell.names, name, "new", not_comparable_message(outcome))
        case Message():
            return CellComparison(cell.names, name, "undecided", outcome)
        case NightComparison():
            return CellComparison(cell.names, name, "compared", NOTHING, outcome)
        case _:
            return CellComparison(cell.names, name, "undecided", not_comparable_message(outcome))


def _compare_with(
    candidate: FoundCell, tonight: Results, earlier: Sequence[SuiteFolder], terms: _Terms
) -> NightComparison | NotComparable | AskedInAnotherWay | Message:
    if candidate.folder.resolve() == tonight.folder.resolve():
        return Message("this run is its own baseline")
    try:
        baseline = load_read_by(candidate.folder, terms.judge)
        nights = _nights_of(candidate, tonight, earlier)
        last_nights, unreadable = _load_without_gap(nights[-LONGEST_WINDOW + 1 :])
        comparison = compare_night(
            tonight,
            baseline,
            last_nights,
            looks=terms.looks,
            look=len(nights) + 1,
            n_tests=terms.n_tests,
            rule=terms.rule,
        )
        if unreadable is not None and isinstance(comparison, NightComparison):
            return replace(comparison, left_out=(unreadable, *comparison.left_out))
        return comparison
    except MossbenchError as error:
        return error.message.after("the baseline: ")


def _nights_of(baseline: FoundCell, tonight: Results, earlier: Sequence[SuiteFolder]) -> list[FoundCell]:
    """The runs of this cell on earlier nights, after the baseline was made."""
    if tonight.info.suite is None:
        return []
    nights = []
    for folder in earlier:
        for night in folder.candidates(tonight.info.suite, tonight.folder.name)[:1]:
            if baseline.started <= night.started <= tonight.info.started:  # in whole seconds
                nights.append(night)
    return nights


def _load_without_gap(nights: Sequence[FoundCell]) -> tuple[list[Results], LeftOutNight | None]:
    """The results of the last of these nights, as far back as they can be read; and the night that cannot be."""
    runs: list[Results] = []
    for night in reversed(nights):
        try:
            runs.insert(0, load_results(night.folder))
        except MossbenchError as error:
            return runs, LeftOutNight(name_with_folder(night.folder), str(error))
    return runs, None
