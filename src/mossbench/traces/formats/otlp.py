"""OTLP/JSON with OpenTelemetry's GenAI conventions, of all three generations.

Newest: `gen_ai.input.messages` and `gen_ai.output.messages` on the span or on its log event. Before: events of the span
for each message. Older: `gen_ai.prompt` and `gen_ai.completion`, also numbered (`gen_ai.prompt.0.content`).
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

from mossbench.outcomes import Answer
from mossbench.traces.formats.columns import columns_of
from mossbench.traces.formats.parts import Content, decoded, turn_of, turns_of
from mossbench.traces.formats.replies import answer_of_text, answer_of_turn
from mossbench.traces.raw import Format, RawTrace, RawTurn, Record, Skipped, Unreadable, first_text

_DETAILS = "gen_ai.client.inference.operation.details"
_CHATS = ("chat", "generate_content", "text_completion")
_FAILED = 2
_DEEPEST = 20
_EVENT_ROLES = {
    "gen_ai.system.message": "system",
    "gen_ai.user.message": "user",
    "gen_ai.assistant.message": "assistant",
    "gen_ai.tool.message": "tool",
}
_MESSAGES = (*_EVENT_ROLES, "gen_ai.choice")
_IS_JOINED = "joined from log records"
_NUMBERED = re.compile(r"gen_ai\.(prompt|completion)\.(\d{1,4})\.(role|content|finish_reason)")
_USERS = ("user.id", "enduser.id")
_CONVERSATIONS = ("gen_ai.conversation.id", "session.id")


def looks_like_otlp(record: Record) -> bool:
    return "resourceSpans" in record or "resourceLogs" in record


def read_otlp(record: Record) -> Iterator[RawTrace | Skipped | Unreadable]:
    """Each span alone: one that cannot be read does not take the others of its envelope with it."""
    for span, resource in _spans_of(record):
        try:
            yield _trace_of(span, attributes_of(span.get("attributes")), resource)
        except (Skipped, Unreadable) as reason:
            yield reason
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            yield Unreadable(f"span {first_text(span, 'spanId')[:40]}: {type(error).__name__}: {error}")


def _spans_of(envelope: Record) -> Iterator[tuple[Record, Record]]:
    """Spans, and log events with the attributes of a call, each with the attributes of its resource."""
    for outer, middle, inner in (
        ("resourceSpans", "scopeSpans", "spans"),
        ("resourceLogs", "scopeLogs", "logRecords"),
    ):
        for resource in _objects(envelope.get(outer)):
            shared = attributes_of((resource.get("resource") or {}).get("attributes"))
            for scope in _objects(resource.get(middle)):
                for span in _calls_of(scope.get(inner)):
                    yield span, shared


def _calls_of(records: Any) -> Iterator[Record]:
    """Spans, and log records; those that are the messages of one call are joined to a span."""
    by_span: dict[tuple[str, str], list[Record]] = defaultdict(list)
    for record in _objects(records):
        span_id = first_text(record, "spanId")
        is_message = (
            "timeUnixNano" in record and _event_name(record, attributes_of(record.get("attributes"))) in _MESSAGES
        )
        if is_message and span_id:
            by_span[first_text(record, "traceId"), span_id].append(record)
        else:
            yield record
    for (trace_id, span_id), events in by_span.items():
        events.sort(key=lambda event: str(event.get("timeUnixNano", "")))
        attributes = [pair for event in events for pair in _objects(event.get("attributes"))]
        start = events[0].get("timeUnixNano")
        span = {"traceId": trace_id, "spanId": span_id, "startTimeUnixNano": start, "attributes": attributes}
        yield {**span, "events": events, _IS_JOINED: True}


def _objects(value: Any) -> Iterator[Record]:
    for element in value if isinstance(value, list) else ():
        if isinstance(element, dict):
            yield element


def attributes_of(pairs: Any) -> Record:
    """OTLP's list of keys and typed values as a dict."""
    attributes: Record = {}
    for pair in _objects(pairs):
        attributes[str(pair.get("key", ""))] = _value_of(pair.get("value"))
    return attributes


