"""Secrets: read from the environment or a `.env` file, never written, logged or shown."""

from __future__ import annotations

import os
from pathlib import Path

_used: set[str] = set()
_SHORTEST_SECRET = 8
"""Anything shorter, such as `none` or `EMPTY` for a local server, is no secret and may stand in answers."""


def secret(name: str) -> str | None:
    """The value of an environment variable, or of a `NAME=value` line in `.env` of the working folder."""
    value = (os.environ.get(name) or _dotenv().get(name) or "").strip()
    if len(value) >= _SHORTEST_SECRET:
        _used.add(value)
    return value or None


def _dotenv() -> dict[str, str]:
    path = Path(".env")
    if not path.is_file():
        return {}
    lines = (line.strip().removeprefix("export ") for line in path.read_text(encoding="utf-8-sig").splitlines())
    pairs = (line.partition("=") for line in lines if "=" in line and not line.startswith("#"))
    return {name.strip(): value.strip().strip("\"'") for name, _, value in pairs}


def blot(text: str) -> str:
    """`text` with every secret that was read blotted out, for what providers echo."""
    for value in _used:
        text = text.replace(value, "[key]")
    return text
