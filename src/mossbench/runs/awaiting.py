"""Runs beside other async work: `arun`."""

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Unpack, overload

import mossbench
from mossbench.datasets import AnyData
from mossbench.errors import Interrupted
from mossbench.models.connections import Waits
from mossbench.models.model import AnyModel
from mossbench.plumbing.coroutines import in_thread
from mossbench.results.table import Results
from mossbench.runs.progress import OnProgress, Progress
from mossbench.runs.running import RunKeywords
from mossbench.store.config import DEFAULT_DATA


class _Stoppable:
    """Hears of a run's progress in its thread, passes it on, and stops the run when it is told to.

    A batch may go on for a day without a row: who is told that it is waited for can stop the run too.
    """

    def __init__(self, progress: OnProgress | None) -> None:
        self.is_stopped = threading.Event()
        self._on_row = progress
        self._on_wait: Callable[[Waits], None] | None = getattr(progress, "waits", None)

    def __call__(self, progress: Progress) -> None:
        self._check()
        if self._on_row is not None:
            self._on_row(progress)

    def waits(self, waits: Waits) -> None:
        self._check()
        if self._on_wait is not None:
            self._on_wait(waits)

    def _check(self) -> None:
        if self.is_stopped.is_set():
            raise Interrupted("stopped")


@overload
async def arun(model: AnyModel, data: AnyData = ..., **keywords: Unpack[RunKeywords]) -> Results: ...
@overload
async def arun(
    model: list[AnyModel] | list[str], data: AnyData = ..., **keywords: Unpack[RunKeywords]
) -> list[Results]: ...
async def arun(
    model: AnyModel | list[AnyModel] | list[str],
    data: AnyData = DEFAULT_DATA,
    **keywords: Unpack[RunKeywords],
) -> Results | list[Results]:
    """As `run`, awaited: the caller's own loop goes on meanwhile. Cancelling it stops the run; answers are kept."""
    stoppable = _Stoppable(keywords.get("progress"))
    keywords["progress"] = stoppable

    def start() -> Results | list[Results]:
        # `mossbench.run` looks at the kinds of its arguments, and says which one is wrong.
        if isinstance(model, list):  # a case of its own for type checkers: it gives a list
            return mossbench.run(model, data, **keywords)
        return mossbench.run(model, data, **keywords)

    work = asyncio.ensure_future(in_thread(start))
    try:
        return await asyncio.shield(work)
    except asyncio.CancelledError:
        stoppable.is_stopped.set()
        with suppress(Interrupted):
            await work
        raise
