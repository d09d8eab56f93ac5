"""Small pictures for posters, each in a field of 100 x 100."""

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
    STEEL,
    SUN,
    TEAL,
    WHITE,
    WOOD,
    box,
    dark,
    flower,
    form,
    light,
    oval,
    path,
    poly,
    put,
    stroke,
)
from studio.drawing.town.placards import hand


def spraying() -> str:
    """A hand with a spray can and its scrawl on a house front."""
    wall = path(box(-40, -40, 180, 180), "#E9C9A6") + stroke(
        "".join(f"M-40 {y}H140" for y in range(-30, 140, 14)), "#D9B28A", 1.2
    )
    window = path(box(62, 6, 30, 26, 2), WHITE) + path(box(65, 9, 24, 20), "#86AFBE") + stroke("M77 9v20", WHITE, 2)
    scrawl = stroke("M40 58Q46 34 54 54T66 50Q70 36 76 54T90 46Q96 60 84 70T50 74", "#7A3FA0", 5.5)
    can = put(
        26,
        60,
        form(box(-8, -4, 16, 34, 3), BLUE, 3, 0.8)
        + path(box(-8, 8, 16, 8), WHITE)
        + form(box(-5, -9, 10, 6, 2), STEEL, 1)
        + path(box(-2, -13, 5, 5, 1), INK),
        1,
        -14,
    )
    mist = path(poly((24, 46), (42, 40), (44, 60)), "#7A3FA0", extra='opacity=".35"')
    return wall + window + scrawl + mist + can + hand("#C98E63", 16, 76, -14, 0.72)


def watering() -> str:
    """A hand waters a window box."""
    wall = (
        path(box(-40, -40, 180, 180), "#E9C9A6")
        + path(box(30, 4, 60, 46, 2), WHITE)
        + path(box(34, 8, 52, 38), "#86AFBE")
        + stroke("M60 8v38", WHITE, 3)
    )
    box_ = form(box(28, 72, 66, 18, 3), WOOD, 3) + "".join(
        stroke(f"M{36 + 12 * i} 72v-12", "#5E9160", 3)
        + flower(36 + 12 * i, 58, 7, (PINK, SUN, CORAL, WHITE, RED)[i], SUN)
        for i in range(5)
    )
    can = (
        form("M6 36H30V58H6z", TEAL, 3, 0.8)
        + stroke("M30 52L46 38M44 34l6 6", TEAL, 4)
        + stroke("M10 36Q18 24 26 36", TEAL, 3)
        + stroke("M50 42l2 10m3-12l4 9m-1-12l6 6", "#BFE2EC", 1.8)
    )
    return wall + box_ + can + hand("#C98E63", 14, 32, 20, 0.5)


def data_grab() -> str:
    """A gloved hand pulls a folder out of a screen."""
    screen = (
        form(box(34, 14, 62, 52, 4), "#3C4356", 4, 1)
        + path(box(39, 19, 52, 40), "#BFE2EC")
        + path(box(58, 66, 14, 12), STEEL)
        + form(box(46, 77, 38, 6, 2), STEEL, 2)
        + stroke("M60 28h24M60 36h24M60 44h18", BLUE, 3)
    )
    folder = put(
        34,
        46,
        form("M-20-14h14l4 5h22v26h-40z", SUN, 3, 1)
        + path(box(-14, -12, 28, 8), WHITE)
        + form(box(-20, -5, 40, 22, 1), light(SUN, 0.15), 3),
        1,
        -8,
    )
    return path(box(-40, -40, 180, 180), "#D6DCE6") + screen + folder + hand("#3B3A4C", 10, 54, -8, 0.74, glove=True)


def tea_break() -> str:
    mug = (
        form("M24 34H66V72Q66 82 56 82H34Q24 82 24 72z", CORAL, 6, 1.4)
        + stroke("M66 44h8q8 0 8 9t-8 9h-8", CORAL, 6)
        + path(oval(45, 34, 21, 4), "#7A4A31")
        + stroke("M36 26Q32 18 38 10M48 26Q44 18 50 10M58 26Q54 18 60 10", WHITE, 3)
    )
    return (
        path(box(-40, -40, 180, 180), "#CFE3D6")
        + mug
        + form(oval(80, 84, 13, 12), "#D9A05B", 3)
        + path(oval(76, 80, 1.6) + oval(84, 82, 1.6) + oval(79, 88, 1.6), "#7A4A31")
    )


def racing() -> str:
    """A car with flames and a speed dial at its red end."""
    dial = (
        path("M14 52A36 36 0 0 1 86 52z", WHITE)
        + stroke("M18 50A32 32 0 0 1 62 21", LEAF, 6)
        + stroke("M64 22A32 32 0 0 1 82 50", RED, 6)
        + stroke("M50 50L76 34", INK, 3.4)
        + path(oval(50, 50, 5), INK)
    )
    flames = form("M30 84Q14 88 2 80Q10 78 6 70Q16 74 20 66Q26 72 34 70z", "#F08A2E", 3) + path(
        "M32 82Q20 84 14 78Q22 76 24 72L34 74z", SUN
    )
    car = (
        form("M24 88V78Q26 72 36 70L46 60Q48 58 54 58H72Q78 58 82 64L86 70Q98 72 98 80V88z", RED, 4, 1)
        + path("M46 69L53 62H62V69zM66 69V62H72Q76 62 79 69z", "#DDF0F5")
        + "".join(form(oval(x, 88, 8), INK, 2) + path(oval(x, 88, 3.2), CREAM) for x in (40, 82))
    )
    return path(box(-40, -40, 180, 180), "#E4DCCB") + path(box(-40, 92, 180, 40), "#6B6F80") + dial + flames + car


