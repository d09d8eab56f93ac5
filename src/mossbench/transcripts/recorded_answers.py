"""Recorded answers from files: JSONL, CSV, the published results.json and the release's data.js.

A row needs an id (`id`, `pid` or `sample`) and a `response` (or `answer`, `text`), null or absent
where none was recorded. `side`, `epoch`, `question` and `model` are used where they are there;
other fields are left alone. Quotation marks that belong to no answer are removed (`quoting`).

Page residue: labels of buttons and notices that come along when an answer is copied from a web product.

Only whole lines at the very beginning or end of an answer are looked at, and only labels that are known. A
word that might end an answer of its own, such as "Share", goes only with another label beside it.
"""

import json
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mossbench.errors import DataError, UsageError
from mossbench.plumbing.scripts import read_assignment
from mossbench.plumbing.spreadsheets import uncell
from mossbench.plumbing.tables import read_rows, read_text
from mossbench.plumbing.untrusted_files import parse_json
from mossbench.samples import Side
from mossbench.transcripts.quoting import removal_signal, strip_quoting

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
    quoting: str = ""
    """What quotation marks were removed from the response; empty where none were."""


def read_transcript(path: Path) -> list[TranscriptRow]:
    """All rows of a transcript file; the first fault is a DataError with file and line."""
    rows: list[TranscriptRow] = []
    seen: dict[tuple[str, Side | None, int], str] = {}
    for where, fields in stream_records(path):
        id, side, epoch = key = read_id(fields, where)
        if key in seen:
            raise DataError(
                f"{where}: id {id!r} appears a second time (first: {seen[key]}); "
                "give each repeat an epoch number, or remove one of the two"
            )
        seen[key], question = where, fields.get("question")
        asked = None if question is None else str(question)
        response = read_response(fields, where)
        quoting = ""
        if response is not None:
            response, quoting = strip_quoting(response)
        rows.append(TranscriptRow(id, response, side, epoch, asked, fields, quoting))
    if not rows:
        raise DataError(f"{path}: no rows; expected one recorded answer per line")
    return rows


