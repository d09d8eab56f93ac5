"""Packing rows into chunks, and handing these over to the provider: the one call that is paid for.

Whatever the provider replies when a batch is made, its list of batches is looked through before another one is made.
"""

import asyncio
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from uuid import uuid4

from mossbench.errors import MossbenchError, RunError
from mossbench.models import Prompt
from mossbench.models.faults import Fault, read_fault
from mossbench.outcomes import Key
from mossbench.runs.batches.calls import TRY_LATER, BatchCalls, CallFailed, pause_after
from mossbench.runs.batches.chunks import PendingChunks, StillPending
from mossbench.runs.batches.lookup import BatchLookup
from mossbench.runs.batches.rows import UnansweredRows
from mossbench.store.batch_log import Chunk

MakePrompt = Callable[[Key], Awaitable[Prompt | None]]
"""The prompt of a row; None: there is none to send, and the row has been seen to."""
NOT_CONFIRMED = Fault("BatchError", "the provider did not confirm the batch, and does not list it", lost=True)
_AT_ONCE = 32  # rows that are made ready side by side
_NO_SUCH_API = (404, 405)  # what an address says that has no batches, to making them as to listing them


@dataclass
class PackedChunk:
    """Rows with their requests, which go out together."""

    name: str = field(default_factory=lambda: uuid4().hex[:20])
    rows: list[Key] = field(default_factory=list)
    items: list[bytes] = field(default_factory=list)
    n_bytes: int = 0
    """Of the items, with an end of line each."""

    def next_id(self) -> str:
        return f"{self.name}-{len(self.rows)}"

    def add(self, key: Key, item: bytes) -> None:
        self.rows.append(key)
        self.items.append(item)
        self.n_bytes += len(item) + 1


