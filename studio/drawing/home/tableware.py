"""What stands on a café table or counter."""

from __future__ import annotations

from studio.drawing.home.food import cupcake
from studio.drawing.home.interiors import halo
from studio.drawing.kit import (
    CREAM,
    INK,
    LEAF,
    STEEL,
    TEAL,
    WHITE,
    Prop,
    box,
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


def candle(colour: str = CREAM, h: float = 20, lit: bool = True) -> Prop:
    flame = (
        halo(4, -3, 11, 12)
        + form("M4-7Q7-2 4 .6Q1-2 4-7z", "#F6A13C", 0.6)
        + path("M4-4Q5.4-1.4 4 0Q2.6-1.4 4-4z", "#FFF1C0")
        if lit
        else ""
    )
    return Prop(
        "candle",
        8,
        h,
        shadow(4, h - 0.4, 5, 0.8, 0.5)
        + form(box(1.6, 1, 4.8, h - 3, 1), colour, 1)
        + form(f"M0 {h - 3}H8L7 {h}H1z", "#8A8F9C", 1)
        + stroke("M4 1V-.4", INK, 0.5)
        + flame,
    )


def napkins(colour: str = TEAL) -> Prop:
    return Prop(
        "folded napkin",
        12,
        9,
        shadow(6, 8.6, 7, 0.7, 0.5)
        + form(poly((0, 9), (6, 0), (12, 9)), colour, 1)
        + path(poly((6, 0), (8, 9), (4, 9)), light(colour, 0.3)),
    )


def wine_glass(drink: str = "#8C2F4A", h: float = 20) -> Prop:
    w = h * 0.45
    return Prop(
        "wine glass",
        w,
        h,
        put(
            0,
            0,
            shadow(4.5, 19.6, 4, 0.6, 0.5)
            + veil("M.6 0H8.4Q9.4 8 4.9 9.6H4.1Q-.4 8 .6 0z", WHITE, 0.55)
            + form("M.5 3.6H8.5Q8.6 8 4.9 9.2H4.1Q.4 8 .5 3.6z", drink, 1)
            + stroke("M4.5 9.4V19", "#E9F0F2", 0.9)
            + form(oval(4.5, 19.3, 3.4, 0.7), "#E9F0F2", 0.2),
            h / 20,
        ),
    )


def pepper_mill() -> Prop:
    return Prop(
        "pepper mill",
        8,
        22,
        shadow(4, 21.6, 4.6, 0.8, 0.5)
        + form("M1 21.6V16Q3 12 1.6 8H6.4Q5 12 7 16V21.6z", "#8A5A3B", 1.4, 0.4)
        + form(oval(4, 5.4, 3, 2.8), "#8A5A3B", 0.9)
        + form(oval(4, 1.8, 1.3), STEEL, 0.4),
    )


def serving_tray(load: str = "cups") -> Prop:
    """A round tray with cups or plates, 40 x 16 cm; carried at (20, 15)."""
    cups = (
        put(4, 3.6, _small_cup()) + put(22, 3.6, _small_cup())
        if load == "cups"
        else put(4, 6, form(oval(9, 5, 9, 2), WHITE, 0.5) + form(oval(9, 3, 5, 2.6), "#C98A4B", 0.8))
        + put(20, 6, form(oval(9, 5, 9, 2), WHITE, 0.5) + form(oval(9, 3, 5, 2.6), LEAF, 0.8))
    )
    return Prop("tray", 40, 16, form(oval(20, 13.4, 20, 2.6), "#8C93A6", 0.8, 0.4) + cups)


def _small_cup() -> str:
    return (
        form("M1 1H12Q12 7 9 9H4Q1 7 1 1z", WHITE, 1.2, 0.3)
        + stroke("M12 2.4q3.4 0 2.8 2.4T11 7", WHITE, 1)
        + path(oval(6.5, 1.2, 5.4, 1), "#6B3F2A")
    )


def paper_cup(colour: str = CREAM) -> Prop:
    """A tall cup to take away, 12 x 20 cm; grip at (6, 15)."""
    body = form("M1 4H11L9.8 19Q9.8 20 8.8 20H3.2Q2.2 20 2.2 19z", colour, 1.4, 0.4, path(box(0, 8, 12, 6), "#B9743E"))
    return Prop("paper cup", 12, 20, body + form(box(0, 1.4, 12, 3.4, 1.2), "#6B4A3A", 0.6))


def muffins() -> Prop:
    """A glass dome of muffins on a foot, 40 x 34 cm."""
    cakes = "".join(put(x, 15.4, cupcake(c).body) for x, c in ((6, "#6B3F2A"), (15, CREAM), (24, "#B9743E")))
    return Prop(
        "muffins under glass",
        40,
        34,
        shadow(20, 33.4, 12, 1.2, 0.5)
        + cakes
        + veil("M4 27V14Q4 2 20 2T36 14V27z", WHITE, 0.42)
        + stroke("M9 24V14Q10 7 16 6", WHITE, 1.2)
        + form(oval(20, 1.8, 2), STEEL, 0.5)
        + form(oval(20, 27.4, 19, 2.2), CREAM, 0.6)
        + form("M16 29H24L26 34H14z", CREAM, 1),
    )
