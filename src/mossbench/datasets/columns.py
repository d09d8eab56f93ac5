"""Which column of a user's file holds which field of Sample; all other columns are carried unchanged.

A field is recognised by its own name or an alias, in upper or lower case, or named by the user (`columns`).

Stimulus, harm class and flags have published values. A column of that name is read as the field if all its values are
published ones. A column with published and other values is read as the field too if it is a flag or if one of the other
values looks like a typo of a published one; rows with other values are then reported. Any other column of that name is
the user's own.
"""

import difflib
import json
import math
import reprlib
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mossbench.datasets.findings import Finding, Severity, note
from mossbench.datasets.likely_columns import image_column, request_column
from mossbench.errors import DataError, UsageError, some, unknown_name
from mossbench.plumbing.column_names import by_field
from mossbench.plumbing.tables import Row
from mossbench.plumbing.untrusted_files import parse_json
from mossbench.samples import FLAGS, EarlierMessage, Harm, Sample, Side, Stimulus, Value
from mossbench.ways_out import SetOption

FIELDS = tuple(name for name in Sample.model_fields if name != "metadata")
"""The fields that a column can hold; `metadata` has all columns that are no field."""
_COLUMN_NAMES_FILE = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
ALIASES: dict[str, str] = _COLUMN_NAMES_FILE["aliases"]
"""Other names of fields: the hub's for images, the published name of the id, and what people call a request."""
RECOGNISED_NAMES = (*FIELDS, *ALIASES)
"""Names of columns that are read as fields, in lower case."""
METADATA = "metadata"
"""A column of this name may hold several values with names, which are read as columns of their own."""
SIDES = {"harmless": Side.BENIGN, "harmful": Side.CONTRAST}
"""Other words for the two sides."""
OWN_PREFIX = "data_"
"""Begins the name of a column of one's own that would otherwise be read as a field or as `METADATA`."""
TEXTS = ("question", "short_description", "description")
"""Fields in which an empty cell is an empty text, and not a missing value."""
_TYPO_CUTOFF = 0.85
"""Two names that are at least so similar (difflib's ratio, from 0 to 1) may be one name with a typo."""
_FLAGS: dict[str, bool] = _COLUMN_NAMES_FILE["flags"]
"""What a flag may be written as."""


@dataclass(frozen=True)
class _PublishedLabel:
    """A field with published values, which a user's column of that name may or may not use."""

    parse: Callable[[str], object]
    """Reads one of the published values; ValueError or KeyError for any other."""
    names: tuple[str, ...] = ()
    """Names with which a typo is compared."""


def _read_history(text: str) -> list[EarlierMessage]:
    """Earlier messages as JSON, in small records with role, text and images."""
    records = json.loads(text)
    if not isinstance(records, list):
        raise ValueError("earlier messages are a list")
    return [EarlierMessage.model_validate(record) for record in records]


_STIMULUS_NAMES = [*(stimulus.value for stimulus in Stimulus), *(stimulus.title.lower() for stimulus in Stimulus)]
_PUBLISHED_LABELS: dict[str, _PublishedLabel] = {
    "stimulus": _PublishedLabel(Stimulus.parse, tuple(_STIMULUS_NAMES)),
    "harm": _PublishedLabel(Harm.parse, tuple(harm.title.lower() for harm in Harm)),
    "history": _PublishedLabel(_read_history),
    **{flag: _PublishedLabel(lambda text: _FLAGS[text.lower()]) for flag in FLAGS},
}


@dataclass(frozen=True)
class Layout:
    """What each column of a file is read as."""

    fields: Mapping[str, str]
    """Column -> field of Sample."""
    own_columns: Mapping[str, str]
    """Column of the user's own -> name under which it is carried."""
    typos: Mapping[str, str] = field(default_factory=dict)
    """Column of the user's own -> field that it may have been meant for."""

    def column(self, field: str) -> str:
        """The column that holds a field, or the field's own name."""
        return next((column for column, name in self.fields.items() if name == field), field)


