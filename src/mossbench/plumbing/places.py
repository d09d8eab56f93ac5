"""Whether an open file or folder is still where it was, or was deleted, moved or replaced.

A file that is still where it was may have been cut by somebody else (`cut_fate`).

The system knows an open file by its number on its disk (the inode), not by its path: writing to it still works after
its path is gone or leads to something else. On file systems without such numbers nothing is checked.
"""

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from mossbench.errors import StorageError

Identity = tuple[int, int]
"""Device and inode."""


@dataclass(frozen=True)
class Cut:
    """Sizes in bytes of a file that somebody else has made smaller."""

    n_written: int
    """After it was last written."""
    n_left: int
    """Now."""


@dataclass(frozen=True)
class Fate:
    """What happened to a file or folder that is no longer where it was."""

    path: Path
    """Where it was."""
    is_deleted: bool
    now: Path | None = None
    """Where it is now; None if it is deleted, or if the system does not say."""
    is_replaced: bool = False
    """Whether something else is at its path now."""
    cut: "Cut | None" = None
    """Set if the file is where it was, but a part of what was written is missing."""

    def describe(self, kind: Literal["file", "folder"]) -> str:
        """What happened, to follow the name of the file or folder."""
        if self.cut is not None:
            return f"was cut from {self.cut.n_written:,} to {self.cut.n_left:,} bytes while it was being written"
        if self.is_deleted and self.is_replaced and self.now is None:
            return f"was replaced by another {kind} while it was being written"
        if self.now is not None:
            event = f"was moved to {str(self.now)!r}"
        elif not self.is_deleted:
            event = "was moved"
        else:
            event = "was deleted" if kind == "file" else "was deleted, or moved to another disk,"
        replaced = f", and another {kind} is in its place" if self.is_replaced else ""
        return f"{event} while it was being written{replaced}"


class PlaceLost(StorageError):
    """A file, or the folder that it is in, was deleted, moved, replaced or cut while it was being written."""

    def __init__(self, path: Path, file: Fate, folder: Fate | None) -> None:
        if folder is not None:
            message = f"folder {str(path.parent)!r} {folder.describe('folder')}"
        else:
            message = f"{str(path)!r} {file.describe('file')}"
        super().__init__(message)
        self.path = path
        """Of the file."""
        self.file = file
        self.folder = folder
        """None if the folder is where it was, and only the file is not."""

    @property
    def keeps_more(self) -> bool:
        """Whether further records can still be saved: in the moved file, or in a new one in the same folder."""
        return self.folder is None or not self.file.is_deleted

    @property
    def folder_now(self) -> Path | None:
        """Where the folder is; None if it is deleted, or if that is not known."""
        return self.path.parent if self.folder is None else self.folder.now


class Place:
    """An open file or folder, and the path at which it was opened."""

    def __init__(self, path: Path, descriptor: int) -> None:
        self.path = Path(os.path.abspath(path))  # stays right if the working folder changes
        self._descriptor = descriptor
        identity = _identity(os.fstat(descriptor))
        self._identity_when_opened = identity if identity == self._identity_at_path() else None

    def fate(self) -> Fate | None:
        """What happened to it; None if it is where it was, or if that is not known."""
        if self._identity_when_opened is None:
            return None
        try:
            identity_at_path = self._identity_at_path()
            if identity_at_path == self._identity_when_opened:
                return None
            now = _current_path(self._descriptor)
            is_deleted = now is None and self._has_no_path()
        except OSError:  # no permission: writing to it will fail with the reason
            return None
        return Fate(self.path, is_deleted, now, is_replaced=identity_at_path is not None)

    def _has_no_path(self) -> bool:
        """Whether no path leads to it any more.

        Some file systems do not count links of folders; on Linux a folder without a current path is deleted.
        """
        status = os.fstat(self._descriptor)
        if status.st_nlink == 0:
            return True
        return stat.S_ISDIR(status.st_mode) and os.path.isdir("/proc/self/fd")

    def _identity_at_path(self) -> Identity | None:
        """The identity of what is at the path now; None if nothing is."""
        try:
            return _identity(os.stat(self.path))
        except (FileNotFoundError, NotADirectoryError):
            return None


def cut_fate(path: Path, descriptor: int, n_written: int) -> Fate | None:
    """What happened to an open file that is smaller than what was written to it; None if it is not."""
    try:
        n_left = os.fstat(descriptor).st_size
    except OSError:  # writing to it will fail with the reason
        return None
    if n_left >= n_written:
        return None
    return Fate(path, is_deleted=False, cut=Cut(n_written, n_left))


@contextmanager
def folder_place(path: Path) -> Iterator[Place | None]:
    """The place of a folder, which is open inside of this block; None on systems that cannot open folders."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    except (OSError, AttributeError):
        yield None
        return
    try:
        yield Place(path, descriptor)
    finally:
        os.close(descriptor)


_held: dict[str, Place] = {}
"""Folders that this process has locked, by their paths."""


@contextmanager
def holding(path: Path) -> Iterator[None]:
    """Inside of this block, `check_held` checks whether the folder is still where it was."""
    key = os.path.abspath(path)
    with folder_place(path) as place:
        if place is not None:
            _held[key] = place
        try:
            yield
        finally:
            _held.pop(key, None)


def is_held(path: Path) -> bool:
    """Whether this process holds the folder now."""
    return os.path.abspath(path) in _held


def check_held(path: Path) -> None:
    """A PlaceLost if a folder that this process holds was deleted, moved or replaced."""
    place = _held.get(os.path.abspath(path))
    fate = place.fate() if place else None
    if fate is not None:
        raise PlaceLost(path / "any file", fate, fate)


def identity_at(path: Path) -> Identity | None:
    """The identity of what is at a path; None if nothing is, or if the file system has no numbers."""
    with suppress(OSError):
        return _identity(os.stat(path))
    return None


def _identity(status: os.stat_result) -> Identity | None:
    return (status.st_dev, status.st_ino) if status.st_ino else None


def _current_path(descriptor: int) -> Path | None:
    """The current path of an open file or folder; None if it has none, or if the system does not say."""
    path = _path_from_system(descriptor)
    if path is None or path.name.startswith(".nfs"):  # a deleted file that NFS keeps while somebody has it open
        return None
    is_same = identity_at(path) == _identity(os.fstat(descriptor))
    return path if is_same else None


def _path_from_system(descriptor: int) -> Path | None:
    with suppress(OSError):
        return Path(os.readlink(f"/proc/self/fd/{descriptor}"))  # Linux
    with suppress(ImportError, AttributeError, OSError, ValueError):
        import fcntl

        path = fcntl.fcntl(descriptor, fcntl.F_GETPATH, bytes(1024))  # type: ignore[attr-defined,unused-ignore]  # macOS
        return Path(os.fsdecode(path.rstrip(b"\0")))
    return None
