"""A sweet shop's wares."""

from __future__ import annotations

from studio.drawing.kit import (
    CORAL,
    CREAM,
    INK,
    LEAF,
    NAVY,
    PINK,
    PLUM,
    RED,
    SKY,
    STEEL,
    SUN,
    TEAL,
    WHITE,
    WOOD,
    Prop,
    box,
    clipped,
    dark,
    form,
    light,
    oval,
    path,
    put,
    shadow,
    stroke,
)

_MIXED = (RED, SUN, TEAL, PINK, PLUM, LEAF, CORAL, SKY)


def _piece(kind: str, i: int) -> str:
    """One sweet about (0, 0), some 3.4 cm long."""
    turn = (37 * i) % 180
    if kind == "capsules":
        halves = form(box(-2.1, -0.95, 2.1, 1.9, 0.9), RED, 0.4) + path(box(-0.6, -0.95, 0.7, 1.9), RED)
        return put(0, 0, form(box(-2.1, -0.95, 4.2, 1.9, 0.95), WHITE, 0.4) + halves, 1, turn)
    if kind == "bears":
        c = _MIXED[i % 8]
        bear = oval(0, 0.6, 1.3, 1.5) + oval(0, -1.2, 1.0) + oval(-0.8, -2.1, 0.45) + oval(0.8, -2.1, 0.45)
        return put(
            0, 0, path(bear, c) + path(oval(-0.4, -1.3, 0.2) + oval(0.4, -1.3, 0.2), dark(c, 0.5)), 1, turn % 40 - 20
        )
    if kind == "liquorice":
        return form(oval(0, 0, 1.8), INK, 0.4) + stroke(oval(0, 0, 1), "#6B5B6B", 0.4)
    if kind == "wrapped":
        c = _MIXED[i % 8]
        return put(
            0, 0, path("M-3-1L-1.4 0L-3 1zM3-1L1.4 0L3 1z", light(c, 0.3)) + form(oval(0, 0, 1.7, 1.2), c, 0.4), 1, turn
        )
    return form(oval(0, 0, 1.7), _MIXED[(i * 3) % 8], 0.5, 0.2)


def sweet_jar(kind: str = "balls", w: float = 18, lid: str = STEEL) -> Prop:
    """A glass jar, `w` x 1.4 w cm, of: balls, wrapped, liquorice, bears, capsules."""
    glass = "M2 5H16Q18 7 18 9V22Q18 25 15.4 25H2.6Q0 25 0 22V9Q0 7 2 5z"
    rows = [(2.6 + 3.3 * i + 1.6 * (j % 2), 23.2 - 3 * j, i + 5 * j) for j in range(5) for i in range(5)]
    fill = "".join(put(x, y, _piece(kind, k)) for x, y, k in rows)
    back = {"liquorice": "#D9C8B4", "capsules": "#F7E6DE", "bears": "#F3EFD9"}.get(kind, "#EDF3F0")
    body = form(glass, "#DDECEC", 1, 0, path(box(0, 10, 18, 16), back) + clipped(glass, fill))
    shine = stroke("M2.4 9V20", WHITE, 1, 'opacity=".75"')
    cap = form(box(1.6, 1.4, 14.8, 4.4, 1), lid, 1, 0.4) + form(oval(9, 1, 1.8, 1.2), lid, 0.4)
    return Prop(
        f"jar of {kind}", w, w * 25.4 / 18, put(0, 0, shadow(9, 25, 9.4, 1.1, 0.6) + body + shine + cap, w / 18)
    )


def jar_shelf(w: float = 160, rows: int = 3, seed: int = 0, colour: str = "#B98A5C") -> Prop:
    """Wall shelves of sweet jars, 34 cm a row."""
    kinds = ("balls", "wrapped", "liquorice", "bears", "balls", "wrapped")
    out = ""
    for r in range(rows):
        y = 34 * (r + 1)
        for i in range(int(w // 22)):
            k = kinds[(i * 2 + r + seed) % 6]
            out += put(3 + 22 * i, y - 25.8, sweet_jar(k, 18, (STEEL, RED, TEAL)[(i + r) % 3]).body)
        out += form(box(0, y, w, 4, 1), colour, 1, 0.4) + path(box(2, y + 4, w - 4, 2.4), dark(colour, 0.5))
    return Prop("shelves of sweets", w, 34 * rows + 6, path(box(0, 0, w, 34 * rows + 4, 2), dark(colour, 0.36)) + out)


def kitchen_scales(colour: str = TEAL) -> Prop:
    """Shop scales with a brass pan, 30 x 30 cm."""
    dial = (
        path(oval(15, 21, 5.4), CREAM)
        + stroke("M15 21l2.6-3", RED, 0.7)
        + stroke(oval(15, 21, 4.2), INK, 0.3, 'stroke-dasharray=".4 1.2"')
    )
    foot = form("M6 30L9 13H21L24 30z", colour, 2.4, 0.6)
    return Prop(
        "scales",
        30,
        30,
        shadow(15, 29.4, 13, 1.2, 0.6)
        + foot
        + dial
        + form(box(13, 8, 4, 6), STEEL, 0.6)
        + form("M1 5H29Q27 10 15 10T1 5z", SUN, 1.6, 0.5),
    )


def lolly_stand() -> Prop:
    """Lollies stuck in a block, 26 x 30 cm."""
    sticks = "".join(
        put(
            x,
            24,
            stroke("M0 0V-12", CREAM, 0.8)
            + form(oval(0, -15, 4), c, 1, 0.3)
            + stroke("M-2-15q2-3 4 0t-3 2", light(c, 0.6), 0.7),
            1,
            a,
        )
        for x, c, a in ((5, RED, -18), (10, SUN, -6), (16, TEAL, 6), (21, PINK, 18))
    )
    return Prop("lollies", 26, 30, shadow(13, 29.6, 13, 1.1, 0.6) + sticks + form(box(1, 22, 24, 8, 1), WOOD, 1.6, 0.5))


def sweet_bag() -> Prop:
    """A striped paper bag, 14 x 20 cm; grip at (7, 4)."""
    stripes = path(box(2, 0, 2.4, 20) + box(6.8, 0, 2.4, 20) + box(11, 0, 2.4, 20), PINK)
    return Prop("paper bag", 14, 20, form("M0 1L2 0L4 1L6 0L8 1L10 0L12 1L14 0V20H0z", WHITE, 1.4, 0, stripes))


def counter_bell() -> Prop:
    return Prop(
        "bell",
        12,
        9,
        shadow(6, 8.6, 6, 0.7, 0.5)
        + form("M1 7Q1 2 6 2T11 7z", SUN, 1.2, 0.5)
        + form(box(0, 7, 12, 2, 0.8), NAVY, 0.5)
        + form(oval(6, 1.4, 1.1), STEEL, 0.3),
    )
