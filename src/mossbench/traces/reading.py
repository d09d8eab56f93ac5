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
from mossbench.traces.log_files import Place, head_of, read_faults
from mossbench.traces.raw import Record
from mossbench.traces.table_records import csv_columns, csv_places, has_separator, parquet_places

_WRAPPERS = (
    *("data", "observations", "traces", "logs", "records", "rows", "items", "results", "requests", "hits"),
    *("generations", "conversations"),
)
"""Fields in which an export may have its records."""
_MOST_CONTROL = 0.01
"""Share of control characters in the beginning of a text."""
_KNOWN_REQUESTS = frozenset((*FIELDS["request"], *FIELDS["messages"]))
_NO_LOG = "is neither JSON lines nor CSV nor Parquet; convert it to one of these"


@dataclass(frozen=True)
class Source:
    """A log file with what its content is."""

    path: Path
    kind: str
    """`json`, `csv` or `parquet`."""

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
            yield from csv_places(self.path)
        else:
            own_names = _KNOWN_REQUESTS | {column.partition(".")[0] for column in mapped}
            for place in json_places(self.path):
                yield from _unwrapped(place, own_names)


def open_source(path: Path) -> Source:
    """The file with its kind; a DataError where it cannot be opened, a UsageError where it is empty or of no kind."""
    with read_faults(path):
        if path.is_dir():
            raise UsageError(f"{path} is a folder; name its files, as in {path}/*.jsonl")
        head = head_of(path)
    if not head.strip():
        raise DataError(f"{path} is empty")
    return Source(path, _kind_of(path, head))


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


def _unwrapped(place: Place, own_names: frozenset[str]) -> Iterator[Place]:
    """The record, or each of those in it: exports and APIs answer with `{"data": [...]}`."""
    records = _records_inside(place.values, own_names) if place.values else None
    if records is None:
        yield place
        return
    for record in records:
        raw = json.dumps(record, ensure_ascii=False).encode("utf-8", "surrogatepass")
        if isinstance(record, dict):
            yield Place(place.line, record, raw, len(raw))
        else:
            fault = f"expected an object in braces, found {type(record).__name__}"
            yield Place(place.line, raw=raw[:300], n_bytes=len(raw), fault=fault)


def _records_inside(values: Record, own_names: frozenset[str]) -> list[Any] | None:
    """The records in an outer object that is none itself."""
    lists = [name for name in _WRAPPERS if _is_list_of_objects(values.get(name))]
    if len(lists) != 1 or not own_names.isdisjoint(values) or format_of(values) is not None:
        return None
    records: list[Any] = values[lists[0]]
    return records


def _is_list_of_objects(value: Any) -> bool:
    return isinstance(value, list) and any(isinstance(element, dict) for element in value)


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
        return csv_columns(source.path)
    names: dict[str, None] = {}  # a set in order
    for number, place in enumerate(source.records(mapped)):
        names |= dict.fromkeys(place.values or ())
        if number >= 20:
            break
    return list(names)


def layout_of(source: Source, columns: Mapping[str, str]) -> dict[str, str]:
    """Field -> column of a table, or of records whose columns are named; a UsageError where one is missing."""
    return columns_for(column_names_of(source, tuple(columns.values())), columns, str(source.path))
