"""Sports gear: hurdles, cones, bags, balls, bats, goals and flags; an exercise bike, weights and a punchbag."""

from __future__ import annotations

from studio.drawing.kit import (
    BLUE,
    CORAL,
    INK,
    LEAF,
    RED,
    SKY,
    STEEL,
    SUN,
    WHITE,
    WOOD,
    Prop,
    box,
    dark,
    form,
    light,
    limb,
    oval,
    path,
    poly,
    put,
    shadow,
    stroke,
)

GOLD = "#E2AF3C"


def hurdle(w: float = 110) -> Prop:
    """A hurdle with a striped bar and two feet, 90 cm high."""
    legs = "".join(
        form(box(x, 8, 4, 80, 1), STEEL, 1.2) + stroke(f"M{x + 2} 87l-12 2", STEEL, 3.4) for x in (8, w - 12)
    )
    bar = form(box(0, 0, w, 13, 2), WHITE, 2, 0.6, path("".join(box(x, 0, 14, 13) for x in range(8, int(w), 28)), RED))
    return Prop("hurdle", w, 90, shadow(w / 2, 89, w * 0.5, 3, 0.5) + legs + bar)


def cone(colour: str = "#E8702A") -> Prop:
    return Prop(
        "cone",
        28,
        34,
        shadow(14, 33, 18, 2.4, 0.6)
        + form(poly((11, 0), (17, 0), (24, 31), (4, 31)), colour, 3, 0.8, path(box(0, 11, 28, 7), WHITE))
        + form(box(0, 30, 28, 4, 1.4), dark(colour, 0.16), 1),
    )


def sports_bag(colour: str = BLUE) -> Prop:
    """A holdall, 74 x 44 cm."""
    bag = form("M4 42Q-2 24 8 16H66Q76 24 70 42Q37 46 4 42z", colour, 4, 1.2, path(box(0, 26, 74, 7), WHITE))
    return Prop(
        "sports bag",
        74,
        44,
        shadow(37, 42, 42, 3.4, 0.6)
        + stroke("M20 18Q22 0 37 0T54 18", dark(colour, 0.4), 3.4)
        + bag
        + stroke("M14 18H60", dark(colour, 0.4), 1.6),
    )


def bottles(n: int = 3) -> Prop:
    """Drinking bottles in a row."""
    out = ""
    for i, c in enumerate((SKY, CORAL, LEAF, SUN)[:n]):
        x = 2 + 11 * i
        out += (
            form(box(x, 7, 8, 18, 2.4), c, 1.4, 0.6)
            + form(box(x + 1, 3, 6, 5, 1), WHITE, 0.8)
            + form(box(x + 2.6, 0, 2.8, 4, 1), INK, 0.4)
        )
    return Prop("drinking bottles", 11 * n + 2, 26, shadow(5.5 * n, 25, 6 * n, 1.8, 0.6) + out)


def starting_blocks() -> Prop:
    """Starting blocks, 60 x 20 cm."""
    feet = "".join(form(poly((x, 18), (x + 5, 4), (x + 14, 4), (x + 16, 18)), RED, 2, 0.6) for x in (8, 34))
    return Prop("starting blocks", 60, 20, shadow(30, 18, 34, 2, 0.6) + form(box(0, 15, 60, 4, 1), STEEL, 1) + feet)


def football() -> Prop:
    spots = path(poly((13, 8), (18, 11.5), (16, 17), (10, 17), (8, 11.5)), INK) + path(
        "M0 10l4 3l-1 6l-4 0zM26 10l-4 3l1 6l4 0zM6 25l3-4h8l3 4zM7 2l6 2l6-2l-3-3H10z", INK
    )
    return Prop(
        "football",
        26,
        26,
        shadow(13, 25, 14, 2.4, 0.6)
        + form(
            oval(13, 13, 12.6),
            WHITE,
            3,
            0,
            spots + stroke("M13 8V2M18 11.5l5 0M16 17l3 5M10 17l-3 5M8 11.5l-5 0", INK, 0.8),
        ),
    )


def corner_flag() -> Prop:
    return Prop(
        "corner flag",
        60,
        150,
        shadow(6, 149, 8, 2, 0.6) + form(box(3, 0, 4, 149, 2), SUN, 1.2) + form("M7 4Q28 10 54 22Q28 34 7 44z", RED, 3),
    )


