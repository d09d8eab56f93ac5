"""Langfuse: observations as its exports and its API write them; generations are read, other kinds are skipped."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mossbench.outcomes import Answer
from mossbench.traces.formats.columns import columns_of
from mossbench.traces.formats.parts import decoded, turns_of
from mossbench.traces.formats.replies import answer_of_body, answer_of_text
from mossbench.traces.raw import Format, RawTrace, Record, Skipped, Unreadable, first_text

_KINDS = frozenset("GENERATION SPAN EVENT AGENT TOOL CHAIN RETRIEVER EVALUATOR EMBEDDING GUARDRAIL".split())
_KEPT = ("version", "release", "environment", "tags", "trace_name", "traceName", "prompt_name", "promptName")


def looks_like_langfuse(record: Record) -> bool:
    return record.get("type") in _KINDS and ("trace_id" in record or "traceId" in record)


def read_langfuse(record: Record) -> Iterator[RawTrace]:
    kind = record.get("type")
    if kind != "GENERATION":
        raise Skipped(f"observation of type {str(kind)[:40]}")
    messages = decoded(record.get("input"))
    if messages in (None, "", [], {}):
        raise Unreadable("the observation has no input; export it with its input and output")
    metadata = decoded(record.get("metadata"))
    metadata = metadata if isinstance(metadata, dict) else {}
    kept = {name: record[name] for name in _KEPT if name in record}
    model = first_text(record, "provided_model_name", "providedModelName", "model")
    yield RawTrace(
        turns=turns_of(messages),
        answer=_answer_of(record, metadata),
        id=first_text(record, "id"),
        is_unique=True,
        at=record.get("start_time", record.get("startTime")),
        model=model,
        model_asked=model,
        user=first_text(record, "user_id", "userId") or first_text(metadata, "user_id", "userId"),
        conversation=first_text(record, "session_id", "sessionId") or first_text(record, "trace_id", "traceId"),
        columns=columns_of({**kept, "metadata": metadata}, (), "metadata"),
    )


def _answer_of(record: Record, metadata: Record) -> Answer:
    output: Any = decoded(record.get("output"))
    finish = first_text(metadata, "finish_reason", "finishReason", "stop_reason")
    if record.get("level") == "ERROR":
        message = first_text(record, "status_message", "statusMessage") or "the log says that the call failed"
        return answer_of_text(None, error=message, finish=finish)
    if isinstance(output, str):
        return answer_of_text(output, finish=finish)
    answer = answer_of_body(output)
    if finish and answer.error is None and answer.signal in (None, "stop"):
        return answer_of_text(answer.text, finish=finish)
    return answer


FORMAT = Format("langfuse", "Langfuse's observations, from an export or the API", looks_like_langfuse, read_langfuse)
