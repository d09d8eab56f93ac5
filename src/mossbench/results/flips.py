"""Changed samples: pairs of which one run's answer counts as refused and the other's does not.

They may be very many, and each has two texts: a `Flip` is made when somebody asks for it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import overload

import numpy as np
from numpy.typing import NDArray

from mossbench.outcomes import Rule
from mossbench.results.pairs import Pairs
from mossbench.results.rates import group_of, yes
from mossbench.results.row_columns import of_side_mask
from mossbench.results.rows import ResultRow
from mossbench.samples import Side


@dataclass(frozen=True)
class Flip:
    """A pair of which one run's answer counts as refused and the other's does not."""

    second: str
    side: Side
    sample: str
    epoch: int
    stimulus: str
    question: str
    refused_by: str
    outcomes: tuple[str, str]
    answers: tuple[str | None, str | None]
    arms: tuple[str, str] = ("plain", "plain")
    first: str = ""


@dataclass(frozen=True)
class ChangedPairs:
    """The changed pairs of two runs, which have these names."""

    first: str
    second: str
    pairs: Pairs
    first_refused: NDArray[np.bool_]
    """Of each pair whether the first run refused it, and not the second."""

    def flip(self, place: int) -> Flip:
        row, second_row = self.pairs[place]
        return Flip(
            second=self.second,
            side=row.key.side,
            sample=row.key.sample,
            epoch=row.key.epoch,
            stimulus=group_of(row, "stimulus"),
            question=row.sample.question or second_row.sample.question,
            refused_by=self.first if self.first_refused[place] else self.second,
            outcomes=(row.outcome.label, second_row.outcome.label),
            answers=(_answer_text(row), _answer_text(second_row)),
            arms=(row.key.arm, second_row.key.arm),
            first=self.first,
        )

    def chosen(self, side: Side | None, refused_by: str | None) -> ChangedPairs:
        """Those of a side, and those that one of the runs refused; None: all."""
        mask = np.ones(len(self.pairs), dtype=bool)
        if side is not None:
            mask &= of_side_mask(self.pairs.first, side)
        if refused_by is not None:
            mask &= self.first_refused if refused_by == self.first else ~self.first_refused
        return ChangedPairs(self.first, self.second, self.pairs.where(mask), self.first_refused[mask])


class Flips(Sequence[Flip]):
    """All flips of a comparison, two runs after the other."""

    def __init__(self, parts: Sequence[ChangedPairs]) -> None:
        self.parts = tuple(parts)

    def __len__(self) -> int:
        return sum(len(part.pairs) for part in self.parts)

    @overload
    def __getitem__(self, place: int) -> Flip: ...

    @overload
    def __getitem__(self, place: slice) -> tuple[Flip, ...]: ...

    def __getitem__(self, place: int | slice) -> Flip | tuple[Flip, ...]:
        if isinstance(place, slice):
            return tuple(self[number] for number in range(*place.indices(len(self))))
        number = place + len(self) if place < 0 else place
        for part in self.parts:
            if 0 <= number < len(part.pairs):
                return part.flip(number)
            number -= len(part.pairs)
        raise IndexError(f"there are {len(self)} flips; got place {place}")

    def __iter__(self) -> Iterator[Flip]:
        for part in self.parts:
            for place in range(len(part.pairs)):
                yield part.flip(place)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sequence):
            return NotImplemented
        return self is other or tuple(self) == tuple(other)

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return f"<{len(self)} flips>"

    def __reduce__(self) -> tuple[type[tuple[Flip, ...]], tuple[tuple[Flip, ...]]]:
        return tuple, (tuple(self),)  # a copy has its texts with it


def flips_between(first: str, second: str, pairs: Pairs, rule: Rule) -> ChangedPairs:
    """The pairs of two runs that changed; not those of which a row does not count."""
    first_refusals = np.array(yes(pairs.first, rule))
    second_refusals = np.array(yes(pairs.second, rule))
    has_changed = np.abs(first_refusals - second_refusals) == 1  # NaN, of a row that does not count, is not
    return ChangedPairs(first, second, pairs.where(has_changed), first_refusals[has_changed] == 1)


def choose_flips(
    flips: Sequence[Flip],
    *,
    pair: tuple[str, str] | None = None,
    second: str | None = None,
    side: Side | None = None,
    refused_by: str | None = None,
) -> Sequence[Flip]:
    """Those of two runs, of a second run, of a side, and that a run refused; None: all."""

    def is_of_runs(runs: Flip | ChangedPairs) -> bool:
        return pair in (None, (runs.first, runs.second)) and second in (None, runs.second)

    if isinstance(flips, Flips):
        parts = [part for part in flips.parts if is_of_runs(part)]
        if refused_by is not None:
            parts = [part for part in parts if refused_by in (part.first, part.second)]
        return Flips([part.chosen(side, refused_by) for part in parts])
    return [
        flip
        for flip in flips
        if is_of_runs(flip) and side in (None, flip.side) and refused_by in (None, flip.refused_by)
    ]


def _answer_text(row: ResultRow) -> str | None:
    exchange = row.exchange  # read once: a large run reads it from its file at each access
    return exchange.answer.text if exchange else None