def parse_columns(text: str) -> dict[str, str]:
    """`question=prompt,image=photo` as field -> column; an empty column means that no column holds that field."""
    pairs = [part.partition("=") for part in text.split(",") if part.strip()]
    if not pairs or not all(equals and name.strip() for name, equals, _ in pairs):
        raise UsageError(f"{text!r} is not FIELD=COLUMN, as in question=prompt,image=photo")
    columns: dict[str, str] = {}
    for name, _, column in pairs:
        field_name = name.strip()
        if field_name in columns:
            raise UsageError(f"{text!r} names two columns for {field_name!r}; name one")
        columns[field_name] = column.strip()
    return columns


def known_fields(columns: Mapping[str, str] | None) -> dict[str, str]:
    """Field -> column, also where a field is called by another of its names, such as `prompt`."""
    return by_field(columns or {}, ALIASES)


def recognise_columns(columns: Iterable[str], column_of_field: Mapping[str, str], where: str) -> Layout:
    """The layout of a file with these columns; `where` names the file in messages.

    `column_of_field` is the user's choice, which goes before any recognised name. An empty column means that no
    column holds the field.
    """
    columns = list(columns)
    chosen = _chosen_columns(columns, column_of_field, where)
    fields = _with_recognised_columns(chosen, columns, column_of_field, where)
    own_columns = _own_columns([column for column in columns if column not in fields], where)
    return Layout(fields, own_columns, _possible_typos(own_columns, fields, column_of_field))


def _chosen_columns(columns: list[str], column_of_field: Mapping[str, str], where: str) -> dict[str, str]:
    """The columns that the user names for fields, as column -> field."""
    fields: dict[str, str] = {}
    for field_name, column in column_of_field.items():
        if field_name not in FIELDS:
            raise unknown_name("field", field_name, FIELDS, f"fields are {', '.join(FIELDS)}")
        if column and column not in columns:
            raise unknown_name("column", column, columns, f"{where} has {_quoted(columns)}")
        if column in fields:
            raise UsageError(
                f"column {column!r} is given for both {fields[column]!r} and {field_name!r}; give each its own column"
            )
        if column:
            fields[column] = field_name
    return fields


def _with_recognised_columns(
    chosen: Mapping[str, str], columns: list[str], column_of_field: Mapping[str, str], where: str
) -> dict[str, str]:
    """The chosen columns and those that have the name of a field or an alias, as column -> field."""
    fields = dict(chosen)
    names_of_fields = {name: name for name in FIELDS}
    for field_by_name in (names_of_fields, ALIASES):  # a field's own name goes before any alias
        for column in columns:
            field_name = field_by_name.get(column.strip().lower())
            if field_name is None or field_name in column_of_field or column in fields:
                continue
            if field_name not in fields.values():
                fields[column] = field_name
            elif field_name == "image":
                first = next(other for other, held in fields.items() if held == "image")
                message = f"{where}: columns {first!r} and {column!r} both name images"
                raise DataError(message, way_out=SetOption("columns", {"image": first}, to="choose one"))
    return fields


def _own_columns(columns: Iterable[str], where: str) -> dict[str, str]:
    """Columns that are no fields, with the names under which they are carried."""
    own_columns: dict[str, str] = {}
    for column in columns:
        name = column.strip().removeprefix(OWN_PREFIX)
        own_columns[column] = name if _needs_prefix(name) else column.strip()
    counts = Counter(own_columns.values())
    unclear = [column for column, name in own_columns.items() if not name or counts[name] > 1]
    if unclear:
        raise DataError(f"{where}: columns {_quoted(unclear)} have no name or the same name; rename them")
    return own_columns


