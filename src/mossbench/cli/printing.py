"""Printing for all commands: tables and JSON to stdout, all else to stderr."""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

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

        def render_str(self, text: str, **how: Any) -> Text:
            return super().render_str(safe(text), **how)

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
    here = console()
    here.print(renderable if isinstance(renderable, str) else fitting(renderable, here.width))


def show_table(*head: str, rows: Iterable[Sequence[RenderableType]], **how: Any) -> None:
    """A table with these rows; nothing where there are none."""
    from rich.table import Table

    table = Table(*head, **how)
    for row in rows:
        table.add_row(*row)
    if table.rows:
        show(table)


def fitting(renderable: RenderableType, width: int) -> RenderableType:
    """A table as it is where it fits; else its rows below each other, a line for each cell. Nothing is cut off."""
    from rich.console import Group
    from rich.table import Table

    if isinstance(renderable, Group):
        return Group(*(fitting(one, width) for one in renderable.renderables))
    if not isinstance(renderable, Table):
        return renderable
    spans = [_span(column) for column in renderable.columns]
    sides = renderable.padding[1] + renderable.padding[3]
    edges = 2 * (renderable.box is not None and renderable.show_edge) - (0 if renderable.pad_edge else sides)
    room = width - sides * len(spans) - (len(spans) - 1) * (renderable.box is not None) - edges
    spare, wanted = room - sum(least for least, _ in spans), sum(whole - least for least, whole in spans)
    if spare < 0:
        return stacked(renderable)
    if spare < wanted:  # rich would cut a word where another column could give way
        for column, (least, whole) in zip(renderable.columns, spans, strict=True):
            column.width = least + spare * (whole - least) // wanted
    return renderable


def _span(column: Column) -> tuple[int, int]:
    """How wide a column must be that no word is cut (no line, where lines are not broken), and how wide it would be."""
    from rich.cells import cell_len

    texts = [_plain(cell) for cell in (column.header, *column.cells)]
    lines = [line for text in texts for line in text.splitlines()]
    whole = max(map(cell_len, lines), default=0)
    least = whole if column.no_wrap else max((cell_len(word) for line in lines for word in line.split()), default=0)
    return (min(least, FOLDED) if column.overflow == "fold" else least), whole


def stacked(table: Table) -> Text:
    from rich.text import Text

    lines = [Text(_plain(table.title), style="bold")] if table.title else []
    heads = [" ".join(_plain(column.header).split()) for column in table.columns]
    for row in zip(*(column.cells for column in table.columns), strict=True):
        first, *others = (_plain(cell) for cell in row)
        cells = [(head, " ".join(cell.split())) for head, cell in zip(heads[1:], others, strict=True) if cell.strip()]
        lines.append(Text(first, style="" if cells else "bold"))
        lines += [Text(f"    {head}: {cell}" if head else f"    {cell}") for head, cell in cells]
    return Text("\n").join(lines)


def _plain(cell: Any) -> str:
    return str(getattr(cell, "plain", cell))


def note(text: str) -> None:
    """A line for the person at the terminal; not part of the result. What it quotes cannot move the cursor."""
    click.echo(safe(text), err=True)


def say(text: str | bytes = "", *, nl: bool = True) -> None:
    """A line of the result. What goes on into a file or a pipe is left as it is only where it is bytes."""
    click.echo(safe(text) if isinstance(text, str) else text, nl=nl)


def said(module: str, name: str, /, **values: Any) -> str:
    """A sentence of the TOML file beside a module (its `__file__`), with the values in it."""
    from mossbench.look.texts import sentences

    return sentences(module)(name, **values)


def safe(text: str) -> str:
    """The text for a terminal: what would move the cursor, colour or hide what is around it is shown as a mark."""
    from mossbench.look.page import visible

    return visible(text.replace("\r\n", "\n")).replace("\r", "\u240d")


def show_json(content: Any) -> None:
    from mossbench.plumbing.storage import to_json

    click.echo(_ODD.sub(lambda found: f"\\u{ord(found[0]):04x}", to_json(content)), nl=False)
