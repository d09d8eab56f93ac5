"""Pages of the product's own look: a Jinja template in, one HTML page out.

What always holds in a page made here: every value is escaped, and characters that cannot be shown or that turn the
text around them are shown as marks. Rates come in as fractions. A page is self-contained (the sheet and the script are
in it, images too unless its frame says that they lie beside it, and the policy names their hashes, so that no other
style or script can take effect) unless its frame is live: then the web app serves it, its assets beside it and its
policy in a header.
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
from mossbench.look.numbers import percent
from mossbench.messages import on_command_line
from mossbench.plumbing.templates import templates_in
from mossbench.statistics import Estimate

if TYPE_CHECKING:
    from jinja2 import BytecodeCache, Environment
    from jinja2.bccache import Bucket

LOOK = Path(__file__).parent
# Controls but tab and line ends; what turns the direction of text around and is not closed by the end of a line; other
# ends of lines; halves of characters, which no file can hold; what has no look at all and can hide a text in a text:
# zero-width spaces, fillers, tags. Joiners are part of some scripts and pictures, but not beside a blank or each other.
_UNSHOWN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u2028-\u202e"
    "\u2060-\u206f\u3164\ud800-\udfff\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
    "|(?<!\\S)[\u200c\u200d]|[\u200c\u200d](?=[\\s\u200c\u200d]|\\Z)"
)
_NUMBERS = "percent whole ends quoted stated points number signed p_value p_said difference brackets number_word"
FILTERS = {name: getattr(numbers, name) for name in _NUMBERS.split()} | {
    "one": numbers.bare_percent,
    "pct": percent,
    "noun": numbers.counted_noun,
    "dollars": numbers.dollars,
    "duration": numbers.duration,
    "thousands": lambda n: f"{n:,}",
}
"""Of all templates: numbers as text."""
_FLAG = re.compile(r"(?<![\w-])--[a-z][a-z-]*")


@dataclass(frozen=True)
class Look:
    """The sheet and the script as they stand in a page, and the policy that allows them and nothing else."""

    sheet: str
    script: str

    def policy(self, *, images: bool = False) -> str:
        """`images`: also those that lie beside the page, on a host or in a folder."""
        beside = " 'self' file:" if images else ""
        return (
            f"default-src 'none'; img-src data:{beside}; style-src '{_digest(self.sheet)}'; "
            f"script-src '{_digest(self.script)}'; form-action 'none'; base-uri 'none'"
        )

    @property
    def version(self) -> str:
        return assets.version()


@dataclass(frozen=True)
class Frame:
    """What is around a page: the pages beside it, and whether a server stands behind it."""

    links: tuple[tuple[str, str], ...] = ()
    """Names and addresses of the pages in the bar."""
    here: str = ""
    live: bool = False
    form_token: str = ""
    """Goes with every form of a live page."""
    home: str = "/"
    has_downloads: bool = False
    """Whether the numbers lie in files beside a page that is not live."""
    images: bool = False
    """Whether images lie in files beside a page that is not live."""
    progress: str = ""
    """Where a live page asks how far its run is; empty when it has ended."""


ALONE = Frame()


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
    env.filters |= FILTERS | {
        "known": lambda number: not math.isnan(number),
        "pos": position,
        "two": numbers.two,
        "anchor": _text_anchor,
        "short": _shortened,
        "breakable": breakable,
        "flags": _flags_as_code,
        "on_command_line": on_command_line,
    }
    return env


def _compiled_templates() -> BytecodeCache:
    """Templates as they were compiled before, which takes longer than most pages; beside Python's own files."""
    from jinja2 import FileSystemBytecodeCache

    code = "".join(path.read_text("utf-8") for path in sorted(LOOK.glob("*.py")))

    class Compiled(FileSystemBytecodeCache):
        def get_source_checksum(self, source: str) -> str:  # filters of constants are compiled in
            return super().get_source_checksum(source + code)

        def load_bytecode(self, bucket: Bucket) -> None:
            with suppress(OSError, EOFError):  # a convenience
                super().load_bytecode(bucket)

        def dump_bytecode(self, bucket: Bucket) -> None:
            with suppress(OSError):
                if not sys.dont_write_bytecode:
                    super().dump_bytecode(bucket)

    return Compiled(str(Path(cache_from_source(__file__)).parent), "%s.jinja")


def _visible_value(value: Any) -> Any:
    """A value as it is printed: of a text only what can be shown."""
    if not isinstance(value, str):
        return value
    return Markup(visible(value)) if isinstance(value, Markup) else visible(value)


def _flags_as_code(text: str) -> Markup:
    """The text with flags such as --labels as code, which is not broken after the dashes."""
    return Markup(_FLAG.sub(lambda match: f"<code>{match[0]}</code>", str(escape(text))))


def _text_anchor(estimate: Estimate) -> str:
    """At which end a label beside a mark starts, so that it stays on the axis."""
    if estimate.value < 0.2:
        return "start"
    return "end" if estimate.value > 0.8 else "middle"


def _shortened(text: str) -> str:
    """A long name without its middle: runs of a model differ in the end."""
    return text if len(text) <= 28 else f"{text[:12]}…{text[-15:]}"


def visible(text: str) -> str:
    """The text with a mark in place of each character that cannot be shown or that turns its surroundings around."""
    if text.isascii() and text.isprintable():  # nearly all of them, and much quicker
        return text
    return _UNSHOWN.sub(lambda match: _mark(ord(match[0])), text)


def position(fraction: float, top: float = 100) -> str:
    """Where a fraction stands on an axis from 0 to `top` per cent, as an SVG length."""
    return f"{1e4 * fraction / top:.2f}".rstrip("0").rstrip(".") + "%"


def breakable(quoted: str) -> str:
    """A quoted number that a narrow column breaks before its interval and nowhere else."""
    return re.sub(r" (?![(\[])", "\u00a0", quoted)


def markdown(text: str) -> str:
    """The text in one line so that nothing in it is taken for Markdown or HTML."""
    text = " ".join(visible(text).split())
    text = re.sub(r"[\\`*_\[\]|#]", lambda match: f"\\{match[0]}", text)
    return re.sub(r"[<>&]", lambda match: f"&#{ord(match[0])};", text)


def markdown_table(head: Sequence[str], rows: Iterable[Iterable[str]], *, words: int = 1) -> list[str]:
    """The lines of a Markdown table: the first columns hold `words`, the others numbers; then an empty one."""
    rule = "|" + "---|" * words + "--:|" * (len(head) - words)
    return [_markdown_row(head), rule, *map(_markdown_row, rows), ""]


def _markdown_row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(map(markdown, cells))} |"


def _mark(code: int) -> str:
    """What is shown in place of a character that cannot be."""
    is_control = code < 0x20
    is_half_of_a_pair = 0xD800 <= code < 0xE000
    if is_control:
        return chr(0x2400 + code)  # its Unicode picture
    return "\ufffd" if is_half_of_a_pair else f"⟨U+{code:04X}⟩"


def _digest(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
