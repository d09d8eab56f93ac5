"""The columns of a large run, kept in its folder (`.rows.<judge>.npz`) until one of its files changes."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pydantic import TypeAdapter, ValidationError

from mossbench.datasets.planned_rows import PlannedRows
from mossbench.outcomes import Key, Outcome
from mossbench.plumbing.columns import Coded
from mossbench.plumbing.file_names import label_slug
from mossbench.plumbing.kept_arrays import keep_arrays, load_arrays
from mossbench.plumbing.untrusted_files import state_of
from mossbench.results.row_columns import AnswerColumns, RowColumns
from mossbench.results.rows import LARGE, AnswerFacts, StoredFiles, VerdictFacts
from mossbench.store.run_folder import RunFolder

_OUTCOMES = TypeAdapter(tuple[Outcome, ...])
_ANSWERS = TypeAdapter(tuple[AnswerFacts | None, ...])
_VERDICTS = TypeAdapter(tuple[VerdictFacts | None, ...])
_UNPLANNED = TypeAdapter(tuple[tuple[Key, bool], ...])
_MAY_BE_MISSING = ("seconds", "waited", "usage", "used")
"""Columns of answers that a run has only where something is known."""
MadeOf = tuple[object, ...]


def made_of(folder: RunFolder, judge: str | None, planned: PlannedRows) -> MadeOf | None:
    """What the columns depend on; None where a file is missing, or where the run is small."""
    if len(planned) <= LARGE:
        return None
    try:
        verdicts = state_of(folder.verdicts_path(judge)) if judge else ()
        return judge, state_of(folder.answers_path), verdicts, _digest(planned)
    except OSError:
        return None


def _digest(planned: PlannedRows) -> str:
    """Of all planned rows: their samples, arms and epochs."""
    digest = hashlib.sha256(repr([arm.name for arm in planned.arms]).encode())
    for column in (planned.samples.columns.keys, planned.sample_places, planned.arm_places, planned.epochs):
        digest.update(np.ascontiguousarray(column).tobytes())
    return digest.hexdigest()


def _path(folder: RunFolder, judge: str | None) -> Path:
    return folder.path / f".rows.{label_slug(judge or 'none')}.npz"


def keep_columns(
    folder: RunFolder, judge: str | None, key: MadeOf, columns: RowColumns, unplanned: dict[Key, bool], n_verdicts: int
) -> None:
    answers = columns.answers
    arrays: dict[str, NDArray[Any]] = {
        "outcomes": columns.outcomes.codes,
        "outcome_values": _json(_OUTCOMES, columns.outcomes.values),
        "answers": answers.shared.codes,
        "answer_values": _json(_ANSWERS, answers.shared.values),
        "verdicts": columns.verdicts.codes,
        "verdict_values": _json(_VERDICTS, columns.verdicts.values),
        "answer_places": columns.answer_places,
        "verdict_places": columns.verdict_places,
        "unplanned": _json(_UNPLANNED, tuple(unplanned.items())),
        "n_verdicts": np.array(n_verdicts),
    }
    for name in _MAY_BE_MISSING:
        column = getattr(answers, name)
        if column is not None:
            arrays[name] = column
    keep_arrays(_path(folder, judge), key, arrays)


def load_columns(
    folder: RunFolder, judge: str | None, key: MadeOf, planned: PlannedRows, files: StoredFiles
) -> tuple[RowColumns, dict[Key, bool], int] | None:
    """The columns, the answers to rows that are not planned, and the number of verdicts; None where not kept."""
    arrays = load_arrays(_path(folder, judge), key)
    if arrays is None:
        return None
    try:
        columns = RowColumns(
            planned=planned,
            samples=planned.samples,
            files=files,
            outcomes=Coded(arrays["outcomes"], _values(_OUTCOMES, arrays["outcome_values"])),
            answers=AnswerColumns(
                shared=Coded(arrays["answers"], _values(_ANSWERS, arrays["answer_values"])),
                seconds=arrays.get("seconds"),
                waited=arrays.get("waited"),
                usage=arrays.get("usage"),
                used=arrays.get("used"),
            ),
            verdicts=Coded(arrays["verdicts"], _values(_VERDICTS, arrays["verdict_values"])),
            answer_places=arrays["answer_places"],
            verdict_places=arrays["verdict_places"],
        )
        unplanned = dict(_values(_UNPLANNED, arrays["unplanned"]))
        return columns, unplanned, int(arrays["n_verdicts"])
    except (KeyError, ValidationError):
        return None


def _json(adapter: TypeAdapter[Any], values: object) -> NDArray[np.uint8]:
    return np.frombuffer(adapter.dump_json(values), dtype=np.uint8)


def _values(adapter: TypeAdapter[Any], content: NDArray[Any]) -> tuple[Any, ...]:
    values: tuple[Any, ...] = adapter.validate_json(content.tobytes())
    return values
