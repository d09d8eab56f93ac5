"""The folder of imported logs: its files, which only their owner may open, and what is written to them.

traces.json       what was imported, and the salt of the pseudonyms
traces.jsonl      the traces, redacted; append-only, but for `purge`
unread.jsonl      lines that could not be read, with the reason
images/           images that were inline, without their metadata
sorting.jsonl     which requests are harmless, and who says so; append-only
verdicts.….jsonl  what judges say; append-only
annotations.db    what people say on the page
known.db          digests of everything that was imported, so that nothing is imported twice
"""

from __future__ import annotations

import os
import secrets
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import suppress
from io import FileIO
from pathlib import Path
from types import TracebackType
from typing import IO, Literal, Self

import mossbench
from mossbench.errors import DataError, UsageError
from mossbench.plumbing.line_writer import end_last_line
from mossbench.plumbing.lines import read_lines
from mossbench.plumbing.storage import storage_errors, sync_folder, write_atomically
from mossbench.plumbing.untrusted_files import fault_text, read_file
from mossbench.samples import Record
from mossbench.traces.records import Trace, TracesInfo, UnreadLine, WrittenFile
from mossbench.ways_out import Command

INFO = "traces.json"
TRACES = "traces.jsonl"
UNREAD = "unread.jsonl"
SORTING = "sorting.jsonl"
KNOWN = "known.db"
IMAGES = "images"
ANNOTATIONS = "sorting.db"
MODE = 0o600
FOLDER_MODE = 0o700


class TracesFolder:
    """A folder of traces; made by `create`, found by `open`."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @classmethod
    def create(cls, path: Path, own_patterns: dict[str, str] | None = None) -> TracesFolder:
        """The folder, made if it does not exist; a UsageError where something else is there."""
        folder = cls(path)
        if path.exists() and not path.is_dir():
            raise UsageError(f"{path} is a file; name a folder for the traces")
        if folder.info_path.exists():
            folder.close_to_others()
            return folder
        if path.exists() and any(path.iterdir()):
            raise UsageError(f"{path} holds other files; name a new folder for the traces")
        with storage_errors(path):
            path.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)
            folder.close_to_others()
        salt = secrets.token_hex(16)
        folder.write_info(TracesInfo(mossbench=mossbench.__version__, salt=salt, own_patterns=own_patterns or {}))
        return folder

    @classmethod
    def open(cls, path: Path | str) -> TracesFolder:
        """A folder that exists; a UsageError where it is none."""
        folder = cls(Path(path))
        if not folder.info_path.is_file():
            raise UsageError(
                f"{str(path)!r} is not a folder of traces",
                way_out=Command(f"mossbench traces import FILE --out {path}", to="import a log into it"),
            )
        folder.close_to_others()
        return folder

    @property
    def info_path(self) -> Path:
        return self.path / INFO

    @property
    def traces_path(self) -> Path:
        return self.path / TRACES

    def close_to_others(self) -> None:
        """Takes the rights of everybody but the owner from the folder, which may have been copied or unpacked."""
        with suppress(OSError):
            if self.path.stat().st_mode & 0o077:
                self.path.chmod(FOLDER_MODE)

    def info(self) -> TracesInfo:
        try:
            return TracesInfo.model_validate_json(read_file(self.info_path))
        except (OSError, ValueError) as error:
            raise DataError(f"{self.info_path} cannot be read: {fault_text(error)}; restore it from a copy") from error

    def write_info(self, info: TracesInfo) -> None:
        self.write(self.info_path, info.model_dump_json(indent=1) + "\n")

    def note_written(self, what: Literal["rows", "twins", "dataset"], path: Path) -> None:
        """Notes a file with texts of traces outside of the folder, so that a purge knows it."""
        info = self.info()
        written = WrittenFile(what=what, path=str(path.resolve()))
        if written not in info.written:
            self.write_info(info.model_copy(update={"written": (*info.written, written)}))

    def write(self, path: Path, content: str | bytes) -> None:
        """Writes a file for the owner alone."""
        write_atomically(path, content)
        with suppress(OSError):
            path.chmod(MODE)

    def traces(self) -> Iterator[Trace]:
        return read_lines(self.traces_path, Trace)

    def unread(self) -> Iterator[UnreadLine]:
        return read_lines(self.path / UNREAD, UnreadLine)

    def image_path(self, name: str) -> Path:
        """The file of an image; a UsageError for a name that leads elsewhere."""
        path = self.path / name
        if Path(name).parts[:1] != (IMAGES,) or len(Path(name).parts) != 2 or ".." in name:
            raise UsageError(f"{name[:80]!r} is no image of these traces")
        return path

    def database_path(self, name: str) -> Path:
        """The path of a database, which is made here so that only its owner may open it."""
        path = self.path / name
        with storage_errors(path):
            os.close(os.open(path, os.O_CREAT | os.O_RDWR, MODE))
        return path


class PrivateLines:
    """Appends records to a file of lines that only its owner may open; on the disk when it is closed."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file = self._opened()

    def _opened(self) -> IO[bytes]:
        with storage_errors(self.path):
            descriptor = os.open(self.path, os.O_CREAT | os.O_RDWR | os.O_APPEND, MODE)
            with FileIO(descriptor, "a+", closefd=False) as unbuffered:
                end_last_line(unbuffered)
        return os.fdopen(descriptor, "a+b")

    def append(self, record: Record) -> None:
        with storage_errors(self.path):
            self._file.write(record.model_dump_json(exclude_defaults=True).encode() + b"\n")

    def flush(self) -> None:
        """Gives everything to the system: it is there also if this process is killed."""
        with storage_errors(self.path):
            self._file.flush()

    def sync(self) -> None:
        self.flush()
        with storage_errors(self.path):
            os.fsync(self._file.fileno())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        try:
            self.sync()
        finally:
            self._file.close()
        sync_folder(self.path.parent)


