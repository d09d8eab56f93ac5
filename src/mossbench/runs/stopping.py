"""What a user is told when a run is stopped: how much of it is safe, where it is, and how to resume it."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

from mossbench.errors import Interrupted, MossbenchError, StorageError
from mossbench.plumbing.places import PlaceLost
from mossbench.runs.asking import answered
from mossbench.store.batches import rows_out, rows_out_text
from mossbench.store.run_folder import RunFolder


@contextmanager
def saying_what_is_safe(folder: RunFolder, again: str, total: int) -> Iterator[None]:
    """Adds to what stops a run how much of it is safe and how to go on. The run is to have `total` answers."""
    try:
        yield
    except PlaceLost as lost:
        hint = _where_the_rest_is(lost, folder, again)
        if hint:
            lost.add_note(hint)
        raise
    except (MossbenchError, KeyboardInterrupt, asyncio.CancelledError) as error:
        hint = _what_is_safe(folder, again, total)
        if not isinstance(error, MossbenchError):
            raise Interrupted(f"stopped. {hint}" if hint else _stopped_early(folder, again)) from None
        if not hint and isinstance(error, StorageError):
            hint = _how_to_begin(folder, again)
        if hint:
            error.add_note(hint)
        raise


def _stopped_early(folder: RunFolder, again: str) -> str:
    """That a run was stopped before its first answer, and how to go on where it has begun."""
    way_out = f"; go on with: {again}" if folder.info_path.exists() else ""
    return f"stopped before the first answer{way_out}"


def _what_is_safe(folder: RunFolder, again: str, total: int) -> str:
    """How many answers are on record and how to go on; empty where there are none."""
    n_safe = len(answered(folder))
    pending = rows_out(folder.batches_path)
    if not n_safe and pending is None:
        return ""
    also = "" if pending is None else f", {rows_out_text(pending)}"
    return f"{n_safe} of {total} answers are saved{also}; go on with: {again}"


def _how_to_begin(folder: RunFolder, again: str) -> str:
    """How to go on with a run that could not be written before its first answer."""
    if folder.info_path.exists():
        return f"no answer is on record yet; then go on with: {again}"
    return "no request was sent; then run the same again"


def _where_the_rest_is(lost: PlaceLost, folder: RunFolder, again: str) -> str:
    """Where a run is of which a file or the folder was moved, and how to go on; empty where nothing is left."""
    if lost.folder_now is None:
        return ""
    if lost.folder is None:
        first = f"move it back to {str(lost.path)!r}, then " if lost.file.now else ""
        return f"{first}go on with: {again}"
    there = RunFolder(lost.folder_now)
    if again != folder.resume_call:  # a command that names the old place, perhaps among others
        return f"move it back to {str(folder.path)!r}, then go on with: {again}"
    return f"{len(answered(there))} answers are saved in {str(there.path)!r}; go on with: {there.resume_call}"
