"""Trees, bushes, reeds and rocks around (0, 0) at their foot, a full-grown one about 320 high: `put` them anywhere."""

from __future__ import annotations

from random import Random

from studio.drawing.country.landscape import scallop
from studio.drawing.kit import LEAF, WHITE, clipped, dark, form, light, limb, oval, path, put, shadow, stroke

BARK = "#8A5F43"


AUTUMN = ("#D99A4A", "#C8703A", "#B9A24A")


def crown(cx: float, cy: float, rx: float, ry: float, leaf: str, seed: int, fruit: str = "") -> str:
    """Foliage in three tones with tufts; `fruit` hangs in it."""
    rng = Random(seed * 97)
    outline = scallop(cx, cy, rx, ry, 11, seed)
    mid = path(scallop(cx - rx * 0.14, cy - ry * 0.16, rx * 0.78, ry * 0.74, 10, seed + 1), light(leaf, 0.1))
    top = path(scallop(cx - rx * 0.28, cy - ry * 0.36, rx * 0.44, ry * 0.38, 8, seed + 2), light(leaf, 0.24))
    tufts = ""
    for _ in range(9):
        x, y = cx + rng.uniform(-0.75, 0.7) * rx, cy + rng.uniform(-0.7, 0.75) * ry
        tufts += f"M{x:.1f} {y:.1f}q6-8 13-2m4 9q5-6 11-2"
    dots = ""
    for k in range(10 if fruit else 0):
        x, y = cx + rng.uniform(-0.7, 0.7) * rx, cy + (-0.6 + 0.14 * k) * ry
        dots += form(oval(x, y, 8.5), fruit, 2.2, 0.8)
    return form(outline, leaf, rx * 0.16, 0, mid + top + stroke(tufts, dark(leaf, 0.16), 3)) + dots


def broad_tree(leaf: str = LEAF, seed: int = 1, fruit: str = "") -> str:
    trunk = form(
        "M-22 2Q-12-20-13-70Q-15-120-34-160L-18-166Q-6-140 0-128Q10-150 26-172L40-164Q16-120 14-70Q14-20 26 2z", BARK, 7
    )
    grain = stroke("M-6-14q3-26 0-52M5-30q2-26-1-46", dark(BARK, 0.2), 2.2)
    return shadow(4, 0, 100, 14, 0.45) + trunk + grain + crown(0, -222, 116, 92, leaf, seed, fruit)


def pine(tone: str = "#4E7F63", snow: bool = False) -> str:
    out = shadow(2, 0, 66, 9, 0.4) + form("M-9 2L-7-60H7L9 2z", BARK, 5)
    for y, w in ((-36, 78), (-104, 62), (-168, 46), (-226, 30)):
        jag = "".join(f"l{-w / 3.5:.1f} {(-7, 7)[k % 2]}" for k in range(7))
        tier = f"M0 {y - 108}Q{w * 0.34:.0f} {y - 44} {w} {y}{jag}Q{-w * 0.34:.0f} {y - 44} 0 {y - 108}z"
        cap = (
            path(
                f"M0 {y - 110}Q{w * 0.3:.0f} {y - 50} {w * 0.5:.0f} {y - 34}Q6 {y - 56} {-w * 0.66:.0f} {y - 20}"
                f"Q{-w * 0.3:.0f} {y - 56} 0 {y - 110}z",
                "#F6FAFC",
            )
            if snow
            else ""
        )
        out += form(tier, tone, w * 0.22, 0, cap)
    return out


def birch(leaf: str = "#9DB85C", seed: int = 4) -> str:
    marks = stroke("M-7-30h6M2-58h6M-7-92h7M1-124h5M-6-150h6M0-186h5", "#5B5560", 3)
    trunk = form("M-9 2L-7-200H7L10 2z", "#EFEAE0", 5, 0, marks)
    return shadow(2, 0, 60, 9, 0.4) + trunk + crown(0, -230, 68, 104, leaf, seed)


