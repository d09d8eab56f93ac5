"""A page that was written as a file, taken into a page of the app.

The file may be a stranger's. Only elements and attributes that our own pages have are taken over, and of addresses
those within the page and images that are part of it; all else, and what is inside it, is left out.
"""

import re
from html import escape
from html.parser import HTMLParser

from markupsafe import Markup

_TAGS = frozenset(
    "a abbr b blockquote br caption code col colgroup dd details div dl dt em figcaption figure h1 h2 h3 h4 header i "
    "img kbd li nav ol p pre q section small span strong sub summary sup table tbody td tfoot th thead tr ul".split()
)
_VOID = frozenset(("br", "col", "img"))
_WITH_CONTENT = frozenset(
    "audio button canvas embed form iframe math noscript object script select style svg template textarea title "
    "video".split()
)
"""Elements that are left out with all that is inside them."""
_ATTRIBUTES = frozenset("alt aria-label aria-labelledby class colspan id role rowspan scope title".split())
_IMAGE = re.compile(r"data:image/(?:svg\+xml|png|webp|jpeg);base64,[A-Za-z0-9+/=]+")


def main_part(page: str) -> Markup:
    """What is inside <main> of a page, safe to be shown in another; empty where there is no <main>."""
    taken = _Taken()
    taken.feed(page)
    taken.close()
    return Markup("".join([*taken.parts, *(f"</{tag}>" for tag in reversed(taken.open))]))


class _Taken(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self.open: list[str] = []
        self.left_out: list[str] = []
        self.inside = self.done = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "main" and not self.done:
            self.inside = True
        elif not self.inside:
            return
        elif self.left_out or tag in _WITH_CONTENT:
            if tag in _WITH_CONTENT:
                self.left_out.append(tag)
        elif tag in _TAGS:
            kept = "".join(f' {name}="{escape(value or "")}"' for name, value in attrs if _fits(name, value or ""))
            scrolling = {"scroll", "drawn"} & set((dict(attrs).get("class") or "").split())
            scrolls = ' tabindex="0"' if scrolling else ""  # for the keyboard
            self.parts.append(f"<{tag}{kept}{scrolls}>")
            if tag not in _VOID:
                self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag == "main":
            self.inside, self.done = False, True
        elif self.left_out:
            if tag == self.left_out[-1]:
                self.left_out.pop()
        elif self.inside and tag in self.open:
            while (last := self.open.pop()) != tag:
                self.parts.append(f"</{last}>")
            self.parts.append(f"</{tag}>")

    def handle_data(self, data: str) -> None:
        if self.inside and not self.left_out:
            self.parts.append(escape(data))


def _fits(name: str, value: str) -> bool:
    if name == "href":
        return value.startswith("#")
    if name == "src":
        return _IMAGE.fullmatch(value) is not None
    return name in _ATTRIBUTES
