"""More things of the beach: what is played with, what is washed up, what is tidied away; in centimetres."""

from __future__ import annotations

from studio.drawing.kit import (
    CORAL,
    CREAM,
    NAVY,
    RED,
    SUN,
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
    poly,
    shadow,
    stroke,
)


def arm_bands() -> Prop:
    """A pair of swimming bands for the arms of a toddler who spreads them, 78 x 92; lay it over the figure."""
    bands = "".join(form(oval(39 + k * 18, 40, 6.4, 5), SUN, 1.6, 0.5) for k in (-1, 1))
    return Prop("arm bands", 78, 92, bands)


def beach_hut() -> Prop:
    """A striped hut on short legs, 150 x 230."""
    stripes = "".join(path(box(14 + 24 * k, 60, 12, 160), WHITE) for k in range(6))
    front = form(poly((10, 78), (75, 24), (140, 78), (140, 214), (10, 214)), TEAL, 8, 0, stripes)
    door = form(box(50, 112, 50, 102, 2), CORAL, 4, 1) + path(oval(92, 164, 3), SUN)
    return Prop(
        "beach hut",
        150,
        230,
        shadow(76, 227, 80, 6, 0.5)
        + form(box(18, 212, 10, 18), dark(TEAL, 0.4), 2)
        + form(box(122, 212, 10, 18), dark(TEAL, 0.4), 2)
        + front
        + door
        + stroke("M2 84L75 18L148 84", NAVY, 9)
        + form(oval(75, 76, 12), CREAM, 2),
    )


def rubbish_bag(tone: str = "#5E7FA6") -> Prop:
    """A full bag, tied at the neck, that stands on the ground, 40 x 50."""
    return Prop(
        "rubbish bag",
        40,
        50,
        shadow(20, 48, 22, 2.4, 0.5)
        + form(
            "M17 8Q2 18 1 36Q0 49 8 49H33Q40 48 39 36Q37 18 23 8z",
            tone,
            4,
            0.8,
            stroke("M18 12q-8 10-9 26M22 14q8 10 7 24M19 14q0 8-2 14", dark(tone, 0.2), 1.4),
        )
        + form("M12 0Q20 5 28 0L23 9H17z", tone, 1)
        + stroke("M16 9h8", SUN, 2.4),
    )


def driftwood() -> Prop:
    """A bleached log with broken branches, its sawn end at the left, 120 x 40."""
    wood = "#C2A985"
    grain = stroke("M24 22H100M18 28H84M40 17H108M60 33H112", dark(wood, 0.2), 1.2)
    return Prop(
        "driftwood",
        120,
        40,
        shadow(60, 37, 62, 3.4, 0.5)
        + form("M70 18L82 2L88 4L82 18zM36 16L30 4L35 3L44 16z", wood, 2)
        + form("M12 14H96Q114 16 119 22Q112 26 119 31Q108 38 92 38H12z", wood, 5, 1, grain)
        + form(oval(12, 26, 9, 12), light(wood, 0.5), 1)
        + stroke(oval(12, 26, 5.4, 7.4) + oval(12, 26, 2.2, 3.2), dark(wood, 0.3), 1.1),
    )


def seaweed() -> Prop:
    """A tangle of weed with two shells, 80 x 20."""
    weed = "".join(
        stroke(
            f"M{6 + 9 * k} 18q{6 - 3 * (k % 3)}-{10 + k % 2 * 4} {16 - 6 * (k % 2)}-{6 + k % 3 * 3}",
            ("#5E8F5A", "#74783E")[k % 2],
            3.4,
        )
        for k in range(6)
    )
    shells = "".join(
        form(f"M{x} 18q8-14 16 0q-8 5-16 0z", c, 1.4, 0, stroke(f"M{x + 8} 19l-3-8M{x + 8} 19l3-8", dark(c, 0.2), 0.8))
        for x, c in ((58, "#F0B7A6"), (40, CREAM))
    )
    return Prop("seaweed and shells", 80, 20, shadow(40, 18, 42, 2, 0.4) + weed + shells)


def net() -> Prop:
    """A volleyball net that runs away from the viewer, near post on the left, 120 x 240."""
    posts = form(box(96, 24, 6, 132, 2), "#6B7488", 2) + form(box(2, 2, 10, 236, 3), "#6B7488", 2.6)
    mesh = "".join(f"M{8 + 90 * t:.1f} {10 + 20 * t:.1f}V{104 - 22 * t:.1f}" for t in (k / 14 for k in range(15)))
    mesh += "".join(f"M8 {10 + 94 * t:.1f}L98 {30 + 52 * t:.1f}" for t in (k / 7 for k in range(1, 7)))
    tapes = stroke("M8 10L98 30", WHITE, 8) + stroke("M8 104L98 82", WHITE, 5)
    lines = stroke("M6 238L100 156", "#4E8FC0", 2.6)
    return Prop(
        "volleyball net", 120, 240, shadow(8, 237, 16, 3, 0.5) + lines + posts + stroke(mesh, "#FFFDF6", 1.3) + tapes
    )


def scoreboard() -> Prop:
    """A flip board with two numbers, 70 x 96."""
    cards = "".join(
        form(box(x, 14, 24, 34, 2), c, 2) + lettering(n, x + 12, 40, 19, WHITE)
        for x, c, n in ((8, RED, "9"), (38, NAVY, "25"))
    )
    return Prop(
        "score board",
        70,
        96,
        shadow(36, 94, 34, 3, 0.5)
        + stroke("M16 50L6 94M54 50L64 94", "#8A5F43", 4)
        + form(box(2, 6, 66, 50, 3), light("#8A5F43", 0.2), 3)
        + cards,
    )


def footprints() -> Prop:
    """A line of footprints in the sand, 150 x 22."""
    steps = "".join(
        path(oval(12 + 26 * k, 8 + 8 * (k % 2), 7, 2.6) + oval(21 + 26 * k, 8 + 8 * (k % 2), 2.6, 1.8), "#CFB583")
        for k in range(5)
    )
    return Prop("footprints", 150, 22, steps)


def volley_ball() -> Prop:
    """A volleyball, 24 x 24."""
    return Prop(
        "volleyball",
        24,
        24,
        form(
            oval(12, 12, 11.6),
            WHITE,
            3,
            0.6,
            path("M0 8Q12 2 24 8V2H0z", SUN) + path("M2 18Q12 24 22 18V26H2z", "#4E8FC0"),
        )
        + stroke("M1 8Q12 2 23 8M2 17Q12 23 22 17M12 5V19", dark(WHITE, 0.2), 0.7),
    )
