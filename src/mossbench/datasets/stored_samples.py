"""Samples of a large dataset: in a file, one a line, and read from it when they are asked for.

A sample in memory takes more than 1 kB. Here it takes some 60 bytes: where its line begins, and the columns by which
samples are found, paired and grouped.
"""

from __future__ import annotations

import json
import tempfile
from array import array
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from threading import Lock
from typing import IO, TYPE_CHECKING, Any, overload

from pydantic import ValidationError

from mossbench.errors import RunError
from mossbench.plumbing.columns import Coded, Coder
from mossbench.plumbing.kept_arrays import Arrays, keep_arrays, load_arrays
from mossbench.plumbing.key_places import KeyPlaces, digest_array, first_codes, key_digest
from mossbench.plumbing.lines import read_places
from mossbench.plumbing.untrusted_files import open_file, state_of
from mossbench.samples import Harm, Sample, Side, Stimulus

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

LARGE = 10_000
"""Samples above which they stay in a file."""
SIDES = tuple(Side)
LABELS = ("stimulus", "harm", "human", "child", "syn", "ocr")
"""Fields of a sample that have a column."""


@dataclass(frozen=True)
class SampleColumns:
    """What samples are found, paired and grouped by: an entry of each column for each sample."""

    sides: NDArray[np.int8]
    """Places in `SIDES`."""
    ids: Texts
    units: NDArray[np.int32]
    """Equal for samples that are not independent (`Sample.unit`), numbered as they first appear."""
    labels: dict[str, Coded[Hashable]]
    """Of each field in `LABELS` its values."""
    keys: NDArray[np.bytes_]
    """A digest of each `Sample.key`."""
    harmless_keys: NDArray[np.bytes_]
    """A digest of the key that its harmless twin would have: harmless, with the twin's id or else its own."""
    with_twin: NDArray[np.bool_]
    """Which samples name their twin."""
    with_own: NDArray[np.bool_]
    """Which samples have columns of one's own."""

    def take(self, places: NDArray[Any]) -> SampleColumns:
        """The columns of the samples at these places, or where a mask is true."""
        import numpy as np

        ids = self.ids.all()
        chosen_ids = [ids[place] for place in np.arange(len(ids))[places].tolist()]
        return SampleColumns(
            sides=self.sides[places],
            ids=texts_of(chosen_ids),
            units=self.units[places],
            labels={field: column.take(places) for field, column in self.labels.items()},
            keys=self.keys[places],
            harmless_keys=self.harmless_keys[places],
            with_twin=self.with_twin[places],
            with_own=self.with_own[places],
        )

    @cached_property
    def places(self) -> KeyPlaces:
        """Where samples stand, by the digest of their key."""
        return KeyPlaces(self.keys)

    @cached_property
    def first_places(self) -> NDArray[np.int64]:
        """Of each sample the place of the first with its key: its own, unless somebody has doubled a line."""
        return self.places.find_all(self.keys)


@dataclass(frozen=True, eq=False)
class Texts:
    """Many short texts, one after the other in a single string of bytes."""

    content: bytes
    ends: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.ends)

    def at(self, place: int) -> str:
        start = self.ends[place - 1] if place else 0
        return self.content[start : self.ends[place]].decode("utf-8", "surrogatepass")

    def all(self) -> list[str]:
        ends = self.ends.tolist()
        starts = [0, *ends[:-1]]
        content = self.content
        return [content[start:end].decode("utf-8", "surrogatepass") for start, end in zip(starts, ends, strict=True)]


def texts_of(texts: Iterable[str]) -> Texts:
    import numpy as np

    content = bytearray()
    ends = array("q")
    for text in texts:
        content += text.encode("utf-8", "surrogatepass")
        ends.append(len(content))
    return Texts(bytes(content), np.frombuffer(ends, dtype=np.int64))


