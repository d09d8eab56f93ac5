"""Arms, hands, legs and feet, each as tapered forms between joints."""

from __future__ import annotations

import math

from studio.drawing.kit import CREAM, SUN, Pt, clipped, dark, form, limb, oval, path, put, stroke
from studio.drawing.poses import Look


def hand(p: Pt, angle: float, size: float, skin: str, kind: str, side: int) -> tuple[str, str]:
    """A hand of length `size` from the wrist `p`: what lies under a held thing, and the fingers that lie over it.

    `side` is where the thumb lies, seen along the arm: 1 to the right of a hanging hand.
    """
    tones = (skin, dark(skin, 0.1), skin, dark(skin, 0.14))
    palm = path("M-1.7-1.5C-3 .5-3.1 4-2.3 5.6h4.6C3.1 4 3 .5 1.7-1.5z", skin)
    thumb = stroke(f"M{1.4 * side} 1.4q{2.4 * side} 1.2 {1.6 * side} 3.8", skin, 1.9)
    under = over = ""
    if kind == "grip":
        under = form("M-1.8-1.5C-4.2 .6-4.3 6.6-2.6 7.6H2.6C4.3 6.6 4.2 .6 1.8-1.5z", skin, 0.9)
        over = "".join(
            stroke(f"M{x * 0.9:.2f} 6.9q{0.4 * side:.2f}-2.6 0-3.9", c, 1.85)
            for x, c in zip((-2.7, -0.9, 0.9, 2.7), tones, strict=True)
        ) + stroke(f"M{2.9 * side} .8q{0.9 * side} 1.8 {-1.9 * side} 2.5", dark(skin, 0.05), 1.9)
    elif kind == "flat":
        under = thumb + form("M-1.8-1.5C-3.2 1-3 4-2.7 6L-2.3 9Q0 10.4 2.3 9L2.7 6C3 4 3.2 1 1.8-1.5z", skin, 0.9)
        over = "".join(stroke(f"M{x} 6v3", dark(skin, 0.26), 0.45) for x in (-1.1, 0.1, 1.3))
    elif kind == "point":
        curl = "".join(
            stroke(f"M{x * side:.2f} 6.2q.3-1.6 0-2.6", c, 1.8) for x, c in zip((-2.2, -0.7, 0.6), tones, strict=False)
        )
        over = (
            stroke(f"M{1.6 * side} 3.6L{2.0 * side} 10.4", skin, 1.7)
            + palm
            + curl
            + stroke(f"M{2.2 * side} 1.6q{-0.6 * side} 2.4 {-2.2 * side} 3", dark(skin, 0.08), 1.6)
        )
    elif kind == "thumb":
        over = form("M-1.8-1.5C-4 .6-4 6.2-2.6 7.2H2.6C4 6.2 4 .6 1.8-1.5z", skin, 0.9) + stroke(
            f"M{2.4 * side} 3.2L{6.4 * side} 3.6", skin, 2.1
        )
        over += "".join(stroke(f"M{-2.9 * side} {y}h{3.4 * side}", dark(skin, 0.22), 0.45) for y in (2.2, 3.8, 5.4))
    elif kind == "cup":
        under = form("M-1.8-1.5C-4.4 1-4.6 5-4 7Q0 9.6 4 7C4.6 5 4.4 1 1.8-1.5z", skin, 1)
        over = "".join(
            stroke(f"M{x} 7.6q{-x * 0.1:.2f}-1.4 0-2", c, 1.7)
            for x, c in zip((-3.2, -1.1, 1.1, 3.2), tones, strict=True)
        )
    else:
        spread, long = (0.75, 4.8) if kind == "open" else (0.12, 4.0)
        bend = 0.0 if kind == "open" else -0.5 * side
        over = (
            "".join(
                stroke(
                    f"M{x * 0.8:.2f} 4q{x * spread * 0.5:.2f} 2 {x * spread + bend:.2f} "
                    f"{long - abs(x + 0.4 * side) * 0.5:.2f}",
                    c,
                    1.75,
                )
                for x, c in ((-2.1, skin), (2.1, dark(skin, 0.14)), (-0.7, dark(skin, 0.07)), (0.7, skin))
            )
            + palm
        )
        under = thumb if kind != "open" else stroke(f"M{1.2 * side} 1.4q{2.4 * side} .6 {3.4 * side} 2.8", skin, 1.9)
    return put(*p, under, size / 10, -angle), put(*p, over, size / 10, -angle)


def bent(a: Pt, b: Pt, c: Pt, widths: tuple[float, float, float], fill: str, depth: float) -> str:
    """A limb through three joints: one shape, or two where the joint is so sharp that one outline would fold over."""
    angle = math.degrees(math.atan2(a[1] - b[1], a[0] - b[0]) - math.atan2(c[1] - b[1], c[0] - b[0])) % 360
    if min(angle, 360 - angle) > 100:
        return form(limb([a, b, c], widths), fill, depth)
    halves = []
    for p, q, w0, w1 in ((a, b, widths[0], widths[1]), (b, c, widths[1], widths[2])):
        middle = ((p[0] + q[0]) / 2, (p[1] + q[1]) / 2)
        halves.append(form(limb([p, middle, q], (w0, (w0 + w1) / 2, w1)), fill, depth))
    return "".join(halves)


