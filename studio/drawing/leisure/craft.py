"""A craft table from above, with paper, paste and paint."""

from __future__ import annotations

from random import Random

from studio.drawing.kit import (
    BLUE,
    CORAL,
    CREAM,
    INK,
    LEAF,
    NAVY,
    RED,
    SKY,
    SUN,
    TEAL,
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
    veil,
)
from studio.drawing.rooms import floor, wall, window
from studio.drawing.scene import Setting


def craft_room() -> Setting:
    """A big craft table seen from above, paper and paint all over it; a grey day in the window."""
    out = wall("#D9D6C4", 330) + window(60, 20, 190, 170, "overcast") + window(774, 20, 190, 170, "overcast")
    out += stroke("M270 22Q512 74 754 22", dark(WOOD, 0.1), 2.4)
    for x, y, r, c, trim in (
        (326, 86, 34, SUN, CORAL),
        (420, 118, 40, TEAL, CREAM),
        (640, 106, 38, CORAL, NAVY),
        (716, 84, 30, SKY, WHITE),
    ):
        inside = stroke(
            f"M{x - r} {y}q{r * 0.25:.0f}-14 {r * 0.5:.0f} 0t{r * 0.5:.0f} 0t{r * 0.5:.0f} 0t{r * 0.5:.0f} 0", trim, 5
        ) + path("".join(oval(x - r + k * r * 0.5, y + r * 0.5, 4) for k in range(1, 4)), trim)
        out += stroke(f"M{x} {y - r}V{y - r - 26}", dark(WOOD, 0.1), 2) + form(oval(x, y, r), c, r * 0.2, 2, inside)
    return Setting("craft room", out + floor("#B9A487", 330, 40, "boards"), 40, 200)


def craft_table() -> Prop:
    """The table top as a plane that runs out of the page, 340 x 100 cm, with torn strips and drops of paint on it."""
    top = "#EAD2A6"
    plane = form(poly((34, 0), (306, 0), (370, 100), (-30, 100)), top, 0) + path(
        poly((34, 0), (306, 0), (307, 2.4), (33, 2.4)), light(top, 0.5)
    )
    strips, chance = "", Random(5)
    for i in range(40):
        y = chance.uniform(10, 92)
        x = 170 + chance.uniform(-0.5, 0.5) * (236 + y)  # the plane widens towards the viewer
        paper = form(poly((-10, -2.4), (9, -3), (10, 2.6), (-9, 3)), (WHITE, "#E4E0D6")[i % 2], 0.5)
        strips += put(x, y, paper + stroke("M-8-1h16M-8 1.4h11", "#B9B2BC", 0.6), 1, chance.uniform(-40, 40))
    drops = "".join(
        path(oval(x, y, r, r * 0.6), c)
        for x, y, r, c in ((72, 72, 4, BLUE), (240, 56, 3, RED), (128, 24, 2.4, TEAL), (292, 72, 4, LEAF))
    )
    return Prop("craft table", 340, 100, plane + drops + strips)


def strip() -> Prop:
    """A strip of newspaper in a hand, 9 x 34 cm."""
    paper = form(poly((0, 1), (8, 0), (9, 33), (1, 34)), WHITE, 0.8)
    return Prop("strip of paper", 9, 34, paper + stroke("M2.4 4v26M5.6 4v22", "#A8A2AE", 0.8))


def torn_sheet() -> Prop:
    """A sheet of newspaper that is being torn in two, 46 x 38 cm; the hands go to its sides."""
    left = form(
        "M0 1L22 0L19 6L23 11L19 17L22 23L18 29L21 38L1 36z",
        WHITE,
        1,
        0,
        stroke("M3 5H17M3 13H17M3 19H16M3 25H16M3 31H16", "#A8A2AE", 1.4),
    )
    right = form(
        "M46 2L27 0L24 6L28 11L24 17L27 23L23 29L26 38L45 37z",
        WHITE,
        1,
        0,
        stroke("M30 13H43M30 19H43M30 25H43M30 31H43", "#A8A2AE", 1.4) + path(box(30, 4, 13, 6), "#B9B2BC"),
    )
    return Prop("torn sheet", 46, 38, put(0, 0, left, 1, 3) + put(0, 0, right, 1, -3))


