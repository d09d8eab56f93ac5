"""A fairground: big wheel, tents, lights, booths."""

from __future__ import annotations

import math

from studio.drawing.kit import (
    BLUE,
    CORAL,
    CREAM,
    LEAF,
    NAVY,
    PINK,
    PLUM,
    RED,
    SUN,
    TEAL,
    WHITE,
    WOOD,
    Prop,
    box,
    dark,
    form,
    lettering,
    light,
    oval,
    path,
    poly,
    put,
    shadow,
    stroke,
    veil,
)
from studio.drawing.scene import H, Setting, W
from studio.drawing.town.daylight import curtain, heaven

GAY = (RED, SUN, TEAL, BLUE, CORAL, LEAF, PLUM, PINK)


def big_wheel(r: float, lit: bool) -> str:
    """A big wheel about (0, 0) with eight cabins, its feet at y = r * 1.35."""
    spokes = "".join(
        f"M0 0L{r * math.cos(a):.1f} {r * math.sin(a):.1f}" for a in (k * math.tau / 16 for k in range(16))
    )
    out = stroke(f"M0 0L{-r * 0.5:.1f} {r * 1.35:.1f}M0 0L{r * 0.5:.1f} {r * 1.35:.1f}", "#B5654A", r * 0.06)
    out += stroke(spokes, "#C9A58C", r * 0.015) + stroke(oval(0, 0, r) + oval(0, 0, r * 0.86), "#B5654A", r * 0.03)
    for k in range(8):
        a = k * math.tau / 8 + 0.2
        x, y, c = r * math.cos(a), r * math.sin(a), GAY[k]
        out += (
            form(box(x - r * 0.12, y, r * 0.24, r * 0.2, r * 0.05), c, r * 0.03)
            + path(box(x - r * 0.09, y + r * 0.03, r * 0.18, r * 0.07, 2), "#FBE3A4" if lit else "#DDEFF2")
            + form(
                f"M{x - r * 0.13:.1f} {y + 1:.1f}Q{x:.1f} {y - r * 0.12:.1f} {x + r * 0.13:.1f} {y + 1:.1f}z", CREAM, 1
            )
        )
    if lit:
        out += "".join(
            path(oval(r * 0.93 * math.cos(a), r * 0.93 * math.sin(a), r * 0.022), "#FFF0B8")
            for a in (k * math.tau / 32 for k in range(32))
        )
    return out + form(oval(0, 0, r * 0.1), SUN, r * 0.03)


def big_top(w: float, a: str, b: str = CREAM) -> str:
    """A striped tent `w` px wide, base at y = 0, middle at x = 0."""
    n, h = 8, w * 0.34
    wall = "".join(form(box(-w / 2 + w / n * i, -h, w / n, h), b if i % 2 else a, 2) for i in range(n))
    roof = "".join(
        form(
            poly((0, -h * 2.1), (-w * 0.56 + w * 1.12 / n * i, -h), (-w * 0.56 + w * 1.12 / n * (i + 1), -h)),
            a if i % 2 else b,
            2,
        )
        for i in range(n)
    )
    hem = "".join(
        form(
            f"M{-w * 0.56 + w * 1.12 / n * i:.1f} {-h:.1f}h{w * 1.12 / n:.1f}q0 {h * 0.2:.1f}"
            f" {-w * 0.56 / n:.1f} {h * 0.2:.1f}t{-w * 0.56 / n:.1f} {-h * 0.2:.1f}z",
            dark(a, 0.08) if i % 2 else dark(b, 0.08),
            1,
        )
        for i in range(n)
    )
    door = path(f"M{-w * 0.1:.1f} 0L0 {-h * 0.86:.1f}L{w * 0.1:.1f} 0z", dark(a, 0.6))
    pole = stroke(f"M0 {-h * 2.1:.1f}v{-w * 0.1:.1f}", "#7A5A48", 3) + path(
        poly((0, -h * 2.1 - w * 0.1), (w * 0.12, -h * 2.1 - w * 0.07), (0, -h * 2.1 - w * 0.04)), SUN
    )
    return wall + door + roof + hem + pole


