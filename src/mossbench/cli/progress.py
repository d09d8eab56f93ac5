"""Progress of a run on stderr: a bar on a terminal, a plain line now and then elsewhere."""

from __future__ import annotations

import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from mossbench.cli.printing import console, note, safe

if TYPE_CHECKING:
    from mossbench.models.connections import Waits
    from mossbench.outcomes import Outcome
    from mossbench.runs.progress import OnProgress, Progress
    from mossbench.samples import Side

PLAIN_EVERY = 10.0
"""Seconds between two plain lines."""


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
    start = last = time.monotonic()
    n = 0

    def update(_row: object) -> None:
        nonlocal n, last
        n += 1
        now = time.monotonic()
        if now - last >= (0.2 if terminal else PLAIN_EVERY):
            last = now
            line = f"{name}: {n} rows, {n / (now - start):.0f}/s"
            click.echo(f"\r{safe(line)}" if terminal else safe(line), nl=not terminal, err=True)

    terminal = sys.stderr.isatty()
    yield None if quiet else update
    if terminal and last > start and not quiet:
        click.echo(err=True)


def steps() -> Callable[[str, int, int], None]:
    """A callback that shows how many of what are done, of how many."""
    terminal, last = sys.stderr.isatty(), time.monotonic()

    def update(what: str, done: int, of: int) -> None:
        nonlocal last
        now = time.monotonic()
        if done == of or now - last >= (0.2 if terminal else PLAIN_EVERY):
            last = now
            line = f"{what}: {done} of {of}"
            click.echo(f"\r{safe(line)}" if terminal else safe(line), nl=not terminal or done == of, err=True)

    return update


def waits_text(waits: Waits) -> str:
    """Which rows wait for what, and until when."""
    n, reason = len(waits.rows), " ".join(waits.reason.split())
    who = f"{waits.rows[0]} waits" if n == 1 else f"{n} rows wait, {waits.rows[-1]} longest,"
    return f"{who} until {waits.until:%H:%M:%S} ({reason if len(reason) <= 60 else reason[:60] + ' …'})"


class _Running:
    """The refusal rate so far, under the default rule, and who waits."""

    def __init__(self) -> None:
        self._rows: dict[Side, list[Outcome]] = defaultdict(list)
        self._failed, self.text = 0, ""
        self.waits: Waits | None = None

    def waiting(self) -> str:
        """What is said of rows that wait, as long as they do."""
        from datetime import datetime

        if self.waits is None or datetime.now().astimezone() >= self.waits.until:
            return ""
        return waits_text(self.waits)

    def add(self, event: Progress) -> str:
        from mossbench.outcomes import Layer, Rule, tally

        self._rows[event.key.side].append(event.outcome)
        self._failed += event.outcome.layer is Layer.FAILED
        parts = []
        for side, rows in sorted(self._rows.items()):
            counts = tally(rows, Rule.SYSTEM)
            parts.append(f"{side} refused {counts.rate:.0%}" if counts.n else f"{side} refused –")
        if self._failed:
            parts.append(f"{self._failed} failed")
        self.text = ", ".join(parts)
        return self.text


@contextmanager
def _bar(name: str) -> Iterator[OnProgress]:
    from rich import progress as rich_progress
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(bar_width=24),
        MofNCompleteColumn(),
        TextColumn("{task.fields[speed]}", markup=False),
        TimeRemainingColumn(),
        TextColumn("{task.fields[running]}", markup=False),
    )
    with rich_progress.Progress(*columns, console=console(err=True)) as bar:
        task, running = bar.add_task(name, total=None, running="", speed=""), _Running()

        class Update:
            def __call__(self, event: Progress) -> None:
                speed = bar.tasks[0].finished_speed or bar.tasks[0].speed
                bar.update(task, total=event.total, completed=event.done, speed=f"{speed:.1f}/s" if speed else "")
                self._say(running.add(event))

            def waits(self, waits: Waits) -> None:
                running.waits = waits
                self._say(running.text)

            def _say(self, text: str) -> None:
                bar.update(task, running="; ".join(filter(None, (text, running.waiting()))))

        yield Update()


class _Plain:
    """A line now and then; also when rows begin to wait, since then there may be no other for long."""

    def __init__(self, name: str) -> None:
        self._name, self._running = name, _Running()
        self._start = self._last = self._last_wait = time.monotonic()
        self._first_done: int | None = None

    def __call__(self, event: Progress) -> None:
        if self._first_done is None:  # rows of an earlier session cost no time
            self._first_done = event.done - 1
        text, now = self._running.add(event), time.monotonic()
        if now - self._last < PLAIN_EVERY and event.done < event.total:
            return
        self._last = now
        speed = (event.done - self._first_done) / max(now - self._start, 1e-9)
        left = (event.total - event.done) / speed
        eta = f", about {left:.0f} s left" if event.done < event.total else ""
        note(f"{self._name}: {event.done}/{event.total} rows, {speed:.1f}/s{eta}; {text}")

    def waits(self, waits: Waits) -> None:
        now = time.monotonic()
        if self._running.waits is None or now - self._last_wait >= PLAIN_EVERY:
            self._last_wait = now
            note(f"{self._name}: {waits_text(waits)}")
        self._running.waits = waits
