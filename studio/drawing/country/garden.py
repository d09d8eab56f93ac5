"""Things of the garden."""

from __future__ import annotations

import math

from studio.drawing.kit import (
    BLUE,
    INK,
    LEAF,
    SUN,
    WOOD,
    Prop,
    Pt,
    box,
    clipped,
    dark,
    flower,
    form,
    light,
    limb,
    mix,
    oval,
    path,
    shadow,
    stroke,
)


def tree(cx: float, base: float, s: float, leaf: str = LEAF) -> str:
    crown = (
        (0, -250, 62),
        (-58, -214, 52),
        (60, -214, 52),
        (-34, -282, 50),
        (36, -284, 48),
        (0, -196, 56),
        (-86, -246, 36),
        (88, -252, 34),
        (2, -316, 38),
    )
    tones = (
        (0, 0, 1.0, dark(leaf, 0.24)),
        (-9, -10, 0.88, leaf),
        (-15, -18, 0.74, mix(leaf, light(leaf, 0.3), 0.35)),
        (-24, -30, 0.46, light(leaf, 0.22)),
    )
    blobs = "".join(path(oval(x + dx, y + dy, r * k), c) for dx, dy, k, c in tones for x, y, r in crown)
    flecks = "".join(
        stroke(f"M{x} {y}q5-6 11-2m3 8q5-6 10-2", c, 3.4)
        for x, y, c in (
            (-62, -190, light(leaf, 0.2)),
            (16, -196, light(leaf, 0.2)),
            (62, -238, light(leaf, 0.2)),
            (-40, -262, light(leaf, 0.45)),
            (14, -292, light(leaf, 0.45)),
            (-84, -236, light(leaf, 0.45)),
            (-2, -244, light(leaf, 0.45)),
        )
    )
    bark = "#8A5F43"
    trunk = form("M-17 0Q-10-60-14-170H14Q10-60 18 0z", bark, 7) + stroke("M0-120Q24-150 40-190", bark, 9)
    shade = shadow(0, 0, 90, 13, 0.45)
    return f'<g transform="translate({cx},{base}) scale({s})">{shade}{trunk}{blobs}{flecks}</g>'


def parrot() -> Prop:
    """A macaw facing left; its feet are the anchor, its tail hangs below them."""
    red, blue, yellow, green = "#DE3F33", "#2F6FB7", "#F5C242", "#3FA067"
    tail = "".join(
        form(limb([(24, 28), (28, 44), (31 + k, 60)], (5, 4, 2)), c, 0.9)
        for k, c in ((4, blue), (-1, dark(red, 0.1)), (1.5, red))
    )
    body = form("M9 10C9 2 22 0 25 9C28 17 29 26 25 34C20 40 12 37 10 29C8 22 9 16 9 10z", red, 2.2, 0.5)
    wing = (
        form("M17 15C25 13 30 22 31 45C22 42 15 30 17 15z", red, 1)
        + form("M18 22C24 21 29 28 31 45C23 41 18 32 18 22z", yellow, 1)
        + form("M19 27C24 27 28 33 31 45C25 41 20 35 19 27z", green, 0.8)
        + form("M20.5 32C25 32 28 36 31.5 47C26 44 22 38 20.5 32z", blue, 1.2)
        + "".join(stroke(f"M{22 + i * 2.2} {35 + i * 2.6}l5.5 7", dark(blue, 0.3), 0.6) for i in range(3))
    )
    face = (
        form("M9 9C9 5 14 4 16 8C17 12 14 15.5 10 15z", "#FFF6EC", 0.8)
        + path(oval(12.8, 8.6, 1.4), "#F7E9A8")
        + path(oval(12.7, 8.6, 0.95), INK)
        + path(oval(12.4, 8.2, 0.35), "#fff")
    )
    beak = form("M10 6.5C4.5 5.5 2.5 10 4.5 15.5C6 13 8 12.6 10.4 13z", "#F0DDB6", 1) + form(
        "M10.5 12.8C8 12.6 6.4 13.6 6 15.8C8.5 17.6 11 16 10.5 12.8z", "#45404C", 0.7
    )
    feet = "".join(
        stroke(f"M{x} 34v3.4", "#6A6470", 1.9) + stroke(f"M{x - 1.6} 37v3M{x} 37.4v3.4M{x + 1.6} 37v3", "#57525E", 1.15)
        for x in (15, 20)
    )
    return Prop("parrot", 38, 62, tail + body + wing + face + beak + feet, {"feet": (17.5, 37.6)})


