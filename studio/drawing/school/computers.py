"""Computers, their screens and what stands beside them, in centimetres."""

from __future__ import annotations

from dataclasses import replace

from studio.drawing.kit import (
    BLUE,
    CORAL,
    CREAM,
    INK,
    LEAF,
    NAVY,
    RED,
    SKY,
    STEEL,
    SUN,
    TEAL,
    TEXT,
    WHITE,
    Prop,
    box,
    clipped,
    dark,
    form,
    lettering,
    oval,
    path,
    poly,
    put,
    shadow,
    stroke,
    veil,
)  # fmt: skip


def skull_bug() -> str:
    """A red bug with a skull for a face, in a field of 60 x 40."""
    legs = stroke("M18 16L8 10M17 23H6M18 30L9 36M42 16L52 10M43 23H54M42 30L51 36", RED, 2.2)
    body = form(oval(30, 23, 14, 13), RED, 2.4, 0.8) + path(oval(22, 31, 2.6) + oval(38, 31, 2.6), dark(RED, 0.4))
    skull = path("M21 18Q21 8 30 8T39 18Q39 22 36 23V27H24V23Q21 22 21 18z", "#F6F1E4") + path(
        oval(26, 17.6, 2.7, 3) + oval(34, 17.6, 2.7, 3), INK
    )
    teeth = path("M29.2 21.4h1.6l-.8-2z", INK) + stroke("M27.4 24v3M30 24v3M32.6 24v3", INK, 0.7)
    return legs + stroke("M24 9Q20 4 16 5M36 9Q40 4 44 5", RED, 1.6) + body + skull + teeth


def butterfly() -> str:
    """A butterfly in a field of 60 x 40."""
    wings = form("M30 20Q16 0 8 8Q4 20 30 22z", CORAL, 1.6) + form("M30 20Q44 0 52 8Q56 20 30 22z", CORAL, 1.6)
    low = form("M30 22Q12 24 16 34Q24 40 30 24z", SUN, 1.4) + form("M30 22Q48 24 44 34Q36 40 30 24z", SUN, 1.4)
    return (
        wings
        + low
        + form(box(28.6, 12, 2.8, 22, 1.4), CREAM, 0.6)
        + stroke("M30 12Q26 6 22 6M30 12Q34 6 38 6", CREAM, 0.8)
    )


def game_screen(art: str, words: str, ink: str, name: str) -> Prop:
    """A computer whose screen shows a figure of a game over a line of words."""
    grid = stroke(
        "".join(f"M{2 + 7 * i} 2v33" for i in range(1, 8)) + "".join(f"M2 {2 + 6.6 * i:.1f}h56" for i in range(1, 5)),
        "#2B3358",
        0.3,
    )
    made = computer(grid + put(11.4, 1.6, art, 0.62) + lettering(words, 30, 32.6, 5.4, ink, 50), "#1A2040")
    return replace(made, name=name, shows=frozenset({TEXT}))


def computer(picture: str = "", screen: str = "#8FC7DC") -> Prop:
    """A screen on a foot with keyboard and mouse before it, 62 x 54 cm."""
    glass = box(2, 2, 56, 33)
    stand = form(box(27, 36, 6, 9), dark(STEEL, 0.3), 1) + form(box(19, 44, 22, 2.4, 1), dark(STEEL, 0.2), 0.6)
    keys = form(poly((10, 48), (46, 48), (49, 53.4), (7, 53.4)), "#E4E1DA", 0.6) + stroke(
        "M11 49.6H46M10 51.2H47", "#A9ADB8", 0.5
    )
    mouse = form(oval(55, 51.4, 2.6, 1.8), "#E4E1DA", 0.5)
    shine = veil(poly((2, 2), (20, 2), (2, 26)), WHITE, 0.16)
    body = form(box(0, 0, 60, 38, 1.6), "#3C4356", 1, 0.4) + clipped(glass, path(glass, screen) + picture + shine)
    return Prop("computer", 62, 54, shadow(30, 46, 14, 1.2, 0.5) + stand + body + keys + mouse)


def desktop_picture(kind: int) -> str:
    """What other screens show: a drawing, a page of text, a chart."""
    if kind == 0:
        return path("M2 26Q16 12 30 22T60 18V36H2z", LEAF) + form(oval(46, 11, 5), SUN, 1)
    if kind == 1:
        return path(box(8, 5, 44, 30), WHITE) + stroke("M12 10h20M12 15h36M12 20h34M12 25h28", "#8FA9BE", 1.4)
    return path(box(2, 2, 56, 33), WHITE) + "".join(
        path(box(10 + 11 * i, 30 - h, 7, h), c)
        for i, (h, c) in enumerate(((10, RED), (18, SUN), (14, LEAF), (23, BLUE)))
    )


def robot() -> Prop:
    """A toy robot with wheels, 28 x 40 cm."""
    head = (
        form(box(5, 5, 18, 13, 3), "#E4E1DA", 1.4, 0.5)
        + path(oval(10.4, 11, 2.4) + oval(17.6, 11, 2.4), TEAL)
        + stroke("M10 15.4h8", INK, 1)
    )
    body = form(box(3, 20, 22, 14, 2.4), CORAL, 2, 0.6) + path(oval(14, 27, 3.4), SUN) + path(box(6, 24, 3, 6, 1), NAVY)
    arms = stroke("M3 24Q-2 26 0 31M25 24Q30 22 29 17", STEEL, 2)
    return Prop(
        "robot",
        30,
        40,
        shadow(14, 39.4, 14, 1.2, 0.6)
        + stroke("M14 5V1", STEEL, 1.2)
        + form(oval(14, 1.6, 1.6), RED, 0.4)
        + arms
        + form(box(11, 17, 6, 4), STEEL, 0.8)
        + head
        + body
        + form(oval(8, 36, 4), INK, 0.8)
        + form(oval(20, 36, 4), INK, 0.8),
    )


def printer() -> Prop:
    """50 x 36 cm, a sheet coming out."""
    back = form(poly((12, 0), (38, 0), (40, 12), (10, 12)), WHITE, 0.8)
    case = (
        form(box(0, 10, 50, 24, 3), "#D9DCE2", 3, 0.9)
        + path(box(8, 24, 34, 4, 1), "#4B5368")
        + path(oval(43, 15.6, 1.4), LEAF)
    )
    return Prop(
        "printer",
        50,
        36,
        shadow(25, 35, 27, 1.6, 0.6)
        + back
        + case
        + form(poly((10, 26), (40, 26), (43, 35), (7, 35)), WHITE, 0.6)
        + stroke("M13 29h20M12 31.4h24", SKY, 0.7),
    )


def headphones() -> Prop:
    """Lying on a desk, 24 x 12 cm."""
    return Prop(
        "headphones",
        24,
        12,
        shadow(12, 11.4, 12, 0.9, 0.5)
        + stroke("M4 8Q4 1 12 1T20 8", INK, 1.6)
        + form(box(1, 6, 6, 6, 2), CORAL, 1, 0.3)
        + form(box(17, 6, 6, 6, 2), CORAL, 1, 0.3),
    )
