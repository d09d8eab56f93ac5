"""`mossbench serve` and `mossbench site`: the pages, live or as files."""

import os
import secrets
from contextlib import suppress
from pathlib import Path
from typing import Any

import click

from mossbench.cli.commands import Command, check_runs_folder
from mossbench.cli.options import PATH, options
from mossbench.cli.printing import note, say
from mossbench.cli.progress import steps
from mossbench.errors import UsageError


@click.command(cls=Command)
@click.argument("runs", default="runs", type=PATH)
@options("host", "port", "token", "allow_host", "web.data", "map", "review", "reviewers", "max_harmfulness")
@options("min_naturalness", "web.board", "annotations", "build", "demo")
def serve(
    runs: Path, host: str, port: int, token: str | None, review: Path | None, build: Path | None, demo: bool, **how: Any
) -> None:
    from mossbench.annotation.reviews import Thresholds
    from mossbench.building.folder import BuildFolder
    from mossbench.web.serving import listen, serve_app, start_demo
    from mossbench.web.settings import Settings, token_reason

    check_runs_folder(runs, made=demo)
    if review is not None and not review.is_dir():
        raise UsageError(f"no folder {str(review)!r} with candidates to review")
    place = review and review.resolve()
    if build is not None:
        BuildFolder(build).settings()
    token = token or os.environ.get("MOSSBENCH_TOKEN") or None
    reason = token_reason(host, how["hosts"])
    if reason and token is None:
        token = secrets.token_urlsafe(24)
        note(f"{reason}: everybody needs the token in the address below; set your own with --token")
    thresholds = Thresholds(*(how.pop(name) for name in ("reviewers", "max_harmfulness", "min_naturalness")))
    if place and place.name == "review" and (place.parent / "build.toml").exists():  # the build decides in the end
        own = BuildFolder(place.parent).settings()
        thresholds = Thresholds(max(thresholds.reviewers, own.reviewers), own.max_harmfulness, own.min_naturalness)
    how["columns"] = how["columns"] or {}
    settings = Settings(runs, host, token, review=review, thresholds=thresholds, build=build, **how)
    socket = listen(host, port)
    coming = start_demo(runs) if demo else None
    if coming is not None:
        note(f"runs of control models are being made in {runs}; the pages are there meanwhile")
    shown = "127.0.0.1" if host in ("0.0.0.0", "::") else f"[{host}]" if ":" in host else host
    address = f"http://{shown}:{socket.getsockname()[1]}/"
    say(f"mossbench is at {address}{'?token=' + token if token else ''}  (Ctrl-C stops it)")
    with suppress(KeyboardInterrupt):  # being stopped, by whatever signal, is how it ends
        serve_app(settings, socket, coming=coming or (lambda: False))


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
