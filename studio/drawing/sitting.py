"""Legs of people who sit or kneel, and the skirts and coats that lie over them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from studio.drawing.kit import Pt, dark, form, hull, light, limb, oval, path, stroke, veil
from studio.drawing.limbs import between, shoe
from studio.drawing.poses import Look, Pose

if TYPE_CHECKING:
    from studio.drawing.people import Frame


def sits(pose: Pose) -> bool:
    """Whether both thighs are raised off the line of the trunk, as when sitting, squatting or hugging the knees."""
    return bool(pose.thighs) and all(min(abs(a), abs(a + pose.lean)) > 45 for a, _ in pose.thighs or ())


def _covers(look: Look) -> tuple[str, str]:
    """The colours of thigh and shin."""
    bare = look.legs in ("dress", "skirt")
    return look.skin if bare else look.bottom, look.bottom if look.legs == "trousers" else look.skin


def thigh_to_viewer(hip: Pt, knee: Pt, look: Look, thick: float) -> str:
    """A thigh that comes towards the viewer, widest at the knee, and the shade that it casts on the shin."""
    cover, shin = _covers(look)
    cast = path(oval(knee[0] + thick * 0.08, knee[1] + thick * 0.5, thick * 0.56, thick * 0.62), dark(shin, 0.34))
    top = (hip[0], hip[1] - thick * 0.1)
    widths = (thick * 1.4, thick * 1.56, thick * 1.48)
    thigh = form(limb([top, between(top, knee, 0.5), knee], widths), shin, thick * 0.24)
    if cover != shin:  # the leg of the shorts ends before the knee
        hem = between(top, knee, 0.55)
        thigh += form(limb([top, between(top, hem, 0.5), hem], [w * 1.04 for w in widths]), cover, thick * 0.22)
    return cast + thigh


def crossed_legs(f: Frame, look: Look) -> str:
    """Cross-legged on the floor: thighs out to the knees, then the shins before them, a foot beyond either shin."""
    (cover, shin_cover), hd, thick, cx = _covers(look), f.hd, f.thick, f.hip[0]
    out = form(limb([f.hips[0], (cx, hd * 0.2), f.hips[1]], (hd * 0.55,) * 3), dark(cover, 0.2), 0)
    for hip, side in zip(f.hips, (-1, 1), strict=True):
        knee = (cx + side * hd * 1.14, hd * 0.34)
        middle = ((hip[0] + knee[0]) / 2, (hip[1] + knee[1]) / 2 - hd * 0.07)
        out += form(limb([hip, middle, knee], (thick * 1.5, thick * 1.5, thick * 1.36)), cover, thick * 0.24)
    for side, tone in ((1, dark(shin_cover, 0.2)), (-1, shin_cover)):
        knee, ankle = (cx + side * hd * 1.12, hd * 0.4), (cx - side * hd * 0.4, hd * 0.58)
        out += shoe((ankle[0] - side * thick * 0.3, ankle[1] - thick * 0.42), -side * 0.9, -side * 16, thick, look)
        out += form(
            limb([knee, between(knee, ankle, 0.5), ankle], (thick * 1.2, thick * 1.05, thick * 0.84)),
            tone,
            thick * 0.22,
        )
    return out


def crossed_from_behind(f: Frame, look: Look) -> str:
    """Cross-legged, seen from behind: the seat and a knee out at either side; shins and feet are hidden."""
    cover, hd, thick, cx = _covers(look)[0], f.hd, f.thick, f.hip[0]
    seat = look.top if look.legs == "dress" else look.bottom
    out = ""
    for side in (-1, 1):
        knee = (cx + side * hd * 1.12, hd * 0.44)
        start = (cx + side * f.hw * 0.4, hd * 0.2)
        thigh = limb([start, between(start, knee, 0.55), knee], (thick * 1.7, thick * 1.6, thick * 1.24))
        out += form(thigh, dark(cover, 0.1), thick * 0.26)
    low = hd * 0.66
    bottom = form(oval(cx, hd * 0.24, f.hw * 1.16, low - hd * 0.24), seat, hd * 0.1)
    return out + bottom + stroke(f"M{cx:.2f} {hd * 0.36:.2f}V{low - hd * 0.06:.2f}", dark(seat, 0.22), hd * 0.04)


def kneeling(hip: Pt, knee: Pt, look: Look, thick: float) -> str:
    """A thigh down to a knee on the ground, seen from the front; the shin lies behind it."""
    cover, shin = _covers(look)
    middle = between(hip, knee, 0.5)
    thigh = form(limb([hip, middle, knee], [thick * w for w in (1.5, 1.62, 1.5)]), shin, thick * 0.26)
    if cover != shin:
        thigh += form(limb([hip, between(hip, middle, 0.5), middle], [thick * 1.68] * 3), cover, thick * 0.22)
    return thigh


def kneeling_from_behind(f: Frame, look: Look) -> str:
    """The seat on the heels and the soles under it."""
    hd, thick, cx = f.hd, f.thick, f.hip[0]
    seat = look.top if look.legs == "dress" else look.bottom
    sole = light(look.shoes, 0.35) if look.shoes else light(look.skin, 0.15)
    low = f.ground - thick * 0.2
    out = ""
    for side in (-1, 1):
        x = cx + side * f.hw * 0.5
        shin = limb([(x, hd * 0.3), (x, low - thick * 0.8), (x, low - thick * 0.5)], [thick * 1.3] * 3)
        out += form(shin, dark(_covers(look)[1], 0.12), thick * 0.2)
        out += form(oval(x, low - thick * 0.55, thick * 0.5, thick * 0.72), sole, thick * 0.16)
    return out + form(oval(cx, hd * 0.14, f.hw * 1.14, hd * 0.44), seat, hd * 0.1)


def lap(look: Look, pose: Pose, f: Frame, colour: str, share: float) -> str:
    """A dress, skirt or coat over the legs of somebody who sits; `share` of the leg is covered."""
    if pose.sit == "floor":
        return form(hull(_floor_lap(f), f.hd * 0.3), colour, f.hd * 0.1)
    if pose.sit:
        return _front_lap(look, f, colour, share)
    return _side_lap(look, f, colour, share)


def _floor_lap(f: Frame) -> list[Pt]:
    y = f.hd * 0.06
    spots = ((0.4, -0.2), (1.15, 0.18), (0.9, 0.38))
    return [(f.hip[0] + k * f.hd * dx, y + f.hd * dy) for k in (-1, 1) for dx, dy in spots]


def _front_lap(look: Look, f: Frame, colour: str, share: float) -> str:
    """From the hips over both knees, the hem hanging from them with a dip between."""
    (ax, ay), (bx, by) = f.knees
    t, hang, thick = min(share * 2, 1), max(share * 2 - 1, 0), f.thick
    x0, x1 = f.hip[0] - f.hw * 1.02, f.hip[0] + f.hw * 1.02
    top = -f.hd * 0.24
    ka = (f.hips[0][0] + (ax - f.hips[0][0]) * t - thick * 0.86, ay * t)
    kb = (f.hips[1][0] + (bx - f.hips[1][0]) * t + thick * 0.86, by * t)
    low = max(ay, by) * t + thick * 0.62 + hang * max(f.ankles[0][1] - ay, 0)
    middle = (ka[0] + kb[0]) / 2
    edge = kb[0] - thick * 0.06
    outline = (
        f"M{x0:.2f} {top:.2f}C{x0:.2f} 0 {ka[0]:.2f} {ka[1] - thick:.2f} {ka[0]:.2f} {ka[1]:.2f}"
        f"L{ka[0] + thick * 0.06:.2f} {low:.2f}Q{middle:.2f} {low + thick * 0.34:.2f} {edge:.2f} {low:.2f}"
        f"L{kb[0]:.2f} {kb[1]:.2f}C{kb[0]:.2f} {kb[1] - thick:.2f} {x1:.2f} 0 {x1:.2f} {top:.2f}z"
    )
    sides = [(middle + k * thick * 0.34, low + thick) for k in (-1, 1)]
    inside = dotted(look, f) + veil(hull([(middle, f.hd * 0.08), *sides], 1), dark(colour, 0.4), 0.4)  # sinks between
    if hang:  # what hangs from the knees lies in shade, the lap in the light
        y = max(ay, by) + thick * 0.36
        bend = f"M{ka[0] - 1:.2f} {y:.2f}Q{(ka[0] + middle) / 2:.2f} {y + thick * 0.5:.2f} {middle:.2f} {y:.2f}"
        bend += f"Q{(kb[0] + middle) / 2:.2f} {y + thick * 0.5:.2f} {kb[0] + 1:.2f} {y:.2f}"
        inside += veil(f"{bend}V{low + thick:.2f}H{ka[0] - 1:.2f}z", dark(colour, 0.34), 0.5)
    return form(outline, colour, f.hd * 0.1, 0, inside)


def _side_lap(look: Look, f: Frame, colour: str, share: float) -> str:
    """Cloth around either thigh, seen from the side; what is longer falls from the front half of both as one piece."""
    near, thick = 0 if f.facing > 0 else 1, f.thick
    out = _thigh_cloth(look, f, 1 - near, dark(colour, 0.14), share)
    if share > 0.5:
        ahead = thick if f.knees[near][0] > f.hips[near][0] else -thick
        edge = [between(f.hips[near], f.knees[near], 0.42)]
        edge += [(x + ahead * 0.6, y) for x, y in f.knees]
        drop = thick * 0.4 + (share * 2 - 1) * max(f.ankles[near][1] - f.knees[near][1], 0)
        fall = [(x, f.knees[near][1] + drop) for x, _ in edge]
        fold = stroke(f"M{edge[1][0] - ahead:.2f} {edge[1][1]:.2f}v{drop:.2f}", dark(colour, 0.3), thick * 0.12)
        out += form(hull(edge + fall, thick * 0.3), dark(colour, 0.1), thick * 0.2, 0, dotted(look, f) + fold)
    return out + _thigh_cloth(look, f, near, colour, share)


def _thigh_cloth(look: Look, f: Frame, k: int, colour: str, share: float) -> str:
    hip, thick = f.hips[k], f.thick
    end = between(hip, f.knees[k], min(share * 2, 1))
    thigh = limb([hip, between(hip, end, 0.5), end], (thick * 1.9, thick * 1.75, thick * 1.5))
    return form(thigh, colour, thick * 0.26, 0, dotted(look, f))


def dotted(look: Look, f: Frame) -> str:
    """The dots of a dress all over the lower body, to be clipped to it."""
    hd, x = f.hd, f.hip[0]
    if not look.dots or look.legs != "dress" or look.coat:
        return ""
    return "".join(
        path(oval(x + hd * (0.3 * i + 0.15 * (j % 2)), hd * 0.26 * j, hd * 0.045), look.dots)
        for i in range(-7, 8)
        for j in range(-1, 12)
    )