def bare_tree(bark: str = "#6E5A58", snow: bool = False) -> str:
    arms = (
        ((0, -90), (-30, -150), (-70, -196), 15),
        ((0, -110), (26, -170), (62, -214), 14),
        ((0, -120), (-6, -200), (-16, -280), 15),
        ((-38, -160), (-74, -164), (-104, -190), 8),
        ((34, -180), (70, -180), (96, -206), 8),
        ((-8, -210), (20, -246), (34, -290), 7),
        ((-58, -184), (-60, -220), (-78, -250), 6),
        ((50, -202), (50, -240), (70, -270), 6),
    )
    out = shadow(2, 0, 60, 9, 0.4)
    for a, b, c, w in arms:
        out += path(limb([a, b, c], (w, w * 0.7, 3)), bark)
        out += stroke(f"M{b[0]} {b[1] - w * 0.4}L{c[0]} {c[1] - 2}", WHITE, w * 0.34) if snow else ""
    return out + form("M-22 2Q-10-30-12-130H12Q10-30 22 2z", bark, 7)


def palm(leaf: str = "#5F9A5E") -> str:
    trunk = limb([(0, 2), (14, -120), (52, -236)], (28, 20, 14))
    rings = stroke("".join(f"M{-14 + k * 4} {-14 - k * 22}q14 8 28 0" for k in range(10)), dark("#B98A5E"), 2)
    fronds = ""
    for dx, dy, c in (
        (-112, 26, dark(leaf, 0.2)),
        (104, 40, dark(leaf, 0.2)),
        (-96, -50, leaf),
        (100, -40, leaf),
        (-40, -88, light(leaf, 0.15)),
        (56, -84, light(leaf, 0.15)),
        (-60, 74, leaf),
        (72, 84, leaf),
    ):
        fronds += form(f"M0 0Q{dx * 0.5:.0f} {dy - 46} {dx} {dy}Q{dx * 0.55:.0f} {dy - 14} 0 0z", c, 4)
    nuts = "".join(form(oval(x, 10, 9), "#7A5238", 2.4, 0.8) for x in (-9, 9))
    return shadow(4, 0, 50, 9, 0.4) + form(trunk, "#B98A5E", 6, 0, rings) + put(52, -236, fronds + nuts)


def bush(leaf: str = "#5E9160", seed: int = 3, berries: str = "") -> str:
    """A round bush, 160 x 90."""
    dots = "".join(path(oval(-56 + k * 23 % 118, -66 + k * 31 % 54, 5), berries) for k in range(11)) if berries else ""
    return shadow(4, 0, 88, 9, 0.45) + clipped("M-120-130H120V0H-120z", crown(0, -36, 78, 46, leaf, seed)) + dots


def reeds(tone: str = "#6C9A58", n: int = 9, seed: int = 2) -> str:
    rng, out = Random(seed), ""
    for k in range(n):
        x, h, lean = (k - n / 2) * 9, rng.uniform(60, 100), rng.uniform(-12, 14)
        out += stroke(f"M{x:.0f} 0Q{x:.0f} {-h * 0.6:.0f} {x + lean:.0f} {-h:.0f}", dark(tone, 0.16 * (k % 2)), 3.6)
        if k % 3 == 1:
            out += stroke(f"M{x + lean:.0f} {-h + 2:.0f}l1-20", "#7A5238", 8)
    return out


def rock(w: float = 90, h: float = 50, tone: str = "#9AA0A6") -> str:
    face = (
        f"M{-w / 2} 0Q{-w * 0.52:.0f} {-h * 0.6:.0f} {-w * 0.26:.0f} {-h * 0.9:.0f}"
        f"L{w * 0.12:.0f} {-h}Q{w * 0.44:.0f} {-h * 0.8:.0f} {w / 2} 0z"
    )
    crack = stroke(
        f"M{-w * 0.1:.0f} {-h * 0.9:.0f}l{w * 0.08:.0f} {h * 0.34:.0f}l{-w * 0.1:.0f} {h * 0.2:.0f}", dark(tone, 0.2), 2
    )
    return shadow(2, 0, w * 0.6, h * 0.14, 0.5) + form(face, tone, w * 0.16, 2, crack)
