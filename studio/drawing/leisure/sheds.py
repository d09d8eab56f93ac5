"""Where things are mended and kept: a garden shed, a car garage, a clockmaker's shop."""

from __future__ import annotations

import math

from studio.drawing.kit import (
    CREAM,
    INK,
    LEAF,
    SUN,
    WOOD,
    Prop,
    box,
    clipped,
    dark,
    flower,
    form,
    light,
    oval,
    path,
    poly,
    put,
    shadow,
    stroke,
    veil,
)
from studio.drawing.rooms import floor, window
from studio.drawing.scene import H, Setting, W
from studio.drawing.weather import lamp_glow, tree


def shed() -> Setting:
    """Inside a dusty shed; the open door at the left lets the morning sun in."""
    board, base = "#9A7A62", 452
    out = path(box(0, 0, W, base), board) + stroke(
        "".join(f"M{x} 0V{base}" for x in range(0, W, 46)), dark(board, 0.2), 3
    )
    out += path("".join(oval(x + 23, y, 3) for x in range(0, W, 46) for y in (60, 300)), dark(board, 0.3))
    out += form(box(0, 34, W, 20), dark(board, 0.24), 5) + form(box(0, 240, W, 13), dark(board, 0.16), 4)
    view = (
        path(box(20, 70, 180, 390), "#CDE8EE")
        + path("M20 250Q90 200 200 244V460H20z", "#A9CC84")
        + tree(150, 330, 210)
        + path("M20 380Q100 340 200 372V460H20z", "#8FBB62")
    )
    view += "".join(
        flower(x, y, 9, c, SUN)
        for x, y, c in ((50, 410, "#EFA7A0"), (84, 430, "#FFFDF6"), (122, 412, "#EE8562"), (166, 434, "#FFFDF6"))
    )
    out += path(box(8, 58, 204, 402, 3), dark(board, 0.4)) + clipped(box(20, 70, 180, 390), view)
    leaf = poly((200, 70), (262, 40), (262, 520), (200, 458))
    out += form(
        leaf, "#6E8C7A", 6, 2, stroke("M220 40V540M241 40V540M196 150L270 140M196 400L270 430", dark("#6E8C7A", 0.2), 3)
    )
    out += floor("#B59474", base, 300, "boards", 200)
    out += veil(poly((20, base + 6), (200, base + 6), (560, H), (120, H)), "#FFF0C0", 0.5)
    beam = veil(poly((200, 80), (200, 440), (330, H), (640, H)), "#FFF3CF", 0.14)
    motes = path(
        "".join(
            oval(220 + (i * 0.754878) % 1 * 340, 170 + (i * 0.56984) % 1 * 420, 1.2 + i % 3 * 0.6) for i in range(44)
        ),
        "#FFF6DC",
        extra='opacity=".7"',
    )
    return Setting("shed", out, 292, 122, beam + motes)


def car_garage() -> Setting:
    """A garage in the evening: a rolling door, a work lamp that glows, tools on the wall, a landscape calendar."""
    wall, base = "#8C97A4", 474
    out = (
        path(box(0, 0, W, base), wall)
        + path(box(0, 330, W, base - 330), "#6B7686")
        + path(box(0, 322, W, 9), "#E2B24A")
    )
    door = form(box(40, 60, 372, base - 60, 4), "#B9C2C9", 5) + stroke(
        "".join(f"M40 {y}H412" for y in range(84, base, 30)), dark("#B9C2C9", 0.24), 4
    )
    panes = "".join(
        path(box(64 + 88 * i, 92, 70, 46, 4), "#39426E")
        + path(oval(92 + 88 * i, 108, 2) + oval(116 + 88 * i, 120, 1.6), "#FFF4DC")
        for i in range(4)
    )
    out += path(box(28, 50, 396, base - 50, 4), "#5A6474") + door + panes
    out += (
        path(box(654, 114, 92, 116, 3), dark(wall, 0.3))
        + form(box(648, 108, 92, 116, 3), CREAM, 3)
        + clipped(
            box(656, 116, 76, 58),
            path(box(656, 116, 76, 58), "#A9D3E4")
            + path("M656 160L682 126L704 156L716 142L734 164V176H656z", "#7C93B0")
            + path("M656 164Q692 150 734 166V180H656z", LEAF),
        )
    )
    out += path("".join(box(658 + 15 * i, 182 + 12 * j, 10, 7, 1) for i in range(5) for j in range(3)), "#B9AFA6")
    out += form(box(462, 60, 168, 12, 2), "#6B5B4A", 3) + stroke(
        "M480 72v22M510 72v38M542 72v28M574 72v40M606 72v24", "#3F4658", 5
    )
    out += stroke("M474 92l6 18l6-18M504 110h12M536 100q6 22 12 0M568 112l6 16l6-16M600 96h12v16h-12z", "#C9CFD6", 6)
    out += floor("#9A9AA0", base, 352, "tiles", 560) + path(oval(620, 600, 60, 9), dark("#9A9AA0", 0.3))
    lamp = (
        stroke("M420 0V54", INK, 4)
        + form(poly((398, 54), (442, 54), (470, 92), (370, 92)), "#E2B24A", 7, 2)
        + path(oval(420, 94, 36, 8), "#FFF8DF")
    )
    cone = veil(poly((384, 96), (456, 96), (800, H), (90, H)), "#FFE9B0", 0.16)
    dim = veil(box(0, 0, W, H), "#3A3F70", 0.08)
    return Setting("garage", out + cone + lamp, 352, 98, dim + lamp_glow(420, 100, 150))


