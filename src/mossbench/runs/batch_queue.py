"""Prompts of rows through a provider's batch API: handed over in chunks, waited for, collected, sent again.

What comes of a chunk is written down before the chunk is closed in `batches.jsonl`, and what was read before is passed
over: stopping at any moment loses nothing. Items that expired, were cancelled or met a fault of the server go out again
in a further batch, up to `retries` times; then their rows have failed, with the reason.

Nothing that may be paid for is sent again. Whatever a provider replies when a batch is made, its list of batches is
looked through before another one is made. While a batch has results by its provider's own count, they are looked for
again; where they do not come, the batch stays on record as pending. A result that cannot be read fails its own row.
"""

import asyncio
import re
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Literal, TypeVar
from uuid import uuid4

from mossbench.errors import Code, MossbenchError, RunError, n_of
from mossbench.models import Denied, Overloaded, Prompt
from mossbench.models.batching import Batches, Ended, ResultFile
from mossbench.models.connections import FIRST_WAIT, LONGEST_WAIT, Waits
from mossbench.models.faults import Fault, read_fault, settle
from mossbench.models.replies import Reply
from mossbench.outcomes import Answer, Key
from mossbench.plumbing.lines import LineWriter, until_lost
from mossbench.plumbing.places import PlaceLost
from mossbench.runs.budget import Budget
from mossbench.store.batches import Chunk, chunks_out, rows_out, rows_out_text

POLL = 60.0
"""Seconds between two looks at a batch; 0: one look, and what is not done stays out."""
_PATIENCE = 60  # tries of a call for what is out already: with the waits between them about an hour
_AT_ONCE = 32  # rows that are made ready, or whose answers are judged, side by side
_LOOKS_FOR_FILE = 60  # at a batch that has results and names no file of them: an hour, at one look a minute
_LOOKS_FOR_REST = 10  # at a file that has fewer results than the provider counts
_LOOKS_IN_LIST = 16  # for a batch that was not confirmed, before it is taken for one that was not made
_LONGEST_LAG = 60.0  # seconds; a quarter of it is the longest time between two looks into the list
_NOT_FOUND = Fault("BatchError", "the provider did not confirm the batch, and does not list it", lost=True)
_NO_SUCH_API = (404, 405)  # what an address says that has no batches, to making them as to listing them
_PAID = "it may be paid for already; the next resume or judging asks for it, and pays for it, again"
T = TypeVar("T")
PromptOf = Callable[[Key], Awaitable[Prompt | None]]
"""The prompt of a row; None: there is none to send, and the row has been seen to."""
Came = Callable[[Key, Answer, int], Awaitable[None]]
"""Told of each row's answer once, with how often it was asked."""


class _NotYet(Exception):
    """A batch goes on, or its results are not there yet, and nobody is to wait for it any longer."""


@dataclass
class _Delivered:
    """What the result files of a batch had when they were last looked at."""

    chunk: Chunk
    ids: set[str] = field(default_factory=set)
    """Of the chunk's items that have a line that can be read."""
    n_of_others: int = 0
    """Lines that can be read, and are of no item of the chunk."""
    n_failures: int = 0
    """How many of them are errors of the provider's."""
    damaged: dict[str, str] = field(default_factory=dict)
    """Ids that stand in lines that cannot be read, with the reason."""
    n_nameless: int = 0
    """Lines that cannot be read, and have no id that can be made out."""
    is_cut: bool = False

    def add(self, file: ResultFile) -> None:
        known = self.chunk.ids()
        for id, came in file.results:
            if id not in known:
                self.n_of_others += 1
                continue
            if id not in self.ids and isinstance(came, Fault) and came.status != 200:
                self.n_failures += 1
            self.ids.add(id)
        for line in file.damaged:
            self.damaged.update(dict.fromkeys(line.ids, line.message))
            self.n_nameless += not line.ids
        self.is_cut = self.is_cut or file.is_cut

    @property
    def n_lines(self) -> int:
        return len(self.ids | self.damaged.keys()) + self.n_nameless

    @property
    def is_damaged(self) -> bool:
        return bool(self.damaged) or self.n_nameless > 0

    def is_whole(self, ended: Ended) -> bool:
        """Whether there is a line for every result, readable or not."""
        n_results = ended.counts.total if ended.counts else len(self.chunk.rows)
        return self.n_lines >= n_results

    def n_missing(self, ended: Ended) -> int:
        """How many results the provider counts and has not delivered; none where its counts contradict the files."""
        if ended.counts is None or self.n_failures > ended.counts.failed:
            return 0
        return max(0, ended.counts.total - self.n_lines)


