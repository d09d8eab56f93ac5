"""HTML pages: `render_page` fills a Jinja template of `look/templates`.

In every page, values are escaped, and characters that cannot be shown or that change the direction of the text around
them are shown as marks.

A page is one of two kinds. A file is self-contained: style sheet and script are in it, images too (unless its frame
says that they lie beside it), and its content security policy names their hashes, so that no other style or script can
take effect. A live page is served by the web app, with its assets beside it and its policy in a header.
"""

from __future__ import annotations

import base64
import hashlib
import math
import re
import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib.util import cache_from_source
from pathlib import Path
from typing import TYPE_CHECKING, Any

from markupsafe import Markup, escape

from mossbench.look import assets, numbers
from mossbench.messages import on_command_line
from mossbench.plumbing.templates import templates_in
from mossbench.statistics import Estimate

if TYPE_CHECKING:
    from jinja2 import BytecodeCache, Environment
    from jinja2.bccache import Bucket

LOOK = Path(__file__).parent
# Control characters except tab and line ends; characters that change the direction of text beyond the end of a line;
# other line ends; surrogates, which no file can hold; invisible characters that can hide a text in a text: zero-width
# spaces, fillers, tags. Joiners are part of some scripts and emoji, but not beside a blank or each other.
_NOT_SHOWN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u2028-\u202e"
    "\u2060-\u206f\u3164\ud800-\udfff\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
    "|(?<!\\S)[\u200c\u200d]|[\u200c\u200d](?=[\\s\u200c\u200d]|\\Z)"
)
NUMBER_FILTERS = {
    "bare_percent": numbers.bare_percent,
    "ends": numbers.ends,
    "p_value": numbers.p_value,
    "percent": numbers.percent,
    "points": numbers.points,
    "quoted": numbers.quoted,
    "signed": numbers.signed,
    "thousands": lambda n: f"{n:,}",
    "two_decimals": numbers.two_decimals,
}
"""Filters of all templates, also of those that are no pages: numbers as text."""
_OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]*")
_MAX_CHARS_OF_NAME = 28
_START_OF_LONG_NAME = 12
_END_OF_LONG_NAME = 15
"""Characters of a name beside a chart: of a longer one, its start and its end are shown."""


@dataclass(frozen=True)
class Look:
    """The style sheet and the script of a page, and the content security policy that allows nothing else."""

    sheet: str
    script: str

    def policy(self, *, images: bool = False) -> str:
        """The policy of a page that is a file. `images`: images that lie beside it may be shown too."""
        beside = " 'self' file:" if images else ""
        return (
            f"default-src 'none'; img-src data:{beside}; style-src '{_csp_hash(self.sheet)}'; "
            f"script-src '{_csp_hash(self.script)}'; form-action 'none'; base-uri 'none'"
        )

    @property
    def version(self) -> str:
        """Changes with the assets: live pages have it in the addresses of the assets."""
        return assets.version()


@dataclass(frozen=True)
class Frame:
    """What is around the content of a page: links to other pages, and what a server behind it needs."""

    links: tuple[tuple[str, str], ...] = ()
    """Names and addresses of the pages in the bar."""
    here: str = ""
    """The name of this page in the bar."""
    live: bool = False
    """Whether the web app serves the page; otherwise it is a file."""
    form_token: str = ""
    """The token that every form of a live page sends."""
    home: str = "/"
    has_downloads: bool = False
    """Whether files with the numbers lie beside a page that is a file."""
    images: bool = False
    """Whether files with images lie beside a page that is a file."""
    progress: str = ""
    """The address at which a live page asks for the progress of its run; empty if the run has ended."""


ALONE = Frame()
"""Of a file without other pages beside it."""


def render_page(template: str, *, frame: Frame = ALONE, **values: Any) -> str:
    """The template of `look/templates` as one HTML page; every value is escaped."""
    return environment().get_template(template).render(values, frame=frame)


@cache
def environment() -> Environment:
    """The Jinja environment of all pages: escaping on, an unknown name is an error, number formats as filters."""
    env = templates_in(
        LOOK / "templates",
        autoescape=True,
        keep_trailing_newline=False,
        finalize=_visible_value,
        bytecode_cache=_compiled_templates(),
    )
    env.globals["look"] = Look(sheet=Markup(assets.style_sheet()), script=Markup(assets.page_script()))
    env.globals["nnbsp"] = numbers.NNBSP
    env.filters |= NUMBER_FILTERS | {
        "known": lambda number: not math.isnan(number),
        "position": position,
        "text_anchor": _text_anchor,
        "shortened": _shortened,
        "breakable": breakable,
        "options_as_code": _options_as_code,
        "on_command_line": on_command_line,
    }
    return env


