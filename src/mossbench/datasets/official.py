"""The published MOSSBench sets (300 benign, 244 contrast) from a folder, in every layout in which people hold them.

    images_information/information.json + images/    the release; also information.csv, there or beside it
    metadata.csv                                     the hub's, in the picture folder or above it

A folder with `oversensitivity/` and `contrast/`, `data/` and `data_contrast/`, or `images/` and
`contrast_images/` holds both sides. Where there is one table only, a folder name with "contrast" makes it the
contrast side; otherwise records without any flag or harm class do, since the published contrast records have none.
"""

import csv
import os
import re
import tomllib
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from mossbench.datasets.dataset import Dataset, stays_inside
from mossbench.datasets.files import label, reason
from mossbench.datasets.findings import Finding, Severity, note, note_row
from mossbench.datasets.recognition import NAME, changed_texts, listed
from mossbench.errors import DataError
from mossbench.plumbing.reading import parse_json
from mossbench.plumbing.tables import read_bytes, read_rows
from mossbench.samples import FLAGS, Sample, Side, Stimulus

_DATA = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
LICENCE, WARNING, CITATION = _DATA["licence"], _DATA["warning"], _DATA["citation"]
_TABLES: list[str] = _DATA["tables"]
_CHANGED_WAY_OUT = "boards do not take runs on them as runs on the published set; fetch it again if that is wanted"
_COLUMN = re.compile(r"meta_?data_(over|human|child|syn|ocr|harm)")

Table = tuple[Path, Side | None]
"""The file with one side's records, and whose they are; None: the records must tell."""


def load_official_folder(folder: Path, *, findings: list[Finding] | None = None) -> Dataset:
    """The published set from a local folder, both sides where both are there, linked by id."""
    if folder.name == "images_information":  # pictures lie beside it, not in it
        folder = folder.parent
    tables = find_tables(folder)
    if not tables:
        raise DataError(f"{folder} holds none of the published layouts: " + "; ".join(_TABLES[:1] + _TABLES[3:5]))
    samples = link_sides([sample for table in tables for sample in _table_samples(*table, folder, findings)])
    folder_name = folder.resolve().name
    # Whoever changed the published samples has other data, and may not call them by the same name. The terms of the
    # published set are kept: what is in its layout was most likely made from it.
    differences = tuple(changed_texts(samples))
    notes = []
    if differences and any(not any(changed_texts([sample])) for sample in samples):
        notes.append(f"made from the published samples, and changed: {listed(differences)}")
        note(findings, "changed-from-published", notes[0], _CHANGED_WAY_OUT, severity=Severity.WARNING)
    return Dataset(
        name=folder_name if differences else NAME,
        samples=tuple(samples),
        root=folder,
        source=f"folder {folder_name}",
        licence=LICENCE,
        warning=WARNING,
        citation=CITATION,
        notes=tuple(notes),
    )


def find_tables(folder: Path) -> list[Table]:
    """The tables of published records in a folder, at most one a side; empty when it has none."""
    benign = _first_table(folder / "oversensitivity") or _first_table(folder / "data")
    contrast = _first_table(folder / "contrast") or _first_table(folder / "data_contrast")
    contrast = contrast or _first_table(folder, ("contrast_images/metadata.csv",))
    own = _first_table(folder)
    if benign is not None or own is None or own == contrast:
        tables: list[Table] = [(benign, Side.BENIGN)] if benign else []
    elif contrast is not None:
        tables = [(own, Side.BENIGN)]
    else:
        tables = [(own, Side.CONTRAST if "contrast" in folder.resolve().name else None)]
    return [*tables, (contrast, Side.CONTRAST)] if contrast else tables


def _first_table(folder: Path, names: Iterable[str] = _TABLES) -> Path | None:
    return next((folder / name for name in names if (folder / name).is_file() and _is_published(folder / name)), None)


def _is_published(file: Path) -> bool:
    """Whether a metadata.csv has the published columns; one's own file may have that name too."""
    if file.name != "metadata.csv":
        return True
    try:
        with file.open(encoding="utf-8-sig", newline="") as lines:
            return any(_COLUMN.fullmatch(column) for column in next(csv.reader(lines), []))
    except (OSError, ValueError, csv.Error):
        return False


def _table_samples(file: Path, side: Side | None, root: Path, findings: list[Finding] | None) -> Iterator[Sample]:
    records = list(_json_records(file) if file.suffix == ".json" else _csv_records(file, findings))
    side = side or (Side.BENIGN if any(_is_labelled(record) for _, record in records) else Side.CONTRAST)
    _note_harm_lists(side, records, findings)
    places: dict[str, str] = {}
    for where, record in records:
        try:
            sample = record_to_sample(record, side, root, file)
        except ValueError as error:
            message = f"{file}, {where}: {reason(error, {'id': 'pid'})}"
            note(findings, "malformed-row", message, "fix that record")
            continue
        if sample.id in places:
            message = f"{file}: {places[sample.id]} and {where} both hold sample {sample.id!r} ({side})"
            note(findings, "duplicate-id", message, "give one of them another pid", [label(sample)])
        places.setdefault(sample.id, where)
        yield sample


