"""The rows of a run, read from its files: all of each in memory, or of a large run only what is counted.

And what is to be decided before: under which arms, and by whose verdicts.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from mossbench.datasets.arms import Row, arm_of
from mossbench.errors import UsageError
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
    """What the files of a run say of its rows."""

    rows: dict[Key, ResultRow]
    """The planned rows that have an answer."""
    failed: dict[Key, bool]
    """Of every answer, also to rows that are not planned, whether it is a failure."""
    n_verdicts: int


class _Judged(NamedTuple):
    """A verdict as it is held until the answer that it is about is read."""

    digest: str
    place: int
    verdict: Verdict | None
    """Where rows are in memory."""
    facts: VerdictFacts | None
    """Where they are stored."""


class _Shared:
    """Equal facts and outcomes as one object (interned): a large run has few different ones."""

    def __init__(self) -> None:
        self._answers: dict[AnswerFacts, AnswerFacts] = {}
        self._verdicts: dict[tuple[object, ...], VerdictFacts] = {}
        self._outcomes: dict[Outcome, Outcome] = {}

    def answer(self, facts: AnswerFacts) -> AnswerFacts:
        if facts.usage or facts.seconds:
            return facts  # hardly any two are the same
        return self._answers.setdefault(facts, facts)

    def verdict(self, facts: VerdictFacts) -> VerdictFacts:
        if facts.used:
            return facts
        # All fields but `used`, which is empty here: a dict cannot be hashed.
        known_by = tuple(value for value in facts if value is not facts.used)
        return self._verdicts.setdefault(known_by, facts)

    def outcome(self, outcome: Outcome) -> Outcome:
        return self._outcomes.setdefault(outcome, outcome)


def read_rows(folder: RunFolder, judge: str | None, planned: Mapping[Key, Row], *, stored: bool) -> RowsOnRecord:
    """The planned rows that have an answer on record; of every answer whether it failed; how many verdicts there are.

    Of several lines with one key the last one holds. A verdict counts only if it was given on that very answer.
    """
    shared = _Shared()
    verdicts_path = folder.verdicts_path(judge) if judge else folder.path  # without a judge nothing is read there
    files = StoredFiles(  # before reading: so a file that is replaced meanwhile is noticed
        StoredLines(folder.answers_path, Exchange, keep_open=True),
        StoredLines(verdicts_path, Judgement, keep_open=True),
    )
    verdicts = _read_verdicts(verdicts_path, judge, planned, shared, stored=stored) if judge else {}
    rows: dict[Key, ResultRow] = {}
    failed: dict[Key, bool] = {}
    for place, exchange in read_places(folder.answers_path, Exchange):
        planned_row = planned.get(exchange.key)
        key = planned_row.key if planned_row else exchange.key  # one object for all that is about a row
        failed[key] = exchange.answer.error is not None
        if planned_row is None:
            continue
        judged = verdicts.get(key)
        if judged is not None and judged.digest != exchange.digest():
            judged = None
        if stored:
            rows[key] = _stored_row(planned_row, place, exchange, judged, files, shared)
        else:
            verdict = judged.verdict if judged else None
            rows[key] = ResultRow(key, planned_row.sample, exchange, verdict, outcome(exchange.answer, verdict))
    return RowsOnRecord(rows, failed, len(verdicts))


def _read_verdicts(
    path: Path, judge: str, planned: Mapping[Key, Row], shared: _Shared, *, stored: bool
) -> dict[Key, _Judged]:
    verdicts: dict[Key, _Judged] = {}
    for place, judgement in read_places(path, Judgement):
        if judgement.judge != judge:
            continue
        planned_row = planned.get(judgement.key)
        key = planned_row.key if planned_row else judgement.key
        if stored:
            facts = shared.verdict(facts_of_verdict(judgement.verdict))
            verdicts[key] = _Judged(judgement.digest, place, None, facts)
        else:
            verdicts[key] = _Judged(judgement.digest, place, judgement.verdict, None)
    return verdicts


def _stored_row(
    planned: Row, place: int, exchange: Exchange, judged: _Judged | None, files: StoredFiles, shared: _Shared
) -> StoredRow:
    verdict_facts = judged.facts if judged else None
    return StoredRow(
        planned.key,
        planned.sample,
        shared.outcome(outcome(exchange.answer, verdict_facts)),
        files,
        answer_place=place,
        verdict_place=judged.place if judged else None,
        answer_facts=shared.answer(facts_of_answer(exchange)),
        verdict_facts=verdict_facts,
    )


def judge_label_of(folder: RunFolder, info: RunInfo, judge: str | None) -> str | None:
    """The judge whose verdicts are read: `judge`, the run's own, or else the last one that has read it."""
    if judge is not None and folder.verdicts_path(judge).exists():
        return judge  # it may have found nothing to judge
    labels = folder.judges()
    wanted = judge or info.config.judge
    fitting = [label for label in labels if wanted in (label, label.rpartition("/")[0])]
    if fitting:
        return fitting[-1]
    if judge is not None:
        verdicts = f"has verdicts of {', '.join(labels)}" if labels else "has no verdicts"
        raise UsageError(
            f"no verdicts of judge {judge!r} in {folder.path}, which {verdicts}",
            way_out=JudgeRun(folder.path, judge, to="judge it"),
        )
    return labels[-1] if labels else None


def with_own_arm_only(info: RunInfo) -> RunInfo:
    """Without the arms that an analysis added; as it is where the run was not asked under its own."""
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
    """A RunError where verdicts are lost: a file that is gone must not have another judge's read in its place."""
    for label in info.verdicts:
        if label == judge_label:
            check_verdicts(folder, info, label, n_verdicts)
        elif judge is None and not folder.verdicts_path(label).exists():
            check_verdicts(folder, info, label, 0)


def drift_of(folder: RunFolder, judge_label: str | None) -> str:
    """What `judge drift` found about this judge; empty where it found nothing, or was not asked."""
    if judge_label is None:
        return ""
    path = folder.drift_path(judge_label)
    return path.read_text(encoding="utf-8").strip() if path.exists() else ""
