"""Rounds of a run on a Ray cluster: the rows that are left go out in blocks, and exchanges are taken as they come.

Rows whose worker was lost are left for the next round.
"""

import asyncio
import math
from collections import deque
from collections.abc import Coroutine, Iterable, Sequence
from dataclasses import dataclass

from mossbench.datasets.arms import Row
from mossbench.errors import RunError, needing
from mossbench.outcomes import Exchange, Key
from mossbench.plumbing.coroutines import together
from mossbench.runs.budget import Budget
from mossbench.runs.engines import Learnt, OnExchange
from mossbench.runs.engines.ray_seats import Actor, Seat

with needing("engine 'ray'", "ray"):
    from ray.exceptions import RayError, RayTaskError

BLOCK = 64
"""Rows of a block, at most: two batches on a GPU."""
SLOTS = 2
"""Blocks that a worker has at a time: while one ends, the next one is under way."""


class RowsLeft:
    """The rows that have no exchange yet; of several exchanges of a row only the first counts."""

    def __init__(self, rows: Iterable[Row], on_exchange: OnExchange) -> None:
        self._by_key: dict[Key, Row] = {row.key: row for row in rows}
        self._on_exchange = on_exchange

    def __len__(self) -> int:
        return len(self._by_key)

    def rows(self) -> list[Row]:
        return list(self._by_key.values())

    async def take(self, exchange: Exchange) -> None:
        row = self._by_key.pop(exchange.key, None)
        if row is not None:  # else another worker was first
            await self._on_exchange(row, exchange)


@dataclass(frozen=True)
class BlockPlan:
    """How the rows of a round go out."""

    n_rows: int
    """Of each block."""
    n_slots: int
    """Blocks that each worker has at a time."""


def plan_blocks(n_rows: int, n_seats: int, max_connections: int, *, has_limit: bool, alone: bool) -> BlockPlan:
    """Blocks such that each worker has some; one row in each where there is a limit on costs.

    Then each row is admitted for itself, and there are as many as keep the connections busy. With `alone` a worker has
    one row at a time.
    """
    if alone:
        return BlockPlan(n_rows=1, n_slots=1)
    if has_limit:
        return BlockPlan(n_rows=1, n_slots=max(SLOTS, SLOTS * max_connections // n_seats))
    rows_for_each_slot = math.ceil(n_rows / (SLOTS * n_seats))
    return BlockPlan(n_rows=min(BLOCK, rows_for_each_slot), n_slots=SLOTS)


class Round:
    """Hands the rows that are left out to the seats, once.

    With `alone` a worker has one row at a time, to find out which one it is that ends workers; a loss does not count
    against its seat then.
    """

    def __init__(
        self,
        rows_left: RowsLeft,
        seats: Sequence[Seat],
        budget: Budget,
        max_connections: int,
        learnt: dict[Actor, Learnt],
        *,
        alone: bool,
    ) -> None:
        self._rows_left = rows_left
        self._seats = seats
        self._budget = budget
        self._learnt = learnt
        self._alone = alone
        rows = rows_left.rows()
        has_limit = budget.limit < math.inf
        plan = plan_blocks(len(rows), len(seats), max_connections, has_limit=has_limit, alone=alone)
        self._n_slots = plan.n_slots
        starts = range(0, len(rows), plan.n_rows)
        self._blocks = deque(rows[start : start + plan.n_rows] for start in starts)
        self._waiting_for_worker: set[asyncio.Task[None]] = set()

    async def hand_out(self) -> None:
        """Ends when every block was taken; the first fault that no other worker could repair is raised."""
        slots: list[Coroutine[None, None, None]] = []
        for _ in range(self._n_slots):
            slots.extend(self._work(seat) for seat in self._seats)
        blocks_left = iter(self._next_block, None)
        await together(slots, blocks_left)

    def _next_block(self) -> list[Row] | None:
        return self._blocks.popleft() if self._blocks else None

    async def _work(self, seat: Seat) -> None:
        """One slot of a seat: takes a block after another, shared by all, when it is free."""
        while self._blocks and not self._budget.stopped:
            task = asyncio.current_task()
            assert task is not None  # `together` makes one of each slot
            self._waiting_for_worker.add(task)
            actor = await seat.worker()
            if actor is None:
                return
            self._waiting_for_worker.discard(task)
            async with self._budget.room_for("row") as is_admitted:
                block = self._next_block() if is_admitted else None
                if block is not None:
                    await self._ask_block(seat, actor, block)
        # Others may wait for a worker that has no room yet, or loads: nothing is left for it.
        for waiting_task in self._waiting_for_worker:
            waiting_task.cancel()

    async def _ask_block(self, seat: Seat, actor: Actor, block: list[Row]) -> None:
        try:
            await self._take_back(seat, actor, block)
        except RayTaskError:  # a fault of the program on the worker, not a loss
            raise
        except RayError as loss:
            seat.lose(actor, loss, is_counted=not self._alone)

    async def _take_back(self, seat: Seat, actor: Actor, block: list[Row]) -> None:
        """Takes what comes of a block; what has come is written down, whatever happens then."""
        fault: RunError | None = None
        writing: list[asyncio.Future[None]] = []
        try:
            async for reference in actor.ask.options(num_returns="streaming").remote(block):
                outcome = await reference
                if isinstance(outcome, RunError):
                    fault = outcome  # the others in flight still come
                elif isinstance(outcome, Learnt):
                    self._learnt[actor] = outcome
                else:
                    seat.n_lost = 0
                    writing.append(asyncio.ensure_future(self._rows_left.take(outcome)))
        finally:
            await _finish_writing(writing)
        if fault is not None:
            raise fault


async def _finish_writing(writing: Sequence[asyncio.Future[None]]) -> None:
    """Waits until all is written; then raises what went wrong first."""
    for error in await asyncio.gather(*writing, return_exceptions=True):
        if error is not None:
            raise error
