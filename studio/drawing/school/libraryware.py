"""What stands and lies in a library, in centimetres."""

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
    RED,
    SKY,
    STEEL,
    SUN,
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
    poly,
    put,
    shadow,
    stroke,
)  # fmt: skip
from studio.drawing.school.library import book_row


def ladder(h: float = 230) -> Prop:
    """A library ladder with wheels, leaning a little."""
    rails = form(poly((10, 0), (15, 0), (7, h), (1, h)), WOOD, 1.4, 0.5) + form(
        poly((43, 0), (48, 0), (55, h), (49, h)), WOOD, 1.4, 0.5
    )
    rungs = "".join(
        form(box(10 - i * 0.8, 14 + i * 24, 38 + i * 1.6, 4, 1), light(WOOD, 0.15), 1) for i in range(int(h / 24))
    )
    return Prop(
        "ladder",
        56,
        h,
        shadow(28, h - 1, 32, 3, 0.5)
        + rungs
        + rails
        + form(oval(4, h - 3, 3.4), INK, 0.8)
        + form(oval(52, h - 3, 3.4), INK, 0.8),
    )


def portrait(painted: str, skin: str = "") -> Prop:
    """A gilt frame, 74 x 92 cm, with what is painted in it; the fingers of somebody of that `skin` hold its sides."""
    gold = "#D9A441"
    frame = (
        form(box(0, 0, 74, 92, 2), gold, 2.4, 1)
        + form(box(4, 4, 66, 84, 1), dark(gold, 0.25), 1.4)
        + path(box(8, 8, 58, 76), "#4F5B4A")
    )
    beads = path(
        "".join(oval(x, y, 1.1) for x in range(4, 73, 6) for y in (2.2, 89.8))
        + "".join(oval(x, y, 1.1) for y in range(4, 90, 6) for x in (2.2, 71.8)),
        light(gold, 0.5),
    )
    fingers = "".join(
        stroke(f"M{x} {y}h{6 * k}", c, 3) for x, k in ((-1.4, 1), (75.4, -1)) for y, c in _finger_rows(skin)
    )
    return Prop("framed portrait", 74, 92, frame + beads + clipped(box(8, 8, 58, 76), painted) + fingers)


def _finger_rows(skin: str) -> list[tuple[float, str]]:
    """Heights and tones of four fingers on the side of a frame; none without a skin."""
    return [(44 + 3.2 * i, dark(skin, 0.12 * (i % 2))) for i in range(4)] if skin else []


def standing_globe(w: float, h: float) -> Prop:
    """A globe as high as a man's chest on a turned stand, in the middle of any box."""
    x, r = w / 2, min(w * 0.42, 34.0)
    cy = h - 100
    land = path(
        f"M{x - r * 0.7} {cy - r * 0.4}q{r * 0.4}-{r * 0.4} {r * 0.7}-{r * 0.1}t-{r * 0.1} {r * 0.7}"
        f"q-{r * 0.5} {r * 0.3}-{r * 0.6}-{r * 0.6}z"
        f"M{x + r * 0.2} {cy + r * 0.1}q{r * 0.5}-{r * 0.2} {r * 0.5} {r * 0.2}t-{r * 0.4} {r * 0.5}z",
        "#C9B06A",
    )
    ball = form(oval(x, cy, r), "#6F9FB0", r * 0.24, 1.4, land)
    ring = stroke(f"M{x - r - 4} {cy}A{r + 4} {r * 0.3} 0 0 0 {x + r + 4} {cy}", dark(WOOD, 0.2), 4) + stroke(
        f"M{x} {cy - r - 4}A{r + 4} {r + 4} 0 0 1 {x} {cy + r + 4}", "#D9A441", 2.4
    )
    legs = "".join(
        form(poly((x + a - 2, cy + 6), (x + a + 3, cy + 6), (x + b + 2, h - 1), (x + b - 3, h - 1)), c, 1.2)
        for a, b, c in ((-r - 1, -r + 6, WOOD), (r, r - 7, dark(WOOD, 0.15)))
    )
    post = form(box(x - 3, cy + r, 6, h - cy - r - 8, 1), dark(WOOD, 0.2), 1.6) + form(
        box(x - r + 4, h - 26, 2 * r - 8, 5, 1), dark(WOOD, 0.1), 1.2
    )
    return Prop("standing globe", w, h, shadow(x, h - 2, r * 1.1, 4, 0.6) + legs + post + ball + ring)


