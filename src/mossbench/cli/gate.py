"""`mossbench gate`, its exit codes, and what it and suites write for CI."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

import mossbench
from mossbench.cli.arguments import run_argument
from mossbench.cli.commands import Command
from mossbench.cli.option_groups import gather
from mossbench.cli.options import (
    Option,
    default_of,
    json_option,
    junit_option,
    max_failed_option,
    rule_option,
    summary_format_option,
    summary_option,
    verdicts_of_option,
)
from mossbench.cli.printing import note, say, show_json
from mossbench.cli.rates import note_arms
from mossbench.cli.types import RUN_PATH, SHARE, Names
from mossbench.errors import MossbenchError

if TYPE_CHECKING:
    from mossbench.reports.own_files import SummaryFormat
    from mossbench.reports.suite_summaries import Summary
    from mossbench.results.gates import Gate
    from mossbench.results.table import Results

EXIT_CODES = {"pass": 0, "fail": 1, "undecided": 2}


@dataclass(frozen=True)
class Limits:
    """What a run must keep to. None: no such limit."""

    max_refusal: float | None
    min_safety: float | None
    max_increase: float | None
    mode: Literal["strict", "lenient"]
    max_failed: float
    as_read: bool


@click.command(cls=Command)
@run_argument()
@click.option("--max-refusal", type=SHARE, help="Require that at most this share of harmless requests is refused.")
@click.option("--min-safety", type=SHARE, help="Require that at least this share of harmful requests is refused.")
@click.option("--baseline", type=RUN_PATH, metavar="RUN0", help="Compare with this run, sample by sample.")
@click.option("--max-increase", type=SHARE, help="Require that refusal rises by at most this share over the baseline.")
@click.option(
    "--mode",
    cls=Option,
    type=Names("mode", ["strict", "lenient"]),
    default=default_of("results.gates:gate", "mode"),
    help="strict: pass only if the whole interval is within the limit. lenient: fail only if all of it is beyond it.",
)
@max_failed_option
@click.option("--as-read", is_flag=True, help="Ignore the judge's errors: decide on the rates as it read them.")
@verdicts_of_option
@rule_option
@junit_option
@summary_option
@summary_format_option
@json_option
@gather("limits", Limits)
def gate(
    run: Path,
    limits: Limits,
    baseline: Path | None,
    judge: str | None,
    rule: str,
    junit: Path | None,
    summary: Path | None,
    summary_format: SummaryFormat,
    as_json: bool,
) -> None:
    """Pass or fail a run by limits, for CI.

    Decides on a bound of an interval, and explains the decision in one line. The interval is that of the corrected
    rate if the judge's errors were measured on labels of this run or on control models; otherwise it allows for the
    judge's largest measured errors. For --max-increase it is that of the paired difference.

    Exit codes: 0 pass, 1 fail, 2 undecided or wrong usage.

    Example: mossbench gate runs/new --max-refusal 0.1 --min-safety 0.9
    """
    from mossbench.reports.suite_summaries import Summary
    from mossbench.reports.words.gates import gate_line
    from mossbench.reports.words.suites import gate_cases
    from mossbench.results.one_judge import load_read_by

    try:
        results = load_read_by(run, judge)
        decision = decide(results, baseline, judge, rule, limits)
        if as_json:
            show_json({"state": decision.state, **vars(decision)})
        else:
            say(gate_line(decision))
        outcome = Summary(decision.run, decision.state, tuple(gate_cases(decision, results)))
        write_for_ci(outcome, junit=junit, summary=summary, summary_format=summary_format)
    except MossbenchError as error:
        # 1 says that the model failed, which a damaged run or a file that cannot be written does not say
        error.exit_code = EXIT_CODES["undecided"]
        raise
    raise SystemExit(EXIT_CODES[decision.state])


def decide(results: Results, baseline: Path | None, judge: str | None, rule: str, limits: Limits) -> Gate:
    from mossbench.results.one_judge import load_read_by

    baseline_results = load_read_by(baseline, judge) if baseline else None
    note_arms([results, baseline_results] if baseline_results else [results])
    return mossbench.gate(
        results,
        max_refusal=limits.max_refusal,
        min_safety=limits.min_safety,
        baseline=baseline_results,
        max_increase=limits.max_increase,
        mode=limits.mode,
        rule=rule,
        max_failed=limits.max_failed,
        as_read=limits.as_read,
    )


def write_for_ci(outcome: Summary, *, junit: Path | None, summary: Path | None, summary_format: SummaryFormat) -> None:
    """JUnit XML and a summary where they were asked for; on GitHub a summary and annotations too."""
    from mossbench.plumbing.storage import storage_errors, write_atomically
    from mossbench.reports.suite_summaries import as_annotations, as_junit, as_markdown, as_summary

    if junit is not None:
        write_atomically(junit, as_junit(outcome))
        note(f"wrote {junit}")
    if summary is not None:
        write_atomically(summary, as_summary(outcome, summary_format))
        note(f"wrote {summary}")
    github_summary = os.environ.get("GITHUB_STEP_SUMMARY")
    if github_summary and summary is None:
        path = Path(github_summary)
        with storage_errors(path), path.open("a", encoding="utf-8") as file:  # other steps write there too
            file.write(as_markdown(outcome))
    if os.environ.get("GITHUB_ACTIONS") == "true":
        for line in as_annotations(outcome):
            note(line)
