"""What the batch APIs of the providers have in common: one interface, and how their replies are read.

A batch is many requests sent together, answered within a day, at a lower price. `upload` puts a chunk of items where a
batch can find it, which costs nothing; `create` makes the batch, under a name of ours, and is what is paid for;
`find_end` says how it ended; `fetch_results` returns a file with a line for each item, in any order. An item's id is
the chunk's name and its number in the chunk. Nothing here waits or tries again.

A provider's replies about its batches are read as plain JSON, not into the SDKs' classes: a field that is missing or
has another type must neither end a run nor hide a batch that is paid for.
"""

import re
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from mossbench.models.bodies import decode_json, says_nothing
from mossbench.models.faults import Fault, fault_of
from mossbench.models.hosted import HostedModel, at, text_at
from mossbench.models.replies import SIGNS, Reply

_CLOCK_DIFFERENCE = timedelta(hours=1)
"""By how much a provider's clock may be behind ours."""
_STATUS_BY_CODE: dict[str, int] = SIGNS["batch"]["status"]
"""The HTTP status that a live request would have had, by the code of an item's error."""
_NOT_REACHED_CODES = frozenset[str](SIGNS["batch"]["later"])
"""Codes of a batch that ended before it came to all of its items: those may be asked again."""


class UnreadableList(OSError):
    """A reply that is not a list of batches, and so not an empty one. As an OSError it may be tried again."""


class UnnamedUpload(OSError):
    """A reply that does not say where an upload is. As an OSError it may be tried again."""


@dataclass(frozen=True)
class ResultCounts:
    """How many results a batch has, by its provider's own count."""

    answered: int
    failed: int

    @property
    def total(self) -> int:
        return self.answered + self.failed


@dataclass(frozen=True)
class EndedBatch:
    """How a batch ended, and where its results are."""

    state: str
    """The provider's word for how it ended."""
    result_places: tuple[str, ...]
    """Where its results are."""
    fault_without_result: Fault
    """What happened to the items that have no result."""
    succeeded: bool = False
    """The provider says that the batch has run, so that there must be results."""
    counts: ResultCounts | None = None
    """None: the provider does not say, or reports no results at all for a batch that has run."""
    is_gone: bool = False
    """There were results, and the provider has deleted them."""

    @property
    def has_answers(self) -> bool:
        """Whether the batch has answers, which are paid for."""
        if self.counts is None:
            return self.succeeded
        return self.counts.answered > 0


@dataclass(frozen=True)
class ListedBatch:
    """A batch in the list of an account."""

    id: str
    name: str
    """Our name for it; empty where there is none."""
    created: datetime | None
    n_items: int | None
    """None: the provider does not say."""


@dataclass(frozen=True)
class DamagedLine:
    """A line of a result file that cannot be read."""

    ids: tuple[str, ...]
    """Ids of the items in it, as far as they can be read."""
    message: str


@dataclass(frozen=True)
class ResultFile:
    """What a file of results has, line by line."""

    results: tuple[tuple[str, Reply | Fault], ...]
    """Ids of items with their replies or faults."""
    damaged: tuple[DamagedLine, ...]
    is_cut: bool
    """It ends in the middle of a line: more of it may come another time."""


class BatchApi:
    """One provider's batch API for one model. An adapter says how each step is called there."""

    keeps_names = True
    """Whether the provider keeps our name with a batch."""
    # Far below what the providers take (50,000 and 200 MB, 100,000 and 256 MB, 2 GB): a chunk is held in memory.
    most_items = 10_000
    most_bytes = 96_000_000

    def __init__(self, model: HostedModel) -> None:
        self.model = model
        self.client = model.client

    def make_item(self, id: str, request: dict[str, Any]) -> bytes:
        """A request, as the model's adapter makes it, as one item of a chunk."""
        raise NotImplementedError

    async def upload(self, name: str, items: Sequence[bytes]) -> str:
        """Puts a chunk where `create` finds it, and returns where that is."""
        raise NotImplementedError

    async def create(self, name: str, place: str, items: Sequence[bytes]) -> str:
        """Makes the batch of a chunk that was uploaded; the provider's id for it, empty where it does not say."""
        raise NotImplementedError

    def list_batches(self) -> AsyncIterator[ListedBatch]:
        """All batches of the account, in any order."""
        raise NotImplementedError

    async def find_end(self, batch: str) -> EndedBatch | None:
        """How a batch ended; None while it runs."""
        raise NotImplementedError

    async def fetch_results(self, place: str) -> bytes:
        """The file of results at one of `EndedBatch.result_places`."""
        raise NotImplementedError

    def read_result(self, line: Any) -> tuple[str, Reply | Fault]:
        """The id of the item that a line of results is about, empty where there is none, and its reply or fault."""
        raise NotImplementedError

    async def find_batches(self, name: str, n_items: int, since: datetime) -> list[str]:
        """The batches that are the chunk of that name, or may be it where the provider keeps no names."""
        if self.keeps_names:
            return [batch.id async for batch in self.list_batches() if batch.name == name]
        oldest = since - _CLOCK_DIFFERENCE
        return [batch.id async for batch in self.list_batches() if _may_be(batch, n_items, oldest)]

    def read_result_file(self, name: str, data: bytes) -> ResultFile:
        """The results in a file for the chunk of that name. A line that cannot be read costs no other line."""
        results = list[tuple[str, Reply | Fault]]()
        damaged = list[DamagedLine]()
        lines = [line for line in data.splitlines() if line.strip()]
        last_is_damaged = False
        for line in lines:
            last_is_damaged = False
            try:
                content = decode_json(line)  # bytes that are not UTF-8 are replaced, as in live replies
                id, reply = self.read_result(content)
            except (ValueError, RecursionError) as error:  # what is parsed may still be nested too deeply
                damaged.append(DamagedLine(_ids_in(line, name), f"{error}"[:200]))
                last_is_damaged = True
                continue
            if id:
                results.append((id, reply))
            else:
                damaged.append(DamagedLine(_ids_in(line, name), "it names no request"))
        is_cut = last_is_damaged and not data.endswith((b"\n", b"\r"))
        return ResultFile(tuple(results), tuple(damaged), is_cut)


