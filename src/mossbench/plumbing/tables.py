"""Reads the rows of a JSONL, CSV or Parquet file, with the line of each."""

import codecs
import csv
import io
import re
from collections import Counter
from collections.abc import Callable, Container, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mossbench.errors import DataError, n_of, needing
from mossbench.plumbing.untrusted_files import open_file, parse_json, read_file

if TYPE_CHECKING:
    from _csv import Reader as CsvReader

FORMATS = ("jsonl", "csv", "parquet")
_SEPARATORS = ",;\t|"
_HEAD = 65_536  # characters that are read to find the separator
_WIDE = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


@dataclass(frozen=True)
class Row:
    line: int
    """Line of the file for text formats, number of the row for Parquet; from 1."""
    values: dict[str, Any]


OnFault = Callable[[str, str, int, str], None]
"""Called for a row that cannot be read: message, way out, line, and a text that is the same for faults of one kind."""


def refuse(message: str, way_out: str, _line: int, _like: str) -> None:
    raise DataError(f"{message}; {way_out}")


def read_rows(
    path: Path, *, on_fault: OnFault = refuse, names: Container[str] = (), infinite: bool = False
) -> Iterator[Row]:
    """The rows of a JSONL, CSV or Parquet file, without blank lines, and without faulty rows if `on_fault` returns.

    `names` of likely columns, in lower case, help to find the character that separates the cells of a CSV. Infinite
    numbers in a JSONL are faults unless `infinite` is set; NaN, as pandas writes missing values, is None.
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

    with _read_faults(path), open_file(path) as file:  # line by line: the file may not fit into memory
        is_wide = file.read(2) in _WIDE
        file.seek(0)
        lines = (
            io.BytesIO(file.read().decode("utf-16", "replace").encode("utf-8", "surrogatepass")) if is_wide else file
        )
        for number, line in enumerate(lines, start=1):
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
        reader = csv.reader(())
        n_lines_above = 0
        try:
            head = text.read(_HEAD)
            text.seek(0)
            separator_line = re.match(r"sep=(.)\r?\n", head)  # Excel's own line about the separator
            if separator_line:
                text.readline()
                n_lines_above = 1
            separator = separator_line[1] if separator_line else _separator(head, names)
            reader = csv.reader(text, delimiter=separator, strict=True)
            yield from _rows_under_header(path, reader, n_lines_above, on_fault)
        except csv.Error as error:
            raise DataError(f"{path}, line {reader.line_num + n_lines_above}: not valid CSV: {error}") from error
        except UnicodeDecodeError:
            read_text(path)  # its error names the byte of the file
            raise


def _rows_under_header(path: Path, reader: "CsvReader", n_lines_above: int, on_fault: OnFault) -> Iterator[Row]:
    header = [name.strip() for name in next(reader, [])]
    _check_repeated_names(path, header)
    unnamed_columns = _UnnamedColumns(path, header)
    number = 0
    last_line = reader.line_num
    for cells in reader:
        line = last_line + 1 + n_lines_above  # the first, if a quoted cell continues over several lines
        last_line = reader.line_num
        if _is_blank(cells, header):
            continue
        if not any(cells[len(header) :]):  # empty cells to the right, as spreadsheets leave them
            cells = cells[: len(header)]
        if len(cells) != len(header):
            message = (
                f"{path}, line {line}: {n_of(len(cells), 'cell')}, but the header has {n_of(len(header), 'column')}"
            )
            on_fault(message, "quote cells that contain the separator or line breaks", line, "number of cells")
            continue
        unnamed_columns.check(cells, number)
        number += 1
        yield Row(line, {name: cell for name, cell in zip(header, cells, strict=True) if name})


def _check_repeated_names(path: Path, header: list[str]) -> None:
    for name, n in Counter(filter(None, header)).items():
        if n > 1:
            columns = " and ".join(str(i) for i, other in enumerate(header, 1) if other == name)
            fault = f"the header has {name!r} more than once (columns {columns}); rename all but one of them"
            raise DataError(f"{path}, line 1: {fault}")


def _is_blank(cells: list[str], header: list[str]) -> bool:
    """Whether a line is to be skipped; in a table of one column an empty line is an empty cell."""
    if any(cell.strip() for cell in cells):
        return False
    return len(cells) != len(header) or len(header) > 1


class _UnnamedColumns:
    """Columns without a name are left out, if they are empty or count the rows from 0 or 1, as pandas' index does."""

    def __init__(self, path: Path, header: list[str]) -> None:
        self._path = path
        self._header = header
        self._possible_contents: dict[int, set[int | None]] = {
            i: {None, 0, 1} for i, name in enumerate(header) if not name
        }
        """Column -> what it may hold, from the rows so far: numbers from this one on, or None for nothing."""

    def check(self, cells: list[str], row_number: int) -> None:
        """A DataError if a column holds anything else; `row_number` counts from 0."""
        for i, contents in self._possible_contents.items():
            for first in tuple(contents):
                expected = "" if first is None else str(row_number + first)
                if cells[i] != expected:
                    contents.remove(first)
            if not contents:
                place = f"after {self._header[i - 1]!r}" if i else "the first one"
                fault = f"column {i + 1} of the header ({place}) has no name; name it, or remove the column"
                raise DataError(f"{self._path}, line 1: {fault}")


def _separator(text: str, names: Container[str]) -> str:
    """The character that splits the first line into the most columns with likely names, or into the most columns."""

    def count_columns(separator: str) -> tuple[int, int]:
        cells = next(csv.reader(io.StringIO(text, newline=""), delimiter=separator), [])
        n_likely = sum(cell.strip().lower() in names for cell in cells)
        return n_likely, len(cells)

    try:
        return max(_SEPARATORS, key=count_columns)  # the first of equals
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
