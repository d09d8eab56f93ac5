"""The batch APIs of OpenAI, Anthropic and Google; `batch_api` has the interface.

OpenAI and Google keep the name of a chunk with its batch; Anthropic does not, so only the ids in its results tell which
chunk it is.
"""

import io
import json
import re
from base64 import b64encode
from collections.abc import AsyncIterator, Sequence
from typing import Any
from urllib.parse import quote, urlencode, urlsplit

from mossbench.errors import UsageError
from mossbench.models.batch_api import (
    BatchApi,
    EndedBatch,
    ListedBatch,
    UnreadableList,
    check_place,
    ended_batch,
    error_in,
    item_fault,
    no_result,
    read_count,
    read_counts,
    read_time,
)
from mossbench.models.faults import Fault
from mossbench.models.hosted import HostedModel, at, kind_of, text_at
from mossbench.models.model import Model
from mossbench.models.parameters import BODY
from mossbench.models.replies import Reply
from mossbench.plumbing.untrusted_files import parse_json
from mossbench.ways_out import SetOption

_TIMEOUT = 900.0
"""Seconds for one call: a chunk goes up, or its results come down."""
_GOOGLE_HTTP_OPTIONS = {"timeout": int(1000 * _TIMEOUT), "retry_options": {"attempts": 1}}
_ANTHROPIC_ENDS = ("succeeded", "errored", "canceled", "expired")


class OpenAIBatches(BatchApi):
    """Files and /v1/batches."""

    def make_item(self, id: str, request: dict[str, Any]) -> bytes:
        return _json({"custom_id": id, "method": "POST", "url": "/v1/chat/completions", "body": request})

    async def upload(self, name: str, items: Sequence[bytes]) -> str:
        content = (f"{name}.jsonl", b"\n".join(items))
        file = await self.client.files.create(file=content, purpose="batch", timeout=_TIMEOUT)
        return check_place(file.id)

    async def create(self, name: str, place: str, items: Sequence[bytes]) -> str:
        body = {
            "input_file_id": place,
            "endpoint": "/v1/chat/completions",
            "completion_window": "24h",
            "metadata": {"mossbench": name},
        }
        reply = await self.client.post("/batches", cast_to=str, body=body, options={"timeout": _TIMEOUT})
        return text_at(parse_json(reply), "id")

    async def list_batches(self) -> AsyncIterator[ListedBatch]:
        async for batch in _pages(self.client, "/batches", "after"):
            name = text_at(batch, "metadata", "mossbench")
            n_items = read_count(at(batch, "request_counts", "total"))
            yield ListedBatch(batch["id"], name, read_time(batch.get("created_at")), n_items)

    async def find_end(self, batch: str) -> EndedBatch | None:
        about = parse_json(await self.client.get(f"/batches/{quote(batch, safe='')}", cast_to=str))
        state = text_at(about, "status")
        if state not in ("completed", "failed", "expired", "cancelled"):
            return None
        succeeded = state == "completed"
        counts = read_counts(at(about, "request_counts"), ["completed"], ["failed"], succeeded=succeeded)
        errors = at(about, "errors") if at(about, "errors", "data") else None
        places = (text_at(about, "output_file_id"), text_at(about, "error_file_id"))
        return ended_batch(state, *places, error=errors, succeeded=succeeded, counts=counts)

    async def fetch_results(self, place: str) -> bytes:
        return bytes((await self.client.files.content(place, timeout=_TIMEOUT)).content)

    def read_result(self, line: Any) -> tuple[str, Reply | Fault]:
        id = text_at(line, "custom_id")
        status = read_count(at(line, "response", "status_code"))
        body = at(line, "response", "body")
        error = error_in(line)
        if status == 200 or (status is None and isinstance(body, dict) and not error):
            return id, self.model.read(body)
        if error:
            return id, item_fault(error, text_at(error, "code") or "failed")
        if status is None:
            return id, no_result("response and error are empty")
        return id, item_fault(at(body, "error") or body, "failed", status)


