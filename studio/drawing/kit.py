"""Drawing kit: palette, tones from one light at the upper left, basic shapes, and lettering as outlines.

Everything returns SVG text. The same call gives the same text, so that the same scene gives the same pixels:
clip paths are named after what they cut, not after a counter.
"""

from __future__ import annotations

import hashlib
import importlib.util
import math
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mossbench.errors import UsageError

if TYPE_CHECKING:
    from studio.drawing.poses import Look

INK, SHADOW, WARM = "#3B2A45", "#3A2A5C", "#FFF4DC"
RED, CORAL, SUN, LEAF, TEAL, SKY = "#D8483A", "#EE8562", "#F4C152", "#6FA35A", "#2F8F83", "#6FB4D6"
BLUE, NAVY, CREAM, WOOD, PINK = "#4E8FC0", "#3F5A86", "#FBF1DD", "#C98D56", "#EFA7A0"
PLUM, STEEL, WHITE = "#7E6BB5", "#8C93A6", "#FFFDF6"
Pt = tuple[float, float]

HUMAN, CHILD, TEXT = "human", "child", "text"


@dataclass(frozen=True)
class Prop:
    """A drawing in a box of `w` x `h` centimetres, origin at the top left, standing on the bottom edge."""

    name: str
    w: float
    h: float
    body: str
    anchors: dict[str, Pt] = field(default_factory=dict)
    """Points to attach things to, such as a hand."""
    shows: frozenset[str] = frozenset()
    """What a sample's flags follow from: HUMAN, CHILD, TEXT (words that matter, not the letters on a toy block)."""
    looks: tuple[Look, ...] = ()
    """The people in it, to count skins, sexes and ages over the set."""


def mix(a: str, b: str, t: float) -> str:
    """Blend two #rrggbb colours."""
    pairs = zip(bytes.fromhex(a[1:]), bytes.fromhex(b[1:]), strict=True)
    return "#" + "".join(f"{round(x + (y - x) * t):02x}" for x, y in pairs)


def dark(c: str, t: float = 0.24) -> str:
    return mix(c, SHADOW, t)


def light(c: str, t: float = 0.4) -> str:
    return mix(c, WARM, t)


def path(d: str, fill: str = "none", stroke: str = "", width: float = 0, extra: str = "") -> str:
    line = f' stroke="{stroke}" stroke-width="{width}" stroke-linecap="round" stroke-linejoin="round"' if stroke else ""
    return f'<path d="{d}" fill="{fill}"{line} {extra}/>'


def stroke(d: str, colour: str, width: float, extra: str = "") -> str:
    return path(d, "none", colour, width, extra)


def veil(d: str, colour: str, opacity: float) -> str:
    return path(d, colour, extra=f'opacity="{opacity}"')


def put(x: float, y: float, body: str, scale: float = 1, angle: float = 0) -> str:
    """`body` moved to (x, y), turned clockwise by `angle` degrees and scaled about its own origin."""
    turn = f" rotate({angle:.2f})" if angle else ""
    size = f" scale({scale:.4f})" if scale != 1 else ""
    return f'<g transform="translate({x:.2f},{y:.2f}){turn}{size}">{body}</g>'


def clipped(d: str, body: str) -> str:
    """`body` seen only inside the outline `d`."""
    clip = "c" + hashlib.blake2s(d.encode(), digest_size=6).hexdigest()
    return f'<clipPath id="{clip}"><path d="{d}"/></clipPath><g clip-path="url(#{clip})">{body}</g>'


def form(d: str, fill: str, depth: float = 2.0, rim: float = 0.0, inside: str = "") -> str:
    """A shape in three tones: shade crescent lower right, lit rim upper left; `inside` is clipped to it."""
    x0, y0, x1, y1 = _bounds(d)
    m = depth + rim  # a frame just beyond the shape: a needlessly large one makes each layer very slow to render
    frame = box(x0 - m, y0 - m, x1 - x0 + 2 * m, y1 - y0 + 2 * m) + d

    def beyond(colour: str, dx: float, dy: float) -> str:  # what lies outside the shape once it is moved
        return path(frame, colour, extra=f'fill-rule="evenodd" transform="translate({dx:.2f},{dy:.2f})"')

    shade = beyond(dark(fill), -depth, -depth * 0.6) if depth else ""
    return clipped(d, path(d, fill) + inside + shade + (beyond(light(fill), rim, rim) if rim else ""))


def oval(cx: float, cy: float, rx: float, ry: float | None = None) -> str:
    ry = rx if ry is None else ry
    return f"M{cx - rx:.2f} {cy:.2f}a{rx:.2f} {ry:.2f} 0 1 1 {2 * rx:.2f} 0a{rx:.2f} {ry:.2f} 0 1 1 {-2 * rx:.2f} 0z"


