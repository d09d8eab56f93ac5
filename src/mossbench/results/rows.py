"""Rows as they count. Those of a large run leave their texts in its files, and read them when they are asked.

A row in memory takes 5 kB and more, with long answers much more; one that keeps only what is counted takes a third.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Lock
from typing import IO, Any, NamedTuple

from pydantic import ValidationError

from mossbench.datasets.arms import Row
from mossbench.errors import RunError
from mossbench.outcomes import Exchange, Failure, Judgement, Key, Kind, Outcome, Stop, Unread, Usage, Verdict, outcome
from mossbench.plumbing.lines import read_places
from mossbench.plumbing.reading import open_file, state_of
from mossbench.samples import Sample
from mossbench.store.run_folder import RunFolder

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
    kind: Kind | None
    refused: bool | None
    via: str | None
    code: Unread | None
    unfamiliar: bool
    used: dict[str, Usage | None]
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

    @property
    def answered(self) -> AnswerFacts | None:
        """What is counted of its answer, without reading texts."""
        return _answer_facts(self.exchange)

    @property
    def judged(self) -> VerdictFacts | None:
        return _verdict_facts(self.verdict)

    def counted_as(self, outcome: Outcome) -> ResultRow:
        return replace(self, outcome=outcome)


class StoredRow(ResultRow):
    """A row whose exchange and verdict are read from the run's files each time; what is counted it may know."""

    __slots__ = ("facts", "files", "places")
    files: tuple[StoredLines, StoredLines]
    places: tuple[int | None, int | None]
    facts: tuple[AnswerFacts, VerdictFacts | None] | None

    def __init__(self, key: Key, sample: Sample, outcome: Outcome, files: Any, places: Any, facts: Any = None) -> None:
        given = {"key": key, "sample": sample, "outcome": outcome, "files": files, "places": places, "facts": facts}
        for name, value in given.items():
            object.__setattr__(self, name, value)

    @property
    def exchange(self) -> Exchange | None:
        found: Exchange | None = self.files[0].at(self.places[0], self.key)
        return found

    @property
    def verdict(self) -> Verdict | None:
        found = self.files[1].at(self.places[1], self.key)
        return found.verdict if found else None

    @property
    def answered(self) -> AnswerFacts | None:
        return self.facts[0] if self.facts else _answer_facts(self.exchange)

    @property
    def judged(self) -> VerdictFacts | None:
        return self.facts[1] if self.facts else _verdict_facts(self.verdict)

    def counted_as(self, outcome: Outcome) -> ResultRow:
        return StoredRow(self.key, self.sample, outcome, self.files, self.places, self.facts)

    def __reduce__(self) -> tuple[Any, ...]:  # a copy has its texts with it
        return ResultRow, (self.key, self.sample, self.exchange, self.verdict, self.outcome)


class StoredLines:
    """Records in a file of lines, read by where their line begins; open for good where many are to be read."""

    def __init__(self, path: Path, record: type[Any], *, keep_open: bool = False) -> None:
        self.path, self.record, self.keep_open = path, record, keep_open
        self._file: IO[bytes] | None = None
        self._last: tuple[int, Any] | None = None
        self._lock, self._was = Lock(), state_of(path) if path.exists() else (0, 0, 0)

    def __del__(self) -> None:
        if self._file:
            self._file.close()

    def at(self, place: int | None, key: Key) -> Any:
        """The record of that row; None where there is no place."""
        if place is None:
            return None
        if (last := self._last) and last[0] == place:
            return last[1]
        with suppress(OSError, ValidationError):
            found = self.record.model_validate_json(self._line(place))
            if found.key == key:
                self._last = (place, found) if self.keep_open else None
                return found
        raise RunError(f"{self.path.parent.name} has changed while it was read; try again")

    def _line(self, place: int) -> bytes:
        with self._lock:
            file = self._file or open_file(self.path)
            now = state_of(file.fileno())
            same = now[:2] == self._was[:2] and now[2] >= self._was[2]  # lines are only ever added
            line = file.readline() if same and file.seek(place) == place else b""
            if self.keep_open:
                self._file = file
            else:
                file.close()
        return line


def errors_of(rows: Iterable[ResultRow]) -> Iterator[Failure]:
    return (facts.error for row in rows if (facts := row.answered) and facts.error)


def read_rows(
    folder: RunFolder, judge: str | None, planned: Mapping[Key, Row], *, stored: bool
) -> tuple[dict[Key, ResultRow], dict[Key, bool], int]:
    """The planned rows that have an answer on record; of every answer whether it failed; how many verdicts there are.

    Of several lines with one key the last one holds. A verdict of another answer is none.
    """
    paths = folder.answers_path, folder.verdicts_path(judge) if judge else folder.path
    files = StoredLines(paths[0], Exchange, keep_open=True), StoredLines(paths[1], Judgement, keep_open=True)
    alike: dict[Any, Any] = {}
    """Equal facts and outcomes are one object."""
    verdicts: dict[Key, tuple[str, int, Any]] = {}
    for place, one in read_places(paths[1], Judgement) if judge else ():
        if one.judge == judge:
            row = planned.get(one.key)
            verdict: Any = _verdict_facts(one.verdict) if stored else one.verdict
            if stored and not verdict.used:
                verdict = alike.setdefault((*verdict[:5], verdict.reason), verdict)
            verdicts[row.key if row else one.key] = one.digest, place, verdict
    rows, failed = dict[Key, ResultRow](), dict[Key, bool]()
    for place, exchange in read_places(paths[0], Exchange):
        answer, row = exchange.answer, planned.get(exchange.key)
        failed[key := row.key if row else exchange.key] = answer.error is not None
        if row is None:
            continue
        digest, at, verdict = verdicts.get(key, ("", None, None))
        if not digest or digest != exchange.digest():
            at, verdict = None, None
        found = outcome(answer, verdict)
        if stored:
            facts = _answer_facts(exchange)
            facts = facts if answer.usage or answer.seconds else alike.setdefault(facts, facts)
            found = alike.setdefault(found, found)
            rows[key] = StoredRow(key, row.sample, found, files, (place, at), (facts, verdict))
        else:
            rows[key] = ResultRow(key, row.sample, exchange, verdict, found)
    return rows, failed, len(verdicts)


def _answer_facts(exchange: Exchange | None) -> AnswerFacts | None:
    if exchange is None:
        return None
    a = exchange.answer
    of_answer = a.error, a.stop, a.model, a.host, a.category, a.fallback, a.usage
    return AnswerFacts(*of_answer, exchange.used, a.seconds, exchange.tries, exchange.waited, a.planted)


def _verdict_facts(verdict: Verdict | None) -> VerdictFacts | None:
    if verdict is None:
        return None
    reason = verdict.reason if verdict.is_none or verdict.code else ""
    facts = verdict.kind, verdict.refused, verdict.via, verdict.code, verdict.unfamiliar, verdict.used
    return VerdictFacts(*facts, reason)
