"""Waiting for the batch of a chunk, and taking its results: what is on record before the chunk is closed.

While a batch has results by its provider's own count, they are looked for again; where they do not come, the batch
stays on record as pending. A result that cannot be read fails its own row.
"""

import asyncio
from collections.abc import Mapping
from functools import partial

from mossbench.models.batch_api import EndedBatch, ResultFile
from mossbench.models.faults import Fault
from mossbench.models.replies import Reply
from mossbench.outcomes import Key
from mossbench.runs.batches.calls import BatchCalls
from mossbench.runs.batches.chunks import PendingChunks, StillPending
from mossbench.runs.batches.lookup import BatchLookup
from mossbench.runs.batches.results import Delivered, damaged_result, find_gap, why_no_result
from mossbench.runs.batches.rows import UnansweredRows
from mossbench.runs.batches.sending import NOT_CONFIRMED
from mossbench.store.batch_log import Chunk, pending_rows, pending_rows_text

_AT_ONCE = 32  # rows whose answers are judged side by side


class Collector:
    """Collects the results of chunks, each of which has a task of its own."""

    def __init__(self, calls: BatchCalls, chunks: PendingChunks, rows: UnansweredRows, lookup: BatchLookup) -> None:
        self._calls = calls
        self._chunks = chunks
        self._rows = rows
        self._lookup = lookup
        self.why_pending: list[str] = []
        """Why batches that have ended stay pending."""

    async def collect(self, chunk: Chunk) -> None:
        """Takes what comes of a chunk. It is closed then, or stays pending."""
        waiting = {id: key for id, key in chunk.ids().items() if key in self._rows}
        if not waiting:
            self._chunks.close(chunk)
            return
        try:
            await self._collect_rows(chunk, waiting)
        except StillPending as pending:
            reason = str(pending)
            if reason:
                self.why_pending.append(reason)

    async def _collect_rows(self, chunk: Chunk, waiting: dict[str, Key]) -> None:
        """Takes what comes of the rows of a chunk, by their ids in it, and closes the chunk."""
        confirmed = chunk if chunk.batch else await self._lookup.find(chunk)
        if confirmed is None:
            await self._give_up(chunk, dict.fromkeys(waiting.values(), NOT_CONFIRMED))
            return
        delivered = await self._take_results(confirmed, waiting)
        await self._give_up(confirmed, _faults_of_missing(waiting, delivered))

    async def _give_up(self, chunk: Chunk, missing: Mapping[Key, Fault]) -> None:
        """Closes a chunk of which no more comes; the rows without a result are sent again, or have failed."""
        try:
            for key, fault in missing.items():
                await self._rows.take_missing(key, fault)
        finally:
            self._chunks.close(chunk)

    async def _take_results(self, chunk: Chunk, waiting: dict[str, Key]) -> Delivered:
        """Takes the results of a batch out of `waiting`, looking again as long as more of them must be there.

        Raises:
            StillPending: It goes on, or its results did not come for long.
        """
        poll = self._calls.poll
        looks = 0
        while True:
            ended = await self._wait_for_end(chunk.batch or "")
            delivered = await self._fetch(chunk, ended, waiting)
            looks += 1
            gap = find_gap(delivered)
            if not waiting:
                return delivered
            if gap is None and delivered.has_damage and looks == 1:
                continue  # only the way here may have damaged them
            if gap is None:
                return delivered
            if looks < gap.most_looks and poll:
                await self._calls.wait(poll, gap.reason)
            elif gap.stays_pending or not poll:
                raise StillPending(gap.explain(looks, self._calls.path, poll))
            else:
                return delivered

    async def _wait_for_end(self, batch: str) -> EndedBatch:
        while True:
            is_new = batch in self._chunks.not_seen_yet
            ended = await self._calls.call(partial(self._calls.api.find_end, batch), may_appear=is_new)
            self._chunks.not_seen_yet.discard(batch)
            if ended is not None:
                return ended
            if not self._calls.poll:
                raise StillPending
            await self._calls.wait(self._calls.poll, pending_rows_text(pending_rows(self._calls.path)))

    async def _fetch(self, chunk: Chunk, ended: EndedBatch, waiting: dict[str, Key]) -> Delivered:
        """What the result files of a batch have; the results of rows that wait for them are taken."""
        api = self._calls.api
        delivered = Delivered(chunk, ended)
        for place in ended.result_places:
            data = await self._calls.call(partial(api.fetch_results, place), may_appear=True)
            file = api.read_result_file(chunk.name, data)
            delivered.add(file)
            await self._take_file(file, waiting)
        return delivered

    async def _take_file(self, file: ResultFile, waiting: dict[str, Key]) -> None:
        """Takes the results of a file; where an id has an answer and a fault, the answer."""
        answers_first = sorted(file.results, key=lambda result: isinstance(result[1], Fault))
        results: list[tuple[Key, Reply | Fault]] = []
        for id, result in answers_first:
            if id in waiting:
                results.append((waiting.pop(id), result))
        for start in range(0, len(results), _AT_ONCE):
            group = results[start : start + _AT_ONCE]
            await asyncio.gather(*(self._rows.take_result(key, result) for key, result in group))


def _faults_of_missing(waiting: Mapping[str, Key], delivered: Delivered) -> dict[Key, Fault]:
    """What became of each item of a batch that has no result."""
    without_line = why_no_result(delivered)
    faults: dict[Key, Fault] = {}
    for id, key in waiting.items():
        if id in delivered.damaged:
            faults[key] = damaged_result(delivered.damaged[id])
        else:
            faults[key] = without_line
    return faults
