"""Rows as they count. Those of a large run leave their texts in its files, and read them when they are asked.

A row in memory takes 5 kB and more, with long answers much more; one that keeps only what is counted takes a third.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Lock
from typing import IO, Generic, NamedTuple, TypeVar, overload

from pydantic import ValidationError

from mossbench.errors import RunError
from mossbench.outcomes import (
    Exchange,
    Failure,
    Judgement,
    Key,
    Keyed,
    Kind,
    Outcome,
    Stop,
    Unread,
    Usage,
    Verdict,
    outcome,
)
from mossbench.plumbing.untrusted_files import open_file, state_of
from mossbench.samples import Sample

Line = TypeVar("Line", bound=Keyed)
"""A record that a run has on a line of a file."""
LARGE = 10_000
"""Rows of a run above which texts stay in its files."""


class AnswerFacts(NamedTuple):
    """What is counted of an answer: all but its texts."""

    error: Failure | None
    stop: Stop | None
    model: str | None
    host: str | None
    category: str | None
    fallback: bool
    usage: Usage | None
    used: Usage | None
    """Also for answers that this one replaces."""
    seconds: float | None
    tries: int
    waited: float
    planted: Kind | None = None
    """What a control model with `on` was made to answer."""


class VerdictFacts(NamedTuple):
    """What is counted of a verdict: all but its texts."""

    kind: Kind | None
    refused: bool | None
    via: str | None
    code: Unread | None
    unfamiliar: bool
    used: tuple[tuple[str, Usage | None], ...]
    """By judging model; no dict, so that equal facts can be counted together."""
    reason: str
    """Only where it is no verdict: then it is counted."""

    @property
    def is_none(self) -> bool:
        return self.kind is None and self.refused is None


@dataclass(frozen=True, slots=True)
class ResultRow:
    """One planned row: what was asked, what came back, how it was read, how it counts."""

    key: Key
    sample: Sample
    exchange: Exchange | None
    verdict: Verdict | None
    outcome: Outcome

    def __repr__(self) -> str:
        key = self.key
        return (
            f"<ResultRow {key.side.value} {key.sample}, arm {key.arm}, epoch {key.epoch}: {self.outcome.layer.value}>"
        )

    @property
    def answered(self) -> AnswerFacts | None:
        """What is counted of its answer, without reading texts."""
        return None if self.exchange is None else facts_of_answer(self.exchange)

    @property
    def judged(self) -> VerdictFacts | None:
        return None if self.verdict is None else facts_of_verdict(self.verdict)

    def counted_as(self, outcome: Outcome) -> ResultRow:
        return replace(self, outcome=outcome)

    def read_as(self, verdict: Verdict | None) -> ResultRow:
        """The row with another judge's verdict."""
        return replace(self, verdict=verdict, outcome=_outcome_of(self.exchange, verdict))


class StoredFiles(NamedTuple):
    """The files of a run from which its rows read their texts."""

    answers: StoredLines[Exchange]
    verdicts: StoredLines[Judgement]


class StoredRow(ResultRow):
    """A row whose exchange and verdict are read from the run's files each time; what is counted it may know."""

    __slots__ = ("answer_facts", "answer_place", "files", "verdict_facts", "verdict_place")
    files: StoredFiles
    answer_place: int | None
    """Where the line of its answer begins; None where it has none."""
    verdict_place: int | None
    answer_facts: AnswerFacts | None
    """None where nothing that is counted is in memory: neither of the answer nor of the verdict."""
    verdict_facts: VerdictFacts | None

    def __init__(
        self,
        key: Key,
        sample: Sample,
        outcome: Outcome,
        files: StoredFiles,
        answer_place: int | None,
        verdict_place: int | None,
        answer_facts: AnswerFacts | None = None,
        verdict_facts: VerdictFacts | None = None,
    ) -> None:
        set_field = object.__setattr__  # the class is frozen
        set_field(self, "key", key)
        set_field(self, "sample", sample)
        set_field(self, "outcome", outcome)
        set_field(self, "files", files)
        set_field(self, "answer_place", answer_place)
        set_field(self, "verdict_place", verdict_place)
        set_field(self, "answer_facts", answer_facts)
        set_field(self, "verdict_facts", verdict_facts)

    @property
    def exchange(self) -> Exchange | None:
        return self.files.answers.at(self.answer_place, self.key)

    @property
    def verdict(self) -> Verdict | None:
        judgement = self.files.verdicts.at(self.verdict_place, self.key)
        return judgement.verdict if judgement else None

    @property
    def answered(self) -> AnswerFacts | None:
        if self.answer_facts is not None:
            return self.answer_facts
        exchange = self.exchange  # is read each time
        return None if exchange is None else facts_of_answer(exchange)

    @property
    def judged(self) -> VerdictFacts | None:
        if self.answer_facts is not None:
            return self.verdict_facts
        verdict = self.verdict
        return None if verdict is None else facts_of_verdict(verdict)

    def counted_as(self, outcome: Outcome) -> ResultRow:
        return StoredRow(
            self.key,
            self.sample,
            outcome,
            self.files,
            self.answer_place,
            self.verdict_place,
            self.answer_facts,
            self.verdict_facts,
        )

    def read_as(self, verdict: Verdict | None) -> ResultRow:
        return RereadRow(self, verdict, _outcome_of(self.exchange, verdict))

    def __reduce__(self) -> tuple[type[ResultRow], tuple[object, ...]]:  # a copy has its texts with it
        return ResultRow, (self.key, self.sample, self.exchange, self.verdict, self.outcome)


