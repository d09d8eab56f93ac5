"""`mossbench push`."""

from pathlib import Path
from typing import Any

import click

import mossbench
from mossbench.cli.commands import Command
from mossbench.cli.options import PATH, options
from mossbench.cli.printing import note, say, show_json
from mossbench.errors import n_of


@click.command(cls=Command)
@click.argument("path", type=PATH)
@click.argument("repository")
@options("push.kind", "pull_request", "push.yes", "json")
def push(path: Path, repository: str, kind: Any, request: bool, yes: bool, as_json: bool) -> None:
    done = mossbench.push(path, repository, kind=kind, request=request, send=yes)
    if as_json:
        return show_json(done)
    for name, size in done.files.items():
        say(f"{size:>12,}  {name}")
    files, in_all = n_of(len(done.files), "file"), n_of(sum(done.files.values()), "byte")
    what = f"{files}, {in_all}, to the {kind} {repository} at {done.endpoint}"
    how = "as a pull request" if done.as_request else "as a commit; a new repository is private"
    note(f"sent {what}: {done.address}" if yes else f"nothing was sent; with --yes: {what}, {how}")
