"""Blankets, baskets and tables out of doors, in centimetres."""

from __future__ import annotations

from studio.drawing.country.trees import BARK
from studio.drawing.kit import (
    CORAL,
    CREAM,
    LEAF,
    RED,
    SKY,
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
    shadow,
    stroke,
)


def picnic_blanket(colour: str = RED) -> Prop:
    """A checked blanket on the ground, 220 x 60."""
    d = poly((34, 4), (196, 4), (220, 58), (0, 58))
    rows = "".join(
        path(
            poly(
                (34 - 34 * t, 4 + 54 * t),
                (196 + 24 * t, 4 + 54 * t),
                (196 + 24 * u, 4 + 54 * u),
                (34 - 34 * u, 4 + 54 * u),
            ),
            colour,
            extra='opacity=".55"',
        )
        for t, u in ((0.12, 0.28), (0.5, 0.7))
    )
    cols = "".join(
        path(poly((34 + 162 * t, 4), (34 + 162 * u, 4), (220 * u, 58), (220 * t, 58)), colour, extra='opacity=".55"')
        for t, u in ((0.06, 0.17), (0.3, 0.41), (0.54, 0.65), (0.78, 0.89))
    )
    fringe = stroke("".join(f"M{x} 58v3" for x in range(2, 220, 5)), WHITE, 1.4)
    return Prop(
        "picnic blanket",
        220,
        60,
        path(d, dark("#8AA858", 0.5), extra='opacity=".3" transform="translate(3,4)"')
        + form(d, "#FFF6E8", 0, 0, rows + cols)
        + fringe,
    )


def picnic_basket() -> Prop:
    """A wicker hamper with a cloth and a loaf, 54 x 44."""
    wicker = "#C9995E"
    weave = stroke(
        "".join(
            f"M{6 + 7 * k} {24 + 6 * (k % 2)}q3.5-3 7 0M{4 + 7 * k} {34 + 4 * (k % 2)}q3.5-3 7 0" for k in range(7)
        ),
        dark(wicker, 0.24),
        1.2,
    )
    handle = stroke("M8 22Q10-2 27-1T46 22", dark(wicker, 0.14), 3.4)
    loaf = form(
        "M12 22Q10 10 22 10H30Q40 10 38 22z",
        "#D9A15C",
        2.4,
        0.6,
        stroke("M18 12l3 6M25 11l3 6M32 12l2 6", "#F3D9A6", 1.6),
    )
    bottle = form(box(38, 4, 7, 18, 2), "#6FA37A", 1.4, 0.4)
    cloth = form(
        "M4 20H50L46 30Q40 24 34 31Q26 24 19 31Q12 24 7 30z", RED, 1.4, 0, stroke("M8 22h40M12 26h34", WHITE, 1.2)
    )
    return Prop(
        "picnic basket",
        54,
        44,
        shadow(27, 43, 29, 2.6, 0.6)
        + handle
        + bottle
        + loaf
        + form("M3 20H51L47 43H7z", wicker, 4, 0.8, weave)
        + cloth,
    )


def wicker_basket() -> Prop:
    """An empty basket, 44 x 40."""
    wicker = "#C9995E"
    weave = stroke(
        "".join(f"M{5 + 6 * k} {20 + 6 * (k % 2)}q3-3 6 0M{4 + 6 * k} {31 + 4 * (k % 2)}q3-3 6 0" for k in range(6)),
        dark(wicker, 0.24),
        1.2,
    )
    return Prop(
        "basket",
        44,
        40,
        shadow(22, 39, 23, 2.4, 0.6)
        + stroke("M6 18Q8-6 22-5T38 18", dark(wicker, 0.14), 3)
        + path(oval(22, 17, 20, 4), dark(wicker, 0.45))
        + form("M2 17Q22 23 42 17L38 38Q22 42 6 38z", wicker, 4, 0.8, weave),
    )


def picnic_table() -> Prop:
    """A table with benches fixed to it, seen from its long side, 200 x 78."""
    legs = stroke("M52 10L22 76M148 10L178 76M64 10L44 70M136 10L156 70", dark(WOOD, 0.2), 6)
    return Prop(
        "picnic table",
        200,
        78,
        shadow(100, 75, 104, 5, 0.5)
        + form(box(20, 34, 160, 7, 2), dark(WOOD, 0.14), 2)
        + legs
        + form(poly((16, 2), (184, 2), (192, 10), (8, 10)), light(WOOD, 0.25), 0)
        + form(box(8, 9, 184, 6, 2), WOOD, 2)
        + form(poly((2, 44), (198, 44), (200, 50), (0, 50)), light(WOOD, 0.2), 0)
        + form(box(0, 49, 200, 6, 2), WOOD, 2),
        {"top": (100, 6)},
    )


def lemonade_table() -> Prop:
    """A small table with a jug and two glasses, 80 x 100."""
    legs = stroke("M12 52L6 98M68 52L74 98M22 52L18 92M58 52L62 92", WOOD, 4)
    top = form(box(2, 44, 76, 8, 2), light(WOOD, 0.2), 2)
    jug = (
        form("M22 14H46L48 44H20z", "#F6E08C", 3, 0.8, path(box(18, 14, 32, 8), "#F3F6EE"))
        + stroke("M47 20q12 2 9 12t-9 6", "#E4EEF0", 3)
        + path(oval(32, 30, 5), SUN)
        + form(poly((20, 12), (26, 10), (24, 16)), "#F3F6EE", 0.6)
    )
    glasses = "".join(
        form(f"M{x} 28h11l-1.6 16h-7.8z", "#F6E08C", 1.4, 0.4) + stroke(f"M{x + 7} 28l4-12", RED, 1.6) for x in (58, 6)
    )
    return Prop(
        "table with lemonade", 80, 100, shadow(40, 97, 42, 4, 0.5) + legs + top + jug + glasses, {"top": (40, 44)}
    )


def washing_line(w: float = 260) -> Prop:
    """Towels and a shirt on a line between two posts, `w` x 180."""
    posts = "".join(form(box(x, 10, 7, 168, 2), BARK, 2) for x in (2, w - 9))
    cloths = "".join(
        form(
            f"M{w * a:.0f} 22h{b}v{c}q{-b / 2} 8 {-b} 0z",
            t,
            3,
            0,
            stroke(f"M{w * a:.0f} {22 + c * 0.7:.0f}h{b}", light(t, 0.5), 5),
        )
        for a, b, c, t in ((0.12, 44, 62, CORAL), (0.36, 36, 50, SKY), (0.74, 44, 66, SUN))
    )
    x = w * 0.56
    shirt = form(f"M{x} 22h34l12 14l-8 9l-6-5v34h-30V40l-6 5l-8-9z", LEAF, 3)
    return Prop(
        "washing line",
        w,
        180,
        shadow(8, 177, 14, 2, 0.4)
        + shadow(w - 6, 177, 14, 2, 0.4)
        + posts
        + stroke(f"M6 16Q{w / 2} 32 {w - 6} 16", CREAM, 1.6)
        + cloths
        + shirt,
    )