class Sender:
    """Sends rows in chunks, for a run or, by its label, a judge."""

    def __init__(
        self,
        calls: BatchCalls,
        chunks: PendingChunks,
        rows: UnansweredRows,
        lookup: BatchLookup,
        make_prompt: MakePrompt,
        *,
        judge: str,
    ) -> None:
        self._calls = calls
        self._chunks = chunks
        self._rows = rows
        self._lookup = lookup
        self._make_prompt = make_prompt
        self._judge = judge

    async def pack(self, keys: Sequence[Key]) -> AsyncIterator[PackedChunk]:
        """The rows in chunks, bounded by items and by bytes; ends early where the budget has no room for more."""
        api = self._calls.api
        packed = PackedChunk()
        for start in range(0, len(keys), _AT_ONCE):
            for key, prompt in await self._make_prompts(keys[start : start + _AT_ONCE]):
                if not self._rows.reserve(key):  # it may have room for this row once those before it are paid for
                    if packed.rows:
                        yield packed
                    return
                request = api.model.request_of(prompt)
                item = api.make_item(packed.next_id(), request)
                if packed.rows and self._is_full(packed, item):
                    yield packed
                    packed = PackedChunk()
                    item = api.make_item(packed.next_id(), request)
                packed.add(key, item)
        if packed.rows:
            yield packed

    def _is_full(self, packed: PackedChunk, item: bytes) -> bool:
        """Whether there is no room for one more item."""
        api = self._calls.api
        return len(packed.rows) == api.most_items or packed.n_bytes + len(item) >= api.most_bytes

    async def _make_prompts(self, keys: Sequence[Key]) -> list[tuple[Key, Prompt]]:
        """The prompts of those rows that have one; the others are dropped."""
        prompts = await asyncio.gather(*map(self._make_prompt, keys))
        rows_to_send: list[tuple[Key, Prompt]] = []
        for key, prompt in zip(keys, prompts, strict=True):
            if prompt is None:
                self._rows.drop(key)
            else:
                rows_to_send.append((key, prompt))
        return rows_to_send

    async def send(self, packed: PackedChunk) -> Chunk:
        """Hands a chunk over. Where it is not known yet whether it has arrived, it has no batch: collecting finds out.

        Raises:
            RunError: It was not made, and is closed; or nobody can say whether it was made, and it stays on record.
        """
        chunk = Chunk(name=packed.name, state="sending", judge=self._judge, rows=tuple(packed.rows))
        self._chunks.open(chunk)
        place = await self._upload(chunk, packed.items)
        tries = 0
        while True:
            created = await self._create(chunk, place, packed.items)
            if isinstance(created, str):
                return self._chunks.confirm(chunk, created)
            if not created.unreachable:
                try:
                    confirmed = await self._find_in_spite_of(chunk, created)
                except StillPending:
                    return chunk
                if confirmed is not None:
                    return confirmed
            tries += 1
            await self._wait_to_create_again(chunk, created, tries)

    async def _upload(self, chunk: Chunk, items: Sequence[bytes]) -> str:
        """Where the provider has put the requests; empty where they go with the call that makes the batch."""
        try:
            place = await self._calls.call(lambda: self._calls.api.upload(chunk.name, items), is_upload=True)
        except MossbenchError:
            self._chunks.close(chunk)  # without its requests there is no batch
            raise
        if place:  # else nothing was called yet
            self._calls.has_accepted_key = True
        return place

    async def _create(self, chunk: Chunk, place: str, items: Sequence[bytes]) -> str | Fault:
        """The provider's id for the new batch, or why it gives none; the batch may exist all the same."""
        try:
            batch = await self._calls.api.create(chunk.name, place, items)
        except MossbenchError:
            raise
        except Exception as error:  # SDKs raise their own, their HTTP library's and Python's errors
            fault = read_fault(error)
            return replace(fault, unreachable=fault.unreachable and not _may_have_arrived(error))
        self._calls.has_accepted_key = True
        return batch or NOT_CONFIRMED

    async def _find_in_spite_of(self, chunk: Chunk, fault: Fault) -> Chunk | None:
        """The chunk, though the making of its batch was answered with a fault; None: the provider has none.

        Raises:
            RunError: Nobody can say whether it has; the chunk stays on record.
        """
        try:
            return await self._lookup.find(chunk, reason=fault.message, waits_for_results=False)
        except CallFailed as error:
            if self._is_surely_not_made(created=fault.status, listed=error.status):
                return None
            message = f"{self._calls.api.model.name}, batch API: making a batch failed ({fault.message})"
            raise RunError(f"{message}, and looking for it, too: {error}") from error

    def _is_surely_not_made(self, *, created: int | None, listed: int | None) -> bool:
        """Whether there is no batch, by the statuses of making one and of the list, where both calls were denied.

        There is none where the address has no batch API, or the key is a wrong one: no call has gone through with it.
        Any other denial may come from a firewall or a gateway that has let the request pass and not its reply.
        """
        if created in _NO_SUCH_API and listed in _NO_SUCH_API:
            return True
        return created == 401 and listed == 401 and not self._calls.has_accepted_key

    async def _wait_to_create_again(self, chunk: Chunk, fault: Fault, tries: int) -> None:
        """Waits where a batch that was not made may be made later; else the chunk is closed, and a RunError raised."""
        way_out = self._calls.check_api
        try:
            overload = self._calls.find_overload(fault, way_out)
        except MossbenchError:
            self._chunks.close(chunk)
            raise
        may_go_through = overload is not None or fault.status is None
        if may_go_through and tries <= self._calls.retries:
            await self._calls.wait(pause_after(tries, overload), fault.message)
            return
        if overload is not None and not fault.unreachable:
            way_out = TRY_LATER
        self._chunks.close(chunk)
        raise RunError(self._calls.failure_message(fault, way_out))


# What HTTP libraries raise once there is a connection; a broken TLS connection has an SSLError below it.
_MID_CALL = re.compile(r"Read(Error|Timeout)|Write(Error|Timeout)|ProtocolError|ServerDisconnected|IncompleteRead")
_MOST_CAUSES = 8  # of an error that are looked at


def _may_have_arrived(error: BaseException) -> bool:
    """Whether an error, or one that it was raised from, is of a connection that stood: a request may have arrived."""
    cause: BaseException | None = error
    for _ in range(_MOST_CAUSES):
        if cause is None:
            return False
        if any(_MID_CALL.search(base.__name__) for base in type(cause).__mro__):
            return True
        cause = cause.__cause__ or cause.__context__
    return False
