"""Arms, hands, legs and feet, each as tapered forms between joints."""

from __future__ import annotations

import math

from mossbench.drawing.kit import CREAM, Pt, dark, form, limb, path, put, stroke
from mossbench.drawing.poses import Look, swing


def hand(p: Pt, angle: float, size: float, skin: str, kind: str, side: int) -> tuple[str, str]:
    """A hand of length `size` from the wrist `p`: what lies under a held thing, and the fingers that lie over it."""
    thumb = stroke(f"M{1.4 * side} 1.6q{2.2 * side} 1.4 {1.5 * side} 3.8", skin, 1.9)
    if kind == "grip":
        under = form("M-2-1.5C-4.2 1-4.1 7-2.4 7.8H2.4C4.1 7 4.2 1 2-1.5z", skin, 1)
        over = "".join(
            stroke(f"M{x * 1.0:.2f} 3.1v3.6", c, 1.75)
            for x, c in zip((-2.5, -0.85, 0.85, 2.5), (skin, dark(skin, 0.12), skin, dark(skin, 0.16)), strict=True)
        ) + stroke(f"M{2.6 * side} 1.4q{1 * side} 1.6 {-1.6 * side} 2.4", dark(skin, 0.05), 1.8)
    elif kind == "flat":
        under = thumb + form("M-1.8-1.5C-3.2 1-3 4-2.7 6L-2.3 9Q0 10.4 2.3 9L2.7 6C3 4 3.2 1 1.8-1.5z", skin, 0.9)
        over = "".join(stroke(f"M{x} 6v3", dark(skin, 0.26), 0.45) for x in (-1.1, 0.1, 1.3))
    else:
        spread = 0.9 if kind == "open" else 0.15
        under = thumb
        over = "".join(
            stroke(f"M{x * 0.8:.2f} 4l{x * spread:.2f} {4.6 - abs(x + 0.4 * side) * 0.55:.2f}", c, 1.75)
            for x, c in ((-2.1, skin), (2.1, dark(skin, 0.14)), (-0.7, dark(skin, 0.07)), (0.7, skin))
        ) + path("M-1.7-1.5C-3 .5-3.1 4-2.3 5.4h4.6C3.1 4 3 .5 1.7-1.5z", skin)
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
    skin = bent(shoulder, elbow, wrist, (thick * 0.8, thick * 0.72, thick * 0.52), look.skin, thick * 0.16)
    cloth = look.jacket or look.top
    if look.sleeve > 0.6 or look.jacket:
        cuff = (elbow[0] + (wrist[0] - elbow[0]) * 0.84, elbow[1] + (wrist[1] - elbow[1]) * 0.84)
        return skin, bent(shoulder, elbow, cuff, (thick, thick * 0.92, thick * 0.76), cloth, thick * 0.2)
    share = 0.6
    cut = (shoulder[0] + (elbow[0] - shoulder[0]) * share, shoulder[1] + (elbow[1] - shoulder[1]) * share)
    middle = ((shoulder[0] + cut[0]) / 2, (shoulder[1] + cut[1]) / 2)
    return skin, form(limb([shoulder, middle, cut], (thick, thick, thick * 1.06)), cloth, thick * 0.2)


def shoe(ankle: Pt, toe: float, thick: float, colour: str, heel: float = 0) -> str:
    """A shoe seen from the side its toe points to (-1 to 1); `heel` degrees tips it onto its toe."""
    u = math.copysign(thick * (0.66 + 0.34 * abs(toe)), toe)
    upper = (
        f"M{-u * 0.55:.2f} {-thick * 0.3:.2f}q{u * 0.6:.2f}-{thick * 0.2:.2f} {u:.2f} {thick * 0.1:.2f}"
        f"q{u * 1.1:.2f} {thick * 0.3:.2f} {u:.2f} {thick:.2f}h{-u * 2.1:.2f}z"
    )
    sole = stroke(f"M{-u * 0.55:.2f} {thick * 0.76:.2f}h{u * 1.95:.2f}", dark(colour, 0.4), thick * 0.14)
    return put(ankle[0], ankle[1] + thick * 0.1, form(upper, colour, thick * 0.18) + sole, 1, math.copysign(heel, toe))


def leg(hip: Pt, knee: Pt, ankle: Pt, look: Look, thick: float) -> str:
    """A leg without its shoe, in trousers, shorts, or bare with a sock."""
    widths = (thick * 1.35, thick * 1.06, thick * 0.76)
    if look.legs == "trousers":
        wide = (widths[0], widths[1], thick * 0.9)
        return bent(hip, knee, (ankle[0], ankle[1] + thick * 0.06), wide, look.bottom, thick * 0.22)
    bare = bent(hip, knee, ankle, widths, look.skin, thick * 0.2)
    sock = form(
        limb([swing(ankle, -thick * 0.3, 0), ankle, swing(ankle, thick * 0.2, 0)], (thick * 0.8,) * 3),
        CREAM,
        thick * 0.15,
    )
    if look.legs == "dress":
        return bare + sock
    middle = ((hip[0] + knee[0]) / 2, (hip[1] + knee[1]) / 2)
    hem = (hip[0] * 0.18 + knee[0] * 0.82, hip[1] * 0.18 + knee[1] * 0.82)
    short = form(limb([hip, middle, hem], (thick * 1.5, thick * 1.46, thick * 1.4)), look.bottom, thick * 0.2)
    return bare + short + sock


def crossed_legs(hips: tuple[Pt, Pt], cx: float, hy: float, hd: float, thick: float, look: Look) -> str:
    """Cross-legged on the floor: thighs out to the knees, shins back across, each foot under the other knee."""
    cover = look.skin if look.legs == "dress" else look.bottom
    shin_cover = look.bottom if look.legs == "trousers" else look.skin
    out = form(limb([hips[0], (cx, hy + hd * 0.2), hips[1]], (hd * 0.5,) * 3), dark(cover, 0.16), 0)
    shins = thighs = ""
    for k, (hip, side) in enumerate(zip(hips, (-1, 1), strict=True)):
        knee = (cx + side * hd * 1.12, hy + hd * 0.34)
        ankle = (cx - side * hd * 0.5, hy + hd * 0.47)
        middle = ((hip[0] + knee[0]) / 2, (hip[1] + knee[1]) / 2 - hd * 0.06)
        thighs += form(limb([hip, middle, knee], (thick * 1.45, thick * 1.5, thick * 1.3)), cover, thick * 0.22)
        tone = shin_cover if k else dark(shin_cover, 0.1)
        u = -side * thick
        foot = (
            f"M{ankle[0] - u * 0.3:.2f} {ankle[1] - thick * 0.42:.2f}q{u * 1.5:.2f} {-thick * 0.1:.2f}"
            f" {u * 1.9:.2f} {thick * 0.5:.2f}q{u * 0.1:.2f} {thick * 0.5:.2f} {-u * 0.5:.2f}"
            f" {thick * 0.5:.2f}h{-u * 1.4:.2f}z"
        )
        middle = ((knee[0] + ankle[0]) / 2, (knee[1] + ankle[1]) / 2 + hd * 0.05)
        shins += form(foot, look.shoes, thick * 0.16) + form(
            limb([knee, middle, ankle], (thick * 1.12, thick, thick * 0.84)), tone, thick * 0.2
        )
    return out + thighs + shins
