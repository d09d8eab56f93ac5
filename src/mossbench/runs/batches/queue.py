"""Sends the prompts of rows through a provider's batch API: sends them in chunks, waits, collects, sends again.

The results of a chunk are written before the chunk is marked as ended in `batches.jsonl`, and results that were read
before are skipped: stopping at any moment loses nothing. Items that expired, were cancelled or met a fault of the
server are sent again in a further batch, up to `retries` times; then their rows have failed, with the reason.

Nothing that may be paid for is sent twice. Whatever the provider replies when a batch is created, its list of batches
is searched before another batch is created. As long as the provider counts results of a batch, they are requested
again; if they do not come, the batch stays on record as pending. A result that cannot be read fails its own row only.
"""

import asyncio
from collections.abc import Iterable
from pathlib import Path

from mossbench.errors import Code, RunError
from mossbench.models.batch_api import BatchApi
from mossbench.outcomes import Key
from mossbench.plumbing.line_writer import LineWriter
from mossbench.plumbing.until_lost import cancel_at_once, until_lost
from mossbench.runs.batches.calls import BatchCalls, OnWait
from mossbench.runs.batches.chunks import PendingChunks
from mossbench.runs.batches.collecting import Collector
from mossbench.runs.batches.lookup import BatchLookup
from mossbench.runs.batches.rows import TakeAnswer, UnansweredRows
from mossbench.runs.batches.sending import MakePrompt, Sender
from mossbench.runs.budget import Budget, CostKind
from mossbench.store.batch_log import Chunk, pending_rows, pending_rows_text

POLL = 60.0
"""Seconds between two checks of a batch; 0: check once, and leave what is not done pending."""


class BatchQueue:
    """Asks the rows of a run, or the judge's requests about them, through a batch API.

    `path` is the run's batches.jsonl. `judge` is the judge's label, or empty for the run's own rows. `poll` is in
    seconds.
    """

    def __init__(
        self, api: BatchApi, path: Path, budget: Budget, *, retries: int, poll: float, judge: str = ""
    ) -> None:
        self._api = api
        self._path = path
        self._budget = budget
        self._retries = retries
        self._poll = poll
        self._judge = judge
        self._chunks: PendingChunks | None = None
        self.on_wait: OnWait | None = None
        """Called at each check of a batch that is not done."""

    async def ask(self, keys: Iterable[Key], make_prompt: MakePrompt, take_answer: TakeAnswer) -> None:
        """Asks the rows of these keys, except those for which the budget has no room.

        Raises:
            RunError: The provider is not done and `poll` says not to wait; or it denies its service.
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
                await until_lost(rounds.ask_all(), [journal], stop=cancel_at_once)
            finally:
                chunks.write_again_if_lost()

    def under_way(self) -> str:
        """The chunks that the provider is still working on, with its ids; empty if there are none."""
        return "" if self._chunks is None else self._chunks.describe()


class _Rounds:
    """Sends and collects rows in rounds: a row without an answer after one round is sent in the next."""

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
            if n_chunks == 0:  # the budget has no room for any of the rows left
                return
            if self._chunks:
                raise RunError(self._not_done_message(), code=Code.NOT_DONE)

    async def _ask_round(self) -> int:
        """Collects the pending chunks, and meanwhile sends the unsent rows and collects their chunks.

        Returns:
            The number of chunks.
        """
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
        """Sends the unsent rows in chunks, and adds a task for each chunk that collects it."""
        async for packed_rows in self._sender.pack(self._rows.not_sent()):
            chunk = await self._sender.send(packed_rows)
            tasks.append(self._start_collecting(chunk))

    def _start_collecting(self, chunk: Chunk) -> asyncio.Task[None]:
        return asyncio.create_task(self._collector.collect(chunk))

    def _not_done_message(self) -> str:
        reasons = "".join(f"; {reason}" for reason in dict.fromkeys(self._collector.why_pending))
        pending = pending_rows_text(pending_rows(self._path))
        return f"the provider is not done yet: {pending}{reasons}; try again later"
