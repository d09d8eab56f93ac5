"""Backgrounds under a roof."""

from __future__ import annotations

from studio.drawing.kit import (
    CORAL,
    CREAM,
    LEAF,
    NAVY,
    PINK,
    RED,
    SUN,
    TEAL,
    WOOD,
    box,
    dark,
    form,
    light,
    oval,
    path,
    poly,
    stroke,
)
from studio.drawing.scene import H, Setting, W


def playroom() -> Setting:
    wall, base, vx = "#F7E2C0", 505, 560
    out = path(box(0, 0, W, base), wall) + "".join(
        path(box(x, 0, 26, base), light(wall, 0.35)) for x in range(0, W, 52)
    )
    out += path(poly((265, 60), (620, 395), (620, base), (380, base), (270, 400)), "#FFF6DA", extra='opacity=".45"')
    out += path(box(0, 400, W, base - 400), "#B9CDB2") + "".join(
        stroke(f"M{x} 408V{base}", dark("#B9CDB2", 0.13), 2) for x in range(14, W, 40)
    )
    out += (
        path(box(0, 394, W, 12, 3), CREAM)
        + path(box(0, 406, W, 5), dark("#B9CDB2", 0.25))
        + path(box(0, base - 17, W, 17), CREAM)
        + path(box(0, base - 3, W, 3), dark(CREAM, 0.3))
    )
    out += _window(wall)
    # bunting and pictures
    out += stroke("M328 16Q576 98 824 22", dark(WOOD, 0.1), 2.5) + path(oval(328, 16, 4) + oval(824, 22, 4), RED)
    for i, c in enumerate((RED, SUN, TEAL, PINK, NAVY, CORAL, LEAF, SUN, RED)):
        t = (i + 0.5) / 9
        x = 340 + 470 * t
        y = (1 - t) ** 2 * 20 + 2 * t * (1 - t) * 96 + t * t * 26
        out += form(poly((x - 17, y - 1), (x + 17, y), (x + 1, y + 36)), c, 4, 1.5)
    out += _picture(372, 150, 96, 118, wall)
    # floor boards run to the vanishing point; patch of window light; rug
    floor = "#DDAE78"
    out += path(box(0, base, W, H - base), floor) + "".join(
        stroke(f"M{vx + (x - vx) * 0.535:.0f} {base}L{x} {H}", dark(floor, 0.15), 2) for x in range(-760, 1900, 76)
    )
    out += path(poly((330, base), (520, base), (640, 600), (420, 600)), "#FFEFC4", extra='opacity=".4"')
    for rx, ry, c in (
        (392, 80, "#8FB8B0"),
        (372, 75, CREAM),
        (342, 69, "#E9A58C"),
        (250, 50, "#F0BDA2"),
        (236, 47, "#E9A58C"),
    ):
        out += path(oval(512, 606 if rx < 392 else 608, rx, ry), c)
    return Setting("playroom", out, 300, 75)


def _window(wall: str) -> str:
    """A window with a view, a sill and curtains."""
    out = (
        path(box(50, 44, 216, 252, 6), dark(wall, 0.16))
        + path(box(44, 40, 216, 250, 6), CREAM)
        + path(box(58, 54, 188, 222), "#BFE2EC")
    )
    out += (
        path("M58 214Q110 170 160 208T246 190V276H58z", "#9CC48A")
        + path("M58 246Q130 210 246 240V276H58z", LEAF)
        + path("M86 104q4-18 22-14q8-16 26-6q18-4 18 12q8 8-4 8z", "#fff")
    )
    out += (
        stroke("M152 54v222M58 160h188", CREAM, 9)
        + path(box(34, 284, 236, 15, 4), CREAM)
        + path(box(34, 296, 236, 5), dark(CREAM, 0.25))
    )
    out += form(
        "M22 30H100C102 120 84 190 44 236Q30 300 26 376H8Q14 180 22 30z",
        "#E58E78",
        6,
        2,
        "".join(stroke(f"M{x} 30Q{x + 4} 160 {x - 26} 376", dark("#E58E78", 0.14), 5) for x in (46, 70)),
    )
    out += form(
        "M284 30H206C204 120 222 190 262 236Q276 300 280 376H298Q292 180 284 30z",
        "#E58E78",
        6,
        2,
        "".join(stroke(f"M{x} 30Q{x - 4} 160 {x + 26} 376", dark("#E58E78", 0.14), 5) for x in (232, 256)),
    )
    out += stroke("M6 30H300", dark(WOOD), 7) + form(oval(5, 30, 8), WOOD, 2) + form(oval(301, 30, 8), WOOD, 2)
    return out


def _picture(x: float, y: float, w: float, h: float, wall: str) -> str:
    out = (
        path(box(x + 6, y + 7, w, h, 3), dark(wall, 0.22))
        + form(box(x, y, w, h, 3), WOOD, 3, 2)
        + path(box(x + 9, y + 9, w - 18, h - 18), "#CFE7EA")
    )
    out += form(oval(x + w / 2, y + 50, 17), SUN, 3) + form(
        f"M{x + 9} {y + 88}q30-26 {w - 18} 0v{h - 97}h{18 - w}z", LEAF, 0
    )
    return out
