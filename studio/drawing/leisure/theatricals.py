"""What belongs on a stage: skull and crown, throne, chaise longue, rag dummy, trunk, folding screen, instruments."""

from __future__ import annotations

from studio.drawing.kit import (
    CREAM,
    INK,
    PINK,
    PLUM,
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

GOLD = "#D9A93F"


def skull() -> Prop:
    """A plaster skull, 24 x 26 cm, to stand on a hand."""
    bone = "#F0E6D0"
    head = form(
        "M12 1C4 1 1 7 1.5 12C2 15.5 4 16.5 4.5 18.5L5.5 21H18.5L19.5 18.5C20 16.5 22 15.5 22.5 12C23 7 20 1 12 1z",
        bone,
        2.6,
        0.5,
    )
    jaw = form("M6 20.5H18L17.2 25Q12 27 6.8 25z", bone, 1)
    teeth = stroke("M6.5 21.8H17.5M8.7 20v4.2M10.9 20v4.5M13.1 20v4.5M15.3 20v4.2", dark(bone, 0.5), 0.6)
    eyes = path(oval(7.4, 12.2, 3.3, 3.5) + oval(16.4, 12.2, 3.3, 3.5), "#3F3248") + path(
        "M12 14.5L10.2 18.2H13.8z", "#3F3248"
    )
    return Prop(
        "theatre skull", 24, 26, head + jaw + teeth + eyes + stroke("M6 6Q8 3.4 11 3", WHITE, 1.2, 'opacity=".8"')
    )


def stage_crown() -> Prop:
    """The harmless stand-in for the skull: a golden crown in the same box."""
    band = form("M2 25.5V9L7.5 16L12 4L16.5 16L22 9V25.5Q12 27.5 2 25.5z", GOLD, 2, 0.6)
    gems = (
        path(oval(2.4, 8, 1.8) + oval(12, 3.2, 2) + oval(21.6, 8, 1.8), RED)
        + path(oval(7, 21, 1.7) + oval(17, 21, 1.7), TEAL)
        + path(oval(12, 21.3, 2), RED)
    )
    return Prop("golden crown", 24, 26, band + stroke("M2.5 24Q12 26 21.5 24", light(GOLD, 0.5), 1) + gems)


def throne() -> Prop:
    """A carved chair with a high back, 74 x 150 cm."""
    legs = "".join(form(box(x, 112, 8, h, 2), dark(GOLD, 0.3), 2) for x, h in ((14, 32), (52, 32), (4, 38), (62, 38)))
    back = form("M9 100V26Q9 10 24 14Q30 0 37 0T50 14Q65 10 65 26V100z", GOLD, 5, 1.4) + form(
        "M18 96V34Q18 24 37 24T56 34V96z", "#8E2F44", 4
    )
    seat = path(poly((10, 84), (64, 84), (72, 98), (2, 98)), "#B0495C") + form(box(0, 98, 74, 15, 3), GOLD, 3, 1)
    arms = "".join(form(box(x, 66, 9, 36, 4), GOLD, 2, 0.8) for x in (0, 65))
    studs = path("".join(oval(x, 105, 2) for x in range(10, 70, 11)) + oval(37, 10, 4), "#8E2F44")
    return Prop("throne", 74, 150, shadow(37, 148, 44, 5, 0.6) + legs + back + seat + arms + studs)


def candle_stand() -> Prop:
    """Three lit candles on an iron stand, 54 x 160 cm."""
    iron = "#4B4658"
    foot = stroke("M27 146Q14 148 8 158M27 146Q40 148 46 158M27 140V156", iron, 4) + form(
        box(25, 44, 4, 104, 2), iron, 1.2
    )
    arms = stroke("M27 58Q8 58 7 40M27 58Q46 58 47 40", iron, 3)
    out = shadow(27, 158, 24, 3, 0.6) + foot + arms
    for x, y in ((7, 38), (47, 38), (27, 42)):
        out += form(box(x - 6, y, 12, 3, 1), iron, 0.8) + form(box(x - 2.4, y - 18, 4.8, 18, 1), CREAM, 1.2)
        out += veil(oval(x, y - 24, 10), "#FFE6A0", 0.35) + path(f"M{x} {y - 32}q5 7 0 13q-5-6 0-13z", SUN)
    return Prop("candle stand", 54, 160, out)


def script(w: float = 22) -> Prop:
    """An open script, held with both hands."""
    h = w * 0.8
    lines = "".join(f"M{w * a:.1f} {h * t:.1f}h{w * 0.32:.1f}" for a in (0.1, 0.58) for t in (0.28, 0.44, 0.6, 0.76))
    return Prop(
        "script",
        w,
        h,
        form(poly((0, 2), (w / 2, 0), (w / 2, h - 1), (0, h)), WHITE, 0.6)
        + form(poly((w / 2, 0), (w, 2), (w, h), (w / 2, h - 1)), CREAM, 0.8)
        + stroke(lines, "#9C93A8", 0.7),
    )


def chaise(colour: str = "#A2496A") -> Prop:
    """A chaise longue with its raised end to the left, 190 x 82 cm."""
    legs = "".join(
        form(f"M{x} 66h9l-2 {h}h-4z", dark(WOOD, 0.4), 2) for x, h in ((30, 10), (150, 10), (14, 15), (166, 15))
    )
    back = form("M4 60Q-4 22 14 6Q26 -2 38 8Q40 26 62 34V60z", dark(colour, 0.1), 5, 1.4)
    plane = path("M30 40H178Q186 40 188 48H22z", light(colour, 0.3))
    seat = form(box(8, 47, 180, 21, 8), colour, 4, 1.2, stroke("M50 50v20M92 50v20M134 50v20", dark(colour, 0.14), 1.4))
    roll = form(oval(20, 14, 12), light(colour, 0.1), 3, 1)
    return Prop(
        "chaise longue", 190, 82, shadow(95, 80, 100, 5, 0.6) + legs + back + plane + seat + roll, {"seat": (104, 45)}
    )


def cushions(w: float, h: float) -> Prop:
    """A folded blanket with two cushions, in any box."""
    y, x = h - 26, w * 0.5
    blanket = "".join(
        form(box(x - 4, y + 12 - 6 * i + 6, 66, 8, 3), c, 2, 0.6) for i, c in enumerate((TEAL, light(TEAL, 0.3), TEAL))
    )
    pads = form(box(x - 52, y - 8, 36, 33, 10), SUN, 4, 1) + form(box(x - 30, y - 2, 34, 27, 9), PINK, 4, 1)
    return Prop("folded blanket and cushions", w, h, shadow(x, h - 1, 60, 2.4, 0.5) + pads + blanket)


def rag_dummy() -> Prop:
    """A rag doll as large as a child that sits against something: button eyes, a stitched smile, straw at the cuffs."""
    cloth, dress = "#E9D3AE", "#5E8C6A"
    straw = stroke("M8 84l-5 5M10 86l-2 7M82 84l5 5M80 86l2 7", SUN, 1.4)
    legs = "".join(
        form(limb([(45 + k * 8, 84), (45 + k * 20, 90), (45 + k * 34, 97)], (13, 12, 10)), cloth, 2)
        + form(oval(45 + k * 36, 95, 7, 9), "#7A4A5C", 2)
        for k in (-1, 1)
    )
    arms = "".join(
        form(limb([(45 + k * 11, 50), (45 + k * 27, 62), (45 + k * 34, 80)], (11, 10, 8)), dress, 2)
        + form(oval(45 + k * 35, 84, 5.4), cloth, 1.2)
        for k in (-1, 1)
    )
    dots = path("".join(oval(28 + 11 * i + 5 * (j % 2), 56 + 11 * j, 1.8) for i in range(5) for j in range(4)), CREAM)
    gown = form("M36 46Q45 43 54 46L66 88Q45 96 24 88z", dress, 4, 0, dots)
    head = form(oval(43, 29, 16.5, 17), cloth, 3.4, 0.8) + path(
        oval(32, 35, 3.4, 2.4) + oval(54, 35, 3.4, 2.4), "#E9A08E"
    )
    buttons = "".join(
        form(oval(x, 28, 4), "#4E6FA0", 0.8) + stroke(f"M{x - 1.6} 26.4l3.2 3.2M{x + 1.6} 26.4l-3.2 3.2", CREAM, 0.8)
        for x in (36, 50)
    )
    smile = stroke("M36 37Q43 43 50 37", "#B5533E", 1.4)
    wool = stroke("M27 24Q21 36 23 50M31 16Q23 20 21 34M59 24Q65 36 63 50M55 16Q63 20 65 34", "#B5533E", 5)
    fringe = form(
        "M25 26Q26 9 43 9T61 26Q52 16 43 20Q34 16 25 26z",
        "#B5533E",
        2,
        0,
        stroke("M34 10v9M43 9v9M52 10v9", dark("#B5533E", 0.2), 1),
    )
    return Prop(
        "rag dummy",
        90,
        106,
        shadow(45, 103, 48, 5, 0.6)
        + legs
        + gown
        + arms
        + straw
        + wool
        + put(0, 0, head + buttons + smile + fringe, 1, -4),
    )


def trunk() -> Prop:
    """A travelling trunk with brass corners, 96 x 62 cm."""
    hide = "#7A5236"
    lid = form("M2 26Q2 6 16 4H80Q94 6 94 26z", light(hide, 0.06), 4, 1) + form(box(2, 24, 92, 37, 3), hide, 4, 1)
    straps = "".join(form(box(x, 3, 9, 58, 1), dark(hide, 0.3), 1.6) for x in (20, 67))
    brass = (
        "".join(form(box(x, 53, 9, 8, 2), GOLD, 1.2) for x in (2, 85))
        + form(box(41, 19, 14, 13, 2), GOLD, 2, 0.6)
        + path(oval(48, 26, 2), INK)
    )
    return Prop(
        "trunk", 96, 62, shadow(48, 60, 56, 5, 0.6) + lid + stroke("M2 25H94", dark(hide, 0.5), 1.6) + straps + brass
    )


def folding_screen() -> Prop:
    """Three panels with painted reeds, 138 x 170 cm."""
    out = shadow(69, 168, 76, 6, 0.6)
    for i, (x, tone) in enumerate(((0, PLUM), (46, light(PLUM, 0.2)), (92, PLUM))):
        rise = (4, 0, 4)[i]
        panel = poly((x, rise), (x + 46, 4 - rise), (x + 46, 166 + (rise and -2)), (x, 168 - rise / 2))
        reeds = stroke(
            f"M{x + 14} 160Q{x + 10} 110 {x + 18} 70M{x + 24} 160Q{x + 26} 100 {x + 22} 54M{x + 34} 160"
            f"Q{x + 36} 120 {x + 32} 84",
            light(TEAL, 0.5),
            2,
        )
        heads = path(oval(x + 18, 66, 3, 8) + oval(x + 22, 49, 3, 8) + oval(x + 32, 79, 3, 8), "#5A3E4C")
        out += form(panel, tone, 3, 1, reeds + heads) + stroke(panel, "#5A3E4C", 2.4)
    return Prop("folding screen", 138, 170, out)


def window_flat() -> Prop:
    """Scenery: a canvas wall with a window painted on it, a brace behind, 130 x 210 cm."""
    brace = stroke("M118 60L128 206M104 208H130", dark(WOOD, 0.2), 4)
    wall = form(box(0, 0, 112, 208), "#E4C9A0", 3, 1, stroke("M0 150H112", dark("#E4C9A0", 0.2), 3)) + stroke(
        box(0, 0, 112, 208), WOOD, 4
    )
    pane = (
        path(box(26, 34, 60, 84), "#5B6EA0")
        + form(oval(68, 56, 9), "#FFF1CF", 2)
        + stroke("M56 34v84M26 74h60", WHITE, 4)
        + stroke(box(26, 34, 60, 84), WHITE, 5)
    )
    sides = "".join(form(f"M{x} 26h16q2 60 {-k * 6} 100h{-10}z", RED, 3) for x, k in ((14, 1), (82, -1)))
    return Prop("painted window flat", 132, 210, shadow(60, 208, 70, 4, 0.6) + brace + wall + pane + sides)


def stage_lamp() -> Prop:
    """A lamp with barn doors, to carry by its yoke; 40 x 40 cm."""
    yoke = stroke("M8 22Q8 4 20 4T32 22", STEEL, 2.6)
    can = form(box(8, 14, 24, 22, 5), "#3C3F55", 3, 1) + path(oval(20, 25, 8), "#FFF3C8")
    doors = form(poly((4, 10), (10, 15), (10, 35), (4, 40)), "#2E3044", 1) + form(
        poly((36, 10), (30, 15), (30, 35), (36, 40)), "#2E3044", 1
    )
    return Prop("stage lamp", 40, 40, yoke + can + doors)
