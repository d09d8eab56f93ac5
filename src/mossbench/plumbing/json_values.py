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
