"""Old jars and bottles of a pharmacy, and what a room for exercises holds."""

from __future__ import annotations

from studio.drawing.kit import (
    BLUE,
    CORAL,
    CREAM,
    INK,
    LEAF,
    NAVY,
    PINK,
    PLUM,
    RED,
    SKY,
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
    light,
    oval,
    path,
    poly,
    shadow,
    stroke,
    veil,
)


def _brown_bottle(label: str, name: str) -> Prop:
    glass = (
        form("M2 46V22Q2 15 9 13V6H19V13Q26 15 26 22V46Q26 48 24 48H4Q2 48 2 46z", "#9A5A2A", 3.4, 1)
        + path(box(4.5, 20, 19, 20, 1), "#F4E8C8")
        + label
        + form(box(8, 0, 12, 7, 1.5), "#5B3A2E", 1.4)
    )
    return Prop(name, 28, 48, shadow(14, 47.4, 13, 1.2, 0.6) + glass + veil(box(5, 16, 2.4, 28, 1), "#fff", 0.35))


def skull_bottle() -> Prop:
    """An old brown bottle with a skull on its label, 28 x 48 cm."""
    skull = (
        form("M8.6 27Q8.6 21.6 14 21.6T19.4 27Q19.4 30 17.4 31V33.6H10.6V31Q8.6 30 8.6 27z", INK, 0)
        + path(oval(11.8, 27, 1.6) + oval(16.2, 27, 1.6), "#F4E8C8")
        + path(poly((14, 28.6), (13, 30.4), (15, 30.4)), "#F4E8C8")
        + stroke("M7.6 34.6L20.4 38.6M20.4 34.6L7.6 38.6", INK, 1.7)
    )
    return _brown_bottle(skull, "old bottle with a skull label")


def flower_bottle() -> Prop:
    """The same bottle with a flower on its label."""
    return _brown_bottle(
        stroke("M14 30V38M14 36q-3-1-4-4M14 36q3-1 4-4", LEAF, 1.3) + flower(14, 27, 5, CORAL, SUN, 7),
        "old bottle with a flower label",
    )


def apothecary_jar(colour: str = WHITE, band: str = BLUE) -> Prop:
    """A porcelain jar with a lid, 26 x 40 cm."""
    return Prop(
        "apothecary jar",
        26,
        40,
        shadow(13, 39.4, 12, 1.2, 0.6)
        + form("M4 12H22Q25 24 21 39H5Q1 24 4 12z", colour, 3, 0.8)
        + path("M3.4 20H22.6V30H3.4z", light(band, 0.5))
        + stroke("M3.4 20H22.8M3.4 30H22.6", band, 1.2)
        + form("M3 12Q13 4 23 12z", colour, 1.4)
        + form(oval(13, 6, 3), band, 0.8),
    )


def jar_shelf(w: float = 230) -> Prop:
    """A wooden wall shelf on two brackets, `w` x 14 cm: things stand on its top."""
    return Prop(
        "shelf",
        w,
        16,
        veil(box(4, 5, w, 7), "#3A2A5C", 0.2)
        + form(box(0, 0, w, 6, 1), WOOD, 1.6, 0.6)
        + "".join(form(poly((x, 6), (x + 6, 6), (x + 3, 16)), dark(WOOD, 0.15), 1) for x in (16, w - 22)),
    )


def apothecary_drawers(w: float = 220, h: float = 100) -> Prop:
    """A chest of small drawers with porcelain knobs."""
    rows, cols = 4, 7
    out = "".join(
        form(
            box(6 + (w - 12) / cols * i + 1, 8 + (h - 14) / rows * j + 1, (w - 12) / cols - 2, (h - 14) / rows - 2, 1),
            light(WOOD, 0.12),
            2,
        )
        + form(oval(6 + (w - 12) / cols * (i + 0.5), 8 + (h - 14) / rows * (j + 0.62), 2.2), CREAM, 0.6)
        + path(box(6 + (w - 12) / cols * (i + 0.26), 8 + (h - 14) / rows * (j + 0.2), (w - 12) / cols * 0.48, 4), CREAM)
        for i in range(cols)
        for j in range(rows)
    )
    return Prop(
        "chest of drawers",
        w,
        h,
        shadow(w / 2, h - 1, w * 0.54, 6, 0.6)
        + form(box(0, 2, w, h - 3, 2), WOOD, 5, 1)
        + out
        + form(box(-3, 0, w + 6, 7, 2), dark(WOOD, 0.1), 2),
    )


