"""A kitchen on baking day."""

from __future__ import annotations

from studio.drawing.kit import (
    BLUE,
    CORAL,
    CREAM,
    LEAF,
    RED,
    STEEL,
    SUN,
    WHITE,
    WOOD,
    Prop,
    box,
    clipped,
    dark,
    form,
    lettering,
    light,
    oval,
    path,
    poly,
    put,
    shadow,
    stroke,
    veil,
)
from studio.drawing.scene import H, Setting, W


def kitchen() -> Setting:
    wall = "#F4D9BE"
    out = path(box(0, 0, W, H), wall)
    tile = "#E6EFE6"
    out += path(box(0, 236, W, 300), tile) + stroke(
        "".join(f"M{x} 236V520" for x in range(0, W, 44)) + "".join(f"M0 {y}H{W}" for y in range(236, 520, 42)),
        dark(tile, 0.1),
        2,
    )
    for x, y in ((88, 278), (308, 320), (660, 278), (836, 362), (968, 278), (264, 404), (528, 320)):
        out += path(poly((x + 22, y + 4), (x + 40, y + 21), (x + 22, y + 38), (x + 4, y + 21)), "#A9C9C2")
    for x, w in ((-20, 150), (136, 150), (800, 240)):
        out += path(box(x + 6, 8, w, 178, 4), dark(wall, 0.22)) + form(box(x, 0, w, 180, 4), "#8FB3A6", 5, 2)
        out += stroke(box(x + 14, 14, w - 28, 150, 4), dark("#8FB3A6", 0.16), 3) + form(
            oval(x + w - 24, 128, 6), SUN, 1.6
        )
    pane = box(372, 24, 250, 180)
    out += (
        path(box(364, 20, 274, 200, 5), dark(wall, 0.18))
        + path(box(358, 12, 278, 204, 5), CREAM)
        + path(pane, "#D5E8EE")
    )
    snow = "".join(oval(384 + 61 * i % 232, 34 + 43 * i % 150, 2.6) for i in range(30))
    out += clipped(
        pane,
        path("M372 170Q440 130 500 160T622 150V210H372z", WHITE)
        + put(430, 170, form("M0 0L-30 0L-14-32L-22-32L0-74L22-32L14-32L30 0z", "#5E8A78", 7))
        + path(snow, WHITE),
    )
    out += (
        stroke("M497 24v180M372 112h250", CREAM, 8)
        + path(box(346, 212, 302, 14, 4), CREAM)
        + path(box(346, 223, 302, 5), dark(CREAM, 0.25))
    )
    out += path(box(0, 470, W, 220), "#6F9486")
    return Setting("kitchen", out + _oven(), 190, 150)


def _oven() -> str:
    """A built-in oven at eye level, alight inside."""
    out = path(box(756, 206, 236, 300, 6), dark("#E6EFE6", 0.25)) + form(box(748, 198, 236, 300, 6), "#C9CFD6", 6, 2)
    out += "".join(form(oval(x, 226, 10), "#4B5368", 2) for x in (776, 810, 922, 956)) + path(
        box(836, 214, 62, 24, 3), "#26302C"
    )
    out += stroke("M846 226h8M860 226h8M876 226h8", "#8FE0A8", 4)
    out += (
        form(box(764, 256, 204, 190, 8), "#3C3F50", 5)
        + path(box(784, 288, 164, 138, 6), "#E8903C")
        + clipped(box(784, 288, 164, 138, 6), veil(oval(866, 430, 96, 70), "#FFE08A", 0.7))
    )
    return out + stroke("M784 346h164M784 386h164", "#6B4A3A", 4) + form(box(772, 264, 188, 11, 5), "#9AA3B2", 2)


def worktop() -> Prop:
    """The near worktop, 320 x 92 cm: it hides whoever stands behind it up to the waist."""
    wood, door = "#DDAE78", "#7FA596"
    grain = stroke("M30 6H130M180 9H290M60 11.5H220", dark(wood, 0.1), 0.7)
    top = path(poly((12, 0), (308, 0), (320, 15), (0, 15)), light(wood, 0.18)) + grain
    front = path(box(6, 21, 308, 80), door) + path(box(6, 21, 308, 4), dark(door, 0.3))
    for x in range(56, 264, 52):
        panel = form(box(x, 28, 48, 18, 1.5), light(door, 0.1), 1.2, 0.4)
        front += panel + form(box(x + 18, 35, 12, 3, 1.5), SUN, 0.8)
    return Prop("worktop", 320, 92, top + front + form(box(0, 14.5, 320, 7, 2), wood, 2))


