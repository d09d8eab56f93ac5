"""Reads JavaScript files that hold data: one assignment of an object, as web pages load them.

    cache['model'] = {"1": {…}}        test_data = {"1": {…}};        const test_data = {"1": {…}}

The object is JSON; comments and a comma after the last entry, which JavaScript allows, are ignored.
"""

import re
from dataclasses import dataclass

_STRING = r""""(?:[^"\\]++|\\.)*+"?"""
_SINGLE_QUOTED = r"""'(?:[^'\\\n]++|\\.)*+'?"""
_COMMENT = r"""//[^\n]*+|/\*(?:[^*]++|\*(?!/))*+(?:\*/)?"""
"""A string or comment that is never closed extends to the end, so that no text is read more than once."""
_NAME = re.compile(
    r"""\s*(?:(?:var|let|const)\s+)?(?P<name>[\w$.]++)\s*"""
    rf"""(?:\[\s*(?P<key>{_STRING}|{_SINGLE_QUOTED})\s*\]\s*)?=\s*(?=\{{)""",
    re.DOTALL,
)
"""The beginning of an assignment: a name, and at most one key in brackets."""
_STRING_OR_COMMENT = re.compile(f"{_STRING}|{_SINGLE_QUOTED}|{_COMMENT}", re.DOTALL)
_STRING_OR_LAST_COMMA = re.compile(rf"{_STRING}|{_SINGLE_QUOTED}|,(?=\s*+[}}\]])", re.DOTALL)
"""A string, which is kept, or a comma before a bracket, which JSON does not allow."""
_STRING_OR_BRACKET = re.compile(_STRING + "|[{}]", re.DOTALL)
_NOT_NEWLINE = re.compile(r"[^\n]")
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)


@dataclass(frozen=True)
class Assignment:
    """An object that a script assigns to a name."""

    name: str
    key: str | None
    """The key in brackets after the name: `cache['key']`."""
    json: str
    n_lines_above: int
    """Lines of the file before the object begins."""


def read_assignment(text: str) -> Assignment | None:
    """The assignment that a script consists of; None if it is anything else."""
    without_bom = text.removeprefix("\ufeff")
    without_comments = _STRING_OR_COMMENT.sub(_blank_unless_string, without_bom)
    plain = _STRING_OR_LAST_COMMA.sub(_blank_unless_string, without_comments)
    match = _NAME.match(plain)
    if match is None:
        return None
    start = match.end()
    end = _end_of_object(plain, start)
    is_whole_script = plain[end:].strip() in ("", ";")
    is_cut_off = not plain[:end].rstrip().rstrip(";").rstrip().endswith("}")
    if not is_whole_script or is_cut_off:
        return None
    key = None if match["key"] is None else _ESCAPE.sub(r"\1", match["key"][1:-1])
    return Assignment(match["name"], key, plain[start:end], plain.count("\n", 0, start))


def _end_of_object(text: str, start: int) -> int:
    """Where the object that begins at `start` ends; the end of the text if it is never closed.

    A missing bracket is left to the JSON parser, which names the line.
    """
    n_open = 0
    for match in _STRING_OR_BRACKET.finditer(text, start):
        if match[0] == "{":
            n_open += 1
        elif match[0] == "}":
            n_open -= 1
            if n_open == 0:
                return match.end()
    return len(text)


def _blank_unless_string(match: re.Match[str]) -> str:
    """A string unchanged, and blanks for anything else, so that lines and columns stay the same."""
    token = match[0]
    is_string = token[0] in "\"'"
    is_unclosed_comment = token.startswith("/*") and not token.endswith("*/")
    if is_string or is_unclosed_comment:
        return token
    return _NOT_NEWLINE.sub(" ", token)
