"""`mossbench paper`."""

from pathlib import Path

import click

import mossbench
from mossbench.cli.commands import Command
from mossbench.cli.options import RUN_PATH, options
from mossbench.cli.printing import note
from mossbench.cli.results import note_arms


@click.command(cls=Command)
@click.argument("runs", nargs=-1, required=True, type=RUN_PATH)
@options("paper.out", "own.judge", "rule")
def paper(runs: tuple[Path, ...], out: Path, judge: str | None, rule: str) -> None:
    results = [mossbench.load_results(run, judge=judge) for run in runs]
    note_arms(results)
    folder = mossbench.write_paper(results, out, rule=rule)
    note(f"wrote {folder}; compile it there with: pdflatex main; bibtex main; pdflatex main; pdflatex main")
