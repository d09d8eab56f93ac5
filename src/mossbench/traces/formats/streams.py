"""Replies that were logged as they streamed, joined to the body that the same call has without streaming.

The events stand in a list, or in a text as server-sent events (`data: {…}`). Of several choices the first is joined.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from mossbench.plumbing.untrusted_files import parse_json

Event = Mapping[str, Any]
_ANTHROPIC_EVENTS = ("message_start", "content_block_delta", "message_delta")


def joined_stream(body: Any) -> Any:
    """The body that the events of a stream make; any other body as it is."""
    if isinstance(body, str):
        events = list(_events_in(body))
    elif isinstance(body, Sequence):
        events = [event for event in body if isinstance(event, Mapping)]
    else:
        return body
    join = _joiner_of(events)
    return body if join is None else join(events)


def _events_in(text: str) -> Iterator[Event]:
    """The events of a text of server-sent events; none of any other text."""
    if not text.lstrip().startswith(("data:", "event:")):
        return
    for line in text.replace("\r", "\n").split("\n"):  # not at U+2028, which may stand in JSON
        if not line.startswith("data:"):
            continue
        try:
            event = parse_json(line.removeprefix("data:"))
        except ValueError:  # [DONE], or a line that was cut
            continue
        if isinstance(event, Mapping):
            yield event


def _joiner_of(events: Sequence[Event]) -> Callable[[Sequence[Event]], Any] | None:
    """What joins the events of their provider; None where they are no stream."""
    if any(_is_openai_chunk(event) for event in events):
        return _joined_openai
    kinds = [str(event.get("type", "")) for event in events]
    if any(kind.startswith("response.") for kind in kinds):
        return _joined_responses
    if any(kind in _ANTHROPIC_EVENTS for kind in kinds):
        return _joined_anthropic
    if len(events) > 1 and all("candidates" in event or "promptFeedback" in event for event in events):
        return _joined_google
    return None


# OpenAI


def _is_openai_chunk(event: Event) -> bool:
    choice = _first(event.get("choices"))
    is_chunk = str(event.get("object", "")).endswith(".chunk")
    return is_chunk or (isinstance(choice, Mapping) and isinstance(choice.get("delta"), Mapping))


def _joined_openai(events: Sequence[Event]) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": "", "refusal": "", "tool_calls": []}
    body: dict[str, Any] = {}
    finish = None
    for event in events:
        body["model"] = event.get("model") or body.get("model")
        if event.get("error"):
            body["error"] = event["error"]
        choice = _choice_of(event)
        delta = choice.get("delta")
        if isinstance(delta, Mapping):
            message["content"] += _text(delta.get("content"))
            message["refusal"] += _text(delta.get("refusal"))
            message["tool_calls"] += delta.get("tool_calls") or []
        message["content"] += _text(choice.get("text"))
        finish = choice.get("finish_reason") or finish
    return {**body, "choices": [{"index": 0, "message": message, "finish_reason": finish}]}


def _choice_of(event: Event) -> Event:
    """The first choice of a chunk; empty where it is of another one, or of none."""
    choices = event.get("choices")
    for choice in choices if isinstance(choices, list) else ():
        if isinstance(choice, Mapping) and choice.get("index", 0) == 0:
            return choice
    return {}


def _joined_responses(events: Sequence[Event]) -> dict[str, Any]:
    """The response that an event at the end has; what was said so far where the stream was cut."""
    said = ""
    refused = ""
    for event in events:
        response = event.get("response")
        if isinstance(response, Mapping) and response.get("status") in ("completed", "incomplete", "failed"):
            return dict(response)
        match event.get("type"):
            case "response.output_text.delta":
                said += _text(event.get("delta"))
            case "response.refusal.delta":
                refused += _text(event.get("delta"))
            case "error" | "response.error":
                return {"output": [], "error": dict(event)}
    parts = [{"type": "output_text", "text": said}] if said else [{"type": "refusal", "refusal": refused}]
    return {"output": [{"type": "message", "content": parts}] if said or refused else []}


# Anthropic and Google


def _joined_anthropic(events: Sequence[Event]) -> dict[str, Any]:
    body: dict[str, Any] = {"type": "message", "role": "assistant"}
    blocks: dict[int, dict[str, Any]] = {}
    for event in events:
        index = event.get("index")
        number = index if isinstance(index, int) else 0
        match event.get("type"):
            case "error":
                return {"type": "error", "error": event.get("error")}
            case "message_start" if isinstance(event.get("message"), Mapping):
                body |= event["message"]
            case "content_block_start" if isinstance(event.get("content_block"), Mapping):
                blocks[number] = dict(event["content_block"])
            case "content_block_delta" if isinstance(event.get("delta"), Mapping):
                block = blocks.setdefault(number, {"type": "text"})
                block["text"] = _text(block.get("text")) + _text(event["delta"].get("text"))
            case "message_delta" if isinstance(event.get("delta"), Mapping):
                body |= event["delta"]
    content = [block for _, block in sorted(blocks.items())]
    return {**body, "content": content, "stop_reason": body.get("stop_reason")}


def _joined_google(events: Sequence[Event]) -> dict[str, Any]:
    body: dict[str, Any] = {}
    candidate: dict[str, Any] = {}
    parts: list[Any] = []
    for event in events:
        body |= event
        chunk = _first(event.get("candidates"))
        if not isinstance(chunk, Mapping):
            continue
        content = chunk.get("content")
        chunk_parts = content.get("parts") if isinstance(content, Mapping) else None
        parts += chunk_parts if isinstance(chunk_parts, list) else []
        candidate |= chunk
    if candidate:
        body["candidates"] = [{**candidate, "content": {"role": "model", "parts": parts}}]
    return body


def _first(values: Any) -> Any:
    return values[0] if isinstance(values, list) and values else None


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""
