"""The seaside: sand, water and what people bring along."""

from __future__ import annotations

import math

from studio.drawing.kit import (
    BLUE,
    CORAL,
    CREAM,
    INK,
    PINK,
    RED,
    SUN,
    TEAL,
    WHITE,
    Prop,
    box,
    dark,
    form,
    light,
    mix,
    oval,
    path,
    poly,
    put,
    shadow,
    stroke,
    veil,
)
from studio.drawing.scene import Setting, W
from studio.drawing.town.outdoors import clouds, sky

SAND = "#F0D9A4"


def beach() -> Setting:
    out = sky("#7FC4E4", "#FDF1D6") + clouds((120, 90, 1.2), (560, 60, -0.9), (800, 120, 0.8))
    out += form("M640 250Q700 176 780 186Q860 170 930 206Q990 200 1060 250z", "#8FAF8C", 6)
    house = form(poly((838, 182), (850, 92), (872, 92), (884, 182)), WHITE, 5) + path(
        poly((844, 138), (847, 114), (875, 114), (878, 138)), RED
    )
    out += house + form(box(848, 74, 26, 20, 2), "#FBE7A6", 3) + form(poly((842, 76), (880, 76), (861, 56)), RED, 3)
    sea = "#57AEC2"
    out += path(box(0, 250, W, 160), sea) + path(box(0, 250, W, 34), mix(sea, "#2F7FA5", 0.5))
    out += path(box(0, 250, W, 3), light(sea, 0.4))
    for x, y, w in ((60, 278, 70), (300, 268, 60), (520, 292, 90), (760, 274, 70), (900, 300, 90), (180, 318, 100)):
        out += stroke(f"M{x} {y}q{w * 0.25} -5 {w * 0.5} 0t{w * 0.5} 0", light(sea, 0.55), 3)
    boat = form("M0 0h86l-14 20h-58z", CORAL, 4, 1) + stroke("M40 0V-84", "#8A5F43", 3.4)
    boat += form("M44-82Q84-40 80-6H44z", WHITE, 5) + form("M36-70Q10-36 8-6H36z", SUN, 4)
    out += put(214, 262, boat, 0.9) + stroke("M200 284h110", light(sea, 0.5), 3)
    out += path("M0 372Q170 350 340 376T700 366T1024 380V440H0z", light(sea, 0.35))
    out += path("M0 384Q170 362 340 390T700 380T1024 394V440H0z", "#FFFDF6")
    out += path("M0 394Q170 374 340 400T700 390T1024 404V683H0z", dark(SAND, 0.16))
    out += path("M0 426Q220 404 420 430T800 418T1024 430V683H0z", SAND)
    out += path("M0 560Q300 520 600 566T1024 552V683H0z", light(SAND, 0.3))
    dots = "".join(oval(37 + i * 97 % 1010, 452 + i * 53 % 220, 2.4, 1.4) for i in range(46))
    return Setting("beach", out + path(dots, dark(SAND, 0.2)), 250, 118)


def sandcastle() -> Prop:
    """Two towers and a gate, 130 x 74 cm; the flag goes on the anchor `top`."""
    sand = "#DDB36D"

    def tower(x: float, w: float, y: float) -> str:
        merlons = "".join(form(box(x + w / 4 * i, y - 6, w / 5.4, 8, 1), sand, 1.2) for i in range(4))
        lines = "".join(stroke(f"M{x + 5 + 9 * i} {y + 16 + 12 * i}h6", dark(sand, 0.16), 1.4) for i in range(3))
        return merlons + form(f"M{x} {y}h{w}l4 {72 - y}h{-w - 8}z", sand, w * 0.16, 1, lines)

    wall = form("M24 44h84l6 28H18z", dark(sand, 0.06), 5, 1)
    notches = "".join(form(box(28 + 11 * i, 38, 7, 8, 1), dark(sand, 0.06), 1) for i in range(7))
    gate = path("M56 73V60Q56 50 66 50T76 60V73z", dark(sand, 0.55))
    shells = "".join(
        form(f"M{x} {y}q4-7 8 0q-4 4-8 0z", PINK, 0.8) for x, y in ((44, 60), (84, 60), (14, 50), (108, 46))
    )
    mound = form("M-6 74Q4 62 20 66Q60 58 112 66Q130 62 138 74z", light(sand, 0.2), 2)
    body = shadow(66, 73, 84, 5, 0.55) + tower(88, 26, 28) + notches + wall + gate + tower(8, 28, 20) + shells + mound
    return Prop("sandcastle", 130, 74, body, {"top": (101, 24)})


