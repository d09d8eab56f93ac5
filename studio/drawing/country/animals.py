"""Pets and small beasts in centimetres, from the side; `way` -1 faces left, 1 right."""

from __future__ import annotations

from collections.abc import Callable

from studio.drawing.country.landscape import scallop
from studio.drawing.country.mirror import facing
from studio.drawing.kit import (
    CREAM,
    INK,
    PINK,
    RED,
    SUN,
    WHITE,
    Prop,
    dark,
    form,
    light,
    limb,
    mix,
    oval,
    path,
    shadow,
    stroke,
)


def dog(way: int = -1, coat: str = "#C98D56", *, sits: bool = False, tongue: bool = True, collar: str = RED) -> Prop:
    """A friendly dog with drooping ears: stands (86 x 64) or sits (58 x 70); anchors mouth, neck."""
    if sits:
        return _sitting_dog(way, coat, collar)
    f = facing(86, way)
    pale = light(coat, 0.45)
    legs = "".join(
        form(f(limb([(x, 42), (x + b, 51), (x, 61)], (10, 7.4, 6))), c, 1.4)
        + form(f(f"M{x - 6} 63q0-5 6-5h4v5z"), c, 0.8)
        for x, b, c in ((36, 0, dark(coat, 0.2)), (72, 3, dark(coat, 0.2)), (29, 0, coat), (64, 3, coat))
    )
    tail = form(f(limb([(72, 30), (80, 24), (82, 12)], (7, 5.4, 2.6))), coat, 1.2)
    body = form(f("M24 26Q44 22 66 25Q78 28 77 38Q74 47 62 46Q44 49 32 47Q22 40 24 26z"), coat, 4, 1)
    neck = form(f("M24 16L38 24L34 44L24 40Q18 28 20 20z"), coat, 2)
    band = stroke(f("M21 32q7 4 15-3"), collar, 2.6) + form(f(oval(24, 36, 2)), SUN, 0.5)
    return Prop(
        "dog",
        86,
        64,
        shadow(50, 62, 36, 3, 0.5) + tail + legs + body + neck + band + _dog_head(f, coat, pale, tongue),
        {"mouth": ((9, 26) if way < 0 else (77, 26)), "neck": ((24, 33) if way < 0 else (62, 33))},
    )


def _dog_head(f: Callable[[str], str], coat: str, pale: str, tongue: bool) -> str:
    skull = form(
        f("M34 8Q26 0 17 6Q14 12 6 15Q0 17 2 23Q6 28 15 26Q26 30 34 22Q38 14 34 8z"),
        coat,
        2.4,
        0.6,
        path(f("M0 15Q8 17 14 20Q18 26 12 30H0z"), pale),
    )
    ear = form(f("M27 6Q36 3 39 12Q40 24 33 27Q27 22 28 14Q27 10 27 6z"), dark(coat, 0.24), 1.4)
    lick = form(f("M8 26q5-1 6 0q2 8-2 9t-4-9z"), "#E8788A", 0.8) if tongue else ""
    face = (
        form(f("M-.5 16q5-3 6 1q-1 4-4 3.4q-3-1-2-4.4z"), INK, 0.4)
        + path(f(oval(17, 12.4, 1.9, 2.2)), INK)
        + path(f(oval(16.4, 11.7, 0.7)), WHITE)
    )
    return lick + skull + face + stroke(f("M4 23q5 3.4 11 1"), dark(coat, 0.5), 1.1) + ear


def _sitting_dog(way: int, coat: str, collar: str) -> Prop:
    f = facing(58, way)
    tail = form(f(limb([(48, 64), (56, 60), (57, 50)], (6, 5, 2.4))), coat, 1)
    haunch = form(f("M30 40Q52 40 54 58Q54 68 44 69H30z"), coat, 3) + form(f("M26 69q0-5 7-5h10v5z"), coat, 1)
    chest = form(
        f("M18 22L38 26Q48 38 46 58Q40 66 30 64L20 56Q15 36 18 22z"),
        coat,
        3.4,
        1,
        path(f("M16 26Q24 36 22 60H14z"), light(coat, 0.45)),
    )
    front = "".join(
        form(f(limb([(x, 48), (x, 58), (x - 1, 66)], (8, 6.4, 5.6))), c, 1.2)
        + form(f(f"M{x - 7} 69q0-5 6-5h4v5z"), c, 0.8)
        for x, c in ((29, dark(coat, 0.18)), (22, coat))
    )
    band = stroke(f("M19 31q8 4 18-2"), collar, 2.8) + form(f(oval(23, 35, 2)), SUN, 0.5)
    return Prop(
        "dog",
        58,
        70,
        shadow(34, 68, 26, 2.6, 0.5)
        + tail
        + chest
        + haunch
        + front
        + band
        + _dog_head(f, coat, light(coat, 0.45), True),
        {"mouth": ((9, 26) if way < 0 else (49, 26)), "neck": ((22, 33) if way < 0 else (36, 33))},
    )


