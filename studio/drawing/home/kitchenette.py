"""A kitchen for every day and the units along its wall."""

from __future__ import annotations

from studio.drawing.home.interiors import room, tint, window
from studio.drawing.kit import (
    BLUE,
    CORAL,
    INK,
    LEAF,
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
    oval,
    path,
    poly,
    put,
    shadow,
    stroke,
    veil,
)
from studio.drawing.scene import Setting


def home_kitchen(
    time: str = "day",
    weather: str = "clear",
    *,
    paper: str = "#F2E3CC",
    cabinet: str = "#8FB3C6",
    tile: str = "#EDEFE6",
    horizon: float = 250,
    eye: float = 140,
    base: float = 520,
    panes: float = 420,
    shelf: bool = True,
) -> Setting:
    """A tiled kitchen wall with wall cupboards beside a window; the floor is chequered."""
    if time != "day":
        paper, cabinet, tile = (dark(c, 0.14 if time == "dusk" else 0.3) for c in (paper, cabinet, tile))
    s = (base - horizon) / eye
    top = base - 92 * s  # of the units that stand against the wall
    lines = "".join(f"M{x} {top - 150:.0f}V{top + 10:.0f}" for x in range(0, 1024, 40))
    lines += "".join(f"M0 {top - 150 + 38 * k:.0f}H1024" for k in range(5))
    on_wall = path(box(0, top - 150, 1024, 170), tile) + stroke(lines, dark(tile, 0.1), 2)
    spans = [
        (x, w)
        for x, w in ((-30, 160), (136, 160), (302, 160), (560, 160), (726, 160), (892, 160))
        if x + w < panes - 30 or x > panes + 220
    ]
    for x, w in spans:
        low = top - 150
        on_wall += veil(box(x + 6, -10, w, low + 8, 4), "#3A2A5C", 0.2) + form(box(x, -10, w, low, 4), cabinet, 5, 2)
        on_wall += stroke(box(x + 14, 14, w - 28, low - 40, 4), dark(cabinet, 0.16), 3) + form(
            oval(x + w - 26, low - 44, 6), SUN, 1.6
        )
    on_wall += window(panes, 34, 190, top - 150, time=time, weather=weather)
    if shelf:
        on_wall += _spice_rack(panes + (230 if panes < 500 else -170), top - 78)
    front = {"day": "", "dusk": tint("#F08A3C", 0.1), "night": tint("#1B1F4A", 0.1)}[time]
    return room(
        "kitchen",
        paper=paper,
        ground="#D9B48F",
        kind="check",
        base=base,
        horizon=horizon,
        eye=eye,
        on_wall=on_wall,
        front=front,
        rail="",
    )


def _spice_rack(x: float, y: float) -> str:
    out = veil(box(x + 5, y + 4, 150, 10), "#3A2A5C", 0.2)
    for i, c in enumerate((RED, SUN, LEAF, CORAL, "#8A5A3B")):
        out += form(box(x + 10 + 27 * i, y - 34, 20, 34, 4), c, 3, 1) + form(
            box(x + 11 + 27 * i, y - 40, 18, 8, 2), "#6B5B4A", 1
        )
    return out + form(box(x, y, 150, 9, 3), WOOD, 2, 1)


def units(w: float = 240, colour: str = "#8FB3C6", top: str = "#E4C79B", drawers: int = 1) -> Prop:
    """Kitchen units along the wall, 92 cm high; things stand on the top edge."""
    out = path(box(2, 84, w - 4, 8), dark(colour, 0.5)) + form(box(0, 5, w, 80), colour, 2)
    n = max(round(w / 60), 1)
    for i in range(n):
        x, wide = i * w / n + 2, w / n - 4
        if i < drawers:
            for k in range(3):
                out += form(box(x, 9 + 25 * k, wide, 22, 1.5), light(colour, 0.1), 1.4, 0.5) + form(
                    box(x + wide / 2 - 8, 17 + 25 * k, 16, 3, 1.5), SUN, 0.8
                )
        else:
            out += form(box(x, 9, wide, 72, 1.5), light(colour, 0.1), 1.4, 0.5) + stroke(
                box(x + 5, 15, wide - 10, 60, 1), dark(colour, 0.12), 1
            )
            out += form(box(x + wide - 9, 34, 3, 14, 1.5), SUN, 0.8)
    slab = path(poly((3, -4), (w - 3, -4), (w, 0), (0, 0)), light(top, 0.3)) + form(
        box(-2, -0.4, w + 4, 6, 1.4), top, 1.4, 0.4
    )
    return Prop("kitchen units", w, 92, shadow(w / 2, 91, w * 0.52, 5, 0.5) + out + slab)


