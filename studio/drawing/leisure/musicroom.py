"""Instruments for a music lesson."""

from __future__ import annotations

from studio.drawing.kit import (
    CREAM,
    INK,
    RED,
    SUN,
    WHITE,
    WOOD,
    Prop,
    box,
    dark,
    form,
    light,
    oval,
    path,
    poly,
    put,
    shadow,
    stroke,
)
from studio.drawing.leisure.stage import guitar


def guitar_on_stand(size: float = 1, colour: str = "#D98F4A") -> Prop:
    """A guitar upright on a three-legged stand, about 44 x 116 cm at size 1."""
    legs = stroke("M22 84L6 114M22 84L38 114M22 60V100", "#3C3F55", 2.6) + stroke("M10 102H34", "#3C3F55", 3.4)
    body = (
        shadow(22, 114, 24, 3, 0.6)
        + legs
        + put(4, 2, guitar(colour).body)
        + stroke("M8 103v-6M36 103v-6", "#3C3F55", 3)
    )
    return Prop("guitar on a stand", 44 * size, 116 * size, put(0, 0, body, size))


def piano() -> Prop:
    """An upright piano from the front, 150 x 118 cm, with a sheet of music."""
    wood = "#6B4436"
    case = (
        form(box(0, 0, 150, 114, 3), wood, 5, 1.4)
        + form(box(10, 10, 130, 34, 2), light(wood, 0.1), 3, 1)
        + path(box(-3, -2, 156, 6, 2), light(wood, 0.16))
    )
    keys = path(poly((2, 56), (148, 56), (152, 66), (-2, 66)), WHITE) + stroke(
        "".join(f"M{x} 57V65" for x in range(8, 148, 7)), "#B9B2BC", 0.7
    )
    keys += path("".join(box(x, 56, 3.4, 5.6) for i, x in enumerate(range(6, 146, 7)) if i % 7 not in (2, 6)), INK)
    ledge = form(box(-3, 65, 156, 9, 2), dark(wood, 0.1), 2, 0.8)
    legs = "".join(form(box(x, 74, 9, 44, 1), dark(wood, 0.16), 2) for x in (0, 141)) + path(box(68, 106, 14, 3), SUN)
    sheet = form(poly((56, 22), (75, 20), (94, 22), (94, 48), (75, 46), (56, 48)), WHITE, 1) + stroke(
        "M60 28h12M60 33h12M60 38h12M78 28h12M78 33h12M78 38h12", "#9C93A8", 0.8
    )
    return Prop("piano", 156, 118, put(3, 2, shadow(75, 114, 84, 5, 0.6) + case + sheet + legs + keys + ledge))


def music_stand() -> Prop:
    """A stand with sheet music, 50 x 122 cm."""
    post = stroke("M25 24V104M25 102L8 120M25 102L42 120M25 102V116", "#4B4658", 2.6)
    desk = form(poly((2, 6), (48, 6), (50, 36), (0, 36)), "#4B4658", 2, 0.6)
    page = (
        form(poly((9, 3), (41, 3), (42, 33), (8, 33)), WHITE, 1)
        + stroke("M12 9h26M12 15h26M12 21h26M12 27h18", "#9C93A8", 0.9)
        + path(oval(18, 14, 1.6) + oval(28, 20, 1.6) + oval(34, 8, 1.6), INK)
    )
    return Prop("music stand", 50, 122, shadow(25, 120, 24, 3, 0.6) + post + desk + page)


def drum_on_stool(w: float, h: float) -> Prop:
    """A tall stool with a hand drum on it, in any box of at least 50 x 100 cm."""
    x, seat = w / 2, h - 62
    legs = "".join(
        stroke(f"M{x + a} {seat + 4}L{x + b} {h - 2 - up}", c, 4)
        for a, b, up, c in (
            (-8, -12, 5, dark(WOOD, 0.34)),
            (8, 12, 5, dark(WOOD, 0.34)),
            (-14, -20, 0, WOOD),
            (14, 20, 0, WOOD),
        )
    )
    ring = stroke(f"M{x - 17} {h - 24}H{x + 17}", dark(WOOD, 0.2), 3)
    top = form(box(x - 20, seat, 40, 8, 4), WOOD, 2, 0.8)
    y = seat - 36
    shell = form(
        f"M{x - 21} {y}L{x - 17} {seat}Q{x} {seat + 5} {x + 17} {seat}L{x + 21} {y}z",
        RED,
        5,
        1,
        stroke("".join(f"M{x - 20 + 10 * i} {y}l5 36l5-36" for i in range(4)), CREAM, 1.4),
    )
    skin = form(oval(x, y, 22, 5.6), CREAM, 1.4) + stroke(oval(x, y, 22, 5.6), dark(RED, 0.3), 1.6)
    sticks = stroke(f"M{x - 14} {y - 4}L{x + 18} {y + 1}M{x - 6} {y + 2}L{x + 20} {y - 5}", dark(WOOD, 0.2), 2)
    return Prop("drum on a stool", w, h, shadow(x, h - 1, 26, 3, 0.6) + legs + ring + top + shell + skin + sticks)
