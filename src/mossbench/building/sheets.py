"""Sheets that people fill in: written once and never over, read as a spreadsheet or a crowd platform saved them."""

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from mossbench.errors import DataError, UsageError
from mossbench.plumbing.sheets import cell, csv_text, uncell
from mossbench.plumbing.storage import create_atomically
from mossbench.plumbing.tables import read_rows

_MOST = 20  # faults that are named
_ALIASES = dict.fromkeys(("workerid", "worker_id", "participant_id", "prolific_pid"), "reviewer")


def write_sheet(path: Path, columns: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """A new sheet; a UsageError where one is there already."""
    text = csv_text([columns, *(map(cell, row) for row in rows)])
    if not create_atomically(path, "\ufeff" + text):  # spreadsheets take UTF-8 for it behind this mark
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
