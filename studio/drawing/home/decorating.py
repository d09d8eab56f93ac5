"""A room that is being renovated, and the tools for it."""

from __future__ import annotations

from studio.drawing.home.interiors import floor, wall, window
from studio.drawing.kit import (
    BLUE,
    CORAL,
    CREAM,
    INK,
    LEAF,
    RED,
    STEEL,
    SUN,
    TEAL,
    WHITE,
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
    veil,
)
from studio.drawing.scene import Setting, W


def bare_room(horizon: float = 270, eye: float = 122, base: float = 500) -> Setting:
    """Half of the wall still has old flowered paper that hangs in strips; a window without curtains."""
    plaster, old, back = "#E9E2D6", "#E7C79C", "#F6EEDF"
    out = wall(plaster, base) + window(800, 70, 190, 240)
    sheet = f"M0 0H596Q580 60 600 120Q586 190 604 250Q590 330 602 400L596 {base}H0z"
    flowers = ""
    for j in range(9):
        for i in range(11):
            x, y = 26 + 58 * i + 29 * (j % 2), 30 + 58 * j
            petals = ((0, -1), (0.95, -0.3), (0.6, 0.8), (-0.6, 0.8), (-0.95, -0.3))
            flowers += path("".join(oval(x + 8 * a, y + 8 * b, 6) for a, b in petals), "#C9705F")
            flowers += path(oval(x, y, 5), SUN) + path(f"M{x + 8} {y + 16}q12 2 12 12q-12 0-12-12z", "#8FA36A")
    out += path(sheet, old) + clipped(sheet, flowers)
    for left, right, bare, low in ((262, 392, 214, 420), (540, 612, 120, 300), (60, 150, 60, 170)):
        out += _strip(left, right, bare, low, dark(plaster, 0.08), back)
    out += path(box(0, base - 16, W, 16), CREAM) + floor("#C9A77E", base, horizon)
    out += path(
        f"M120 {base + 44}Q500 {base + 16} 900 {base + 40}L980 {base + 130}Q540 {base + 168} 60 {base + 140}z",
        "#EFEAE0",
    ) + stroke(
        f"M200 {base + 60}Q320 {base + 90} 300 {base + 140}M600 {base + 40}Q640 {base + 90} 760 {base + 120}",
        dark("#EFEAE0", 0.1),
        3,
    )
    return Setting("room being renovated", out, horizon, eye)


def _strip(left: float, right: float, bare: float, low: float, plaster: str, back: str) -> str:
    """Paper torn off from the top to `bare`, which hangs down over the wall to `low` and shows its pale back."""
    mid, wide = (left + right) / 2, right - left
    gap = (
        f"M{left} 0H{right}L{right - 6} {bare * 0.4:.0f}L{right + 5} {bare * 0.7:.0f}"
        f"L{right} {bare}H{left}L{left + 6} {bare * 0.6:.0f}L{left - 4} {bare * 0.3:.0f}z"
    )
    jags = "".join(
        f"L{right - wide * t:.0f} {low + (-16 if k % 2 else 8)}" for k, t in enumerate((0.1, 0.3, 0.5, 0.7, 0.9))
    )
    fold = (
        f"M{left} {bare - 2}Q{mid} {bare - 14} {right} {bare - 2}"
        f"Q{right + 26} {(bare + low) / 2:.0f} {right + 6} {low - 10}{jags}L{left + 6} {low - 8}"
        f"Q{left + 22} {(bare + low) / 2:.0f} {left} {bare - 2}z"
    )
    curl = (
        f"M{left - 6} {bare + 4}Q{mid} {bare - 24} {right + 6} {bare + 4}"
        f"Q{right + 10} {bare + 20} {right + 2} {bare + 22}"
        f"Q{mid} {bare} {left - 2} {bare + 22}Q{left - 12} {bare + 20} {left - 6} {bare + 4}z"
    )
    print_through = path(
        "".join(oval(left + 24 + 46 * i, bare + 44 + 50 * j, 11) for i in range(4) for j in range(6)), dark(back, 0.07)
    )
    return (
        path(gap, plaster)
        + f'<g transform="translate(9,10)">{veil(fold, "#3A2A5C", 0.2)}</g>'
        + form(fold, back, 7, 2, print_through)
        + form(curl, "#E7C79C", 5, 1, path("".join(oval(left + 12 + 34 * i, bare + 6, 7) for i in range(4)), "#C9705F"))
    )


def stepladder(colour: str = "#D9A24E") -> Prop:
    """A stepladder from the front, 60 x 150 cm."""
    back = stroke("M20 8L8 146M40 8L52 146", dark(colour, 0.4), 3)
    steps = "".join(form(box(16 - 2.6 * i, 24 + 24 * i, 28 + 5.2 * i, 5, 1), light(colour, 0.1), 1.2) for i in range(5))
    return Prop(
        "stepladder",
        60,
        150,
        shadow(30, 148, 32, 3, 0.5)
        + back
        + steps
        + stroke("M18 8L2 148M42 8L58 148", colour, 4)
        + form(box(14, 3, 32, 7, 2), RED, 1.4),
    )


