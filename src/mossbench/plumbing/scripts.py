"""JavaScript files that hold data: one assignment of an object, as web pages load them.

    cache['model'] = {"1": {…}}        test_data = {"1": {…}};        const test_data = {"1": {…}}

The object is JSON; comments and a comma after the last entry, which JavaScript allows, are passed over.
"""

import re
from dataclasses import dataclass

_ASSIGNMENT = re.compile(
    r"""\s*(?:(?:var|let|const)\s+)?(?P<name>[\w$.]+)"""
    r"""(?:\[\s*(?P<quote>["'])(?P<key>.+?)(?P=quote)\s*\])?\s*=\s*(?P<object>\{.*\})\s*;?\s*""",
    re.DOTALL,
)
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|//[^\n]*|/\*.*?\*/|,(?=\s*[}\]])', re.DOTALL)
"""A string, which stays as it is, or what JSON does not have: a comment, or a comma before a bracket."""
_NOT_NEWLINE = re.compile(r"[^\n]")


@dataclass(frozen=True)
class Assignment:
    """What a script assigns to which name."""

    name: str
    key: str | None
    """What stands in brackets after the name: `cache['key']`."""
    json: str
    n_lines_above: int
    """Lines of the file before the object begins."""


def read_assignment(text: str) -> Assignment | None:
    """The one assignment of an object that a script is; None where it is something else."""
    plain = _TOKEN.sub(_keep_string, text)  # comments first: commas may stand before one
    plain = _TOKEN.sub(_keep_string, plain)
    match = _ASSIGNMENT.fullmatch(plain)
    if match is None:
        return None
    n_lines_above = plain.count("\n", 0, match.start("object"))
    return Assignment(match["name"], match["key"], match["object"], n_lines_above)


def _keep_string(match: re.Match[str]) -> str:
    """Blanks for all but a string, so that lines and columns stay what they are."""
    token = match[0]
    return token if token.startswith('"') else _NOT_NEWLINE.sub(" ", token)
