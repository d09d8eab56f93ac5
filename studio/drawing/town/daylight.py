"""Hour and weather of a picture: skies behind it, a tint and what falls in front of it, and a nearer camera."""

from __future__ import annotations

from dataclasses import replace

from studio.drawing.kit import box, form, mix, oval, path, put, stroke, veil
from studio.drawing.scene import H, Setting, W
from studio.drawing.town.outdoors import clouds, sky

SKIES = {
    "morning": ("#A9D6EA", "#FBE9CF"),
    "noon": ("#7FC0E4", "#E9F2EC"),
    "grey": ("#AEBBC8", "#DDE0DF"),
    "dusk": ("#6F6BA6", "#FFB074"),
    "night": ("#1F2750", "#4B5488"),
}
TINTS = {"dusk": "#F8DED4", "night": "#C3C6EE", "grey": "#DDE3EA"}
MULTIPLY, SCREEN = (f'style="mix-blend-mode:{mode}"' for mode in ("multiply", "screen"))


def heaven(time: str) -> str:
    """The sky of an hour with its sun, moon, stars or clouds."""
    out = sky(*SKIES[time])
    if time == "night":
        stars = "".join(oval(20 + 197 * i % 1000, 12 + 71 * i % 230, 1 + i % 3 * 0.5) for i in range(34))
        moon = form(oval(868, 84, 30), "#FBE9B4", 8) + path(oval(858, 78, 5) + oval(876, 96, 4), "#E8D49C")
        return out + path(stars, "#FFF4DC") + moon
    if time == "dusk":
        glow = veil(oval(250, 300, 190), "#FFE0A8", 0.35) + path(oval(250, 300, 52), "#FFE6B0")
        bars = "".join(f"M{x} {y}h{w}" for x, y, w in ((90, 96, 190), (560, 70, 220), (470, 150, 130), (780, 190, 170)))
        return out + glow + stroke(bars, "#F8CBAE", 9, 'opacity=".5"')
    if time == "grey":
        deck = "".join(oval(x, 20 + 31 * i % 60, 150, 34) for i, x in enumerate(range(-20, 1100, 130)))
        low = path(deck, "#C6CFD6", extra='transform="translate(40,44)" opacity=".5"')
        return out + path(deck, "#9DABBA", extra='opacity=".55"') + low
    return out + clouds((120, 74, 1), (520, 52, -0.9), (800, 110, 0.8))


def curtain(time: str, weather: str = "") -> str:
    """What lies over the whole picture: the tint of the hour, then rain, snow or fog."""
    page, out = box(0, 0, W, H), ""
    if time in TINTS:
        out += path(page, TINTS[time], extra=MULTIPLY)
    if weather == "rain":
        drops = "".join(f"M{i * 0.618 % 1 * 1080:.0f} {i * 0.4142 % 1 * 720 - 30:.0f}l-8 26" for i in range(110))
        out += veil(page, "#6C7F9A", 0.05 if time == "night" else 0.1) + stroke(drops, "#EAF3F8", 1.8, 'opacity=".55"')
    if weather == "snow":
        flakes = "".join(oval(i * 0.618 % 1 * W, i * 0.4142 % 1 * H, 1.6 + i % 4) for i in range(130))
        out += path(flakes, "#FFFDF6", extra='opacity=".85"')
    if weather == "fog":
        banks = "".join(oval(x, y, 330, 34) for x, y in ((160, 330), (760, 360), (420, 400), (980, 300)))
        out += veil(page, "#E6EAEC", 0.28) + veil(banks, "#F2F4F3", 0.35)
    return out


def glow(x: float, y: float, r: float, colour: str = "#FFE3A0", strength: float = 0.55) -> str:
    """A soft halo around a lamp."""
    name = f"glow{colour[1:]}{round(strength * 100)}"
    stops = f'<stop stop-color="{mix("#000000", colour, strength)}"/><stop offset="1" stop-color="#000000"/>'
    fade = f'<defs><radialGradient id="{name}">{stops}</radialGradient></defs>'
    return fade + path(oval(x, y, r), f"url(#{name})", extra=SCREEN)


def closer(setting: Setting, k: float, x: float, y: float) -> Setting:
    """The same place through a lens `k` times as long, with the point (x, y) of the old page in the middle."""

    def move(body: str) -> str:
        return put(W / 2 - x * k, H / 2 - y * k, body, k)

    return replace(setting, body=move(setting.body), horizon=(setting.horizon - y) * k + H / 2)
