"""Why a whole run cannot be counted yet (not finished, all failed, not judged), as a record and as a message."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from mossbench.messages import Message
from mossbench.outcomes import Layer
from mossbench.results.unfinished import Unfinished
from mossbench.ways_out import JudgeRun, Resume

if TYPE_CHECKING:
    from mossbench.results.table import Results


@dataclass(frozen=True)
class NotFinished:
    """Rows were not asked yet, or a cost limit left them out."""

    folder: Path
    open_rows: Unfinished


@dataclass(frozen=True)
class NoRecordedAnswer:
    """The file of recorded answers has none to the samples of the run."""

    folder: Path
    n_rows: int
    file: str


@dataclass(frozen=True)
class AllRowsFailed:
    folder: Path
    n_rows: int


@dataclass(frozen=True)
class NotJudged:
    folder: Path


NotReady = NotFinished | NoRecordedAnswer | AllRowsFailed | NotJudged


def why_not_ready(results: Results) -> NotReady | None:
    """Why nothing can be decided on a run: it is not finished, every row failed, or nobody has read it."""
    folder = results.folder
    open_rows = results.open_rows()
    if open_rows is not None:
        return NotFinished(folder, open_rows)
    n_rows = len(results)
    all_failed = n_rows > 0 and results.layers()[Layer.FAILED] == n_rows
    if all_failed and results.info.recorded:
        return NoRecordedAnswer(folder, n_rows, results.info.recorded_file or results.info.dataset.name)
    if all_failed:
        return AllRowsFailed(folder, n_rows)
    if results.judge is None:
        return NotJudged(folder)
    return None


def not_ready_message(reason: NotReady) -> Message:
    """What is wrong with the run, and what to do about it."""
    where = f"the run in {reason.folder}"
    match reason:
        case NotFinished():
            return reason.open_rows.message(reason.folder).after(f"{where} is not finished: ")
        case NoRecordedAnswer():
            return Message(
                f"{where} has no answers, all {reason.n_rows} rows failed: {reason.file} has no answers to its "
                "samples; use a file that has them"
            )
        case AllRowsFailed():
            ask_again = Resume(reason.folder, to="ask them again")
            return Message(f"{where} has no answers, all {reason.n_rows} rows failed", (ask_again,))
        case NotJudged():
            return Message(f"{where} has no verdicts", (JudgeRun(reason.folder, to="judge it"),))