@dataclass(frozen=True)
class _Gap:
    """Results that must be there, and are not."""

    reason: str
    most_looks: int
    """After these it is taken as it is."""
    stays: bool
    """The batch stays pending then: what is missing may be all of it, and is paid for."""


class _CallFailed(RunError):
    """A call to a batch API did not go through."""

    def __init__(self, message: str, status: int | None) -> None:
        super().__init__(message)
        self.status = status
        """The HTTP status of the last reply."""


class BatchQueue:
    """Prompts by the keys of rows, for a run or, by its label, a judge; `poll` is in seconds."""

    def __init__(self, api: Batches, path: Path, budget: Budget, *, retries: int, poll: float, judge: str = "") -> None:
        self._api, self._path, self._budget, self._judge = api, path, budget, judge
        self._retries, self._poll = retries, poll
        self._kind: Literal["row", "verdict"] = "verdict" if judge else "row"
        self._out: dict[str, Chunk] = {}
        self.on_wait: Callable[[Waits], None] | None = None
        """Told at each look at a batch that goes on."""
        self._not_yet: list[str] = []
        """Why batches that have ended stay pending."""
        self._fresh: set[str] = set()
        """Batches that this process made and has not seen since: the provider may not know them yet."""
        self._was_let_in = False
        """Whether a call has gone through, so that the key is one that the provider knows."""
        self._looks_at = Counter[str]()
        """How often a batch that may be a chunk's had ended and showed no results."""

    async def ask(self, keys: Iterable[Key], prompt: PromptOf, came: Came) -> None:
        """Has every key answered; those that the budget does not admit are left out."""
        self._prompt, self._came = prompt, came
        self._left = dict.fromkeys(keys)
        self._tries, self._reserved = Counter[Key](), dict[Key, float | None]()
        with LineWriter(self._path) as self._journal:
            on_record = chunks_out(self._path)
            self._known = on_record.batch_ids
            self._out = {name: chunk for name, chunk in on_record.out.items() if chunk.judge == self._judge}
            for key in (key for chunk in self._out.values() for key in chunk.rows if key in self._left):
                self._reserved[key] = self._budget.reserve(self._kind, under_way=True)
            try:
                await until_lost(self._ask_in_rounds(), [self._journal], lambda: False)
            finally:
                self._keep_what_is_out()

    async def _ask_in_rounds(self) -> None:
        while self._out or self._left:
            tasks = [asyncio.create_task(self._collect(chunk)) for chunk in self._out.values()]
            try:
                async for packed in self._packed([key for key in self._left if key not in self._reserved]):
                    chunk = await self._sent(*packed)
                    tasks.append(asyncio.create_task(self._collect(chunk)))
                await asyncio.gather(*tasks)
            finally:
                for task in tasks:
                    task.cancel()
                await asyncio.gather(*tasks, return_exceptions=True)
            if not tasks:  # the budget has room for none of those left
                break
            if self._out:
                reasons = "".join(f"; {reason}" for reason in dict.fromkeys(self._not_yet))
                pending = rows_out_text(rows_out(self._path))
                message = f"the provider is not done yet: {pending}{reasons}; ask again later"
                raise RunError(message, code=Code.NOT_DONE)

    def _keep_what_is_out(self) -> None:
        """Writes down again what is out, where only `batches.jsonl` was deleted or cut: it would be paid for twice."""
        lost = self._journal.find_lost()
        if lost is None or lost.folder is not None:
            return
        if not lost.file.is_deleted and lost.file.cut is None:
            return
        for chunk in self._out.values():
            with suppress(PlaceLost):  # which it raises each time, once the line is written
                self._journal.append(chunk)

    def under_way(self) -> str:
        """What the provider has and goes on with, with its ids: who has lost `batches.jsonl` can cancel them there."""
        n_rows = sum(len(chunk.rows) for chunk in self._out.values())
        ids = ", ".join(chunk.batch or f"not confirmed yet, named {chunk.name}" for chunk in self._out.values())
        return f"{n_of(n_rows, 'row')} in batches at the provider ({ids}), which are paid for" if n_rows else ""

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
        """The chunk that was handed over. Where it is not known yet whether it was, `_collect` finds out."""
        chunk = Chunk(name=name, state="sending", judge=self._judge, rows=tuple(rows))
        self._journal.append(chunk)
        self._journal.sync()
        self._out[name] = chunk
        try:
            place = await self._call(lambda: self._api.upload(name, items), uploads=True)
        except MossbenchError:
            self._close(chunk)  # without its requests there is no batch
            raise
        if place:  # Anthropic's requests go with the call that makes the batch, and nothing was called yet
            self._was_let_in = True
        tries = 0
        while True:
            batch, fault = await self._made(chunk, place, items)
            if batch:
                self._fresh.add(batch)
                return self._noted(chunk, batch)
            if not fault.unreachable:
                try:
                    found = await self._found_in_spite_of(chunk, fault)
                except _NotYet:
                    return chunk
                if found is not None:
                    return found
            tries += 1
            await self._wait_to_make_again(chunk, fault, tries)

    async def _made(self, chunk: Chunk, place: str, items: Sequence[bytes]) -> tuple[str, Fault]:
        """The provider's id for the new batch; empty where it gives none, and then why. It may exist all the same."""
        try:
            batch = await self._api.create(chunk.name, place, items)
        except MossbenchError:
            raise
        except Exception as error:  # SDKs raise their own, their HTTP library's and Python's errors
            fault = read_fault(error)
            return "", replace(fault, unreachable=fault.unreachable and not _was_sent(error))
        self._was_let_in = True
        return batch, _NOT_FOUND

    async def _found_in_spite_of(self, chunk: Chunk, fault: Fault) -> Chunk | None:
        """The chunk, though the making of its batch was answered with a fault; None: the provider has none.

        Raises:
            RunError: Nobody can say whether it has; the chunk stays on record.
        """
        try:
            return await self._found(chunk, reason=fault.message, waits_for_others=False)
        except _CallFailed as error:
            if self._is_surely_not_made(fault.status, error.status):
                return None
            message = f"{self._api.model.name}, batch API: making a batch failed ({fault.message})"
            raise RunError(f"{message}, and looking for it, too: {error}") from error

    def _is_surely_not_made(self, made: int | None, listed: int | None) -> bool:
        """Whether there is no batch, by the statuses of making one and of the list, where both calls were denied.

        There is none where the address has no batch API, or the key is a wrong one: no call has gone through with it.
        Any other denial may come from a firewall or a gateway that has let the request pass and not its reply.
        """
        if made in _NO_SUCH_API and listed in _NO_SUCH_API:
            return True
        return made == 401 and listed == 401 and not self._was_let_in

    async def _wait_to_make_again(self, chunk: Chunk, fault: Fault, tries: int) -> None:
        """Waits where a batch that was not made may be made later; else the chunk is closed, and a RunError raised."""
        model = self._api.model
        way_out = f"{model.way_out}, and whether it has a batch API"
        retry_after: float | None = None
        may_go_through = fault.status is None
        try:
            settle(fault, f"{model.name}, batch API", way_out=way_out)
        except Overloaded as sign:
            may_go_through = True
            retry_after = sign.retry_after
            way_out = way_out if fault.unreachable else "try again later"
        except MossbenchError:
            self._close(chunk)
            raise
        if may_go_through and tries <= self._retries:
            await self._wait(_pause(retry_after, tries), fault.message)
            return
        self._close(chunk)
        raise RunError(f"{model.name}, batch API: {fault.message}; {way_out}")

    def _noted(self, chunk: Chunk, batch: str) -> Chunk:
        """The chunk, on record as one that is out under this id."""
        noted = chunk.model_copy(update={"state": "out", "batch": batch})
        self._out[chunk.name] = noted  # first: where the file is lost, whoever is told hears the id
        self._known.add(batch)
        self._journal.append(Chunk(name=chunk.name, state="out", batch=batch))
        return noted

    def _close(self, chunk: Chunk) -> None:
        self._journal.append(Chunk(name=chunk.name, state="ended", batch=chunk.batch))
        del self._out[chunk.name]

    async def _collect(self, chunk: Chunk) -> None:
        waiting = {id: key for id, key in chunk.ids().items() if key in self._left}
        if not waiting:
            self._close(chunk)
            return
        try:
            found = chunk if chunk.batch else await self._found(chunk)
            if found is None:
                await self._give_up(chunk, dict.fromkeys(waiting.values(), _NOT_FOUND))
                return
            chunk = found
            ended, delivered = await self._take_results(chunk, waiting)
        except _NotYet as not_yet:
            self._not_yet += filter(None, [str(not_yet)])
            return
        left = {key: _why_left(id, ended, delivered) for id, key in waiting.items()}
        await self._give_up(chunk, left)

    async def _give_up(self, chunk: Chunk, left: dict[Key, Fault]) -> None:
        """Closes a chunk of which no more comes; the rows that are left go out again, or have failed."""
        try:
            for key, fault in left.items():
                await self._take(key, fault, alone=False)
        finally:
            self._close(chunk)

    async def _take_results(self, chunk: Chunk, waiting: dict[str, Key]) -> tuple[Ended, _Delivered]:
        """Takes the results of a batch out of `waiting`, looking again as long as more of them must be there.

        Raises:
            _NotYet: It goes on, or its results did not come for long: the batch stays pending.
        """
        batch = chunk.batch or ""
        looks = 0
        while True:
            ended = await self._end_of(batch)
            delivered = await self._delivered(chunk, ended, waiting)
            looks += 1
            gap = _gap(batch, ended, delivered)
            if not waiting or (gap is None and (looks > 1 or not delivered.is_damaged)):
                return ended, delivered
            if gap is None:
                continue  # the way here may have damaged them
            if looks < gap.most_looks and self._poll:
                await self._wait(self._poll, gap.reason)
            elif gap.stays or not self._poll:
                raise _NotYet(self._pending_message(gap, looks))
            else:
                return ended, delivered

    async def _delivered(self, chunk: Chunk, ended: Ended, waiting: dict[str, Key]) -> _Delivered:
        """What the files of a batch have; the results of rows that wait for them are taken."""
        delivered = _Delivered(chunk)
        for place in ended.places:
            data = await self._call(partial(self._api.results, place), may_appear=True)
            file = self._api.result_file(chunk.name, data)
            delivered.add(file)
            await self._take_all(file, waiting)
        return delivered

    def _pending_message(self, gap: _Gap, looks: int) -> str:
        looked = f" after {looks} looks" if looks > 1 else ""
        gone = f"if they are gone for good, delete {self._path}: its rows are asked, and paid for, again"
        waiting = "" if self._poll else "; resume with a `poll` above 0 to wait for them"
        return f"{gap.reason}{looked}; nothing is sent again{waiting}; {gone}"

    async def _take_all(self, file: ResultFile, waiting: dict[str, Key]) -> None:
        answers_first = sorted(file.results, key=lambda result: isinstance(result[1], Fault))
        found = [(waiting.pop(id), reply) for id, reply in answers_first if id in waiting]
        for start in range(0, len(found), _AT_ONCE):
            await asyncio.gather(*(self._take(*one) for one in found[start : start + _AT_ONCE]))

    async def _found(self, chunk: Chunk, *, reason: str = "", waits_for_others: bool = True) -> Chunk | None:
        """A chunk that its provider did not confirm, with the provider's id for it; None: the provider has not got it.

        The list of batches may be behind, so it is looked into for a while. Without names, only the results of a batch
        tell whose it is.

        Raises:
            _NotYet: A batch may be the chunk, and whether it is cannot be waited for.
            _CallFailed: The list cannot be had.
        """
        message = "looking up whether the batch was made" + (f" ({reason})" if reason else "")
        others = set(self._known)
        looks = 0
        while True:
            await self._wait(_pause_for_list(looks, self._poll), message)
            looks += 1
            undecided = list[str]()
            for batch in await self._call(partial(self._listed_as, chunk), unknown=chunk.name):
                if batch in others or batch in self._known:
                    continue
                is_ours = True if self._api.named else await self._is_of(chunk, batch)
                if is_ours:
                    self._fresh.add(batch)
                    return self._noted(chunk, batch)
                if is_ours is None:
                    undecided.append(batch)
                else:
                    others.add(batch)
            if undecided and not (waits_for_others and self._poll):
                raise _NotYet(f"batch {undecided[0]} may be of this run, which its results will tell")
            if looks >= _LOOKS_IN_LIST and not undecided:
                return None
            if undecided:
                await self._wait(self._poll, f"batch {undecided[0]} may be of this run")

    async def _listed_as(self, chunk: Chunk) -> list[str]:
        return await self._api.find(chunk.name, len(chunk.rows), chunk.at)

    async def _is_of(self, chunk: Chunk, batch: str) -> bool | None:
        """Whether a batch without a name has the items of a chunk; None: that will be seen once it has results."""
        ended = await self._call(lambda: self._api.ended(batch), unknown=chunk.name)
        if ended is None:
            return None
        delivered = _Delivered(chunk)
        for place in ended.places:
            data = await self._call(partial(self._api.results, place), may_appear=True, unknown=chunk.name)
            delivered.add(self._api.result_file(chunk.name, data))
        if delivered.ids or delivered.damaged:
            return True
        if delivered.n_of_others or ended.is_gone or not ended.has_answers:
            return False
        self._looks_at[batch] += 1
        if self._looks_at[batch] >= _LOOKS_FOR_FILE:
            gap = _Gap(f"no results yet of batch {batch}, which may be of this run", _LOOKS_FOR_FILE, stays=True)
            raise _NotYet(self._pending_message(gap, self._looks_at[batch]))
        return None

    async def _end_of(self, batch: str) -> Ended:
        while True:
            ended = await self._call(lambda: self._api.ended(batch), may_appear=batch in self._fresh)
            self._fresh.discard(batch)
            if ended is not None:
                return ended
            if not self._poll:
                raise _NotYet
            await self._wait(self._poll, rows_out_text(rows_out(self._path)))

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

    async def _call(
        self, work: Callable[[], Awaitable[T]], *, uploads: bool = False, may_appear: bool = False, unknown: str = ""
    ) -> T:
        """What a call to the provider gives, tried again where that may help. None of these calls is paid for.

        Args:
            work: The call.
            uploads: It is the first one, with little to lose: fewer tries.
            may_appear: What is asked for was named by the provider, which may not have it everywhere yet.
            unknown: The name of a chunk of which nobody knows whether the provider has it.

        Raises:
            RunError: It was denied, or did not go through in the end; what is out stays out.
        """
        model = self._api.model
        most = self._retries if uploads or not self._poll else _PATIENCE
        way_out = self._way_out(uploads=uploads, unknown=unknown)
        tries = 0
        while True:
            try:
                result = await work()
            except (MossbenchError, TypeError):
                raise
            except Exception as error:  # SDKs raise their own, their HTTP library's and Python's errors
                fault = read_fault(error)
            else:
                self._was_let_in = self._was_let_in or not uploads
                return result
            tries += 1
            retry_after: float | None = None
            may_go_through = fault.status is None and fault.type != "UnreadableReply"
            may_go_through = may_go_through or (may_appear and fault.status == 404 and tries < _LOOKS_FOR_REST)
            try:
                settle(fault, f"{model.name}, batch API", way_out=way_out)
            except Overloaded as sign:
                may_go_through = True
                retry_after = sign.retry_after
                way_out = way_out if fault.unreachable or unknown else "try again later"
            except MossbenchError as denied:
                if not may_go_through:
                    raise _CallFailed(str(denied), fault.status) from None
            if not may_go_through or tries > most:
                raise _CallFailed(f"{model.name}, batch API: {fault.message}; {way_out}", fault.status)
            await self._wait(_pause(retry_after, tries), fault.message)

    def _way_out(self, *, uploads: bool, unknown: str) -> str:
        checks = self._api.model.way_out
        if uploads:
            return f"{checks}, and whether it has a batch API"
        if unknown:
            return (
                f"whether the batch {unknown} was made cannot be known, so nothing is sent again: resume later, or, if "
                f"the provider has no such batch, remove the lines with that name from {self._path}; {checks}"
            )
        return f"{checks}; if a batch is gone for good, delete {self._path}: its rows are asked, and paid for, again"


