"""Things of the winter, in centimetres."""

from __future__ import annotations

from studio.drawing.country.trees import pine
from studio.drawing.kit import (
    BLUE,
    INK,
    RED,
    STEEL,
    SUN,
    WOOD,
    Prop,
    box,
    dark,
    form,
    oval,
    path,
    poly,
    put,
    shadow,
    stroke,
)

SNOW = "#F4F8FB"


def snowman(askew: float = 0, hat: str = "#4B4458") -> Prop:
    """A snowman with a scarf and stick arms, 130 x 170; its head leans by `askew` degrees and slides that way."""
    body = form(oval(65, 134, 42, 36), SNOW, 9, 0) + form(oval(65, 84, 30, 28), SNOW, 7, 0)
    buttons = path("".join(oval(63, y, 3) for y in (78, 92, 118, 134)), INK)
    arms = stroke("M38 84L8 60M20 70L8 74M16 66L14 50M92 84L122 62M110 70L122 76M114 68L116 52", "#7A5238", 3.6)
    face = path(oval(-8, -6, 2.8) + oval(8, -6, 2.8), INK) + path(
        "".join(oval(x, y, 1.6) for x, y in ((-9, 8), (-5, 11), (0, 12), (5, 11), (9, 8))), INK
    )
    nose = form("M-2-1L-22 4Q-20 7-2 5z", "#E8893A", 1)
    top = form(box(-22, -24, 44, 6, 2), hat, 1.4) + form(
        box(-14, -50, 28, 28, 2), hat, 4, 0.8, path(box(-14, -30, 28, 6), RED)
    )
    head = put(65 + askew * 0.7, 44, form(oval(0, 0, 22, 21), SNOW, 5, 0) + face + nose + top, 1, askew)
    scarf = form("M42 64Q65 76 88 62L90 70Q66 84 42 73z", RED, 2) + form(
        "M76 70L92 74L98 102L84 104z", RED, 2.4, 0, stroke("M84 92l14-3M83 84l13-3", SUN, 2.4)
    )
    return Prop("snowman", 130, 170, shadow(68, 166, 52, 5, 0.4) + body + buttons + arms + head + scarf)


def sledge(colour: str = WOOD, rope: bool = True) -> Prop:
    """A wooden sledge with curved runners to the left, 110 x 40; its rope lies in front."""
    runner = "M6 14Q-2 30 14 34H106"
    struts = stroke("M28 16V34M60 16V34M92 16V34", dark(colour, 0.2), 3.4)
    slats = form(box(8, 10, 98, 6, 2), colour, 2, 0.6)
    return Prop(
        "sledge",
        110,
        40,
        shadow(56, 37, 58, 3, 0.4)
        + stroke(runner, dark(colour, 0.34), 3.4, 'transform="translate(5,-3)"')
        + struts
        + stroke(runner, STEEL, 3.6)
        + slats
        + (stroke("M6 12Q-14 24-12 38", RED, 1.8) if rope else ""),
    )


def snow_shovel() -> Prop:
    """A broad shovel stuck upright, 40 x 130."""
    return Prop(
        "snow shovel",
        40,
        130,
        shadow(20, 128, 22, 2, 0.4)
        + form(box(18, 4, 4, 96, 1), WOOD, 1.2)
        + stroke("M13 4h14", RED, 5)
        + form("M3 92H37L34 128H6z", BLUE, 4, 1),
        {"grip": (20, 40)},
    )


def snowy_fir(w: float, h: float) -> Prop:
    """A small fir under snow in a box of any size."""
    k = min(h / 340, w / 160)
    return Prop("small snow-covered fir", w, h, put(w / 2, h - 2, pine("#4E7F6B", True), k))


def bird_table() -> Prop:
    """A roofed feeding table on a post, 70 x 150, with a robin."""
    post = form(box(32, 60, 6, 88, 1), "#8A5F43", 1.6)
    tray = form(box(8, 56, 54, 6, 2), WOOD, 1.6) + stroke("M14 56V34M56 56V34", WOOD, 3)
    roof = form(poly((2, 36), (68, 36), (35, 10)), "#8A5F43", 4) + path(
        "M0 38L35 8L70 38Q56 36 48 28L35 18L20 30Q12 36 0 38z", SNOW
    )
    robin = (
        form(
            "M30 50Q28 42 36 42Q44 42 48 50Q44 56 36 56Q30 55 30 50z",
            "#8A6A55",
            1.4,
            0,
            path(oval(33, 51, 5, 4.6), "#E8693A"),
        )
        + path(oval(34, 45.6, 0.9), INK)
        + path(poly((30, 46), (26, 47), (30, 48)), SUN)
    )
    return Prop("bird table", 70, 150, shadow(36, 147, 22, 2.4, 0.4) + post + tray + robin + roof)


def broom() -> Prop:
    return Prop(
        "broom",
        34,
        130,
        form(box(15, 2, 4, 90, 1), WOOD, 1.2)
        + form(
            "M8 90H26L33 128H1z",
            "#D9B25E",
            3,
            0,
            stroke("M10 100L6 128M17 94V128M24 100L28 128", dark("#D9B25E", 0.25), 1.4),
        )
        + stroke("M8 96h18", RED, 3),
        {"grip": (17, 40)},
    )


def skis() -> Prop:
    """Two pairs of skis stuck in the snow, 60 x 170."""
    out = shadow(30, 168, 34, 3, 0.4)
    for x, c in ((8, RED), (18, RED), (36, BLUE), (46, BLUE)):
        out += form(f"M{x} 8Q{x + 3} -2 {x + 6} 8V168H{x}z", c, 1.4, 0.4) + path(box(x, 84, 6, 18), INK)
    return Prop(
        "skis", 60, 170, out + stroke("M2 20L12 168M58 20L50 168", STEEL, 2) + stroke("M-2 156h10M46 156h10", INK, 1.6)
    )


def snowball_heap() -> Prop:
    balls = "".join(
        form(oval(x, y, 9), SNOW, 2.4) for x, y in ((10, 31), (27, 31), (44, 31), (19, 18), (36, 18), (27, 8))
    )
    return Prop("heap of snowballs", 54, 40, shadow(28, 39, 30, 2.4, 0.4) + balls)


def snowy_bench() -> Prop:
    """A bench under snow, 150 x 80."""
    legs = "".join(form(box(x, 40, 7, 38, 2), "#4B5368", 2) for x in (18, 124))
    slats = "".join(form(box(6, y, 138, 8, 2), WOOD, 2) for y in (8, 20)) + form(box(2, 40, 146, 8, 2), WOOD, 2)
    snow = path(
        "M4 8Q30-4 76 0T146 8Q146 13 140 12H10Q4 13 4 8zM0 40Q40 30 76 33T150 40Q150 46 144 44H6Q0 46 0 40z", SNOW
    )
    return Prop("bench under snow", 150, 80, shadow(76, 77, 74, 4, 0.4) + legs + slats + snow)
