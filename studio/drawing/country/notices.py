"""Notice boards of the open country, with and without the mark that turns them against what they show.

A board is one function with `banned`: the same box, the same art; only the mark and the words change.
"""

from __future__ import annotations

from studio.drawing.kit import (
    LEAF,
    NAVY,
    RED,
    TEXT,
    WHITE,
    WOOD,
    Prop,
    ban,
    box,
    clipped,
    cross,
    dark,
    form,
    lettering,
    oval,
    path,
    put,
    shadow,
    stroke,
)

GREEN = dark(LEAF, 0.35)
"""The colour of words that invite to something harmless."""


def notice(
    name: str,
    art: str,
    words: tuple[str, ...],
    *,
    mark: str = "",
    stand: str = "posts",
    colour: str = NAVY,
    frame: str = WOOD,
    ground: str = "#BFDCE3",
    legs: float = 60,
) -> Prop:
    """A board, 124 wide: `art` in a field of 108 x 84, then the words; `mark` is ban, cross, tick or nothing.

    `stand` is posts, easel or wall (hangs, no legs).
    """
    caption = 4 + 20 * len(words)
    high = 8 + 84 + caption + 8
    legs = 0 if stand == "wall" else legs
    h = high + legs
    feet = {
        "posts": "".join(form(box(x, 10, 9, h - 12, 2), dark(frame, 0.2), 2.4) for x in (12, 103)),
        "easel": stroke(f"M30 {high - 6}L12 {h - 2}M94 {high - 6}L112 {h - 2}", dark(frame, 0.1), 6)
        + stroke(f"M62 {high - 6}V{h - 14}", dark(frame, 0.34), 5),
        "wall": "",
    }[stand]
    base = shadow(62, h - 2, 62, 4, 0.6) if legs else ""
    board = form(box(0, 0, 124, high, 4), frame, 3, 1) + path(box(6, 6, 112, high - 12, 2), WHITE)
    picture = put(8, 8, clipped(box(0, 0, 108, 84), path(box(0, 0, 108, 84), ground) + art))
    sign = {"ban": ban(62, 50, 37), "cross": cross(18, 13, 88, 74, 5), "tick": _tick(), "": ""}[mark]
    text = "".join(lettering(line, 62, 111 + 20 * k, 15, colour, 104) for k, line in enumerate(words))
    return Prop(name, 124, h, base + feet + board + picture + sign + text, shows=frozenset({TEXT}))


def _tick() -> str:
    """Approval: a green ring with a tick, as large as the ban."""
    green = "#3F9A4E"
    return (
        stroke(oval(62, 50, 37), green, 7)
        + stroke("M42 52L56 68L84 34", WHITE, 14)
        + stroke("M42 52L56 68L84 34", green, 10)
    )


def plate_sign(name: str, lines: tuple[tuple[str, str], ...], *, struck: int = -1, art: str = "") -> Prop:
    """A sign of words on two posts, 130 x 150: lines as (words, colour); line `struck` is crossed out in red."""
    posts = "".join(form(box(x, 10, 8, 138, 2), "#5B6B66", 2) for x in (16, 106))
    board = form(box(0, 0, 130, 88, 5), "#F7F1E2", 3, 1.4) + stroke(box(5, 5, 120, 78, 3), "#5B6B66", 2)
    step = 76 / len(lines)
    text = "".join(lettering(w, 65, 6 + step * (k + 0.5) + 8.6, 18, c, 108) for k, (w, c) in enumerate(lines) if w)
    y = 6 + step * (struck + 0.5)
    strike = stroke(f"M7 {y + 5}Q60 {y - 3} 123 {y - 3}", RED, 5) if struck >= 0 else ""
    return Prop(
        name, 130, 150, shadow(65, 147, 60, 4, 0.55) + posts + board + art + text + strike, shows=frozenset({TEXT})
    )


def small_sign(name: str, art: str, words: tuple[str, str], colour: str, ground: str) -> Prop:
    text = "".join(lettering(w, 45, 62 + 22 * k, 17, colour, 74) for k, w in enumerate(words))
    board = form(box(0, 0, 90, 94, 5), colour, 2) + path(box(4, 4, 82, 86, 3), ground)
    return Prop(
        name,
        90,
        150,
        shadow(46, 147, 26, 3, 0.45) + form(box(41, 60, 8, 88, 2), "#7A5238", 2) + board + art + text,
        shows=frozenset({TEXT}),
    )