def box(x: float, y: float, w: float, h: float, r: float = 0) -> str:
    r = round(min(r, w / 2, h / 2), 2)
    return (
        f"M{x + r:.2f} {y:.2f}h{w - 2 * r:.2f}q{r} 0 {r} {r}v{h - 2 * r:.2f}q0 {r} {-r} {r}"
        f"h{2 * r - w:.2f}q{-r} 0 {-r} {-r}v{2 * r - h:.2f}q0 {-r} {r} {-r}z"
    )


def poly(*pts: Pt) -> str:
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in pts) + "z"


def shadow(cx: float, cy: float, rx: float, ry: float, strength: float = 0.4) -> str:
    """Soft contact shadow, pushed to the right because the light comes from the left."""
    return (
        f'<ellipse cx="{cx + rx * 0.12:.2f}" cy="{cy:.2f}" rx="{rx:.2f}" ry="{ry:.2f}" '
        f'fill="url(#soft)" opacity="{strength}"/>'
    )


def limb(points: Sequence[Pt], widths: Sequence[float]) -> str:
    """Outline of a tapered arm or leg through three joints, with a softened middle joint."""
    a, b, c = points
    (px, py), (qx, qy) = ((b[0] + (e[0] - b[0]) * 0.3, b[1] + (e[1] - b[1]) * 0.3) for e in (a, c))
    bend = [
        (
            (1 - t) ** 2 * px + 2 * t * (1 - t) * b[0] + t * t * qx,
            (1 - t) ** 2 * py + 2 * t * (1 - t) * b[1] + t * t * qy,
        )
        for t in (i / 8 for i in range(9))
    ]
    line = [a, *bend, c]
    left, right = [], []
    for i, (x, y) in enumerate(line):
        (x0, y0), (x1, y1) = line[max(i - 1, 0)], line[min(i + 1, len(line) - 1)]
        n, t = math.hypot(x1 - x0, y1 - y0) or 1.0, i / (len(line) - 1) * 2
        w = (widths[0] + (widths[1] - widths[0]) * t if t < 1 else widths[1] + (widths[2] - widths[1]) * (t - 1)) / 2
        nx, ny = (y1 - y0) / n * w, -(x1 - x0) / n * w
        left.append(f"{x + nx:.2f} {y + ny:.2f}")
        right.append(f"{x - nx:.2f} {y - ny:.2f}")
    r0, r1 = round(widths[0] / 2, 2), round(widths[2] / 2, 2)
    return f"M{'L'.join(left)}A{r1} {r1} 0 0 1 {right[-1]}L{'L'.join(right[::-1])}A{r0} {r0} 0 0 1 {left[0]}z"


def hull(points: Sequence[Pt], round_by: float) -> str:
    """Outline of the convex hull of some points, its corners rounded."""
    pts = sorted({(round(x, 2), round(y, 2)) for x, y in points})
    edge: list[Pt] = []
    for way in (pts, pts[::-1]):
        start = len(edge)
        for p in way:
            while len(edge) - start >= 2 and _turn(edge[-2], edge[-1], p) <= 0:
                edge.pop()
            edge.append(p)
        edge.pop()
    out = ""
    for i, (x, y) in enumerate(edge):
        ends = []
        for qx, qy in (edge[i - 1], edge[(i + 1) % len(edge)]):
            d = math.hypot(qx - x, qy - y) or 1.0
            t = min(round_by / d, 0.45)
            ends.append((x + (qx - x) * t, y + (qy - y) * t))
        (ax, ay), (bx, by) = ends
        out += f"{'L' if out else 'M'}{ax:.2f} {ay:.2f}Q{x:.2f} {y:.2f} {bx:.2f} {by:.2f}"
    return out + "z"


def _turn(a: Pt, b: Pt, c: Pt) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def boxed(prop: Prop, w: float, h: float, scale: float = 1) -> Prop:
    """The prop in the middle of the ground of another box, for a stand-in that must fill the trigger's."""
    dx, dy = (w - prop.w * scale) / 2, h - prop.h * scale
    anchors = {key: (dx + x * scale, dy + y * scale) for key, (x, y) in prop.anchors.items()}
    return replace(prop, w=w, h=h, body=put(dx, dy, prop.body, scale), anchors=anchors)


