"""A section of the page of analyses: what was found, in words and tables, ready to be shown in any form."""

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PAGES: dict[str, dict[str, Any]] = tomllib.loads(Path(__file__).with_name("pages.toml").read_text("utf-8"))
"""By analysis: what is the same on every page of it."""


@dataclass(frozen=True)
class Table:
    """A small table of texts; the first column names the row."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    title: str = ""
    note: str = ""
    words: bool = False
    """Cells are sentences, not numbers."""


@dataclass(frozen=True)
class Section:
    title: str
    """The question, such as: Why does it refuse?"""
    finding: str
    """The answer in a sentence, with its number."""
    text: tuple[str, ...] = ()
    """How it was found and how to read it, for someone who knows nothing of it; a paragraph each."""
    tables: tuple[Table, ...] = ()
    """The first one is also shown in the terminal."""
    cautions: tuple[str, ...] = ()
    """What it cannot tell."""
    why_not_done: str = ""
    """Why the analysis was not done; empty: it was."""


def table(
    words: Mapping[str, Any], rows: Iterable[tuple[str, ...]], head: Iterable[str] | None = None, **values: object
) -> Table:
    """A table with the title, head and note that `PAGES` has for it, and `values` filled in; or with its own head."""
    if head is None:
        head = [name.format(**values) for name in words["head"]]
    return Table(
        head=tuple(head),
        rows=tuple(rows),
        title=words.get("title", "").format(**values),
        note=words.get("note", "").format(**values),
        words=words.get("words", False),
    )