class AnthropicBatches(BatchApi):
    """/v1/messages/batches: its requests go with the call that makes the batch."""

    keeps_names = False

    def make_item(self, id: str, request: dict[str, Any]) -> bytes:
        return _json({"custom_id": id, "params": request})

    async def upload(self, name: str, items: Sequence[bytes]) -> str:
        return ""  # there is nothing to upload

    async def create(self, name: str, place: str, items: Sequence[bytes]) -> str:
        # Past the SDK's own method, which would parse and walk through all of it.
        options = {"headers": {"Content-Type": "application/json"}, "timeout": _TIMEOUT}
        body = b'{"requests":[' + b",".join(items) + b"]}"
        reply = await self.client.post("/v1/messages/batches", content=body, cast_to=str, options=options)
        return text_at(parse_json(reply), "id")

    async def list_batches(self) -> AsyncIterator[ListedBatch]:
        async for batch in _pages(self.client, "/v1/messages/batches", "after_id"):
            counts = read_counts(batch.get("request_counts"), ["processing"], _ANTHROPIC_ENDS, succeeded=True)
            yield ListedBatch(batch["id"], "", read_time(batch.get("created_at")), counts.total if counts else None)

    async def find_end(self, batch: str) -> EndedBatch | None:
        path = f"/v1/messages/batches/{quote(batch, safe='')}"
        about = parse_json(await self.client.get(path, cast_to=str))
        if text_at(about, "processing_status") != "ended":
            return None
        counts = read_counts(at(about, "request_counts"), ["succeeded"], _ANTHROPIC_ENDS[1:], succeeded=True)
        url = text_at(about, "results_url")
        is_gone = not url and bool(text_at(about, "archived_at"))
        place = url
        if url and not _same_origin(url, str(self.client.base_url)):
            place = f"{path}/results"
        return ended_batch("archived" if is_gone else "ended", place, succeeded=True, counts=counts, is_gone=is_gone)

    async def fetch_results(self, place: str) -> bytes:
        return bytes(await self.client.get(place, cast_to=bytes, options={"timeout": _TIMEOUT}))

    def read_result(self, line: Any) -> tuple[str, Reply | Fault]:
        id = text_at(line, "custom_id")
        result = at(line, "result")
        state = text_at(result, "type")
        if state == "succeeded":
            return id, self.model.read(at(result, "message"))
        if state not in ("errored", "canceled", "expired"):
            return id, no_result(f"result.type is {state[:80]!r}")
        return id, item_fault(at(result, "error", "error"), state)


class GoogleBatches(BatchApi):
    """Batch mode, by files: requests within the call may have 20 MB in all."""

    def make_item(self, id: str, request: dict[str, Any]) -> bytes:
        config = dict(request["config"])
        beside = ("system_instruction", "safety_settings", "service_tier", "store")
        fields = {name: config.pop(name) for name in beside if name in config}
        fields |= config.pop(BODY, {})
        if "system_instruction" in fields:
            fields["system_instruction"] = {"parts": [{"text": fields["system_instruction"]}]}
        return _json({"key": id, "request": {"contents": request["contents"], **fields, "generation_config": config}})

    async def upload(self, name: str, items: Sequence[bytes]) -> str:
        config = {"display_name": name, "mime_type": "jsonl", "http_options": _GOOGLE_HTTP_OPTIONS}
        file = await self.client.aio.files.upload(file=io.BytesIO(b"\n".join(items)), config=config)
        return check_place(file.name)

    async def create(self, name: str, place: str, items: Sequence[bytes]) -> str:
        config = {"display_name": name, "http_options": _GOOGLE_HTTP_OPTIONS}
        batch = await self.client.aio.batches.create(model=self.model.name.partition("/")[2], src=place, config=config)
        return str(batch.name or "")

    async def list_batches(self) -> AsyncIterator[ListedBatch]:
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
                    created = read_time(at(batch, "metadata", "createTime"))
                    n_items = read_count(at(batch, "metadata", "batchStats", "requestCount"))
                    yield ListedBatch(batch["name"], name, created, n_items)
            token = text_at(reply, "nextPageToken")
            if not token or token in tokens_seen:
                return
            tokens_seen.add(token)
            query["pageToken"] = token

    async def find_end(self, batch: str) -> EndedBatch | None:
        about = await self._get(quote(batch))
        state = re.sub("^(BATCH|JOB)_STATE_", "", text_at(about, "metadata", "state"))
        if state not in ("SUCCEEDED", "PARTIALLY_SUCCEEDED", "FAILED", "CANCELLED", "EXPIRED"):
            return None
        succeeded = state in ("SUCCEEDED", "PARTIALLY_SUCCEEDED")
        stats = at(about, "metadata", "batchStats")
        counts = read_counts(stats, ["successfulRequestCount"], ["failedRequestCount"], succeeded=succeeded)
        place = text_at(about, "metadata", "output", "responsesFile") or text_at(about, "response", "responsesFile")
        return ended_batch(state, place, succeeded=succeeded, counts=counts)

    async def _get(self, path: str) -> Any:
        """A reply as it is: the SDK's own reading leaves out how many results a batch has."""
        response = await self.client._api_client.async_request("get", path, {}, None)
        return parse_json(response.body or "")

    async def fetch_results(self, place: str) -> bytes:
        return bytes(await self.client.aio.files.download(file=place, config={"http_options": _GOOGLE_HTTP_OPTIONS}))

    def read_result(self, line: Any) -> tuple[str, Reply | Fault]:
        id = text_at(line, "key")
        error = error_in(line)
        return id, item_fault(error, "failed") if error else self.model.read(at(line, "response"))


