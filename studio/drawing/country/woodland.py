"""What grows, lies and points the way in the woods, in centimetres."""

from __future__ import annotations

from studio.drawing.country.trees import BARK
from studio.drawing.kit import (
    CREAM,
    LEAF,
    RED,
    WHITE,
    WOOD,
    Prop,
    box,
    dark,
    form,
    lettering,
    oval,
    path,
    poly,
    put,
    shadow,
    stroke,
)


def signpost(arrows: tuple[tuple[str, int], ...] = (("LAKE", 1), ("HUT", -1))) -> Prop:
    """A wooden post with arrows, 90 x 190; the words are small talk, not the message."""
    out = shadow(45, 187, 18, 3, 0.5) + form(box(41, 8, 8, 180, 2), dark(WOOD, 0.16), 2.4)
    for k, (word, way) in enumerate(arrows):
        y = 18 + 26 * k
        d = (
            poly((12, y), (74, y), (88, y + 10), (74, y + 20), (12, y + 20))
            if way > 0
            else poly((78, y), (16, y), (2, y + 10), (16, y + 20), (78, y + 20))
        )
        out += form(d, WOOD, 2.4, 0.8) + lettering(word, 44, y + 14.6, 10, CREAM, 50)
    return Prop("signpost", 90, 190, out)


def toadstools() -> Prop:
    """Trigger: four red toadstools with white dots among leaves, 64 x 50."""

    def one(x: float, y: float, k: float, lean: float) -> str:
        dots = path(
            "".join(
                oval(a, b, r)
                for a, b, r in (
                    (-9, -19, 2.6),
                    (-1, -23, 3),
                    (7, -19, 2.4),
                    (2, -15, 2),
                    (-14, -14, 1.8),
                    (13, -14, 1.8),
                )
            ),
            WHITE,
        )
        stem = form("M-5-12Q-3-4-6 0H6Q3-4 5-12z", "#F6EEDD", 2) + path("M-6-9Q0-5 6-9L7-7Q0-3-7-7z", "#E4D8BE")
        return put(x, y, stem + form("M-17-12Q-16-27 0-27T17-12Q0-7-17-12z", RED, 4, 0.8, dots), k, lean)

    grass = stroke("M4 50q-1-12-5-16M10 50q2-10-2-18M56 50q0-12 6-18M50 50q2-8 6-12", LEAF, 2)
    leaves = path("M2 49q6-6 13-1q-6 4-13 1zM44 49q7-5 14 0q-7 3-14 0z", "#C8703A")
    return Prop(
        "red toadstools",
        64,
        50,
        shadow(32, 48, 32, 2.6, 0.55)
        + grass
        + one(46, 44, 0.8, 6)
        + one(24, 42, 1.25, -3)
        + one(10, 49, 0.5, -10)
        + one(37, 49, 0.55, 8)
        + leaves,
    )


def stump(w: float = 60) -> Prop:
    """A mossy tree stump, `w` x 40."""
    d = f"M{w * 0.14:.0f} 8Q{w * 0.5:.0f} 2 {w * 0.86:.0f} 8L{w} 39Q{w * 0.5:.0f} 43 0 39z"
    rings = stroke(oval(w / 2, 8, w * 0.22, 3) + oval(w / 2, 8, w * 0.1, 1.5), "#B98A5E", 1)
    return Prop(
        "tree stump",
        w,
        40,
        shadow(w / 2, 39, w * 0.6, 3, 0.55)
        + form(
            d,
            BARK,
            w * 0.12,
            0,
            stroke(f"M{w * 0.3:.0f} 14v24M{w * 0.56:.0f} 16v22M{w * 0.72:.0f} 13v22", dark(BARK, 0.2), 1.6)
            + path(f"M0 39Q4 20 {w * 0.2:.0f} 12Q{w * 0.3:.0f} 24 {w * 0.24:.0f} 42z", "#7FA35A"),
        )
        + form(oval(w / 2, 8, w * 0.37, 5.4), "#E3BE8E", 1.4)
        + rings,
    )


def fern() -> Prop:
    """A fern, 70 x 46."""
    out = ""
    for dx, dy, c in (
        (-32, -24, "#5E8F52"),
        (30, -26, "#5E8F52"),
        (-18, -40, "#74A35C"),
        (18, -42, "#74A35C"),
        (0, -44, "#86B36A"),
    ):
        out += form(
            f"M35 46Q{35 + dx * 0.4:.0f} {46 + dy * 1.1:.0f} {35 + dx} {46 + dy}"
            f"Q{35 + dx * 0.7:.0f} {46 + dy * 0.5:.0f} 35 46z",
            c,
            1.6,
        ) + stroke(f"M35 46Q{35 + dx * 0.5:.0f} {46 + dy * 0.9:.0f} {35 + dx} {46 + dy}", dark(c, 0.2), 1)
    return Prop("fern", 70, 46, shadow(35, 45, 26, 2, 0.4) + out)


def acorns() -> Prop:
    """Three acorns and an oak leaf, 22 x 9."""
    leaf = form("M1 7Q3 3 6 4Q8 1 10 4Q13 2 14 6Q10 9 6 8Q3 9 1 7z", "#C8703A", 0.8)
    nuts = "".join(
        form(oval(x, y, 2.4, 2), "#B98A4E", 0.7)
        + form(f"M{x - 2.6} {y - 0.4}Q{x} {y - 3.6} {x + 2.6} {y - 0.4}z", "#7A5238", 0.4)
        for x, y in ((12, 5.6), (17, 7), (20, 4.6))
    )
    return Prop("acorns", 22, 9, leaf + nuts)
