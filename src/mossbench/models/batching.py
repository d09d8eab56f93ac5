"""The batch APIs of the providers: many requests handed over at once, answered within a day, at a lower price.

One form for all three: `create` hands over a chunk of items under a name of ours, `ended` says when it is over,
`results` brings a line for each item, in any order. An item's id is the chunk's name and its number in the chunk.
OpenAI and Google keep the name with a batch; Anthropic does not, so that only the ids in its results tell whose it is.
Nothing here waits or tries again.
"""

import io
import json
from base64 import b64encode
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from mossbench.errors import UsageError
from mossbench.models.faults import Fault, fault_of
from mossbench.models.hosted import HostedModel, at, text_at
from mossbench.models.model import Model
from mossbench.models.replies import SIGNS, Reply

_TIMEOUT = 900.0  # seconds for one call: a chunk goes up, or its results come down
_OTHER_CLOCKS = timedelta(hours=1)  # by which a provider's clock may be behind ours
_GOOGLE = {"timeout": int(1000 * _TIMEOUT), "retry_options": {"attempts": 1}}
_STATUS: dict[str, int] = SIGNS["batch"]["status"]
_LATER = frozenset[str](SIGNS["batch"]["later"])


@dataclass(frozen=True)
class Ended:
    places: tuple[str, ...]
    """Where its results are."""
    why: Fault
    """What became of the items that have none."""


class Batches:
    """One provider's batch API for one model. An adapter says how each step is called there."""

    named = True
    """Whether the provider keeps our name with a batch."""
    # Far below what the providers take (50,000 and 200 MB, 100,000 and 256 MB, 2 GB): a chunk is held in memory.
    most_items, most_bytes = 10_000, 96_000_000

    def __init__(self, model: HostedModel) -> None:
        self.model, self.client = model, model.client

    def item(self, id: str, request: dict[str, Any]) -> bytes:
        """A request, as the model's adapter makes it, as one item of a chunk."""
        raise NotImplementedError

    async def create(self, name: str, items: Sequence[bytes]) -> str:
        """Hands a chunk over; the provider's id for it, empty where it does not say."""
        raise NotImplementedError

    def listed(self) -> AsyncIterator[tuple[str, datetime, str | int]]:
        """The account's batches: id, when it was made, and our name for it or, without names, how many items it has."""
        raise NotImplementedError

    async def ended(self, batch: str) -> Ended | None:
        """None: it goes on."""
        raise NotImplementedError

    async def results(self, place: str) -> bytes:
        raise NotImplementedError

    def read(self, line: Any) -> tuple[str, Reply | Fault]:
        """An item's id and what came of it; never raises, whatever it is."""
        raise NotImplementedError

    async def find(self, name: str, n: int, since: datetime) -> list[str]:
        """The batches that are the chunk of that name, or may be, where names are not kept."""
        oldest, wanted = since - _OTHER_CLOCKS, name if self.named else n
        return [id async for id, made, told in self.listed() if made >= oldest and told == wanted]

    def lines(self, data: bytes) -> Iterator[tuple[str, Reply | Fault]]:
        """The results in a file; lines that are torn or no JSON are left out."""
        for line in data.splitlines():
            with suppress(ValueError):
                yield self.read(json.loads(line))


def _ended(state: str, *places: str | None, said: Any = None) -> Ended:
    """A batch that is over. Of the items without a result, those that it did not come to are asked again."""
    fault = fault_of(said, type="BatchError", message=f"the batch ended as {state!r} without a result for this request")
    later = bool(fault.codes & _LATER) or said is None
    why = Fault(fault.type, fault.message, None if later else 400, fault.codes, lost=later)
    return Ended(tuple(filter(None, places)), why)


def _item_fault(error: Any, state: str, status: Any = None) -> Fault:
    named = (text_at(error, "type"), str(at(error, "code")))
    code = status or next((_STATUS[one] for one in named if one in _STATUS), None)
    message = f"the request ended as {state!r} in its batch"
    return fault_of(error, type="BatchError", message=message, status=code, lost=not code)


class OpenAIBatches(Batches):
    """Files and /v1/batches."""

    def item(self, id: str, request: dict[str, Any]) -> bytes:
        return _json({"custom_id": id, "method": "POST", "url": "/v1/chat/completions", "body": request})

    async def create(self, name: str, items: Sequence[bytes]) -> str:
        content = (f"{name}.jsonl", b"\n".join(items))
        file = await self.client.files.create(file=content, purpose="batch", timeout=_TIMEOUT)
        how = {"endpoint": "/v1/chat/completions", "completion_window": "24h", "timeout": _TIMEOUT}
        made = await self.client.batches.create(input_file_id=file.id, metadata={"mossbench": name}, **how)
        return str(made.id or "")

    async def listed(self) -> AsyncIterator[tuple[str, datetime, str | int]]:
        async for batch in self.client.batches.list(limit=100):
            made = datetime.fromtimestamp(batch.created_at, UTC)
            yield batch.id, made, (batch.metadata or {}).get("mossbench", "")

    async def ended(self, batch: str) -> Ended | None:
        found = await self.client.batches.retrieve(batch)
        if found.status not in ("completed", "failed", "expired", "cancelled"):
            return None
        errors = found.errors.to_dict() if found.errors and found.errors.data else None
        return _ended(found.status, found.output_file_id, found.error_file_id, said=errors)

    async def results(self, place: str) -> bytes:
        return bytes((await self.client.files.content(place, timeout=_TIMEOUT)).content)

    def read(self, line: Any) -> tuple[str, Reply | Fault]:
        id, status, body = text_at(line, "custom_id"), at(line, "response", "status_code"), at(line, "response", "body")
        if status == 200:
            return id, self.model.read(body)
        if error := at(line, "error"):
            return id, _item_fault(error, text_at(error, "code") or "failed")
        return id, _item_fault(at(body, "error") or body, "failed", status if isinstance(status, int) else None)


