"""`mossbench site`."""

from __future__ import annotations

from pathlib import Path

import click

from mossbench.cli.printing import note
from mossbench.cli.progress import steps


@click.command()
@click.argument("out", type=click.Path(path_type=Path))
@click.argument("runs", default="runs", type=click.Path(path_type=Path))
@click.option("--data", multiple=True, help="Further dataset to show: a folder or file.")
@click.option("--board", type=click.Path(path_type=Path), help="Folder of submissions.  [default: board in RUNS]")
def site(out: Path, runs: Path, data: tuple[str, ...], board: Path | None) -> None:
    """Write leaderboard, reports, samples and answers as a static site into OUT.

    It works from a folder or any static host. RUNS is the folder of run folders.
    """
    from mossbench.web.settings import Settings
    from mossbench.web.site import write_site

    write_site(Settings(runs, data=data, board=board), out, on_step=steps())
    note(f"wrote {out / 'index.html'}")
