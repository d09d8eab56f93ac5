"""Secrets: read from the environment or a `.env` file, never written, logged or shown."""

from __future__ import annotations

import os
from pathlib import Path


def secret(name: str) -> str | None:
    """The value of an environment variable, or of a `NAME=value` line in `.env` of the working folder."""
    value = os.environ.get(name) or _dotenv().get(name)
    return value.strip() if value and value.strip() else None


def _dotenv() -> dict[str, str]:
    path = Path(".env")
    if not path.is_file():
        return {}
    lines = (line.strip().removeprefix("export ") for line in path.read_text(encoding="utf-8-sig").splitlines())
    pairs = (line.partition("=") for line in lines if "=" in line and not line.startswith("#"))
    return {name.strip(): value.strip().strip("\"'") for name, _, value in pairs}


def without_secret(text: str, *secrets: str | None) -> str:
    """`text` with every given secret blotted out, for messages that providers echo keys into."""
    for value in secrets:
        if value:
            text = text.replace(value, "[key]")
    return text
