"""People built from joints and parametrised by age, skin, hair, clothes and pose."""

from __future__ import annotations

import math
from dataclasses import dataclass

from mossbench.drawing import limbs
from mossbench.drawing.faces import head
from mossbench.drawing.kit import (
    CHILD,
    HUMAN,
    Prop,
    Pt,
    box,
    dark,
    form,
    light,
    limb,
    oval,
    path,
    poly,
    put,
    shadow,
    stroke,
)
from mossbench.drawing.poses import Held, Look, Pose, Reach, joint, swing


@dataclass(frozen=True, kw_only=True)
class _Frame:
    """The measures and joints that every part of one figure is drawn from, in centimetres from its top left."""

    hd: float  # height of the head: the unit of everything else
    cx: float  # middle between the feet
    bottom: float  # the ground
    hip_x: float
    hy: float  # height of the hips ...
    sy: float  # ... and of the shoulders
    slope: float  # sideways per centimetre upwards
    sw: float  # half the width of the shoulders ...
    hw: float  # ... and of the hips
    thick: float  # of a limb
    hips: tuple[Pt, Pt]
    shoulders: tuple[Pt, Pt]
    neck: float

    def lean(self, y: float) -> float:
        """Middle of the trunk at height `y`: it leans above the hips and hangs straight below."""
        return self.hip_x + self.slope * max(self.hy - y, 0)


def person(
    look: Look, pose: Pose, name: str = "person", *, left: Held | None = None, right: Held | None = None
) -> Prop:
    """A figure that shows HUMAN, and CHILD when not grown; anchors: left_hand, right_hand, head."""
    f = _frame(look, pose)
    (left_arm, left_hand), (right_arm, right_hand) = (
        _arm(look, pose, f, k, held) for k, held in enumerate((left, right))
    )
    arms = ((pose.under[0], left_arm), (pose.under[1], right_arm))
    behind = "".join(drawn for under, drawn in arms if under)
    front = "".join(drawn for under, drawn in arms if not under)
    back_hair, face = (_on_neck(part, pose, f) for part in head(look, pose))
    collar = f.lean(f.sy)
    neck = limb(
        [(f.neck, f.hd * 0.7), (f.neck, f.hd * 0.97), (collar, f.hd * 1.19)], [f.hd * w for w in (0.3, 0.3, 0.36)]
    )
    hood = oval(f.neck, f.hd * 1.08, f.hd * 0.5, f.hd * 0.26)
    hood = form(hood, dark(look.hood, 0.12), f.hd * 0.06) if look.hood else ""
    spread = {"floor": 1.7, "kneel": 1.2}.get(pose.sit, 0.7 + (pose.feet[1] - pose.feet[0]) * 0.35)
    ground = shadow(f.cx, f.bottom - 1, f.hd * spread, f.hd * (0.26 if pose.sit else 0.17), 0.5)
    trunk = path(neck, dark(look.skin, 0.2)) + _torso(look, pose, f) + front
    trunk = trunk + hood if pose.back else hood + trunk  # a hood hangs down the back
    crown = f.hd * (0.4 if look.style in ("bun", "curls") else 0.22)  # hair rises above the measured height
    body = put(0, crown, ground + back_hair + behind + _legs(look, pose, f) + trunk + face)
    joints = {"left_hand": left_hand, "right_hand": right_hand, "head": (f.neck, f.hd * 0.52)}
    anchors = {key: (x, y + crown) for key, (x, y) in joints.items()}
    shows = frozenset({HUMAN} if look.adult else {HUMAN, CHILD})
    return Prop(name, look.height * 0.9, f.bottom + crown, body, anchors, shows)


def _on_neck(part: str, pose: Pose, f: _Frame) -> str:
    turn = f"rotate({pose.tilt} {f.neck:.2f} {f.hd:.2f})"
    return f'<g transform="{turn} translate({f.neck:.2f},{f.hd * 0.52:.2f}) scale({f.hd / 21:.4f})">{part}</g>'


def _frame(look: Look, pose: Pose) -> _Frame:
    tall, hd, adult = look.height, look.head, look.adult
    cx = tall * 0.45
    sw, hw = hd * (0.66 if adult else 0.5), hd * (0.44 if adult else 0.4)
    sy, hy = hd * (1.3 if adult else 1.2), tall * (0.51 if adult else 0.53)
    hip_x = cx + pose.sway * hd * 0.2
    slope = math.tan(math.radians(pose.lean)) - pose.sway * 0.05
    bottom = {"floor": hy + hd * 0.72, "kneel": hy + hd * 0.98, "chair": hy + hd * 0.22 + (tall - hy) * 0.54}.get(
        pose.sit, tall
    )
    shoulder_x = hip_x + slope * (hy - sy)
    drop = pose.sway * hd * 0.05  # the shoulder over the bearing foot sinks
    shoulders = ((shoulder_x - sw * 0.92, sy + hd * 0.15 - drop), (shoulder_x + sw * 0.92, sy + hd * 0.15 + drop))
    hips = ((hip_x - hw * 0.55, hy + drop * 0.6), (hip_x + hw * 0.55, hy - drop * 0.6))
    return _Frame(
        hd=hd,
        cx=cx,
        bottom=bottom,
        hip_x=hip_x,
        hy=hy,
        sy=sy,
        slope=slope,
        sw=sw,
        hw=hw,
        thick=hd * (0.32 if adult else 0.29),
        hips=hips,
        shoulders=shoulders,
        neck=shoulder_x + pose.turn * hd * 0.05,
    )


