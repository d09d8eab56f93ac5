"""What people bring to the beach, in centimetres."""

from __future__ import annotations

from studio.drawing.kit import (
    CORAL,
    INK,
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
    light,
    oval,
    path,
    poly,
    shadow,
    stroke,
)

GREY = "#7F93A6"


def _ripple(w: float, y: float) -> str:
    return path(oval(w / 2, y, w * 0.52, 4), "#E6F5F7", extra='opacity=".85"')


def toy_shark() -> Prop:
    """Trigger: a blow-up shark on the water, 130 x 76, with seams, handles and a valve."""
    fin = form("M62 32Q66 6 88 0Q86 20 96 34z", GREY, 4, 1)
    tail = form("M108 46Q116 22 130 16Q124 36 128 58Q116 58 108 54z", GREY, 3, 0.8)
    body = form(
        "M2 50Q6 32 36 28Q76 24 112 44Q118 56 106 68Q60 78 24 70Q4 64 2 50z",
        GREY,
        7,
        2,
        path("M0 56Q34 66 70 62Q100 60 116 56V80H0z", WHITE),
    )
    mouth = form("M6 54Q24 62 42 55Q38 68 24 68Q10 66 6 54z", "#B5473F", 0) + path(
        "".join(poly((9 + 6 * k, 55.4 + k % 3 * 0.9), (14 + 6 * k, 56.4), (11.6 + 6 * k, 61.4)) for k in range(5)),
        WHITE,
    )
    eye = (
        path(oval(28, 43, 4.4), WHITE) + path(oval(27, 43.4, 2.4), INK) + stroke("M22 37q6-3 12 0", dark(GREY, 0.3), 2)
    )
    seam = stroke("M36 28Q30 48 44 72M84 32Q92 50 84 72", dark(GREY, 0.18), 1.3)
    grip = stroke("M66 34q-4-8 4-10M98 40q8-7 10 2", SUN, 3.4) + form(box(52, 30, 5, 5, 1), SUN, 1)
    return Prop("inflatable shark", 130, 76, _ripple(126, 72) + tail + fin + body + seam + mouth + eye + grip)


def toy_duck() -> Prop:
    """A blow-up duck of the same box."""
    tail = form("M100 44Q118 36 128 28Q128 50 112 60z", SUN, 3)
    body = form("M14 46Q30 38 54 42Q90 36 116 48Q122 66 96 72H36Q10 70 14 46z", SUN, 7, 2)
    wing = form("M56 50Q78 42 96 52Q84 66 64 64Q54 58 56 50z", dark(SUN, 0.1), 3)
    head = form("M20 22Q20 2 40 2Q58 4 58 22Q58 34 66 44L24 52Q20 34 20 22z", SUN, 4, 1)
    beak = form("M22 18Q8 20 2 28Q12 36 26 31z", "#E8873A", 2)
    seam = stroke("M34 44Q36 60 34 72M100 44Q104 58 98 72", dark(SUN, 0.2), 1.3)
    return Prop(
        "inflatable duck",
        130,
        76,
        _ripple(126, 72)
        + tail
        + body
        + wing
        + head
        + beak
        + seam
        + path(oval(34, 15, 3.4, 4), INK)
        + path(oval(33, 13.6, 1.3), WHITE),
    )


def flip_flops() -> Prop:
    one = form("M2 9Q0 3 8 3H22Q28 4 26 9Q22 12 14 11T2 9z", TEAL, 1.4) + stroke(
        "M8 6Q14 2 20 8M14 4q-2 2-6 2", WHITE, 1.4
    )
    return Prop("flip-flops", 44, 16, one + f'<g transform="translate(15,4)">{one}</g>')


def beach_bag(colour: str = CORAL) -> Prop:
    towel = form("M14 16Q24 4 38 14V24H12z", SKY, 2, 0, stroke("M18 10v14M28 8v14", WHITE, 2))
    bottle = form(box(38, 4, 8, 18, 2), SUN, 1.6) + form(box(39.5, 0, 5, 5, 1), WHITE, 0.8)
    return Prop(
        "beach bag",
        56,
        50,
        shadow(28, 49, 30, 2.6, 0.6)
        + stroke("M12 20Q18-6 34 4Q46 8 44 20", dark(colour, 0.3), 2.6)
        + towel
        + bottle
        + form("M3 18H53L48 48Q28 52 8 48z", colour, 4, 1, stroke("M3 28h50M5 38h46", light(colour, 0.5), 4)),
    )


