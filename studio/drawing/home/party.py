"""Feasts: long tables, roast, wedding cake, balloons, lanterns."""

from __future__ import annotations

from studio.drawing.home.interiors import halo
from studio.drawing.kit import (
    CORAL,
    CREAM,
    INK,
    LEAF,
    PINK,
    RED,
    SKY,
    SUN,
    TEAL,
    WHITE,
    WOOD,
    Prop,
    box,
    dark,
    flower,
    form,
    lettering,
    light,
    oval,
    path,
    poly,
    put,
    shadow,
    stroke,
    veil,
)


def long_table(w: float = 320, cloth: str = CREAM, runner: str = RED) -> Prop:
    """A long table with a cloth to the floor, 76 cm high, with a deep top: it hides who sits behind it to the chest."""
    folds = stroke("".join(f"M{x} 14Q{x + 4} 44 {x - 2} 90" for x in range(20, int(w), 26)), dark(cloth, 0.12), 1.4)
    top = path(poly((16, -10), (w - 16, -10), (w + 2, 12), (-2, 12)), light(cloth, 0.3))
    band = path(poly((w * 0.42, -10), (w * 0.58, -10), (w * 0.6, 12), (w * 0.4, 12)), light(runner, 0.2))
    return Prop(
        "long table",
        w,
        76,
        form(f"M-2 12H{w + 2}V92H-2z", cloth, 2, 0, folds)
        + top
        + band
        + stroke(f"M-2 12H{w + 2}", dark(cloth, 0.1), 1.2),
    )


def roast_chicken(w: float = 46) -> Prop:
    """On a platter with greens, `w` x 0.48 w cm."""
    leg = form(
        "M30 12Q38 6 40 12Q42 8 44.6 9.4Q46 12 43 13Q45 16 42 16.4Q40 15 38 14Q36 18 30 17z", "#B9743E", 1.2, 0.3
    ) + path(oval(43.4, 11.6, 1.6), CREAM)
    body = form("M6 17Q4 4 18 3Q34 3 36 15Q36 19 30 19H10Q7 19 6 17z", "#C98A4B", 3, 0.7) + stroke(
        "M12 8Q18 5 24 7", light("#C98A4B", 0.5), 1.2
    )
    wing = form("M14 12Q20 8 25 13Q22 18 16 17z", dark("#C98A4B", 0.14), 1)
    greens = "".join(
        form(oval(x, 18.4, 3, 2), c, 0.6)
        for x, c in ((4, LEAF), (8, "#E8863A"), (36, LEAF), (40, RED), (44, LEAF), (1, RED))
    )
    return Prop(
        "roast chicken",
        w,
        w * 0.48,
        put(
            0,
            0,
            shadow(23, 21.4, 24, 1.2, 0.5)
            + form(oval(23, 18.6, 24, 3.4), WHITE, 0.8, 0.3)
            + body
            + wing
            + leg
            + greens,
            w / 46,
        ),
    )


def birthday_cake(number: str = "50", w: float = 34) -> Prop:
    """A cake with a large number and candles, `w` x 1.2 w cm."""
    candles = "".join(
        form(box(x, 9, 1.6, 8, 0.5), c, 0.4)
        + form(f"M{x + 0.8} 4Q{x + 2.6} 7 {x + 0.8} 8.6Q{x - 1} 7 {x + 0.8} 4z", "#F6A13C", 0.4)
        for x, c in ((4, RED), (9, TEAL), (23, SUN), (28, RED))
    )
    digits = lettering(number, 17, 16, 12, CORAL)
    base = (
        form("M2 18V34Q17 39 32 34V18z", "#F3C6C0", 4, 0, stroke("M2 27Q17 32 32 27", WHITE, 2))
        + form("M2 18V22Q6 26 9 21T16 22T24 22T32 21V18Q17 14 2 18z", WHITE, 1)
        + path(oval(17, 18, 15, 3), light("#F3C6C0", 0.4))
    )
    return Prop(
        "birthday cake",
        w,
        w * 1.2,
        put(
            0,
            0,
            shadow(17, 39.4, 18, 1.4, 0.5) + form(oval(17, 37, 18, 3.2), CREAM, 1) + base + candles + digits,
            w / 34,
        ),
    )