def arm(shoulder: Pt, elbow: Pt, wrist: Pt, look: Look, thick: float) -> tuple[str, str]:
    """The bare arm, and the sleeve that goes over it."""
    skin = bent(shoulder, elbow, wrist, (thick * 0.84, thick * 0.72, thick * 0.52), look.skin, thick * 0.16)
    worn = look.coat or look.jacket or look.top
    if worn == look.skin or not look.sleeve:
        return skin, ""
    worn = dark(worn, 0.06)  # so that it stands off the trunk
    if look.sleeve > 0.6 or look.jacket or look.coat:
        cuff = between(elbow, wrist, 0.86)
        sleeve = bent(shoulder, elbow, cuff, (thick * 1.08, thick * 0.94, thick * 0.78), worn, thick * 0.2)
        if look.stripes or look.dots:
            for p, q, w in ((shoulder, elbow, 1.0), (elbow, cuff, 0.84)):
                middle = between(p, q, 0.5)
                sleeve += clipped(limb([p, middle, q], (thick * w,) * 3), _print(p, q, look, thick))
        if "bands" in look.extra:
            sleeve += stroke(_across(elbow, cuff, 0.6, thick * 0.8), SUN, thick * 0.3)
        return skin, sleeve
    cut = between(shoulder, elbow, 0.62)
    short = limb([shoulder, between(shoulder, cut, 0.5), cut], (thick * 1.06, thick, thick * 1.08))
    return skin, form(short, worn, thick * 0.2, 0, _print(shoulder, elbow, look, thick))


def _print(a: Pt, b: Pt, look: Look, thick: float) -> str:
    """The stripes or dots of a top on the part of a sleeve between two joints."""
    if look.coat or look.jacket:
        return ""
    steps = [0.16 + 0.28 * i for i in range(4)]
    if look.stripes:
        return "".join(stroke(_across(a, b, t, thick * 1.3), look.stripes, thick * 0.34) for t in steps)
    if look.dots:
        spots = (between(a, b, t) for t in steps)
        return "".join(
            path(oval(x + (-1) ** i * thick * 0.22, y, thick * 0.14), look.dots) for i, (x, y) in enumerate(spots)
        )
    return ""


def between(a: Pt, b: Pt, t: float) -> Pt:
    """The point a share `t` of the way from `a` to `b`."""
    return a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t


def _across(a: Pt, b: Pt, t: float, wide: float) -> str:
    """A short line across the limb from `a` to `b`."""
    x, y = between(a, b, t)
    d = math.dist(a, b) or 1.0
    nx, ny = -(b[1] - a[1]) / d * wide / 2, (b[0] - a[0]) / d * wide / 2
    return f"M{x - nx:.2f} {y - ny:.2f}L{x + nx:.2f} {y + ny:.2f}"


def shoe(ankle: Pt, toe: float, turn: float, thick: float, look: Look) -> str:
    """A shoe seen from the side its toe points to (-1 to 1), turned clockwise by `turn` degrees."""
    bare = not look.shoes
    colour = look.skin if bare else look.shoes
    u = math.copysign(thick * (0.66 + 0.34 * abs(toe)), toe)
    upper = (
        f"M{-u * 0.55:.2f} {-thick * 0.3:.2f}q{u * 0.6:.2f}-{thick * 0.2:.2f} {u:.2f} {thick * 0.1:.2f}"
        f"q{u * 1.1:.2f} {thick * 0.3:.2f} {u:.2f} {thick:.2f}h{-u * 2.1:.2f}q{-u * 0.2:.2f}-{thick * 0.5:.2f}"
        f" {u * 0.1:.2f}-{thick * 1.1:.2f}z"
    )
    sole = stroke(f"M{-u * 0.55:.2f} {thick * 0.76:.2f}h{u * 1.95:.2f}", dark(colour, 0.4), thick * 0.14)
    if bare:
        sole = stroke(f"M{u * 1.1:.2f} {thick * 0.5:.2f}v{thick * 0.2:.2f}", dark(colour, 0.25), thick * 0.08)
    return put(ankle[0], ankle[1] + thick * 0.1, form(upper, colour, thick * 0.18) + sole, 1, turn)


def leg(hip: Pt, knee: Pt, ankle: Pt, look: Look, thick: float, seated: bool = False) -> str:
    """A leg without its shoe, in trousers, shorts, or bare with a sock; boots over all. Seated: seen from the front."""
    widths = (thick * 1.4, thick * 1.06, thick * 0.76)
    trousers = look.legs == "trousers"
    cover = look.bottom if trousers else look.skin
    low = thick * 0.9 if trousers else widths[2]
    end = between(knee, ankle, 1.03 if trousers else 1)
    if seated:  # the thigh is drawn over it
        shin = limb([knee, between(knee, end, 0.5), end], (thick * 1.1, thick * 1.04, low))
        return form(shin, dark(cover, 0.1), thick * 0.2) + _sock(knee, ankle, look, thick)
    out = bent(hip, knee, end, (widths[0], widths[1], low), cover, thick * 0.22)
    if trousers and "bands" in look.extra:
        out += stroke(_across(knee, ankle, 0.55, thick * 0.75), SUN, thick * 0.28)
    out += _sock(knee, ankle, look, thick)
    share = {"shorts": 0.82, "swim": 0.45}.get(look.legs, 0)
    if share:
        hem = between(hip, knee, share)
        short = limb([hip, between(hip, hem, 0.5), hem], (thick * 1.52, thick * 1.48, thick * 1.42))
        out += form(short, look.bottom, thick * 0.2)
    return out


def _sock(knee: Pt, ankle: Pt, look: Look, thick: float) -> str:
    """A sock over a bare shin, or the shaft of a boot."""
    if look.boots:
        shaft = [between(knee, ankle, t) for t in (0.38, 0.7, 1.05)]
        return form(limb(shaft, (thick * 1.2, thick * 1.08, thick)), look.shoes, thick * 0.2)
    if look.legs == "trousers" or not look.shoes:
        return ""
    cuff = [between(knee, ankle, t) for t in (0.86, 0.95, 1.04)]
    return form(limb(cuff, (thick * 0.82,) * 3), CREAM, thick * 0.15)
