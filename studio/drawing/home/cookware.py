"""A kitchen for every day, its units along the wall, and what one cooks with."""

from __future__ import annotations

from studio.drawing.kit import (
    BLUE,
    CORAL,
    CREAM,
    INK,
    LEAF,
    RED,
    SKY,
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
    put,
    shadow,
    stroke,
)


def chopping_board(w: float = 46, colour: str = "#D9A469") -> Prop:
    """Lying on a table, seen from a little above: `w` x 15 cm."""
    d = f"M5 1H{w - 5}Q{w - 3} 1 {w - 2} 3L{w} 11Q{w} 14 {w - 3} 14H3Q0 14 0 11L2 3Q3 1 5 1z"
    return Prop(
        "chopping board",
        w,
        15,
        shadow(w / 2, 14, w * 0.54, 1.6, 0.6)
        + form(
            d,
            colour,
            1,
            0.6,
            stroke(f"M8 4H{w * 0.6:.0f}M{w * 0.3:.0f} 7.4H{w - 8}M6 10.6H{w * 0.5:.0f}", dark(colour, 0.12), 0.5),
        ),
    )


def knife(w: float = 32, grip: str = INK) -> Prop:
    """A kitchen knife lying, blade to the left: `w` x 5 cm."""
    k = w / 32
    blade = form("M20.4.6H4Q.6 2.4 0 4.4H20.4z", "#D5DAE3", 0.8, 0.3)
    handle = form("M20 .3H30Q32 .4 31.8 2.4Q31.6 4.2 29.4 3.8L20 3.4z", grip, 0.7, 0.2) + path(
        oval(23, 2, 0.4) + oval(26, 2, 0.4) + oval(29, 2, 0.4), CREAM
    )
    return Prop("kitchen knife", w, 5 * k, put(0, 0, shadow(15, 4.4, 15, 0.7, 0.6) + blade + handle, k))


def pot(colour: str = RED, lid: bool = True) -> Prop:
    """A cooking pot, 34 x 24 cm."""
    ears = stroke("M3 11q-4 0-3 4M31 11q4 0 3 4", dark(colour, 0.3), 2)
    cover = (
        form("M3 8Q4 3 17 3T31 8z", light(colour, 0.12), 2, 0.6) + form(oval(17, 2, 2.4, 1.8), INK, 0.5)
        if lid
        else path(oval(17, 8, 14, 2.2), dark(colour, 0.4))
    )
    return Prop(
        "pot",
        34,
        24,
        shadow(17, 23.4, 15, 1.6, 0.6)
        + ears
        + form("M3 8H31L29.6 21Q29.4 23.6 27 23.6H7Q4.6 23.6 4.4 21z", colour, 3.4, 0.8)
        + cover,
    )


def pan(colour: str = "#4B5368", inside: str = "") -> Prop:
    """A frying pan seen a little from above, handle to the right; `inside` lies in an oval about (15, 4)."""
    handle = form(_bar(28, 3, 50, 1), INK, 0.8)
    return Prop(
        "frying pan",
        50,
        10,
        shadow(16, 9.4, 16, 1.4, 0.6)
        + handle
        + form("M0 4Q2 10 8 10H22Q28 10 30 4z", colour, 2.4, 0.4)
        + path(oval(15, 4, 15, 3.4), light(colour, 0.14))
        + path(oval(15, 4.4, 13, 2.7), dark(colour, 0.2))
        + inside,
    )


def _bar(x0: float, y0: float, x1: float, y1: float) -> str:
    return (
        f"M{x0} {y0}L{x1 - 1.6} {y1 - 1.4}Q{x1} {y1 - 1} {x1} {y1}Q{x1} {y1 + 1.4} {x1 - 1.6} {y1 + 1.6}L{x0} {y0 + 3}z"
    )


def kettle(colour: str = TEAL) -> Prop:
    """A whistling kettle, 28 x 26 cm."""
    spout = form("M20 14L26 8L28 10L22 20z", colour, 1)
    body = form("M3 24Q0 9 12.5 9T22 24Q22 25.6 20 25.6H5Q3 25.6 3 24z", colour, 3, 0.8)
    return Prop(
        "kettle",
        28,
        26,
        shadow(13, 25.2, 13, 1.6, 0.6)
        + stroke("M5 12Q4-1 13 0T20 12", INK, 1.7)
        + spout
        + body
        + form(oval(12.5, 8.6, 3, 1.4), INK, 0.5)
        + stroke("M6 16q1-4 5-4.6", WHITE, 1, 'opacity=".7"'),
    )


def toaster(colour: str = SUN) -> Prop:
    bread = "".join(form(f"M{x} 8V1Q{x} -3 {x + 5} -3T{x + 10} 1V8z", "#D9A05B", 1, 0.4) for x in (5, 13))
    return Prop(
        "toaster",
        30,
        20,
        shadow(14, 19.4, 15, 1.4, 0.6)
        + bread
        + form("M1 18V9Q1 4 7 4H22Q28 4 28 9V18Q28 19.6 26 19.6H3Q1 19.6 1 18z", colour, 3, 0.8)
        + form(box(27.4, 9, 2.6, 4, 1), INK, 0.5)
        + path(box(5, 14, 18, 1.4, 0.7), dark(colour, 0.3)),
    )


