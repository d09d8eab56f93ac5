"""`mossbench report`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from mossbench.cli.printing import note, show
from mossbench.cli.results import rule_option
from mossbench.errors import UsageError


@click.command()
@click.argument("runs", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--judge", help="Judge whose verdicts to count.  [default: the run's own]")
@rule_option
@click.option(
    "--labels",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="People's labels of this run's answers: measures the judge and corrects the rate.",
)
@click.option(
    "--format",
    "format_",
    type=click.Choice(["html", "md", "json", "csv", "png", "svg"]),
    help="A page, text, everything as JSON, tidy rates, or the charts.  [default: by the suffix of --out, html]",
)
@click.option("--out", help="File to write; - is stdout.  [default: report.html in the run's folder]")
def report(
    runs: tuple[Path, ...], judge: str | None, rule: str, labels: Path | None, format_: Any, out: str | None
) -> None:
    """Write what one or more runs found, with intervals and cautions, as a page that needs no network.

    Several runs give one page with their headline rates on one axis first.
    """
    import mossbench
    from mossbench.look.page import visible
    from mossbench.plumbing.storage import write_atomically
    from mossbench.reports.tables import report_table
    from mossbench.reports.writing import check_ours, default_path, format_of, report_bytes

    if labels is not None and len(runs) > 1:
        raise UsageError("--labels are of one run's answers; give one run with it")
    if len({run.resolve() for run in runs}) < len(runs):
        raise UsageError("a run is given twice; name each folder once")
    format_ = format_of(out, format_)
    results = [mossbench.load_results(run, judge=judge) for run in runs]
    path = Path(out) if out else default_path(results, format_)
    if out != "-":
        check_ours(path, format_)
    reports = [mossbench.make_report(run, rule=rule, labels=labels) for run in results]
    content = report_bytes(results, reports, format_)
    if out == "-":
        click.echo(content, nl=False)
        return
    write_atomically(path, content)
    for each in reports:
        show(visible(each.headline))
        for number, caution in enumerate(each.cautions, 1):
            show(visible(f"  {number} {caution.claim} {caution.text}"))
    show(report_table(reports))
    note(f"wrote {path}")
