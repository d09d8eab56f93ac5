"""LiteLLM: the standard logging payload, and rows of its table of spend logs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mossbench.outcomes import Answer, Stop
from mossbench.traces.formats.columns import columns_of
from mossbench.traces.formats.messages import error_text
from mossbench.traces.formats.parts import decoded, turns_of
from mossbench.traces.formats.replies import answer_of_body, answer_of_text
from mossbench.traces.raw import Format, RawTrace, Record, Skipped, Unreadable, first_text

_SIGNS = ("litellm_call_id", "model_group", "custom_llm_provider", "call_type")
_CHAT_CALLS = ("", "completion", "acompletion", "responses", "aresponses", "anthropic_messages", "text_completion")
_KEPT = ("request_tags", "team_id", "organization_id", "model_group", "custom_llm_provider", "cache_hit", "user_agent")
_STOPPED = "guardrail_intervened"


def looks_like_litellm(record: Record) -> bool:
    return "messages" in record and sum(name in record for name in _SIGNS) >= 2


def read_litellm(record: Record) -> Iterator[RawTrace]:
    call_type = first_text(record, "call_type")
    if call_type and call_type not in _CHAT_CALLS:
        raise Skipped(f"call of type {call_type[:40]!r}")
    metadata = decoded(record.get("metadata"))
    metadata = metadata if isinstance(metadata, dict) else {}
    model = first_text(record, "model")
    columns = columns_of({name: record[name] for name in _KEPT if name in record}, ())
    columns |= columns_of({"metadata": metadata}, (), "metadata")
    yield RawTrace(
        turns=turns_of(_messages_of(record)),
        answer=_answer_of(record, metadata),
        id=first_text(record, "id", "request_id", "litellm_call_id"),
        is_unique=True,
        at=record.get("startTime"),
        model=model,
        model_asked=first_text(record, "model_group") or model,
        user=first_text(record, "end_user", "user") or first_text(metadata, "user_api_key_end_user_id", "user_id"),
        conversation=first_text(record, "session_id") or first_text(metadata, "session_id", "conversation_id"),
        columns=columns,
    )


def _messages_of(record: Record) -> Any:
    """The messages; spend logs may have them only in the request as the proxy got it."""
    messages = decoded(record["messages"])
    if not messages:
        request = decoded(record.get("proxy_server_request"))
        request = request if isinstance(request, dict) else {}
        body = decoded(request.get("body", request))
        messages = body.get("messages", body.get("input")) if isinstance(body, dict) else None
    if not messages:
        raise Unreadable("the record has no messages; switch the storing of prompts on")
    return messages


def _answer_of(record: Record, metadata: Record) -> Answer:
    hit = _guardrail_that_stopped(record.get("guardrail_information") or metadata.get("guardrail_information"))
    response = decoded(record.get("response"))
    has_text = isinstance(response, str) and bool(response)
    if hit is not None:
        return Answer(text=response if has_text else None, stop=Stop.BLOCKED, signal=hit)
    failed = record.get("status") == "failure"
    error = first_text(record, "error_str") or error_text(record.get("error_information") if failed else None)
    if failed or error:
        return answer_of_text(None, error=error or "the log says that the call failed")
    return answer_of_body(response)


def _guardrail_that_stopped(information: Any) -> str | None:
    """The name of the guardrail that stepped in; None where none did."""
    hits = information if isinstance(information, list) else [information]
    for hit in hits:
        if isinstance(hit, dict) and hit.get("guardrail_status") == _STOPPED:
            return f"{_STOPPED}: {first_text(hit, 'guardrail_name') or 'guardrail'}"
    return None


FORMAT = Format("litellm", "LiteLLM's standard logging payload and spend logs", looks_like_litellm, read_litellm)
