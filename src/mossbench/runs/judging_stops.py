"""What a user reads when judging was stopped: how many verdicts are saved, and the call that resumes it."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from mossbench.errors import Interrupted, MossbenchError, n_of
from mossbench.judges import Judge
from mossbench.plumbing.places import PlaceLost
from mossbench.runs.judging_plan import count_judged_rows
from mossbench.store.batches import rows_out, rows_out_text
from mossbench.store.run_folder import RunFolder


@dataclass(frozen=True)
class JudgeCall:
    """A call of `judge_run`, as a user can repeat it."""

    folder: Path
    judge: str
    """The judge as the user named it."""
    batch: bool

    def __str__(self) -> str:
        batch = ", batch=True" if self.batch else ""
        return f"`judge_run({str(self.folder)!r}, {self.judge!r}{batch})`"


@contextmanager
def explaining_stops(folder: RunFolder, judge: Judge, call: JudgeCall) -> Iterator[None]:
    """Adds to what stops a judge how many of its verdicts are saved, and the call that resumes it."""
    try:
        yield
    except PlaceLost as lost:
        lost.add_note(_explain_loss(lost, judge, call))
        raise
    except MossbenchError as error:
        n_saved = count_judged_rows(folder, judge)
        if n_saved or rows_out(folder.batches_path, judge=judge.label) is not None:
            error.add_note(_explain_resuming(folder, judge, n_saved, call))
        raise
    except (KeyboardInterrupt, asyncio.CancelledError):
        n_saved = count_judged_rows(folder, judge)
        raise Interrupted(f"stopped. {_explain_resuming(folder, judge, n_saved, call)}") from None


def _explain_resuming(folder: RunFolder, judge: Judge, n_saved: int, call: JudgeCall) -> str:
    pending = rows_out(folder.batches_path, judge=judge.label)
    saved = f"{n_of(n_saved, 'verdict')} of {judge.label} saved"
    if pending is not None:
        saved = f"{saved}, {rows_out_text(pending)}"
    return f"{saved}; resume with: {call}"


def _explain_loss(lost: PlaceLost, judge: Judge, call: JudgeCall) -> str:
    """What a judge has lost with its file or the run's folder, where the rest is, and how to resume."""
    if lost.folder_now is None:
        return "judging was stopped, and the verdicts are lost with the folder; if you have a copy, judge that one"
    if lost.folder is not None:
        moved = RunFolder(lost.folder_now)
        n_saved = count_judged_rows(moved, judge)
        call_there = replace(call, folder=moved.path)
        return (
            f"judging was stopped; {n_of(n_saved, 'verdict')} saved in {str(moved.path)!r}; resume with: {call_there}"
        )
    move_back = f"move it back to {str(lost.path)!r}, then " if lost.file.now else ""
    return f"judging was stopped; the answers are there: {move_back}resume with: {call}"