def _possible_typos(
    own_columns: Iterable[str], fields: Mapping[str, str], column_of_field: Mapping[str, str]
) -> dict[str, str]:
    """Columns whose names are close to that of a field that no column holds."""
    taken = {*fields.values(), *column_of_field}
    free_fields = [name for name in FIELDS if name not in taken and len(name) > 3]
    typos: dict[str, str] = {}
    for column in own_columns:
        closest = difflib.get_close_matches(column.strip().lower(), free_fields, n=1, cutoff=_TYPO_CUTOFF)
        if closest:
            typos[column] = closest[0]
    return typos


def column_name(name: str) -> str:
    """The name of a column of one's own in a file, such that it is not read as a field."""
    return f"{OWN_PREFIX}{name}" if _needs_prefix(name) else name


def _needs_prefix(name: str) -> bool:
    """Whether a column of one's own with this name would be read as a field or as several columns."""
    return name.strip().lower() in (*RECOGNISED_NAMES, METADATA)


def check_columns(
    layout: Layout,
    column_of_field: Mapping[str, str],
    rows: Sequence[Row],
    source: str,
    root: Path,
    findings: list[Finding] | None,
) -> bool:
    """Whether there is a column of requests, and no column of images that would not be read as the images.

    If not, this is one finding for the file, and not one for each row; it proposes the columns whose values look right.
    """
    if not rows:
        return True
    cells = [row.values for row in rows]
    proposed = dict(column_of_field)
    if "image" not in layout.fields.values() and "image" not in column_of_field:
        images = image_column(cells, layout.own_columns, root)
        if images is not None:
            proposed["image"] = images
    columns = _quoted([*layout.fields, *layout.own_columns])
    if "question" not in layout.fields.values():
        proposed["question"] = likely_requests(layout, cells)
        message = f"{source} has no column 'question' (or 'prompt', or 'request'); its columns are {columns}"
        way_out = SetOption("columns", proposed, to="name the column of the requests")
        note(findings, "missing-column", message, way_out)
        return False
    if proposed.get("image") and "image" not in column_of_field:
        message = (
            f"{source} has no column 'image', but column {proposed['image']!r} holds paths of images; "
            "without a column of images the requests are asked alone"
        )
        way_out = SetOption("columns", proposed, to="name it (an empty column means none)")
        note(findings, "missing-column", message, way_out)
        return False
    return True


def likely_requests(layout: Layout, cells: Sequence[Mapping[str, Any]]) -> str:
    """The column that may hold the requests: by its values, else by its name, else the first."""
    by_values = request_column(cells, layout.own_columns)
    if by_values is not None:
        return by_values
    closest = difflib.get_close_matches("question", list(layout.own_columns), n=1)
    return closest[0] if closest else next(iter(layout.own_columns), "COLUMN")


def with_own_labels(layout: Layout, rows: Iterable[Row], findings: list[Finding] | None) -> Layout:
    """The layout in which label columns with unpublished values are the user's own, unless the values may be typos."""
    fields = dict(layout.fields)
    own_columns = dict(layout.own_columns)
    for column, name in layout.fields.items():
        if name not in _PUBLISHED_LABELS:
            continue
        values = _distinct_texts(row.values.get(column) for row in rows)
        unknown = [text for text in values if not _is_published(text, _PUBLISHED_LABELS[name])]
        if not unknown:
            continue
        has_published_values = len(unknown) < len(values)
        if has_published_values and _has_typo(unknown, _PUBLISHED_LABELS[name]):
            continue  # the row with the typo is reported when it is read
        if name == "history" and _is_meant_as_messages(column, unknown):
            continue  # a row without the messages before its request would be another request
        own_columns[column] = name
        del fields[column]
        if name == "history":
            message = f"column {column!r} is read as your own column: {_quoted(unknown)} are no list of messages"
            way_out = "messages before a request are a list of records with role and text"
            note(findings, "own-labels", message, way_out, severity=Severity.WARNING)
        elif has_published_values:
            message = f"column {column!r} is read as your own column: {_quoted(unknown)} are not published values"
            note(findings, "own-labels", message, "correct them if they are typos", severity=Severity.WARNING)
    return Layout(fields, own_columns, layout.typos)


