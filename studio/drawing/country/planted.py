"""What stands and climbs in the beds, in centimetres."""

from __future__ import annotations

from studio.drawing.country.landscape import scallop
from studio.drawing.country.trees import BARK
from studio.drawing.kit import (
    CREAM,
    LEAF,
    PINK,
    RED,
    SUN,
    WHITE,
    Prop,
    box,
    dark,
    flower,
    form,
    light,
    oval,
    path,
    put,
    shadow,
    stroke,
)


def pumpkin_scarecrow() -> Prop:
    """Trigger: a scarecrow with a grinning pumpkin head and a torn black coat, 120 x 190."""
    coat, x = "#3B3648", 60
    post = form(box(x - 4, 46, 8, 142, 2), BARK, 2) + stroke("M10 84H110", BARK, 6)
    rags = "L92 156L84 142L76 160L66 144L58 162L48 146L40 160L34 144"
    robe = form(
        "M46 62L8 76L6 100L14 94L20 104L38 96L28 152L48 146L40 160L34 144L30 158L34 140L86 140L90 158L92 150"
        "L82 96L100 104L106 94L114 100L112 76L74 62z",
        coat,
        7,
        1.4,
        stroke("M60 64V150M44 110l8 4M44 114l8-4", light(coat, 0.2), 2),
    )
    hem = form(f"M30 138H90{rags}z", coat, 4)
    straw = stroke("M8 84l-8-8M8 88l-10 2M8 92l-7 9M112 84l8-8M112 88l10 2M112 92l7 9", SUN, 3)
    tone = "#E8893A"
    head = form(
        "M60 10Q84 4 90 28Q92 54 78 60Q60 66 42 60Q28 54 30 28Q36 4 60 10z",
        tone,
        6,
        1.4,
        stroke("M46 12Q34 34 46 60M60 10V62M74 12Q86 34 74 60", dark(tone, 0.2), 2),
    )
    grin = path(
        "M40 26l14-5l-3 11zM80 26l-14-5l3 11zM60 32l4 7h-8z"
        "M36 42Q60 52 84 42Q80 56 72 56l-4-5l-5 6l-6-6l-5 6l-5-6l-4 4Q38 54 36 42z",
        "#4A2430",
    )
    fire = path(
        "M43 26.6l9-3.4l-2 7zM77 26.6l-9-3.4l2 7zM42 46q18 6 36 0q-3 6-7 6l-3-4l-5 6l-6-6l-5 6l-4-5q-4 1-6-3z",
        "#FFC94A",
    )
    hat = stroke("M60 10Q60 2 68-2", "#6C8A4A", 6)
    return Prop(
        "scarecrow with a pumpkin head",
        124,
        192,
        put(2, 2, shadow(60, 187, 26, 3, 0.5) + post + straw + hem + robe + hat + head + grin + fire),
    )


def sunflower(w: float = 124, h: float = 192) -> Prop:
    """A tall sunflower with its leaves, in a box of any size."""
    x = w / 2
    stem = stroke(f"M{x} {h - 2}Q{x - 6} {h * 0.6:.0f} {x} 46", "#5E8F4A", 6)
    leaves = "".join(
        form(f"M{x} {y}Q{x + k * 26} {y - 22} {x + k * 46} {y - 6}Q{x + k * 28} {y + 12} {x} {y}z", LEAF, 3)
        for k, y in ((-1, h * 0.6), (1, h * 0.5), (-1, h * 0.82), (1, h * 0.74))
    )
    ring = "".join(
        put(x, 44, form("M-7-16Q0-46 7-16z", SUN if k % 2 else dark(SUN, 0.12), 2), 1, k * 22.5) for k in range(16)
    )
    return Prop(
        "sunflower",
        w,
        h,
        shadow(x, h - 3, 20, 3, 0.5)
        + stem
        + leaves
        + ring
        + form(
            oval(x, 44, 18),
            "#7A4A31",
            4,
            0,
            path("".join(oval(x - 10 + k * 7 % 22, 34 + k * 5 % 22, 1.4) for k in range(14)), "#5B3425"),
        ),
    )


