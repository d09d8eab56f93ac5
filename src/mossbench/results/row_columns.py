"""The rows of a large run as columns: what is counted of them is in arrays, and all else in the run's files.

`StoredRows` is a sequence of rows like any other, and makes a row when it is asked for one. Functions that count rows
read its columns instead: `outcomes_of`, `units_of` and the others here give a column of any sequence of rows.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, overload

import numpy as np
from numpy.typing import NDArray

from mossbench.datasets.planned_rows import PlannedRows
from mossbench.datasets.stored_samples import SIDES, SampleColumns, StoredSamples
from mossbench.outcomes import Key, Layer, Outcome, Usage
from mossbench.plumbing.columns import Coded, Mask, coded
from mossbench.results.rows import AnswerFacts, ResultRow, StoredFiles, StoredRow, VerdictFacts
from mossbench.samples import Sample, Side

Places = NDArray[np.int32]


@dataclass(frozen=True)
class AnswerColumns:
    """What is counted of answers."""

    shared: Coded[AnswerFacts | None]
    """All facts but those below, which differ in nearly every row; None for a row without an answer."""
    seconds: NDArray[np.float64] | None
    """NaN where nobody knows; None: of no row. So are the next."""
    waited: NDArray[np.float64] | None
    usage: NDArray[np.int64] | None
    """The fields of a Usage, a row each; -1 where there is none."""
    used: NDArray[np.int64] | None

    def at(self, place: int) -> AnswerFacts | None:
        facts = self.shared.at(place)
        if facts is None:
            return None
        return facts._replace(
            seconds=None if self.seconds is None else _number(self.seconds[place]),
            waited=0.0 if self.waited is None else float(self.waited[place]),
            usage=_usage(self.usage, place),
            used=_usage(self.used, place),
        )


def _number(value: np.float64) -> float | None:
    return None if np.isnan(value) else float(value)


def _usage(tokens: NDArray[np.int64] | None, place: int) -> Usage | None:
    if tokens is None or tokens[place, 0] < 0:
        return None
    return Usage(**dict(zip(Usage.model_fields, tokens[place].tolist(), strict=True)))


@dataclass(frozen=True, eq=False)
class RowColumns:
    """An entry of each column for each row of a run, in their order."""

    planned: PlannedRows
    samples: StoredSamples
    files: StoredFiles
    outcomes: Coded[Outcome]
    answers: AnswerColumns
    verdicts: Coded[VerdictFacts | None]
    answer_places: NDArray[np.int64]
    """Where the line of its answer begins; -1 where it has none."""
    verdict_places: NDArray[np.int64]

    @property
    def of_samples(self) -> SampleColumns:
        return self.samples.columns


class StoredRows(Sequence[ResultRow]):
    """Some rows of a run, by their places in its columns."""

    def __init__(self, columns: RowColumns, places: Places) -> None:
        self.columns = columns
        self.places = places

    def __len__(self) -> int:
        return len(self.places)

    @overload
    def __getitem__(self, place: int) -> ResultRow: ...

    @overload
    def __getitem__(self, place: slice) -> StoredRows: ...

    def __getitem__(self, place: int | slice) -> ResultRow | StoredRows:
        if isinstance(place, slice):
            return StoredRows(self.columns, self.places[place])
        return RowOfColumns(self.columns, int(self.places[place]))

    def __iter__(self) -> Iterator[ResultRow]:
        return (RowOfColumns(self.columns, place) for place in self.places.tolist())

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sequence):
            return NotImplemented
        return self is other or (len(self) == len(other) and all(a == b for a, b in zip(self, other, strict=True)))

    __hash__ = None  # type: ignore[assignment]  # as a list

    def __reduce__(self) -> tuple[type[tuple[ResultRow, ...]], tuple[tuple[ResultRow, ...]]]:
        return tuple, (tuple(self),)  # a copy has its texts with it

    def at(self, places: NDArray[Any]) -> StoredRows:
        """Those at these places among them, or where a mask is true."""
        return StoredRows(self.columns, self.places[places])

    @property
    def sample_places(self) -> Places:
        """Of each row the place of its sample."""
        return self.columns.planned.sample_places[self.places]

    @property
    def sides(self) -> NDArray[np.int8]:
        """Of each row its side, as a place in `SIDES`."""
        return self.columns.of_samples.sides[self.sample_places]

    @property
    def outcomes(self) -> Coded[Outcome]:
        return self.columns.outcomes.take(self.places)

    @property
    def verdicts(self) -> Coded[VerdictFacts | None]:
        return self.columns.verdicts.take(self.places)

    @property
    def answers(self) -> Coded[AnswerFacts | None]:
        """What is counted of their answers, without seconds and tokens."""
        return self.columns.answers.shared.take(self.places)

    @property
    def units(self) -> NDArray[np.int32]:
        return self.columns.of_samples.units[self.sample_places]

    @property
    def with_own(self) -> Mask:
        """Which rows are of samples with columns of one's own."""
        return self.columns.of_samples.with_own[self.sample_places]

    def label(self, field: str) -> Coded[Any]:
        """A field of their samples that is one of `LABELS`."""
        return self.columns.of_samples.labels[field].take(self.sample_places)


