"""Writing files so that nothing is lost: whole or not at all, never over something else, faults told in one message.

What `write_atomically` and `create_atomically` have written is on the disk when they return, also after a power loss:
the content is synced before the new name points to it, and the folder after that.
"""

import contextlib
import dataclasses
import errno
import glob
import hashlib
import json
import math
import os
import re
import shutil
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping
from enum import Enum
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from mossbench.errors import RunError, StorageError, UsageError
from mossbench.messages import Message
from mossbench.plumbing.places import identity_at
from mossbench.ways_out import SetOption

_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_LEFT = 86_400.0  # seconds after which a folder that is not whole was left by a process that was killed


@contextlib.contextmanager
def storage_errors(path: Path) -> Iterator[None]:
    """Turns the faults of a disk into one message that names the place and the way out."""
    try:
        yield
    except OSError as error:
        way_out = "free some space" if error.errno in _FULL else "choose a folder that you can write to"
        reason = error.strerror or str(error)
        raise StorageError(
            f"cannot write {str(path)!r}: {reason}; everything written before is kept: {way_out}"
        ) from error


@contextlib.contextmanager
def locked(path: Path, busy: str, patience: float = 0.2) -> Iterator[None]:
    """Holds the lock file `path`, which is there only meanwhile; a RunError that says `busy` when somebody else does.

    Folders that are made for it and stay empty are removed again.
    """
    from filelock import FileLock, Timeout

    made = [folder for folder in path.parents if not folder.exists()]
    lock = FileLock(path, timeout=patience)  # a moment: its last holder may be removing it just now
    with storage_errors(path.parent):
        while not lock.is_locked:
            path.parent.mkdir(parents=True, exist_ok=True)
            try:
                lock.acquire()
            except Timeout:
                raise RunError(busy) from None
            except FileNotFoundError:  # its last holder has removed the folder too
                continue
    ours = identity_at(path)
    try:
        yield
    finally:
        with contextlib.suppress(OSError):
            if identity_at(path) == ours:  # else the folder was moved meanwhile, and this is the lock of another one
                path.unlink()  # while it is held: who opens it from now on finds another file or none
            for folder in made:
                folder.rmdir()
        lock.release()


def write_atomically(path: Path, content: str | bytes, *, durable: bool = True, make_folder: bool = True) -> None:
    """Writes a whole file so that a reader sees the old content or the new, never a part; a link is followed.

    What can be made again, as in a cache, need not be `durable`. What belongs to a folder that is there, as a run's
    report does, is written without `make_folder`: a folder that was deleted meanwhile is not made again for it.
    """
    path = Path(os.path.realpath(path))
    with storage_errors(path):
        check_free(path, overwrite=True)
        with _beside(path, content, durable=durable, make_folder=make_folder) as temporary:
            os.replace(temporary, path)


@contextlib.contextmanager
def _beside(path: Path, content: str | bytes, *, durable: bool = True, make_folder: bool = True) -> Iterator[Path]:
    """A temporary file with the content, to be given its name."""
    if make_folder:
        path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.{threading.get_ident()}.tmp")
    try:
        with temporary.open("wb") as file:
            file.write(content.encode() if isinstance(content, str) else content)
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
def whole_folder(path: Path) -> Iterator[Path]:
    """A new folder to write in, which takes the place of `path` once all of it is written; a fault leaves no trace."""
    if not path.name:
        raise UsageError(f"{str(path)!r} is the folder that you are in, or the root; name a folder below it")
    mine = f"{os.getpid()}.{threading.get_ident()}"  # another may write the same just now
    new, old = (path.with_name(f".{path.name}.{mine}.{what}") for what in ("new", "old"))
    with storage_errors(path):
        with contextlib.suppress(OSError):
            for left in path.parent.glob(f".{glob.escape(path.name)}.*new"):
                if time.time() - left.stat().st_mtime > _LEFT:
                    shutil.rmtree(left)
        try:
            shutil.rmtree(new, ignore_errors=True)
            new.mkdir(parents=True)
            yield new
            if path.exists():
                path.replace(old)
            new.replace(path)
            sync_folder(path.parent)
        finally:
            if old.exists() and not path.exists():
                old.replace(path)
            for one in (new, old):
                shutil.rmtree(one, ignore_errors=True)


def sync_folder(folder: Path) -> None:
    """Has the names in a folder written to the disk; systems that cannot do it do it by themselves, or not at all."""
    with contextlib.suppress(OSError, AttributeError):
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


_caches: dict[Path, Path] = {}


def cache_folder(name: str) -> Path:
    """A folder for what can be made again: in the user's cache, or among the temporary files when that is closed."""
    home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "mossbench"
    if (found := _caches.get(home / name)) is not None and os.access(found, os.W_OK):
        return found
    for folder in (home, Path(tempfile.gettempdir()) / f"mossbench-{os.environ.get('USER', 'user')}"):
        with contextlib.suppress(OSError):
            (folder / name).mkdir(parents=True, exist_ok=True)
            if os.access(folder / name, os.W_OK):
                _caches[home / name] = folder / name
                return folder / name
    raise StorageError(f"no writable folder for {name}: tried {home} and temporary files; set XDG_CACHE_HOME")


def create_atomically(path: Path, content: str) -> bool:
    """Writes a whole new file; False, and nothing is changed, when there is one already, if only just now."""
    with storage_errors(path), _beside(path, content) as temporary:
        try:
            os.link(temporary, path)  # unlike a rename it never replaces
        except FileExistsError:
            return False
    return True


def check_free(path: Path, *, overwrite: bool = False) -> None:
    """A UsageError when something is there already that may not be replaced."""
    if path.exists() and not path.is_file():
        raise UsageError(f"{str(path)!r} is not a regular file; name a file to write")
    if path.exists() and not overwrite:
        replace_it = SetOption("overwrite", True, to="name another file, or replace it")
        raise UsageError(f"{str(path)!r} already exists", way_out=replace_it)


def plain(value: Any) -> Any:
    """Records as plain values for JSON, at any depth: what has fields is an object, a number that is none is null."""
    if isinstance(value, BaseModel):
        return plain(value.model_dump(mode="json"))
    if isinstance(value, Message):
        return str(value)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Mapping):
        return {str(plain(name)): plain(one) for name, one in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [plain(one) for one in value]
    if type(value).__module__ == "numpy":
        return plain(value.tolist())
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return str(value) if isinstance(value, Path) else value


def to_json(content: Any) -> str:
    """JSON of records and plain values, for people and programs: indented, UTF-8."""
    return json.dumps(plain(content), indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def label_slug(label: str) -> str:
    """A judge's label as part of a file name; what a file name cannot say is told apart by a hash."""
    if re.fullmatch(r"[A-Za-z0-9_]{1,40}/[A-Za-z0-9._-]{1,40}", label):
        return slug(label)
    return f"{slug(label)[:70]}-{hashlib.sha256(label.encode()).hexdigest()[:8]}"


def slug(text: str) -> str:
    """`text` as part of a file name."""
    return re.sub(r"[^A-Za-z0-9._-]+", "-", text).strip("-.")[:100] or "unnamed"
