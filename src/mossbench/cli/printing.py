"""Printing for all commands: tables and JSON to stdout, all else to stderr."""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.segment import Segment
    from rich.text import Text

_ODD = re.compile("[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")  # JSON leaves them; an escape is the same
NARROWEST = 80
"""Columns that tables are made for; a narrower terminal folds lines, which is better than losing their labels."""


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
    return Safe(file=stream, width=width, highlight=False, markup=False, emoji=False)  # names are not markup


def show(renderable: RenderableType) -> None:
    from mossbench.look.commands import as_commands

    console().print(as_commands(renderable) if isinstance(renderable, str) else renderable)


def note(text: str) -> None:
    """A line for the person at the terminal; not part of the result. What it quotes cannot move the cursor."""
    from mossbench.look.commands import as_commands

    click.echo(as_commands(safe(text)), err=True)


def say(text: str | bytes = "", *, nl: bool = True) -> None:
    """A line of the result. What goes on into a file or a pipe is left as it is only where it is bytes."""
    click.echo(safe(text) if isinstance(text, str) else text, nl=nl)


def safe(text: str) -> str:
    """The text for a terminal: what would move the cursor, colour or hide what is around it is shown as a mark."""
    from mossbench.look.page import visible

    return visible(text.replace("\r\n", "\n")).replace("\r", "\u240d")


def show_json(content: Any) -> None:
    from mossbench.plumbing.storage import to_json

    click.echo(_ODD.sub(lambda found: f"\\u{ord(found[0]):04x}", to_json(content)), nl=False)
