"""Calls async functions from ordinary code, also while an event loop is running, as in a notebook."""

import asyncio
import contextlib
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Coroutine, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextvars import Context
from queue import Empty, SimpleQueue
from types import FrameType
from typing import Any, Protocol, TypeVar

from mossbench.errors import MossbenchError

T = TypeVar("T")


class Closable(Protocol):
    async def close(self) -> None: ...


def finish(work: Coroutine[Any, Any, T]) -> T:
    """What the coroutine returns, after waiting for it; Ctrl-C cancels it."""
    running_loop = None
    with contextlib.suppress(RuntimeError):
        running_loop = asyncio.get_running_loop()
    if running_loop is None:
        return asyncio.run(_interruptible(work))
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


HEARD_WITHIN = 1.0
"""Seconds in which the loop has to react to Ctrl-C; then the computation that keeps it busy is interrupted."""


async def _interruptible(work: Coroutine[Any, Any, T]) -> T:
    """Awaits the work; Ctrl-C also stops it while it computes for long without suspending.

    At the first Ctrl-C asyncio only cancels the task, which has no effect before the task suspends. If the loop does
    not react within `HEARD_WITHIN` seconds, the signal is raised again: then asyncio raises KeyboardInterrupt in the
    middle of the computation.
    """
    if threading.current_thread() is not threading.main_thread():
        return await work  # only the main thread receives signals
    cancel = signal.getsignal(signal.SIGINT)
    if not callable(cancel):  # ignored, as in a background job of a shell
        return await work
    loop = asyncio.get_running_loop()
    ended = threading.Event()

    def insist() -> None:
        heard = threading.Event()
        with contextlib.suppress(RuntimeError):  # the loop is closed: the work has ended
            loop.call_soon_threadsafe(heard.set)
            if not heard.wait(HEARD_WITHIN) and not ended.is_set():
                signal.raise_signal(signal.SIGINT)

    def stop(number: int, frame: FrameType | None) -> None:
        threading.Thread(target=insist, daemon=True).start()
        cancel(number, frame)

    signal.signal(signal.SIGINT, stop)
    try:
        return await work
    finally:
        ended.set()
        if signal.getsignal(signal.SIGINT) is stop:
            signal.signal(signal.SIGINT, cancel)  # asyncio removes only its own handler


IDLE = 1.0  # seconds that a thread waits for another job
_Job = tuple[Callable[[], Any], asyncio.AbstractEventLoop, Callable[[Any, Exception | None], None]]
_idle: list[SimpleQueue[_Job]] = []  # where threads wait for jobs: starting a thread costs more than most calls
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_idle.clear)  # a child has none of its parent's threads


async def in_thread(function: Callable[..., T], *args: Any) -> T:
    """Like `asyncio.to_thread`, in a thread that does not keep the program alive if the function hangs."""
    loop = asyncio.get_running_loop()
    future: asyncio.Future[T] = loop.create_future()

    def settle(result: T, error: Exception | None) -> None:
        if future.done():  # whoever waited has given up
            return
        if error is not None:
            future.set_exception(error)
        else:
            future.set_result(result)

    try:
        jobs = _idle.pop()
    except IndexError:
        jobs = SimpleQueue()
        threading.Thread(target=_work, args=(jobs,), daemon=True).start()
    jobs.put((lambda: function(*args), loop, settle))
    return await future


def _work(jobs: SimpleQueue[_Job]) -> None:
    while True:
        try:
            function, loop, settle = jobs.get(timeout=IDLE)
        except Empty:
            with contextlib.suppress(ValueError):  # not in the list any more: a job is on its way
                _idle.remove(jobs)
                return
            continue
        result: Any = None
        error: Exception | None = None
        try:
            result = Context().run(function)  # without context variables, as in a new thread
        except (StopIteration, SystemExit, KeyboardInterrupt) as caught:  # a future cannot carry these
            error = RuntimeError(f"stopped by {caught!r}")
        except Exception as caught:  # handed over to whoever waits
            error = caught
        _idle.append(jobs)  # first, so that whoever gets the result finds this thread free
        with contextlib.suppress(RuntimeError):  # the loop is closed: nobody waits any more
            loop.call_soon_threadsafe(settle, result, error)
        del function, loop, settle, result, error  # an idle thread must not keep a model or a picture alive


_turns: dict[asyncio.AbstractEventLoop, asyncio.Lock] = {}


async def my_turn() -> None:
    """Waits in line: in each turn of the loop one caller continues, so that it has begun its work before the next."""
    loop = asyncio.get_running_loop()
    if loop not in _turns:
        closed_loops = [other for other in list(_turns) if other.is_closed()]
        for closed_loop in closed_loops:  # a lock that somebody waited for keeps its loop alive
            _turns.pop(closed_loop, None)
        _turns[loop] = asyncio.Lock()
    async with _turns[loop]:
        await asyncio.sleep(0)


GRACE = 10.0  # seconds


async def together(workers: Iterable[Coroutine[Any, Any, None]], queue: Iterator[Any]) -> None:
    """Runs all workers to the end. If one fails, its error is raised, after the others had `GRACE` seconds to end.

    The rest of the queue is then dropped. Answers on their way are paid for: without the grace they would be requested,
    and paid for, again.
    """
    tasks = [asyncio.create_task(worker) for worker in workers]
    if not tasks:
        return
    try:
        _, unfinished = await asyncio.wait(tasks, return_when=asyncio.FIRST_EXCEPTION)
        if unfinished:
            deque(queue, maxlen=0)  # takes and drops all of it
            await asyncio.wait(unfinished, timeout=GRACE)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    exceptions = [task.exception() for task in tasks if not task.cancelled()]
    errors = [error for error in exceptions if error is not None]
    if errors:
        raise next((error for error in errors if not isinstance(error, MossbenchError)), errors[0])


async def closing(work: Coroutine[Any, Any, T], *resources: Closable) -> T:
    """What the coroutine returns; models and judges are closed after it, whatever happens."""
    try:
        return await work
    finally:
        for resource in resources:
            await resource.close()
