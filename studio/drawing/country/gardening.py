"""Tools, beds and pots of the garden, in centimetres."""

from __future__ import annotations

from studio.drawing.country.landscape import scallop
from studio.drawing.country.trees import BARK
from studio.drawing.kit import (
    BLUE,
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
    flower,
    form,
    light,
    limb,
    oval,
    path,
    poly,
    shadow,
    stroke,
)

EARTH = "#8A6248"


def watering_can(colour: str = TEAL) -> Prop:
    """A can whose spout points left, 52 x 40."""
    spout = form("M22 30L6 10L10 7L26 20z", colour, 1.6) + form(
        poly((2, 10), (10, 2), (13, 6), (6, 13)), light(colour, 0.3), 1
    )
    handle = stroke("M26 12Q34-4 44 8Q54 20 42 32", dark(colour, 0.2), 3.4)
    return Prop(
        "watering can",
        52,
        40,
        shadow(32, 39, 18, 2, 0.6) + handle + spout + form(box(20, 13, 26, 26, 3), colour, 3.6, 1),
        {"handle": (44, 6), "spout": (4, 8)},
    )


def wheelbarrow(load: str = EARTH) -> Prop:
    """A wheelbarrow with its handles to the right, 130 x 64; `load` is the colour of the heap, '' empty."""
    heap = form(scallop(52, 16, 34, 14, 10, 2), load, 4) if load else ""
    tub = form("M6 16H98L82 42H28z", TEAL, 5, 1)
    frame = stroke("M22 52L44 40L130 22", "#6B5B4A", 4) + stroke("M80 40L88 62M62 42L72 62", "#4B5368", 3.4)
    wheel = stroke(oval(20, 52, 10), INK, 4) + path(oval(20, 52, 3), STEEL)
    return Prop(
        "wheelbarrow", 130, 64, shadow(56, 62, 58, 3.4, 0.5) + heap + tub + frame + wheel, {"handle": (128, 22)}
    )


def digging_fork() -> Prop:
    """A garden fork stuck in the earth, 26 x 100; its handle is the top edge."""
    tines = stroke("M3 74V94M10 78V94M16 78V94M23 74V94M3 74Q13 84 23 74", STEEL, 2.6)
    earth = form("M-4 99Q-2 90 6 91Q14 87 20 91Q28 90 30 99z", EARTH, 2)
    return Prop(
        "garden fork",
        26,
        100,
        shadow(13, 98, 14, 1.8, 0.5)
        + tines
        + form(box(11, 4, 4, 76, 1.4), WOOD, 1.2)
        + stroke("M5 3h16", RED, 5)
        + earth,
    )


def shovel() -> Prop:
    """A digging spade, blade down, 22 x 110."""
    return Prop(
        "spade",
        22,
        110,
        stroke("M5 3h12", WOOD, 4.4)
        + form(box(9.2, 3, 3.6, 76, 1), WOOD, 1.1)
        + form("M2 74H20V96Q11 112 2 96z", STEEL, 2.4, 0.8),
        {"grip": (11, 30)},
    )


def rake() -> Prop:
    return Prop(
        "rake",
        44,
        150,
        form(box(20.4, 2, 3.2, 134, 1.2), WOOD, 1)
        + form(box(2, 132, 40, 5, 1.4), "#8A5F43", 1)
        + stroke("".join(f"M{5 + 5.7 * k:.1f} 136v12" for k in range(7)), "#8A5F43", 2),
        {"grip": (22, 40)},
    )


def trowel() -> Prop:
    """A trowel stuck in the earth, 10 x 32."""
    return Prop(
        "trowel",
        10,
        32,
        form(box(3.2, 0, 3.8, 13, 1.8), RED, 1)
        + stroke("M5 12V18", STEEL, 2)
        + form("M1 18H9V24Q5 33 1 24z", STEEL, 1.2, 0.5),
    )


