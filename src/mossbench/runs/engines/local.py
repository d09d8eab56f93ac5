"""The engine `local`: this process asks, a bounded number of rows at a time."""

import asyncio
from collections.abc import Sequence
from contextlib import ExitStack

from mossbench.datasets.arms import Row
from mossbench.plumbing.coroutines import together
from mossbench.runs.asking import ask
from mossbench.runs.engines import Done, Engine

_ROWS_THAT_WAIT = 256  # to be asked again, beside those under way: others go on meanwhile


class LocalEngine(Engine):
    def stop(self) -> bool:
        super().stop()
        return True

    async def ask(self, rows: Sequence[Row], done: Done) -> None:
        job, queue = self.job, iter(rows)
        if rows:
            await job.model.open()
        # Twice as many as may ask at once: the others prepare the next pictures and judge the last answers meanwhile.
        room = asyncio.Semaphore(2 * job.connections.most)

        async def worker() -> None:
            while True:
                await room.acquire()
                with ExitStack() as place:
                    place.callback(room.release)
                    if (row := next(queue, None)) is None:  # shared by all: each takes the next row when it is free
                        return
                    async with job.budget.place("row") as admitted:
                        if not admitted:
                            return
                        aside = place.close
                        await done(row, await ask(row, job.model, job.pictures, job.config, job.connections, aside))

        n_workers = 2 * job.connections.most + _ROWS_THAT_WAIT
        await together((worker() for _ in range(min(n_workers, len(rows)))), queue)
