"""What a user is told when a run is stopped: how much of it is safe, where it is, and how to resume it."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from mossbench.errors import Interrupted, MossbenchError, StorageError
from mossbench.messages import NOTHING, Message
from mossbench.plumbing.places import PlaceLost
from mossbench.runs.row_asking import answered_keys
from mossbench.store.batch_log import pending_rows, pending_rows_text
from mossbench.store.run_folder import RunFolder
from mossbench.ways_out import WayToResume


@contextmanager
def noting_saved_answers(folder: RunFolder, again: WayToResume, total: int) -> Iterator[None]:
    """Adds to what stops a run how much of it is safe and how to go on. The run is to have `total` answers."""
    try:
        yield
    except PlaceLost as lost:
        hint = _moved_run_message(lost, folder, again)
        if hint:
            lost.add_note(hint)
        raise
    except (MossbenchError, KeyboardInterrupt, asyncio.CancelledError) as error:
        hint = _saved_answers_message(folder, again, total)
        if not isinstance(error, MossbenchError):
            raise Interrupted(hint.after("stopped. ") if hint else _stopped_early_message(folder, again)) from None
        if not hint and isinstance(error, StorageError):
            hint = _no_answers_message(folder, again)
        if hint:
            error.add_note(hint)
        raise


def _stopped_early_message(folder: RunFolder, again: WayToResume) -> Message:
    """That a run was stopped before its first answer, and how to go on where it has begun."""
    return Message("stopped before the first answer", (again,) if folder.info_path.exists() else ())


def _saved_answers_message(folder: RunFolder, again: WayToResume, total: int) -> Message:
    """How many answers are on record and how to go on; empty where there are none."""
    n_saved = len(answered_keys(folder))
    pending = pending_rows(folder.batches_path)
    if not n_saved and pending is None:
        return NOTHING
    and_pending = "" if pending is None else f", {pending_rows_text(pending)}"
    return Message(f"{n_saved} of {total} answers are saved{and_pending}", (again,))


def _no_answers_message(folder: RunFolder, again: WayToResume) -> Message:
    """How to go on with a run that could not be written before its first answer."""
    if folder.info_path.exists():
        return Message("no answer is on record yet", (replace(again, to="then resume the run"),))
    return Message("no request was sent; fix this and run the same again")


def _moved_run_message(lost: PlaceLost, folder: RunFolder, again: WayToResume) -> Message:
    """Where a run is of which a file or the folder was moved, and how to go on; empty where nothing is left."""
    if lost.folder_now is None:
        return NOTHING
    if lost.folder is None and lost.file.now:
        return Message(f"move it back to {str(lost.path)!r}", (replace(again, to="then resume the run"),))
    if lost.folder is None:
        return Message("the rest of the run is not affected", (again,))
    moved_folder = RunFolder(lost.folder_now)
    if again != folder.way_to_resume:  # a command that names the old place, perhaps among others
        return Message(f"move it back to {str(folder.path)!r}", (replace(again, to="then resume the run"),))
    saved = f"{len(answered_keys(moved_folder))} answers are saved in {str(moved_folder.path)!r}"
    return Message(saved, (moved_folder.way_to_resume,))
