"""Reads the rows of a run from its files, whole; those of a large run are read in `stored_row_reading`.

Also decides which arms and which judge's verdicts are read.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from mossbench.datasets.arms import Row, arm_of
from mossbench.errors import UsageError
from mossbench.judges import newest_offline_judge
from mossbench.outcomes import Exchange, Judgement, Key, Verdict, outcome
from mossbench.plumbing.lines import read_lines
from mossbench.results.rows import ResultRow
from mossbench.store.damage import check_verdicts
from mossbench.store.run_folder import RunFolder
from mossbench.store.run_info import RunInfo
from mossbench.ways_out import JudgeRun


class RowsOnRecord(NamedTuple):
    """The rows of a run as its files have them."""

    rows: dict[Key, ResultRow]
    """The planned rows that have an answer."""
    failed: dict[Key, bool]
    """Whether the row failed, for every answer on record, also of rows that are not planned."""
    n_verdicts: int


class _Judged(NamedTuple):
    """A verdict, kept until the answer that it is about is read."""

    digest: str
    verdict: Verdict


def read_rows(folder: RunFolder, judge: str | None, planned: Mapping[Key, Row]) -> RowsOnRecord:
    """Reads answers and verdicts whole, and joins them to the planned rows; `stored_row_reading` reads large runs.

    If several lines have the same key, the last one counts. A verdict counts only if it is about the answer that
    counts (by its digest).
    """
    verdicts = _read_verdicts(folder.verdicts_path(judge), judge) if judge else {}
    rows: dict[Key, ResultRow] = {}
    failed: dict[Key, bool] = {}
    for exchange in read_lines(folder.answers_path, Exchange):
        planned_row = planned.get(exchange.key)
        key = planned_row.key if planned_row else exchange.key  # the same key object everywhere, to save memory
        failed[key] = exchange.answer.error is not None
        if planned_row is None:
            continue
        judged = verdicts.get(key)
        verdict = judged.verdict if judged is not None and judged.digest == exchange.digest() else None
        rows[key] = ResultRow(key, planned_row.sample, exchange, verdict, outcome(exchange.answer, verdict))
    return RowsOnRecord(rows, failed, len(verdicts))


def _read_verdicts(path: Path, judge: str) -> dict[Key, _Judged]:
    verdicts: dict[Key, _Judged] = {}
    for judgement in read_lines(path, Judgement):
        if judgement.judge == judge:
            verdicts[judgement.key] = _Judged(judgement.digest, judgement.verdict)
    return verdicts


def judge_label_of(folder: RunFolder, info: RunInfo, judge: str | None) -> str | None:
    """The label of the judge whose verdicts are read: `judge`, else the run's own judge, else the last that judged.

    A name without a version means the newest version that has judged, whichever file was written or copied last.
    """
    if judge is not None and folder.verdicts_path(judge).exists():
        return judge  # the file may be empty: the judge had no answer to judge
    labels = folder.judges()
    judge_name = judge or info.config.judge
    fitting = [label for label in labels if judge_name in (label, label.rpartition("/")[0])]
    if fitting:
        newest = newest_offline_judge(fitting)
        return newest.label if newest is not None and newest.label in fitting else fitting[-1]
    if judge is not None:
        verdicts = f"has verdicts of {', '.join(labels)}" if labels else "has no verdicts"
        raise UsageError(
            f"no verdicts of judge {judge!r} in {folder.path}, which {verdicts}",
            way_out=JudgeRun(folder.path, judge, to="judge it"),
        )
    return labels[-1] if labels else None


def with_own_arm_only(info: RunInfo) -> RunInfo:
    """The info without the arms that an analysis added; unchanged if the run was not asked under its own arm."""
    own = arm_of(info.config.arm, info.config.system)
    recorded_arm = next((arm for arm in info.arms if arm.name == own.name), None)
    if recorded_arm is None:
        return info
    # The picture is the one that was shown: what an arm of this name shows has changed between versions.
    own = own.model_copy(update={"picture": recorded_arm.picture})
    return info.model_copy(update={"arms": (own,)})


def check_no_verdicts_lost(
    folder: RunFolder, info: RunInfo, judge: str | None, judge_label: str | None, n_verdicts: int
) -> None:
    """Raises RunError if verdicts are lost: another judge's verdicts must not be read in their place."""
    for label in info.verdicts:
        if label == judge_label:
            check_verdicts(folder, info, label, n_verdicts)
        elif judge is None and not folder.verdicts_path(label).exists():
            check_verdicts(folder, info, label, 0)


def drift_of(folder: RunFolder, judge_label: str | None) -> str:
    """The finding of `judge drift` about this judge; empty if it found nothing or was not run."""
    if judge_label is None:
        return ""
    path = folder.drift_path(judge_label)
    return path.read_text(encoding="utf-8").strip() if path.exists() else ""
