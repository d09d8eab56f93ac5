"""A pharmacy and a doctor's room."""

from __future__ import annotations

from studio.drawing.kit import (
    BLUE,
    CORAL,
    CREAM,
    INK,
    LEAF,
    NAVY,
    PINK,
    PLUM,
    SKY,
    STEEL,
    SUN,
    TEAL,
    WHITE,
    Prop,
    box,
    dark,
    form,
    lettering,
    light,
    oval,
    path,
    poly,
    shadow,
    stroke,
    veil,
)
from studio.drawing.scene import H, Setting, W


def _tiles(base: float, tone: str) -> str:
    out = path(box(0, base, W, H - base), tone)
    rows = "".join(f"M0 {y}H{W}" for y in (base + 22, base + 54, base + 98, base + 156))
    return out + stroke(
        rows + "".join(f"M{512 + (x - 512) * 0.5:.0f} {base}L{x} {H}" for x in range(-900, 1900, 120)),
        dark(tone, 0.1),
        2,
    )


def pharmacy(
    *,
    wall: str = "#E3EEE6",
    wood: str = "#D9B27C",
    base: float = 470,
    horizon: float = 290,
    eye: float = 140,
    sign: str = "PHARMACY",
) -> Setting:
    """Shelves full of boxes and bottles behind the place where people queue."""
    out = (
        path(box(0, 0, W, base), wall)
        + path(box(0, 0, W, 64), dark(TEAL, 0.1))
        + path(box(0, 60, W, 8), dark(TEAL, 0.4))
    )
    out += lettering(sign, 512, 47, 30, WHITE) + "".join(
        path(box(x - 6, 14, 12, 36, 2) + box(x - 18, 26, 36, 12, 2), LEAF) for x in (250, 774)
    )
    for x0 in (28, 366, 704):
        out += form(box(x0, 96, 292, base - 96, 5), wood, 8, 2) + path(
            box(x0 + 12, 108, 268, base - 130), dark(wood, 0.26)
        )
        for row in range(4):
            y = 178 + row * 80
            if y > base - 20:
                continue
            x, k = x0 + 20.0, row * 5 + int(x0)
            while x < x0 + 252:
                w, h, c = (
                    (26, 44, 34, 20)[k % 4],
                    (46, 34, 54, 40)[k % 4],
                    (WHITE, "#BFE2EC", "#F2C6B0", CREAM, "#CFE0BE", "#C9C3E6", PINK, SKY)[k % 8],
                )
                if k % 4 == 3:
                    out += (
                        form(
                            f"M{x:.0f} {y}v{-h * 0.66:.0f}q0-5 4-6v-6h{w - 8}v6q4 1 4 6v{h * 0.66:.0f}z",
                            dark("#B5763A", 0.1),
                            3,
                        )
                        + path(box(x + 2, y - h * 0.5, w - 4, h * 0.28), CREAM)
                        + path(box(x + 3, y - h * 0.66 - 17, w - 6, 7, 1), WHITE)
                    )
                else:
                    out += form(box(x, y - h, w, h, 2), c, 3) + path(
                        box(x + 3, y - h * 0.66, w - 6, 6), (TEAL, CORAL, BLUE, PLUM)[k % 4]
                    )
                x += w + 7
                k += 3
            out += path(box(x0 + 8, y, 276, 8, 2), light(wood, 0.25))
    return Setting("pharmacy", out + _tiles(base, "#D8D5CC"), horizon, eye)


def counter(w: float = 320, colour: str = TEAL, logo: bool = True) -> Prop:
    """A shop counter, `w` x 100 cm."""
    mark = path(box(w / 2 - 6, 40, 12, 36, 2) + box(w / 2 - 18, 52, 36, 12, 2), WHITE) if logo else ""
    return Prop(
        "counter",
        w,
        100,
        shadow(w / 2, 99, w * 0.54, 7, 0.6)
        + form(box(6, 10, w - 12, 88, 3), colour, 8, 2)
        + stroke(f"M{w * 0.3:.0f} 14V94M{w * 0.7:.0f} 14V94", dark(colour, 0.2), 2)
        + form(box(0, 0, w, 12, 4), CREAM, 3, 1)
        + mark,
    )


def till() -> Prop:
    """A cash register with a card reader, 44 x 36 cm."""
    return Prop(
        "till",
        44,
        36,
        shadow(20, 35.4, 22, 1.6, 0.6)
        + form(box(2, 22, 34, 14, 1.5), "#5A6379", 2)
        + form(poly((4, 22), (34, 22), (31, 8), (7, 8)), "#4B5368", 2)
        + path(poly((9, 19), (29, 19), (27.6, 11), (10.4, 11)), "#BFE2EC")
        + form(box(38, 20, 6, 16, 1), INK, 1)
        + path(box(39, 22, 4, 4), LEAF),
    )