def fairground(
    *,
    time: str = "noon",
    weather: str = "",
    wheel_x: float = 250,
    tent_x: float = 800,
    tents: tuple[str, str] = (RED, BLUE),
    base: float = 420,
    horizon: float = 300,
    eye: float = 150,
) -> Setting:
    """A meadow full of rides, with strings of bulbs overhead."""
    lit = time in ("dusk", "night")
    grass = "#A3C46F" if not lit else "#6F9068"
    out = heaven(time) + path(
        f"M0 {base - 90}Q200 {base - 150} 420 {base - 100}T{W} {base - 120}V{base}H0z",
        dark("#94BC85", 0.3 if lit else 0.0),
    )
    out += (
        put(wheel_x, base - 232, big_wheel(172, lit))
        + put(tent_x, base, big_top(300, tents[0]))
        + put(tent_x - 290, base - 4, big_top(190, tents[1]))
        + put(tent_x + 240, base - 2, big_top(170, TEAL))
    )
    tower = form(
        box(-16, -250, 32, 250),
        "#E8C27E",
        7,
        0,
        stroke("".join(f"M-20 {-20 - 44 * k}L24 {-46 - 44 * k}" for k in range(6)), RED, 14),
    )
    out += put(wheel_x + 250, base, tower + form("M-16-250Q-16-282 0-290Q16-282 16-250z", TEAL, 5))
    out += path(box(0, base - 4, W, 14), dark("#5E9160", 0.2 if lit else 0.0)) + path(box(0, base + 6, W, H), grass)
    out += path(
        f"M300 {base + 6}Q340 {base + 90} 180 {base + 150}T60 {H}"
        f"H900Q860 {base + 160} 700 {base + 110}T620 {base + 6}z",
        "#E4D2AC" if not lit else "#A8977F",
    )
    tufts = "".join(
        f"M{x} {y}l4-11l4 11m3 0l4-9l3 9"
        for x, y in (
            (30, base + 60),
            (90, base + 140),
            (150, base + 40),
            (880, base + 60),
            (960, base + 150),
            (800, base + 30),
            (990, base + 90),
        )
    )
    out += stroke(tufts, dark(grass, 0.22), 2.4)
    for y, sag in ((24, 80), (92, 70)):
        out += stroke(f"M-10 {y}Q{W / 2:.0f} {y + sag * 2} {W + 10} {y}", "#5B5560", 2)
        for i in range(20):
            t = (i + 0.5) / 20
            x, by = t * W, y + 2 * t * (1 - t) * sag * 2
            out += (veil(oval(x, by + 8, 16), "#FBDD8A", 0.35) if lit else "") + path(
                oval(x, by + 7, 6), (SUN, CORAL, "#FFF0B8", PINK)[i % 4]
            )
    return Setting("fairground", out, horizon, eye, curtain(time, weather))


def booth(stripe: str, sign: str, inside: str, w: float = 260, name: str = "booth") -> Prop:
    """A fair booth, `w` x 260 cm; `inside` is drawn in its opening (w - 40 wide, 84 high) from (20, 82)."""
    n = 10
    opening = path(box(14, 70, w - 28, 110), "#4A3F63") + path(box(14, 70, w - 28, 26), "#3A3052") + inside
    counter = form(box(0, 172, w, 12, 3), WOOD, 3, 1) + "".join(
        form(box(6 + (w - 12) / n * i, 184, (w - 12) / n, 74), CREAM if i % 2 else stripe, 2) for i in range(n)
    )
    posts = form(box(4, 60, 12, 198, 2), SUN, 3) + form(box(w - 16, 60, 12, 198, 2), SUN, 3)
    awning = "".join(
        form(f"M{w / n * i:.1f} 58h{w / n:.1f}v14q{-w / n / 2:.1f} 14 {-w / n:.1f} 0z", stripe if i % 2 else CREAM, 2)
        for i in range(n)
    )
    plate = form(f"M10 60V30Q{w / 2} -14 {w - 10} 30V60z", stripe, 5, 1.5) + lettering(
        sign, w / 2, 48, 25, CREAM, w - 60
    )
    bulbs = "".join(
        path(oval(14 + (w - 28) / 9 * i, 26 - 22 * math.sin(math.pi * (i / 9)) + 6, 4), "#FFF0B8") for i in range(10)
    )
    return Prop(name, w, 260, shadow(w / 2, 257, w * 0.54, 9, 0.6) + opening + counter + posts + plate + awning + bulbs)


def prizes() -> str:
    """Teddy bears and balls on a booth's shelf, to go into `booth`."""
    out = path(box(20, 120, 220, 6), WOOD)
    for i, c in enumerate(("#C98D56", PINK, "#8FB8B0", "#C98D56", PLUM)):
        x = 42 + 44 * i
        out += (
            form(oval(x, 110, 11, 12), c, 3)
            + path(oval(x, 112, 6, 7), light(c, 0.4))
            + form(oval(x - 8, 117, 5.4, 4) + oval(x + 8, 117, 5.4, 4), c, 1)
            + form(oval(x - 11, 107, 3.6, 7) + oval(x + 11, 107, 3.6, 7), c, 1)
            + form(oval(x - 8, 87, 4) + oval(x + 8, 87, 4), c, 1)
            + form(oval(x, 94, 10.5, 9.5), c, 2.4)
            + path(oval(x - 4, 92, 1.5) + oval(x + 4, 92, 1.5), NAVY)
            + path(oval(x, 97, 4, 3), light(c, 0.5))
            + path(oval(x, 95.8, 1.4, 1), NAVY)
        )
    return out


