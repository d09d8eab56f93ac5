"""What a format reads from a record of a log, before it is redacted."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from typing import Any

from mossbench.outcomes import Answer


class Unreadable(ValueError):
    """A record that cannot be read; the message says why."""


class Skipped(ValueError):
    """A record that is no answer to a user, such as a span of a retriever; the message says what it is."""


@dataclass(frozen=True)
class RawImage:
    """An image of a turn: inline as base64, or by its path or address."""

    data: str = ""
    address: str = ""


@dataclass(frozen=True)
class RawTurn:
    role: str
    text: str
    images: tuple[RawImage, ...] = ()
    calls_tool: bool = False
    finish: str = ""
    """Why the message ended, where it says so itself."""
    is_refusal: bool = False
    """Whether the model put its text into a field for refusals."""


@dataclass(frozen=True)
class RawTrace:
    turns: Sequence[RawTurn]
    """What was sent, the request last; without the answer."""
    answer: Answer
    id: str = ""
    """The log's own id of this call."""
    is_unique: bool = False
    """Whether no other call has this id, whatever its content."""
    at: object = None
    model: str = ""
    model_asked: str = ""
    user: str = ""
    conversation: str = ""
    columns: Mapping[str, Any] = field(default_factory=dict)
    """Other facts, as they stand in the log."""


Record = dict[str, Any]
ReadRecord = Callable[[Record], Iterable[RawTrace | Skipped | Unreadable]]
"""Gives the calls of a record, and of those that are none, or cannot be read, the reason; or raises it for all."""


@dataclass(frozen=True)
class Format:
    """A format of logs: how a record of it is told, and how it is read."""

    name: str
    what: str
    looks_like: Callable[[Record], bool]
    read: ReadRecord


def first_text(record: Mapping[str, Any], *names: str) -> str:
    """The first of these fields that has a text or a number, as a text."""
    for name in names:
        value = record.get(name)
        if isinstance(value, str) and value.strip():
            return value
        if isinstance(value, int) and not isinstance(value, bool):
            return str(value)
    return ""


# Times

_FRACTION = re.compile(r"(\.\d{6})\d+")
_WRITTEN_DATE = re.compile(
    r"(\d{4}|\d{1,2})([./年])(\d{1,2})[./月](\d{4}|\d{1,2})日?"
    r"(?:,?[ T]\s*(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d+)?)?(?: Uhr)?)?"
)
"""11.9.2026, 2026/9/11 or 2026年9月11日, with a time or without."""
_UNITS = ((1e17, 1e9), (1e14, 1e6), (1e11, 1e3))
"""Numbers from the first on count in units of which the second make a second: nano-, micro- and milliseconds."""


def iso_time(value: object) -> str:
    """A time of a log in ISO format and UTC: a text, or a number of seconds or parts of them; empty if it is none."""
    if isinstance(value, datetime):
        given = value if value.tzinfo else value.replace(tzinfo=UTC)
        return given.astimezone(UTC).isoformat(timespec="seconds")
    text = str(value).strip() if isinstance(value, (str, int, float)) and not isinstance(value, bool) else ""
    if not text:
        return ""
    try:
        return _time_of_number(float(text))
    except (ValueError, OverflowError):
        pass
    moment = _moment_of_text(text)
    if moment is None:
        return ""
    moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    try:
        return moment.astimezone(UTC).isoformat(timespec="seconds")
    except OverflowError:
        return ""


def _moment_of_text(text: str) -> datetime | None:
    """A moment as it is written in ISO format, in a mail or by people; None where that is not clear."""
    with suppress(ValueError):
        return datetime.fromisoformat(_FRACTION.sub(r"\1", text.replace(" UTC", "+00:00")))
    with suppress(ValueError, OverflowError, IndexError, TypeError):
        return parsedate_to_datetime(text)
    match = _WRITTEN_DATE.fullmatch(text)
    if match is None:
        return None
    first, second, third = int(match[1]), int(match[3]), int(match[4])
    day, month, year = (third, second, first) if len(match[1]) == 4 else (first, second, third)
    if match[2] == "/" and len(match[1]) < 4:
        if day <= 12 and month <= 12 and day != month:
            return None  # 09/11/2026 is a day of September or of November
        day, month = (month, day) if month > 12 else (day, month)
    with suppress(ValueError):
        return datetime(year, month, day, int(match[5] or 0), int(match[6] or 0), int(match[7] or 0))
    return None


def _time_of_number(number: float) -> str:
    for start, per_second in _UNITS:
        if number >= start:
            number /= per_second
            break
    if not 0 < number < 1e11:
        raise ValueError("not a time")
    return (datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=number)).isoformat(timespec="seconds")