def _value_of(value: Any, depth: int = 0) -> Any:
    if not isinstance(value, Mapping) or depth > _DEEPEST:
        return None
    for kind, content in value.items():
        match kind:
            case "stringValue" | "boolValue" | "doubleValue" | "bytesValue":
                return content
            case "intValue":
                return int(content) if str(content).lstrip("-").isdecimal() else None
            case "arrayValue":
                values = content.get("values") if isinstance(content, Mapping) else None
                return [_value_of(element, depth + 1) for element in values or ()]
            case "kvlistValue":
                values = content.get("values") if isinstance(content, Mapping) else None
                return {str(pair.get("key")): _value_of(pair.get("value"), depth + 1) for pair in _objects(values)}
    return None


def _trace_of(span: Record, attributes: Record, resource: Record) -> RawTrace:
    operation = first_text(attributes, "gen_ai.operation.name") or first_text(attributes, "llm.request.type")
    is_log = "spanId" in span and "timeUnixNano" in span
    if is_log and _event_name(span, attributes) != _DETAILS:
        raise Skipped("log record of something else than a call")
    if operation and operation not in _CHATS:
        raise Skipped(f"span of operation {operation[:40]!r}")
    if not any(name.startswith(("gen_ai.", "llm.")) for name in attributes):
        raise Skipped("span of something else than a model")
    if "openinference.span.kind" in attributes:
        raise Unreadable("OpenInference's attributes are not read; record GenAI conventions, or name fields with --map")
    turns, outputs, finish = _messages_of(span, attributes)
    if not turns:
        raise Unreadable("the span has no messages; switch the recording of content on")
    if span.get(_IS_JOINED) and not outputs:
        raise Unreadable("the log records of this call have no gen_ai.choice: its answer is not in the same record")
    answer = _answer_of(span, attributes, outputs, finish)
    span_id = first_text(span, "spanId")
    return RawTrace(
        turns=turns,
        answer=answer,
        id=f"{first_text(span, 'traceId')}-{span_id}" if span_id else "",
        is_unique=bool(span_id),
        at=span.get("startTimeUnixNano", span.get("timeUnixNano")),
        model=first_text(attributes, "gen_ai.response.model", "gen_ai.request.model"),
        model_asked=first_text(attributes, "gen_ai.request.model"),
        user=first_text(attributes, *_USERS),
        conversation=first_text(attributes, *_CONVERSATIONS),
        columns=_columns_of(attributes, resource),
    )


def _event_name(event: Record, attributes: Record) -> str:
    return first_text(event, "eventName", "name") or first_text(attributes, "event.name")


def _messages_of(span: Record, attributes: Record) -> tuple[list[RawTurn], list[RawTurn], str]:
    """What was sent, what came back, and why it ended; the newest generation that has something counts."""
    sources = [attributes]
    for event in _objects(span.get("events")):
        if _event_name(event, {}) == _DETAILS:
            sources.append(attributes_of(event.get("attributes")))
    finish = _finish_of(attributes)
    for source in sources:
        messages = decoded(source.get("gen_ai.input.messages"))
        if messages:
            outputs = decoded(source.get("gen_ai.output.messages")) or []
            system = _system_of(source.get("gen_ai.system_instructions"))
            finish = finish or _finish_of_messages(outputs)
            return [*system, *turns_of(messages)], turns_of(outputs) if outputs else [], finish
    turns, outputs, event_finish = _messages_of_events(span)
    if not turns:
        turns, outputs, event_finish = _older_messages(attributes)
    return turns, outputs, finish or event_finish


def _system_of(instructions: Any) -> list[RawTurn]:
    content = Content()
    content.add(decoded(instructions))
    return [RawTurn("system", content.text)] if content.text else []


def _finish_of(attributes: Record) -> str:
    reasons = decoded(attributes.get("gen_ai.response.finish_reasons"))
    if isinstance(reasons, list) and reasons:
        return str(reasons[0] or "")
    return reasons if isinstance(reasons, str) else ""


