"""Which column of somebody's file is which field of Sample; all others are carried as they are.

A field is recognised by its own name or an alias, in any case of letters, or is told (`columns`). Stimulus, harm class
and flags are the published ones only where every value of the column is one; otherwise the column is the user's own.
"""

import difflib
import json
import math
import reprlib
import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mossbench.datasets.findings import Finding, Severity, note
from mossbench.errors import DataError, UsageError, some, unknown_name
from mossbench.plumbing.tables import Row
from mossbench.plumbing.untrusted_files import parse_json
from mossbench.samples import FLAGS, Harm, Sample, Side, Stimulus, Value
from mossbench.ways_out import SetOption

FIELDS = tuple(name for name in Sample.model_fields if name != "metadata")
_DATA = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
ALIASES: dict[str, str] = _DATA["aliases"]
"""Other names of fields: the hub's for images, the published name of the id, and what people call a request."""
NAMES = (*FIELDS, *ALIASES)
SIDES = {"harmless": Side.BENIGN, "harmful": Side.CONTRAST}
OWN = "data_"
"""Begins the name of a column of one's own where the rest would be taken for a field."""
TEXTS = ("question", "short_description", "description")
_FLAGS: dict[str, bool] = _DATA["flags"]
_LABELS: dict[str, tuple[Callable[[str], Any], tuple[str, ...]]] = {
    "stimulus": (Stimulus.parse, tuple(name for s in Stimulus for name in (s.value, s.title.lower()))),
    "harm": (Harm.parse, tuple(h.title.lower() for h in Harm)),
    **{flag: (lambda text: _FLAGS[text.lower()], ()) for flag in FLAGS},
}
"""How a label is read, and the names that a typo is compared with."""


@dataclass(frozen=True)
class Layout:
    fields: Mapping[str, str]
    """Column -> field of Sample."""
    own: Mapping[str, str]
    """Column -> name under which it is carried."""
    typos: Mapping[str, str] = field(default_factory=dict)
    """Column that is carried -> field that it may have been meant for."""

    def column(self, field: str) -> str:
        """The column that holds a field, or the field's own name."""
        return next((column for column, name in self.fields.items() if name == field), field)


def parse_columns(text: str) -> dict[str, str]:
    """`question=prompt,image=photo` as field -> column; an empty column means that no column is that field."""
    pairs = [part.partition("=") for part in text.split(",") if part.strip()]
    if not pairs or not all(equals and name.strip() for name, equals, _ in pairs):
        raise UsageError(f"{text!r} is not FIELD=COLUMN, as in question=prompt,image=photo")
    return {name.strip(): column.strip() for name, _, column in pairs}


def layout_of(columns: Iterable[str], told: Mapping[str, str], where: str) -> Layout:
    """What columns of these names are; `where` is the file, for messages.

    `told` is field -> column, before any name is recognised; an empty column for a field that there is none of.
    """
    columns = list(columns)
    fields: dict[str, str] = {}
    for name, column in told.items():
        if name not in FIELDS:
            raise unknown_name("field", name, FIELDS, f"fields are {', '.join(FIELDS)}")
        if column and column not in columns:
            raise unknown_name("column", column, columns, f"{where} has {_some(columns)}")
        if column in fields:
            raise UsageError(f"column {column!r} is named for {fields[column]!r} and {name!r}; name another for one")
        fields |= {column: name} if column else {}
    for names in ({name: name for name in FIELDS}, ALIASES):  # a field's own name before any other
        for column in columns:
            name = names.get(column.strip().lower(), "")
            if not name or name in told or column in fields:
                continue
            if name not in fields.values():
                fields[column] = name
            elif name == "image":
                taken = next(one for one, field in fields.items() if field == "image")
                message = f"{where}: columns {taken!r} and {column!r} both name images"
                raise DataError(message, way_out=SetOption("columns", {"image": taken}, to="say which one"))
    plain_names = {column: column.strip().removeprefix(OWN) for column in columns if column not in fields}
    own = {column: name if name.lower() in NAMES else column.strip() for column, name in plain_names.items()}
    unclear = [c for c, name in own.items() if not name or list(own.values()).count(name) > 1]
    if unclear:
        raise DataError(f"{where}: columns {_some(unclear)} have no name, or the same one; rename them")
    left = [name for name in FIELDS if name not in fields.values() and name not in told and len(name) > 3]
    near = {column: difflib.get_close_matches(column.strip().lower(), left, n=1, cutoff=0.85) for column in own}
    return Layout(fields, own, {column: names[0] for column, names in near.items() if names})