def surfboard(colour: str = SUN) -> Prop:
    """A surfboard on end, 50 x 200."""
    return Prop(
        "surfboard",
        50,
        200,
        form(
            "M25 0Q50 40 49 112Q47 170 34 198H16Q3 170 1 112Q0 40 25 0z",
            colour,
            5,
            1.6,
            stroke("M25 0V200", WHITE, 3)
            + path("M0 60Q25 76 50 60V84Q25 100 0 84z", TEAL)
            + path("M0 96Q25 112 50 96V104Q25 120 0 104z", CORAL),
        ),
        {"middle": (25, 108)},
    )


def deck_chair(colour: str = TEAL) -> Prop:
    """A deck chair from the side, facing left, 110 x 90."""
    cloth = form(
        "M96 6L100 12Q72 70 34 56L14 44L16 38Q52 50 64 40Q82 28 96 6z",
        colour,
        3,
        0,
        stroke("M98 9Q70 60 24 46", WHITE, 3),
    )
    return Prop(
        "deck chair",
        110,
        90,
        shadow(58, 87, 54, 3.4, 0.5) + stroke("M100 4L36 88M14 40L90 88M84 30L104 88", WOOD, 4) + cloth,
    )


def lifeguard_tower() -> Prop:
    """A white tower with a roof, a ladder and a ring, 150 x 260."""
    legs = "".join(stroke(f"M{a} 130L{b} 258", WHITE, 7) for a, b in ((38, 22), (112, 128))) + stroke(
        "M30 196H120M34 136L122 224", dark(WHITE, 0.1), 5
    )
    deck = (
        form(box(20, 124, 110, 10, 2), WOOD, 2)
        + form(box(28, 74, 94, 52, 2), WHITE, 6, 0)
        + form(box(44, 84, 40, 26, 2), "#7FA9B8", 3)
    )
    roof = form(poly((10, 74), (140, 74), (116, 40), (34, 40)), RED, 6, 1.6)
    ring = stroke(oval(102, 100, 10), RED, 6) + stroke("M102 88v4M102 108v4M90 100h4M110 100h4", WHITE, 5)
    ladder = stroke(
        "M60 134L48 258M80 134L72 258" + "".join(f"M{58 - 2 * k} {150 + 20 * k}h20" for k in range(5)), STEEL, 4
    )
    return Prop("lifeguard tower", 150, 260, shadow(76, 256, 70, 5, 0.5) + legs + ladder + deck + ring + roof)


def litter_bin(colour: str = "#5B7A66") -> Prop:
    slats = stroke("".join(f"M{8 + 7 * k} 14V72" for k in range(6)), dark(colour, 0.2), 2)
    return Prop(
        "litter bin",
        50,
        78,
        shadow(26, 76, 26, 3, 0.5)
        + form("M4 12H46L42 76H8z", colour, 5, 1, slats)
        + form(box(1, 4, 48, 10, 3), dark(colour, 0.2), 2),
    )


def water_bowl() -> Prop:
    return Prop(
        "water bowl",
        30,
        12,
        shadow(15, 11.4, 16, 1.4, 0.6)
        + form("M3 2H27L30 11H0z", "#4E8FC0", 2, 0.6)
        + path(oval(15, 2.6, 11.6, 2), "#BFE2EC"),
    )


def beach_ball() -> Prop:
    wedges = path("M15 0Q2 8 4 24L15 15zM15 15L28 22Q30 8 22 2zM15 15L8 29Q18 32 26 25z", RED) + path(
        "M4 24L15 15L8 29zM15 0L22 2L15 15z", SUN
    )
    return Prop(
        "beach ball",
        30,
        30,
        shadow(15, 29, 14, 1.8, 0.5) + form(oval(15, 15, 14.6), WHITE, 3.4, 0.8, wedges) + path(oval(15, 15, 2), SKY),
    )


def sailing_boat(hull: str = CORAL) -> Prop:
    """A boat far out, 400 x 480."""
    return Prop(
        "sailing boat",
        400,
        480,
        form("M20 400H380L330 470H80z", hull, 16, 4)
        + stroke("M190 400V10", "#8A5F43", 12)
        + form("M205 20Q360 190 350 380H205z", WHITE, 18)
        + form("M175 60Q60 220 60 380H175z", SUN, 16),
    )
