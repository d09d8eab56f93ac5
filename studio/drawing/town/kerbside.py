"""What stands on pavements: bins, tubs, posts, lights, signs."""

from __future__ import annotations

from studio.drawing.kit import (
    CORAL,
    CREAM,
    INK,
    LEAF,
    NAVY,
    PINK,
    RED,
    STEEL,
    SUN,
    TEAL,
    WHITE,
    WOOD,
    Prop,
    box,
    dark,
    flower,
    form,
    oval,
    path,
    poly,
    put,
    shadow,
    stroke,
    veil,
)


def bin_(colour: str = "#4F7A64") -> Prop:
    """A litter bin, 46 x 92 cm."""
    return Prop(
        "litter bin",
        46,
        92,
        shadow(24, 91, 27, 4, 0.6)
        + form(
            poly((3, 22), (43, 22), (39, 91), (7, 91)),
            colour,
            5,
            1.2,
            stroke("M14 22L16 91M23 22V91M32 22L30 91", dark(colour, 0.2), 1.6),
        )
        + form("M1 22Q2 4 23 4T45 22z", dark(colour, 0.12), 4, 1)
        + path(box(12, 11, 22, 8, 3), INK),
    )


def flower_tub(w: float = 70, h: float = 76, colours: tuple[str, ...] = (RED, SUN, PINK)) -> Prop:
    """A wooden tub of flowers."""
    n = 7
    leaves = "".join(
        form(oval(w * (i + 0.5) / n, h * (0.42 - 0.1 * (i % 2)), w * 0.13, h * 0.16), ("#5E9160", LEAF)[i % 2], 2)
        for i in range(n)
    )
    heads = "".join(
        flower(
            w * (i + 0.6) / n,
            h * (0.26 + 0.12 * (i % 3) - 0.08),
            w * 0.09,
            colours[i % len(colours)],
            SUN if colours[i % len(colours)] != SUN else WHITE,
        )
        for i in range(n - 1)
    )
    tub = form(
        poly((w * 0.04, h * 0.5), (w * 0.96, h * 0.5), (w * 0.86, h - 1), (w * 0.14, h - 1)),
        WOOD,
        w * 0.08,
        1,
        stroke(
            "".join(
                f"M{w * x:.1f} {h * 0.5:.1f}L{w * (0.5 + (x - 0.5) * 0.8):.1f} {h}"
                for x in (0.2, 0.36, 0.52, 0.68, 0.84)
            ),
            dark(WOOD, 0.2),
            1.4,
        ),
    )
    return Prop(
        "flower tub",
        w,
        h,
        shadow(w / 2, h - 1, w * 0.48, 4, 0.6)
        + leaves
        + heads
        + tub
        + path(box(w * 0.07, h * 0.6, w * 0.86, h * 0.06), "#5A6379"),
    )


def post_box(colour: str = RED) -> Prop:
    """A pillar box, 50 x 130 cm."""
    return Prop(
        "post box",
        50,
        130,
        shadow(26, 129, 30, 5, 0.6)
        + form(box(5, 18, 40, 104, 3), colour, 7, 2)
        + form("M1 20Q4 2 25 2T49 20z", dark(colour, 0.1), 5, 1.2)
        + path(box(12, 34, 26, 5, 2), INK)
        + path(box(14, 48, 22, 26, 2), CREAM)
        + stroke("M17 54H33M17 60H33M17 66H28", STEEL, 1.6)
        + form(box(2, 118, 46, 11, 2), INK, 3),
    )


def hydrant() -> Prop:
    """A fire hydrant, 40 x 70 cm."""
    return Prop(
        "hydrant",
        40,
        70,
        shadow(20, 69, 24, 4, 0.6)
        + form("M10 64V22Q10 8 20 8T30 22V64z", RED, 5, 1.4)
        + form(box(4, 60, 32, 9, 2), RED, 3)
        + form(box(2, 30, 10, 12, 3), SUN, 2)
        + form(box(28, 30, 10, 12, 3), SUN, 2)
        + form(box(15, 2, 10, 8, 2), SUN, 2)
        + path(box(8, 20, 24, 3), dark(RED, 0.3)),
    )


def cone() -> Prop:
    """A traffic cone, 40 x 56 cm."""
    return Prop(
        "traffic cone",
        40,
        56,
        shadow(20, 55, 24, 3, 0.6)
        + form(
            poly((17, 2), (23, 2), (34, 50), (6, 50)),
            "#E8743C",
            4,
            1,
            path(box(0, 16, 40, 9) + box(0, 34, 40, 8), WHITE),
        )
        + form(box(0, 49, 40, 6, 2), "#E8743C", 2),
    )


def parking_meter() -> Prop:
    return Prop(
        "parking meter",
        26,
        140,
        shadow(13, 139, 16, 3, 0.6)
        + form(box(10.5, 40, 5, 98, 1), STEEL, 2)
        + form("M2 44V12Q2 0 13 0T24 12V44z", "#5A6379", 3, 1)
        + path("M6 20V12Q6 5 13 5T20 12V20z", "#CFE3E2")
        + stroke("M13 18V10", RED, 1.4)
        + path(box(9, 28, 8, 2.4, 1), INK),
    )


def advertising_column() -> Prop:
    """A poster column, 120 x 300 cm."""
    bills = (
        form(box(16, 70, 40, 66, 1), SUN, 3)
        + form(oval(36, 98, 14), CORAL, 3)
        + form(box(62, 84, 42, 54, 1), "#BFE2EC", 3)
        + form(poly((68, 132), (83, 100), (98, 132)), LEAF, 2)
        + form(box(18, 150, 50, 84, 1), PINK, 3)
        + form(box(74, 148, 30, 44, 1), CREAM, 2)
        + put(43, 192, flower(0, 0, 16, WHITE, SUN))
    )
    return Prop(
        "advertising column",
        120,
        300,
        shadow(62, 298, 66, 7, 0.6)
        + form(box(10, 46, 100, 252, 3), "#C9BFB0", 14, 2)
        + bills
        + form("M4 48Q10 20 60 14Q110 20 116 48z", "#4F6B64", 7, 2)
        + form(oval(60, 9, 8), "#4F6B64", 2)
        + veil(box(92, 46, 18, 252), "#3A2A5C", 0.14),
    )


def bus_stop() -> Prop:
    """A bus stop with its flag, timetable and bench-high rail, 60 x 260 cm."""
    return Prop(
        "bus stop",
        60,
        260,
        shadow(20, 258, 24, 4, 0.6)
        + form(box(16, 10, 7, 248, 2), STEEL, 2)
        + form(box(22, 8, 36, 44, 4), TEAL, 3, 1)
        + form(box(28, 16, 24, 18, 3), WHITE, 0)
        + path(box(30, 19, 20, 7, 1), TEAL)
        + path(oval(34, 34, 2.6) + oval(46, 34, 2.6), INK)
        + path(box(30, 42, 20, 4, 1), WHITE)
        + form(box(8, 104, 24, 44, 2), WHITE, 2)
        + stroke("M12 112h16m-16 7h16m-16 7h12m-12 7h16m-16 7h10", NAVY, 1.6),
    )
