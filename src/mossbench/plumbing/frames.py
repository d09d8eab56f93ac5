"""Records that can be shown as a table: in a notebook, as text, and as a pandas data frame."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING, Any, TypeVar

from mossbench.errors import needing

if TYPE_CHECKING:
    import pandas as pd

_T = TypeVar("_T")
NOT_GIVEN = "–"
Line = Mapping[str, Any]
"""A line of a table: column -> value."""


class Framed:
    """A record that can be shown as a table."""

    def lines(self) -> list[dict[str, Any]]:
        """The lines of the table, as plain values by column."""
        raise NotImplementedError

    def title(self) -> str:
        """The title of the table, in one line."""
        raise NotImplementedError

    def shown_lines(self) -> list[dict[str, Any]]:
        """The lines as a notebook shows them."""
        return self.lines()

    def df(self) -> pd.DataFrame:
        """The table as a data frame."""
        with needing("a data frame", "pandas"):
            import pandas as pd
        return pd.DataFrame(self.lines())

    def _repr_html_(self) -> str:
        return html_table(self.title(), self.shown_lines())


class FramedLines(Framed, tuple[_T, ...]):
    """Records of one kind, each of them a line of the table."""

    def __repr__(self) -> str:
        return text_table(self.shown_lines()) or "()"

    def title(self) -> str:
        return ""


def html_table(title: str, lines: Sequence[Line]) -> str:
    """A table for a notebook, without scripts and styles."""
    heading = f"<p>{escape(title)}</p>" if title else ""
    columns = _columns(lines)
    if not columns:
        return heading
    head = "".join(f"<th>{escape(column)}</th>" for column in columns)
    rows = []
    for line in lines:
        cells = "".join(f"<td>{escape(_cell(line.get(column)))}</td>" for column in columns)
        rows.append(f"<tr>{cells}</tr>")
    return f"{heading}<table><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"


def text_table(lines: Sequence[Line]) -> str:
    """A table of plain text: columns below their names, numbers and texts to the left."""
    columns = _columns(lines)
    rows = [columns, *([_cell(line.get(column)) for column in columns] for line in lines)]
    widths = [max(map(len, cells)) for cells in zip(*rows, strict=True)]
    texts = []
    for row in rows:
        cells = [cell.ljust(width) for cell, width in zip(row, widths, strict=True)]
        texts.append("  ".join(cells).rstrip())
    return "\n".join(texts)


def _columns(lines: Sequence[Line]) -> list[str]:
    columns: dict[str, None] = {}  # a set in order
    for line in lines:
        columns |= dict.fromkeys(line)
    return list(columns)


def _cell(value: Any) -> str:
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return NOT_GIVEN
    return f"{value:.3f}" if isinstance(value, float) else str(value)
