"""An office: a room with a wide window or a plain wall, desks seen from the front, screens, plants, boards."""

from __future__ import annotations

from studio.drawing.kit import (
    CORAL,
    CREAM,
    INK,
    RED,
    SKY,
    STEEL,
    TEAL,
    Prop,
    box,
    clipped,
    dark,
    form,
    light,
    oval,
    path,
    poly,
    shadow,
    stroke,
    veil,
)
from studio.drawing.scene import H, Setting, W
from studio.drawing.town.daylight import SKIES, glow


def skyline(x: float, y: float, w: float, h: float, time: str) -> str:
    """A view over the town through one pane."""
    lit = time in ("dusk", "night")
    far = {"dusk": "#8A7FA8", "night": "#2C3767"}.get(time, "#A9BECC")
    near = {"dusk": "#6A6490", "night": "#222B55"}.get(time, "#8FAABB")
    blocks = (
        (0.0, 0.5, 0.12),
        (0.14, 0.36, 0.1),
        (0.26, 0.62, 0.09),
        (0.37, 0.42, 0.14),
        (0.53, 0.55, 0.1),
        (0.66, 0.34, 0.12),
        (0.8, 0.58, 0.11),
        (0.93, 0.44, 0.1),
    )
    out = path(box(x, y, w, h), SKIES[time][1 if not lit else 0]) + path(
        box(x, y, w, h * 0.5), SKIES[time][0], extra='opacity=".6"'
    )
    if time == "dusk":
        out += (
            path(box(x, y + h * 0.45, w, h * 0.55), "#F4B48C", extra='opacity=".75"')
            + path(box(x, y + h * 0.28, w, h * 0.2), "#B988A0", extra='opacity=".7"')
            + form(oval(x + w * 0.22, y + h * 0.56, h * 0.12), "#FFE6B0", 0)
        )
    out += "".join(path(box(x + w * (a + 0.05), y + h * (0.9 - t), w * b, h), far) for a, t, b in blocks)
    out += "".join(path(box(x + w * a, y + h * (1 - t), w * b, h), near) for a, t, b in blocks[::2])
    if lit:
        out += path(
            "".join(
                box(x + w * a + 8 + 14 * i, y + h * (1 - t) + 14 + 20 * j, 7, 9)
                for a, t, b in blocks[::2]
                for i in range(int(w * b // 18))
                for j in range(5)
                if (i * 3 + j * 2 + int(a * 10)) % 3
            ),
            "#F9DD92",
        )
    return out


def office(
    *,
    time: str = "noon",
    wall: str = "#DCE3E2",
    window: tuple[float, float] | None = (90, 560),
    floor: str = "#B9AFA6",
    base: float = 470,
    horizon: float = 290,
    eye: float = 130,
    wood: bool = False,
) -> Setting:
    """A room with a window from x to x + width (None: a plain wall)."""
    if time == "night":
        wall = dark(wall, 0.35)
    out = (
        path(box(0, 0, W, base), wall)
        + path(box(0, base - 20, W, 20), light(wall, 0.4))
        + path(box(0, base - 3, W, 3), dark(wall, 0.25))
    )
    if window:
        x, w = window
        out += path(box(x - 8, 52, w + 22, 268, 4), dark(wall, 0.16)) + path(box(x - 14, 44, w + 28, 268, 4), CREAM)
        out += (
            clipped(box(x, 58, w, 240), skyline(x, 58, w, 240, time))
            + stroke("".join(f"M{x + w * k / 3:.0f} 58v240" for k in (1, 2)), CREAM, 9)
            + path(box(x - 24, 306, w + 48, 14, 4), CREAM)
            + path(box(x - 24, 317, w + 48, 5), dark(CREAM, 0.25))
        )
        if time not in ("night", "grey"):
            out += veil(
                poly((x + w * 0.2, 320), (x + w * 0.9, 320), (x + w * 1.2, base), (x + w * 0.45, base)), "#FFF3D0", 0.4
            )
    out += path(box(0, base, W, H - base), floor)
    if wood:
        out += stroke(
            "".join(f"M{512 + (x - 512) * 0.52:.0f} {base}L{x} {H}" for x in range(-900, 1900, 84)),
            dark(floor, 0.15),
            2,
        )
    else:
        out += stroke(
            "".join(f"M0 {y}H{W}" for y in (base + 26, base + 66, base + 124, base + 196))
            + "".join(f"M{512 + (x - 512) * 0.52:.0f} {base}L{x} {H}" for x in range(-900, 1900, 168)),
            dark(floor, 0.1),
            2,
        )
    lamps = "".join(
        stroke(f"M{x} 0v22", "#5A6379", 3)
        + form(f"M{x - 44} 36Q{x} 6 {x + 44} 36z", "#5A6379", 4)
        + path(box(x - 38, 35, 76, 5, 2), "#FFF0C4")
        for x in (780, 940)
    )
    return Setting(
        "office", out + lamps, horizon, eye, glow(780, 60, 200) + glow(940, 60, 200) if time == "night" else ""
    )


def office_desk(w: float = 180, top: str = "#D9B27C") -> Prop:
    """A desk from the front with four legs and a modesty board, `w` x 74 cm; its top is 26 px deep in perspective."""
    legs = "".join(form(box(x, 10, 5, 60, 1), dark(STEEL, 0.3), 1) for x in (16, w - 21)) + "".join(
        form(box(x, 12, 6, 62, 1), STEEL, 2) for x in (4, w - 10)
    )
    board = form(box(12, 16, w - 24, 30, 1), light(top, 0.3), 3)
    plane = path(poly((8, 0), (w - 8, 0), (w, 8), (0, 8)), light(top, 0.25)) + form(box(0, 7, w, 5, 1), top, 1.4)
    return Prop("office desk", w, 74, shadow(w / 2, 73, w * 0.54, 6, 0.5) + legs + board + plane)


def monitor(picture: str, name: str = "screen", shows: frozenset[str] = frozenset()) -> Prop:
    """A screen that faces us, 62 x 48 cm; `picture` fills 56 x 33 at (3, 3)."""
    foot = form("M20 48Q23 44 31 44T42 48z", STEEL, 1) + path(box(28.5, 38, 5, 7), dark(STEEL, 0.3))
    shell = form(box(0, 0, 62, 39, 2), "#3C4356", 2, 0.6)
    return Prop(
        name,
        62,
        48,
        shadow(31, 47.4, 16, 1.4, 0.7)
        + foot
        + shell
        + clipped(box(3, 3, 56, 33, 0.6), path(box(3, 3, 56, 33), "#EAF2F4") + picture),
        shows=shows,
    )


def monitor_back() -> Prop:
    """A screen from behind, 62 x 48 cm."""
    return Prop(
        "screen",
        62,
        48,
        shadow(31, 47.4, 16, 1.4, 0.7)
        + form("M20 48Q23 44 31 44T42 48z", STEEL, 1)
        + form(box(0, 0, 62, 39, 3), "#5A6379", 3, 0.8)
        + form(box(24, 12, 14, 32, 2), "#4B5368", 2)
        + path(oval(31, 9, 2), CREAM),
    )


def laptop(picture: str = "", back: bool = False, colour: str = "#B9C0CC") -> Prop:
    """An open laptop, 38 x 28 cm, its screen towards us or away."""
    base = form(poly((3, 24), (35, 24), (38, 28), (0, 28)), dark(colour, 0.12), 0.6)
    if back:
        return Prop(
            "laptop",
            38,
            28,
            shadow(19, 27.6, 20, 1.2, 0.6)
            + base
            + form(box(3, 0, 32, 25, 1.5), colour, 2, 0.6)
            + path(oval(19, 12, 2.4), light(colour, 0.6)),
        )
    lid = form(box(3, 0, 32, 25, 1.5), "#3C4356", 1) + clipped(
        box(5, 2, 28, 21), path(box(5, 2, 28, 21), "#EAF2F4") + picture
    )
    return Prop("laptop", 38, 28, shadow(19, 27.6, 20, 1.2, 0.6) + lid + base)


def chart() -> str:
    """Bars and a line for a screen of 56 x 33 at (3, 3)."""
    bars = "".join(
        path(box(9 + 8 * i, 32 - h, 5, h), c)
        for i, (h, c) in enumerate(((8, SKY), (13, TEAL), (10, SKY), (18, TEAL), (22, CORAL)))
    )
    return bars + stroke("M9 20L19 16L28 18L37 11L47 8", RED, 1.2) + stroke("M7 6V33H55", INK, 0.8)


def office_chair(colour: str = TEAL) -> Prop:
    """A swivel chair from behind, 62 x 100 cm, on five castors."""
    base = stroke("M31 66V84M31 84L8 94M31 84L54 94M31 84L18 97M31 84L44 97", "#3C4356", 3.4) + path(
        oval(8, 96, 3) + oval(54, 96, 3) + oval(18, 98, 2.6) + oval(44, 98, 2.6), INK
    )
    return Prop(
        "office chair",
        62,
        100,
        shadow(31, 98, 32, 4, 0.5)
        + base
        + form(box(6, 56, 50, 11, 5), dark(colour, 0.15), 3)
        + form(box(8, 0, 46, 50, 9), colour, 5, 1)
        + form(box(28, 46, 6, 14), "#3C4356", 1),
    )


def office_chair_side(colour: str = TEAL) -> Prop:
    """A swivel chair in profile that looks right, 60 x 96 cm; its seat is 44 cm high."""
    base = stroke("M32 52V82M32 82L10 92M32 82L54 92M32 82V93", "#3C4356", 3.4) + path(
        oval(10, 93, 3) + oval(54, 93, 3) + oval(32, 94, 3), INK
    )
    return Prop(
        "office chair",
        60,
        96,
        shadow(32, 95, 30, 4, 0.5)
        + base
        + stroke("M12 46Q8 54 22 54", "#3C4356", 4)
        + form("M6 4Q14 0 16 8L18 44Q12 50 8 44z", colour, 3, 0.8)
        + form(box(10, 48, 46, 9, 4), dark(colour, 0.1), 2, 0.6),
    )
