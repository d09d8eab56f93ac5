"""Tables: rows of a CSV or Parquet file, or records of a shape of one's own, with a column for each field.

`--map request=question,answer=reply` says which column holds what; a dot leads into an object (`answer=reply.text`) or
to an element of a list (`choices.0.text`; -1 is the last one). `messages` is a whole conversation: messages, or a text
whose lines begin with who speaks.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from typing import Any

from mossbench.errors import UsageError, some, unknown_name
from mossbench.outcomes import Answer
from mossbench.traces.formats.columns import columns_in
from mossbench.traces.formats.messages import CONVERSATION_NAMES, TIME_NAMES, USER_NAMES, place_of_last_answer
from mossbench.traces.formats.parts import FINISH_NAMES, decoded, image_at, turns_of, turns_of_transcript
from mossbench.traces.formats.replies import answer_of_body, answer_of_text, answer_of_turn
from mossbench.traces.raw import Format, RawTrace, RawTurn, Record, Unreadable, first_text
from mossbench.ways_out import SetOption

FIELDS = {
    "request": ("request", "question", "prompt", "query", "user_message", "input", "message"),
    "answer": ("answer", "response", "output", "reply", "completion", "assistant_message"),
    "messages": ("messages", "conversations", "transcript", "dialog", "dialogue"),
    "id": ("id", "request_id", "trace_id"),
    "model": ("model", "model_name"),
    "user": USER_NAMES,
    "conversation": CONVERSATION_NAMES,
    "at": TIME_NAMES,
    "system": ("system", "system_prompt"),
    "history": ("history", "messages_before"),
    "finish": FINISH_NAMES,
    "error": ("error",),
    "image": ("image", "image_path", "image_url"),
}
"""Field -> the columns that are taken for it where `--map` does not name one."""
NEEDED = ("request", "answer")
"""Of a table without a column of whole conversations (`messages`)."""
_ELEMENT = re.compile(r"-?\d{1,4}")


def check_map(columns: Mapping[str, str]) -> None:
    """A UsageError for a field that traces do not have."""
    for field in columns:
        if field not in FIELDS:
            raise unknown_name("field", field, FIELDS, f"fields of traces are {', '.join(FIELDS)}")


def columns_for(names: list[str], columns: Mapping[str, str], source: str) -> dict[str, str]:
    """Field -> column, from what `--map` names and what the columns are called; a UsageError where one is missing."""
    check_map(columns)
    by_lower = {name.lower(): name for name in names}
    layout: dict[str, str] = {}
    for field, column in columns.items():
        name = column if column in names else by_lower.get(column.lower())
        if name is None and column.partition(".")[0] in names:
            name = column
        if name is None:
            raise unknown_name("column", column, names, f"{source} has {some(map(repr, names), 12)}")
        layout[field] = name
    for field, likely in FIELDS.items():
        if field not in layout:
            found = next((by_lower[name.lower()] for name in likely if name.lower() in by_lower), None)
            if found is not None and found not in layout.values():
                layout[field] = found
    repeated = [name for name in layout.values() if f"{name} (2)" in names]
    if repeated:
        raise UsageError(f"{source} has several columns named {repeated[0]!r}; rename all but one of them")
    missing = [field for field in NEEDED if field not in layout and "messages" not in layout]
    if missing:
        raise UsageError(
            f"{source} has no column for {' and '.join(missing)}; it has {some(map(repr, names), 12)}",
            way_out=SetOption("columns", ",".join(f"{field}=COLUMN" for field in missing), to="name it"),
        )
    return layout


def table_format(layout: Mapping[str, str]) -> Format:
    """The format of rows with these columns."""

    def read_row(record: Record) -> Iterator[RawTrace]:
        yield _trace_of(record, layout)

    return Format("table", "a table or records of one's own, with a column for each field", lambda _: True, read_row)


def _trace_of(record: Record, layout: Mapping[str, str]) -> RawTrace:
    fields = {field: _value_at(record, column) for field, column in layout.items()}
    turns, answer = _conversation_of(fields) if "messages" in layout else _request_of(fields, layout)
    if fields.get("system"):
        turns = [RawTurn("system", str(fields["system"])), *turns]
    return RawTrace(
        turns=turns,
        answer=answer,
        id=first_text(fields, "id"),
        at=fields.get("at"),
        model=first_text(fields, "model"),
        user=first_text(fields, "user"),
        conversation=first_text(fields, "conversation"),
        columns=columns_in(record, frozenset(layout.values())),
    )


def _request_of(fields: Mapping[str, Any], layout: Mapping[str, str]) -> tuple[list[RawTurn], Answer]:
    """The turns up to the request, and the answer, which stand in columns of their own."""
    request = decoded(fields["request"])
    if request in (None, "", [], {}):
        raise Unreadable(f"there is no request in {layout['request']!r}")
    turns = _turns_before(fields.get("history"))
    turns += turns_of(request if isinstance(request, (list, dict)) else str(fields["request"]))
    turns[-1] = _with_images(turns[-1], fields.get("image"))
    return turns, _answer_of(fields)


def _turns_before(history: Any) -> list[RawTurn]:
    """Earlier messages: a list, or a text whose lines say who speaks; any other text is of the user."""
    if not history:
        return []
    try:
        return turns_of_transcript(history)
    except Unreadable:
        return turns_of(history)


def _conversation_of(fields: Mapping[str, Any]) -> tuple[list[RawTurn], Answer]:
    """The turns up to the last request of a conversation, and its answer, which may have a column of its own."""
    turns = turns_of_transcript(fields["messages"])
    last_answer = place_of_last_answer(turns)
    has_answer = fields.get("answer") not in (None, "")
    if has_answer or last_answer is None:
        return turns, _answer_of(fields)
    finish = first_text(fields, "finish")
    return turns[:last_answer], answer_of_turn(turns[last_answer], finish=finish, error=first_text(fields, "error"))


def _answer_of(fields: Mapping[str, Any]) -> Answer:
    answer = decoded(fields.get("answer"))
    finish = first_text(fields, "finish")
    error = first_text(fields, "error")
    if isinstance(answer, (dict, list)) and not finish and not error:
        return answer_of_body(answer)
    is_absent = answer is None or (isinstance(answer, float) and math.isnan(answer))
    return answer_of_text(None if is_absent else str(fields["answer"]), finish=finish, error=error)


def _value_at(record: Record, column: str) -> Any:
    """The value of a column, also of one inside an object or a list."""
    if column in record:
        return record[column]
    value: Any = record
    for name in column.split("."):
        value = decoded(value)
        if isinstance(value, list) and _ELEMENT.fullmatch(name):
            value = value[int(name)] if -len(value) <= int(name) < len(value) else None
        else:
            value = value.get(name) if isinstance(value, dict) else None
    return value


def _with_images(turn: RawTurn, image: Any) -> RawTurn:
    images = decoded(image)
    paths = images if isinstance(images, list) else [images]
    named = [image_at(path) for path in paths if isinstance(path, str) and path.strip()]
    return RawTurn(turn.role, turn.text, (*turn.images, *named))
