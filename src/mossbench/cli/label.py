"""`mossbench label`: people label a run until its refusal rate is known well enough, whatever the judge reads."""

from __future__ import annotations

import os
import secrets
import sys
import webbrowser
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlencode

import click

import mossbench
from mossbench.cli.arguments import run_argument
from mossbench.cli.commands import Command
from mossbench.cli.option_groups import gather
from mossbench.cli.options import Option, default_of, verdicts_of_option
from mossbench.cli.printing import note, say
from mossbench.cli.types import ONE_SIDE, PATH, PORT, SHARE_ABOVE_0, WHOLE_NUMBER
from mossbench.errors import UsageError
from mossbench.ways_out import Command as CommandToType

if TYPE_CHECKING:
    from mossbench.results.table import Results
    from mossbench.samples import Side
    from mossbench.web.settings import Settings

HOST = "127.0.0.1"


@dataclass(frozen=True)
class LabelChoices:
    """What was typed after `mossbench label`."""

    side: str
    within: float
    judge: str | None
    annotator: str | None
    seed: int | None
    annotations: Path | None
    port: int
    no_open: bool
    status: bool


@click.command(cls=Command)
@run_argument()
@click.option("--side", cls=Option, type=ONE_SIDE, default="benign", help="Label answers of this side.")
@click.option(
    "--within",
    cls=Option,
    type=SHARE_ABOVE_0,
    default=default_of("results.label_plans:WITHIN"),
    help="Stop when the 95 % interval reaches this far to either side.",
)
@verdicts_of_option
@click.option("--annotator", metavar="NAME", help="Label under this name, without being asked for it.")
@click.option(
    "--seed",
    cls=Option,
    type=WHOLE_NUMBER,
    shown_default="a random one, kept with the run",
    help="Draw answers by this seed where none were drawn yet.",
)
@click.option(
    "--annotations",
    cls=Option,
    type=PATH,
    shown_default="annotations.db beside RUN",
    help="Store labels in this file.",
)
@click.option("--port", cls=Option, type=PORT, default=8765, help="Listen on this port; 0 picks a free one.")
@click.option("--no-open", is_flag=True, help="Do not open a browser.")
@click.option("--status", is_flag=True, help="Print what the labels tell so far, and ask for none.")
@gather("choices", LabelChoices)
def label(run: Path, choices: LabelChoices) -> None:
    """Label answers until the refusal rate is known.

    It opens a page with the answers whose labels tell most: more of those that the judge is unsure of, fewer of the
    others, drawn at random with known probabilities, so that the rate does not depend on the judge. The page shows the
    rate and its interval after every ten labels. The same command continues later. Reports use this rate.

    Example: mossbench label runs/mine --within 0.05
    """
    from mossbench.samples import Side

    side = Side(choices.side)
    results = mossbench.load_results(run, judge=choices.judge)
    if choices.status:
        _show_status(results, side)
        return
    settings = _settings(results, side, choices)
    _serve(settings, choices)
    _show_end(results, side)


def _show_status(results: Results, side: Side) -> None:
    from mossbench.results.labelled_rates import labelled_rate

    if labelled_rate(results, side=side) is None:
        raise UsageError(
            f"the run in {results.folder} has no complete block of labels on side {side.value}",
            way_out=CommandToType(f"mossbench label {results.folder}", to="label it"),
        )
    _show_rate(results, side)


def _show_rate(results: Results, side: Side) -> None:
    """What the labels tell so far; nothing before the first block is complete."""
    from mossbench.reports.words.labelled import how_labelled, rate_for_requests, share_of_answers
    from mossbench.results.labelled_rates import labelled_rate

    labelled = labelled_rate(results, side=side)
    if labelled is not None:
        say(share_of_answers(labelled))
        say(rate_for_requests(labelled))
        say(how_labelled(labelled))


def _settings(results: Results, side: Side, choices: LabelChoices) -> Settings:
    """The app for this run; a UsageError or DataError where it cannot be labelled."""
    from mossbench.results.label_plans import check_can_be_labelled
    from mossbench.web.desks import Desks
    from mossbench.web.settings import LabelWork, Settings

    check_can_be_labelled(results, side)
    seed = secrets.randbelow(2**32) if choices.seed is None else choices.seed
    folder = results.folder.resolve()
    settings = Settings(
        folder.parent,
        HOST,
        annotations=choices.annotations,
        label=LabelWork(results, side, choices.within, seed),
    )
    queue = Desks(settings).annotate.plan_queue
    assert queue is not None
    queue.synced_plan()  # faults are said before a page is opened
    return settings


def _serve(settings: Settings, choices: LabelChoices) -> None:
    """Serves the page until Ctrl-C."""
    from mossbench.annotation.store import Store
    from mossbench.web.serving import listen, serve_app

    sign_in = ""
    if choices.annotator is not None:
        token = Store(settings.annotations_path).join(choices.annotator, may_exist=True)
        sign_in = f"/enter?{urlencode({'token': token})}"
    socket = listen(HOST, choices.port)
    address = f"http://{HOST}:{socket.getsockname()[1]}/annotate{sign_in}"
    say(f"label at {address}  (Ctrl-C stops; every label is saved)")
    if not choices.no_open and _has_screen():
        webbrowser.open(address)
    with suppress(KeyboardInterrupt):
        serve_app(settings, socket)


def _has_screen() -> bool:
    """Whether somebody sits at this terminal in front of a screen, where a browser can open."""
    if not sys.stdout.isatty():
        return False
    return sys.platform in ("win32", "darwin") or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def _show_end(results: Results, side: Side) -> None:
    _show_rate(results, side)
    again = CommandToType(f"mossbench label {results.folder}", to="resume")
    note(f"labels are saved; resume with: {again.text}")
