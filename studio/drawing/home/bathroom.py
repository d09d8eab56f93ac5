"""A bathroom and a bedroom, and what stands in them."""

from __future__ import annotations

from studio.drawing.home.interiors import floor, rug, tint, wall, window
from studio.drawing.kit import (
    BLUE,
    CORAL,
    CREAM,
    INK,
    LEAF,
    PINK,
    PLUM,
    RED,
    SKY,
    STEEL,
    SUN,
    TEAL,
    WHITE,
    WOOD,
    Prop,
    box,
    clipped,
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
from studio.drawing.scene import Setting, W


def bathroom(
    time: str = "day",
    weather: str = "clear",
    *,
    tile: str = "#CFE5E3",
    paper: str = "#F3EBDD",
    horizon: float = 250,
    eye: float = 130,
    base: float = 500,
    panes: float = 690,
    mat: str = CORAL,
) -> Setting:
    """Tiles to shoulder height, a small high window."""
    if time != "day":
        tile, paper = dark(tile, 0.24), dark(paper, 0.24)
    out = wall(paper, 240) + wall(tile, base, "tiles", 226) + path(box(0, 222, W, 10), dark(tile, 0.24))
    out += window(panes, 40, 150, 130, time=time, weather=weather, bars=(1, 0))
    out += floor("#B9C3CC" if time == "day" else "#8A93A6", base, horizon, "check") + rug(430, base + 110, 220, 38, mat)
    return Setting("bathroom", out, horizon, eye, tint("#1B1F4A", 0.08) if time == "night" else "")


def bathtub(foam: bool = True) -> Prop:
    """A tub on feet, 170 x 62 cm; foam rises above its rim. Anchor `water` is the middle of the rim."""
    suds = ""
    if foam:
        suds = "".join(form(oval(24 + 13 * i, 4 - 4 * (i % 3), 9 + 2 * (i % 2)), "#F2FAFA", 2) for i in range(10))
    feet = "".join(form(f"M{x} 50q-2 8-8 10h14q4-4 4-10z", SUN, 1.6) for x in (28, 140))
    tap = stroke("M160 4V-14Q160-20 152-20T146-14", STEEL, 4) + form(oval(160, -18, 3), STEEL, 1)
    tub = form("M4 8H166Q164 50 140 54H30Q6 50 4 8z", WHITE, 7, 1.4) + form(
        box(0, 2, 170, 8, 4), light("#E4EEF0", 0.2), 2, 0.8
    )
    return Prop("bathtub", 170, 62, shadow(86, 60, 80, 5, 0.6) + feet + tap + suds + tub, {"water": (85, 4)})


def basin(colour: str = WHITE) -> Prop:
    """A wash-basin on a cupboard, 74 x 86 cm; things stand on the rim at the top."""
    cupboard = form(box(6, 22, 62, 62, 2), "#7FA596", 3, 0.8) + "".join(
        stroke(box(10 + 29 * i, 28, 25, 50, 1.5), dark("#7FA596", 0.2), 1.2) + form(oval(33 + 8 * i, 50, 1.8), SUN, 0.5)
        for i in (0, 1)
    )
    bowl = form("M0 3H74Q72 22 56 24H18Q2 22 0 3z", colour, 4, 1) + form(box(-1, 0, 76, 6, 3), colour, 1.6, 0.6)
    tap = stroke("M37 0V-12Q37-17 42-17T47-12", STEEL, 3) + stroke("M32-8h10", STEEL, 2.4)
    return Prop("wash-basin", 74, 86, shadow(37, 85, 40, 4, 0.5) + cupboard + tap + bowl)


def mirror(w: float = 70, h: float = 80) -> Prop:
    """A round-cornered mirror on the wall."""
    d = box(4, 4, w - 8, h - 8, 10)
    return Prop(
        "mirror",
        w,
        h,
        veil(box(3, 4, w, h, 12), "#3A2A5C", 0.2)
        + form(box(0, 0, w, h, 12), WOOD, 3, 1)
        + clipped(d, path(d, "#CFE4EA") + veil(poly((0, 0), (w * 0.4, 0), (0, h * 0.5)), WHITE, 0.4)),
    )


def towel(colour: str = CORAL, w: float = 44) -> Prop:
    """A towel on a rail, `w` x 62 cm."""
    return Prop(
        "towel",
        w,
        62,
        veil(box(5, 6, w - 4, 58), "#3A2A5C", 0.15)
        + stroke(f"M-6 3H{w + 6}", STEEL, 2.4)
        + form(f"M2 2H{w - 2}V58H2z", colour, 3, 0.8, stroke(f"M0 48H{w}M0 52H{w}", CREAM, 1.8)),
    )


def rubber_duck(size: float = 12, colour: str = SUN) -> Prop:
    body = form("M1 8Q0 4 3 6Q5 7 6 6.4Q4 2 7.6 1T11 4.4Q11 6 10 6.6Q12 10 9 11.4H4Q1 11 1 8z", colour, 1.2, 0.3)
    return Prop(
        "rubber duck",
        size,
        size,
        put(
            0,
            0,
            shadow(6, 11.4, 6, 0.8, 0.5)
            + body
            + form("M10.8 3.4Q13 3.6 13 4.6Q12 5.6 10.6 5z", "#E8793A", 0.3)
            + path(oval(8.8, 3.4, 0.6), INK)
            + stroke("M4 8q2 1.4 4 0", dark(colour, 0.24), 0.6),
            size / 12,
        ),
    )


def toothbrushes() -> Prop:
    """A tumbler with two brushes and a tube, 12 x 22 cm."""
    brush = "".join(
        put(x, 12, stroke("M0 0V-9", c, 1.2) + path(box(-1, -13, 2.4, 4, 0.5), WHITE), 1, a)
        for x, c, a in ((5, RED, -10), (7.4, BLUE, 12))
    )
    return Prop(
        "toothbrushes",
        12,
        22,
        shadow(6, 21.6, 6, 0.8, 0.5)
        + brush
        + form("M1.6 10H10.4L9.8 21Q9.7 22 8.6 22H3.4Q2.3 22 2.2 21z", SKY, 1.4, 0.5),
    )


def laundry_basket() -> Prop:
    weave = stroke("M4 20H40M4 28H40M5 36H39M10 14V44M18 14V44M26 14V44M34 14V44", dark("#D9B27A", 0.2), 1)
    clothes = form("M4 16Q8 2 18 8Q26-2 34 8Q42 8 40 18z", SKY, 3) + form("M14 14Q20 2 30 10L34 18H12z", CORAL, 2)
    return Prop(
        "laundry basket",
        44,
        46,
        shadow(22, 45, 22, 2.4, 0.5)
        + clothes
        + form("M1 14H43L39 44Q39 46 37 46H7Q5 46 5 44z", "#D9B27A", 3, 0.6, weave)
        + path(oval(22, 80, 0), LEAF),
    )


def bath_shelf(w: float = 96) -> Prop:
    """A wall shelf crammed with bottles and tubes, `w` x 34 cm."""
    out, x, i = "", 2.0, 0
    while x < w - 8:
        c, high, wide = (PINK, TEAL, SUN, CORAL, SKY, LEAF, PLUM)[i % 7], 17 + 5 * (i * 3 % 4), 7 + i * 5 % 4
        out += form(box(x, 30 - high, wide, high, 1.6), c, 1.2, 0.3) + form(
            box(x + wide * 0.3, 27 - high, wide * 0.4, 4, 0.6), dark(c, 0.3), 0.4
        )
        out += path(box(x + 1.2, 30 - high * 0.6, wide - 2.4, high * 0.26, 0.6), WHITE)
        x, i = x + wide + 0.8, i + 1
    return Prop(
        "shelf of bottles",
        w,
        34,
        veil(box(3, 33, w, 4), "#3A2A5C", 0.2) + out + form(box(0, 30, w, 4, 1), WOOD, 1, 0.4),
    )


def step_stool(colour: str = SUN) -> Prop:
    return Prop(
        "step stool",
        44,
        22,
        shadow(22, 21, 24, 2, 0.5)
        + form("M4 4H12L10 22H1zM32 4H40L43 22H34z", dark(colour, 0.2), 1.6)
        + form(box(0, 0, 44, 6, 2), colour, 1.6, 0.5),
    )


def toothbrush(colour: str = RED) -> Prop:
    """Lies along its box, bristles at the left: 18 x 3 cm; grip at (13, 1.6)."""
    return Prop(
        "toothbrush",
        18,
        3,
        form(box(3, 1.2, 15, 1.4, 0.7), colour, 0.4)
        + path(box(0, 0, 4.4, 2, 0.4), WHITE)
        + path(box(0, 1.4, 4.6, 1.2, 0.6), colour),
    )


def bath_tray(w: float = 70) -> Prop:
    """A board that lies across a tub, `w` x 4 cm."""
    return Prop("bath tray", w, 4, form(box(0, 0, w, 4, 1.4), "#C98D56", 1.2, 0.5))


def bath_bomb(w: float = 34, h: float = 28) -> Prop:
    """A pink and blue ball that fizzes on a dish."""
    ball = form(oval(17, 16, 10), PINK, 2.6, 0.8, path("M7 16Q12 12 17 16T27 15V28H7z", "#8FC4E0")) + path(
        "".join(
            oval(17 + 7 * x, 16 + 7 * y, 0.6)
            for x, y in ((-0.6, -0.5), (0.1, -0.8), (0.6, -0.2), (-0.2, 0.1), (0.4, 0.6), (-0.7, 0.4))
        ),
        WHITE,
    )
    fizz = "".join(
        stroke(oval(x, y, r), WHITE, 0.7) + path(oval(x - r * 0.3, y - r * 0.3, r * 0.25), WHITE)
        for x, y, r in (
            (5, 10, 2),
            (9, 4, 1.4),
            (28, 8, 2.2),
            (25, 2.6, 1.3),
            (31, 15, 1.4),
            (3, 18, 1.3),
            (17, 3, 1.6),
            (13, 1.4, 0.9),
        )
    )
    foam = "".join(form(oval(x, 26, r), WHITE, 0.6) for x, r in ((6, 2.2), (10, 2.8), (24, 2.8), (28.6, 2)))
    return Prop(
        "bath bomb", w, h, shadow(17, 27.4, 15, 0.8, 0.5) + foam + ball + form("M4 25H30L27 28H7z", TEAL, 1) + fizz
    )


def soap_dish(w: float = 34, h: float = 28) -> Prop:
    """A bar of soap on a dish, in the bath bomb's box."""
    return Prop(
        "bar of soap",
        w,
        h,
        shadow(17, 27.4, 15, 0.8, 0.5)
        + form(box(7, 16, 20, 10, 4), "#F3C6C0", 2, 0.8)
        + stroke("M11 20h12", dark("#F3C6C0", 0.2), 1)
        + form("M4 25H30L27 28H7z", TEAL, 1),
    )


def turban(colour: str = CREAM) -> Prop:
    """A towel wound round a head, 30 x 24 cm; the brow lies at its lower edge."""
    folds = stroke("M3 22Q8 8 20 6M10 24Q14 12 26 10M22 22Q22 14 28 14", dark(colour, 0.16), 1)
    knot = form("M12 6Q10-2 17-3Q24-2 21 6z", colour, 1.4)
    return Prop("towel turban", 30, 24, knot + form("M1 22Q-1 4 15 3T29 22Q22 15 15 16T1 22z", colour, 2, 0.5, folds))


def slippers(colour: str = PINK) -> Prop:
    one = form("M0 7Q0 2 6 2H16Q20 3 20 7z", dark(colour, 0.2), 1) + form("M0 7Q0 1 6 1T12 7z", colour, 1.2, 0.3)
    return Prop("slippers", 34, 9, shadow(17, 8.6, 18, 1, 0.5) + put(0, 0, one) + put(13, 1.6, one))
