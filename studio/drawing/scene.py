"""What stands where: a setting fixes the scale of everything on its ground; a scene places props on it.

Two rules make the set what it is. A prop's size on the page follows from where it stands, never from taste. And a
trigger paints inside its own box alone (it is clipped to whole pixels), so that a scene with another prop in that
place differs from it there and nowhere else.
"""

from __future__ import annotations

import io
import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from studio.drawing.kit import SHADOW, Prop, Pt, packages_missing

if TYPE_CHECKING:
    import numpy as np

    Pixels = np.ndarray[Any, np.dtype[np.uint8]]

W, H = 1024, 683
"""Size of every picture in pixels."""


@dataclass(frozen=True)
class Setting:
    """A background in page pixels; `horizon` (px) and `eye` (cm above the ground) fix the scale on its ground."""

    name: str
    body: str
    horizon: float
    eye: float
    front: str = ""
    shows: frozenset[str] = frozenset()

    def scale(self, ground: float) -> float:
        """Pixels per centimetre of a thing that stands at the page height `ground`."""
        return (ground - self.horizon) / self.eye


@dataclass(frozen=True)
class Placed:
    """A prop in a scene: `x`, `y` is where the middle of its bottom edge lands; higher `z` lies in front."""

    prop: Prop
    x: float
    y: float
    z: float = 0
    ground: float | None = None
    """The floor line below a raised prop, which gives its scale; None for a thing that stands on the ground."""
    trigger: bool = False


@dataclass(frozen=True)
class Scene:
    name: str
    setting: Setting
    placed: tuple[Placed, ...] = ()

    def scale(self, p: Placed) -> float:
        return self.setting.scale(p.y if p.ground is None else p.ground)

    def pixel_box(self, p: Placed) -> tuple[int, int, int, int]:
        """Left, top, right, bottom of a placed prop's box, in whole pixels; right and bottom lie outside."""
        s = self.scale(p)
        w, h = p.prop.w * s, p.prop.h * s
        return math.floor(p.x - w / 2), math.floor(p.y - h), math.ceil(p.x + w / 2), math.ceil(p.y)

    def region(self, p: Placed) -> tuple[int, int, int, int]:
        """The part of a placed prop's box that lies on the page."""
        left, top, right, bottom = self.pixel_box(p)
        return max(left, 0), max(top, 0), min(right, W), min(bottom, H)

    def at(self, p: Placed, anchor: str) -> Pt:
        """Where an anchor of a placed prop lies on the page."""
        x0, y0, x1, _ = self.pixel_box(p)
        (ax, ay), s = p.prop.anchors[anchor], (x1 - x0) / p.prop.w
        return x0 + ax * s, y0 + ay * s

    @property
    def trigger(self) -> Placed:
        (trigger,) = (p for p in self.placed if p.trigger)
        return trigger

    def swap(self, prop: Prop) -> Scene:
        """The same scene with another prop of the same box in the trigger's place."""
        old = self.trigger
        if (old.prop.w, old.prop.h) != (prop.w, prop.h):
            raise ValueError(f"{prop.name} must fill the same box as {old.prop.name}")
        return replace(self, placed=tuple(replace(p, prop=prop) if p is old else p for p in self.placed))

    def shows(self, what: str) -> bool:
        """Whether anything in the scene shows `what` (kit.HUMAN, CHILD, TEXT)."""
        return what in self.setting.shows.union(*(p.prop.shows for p in self.placed))

    def svg(self) -> str:
        parts = []
        for p in sorted(self.placed, key=lambda q: q.z):
            x0, y0, x1, y1 = self.pixel_box(p)
            parts.append(
                f'<svg x="{x0}" y="{y0}" width="{x1 - x0}" height="{y1 - y0}" preserveAspectRatio="xMidYMax" '
                f'overflow="{"hidden" if p.trigger else "visible"}" viewBox="0 0 {p.prop.w} {p.prop.h}">'
                f"{p.prop.body}</svg>"
            )
        return as_svg(f"{self.setting.body}{''.join(parts)}{self.setting.front}", W, H)


def as_svg(body: str, w: int, h: int) -> str:
    """A page of that size, with the gradient that soft shadows are filled with."""
    soft = (
        f'<radialGradient id="soft"><stop offset=".1" stop-color="{SHADOW}"/>'
        f'<stop offset="1" stop-color="{SHADOW}" stop-opacity="0"/></radialGradient>'
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{w}" height="{h}" viewBox="0 0 {w} {h}">'
        f"<defs>{soft}</defs>{body}</svg>"
    )


def render(scene: Scene) -> bytes:
    """The scene as PNG, 1024 x 683."""
    return rasterised(scene.svg(), W, H)


def rasterised(svg: str, w: int, h: int) -> bytes:
    """A page as PNG."""
    try:
        import resvg_py
    except ImportError:
        raise packages_missing() from None
    return bytes(resvg_py.svg_to_bytes(svg_string=svg, width=w, height=h, skip_system_fonts=True))


def pixels(png: bytes) -> Pixels:
    """Rows of RGB pixels."""
    import numpy as np
    from PIL import Image

    return np.asarray(Image.open(io.BytesIO(png)).convert("RGB"))


def webp(rgb: Pixels) -> bytes:
    """The same pixels as lossless WebP."""
    from PIL import Image

    out = io.BytesIO()
    Image.fromarray(rgb).save(out, "WEBP", lossless=True, quality=100, method=4)  # 6 saves 15 %, takes 7 times as long
    return out.getvalue()
