"""The batch APIs of the providers: many requests sent together, answered within a day, at a lower price.

One interface for all three: `upload` puts a chunk of items where a batch can find it, which costs nothing; `create`
makes the batch, under a name of ours, and is what is paid for; `ended` says when it is over; `results` returns a line
for each item, in any order. An item's id is the chunk's name and its number in the chunk. OpenAI and Google keep the
name with a batch; Anthropic does not, so only the ids in its results tell which chunk it is. Nothing here waits or
tries again.

A provider's replies about its batches are read as plain JSON, not into the SDKs' classes: a field that is missing or
has another type must neither end a run nor hide a batch that is paid for.
"""

import io
import json
import re
from base64 import b64encode
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import quote, urlencode, urlsplit

from mossbench.errors import UsageError
from mossbench.models.bodies import decode_json, says_nothing
from mossbench.models.faults import Fault, fault_of
from mossbench.models.hosted import HostedModel, at, kind_of, text_at
from mossbench.models.model import Model
from mossbench.models.replies import SIGNS, Reply
from mossbench.plumbing.untrusted_files import parse_json
from mossbench.ways_out import SetOption

_TIMEOUT = 900.0  # seconds for one call: a chunk goes up, or its results come down
_OTHER_CLOCKS = timedelta(hours=1)  # by which a provider's clock may be behind ours
_GOOGLE = {"timeout": int(1000 * _TIMEOUT), "retry_options": {"attempts": 1}}
_STATUS: dict[str, int] = SIGNS["batch"]["status"]
_LATER = frozenset[str](SIGNS["batch"]["later"])


class UnreadableList(OSError):
    """A reply that is not a list of batches, and so not an empty one. As an OSError it may be tried again."""


class UnnamedUpload(OSError):
    """A reply that does not say where an upload is. As an OSError it may be tried again."""


@dataclass(frozen=True)
class Counts:
    """How many results a batch has, by its provider's own count."""

    answered: int
    failed: int

    @property
    def total(self) -> int:
        return self.answered + self.failed


@dataclass(frozen=True)
class Ended:
    state: str
    """The provider's word for how it ended."""
    places: tuple[str, ...]
    """Where its results are."""
    why: Fault
    """What happened to the items that have no result."""
    succeeded: bool = False
    """The provider says that the batch has run, so that there must be results."""
    counts: Counts | None = None
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
    results: tuple[tuple[str, Reply | Fault], ...]
    """Ids of items with their replies or faults."""
    damaged: tuple[DamagedLine, ...]
    is_cut: bool
    """It ends in the middle of a line: more of it may come another time."""


class Batches:
    """One provider's batch API for one model. An adapter says how each step is called there."""

    named = True
    """Whether the provider keeps our name with a batch."""
    # Far below what the providers take (50,000 and 200 MB, 100,000 and 256 MB, 2 GB): a chunk is held in memory.
    most_items = 10_000
    most_bytes = 96_000_000

    def __init__(self, model: HostedModel) -> None:
        self.model = model
        self.client = model.client

    def item(self, id: str, request: dict[str, Any]) -> bytes:
        """A request, as the model's adapter makes it, as one item of a chunk."""
        raise NotImplementedError

    async def upload(self, name: str, items: Sequence[bytes]) -> str:
        """Puts a chunk where `create` finds it, and returns where that is."""
        raise NotImplementedError

    async def create(self, name: str, place: str, items: Sequence[bytes]) -> str:
        """Makes the batch of a chunk that was uploaded; the provider's id for it, empty where it does not say."""
        raise NotImplementedError

    def listed(self) -> AsyncIterator[ListedBatch]:
        """All batches of the account, in any order."""
        raise NotImplementedError

    async def ended(self, batch: str) -> Ended | None:
        """How a batch ended; None while it runs."""
        raise NotImplementedError

    async def results(self, place: str) -> bytes:
        raise NotImplementedError

    def read(self, line: Any) -> tuple[str, Reply | Fault]:
        """An item's id, empty where there is none, and its reply or fault."""
        raise NotImplementedError

    async def find(self, name: str, n: int, since: datetime) -> list[str]:
        """The batches that are the chunk of that name, or may be it where the provider keeps no names."""
        if self.named:
            return [batch.id async for batch in self.listed() if batch.name == name]
        oldest = since - _OTHER_CLOCKS
        return [batch.id async for batch in self.listed() if _may_be(batch, n, oldest)]

    def result_file(self, name: str, data: bytes) -> ResultFile:
        """The results in a file for the chunk of that name. A line that cannot be read costs no other line."""
        results = list[tuple[str, Reply | Fault]]()
        damaged = list[DamagedLine]()
        lines = [line for line in data.splitlines() if line.strip()]
        last_is_damaged = False
        for line in lines:
            last_is_damaged = False
            try:
                id, reply = self.read(decode_json(line))  # bytes that are not UTF-8 are replaced, as in live replies
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


