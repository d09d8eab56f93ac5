"""Things of parks and lakes, in centimetres."""

from __future__ import annotations

from studio.drawing.kit import (
    BLUE,
    CORAL,
    CREAM,
    INK,
    PINK,
    RED,
    STEEL,
    SUN,
    TEAL,
    WHITE,
    WOOD,
    Prop,
    box,
    dark,
    form,
    group,
    light,
    limb,
    oval,
    path,
    poly,
    put,
    shadow,
    stroke,
)


def draughts() -> Prop:
    """A small board with men on it, seen from the side on a bench, 46 x 14."""
    top = poly((6, 4), (40, 4), (46, 12), (0, 12))
    checks = "".join(
        path(
            poly(
                (6 + 8.5 * k - 1.5, 4 + 2 * (k % 2)),
                (14 + 8.5 * k - 3, 4 + 2 * (k % 2)),
                (13 + 9 * k, 8 + 2 * (k % 2)),
                (4 + 9 * k, 8 + 2 * (k % 2)),
            ),
            "#6B3F36",
        )
        for k in range(4)
    )
    men = "".join(
        form(box(x, y - 3, 6, 3.4, 1.4), c, 0.8)
        for x, y, c in ((8, 8, RED), (16, 6.4, RED), (24, 10, WHITE), (32, 7, WHITE), (12, 11, RED), (35, 11, WHITE))
    )
    return Prop(
        "draughts board", 46, 14, form(top, "#E9CE9A", 0, 0, checks) + path(box(0, 12, 46, 2), dark(WOOD, 0.2)) + men
    )


def skateboard() -> Prop:
    return Prop(
        "skateboard",
        80,
        18,
        shadow(40, 17, 40, 2, 0.5)
        + form("M2 4Q8 8 14 8H66Q72 8 78 4Q80 8 72 12H8Q0 8 2 4z", CORAL, 1.6, 0.5)
        + "".join(form(oval(x, 14, 4), SUN, 1) for x in (16, 24, 56, 64)),
    )


def trestle() -> Prop:
    """A folding table with a cloth and two drink cans, 150 x 90."""
    legs = stroke("M20 24L40 88M40 24L20 88M110 24L130 88M130 24L110 88", STEEL, 4)
    cans = "".join(form(box(x, 2, 9, 15, 2), c, 1.6, 0.5) for x, c in ((104, RED), (118, TEAL)))
    cloth = form("M-2 15H152V50Q132 44 112 50T74 50T36 50T-2 48z", light(BLUE, 0.2), 3, 0.8)
    return Prop(
        "folding table",
        150,
        90,
        shadow(76, 87, 78, 4, 0.5) + legs + form(box(0, 16, 150, 7, 2), WHITE, 2) + cloth + cans,
    )


def leaflets() -> Prop:
    """A box of leaflets to carry, 36 x 26."""
    sheets = "".join(
        form(box(5 + 6 * k, 1 + k % 2 * 2, 5, 14, 0.6), c, 0.6) for k, c in enumerate((CREAM, SUN, CREAM, PINK))
    )
    return Prop(
        "box of leaflets",
        36,
        26,
        sheets + form(box(1, 9, 34, 17, 1.5), "#C9A87A", 3, 0.8),
    )


def microphone() -> Prop:
    """A hand microphone, head up, 8 x 22."""
    return Prop(
        "microphone",
        8,
        22,
        form(poly((2.4, 8), (5.6, 8), (5, 22), (3, 22)), "#3B3644", 0.8)
        + form(oval(4, 5, 3.8, 4.6), STEEL, 1.2, 0.4)
        + stroke("M1 5h6M2 2.6h4M2 7.4h4", "#5B6478", 0.5),
    )


def lounger_from_behind(sitter: Prop, colour: str) -> Prop:
    """A deck chair from behind with somebody in it."""
    cloth = form(
        poly((-30, -88), (30, -88), (34, -22), (-34, -22)),
        colour,
        6,
        1,
        stroke("M-14-88L-16-22M14-88L16-22", light(colour, 0.6), 7),
    )
    frame = stroke("M-34-92L-42 0M34-92L42 0M-34-92H34M-38-22H38", WOOD, 6)
    chair = Prop("deck chair", 90, 96, shadow(45, 94, 46, 4, 0.5) + put(45, 96, cloth + frame))
    return group("somebody in a deck chair", (sitter, 0, 6), (chair, 0, 0))


