"""Facts of a record that belong to no field: they become columns by which rates can be broken down."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from typing import Any

MOST_COLUMNS = 40
LONGEST_VALUE = 200
"""Characters; longer values are texts, not groups."""
DEEPEST = 3
"""Levels of a `metadata` object that are read."""


def columns_of(record: Mapping[str, Any], taken: Collection[str], *nested: str) -> dict[str, Any]:
    """Plain values of a record that no field takes; those below the `nested` objects keep their own names."""
    columns: dict[str, Any] = {}
    for name, value in record.items():
        if name not in taken and name not in nested:
            _add(columns, name, value)
    for name in nested:
        inner = record.get(name)
        if isinstance(inner, str) and inner.startswith("{"):
            try:
                inner = json.loads(inner)
            except (ValueError, RecursionError):
                continue
        if isinstance(inner, Mapping):
            _add_nested(columns, inner, DEEPEST)
    return columns


def _add_nested(columns: dict[str, Any], values: Mapping[str, Any], depth: int) -> None:
    for name, value in values.items():
        if isinstance(value, Mapping) and depth > 1:
            _add_nested(columns, value, depth - 1)
        else:
            _add(columns, str(name), value)


def _add(columns: dict[str, Any], name: str, value: Any) -> None:
    if isinstance(value, list) and value and all(isinstance(element, str) for element in value):
        value = ", ".join(value)
    is_plain = isinstance(value, (str, bool, int, float)) and value != ""
    if not is_plain or name in columns or len(columns) >= MOST_COLUMNS:
        return
    if isinstance(value, str) and len(value) > LONGEST_VALUE:
        return
    columns[name] = value
