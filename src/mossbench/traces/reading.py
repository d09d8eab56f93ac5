"""Reads log files record by record: JSON lines, a JSON list, one JSON value over many lines, CSV or Parquet; also .gz.

How a file is read is told from its content, not from its name. At most one record is in memory. A record that cannot
be read does not end the reading: it is given with the reason.
"""

from __future__ import annotations

import csv
import gzip
import io
import re
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from mossbench.errors import DataError, UsageError, needing
from mossbench.plumbing.untrusted_files import open_file, parse_json
from mossbench.traces.formats.table import columns_for

MAX_RECORD = 64_000_000
"""Bytes of a record; images inline make records long. A longer one is not read."""
_HEAD = 65_536
_STEP = 1 << 20
_START = 300
"""Bytes of an unreadable record that are kept."""
_OUTSIDE = re.compile(rb'["{}\[\]]')
_INSIDE = re.compile(rb'["\\]')
_SEPARATORS = ",;\t|"


@dataclass(frozen=True)
class Place:
    """A record of a log, or why it cannot be read."""

    line: int
    values: dict[str, Any] | None = None
    raw: bytes = b""
    """Its bytes, from which its digest is made; of a record that cannot be read the beginning."""
    n_bytes: int = 0
    fault: str = ""


Layout = Callable[[list[str]], Mapping[str, str]]
"""Field -> column, from the names of the columns."""


@dataclass(frozen=True)
class Source:
    """A log file with what its content is."""

    path: Path
    kind: str
    """`json`, `csv` or `parquet`."""

    def records(self) -> Iterator[Place]:
        if self.kind == "parquet":
            return _parquet_places(self.path)
        if self.kind == "csv":
            return _csv_places(self.path)
        return _json_places(self.path)


def open_source(path: Path) -> Source:
    """The file with its kind; a DataError where it cannot be opened, a UsageError where it is empty or of no kind."""
    with _read_faults(path):
        if path.is_dir():
            raise UsageError(f"{path} is a folder; name its files, as in {path}/*.jsonl")
        with _opened(path) as file:
            head = file.read(_HEAD)
    if not head.strip():
        raise DataError(f"{path} is empty")
    if head.startswith(b"PAR1"):
        return Source(path, "parquet")
    first = head.removeprefix(b"\xef\xbb\xbf").lstrip()[:1]
    if first in (b"{", b"["):
        return Source(path, "json")
    is_wide = head[:2] in (b"\xff\xfe", b"\xfe\xff")
    if b"\x00" in head and not is_wide:
        raise DataError(f"{path} is neither JSON lines nor CSV nor Parquet; convert it to one of these")
    if path.suffix.lower() in (".json", ".jsonl", ".ndjson") and b"{" in head:
        return Source(path, "json")  # its first line is damaged
    first_line = head.split(b"\n")[0]
    if any(separator.encode() in first_line for separator in _SEPARATORS):
        return Source(path, "csv")
    if path.suffix.lower() in (".csv", ".tsv"):
        return Source(path, "csv")
    if b"{" in head:
        return Source(path, "json")  # as above
    raise DataError(f"{path} is neither JSON lines nor CSV nor Parquet; convert it to one of these")


