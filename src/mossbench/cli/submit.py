"""`mossbench submit`."""

from pathlib import Path
from shlex import quote
from typing import Any

import click

import mossbench
from mossbench.cli.commands import Command
from mossbench.cli.options import RUN_PATH, options
from mossbench.cli.printing import note
from mossbench.cli.results import note_arms


@click.command(cls=Command)
@click.argument("run", type=RUN_PATH)
@options("out", "submit.availability", "submit.model", "with_answers", "own.judge", "overwrite", "max_failed", "rule")
def submit(run: Path, out: Path, judge: str | None, overwrite: bool, **chosen: Any) -> None:
    from mossbench.datasets import DATASETS

    results = mossbench.load_results(run, judge=judge)
    note_arms([results])
    submission = mossbench.make_submission(results, **chosen)
    mossbench.write_submission(submission, out, overwrite=overwrite)
    named = submission.dataset if submission.dataset in DATASETS else "FOLDER"
    hint = "" if named in ("sketches", "official") else f" --data {named}"
    note(f"wrote {out}; a board takes it with: mossbench leaderboard add {quote(str(out))} --board DIR{hint}")