def balloons(
    colours: tuple[str, ...] = (RED, SUN, TEAL, PLUM, PINK), w: float = 90, h: float = 190, weight: bool = True
) -> Prop:
    """A bunch of balloons whose strings meet at the bottom (anchor 'knot'), on a weight unless somebody holds them."""
    spots = ((0.5, 0.14), (0.22, 0.24), (0.78, 0.23), (0.36, 0.4), (0.66, 0.41), (0.5, 0.28))
    strings = stroke(
        "".join(
            f"M{w * x:.1f} {h * y + w * 0.18:.1f}Q{w * 0.5:.1f} {h * 0.7:.1f} {w * 0.5:.1f} {h}"
            for x, y in spots[: len(colours)]
        ),
        "#6B6478",
        0.9,
    )
    bags = "".join(
        form(
            f"M{w * x:.1f} {h * y + w * 0.21:.1f}C{w * (x - 0.26):.1f}"
            f" {h * y:.1f} {w * (x - 0.2):.1f} {h * y - w * 0.24:.1f}"
            f" {w * x:.1f} {h * y - w * 0.24:.1f}S{w * (x + 0.26):.1f} {h * y:.1f} {w * x:.1f} {h * y + w * 0.21:.1f}z",
            c,
            w * 0.04,
            w * 0.012,
        )
        + veil(oval(w * (x - 0.08), h * y - w * 0.1, w * 0.035, w * 0.06), "#fff", 0.7)
        for (x, y), c in zip(spots, colours, strict=False)
    )
    bag = (
        shadow(w / 2, h - 1, 14, 2.4, 0.6)
        + form(
            f"M{w / 2 - 11:.1f} {h}Q{w / 2 - 12:.1f} {h - 14} {w / 2:.1f}"
            f" {h - 16}Q{w / 2 + 12:.1f} {h - 14} {w / 2 + 11:.1f} {h}z",
            NAVY,
            3,
        )
        if weight
        else ""
    )
    return Prop("balloons", w, h, strings + bag + bags, {"knot": (w * 0.5, h)})


def carousel_horse(coat: str = CREAM) -> Prop:
    """A carousel horse on its pole, 150 x 220 cm."""
    pole = form(box(72, 0, 6, 200, 2), SUN, 2) + form(box(20, 196, 112, 22, 4), RED, 5, 1.5)
    legs = "".join(
        form(d, dark(coat, 0.08), 3)
        for d in ("M42 128L22 150L32 176L40 172L34 154L56 138z", "M104 126L128 138L122 168L131 170L138 134L116 116z")
    )
    legs += "".join(
        form(d, coat, 3)
        for d in ("M50 130L40 158L54 180L61 174L52 158L64 136z", "M98 128L112 146L102 172L110 176L122 146L110 122z")
    )
    trunk = form(
        "M36 112Q34 92 56 92Q84 98 100 86L112 52Q116 40 128 44L146 66Q146"
        " 76 136 76L126 74Q124 104 116 122Q100 140 64 138Q40 138 36 112z",
        coat,
        8,
        1.5,
    )
    mane = form("M112 50Q100 56 98 76L92 92Q100 90 104 78Q108 64 122 48z", CORAL, 2) + form(
        "M38 100Q18 96 16 130Q26 120 36 120z", CORAL, 3
    )
    saddle = form("M58 92Q80 100 96 88L94 116Q76 124 60 114z", TEAL, 4, 1) + path(oval(78, 106, 5), SUN)
    return Prop(
        "carousel horse",
        150,
        220,
        shadow(76, 216, 60, 6, 0.6)
        + pole
        + legs
        + trunk
        + mane
        + saddle
        + path(oval(127, 57, 2.4), NAVY)
        + stroke("M122 46q3-7 6-2", coat, 4),
    )


def popcorn_cart() -> Prop:
    """A red popcorn cart, 130 x 210 cm."""
    wheel = stroke(oval(34, 182, 24), SUN, 5) + stroke("M34 158v48M10 182h48M17 165l34 34M51 165l-34 34", SUN, 2.4)
    corn = "".join(
        path(oval(30 + 9 * (i % 9), 104 - 7 * (i // 9), 6), (WHITE, "#FBE9B4", "#F6D98C")[i % 3]) for i in range(36)
    )
    case = (
        path(box(20, 48, 92, 64), "#DDEFF2")
        + corn
        + stroke("M20 48V112M112 48V112M66 48v10", SUN, 4)
        + veil(poly((24, 50), (56, 50), (24, 96)), "#fff", 0.4)
    )
    return Prop(
        "popcorn cart",
        130,
        210,
        shadow(66, 207, 66, 6, 0.6)
        + stroke("M112 130L128 118M104 160V206", dark(RED, 0.3), 5)
        + form(box(14, 112, 102, 60, 4), RED, 7, 1.6)
        + path(box(24, 122, 82, 36, 3), CREAM)
        + lettering("POPCORN", 65, 146, 15, RED, 74)
        + wheel
        + case
        + form("M10 48Q66 10 122 48z", RED, 5, 1.5)
        + form(oval(66, 26, 6), SUN, 2),
    )