class _read_faults:
    """Turns errors of the disk into a DataError."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __enter__(self) -> None:
        return None

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        if isinstance(error, OSError):
            reason = error.strerror or error
            raise DataError(f"cannot read {self.path}: {reason}; check the path and its permissions") from error


@contextmanager
def _opened(path: Path) -> Iterator[IO[bytes]]:
    """The file, unpacked where it is gzip."""
    with open_file(path) as file:
        is_gzip = file.read(2) == b"\x1f\x8b"
        file.seek(0)
        if not is_gzip:
            yield file
            return
        with gzip.GzipFile(fileobj=file) as unpacked:
            yield unpacked  # type: ignore[misc]  # it reads bytes as well


# JSON


def _json_places(path: Path) -> Iterator[Place]:
    with _read_faults(path), _opened(path) as file:
        yield from _until_cut(_json_records(file))


def _json_records(file: IO[bytes]) -> Iterator[Place]:
    head = file.read(_HEAD)
    file.seek(0)
    pieces = _spread_values(file) if _is_spread(head) else _lines(file)
    for line, raw, n_bytes in pieces:
        if raw is None:
            fault = f"the record has {n_bytes:,} bytes, more than {MAX_RECORD:,}"
            yield Place(line, n_bytes=n_bytes, fault=fault)
            continue
        stripped = raw.removeprefix(b"\xef\xbb\xbf").strip()
        if stripped:
            yield _parsed(line, stripped)


def _parsed(line: int, raw: bytes) -> Place:
    try:
        values = parse_json(raw.decode("utf-8"), parse_constant=lambda _: None)
    except UnicodeDecodeError as error:
        fault = f"not UTF-8 ({error.reason} at byte {error.start})"
    except ValueError as error:
        fault = f"not JSON: {error}"
    else:
        if isinstance(values, dict):
            return Place(line, values, raw, len(raw))
        fault = f"expected an object in braces, found {type(values).__name__}"
    return Place(line, raw=raw[:_START], n_bytes=len(raw), fault=fault)


def _until_cut(places: Iterator[Place]) -> Iterator[Place]:
    """The places, and one that says so where a compressed file ends early or is damaged."""
    line = 0
    try:
        for place in places:
            line = place.line
            yield place
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        yield Place(line + 1, fault=f"the compressed file is damaged or ends early after this line: {error}")


def _lines(file: IO[bytes]) -> Iterator[tuple[int, bytes | None, int]]:
    """The lines with their numbers and sizes; None for one that is too long."""
    number = 0
    while True:
        number += 1
        line = file.readline(MAX_RECORD + 1)
        if not line:
            return
        if len(line) <= MAX_RECORD:
            yield number, line, len(line)
            continue
        n_bytes = len(line)
        while line and not line.endswith(b"\n"):
            line = file.readline(_STEP)
            n_bytes += len(line)
        yield number, None, n_bytes


def _is_spread(head: bytes) -> bool:
    """Whether the content is a list, or one value over many lines, and not a record in each line."""
    head = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    if head.startswith(b"["):
        return True
    first_line, _, rest = head.partition(b"\n")
    next_lines = rest.lstrip()[:1]
    if not next_lines or next_lines == b"{":
        return False
    try:
        parse_json(first_line)
    except ValueError:
        return first_line.strip() == b"{" or first_line.rstrip().endswith((b"{", b"[", b","))
    return False


def _spread_values(file: IO[bytes]) -> Iterator[tuple[int, bytes | None, int]]:
    """Each object of a list, or of values one after the other, with the line in which it begins."""
    scanner = _Scanner()
    while True:
        chunk = file.read(_STEP)
        if not chunk:
            break
        yield from scanner.values_in(chunk)
    if scanner.depth:
        yield scanner.line, bytes(scanner.value), len(scanner.value)


class _Scanner:
    """Finds where objects begin and end, without reading what is in them."""

    def __init__(self) -> None:
        self.depth = 0
        """Of braces and brackets inside the object; 0 between objects."""
        self.value = bytearray()
        self.n_bytes = 0
        self.line = 1
        self._n_lines = 1
        self._in_text = False
        self._skip_next = False

    def values_in(self, chunk: bytes) -> Iterator[tuple[int, bytes | None, int]]:
        position = 0
        start = 0
        if self._skip_next:
            position = 1
            self._skip_next = False
        while True:
            match = (_INSIDE if self._in_text else _OUTSIDE).search(chunk, position)
            if match is None:
                break
            position = match.end()
            sign = match[0]
            if sign == b"\\":
                self._skip_next = position >= len(chunk)
                position += 1
            elif sign == b'"':
                self._in_text = not self._in_text
            elif sign in b"{[":
                if self.depth == 0 and sign == b"{":
                    start = match.start()
                    self.line = self._n_lines + chunk.count(b"\n", 0, start)
                self.depth += bool(self.depth) or sign == b"{"
            elif self.depth:
                self.depth -= 1
                if self.depth == 0:
                    self._keep(chunk[start:position])
                    yield self._taken()
                    start = position
        if self.depth:
            self._keep(chunk[start:])
        self._n_lines += chunk.count(b"\n")

    def _keep(self, part: bytes) -> None:
        self.n_bytes += len(part)
        if self.n_bytes <= MAX_RECORD:
            self.value += part

    def _taken(self) -> tuple[int, bytes | None, int]:
        is_whole = self.n_bytes <= MAX_RECORD
        taken = self.line, bytes(self.value) if is_whole else None, self.n_bytes
        self.value.clear()
        self.n_bytes = 0
        return taken


# CSV and Parquet


def _csv_places(path: Path) -> Iterator[Place]:
    with _read_faults(path), _opened(path) as file:
        yield from _until_cut(_csv_records(file))


def _csv_records(file: IO[bytes]) -> Iterator[Place]:
    head = file.read(_HEAD)
    file.seek(0)
    encoding = "utf-16" if head[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
    with io.TextIOWrapper(file, encoding, errors="surrogateescape", newline="") as text:
        yield from _rows_of(text, head.decode(encoding, "replace").partition("\n")[0])


def _rows_of(text: IO[str], first_line: str) -> Iterator[Place]:
    csv.field_size_limit(MAX_RECORD)
    separator = max(_SEPARATORS, key=first_line.count)
    reader = csv.reader(text, delimiter=separator)
    header = [name.strip() for name in next(reader, [])]
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
            yield _row(line, header, cells)


def _row(line: int, header: list[str], cells: list[str]) -> Place:
    raw = "\x1f".join(cells).encode("utf-8", "surrogateescape")
    if len(cells) != len(header):
        fault = f"{len(cells)} cells, but the header has {len(header)} columns"
        return Place(line, raw=raw[:_START], n_bytes=len(raw), fault=fault)
    try:
        raw.decode("utf-8")
    except UnicodeDecodeError as error:
        return Place(line, raw=raw[:_START], n_bytes=len(raw), fault=f"not UTF-8 ({error.reason})")
    values = {name: cell for name, cell in zip(header, cells, strict=True) if name and cell != ""}
    return Place(line, values, raw, len(raw))


def _parquet_places(path: Path) -> Iterator[Place]:
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


def column_names(source: Source) -> list[str]:
    """The columns of the first record that can be read; of a table all."""
    if source.kind == "csv":
        with _read_faults(source.path), _opened(source.path) as file:
            head = file.read(_HEAD)
        encoding = "utf-16" if head[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
        text = head.decode(encoding, "replace")
        separator = max(_SEPARATORS, key=text.partition("\n")[0].count)
        return [name.strip() for name in next(csv.reader(io.StringIO(text, newline=""), delimiter=separator), [])]
    names: dict[str, None] = {}  # a set in order
    for number, place in enumerate(source.records()):
        names |= dict.fromkeys(place.values or ())
        if number >= 20:
            break
    return list(names)


def layout_of(source: Source, columns: Mapping[str, str]) -> dict[str, str]:
    """Field -> column of a table, or of records whose columns are named; a UsageError where one is missing."""
    return columns_for(column_names(source), columns, str(source.path))
