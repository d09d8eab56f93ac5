"""Records and other values as JSON."""

import dataclasses
import json
import math
from collections.abc import Mapping
from enum import Enum
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from mossbench.messages import Message

_EXACT = 2**53
"""Whole numbers below it are the same as a float and as an integer."""


def as_json_value(value: Any) -> Any:
    """The value as dicts, lists, texts and numbers for JSON: a record becomes a dict, NaN and infinity become None."""
    if isinstance(value, BaseModel):
        return as_json_value(value.model_dump(mode="json"))
    if isinstance(value, Message):
        return str(value)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: as_json_value(getattr(value, field.name)) for field in dataclasses.fields(value)}
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Mapping):
        return {str(as_json_value(name)): as_json_value(field) for name, field in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [as_json_value(element) for element in value]
    if type(value).__module__ == "numpy":
        return as_json_value(value.tolist())
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return str(value) if isinstance(value, Path) else value


def to_json(content: Any) -> str:
    """JSON of records and plain values, for people and programs: indented, UTF-8."""
    return json.dumps(as_json_value(content), indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def value_words(value: Any) -> str:
    """A value of JSON in words, the same for two values only if they are the same: 0.5 is `0.5`, the text `"0.5"`.

    A text stands without quotes unless that would make it another value; 1.0 is 1, true is not.
    """
    if isinstance(value, str) and not _reads_as_another(value):
        return value
    return json.dumps(_whole_numbers(value), ensure_ascii=False, sort_keys=True, default=str)


def _reads_as_another(text: str) -> bool:
    if ", " in text or text != text.strip():  # values stand in lists with commas
        return True
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _whole_numbers(value: Any) -> Any:
    """With 1 for 1.0, which every reader of JSON takes for the same number."""
    if isinstance(value, float) and value.is_integer() and abs(value) < _EXACT:
        return int(value)
    if isinstance(value, Mapping):
        return {str(name): _whole_numbers(part) for name, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [_whole_numbers(part) for part in value]
    return value
