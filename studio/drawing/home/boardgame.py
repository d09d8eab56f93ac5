"""A board game on a low table, seen from above the players."""

from __future__ import annotations

from studio.drawing.kit import (
    BLUE,
    CORAL,
    CREAM,
    INK,
    LEAF,
    PINK,
    RED,
    SUN,
    TEAL,
    WHITE,
    WOOD,
    Prop,
    Pt,
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
)


def low_table(w: float = 170, colour: str = WOOD) -> Prop:
    """A low table with a deep top and four legs, `w` x 40 cm; the top reaches 34 above the box."""
    legs = "".join(form(box(x, 0, 7, 34, 1), dark(colour, 0.4), 1.4) for x in (18, w - 25)) + "".join(
        form(box(x, 4, 8, 36, 1), dark(colour, 0.16), 1.8) for x in (5, w - 13)
    )
    top = path(poly((18, -34), (w - 18, -34), (w + 2, 2), (-2, 2)), light(colour, 0.16)) + stroke(
        f"M24 -24H{w - 50}M14 -12H{w * 0.5}M{w * 0.4} -5H{w - 14}", dark(colour, 0.06), 0.9
    )
    return Prop(
        "low table",
        w,
        40,
        shadow(w / 2, 39, w * 0.54, 6, 0.6) + legs + top + form(box(-2, 1.6, w + 4, 7, 2), colour, 1.6, 0.5),
    )


def game_board(w: float = 64) -> Prop:
    """A board with coloured fields round the rim, lying: `w` x 24 cm."""

    def at(u: float, v: float) -> Pt:
        half = w * (0.4 + 0.1 * v)
        return w / 2 + (u - 0.5) * 2 * half, 1 + v * 22

    out = form(poly(at(0, 0), at(1, 0), at(1, 1), at(0, 1)), CREAM, 0.6)
    tones = (RED, SUN, TEAL, BLUE, CORAL, LEAF, PINK)
    cells = (
        [(i / 8, 0.0) for i in range(8)]
        + [(i / 8, 0.8) for i in range(8)]
        + [(0.0, 0.2 + 0.2 * j) for j in range(3)]
        + [(0.875, 0.2 + 0.2 * j) for j in range(3)]
    )
    for k, (u, v) in enumerate(cells):
        out += path(
            poly(at(u + 0.008, v + 0.02), at(u + 0.117, v + 0.02), at(u + 0.117, v + 0.18), at(u + 0.008, v + 0.18)),
            tones[k % 7],
        )
    return Prop(
        "board game",
        w,
        24,
        shadow(w / 2, 23, w * 0.52, 1.6, 0.4)
        + out
        + form(oval(w / 2, 12, 9, 4), TEAL, 1)
        + form(oval(w / 2, 11, 6, 2.6), SUN, 0.6),
    )


def pawn(colour: str = RED) -> Prop:
    return Prop(
        "pawn",
        5,
        9,
        shadow(2.5, 8.8, 2.8, 0.5, 0.6)
        + form("M.4 9Q.4 7 1.8 5.6L2 3.6H3L3.2 5.6Q4.6 7 4.6 9z", colour, 0.7)
        + form(oval(2.5, 2.2, 1.7), colour, 0.5, 0.2),
    )


def die(size: float = 6) -> Prop:
    return Prop(
        "die",
        size,
        size,
        put(
            0,
            0,
            shadow(3, 5.8, 3.2, 0.5, 0.6)
            + form(box(0, 1.4, 5, 4.6, 0.6), WHITE, 0.7)
            + path(poly((0.4, 1.6), (1.4, 0), (6, 0), (5, 1.6)), light(CREAM, 0.5))
            + path(poly((5, 1.6), (6, 0), (6, 4.4), (5, 6)), dark(WHITE, 0.2))
            + path(oval(1.4, 2.8, 0.5) + oval(3.6, 4.8, 0.5) + oval(2.5, 3.8, 0.5), INK),
            size / 6,
        ),
    )


def toy_money(w: float = 34, h: float = 14) -> Prop:
    """A heap of toy banknotes in three colours, each with a star."""

    def note(x: float, y: float, a: float, c: str) -> str:
        star = "M0-1.6L.5-.5L1.7-.4L.8.4L1 1.6L0 1L-1 1.6L-.8.4L-1.7-.4L-.5-.5z"
        return put(
            x,
            y,
            form(box(-7.4, -2.6, 14.8, 5.2, 0.5), c, 0.5, 0.2)
            + stroke(box(-6.4, -1.8, 12.8, 3.6, 0.3), light(c, 0.5), 0.4)
            + path(oval(0, 0, 1.9, 1.5), light(c, 0.6))
            + put(0, 0, path(star, dark(c, 0.4)), 0.8),
            1,
            a,
        )

    green, pink, blue = "#8FC48A", "#E9A3AC", "#8FB9DA"
    heap = (
        (9, 10.6, -6, pink),
        (24, 10.8, 8, green),
        (17, 10, 0, blue),
        (10, 7.6, 14, green),
        (24.6, 7.6, -12, pink),
        (17, 6.4, 6, green),
        (13, 4.6, -10, blue),
        (21, 4.2, 12, pink),
        (17, 2.8, -3, green),
    )
    return Prop("heap of toy banknotes", w, h, shadow(17, 13, 16, 1.2, 0.5) + "".join(note(*n) for n in heap))


def cards(w: float = 34, h: float = 14) -> Prop:
    """A heap of playing cards in the box of the banknotes."""

    def card(x: float, y: float, a: float, back: bool) -> str:
        face = (
            path(box(-6.2, -2, 12.4, 4, 0.4), CORAL) + stroke("M-5-1.4L5 1.4M-5 1.4L5-1.4", CREAM, 0.4)
            if back
            else path("M-1.2 0Q0-2.4 1.2 0Q.4 1 0 2Q-.4 1-1.2 0z", RED)
        )
        return put(x, y, form(box(-7, -2.7, 14, 5.4, 0.8), WHITE, 0.5, 0.2) + face, 1, a)

    heap = (
        (9, 10.6, -6, True),
        (24, 10.8, 8, False),
        (17, 10, 0, True),
        (10, 7.6, 14, False),
        (24.6, 7.6, -12, True),
        (17, 6.4, 6, False),
        (13, 4.6, -10, True),
        (21, 4.2, 12, False),
        (17, 2.8, -3, True),
    )
    return Prop("heap of playing cards", w, h, shadow(17, 13, 16, 1.2, 0.5) + "".join(card(*n) for n in heap))


def crisps() -> Prop:
    chips = "".join(form(oval(4 + 4.4 * i, 3 - (i % 3), 3, 1.7), ("#F0C25B", "#E3AE48")[i % 2], 0.6) for i in range(5))
    return Prop(
        "bowl of crisps",
        26,
        13,
        shadow(13, 12.6, 11, 1, 0.5)
        + path(oval(13, 4, 12.6, 2.6), dark(BLUE, 0.3))
        + chips
        + form("M.4 4Q13 8 25.6 4Q25 12 17 13H9Q1 12 .4 4z", BLUE, 2, 0.5),
    )
