"""A museum hall: pictures, plinths and ropes."""

from __future__ import annotations

from studio.drawing.kit import (
    BLUE,
    CREAM,
    INK,
    LEAF,
    RED,
    SUN,
    WHITE,
    Prop,
    box,
    clipped,
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
from studio.drawing.scene import H, Setting, W

GOLD, STONE = "#C9A24F", "#DED6CC"


def gilt(x: float, y: float, w: float, h: float, art: str, ground: str) -> str:
    """A framed painting on the wall, in page pixels; `art` is drawn in its own w x h field."""
    b = min(w, h) * 0.09
    frame = path(box(x + 7, y + 8, w, h, 3), "#2E3F4A", extra='opacity=".35"') + form(box(x, y, w, h, 3), GOLD, 4, 2)
    inner = stroke(box(x + b * 0.5, y + b * 0.5, w - b, h - b, 2), dark(GOLD, 0.25), 2)
    field = box(0, 0, w - 2 * b, h - 2 * b)
    return frame + inner + put(x + b, y + b, clipped(field, path(field, ground) + art))


def hall() -> Setting:
    wall, base = "#5F8A86", 470
    out = (
        path(box(0, 0, W, base), wall)
        + path(box(0, 0, W, 46), light(wall, 0.62))
        + path(box(0, 42, W, 8), dark(wall, 0.2))
    )
    out += "".join(path(box(x, 14, 26, 20, 3), light(wall, 0.4)) for x in range(10, W, 48))
    out += veil(poly((90, 50), (230, 50), (520, base), (300, base)), "#FFF6DA", 0.14)
    out += path(box(0, base - 92, W, 92), dark(wall, 0.16)) + path(box(0, base - 98, W, 9), light(wall, 0.3))
    out += "".join(stroke(box(x, base - 76, 104, 54, 2), dark(wall, 0.3), 3) for x in range(12, W, 128))
    out += path(box(0, base - 14, W, 14), dark(wall, 0.42))
    sea = path("M0 96Q60 84 120 98T260 92V170H0z", "#4E86A0") + form("M86 92h84l-16 20H100z", "#8A5F43", 4)
    sea += form("M126 88V22Q172 50 168 86z", CREAM, 5) + form("M118 88V36Q88 58 90 86z", CREAM, 3)
    out += gilt(176, 122, 262, 186, sea + path(oval(200, 34, 17), "#FBE3A0"), "#E9C9A0")
    fruit = (
        form("M10 84q44 20 88 0q-8 34-44 34t-44-34z", BLUE, 5, 1)
        + form(oval(38, 74, 17), RED, 4)
        + form(oval(68, 70, 19), SUN, 4)
    )
    fruit = path(box(0, 104, 130, 40), "#7A4A31") + form(oval(54, 60, 15), LEAF, 3) + fruit
    out += gilt(486, 146, 122, 146, fruit, "#54405C")
    arch = "M862 470V214Q862 118 952 118T1042 214V470z"
    out += path("M842 470V212Q842 98 952 98T1062 212V470z", light(wall, 0.55)) + form(arch, "#E7D3B0", 10)
    out += clipped(
        arch,
        path(box(860, 420, 200, 60), "#C9986A")
        + form(box(908, 250, 70, 88, 2), GOLD, 3, 1)
        + path(box(916, 258, 54, 72), "#9CB7A0"),
    )
    floor = "#B98556"
    out += path(box(0, base, W, H - base), floor) + veil(
        poly((300, base), (520, base), (700, H), (380, H)), "#FFE9BC", 0.25
    )
    out += "".join(
        stroke(f"M{500 + (x - 500) * 0.44:.0f} {base}L{x} {H}", dark(floor, 0.16), 2) for x in range(-900, 1900, 84)
    )
    out += "".join(stroke(f"M0 {y}H{W}", dark(floor, 0.1), 2) for y in (496, 532, 582, 646))
    return Setting("museum", out, 300, 152)


def plinth(x: float, y: float, w: float, h: float) -> str:
    cap = form(box(x - 4, y, w + 8, 7, 1.5), STONE, 1.6, 0.6)
    return (
        form(box(x, y + 4, w, h - 10, 1), STONE, w * 0.1, 0.6)
        + cap
        + form(box(x - 5, y + h - 8, w + 10, 8, 1.5), dark(STONE, 0.06), 1.6)
    )


def armour() -> Prop:
    """A suit of plate on a plinth, both gauntlets on the pommel of a long sword; 96 x 212 cm."""
    steel, edge = "#A9B3C2", "#5E6880"
    legs = "".join(
        form(f"M{48 + k * 4} 104L{48 + k * 21} 104L{48 + k * 19} 138L{48 + k * 6} 138z", steel, 3, 0.7)
        + form(f"M{48 + k * 6} 142L{48 + k * 18} 142L{48 + k * 16} 170L{48 + k * 7} 170z", steel, 3, 0.7)
        + form(oval(48 + k * 12, 140, 7.6, 6.4), light(steel, 0.3), 1.6)
        + form(f"M{48 + k * 6} 168h{k * 10}l{k * 8} 9h{-k * 18}z", dark(steel, 0.12), 1.4)
        for k in (-1, 1)
    )
    skirt = form("M28 90h40l5 20q-25 9-50 0z", steel, 4, 0.8, stroke("M25 98q23 8 46 0", edge, 1.2))
    chest = form(
        "M25 54Q48 44 71 54Q74 74 66 92H30Q22 74 25 54z", light(steel, 0.16), 6, 1, stroke("M48 50V92", edge, 1.2)
    )
    shine = stroke("M32 60Q31 72 35 82", WHITE, 2.4, 'opacity=".8"')
    arms = "".join(
        form(limb([(48 + k * 25, 60), (48 + k * 33, 80), (48 + k * 8, 96)], (12, 11, 9)), steel, 2.4)
        + form(oval(48 + k * 25, 57, 10.5, 9), light(steel, 0.24), 2.4, 0.6)
        + form(oval(48 + k * 33, 80, 6), light(steel, 0.2), 1.2)
        for k in (-1, 1)
    )
    helm = form("M34 40V24Q34 8 48 8T62 24V40Q48 50 34 40z", light(steel, 0.2), 4, 1) + path(
        box(37, 24, 22, 4, 1.6), INK
    )
    helm += path("".join(oval(41 + 4.6 * i, 34 + j * 4, 0.9) for i in range(4) for j in range(2)), edge) + stroke(
        "M48 9V22M48 29V45", edge, 1.2
    )
    plume = form("M48 9Q50-4 64 0Q78 6 74 26Q66 10 48 9z", RED, 2.4)
    sword = form(poly((45.4, 104), (50.6, 104), (49.6, 172), (48, 177), (46.4, 172)), "#DDE4EA", 1.2) + stroke(
        "M48 106V168", edge, 0.8
    )
    sword += (
        form(box(34, 100, 28, 4.6, 2), GOLD, 1)
        + form(box(46, 84, 4, 17, 1), "#6B3A2E", 0.8)
        + form(oval(48, 83, 3.6), GOLD, 0.9)
    )
    fists = form(oval(44, 96, 6, 5), dark(steel, 0.06), 1.2) + form(oval(52, 92, 6, 5), steel, 1.2)
    body = (
        shadow(48, 210, 46, 4, 0.6)
        + plinth(14, 176, 68, 36)
        + legs
        + skirt
        + chest
        + shine
        + plume
        + helm
        + arms
        + sword
        + fists
    )
    return Prop("suit of armour with a sword", 96, 212, body)


def amphora() -> Prop:
    """The harmless stand-in: a painted Greek jar on a taller plinth."""
    clay, black = "#D07F49", "#43303A"
    jar = "M40 64H56Q54 76 62 84Q80 98 72 124Q64 144 54 152H42Q32 144 24 124Q16 98 34 84Q42 76 40 64z"
    bands = path("M10 96q38 12 76 0v5q-38 12-76 0zM14 126q34 10 68 0v4q-34 10-68 0z", black)
    key = "".join(stroke(f"M{24 + 9 * i} {118 - abs(i - 3) * 0.8:.1f}v-8h6v5", black, 1.6) for i in range(6))
    handles = stroke("M40 68Q24 70 29 92M56 68Q72 70 67 92", clay, 4)
    base = form("M40 150h16l6 6H34z", dark(clay, 0.1), 1.2) + form(box(36, 60, 24, 6, 2), black, 1)
    body = shadow(48, 210, 46, 4, 0.6) + plinth(20, 156, 56, 56) + handles + form(jar, clay, 7, 1, bands + key) + base
    return Prop("painted jar", 96, 212, body)


def rope(w: float) -> Prop:
    """Two brass posts with a red rope between them."""
    posts = "".join(
        form(oval(x, 93, 10, 3), dark(GOLD, 0.1), 1)
        + form(box(x - 2, 10, 4, 83, 1), GOLD, 1.2)
        + form(oval(x, 8, 4.6), GOLD, 1.2, 0.4)
        for x in (10, w - 10)
    )
    return Prop(
        "rope barrier",
        w,
        96,
        shadow(10, 94, 14, 2.6, 0.6)
        + shadow(w - 10, 94, 14, 2.6, 0.6)
        + stroke(f"M10 18Q{w / 2} 66 {w - 10} 18", dark(RED, 0.3), 5.4)
        + stroke(f"M10 17Q{w / 2} 64 {w - 10} 17", RED, 3.6)
        + posts,
    )


def gallery_bench() -> Prop:
    legs = "".join(form(box(x, 14, 6, h, 1), "#4B3A44", 1.4) for x, h in ((22, 24), (112, 24), (6, 30), (128, 30)))
    seat = path(poly((12, 0), (128, 0), (140, 8), (0, 8)), light("#7A3F4A", 0.24)) + form(
        box(0, 7, 140, 9, 3), "#7A3F4A", 2, 0.6
    )
    return Prop("gallery bench", 140, 45, shadow(70, 44, 80, 5, 0.55) + legs + seat)


def cane() -> Prop:
    return Prop("walking stick", 14, 84, stroke("M7 82V10Q7 3 12 4", "#6B4A35", 2.6))