def surgery(
    *,
    wall: str = "#DCEAEE",
    base: float = 480,
    horizon: float = 290,
    eye: float = 125,
    window: bool = True,
    chart: bool = True,
) -> Setting:
    """A doctor's room with an eye chart, a window with blinds and a cupboard."""
    out = (
        path(box(0, 0, W, base), wall)
        + path(box(0, 330, W, base - 330), dark(wall, 0.07))
        + path(box(0, 326, W, 7), WHITE)
        + path(box(0, base - 16, W, 16), WHITE)
        + path(box(0, base - 3, W, 3), dark(wall, 0.25))
    )
    if window:
        out += (
            path(box(58, 56, 252, 220, 4), dark(wall, 0.16))
            + path(box(50, 48, 252, 220, 4), WHITE)
            + path(box(64, 62, 224, 192), "#BFE2EC")
            + path("M64 210Q130 170 190 200T288 186V254H64z", "#9CC48A")
        )
        out += (
            stroke("".join(f"M66 {y}H286" for y in range(70, 170, 12)), "#F4F1E8", 6)
            + stroke("M176 62v192", WHITE, 7)
            + path(box(40, 264, 272, 13, 4), WHITE)
        )
        out += veil(poly((120, 277), (300, 277), (520, base), (300, base)), "#FFF6DA", 0.5)
    if chart:
        rows = "".join(
            lettering(t, 420, 118 + 36 * i, c, INK, 90)
            for i, (t, c) in enumerate((("E", 32), ("F P", 23), ("T O Z", 16), ("L P E D", 12)))
        )
        out += path(box(364, 66, 124, 188, 3), dark(wall, 0.18)) + path(box(358, 60, 124, 188, 3), WHITE) + rows
    return Setting("doctor's room", out + _tiles(base, "#CFD8D6"), horizon, eye)


def couch() -> Prop:
    """An examination couch with paper sheet, 190 x 84 cm."""
    legs = "".join(form(box(x, 40, 6, 42, 1), dark(STEEL, 0.25), 1.4) for x in (30, 150)) + "".join(
        form(box(x, 40, 7, 44, 1), STEEL, 2) for x in (14, 168)
    )
    head = form("M6 32L4 12Q4 4 14 6L56 24V32z", "#6E9FA6", 4, 1)
    return Prop(
        "examination couch",
        190,
        84,
        shadow(96, 83, 100, 6, 0.5)
        + legs
        + form(box(4, 38, 182, 8, 2), "#B9C0CC", 2)
        + form(box(2, 22, 186, 18, 6), "#7FB0B6", 4, 1.2)
        + head
        + path(poly((60, 21), (186, 21), (186, 27), (60, 27)), WHITE),
    )


def cabinet(w: float = 110, h: float = 170) -> Prop:
    """A glass-fronted medicine cabinet with a green cross."""
    jars = "".join(
        form(box(14 + 16 * i, y - 20, 11, 20, 2), (WHITE, "#B5763A", "#BFE2EC", CREAM, "#CFE0BE")[(i + j) % 5], 2)
        for j, y in enumerate((52, 86))
        for i in range(int((w - 24) // 16))
    )
    return Prop(
        "medicine cabinet",
        w,
        h,
        shadow(w / 2, h - 1, w * 0.54, 6, 0.6)
        + form(box(0, 0, w, h - 2, 3), WHITE, 6, 1)
        + path(box(8, 22, w - 16, 72, 2), "#A9C3C9")
        + jars
        + stroke(f"M8 52H{w - 8}M8 86H{w - 8}M{w / 2:.0f} 22V94", WHITE, 3)
        + veil(poly((12, 24), (44, 24), (12, 74)), "#fff", 0.35)
        + stroke(f"M{w / 2:.0f} 100V{h - 8}M8 98H{w - 8}", dark(WHITE, 0.14), 1.6)
        + path(box(w / 2 - 3, 4, 6, 15, 1) + box(w / 2 - 7.5, 8.5, 15, 6, 1), LEAF),
    )


def waiting_chair(colour: str = BLUE) -> Prop:
    """A plastic chair from the front, 50 x 82 cm, on four legs."""
    legs = stroke("M12 46L8 78M38 46L42 78", dark(STEEL, 0.3), 3) + stroke("M8 48L4 81M42 48L46 81", STEEL, 3.4)
    return Prop(
        "chair",
        50,
        82,
        shadow(25, 81, 28, 4, 0.5)
        + legs
        + form("M8 40Q6 4 12 2H38Q44 4 42 40z", colour, 4, 1)
        + form("M5 38H45L48 46Q25 52 2 46z", dark(colour, 0.12), 2),
    )


def pill_jar(colour: str = "#C9803F", label: str = "") -> Prop:
    """A brown jar of pills, 18 x 26 cm."""
    words = lettering(label, 9, 19, 3.6, NAVY, 13) if label else stroke("M4 16H14M4 19H12", dark(CREAM, 0.3), 0.9)
    return Prop(
        "pill jar",
        18,
        26,
        shadow(9, 25.6, 9, 1.2, 0.7)
        + form(
            "M2 8Q2 6 4 6H14Q16 6 16 8V24Q16 26 14 26H4Q2 26 2 24z", colour, 2.4, 0.6, path(box(0, 12, 20, 10), CREAM)
        )
        + words
        + form(box(1.4, 0, 15.2, 6.4, 1), WHITE, 1.2, 0.4),
    )


def leaflets() -> Prop:
    """A wire rack of leaflets, 44 x 60 cm."""
    cards = "".join(
        form(box(4 + 19 * i, 4 + 28 * j, 16, 24, 1), c, 2) + path(oval(12 + 19 * i, 14 + 28 * j, 4), light(c, 0.6))
        for (i, j), c in zip(((0, 0), (1, 0), (0, 1), (1, 1)), (CORAL, SKY, SUN, LEAF), strict=True)
    )
    return Prop("leaflet rack", 44, 60, cards + stroke("M2 22H42M2 50H42M2 2V58M42 2V58", STEEL, 1.4))
