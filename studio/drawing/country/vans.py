"""Vehicles of the country, in centimetres, facing left."""

from __future__ import annotations

from studio.drawing.kit import (
    CREAM,
    INK,
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
    shadow,
    stroke,
    veil,
)


def _wheel(x: float, y: float, r: float) -> str:
    return (
        form(oval(x, y, r), "#3B3644", r * 0.2)
        + form(oval(x, y, r * 0.55), "#C9CEDA", r * 0.12)
        + path(oval(x, y, r * 0.16), "#5A6379")
    )


def small_car(colour: str = RED) -> Prop:
    """An empty parked hatchback, 370 x 148."""
    shell = form(
        "M4 112V88Q4 78 18 74L88 62L128 16Q134 8 146 8H290Q306 8 316 22L344 64Q364 70 364 90V112q0 6-8 6H12q-8 0-8-6z",
        colour,
        14,
        3,
    )
    glass = "M104 62L138 22Q142 16 150 16H196V62zM208 62V16H286Q296 16 302 24L326 62z"
    trim = (
        stroke("M202 66V108M116 68h214", dark(colour, 0.3), 2.4)
        + form(box(214, 76, 20, 5, 2), dark(colour, 0.4), 0)
        + form(oval(16, 88, 11, 8), "#FFF1C0", 2)
        + form(box(354, 80, 10, 16, 3), dark(RED, 0.2), 1.4)
    )
    wheels = "".join(path(oval(x, 114, 36), dark(colour, 0.6)) + _wheel(x, 117, 30) for x in (80, 294))
    return Prop(
        "car",
        370,
        148,
        shadow(186, 145, 196, 9, 0.6)
        + shell
        + path(glass, "#9FB6C6")
        + veil("M112 60L142 24h14L128 60zM216 60V18h16V60z", "#fff", 0.3)
        + trim
        + wheels,
    )


def open_van(colour: str = "#E9E4D8") -> Prop:
    """A delivery van from the side, its sliding door open, straw inside and a ramp to the ground, 330 x 220."""
    shell = form("M10 168V112Q14 96 40 88L74 40Q84 20 112 18H300V182H24Q10 182 10 168z", colour, 12, 3)
    glass = form("M58 88L84 48Q90 38 104 38H120V88z", "#9FB6C6", 3)
    stripe = path(box(206, 112, 94, 14), TEAL) + stroke("M294 30V170", dark(colour, 0.16), 3)
    inside = form(box(124, 38, 74, 138, 4), "#5B5560", 0)
    bale = form(box(132, 122, 44, 34, 3), SUN, 4, 0.8, stroke("M146 120V158M162 120V158", dark(SUN, 0.3), 2))
    straw = form("M124 176Q126 154 142 158Q160 150 176 158Q196 156 198 176z", SUN, 3) + stroke(
        "M130 166l14-5M150 170l16-7M172 166l14 4M186 162l8-6", dark(SUN, 0.2), 2
    )
    door = form(box(202, 30, 84, 148, 5), light(colour, 0.16), 6, 2) + path(box(208, 112, 72, 14), TEAL)
    handle = form(box(208, 92, 4, 16, 2), STEEL, 1)
    ramp = form(poly((126, 174), (196, 174), (212, 219), (108, 219)), WOOD, 3) + stroke(
        "M123 184H200M119 195H204M114 207H208", dark(WOOD, 0.24), 2.4
    )
    return Prop(
        "van with an open door",
        330,
        220,
        shadow(160, 214, 172, 10, 0.55)
        + shell
        + inside
        + bale
        + straw
        + glass
        + stripe
        + form(oval(20, 128, 9, 11), "#FFF1C0", 2)
        + _wheel(76, 184, 32)
        + door
        + handle
        + _wheel(246, 184, 32)
        + ramp
        + form(box(4, 160, 30, 14, 4), STEEL, 2),
    )


