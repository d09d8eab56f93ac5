"""Runs beside other async work: `arun`."""

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

import mossbench
from mossbench.datasets import AnyData
from mossbench.errors import Interrupted
from mossbench.models.connections import Waits
from mossbench.plumbing.coroutines import in_thread
from mossbench.runs.progress import OnProgress, Progress
from mossbench.store.config import RunConfig


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


async def arun(
    model: Any,
    data: AnyData = RunConfig.model_fields["data"].default,
    *,
    progress: OnProgress | None = None,
    **options: Any,
) -> Any:
    """As `run`, awaited: the caller's own loop goes on meanwhile. Cancelling it stops the run; answers are kept."""
    stoppable = _Stoppable(progress)
    # `mossbench.run` looks at the kinds of its arguments, and says which one is wrong.
    work = asyncio.ensure_future(in_thread(partial(mossbench.run, model, data, progress=stoppable, **options)))
    try:
        return await asyncio.shield(work)
    except asyncio.CancelledError:
        stoppable.is_stopped.set()
        with suppress(Interrupted):
            await work
        raise