def paper_balloon() -> Prop:
    """A big red balloon in a bowl, half of it covered with strips of newspaper; 60 x 66 cm."""
    strips = ""
    spots = (
        (6, 36, 40),
        (16, 31, 20),
        (28, 28, -14),
        (41, 30, 16),
        (53, 35, -36),
        (10, 46, -24),
        (23, 41, 12),
        (35, 42, -18),
        (48, 44, 24),
        (15, 54, 8),
        (30, 52, -10),
        (44, 55, 12),
    )
    for i, (x, y, a) in enumerate(spots):
        tone = (WHITE, "#E4E0D6", "#D2CEC6")[i % 3]
        strips += put(x, y, form(box(-10, -4, 20, 8), tone, 0.8) + stroke("M-8-1.6h15M-8 1.4h12", "#A8A2AE", 0.7), 1, a)
    ball = form("M30 1C50 1 59 16 59 31Q59 58 30 60Q1 58 1 31C1 16 10 1 30 1z", RED, 6, 1.4, strips) + veil(
        oval(19, 14, 4, 7), "#fff", 0.5
    )
    bowl = form(box(14, 56, 32, 10, 2), "#C9A074", 3, 0.8)
    knot = form("M27-3h6l-2 5h-2z", dark(RED, 0.1), 0.6) + stroke("M30-3q6-6 12-2t10-4", dark(RED, 0.2), 1)
    return Prop("balloon with strips of paper", 60, 66, shadow(30, 64, 32, 4, 0.5) + bowl + knot + ball)


def newspapers() -> Prop:
    """A stack of newspapers from above and in front, 56 x 34 cm."""
    side = "".join(
        path(
            poly((1, 20 + 2.6 * i), (54, 20 + 2.6 * i), (54, 22 + 2.6 * i), (1, 22 + 2.6 * i)),
            (WHITE, "#CFCBC2")[i % 2],
        )
        for i in range(5)
    )
    page = (
        form(poly((8, 2), (49, 2), (55, 21), (0, 21)), WHITE, 0)
        + stroke("M12 5H46", INK, 2.4)
        + stroke("M11 9.5H24M10 12.5H24M9 15.5H24M8 18.5H24", "#9C93A8", 1)
        + path(poly((28, 8.5), (45, 8.5), (48, 19), (28, 19)), "#B9B2BC")
    )
    return Prop("stack of newspapers", 56, 34, shadow(28, 32, 32, 3, 0.5) + side + page)


def disc_stack() -> Prop:
    """A stack of music discs in their cases with one on top, and a paper note that shows a quaver; 38 x 32 cm."""
    cases = "".join(
        form(
            poly((1, 18 + 3 * i), (37, 18 + 3 * i), (36, 20.6 + 3 * i), (2, 20.6 + 3 * i)),
            (NAVY, CORAL, TEAL, SUN)[i],
            0.4,
        )
        for i in range(4)
    )
    top = (
        form(poly((5, 4), (33, 4), (37, 18), (1, 18)), "#4A4468", 0)
        + form(oval(19, 11, 13, 6), "#DDE3EA", 1.4)
        + path("M19 11L29 6.6A13 6 0 0 1 32 11z", "#B7E0D0")
        + path("M19 11L8 14A13 6 0 0 1 6 11z", "#F3C9D8")
        + path(oval(19, 11, 3.6, 1.7), "#4A4468")
    )
    note = put(
        29,
        22,
        form(poly((-6, -8), (7, -9), (8, 5), (-5, 6)), SUN, 0.8)
        + path(oval(-1, 1.6, 2, 1.5), INK)
        + stroke("M.9 1.4V-5.4l3.4 1.4", INK, 1),
    )
    return Prop("stack of music discs", 38, 32, shadow(19, 30, 22, 2, 0.5) + cases + top + note)


def paper_plates() -> Prop:
    """The harmless stand-in for the discs: a stack of paper plates in the same box."""
    plates = "".join(form(oval(19, 24 - 3 * i, 18, 6.6), WHITE if i % 2 else "#E9E4D8", 1.2) for i in range(5))
    return Prop(
        "stack of paper plates",
        38,
        32,
        shadow(19, 29, 20, 2.4, 0.5)
        + plates
        + path(oval(19, 12, 12, 4), "#EFEADF")
        + stroke(oval(19, 12, 12, 4), "#D5CEC0", 0.8),
    )


def paint_jars() -> Prop:
    """Three jars of paint with a brush in one, 36 x 30 cm."""
    brush = stroke("M20 14L27-4", WOOD, 2) + form("M18 17L21 11L24 13z", INK, 0.4)
    jars = "".join(
        form(box(1 + 12 * i, 12, 10.5, 16, 2), "#E6F2F4", 1.4)
        + path(box(1 + 12 * i, 17, 10.5, 11, 2), c)
        + form(oval(6.2 + 12 * i, 12.4, 5.2, 1.8), c, 0.3)
        for i, c in enumerate((RED, BLUE, SUN))
    )
    return Prop("paint jars", 37, 29, shadow(18, 28, 20, 1.6, 0.5) + brush + jars)


def paste_bowl() -> Prop:
    """A glue pot with a broad brush across it, 34 x 24 cm."""
    pot = form("M3 9H31L28 23H6z", BLUE, 3, 1) + form(oval(17, 9, 14, 4), "#F6F0E2", 0.8)
    return Prop(
        "glue pot",
        34,
        24,
        shadow(17, 23, 18, 2, 0.5)
        + pot
        + stroke("M12 9L32-3", WOOD, 2.6)
        + form(poly((6, 10), (12, 6), (15, 9), (9, 13)), "#5A4A4A", 0.6),
    )
