"""A user's own dataset: a JSONL, CSV or Parquet file, or a folder with `metadata.jsonl|csv|parquet`.

One row is one sample. `columns` says which column is which field of Sample; only a request is required, `id` defaults
to the number of the row, and columns that are no fields are carried as the sample's metadata. A CSV cell has no type,
so an empty one means "not given"; everything else is taken literally ("None", "nan" and leading zeros are text).
"""

import os
import re
import reprlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from mossbench.datasets.columns import (
    RECOGNISED_NAMES,
    Layout,
    check_columns,
    field_value,
    own_values,
    recognise_columns,
    with_own_labels,
)
from mossbench.datasets.copying import Copying
from mossbench.datasets.dataset import Dataset, escape_message, stays_inside
from mossbench.datasets.findings import Finding, Severity, note, note_row
from mossbench.datasets.likely_columns import N_LOOKED_AT
from mossbench.datasets.stored_samples import LARGE, StoredSamples, put_aside
from mossbench.errors import DataError
from mossbench.plumbing.key_places import key_digest
from mossbench.plumbing.tables import FORMATS, Row, read_bytes, read_rows
from mossbench.plumbing.untrusted_files import count_lines, expected_words, parse_json
from mossbench.samples import Sample
from mossbench.ways_out import ImportDataset, SetOption

ABOUT = "dataset.json"
"""File in an exported folder with its name, licence and the like."""
ABOUT_FIELDS = ("name", "source", "revision", "licence", "warning", "citation")
_ADDRESS = re.compile(r"(?:[a-z][a-z0-9+.-]+://|data:)", re.IGNORECASE)


@dataclass(frozen=True)
class RowSource:
    """Where rows come from: a file, or data in memory."""

    label: str
    """What messages call it."""
    root: Path
    """The folder that image paths are relative to."""
    name: str
    """The name of the dataset."""
    unit: str = "line"
    """What its rows are numbered by."""
    file: Path | None = None
    """The file; None for data in memory."""

    def place(self, row: Row) -> str:
        """Where a row stands, for messages."""
        return f"{self.label}, {self.unit} {row.line}"


def load_file(
    path: Path,
    *,
    findings: list[Finding] | None = None,
    columns: Mapping[str, str] | None = None,
    outside: bool = False,
) -> Dataset:
    """The dataset in a `.jsonl`, `.csv`, `.tsv` or `.parquet` file; pictures are relative to its folder.

    With a list of `findings`, faulty rows are left out and reported there. `columns` is field of Sample -> column, for
    columns with other names. Images may lie `outside` the folder only in a file that is being imported.
    """
    about: dict[str, Any] = {}
    name = path.stem
    if path.stem == "metadata":
        about = read_about(path.parent / ABOUT)
        name = about.pop("name", None) or path.parent.resolve().name
    rows = RowsOfFile(path, findings) if _has_many_lines(path) else _rows_of(path, findings)
    source = RowSource(label=str(path), root=path.parent, name=name, file=path)
    elsewhere: dict[str, Path] = {}
    samples = read_samples(rows, source, columns or {}, findings=findings, elsewhere=elsewhere if outside else None)
    facts: dict[str, Any] = {"source": f"file {path.name}"} | about
    if samples is None:
        return Dataset(name=name, samples=(), root=path.parent)
    return Dataset(
        name=name,
        samples=samples if isinstance(samples, StoredSamples) else tuple(samples),
        root=path.parent,
        elsewhere=elsewhere,
        file=path,
        columns=dict(columns or {}),
        **facts,
    )


class RowsOfFile(Iterable[Row]):
    """The rows of a large file, read each time anew; what is wrong with lines is noted the first time."""

    def __init__(self, path: Path, findings: list[Finding] | None) -> None:
        self._path = path
        self._findings = findings
        self._is_read = False

    def __iter__(self) -> Iterator[Row]:
        on_fault = (lambda *_: None) if self._is_read else partial(note_row, self._findings)
        yield from read_rows(self._path, on_fault=on_fault, names=RECOGNISED_NAMES)
        self._is_read = True


def _rows_of(path: Path, findings: list[Finding] | None) -> list[Row]:
    return list(read_rows(path, on_fault=partial(note_row, findings), names=RECOGNISED_NAMES))


def _has_many_lines(path: Path) -> bool:
    """Whether a file has more than `LARGE` rows, as its lines tell; one of another kind is read whole."""
    if path.suffix.lower() not in (".jsonl", ".ndjson", ".csv", ".tsv"):
        return False
    try:
        return count_lines(path) > LARGE
    except OSError:  # reading it says what is wrong
        return False


