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
TERMINAL_EVERY = 0.2
"""Seconds between two updates of a line on a terminal."""
LONGEST_REASON = 60
"""Characters of why rows wait."""


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


def waits_text(waits: Waits) -> str:
    """Which rows wait for what, and until when."""
    n = len(waits.rows)
    subject = f"{waits.rows[0]} waits" if n == 1 else f"{n} rows wait, {waits.rows[-1]} longest,"
    reason = " ".join(waits.reason.split())
    if len(reason) > LONGEST_REASON:
        reason = f"{reason[:LONGEST_REASON]} …"
    return f"{subject} until {waits.until:%H:%M:%S} ({reason})"


class _Running:
    """The refusal rate so far, under the default rule, and who waits."""

    def __init__(self) -> None:
        self._counts: dict[Side, Counter[Counted]] = defaultdict(Counter)
        self._n_failed = 0
        self._n = 0
        self.text = ""
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
        self._n_failed += event.outcome.layer is Layer.FAILED
        self._n += 1
        parts = []
        for side, counts in sorted(self._counts.items()):
            n_refused = counts[Counted.REFUSED]
            n = n_refused + counts[Counted.COMPLIED]  # this rule leaves nothing unknown
            parts.append(f"{side.adjective} refused {n_refused / n:.0%}" if n else f"{side.adjective} refused –")
        if self._n_failed:
            parts.append(f"{self._n_failed} failed")
        resumed = f"of {self._n} new rows: " if self._n < event.done else ""  # nobody told of the others
        self.text = resumed + ", ".join(parts)
        return self.text


BAR = 16


def bar_line(
    name: str, n_done: int, total: int | None, seconds_left: float | None, facts: Sequence[str], width: int
) -> str:
    """One line that fits: the time left stays whatever the width, the name is shortened last; the least is left out."""
    parts = [f"{n_done}/{total}" if total else "starting"]
    is_finished = total and n_done >= total
    if seconds_left is not None and not is_finished:
        parts.append(f"{clock(seconds_left)} left")
    n_full = round(BAR * n_done / total) if total else 0
    bar = "━" * n_full + "┄" * (BAR - n_full)
    for part in (*facts, bar):
        if part and len("  ".join((name, *parts, part))) <= width:
            parts.append(part)
    name_width = max(width - len("  ".join(("", *parts))), 8)
    shown_name = name if len(name) <= name_width else f"…{name[-(name_width - 1) :]}"
    return "  ".join((shown_name, *parts))[:width]


def clock(seconds: float) -> str:
    minutes, seconds_left = divmod(round(seconds), 60)
    if minutes < 60:
        return f"{minutes}:{seconds_left:02}"
    return f"{minutes // 60}:{minutes % 60:02}:{seconds_left:02}"


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

    class Update(_Running):
        def __call__(self, event: Progress) -> None:
            self.add(event)
            bar.update(task, total=event.total, completed=event.done)

    terminal = console(err=True)
    running = Update()
    with rich_progress.Progress(Line(), console=terminal) as bar:
        task = bar.add_task(name, total=None)
        yield running


class _Plain(_Running):
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
