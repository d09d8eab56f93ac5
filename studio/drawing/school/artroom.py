"""Things of an art room: treasure map, chest, crayons, framed pictures, in centimetres."""

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
)  # fmt: skip


def pencil_pot() -> Prop:
    """Coloured pencils in a tin, 14 x 24 cm."""
    sticks = "".join(
        stroke(f"M{5 + i * 1.2} 16L{x} {y}", c, 1.7) + path(oval(x, y, 0.9), "#E9CFA4")
        for i, (x, y, c) in enumerate(((2, 3, RED), (5, 1, SUN), (8, 2, LEAF), (11, 1, BLUE), (13, 4, PLUM)))
    )
    return Prop(
        "coloured pencils",
        15,
        24,
        shadow(7, 23.4, 7, 0.9, 0.6)
        + sticks
        + form(box(2, 11, 10, 12.6, 1), TEAL, 1.6, 0.5, path(box(2, 15, 10, 3), light(TEAL, 0.4))),
    )


def treasure_map() -> Prop:
    """A hand-drawn map lying on a table: island, palm, dotted path and a red X, 96 x 34 cm as seen from the front."""
    cast = "M14 4Q30 2 48 4T86 3Q90 12 96 32Q72 36 50 33T3 34Q8 18 14 4z"
    sheet = "M14 2Q30 0 48 2T84 1Q88 10 94 30Q70 34 48 31T2 32Q6 16 14 2z"
    island = path("M24 12Q34 4 52 8T78 10Q84 18 72 24T40 27Q18 24 24 12z", "#E9C98A") + stroke(
        "M24 12Q34 4 52 8T78 10Q84 18 72 24T40 27Q18 24 24 12z", "#8A6A3F", 0.8
    )
    palm = stroke("M36 19Q38 14 37 9", "#8A5A3A", 1.3) + stroke(
        "M37 9q-5-2-7 1M37 9q-4-5-7-3M37 9q5-3 7 0M37 9q4-5 8-3M37 9q0-4 2-5", "#4F8A4A", 1.5
    )
    trail = stroke("M42 22Q50 25 55 19T66 16", RED, 1.3, 'stroke-dasharray="2.4 2.4"')
    cross = stroke("M67 12.6l7 6M74 12.4l-8 6.4", RED, 2)
    sea = stroke("M18 27q3-2 6 0M80 26q3-2 6 0M20 7q3-2 6 0", BLUE, 0.9)
    ship = path("M14 20h8l-1.8 2.8h-4.6z", "#8A5A3A") + path("M18 19.4V13.6l3.8 5.2z", CORAL)
    return Prop(
        "treasure map",
        96,
        34,
        veil(cast, "#3A2A5C", 0.22) + form(sheet, "#F3E0B4", 1) + sea + island + palm + trail + cross + ship,
    )


def toy_chest() -> Prop:
    """A pirate's chest, open, with gold paper coins, 54 x 44 cm."""
    lid = form("M3 18Q2 2 27 2T51 18z", "#8A5A3A", 2.6, 0.8) + stroke("M14 4V18M40 4V18", SUN, 2.6)
    coins = "".join(
        form(oval(x, y, 3.6), SUN, 0.8, 0.3)
        for x, y in ((12, 19), (19, 17), (26, 19), (33, 17), (40, 19), (46, 20), (30, 15))
    )
    case = (
        form(box(2, 20, 50, 24, 1.6), "#9A6A42", 3, 0.8, stroke("M2 32H52", dark("#9A6A42", 0.25), 1))
        + stroke("M14 20V44M40 20V44", SUN, 2.6)
        + form(box(23, 20, 8, 9, 1), SUN, 1, 0.4)
    )
    return Prop(
        "toy chest",
        54,
        44,
        shadow(27, 43, 29, 2, 0.6)
        + path(box(3, 14, 48, 8), dark("#8A5A3A", 0.5))
        + lid
        + coins
        + case
        + path(oval(27, 24, 1.2), INK),
    )


def crayons() -> Prop:
    """Five crayons on a table, 36 x 10 cm."""
    out = "".join(
        put(
            x,
            y,
            path(box(0, 0, 11, 2, 0.5), c)
            + path(poly((11, 0), (13, 1), (11, 2)), light(c, 0.2))
            + path(box(3, 0, 1, 2), dark(c, 0.3)),
            1,
            a,
        )
        for x, y, c, a in ((2, 2, RED, 14), (12, 6, BLUE, -10), (20, 1, LEAF, 22), (6, 7, SUN, 0), (24, 6, PLUM, -16))
    )
    return Prop("crayons", 38, 10, shadow(18, 9, 18, 1, 0.35) + out)


