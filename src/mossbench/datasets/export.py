"""Writing a dataset as a folder that the hub's ImageFolder loader and `load_dataset` both read, without loss.

    OUT/metadata.jsonl | .csv | .parquet    fields of Sample; `file_name` is the picture
    OUT/images/<side>/<id>.<ext>            pictures, named after what their bytes are
    OUT/dataset.json, OUT/README.md         name, source, licence, content warning, hashes

The folder appears whole or not at all: it is written under another name beside its place and renamed at the end.
"""

from __future__ import annotations

import csv
import io
import json
import os
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

from mossbench.datasets.dataset import SUFFIXES, Dataset
from mossbench.datasets.files import ABOUT, ABOUT_FIELDS, ALIASES
from mossbench.datasets.tables import FORMATS
from mossbench.errors import StorageError, UsageError, needing, unknown_name
from mossbench.samples import Sample

_COLUMNS = {field: column for column, field in ALIASES.items() if field != "id"}
"""The hub's names for pictures."""
_HUB_LICENCES = {"CC BY-SA 4.0": "cc-by-sa-4.0", "Apache-2.0": "apache-2.0"}


def export_dataset(
    dataset: str | Path | Dataset,
    out: Path | str,
    format: Literal["jsonl", "csv", "parquet"] = "jsonl",
    *,
    overwrite: bool = False,
) -> Path:
    """The folder that was written; `load_dataset` of it equals `dataset`.

    Args:
        dataset: What to write. A picture that is missing stays missing, under its new name.
        out: A new or empty folder.
        format: Of the metadata file.
        overwrite: Whether an earlier export in `out` may be replaced; anything else there is refused still.
    """
    from mossbench.datasets import as_dataset

    dataset, out = as_dataset(dataset), Path(out)
    if format not in FORMATS:
        raise unknown_name("export format", format, FORMATS, f"formats are {', '.join(FORMATS)}")
    write = _writer(format)  # a missing extra is said before anything is written
    _check_free(out, overwrite)
    partial = out.with_name(f".{out.name}.{os.getpid()}.partial")
    try:
        partial.mkdir(parents=True)
        rows = _copy_pictures(dataset, partial)
        (partial / f"metadata.{format}").write_bytes(write(rows, _used_fields(dataset)))
        (partial / ABOUT).write_text(_about(dataset), encoding="utf-8")
        (partial / "README.md").write_text(_card(dataset, format), encoding="utf-8")
        _move_in_place(partial, out)
    except OSError as error:
        raise StorageError(
            f"cannot write {out}: {error.strerror or error}; free some space or choose another folder"
        ) from error
    finally:
        shutil.rmtree(partial, ignore_errors=True)
    return out


def _check_free(out: Path, overwrite: bool) -> None:
    if not out.exists():
        return
    if not out.is_dir():
        raise UsageError(f"{out} is a file; name a folder to export to")
    if any(out.iterdir()) and not (overwrite and _is_export(out)):
        hint = "not only an earlier export" if overwrite else "add `overwrite=True` to replace an earlier export"
        raise UsageError(f"{out} already holds files ({hint}); name a new folder")


def _is_export(out: Path) -> bool:
    """Whether the folder holds an earlier export and nothing else."""
    ours = {ABOUT, "README.md", "images", *(f"metadata.{format}" for format in FORMATS)}
    return (out / ABOUT).is_file() and {entry.name for entry in out.iterdir()} <= ours


def _move_in_place(partial: Path, out: Path) -> None:
    if out.exists():
        old = partial.with_suffix(".old")
        out.rename(old)
        partial.rename(out)
        shutil.rmtree(old)
    else:
        partial.rename(out)


def _copy_pictures(dataset: Dataset, folder: Path) -> list[dict[str, Any]]:
    """Rows for the metadata, after their pictures were copied under their new names."""
    used: set[str] = set()
    rows = []
    for number, sample in enumerate(dataset.samples, start=1):
        row = sample.model_dump(mode="json")
        stem = f"images/{sample.side}/{_safe_stem(sample.id, number)}"
        if sample.image is not None:
            row["image"] = _copy(dataset.picture_path(sample), folder, stem, used)
        without = dataset.counterfactual_path(sample)
        if without is not None:
            row["counterfactual"] = _copy(without, folder, f"{stem}-without-trigger", used)
        rows.append(row)
    return rows


