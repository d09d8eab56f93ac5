"""Prompts of rows through a provider's batch API: handed over in chunks, waited for, collected, sent again.

What comes of a chunk is written down before the chunk is closed in `batches.jsonl`, and what was read before is passed
over: stopping at any moment loses nothing. Items that expired, were cancelled or met a fault of the server go out again
in a further batch, up to `retries` times; then their rows have failed, with the reason.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
from datetime import datetime, timedelta
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TypeVar
from uuid import uuid4

from mossbench.errors import Code, MossbenchError, RunError
from mossbench.models import Denied, Overloaded, Prompt
from mossbench.models.batching import Batches, Ended
from mossbench.models.connections import FIRST_WAIT, LONGEST_WAIT, Waits
from mossbench.models.faults import Fault, read_fault, settle
from mossbench.models.replies import Reply
from mossbench.outcomes import Answer, Key
from mossbench.plumbing.lines import LineWriter
from mossbench.runs.batches import Chunk, chunks_out, said_out
from mossbench.runs.budget import Budget

POLL = 60.0
"""Seconds between two looks at a batch; 0: one look, and what is not done stays out."""
_PATIENCE = 60  # tries of a call for what is out already: with the waits between them about an hour
_AT_ONCE = 32  # rows that are made ready, or whose answers are judged, side by side
_NOT_FOUND = Fault("BatchError", "the provider did not confirm the batch, and does not list it", lost=True)
T = TypeVar("T")
PromptOf = Callable[[Key], Awaitable[Prompt | None]]
"""The prompt of a row; None: there is none to send, and the row has been seen to."""
Came = Callable[[Key, Answer, int], Awaitable[None]]
"""Told of each row's answer once, with how often it was asked."""


class _NotYet(Exception):
    """A batch goes on, and nobody is to wait for it."""


