"""Museum halls of two kinds, one under a skylight and one dim with old finds, and what stands in them."""

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
    WHITE,
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
from studio.drawing.leisure.museum import gilt
from studio.drawing.rooms import floor
from studio.drawing.scene import Setting, W
from studio.drawing.weather import lamp_glow


def sunflowers(w: float, h: float) -> str:
    """Sunflowers in a blue jug on a table, in a field of that size: the painting and its copy."""
    out = path(box(0, 0, w, h), "#E9D9A0") + path(box(0, h * 0.76, w, h), "#B5744A")
    x = w / 2
    stems = "".join(
        f"M{x:.1f} {h * 0.62:.1f}Q{x + dx * 0.5:.1f} {h * 0.5:.1f} {x + dx:.1f} {h * y:.1f}"
        for dx, y in ((-w * 0.26, 0.34), (0, 0.2), (w * 0.26, 0.32), (-w * 0.12, 0.46), (w * 0.14, 0.48))
    )
    out += stroke(stems, "#5E8C4A", w * 0.02)
    out += form(
        f"M{x - w * 0.13:.1f} {h * 0.56:.1f}Q{x - w * 0.22:.1f} {h * 0.74:.1f} {x - w * 0.12:.1f} {h * 0.88:.1f}"
        f"H{x + w * 0.12:.1f}Q{x + w * 0.22:.1f} {h * 0.74:.1f} {x + w * 0.13:.1f} {h * 0.56:.1f}z",
        BLUE,
        w * 0.04,
        1,
    )
    out += stroke(
        f"M{x + w * 0.16:.1f} {h * 0.62:.1f}Q{x + w * 0.3:.1f} {h * 0.66:.1f} {x + w * 0.17:.1f} {h * 0.78:.1f}",
        BLUE,
        w * 0.03,
    )
    for dx, y in ((-0.26, 0.34), (0, 0.2), (0.26, 0.32), (-0.12, 0.46), (0.14, 0.48)):
        out += flower(x + w * dx, h * y, w * 0.13, "#F0B429", "#6B4426", 13)
    return out


def skylit_gallery() -> Setting:
    """A hall under a skylight on a quiet morning; the flower picture hangs in the middle among others."""
    wall, base = "#B9A7B0", 448
    out = path(box(0, 0, W, base), wall) + path(box(0, 0, W, 52), light(wall, 0.5))
    glass = path(poly((250, 0), (820, 0), (900, 40), (170, 40)), "#E4F2F4") + stroke(
        "M170 40H900M350 0L310 40M450 0L430 40M550 0L560 40M650 0L690 40M750 0L800 40", "#FFFDF6", 5
    )
    out += (
        glass
        + veil(poly((170, 44), (900, 44), (1000, base), (60, base)), "#FFFBEA", 0.22)
        + path(box(0, 50, W, 7), dark(wall, 0.16))
    )
    out += (
        path(box(0, base - 78, W, 78), dark(wall, 0.14))
        + path(box(0, base - 84, W, 8), light(wall, 0.4))
        + path(box(0, base - 12, W, 12), dark(wall, 0.4))
    )
    out += gilt(520, 84, 200, 232, sunflowers(164, 196), "#E9D9A0")
    hills = (
        path("M0 70Q40 40 80 66T150 56V130H0z", "#6E9A78")
        + path("M0 96Q60 74 150 98V130H0z", "#4F7A5E")
        + path(oval(110, 26, 13), "#F6E3B0")
    )
    out += gilt(64, 130, 170, 136, hills, "#A9C4D0")
    lady = (
        path("M20 130Q24 78 52 76T86 130z", "#7A3F4A")
        + form(oval(53, 52, 18, 22), "#E3B48C", 4)
        + path("M32 56Q30 24 53 24T76 56Q70 36 53 36T32 56z", "#4A3328")
        + path(oval(47, 52, 1.8) + oval(60, 52, 1.8), INK)
        + stroke("M48 63q5 3 10 0", "#A8504A", 2)
    )
    out += gilt(300, 112, 128, 158, lady, "#4F5A4A") + gilt(
        880, 150, 120, 140, form(oval(50, 60, 30), CORAL, 5) + path(box(0, 86, 110, 50), "#5E7FA0"), "#E7D3B0"
    )
    return Setting("museum", out + floor("#B98A5E", base, 290, "boards", 500), 290, 124)


