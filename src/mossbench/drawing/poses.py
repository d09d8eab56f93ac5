"""How a figure looks, how it holds itself, and what it holds."""

from __future__ import annotations

import math
from dataclasses import dataclass

from mossbench.drawing.kit import Prop, Pt

ADULT_HEADS = 5.8
"""A figure of more heads than this is drawn, and counts, as grown up."""


@dataclass(frozen=True, kw_only=True)
class Look:
    height: float = 128
    heads: float = 5.2
    """Body height in heads: toddler 4, child of eight 5.2, adult 6 to 6.6."""
    skin: str = "#F2B48C"
    hair: str = "#5A3425"
    style: str = "short"
    """short, crop, bob, long, pigtails, ponytail, curls, bun, bald, scarf (then hair is the cloth's colour), cap."""
    extra: tuple[str, ...] = ()
    """glasses, beard, moustache, goggles, earrings."""
    top: str = "#F2C14E"
    legs: str = "trousers"
    """trousers, shorts, dress."""
    bottom: str = "#3F6C8F"
    shoes: str = "#C8553D"
    sleeve: float = 1.0
    """Share of the arm that is covered."""
    dots: str = ""
    stripes: str = ""
    apron: str = ""
    jacket: str = ""
    """Colour of an open jacket over the top; its sleeves cover the arms."""
    hood: str = ""

    @property
    def adult(self) -> bool:
        return self.heads > ADULT_HEADS

    @property
    def head(self) -> float:
        return self.height / self.heads


@dataclass(frozen=True)
class Reach:
    """A hand that goes to a point: `x` cm to the viewer's right of the figure's middle, `y` cm above the ground."""

    x: float
    y: float
    elbow: int = 0
    """Which way the elbow points: -1 left, 1 right, 0 down and away from the body."""


@dataclass(frozen=True)
class Held:
    """A prop in a hand: its point `grip` lies in the palm, under the fingers; `angle` turns it clockwise."""

    prop: Prop
    grip: Pt
    angle: float = 0


@dataclass(frozen=True, kw_only=True)
class Pose:
    """Arms are (upper, lower) angles in degrees from hanging down, positive to the viewer's right, or a Reach."""

    left: Pt | Reach = (-14, -2)
    right: Pt | Reach = (14, 4)
    feet: Pt = (-0.34, 0.34)
    """Where the feet stand, in heads to the viewer's right of the middle."""
    lift: Pt = (0, 0)
    """How far each heel is off the ground, in heads."""
    sway: float = 0.0
    """Hips over the left (-1) or right (1) foot; the other knee bends and the shoulders tilt against it."""
    lean: float = 0.0
    """Degrees of the trunk from upright, positive to the viewer's right."""
    sit: str = ""
    """'' stands; floor (cross-legged), kneel, chair."""
    turn: float = 0.0
    """Where the face looks: -1 to the viewer's left, 1 to the right."""
    nod: float = 0.0
    tilt: float = 0.0
    """Degrees by which the head leans, positive to the viewer's right."""
    back: bool = False
    """Seen from behind: no face."""
    mouth: str = "smile"
    """smile, laugh, calm, o, sad."""
    hands: tuple[str, str] = ("rest", "rest")
    """rest, open, grip, flat."""
    under: tuple[bool, bool] = (False, False)
    """Arms that pass behind the body."""


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
