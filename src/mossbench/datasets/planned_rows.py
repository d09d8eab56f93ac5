"""All rows of a run: samples by arms and epochs. A row is made when it is asked for: a million take little memory."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias, overload

from mossbench.datasets.arms import Arm, Row
from mossbench.datasets.stored_samples import SIDES, StoredSamples
from mossbench.outcomes import Key
from mossbench.samples import Sample

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Places: TypeAlias = "NDArray[np.int32]"


@dataclass(frozen=True, eq=False)
class PlannedRows(Sequence[Row]):
    """Rows in the order in which they are planned; the three columns are of one length."""

    samples: StoredSamples
    arms: tuple[Arm, ...]
    sample_places: Places
    """Of each row the place of its sample."""
    arm_places: NDArray[np.int16]
    epochs: NDArray[np.int16]

    def __len__(self) -> int:
        return len(self.sample_places)

    @overload
    def __getitem__(self, place: int) -> Row: ...

    @overload
    def __getitem__(self, place: slice) -> PlannedRows: ...

    def __getitem__(self, place: int | slice) -> Row | PlannedRows:
        if isinstance(place, slice):
            import numpy as np

            return self.at(np.arange(len(self))[place])
        sample = self.samples[int(self.sample_places[place])]
        return Row(self.key(place), sample, self.arms[self.arm_places[place]])

    def __iter__(self) -> Iterator[Row]:
        return (self[place] for place in range(len(self)))

    def key(self, place: int) -> Key:
        """The key of a row, without reading its sample."""
        sample_place = self.sample_places[place]
        columns = self.samples.columns
        arm = self.arms[self.arm_places[place]]
        return Key(SIDES[columns.sides[sample_place]], columns.ids.at(sample_place), arm.name, int(self.epochs[place]))

    def at(self, places: NDArray[np.integer]) -> PlannedRows:
        """The rows at these places, in this order."""
        return PlannedRows(
            self.samples, self.arms, self.sample_places[places], self.arm_places[places], self.epochs[places]
        )

    @cached_property
    def blocks(self) -> dict[tuple[str, int], Places]:
        """By name of arm and epoch, for the first sample of each key the place of its row; -1 where it has none."""
        import numpy as np

        first_places = self.samples.columns.first_places
        blocks: dict[tuple[str, int], Places] = {}
        for arm_place, epoch in sorted(set(zip(self.arm_places.tolist(), self.epochs.tolist(), strict=True))):
            rows = np.flatnonzero((self.arm_places == arm_place) & (self.epochs == epoch)).astype(np.int32)
            name = self.arms[arm_place].name
            block = blocks.setdefault((name, epoch), np.full(len(self.samples), -1, dtype=np.int32))
            block[first_places[self.sample_places[rows]]] = rows
        return blocks


def keys_of(rows: Sequence[Row]) -> Iterator[Key]:
    """The keys of rows; of those of a large run without reading samples."""
    if isinstance(rows, PlannedRows):
        return (rows.key(place) for place in range(len(rows)))
    return (row.key for row in rows)


def rows_where(rows: Sequence[Row], keep: Callable[[Key], bool]) -> Sequence[Row]:
    """The rows whose key is one for which this holds."""
    import numpy as np

    if isinstance(rows, PlannedRows):
        return rows.at(np.array([place for place, key in enumerate(keys_of(rows)) if keep(key)], dtype=np.int64))
    return [row for row in rows if keep(row.key)]


def plan(samples: Iterable[Sample], arms: Iterable[Arm], epochs: int) -> Sequence[Row]:
    """All rows of a run, epoch by epoch."""
    arms = tuple(arms)
    if isinstance(samples, StoredSamples):
        return plan_stored(samples, arms, epochs)
    samples = tuple(samples)
    samples_by_arm = [[sample for sample in samples if arm.fits(sample)] for arm in arms]
    last_epoch = max((arm.epochs or epochs for arm in arms), default=0)
    rows: dict[Key, Row] = {}
    for epoch in range(1, last_epoch + 1):
        for arm, fitting_samples in zip(arms, samples_by_arm, strict=True):
            if epoch > (arm.epochs or epochs):
                continue
            for sample in fitting_samples:
                key = Key(sample.side, sample.id, arm.name, epoch)
                rows[key] = Row(key, sample, arm)  # of arms of one name, the last
    return list(rows.values())


def plan_stored(samples: StoredSamples, arms: tuple[Arm, ...], epochs: int) -> PlannedRows:
    """The same rows of samples that stay in their file, as columns."""
    import numpy as np

    fitting_places = [_fitting_places(samples, arm) for arm in arms]
    last_epoch = max((arm.epochs or epochs for arm in arms), default=0)
    sample_places = [np.empty(0, dtype=np.int32)]
    arm_places = [np.empty(0, dtype=np.int16)]
    row_epochs = [np.empty(0, dtype=np.int16)]
    for epoch in range(1, last_epoch + 1):
        for arm_place, arm in enumerate(arms):
            if epoch > (arm.epochs or epochs):
                continue
            places = fitting_places[arm_place]
            sample_places.append(places)
            arm_places.append(np.full(len(places), arm_place, dtype=np.int16))
            row_epochs.append(np.full(len(places), epoch, dtype=np.int16))
    rows = PlannedRows(
        samples, arms, np.concatenate(sample_places), np.concatenate(arm_places), np.concatenate(row_epochs)
    )
    return _each_key_once(rows)


def _fitting_places(samples: StoredSamples, arm: Arm) -> Places:
    import numpy as np

    if arm.fits_all:
        return np.arange(len(samples), dtype=np.int32)
    return np.array([place for place, sample in enumerate(samples) if arm.fits(sample)], dtype=np.int32)


def _each_key_once(rows: PlannedRows) -> PlannedRows:
    """Of rows with one key, at the place of the first, what the last is: of arms of one name, the last counts."""
    import numpy as np

    names = list(dict.fromkeys(arm.name for arm in rows.arms))
    name_places = np.array([names.index(arm.name) for arm in rows.arms], dtype=np.int64)
    first_places = rows.samples.columns.first_places
    n_samples = max(len(rows.samples), 1)
    keys = (rows.epochs.astype(np.int64) * max(len(names), 1) + name_places[rows.arm_places]) * n_samples
    keys += first_places[rows.sample_places]
    _, first = np.unique(keys, return_index=True)
    if len(first) == len(rows):
        return rows
    _, last_backwards = np.unique(keys[::-1], return_index=True)
    last = len(rows) - 1 - last_backwards
    return rows.at(last[np.argsort(first)])