def trolley() -> Prop:
    """A book trolley with two decks of books and a bar to push at its right, 96 x 100 cm; anchor: bar."""
    iron = "#5A7F8C"
    wheels = "".join(form(oval(x, 96, 4.6), INK, 1) + path(oval(x, 96, 1.8), STEEL) for x in (12, 78))
    posts = form(box(4, 22, 4, 70, 1), iron, 1) + form(box(82, 6, 4, 86, 1), iron, 1) + stroke("M84 8H96", iron, 3.4)
    decks = "".join(
        put(9, y - 27, book_row(72, 27, seed, gap=False)) + form(box(4, y, 82, 4.6, 1), light(iron, 0.2), 1.2, 0.5)
        for y, seed in ((49, 2), (86, 9))
    )
    return Prop("book trolley", 98, 101, shadow(46, 100, 48, 3, 0.6) + wheels + posts + decks, {"bar": (93, 8)})


def reading_lamp() -> Prop:
    """A brass table lamp with a green shade, 36 x 40 cm."""
    brass = "#D9A441"
    return Prop(
        "reading lamp", 36, 40,
        shadow(18, 39.4, 13, 1.4, 0.6) + form("M9 40Q9 36 18 36T27 40z", brass, 1, 0.4)
        + form(box(16.8, 13, 2.4, 24, 0.6), brass, 0.7)
        + path(oval(18, 14.6, 8, 2), "#FFF1C0") + form("M2 14Q4 3 18 3T34 14z", "#3F8A68", 2.4, 0.8)
        + form(oval(18, 2.6, 1.6), brass, 0.4),
    )  # fmt: skip


def umbrella_stand() -> Prop:
    """Three wet umbrellas in a pot, 34 x 86 cm."""
    sticks = ""
    for x, c, a in ((10, RED, -7), (17, NAVY, 0), (24, SUN, 8)):
        one = stroke("M0 0V-22M0 0", dark(WOOD, 0.3), 1.6) + stroke("M0-22q0-6 5-6t5 5", dark(WOOD, 0.3), 2)
        one += form("M-4 40L-5-6Q0-12 5-6L4 40z", c, 1.6, 0.5) + stroke("M-1-8V40", dark(c, 0.25), 0.7)
        sticks += put(x, 34, one, 1, a)
    pot = form("M4 44H30L27 86H7z", "#B9C4C9", 3, 0.8, stroke("M4 52h26M5 80h24", dark("#B9C4C9", 0.3), 2))
    return Prop(
        "umbrella stand",
        34,
        86,
        shadow(17, 85, 16, 2, 0.6) + path(oval(17, 87.6, 22, 2.6), "#8FA9BE", extra='opacity=".5"') + sticks + pot,
    )


def beanbag(colour: str = CORAL) -> Prop:
    """A bean bag from behind, 88 x 42 cm; placed in front of a child, it holds the child up to the waist."""
    sack = "M4 38Q-4 20 12 8Q28 2 44 6Q60 2 76 8Q92 20 84 38Q44 46 4 38z"
    seams = stroke("M30 5Q20 22 26 41M58 5Q68 22 62 41", dark(colour, 0.16), 1)
    return Prop("bean bag", 88, 42, shadow(44, 40, 48, 4, 0.5) + form(sack, colour, 4, 1.2, seams))