def _compiled_templates() -> BytecodeCache:
    """A cache of compiled templates beside Python's own: compiling one takes longer than rendering most pages."""
    from jinja2 import FileSystemBytecodeCache

    filters_code = "".join(path.read_text("utf-8") for path in sorted(LOOK.glob("*.py")))

    class Compiled(FileSystemBytecodeCache):
        def get_source_checksum(self, source: str) -> str:
            # A filter of a constant is applied when the template is compiled: its result changes with our code.
            return super().get_source_checksum(source + filters_code)

        def load_bytecode(self, bucket: Bucket) -> None:
            with suppress(OSError, EOFError):  # without the cache, pages are only slower
                super().load_bytecode(bucket)

        def dump_bytecode(self, bucket: Bucket) -> None:
            with suppress(OSError):
                if not sys.dont_write_bytecode:
                    super().dump_bytecode(bucket)

    return Compiled(str(Path(cache_from_source(__file__)).parent), "%s.jinja")


def _visible_value(value: Any) -> Any:
    """The value of an expression as a template prints it: a text is made `visible`, HTML stays HTML."""
    if not isinstance(value, str):
        return value
    return Markup(visible(value)) if isinstance(value, Markup) else visible(value)


def _options_as_code(text: str) -> Markup:
    """The text as HTML, with options such as --labels as code, which no line break splits after the dashes."""
    return Markup(_OPTION.sub(lambda match: f"<code>{match[0]}</code>", str(escape(text))))


def _text_anchor(estimate: Estimate) -> str:
    """The SVG `text-anchor` of a label at a rate, so that the label stays within the axis."""
    if estimate.value < 0.2:
        return "start"
    return "end" if estimate.value > 0.8 else "middle"


def _shortened(text: str) -> str:
    """A long name without its middle: names of runs of one model differ at their ends."""
    if len(text) <= _MAX_CHARS_OF_NAME:
        return text
    return f"{text[:_START_OF_LONG_NAME]}…{text[-_END_OF_LONG_NAME:]}"


def visible(text: str) -> str:
    """The text with a mark in place of each character that is invisible or changes the direction of other text."""
    if text.isascii() and text.isprintable():  # nearly all texts, and much quicker
        return text
    return _NOT_SHOWN.sub(lambda match: _mark(ord(match[0])), text)


def position(fraction: float, top: float = 100) -> str:
    """The place of a fraction on an axis from 0 to `top` per cent, as an SVG length: `25%`."""
    per_cent_of_axis = 100 * 100 * fraction / top
    return f"{per_cent_of_axis:.2f}".rstrip("0").rstrip(".") + "%"


def breakable(number_with_interval: str) -> str:
    """The text with no-break spaces, except before the bracket: only there may a narrow column break the line."""
    return re.sub(r" (?![(\[])", "\u00a0", number_with_interval)


def markdown(text: str) -> str:
    """The text in one line so that nothing in it is taken for Markdown or HTML."""
    text = " ".join(visible(text).split())
    text = re.sub(r"[\\`*_\[\]|#]", lambda match: f"\\{match[0]}", text)
    return re.sub(r"[<>&]", lambda match: f"&#{ord(match[0])};", text)


def markdown_table(head: Sequence[str], rows: Iterable[Iterable[str]], *, words: int = 1) -> list[str]:
    """The lines of a Markdown table and an empty line; the first `words` columns hold words, the others numbers."""
    alignment = "|" + "---|" * words + "--:|" * (len(head) - words)
    return [_markdown_row(head), alignment, *map(_markdown_row, rows), ""]


def _markdown_row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(map(markdown, cells))} |"


def _mark(code: int) -> str:
    """What is shown in place of a character that cannot be shown."""
    is_control = code < 0x20
    is_surrogate = 0xD800 <= code < 0xE000
    if is_control:
        return chr(0x2400 + code)  # its Unicode picture, such as ␛
    return "\ufffd" if is_surrogate else f"⟨U+{code:04X}⟩"


def _csp_hash(text: str) -> str:
    """The hash by which a content security policy names a style or a script."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