def bean_poles() -> Prop:
    """A row of poles with climbing beans, 150 x 190."""
    poles = stroke(
        "".join(f"M{14 + 40 * k} 188L{34 + 40 * k} 8M{54 + 40 * k} 188L{34 + 40 * k} 8" for k in range(3))
        + "M20 26H128",
        "#B98A5E",
        3.4,
    )
    green = "".join(
        form(
            scallop(34 + 40 * k + way * (3 + 3 * j), 30 + 27 * j, 9 + (j + k) % 3 * 2, 15, 8, j + k),
            (LEAF, "#7FB068")[j % 2],
            2,
        )
        for k in range(3)
        for way in (-1, 1)
        for j in range(6)
    )
    beans = stroke("".join(f"M{24 + k * 31 % 104} {60 + k * 41 % 100}q3 8 1 16" for k in range(8)), "#9CCB5E", 3.4)
    blooms = path("".join(oval(22 + k * 43 % 108, 50 + k * 53 % 110, 3.4) for k in range(9)), "#E8574A")
    return Prop("bean poles", 150, 190, shadow(76, 186, 76, 4, 0.45) + poles + green + beans + blooms)


def letter_box_rose(w: float, h: float) -> Prop:
    """A letter box on a post with a climbing rose, in a box of any size."""
    x = w / 2
    post = form(box(x - 5, h * 0.34, 10, h * 0.65, 2), WHITE, 2.4)
    case = (
        form(
            f"M{x - 26} {h * 0.36:.0f}V{h * 0.2:.0f}Q{x - 26} {h * 0.1:.0f} {x} {h * 0.1:.0f}"
            f"T{x + 26} {h * 0.2:.0f}V{h * 0.36:.0f}z",
            RED,
            6,
            1.6,
        )
        + path(box(x - 15, h * 0.22, 30, 5, 2), dark(RED, 0.5))
        + form(box(x + 24, h * 0.14, 4, 20, 1), SUN, 1)
    )
    vine = stroke(
        f"M{x - 14} {h - 3}Q{x + 26} {h * 0.8:.0f} {x - 8} {h * 0.66:.0f}T{x + 10} {h * 0.42:.0f}", dark(LEAF, 0.2), 4
    )
    leaf = "".join(
        form(scallop(x + (-1) ** k * (8 + k * 5 % 11), h * (0.94 - 0.062 * k), 11, 8, 8, k), LEAF, 2) for k in range(9)
    )
    roses = "".join(
        form(oval(x + (-1) ** k * (6 + k * 7 % 14), h * (0.9 - 0.08 * k), 7.4), PINK, 2, 0.5)
        + stroke(
            f"M{x + (-1) ** k * (6 + k * 7 % 14) - 3} {h * (0.9 - 0.08 * k):.0f}q3-4 6 0q-2 4-4 1", dark(PINK, 0.3), 1.2
        )
        for k in range(7)
    )
    return Prop("letter box with a rose", w, h, shadow(x, h - 2, 26, 3, 0.5) + post + vine + leaf + case + roses)


def climbing_roses(w: float, h: float) -> Prop:
    """Roses and leaves that lean over a fence, in a box of any size."""
    leaf = "".join(
        form(
            scallop(
                w * (0.16 + 0.68 * (k * 37 % 100) / 100),
                h * (0.2 + 0.7 * (k * 61 % 100) / 100),
                w * 0.15,
                w * 0.12,
                9,
                k,
            ),
            ("#5E9160", LEAF)[k % 2],
            3,
        )
        for k in range(20)
    )
    roses = "".join(
        form(
            oval(w * (0.16 + 0.68 * (k * 29 % 100) / 100), h * (0.16 + 0.72 * (k * 53 % 100) / 100), w * 0.055),
            (RED, PINK, CREAM)[k % 3],
            2,
            0.6,
        )
        for k in range(15)
    )
    return Prop("climbing roses", w, h, leaf + roses)


def daisies(w: float, h: float) -> Prop:
    """A clump of daisies that fills any box."""
    out = shadow(w / 2, h - 1, w * 0.4, h * 0.05, 0.5)
    spots = [
        (0.2, 0.4),
        (0.4, 0.16),
        (0.6, 0.3),
        (0.8, 0.2),
        (0.3, 0.62),
        (0.56, 0.58),
        (0.76, 0.52),
        (0.14, 0.7),
        (0.9, 0.66),
    ]
    out += "".join(
        stroke(
            f"M{w * 0.5 + w * (x - 0.5) * 0.7:.1f} {h - 1}Q{w * x:.1f} {h * (y + 0.3):.1f} {w * x:.1f} {h * y:.1f}",
            dark(LEAF, 0.12),
            1.6,
        )
        for x, y in spots
    )
    out += form(scallop(w / 2, h * 0.9, w * 0.36, h * 0.09, 11, 3), LEAF, 2)
    return Prop(
        "clump of daisies", w, h, out + "".join(flower(w * x, h * y, w * 0.075, WHITE, SUN, 10) for x, y in spots)
    )