def balloons(colours: tuple[str, ...] = (RED, SUN, TEAL), h: float = 130) -> Prop:
    """A bunch on strings tied at the foot of the box, 64 cm wide."""
    spots = ((16, 22), (44, 18), (30, 38))
    strings = "".join(stroke(f"M{x} {y + 16}Q{x} {h * 0.6:.0f} 32 {h}", INK, 0.6) for x, y in spots)
    bags = "".join(
        form(
            (
                f"M{x} {y + 17}Q{x - 14} {y + 4} {x - 13} {y - 5}A13 14 0 1 1 {x + 13} {y - 5}"
                f"Q{x + 14} {y + 4} {x} {y + 17}z"
            ),
            c,
            3,
            0.8,
        )
        + stroke(f"M{x - 7} {y - 6}q1-5 5-6", WHITE, 1.4, 'opacity=".7"')
        for (x, y), c in zip(spots, colours, strict=True)
    )
    return Prop("balloons", 64, h, strings + bags)


def bunting(x0: float, y0: float, x1: float, y1: float, sag: float) -> str:
    """A string of little flags between two points, in page pixels."""
    xm, ym = (x0 + x1) / 2, (y0 + y1) / 2 + sag
    out = stroke(f"M{x0} {y0}Q{xm} {ym} {x1} {y1}", dark(WOOD, 0.1), 2.5)
    n = int(abs(x1 - x0) // 62)
    for i in range(n):
        t = (i + 0.5) / n
        x, y = ((1 - t) ** 2 * a + 2 * t * (1 - t) * m + t * t * b for a, m, b in ((x0, xm, x1), (y0, ym, y1)))
        out += form(
            poly((x - 16, y - 1), (x + 16, y), (x + 1, y + 34)), (RED, SUN, TEAL, PINK, SKY, CORAL)[i % 6], 4, 1.5
        )
    return out


def lanterns(n: int = 7) -> str:
    """A chain of paper lanterns across the page, in page pixels."""
    out = stroke("M-20 40Q512 190 1044 40", "#4A3A46", 3)
    for i in range(n):
        t = (i + 0.5) / n
        x, y = -20 + 1064 * t, (1 - t) ** 2 * 40 + 2 * t * (1 - t) * 190 + t * t * 40
        c = (CORAL, SUN, "#9FE0D6", PINK)[i % 4]
        out += (
            halo(x, y + 34, 84, 74)
            + form(
                oval(x, y + 32, 26, 24),
                c,
                6,
                2,
                stroke(f"M{x - 26} {y + 24}q26 8 52 0M{x - 26} {y + 38}q26 8 52 0", light(c, 0.4), 2),
            )
            + path(box(x - 8, y + 4, 16, 6, 2), "#6B4A3A")
            + path(box(x - 7, y + 54, 14, 5, 2), "#6B4A3A")
        )
    return out


def high_chair_back(w: float, h: float) -> Prop:
    """An empty carved chair with balloons, in any box."""
    x = w / 2
    back = form(
        f"M{x - 24} {h}V{h * 0.34:.0f}Q{x - 24} {h * 0.2:.0f} {x} {h * 0.18:.0f}T{x + 24} {h * 0.34:.0f}V{h}z",
        "#8A5A3B",
        4,
        1,
    )
    pad = form(box(x - 16, h * 0.32, 32, h * 0.4, 5), RED, 4, 0.8) + path(
        "".join(oval(x + 8 * i, h * (0.38 + 0.1 * j), 1.4) for i in (-1, 0, 1) for j in range(3)), dark(RED, 0.3)
    )
    return Prop(
        "empty chair with balloons", w, h, put(x - 50, 0, balloons((SUN, TEAL, CORAL), h * 0.6).body, 0.8) + back + pad
    )


def wedding_cake() -> Prop:
    """Three tiers on a stand, 60 x 80 cm; anchor `top` is where figures stand."""
    out = form("M22 74H38L42 80H18z", SKY, 1.6)
    for x, y, w, h in ((2, 50, 56, 24), (11, 28, 38, 22), (19, 10, 22, 18)):
        scallop = "".join(f"q{w / 12:.2f} 5 {w / 6:.2f} 0" for _ in range(6))
        out += (
            form(f"M{x} {y}V{y + h - 3}Q{x + w / 2} {y + h + 3} {x + w} {y + h - 3}V{y}z", "#FFF6EC", w * 0.1)
            + form(f"M{x} {y + 1}v4{scallop}v-4z", PINK, 0.6)
            + path(oval(x + w / 2, y, w / 2, 2.6), WHITE)
        )
    roses = "".join(
        flower(x, y, 3.6, c, SUN)
        for x, y, c in ((6, 52, RED), (13, 55, CORAL), (45, 31, RED), (38, 33, CORAL), (52, 56, RED))
    )
    return Prop(
        "wedding cake",
        60,
        80,
        shadow(30, 79.4, 16, 1.2, 0.5) + form(oval(30, 74, 30, 3.4), SKY, 1) + out + roses,
        {"top": (30, 10)},
    )


def sugar_bride() -> Prop:
    """A small sugar figure, 8 x 14 cm."""
    return Prop(
        "sugar bride",
        8,
        14,
        form("M4 5Q0 9 0 14H8Q8 9 4 5z", WHITE, 0.9)
        + form(oval(4, 3, 2.2), "#F2B48C", 0.5)
        + form("M1.6 3Q1.6.4 4 .4T6.4 3Q7.6 6 7 9Q5.6 4 4 2T1 9Q.4 6 1.6 3z", "#F3F1EE", 0.4)
        + path(oval(3.2, 3.2, 0.3) + oval(4.8, 3.2, 0.3), INK)
        + form(oval(4, 7.6, 1.2), RED, 0.3),
    )


def sugar_groom() -> Prop:
    """A small sugar figure in a dark suit that lies on its side, head to the right; 15 x 6 cm."""
    return Prop(
        "fallen sugar groom",
        15,
        6,
        form(box(0, 2, 6, 1.8, 0.8), INK, 0.3)
        + form(box(0, 4, 6, 1.8, 0.8), INK, 0.3)
        + form(box(5, 1.4, 6, 4.6, 1.4), "#33304A", 0.8)
        + path(poly((10.8, 2.8), (8, 3.8), (10.8, 4.8)), WHITE)
        + path(oval(9.4, 3.8, 0.5), RED)
        + form(oval(12.8, 3.8, 2.2), "#E3A379", 0.5)
        + path("M12.6 1.6Q15.4 1.8 15 4.8Q14 2.6 12.6 1.6z", "#33201C")
        + path(oval(12.2, 3.2, 0.3) + oval(12.2, 4.6, 0.3), INK),
    )


def skewers() -> Prop:
    """Wooden skewers in a glass, 10 x 28 cm."""
    sticks = "".join(stroke(f"M5 26L{x} {y}", "#D9A469", 0.8) for x, y in ((1, 2), (4, 0), (7, 1), (10, 3)))
    return Prop(
        "glass of skewers",
        10,
        28,
        shadow(5, 27.6, 5, 0.7, 0.5) + sticks + veil("M1 13H9L8.4 28H1.6z", SKY, 0.55) + stroke("M2 15V25", WHITE, 0.7),
    )


def icing_bag() -> Prop:
    """Lying, nozzle to the left, 26 x 10 cm."""
    return Prop(
        "icing bag",
        26,
        10,
        shadow(14, 9.4, 12, 0.8, 0.5)
        + form(poly((0, 6.4), (5, 4.4), (5, 8.6)), "#8C93A6", 0.5)
        + form(
            "M4.6 4Q14-1 22 1L26 5L22 9.4Q14 11 4.6 9z",
            WHITE,
            1.6,
            0,
            stroke("M12 0Q14 5 12 10M18 0Q20 5 18 10", PINK, 1),
        ),
    )


def tall_bouquet(w: float, h: float) -> Prop:
    """A tall vase of flowers in any box; it stands on the ground of the box."""
    x = w / 2
    stems = "".join(
        stroke(f"M{x} {h * 0.5:.0f}Q{x + dx * 0.4:.1f} {h * 0.34:.0f} {x + dx} {y * h:.0f}", "#5E8A50", 1.8)
        + flower(x + dx, y * h, 9, c, SUN)
        for dx, y, c in ((-26, 0.16, PINK), (0, 0.08, RED), (26, 0.15, CORAL), (-14, 0.28, WHITE), (14, 0.27, PINK))
    )
    leaves = "".join(put(x, h * 0.48, form("M0 0Q-8-20 0-40Q8-20 0 0z", LEAF, 2), 1, a) for a in (-40, 40, -14, 16))
    vase = form(
        (
            f"M{x - 12} {h * 0.46:.0f}h24q-4 {h * 0.2:.0f} 4 {h * 0.3:.0f}"
            f"q4 {h * 0.16:.0f}-4 {h * 0.24:.0f}h-24q-8-{h * 0.08:.0f}-4-{h * 0.24:.0f}"
            f"q8-{h * 0.1:.0f} 4-{h * 0.3:.0f}z"
        ),
        TEAL,
        5,
        1,
    )
    return Prop("tall vase of flowers", w, h, shadow(x, h - 1, 22, 3, 0.5) + stems + leaves + vase)
