"""`mossbench site`."""

from pathlib import Path

import click

from mossbench.cli.commands import Command, check_runs_folder
from mossbench.cli.options import PATH, options
from mossbench.cli.printing import note
from mossbench.cli.progress import steps


@click.command(cls=Command)
@click.argument("out", type=PATH)
@click.argument("runs", default="runs", type=PATH)
@options("web.data", "map", "web.board")
def site(out: Path, runs: Path, data: tuple[str, ...], columns: dict[str, str] | None, board: Path | None) -> None:
    from mossbench.web.settings import Settings
    from mossbench.web.site import write_site

    check_runs_folder(runs)
    write_site(Settings(runs, data=data, columns=columns or {}, board=board), out, on_step=steps())
    note(f"wrote {out / 'index.html'}")
