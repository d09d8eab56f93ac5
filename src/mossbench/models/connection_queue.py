"""The connections of one pool, and the queue of requests that wait for one.

A request gets a connection when the pool's pace (`pace`) allows one more, unless the queue is held for some seconds,
paused while a probe is out, or stopped for good.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from mossbench.models.pace import Pace

_CLOCK_TOLERANCE = 0.02  # seconds; an event loop may call back up to one tick of its clock early, and only once


class ConnectionQueue:
    """Gives out connections in the order in which requests ask for one."""

    def __init__(self, max_connections: int, start_connections: int) -> None:
        self.pace = Pace(max_connections, start_connections)
        self.n_in_flight = 0
        self.most_in_flight = 0
        self.is_stopped = False
        self.is_paused = False
        self._waiting = deque[asyncio.Future[int]]()
        self._held_until = 0.0  # on the event loop's clock

    @asynccontextmanager
    async def connection(self) -> AsyncIterator[int]:
        """Waits for a connection and holds it inside the block; gives the round of the pace in which it began."""
        pace_round = await self._wait_for_connection()
        try:
            yield pace_round
        finally:
            self._release_connection()

    def check_running(self) -> None:
        """Cancels the calling task if the queue is stopped."""
        if self.is_stopped:
            raise asyncio.CancelledError

    def hold(self, seconds: float) -> None:
        """Gives out no connection for so many seconds."""
        loop = asyncio.get_running_loop()
        self._held_until = max(self._held_until, loop.time() + seconds)
        loop.call_at(self._held_until, self.give_out)

    def stop(self) -> None:
        """Gives out no connection any more and cancels the requests that wait for one."""
        self.is_stopped = True
        for turn in self._waiting:
            turn.cancel()

    def give_out(self) -> None:
        """Gives the free connections to the requests that have waited longest."""
        while self._waiting and self._has_free_connection():
            turn = self._waiting.popleft()
            if not turn.done():  # done: its row was cancelled
                turn.set_result(self._take_connection())

    async def _wait_for_connection(self) -> int:
        self.check_running()
        if not self._waiting and self._has_free_connection():
            return self._take_connection()
        turn: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self._waiting.append(turn)
        try:
            return await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():  # the row was cancelled just after it was given a connection
                self._release_connection()
            raise

    def _has_free_connection(self) -> bool:
        if self.is_paused:
            return False
        is_held = asyncio.get_running_loop().time() < self._held_until - _CLOCK_TOLERANCE
        return self.n_in_flight < int(self.pace.limit) and not is_held

    def _take_connection(self) -> int:
        self.n_in_flight += 1
        self.most_in_flight = max(self.most_in_flight, self.n_in_flight)
        return self.pace.round

    def _release_connection(self) -> None:
        self.n_in_flight -= 1
        self.give_out()