def stream_records(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Each record of a .jsonl, .csv, published .json or released .js file with where it stands, line by line."""
    if path.is_dir():
        raise DataError(f"{path} is a folder; give one .jsonl, .csv or results.json file in it")
    if not path.exists():
        raise UsageError(f"no file {str(path)!r}; give the path of a .jsonl, .csv or .json file")
    readers = {".jsonl": _table_records, ".ndjson": _table_records, ".csv": _table_records}
    reader = (readers | {".json": _published_records, ".js": _released_records}).get(path.suffix.lower())
    if reader is None:
        suffix = path.suffix or "no suffix"
        raise DataError(f"{path}: cannot tell the format from {suffix!r}; use .jsonl, .csv or .json")
    return reader(path)


def _table_records(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    is_csv = path.suffix.lower() == ".csv"  # which has no null
    for row in read_rows(path, names=(*_ID_FIELDS, *_TEXT_FIELDS), infinite=True):
        cells = {name.lower(): uncell(text) or None for name, text in row.values.items()} if is_csv else row.values
        yield f"{path}, line {row.line}", cells


def _published_records(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Records of a results.json, of the bare object of its responses, or of a list of such records."""
    content = _parsed(path, read_text(path))
    if _is_list_of_records(content):
        for number, record in enumerate(content, start=1):
            yield f"{path}, record {number}", record
        return
    if is_bare_map(content):
        yield from _by_pid(path, content)
        return
    responses = content.get("responses") if isinstance(content, dict) else None
    if not isinstance(responses, dict):
        raise DataError(f'{path}: expected the published layout, an object with "responses" keyed by pid')
    stated = {"model": content["model"]} if isinstance(content.get("model"), str) else {}
    for where, record in _by_pid(path, responses):
        yield where, {**stated, **record}


def is_bare_map(content: Any) -> bool:
    """Whether this is the object of responses alone, `{pid: {"response": …}}`, without what is around it."""
    if not isinstance(content, dict) or not content:
        return False
    return all(_has_response(record) for record in content.values())


def _is_list_of_records(content: Any) -> bool:
    return isinstance(content, list) and bool(content) and all(_has_response(record) for record in content)


def _has_response(record: Any) -> bool:
    return isinstance(record, dict) and any(name in record for name in _TEXT_FIELDS)


def _released_records(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Records of a data.js; two of the released ones are empty files, which hold no row."""
    text = read_text(path)
    if not text.strip():
        return
    assigned = read_assignment(text)
    if assigned is None:
        raise DataError(f"{path}: expected the released layout, cache['model'] = {{pid: {{\"response\": …}}}}")
    named = {} if assigned.key is None else {"model": assigned.key}
    for where, record in _by_pid(path, _parsed(path, assigned.json, assigned.n_lines_above)):
        if assigned.key is None and "response" not in record:
            raise DataError(
                f"{where}: no response. {path.name} holds samples, not answers: use it as data, and as answers a "
                "data.js of one model, or a file of your own with a column response"
            )
        yield where, {**named, **record}


def _parsed(path: Path, text: str, above: int = 0) -> Any:
    """The JSON in a file, `above` lines below its top; a DataError with the line of the first fault."""
    try:
        return parse_json(text)
    except json.JSONDecodeError as error:
        raise DataError(f"{path}, line {error.lineno + above}: not JSON ({error.msg})") from error
    except ValueError as error:
        raise DataError(f"{path}: {error}") from error


def _by_pid(path: Path, responses: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for pid, record in responses.items():
        where = f"{path}, pid {pid}"
        if not isinstance(record, dict):
            raise DataError(f"{where}: expected an object with a response, found {type(record).__name__}")
        if str(record.get("pid", pid)) != pid:
            raise DataError(f"{where}: the record says pid {record['pid']!r}; the two must agree")
        yield where, {**record, "pid": pid}


def read_id(record: dict[str, Any], where: str) -> tuple[str, Side | None, int]:
    """Id, side (None where it does not say) and epoch of a record."""
    id = next((record[name] for name in _ID_FIELDS if record.get(name) is not None), None)
    if id is None:
        found = ", ".join(record) or "nothing"
        raise DataError(f"{where}: lacks an id; expected one of {', '.join(_ID_FIELDS)}, found {found}")
    try:
        return str(id).strip(), Side(record["side"]) if record.get("side") else None, int(record.get("epoch") or 1)
    except (ValueError, TypeError) as error:
        raise DataError(f"{where}: {error}; side is benign or contrast, epoch a whole number") from error


def read_response(record: dict[str, Any], where: str) -> str | None:
    """The recorded answer; None where the record says that there is none."""
    name = next((name for name in _TEXT_FIELDS if name in record), None)
    if name is None:
        found = ", ".join(record) or "nothing"
        raise DataError(f"{where}: lacks a response; expected one of {', '.join(_TEXT_FIELDS)}, found {found}")
    response = record[name]
    if response is not None and not isinstance(response, str):
        raise DataError(f"{where}: {name} is {type(response).__name__}, expected text or null")
    return response


_DATA = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
_SURE, _LIKELY = (re.compile("|".join(_DATA[what]), re.IGNORECASE) for what in ("sure", "likely"))


def strip_residue(text: str) -> tuple[str, tuple[str, ...]]:
    """The answer without the residue around it, and the lines that were taken off, in order."""
    lines = text.split("\n")
    head = _length(lines)
    tail = _length(lines[head:][::-1])
    taken = lines[:head] + lines[len(lines) - tail :]
    if not taken:
        return text, ()
    kept = "\n".join(lines[head : len(lines) - tail]).strip()
    return kept, tuple(line.strip() for line in taken if line.strip())


def clean_response(text: str) -> tuple[str, str]:
    """The answer without page residue and quotation marks that are no part of it, and what was removed.

    The second is empty where nothing was. A text that is nothing but residue stays as it is.
    """
    unquoted, quoting = strip_quoting(text)
    kept, residue = strip_residue(unquoted)
    if residue and not kept:
        return text, ""
    removed = []
    if residue:
        removed.append(f"text of the web page removed: {', '.join(residue)}")
        kept, quoting_inside = strip_quoting(kept)
        quoting = quoting or quoting_inside
    if quoting:
        removed.append(str(removal_signal(quoting)))
    return kept, "; ".join(removed)


def _length(lines: list[str]) -> int:
    """How many lines from the first on are residue; blank ones among them count, blank ones alone do not."""
    n, labels, sure = 0, 0, 0
    for number, line in enumerate(lines, start=1):
        label = line.strip()
        if not label:
            continue
        is_sure = _SURE.fullmatch(label) is not None
        if not is_sure and not _LIKELY.fullmatch(label):
            break
        n, labels, sure = number, labels + 1, sure + is_sure
    return n if sure or labels > 1 else 0
