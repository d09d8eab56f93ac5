"""Files of lines, one record each: appended whole and at once, by one process at a time.

A killed process leaves at most one torn last line; it is dropped when the file is opened again. A power loss takes at
most the lines of the last `SYNC_EVERY` seconds, or a little more on a disk that is slow to sync; a file that was closed
is on the disk.
"""

import errno
import os
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from types import TracebackType
from typing import Self, TypeVar, cast

from pydantic import ValidationError

from mossbench.errors import RunError, StorageError
from mossbench.plumbing.reading import check_regular, open_file, record_fault
from mossbench.plumbing.storage import storage_errors, sync_folder, write_atomically
from mossbench.samples import Record

Line = TypeVar("Line", bound=Record)
SYNC_EVERY = 1.0
"""Seconds between two syncs of a file that is being written."""


_parsed: ContextVar[dict[tuple[type[Record], bytes], Record] | None] = ContextVar("parsed", default=None)
MOST_PARSED = 20_000
"""Lines that are kept by what they say, so that a large run does not fill the memory."""


@contextmanager
def parsed_once() -> Iterator[None]:
    """Meanwhile a line that is read again is not parsed again."""
    token = _parsed.set({}) if _parsed.get() is None else None
    try:
        yield
    finally:
        if token:
            _parsed.reset(token)


def lines_of(records: Iterable[Record]) -> bytes:
    return "".join(record.model_dump_json() + "\n" for record in records).encode()


def write_lines(path: Path, records: Iterable[Record]) -> None:
    write_atomically(path, lines_of(records))


def read_lines(path: Path, record: type[Line]) -> Iterator[Line]:
    """The records in a file of lines; none when there is no file; a torn last line is skipped."""
    return (one for _, one in read_places(path, record))


def read_places(path: Path, record: type[Line]) -> Iterator[tuple[int, Line]]:
    """The same, each with where its line begins."""
    at = 0
    if not path.exists():
        return
    try:
        file = open_file(path)
    except OSError as error:
        raise RunError(f"{path} cannot be read: {error.strerror}") from error
    with file:
        for number, line in enumerate(file, start=1):
            if not line.endswith(b"\n"):
                return  # torn: its writer was killed
            begin, at = at, at + len(line)
            if not line.strip():
                continue
            try:
                yield begin, _parse(line, record)
            except ValidationError as error:
                raise RunError(
                    f"{path}, line {number}: {record_fault(error)}; the file was changed by hand or by another "
                    "version: restore it, or remove that line"
                ) from error


def _parse(line: bytes, record: type[Line]) -> Line:
    known = _parsed.get()
    if known is None:
        return record.model_validate_json(line)
    if (found := known.get((record, line))) is None:
        if len(known) >= MOST_PARSED:
            known.clear()
        found = known[record, line] = record.model_validate_json(line)
    return cast(Line, found)


class LineWriter:
    """Appends records to a file of lines, one write each; who opens it holds the folder (`RunFolder.held`).

    A record that cannot be written raises and waits in memory: it is written before the next one, or at the end.
    """

    def __init__(self, path: Path) -> None:
        self.path, self._waiting, self._torn = path, list[Record](), True
        with storage_errors(path):
            if path.exists():
                check_regular(path.stat().st_mode, path)
            new = not path.exists()
            self._file = path.open("ab", buffering=0)
            if new:
                sync_folder(path.parent)
        self._unsynced, self._closing, self._sync_fault = False, threading.Event(), cast(OSError | None, None)
        self.flush()
        self._syncing = threading.Thread(target=self._sync_now_and_then, daemon=True)  # a slow disk holds up no answer
        self._syncing.start()

    def append(self, record: Record) -> None:
        self._waiting.append(record)
        self.flush()

    def _sync_now_and_then(self) -> None:
        while not self._closing.wait(SYNC_EVERY):
            try:
                self.sync()
            except OSError as error:
                self._sync_fault = error
                return

    def sync(self) -> None:
        """Has what was written reach the disk."""
        if self._unsynced:
            self._unsynced = False  # before: what is written meanwhile may miss this one
            os.fsync(self._file.fileno())

    @property
    def n_waiting(self) -> int:
        return len(self._waiting)

    def flush(self) -> None:
        """Writes what could not be written before; raises also where what was written did not reach the disk."""
        with storage_errors(self.path):
            if self._torn:
                _drop_torn_line(self.path)  # what comes next must not be glued to it
            self._torn = False
            while self._waiting:
                line = self._waiting[0].model_dump_json().encode() + b"\n"
                self._torn = True
                if self._file.write(line) != len(line):  # a full disk may take a part and raise nothing
                    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
                self._torn, self._unsynced = False, True
                del self._waiting[0]
            if self._sync_fault is not None:
                raise self._sync_fault

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self._closing.set()
        self._syncing.join()
        try:
            self.flush()
            with storage_errors(self.path):
                self.sync()
        except StorageError as full:
            if self._waiting:
                names = "; ".join(map(_name_of, self._waiting))
                full.add_note(f"{len(self._waiting)} rows could not be written and are lost: {names}")
            raise
        finally:
            self._file.close()


def _name_of(record: Record) -> str:
    """Which row a line is about, for a message."""
    fields = ("side", "sample", "arm", "epoch")
    return " ".join(str(getattr(record, field)) for field in fields if hasattr(record, field))


def _drop_torn_line(path: Path) -> None:
    with path.open("rb+") as file:
        end = file.seek(0, os.SEEK_END)
        position = end
        while position > 0:  # backwards, since a torn line may be long
            step = min(65536, position)
            position = file.seek(position - step)
            newline = file.read(step).rfind(b"\n")
            if newline >= 0:
                position += newline + 1
                break
        if position != end:
            file.truncate(position)
