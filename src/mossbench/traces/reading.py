"""Reads log files record by record: JSON lines, a JSON list, one JSON value over many lines, CSV or Parquet; also .gz.

How a file is read is told from its content, not from its name. At most one record is in memory. A record that cannot
be read does not end the reading: it is given with the reason.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from mossbench.errors import DataError, UsageError
from mossbench.traces.formats import format_of
from mossbench.traces.formats.parts import decoded
from mossbench.traces.formats.table import FIELDS, columns_for
from mossbench.traces.json_records import json_places
from mossbench.traces.log_files import START, Place, head_of, read_faults
from mossbench.traces.raw import Record
from mossbench.traces.table_records import csv_columns, csv_places, has_separator, parquet_places

_DEEPEST_LIST = 3
"""Levels of an outer object in which its records may lie."""
_MOST_CONTROL = 0.01
"""Share of control characters in the beginning of a text."""
_KNOWN_COLUMNS = frozenset(FIELDS["request"]), frozenset(FIELDS["answer"])
_NO_LOG = "is neither JSON lines nor CSV nor Parquet; convert it to one of these"


@dataclass(frozen=True)
class Source:
    """A log file with what its content is."""

    path: Path
    kind: str
    """`json`, `csv` or `parquet`."""
    encoding: str = ""
    """Of a text that is neither UTF-8 nor UTF-16; empty for these."""

    def records(self, mapped: Collection[str] = ()) -> Iterator[Place]:
        """The records in their order; those in a list of an outer object each, if it has none of the mapped columns."""
        line = 0
        nth = 0
        for place in self._places(mapped):
            nth = nth + 1 if place.line == line else 0
            line = place.line
            yield replace(place, nth=nth) if nth else place

    def _places(self, mapped: Collection[str]) -> Iterator[Place]:
        if self.kind == "parquet":
            yield from parquet_places(self.path)
        elif self.kind == "csv":
            yield from csv_places(self.path, self.encoding)
        else:
            names = frozenset(column.partition(".")[0] for column in mapped)
            for place in json_places(self.path, self.encoding):
                yield from _unwrapped(place, names)


def open_source(path: Path, encoding: str | None = None) -> Source:
    """The file with its kind; a DataError where it cannot be opened, a UsageError where it is empty or of no kind."""
    with read_faults(path):
        if path.is_dir():
            raise UsageError(f"{path} is a folder; name its files, as in {path}/*.jsonl")
        head = head_of(path, encoding or "")
    if not head.strip():
        raise DataError(f"{path} is empty")
    return Source(path, _kind_of(path, head), encoding or "")


def _kind_of(path: Path, head: bytes) -> str:
    if head.startswith(b"PAR1"):
        return "parquet"
    first = head.removeprefix(b"\xef\xbb\xbf").lstrip()[:1]
    if first in (b"{", b"["):
        return "json"
    n_control = sum(head.count(character) for character in range(9))
    if n_control > _MOST_CONTROL * len(head):
        raise DataError(f"{path} {_NO_LOG}")
    if path.suffix.lower() in (".json", ".jsonl", ".ndjson") and b"{" in head:
        return "json"  # its first line is damaged
    if has_separator(head.split(b"\n")[0]) or path.suffix.lower() in (".csv", ".tsv"):
        return "csv"
    if b"{" in head:
        return "json"  # as above
    raise DataError(f"{path} {_NO_LOG}")


# Exports that wrap their records


def _unwrapped(place: Place, mapped: frozenset[str]) -> Iterator[Place]:
    """The record, or each of those in it: exports and APIs answer with `{"data": [...]}`."""
    is_outer = place.values is not None and not _is_call(place.values, mapped)
    lists = list(_lists_of_calls(place.values or {}, mapped, _DEEPEST_LIST)) if is_outer else []
    if len(lists) != 1:
        yield place
        return
    for record in lists[0]:
        raw = json.dumps(record, ensure_ascii=False).encode("utf-8", "surrogatepass")
        if isinstance(record, dict):
            yield Place(place.line, record, raw, len(raw))
        else:
            fault = f"expected an object in braces, found {type(record).__name__}"
            yield Place(place.line, raw=raw[:START], n_bytes=len(raw), fault=fault)


def _is_call(values: Record, mapped: frozenset[str]) -> bool:
    """Whether an object is a record of a known format, or has the columns that are named or known."""
    if mapped:
        return not mapped.isdisjoint(values)
    return format_of(values) is not None or all(not names.isdisjoint(values) for names in _KNOWN_COLUMNS)


def _lists_of_calls(values: Record, mapped: frozenset[str], depth: int) -> Iterator[list[Any]]:
    """The lists with calls in an outer object."""
    for value in values.values():
        if isinstance(value, list) and any(
            isinstance(element, dict) and _is_call(element, mapped) for element in value
        ):
            yield value
        elif isinstance(value, dict) and depth > 1:
            yield from _lists_of_calls(value, mapped, depth - 1)


# Tables


def has_provider_rows(source: Source) -> bool:
    """Whether the first row of a table is a record of a known format, such as an export of Langfuse as CSV.

    A row of plain texts is none, whatever its columns are called: a table of questions and answers may have any names.
    """
    first = next(iter(source.records()), None)
    if first is None or not first.values:
        return False
    format = format_of(first.values)
    if format is None or format.name != "calls":
        return format is not None
    return any(isinstance(decoded(value), (dict, list)) for value in first.values.values())


def column_names_of(source: Source, mapped: Collection[str] = ()) -> list[str]:
    """The columns of the first records that can be read; of a table all."""
    if source.kind == "csv":
        return csv_columns(source.path, source.encoding)
    names: dict[str, None] = {}  # a set in order
    for number, place in enumerate(source.records(mapped)):
        names |= dict.fromkeys(place.values or ())
        if number >= 20:
            break
    return list(names)


def layout_of(source: Source, columns: Mapping[str, str]) -> dict[str, str]:
    """Field -> column of a table, or of records whose columns are named; a UsageError where one is missing."""
    return columns_for(column_names_of(source, tuple(columns.values())), columns, str(source.path))
