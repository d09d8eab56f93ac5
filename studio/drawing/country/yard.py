"""Toys for lawn and garden, in centimetres."""

from __future__ import annotations

from studio.drawing.country.gardening import watering_can
from studio.drawing.kit import (
    CORAL,
    INK,
    LEAF,
    PLUM,
    RED,
    SKY,
    STEEL,
    SUN,
    WHITE,
    Prop,
    box,
    boxed,
    dark,
    form,
    light,
    oval,
    path,
    poly,
    shadow,
    stroke,
)


def paddling_pool() -> Prop:
    """A round blow-up pool with a toy boat, 170 x 48."""
    back = (
        path(oval(85, 16, 80, 12), light(SKY, 0.2))
        + path(oval(85, 18, 70, 9), "#9BD3E6")
        + stroke("M50 18q10-4 20 0t20 0M96 22q8-3 16 0", WHITE, 1.8)
    )
    boat = (
        form("M96 10h26l-5 8h-16z", RED, 1.4) + form("M108-8q10 8 9 17h-9z", WHITE, 1.2) + stroke("M108-8V10", INK, 1)
    )
    front = form("M3 18Q85 44 167 18V32Q85 60 3 32z", CORAL, 5, 1.6, stroke("M3 26Q85 52 167 26", SUN, 4))
    return Prop(
        "paddling pool",
        170,
        48,
        shadow(86, 46, 88, 5, 0.5) + form(oval(85, 14, 84, 14), CORAL, 3) + back + boat + front,
    )


def garden_hose() -> Prop:
    """A green hose in loops on the grass, 90 x 26."""
    hose = "M4 20Q10 6 34 8T72 14Q84 22 60 23T20 18Q22 10 50 11"
    return Prop(
        "garden hose",
        90,
        26,
        stroke(hose, dark(LEAF, 0.4), 4.4, 'transform="translate(1,1.6)" opacity=".4"')
        + stroke(hose, "#4F9A56", 4)
        + stroke("M50 11L68 4", SUN, 5)
        + path("M70 4q10-6 18-4q-8 2-16 7z", SKY, extra='opacity=".8"'),
    )


def slide() -> Prop:
    """A garden slide, ladder on the right, 190 x 150."""
    ladder = stroke(
        "M150 14L164 148M176 14L188 148" + "".join(f"M{152 + 3 * k} {36 + 26 * k}h24" for k in range(5)), STEEL, 4.4
    )
    chute = form("M152 18Q120 40 80 92Q52 128 4 132V142Q60 142 92 102Q130 50 160 32z", SUN, 4, 1) + stroke(
        "M152 14Q118 34 76 86Q50 120 4 124", dark(SUN, 0.24), 4.4
    )
    return Prop(
        "slide",
        190,
        150,
        shadow(96, 147, 96, 5, 0.45)
        + stroke("M92 96V146", STEEL, 5)
        + ladder
        + chute
        + form(box(146, 12, 36, 8, 2), RED, 2)
        + stroke("M148 14V-6M180 14V-6M148-6h32", RED, 4),
    )


def water_pistol() -> Prop:
    """Trigger: a green water pistol, 34 x 24; its muzzle points left, `grip` is where a hand holds it."""
    green = "#5FBF4A"
    tank = form(box(14, 0, 13, 9, 3), "#8FD8F0", 1.6, 0.5)
    body = form("M2 8H30Q34 8 34 12V15Q33 17 30 17L28 24H20L20 16H6L4 14H2z", green, 2, 0.6) + form(
        box(0, 8.6, 4, 5, 1), "#F08A2E", 0.8
    )
    return Prop(
        "water pistol",
        34,
        24,
        tank + body + stroke("M17 17q-1 5 4 4", dark(green, 0.3), 1.3) + path("M8 10.4h14v2H8z", SUN),
        {"grip": (24, 19)},
    )


def small_can() -> Prop:
    return boxed(watering_can(CORAL), 34, 24, 0.58)


def kite(colour: str = PLUM) -> Prop:
    tail = stroke("M30 74Q44 92 28 108T40 140", INK, 1.2) + "".join(
        form(f"M{x} {y}l-8-5v10zM{x} {y}l8-5v10z", c, 0.6)
        for x, y, c in ((35, 92, SUN), (31, 112, RED), (38, 132, SKY))
    )
    return Prop(
        "kite",
        60,
        142,
        tail
        + form(
            poly((30, 0), (58, 28), (30, 74), (2, 28)),
            colour,
            3,
            1,
            path(poly((30, 0), (58, 28), (30, 28)), SUN) + path(poly((2, 28), (30, 28), (30, 74)), CORAL),
        )
        + stroke("M30 0V74M2 28H58", WHITE, 1.6),
    )
