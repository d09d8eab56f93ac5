"""The rows of a run, read from its files: all of each in memory, or of a large run only what is counted."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from mossbench.datasets.arms import Row
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
from mossbench.store.run_folder import RunFolder


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
    """Equal facts and outcomes as one object: a large run has few different ones."""

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
        without_used = (facts.kind, facts.refused, facts.via, facts.code, facts.unfamiliar, facts.reason)
        return self._verdicts.setdefault(without_used, facts)

    def outcome(self, outcome: Outcome) -> Outcome:
        return self._outcomes.setdefault(outcome, outcome)


def read_rows(folder: RunFolder, judge: str | None, planned: Mapping[Key, Row], *, stored: bool) -> RowsOnRecord:
    """The planned rows that have an answer on record; of every answer whether it failed; how many verdicts there are.

    Of several lines with one key the last one holds. A verdict of another answer is none.
    """
    shared = _Shared()
    verdicts_path = folder.verdicts_path(judge) if judge else folder.path  # without a judge nothing is read there
    verdicts = _read_verdicts(verdicts_path, judge, planned, shared, stored=stored) if judge else {}
    files = StoredFiles(
        StoredLines(folder.answers_path, Exchange, keep_open=True),
        StoredLines(verdicts_path, Judgement, keep_open=True),
    )
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
