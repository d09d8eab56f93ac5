"""An outline turned left to right, so that a prop can face either way while the light stays at the upper left."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache

_ARGS = {"m": 2, "l": 2, "t": 2, "q": 4, "s": 4, "c": 6, "h": 1, "v": 1, "a": 7, "z": 0}


_TOKEN = re.compile(r"[A-Za-z]|-?(?:\d+\.?\d*|\.\d+)")


@cache
def mirrored(d: str, w: float) -> str:
    """The path `d` of a box of width `w`, seen in a mirror."""
    tokens, out, i, command = _TOKEN.findall(d), [], 0, ""
    while i < len(tokens):
        if tokens[i].isalpha():
            command, i = tokens[i], i + 1
        n = _ARGS[command.lower()]
        values = [float(t) for t in tokens[i : i + n]]
        i += n
        width = 0 if command.islower() else w  # relative steps turn about nought
        if command in "hH" or command.lower() not in "vaz":
            values = [width - v if k % 2 == 0 else v for k, v in enumerate(values)]
        elif command in "aA":
            values = [values[0], values[1], -values[2], values[3], 1 - values[4], width - values[5], values[6]]
        out.append(command + " ".join(f"{v:g}" for v in values))
    return "".join(out)


def facing(w: float, way: int) -> Callable[[str], str]:
    """Outlines drawn to face left (`way` -1), as they are or mirrored to face right (`way` 1)."""
    return (lambda d: mirrored(d, w)) if way > 0 else (lambda d: d)
