"""Printing for all commands: tables and JSON to stdout, all else to stderr."""

from __future__ import annotations

import json
import shutil
import sys
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON instead of a table.")


def console(*, err: bool = False) -> Console:
    """A console that fits the terminal, and is wide enough where there is none."""
    from rich.console import Console

    stream = sys.stderr if err else sys.stdout
    width = shutil.get_terminal_size((110, 24)).columns
    return Console(file=stream, width=width, highlight=False, soft_wrap=False)


def show(renderable: RenderableType) -> None:
    console().print(renderable)


def note(text: str) -> None:
    """A line for the person at the terminal; not part of the result."""
    click.echo(text, err=True)


def show_json(content: Any) -> None:
    click.echo(json.dumps(content, indent=2, ensure_ascii=False, allow_nan=False))
