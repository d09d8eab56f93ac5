"""Placing by depth: a thing at scale `s` (pixels per centimetre) stands where that scale is, on the floor or raised.

For rooms with tables close to the camera, whose floor lies below the page: there the scale says more than the ground.
"""

from __future__ import annotations

from studio.drawing.kit import Prop, box, dark, form, light, path, poly
from studio.drawing.scene import H, Placed, Setting, W


def level(setting: Setting, s: float, up: float = 0) -> float:
    """The page height of what lies `up` cm above the floor where the scale is `s`."""
    return setting.horizon + (setting.eye - up) * s


def stand(
    setting: Setting, prop: Prop, x: float, s: float, up: float = 0, *, z: float | None = None, trigger: bool = False
) -> Placed:
    """The prop at scale `s`, `up` cm above the floor; what is nearer lies in front unless `z` says otherwise."""
    return Placed(prop, x, level(setting, s, up), s if z is None else z, level(setting, s), trigger)


def in_pixels(setting: Setting, name: str, body: str, z: float) -> Placed:
    """Something drawn in page pixels, as a prop that others can stand behind or before."""
    return Placed(Prop(name, W, H, body), W / 2, H, z, setting.horizon + setting.eye)


def worktop(
    setting: Setting,
    up: float,
    far: float,
    near: float,
    x: tuple[float, float],
    colour: str,
    front: str,
    thick: float = 5,
) -> str:
    """A table top between two depths, in page pixels, and the board below its near edge down to the floor.

    `x` is where its left and right end lie at the near edge; the far edge is drawn in towards the middle of the page.
    """
    y0, y1 = level(setting, far, up), level(setting, near, up)
    k = far / near
    x0, x1 = x
    a, b = W / 2 + (x0 - W / 2) * k, W / 2 + (x1 - W / 2) * k
    t = thick * near
    out = path(poly((a, y0), (b, y0), (x1, y1), (x0, y1)), light(colour, 0.3))
    if front:
        low = min(level(setting, near), H + 60)
        out = path(box(x0 + t, y1, x1 - x0 - 2 * t, max(low - y1, 1)), front) + out
        out += path(box(x0 + t, y1 + t, x1 - x0 - 2 * t, t * 0.8), dark(front, 0.3))
        panel = 46 * near
        for i in range(int((x1 - x0 - 3 * t) / panel)):
            out += form(
                box(x0 + 2 * t + i * panel, y1 + 3 * t, panel - t, low - y1 - 4 * t, 4), light(front, 0.08), 4, 1.6
            )
    return out + form(box(x0, y1, x1 - x0, t, 3), colour, t * 0.3, 2)
