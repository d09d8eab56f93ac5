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
    extractor = _MainPart()
    extractor.feed(page)
    extractor.close()
    closing_tags = [f"</{tag}>" for tag in reversed(extractor.open_tags)]
    return Markup("".join([*extractor.parts, *closing_tags]))


class _MainPart(HTMLParser):
    """Collects what is allowed inside the first <main>."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self.open_tags: list[str] = []
        """Tags that were written and not closed yet."""
        self.left_out: list[str] = []
        """Open tags whose content is left out."""
        self.is_inside = False
        self.has_ended = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "main" and not self.has_ended:
            self.is_inside = True
        elif not self.is_inside:
            return
        elif self.left_out or tag in _WITH_CONTENT:
            if tag in _WITH_CONTENT:
                self.left_out.append(tag)
        elif tag in _TAGS:
            self.parts.append(_start_tag(tag, attrs))
            if tag not in _VOID:
                self.open_tags.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag == "main":
            self.is_inside = False
            self.has_ended = True
        elif self.left_out:
            if tag == self.left_out[-1]:
                self.left_out.pop()
        elif self.is_inside and tag in self.open_tags:
            self._close_through(tag)

    def _close_through(self, tag: str) -> None:
        """Closes the innermost open `tag`, after whatever is still open inside it."""
        while True:
            innermost = self.open_tags.pop()
            self.parts.append(f"</{innermost}>")
            if innermost == tag:
                return

    def handle_data(self, data: str) -> None:
        if self.is_inside and not self.left_out:
            self.parts.append(escape(data))


def _start_tag(tag: str, attrs: list[tuple[str, str | None]]) -> str:
    """The tag with the attributes that may stay; what scrolls can be reached with the keyboard."""
    attributes = ""
    classes: set[str] = set()
    for name, given_value in attrs:
        value = given_value or ""
        if name == "class":
            classes = set(value.split())
        if _may_stay(name, value):
            attributes += f' {name}="{escape(value)}"'
    if classes & {"scroll", "drawn"}:
        attributes += ' tabindex="0"'
    return f"<{tag}{attributes}>"


def _may_stay(name: str, value: str) -> bool:
    if name == "href":
        return value.startswith("#")
    if name == "src":
        return _IMAGE.fullmatch(value) is not None
    return name in _ATTRIBUTES
