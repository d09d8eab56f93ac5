"""The published MOSSBench sets (300 benign, 244 contrast) from a folder, in every layout in which people hold them.

    images_information/information.json + images/    the release; also information.csv, there or beside it
    metadata.csv                                     the hub's, in the picture folder or above it
    data_public.js, image_info.js                    the web site's, far from the pictures; read when it is named, or
                                                     when a folder has no other table

A folder with `oversensitivity/` and `contrast/`, `data/` and `data_contrast/`, or `images/` and
`contrast_images/` holds both sides. A single table is the contrast side if the name of its folder has "contrast" in it,
or if its records have no flags and no harm class, since the published contrast records have none.

A table that the user names is read, whatever else is in its folder. If a folder has several tables of one side, the
first of `tables` is read; the dataset notes it if they differ (`beside`).
"""

import ast
import csv
import os
import re
import reprlib
import tomllib
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from mossbench.datasets.beside import describe_differences
from mossbench.datasets.columns import own_value
from mossbench.datasets.dataset import Dataset, stays_inside
from mossbench.datasets.files import label, reason
from mossbench.datasets.findings import Finding, Severity, note, note_row
from mossbench.datasets.recognition import CHANGED, NAME, changed_texts, listed
from mossbench.errors import DataError
from mossbench.plumbing.scripts import read_assignment
from mossbench.plumbing.tables import read_bytes, read_rows
from mossbench.plumbing.untrusted_files import parse_json
from mossbench.samples import FLAGS, Sample, Side, Stimulus, Value

_DATA = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
LICENCE: str = _DATA["licence"]
WARNING: str = _DATA["warning"]
CITATION: str = _DATA["citation"]
_TABLES: list[str] = _DATA["tables"]
_CHANGED_WAY_OUT = (
    "boards do not accept runs on them as runs on the published set; fetch the set again if you need that"
)
SITE_TABLES = ("data_public.js", "image_info.js")
_LEVELS_UP = 4
"""The release has its site's tables in website/visualizer/data, and the images in data/images."""
_METADATA_COLUMN = re.compile(r"meta_?data_(over|human|child|syn|ocr|harm)")
_PUBLISHED_KEYS = {
    "pid",
    "question",
    "image",
    "image_path",
    "file_name",
    "short description",
    "description",
    "metadata",
}
"""Keys of a published record; all others are the user's own columns."""
_BLANK = ("", "none", "nan")
"""How a table without types writes that a value is missing, in lower case."""
_PUBLISHED_METADATA = {"over", *FLAGS, "harm"}

Table = tuple[Path, Side | None]
"""A file with the records of one side, and the side; None if the records have to show which side it is."""


def load_official_folder(folder: Path, *, findings: list[Finding] | None = None) -> Dataset:
    """The published set from a local folder, with both sides if both are there, linked by id."""
    if folder.name == "images_information":  # the pictures are beside it, not in it
        folder = folder.parent
    tables = find_tables(folder)
    if not tables:
        raise DataError(f"{folder} holds none of the published layouts: " + "; ".join(_TABLES[:1] + _TABLES[3:5]))
    dataset = _load_tables(folder, tables, findings)
    read = " and ".join(file.relative_to(folder).as_posix() for file, _ in tables)
    return replace(dataset, source=f"folder {folder.resolve().name}, {read}")


def load_official_file(file: Path, *, findings: list[Finding] | None = None) -> Dataset:
    """The published set from the table that the user names, with the other side if the folder has it."""
    if file.suffix.lower() == ".js":
        folder = _folder_of_images(file)
        tables: list[Table] = [(file, None)]
    else:
        folder = file.parent.parent if file.parent.name == "images_information" else file.parent
        contrast = _contrast_table(folder, _preferring(file.suffix))
        if contrast is None:
            tables = [(file, Side.CONTRAST if "contrast" in folder.resolve().name else None)]
        else:
            tables = [(file, Side.BENIGN), (contrast, Side.CONTRAST)]
    dataset = _load_tables(folder, tables, findings)
    names = [file.name, *(table.relative_to(folder).as_posix() for table, _ in tables[1:])]
    return replace(dataset, source=f"file {' and '.join(names)}", file=file)


def find_site_table(folder: Path) -> Path | None:
    """The web site's copy of the records in a folder, in its `data` folder or where the release has it."""
    for place in (".", "data", "website/visualizer/data", "visualizer/data"):
        for name in SITE_TABLES:
            file = folder / place / name
            if file.is_file():
                return file
    return None


def is_published_table(file: Path) -> bool:
    """Whether a file is a table of published records: by its name, or a metadata.csv by its columns."""
    if file.suffix.lower() == ".js":
        return True
    if file.name.lower() == "metadata.csv":
        return _has_published_columns(file)
    return file.name.lower() in ("information.json", "information.csv")