def _gap(batch: str, ended: Ended, delivered: _Delivered) -> _Gap | None:
    """What is missing in the results of a batch, by its provider's own word; None: nothing that is known of."""
    what = f"batch {batch} ended as {ended.state!r}"
    if ended.is_gone:
        return None
    if delivered.n_lines == 0 and ended.has_answers:
        counted = f" with {ended.counts.answered:,} answers" if ended.counts else ""
        return _Gap(f"no results yet: {what}{counted}", _LOOKS_FOR_FILE, stays=True)
    if delivered.is_cut:
        is_whole = delivered.is_whole(ended)  # then its last line is damaged, like any other may be
        return _Gap(f"results are cut off: {what}", _LOOKS_FOR_REST, stays=not is_whole)
    n_missing = delivered.n_missing(ended)
    if ended.succeeded:  # then it has a result for every request, whatever is counted
        n_missing = max(n_missing, len(delivered.chunk.rows) - delivered.n_lines)
    if n_missing:
        most_looks = _LOOKS_FOR_REST if delivered.n_lines else _LOOKS_FOR_FILE
        return _Gap(f"{n_of(n_missing, 'result')} missing: {what}", most_looks, stays=False)
    if delivered.n_lines == 0 and ended.counts is None and ended.why.lost:
        return _Gap(f"results are not counted: {what}", _LOOKS_FOR_REST, stays=False)
    return None


