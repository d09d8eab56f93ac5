"""CSV for spreadsheets, which would run some texts as formulas, and sheets for people to fill in.

A sheet is written once and never overwritten, and read as a spreadsheet or a crowd platform saved it.
"""

import csv
import io
import math
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from mossbench.errors import DataError, UsageError
from mossbench.plumbing.storage import create_atomically
from mossbench.plumbing.tables import read_rows

_FORMULA = re.compile(r"'*(?:\s*[=+\-@\uff1d\uff0b\uff0d\uff20]|[\t\r])")
"""The beginning of a formula in some spreadsheet, after blanks and after our own quotes."""
_N_FAULTS_SHOWN = 20
_ALIASES = dict.fromkeys(("workerid", "worker_id", "participant_id", "prolific_pid"), "reviewer")
_NUMBER = re.compile(r"[+-]?[\d.,]+(?:[eE][+-]?\d+)?%?")


def cell(value: Any) -> Any:
    """The value as a cell: with a quote before a text that looks like a formula, which `uncell` removes."""
    return f"'{value}" if isinstance(value, str) and _is_like_formula(value) else value


def number_cell(number: float) -> float | str:
    """The number as a cell, which is empty for NaN: it is not known."""
    return "" if math.isnan(number) else number


def csv_text(rows: Iterable[Iterable[Any]], end: str = "\n") -> str:
    """Rows of cells as CSV; cells that contain a character of `end` are quoted."""
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator=end).writerows(rows)
    return text.getvalue()


def uncell(text: str) -> str:
    """The text from which `cell` made a cell."""
    return text[1:] if text.startswith("'") and _is_like_formula(text[1:]) else text


def _is_like_formula(text: str) -> bool:
    return _FORMULA.match(text) is not None and not _NUMBER.fullmatch(text)


def write_sheet(path: Path, columns: Sequence[str], rows: Iterable[Sequence[Any]], end: str = "\n") -> None:
    """Writes a new sheet; a UsageError if the file exists."""
    utf8_mark = "\ufeff"  # without which spreadsheets assume another encoding
    create_sheet(path, utf8_mark + csv_text([columns, *(map(cell, row) for row in rows)], end))


def create_sheet(path: Path, text: str) -> None:
    if not create_atomically(path, text):
        raise UsageError(f"{path} already exists and may be filled in; use it, or name another file")


def read_sheet(path: Path, columns: Sequence[str], needed: Sequence[str]) -> Iterator[tuple[int, dict[str, str]]]:
    """The number and texts of each line; a DataError if one of the `needed` columns is missing."""
    for row in read_rows(path, names=columns):
        texts = {_column_name(name): uncell(str(cell or "").strip()) for name, cell in row.values.items()}
        for name in needed:
            if name not in texts:
                raise DataError(f"{path} has no column {name!r}; its columns are {', '.join(row.values)}")
        yield row.line, texts


def refuse(path: Path, faults: Sequence[str]) -> None:
    """A DataError that lists the faults of a sheet, if there are any."""
    if faults:
        n_more = len(faults) - _N_FAULTS_SHOWN
        more = [f"and {n_more} more"] if n_more > 0 else []
        listed = "\n  ".join([*faults[:_N_FAULTS_SHOWN], *more])
        raise DataError(f"{path}: nothing was imported; correct these lines and import it again:\n  {listed}")


def _column_name(name: str) -> str:
    """The name that our sheet has: platforms write `Input.item`, `Answer.harmfulness` and their own name for people."""
    plain = re.sub(r"^(input|answer)\.", "", name.strip().lower())
    return _ALIASES.get(plain, plain)
