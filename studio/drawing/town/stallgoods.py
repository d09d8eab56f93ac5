"""What is sold, counted and carried at stalls: cakes, money, old things, shoes, boats."""

from __future__ import annotations

from studio.drawing.kit import (
    BLUE,
    CORAL,
    CREAM,
    INK,
    LEAF,
    NAVY,
    RED,
    SKY,
    STEEL,
    SUN,
    TEAL,
    TEXT,
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
)


def disc_stack() -> Prop:
    """A stack of home-made discs with a paper sign, 44 x 40 cm."""
    cases = "".join(
        form(box(2 + (i * 5) % 4, 36 - 3.2 * i, 24, 3, 0.6), ("#CFD6DE", "#3C4356")[i % 2], 0.6) for i in range(7)
    )
    top = (
        form(oval(15, 12.6, 12, 3.6), "#DDE3EA", 1)
        + path(oval(15, 12.6, 3, 1), INK)
        + stroke("M7 11q5-2 10-2", "#F2C6E0", 1)
    )
    leaning = (
        form(oval(36, 30, 8), "#DDE3EA", 1.6)
        + path("M36 22a8 8 0 0 1 7 4L36 30z", "#BFE2EC")
        + path(oval(36, 30, 2), INK)
    )
    sign = form(poly((6, 17), (42, 15), (43, 33), (7, 35)), WHITE, 1) + put(
        24.5, 24.6, lettering("FILM", 0, 0, 6.4, RED, 30) + lettering("COPIES", 0, 7.6, 5.4, INK, 32), 1, -3
    )
    return Prop(
        "stack of copied discs",
        44,
        40,
        shadow(20, 39.4, 20, 1.6, 0.6) + cases + top + leaning + sign,
        shows=frozenset({TEXT}),
    )


def plate_stack() -> Prop:
    """Old plates with a paper sign, in the box of the discs."""
    plates = "".join(form(oval(15, 37 - 3.4 * i, 14, 2.6), ("#EDE6D6", "#BFD3E6")[i % 2], 1) for i in range(8))
    leaning = form(oval(36, 28, 9), "#EDE6D6", 1.6) + stroke(oval(36, 28, 6), BLUE, 1)
    sign = form(poly((6, 19), (42, 17), (43, 33), (7, 35)), WHITE, 1) + put(
        24.5, 28.6, lettering("PLATES", 0, 0, 6.4, NAVY, 32), 1, -3
    )
    return Prop(
        "stack of plates", 44, 40, shadow(20, 39.4, 20, 1.6, 0.6) + plates + leaning + sign, shows=frozenset({TEXT})
    )


def gramophone() -> Prop:
    """A gramophone with a brass horn, 54 x 66 cm."""
    brass = "#D9A441"
    horn = (
        form("M26 46Q22 26 4 22Q2 8 16 3Q32 0 40 10Q34 24 32 46z", brass, 4, 1)
        + form("M3 22Q2 6 18 3T41 10Q32 16 22 16T3 22z", dark(brass, 0.3), 1)
        + stroke("M20 20L28 44M32 16L30 44", dark(brass, 0.2), 1)
    )
    return Prop(
        "gramophone",
        54,
        66,
        shadow(28, 65.4, 26, 2, 0.6)
        + horn
        + form(oval(32, 48, 18, 3.6), INK, 1)
        + form(box(12, 49, 40, 16, 2), WOOD, 3, 0.8)
        + stroke("M52 56h4v-4", STEEL, 1.6),
    )


def teapot(colour: str = SKY) -> Prop:
    """A teapot, 34 x 24 cm."""
    return Prop(
        "teapot",
        34,
        24,
        shadow(17, 23.6, 14, 1.2, 0.6)
        + stroke("M26 10Q34 8 32 16T25 19", colour, 2.4)
        + form("M8 10L1 6L3 14Q5 19 9 19z", colour, 1)
        + form("M6 15Q6 6 17 6T28 15Q28 24 17 24T6 15z", colour, 3, 0.8)
        + form("M11 7Q17 3 23 7z", dark(colour, 0.12), 0.8)
        + form(oval(17, 3, 2), colour, 0.6)
        + flower(17, 15, 4, WHITE, SUN),
    )


def table_lamp(colour: str = CORAL) -> Prop:
    """An old table lamp with a fringed shade, 34 x 48 cm (anchor 'grip')."""
    fringe = stroke("".join(f"M{3 + 2.6 * i:.1f} 22v3" for i in range(12)), SUN, 1)
    return Prop(
        "old lamp",
        34,
        48,
        form("M10 48Q12 44 16 42Q12 34 16 24H18Q22 34 18 42Q22 44 24 48z", "#D9A441", 2, 0.6)
        + form(poly((10, 2), (24, 2), (33, 22), (1, 22)), colour, 3, 0.8)
        + fringe,
        {"grip": (17, 36)},
    )


def picture_frames() -> Prop:
    """Two old pictures that lean on each other, 70 x 60 cm."""
    one = put(
        6,
        4,
        form(box(0, 0, 40, 50, 1), "#D9A441", 2, 1)
        + path(box(5, 5, 30, 40), "#BFD9E2")
        + path("M5 36Q18 24 35 34V45H5z", LEAF)
        + form(oval(25, 16, 5), SUN, 1),
        1,
        3,
    )
    two = put(
        32,
        18,
        form(box(0, 0, 34, 42, 1), "#8A5F40", 2, 1)
        + path(box(5, 5, 24, 32), "#E9D8C0")
        + flower(17, 18, 8, CORAL, SUN)
        + stroke("M17 26v10", LEAF, 2),
        1,
        -2,
    )
    return Prop("old pictures", 70, 60, shadow(36, 59, 34, 2.4, 0.5) + one + two)


