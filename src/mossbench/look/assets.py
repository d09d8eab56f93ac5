"""The style sheet and the two scripts of the pages, each joined from the files of a folder.

`styles/` and `scripts/` hold a file for each component. A file counts only when it is listed here, and the order is
the one in which a browser gets them: of two rules that are equally specific the later one wins.
"""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

HERE = Path(__file__).parent
STYLES = (
    # What every page stands on
    "tokens",
    "ground",
    "frame",
    "controls",
    "kinds",
    "quotes",
    "tables",
    "charts",
    "verdict",
    "findings",
    "parts",
    # Pages and their parts
    "report",
    "analyses",
    "board",
    "runs",
    "explorer",
    "zoom",
    "here",
    "compare",
    "annotate",
    "messages",
    "choosing",
    "cards",
    "build",
    "menus",
    "records",
    "agreement",
    "ratings",
    "search",
    "home",
    "field",
    "trend",
    "latest",
    "history",
    "annotators",
    "measures",
    "tiles",
    # Screens and paper: they change what the files above say
    "narrow_frame",
    "narrow_tables",
    "narrow_columns",
    "narrow_desk",
    "narrow_board",
    "narrow_samples",
    "motion",
    "print",
)
"""The files of `styles/`, in the order of the cascade."""
PAGE_SCRIPTS = ("keys", "row_filter", "narrow_folds", "stripes", "menus", "shown_runs", "sorting", "moved")
"""The files of `scripts/` that every page has, also one that is opened from a disk."""
APP_SCRIPTS = (
    "addresses",
    "copying",
    "zoom",
    "forms",
    "compare_ticks",
    "run_progress",
    "page_again",
    "desk",
    "ratings",
    "labels_ahead",
)
"""The files of `scripts/` that only the web app has, after those of every page, whose functions they may call."""


@cache
def style_sheet() -> str:
    """All styles as one sheet."""
    sheet = "\n".join(_read("styles", f"{name}.css") for name in STYLES)
    return _compact(_without_comments(sheet))


@cache
def page_script() -> str:
    """The script of every page."""
    return _joined_scripts(PAGE_SCRIPTS)


@cache
def app_script() -> str:
    """The script that pages of the web app have besides."""
    return _joined_scripts(APP_SCRIPTS)


@cache
def version() -> str:
    """Changes with the sheet and the scripts, so that a browser never keeps old ones."""
    content = style_sheet() + page_script() + app_script()
    return hashlib.sha256(content.encode()).hexdigest()[:12]


def _joined_scripts(names: tuple[str, ...]) -> str:
    """One classic script, which also works in a page opened from a disk, where modules do not."""
    script = "\n".join(_read("scripts", f"{name}.js") for name in names)
    return '"use strict";\n' + _compact(script)


def _read(folder: str, name: str) -> str:
    return (HERE / folder / name).read_text("utf-8")


def _without_comments(sheet: str) -> str:
    before, *parts = sheet.split("/*")
    return before + "".join(part.partition("*/")[2] for part in parts)


def _compact(source: str) -> str:
    """The source without indentation, empty lines and lines that are a `//` comment: every report carries it.

    Safe because no text in our sources goes on over a line or has the characters that begin a comment of CSS, which
    tests/look/test_sources.py checks.
    """
    lines = [line.strip() for line in source.splitlines()]
    return "".join(f"{line}\n" for line in lines if line and not line.startswith("//"))