def _finish_of_messages(messages: Any) -> str:
    first = messages[0] if isinstance(messages, list) and messages else messages
    return first_text(first, "finish_reason") if isinstance(first, dict) else ""


def _messages_of_events(span: Record) -> tuple[list[RawTurn], list[RawTurn], str]:
    turns: list[RawTurn] = []
    outputs: list[RawTurn] = []
    finish = ""
    for event in _objects(span.get("events")):
        attributes = attributes_of(event.get("attributes"))
        name = _event_name(event, attributes)
        body = {key.removeprefix("gen_ai."): decoded(value) for key, value in attributes.items()}
        content = _value_of(event.get("body"))
        body |= content if isinstance(content, dict) else {}
        if name in _EVENT_ROLES:
            turns.append(turn_of({"role": _EVENT_ROLES[name], "content": body.get("content")}))
        elif name == "gen_ai.choice":
            message = body.get("message")
            content = message.get("content") if isinstance(message, dict) else body.get("content", message)
            calls = message.get("tool_calls") if isinstance(message, dict) else body.get("tool_calls")
            outputs.append(turn_of({"role": "assistant", "content": content, "tool_calls": calls}))
            finish = finish or first_text(body, "finish_reason")
        elif name == "gen_ai.content.prompt" and body.get("prompt"):
            turns += turns_of(body["prompt"])
        elif name == "gen_ai.content.completion" and body.get("completion"):
            outputs += turns_of(body["completion"])
    return turns, outputs, finish


def _older_messages(attributes: Record) -> tuple[list[RawTurn], list[RawTurn], str]:
    """`gen_ai.prompt` and `gen_ai.completion`, as one value or numbered."""
    numbered: dict[str, dict[int, Record]] = {"prompt": defaultdict(dict), "completion": defaultdict(dict)}
    for name, value in attributes.items():
        match = _NUMBERED.fullmatch(name)
        if match:
            numbered[match[1]][int(match[2])][match[3]] = decoded(value)
    if numbered["prompt"]:
        turns = [turn_of(message) for _, message in sorted(numbered["prompt"].items())]
        completions = [message for _, message in sorted(numbered["completion"].items())]
        outputs = [turn_of({"role": "assistant", **message}) for message in completions]
        return turns, outputs, _finish_of_messages(completions)
    prompt = attributes.get("gen_ai.prompt")
    completion = attributes.get("gen_ai.completion")
    return turns_of(prompt) if prompt else [], turns_of(completion) if completion else [], ""


def _answer_of(span: Record, attributes: Record, outputs: list[RawTurn], finish: str) -> Answer:
    status = span.get("status")
    is_failed = isinstance(status, dict) and status.get("code") in (_FAILED, "STATUS_CODE_ERROR")
    error = first_text(attributes, "error.type")
    if is_failed or error:
        message = first_text(status, "message") if isinstance(status, dict) else ""
        is_block = error in ("content_filter", "refusal")
        return (
            answer_of_text(None, finish=error) if is_block else answer_of_text(None, error=message or error or "error")
        )
    if not outputs:
        return answer_of_text(None, finish=finish)
    return answer_of_turn(outputs[0], finish=finish)


def _columns_of(attributes: Record, resource: Record) -> Record:
    """Attributes that say which part of the product asked, and a user's own; not the conventions' technical ones."""
    kept = {
        name.removeprefix("gen_ai."): value
        for name, value in attributes.items()
        if not name.startswith(("gen_ai.", "llm.", "server.", "http.", "url.")) or name.startswith("gen_ai.prompt.name")
    }
    names = {"service.name": "service", "service.version": "version", "deployment.environment.name": "environment"}
    shared = {names[name]: value for name, value in resource.items() if name in names}
    return columns_of({**kept, **shared}, (*_USERS, *_CONVERSATIONS, "error.type"))


FORMAT = Format("otlp", "OTLP JSON with OpenTelemetry's GenAI conventions", looks_like_otlp, read_otlp)
