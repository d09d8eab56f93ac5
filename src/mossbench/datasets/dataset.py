"""Dataset: named samples of both sides with their pictures, and the hash that says which content they are.

What always holds: no picture path leads out of the root, and two datasets are equal when their content is,
wherever the pictures lie and in whatever order the samples stand.
"""

from __future__ import annotations

import dataclasses
import difflib
import hashlib
import json
import os
import re
import tomllib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path, PureWindowsPath
from typing import TYPE_CHECKING, Literal, TypeVar

from mossbench.datasets.copying import Copying
from mossbench.datasets.patches import Patched, composed_file
from mossbench.datasets.recognition import Copy, Recognition, recognise
from mossbench.errors import Code, DataError, UsageError, needing, some
from mossbench.plumbing.untrusted_files import digest_of, read_file
from mossbench.samples import FLAGS, Sample, Side, data_label, own_columns, value_text

if TYPE_CHECKING:
    import pandas as pd

_T = TypeVar("_T")
_DOUBTFUL = re.compile(r"^/|[:\\\x00]|\.\.")  # a path without these is below; few have one
HASH_FORMAT = "mossbench-dataset-1"
"""Goes into every hash; changes when what is hashed changes, so that hashes of different making never agree."""

SUFFIXES: dict[str, list[str]] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))["suffixes"]
"""Names that pictures of a media type may end in, the one to give first."""


