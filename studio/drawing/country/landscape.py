"""The open country in page pixels: skies by the hour, hills, ground, weather. Settings are put together from these.

An `Hour` is the light of a whole picture. Its `tint` is multiplied over everything at the end, people included, so
that props need no night version; what glows is laid over the tint.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from random import Random

from studio.drawing.kit import WHITE, box, dark, flower, light, mix, oval, path, poly, put, stroke
from studio.drawing.scene import H, Setting, W


@dataclass(frozen=True)
class Hour:
    top: str
    haze: str
    tint: str = ""
    """Multiplied over the whole picture; '' leaves the colours of the day."""
    cloud: str = "#FFFFFF"
    stars: bool = False


HOURS = {
    "day": Hour("#86C7E6", "#FBF0D6"),
    "morning": Hour("#BFD9E6", "#FDE9CF", "#FFF6EA"),
    "noon": Hour("#4FB0E0", "#D3EDF2"),
    "grey": Hour("#BCC6D0", "#E6E8E4", "#EEF0F4", "#EEF0F0"),
    "storm": Hour("#9AA8BA", "#D6DCE0", "#E2E6EE", "#D0D7DF"),
    "golden": Hour("#F7CF92", "#FFEFC8", "#FFEED2", "#FFF3DE"),
    "dusk": Hour("#8683C4", "#FFC7A0", "#DCC9DC", "#F7CFC4"),
    "night": Hour("#404C8A", "#7F8DBE", "#ACB1DC", "#8690BC", stars=True),
}


def scallop(cx: float, cy: float, rx: float, ry: float, n: int, seed: int = 1) -> str:
    """A leafy outline: `n` bulges around an oval, no two alike."""
    rng = Random(seed)
    turns = [(k + rng.uniform(-0.22, 0.22)) * math.tau / n for k in range(n)]
    sizes = [rng.uniform(0.9, 1.08) for _ in turns]
    pts = [(cx + rx * k * math.cos(a), cy + ry * k * math.sin(a)) for a, k in zip(turns, sizes, strict=True)]
    out = f"M{pts[0][0]:.1f} {pts[0][1]:.1f}"
    for p, q in zip(pts, pts[1:] + pts[:1], strict=True):
        r = math.dist(p, q) * 0.58
        out += f"A{r:.1f} {r:.1f} 0 0 1 {q[0]:.1f} {q[1]:.1f}"
    return out + "z"


def cloud(x: float, y: float, s: float, tone: str = "#FFFFFF") -> str:
    puff = "M-58 0Q-62-20-40-22Q-34-46-8-40Q12-60 34-38Q58-40 58-18Q74-14 66 0z"
    base = "M-58 0Q-40-14-18-6Q6-18 30-6Q50-14 66 0z"
    return put(x, y, path(puff, tone) + path(base, dark(tone, 0.09)), s)


def heavens(
    hour: str, *, seed: int = 1, n_clouds: int = 3, low: float = 300, sun: tuple[float, float] | None = None
) -> str:
    """Sky of the hour down to the page's foot, with clouds above `low` and the sun or moon at `sun`."""
    h = HOURS[hour]
    stops = f'<stop stop-color="{h.top}"/><stop offset="{low * 1.15 / H:.2f}" stop-color="{h.haze}"/>'
    out = f'<defs><linearGradient id="sky" x2="0" y2="1">{stops}</linearGradient></defs>'
    out += f'<rect width="{W}" height="{H}" fill="url(#sky)"/>'
    rng = Random(seed * 7919)
    if h.stars:
        spots = [(rng.uniform(0, W), rng.uniform(0, low * 0.85), rng.choice((1, 1.3, 2))) for _ in range(70)]
        out += path("".join(oval(x, y, r) for x, y, r in spots), "#F4EFD8")
    if sun:
        disc = "#F6F0D8" if h.stars else "#FFF3C4" if hour in ("dusk", "golden") else "#FFF8DC"
        halo = "".join(
            path(oval(*sun, r), disc, extra=f'opacity="{o}"') for r, o in ((120, 0.12), (84, 0.18), (58, 0.25))
        )
        out += halo + path(oval(*sun, 36), disc)
        out += path(oval(sun[0] - 9, sun[1] - 6, 7) + oval(sun[0] + 12, sun[1] + 10, 5), "#DDD6BE") if h.stars else ""
    for i in range(n_clouds):
        x = (i + rng.uniform(0.15, 0.85)) * W / n_clouds
        out += cloud(x, rng.uniform(0.16, 0.62) * low, rng.uniform(0.55, 1.25), h.cloud)
    return out