class RowOfColumns(StoredRow):
    """A row of columns: all it says is read from them, or from the run's files, when it is asked."""

    __slots__ = ("_columns", "_place", "_sample")
    _columns: RowColumns
    _place: int
    _sample: Sample | None

    def __init__(self, columns: RowColumns, place: int) -> None:
        set_field = object.__setattr__  # the class is frozen
        set_field(self, "_columns", columns)
        set_field(self, "_place", place)
        set_field(self, "_sample", None)

    @property
    def key(self) -> Key:
        return self._columns.planned.key(self._place)

    @property
    def sample(self) -> Sample:
        if self._sample is None:
            place = int(self._columns.planned.sample_places[self._place])
            object.__setattr__(self, "_sample", self._columns.samples[place])
        assert self._sample is not None
        return self._sample

    @property
    def outcome(self) -> Outcome:
        return self._columns.outcomes.at(self._place)

    @property
    def files(self) -> StoredFiles:  # type: ignore[override]
        return self._columns.files

    @property
    def answer_place(self) -> int | None:  # type: ignore[override]
        return _place(self._columns.answer_places[self._place])

    @property
    def verdict_place(self) -> int | None:  # type: ignore[override]
        return _place(self._columns.verdict_places[self._place])

    @property
    def answer_facts(self) -> AnswerFacts | None:  # type: ignore[override]
        return self._columns.answers.at(self._place)

    @property
    def verdict_facts(self) -> VerdictFacts | None:  # type: ignore[override]
        return self._columns.verdicts.at(self._place)


def _place(offset: np.int64) -> int | None:
    return None if offset < 0 else int(offset)


# A column of any rows


def outcomes_of(rows: Iterable[ResultRow]) -> Coded[Outcome]:
    return rows.outcomes if isinstance(rows, StoredRows) else coded([row.outcome for row in rows])


def units_of(rows: Sequence[ResultRow]) -> NDArray[np.int32]:
    """What each row is alike with (`Sample.unit`), as numbers."""
    return rows.units if isinstance(rows, StoredRows) else coded([row.sample.unit for row in rows]).codes


def label_of(rows: Sequence[ResultRow], field: str) -> Coded[Any]:
    """A field of their samples that is one of `LABELS`."""
    if isinstance(rows, StoredRows):
        return rows.label(field)
    values: list[Hashable] = [getattr(row.sample, field) for row in rows]
    return coded(values)


