"""Files with one record in each line, which one process at a time appends, each in one write.

A killed process leaves at most one torn last line, which is dropped when the file is opened again. A power loss loses
at most the lines of the last `SYNC_EVERY` seconds, or a little more on a disk that is slow to sync; a file that was
closed is on the disk.
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
"""Seconds to wait for the deletion of a folder after one of its files was deleted."""


_parsed: ContextVar[dict[tuple[type[Record], bytes], Record] | None] = ContextVar("parsed", default=None)
MOST_PARSED = 20_000
"""Maximum number of lines in the cache of parsed lines, so that a large run does not fill the memory."""


@contextmanager
def parsed_once() -> Iterator[None]:
    """Inside of this block, a line that is read several times is parsed once."""
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
    """The records in a file of lines; none if there is no file; a torn last line is skipped."""
    return (line for _, line in read_places(path, record))


def read_places(path: Path, record: type[Line]) -> Iterator[tuple[int, Line]]:
    """The records as from `read_lines`, each with the position in the file at which its line begins."""
    if not path.exists():
        return
    try:
        file = open_file(path)
    except OSError as error:
        raise RunError(f"{path} cannot be read: {error.strerror}") from error
    next_position = 0
    with file:
        for number, line in enumerate(file, start=1):
            if not line.endswith(b"\n"):
                return  # torn: its writer was killed
            position = next_position
            next_position += len(line)
            if not line.strip():
                continue
            try:
                yield position, _parse(line, record)
            except ValidationError as error:
                raise RunError(
                    f"{path}, line {number}: {record_fault(error)}; the file was changed by hand or by another "
                    "version: restore it, or remove that line"
                ) from error


def _parse(line: bytes, record: type[Line]) -> Line:
    cache = _parsed.get()
    if cache is None:
        return record.model_validate_json(line)
    parsed = cache.get((record, line))
    if parsed is None:
        if len(cache) >= MOST_PARSED:
            cache.clear()
        parsed = record.model_validate_json(line)
        cache[record, line] = parsed
    return cast(Line, parsed)


class LineWriter:
    """Appends records to a file of lines, one write each; its user holds the lock of the folder (`RunFolder.held`).

    If a record cannot be written, `append` raises and the record stays in memory: it is written before the next one, or
    at the end.

    Before each record, and at every sync, the file is checked: it must still be where it was and have all that was
    written to it. If the file or its folder was moved, deleted or replaced, or if somebody has cut the file, every call
    of `append` raises PlaceLost. The record is saved if possible: in the file at its new path, or, if only the file was
    deleted, in a new one in its folder.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.on_lost: Callable[[PlaceLost], None] | None = None
        """Called once, from any thread, if the file is no longer where it was."""
        self._waiting: list[Record] = []
        self._may_be_torn = True
        """Whether the last line of the file may be incomplete."""
        self._lost: PlaceLost | None = None
        self._is_needed = True
        self._n_bytes = 0
        """Size of the file after the last complete line; the file is smaller only if somebody cuts it."""
        self._has_unsynced_lines = False
        self._sync_error: OSError | None = None
        self._closing = threading.Event()
        self._resources = ExitStack()
        with storage_errors(path):
            if path.exists():
                check_regular(path.stat().st_mode, path)
            is_new = not path.exists()
            self._open()
            if is_new:
                sync_folder(path.parent)
        self._folder_place = self._resources.enter_context(folder_place(path.parent))
        try:
            self.flush()
        except StorageError:
            self._close_file()
            raise
        self._sync_thread = threading.Thread(target=self._sync_regularly, daemon=True)  # a slow disk delays no answer
        self._sync_thread.start()

    def _open(self) -> None:
        self._file = self.path.open("a+b", buffering=0)
        self._place = Place(self.path, self._file.fileno())

    def _close_file(self) -> None:
        self._file.close()
        self._resources.close()

    def append(self, record: Record) -> None:
        self._waiting.append(record)
        lost = self.find_lost()
        if lost is None:
            self.flush()
            return
        if lost.keeps_more:
            self._write_to_lost_file(lost)
        raise lost

    def delete(self) -> None:
        """Deletes the file, which is no longer needed, so that its loss is not reported."""
        self._is_needed = False
        self.path.unlink(missing_ok=True)

    def find_lost(self) -> PlaceLost | None:
        """The error for a file that is no longer where it was; None if it still is. A lost file stays lost."""
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
        except ValueError:  # closed at this moment, to be opened again
            return None

    def _fate_of_folder(self, file: Fate) -> Fate | None:
        """What happened to the folder; waits a moment, since deleting a folder deletes its files first."""
        if self._folder_place is None:
            return None
        fate = self._folder_place.fate()
        if fate is None and file.is_deleted and not file.is_replaced:
            time.sleep(DELETED_WITHIN)
            fate = self._folder_place.fate()
        return fate

    def _write_to_lost_file(self, lost: PlaceLost) -> None:
        """Writes the waiting records to the file at its new path, or in place of a deleted file to a new one."""
        if lost.file.cut is not None:
            self._may_be_torn = True  # it may have been cut in the middle of a line
        if lost.file.is_deleted and self._place.fate() is not None:
            with storage_errors(self.path):
                self._file.close()
                self._open()
            self._may_be_torn = True  # another file at the path may end with an incomplete line
        self.flush()

    def _sync_regularly(self) -> None:
        while not self._closing.wait(SYNC_EVERY):
            try:
                self.sync()
            except OSError as error:
                self._sync_error = error
                return
            except ValueError:  # closed at this moment, to be opened again
                continue
            if self.find_lost() is not None:
                return

    def sync(self) -> None:
        """Waits until everything written is on the disk."""
        if self._has_unsynced_lines:
            self._has_unsynced_lines = False  # before the sync, which may miss lines that are written meanwhile
            os.fsync(self._file.fileno())

    @property
    def n_waiting(self) -> int:
        return len(self._waiting)

    def flush(self) -> None:
        """Writes the waiting records; raises if they cannot be written, or if earlier ones did not reach the disk."""
        with storage_errors(self.path):
            if self._may_be_torn:
                self._n_bytes = 0  # not known until the torn line is dropped
                self._n_bytes = _drop_torn_line(self._file)  # else the next line would continue it
            self._may_be_torn = False
            while self._waiting:
                line = self._waiting[0].model_dump_json().encode() + b"\n"
                self._may_be_torn = True
                if self._file.write(line) != len(line):  # a full disk may take a part and raise nothing
                    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
                self._n_bytes += len(line)
                self._may_be_torn = False
                self._has_unsynced_lines = True
                del self._waiting[0]
            if self._sync_error is not None:
                raise self._sync_error

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self._closing.set()
        self._sync_thread.join()
        try:
            lost = self.find_lost()
            if lost is None or lost.keeps_more:
                self._flush_and_sync(lost)
            if lost is not None and not isinstance(error, PlaceLost):
                raise lost  # no earlier error has reported it
        except StorageError as storage_error:
            if self._waiting:
                names = "; ".join(map(_row_name, self._waiting))
                storage_error.add_note(f"{len(self._waiting)} rows could not be written and are lost: {names}")
            raise
        finally:
            self._close_file()

    def _flush_and_sync(self, lost: PlaceLost | None) -> None:
        if lost is not None and self._waiting:
            self._write_to_lost_file(lost)
        self.flush()
        with storage_errors(self.path):
            self.sync()


