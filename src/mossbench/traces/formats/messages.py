"""Chat messages: `{"messages": [{"role": "user", "content": …}, …, {"role": "assistant", "content": …}]}`.

The last answer of the model counts, with what went before it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from mossbench.traces.formats.columns import columns_of
from mossbench.traces.formats.parts import FINISH_NAMES, decoded, turns_of
from mossbench.traces.formats.replies import answer_of_text, answer_of_turn
from mossbench.traces.raw import Format, RawTrace, RawTurn, Record, first_text

NESTED = ("metadata", "meta", "properties", "labels")
USER_NAMES = ("user_id", "user", "userId", "end_user", "safety_identifier")
CONVERSATION_NAMES = ("conversation_id", "conversation", "session_id", "sessionId", "session", "thread_id", "chat_id")
TIME_NAMES = ("at", "timestamp", "time", "created_at", "createdAt", "created", "start_time", "startTime", "date")
_CALL_NAMES = ("response", "output", "request", "choices", "response_body")
"""Fields of a record that has its answer beside its messages."""
_TAKEN = {"messages", "id", "model", "error", *USER_NAMES, *CONVERSATION_NAMES, *TIME_NAMES, *FINISH_NAMES, "choices"}


def looks_like_messages(record: Record) -> bool:
    messages = decoded(record.get("messages", record.get("conversations")))
    is_call = any(record.get(name) is not None for name in _CALL_NAMES)
    return isinstance(messages, list) and not is_call


def read_messages(record: Record) -> Iterator[RawTrace]:
    turns = turns_of(record.get("messages", record.get("conversations")))
    last_answer = place_of_last_answer(turns)
    finish = first_text(record, *FINISH_NAMES)
    error = error_text(record.get("error"))
    if last_answer is None:
        before = turns
        answer = answer_of_text(None, finish=finish, error=error)
    else:
        before = turns[:last_answer]
        answer = answer_of_turn(turns[last_answer], finish=finish, error=error)
    yield RawTrace(
        turns=before,
        answer=answer,
        **facts_of(record),
        columns=columns_of(record, _TAKEN | {"conversations"}, *NESTED),
    )


def place_of_last_answer(turns: list[RawTurn]) -> int | None:
    """Where the last answer of the model stands; None where nothing answers the last request."""
    for place in range(len(turns) - 1, -1, -1):
        if turns[place].role == "assistant":
            return place
        if turns[place].role == "user":
            return None
    return None


def facts_of(record: Record) -> dict[str, Any]:
    """Id, time, model, user and conversation of a record that has them in fields of their own, or in its metadata."""
    metadata = decoded(record.get("metadata"))
    metadata = metadata if isinstance(metadata, dict) else {}
    return {
        "id": first_text(record, "id", "request_id", "custom_id"),
        "at": next((record[name] for name in TIME_NAMES if record.get(name)), None),
        "model": first_text(record, "model", "model_name"),
        "user": first_text(record, *USER_NAMES) or first_text(metadata, *USER_NAMES),
        "conversation": first_text(record, *CONVERSATION_NAMES) or first_text(metadata, *CONVERSATION_NAMES),
    }


def error_text(error: Any) -> str:
    """An error of a log as a text; empty where there is none."""
    if isinstance(error, dict) and error:
        return json.dumps(error, ensure_ascii=False)
    return error if isinstance(error, str) else ""


FORMAT = Format(
    "messages", "chat messages, one conversation a line (OpenAI's messages)", looks_like_messages, read_messages
)
