"""Libraries: a tall reading room, its children's corner, and what stands in them."""

from __future__ import annotations

from studio.drawing.kit import (
    CORAL,
    CREAM,
    PINK,
    SHADOW,
    SKY,
    SUN,
    TEAL,
    Prop,
    box,
    dark,
    form,
    light,
    oval,
    path,
    put,
    shadow,
    stroke,
    veil,
)  # fmt: skip
from studio.drawing.rooms import floor, light_shaft, pendant, rug, wall, window
from studio.drawing.scene import H, Setting, W

SPINES = ("#A8483F", "#3F5A86", "#C9924A", "#5E7F5A", "#7A5A8A", "#D9C39A", "#2F7F78", "#B5657A", "#6B4A38", "#8FA9BE")


def book_row(w: float, h: float, seed: int, gap: bool = True) -> str:
    """Spines of many widths side by side, standing on height `h`; now and then one leans into a gap."""
    out, x, i = "", 0.0, seed
    while x < w - 3.6:
        thick = 2.4 + (i * 7 % 5) * 0.62
        tall = h * (0.68 + (i * 13 % 7) * 0.045)
        c = SPINES[(i * 3 + i // 4) % len(SPINES)]
        if gap and i % 11 == 4 and x + 9 < w:
            lean = path(box(0, -tall, thick, tall, 0.3), c) + path(
                box(0, -tall * 0.8, thick, tall * 0.08), light(c, 0.5)
            )
            out += put(x + 1, h - 0.4, lean, 1, 12)
            x += thick + 5
        else:
            out += path(box(x, h - tall, thick, tall, 0.3), c) + path(
                box(x + thick * 0.72, h - tall, thick * 0.28, tall), dark(c, 0.2)
            )
            out += path(box(x, h - tall * 0.84, thick, tall * 0.07), light(c, 0.55))
            x += thick + 0.15
        i += 1
    return out


def bookcase(w: float = 110, h: float = 220, rows: int = 6, colour: str = "#8A5F43", seed: int = 0) -> Prop:
    """A bookcase full of books with a cornice; drawn flat, so that many stand side by side."""
    t, gap = 4.0, (h - 14) / rows
    out = shadow(w / 2, h - 1, w * 0.54, 4, 0.5) + form(box(0, 0, w, h, 1), colour, 2.4, 1)
    for i in range(rows):
        y = 6 + i * gap
        out += path(box(t, y, w - 2 * t, gap - 3), dark(colour, 0.5)) + put(
            t + 0.6, y, book_row(w - 2 * t - 1, gap - 3, seed + 5 * i)
        )
        out += veil(box(t, y, w - 2 * t, gap * 0.16), SHADOW, 0.35) + form(
            box(t, y + gap - 3, w - 2 * t, 3), light(colour, 0.14), 0.7
        )
    return Prop("bookcase", w, h, out + form(box(-2, -3, w + 4, 8, 1.6), light(colour, 0.1), 1.6, 0.6))


def reading_room(view: str = "day") -> Setting:
    """A tall room with walls of books, two arched windows and a parquet floor, in the light from outside."""
    horizon, eye, base, wood = 300, 150, 440.0, "#8A5F43"
    out = wall("#EBD9B4", base)
    for x in (372, 560):
        out += window(x, 40, 116, 268, view, frame=wood) + _arch(x, 116, wood)
    for x, seed in ((-30, 3), (150, 8), (716, 1), (896, 12)):
        out += put(x, base - 232 * 1.82, bookcase(96, 232, 7, wood, seed).body, 1.82)
    out += light_shaft(372, 40, 116, 268, base) + light_shaft(560, 40, 116, 268, base)
    return Setting("old library", out + floor("#B98A62", base, horizon, "boards", 500), horizon, eye)


def lamplit_room(view: str = "storm") -> Setting:
    """The same library nearer to its shelves on a dark day: green wall, dark oak, hanging lamps."""
    horizon, eye, base, wood = 270, 140, 462.0, "#6B4632"
    out = wall("#7E9A86", base, "panels") + window(486, 46, 190, 250, view, frame=wood) + _arch(486, 190, wood)
    for x, seed in ((-96, 5), (132, 14), (778, 2), (1006, 9)):
        out += put(x, base - 206 * 2.2, bookcase(100, 206, 6, wood, seed).body, 2.2)
    out += floor("#9A6E50", base, horizon, "boards", 560)
    return Setting("old library", out + pendant(420, 84, "#C8745A") + pendant(742, 84, "#C8745A"), horizon, eye)


def _arch(x: float, w: float, colour: str) -> str:
    return form(f"M{x - 12} 44Q{x + w / 2} -28 {x + w + 12} 44z", colour, 3, 1.4)


def story_corner() -> Setting:
    """The children's corner from slightly above: low shelves, a big rug, paper lanterns, sun."""
    horizon, eye, base = 130, 190, 330.0
    paint = "#CBE3D3"
    out = wall(paint, base, "dots") + window(60, 24, 190, 190, "day", curtain="#F0B27A")
    out += light_shaft(60, 24, 190, 190, base)
    s = (base - horizon) / eye
    for i, x in enumerate((330, 470, 800, 940)):
        case = bookcase(120, 96, 3, "#E3BF8A", 4 + 6 * i)
        out += put(x, base + 4 - 96 * s * 1.12, case.body, s * 1.12)
    for x, y, c in ((330, 84, CORAL), (420, 48, SUN), (820, 44, PINK), (920, 92, TEAL), (740, 76, SKY)):
        out += lantern(x, y, c)
    out += floor("#DDB98C", base, horizon, "boards", 560)
    return Setting("story corner", out + rug(500, 570, 520, "#8FB4C9", CREAM), horizon, eye)


def lantern(x: float, y: float, c: str) -> str:
    """A round paper lantern on a thread, in page pixels."""
    ribs = stroke(
        f"M{x - 24} {y}q24 10 48 0M{x - 22} {y - 10}q22 8 44 0M{x - 22} {y + 10}q22 8 44 0", dark(c, 0.14), 1.6
    )
    return (
        stroke(f"M{x} 0V{y - 24}", dark(c, 0.4), 1.6)
        + form(oval(x, y, 26, 24), c, 5, 1.6, ribs)
        + path(box(x - 8, y - 27, 16, 5, 2) + box(x - 8, y + 22, 16, 5, 2), dark(c, 0.3))
    )


def warm_glow(*spots: tuple[float, float, float]) -> str:
    """Lamp light over a page; each spot is x, y and radius."""
    stops = '<stop stop-color="#FFE0A0" stop-opacity=".36"/><stop offset="1" stop-color="#FFE0A0" stop-opacity="0"/>'
    return f'<defs><radialGradient id="warm">{stops}</radialGradient></defs>' + "".join(
        f'<circle cx="{x}" cy="{y}" r="{r}" fill="url(#warm)"/>' for x, y, r in spots
    )


def dim(strength: float) -> str:
    """A cool veil over the whole page for a dark day."""
    return veil(box(0, 0, W, H), "#4A4A86", strength)
