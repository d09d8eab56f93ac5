"""Stages: a playhouse at night from the stalls, a rehearsal among half-built scenery, the stage of a school hall."""

from __future__ import annotations

from studio.drawing.kit import (
    CREAM,
    LEAF,
    RED,
    SUN,
    TEAL,
    WOOD,
    box,
    clipped,
    dark,
    form,
    light,
    oval,
    path,
    poly,
    stroke,
    veil,
)
from studio.drawing.rooms import window
from studio.drawing.scene import H, Setting, W


def drapes(colour: str, wide: float, base: float, tied: bool = True) -> str:
    """A curtain at either side of the page down to `base`, and its border of swags above."""
    out = ""
    for k, x in ((1, 0), (-1, W)):
        low = x + k * wide * (0.62 if tied else 0.9)
        edge = (
            f"M{x} 0H{x + k * wide}Q{x + k * wide * 1.02:.0f} {base * 0.42:.0f} {low:.0f} {base * 0.66:.0f}"
            f"Q{low - k * 10:.0f} {base * 0.85:.0f} {low:.0f} {base}H{x}z"
        )
        folds = "".join(
            f"M{x + k * wide * t:.0f} 0"
            f"Q{x + k * wide * t * 1.05:.0f} {base * 0.5:.0f} {x + k * wide * t * 0.7:.0f} {base}"
            for t in (0.14, 0.33, 0.52, 0.71, 0.88)
        )
        out += form(edge, colour, 8, 0, stroke(folds, dark(colour, 0.28), wide * 0.05))
        if tied:
            y = base * 0.655
            out += stroke(f"M{x} {y - 8:.0f}Q{x + k * wide * 0.4:.0f} {y + 16:.0f} {low:.0f} {y:.0f}", SUN, 8)
    swags = "".join(form(f"M{x} 0h150q-10 54-75 54t-75-54z", light(colour, 0.05), 6, 2) for x in range(-40, W, 148))
    return out + form(box(0, 0, W, 24), dark(colour, 0.12), 0) + swags


def _castle(x: float, y: float, w: float, h: float) -> str:
    """A painted backcloth: a castle on a hill at dusk."""
    stone = "#7D7A9C"
    sky = (
        path(box(x, y, w, h), "#8794B8")
        + path(box(x, y + h * 0.34, w, h), "#C9A8A6")
        + path(oval(x + w * 0.2, y + h * 0.3, 34), "#F3DDB4")
    )
    sky += path(
        f"M{x} {y + h * 0.66:.0f}Q{x + w * 0.3:.0f} {y + h * 0.44:.0f} {x + w * 0.55:.0f} {y + h * 0.62:.0f}"
        f"T{x + w} {y + h * 0.52:.0f}V{y + h}H{x}z",
        "#6E7F86",
    )
    keep = ""
    for tx, top, tw in ((0.5, 0.34, 0.075), (0.6, 0.2, 0.085), (0.72, 0.3, 0.07), (0.83, 0.4, 0.08)):
        a, t, b = x + w * tx, y + h * top, w * tw
        teeth = "".join(box(a + b * (i * 0.4 - 0.1), t - 10, b * 0.24, 12) for i in range(3))
        keep += (
            form(box(a, t, b, h), stone, 7)
            + path(teeth, stone)
            + path(box(a + b * 0.4, t + 26, b * 0.2, 26, 5), "#F1D79A")
        )
    keep += form(
        poly((x + w * 0.585, y + h * 0.2), (x + w * 0.6425, y + h * 0.02), (x + w * 0.7, y + h * 0.2)), "#A4525A", 6
    )
    keep += form(box(x + w * 0.52, y + h * 0.5, w * 0.36, h), stone, 8) + path(
        f"M{x + w * 0.655:.0f} {y + h}V{y + h * 0.72:.0f}q{w * 0.04:.0f}-50 {w * 0.08:.0f} 0V{y + h}z", "#4A4568"
    )
    front = path(
        f"M{x} {y + h * 0.84:.0f}Q{x + w * 0.4:.0f} {y + h * 0.72:.0f} {x + w} {y + h * 0.88:.0f}V{y + h}H{x}z",
        "#54695F",
    )
    return clipped(box(x, y, w, h), sky + keep + front) + stroke(box(x, y, w, h), "#B98B5E", 6)


def playhouse() -> Setting:
    """The stage from a seat in the stalls, the eye just above its boards; one spotlight from the right."""
    base, edge, wood = 520, 606, "#8E6650"
    out = path(box(0, 0, W, H), "#2A2140") + _castle(150, 20, 724, 496)
    out += veil(box(0, 0, W, base), "#2A2150", 0.34)
    out += path(poly((90, base), (934, base), (W + 60, edge), (-60, edge)), wood)
    out += stroke(
        "".join(f"M{512 + (x - 512) * 0.6:.0f} {base}L{x} {edge}" for x in range(-200, 1260, 70)), dark(wood, 0.25), 2
    )
    out += drapes("#A8323F", 186, edge - 18)
    fade = '<stop stop-color="#FFF3C8" stop-opacity=".7"/><stop offset="1" stop-color="#FFF3C8" stop-opacity=".08"/>'
    out += f'<defs><linearGradient id="spot" x1="1" x2="0" y2="1">{fade}</linearGradient></defs>'
    out += path(poly((838, 44), (866, 62), (640, 578), (300, 578)), "url(#spot)") + veil(
        oval(470, 576, 190, 20), "#FFEDB8", 0.6
    )
    out += form(poly((832, 18), (874, 34), (868, 70), (826, 50)), "#3C3F55", 6, 2) + path(
        oval(846, 60, 24, 9), "#FFF6D8"
    )
    out += path(box(0, edge, W, 13), light(wood, 0.25)) + path(box(0, edge + 13, W, 90), "#2E2244")
    seat = "#6B2F4E"
    rows = "".join(
        form(
            f"M{x} {H}v-34q0-34 56-34t56 34v34z",
            seat,
            7,
            2,
            stroke(f"M{x + 16} {H}v-30q4-18 40-18t40 18v30", dark(seat, 0.2), 3),
        )
        for x in range(-60, W, 124)
    )
    return Setting("theatre", out, 470, 40, rows)