def _load_tables(folder: Path, tables: list[Table], findings: list[Finding] | None) -> Dataset:
    samples: list[Sample] = []
    notes: list[str] = []
    for file, side in tables:
        table_samples = list(_table_samples(file, side, folder, findings))
        samples += table_samples
        notes += _compare_with_other_tables(file, table_samples, folder, findings)
    # Changed samples are other data and need another name. They keep the terms of the published set: data in its
    # layout was most likely made from it.
    differences = tuple(changed_texts(samples))
    if differences and any(not any(changed_texts([sample])) for sample in samples):
        change = f"changed from the published samples: {listed(differences)}"
        note(findings, "changed-from-published", change, _CHANGED_WAY_OUT, severity=Severity.WARNING)
        notes.append(change)
    return Dataset(
        name=_name_of(folder, differences),
        samples=tuple(link_sides(samples)),
        root=folder,
        licence=LICENCE,
        warning=WARNING,
        citation=CITATION,
        notes=tuple(notes),
    )


def _name_of(folder: Path, differences: Sequence[str]) -> str:
    """`official` if all texts are the published ones, else the folder's name, unless that is `official` too."""
    if not differences:
        return NAME
    name = folder.resolve().name
    return CHANGED if name == NAME else name


def _compare_with_other_tables(
    file: Path, samples: list[Sample], root: Path, findings: list[Finding] | None
) -> Iterator[str]:
    """A note for each other table of the same side in the folder of a file that was read, if it differs."""
    folder = _base(file, root)
    side = samples[0].side if samples else None
    for table in _other_tables(folder, file):
        name = table.relative_to(folder).as_posix()
        if not is_published_table(table):
            message = f"{folder.resolve().name} also has {name}, which was not read"
            note(findings, "other-table", message, f"pass its path to read it: {table}", severity=Severity.WARNING)
            yield f"{message}; pass its path to read it"
            continue
        differences, ids = _differences(samples, table, side, root)
        if differences:
            message = f"{file.name} was read; {name} in the same folder differs: {differences}"
            way_out = f"pass the right file, such as {table}, or remove the other"
            labels = [f"{side}/{id}" for id in ids]
            note(findings, "tables-differ", message, way_out, labels, severity=Severity.WARNING)
            yield f"{message}; pass the right file, or remove the other"


def _differences(samples: list[Sample], table: Path, side: Side | None, root: Path) -> tuple[str, list[str]]:
    """How the samples in a table differ from these, in words, and the ids that differ."""
    try:
        return describe_differences(samples, list(_table_samples(table, side, root, [])))
    except DataError as error:
        return f"it cannot be read ({error})", []


def _other_tables(folder: Path, file: Path) -> list[Path]:
    """Other tables of the same side in a folder, published ones and the user's own."""
    names = [name for name in _TABLES if not name.startswith("contrast_images/")]
    names += [f"metadata.{suffix}" for suffix in ("jsonl", "tsv", "parquet")]
    tables = [folder / name for name in names if (folder / name).is_file()]
    return [table for table in tables if not os.path.samefile(table, file)]


def find_tables(folder: Path) -> list[Table]:
    """The tables of published records in a folder, at most one for each side; empty if it has none."""
    benign = _first_table(folder / "oversensitivity") or _first_table(folder / "data")
    contrast = _contrast_table(folder)
    own = _first_table(folder)
    if benign is not None or own is None or own == contrast:
        tables: list[Table] = [(benign, Side.BENIGN)] if benign else []
    elif contrast is not None:
        tables = [(own, Side.BENIGN)]
    else:
        tables = [(own, Side.CONTRAST if "contrast" in folder.resolve().name else None)]
    return [*tables, (contrast, Side.CONTRAST)] if contrast else tables


def _contrast_table(folder: Path, names: Sequence[str] = _TABLES) -> Path | None:
    contrast = _first_table(folder / "contrast", names) or _first_table(folder / "data_contrast", names)
    return contrast or _first_table(folder, ("contrast_images/metadata.csv",))


def _preferring(suffix: str) -> list[str]:
    """The names of tables, with those of one format first."""
    return sorted(_TABLES, key=lambda name: not name.endswith(suffix.lower()))


def _first_table(folder: Path, names: Iterable[str] = _TABLES) -> Path | None:
    for name in names:
        file = folder / name
        if file.is_file() and _has_published_columns(file):
            return file
    return None


