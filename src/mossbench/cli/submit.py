"""`mossbench submit`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from mossbench.cli.printing import note
from mossbench.cli.results import max_failed_option, note_arms, rule_option


@click.command()
@click.argument("run", type=click.Path(path_type=Path))
@click.option("--out", type=click.Path(path_type=Path), required=True, help="File to write, such as my-model.json.")
@click.option(
    "--availability",
    type=click.Choice(["web", "API", "open"]),
    help="How people can use the model.  [required; API for openai/, anthropic/ and google/ at their own address]",
)
@click.option("--model", help="Name on the board.  [default: the run's]")
@click.option("--with-answers", is_flag=True, help="Put questions, answers and reasons into the file.")
@click.option("--judge", help="Judge whose verdicts to count.  [default: the run's own]")
@click.option("--overwrite", is_flag=True, help="Replace the file if it is there.")
@max_failed_option
@rule_option
def submit(run: Path, out: Path, judge: str | None, overwrite: bool, **options: Any) -> None:
    """Write a whole run as a submission for a leaderboard: outcomes of all rows, rates, and how they were made."""
    import mossbench

    results = mossbench.load_results(run, judge=judge)
    note_arms([results])
    submission = mossbench.make_submission(results, **options)
    mossbench.write_submission(submission, out, overwrite=overwrite)
    hint = "" if submission.dataset in ("sketches", "official") else " --data FOLDER"
    note(f"wrote {out}; a board takes it with: mossbench leaderboard add {out} --board DIR{hint}")
