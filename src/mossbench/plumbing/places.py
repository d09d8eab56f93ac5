"""Whether a file or folder that is held open is still where it was: deleted, moved and replaced ones are told apart.

A file that is where it was may have been cut by somebody else (`cut_fate`).

The system knows an open file by its number on its disk (the inode), not by its path: what is written to it goes on
being written after the path leads nowhere or to something else. Where a file system gives no such numbers, nothing is
checked.
"""

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from mossbench.errors import StorageError

Identity = tuple[int, int]
"""Device and inode."""


@dataclass(frozen=True)
class Cut:
    """Sizes in bytes of a file that somebody else has made smaller."""

    n_written: int
    """What it had when it was last written."""
    n_left: int


@dataclass(frozen=True)
class Fate:
    """What became of a file or folder that is no longer where it was."""

    path: Path
    """Where it was."""
    is_deleted: bool
    now: Path | None = None
    """Where it is now; None: it is nowhere, or the system does not say."""
    is_replaced: bool = False
    """Whether something else is at its path now."""
    cut: "Cut | None" = None
    """It is where it was, and a part of what was written is not in it any more."""

    def said(self, what: str) -> str:
        """What became of it; `what` is `file` or `folder`."""
        if self.cut is not None:
            return f"was cut from {self.cut.n_written:,} to {self.cut.n_left:,} bytes while it was being written"
        if self.now is not None:
            happened = f"was moved to {str(self.now)!r}"
        elif not self.is_deleted:
            happened = "was moved"
        elif self.is_replaced:
            return f"was replaced by another {what} while it was being written"
        else:
            happened = "was deleted" if what == "file" else "was deleted, or moved to another disk,"
        replaced = f", and another {what} is in its place" if self.is_replaced else ""
        return f"{happened} while it was being written{replaced}"


class PlaceLost(StorageError):
    """A file, or the folder that it is in, was deleted, moved, replaced or cut while it was being written."""

    def __init__(self, path: Path, file: Fate, folder: Fate | None) -> None:
        if folder is not None:
            message = f"folder {str(path.parent)!r} {folder.said('folder')}"
        else:
            message = f"{str(path)!r} {file.said('file')}"
        super().__init__(message)
        self.path = path
        """Of the file."""
        self.file = file
        self.folder = folder
        """None: the folder is where it was, and only the file is not."""

    @property
    def keeps_more(self) -> bool:
        """Whether what comes now can still be kept: in the file that was moved, or in a new one in its folder."""
        return self.folder is None or not self.file.is_deleted

    @property
    def folder_now(self) -> Path | None:
        """Where the folder is; None where it is gone, or nobody knows."""
        return self.path.parent if self.folder is None else self.folder.now


class Place:
    """An open file or folder, and the path that led to it when it was opened."""

    def __init__(self, path: Path, descriptor: int) -> None:
        self.path = Path(os.path.abspath(path))  # also after somebody has changed the working folder
        self._descriptor = descriptor
        opened = _identity(os.fstat(descriptor))
        self._opened = opened if opened == self._at_path() else None

    def fate(self) -> Fate | None:
        """What became of it; None: it is where it was, or nobody can tell."""
        if self._opened is None:
            return None
        try:
            there = self._at_path()
            if there == self._opened:
                return None
            now = _place_of(self._descriptor)
            is_deleted = now is None and self._has_no_name()
        except OSError:  # it may not be looked at: whoever writes to it is told why
            return None
        return Fate(self.path, is_deleted, now, is_replaced=there is not None)

    def _has_no_name(self) -> bool:
        """Whether no path leads to it any more. Some file systems count no links of folders: there Linux says it."""
        found = os.fstat(self._descriptor)
        if found.st_nlink == 0:
            return True
        return stat.S_ISDIR(found.st_mode) and os.path.isdir("/proc/self/fd")

    def _at_path(self) -> Identity | None:
        """The identity of what is at the path now; None: nothing is."""
        try:
            return _identity(os.stat(self.path))
        except (FileNotFoundError, NotADirectoryError):
            return None


def cut_fate(path: Path, descriptor: int, n_written: int) -> Fate | None:
    """What became of an open file where it is smaller than what was written to it; None where it is not."""
    try:
        n_left = os.fstat(descriptor).st_size
    except OSError:  # whoever writes to it is told why
        return None
    if n_left >= n_written:
        return None
    return Fate(path, is_deleted=False, cut=Cut(n_written, n_left))


@contextmanager
def folder_place(path: Path) -> Iterator[Place | None]:
    """The place of a folder, which is held open meanwhile; None on systems where folders cannot be opened."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    except (OSError, AttributeError):
        yield None
        return
    try:
        yield Place(path, descriptor)
    finally:
        os.close(descriptor)


_held: dict[str, Place] = {}  # the folders that this process holds, by their paths


@contextmanager
def holding(path: Path) -> Iterator[None]:
    """Meanwhile `check_held` tells whether the folder is still where it was."""
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
    """A PlaceLost where a folder that this process holds was deleted, moved or replaced meanwhile."""
    place = _held.get(os.path.abspath(path))
    fate = place.fate() if place else None
    if fate is not None:
        raise PlaceLost(path / "any file", fate, fate)


def identity_at(path: Path) -> Identity | None:
    """The identity of what is at a path; None where there is nothing, or the file system has no numbers."""
    with suppress(OSError):
        return _identity(os.stat(path))
    return None


def _identity(found: os.stat_result) -> Identity | None:
    return (found.st_dev, found.st_ino) if found.st_ino else None


def _place_of(descriptor: int) -> Path | None:
    """The path of an open file or folder as the system knows it now; None where it has none, or is not said."""
    path = _path_said_by_system(descriptor)
    if path is None or path.name.startswith(".nfs"):  # a deleted file that is kept for those who have it open
        return None
    is_it = identity_at(path) == _identity(os.fstat(descriptor))
    return path if is_it else None


def _path_said_by_system(descriptor: int) -> Path | None:
    with suppress(OSError):
        return Path(os.readlink(f"/proc/self/fd/{descriptor}"))  # Linux
    with suppress(ImportError, AttributeError, OSError, ValueError):
        import fcntl

        said = fcntl.fcntl(descriptor, fcntl.F_GETPATH, bytes(1024))  # type: ignore[attr-defined,unused-ignore]  # macOS
        return Path(os.fsdecode(said.rstrip(b"\0")))
    return None
