"""A puppet maker's workshop."""

from __future__ import annotations

from studio.drawing.kit import (
    BLUE,
    CORAL,
    CREAM,
    INK,
    NAVY,
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


def workshop() -> Setting:
    wall, base = "#D9B892", 468
    out = path(box(0, 0, W, base), wall) + "".join(path(box(0, y, W, 3), dark(wall, 0.12)) for y in range(52, base, 58))
    out += stroke(
        "".join(f"M{(i * 211 + j * 90) % 1024} {j * 58 - 4}v56" for j in range(9) for i in range(4)), dark(wall, 0.1), 2
    )
    pane = box(40, 60, 236, 190)
    view = (
        path(pane, "#CBE3E4")
        + path("M40 210Q120 170 180 200T276 190V250H40z", "#9CBF8E")
        + form(oval(220, 100, 22), "#FFF1C0", 0)
    )
    out += (
        path(box(32, 54, 262, 214, 5), dark(wall, 0.24))
        + path(box(24, 46, 266, 216, 5), "#8A5F43")
        + clipped(pane, view)
        + stroke("M158 60v190M40 154h236", "#8A5F43", 9)
        + form(box(14, 258, 288, 15, 3), "#9A6B4A", 3)
    )
    out += veil(poly((40, 70), (276, 70), (620, base), (300, base)), "#FFF3CF", 0.28)
    out += _tool_wall(wall) + _shelves()
    floor = "#A97C5C"
    out += path(box(0, base, W, H - base), floor) + path(box(0, base - 12, W, 12), "#8A5F43")
    out += "".join(
        stroke(f"M{480 + (x - 480) * 0.42:.0f} {base}L{x} {H}", dark(floor, 0.18), 2) for x in range(-1000, 2000, 96)
    )
    curls = "".join(
        stroke(f"M{x} {y}q8-9 14 0q-2 8-9 4q-2-5 4-5", "#E9C795", 3)
        for x, y in ((120, 620), (300, 664), (560, 650), (760, 668), (900, 620), (420, 600), (212, 656))
    )
    return Setting(
        "workshop", out + veil(poly((300, base), (620, base), (820, H), (420, H)), "#FFEBC0", 0.22) + curls, 280, 135
    )


def _tool_wall(wall: str) -> str:
    out = (
        path(box(344, 76, 330, 196, 4), dark(wall, 0.24))
        + form(box(336, 68, 330, 196, 4), "#8FA397", 4, 1.4)
        + path("".join(oval(352 + 23 * i, 84 + 24 * j, 2) for i in range(14) for j in range(8)), dark("#8FA397", 0.25))
    )
    out += (
        put(356, 92, _saw())
        + put(494, 88, _hammer())
        + put(552, 90, _chisels())
        + put(600, 178, _pliers())
        + put(480, 186, _square())
    )
    return out


def _shelves() -> str:
    """Paint tins below, puppet heads and offcuts above."""
    out = (
        form(box(716, 110, 300, 10, 2), "#9A6B4A", 3)
        + form(box(716, 226, 300, 10, 2), "#9A6B4A", 3)
        + stroke("M736 120v22M996 120v22M736 236v22M996 236v22", dark("#9A6B4A", 0.3), 6)
    )
    for i, c in enumerate((RED, SUN, TEAL, BLUE, CREAM, CORAL)):
        x = 734 + 44 * i
        out += (
            form(box(x, 186, 32, 40, 3), STEEL, 4, 1)
            + path(box(x, 196, 32, 18), c)
            + form(oval(x + 16, 186, 16, 4), c, 0)
        )
    heads = "".join(
        put(
            x,
            84,
            form(oval(0, 0, 20, 24), "#E6C08F", 5)
            + stroke("M0-2q5 5 0 8", dark("#E6C08F", 0.3), 2.4)
            + path(oval(-7, -4, 2.4) + oval(7, -4, 2.4), c),
        )
        for x, c in ((762, INK), (822, "#E6C08F"), (880, INK))
    )
    out += heads + "".join(
        form(box(916 + 22 * i, 54 + 8 * (i % 2), 18, 56 - 8 * (i % 2), 2), WOOD, 3) for i in range(4)
    )
    return out


def _saw() -> str:
    edge = "".join(f"L{112 - 11 * i} {30 + i}L{106.5 - 11 * i} {36 + i}" for i in range(7))
    return (
        form(f"M34 6L122 22V29{edge}L34 38z", "#C9CFD6", 3, 1)
        + form("M2 4H30Q38 4 38 12V36Q38 44 30 44H14Q2 44 4 30z", WOOD, 4, 1)
        + path(box(12, 16, 14, 16, 6), "#8FA397")
    )


def _hammer() -> str:
    return form(box(12, 14, 9, 68, 3), WOOD, 2.4) + form("M0 4H34Q40 8 38 18H0z", "#6B7488", 4, 1)


def _chisels() -> str:
    return "".join(
        form(box(26 * i, 0, 12, 32, 4), c, 3, 0.8)
        + form(poly((26 * i + 2, 32), (26 * i + 10, 32), (26 * i + 10, 70), (26 * i + 2, 62)), "#C9CFD6", 2)
        for i, c in enumerate((RED, SUN, TEAL, RED))
    )


def _pliers() -> str:
    return (
        stroke("M22 30Q8 46 10 70M26 30Q40 46 38 70", RED, 8)
        + form("M24 34Q10 24 18 2L24 8L30 2Q38 24 24 34z", "#6B7488", 3)
        + form(oval(24, 30, 6), "#8C93A6", 1.4)
    )


def _square() -> str:
    return form("M0 0H12V50H96V62H0z", "#C9CFD6", 2, 0.8) + path(box(-6, -6, 24, 30, 3), WOOD)


def workbench() -> Prop:
    """A heavy bench with a vice, 230 x 86 cm, four legs and a shelf."""
    wood = "#B9794A"
    far = "".join(form(box(x, 14, 9, 64, 1), dark(wood, 0.34), 2) for x in (34, 186))
    near = "".join(form(box(x, 14, 12, 72, 1.5), dark(wood, 0.1), 3) for x in (10, 206))
    shelf = form(box(16, 60, 198, 6, 1), dark(wood, 0.2), 2)
    planks = "".join(
        form(box(60 + 4 * i, 55 - 5 * i, 90 - 10 * i, 5, 1), c, 1.2)
        for i, c in enumerate((WOOD, light(WOOD, 0.3), WOOD))
    )
    vice = form(box(176, 12, 30, 22, 2), "#5A6379", 3, 0.8) + stroke("M191 34v10M180 42h22", STEEL, 3)
    top = path(poly((8, 0), (222, 0), (230, 6), (0, 6)), light(wood, 0.3)) + form(
        box(0, 5.5, 230, 10, 2), wood, 2.4, 0.8
    )
    return Prop("workbench", 230, 86, shadow(116, 85, 126, 7, 0.55) + far + shelf + planks + near + top + vice)


def marionette() -> Prop:
    """A wooden boy in a red waistcoat on strings, hanging from a cross of s"
    "lats; 56 x 112 cm. Its left arm is cracked.
    """
    wood = "#E2B378"
    bar = stroke("M8 6H48M28 1V12", "#7A5236", 4)
    strings = stroke("M28 8V34M12 7L9 62M44 7L47 62M20 7L20 84M36 7L36 84", "#6B5A66", 0.7)
    arms = form(limb([(20, 56), (12, 62), (9, 72)], (6, 5.4, 4.6)), wood, 1) + form(
        limb([(36, 56), (44, 62), (47, 72)], (6, 5.4, 4.6)), wood, 1
    )
    crack = stroke("M42 58.5l2 2.2l-1.6 1.8l2.6 2l-1 2.4", dark(wood, 0.7), 1)
    hands = form(oval(9, 75, 3.6), wood, 0.9) + form(oval(47, 75, 3.6), wood, 0.9)
    legs = "".join(
        form(box(x, 79, 6.4, 13, 2), NAVY, 1.2)
        + form(oval(x + 3.2, 93, 3.2), wood, 0.8)
        + form(box(x + 0.4, 94, 5.6, 12, 2), wood, 1)
        + form(f"M{x - 2} 112v-4q0-4 5-4t6 4v4z", RED, 1)
        for x in (19.5, 30)
    )
    trunk = (
        form("M18 54Q28 49 38 54L37 79Q28 83 19 79z", WHITE, 1.6)
        + form("M18 54L25 52V80Q21 80.5 19 79zM38 54L31 52V80Q35 80.5 37 79z", RED, 1.2)
        + path(oval(28, 62, 1) + oval(28, 69, 1), INK)
    )
    face = (
        form(oval(28, 40, 11, 11.5), wood, 2.4, 0.6)
        + path(oval(24, 39, 1.5, 1.9) + oval(32, 39, 1.5, 1.9), INK)
        + form(box(27, 40.5, 7.4, 2.6, 1.3), dark(wood, 0.1), 0.6)
        + stroke("M24 46.5q4 2.6 8 0", "#9A4B24", 1)
        + stroke("M22 45v5.5M34 45v5.5", dark(wood, 0.4), 0.6)
    )
    hat = form("M16 34L29 12Q36 24 40 34Q28 29 16 34z", TEAL, 2) + form(oval(29, 13, 2.4), SUN, 0.6)
    return Prop(
        "wooden marionette", 56, 112, strings + arms + crack + hands + legs + trunk + face + hat + bar, {"bar": (28, 6)}
    )


def glue_pot() -> Prop:
    return Prop(
        "glue pot",
        14,
        22,
        shadow(7, 21.4, 8, 1, 0.6)
        + stroke("M9 10L12-2", WOOD, 1.6)
        + form(box(1, 8, 12, 13.5, 2), "#F0E6D2", 2, 0.5)
        + path(box(1, 12, 12, 5), SUN),
    )


def timber(w: float, h: float) -> Prop:
    """A barrel full of boards, in a box of any size."""
    x, rim = w / 2, h - 44
    boards = (
        (-20, 0.2, -5, WOOD),
        (-8, 0.06, -1, light(WOOD, 0.3)),
        (3, 0.24, 2, dark(WOOD, 0.12)),
        (11, 0.13, 6, WOOD),
    )
    out = ""
    for dx, top, slant, tone in boards:
        plank = poly((x + dx + slant, h * top), (x + dx + slant + 11, h * top), (x + dx + 10, h - 8), (x + dx, h - 8))
        knot = stroke(f"M{x + dx + 5:.1f} {h * 0.42:.1f}q3 9 0 18", dark(tone, 0.2), 0.9)
        out += form(plank, tone, 2.2, 0.6, knot)
    oak = "#9A6B4A"
    seams = "".join(f"M{x + d * 0.9} {rim}Q{x + d * 1.2} {h - 22} {x + d * 0.9} {h}" for d in (-15, -5, 5, 15))
    hoops = "".join(f"M{x - 30} {y}q30 7 60 0" for y in (rim + 8, h - 12))
    outline = (
        f"M{x - 25} {rim}Q{x} {rim + 7} {x + 25} {rim}Q{x + 33} {h - 22} {x + 24} {h - 2}"
        f"Q{x} {h + 3} {x - 24} {h - 2}Q{x - 33} {h - 22} {x - 25} {rim}z"
    )
    tub = form(outline, oak, 5, 1, stroke(seams, dark(oak, 0.16), 1) + stroke(hoops, "#6B7488", 3.4))
    inside = path(oval(x, rim, 25, 4), dark(oak, 0.5))
    return Prop("barrel of boards", w, h, shadow(x, h - 2, 34, 3.4, 0.6) + inside + out + tub)


def stool() -> Prop:
    legs = "".join(
        stroke(f"M{a} 6L{b} {y}", c, 3.4)
        for a, b, y, c in (
            (14, 10, 42, dark(WOOD, 0.34)),
            (26, 30, 42, dark(WOOD, 0.34)),
            (10, 4, 47, dark(WOOD, 0.1)),
            (30, 36, 47, dark(WOOD, 0.1)),
        )
    )
    return Prop("stool", 40, 48, shadow(20, 47, 22, 3, 0.5) + legs + form(box(2, 1, 36, 7, 3), WOOD, 1.8, 0.6))


def toolbox() -> Prop:
    """An open wooden carrier, 76 x 50 cm: two ends, a bar to carry it by, tools behind the front board."""
    tools = stroke("M20 32L15 2", WOOD, 3.4) + form(box(7, -3, 16, 7, 2), "#6B7488", 1.4)
    tools += stroke("M34 32L37 10", RED, 4) + form(poly((35, 12), (39, 12), (40, 0), (37, 0)), "#C9CFD6", 0.8)
    tools += stroke("M54 32L58 8", SUN, 4) + form(poly((56, 10), (60, 10), (62, -2), (59, -2)), "#C9CFD6", 0.8)
    ends = "".join(
        form(poly((x, 50), (x, 28), (x + 3, 10), (x + 7, 10), (x + 10, 28), (x + 10, 50)), dark(WOOD, 0.16), 1.6)
        for x in (0, 66)
    )
    front = form(box(3, 32, 70, 17, 1.5), WOOD, 2.2, 0.7, stroke("M3 41H73", dark(WOOD, 0.14), 0.8))
    nails = path("".join(oval(x, y, 0.9) for x in (7, 69) for y in (36, 45)), dark(WOOD, 0.5))
    bar = form(box(2, 12, 72, 4.4, 2), dark(WOOD, 0.3), 1)
    return Prop("toolbox", 76, 50, shadow(38, 49, 44, 3.4, 0.6) + tools + bar + ends + front + nails)
