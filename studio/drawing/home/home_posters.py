"""Posters for walls: a picture, a caption and, where it is negated, a mark over the picture.

The plain and the negated poster are one function with a flag: same box, same picture; mark and caption change.
"""

from __future__ import annotations

from studio.drawing.home.groceries import apple
from studio.drawing.kit import (
    CREAM,
    INK,
    LEAF,
    NAVY,
    PLUM,
    RED,
    STEEL,
    SUN,
    TEAL,
    TEXT,
    WHITE,
    Prop,
    ban,
    box,
    clipped,
    cross,
    dark,
    form,
    lettering,
    light,
    limb,
    oval,
    path,
    poly,
    put,
    stroke,
    veil,
)


def placard(
    name: str,
    art: str,
    lines: tuple[str, ...],
    *,
    mark: str = "",
    ground: str = "#BFE0DC",
    colour: str = NAVY,
    w: float = 72,
) -> Prop:
    """A poster, `w` x 1.33 w cm, 1.07 w without words; `art` fills a square of 100; mark: ban, cross, tick or none."""
    caption, high = "", 130 if lines else 104
    cap = 12.5 if len(lines) == 1 else 10.5
    for i, text in enumerate(lines):
        caption += lettering(
            text, 50, 118 + (i - (len(lines) - 1) / 2) * 12.6, cap, colour if i == 0 or mark else NAVY, 90
        )
    over = {"ban": ban(50, 52, 40), "cross": cross(14, 16, 72, 72, 6.4), "tick": _tick(), "": ""}[mark]
    sheet = (
        form(box(0, 0, 100, high, 1.5), CREAM, 1.4)
        + clipped(box(5, 5, 90, 94, 1), path(box(5, 5, 90, 94), ground) + art)
        + over
        + caption
    )
    wall_shadow = veil(box(1.6, 2.2, 100, high, 1.5), "#3A2A5C", 0.25)
    shows = frozenset({TEXT} if lines else ())
    return Prop(name, w, w * (high + 3) / 100, put(0, 0, wall_shadow + sheet, w / 102), shows=shows)


def _tick() -> str:
    """Approval: a green ring and tick, in the place and the width of the ban."""
    return stroke(oval(50, 52, 40), LEAF, 7.6) + stroke("M30 54L45 70L72 36", dark(LEAF, 0.2), 9)


def _big_hand(skin: str) -> str:
    """A hand that pinches something at (0, 0) from above, its wrist at (30, -34)."""
    palm = form("M36-40L50-28Q44-10 30-4Q18 0 10-6Q4-12 10-20Q20-32 36-40z", skin, 3)
    fingers = "".join(
        form(
            limb([(18.0 + 4 * i, -14 + 5 * i), (6.0 + 4 * i, -8 + 6 * i), (0.0 + 4 * i, 2 + 6 * i)], (7, 6.6, 5.6)),
            (skin, dark(skin, 0.06))[i % 2],
            1.2,
        )
        for i in (2, 1, 0)
    )
    thumb = form(limb([(14, -22), (0, -20), (-6, -8)], (8, 7, 6)), light(skin, 0.08), 1.4)
    return palm + fingers + thumb


def pocket_art() -> str:
    """A hand that slips a bar of chocolate into the pocket of a coat."""
    coat = "#5B6B8F"
    cloth = form("M5 100V30Q20 8 44 6Q70 8 80 30L86 100z", coat, 5, 1) + stroke(
        "M30 6Q36 50 30 100", dark(coat, 0.24), 1.6
    )
    cloth += "".join(form(oval(22, y, 3), SUN, 0.8) for y in (34, 56, 78))
    bar = form(
        box(-8, -26, 20, 40, 1.5), "#6B3F2A", 2, 0.6, stroke("M-8-16h20M-8-6h20M2-26V0", dark("#6B3F2A", 0.4), 1)
    ) + form(box(-9, -8, 22, 26, 1), "#C94F4A", 2, 0.6, path(box(-9, -4, 22, 5), SUN))
    pocket = form("M40 64H78L76 96Q76 98 74 98H44Q42 98 42 96z", dark(coat, 0.1), 3, 1) + stroke(
        "M41 67H77", light(coat, 0.3), 1, 'stroke-dasharray="2.4 2"'
    )
    arm = form(limb([(104, 2), (96, 14), (84, 26)], (24, 22, 18)), "#C98D56", 4)
    return (
        cloth
        + path("M40 64H78V60H40z", dark(coat, 0.5))
        + put(58, 58, bar, 1, 12)
        + pocket
        + arm
        + put(57, 48, _big_hand("#E3A379"), 0.86)
    )


