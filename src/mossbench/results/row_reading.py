"""Reads the rows of a run from its files: whole rows in memory, or for a large run only what is counted.

Also decides which arms and which judge's verdicts are read.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from mossbench.datasets.arms import Row, arm_of
from mossbench.errors import UsageError
from mossbench.judges import newest_offline_judge
from mossbench.outcomes import Exchange, Judgement, Key, Outcome, Verdict, outcome
from mossbench.plumbing.lines import read_places
from mossbench.results.rows import (
    AnswerFacts,
    ResultRow,
    StoredFiles,
    StoredLines,
    StoredRow,
    VerdictFacts,
    facts_of_answer,
    facts_of_verdict,
)
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
    offset: int
    """Where the line of the verdict begins in its file."""
    verdict: Verdict | None
    """None if only facts are kept in memory."""
    facts: VerdictFacts | None
    """None if whole verdicts are kept in memory."""


class _Interned:
    """Keeps one object for all equal facts and outcomes: a large run has few different ones."""

    def __init__(self) -> None:
        self._answers: dict[AnswerFacts, AnswerFacts] = {}
        self._verdicts: dict[tuple[object, ...], VerdictFacts] = {}
        self._outcomes: dict[Outcome, Outcome] = {}

    def answer(self, facts: AnswerFacts) -> AnswerFacts:
        if facts.usage or facts.seconds:
            return facts  # seconds and tokens differ in nearly every row
        return self._answers.setdefault(facts, facts)

    def verdict(self, facts: VerdictFacts) -> VerdictFacts:
        if facts.used:
            return facts
        # All fields but `used`, which is empty here: a dict cannot be hashed.
        known_by = tuple(value for value in facts if value is not facts.used)
        return self._verdicts.setdefault(known_by, facts)

    def outcome(self, row_outcome: Outcome) -> Outcome:
        return self._outcomes.setdefault(row_outcome, row_outcome)


def read_rows(folder: RunFolder, judge: str | None, planned: Mapping[Key, Row], *, stored: bool) -> RowsOnRecord:
    """Reads answers and verdicts, and joins them to the planned rows.

    If several lines have the same key, the last one counts. A verdict counts only if it is about the answer that
    counts (by its digest). With `stored`, rows keep only facts in memory and read their texts from the files.
    """
    interned = _Interned()
    verdicts_path = folder.verdicts_path(judge) if judge else folder.path  # without a judge this path is never read
    files = StoredFiles(  # made before reading, so that a file replaced meanwhile is noticed
        StoredLines(folder.answers_path, Exchange, keep_open=True),
        StoredLines(verdicts_path, Judgement, keep_open=True),
    )
    verdicts = _read_verdicts(verdicts_path, judge, planned, interned, stored=stored) if judge else {}
    rows: dict[Key, ResultRow] = {}
    failed: dict[Key, bool] = {}
    for offset, exchange in read_places(folder.answers_path, Exchange):
        planned_row = planned.get(exchange.key)
        key = planned_row.key if planned_row else exchange.key  # the same key object everywhere, to save memory
        failed[key] = exchange.answer.error is not None
        if planned_row is None:
            continue
        judged = verdicts.get(key)
        if judged is not None and judged.digest != exchange.digest():
            judged = None
        if stored:
            rows[key] = _stored_row(planned_row, offset, exchange, judged, files, interned)
        else:
            verdict = judged.verdict if judged else None
            rows[key] = ResultRow(key, planned_row.sample, exchange, verdict, outcome(exchange.answer, verdict))
    return RowsOnRecord(rows, failed, len(verdicts))


def _read_verdicts(
    path: Path, judge: str, planned: Mapping[Key, Row], interned: _Interned, *, stored: bool
) -> dict[Key, _Judged]:
    verdicts: dict[Key, _Judged] = {}
    for offset, judgement in read_places(path, Judgement):
        if judgement.judge != judge:
            continue
        planned_row = planned.get(judgement.key)
        key = planned_row.key if planned_row else judgement.key
        if stored:
            facts = interned.verdict(facts_of_verdict(judgement.verdict))
            verdicts[key] = _Judged(judgement.digest, offset, None, facts)
        else:
            verdicts[key] = _Judged(judgement.digest, offset, judgement.verdict, None)
    return verdicts


def _stored_row(
    planned: Row, offset: int, exchange: Exchange, judged: _Judged | None, files: StoredFiles, interned: _Interned
) -> StoredRow:
    verdict_facts = judged.facts if judged else None
    return StoredRow(
        planned.key,
        planned.sample,
        interned.outcome(outcome(exchange.answer, verdict_facts)),
        files,
        answer_place=offset,
        verdict_place=judged.offset if judged else None,
        answer_facts=interned.answer(facts_of_answer(exchange)),
        verdict_facts=verdict_facts,
    )


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