def brush() -> Prop:
    """A paint brush to hold at (1.4, 12), its hair down."""
    return Prop(
        "brush",
        3,
        22,
        path(box(0.8, 0, 1.3, 14, 0.6), CORAL)
        + path(box(0.6, 13, 1.7, 3), STEEL)
        + form("M.4 16H2.6Q3 19 1.5 22Q0 19 .4 16z", "#6B4A38", 0.4),
    )


def candle_holder() -> Prop:
    """An unlit candle in a brass dish with a ring, 20 x 22 cm."""
    brass = "#D9A441"
    return Prop(
        "candle holder",
        22,
        22,
        shadow(10, 21.4, 11, 1, 0.6)
        + stroke("M17 18q5-2 4 2t-5 1", brass, 1.2)
        + form("M0 18H20Q19 22 15 22H5Q1 22 0 18z", brass, 1.2, 0.4)
        + form(box(7, 4, 6, 14, 0.8), CREAM, 1.2, 0.4)
        + stroke("M10 4V1.6", INK, 0.7)
        + path("M7 6q0 4 1.6 5V6z", WHITE),
    )


def diploma() -> Prop:
    """A framed certificate with lines, a ribbon and a red seal, 44 x 36 cm."""
    frame = (
        path(box(1.4, 1.8, 42.6, 34, 1), "#3A2A5C", extra='opacity=".25"')
        + form(box(0, 0, 42.6, 34, 1), "#6B4A38", 1, 0.5)
        + path(box(2.6, 2.6, 37.4, 28.8), "#FBF3DC")
    )
    edge = stroke(box(4.4, 4.4, 33.8, 25.2), "#D9A441", 0.7)
    lines = (
        stroke("M12 9.4h18.6", INK, 1.9)
        + stroke("M9 14.4h24.6M9 17.6h24.6M9 20.8h16", "#8A7D6B", 0.8)
        + stroke("M9 26q2-3 4 0t4-1t5 0", NAVY, 0.7)
    )
    seal = (
        path(poly((29, 25), (27.6, 31), (30.4, 29.4), (31.6, 31.4), (32.6, 25)), dark(RED, 0.2))
        + form(oval(31, 23.6, 4), RED, 0.8, 0.3)
        + stroke(oval(31, 23.6, 2.4), light(RED, 0.4), 0.5)
    )
    return Prop("framed diploma with a red seal", 44, 36, frame + edge + lines + seal)


def boat_picture() -> Prop:
    """A sailing boat in the same frame."""
    frame = (
        path(box(1.4, 1.8, 42.6, 34, 1), "#3A2A5C", extra='opacity=".25"')
        + form(box(0, 0, 42.6, 34, 1), "#6B4A38", 1, 0.5)
        + path(box(2.6, 2.6, 37.4, 28.8), "#BFE2EC")
    )
    sea = path("M2.6 22Q12 19.6 21 22T40 21.4V31.4H2.6z", BLUE)
    boat = (
        form("M12 21H31L27.6 26H15.6z", CORAL, 0.8)
        + path("M21 19.6V6L11.6 19.6z", WHITE)
        + path("M22.6 19.6V9L29.6 19.6z", SUN)
        + stroke("M21.8 21V5", "#6B4A38", 0.7)
    )
    return Prop("framed picture of a boat", 44, 36, frame + sea + boat)


def drawing_line(w: float) -> Prop:
    """Children's pictures on a line with pegs; `w` cm wide, 30 high."""
    n, out = int(w / 34), stroke(f"M0 2Q{w / 2} 8 {w} 2", "#8A6A4A", 0.7)
    arts = (
        form(oval(13, 18, 6), SUN, 1) + path(box(2, 24, 22, 4), LEAF),
        path("M4 26V16l9-7l9 7v10z", CORAL) + path(box(10, 19, 6, 7), "#6B4A38"),
        stroke("M13 26V16", LEAF, 1.6) + path(oval(13, 13, 5), PINK) + path(oval(13, 13, 2), SUN),
        path("M3 20q10-10 18 0q-8 8-18 0zM20 20l5-4v8z", SKY),
    )
    for i in range(n):
        x = 6 + i * 34
        sheet = (
            path(box(0.8, 4.8, 26, 26), "#3A2A5C", extra='opacity=".15"')
            + path(box(0, 4, 26, 26), WHITE)
            + arts[i % 4]
            + path(box(12, 1, 2.4, 6, 0.6), WOOD)
        )
        out += put(x, 0, sheet, 1, (-3, 2, -1, 3)[i % 4])
    return Prop("children's pictures", w, 32, out)
