"""Games and rides of a fair: a shooting booth with roses, cans to knock down, a ghost train, toys to win."""

from __future__ import annotations

import math

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


def _rose(x: float, y: float, colour: str) -> str:
    """A paper rose from the side, 18 across, with two leaves."""
    leaves = path("M-9 9Q-6 3 0 8Q6 3 9 9Q4 13 0 9Q-4 13-9 9z", LEAF)
    folds = stroke("M-3-4q3-4 6 0t-2 5q-5 0-4-5M-8-1Q-4 8 0 8T8-1", dark(colour, 0.3), 1.3)
    return put(x, y, leaves + form("M-9-3Q-5-9 0-8T9-3Q9 9 0 9T-9-3z", colour, 2) + folds)


def roses() -> str:
    """Rows of paper roses on tubes, to go into `fairground.booth` (220 x 90 from (20, 82))."""
    out = ""
    for row, y in enumerate((98, 126, 152)):
        out += path(box(18, y + 10, 224, 4), WOOD)
        out += "".join(
            stroke(f"M{34 + 24 * i + 6 * (row % 2)} {y + 10}v-10", WHITE, 3)
            + _rose(34 + 24 * i + 6 * (row % 2), y - 4, (RED, PINK, SUN, WHITE, CORAL)[(i + row) % 5])
            for i in range(9)
        )
    return out


def cork_rifle() -> Prop:
    """A toy rifle with a cork on a string, 84 x 22 cm."""
    stock = form("M2 8L22 6L36 8V14L24 15L6 21Q0 20 2 8z", "#E07A3A", 2.4, 0.6)
    barrel = (
        form(box(32, 6, 44, 5, 1), "#4B5368", 1.4, 0.5)
        + form(box(36, 10, 26, 4, 1.5), "#E07A3A", 1)
        + stroke("M27 14q2 5 6 1", "#4B5368", 1.6)
    )
    cork = (
        form(box(75, 5.4, 7, 6.4, 1.4), "#D9A86C", 1)
        + stroke("M78 12Q74 20 60 17T48 13", WHITE, 0.9)
        + path(box(72, 4.4, 3.6, 8), RED)
    )
    return Prop(
        "toy cork rifle",
        84,
        22,
        veil(oval(42, 20.6, 38, 1.4), "#3A2A5C", 0.3) + stock + barrel + cork + form(oval(16, 11, 3), SUN, 0.6),
    )


def floss_stick() -> Prop:
    """Candy floss on a long stick, lying, in the box of the rifle."""
    fluff = "".join(
        form(oval(x, y, r), c, r * 0.16)
        for x, y, r, c in (
            (58, 12, 8, dark(PINK, 0.06)),
            (66, 9, 8, PINK),
            (73, 13, 8, PINK),
            (66, 14, 7, light(PINK, 0.3)),
        )
    )
    return Prop(
        "candy floss", 84, 22, veil(oval(46, 20.6, 34, 1.4), "#3A2A5C", 0.3) + stroke("M3 15L62 13", CREAM, 2.6) + fluff
    )


def can(k: int) -> str:
    """A tin with a painted grinning face, 18 x 24."""
    c = (SUN, CORAL, TEAL, SKY, PINK, LEAF)[k % 6]
    return (
        form(box(0, 1, 18, 23, 2), c, 2.4, 0.6)
        + path(oval(9, 1.6, 8.6, 1.6), light(STEEL, 0.5))
        + path(oval(5.6, 9, 1.7, 2.2) + oval(12.4, 9, 1.7, 2.2), INK)
        + path("M4 14q5 1.6 10 0q-1 6-5 6t-5-6z", WHITE)
        + stroke("M4 14q5 1.6 10 0q-1 6-5 6t-5-6zM9 14.6v5", INK, 0.8)
    )


def can_pyramid() -> Prop:
    """Six tins with faces: three, two, one; 58 x 76 cm."""
    spots = ((0, 52), (20, 52), (40, 52), (10, 27), (30, 27), (20, 2))
    return Prop(
        "tins with painted faces",
        58,
        76,
        shadow(29, 75.4, 30, 1.6, 0.6) + "".join(put(x, y, can(i)) for i, (x, y) in enumerate(spots)),
    )


