"""How the site is built from the pages: `make docs`, strict and offline.

The pages are plain Markdown that also reads well where no site is built. Two of them, commands.md and api.md, end in a
marker that `reference.py` replaces with what the code says of itself. Sphinx, because its search works from a folder
without a server, and its themes load nothing from elsewhere.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from sphinx.application import Sphinx
from sphinx.errors import ExtensionError

sys.path.insert(0, str(Path(__file__).parent))

import parts
import reference

from mossbench import __version__

project = "mossbench"
version = release = __version__
copyright = "the authors of mossbench, Apache-2.0"
html_title = f"mossbench {version}"
language = "en"
highlight_language = "text"  # blocks without a language are outputs
smartquotes = False  # --flags keep their dashes

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
myst_heading_anchors = 4  # links such as judging.md#corrected-rates, spelt as GitHub spells them
myst_links_external_new_tab = False
exclude_patterns = ["_*"]

autodoc_typehints = "signature"
autodoc_member_order = "bysource"
autodoc_class_signature = "separated"
python_use_unqualified_type_names = True
python_maximum_signature_line_length = 88

html_theme = "furo"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sphinx = False
templates_path: list[str] = []

# Made before autodoc, which sets typing.TYPE_CHECKING: what is first imported then is not as it is in a run.
MADE = {"<!-- commands -->": reference.commands(), "<!-- api -->": reference.api()}

LOADED = re.compile(r"<(?:script|link|img|iframe|source)\b[^>]*\b(?:src|href)=\"((?:https?:)?//[^\"]+)", re.I)
IMPORTED = re.compile(r"(?:@import\s+|url\(\s*)[\"']?((?:https?:)?//[^\"')]+)", re.I)


def add_reference(_app: Sphinx, page: str, source: list[str]) -> None:
    """Puts what the code says of itself where a page has a marker."""
    for marker, made in MADE.items():
        source[0] = source[0].replace(marker, made)


def always_read(*_: object) -> list[str]:
    """The pages that the code writes are read again at every build."""
    return ["commands", "api"]


def write_parts(app: Sphinx, error: Exception | None) -> None:
    """The page that shows every part of the pages."""
    if not error:
        (Path(app.outdir) / "all-parts.html").write_text(parts.parts_page(), encoding="utf-8")


def check_offline(app: Sphinx, error: Exception | None) -> None:
    """The site must not load anything from elsewhere: no font, no script, no image."""
    if error:
        return
    for path in sorted(Path(app.outdir).rglob("*")):
        pattern = {".html": LOADED, ".css": IMPORTED}.get(path.suffix)
        if pattern and (hit := pattern.search(path.read_text(encoding="utf-8"))):
            raise ExtensionError(f"{path.name} loads {hit[1]}: the site must work without a network")


def setup(app: Sphinx) -> None:
    app.connect("source-read", add_reference)
    app.connect("env-get-outdated", always_read)
    app.connect("build-finished", write_parts)
    app.connect("build-finished", check_offline)
