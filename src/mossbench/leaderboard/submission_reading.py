"""A submission from a file that may hold anything: part by part, every fault of form listed in plain words."""

import json
import math
import re
import reprlib
import tomllib
from pathlib import Path
from typing import TypeVar

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from mossbench.leaderboard.display_texts import CONTROL
from mossbench.leaderboard.submission_faults import MISSING, Fault
from mossbench.leaderboard.submission_records import Submission, SubmissionHead, SubmittedRow, SubmittedSide
from mossbench.samples import Record, Side

Part = TypeVar("Part", bound=Record)

MAX_BYTES = 20_000_000
"""A submission of 544 rows has 100 kB, with answers 2 MB."""
MAX_DEPTH = 8
READ_DEPTH = 100
"""What is deeper than MAX_DEPTH is a fault of its place; what is deeper than this is not read at all."""
MOST_VALUES = 300_000
"""Of 37,000 rows. What has more costs many times its size in memory and seconds, so it is refused before it is read."""
MOST_TEXT = 1_000_000
"""Bytes of one text: an answer has some thousands."""
MOST_ENTRIES = 1000
"""Of any object or list but that of rows."""
ENOUGH = 1000
"""Faults after which the rest is not looked at."""
_TOKEN = re.compile(rb'"(?:[^"\\]++|\\.)*+"?|[][{},]', re.DOTALL)
MOST_DIGITS = 15
_TEXTS = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
FAULT_WORDS: dict[str, str] = _TEXTS["words"]
"""By pydantic's name of a fault."""
PATTERN_WORDS: dict[str, str] = _TEXTS["patterns"]
"""By the field that has the pattern."""
SPARE_HEAD: dict[str, object] = _TEXTS["spare"]
"""Valid values for fields of `SubmissionHead` that are wrong in a file, so that its rows are checked too."""


def _read(path: Path, faults: list[Fault]) -> dict[str, object] | None:
    """The JSON object in the file, with faults that JSON readers let pass: NaN, a key given twice, too deep nesting."""
    raw = _read_bytes(path, faults)
    if raw is None:
        return None
    fault = outline_wrong(raw)
    if fault:
        faults.append(Fault(fault))
        return None
    content = _parse_json(raw, faults)
    if content is None:
        return None
    cleaned = _cleaned(content, (), 1, faults)
    if len(faults) > ENOUGH:
        faults[ENOUGH:] = [Fault("the rest was not checked")]
        return None
    return cleaned if isinstance(cleaned, dict) else None


def _read_bytes(path: Path, faults: list[Fault]) -> bytes | None:
    """The content of the file; None where there is none, or too much of it."""
    try:
        if not path.is_file():
            faults.append(Fault("not a file" if path.exists() else "no such file"))
            return None
        with path.open("rb") as file:
            raw = file.read(MAX_BYTES + 1)
    except OSError as error:
        faults.append(Fault(f"cannot be read: {error.strerror}"))
        return None
    if len(raw) > MAX_BYTES:
        faults.append(Fault(f"larger than {MAX_BYTES // 1_000_000} MB; a submission holds no images"))
        return None
    return raw


def _parse_json(raw: bytes, faults: list[Fault]) -> dict[str, object] | None:
    """The object in the file, each number and name in it checked; None where there is none."""

    def read_constant(name: str) -> None:
        faults.append(Fault(f"{name} is not a JSON number; use null where nothing counts"))

    def read_number(text: str) -> float | int | None:
        value: float | int = int(text) if len(text) <= MOST_DIGITS and text.lstrip("-").isdigit() else float(text)
        if math.isfinite(value) and abs(value) < 10**MOST_DIGITS:
            return value
        faults.append(Fault(f"the number {text[:40]} is too large"))
        return None

    def read_object(names_and_values: list[tuple[str, object]]) -> dict[str, object]:
        values: dict[str, object] = {}
        for name, value in names_and_values:
            if name in values:
                faults.append(Fault(f"{ascii(name[:40])} is given twice in one object"))
            values.setdefault(name, value)
        return values

    try:
        content = json.loads(
            raw.decode("utf-8-sig"),
            object_pairs_hook=read_object,
            parse_constant=read_constant,
            parse_float=read_number,
            parse_int=read_number,
        )
    except json.JSONDecodeError as error:
        faults.append(Fault(f"not JSON: line {error.lineno}, column {error.colno}"))
        return None
    except ValueError:
        faults.append(Fault("not JSON: it is not UTF-8 text"))
        return None
    if not isinstance(content, dict):
        faults.append(Fault("not a submission, expected an object as mossbench submit writes it"))
        return None
    return content