def _safe_stem(id: str, number: int) -> str:
    return id if re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}", id) else f"sample-{number}"


def _copy(picture: Path, folder: Path, stem: str, used: set[str]) -> str:
    """The new path of the picture, relative to the folder; no file there when the picture is missing."""
    from mossbench.images import sniff

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
    return [field for field in Sample.model_fields if field in said]


def _writer(format: str) -> Callable[[list[dict[str, Any]], list[str]], bytes]:
    if format == "parquet":
        with needing("writing Parquet", "parquet"):
            import pyarrow  # noqa: F401
    return {"jsonl": _jsonl, "csv": _csv, "parquet": _parquet}[format]


def _jsonl(rows: list[dict[str, Any]], fields: list[str]) -> bytes:
    lines = [json.dumps({_COLUMNS.get(f, f): row[f] for f in fields}, ensure_ascii=False) + "\n" for row in rows]
    return "".join(lines).encode()


def _csv(rows: list[dict[str, Any]], fields: list[str]) -> bytes:
    text = io.StringIO(newline="")
    writer = csv.writer(text)  # ends lines with CR LF and so quotes cells that hold either
    writer.writerow([_COLUMNS.get(field, field) for field in fields])
    writer.writerows([_cell(row[field]) for field in fields] for row in rows)
    return text.getvalue().encode()


def _cell(value: Any) -> str:
    if value is None or value == []:
        return ""
    if isinstance(value, bool):
        return str(int(value))
    return json.dumps(value, ensure_ascii=False) if isinstance(value, list) else str(value)


def _parquet(rows: list[dict[str, Any]], fields: list[str]) -> bytes:
    import pyarrow as pa
    import pyarrow.parquet as pq

    region = pa.struct([("label", pa.string()), *((edge, pa.int64()) for edge in ("left", "top", "right", "bottom"))])
    types = {"harm": pa.int64(), "triggers": pa.list_(region)} | dict.fromkeys(
        ("human", "child", "syn", "ocr"), pa.bool_()
    )
    schema = pa.schema([(_COLUMNS.get(field, field), types.get(field, pa.string())) for field in fields])
    table = pa.Table.from_pylist([{_COLUMNS.get(f, f): row[f] for f in fields} for row in rows], schema=schema)
    sink = pa.BufferOutputStream()
    pq.write_table(table, sink)
    return bytes(sink.getvalue())


def _about(dataset: Dataset) -> str:
    about = {field: getattr(dataset, field) for field in ABOUT_FIELDS}
    hashes = {side.value: digest for side, digest in dataset.hashes.items()}
    return json.dumps(about | {"hashes": hashes}, indent=1, ensure_ascii=False) + "\n"


def _card(dataset: Dataset, format: str) -> str:
    """The dataset card; its head tells the hub which files belong to the set and what its licence is."""
    licence = next((tag for start, tag in _HUB_LICENCES.items() if dataset.licence.startswith(start)), "other")
    counts = ", ".join(f"{sum(s.side is side for s in dataset.samples)} {side}" for side in dataset.sides)
    parts = [
        f"---\nlicense: {licence}\nconfigs:\n- config_name: default\n  drop_labels: true\n"
        f'  data_files:\n  - split: test\n    path: ["metadata.{format}", "images/**"]\n---',
        f"# {dataset.name}",
        f"{len(dataset)} samples ({counts}), exported by mossbench; `describe_dataset` counts what is in it.",
        f"Licence: {dataset.licence or 'not stated'}.",
        f"Content warning: {dataset.warning}" if dataset.warning else "",
        f"Source: {dataset.source}{f', revision {dataset.revision}' if dataset.revision else ''}"
        if dataset.source
        else "",
        f"Please cite: {dataset.citation}" if dataset.citation else "",
    ]
    return "\n\n".join(part for part in parts if part) + "\n"
