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
from mossbench.plumbing.untrusted_files import open_file, parse_json, read_file

FORMATS = ("jsonl", "csv", "parquet")
_SEPARATORS = ",;\t|"
_HEAD = 65_536  # characters by which the separator is told
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


def read_rows(
    path: Path, *, on_fault: OnFault = refuse, names: Container[str] = (), infinite: bool = False
) -> Iterator[Row]:
    """The rows of a JSONL, CSV or Parquet file; blank lines are passed over, and faulty rows where `on_fault` returns.

    `names` of columns that are likely, in lower case, tell which character separates the cells of a CSV. Numbers of a
    JSONL may be `infinite`, or else they are faults; NaN, as pandas writes what is not given, is None.
    """
    suffix = path.suffix.lower()
    if suffix in (".jsonl", ".ndjson"):
        return _jsonl_rows(path, on_fault, infinite)
    if suffix in (".csv", ".tsv"):
        return _csv_rows(path, on_fault, names)
    if suffix == ".parquet":
        return _parquet_rows(path)
    raise DataError(f"cannot tell how to read {path}: a dataset file ends in .jsonl, .csv, .tsv or .parquet")


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


def _jsonl_rows(path: Path, on_fault: OnFault, infinite: bool) -> Iterator[Row]:
    def constant(name: str) -> float | None:
        if name != "NaN" and not infinite:
            raise ValueError(f"{name} is not JSON; omit the value instead")
        return None if name == "NaN" else float(name)

    with _read_faults(path), open_file(path) as file:  # line by line: there may be more than fits into the memory
        is_wide = file.read(2) in _WIDE
        file.seek(0)
        wide = file.read().decode("utf-16", "replace").encode("utf-8", "surrogatepass") if is_wide else b""
        for number, line in enumerate(io.BytesIO(wide) if is_wide else file, start=1):
            if not line.strip():
                continue
            try:
                values = parse_json(line.removeprefix(codecs.BOM_UTF8), parse_constant=constant)
                if not isinstance(values, dict):
                    raise ValueError(f"expected an object in braces, found {type(values).__name__}")
            except ValueError as error:
                message = f"{path}, line {number}: not a JSON object: {error}"
                on_fault(message, "each line holds one JSON object", number, "not JSON")
                continue
            yield Row(number, values)


def _csv_rows(path: Path, on_fault: OnFault, names: Container[str]) -> Iterator[Row]:
    with _read_faults(path), open_file(path) as file:  # line by line, too
        is_wide = file.read(2) in _WIDE
        file.seek(0)
        text = io.TextIOWrapper(file, "utf-16" if is_wide else "utf-8-sig", newline="")
        csv.field_size_limit(max(csv.field_size_limit(), path.stat().st_size))  # else a long cell is "not valid CSV"
        reader, said = csv.reader(()), None
        try:
            head = text.read(_HEAD)
            said = re.match(r"sep=(.)\r?\n", head)  # Excel's own line about it
            text.seek(0)
            if said:
                text.readline()
            reader = csv.reader(text, delimiter=said[1] if said else _separator(head, names), strict=True)
            yield from _under_header(path, reader, bool(said), on_fault)
        except csv.Error as error:
            raise DataError(f"{path}, line {reader.line_num + bool(said)}: not valid CSV: {error}") from error
        except UnicodeDecodeError:
            read_text(path)  # says at which byte of the file
            raise


def _under_header(path: Path, reader: Any, above: int, on_fault: OnFault) -> Iterator[Row]:
    header = [name.strip() for name in next(reader, [])]
    twice = [name for name, n in Counter(filter(None, header)).items() if n > 1]
    if twice:
        places = " and ".join(str(i) for i, name in enumerate(header, 1) if name == twice[0])
        said = f"the header has {twice[0]!r} more than once (columns {places}); rename all but one of them"
        raise DataError(f"{path}, line 1: {said}")
    # A column without a name is left out: it may hold nothing, or count the rows as pandas' index does.
    unnamed: dict[int, set[int | None]] = {i: {None, 0, 1} for i, name in enumerate(header) if not name}
    n, end = 0, reader.line_num
    for cells in reader:
        line, end = end + 1 + above, reader.line_num  # a quoted cell may run over several lines: name the first
        if not any(cell.strip() for cell in cells) and (len(cells) != len(header) or len(header) > 1):
            continue
        if not any(cells[len(header) :]):  # as spreadsheets leave them
            cells = cells[: len(header)]
        if len(cells) != len(header):
            message = f"{path}, line {line}: {len(cells)} cells under {len(header)} columns"
            on_fault(message, "quote cells that hold the separator or line breaks", line, "number of cells")
            continue
        for i, first in unnamed.items():
            first -= {k for k in first if cells[i] != ("" if k is None else str(n + k))}
            if not first:
                beside = f"after {header[i - 1]!r}" if i else "the first one"
                said = f"column {i + 1} of the header ({beside}) has no name; name it, or remove the column"
                raise DataError(f"{path}, line 1: {said}")
        n += 1
        yield Row(line, {name: cell for name, cell in zip(header, cells, strict=True) if name})


def _separator(text: str, names: Container[str]) -> str:
    """The character that cuts the first line into the most columns that are known, or into the most columns."""

    def columns(separator: str) -> tuple[int, int]:
        cells = next(csv.reader(io.StringIO(text, newline=""), delimiter=separator), [])
        return sum(cell.strip().lower() in names for cell in cells), len(cells)

    try:
        return max(_SEPARATORS, key=columns)  # the first of equals
    except csv.Error:
        return ","


def _parquet_rows(path: Path) -> Iterator[Row]:
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