def bird_stand(w: float, h: float, perch: Pt) -> Prop:
    """A wooden perch on a foot, in any box; the bar's middle is at `perch`."""
    x, y = perch
    seeds = form(f"M{x - 22} {y - 3}h9l-1.5 7h-6z", BLUE, 1) + path(oval(x - 17.5, y - 3, 4.4, 1.1), SUN)
    post = form(box(x - 1.8, y, 3.6, h - y - 3, 1.2), WOOD, 1)
    foot = form(f"M{x - 15} {h}Q{x - 13} {h - 5} {x} {h - 6}Q{x + 13} {h - 5} {x + 15} {h}z", dark(WOOD, 0.1), 1.4)
    bar = form(box(x - 24, y - 1, 36, 3.6, 1.8), WOOD, 0.9, 0.3)
    return Prop("bird stand", w, h, shadow(x - 4, h - 1, 18, 2.4, 0.6) + post + foot + bar + seeds)


def cage() -> Prop:
    """A domed brass cage with its door swung wide open; perch, swing and seed cup inside."""
    brass = "#C9963F"
    xs = [6 + 40 * (1 - math.cos(math.pi * k / 10)) / 2 for k in range(11)]
    back = "".join(stroke(f"M{x:.1f} 66V26Q{x:.1f} 12 26 7", mix(brass, "#EADFC4", 0.55), 0.6) for x in xs)
    front = "".join(
        stroke(f"M{x:.1f} 67V26Q{x:.1f} 11 26 6", dark(brass, 0.06 * abs(i - 2)), 1.05)
        for i, x in enumerate(xs)
        if i not in (3, 4, 5, 6, 7)
    )
    stubs = "".join(stroke(f"M{xs[i]:.1f} 34V26Q{xs[i]:.1f} 11 26 6", dark(brass, 0.12), 1.05) for i in (3, 4, 5, 6, 7))
    hole = "M15 64V42Q15 33 26 33T37 42V64z"
    leaf = "M37 64L60 69V45Q57 36 48 35T37 43z"
    door = (
        path(leaf, "#FFF7E0", extra='opacity=".28"')
        + stroke(leaf, dark(brass, 0.1), 1.8)
        + stroke("M42.5 38V65M48 35V66.5M54 38V67.8M37.5 52L60 56", dark(brass, 0.1), 1)
    )
    inside = (
        stroke("M8 50H44", WOOD, 1.8)
        + stroke("M20 12v14M32 12v14", dark(brass), 0.6)
        + stroke("M19 26h14", WOOD, 1.5)
        + form("M8 56h8l-1.5 7h-5z", BLUE, 1)
        + path(oval(12, 56, 3.8, 1), SUN)
    )
    band = stroke("M6 26Q26 31 46 26", dark(brass, 0.1), 1.3)
    base = form("M4 65Q26 70 48 65V71Q26 77 4 71z", brass, 2.4, 0.6)
    return Prop(
        "open birdcage",
        64,
        76,
        shadow(28, 73.5, 26, 3, 0.6)
        + path(oval(26, 66, 20, 3), dark(brass, 0.35))
        + back
        + path(hole, "#4B3A4F", extra='opacity=".2"')
        + inside
        + front
        + stubs
        + band
        + stroke(hole, brass, 1.9)
        + base
        + form(oval(26, 5.5, 2.2), brass, 0.7)
        + stroke("M26 3.5a2 2 0 1 1 .1 0", brass, 1)
        + door,
    )


def table() -> Prop:
    """A round garden table on four splayed legs with a ring between them."""
    white = "#F1EBDD"
    far = "".join(
        form(limb([(38 + k * 5, 10), (38 + k * 12, 34), (38 + k * 17, 57)], (4, 3.4, 3.4)), dark(white, 0.16), 1.2)
        for k in (-1, 1)
    )
    near = "".join(
        form(limb([(38 + k * 8, 10), (38 + k * 20, 36), (38 + k * 28, 62)], (5, 4, 4.4)), white, 1.4) for k in (-1, 1)
    )
    ring = stroke("M20 41Q38 47 56 41Q38 36 20 41z", dark(white, 0.2), 1.8)
    top = form("M1 6v3Q38 20 75 9V6z", white, 2) + form(oval(38, 6, 37, 5.6), "#FFFAF0", 1.6)
    return Prop("garden table", 76, 64, shadow(38, 61.5, 40, 5, 0.55) + far + ring + near + top)


def blooms(w: float, colours: tuple[str, ...], seed: int) -> Prop:
    out = shadow(w / 2, 33, w * 0.55, 3.4, 0.4)
    bumps = [(w * (0.1 + 0.16 * i), 24 + 3 * (i * seed % 3) - (4 if i in (2, 3) else 0), w * 0.11) for i in range(6)]
    out += "".join(path(oval(x, y + 2, r, 12), dark(LEAF, 0.26)) for x, y, r in bumps) + "".join(
        path(oval(x - 1, y, r * 0.86, 9.5), dark(LEAF, 0.08)) for x, y, r in bumps
    )
    for i in range(int(w / 8)):
        x, y = 7 + i * (w - 14) / (int(w / 8) - 1), 13 + (i * seed * 7 % 13)
        out += flower(x, y, 3.7, colours[i % len(colours)], SUN if colours[i % len(colours)] != SUN else "#A8612E", 7)
    return Prop("flower bed", w, 34, clipped(box(-20, -20, w + 40, 54), out))
