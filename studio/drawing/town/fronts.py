"""What a street scene stands before: a pharmacy shut for the night, a school gate, a tree in flower."""

from __future__ import annotations

from studio.drawing.kit import (
    CREAM,
    NAVY,
    RED,
    TEAL,
    WHITE,
    Prop,
    box,
    dark,
    form,
    lettering,
    light,
    oval,
    path,
    shadow,
    stroke,
    veil,
)


def pharmacy_front() -> Prop:
    """The front of a closed pharmacy: shutter, sign and lit cross, 360 x 330 cm."""
    wall = form(box(0, 0, 360, 330, 2), "#7E93A0", 8)
    slats = form(box(30, 110, 210, 216, 3), "#8F98A6", 5) + stroke(
        "".join(f"M32 {y}H238" for y in range(122, 322, 14)), dark("#8F98A6", 0.22), 3
    )
    door = (
        form(box(262, 118, 74, 210, 3), dark(TEAL, 0.2), 5, 1.4)
        + path(box(274, 132, 50, 90, 3), "#2F4660")
        + form(box(280, 150, 38, 26, 2), WHITE, 1)
        + lettering("CLOSED", 299, 168, 8, RED, 34)
    )
    sign = form(box(16, 54, 328, 44, 5), dark(TEAL, 0.3), 4, 1) + lettering("PHARMACY", 180, 87, 26, "#E9FFF0", 280)
    lit = (
        veil(oval(312, 24, 66), "#6FE39A", 0.22)
        + veil(oval(312, 24, 44), "#6FE39A", 0.28)
        + path(box(303, -4, 18, 56, 3) + box(284, 15, 56, 18, 3), "#4FD882")
        + path(box(307, 0, 10, 48, 3) + box(288, 19, 48, 10, 3), "#B6FFCF")
    )
    return Prop("closed pharmacy", 360, 330, wall + slats + door + sign + lit)


def school_gate() -> Prop:
    """Brick pillars with an arched sign and an open iron gate, 300 x 260 cm."""
    brick = "#B9705A"
    pillars = "".join(
        form(
            box(x, 60, 40, 198, 2),
            brick,
            6,
            0,
            stroke("".join(f"M{x} {y}h40" for y in range(74, 258, 14)), light(brick, 0.3), 1.6),
        )
        + form(box(x - 5, 48, 50, 14, 3), "#D9CDBD", 4)
        for x in (6, 254)
    )
    arch = (
        stroke("M30 56Q150-20 270 56M30 72Q150 0 270 72", "#45506B", 5)
        + form(box(90, 18, 120, 34, 5), NAVY, 3, 1)
        + lettering("SCHOOL", 150, 43, 19, CREAM, 104)
    )
    bars = stroke(
        "".join(f"M{x} {100 + abs(x - 150) * 0.1:.0f}V254" for x in (54, 68, 82, 96, 204, 218, 232, 246))
        + "M50 120H100M50 236H100M200 120H250M200 236H250",
        "#45506B",
        4,
    )
    return Prop(
        "school gate", 300, 260, shadow(26, 257, 34, 5, 0.5) + shadow(274, 257, 34, 5, 0.5) + bars + pillars + arch
    )


def blossom_tree() -> Prop:
    """A cherry tree in flower, 260 x 380 cm."""
    puffs = "".join(
        form(oval(x, y, r), c, r * 0.16)
        for x, y, r, c in (
            (70, 130, 66, "#E8AFC0"),
            (186, 126, 70, "#E8AFC0"),
            (128, 84, 84, "#F2C3D0"),
            (96, 100, 50, "#F8D6DF"),
            (172, 160, 48, "#F2C3D0"),
        )
    )
    specks = path("".join(oval(50 + 53 * i % 170, 40 + 37 * i % 150, 5) for i in range(18)), "#FCE9EE")
    petals = path("".join(oval(40 + 61 * i % 190, 366 + i * 5 % 12, 4, 2) for i in range(14)), "#F2C3D0")
    return Prop(
        "blossom tree",
        260,
        380,
        shadow(130, 376, 90, 7, 0.45)
        + petals
        + form(
            "M116 378Q126 280 112 200L92 150L100 146L124 186L126 140"
            "H136L138 190L166 150L174 154L146 206Q136 280 148 378z",
            "#7A5A48",
            6,
        )
        + puffs
        + specks,
    )
