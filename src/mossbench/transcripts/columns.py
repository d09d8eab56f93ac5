"""Which columns of a file of answers hold what: written behind its path, as in `answers.csv?response=output&id=key`.

Such a path can stand wherever a file of answers is named, also as `replay/answers.csv?response=output`, and a run that
is recorded with it is resumed with the same columns. An empty column means that no column holds the field.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, quote

from mossbench.errors import UsageError, some, unknown_name
from mossbench.plumbing.column_names import by_field

FIELDS = (
    *("id", "response", "question", "side", "epoch", "arm", "model", "image", "more_images", "stimulus"),
    *("refused", "kind", "annotator", "draw", "source", "hard", "disputed", "pair"),
)
"""What a column of a file of answers can hold."""
ID_FIELDS = ("id", "pid", "sample")
TEXT_FIELDS = ("response", "answer", "text")
OTHER_NAMES = {
    "id": ID_FIELDS,
    "response": TEXT_FIELDS,
    "question": ("question", "request"),
    "image": ("image", "image_path"),
}
FIELD_OF_NAME = {
    "pid": "id",
    "sample": "id",
    "answer": "response",
    "text": "response",
    "request": "question",
    "prompt": "question",
    "image_path": "image",
}
"""What whoever names a column may call its field."""
Record = dict[str, Any]
Records = Iterator[tuple[str, Record]]
"""Each record with its file and line."""


def with_columns(path: Path, columns: Mapping[str, str] | None) -> Path:
    """The path that names these columns (field -> column)."""
    if not columns:
        return path
    file, columns_in_path = split_columns(path)
    named = {**columns_in_path, **known_fields(columns)}
    pairs = [f"{field}={quote(column, safe='')}" for field, column in named.items()]
    return Path(f"{file}?{'&'.join(pairs)}")


def split_columns(path: Path) -> tuple[Path, dict[str, str]]:
    """The file itself, and the columns that stand behind its path."""
    if "?" not in path.name or path.exists():
        return path, {}
    name, _, text = path.name.partition("?")
    pairs = parse_qsl(text, keep_blank_values=True)
    columns = dict(pairs)
    are_pairs = all("=" in part for part in text.split("&"))
    if not are_pairs or len(columns) < len(pairs):
        raise UsageError(f"{text!r} behind {name} does not name columns, as in {name}?response=output&id=key")
    return path.with_name(name), known_fields(columns)


def known_fields(columns: Mapping[str, str]) -> dict[str, str]:
    """Field -> column, also where a field is called by another of its names; UsageError for one that answers lack."""
    columns_by_field = by_field(columns, FIELD_OF_NAME)
    for field in columns_by_field:
        if field not in FIELDS:
            raise unknown_name("field", field, FIELDS, f"fields of answers are {', '.join(FIELDS)}")
    return columns_by_field


def renamed(records: Records, columns: Mapping[str, str], path: Path) -> Records:
    """The records with the fields that these columns hold; UsageError before the first if no record has a column."""
    if not columns:
        yield from records
        return
    names: dict[str, None] = {}  # a set in order
    held_back: list[tuple[str, Record]] = []
    for place, record in records:
        held_back.append((place, record))
        names |= dict.fromkeys(record)
        if all(not column or _name_in(record, column) for column in columns.values()):
            break  # rows of JSON need not have all columns; mostly the first has
    for column in columns.values():
        if column and not _name_in(names, column):
            raise unknown_name("column", column, names, f"{path} has {some(map(repr, names), 12)}")
    for place, record in held_back:
        yield place, _renamed(record, columns)
    for place, record in records:
        yield place, _renamed(record, columns)


def _renamed(record: Record, columns: Mapping[str, str]) -> Record:
    """The record with the values of these columns under the names of their fields, beside what it has.

    A column that would be read as one of the fields, and is not to be, is called `original_…`.
    """
    replaced: set[str] = set()
    for field, column in columns.items():
        replaced.update(name for name in OTHER_NAMES.get(field, (field,)) if name != column)
    fields = {f"original_{name}" if name in replaced else name: value for name, value in record.items()}
    for field, column in columns.items():
        name = _name_in(record, column)
        if name:
            fields[field] = record[name]
    return fields


def _name_in(names: Mapping[str, Any], column: str) -> str:
    """The name of a column as it is in the file; those of a CSV are in lower case."""
    if column in names:
        return column
    return column.lower() if column.lower() in names else ""
