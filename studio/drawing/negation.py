"""Marks that turn a picture against what it shows, on any prop or printed thing.

`marked(prop, "ban")` lays a mark over a prop in its own box, so that prop and marked prop can stand in for each other.
`boards.printed` puts a small picture and a few words on a poster, sign, screen ... and marks it in the same way.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from studio.drawing.kit import (
    CREAM,
    INK,
    LEAF,
    RED,
    SHADOW,
    TEXT,
    WHITE,
    Prop,
    ban,
    box,
    cross,
    dark,
    form,
    lettering,
    oval,
    path,
    poly,
    put,
    stroke,
)  # fmt: skip


def marked(prop: Prop, kind: str, words: str = "") -> Prop:
    """The prop with a mark over it, in the same box; `words` for a stamp or a caption ('MYTH', 'NOT LIKE THIS')."""
    shows = prop.shows | {TEXT} if words else prop.shows
    return replace(
        prop, name=f"crossed-out {prop.name}", body=prop.body + mark(kind, prop.w, prop.h, words), shows=shows
    )


def mark(kind: str, w: float, h: float, words: str = "") -> str:
    """An overlay for a field of that size: ban, cross, strike, stamp, thumb, caption, torn, badge, or '' for none."""
    if not kind:
        return ""
    return MARKS[kind](w, h, words or DEFAULT_WORDS.get(kind, ""))


DEFAULT_WORDS = {"stamp": "MYTH", "caption": "DON'T"}


def _ban(w: float, h: float, words: str) -> str:
    return ban(w / 2, h / 2, min(w, h) * 0.44)


def _cross(w: float, h: float, words: str) -> str:
    u = min(w, h)
    m = u * 0.1
    return cross(m, m, w - 2 * m, h - 2 * m, u * 0.075)


def _strike(w: float, h: float, words: str) -> str:
    """One thick line through, from lower left to upper right, as with a felt pen."""
    u = min(w, h)
    d = f"M{w * 0.06:.1f} {h * 0.84:.1f}Q{w * 0.5:.1f} {h * 0.5:.1f} {w * 0.94:.1f} {h * 0.16:.1f}"
    twice = f"M{w * 0.1:.1f} {h * 0.92:.1f}Q{w * 0.54:.1f} {h * 0.6:.1f} {w * 0.9:.1f} {h * 0.26:.1f}"
    return stroke(d, RED, u * 0.075) + stroke(twice, RED, u * 0.045)


def _stamp(w: float, h: float, words: str) -> str:
    """A rubber stamp across the middle."""
    u = min(w, h)
    long, high = w * 0.84, u * 0.3
    frame = path(box(-long / 2, -high / 2, long, high, u * 0.04), WHITE, RED, u * 0.04, 'fill-opacity=".82"')
    return put(w / 2, h / 2, frame + lettering(words, 0, high * 0.27, high * 0.54, RED, long * 0.86), 1, -12)


def _thumb(w: float, h: float, words: str) -> str:
    """A red disc with a thumb down, in the lower right corner."""
    r = min(w, h) * 0.25
    fist = form(box(-0.34 * r, -0.52 * r, 0.8 * r, 0.66 * r, 0.14 * r), CREAM, r * 0.08)
    fist += form(
        f"M{-0.3 * r:.2f} {0.0 * r:.2f}L{-0.02 * r:.2f} {0.62 * r:.2f}Q{0.2 * r:.2f} {0.72 * r:.2f}"
        f" {0.22 * r:.2f} {0.5 * r:.2f}L{0.2 * r:.2f} {0.05 * r:.2f}z",
        CREAM,
        r * 0.06,
    )
    fist += stroke(
        "".join(f"M{0.1 * r:.2f} {y * r:.2f}h{0.34 * r:.2f}" for y in (-0.34, -0.17, 0.0)), dark(CREAM, 0.35), r * 0.05
    )
    fist += form(box(-0.66 * r, -0.56 * r, 0.3 * r, 0.74 * r, 0.06 * r), INK, r * 0.05)
    disc = path(oval(r * 0.06, r * 0.08, r), SHADOW, extra='opacity=".3"') + form(
        oval(0, 0, r), RED, r * 0.12, r * 0.05
    )
    return put(w - r * 1.1, h - r * 1.1, disc + fist)


def _caption(w: float, h: float, words: str) -> str:
    """A red board with words over the lower part."""
    high = min(h * 0.24, w * 0.3)
    y = h - high * 1.12
    board = path(box(w * 0.05, y + high * 0.08, w * 0.92, high, high * 0.14), SHADOW, extra='opacity=".3"')
    board += form(box(w * 0.04, y, w * 0.92, high, high * 0.14), RED, high * 0.08)
    return board + lettering(words, w / 2, y + high * 0.72, high * 0.46, WHITE, w * 0.82)


def _torn(w: float, h: float, words: str) -> str:
    """A tear from top to bottom: bare wall shows through the rent and one flap hangs."""
    n = 9
    left = [(w * (0.46 + (0.05 if i % 2 else -0.03)), h * i / n) for i in range(n + 1)]
    right = [(w * (0.6 + (0.04 if i % 2 else -0.04) + 0.06 * (n - i) / n), h * i / n) for i in range(n, -1, -1)]
    edge = [(x + w * 0.018, y) for x, y in left]
    rent = path(poly(*left, *right), WHITE) + path(poly(*edge, *((x - w * 0.012, y) for x, y in right)), "#CDBFA6")
    flap = poly((w * 0.66, 0), (w * 1.0, 0), (w * 1.0, h * 0.2), (w * 0.82, h * 0.1))
    return rent + path(flap, SHADOW, extra='opacity=".25" transform="translate(-1,2)"') + form(flap, WHITE, w * 0.01)


def _badge(w: float, h: float, words: str) -> str:
    """A red disc with a white cross in the upper right corner."""
    r = min(w, h) * 0.2
    k = r * 0.42
    x = stroke(f"M{-k:.2f} {-k:.2f}L{k:.2f} {k:.2f}M{k:.2f} {-k:.2f}L{-k:.2f} {k:.2f}", WHITE, r * 0.26)
    disc = path(oval(r * 0.06, r * 0.08, r), SHADOW, extra='opacity=".3"') + form(
        oval(0, 0, r), RED, r * 0.12, r * 0.05
    )
    return put(w - r * 1.15, r * 1.15, disc + x)


def tick(r: float) -> str:
    """A green disc with a white tick around (0, 0): for the thing that is right beside the one that is wrong."""
    d = f"M{-r * 0.46:.2f} {r * 0.02:.2f}L{-r * 0.1:.2f} {r * 0.4:.2f}L{r * 0.5:.2f} {-r * 0.36:.2f}"
    return form(oval(0, 0, r), LEAF, r * 0.12, r * 0.05) + stroke(d, WHITE, r * 0.24)


MARKS: dict[str, Callable[[float, float, str], str]] = {
    "ban": _ban,
    "cross": _cross,
    "strike": _strike,
    "stamp": _stamp,
    "thumb": _thumb,
    "caption": _caption,
    "torn": _torn,
    "badge": _badge,
}
