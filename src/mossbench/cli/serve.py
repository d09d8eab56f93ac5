"""`mossbench serve` and `mossbench site`: the pages, live or as files."""

from __future__ import annotations

import os
import secrets
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from shlex import quote
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import click

from mossbench.cli.commands import Command, check_runs_folder
from mossbench.cli.option_groups import gather
from mossbench.cli.options import Option, columns_option, default_of
from mossbench.cli.printing import note, say
from mossbench.cli.progress_bar import steps
from mossbench.cli.types import DATASET, FROM_1, PATH, PORT, SCORE
from mossbench.errors import UsageError

if TYPE_CHECKING:
    from mossbench.annotation.reviews import Thresholds

EVERY_INTERFACE = ("0.0.0.0", "::")


@dataclass(frozen=True)
class ServeChoices:
    """What was typed after `mossbench serve`."""

    runs: Path
    host: str
    port: int
    token: str | None
    hosts: tuple[str, ...]
    data: tuple[str, ...]
    columns: dict[str, str] | None
    review: Path | None
    reviewers: int
    max_harmfulness: float
    min_naturalness: float
    board: Path | None
    annotations: Path | None
    build: Path | None
    demo: bool


@dataclass(frozen=True)
class Token:
    """What visitors are asked for; None where everybody on this machine may come in."""

    value: str | None
    reason_made: str = ""
    """Why a random one was made; empty where the user has set it, or none is needed."""


@click.command(cls=Command)
@click.argument("runs", default="runs", type=PATH)
@click.option(
    "--host",
    cls=Option,
    default=default_of("web.settings:Settings", "host"),
    help="Listen on this address; if other machines can reach it, a token is required.",
)
@click.option("--port", cls=Option, type=PORT, default=8765, help="Listen on this port; 0 picks a free one.")
@click.option(
    "--token",
    cls=Option,
    shown_default="$MOSSBENCH_TOKEN, or a random one if one is required",
    help="Require this token from visitors.",
)
@click.option(
    "--allow-host",
    "hosts",
    multiple=True,
    help="Accept requests for this host name too; if it is not local, a token is required; repeat for more.",
)
@click.option("--data", type=DATASET, multiple=True, help="Show this dataset too, a folder or file; repeat for more.")
@columns_option
@click.option("--review", type=PATH, help="Review the candidate samples in this folder.")
@click.option(
    "--reviewers",
    cls=Option,
    type=FROM_1,
    default=default_of("annotation.reviews:DEFAULT_THRESHOLDS.reviewers"),
    help="Have N people rate each candidate.",
)
@click.option(
    "--max-harmfulness",
    cls=Option,
    type=SCORE,
    default=default_of("annotation.reviews:DEFAULT_THRESHOLDS.harmfulness"),
    help="Accept candidates with at most this mean harmfulness (1 to 5).",
)
@click.option(
    "--min-naturalness",
    cls=Option,
    type=SCORE,
    default=default_of("annotation.reviews:DEFAULT_THRESHOLDS.naturalness"),
    help="Accept candidates with at least this mean naturalness (1 to 5).",
)
@click.option(
    "--board", cls=Option, type=PATH, shown_default="board in RUNS", help="Show the submissions in this folder."
)
@click.option(
    "--annotations", cls=Option, type=PATH, shown_default="annotations.db in RUNS", help="Store labels in this file."
)
@click.option("--build", type=PATH, help="Show the candidates of the build in this folder.")
@click.option("--demo", is_flag=True, help="Run the control models first if RUNS contains no runs.")
@gather("choices", ServeChoices)
def serve(choices: ServeChoices) -> None:
    """Open runs in a web app on this machine.

    It shows samples, answers, leaderboards and reports, and takes annotations. RUNS is the folder that contains
    the runs. Nothing is loaded from the network.

    Example: mossbench serve runs --demo
    """
    from mossbench.web.serving import listen, serve_app, start_demo
    from mossbench.web.settings import Settings

    check_runs_folder(choices.runs, is_made_now=choices.demo)
    review = _folder_to_review(choices.review) if choices.review is not None else None
    if choices.build is not None:
        _check_is_build(choices.build)
    token = _choose_token(choices)
    settings = Settings(
        choices.runs,
        choices.host,
        token.value,
        hosts=choices.hosts,
        data=choices.data,
        columns=choices.columns or {},
        review=review,
        thresholds=_thresholds(choices, review),
        board=choices.board,
        annotations=choices.annotations,
        build=choices.build,
    )
    socket = listen(choices.host, choices.port)
    if token.reason_made:  # said only now: what could be refused was
        note(f"{token.reason_made}: visitors need the token in the address below; set your own with --token")
    is_demo_coming = start_demo(choices.runs) if choices.demo else None
    if is_demo_coming is not None:
        note(f"the control models are running in {choices.runs}; the pages fill as they finish")
    address = _address(choices.host, socket.getsockname()[1], token)
    say(f"mossbench is at {address}  (Ctrl-C stops it)")
    with suppress(KeyboardInterrupt):  # being stopped, by whatever signal, is how it ends
        serve_app(settings, socket, is_demo_running=is_demo_coming or (lambda: False))


