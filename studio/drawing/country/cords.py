"""Joining placed things: a cord between two points of the page, a prop that sits on an anchor of another."""

from __future__ import annotations

from dataclasses import replace

from studio.drawing.kit import Prop, Pt, stroke
from studio.drawing.scene import Placed, Scene


def with_cord(scene: Scene, a: Pt, b: Pt, colour: str, width: float = 3, sag: float = 20) -> Scene:
    """The scene with a lead, rope or string from `a` to `b` over everything, under the light of the hour."""
    line = f"M{a[0]:.0f} {a[1]:.0f}Q{(a[0] + b[0]) / 2:.0f} {(a[1] + b[1]) / 2 + sag:.0f} {b[0]:.0f} {b[1]:.0f}"
    return replace(scene, setting=replace(scene.setting, front=stroke(line, colour, width) + scene.setting.front))


def on(scene: Scene, base: Placed, anchor: str, prop: Prop, grip: Pt, z: float, *, trigger: bool = False) -> Placed:
    """`prop` with its point `grip` on an anchor of the placed `base`, at the scale of the base."""
    s = scene.scale(base)
    x, y = scene.at(base, anchor)
    ground = base.y if base.ground is None else base.ground
    return Placed(prop, x + (prop.w / 2 - grip[0]) * s, y + (prop.h - grip[1]) * s, z, ground, trigger)
