"""Prompts of rows through a provider's batch API: handed over in chunks, waited for, collected, sent again.

What comes of a chunk is written down before the chunk is closed in `batches.jsonl`, and what was read before is passed
over: stopping at any moment loses nothing. Items that expired, were cancelled or met a fault of the server go out again
in a further batch, up to `retries` times; then their rows have failed, with the reason.

Nothing that may be paid for is sent again. Whatever a provider replies when a batch is made, its list of batches is
looked through before another one is made. While a batch has results by its provider's own count, they are looked for
again; where they do not come, the batch stays on record as pending. A result that cannot be read fails its own row.
"""

import asyncio
from collections.abc import Iterable
from pathlib import Path

from mossbench.errors import Code, RunError
from mossbench.models.batching import Batches
from mossbench.outcomes import Key
from mossbench.plumbing.lines import LineWriter, until_lost
from mossbench.runs.batches.calls import BatchCalls, OnWait
from mossbench.runs.batches.chunks import PendingChunks
from mossbench.runs.batches.collecting import Collector
from mossbench.runs.batches.lookup import BatchLookup
from mossbench.runs.batches.rows import TakeAnswer, UnansweredRows
from mossbench.runs.batches.sending import MakePrompt, Sender
from mossbench.runs.budget import Budget, CostKind
from mossbench.store.batch_log import Chunk, rows_out, rows_out_text

POLL = 60.0
"""Seconds between two looks at a batch; 0: one look, and what is not done stays out."""


class BatchQueue:
    """Prompts by the keys of rows, for a run or, by its label, a judge; `poll` is in seconds."""

    def __init__(self, api: Batches, path: Path, budget: Budget, *, retries: int, poll: float, judge: str = "") -> None:
        self._api = api
        self._path = path
        self._budget = budget
        self._retries = retries
        self._poll = poll
        self._judge = judge
        self._chunks: PendingChunks | None = None
        self.on_wait: OnWait | None = None
        """Told at each look at a batch that goes on."""

    async def ask(self, keys: Iterable[Key], make_prompt: MakePrompt, take_answer: TakeAnswer) -> None:
        """Has every key answered; those that the budget does not admit are left out.

        Raises:
            RunError: The provider is not done, and nobody is to wait for it; or it denies its service.
        """
        kind: CostKind = "verdict" if self._judge else "row"
        rows = UnansweredRows(keys, self._api.model, self._budget, take_answer, kind=kind, retries=self._retries)
        calls = BatchCalls(self._api, self._path, rows, retries=self._retries, poll=self._poll, on_wait=self.on_wait)
        with LineWriter(self._path) as journal:
            chunks = PendingChunks(journal, self._judge)
            self._chunks = chunks
            for chunk in chunks:
                rows.note_sent_before(chunk.rows)
            lookup = BatchLookup(calls, chunks)
            sender = Sender(calls, chunks, rows, lookup, make_prompt, judge=self._judge)
            rounds = _Rounds(rows, chunks, sender, Collector(calls, chunks, rows, lookup), self._path)
            try:
                await until_lost(rounds.ask_all(), [journal], lambda: False)
            finally:
                chunks.write_again_if_lost()

    def under_way(self) -> str:
        """What the provider has and goes on with, with its ids; empty where that is nothing."""
        return "" if self._chunks is None else self._chunks.describe()


class _Rounds:
    """Rows are sent and collected in rounds: those that a round has brought no answer go out in the next one."""

    def __init__(
        self, rows: UnansweredRows, chunks: PendingChunks, sender: Sender, collector: Collector, path: Path
    ) -> None:
        self._rows = rows
        self._chunks = chunks
        self._sender = sender
        self._collector = collector
        self._path = path

    async def ask_all(self) -> None:
        while self._chunks or self._rows:
            n_chunks = await self._ask_round()
            if n_chunks == 0:  # the budget has room for none of the rows that are left
                return
            if self._chunks:
                raise RunError(self._not_done_message(), code=Code.NOT_DONE)

    async def _ask_round(self) -> int:
        """Collects what is pending, while the rows that are not sent yet go out and are collected. The chunks."""
        tasks = [self._start_collecting(chunk) for chunk in self._chunks]
        try:
            await self._send_all(tasks)
            await asyncio.gather(*tasks)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        return len(tasks)

    async def _send_all(self, tasks: list[asyncio.Task[None]]) -> None:
        """Sends the rows that are not sent yet, and adds a task that collects each chunk."""
        async for packed in self._sender.pack(self._rows.not_sent()):
            chunk = await self._sender.send(packed)
            tasks.append(self._start_collecting(chunk))

    def _start_collecting(self, chunk: Chunk) -> asyncio.Task[None]:
        return asyncio.create_task(self._collector.collect(chunk))

    def _not_done_message(self) -> str:
        reasons = "".join(f"; {reason}" for reason in dict.fromkeys(self._collector.why_pending))
        pending = rows_out_text(rows_out(self._path))
        return f"the provider is not done yet: {pending}{reasons}; try again later"