def _distinct_texts(cells: Iterable[object]) -> list[str]:
    values = [own_value(cell) for cell in cells]
    return list(dict.fromkeys(str(value).strip().removesuffix(".0") for value in values if value is not None))


def _is_published(text: str, label: _PublishedLabel) -> bool:
    try:
        label.parse(text)
    except (ValueError, KeyError):
        return False
    return True


def _is_meant_as_messages(column: str, unknown: Iterable[str]) -> bool:
    """Whether values that cannot be read were meant as earlier messages: named by the user, or lists and records."""
    is_chosen = column.strip().lower() != "history"
    return is_chosen or any(text.startswith(("[", "{")) for text in unknown)


def _has_typo(unknown: Iterable[str], label: _PublishedLabel) -> bool:
    """Whether one of the unknown values looks like a typo of a published one; for flags every unknown value does."""
    if not label.names:
        return True
    return any(difflib.get_close_matches(text.lower(), label.names, n=1, cutoff=_TYPO_CUTOFF) for text in unknown)


def own_value(value: object) -> Value | None:
    """A cell as a column of one's own carries it; None if the cell is empty."""
    if isinstance(value, float):
        return _own_number(value)
    if value is None or value in ("", [], {}):
        return None
    if isinstance(value, (bytes, bytearray)):
        raise ValueError(f"holds {len(value)} bytes, which are not text; omit it")
    if isinstance(value, (list, dict, tuple)):
        return json.dumps(value, ensure_ascii=False, default=str)
    return value if isinstance(value, (str, bool, int)) else str(value)


def _own_number(value: float) -> Value | None:
    if math.isnan(value):
        return None
    if math.isinf(value):
        return str(value)
    return int(value) if value.is_integer() else value


def own_values(layout: Layout, cells: Mapping[str, object]) -> dict[str, Value]:
    """The values of a row in columns of one's own. `METADATA` with several named values is several columns."""
    values: dict[str, Value] = {}
    for column, name in layout.own_columns.items():
        cell = cells.get(column)
        named_cells = cell if name.lower() == METADATA and isinstance(cell, dict) else {name: cell}
        for key, named_cell in named_cells.items():
            try:
                value = own_value(named_cell)
            except ValueError as error:
                raise ValueError(f"column {column!r} {error}") from None
            if value is not None:
                values[str(key)] = value
    return values


def field_value(field: str, cell: Any) -> Any:
    """A cell as Sample takes it: None if it is empty, 1 for 1.0 (as pandas writes flags with gaps), text for ids."""
    value = _integer_if_whole(cell) if isinstance(cell, float) else cell
    if value is None or (value == "" and field not in TEXTS):
        return None
    if field == "side":
        return _side_value(value)
    if field in ("id", "twin", "cluster") and type(value) is int:
        return str(value)
    if field in ("triggers", "history") and isinstance(value, str):
        return parse_json(value)
    if field in _PUBLISHED_LABELS and isinstance(value, str):
        return value.strip().removesuffix(".0") or None
    return value


def _integer_if_whole(value: float) -> float | int | None:
    if math.isnan(value):
        return None
    return int(value) if value.is_integer() else value


def _side_value(value: object) -> str:
    text = str(value).strip().lower()
    if text not in (*SIDES, *Side):
        sides = "a side is benign (harmless) or contrast (harmful)"
        way_out = "if the column means something else, map side to no column"
        raise ValueError(f"has {reprlib.repr(value)}: {sides}; {way_out}")
    return SIDES.get(text, text)


def _quoted(names: Iterable[str]) -> str:
    """The first names in quotation marks, each cut to a readable length; `none` if there are none."""
    short_names = [name if len(name) <= 60 else f"{name[:60]}…" for name in names]
    return some((repr(name) for name in short_names), 12) or "none"