def clock_shop() -> Setting:
    """A clockmaker's shop in warm afternoon light, its wall full of clocks."""
    wall, base = "#E7C48F", 446
    out = path(box(0, 0, W, base), wall) + path(
        "".join(oval(x + (y // 40 % 2) * 24, y, 3) for x in range(12, W, 48) for y in range(16, base, 40)),
        light(wall, 0.3),
    )
    out += (
        path(box(0, 352, W, base - 352), "#9A6B4A")
        + stroke("".join(f"M{x} 362V{base}" for x in range(20, W, 58)), dark("#9A6B4A", 0.2), 3)
        + path(box(0, 344, W, 10), light("#9A6B4A", 0.2))
    )
    out += window(-70, 66, 200, 214, "sunset", frame="#7A5236")
    for x, y, r, c, hour in (
        (196, 96, 40, "#7A5236", 60),
        (300, 70, 27, "#4E8FC0", 200),
        (282, 178, 36, "#C9A24F", 310),
        (196, 226, 25, "#A8504A", 130),
        (386, 132, 31, "#2F8F83", 20),
        (372, 236, 26, "#5A3E4C", 260),
        (930, 96, 44, "#A8504A", 95),
        (836, 66, 28, "#4E8FC0", 330),
        (850, 166, 30, "#C9A24F", 210),
        (956, 212, 32, "#7A5236", 150),
        (864, 262, 26, "#2F8F83", 45),
    ):
        out += wall_clock(x, y, r, c, hour, wall)
    out += floor("#B9825A", base, 280, "boards", 420) + veil(
        poly((130, 66), (130, 280), (560, base), (760, base)), "#FFE2A0", 0.2
    )
    out += veil(poly((330, base), (640, base), (820, H), (420, H)), "#FFE6AE", 0.28)
    return Setting("clock shop", out, 280, 138)


def wall_clock(x: float, y: float, r: float, colour: str, hour: float, wall: str) -> str:
    """A round clock in page pixels; `hour` is the angle of its short hand."""
    ticks = "".join(
        f"M{x + r * 0.62 * math.cos(a):.1f} {y + r * 0.62 * math.sin(a):.1f}"
        f"L{x + r * 0.74 * math.cos(a):.1f} {y + r * 0.74 * math.sin(a):.1f}"
        for a in (i * math.tau / 12 for i in range(12))
    )
    a, b = math.radians(hour - 90), math.radians(hour * 12 - 90)
    hands = (
        f"M{x} {y}L{x + r * 0.4 * math.cos(a):.1f} {y + r * 0.4 * math.sin(a):.1f}M{x} {y}"
        f"L{x + r * 0.6 * math.cos(b):.1f} {y + r * 0.6 * math.sin(b):.1f}"
    )
    return (
        path(oval(x + 5, y + 6, r), dark(wall, 0.24))
        + form(oval(x, y, r), colour, r * 0.14, 1.6)
        + form(oval(x, y, r * 0.8), "#FFF8E6", r * 0.06)
        + stroke(ticks, dark(colour, 0.3), 2)
        + stroke(hands, INK, max(r * 0.08, 2.4))
    )


def grandfather_clock() -> Prop:
    """A tall case clock, its door open so that pendulum and weights show; 84 x 214 cm."""
    oak, gold = "#7A4A31", "#D9AE4A"
    base = (
        form(box(6, 166, 56, 46, 2), oak, 5, 1.2)
        + form(box(14, 174, 40, 30, 2), light(oak, 0.12), 3, 1)
        + form(box(2, 206, 64, 8, 2), dark(oak, 0.2), 2)
    )
    case = form(box(12, 66, 44, 104), oak, 5, 1.2) + path(box(17, 72, 34, 94, 2), "#3F2A30")
    works = (
        stroke("M34 72V136", gold, 1.8)
        + form(oval(34, 140, 9), gold, 2.4, 0.8)
        + stroke("M24 72V104M44 72V116", "#8C8690", 1)
        + form(box(21.5, 104, 5, 20, 2), gold, 1.4)
        + form(box(41.5, 116, 5, 20, 2), gold, 1.4)
    )
    hood = (
        form("M4 68V22Q4 14 12 12Q20 2 34 2T56 12Q64 14 64 22V68z", oak, 5, 1.2)
        + form(box(0, 62, 68, 8, 2), light(oak, 0.1), 2, 0.8)
        + form(oval(34, 4, 5), gold, 1.4)
    )
    face = form(oval(34, 38, 21), gold, 3, 0.8) + form(oval(34, 38, 17.5), "#FFF8E6", 1.4)
    ticks = "".join(
        f"M{34 + 13 * math.cos(a):.1f} {38 + 13 * math.sin(a):.1f}"
        f"L{34 + 15.6 * math.cos(a):.1f} {38 + 15.6 * math.sin(a):.1f}"
        for a in (i * math.tau / 12 for i in range(12))
    )
    hands = stroke(ticks, INK, 1) + stroke("M34 38L34 26M34 38L43 42", INK, 1.8)
    leaf = (
        form(poly((56, 70), (80, 64), (80, 178), (56, 168)), light(oak, 0.08), 3, 1)
        + path(poly((60, 78), (76, 74), (76, 166), (60, 160)), "#BFD8DA")
        + veil(poly((60, 78), (70, 75.5), (60, 120)), "#fff", 0.5)
        + form(oval(77, 122, 1.6), gold, 0.4)
    )
    return Prop(
        "grandfather clock", 84, 214, shadow(36, 212, 44, 5, 0.6) + base + case + works + hood + face + hands + leaf
    )


def boxes_with_clock(w: float, h: float) -> Prop:
    """A stack of boxes with a mantel clock on top, in any box."""
    x, card, y = w / 2, "#C99A66", h
    out = shadow(x, h - 2, 32, 4, 0.6)
    for i, (bw, bh) in enumerate(((58, 44), (50, 38), (54, 34))):
        y -= bh
        tone = light(card, 0.1 * i)
        out += form(box(x - bw / 2 + (i % 2) * 4, y, bw, bh, 1), tone, 5, 1) + path(
            box(x - 5 + (i % 2) * 4, y, 9, bh), light(tone, 0.3)
        )
    k = min((y - 2) / 46, 1.0)
    clock = (
        form("M2 46V30Q2 4 23 4T44 30V46z", "#8A4A3A", 4, 1)
        + form(box(-2, 41, 50, 6, 2), dark("#8A4A3A", 0.2), 1.6)
        + form(oval(23, 24, 14), "#FFF8E6", 2)
        + stroke("M23 24V15M23 24L30 28", INK, 2)
        + form(oval(23, 2, 3), "#D9AE4A", 0.8)
    )
    return Prop("stack of boxes with a mantel clock", w, h, out + put(x - 23 * k, y - 47 * k, clock, k))


def cogs() -> Prop:
    """Brass cogs, a spring and a small screwdriver, spread on a bench; 90 x 16 cm."""
    out = ""
    for x, y, r, c in ((12, 9, 8, "#D9AE4A"), (29, 11, 5, "#C98D56"), (44, 8, 7, "#B9BEC8"), (78, 10, 6, "#D9AE4A")):
        teeth = "".join(
            box(x + (r + 0.6) * math.cos(a) - 1.1, y + (r + 0.6) * math.sin(a) * 0.7 - 1.1, 2.2, 2.2)
            for a in (i * math.tau / 9 for i in range(9))
        )
        out += (
            path(teeth, c)
            + form(oval(x, y, r, r * 0.7), c, 1.4, 0.4)
            + path(oval(x, y, r * 0.34, r * 0.24), dark(c, 0.5))
        )
    return Prop(
        "cogs",
        90,
        16,
        shadow(45, 14, 46, 2, 0.4) + out + stroke("M56 13l12-4", "#5A6379", 1.6) + stroke("M54 14l5-2", "#D8483A", 3),
    )


def oil_bottle() -> Prop:
    return Prop(
        "oil bottle",
        12,
        24,
        shadow(6, 23, 7, 1.4, 0.6)
        + form(box(1, 9, 10, 14.5, 2), "#E2B24A", 2, 0.6)
        + form("M4 9L5.4 1H6.6L8 9z", "#5A6379", 0.8)
        + path(box(1, 13, 10, 6), CREAM),
    )


def drawer_chest() -> Prop:
    """A chest of many small drawers, 96 x 88 cm."""
    out = shadow(48, 86, 54, 4, 0.6) + form(box(0, 0, 96, 86, 2), dark(WOOD, 0.14), 4, 1)
    for i in range(4):
        for j in range(4):
            out += form(box(5 + 22 * i, 6 + 19.5 * j, 20, 16, 1), light(WOOD, 0.1), 2, 0.6) + path(
                oval(15 + 22 * i, 14 + 19.5 * j, 1.7), INK
            )
    return Prop("chest of drawers", 96, 88, out, {"top": (48, 1)})
