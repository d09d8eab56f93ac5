"""Virtual time for `harness.py --virtual`: only this process's own CPU time and the server's seconds count.

A run takes in it what it would take on idle cores, however busy the machine is. Requests go over real connections to a
server that answers at once; each answer is then kept back for the server's seconds by the loop's clock, which goes on
with the CPU time of this process and is put forward whenever everything waits. Waits for the disk are not in it.
"""

from __future__ import annotations

import asyncio
import time
from selectors import DefaultSelector
from typing import Any

_state = {"skipped": 0.0, "outside": 0}  # seconds put forward; requests and threads under way outside of the loop
sent: list[float] = []
"""When each request was sent, in seconds of `now`."""


def now() -> float:
    return time.process_time() + _state["skipped"]


class _Selector(DefaultSelector):
    def select(self, timeout: float | None = None) -> Any:
        ready = super().select(0)
        if ready:
            return ready
        if timeout is None or timeout > 0:
            if _state["outside"] or timeout is None:
                return super().select(0.05)  # real time, in which only threads of this process move the clock
            _state["skipped"] += timeout
        return []


class _Loop(asyncio.SelectorEventLoop):
    def __init__(self) -> None:
        super().__init__(_Selector())

    def time(self) -> float:
        return now()

    async def shutdown_default_executor(self, timeout: float | None = None) -> None:
        _state["outside"] += 1  # it waits for threads
        try:
            await super().shutdown_default_executor()
        finally:
            _state["outside"] -= 1


class _Policy(asyncio.DefaultEventLoopPolicy):
    _loop_factory = _Loop


def install(latency: float) -> None:
    """All loops of this process run in virtual time from now on, and all answers take `latency` seconds of it."""
    import httpx2

    asyncio.set_event_loop_policy(_Policy())
    thread = asyncio.to_thread
    handle = httpx2.AsyncHTTPTransport.handle_async_request

    async def outside(work: Any) -> Any:
        _state["outside"] += 1
        try:
            return await work
        finally:
            _state["outside"] -= 1

    async def to_thread(*args: Any, **named: Any) -> Any:
        return await outside(thread(*args, **named))

    async def delayed(self: Any, request: Any) -> Any:
        async def trace(event: str, _: Any) -> None:
            if event.endswith("send_request_body.complete"):
                sent.append(now())
                due.append(now() + latency)

        due: list[float] = []
        request.extensions = {**request.extensions, "trace": trace}
        response = await outside(handle(self, request))
        await asyncio.sleep(due[-1] - now())
        return response

    asyncio.to_thread = to_thread  # type: ignore[assignment]
    httpx2.AsyncHTTPTransport.handle_async_request = delayed  # type: ignore[method-assign]
