"""Rows of CSV and of Parquet as records, one at a time."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from mossbench.errors import DataError, needing
from mossbench.traces.log_files import MAX_RECORD, OTHER_ENCODING, START, Place, head_of, opened, read_faults, until_cut

_SEPARATORS = ",;\t|"
_MANY_LINES = 50
"""Lines of one row from which a quote is likely not closed."""


def csv_places(path: Path, encoding: str = "") -> Iterator[Place]:
    """The rows of a CSV file."""
    with read_faults(path):
        first_line = head_of(path, encoding).decode("utf-8-sig", "replace").partition("\n")[0]
        with opened(path, encoding) as file:
            yield from until_cut(_csv_records(file, first_line))


def csv_columns(path: Path, encoding: str = "") -> list[str]:
    """The names in the first row; a DataError where it is in another encoding."""
    with read_faults(path):
        head = head_of(path, encoding)
    try:
        head.partition(b"\n")[0].decode("utf-8")
    except UnicodeDecodeError:
        raise DataError(f"the first row of {path} is not UTF-8; {OTHER_ENCODING}") from None
    text = head.decode("utf-8-sig", "replace")
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=_separator_of(text.partition("\n")[0]))
    return column_names(next(rows, []))


def has_separator(first_line: bytes) -> bool:
    """Whether a line looks like the first row of a table."""
    return any(separator.encode() in first_line for separator in _SEPARATORS)


def _separator_of(first_line: str) -> str:
    return max(_SEPARATORS, key=first_line.count)


def column_names(header: list[str]) -> list[str]:
    """The columns of a first row; of several with the same name, the later ones have a number."""
    names: list[str] = []
    counts: Counter[str] = Counter()
    for cell in header:
        name = cell.strip()
        counts[name] += 1
        names.append(f"{name} ({counts[name]})" if name and counts[name] > 1 else name)
    return names


def _csv_records(file: IO[bytes], first_line: str) -> Iterator[Place]:
    csv.field_size_limit(MAX_RECORD)
    with io.TextIOWrapper(file, "utf-8-sig", errors="surrogateescape", newline="") as text:
        reader = csv.reader(text, delimiter=_separator_of(first_line))
        header = column_names(next(reader, []))
        while True:
            line = reader.line_num + 1
            try:
                cells = next(reader)
            except StopIteration:
                return
            except csv.Error as error:
                yield Place(line, fault=f"not valid CSV: {error}")
                continue
            if any(cell.strip() for cell in cells):
                yield _row(line, reader.line_num - line + 1, header, cells)


def _row(line: int, n_lines: int, header: list[str], cells: list[str]) -> Place:
    raw = "\x1f".join(cells).encode("utf-8", "surrogateescape")
    if len(cells) != len(header):
        fault = f"{len(cells)} cells, but the header has {len(header)} columns"
        if n_lines > _MANY_LINES:
            fault += f"; the row goes over {n_lines:,} lines: is a quote not closed?"
        return Place(line, raw=raw[:START], n_bytes=len(raw), fault=fault)
    try:
        raw.decode("utf-8")
    except UnicodeDecodeError as error:
        fault = f"not UTF-8 ({error.reason}); {OTHER_ENCODING}"
        return Place(line, raw=raw[:START], n_bytes=len(raw), fault=fault)
    values = {name: cell for name, cell in zip(header, cells, strict=True) if name and cell != ""}
    return Place(line, values, raw, len(raw))


def parquet_places(path: Path) -> Iterator[Place]:
    """The rows of a Parquet file."""
    with needing("reading Parquet", "parquet"):
        import pyarrow as pa
        import pyarrow.parquet as pq
    try:
        with pq.ParquetFile(path) as file:
            number = 0
            for batch in file.iter_batches(batch_size=500):
                for values in batch.to_pylist():
                    number += 1
                    raw = repr(values).encode("utf-8", "replace")
                    yield Place(number, values, raw, len(raw))
    except (pa.ArrowException, OSError, ValueError) as error:
        raise DataError(f"{path} cannot be read as Parquet: {error}") from error
