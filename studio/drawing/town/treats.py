"""Cakes, sweets and lemonade, and the boxes that stand beside them."""

from __future__ import annotations

from studio.drawing.kit import (
    CORAL,
    CREAM,
    PINK,
    RED,
    SKY,
    SUN,
    WHITE,
    Prop,
    box,
    dark,
    flower,
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


def cloth_table(w: float = 200, colour: str = WHITE, trim: str = CORAL) -> Prop:
    """A table under a cloth, `w` x 76 cm, with a scalloped edge."""
    n = int(w // 20)
    hem = "".join(
        form(f"M{w / n * i:.1f} 14h{w / n:.1f}v10q{-w / n / 2:.1f} 12 {-w / n:.1f} 0z", trim, 2) for i in range(n)
    )
    folds = stroke("".join(f"M{w * x:.0f} 26q3 24-2 48" for x in (0.12, 0.3, 0.52, 0.71, 0.9)), dark(colour, 0.1), 2)
    return Prop(
        "table",
        w,
        76,
        shadow(w / 2, 75, w * 0.53, 6, 0.6)
        + form(poly((2, 10), (w - 2, 10), (w - 6, 75), (6, 75)), colour, 6, 0, folds)
        + path(poly((8, 0), (w - 8, 0), (w, 14), (0, 14)), light(colour, 0.5))
        + path(poly((8, 0), (w - 8, 0), (w - 6, 3), (6, 3)), dark(colour, 0.06))
        + hem,
    )


def cake(icing: str = PINK) -> Prop:
    """A layer cake on a stand with one slice out, 36 x 34 cm."""
    stand = form("M14 34Q18 30 17 24H19Q18 30 22 34z", WHITE, 1) + form(oval(18, 23, 18, 3.4), WHITE, 1)
    body = form("M4 21V9Q18 15 32 9V21Q18 27 4 21z", "#D9A05B", 3, 0, stroke("M4 15Q18 21 32 15", CREAM, 2.4)) + form(
        "M4 9Q4 4 18 4T32 9Q32 13 29 13Q27 17 25 13Q22 16 19 14Q16 18 13 14Q10 16 8 12Q4 13 4 9z", icing, 1.6, 0.5
    )
    return Prop(
        "cake",
        36,
        34,
        shadow(18, 33.4, 12, 1.4, 0.6) + stand + body + "".join(form(oval(x, 4, 2.2), RED, 0.6) for x in (10, 18, 26)),
    )


def muffins(n: int = 4) -> Prop:
    """A plate of muffins, 12 n x 16 cm."""
    w = 12 * n
    row = "".join(
        form(
            poly((2 + 12 * i, 8), (10 + 12 * i, 8), (9 + 12 * i, 14), (3 + 12 * i, 14)),
            (CORAL, SKY, SUN, PINK)[i % 4],
            1,
        )
        + form(
            f"M{0.6 + 12 * i} 8Q{1 + 12 * i} 1 {6 + 12 * i} 1T{11.4 + 12 * i} 8z", ("#B67B48", "#7A4A31")[i % 2], 1.4
        )
        + path(oval(4 + 12 * i, 4.4, 0.9) + oval(8 + 12 * i, 5, 0.9), CREAM)
        for i in range(n)
    )
    return Prop(
        "muffins",
        w,
        16,
        shadow(w / 2, 15.6, w * 0.5, 1.2, 0.6) + form(oval(w / 2, 14.4, w * 0.52, 1.6), WHITE, 0.5) + row,
    )


def jug() -> Prop:
    """A jug of lemonade with two glasses, 40 x 32 cm."""
    body = (
        form("M4 6H22L20 30Q13 33 6 30z", "#F6E08A", 2.4, 0.6, path(box(0, 0, 30, 11), "#E6F2F4"))
        + stroke("M22 10h4q3 0 3 5t-4 7h-4", "#CFE3E6", 2)
        + form(oval(13, 15, 4.4), SUN, 1)
    )
    cups = "".join(form(poly((x, 18), (x + 8, 18), (x + 7, 31), (x + 1, 31)), "#F6E08A", 1) for x in (31, 36))
    return Prop("jug of lemonade", 44, 32, shadow(18, 31.6, 20, 1.2, 0.6) + cups + body)


def cash_box() -> Prop:
    """An open cash box heaped with banknotes, 46 x 34 cm."""
    lid = form(poly((3, 18), (43, 18), (39, 2), (7, 2)), "#4B6A8C", 2, 0.6) + path(
        poly((7, 16), (39, 16), (36, 5), (10, 5)), dark("#4B6A8C", 0.3)
    )
    notes = "".join(
        put(
            x,
            y,
            form(box(-8, -4, 16, 8, 0.6), c, 1)
            + path(oval(0, 0, 2.4), light(c, 0.5))
            + stroke("M-6-2h3M3 2h3", dark(c, 0.3), 0.6),
            1,
            a,
        )
        for x, y, a, c in (
            (12, 15, -22, "#7FB07A"),
            (24, 12, 12, "#8FB88A"),
            (35, 15, 28, "#C98FA0"),
            (18, 18, 8, "#8FA9C4"),
            (30, 18, -10, "#7FB07A"),
            (24, 19, 2, "#D9B27C"),
        )
    )
    coins = "".join(form(oval(x, 33, 2.4, 1.2), SUN, 0.5) for x in (1.5, 45))
    return Prop(
        "cash box full of banknotes",
        48,
        34,
        lid + notes + form(box(2, 19, 42, 15, 1.5), "#4B6A8C", 3, 0.8) + path(box(20, 23, 6, 4, 1), SUN) + coins,
    )


def biscuit_tin() -> Prop:
    """An open tin heaped with biscuits, in the box of the cash box."""
    lid = form(poly((3, 18), (43, 18), (39, 2), (7, 2)), RED, 2, 0.6) + flower(23, 10, 6, WHITE, SUN)
    heap = "".join(
        form(oval(x, y, 6), "#D9A05B", 1.4) + path(oval(x - 2, y - 1, 0.8) + oval(x + 2, y + 1, 0.8), "#7A4A31")
        for x, y in ((11, 16), (35, 16), (23, 13), (17, 18), (29, 18))
    )
    return Prop(
        "biscuit tin", 48, 34, lid + heap + form(box(2, 19, 42, 15, 1.5), RED, 3, 0.8) + path(box(2, 24, 42, 4), CREAM)
    )


def candy_floss(colour: str = PINK) -> Prop:
    """Candy floss on a stick, 26 x 52 cm (anchor 'grip')."""
    fluff = "".join(
        form(oval(x, y, r), c, r * 0.16)
        for x, y, r, c in (
            (9, 14, 8, dark(colour, 0.06)),
            (17, 12, 9, colour),
            (13, 22, 8, colour),
            (12, 9, 7, light(colour, 0.3)),
        )
    )
    return Prop("candy floss", 26, 52, stroke("M13 22V51", CREAM, 1.8) + fluff, {"grip": (13, 46)})


def ice_cream(scoop: str = PINK) -> Prop:
    """A cone with two scoops, 14 x 26 cm (anchor 'grip')."""
    return Prop(
        "ice cream",
        14,
        26,
        form(
            poly((2, 11), (12, 11), (7, 26)),
            "#D9A05B",
            1.4,
            0,
            stroke("M4 11l5 10M10 11l-5 10", dark("#D9A05B", 0.2), 0.7),
        )
        + form(oval(7, 8, 6), scoop, 1.4)
        + form(oval(7, 3.6, 4), CREAM, 1)
        + veil(oval(5, 6, 1.4), "#fff", 0.6),
        {"grip": (7, 19)},
    )
