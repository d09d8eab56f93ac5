"""Rooms of a school: a classroom before a test, one after lessons, a computer room, a corridor, an art room."""

from __future__ import annotations

from studio.drawing.kit import (
    BLUE,
    CORAL,
    CREAM,
    INK,
    LEAF,
    NAVY,
    PLUM,
    RED,
    STEEL,
    SUN,
    TEAL,
    WHITE,
    WOOD,
    box,
    clipped,
    dark,
    form,
    light,
    oval,
    path,
    poly,
    put,
    stroke,
    veil,
)  # fmt: skip
from studio.drawing.rooms import floor, light_shaft, pendant, wall, window
from studio.drawing.scene import Setting, W
from studio.drawing.school.laboratory import wall_shelf
from studio.drawing.school.library import book_row
from studio.drawing.school.schoolposters import chalk_board
from studio.drawing.weather import tree

CHALK = "#F4F1E2"


def wall_clock(x: float, y: float, r: float, rim: str = RED, hands: str = "M0 0V-16M0 0L10 6") -> str:
    out = (
        path(oval(x + 5, y + 6, r), "#3A2A5C", extra='opacity=".2"')
        + form(oval(x, y, r), rim, r * 0.12, 1.5)
        + path(oval(x, y, r * 0.8), WHITE)
    )
    ticks = "".join(
        oval(x + dx * r * 0.66, y + dy * r * 0.66, r * 0.06) for dx, dy in ((0, -1), (1, 0), (0, 1), (-1, 0))
    )
    return out + path(ticks, INK) + put(x, y, stroke(hands, INK, 3), r / 26)


def cork_board(x: float, y: float, w: float, h: float) -> str:
    """A pinboard, empty."""
    out = path(box(x + 6, y + 7, w, h, 3), "#3A2A5C", extra='opacity=".2"') + form(box(x, y, w, h, 3), WOOD, 3, 2)
    specks = "".join(oval(x + 16 + (i * 47.3) % (w - 32), y + 14 + (i * 29.7) % (h - 28), 1.6) for i in range(60))
    return out + path(box(x + 8, y + 8, w - 16, h - 16), "#D9B88C") + path(specks, "#C29E70")


def autumn_window(x: float, y: float, w: float, h: float) -> str:
    """A window on a grey day with an orange tree and falling leaves."""
    pane = box(x, y, w, h)
    leaves = "".join(
        path(
            "M0 0q5-6 10 0q-5 5-10 0z",
            c,
            extra=f'transform="translate({x + w * (i * 0.37 % 1):.0f},{y + h * (i * 0.53 % 1):.0f}) rotate({i * 50})"',
        )
        for i, c in enumerate((CORAL, SUN, "#D98A3D", CORAL, "#B9653A", SUN, CORAL, "#D98A3D"))
    )
    bars = stroke(f"M{x + w / 2:.1f} {y}v{h}M{x} {y + h * 0.45:.1f}h{w}", CREAM, max(min(w, h) * 0.036, 4))
    return (
        window(x, y, w, h, "overcast")
        + clipped(pane, tree(x + w * 0.3, y + h * 1.02, h * 0.9, "autumn") + leaves)
        + bars
    )


def exam_room() -> Setting:
    """A classroom from its back: blackboard, autumn windows, coat hooks, books."""
    horizon, eye, base = 236, 146, 470.0
    paint = "#DCE2DA"
    out = wall(paint, base) + path(box(0, 350, W, base - 365), "#B9C6C4") + path(box(0, 345, W, 8), CREAM)
    sums = (
        stroke("M40 40h120M40 70h150M40 100h90", CHALK, 5)
        + stroke("M240 104l44-66l44 66z", CHALK, 4)
        + stroke("M252 104v-12h14", CHALK, 3)
    )
    out += autumn_window(20, 70, 150, 210) + chalk_board(410, 90, 380, 190, sums)
    out += wall_clock(600, 46, 27, NAVY)
    out += form(box(846, 190, 170, 12, 3), WOOD, 2, 1)
    for i, c in enumerate((CORAL, TEAL, NAVY, SUN)):
        x = 866 + 40 * i
        out += stroke(f"M{x} 200q0 10 8 8", STEEL, 4)
        out += form(f"M{x - 12} 216Q{x} 206 {x + 16} 216L{x + 24} {300 + i % 2 * 22}H{x - 20}z", c, 6, 1.4)
    return Setting("exam classroom", out + floor("#B8A189", base, horizon, "tiles"), horizon, eye)


