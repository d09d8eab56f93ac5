"""Rooms beside an office: a copier, shelves of files, boxes for a move, a tea kitchen."""

from __future__ import annotations

from studio.drawing.kit import (
    BLUE,
    CORAL,
    CREAM,
    INK,
    LEAF,
    NAVY,
    PINK,
    RED,
    SKY,
    STEEL,
    SUN,
    TEAL,
    TEXT,
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
    shadow,
    stroke,
    veil,
)


def copier() -> Prop:
    """A photocopier from slightly above with its lid open and a party flyer on the glass, 176 x 176 cm."""
    grey = "#D9DEE2"
    lid = (
        form("M30-4H104q6 0 7 6L118 66H12L23 2q1-6 7-6z", "#9AA6B1", 5, 1.4)
        + path(poly((31, 6), (103, 6), (110, 60), (21, 60)), "#F4F4EE")
        + veil(poly((31, 6), (103, 6), (104, 14), (29, 14)), "#3A2A5C", 0.12)
        + form(box(34, -12, 66, 10, 4), "#C3CBD2", 2)
        + "".join(form(box(x, 60, 12, 9, 2), STEEL, 1) for x in (28, 90))
    )
    out = form(poly((-30, 112), (2, 118), (2, 124), (-30, 119)), "#AEB8C1", 2) + "".join(
        path(poly((-26, 110 - y), (2, 115 - y), (2, 117 - y), (-26, 112 - y)), c)
        for y, c in ((0, "#E9E4D6"), (2, WHITE), (4, "#E9E4D6"), (6, WHITE))
    )
    top = path(poly((14, 64), (160, 64), (176, 100), (0, 100)), light(grey, 0.5))
    glass = path(poly((20, 68), (116, 68), (112, 95), (8, 95)), "#4B5B68") + path(
        poly((22, 70), (60, 70), (40, 93), (12, 93)), "#5F7382"
    )
    panel = (
        path(poly((124, 68), (156, 68), (160, 76), (125, 76)), "#4B5368")
        + path(poly((127, 70), (144, 70), (146, 74), (128, 74)), "#BFE2EC")
        + path(oval(152, 72, 2.6, 1.8), LEAF)
    )
    front = (
        form(box(0, 99, 176, 76, 4), grey, 8, 2)
        + path(box(0, 106, 12, 12), "#4B5368")
        + "".join(
            form(box(24, y, 128, 20, 3), dark(grey, 0.08), 2)
            + path(box(66, y, 44, 6, 3), "#6B7480")
            + path(box(136, y + 5, 9, 11, 1), WHITE)
            + stroke(f"M138 {y + 8}h5M138 {y + 11}h5M138 {y + 14}h3", STEEL, 0.8)
            for y in (126, 150)
        )
        + form(oval(160, 111, 5), LEAF, 1)
        + "".join(path(box(x, 107, 7, 7, 2), "#6B7480") for x in (126, 136, 146))
    )
    flat = f'<g transform="matrix(1.02,0,-0.22,0.66,34,70)">{_party()}</g>'
    return Prop(
        "photocopier",
        176,
        176,
        shadow(88, 174, 96, 7, 0.6) + out + lid + top + glass + flat + panel + front,
        shows=frozenset({TEXT}),
    )


def _party() -> str:
    """A flyer with a big sun and the words STREET PARTY, 66 x 36."""
    sun = form(oval(15, 18, 8), SUN, 1.6) + stroke(
        "M15 6V3M15 33V30M3 18H0M30 18H27M7 10L5 8M23 10l2-2M7 26l-2 2M23 26l2 2", CORAL, 1.8
    )
    return (
        path(box(0, 0, 66, 36), WHITE)
        + path(box(1.5, 1.5, 28, 33), "#CFE7EA")
        + sun
        + lettering("STREET", 47.5, 16.4, 10, RED, 32)
        + lettering("PARTY", 47.5, 31, 10, NAVY, 32)
    )


