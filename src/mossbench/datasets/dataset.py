"""Dataset: named samples of both sides with their pictures, and the hash that says which content they are.

Invariants: no picture path leads out of the root, and two datasets are equal if their content is equal, wherever the
pictures lie and whatever the order of the samples.
"""

from __future__ import annotations

import dataclasses
import difflib
import hashlib
import json
import operator
import os
import re
import tomllib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path, PureWindowsPath
from typing import TYPE_CHECKING, Any, Literal, Protocol, SupportsIndex, TypeVar, overload, runtime_checkable

from mossbench.datasets.copying import Copying
from mossbench.datasets.patches import Patched, composed_file
from mossbench.datasets.recognition import Copy, Recognition, recognise
from mossbench.datasets.stored_samples import SIDES, StoredSamples
from mossbench.errors import Code, DataError, UsageError, needing, some
from mossbench.plumbing.untrusted_files import digest_of, read_file
from mossbench.samples import FLAGS, Sample, Side, data_label, own_columns, value_text

if TYPE_CHECKING:
    import pandas as pd

_T = TypeVar("_T")
_MAY_LEAD_OUT = re.compile(r"^/|[:\\\x00]|\.\.")
"""A path without these surely stays in its folder, which is quick to see; few paths have one."""
HASH_FORMAT = "mossbench-dataset-1"
"""Part of every hash; changes when the way of hashing changes, so that hashes made in different ways never agree."""

SUFFIXES: dict[str, list[str]] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))["suffixes"]
"""Media type -> suffixes of its files; the first is the one for new files."""


