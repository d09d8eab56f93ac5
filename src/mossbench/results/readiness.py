"""Why a whole run cannot be counted yet (not finished, all failed, not judged), as a record and as a message."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from mossbench.outcomes import Layer
from mossbench.results.unfinished import Unfinished

if TYPE_CHECKING:
    from mossbench.results.table import Results


@dataclass(frozen=True)
class NotFinished:
    """Rows were not asked yet, or a cost limit left them out."""

    folder: Path
    open_rows: Unfinished
    resume_call: str


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
    resume_call: str


@dataclass(frozen=True)
class NotJudged:
    folder: Path


NotReady = NotFinished | NoRecordedAnswer | AllRowsFailed | NotJudged


def why_not_ready(results: Results) -> NotReady | None:
    """Why nothing can be decided on a run: it is not finished, every row failed, or nobody has read it."""
    folder = results.folder
    open_rows = results.open_rows()
    if open_rows is not None:
        return NotFinished(folder, open_rows, results.again)
    n_rows = len(results)
    all_failed = n_rows > 0 and results.layers()[Layer.FAILED] == n_rows
    if all_failed and results.info.recorded:
        return NoRecordedAnswer(folder, n_rows, results.info.recorded_file or results.info.dataset.name)
    if all_failed:
        return AllRowsFailed(folder, n_rows, results.again)
    if results.judge is None:
        return NotJudged(folder)
    return None


def not_ready_words(reason: NotReady) -> str:
    """What is wrong with the run, and what to do about it."""
    where = f"the run in {reason.folder}"
    match reason:
        case NotFinished():
            return f"{where} is not finished: {reason.open_rows.message(reason.resume_call)}"
        case NoRecordedAnswer():
            return (
                f"{where} has no answer, all of its {reason.n_rows} rows failed: {reason.file} has no answers to its "
                "samples; use a file that has them"
            )
        case AllRowsFailed():
            return (
                f"{where} has no answer, all of its {reason.n_rows} rows failed; "
                f"ask them again with: {reason.resume_call}"
            )
        case NotJudged():
            return f"{where} has no verdicts; make them with: `judge_run({str(reason.folder)!r})`"
