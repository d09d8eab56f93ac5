"""Things for camping, in centimetres."""

from __future__ import annotations

from studio.drawing.country.trees import BARK
from studio.drawing.kit import (
    BLUE,
    CREAM,
    INK,
    RED,
    SKY,
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
    limb,
    oval,
    path,
    poly,
    shadow,
    stroke,
)


def ridge_tent(colour: str = "#E0893F") -> Prop:
    """A tent with its flap open, 230 x 150."""
    inside = path(poly((96, 26), (140, 150), (54, 150)), dark(colour, 0.66))
    flap = form("M97 24L150 150H128Q112 96 97 24z", light(colour, 0.3), 4)
    side = form(poly((97, 14), (190, 30), (230, 150), (150, 150)), dark(colour, 0.16), 8)
    front = form(poly((97, 14), (150, 150), (128, 150), (97, 50), (62, 150), (32, 150)), colour, 5, 1.5)
    ropes = stroke("M97 14L4 148M190 30L244 146", CREAM, 1.6) + stroke("M4 148v-8M244 148v-9", "#6B5B4A", 4)
    seam = stroke("M190 32L222 148", dark(colour, 0.3), 2)
    return Prop("tent", 230, 150, shadow(130, 147, 130, 8, 0.5) + ropes + inside + side + seam + flap + front)


def slack_tent(colour: str = TEAL) -> Prop:
    """A tent that is only half up: one pole stands, the cloth hangs, 200 x 120."""
    cloth = form(
        "M58 10Q76 60 120 86Q160 92 196 118H4Q36 70 58 10z",
        colour,
        7,
        1.4,
        stroke("M58 12Q64 70 74 118M60 14Q92 80 132 118", dark(colour, 0.22), 2.4),
    )
    return Prop(
        "half-pitched tent",
        200,
        120,
        shadow(104, 117, 108, 6, 0.5)
        + stroke("M58 4V118", STEEL, 3.4)
        + cloth
        + stroke("M58 8L-8 116", CREAM, 1.6)
        + path("M34 118Q48 74 60 40Q60 84 66 118z", dark(colour, 0.6)),
    )


def tent_poles() -> Prop:
    """A bundle of poles to carry, 120 x 10."""
    return Prop(
        "tent poles",
        120,
        10,
        stroke("M2 3H118", STEEL, 2.4)
        + stroke("M6 6H114", dark(STEEL, 0.2), 2.4)
        + stroke("M4 8.6H116", light(STEEL, 0.4), 2)
        + stroke("M40 1v8M80 1v8", RED, 3),
    )


def campfire(lit: bool = True) -> Prop:
    """Logs in a ring of stones, 80 x 70; lit or stacked cold."""
    stones = "".join(
        form(oval(x, y, 10, 6.4), c, 2, 0.6)
        for x, y, c in (
            (10, 58, "#9AA0A6"),
            (26, 62, "#8C8690"),
            (42, 64, "#A8A6A0"),
            (58, 62, "#8F959E"),
            (72, 57, "#9AA0A6"),
        )
    )
    back = "".join(form(oval(x, 50, 9, 5.4), "#7E8490", 1.6) for x in (18, 36, 54, 66))
    wood = "".join(
        form(limb([a, ((a[0] + b[0]) / 2, (a[1] + b[1]) / 2), b], (7, 7, 6)), c, 1.6)
        for a, b, c in (
            ((16, 56), (52, 40), "#7A5238"),
            ((66, 56), (30, 38), "#8A5F43"),
            ((40, 60), (42, 30), "#6E4A34"),
        )
    )
    flames = ""
    if lit:
        flames = (
            path("M40 2Q48 16 58 22Q66 36 58 50Q50 58 40 57Q24 56 21 44Q20 32 28 26Q30 32 33 33Q32 16 40 2z", "#F0752E")
            + path("M41 20Q47 30 52 34Q56 46 50 53Q40 58 32 53Q27 44 33 38Q36 42 38 42Q36 30 41 20z", "#F9B233")
            + path("M41 36Q46 44 46 50Q42 56 36 52Q34 46 38 43Q40 44 41 36z", "#FFF0B0")
        )
    return Prop("campfire", 80, 70, shadow(41, 63, 46, 6, 0.5) + back + (wood + flames if lit else wood) + stones)


def axe() -> Prop:
    """An axe stuck in a chopping block, 60 x 80."""
    stump = (
        form("M8 46Q30 40 52 46V76Q30 82 8 76z", "#8A5F43", 6, 0, stroke("M18 50v26M30 52v26M42 50v26", "#6E4A34", 1.6))
        + form(oval(30, 46, 22, 6), "#E3BE8E", 2)
        + stroke(oval(30, 46, 13, 3.4) + oval(30, 46, 6, 1.5), "#B98A5E", 1)
    )
    haft = form(limb([(31, 34), (44, 18), (56, 2)], (4.4, 4, 4.6)), WOOD, 1)
    blade = form("M20 40L26 26Q32 24 37 28L34 36Q30 44 24 47Q19 46 20 40z", "#9FA8B4", 1.6, 0.8) + stroke(
        "M20 41Q22 46 25 46", "#E6EBF0", 1.8
    )
    return Prop("axe in a block", 60, 80, shadow(31, 77, 28, 3, 0.55) + stump + "<!--axe-->" + haft + blade)