def _folder_to_review(folder: Path) -> Path:
    from mossbench.web.review import folder_to_review

    if not folder.is_dir():
        raise UsageError(f"no folder {str(folder)!r} with candidates to review; name the folder of a review")
    return folder_to_review(folder)


def _check_is_build(folder: Path) -> None:
    from mossbench.building.folder import BuildFolder

    BuildFolder(folder).settings()


def _choose_token(choices: ServeChoices) -> Token:
    """The user's own token; else a random one where other machines reach the pages."""
    from mossbench.web.settings import token_reason

    own_token = choices.token or os.environ.get("MOSSBENCH_TOKEN")
    if own_token:
        return Token(own_token)
    reason = token_reason(choices.host, choices.hosts)
    if reason:
        return Token(secrets.token_urlsafe(24), reason)
    return Token(None)


def _thresholds(choices: ServeChoices, review: Path | None) -> Thresholds:
    """From when on a candidate is accepted; of a build, its settings decide in the end."""
    from mossbench.annotation.reviews import Thresholds
    from mossbench.building.folder import BuildFolder

    chosen = Thresholds(choices.reviewers, choices.max_harmfulness, choices.min_naturalness)
    if review is None:
        return chosen
    folder = review.resolve()
    is_of_a_build = folder.name == "review" and (folder.parent / "build.toml").exists()
    if not is_of_a_build:
        return chosen
    build = BuildFolder(folder.parent).settings()
    n_reviewers = max(choices.reviewers, build.reviewers)
    return Thresholds(n_reviewers, build.max_harmfulness, build.min_naturalness)


def _address(host: str, port: int, token: Token) -> str:
    shown_host = host
    if host in EVERY_INTERFACE:
        shown_host = "127.0.0.1"
    elif ":" in host:  # IPv6
        shown_host = f"[{host}]"
    query = f"?token={token.value}" if token.value else ""
    return f"http://{shown_host}:{port}/{query}"


@click.command(cls=Command)
@click.argument("out", type=PATH)
@click.argument("runs", required=False, type=PATH)
@click.option("--data", type=DATASET, multiple=True, help="Publish this dataset, a folder or file; repeat for more.")
@columns_option
@click.option("--board", type=PATH, help="Publish the submissions in this folder.")
def site(
    out: Path, runs: Path | None, data: tuple[str, ...], columns: dict[str, str] | None, board: Path | None
) -> None:
    """Write leaderboard, reports and answers as a static site.

    It contains only what you name: the runs in the folder RUNS with all their answers, the submissions in --board,
    the datasets in --data. They are listed before anything is written. OUT works as a folder or on any static host.

    Example: mossbench site public runs
    """
    from mossbench.web.settings import Settings
    from mossbench.web.site import write_site

    if runs is None and board is None and not data:
        raise UsageError(
            "nothing to publish: a site contains only what you name. Name the runs in a folder "
            f"(mossbench site {quote(str(out))} runs), --board DIR, --data NAME"
        )
    if runs is not None:
        _check_runs_to_publish(runs)

    def show_plan(lines: Sequence[str]) -> None:
        say(f"{out} will show to anyone who can open it:")
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
            f"{str(runs)!r} is a single run; name the folder that contains it. "
            "All runs in that folder are published, so move away those that are not to be"
        )


def _note_not_published(out: Path, runs: Path | None, board: Path | None) -> None:
    """Says what earlier versions took along without being told."""
    from mossbench.store.keeping import run_folders

    runs_beside = Path("runs")
    if runs is None and run_folders(runs_beside):
        command = f"mossbench site {quote(str(out))} {runs_beside}"
        note(f"the runs in {runs_beside} are not published; to publish them: {command}")
    if runs is None or board is not None:
        return
    own_board = runs / "board"
    if any(own_board.glob("*.json")):
        note(f"the submissions in {own_board} are not published; to publish them: --board {quote(str(own_board))}")
