"""`mossbench run SUITE.toml`, and what it and `mossbench gate` write for CI."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mossbench.cli.printing import note, say, show, show_json
from mossbench.cli.progress import progress_of

if TYPE_CHECKING:
    from mossbench.reports.suite_tables import Rows
    from mossbench.reports.words.suites import Case
    from mossbench.results.gate_checks import State
    from mossbench.runs.engines import EngineOptions
    from mossbench.runs.progress import OnProgress
    from mossbench.runs.suite_cells import Cell

EXIT_CODES = {"pass": 0, "fail": 1, "undecided": 2}


def run_suite_file(
    path: Path,
    *,
    dry_run: bool,
    no_report: bool,
    quiet: bool,
    as_json: bool,
    junit: Path | None,
    summary: Path | None,
    overrides: dict[str, Any],
    engine: EngineOptions,
) -> None:
    """Runs a suite, or says what it would take; ends with the exit code of its gates."""
    from mossbench.cli.run import write_report_of
    from mossbench.reports.suite_tables import as_table, forecast_rows, suite_dict, suite_rows
    from mossbench.reports.words.suites import suite_cases, suite_notices, suite_planted
    from mossbench.runs.running import run
    from mossbench.runs.suite_files import load_suite
    from mossbench.runs.suites import forecast_suite, run_suite

    suite = load_suite(path, **overrides)
    if dry_run:
        found = forecast_suite(suite, engine=engine.name)
        if as_json:
            named = ((one.cell.names.model_dump(), one) for one in found)
            return show_json([names | {"state": one.state} | one.forecast.to_dict() for names, one in named])
        for text in sorted({notice for one in found for notice in one.forecast.notices}):
            note(f"note: {text}")
        show(as_table(forecast_rows(found)))
        return say("Nothing was sent.")

    @contextmanager
    def watch(cell: Cell) -> Iterator[OnProgress | None]:
        with progress_of(cell.names.label, quiet=quiet) as progress, redirect_stdout(sys.stderr):
            yield progress

    done = run_suite(suite, watch=watch, start=partial(run, engine=engine))
    cases = suite_cases(done)
    for text in suite_notices(done):
        note(f"note: {text}")
    for one in [] if no_report else done.cells:
        if one.results and (one.state != "skipped" or not (one.cell.folder / "report.html").exists()):
            note(f"wrote {write_report_of(one.results[0], suite.rule)}")
    if as_json:
        show_json(suite_dict(done))
    else:
        show(as_table(suite_rows(done)))
        for case in cases:
            say(case.text)
        for text in suite_planted(done):
            say(text)
    write_for_ci(suite.name, done.state, suite_rows(done), cases, junit, summary)
    code = EXIT_CODES[done.state]
    raise SystemExit(code if suite.gates else min(code, 1))


def write_for_ci(
    title: str, state: State, rows: Rows | None, cases: list[Case], junit: Path | None, summary: Path | None
) -> None:
    """JUnit XML and a summary in Markdown: where they were asked for, and where GitHub shows one."""
    from mossbench.plumbing.storage import storage_errors, write_atomically
    from mossbench.reports.suite_tables import as_junit, as_markdown

    if junit is not None:
        write_atomically(junit, as_junit(title, cases))
        note(f"wrote {junit}")
    text = as_markdown(title, state, rows, cases)
    if summary is not None:
        write_atomically(summary, text)
        note(f"wrote {summary}")
    elif page := os.environ.get("GITHUB_STEP_SUMMARY"):
        with storage_errors(Path(page)), open(page, "a", encoding="utf-8") as file:  # other steps write there too
            file.write(text)
