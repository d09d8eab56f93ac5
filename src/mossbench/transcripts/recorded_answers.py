"""Reads recorded answers from JSONL, CSV, Parquet, the published results.json and the release's data.js.

A row needs an id (`id`, `pid` or `sample`) and a `response` (or `answer`, `text`), which is null if none was recorded.
`side`, `epoch`, `question` and `model` are used if they are given; other fields are ignored. Quotation marks that are
not part of the answer are removed (`quoting`).

Page residue: labels of buttons and notices that are copied with an answer from a web page. Only whole lines at the
beginning or end of an answer are removed, and only known labels. A word that may also end an answer, such as "Share",
is removed only together with another label.
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
from mossbench.transcripts.columns import FIELDS, ID_FIELDS, TEXT_FIELDS, renamed, split_columns
from mossbench.transcripts.quoting import removal_signal, strip_quoting

_FORMATS = ".jsonl, .csv, .tsv, .parquet or results.json"


@dataclass(frozen=True)
class TranscriptRow:
    """One recorded answer; `response` is None if none was recorded."""

    id: str
    response: str | None
    side: Side | None = None
    epoch: int = 1
    question: str | None = None
    fields: dict[str, Any] = field(default_factory=dict)
    """The row as it is in the file."""
    quoting: str = ""
    """Quotation marks that were removed from the response, in words; empty if none were."""


def read_transcript(path: Path) -> list[TranscriptRow]:
    """All rows of a transcript file; the first fault is a DataError with file and line."""
    rows: list[TranscriptRow] = []
    first_places: dict[tuple[str, Side | None, int], str] = {}
    for place, fields in stream_records(path):
        key = read_id(fields, place)
        id, side, epoch = key
        if key in first_places:
            raise DataError(
                f"{place}: id {id!r} appears a second time (first: {first_places[key]}); "
                "give each repeat an epoch number, or remove one of the two"
            )
        first_places[key] = place
        question = fields.get("question")
        response = read_response(fields, place)
        quoting = ""
        if response is not None:
            response, quoting = strip_quoting(response)
        rows.append(
            TranscriptRow(
                id=id,
                response=response,
                side=side,
                epoch=epoch,
                question=None if question is None else str(question),
                fields=fields,
                quoting=quoting,
            )
        )
    if not rows:
        raise DataError(f"{path}: no rows; expected one recorded answer per line")
    return rows


def stream_records(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Each record of a table, a published .json or a released .js file with its file and line, one after another.

    Behind the path may stand which columns hold what (`transcripts.columns`).
    """
    file, columns = split_columns(path)
    return renamed(_records(file), columns, file)


