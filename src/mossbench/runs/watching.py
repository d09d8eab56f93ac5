"""A bar that shows by itself how far a call from Python is, where somebody watches: a terminal or a notebook."""

from __future__ import annotations

import functools
import inspect
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO

from mossbench.runs.progress import OnProgress, Progress
from mossbench.runs.progress_line import RatesSoFar, bar_line

SHOWN_EVERY = 0.2  # seconds
NOTEBOOK_WIDTH = 100  # characters


def with_own_bar(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function, which shows a bar while it runs unless it is given `progress`, also None."""

    @functools.wraps(function)
    def call(*args: Any, **keywords: Any) -> Any:
        screen = None if "progress" in keywords else find_screen()
        if screen is None:
            return function(*args, **keywords)
        with shown_on(screen, _title(function, args, keywords)) as progress:
            return function(*args, **keywords, progress=progress)

    return call


def find_screen() -> TextIO | None:
    """Where somebody sees what is printed; None in a script whose output goes to a file, in tests and in services."""
    if is_notebook():
        return sys.stdout  # a notebook shows stderr as if it were an error
    stream = sys.stderr
    try:
        return stream if stream.isatty() else None
    except (AttributeError, ValueError):  # there is none, or it is closed
        return None


def is_notebook() -> bool:
    """Whether this runs in the kernel of a notebook."""
    shell = sys.modules.get("IPython")
    get_shell = getattr(shell, "get_ipython", None)
    return get_shell is not None and hasattr(get_shell(), "kernel")


@contextmanager
def shown_on(screen: TextIO, title: str) -> Iterator[OnProgress]:
    """A callback that shows how far a run is; the line is gone when all is done."""
    bar = _Bar(screen, title)
    try:
        yield bar
    finally:
        bar.clear()


class _Bar(RatesSoFar):
    def __init__(self, screen: TextIO, title: str, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._screen = screen
        self._title = title
        self._clock = clock
        self._start: float | None = None
        """When the first row was done: loading data and model tells nothing of the rows that are left."""
        self._shown_at = -SHOWN_EVERY
        self._n_at_start = 0
        self._n_shown = 0
        """Characters that are on the line."""

    def __call__(self, event: Progress) -> None:
        self.add(event)
        now = self._clock()
        if self._start is None:
            self._start = now
            self._n_at_start = event.done
        if now - self._shown_at >= SHOWN_EVERY:
            self._shown_at = now
            self._show(event, now - self._start)

    def _show(self, event: Progress, seconds: float) -> None:
        n_done = event.done - self._n_at_start
        seconds_left = seconds / n_done * (event.total - event.done) if n_done else None
        width = NOTEBOOK_WIDTH if is_notebook() else shutil.get_terminal_size().columns - 1
        line = bar_line(self._title, event.done, event.total, seconds_left, (self.waiting(), self.text), width)
        self._print(line)

    def clear(self) -> None:
        if self._n_shown:
            self._print("")

    def _print(self, line: str) -> None:
        """The line over the one before."""
        blank = " " * (self._n_shown - len(line))
        end = "\r" if not line else ""
        self._screen.write(f"\r{line}{blank}{end}")
        self._screen.flush()
        self._n_shown = len(line)


def _title(function: Callable[..., Any], args: tuple[Any, ...], keywords: dict[str, Any]) -> str:
    """What the line begins with: the model or the run."""
    try:
        arguments = inspect.signature(function).bind_partial(*args, **keywords).arguments
    except TypeError:  # the function itself says what is wrong
        return function.__name__
    subject = arguments.get("model", arguments.get("folder", arguments.get("models")))
    if isinstance(subject, (list, tuple)):
        return f"{len(subject)} models"
    if isinstance(subject, Path):
        return subject.name
    return subject if isinstance(subject, str) else str(getattr(subject, "name", function.__name__))