class BatchQueue:
    """Prompts by the keys of rows, for a run or, by its label, a judge; `poll` is in seconds."""

    def __init__(self, api: Batches, path: Path, budget: Budget, *, retries: int, poll: float, judge: str = "") -> None:
        self._api, self._path, self._budget, self._judge = api, path, budget, judge
        self._retries, self._poll, self._kind = retries, poll, "verdict" if judge else "row"
        self.on_wait: Callable[[Waits], None] | None = None
        """Told at each look at a batch that goes on."""

    async def ask(self, keys: Iterable[Key], prompt: PromptOf, came: Came) -> None:
        """Has every key answered; those that the budget does not admit are left out."""
        self._prompt, self._came = prompt, came
        self._left = dict.fromkeys(keys)
        self._tries, self._reserved = Counter[Key](), dict[Key, float | None]()
        with LineWriter(self._path) as self._journal:
            there, self._known = chunks_out(self._path)
            self._out = {name: chunk for name, chunk in there.items() if chunk.judge == self._judge}
            for key in (key for chunk in self._out.values() for key in chunk.rows if key in self._left):
                self._reserved[key] = self._budget.reserve(self._kind, under_way=True)
            while self._out or self._left:
                tasks = [asyncio.create_task(self._collect(chunk)) for chunk in self._out.values()]
                try:
                    async for packed in self._packed([key for key in self._left if key not in self._reserved]):
                        tasks.append(asyncio.create_task(self._collect(await self._sent(*packed))))
                    await asyncio.gather(*tasks)
                finally:
                    for task in tasks:
                        task.cancel()
                    await asyncio.gather(*tasks, return_exceptions=True)
                if not tasks:  # the budget has room for none of those left
                    break
                if self._out:
                    said = f"the provider is not done yet: {said_out(self._path)}; ask again later"
                    raise RunError(said, code=Code.NOT_DONE)

    async def _packed(self, keys: Sequence[Key]) -> AsyncIterator[tuple[str, list[Key], list[bytes]]]:
        """The keys in chunks, each with a name, bounded by items and by bytes."""
        name, rows, items = uuid4().hex[:20], list[Key](), list[bytes]()
        size, queue = 0, iter(keys)
        while some := list(islice(queue, _AT_ONCE)):
            for key, prompt in zip(some, await asyncio.gather(*map(self._prompt, some)), strict=True):
                if prompt is None:
                    del self._left[key]
                    continue
                if (reserved := self._budget.reserve(self._kind)) is None:
                    queue = iter(())  # it comes to these once others are paid for
                    break
                self._reserved[key], request = reserved, self._api.model.request_of(prompt)
                item = self._api.item(f"{name}-{len(rows)}", request)
                if rows and (len(rows) == self._api.most_items or size + len(item) >= self._api.most_bytes):
                    yield name, rows, items
                    name, rows, items, size = uuid4().hex[:20], [], [], 0
                    item = self._api.item(f"{name}-0", request)
                rows.append(key)
                items.append(item)
                size += len(item) + 1
        if rows:
            yield name, rows, items

    async def _sent(self, name: str, rows: Sequence[Key], items: Sequence[bytes]) -> Chunk:
        """The chunk that was handed over. Where the provider does not say whether it has it, `_collect` finds out."""
        self._out[name] = chunk = Chunk(name=name, state="sending", judge=self._judge, rows=tuple(rows))
        self._journal.append(chunk)
        self._journal.sync()
        try:
            batch = await self._call(lambda: self._api.create(name, items), creates=True)
        except Overloaded:
            return chunk
        except MossbenchError:
            self._close(chunk)
            raise
        return self._noted(chunk, batch) if batch else chunk

    def _noted(self, chunk: Chunk, batch: str) -> Chunk:
        """The chunk, on record as one that is out under this id."""
        self._journal.append(Chunk(name=chunk.name, state="out", batch=batch))
        self._known.add(batch)
        return chunk.model_copy(update={"batch": batch})

    def _close(self, chunk: Chunk) -> None:
        self._journal.append(Chunk(name=chunk.name, state="ended", batch=chunk.batch))
        del self._out[chunk.name]

    async def _collect(self, chunk: Chunk) -> None:
        waiting, ended = {id: key for id, key in chunk.ids().items() if key in self._left}, None
        try:
            if waiting and (batch := chunk.batch or await self._found(chunk)):
                ended = await self._end_of(batch)
        except _NotYet:
            return
        for _ in range(2):  # results that were cut off are fetched once more
            for place in ended.places if ended and waiting else ():
                data = await self._call(partial(self._api.results, place))
                lines = sorted(self._api.lines(data), key=lambda line: isinstance(line[1], Fault))  # answers first
                found = [(waiting.pop(id), reply) for id, reply in lines if id in waiting]
                for start in range(0, len(found), _AT_ONCE):
                    await asyncio.gather(*(self._take(*one) for one in found[start : start + _AT_ONCE]))
        try:
            for key in waiting.values():
                await self._take(key, ended.why if ended else _NOT_FOUND, alone=False)
        finally:
            self._close(chunk)

    async def _found(self, chunk: Chunk) -> str | None:
        """The provider's id for a chunk that it did not confirm; None: it has not got it."""
        api = self._api
        await asyncio.sleep(self._poll or POLL)  # the provider may still be at it, or its list behind
        for id in await self._call(lambda: api.find(chunk.name, len(chunk.rows), chunk.at)):
            if id in self._known:
                continue
            if not api.named:  # whose it is, only its results tell
                places = (await self._end_of(id)).places
                data = await self._call(partial(api.results, places[0])) if places else b""
                if not any(found in chunk.ids() for found, _ in api.lines(data)):
                    continue
            return self._noted(chunk, id).batch
        return None

    async def _end_of(self, batch: str) -> Ended:
        while (ended := await self._call(lambda: self._api.ended(batch))) is None:
            if not self._poll:
                raise _NotYet
            await self._wait(self._poll, said_out(self._path))
        return ended

    async def _wait(self, seconds: float, reason: str) -> None:
        if self.on_wait is not None:
            rows = tuple(f"{key.side} {key.sample}" for key in self._left)
            self.on_wait(Waits(rows, datetime.now().astimezone() + timedelta(seconds=seconds), reason))
        await asyncio.sleep(seconds)

    async def _take(self, key: Key, reply: Reply | Fault, *, alone: bool = True) -> None:
        """Takes what came of a row: its answer, or it goes out again. Raises what denies all rows, not it alone."""
        self._tries[key] += 1
        model = self._api.model
        try:
            answer = model.settled(reply, dict.fromkeys(model.optional))
            again = answer is None
        except (Overloaded, Denied) as sign:
            if isinstance(sign, Denied) and not alone:
                raise
            answer, again = sign.answer(), isinstance(sign, Overloaded)
        if not again or self._tries[key] > self._retries:
            answer = answer or Answer.failed("model", getattr(reply, "message", ""))
            used = answer.usage and answer.usage.in_batch()
            await self._came(key, answer.model_copy(update={"usage": used}), self._tries[key])
            del self._left[key]
        self._budget.release(self._reserved.pop(key, None))

    async def _call(self, work: Callable[[], Awaitable[T]], *, creates: bool = False) -> T:
        """What a call to the provider gives, tried again where that may help.

        Raises:
            Overloaded: Of one that `creates` something, nobody can say whether it did.
            RunError: It was denied, or did not go through in the end; what is out stays out.
        """
        tries, model, most = 0, self._api.model, _PATIENCE if self._poll and not creates else self._retries
        while True:
            try:
                return await work()
            except (MossbenchError, TypeError):
                raise
            except Exception as error:  # SDKs raise their own, their HTTP library's and Python's errors
                fault = read_fault(error)
            tries += 1
            gone = f"; if a batch is gone for good, delete {self._path}: its rows are asked, and paid for, again"
            way_out = f"{model.way_out}{', and whether it has a batch API' if creates else gone}"
            try:
                settle(fault, f"{model.name}, batch API", way_out=way_out)
            except Overloaded as sign:
                if creates and not fault.unreachable and sign.kind != "rate_limit":
                    raise
                if tries <= most:
                    seconds = sign.retry_after or min(LONGEST_WAIT, FIRST_WAIT * 2.0 ** (tries - 1))
                    await self._wait(seconds, fault.message)
                    continue
                way_out = way_out if fault.unreachable else "try again later"
            if creates and fault.status is None and not fault.unreachable:
                raise Overloaded(None, "connection", fault.message)
            raise RunError(f"{model.name}, batch API: {fault.message}; {way_out}")
