"""Secrets: read from the environment or a `.env` file, never written, logged or shown."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

from mossbench.errors import UsageError

_SECRET_NAME = re.compile(r"_(?:KEY|TOKEN|SECRET|PASSWORD)$")
_SHORTEST_SECRET = 8  # characters; shorter values would blot out parts of words
_NOT_IN_A_HEADER = re.compile(r"[^\x20-\x7e]")
# NAME=value, with `export` before it, quotes around the value or a comment behind it, as shells read it
_DOTENV_LINE = re.compile(r"\s*(?:export\s+)?([\w.]+)\s*=\s*(?:\"(.*?)\"|'(.*?)'|(.*?))\s*(?:(?<=\s)#.*)?")


def secret(name: str) -> str | None:
    """The value of an environment variable, or of a `NAME=value` line in `.env` of the working folder.

    Raises:
        UsageError: It has a character that cannot be sent; what the value is stays unsaid.
    """
    value = (os.environ.get(name) or dict(_dotenv()).get(name) or "").strip()
    if odd := _NOT_IN_A_HEADER.search(value):
        raise UsageError(
            f"{name} has {odd[0]!a} at character {odd.start() + 1} of {len(value)}, which no request can carry; "
            "expected letters, digits and signs in one line: set it anew"
        )
    return value or None


def known_secrets() -> tuple[str, ...]:
    """All values that the environment and `.env` have under names of secrets, longest first."""
    values = {
        value.strip()
        for name, value in (*os.environ.items(), *_dotenv(errors="replace"))
        if _SECRET_NAME.search(name.upper()) and len(value.strip()) >= _SHORTEST_SECRET
    }
    return tuple(sorted(values, key=len, reverse=True))


def _dotenv(errors: str = "strict") -> Iterator[tuple[str, str]]:
    path = Path(".env")
    if not path.is_file():
        return
    try:
        lines = path.read_text(encoding="utf-8-sig", errors=errors).splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f".env cannot be read ({error}); expected lines NAME=value in UTF-8") from error
    for line in lines:
        if found := _DOTENV_LINE.fullmatch(line):
            yield found[1], next((value for value in found.groups()[1:] if value is not None), "")


def blot(text: str, secrets: tuple[str, ...] | None = None) -> str:
    """`text` with secrets blotted out, by default all that are known, for what providers and libraries echo."""
    for value in known_secrets() if secrets is None else secrets:
        for form in (value, repr(value)[1:-1], json.dumps(value)[1:-1], quote(value), quote(value, safe="")):
            text = text.replace(form, "[key]")
    return text
