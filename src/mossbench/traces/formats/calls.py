"""Logs of requests and responses, as a gateway or an application writes them: the bodies are a provider's own.

`{"request": {…}, "response": {…}}`, also as `request_body` and `response_body` (Helicone), `body`, `input` and
`output`; or the fields of a request with its `response` or `choices` beside them. OpenAI's chat completions and
responses, Anthropic and Google are read.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mossbench.outcomes import Answer
from mossbench.traces.formats.columns import columns_of
from mossbench.traces.formats.messages import (
    CONVERSATION_NAMES,
    NESTED,
    TIME_NAMES,
    USER_NAMES,
    error_text,
    facts_of,
)
from mossbench.traces.formats.parts import FINISH_NAMES, decoded, turns_of
from mossbench.traces.formats.replies import answer_of_body, answer_of_text
from mossbench.traces.raw import Format, RawTrace, RawTurn, Record, Unreadable, first_text

_REQUESTS = ("request_body", "requestBody", "request", "body", "input", "prompt")
_RESPONSES = ("response_body", "responseBody", "response", "output", "completion", "choices", "candidates")
_STATUSES = ("response_status", "status_code", "status")
_TIMES = ("request_created_at", *TIME_NAMES)
_TAKEN = frozenset(
    (
        *(*_REQUESTS, *_RESPONSES, *_STATUSES, *_TIMES, *USER_NAMES, *CONVERSATION_NAMES, *FINISH_NAMES),
        *("id", "request_id", "response_id", "custom_id", "model", "request_model", "messages", "contents", "error"),
        *("request_user_id", "request_properties", "request_created_at", "response_created_at", "system", "usage"),
    )
)


def looks_like_call(record: Record) -> bool:
    has_request = any(name in record for name in (*_REQUESTS, "messages", "contents"))
    return has_request and any(name in record for name in _RESPONSES)


def read_call(record: Record) -> Iterator[RawTrace]:
    request = _request_of(record)
    body = _body_of(record)
    status = _status_of(record, body)
    if isinstance(body, dict) and "body" in body and "status_code" in body:  # a line of OpenAI's batches
        body = body["body"]
    error = error_text(record.get("error"))
    answer = answer_of_text(None, error=error) if error else answer_of_body(body, status=status)
    finish = first_text(record, *FINISH_NAMES)
    if finish and isinstance(body, str) and not error:
        answer = answer_of_text(body, finish=finish)
    facts = facts_of(record)
    metadata = request.get("metadata")
    metadata = metadata if isinstance(metadata, dict) else {}
    properties = record.get("request_properties")
    properties = properties if isinstance(properties, dict) else {}
    facts["at"] = next((record[name] for name in _TIMES if record.get(name)), None)
    facts["user"] = (
        first_text(record, "request_user_id") or facts["user"] or first_text({**request, **metadata}, *USER_NAMES)
    )
    facts["conversation"] = facts["conversation"] or first_text(
        {**metadata, **properties}, "Helicone-Session-Id", *CONVERSATION_NAMES
    )
    facts["model_asked"] = first_text(request, "model") or first_text(record, "request_model")
    facts["model"] = _model_of(body, answer) or facts["model"] or facts["model_asked"]
    yield RawTrace(
        turns=turns_of_request(request),
        answer=answer,
        **facts,
        columns=columns_of(record, _TAKEN, *NESTED, "request_properties"),
    )


def _request_of(record: Record) -> Record:
    """The body of the request."""
    for name in _REQUESTS:
        if name not in record:
            continue
        request = decoded(record[name])
        if isinstance(request, dict) and isinstance(request.get("body"), dict):
            request = request["body"]
        if isinstance(request, dict):
            return request
        if isinstance(request, (str, list)) and request:
            return {"messages": request}
    if "messages" in record or "contents" in record:
        return record
    raise Unreadable("there is no request")


def _body_of(record: Record) -> Any:
    for name in _RESPONSES:
        if name in ("choices", "candidates") and name in record:
            return record
        if name in record:
            return decoded(record[name])
    return None


def _status_of(record: Record, body: Any) -> int | None:
    values = [record.get(name) for name in _STATUSES]
    if isinstance(body, dict):
        values.append(body.get("status_code"))
    for value in values:
        if isinstance(value, str) and value.isdecimal():
            value = int(value)
        if isinstance(value, int) and not isinstance(value, bool) and 100 <= value < 600:
            return value
    return None


def _model_of(body: Any, answer: Answer) -> str:
    if answer.model:
        return answer.model
    return first_text(body, "model", "modelVersion", "model_version") if isinstance(body, dict) else ""


def turns_of_request(request: Record) -> list[RawTurn]:
    """The turns of a request's body, with its system prompt first."""
    system = next(
        (
            request[name]
            for name in ("system", "instructions", "systemInstruction", "system_instruction")
            if request.get(name)
        ),
        None,
    )
    turns = []
    if system is not None:
        turns.append(RawTurn("system", "\n".join(turn.text for turn in turns_of(_as_messages(system)))))
    messages = next(
        (request[name] for name in ("messages", "contents", "input", "prompt") if request.get(name) is not None), None
    )
    if messages is None:
        raise Unreadable("the request has no messages, contents, input or prompt")
    return [*turns, *turns_of(messages)]


def _as_messages(system: Any) -> Any:
    """A system prompt as messages: a text, a list of parts, or Google's object with parts."""
    if isinstance(system, list):
        return [{"role": "system", "content": system}]
    return system


FORMAT = Format(
    "calls", "requests with their responses (OpenAI, Anthropic, Google, Helicone)", looks_like_call, read_call
)