def cooker(lit: bool = False) -> Prop:
    """A stove with an oven door, 62 x 92 cm; pots stand on the top edge."""
    body = form(box(0, 2, 62, 88, 2), "#E4E6EA", 3, 1) + path(box(2, 87, 58, 5), "#4B5368")
    knobs = "".join(form(oval(10 + 10.5 * i, 11, 3.2), "#4B5368", 0.8) for i in range(5))
    glass = "#E8903C" if lit else "#4A4A5C"
    door = (
        form(box(5, 22, 52, 46, 3), "#3C3F50", 2)
        + path(box(11, 33, 40, 28, 2), glass)
        + form(box(8, 25, 46, 4, 2), STEEL, 1)
    )
    drawer = form(box(5, 71, 52, 14, 2), "#D3D7DE", 1.4) + form(box(24, 76, 14, 3, 1.5), STEEL, 0.8)
    hob = form(box(0, -2, 62, 6, 1.5), "#3C3F50", 1) + stroke("M8-2h16M38-2h16", INK, 2)
    return Prop("cooker", 62, 92, shadow(31, 91, 34, 4, 0.5) + body + knobs + door + drawer + hob)


def fridge(colour: str = "#CFE0DC", magnets: bool = True) -> Prop:
    """A tall fridge with magnets and a child's drawing, 68 x 178 cm."""
    body = form(box(0, 0, 68, 176, 5), colour, 5, 1.4) + stroke("M1 58H66", dark(colour, 0.3), 1.6)
    handles = form(box(57, 26, 3.4, 26, 1.7), STEEL, 1) + form(box(57, 66, 3.4, 40, 1.7), STEEL, 1)
    note = ""
    if magnets:
        note = put(
            16,
            76,
            path(box(0.8, 1, 22, 28), dark(colour, 0.24))
            + path(box(0, 0, 22, 28), WHITE)
            + path("M2 24Q11 14 20 24V26H2z", LEAF)
            + path(oval(15, 8, 3.4), SUN)
            + path(oval(11, 0.6, 2), RED),
            1,
            -5,
        )
        note += (
            form(oval(16, 22, 3), CORAL, 0.8)
            + form(oval(28, 30, 3), TEAL, 0.8)
            + form(box(36, 16, 7, 5, 1), SUN, 0.8)
            + form(oval(34, 124, 3), BLUE, 0.8)
        )
    return Prop(
        "fridge",
        68,
        178,
        shadow(34, 177, 38, 4, 0.5) + path(box(4, 174, 60, 4), dark(colour, 0.6)) + body + handles + note,
    )


def island(w: float = 330, colour: str = "#B5657A", top: str = "#E9DFD0") -> Prop:
    """A kitchen island near the viewer, 92 cm high with a deep top: it hides whoever stands behind it to the waist."""
    front = path(box(6, 20, w - 12, 90), colour) + path(box(6, 20, w - 12, 4), dark(colour, 0.3))
    n = round(w / 46)
    front += "".join(
        form(box(10 + i * (w - 16) / n, 29, (w - 16) / n - 6, 70, 1.5), light(colour, 0.12), 1.2, 0.4) for i in range(n)
    )
    slab = path(poly((14, -2), (w - 14, -2), (w + 2, 15), (-2, 15)), light(top, 0.2)) + stroke(
        f"M40 4H110M170 8H{w - 60}M70 11H190", dark(top, 0.06), 0.8
    )
    return Prop("kitchen island", w, 92, front + slab + form(box(-2, 14.5, w + 4, 7, 2), top, 2, 0.5))
