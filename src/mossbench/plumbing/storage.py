"""Writes files safely: completely or not at all, never over other files, with one clear message for each failure.

When `write_atomically` and `create_atomically` return, the file is on the disk even after a power loss: the content is
synced before it gets its name, and the folder after that.
"""

import contextlib
import errno
import os
import re
import shutil
import threading
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

from mossbench.errors import StorageError, UsageError
from mossbench.ways_out import SetOption

_DISK_FULL_ERRORS = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_ABANDONED_AFTER = 86_400.0  # seconds; then an unfinished folder is from a process that was killed


@contextlib.contextmanager
def storage_errors(path: Path) -> Iterator[None]:
    """Turns errors of the disk into one message that names the path and the way out."""
    try:
        yield
    except OSError as error:
        way_out = "free some space" if error.errno in _DISK_FULL_ERRORS else "choose a folder that you can write to"
        reason = error.strerror or str(error)
        raise StorageError(
            f"cannot write {str(path)!r}: {reason}; everything written before is kept: {way_out}"
        ) from error


def write_atomically(
    path: Path, content: str | bytes | Iterable[bytes], *, durable: bool = True, make_folder: bool = True
) -> None:
    """Writes a file so that readers see the old or the new content, never a part; links are followed.

    A large content may come in parts. A file that can be written again, as in a cache, need not be `durable`. A file
    that belongs to an existing folder, such as a run's report, is written without `make_folder`, so that a deleted
    folder is not created again for it.
    """
    path = Path(os.path.realpath(path))
    with storage_errors(path):
        check_may_write(path, overwrite=True)
        with _temporary_file(path, content, durable=durable, make_folder=make_folder) as temporary:
            os.replace(temporary, path)


@contextlib.contextmanager
def _temporary_file(
    path: Path, content: str | bytes | Iterable[bytes], *, durable: bool = True, make_folder: bool = True
) -> Iterator[Path]:
    """A file with the content in the same folder, to be renamed to `path`."""
    if make_folder:
        path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.{threading.get_ident()}.tmp")
    try:
        with temporary.open("wb") as file:
            if isinstance(content, (str, bytes)):
                file.write(content.encode() if isinstance(content, str) else content)
            else:
                file.writelines(content)
            if durable:
                file.flush()
                os.fsync(file.fileno())
        yield temporary
        if durable:
            sync_folder(path.parent)
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)


@contextlib.contextmanager
def replacing_folder(path: Path) -> Iterator[Path]:
    """Gives a new folder to write to, which replaces the folder `path` when the block ends.

    After an error `path` is unchanged and the new folder is deleted. A process that is killed while it replaces `path`
    may leave the earlier folder under a hidden name; the next call for `path` gives that folder its name back.
    """
    if not path.name:
        raise UsageError(f"{str(path)!r} is the current folder or the root; name a folder below it")
    writer = f"{os.getpid()}.{threading.get_ident()}"  # others may write to the same path at the same time
    new = path.with_name(f".{path.name}.{writer}.new")
    old = path.with_name(f".{path.name}.{writer}.old")
    with storage_errors(path):
        _clean_up_after_killed_writers(path)
        try:
            shutil.rmtree(new, ignore_errors=True)
            new.mkdir(parents=True)
            yield new
            _replace_folder(path, new=new, old=old)
            sync_folder(path.parent)
        finally:
            if old.exists() and not path.exists():
                old.replace(path)
            shutil.rmtree(new, ignore_errors=True)
            shutil.rmtree(old, ignore_errors=True)


def _replace_folder(path: Path, *, new: Path, old: Path) -> None:
    """Moves `path` to `old`, then `new` to `path`."""
    if path.exists():
        path.replace(old)
    try:
        new.replace(path)
    except OSError:
        if not path.exists():
            raise
        shutil.rmtree(old, ignore_errors=True)  # another writer has put its folder, or this one, at `path` meanwhile
        path.replace(old)
        new.replace(path)


def _clean_up_after_killed_writers(path: Path) -> None:
    """Restores the folder `path` if a killed process left it under its hidden name; deletes abandoned folders."""
    with contextlib.suppress(OSError):
        replaced_folders = _hidden_folders(path, "old")
        if replaced_folders and not path.exists():
            newest = max(replaced_folders, key=lambda folder: folder.stat().st_ctime)
            newest.replace(path)
            sync_folder(path.parent)
    with contextlib.suppress(OSError):
        for folder in _hidden_folders(path, "new"):
            if time.time() - folder.stat().st_mtime > _ABANDONED_AFTER:
                shutil.rmtree(folder)
        for folder in _hidden_folders(path, "old"):
            if time.time() - folder.stat().st_ctime > _ABANDONED_AFTER:  # renaming leaves st_mtime as it is
                shutil.rmtree(folder)


def _hidden_folders(path: Path, suffix: str) -> list[Path]:
    """The folders that writers of `path` named `.{name}.{process}.{thread}.{suffix}`."""
    name_pattern = re.compile(rf"\.{re.escape(path.name)}\.-?\d+\.\d+\.{suffix}")
    return [folder for folder in path.parent.iterdir() if name_pattern.fullmatch(folder.name)]


def sync_folder(folder: Path) -> None:
    """Waits until the names in a folder are on the disk; does nothing on systems that do not support it."""
    with contextlib.suppress(OSError, AttributeError):
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def create_atomically(path: Path, content: str) -> bool:
    """Writes a new file; False, without any change, if the file exists."""
    with storage_errors(path), _temporary_file(path, content) as temporary:
        try:
            os.link(temporary, path)  # unlike a rename it never replaces
        except FileExistsError:
            return False
    return True


def check_may_write(path: Path, *, overwrite: bool = False) -> None:
    """Raises a UsageError if the path is taken by a folder, or by a file that may not be overwritten."""
    if path.exists() and not path.is_file():
        raise UsageError(f"{str(path)!r} is not a regular file; name a file to write")
    if path.exists() and not overwrite:
        replace_it = SetOption("overwrite", True, to="name another file, or replace it")
        raise UsageError(f"{str(path)!r} already exists", way_out=replace_it)
