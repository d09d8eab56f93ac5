"""Fills in template files (Jinja)."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jinja2 import Environment


def templates_in(folder: Path, **options: Any) -> Environment:
    """The templates of a folder; a name without a value is an error."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    blocks = {"trim_blocks": True, "lstrip_blocks": True, "keep_trailing_newline": True}
    return Environment(loader=FileSystemLoader(folder), undefined=StrictUndefined, **blocks | options)


def rendered(path: Path, **values: Any) -> str:
    """The template filled with these values; in HTML they are escaped."""
    return templates_in(path.parent, autoescape=path.suffix == ".html").get_template(path.name).render(values)
