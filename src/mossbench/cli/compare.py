"""`mossbench compare`."""

from __future__ import annotations

from pathlib import Path

import click

from mossbench.cli.printing import json_option, note, show, show_json
from mossbench.cli.results import rule_option
from mossbench.errors import UsageError


@click.command()
@click.argument("runs", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--judge", help="Judge whose verdicts to count.  [default: each run's own, which must be the same]")
@click.option(
    "--flips",
    type=click.IntRange(min=0),
    default=3,
    show_default=True,
    help="List so many samples in each direction; all of them are in json and csv.",
)
@click.option(
    "--format",
    "format_",
    type=click.Choice(["table", "md", "csv", "json"]),
    default="table",
    show_default=True,
    help="csv: one line a flip.",
)
@rule_option
@json_option
def compare(runs: tuple[Path, ...], judge: str | None, flips: int, format_: str, rule: str, as_json: bool) -> None:
    """Hold runs against the first of them, pair by pair, on the samples that both answered."""
    import mossbench
    from mossbench.reports.comparison_text import comparison_markdown, comparison_page, flips_csv

    if len(runs) < 2:
        raise UsageError("a comparison needs two runs or more; give the folders of both")
    found = mossbench.compare(*runs, rule=rule, judge=judge)
    for text in (*(found.asked_differently if format_ == "csv" else ()), *found.notes):
        note(f"note: {text}")
    if as_json or format_ == "json":
        show_json(found)
    elif format_ == "csv":
        click.echo(flips_csv(found), nl=False)
    elif format_ == "md":
        click.echo(comparison_markdown(found, n_flips=flips))
    else:
        show(comparison_page(found, n_flips=flips))