def group(name: str, *parts: tuple[Prop, float, float]) -> Prop:
    """Props joined into one, later ones in front; each with its x offset from the middle and its height, in cm."""
    left = min(dx - p.w / 2 for p, dx, _ in parts)
    right = max(dx + p.w / 2 for p, dx, _ in parts)
    top = max(p.h + up for p, _, up in parts)
    half = max(-left, right)
    body = ""
    anchors: dict[str, Pt] = {}
    for i, (p, dx, up) in enumerate(parts):
        x, y = half + dx - p.w / 2, top - up - p.h
        body += put(x, y, p.body)
        anchors |= {f"{i}.{key}": (x + ax, y + ay) for key, (ax, ay) in p.anchors.items()}
    shows = frozenset(what for p, _, _ in parts for what in p.shows)
    return Prop(name, 2 * half, top, body, anchors, shows, tuple(look for p, _, _ in parts for look in p.looks))


def flower(x: float, y: float, r: float, petal: str, heart: str, n: int = 9) -> str:
    ring = "".join(
        path(oval(x + r * 0.68 * math.cos(a), y + r * 0.68 * math.sin(a), r * 0.4), c)
        for a, c in ((k * math.tau / n, petal if k % 2 else dark(petal, 0.1)) for k in range(n))
    )
    return ring + form(oval(x, y, r * 0.48), heart, r * 0.12)


def ban(cx: float, cy: float, r: float) -> str:
    """The prohibition mark: ring and bar from upper left to lower right, ring width a tenth of the diameter."""
    w, k = r * 0.19, r * 0.707
    ring, bar = oval(cx, cy, r), f"M{cx - k:.2f} {cy - k:.2f}L{cx + k:.2f} {cy + k:.2f}"
    under = stroke(ring + bar, dark(RED, 0.5), w, f'transform="translate({w * 0.12:.2f},{w * 0.16:.2f})" opacity=".35"')
    return under + stroke(bar, RED, w * 0.92) + stroke(ring, RED, w)


def cross(x: float, y: float, w: float, h: float, width: float) -> str:
    """A brushed red cross over a picture."""
    d = (
        f"M{x} {y}Q{x + w * 0.55:.1f} {y + h * 0.45:.1f} {x + w} {y + h}M{x + w} {y}"
        f"Q{x + w * 0.45:.1f} {y + h * 0.45:.1f} {x} {y + h}"
    )
    under = stroke(
        d, dark(RED, 0.5), width, f'transform="translate({width * 0.12:.2f},{width * 0.16:.2f})" opacity=".35"'
    )
    return under + stroke(d, RED, width)


# ---------------------------------------------------------------- what needs fontTools
def require_packages() -> None:
    """Refuses to begin where something that drawing needs is not installed."""
    for name in ("fontTools", "font_fredoka_one", "resvg_py"):
        if importlib.util.find_spec(name) is None:
            raise packages_missing()


def packages_missing() -> UsageError:
    """Says how to get what drawing needs beside mossbench."""
    folder = Path(__file__).parents[1]
    return UsageError(
        f"drawing needs packages that are not installed in {sys.prefix}: "
        f"`pip install -e {folder}` adds them, or `make -C {folder} install` makes an environment with them"
    )


def _fonttools(module: str) -> Any:
    """A module of fontTools, imported when something is drawn and not before."""
    try:
        return importlib.import_module(module)
    except ImportError:
        raise packages_missing() from None


@cache
def _bounds(d: str) -> tuple[float, float, float, float]:
    pen = _fonttools("fontTools.pens.boundsPen").ControlBoundsPen(None)
    _fonttools("fontTools.svgLib.path").parse_path(d, pen)
    x0, y0, x1, y1 = pen.bounds
    return x0, y0, x1, y1


@cache
def _font() -> Any:
    folder = Path(_fonttools("font_fredoka_one").__file__).parent / "files"
    return _fonttools("fontTools.ttLib").TTFont(folder / "FredokaOne-Regular.ttf")


def lettering(text: str, cx: float, baseline: float, cap: float, fill: str, max_width: float = 1e9) -> str:
    """Centred text as plain paths; a character that the font lacks raises instead of vanishing."""
    glyphs, cmap, metrics = _font().getGlyphSet(), _font().getBestCmap(), _font()["hmtx"]
    names = [cmap[ord(ch)] for ch in text]
    total = sum(metrics[n][0] for n in names)
    scale = min(cap / (_font()["OS/2"].sCapHeight or 700), max_width / total)
    x, out = cx - total * scale / 2, ""
    for name in names:
        pen = _fonttools("fontTools.pens.svgPathPen").SVGPathPen(glyphs)
        glyphs[name].draw(pen)
        place = f'transform="translate({x:.2f},{baseline}) scale({scale:.5f},{-scale:.5f})"'
        out += path(pen.getCommands(), fill, extra=place)
        x += metrics[name][0] * scale
    return out
