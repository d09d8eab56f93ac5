"""Parts of rooms in page pixels: walls, floors, windows with any time of day and weather, doors, lamps, rugs."""

from __future__ import annotations

from studio.drawing.kit import CREAM, SUN, WOOD, box, clipped, dark, form, light, oval, path, poly, stroke, veil
from studio.drawing.scene import H, W
from studio.drawing.weather import SKIES, tree


def wall(colour: str, base: float, pattern: str = "") -> str:
    """A wall down to `base` with a skirting board; pattern: stripes, dots, bricks, boards, tiles, panels or ''."""
    tone = light(colour, 0.3)
    out = path(box(0, 0, W, base), colour)
    if pattern == "stripes":
        out += "".join(path(box(x, 0, 26, base), tone) for x in range(0, W, 52))
    elif pattern == "dots":
        out += path(
            "".join(oval(x + (y // 44 % 2) * 26, y, 4) for x in range(10, W, 52) for y in range(14, int(base), 44)),
            tone,
        )
    elif pattern == "boards":
        out += stroke("".join(f"M0 {y}H{W}" for y in range(0, int(base), 44)), dark(colour, 0.12), 2)
    elif pattern == "panels":
        out += "".join(stroke(box(x, base - 150, 128, 116, 4), dark(colour, 0.12), 3) for x in range(20, W, 160))
    elif pattern in ("bricks", "tiles"):
        w, h, shift = (64, 26, 32) if pattern == "bricks" else (48, 48, 0)
        rows = range(0, int(base), h)
        d = "".join(f"M0 {y}H{W}" for y in rows)
        d += "".join(f"M{x + i % 2 * shift} {y}v{h}" for i, y in enumerate(rows) for x in range(0, W, w))
        out += stroke(d, dark(colour, 0.1) if pattern == "bricks" else light(colour, 0.5), 2)
    skirting = path(box(0, base - 15, W, 15), CREAM) + path(box(0, base - 3, W, 3), dark(CREAM, 0.3))
    return out + ("" if pattern in ("bricks", "tiles") else skirting)


def floor(colour: str, base: float, horizon: float, pattern: str = "boards", vx: float = W / 2) -> str:
    """A floor from `base` down, its lines running to (vx, horizon); pattern: boards, tiles, chequers, plain."""
    out = path(box(0, base, W, H - base), colour)
    k = (base - horizon) / (H - horizon)  # how much narrower the far edge is
    tone = dark(colour, 0.14)

    def far(x: float) -> float:
        return vx + (x - vx) * k

    step = 80 if pattern == "boards" else 120
    xs = range(-2400, 3500, step)
    depths = [base + (H - base) * t for t in (0, 0.11, 0.25, 0.43, 0.67, 1)]
    if pattern == "chequers":
        for i, (a, b) in enumerate(zip(depths, depths[1:], strict=False)):
            ka, kb = (a - horizon) / (H - horizon), (b - horizon) / (H - horizon)
            for j, x in enumerate(xs):
                if (i + j) % 2:
                    at = [
                        (vx + (q - vx) * r, y)
                        for q, r, y in ((x, ka, a), (x + step, ka, a), (x + step, kb, b), (x, kb, b))
                    ]
                    out += path(poly(*at), tone)
    elif pattern != "plain":
        out += stroke("".join(f"M{far(x):.0f} {base:.0f}L{x} {H}" for x in xs), tone, 2)
    if pattern == "tiles":
        out += stroke("".join(f"M0 {y:.0f}H{W}" for y in depths[1:-1]), tone, 2)
    return out


def window(x: float, y: float, w: float, h: float, view: str = "day", *, curtain: str = "", frame: str = CREAM) -> str:
    """A window with its sill; view: day, morning, overcast, storm (rain), sunset, dusk, night, snow, fog."""
    top, haze = SKIES[view]
    hill = {"night": "#2E3B5E", "dusk": "#57597E", "snow": "#EEF3F4", "storm": "#6F8577"}.get(view, "#8FBF7F")
    sight = path(box(x, y, w, h), haze) + path(box(x, y, w, h * 0.5), top, extra='opacity=".7"')
    if view == "night":
        sight += path(
            "".join(oval(x + w * (i * 0.37 % 1), y + h * (i * 0.23 % 0.5), 1.6) for i in range(14)), "#FFF4DC"
        )
        sight += form(oval(x + w * 0.72, y + h * 0.24, min(w, h) * 0.09), "#FFF1CF", 3)
    elif view in ("day", "morning", "sunset"):
        sight += path(
            oval(x + w * 0.26, y + h * (0.55 if view == "sunset" else 0.24), min(w, h) * 0.09), light(SUN, 0.4)
        )
    sight += path(
        f"M{x} {y + h * 0.78:.1f}Q{x + w * 0.3:.1f} {y + h * 0.58:.1f} {x + w * 0.6:.1f} {y + h * 0.74:.1f}"
        f"T{x + w} {y + h * 0.7:.1f}V{y + h}H{x}z",
        hill,
    )
    sight += tree(
        x + w * 0.72,
        y + h * 0.84,
        h * 0.34,
        "snowy" if view == "snow" else "pine" if view in ("night", "dusk") else "round",
    )
    sight += path(
        f"M{x} {y + h * 0.88:.1f}Q{x + w * 0.5:.1f} {y + h * 0.76:.1f} {x + w} {y + h * 0.88:.1f}V{y + h}H{x}z",
        dark(hill, 0.12),
    )
    if view == "storm":
        sight += stroke(
            "".join(f"M{x + w * (i * 0.37 % 1):.0f} {y + h * (i * 0.61 % 1):.0f}l-5 18" for i in range(26)),
            "#EAF2F6",
            1.8,
            'opacity=".7"',
        )
    if view == "snow":
        sight += path("".join(oval(x + w * (i * 0.37 % 1), y + h * (i * 0.61 % 1), 2.4) for i in range(26)), "#fff")
    f = max(min(w, h) * 0.045, 5)
    out = path(box(x - f, y - f * 0.6, w + 2.8 * f, h + 2.4 * f, 4), "#3A2A5C", extra='opacity=".14"')
    out += path(box(x - f, y - f, w + 2 * f, h + 2 * f, 4), frame) + clipped(box(x, y, w, h), sight)
    out += veil(poly((x, y), (x + w * 0.3, y), (x, y + h * 0.5)), "#fff", 0.16)
    out += stroke(f"M{x + w / 2:.1f} {y}v{h}M{x} {y + h * 0.45:.1f}h{w}", frame, f * 0.8)
    out += path(box(x - 2 * f, y + h + f * 0.4, w + 4 * f, f * 1.5, 3), frame) + path(
        box(x - 2 * f, y + h + f * 1.4, w + 4 * f, f * 0.5), dark(frame, 0.25)
    )
    return out + (_curtains(x, y, w, h, f, curtain) if curtain else "")


def _curtains(x: float, y: float, w: float, h: float, f: float, colour: str) -> str:
    rail = y - 3 * f
    out, low = "", y + h + 5 * f
    for k, edge in ((1, x - 3 * f), (-1, x + w + 3 * f)):
        inner, tie = edge + k * w * 0.36, y + h * 0.66
        d = (
            f"M{edge:.1f} {rail:.1f}H{inner:.1f}Q{inner:.1f} {y + h * 0.4:.1f} {edge + k * w * 0.12:.1f}"
            f" {tie:.1f}Q{edge + k * w * 0.2:.1f} {y + h * 0.9:.1f} {edge + k * w * 0.18:.1f}"
            f" {low:.1f}H{edge:.1f}z"
        )
        folds = "".join(
            f"M{edge + k * w * t:.1f} {rail:.1f}Q{edge + k * w * t:.1f} {y + h * 0.4:.1f} {edge + k * w * 0.1:.1f}"
            f" {tie:.1f}"
            for t in (0.12, 0.24)
        )
        out += form(d, colour, 6, 2, stroke(folds, dark(colour, 0.14), 5))
        out += path(box(min(edge, edge + k * w * 0.14), tie - 6, w * 0.14, 11, 5), dark(colour, 0.3))
    return out + stroke(f"M{x - 4 * f:.1f} {rail:.1f}H{x + w + 4 * f:.1f}", dark(WOOD), 7)


def light_shaft(x: float, y: float, w: float, h: float, base: float, colour: str = "#FFF6DA") -> str:
    """Light that falls from a window to the right, over the wall and onto the floor at `base`."""
    down = base - y
    shaft = poly((x + w, y), (x + w + down * 0.7, base), (x + down * 0.35, base), (x, y + h))
    patch = poly(
        (x + down * 0.42, base),
        (x + w + down * 0.7, base),
        (x + w + down * 0.95, base + 80),
        (x + down * 0.6, base + 80),
    )
    return veil(shaft, colour, 0.3) + veil(patch, "#FFEFC4", 0.4)


def door(x: float, base: float, h: float, colour: str = WOOD) -> str:
    """A closed door with its foot at `base`."""
    w, y = h * 0.44, base - h
    out = path(box(x - 8, y - 8, w + 16, h + 8, 3), light(colour, 0.5)) + form(box(x, y, w, h), colour, 5, 2)
    for a, b in ((0.07, 0.36), (0.53, 0.4)):
        out += form(box(x + w * 0.14, y + h * a, w * 0.72, h * b, 3), dark(colour, 0.08), 3, 1.4)
    return out + form(oval(x + w * 0.88, y + h * 0.5, h * 0.016), SUN, 1)


def pendant(x: float, y: float, colour: str = SUN, glow: bool = True) -> str:
    """A lamp that hangs from the ceiling, its shade ending at (x, y)."""
    out = stroke(f"M{x} 0V{y - 30}", dark(colour, 0.6), 2.4) + path(oval(x, y, 12, 8), "#FFF4DC")
    out += form(f"M{x - 12} {y - 32}H{x + 12}L{x + 36} {y}H{x - 36}z", colour, 5, 2)
    return out + (
        veil(poly((x - 36, y), (x + 36, y), (x + 150, y + 230), (x - 150, y + 230)), "#FFF4DC", 0.16) if glow else ""
    )


def rug(x: float, y: float, rx: float, colour: str, trim: str = CREAM) -> str:
    """An oval rug."""
    return "".join(
        path(oval(x, y, rx * k, rx * k * 0.2), c)
        for k, c in ((1, dark(colour, 0.2)), (0.97, trim), (0.91, colour), (0.62, light(colour, 0.24)), (0.58, colour))
    )