def history_corner() -> Setting:
    """A classroom after lessons on a rainy noon: a seating plan in chalk, a pinboard, a map, lamps."""
    horizon, eye, base = 218, 140, 448.0
    paint = "#E6D3B4"
    plan = ""
    for i in range(6):
        x, y = 34 + i % 3 * 84, 34 + i // 3 * 62
        plan += stroke(box(x, y, 58, 34, 3), CHALK, 3) + path(
            "".join(oval(x + a, y + b, 4.4) for a in (14, 44) for b in (-8, 42)), CHALK
        )
    out = wall(paint, base) + path(box(0, 330, W, base - 345), "#B59F86") + path(box(0, 325, W, 8), CREAM)
    out += window(24, 46, 150, 226, "storm") + window(206, 46, 150, 226, "storm")
    out += chalk_board(404, 70, 288, 190, plan)
    out += cork_board(728, 50, 282, 240)
    out += (
        _world_map(752, 68, 128, 84)
        + _photo(756, 174, 54, 44, "#C9B79A")
        + _photo(820, 184, 54, 44, "#B5A48C")
        + _photo(776, 230, 60, 42, "#BFAE90")
    )
    out += floor("#A98463", base, horizon, "boards", 480)
    return Setting(
        "history classroom",
        out + pendant(300, 60, "#C8745A") + pendant(600, 60, "#C8745A"),
        horizon,
        eye,
        veil(box(0, 0, W, 683), "#4A5A86", 0.1),
    )


def _world_map(x: float, y: float, w: float, h: float) -> str:
    land = f"M{x + 12} {y + 16}q18-10 30 4t-8 22q-6 16-14 4t-8-30z"
    land += f"M{x + 60} {y + 14}q24-8 50 4t0 24q-16 2-22 16t-18-8q2-16-12-18z"
    return (
        path(box(x, y, w, h), WHITE)
        + path(box(x + 4, y + 4, w - 8, h - 8), "#A9D0DC")
        + path(land, "#C9B06A")
        + path(oval(x + 4, y + 2, 4) + oval(x + w - 4, y + 2, 4), RED)
    )


def _photo(x: float, y: float, w: float, h: float, tone: str) -> str:
    """An old photograph of houses."""
    house = f"M{x + 8} {y + h - 6}v-14l8-8l8 8v14zM{x + 28} {y + h - 6}v-20h14v20z"
    return (
        path(box(x + 2, y + 3, w, h), "#3A2A5C", extra='opacity=".2"')
        + path(box(x, y, w, h), WHITE)
        + path(box(x + 3, y + 3, w - 6, h - 6), tone)
        + path(house, dark(tone, 0.4))
        + path(oval(x + w / 2, y + 1, 3.4), TEAL)
    )


def blinds(x: float, y: float, w: float, h: float, view: str, share: float = 0.6) -> str:
    """A window behind a half drawn slatted blind."""
    slats = "".join(
        path(box(x - 6, y + i * 13, w + 12, 9, 2), CREAM if i % 2 else light(CREAM, 0.4))
        + path(box(x - 6, y + i * 13 + 9, w + 12, 2), "#B9A98C")
        for i in range(int(h * share / 13))
    )
    return window(x, y, w, h, view) + slats + stroke(f"M{x + w - 14} {y}v{h * share + 30}", "#B9A98C", 2)


def computer_room(view: str = "day", *, high: bool = False) -> Setting:
    """A school's computer room from a seat, or, `high`, from a little above in bright light."""
    if high:
        horizon, eye, base = 90, 200, 300.0
        out = wall("#D5E3C8", base) + window(60, 20, 470, 170, view) + light_shaft(60, 20, 470, 170, base)
        return Setting("computer room", out + floor("#C2AE92", base, horizon, "tiles", 420), horizon, eye)
    horizon, eye, base = 236, 124, 430.0
    out = wall("#BFCFDD", base) + path(box(0, 336, W, base - 350), "#9DB2C6")
    out += blinds(30, 60, 190, 200, view) + blinds(770, 60, 190, 200, view, 0.8)
    board = (
        path(box(336, 62, 340, 170, 4), "#3A2A5C", extra='opacity=".18"')
        + form(box(330, 56, 340, 170, 4), STEEL, 3, 1.5)
        + path(box(338, 64, 324, 154), WHITE)
    )
    flow = (
        stroke("M404 100h50M510 100h46M482 122v30", NAVY, 3)
        + stroke(box(360, 84, 44, 32, 4), BLUE, 4)
        + stroke(box(456, 84, 52, 36, 16), LEAF, 4)
        + stroke(box(558, 84, 60, 32, 4), CORAL, 4)
        + stroke(poly((482, 152), (512, 174), (482, 198), (452, 174)), PLUM, 4)
    )
    return Setting("computer room", out + board + flow + floor("#8A97A8", base, horizon, "tiles", 500), horizon, eye)


def art_room(view: str = "sunset") -> Setting:
    """The corner of an art room from close by, in low sun: children's pictures on a line, pots of paint."""
    horizon, eye = 76, 150
    paint = "#F2CFA0"
    out = wall(paint, 640) + window(34, 40, 220, 226, view) + light_shaft(34, 40, 220, 226, 470, "#FFE3A8")
    pots = "".join(
        form(
            box(6 + 30 * i, -34 - i % 2 * 6, 26, 34 + i % 2 * 6, 3),
            CREAM,
            4,
            1.4,
            path(box(6 + 30 * i, -20, 26, 12), c),
        )
        for i, c in enumerate((RED, SUN, LEAF, BLUE, PLUM, CORAL))
    )
    out += wall_shelf(826, 176, 190, pots) + wall_shelf(826, 60, 190, put(6, -52, book_row(40, 13, 3), 4))
    return Setting("art room", out, horizon, eye)