def read_samples(
    rows: list[Row] | RowsOfFile,
    source: RowSource,
    columns: Mapping[str, str],
    *,
    findings: list[Finding] | None = None,
    elsewhere: dict[str, Path] | None = None,
) -> Sequence[Sample] | None:
    """The samples of the rows; None if no column holds the requests, which is then among the findings.

    Empties a list of `rows` on the way, to need half the memory; samples of a large file are put aside in another.
    With `elsewhere`, images outside the root are added there.
    """
    layout = recognise_columns(_all_columns(rows), columns, source.label)
    first_rows = list(islice(rows, N_LOOKED_AT))
    if not check_columns(layout, columns, first_rows, source.label, source.root, findings):
        return None
    layout = with_own_labels(layout, rows, findings)
    _note_typos(layout, source, findings)
    reading = _samples_of(rows, layout, source, findings, elsewhere)
    samples = put_aside(reading) if isinstance(rows, RowsOfFile) else list(reading)
    if not samples and not findings:
        raise DataError(f"{source.label} holds no sample; expected at least one row with a 'question'")
    return samples


def _all_columns(rows: Iterable[Row]) -> list[str]:
    columns: dict[str, None] = {}  # a set in order
    for row in rows:
        columns |= dict.fromkeys(row.values)
    return list(columns)


def _note_typos(layout: Layout, source: RowSource, findings: list[Finding] | None) -> None:
    for column, field in layout.typos.items():
        message = f"{source.label}: column {column!r} is kept as your own column; did you mean {field!r}?"
        way_out = SetOption("columns", {field: column}, to=f"rename it, or read it as the {field}")
        note(findings, "unknown-column", message, way_out, severity=Severity.WARNING)


def _samples_of(
    rows: list[Row] | RowsOfFile,
    layout: Layout,
    source: RowSource,
    findings: list[Finding] | None,
    elsewhere: dict[str, Path] | None,
) -> Iterator[Sample]:
    """The samples of all rows that can be read."""
    lines: dict[int, int] = {}  # by the digest of a key, which takes less memory than the key
    for number, row in enumerate(_emptied(rows) if isinstance(rows, list) else rows, start=1):
        where = source.place(row)
        try:
            sample = record_to_sample(row.values, number, layout, source.root)
        except (ValueError, RecursionError) as error:  # pydantic's ValidationError is a ValueError
            fault = reason(error, {field: column for column, field in layout.fields.items()})
            column = fault.partition(" has ")[0]  # findings are grouped by column, whatever the values
            note_row(findings, f"{where}: {fault}", "fix that row", row.line, column)
            continue
        sample = _with_paths(sample, source, where, findings, elsewhere)
        first_line = lines.setdefault(int.from_bytes(key_digest(*sample.key), "big"), row.line)
        if first_line != row.line:
            lines_of_both = f"{source.unit}s {first_line} and {row.line}"
            message = f"{source.label}: {lines_of_both} both hold sample {sample.id!r} ({sample.side})"
            way_out = SetOption("columns", {"id": ""}, to="give one of them another id, or number the rows")
            note(findings, "duplicate-id", message, way_out, [label(sample)], "id")
        yield sample


def _emptied(rows: list[Row]) -> Iterator[Row]:
    """The rows in order, each taken out of the list."""
    rows.reverse()
    while rows:
        yield rows.pop()


def label(sample: Sample) -> str:
    """How findings name a sample: `benign/12`."""
    return f"{sample.side}/{sample.id}"


def metadata_file(folder: Path) -> Path | None:
    """The folder's metadata file, or None if it has none; DataError if it has several."""
    files = metadata_files(folder)
    if len(files) > 1:
        several = " and ".join(file.name for file in files)
        raise DataError(f"{folder} holds {several}; pass the one to load, such as {files[0]}")
    return files[0] if files else None


def metadata_files(folder: Path) -> list[Path]:
    names = [f"metadata.{format}" for format in (*FORMATS, "tsv")]
    return [folder / name for name in names if (folder / name).is_file()]


def record_to_sample(values: dict[str, Any], number: int, layout: Layout, root: Path) -> Sample:
    """The sample of one row; ValueError or pydantic's ValidationError if a value does not fit.

    Empty and missing `values` mean "not given"; `number` is the id if the row has none. Images lie in `root`.
    """
    fields: dict[str, Any] = {"id": str(number), "metadata": own_values(layout, values)}
    for column, field in layout.fields.items():
        try:
            value = field_value(field, values.get(column))
        except ValueError as error:
            raise ValueError(f"column {column!r} {error}") from None
        if value is not None:
            fields[field] = value
    images: list[str] = []
    for field in ("image", "more_images"):
        if field in fields:
            images += image_paths(fields.pop(field), root, layout.column(field))
    return Sample(**fields, image=images[0] if images else None, more_images=tuple(images[1:]))


