"""Templates of texts that are no pages: TeX and Markdown.

Every value is escaped for where it stands, unless it is Raw. The marks of templates are << >> and <% %>, which neither
language uses.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Callable
from typing import Any

from mossbench.look.numbers import UNKNOWN, bare_percent, ends
from mossbench.look.page import LOOK, NUMBER_FILTERS, visible
from mossbench.plumbing.templates import templates_in
from mossbench.statistics import Estimate

_TEX: dict[str, str] = tomllib.loads((LOOK / "tex.toml").read_text("utf-8"))
_ACCENTS = dict(
    zip("\u0300\u0301\u0302\u0303\u0308\u030a\u0327\u030c\u0304\u0306\u0307\u030b", "`'^~\"rcv=u.H", strict=True)
)


class Raw(str):
    """Text that is in the template's language already."""


def tex(text: str) -> str:
    """The text in one line of ASCII so that TeX prints it and takes nothing in it for a command.

    What its usual fonts do not have is named by its code: U+4E2D.
    """
    line = re.sub("-(?=-)", "-\0", " ".join(visible(text).split()))  # two hyphens would become a dash
    return "".join(map(_tex, line))


def _tex(char: str) -> str:
    if char in _TEX or char.isascii():
        return _TEX.get(char, char)
    base, *marks = list(unicodedata.normalize("NFD", char))
    if len(marks) == 1 and marks[0] in _ACCENTS and base.isascii() and base.isalpha():
        dotless = "\\" if base in "ij" else ""
        return f"\\{_ACCENTS[marks[0]]}{{{dotless}{base}}}"
    return f"\\texttt{{U+{ord(char):04X}}}"


def render_text(template: str, escape: Callable[[str], str], **values: Any) -> str:
    """The template of `look/templates` as a text; every value is escaped."""
    env = templates_in(
        LOOK / "templates",
        variable_start_string="<<",
        variable_end_string=">>",
        block_start_string="<%",
        block_end_string="%>",
        comment_start_string="<#",
        comment_end_string="#>",
        finalize=lambda value: value if isinstance(value, Raw) else escape(str(value)),
    )
    env.filters |= NUMBER_FILTERS | {"cell": _cell}
    env.filters["raw"] = lambda text: Raw(visible(text))
    return env.get_template(template).render(values)


def _cell(estimate: Estimate | None) -> str:
    """21.4 [14.9, 29.6]."""
    if estimate is None:
        return UNKNOWN
    value = bare_percent(estimate.value)
    interval = ends(estimate)
    if interval == UNKNOWN:
        return value
    return f"{value} [{interval.replace(' to ', ', ')}]"