def record_crate() -> Prop:
    """A crate of records, 46 x 40 cm."""
    discs = "".join(
        form(box(4 + 5.4 * i, 4 + (i * 3) % 5, 4.6, 26, 0.5), (RED, SUN, TEAL, CREAM, NAVY, CORAL, SKY)[i], 1)
        for i in range(7)
    )
    return Prop(
        "crate of records",
        46,
        40,
        shadow(23, 39.4, 25, 2, 0.6)
        + discs
        + form(box(0, 18, 46, 9, 1), WOOD, 2)
        + form(box(0, 29, 46, 10, 1), light(WOOD, 0.1), 2),
    )


def shoes(colour: str = RED) -> Prop:
    """A pair of trainers, 36 x 16 cm."""
    one = "M1 14V4Q4 2 7 4Q10 9 17 10Q20 11 20 14z"
    return Prop(
        "shoes",
        36,
        16,
        shadow(18, 15.6, 17, 1, 0.6)
        + put(13, -1, form(one, dark(colour, 0.15), 1.4) + stroke("M1 14h19", CREAM, 2))
        + form(one, colour, 1.6, 0.5)
        + stroke("M1 14h19", WHITE, 2.2)
        + stroke("M8 6l3-2M10 8l3-2", WHITE, 0.8),
    )


def shoe_boxes(n: int = 3) -> Prop:
    return Prop(
        "shoe boxes",
        38,
        15 * n,
        shadow(19, 15 * n - 0.6, 20, 2, 0.6)
        + "".join(
            form(box(1 + i % 2 * 2, 15 * i, 34, 15, 1), (CORAL, "#CFE0BE", SKY, SUN)[i % 4], 2)
            + path(box(0 + i % 2 * 2, 15 * i, 36, 5, 1), dark((CORAL, "#CFE0BE", SKY, SUN)[i % 4], 0.12))
            for i in range(n)
        ),
    )


def ballot_box() -> Prop:
    """A white box with a slot, an envelope in it and the word VOTE, 44 x 48 cm."""
    letter = put(
        22, 8, form(box(-9, -8, 18, 14, 0.6), CREAM, 1) + stroke("M-9-8L0 0L9-8", dark(CREAM, 0.25), 0.8), 1, -8
    )
    return Prop(
        "ballot box",
        44,
        48,
        shadow(22, 47.4, 23, 1.8, 0.6)
        + letter
        + form(box(2, 12, 40, 35, 2), WHITE, 4, 0.8)
        + form(box(0, 10, 44, 7, 2), NAVY, 1.4, 0.6)
        + path(box(12, 12, 20, 2, 1), INK)
        + lettering("VOTE", 22, 37, 11, NAVY, 34)
        + path(box(6, 41, 32, 2), RED),
        shows=frozenset({TEXT}),
    )


def picnic_basket() -> Prop:
    """A picnic basket, in the box of the ballot box."""
    return Prop(
        "picnic basket",
        44,
        48,
        shadow(22, 47.4, 23, 1.8, 0.6)
        + stroke("M8 22Q8 4 22 4T36 22", dark(WOOD, 0.2), 3)
        + form(
            box(1, 22, 42, 25, 3),
            WOOD,
            4,
            0.8,
            stroke("M0 29H44M0 36H44M0 42H44M9 22V48M18 22V48M27 22V48M36 22V48", dark(WOOD, 0.2), 1),
        )
        + form(poly((3, 22), (41, 22), (36, 30), (30, 24), (22, 32), (14, 24), (8, 30)), RED, 1)
        + path(oval(12, 25, 1) + oval(22, 27, 1) + oval(32, 25, 1), WHITE),
    )


def model_boat(hull: str = RED, sail: str = WHITE) -> Prop:
    """A toy sailing boat with loose ropes, 50 x 66 cm."""
    sails = form("M27 4L27 46H46Q42 20 27 4z", sail, 3, 0.6) + form("M24 10L24 46H8Q14 24 24 10z", light(SUN, 0.2), 2)
    ropes = stroke("M26 4Q6 20 4 52Q2 60-2 58M44 46Q50 52 46 58", "#8A6A4A", 0.9)
    return Prop(
        "model boat",
        50,
        66,
        stroke("M25.5 1V50", WOOD, 1.8)
        + sails
        + form("M2 50H48Q44 64 34 64H14Q6 62 2 50z", hull, 3, 0.8)
        + stroke("M4 54H46", WHITE, 1.6)
        + ropes
        + path(poly((26, 1), (36, 4), (26, 7)), TEAL),
    )


def megaphone(colour: str = SUN) -> Prop:
    """A megaphone that points right, 34 x 22 cm."""
    return Prop(
        "megaphone",
        34,
        22,
        form(poly((6, 8), (26, 0), (26, 20), (6, 13)), colour, 2, 0.6)
        + form(oval(27, 10, 4, 10.4), light(colour, 0.3), 1)
        + path(oval(28, 10, 2.4, 7), dark(colour, 0.5))
        + form(box(1, 7, 7, 7, 2), INK, 1)
        + stroke("M12 12v8", INK, 2.6),
        {"grip": (12, 18)},
    )
