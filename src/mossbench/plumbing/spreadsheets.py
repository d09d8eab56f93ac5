"""Tables that people open in a spreadsheet, which would take some texts for formulas and run them; sheets to fill in.

A sheet is written once and never over, and read as a spreadsheet or a crowd platform saved it.
"""

import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from mossbench.errors import DataError, UsageError
from mossbench.plumbing.storage import create_atomically
from mossbench.plumbing.tables import read_rows

# What begins a formula in one spreadsheet or another, after blanks and after quotes of ours.
_FORMULA = re.compile(r"'*(?:\s*[=+\-@\uff1d\uff0b\uff0d\uff20]|[\t\r])")
_MOST = 20  # faults of a sheet that are named
_ALIASES = dict.fromkeys(("workerid", "worker_id", "participant_id", "prolific_pid"), "reviewer")
_NUMBER = re.compile(r"[+-]?[\d.,]+(?:[eE][+-]?\d+)?%?")


def cell(value: Any) -> Any:
    """The value as a cell: a quote before a text that a spreadsheet would take for a formula; `uncell` removes it."""
    return f"'{value}" if isinstance(value, str) and _guarded(value) else value


def csv_text(rows: Iterable[Iterable[Any]], end: str = "\n") -> str:
    """Rows of cells as CSV; cells with a character of `end` in them are quoted."""
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator=end).writerows(rows)
    return text.getvalue()


def uncell(text: str) -> str:
    """The text that `cell` made a cell of."""
    return text[1:] if text.startswith("'") and _guarded(text[1:]) else text


def _guarded(text: str) -> bool:
    return _FORMULA.match(text) is not None and not _NUMBER.fullmatch(text)


def write_sheet(path: Path, columns: Sequence[str], rows: Iterable[Sequence[Any]], end: str = "\n") -> None:
    """A new sheet; a UsageError where one is there already."""
    mark = "\ufeff"  # behind which spreadsheets take UTF-8 for it
    create_sheet(path, mark + csv_text([columns, *(map(cell, row) for row in rows)], end))


def create_sheet(path: Path, text: str) -> None:
    if not create_atomically(path, text):
        raise UsageError(f"{path} is there already and may have been filled in; fill in that one, or name another")


def read_sheet(path: Path, columns: Sequence[str], needed: Sequence[str]) -> Iterator[tuple[int, dict[str, str]]]:
    """Each line's number and texts; a DataError where a column is missing that is needed."""
    for row in read_rows(path, names=columns):
        said = {_column(name): uncell(str(text or "").strip()) for name, text in row.values.items()}
        if missing := [name for name in needed if name not in said]:
            raise DataError(f"{path} has no column {missing[0]!r}; its columns are {', '.join(row.values)}")
        yield row.line, said


def refuse(path: Path, faults: Sequence[str]) -> None:
    """A DataError that names every fault of a sheet, where it has some."""
    if faults:
        more = [f"and {len(faults) - _MOST} more"] if len(faults) > _MOST else []
        listed = "\n  ".join([*faults[:_MOST], *more])
        raise DataError(f"{path}: nothing was read in; correct these lines and read it again:\n  {listed}")


def _column(name: str) -> str:
    """As the sheet was written: a platform has `Input.item`, `Answer.harmfulness` and a name of its own for people."""
    plain = re.sub(r"^(input|answer)\.", "", name.strip().lower())
    return _ALIASES.get(plain, plain)
