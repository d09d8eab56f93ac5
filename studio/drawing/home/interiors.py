"""Parts of any room: walls, floors, windows with their weather, light; and the room made of them, in page pixels."""

from __future__ import annotations

from studio.drawing.kit import (
    CREAM,
    SUN,
    WARM,
    WHITE,
    WOOD,
    box,
    clipped,
    dark,
    form,
    light,
    mix,
    oval,
    path,
    poly,
    stroke,
    veil,
)
from studio.drawing.scene import H, Setting, W

_SKIES = {
    "day": ("#BFE2EC", "#9CC48A", "#6FA35A"),
    "dusk": ("#F3B98A", "#8A7A86", "#6B5F78"),
    "night": ("#26315C", "#1F2850", "#181F40"),
}
"""Time of day to the colours of sky, far and near land."""


def wall(colour: str, base: float, pattern: str = "plain", top: float = 0) -> str:
    """A wall down to `base`; pattern: plain, stripes, dots, tiles, panels, bricks."""
    out, high = path(box(0, top, W, base - top), colour), int(base - top)
    if pattern == "stripes":
        out += path("".join(box(x, top, 24, high) for x in range(0, W, 48)), light(colour, 0.22))
    elif pattern == "dots":
        spots = "".join(oval(24 + 62 * i + 31 * (j % 2), top + 24 + 46 * j, 4) for i in range(17) for j in range(16))
        out += clipped(box(0, top, W, high), path(spots, light(colour, 0.3)))
    elif pattern == "tiles":
        lines = "".join(f"M{x} {top}v{high}" for x in range(0, W, 46)) + "".join(
            f"M0 {base - 46 * k}H{W}" for k in range(1, high // 46 + 1)
        )
        out += stroke(lines, dark(colour, 0.1), 2)
    elif pattern == "panels":
        for x in range(-20, W, 128):
            out += stroke(box(x, top + 16, 108, high - 40, 3), dark(colour, 0.12), 3)
            out += stroke(box(x + 2, top + 18, 108, high - 40, 3), light(colour, 0.2), 1.4)
    elif pattern == "bricks":
        rows = range(int(high // 24) + 1)
        lines = "".join(f"M0 {top + 24 * k}H{W}" for k in rows) + "".join(
            f"M{x + 32 * (k % 2)} {top + 24 * k}v24" for k in rows for x in range(0, W, 64)
        )
        some = "".join(box(64 * (7 * k % 16) + 32 * (k % 2) + 2, top + 24 * k + 2, 60, 20) for k in rows)
        out += path(some, dark(colour, 0.06)) + stroke(lines, light(colour, 0.25), 2.4)
    return out


def skirting(base: float, colour: str = CREAM) -> str:
    return path(box(0, base - 16, W, 16), colour) + path(box(0, base - 3, W, 3), dark(colour, 0.3))


def wainscot(top: float, base: float, colour: str = "#B9CDB2") -> str:
    """Boards on the lower part of a wall, with a rail."""
    boards = stroke("".join(f"M{x} {top}V{base}" for x in range(14, W, 40)), dark(colour, 0.13), 2)
    rail = path(box(0, top - 6, W, 11, 3), CREAM) + path(box(0, top + 5, W, 5), dark(colour, 0.25))
    return path(box(0, top, W, base - top), colour) + boards + rail


def floor(colour: str, base: float, horizon: float, kind: str = "boards", vx: float = 512) -> str:
    """A floor from `base` to the lower edge; boards and tiles run to a point on the horizon; plain has neither."""
    out, k = path(box(0, base, W, H - base), colour), (base - horizon) / (H - horizon)
    if kind == "plain":
        return out
    gap = 84 if kind == "boards" else 120
    feet = [vx + gap * i for i in range(-40, 41)]
    tops = [vx + (x - vx) * k for x in feet]
    lines = "".join(f"M{t:.0f} {base}L{x:.0f} {H}" for t, x in zip(tops, feet, strict=True))
    if kind == "boards":
        return out + stroke(lines, dark(colour, 0.14), 2)
    depth = 1 / (base - horizon)
    near = 1 / (H - horizon)
    ys = [horizon + 1 / (depth + (near - depth) * j / 5) for j in range(7)]
    if kind == "check":
        tiles = ""
        for j in range(6):
            a, b = ((y - horizon) / (H - horizon) for y in (ys[j], ys[j + 1]))
            for i in range(j % 2, 80, 2):
                x0, x1 = feet[i], feet[i] + gap
                tiles += poly(
                    *(
                        (vx + (x - vx) * s, y)
                        for x, s, y in ((x0, a, ys[j]), (x1, a, ys[j]), (x1, b, ys[j + 1]), (x0, b, ys[j + 1]))
                    )
                )
        return out + clipped(box(0, base, W, H - base), path(tiles, dark(colour, 0.16)))
    return out + stroke(lines + "".join(f"M0 {y:.0f}H{W}" for y in ys[1:]), dark(colour, 0.12), 2)


def outlook(x: float, y: float, w: float, h: float, time: str, weather: str, view: str) -> str:
    """What a pane shows; time: day, dusk, night; weather: clear, rain, snow; view: hills, town."""
    sky, far, near = _SKIES[time]
    if weather == "rain":
        sky, far, near = (mix(c, "#8593A3", 0.55) for c in (sky, far, near))
    if weather == "snow":
        sky, far, near = mix(sky, "#D5E8EE", 0.6), mix(far, WHITE, 0.75), mix(near, WHITE, 0.9)
    out = path(box(x, y, w, h), sky)
    if time == "night":
        stars = (oval(x + 8 + 61 * i % (w - 14), y + 8 + 47 * i % (h * 0.55), 1.8) for i in range(14))
        out += path("".join(stars), WARM) + form(oval(x + w * 0.74, y + h * 0.22, min(w, h) * 0.1), "#FBE9B4", 5)
    elif time == "dusk":
        out += path(oval(x + w * 0.3, y + h * 0.58, min(w, h) * 0.16), "#FBE0A0")
    elif weather == "clear":
        out += path(f"M{x + w * 0.12:.0f} {y + h * 0.24:.0f}q4-18 22-14q8-16 26-6q18-4 18 12q8 8-4 8z", "#fff")
    if view == "town":
        far, near = (
            (mix(c, t, 0.75) for c, t in ((far, "#D9B79A"), (near, "#B98A86"))) if time == "day" else (far, near)
        )
        for i, (px, pw, ph) in enumerate(((0, 0.26, 0.4), (0.24, 0.2, 0.56), (0.42, 0.3, 0.34), (0.7, 0.34, 0.5))):
            left, top, wide = x + px * w, y + h * (1 - ph), pw * w
            out += path(box(left, top, wide, h * ph), (far, near)[i % 2])
            pane = SUN if time == "night" and i != 1 else light((far, near)[i % 2], 0.35)
            cells = [(a, b) for a in (0.2, 0.6) for b in (0.16, 0.5)]
            out += path("".join(box(left + a * wide, top + b * h * ph, wide * 0.18, h * 0.07) for a, b in cells), pane)
    else:
        out += path(
            f"M{x} {y + h * 0.72:.0f}Q{x + w * 0.28:.0f} {y + h * 0.5:.0f} {x + w * 0.54:.0f} {y + h * 0.7:.0f}"
            f"T{x + w} {y + h * 0.6:.0f}V{y + h}H{x}z",
            far,
        )
        out += path(
            f"M{x} {y + h * 0.86:.0f}Q{x + w * 0.4:.0f} {y + h * 0.7:.0f} {x + w} {y + h * 0.84:.0f}V{y + h}H{x}z", near
        )
    if weather == "snow":
        out += path(
            "".join(oval(x + w * (61 * i % 97) / 97, y + h * (37 * i % 89) / 89, 2.6) for i in range(34)), WHITE
        )
    if weather == "rain":
        drops = "".join(f"M{x + w * (61 * i % 97) / 97:.0f} {y + h * (37 * i % 89) / 89:.0f}l-5 16" for i in range(44))
        out += stroke(drops, "#DDE6EC", 1.8, 'opacity=".8"')
    return clipped(box(x, y, w, h), out)


def window(
    x: float,
    y: float,
    w: float,
    h: float,
    *,
    time: str = "day",
    weather: str = "clear",
    view: str = "hills",
    frame: str = CREAM,
    curtains: str = "",
    bars: tuple[int, int] = (1, 1),
) -> str:
    """A window whose pane is the given box, with a sill; `curtains` is their colour, `bars` upright and level."""
    f = 13
    out = path(box(x - f + 6, y - f + 7, w + 2 * f, h + 2 * f, 5), dark(frame, 0.4), extra='opacity=".35"')
    out += path(box(x - f, y - f, w + 2 * f, h + 2 * f, 5), frame) + outlook(x, y, w, h, time, weather, view)
    upright = "".join(f"M{x + w * i / (bars[0] + 1):.0f} {y}v{h}" for i in range(1, bars[0] + 1))
    level = "".join(f"M{x} {y + h * i / (bars[1] + 1):.0f}h{w}" for i in range(1, bars[1] + 1))
    out += stroke(upright + level, frame, 8) if upright or level else ""
    out += path(box(x - 24, y + h + f - 4, w + 48, 14, 4), light(frame, 0.3)) + path(
        box(x - 24, y + h + f + 8, w + 48, 5), dark(frame, 0.25)
    )
    if curtains:
        a, b, t, low = x - 44, x + w + 44, y - 30, y + h + 62
        for e, k in ((a, 1), (b, -1)):
            d = (
                f"M{e} {t}H{e + k * 82}"
                f"C{e + k * 84} {t + h * 0.4:.0f} {e + k * 66} {t + h * 0.7:.0f} {e + k * 34} {t + h * 0.85:.0f}"
                f"Q{e + k * 22} {low - 40} {e + k * 20} {low}H{e - k * 4}Q{e - k * 6} {t + h * 0.5:.0f} {e} {t}z"
            )
            folds = "".join(
                stroke(
                    f"M{e + k * q} {t}Q{e + k * (q + 4)} {t + h * 0.5:.0f} {e + k * q * 0.36:.0f} {low}",
                    dark(curtains, 0.14),
                    5,
                )
                for q in (26, 52)
            )
            out += form(d, curtains, 6, 2, folds)
        out += stroke(f"M{a - 10} {t}H{b + 10}", dark(WOOD), 7) + "".join(
            form(oval(q, t, 8), WOOD, 2) for q in (a - 10, b + 10)
        )
    return out


def shaft(x0: float, x1: float, top: float, low: float, base: float) -> str:
    """Daylight that falls from a window on the wall and the floor."""
    run = (low - top) * 0.8
    return veil(
        poly((x0, top), (x1, top), (x1 + run, low), (x1 + run * 1.1, base), (x0 + run * 0.9, base)), "#FFF6DA", 0.34
    )


def picture(x: float, y: float, w: float, h: float, art: str, frame: str = WOOD, mat: str = CREAM) -> str:
    """A framed picture on the wall; `art` is drawn in page pixels and cut to the mat's opening."""
    hole = box(x + w * 0.14, y + h * 0.14, w * 0.72, h * 0.72)
    return (
        veil(box(x + 6, y + 7, w, h, 3), "#3A2A5C", 0.2)
        + form(box(x, y, w, h, 3), frame, 3, 1.6)
        + path(box(x + 8, y + 8, w - 16, h - 16), mat)
        + clipped(hole, art)
    )


def landscape(x: float, y: float, w: float, h: float, time: str = "day") -> str:
    """A framed view of hills."""
    return picture(
        x, y, w, h, outlook(x, y, w, h, time, "dry", "hills") + form(oval(x + w * 0.6, y + h * 0.36, w * 0.1), SUN, 2)
    )


def glow(
    x: float, y: float, rx: float, ry: float, name: str = "glow", colour: str = "#FFE3A0", strength: float = 0.7
) -> str:
    """Soft lamp light."""
    stops = f'<stop stop-color="{colour}" stop-opacity="{strength}"/>'
    stops += f'<stop offset="1" stop-color="{colour}" stop-opacity="0"/>'
    return (
        f'<defs><radialGradient id="{name}">{stops}</radialGradient></defs>'
        f'<ellipse cx="{x}" cy="{y}" rx="{rx}" ry="{ry}" fill="url(#{name})"/>'
    )


def halo(cx: float, cy: float, rx: float, ry: float) -> str:
    """The soft light about a lamp or flame; the same gradient for all, sized by the ellipse."""
    return glow(cx, cy, rx, ry, "halo", "#FFE7AE", 0.75)


def tint(colour: str, opacity: float) -> str:
    """Light over the whole picture: blue at night, amber at dusk. For `Setting.front`."""
    return veil(box(0, 0, W, H), colour, opacity)


def rug(cx: float, cy: float, rx: float, ry: float, colour: str, band: str = CREAM) -> str:
    rings = ((1.0, dark(colour, 0.18)), (0.95, band), (0.87, colour), (0.6, light(colour, 0.25)), (0.55, colour))
    return "".join(path(oval(cx, cy, rx * k, ry * k), c) for k, c in rings)


def room(
    name: str,
    *,
    paper: str = "#F7E2C0",
    pattern: str = "plain",
    ground: str = "#DDAE78",
    kind: str = "boards",
    base: float = 500,
    horizon: float = 300,
    eye: float = 110,
    on_wall: str = "",
    on_floor: str = "",
    front: str = "",
    rail: str = CREAM,
) -> Setting:
    """A room seen straight on: wall, skirting, what hangs on the wall, floor, what lies on it."""
    out = wall(paper, base, pattern) + on_wall + (skirting(base, rail) if rail else "")
    return Setting(name, out + floor(ground, base, horizon, kind) + on_floor, horizon, eye, front)