def outline_wrong(raw: bytes) -> str:
    """Why no reader should build this: nested too deeply, too many values, too long a text; or empty."""
    depth = 0
    n = 0
    for n_tokens, match in enumerate(_TOKEN.finditer(raw)):
        token = raw[match.start()]
        depth += (token in b"{[") - (token in b"}]")
        n += token in b"{[,"
        if depth > READ_DEPTH:
            return f"nested deeper than {MAX_DEPTH} levels"
        if match.end() - match.start() > MOST_TEXT:
            return f"a text of more than {MOST_TEXT:,} bytes"
        if n > MOST_VALUES or n_tokens > 4 * MOST_VALUES:
            return f"more than {MOST_VALUES:,} values; a submission has about eight for each row"
    return ""


def _cleaned(value: object, place: tuple[str, ...], depth: int, faults: list[Fault]) -> object:
    """The content without what is a fault in any place, so that the rest is checked.

    That is: control characters, nesting too deep, and more entries than anything but the rows has.
    """
    if len(faults) > ENOUGH:
        return None
    if depth > MAX_DEPTH:
        faults.append(Fault(f"nested deeper than {MAX_DEPTH} levels", place))
        return None
    holds_rows = len(place) > 1 and place[-1] == "responses"
    if isinstance(value, (dict, list)) and len(value) > MOST_ENTRIES and not holds_rows:
        text = f"{len(value):,} entries, at most {MOST_ENTRIES:,} are read"
        faults.append(Fault(text, place or ("the submission",)))
        return None if place else {}
    match value:
        case str() if CONTROL.search(value):
            faults.append(Fault(f"control characters in {ascii(value[:40])}", place))
            return CONTROL.sub("?", value)
        case list():
            return [
                _cleaned(element, _in_list(place, number), depth + 1, faults) for number, element in enumerate(value)
            ]
        case dict():
            return _cleaned_object(value, place, depth, faults)
        case _:
            return value


def _cleaned_object(
    content: dict[str, object], place: tuple[str, ...], depth: int, faults: list[Fault]
) -> dict[str, object]:
    cleaned = {}
    for name, value in content.items():
        if CONTROL.search(name):
            faults.append(Fault(f"control characters in the name {ascii(name[:40])}", place))
        clean_name = CONTROL.sub("?", name)
        cleaned[clean_name] = _cleaned(value, (*place, clean_name), depth + 1, faults)
    return cleaned


def _in_list(place: tuple[str, ...], number: int) -> tuple[str, ...]:
    """The place of an item of a list, as in `scores[3]`."""
    return (*place[:-1], f"{place[-1]}[{number}]")


def read_submission(path: Path, faults: list[Fault], faulty_fields: set[str]) -> SubmissionHead | None:
    """The submission in a file, or what there is of it; None: nothing. Adds faults, and the places that they are at.

    It is read part by part, so that one wrong part does not hide the faults of the others.
    """
    content = _read(path, faults)
    if content is None:
        return None
    sides = content.pop("sides", None)
    head = _validated(SubmissionHead, content, (), faults, faulty_fields, SPARE_HEAD)
    if not isinstance(sides, dict) or "benign" not in sides:
        faults.append(Fault("sides.benign is missing: boards rank by the harmless side"))
        return head
    parsed_sides: dict[Side, SubmittedSide] = {}
    for name, side in sides.items():
        if name not in list(Side):
            faults.append(Fault(f"sides.{name}: unknown side, expected {' or '.join(Side)}"))
            continue
        parsed_side = _parse_side(side, name, faults, faulty_fields)
        if parsed_side is not None:
            parsed_sides[Side(name)] = parsed_side
    if head is None or Side.BENIGN not in parsed_sides:
        return head
    return Submission(**head.model_dump(), sides=parsed_sides)


