"""Twins of a large run, by places in its columns: what `results.twins` counts of pairs in memory, counted by column."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import overload

import numpy as np
from numpy.typing import NDArray

from mossbench.plumbing.columns import Coded, Mask
from mossbench.plumbing.key_places import first_codes
from mossbench.results.row_columns import StoredRows
from mossbench.results.rows import ResultRow
from mossbench.samples import Side, Stimulus

Twin = tuple[ResultRow | None, ResultRow | None]
"""The harmless row and the harmful one; None where there is no such row."""
Places = NDArray[np.int64]
_NO_ROW = -1


@dataclass(frozen=True, eq=False)
class StoredTwins(Sequence[Twin]):
    """Pairs of rows; the two columns are places among `rows`, `_NO_ROW` where a twin has no such row."""

    rows: StoredRows
    harmless: Places
    harmful: Places

    def __len__(self) -> int:
        return len(self.harmless)

    @overload
    def __getitem__(self, place: int) -> Twin: ...

    @overload
    def __getitem__(self, place: slice) -> StoredTwins: ...

    def __getitem__(self, place: int | slice) -> Twin | StoredTwins:
        if isinstance(place, slice):
            return StoredTwins(self.rows, self.harmless[place], self.harmful[place])
        return self._row(int(self.harmless[place])), self._row(int(self.harmful[place]))

    def __iter__(self) -> Iterator[Twin]:
        return (self[place] for place in range(len(self)))

    def _row(self, place: int) -> ResultRow | None:
        return None if place == _NO_ROW else self.rows[place]

    def where(self, mask: Mask) -> StoredTwins:
        return StoredTwins(self.rows, self.harmless[mask], self.harmful[mask])

    def has_row(self, side: Side) -> Mask:
        """Which pairs have a row of the side."""
        return np.asarray(self._places(side) != _NO_ROW)

    def rows_of(self, side: Side) -> StoredRows:
        """The rows of the side, without the pairs that have none."""
        return self.rows.at(self._places(side)[self.has_row(side)])

    def spread(self, side: Side, values: Sequence[float] | NDArray[np.generic], missing: float) -> NDArray[np.float64]:
        """Values of `rows_of` the side as a column of all pairs; `missing` where there is no row."""
        column = np.full(len(self), missing)
        column[self.has_row(side)] = values
        return column

    def _places(self, side: Side) -> Places:
        return self.harmless if side is Side.BENIGN else self.harmful

    @property
    def _either(self) -> StoredRows:
        """Of each pair the harmless row, or the harmful one where it is alone."""
        return self.rows.at(np.where(self.harmless == _NO_ROW, self.harmful, self.harmless))

    @property
    def stimuli(self) -> Coded[Stimulus | None]:
        """Of each pair."""
        return self._either.label("stimulus")

    def units(self) -> NDArray[np.int32]:
        """What each pair is alike with: its scene, or else its harmless request."""
        columns = self.rows.columns.of_samples
        is_asked_harmless = np.zeros(len(columns.sides), dtype=bool)
        is_asked_harmless[columns.first_places[self.rows_of(Side.BENIGN).sample_places]] = True
        samples = self._either.sample_places
        harmless_samples = columns.places.find_all(columns.harmless_keys[samples])
        has_harmless = (harmless_samples >= 0) & is_asked_harmless[harmless_samples]
        return first_codes(columns.units[np.where(has_harmless, harmless_samples, samples)])


def stored_twins_of(rows: StoredRows) -> StoredTwins:
    """Every row once: with its twin under the same arm and epoch, or alone."""
    columns = rows.columns.of_samples
    planned = rows.columns.planned
    names = list(dict.fromkeys(arm.name for arm in planned.arms))
    number_of_arm = np.array([names.index(arm.name) for arm in planned.arms], dtype=np.int64)
    arms = number_of_arm[planned.arm_places[rows.places]]
    epochs = planned.epochs[rows.places].astype(np.int64)

    def keys(sample_places: Places, among: Places) -> Places:
        return (sample_places * len(names) + arms[among]) * (int(epochs.max(initial=0)) + 1) + epochs[among]

    is_harmful = rows.sides != 0
    harmful = np.flatnonzero(is_harmful)
    harmless = np.flatnonzero(~is_harmful)
    harmless_keys = keys(columns.first_places[rows.sample_places[harmless]], harmless)
    twin_samples = columns.places.find_all(columns.harmless_keys[rows.sample_places[harmful]])
    wanted = np.where(twin_samples < 0, _NO_ROW, keys(twin_samples, harmful))
    order = np.argsort(harmless_keys, kind="stable")
    partners = np.full(len(harmful), _NO_ROW, dtype=np.int64)
    if len(order):
        nearest = np.minimum(np.searchsorted(harmless_keys[order], wanted), len(order) - 1)
        partners = np.where(harmless_keys[order][nearest] == wanted, harmless[order[nearest]], _NO_ROW)
    _, first = np.unique(partners, return_index=True)  # a harmless row is the twin of the first that names it
    is_first = np.zeros(len(partners), dtype=bool)
    is_first[first] = True
    partners = np.where(is_first, partners, _NO_ROW)
    alone = np.setdiff1d(harmless, partners)
    return StoredTwins(
        rows,
        np.concatenate([partners, alone]),
        np.concatenate([harmful, np.full(len(alone), _NO_ROW, dtype=np.int64)]),
    )
