"""The engine `local`: this process asks, a bounded number of rows at a time, hosted models and local ones alike."""

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import ExitStack

from mossbench.datasets.arms import Row
from mossbench.plumbing.coroutines import together
from mossbench.runs.engines import Engine, OnExchange
from mossbench.runs.row_asking import ask

_ROWS_THAT_WAIT = 256
"""Rows that may wait to be asked again, beside those under way: others go on meanwhile."""


class LocalEngine(Engine):
    def stop(self) -> bool:
        super().stop()
        return True

    async def ask(self, rows: Sequence[Row], on_exchange: OnExchange) -> None:
        if rows:
            await self.job.model.open()
        queue = iter(rows)  # shared by all workers: each takes the next row when it is free
        # Twice as many as may ask at once: the others prepare the next pictures and judge the last answers meanwhile.
        n_at_once = 2 * self.job.connections.max_connections
        room = asyncio.Semaphore(n_at_once)
        n_workers = min(n_at_once + _ROWS_THAT_WAIT, len(rows))
        await together((self._ask_rows(queue, room, on_exchange) for _ in range(n_workers)), queue)

    async def _ask_rows(self, queue: Iterator[Row], room: asyncio.Semaphore, on_exchange: OnExchange) -> None:
        """One worker: asks a row after another, until none is left or the budget admits none."""
        is_asking = True
        while is_asking:
            await room.acquire()
            with ExitStack() as place:  # closed early by a row that waits to be asked again
                place.callback(room.release)
                is_asking = await self._ask_next_row(queue, place, on_exchange)

    async def _ask_next_row(self, queue: Iterator[Row], place: ExitStack, on_exchange: OnExchange) -> bool:
        """False where no row is left, or the budget admits none."""
        row = next(queue, None)
        if row is None:
            return False
        job = self.job
        async with job.budget.room_for("row") as is_admitted:
            if is_admitted:
                exchange = await ask(
                    row, job.model, job.pictures, job.config, job.connections, before_retry=place.close
                )
                await on_exchange(row, exchange)
            return is_admitted
