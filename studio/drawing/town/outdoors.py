"""Backgrounds under the sky."""

from __future__ import annotations

from studio.drawing.country.garden import tree
from studio.drawing.kit import NAVY, RED, SUN, TEAL, box, dark, flower, form, light, oval, path, shadow, stroke
from studio.drawing.scene import H, Setting, W
from studio.drawing.town.street import house


def clouds(*spots: tuple[float, float, float]) -> str:
    """Each spot: x, y, size; a negative size mirrors the cloud."""
    puff = path("M0 0q6-22 30-16q14-22 38-8q26-6 26 14q16 4 6 10z", "#fff")
    puff += path("M16 0q10-9 22-4q16-10 30 0z", "#E6EEF0")
    return "".join(
        f'<g transform="translate({x},{y}) scale({k},{abs(k)})" opacity=".9">{puff}</g>' for x, y, k in spots
    )


def sky(top: str, haze: str) -> str:
    stops = f'<stop stop-color="{top}"/><stop offset=".7" stop-color="{haze}"/>'
    fade = f'<defs><linearGradient id="sky" x2="0" y2="1">{stops}</linearGradient></defs>'
    return f'{fade}<rect width="{W}" height="{H}" fill="url(#sky)"/>'


def street() -> Setting:
    out = sky("#9FD0E4", "#F3EBD6")
    out += clouds((330, 60, 1), (640, 96, -0.8), (860, 50, 0.7))
    out += path("M0 330L0 250H60V210H130V260H210V230H300V330z", "#B9C6D2", extra='opacity=".8"')
    base = 446
    for x, w, h, wall, roof, door, shop in (
        (-78, 228, 300, "#E9B88B", "#A65A49", TEAL, ""),
        (150, 258, 262, "#EBD6A8", "#7C5A63", RED, "BAKERY"),
        (408, 220, 330, "#D98F78", "#6E4B5A", NAVY, ""),
        (628, 244, 280, "#BFD0B0", "#8D5A4C", "#C77B3B", "BOOKS"),
        (872, 248, 318, "#E9C27F", "#7C5A63", TEAL, ""),
    ):
        out += f'<g transform="translate({x},{base})">{house(w, h, wall, roof, door, shop)}</g>'
    pave = "#D9CDBD"
    out += path(box(0, base, W, 200), pave) + path(box(0, base, W, 10), dark(pave, 0.2))
    out += "".join(stroke(f"M0 {y}H{W}", dark(pave, 0.12), 2) for y in (476, 514, 562, 620)) + "".join(
        stroke(f"M{512 + (x - 512) * 0.42:.0f} {base}L{x} 640", dark(pave, 0.12), 2) for x in range(-700, 1800, 120)
    )
    out += (
        path(box(0, 638, W, 12), light(pave, 0.4))
        + path(box(0, 650, W, 9), dark(pave, 0.3))
        + path(box(0, 659, W, 30), "#7B7F8C")
        + "".join(path(box(x, 674, 90, 7, 2), "#E9E4D8") for x in range(20, W, 170))
    )
    out += tree(66, 540, 1.35)
    return Setting("street", out, 310, 150)


def garden() -> Setting:
    out = sky("#8FCBE6", "#FBF0D2")
    out += clouds((400, 110, 1.1), (720, 70, -1.3), (960, 130, 0.7))
    out += path("M0 300Q160 200 360 280T720 250T1024 270V420H0z", "#B5CFA6") + path(
        "M0 330Q240 260 520 320T1024 300V430H0z", "#94BC85"
    )
    out += form(
        "M0 352q20-36 60-26q30-30 74-8q40-28 84 0q50-24 86 6q44-30 92-4q40-26 88 2"
        "q50-24 92 4q40-26 90-4q44-20 86 6q50-26 96 0q40-22 90-2q40-14 86 6V440H0z",
        "#5E9160",
        8,
        4,
    )
    fence = "".join(form(f"M{x} 436V362l11-14l11 14v74z", "#FFF8EA", 4) for x in range(4, W, 38))
    out += path(box(0, 380, W, 9), "#E9DEC9") + path(box(0, 414, W, 9), "#E9DEC9") + fence
    lawn = "#9CC568"
    out += (
        path(box(0, 428, W, 260), lawn)
        + path(f"M0 428H{W}V446Q700 436 500 448T0 444z", dark(lawn, 0.18))
        + path("M0 560Q300 500 640 560T1024 540V683H0z", light(lawn, 0.16))
        + path("M0 650Q400 600 1024 650V683H0z", light(lawn, 0.28))
    )
    out += path("M560 428Q640 500 560 560T700 683H1010Q800 600 800 540T640 428z", "#EBD9B4") + path(
        "M640 428Q800 500 800 540T1010 683H990Q770 600 780 540T632 428z", dark("#EBD9B4", 0.12)
    )
    out += "".join(
        stroke(f"M{x} {y}l4-12l4 12M{x + 7} {y}l5-9l2 9", dark(lawn, 0.2), 2.4)
        for x, y in (
            (60, 540),
            (210, 600),
            (330, 520),
            (480, 500),
            (890, 540),
            (960, 620),
            (300, 650),
            (400, 668),
            (480, 610),
        )
    )
    out += "".join(
        flower(x, y, r, "#FFFDF2", SUN, 7)
        for x, y, r in (
            (250, 530, 5),
            (268, 540, 4),
            (520, 480, 4),
            (505, 640, 6),
            (524, 654, 5),
            (930, 560, 5),
            (950, 572, 4),
            (300, 610, 5),
        )
    )
    out += _bush()
    out += tree(120, 516, 1.4, "#6DA457")
    return Setting("garden", out, 300, 105)


def _bush() -> str:
    """A calm dark ground for the thin bars of a cage."""
    out = shadow(762, 466, 150, 16, 0.5)
    for dx, dy, k, c in ((0, 0, 1.0, "#3F7355"), (-8, -8, 0.88, "#4E8560"), (-16, -18, 0.6, "#639A6C")):
        out += "".join(
            path(oval(x + dx, y + dy, r * k, r * k * 0.92), c)
            for x, y, r in ((690, 400, 58), (760, 360, 70), (836, 392, 62), (748, 420, 60), (800, 424, 48))
        )
    return out
