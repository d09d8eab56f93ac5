"""Fences, bales and the goods of a farm, in centimetres."""

from __future__ import annotations

from studio.drawing.country.landscape import scallop
from studio.drawing.country.yard import kite
from studio.drawing.kit import (
    CREAM,
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
    boxed,
    dark,
    form,
    light,
    oval,
    path,
    poly,
    shadow,
    stroke,
)


def rail_fence(w: float = 190) -> Prop:
    """Two rails on posts to lean on, `w` x 78."""
    posts = "".join(form(box(x, 0, 10, 77, 3), dark(WOOD, 0.12), 3) for x in (4, w / 2 - 5, w - 14))
    return Prop(
        "wooden fence",
        w,
        78,
        shadow(w / 2, 76, w * 0.54, 4, 0.45)
        + "".join(form(box(0, y, w, 11, 4), WOOD, 3, 0.8) for y in (9, 38))
        + posts,
    )


def gate(w: float = 200) -> Prop:
    """A field gate with a brace, `w` x 110."""
    bars = "".join(form(box(8, y, w - 16, 9, 3), WOOD, 2.4) for y in (16, 40, 64, 88))
    return Prop(
        "wooden gate",
        w,
        110,
        shadow(w / 2, 108, w * 0.54, 4, 0.45)
        + stroke(f"M12 92L{w - 12} 22", dark(WOOD, 0.14), 7)
        + bars
        + "".join(form(box(x, 4, 12, 105, 3), dark(WOOD, 0.16), 3) for x in (0, w - 12)),
    )


def hay_wagon() -> Prop:
    """A loaded wagon, 280 x 190."""
    hay = form(
        scallop(140, 66, 118, 54, 13, 4),
        "#E3C268",
        14,
        2,
        stroke("M60 70l20-16M110 50l18-14M160 60l22-12M200 80l18-10M90 96l20-8M150 94l22-6", dark("#E3C268", 0.2), 4),
    )
    wheels = "".join(
        stroke(oval(x, 154, 32), "#7A5238", 8)
        + stroke(f"M{x - 30} 154h60M{x} 124v60M{x - 21} 133l42 42M{x + 21} 133l-42 42", "#7A5238", 4)
        + path(oval(x, 154, 7), "#5B3A2E")
        for x in (70, 214)
    )
    return Prop(
        "hay wagon",
        280,
        190,
        shadow(142, 186, 140, 8, 0.5)
        + hay
        + form(
            poly((14, 104), (266, 104), (258, 138), (22, 138)), WOOD, 6, 1, stroke("M14 121H266", dark(WOOD, 0.2), 2)
        )
        + wheels
        + stroke("M16 128L-40 150", "#7A5238", 6)
        + path(oval(140, 121, 3), SUN),
    )


def hay_bale() -> Prop:
    """A round bale from its end, 110 x 104."""
    rings = stroke("".join(oval(55, 52, 46 - 9 * k) for k in range(5)), dark("#E3C268", 0.2), 2.4)
    return Prop("hay bale", 110, 104, shadow(58, 102, 56, 5, 0.55) + form(oval(55, 52, 54, 52), "#E3C268", 9, 2, rings))


def straw_bale() -> Prop:
    """A square bale, 90 x 44."""
    lines = stroke(
        "".join(f"M{6 + 11 * k} {8 + k * 17 % 30}l9 {(-1) ** k * 3}" for k in range(8)), dark("#E3C268", 0.2), 1.6
    ) + stroke("M26 0V44M64 0V44", "#B0704A", 1.6)
    return Prop("straw bale", 90, 44, shadow(46, 43, 48, 3, 0.5) + form(box(1, 1, 88, 42, 3), "#E3C268", 5, 1.2, lines))


def milk_churn() -> Prop:
    return Prop(
        "milk churn",
        36,
        64,
        shadow(18, 63, 20, 2.4, 0.55)
        + form(
            "M10 12H26V20Q34 26 34 36V58Q34 63 28 63H8Q2 63 2 58V36Q2 26 10 20z",
            "#B9C2CC",
            5,
            1.4,
            stroke("M2 36H34M2 54H34", dark("#B9C2CC", 0.2), 2),
        )
        + form(box(7, 4, 22, 9, 3), STEEL, 2)
        + stroke("M3 30q-6 4 0 10M33 30q6 4 0 10", STEEL, 2.4),
    )


def water_pump(w: float, h: float) -> Prop:
    """A cast-iron pump with a bucket, in a box of any size."""
    x, k, iron = w / 2, h / 150, "#4F7F6B"
    post = (
        form(box(x - 9 * k, h - 112 * k, 18 * k, 110 * k, 4), iron, 4 * k, 1)
        + form(f"M{x - 14 * k:.1f} {h - 108 * k:.1f}q{14 * k:.1f} {-26 * k:.1f} {28 * k:.1f} 0z", iron, 3 * k)
        + form(box(x - 16 * k, h - 9 * k, 32 * k, 8 * k, 2), dark(iron, 0.2), 2)
    )
    spout = stroke(f"M{x - 6 * k:.1f} {h - 84 * k:.1f}q{-30 * k:.1f} 0 {-32 * k:.1f} {20 * k:.1f}", iron, 8 * k)
    lever = stroke(
        f"M{x + 4 * k:.1f} {h - 104 * k:.1f}Q{x + 40 * k:.1f} {h - 120 * k:.1f} {x + 44 * k:.1f} {h - 62 * k:.1f}",
        dark(iron, 0.2),
        5 * k,
    )
    pail = form(
        f"M{x - 54 * k:.1f} {h - 30 * k:.1f}h{30 * k:.1f}l{-4 * k:.1f} {28 * k:.1f}h{-22 * k:.1f}z", STEEL, 4 * k, 1
    ) + path(oval(x - 39 * k, h - 30 * k, 15 * k, 3 * k), SKY)
    return Prop(
        "water pump",
        w,
        h,
        shadow(x - 8 * k, h - 3, 46 * k, 4, 0.5)
        + lever
        + post
        + spout
        + pail
        + path(oval(x, h - 60 * k, 3 * k), WHITE),
    )


