"""Writes a dataset as a folder that the hub's ImageFolder loader and `load_dataset` both read, without loss.

    OUT/metadata.jsonl | .csv | .parquet    fields of Sample, the user's own columns; `file_name` is the picture
    OUT/images/<side>/<id>.<ext>            pictures, with the suffix of their real format
    OUT/dataset.json, OUT/README.md         name, source, licence, content warning, hashes
    OUT/croissant.json                      the same for dataset search
    OUT/eval.yaml, OUT/tasks/               on request: the set as a benchmark of the hub

The folder appears complete or not at all: it is written under a temporary name and renamed at the end.
"""

import json
import os
import re
import shutil
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

from mossbench.datasets.columns import ALIASES, column_name
from mossbench.datasets.croissant import FILE as CROISSANT
from mossbench.datasets.croissant import croissant, licence_tag
from mossbench.datasets.dataset import SUFFIXES, AnyData, Dataset
from mossbench.datasets.files import ABOUT, ABOUT_FIELDS
from mossbench.datasets.recognition import name_on_record
from mossbench.datasets.tasks import FILE as TASKS_FILE
from mossbench.datasets.tasks import FOLDER as TASKS_FOLDER
from mossbench.datasets.tasks import write_tasks
from mossbench.errors import UsageError, needing, unknown_name
from mossbench.plumbing.json_values import to_json
from mossbench.plumbing.spreadsheets import csv_text
from mossbench.plumbing.storage import replacing_folder
from mossbench.plumbing.tables import FORMATS
from mossbench.plumbing.templates import rendered
from mossbench.samples import FLAGS, Sample, value_text
from mossbench.ways_out import SetOption

_COLUMNS = {field: column for column, field in ALIASES.items() if "file_name" in column}
"""The hub's names for pictures."""
Rows = list[dict[str, Any]]
OF_REVIEW = ("review.db", "review.json", "twins.csv")
"""What the review page writes into the folder of the samples."""


def export_dataset(
    dataset: AnyData,
    out: Path | str,
    format: Literal["jsonl", "csv", "parquet"] = "jsonl",
    *,
    overwrite: bool = False,
    tasks: bool = False,
) -> Path:
    """Writes a dataset to a folder, from which `load_dataset` loads an equal dataset; the folder.

    Args:
        dataset: The dataset to write. A missing picture stays missing, under its new name.
        out: A new or empty folder.
        format: Format of the metadata file.
        overwrite: Whether an earlier export in `out` may be replaced; what the review page wrote there is kept, and
            a folder with other files is still an error.
        tasks: Whether to write eval.yaml too, with a file for each of its tasks that includes the images.
    """
    from mossbench.datasets import as_dataset

    dataset = as_dataset(dataset)
    out = Path(out)
    if format not in FORMATS:
        raise unknown_name("export format", format, FORMATS, f"formats are {', '.join(FORMATS)}")
    if format == "parquet":
        with needing("writing Parquet", "parquet"):  # checked before anything is written
            import pyarrow  # noqa: F401
    _check_may_export(out, overwrite)
    with replacing_folder(out) as folder:
        columns = _write_table(dataset, folder, format)
        _write_about(dataset, folder)
        configs = write_tasks(dataset, folder) if tasks else ""
        _write_card(dataset, folder, format, configs)
        described = croissant(dataset, folder, f"metadata.{format}", columns)
        (folder / CROISSANT).write_text(to_json(described), encoding="utf-8")
        for name in OF_REVIEW:
            if (out / name).is_file():
                shutil.copy2(out / name, folder / name)
    return out


def _write_table(dataset: Dataset, folder: Path, format: str) -> dict[str, list[Any]]:
    """Writes the metadata and the pictures; the columns of the table with their values."""
    own_columns: dict[str, str] = {}
    for sample in dataset.samples:
        own_columns |= {name: column_name(name) for name in sample.metadata}
    rows = _copy_pictures(dataset, folder)
    for row, sample in zip(rows, dataset.samples, strict=True):
        row |= {_COLUMNS[field]: row.pop(field) for field in _COLUMNS}
        row |= {column: sample.metadata.get(name) for name, column in own_columns.items()}
    columns = [*(_COLUMNS.get(field, field) for field in _used_fields(dataset)), *own_columns.values()]
    write: Callable[[Rows, list[str]], bytes] = {"jsonl": _jsonl, "csv": _csv, "parquet": _parquet}[format]
    (folder / f"metadata.{format}").write_bytes(write(rows, columns))
    return {column: [row[column] for row in rows] for column in columns}


