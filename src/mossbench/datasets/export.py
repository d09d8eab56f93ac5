"""Writing a dataset as a folder that the hub's ImageFolder loader and `load_dataset` both read, without loss.

    OUT/metadata.jsonl | .csv | .parquet    fields of Sample, columns of one's own; `file_name` is the picture
    OUT/images/<side>/<id>.<ext>            pictures, named after what their bytes are
    OUT/dataset.json, OUT/README.md         name, source, licence, content warning, hashes
    OUT/croissant.json                      the same for dataset search
    OUT/eval.yaml, OUT/tasks/               on request: the set as a benchmark of the hub

The folder appears whole or not at all: it is written under another name beside its place and renamed at the end.
"""

import json
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

from mossbench.datasets.columns import ALIASES, column_name
from mossbench.datasets.croissant import FILE as CROISSANT
from mossbench.datasets.croissant import croissant, licence_tag
from mossbench.datasets.dataset import SUFFIXES, Dataset
from mossbench.datasets.files import ABOUT, ABOUT_FIELDS
from mossbench.datasets.recognition import name_on_record
from mossbench.datasets.tasks import FILE as TASKS_FILE
from mossbench.datasets.tasks import FOLDER as TASKS_FOLDER
from mossbench.datasets.tasks import write_tasks
from mossbench.errors import UsageError, needing, unknown_name
from mossbench.plumbing.spreadsheets import csv_text
from mossbench.plumbing.storage import to_json, whole_folder
from mossbench.plumbing.tables import FORMATS
from mossbench.plumbing.templates import rendered
from mossbench.samples import FLAGS, Sample, value_text
from mossbench.ways_out import SetOption

_COLUMNS = {field: column for column, field in ALIASES.items() if "file_name" in column}
"""The hub's names for pictures."""
Rows = list[dict[str, Any]]


