"""Rows of a JSONL, CSV or Parquet file, as they stand there and with where they stand."""

import codecs
import csv
import io
import re
from collections import Counter
from collections.abc import Callable, Container, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mossbench.errors import DataError, needing
from mossbench.plumbing.reading import open_file, parse_json, read_file

FORMATS = ("jsonl", "csv", "parquet")
_SEPARATORS = ",;\t|"
_WIDE = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


@dataclass(frozen=True)
class Row:
    line: int
    """Line of the file for text formats, number of the row for Parquet; from 1."""
    values: dict[str, Any]


OnFault = Callable[[str, str, int, str], None]
"""Told of a row that cannot be read: what is wrong with it, the way out, its line, and what like faults share."""


def refuse(message: str, way_out: str, _line: int, _like: str) -> None:
    raise DataError(f"{message}; {way_out}")


def read_rows(path: Path, *, on_fault: OnFault = refuse, names: Container[str] = ()) -> Iterator[Row]:
    """The rows of a JSONL, CSV or Parquet file; blank lines are passed over, and faulty rows where `on_fault` returns.

    `names` of columns that are likely, in lower case, tell which character separates the cells of a CSV.
    """
    readers = {
        ".jsonl": _jsonl_rows,
        ".ndjson": _jsonl_rows,
        ".csv": _csv_rows,
        ".tsv": _csv_rows,
        ".parquet": _parquet_rows,
    }
    reader = readers.get(path.suffix.lower())
    if reader is None:
        raise DataError(f"cannot tell how to read {path}: a dataset file ends in .jsonl, .csv, .tsv or .parquet")
    return reader(path, on_fault, names)


@contextmanager
def _read_faults(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise DataError(f"cannot read {path}: {error.strerror or error}; check the path and its permissions") from error


def read_bytes(path: Path) -> bytes:
    with _read_faults(path):
        return read_file(path)


def read_text(path: Path) -> str:
    data = read_bytes(path)
    try:
        return data.decode("utf-16" if data.startswith(_WIDE) else "utf-8-sig")
    except UnicodeDecodeError as error:
        raise DataError(f"{path} is not UTF-8 text ({error.reason} at byte {error.start}); save it as UTF-8") from error


def _jsonl_rows(path: Path, on_fault: OnFault, _names: Container[str]) -> Iterator[Row]:
    with _read_faults(path), open_file(path) as file:  # line by line: there may be more than fits into the memory
        is_wide = file.read(2) in _WIDE
        file.seek(0)
        wide = file.read().decode("utf-16", "replace").encode("utf-8", "surrogatepass") if is_wide else b""
        for number, line in enumerate(io.BytesIO(wide) if is_wide else file, start=1):
            if not line.strip():
                continue
            try:
                values = parse_json(line.removeprefix(codecs.BOM_UTF8), parse_constant=_no_constant)
                if not isinstance(values, dict):
                    raise ValueError(f"expected an object in braces, found {type(values).__name__}")
            except ValueError as error:
                message = f"{path}, line {number}: not a JSON object: {error}"
                on_fault(message, "each line holds one JSON object", number, "not JSON")
                continue
            yield Row(number, values)


def _no_constant(name: str) -> None:
    if name != "NaN":  # as pandas writes what is not given
        raise ValueError(f"{name} is not JSON; leave the value out instead")


def _csv_rows(path: Path, on_fault: OnFault, names: Container[str]) -> Iterator[Row]:
    text = read_text(path)
    said = re.match(r"sep=(.)\r?\n", text)  # Excel's own line about it
    separator = said[1] if said else _separator(text, names)
    start = said.end() if said else 0
    reader = csv.reader(io.StringIO(text[start:], newline=""), delimiter=separator, strict=True)
    csv.field_size_limit(max(csv.field_size_limit(), len(text)))  # else a long cell is "not valid CSV"
    try:
        header = [name.strip() for name in next(reader, [])]
        rows, end = [], reader.line_num
        for cells in reader:
            line, end = end + 1, reader.line_num  # a quoted cell may run over several lines: name the first
            if not any(cell.strip() for cell in cells) and (len(cells) != len(header) or len(header) > 1):
                continue
            stray = cells[len(header) :]  # as spreadsheets leave them
            rows.append((line + bool(said), cells if any(stray) else cells[: len(header)]))
    except csv.Error as error:
        raise DataError(f"{path}, line {reader.line_num}: not valid CSV: {error}") from error
    unnamed = _checked_header(path, header, [cells for _, cells in rows])
    for line, cells in rows:
        if len(cells) != len(header):
            message = f"{path}, line {line}: {len(cells)} cells under {len(header)} columns"
            way_out = "quote cells that hold the separator or line breaks"
            on_fault(message, way_out, line, "number of cells")
            continue
        named = zip(header, cells, strict=True)
        yield Row(line, {name: cell for i, (name, cell) in enumerate(named) if i not in unnamed})


def _separator(text: str, names: Container[str]) -> str:
    """The character that cuts the first line into the most columns that are known, or into the most columns."""

    def columns(separator: str) -> tuple[int, int]:
        cells = next(csv.reader(io.StringIO(text, newline=""), delimiter=separator), [])
        return sum(cell.strip().lower() in names for cell in cells), len(cells)

    try:
        return max(_SEPARATORS, key=columns)  # the first of equals
    except csv.Error:
        return ","


def _checked_header(path: Path, header: list[str], rows: list[list[str]]) -> set[int]:
    """The columns that have no name and hold nothing, or count the rows as pandas' index does; they are left out."""
    twice = [name for name, n in Counter(filter(None, header)).items() if n > 1]
    if twice:
        places = " and ".join(str(i) for i, name in enumerate(header, 1) if name == twice[0])
        said = f"the header has {twice[0]!r} more than once (columns {places}); rename all but one of them"
        raise DataError(f"{path}, line 1: {said}")
    unnamed = {i for i, name in enumerate(header) if not name}
    for i in sorted(unnamed):
        cells = [row[i] for row in rows if len(row) == len(header)]
        if any(cells) and cells not in ([str(n) for n in range(k, k + len(cells))] for k in (0, 1)):
            beside = f"after {header[i - 1]!r}" if i else "the first one"
            said = f"column {i + 1} of the header ({beside}) has no name; name it, or remove the column"
            raise DataError(f"{path}, line 1: {said}")
    return unnamed


def _parquet_rows(path: Path, _on_fault: OnFault, _names: Container[str]) -> Iterator[Row]:
    with needing("reading Parquet", "parquet"):
        import pyarrow as pa
        import pyarrow.parquet as pq
    data = read_bytes(path)
    try:
        table = pq.read_table(pa.BufferReader(data))
        index = [name for name in table.column_names if name.startswith("__index_level_")]
        rows = table.drop_columns(index).to_pylist()
    except (pa.ArrowException, OSError, ValueError) as error:
        raise DataError(f"{path} cannot be read as Parquet: {error}") from error
    yield from (Row(number, values) for number, values in enumerate(rows, start=1))