class ColumnsOfSamples:
    """Makes the columns, a sample at a time."""

    def __init__(self) -> None:
        self._sides = array("b")
        self._ids = bytearray()
        self._ends_of_ids = array("q")
        self._units = bytearray()
        self._keys = bytearray()
        self._harmless_keys = bytearray()
        self._coders = {field: Coder[Hashable]() for field in LABELS}
        self._codes = {field: array("i") for field in LABELS}
        self._with_twin = bytearray()
        self._with_own = bytearray()

    def add(self, sample: Sample) -> None:
        self._sides.append(SIDES.index(sample.side))
        self._ids += sample.id.encode("utf-8", "surrogatepass")
        self._ends_of_ids.append(len(self._ids))
        self._units += key_digest(*sample.unit)
        self._keys += key_digest(sample.side, sample.id)
        self._harmless_keys += key_digest(Side.BENIGN, sample.twin or sample.id)
        self._with_twin.append(sample.twin is not None)
        self._with_own.append(bool(sample.metadata))
        for field in LABELS:
            self._codes[field].append(self._coders[field].code(getattr(sample, field)))

    def columns(self) -> SampleColumns:
        import numpy as np

        return SampleColumns(
            sides=np.frombuffer(self._sides, dtype=np.int8),
            ids=Texts(bytes(self._ids), np.frombuffer(self._ends_of_ids, dtype=np.int64)),
            units=first_codes(digest_array(self._units)),
            labels={field: self._coders[field].column(np.array(self._codes[field], np.int32)) for field in LABELS},
            keys=digest_array(self._keys),
            harmless_keys=digest_array(self._harmless_keys),
            with_twin=np.frombuffer(self._with_twin, dtype=np.bool_),
            with_own=np.frombuffer(self._with_own, dtype=np.bool_),
        )


class LineFile:
    """An open file of lines, which any thread may read; closed with its last user."""

    def __init__(self, file: IO[bytes], name: str) -> None:
        self.name = name
        self._file = file
        self._lock = Lock()

    def __del__(self) -> None:
        self._file.close()

    def line_at(self, offset: int) -> bytes:
        with self._lock:
            self._file.seek(offset)
            return self._file.readline()


class StoredSamples(Sequence[Sample]):
    """Samples in a file of lines."""

    def __init__(self, file: LineFile, offsets: NDArray[np.int64], columns: SampleColumns) -> None:
        self._file = file
        self._offsets = offsets
        self.columns = columns

    def __len__(self) -> int:
        return len(self._offsets)

    @overload
    def __getitem__(self, place: int) -> Sample: ...

    @overload
    def __getitem__(self, place: slice) -> tuple[Sample, ...]: ...

    def __getitem__(self, place: int | slice) -> Sample | tuple[Sample, ...]:
        if isinstance(place, slice):
            return tuple(self[number] for number in range(*place.indices(len(self))))
        try:
            return Sample.model_validate_json(self._file.line_at(int(self._offsets[place])))
        except ValidationError as error:
            raise RunError(f"{self._file.name} changed while it was being read; try again") from error

    @property
    def n_by_side(self) -> dict[Side, int]:
        """How many samples each side has, without a side that has none."""
        import numpy as np

        counts = np.bincount(self.columns.sides, minlength=len(SIDES)).tolist()
        return {side: n for side, n in zip(SIDES, counts, strict=True) if n}

    def where(self, mask: NDArray[np.bool_]) -> StoredSamples:
        """The samples for which the mask is true, in the same file."""
        return StoredSamples(self._file, self._offsets[mask], self.columns.take(mask))

    def find(self, side: Side, id: str) -> Sample:
        """The sample with this key; a KeyError where there is none."""
        place = int(self.columns.places.find([key_digest(side, id)])[0])
        if place < 0:
            raise KeyError((side, id))
        return self[place]

    def __iter__(self) -> Iterator[Sample]:
        return (self[place] for place in range(len(self)))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sequence):
            return NotImplemented
        return self is other or (len(self) == len(other) and all(a == b for a, b in zip(self, other, strict=True)))

    __hash__ = None  # type: ignore[assignment]  # as a list

    def __reduce__(self) -> tuple[type[tuple[Sample, ...]], tuple[tuple[Sample, ...]]]:
        return tuple, (tuple(self),)  # the file is this process's own