def vegetable_bed(w: float = 180, kinds: tuple[str, ...] = ("lettuce", "carrot", "cabbage", "tomato")) -> Prop:
    """A raised bed with a plant of each kind in turn, `w` x 70."""
    out = shadow(w / 2, 68, w * 0.54, 5, 0.5) + path(box(4, 40, w - 8, 12), EARTH)
    for k in range(int(w // 24)):
        x, kind = 18 + k * 24, kinds[k % len(kinds)]
        if kind == "lettuce":
            out += form(scallop(x, 38, 10, 8, 8, k + 1), "#9CCB5E", 2)
        elif kind == "cabbage":
            out += form(scallop(x, 37, 11, 9, 7, k + 1), "#7FB08A", 2) + form(oval(x, 37, 6), "#A5CBA0", 1.4)
        elif kind == "carrot":
            out += stroke(f"M{x} 42Q{x - 6} 30 {x - 10} 20M{x} 42V16M{x} 42Q{x + 6} 30 {x + 10} 20", LEAF, 2.6) + form(
                f"M{x - 5} 42h10l-2 5h-6z", "#E8893A", 1
            )
        else:
            out += (
                stroke(f"M{x + 3} 44V-4", "#B98A5E", 2)
                + stroke(f"M{x} 44Q{x - 2} 20 {x + 2} 2", LEAF, 2.6)
                + form(scallop(x, 14, 9, 13, 8, k), LEAF, 2)
                + "".join(form(oval(x + a, b, 3.6), RED, 0.8, 0.3) for a, b in ((-5, 8), (5, 16), (-3, 23)))
            )
    return Prop(
        "vegetable bed",
        w,
        70,
        out + form(box(1, 46, w - 2, 22, 2), WOOD, 4, 1, stroke(f"M1 57H{w}", dark(WOOD, 0.16), 1.4)),
    )


def flower_pot(bloom: str = "#EFA7A0", h: float = 44) -> Prop:
    leaves = "".join(
        form(
            f"M16 {h - 20}Q{16 + d} {h - 30} {16 + d * 1.3:.0f} {h - 36}Q{16 + d * 0.3:.0f} {h - 34} 16 {h - 20}z",
            LEAF,
            1.2,
        )
        for d in (-12, -6, 6, 12)
    )
    blooms = "".join(
        stroke(f"M16 {h - 18}L{x} {y}", dark(LEAF, 0.2), 1.4) + flower(x, y, 5.4, bloom, SUN, 7)
        for x, y in ((8, 10), (17, 4), (25, 11))
    )
    return Prop(
        "flower pot",
        32,
        h,
        shadow(16, h - 1, 14, 1.6, 0.6)
        + leaves
        + blooms
        + form(f"M6 {h - 20}H26L23 {h}H9z", "#C8704A", 3, 0.6)
        + form(box(4, h - 22, 24, 5, 1), "#D8815A", 1.4),
    )


def big_pot(w: float, h: float) -> Prop:
    """A tall earthen pot with a standard bush, in a box of any size."""
    x, k = w / 2, h / 112
    pot = form(
        f"M{x - 20 * k:.0f} {h - 40 * k:.0f}H{x + 20 * k:.0f}L{x + 14 * k:.0f} {h - 2}H{x - 14 * k:.0f}z",
        "#C8704A",
        5 * k,
        1,
    ) + form(box(x - 23 * k, h - 46 * k, 46 * k, 9 * k, 2), "#D8815A", 2)
    return Prop(
        "tall plant pot",
        w,
        h,
        shadow(x, h - 2, 24 * k, 3, 0.55)
        + form(box(x - 2.4 * k, h - 78 * k, 4.8 * k, 36 * k), BARK, 1.4)
        + form(
            scallop(x, h - 84 * k, 24 * k, 23 * k, 12, 4),
            LEAF,
            5,
            1,
            path(scallop(x - 6 * k, h - 90 * k, 13 * k, 11 * k, 9, 2), light(LEAF, 0.2)),
        )
        + pot,
    )


def gnome() -> Prop:
    """A garden gnome with a lantern, 42 x 66."""
    boots = form("M8 65q0-6 8-6v6zM20 65v-6q8 0 9 6z", "#5B3A2E", 1)
    coat = (
        form("M8 36Q18 28 28 36L31 60H5z", BLUE, 3, 0.8)
        + path(box(5, 50, 26, 4), "#5B3A2E")
        + form(box(15, 49, 6, 6, 1), SUN, 1)
    )
    face = (
        form(oval(18, 28, 9, 8), "#F2B48C", 1.6)
        + path(oval(14.6, 26.6, 1.1) + oval(21.4, 26.6, 1.1), INK)
        + form(oval(18, 29.4, 2.4, 2), "#E88A72", 0.5)
    )
    beard = form("M8.6 30Q12 33 18 32.6Q24 33 27.4 30Q27 46 18 50Q9 46 8.6 30z", WHITE, 1.8)
    hat = form("M7 25Q12 6 20 0Q26 10 29 25Q18 20 7 25z", RED, 2.6, 0.6)
    arm = form(limb([(9, 40), (3, 46), (4, 52)], (6, 5, 4)), BLUE, 1) + form(
        limb([(27, 40), (33, 44), (31, 50)], (6, 5, 4)), BLUE, 1
    )
    tool = form(box(28, 50, 8, 11, 2), "#FFE9A0", 1.4, 0.4) + stroke("M29 50q3-5 6 0", INK, 1)
    return Prop("garden gnome", 42, 66, shadow(19, 65, 17, 1.8, 0.6) + boots + coat + arm + tool + face + beard + hat)


def pumpkin() -> Prop:
    """A pumpkin, 44 x 38."""
    tone = "#E8893A"
    ribs = stroke("M14 8Q4 22 14 36M22 7V37M30 8Q40 22 30 36", dark(tone, 0.2), 1.6)
    return Prop(
        "pumpkin",
        44,
        38,
        shadow(23, 37, 22, 2, 0.6)
        + stroke("M22 8Q22 2 27 0", "#6C8A4A", 4)
        + form("M22 7Q36 3 42 14Q46 28 36 36Q22 40 8 36Q-2 28 2 14Q8 3 22 7z", tone, 4, 1, ribs),
    )


def beehive() -> Prop:
    """A hive of three painted boxes on legs, 56 x 90."""
    legs = "".join(form(box(x, 76, 6, 14, 1), dark(WOOD, 0.2), 1.6) for x in (7, 43))
    boxes = "".join(
        form(box(3, y, 50, 22, 1.5), c, 3.4, 1) + form(box(20, y + 6, 16, 4, 2), dark(c, 0.3), 0.8)
        for y, c in ((10, "#F3E6C0"), (33, "#B9D3DC"), (56, "#F3D58A"))
    )
    return Prop(
        "beehive",
        56,
        90,
        shadow(29, 88, 30, 3, 0.5)
        + legs
        + boxes
        + form(box(0, 2, 56, 9, 2), STEEL, 2, 0.6)
        + path(box(14, 73, 28, 3.4, 1), INK),
    )
