"""Recorded answers from files: JSONL, CSV and the published results.json.

A row needs an id (`id`, `pid` or `sample`) and a `response` (or `answer`, `text`), null or absent
where none was recorded. `side`, `epoch`, `question` and `model` are used where they are there;
other fields are left alone.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mossbench.errors import DataError
from mossbench.samples import Side

_ID_FIELDS = ("id", "pid", "sample")
_TEXT_FIELDS = ("response", "answer", "text")


@dataclass(frozen=True)
class TranscriptRow:
    """One recorded answer; `response` is None where none was recorded."""

    id: str
    response: str | None
    side: Side | None = None
    epoch: int = 1
    question: str | None = None
    fields: dict[str, Any] = field(default_factory=dict)
    """The row as it stood in the file."""


def read_transcript(path: Path) -> list[TranscriptRow]:
    """All rows of a transcript file; the first fault is a DataError with file and line."""
    rows: list[TranscriptRow] = []
    seen: dict[tuple[Side | None, str, int], str] = {}
    for where, fields in _records(path):
        row = _row(fields, where)
        key = (row.side, row.id, row.epoch)
        if key in seen:
            raise DataError(
                f"{where}: id {row.id!r} is there already ({seen[key]}); "
                "give each repeat an `epoch` number, or remove one of the two"
            )
        seen[key] = where
        rows.append(row)
    if not rows:
        raise DataError(f"{path}: no rows; expected one recorded answer a line")
    return rows


def _records(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Each record with where it stands, for messages."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError as error:
        raise DataError(f"no transcript file {str(path)!r}; give the path of a .jsonl, .csv or .json file") from error
    except IsADirectoryError as error:
        raise DataError(f"{path} is a folder; give one .jsonl, .csv or results.json file in it") from error
    except (OSError, UnicodeDecodeError) as error:
        raise DataError(f"{path} cannot be read: {error}; a transcript is a UTF-8 text file") from error
    match path.suffix.lower():
        case ".csv":
            yield from _csv_records(path, text)
        case ".json":
            yield from _published_records(path, text)
        case ".jsonl" | ".ndjson":
            yield from _jsonl_records(path, text)
        case other:
            raise DataError(f"{path}: cannot tell the format from {other or 'no suffix'!r}; use .jsonl, .csv or .json")


def _jsonl_records(path: Path, text: str) -> Iterator[tuple[str, dict[str, Any]]]:
    for number, line in enumerate(text.split("\n"), start=1):  # not splitlines: U+2028 may stand inside a string
        if not line.strip():
            continue
        where = f"{path}, line {number}"
        try:
            record = json.loads(line)
        except json.JSONDecodeError as error:
            raise DataError(
                f"{where}: not JSON ({error.msg}, column {error.colno}); mend or remove the line"
            ) from error
        if not isinstance(record, dict):
            raise DataError(f"{where}: expected an object with an id and a response, found {type(record).__name__}")
        yield where, record


def _csv_records(path: Path, text: str) -> Iterator[tuple[str, dict[str, Any]]]:
    csv.field_size_limit(2**31 - 1)  # an answer may be longer than the module's 128 kB
    reader = csv.DictReader(io.StringIO(text, newline=""), strict=True)
    try:
        for record in reader:
            where = f"{path}, line {reader.line_num}"
            if None in record or None in record.values():
                raise DataError(f"{where}: {'more' if None in record else 'fewer'} cells than the header has columns")
            yield where, {key: (value if value != "" else None) for key, value in record.items()}
    except csv.Error as error:
        raise DataError(f"{path}, line {reader.line_num}: not CSV ({error})") from error


def _published_records(path: Path, text: str) -> Iterator[tuple[str, dict[str, Any]]]:
    try:
        content = json.loads(text)
    except json.JSONDecodeError as error:
        raise DataError(f"{path}, line {error.lineno}: not JSON ({error.msg})") from error
    responses = content.get("responses") if isinstance(content, dict) else None
    if not isinstance(responses, dict):
        raise DataError(f'{path}: expected the published layout, an object with "responses" keyed by pid')
    for pid, record in responses.items():
        where = f"{path}, pid {pid}"
        if not isinstance(record, dict):
            raise DataError(f"{where}: expected an object with a response, found {type(record).__name__}")
        if str(record.get("pid", pid)) != pid:
            raise DataError(f"{where}: the record says pid {record['pid']!r}; the two must agree")
        yield where, {**record, "pid": pid}


def _row(record: dict[str, Any], where: str) -> TranscriptRow:
    id_field = next((name for name in _ID_FIELDS if record.get(name) is not None), None)
    text_field = next((name for name in _TEXT_FIELDS if name in record), None)
    if id_field is None or text_field is None:
        wanted, names = ("an id", _ID_FIELDS) if id_field is None else ("a response", _TEXT_FIELDS)
        raise DataError(
            f"{where}: lacks {wanted}; expected one of {', '.join(names)}, found {', '.join(record) or 'nothing'}"
        )
    response, question = record[text_field], record.get("question")
    if response is not None and not isinstance(response, str):
        raise DataError(f"{where}: {text_field} is {type(response).__name__}, expected text or null")
    try:
        side = Side(record["side"]) if record.get("side") else None
        epoch = int(record.get("epoch") or 1)
    except (ValueError, TypeError) as error:
        raise DataError(f"{where}: {error}; side is benign or contrast, epoch a whole number") from error
    return TranscriptRow(
        str(record[id_field]), response, side, epoch, None if question is None else str(question), record
    )
