"""A road over fields, and a brick wall close by."""

from __future__ import annotations

from studio.drawing.kit import (
    CREAM,
    LEAF,
    PINK,
    RED,
    SHADOW,
    SUN,
    WHITE,
    WOOD,
    box,
    dark,
    flower,
    form,
    light,
    oval,
    path,
    poly,
    put,
    stroke,
    veil,
)
from studio.drawing.scene import H, Setting, W
from studio.drawing.town.city import paving
from studio.drawing.town.daylight import curtain, heaven


def country_road(
    *, time: str = "noon", weather: str = "", vx: float = 420, horizon: float = 270, eye: float = 150
) -> Setting:
    """A road that runs over fields to the horizon, with trees and a crash barrier."""
    out = heaven(time)
    grass = "#9DBF6E" if weather != "snow" else "#EEF1EF"
    if time in ("dusk", "night"):
        grass = "#6C8F68"
    far = dark("#A9C3A0", 0.1) if weather != "snow" else "#D5DDE2"
    out += path(
        f"M0 {horizon + 4}Q150 {horizon - 60} 330 {horizon - 16}"
        f"T700 {horizon - 40}T{W} {horizon - 30}V{horizon + 30}H0z",
        far,
    )
    out += path(box(0, horizon, W, H), grass) + path(
        f"M0 {horizon + 40}Q400 {horizon + 10} {W} {horizon + 50}V{horizon + 96}Q500 {horizon + 50} 0 {horizon + 90}z",
        dark(grass, 0.1),
    )
    out += stroke(
        "".join(f"M{vx + d * 40:.0f} {horizon + 30}L{vx + d * 330:.0f} {H}" for d in (2, 3, 4, 5)), light(grass, 0.2), 4
    )
    tar = "#777C8B"
    out += path(poly((vx - 10, horizon), (vx + 10, horizon), (vx + 420, H), (vx - 560, H)), tar)
    out += path(poly((vx - 10, horizon), (vx - 8, horizon), (vx - 510, H), (vx - 530, H)), "#F3EEE2") + path(
        poly((vx + 8, horizon), (vx + 10, horizon), (vx + 396, H), (vx + 378, H)), "#F3EEE2"
    )
    for t0, t1 in ((0.03, 0.06), (0.1, 0.16), (0.24, 0.36), (0.5, 0.72), (0.9, 1.2)):
        a, b = horizon + (H - horizon) * t0, horizon + (H - horizon) * t1
        x0, x1 = vx - 70 * t0, vx - 70 * t1
        out += path(poly((x0 - 9 * t0, a), (x0 + 9 * t0, a), (x1 + 9 * t1, b), (x1 - 9 * t1, b)), "#F3EEE2")
    for x, k in ((vx - 150, 0.34), (vx - 240, 0.5), (vx + 140, 0.3), (vx + 230, 0.44), (60, 0.6), (940, 0.5)):
        y = horizon + 52 * k
        crown = "#6E9C66" if weather != "snow" else "#DCE5E6"
        out += put(
            x,
            y,
            path(box(-7, -60, 14, 60), "#7A5A48")
            + form(oval(0, -110, 58, 66), crown, 12)
            + path(oval(-16, -128, 26), light(crown, 0.2)),
            k,
        )
    return Setting(
        "road", out + veil(box(0, horizon - 4, W, 22), "#FBF1DD", 0.35), horizon, eye, curtain(time, weather)
    )


def wall_close(
    brick: str = "#B9705A",
    *,
    time: str = "noon",
    weather: str = "",
    base: float = 560,
    horizon: float = 360,
    eye: float = 120,
    windows: tuple[float, ...] = (),
) -> Setting:
    """A brick wall along a pavement, close by; `windows` are the middles of windows with flowers."""
    rows = "".join(f"M0 {y}H{W}" for y in range(int(base) % 28, int(base), 28))
    joints = "".join(
        f"M{x + (14 + 21 if (int(base) - y) // 28 % 2 else 0)} {y - 28}v28"
        for y in range(int(base), 0, -28)
        for x in range(-20, W, 70)
    )
    patches = "".join(
        box(x * 70 - 20 + (35 if (int(base) - y) // 28 % 2 else 0), y - 27, 68, 26)
        for x, y in (
            (1, base - 84),
            (5, base - 196),
            (9, base - 56),
            (12, base - 280),
            (3, base - 336),
            (14, base - 140),
        )
    )
    out = (
        path(box(0, 0, W, base), brick)
        + path(patches, dark(brick, 0.1))
        + stroke(rows + joints, light(brick, 0.3), 2.4)
    )
    out += path(poly((0, 0), (380, 0), (60, base), (0, base)), "#FFF0CC", extra='opacity=".22"')
    out += "".join(put(x, base - 340, _window()) for x in windows)
    out += path(box(0, base - 34, W, 34), dark(brick, 0.35)) + path(box(0, base - 38, W, 6), light(brick, 0.35))
    return Setting("wall", out + paving(base, H), horizon, eye, curtain(time, weather))


def _window() -> str:
    """A sash window with a flower box, 150 x 190 px, its middle at x = 0 and its top at y = 0."""
    frame = path(box(-70, 4, 150, 172, 3), SHADOW, extra='opacity=".25"') + path(box(-76, -4, 152, 172, 3), CREAM)
    panes = path(box(-66, 6, 132, 152), "#7FA6B3") + path(poly((-66, 6), (30, 6), (-66, 110)), "#A9CBD3")
    net = path("M-66 6H-30Q-34 90-66 120zM66 6H30Q34 90 66 120z", "#F6EFE0", extra='opacity=".9"')
    bars = stroke("M0 6v152M-66 80H66", CREAM, 7)
    box_ = form(box(-80, 160, 160, 28, 4), WOOD, 5, 1.5)
    plants = "".join(path(oval(-68 + 17 * i, 154 - i % 2 * 6, 13, 12), (LEAF, "#5E9160")[i % 2]) for i in range(9))
    heads = "".join(flower(-62 + 24 * i, 146 - i % 2 * 8, 9, (RED, PINK, WHITE)[i % 3], SUN, 7) for i in range(6))
    return frame + panes + net + bars + plants + heads + box_
