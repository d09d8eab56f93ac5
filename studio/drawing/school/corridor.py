"""A school corridor that runs away from the viewer: lockers on the left, a pinboard on the right, a door at its end."""

from __future__ import annotations

from studio.drawing.kit import (
    CORAL,
    CREAM,
    NAVY,
    PINK,
    SKY,
    SUN,
    TEAL,
    WHITE,
    WOOD,
    Pt,
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
)  # fmt: skip
from studio.drawing.scene import H, Setting, W
from studio.drawing.school.schoolrooms import wall_clock
from studio.drawing.weather import tree

HORIZON, EYE, MIDDLE = 250.0, 145.0, 540.0
HALF = 190
"""Half the width of the corridor in cm."""
END, FRONT = 1.5, 4.0
"""Pixels per cm at the end wall, and at a depth that lies before the page."""


def corridor() -> Setting:
    """The corridor in the early morning, with the door open."""
    paint = "#F0DDB2"
    floor = poly(_at(-1, END, 0), _at(1, END, 0), _at(1, FRONT, 0), _at(-1, FRONT, 0))
    out = path(box(0, 0, W, H), paint) + path(_side(-1, END, FRONT, 300, 0), dark(paint, 0.1))
    out += path(_side(1, END, FRONT, 300, 0), light(paint, 0.2)) + _lockers() + _pinboard()
    (x, y), low = _at(-1, END, 300), _at(0, END, 0)[1]
    out += path(box(x, y, 2 * HALF * END, low - y), light(paint, 0.1))
    out += path(box(x, low - 12, 2 * HALF * END, 12), CREAM) + wall_clock(
        _at(0.42, END, 0)[0], 60, 26, NAVY, "M0 0V-14M0 0L-12 8"
    )
    out += (
        path(floor, "#C9B79C") + stroke(_joints(), "#B5A183", 2) + _open_door(_at(-0.92, END, 0)[0], _at(0, END, 0)[0])
    )
    return Setting("school corridor", out, HORIZON, EYE)


def _at(side: float, s: float, up: float) -> Pt:
    """Where a point lies on the page: `side` from the left wall (-1) to the right (1), at scale `s`, `up` cm high."""
    return MIDDLE + side * HALF * s, HORIZON + (EYE - up) * s


def _side(side: float, a: float, b: float, high: float, low: float) -> str:
    """A rectangle on a side wall between two depths and two heights."""
    return poly(_at(side, a, high), _at(side, a, low), _at(side, b, low), _at(side, b, high))


def _line(a: Pt, b: Pt) -> str:
    return f"M{a[0]:.0f} {a[1]:.0f}L{b[0]:.0f} {b[1]:.0f}"


def _joints() -> str:
    """The joints of the floor tiles."""
    along = "".join(_line(_at(k / 4, END, 0), _at(k / 4, FRONT, 0)) for k in range(-3, 4))
    return along + "".join(_line(_at(-1, s, 0), _at(1, s, 0)) for s in (1.66, 1.86, 2.12, 2.46, 2.92))


def _lockers() -> str:
    out, depths = "", [700 / (466 - 42 * i) for i in range(8)]
    for i, (a, b) in enumerate(zip(depths, depths[1:], strict=False)):
        c = (TEAL, "#3F8FA0")[i % 2]
        out += path(_side(-1, a, b, 184, 8), c) + path(_side(-1, b - 0.03, b, 184, 8), dark(c, 0.35))
        slits = "".join(_line(_at(-1, a + (b - a) * 0.25, u), _at(-1, a + (b - a) * 0.7, u)) for u in (166, 158, 150))
        x, y = _at(-1, a + (b - a) * 0.7, 100)
        out += stroke(slits, dark(c, 0.4), 3) + path(box(x - 2, y, 5, 16, 2), SUN)
    return out


def _pinboard() -> str:
    notes = (
        (1.78, 1.9, 196, 160, WHITE),
        (1.96, 2.1, 194, 150, SKY),
        (1.8, 1.94, 146, 108, PINK),
        (2.0, 2.12, 138, 104, SUN),
    )
    board = path(_side(1, 1.7, 2.2, 210, 90), WOOD) + path(_side(1, 1.73, 2.16, 204, 96), "#D9B88C")
    return board + "".join(path(_side(1, a, b, high, low), c) for a, b, high, low, c in notes)


def _open_door(x0: float, x1: float) -> str:
    """A double door with both leaves open on a sunny morning, and the light that falls in."""
    top, base, leaf = _at(0, END, 214)[1], _at(0, END, 0)[1], dark(CORAL, 0.1)
    way = box(x0, top, x1 - x0, base - top)
    yard = path(way, "#FFE9C0") + path(oval(x0 + 70, top + 70, 26), "#FFF8E0")
    yard += path(f"M{x0} {base - 90}Q{(x0 + x1) / 2} {base - 140} {x1} {base - 84}V{base}H{x0}z", "#A9C98A")
    yard += tree(x1 - 70, base - 60, 130, "round")
    yard += path(poly((x0 + 90, base - 100), (x0 + 130, base - 100), (x1 - 30, base), (x0 + 20, base)), "#E9DCC2")
    out = veil(poly((x0, base), (x1, base), (x1 + 240, 690), (x0 + 140, 690)), "#FFF1CC", 0.5)
    out += path(box(x0 - 12, top - 14, x1 - x0 + 24, base - top + 14, 3), WOOD) + clipped(way, yard)
    out += form(poly((x1, top), (x1 + 44, top - 20), (x1 + 44, base + 26), (x1, base)), leaf, 4, 2)
    out += path(poly((x1 + 9, top + 30), (x1 + 35, top + 20), (x1 + 35, top + 130), (x1 + 9, top + 126)), "#FFF1CC")
    return out + path(poly((x0, top), (x0 + 34, top + 14), (x0 + 34, base + 14), (x0, base)), leaf)
