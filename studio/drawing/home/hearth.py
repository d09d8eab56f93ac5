"""A fireside and small comforts."""

from __future__ import annotations

import math

from studio.drawing.kit import (
    CORAL,
    CREAM,
    INK,
    PINK,
    RED,
    SKY,
    STEEL,
    SUN,
    TEAL,
    WHITE,
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

_HEARTH = "M40 118V64Q40 46 75 46T110 64V118z"


def fireplace() -> Prop:
    """A brick fireplace with a mantel, 150 x 120 cm; the empty hearth is 70 x 72, two above the ground."""
    brick = "#B9694E"
    rows = "".join(f"M10 {20 + 10 * k}H140" for k in range(10))
    rows += "".join(f"M{14 + 20 * i + 10 * (k % 2)} {20 + 10 * k}v10" for k in range(10) for i in range(7))
    body = form(box(10, 12, 130, 106), brick, 4, 0, stroke(rows, light(brick, 0.3), 1))
    mantel = form(box(0, 0, 150, 9, 2), "#F3E7CF", 2, 0.8) + path(box(8, 9, 134, 4), dark("#F3E7CF", 0.3))
    slab = form(box(-4, 114, 158, 7, 2), "#CFC3B2", 2)
    return Prop("fireplace", 150, 120, shadow(75, 119, 80, 5, 0.5) + body + path(_HEARTH, "#3A2A33") + mantel + slab)


def log_fire() -> Prop:
    """Logs that burn, in the box of a hearth: 70 x 72 cm."""
    flames = (
        veil(oval(35, 64, 34, 34), "#F08A3C", 0.35)
        + form("M10 66Q4 44 20 34Q20 46 26 42Q24 20 42 8Q40 28 50 36Q52 28 50 22Q66 44 60 66z", "#F26B2E", 4)
        + path("M20 66Q18 52 28 44Q30 52 34 48Q34 36 40 28Q40 44 48 50Q54 58 50 66z", SUN)
        + path("M28 66Q28 58 35 50Q44 58 42 66z", "#FFF1C0")
    )
    logs = form(box(6, 62, 50, 8, 4), "#7A4A31", 2) + form(box(16, 55, 46, 8, 4), "#8E5A3B", 2)
    ends = path(oval(60, 59, 3, 3.4) + oval(9, 66, 3, 3.4), "#D9A469")
    hearth = "M0 72V18Q0 0 35 0T70 18V72z"
    return Prop("log fire", 70, 72, clipped(hearth, path(hearth, "#3A2A33") + flames) + logs + ends)


def fir_cones() -> Prop:
    """A basket of fir cones in the box of a hearth."""
    cone = form(
        "M0-8Q6-2 4 6Q0 10-4 6Q-6-2 0-8z",
        "#8A5F43",
        1.4,
        0,
        stroke("M-5 0l5 3l5-3M-5-4l5 3l5-3M-4 4l4 3l4-3", dark("#8A5F43", 0.35), 0.8),
    )
    pile = "".join(
        put(x, y, cone, 1.2, a) for x, y, a in ((20, 40, -20), (34, 34, 10), (48, 40, 30), (27, 44, 14), (42, 45, -14))
    )
    weave = stroke("M8 54H62M10 61H60M22 46V70M35 46V70M48 46V70", dark("#D9B27A", 0.24), 1.2)
    hearth = "M0 72V18Q0 0 35 0T70 18V72z"
    return Prop(
        "basket of fir cones",
        70,
        72,
        path(hearth, "#3A2A33") + pile + form("M8 46H62L56 70H14z", "#D9B27A", 3, 0.6, weave),
    )


def open_book(cover: str = RED) -> Prop:
    """An open book seen from its cover, 30 x 22 cm; grip at (4, 14) or (26, 14)."""
    pages = path("M2 1Q9-2 15 2Q21-2 28 1V4H2z", WHITE)
    return Prop(
        "book",
        30,
        22,
        pages
        + form("M0 2Q8 0 15 3Q22 0 30 2V21Q22 19 15 22Q8 19 0 21z", cover, 2, 0.5)
        + stroke("M15 3V22", dark(cover, 0.3), 1)
        + path(box(18.6, 6, 7.4, 4, 0.6), CREAM),
    )


def wool_basket() -> Prop:
    """Balls of wool and needles in a basket, 46 x 34 cm."""
    balls = "".join(
        form(
            oval(x, y, r),
            c,
            2,
            0.5,
            stroke(
                f"M{x - r} {y - 2}q{r} 5 {2 * r} 0M{x - r * 0.6} {y - r}q{r * 0.8} {r} 0 {2 * r}", light(c, 0.4), 0.8
            ),
        )
        for x, y, r, c in ((14, 12, 8, CORAL), (30, 12, 9, SUN), (22, 6, 7, TEAL))
    )
    return Prop(
        "basket of wool",
        46,
        34,
        shadow(23, 33, 22, 2, 0.5)
        + stroke("M30 10L42-8M26 8L34-10", STEEL, 1.2)
        + balls
        + form(
            "M2 14H44L40 34H6z",
            "#C9A06A",
            3,
            0.6,
            stroke("M2 20H44M3 27H43M12 14V34M23 14V34M34 14V34", dark("#C9A06A", 0.24), 1),
        ),
    )


def popcorn() -> Prop:
    """A striped tub, 22 x 26 cm."""
    corn = "".join(
        form(oval(5 + 4 * i % 16, 3 + 2.4 * (i % 3), 2.8), ("#FFF6DC", "#F8E3A8")[i % 2], 0.7) for i in range(10)
    )
    stripes = path(
        "".join(poly((2 + 5 * i, 8), (4.4 + 5 * i, 8), (4.6 + 4 * i, 26), (3 + 4 * i, 26)) for i in range(4)), RED
    )
    return Prop(
        "tub of popcorn",
        22,
        26,
        shadow(11, 25.6, 10, 1, 0.5) + corn + form("M1 7H21L18.6 26H3.4z", WHITE, 2, 0.4, stripes),
    )


def wall_clock(colour: str = RED, hour: float = 10, minute: float = 9) -> Prop:
    """A round clock that hangs, 30 cm; the shadow falls on the wall."""
    marks = stroke("".join(_mark(a) for a in range(0, 360, 30)), INK, 0.7)
    hands = put(15, 15, stroke("M0 0V-6.4", INK, 1.4), 1, hour * 30) + put(
        15, 15, stroke("M0 0V-9.4", INK, 1), 1, minute * 6
    )
    return Prop(
        "wall clock",
        31,
        31,
        veil(oval(17, 17.6, 14), "#3A2A5C", 0.22)
        + form(oval(15, 15, 14.4), colour, 1.6, 0.6)
        + path(oval(15, 15, 11.6), WHITE)
        + marks
        + hands
        + path(oval(15, 15, 1.1), INK),
    )


def _mark(angle: float) -> str:
    s, c = math.sin(math.radians(angle)), math.cos(math.radians(angle))
    return f"M{15 + 9.2 * s:.2f} {15 - 9.2 * c:.2f}L{15 + 10.6 * s:.2f} {15 - 10.6 * c:.2f}"


def vase_of(flowers: tuple[str, ...] = (RED, SUN, PINK), colour: str = SKY, w: float = 30, h: float = 44) -> Prop:
    """A vase of tulips in any box."""
    x, rim = w / 2, h * 0.52
    stems = "".join(
        stroke(
            f"M{x} {rim}Q{x + dx * 0.3:.1f} {rim * 0.6:.1f} {x + dx:.1f} {rim * 0.34 + abs(dx) * 0.3:.1f}",
            "#5E8A50",
            w * 0.04,
        )
        + put(
            x + dx,
            rim * 0.34 + abs(dx) * 0.3,
            form("M0 3C-6 3-6-5-4.6-8L-2-5L0-9L2-5L4.6-8C6-5 6 3 0 3z", c, 1.2),
            w / 32,
            dx * 1.6,
        )
        for dx, c in zip((-w * 0.3, 0, w * 0.3), flowers, strict=False)
    )
    pot = form(
        (
            f"M{x - w * 0.16:.1f} {rim:.1f}h{w * 0.32:.1f}"
            f"q-1 {h * 0.1:.1f} {w * 0.14:.1f} {h * 0.22:.1f}"
            f"q{w * 0.04:.1f} {h * 0.2:.1f} {-w * 0.18:.1f} {h * 0.25:.1f}h{-w * 0.24:.1f}"
            f"q{-w * 0.22:.1f} {-h * 0.05:.1f} {-w * 0.18:.1f} {-h * 0.25:.1f}"
            f"q{w * 0.15:.1f} {-h * 0.12:.1f} {w * 0.14:.1f} {-h * 0.22:.1f}z"
        ),
        colour,
        w * 0.09,
        w * 0.025,
    )
    return Prop("vase of tulips", w, h, shadow(x, h - 0.6, w * 0.3, h * 0.03, 0.6) + stems + pot)