def grass_stalk() -> Prop:
    """A ripe stalk to look at, 20 x 40."""
    seeds = "".join(path(oval(10 + (-1) ** k * 2.4, 2 + 2.4 * k, 2, 3), "#D9B95A") for k in range(6))
    return Prop(
        "stalk of grass",
        20,
        40,
        stroke("M4 38Q8 24 10 10", "#8FA35A", 1.8) + stroke("M7 26Q14 20 18 22", "#8FA35A", 1.6) + seeds,
    )


def chocolate_table() -> Prop:
    """A trestle with chocolate bars and cocoa tins, 180 x 110."""
    legs = stroke("M22 48L10 108M34 48L46 108M146 48L134 108M158 48L170 108", dark(WOOD, 0.2), 5)
    cloth = form(poly((2, 42), (178, 42), (174, 70), (6, 70)), RED, 3, 0, stroke("M6 62H174", WHITE, 3))
    bars = ""
    for k in range(4):
        x = 18 + 24 * k
        bars += form(
            box(x, 20, 18, 22, 1.5),
            "#6B3F2E",
            2.4,
            0.6,
            stroke(f"M{x + 6} 20v10M{x + 12} 20v10M{x} 26h18", "#8A5A44", 1),
        ) + form(box(x, 30, 18, 12, 1), (SUN, TEAL, CREAM, RED)[k], 1.6)
    tins = "".join(
        form(box(122 + 24 * k, 14, 20, 28, 2), "#A8623A", 3, 0.8)
        + form(box(121 + 24 * k, 10, 22, 6, 2), STEEL, 1.2)
        + form(oval(132 + 24 * k, 30, 6, 4), "#6B3F2E", 1)
        for k in (0, 1)
    )
    return Prop(
        "table with chocolate",
        180,
        110,
        shadow(90, 107, 92, 5, 0.5) + legs + form(box(0, 40, 180, 6, 2), WOOD, 1.6) + cloth + bars + tins,
    )


def apple_crates() -> Prop:
    """Two crates of apples, one on the other, 90 x 78."""

    def crate(y: float) -> str:
        apples = "".join(form(oval(12 + 13 * k, y + 3, 7.4), (RED, "#8FBF5A", RED)[k % 3], 2, 0.5) for k in range(6))
        return (
            apples
            + "".join(form(box(2, y + d, 86, 9, 1), light(WOOD, 0.1), 2) for d in (6, 18))
            + form(box(2, y + 4, 6, 25, 1), dark(WOOD, 0.1), 1)
            + form(box(82, y + 4, 6, 25, 1), dark(WOOD, 0.1), 1)
        )

    return Prop("crates of apples", 90, 78, shadow(45, 77, 48, 3, 0.55) + crate(48) + crate(14))


def mug(colour: str = RED) -> Prop:
    return Prop(
        "mug", 12, 11, stroke("M9 3q5 0 4 3t-4 2", colour, 1.6) + form(box(1, 0.6, 9, 10, 1.6), colour, 1.6, 0.4)
    )


def remote() -> Prop:
    return Prop(
        "remote control",
        18,
        12,
        stroke("M4 3L2-10M14 3L16-10", STEEL, 1)
        + form(box(0, 2, 18, 10, 3), "#3B3644", 1.6, 0.5)
        + path(oval(5, 6.6, 2) + oval(13, 6.6, 2), "#C9CED6"),
    )


def drone() -> Prop:
    """Trigger: a drone with four rotors in the air, 90 x 60."""
    arms = stroke("M45 30L14 20M45 30L76 20M45 32L22 36M45 32L68 36", "#4B5368", 5)
    rotors = "".join(
        path(oval(x, y, 15, 3.4), "#9AA3B4", extra='opacity=".75"') + form(box(x - 3, y, 6, 9, 2), "#3B3644", 1.4)
        for x, y in ((14, 14), (76, 14), (20, 29), (70, 29))
    )
    legs = stroke("M36 38L28 54M54 38L62 54M24 55H34M56 55H66", "#3B3644", 3)
    body = form("M28 28Q30 20 45 20T62 28Q62 40 45 41T28 28z", "#5B6478", 4, 1.2) + path(
        box(36, 25, 18, 4, 2), "#D8483A"
    )
    return Prop(
        "drone",
        90,
        60,
        arms
        + legs
        + body
        + form(oval(45, 44, 6), "#2E2B38", 1.4)
        + path(oval(44, 43, 2.2), SKY)
        + rotors
        + path(oval(33, 33, 1.8), "#6FE07A"),
    )


def boxed_kite() -> Prop:
    small = kite(PLUM)
    return boxed(small, 90, 60, 60 / small.h)
