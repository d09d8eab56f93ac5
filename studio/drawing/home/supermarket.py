"""A shop: shelves of goods, fruit crates, a till, trolley and basket."""

from __future__ import annotations

from studio.drawing.home.food import loaf
from studio.drawing.home.groceries import apple, milk, tomato
from studio.drawing.home.interiors import floor, tint, wall, window
from studio.drawing.kit import (
    BLUE,
    CORAL,
    CREAM,
    INK,
    LEAF,
    NAVY,
    PINK,
    PLUM,
    RED,
    STEEL,
    SUN,
    TEAL,
    WHITE,
    WOOD,
    Prop,
    box,
    dark,
    form,
    light,
    oval,
    path,
    poly,
    put,
    shadow,
    stroke,
    veil,
)
from studio.drawing.scene import Setting, W

GOODS = (RED, SUN, TEAL, CORAL, BLUE, LEAF, PINK, NAVY, PLUM)


def supermarket(
    time: str = "day",
    *,
    paper: str = "#DDE7E2",
    band: str = TEAL,
    horizon: float = 250,
    eye: float = 138,
    base: float = 470,
) -> Setting:
    """A bright hall with a coloured band, lamps in a row and a tiled floor."""
    paper = paper if time == "day" else dark(paper, 0.2)
    out = wall(paper, base) + path(box(0, 86, W, 34), band) + path(box(0, 120, W, 6), dark(band, 0.3))
    for x in range(70, W, 220):
        out += (
            stroke(f"M{x + 10} 0V26M{x + 130} 0V26", STEEL, 3)
            + form(box(x, 24, 140, 14, 4), WHITE, 3)
            + veil(poly((x, 38), (x + 140, 38), (x + 190, 84), (x - 50, 84)), "#FFF9E0", 0.5)
        )
    out += path(box(0, base - 14, W, 14), dark(paper, 0.2)) + floor("#E3DACB", base, horizon, "tiles")
    return Setting("supermarket", out, horizon, eye, tint("#1B1F4A", 0.08) if time == "night" else "")


def corner_shop(
    time: str = "day", weather: str = "clear", *, paper: str = "#EAD2B0", horizon: float = 262, eye: float = 132
) -> Setting:
    """A small old-fashioned shop: panelled wall, boards, a window on the street."""
    out = wall(paper if time == "day" else dark(paper, 0.24), 486, "panels") + window(
        70, 96, 250, 226, time=time, weather=weather, view="town", frame="#6E8F7A", bars=(2, 0)
    )
    out += path(box(0, 470, W, 16), dark(paper, 0.3)) + floor("#B98A60", 486, horizon)
    return Setting("shop", out, horizon, eye, tint("#1B1F4A", 0.1) if time == "night" else "")


def _good(kind: int, w: float, h: float, c: str) -> str:
    """One packet, tin or bottle with its foot at (0, 0)."""
    if kind == 0:
        return form(
            box(0, -h, w, h, 0.6), c, w * 0.14, 0, path(box(w * 0.14, -h * 0.62, w * 0.72, h * 0.26, 0.5), CREAM)
        )
    if kind == 1:
        return form(
            box(0, -h * 0.66, w, h * 0.66, 1), c, w * 0.16, 0, path(box(0, -h * 0.46, w, h * 0.26), light(c, 0.6))
        ) + path(box(0.3, -h * 0.68, w - 0.6, 1), STEEL)
    neck = (
        f"M{w * 0.36:.1f} {-h:.1f}h{w * 0.28:.1f}v{h * 0.2:.1f}"
        f"q{w * 0.3:.1f} {h * 0.1:.1f} {w * 0.3:.1f} {h * 0.26:.1f}V0H{w * 0.06:.1f}"
        f"V{-h * 0.54:.1f}q0 {-h * 0.16:.1f} {w * 0.3:.1f} {-h * 0.26:.1f}z"
    )
    return form(neck, c, w * 0.14, 0, path(box(0, -h * 0.36, w, h * 0.2), WHITE)) + path(
        box(w * 0.32, -h, w * 0.36, h * 0.08), dark(c, 0.4)
    )