def ball_basket() -> Prop:
    """A basket of balls, 40 x 26 cm."""
    balls = "".join(form(oval(8 + 8 * i, 8 - 2 * (i % 2), 5.4), (RED, WHITE, BLUE, SUN)[i], 1.4) for i in range(4))
    return Prop(
        "basket of balls",
        40,
        26,
        shadow(20, 25.4, 20, 1.4, 0.6)
        + balls
        + form("M1 10H39L35 25H5z", WOOD, 3, 0.6, stroke("M1 15H39M3 20H37", dark(WOOD, 0.25), 1.2)),
    )


def two_teddies(w: float, h: float) -> Prop:
    """Two large teddy bears side by side that fill a box."""

    def bear(x: float, c: str) -> str:
        return (
            form(oval(x, 74, 20, 24), c, 5)
            + path(oval(x, 78, 12, 14), light(c, 0.4))
            + form(oval(x - 16, 20, 7) + oval(x + 16, 20, 7), c, 2)
            + form(oval(x, 34, 20), c, 4)
            + path(oval(x, 40, 9, 7), light(c, 0.45))
            + path(oval(x - 7, 30, 2.4) + oval(x + 7, 30, 2.4), INK)
            + form(oval(x, 37, 3, 2.2), INK, 0.4)
            + stroke(f"M{x - 4} 42q4 3 8 0", INK, 1.2)
            + form(oval(x - 20, 66, 7, 12) + oval(x + 20, 66, 7, 12), c, 2)
            + path(oval(x, 56, 8, 3), RED)
        )

    k = min(w / 100, h / 98)
    return Prop("two teddy bears", w, h, put((w - 100 * k) / 2, h - 98 * k, bear(27, WOOD) + bear(73, "#D9B08A"), k))


def ghost_front(sign: str = "GHOST TRAIN") -> Prop:
    """The painted front of a ghost train with two doors, 420 x 330 cm; a face fits over the doors."""
    wall = form(
        poly((6, 90), (50, 40), (120, 60), (210, 10), (300, 60), (370, 40), (414, 90), (414, 326), (6, 326)),
        "#4E4477",
        10,
        2,
    )
    bats = "".join(
        path(f"M{x} {y}q-8-10-20-4q4 4 4 10q6-4 10 2l6 6l6-6q4-6 10-2q0-6 4-10q-12-6-20 4z", "#2E2850")
        for x, y in ((70, 110), (350, 104))
    )
    ghosts = "".join(
        form(f"M{x} 300V236Q{x} 206 {x + 24} 206T{x + 48} 236V300l-8-8l-8 8l-8-8l-8 8l-8-8z", "#E9ECF2", 6)
        + path(oval(x + 16, 238, 4, 6) + oval(x + 32, 238, 4, 6) + oval(x + 24, 256, 5, 7), INK)
        for x in (24, 348)
    )
    doors = (
        path("M110 326V236Q110 190 156 190T202 236V326zM218 326V236Q218 190 264 190T310 236V326z", "#241D40")
        + form("M118 326V238Q118 198 156 198V326z", "#7A4A5B", 5)
        + form("M264 326V198Q302 198 302 238V326z", "#7A4A5B", 5)
    )
    board = form(box(60, 152, 300, 36, 6), RED, 4, 1) + lettering(sign, 210, 180, 23, "#FFF0B8", 280)
    bulbs = path("".join(oval(66 + 26 * i, 148, 4) + oval(66 + 26 * i, 192, 4) for i in range(12)), "#FFE89A")
    return Prop("ghost train", 420, 330, shadow(212, 326, 220, 9, 0.6) + wall + bats + ghosts + doors + board + bulbs)