def woodpile(w: float = 90) -> Prop:
    """Split logs from their ends, `w` x 44."""
    out = shadow(w / 2, 43, w * 0.55, 3, 0.55)
    rows = ((33, w), (20, w - 16), (8, w - 34))
    for k, (y, span) in enumerate(rows):
        n = int(span // 17)
        for i in range(n):
            x = (w - n * 17) / 2 + 8.5 + 17 * i
            out += (
                form(oval(x, y, 8.4), BARK, 1.6)
                + path(oval(x - 0.6, y - 0.4, 6.4), ("#E3BE8E", "#D9AE7C")[(i + k) % 2])
                + stroke(oval(x - 0.6, y - 0.4, 3.2), "#B98A5E", 0.9)
            )
    return Prop("split logs", w, 44, out)


def cool_box() -> Prop:
    return Prop(
        "cool box",
        60,
        42,
        shadow(31, 41, 32, 2.6, 0.6)
        + stroke("M10 12Q14-4 30-4T50 12", WHITE, 3)
        + form(box(2, 14, 56, 27, 4), BLUE, 4, 1)
        + form(box(0, 6, 60, 11, 4), WHITE, 2.4)
        + form(box(25, 13, 10, 7, 1.4), STEEL, 1),
    )


def camp_stove() -> Prop:
    """A gas stove with a pot on it, 40 x 44."""
    pot = (
        form(box(8, 8, 24, 16, 3), STEEL, 3, 0.8)
        + form(box(6, 5, 28, 4, 2), dark(STEEL, 0.2), 1)
        + stroke("M32 14h9", INK, 3)
        + stroke("M16 1q-3-5 0-9M24 1q-3-5 0-9", WHITE, 1.8)
    )
    return Prop(
        "camping stove",
        40,
        44,
        shadow(20, 43, 20, 2, 0.6)
        + pot
        + path("M13 27q1-3 2-1q1-3 2 0M22 27q1-3 2-1q1-3 2 0", SKY)
        + stroke("M8 27h24M12 27l-4 6M28 27l4 6", INK, 2)
        + form(box(10, 31, 20, 12, 4), RED, 2.4, 0.6),
    )


def lantern(lit: bool = True) -> Prop:
    return Prop(
        "lantern",
        18,
        34,
        shadow(9, 33.4, 10, 1.2, 0.6)
        + stroke("M3 10Q9-6 15 10", INK, 1.2)
        + form(poly((4, 8), (14, 8), (16, 13), (2, 13)), "#4B5368", 1)
        + form(box(3, 13, 12, 15, 2), "#FFE9A0" if lit else "#DCE8EA", 1.6, 0.4)
        + (path("M9 17q4 5 0 9q-4-4 0-9z", "#F0752E") if lit else "")
        + form(box(1, 28, 16, 5.4, 1.6), "#4B5368", 1.4),
    )


def torch() -> Prop:
    """A hand lamp, 24 x 10, that shines to the left; `grip` in the middle."""
    beam = "".join(
        path(poly((2, 2), (2, 8), (-d, 8 + d * 0.3), (-d, 2 - d * 0.3)), "#FFF1C0", extra='opacity=".14"')
        for d in (30, 50, 70)
    )
    return Prop(
        "torch",
        24,
        10,
        beam
        + form(box(7, 2.6, 17, 5, 2), RED, 1)
        + form(poly((0, 0), (8, 2), (8, 8), (0, 10)), STEEL, 1)
        + path(oval(1, 5, 1.4, 4.4), "#FFF8DC"),
        {"grip": (15, 5)},
    )


def rucksack(colour: str = "#4F7F8F") -> Prop:
    """A hiking rucksack with a rolled mat, 44 x 62."""
    mat = form(box(2, 2, 40, 13, 6), SUN, 2.4, 0.6) + stroke("M8 8.5a3 4 0 1 1 .1 0", dark(SUN, 0.3), 1)
    bag = form(
        box(4, 13, 36, 48, 9),
        colour,
        4,
        1,
        path(box(9, 36, 26, 20, 4), dark(colour, 0.16)) + stroke("M9 42h26", light(colour, 0.3), 1.6),
    )
    lid = form("M4 26V22Q4 12 14 12H30Q40 12 40 22V26Q22 34 4 26z", dark(colour, 0.14), 2.4) + form(
        box(19, 27, 6, 7, 1.4), SUN, 1
    )
    return Prop("rucksack", 44, 62, shadow(22, 61, 24, 2.4, 0.6) + bag + lid + mat)


def thermos() -> Prop:
    return Prop(
        "thermos",
        12,
        32,
        shadow(6, 31.4, 7, 1, 0.6)
        + form(box(1, 8, 10, 23, 2), TEAL, 2, 0.6)
        + form("M1.4 9V5Q1.4 1 6 1T10.6 5V9z", STEEL, 1.6, 0.5)
        + path(box(1, 22, 10, 2.4), light(TEAL, 0.5)),
    )