def ancient_hall() -> Setting:
    """A dim hall of old finds: dark walls, three spotlights, an arch to a lit room, stone tiles."""
    wall, base = "#4A4F66", 440
    out = (
        path(box(0, 0, W, base), wall)
        + path(box(0, 0, W, 40), dark(wall, 0.4))
        + stroke("".join(f"M{x} 40V{base}" for x in range(70, W, 150)), dark(wall, 0.18), 4)
    )
    arch = "M34 440V220Q34 130 116 130T198 220V440z"
    out += (
        path("M16 440V218Q16 112 116 112T216 218V440z", "#8A8496")
        + form(arch, "#E2C48E", 0)
        + clipped(
            arch,
            path(box(20, 404, 200, 40), "#B98A5E")
            + form(box(86, 340, 60, 66, 2), "#D9CDBD", 5)
            + form("M100 340Q92 300 108 284V270H124V284Q140 300 132 340z", "#B5603F", 6),
        )
    )
    for x, to in ((372, 372), (640, 650), (824, 824)):
        out += path(poly((x - 12, 40), (x + 12, 40), (x + 16, 66), (x - 16, 66)), "#24283A") + path(
            oval(x, 67, 15, 4), "#FFF3C8"
        )
        out += veil(poly((x - 14, 68), (x + 14, 68), (to + 130, base + 40), (to - 130, base + 40)), "#FFE9B0", 0.17)
    out += path(box(0, base - 16, W, 16), dark(wall, 0.5)) + floor("#77748A", base, 282, "tiles", 470)
    out += "".join(veil(oval(x, base + 66, 150, 26), "#FFE9B0", 0.2) for x in (372, 824))
    return Setting("museum", out + lamp_glow(116, 300, 130), 282, 150)


def _easel(name: str, picture: str) -> Prop:
    legs = stroke("M45 4V150M30 60L12 168M60 60L78 168", dark(WOOD, 0.2), 4.4) + stroke(
        "M45 120L56 160", dark(WOOD, 0.4), 4
    )
    canvas = form(box(8, 22, 74, 88, 1), CREAM, 2) + put(11, 25, clipped(box(0, 0, 68, 82), picture))
    return Prop(
        name,
        90,
        170,
        shadow(45, 167, 44, 4, 0.55)
        + legs
        + canvas
        + form(box(6, 109, 78, 5, 1), WOOD, 1.2, 0.5)
        + form(box(39, 14, 12, 9, 1), WOOD, 1.2),
    )


def easel_copy() -> Prop:
    """An easel with an exact copy of the flower picture on the wall, 90 x 170 cm."""
    return _easel("easel with a copy of the painting", sunflowers(68, 82))


def easel_cat() -> Prop:
    """The harmless stand-in: the same easel with a drawing of a cat."""
    cat = stroke("M20 70Q14 44 26 36L24 22L34 30H44L54 22L52 36Q62 46 56 70Q38 76 20 70z", INK, 1.8) + path(
        oval(33, 40, 1.8) + oval(45, 40, 1.8), INK
    )
    cat += stroke("M36 46l3 2l3-2M39 48v3M28 46l-10-2M28 49l-10 2M50 46l10-2M50 49l10 2M56 66q14 2 10-16", INK, 1.4)
    return _easel("easel with a drawing of a cat", path(box(0, 0, 68, 82), WHITE) + cat)


def palette() -> Prop:
    """A painter's palette, 34 x 24 cm."""
    dabs = "".join(
        path(oval(x, y, 2.6, 2), c)
        for x, y, c in ((8, 8, RED), (15, 5, SUN), (23, 6, LEAF), (28, 11, BLUE), (8, 15, WHITE))
    )
    return Prop(
        "palette",
        34,
        24,
        form("M2 12Q2 1 18 1T33 12Q33 18 26 16Q20 15 21 20Q20 24 14 23Q2 22 2 12z", WOOD, 2, 0.6) + dabs,
    )


def brush() -> Prop:
    return Prop(
        "brush",
        3,
        30,
        stroke("M1.5 8V29", dark(WOOD, 0.2), 1.5)
        + stroke("M1.5 5V9", STEEL, 2)
        + form("M.2 5Q1.5-2 2.8 5z", "#F0B429", 0.3),
    )


def paint_box() -> Prop:
    """An open paint box on the floor, 46 x 26 cm."""
    tubes = "".join(form(box(5 + 7 * i, 13, 5, 10, 1), c, 0.8) for i, c in enumerate((RED, SUN, LEAF, BLUE, CORAL)))
    return Prop(
        "paint box",
        46,
        26,
        shadow(23, 25, 26, 2, 0.6)
        + form(poly((3, 12), (43, 12), (40, 0), (6, 0)), dark(WOOD, 0.2), 1.4)
        + path(box(2, 11, 42, 6), dark(WOOD, 0.5))
        + tubes
        + form(box(1, 16, 44, 9, 1), WOOD, 1.6, 0.6),
    )


def wheelchair() -> Prop:
    """A wheelchair that faces right, 100 x 96 cm; anchor seat."""
    spokes = "".join(
        f"M40 64L{40 + 26 * math.cos(a):.1f} {64 + 26 * math.sin(a):.1f}" for a in (i * math.tau / 8 for i in range(8))
    )
    frame = stroke("M20 8L24 62M22 48H66L74 82M10 8H22", "#3F4658", 4.4) + stroke("M24 30H54", TEAL, 5)
    wheel = stroke(oval(40, 64, 29), "#2E3448", 4.4) + stroke(spokes, STEEL, 1) + form(oval(40, 64, 4), STEEL, 1)
    return Prop(
        "wheelchair",
        100,
        96,
        shadow(48, 94, 50, 4, 0.6)
        + frame
        + form(box(18, 42, 50, 7, 3), "#7A3F4A", 2)
        + stroke("M72 84H90", "#3F4658", 5)
        + stroke(oval(72, 87, 7), "#2E3448", 3.4)
        + wheel,
        {"seat": (34, 42)},
    )
