"""Which columns of files of answers hold answers and labels; where names do not say it, those whose values look so."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from mossbench.datasets.likely_columns import answer_column, request_column
from mossbench.errors import DataError, some
from mossbench.judges.application import ADDED, JudgedRow
from mossbench.judges.human import is_flag
from mossbench.transcripts import stream_records
from mossbench.transcripts.columns import FIELDS, OTHER_NAMES, TEXT_FIELDS, split_columns, with_columns
from mossbench.ways_out import SetOption

N_LOOKED_AT = 200
"""Rows that are looked at for the column of the answers."""
Paths = str | Path | Iterable[str | Path]
"""One file of answers, or several."""


def answer_files(paths: Paths, columns: Mapping[str, str] | None = None) -> list[Path]:
    """The files with their columns (field -> column); a DataError where one has no column of answers."""
    listed_paths = [paths] if isinstance(paths, (str, Path)) else list(paths)
    files = [with_columns(Path(path), columns) for path in listed_paths]
    for path in files:
        first_records = [record for _, record in islice(stream_records(path), N_LOOKED_AT)]
        file, columns_of_file = split_columns(path)
        check_has_answers(first_records, columns_of_file, str(file))
    return files


def check_has_answers(rows: Sequence[Mapping[str, Any]], columns: Mapping[str, str], source: str) -> None:
    """A DataError where no column has the name of the answers, which proposes the one whose values look right."""
    names = _names_of(rows)
    if not rows or "response" in columns or not names.keys().isdisjoint(TEXT_FIELDS):
        return
    own_columns = [name for name in names if name not in FIELDS and name not in columns.values()]
    answers = answer_column(rows, own_columns)
    proposed = {**columns, "response": answers or "COLUMN"}
    if answers is not None and "question" not in columns and names.keys().isdisjoint(OTHER_NAMES["question"]):
        requests = request_column(rows, [name for name in own_columns if name != answers])
        if requests is not None:
            proposed["question"] = requests
    listed = some(map(repr, names), 12)
    message = f"{source} has no column 'response' (or 'answer', or 'text'); its columns are {listed}"
    raise DataError(message, way_out=SetOption("columns", proposed, to="name the column of the answers"))


def label_way_out(rows: Sequence[JudgedRow]) -> tuple[SetOption, ...]:
    """Names the column that may hold the labels, where no row has one under its name; empty if no column may."""
    if any(_has_label(row.record) for row in rows):
        return ()
    records = [row.record for row in rows[:N_LOOKED_AT]]
    for name in _names_of(records):
        if name in FIELDS or name in ADDED or name.startswith("original_"):
            continue
        values = [str(record[name]) for record in records if record.get(name) not in (None, "")]
        if values and all(map(is_flag, values)):
            proposed = {**split_columns(rows[0].path)[1], "refused": name}
            return (SetOption("columns", proposed, to="name the column of the labels"),)
    return ()


def _has_label(record: Mapping[str, Any]) -> bool:
    return any(record.get(field) not in (None, "") for field in ("refused", "kind"))


def _names_of(rows: Iterable[Mapping[str, Any]]) -> dict[str, None]:
    """The names of all columns, in order."""
    names: dict[str, None] = {}
    for row in rows:
        names |= dict.fromkeys(row)
    return names
