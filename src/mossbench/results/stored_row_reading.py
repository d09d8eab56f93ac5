"""Reads the rows of a large run from its files as columns: no text of an answer stays in memory."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import NamedTuple, TypeVar

import numpy as np

from mossbench.datasets.planned_rows import PlannedRows
from mossbench.outcomes import Exchange, Judgement, Key, Keyed, Layer, Outcome, Usage, layer_without_verdict
from mossbench.plumbing.columns import Coded, Coder
from mossbench.plumbing.key_places import key_digest
from mossbench.plumbing.lines import read_places
from mossbench.results.kept_columns import keep_columns, load_columns, made_of
from mossbench.results.row_columns import AnswerColumns, RowColumns
from mossbench.results.rows import (
    AnswerFacts,
    StoredFiles,
    StoredLines,
    VerdictFacts,
    facts_of_answer,
    facts_of_verdict,
)
from mossbench.store.run_folder import RunFolder

Line = TypeVar("Line", bound=Keyed)
_AT_ONCE = 4096
"""Lines whose rows are looked up together."""
_NO_USAGE = (-1,) * len(Usage.model_fields)
_DIGEST_SIZE = 16
"""Characters of `Exchange.digest`."""


class RowsAsColumns(NamedTuple):
    """The rows of a run as its files have them."""

    columns: RowColumns
    """All planned rows, also those that have no answer."""
    unplanned: dict[Key, bool]
    """Whether the row failed, for each answer to a row that is not planned."""
    n_verdicts: int


def read_columns(folder: RunFolder, judge: str | None, planned: PlannedRows) -> RowsAsColumns:
    """Reads answers and verdicts, and joins them to the planned rows, as `row_reading.read_rows` does.

    What was read before is taken from the folder, where it is kept until a file changes.
    """
    verdicts_path = folder.verdicts_path(judge) if judge else folder.path  # without a judge this path is never read
    files = StoredFiles(  # made before reading, so that a file replaced meanwhile is noticed
        StoredLines(folder.answers_path, Exchange, keep_open=True),
        StoredLines(verdicts_path, Judgement, keep_open=True),
    )
    key = made_of(folder, judge, planned)
    kept = None if key is None else load_columns(folder, judge, key, planned, files)
    if kept is not None:
        return RowsAsColumns(*kept)
    rows = _read_files(folder, judge, planned, files)
    if key is not None and key == made_of(folder, judge, planned):
        keep_columns(folder, judge, key, *rows)
    return rows


def _read_files(folder: RunFolder, judge: str | None, planned: PlannedRows, files: StoredFiles) -> RowsAsColumns:
    answers = _Answers(len(planned))
    unplanned: dict[Key, bool] = {}
    for place, offset, exchange in _located(read_places(folder.answers_path, Exchange), planned):
        if place < 0:
            unplanned[exchange.key] = exchange.answer.error is not None
        else:
            answers.add(place, offset, exchange)
    verdicts = _Verdicts(len(planned))
    judgements = read_places(files.verdicts.path, Judgement) if judge else iter(())
    of_judge = ((offset, judgement) for offset, judgement in judgements if judgement.judge == judge)
    for place, offset, judgement in _located(of_judge, planned):
        verdicts.add(place, offset, judgement, answers.digest(place) if place >= 0 else b"")
    verdict_column = verdicts.column()
    columns = RowColumns(
        planned=planned,
        samples=planned.samples,
        files=files,
        outcomes=_outcomes(answers.layers(), verdict_column),
        answers=answers.columns(),
        verdicts=verdict_column,
        answer_places=np.frombuffer(answers.offsets, dtype=np.int64),
        verdict_places=np.frombuffer(verdicts.offsets, dtype=np.int64),
    )
    return RowsAsColumns(columns, unplanned, verdicts.n_rows)


def _located(lines: Iterable[tuple[int, Line]], planned: PlannedRows) -> Iterator[tuple[int, int, Line]]:
    """Each line with the place of its row, -1 where it is not planned, and with its offset."""
    samples = planned.samples.columns.places
    for chunk in _chunks(lines):
        sample_places = samples.find(key_digest(line.side, line.sample) for _, line in chunk).tolist()
        for sample_place, (offset, line) in zip(sample_places, chunk, strict=True):
            block = planned.blocks.get((line.arm, line.epoch))
            place = -1 if block is None or sample_place < 0 else int(block[sample_place])
            yield place, offset, line


def _chunks(lines: Iterable[tuple[int, Line]]) -> Iterator[list[tuple[int, Line]]]:
    remaining = iter(lines)
    chunk = list(islice(remaining, _AT_ONCE))
    while chunk:
        yield chunk
        chunk = list(islice(remaining, _AT_ONCE))


class _Answers:
    """Columns of the answers, filled row by row; a later line of a row replaces an earlier one."""

    def __init__(self, n_rows: int) -> None:
        self._n_rows = n_rows
        self.offsets = array("q", [-1]) * n_rows
        self._digests = bytearray(_DIGEST_SIZE * n_rows)
        self._facts = Coder[AnswerFacts | None]()
        self._no_answer = self._facts.code(None)
        self._codes = array("i", [self._no_answer]) * n_rows
        self._layers = Coder[Layer | None]()
        self._layer_codes = array("b", [self._layers.code(Layer.NOT_ASKED)]) * n_rows
        self._seconds: array[float] | None = None
        self._waited: array[float] | None = None
        self._usage: array[int] | None = None
        self._used: array[int] | None = None

    def add(self, place: int, offset: int, exchange: Exchange) -> None:
        facts = facts_of_answer(exchange)
        self.offsets[place] = offset
        self._digests[_DIGEST_SIZE * place : _DIGEST_SIZE * (place + 1)] = exchange.digest().encode()
        self._codes[place] = self._facts.code(facts._replace(usage=None, used=None, seconds=None, waited=0.0))
        self._layer_codes[place] = self._layers.code(layer_without_verdict(exchange.answer))
        if facts.seconds is not None or self._seconds is not None:
            self._seconds = self._seconds or array("d", [np.nan]) * self._n_rows
            self._seconds[place] = np.nan if facts.seconds is None else facts.seconds
        if facts.waited or self._waited is not None:
            self._waited = self._waited or array("d", [0.0]) * self._n_rows
            self._waited[place] = facts.waited
        self._usage = self._with_tokens(self._usage, place, facts.usage)
        self._used = self._with_tokens(self._used, place, facts.used)

    def _with_tokens(self, tokens: array[int] | None, place: int, usage: Usage | None) -> array[int] | None:
        if usage is None and tokens is None:
            return None
        width = len(_NO_USAGE)
        tokens = tokens or array("q", _NO_USAGE) * self._n_rows
        numbers = _NO_USAGE if usage is None else tuple(getattr(usage, name) for name in Usage.model_fields)
        tokens[width * place : width * (place + 1)] = array("q", numbers)
        return tokens

    def digest(self, place: int) -> bytes:
        """Of the answer of a row; zeros where it has none."""
        return bytes(self._digests[_DIGEST_SIZE * place : _DIGEST_SIZE * (place + 1)])

    def layers(self) -> Coded[Layer | None]:
        """The layer that each row has without a verdict; None where a judge decides it."""
        return self._layers.column(np.frombuffer(self._layer_codes, dtype=np.int8))

    def columns(self) -> AnswerColumns:
        width = len(_NO_USAGE)
        return AnswerColumns(
            shared=self._facts.column(np.frombuffer(self._codes, dtype=np.int32)),
            seconds=None if self._seconds is None else np.frombuffer(self._seconds),
            waited=None if self._waited is None else np.frombuffer(self._waited),
            usage=None if self._usage is None else np.frombuffer(self._usage, np.int64).reshape(-1, width),
            used=None if self._used is None else np.frombuffer(self._used, np.int64).reshape(-1, width),
        )


class _Verdicts:
    """Columns of the verdicts, filled row by row; the last line of a row counts, if it is about the row's answer."""

    def __init__(self, n_rows: int) -> None:
        self.offsets = array("q", [-1]) * n_rows
        self._seen = bytearray(n_rows)
        self._unplanned: set[Key] = set()
        self._facts = Coder[VerdictFacts | None]()
        self._codes = array("i", [self._facts.code(None)]) * n_rows

    @property
    def n_rows(self) -> int:
        """Rows with a verdict, also those that are not planned."""
        return sum(self._seen) + len(self._unplanned)

    def add(self, place: int, offset: int, judgement: Judgement, digest: bytes) -> None:
        if place < 0:
            self._unplanned.add(judgement.key)
            return
        self._seen[place] = True
        is_about_answer = judgement.digest.encode("utf-8", "surrogatepass") == digest
        self.offsets[place] = offset if is_about_answer else -1
        self._codes[place] = self._facts.code(facts_of_verdict(judgement.verdict) if is_about_answer else None)

    def column(self) -> Coded[VerdictFacts | None]:
        return self._facts.column(np.frombuffer(self._codes, dtype=np.int32))


def _outcomes(layers: Coded[Layer | None], verdicts: Coded[VerdictFacts | None]) -> Coded[Outcome]:
    """How each row counts, as `outcomes.outcome` says."""
    pairs = layers.codes.astype(np.int64) * len(verdicts.values) + verdicts.codes
    different, codes = np.unique(pairs, return_inverse=True)
    coder = Coder[Outcome]()
    outcome_codes = []
    for pair in different.tolist():
        layer_code, verdict_code = divmod(pair, len(verdicts.values))
        outcome_codes.append(coder.code(_outcome(layers.values[layer_code], verdicts.values[verdict_code])))
    return coder.column(np.array(outcome_codes, dtype=np.int32)[codes])


def _outcome(layer: Layer | None, verdict: VerdictFacts | None) -> Outcome:
    if layer is not None:
        return Outcome(layer)
    if verdict is None or verdict.is_none:
        return Outcome(Layer.UNJUDGED)
    return Outcome(Layer.JUDGED, verdict.kind, verdict.refused)