def sitting_cat(way: int = -1, coat: str = "#8C8690") -> Prop:
    """A tabby that sits with its tail around its feet, 36 x 46."""
    f = facing(36, way)
    stripes = stroke(f("M20 20q6 2 8 6M22 27q5 1 8 5M24 34q4 0 6 3"), dark(coat, 0.3), 1.5)
    body = form(
        f("M8 18Q14 12 20 17Q32 28 31 42Q26 46 12 45Q6 32 8 18z"),
        coat,
        2.4,
        0.6,
        path(f("M8 20Q13 26 12 42H4z"), light(coat, 0.5)) + stripes,
    )
    paws = form(f("M7 45q0-4 4-4t4 4z"), light(coat, 0.4), 0.5) + form(f("M13 45q0-4 4-4t4 4z"), coat, 0.5)
    tail = form(f(limb([(30, 42), (26, 46), (15, 44)], (4, 3.6, 2.6))), dark(coat, 0.1), 0.8)
    ears = form(f("M4 6L4-1L10 3z"), coat, 0.6) + form(f("M15 3L20-1L21 6z"), coat, 0.6)
    head = form(f("M12.5 1.6Q22 1.6 22 10Q21.6 18 12.5 18Q3.4 18 3 10Q3 1.6 12.5 1.6z"), coat, 1.8, 0.4)
    face = path(f(oval(8.6, 9, 1.5, 1.8)) + f(oval(15.6, 9, 1.5, 1.8)), "#F0E28A") + path(
        f(oval(8.4, 9, 0.7, 1.5)) + f(oval(15.4, 9, 0.7, 1.5)), INK
    )
    face += path(f("M11 12h2.4l-1.2 1.6z"), PINK) + stroke(
        f("M12.2 13.6q-1.6 2-3.4.8M12.2 13.6q1.6 2 3.4.8"), dark(coat, 0.5), 0.6
    )
    whiskers = stroke(f("M6 13L-1 12M6 14.4L0 15.6M18.4 13L25 12M18.4 14.4L24 15.6"), WHITE, 0.4)
    return Prop("cat", 36, 46, shadow(18, 45, 15, 1.6, 0.5) + body + paws + tail + ears + head + face + whiskers)


def rabbit(way: int = -1, coat: str = "#E9DFD2") -> Prop:
    """A rabbit, 40 x 40."""
    f = facing(40, way)
    ears = "".join(
        form(f(d), c, 1)
        for d, c in (("M16 14Q13 0 18-2Q22 4 20 15z", dark(coat, 0.16)), ("M12 14Q6 2 10-1Q16 2 17 14z", coat))
    ) + stroke(f("M12 11Q10 4 11 2"), PINK, 1.5)
    body = form(f("M16 22Q28 15 36 26Q40 38 30 39H14Q10 30 16 22z"), coat, 2.6, 0.6)
    foot = form(f("M22 39q-1-7 8-7q7 2 5 7z"), dark(coat, 0.08), 1) + form(f("M10 39q0-4 4-4h3v4z"), coat, 0.6)
    tail = form(f(scallop(37, 31, 4, 4, 7, 1)), WHITE, 0.8)
    head = form(f("M14 12Q22 13 22 21Q20 29 12 28Q4 27 4 21Q6 13 14 12z"), coat, 1.8, 0.5)
    return Prop(
        "rabbit",
        40,
        40,
        shadow(22, 39, 16, 1.6, 0.5)
        + tail
        + body
        + foot
        + ears
        + head
        + path(f(oval(11, 19, 1.5, 1.9)), INK)
        + path(f(oval(10.5, 18.4, 0.5)), WHITE)
        + path(f("M4 21.6l2.6-.6l-.6 2.2z"), PINK)
        + stroke(f("M6 24q2 1.6 4 .4"), dark(coat, 0.4), 0.6),
    )


def hedgehog(way: int = -1) -> Prop:
    """A hedgehog, 34 x 22."""
    f, spine = facing(34, way), "#7A6150"
    prickles = "".join(
        f"L{x} {y}"
        for x, y in (
            (9, 4),
            (12, 6),
            (14, 1),
            (17, 4),
            (20, 0),
            (22, 4),
            (26, 2),
            (27, 6),
            (31, 6),
            (30, 10),
            (34, 12),
            (31, 15),
            (33, 19),
        )
    )
    back = form(f(f"M8 14{prickles}L30 20H8z"), spine, 2, 0)
    face = form(f("M12 9Q4 10 1 16Q4 20 14 20Q16 14 12 9z"), "#D9B48C", 1)
    return Prop(
        "hedgehog",
        34,
        22,
        shadow(18, 21, 15, 1.2, 0.5)
        + form(f("M9 22q0-4 3-4t3 4zM24 22q0-4 3-4t3 4z"), "#B98A5E", 0.4)
        + back
        + face
        + path(f(oval(1.6, 15.6, 1.4)), INK)
        + path(f(oval(8, 14, 1)), INK),
    )