def jar(colour: str = CORAL, w: float = 11, h: float = 16, label: str = "") -> Prop:
    """A screw-top jar of jam or pickles."""
    glass = form(box(0.4, 3, w - 0.8, h - 3, 2), light(colour, 0.1), w * 0.14, 0.5) + form(
        box(1, 0, w - 2, 3.6, 0.8), label or "#B98A5C", 0.6, 0.3
    )
    return Prop(
        "jar",
        w,
        h,
        shadow(w / 2, h - 0.4, w * 0.5, 0.9, 0.6)
        + glass
        + path(box(1.6, h * 0.42, w - 3.2, h * 0.32, 0.6), CREAM)
        + stroke(f"M2 5.4v{h * 0.12:.1f}", WHITE, 0.7, 'opacity=".7"'),
    )


def bottle(colour: str = LEAF, w: float = 9, h: float = 30, label: str = CREAM) -> Prop:
    """An oil or drinks bottle with a blank label."""
    x = w / 2
    d = (
        f"M{x - 1.4} 2H{x + 1.4}V{h * 0.3:.1f}Q{x + 1.6} {h * 0.38:.1f} {w - 0.3} {h * 0.46:.1f}"
        f"V{h - 1.4}Q{w - 0.3} {h} {w - 1.8} {h}H1.8Q.3 {h} .3 {h - 1.4}V{h * 0.46:.1f}"
        f"Q{x - 1.6} {h * 0.38:.1f} {x - 1.4} {h * 0.3:.1f}z"
    )
    return Prop(
        "bottle",
        w,
        h,
        shadow(x, h - 0.4, x * 1.1, 0.9, 0.6)
        + form(d, colour, w * 0.16, 0.5)
        + form(box(x - 1.8, 0, 3.6, 3, 0.7), dark(colour, 0.5), 0.4)
        + path(box(0.3, h * 0.58, w - 0.6, h * 0.24), label)
        + path(box(1.6, h * 0.66, w - 3.2, 1), dark(label, 0.4)),
    )


def utensils(colour: str = CREAM) -> Prop:
    """A crock of spoons and a whisk, 20 x 38 cm."""
    spoon = form("M-1-12h2v14h-2z", WOOD, 0.4) + form(oval(0, -15, 3, 4), WOOD, 0.8)
    ladle = stroke("M0 2V-14", STEEL, 1.4) + form("M-4-16h8q0 5-4 5t-4-5z", STEEL, 0.8)
    out = (
        put(7, 18, spoon, 1, -14)
        + put(13, 18, ladle, 1, 12)
        + put(
            10,
            17,
            form("M-1-12h2v14h-2z", dark(WOOD, 0.2), 0.4) + form(box(-3, -20, 6, 9, 1.4), dark(WOOD, 0.2), 0.8),
            1,
            2,
        )
    )
    return Prop(
        "crock of spoons",
        20,
        38,
        shadow(10, 37.4, 10, 1.2, 0.6)
        + out
        + form("M2 18H18L17 36Q17 37.6 15 37.6H5Q3 37.6 3 36z", colour, 2.4, 0.6, stroke("M0 24H20M0 27H20", BLUE, 1)),
    )


def spray(colour: str = SKY) -> Prop:
    """A cleaning spray, 12 x 26 cm."""
    head = form("M3 2H9L10 4V7H5V5H1L.6 3z", RED, 0.6) + path("M3 6l-2 3", INK, RED, 1)
    return Prop(
        "spray bottle",
        12,
        26,
        shadow(6, 25.6, 6, 0.9, 0.6)
        + head
        + form("M5 7H9V10Q12 12 12 16V24Q12 26 10 26H3Q1 26 1 24V16Q1 12 5 10z", colour, 1.8, 0.5)
        + path(box(2.4, 16, 8.2, 7, 1), WHITE)
        + (stroke("M4 18.4h5M4 20.6h4", BLUE, 0.8)),
    )


def tea_towel(colour: str = RED) -> Prop:
    """Hangs over an edge, 24 x 34 cm."""
    return Prop(
        "tea towel",
        24,
        34,
        form("M0 0H24L23 34H1z", CREAM, 2, 0, stroke("M0 6H24M0 27H24M5 0V34M19 0V34", colour, 1.4)),
    )


def teapot(colour: str = "#4E8FC0") -> Prop:
    """A round teapot, spout to the left, 34 x 22 cm; the grip of its handle is at (29, 11)."""
    spout = form("M8 12L0 4L3 3L11 8z", colour, 1)
    return Prop(
        "teapot",
        34,
        22,
        stroke("M25 7Q34 6 32 12T24 17", colour, 2.2)
        + spout
        + form(
            "M8 10Q9 4 17 4T27 10Q29 21 20 21.4H14Q6 21 8 10z",
            colour,
            2.6,
            0.7,
            path("".join(oval(x, y, 1) for x, y in ((12, 12), (17, 15), (22, 12), (14, 18), (20, 18))), WHITE),
        )
        + form("M12 5Q13 2 17 2T22 5z", light(colour, 0.2), 0.8)
        + form(oval(17, 1.4, 1.5), INK, 0.4),
    )


def dish_cloth(colour: str = "#6FB4D6") -> Prop:
    """A cloth bunched up under a hand, 20 x 8 cm."""
    return Prop(
        "cloth",
        20,
        8,
        form(
            "M0 7Q2 1 8 1Q14-1 18 3Q22 7 18 8H2Q0 8 0 7z",
            colour,
            1.2,
            0.4,
            stroke("M5 2Q6 5 4 8M12 1Q13 4 12 8", light(colour, 0.5), 0.8),
        ),
    )