def pail(colour: str = TEAL, water: bool = True) -> Prop:
    """A bucket, 30 x 28 cm."""
    sponge = form("M6 3Q8-4 16-3T26 3z", SUN, 1.4) if water else ""
    return Prop(
        "bucket",
        30,
        28,
        shadow(15, 27.4, 13, 1.4, 0.5)
        + stroke("M3 4Q15-16 27 4", STEEL, 1.2)
        + path(oval(15, 3.6, 13, 2.6), dark(colour, 0.4))
        + sponge
        + form("M1.6 4Q15 8 28.4 4L25 26Q25 28 22 28H8Q5 28 5 26z", colour, 3, 0.6),
    )


def scraper() -> Prop:
    """A wallpaper scraper, blade up, 10 x 24 cm; grip at (5, 18)."""
    return Prop("scraper", 10, 24, form("M0 0H10L7 10H3z", "#D5DAE3", 1) + form(box(3.2, 9, 3.6, 14, 1.6), RED, 0.8))


def paint_tin(colour: str = BLUE) -> Prop:
    return Prop(
        "paint tin",
        18,
        20,
        shadow(9, 19.6, 9.4, 1, 0.5)
        + stroke("M1 5Q9-10 17 5", STEEL, 0.9)
        + form(box(0.6, 3, 16.8, 16.6, 1), "#C9CFD6", 2, 0.5)
        + path(box(0.6, 8, 16.8, 8), colour)
        + path(oval(9, 3, 8.4, 1.6), colour)
        + path("M4 3.6V9q1 1.6 2 0V3.6z", colour),
    )


def radio(colour: str = CORAL) -> Prop:
    return Prop(
        "radio",
        34,
        22,
        shadow(17, 21.6, 18, 1.2, 0.5)
        + stroke("M28 4L34-14", STEEL, 0.9)
        + form(box(0, 3, 34, 19, 3), colour, 2.4, 0.6)
        + path(oval(10, 12.6, 6.4), dark(colour, 0.4))
        + stroke("M6 11h8M6 14h8", light(colour, 0.2), 0.8)
        + path(box(19, 7, 12, 5, 1), CREAM)
        + path(oval(21.6, 17, 1.8) + oval(28, 17, 1.8), INK)
        + stroke("M6 3Q17-4 28 3", INK, 1.6),
    )


def _frame(art: str, name: str) -> Prop:
    """A picture on the wall in a broad frame, 66 x 54 cm; `art` fills 54 x 42 at (6, 6)."""
    hole = box(6, 6, 54, 42)
    return Prop(
        name,
        68,
        57,
        veil(box(2, 3, 66, 54, 1), "#3A2A5C", 0.22)
        + form(box(0, 0, 66, 54, 1.5), "#C9973F", 2.4, 0.8)
        + clipped(hole, art),
    )


def horse_painting() -> Prop:
    """A blue horse on a hill."""
    blue = "#3F6FB0"
    land = (
        path(box(6, 6, 54, 42), "#F6D98A")
        + form(oval(15, 14, 5), CORAL, 1)
        + path("M6 38Q24 28 60 36V48H6z", LEAF)
        + path("M6 43Q34 35 60 42V48H6z", dark(LEAF, 0.16))
    )
    horse = form(
        (
            "M19 24Q28 21 37 23Q40 17 42 12L43 9L45 11Q50 14 51 18L48 20L45 18Q45 26 43 30L42 41"
            "H39.6L39 32Q32 33 26 32L24 41H21.6L21.4 33Q17 30 19 24z"
        ),
        blue,
        1.6,
        0.4,
    )
    legs = stroke("M24 31L28 41M36 31L34 41", dark(blue, 0.2), 2)
    mane = stroke("M42 11Q38 16 37 22", "#26406E", 2.2) + stroke("M19.4 25Q13 28 14 36", "#26406E", 2.2)
    return _frame(land + legs + horse + mane + path(oval(46, 14, 0.7), WHITE), "painting of a blue horse")


def framed_clock() -> Prop:
    """A round clock face in the painting's frame."""
    marks = stroke("M33 10v3M33 41v3M16 27h3M47 27h3", INK, 1)
    return _frame(
        path(box(6, 6, 54, 42), TEAL)
        + form(oval(33, 27, 18.4), CREAM, 2)
        + marks
        + stroke("M33 27V16M33 27l8 5", INK, 1.6)
        + path(oval(33, 27, 1.6), RED),
        "framed clock",
    )


def paper_scraps() -> Prop:
    """Torn strips of wallpaper on the floor, 80 x 12 cm."""
    one = form(
        "M0 4L10 0L16 3L26-1L38 5L33 8L36 12L24 10L14 12L4 10z",
        "#E7C79C",
        1.4,
        0,
        path(oval(11, 5, 2.4) + oval(26, 5, 2.4), "#C9705F"),
    )
    return Prop("scraps of wallpaper", 80, 12, shadow(36, 11, 36, 1.6, 0.4) + put(0, 0, one) + put(42, 1, one, 0.9, 8))