def _arm(look: Look, pose: Pose, f: _Frame, k: int, held: Held | None) -> tuple[str, Pt]:
    """One arm with its hand and what it holds, and the point in the palm."""
    upper = look.height * (0.156 if look.adult else 0.148)
    lower, shoulder, way = upper * 0.95, f.shoulders[k], (pose.left, pose.right)[k]
    palm = f.hd * 0.24
    if isinstance(way, Reach):
        target = (f.cx + way.x, f.bottom - way.y)
        elbow, end = joint(shoulder, target, upper, lower + palm, (way.elbow, 0) if way.elbow else ((-0.5, 0.5)[k], 1))
        low = math.degrees(math.atan2(end[0] - elbow[0], end[1] - elbow[1]))
    else:
        elbow, low = swing(shoulder, upper, way[0]), way[1]
    wrist = swing(elbow, lower, low)
    kind = "grip" if held and pose.hands[k] == "rest" else pose.hands[k]
    under, over = limbs.hand(swing(wrist, -1, low), low, f.hd * 0.5, look.skin, kind, (1, -1)[k])
    centre = swing(wrist, palm, low)
    thing = put(*centre, put(-held.grip[0], -held.grip[1], held.prop.body), 1, held.angle) if held else ""
    skin, sleeve = limbs.arm(shoulder, elbow, wrist, look, f.thick)
    return skin + under + thing + over + sleeve, centre


def _legs(look: Look, pose: Pose, f: _Frame) -> str:
    if pose.sit == "floor":
        return limbs.crossed_legs(f.hips, f.cx, f.hy, f.hd, f.thick, look)
    out = ""
    order = (0, 1) if pose.turn >= 0 else (1, 0)  # the leg away from the viewer first
    for k in order:
        side, hip = (-1, 1)[k], f.hips[k]
        toe = (
            side * 0.3 if abs(pose.turn) < 0.25 or pose.back else math.copysign(0.35 + 0.65 * abs(pose.turn), pose.turn)
        )
        if pose.sit == "kneel":
            knee = (f.cx + side * f.hd * 0.42, f.bottom - f.thick * 0.66)
            middle = ((hip[0] + knee[0]) / 2, (hip[1] + knee[1]) / 2)
            thigh = limb([hip, middle, knee], [f.thick * w for w in (1.5, 1.5, 1.3)])
            if look.legs == "trousers":
                out += form(thigh, look.bottom, f.thick * 0.24)
            else:
                cut = limb([hip, hip, middle], [f.thick * 1.6] * 3)
                out += form(thigh, look.skin, f.thick * 0.24) + form(cut, look.bottom, f.thick * 0.2)
            continue
        if pose.sit == "chair":
            knee = (hip[0] + side * f.hd * 0.14 + pose.turn * f.hd * 0.62, f.hy + f.hd * 0.2)
            ankle = (knee[0] + side * f.hd * 0.06, f.bottom - f.thick * 1.05)
        else:
            ankle = (f.cx + pose.feet[k] * f.hd, f.bottom - f.thick * 1.05 - pose.lift[k] * f.hd)
            half = (f.bottom - f.thick * 1.05 - f.hy) * 0.5025
            bulge = int(math.copysign(1, pose.turn)) if abs(pose.turn) > 0.25 and not pose.back else side
            knee, ankle = joint(hip, ankle, half, half, (bulge, 0))
        out += limbs.leg(hip, knee, ankle, look, f.thick) + limbs.shoe(
            ankle, toe, f.thick, look.shoes, pose.lift[k] * 90
        )
    return out


