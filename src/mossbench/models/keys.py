"""Secrets: read from the environment or a `.env` file, never written, logged or shown."""

from __future__ import annotations

import os
import re
from pathlib import Path

_SECRET_NAME = re.compile(r"_(?:KEY|TOKEN|SECRET|PASSWORD)$")
_SHORTEST_SECRET = 8  # characters; shorter values would blot out parts of words


def secret(name: str) -> str | None:
    """The value of an environment variable, or of a `NAME=value` line in `.env` of the working folder."""
    return (os.environ.get(name) or _dotenv().get(name) or "").strip() or None


def known_secrets() -> tuple[str, ...]:
    """All values that the environment and `.env` have under names of secrets, longest first."""
    values = {
        value.strip()
        for name, value in (*os.environ.items(), *_dotenv().items())
        if _SECRET_NAME.search(name.upper()) and len(value.strip()) >= _SHORTEST_SECRET
    }
    return tuple(sorted(values, key=len, reverse=True))


def _dotenv() -> dict[str, str]:
    path = Path(".env")
    if not path.is_file():
        return {}
    lines = (line.strip().removeprefix("export ") for line in path.read_text(encoding="utf-8-sig").splitlines())
    pairs = (line.partition("=") for line in lines if "=" in line and not line.startswith("#"))
    return {name.strip(): value.strip().strip("\"'") for name, _, value in pairs}


def blot(text: str, secrets: tuple[str, ...] | None = None) -> str:
    """`text` with secrets blotted out, by default all that are known, for what providers echo."""
    for value in known_secrets() if secrets is None else secrets:
        text = text.replace(value, "[key]")
    return text
