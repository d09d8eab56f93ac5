"""`mossbench compare`."""

from pathlib import Path

import click

import mossbench
from mossbench.cli.commands import Command
from mossbench.cli.options import RUN_PATH, options
from mossbench.cli.printing import note, say, show, show_json


@click.command(cls=Command)
@click.argument("runs", nargs=-1, required=True, type=RUN_PATH)
@options("own.judge", "by", "flips", "compare.format", "rule", "json")
def compare(
    runs: tuple[Path, ...], judge: str | None, by: str, flips: int, format_: str, rule: str, as_json: bool
) -> None:
    from mossbench.reports.comparison_text import comparison_markdown, comparison_page, flips_csv

    found = mossbench.compare(*runs, rule=rule, judge=judge, by=by)
    for text in (*(found.asked_differently if format_ == "csv" else ()), *found.notes):
        note(f"note: {text}")
    if as_json or format_ == "json":
        show_json(found)
    elif format_ == "csv":
        say(flips_csv(found), nl=False)
    elif format_ == "md":
        say(comparison_markdown(found, n_flips=flips))
    else:
        show(comparison_page(found, n_flips=flips))