def _named(place: Any) -> str:
    if not isinstance(place, str) or not place:
        raise UnnamedUpload("the provider does not say where the uploaded requests are")
    return place


def _ids_in(line: bytes, name: str) -> tuple[str, ...]:
    """The ids of a chunk's items that appear in a line."""
    ids = re.findall(rb"%s-\d{1,9}(?!\d)" % re.escape(name.encode()), line)
    return tuple(dict.fromkeys(id.decode() for id in ids))


def _may_be(batch: ListedBatch, n_items: int, oldest: datetime) -> bool:
    """Whether a batch without a name may be a chunk; facts that its provider does not give are ignored."""
    fits = batch.n_items in (n_items, None)
    is_new = batch.created is None or batch.created >= oldest
    return fits and is_new


def _time(value: Any) -> datetime | None:
    """A time as providers write it, in seconds or in ISO 8601; None where it is neither."""
    try:
        if isinstance(value, int | float):
            return datetime.fromtimestamp(value, UTC)
        time = datetime.fromisoformat(value)
    except (TypeError, ValueError, OverflowError, OSError):
        return None
    return time if time.tzinfo else time.replace(tzinfo=UTC)


def _number(value: Any) -> int | None:
    """A count; Google writes it as a text."""
    if isinstance(value, bool):
        return None
    if isinstance(value, str) and re.fullmatch(r"\d{1,12}", value):
        return int(value)
    return value if isinstance(value, int) and value >= 0 else None


def _counts(about: Any, answered: Sequence[str], failed: Sequence[str], *, succeeded: bool) -> Counts | None:
    """The counts under these names; None where the provider gives none, or they contradict the batch's state."""
    n_answered = [_number(at(about, name)) for name in answered]
    n_failed = [_number(at(about, name)) for name in failed]
    if all(n is None for n in n_answered + n_failed):
        return None
    counts = Counts(sum(filter(None, n_answered)), sum(filter(None, n_failed)))
    return None if succeeded and counts.total == 0 else counts


def _batches_in(reply: Any) -> list[dict[str, Any]]:
    """The batches of one page of OpenAI's and Anthropic's lists."""
    page = at(reply, "data")
    if not isinstance(page, list):
        raise UnreadableList(f"the list of batches cannot be read: data is {kind_of(page)}")
    return [batch for batch in page if text_at(batch, "id")]


def _ended(
    state: str,
    *places: str,
    error: Any = None,
    succeeded: bool = False,
    counts: Counts | None = None,
    is_gone: bool = False,
) -> Ended:
    """A batch that is over. Items without a result that it did not get to are asked again."""
    message = f"the batch ended as {state!r} without a result for this request"
    fault = fault_of(error, type="BatchError", message=message)
    later = bool(fault.codes & _LATER) or error is None
    why = Fault(fault.type, fault.message, None if later else 400, fault.codes, lost=later)
    named = tuple(place for place in places if place)
    return Ended(state, named, why, succeeded=succeeded, counts=counts, is_gone=is_gone)


def _no_result(line: str) -> Fault:
    """A line with neither an answer nor an error: the request may be paid for, so it is not asked again."""
    return Fault("DamagedResult", f"the line of its batch's results has no result: {line}")


def _error_in(line: Any) -> Any:
    """The error of an item; None also where it says that nothing is wrong (Google's code 0 is OK)."""
    error = at(line, "error")
    return None if says_nothing(error) else error


def _item_fault(error: Any, state: str, status: Any = None) -> Fault:
    codes = (text_at(error, "type"), str(at(error, "code")))
    status_code = status or next((_STATUS[code] for code in codes if code in _STATUS), None)
    message = f"the request ended as {state!r} in its batch"
    return fault_of(error, type="BatchError", message=message, status=status_code, lost=not status_code)