def _parse_side(side: object, name: str, faults: list[Fault], faulty_fields: set[str]) -> SubmittedSide | None:
    place = f"sides.{name}"
    if not isinstance(side, dict) or not isinstance(side.get("responses"), dict):
        faults.append(Fault(f"{place}.responses is missing: an object of rows by id"))
        return None
    rows = {}
    for n, (id, content) in enumerate(side["responses"].items()):
        if len(faults) > ENOUGH:
            faults.append(Fault(f"{place}: the rows after the first {n} were not checked"))
            break
        row = _validated(SubmittedRow, content, ("sides", name, "responses", id), faults, faulty_fields)
        if row is not None:
            rows[id] = row
    if len(rows) < len(side["responses"]):
        faulty_fields.update(
            (f"{place}.layers", f"{place}.reject Rate", f"{place}.ids")
        )  # of all rows, which are not all here
    spare: dict[str, object] = {"layers": {}, "reject Rate": {}}
    parsed = _validated(SubmittedSide, side | {"responses": {}}, ("sides", name), faults, faulty_fields, spare)
    return parsed.model_copy(update={"responses": rows}) if parsed else None


def _validated(
    record: type[Part],
    content: object,
    place: tuple[str, ...],
    faults: list[Fault],
    faulty_fields: set[str],
    spare: dict[str, object] | None = None,
) -> Part | None:
    """The part, read without the fields that are wrong (or with spare ones), so that the rest is checked too."""

    def read(fields: object) -> Part:
        return record.model_validate_json(json.dumps(fields, allow_nan=False), strict=True)

    try:
        return read(content)
    except ValidationError as error:
        errors = error.errors(include_url=False)
    faults += [_fault_in_field(error, record, place) for error in errors]
    wrong_fields = {str(error["loc"][0]) for error in errors if error["loc"]}
    faulty_fields.update(".".join((*place, name)) for name in wrong_fields)
    if not isinstance(content, dict):
        return None
    sound_fields = {name: value for name, value in content.items() if name not in wrong_fields}
    try:
        return read((spare or {}) | sound_fields)
    except ValidationError:
        return None


def _fault_in_field(error: ErrorDetails, record: type[Record], place: tuple[str, ...]) -> Fault:
    field = ".".join(str(part) for part in error["loc"] if part != "[key]")
    text = _fault_text(error)
    if not field:
        return Fault(text, place)
    if record is SubmittedRow:  # the field is no part of the place, so that a fault reads the same in all rows
        return Fault(f"{field}: {text}", place)
    return Fault(text, (*place, field))


def _fault_text(error: ErrorDetails) -> str:
    kind = error["type"]
    value = _value_text(error["input"])
    if kind == "string_pattern_mismatch":
        return f"{value}, expected {PATTERN_WORDS[str(error['loc'][0])]}"
    if kind in ("enum", "literal_error"):
        return f"{value}, expected {error['ctx']['expected']}"
    if kind == "string_too_long":
        return f"longer than {error['ctx']['max_length']} characters"
    if kind == "missing":
        return MISSING
    text = FAULT_WORDS.get(kind, "expected another value")
    if kind in ("extra_forbidden", "string_too_short"):
        return text
    return f"{value}, {text}"


def _value_text(value: object) -> str:
    """The value in a message, shortened. Of "is missing" it is the whole object, of which only the start is written."""
    text = ascii(value[:50]) if isinstance(value, str) else reprlib.repr(value)
    text = text.encode("ascii", "backslashreplace").decode()
    return text if len(text) <= 40 else f"{text[:40]}…"
