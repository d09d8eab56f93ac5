"""`mossbench serve`."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

import click

from mossbench.cli.printing import note
from mossbench.errors import UsageError


@click.command()
@click.argument("runs", default="runs", type=click.Path(path_type=Path))
@click.option(
    "--host", default="127.0.0.1", show_default=True, help="Address to listen on; others than loopback ask for a token."
)
@click.option(
    "--port", type=click.IntRange(0, 65535), default=8765, show_default=True, help="Port; 0 takes a free one."
)
@click.option("--token", help="Token to ask for.  [default: $MOSSBENCH_TOKEN; a random one where one is needed]")
@click.option("--allow-host", "hosts", multiple=True, help="Further name that the app may be called by.")
@click.option("--data", multiple=True, help="Further dataset to show: a folder or file.")
@click.option("--review", type=click.Path(path_type=Path), help="Folder of candidate samples to review.")
@click.option(
    "--reviewers", type=click.IntRange(min=1), default=2, show_default=True, help="People to rate each candidate."
)
@click.option(
    "--max-harmfulness", type=click.FloatRange(1, 5), default=2.0, show_default=True, help="Mean of a candidate."
)
@click.option(
    "--min-naturalness", type=click.FloatRange(1, 5), default=3.0, show_default=True, help="Mean of a candidate."
)
@click.option("--board", type=click.Path(path_type=Path), help="Folder of submissions.  [default: board in RUNS]")
@click.option(
    "--annotations", type=click.Path(path_type=Path), help="File of labels.  [default: annotations.db in RUNS]"
)
@click.option("--demo", is_flag=True, help="Make runs of control models where RUNS holds no others.")
def serve(
    runs: Path,
    host: str,
    port: int,
    token: str | None,
    hosts: tuple[str, ...],
    data: tuple[str, ...],
    review: Path | None,
    reviewers: int,
    max_harmfulness: float,
    min_naturalness: float,
    board: Path | None,
    annotations: Path | None,
    demo: bool,
) -> None:
    """Open runs in a local web app: samples, explorer, leaderboard, reports, annotation.

    RUNS is the folder of run folders. Nothing is fetched from the network.
    """
    from mossbench.annotation import Thresholds
    from mossbench.web.serving import listen, serve_app, start_demo
    from mossbench.web.settings import Settings

    if runs.exists() and not runs.is_dir():
        raise UsageError(f"{str(runs)!r} is a file, expected the folder of run folders")
    if review is not None and not review.is_dir():
        raise UsageError(f"no folder {str(review)!r} with candidates to review")
    token = token or os.environ.get("MOSSBENCH_TOKEN") or None
    local = Settings(runs, host, token="x" * 16).is_local
    token = token if local or token else secrets.token_urlsafe(24)
    thresholds = Thresholds(reviewers, max_harmfulness, min_naturalness)
    settings = Settings(runs, host, token, hosts, data, review, thresholds, board, annotations)
    socket = listen(host, port)
    coming = start_demo(runs) if demo else None
    if coming is not None:
        note(f"runs of control models are being made in {runs}; the pages are there meanwhile")
    shown = "127.0.0.1" if host in ("0.0.0.0", "::") else f"[{host}]" if ":" in host else host
    address = f"http://{shown}:{socket.getsockname()[1]}/"
    click.echo(f"mossbench is at {address}{'?token=' + token if token else ''}  (Ctrl-C stops it)")
    serve_app(settings, socket, coming=coming or (lambda: False))
