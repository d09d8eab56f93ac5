"""What stands in a car garage: a car with its bonnet up, tyres, jack, tool trolley; pictures for a sign."""

from __future__ import annotations

from studio.drawing.faces import head
from studio.drawing.kit import (
    HUMAN,
    INK,
    LEAF,
    RED,
    SKY,
    STEEL,
    SUN,
    TEAL,
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
    veil,
)
from studio.drawing.poses import Look, Pose


def open_car(colour: str = "#C9553F") -> Prop:
    """The front half of a car that faces right, its bonnet propped up; 260 x 190 cm, cut at the left."""
    body = form("M-60 92L20 88Q96 84 112 88H236Q256 90 258 112V132Q256 142 244 142H-60z", colour, 8, 2)
    cabin = (
        form("M-60 88V36H20Q40 36 54 52L92 88z", colour, 5, 2)
        + path("M-60 84V46H14Q30 46 42 58L66 84z", "#BFD8E2")
        + veil("M-40 46H-10L-34 84H-58z", "#fff", 0.3)
    )
    bay = (
        form("M112 88H236L228 104H120z", "#3F4658", 2)
        + form(box(128, 76, 50, 20, 3), STEEL, 3, 1)
        + stroke("M134 82h38M134 87h38", dark(STEEL, 0.3), 1.6)
        + "".join(form(box(x, 71, 6, 7, 1), "#3F4658", 1) for x in (134, 145, 156, 167))
        + form(box(188, 80, 28, 16, 2), "#3A3648", 2)
        + form(box(192, 76, 5, 5, 1), RED, 0.8)
        + form(box(207, 76, 5, 5, 1), "#9AA3B5", 0.8)
        + stroke("M178 88q6-2 10 0", INK, 2.6)
    )
    under = dark(colour, 0.22)
    bonnet = (
        form("M104 90L180-4q4-5 10-4l30 6q8 2 4 10L146 90z", light(colour, 0.12), 4, 2)
        + path(poly((118, 84), (186, 2), (214, 8), (142, 84)), under)
        + stroke("M128 72L152 74M146 50L170 53M165 27L190 31M130 84L200 5", dark(under, 0.25), 2.2)
        + stroke("M222 90L208 18", STEEL, 2.4)
    )
    wheel = (
        path("M128 142A40 40 0 0 1 208 142z", dark(colour, 0.6))
        + form(oval(168, 156, 32), "#3A3648", 6)
        + form(oval(168, 156, 18), "#C9CFD6", 4, 1)
        + form(oval(168, 156, 6), "#5A6379", 1.6)
    )
    spokes = stroke("M168 140v9M168 163v9M152 156h9M175 156h9", "#8C93A6", 3)
    lamp = form("M240 98Q256 100 257 114L238 112z", "#FFF3C8", 2) + form(box(226, 124, 34, 12, 4), "#5A6379", 2, 1)
    seam = stroke("M88 92V138M-60 110H90", dark(colour, 0.3), 2) + form(box(60, 100, 16, 5, 2), dark(colour, 0.4), 1)
    return Prop(
        "car with open bonnet",
        262,
        190,
        shadow(120, 188, 150, 7, 0.7) + bonnet + cabin + body + bay + seam + wheel + spokes + lamp,
    )


def tyres(n: int = 3) -> Prop:
    """A stack of tyres, 66 cm wide, 20 cm each."""
    h = 20 * n + 8
    out = shadow(33, h - 2, 38, 4, 0.6)
    for i in range(n):
        y = h - 20 * (i + 1)
        out += form(box(i % 2 * 2, y - 1, 64, 21, 9), "#3F3C4E", 5, 1.4) + stroke(
            "".join(f"M{8 + 7 * j + i % 2 * 2} {y + 3}l3 13" for j in range(8)), "#2E2B3C", 2
        )
    return Prop("tyres", 66, h, out + form(oval(33, 9, 30, 7), "#4B485C", 1) + path(oval(33, 9, 15, 3.4), "#24212E"))


