"""Time of day and weather for any setting, in page pixels: skies behind, light and weather in front."""

from __future__ import annotations

import math
from dataclasses import replace

from studio.drawing.country.garden import tree as leafy
from studio.drawing.kit import LEAF, box, dark, form, light, oval, path, shadow, stroke, veil
from studio.drawing.scene import H, Setting, W

SKIES = {  # top, haze
    "day": ("#8FCBE6", "#FBF0D2"), "morning": ("#A9D3E4", "#FFE3C2"), "overcast": ("#A9B7C2", "#DDE1DE"),
    "storm": ("#5E6B80", "#A3AFB8"), "sunset": ("#7E6BB5", "#FFC27A"), "dusk": ("#3F4A86", "#D59AA0"),
    "night": ("#1F2650", "#4A5590"), "snow": ("#B4C4D2", "#EEF1F0"), "fog": ("#C9D0D2", "#E4E5DF"),
}  # fmt: skip
TINTS = {
    "morning": ("#FFD79A", 0.12), "overcast": ("#7C8898", 0.14), "storm": ("#3F4A66", 0.26),
    "sunset": ("#FF9A50", 0.16), "dusk": ("#3A3F86", 0.28), "night": ("#1C2358", 0.46),
}  # fmt: skip


def sky(kind: str = "day", *, sun: tuple[float, float] | None = None) -> str:
    """The sky of a time of day or weather, with its sun, moon and stars; `sun` moves the sun or the moon."""
    top, haze = SKIES[kind]
    stops = f'<stop stop-color="{top}"/><stop offset=".7" stop-color="{haze}"/>'
    fade = f'<defs><linearGradient id="sky" x2="0" y2="1">{stops}</linearGradient></defs>'
    out = f'{fade}<rect width="{W}" height="{H}" fill="url(#sky)"/>'
    x, y = sun or {"night": (820, 90), "sunset": (300, 300)}.get(kind, (150, 96))
    if kind == "night":
        out += "".join(
            path(oval((i * 197.3) % W, (i * 83.7) % 280, 1 + i % 3 * 0.5), "#FFF4DC", extra='opacity=".8"')
            for i in range(70)
        )
        out += (
            veil(oval(x, y, 62), "#FFF4DC", 0.12)
            + form(oval(x, y, 38), "#FFF1CF", 7)
            + veil(oval(x - 10, y - 8, 7) + oval(x + 12, y + 10, 5), "#D8C79E", 0.6)
        )
    elif kind in ("day", "morning", "sunset"):
        glow = {"day": "#FFF4C8", "morning": "#FFE6B0", "sunset": "#FFB469"}[kind]
        out += "".join(veil(oval(x, y, r), glow, 0.2) for r in (110, 78)) + path(oval(x, y, 46), light(glow, 0.3))
    return out


def lit(setting: Setting, kind: str) -> Setting:
    """The setting under another light: a tint over everything in it, as dusk, night, sunset or a grey day give."""
    colour, strength = TINTS[kind]
    return replace(setting, front=setting.front + veil(box(0, 0, W, H), colour, strength))


def rain(setting: Setting, drops: int = 150, wind: float = 8) -> Setting:
    """Slanting rain over the setting, rings on the ground, and grey light."""
    lines = rings = ""
    for i in range(drops):
        x, y = (i * 379.7) % (W + 80), (i * 211.3) % H
        lines += f"M{x:.0f} {y:.0f}l{-wind:.1f} {24 + i % 3 * 8}"
    for i in range(26):
        x, y = (i * 277.1) % W, setting.horizon + 110 + (i * 61.7) % max(H - setting.horizon - 120, 1)
        rings += oval(x, y, 10 + i % 3 * 4, 2.6)
    grey = veil(box(0, 0, W, H), "#66748C", 0.2)
    drawn = stroke(rings, "#EAF2F6", 1.4, 'opacity=".5"') + stroke(lines, "#EAF2F6", 2, 'opacity=".55"')
    return replace(setting, front=setting.front + grey + drawn)


def snowfall(setting: Setting, flakes: int = 130) -> Setting:
    """Flakes in front of the setting."""
    out = "".join(
        path(oval((i * 397.1) % W, (i * 173.9) % H, 2 + i % 4 * 1.1), "#fff", extra='opacity=".85"')
        for i in range(flakes)
    )
    return replace(setting, front=setting.front + out)


def fog(setting: Setting, strength: float = 0.5) -> Setting:
    """Banks of mist, thickest at the horizon; they lie over the far things and leave the front clear."""
    out = ""
    for i in range(7):
        y = setting.horizon - 90 + i * 36
        out += veil(
            f"M0 {y:.0f}Q{W * 0.25:.0f} {y - 26 + i % 2 * 40:.0f} {W * 0.5:.0f} {y:.0f}T{W} {y:.0f}V{y + 70:.0f}H0z",
            "#EEF0EC",
            round(strength * (0.5 - 0.05 * i), 3),
        )
    return replace(setting, body=setting.body + out)


def lamp_glow(x: float, y: float, r: float, colour: str = "#FFDE94") -> str:
    """Light around a lamp at night; append it to a setting's front, after `lit`."""
    return "".join(veil(oval(x, y, r * k), colour, 0.13) for k in (1, 0.7, 0.42))