def camper(colour: str = TEAL) -> Prop:
    """A round camper van with a pop-up roof and a lit window, 400 x 230."""
    roof = form(
        poly((110, 40), (320, 40), (300, 8), (150, 14)),
        CREAM,
        4,
        0,
        stroke("M150 14L140 40M200 12v28M250 10v30", dark(CREAM, 0.14), 2),
    )
    shell = form(
        "M8 186V112Q10 60 52 44Q70 38 96 38H356Q386 40 390 80V186Q390 196 380 196H18Q8 196 8 186z",
        CREAM,
        12,
        3,
        path("M0 124Q40 122 62 130T400 124V200H0z", colour),
    )
    glass = "".join(
        form(box(x, 60, w, 46, 8), c, 4)
        for x, w, c in ((118, 68, "#FBE3A0"), (206, 68, "#FBE3A0"), (294, 68, "#9FB6C6"))
    ) + form("M30 108Q36 70 60 60H96V106z", "#9FB6C6", 3)
    curtains = path(
        "M118 60q16 6 10 46h-10zM186 60q-16 6-10 46h10zM206 60q16 6 10 46h-10zM274 60q-16 6-10 46h10z",
        RED,
        extra='opacity=".8"',
    )
    return Prop(
        "camper van",
        400,
        230,
        shadow(200, 224, 206, 11, 0.55)
        + roof
        + shell
        + glass
        + curtains
        + stroke("M108 50V190M284 50V190", dark(CREAM, 0.2), 2.4)
        + form(oval(24, 146, 12), "#FFF1C0", 2.4)
        + form(box(2, 178, 40, 12, 5), STEEL, 2)
        + form(box(364, 178, 32, 12, 5), STEEL, 2)
        + _wheel(96, 196, 34)
        + _wheel(306, 196, 34),
    )


def old_tractor(colour: str = "#C8483A") -> Prop:
    """An old open tractor that puffs smoke, facing left, 280 x 210."""
    smoke = "".join(
        path(oval(x, y, r), "#8C8690", extra=f'opacity="{o}"')
        for x, y, r, o in ((62, 22, 12, 0.8), (70, 2, 16, 0.7), (86, -22, 20, 0.55), (108, -46, 24, 0.4))
    )
    hood = form("M20 86Q22 74 38 74H158V130H24z", colour, 8, 2, stroke("M34 92h74M34 104h74", dark(colour, 0.3), 4))
    rust = path("M118 110q12-8 22 2q-6 10-22-2zM48 118q8-6 14 2q-6 6-14-2z", "#A8623A")
    seat = stroke("M206 120Q204 90 216 84", INK, 5) + form(
        "M196 84Q216 78 232 84Q236 62 230 52Q240 54 242 66L238 94H198z", "#5B3A2E", 2.4
    )
    steer = stroke("M158 92L178 70", INK, 5) + stroke("M166 58L190 82", "#3B3644", 6)
    wheels = "".join(
        form(oval(x, y, r), "#4B4650", 6)
        + "".join(
            stroke(f"M{x + r * 0.8 * a:.0f} {y + r * 0.8 * b:.0f}L{x + r * a:.0f} {y + r * b:.0f}", "#2E2B38", 6)
            for a, b in ((1, 0), (0.7, 0.7), (0, 1), (-0.7, 0.7), (-1, 0), (-0.7, -0.7), (0, -1), (0.7, -0.7))
        )
        + form(oval(x, y, r * 0.56), "#E3B04B", 4, 1)
        + path(oval(x, y, r * 0.14), "#8A5F43")
        for x, y, r in ((204, 146, 62), (54, 168, 40))
    )
    guard = form("M136 134Q146 70 208 72Q262 76 274 128L262 132Q250 88 208 88Q158 88 150 140z", colour, 5, 1)
    return Prop(
        "old tractor",
        280,
        210,
        shadow(136, 206, 140, 8, 0.5)
        + smoke
        + form(box(58, 28, 8, 48, 2), "#4B4650", 2)
        + form(box(40, 126, 150, 22, 3), dark(colour, 0.45), 3)
        + hood
        + rust
        + form(oval(24, 92, 9), "#FFF1C0", 2)
        + steer
        + seat
        + guard
        + wheels,
    )