def _was_sent(error: BaseException | None) -> bool:
    """Whether an error, or one that it was raised from, is of a connection that stood: a request may have arrived."""
    for _ in range(8):
        if error is None:
            return False
        if any(_MID_CALL.search(base.__name__) for base in type(error).__mro__):
            return True
        error = error.__cause__ or error.__context__
    return False


# What HTTP libraries raise once there is a connection; a broken TLS connection has an SSLError below it.
_MID_CALL = re.compile(r"Read(Error|Timeout)|Write(Error|Timeout)|ProtocolError|ServerDisconnected|IncompleteRead")


def _pause(retry_after: float | None, tries: int) -> float:
    """Seconds until a call is tried again."""
    return retry_after or min(LONGEST_WAIT, FIRST_WAIT * 2.0 ** (tries - 1.0))


def _pause_for_list(look: int, poll: float) -> float:
    """Seconds before a look into the provider's list: a quarter of `poll`, at most 15, and more each time up to 1."""
    by_poll = min(poll or POLL, _LONGEST_LAG) / 4
    return max(by_poll, min(1.0, 0.01 * 2.0**look))


def _why_left(id: str, ended: Ended, delivered: _Delivered) -> Fault:
    """What became of an item without a result. Only what is surely not paid for may be asked again."""
    if id in delivered.damaged:
        message = f"its line in the results of the batch cannot be read: {delivered.damaged[id]}; {_PAID}"
        return Fault("DamagedResult", message)
    if ended.is_gone:
        return Fault("ResultLost", f"the provider has deleted the results of the batch ({ended.state}); {_PAID}")
    n_unknown = delivered.n_nameless + delivered.n_of_others
    if n_unknown:
        message = f"it has no result in its batch, which has {n_of(n_unknown, 'line')} that cannot be read"
        return Fault("DamagedResult", f"{message}; {_PAID}")
    n_missing = delivered.n_missing(ended)
    if n_missing:
        message = f"it has no result in its batch, of which the provider counts {n_missing:,} more than it gives"
        return Fault("ResultLost", f"{message}; {_PAID}")
    return ended.why
