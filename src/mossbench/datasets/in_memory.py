"""Data in memory as a dataset: a DataFrame, a dict of columns, or anything that gives a dict for each row.

The rows are read as those of a file. Then they are written with their images to a folder in the cache, which has the
name of its content: a run can be resumed and judged again without the data in memory, and the same data given again are
the same dataset. pandas, polars, pyarrow and the hub's `datasets` are used where values come from them, never imported.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import os
import reprlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from mossbench.datasets.columns import column_name, likely_requests, recognise_columns
from mossbench.datasets.dataset import SUFFIXES, Dataset, SupportsDataFrame
from mossbench.datasets.files import RowSource, load_file, read_samples
from mossbench.datasets.image_values import image_bytes, is_image_value
from mossbench.datasets.likely_columns import IMAGE_SUFFIXES
from mossbench.errors import DataError, UsageError, needing, some
from mossbench.images.decoding import sniff
from mossbench.plumbing.cache_folders import cache_folder
from mossbench.plumbing.tables import Row
from mossbench.ways_out import SetOption

NAME = "own-data"
"""Name of a dataset that was given in memory without one."""
_FOLDER = "data-in-memory"
_IMAGE_FIELDS = ("image", "more_images", "counterfactual")
_MISSING_TYPES = ("NAType", "NaTType")
"""What pandas calls the types of its missing values."""
Cells = dict[str, Any]
InMemory = Mapping[str, Any] | Iterable[Any] | SupportsDataFrame
"""Data that are no name, no path and no Dataset."""


def load_in_memory(data: InMemory, *, columns: Mapping[str, str] | None = None, name: str = NAME) -> Dataset:
    """The dataset of these rows, kept in the cache with its images.

    Args:
        data: A DataFrame (pandas, polars, pyarrow), a dataset of the hub's library, a dict of columns, or an iterable
            of dicts or Samples. An image is a path, the bytes of a file, a Pillow image, an array, or a list of these.
        columns: Field -> column, as for a file.
        name: The name of the dataset.
    """
    label, cells = cells_of(data)
    if not cells:
        used_up = " (an iterator gives its rows once: pass a list)" if isinstance(data, Iterator) else ""
        raise DataError(f"{label} has no rows{used_up}; expected a row for each request")
    source = RowSource(label=label, root=Path.cwd(), name=name, unit="row")
    with TemporaryDirectory(prefix="mossbench-") as folder:
        images = _ImageFolder(Path(folder), label)
        rows, dropped = images.with_files(cells, columns or {})
        elsewhere: dict[str, Path] = {}
        samples = read_samples(rows, source, columns or {}, elsewhere=elsewhere) or []
        dataset = Dataset(
            name=name, samples=tuple(samples), root=source.root, source="rows in memory", elsewhere=elsewhere
        )
        _check_images(dataset)
        kept = _kept(dataset)
    notes = tuple(f"column {column!r} holds images and is not used" for column in dropped)
    return dataclasses.replace(kept, notes=(*kept.notes, *notes))


def is_kept_copy(path: Path) -> bool:
    """Whether a path is that of a copy in the cache, which may have been deleted."""
    return path.parent.name == _FOLDER and path.parent == cache_folder(_FOLDER)


def cells_of(data: InMemory) -> tuple[str, list[Cells]]:
    """What messages call the data, and its rows as column -> value; images stay what they are."""
    label = _label_of(data)
    return label, [_plain_cells(row, number, label) for number, row in enumerate(_rows_of(data, label), start=1)]


def with_image_files(cells: list[Cells], folder: Path, label: str) -> list[Cells]:
    """The rows with the absolute path of a file for each image and for each path of an image."""
    folder.mkdir(parents=True, exist_ok=True)
    images = _ImageFolder(folder, label)
    rows = []
    for number, row in enumerate(cells, start=1):
        rows.append({column: _absolute(_image_paths(images, value, column, number)) for column, value in row.items()})
    return rows


def _image_paths(images: _ImageFolder, value: Any, column: str, number: int) -> Any:
    """The paths of the images in a cell; a cell without images as it is."""
    first = value[0] if isinstance(value, list) and value else value
    return images.as_paths(value, column, number) if is_image_value(first) else value


def _absolute(value: Any) -> Any:
    """A path of an image as an absolute one, also in a list; any other value as it is."""
    if isinstance(value, list):
        return [_absolute(item) for item in value]
    is_image = isinstance(value, str) and value.lower().endswith(IMAGE_SUFFIXES) and os.path.isfile(value)
    return os.path.abspath(value) if is_image else value


def _label_of(data: object) -> str:
    """What messages call the data."""
    return f"the {type(data).__name__}"


def _rows_of(data: Any, label: str) -> Iterable[Any]:
    """The rows of a table of any library, of a dict of columns, or of an iterable."""
    if isinstance(data, Mapping):
        return _rows_of_columns(data, label)
    if hasattr(data, "iloc") and hasattr(data, "columns"):  # pandas
        frame = data if data.index.name is None else data.reset_index()
        records: list[Any] = frame.to_dict("records")
        return records
    for method in ("to_dicts", "to_pylist"):  # polars, pyarrow
        if hasattr(data, method):
            rows: list[Any] = getattr(data, method)()
            return rows
    if hasattr(data, "__dataframe__"):
        with needing("a data frame of another library", "parquet"):
            from pyarrow.interchange import from_dataframe
        return list(from_dataframe(data).to_pylist())
    if isinstance(data, Iterable) and not isinstance(data, (str, bytes)):
        return data
    raise UsageError(f"data is {label}; expected a name, a path, a Dataset, a DataFrame or an iterable of dicts")


def _rows_of_columns(columns: Mapping[str, Any], label: str) -> list[Cells]:
    """The rows of a dict of columns, all of the same length."""
    if any(hasattr(value, "column_names") for value in columns.values()):  # a dataset of the hub with its splits
        first = next(iter(columns))
        raise UsageError(
            f"{label} has the splits {some(map(repr, columns), 12)}; give one of them, as in data[{first!r}]"
        )
    lengths = {}
    for name, values in columns.items():
        if isinstance(values, (str, bytes)) or not hasattr(values, "__len__"):
            raise UsageError(
                f"{label} has {type(values).__name__} under {name!r}; expected a dict of columns, "
                "each a list of values, or a list of dicts, one for each row"
            )
        lengths[name] = len(values)
    if len(set(lengths.values())) > 1:
        stated = ", ".join(f"{name!r} {length}" for name, length in lengths.items())
        raise UsageError(f"the columns of {label} have different lengths: {stated}")
    n_rows = next(iter(lengths.values()), 0)
    return [{name: values[i] for name, values in columns.items()} for i in range(n_rows)]


def _plain_cells(row: Any, number: int, label: str) -> Cells:
    """A row as column -> value, values as a file would hold them; images stay what they are."""
    from mossbench.samples import Sample

    if isinstance(row, Sample):
        fields = row.model_dump(mode="json")
        own = {column_name(name): value for name, value in fields.pop("metadata").items()}
        return {**own, **fields}
    if not isinstance(row, Mapping):
        raise DataError(
            f"row {number} of {label} is {reprlib.repr(row)} ({type(row).__name__}); "
            "expected a dict of column names and values"
        )
    return {str(column): _plain(value) for column, value in row.items()}


def _plain(value: Any) -> Any:
    """A value of pandas or numpy as one of Python; None where it is missing."""
    if value is None or isinstance(value, (str, bool, int, bytes)) or is_image_value(value):
        return value
    if isinstance(value, float):
        return None if value != value else value
    if type(value).__name__ in _MISSING_TYPES:
        return None
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    if hasattr(value, "tolist"):  # an array, or a single number of numpy
        return _plain(value.tolist())
    return value


@dataclass(frozen=True)
class _ImageFolder:
    """Writes images that are values into files, so that rows name files only."""

    folder: Path
    label: str
    """What messages call the data."""

    def with_files(self, cells: list[Cells], column_of_field: Mapping[str, str]) -> tuple[list[Row], list[str]]:
        """The rows with paths for images, and the columns of images that are no field, which are dropped."""
        names: dict[str, None] = {}  # a set in order
        for row in cells:
            names |= dict.fromkeys(row)
        layout = recognise_columns(names, column_of_field, self.label)
        fields_of_images = {column for column, field in layout.fields.items() if field in _IMAGE_FIELDS}
        other_images = _columns_of_images(cells, set(names) - fields_of_images)
        if other_images and not fields_of_images and "image" not in column_of_field:
            proposed = {**column_of_field, "image": other_images[0]}
            if "question" not in layout.fields.values():
                proposed["question"] = likely_requests(layout, cells)
            way_out = SetOption("columns", proposed, to="name it (an empty column means none)")
            message = f"{self.label} has no column 'image', but column {other_images[0]!r} holds images"
            raise DataError(message, way_out=way_out)
        rows = []
        for number, row in enumerate(cells, start=1):
            values = {column: value for column, value in row.items() if column not in other_images}
            for column in fields_of_images & values.keys():
                values[column] = self.as_paths(values[column], column, number)
            rows.append(Row(number, values))
        return rows, other_images

    def as_paths(self, value: Any, column: str, number: int) -> Any:
        """A cell with a path in place of each image."""
        if isinstance(value, list) and value and isinstance(value[0], (list, int, float)):
            problem = f"column {column!r} has a list of numbers"
            raise DataError(f"{self.label}, row {number}: {problem}; make an array of it, as in numpy.asarray(image)")
        if isinstance(value, list):
            return [self.as_paths(item, column, number) for item in value]
        if isinstance(value, dict) and value.keys() == {"bytes", "path"} and value["bytes"] is None:
            return value["path"]
        if not is_image_value(value):
            return os.path.expanduser(value) if isinstance(value, str) else value
        return self._write_image(value, column, number)

    def _write_image(self, image: Any, column: str, number: int) -> str:
        """The path of the image's copy in the folder, which has the name of its content."""
        try:
            data = image_bytes(image)
        except ValueError as error:
            raise DataError(f"{self.label}, row {number}: column {column!r} has {error}") from error
        except OSError as error:
            raise DataError(
                f"{self.label}, row {number}: the image in column {column!r} cannot be read: {error}"
            ) from error
        media_type = sniff(data) or ""
        suffix = SUFFIXES[media_type][0] if media_type in SUFFIXES else ".bin"
        path = self.folder / f"{hashlib.sha256(data).hexdigest()[:32]}{suffix}"
        path.write_bytes(data)
        return str(path)


