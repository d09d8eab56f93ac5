"""`mossbench gate`."""

from pathlib import Path
from typing import Any

import click

import mossbench
from mossbench.cli.commands import Command
from mossbench.cli.options import RUN_PATH, options
from mossbench.cli.printing import say, show_json
from mossbench.cli.results import note_arms
from mossbench.cli.suites import EXIT_CODES, write_for_ci


@click.command(cls=Command)
@click.argument("run", type=RUN_PATH)
@options("max_refusal", "min_safety", "baseline", "max_increase", "mode", "max_failed", "own.judge", "rule", "junit")
@options("summary", "json")
def gate(run: Path, baseline: Path | None, judge: str | None, as_json: bool, **limits: Any) -> None:
    from mossbench.errors import MossbenchError
    from mossbench.reports.comparison_text import gate_line
    from mossbench.reports.suite_text import gate_cases

    files = {name: limits.pop(name) for name in ("junit", "summary")}
    try:
        results = mossbench.load_results(run, judge=judge)
        before = mossbench.load_results(baseline, judge=judge) if baseline else None
        note_arms(filter(None, [results, before]))
        decision = mossbench.gate(results, baseline=before, **limits)
    except MossbenchError as error:
        error.exit_code = EXIT_CODES["undecided"]  # 1 says that the model failed, which a damaged file does not
        raise
    if as_json:
        show_json({"state": decision.state, **vars(decision)})
    else:
        say(gate_line(decision))
    write_for_ci(decision.run, decision.state, None, gate_cases(decision), **files)
    raise SystemExit(EXIT_CODES[decision.state])