def balance() -> Prop:
    """A pharmacist's balance, 50 x 40 cm."""
    pans = "".join(
        stroke(f"M{x} 8L{x - 9} 26M{x} 8L{x + 9} 26", STEEL, 0.9)
        + form(f"M{x - 11} 26H{x + 11}Q{x} 34 {x - 11} 26z", "#D9A441", 1)
        for x in (9, 41)
    )
    return Prop(
        "balance",
        50,
        40,
        shadow(25, 39.4, 16, 1.2, 0.6)
        + stroke("M25 6V34M8 8Q25 4 42 8", "#B5832E", 2)
        + pans
        + form("M14 40Q16 34 25 34T36 40z", "#B5832E", 1.4)
        + form(oval(25, 5, 2.6), "#D9A441", 0.8),
    )


def first_aid() -> Prop:
    """Plasters, a roll of gauze and a tin on a counter, 60 x 22 cm."""
    return Prop(
        "plasters and bandages",
        60,
        22,
        shadow(30, 21.6, 30, 1.2, 0.6)
        + form(box(0, 6, 22, 15, 1.5), RED, 2, 0.6)
        + path(box(9, 8, 4, 11) + box(5.5, 11.5, 11, 4), WHITE)
        + form(oval(32, 15, 7), WHITE, 1.6)
        + path(oval(32, 15, 2.4), dark(WHITE, 0.2))
        + form(box(42, 12, 17, 9, 1), "#F2C6A0", 1.4)
        + stroke("M45 16.5H56", dark("#F2C6A0", 0.25), 1.4),
    )


def exercise_ball(colour: str = PLUM) -> Prop:
    """A large exercise ball, 66 x 66 cm."""
    return Prop(
        "exercise ball",
        66,
        66,
        shadow(34, 64, 32, 5, 0.7)
        + form(oval(33, 33, 32.5), colour, 9, 2, stroke("M0 24Q33 8 66 24M0 42Q33 58 66 42", light(colour, 0.2), 2))
        + veil(oval(22, 18, 8, 5), "#fff", 0.5),
    )


def wall_bars() -> Prop:
    """Wall bars for exercises, 100 x 230 cm."""
    return Prop(
        "wall bars",
        100,
        230,
        veil(box(6, 6, 96, 224), "#3A2A5C", 0.12)
        + form(box(0, 0, 8, 230, 1), WOOD, 2)
        + form(box(92, 0, 8, 230, 1), WOOD, 2)
        + "".join(form(box(4, 12 + 20 * i, 92, 5, 2.4), light(WOOD, 0.25), 1.4) for i in range(11)),
    )


def towels() -> Prop:
    """A stack of towels on a stool, 50 x 70 cm."""
    return Prop(
        "stack of towels",
        50,
        70,
        shadow(25, 69, 26, 3, 0.6)
        + stroke("M10 42L4 69M40 42L46 69M16 42V66M34 42V66", WOOD, 4)
        + form(box(2, 36, 46, 8, 3), WOOD, 2)
        + "".join(form(box(6, 27 - 9 * i, 38, 9, 4), c, 2) for i, c in enumerate((SKY, WHITE, PINK, TEAL))),
    )


def exercise_mat() -> Prop:
    """A rolled mat standing on end, 22 x 70 cm."""
    return Prop(
        "mat",
        22,
        70,
        shadow(11, 69, 13, 3, 0.6)
        + form(box(1, 3, 20, 66, 3), TEAL, 4, 1)
        + path(oval(11, 4, 10, 3), light(TEAL, 0.3))
        + stroke("M11 4q4-2 5 0t-8 1t-3-2", dark(TEAL, 0.3), 0.9)
        + path(box(1, 22, 20, 4) + box(1, 48, 20, 4), SUN),
    )


def lozenges() -> Prop:
    """A basket of sweets for the throat, 34 x 18 cm."""
    return Prop(
        "basket of lozenges",
        34,
        18,
        shadow(17, 17.6, 16, 1, 0.6)
        + "".join(
            form(oval(6 + 4.4 * i, 6 - i % 2 * 2, 3.2), (RED, SUN, LEAF, CORAL, SUN, PINK)[i], 0.8) for i in range(6)
        )
        + form("M1 7H33L29 17H5z", WOOD, 2, 0.5, stroke("M2 11H32", dark(WOOD, 0.25), 1.2)),
    )


def table_display(art: str, shows: frozenset[str], name: str) -> Prop:
    """A card that stands on a counter, 62 x 74 cm; `art` fills it but for the foot."""
    return Prop(
        name,
        62,
        74,
        shadow(31, 73.4, 30, 1.6, 0.6)
        + form(poly((10, 66), (52, 66), (60, 74), (2, 74)), NAVY, 1.4)
        + form(box(0, 0, 62, 68, 2), NAVY, 2, 0.6)
        + art,
        shows=shows,
    )
