"""`mossbench serve` and `mossbench site`: the pages, live or as files."""

import os
import secrets
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from shlex import quote
from tempfile import TemporaryDirectory
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
    from mossbench.web.review import folder_to_review
    from mossbench.web.serving import listen, serve_app, start_demo
    from mossbench.web.settings import Settings, token_reason

    check_runs_folder(runs, made=demo)
    if review is not None and not review.is_dir():
        raise UsageError(f"no folder {str(review)!r} with candidates to review")
    if review is not None:
        review = folder_to_review(review)
    place = review and review.resolve()
    if build is not None:
        BuildFolder(build).settings()
    token = token or os.environ.get("MOSSBENCH_TOKEN") or None
    reason = token_reason(host, how["hosts"])
    is_token_made = bool(reason) and token is None
    if is_token_made:
        token = secrets.token_urlsafe(24)
    thresholds = Thresholds(*(how.pop(name) for name in ("reviewers", "max_harmfulness", "min_naturalness")))
    if place and place.name == "review" and (place.parent / "build.toml").exists():  # the build decides in the end
        own = BuildFolder(place.parent).settings()
        thresholds = Thresholds(max(thresholds.reviewers, own.reviewers), own.max_harmfulness, own.min_naturalness)
    how["columns"] = how["columns"] or {}
    settings = Settings(runs, host, token, review=review, thresholds=thresholds, build=build, **how)
    socket = listen(host, port)
    if is_token_made:  # said only now: what could be refused was
        note(f"{reason}: everybody needs the token in the address below; set your own with --token")
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
@click.argument("runs", required=False, type=PATH)
@options("site.data", "map", "site.board")
def site(
    out: Path, runs: Path | None, data: tuple[str, ...], columns: dict[str, str] | None, board: Path | None
) -> None:
    from mossbench.web.settings import Settings
    from mossbench.web.site import write_site

    if runs is None and board is None and not data:
        raise UsageError(
            "nothing to publish is named; a site holds only what its command names: "
            f"the runs in a folder (mossbench site {quote(str(out))} runs), --board DIR, --data NAME"
        )
    if runs is not None:
        _check_runs_to_publish(runs)

    def show_plan(lines: Sequence[str]) -> None:
        say(f"{out} will show to everybody who can open it:")
        for line in lines:
            say(f"  {line}")

    with TemporaryDirectory(ignore_cleanup_errors=True) as no_runs:
        settings = Settings(runs or Path(no_runs), data=data, columns=columns or {}, board=board)
        write_site(settings, out, on_step=steps(), on_plan=show_plan)
    _note_not_published(out, runs, board)
    note(f"wrote {out / 'index.html'}")


def _check_runs_to_publish(runs: Path) -> None:
    check_runs_folder(runs)
    if (runs / "run.json").is_file():
        raise UsageError(
            f"{str(runs)!r} is a run folder, expected the folder that holds run folders; "
            "all runs in it are published, so move those that are not meant"
        )


def _note_not_published(out: Path, runs: Path | None, board: Path | None) -> None:
    """Says what earlier versions took along without being told."""
    from mossbench.store.keeping import run_folders

    beside = Path("runs")
    if runs is None and run_folders(beside):
        note(f"the runs in {beside} are not published; to publish them: mossbench site {quote(str(out))} {beside}")
    own_board = runs / "board" if runs is not None else None
    if own_board is not None and board is None and any(own_board.glob("*.json")):
        note(f"the submissions in {own_board} are not published; to publish them: --board {quote(str(own_board))}")