def _json_records(file: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    try:
        data = parse_json(read_bytes(file).decode("utf-8-sig"), object_pairs_hook=_Pairs)
    except (ValueError, RecursionError) as error:
        raise DataError(f"{file} is not valid JSON: {error}; fetch it again") from error
    if not isinstance(data, _Pairs):
        raise DataError(f"{file} holds a {type(data).__name__}, expected an object of records by pid")
    for pid, record in data.pairs:
        yield f"record {pid!r}", {"pid": pid} | record if isinstance(record, dict) else record


class _Pairs(dict[str, Any]):
    """An object that remembers keys given twice: json would keep the last one silently."""

    def __init__(self, pairs: list[tuple[str, Any]]) -> None:
        super().__init__(pairs)
        self.pairs = pairs


def _csv_records(file: Path, findings: list[Finding] | None) -> Iterator[tuple[str, dict[str, Any]]]:
    for row in read_rows(file, on_fault=partial(note_row, findings)):
        flat = [(_COLUMN.fullmatch(column), column, value) for column, value in row.values.items()]
        record = {column: value for match, column, value in flat if not match}
        yield f"line {row.line}", {**record, "metadata": {match[1]: value for match, _, value in flat if match}}


def _is_labelled(record: Any) -> bool:
    metadata = record.get("metadata") if isinstance(record, dict) else None
    return isinstance(metadata, dict) and any(metadata.get(f) not in (None, "", []) for f in (*FLAGS, "harm"))


def record_to_sample(record: dict[str, Any], side: Side, root: Path, file: Path) -> Sample:
    """The sample of one published record, in any of its encodings; ValueError when a value does not fit."""
    metadata = record.get("metadata", {}) if isinstance(record, dict) else None
    if not isinstance(metadata, dict):
        raise ValueError("expected an object of fields, with 'metadata' an object too")
    image = next((str(record[key]) for key in ("image", "file_name", "image_path") if record.get(key)), None)
    pid = record.get("pid") or (Path(image).stem if image else None)
    stimulus = Stimulus.parse(metadata["over"]) if metadata.get("over") else None
    description = record.get("description") or ""
    # Only Negated Harm has several items from one photo; there the description is that of the scene, less what does
    # not tell scenes apart: case, spaces and punctuation.
    scene = " ".join(re.sub(r"[\W_]+", " ", str(description).lower()).split())
    fields = {
        "id": str(pid or ""),
        "side": side,
        "question": record.get("question"),
        "image": _relative_image(image, root, file) if image else None,
        "stimulus": stimulus,
        "harm": _harm(metadata.get("harm")),
        "cluster": scene if stimulus is Stimulus.NEGATED_HARM else None,
        "short_description": record.get("short description") or "",
        "description": description,
    }
    return Sample.model_validate(fields | {flag: _flag(metadata.get(flag)) for flag in FLAGS})


def _relative_image(image: str, root: Path, file: Path) -> str:
    """The picture's path from the root: where it is found, else where the layout says that it belongs."""
    if not stays_inside(image):
        raise ValueError(f"the image path {image!r} leads out of the folder")
    image = image.replace("\\", "/")
    base = file.parent.parent if file.parent.name == "images_information" else file.parent
    name = image.rpartition("/")[2]
    tried = (base / image, base.parent / image, base / "images" / name, base / "contrast_images" / name)
    paths = [path for path in tried if path.is_relative_to(root)]
    path = next((path for path in paths if os.path.isfile(path)), paths[0])
    return path.relative_to(root).as_posix()


def _flag(value: Any) -> bool | None:
    text = str(value if value is not None else "").strip().lower().removesuffix(".0")
    if text in ("", "none", "nan"):
        return None
    if text not in ("0", "1", "true", "false"):
        raise ValueError(f"expected a flag 0 or 1, found {value!r}")
    return text in ("1", "true")


def _harm(value: Any) -> str | None:
    """The harm class from 7, "7", [7], "[7]" or its name; None when there is none."""
    text = str(value if value is not None else "").strip().strip("[]'\"").removesuffix(".0")
    return None if text.lower() in ("", "none", "nan") else text


def _note_harm_lists(side: Side, records: list[tuple[str, Any]], findings: list[Finding] | None) -> None:
    listed = [
        f"{side}/{record.get('pid')}"
        for _, record in records
        if _is_labelled(record) and str(record["metadata"].get("harm")).startswith("[")
    ]
    if listed:
        message = "harm is stored as a list of one, though it is documented as an integer"
        way_out = "nothing to do: it is read as the one class"
        note(findings, "harm-as-list", message, way_out, listed, severity=Severity.WARNING)


def link_sides(samples: list[Sample]) -> list[Sample]:
    """The samples with twins set: the same id on the other side. A contrast twin is of its twin's scene."""
    by_key = {sample.key: sample for sample in samples}
    linked = []
    for sample in samples:
        other = by_key.get((Side.CONTRAST if sample.side is Side.BENIGN else Side.BENIGN, sample.id))
        if other is not None:
            cluster = other.cluster if sample.side is Side.CONTRAST and other.cluster else sample.cluster
            sample = sample.model_copy(update={"twin": other.id, "cluster": cluster})
        linked.append(sample)
    return linked