def column_name(name: str) -> str:
    """The name of a column of one's own in a file, where no field's name may be taken for it."""
    return f"{OWN}{name}" if name.strip().lower() in (*NAMES, "metadata") else name


def check_question(layout: Layout, rows: list[Row], where: str, findings: list[Finding] | None) -> bool:
    """Whether there is a column of requests; one finding for the file where there is none."""
    if not rows or "question" in layout.fields.values():
        return True
    near = difflib.get_close_matches("question", list(layout.own), n=1)
    meant = near[0] if near else next(iter(layout.own), "COLUMN")
    columns = _some([*layout.fields, *layout.own])
    message = f"{where} has no column 'question' (or 'prompt', or 'request'); its columns are {columns}"
    way_out = SetOption("columns", {"question": meant}, to="say which one holds the requests")
    note(findings, "missing-column", message, way_out)
    return False


def with_own_labels(layout: Layout, rows: list[Row], findings: list[Finding] | None) -> Layout:
    """The layout with those labels carried as they are that are no published ones."""
    fields, own = dict(layout.fields), dict(layout.own)
    for column, name in layout.fields.items():
        if name not in _LABELS:
            continue
        parse, known = _LABELS[name]
        said = (plain(row.values.get(column)) for row in rows)
        values = dict.fromkeys(str(one).strip().removesuffix(".0") for one in said if one is not None)
        unknown = [text for text in values if not _parses(parse, text)]
        some_known = len(unknown) < len(values)
        typo = some_known and (not known or any(difflib.get_close_matches(t.lower(), known, 1, 0.85) for t in unknown))
        if not unknown or typo:
            continue
        own[column] = name
        del fields[column]
        if some_known:
            message = f"column {column!r} is taken as your own: {_some(unknown)} are not among the published values"
            note(findings, "own-labels", message, "correct them, if they were meant to be", severity=Severity.WARNING)
    return Layout(fields, own, layout.typos)


def _parses(parse: Callable[[str], Any], text: str) -> bool:
    try:
        parse(text)
    except (ValueError, KeyError):
        return False
    return True


def plain(value: Any) -> Value | None:
    """A value as a column of one's own carries it; None for "not given"."""
    if isinstance(value, float):
        if math.isnan(value):
            return None
        return str(value) if math.isinf(value) else int(value) if value.is_integer() else value
    if value is None or value in ("", [], {}):
        return None
    if isinstance(value, (bytes, bytearray)):
        raise ValueError(f"holds {len(value)} bytes, which are no text; omit it")
    if isinstance(value, (list, dict, tuple)):
        return json.dumps(value, ensure_ascii=False, default=str)
    return value if isinstance(value, (str, bool, int)) else str(value)


def own_values(layout: Layout, values: Mapping[str, Any]) -> dict[str, Value]:
    """What a row says in columns of one's own. A column `metadata` with several named values is several columns."""
    found_: dict[str, Value] = {}
    for column, name in layout.own.items():
        value = values.get(column)
        pairs = value.items() if name.lower() == "metadata" and isinstance(value, dict) else [(name, value)]
        try:
            found_ |= {str(key): kept for key, one in pairs if (kept := plain(one)) is not None}
        except ValueError as error:
            raise ValueError(f"column {column!r} {error}") from None
    return found_


def field_value(field: str, value: Any) -> Any:
    """A cell as Sample takes it: None for "not given", 1 for 1.0 (as pandas writes flags with gaps), text for ids."""
    if isinstance(value, float):
        value = None if math.isnan(value) else int(value) if value.is_integer() else value
    if value == "" and field not in TEXTS:
        return None
    if field == "side" and value is not None:
        text = str(value).strip().lower()
        if text not in (*SIDES, *Side):
            sides = "a side is benign (harmless) or contrast (harmful)"
            other = "if the column is something else, map side to no column"
            raise ValueError(f"has {reprlib.repr(value)}: {sides}; {other}")
        return SIDES.get(text, text)
    if field in ("id", "twin", "cluster") and type(value) is int:
        return str(value)
    if field in _LABELS and isinstance(value, str):
        return value.strip().removesuffix(".0") or None
    if field == "triggers" and isinstance(value, str):
        return parse_json(value)
    return value


def _some(names: Iterable[str]) -> str:
    return some((repr(name if len(name) <= 60 else f"{name[:60]}…") for name in names), 12) or "none"
