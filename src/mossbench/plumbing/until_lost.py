"""Runs work for as long as the files to which it writes are where they were."""

import asyncio
from collections.abc import Callable, Coroutine, Iterable
from contextlib import suppress
from typing import Any, TypeVar

from mossbench.plumbing.coroutines import GRACE
from mossbench.plumbing.line_writer import LineWriter
from mossbench.plumbing.places import PlaceLost

Result = TypeVar("Result")


def cancel_at_once() -> bool:
    """A `stop` for `until_lost`: the work is cancelled, without time to end."""
    return False


async def until_lost(
    work: Coroutine[Any, Any, Result], files: Iterable[LineWriter], stop: Callable[[], bool], grace: float = GRACE
) -> Result:
    """What the work returns; if one of the files is no longer where it was, PlaceLost is raised instead.

    `stop` makes the work begin nothing more, and returns whether what is under way may end: if it can still be saved,
    it has `grace` seconds for that, and otherwise it is cancelled.
    """
    loop = asyncio.get_running_loop()
    lost: asyncio.Future[PlaceLost] = loop.create_future()

    def set_lost(error: PlaceLost) -> None:
        if not lost.done():
            lost.set_result(error)

    def report_lost(error: PlaceLost) -> None:  # from any thread
        with suppress(RuntimeError):  # the loop is closed: the work is over
            loop.call_soon_threadsafe(set_lost, error)

    for file in files:
        file.on_lost = report_lost
    task = asyncio.ensure_future(work)
    futures: list[asyncio.Future[Any]] = [task, lost]
    try:
        await asyncio.wait(futures, return_when=asyncio.FIRST_COMPLETED)
        if lost.done() and not task.done():
            may_end = stop()
            if may_end and lost.result().keeps_more:
                await asyncio.wait({task}, timeout=grace)
    finally:
        if not task.done():
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
    if lost.done():
        if not task.cancelled():
            task.exception()  # marks it as seen: it may have raised the same
        raise lost.result()
    return task.result()
