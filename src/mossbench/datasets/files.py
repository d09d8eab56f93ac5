"""One's own dataset: a JSONL, CSV or Parquet file, or a folder with `metadata.jsonl|csv|parquet`.

One row is one sample. `columns` says which column is which field of Sample; only a request is required, `id` is the
number of the row when it is not given, and what is no field is carried as the sample's metadata. A CSV cell has no
type, so an empty one means "not given"; everything else is taken as it stands ("None", "nan" and leading zeros are
text).
"""

import os
import re
import reprlib
from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from mossbench.datasets.columns import (
    NAMES,
    Layout,
    check_question,
    field_value,
    layout_of,
    own_values,
    with_own_labels,
)
from mossbench.datasets.copying import Copying
from mossbench.datasets.dataset import Dataset, escape_message, stays_inside
from mossbench.datasets.findings import Finding, Severity, note, note_row
from mossbench.errors import DataError
from mossbench.plumbing.tables import FORMATS, read_bytes, read_rows
from mossbench.plumbing.untrusted_files import expected_words, parse_json
from mossbench.samples import Sample
from mossbench.ways_out import ImportDataset, SetOption

ABOUT = "dataset.json"
"""Beside the metadata of an exported folder: name, licence and the like."""
ABOUT_FIELDS = ("name", "source", "revision", "licence", "warning", "citation")
_ADDRESS = re.compile(r"(?:[a-z][a-z0-9+.-]+://|data:)", re.IGNORECASE)
_IMAGES = ("image", "more_images", "counterfactual")


def load_file(
    path: Path,
    *,
    findings: list[Finding] | None = None,
    columns: Mapping[str, str] | None = None,
    outside: bool = False,
) -> Dataset:
    """The dataset in a `.jsonl`, `.csv`, `.tsv` or `.parquet` file; pictures are relative to its folder.

    With a list of `findings` faulty rows are left out and reported there. `columns` is field of Sample -> column, where
    its name does not say so. Images lie `outside` the folder only for a file of one's own that is being imported.
    """
    about = read_about(path.parent / ABOUT) if path.stem == "metadata" else {}
    name = about.pop("name", None) or (path.parent.resolve().name if path.stem == "metadata" else path.stem)
    rows = list(read_rows(path, on_fault=partial(note_row, findings), names=NAMES))
    layout = layout_of(dict.fromkeys(column for row in rows for column in row.values), columns or {}, str(path))
    if not check_question(layout, rows, str(path), findings):
        return Dataset(name=name, samples=(), root=path.parent)
    layout = with_own_labels(layout, rows, findings)
    for column, field in layout.typos.items():
        message = f"{path}: column {column!r} is carried as your own; did you mean {field!r}?"
        way_out = SetOption("columns", {field: column}, to=f"rename it, or leave it and make it the {field}")
        note(findings, "unknown-column", message, way_out, severity=Severity.WARNING)
    samples: list[Sample] = []
    lines: dict[tuple[str, str], int] = {}
    elsewhere: dict[str, Path] = {}
    rows.reverse()
    for number in range(1, len(rows) + 1):
        row = rows.pop()  # from memory, too: what was read and what is made of it are as large as each other
        where = f"{path}, line {row.line}"
        try:
            sample = record_to_sample(row.values, number, layout, path.parent)
        except (ValueError, RecursionError) as error:  # pydantic's ValidationError is a ValueError
            why = reason(error, {field: column for column, field in layout.fields.items()})
            like = why.partition(" has ")[0]  # one column, whatever its values
            note_row(findings, f"{where}: {why}", "fix that row", row.line, like)
            continue
        sample = _with_paths(sample, path, where, findings, elsewhere if outside else None)
        first = lines.setdefault(sample.key, row.line)
        if first != row.line:
            message = f"{path}: lines {first} and {row.line} both hold sample {sample.id!r} ({sample.side})"
            way_out = SetOption("columns", {"id": ""}, to="give one of them another id, or number the rows")
            note(findings, "duplicate-id", message, way_out, [label(sample)], "id")
        samples.append(sample)
    if not samples and not findings:
        raise DataError(f"{path} holds no sample; expected at least one row with a 'question'")
    facts: dict[str, Any] = {"source": f"file {path.name}"} | about
    facts |= {"elsewhere": elsewhere, "file": path, "columns": dict(columns or {})}
    return Dataset(name=name, samples=tuple(samples), root=path.parent, **facts)


def label(sample: Sample) -> str:
    """How findings name a sample: `benign/12`."""
    return f"{sample.side}/{sample.id}"