def export_dataset(
    dataset: str | Path | Dataset,
    out: Path | str,
    format: Literal["jsonl", "csv", "parquet"] = "jsonl",
    *,
    overwrite: bool = False,
    tasks: bool = False,
) -> Path:
    """The folder that was written; `load_dataset` of it equals `dataset`.

    Args:
        dataset: What to write. A picture that is missing stays missing, under its new name.
        out: A new or empty folder.
        format: Of the metadata file.
        overwrite: Whether an earlier export in `out` may be replaced; anything else there is refused still.
        tasks: Whether to write eval.yaml too, with a file for each of its tasks that has the images in it.
    """
    from mossbench.datasets import as_dataset

    dataset, out = as_dataset(dataset), Path(out)
    if format not in FORMATS:
        raise unknown_name("export format", format, FORMATS, f"formats are {', '.join(FORMATS)}")
    if format == "parquet":
        with needing("writing Parquet", "parquet"):  # said before anything is written
            import pyarrow  # noqa: F401
    write: Callable[[Rows, list[str]], bytes] = {"jsonl": _jsonl, "csv": _csv, "parquet": _parquet}[format]
    _check_free(out, overwrite)
    with whole_folder(out) as partial:
        names = dict.fromkeys(name for sample in dataset.samples for name in sample.metadata)
        rows, own = _copy_pictures(dataset, partial), {name: column_name(name) for name in names}
        columns = [*(_COLUMNS.get(field, field) for field in _used_fields(dataset)), *own.values()]
        for row, sample in zip(rows, dataset.samples, strict=True):
            row |= {_COLUMNS[field]: row.pop(field) for field in _COLUMNS}
            row |= {column: sample.metadata.get(name) for name, column in own.items()}
        (partial / f"metadata.{format}").write_bytes(write(rows, columns))
        about = {field: getattr(dataset, field) for field in ABOUT_FIELDS} | {"name": name_on_record(dataset)}
        if dataset.copying is not None:
            about["copying"] = dataset.copying.value
        about["hashes"] = {side.value: digest for side, digest in dataset.hashes.items()}
        (partial / ABOUT).write_text(json.dumps(about, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        configs = write_tasks(dataset, partial) if tasks else ""
        licence = licence_tag(dataset.licence).lower() or "other"
        counts = ", ".join(f"{sum(s.side is side for s in dataset.samples)} {side}" for side in dataset.sides)
        told = {"licence": licence, "counts": counts, "format": format, "configs": configs}
        card = rendered(Path(__file__).with_suffix(".md"), dataset=dataset, **told)
        (partial / "README.md").write_text(card, encoding="utf-8")
        values = {column: [row[column] for row in rows] for column in columns}
        described = croissant(dataset, partial, f"metadata.{format}", values)
        (partial / CROISSANT).write_text(to_json(described), encoding="utf-8")
    return out


def _check_free(out: Path, overwrite: bool) -> None:
    if out.exists() and not out.is_dir():
        raise UsageError(f"{out} is a file; name a folder to export to")
    there = {entry.name for entry in out.iterdir()} if out.exists() else set()
    ours = {ABOUT, CROISSANT, TASKS_FILE, TASKS_FOLDER, "README.md", "images", *(f"metadata.{one}" for one in FORMATS)}
    if there and not (overwrite and ABOUT in there and there <= ours):
        if overwrite:
            raise UsageError(f"{out} already holds files (not only an earlier export); name a new folder")
        replace_export = SetOption("overwrite", True, to="name a new folder, or replace an earlier export")
        raise UsageError(f"{out} already holds files", way_out=replace_export)


def _copy_pictures(dataset: Dataset, folder: Path) -> list[dict[str, Any]]:
    """Rows for the metadata, after their pictures were copied under their new names."""
    used: set[str] = set()
    rows = []
    for number, sample in enumerate(dataset.samples, start=1):
        row = sample.model_dump(mode="json", exclude={"metadata"})
        is_name = re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}", sample.id)
        stem = f"images/{sample.side}/{sample.id if is_name else f'sample-{number}'}"
        paths = dataset.picture_paths(sample)
        copied = [_copy(path, folder, f"{stem}{f'-{i}' if i else ''}", used) for i, path in enumerate(paths)]
        row |= {"image": copied[0] if copied else None, "more_images": copied[1:]}
        if (without := dataset.counterfactual_path(sample)) is not None:
            row["counterfactual"] = _copy(without, folder, f"{stem}-without-trigger", used)
        rows.append(row)
    return rows


def _copy(picture: Path, folder: Path, stem: str, used: set[str]) -> str:
    """The new path of the picture, relative to the folder; no file there when the picture is missing."""
    from mossbench.images.preparing import sniff

    data = picture.read_bytes() if os.path.isfile(picture) else None
    media_type = sniff(data) if data is not None else None
    named = re.sub(r"[^.A-Za-z0-9]", "", picture.suffix)
    suffix = SUFFIXES[media_type][0] if media_type in SUFFIXES else named or ".bin"
    while stem.casefold() in used:  # ids that differ in case only share a file name on some systems
        stem += "_"
    used.add(stem.casefold())
    target = folder / f"{stem}{suffix}"
    if data is not None:
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
    return f"{stem}{suffix}"


def _used_fields(dataset: Dataset) -> list[str]:
    """The fields that say something in at least one sample; the others load as their defaults."""
    said: set[str] = {"id", "side", "question"}
    for sample in dataset.samples:
        said.update(sample.model_dump(exclude_defaults=True))
    return [field for field in Sample.model_fields if field in said and field != "metadata"]


def _jsonl(rows: Rows, columns: list[str]) -> bytes:
    lines = [json.dumps({column: row[column] for column in columns}, ensure_ascii=False) + "\n" for row in rows]
    return "".join(lines).encode()


def _csv(rows: Rows, columns: list[str]) -> bytes:
    cells = ([_cell(int(row[c]) if type(row[c]) is bool and c in FLAGS else row[c]) for c in columns] for row in rows)
    return csv_text([columns, *cells], "\r\n").encode()  # so cells that hold either are quoted


def _cell(value: Any) -> str:
    if value is None or value == []:
        return ""
    return json.dumps(value, ensure_ascii=False) if isinstance(value, list) else value_text(value)


def _parquet(rows: Rows, columns: list[str]) -> bytes:
    import pyarrow as pa
    import pyarrow.parquet as pq

    region = pa.struct([("label", pa.string()), *((edge, pa.int64()) for edge in ("left", "top", "right", "bottom"))])
    types = {"harm": pa.int64(), "triggers": pa.list_(region), _COLUMNS["more_images"]: pa.list_(pa.string())}
    types |= dict.fromkeys(FLAGS, pa.bool_())
    for column in (one for one in columns if one not in types and one not in Sample.model_fields):
        said = [row[column] for row in rows if row[column] is not None]
        kinds = {type(value) for value in said}  # one's own have the type of all their values, or are text
        if kinds == {bool}:
            types[column] = pa.bool_()
        elif kinds and kinds <= {int, float} and all(abs(value) < 2**53 for value in said):
            types[column] = pa.int64() if kinds == {int} else pa.float64()
        else:
            rows = [row | {column: None if row[column] is None else value_text(row[column])} for row in rows]
    schema = pa.schema([(column, types.get(column, pa.string())) for column in columns])
    table = pa.Table.from_pylist([{column: row[column] for column in columns} for row in rows], schema=schema)
    sink = pa.BufferOutputStream()
    pq.write_table(table, sink)
    return bytes(sink.getvalue())