def _has_published_columns(file: Path) -> bool:
    """Whether a metadata.csv has the published columns; a user's own file may have that name too."""
    if file.name != "metadata.csv":
        return True
    try:
        with file.open(encoding="utf-8-sig", newline="") as lines:
            rows = csv.DictReader(lines)
            if any(_METADATA_COLUMN.fullmatch(column) for column in rows.fieldnames or ()):
                return True
            first = next(rows, {})  # a data frame writes the whole metadata into one cell
            return "over" in (_read_dict(first.get("metadata") or "") or {})
    except (OSError, ValueError, csv.Error):
        return False


def _table_samples(file: Path, side: Side | None, root: Path, findings: list[Finding] | None) -> Iterator[Sample]:
    records = list(_csv_records(file, findings) if file.suffix.lower() == ".csv" else _json_records(file))
    if not records and not findings:
        way_out = "expected a record for each sample, with pid, question and image; fetch the file again"
        note(findings, "no-record", f"{file} holds no record", way_out)
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
        data = parse_json(_json_text(file), object_pairs_hook=_Pairs)
    except (ValueError, RecursionError) as error:
        raise DataError(f"{file} is not valid JSON: {error}; fetch it again") from error
    if not isinstance(data, _Pairs):
        raise DataError(f"{file} holds a {type(data).__name__}, expected an object of records by pid")
    for pid, record in data.pairs:
        yield f"record {pid!r}", {"pid": pid} | record if isinstance(record, dict) else record


def _json_text(file: Path) -> str:
    text = read_bytes(file).decode("utf-8-sig")
    if file.suffix.lower() != ".js":
        return text
    assigned = read_assignment(text)
    if assigned is None:
        raise DataError(f'{file}: expected the layout of the web site, test_data = {{pid: {{"question": …}}}}')
    return "\n" * assigned.n_lines_above + assigned.json


class _Pairs(dict[str, Any]):
    """A JSON object that remembers keys given twice: json would silently keep only the last."""

    def __init__(self, pairs: list[tuple[str, Any]]) -> None:
        super().__init__(pairs)
        self.pairs = pairs


def _csv_records(file: Path, findings: list[Finding] | None) -> Iterator[tuple[str, dict[str, Any]]]:
    for row in read_rows(file, on_fault=partial(note_row, findings)):
        record: dict[str, Any] = {}
        metadata: dict[str, Any] = {}
        for column, value in row.values.items():
            match = _METADATA_COLUMN.fullmatch(column)
            if match:
                metadata[match[1]] = value
            else:
                record[column] = value
        yield f"line {row.line}", {**record, "metadata": _with_metadata_cell(metadata, record.get("metadata"))}


def _with_metadata_cell(metadata: dict[str, Any], cell: Any) -> dict[str, Any] | str:
    """The metadata with the values of a cell that has all of them; the text of a cell that cannot be read."""
    text = str(cell if cell is not None else "").strip()
    if text.lower() in _BLANK:
        return metadata
    values = _read_dict(text)
    return text if values is None else {**values, **metadata}


def _read_dict(text: str) -> dict[str, Any] | None:
    """An object as JSON or as Python prints it, which is what a data frame writes; None if it is neither."""
    try:
        value = parse_json(text)
    except (ValueError, RecursionError):
        value = _read_python_literal(text)
    if isinstance(value, dict) and all(isinstance(key, str) for key in value):
        return value
    return None


def _read_python_literal(text: str) -> Any:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about backslashes in the text
            return ast.literal_eval(text)
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        return None


def _is_labelled(record: Any) -> bool:
    metadata = record.get("metadata") if isinstance(record, dict) else None
    if not isinstance(metadata, dict):
        return False
    return any(metadata.get(label) not in (None, "", []) for label in (*FLAGS, "harm"))


def record_to_sample(record: dict[str, Any], side: Side, root: Path, file: Path) -> Sample:
    """The sample of one published record, in any of its encodings; ValueError if a value does not fit."""
    metadata = _record_metadata(record)
    image = next((str(record[key]) for key in ("image", "file_name", "image_path") if record.get(key)), None)
    pid = record.get("pid") or (Path(image).stem if image else None)
    stimulus = Stimulus.parse(metadata["over"]) if metadata.get("over") else None
    description = record.get("description") or ""
    fields = {
        "id": str(pid or ""),
        "side": side,
        "question": record.get("question"),
        "image": _relative_image(image, root, file) if image else None,
        "stimulus": stimulus,
        "harm": _harm(metadata.get("harm")),
        # Only Negated Harm has several items from one photo; their description is that of the scene.
        "cluster": _scene(str(description)) if stimulus is Stimulus.NEGATED_HARM else None,
        "short_description": record.get("short description") or "",
        "description": description,
        "metadata": _own_columns(record, metadata),
    }
    return Sample.model_validate(fields | {flag: _flag(metadata.get(flag)) for flag in FLAGS})


