"""Arguments that several commands share: the runs, or the one run, that a command is about."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from mossbench.cli.printing import note
from mossbench.cli.types import RUN_PATH

Decorated = TypeVar("Decorated", bound=Callable[..., Any])


def runs_argument(name: str = "runs", *, required: bool = True) -> Callable[[Decorated], Decorated]:
    """The argument RUN… of a command: folders of runs; files that lie beside them are skipped."""
    return click.argument(name, nargs=-1, required=required, type=RUN_PATH, callback=_without_own_files)


def run_argument() -> Callable[[Decorated], Decorated]:
    """The argument RUN of a command that takes one run."""
    return click.argument("run", nargs=-1, required=True, metavar="RUN", type=RUN_PATH, callback=_one_run)


def _one_run(ctx: click.Context, param: click.Parameter, paths: tuple[Path, ...]) -> Path:
    """The one run among what was given: a shell may give our own pages beside it."""
    runs = _without_own_files(ctx, param, paths)
    if len(runs) > 1:
        message = f"expected one run, got {len(runs)}; repeat the command for each run"
        raise click.UsageError(message, ctx)
    return runs[0]


def _without_own_files(_ctx: click.Context, _param: click.Parameter, paths: tuple[Path, ...]) -> tuple[Path, ...]:
    """The runs among what a shell makes of `reproduction/*`, where pages, tables and other files lie beside them."""
    from mossbench.reports.own_files import is_beside_runs

    folders_of_runs = {path.parent.resolve() for path in paths if (path / "run.json").is_file()}
    runs = []
    notes = []
    for path in paths:
        if is_beside_runs(path):
            notes.append(f"note: skipped {path}: not a run, but a file that mossbench wrote next to the runs")
        elif path.is_file() and path.parent.resolve() in folders_of_runs:
            notes.append(f"note: skipped {path}: a file, not a run folder")
        else:
            runs.append(path)
    if not runs:
        return paths  # somebody means them: the command says what it expects
    for text in notes:
        note(text)
    return tuple(runs)