@dataclass(frozen=True, eq=False, repr=False)
class Dataset:
    """Samples with what is needed to find their pictures and to cite them."""

    name: str
    samples: tuple[Sample, ...]
    root: Path
    """The folder that `sample.image` is relative to."""
    source: str = ""
    revision: str | None = None
    licence: str = ""
    warning: str = ""
    """Content warning to show with the samples; empty when none is needed."""
    citation: str = ""
    notes: tuple[str, ...] = ()
    """What weakens numbers on it: known faults, records that were left out."""
    patches: Mapping[str, Patched] = field(default_factory=dict)
    """Pictures that are no files of their own but composed when they are read; for all other code they are files."""
    elsewhere: Mapping[str, Path] = field(default_factory=dict)
    """Pictures of a file that is being imported, which lie outside its folder."""
    file: Path | None = None
    """The table that it was read from, where that is one's own; with `columns` it loads again."""
    columns: Mapping[str, str] = field(default_factory=dict)
    copying: Copying | None = None
    """What may be passed on; None: nothing is stated beside the licence."""
    paths: dict[str, Path] = field(default_factory=dict, init=False)
    """Pictures and where they were found, for whoever asks for them again and again."""
    _followed: set[Path] = field(default_factory=set, init=False)
    """Folders known to lie where pictures may: following every path again took a quarter of hashing."""

    def __post_init__(self) -> None:
        for sample in self.samples:
            for picture in (*sample.images, sample.counterfactual):
                if picture is not None and not stays_inside(picture):
                    raise DataError(escape_message(self.name, sample, picture))

    def __len__(self) -> int:
        return len(self.samples)

    def __iter__(self) -> Iterator[Sample]:
        return iter(self.samples)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Dataset):
            return NotImplemented
        return self.hashes == other.hashes and self._pairs == other._pairs

    def __hash__(self) -> int:
        return hash(self.key.partition("@")[2])

    def __repr__(self) -> str:
        counts = Counter(sample.side for sample in self.samples)
        sides = ", ".join(f"{counts[side]} {side}" for side in self.sides) or "no samples"
        return f"<Dataset {self.name}: {sides}{'; ' + self.licence if self.licence else ''}>"

    def _repr_html_(self) -> str:
        from mossbench.datasets.notebook import dataset_html

        return dataset_html(self)

    @property
    def sides(self) -> tuple[Side, ...]:
        present = {sample.side for sample in self.samples}
        return tuple(side for side in Side if side in present)

    @property
    def hashes(self) -> dict[Side, str]:
        """SHA-256 of each side's content: every field but the twin, and the bytes of the pictures, not their paths.

        The twin is left out so that a side has one hash whether or not the other side was loaded with it. Images are
        read once for a Dataset; `run` reads those again that have changed since.
        """
        return dict(self._hashes)

    @cached_property
    def _hashes(self) -> dict[Side, str]:
        digests = defaultdict(list)
        for sample in self.samples:
            digests[sample.side].append(self.digest(sample))
        return {side: _sha256(HASH_FORMAT, side, *sorted(digests[side])) for side in self.sides}

    @cached_property
    def recognitions(self) -> dict[Side, Recognition]:
        """What came of comparing each side with the published one; reads the images where all texts are the same."""
        return {side: recognise(self, side) for side in self.sides}

    @property
    def copies(self) -> dict[Side, Copy]:
        """Which copy of the published sets a side is; a side that is not published is not in it."""
        return {side: found.copy for side, found in self.recognitions.items() if found.copy is not None}

    @property
    def version(self) -> str:
        """Its name and the hash of each side, as reports, boards and gates show it."""
        return data_label(self.name, self.hashes)

    @property
    def key(self) -> str:
        """One word for addresses of pages: the hash of the one side, or of both with their pairing."""
        if len(self.sides) == 1:
            digest = self.hashes[self.sides[0]]
        else:
            digest = _sha256(HASH_FORMAT, *self.hashes.values(), *("\x00".join(pair) for pair in sorted(self._pairs)))
        return f"{self.name}@{digest[:12]}"

    @cached_property
    def _pairs(self) -> frozenset[tuple[str, str, str]]:
        return frozenset((s.side.value, s.id, s.twin) for s in self.samples if s.twin is not None)

    def digest(self, sample: Sample) -> str:
        """SHA-256 of one sample's content, as it goes into the hash of its side."""
        # Defaults are left out, so that a field added to Sample later leaves the hashes of older data as they are.
        left_out = {"image", "more_images", "counterfactual", "twin"}
        fields = sample.model_dump(mode="json", exclude=left_out, exclude_defaults=True)
        for name in ("image", "counterfactual"):
            if (picture := getattr(sample, name)) is not None:
                fields[name] = self._picture_digest(sample, picture)
        if sample.more_images:
            fields["more_images"] = [self._picture_digest(sample, picture) for picture in sample.more_images]
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
        found = _read(path, digest_of) if os.path.isfile(path) else "missing"
        self._as_hashed.setdefault(picture, found)
        return found

    @cached_property
    def _as_hashed(self) -> dict[str, str]:
        return {name: patched.sha256 for name, patched in self.patches.items()}

    def changed(self, sample: Sample, picture: str) -> bool:
        """Whether a picture is no longer what went into the hashes, or can no longer be read."""
        try:
            return self._picture_digest(sample, picture) != self._as_hashed[picture]
        except DataError:
            return True

    @cached_property
    def _by_key(self) -> dict[tuple[Side, str], Sample]:
        return {sample.key: sample for sample in self.samples}

    def sample(self, side: Side | str, id: str) -> Sample:
        """The sample of that side and id, or a UsageError that names the nearest id."""
        found = self._by_key.get((as_side(side), str(id)))
        if found is None:
            raise self._unknown_ids([str(id)], [s.id for s in self.samples if s.side == side])
        return found

    def twin_of(self, sample: Sample) -> Sample | None:
        """The sample on the other side that this one is paired with; None when there is none in this dataset."""
        other = Side.CONTRAST if sample.side is Side.BENIGN else Side.BENIGN
        return self._by_key.get((other, sample.twin)) if sample.twin is not None else None

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
        chosen = [s for s in self.samples if side == "both" or s.side is as_side(side)]
        if ids is not None:
            wanted = {str(id) for id in ids}
            unknown = sorted(wanted - {s.id for s in chosen})
            if unknown:
                raise self._unknown_ids(unknown, [s.id for s in chosen])
            chosen = [s for s in chosen if s.id in wanted]
        end = None if limit is None else offset + limit
        kept = set(list(dict.fromkeys(s.id for s in chosen))[offset:end])
        samples = tuple(s for s in chosen if s.id in kept)
        return self if len(samples) == len(self) else dataclasses.replace(self, samples=samples)

    def _unknown_ids(self, unknown: list[str], known: list[str]) -> UsageError:
        near = difflib.get_close_matches(unknown[0], known, n=1)
        hint = f"; the nearest to {unknown[0]!r} is {near[0]!r}" if near else ""
        example = f" (ids here are like {known[0]!r})" if known and not near else ""
        return UsageError(
            f"dataset {self.name!r} has no sample with id {some(map(repr, unknown), 10)}{hint}{example}",
            code=Code.NOT_FOUND,
        )

    def picture_paths(self, sample: Sample) -> tuple[Path, ...]:
        """Where all of the sample's pictures should be, in their order."""
        return tuple(self._path(sample, picture) for picture in sample.images)

    def picture_path(self, sample: Sample) -> Path:
        """Where the sample's picture should be, the first of several; it may be missing."""
        if sample.image is None:
            raise DataError(f"sample {sample.id!r} ({sample.side}) of dataset {self.name!r} has no image")
        return self._path(sample, sample.image)

    def picture(self, sample: Sample) -> bytes:
        """The bytes of the sample's picture as they are on disk."""
        path = self.picture_path(sample)
        if not os.path.isfile(path):  # unlike pathlib's, never raises
            raise self._missing_picture(sample, path)
        return _read(path, read_file)

    def _missing_picture(self, sample: Sample, path: Path) -> DataError:
        return DataError(
            f"the image of sample {sample.id!r} ({sample.side}) of dataset {self.name!r} is missing: {path}; "
            "put it there; a check of the dataset lists all that are missing",
            code=Code.NOT_FOUND,
        )

    def counterfactual_path(self, sample: Sample) -> Path | None:
        """Where the picture without its trigger should be; None when the sample has none."""
        return None if sample.counterfactual is None else self._path(sample, sample.counterfactual)

    def _path(self, sample: Sample, picture: str) -> Path:
        if picture in self.patches:
            return composed_file(self.root, picture, self.patches[picture])
        if picture in self.elsewhere:
            return self.elsewhere[picture]
        path = self.root / picture
        linked = os.path.islink(path)
        if linked or path.parent not in self._followed:
            real = Path(os.path.realpath(path))  # a link in a foreign folder could lead anywhere, or in a circle
            if not any(real.is_relative_to(place) for place in self._places):
                raise DataError(escape_message(self.name, sample, picture))
            if not linked:
                self._followed.add(path.parent)
        return path

    @cached_property
    def _places(self) -> tuple[Path, ...]:
        """Where pictures may really lie: in the root, and for a hub snapshot in the blobs of the hub's cache."""
        root = self.root.resolve()
        # <repository>/snapshots/<commit>
        caches = [folder.parent for folder in root.parents if folder.name == "snapshots"]
        return (root, *(blobs for cache in caches for blobs in (cache / "blobs", cache.parent / "blobs")))

    def df(self) -> pd.DataFrame:
        """A tidy frame, one row a sample: the fields of Sample, then columns of one's own; unknown flags are `<NA>`."""
        with needing("a data frame", "pandas"):
            import pandas as pd
        rows = [sample.model_dump(mode="json") | own_columns(sample, Sample.model_fields) for sample in self.samples]
        fields = [name for name in Sample.model_fields if name != "metadata"]
        own = dict.fromkeys(name for row in rows for name in row if name not in Sample.model_fields)
        frame = pd.DataFrame(rows, columns=[*fields, *own])
        return frame.astype(dict.fromkeys(FLAGS, "boolean") | {"harm": "Int64"})


