"""Records of JSON: a line each, a list, or values over many lines; at most one record is in memory."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from mossbench.plumbing.untrusted_files import parse_json
from mossbench.traces import log_files
from mossbench.traces.log_files import OTHER_ENCODING, START, Place, head_of, opened, read_faults, until_cut

_STEP = 1 << 20
_OUTSIDE = re.compile(rb'["{}\[\]]')
_INSIDE = re.compile(rb'["\\]')
_BOM = b"\xef\xbb\xbf"
_BETWEEN = b" \t\r\n,"
"""What stands between the records of a list."""
_MOST_STRAY = 4096
"""Bytes between records that are kept."""


def json_places(path: Path, encoding: str = "") -> Iterator[Place]:
    """The records of a file, and what else stands in it with the reason why it is none."""
    with read_faults(path):
        is_spread = _is_spread(head_of(path, encoding))
        with opened(path, encoding) as file:
            yield from until_cut(_spread_places(file) if is_spread else _line_places(file))


def _line_places(file: IO[bytes]) -> Iterator[Place]:
    for number, line, n_bytes in _lines(file):
        if line is None:
            yield _too_long(number, n_bytes)
            continue
        raw = line.removeprefix(_BOM).strip()
        if raw:
            yield from _places_in_line(number, raw)


def _too_long(line: int, n_bytes: int) -> Place:
    most = log_files.MAX_RECORD
    fault = f"the record has {n_bytes:,} bytes, more than {most:,}; write its calls as records of their own"
    return Place(line, n_bytes=n_bytes, fault=fault)


def _places_in_line(line: int, raw: bytes) -> Iterator[Place]:
    """The record of a line; each, where several objects stand in it, or a list of messages."""
    place = _parsed(line, raw)
    is_cut_list = place.values is None and raw[:1] == b"{" and "Extra data" in place.fault
    if not is_cut_list:
        yield place
        return
    scanner = _Scanner()
    yield from scanner.places_in(raw)
    yield from scanner.rest()


def _parsed(line: int, raw: bytes) -> Place:
    try:
        values = parse_json(raw.decode("utf-8"), parse_constant=lambda _: None)
    except UnicodeDecodeError as error:
        fault = f"not UTF-8 ({error.reason} at byte {error.start}); {OTHER_ENCODING}"
    except ValueError as error:
        is_long_number = "integer string conversion" in str(error)
        fault = "a number in it has more than 4,300 digits" if is_long_number else f"not JSON: {error}"
    else:
        if _is_conversation(values):
            values = {"messages": values}
        if isinstance(values, dict):
            return Place(line, values, raw, len(raw))
        fault = _no_object(values)
    return Place(line, raw=raw[:START], n_bytes=len(raw), fault=fault)


def _no_object(value: Any) -> str:
    return f"expected an object in braces, found {type(value).__name__}"


def _is_conversation(values: Any) -> bool:
    """Whether a list in a line is the messages of one call."""
    is_list = isinstance(values, list) and bool(values)
    return is_list and all(isinstance(value, dict) and ("role" in value or "from" in value) for value in values)


def _lines(file: IO[bytes]) -> Iterator[tuple[int, bytes | None, int]]:
    """The lines with their numbers and sizes; None for one that is too long."""
    number = 0
    while True:
        number += 1
        line = file.readline(log_files.MAX_RECORD + 1)
        if not line:
            return
        if len(line) <= log_files.MAX_RECORD:
            yield number, line, len(line)
            continue
        n_bytes = len(line)
        while line and not line.endswith(b"\n"):
            line = file.readline(_STEP)
            n_bytes += len(line)
        yield number, None, n_bytes


def _is_spread(head: bytes) -> bool:
    """Whether the content is a list, or one value over many lines, and not a record in each line."""
    head = head.removeprefix(_BOM).lstrip()
    first_line, _, rest = head.partition(b"\n")
    next_lines = rest.lstrip()[:1]
    if head.startswith(b"["):
        return next_lines != b"[" or not _is_whole(first_line)
    if not next_lines or next_lines == b"{" or _is_whole(first_line):
        return False
    return first_line.strip() == b"{" or first_line.rstrip().endswith((b"{", b"[", b","))


def _is_whole(line: bytes) -> bool:
    try:
        parse_json(line)
    except ValueError:
        return False
    return True


def _spread_places(file: IO[bytes]) -> Iterator[Place]:
    """Each object of a list, or of values one after the other, with the line in which it begins."""
    scanner = _Scanner()
    while True:
        chunk = file.read(_STEP)
        if not chunk:
            break
        yield from scanner.places_in(chunk)
    yield from scanner.rest()


class _Scanner:
    """Finds where objects begin and end, without reading what is in them; what stands between them is no record."""

    def __init__(self) -> None:
        self.depth = 0
        """Of braces and brackets inside the object; 0 between objects."""
        self.value = bytearray()
        self.n_bytes = 0
        self.line = 1
        self._stray = bytearray()
        self._n_stray = 0
        self._n_lines = 1
        self._in_text = False
        self._skip_next = False

    def places_in(self, chunk: bytes) -> Iterator[Place]:
        """The records that end in this part of the file."""
        position = 0
        start = 0
        """Where the object begins in this part, or what stands before the next one."""
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
                    self._keep_stray(chunk[start : match.start()])
                    self.line = self._n_lines + chunk.count(b"\n", 0, match.start())
                    yield from self._strays()
                    start = match.start()
                self.depth += bool(self.depth) or sign == b"{"
            elif self.depth:
                self.depth -= 1
                if self.depth == 0:
                    self._keep(chunk[start:position])
                    yield self._taken()
                    start = position
        if self.depth:
            self._keep(chunk[start:])
        else:
            self._keep_stray(chunk[start:])
        self._n_lines += chunk.count(b"\n")

    def rest(self) -> Iterator[Place]:
        """The object that the end of the file cuts, and what stands behind the last one."""
        if self.depth:
            yield self._taken()
        else:
            self.line = self._n_lines
        yield from self._strays()

    def _keep(self, part: bytes) -> None:
        self.n_bytes += len(part)
        if self.n_bytes <= log_files.MAX_RECORD:
            self.value += part

    def _keep_stray(self, part: bytes) -> None:
        self._n_stray += len(part)
        self._stray += part[: _MOST_STRAY - len(self._stray)]

    def _taken(self) -> Place:
        is_whole = self.n_bytes <= log_files.MAX_RECORD
        place = _parsed(self.line, bytes(self.value)) if is_whole else _too_long(self.line, self.n_bytes)
        self.value.clear()
        self.n_bytes = 0
        return place

    def _strays(self) -> Iterator[Place]:
        """What stood before this object, or at the end, and is no object: each value of a list, or all in one."""
        text = bytes(self._stray).removeprefix(_BOM).strip(_BETWEEN)
        n_bytes = self._n_stray
        self._stray.clear()
        self._n_stray = 0
        if not text.strip(_BETWEEN + b"[]"):
            return
        values = _values_of(text)
        for value in values:
            raw = json.dumps(value, ensure_ascii=False).encode("utf-8", "replace")
            yield Place(self.line, raw=raw[:START], n_bytes=len(raw), fault=_no_object(value))
        if not values:
            fault = "not JSON: it stands between records and is none"
            yield Place(self.line, raw=text[:START], n_bytes=n_bytes, fault=fault)


def _values_of(text: bytes) -> list[Any]:
    """The values of a part of a list; none where it is no JSON."""
    for candidate in (text, text.removeprefix(b"[").lstrip(_BETWEEN), text.removesuffix(b"]").rstrip(_BETWEEN)):
        try:
            values: list[Any] = parse_json(b"[" + candidate + b"]")
        except ValueError:
            continue
        return values
    return []