def cancel_at_once() -> bool:
    """A `stop` for `until_lost`: the work is cancelled, without time to end."""
    return False


async def until_lost(
    work: Coroutine[Any, Any, Result], files: Iterable[LineWriter], stop: Callable[[], bool], grace: float = GRACE
) -> Result:
    """What the work returns; if one of the files is no longer where it was, PlaceLost is raised instead.

    `stop` makes the work begin nothing more, and returns whether what is under way may end: if it can still be saved,
    it has `grace` seconds for that, and otherwise it is cancelled.
    """
    loop = asyncio.get_running_loop()
    lost: asyncio.Future[PlaceLost] = loop.create_future()

    def set_lost(error: PlaceLost) -> None:
        if not lost.done():
            lost.set_result(error)

    def report_lost(error: PlaceLost) -> None:  # from any thread
        with suppress(RuntimeError):  # the loop is closed: the work is over
            loop.call_soon_threadsafe(set_lost, error)

    for file in files:
        file.on_lost = report_lost
    task = asyncio.ensure_future(work)
    futures: list[asyncio.Future[Any]] = [task, lost]
    try:
        await asyncio.wait(futures, return_when=asyncio.FIRST_COMPLETED)
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
            task.exception()  # marks it as seen: it may have raised the same
        raise lost.result()
    return task.result()


def _row_name(record: Record) -> str:
    """Which row a record belongs to, for a message."""
    fields = ("side", "sample", "arm", "epoch")
    return " ".join(str(getattr(record, field)) for field in fields if hasattr(record, field))


def _drop_torn_line(file: FileIO) -> int:
    """Cuts off an incomplete last line; the size of the file then.

    Works on the open file, since another file may be at its path by now.
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