def gingerbread(x: float, y: float, s: float) -> str:
    dough = "#B9743E"
    d = (
        "M-3.4-4.2a6 6 0 1 1 6.8 0Q8-4.6 10.5-2.6T10 2.2Q6 1.6 4.6 2.2Q4.8 7 8.4"
        " 11.2T3.6 15.4Q1 12.6 0 9.4Q-1 12.6-3.6 15.4T-8.4 11.2Q-4.8 7-4.6 2.2Q-6"
        " 1.6-10 2.2T-10.5-2.6Q-8-4.6-3.4-4.2z"
    )
    icing = stroke(
        (
            "M-9.6-.4q1.4-1.4 1.6-1.8M9.6-.4q-1.4-1.4-1.6-1.8M-6.6 11.8q1.2 1 2 1.6M6.6"
            " 11.8q-1.2 1-2 1.6M-2.6-6.8q2.6 2.4 5.2 0"
        ),
        WHITE,
        0.8,
    )
    eyes = path(oval(-2.2, -10, 0.95) + oval(2.2, -10, 0.95), WHITE) + path(
        "".join(oval(0, v, 1.05) for v in (-1.6, 1.8, 5.2)), RED
    )
    return put(x, y, form(d, dough, 1.4, 0.5) + icing + eyes, s)


def baking_tray() -> Prop:
    """A tray on which one big gingerbread man and two stars lie, tipped towards the viewer; 62 x 34 cm."""
    pan = form("M7 2H55L62 30Q62 33 59 33H3Q0 33 0 30z", "#5D6475", 1.6, 0.6) + path("M9 4.6H53L59 29.5H3z", "#F3E7CF")
    star = "M0-5l1.5 3.3l3.6.3l-2.8 2.4l.9 3.5L0 2.7l-3.2 1.8l.9-3.5l-2.8-2.4l3.6-.3z"
    stars = "".join(put(x, y, form(star, "#B9743E", 0.7, 0.2)) for x, y in ((13, 13), (49, 13), (11, 25), (51.5, 25)))
    return Prop(
        "baking tray with a gingerbread man",
        62,
        34,
        shadow(32, 33, 34, 2, 0.6) + pan + stars + gingerbread(31, 17.4, 0.86),
    )


def bowl(colour: str = BLUE) -> Prop:
    whisk = stroke("M22 8L38-14", WOOD, 2.2) + stroke("M24 6q-6 2-6 8M24 6q2 4-2 8", STEEL, 0.9)
    return Prop(
        "mixing bowl",
        38,
        20,
        shadow(19, 19.4, 16, 1.6, 0.6)
        + path(oval(19, 4, 18, 3.4), dark(colour, 0.35))
        + path(oval(19, 4.6, 15, 2.3), "#E9C48F")
        + whisk
        + form("M1 4Q19 11 37 4Q36 17 25 19.5H13Q2 17 1 4z", colour, 3.4, 0.8, stroke("M0 11Q19 18 38 11", CREAM, 1.6)),
    )


def rolling_pin() -> Prop:
    return Prop(
        "rolling pin",
        44,
        7,
        shadow(22, 6.6, 20, 1.2, 0.6)
        + form(box(0, 2.2, 44, 2.8, 1.4), dark(WOOD, 0.16), 0.7)
        + form(box(8, 0.4, 28, 6.4, 2), WOOD, 1.6, 0.5),
    )


def flour() -> Prop:
    bag = (
        form("M2 28Q0 8 3 2Q12 5 21 2Q24 8 22 28z", "#F0E6D2", 3, 0.6)
        + path(box(4, 10, 16, 10, 1), "#C7A06A")
        + lettering("FLOUR", 12, 17, 3.8, WHITE, 14)
    )
    return Prop("bag of flour", 24, 29, shadow(12, 28.4, 13, 1.4, 0.6) + bag)


def plant(w: float, h: float, pot: float) -> Prop:
    """A tall pot plant in any box; the pot is `pot` cm high and stands on a stool that reaches the ground."""
    x = w / 2
    leaves = "".join(
        form(
            (
                f"M{x} {h * 0.46:.1f}Q{x + dx * 0.4 - dy * 0.1:.1f} {h * 0.46 - dy * 0.9:.1f}"
                f" {x + dx:.1f} {h * 0.46 - dy:.1f}Q{x + dx * 0.9:.1f} {h * 0.46 - dy * 0.3:.1f}"
                f" {x} {h * 0.46:.1f}z"
            ),
            c,
            2,
        )
        for dx, dy, c in (
            (-34, 30, dark(LEAF, 0.14)),
            (34, 32, dark(LEAF, 0.2)),
            (-20, 52, LEAF),
            (22, 54, dark(LEAF, 0.08)),
            (2, 58, light(LEAF, 0.1)),
            (-36, 12, LEAF),
            (36, 12, dark(LEAF, 0.1)),
        )
    )
    top = h * 0.44
    tub = form(f"M{x - 17} {top:.1f}h34l-4 {pot:.1f}h-26z", CORAL, 4, 0.8) + form(
        box(x - 19, top - 2, 38, 7, 2), light(CORAL, 0.15), 1.6
    )
    legs = "".join(form(box(x + dx, top + pot, 4, h - top - pot, 1), WOOD, 1) for dx in (-18, -6, 4, 14))
    return Prop(
        "pot plant on a stool",
        w,
        h,
        shadow(x, h - 1, 26, 3, 0.5) + legs + form(box(x - 22, top + pot - 1, 44, 5, 2), WOOD, 1.2) + leaves + tub,
    )
