"""Printing for all commands: tables and JSON to stdout, all else to stderr."""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import click

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.segment import Segment
    from rich.table import Column, Table
    from rich.text import Text

_ODD = re.compile("[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")  # JSON leaves them; an escape is the same
NARROWEST = 40
"""Columns that anything is made for; a narrower terminal folds lines."""
FOLDED = 12
"""Columns that words may be folded into before a table is too wide for its terminal."""


def console(*, err: bool = False) -> Console:
    """A console that fits the terminal, and is wide enough where there is none."""
    from rich.console import Console
    from rich.segment import Segment

    class Safe(Console):
        """Whatever is in a cell, it cannot move the cursor."""

        def render_str(self, text: str, **style: Any) -> Text:
            return super().render_str(safe(text), **style)

        def render(self, renderable: Any, options: Any = None) -> Iterator[Segment]:
            for segment in super().render(renderable, options):
                yield segment if segment.control else Segment(safe(segment.text), segment.style)

    stream = sys.stderr if err else sys.stdout
    width = max(shutil.get_terminal_size((110, 24)).columns, NARROWEST)
    return Safe(
        file=stream,
        width=width,
        color_system=None if os.environ.get("NO_COLOR") else "auto",  # rich would leave bold
        highlight=False,
        markup=False,  # names are not markup
        emoji=False,
    )


def show(renderable: RenderableType) -> None:
    terminal = console()
    if isinstance(renderable, str):
        terminal.print(renderable)
    else:
        terminal.print(fitting(renderable, terminal.width))


def show_table(*head: str, rows: Iterable[Sequence[RenderableType]], **style: Any) -> None:
    """A table with these rows; nothing where there are none."""
    from rich.table import Table

    table = Table(*head, **style)
    for row in rows:
        table.add_row(*row)
    if table.rows:
        show(table)


def fitting(renderable: RenderableType, width: int) -> RenderableType:
    """A table as it is where it fits; else its rows below each other, a line for each cell. Nothing is cut off."""
    from rich.console import Group
    from rich.table import Table

    if isinstance(renderable, Group):
        return Group(*(fitting(part, width) for part in renderable.renderables))
    if not isinstance(renderable, Table):
        return renderable
    spans = [_span(column) for column in renderable.columns]
    spare = width - _frame_width(renderable) - sum(span.least for span in spans)
    total_room = sum(span.whole - span.least for span in spans)
    if spare < 0:
        return stacked(renderable)
    if spare < total_room:  # rich would cut a word where another column could give way
        for column, span in zip(renderable.columns, spans, strict=True):
            column.width = span.least + spare * (span.whole - span.least) // total_room
    return renderable


class Span(NamedTuple):
    """Widths of a column."""

    least: int
    """So that no word is cut, or no line, where lines are not broken."""
    whole: int
    """Without folding anything."""


def _span(column: Column) -> Span:
    from rich.cells import cell_len

    texts = [_plain(cell) for cell in (column.header, *column.cells)]
    lines = "\n".join(texts).splitlines()
    whole = max(map(cell_len, lines), default=0)
    least = whole
    if not column.no_wrap:
        words = " ".join(lines).split()
        least = max(map(cell_len, words), default=0)
    if column.overflow == "fold":
        least = min(least, FOLDED)
    return Span(least, whole)


def _frame_width(table: Table) -> int:
    """Columns of the terminal that padding and lines of a table take."""
    n_columns = len(table.columns)
    padding = table.padding[1] + table.padding[3]
    frame = padding * n_columns
    if not table.pad_edge:
        frame -= padding
    if table.box is not None:
        frame += n_columns - 1
        if table.show_edge:
            frame += 2
    return frame


def stacked(table: Table) -> Text:
    """The rows of a table below each other, a line for each cell that has something in it."""
    from rich.text import Text

    lines = [Text(_plain(table.title), style="bold")] if table.title else []
    heads = [_in_one_line(column.header) for column in table.columns[1:]]
    for first_cell, *further_cells in zip(*(column.cells for column in table.columns), strict=True):
        cells = [(head, _in_one_line(cell)) for head, cell in zip(heads, further_cells, strict=True)]
        filled_cells = [(head, text) for head, text in cells if text]
        lines.append(Text(_plain(first_cell), style="" if filled_cells else "bold"))
        for head, text in filled_cells:
            lines.append(Text(f"    {head}: {text}" if head else f"    {text}"))
    return Text("\n").join(lines)


def _in_one_line(cell: Any) -> str:
    return " ".join(_plain(cell).split())


def _plain(cell: Any) -> str:
    return str(getattr(cell, "plain", cell))


def note(text: str) -> None:
    """A line for the person at the terminal; not part of the result. What it quotes cannot move the cursor."""
    click.echo(safe(text), err=True)


def say(text: str | bytes = "", *, nl: bool = True) -> None:
    """A line of the result. What goes on into a file or a pipe is left as it is only where it is bytes."""
    click.echo(safe(text) if isinstance(text, str) else text, nl=nl)


def safe(text: str) -> str:
    """The text for a terminal: what would move the cursor, colour or hide what is around it is shown as a mark."""
    from mossbench.look.page import visible

    return visible(text.replace("\r\n", "\n")).replace("\r", "\u240d")


def show_json(content: Any) -> None:
    from mossbench.plumbing.json_values import to_json

    click.echo(_ODD.sub(lambda match: f"\\u{ord(match[0]):04x}", to_json(content)), nl=False)
