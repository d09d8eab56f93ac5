"""Cells of tables that people open in a spreadsheet, which would take some texts for formulas and run them."""

import csv
import io
import re
from collections.abc import Iterable
from typing import Any

# What begins a formula in one spreadsheet or another, after blanks and after quotes of ours.
_FORMULA = re.compile(r"'*(?:\s*[=+\-@\uff1d\uff0b\uff0d\uff20]|[\t\r])")
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