def tractor(colour: str = "#4F8F5A") -> Prop:
    """A tractor that faces left, 300 x 240, no one at the wheel."""
    cab = (
        form("M150 24H240L252 132H146z", colour, 8, 2)
        + form(
            "M160 38H230L238 100H156z",
            "#CFE6EA",
            4,
            0,
            path(poly((160, 38), (190, 38), (158, 96)), WHITE, extra='opacity=".5"'),
        )
        + stroke("M196 38V100", colour, 6)
    )
    roof = form(box(138, 10, 118, 18, 7), light(colour, 0.3), 4)
    hood = form("M20 96Q22 84 40 82H152V152H24z", colour, 8, 2, stroke("M40 100h70M40 112h70", dark(colour, 0.25), 4))
    grill = form(box(16, 98, 10, 46, 3), SUN, 2) + form(box(70, 40, 7, 44, 2), "#4B5368", 2)
    wheels = "".join(
        form(oval(x, y, r), "#4B4650", 6)
        + form(oval(x, y, r * 0.58), SUN, 4, 1)
        + form(oval(x, y, r * 0.2), dark(SUN, 0.3), 1.4)
        for x, y, r in ((214, 170, 68), (64, 196, 42))
    )
    return Prop(
        "tractor",
        300,
        240,
        shadow(146, 236, 150, 9, 0.5)
        + form(box(40, 150, 180, 24, 4), dark(colour, 0.4), 4)
        + grill
        + hood
        + cab
        + roof
        + form("M148 170Q160 96 240 100L290 150L280 160Q250 116 214 118T160 180z", colour, 5)
        + wheels,
    )


def bicycle(colour: str = RED) -> Prop:
    """A bicycle facing left, 170 x 104."""
    wheels = stroke(oval(34, 70, 31) + oval(136, 70, 31), "#3B3644", 4) + stroke(
        "".join(
            f"M{x} 70L{x + 29 * a:.0f} {70 + 29 * b:.0f}"
            for x in (34, 136)
            for a, b in ((1, 0), (-1, 0), (0, 1), (0, -1), (0.7, 0.7), (-0.7, 0.7), (0.7, -0.7), (-0.7, -0.7))
        ),
        STEEL,
        1,
    )
    frame = stroke("M34 70L50 26M54 36L90 72L108 28L58 32M90 72H136L108 28M108 28L104 18", colour, 5)
    return Prop(
        "bicycle",
        170,
        104,
        shadow(86, 102, 80, 3, 0.5)
        + wheels
        + frame
        + stroke("M50 26L48 14Q40 8 32 12M50 14h10", "#3B3644", 4)
        + form("M92 16Q106 10 120 14Q116 22 104 21z", "#5B3A2E", 1.4)
        + path(oval(90, 72, 7), "#3B3644")
        + stroke("M90 72l6 14M92 87h9", "#3B3644", 3),
        {"saddle": (106, 14), "handle": (36, 12)},
    )


def scooter(colour: str = TEAL) -> Prop:
    """A child's scooter facing left, 90 x 86."""
    return Prop(
        "scooter",
        90,
        86,
        shadow(46, 84, 42, 2.4, 0.5)
        + stroke("M22 10L14 74", STEEL, 4)
        + stroke("M10 8h26", colour, 5)
        + form(box(14, 68, 64, 6, 3), colour, 2, 0.6)
        + "".join(form(oval(x, 77, 8), "#3B3644", 2) + path(oval(x, 77, 3), CREAM) for x in (12, 78)),
        {"handle": (30, 8), "deck": (46, 68)},
    )