def cushion(colour: str = CORAL) -> Prop:
    return Prop(
        "cushion",
        56,
        16,
        shadow(28, 15, 30, 3, 0.5)
        + form("M3 12Q-2 4 8 2Q28-2 48 2Q58 4 53 12Q28 20 3 12z", colour, 2.6, 0.9)
        + stroke("M6 9Q28 14 50 9", light(colour, 0.4), 1),
    )


def easel_stand(w: float, h: float, board_w: float, board_h: float, board: str) -> str:
    """Three wooden legs and a ledge under a board that is drawn in its upper part, middle at w / 2."""
    x = w / 2
    back = form(poly((x - 2, 2), (x + 2, 2), (x + 3, h - 8), (x - 3, h - 8)), dark(WOOD, 0.35), 1)
    legs = form(poly((x - 9, 0), (x - 4, 0), (x - w * 0.36, h), (x - w * 0.36 - 5, h)), WOOD, 1.2, 0.4)
    legs += form(poly((x + 4, 0), (x + 9, 0), (x + w * 0.36 + 5, h), (x + w * 0.36, h)), dark(WOOD, 0.08), 1.2, 0.4)
    y = 4
    ledge = form(box(x - board_w * 0.5, y + board_h, board_w, 5, 1), light(WOOD, 0.15), 1.2, 0.4)
    return shadow(x, h - 1.4, w * 0.4, 2.4, 0.6) + back + legs + put(x - board_w / 2, y, board) + ledge


def picture_books() -> Prop:
    """A pile of big picture books, 40 x 18 cm."""
    rows = ((0, 13, 40, RED), (3, 8.6, 34, SKY), (1, 4, 37, SUN), (6, 0, 28, LEAF))
    return Prop(
        "pile of picture books",
        40,
        18,
        shadow(20, 17.4, 22, 1.4, 0.6)
        + "".join(
            form(box(x, y, w, 4.6, 0.8), c, 1, 0.3) + path(box(x + 2, y + 1.4, w - 2, 1.8), CREAM)
            for x, y, w, c in rows[::-1]
        ),
    )


def toy_owl() -> Prop:
    """A stuffed owl, 24 x 30 cm."""
    body = form("M4 6L8 2L12 5L16 2L20 6Q24 18 20 26Q12 32 4 26Q0 18 4 6z", PLUM, 2.4, 0.6)
    eyes = "".join(
        path(oval(x, 11, 4.2), CREAM) + path(oval(x, 11, 2.2), INK) + path(oval(x - 0.7, 10.2, 0.7), WHITE)
        for x in (8, 16)
    )
    return Prop(
        "toy owl",
        24,
        30,
        shadow(12, 29, 11, 1.4, 0.6)
        + body
        + path(oval(12, 21, 5, 6), PINK)
        + eyes
        + form("M10.6 13.6H13.4L12 17z", SUN, 0.4)
        + stroke("M8 28.6h2M14 28.6h2", SUN, 1.6),
    )


def hammer_and_nails() -> Prop:
    """A hammer and three nails lying on a table, 40 x 8 cm."""
    hammer = form(box(4, 3.4, 30, 2.8, 1.2), WOOD, 0.8, 0.3) + form("M1 0H7.4V8H3Q1 8 1 6z", STEEL, 1, 0.3)
    nails = "".join(
        stroke(f"M{x} {y}l5 -.8", dark(STEEL, 0.3), 0.7) + stroke(f"M{x} {y - 1}v2", dark(STEEL, 0.3), 0.7)
        for x, y in ((37, 3), (40, 6), (35, 7.6))
    )
    return Prop("hammer and nails", 46, 9, shadow(22, 8.4, 22, 0.9, 0.5) + hammer + nails)


def blue_book(colour: str = BLUE) -> Prop:
    """A closed book to carry, 16 x 23 cm."""
    return Prop(
        "book",
        16,
        23,
        form(box(0, 0, 16, 23, 0.8), colour, 1.2, 0.4)
        + path(box(2, 1, 1, 21), dark(colour, 0.3))
        + path(box(6, 5, 7, 4, 0.5), light(colour, 0.6)),
    )
