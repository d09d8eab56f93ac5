"""Rows of a JSONL, CSV or Parquet file, as they stand there and with where they stand."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mossbench.datasets import findings as found
from mossbench.datasets.findings import Finding, note
from mossbench.errors import DataError, needing
from mossbench.plumbing.reading import parse_json, read_file

FORMATS = ("jsonl", "csv", "parquet")


@dataclass(frozen=True)
class Row:
    """One record of a file and where it stands."""

    line: int
    """Line of the file for text formats, number of the row for Parquet; from 1."""
    values: dict[str, Any]


def read_rows(path: Path, *, findings: list[Finding] | None = None) -> Iterator[Row]:
    """The rows of a JSONL, CSV or Parquet file; blank lines are passed over."""
    readers = {".jsonl": _jsonl_rows, ".csv": _csv_rows, ".parquet": _parquet_rows}
    reader = readers.get(path.suffix.lower())
    if reader is None:
        raise DataError(f"cannot tell how to read {path}: a dataset file ends in .jsonl, .csv or .parquet")
    return reader(path, findings)


def read_bytes(path: Path) -> bytes:
    try:
        return read_file(path)
    except OSError as error:
        raise DataError(f"cannot read {path}: {error.strerror or error}; check the path and its permissions") from error


def _jsonl_rows(path: Path, findings: list[Finding] | None) -> Iterator[Row]:
    lines = read_bytes(path).removeprefix(b"\xef\xbb\xbf").split(b"\n")  # splitlines would also cut at U+2028 in a text
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            values = parse_json(line, parse_constant=_no_constant)
            if not isinstance(values, dict):
                raise ValueError(f"expected an object in braces, found {type(values).__name__}")
        except (ValueError, RecursionError) as error:
            message = f"{path}, line {number}: not a JSON object: {error}"
            note(found.error("malformed-row", message, "each line holds one JSON object"), findings)
            continue
        yield Row(number, values)


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON; leave the value out instead")


def _csv_rows(path: Path, findings: list[Finding] | None) -> Iterator[Row]:
    try:
        text = read_bytes(path).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise DataError(f"{path} is not UTF-8 text ({error.reason} at byte {error.start}); save it as UTF-8") from error
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    try:
        header = next(reader, [])
        if len(set(header)) < len(header) or not all(header):
            raise DataError(f"{path}, line 1: the header has an empty or repeated column name: {', '.join(header)}")
        end = reader.line_num
        for cells in reader:
            line, end = end + 1, reader.line_num  # a quoted cell may run over several lines: name the first
            if not cells or (len(cells) == 1 and not cells[0].strip() and len(header) > 1):
                continue
            if len(cells) != len(header):
                message = f"{path}, line {line}: {len(cells)} cells under {len(header)} columns"
                note(found.error("malformed-row", message, "quote cells that hold commas or line breaks"), findings)
                continue
            yield Row(line, dict(zip(header, cells, strict=True)))
    except csv.Error as error:
        raise DataError(f"{path}, line {reader.line_num}: not valid CSV: {error}") from error


def _parquet_rows(path: Path, findings: list[Finding] | None) -> Iterator[Row]:
    with needing("reading Parquet", "parquet"):
        import pyarrow as pa
        import pyarrow.parquet as pq
    data = read_bytes(path)
    try:
        rows = pq.read_table(pa.BufferReader(data)).to_pylist()
    except (pa.ArrowException, OSError, ValueError) as error:
        raise DataError(f"{path} cannot be read as Parquet: {error}") from error
    yield from (Row(number, values) for number, values in enumerate(rows, start=1))
