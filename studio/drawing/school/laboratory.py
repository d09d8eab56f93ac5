"""Laboratories: a school's, with a bench close to the camera, and one for research, seen as a room."""

from __future__ import annotations

from studio.drawing.kit import (
    CORAL,
    CREAM,
    LEAF,
    NAVY,
    PINK,
    PLUM,
    SKY,
    SUN,
    TEAL,
    WHITE,
    WOOD,
    box,
    dark,
    form,
    light,
    oval,
    path,
    put,
)  # fmt: skip
from studio.drawing.rooms import floor, light_shaft, pendant, wall, window
from studio.drawing.scene import Setting, W
from studio.drawing.school.depths import level
from studio.drawing.school.labware import jars

BROWN, AMBER = "#9A6A48", "#C98A3A"


def wall_shelf(x: float, y: float, w: float, body: str = "") -> str:
    """A board on two brackets with its shadow, and what stands on it, drawn upwards from (x, y)."""
    out = path(box(x + 5, y + 9, w, 8, 2), "#3A2A5C", extra='opacity=".18"')
    out += "".join(path(f"M{a} {y + 8}v20l16-20z", dark(WOOD, 0.3)) for a in (x + 18, x + w - 30))
    return out + form(box(x, y, w, 9, 2), WOOD, 2, 1) + put(x, y, body)


def bottle_row(colours: tuple[str, ...], k: float, w: float = 9, h: float = 16) -> str:
    """Bottles standing on (0, 0), `k` pixels per centimetre."""
    return put(8, -h * k, jars(colours, w, h).body, k)


def chart(x: float, y: float, w: float) -> str:
    """A wall chart of the elements: coloured squares in steps, no letters."""
    h = w * 0.62
    out = path(box(x + 5, y + 6, w, h, 3), "#3A2A5C", extra='opacity=".2"') + form(box(x, y, w, h, 3), WHITE, 2)
    c = w * 0.92 / 14
    tones = (CORAL, SUN, LEAF, SKY, PLUM, PINK, TEAL)
    for row, spans in enumerate(
        (((0, 1), (13, 14)), ((0, 2), (9, 14)), ((0, 2), (9, 14)), ((0, 14),), ((0, 14),), ((0, 14),))
    ):
        for a, b in spans:
            for i in range(a, b):
                tone = tones[min(i // 2, 6)] if i < 12 else tones[(i + row) % 2 + 3]
                out += path(box(x + w * 0.04 + i * c, y + h * 0.1 + row * c * 1.04, c * 0.86, c * 0.9, 1), tone)
    rails = form(box(x - 6, y - 5, w + 12, 8, 3), dark(WOOD, 0.2), 2) + form(
        box(x - 6, y + h - 3, w + 12, 8, 3), dark(WOOD, 0.2), 2
    )
    return out + rails


def school_lab(view: str = "morning", *, close: bool = False) -> Setting:
    """A school laboratory behind a bench; `close` looks at the bench from nearer, before shelves and a blind."""
    horizon, eye = (110, 150) if close else (160, 165)
    paint = "#F3DFC6" if close else "#CFE3DF"
    base = 640.0
    out = wall(paint, base)
    if close:
        out += window(690, -40, 250, 300, view)
        out += wall_shelf(40, 92, 300, bottle_row((BROWN, AMBER, TEAL, BROWN, NAVY), 4.6))
        out += wall_shelf(70, 240, 210, bottle_row((AMBER, BROWN, CORAL), 4.6, 10, 17))
    else:
        out += path(box(0, 300, W, 340), dark(paint, 0.1)) + path(box(0, 296, W, 8), CREAM)
        out += window(36, 30, 200, 226, view) + light_shaft(36, 30, 200, 226, 480)
        out += chart(400, 36, 264)
        out += wall_shelf(760, 124, 230, bottle_row((BROWN, TEAL, AMBER, BROWN, PLUM), 3.5))
        out += wall_shelf(760, 250, 230, bottle_row((AMBER, BROWN, SKY), 3.4, 12, 17))
    return Setting("school laboratory", out, horizon, eye)


def research_lab(view: str = "sunset") -> Setting:
    """A research laboratory in the afternoon, half dark for a talk."""
    horizon, eye, base = 300, 140, 470.0
    paint = "#8FA6B8"
    out = (
        wall(paint, base)
        + path(box(0, 330, W, base - 345), dark(paint, 0.12))
        + path(box(0, 326, W, 6), light(paint, 0.3))
    )
    out += window(24, 70, 130, 210, view)
    out += wall_shelf(786, 150, 216, bottle_row((BROWN, TEAL, AMBER, SKY, BROWN, PLUM), 2.7))
    out += floor("#A79C98", base, horizon, "tiles")
    return Setting("research laboratory", out + pendant(880, 60, TEAL, glow=False), horizon, eye)


def bench_front(setting: Setting, near: float, up: float, colour: str = "#7C97A8") -> str:
    """Doors below the near edge of a bench that fills the width of the page, in page pixels."""
    y = level(setting, near, up) + 5 * near
    out = path(box(0, y, W, 700 - y), dark(colour, 0.12)) + path(box(0, y, W, 12), dark(colour, 0.35))
    for i in range(-1, 5):
        x = 40 + i * 236
        out += form(box(x, y + 24, 220, 300, 5), colour, 5, 2) + form(oval(x + 198, y + 66, 8), CREAM, 2)
    return out
