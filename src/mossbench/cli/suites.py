"""`mossbench run SUITE.toml`."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mossbench.cli.gate import EXIT_CODES, write_for_ci
from mossbench.cli.option_groups import only_given
from mossbench.cli.options import was_given
from mossbench.cli.printing import note, say, show, show_json
from mossbench.cli.progress_bar import progress_of
from mossbench.cli.run_choices import RunChoices
from mossbench.errors import MossbenchError

if TYPE_CHECKING:
    from mossbench.runs.progress import OnProgress
    from mossbench.runs.suite_cells import Cell, Suite
    from mossbench.runs.suites import SuiteRun


def run_suite_file(path: Path, choices: RunChoices) -> None:
    """Runs the suite in a file, or says what it would take."""
    from mossbench.runs.suite_files import load_suite

    run_loaded_suite(load_suite(path, **_overrides(choices), **only_given({"sweep": choices.sweep})), choices)


def run_sweep(choices: RunChoices) -> None:
    """Asks the models at each point of a sweep, or says what it would take."""
    from datetime import date

    from mossbench.results.suite_folders import with_date
    from mossbench.runs.sweeps import make_sweep

    suite = make_sweep(
        choices.models,
        choices.data_or_default,
        sweep=choices.sweep or {},
        judge=choices.judge.name_or_default(),
        out=with_date(str(choices.out or "runs"), date.today()),
        **choices.run_options,
    )
    update = only_given({"prices": choices.prices and str(choices.prices), "max_cost": choices.max_cost})
    run_loaded_suite(
        suite.model_copy(update={**update, "rule": choices.rule, "max_failed": choices.max_failed}), choices
    )


def run_loaded_suite(suite: Suite, choices: RunChoices) -> None:
    """Runs a suite, or says what it would take; ends with the exit code of its gates."""
    from mossbench.reports.suite_summaries import suite_summary
    from mossbench.reports.words.suites import suite_notices

    if choices.dry_run:
        show_suite_forecast(suite, choices)
        return
    suite_run = ask_suite(suite, choices)
    for text in suite_notices(suite_run):
        note(f"note: {text}")
    if not choices.no_report:
        write_suite_reports(suite_run, suite.rule)
    show_suite_run(suite_run, as_json=choices.as_json)
    write_sweep(suite_run)
    try:
        write_for_ci(
            suite_summary(suite_run),
            junit=choices.junit,
            summary=choices.summary,
            summary_format=choices.summary_format,
        )
    except MossbenchError as error:
        error.exit_code = EXIT_CODES["undecided"]  # 1 would say that a model failed
        raise
    exit_code = EXIT_CODES[suite_run.state]
    is_decided = bool(suite.gates) or suite_run.comparison is not None
    raise SystemExit(exit_code if is_decided else min(exit_code, 1))


def _overrides(choices: RunChoices) -> dict[str, Any]:
    """What was given on the command line: it comes before what the suite says."""
    overrides = {
        **choices.run_options,
        "data": choices.data,
        "prices": choices.prices,
        "models": choices.models or None,
        "out": choices.out,
        "judge": choices.judge.full_name(),
        "rule": choices.rule if was_given("rule") else None,
        "max_failed": choices.max_failed if was_given("max_failed") else None,
        "max_cost": choices.max_cost,
        "compare_with": choices.compare_with,
    }
    return only_given(overrides)


def show_suite_forecast(suite: Suite, choices: RunChoices) -> None:
    from mossbench.reports.suite_tables import as_table, forecast_rows
    from mossbench.reports.words.suite_costs import forecast_cost_lines
    from mossbench.runs.suites import folder_to_compare_with, forecast_suite

    folder_to_compare_with(suite)  # a folder that is none is reported before money is spent
    forecasts = forecast_suite(suite, engine=choices.engine.name)
    if choices.as_json:
        show_json(
            [
                {**forecast.cell.names.model_dump(), "state": forecast.state, **forecast.forecast.to_dict()}
                for forecast in forecasts
            ]
        )
        return
    notices: set[str] = set()
    for forecast in forecasts:
        notices.update(forecast.forecast.notices)
    for notice in sorted(notices):
        note(f"note: {notice}")
    show(as_table(forecast_rows(forecasts)))
    for line in forecast_cost_lines(suite, forecasts):
        say(line)
    say("Nothing was sent.")


def ask_suite(suite: Suite, choices: RunChoices) -> SuiteRun:
    from mossbench.runs.running import run
    from mossbench.runs.suites import run_suite

    @contextmanager
    def watch(cell: Cell) -> Iterator[OnProgress | None]:
        with progress_of(cell.names.label, quiet=choices.quiet) as progress, redirect_stdout(sys.stderr):
            yield progress

    return run_suite(suite, watch=watch, start=partial(run, engine=choices.engine))


def write_suite_reports(suite_run: SuiteRun, rule: str) -> None:
    """A report for each cell that was asked now, or that has none yet."""
    from mossbench.cli.run import write_report_of

    for cell_run in suite_run.cells:
        has_report = (cell_run.cell.folder / "report.html").exists()
        is_new = cell_run.state != "skipped" or not has_report
        if cell_run.results and is_new:
            note(f"wrote {write_report_of(cell_run.results[0], rule)}")


def show_suite_run(suite_run: SuiteRun, *, as_json: bool) -> None:
    from mossbench.reports.suite_tables import as_table, comparison_rows, suite_dict, suite_rows
    from mossbench.reports.sweeps import sweep_note, sweep_page, tables_of_sweep
    from mossbench.reports.words.nightly import comparison_notes
    from mossbench.reports.words.suite_costs import suite_spent_line
    from mossbench.reports.words.suites import suite_cases, suite_planted

    if as_json:
        sweeps = [table.to_dict() for table in tables_of_sweep(suite_run)]
        show_json({**suite_dict(suite_run), **({"sweeps": sweeps} if sweeps else {})})
        return
    show(as_table(suite_rows(suite_run)))
    for table in tables_of_sweep(suite_run):
        show(sweep_page(table))
        for text in (*table.notes, sweep_note()):
            say(text)
    if suite_run.comparison is not None:
        show(as_table(comparison_rows(suite_run.comparison)))
    for case in suite_cases(suite_run):
        say(case.text)
    for line in comparison_notes(suite_run.comparison):
        say(line)
    say(suite_spent_line(suite_run))
    for text in suite_planted(suite_run):
        say(text)


def write_sweep(suite_run: SuiteRun) -> None:
    """The tables and the chart of a sweep, beside its runs; nothing for other suites."""
    from mossbench.look.charts import save_chart
    from mossbench.plumbing.file_names import slug
    from mossbench.plumbing.storage import write_atomically
    from mossbench.reports.sweeps import sweep_chart, sweep_markdown, tables_of_sweep

    tables = tables_of_sweep(suite_run)
    if not tables:
        return
    stem = Path(suite_run.suite.out) / f"{slug(suite_run.suite.name)}-sweep"
    path = stem.with_name(f"{stem.name}.md")
    write_atomically(path, sweep_markdown(tables))
    note(f"wrote {path}")
    try:
        note(f"wrote {save_chart(sweep_chart(tables), stem.with_name(f'{stem.name}.svg'))}")
    except MossbenchError as error:
        note(f"no chart was drawn: {error}")