def ridge(y: float, swing: float, colour: str, seed: int, *, n: int = 5) -> str:
    """A line of hills, filled down to the foot of the page."""
    rng = Random(seed * 104729)
    step = W / n
    out = f"M-20 {H + 5}V{y - rng.uniform(0, swing):.0f}"
    for k in range(n + 1):
        x, top = (k + 0.5) * step, y - rng.uniform(0.3, 1) * swing
        out += f"Q{x:.0f} {top:.0f} {(k + 1) * step:.0f} {y - rng.uniform(0, 0.4) * swing:.0f}"
    return path(out + f"V{H + 5}z", colour)


def mountains(y: float, height: float, colour: str, seed: int, snow: str = "") -> str:
    """A jagged range, the light on the left flanks; `snow` caps the peaks."""
    rng = Random(seed * 31337)
    out, x = "", -60.0
    while x < W:
        w, h = rng.uniform(200, 330), height * rng.uniform(0.6, 1)
        top, mid = (x + w * 0.5, y - h), x + w * rng.uniform(0.52, 0.62)
        out += path(poly((x, y), top, (x + w, y)), colour) + path(poly(top, (x + w, y), (mid, y)), dark(colour, 0.14))
        if snow:
            k = 0.3
            cap = [(top[0] - w * 0.5 * k, y - h * (1 - k)), top, (top[0] + w * 0.5 * k, y - h * (1 - k))]
            zig = [(top[0] + w * 0.05, y - h * 0.76), (top[0] - w * 0.04, y - h * 0.66)]
            out += path(poly(*cap, *zig), snow)
        x += w * rng.uniform(0.5, 0.72)
    return out


def ground(y: float, colour: str, *, seed: int = 1, kind: str = "grass", n: int = 16) -> str:
    """Level ground from `y` down in three bands; `kind` is grass, flowers, sand, earth or snow."""
    rng = Random(seed * 65537)
    out = path(box(-5, y, W + 10, H - y + 10), colour)
    out += path(f"M-5 {y}H{W + 5}V{y + 12}Q720 {y + 6} 480 {y + 15}T-5 {y + 11}z", dark(colour, 0.15))
    deep = H - y
    a, b = y + deep * 0.42, y + deep * 0.76
    out += path(f"M-5 {a + 20:.0f}Q300 {a - 34:.0f} 620 {a + 14:.0f}T{W + 5} {a:.0f}V{H + 5}H-5z", light(colour, 0.14))
    out += path(f"M-5 {b + 10:.0f}Q420 {b - 34:.0f} {W + 5} {b + 10:.0f}V{H + 5}H-5z", light(colour, 0.26))
    marks = ""
    for _ in range(n):
        t = rng.uniform(0.12, 0.97)
        x, v, k = rng.uniform(0, W), y + deep * t, 0.5 + t
        if kind in ("grass", "flowers"):
            marks += stroke(
                f"M{x:.0f} {v:.0f}l{3 * k:.1f} {-10 * k:.1f}l{3 * k:.1f} {10 * k:.1f}m{3 * k:.1f} 0"
                f"l{4 * k:.1f} {-8 * k:.1f}l{1.5 * k:.1f} {8 * k:.1f}",
                dark(colour, 0.2),
                1.7 * k,
            )
            if kind == "flowers":
                for _ in range(2):
                    fx, fy = x + rng.uniform(-40, 40), v + rng.uniform(-8, 14)
                    marks += flower(fx, fy, 3.6 * k, rng.choice((WHITE, "#F7C9C4", "#F6E08C", "#CDBCE8")), "#E9A63A", 6)
        elif kind == "snow":
            marks += stroke(f"M{x:.0f} {v:.0f}q{20 * k:.0f} {-6 * k:.0f} {44 * k:.0f} 0", dark(colour, 0.1), 2.2 * k)
        else:
            marks += path(oval(x, v, 3.2 * k, 1.7 * k) + oval(x + 11 * k, v + 4 * k, 2 * k, 1.2 * k), dark(colour, 0.2))
    return out + marks


