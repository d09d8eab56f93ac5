"""Files of lines, one record each: appended whole and at once, by one process at a time.

A killed process leaves at most one torn last line; it is dropped when the file is opened again. A power loss takes at
most the lines of the last `SYNC_EVERY` seconds, or a little more on a disk that is slow to sync; a file that was closed
is on the disk.
"""

import asyncio
import errno
import os
import threading
import time
from collections.abc import Callable, Coroutine, Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from contextvars import ContextVar
from io import FileIO
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar, cast

from pydantic import ValidationError

from mossbench.errors import RunError, StorageError
from mossbench.plumbing.coroutines import GRACE
from mossbench.plumbing.places import Fate, Place, PlaceLost, cut_fate, folder_place
from mossbench.plumbing.storage import storage_errors, sync_folder, write_atomically
from mossbench.plumbing.untrusted_files import check_regular, open_file, record_fault
from mossbench.samples import Record

Line = TypeVar("Line", bound=Record)
Result = TypeVar("Result")
SYNC_EVERY = 1.0
"""Seconds between two syncs of a file that is being written."""
DELETED_WITHIN = 0.5
"""Seconds that deleting a folder takes after one of its files is gone; nothing is begun in it meanwhile."""


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

    Before each record, and at every sync, it is checked that the file is still where it was and has all that was
    written to it. Where it is not, or its folder is not, or somebody else has cut it, `append` raises PlaceLost, each
    time. The record is kept as far as that can be: in the file where it is now, or, if only the file was deleted, in a
    new one in its folder.
    """

    def __init__(self, path: Path) -> None:
        self.path, self._waiting, self._torn = path, list[Record](), True
        self.on_lost: Callable[[PlaceLost], None] | None = None
        """Told once, from any thread, when the file is no longer where it was."""
        self._lost: PlaceLost | None = None
        self._is_needed = True
        self._n_bytes = 0
        """Size of the file after the last whole line that is surely in it; it is smaller only if somebody cuts it."""
        self._closed_by = ExitStack()
        with storage_errors(path):
            if path.exists():
                check_regular(path.stat().st_mode, path)
            new = not path.exists()
            self._open()
            if new:
                sync_folder(path.parent)
        self._folder_place = self._closed_by.enter_context(folder_place(path.parent))
        self._unsynced, self._closing, self._sync_fault = False, threading.Event(), cast(OSError | None, None)
        try:
            self.flush()
        except StorageError:
            self._close_file()
            raise
        self._syncing = threading.Thread(target=self._sync_now_and_then, daemon=True)  # a slow disk holds up no answer
        self._syncing.start()

    def _open(self) -> None:
        self._file = self.path.open("a+b", buffering=0)
        self._place = Place(self.path, self._file.fileno())

    def _close_file(self) -> None:
        self._file.close()
        self._closed_by.close()

    def append(self, record: Record) -> None:
        self._waiting.append(record)
        lost = self.find_lost()
        if lost is None:
            self.flush()
            return
        if lost.keeps_more:
            self._write_where_it_can_be_kept(lost)
        raise lost

    def delete(self) -> None:
        """Deletes the file, which is needed no more; that it is gone is then no fault."""
        self._is_needed = False
        self.path.unlink(missing_ok=True)

    def find_lost(self) -> PlaceLost | None:
        """What became of the file where it is no longer where it was. Once found, it stays so."""
        if self._lost is None and self._is_needed:
            fate = self._place.fate() or self._cut_fate()
            if fate is not None:
                folder_fate = self._fate_of_folder(fate)
                self._lost = PlaceLost(self.path, fate, folder_fate)
                if self.on_lost is not None:
                    self.on_lost(self._lost)
        return self._lost

    def _cut_fate(self) -> Fate | None:
        try:
            return cut_fate(self.path, self._file.fileno(), self._n_bytes)
        except ValueError:  # closed just now, to be opened again
            return None

    def _fate_of_folder(self, file: Fate) -> Fate | None:
        """What became of the folder. Whoever deletes one deletes its files first, so a moment may tell more."""
        if self._folder_place is None:
            return None
        fate = self._folder_place.fate()
        if fate is None and file.is_deleted and not file.is_replaced:
            time.sleep(DELETED_WITHIN)
            fate = self._folder_place.fate()
        return fate

    def _write_where_it_can_be_kept(self, lost: PlaceLost) -> None:
        """Writes what waits to the file where it is now; a deleted one is begun again in its folder."""
        if lost.file.cut is not None:
            self._torn = True  # it may have been cut in the middle of a line
        if lost.file.is_deleted and self._place.fate() is not None:
            with storage_errors(self.path):
                self._file.close()
                self._open()
            self._torn = True  # whoever put another file there may have left its last line open
        self.flush()

    def _sync_now_and_then(self) -> None:
        while not self._closing.wait(SYNC_EVERY):
            try:
                self.sync()
            except OSError as error:
                self._sync_fault = error
                return
            except ValueError:  # closed just now, to be opened again
                continue
            if self.find_lost() is not None:
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
                self._n_bytes = 0  # not known until the torn line is off
                self._n_bytes = _drop_torn_line(self._file)  # what comes next must not be glued to it
            self._torn = False
            while self._waiting:
                line = self._waiting[0].model_dump_json().encode() + b"\n"
                self._torn = True
                if self._file.write(line) != len(line):  # a full disk may take a part and raise nothing
                    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
                self._n_bytes += len(line)
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
            lost = self.find_lost()
            if lost is None or lost.keeps_more:
                self._flush_at_the_end(lost)
            if lost is not None and not isinstance(error, PlaceLost):
                raise lost  # nobody has been told yet
        except StorageError as full:
            if self._waiting:
                names = "; ".join(map(_name_of, self._waiting))
                full.add_note(f"{len(self._waiting)} rows could not be written and are lost: {names}")
            raise
        finally:
            self._close_file()

    def _flush_at_the_end(self, lost: PlaceLost | None) -> None:
        if lost is not None and self._waiting:
            self._write_where_it_can_be_kept(lost)
        self.flush()
        with storage_errors(self.path):
            self.sync()


async def until_lost(
    work: Coroutine[Any, Any, Result], files: Iterable[LineWriter], stop: Callable[[], bool], grace: float = GRACE
) -> Result:
    """What the work gives. Once one of the files is no longer where it was, PlaceLost is raised in its place.

    `stop` has the work begin nothing more, and says whether what is under way may end: it has `grace` seconds for it
    where that can still be written, and else is cancelled.
    """
    loop = asyncio.get_running_loop()
    lost: asyncio.Future[PlaceLost] = loop.create_future()

    def hear(error: PlaceLost) -> None:
        if not lost.done():
            lost.set_result(error)

    def tell(error: PlaceLost) -> None:
        with suppress(RuntimeError):  # the loop is closed: the work is over
            loop.call_soon_threadsafe(hear, error)

    for file in files:
        file.on_lost = tell
    task = asyncio.ensure_future(work)
    either: list[asyncio.Future[Any]] = [task, lost]
    try:
        await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
        if lost.done() and not task.done():
            may_end = stop()
            if may_end and lost.result().keeps_more:
                await asyncio.wait({task}, timeout=grace)
    finally:
        if not task.done():
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
    if lost.done():
        if not task.cancelled():
            task.exception()  # it may have raised the same
        raise lost.result()
    return task.result()


def _name_of(record: Record) -> str:
    """Which row a line is about, for a message."""
    fields = ("side", "sample", "arm", "epoch")
    return " ".join(str(getattr(record, field)) for field in fields if hasattr(record, field))


def _drop_torn_line(file: FileIO) -> int:
    """Cuts off a last line that does not end; by the open file, since another may be at its path by now.

    The size of the file then.
    """
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
    return position
