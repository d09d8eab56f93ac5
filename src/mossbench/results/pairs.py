"""Rows of two runs on the same samples, side by side: the same places of two sequences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from mossbench.datasets.stored_samples import SIDES
from mossbench.plumbing.columns import Mask
from mossbench.results.row_columns import StoredRows, chosen_rows
from mossbench.results.rows import ResultRow
from mossbench.samples import Side

Pair = tuple[ResultRow, ResultRow]


@dataclass(frozen=True)
class Pairs(Sequence[Pair]):
    """Pairs of rows; both sequences have one length."""

    first: Sequence[ResultRow]
    second: Sequence[ResultRow]

    def __len__(self) -> int:
        return len(self.first)

    @overload
    def __getitem__(self, place: int) -> Pair: ...

    @overload
    def __getitem__(self, place: slice) -> Pairs: ...

    def __getitem__(self, place: int | slice) -> Pair | Pairs:
        if isinstance(place, slice):
            return Pairs(self.first[place], self.second[place])
        return self.first[place], self.second[place]

    def __iter__(self) -> Iterator[Pair]:
        return zip(self.first, self.second, strict=True)

    def where(self, mask: Mask) -> Pairs:
        """The pairs for which the mask is true."""
        return Pairs(chosen_rows(self.first, mask), chosen_rows(self.second, mask))

    def at(self, places: NDArray[Any]) -> Pairs:
        """The pairs at these places, in this order."""
        return Pairs(_at(self.first, places), _at(self.second, places))


def _at(rows: Sequence[ResultRow], places: NDArray[Any]) -> Sequence[ResultRow]:
    return rows.at(places) if isinstance(rows, StoredRows) else [rows[place] for place in places.tolist()]


def as_pairs(pairs: Sequence[Pair]) -> Pairs:
    if isinstance(pairs, Pairs):
        return pairs
    return Pairs([first for first, _ in pairs], [second for _, second in pairs])


def stored_pairs(first: Sequence[ResultRow], second: Sequence[ResultRow], *, is_across_arms: bool) -> Pairs | None:
    """The rows with one key of two large runs, by their columns; None where a run is in memory."""
    if not isinstance(first, StoredRows) or not isinstance(second, StoredRows):
        return None
    arms = _numbers_of_arms(first, second, is_across_arms=is_across_arms)
    n_arms = len(arms)
    first_samples = first.sample_places.astype(np.int64)
    second_samples = first.columns.of_samples.places.find_all(second.columns.of_samples.keys)[second.sample_places]
    first_keys = _keys(first, first.columns.of_samples.first_places[first_samples], arms, n_arms)
    second_keys = _keys(second, second_samples, arms, n_arms)
    places = _last_places(second_keys, first_keys, is_known=second_samples >= 0)
    has_partner = places >= 0
    return Pairs(first.at(has_partner), second.at(places[has_partner]))


def _numbers_of_arms(first: StoredRows, second: StoredRows, *, is_across_arms: bool) -> dict[str, int]:
    """A number for each name of an arm; the same for all names where rows of two arms are pairs."""
    names = dict.fromkeys(arm.name for rows in (first, second) for arm in rows.columns.planned.arms)
    return {name: 0 if is_across_arms else number for number, name in enumerate(names)}


def _keys(rows: StoredRows, sample_places: NDArray[np.int64], arms: dict[str, int], n_arms: int) -> NDArray[np.int64]:
    """A number for each row, equal for rows of two runs with one sample, arm and epoch."""
    planned = rows.columns.planned
    numbers = np.array([arms[arm.name] for arm in planned.arms], dtype=np.int64)
    arm_numbers = numbers[planned.arm_places[rows.places]]
    epochs = planned.epochs[rows.places].astype(np.int64)
    return (sample_places * (n_arms + 1) + arm_numbers) * (1 << 16) + epochs


def _last_places(keys: NDArray[np.int64], wanted: NDArray[np.int64], *, is_known: Mask) -> NDArray[np.int64]:
    """Where each wanted key stands among the keys, the last place of a key that is there twice; -1: nowhere."""
    known = np.flatnonzero(is_known)
    order = known[np.argsort(keys[known], kind="stable")]
    if not len(order):
        return np.full(len(wanted), -1, dtype=np.int64)
    nearest = np.maximum(np.searchsorted(keys[order], wanted, side="right") - 1, 0)
    return np.where(keys[order][nearest] == wanted, order[nearest], -1)


def pairs_of_side(pairs: Pairs, side: Side) -> Pairs:
    """The pairs of a side, each key of the first run once."""
    if isinstance(pairs.first, StoredRows):
        return pairs.where(pairs.first.sides == SIDES.index(side))
    rows_of_side = {first.key: (first, second) for first, second in pairs if first.key.side is side}
    return as_pairs(list(rows_of_side.values()))


def joined_pairs(parts: Sequence[Pairs]) -> Pairs:
    """All pairs of the parts, one part after the other."""
    return Pairs(_joined([part.first for part in parts]), _joined([part.second for part in parts]))


def _joined(parts: Sequence[Sequence[ResultRow]]) -> Sequence[ResultRow]:
    stored = [part for part in parts if isinstance(part, StoredRows)]
    if stored and len(stored) == len(parts):
        return StoredRows(stored[0].columns, np.concatenate([part.places for part in stored]))
    rows: list[ResultRow] = []
    for part in parts:
        rows += part
    return rows