def _pole(cloth: str, motif: str) -> str:
    rag = "M6 3Q14 0 22 4T38 3V25Q30 29 22 25T6 27z"
    return stroke("M5 2V53", "#8A5F43", 2.2) + form(oval(5, 2, 2), SUN, 0.6) + form(rag, cloth, 1.6, 0, motif)


def pirate_flag() -> Prop:
    bones = stroke("M13 20.5L31 10M13 10L31 20.5", WHITE, 2.2)
    ends = path("".join(oval(x, y, 1.7) for x in (12.4, 31.6) for y in (9, 11.4, 19.6, 22)), WHITE)
    skull = path(oval(22, 12.6, 6, 5.6) + box(19, 15, 6, 6, 1.4), WHITE)
    holes = path(oval(19.8, 13, 1.7, 1.9) + oval(24.2, 13, 1.7, 1.9) + "M22 15l-1 2h2z", "#2E2B38")
    teeth = stroke("M21 18.5v2.5M23 18.5v2.5", "#2E2B38", 0.6)
    return Prop("pirate flag", 41, 54, _pole("#2E2B38", bones + ends + skull + holes + teeth))


def sun_flag() -> Prop:
    beams = "".join(
        f"M22 14.5L{22 + 30 * math.cos(a):.1f} {14.5 + 30 * math.sin(a):.1f}"
        for a in (k * math.tau / 10 for k in range(10))
    )
    motif = stroke(beams, light(SUN, 0.5), 2.4) + form(oval(22, 14.5, 6.4), SUN, 1.4)
    return Prop("flag with a sun", 41, 54, _pole(BLUE, motif))


def parasol() -> Prop:
    cloth = "M4 62Q10 6 92 0Q176 6 184 62Q166 50 146 62Q120 50 94 62Q66 50 44 62Q22 50 4 62z"
    stripes = "".join(
        path(f"M92 0Q{a} 24 {b} 66h{w}Q{c} 24 92 0z", WHITE)
        for a, b, w, c in ((40, 4, 40, 62), (84, 72, 42, 104), (136, 146, 42, 166))
    )
    pole = form(box(90, 10, 5, 200, 2), "#E9E2D2", 1.6)
    towel = form("M20 196L150 190L176 208L30 212z", TEAL, 0) + path(
        "M50 194.6l22-1l16 16.5l-24 .8zM104 192l22-1l22 18l-24 .8z", light(TEAL, 0.5)
    )
    return Prop(
        "parasol and towel",
        188,
        212,
        veil(oval(112, 206, 104, 11), "#3A2A5C", 0.2) + towel + pole + form(cloth, CORAL, 9, 2, stripes),
    )


def bucket(colour: str = RED) -> Prop:
    rim = path(oval(12, 3.6, 11, 2.6), dark(colour, 0.4)) + stroke("M1.6 4Q12-14 22.4 4", CREAM, 1.3)
    return Prop(
        "bucket",
        24,
        25,
        shadow(12, 24, 12, 2, 0.6) + rim + form("M1 3.6Q12 9 23 3.6L20 23Q12 26 4 23z", colour, 2.6, 0.7),
    )


def spade() -> Prop:
    blade = form("M1 22Q7 19 13 22V34Q7 43 1 34z", SUN, 1.6, 0.5)
    return Prop("toy spade", 14, 42, form(box(5.4, 4, 3.2, 20, 1), BLUE, 0.9) + stroke("M2.5 3h9", BLUE, 3) + blade)


def crab() -> Prop:
    shell = "#E4613F"
    legs = "".join(
        stroke(f"M{15 + k * 8} {11 + i * 1.6}q{k * 6}-1 {k * (7 - i)} {5 - i * 0.6}", dark(shell, 0.1), 1.4)
        for k in (-1, 1)
        for i in range(3)
    )
    claws = "".join(
        stroke(f"M{15 + k * 8} 9q{k * 5}-1 {k * 5}-5", shell, 2)
        + form(
            f"M{15 + k * 10} 4q{-k * 1}-5 {k * 4}-4q{-k * 2} 2 {k * 1} 3q{k * 2}-1 {k * 2} 1q{-k * 2} 4-{0} 0z",
            shell,
            0.6,
        )
        for k in (-1, 1)
    )
    eyes = "".join(
        stroke(f"M{15 + k * 3} 6v-3", shell, 1.2)
        + path(oval(15 + k * 3, 2.6, 1.5), WHITE)
        + path(oval(15 + k * 3, 2.8, 0.8), INK)
        for k in (-1, 1)
    )
    smile = stroke("M12.5 11q2.5 2 5 0", dark(shell, 0.5), 0.7)
    return Prop(
        "crab",
        30,
        18,
        shadow(15, 17, 14, 1.8, 0.6) + legs + claws + eyes + form(oval(15, 10, 9.5, 5.6), shell, 1.6, 0.4) + smile,
    )
