"""Page residue: labels of buttons and notices that come along when an answer is copied from a web product.

Only whole lines at the very beginning or end of an answer are looked at, and only labels that are known. A
word that might end an answer of its own, such as "Share", goes only with another label beside it.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

_DATA = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
_SURE, _LIKELY = (re.compile("|".join(_DATA[what]), re.IGNORECASE) for what in ("sure", "likely"))


def strip_residue(text: str) -> tuple[str, tuple[str, ...]]:
    """The answer without the residue around it, and the lines that were taken off, in order."""
    lines = text.split("\n")
    head = _length(lines)
    tail = _length(lines[head:][::-1])
    taken = lines[:head] + lines[len(lines) - tail :]
    if not taken:
        return text, ()
    kept = "\n".join(lines[head : len(lines) - tail]).strip()
    return kept, tuple(line.strip() for line in taken if line.strip())


def _length(lines: list[str]) -> int:
    """How many lines from the first on are residue; blank ones among them count, blank ones alone do not."""
    n, labels, sure = 0, 0, 0
    for number, line in enumerate(lines, start=1):
        label = line.strip()
        if not label:
            continue
        is_sure = _SURE.fullmatch(label) is not None
        if not is_sure and not _LIKELY.fullmatch(label):
            break
        n, labels, sure = number, labels + 1, sure + is_sure
    return n if sure or labels > 1 else 0