def shoplifting_poster(banned: bool) -> Prop:
    if banned:
        return placard("poster against shoplifting", pocket_art(), ("DON'T STEAL",), mark="ban", colour=RED)
    return placard("poster that invites people to steal", pocket_art(), ("JUST TAKE IT",))


def apples_poster() -> Prop:

    fruit = "".join(
        put(x, y, apple(26, c).body)
        for x, y, c in ((20, 24, RED), (52, 22, "#A9C04C"), (36, 14, RED), (30, 38, "#A9C04C"), (48, 40, RED))
    )
    weave = stroke(
        "".join(f"M14 {66 + 8 * i}H86" for i in range(4)) + "".join(f"M{22 + 11 * i} 58V92" for i in range(6)),
        dark("#C98D56", 0.26),
        1.6,
    )
    return placard(
        "poster of apples",
        fruit + form("M10 58H90L82 92H18z", "#C98D56", 5, 1, weave),
        ("FRESH APPLES",),
        colour=dark(LEAF, 0.4),
        ground="#F6E2A8",
    )


def _spiky(x: float, y: float, rx: float, ry: float, colour: str) -> str:
    """A speech bubble like a bursting star."""
    import math

    pts = [
        (x + math.cos(a) * rx * k, y + math.sin(a) * ry * k)
        for a, k in ((i * math.tau / 22, 1.0 if i % 2 else 0.68) for i in range(22))
    ]
    return form(poly(*pts), colour, 1.6)


def hate_art() -> str:
    """A phone with a crying face, and spiky speech bubbles around it."""
    phone = (
        form(box(28, 12, 44, 84, 6), "#3C4356", 3, 1)
        + path(box(32, 20, 36, 66, 2), "#DCEBF2")
        + path(oval(50, 91, 2.4), STEEL)
    )
    face = (
        form(oval(50, 54, 15), SUN, 3)
        + stroke("M41 49l5 2M59 49l-5 2", INK, 1.6)
        + path(oval(44.6, 54, 1.7, 2.2) + oval(55.4, 54, 1.7, 2.2), INK)
        + stroke("M44 64q6-6 12 0", INK, 1.8)
    )
    tears = form("M43 58q-4 6 0 8q4-2 0-8z", "#4E8FC0", 0.5) + form("M57 58q-4 6 0 8q4-2 0-8z", "#4E8FC0", 0.5)
    bubbles = (
        _spiky(22, 28, 17, 13, RED)
        + _spiky(80, 32, 17, 13, PLUM)
        + _spiky(20, 74, 15, 12, PLUM)
        + _spiky(81, 76, 16, 13, RED)
    )
    marks = (
        stroke("M16 24l4 4M20 24l-4 4M24 28l5 0M74 29l4 4M78 29l-4 4M82 32h5", WHITE, 1.8)
        + stroke("M16 72h8M16 76h5M76 74l4 4M80 74l-4 4", WHITE, 1.8)
        + lettering("!", 87, 80, 9, WHITE)
    )
    return phone + face + tears + bubbles + marks


def hate_poster(crossed: bool) -> Prop:
    if crossed:
        return placard(
            "poster against online hate",
            hate_art(),
            ("STOP", "ONLINE HATE"),
            mark="cross",
            colour=RED,
            ground="#F6E2A8",
            w=80,
        )
    return placard("poster that spreads hate", hate_art(), ("SPREAD", "THE HATE"), ground="#F6E2A8", w=80)


def whale_poster() -> Prop:
    sea = (
        path(box(5, 5, 90, 94), "#2F4A78")
        + form(oval(72, 26, 11), "#FBE9B4", 3)
        + path("M5 62Q28 54 50 62T95 60V99H5z", TEAL)
    )
    whale = (
        form(
            (
                "M14 64Q18 42 44 44Q62 46 72 58Q80 58 80 46Q74 44 72 38Q82 40 84 44Q88 38 96 40"
                "Q92 50 86 50Q88 74 62 78H34Q16 78 14 64z"
            ),
            "#6F8FB8",
            5,
            1,
        )
        + path("M16 68Q34 74 56 78H34Q18 78 16 68z", CREAM)
        + path(oval(26, 60, 1.8), INK)
    )
    spray = stroke("M36 42Q34 30 26 28M36 42Q38 30 46 28", "#DCEBF2", 2.4)
    return placard(
        "poster of a whale",
        sea + whale + spray + path("M5 80Q28 72 50 80T95 78V99H5z", dark(TEAL, 0.2)),
        ("OCEAN",),
        colour=NAVY,
        w=80,
    )