def _write_about(dataset: Dataset, folder: Path) -> None:
    about = {field: getattr(dataset, field) for field in ABOUT_FIELDS} | {"name": name_on_record(dataset)}
    if dataset.copying is not None:
        about["copying"] = dataset.copying.value
    about["hashes"] = {side.value: digest for side, digest in dataset.hashes.items()}
    (folder / ABOUT).write_text(json.dumps(about, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def _write_card(dataset: Dataset, folder: Path, format: str, configs: str) -> None:
    """Writes README.md, the card that the hub shows."""
    counts = Counter(sample.side for sample in dataset.samples)
    card = rendered(
        Path(__file__).with_suffix(".md"),
        dataset=dataset,
        licence=licence_tag(dataset.licence).lower() or "other",
        counts=", ".join(f"{counts[side]} {side}" for side in dataset.sides),
        format=format,
        configs=configs,
    )
    (folder / "README.md").write_text(card, encoding="utf-8")


def _check_may_export(out: Path, overwrite: bool) -> None:
    """A UsageError if `out` holds anything, or with `overwrite` anything that is no export."""
    if out.exists() and not out.is_dir():
        raise UsageError(f"{out} is a file; name a folder to export to")
    names = {entry.name for entry in out.iterdir()} if out.exists() else set()
    if not names:
        return
    if not overwrite:
        replace_export = SetOption("overwrite", True, to="name a new folder, or replace an earlier export")
        raise UsageError(f"{out} already holds files", way_out=replace_export)
    tables = {f"metadata.{format}" for format in FORMATS}
    exported = {ABOUT, CROISSANT, TASKS_FILE, TASKS_FOLDER, "README.md", "images"} | tables
    if ABOUT not in names or not names <= exported | set(OF_REVIEW):
        raise UsageError(f"{out} already holds files (not only an earlier export); name a new folder")


def _copy_pictures(dataset: Dataset, folder: Path) -> Rows:
    """Copies the pictures under their new names; the fields of the samples with these names."""
    used: set[str] = set()
    rows: Rows = []
    for number, sample in enumerate(dataset.samples, start=1):
        row = sample.model_dump(mode="json", exclude={"metadata"})
        is_file_name = re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}", sample.id)
        name = sample.id if is_file_name else f"sample-{number}"
        stem = f"images/{sample.side}/{name}"
        copies: list[str] = []
        for i, path in enumerate(dataset.picture_paths(sample)):
            copies.append(_copy(path, folder, f"{stem}-{i}" if i else stem, used))
        row["image"] = copies[0] if copies else None
        row["more_images"] = copies[1:]
        row["history"] = _copy_history(dataset, sample, folder, stem, used)
        counterfactual = dataset.counterfactual_path(sample)
        if counterfactual is not None:
            row["counterfactual"] = _copy(counterfactual, folder, f"{stem}-without-trigger", used)
        rows.append(row)
    return rows


def _copy_history(dataset: Dataset, sample: Sample, folder: Path, stem: str, used: set[str]) -> list[dict[str, Any]]:
    """Copies the pictures of earlier messages; the messages with their new names."""
    paths = iter(dataset.history_paths(sample))
    messages = []
    for message in sample.history:
        record = message.model_dump(mode="json")
        if message.images:
            record["images"] = [_copy(next(paths), folder, f"{stem}-earlier", used) for _ in message.images]
        messages.append(record)
    return messages


def _copy(picture: Path, folder: Path, stem: str, used: set[str]) -> str:
    """Copies a picture if it is there; its new path, relative to the folder."""
    from mossbench.images.decoding import sniff

    data = picture.read_bytes() if os.path.isfile(picture) else None
    media_type = sniff(data) if data is not None else None
    if media_type in SUFFIXES:
        suffix = SUFFIXES[media_type][0]
    else:
        suffix = re.sub(r"[^.A-Za-z0-9]", "", picture.suffix) or ".bin"
    while stem.casefold() in used:  # on some systems, ids that differ only in case share a file name
        stem += "_"
    used.add(stem.casefold())
    target = folder / f"{stem}{suffix}"
    if data is not None:
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
    return f"{stem}{suffix}"


def _used_fields(dataset: Dataset) -> list[str]:
    """The fields that at least one sample states; the others load as their defaults."""
    used = {"id", "side", "question"}
    for sample in dataset.samples:
        used.update(sample.model_dump(exclude_defaults=True))
    return [field for field in Sample.model_fields if field in used and field != "metadata"]


def _jsonl(rows: Rows, columns: list[str]) -> bytes:
    lines = [json.dumps({column: row[column] for column in columns}, ensure_ascii=False) + "\n" for row in rows]
    return "".join(lines).encode()


def _csv(rows: Rows, columns: list[str]) -> bytes:
    cells = ([_cell(column, row[column]) for column in columns] for row in rows)
    return csv_text([columns, *cells], "\r\n").encode()  # so cells that hold either are quoted


def _cell(column: str, value: Any) -> str:
    if value is None or value == []:
        return ""
    if column in FLAGS and isinstance(value, bool):
        return value_text(int(value))
    return json.dumps(value, ensure_ascii=False) if isinstance(value, list) else value_text(value)


def _parquet(rows: Rows, columns: list[str]) -> bytes:
    import pyarrow as pa
    import pyarrow.parquet as pq

    edges = [(edge, pa.int64()) for edge in ("left", "top", "right", "bottom")]
    region = pa.struct([("label", pa.string()), *edges])
    types = {"harm": pa.int64(), "triggers": pa.list_(region), _COLUMNS["more_images"]: pa.list_(pa.string())}
    types |= dict.fromkeys(FLAGS, pa.bool_())
    if "history" in columns:  # as JSON in a text: its records differ in what they have
        rows = [row | {"history": _cell("history", row["history"]) or None} for row in rows]
    for column in columns:
        if column in types or column in Sample.model_fields:
            continue
        number_type = _number_type([row[column] for row in rows])
        if number_type is not None:
            types[column] = getattr(pa, number_type)()
        else:
            rows = [row | {column: None if row[column] is None else value_text(row[column])} for row in rows]
    schema = pa.schema([(column, types.get(column, pa.string())) for column in columns])
    table = pa.Table.from_pylist([{column: row[column] for column in columns} for row in rows], schema=schema)
    sink = pa.BufferOutputStream()
    pq.write_table(table, sink)
    return bytes(sink.getvalue())


def _number_type(values: list[Any]) -> Literal["bool_", "int64", "float64"] | None:
    """The name in pyarrow of the type of all values; None if they are texts, mixed, or too large for a float."""
    stated = [value for value in values if value is not None]
    types = {type(value) for value in stated}
    if types == {bool}:
        return "bool_"
    if not types or not types <= {int, float} or any(abs(value) >= 2**53 for value in stated):
        return None
    return "int64" if types == {int} else "float64"
