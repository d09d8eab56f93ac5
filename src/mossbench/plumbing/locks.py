"""A lock file that one process at a time holds."""

import contextlib
from collections.abc import Iterator
from pathlib import Path

from mossbench.errors import RunError
from mossbench.plumbing.places import identity_at
from mossbench.plumbing.storage import storage_errors


@contextlib.contextmanager
def locked(path: Path, busy: str, patience: float = 0.2) -> Iterator[None]:
    """Holds the lock file `path`, which exists only inside this block; a RunError with message `busy` if it is held.

    Folders that are created for it and stay empty are removed again.
    """
    from filelock import FileLock, Timeout

    new_folders = [folder for folder in path.parents if not folder.exists()]
    lock = FileLock(path, timeout=patience)  # a moment: its last holder may be removing it
    with storage_errors(path.parent):
        while not lock.is_locked:
            path.parent.mkdir(parents=True, exist_ok=True)
            try:
                lock.acquire()
            except Timeout:
                raise RunError(busy) from None
            except FileNotFoundError:  # its last holder has removed the folder too
                continue
    own_identity = identity_at(path)
    try:
        yield
    finally:
        with contextlib.suppress(OSError):
            if identity_at(path) == own_identity:  # else the folder was moved, and this is the lock of another one
                path.unlink()  # before releasing it: nobody can lock the old file any more
            for folder in new_folders:
                folder.rmdir()
        lock.release()