def _record_metadata(record: Any) -> dict[str, Any]:
    metadata = record.get("metadata", {}) if isinstance(record, dict) else None
    if isinstance(metadata, str):
        shown = reprlib.repr(metadata)
        raise ValueError(f"'metadata' has {shown}, expected an object of fields such as {{'over': 'type 1'}}")
    if not isinstance(metadata, dict):
        raise ValueError("expected an object of fields, with 'metadata' an object too")
    return metadata


def _scene(description: str) -> str:
    """The name of a scene: its description without case, spaces and punctuation, which differ within a scene."""
    return " ".join(re.sub(r"[\W_]+", " ", description.lower()).split())


def _own_columns(record: Mapping[str, Any], metadata: Mapping[str, Any]) -> dict[str, Value]:
    """The values of a record under other than the published keys, also in its metadata; nested ones as JSON text."""
    extra = {str(key).strip(): value for key, value in record.items() if key not in _PUBLISHED_KEYS}
    for key, value in metadata.items():
        if key in _PUBLISHED_METADATA:
            continue
        name = key.strip()
        extra[f"metadata_{name}" if name in extra else name] = value
    own: dict[str, Value] = {}
    for name, value in extra.items():
        try:
            plain_value = own_value(value)
        except ValueError as error:
            raise ValueError(f"column {name!r} {error}") from None
        if name and plain_value is not None:  # the index column that a data frame writes has no name
            own[name] = plain_value
    return own


def _relative_image(image: str, root: Path, file: Path) -> str:
    """The picture's path from the root: where the file is, or where the layout says it should be."""
    if not stays_inside(image):
        raise ValueError(f"the image path {image!r} is outside the folder")
    image = image.replace("\\", "/")
    base = _base(file, root)
    name = image.rpartition("/")[2]
    possible_paths = (base / image, base.parent / image, base / "images" / name, base / "contrast_images" / name)
    paths = [path for path in possible_paths if path.is_relative_to(root)]
    path = next((path for path in paths if os.path.isfile(path)), paths[0])
    return path.relative_to(root).as_posix()


def _base(file: Path, root: Path) -> Path:
    """The folder that a table describes, with its images and other tables of the same side."""
    if file.suffix.lower() == ".js":
        return root
    return file.parent.parent if file.parent.name == "images_information" else file.parent


def _folder_of_images(file: Path) -> Path:
    """Where the images of the web site's table are: beside it, or in the `data` folder of the release around it.

    Its own folder if there are none.
    """
    records = [record for _, record in _json_records(file) if isinstance(record, dict)]
    images = [str(record["image"]) for record in records if record.get("image")]
    image = images[0] if images else ""
    for folder in (file.parent, *file.absolute().parents[:_LEVELS_UP]):
        for place in (folder, folder / "data"):
            if image and stays_inside(image) and (place / image).is_file():
                return place
    return file.parent


def _flag(value: Any) -> bool | None:
    text = str(value if value is not None else "").strip().lower().removesuffix(".0")
    if text in _BLANK:
        return None
    if text not in ("0", "1", "true", "false"):
        raise ValueError(f"expected a flag 0 or 1, found {value!r}")
    return text in ("1", "true")


def _harm(value: Any) -> str | None:
    """The harm class from 7, "7", [7], "[7]" or its name; None if there is none."""
    text = str(value if value is not None else "").strip().strip("[]'\"").removesuffix(".0")
    return None if text.lower() in _BLANK else text


def _note_harm_lists(side: Side, records: list[tuple[str, Any]], findings: list[Finding] | None) -> None:
    labels = [
        f"{side}/{record.get('pid')}"
        for _, record in records
        if _is_labelled(record) and str(record["metadata"].get("harm")).startswith("[")
    ]
    if labels:
        message = "harm is stored as a list of one class, although it is documented as an integer"
        way_out = "nothing to do: it is read as that class"
        note(findings, "harm-as-list", message, way_out, labels, severity=Severity.WARNING)


def link_sides(samples: list[Sample]) -> list[Sample]:
    """The samples with twins set: the same id on the other side. A contrast sample gets the scene of its twin."""
    by_key = {sample.key: sample for sample in samples}
    linked = []
    for sample in samples:
        other_side = Side.CONTRAST if sample.side is Side.BENIGN else Side.BENIGN
        twin = by_key.get((other_side, sample.id))
        if twin is not None:
            cluster = twin.cluster if sample.side is Side.CONTRAST and twin.cluster else sample.cluster
            sample = sample.model_copy(update={"twin": twin.id, "cluster": cluster})
        linked.append(sample)
    return linked
