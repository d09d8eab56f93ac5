"""pytest: a suite or a gate as tests.

`pytest suite.toml` runs the suite, one test for each gate on each cell; only a file that is named is taken, since cells
may cost money. The fixture `mossbench_gate` decides one gate on a run folder. pytest loads this module in every project
that has mossbench installed, so it imports nothing of ours before it is used.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from mossbench.reports.words.suites import Case


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    if file_path.suffix == ".toml" and parent.session.isinitpath(file_path):
        return SuiteFile.from_parent(parent, path=file_path)
    return None


class SuiteFile(pytest.File):
    """A suite. It runs with the first of its tests: the cells, and so the tests, are known before."""

    _cases: dict[tuple[str, str], Case] | None = None

    def collect(self) -> Iterator[pytest.Item]:
        from mossbench.errors import MossbenchError
        from mossbench.runs.suite_cells import suite_cells
        from mossbench.runs.suite_files import load_suite

        try:
            self.suite = load_suite(self.path)
            cells = suite_cells(self.suite)
        except MossbenchError as error:
            raise self.CollectError(str(error)) from error
        for cell in cells:
            for name in [gate.name for gate in cell.names.gates] or ["run"]:
                yield SuiteTest.from_parent(self, name=f"{cell.names.label} · {name}", key=(cell.names.label, name))

    def case(self, key: tuple[str, str]) -> Case:
        from mossbench.errors import RunWarning
        from mossbench.reports.words.suites import suite_cases
        from mossbench.runs.suites import run_suite

        if self._cases is None:
            with warnings.catch_warnings():  # each case says what failed
                warnings.simplefilter("ignore", RunWarning)
                suite_result = run_suite(self.suite)
            self._cases = {(case.where, case.name): case for case in suite_cases(suite_result)}
        return self._cases[key]


class SuiteTest(pytest.Item):
    """One gate on one cell, or a cell that has none."""

    def __init__(self, *, key: tuple[str, str], **arguments: Any) -> None:
        super().__init__(**arguments)
        self.key = key

    def runtest(self) -> None:
        assert isinstance(self.parent, SuiteFile)
        case = self.parent.case(self.key)
        if case.state != "pass":  # undecided is not a pass either
            pytest.fail(case.text, pytrace=False)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        return self.path, None, self.name


@pytest.fixture
def mossbench_gate() -> Callable[..., None]:
    """A function that fails the test unless a run folder passes: `mossbench_gate("runs/new", max_refusal=0.1)`."""

    def check(run: str | Path, *, baseline: str | Path | None = None, judge: str | None = None, **limits: Any) -> None:
        import mossbench
        from mossbench.reports.words.gates import gate_line

        before = mossbench.load_results(baseline, judge=judge) if baseline else None
        decision = mossbench.gate(mossbench.load_results(run, judge=judge), baseline=before, **limits)
        if decision.state != "pass":
            pytest.fail(gate_line(decision), pytrace=False)

    return check