@dataclass(frozen=True, eq=False, repr=False)
class Dataset:
    """Samples with what is needed to find their pictures and to cite them."""

    name: str
    samples: Sequence[Sample]
    """A tuple; those of a large file stay in a file (`stored_samples`)."""
    root: Path
    """The folder that `sample.image` is relative to."""
    source: str = ""
    revision: str | None = None
    licence: str = ""
    warning: str = ""
    """Content warning to show with the samples; empty when none is needed."""
    citation: str = ""
    notes: tuple[str, ...] = ()
    """What limits results on it: known faults, records that were left out."""
    patches: Mapping[str, Patched] = field(default_factory=dict)
    """Pictures that are composed when they are read instead of being files; other code sees them as files."""
    elsewhere: Mapping[str, Path] = field(default_factory=dict)
    """Pictures that lie outside the folder of a file that is being imported."""
    file: Path | None = None
    """The user's own table that it was read from; loading that with `columns` gives the same dataset."""
    columns: Mapping[str, str] = field(default_factory=dict)
    code: str = ""
    """The code that gave it, a function in a file or the name that a package has for it; empty if none did."""
    copying: Copying | None = None
    """What may be given to others; None if only the licence says so."""
    paths: dict[str, Path] = field(default_factory=dict, init=False)
    """Picture -> its file: a cache for code that asks often."""
    _checked_folders: set[Path] = field(default_factory=set, init=False)
    """Folders that are known to lie inside the root: checking each path took a quarter of the time of hashing."""

    def __post_init__(self) -> None:
        if isinstance(self.samples, StoredSamples):
            return  # checked when they were put aside
        for sample in self.samples:
            for picture in (*sample.images, sample.counterfactual):
                if picture is not None and not stays_inside(picture):
                    raise DataError(escape_message(self.name, sample, picture))

    def __len__(self) -> int:
        return len(self.samples)

    def __iter__(self) -> Iterator[Sample]:
        return iter(self.samples)

    @overload
    def __getitem__(self, place: SupportsIndex) -> Sample: ...
    @overload
    def __getitem__(self, place: slice) -> Dataset: ...
    def __getitem__(self, place: SupportsIndex | slice) -> Sample | Dataset:
        """The sample at a place, or the dataset of a slice of the samples."""
        if isinstance(place, slice):
            return self._with_samples(self.samples[place])
        if not isinstance(place, SupportsIndex):
            hint = "a sample is found by its id with .sample('benign', id)"
            raise UsageError(f"expected a place or a slice of {self.name!r}, got {place!r}; {hint}")
        n = len(self)
        number = operator.index(place)
        if not -n <= number < n:
            # Not an error of ours: Python ends a loop over places at an IndexError.
            raise IndexError(f"{self.name!r} has {n} samples, places 0 to {n - 1}; got {number}")
        return self.samples[number]

    def filter(self, keep: Callable[[Sample], object]) -> Dataset:
        """The dataset of the samples for which `keep` returns a true value."""
        if not callable(keep):
            hint = "give a function of a Sample, as in data.filter(lambda sample: sample.human)"
            raise UsageError(f"filter takes a function, got {keep!r}; {hint}")
        return self._with_samples(tuple(sample for sample in self.samples if keep(sample)))

    def _with_samples(self, samples: Sequence[Sample]) -> Dataset:
        return (
            self
            if len(samples) == len(self) and samples == self.samples
            else dataclasses.replace(self, samples=samples)
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Dataset):
            return NotImplemented
        return self.hashes == other.hashes and self._pairs == other._pairs

    def __hash__(self) -> int:
        return hash(self.key.partition("@")[2])

    def __repr__(self) -> str:
        sides = ", ".join(f"{n} {side}" for side, n in sorted(self.n_by_side.items())) or "no samples"
        return f"<Dataset {self.name}: {sides}{'; ' + self.licence if self.licence else ''}>"

    def _repr_html_(self) -> str:
        from mossbench.datasets.notebook import dataset_html

        return dataset_html(self)

    @property
    def sides(self) -> tuple[Side, ...]:
        counts = self.n_by_side
        return tuple(side for side in Side if side in counts)

    @property
    def n_by_side(self) -> dict[Side, int]:
        """How many samples each side has, without a side that has none."""
        if isinstance(self.samples, StoredSamples):
            return self.samples.n_by_side
        return dict(Counter(sample.side for sample in self.samples))

    @property
    def hashes(self) -> dict[Side, str]:
        """SHA-256 of each side's content: all fields except the twin, and the bytes of the pictures, not their paths.

        Without the twin a side has the same hash whether or not the other side was loaded with it. Images are read once
        for a Dataset; `run` reads images again that have changed since.
        """
        return dict(self._hashes)

    @cached_property
    def _hashes(self) -> dict[Side, str]:
        digests: dict[Side, bytearray] = defaultdict(bytearray)  # bytes, and not texts: there may be a million
        for sample in self.samples:
            digests[sample.side] += bytes.fromhex(self.digest(sample))
        return {side: _hash_of_side(side, digests[side]) for side in self.sides}

    @cached_property
    def recognitions(self) -> dict[Side, Recognition]:
        """Each side compared with the published one; reads the images if all texts are the same."""
        return {side: recognise(self, side) for side in self.sides}

    @property
    def copies(self) -> dict[Side, Copy]:
        """Side -> which copy of the published set it is; without sides that are not published."""
        recognitions = self.recognitions.values()
        return {recognition.side: recognition.copy for recognition in recognitions if recognition.copy is not None}

    @property
    def version(self) -> str:
        """The name and the hash of each side, as reports, boards and gates show them."""
        return data_label(self.name, self.hashes)

    @property
    def key(self) -> str:
        """The name and one short hash, for addresses of pages: of the only side, or of both sides and their pairs."""
        if len(self.sides) == 1:
            digest = self.hashes[self.sides[0]]
        else:
            pairs = ["\x00".join(pair) for pair in sorted(self._pairs)]
            digest = _sha256(HASH_FORMAT, *self.hashes.values(), *pairs)
        return f"{self.name}@{digest[:12]}"

    @cached_property
    def _pairs(self) -> frozenset[tuple[str, str, str]]:
        return frozenset((s.side.value, s.id, s.twin) for s in self.samples if s.twin is not None)

    def digest(self, sample: Sample) -> str:
        """SHA-256 of one sample's content, as it goes into the hash of its side."""
        # Defaults are left out, so that a field added to Sample later does not change the hashes of older data.
        left_out = {"image", "more_images", "counterfactual", "twin", "history"}
        fields = sample.model_dump(mode="json", exclude=left_out, exclude_defaults=True)
        for name in ("image", "counterfactual"):
            picture = getattr(sample, name)
            if picture is not None:
                fields[name] = self._picture_digest(sample, picture)
        if sample.more_images:
            fields["more_images"] = [self._picture_digest(sample, picture) for picture in sample.more_images]
        if sample.history:
            fields["history"] = [
                [message.role, message.text, *(self._picture_digest(sample, image) for image in message.images)]
                for message in sample.history
            ]
        if sample.metadata:  # as text, so that a table without types has the same hash
            fields["metadata"] = {name: value_text(value) for name, value in sample.metadata.items()}
        return _sha256(json.dumps(fields, sort_keys=True))

    def picture_sha256(self, sample: Sample) -> str:
        """SHA-256 of the file with the sample's first picture; a DataError when it has none, or it cannot be read."""
        path = self.picture_path(sample)
        if not os.path.isfile(path):
            raise self._missing_picture(sample, path)
        return _read(path, digest_of)

    def _picture_digest(self, sample: Sample, picture: str) -> str:
        if picture in self.patches:
            return self.patches[picture].sha256
        path = self._path(sample, picture)
        digest = _read(path, digest_of) if os.path.isfile(path) else "missing"
        self._hashed_pictures.setdefault(picture, digest)
        return digest

    @cached_property
    def _hashed_pictures(self) -> dict[str, str]:
        return {name: patched.sha256 for name, patched in self.patches.items()}

    def changed(self, sample: Sample, picture: str) -> bool:
        """Whether a picture has changed since it was hashed, or can no longer be read."""
        try:
            return self._picture_digest(sample, picture) != self._hashed_pictures[picture]
        except DataError:
            return True

    @cached_property
    def _by_key(self) -> dict[tuple[Side, str], Sample]:
        return {sample.key: sample for sample in self.samples}

    def sample(self, side: Side | str, id: str) -> Sample:
        """The sample of that side and id, or a UsageError that names the nearest id."""
        sample = self._by_key.get((as_side(side), str(id)))
        if sample is None:
            raise self._unknown_ids([str(id)], [s.id for s in self.samples if s.side == side])
        return sample

    def twin_of(self, sample: Sample) -> Sample | None:
        """The sample on the other side that this one is paired with; None if this dataset does not have it."""
        if sample.twin is None:
            return None
        other_side = Side.CONTRAST if sample.side is Side.BENIGN else Side.BENIGN
        return self._by_key.get((other_side, sample.twin))

    def select(
        self,
        side: Side | Literal["both", "benign", "contrast"] = "both",
        *,
        ids: Iterable[str | int] | None = None,
        limit: int | None = None,
        offset: int = 0,
    ) -> Dataset:
        """A dataset of the samples of one side, with these ids, from `offset` on, at most `limit`; in their order.

        Offset and limit count ids, after side and ids have been applied, so that a sample and its twin stay together.
        """
        if offset < 0 or (limit is not None and limit < 0):
            raise UsageError(f"offset and limit count ids and cannot be negative: offset={offset}, limit={limit}")
        if isinstance(self.samples, StoredSamples):
            return self._select_stored(self.samples, side, ids, limit, offset)
        candidates: Sequence[Sample] = self.samples
        if side != "both":
            candidates = tuple(sample for sample in candidates if sample.side is as_side(side))
        if ids is not None:
            candidates = self._with_ids(candidates, {str(id) for id in ids})
        distinct_ids = list(dict.fromkeys(sample.id for sample in candidates))
        end = None if limit is None else offset + limit
        selected_ids = set(distinct_ids[offset:end])
        samples = tuple(sample for sample in candidates if sample.id in selected_ids)
        return self._with_samples(samples)

    def _select_stored(
        self,
        samples: StoredSamples,
        side: Side | Literal["both", "benign", "contrast"],
        ids: Iterable[str | int] | None,
        limit: int | None,
        offset: int,
    ) -> Dataset:
        """The same of samples that stay in a file."""
        import numpy as np

        is_chosen = np.ones(len(samples), dtype=bool)
        if side != "both":
            is_chosen = samples.columns.sides == SIDES.index(as_side(side))
        if ids is None and limit is None and not offset:
            return self if is_chosen.all() else dataclasses.replace(self, samples=samples.where(is_chosen))
        all_ids = samples.columns.ids.all()
        candidates = [id for id, is_candidate in zip(all_ids, is_chosen.tolist(), strict=True) if is_candidate]
        if ids is not None:
            wanted = {str(id) for id in ids}
            unknown = sorted(wanted - set(candidates))
            if unknown:
                raise self._unknown_ids(unknown, candidates)
            candidates = [id for id in candidates if id in wanted]
        end = None if limit is None else offset + limit
        selected_ids = set(list(dict.fromkeys(candidates))[offset:end])
        is_chosen &= np.fromiter((id in selected_ids for id in all_ids), dtype=bool, count=len(all_ids))
        return self if is_chosen.all() else dataclasses.replace(self, samples=samples.where(is_chosen))

    def _with_ids(self, samples: Sequence[Sample], ids: set[str]) -> tuple[Sample, ...]:
        unknown = sorted(ids - {sample.id for sample in samples})
        if unknown:
            raise self._unknown_ids(unknown, [sample.id for sample in samples])
        return tuple(sample for sample in samples if sample.id in ids)

    def _unknown_ids(self, unknown: list[str], existing: list[str]) -> UsageError:
        closest = difflib.get_close_matches(unknown[0], existing, n=1)
        hint = f"; the closest to {unknown[0]!r} is {closest[0]!r}" if closest else ""
        example = f" (ids here are like {existing[0]!r})" if existing and not closest else ""
        return UsageError(
            f"dataset {self.name!r} has no sample with id {some(map(repr, unknown), 10)}{hint}{example}",
            code=Code.NOT_FOUND,
        )

    def picture_paths(self, sample: Sample) -> tuple[Path, ...]:
        """Where all pictures of the sample should be, in order."""
        return tuple(self._path(sample, picture) for picture in sample.images)

    def history_paths(self, sample: Sample) -> tuple[Path, ...]:
        """Where the pictures of its earlier messages should be, in order."""
        return tuple(self._path(sample, picture) for picture in sample.history_images)

    def picture_path(self, sample: Sample) -> Path:
        """Where the sample's first picture should be; the file may be missing."""
        if sample.image is None:
            raise DataError(f"sample {sample.id!r} ({sample.side}) of dataset {self.name!r} has no image")
        return self._path(sample, sample.image)

    def picture(self, sample: Sample) -> bytes:
        """The bytes of the sample's picture as they are on disk."""
        path = self.picture_path(sample)
        if not os.path.isfile(path):  # unlike pathlib's, this never raises
            raise self._missing_picture(sample, path)
        return _read(path, read_file)

    def _missing_picture(self, sample: Sample, path: Path) -> DataError:
        return DataError(
            f"the image of sample {sample.id!r} ({sample.side}) of dataset {self.name!r} is missing: {path}; "
            "add it; a check of the dataset lists all missing images",
            code=Code.NOT_FOUND,
        )

    def counterfactual_path(self, sample: Sample) -> Path | None:
        """Where the picture without its trigger should be; None if the sample has none."""
        return None if sample.counterfactual is None else self._path(sample, sample.counterfactual)

    def _path(self, sample: Sample, picture: str) -> Path:
        if picture in self.patches:
            return composed_file(self.root, picture, self.patches[picture])
        if picture in self.elsewhere:
            return self.elsewhere[picture]
        path = self.root / picture
        is_link = os.path.islink(path)
        if is_link or path.parent not in self._checked_folders:
            real_path = Path(
                os.path.realpath(path)
            )  # a link in a downloaded folder could lead anywhere, or in a circle
            if not any(real_path.is_relative_to(folder) for folder in self._allowed_folders):
                raise DataError(escape_message(self.name, sample, picture))
            if not is_link:
                self._checked_folders.add(path.parent)
        return path

    @cached_property
    def _allowed_folders(self) -> list[Path]:
        """Where the files of pictures may be: in the root, and for a hub snapshot in the blobs of the hub's cache."""
        root = self.root.resolve()
        folders = [root]
        for folder in root.parents:
            if folder.name == "snapshots":  # of <repository>/snapshots/<commit>
                repository = folder.parent
                folders += [repository / "blobs", repository.parent / "blobs"]
        return folders

    def df(self) -> pd.DataFrame:
        """A data frame with a row for each sample: the fields of Sample, then the user's own columns.

        Unknown flags are `<NA>`.
        """
        with needing("a data frame", "pandas"):
            import pandas as pd
        rows = [sample.model_dump(mode="json") | own_columns(sample, Sample.model_fields) for sample in self.samples]
        fields = [name for name in Sample.model_fields if name != "metadata"]
        names: dict[str, None] = {}  # a set in order
        for row in rows:
            names |= dict.fromkeys(row)
        own = [name for name in names if name not in Sample.model_fields]
        frame = pd.DataFrame(rows, columns=[*fields, *own])
        return frame.astype(dict.fromkeys(FLAGS, "boolean") | {"harm": "Int64"})