def _columns_of_images(cells: list[Cells], columns: Iterable[str]) -> list[str]:
    """The columns in which a row has an image, or a list that begins with one."""
    columns_of_images: dict[str, None] = {}  # a set in order
    wanted = set(columns)
    for row in cells:
        for column in row.keys() & wanted:
            value = row[column]
            first = value[0] if isinstance(value, list) and value else value
            if is_image_value(first):
                columns_of_images[column] = None
    return list(columns_of_images)


def _check_images(dataset: Dataset) -> None:
    """A DataError where a path leads to no file: in the copy it would be a path that nobody has given."""
    for sample in dataset.samples:
        pictures = [picture for picture in (*sample.images, sample.counterfactual) if picture is not None]
        for picture in pictures:
            path = dataset.elsewhere.get(picture, dataset.root / picture)
            if not path.is_file():
                raise DataError(
                    f"sample {sample.id!r} ({sample.side}) has the image {os.fspath(path)!r}, which is no file; "
                    "paths are relative to the current folder (of the samples of a Dataset to its own: "
                    "select them with data[:20] or data.filter(…))"
                )


def _kept(dataset: Dataset) -> Dataset:
    """The same dataset from its copy in the cache, which is written if it is not there."""
    from mossbench.datasets.export import export_dataset

    folder = cache_folder(_FOLDER) / _content_name(dataset)
    if not (folder / "metadata.jsonl").is_file():
        try:
            export_dataset(dataset, folder)
        except UsageError:  # another process has written it meanwhile
            if not (folder / "metadata.jsonl").is_file():
                raise
    return load_file(folder / "metadata.jsonl")


def _content_name(dataset: Dataset) -> str:
    """A name that depends on the samples, their order and their images."""
    content = [dataset.name]
    for sample in dataset.samples:
        content += [sample.side.value, sample.id, sample.twin or "", dataset.digest(sample)]
    return hashlib.sha256(json.dumps(content).encode()).hexdigest()[:24]