def open_samples(path: Path) -> StoredSamples:
    """The samples in a file, which stays open: its content can be read also after it was deleted."""
    file = open_file(path)
    try:
        return _samples_in(path, file)
    except BaseException:
        file.close()
        raise


def _samples_in(path: Path, file: IO[bytes]) -> StoredSamples:
    import numpy as np

    state = state_of(file.fileno())
    kept_at = path.with_name(f".{path.stem}.npz")
    kept = load_arrays(kept_at, state)
    if kept is not None:
        return StoredSamples(LineFile(file, str(path)), kept["offsets"], _columns_of_arrays(kept))
    offsets = array("q")
    making = ColumnsOfSamples()
    for offset, sample in read_places(path, Sample):
        offsets.append(offset)
        making.add(sample)
    columns = making.columns()
    if len(offsets) > LARGE and state == state_of(path):
        keep_arrays(kept_at, state, {"offsets": np.frombuffer(offsets, np.int64), **_arrays_of_columns(columns)})
    return StoredSamples(LineFile(file, str(path)), np.frombuffer(offsets, dtype=np.int64), columns)


def put_aside(samples: Iterable[Sample]) -> StoredSamples:
    """The samples in a temporary file that no other process sees, and that goes with them."""
    file = tempfile.TemporaryFile(prefix="mossbench-")
    try:
        return _write_aside(samples, file)
    except BaseException:  # a faulty row, say
        file.close()
        raise


def _write_aside(samples: Iterable[Sample], file: IO[bytes]) -> StoredSamples:
    import numpy as np

    offsets = array("q")
    making = ColumnsOfSamples()
    position = 0
    for sample in samples:
        line = sample.model_dump_json(exclude_defaults=True).encode() + b"\n"
        file.write(line)
        offsets.append(position)
        position += len(line)
        making.add(sample)
    aside = LineFile(file, "the temporary file of the samples")
    return StoredSamples(aside, np.frombuffer(offsets, dtype=np.int64), making.columns())


def _arrays_of_columns(columns: SampleColumns) -> dict[str, NDArray[Any]]:
    import numpy as np

    values = {field: [*column.values] for field, column in columns.labels.items()}
    return {
        "sides": columns.sides,
        "ids": np.frombuffer(columns.ids.content, dtype=np.uint8),
        "ends_of_ids": columns.ids.ends,
        "units": columns.units,
        "keys": columns.keys,
        "harmless_keys": columns.harmless_keys,
        "with_twin": columns.with_twin,
        "with_own": columns.with_own,
        "label_values": np.frombuffer(json.dumps(values).encode(), dtype=np.uint8),
        **{f"label_{field}": column.codes for field, column in columns.labels.items()},
    }


_KIND_OF_LABEL: dict[str, Callable[[Any], Hashable]] = {"stimulus": Stimulus, "harm": Harm}
"""What makes a label of its value in JSON; the others are true, false or null there too."""


def _columns_of_arrays(arrays: Arrays) -> SampleColumns:
    values = json.loads(arrays["label_values"].tobytes())
    labels = {}
    for field in LABELS:
        kind = _KIND_OF_LABEL.get(field, bool)
        labels[field] = Coded(
            arrays[f"label_{field}"], tuple(None if value is None else kind(value) for value in values[field])
        )
    return SampleColumns(
        sides=arrays["sides"],
        ids=Texts(arrays["ids"].tobytes(), arrays["ends_of_ids"]),
        units=arrays["units"],
        labels=labels,
        keys=arrays["keys"],
        harmless_keys=arrays["harmless_keys"],
        with_twin=arrays["with_twin"],
        with_own=arrays["with_own"],
    )