def epochs_of(rows: Sequence[ResultRow]) -> Coded[tuple[Side, str, int]]:
    """Side, arm and epoch of each row."""
    if not isinstance(rows, StoredRows):
        return coded([(row.key.side, row.key.arm, row.key.epoch) for row in rows])
    planned = rows.columns.planned
    names = list(dict.fromkeys(arm.name for arm in planned.arms))  # several arms may have one name
    number_of_arm = np.array([names.index(arm.name) for arm in planned.arms], dtype=np.int64)
    epochs = planned.epochs[rows.places].astype(np.int64)
    numbers = (epochs * len(names) + number_of_arm[planned.arm_places[rows.places]]) * len(SIDES) + rows.sides
    different, codes = np.unique(numbers, return_inverse=True)
    values = []
    for number in different.tolist():
        epoch_and_arm, side = divmod(number, len(SIDES))
        epoch, arm = divmod(epoch_and_arm, len(names))
        values.append((SIDES[side], names[arm], epoch))
    return Coded(codes.astype(np.int32), tuple(values))


# Some of any rows


def of_side(rows: Sequence[ResultRow], side: Side) -> Sequence[ResultRow]:
    return chosen_rows(rows, of_side_mask(rows, side))


def of_side_mask(rows: Sequence[ResultRow], side: Side) -> Mask:
    """Which rows are of the side."""
    if isinstance(rows, StoredRows):
        return np.asarray(rows.sides == SIDES.index(side))
    return np.array([row.key.side is side for row in rows], dtype=bool)


def with_outcome(rows: Sequence[ResultRow], keep: Callable[[Outcome], bool]) -> Sequence[ResultRow]:
    """The rows with an outcome for which this holds."""
    if isinstance(rows, StoredRows):
        return rows.at(rows.outcomes.where(keep))
    return [row for row in rows if keep(row.outcome)]


def judged_rows(rows: Sequence[ResultRow]) -> Sequence[ResultRow]:
    """The rows that a judge has read."""
    return with_outcome(rows, lambda outcome: outcome.layer is Layer.JUDGED)


def chosen_rows(rows: Sequence[ResultRow], mask: Mask) -> Sequence[ResultRow]:
    """The rows for which the mask is true."""
    if isinstance(rows, StoredRows):
        return rows.at(mask)
    return [row for row, is_chosen in zip(rows, mask.tolist(), strict=True) if is_chosen]


def asked_ids(rows: Sequence[ResultRow]) -> dict[Side, list[str]]:
    """The ids of their samples by side, sorted, each once."""
    if not isinstance(rows, StoredRows):
        keys = sorted({(row.key.side, row.key.sample) for row in rows})
        return {side: [id for side_of_id, id in keys if side_of_id is side] for side in Side}
    columns = rows.columns.of_samples
    ids = columns.ids.all()
    is_asked = np.zeros(len(ids), dtype=bool)
    is_asked[columns.first_places[rows.sample_places]] = True
    by_side = {}
    for number, side in enumerate(SIDES):
        places = np.flatnonzero(is_asked & (columns.sides == number))
        by_side[side] = sorted(ids[place] for place in places.tolist())
    return by_side


def unfamiliar_rows(rows: Sequence[ResultRow]) -> Sequence[ResultRow]:
    """The rows whose verdict says that the answer is unfamiliar to the judge."""

    def is_unfamiliar(facts: VerdictFacts | None) -> bool:
        return facts is not None and facts.unfamiliar

    if isinstance(rows, StoredRows):
        return rows.at(rows.verdicts.where(is_unfamiliar))
    return [row for row in rows if is_unfamiliar(row.judged)]


def have_twins(rows: Sequence[ResultRow]) -> bool:
    """Whether a sample of any row names its twin."""
    if isinstance(rows, StoredRows):
        return bool(rows.columns.of_samples.with_twin[rows.sample_places].any())
    return any(row.sample.twin is not None for row in rows)


def answers_in_counts(rows: Sequence[ResultRow]) -> Iterator[tuple[AnswerFacts, int]]:
    """What is counted of the answers on record, but for seconds and tokens, with how many rows have it.

    In the order in which rows first have it. Of rows in memory each is given by itself.
    """
    if isinstance(rows, StoredRows):
        yield from ((facts, n) for facts, n in rows.answers.counts().items() if facts is not None)
        return
    for row in rows:
        facts_of_row = row.answered
        if facts_of_row is not None:
            yield facts_of_row, 1


