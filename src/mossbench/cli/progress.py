"""Progress of a run on stderr: a bar on a terminal, a plain line now and then elsewhere."""

from __future__ import annotations

import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from mossbench.cli.printing import console, note, safe

if TYPE_CHECKING:
    from mossbench.models.connections import Waits
    from mossbench.outcomes import Counted
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
        self._counts: dict[Side, Counter[Counted]] = defaultdict(Counter)
        self._failed, self._n, self.text = 0, 0, ""
        self.last_waits: Waits | None = None

    def waits(self, waits: Waits) -> None:
        self.last_waits = waits

    def waiting(self) -> str:
        """What is said of rows that wait, as long as they do."""
        from datetime import datetime

        if self.last_waits is None or datetime.now().astimezone() >= self.last_waits.until:
            return ""
        return waits_text(self.last_waits)

    def add(self, event: Progress) -> str:
        from mossbench.outcomes import Counted, Layer, Rule, counted

        self._counts[event.key.side][counted(event.outcome, Rule.SYSTEM)] += 1
        self._failed += event.outcome.layer is Layer.FAILED
        self._n += 1
        parts = []
        for side, counts in sorted(self._counts.items()):
            n = counts[Counted.REFUSED] + counts[Counted.COMPLIED]  # this rule leaves nothing unknown
            parts.append(f"{side} refused {counts[Counted.REFUSED] / n:.0%}" if n else f"{side} refused –")
        if self._failed:
            parts.append(f"{self._failed} failed")
        resumed = f"of {self._n} new rows: " if self._n < event.done else ""  # nobody told of the others
        self.text = resumed + ", ".join(parts)
        return self.text


BAR = 16


def bar_line(name: str, done: int, total: int | None, left: float | None, more: Sequence[str], width: int) -> str:
    """One line that fits: the time left stays whatever the width, the name is shortened last; the least is left out."""
    count = f"{done}/{total}" if total else "starting"
    time_left = "" if left is None or (total and done >= total) else f"{clock(left)} left"
    parts, room = list(filter(None, (count, time_left))), width
    full = round(BAR * done / total) if total else 0
    for part in (*filter(None, more), "━" * full + "┄" * (BAR - full)):
        if len("  ".join((name, *parts, part))) <= room:
            parts.append(part)
    for_name = max(room - len("  ".join(("", *parts))), 8)
    shown = name if len(name) <= for_name else f"…{name[-(for_name - 1) :]}"
    return "  ".join((shown, *parts))[:room]


def clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes // 60}:{minutes % 60:02}:{rest:02}" if minutes >= 60 else f"{minutes}:{rest:02}"


@contextmanager
def _bar(name: str) -> Iterator[OnProgress]:
    from rich import progress as rich_progress
    from rich.text import Text

    class Line(rich_progress.ProgressColumn):
        def render(self, task: rich_progress.Task) -> Text:
            speed = task.finished_speed or task.speed
            said = (running.waiting(), running.text, f"{speed:.1f}/s" if speed else "")
            total = int(task.total) if task.total else None
            return Text(bar_line(name, int(task.completed), total, task.time_remaining, said, here.width - 1))

    class Update(_Running):
        def __call__(self, event: Progress) -> None:
            self.add(event)
            bar.update(task, total=event.total, completed=event.done)

    here, running = console(err=True), Update()
    with rich_progress.Progress(Line(), console=here) as bar:
        task = bar.add_task(name, total=None)
        yield running


class _Plain(_Running):
    """A line now and then; also when rows begin to wait, since then there may be no other for long."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self._name = name
        self._start = self._last = self._last_wait = time.monotonic()
        self._first_done: int | None = None

    def __call__(self, event: Progress) -> None:
        if self._first_done is None:  # rows of an earlier session cost no time
            self._first_done = event.done - 1
        text, now = self.add(event), time.monotonic()
        if now - self._last < PLAIN_EVERY and event.done < event.total:
            return
        self._last = now
        speed = (event.done - self._first_done) / max(now - self._start, 1e-9)
        left = (event.total - event.done) / speed
        eta = f", about {left:.0f} s left" if event.done < event.total else ""
        note(f"{self._name}: {event.done}/{event.total} rows, {speed:.1f}/s{eta}; {text}")

    def waits(self, waits: Waits) -> None:
        now = time.monotonic()
        if self.last_waits is None or now - self._last_wait >= PLAIN_EVERY:
            self._last_wait = now
            note(f"{self._name}: {waits_text(waits)}")
        super().waits(waits)
