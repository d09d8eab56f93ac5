"""Async work called from plain code, also where a loop is running already, as in a notebook."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections import deque
from collections.abc import Callable, Coroutine, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Protocol, TypeVar, cast

from mossbench.errors import MossbenchError

T = TypeVar("T")


class Closes(Protocol):
    async def close(self) -> None: ...


def finish(work: Coroutine[Any, Any, T]) -> T:
    """What the coroutine returns, once it has run to its end; Ctrl-C cancels it."""
    if not _in_a_loop():
        return asyncio.run(work)
    loop = asyncio.new_event_loop()
    task = loop.create_task(work)
    with ThreadPoolExecutor(1) as pool:
        future = pool.submit(loop.run_until_complete, task)
        try:
            return future.result()
        except KeyboardInterrupt:
            loop.call_soon_threadsafe(task.cancel)
            return future.result()
        finally:
            loop.close()


def _in_a_loop() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


async def in_thread(function: Callable[..., T], *args: Any) -> T:
    """Like `asyncio.to_thread`, in a thread that does not keep the program alive if the function hangs."""
    loop = asyncio.get_running_loop()
    future: asyncio.Future[T] = loop.create_future()

    def settle(result: T | None, error: Exception | None) -> None:
        if future.done():  # whoever waited has given up meanwhile
            return
        if error is not None:
            future.set_exception(error)
        else:
            future.set_result(cast(T, result))

    def work() -> None:
        result: T | None = None
        error: Exception | None = None
        try:
            result = function(*args)
        except (StopIteration, SystemExit, KeyboardInterrupt) as caught:  # a future cannot carry these
            error = RuntimeError(f"stopped by {caught!r}")
        except Exception as caught:  # handed over to whoever waits
            error = caught
        with contextlib.suppress(RuntimeError):  # the loop is closed: nobody waits any more
            loop.call_soon_threadsafe(settle, result, error)

    threading.Thread(target=work, daemon=True).start()
    return await future


GRACE = 10.0  # seconds


async def together(workers: Iterable[Coroutine[Any, Any, None]], queue: Iterator[Any]) -> None:
    """Runs all to the end; the first error of one is raised, after what was in flight has had `GRACE` seconds to end.

    Nothing more of the queue is begun then.
    Answers on their way are paid for: without the grace they would be asked for, and paid, again.
    """
    tasks = [asyncio.create_task(worker) for worker in workers]
    try:
        done, others = await asyncio.wait(tasks, return_when=asyncio.FIRST_EXCEPTION) if tasks else (set(), set())
        if others:
            deque(queue, maxlen=0)
            await asyncio.wait(others, timeout=GRACE)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    errors = [error for task in tasks if not task.cancelled() and (error := task.exception())]
    if errors:
        raise next((error for error in errors if not isinstance(error, MossbenchError)), errors[0])


async def closing(work: Coroutine[Any, Any, T], *used: Closes) -> T:
    """What the work gives; models and judges are closed after it, whatever happens."""
    try:
        return await work
    finally:
        for one in used:
            await one.close()