class RereadRow(StoredRow):
    """A stored row whose verdict is another judge's and in memory; its exchange is still read from the run's file."""

    __slots__ = ("new_verdict",)
    new_verdict: Verdict | None

    def __init__(self, row: StoredRow, verdict: Verdict | None, outcome: Outcome) -> None:
        super().__init__(
            row.key,
            row.sample,
            outcome,
            row.files,
            row.answer_place,
            None,
            row.answered,
            facts_of_verdict(verdict) if verdict else None,
        )
        object.__setattr__(self, "new_verdict", verdict)

    @property
    def verdict(self) -> Verdict | None:
        return self.new_verdict

    def counted_as(self, outcome: Outcome) -> RereadRow:
        return RereadRow(self, self.new_verdict, outcome)


class StoredLines(Generic[Line]):
    """Records in a file of lines, read by where their line begins; open for good where many are to be read."""

    def __init__(self, path: Path, record: type[Line], *, keep_open: bool = False) -> None:
        self.path = path
        self.record = record
        self.keep_open = keep_open
        self._file: IO[bytes] | None = None
        self._last: tuple[int, Line] | None = None
        self._lock = Lock()
        self._state_at_start = state_of(path) if path.exists() else (0, 0, 0)  # 0: of no file

    def __del__(self) -> None:
        if self._file:
            self._file.close()

    @overload
    def at(self, place: int, key: Key) -> Line: ...

    @overload
    def at(self, place: int | None, key: Key) -> Line | None: ...

    def at(self, place: int | None, key: Key) -> Line | None:
        """The record of that row; None where there is no place."""
        if place is None:
            return None
        last = self._last  # another thread may change it meanwhile
        if last is not None and last[0] == place:
            return last[1]
        with suppress(OSError, ValidationError):
            record: Line = self.record.model_validate_json(self._line(place))
            if record.key == key:
                self._last = (place, record) if self.keep_open else None
                return record
        raise RunError(f"{self.path.parent.name} changed while it was being read; try again")

    def _line(self, place: int) -> bytes:
        with self._lock:
            file = self._file or open_file(self.path)
            line = b""
            if self._is_same_file(file) and file.seek(place) == place:
                line = file.readline()
            if self.keep_open:
                self._file = file
            else:
                file.close()
        return line

    def _is_same_file(self, file: IO[bytes]) -> bool:
        """Whether it is the file of the start, which may have grown: lines are only ever added."""
        device, number, size, *_ = state_of(file.fileno())
        first_device, first_number, first_size, *_ = self._state_at_start
        return (device, number) == (first_device, first_number) and size >= first_size


def _outcome_of(exchange: Exchange | None, verdict: Verdict | None) -> Outcome:
    return outcome(exchange.answer if exchange else None, verdict)


def errors_of(rows: Iterable[ResultRow]) -> Iterator[Failure]:
    for row in rows:
        facts = row.answered
        if facts is not None and facts.error is not None:
            yield facts.error


def facts_of_answer(exchange: Exchange) -> AnswerFacts:
    answer = exchange.answer
    return AnswerFacts(
        error=answer.error,
        stop=answer.stop,
        model=answer.model,
        host=answer.host,
        category=answer.category,
        fallback=answer.fallback,
        usage=answer.usage,
        used=exchange.used,
        seconds=answer.seconds,
        tries=exchange.tries,
        waited=exchange.waited,
        planted=answer.planted,
    )


def facts_of_verdict(verdict: Verdict) -> VerdictFacts:
    return VerdictFacts(
        kind=verdict.kind,
        refused=verdict.refused,
        via=verdict.via,
        code=verdict.code,
        unfamiliar=verdict.unfamiliar,
        used=tuple(verdict.used.items()),
        reason=verdict.reason if verdict.is_none or verdict.code else "",
    )
