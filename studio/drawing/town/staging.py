"""Small moves with finished props: into a larger box, off the ground, onto a table, into a hand."""

from __future__ import annotations

import re
from dataclasses import replace

from studio.drawing.kit import Prop, Pt, put
from studio.drawing.scene import Placed, Scene, Setting


def fit(prop: Prop, w: float, h: float, name: str = "", *, grow: bool = False) -> Prop:
    """`prop` on the bottom of a box of `w` x `h`, in the middle, made smaller if it does not fit (or to fill it)."""
    k = min(w / prop.w, h / prop.h) if grow else min(1.0, w / prop.w, h / prop.h)
    dx, dy = (w - prop.w * k) / 2, h - prop.h * k
    anchors = {key: (x * k + dx, y * k + dy) for key, (x, y) in prop.anchors.items()}
    return replace(prop, name=name or prop.name, w=w, h=h, body=put(dx, dy, prop.body, k), anchors=anchors)


def aloft(prop: Prop) -> Prop:
    """`prop` without its shadows on the ground: it sits on something."""
    return replace(prop, body=re.sub(r"<ellipse [^>]*url\(#soft\)[^>]*/>", "", prop.body))


def together(name: str, w: float, h: float, *parts: tuple[Prop, float, float]) -> Prop:
    """Several props as one of `w` x `h`: each stands with the middle of its bottom edge on (x, y)."""
    body = "".join(put(x - p.w / 2, y - p.h, p.body) for p, x, y in parts)
    anchors: dict[str, Pt] = {}
    for p, x, y in parts:
        anchors |= {key: (ax + x - p.w / 2, ay + y - p.h) for key, (ax, ay) in p.anchors.items()}
    made = replace(parts[0][0], name=name, w=w, h=h, body=body, anchors=anchors)
    shows = frozenset[str]().union(*(p.shows for p, _, _ in parts))
    return replace(made, shows=shows, looks=tuple(look for p, _, _ in parts for look in p.looks))


def above(setting: Setting, ground: float, cm: float) -> float:
    """The page height of what stands `cm` above the floor line `ground`."""
    return ground - cm * setting.scale(ground)


def handed(scene: Scene, who: Placed, hand: str, prop: Prop, grip: Pt, z: float) -> Placed:
    """`prop` with its point `grip` in the hand of a placed figure, at the figure's scale."""
    (x, y), s = scene.at(who, hand), scene.scale(who)
    ground = who.y if who.ground is None else who.ground
    return Placed(prop, x + (prop.w / 2 - grip[0]) * s, y + (prop.h - grip[1]) * s, z, ground)
