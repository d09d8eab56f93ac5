"""The visible text of a page, with a line for each block, and the words that stand for pictures and in fields."""

from html.parser import HTMLParser

UNSEEN = {"script", "style", "template"}
INLINE = {"a", "abbr", "b", "bdi", "br", "button", "code", "em", "i", "img", "input", "kbd", "label", "mark", "q", "s"}
INLINE |= {"select", "small", "span", "strong", "sub", "sup", "textarea", "time", "u", "use", "wbr"}
APART = {"a", "button", "label", "select", "small", "span", "textarea", "time"}
"""Inline, and often with a gap that only the style sheet makes."""
CELLS = {"td", "th"}
DRAWN = {"svg"}
"""What is drawn has a label for those who do not see it; the letters in it have no order."""


class _VisibleText(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.lines: list[str] = []
        self._line = ""
        self._within: list[str] = []
        """The tags that are not shown as text and are still open."""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        if not self._within:
            self._begin(tag, values)
        if tag in UNSEEN | DRAWN:
            self._within.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if not self._within:
            self._begin(tag, {name: value or "" for name, value in attrs})

    def handle_endtag(self, tag: str) -> None:
        if self._within and self._within[-1] == tag:
            self._within.pop()
        elif not self._within and tag in APART:
            self._line += " "
        elif not self._within and tag not in INLINE | CELLS:
            self._end_line()

    def handle_data(self, data: str) -> None:
        if not self._within:
            self._line += data

    def _begin(self, tag: str, values: dict[str, str]) -> None:
        if tag in CELLS:
            self._line += " | "
        elif tag in APART:
            self._line += " "
        elif tag not in INLINE:
            self._end_line()
        if tag == "br":
            self._end_line()
        if tag == "img" and values.get("alt"):
            self._line += f" [image: {values['alt']}] "
        if tag in DRAWN and values.get("aria-label"):
            self._line += f" [drawing: {values['aria-label']}] "
        if tag == "input" and values.get("type") != "hidden":
            shown = values.get("value") or values.get("placeholder") or ""
            checked = " checked" if "checked" in values else ""
            self._line += f" [{values.get('type', 'text')}: {shown}{checked}] "
        if tag == "option":
            self._line += "- selected: " if "selected" in values else "- "

    def _end_line(self) -> None:
        words = " ".join(self._line.split())
        if words:
            self.lines.append(words)
        self._line = ""

    def close(self) -> None:
        super().close()
        self._end_line()


def visible_text(page: str) -> str:
    parser = _VisibleText()
    parser.feed(page)
    parser.close()
    return "\n".join(parser.lines) + "\n"