def kiosk() -> Prop:
    """An ice cream kiosk with a seller behind the hatch too far off to be told, 220 x 260."""
    cone = (
        form(poly((96, 30), (124, 30), (110, 74)), "#D9A15C", 4)
        + form(oval(110, 20, 22), PINK, 5, 1)
        + form(oval(110, 2, 16), CREAM, 4)
    )
    flaps = "".join(form(f"M{10 + 25 * k} 86h25v22q-12 14-25 0z", RED if k % 2 else WHITE, 3) for k in range(8))
    hut = (
        form(box(18, 80, 184, 176, 3), "#CFE3E6", 10, 0)
        + form(box(40, 118, 140, 62, 2), "#6B7A8A", 4)
        + form(box(30, 178, 160, 12, 2), WOOD, 3)
        + path(box(18, 210, 184, 20), PINK)
    )
    tubs = "".join(path(oval(60 + 30 * k, 176, 10, 6), c) for k, c in enumerate((PINK, CREAM, "#8A5A44", "#A5CBA0")))
    return Prop("ice cream kiosk", 220, 260, shadow(112, 257, 116, 6, 0.45) + cone + hut + tubs + flaps)


def lake_monster() -> Prop:
    """Trigger: a wooden lake monster, head and two humps out of the water, 260 x 140."""
    wood = "#6FA06A"
    grain = stroke("M40 60q6 30 2 70M52 40q8 40 6 90", dark(wood, 0.2), 3)
    neck = form("M20 140Q34 100 26 70Q20 50 8 48Q-2 42 4 32Q16 22 34 26Q62 30 66 66Q70 110 84 140z", wood, 9, 2, grain)
    fins = "".join(
        form(poly((x, y), (x + 9, y - 14), (x + 15, y + 3)), "#E3B04B", 1.6) for x, y in ((50, 34), (62, 58), (66, 86))
    )
    humps = "".join(
        form(
            f"M{x} 140Q{x + 6} {140 - h * 1.9:.0f} {x + w / 2} {140 - h * 1.9:.0f}T{x + w} 140z",
            wood,
            8,
            2,
            stroke(f"M{x + w * 0.3:.0f} 140q4-30 10-40M{x + w * 0.6:.0f} 140q2-26 6-36", dark(wood, 0.2), 3),
        )
        + form(
            poly((x + w / 2 - 8, 142 - h * 1.9), (x + w / 2 + 2, 122 - h * 1.9), (x + w / 2 + 9, 143 - h * 1.9)),
            "#E3B04B",
            1.6,
        )
        for x, w, h in ((104, 74, 32), (190, 60, 24))
    )
    face = (
        path(oval(22, 36, 6), WHITE)
        + path(oval(20, 37, 3.2), INK)
        + stroke("M4 44Q16 52 28 46", dark(wood, 0.6), 3)
        + path(poly((8, 46), (13, 48), (11, 54)) + poly((18, 49), (23, 48), (21, 55)), WHITE)
        + form(poly((28, 27), (30, 12), (38, 28)), "#E3B04B", 1.4)
    )
    ripples = "".join(
        path(oval(x, 137, w, 5), "#E6F5F7", extra='opacity=".8"') for x, w in ((50, 46), (141, 48), (220, 38))
    )
    bolts = path("".join(oval(x, y, 2.4) for x, y in ((44, 74), (50, 100), (140, 100), (218, 112))), "#4B5368")
    return Prop("wooden lake monster", 260, 140, humps + neck + fins + face + bolts + ripples)


def pedal_boat(one: Prop, two: Prop) -> Prop:
    """A pedal boat with two people side by side in it, facing left, 240 x 170."""
    hull = form(
        "M4 20Q10 4 40 6H210Q236 6 236 24Q230 50 204 54H40Q8 52 4 20z", SUN, 9, 2, stroke("M6 34Q120 44 234 34", RED, 5)
    )
    seat = form(box(96, -36, 116, 44, 8), RED, 5, 1)
    ripple = path(oval(120, 53, 132, 7), "#E6F5F7", extra='opacity=".8"')
    boat = Prop("pedal boat", 240, 56, ripple + seat)
    front = Prop("hull", 240, 56, hull)
    return group("pedal boat with two people", (boat, 0, 0), (two, 54, 2), (one, -2, 0), (front, 0, 0))


def rowing_boat(colour: str = "#C8553D") -> Prop:
    """A rowing boat from the side, 260 x 62, without anyone; its waterline is the bottom edge."""
    hull = form(
        "M0 14Q130 34 260 6Q246 48 206 62H46Q12 50 0 14z",
        colour,
        9,
        2,
        stroke("M4 28Q130 48 254 22", light(colour, 0.5), 4),
    )
    inner = path("M8 15Q130 30 250 9Q200 24 130 26T8 15z", dark(colour, 0.5))
    oar = form(limb([(150, 20), (196, 40), (236, 60)], (4, 4, 5)), WOOD, 1) + form(
        "M228 52Q246 58 256 74Q240 76 226 62z", WOOD, 1.6
    )
    rip = path(oval(132, 62, 150, 6), "#DFF1F4", extra='opacity=".7"')
    return Prop("rowing boat", 260, 62, rip + inner + hull + oar)
