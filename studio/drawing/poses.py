"""How a figure looks, how it holds itself, and what it holds: the records; the joints that follow from them."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from studio.drawing.kit import Prop, Pt

ADULT_HEADS = 5.8
"""A figure of more heads than this is drawn, and counts, as grown up."""

OLD_HAIR = "#D9D4CE"


@dataclass(frozen=True, kw_only=True)
class Look:
    height: float = 128
    heads: float = 5.2
    """Body height in heads: toddler 4, child of eight 5.2, adult 6 to 6.6."""
    sex: str = ""
    """female or male: gives lashes or a broader jaw, and is counted over the set; '' is drawn between the two."""
    build: float = 1.0
    """Width of trunk and limbs: 0.85 slight, 1.0, 1.2 broad, 1.4 stout."""
    belly: float = 0.0
    """How far the belly stands out: 0.5 round, 1 pregnant."""
    skin: str = "#F2B48C"
    hair: str = "#5A3425"
    style: str = "short"
    """short, crop, quiff, bob, long, pigtails, braids, ponytail, curls, afro, bun, bald, fluff (a baby's),
    scarf (then hair is the cloth's colour), cap."""
    hat: str = ""
    """beanie, straw, top, hard (builder), bike, fire, police, chef, nurse, pirate, crown, witch, party, cowboy,
    graduate, knight, swim, hood, flower, wig (a judge's)."""
    hat_colour: str = "#D8483A"
    extra: tuple[str, ...] = ()
    """On the head: glasses, sunglasses, goggles, mask, eyepatch, headphones, beard, moustache, earrings, freckles,
    wrinkles. On the body: tie, bowtie, neckscarf, stethoscope, badge, belt, bands (of a fire or safety jacket),
    buttons, heart, star, straps (of a backpack), braces, sash, cape."""
    accent: str = "#D8483A"
    """Colour of what `extra` puts on the body."""
    top: str = "#F2C14E"
    legs: str = "trousers"
    """trousers, shorts, dress (in the colour of the top), skirt, swim (short trunks, bare chest if top is the skin)."""
    bottom: str = "#3F6C8F"
    shoes: str = "#C8553D"
    """'' for bare feet."""
    boots: bool = False
    sleeve: float = 1.0
    """Share of the arm that is covered."""
    dots: str = ""
    stripes: str = ""
    apron: str = ""
    jacket: str = ""
    """Colour of an open jacket over the top; its sleeves cover the arms."""
    coat: str = ""
    """Colour of a closed coat, gown or robe; `hem` says how far down it goes."""
    hem: float = 0.55
    """Share of the leg that a coat, dress or skirt covers."""
    hood: str = ""

    @property
    def adult(self) -> bool:
        return self.heads > ADULT_HEADS

    @property
    def head(self) -> float:
        return self.height / self.heads

    @property
    def age(self) -> str:
        """toddler, child, adult or old: what the set is counted by."""
        if not self.adult:
            return "toddler" if self.heads <= 4.2 else "child"
        return "old" if "wrinkles" in self.extra or self.hair.upper() == OLD_HAIR else "adult"


@dataclass(frozen=True)
class Reach:
    """A hand that goes to a point: `x` cm to the viewer's right of the figure's middle, `y` cm above the ground."""

    x: float
    y: float
    elbow: int = 0
    """Which way the elbow points: -1 left, 1 right, 0 down and away from the body."""


@dataclass(frozen=True)
class Touch:
    """A hand that goes to a place on its own body: heads to the right of and below the middle of the head."""

    x: float
    y: float
    elbow: int = 0


@dataclass(frozen=True)
class Held:
    """A prop in a hand: its point `grip` lies in the palm, under the fingers; `angle` turns it clockwise."""

    prop: Prop
    grip: Pt
    angle: float = 0


Arm = Pt | Reach | Touch


@dataclass(frozen=True, kw_only=True)
class Pose:
    """Left and right are the viewer's. Arms are (upper, lower) angles in degrees from hanging down, positive to the
    right, or a Reach, or a Touch. See `stances` for ready ones.
    """

    left: Arm = (-14, -2)
    right: Arm = (14, 4)
    facing: float = 0.0
    """Where the trunk looks: 0 to the viewer, 0.5 half right, 1 right in profile, -1 left. The nearer arm is then the
    left one for a figure that faces right; the other passes behind the trunk."""
    feet: Pt = (-0.34, 0.34)
    """Where the feet stand, in heads to the viewer's right of the middle."""
    lift: Pt = (0, 0)
    """How far each heel is off the ground, in heads."""
    thighs: tuple[Pt, Pt] | None = None
    """Each leg as (thigh, shin) angles, as for arms; the ground then lies under the lowest point. Overrides feet."""
    air: float = 0.0
    """How far the whole figure is off the ground, in heads."""
    sway: float = 0.0
    """Hips over the left (-1) or right (1) foot; the other knee bends and the shoulders tilt against it."""
    lean: float = 0.0
    """Degrees of the trunk from upright, positive to the viewer's right; 90 lies."""
    sit: str = ""
    """'' stands; floor (cross-legged), kneel, chair, all seen from the front; from the side use `thighs`."""
    turn: float = 0.0
    """Where the face looks: -1 to the viewer's left, 1 to the right, both in profile."""
    nod: float = 0.0
    """1 looks down, -1 up."""
    tilt: float = 0.0
    """Degrees by which the head leans, positive to the viewer's right."""
    back: bool = False
    """Seen from behind: no face."""
    mouth: str = "smile"
    """smile, laugh, calm, o, sad, grin, worry, angry, focus, asleep."""
    eyes: str = "open"
    """open, shut, wide, happy (arcs), down."""
    hands: tuple[str, str] = ("rest", "rest")
    """rest, open, grip, flat, point, cup, thumb."""
    under: tuple[bool, bool] = (False, False)
    """Arms that pass behind the body."""
    over: tuple[bool, bool] = (False, False)
    """Arms that pass in front of the face."""


def mirrored(pose: Pose) -> Pose:
    """The same pose to the other side."""

    def arm(a: Arm) -> Arm:
        return (-a[0], -a[1]) if isinstance(a, tuple) else replace(a, x=-a.x, elbow=-a.elbow)

    thighs = None
    if pose.thighs:
        (a, b), (c, d) = pose.thighs
        thighs = ((-c, -d), (-a, -b))
    return replace(
        pose,
        left=arm(pose.right),
        right=arm(pose.left),
        facing=-pose.facing,
        feet=(-pose.feet[1], -pose.feet[0]),
        lift=pose.lift[::-1],
        thighs=thighs,
        sway=-pose.sway,
        lean=-pose.lean,
        turn=-pose.turn,
        tilt=-pose.tilt,
        hands=pose.hands[::-1],
        under=pose.under[::-1],
        over=pose.over[::-1],
    )


def swing(p: Pt, length: float, angle: float) -> Pt:
    """The point `length` away from `p`, `angle` degrees from straight down, positive to the right."""
    return p[0] + length * math.sin(math.radians(angle)), p[1] + length * math.cos(math.radians(angle))


def joint(a: Pt, b: Pt, first: float, second: float, way: Pt) -> tuple[Pt, Pt]:
    """Elbow or knee between `a` and `b`, bulging in the direction `way`; and the end that the limb really reaches."""
    wish = math.dist(a, b)
    ux, uy = ((b[0] - a[0]) / wish, (b[1] - a[1]) / wish) if wish > 1e-6 else (0.0, 1.0)
    d = min(max(wish, abs(first - second) * 1.02, 1e-3), (first + second) * 0.999)
    along = (first**2 - second**2 + d**2) / (2 * d)
    off = math.sqrt(max(first**2 - along**2, 0))
    options = [(a[0] + ux * along - uy * off * k, a[1] + uy * along + ux * off * k) for k in (-1, 1)]
    return max(options, key=lambda p: p[0] * way[0] + p[1] * way[1]), (a[0] + ux * d, a[1] + uy * d)
