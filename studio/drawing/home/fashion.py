"""A clothes shop: dummies, rails, hats, mirrors."""

from __future__ import annotations

from studio.drawing.home.interiors import floor, rug, tint, wall, window
from studio.drawing.kit import (
    CORAL,
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
    TEXT,
    WHITE,
    WOOD,
    Prop,
    ban,
    box,
    clipped,
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
from studio.drawing.scene import Setting, W


def dress_shop(
    time: str = "day",
    *,
    paper: str = "#EBD9DC",
    pattern: str = "stripes",
    horizon: float = 250,
    eye: float = 126,
    base: float = 486,
    panes: float = 60,
) -> Setting:
    """A clothes shop with a large window on the street and a round rug."""
    paper = paper if time == "day" else dark(paper, 0.14)
    out = wall(paper, base, pattern) + window(panes, 80, 300, 250, time=time, view="town", frame="#5F7F86", bars=(1, 0))
    out += (
        path(box(0, base - 14, W, 14), light(paper, 0.5))
        + floor("#C7A27C", base, horizon)
        + rug(540, base + 116, 360, 56, "#A9BFC6")
    )
    return Setting("dress shop", out, horizon, eye, tint("#F08A3C", 0.09) if time == "dusk" else "")


def _syringe() -> str:
    """A syringe, needle down, about 60 long from (0, 0)."""
    liquid = path(box(-5, 16, 10, 14), "#8FD0C8")
    return (
        form(box(-9, -2, 18, 4, 1), STEEL, 1)
        + path(box(-2, 0, 4, 10), STEEL)
        + form(box(-6, 8, 12, 26, 2), "#E4EEF0", 2, 0.6, liquid)
        + stroke("M-6 14h4M-6 19h4M-6 24h4", INK, 0.8)
        + path(box(-2.4, 34, 4.8, 4), STEEL)
        + stroke("M0 38V56", STEEL, 1.4)
    )


def drugs_print() -> str:
    """Pills and a syringe, about (0, 0), within 44."""

    def pill(x: float, y: float, a: float, c: str) -> str:
        return put(x, y, form(box(-9, -4, 18, 8, 4), WHITE, 1.4) + form("M-5-4H0V4H-5Q-9 4-9 0T-5-4z", c, 1.2), 1, a)

    tablet = form(oval(-16, 4, 6), SKY, 1.4) + stroke("M-20 4h8", WHITE, 1)
    return pill(-12, -14, -30, RED) + tablet + pill(-6, 20, 24, TEAL) + put(18, -24, _syringe(), 0.86, 20)


def printed_shirt(art: str, words: tuple[str, ...], name: str, *, banned: bool = False, colour: str = WHITE) -> Prop:
    """A T-shirt on a dummy, 74 x 82 cm: the print is its middle, `words` below it."""
    shirt = "M26 8Q37 14 48 8L60 12Q70 18 74 34L62 40L58 32V80Q37 84 16 80V32L12 40L0 34Q4 18 14 12z"
    folds = stroke("M17 40Q20 60 17 80M57 40Q54 60 57 78", dark(colour, 0.12), 0.9)
    neck = form("M31 10V2Q37-1 43 2V10Q37 14 31 10z", "#D9B28A", 1.6)
    print_ = put(37, 36, art, 0.56) + (ban(37, 36, 18) if banned else "")
    for i, line in enumerate(words):
        print_ += lettering(line, 37, 66 + 9 * i + (2 - len(words)) * 4, 7, RED if banned else NAVY, 37)
    return Prop(
        name,
        74,
        82,
        neck + form(shirt, colour, 3, 0, folds) + stroke("M26 8Q37 16 48 8", dark(colour, 0.2), 1.4) + print_,
        shows=frozenset({TEXT}),
    )


def drugs_shirt(banned: bool) -> Prop:
    if banned:
        return printed_shirt(drugs_print(), ("SAY NO",), "T-shirt against drugs", banned=True)
    return printed_shirt(drugs_print(), ("DRUGS", "ARE FUN"), "T-shirt that praises drugs")


def pineapple_shirt() -> Prop:
    leaves = "".join(put(0, -14, form("M0 0Q-5-14 0-26Q5-14 0 0z", LEAF, 1), 1, a) for a in (-50, 50, -24, 24, 0))
    fruit = form(
        oval(0, 10, 18, 25),
        SUN,
        4,
        1,
        stroke("M-20-6L14 34M-20 10L4 38M-10-16L20 22M20-6L-14 34M20 10L-4 38M10-16L-20 22", dark(SUN, 0.3), 1.2),
    )
    return printed_shirt(leaves + fruit, ("SUMMER",), "T-shirt with a pineapple")


def dummy_stand() -> Prop:
    """The foot of a dummy, 50 x 84 cm; a shirt goes on top."""
    return Prop(
        "dummy",
        50,
        84,
        shadow(25, 83, 22, 3, 0.5)
        + stroke("M25 2V76M25 70L6 82M25 70L44 82M25 70V82", dark(WOOD, 0.3), 3)
        + form("M10 0H40L36 10H14z", "#D9B28A", 2),
    )


def clothes_rail(
    w: float = 110, colours: tuple[str, ...] = (CORAL, NAVY, SUN, TEAL, PINK, PLUM), dresses: bool = False
) -> Prop:
    """A rail of shirts or dresses on hangers, `w` x 150 cm."""
    frame = stroke(f"M6 6H{w - 6}M6 6V146M{w - 6} 6V146M0 148H16M{w - 16} 148H{w}", "#5A6379", 3)
    n, out = len(colours), ""
    for i, c in enumerate(colours):
        x, hem = 20 + i * (w - 40) / max(n - 1, 1), 116 if dresses else 86 + 5 * (i % 2)
        cuff, wide = (46, 19) if dresses else (72, 9)
        d = (
            f"M{x - 4} 15L{x - 10} 18L{x - 15} {cuff}L{x - 9} {cuff + 1}L{x - 7} 36L{x - 7} 52L{x - wide} {hem}"
            f"Q{x} {hem + 4} {x + wide} {hem}L{x + 7} 52L{x + 7} 36L{x + 9} {cuff + 1}L{x + 15} {cuff}L{x + 10} 18"
            f"L{x + 4} 15Q{x} 22 {x - 4} 15z"
        )
        folds = stroke(
            f"M{x - 7} 22V40M{x + 7} 22V40M{x - 3} 56L{x - 6} {hem}M{x + 3} 56L{x + 6} {hem}", dark(c, 0.2), 1
        )
        out += stroke(f"M{x} 12V8q3-4 0-6M{x - 8} 18L{x} 11L{x + 8} 18", STEEL, 1.2) + form(d, c, 2, 0.5, folds)
    return Prop("clothes rail", w, 150, shadow(w / 2, 148, w * 0.5, 4, 0.5) + frame + out)


def jumper_pile() -> Prop:
    out = "".join(
        form(box(1 + i % 2, 24 - 7 * (i + 1) + 4, 38, 7.4, 3), c, 2, 0.4)
        + stroke(f"M6 {24 - 7 * i}h24", dark(c, 0.2), 0.6)
        for i, c in enumerate((TEAL, SUN, CORAL, NAVY))
    )
    return Prop("folded jumpers", 42, 28, shadow(21, 27.6, 21, 1.4, 0.5) + out)


def display_table(w: float = 100, colour: str = WOOD, h: float = 74) -> Prop:
    """A plain table with four legs."""
    legs = "".join(form(box(x, 6, 5, h - 16, 1), dark(colour, 0.4), 1) for x in (16, w - 21)) + "".join(
        form(box(x, 6, 6, h - 6, 1), dark(colour, 0.12), 1.6) for x in (4, w - 10)
    )
    return Prop(
        "table",
        w,
        h,
        shadow(w / 2, h - 1, w * 0.52, 4, 0.5)
        + legs
        + form(box(2, 5, w - 4, 9, 1), dark(colour, 0.14), 2)
        + path(poly((5, -5), (w - 5, -5), (w, 2), (0, 2)), light(colour, 0.2))
        + form(box(0, 1.4, w, 5, 1.5), colour, 1.4, 0.4),
    )


def tall_mirror() -> Prop:
    """A mirror on feet, 64 x 170 cm."""
    d = box(6, 6, 52, 144, 8)
    return Prop(
        "tall mirror",
        64,
        170,
        shadow(32, 168, 30, 3, 0.5)
        + stroke("M10 150L2 168M54 150L62 168", dark(WOOD, 0.3), 4)
        + form(box(0, 0, 64, 156, 12), WOOD, 3, 1)
        + clipped(
            d,
            path(d, "#CFE0E6")
            + veil(poly((0, 30), (60, 0), (60, 40), (0, 84)), WHITE, 0.4)
            + veil(poly((0, 120), (60, 80), (60, 92), (0, 134)), WHITE, 0.3),
        ),
    )