def handbag(colour: str = "#8E3F5A") -> Prop:
    """An open handbag with a purse and banknotes sticking out, 46 x 44 cm."""
    notes = "".join(
        form(
            poly((26 + 4 * i, 8 - i), (36 + 4 * i, 5 + i), (39 + 4 * i, 24), (29 + 4 * i, 26)),
            light(LEAF, 0.3 - 0.16 * i),
            1,
        )
        for i in range(2)
    )
    purse = (
        form(box(9, 9, 18, 20, 3), RED, 2, 0.8)
        + form(oval(14.5, 9, 1.8), GOLD, 0.4)
        + form(oval(20.5, 9, 1.8), GOLD, 0.4)
        + stroke("M10 13h16", GOLD, 1.2)
    )
    handle = stroke("M8 22Q6 1 22 1T39 22", dark(colour, 0.3), 2.6)
    bag = (
        form("M4 20H42L45 42Q23 45 1 42z", colour, 4, 1)
        + path("M4 20H42L41 23H5z", dark(colour, 0.5))
        + form(oval(23, 31, 2.6), GOLD, 0.6)
    )
    return Prop(
        "open handbag with a purse",
        46,
        44,
        shadow(23, 43, 24, 1.6, 0.5) + handle + path("M6 16H40L42 20H4z", dark(colour, 0.6)) + notes + purse + bag,
    )


def water_cooler() -> Prop:
    """The harmless stand-in for the handbag: an orange drinks cooler in the same box."""
    tub = (
        form("M6 10H40L42 43H4z", "#E8702A", 4, 1, path(box(0, 20, 46, 9), WHITE))
        + form(box(3, 4, 40, 9, 3), WHITE, 2, 0.8)
        + stroke("M14 4Q23-2 32 4", INK, 2.4)
    )
    return Prop(
        "drinks cooler",
        46,
        44,
        shadow(23, 43, 24, 1.6, 0.5) + tub + form(box(19, 33, 8, 5, 1), INK, 0.8) + stroke("M23 38v4", INK, 2),
    )


def base_bag() -> Prop:
    """A base, seen from above and in front, 60 x 14 cm."""
    return Prop(
        "base",
        60,
        14,
        shadow(30, 12, 34, 3, 0.4)
        + form(poly((0, 9), (28, 13), (28, 14), (0, 11)), dark(WHITE, 0.2), 0)
        + path(poly((30, 0), (60, 6), (30, 13), (0, 6)), WHITE)
        + path(poly((0, 6), (30, 13), (60, 6), (60, 8), (30, 15), (0, 8)), dark(WHITE, 0.24)),
    )


def bat() -> Prop:
    """A baseball bat on the ground, 80 x 10 cm."""
    return Prop(
        "baseball bat",
        80,
        10,
        shadow(40, 9, 40, 1.6, 0.5)
        + form("M0 4Q0 3 2 3L26 3.4L72 0Q80 0 80 4.5T72 9L26 5.6L2 6Q0 6 0 4z", WOOD, 2, 0.6),
    )


def baseball(size: float = 8) -> Prop:
    """A white ball with red seams, 8 cm if not told."""
    seams = stroke("M1.6 1.8Q4 4 1.6 6.4M6.4 1.8Q4 4 6.4 6.4", RED, 0.5)
    return Prop("baseball", size, size, put(0, 0, form(oval(4, 4, 4), WHITE, 1) + seams, size / 8))


def mitt() -> str:
    """A leather catching glove around (0, 0), 24 cm wide."""
    hide = "#A8653A"
    fingers = "".join(
        form(limb([(x * 0.7, 2), (x * 0.9, -6), (x, -11)], (6, 6, 5.4)), hide, 1.2) for x in (-7, -2.5, 2.5, 7)
    )
    return (
        fingers
        + form(oval(0, 2, 10, 9), hide, 2)
        + form(limb([(8, 4), (12, 0), (13, -5)], (6, 5.4, 5)), hide, 1)
        + path(oval(0, 0, 4), dark(hide, 0.3))
    )


def clipboard() -> Prop:
    """A clipboard with a sheet, 22 x 30 cm."""
    lines = stroke("M5 12h12M5 17h12M5 22h9", "#9C93A8", 1)
    return Prop(
        "clipboard",
        22,
        30,
        form(box(0, 2, 22, 28, 1.6), "#A9703F", 1.4)
        + path(box(2, 5, 18, 23), WHITE)
        + lines
        + form(box(7, 0, 8, 4, 1), "#5A6379", 0.8),
    )


def phone() -> Prop:
    """A phone, 9 x 17 cm."""
    return Prop("phone", 9, 17, form(box(0, 0, 9, 17, 1.6), INK, 0.8) + path(box(1, 1.6, 7, 13.4, 0.6), "#8FC7DE"))