def novel() -> Prop:
    """A thick novel with a glossy cover that lies flat, its page edges to us, 38 x 24 cm."""
    board = "#8C3B5E"
    cover = (
        form(poly((3, 10), (33, 10), (38, 0), (9, 0)), board, 0.8, 0.5)
        + path(poly((11, 7.6), (28, 7.6), (30.6, 2.4), (14, 2.4)), SUN)
        + form(oval(21, 5, 3, 1.6), CORAL, 0.4)
        + path(poly((10, 9), (15, 1), (18, 1), (13, 9)), WHITE, extra='opacity=".35"')
    )
    pages = (
        path(box(4, 12, 28, 9), "#F4EEDC")
        + stroke("M4 14H32M4 16H32M4 18H32M4 20H32", dark("#F4EEDC", 0.2), 0.6)
        + path(poly((32, 12), (37, 3), (37, 12), (32, 21)), dark("#F4EEDC", 0.2))
    )
    boards = (
        form(box(2, 9.6, 31, 2.6, 1), board, 0.6)
        + form(box(2, 20.6, 31, 2.6, 1), board, 0.6)
        + path(poly((33, 23), (38, 14), (38, 12), (33, 21)), dark(board, 0.3))
        + form(box(1, 9.6, 4, 13.6, 1.6), dark(board, 0.1), 0.8)
    )
    return Prop("thick novel", 38, 24, veil(oval(20, 23.2, 17, 0.8), "#3A2A5C", 0.35) + pages + cover + boards)


def lunch_box() -> Prop:
    """A lunch box, in the box of the novel."""
    return Prop(
        "lunch box",
        38,
        24,
        veil(oval(20, 23.2, 17, 0.8), "#3A2A5C", 0.35)
        + stroke("M12 8V4Q12 2 14 2H24Q26 2 26 4V8", TEAL, 2.2)
        + form(box(2, 7, 34, 16, 4), SKY, 3, 0.8)
        + stroke("M2 12H36", dark(SKY, 0.3), 1.2)
        + form(box(15, 10, 8, 5, 1.5), WHITE, 0.6)
        + form(oval(9, 18, 2.6), RED, 0.6)
        + form(oval(29, 18, 2.6), SUN, 0.6),
    )


def file_shelf(w: float = 130, h: float = 190) -> Prop:
    """A shelf of ring binders."""
    out, rows = "", 4
    for row in range(rows):
        y = (h - 10) / rows * (row + 1)
        x, k = 8.0, row * 3
        while x < w - 16:
            t, c = (8, 10, 7)[k % 3], (RED, NAVY, TEAL, SUN, CREAM, CORAL, BLUE)[k % 7]
            out += (
                form(box(x, y - 34, t, 34, 0.8), c, 1.6)
                + path(box(x + 1.6, y - 28, t - 3.2, 9, 0.6), CREAM)
                + path(oval(x + t / 2, y - 7, 1.4), dark(c, 0.5))
            )
            x += t + 1.2
            k += 1
            if k % 8 == 0:
                x += 12
        out += path(box(4, y, w - 8, 4), light(WOOD, 0.2))
    return Prop(
        "shelf of files",
        w,
        h,
        shadow(w / 2, h - 1, w * 0.54, 6, 0.5)
        + form(box(0, 0, w, h - 2, 2), WOOD, 5, 1.2)
        + path(box(5, 5, w - 10, h - 12), dark(WOOD, 0.35))
        + out,
    )


def paper_basket() -> Prop:
    """A wire basket of crumpled paper, 40 x 46 cm."""
    return Prop(
        "waste-paper basket",
        40,
        46,
        shadow(20, 45, 20, 3, 0.6)
        + "".join(
            form(f"M{x - 8} {y}l4-6l5 2l5-4l3 6l-2 6l2 5l-9 2l-6-4z", c, 1.6)
            + stroke(f"M{x - 4} {y - 5}l3 6l6-2M{x - 1} {y + 1}l-3 5", dark(c, 0.2), 0.7)
            for x, y, c in ((12, 9, WHITE), (28, 8, CREAM), (20, 4, WHITE))
        )
        + form(
            "M3 12H37L32 45H8z",
            "#8FA6A8",
            4,
            0.8,
            stroke("M10 12L13 45M17 12L18 45M24 12L23 45M31 12L28 45M4 22H36M6 33H34", dark("#8FA6A8", 0.25), 1.2),
        ),
    )


