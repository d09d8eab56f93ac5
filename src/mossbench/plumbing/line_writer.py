"""Appends records to a file of lines, each in one write; one process at a time.

A killed process leaves at most one torn last line, which is dropped when the file is opened again; a whole one without
its line end, as editors leave it, is kept. A power loss loses
at most the lines of the last `SYNC_EVERY` seconds, or a little more on a disk that is slow to sync; a file that was
closed is on the disk.
"""

import errno
import os
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack
from io import FileIO
from pathlib import Path
from types import TracebackType
from typing import Self

from mossbench.errors import StorageError, n_of
from mossbench.plumbing.places import Fate, Place, PlaceLost, cut_fate, folder_place
from mossbench.plumbing.storage import storage_errors, sync_folder
from mossbench.plumbing.untrusted_files import check_regular, is_json
from mossbench.samples import Record

SYNC_EVERY = 1.0
"""Seconds between two syncs of a file that is being written."""
DELETED_WITHIN = 0.5
"""Seconds to wait for the deletion of a folder after one of its files was deleted."""
_READ_STEP = 65_536
"""Bytes that are read at a time in the search for the end of the last complete line."""


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
        """Records that are to be written; empty unless writing has failed."""
        self._may_be_torn = True
        """Whether the last line of the file may be incomplete."""
        self._lost: PlaceLost | None = None
        self._is_needed = True
        """False once `delete` was called."""
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
        """Writes a record, after those that could not be written before.

        Raises:
            StorageError: It cannot be written; it stays in memory.
            PlaceLost: The file is no longer where it was; the record is saved if possible.
        """
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
        if self._lost is not None or not self._is_needed:
            return self._lost
        fate = self._place.fate() or self._cut_fate()
        if fate is not None:
            self._lost = PlaceLost(self.path, fate, self._fate_of_folder(fate))
            if self.on_lost is not None:
                self.on_lost(self._lost)
        return self._lost

    def _cut_fate(self) -> Fate | None:
        """What happened if the file is smaller than what was written to it."""
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
        """How many records could not be written so far."""
        return len(self._waiting)

    def flush(self) -> None:
        """Writes the waiting records; raises if they cannot be written, or if earlier ones did not reach the disk."""
        with storage_errors(self.path):
            if self._may_be_torn:
                self._n_bytes = 0  # not known until the torn line is dropped
                self._n_bytes = end_last_line(self._file)  # else the next line would continue it
            self._may_be_torn = False
            while self._waiting:
                self._write_line(self._waiting[0])
                del self._waiting[0]
            if self._sync_error is not None:
                raise self._sync_error

    def _write_line(self, record: Record) -> None:
        line = record.model_dump_json().encode() + b"\n"
        self._may_be_torn = True
        if self._file.write(line) != len(line):  # a full disk may take a part and raise nothing
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        self._n_bytes += len(line)
        self._may_be_torn = False
        self._has_unsynced_lines = True

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
                rows = n_of(len(self._waiting), "row")
                storage_error.add_note(f"lost {rows} that could not be written: {names}")
            raise
        finally:
            self._close_file()

    def _flush_and_sync(self, lost: PlaceLost | None) -> None:
        if lost is not None and self._waiting:
            self._write_to_lost_file(lost)
        self.flush()
        with storage_errors(self.path):
            self.sync()


def _row_name(record: Record) -> str:
    """Which row a record belongs to, for a message."""
    fields = ("side", "sample", "arm", "epoch")
    return " ".join(str(getattr(record, field)) for field in fields if hasattr(record, field))


def end_last_line(file: FileIO) -> int:
    """Cuts off an incomplete last line, and ends a whole one that has no line end; the size of the file then.

    Works on the open file, since another file may be at its path by now.
    """
    end = file.seek(0, os.SEEK_END)
    position = end
    while position > 0:  # backwards, since a torn line may be long
        step = min(_READ_STEP, position)
        position = file.seek(position - step)
        newline = file.read(step).rfind(b"\n")
        if newline >= 0:
            position += newline + 1
            break
    if position == end:
        return end
    file.seek(position)
    if is_json(file.readall()):
        file.seek(end)
        return end + file.write(b"\n")
    file.truncate(position)
    return position