def image_paths(value: Any, root: Path, column: str) -> list[str]:
    """The images that a cell names: one, a list, a list as JSON, or several separated by semicolons."""
    paths = _listed_images(value, root)
    if not isinstance(paths, (list, tuple)) or not all(path is None or isinstance(path, str) for path in paths):
        shown = "bytes" if isinstance(paths, (bytes, list)) else reprlib.repr(paths)
        expected = "expected the path of an image, or a list of paths"
        hint = "; images themselves can be given in Python, as rows in memory" if shown == "bytes" else ""
        raise ValueError(f"column {column!r} has {shown}: {expected}{hint}")
    return [path for path in paths if path]


def _listed_images(value: Any, root: Path) -> Any:
    """The cell as a list of paths; a value that does not name images is returned as it is."""
    if value is None:
        return []
    if isinstance(value, str) and value.lstrip().startswith("[") and value.rstrip().endswith("]"):
        with suppress(ValueError):  # a path that only looks like a list
            value = parse_json(value)
    if isinstance(value, str):
        is_list = ";" in value and not _ADDRESS.match(value) and not os.path.isfile(root / value)
        return [path.strip() for path in value.split(";")] if is_list else [value]
    if isinstance(value, dict):  # as the hub stores images in Parquet
        return [value.get("bytes") or value.get("path")]
    return value


def _with_paths(
    sample: Sample, source: RowSource, where: str, findings: list[Finding] | None, elsewhere: dict[str, Path] | None
) -> Sample:
    """The sample with image paths relative to the root; images outside of it are noted and left out."""

    def inside(pictures: Iterable[str]) -> list[str]:
        paths: list[str] = []
        for picture in pictures:
            relative_path = _relative_path(picture, source.root, elsewhere)
            if _ADDRESS.match(picture):
                message = f"{where}: the image {picture[:80]!r} is a URL"
                note(findings, "path-outside", message, "download the image and give its path", [label(sample)], "path")
            elif not stays_inside(relative_path):
                message = f"{where}: {escape_message(source.name, sample, picture)}"
                way_out = ImportDataset(Path(source.label), "FOLDER", to="copy images from outside the folder")
                note(findings, "path-outside", message, way_out, [label(sample)], "path")
            else:
                paths.append(relative_path)
        return paths

    images = inside(sample.images)
    counterfactuals = inside([sample.counterfactual] if sample.counterfactual else [])
    update = {
        "image": images[0] if images else None,
        "more_images": tuple(images[1:]),
        "counterfactual": counterfactuals[0] if counterfactuals else None,
        "history": tuple(
            message.model_copy(update={"images": tuple(inside(message.images))}) for message in sample.history
        ),
    }
    is_same = all(getattr(sample, field) == value for field, value in update.items())
    return sample if is_same else sample.model_copy(update=update)


def _relative_path(picture: str, root: Path, elsewhere: dict[str, Path] | None) -> str:
    """The path relative to the root, with slashes; a path that leads out, if allowed, becomes a name in `elsewhere`."""
    if "\\" in picture and not os.path.isfile(root / picture):
        picture = picture.replace("\\", "/")
    if os.path.isabs(picture):
        relative_path = os.path.relpath(picture, os.path.abspath(root))
        picture = picture if relative_path.startswith("..") else relative_path
    if elsewhere is None or stays_inside(picture) or _ADDRESS.match(picture):
        return picture
    name = f"outside-{len(elsewhere)}/{Path(picture).name}"
    elsewhere[name] = root / picture
    return name


def reason(error: Exception, columns: Mapping[str, str] | None = None) -> str:
    """The first thing wrong with a row: its column (`columns` is field -> column), its value and what was expected."""
    if not isinstance(error, ValidationError):
        return str(error)
    first = error.errors(include_url=False)[0]
    field = str(first["loc"][0]) if first["loc"] else "row"
    column = (columns or {}).get(field, field)
    place = first["loc"][1] if len(first["loc"]) > 2 else None
    if first["type"] == "missing" and isinstance(place, int):
        part = reprlib.repr(first["input"])
        return f"column {column!r} has {part} at place {place + 1}, without {first['loc'][-1]!r}"
    if first["type"] == "missing":
        return f"column {column!r} is missing or empty"
    return f"column {column!r} has {reprlib.repr(first['input'])}{expected_words(first)[:300]}"


def read_about(path: Path) -> dict[str, Any]:
    """Name, licence and the like of an exported folder; empty for other folders."""
    if not path.is_file():
        return {}
    try:
        values = parse_json(read_bytes(path))
        about = {field: values[field] for field in ABOUT_FIELDS if isinstance(values.get(field), str)}
        if values.get("copying") is not None:
            about["copying"] = Copying(values["copying"])
        return about
    except (ValueError, RecursionError, AttributeError) as error:
        raise DataError(f"{path} is damaged: {error}; fix or remove it") from error