def way(points: tuple[tuple[float, float, float], ...], colour: str) -> str:
    """A footpath through (x, y, width) from far to near, with a shaded right edge."""

    def side(k: float, shrink: float = 0) -> list[tuple[float, float]]:
        return [(x + k * w / 2 - shrink * w, y) for x, y, w in points]

    def smooth(pts: list[tuple[float, float]]) -> str:
        out = f"{pts[0][0]:.0f} {pts[0][1]:.0f}"
        for p, q in zip(pts, pts[1:], strict=False):
            m = (p[1] + q[1]) / 2
            out += f"C{p[0]:.0f} {m:.0f} {q[0]:.0f} {m:.0f} {q[0]:.0f} {q[1]:.0f}"
        return out

    def band(left: list[tuple[float, float]], right: list[tuple[float, float]]) -> str:
        return f"M{smooth(left)}L{smooth(right[::-1])}z"

    return path(band(side(-1), side(1)), colour) + path(band(side(1, 0.07), side(1)), dark(colour, 0.14))


def water(y0: float, y1: float, colour: str, seed: int = 1) -> str:
    """Water across the page with glints, darker towards the far side."""
    rng = Random(seed * 8191)
    out = path(box(-5, y0, W + 10, y1 - y0), colour)
    out += path(box(-5, y0, W + 10, (y1 - y0) * 0.22), mix(colour, "#2F7FA5", 0.45))
    for _ in range(int((y1 - y0) / 9)):
        x, y, w = rng.uniform(0, W), rng.uniform(y0 + 8, y1 - 6), rng.uniform(40, 100)
        out += stroke(f"M{x:.0f} {y:.0f}q{w / 4:.0f}-5 {w / 2:.0f} 0t{w / 2:.0f} 0", light(colour, 0.5), 2.8)
    return out


def falling(kind: str, seed: int = 1, n: int = 110) -> str:
    """Snow or autumn leaves over the whole page."""
    rng, out = Random(seed * 524287), ""
    for _ in range(n if kind != "leaves" else n // 2):
        x, y, k = rng.uniform(-20, W), rng.uniform(-20, H), rng.uniform(0.5, 1.3)
        if kind == "snow":
            out += oval(x, y, 4.4 * k)
        else:
            tone = rng.choice(("#D98A3A", "#C8612F", "#E3B04B"))
            out += put(x, y, path("M0 0Q8-8 18-2Q10 6 0 0z", tone) + stroke("M0 0l12-1", dark(tone), 0.8), k, x)
    return path(out, "#FFFFFF", extra='opacity=".85"') if kind == "snow" else out


def tinted(hour: str) -> str:
    """The hour's colour over the finished picture."""
    tint = HOURS[hour].tint
    return f'<rect width="{W}" height="{H}" fill="{tint}" style="mix-blend-mode:multiply"/>' if tint else ""


def glow(x: float, y: float, r: float, colour: str = "#FFC568", strength: float = 0.75) -> str:
    """Light from a fire or a lamp, laid over the tint."""
    name = f"glow{x:.0f}_{y:.0f}"
    stops = f'<stop stop-color="{colour}" stop-opacity="{strength}"/>'
    stops += f'<stop offset="1" stop-color="{colour}" stop-opacity="0"/>'
    defs = f'<defs><radialGradient id="{name}">{stops}</radialGradient></defs>'
    return f'{defs}<circle cx="{x}" cy="{y}" r="{r}" fill="url(#{name})" style="mix-blend-mode:screen"/>'


def lamplit(setting: Setting, *spots: tuple[float, float, float, float]) -> Setting:
    """The same place with warm light at (x, y, radius, strength), for the dark hours."""
    return replace(setting, front=setting.front + "".join(glow(x, y, r, strength=k) for x, y, r, k in spots))


def weathered(hour: str, weather: str, seed: int) -> str:
    """Weather and light of the hour, to lie over a finished picture."""
    return (falling(weather, seed) if weather else "") + tinted(hour)