@runtime_checkable
class SupportsDataFrame(Protocol):
    """A table of any library that speaks the interchange protocol of data frames."""

    def __dataframe__(self, nan_as_null: bool = ..., allow_copy: bool = ...) -> Any: ...


NamedData = str | Path | Dataset
"""Data that can be loaded again: the name of a dataset, a path, or a Dataset."""
AnyData = NamedData | Mapping[str, Any] | Iterable[Any] | SupportsDataFrame
"""Data as users give them: also a DataFrame, a dict of columns, or an iterable of rows (`datasets.in_memory`)."""


def as_side(side: Side | str) -> Side:
    """The side of that name; UsageError for any other name."""
    try:
        return Side(side)
    except ValueError:
        raise UsageError(f"no side named {side!r}; sides are 'benign' and 'contrast' (or 'both' for all)") from None


def stays_inside(picture: str) -> bool:
    """Whether a picture path from a file is relative and stays below its folder, on any system."""
    if not _MAY_LEAD_OUT.search(picture):
        return True
    path = PureWindowsPath(picture)  # reads both separators and drive letters
    return not (path.drive or path.root or ".." in path.parts or "\x00" in picture)


def escape_message(name: str, sample: Sample, picture: str) -> str:
    return (
        f"sample {sample.id!r} ({sample.side}) of dataset {name!r} has the image path {picture!r}, which is outside "
        "the dataset's folder; use a path (or a link) inside it"
    )


def _read(path: Path, read: Callable[[Path], _T]) -> _T:
    try:
        return read(path)
    except OSError as error:
        raise DataError(f"cannot read the image {path}: {error.strerror or error}") from error


def _hash_of_side(side: Side, digests: bytearray) -> str:
    """SHA-256 of the digests of a side's samples, in the order of their texts; those of a side are 32 bytes each."""
    import numpy as np

    in_order = np.sort(np.frombuffer(digests, dtype="S32"))
    whole = in_order.tobytes()
    texts = (whole[start : start + 32].hex() for start in range(0, len(whole), 32))
    return _sha256(HASH_FORMAT, side, *texts)


def _sha256(*parts: str) -> str:
    return hashlib.sha256("\n".join(parts).encode("utf-8", "surrogatepass")).hexdigest()