def ghost_cart() -> Prop:
    """A car of the ghost train on its rail, 130 x 96 cm."""
    rail = stroke("M-160 92H290M-160 86H290", STEEL, 3)
    return Prop(
        "ghost train car",
        130,
        96,
        rail
        + form("M6 78V40Q6 20 26 20Q40 22 42 44H96Q104 30 122 34V78z", LEAF, 7, 1.6)
        + path(box(46, 48, 48, 10, 3), dark(LEAF, 0.4))
        + form(oval(36, 82, 12), INK, 3)
        + form(oval(96, 82, 12), INK, 3)
        + form(oval(116, 56, 6), "#FFF0B8", 2),
    )


def devil_face() -> Prop:
    """A big grinning devil's face, 130 x 130 cm."""
    red = "#D0413A"
    horns = form("M26 40Q4 26 10 2Q18 22 42 26zM104 40Q126 26 120 2Q112 22 88 26z", SUN, 4, 1)
    face = form("M65 14Q112 14 112 62Q112 104 65 128Q18 104 18 62Q18 14 65 14z", red, 9, 2)
    ears = form("M20 56Q2 50 2 66Q10 78 22 74zM110 56Q128 50 128 66Q120 78 108 74z", red, 3)
    eyes = (
        path("M34 50L58 60Q50 72 38 66zM96 50L72 60Q80 72 92 66z", "#FFF0B8")
        + path(oval(49, 62, 4) + oval(81, 62, 4), INK)
        + stroke("M30 44L58 54M100 44L72 54", INK, 5)
    )
    mouth = form(
        "M32 82Q65 96 98 82Q92 112 65 112T32 82z",
        "#4A1620",
        0,
        0,
        path(poly(*((32 + 6 * i, 78 + (16 if i % 2 else 6)) for i in range(12)), (98, 70), (32, 70)), WHITE),
    )
    return Prop(
        "devil's face",
        130,
        130,
        ears
        + horns
        + face
        + eyes
        + form("M60 64L65 80L70 64z", dark(red, 0.2), 1)
        + mouth
        + form("M58 118L65 130L72 118Q65 122 58 118z", INK, 1),
    )


def sun_face() -> Prop:
    """A big laughing sun, in the box of the devil."""
    rays = "".join(
        poly(
            (65 + 44 * math.cos(a - 0.16), 65 + 44 * math.sin(a - 0.16)),
            (65 + 64 * math.cos(a), 65 + 64 * math.sin(a)),
            (65 + 44 * math.cos(a + 0.16), 65 + 44 * math.sin(a + 0.16)),
        )
        for a in (k * math.tau / 14 for k in range(14))
    )
    return Prop(
        "laughing sun",
        130,
        130,
        path(rays, CORAL)
        + form(oval(65, 65, 46), SUN, 8, 2)
        + path(oval(50, 58, 5, 7) + oval(80, 58, 5, 7), INK)
        + path(oval(40, 74, 7, 4) + oval(90, 74, 7, 4), CORAL)
        + form("M46 76Q65 84 84 76Q80 98 65 98T46 76z", "#8C2F39", 0, 0, path(box(40, 74, 50, 8), WHITE)),
    )


def ticket_booth(colour: str = PLUM) -> Prop:
    """A round ticket booth with a pointed roof, 110 x 260 cm."""
    return Prop(
        "ticket booth",
        110,
        260,
        shadow(56, 257, 60, 7, 0.6)
        + form(box(10, 90, 90, 166, 3), colour, 9, 2, stroke("M33 90V256M55 90V256M78 90V256", dark(colour, 0.16), 3))
        + path("M28 170V130Q28 108 55 108T82 130V170z", "#FBE3A4")
        + form(box(18, 168, 74, 9, 3), WOOD, 3)
        + form(poly((0, 92), (110, 92), (55, 22)), SUN, 8, 2, stroke("M55 22L28 92M55 22L82 92", CORAL, 6))
        + form(oval(55, 18, 8), RED, 2)
        + form(box(22, 196, 66, 26, 4), CREAM, 2)
        + lettering("TICKETS", 55, 215, 13, NAVY, 58),
    )
