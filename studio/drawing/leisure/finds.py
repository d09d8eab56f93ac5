"""Old finds in a museum, and pictures of how some are come by."""

from __future__ import annotations

from studio.drawing.kit import (
    HUMAN,
    SKY,
    TEAL,
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
    veil,
)
from studio.drawing.leisure.museum import GOLD, plinth


def pot_case() -> Prop:
    """A glass case on a base with three old pots, 130 x 150 cm."""
    base = form(box(0, 84, 130, 64, 2), "#8A8496", 6, 1.2) + path(box(0, 84, 130, 7), light("#8A8496", 0.3))
    pots = put(14, 40, _pot("#B5603F"), 0.8) + put(52, 22, _pot("#3F3A46"), 1.1) + put(94, 46, _pot("#C99A66"), 0.7)
    glass = (
        path(box(3, 4, 124, 80), "#CFE4EA", extra='opacity=".22"')
        + stroke(box(3, 4, 124, 80), "#DDE9EE", 2)
        + veil(poly((10, 8), (40, 8), (14, 78), (6, 78)), "#fff", 0.25)
    )
    return Prop(
        "glass case with pots",
        130,
        150,
        shadow(65, 148, 72, 5, 0.6) + base + path(box(3, 4, 124, 80), "#5A6080") + pots + glass,
    )


def _pot(clay: str) -> str:
    """An old two-handled jar in a field of 34 x 54, with a broken rim and a meander."""
    body = "M11 6L10 12Q2 20 4 32Q6 46 12 54H22Q28 46 30 32Q32 20 24 12L23 4L18 7z"
    band = stroke("M2 26h4v-4h4v4h4v-4h4v4h4v-4h4v4h6", light(clay, 0.5), 1.6) + path(
        box(0, 38, 34, 3), dark(clay, 0.4)
    )
    return stroke("M9 12Q-2 14 5 26M25 12Q36 14 29 26", dark(clay, 0.2), 2.6) + form(body, clay, 4, 1, band)


def stone_head() -> Prop:
    """A broad stone head on a plinth, 70 x 170 cm."""
    stone = "#B9B2A6"
    head = form("M12 74Q6 40 10 22Q16 2 35 2T60 22Q64 40 58 74Q48 82 35 82T12 74z", stone, 7, 1.6)
    face = (
        stroke("M20 34Q26 30 31 34M39 34Q44 30 50 34", dark(stone, 0.4), 2.4)
        + path(oval(26, 39, 4, 2.6) + oval(44, 39, 4, 2.6), dark(stone, 0.34))
        + form("M35 36L42 54H28z", light(stone, 0.16), 2)
        + stroke("M25 64Q35 68 45 64", dark(stone, 0.4), 3)
    )
    band = form("M9 26Q35 16 61 26L61 18Q35 6 9 18z", dark(stone, 0.16), 2)
    return Prop(
        "stone head", 80, 172, shadow(40, 170, 46, 5, 0.6) + plinth(14, 84, 52, 86) + put(5, 4, head + face + band)
    )


def loot_art() -> Prop:
    """A gloved hand pulls an old vase out of the ground, coins beside it; 120 x 110 cm."""
    soil = form("M0 110V84Q30 72 44 82Q60 92 80 80Q100 72 120 84V110z", "#8A5F43", 4) + path(
        "".join(oval(x, y, 3, 2) for x, y in ((14, 94), (40, 98), (100, 96), (70, 102))), dark("#8A5F43", 0.3)
    )
    vase = put(40, 28, _pot("#C9653F"), 1.25, 6)
    glove = form(limb([(96, -6), (88, 16), (70, 34)], (22, 20, 18)), "#6C8FB3", 4) + form(
        box(84, 2, 22, 9, 4), "#3F5A86", 2
    )
    fingers = "".join(
        form(limb([(74 - i, 34 + 7 * i), (62 - i, 35 + 7.4 * i), (52, 37 + 7.6 * i)], (8.4, 8, 7)), "#6C8FB3", 1.6)
        for i in range(3)
    ) + form(limb([(68, 28), (58, 24), (50, 26)], (9, 8, 7)), "#7FA3C7", 1.6)
    coins = "".join(
        form(oval(x, y, 9, 3.4), GOLD, 1, 0.4) for x, y in ((22, 84), (22, 80), (22, 76), (36, 90), (96, 88), (96, 84))
    )
    return Prop("gloved hand with an old vase and coins", 120, 110, vase + soil + glove + fingers + coins)


def pottery_art() -> Prop:
    """A hand paints a vase; 120 x 110 cm."""
    skin = "#C98E63"
    vase = put(18, 22, _pot("#C9653F"), 1.6)
    arm = form(limb([(124, 96), (108, 78), (94, 62)], (20, 17, 14)), TEAL, 4) + form(
        limb([(96, 64), (90, 58), (86, 54)], (13, 13, 12)), skin, 2
    )
    return Prop(
        "hand that paints a vase",
        120,
        110,
        vase
        + arm
        + stroke("M104 34L68 60", WOOD, 3)
        + form("M72 56L62 66L66 58z", SKY, 0.6)
        + stroke("M80 58q6-6 10-4M82 52q5-5 9-3", skin, 5),
        shows=frozenset({HUMAN}),
    )
