"""Bags, soap and meat: what other shops sell."""

from __future__ import annotations

from studio.drawing.home.interiors import floor, wall, window
from studio.drawing.kit import (
    CORAL,
    INK,
    LEAF,
    PINK,
    RED,
    SKY,
    SUN,
    TEAL,
    TEXT,
    WHITE,
    WOOD,
    Prop,
    box,
    clipped,
    dark,
    form,
    lettering,
    light,
    oval,
    path,
    put,
    shadow,
    stroke,
    veil,
)
from studio.drawing.scene import Setting, W


def pastel_shop(*, paper: str = "#F3DCE0", horizon: float = 190, eye: float = 150, base: float = 450) -> Setting:
    """A light shop with a window and pale boards, seen a little from above."""
    out = wall(paper, base, "stripes") + window(700, 60, 250, 220, view="town", frame=WHITE, bars=(1, 0))
    out += veil("M640 70L700 70L520 450H360z", "#FFF9E6", 0.5)
    return Setting(
        "soap shop", out + path(box(0, base - 14, W, 14), WHITE) + floor("#DCC3A4", base, horizon), horizon, eye
    )


def handbag(colour: str = RED, w: float = 34, h: float = 32, art: str = "", name: str = "handbag") -> Prop:
    """A stiff bag with a bow handle; `art` is cut to the front, which is 34 x 20 at (0, 12)."""
    bow = stroke("M9 14Q9 1 17 1T25 14", dark(colour, 0.3), 2)
    flap = (
        form("M2 12H32V18Q17 25 2 18z", dark(colour, 0.1), 1.2) if not art else stroke("M2 17H32", dark(colour, 0.3), 1)
    )
    body = form("M2 12H32L34 29Q34 32 31 32H3Q0 32 0 29z", colour, 2.4, 0.6, art)
    return Prop(
        name,
        w,
        h,
        put(
            0, 0, shadow(17, 31.6, 17, 1.2, 0.5) + bow + body + flap + form(box(14.6, 17, 4.8, 4, 1), SUN, 0.6), w / 34
        ),
    )


def monogram_bag(w: float = 38) -> Prop:
    """A brown bag covered in made-up monogram letters, with a tag that reads COPY."""
    letters = ""
    for j in range(4):
        for i in range(6):
            sign = lettering("QX" if (i + j) % 2 else "Z", 0, 1.5, 3, "#E9C98A")
            letters += put(3 + 6 * i + 3 * (j % 2), 14.4 + 5 * j, sign)
    bag = handbag("#7A4A31", 34, 32, letters)
    tag = stroke("M25 12L27 18", INK, 0.6) + put(
        27,
        17,
        form(box(-10, 0, 20, 11, 1), WHITE, 0.8) + path(oval(0, 1.3, 0.7), INK) + lettering("COPY", 0, 9, 6, RED, 17),
        1,
        5,
    )
    return Prop("handbag with a tag COPY", w, w * 32 / 34, put(0, 0, bag.body + tag, w / 36), shows=frozenset({TEXT}))


def bag_shelf(w: float = 190, gap: int = 4) -> Prop:
    """Three boards of bags, `w` x 150 cm; place `gap` (counted in rows from the top left) stays empty."""
    out = form(box(0, 0, w, 150, 2), "#E9DCCB", 2, 0.8) + path(box(4, 4, w - 8, 140), dark("#E9DCCB", 0.16))
    colours, k = (CORAL, TEAL, "#8A6A86", SUN, SKY, "#5B6B8F", PINK, LEAF, RED), 0
    step = (w - 8) / 3
    for r in range(3):
        y = 46 * (r + 1) + 2
        for i in range(3):
            if k != gap:
                wide = 34 - 5 * ((i + r) % 2)
                out += put(4 + step * (i + 0.5) - wide / 2, y - wide * 32 / 34, handbag(colours[k], wide).body)
            k += 1
        out += form(box(2, y, w - 4, 4, 1), "#C9A77E", 1, 0.4)
    return Prop(
        "shelf of bags",
        w,
        150,
        shadow(w / 2, 149, w * 0.53, 4, 0.5) + out,
        {f"{r},{i}": (4 + step * (i + 0.5), 46.0 * (r + 1) + 2) for r in range(3) for i in range(3)},
    )


def hand_mirror() -> Prop:
    """A framed looking-glass on a handle, 34 x 62 cm, with a hat and a face dimly in it; grip at (17, 56)."""
    glass = box(4, 4, 26, 36, 11)
    face = path(oval(17, 22, 6, 7.4), "#E9D3C6") + path("M10 24Q8 11 17 11T24 24Q22 15 17 15T10 24z", "#C9CDD6")
    return Prop(
        "hand mirror",
        34,
        62,
        form(box(14.6, 42, 4.8, 20, 2.4), "#C9973F", 1)
        + form(box(0, 0, 34, 44, 14), "#C9973F", 1.8, 0.7)
        + clipped(glass, path(glass, "#DCEBF0") + face + path("M6 46Q6 32 17 32T28 46z", "#8FB59A"))
        + veil("M6 20L22 4L26 6L7 26z", WHITE, 0.6),
    )


def soap(colour: str = PINK) -> Prop:
    return Prop(
        "bar of soap",
        12,
        7,
        shadow(6, 6.8, 6.4, 0.7, 0.5)
        + form(box(0, 0.6, 12, 6.4, 2.4), colour, 1.2, 0.4)
        + stroke("M3 3.6h6", light(colour, 0.5), 0.8),
    )


def soap_shelf(w: float = 150, rows: int = 3) -> Prop:
    """Boards of stacked soap and jars, 36 cm a row."""
    out = path(box(0, 0, w, 36 * rows, 2), "#EFE3D6")
    tones = (PINK, "#BFE0DC", "#F6E2A8", "#D8CBE0", "#F0BDA2", "#C7DBA0")
    for r in range(rows):
        y = 36 * (r + 1)
        for i in range(int((w - 22) // 15) + 1):
            x, c = 6 + 15 * i, tones[(i // 2 + r * 2) % 6]
            if (i + r) % 4 == 3:
                out += form(box(x, y - 22, 13, 22, 3), light(c, 0.3), 1.6, 0.4)
                out += form(box(x + 1, y - 25, 11, 4, 1), WOOD, 0.6)
            else:
                out += "".join(put(x, y - 7 * (k + 1), soap(c).body) for k in range(2 + (i + r) % 2))
        out += form(box(-2, y, w + 4, 4, 1), "#C9A77E", 1, 0.4) + veil(box(0, y + 4, w, 3), "#3A2A5C", 0.18)
    return Prop("shelves of soap", w, 36 * rows + 6, out)


def gift(colour: str = TEAL, ribbon: str = RED, w: float = 20) -> Prop:
    """A wrapped box with a bow, `w` x 0.9 w cm."""
    bow = form("M10 5Q2-2 3 4Q4 7 10 5zM10 5Q18-2 17 4Q16 7 10 5z", ribbon, 0.8)
    return Prop(
        "gift",
        w,
        w * 0.9,
        put(
            0,
            0,
            shadow(10, 17.6, 11, 1, 0.5)
            + form(box(0, 5, 20, 13, 1), colour, 2, 0.4)
            + path(box(8.4, 5, 3.2, 13), ribbon)
            + bow,
            w / 20,
        ),
    )
