"""Whether a board can take a submission: everything that is wrong with it, not just the first thing."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from datetime import date
from pathlib import Path
from typing import Any, TypeVar

from pydantic import ValidationError

from mossbench.datasets import Dataset, load_dataset
from mossbench.leaderboard.submissions import (
    CONTROL,
    Making,
    Submission,
    SubmittedRow,
    SubmittedSide,
    layer_counts,
    rates_of,
    rejected,
    stimulus_of,
)
from mossbench.outcomes import Layer
from mossbench.samples import Record, Side

Part = TypeVar("Part", bound=Record)

MAX_BYTES = 20_000_000
"""A submission of 544 rows has 100 kB, with answers 2 MB."""
MAX_DEPTH = 8
MOST_FAULTS = 50
SPARE = {
    "format": "mossbench submission 1",
    "model": "?",
    "availability": "open",
    "date": "2000-01-01",
    "mossbench": "0.0",
    "dataset": "?",
    "judge": "?/?",
}
"""Stand in for what is wrong in a submission that is refused anyway, while its rows are checked."""


def check_submission(
    path: str | Path, *, others: Iterable[Submission] = (), data: Dataset | None = None
) -> tuple[Submission | None, tuple[str, ...]]:
    """The submission in a file and everything that is wrong with it; None when it cannot be counted at all.

    Args:
        path: The file.
        others: What is on the board already: no model may be there twice, and the same data have the same ids.
        data: The dataset, where it is at hand; that of the name `sketches` always is.
    """
    faults: list[str] = []
    content = _read(Path(path), faults)
    if content is None:
        return None, tuple(faults)
    submission = _parse(content, faults)
    if submission is not None:
        faults += _rows_wrong(submission)
        faults += _data_wrong(submission, data)
        faults += _board_wrong(submission, others)
    shown = list(dict.fromkeys(faults))
    if len(shown) > MOST_FAULTS:
        shown = [*shown[:MOST_FAULTS], f"and {len(shown) - MOST_FAULTS} more"]
    return submission, tuple(shown)


def _read(path: Path, faults: list[str]) -> dict[str, Any] | None:
    """The JSON object in the file, with faults that JSON readers let pass: NaN, a key given twice, too deep nesting."""
    try:
        if not path.is_file():
            faults.append("not a file" if path.exists() else "no such file")
            return None
        with path.open("rb") as file:
            raw = file.read(MAX_BYTES + 1)
    except OSError as error:
        faults.append(f"cannot be read: {error.strerror}")
        return None
    if len(raw) > MAX_BYTES:
        faults.append(f"larger than {MAX_BYTES // 1_000_000} MB; a submission holds no pictures")
        return None

    def constant(name: str) -> None:
        faults.append(f"{name} is no JSON number; use null where nothing counts")

    def pairs(found: list[tuple[str, Any]]) -> dict[str, Any]:
        known: dict[str, Any] = {}
        for name, value in found:
            if name in known:
                faults.append(f"{name!r} is given twice in one object, as a duplicate id is")
            known.setdefault(name, value)
        return known

    try:
        content = json.loads(raw.decode("utf-8"), parse_constant=constant, object_pairs_hook=pairs)
    except RecursionError:
        faults.append(f"nested deeper than {MAX_DEPTH} levels")
        return None
    except ValueError as error:  # also of bytes that are not UTF-8
        faults.append(f"not JSON: {error}")
        return None
    if not isinstance(content, dict):
        faults.append(f"a JSON {type(content).__name__}, expected an object as `mossbench submit` writes it")
        return None
    faults += _strings_wrong(content, "", 1)
    return content


def _strings_wrong(value: Any, place: str, depth: int) -> Iterator[str]:
    if depth > MAX_DEPTH:
        yield f"{place}: nested deeper than {MAX_DEPTH} levels"
    elif isinstance(value, str):
        if CONTROL.search(value):
            yield f"{place}: control characters in {value[:40]!r}"
    elif isinstance(value, list):
        for number, item in enumerate(value):
            yield from _strings_wrong(item, f"{place}[{number}]", depth + 1)
    elif isinstance(value, dict):
        for name, item in value.items():
            if CONTROL.search(name):
                yield f"{place}: control characters in the name {name[:40]!r}"
            yield from _strings_wrong(item, f"{place}.{name}" if place else name, depth + 1)


def _parse(content: dict[str, Any], faults: list[str]) -> Submission | None:
    """The submission, part by part, so that one wrong part does not hide the faults of the others."""
    sides = content.pop("sides", None)
    making = _validated(Making, content, "", faults, SPARE)
    if not isinstance(sides, dict) or "benign" not in sides:
        faults.append("sides.benign is missing: boards rank by the harmless side")
        return None
    found: dict[Side, SubmittedSide] = {}
    for name, side in sides.items():
        if name not in list(Side):
            faults.append(f"sides.{name}: unknown side, expected {' or '.join(Side)}")
            continue
        parsed = _parse_side(side, f"sides.{name}", faults)
        if parsed is not None:
            found[Side(name)] = parsed
    if making is None or Side.BENIGN not in found:
        return None
    return Submission(**making.model_dump(), sides=found)


def _parse_side(side: Any, place: str, faults: list[str]) -> SubmittedSide | None:
    if not isinstance(side, dict) or not isinstance(side.get("responses"), dict):
        faults.append(f"{place}.responses is missing: an object of rows by id")
        return None
    rows = {
        id: row
        for id, content in side["responses"].items()
        if (row := _validated(SubmittedRow, content, f"{place}.responses.{id}", faults)) is not None
    }
    parsed = _validated(SubmittedSide, side | {"responses": {}}, place, faults)
    return parsed.model_copy(update={"responses": rows}) if parsed else None


def _validated(
    record: type[Part], content: Any, place: str, faults: list[str], spare: dict[str, Any] | None = None
) -> Part | None:
    """The part, read without the fields that are wrong (or with spare ones), so that the rest is checked too."""

    def read(fields: Any) -> Part:
        return record.model_validate_json(json.dumps(fields, allow_nan=False), strict=True)

    try:
        return read(content)
    except ValidationError as error:
        found = error.errors(include_url=False)
    for fault in found:
        where = ".".join([*([place] if place else []), *map(str, fault["loc"])])
        faults.append(f"{where}: {fault['msg']}" if where else fault["msg"])
    if not isinstance(content, dict):
        return None
    wrong = {str(fault["loc"][0]) for fault in found if fault["loc"]}
    try:
        return read((spare or {}) | {name: value for name, value in content.items() if name not in wrong})
    except ValidationError:
        return None


def _rows_wrong(submission: Submission) -> Iterator[str]:
    """Rows that contradict themselves, and counts and rates that are not those of the rows."""
    try:
        date.fromisoformat(submission.date)
    except ValueError:
        yield f"date: there is no {submission.date}"
    for side, content in submission.sides.items():
        place = f"sides.{side}"
        if not content.responses:
            yield f"{place}.responses: no rows"
        for id, row in content.responses.items():
            yield from (f"{place}.responses.{id}: {fault}" for fault in _row_wrong(id, row, submission))
        if content.layers != (counts := layer_counts(content.responses)):
            told, made = ({str(layer): n for layer, n in found.items() if n} for found in (content.layers, counts))
            yield f"{place}.layers: {told}, but the rows give {made}"
        yield from _rates_wrong(place, content, submission)


def _row_wrong(id: str, row: SubmittedRow, submission: Submission) -> Iterator[str]:
    if row.pid != id:
        yield f"pid is {row.pid!r}, expected the row's own id"
    if "over" in row.metadata and stimulus_of(row) is None:
        yield f"metadata.over is {row.metadata['over']!r}, expected type 1, 2 or 3"
    judged = row.layer is Layer.JUDGED
    if judged and (row.kind is None) == (row.refused is None):
        yield "a judged row has either a kind or refused"
    elif not judged and (row.kind is not None or row.refused is not None):
        yield f"a row that is {row.layer} has neither kind nor refused"
    elif row.rejected != (expected := rejected(row.outcome, submission.rule)):
        yield f"rejected is {row.rejected}, but {row.outcome.label} counts as {expected} under rule {submission.rule}"


def _rates_wrong(place: str, content: SubmittedSide, submission: Submission) -> Iterator[str]:
    made = rates_of(content.responses, submission.rule)
    for name in sorted(set(made) | set(content.rates)):
        told = content.rates.get(name)
        if name not in made or name not in content.rates:
            yield f"{place}.reject Rate: {name!r} is {'unknown' if name not in made else 'missing'}"
        elif (told is None) != (made[name] is None) or abs((told or 0) - (made[name] or 0)) > 1e-6:
            yield f"{place}.reject Rate.{name} is {told}, but the rows give {made[name]}"


def _data_wrong(submission: Submission, data: Dataset | None) -> Iterator[str]:
    """Ids, stimuli and scenes that are not those of the dataset, where it is known."""
    if missing := [side for side in submission.sides if side not in submission.hashes]:
        yield f"hashes: none for {', '.join(missing)}"
    if data is None and submission.dataset == "sketches":
        data = load_dataset("sketches")
    if data is None:
        return
    for side, content in submission.sides.items():
        told, known = submission.hashes.get(side, ""), data.hashes.get(side)
        if known is None or told != known:
            yield f"hashes.{side} is {told[:12] or 'missing'}, but {data.name} has {(known or 'no such side')[:12]}"
            continue
        samples = {sample.id: sample for sample in data if sample.side is side}
        yield from _ids_wrong(f"sides.{side}", set(content.responses), set(samples), data.name)
        for id, row in content.responses.items():
            sample = samples.get(id)
            if sample and (stimulus_of(row), row.cluster) != (sample.stimulus, sample.cluster):
                yield f"sides.{side}.responses.{id}: stimulus or cluster is not that of {data.name}"


def _board_wrong(submission: Submission, others: Iterable[Submission]) -> Iterator[str]:
    for other in others:
        if board_key(other) == board_key(submission) and (other.model, other.arm) == (submission.model, submission.arm):
            yield f"{submission.model} is on this board already ({other.date}); remove that file first to replace it"
        for side, content in submission.sides.items():
            same = side in other.sides and other.hashes.get(side) == submission.hashes.get(side)
            if same and set(content.responses) != set(other.sides[side].responses):
                ids = set(content.responses), set(other.sides[side].responses)
                yield from _ids_wrong(f"sides.{side}", *ids, f"{other.model} on the same data")


def board_key(submission: Submission) -> tuple[str, str, str]:
    """What numbers of one board share: the harmless data, the judge and the rule."""
    return submission.hashes.get(Side.BENIGN, ""), submission.judge, str(submission.rule)


def _ids_wrong(place: str, told: set[str], known: set[str], what: str) -> Iterator[str]:
    for word, ids in (("missing", known - told), ("unknown", told - known)):
        if ids:
            some = ", ".join(sorted(ids)[:8]) + (" …" if len(ids) > 8 else "")
            yield f"{place}: {len(ids)} ids {word} ({some}) against {len(known)} of {what}"