def moving_box(label: str = "", w: float = 60) -> Prop:
    """A cardboard box, `w` x 0.75 w cm."""
    h, card = w * 0.75, "#D0A471"
    words = (
        lettering(label, w / 2, h * 0.7, w * 0.12, dark(card, 0.5), w * 0.8)
        if label
        else path(box(w * 0.62, h * 0.6, w * 0.24, h * 0.2), dark(card, 0.14))
    )
    return Prop(
        "moving box",
        w,
        h,
        shadow(w / 2, h - 1, w * 0.54, 4, 0.6)
        + form(box(0, 8, w, h - 8, 1.5), card, w * 0.07, 1)
        + path(box(w * 0.44, 8, w * 0.12, h * 0.3), light(card, 0.35))
        + words,
    )


def floor_plan() -> Prop:
    """A plan of a room on a table, 60 x 10 cm as seen from the front."""
    return Prop(
        "floor plan",
        60,
        11,
        path(poly((8, 0), (52, 0), (60, 10), (0, 10)), "#F6FAFB")
        + stroke("M12 2H48L54 8.6H6zM30 2V5M22 5.4h16v3", BLUE, 0.9)
        + form(box(-3, 6, 8, 5, 2.4), "#E4EEF2", 1),
    )


def fridge() -> Prop:
    """A tall fridge, 70 x 170 cm, with magnets."""
    return Prop(
        "fridge",
        70,
        170,
        shadow(36, 168, 40, 6, 0.6)
        + form(box(2, 0, 66, 166, 5), "#CFE0DC", 7, 2)
        + stroke("M2 58H68", dark("#CFE0DC", 0.25), 2)
        + form(box(8, 30, 4, 20, 2), STEEL, 1)
        + form(box(8, 66, 4, 30, 2), STEEL, 1)
        + form(box(28, 18, 24, 18, 1), SUN, 1)
        + path(oval(40, 18, 2), RED)
        + path(oval(50, 76, 3), CORAL)
        + path(box(34, 84, 9, 9, 2), TEAL)
        + path(box(6, 164, 8, 5) + box(56, 164, 8, 5), INK),
    )


def tea_counter() -> Prop:
    """A kitchen unit with sink, tap and kettle, 180 x 126 cm; the top is 90 cm high."""
    doors = "".join(
        form(box(6 + 58 * i, 46, 52, 72, 2), light("#7FA39A", 0.1), 3) + form(box(26 + 58 * i, 54, 12, 4, 2), SUN, 1)
        for i in range(3)
    )
    kettle = (
        form("M26 34Q24 14 38 14T52 34z", RED, 4, 1)
        + stroke("M30 16Q38 4 46 16", INK, 3)
        + stroke("M52 22l8-4", RED, 4)
    )
    tap = stroke("M120 36V16Q120 8 128 8T136 16V20", STEEL, 4) + path(box(100, 35, 60, 5, 2), "#B9C2CA")
    return Prop(
        "kitchen unit",
        180,
        126,
        shadow(90, 124, 96, 6, 0.6)
        + form(box(0, 40, 180, 84, 2), "#7FA39A", 6)
        + doors
        + form(box(-3, 34, 186, 9, 2), "#E9E2D2", 2, 1)
        + kettle
        + tap
        + "".join(form(box(68 + 12 * i, 26, 9, 9, 1.5), c, 1) for i, c in enumerate((SUN, CORAL))),
    )


def high_table(w: float = 110) -> Prop:
    """A high round table to stand at, `w` x 108 cm, on a broad foot."""
    return Prop(
        "high table",
        w,
        108,
        shadow(w / 2, 107, w * 0.3, 5, 0.6)
        + form(oval(w / 2, 103, w * 0.26, 5), "#4B5368", 2)
        + form(box(w / 2 - 4, 10, 8, 92, 2), "#4B5368", 2.4)
        + form(oval(w / 2, 8, w / 2, 8), "#E3C08A", 2, 1)
        + path(f"M0 8Q{w / 2} 24 {w} 8V12Q{w / 2} 28 0 12z", dark("#E3C08A", 0.25)),
    )


def biscuits() -> Prop:
    """A tin of biscuits on a table, 26 x 10 cm."""
    return Prop(
        "biscuits",
        26,
        10,
        "".join(form(oval(5 + 4 * i, 4 - i % 2, 4, 2.4), "#D9A05B", 0.8) for i in range(5))
        + form(box(1, 4, 24, 6, 1.5), BLUE, 1.4, 0.4)
        + path(box(1, 6, 24, 1.6), PINK),
    )
