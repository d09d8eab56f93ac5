"""Async work called from plain code, also where a loop is running already, as in a notebook."""

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


class Closes(Protocol):
    async def close(self) -> None: ...


def finish(work: Coroutine[Any, Any, T]) -> T:
    """What the coroutine returns, once it has run to its end; Ctrl-C cancels it."""
    running = None
    with contextlib.suppress(RuntimeError):
        running = asyncio.get_running_loop()
    if running is None:
        return asyncio.run(_heeding_ctrl_c(work))
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
"""Seconds within which the loop has to hear of Ctrl-C; then what keeps it busy is interrupted where it stands."""


async def _heeding_ctrl_c(work: Coroutine[Any, Any, T]) -> T:
    """The work, such that Ctrl-C stops it also where it computes for long without ever suspending.

    asyncio only cancels the task at the first Ctrl-C, which has no effect before the task suspends. So where the loop
    does not come to it within `HEARD_WITHIN` seconds, the signal is raised once more: then asyncio raises
    KeyboardInterrupt in the middle of what is being computed.
    """
    if threading.current_thread() is not threading.main_thread():
        return await work  # only the main thread hears of signals
    cancel = signal.getsignal(signal.SIGINT)
    if not callable(cancel):  # ignored, as in a background job of a shell
        return await work
    loop = asyncio.get_running_loop()
    ended = threading.Event()

    def insist() -> None:
        heard = threading.Event()
        with contextlib.suppress(RuntimeError):  # the loop is closed: all is over
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
            signal.signal(signal.SIGINT, cancel)  # asyncio takes away only its own


IDLE = 1.0  # seconds that a thread waits for more to do
_Job = tuple[Callable[[], Any], asyncio.AbstractEventLoop, Callable[[Any, Exception | None], None]]
_idle: list[SimpleQueue[_Job]] = []  # where threads wait for more to do: starting one costs more than most calls
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_idle.clear)  # a child has none of its parent's threads


async def in_thread(function: Callable[..., T], *args: Any) -> T:
    """Like `asyncio.to_thread`, in a thread that does not keep the program alive if the function hangs."""
    loop = asyncio.get_running_loop()
    future: asyncio.Future[T] = loop.create_future()

    def settle(result: T, error: Exception | None) -> None:
        if error is not None and not future.done():  # done: whoever waited has given up meanwhile
            future.set_exception(error)
        elif not future.done():
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
            with contextlib.suppress(ValueError):  # taken just now: a job is on its way
                _idle.remove(jobs)
                return
            continue
        try:
            came: tuple[Any, Exception | None] = Context().run(function), None  # as in a new thread, nothing is set
        except (StopIteration, SystemExit, KeyboardInterrupt) as caught:  # a future cannot carry these
            came = None, RuntimeError(f"stopped by {caught!r}")
        except Exception as caught:  # handed over to whoever waits
            came = None, caught
        _idle.append(jobs)  # first, so that whoever is told finds this thread free
        with contextlib.suppress(RuntimeError):  # the loop is closed: nobody waits any more
            loop.call_soon_threadsafe(settle, *came)
        del function, loop, settle, came  # a thread that waits keeps no model and no picture alive


_turns: dict[asyncio.AbstractEventLoop, asyncio.Lock] = {}


async def my_turn() -> None:
    """Waits until it is one's turn: in each turn of the loop one goes on, so that what it begins is begun by then."""
    loop = asyncio.get_running_loop()
    if loop not in _turns:
        for closed in (one for one in list(_turns) if one.is_closed()):  # a lock that was waited for keeps its loop
            _turns.pop(closed, None)
        _turns[loop] = asyncio.Lock()
    async with _turns[loop]:
        await asyncio.sleep(0)


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