class AnthropicBatches(Batches):
    named = False

    def item(self, id: str, request: dict[str, Any]) -> bytes:
        return _json({"custom_id": id, "params": request})

    async def create(self, name: str, items: Sequence[bytes]) -> str:
        # Past the SDK's own method, which would parse and walk through all of it.
        options = {"headers": {"Content-Type": "application/json"}, "timeout": _TIMEOUT}
        body = b'{"requests":[' + b",".join(items) + b"]}"
        made = await self.client.post("/v1/messages/batches", content=body, cast_to=str, options=options)
        return text_at(json.loads(made), "id")

    async def listed(self) -> AsyncIterator[tuple[str, datetime, str | int]]:
        async for batch in self.client.messages.batches.list(limit=100):
            counts = batch.request_counts.to_dict().values()
            yield batch.id, batch.created_at, sum(n for n in counts if isinstance(n, int))

    async def ended(self, batch: str) -> Ended | None:
        found = await self.client.messages.batches.retrieve(batch)
        url = found.results_url
        return _ended("ended" if url else "archived", url) if found.processing_status == "ended" else None

    async def results(self, place: str) -> bytes:
        return bytes(await self.client.get(place, cast_to=bytes, options={"timeout": _TIMEOUT}))

    def read(self, line: Any) -> tuple[str, Reply | Fault]:
        id, result = text_at(line, "custom_id"), at(line, "result")
        if (state := text_at(result, "type")) == "succeeded":
            return id, self.model.read(at(result, "message"))
        return id, _item_fault(at(result, "error", "error"), state)


class GoogleBatches(Batches):
    """Batch mode, by files: requests within the call may have 20 MB in all."""

    def item(self, id: str, request: dict[str, Any]) -> bytes:
        config = dict(request["config"])
        whole = {name: config.pop(name) for name in ("system_instruction", "safety_settings") if name in config}
        if "system_instruction" in whole:
            whole["system_instruction"] = {"parts": [{"text": whole["system_instruction"]}]}
        return _json({"key": id, "request": {"contents": request["contents"], **whole, "generation_config": config}})

    async def create(self, name: str, items: Sequence[bytes]) -> str:
        how = {"display_name": name, "mime_type": "jsonl", "http_options": _GOOGLE}
        file = await self.client.aio.files.upload(file=io.BytesIO(b"\n".join(items)), config=how)
        how = {"display_name": name, "http_options": _GOOGLE}
        batch = await self.client.aio.batches.create(model=self.model.name.partition("/")[2], src=file.name, config=how)
        return str(batch.name or "")

    async def listed(self) -> AsyncIterator[tuple[str, datetime, str | int]]:
        async for batch in await self.client.aio.batches.list(config={"page_size": 100}):
            yield batch.name, batch.create_time or datetime.now(UTC), batch.display_name or ""

    async def ended(self, batch: str) -> Ended | None:
        found = await self.client.aio.batches.get(name=batch)
        state = str(getattr(found.state, "name", found.state)).removeprefix("JOB_STATE_")
        if state not in ("SUCCEEDED", "PARTIALLY_SUCCEEDED", "FAILED", "CANCELLED", "EXPIRED"):
            return None
        return _ended(state, found.dest.file_name if found.dest else None)

    async def results(self, place: str) -> bytes:
        return bytes(await self.client.aio.files.download(file=place, config={"http_options": _GOOGLE}))

    def read(self, line: Any) -> tuple[str, Reply | Fault]:
        id, error = text_at(line, "key"), at(line, "error")
        return id, _item_fault(error, "failed") if error else self.model.read(at(line, "response"))


def _json(content: dict[str, Any]) -> bytes:
    as_sdk = lambda image: b64encode(image).decode()  # noqa: E731
    return json.dumps(content, ensure_ascii=False, separators=(",", ":"), default=as_sdk).encode("utf-8", "replace")


_APIS: dict[str, type[Batches]] = {"openai": OpenAIBatches, "anthropic": AnthropicBatches, "google": GoogleBatches}


def batches_of(model: Model) -> Batches | None:
    """The batch API for a model; None where its provider has none."""
    api = _APIS.get(model.name.partition("/")[0])
    return api(model) if api and isinstance(model, HostedModel) else None


def batches_for(model: Model) -> Batches:
    """The same; a UsageError where its provider has none."""
    if (api := batches_of(model)) is not None:
        return api
    which = "only openai/…, anthropic/… and google/… have a batch API"
    raise UsageError(f"{model.name} cannot be asked in batches: {which}; take `engine='local'`")
