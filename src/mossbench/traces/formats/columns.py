"""Facts of a record that belong to no field: they become columns by which rates can be broken down."""

from __future__ import annotations

import json
import math
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


def columns_in(record: Mapping[str, Any], taken: Collection[str]) -> dict[str, Any]:
    """Plain values of a record of a user's own shape; those inside an object are named with a dot (`meta.lang`)."""
    columns: dict[str, Any] = {}
    _add_with_path(columns, record, "", taken, DEEPEST)
    return columns


def _add_with_path(
    columns: dict[str, Any], values: Mapping[str, Any], path: str, taken: Collection[str], depth: int
) -> None:
    for name, value in values.items():
        column = f"{path}{name}"
        if column in taken:
            continue
        if isinstance(value, Mapping):
            if depth:
                is_metadata = column == "metadata"  # as in the other formats
                _add_with_path(columns, value, "" if is_metadata else f"{column}.", taken, depth - 1)
        else:
            _add(columns, column, value)


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
    is_plain = is_plain and not (isinstance(value, float) and not math.isfinite(value))
    if not is_plain or name in columns or len(columns) >= MOST_COLUMNS:
        return
    if isinstance(value, str) and len(value) > LONGEST_VALUE:
        return
    columns[name] = value
