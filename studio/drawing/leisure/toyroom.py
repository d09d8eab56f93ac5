"""A playroom at a child's height in any weather, a craft table from above, and what lies about in them."""

from __future__ import annotations

from studio.drawing.home.toys import teddy
from studio.drawing.kit import (
    BLUE,
    CORAL,
    CREAM,
    INK,
    LEAF,
    NAVY,
    PINK,
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
from studio.drawing.rooms import floor, light_shaft, rug, wall, window
from studio.drawing.scene import H, Setting, W
from studio.drawing.weather import lamp_glow


def rainy_playroom() -> Setting:
    """A blue playroom on a rainy day: a wet window, a lamp that glows, a shelf of books, a round rug."""
    base = 470
    out = wall("#9DB7C9", base, "dots") + window(620, 70, 250, 230, "storm", curtain="#D98A5A")
    out += form(box(60, 196, 300, 14, 3), WOOD, 4, 1) + form(box(60, 316, 300, 14, 3), WOOD, 4, 1)
    for j, y in enumerate((196, 316)):
        x = 76.0
        for i in range(11):
            w, h = 15 + (i * 7 + j * 5) % 9, 62 + (i * 13 + j * 7) % 34
            if (i + j) % 5 == 4:
                x += 30
                continue
            out += form(
                box(x, y - h, w, h, 2),
                (RED, TEAL, SUN, NAVY, CORAL, LEAF, CREAM)[(i + 2 * j) % 7],
                3,
                0,
                path(box(x, y - h + 9, w, 4), CREAM),
            )
            x += w + 2
    out += floor("#C99A6B", base, 296, "boards", 480) + rug(480, 606, 400, "#B5606A", "#F0D9B0")
    lamp = (
        stroke("M446 470V170", "#5A4A4A", 7)
        + form(oval(446, 472, 36, 8), "#5A4A4A", 3)
        + form(poly((416, 96), (476, 96), (502, 172), (390, 172)), "#F4D27C", 8, 2)
    )
    glow = lamp_glow(446, 150, 210, "#FFD98A")
    return Setting("playroom", out + glow + lamp, 296, 82, veil(box(0, 0, W, H), "#46557C", 0.1))


def sunny_playroom() -> Setting:
    """A pink and mint playroom with the morning sun, a picture of a whale and a low shelf."""
    base = 452
    out = (
        wall("#F3D3C4", base, "stripes")
        + light_shaft(110, 60, 230, 240, base)
        + window(70, 60, 230, 240, "morning", curtain="#7FB8A4")
    )
    out += path(box(0, 350, W, base - 365), "#BFE0D0") + path(box(0, 342, W, 10), WHITE)
    frame = (
        path(box(596, 92, 190, 140, 4), dark("#F3D3C4", 0.2))
        + form(box(590, 86, 190, 140, 4), WHITE, 4, 2)
        + path(box(602, 98, 166, 116), "#BFE2EC")
    )
    whale = (
        form("M630 168Q640 128 690 132Q730 136 732 168Q734 186 690 188T630 168z", BLUE, 6)
        + form("M730 160Q748 150 746 132Q758 136 764 128Q766 152 736 172z", BLUE, 3)
        + path(oval(658, 158, 4), INK)
        + stroke("M682 128q-2-14-12-14M682 128q2-14 12-14", BLUE, 4)
    )
    out += frame + whale
    out += floor("#E2B98A", base, 280, "boards", 420) + rug(500, 606, 420, "#8CC0B0", "#FFF4E0")
    return Setting("playroom", out, 280, 84)


def treasure_chest() -> Prop:
    """A toy chest with a lock of four number wheels, 76 x 58 cm."""
    wood, gold = "#9A5F3A", "#E2B24A"
    lid = form("M2 26Q2 2 38 2T74 26z", wood, 5, 1.2) + stroke("M14 8V26M62 8V26", dark(wood, 0.26), 1.4)
    low = form(box(2, 27, 72, 30, 2), light(wood, 0.08), 5, 1) + stroke("M2 37H74M2 47H74", dark(wood, 0.2), 1.2)
    bands = "".join(form(box(x, 12, 7, 45, 1), gold, 1.6, 0.6) for x in (7, 62)) + stroke("M2 26.5H74", gold, 3)
    lock = form(box(21, 22, 34, 20, 3), "#5A6379", 2.4, 0.8) + stroke("M31 22Q31 13 38 13T45 22", STEEL, 3)
    wheels = "".join(
        path(box(23.5 + 7.4 * i, 26, 6.4, 12, 1), CREAM) + lettering(n, 26.7 + 7.4 * i, 35.4, 6.6, INK)
        for i, n in enumerate("3071")
    )
    return Prop("toy treasure chest", 76, 58, shadow(38, 56, 44, 4, 0.6) + lid + low + bands + lock + wheels)


def locked_phone() -> Prop:
    """A phone on a little stand with a padlock on its screen, 16 x 19 cm."""
    foot = form(poly((2, 18), (4, 14), (12, 14), (14, 18)), WOOD, 1) + form(
        box(1, 17, 14, 2, 0.8), dark(WOOD, 0.2), 0.4
    )
    case = form(box(3.4, 0, 9.2, 17.4, 1.6), INK, 1, 0.3) + path(box(4.3, 1.2, 7.4, 15, 0.8), "#3F5FA8")
    lock = (
        stroke("M6.2 8V6.2Q6.2 4 8 4T9.8 6.2V8", WHITE, 1)
        + path(box(5.2, 7.6, 5.6, 4.6, 0.8), WHITE)
        + path(oval(8, 9.4, 0.8) + box(7.7, 9.6, 0.7, 1.6), "#3F5FA8")
    )
    dots = path("".join(oval(5.6 + 1.6 * i, 14, 0.5) for i in range(4)), WHITE)
    return Prop("phone with a padlock on its screen", 16, 19, shadow(8, 18.4, 9, 0.8, 0.5) + foot + case + lock + dots)


def picture_card() -> Prop:
    """The harmless stand-in for the phone: a card with a duck on the same stand."""
    foot = form(poly((2, 18), (4, 14), (12, 14), (14, 18)), WOOD, 1) + form(
        box(1, 17, 14, 2, 0.8), dark(WOOD, 0.2), 0.4
    )
    duck = (
        form("M5 11Q5 8.4 8 8.6Q8 6 10 6.2Q11.6 6.8 10.6 9Q11.4 12 8.4 12.4T5 11z", SUN, 0.8)
        + path("M11 7.4l1.2.6l-1.2.5z", RED)
        + path(oval(10, 7.3, 0.4), INK)
    )
    return Prop(
        "picture card",
        16,
        19,
        shadow(8, 18.4, 9, 0.8, 0.5)
        + foot
        + form(box(3.4, 0, 9.2, 17.4, 1), CREAM, 0.8)
        + path(box(4.4, 1.2, 7.2, 14.4), "#BFE2EC")
        + duck,
    )


def toy_pirate_hat() -> Prop:
    """A felt pirate hat on the floor, 40 x 20 cm."""
    felt = form("M0 17Q4 8 12 8Q14 0 20 0T28 8Q36 8 40 17Q30 20 20 17T0 17z", "#3F3A52", 3, 0.8)
    return Prop(
        "pirate hat",
        40,
        20,
        shadow(20, 18, 22, 2, 0.5)
        + felt
        + stroke("M1 16.5Q10 19 20 16.5T39 16.5", SUN, 1.4)
        + form(oval(20, 9, 3.4), SUN, 0.8),
    )


def toy_syringe() -> Prop:
    """A big plastic toy syringe with red water in it, lying; 46 x 16 cm."""
    tip = form(poly((40, 6), (46, 7.4), (46, 8.6), (40, 10)), SUN, 0.6)
    tube = (
        form(box(14, 2.4, 27, 11.4, 3), "#E6F2F4", 2, 0.6)
        + path(box(23, 4, 17, 8.4, 2), RED)
        + veil(box(24, 4.8, 15, 2, 1), "#fff", 0.5)
        + stroke("M20 3v4M25 3v4M30 3v4M35 3v4", NAVY, 0.9)
    )
    plunger = (
        form(box(4, 6.4, 18, 3.4, 1), SUN, 0.8)
        + form(box(0, 1.4, 5, 13.4, 2), SUN, 1.2, 0.5)
        + form(box(12, 0.6, 3.4, 15, 1.4), SUN, 0.8)
    )
    return Prop("toy syringe", 46, 16, shadow(23, 15, 24, 1.4, 0.5) + plunger + tube + tip)


def toy_rattle() -> Prop:
    """The harmless stand-in for the syringe: a toy rattle in the same box."""
    grip = form(box(2, 6.4, 26, 4, 2), TEAL, 1) + stroke(oval(5, 8.4, 4), TEAL, 2.4)
    return Prop(
        "toy rattle",
        46,
        16,
        shadow(23, 15, 24, 1.4, 0.5)
        + grip
        + form(oval(36, 8, 8.6, 7.6), CORAL, 2.4, 0.6, path(box(27, 6.6, 18, 3), CREAM))
        + path(oval(33, 4.6, 1) + oval(39, 12, 1), WHITE),
    )


def doctor_bag() -> Prop:
    """A toy doctor's bag with a red cross, 40 x 32 cm; anchors left and right, where small hands pull."""
    handle = stroke("M10 10Q10 1 20 1T30 10", dark(RED, 0.3), 3)
    case = (
        form("M2 12Q2 8 6 8H34Q38 8 38 12V28Q38 32 34 32H6Q2 32 2 28z", WHITE, 3, 1)
        + path(box(2, 14, 36, 3), RED)
        + path(box(17, 18, 6, 12) + box(14, 21, 12, 6), TEAL)
    )
    return Prop(
        "toy doctor's bag",
        40,
        32,
        handle + case + form(box(17, 12, 6, 5, 1), SUN, 0.8),
        {"left": (2, 18), "right": (38, 18)},
    )


def bandaged_teddy() -> Prop:
    """The teddy with a bandage round its head and a plaster on its belly."""
    made = teddy()
    band = form("M9.5 9Q22 3 34.5 9L35 14Q22 8 9 14z", WHITE, 1) + path(
        box(20, 5.6, 4.4, 1.6) + box(21.4, 4.2, 1.6, 4.4), TEAL
    )
    plaster = put(26, 40, form(box(-6, -2, 12, 4, 2), "#F0CDA6", 0.6) + path(box(-2, -2, 4, 4), "#E2B48A"), 1, -30)
    return Prop("teddy with a bandage", made.w, made.h, made.body + band + plaster)


def doll_bed() -> Prop:
    """A doll's bed with a doll under a quilt, 70 x 40 cm."""
    ends = form(box(0, 0, 6, 40, 2), PINK, 1.6, 0.6) + form(box(64, 10, 6, 30, 2), PINK, 1.6, 0.6)
    doll = (
        form(oval(17, 16, 6.6), "#F0C49C", 1.4)
        + path("M10 15Q11 8 17 8.4T24 15Q17 11 10 15z", "#9A4B24")
        + path(oval(15, 17, 0.8) + oval(19.5, 17, 0.8), INK)
        + stroke("M15.5 19.6q1.8 1.2 3.4 0", RED, 0.7)
    )
    quilt = form(
        "M22 20Q44 13 64 20V32H22z",
        SUN,
        3,
        0,
        path("".join(oval(28 + 9 * i, 22 + 5 * (i % 2), 1.6) for i in range(5)), CORAL),
    )
    return Prop(
        "doll's bed",
        70,
        40,
        shadow(35, 39, 38, 3, 0.5)
        + form(box(5, 27, 60, 8), light(PINK, 0.3), 2)
        + form(box(7, 18, 18, 10, 4), WHITE, 1.4)
        + doll
        + quilt
        + ends,
    )
