"""People built from joints and parametrised by age, build, skin, hair, clothes and pose."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from studio.drawing import limbs, sitting
from studio.drawing.clothes import skirt, trunk, trunk_outline
from studio.drawing.faces import head
from studio.drawing.kit import CHILD, HUMAN, SHADOW, Prop, Pt, clipped, dark, form, limb, oval, path, put, shadow
from studio.drawing.poses import Held, Look, Pose, Reach, joint, swing


@dataclass(frozen=True, kw_only=True)
class Frame:
    """The measures and joints that every part of one figure is drawn from, in centimetres; hips at height 0."""

    hd: float  # height of the head: the unit of everything else
    hip: Pt
    lean: float
    long: float  # hips to shoulders
    sw: float  # half the width of the shoulders ...
    hw: float  # ... and of the hips
    thick: float  # of a limb
    facing: float
    ground: float
    hips: tuple[Pt, Pt]
    shoulders: tuple[Pt, Pt]
    knees: tuple[Pt, Pt]
    ankles: tuple[Pt, Pt]
    neck: Pt
    head: Pt

    def at(self, dx: float, up: float) -> Pt:
        """The point `up` the trunk from the hips and `dx` across it."""
        return _along(self.hip, self.lean, dx, up)

    @property
    def side(self) -> bool:
        return abs(self.facing) > 0.35


def person(
    look: Look,
    pose: Pose,
    name: str = "person",
    *,
    left: Held | None = None,
    right: Held | None = None,
    grounded: bool = True,
) -> Prop:
    """A figure that shows HUMAN, and CHILD when not grown; anchors: left_hand, right_hand, head, hip, neck.

    One that sits or rides on something is not `grounded` and casts no shadow of its own.
    """
    f = frame(look, pose)
    arms, palms, cast = zip(*(_arm(look, pose, f, k, held) for k, held in enumerate((left, right))), strict=True)
    far = 1 if f.facing > 0 else 0
    under = [pose.under[k] or (f.side and k == far) for k in (0, 1)]
    behind = "".join(arms[k] for k in (0, 1) if under[k] and not pose.over[k])
    front = "".join(arms[k] for k in (far, 1 - far) if not under[k] and not pose.over[k])
    above = "".join(arms[k] for k in (far, 1 - far) if pose.over[k])
    back_hair, face = (_on_neck(part, pose, f) for part in head(look, pose))
    neck = limb([f.head, f.neck, f.at(0, f.long * 0.94)], [f.hd * w for w in (0.3, 0.29, 0.36)])
    hood = oval(*f.at(-f.facing * f.hd * 0.2, f.long + f.hd * 0.2), f.hd * 0.48, f.hd * 0.26)
    hood = form(hood, dark(look.hood, 0.12), f.hd * 0.06) if look.hood else ""
    outline = trunk_outline(look, pose, f)
    core = path(neck, dark(look.skin, 0.2)) + trunk(look, pose, f, outline)
    core += clipped(outline, "".join(cast[k] for k in (0, 1) if not under[k]))
    (far_leg, seat, near_leg), lap = _legs(look, pose, f), skirt(look, pose, f)
    if pose.sit and not pose.back:
        core = core + far_leg + near_leg + lap  # the thighs come towards the viewer
    elif f.side and sitting.sits(pose):
        core = far_leg + core + seat + near_leg + lap  # the near thigh lies before the trunk
    elif look.legs == "skirt" and not look.coat:
        core = far_leg + seat + near_leg + lap + core  # the top hangs over it
    else:
        core = far_leg + seat + near_leg + core + lap
    core = core + front + hood if pose.back else hood + core + front  # a hood hangs down the back
    figure = behind + core + face + above
    if not pose.back:
        figure = back_hair + figure
    return _boxed(look, pose, f, name, figure, palms, grounded)


def _boxed(look: Look, pose: Pose, f: Frame, name: str, figure: str, palms: tuple[Pt, ...], grounded: bool) -> Prop:
    """The figure in a box that holds its joints, its middle over the middle between the feet."""
    crown = f.hd * (0.4 if look.style in ("bun", "curls", "afro") else 0.22) + (f.hd * 0.45 if look.hat else 0)
    points = (*f.knees, *f.ankles, *f.shoulders, *palms)
    top = min(f.head[1] - f.hd * 0.52 - crown, *(y - f.hd * 0.3 for _, y in palms))
    reach = max(abs(x) + f.thick for x, _ in points)
    w = max(look.height * 0.9, 2 * reach, 2 * (abs(f.head[0]) + f.hd * 0.7))
    feet = [x for x, _ in (*f.ankles, f.hip, *(f.knees if pose.thighs or pose.sit else ()))]
    if abs(pose.lean) > 60:
        feet += [f.head[0], f.neck[0]]
    middle, half = (min(feet) + max(feet)) / 2, (max(feet) - min(feet)) / 2 + f.hd * 0.5
    spread = f.hd * 1.7 if pose.sit == "floor" else half
    ground = shadow(middle, f.ground - 1, spread, min(f.hd * 0.26, spread * 0.3), 0.5 if not pose.air else 0.3)
    cx = w / 2
    joints = {"left_hand": palms[0], "right_hand": palms[1], "head": f.head, "hip": f.hip, "neck": f.neck}
    anchors = {key: (x + cx, y - top) for key, (x, y) in joints.items()}
    shows = frozenset({HUMAN} if look.adult else {HUMAN, CHILD})
    return Prop(name, w, f.ground - top, put(cx, -top, (ground if grounded else "") + figure), anchors, shows, (look,))


def _on_neck(part: str, pose: Pose, f: Frame) -> str:
    x, y = f.head
    chin = _along((0, 0), pose.tilt, 0, f.hd * 0.48)  # the head turns about its chin
    return (
        f'<g transform="translate({x + chin[0]:.2f},{y + f.hd * 0.48 + chin[1]:.2f}) rotate({pose.tilt:.1f})'
        f' scale({f.hd / 21:.4f})">{part}</g>'
    )


def _along(base: Pt, lean: float, dx: float, up: float) -> Pt:
    c, s = math.cos(math.radians(lean)), math.sin(math.radians(lean))
    return base[0] + up * s + dx * c, base[1] - up * c + dx * s


def frame(look: Look, pose: Pose) -> Frame:
    """Where all joints lie, the middle between the feet at x = 0 and the hips near height 0."""
    tall, hd, adult, facing = look.height, look.head, look.adult, pose.facing
    leg = tall * (0.49 if adult else 0.47)
    long = tall - leg - hd * (1.3 if adult else 1.2)
    thick = hd * (0.32 if adult else 0.29) * (0.6 + 0.4 * look.build)
    narrow = 1 - 0.42 * facing**2
    sw = hd * ((0.66 if look.sex != "female" else 0.61) if adult else 0.5) * (0.55 + 0.45 * look.build) * narrow
    hw = hd * (0.46 if adult else 0.4) * look.build * (1 - 0.16 * facing**2)
    hip = (pose.sway * hd * 0.2, 0.0)
    drop = pose.sway * hd * 0.05  # the shoulder over the bearing foot sinks, its hip rises
    slim = 1 - 0.85 * abs(facing)

    def up(dx: float, high: float) -> Pt:
        return _along(hip, pose.lean - pose.sway * 3, dx, high)

    shoulders = (
        up(-sw * 0.9 * (1 - 0.8 * abs(facing)), long - hd * 0.17 + drop),
        up(sw * 0.9 * (1 - 0.8 * abs(facing)), long - hd * 0.17 - drop),
    )
    hips = ((hip[0] - hw * 0.52 * slim, drop * 0.8), (hip[0] + hw * 0.52 * slim, -drop * 0.8))
    knees, ankles, ground = _stand(look, pose, hips, leg, hd, thick, hw)
    neck = up(facing * hd * 0.1 + pose.turn * hd * 0.04, long + hd * 0.3)
    bow = pose.lean * 0.6 if abs(pose.lean) < 60 else pose.lean  # a neck straightens up against the trunk
    top = _along(neck, bow + facing * 6, 0, hd * 0.48)
    return Frame(
        hd=hd, hip=hip, lean=pose.lean - pose.sway * 3, long=long, sw=sw, hw=hw, thick=thick, facing=facing,
        ground=ground, hips=hips, shoulders=shoulders, knees=knees, ankles=ankles, neck=neck, head=top,
    )  # fmt: skip


def _stand(
    look: Look, pose: Pose, hips: tuple[Pt, Pt], leg: float, hd: float, thick: float, hw: float
) -> tuple[tuple[Pt, Pt], tuple[Pt, Pt], float]:
    """Knees, ankles and the height of the ground."""
    foot = thick * 1.05
    half = (leg - foot) / 2
    if pose.thighs:
        knees = [swing(hips[k], half, pose.thighs[k][0]) for k in (0, 1)]
        ankles = [swing(knees[k], half, pose.thighs[k][1]) for k in (0, 1)]
        soles = []
        for k in (0, 1):
            shin = pose.thighs[k][1]
            soles.append(ankles[k][1] + (foot if abs(shin) < 50 else thick * 0.6))
        seat = hips[0][1] + hw * (0.8 if abs(pose.lean) < 50 else 0.9)
        ground = max(*soles, *(y + thick * 0.6 for _, y in knees), seat) + pose.air * hd
        return (knees[0], knees[1]), (ankles[0], ankles[1]), ground
    if pose.sit:
        ground = {"floor": hd * 0.72, "kneel": hd * 0.98}.get(pose.sit, hd * 0.22 + leg * 0.54)
    else:
        ground = leg - abs(pose.sway) * leg * 0.012 + min(pose.lift) * hd  # on tiptoe the figure rises
    knees, ankles = [], []
    for k, side in enumerate((-1, 1)):
        hip = hips[k]
        if pose.sit == "chair":
            apart = side * hd * (0.24 if look.sex == "female" and look.adult else 0.34)
            knee = (hip[0] + apart + pose.turn * hd * 0.12, hd * (0.46 if not pose.back else 0.2))
            ankle = (knee[0] - side * hd * 0.04, ground - foot)
        elif pose.sit:
            knee = (side * hd * 0.42, ground - thick * 0.66)
            ankle = knee
        else:
            ankle = (pose.feet[k] * hd, ground - foot - pose.lift[k] * hd)
            bulge = math.copysign(1, pose.facing or pose.turn)
            sideways = abs(pose.facing) > 0.25 or (abs(pose.turn) > 0.25 and not pose.back)
            knee, ankle = joint(hip, ankle, half * 1.005, half * 1.005, (bulge if sideways else side, 0))
        knees.append(knee)
        ankles.append(ankle)
    return (knees[0], knees[1]), (ankles[0], ankles[1]), ground + pose.air * hd


def _far(look: Look) -> Look:
    """The same clothes a tone darker, for limbs on the far side."""

    def tone(colour: str) -> str:
        return dark(colour, 0.12) if colour else ""

    return replace(
        look,
        skin=tone(look.skin),
        top=tone(look.top),
        bottom=tone(look.bottom),
        shoes=tone(look.shoes),
        jacket=tone(look.jacket),
        coat=tone(look.coat),
    )


def _arm(look: Look, pose: Pose, f: Frame, k: int, held: Held | None) -> tuple[str, Pt, str]:
    """One arm with its hand and what it holds, the point in the palm, and the shadow that it casts on the trunk."""
    if f.side and k == (1 if f.facing > 0 else 0):
        look = _far(look)
    upper = look.height * (0.156 if look.adult else 0.148)
    lower, shoulder, way = upper * 0.95, f.shoulders[k], (pose.left, pose.right)[k]
    palm = f.hd * 0.24
    if isinstance(way, tuple):
        elbow, low = swing(shoulder, upper, way[0]), way[1]
    else:
        if isinstance(way, Reach):
            target = (way.x, f.ground - way.y)
        else:
            target = (f.head[0] + way.x * f.hd, f.head[1] + way.y * f.hd)
        stretch = min(max(math.dist(shoulder, target) / (upper + lower + palm), 1), 1.16)  # the shoulder comes along
        upper, lower = upper * stretch, lower * stretch
        elbow, end = joint(shoulder, target, upper, lower + palm, (way.elbow, 0) if way.elbow else ((-0.5, 0.5)[k], 1))
        low = math.degrees(math.atan2(end[0] - elbow[0], end[1] - elbow[1]))
    wrist = swing(elbow, lower, low)
    kind = "grip" if held and pose.hands[k] == "rest" else pose.hands[k]
    thumb = (1, -1)[k] if not f.side else int(math.copysign(1, f.facing))
    under, over = limbs.hand(swing(wrist, -1, low), low, f.hd * 0.5, look.skin, kind, thumb)
    centre = swing(wrist, palm, low)
    thing = put(*centre, put(-held.grip[0], -held.grip[1], held.prop.body), 1, held.angle) if held else ""
    skin, sleeve = limbs.arm(shoulder, elbow, wrist, look, f.thick)
    cast = limbs.bent(shoulder, elbow, swing(wrist, palm, low), (f.thick, f.thick, f.thick * 0.8), SHADOW, 0)
    cast = f'<g opacity=".3" transform="translate({f.hd * 0.07:.2f},{f.hd * 0.09:.2f})">{cast}</g>'
    return skin + under + thing + over + sleeve, centre, cast


def _legs(look: Look, pose: Pose, f: Frame) -> tuple[str, str, str]:
    """The far leg, the seat between them, and the near one; with their shoes."""
    if pose.sit == "floor":
        return (sitting.crossed_from_behind if pose.back else sitting.crossed_legs)(f, look), "", ""
    if pose.sit == "kneel" and pose.back:
        return sitting.kneeling_from_behind(f, look), "", ""
    near = (0 if f.facing > 0 else 1) if f.side else (1 if pose.turn >= 0 else 0)
    drawn = []
    for k in (1 - near, near):
        worn = _far(look) if f.side and k != near else look
        if pose.sit == "kneel" and not pose.thighs:
            drawn.append(sitting.kneeling(f.hips[k], f.knees[k], worn, f.thick))
            continue
        seated = pose.sit == "chair" and not pose.back
        leg = limbs.leg(f.hips[k], f.knees[k], f.ankles[k], worn, f.thick, seated)
        leg += limbs.shoe(f.ankles[k], *_foot(pose, f, k), f.thick, worn)
        drawn.append(leg + (sitting.thigh_to_viewer(f.hips[k], f.knees[k], worn, f.thick) if seated else ""))
    seat = ""
    if f.side and pose.thighs:
        cover = look.coat or (look.top if look.legs in ("dress", "swim") else look.bottom)
        seat = form(oval(*f.at(0, f.hd * 0.02), f.hw * 1.02, f.hd * 0.34), cover, f.hd * 0.08)
    return drawn[0], seat, drawn[1]


def _foot(pose: Pose, f: Frame, k: int) -> tuple[float, float]:
    """Where the toe points (-1 to 1), and the clockwise turn of the shoe in degrees."""
    side = (-1, 1)[k]
    if f.side:
        toe = math.copysign(0.5 + 0.5 * abs(f.facing), f.facing)
    elif abs(pose.turn) < 0.25 or pose.back:
        toe = side * 0.3
    else:
        toe = math.copysign(0.35 + 0.45 * min(abs(pose.turn), 0.9), pose.turn)
    if not pose.thighs:
        return toe, math.copysign(pose.lift[k] * 90, toe)
    shin = pose.thighs[k][1]
    if abs(shin) > 60 and shin * f.facing < 0:  # a shin that lies or kicks back: the foot goes on in its line
        return toe, -shin - math.copysign(66, shin)
    flat = f.ankles[k][1] + f.thick * 1.3 >= f.ground - pose.air * f.hd and abs(shin) < 50
    return toe, 0 if flat else -shin