AnyData = str | Path | Dataset
"""Data as users name them: the name of a dataset, a path, or a Dataset."""


def as_side(side: Side | str) -> Side:
    """The side from its name; UsageError when there is none of that name."""
    try:
        return Side(side)
    except ValueError:
        raise UsageError(f"no side named {side!r}; sides are 'benign' and 'contrast' (or 'both' for all)") from None


def stays_inside(picture: str) -> bool:
    """Whether a picture path from a file is relative and leads nowhere but down, on any system."""
    if not _DOUBTFUL.search(picture):
        return True
    path = PureWindowsPath(picture)  # reads both separators and drive letters
    return not (path.drive or path.root or ".." in path.parts or "\x00" in picture)


def escape_message(name: str, sample: Sample, picture: str) -> str:
    return (
        f"sample {sample.id!r} ({sample.side}) of dataset {name!r} has the image path {picture!r}, which leads out "
        "of the dataset's folder; give a path (or a link) that stays in it"
    )


def _read(path: Path, how: Callable[[Path], _T]) -> _T:
    try:
        return how(path)
    except OSError as error:
        raise DataError(f"cannot read the image {path}: {error.strerror or error}") from error


def _sha256(*parts: str) -> str:
    return hashlib.sha256("\n".join(parts).encode("utf-8", "surrogatepass")).hexdigest()
