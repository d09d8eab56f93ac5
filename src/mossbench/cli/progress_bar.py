"""Progress of a run on stderr: a bar on a terminal, a plain line now and then elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from mossbench.cli.printing import console, note, safe
from mossbench.runs.progress_line import RatesSoFar, bar_line, waits_text

if TYPE_CHECKING:
    from mossbench.models.connections import Waits
    from mossbench.runs.progress import OnProgress, Progress

PLAIN_EVERY = 10.0
"""Seconds between two plain lines."""
TERMINAL_EVERY = 0.2
"""Seconds between two updates of a line on a terminal."""


@contextmanager
def progress_of(name: str, *, quiet: bool = False) -> Iterator[OnProgress | None]:
    """A callback for `run` that shows how far it is, how fast, and the refusal rate so far."""
    if quiet:
        yield None
    elif sys.stderr.isatty():
        with _bar(name) as update:
            yield update
    else:
        yield _Plain(name)


@contextmanager
def counter_of(name: str, *, quiet: bool = False) -> Iterator[Callable[[object], None] | None]:
    """A callback that shows how many rows are done, where nobody knows how many there will be."""
    if quiet:
        yield None
        return
    is_terminal = sys.stderr.isatty()
    interval = TERMINAL_EVERY if is_terminal else PLAIN_EVERY
    start = time.monotonic()
    last = start
    n = 0

    def update(_row: object) -> None:
        nonlocal n, last
        n += 1
        now = time.monotonic()
        if now - last >= interval:
            last = now
            _echo(f"{name}: {n} rows, {n / (now - start):.0f}/s", stays=not is_terminal)

    yield update
    if is_terminal and last > start:
        click.echo(err=True)


def steps() -> Callable[[str, int, int], None]:
    """A callback that shows how many of what are done, of how many."""
    is_terminal = sys.stderr.isatty()
    interval = TERMINAL_EVERY if is_terminal else PLAIN_EVERY
    last = time.monotonic()

    def update(step: str, n_done: int, n: int) -> None:
        nonlocal last
        now = time.monotonic()
        is_finished = n_done == n
        if is_finished or now - last >= interval:
            last = now
            _echo(f"{step}: {n_done} of {n}", stays=not is_terminal or is_finished)

    return update


def _echo(line: str, *, stays: bool) -> None:
    """A line on stderr, over the one before on a terminal; the next one comes over it unless it stays."""
    start = "\r" if sys.stderr.isatty() else ""
    click.echo(f"{start}{safe(line)}", nl=stays, err=True)


@contextmanager
def _bar(name: str) -> Iterator[OnProgress]:
    from rich import progress as rich_progress
    from rich.text import Text

    class Line(rich_progress.ProgressColumn):
        def render(self, task: rich_progress.Task) -> Text:
            speed = task.finished_speed or task.speed
            facts = (running.waiting(), running.text, f"{speed:.1f}/s" if speed else "")
            total = int(task.total) if task.total else None
            return Text(bar_line(name, int(task.completed), total, task.time_remaining, facts, terminal.width - 1))

    class Update(RatesSoFar):
        def __call__(self, event: Progress) -> None:
            self.add(event)
            bar.update(task, total=event.total, completed=event.done)

    terminal = console(err=True)
    running = Update()
    with rich_progress.Progress(Line(), console=terminal) as bar:
        task = bar.add_task(name, total=None)
        yield running


class _Plain(RatesSoFar):
    """A line now and then; also when rows begin to wait, since then there may be no other for long."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self._name = name
        self._start = time.monotonic()
        self._last = self._start
        self._last_wait = self._start
        self._first_done: int | None = None

    def __call__(self, event: Progress) -> None:
        if self._first_done is None:  # rows of an earlier session cost no time
            self._first_done = event.done - 1
        text = self.add(event)
        now = time.monotonic()
        if now - self._last < PLAIN_EVERY and event.done < event.total:
            return
        self._last = now
        speed = (event.done - self._first_done) / max(now - self._start, 1e-9)
        seconds_left = (event.total - event.done) / speed
        eta = f", about {seconds_left:.0f} s left" if event.done < event.total else ""
        note(f"{self._name}: {event.done}/{event.total} rows, {speed:.1f}/s{eta}; {text}")

    def waits(self, waits: Waits) -> None:
        now = time.monotonic()
        if self.last_waits is None or now - self._last_wait >= PLAIN_EVERY:
            self._last_wait = now
            note(f"{self._name}: {waits_text(waits)}")
        super().waits(waits)
