"""One's own dataset: a JSONL, CSV or Parquet file, or a folder with `metadata.jsonl|csv|parquet`.

One row is one sample, its columns are the fields of Sample. Only `question` is required; `id` is the number of
the row when it is not given. A CSV cell has no type, so an empty one means "not given"; everything else is
taken as it stands ("None", "nan" and leading zeros are text).
"""

from __future__ import annotations

import difflib
import math
import reprlib
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from mossbench.datasets import findings as found
from mossbench.datasets.dataset import Dataset, escape_message, stays_inside
from mossbench.datasets.findings import Finding, note
from mossbench.datasets.tables import FORMATS, Row, read_bytes, read_rows
from mossbench.errors import DataError
from mossbench.plumbing.reading import parse_json
from mossbench.samples import Sample

ALIASES = {"file_name": "image", "counterfactual_file_name": "counterfactual", "pid": "id"}
"""The hub's names for pictures, and the published name of the id."""
COLUMNS = (*Sample.model_fields, *ALIASES)
ABOUT = "dataset.json"
"""Beside the metadata of an exported folder: name, licence and the like."""
ABOUT_FIELDS = ("name", "source", "revision", "licence", "warning", "citation")


def load_file(path: Path, *, findings: list[Finding] | None = None) -> Dataset:
    """The dataset in a metadata file; pictures are relative to its folder.

    Args:
        path: A `.jsonl`, `.csv` or `.parquet` file.
        findings: When given, faulty rows are left out and reported here, and reading goes on.
    """
    about = _read_about(path.parent / ABOUT) if path.stem == "metadata" else {}
    name = about.pop("name", None) or (path.parent.resolve().name if path.stem == "metadata" else path.stem)
    samples: list[Sample] = []
    lines: dict[tuple[str, str], int] = {}
    told: set[str] = set()
    for number, row in enumerate(read_rows(path, findings=findings), start=1):
        _check_columns(path, row, told, findings)
        sample = _checked_sample(path, row, number, findings)
        if sample is None:
            continue
        first = lines.setdefault(sample.key, row.line)
        if first != row.line:
            message = f"{path}: lines {first} and {row.line} both hold sample {sample.id!r} ({sample.side})"
            note(found.error("duplicate-id", message, "give one of them another id", [label(sample)]), findings)
        samples.append(sample)
    if not samples and not findings:
        raise DataError(f"{path} holds no sample; expected at least one row with a 'question'")
    return Dataset(name=name, samples=tuple(samples), root=path.parent, **({"source": f"file {path.name}"} | about))


def label(sample: Sample) -> str:
    """How findings name a sample: `benign/12`."""
    return f"{sample.side}/{sample.id}"


def metadata_file(folder: Path) -> Path | None:
    """The folder's metadata file, or None when it has none; DataError when it has several."""
    files = [folder / f"metadata.{format}" for format in FORMATS if (folder / f"metadata.{format}").is_file()]
    if len(files) > 1:
        names = " and ".join(file.name for file in files)
        raise DataError(f"{folder} holds {names}; name the one to load, as in {files[0]}")
    return files[0] if files else None


def record_to_sample(values: dict[str, Any], number: int) -> Sample:
    """The sample of one row; ValueError or pydantic's ValidationError when a value does not fit.

    Args:
        values: Column name to value; empty and missing values mean "not given".
        number: The id when the row has none.
    """
    fields: dict[str, Any] = {}
    for column, value in values.items():
        field = ALIASES.get(column, column)
        value = _plain(field, value)
        if value is None:
            continue
        if field in fields:
            raise ValueError(f"column {column!r}: {field!r} is given twice, also under its other name")
        fields[field] = value
    return Sample(**({"id": str(number)} | fields))


def _plain(field: str, value: Any) -> Any:
    """A cell as Sample takes it: None for "not given", 1 for 1.0 (as pandas writes flags with gaps), text for ids."""
    if isinstance(value, float):
        value = None if math.isnan(value) else int(value) if value.is_integer() else value
    if value == "" and field not in ("question", "short_description", "description"):
        return None
    if field in ("id", "twin", "cluster") and type(value) is int:
        return str(value)
    if field in ("human", "child", "syn", "ocr", "harm") and isinstance(value, str):
        return value.strip().removesuffix(".0") or None
    if field == "triggers" and isinstance(value, str):
        return parse_json(value)
    return value


def _check_columns(path: Path, row: Row, told: set[str], findings: list[Finding] | None) -> None:
    """Note each column that means nothing here, once."""
    for column in [c for c in row.values if c not in COLUMNS and c not in told]:
        told.add(column)
        near = difflib.get_close_matches(column.lower(), COLUMNS, n=1)
        hint = f", did you mean {near[0]!r}?" if near else ""
        fix = f"rename or remove it; columns are {', '.join(Sample.model_fields)}"
        note(found.error("unknown-column", f"{path}, line {row.line}: unknown column {column!r}{hint}", fix), findings)


def _checked_sample(path: Path, row: Row, number: int, findings: list[Finding] | None) -> Sample | None:
    """The row's sample; None after a fault was noted."""
    where = f"{path}, line {row.line}"
    known = {column: value for column, value in row.values.items() if column in COLUMNS}
    try:
        sample = record_to_sample(known, number)
    except (ValueError, RecursionError) as error:  # pydantic's ValidationError is a ValueError
        note(found.error("malformed-row", f"{where}: {reason(error, known)}", "fix that row"), findings)
        return None
    for field in ("image", "counterfactual"):
        picture = getattr(sample, field)
        if picture is not None and not stays_inside(picture):
            message = f"{where}: {escape_message(path.stem, sample, picture)}"
            note(found.error("path-outside", message, "fix that row", [label(sample)]), findings)
            sample = sample.model_copy(update={field: None})
    return sample


def reason(error: Exception, values: dict[str, Any]) -> str:
    """The first thing wrong with a row: its column, its value and what was expected."""
    if not isinstance(error, ValidationError):
        return str(error)
    first = error.errors(include_url=False)[0]
    field = str(first["loc"][0]) if first["loc"] else "row"
    column = next((c for c in values if ALIASES.get(c, c) == field), field)
    if first["type"] == "missing":
        return f"column {column!r} is missing or empty"
    expected = first["msg"].removeprefix("Value error, ")
    return f"column {column!r} has {reprlib.repr(first['input'])}: {expected[:300]}"


def _read_about(path: Path) -> dict[str, Any]:
    """What an exported folder says of itself; empty when it does not."""
    if not path.is_file():
        return {}
    try:
        values = parse_json(read_bytes(path))
        return {field: values[field] for field in ABOUT_FIELDS if isinstance(values.get(field), str)}
    except (ValueError, RecursionError, AttributeError) as error:
        raise DataError(f"{path} is damaged: {error}; fix or remove it") from error