def first_answers(rows: Sequence[ResultRow]) -> Iterator[tuple[int, AnswerFacts]]:
    """The place of the first row that has them, and the facts, but for seconds and tokens; in order.

    Of rows in memory the facts of each row.
    """
    if isinstance(rows, StoredRows):
        answers = rows.answers
        _, first_places = np.unique(answers.codes, return_index=True)
        in_order = [(place, answers.at(place)) for place in sorted(first_places.tolist())]
    else:
        in_order = [(place, row.answered) for place, row in enumerate(rows)]
    yield from ((place, facts) for place, facts in in_order if facts is not None)


def verdicts_in_counts(rows: Sequence[ResultRow]) -> Iterator[tuple[VerdictFacts | None, int]]:
    """The same of verdicts; None for rows without one."""
    if isinstance(rows, StoredRows):
        yield from rows.verdicts.counts().items()
        return
    for row in rows:
        yield row.judged, 1


class Tokens(NamedTuple):
    """What answers took."""

    used: Usage
    """Of all answers on record, also of those that were replaced."""
    n_counted: int
    """Answers, not failed, whose tokens are known."""
    waited: float
    """Seconds between tries."""


def tokens_of(rows: Sequence[ResultRow]) -> Tokens:
    if not isinstance(rows, StoredRows):
        answers = [facts for facts in (row.answered for row in rows) if facts is not None]
        used = sum((facts.used for facts in answers if facts.used), Usage())
        n_counted = sum(facts.usage is not None for facts in answers if facts.error is None)
        return Tokens(used, n_counted, sum(facts.waited for facts in answers))
    columns = rows.columns.answers
    used = Usage()
    if columns.used is not None:
        tokens = columns.used[rows.places]
        sums = tokens[tokens[:, 0] >= 0].sum(axis=0).tolist()
        used = Usage(**dict(zip(Usage.model_fields, sums, strict=True)))
    n_counted = 0
    if columns.usage is not None:
        has_answer = rows.answers.where(lambda facts: facts is not None and facts.error is None)
        n_counted = int((has_answer & (columns.usage[rows.places][:, 0] >= 0)).sum())
    # Added up one after the other, as those of rows in memory are.
    waited = 0.0 if columns.waited is None else sum(columns.waited[rows.places].tolist())
    return Tokens(used, n_counted, waited)


def used_by_judges(rows: Sequence[ResultRow]) -> Iterator[dict[str, Usage | None]]:
    """What judging models took, of each verdict for which any was asked, in the order of the rows."""
    if isinstance(rows, StoredRows):
        column = rows.verdicts
        rows = rows.at(column.where(lambda facts: facts is not None and bool(facts.used)))
    for row in rows:
        facts = row.judged
        if facts is not None and facts.used:
            yield dict(facts.used)


def seconds_of(rows: Sequence[ResultRow]) -> list[float]:
    """How long answers took, where it is known and not 0."""
    if isinstance(rows, StoredRows):
        seconds = rows.columns.answers.seconds
        known = [] if seconds is None else seconds[rows.places].tolist()
        return [value for value in known if value and not math.isnan(value)]
    return [row.answered.seconds for row in rows if row.answered and row.answered.seconds]


def count_rows(parts: Sequence[Sequence[ResultRow]]) -> int:
    """How many different rows of one run these parts of it have together."""
    places = []
    for part in parts:
        if not isinstance(part, StoredRows):
            return len({row.key for rows in parts for row in rows})
        places.append(part.places)
    return len(np.unique(np.concatenate(places)))


def share_samples(parts: Sequence[Sequence[ResultRow]]) -> bool:
    """Whether the rows of several large runs are of the same samples in memory: then numbers of units are the same."""
    samples = {id(rows.columns.samples) if isinstance(rows, StoredRows) else None for rows in parts}
    return len(samples) == 1 and None not in samples


def count_samples(rows: Sequence[ResultRow]) -> int:
    """How many samples rows of one side are of."""
    if isinstance(rows, StoredRows):
        return len(np.unique(rows.columns.of_samples.first_places[rows.sample_places]))
    return len({row.key.sample for row in rows})