class KnownDigests:
    """Digests of what was imported, on disk: a set of millions would not fit into memory."""

    def __init__(self, folder: TracesFolder) -> None:
        path = folder.database_path(KNOWN)
        self._db = sqlite3.connect(path, isolation_level=None)
        self._db.execute("PRAGMA journal_mode = MEMORY")
        self._db.execute("PRAGMA synchronous = OFF")  # after a power loss it is filled again from the traces
        self._db.execute("PRAGMA cache_size = -1000")  # kilobytes
        self._db.execute("CREATE TABLE IF NOT EXISTS known (digest INTEGER PRIMARY KEY)")
        self._db.execute("CREATE TABLE IF NOT EXISTS purged (digest INTEGER PRIMARY KEY)")
        self._db.execute("CREATE TABLE IF NOT EXISTS importing (started TEXT)")
        self.was_interrupted = bool(self._db.execute("SELECT count(*) FROM importing").fetchone()[0])
        self._db.execute("BEGIN")

    def fill(self, digests: Iterable[str]) -> None:
        """Makes the set again, of these digests and of those of purged traces: after an import that was killed."""
        self._db.execute("DELETE FROM known")
        self._db.execute("INSERT INTO known SELECT digest FROM purged")
        for digest in digests:
            self.add(digest)

    def add_purged(self, digest: str) -> None:
        """Notes that a trace was deleted, so that it does not come back with its log."""
        self._db.execute("INSERT OR IGNORE INTO purged VALUES (?)", (_number(digest),))

    def begin(self) -> None:
        self._db.execute("INSERT INTO importing VALUES ('yes')")
        self.commit()

    def add(self, digest: str) -> bool:
        """Adds a digest of hexadecimal digits; whether it is new."""
        return self._db.execute("INSERT OR IGNORE INTO known VALUES (?)", (_number(digest),)).rowcount == 1

    def commit(self) -> None:
        self._db.execute("COMMIT")
        self._db.execute("BEGIN")

    def end(self) -> None:
        self._db.execute("DELETE FROM importing")
        self.commit()

    def close(self) -> None:
        self._db.execute("COMMIT")
        self._db.close()


def _number(digest: str) -> int:
    """A digest as an integer of 64 bits, as SQLite has them."""
    return int(digest[:16], 16) - (1 << 63)
