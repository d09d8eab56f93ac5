"""Log files as they are opened: unpacked where they are gzip, in UTF-8 where they are UTF-16; and records in them."""

from __future__ import annotations

import codecs
import gzip
import io
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from mossbench.errors import DataError
from mossbench.plumbing.untrusted_files import open_file

MAX_RECORD = 64_000_000
"""Bytes of a record; images inline make records long. A longer one is not read."""
HEAD = 65_536
"""Bytes from which it is told what a file is."""
START = 300
"""Bytes of an unreadable record that are kept."""
OTHER_ENCODING = "name the encoding of the file with --encoding, such as cp1252"
_STEP = 1 << 16
DAMAGED = (EOFError, gzip.BadGzipFile, zlib.error)
"""What a compressed file raises that ends early or is damaged."""


@dataclass(frozen=True)
class Place:
    """A record of a log, or why it cannot be read."""

    line: int
    values: dict[str, Any] | None = None
    raw: bytes = b""
    """Its bytes, from which its digest is made; of a record that cannot be read the beginning."""
    n_bytes: int = 0
    fault: str = ""
    nth: int = 0
    """Records before it that begin in the same line."""


class read_faults:
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
def opened(path: Path, encoding: str = "") -> Iterator[IO[bytes]]:
    """The content of the file, unpacked and in UTF-8, from `encoding`; where that is empty it is UTF-8 or UTF-16."""
    if not encoding:
        with _unpacked(path) as file:
            encoding = _wide_encoding(_first_bytes(file, 4))
    with _unpacked(path) as file:
        if encoding:
            with io.BufferedReader(_AsUtf8(file, encoding), _STEP) as narrow:
                yield narrow
        else:
            yield file


@contextmanager
def _unpacked(path: Path) -> Iterator[IO[bytes]]:
    with open_file(path) as file:
        is_gzip = file.read(2) == b"\x1f\x8b"
        file.seek(0)
        if not is_gzip:
            yield file
            return
        with gzip.GzipFile(fileobj=file) as unpacked:
            yield unpacked  # type: ignore[misc]  # it reads bytes as well


def _first_bytes(file: IO[bytes], n: int) -> bytes:
    """The first bytes, fewer where the file is short or damaged."""
    head = b""
    try:
        while len(head) < n:
            step = file.read1(n - len(head))  # type: ignore[attr-defined]  # all that are opened here have it
            if not step:
                break
            head += step
    except DAMAGED:
        pass
    return head


def head_of(path: Path, encoding: str = "") -> bytes:
    """The first bytes of the content; a DataError where a compressed file is so damaged that it has none."""
    with opened(path, encoding) as file:
        head = _first_bytes(file, HEAD)
    if not head and path.stat().st_size:
        raise DataError(f"{path} is compressed and damaged at its beginning; copy it again from where it was made")
    return head


def _wide_encoding(head: bytes) -> str:
    """The encoding of a text in UTF-16, told from its mark or from a zero in every second byte; empty for others."""
    if head[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
        return "utf-16"
    if len(head) < 4:
        return ""
    zeros = tuple(byte == 0 for byte in head)
    if zeros == (False, True, False, True):
        return "utf-16-le"
    return "utf-16-be" if zeros == (True, False, True, False) else ""


class _AsUtf8(io.RawIOBase):
    """Reads a file in another encoding as UTF-8."""

    def __init__(self, file: IO[bytes], encoding: str) -> None:
        self._file = file
        self._decoder = codecs.getincrementaldecoder(encoding)("replace")
        self._ready = b""
        self._is_over = False

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while not self._ready and not self._is_over:
            chunk = self._file.read(_STEP)
            self._is_over = not chunk
            self._ready = self._decoder.decode(chunk, self._is_over).encode("utf-8", "surrogatepass")
        part = self._ready[: len(buffer)]
        buffer[: len(part)] = part
        self._ready = self._ready[len(part) :]
        return len(part)


def until_cut(places: Iterator[Place]) -> Iterator[Place]:
    """The places, and one that says so where a compressed file ends early or is damaged."""
    line = 0
    try:
        for place in places:
            line = place.line
            yield place
    except DAMAGED as error:
        yield Place(line + 1, fault=f"the compressed file is damaged or ends early after this line: {error}")