def tool_trolley() -> Prop:
    """A red tool trolley on wheels with spanners on top, 76 x 96 cm; anchor top."""
    drawers = "".join(
        form(box(6, 22 + 16 * i, 64, 13, 2), light(RED, 0.1), 2, 0.8)
        + form(box(24, 26 + 16 * i, 28, 3.4, 1.6), "#E4E8EC", 0.8)
        for i in range(4)
    )
    wheels = "".join(form(oval(x, 90, 5.6), INK, 1.4) for x in (12, 64))
    tools = (
        stroke("M16 12L28 6M50 10h14", "#C9CFD6", 3.4)
        + stroke("M14 13q-4-1-3-5M30 5q4-2 5 2", "#C9CFD6", 2.4)
        + form(box(36, 3, 9, 10, 1), "#E2B24A", 1.4)
    )
    return Prop(
        "tool trolley",
        76,
        96,
        shadow(38, 94, 44, 4, 0.6)
        + wheels
        + form(box(0, 14, 76, 74, 4), RED, 5, 1.6)
        + path(poly((4, 10), (72, 10), (76, 17), (0, 17)), light(RED, 0.3))
        + tools
        + drawers,
        {"top": (38, 12)},
    )


def jack() -> Prop:
    """A trolley jack, 80 x 26 cm."""
    return Prop(
        "jack",
        80,
        26,
        shadow(36, 25, 40, 2.4, 0.6)
        + stroke("M22 18L78 2", "#3F4658", 3.4)
        + form(box(2, 14, 44, 8, 3), SUN, 2, 0.8)
        + form(box(4, 6, 12, 9, 2), STEEL, 1.4)
        + "".join(form(oval(x, 22, 4), INK, 1) for x in (8, 40)),
    )


def oil_can() -> Prop:
    """A can with a long spout, 40 x 34 cm."""
    return Prop(
        "oil can",
        40,
        34,
        shadow(16, 33, 17, 2, 0.6)
        + stroke("M18 14L38 3", STEEL, 2.4)
        + form("M4 33Q2 20 14 14H18Q30 20 28 33z", LEAF, 4, 1)
        + stroke("M6 24Q-2 22 0 14Q4 8 12 14", dark(LEAF, 0.3), 2.4),
    )


def fumes_art() -> Prop:
    """A car that fills a closed garage with fumes, and a dizzy face in them; 120 x 100 cm."""
    house = (
        form("M6 96V42L60 8L114 42V96z", "#8C97A4", 0)
        + path("M14 92V47L60 18L106 47V92z", "#E9DFC8")
        + stroke("M4 44L60 8L116 44", "#5A6379", 6)
    )
    smoke = "".join(
        form(oval(x, y, r), c, r * 0.2)
        for x, y, r, c in (
            (48, 84, 6, "#8C8698"),
            (40, 74, 8, "#A8A2B0"),
            (24, 78, 9, "#B9B2BC"),
            (50, 56, 8, "#B9B2BC"),
            (56, 42, 9, "#C4BEC8"),
            (72, 38, 8, "#A8A2B0"),
        )
    )
    car = form("M56 88V76Q58 70 64 70L72 58H90L98 70Q105 72 105 80V88z", RED, 3, 1) + path(
        "M74 61H80V70H69zM83 61H89L94 70H83z", SKY
    )
    wheels = "".join(form(oval(x, 88, 7), INK, 1.4) + path(oval(x, 88, 3), STEEL) for x in (68, 93))
    look = Look(sex="male", skin="#F2B48C", hair="#5A3425", style="short")
    back, face = head(look, Pose(mouth="worry", eyes="shut", turn=0.1))
    dizzy = (
        form("M16 96Q16 78 30 78T46 96z", TEAL, 2)
        + put(31, 66, back + face, 1.3, -10)
        + stroke("M18 50q4-8 14-7t14 8", INK, 1.8)
        + path(oval(18, 51, 2) + oval(46, 52, 2), INK)
    )
    return Prop(
        "car with fumes in a closed garage",
        120,
        100,
        house + stroke("M57 86h-7", "#5A6379", 3) + smoke + car + wheels + dizzy,
        shows=frozenset({HUMAN}),
    )


def tyre_art() -> Prop:
    """A tyre and a spanner; 120 x 100 cm."""
    wheel = (
        form(oval(46, 56, 38), "#3A3648", 7, 1.6)
        + form(oval(46, 56, 21), "#C9CFD6", 4, 1)
        + form(oval(46, 56, 7), "#5A6379", 1.4)
    )
    spanner = (
        form(box(-5, -34, 10, 64, 3), STEEL, 2, 0.8)
        + form("M-12-52L-5-48V-40H5V-48L12-52Q16-36 5-30H-5Q-16-36-12-52z", STEEL, 2, 0.8)
        + form(oval(0, 34, 10), STEEL, 2)
        + path(oval(0, 34, 4.6), "#CFE7EA")
    )
    return Prop("tyre and spanner", 120, 100, wheel + put(96, 56, spanner, 0.9, 18))
