"""Printing for all commands: tables and JSON to stdout, all else to stderr."""

from __future__ import annotations

import shutil
import sys
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

NARROWEST = 80
"""Columns that tables are made for; a narrower terminal folds lines, which is better than losing their labels."""


def console(*, err: bool = False) -> Console:
    """A console that fits the terminal, and is wide enough where there is none."""
    from rich.console import Console

    stream = sys.stderr if err else sys.stdout
    width = max(shutil.get_terminal_size((110, 24)).columns, NARROWEST)
    return Console(file=stream, width=width, highlight=False, markup=False, emoji=False)  # names are not markup


def show(renderable: RenderableType) -> None:
    from mossbench.look.commands import as_commands

    console().print(as_commands(renderable) if isinstance(renderable, str) else renderable)


def note(text: str) -> None:
    """A line for the person at the terminal; not part of the result. What it quotes cannot move the cursor."""
    from mossbench.look.commands import as_commands
    from mossbench.look.page import visible

    click.echo(as_commands(visible(text)), err=True)


def show_json(content: Any) -> None:
    from mossbench.plumbing.storage import to_json

    click.echo(to_json(content), nl=False)