def _records(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    if path.is_dir():
        raise DataError(f"{path} is a folder; give one {_FORMATS} file in it")
    if not path.exists():
        raise UsageError(f"no file {str(path)!r}; give the path of a {_FORMATS} file")
    match path.suffix.lower():
        case ".jsonl" | ".ndjson" | ".csv" | ".tsv" | ".parquet":
            return _table_records(path)
        case ".json":
            return _published_records(path)
        case ".js":
            return _released_records(path)
    suffix = path.suffix or "no suffix"
    raise DataError(f"{path}: cannot tell the format from {suffix!r}; use {_FORMATS}")


def _table_records(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    suffix = path.suffix.lower()
    unit = "row" if suffix == ".parquet" else "line"
    for row in read_rows(path, names=(*ID_FIELDS, *TEXT_FIELDS), infinite=True):
        fields = row.values
        if suffix in (".csv", ".tsv"):  # has no null, so that an empty cell means it
            fields = {name.lower(): uncell(text) or None for name, text in row.values.items()}
        yield f"{path}, {unit} {row.line}", fields


def _published_records(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Records of a results.json, of the bare object of its responses, or of a list of such records."""
    content = _parse(path, read_text(path))
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
    model = {"model": content["model"]} if isinstance(content.get("model"), str) else {}
    for place, record in _by_pid(path, responses):
        yield place, {**model, **record}


def is_bare_map(content: Any) -> bool:
    """Whether this is only the object of responses, `{pid: {"response": …}}`, without the published one around it."""
    if not isinstance(content, dict) or not content:
        return False
    return all(_has_response(record) for record in content.values())


def _is_list_of_records(content: Any) -> bool:
    return isinstance(content, list) and bool(content) and all(_has_response(record) for record in content)


def _has_response(record: Any) -> bool:
    return isinstance(record, dict) and any(name in record for name in TEXT_FIELDS)


def _released_records(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Records of a data.js; two of the released files are empty and have no record."""
    text = read_text(path)
    if not text.strip():
        return
    assigned = read_assignment(text)
    if assigned is None:
        raise DataError(f"{path}: expected the released layout, cache['model'] = {{pid: {{\"response\": …}}}}")
    model = {} if assigned.key is None else {"model": assigned.key}
    for place, record in _by_pid(path, _parse(path, assigned.json, assigned.n_lines_above)):
        if assigned.key is None and "response" not in record:
            raise DataError(
                f"{place}: no response. {path.name} holds samples, not answers: use it as data, and as answers a "
                "data.js of one model, or a file of your own with a column response"
            )
        yield place, {**model, **record}


def _parse(path: Path, text: str, n_lines_above: int = 0) -> Any:
    """The JSON in a file, which begins after `n_lines_above` lines; a DataError with the line of the first fault."""
    try:
        return parse_json(text)
    except json.JSONDecodeError as error:
        raise DataError(f"{path}, line {error.lineno + n_lines_above}: not JSON ({error.msg})") from error
    except ValueError as error:
        raise DataError(f"{path}: {error}") from error


def _by_pid(path: Path, responses: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for pid, record in responses.items():
        place = f"{path}, pid {pid}"
        if not isinstance(record, dict):
            raise DataError(f"{place}: expected an object with a response, found {type(record).__name__}")
        if str(record.get("pid", pid)) != pid:
            raise DataError(f"{place}: the record has pid {record['pid']!r}; the two must be the same")
        yield place, {**record, "pid": pid}


def read_id(record: dict[str, Any], place: str) -> tuple[str, Side | None, int]:
    """Id, side (None if it is not given) and epoch of a record."""
    id = next((record[name] for name in ID_FIELDS if record.get(name) is not None), None)
    if id is None:
        raise DataError(f"{place}: no id; expected one of {', '.join(ID_FIELDS)}, {_found(record, 'id')}")
    try:
        side = Side(record["side"]) if record.get("side") else None
        return str(id).strip(), side, int(record.get("epoch") or 1)
    except (ValueError, TypeError) as error:
        raise DataError(f"{place}: {error}; side is benign or contrast, epoch a whole number") from error


def read_response(record: dict[str, Any], place: str) -> str | None:
    """The recorded answer; None if the record says that there is none."""
    name = next((name for name in TEXT_FIELDS if name in record), None)
    if name is None:
        raise DataError(f"{place}: no response; expected one of {', '.join(TEXT_FIELDS)}, {_found(record, 'response')}")
    response = record[name]
    if response is not None and not isinstance(response, str):
        raise DataError(f"{place}: {name} is {type(response).__name__}, expected text or null")
    return response


def _found(record: dict[str, Any], field: str) -> str:
    """What a record has, and how the column of a field that it lacks is named."""
    names = ", ".join(record) or "nothing"
    column = _longest_text(record) if field == "response" else "COLUMN"
    return f"found {names}; name the column behind the path, as in FILE?{field}={column}"


def _longest_text(record: dict[str, Any]) -> str:
    """The column that looks most like an answer: the one with the longest text."""
    texts = {
        name: len(value)
        for name, value in record.items()
        if isinstance(value, str) and name not in (*FIELDS, "request")
    }
    return max(texts, key=lambda name: texts[name], default="COLUMN")


_DATA = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
_CERTAIN_LABEL = re.compile("|".join(_DATA["sure"]), re.IGNORECASE)
_LIKELY_LABEL = re.compile("|".join(_DATA["likely"]), re.IGNORECASE)


def strip_residue(text: str) -> tuple[str, tuple[str, ...]]:
    """The answer without the residue around it, and the lines that were removed, in order."""
    lines = text.split("\n")
    n_before = _count_residue_lines(lines)
    n_after = _count_residue_lines(lines[n_before:][::-1])
    end = len(lines) - n_after
    removed = lines[:n_before] + lines[end:]
    if not removed:
        return text, ()
    answer = "\n".join(lines[n_before:end]).strip()
    return answer, tuple(line.strip() for line in removed if line.strip())


def clean_response(text: str) -> tuple[str, str]:
    """The answer without page residue and quotation marks that are not part of it, and what was removed, if anything.

    A text that is nothing but residue stays unchanged.
    """
    unquoted, quoting = strip_quoting(text)
    answer, residue = strip_residue(unquoted)
    if residue and not answer:
        return text, ""
    removed = []
    if residue:
        removed.append(f"text of the web page removed: {', '.join(residue)}")
        answer, quoting_inside = strip_quoting(answer)
        quoting = quoting or quoting_inside
    if quoting:
        removed.append(str(removal_signal(quoting)))
    return answer, "; ".join(removed)


def _count_residue_lines(lines: list[str]) -> int:
    """How many lines from the first on are residue; blank lines count only between labels."""
    n_lines = 0
    n_labels = 0
    has_certain_label = False
    for number, line in enumerate(lines, start=1):
        text = line.strip()
        if not text:
            continue
        is_certain = _CERTAIN_LABEL.fullmatch(text) is not None
        if not is_certain and not _LIKELY_LABEL.fullmatch(text):
            break
        n_lines = number
        n_labels += 1
        has_certain_label = has_certain_label or is_certain
    return n_lines if has_certain_label or n_labels > 1 else 0
