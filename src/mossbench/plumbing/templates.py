"""Texts from template files (Jinja) that lie beside the code that fills them."""

from pathlib import Path
from typing import Any


def rendered(path: Path, **values: Any) -> str:
    """The template with these values; in HTML they are escaped, and a name that nobody gave is an error."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    env = Environment(
        loader=FileSystemLoader(path.parent),
        autoescape=path.suffix == ".html",
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    return env.get_template(path.name).render(values)