class OpenAIBatches(Batches):
    """Files and /v1/batches."""

    def item(self, id: str, request: dict[str, Any]) -> bytes:
        return _json({"custom_id": id, "method": "POST", "url": "/v1/chat/completions", "body": request})

    async def upload(self, name: str, items: Sequence[bytes]) -> str:
        content = (f"{name}.jsonl", b"\n".join(items))
        file = await self.client.files.create(file=content, purpose="batch", timeout=_TIMEOUT)
        return _named(file.id)

    async def create(self, name: str, place: str, items: Sequence[bytes]) -> str:
        body = {
            "input_file_id": place,
            "endpoint": "/v1/chat/completions",
            "completion_window": "24h",
            "metadata": {"mossbench": name},
        }
        reply = await self.client.post("/batches", cast_to=str, body=body, options={"timeout": _TIMEOUT})
        return text_at(parse_json(reply), "id")

    async def listed(self) -> AsyncIterator[ListedBatch]:
        async for batch in _pages(self.client, "/batches", "after"):
            name = text_at(batch, "metadata", "mossbench")
            n_items = _number(at(batch, "request_counts", "total"))
            yield ListedBatch(batch["id"], name, _time(batch.get("created_at")), n_items)

    async def ended(self, batch: str) -> Ended | None:
        about = parse_json(await self.client.get(f"/batches/{quote(batch, safe='')}", cast_to=str))
        state = text_at(about, "status")
        if state not in ("completed", "failed", "expired", "cancelled"):
            return None
        succeeded = state == "completed"
        counts = _counts(at(about, "request_counts"), ["completed"], ["failed"], succeeded=succeeded)
        errors = at(about, "errors") if at(about, "errors", "data") else None
        places = (text_at(about, "output_file_id"), text_at(about, "error_file_id"))
        return _ended(state, *places, error=errors, succeeded=succeeded, counts=counts)

    async def results(self, place: str) -> bytes:
        return bytes((await self.client.files.content(place, timeout=_TIMEOUT)).content)

    def read(self, line: Any) -> tuple[str, Reply | Fault]:
        id = text_at(line, "custom_id")
        status = _number(at(line, "response", "status_code"))
        body = at(line, "response", "body")
        error = _error_in(line)
        if status == 200 or (status is None and isinstance(body, dict) and not error):
            return id, self.model.read(body)
        if error:
            return id, _item_fault(error, text_at(error, "code") or "failed")
        if status is None:
            return id, _no_result("response and error are empty")
        return id, _item_fault(at(body, "error") or body, "failed", status)


async def _pages(client: Any, path: str, cursor: str) -> AsyncIterator[dict[str, Any]]:
    """The batches in OpenAI's or Anthropic's list, page by page; `cursor` is the parameter that names the last one."""
    ids_seen = set[str]()
    params: dict[str, Any] = {"limit": 100}
    while True:
        reply = parse_json(await client.get(path, cast_to=str, options={"params": dict(params)}))
        new = [batch for batch in _batches_in(reply) if batch["id"] not in ids_seen]
        for batch in new:
            yield batch
        if not new or at(reply, "has_more") is False:
            return
        ids_seen.update(batch["id"] for batch in new)
        params[cursor] = text_at(reply, "last_id") or new[-1]["id"]


class AnthropicBatches(Batches):
    named = False

    def item(self, id: str, request: dict[str, Any]) -> bytes:
        return _json({"custom_id": id, "params": request})

    async def upload(self, name: str, items: Sequence[bytes]) -> str:
        return ""  # its requests go with the call that makes the batch

    async def create(self, name: str, place: str, items: Sequence[bytes]) -> str:
        # Past the SDK's own method, which would parse and walk through all of it.
        options = {"headers": {"Content-Type": "application/json"}, "timeout": _TIMEOUT}
        body = b'{"requests":[' + b",".join(items) + b"]}"
        reply = await self.client.post("/v1/messages/batches", content=body, cast_to=str, options=options)
        return text_at(parse_json(reply), "id")

    async def listed(self) -> AsyncIterator[ListedBatch]:
        async for batch in _pages(self.client, "/v1/messages/batches", "after_id"):
            counts = _counts(batch.get("request_counts"), ["processing"], _ANTHROPIC_ENDS, succeeded=True)
            yield ListedBatch(batch["id"], "", _time(batch.get("created_at")), counts.total if counts else None)

    async def ended(self, batch: str) -> Ended | None:
        path = f"/v1/messages/batches/{quote(batch, safe='')}"
        about = parse_json(await self.client.get(path, cast_to=str))
        if text_at(about, "processing_status") != "ended":
            return None
        counts = _counts(at(about, "request_counts"), ["succeeded"], _ANTHROPIC_ENDS[1:], succeeded=True)
        url = text_at(about, "results_url")
        is_gone = not url and bool(text_at(about, "archived_at"))
        place = url
        if url and not _same_origin(url, str(self.client.base_url)):
            place = f"{path}/results"
        return _ended("archived" if is_gone else "ended", place, succeeded=True, counts=counts, is_gone=is_gone)

    async def results(self, place: str) -> bytes:
        return bytes(await self.client.get(place, cast_to=bytes, options={"timeout": _TIMEOUT}))

    def read(self, line: Any) -> tuple[str, Reply | Fault]:
        id = text_at(line, "custom_id")
        result = at(line, "result")
        state = text_at(result, "type")
        if state == "succeeded":
            return id, self.model.read(at(result, "message"))
        if state not in ("errored", "canceled", "expired"):
            return id, _no_result(f"result.type is {state[:80]!r}")
        return id, _item_fault(at(result, "error", "error"), state)


