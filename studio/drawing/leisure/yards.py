"""Things of sheds and yards: ladder, chainsaw, watering can, rakes, pots, tins, a bicycle that lacks a wheel."""

from __future__ import annotations

import math

from studio.drawing.kit import (
    BLUE,
    CORAL,
    CREAM,
    INK,
    LEAF,
    RED,
    STEEL,
    SUN,
    TEAL,
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


def ladder(h: float = 190, colour: str = "#C9A066") -> Prop:
    """A stepladder from the front with its back legs, about a third as wide as high."""
    w = h * 0.36
    back = "".join(
        stroke(f"M{w / 2 + k * w * 0.16:.1f} 4L{w / 2 + k * w * 0.36:.1f} {h - 8:.1f}", dark(colour, 0.36), 3.4)
        for k in (-1, 1)
    )
    steps = ""
    n = int(h // 30)
    for i in range(1, n):
        t = i / n
        half = w * (0.17 + 0.29 * t)
        steps += form(box(w / 2 - half, h * t - 2, 2 * half, 4.6, 1), light(colour, 0.16), 1.2)
    rails = "".join(
        form(
            poly(
                (w / 2 + k * w * 0.17 - 2.4, 0),
                (w / 2 + k * w * 0.17 + 2.4, 0),
                (w / 2 + k * w * 0.46 + 2.4, h),
                (w / 2 + k * w * 0.46 - 2.4, h),
            ),
            colour,
            1.6,
            0.6,
        )
        for k in (-1, 1)
    )
    top = form(box(w * 0.28, -1, w * 0.44, 6, 1), light(colour, 0.2), 1.4)
    return Prop("ladder", w, h, shadow(w / 2, h - 2, w * 0.56, 5, 0.5) + back + steps + rails + top)


def chainsaw() -> Prop:
    """An orange chainsaw on its side, the bar to the right; 84 x 34 cm."""
    case = "#E8702A"
    bar = form("M38 16H76Q83 16 83 21.5T76 27H38z", "#C9CFD6", 2, 0.6) + stroke(
        "M38 14.6H76Q84.2 14.6 84.2 21.5T76 28.4H38", "#4B4658", 2.2, 'stroke-dasharray="2.4 1.5"'
    )
    body = form("M6 33Q2 33 3 26L6 15Q8 9 15 9H38Q43 9 43 14V33z", case, 3.4, 1) + form(
        box(12, 22, 24, 11, 3), "#4B4658", 2, 0.6
    )
    grip = stroke("M14 11Q14 2 24 2H36Q41 2 40.5 9", "#3C3F55", 3.4) + stroke("M5 16Q-1 20 3 30", "#3C3F55", 3.2)
    guard = form("M42 3Q47 5 46 14H43z", "#3C3F55", 0.8)
    vents = stroke("M28 13h10M28 16.5h10", dark(case, 0.4), 1.2) + form(oval(17, 16.5, 3.4), "#3C3F55", 0.8)
    return Prop("chainsaw", 86, 34, shadow(42, 33, 44, 1.8, 0.6) + bar + body + grip + guard + vents)


def orange_can() -> Prop:
    """The harmless stand-in for the chainsaw: an orange watering can in the same box."""
    case = "#E8702A"
    spout = form("M50 26L70 10L73 13L52 32z", case, 1.4) + form(
        poly((66, 9), (75, 3), (78, 8), (74, 15)), dark(case, 0.1), 1
    )
    tank = form("M24 12H54V32Q39 35 24 32z", case, 4, 1) + form(oval(39, 12, 15, 3), dark(case, 0.3), 0)
    handle = stroke("M28 11Q28 1 40 1T51 11", dark(case, 0.2), 2.8) + stroke(
        "M24 15Q12 15 14 24T24 30", dark(case, 0.2), 2.8
    )
    return Prop(
        "orange watering can",
        86,
        34,
        shadow(40, 33, 26, 1.8, 0.6) + spout + handle + tank + stroke("M25 18Q39 21 53 18", light(case, 0.5), 1.4),
    )


def _wheel(x: float, y: float) -> str:
    """A bicycle wheel of 60 cm around (x, y)."""
    ends = ((x + 29 * math.cos(a), y + 29 * math.sin(a)) for a in (i * math.tau / 10 for i in range(10)))
    spokes = "".join(f"M{x} {y}L{ex:.1f} {ey:.1f}" for ex, ey in ends)
    tyre = stroke(oval(x, y, 30), "#3C3F55", 4.4) + stroke(oval(x, y, 27), STEEL, 1.2)
    return tyre + stroke(spokes, STEEL, 0.6) + form(oval(x, y, 4), STEEL, 1)


def bicycle_wheel() -> Prop:
    """A lone wheel on a hook, 66 x 72 cm."""
    return Prop("bicycle wheel", 66, 72, _wheel(33, 38) + stroke("M33 0v10", STEEL, 3.4))


def bicycle_frame(colour: str = TEAL) -> Prop:
    """A bicycle that stands on its fork, its front wheel gone; 150 x 104 cm, it faces right."""
    tubes = stroke("M34 72L56 34M34 72L70 76M70 76L54 28M70 76L112 30M57 36L112 28", colour, 5)
    fork = stroke("M108 18L124 90", dark(colour, 0.16), 4.4) + stroke("M121 94l5-2", STEEL, 3)
    bar = stroke("M106 20L104 8Q114 2 122 10", STEEL, 3.2) + stroke("M118 6l7 6", INK, 4.4)
    saddle = form("M40 24Q54 18 66 24Q58 30 48 28z", INK, 1.4)
    pedal = form(oval(70, 76, 8), STEEL, 1.6) + stroke("M70 76L76 92M71 93h11", INK, 3)
    return Prop(
        "bicycle without a wheel",
        150,
        104,
        shadow(70, 102, 70, 4, 0.6) + _wheel(34, 72) + tubes + fork + bar + saddle + pedal,
    )


def leaning(tool: str, h: float = 150) -> Prop:
    """A rake, spade or broom that leans to the right against a wall; 40 cm wide."""
    pole = stroke(f"M8 {h - 20}L34 0", WOOD, 3)
    if tool == "rake":
        end = stroke(f"M-6 {h - 16}L24 {h - 22}", "#5A6379", 3) + stroke(
            "".join(f"M{-5 + 4.6 * i:.1f} {h - 16 - i}v12" for i in range(7)), "#5A6379", 1.8
        )
    elif tool == "spade":
        end = form(f"M-2 {h - 34}L18 {h - 30}L15 {h - 6}Q8 {h} 2 {h - 8}z", STEEL, 2.4, 0.8) + stroke(
            "M28-1h12", WOOD, 4
        )
    else:
        end = form(
            f"M0 {h - 26}L18 {h - 22}L20 {h}H-10z",
            SUN,
            3,
            0,
            stroke(f"M4 {h - 20}L-2 {h}M9 {h - 20}L6 {h}M14 {h - 20}V{h}", dark(SUN, 0.3), 1),
        )
    return Prop(tool, 40, h, shadow(8, h - 1, 18, 2.4, 0.6) + pole + end)


def flower_pots() -> Prop:
    """Clay pots in a leaning stack and one beside it with a plant; 66 x 52 cm."""
    clay = "#C9764E"

    def pot(x: float, y: float, s: float) -> str:
        return form(
            poly((x - 11 * s, y - 20 * s), (x + 11 * s, y - 20 * s), (x + 8 * s, y), (x - 8 * s, y)), clay, 3 * s
        ) + form(box(x - 13 * s, y - 25 * s, 26 * s, 6.4 * s, 1), light(clay, 0.12), 1.6)

    stack = "".join(pot(18 + 1.4 * i, 51 - 8 * i, 1.1) for i in range(3))
    leaves = "".join(
        form(
            f"M48 28Q{48 + dx} {14 - abs(dx) * 0.2:.0f} {48 + dx * 1.5:.0f} {10 + abs(dx) * 0.7:.0f}"
            f"Q{48 + dx * 0.8:.0f} 26 48 28z",
            LEAF,
            1.4,
        )
        for dx in (-14, -5, 6, 14)
    )
    return Prop("flower pots", 66, 52, shadow(32, 50, 36, 3, 0.6) + stack + leaves + pot(48, 51, 1.0))


def paint_tins(n: int = 4) -> Prop:
    """Paint tins side by side with drips; 20 cm each."""
    out = ""
    for i, c in enumerate((RED, BLUE, CREAM, SUN, LEAF, CORAL)[:n]):
        x = 1 + 20 * i
        drip = path(f"M{x} 4h18v5q-2 8-4 1q-3 3-5 0q-3 7-5 0q-3 2-4-1z", c)
        out += form(box(x, 3, 18, 21, 1.6), STEEL, 2.4, 0.6) + drip + path(oval(x + 9, 3.4, 9, 2.2), dark(c, 0.12))
    return Prop("paint tins", 20 * n, 25, shadow(10 * n, 24, 11 * n, 2, 0.6) + out)


def crates(w: float = 60, h: float = 74) -> Prop:
    """Two cardboard boxes, one upon the other."""
    board, half = "#C99A66", h * 0.54
    low = form(box(0, h - half, w, half, 1), board, 4, 1) + path(
        box(w * 0.42, h - half, w * 0.14, half), light(board, 0.3)
    )
    high = form(box(w * 0.12, 4, w * 0.72, h - half - 4, 1), light(board, 0.14), 3, 1) + form(
        poly((w * 0.12, 4), (w * 0.02, 0), (w * 0.42, 1), (w * 0.48, 4)), light(board, 0.3), 1
    )
    return Prop("boxes", w, h, shadow(w / 2, h - 1, w * 0.56, 4, 0.6) + low + high)


def hose() -> Prop:
    """A green hose coiled on a hook; 46 x 54 cm."""
    coils = "".join(
        stroke(oval(23 + i * 0.8, 30 + i * 1.4, 20 - 3.4 * i, 21 - 3.4 * i), c, 3.6)
        for i, c in enumerate((dark(LEAF, 0.2), LEAF, dark(LEAF, 0.12), LEAF))
    )
    return Prop("hose", 46, 54, coils + stroke("M23 4v8", STEEL, 4) + stroke("M40 42Q46 50 40 54", LEAF, 3.6))