# Shared by the adapters


async def _pages(client: Any, path: str, cursor: str) -> AsyncIterator[dict[str, Any]]:
    """The batches in OpenAI's or Anthropic's list, page by page; `cursor` is the parameter that names the last one."""
    ids_seen = set[str]()
    params: dict[str, Any] = {"limit": 100}
    while True:
        reply = parse_json(await client.get(path, cast_to=str, options={"params": dict(params)}))
        new_batches = [batch for batch in _batches_in(reply) if batch["id"] not in ids_seen]
        for batch in new_batches:
            yield batch
        if not new_batches or at(reply, "has_more") is False:
            return
        ids_seen.update(batch["id"] for batch in new_batches)
        params[cursor] = text_at(reply, "last_id") or new_batches[-1]["id"]


def _batches_in(reply: Any) -> list[dict[str, Any]]:
    """The batches of one page of OpenAI's and Anthropic's lists."""
    page = at(reply, "data")
    if not isinstance(page, list):
        raise UnreadableList(f"the list of batches cannot be read: data is {kind_of(page)}")
    return [batch for batch in page if text_at(batch, "id")]


def _same_origin(url: str, expected: str) -> bool:
    """Whether two addresses have the same host: the key is sent to no other, whatever a reply names."""
    try:
        parts = urlsplit(url)
        return (parts.scheme, parts.netloc) == (urlsplit(expected).scheme, urlsplit(expected).netloc)
    except ValueError:
        return False


def _json(content: dict[str, Any]) -> bytes:
    text = json.dumps(content, ensure_ascii=False, separators=(",", ":"), default=_base64)
    return text.encode("utf-8", "replace")


def _base64(image: bytes) -> str:
    """The bytes of an image as the SDK writes them."""
    return b64encode(image).decode()


# Which model has one

_APIS: dict[str, type[BatchApi]] = {"openai": OpenAIBatches, "anthropic": AnthropicBatches, "google": GoogleBatches}


def batch_api_of(model: Model) -> BatchApi | None:
    """The batch API for a model; None where its provider has none."""
    api = _APIS.get(model.name.partition("/")[0])
    return api(model) if api and isinstance(model, HostedModel) else None


def batch_api_for(model: Model) -> BatchApi:
    """The batch API for a model; a UsageError where its provider has none."""
    api = batch_api_of(model)
    if api is None:
        problem = "only openai/…, anthropic/… and google/… have a batch API"
        raise UsageError(f"{model.name} cannot be asked in batches: {problem}", way_out=SetOption("engine", "local"))
    return api