def _torso(look: Look, pose: Pose, f: _Frame) -> str:
    hd = f.hd
    skirt = look.legs == "dress" and not pose.sit
    hem = f.hy + (hd * 0.95 if skirt else hd * 0.2)
    flare = f.hw * (1.75 if skirt else 1.14)
    neck = hd * 0.97
    half = (  # right half of the outline as (dx, y), mirrored for the left
        (hd * 0.17, neck + hd * 0.12),
        (f.sw * 0.7, f.sy - hd * 0.12),
        (f.sw * 1.12, f.sy - hd * 0.1),
        (f.sw * 1.06, f.sy + hd * 0.27),
        (f.hw * 0.95, f.sy + hd * 0.7),
        (f.hw * 0.92, f.hy - hd * 0.4),
        (flare, hem),
    )
    drop = pose.sway * 0.05 / 0.66

    def at(dx: float, y: float) -> str:
        sink = drop * dx if y < f.hy - hd * 0.3 else 0  # tilted shoulders, level hem
        return f"{f.lean(y) + dx:.2f} {y + sink:.2f}"

    lft, rgt = [at(-x, y) for x, y in half], [at(x, y) for x, y in half]
    mid, dip = f"{f.lean(neck):.2f}", hd * (0.14 if pose.back else 0.32)
    outline = (
        f"M{lft[0]}C{lft[1]} {lft[2]} {lft[3]}C{lft[4]} {lft[5]} {lft[6]}Q{f.hip_x:.2f} {hem + hd * 0.14:.2f} {rgt[6]}"
        f"C{rgt[5]} {rgt[4]} {rgt[3]}C{rgt[2]} {rgt[1]} {rgt[0]}Q{mid} {neck + dip:.2f} {lft[0]}z"
    )
    return form(outline, look.jacket or look.top, hd * 0.12, 0, _clothes(look, pose, f, hem, flare))


def _clothes(look: Look, pose: Pose, f: _Frame, hem: float, flare: float) -> str:
    """Prints, seams and what is worn over the top; all of it is clipped to the trunk."""
    hd, x, neck = f.hd, f.lean(f.sy), f.hd * 0.97
    cloth = look.jacket or look.top
    edge = hem - hd * 0.06
    out = "".join(
        path(oval(x + hd * (0.3 * i + 0.15 * (j % 2)), f.sy + hd * 0.26 * j, hd * 0.045), look.dots)
        for i in range(-5, 6)
        for j in range(1, 12)
        if look.dots
    )
    if look.stripes:
        bands = "".join(
            f"M{x - hd * 2:.2f} {f.sy + hd * 0.3 * j:.2f}q{hd * 2:.2f} {hd * 0.16:.2f} {hd * 4:.2f} 0"
            for j in range(1, 10)
        )
        out += stroke(bands, look.stripes, hd * 0.11)
    out += _shirt(look, f, hem) if look.jacket and not pose.back else ""
    a, b = f.hip_x - flare * 1.1, f.hip_x + flare * 1.1
    seam = f"M{a:.2f} {edge:.2f}Q{f.hip_x:.2f} {hem + hd * 0.08:.2f} {b:.2f} {edge:.2f}"
    out += "" if look.jacket else stroke(seam, dark(cloth, 0.14), hd * 0.05)
    if not pose.back:
        y = neck + hd * 0.1
        collar = f"M{x - hd * 0.2:.2f} {y:.2f}Q{x:.2f} {y + hd * 0.3:.2f} {x + hd * 0.2:.2f} {y:.2f}"
        out += stroke(collar, light(look.top, 0.5), hd * 0.08)
    return out + (_apron(look, f, hem) if look.apron and not pose.back else "")


def _apron(look: Look, f: _Frame, hem: float) -> str:
    hd, x, neck = f.hd, f.lean(f.sy), f.hd * 0.97
    top, low, waist = f.sy + hd * 0.28, hem + hd, f.hy - hd * 0.45
    a, b = f.lean(top), f.hip_x
    bib = (
        f"M{a - hd * 0.3:.2f} {top:.2f}H{a + hd * 0.3:.2f}L{b + hd * 0.36:.2f} {waist:.2f}H{b + hd:.2f}"
        f"V{low:.2f}H{b - hd:.2f}V{waist:.2f}H{b - hd * 0.36:.2f}z"
    )
    straps = "".join(f"M{a + k * hd * 0.27:.2f} {top:.2f}L{x + k * hd * 0.17:.2f} {neck:.2f}" for k in (-1, 1))
    pocket = path(box(b - hd * 0.22, f.hy - hd * 0.26, hd * 0.44, hd * 0.3, hd * 0.05), dark(look.apron, 0.14))
    return stroke(straps, look.apron, hd * 0.07) + form(bib, look.apron, hd * 0.06) + pocket


def _shirt(look: Look, f: _Frame, hem: float) -> str:
    """What an open jacket leaves to be seen of the top, and the lapels."""
    hd, x = f.hd, f.lean(f.sy)
    chest, low = f.sy + hd * 0.5, hem + hd * 0.3
    left = [(x - hd * 0.16, hd * 0.9), (x - hd * 0.24, chest), (f.hip_x - hd * 0.2, low)]
    right = [(x + hd * 0.16, hd * 0.9), (x + hd * 0.24, chest), (f.hip_x + hd * 0.2, low)]
    out = path(poly(*left, *right[::-1]), look.top)
    for k in (-1, 1):
        tip, fold = (x + k * hd * 0.44, f.sy + hd * 0.16), (x + k * hd * 0.22, f.sy + hd * 0.6)
        out += path(poly((x + k * hd * 0.14, hd * 0.98), tip, fold), dark(look.jacket, 0.2))
    return out
