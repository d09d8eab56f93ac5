"""The lock of a run folder: `.lock`, there while a process writes in the folder.

Whoever compares what is in a folder with what they want to write there, and then writes, does both while they hold it.
A process that is killed frees its own lock.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from mossbench.errors import RunError, StorageError
from mossbench.plumbing.locks import locked
from mossbench.plumbing.places import holding

LOCK = ".lock"


@contextmanager
def lock_folder(folder: Path) -> Iterator[None]:
    """Keeps other processes from writing in the folder; a RunError where one is writing there.

    Meanwhile it is noticed when the folder is deleted, moved or replaced (`places.check_held`).
    """
    busy = f"run folder {str(folder)!r} is being written by another process; wait for it or stop it first"
    with locked(folder / LOCK, busy), holding(folder):
        yield


def is_locked(folder: Path) -> bool:
    """Whether a process writes in the folder now. It does not wait: pages ask for it."""
    lock_path = folder / LOCK
    if not lock_path.exists():
        return False
    try:
        with locked(lock_path, "busy", patience=0):
            return False
    except RunError:
        return True
    except StorageError:  # the lock may not be opened by this user, so nobody can say
        return False
