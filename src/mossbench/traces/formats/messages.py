"""Chat messages: `{"messages": [{"role": "user", "content": …}, …, {"role": "assistant", "content": …}]}`.

The last answer of the model counts, with what went before it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mossbench.traces.formats.columns import columns_of
from mossbench.traces.formats.parts import decoded, turns_of
from mossbench.traces.formats.replies import CALLS_TOOL, answer_of_text
from mossbench.traces.raw import Format, RawTrace, RawTurn, Record, Skipped, Unreadable, first_text

NESTED = ("metadata", "meta", "properties", "labels")
USER_NAMES = ("user_id", "user", "userId", "end_user", "safety_identifier")
CONVERSATION_NAMES = ("conversation_id", "conversation", "session_id", "sessionId", "session", "thread_id", "chat_id")
TIME_NAMES = ("at", "timestamp", "time", "created_at", "createdAt", "created", "start_time", "startTime", "date")
FINISH_NAMES = ("finish_reason", "finishReason", "stop_reason")
_TAKEN = {"messages", "id", "model", "error", *USER_NAMES, *CONVERSATION_NAMES, *TIME_NAMES, *FINISH_NAMES, "choices"}


def looks_like_messages(record: Record) -> bool:
    messages = decoded(record.get("messages", record.get("conversations")))
    is_call = any(name in record for name in ("response", "output", "request", "choices", "response_body"))
    return isinstance(messages, list) and not is_call


def read_messages(record: Record) -> Iterator[RawTrace]:
    turns = turns_of(_with_role(record.get("messages", record.get("conversations"))))
    last_answer = _place_of_last_answer(turns)
    finish = first_text(record, *FINISH_NAMES)
    error = error_text(record.get("error"))
    text = None
    if last_answer is not None:
        text = turns[last_answer].text
        if turns[last_answer].calls_tool and not text.strip():
            raise Skipped(CALLS_TOOL)
    before = turns if last_answer is None else turns[:last_answer]
    yield RawTrace(
        turns=before,
        answer=answer_of_text(text, finish=finish, error=error),
        **facts_of(record),
        columns=columns_of(record, _TAKEN | {"conversations"}, *NESTED),
    )


def _with_role(messages: Any) -> Any:
    """Messages as `{"from": "human", "value": …}`, which sets for training have, in the usual spelling."""
    messages = decoded(messages)
    if not isinstance(messages, list):
        raise Unreadable("messages is not a list")
    if not any(isinstance(message, dict) and "from" in message for message in messages):
        return messages
    roles = {"gpt": "assistant", "human": "user"}
    return [
        {"role": roles.get(str(message.get("from")), message.get("from")), "content": message.get("value")}
        if isinstance(message, dict)
        else message
        for message in messages
    ]


def _place_of_last_answer(turns: list[RawTurn]) -> int | None:
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
    if isinstance(error, dict):
        import json

        return json.dumps(error, ensure_ascii=False)
    return error if isinstance(error, str) else ""


FORMAT = Format(
    "messages", "chat messages, one conversation a line (OpenAI's messages)", looks_like_messages, read_messages
)