def flower_bus() -> str:
    body = (
        form("M8 76V36Q8 26 18 26H88Q96 26 96 36V76z", TEAL, 5, 1.2)
        + "".join(path(box(14 + 20 * i, 34, 16, 16, 2), "#DDF0F5") for i in range(4))
        + "".join(flower(18 + 18 * i, 63, 7, (WHITE, PINK, SUN, CORAL, WHITE)[i], SUN) for i in range(5))
    )
    return (
        path(box(-40, -40, 180, 180), "#DCEBD2")
        + path(box(-40, 82, 180, 50), "#6B6F80")
        + body
        + "".join(form(oval(x, 78, 9), INK, 2) + path(oval(x, 78, 4), CREAM) for x in (28, 76))
    )


def magnet_bone() -> str:
    """A horseshoe magnet beside a broken bone."""
    magnet = (
        form("M10 78V44Q10 18 30 18T50 44V78H37V44Q37 32 30 32T23 44V78z", BLUE, 4, 1)
        + path(box(10, 66, 13, 13) + box(37, 66, 13, 13), "#E6E9EC")
        + stroke("M16 86v6M30 88v6M44 86v6", SUN, 3)
    )
    half = "M-6 34V8Q-16 8-14-2Q-12-10-4-8Q0-16 8-10Q14-4 8 6L6 8V28L2 32L-2 28z"
    bone = (
        put(76, 26, form(half, CREAM, 2.4, 0.8), 1, 8)
        + put(74, 84, form(half, CREAM, 2.4, 0.8), 1, 176)
        + stroke("M60 52l-6-4M60 60h-7M92 50l6-4M92 60l7 1", INK, 2)
    )
    return path(box(-40, -40, 180, 180), "#A9C9B8") + put(6, 0, magnet + bone, 0.86)


def stay_strong() -> str:
    bell = form(box(12, 44, 44, 7, 2), STEEL, 2) + "".join(
        form(box(x, 32, 9, 31, 3), NAVY, 2.4, 0.8) for x in (8, 18, 42, 52)
    )
    apple = (
        form("M76 56Q66 50 64 62T74 82Q78 80 82 82Q94 74 92 62T80 56z", RED, 3, 1)
        + stroke("M78 56Q78 48 84 46", "#7A4A31", 2.4)
        + form("M82 50Q88 44 94 48Q88 54 82 50z", LEAF, 1)
    )
    return path(box(-40, -40, 180, 180), "#DCEBD2") + bell + apple


def slot_machine() -> str:
    """A small child at a slot machine; coins fly."""
    machine = (
        form(box(46, 14, 40, 72, 5), PLUM, 4, 1.2)
        + path(box(51, 26, 30, 18, 2), WHITE)
        + "".join(path(oval(56 + 10 * i, 35, 3.6), c) for i, c in enumerate((RED, SUN, RED)))
        + stroke("M86 44h8V24", STEEL, 3)
        + form(oval(94, 21, 4.6), RED, 1)
        + path(box(52, 70, 28, 9, 2), INK)
        + "".join(path(oval(52 + 7 * i, 20, 2), SUN) for i in range(5))
    )
    coins = "".join(
        form(oval(x, y, 4.4), SUN, 1) + stroke(f"M{x} {y - 2}v4", dark(SUN, 0.3), 1)
        for x, y in ((38, 66), (44, 54), (34, 44), (40, 30), (30, 58), (92, 62), (94, 78), (30, 78))
    )
    child = (
        form("M6 96Q6 64 20 62T34 96z", TEAL, 3)
        + form(oval(20, 46, 15), "#E3A379", 2.4)
        + form("M4 46Q2 28 20 28T36 46Q30 38 20 38T4 46z", "#5A3425", 2)
        + path(oval(23, 46, 1.6, 2.2) + oval(31, 46, 1.4, 2.2), INK)
        + stroke("M24 53q4 3 7 0", dark("#B3283C", 0.1), 1.6)
        + stroke("M26 70Q36 72 48 64", TEAL, 7)
        + path(oval(49, 63, 4), "#E3A379")
    )
    return path(box(-40, -40, 180, 180), "#F1E3B8") + machine + coins + child


def carousel_ride() -> str:
    pole = stroke("M56 2V96", SUN, 4)
    horse = (
        form(
            "M26 62Q22 48 38 48Q52 52 62 44L68 26Q72 18 80 22L92 36"
            "Q90 42 84 42L78 42Q78 60 70 68Q56 76 38 74Q26 72 26 62z",
            WHITE,
            4,
            1,
        )
        + stroke("M34 72L28 90M46 74L42 92M62 72L70 88M70 66L82 80", WHITE, 5)
        + form("M68 26Q58 32 60 48L66 44Q68 32 76 24z", CORAL, 1)
        + stroke("M28 56Q14 54 14 72", CORAL, 5)
        + path(oval(80, 30, 1.8), INK)
    )
    child = (
        form("M40 50Q40 30 50 30T60 50L56 62H44z", TEAL, 2.4)
        + form(oval(50, 18, 12), "#B9754A", 2)
        + form("M38 18Q36 4 50 4T62 18Q56 11 50 11T38 18z", "#33201C", 1.4)
        + path(oval(53, 18, 1.4) + oval(59, 18, 1.2), INK)
        + stroke("M52 24q4 3 6 0", WHITE, 1.6)
    )
    return path(box(-40, -40, 180, 180), "#DCE8F2") + pole + horse + child


def big_flower() -> str:
    """One large flower on its stem, without a ground."""
    return stroke("M50 52V98M50 84Q34 82 30 70M50 88Q66 86 70 74", LEAF, 6) + flower(50, 36, 32, SUN, "#7A4A31", 12)