_ANTHROPIC_ENDS = ("succeeded", "errored", "canceled", "expired")


def _same_origin(url: str, expected: str) -> bool:
    """Whether two addresses have the same host: the key is sent to no other, whatever a reply names."""
    try:
        parts = urlsplit(url)
        return (parts.scheme, parts.netloc) == (urlsplit(expected).scheme, urlsplit(expected).netloc)
    except ValueError:
        return False


class GoogleBatches(Batches):
    """Batch mode, by files: requests within the call may have 20 MB in all."""

    def item(self, id: str, request: dict[str, Any]) -> bytes:
        config = dict(request["config"])
        fields = {name: config.pop(name) for name in ("system_instruction", "safety_settings") if name in config}
        if "system_instruction" in fields:
            fields["system_instruction"] = {"parts": [{"text": fields["system_instruction"]}]}
        return _json({"key": id, "request": {"contents": request["contents"], **fields, "generation_config": config}})

    async def upload(self, name: str, items: Sequence[bytes]) -> str:
        config = {"display_name": name, "mime_type": "jsonl", "http_options": _GOOGLE}
        file = await self.client.aio.files.upload(file=io.BytesIO(b"\n".join(items)), config=config)
        return _named(file.name)

    async def create(self, name: str, place: str, items: Sequence[bytes]) -> str:
        config = {"display_name": name, "http_options": _GOOGLE}
        batch = await self.client.aio.batches.create(model=self.model.name.partition("/")[2], src=place, config=config)
        return str(batch.name or "")

    async def listed(self) -> AsyncIterator[ListedBatch]:
        tokens_seen = set[str]()
        query = {"pageSize": "100"}
        while True:
            reply = await self._get(f"batches?{urlencode(query)}")
            page = at(reply, "operations")
            if not isinstance(reply, dict) or not isinstance(page, list | None):
                raise UnreadableList(f"the list of batches cannot be read: it is {kind_of(page or reply)}")
            for batch in page or []:
                if text_at(batch, "name"):
                    name = text_at(batch, "metadata", "displayName")
                    created = _time(at(batch, "metadata", "createTime"))
                    n_items = _number(at(batch, "metadata", "batchStats", "requestCount"))
                    yield ListedBatch(batch["name"], name, created, n_items)
            token = text_at(reply, "nextPageToken")
            if not token or token in tokens_seen:
                return
            tokens_seen.add(token)
            query["pageToken"] = token

    async def ended(self, batch: str) -> Ended | None:
        about = await self._get(quote(batch))
        state = re.sub("^(BATCH|JOB)_STATE_", "", text_at(about, "metadata", "state"))
        if state not in ("SUCCEEDED", "PARTIALLY_SUCCEEDED", "FAILED", "CANCELLED", "EXPIRED"):
            return None
        succeeded = state in ("SUCCEEDED", "PARTIALLY_SUCCEEDED")
        stats = at(about, "metadata", "batchStats")
        counts = _counts(stats, ["successfulRequestCount"], ["failedRequestCount"], succeeded=succeeded)
        place = text_at(about, "metadata", "output", "responsesFile") or text_at(about, "response", "responsesFile")
        return _ended(state, place, succeeded=succeeded, counts=counts)

    async def _get(self, path: str) -> Any:
        """A reply as it is: the SDK's own reading leaves out how many results a batch has."""
        response = await self.client._api_client.async_request("get", path, {}, None)
        return parse_json(response.body or "")

    async def results(self, place: str) -> bytes:
        return bytes(await self.client.aio.files.download(file=place, config={"http_options": _GOOGLE}))

    def read(self, line: Any) -> tuple[str, Reply | Fault]:
        id = text_at(line, "key")
        error = _error_in(line)
        return id, _item_fault(error, "failed") if error else self.model.read(at(line, "response"))


def _json(content: dict[str, Any]) -> bytes:
    text = json.dumps(content, ensure_ascii=False, separators=(",", ":"), default=_base64)
    return text.encode("utf-8", "replace")


def _base64(image: bytes) -> str:
    """The bytes of an image as the SDK writes them."""
    return b64encode(image).decode()


_APIS: dict[str, type[Batches]] = {"openai": OpenAIBatches, "anthropic": AnthropicBatches, "google": GoogleBatches}


def batches_of(model: Model) -> Batches | None:
    """The batch API for a model; None where its provider has none."""
    api = _APIS.get(model.name.partition("/")[0])
    return api(model) if api and isinstance(model, HostedModel) else None


def batches_for(model: Model) -> Batches:
    """The same; a UsageError where its provider has none."""
    api = batches_of(model)
    if api is None:
        problem = "only openai/…, anthropic/… and google/… have a batch API"
        raise UsageError(f"{model.name} cannot be asked in batches: {problem}", way_out=SetOption("engine", "local"))
    return api
