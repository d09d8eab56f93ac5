"""Pages as trees, so that tests ask for elements instead of searching markup with regular expressions.

A selector is a part of CSS: `h2`, `table.stack.todo`, `#board-1`, `a[href]`, `input[type=checkbox]`, `a[href^=/runs]`,
and descendants, `ul.key svg`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser

VOID = {"area", "base", "br", "col", "hr", "img", "input", "link", "meta", "source", "wbr"}
"""Elements that have no end tag."""
ENDED_BY = {
    "dd": {"dd", "dt"},
    "dt": {"dd", "dt"},
    "li": {"li"},
    "option": {"option"},
    "td": {"td", "th", "tr"},
    "th": {"td", "th", "tr"},
    "tr": {"tr"},
}
"""Elements whose end tag may be left out, with the tags before which they end."""
DRAWN = {"svg"}
_STEP = re.compile(r"(?P<tag>\w+)?(?P<rest>(?:[.#][\w-]+|\[[^\]]+\])*)")
_CONDITION = re.compile(r"\.(?P<name>[\w-]+)|#(?P<id>[\w-]+)|\[(?P<key>[\w-]+)(?:(?P<sign>\^?=)(?P<value>[^\]]*))?\]")


@dataclass(eq=False)
class Element:
    tag: str
    attributes: dict[str, str]
    source: str = field(repr=False)
    begin: int
    """Where its start tag begins in the source."""
    parent: Element | None = field(default=None, repr=False)
    children: list[Element | str] = field(default_factory=list, repr=False)
    end: int = -1

    @property
    def markup(self) -> str:
        """The element as the page has it, with its own tags."""
        return self.source[self.begin : self.end]

    @property
    def classes(self) -> list[str]:
        return self.attributes.get("class", "").split()

    @property
    def text(self) -> str:
        """What is written in it, with single spaces."""
        return " ".join("".join(self.strings()).split())

    @property
    def own_text(self) -> str:
        """What is written in it and in none of its children."""
        return " ".join("".join(child for child in self.children if isinstance(child, str)).split())

    def strings(self, without: frozenset[str] | set[str] = frozenset()) -> Iterator[str]:
        """The pieces of text in it, those in elements `without` left out."""
        for child in self.children:
            if isinstance(child, str):
                yield child
            elif child.tag not in without:
                yield from child.strings(without)

    def descendants(self) -> Iterator[Element]:
        for child in self.children:
            if isinstance(child, Element):
                yield child
                yield from child.descendants()

    def ancestors(self) -> Iterator[Element]:
        if self.parent is not None:
            yield self.parent
            yield from self.parent.ancestors()

    def inside(self, tag: str) -> Element:
        """The nearest element with this tag that it is in."""
        return next(ancestor for ancestor in self.ancestors() if ancestor.tag == tag)

    def next(self, tag: str) -> Element:
        """The next element, which has this tag."""
        assert self.parent is not None
        siblings = [child for child in self.parent.children if isinstance(child, Element)]
        following = siblings[siblings.index(self) + 1]
        assert following.tag == tag, f"after {self.tag} comes {following.tag}"
        return following

    def __getitem__(self, attribute: str) -> str:
        return self.attributes[attribute]


class _Tree(HTMLParser):
    def __init__(self, source: str) -> None:
        super().__init__(convert_charrefs=True)
        self.source = source
        self.line_begins = [0, *(match.end() for match in re.finditer("\n", source))]
        self.root = Element("", {}, source, begin=0, end=len(source))
        self.open = self.root
        self.feed(source)
        self.close()
        self.close_until(self.root, len(source))

    def position(self) -> int:
        line, column = self.getpos()
        return self.line_begins[line - 1] + column

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        while tag in ENDED_BY.get(self.open.tag, ()):
            self.close_until(self.open.parent or self.root, self.position())
        element = self.add(tag, attrs)
        if tag not in VOID:
            self.open = element

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.add(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        for element in (self.open, *self.open.ancestors()):
            if element.tag == tag:
                self.close_until(element, self.position())
                element.end = self.source.index(">", self.position()) + 1
                self.open = element.parent or self.root
                return

    def handle_data(self, data: str) -> None:
        self.open.children.append(data)

    def add(self, tag: str, attrs: list[tuple[str, str | None]]) -> Element:
        attributes = {name: value or "" for name, value in attrs}
        begin = self.position()
        start_tag = self.get_starttag_text() or ""
        element = Element(tag, attributes, self.source, begin, parent=self.open, end=begin + len(start_tag))
        self.open.children.append(element)
        return element

    def close_until(self, ancestor: Element, position: int) -> None:
        """End what is open inside of the ancestor, which becomes the innermost open element."""
        while self.open is not ancestor:
            self.open.end = position
            self.open = self.open.parent or self.root


def parse(page: str) -> Element:
    return _Tree(page).root


def fulfils(element: Element, step: str) -> bool:
    """Whether an element is what one step of a selector asks for: `a.id[href]`."""
    parts = _STEP.fullmatch(step)
    assert parts, f"no selector: {step}"
    if parts["tag"] and parts["tag"] != element.tag:
        return False
    return all(_fulfils_condition(element, condition) for condition in _CONDITION.finditer(parts["rest"]))


def _fulfils_condition(element: Element, condition: re.Match[str]) -> bool:
    if condition["name"]:
        return condition["name"] in element.classes
    if condition["id"]:
        return element.attributes.get("id") == condition["id"]
    value = element.attributes.get(condition["key"])
    if value is None or condition["sign"] is None:
        return value is not None
    if condition["sign"] == "^=":
        return value.startswith(condition["value"])
    return value == condition["value"]


def is_selected(element: Element, selector: str) -> bool:
    *outer_steps, own_step = re.findall(r"(?:\[[^\]]*\]|\S)+", selector)
    if not fulfils(element, own_step):
        return False
    ancestors = element.ancestors()
    return all(any(fulfils(ancestor, step) for ancestor in ancestors) for step in reversed(outer_steps))


def elements(page: str | Element, selector: str) -> list[Element]:
    """Those in a page, or in an element, in their order there."""
    root = parse(page) if isinstance(page, str) else page
    return [element for element in root.descendants() if is_selected(element, selector)]


def element(page: str | Element, selector: str) -> Element:
    """The first one; a test fails where there is none."""
    selected = elements(page, selector)
    assert selected, f"no element {selector}"
    return selected[0]


def texts(page: str | Element, selector: str) -> list[str]:
    return [selected.text for selected in elements(page, selector)]


def text_of(page: str | Element) -> str:
    """The words of a page without those of drawings, each element's apart from its neighbour's."""
    root = parse(page) if isinstance(page, str) else page
    return " ".join(" ".join(root.strings(without=DRAWN)).split())