def check_place(place: Any) -> str:
    """Where an upload is, as the provider says; an UnnamedUpload if it says nothing."""
    if not isinstance(place, str) or not place:
        raise UnnamedUpload("the provider does not say where the uploaded requests are")
    return place


def _ids_in(line: bytes, name: str) -> tuple[str, ...]:
    """The ids of a chunk's items that appear in a line."""
    ids = re.findall(rb"%s-\d{1,9}(?!\d)" % re.escape(name.encode()), line)
    return tuple(dict.fromkeys(id.decode() for id in ids))


def _may_be(batch: ListedBatch, n_items: int, oldest: datetime) -> bool:
    """Whether a batch without a name may be a chunk; facts that its provider does not give are ignored."""
    has_as_many_items = batch.n_items in (n_items, None)
    is_new_enough = batch.created is None or batch.created >= oldest
    return has_as_many_items and is_new_enough


def read_time(value: Any) -> datetime | None:
    """A time as providers write it, in seconds or in ISO 8601; None where it is neither."""
    try:
        if isinstance(value, int | float):
            return datetime.fromtimestamp(value, UTC)
        time = datetime.fromisoformat(value)
    except (TypeError, ValueError, OverflowError, OSError):
        return None
    return time if time.tzinfo else time.replace(tzinfo=UTC)


def read_count(value: Any) -> int | None:
    """A count; Google writes it as a text."""
    if isinstance(value, bool):
        return None
    if isinstance(value, str) and re.fullmatch(r"\d{1,12}", value):
        return int(value)
    return value if isinstance(value, int) and value >= 0 else None


def read_counts(
    counts_reply: Any, answered_names: Sequence[str], failed_names: Sequence[str], *, succeeded: bool
) -> ResultCounts | None:
    """The counts under these names; None where the provider gives none, or they contradict the batch's state."""
    n_answered = [read_count(at(counts_reply, name)) for name in answered_names]
    n_failed = [read_count(at(counts_reply, name)) for name in failed_names]
    if all(n is None for n in n_answered + n_failed):
        return None
    counts = ResultCounts(sum(filter(None, n_answered)), sum(filter(None, n_failed)))
    return None if succeeded and counts.total == 0 else counts


def ended_batch(
    state: str,
    *places: str,
    error: Any = None,
    succeeded: bool = False,
    counts: ResultCounts | None = None,
    is_gone: bool = False,
) -> EndedBatch:
    """A batch that is over. Items without a result that it did not get to are asked again."""
    message = f"the batch ended as {state!r} without a result for this request"
    fault = fault_of(error, type="BatchError", message=message)
    may_be_asked_again = error is None or bool(fault.codes & _NOT_REACHED_CODES)
    fault_without_result = Fault(
        fault.type,
        fault.message,
        status=None if may_be_asked_again else 400,
        codes=fault.codes,
        lost=may_be_asked_again,
    )
    result_places = tuple(place for place in places if place)
    return EndedBatch(state, result_places, fault_without_result, succeeded, counts, is_gone)


def no_result(line: str) -> Fault:
    """A line with neither an answer nor an error: the request may be paid for, so it is not asked again."""
    return Fault("DamagedResult", f"the line of its batch's results has no result: {line}")


def error_in(line: Any) -> Any:
    """The error of an item; None also where it says that nothing is wrong (Google's code 0 is OK)."""
    error = at(line, "error")
    return None if says_nothing(error) else error


def item_fault(error: Any, state: str, status: Any = None) -> Fault:
    """What went wrong with one item; it may be asked again where neither a status nor a code says what it was."""
    codes = (text_at(error, "type"), str(at(error, "code")))
    status_code = status or next((_STATUS_BY_CODE[code] for code in codes if code in _STATUS_BY_CODE), None)
    message = f"the request ended as {state!r} in its batch"
    return fault_of(error, type="BatchError", message=message, status=status_code, lost=not status_code)
