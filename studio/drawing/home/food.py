"""Food and drink, as it lies on a table."""

from __future__ import annotations

import math

from studio.drawing.kit import (
    CORAL,
    CREAM,
    INK,
    LEAF,
    PINK,
    RED,
    WHITE,
    Prop,
    box,
    dark,
    form,
    light,
    oval,
    path,
    put,
    shadow,
    stroke,
)


def loaf(w: float = 32) -> Prop:
    """A loaf with cuts, `w` x 14 cm."""
    cuts = "".join(stroke(f"M{8 + 6 * i} 3q2 2 1 6", light("#C98A4B", 0.5), 1.4) for i in range(4))
    return Prop(
        "loaf of bread",
        w,
        w * 0.44,
        put(
            0,
            0,
            shadow(16, 13.4, 17, 1.4, 0.6)
            + form("M2 13Q-2 2 16 2T30 13Q30 14 28 14H4Q2 14 2 13z", "#C98A4B", 3, 0.6, cuts),
            w / 32,
        ),
    )


def pumpkin(size: float = 34) -> Prop:
    """A pumpkin, `size` x 0.86 size."""
    skin = "#E8863A"
    ribs = "".join(
        stroke(f"M{17 + x * 0.5} 6Q{17 + x} 17 {17 + x * 0.5} 28", dark(skin, 0.2), 0.9) for x in (-15, -7, 7, 15)
    )
    body = form("M17 6C6 1-1 9 1 18S9 30 17 28.6C25 30 31 27 33 18S28 1 17 6z", skin, 3.4, 0.8, ribs)
    stem = form("M15 7Q15 2 19 0L21 1.6Q18.4 4 19 7z", "#6B8A4A", 0.9)
    return Prop("pumpkin", size, size * 29.4 / 34, put(0, 0, shadow(17, 28.6, 16, 1.6, 0.6) + body + stem, size / 34))


def cake(w: float = 32, icing: str = PINK, sponge: str = "#D9A05B") -> Prop:
    """A round cake on a stand, `w` x 0.9 w."""
    drip = "".join(f"Q{5 + 4 * i} {13 + 2 * (i % 2)} {6 + 4 * i} 9.4" for i in range(6))
    body = form("M3 8V20Q16 24 29 20V8z", sponge, 3, 0, stroke("M3 15Q16 19 29 15", CREAM, 1.4))
    glaze = form(f"M3 8V11Q4 14 6 10{drip}Q29 12 29 8Q16 4 3 8z", icing, 1) + path(
        oval(16, 8, 13, 2.8), light(icing, 0.25)
    )
    stand = (
        form("M13 23H19L20 28H12z", CREAM, 1)
        + form(oval(16, 22, 16, 2.6), CREAM, 1)
        + form(oval(16, 28, 7, 1.4), CREAM, 0.5)
    )
    return Prop("cake", w, w * 0.9, put(0, 0, shadow(16, 28.4, 9, 1.2, 0.6) + stand + body + glaze, w / 32))


def cupcake(icing: str = PINK, cherry: str = RED) -> Prop:
    cup = form("M1.4 6H8.6L7.6 11H2.4z", "#8FB3C6", 1, 0.2, stroke("M3 6l.6 5M5 6v5M7 6l-.6 5", WHITE, 0.5))
    swirl = form("M.6 6.4Q-.4 4 2 3.4Q2.2 1.2 5 .8Q7.8 1.2 8 3.4Q10.4 4 9.4 6.4Q5 8 .6 6.4z", icing, 1.2, 0.3)
    return Prop("cupcake", 10, 11.4, shadow(5, 11, 4, 0.6, 0.6) + cup + swirl + form(oval(5, 0.6, 1.2), cherry, 0.3))


def plate(w: float = 26, food: str = "", rim: str = WHITE) -> Prop:
    """A plate seen a little from above; `food` is drawn about (13, 4) in a box of 26 x 8."""
    return Prop(
        "plate",
        w,
        w * 8 / 26,
        put(
            0,
            0,
            shadow(13, 7, 13, 1.2, 0.6)
            + form(oval(13, 4.4, 13, 3.4), rim, 0.8, 0.3)
            + path(oval(13, 4.4, 9, 2.2), dark(rim, 0.08))
            + food,
            w / 26,
        ),
    )


def pizza(w: float = 34) -> Prop:
    dots = "".join(
        path(oval(17 + r * 13 * math.cos(a), 5 + r * 3.6 * math.sin(a), 1.9, 0.8), c)
        for r, a, c in (
            (0.3, 0.4, RED),
            (0.7, 1.7, RED),
            (0.75, 3.3, RED),
            (0.7, 5, RED),
            (0.45, 2.6, LEAF),
            (0.55, 4.2, LEAF),
            (0.72, 0.3, LEAF),
        )
    )
    return Prop(
        "pizza",
        w,
        w * 0.3,
        put(
            0,
            0,
            shadow(17, 9.4, 17, 1.1, 0.6)
            + form(oval(17, 5.4, 17, 4.6), "#C98A4B", 1)
            + path(oval(17, 5, 14.4, 3.6), "#F1C65B")
            + dots,
            w / 34,
        ),
    )


def cookie_jar(colour: str = CORAL) -> Prop:
    return Prop(
        "cookie jar",
        20,
        26,
        shadow(10, 25.4, 10, 1.2, 0.6)
        + form("M2 8Q-1 16 3 24Q4 25.6 6 25.6H14Q16 25.6 17 24Q21 16 18 8z", colour, 3, 0.7)
        + form(box(2, 5, 16, 4, 1.6), dark(colour, 0.2), 1)
        + form("M5 5Q6 2 10 2T15 5z", light(colour, 0.2), 1)
        + form(oval(10, 1.4, 1.6), INK, 0.4)
        + form(oval(10, 16, 4.6), "#B9743E", 0.8)
        + path(oval(8.6, 15, 0.7) + oval(11, 14.6, 0.7) + oval(10.4, 17.6, 0.7), "#5A3425"),
    )
