"""`mossbench report`."""

from pathlib import Path
from typing import Any

import click

import mossbench
from mossbench.cli.commands import Command
from mossbench.cli.options import RUN_PATH, options
from mossbench.cli.printing import note, say, show
from mossbench.cli.results import show_cautions
from mossbench.errors import UsageError


@click.command(cls=Command)
@click.argument("runs", nargs=-1, required=True, type=RUN_PATH)
@options("own.judge", "rule", "labels", "report.by", "report.format", "report.out", "json")
def report(
    runs: tuple[Path, ...], labels: Path | None, format_: Any, out: str | None, as_json: bool, **how: Any
) -> None:
    from mossbench.plumbing.storage import write_atomically
    from mossbench.reports.tables import report_table
    from mossbench.reports.writing import check_ours, default_path, format_of, report_bytes

    if labels is not None and len(runs) > 1:
        raise UsageError("--labels are of one run's answers; give one run with it")
    if len({run.resolve() for run in runs}) < len(runs):
        raise UsageError("a run is given twice; name each folder once")
    if as_json and (out or format_):
        raise UsageError("--json prints the report as JSON and writes no file; leave out --out and --format")
    format_, out = ("json", "-") if as_json else (format_of(out, format_), out)
    judge = how.pop("judge")
    results = [mossbench.load_results(run, judge=judge) for run in runs]
    path = Path(out) if out else default_path(results, format_)
    if out != "-":
        check_ours(path, format_)
    reports = [mossbench.make_report(run, labels=labels, **how) for run in results]
    content = report_bytes(results, reports, format_)
    if out == "-":
        say(content, nl=False)
        return
    write_atomically(path, content)
    show_cautions(reports)
    show(report_table(reports))
    note(f"wrote {path}")