def rehearsal() -> Setting:
    """A bare stage under work lights: brick back wall, a painted window on its flat, the wings at both sides."""
    base, edge, brick, wood = 400, 628, "#9A7468", "#B58A64"
    out = path(box(0, 0, W, base), brick)
    rows = range(30, base, 22)
    out += stroke(
        "".join(f"M0 {y}H{W}" for y in rows)
        + "".join(f"M{x + i % 2 * 28} {y}v22" for i, y in enumerate(rows) for x in range(0, W, 56)),
        dark(brick, 0.1),
        2,
    )
    out += path(box(0, 0, W, 26), "#3A3348") + form(box(90, 38, 844, 9, 3), "#4B4658", 2)
    for x in (230, 512, 794):
        out += veil(poly((x - 20, 82), (x + 20, 82), (x + 190, base + 60), (x - 190, base + 60)), "#FFF3D0", 0.17)
        out += form(poly((x - 16, 47), (x + 16, 47), (x + 24, 84), (x - 24, 84)), "#33303F", 5, 1) + path(
            oval(x, 84, 23, 6), "#FFF8DF"
        )
    out += path(box(0, base, W, H - base), wood)
    out += stroke(
        "".join(f"M{512 + (x - 512) * 0.43:.0f} {base}L{x} {edge}" for x in range(-900, 1960, 84)), dark(wood, 0.18), 2
    )
    out += (
        path(oval(560, 560, 380, 54), "#7C4E63")
        + path(oval(560, 560, 352, 47), "#B07A72")
        + path(oval(560, 560, 336, 44), "#8D5A6C")
    )
    out += path(box(0, edge, W, 12), light(wood, 0.3)) + path(box(0, edge + 12, W, 60), "#3B2F42")
    out += "".join(path(oval(x, edge + 6, 5), "#FFEDB8") for x in range(36, W, 68))
    return Setting("rehearsal", out + drapes("#3F6E7E", 108, edge - 6, tied=False), 268, 130)


def school_hall() -> Setting:
    """A low stage in a school hall by day: high windows, bunting, a yellow curtain drawn aside, steps in front."""
    wall, base, edge, wood = "#DCE5DD", 424, 628, "#D9A873"
    out = path(box(0, 0, W, base), wall) + path(box(0, 300, W, base - 300), "#A9C4B4") + path(box(0, 294, W, 8), CREAM)
    for x in (196, 436, 676):
        out += window(x, 62, 150, 150, "day", frame="#FFFDF6")
        out += veil(poly((x, 220), (x + 150, 220), (x + 260, base), (x + 80, base)), "#FFF9E4", 0.3)
    out += stroke("M120 30Q512 96 904 30", dark(WOOD, 0.1), 2.4)
    for i, c in enumerate((RED, SUN, TEAL, CREAM, LEAF, RED, SUN, TEAL, CREAM, LEAF, RED)):
        t = (i + 0.5) / 11
        fx, fy = 120 + 784 * t, 30 + 66 * 2 * t * (1 - t)
        out += form(poly((fx - 15, fy - 1), (fx + 15, fy), (fx, fy + 30)), c, 4, 1)
    out += path(box(0, base, W, H - base), wood) + path(box(0, base - 9, W, 9), dark("#A9C4B4", 0.2))
    out += stroke(
        "".join(f"M{512 + (x - 512) * 0.42:.0f} {base}L{x} {edge}" for x in range(-900, 1960, 84)), dark(wood, 0.14), 2
    )
    for x in (330, 600):
        out += veil(poly((x, base), (x + 150, base), (x + 240, 560), (x + 50, 560)), "#FFF6D6", 0.35)
    out += path(box(0, edge, W, 10), light(wood, 0.4)) + path(box(0, edge + 10, W, 60), "#8C7A86")
    out += "".join(stroke(f"M{x} {edge + 12}V{H}", dark("#8C7A86", 0.16), 3) for x in range(20, W, 64))
    out += "".join(
        form(box(64 - 12 * i, edge + 4 + 22 * i, 170 + 24 * i, 26, 3), light(wood, 0.2 - 0.1 * i), 4, 2)
        for i in range(3)
    )
    for k, x in ((1, 0), (-1, W)):
        folds = "".join(f"M{x + k * t} 0Q{x + k * (t + 6)} 220 {x + k * (t - 8)} {edge - 6}" for t in (22, 48, 76))
        out += form(
            f"M{x} 0H{x + k * 96}Q{x + k * 104} 300 {x + k * 84} {edge - 6}H{x}z",
            "#E0A93F",
            8,
            0,
            stroke(folds, dark("#E0A93F", 0.16), 6),
        )
    return Setting("school hall", out, 262, 118)