def puddles(*spots: tuple[float, float, float]) -> str:
    """Each spot: x, y, half width."""
    return "".join(
        path(oval(x, y, w, w * 0.17), "#9DB4C4") + veil(oval(x - w * 0.2, y - w * 0.03, w * 0.5, w * 0.06), "#fff", 0.5)
        for x, y, w in spots
    )


def tree(x: float, y: float, h: float, kind: str = "round") -> str:
    """A tree in page pixels with its foot at (x, y): round, autumn, pine, snowy, birch, bare, palm."""
    if kind in ("round", "autumn"):
        return leafy(x, y, h / 354, "#D98A3D" if kind == "autumn" else LEAF)
    bark = {"birch": "#E9E2D6", "palm": "#B58A5A"}.get(kind, "#8A6148")
    w = h * 0.06
    out = shadow(x - h * 0.036, y, h * 0.3, h * 0.035, 0.5)
    if kind in ("pine", "snowy"):
        green = "#3F7A5E"
        out += form(box(x - w / 2, y - h * 0.16, w, h * 0.16), bark, w * 0.3)
        for i in range(4):
            a, b, half = y - h * (0.1 + 0.2 * i), y - h * (0.42 + 0.2 * i), h * (0.25 - 0.045 * i)
            d = f"M{x:.1f} {b:.1f}L{x + half:.1f} {a:.1f}Q{x:.1f} {a + h * 0.05:.1f} {x - half:.1f} {a:.1f}z"
            out += form(d, green, h * 0.03)
            if kind == "snowy":
                rim = f"M{x + half:.1f} {a:.1f}Q{x:.1f} {a + h * 0.05:.1f} {x - half:.1f} {a:.1f}"
                out += stroke(rim, "#F4F7F8", h * 0.028)
        return out
    if kind == "palm":
        out += form(
            f"M{x - w * 0.6:.1f} {y:.1f}Q{x + h * 0.1:.1f} {y - h * 0.4:.1f} {x + h * 0.06:.1f}"
            f" {y - h * 0.8:.1f}h{w * 0.8:.1f}Q{x + h * 0.17:.1f} {y - h * 0.4:.1f} {x + w * 0.7:.1f}"
            f" {y:.1f}z",
            bark,
            w * 0.3,
        )
        cx, cy = x + h * 0.08, y - h * 0.8
        for a in (-172, -140, -105, -70, -38, -6, 18, 162):
            dx, dy = math.cos(math.radians(a)) * h * 0.32, math.sin(math.radians(a)) * h * 0.2
            out += form(
                f"M{cx:.1f} {cy:.1f}Q{cx + dx * 0.5:.1f} {cy + dy - h * 0.07:.1f} "
                f"{cx + dx:.1f} {cy + dy + h * 0.09:.1f}"
                f"Q{cx + dx * 0.5:.1f} {cy + dy + h * 0.02:.1f} {cx:.1f} {cy:.1f}z",
                "#5E9A58",
                h * 0.012,
            )
        return out
    branches = (
        f"M{x:.1f} {y - h * 0.34:.1f}L{x - h * 0.16:.1f} {y - h * 0.62:.1f}M{x:.1f} {y - h * 0.42:.1f}"
        f"L{x + h * 0.17:.1f} {y - h * 0.7:.1f}"
    )
    out += form(
        f"M{x - w * 0.8:.1f} {y:.1f}Q{x - w * 0.3:.1f} {y - h * 0.2:.1f} {x - w * 0.4:.1f}"
        f" {y - h * 0.6:.1f}h{w * 0.8:.1f}Q{x + w * 0.3:.1f} {y - h * 0.2:.1f} {x + w * 0.8:.1f}"
        f" {y:.1f}z",
        bark,
        w * 0.28,
    )
    out += stroke(branches, dark(bark, 0.1), w * 0.5)
    if kind == "birch":
        out += stroke(
            "".join(f"M{x - w * 0.3:.1f} {y - h * t:.1f}h{w * 0.35:.1f}" for t in (0.1, 0.18, 0.24, 0.33, 0.4)),
            "#6B5F5A",
            2,
        )
    if kind == "bare":
        twigs = "".join(
            f"M{x + dx * h:.1f} {y - a * h:.1f}l{ex * h:.1f} {-ey * h:.1f}"
            for dx, a, ex, ey in (
                (0, 0.55, -0.05, 0.3),
                (0, 0.55, 0.09, 0.26),
                (-0.16, 0.62, -0.08, 0.16),
                (-0.16, 0.62, 0.03, 0.2),
                (0.17, 0.7, 0.1, 0.1),
                (0.17, 0.7, 0, 0.18),
                (-0.08, 0.48, -0.16, 0.06),
                (0.09, 0.56, 0.16, 0.05),
            )
        )
        return out + stroke(twigs, dark(bark, 0.1), w * 0.28)
    spots = (
        (-0.14, 0.62, 0.13),
        (0.14, 0.6, 0.13),
        (0, 0.54, 0.12),
        (-0.08, 0.78, 0.13),
        (0.1, 0.77, 0.12),
        (0, 0.9, 0.09),
    )
    leaves = "#A9C26A"
    tones = ((0, 1.0, dark(leaves, 0.2)), (0.012, 0.86, leaves), (0.03, 0.6, light(leaves, 0.25)))
    return out + "".join(
        path(oval(x + (dx - m) * h, y - (up + m) * h, r * h * k, r * h * k * 1.15), c)
        for m, k, c in tones
        for dx, up, r in spots
    )
