"""What a user reads when judging was stopped: how many verdicts are saved, and how to resume it."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from mossbench.errors import Interrupted, MossbenchError, n_of
from mossbench.judges import Judge
from mossbench.messages import Message
from mossbench.plumbing.places import PlaceLost
from mossbench.runs.judging_plan import count_judged_rows
from mossbench.store.batch_log import pending_rows, pending_rows_text
from mossbench.store.run_folder import RunFolder
from mossbench.ways_out import JudgeRun


@contextmanager
def explaining_stops(folder: RunFolder, judge: Judge, resume: JudgeRun) -> Iterator[None]:
    """Adds to what stops a judge how many of its verdicts are saved, and the call that resumes it."""
    try:
        yield
    except PlaceLost as lost:
        lost.add_note(_explain_loss(lost, judge, resume))
        raise
    except MossbenchError as error:
        n_saved = count_judged_rows(folder, judge)
        if n_saved or pending_rows(folder.batches_path, judge=judge.label) is not None:
            error.add_note(_explain_resuming(folder, judge, n_saved, resume))
        raise
    except (KeyboardInterrupt, asyncio.CancelledError):
        n_saved = count_judged_rows(folder, judge)
        raise Interrupted(_explain_resuming(folder, judge, n_saved, resume).after("stopped. ")) from None


def _explain_resuming(folder: RunFolder, judge: Judge, n_saved: int, resume: JudgeRun) -> Message:
    pending = pending_rows(folder.batches_path, judge=judge.label)
    saved = f"{n_of(n_saved, 'verdict')} of {judge.label} saved"
    if pending is not None:
        saved = f"{saved}, {pending_rows_text(pending)}"
    return Message(saved, (resume,))


def _explain_loss(lost: PlaceLost, judge: Judge, resume: JudgeRun) -> Message:
    """What a judge has lost with its file or the run's folder, where the rest is, and how to resume."""
    if lost.folder_now is None:
        return Message("judging stopped, and its verdicts are lost with the folder; if you have a copy, judge that one")
    if lost.folder is not None:
        moved = RunFolder(lost.folder_now)
        n_saved = count_judged_rows(moved, judge)
        saved = f"judging stopped; {n_of(n_saved, 'verdict')} saved in {str(moved.path)!r}"
        return Message(saved, (replace(resume, folder=moved.path),))
    if not lost.file.now:
        return Message("judging stopped; no answers are lost", (resume,))
    move_back = f"judging stopped; no answers are lost: move it back to {str(lost.path)!r}"
    return Message(move_back, (replace(resume, to="then resume judging"),))