def rack(
    w: float = 180,
    h: float = 150,
    seed: int = 0,
    colour: str = "#C3CBD6",
    rows: int = 4,
) -> Prop:
    """A shelf of tins, packets and bottles."""
    out = form(box(0, 0, w, h, 1.5), colour, 3, 0.8) + path(box(4, 3, w - 8, h - 12), dark(colour, 0.3))
    step = (h - 12) / rows
    for row in range(rows):
        y, x, i = 3 + step * (row + 1), 7.0, 0
        while x < w - 14:
            k = (seed * 5 + row * 7 + (i // 3) * 4) % 9
            wide, high = 8 + k % 3 * 2, step * (0.58 + 0.05 * (k % 5))
            out += put(x, y - 1.5, _good((k + row) % 3, wide, high, GOODS[k]))
            x, i = x + wide + 1, i + 1
        out += path(box(2, y - 1.6, w - 4, 4.4), light(colour, 0.4)) + path(
            box(2, y + 2.6, w - 4, 2), dark(colour, 0.45)
        )
        out += path("".join(box(10 + 34 * j, y - 1, 9, 3) for j in range(int(w // 34))), SUN)
    return Prop(
        "shelf of goods",
        w,
        h,
        shadow(w / 2, h - 1, w * 0.54, 5, 0.5) + out,
        {f"row{r}": (w / 2, 3 + step * (r + 1) - 1.6) for r in range(rows)},
    )


def crate(kind: str = "tomato", w: float = 60) -> Prop:
    """A slanted crate of fruit on a stand, `w` x 78 cm."""
    fruit = ""
    for j in range(3):
        for i in range(int(w // 9)):
            x, y = 3 + 9 * i + 4 * (j % 2), 6 + 7 * j
            fruit += put(
                x,
                y,
                {
                    "tomato": tomato(10).body,
                    "apple": apple(10, ("#D8483A", "#A9C04C")[(i + j) % 5 == 0]).body,
                    "orange": form(oval(5, 5, 4.8), "#F0953F", 1.4, 0.3),
                    "lemon": form(oval(5, 5, 5.2, 3.8), SUN, 1.2, 0.3),
                    "cabbage": form(oval(5, 4, 6.4, 5.6), "#A9C97A", 1.6, 0.4)
                    + stroke("M5 9Q2 5 4 1M5 9Q8 5 7 1", light(LEAF, 0.5), 0.6),
                }[kind],
            )
    tray = form(f"M-2 24H{w + 2}L{w} 38H0z", WOOD, 2, 0.6, stroke(f"M-2 31H{w + 2}", dark(WOOD, 0.3), 1.2))
    legs = "".join(form(box(x, 36, 5, 42, 1), dark(WOOD, 0.2), 1) for x in (4, w - 9)) + "".join(
        form(box(x, 36, 4, 36, 1), dark(WOOD, 0.45), 1) for x in (16, w - 20)
    )
    return Prop(
        f"crate of {kind}s",
        w,
        78,
        shadow(w / 2, 76, w * 0.55, 4, 0.5)
        + legs
        + path(poly((2, 2), (w - 2, 2), (w + 2, 26), (-2, 26)), dark(WOOD, 0.4))
        + fruit
        + tray,
    )


def trolley(colour: str = RED) -> Prop:
    """A shopping trolley from the side with goods in it, 90 x 100 cm; anchor `handle`."""
    goods = (
        put(30, 16, milk(26).body)
        + put(46, 44, _good(0, 14, 24, SUN))
        + put(60, 20, loaf(26).body)
        + put(24, 44, _good(2, 10, 30, TEAL))
    )
    wires = "".join(f"M{18 + 8 * i} 36L{24 + 7 * i} 68" for i in range(9)) + "M16 46H84M19 57H80"
    basket = stroke("M10 34H88L80 68H24z", STEEL, 2.6) + stroke(wires, light(STEEL, 0.2), 1.2)
    frame = stroke("M4 26H12L26 74L20 88H78M72 68L76 88", STEEL, 2.8)
    wheels = "".join(form(oval(x, 94, 5.6), INK, 1) + path(oval(x, 94, 2), STEEL) for x in (24, 76))
    return Prop(
        "shopping trolley",
        90,
        100,
        shadow(48, 99, 44, 4, 0.5) + goods + frame + basket + wheels + stroke("M2 26H13", colour, 4.4),
        {"handle": (6, 26)},
    )


def basket(colour: str = RED, full: bool = True) -> Prop:
    """A hand basket, 44 x 40 cm with its bow up."""
    goods = put(6, 8, loaf(22).body) + put(26, 4, milk(20).body) + put(20, 12, apple(9).body) if full else ""
    holes = path("".join(box(6 + 6 * i, y, 3.4, 5, 1) for i in range(6) for y in (24, 32)), dark(colour, 0.35))
    return Prop(
        "shopping basket",
        44,
        40,
        shadow(22, 39, 22, 2.4, 0.5)
        + stroke("M4 20Q8-2 22-2T40 20", INK, 1.8)
        + goods
        + form("M1 18H43L40 38Q40 40 38 40H6Q4 40 4 38z", colour, 3, 0.8, holes),
    )


def till(colour: str = "#5A6379") -> Prop:
    """A cash register, 38 x 34 cm."""
    keys = path("".join(box(7 + 6 * i, 16 + 5 * j, 4.4, 3.4, 0.8) for i in range(4) for j in range(2)), CREAM)
    return Prop(
        "till",
        38,
        34,
        shadow(19, 33.4, 20, 1.6, 0.5)
        + form(box(20, 0, 16, 9, 1), dark(colour, 0.2), 1)
        + path(box(21.6, 1.6, 12.8, 5), "#9FE0B0")
        + form("M5 12H33L36 26H2z", colour, 2, 0.6)
        + keys
        + form(box(0, 25, 38, 9, 1.5), dark(colour, 0.2), 2)
        + form(box(15, 28.4, 8, 2, 1), STEEL, 0.4),
    )


def counter(w: float = 170, colour: str = "#C07A4E", h: float = 96) -> Prop:
    """A shop counter with panels; things stand on its top edge."""
    n = max(round(w / 52), 1)
    panels = "".join(
        form(box(6 + i * (w - 8) / n, 16, (w - 8) / n - 6, h - 28, 2), light(colour, 0.14), 2, 0.6) for i in range(n)
    )
    return Prop(
        "counter",
        w,
        h,
        shadow(w / 2, h - 1, w * 0.53, 5, 0.5)
        + form(box(2, 4, w - 4, h - 4, 1), colour, 3)
        + panels
        + path(box(2, h - 6, w - 4, 6), dark(colour, 0.5))
        + path(poly((2, -5), (w - 2, -5), (w + 3, 1), (-3, 1)), light("#E4C79B", 0.25))
        + form(box(-3, 0, w + 6, 7, 2), "#E4C79B", 1.6, 0.5),
    )


def paper_bag(colour: str = "#CFA677") -> Prop:
    greens = put(8, 2, loaf(18).body, 1, -60) + form("M20 14Q14 0 20-4Q24-2 26 4Q30-2 32 4Q30 10 26 14z", LEAF, 2)
    return Prop(
        "paper bag of shopping",
        34,
        42,
        shadow(17, 41, 18, 2, 0.5)
        + greens
        + form("M1 12L5 9L9 12L13 9L17 12L21 9L25 12L29 9L33 12L31 42H3z", colour, 3.4, 0.6),
    )