def metadata_file(folder: Path) -> Path | None:
    """The folder's metadata file, or None when it has none; DataError when it has several."""
    files = metadata_files(folder)
    if len(files) > 1:
        several = " and ".join(file.name for file in files)
        raise DataError(f"{folder} holds {several}; name the one to load, as in {files[0]}")
    return files[0] if files else None


def metadata_files(folder: Path) -> list[Path]:
    names = [f"metadata.{format}" for format in (*FORMATS, "tsv")]
    return [folder / name for name in names if (folder / name).is_file()]


def record_to_sample(values: dict[str, Any], number: int, layout: Layout, root: Path) -> Sample:
    """The sample of one row; ValueError or pydantic's ValidationError when a value does not fit.

    Empty and missing `values` mean "not given"; `number` is the id when the row has none. Images lie in `root`.
    """
    fields: dict[str, Any] = {"id": str(number), "metadata": own_values(layout, values)}
    for column, field in layout.fields.items():
        try:
            value = field_value(field, values.get(column))
        except ValueError as error:
            raise ValueError(f"column {column!r} {error}") from None
        if value is not None:
            fields[field] = value
    cells = ((name, fields.pop(name)) for name in ("image", "more_images") if name in fields)
    images = [path for name, value in cells for path in image_paths(value, root, layout.column(name))]
    return Sample(**fields, image=images[0] if images else None, more_images=tuple(images[1:]))


def image_paths(value: Any, root: Path, column: str) -> list[str]:
    """The images that a cell names: one, a list, a list as JSON, or several with semicolons between them."""
    if isinstance(value, str) and value.lstrip().startswith("[") and value.rstrip().endswith("]"):
        with suppress(ValueError):  # a path that only looks like a list
            value = parse_json(value)
    if isinstance(value, str):
        several = ";" in value and not _ADDRESS.match(value) and not os.path.isfile(root / value)
        value = [part.strip() for part in value.split(";")] if several else [value]
    if isinstance(value, dict):  # as the hub stores images in Parquet
        value = [value.get("path")] if not value.get("bytes") else [value["bytes"]]
    listed = [] if value is None else value
    if not isinstance(listed, (list, tuple)) or not all(isinstance(one, str) for one in listed if one is not None):
        shown = "bytes" if isinstance(listed, (bytes, list)) else reprlib.repr(value)
        raise ValueError(f"column {column!r} has {shown}: expected the path of an image, or a list of paths")
    return [one for one in listed if one]


def _with_paths(
    sample: Sample, path: Path, where: str, findings: list[Finding] | None, elsewhere: dict[str, Path] | None
) -> Sample:
    """The sample with its images where the file's folder has them; those that lie outside are noted and left out."""
    update: dict[str, Any] = {}
    for field in _IMAGES:
        value = getattr(sample, field)
        placed = []
        for picture in value if isinstance(value, tuple) else filter(None, (value,)):
            inside, fault = _place(picture, path.parent, elsewhere), ""
            if _ADDRESS.match(picture):
                fault = f"the image {picture[:80]!r} is an address; download it and give the path of the file"
            elif not stays_inside(inside):
                fault = escape_message(path.stem, sample, picture)
            if fault:
                way_out = ImportDataset(path, "FOLDER", to="copy such images")
                note(findings, "path-outside", f"{where}: {fault}", way_out, [label(sample)], "path")
            else:
                placed.append(inside)
        update[field] = tuple(placed) if isinstance(value, tuple) else next(iter(placed), None)
    if update["image"] is None and update["more_images"]:
        update |= {"image": update["more_images"][0], "more_images": update["more_images"][1:]}
    return sample.model_copy(update=update) if any(getattr(sample, name) != update[name] for name in update) else sample


def _place(picture: str, root: Path, elsewhere: dict[str, Path] | None) -> str:
    """The path relative to the root, with slashes; where it leads out and may, a name in `elsewhere`."""
    if "\\" in picture and not os.path.isfile(root / picture):
        picture = picture.replace("\\", "/")
    if os.path.isabs(picture):
        below = os.path.relpath(picture, os.path.abspath(root))
        picture = picture if below.startswith("..") else below
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
    if first["type"] == "missing":
        return f"column {column!r} is missing or empty"
    return f"column {column!r} has {reprlib.repr(first['input'])}{expected_words(first)[:300]}"


def read_about(path: Path) -> dict[str, Any]:
    """What an exported folder says of itself; empty when it does not."""
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
