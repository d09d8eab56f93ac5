"""Finding the batch of a chunk whose making was not confirmed: in the provider's list, before another one is made."""

from collections import Counter
from dataclasses import dataclass
from enum import Enum
from functools import partial

from mossbench.models.batch_api import EndedBatch
from mossbench.runs.batches.calls import BatchCalls
from mossbench.runs.batches.chunks import PendingChunks, StillPending
from mossbench.runs.batches.results import LOOKS_FOR_FILE, Delivered, Gap
from mossbench.store.batch_log import Chunk

_LOOKS_IN_LIST = 16  # before a batch is taken for one that was not made: the list may be behind
_LONGEST_PAUSE = 15.0  # seconds between two looks into the list


class _Owner(Enum):
    """Whose a listed batch is."""

    OURS = "the chunk's"
    OTHERS = "another one's"
    UNDECIDED = "will be seen once it has results"


@dataclass(frozen=True)
class _Look:
    """What one look into the list has shown."""

    batch: str | None
    """The provider's id for the chunk's batch."""
    undecided: tuple[str, ...]
    """Batches that may be the chunk's."""


class BatchLookup:
    """Looks for batches in the list of the provider, and remembers which of them are of others."""

    def __init__(self, calls: BatchCalls, chunks: PendingChunks) -> None:
        self._calls = calls
        self._chunks = chunks
        self._n_looks_without_results = Counter[str]()
        """At batches that have ended and may be a chunk's."""

    async def find(self, chunk: Chunk, *, reason: str = "", waits_for_results: bool = True) -> Chunk | None:
        """A chunk that its provider did not confirm, with the provider's id for it.

        None: the list does not show it, and it is taken for one that was not made.

        The list of batches may be behind, so it is looked into for a while. Without names, only the results of a batch
        tell whose it is.

        Raises:
            StillPending: A batch may be the chunk's, and whether it is cannot be waited for.
            CallFailed: The list cannot be had.
        """
        poll = self._calls.poll
        message = "checking whether the batch was created" + (f" ({reason})" if reason else "")
        of_others = set(self._chunks.batch_ids)
        looks = 0
        while True:
            await self._calls.wait(_pause_for_list(looks, poll), message)
            looks += 1
            look = await self._look_into_list(chunk, of_others)
            if look.batch is not None:
                return self._chunks.confirm(chunk, look.batch)
            if look.undecided:
                candidate = f"batch {look.undecided[0]} may be of this run"
                if not waits_for_results or not poll:
                    raise StillPending(f"{candidate}, which its results will tell")
                await self._calls.wait(poll, candidate)
            elif looks >= _LOOKS_IN_LIST:
                return None

    async def _look_into_list(self, chunk: Chunk, of_others: set[str]) -> _Look:
        """Looks through the list once; batches that turn out to be of others are added to `of_others`."""
        find_in_list = partial(self._calls.api.find_batches, chunk.name, len(chunk.rows), chunk.at)
        listed = await self._calls.call(find_in_list, unconfirmed=chunk.name)
        undecided: list[str] = []
        for batch in listed:
            # `batch_ids` grows meanwhile: other chunks are confirmed in tasks of their own.
            if batch in of_others or batch in self._chunks.batch_ids:
                continue
            owner = await self._find_owner(chunk, batch)
            if owner is _Owner.OURS:
                return _Look(batch, tuple(undecided))
            if owner is _Owner.UNDECIDED:
                undecided.append(batch)
            else:
                of_others.add(batch)
        return _Look(None, tuple(undecided))

    async def _find_owner(self, chunk: Chunk, batch: str) -> _Owner:
        """Whose a batch is; where the provider keeps no names, by the items in its results."""
        api = self._calls.api
        if api.keeps_names:
            return _Owner.OURS  # it is listed under the chunk's name
        ended = await self._calls.call(partial(api.find_end, batch), unconfirmed=chunk.name)
        if ended is None:
            return _Owner.UNDECIDED
        delivered = await self._fetch_results(chunk, ended)
        if delivered.ids or delivered.damaged:
            return _Owner.OURS
        if delivered.n_of_others or ended.is_gone or not ended.has_answers:
            return _Owner.OTHERS
        self._n_looks_without_results[batch] += 1
        n_looks = self._n_looks_without_results[batch]
        if n_looks >= LOOKS_FOR_FILE:
            reason = f"no results yet of batch {batch}, which may be of this run"
            gap = Gap(reason, LOOKS_FOR_FILE, stays_pending=True)
            raise StillPending(gap.explain(n_looks, self._calls.path, self._calls.poll))
        return _Owner.UNDECIDED

    async def _fetch_results(self, chunk: Chunk, ended: EndedBatch) -> Delivered:
        api = self._calls.api
        delivered = Delivered(chunk, ended)
        for place in ended.result_places:
            data = await self._calls.call(partial(api.fetch_results, place), may_appear=True, unconfirmed=chunk.name)
            delivered.add(api.read_result_file(chunk.name, data))
        return delivered


def _pause_for_list(look: int, poll: float) -> float:
    """Seconds before a look into the provider's list: a quarter of `poll`, but never longer than the longest pause.

    Without `poll` nobody waits for results, but the list is given all the time that it may need. Where `poll` is very
    short, as in tests, the pauses grow up to a second.
    """
    pause = min(poll / 4, _LONGEST_PAUSE) if poll else _LONGEST_PAUSE
    growing = min(1.0, 0.01 * 2.0**look)
    return max(pause, growing)