def squirrel() -> Prop:
    """A red squirrel with a nut, facing left, 34 x 36."""
    fur = "#B8622F"
    tail = form("M22 34Q36 30 33 14Q31 2 22 3Q16 6 20 12Q26 14 24 22Q23 28 18 32z", fur, 3, 0.6)
    body = form("M10 16Q20 14 23 24Q24 33 20 35H8Q6 24 10 16z", fur, 2.2, 0.4, path(oval(9, 26, 4, 8), CREAM))
    head = form("M14 6Q20 8 18 15Q14 20 8 18Q2 17 4 13Q7 6 14 6z", fur, 1.6, 0.4) + form("M13 7L15 0L18 8z", fur, 0.6)
    return Prop(
        "squirrel",
        34,
        36,
        shadow(18, 35, 14, 1.4, 0.5)
        + tail
        + body
        + head
        + path(oval(10, 11.6, 1.4), INK)
        + path(oval(9.6, 11.2, 0.5), WHITE)
        + form(limb([(13, 22), (9, 24), (6, 22)], (4, 3, 2.4)), fur, 0.6)
        + form(oval(4.6, 21, 2.6, 3), "#8A5F43", 0.7)
        + path(oval(3.8, 14.6, 1), INK),
    )


def fish(colour: str = "#8FA9B8", w: float = 60) -> Prop:
    """A fish lying flat, head to the left; it may be any length."""
    k = w / 60
    tail = form(
        f"M{46 * k} {12 * k}L{60 * k} {3 * k}Q{56 * k} {12 * k} {60 * k} {21 * k}z", dark(colour, 0.12), 1.4 * k
    )
    scales = stroke(
        "".join(
            f"M{x * k:.1f} {y * k:.1f}q{2.4 * k:.1f} {3 * k:.1f} 0 {5 * k:.1f}"
            for x, y in ((20, 7), (27, 5), (27, 12), (34, 8), (40, 9), (20, 13))
        ),
        dark(colour, 0.16),
        0.8 * k,
    )
    body = form(
        f"M{2 * k} {12 * k}Q{14 * k} {1 * k} {30 * k} {3 * k}Q{42 * k} {5 * k} {50 * k} {12 * k}"
        f"Q{40 * k} {20 * k} {28 * k} {21 * k}Q{12 * k} {22 * k} {2 * k} {12 * k}z",
        colour,
        2.6 * k,
        0.6 * k,
        path(oval(26 * k, 21 * k, 24 * k, 6 * k), light(colour, 0.5)) + scales,
    )
    fin = form(f"M{22 * k} {4 * k}Q{28 * k} {-4 * k} {36 * k} {5 * k}z", dark(colour, 0.16), 1 * k)
    return Prop(
        "fish",
        w,
        24 * k,
        fin
        + tail
        + body
        + path(oval(9 * k, 10 * k, 2 * k), WHITE)
        + path(oval(8.8 * k, 10 * k, 1.1 * k), INK)
        + stroke(f"M{15 * k} {6 * k}q{3 * k} {6 * k} 0 {12 * k}", dark(colour, 0.3), 0.9 * k),
    )


def snail(way: int = -1) -> Prop:
    f = facing(20, way)
    return Prop(
        "snail",
        20,
        14,
        form(f("M1 12Q2 8 4 5L6 6Q6 10 9 11H19Q18 14 14 14H4Q1 14 1 12z"), "#D9C39A", 0.8)
        + stroke(f("M4 5L2 1M5.4 5L6 1"), "#D9C39A", 0.9)
        + form(f(oval(13, 7.6, 5.6)), "#C8703A", 1.6, 0.4)
        + stroke(f("M13 7.6q2-2 2 1t-4 1t-1-5t6 0"), dark("#C8703A", 0.3), 1),
    )


def bee() -> Prop:
    wings = path(oval(9, 3, 4, 3) + oval(13, 3.4, 3.6, 2.8), mix("#DDECF2", "#FFFFFF", 0.4), extra='opacity=".85"')
    body = form(oval(10, 8, 7, 4.6), SUN, 1.2, 0.3, path("M7 2h2.6v12H7zM12 2h2.4v12H12z", INK))
    return Prop("bee", 20, 14, wings + body + path(oval(4.4, 7, 0.8), INK) + path("M16.8 8l2.6-.6l-2.4 1.6z", INK))


def butterfly(colour: str = "#E8893A") -> Prop:
    wings = form("M10 8Q2-4 0 4Q2 10 10 9zM10 8Q18-4 20 4Q18 10 10 9z", colour, 0.8) + form(
        "M10 9Q2 10 4 15Q9 16 10 10zM10 9Q18 10 16 15Q11 16 10 10z", light(colour, 0.3), 0.6
    )
    return Prop("butterfly", 20, 16, wings + stroke("M10 5V13", INK, 1.4))
