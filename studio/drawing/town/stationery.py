"""What lies and hangs in an office: boards, papers, cabinets, machines, a mug."""

from __future__ import annotations

from studio.drawing.kit import (
    BLUE,
    CORAL,
    CREAM,
    NAVY,
    PINK,
    RED,
    STEEL,
    SUN,
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
)


def whiteboard(art: str = "", w: float = 150, h: float = 100) -> Prop:
    """A whiteboard for the wall, `w` x `h` cm; `art` in its own centimetres."""
    return Prop(
        "whiteboard",
        w,
        h,
        veil(box(3, 4, w, h, 2), "#3A2A5C", 0.18)
        + form(box(0, 0, w, h, 2), "#A9B1BF", 2, 0.8)
        + path(box(3, 3, w - 6, h - 6), "#FCFCF8")
        + art
        + form(box(w * 0.3, h - 3, w * 0.4, 4, 1), STEEL, 1)
        + path(box(w * 0.34, h - 6, 12, 3, 1), RED)
        + path(box(w * 0.46, h - 6, 12, 3, 1), NAVY),
    )


def cork_board(w: float = 120, h: float = 84) -> Prop:
    """A pinboard with notes and photographs."""
    notes = "".join(
        path(poly((x, y), (x + s, y + t), (x + s - t, y + s), (x - t, y + s - t)), c)
        + path(oval(x + s * 0.5, y + 2, 1.6), RED)
        for x, y, s, t, c in (
            (12, 12, 18, 1, SUN),
            (40, 10, 22, -1, WHITE),
            (74, 14, 18, 2, PINK),
            (96, 12, 16, 0, "#BFE2EC"),
            (16, 46, 22, -1, "#CFE0BE"),
            (50, 44, 24, 1, CREAM),
            (86, 46, 20, -2, CORAL),
        )
    )
    return Prop(
        "pinboard",
        w,
        h,
        veil(box(3, 4, w, h, 2), "#3A2A5C", 0.18)
        + form(box(0, 0, w, h, 2), WOOD, 2, 1)
        + path(box(4, 4, w - 8, h - 8), "#D9B07E")
        + notes,
    )


def filing_cabinet(colour: str = "#8FA6A8") -> Prop:
    """Four drawers, 50 x 132 cm."""
    return Prop(
        "filing cabinet",
        50,
        132,
        shadow(26, 131, 30, 5, 0.6)
        + form(box(0, 0, 50, 130, 2), colour, 5, 1.2)
        + "".join(
            form(box(4, 5 + 31 * i, 42, 28, 1), light(colour, 0.12), 2)
            + form(box(17, 13 + 31 * i, 16, 4, 2), STEEL, 1)
            + path(box(18, 21 + 31 * i, 14, 6, 1), CREAM)
            for i in range(4)
        ),
    )


def office_plant(w: float = 70, h: float = 150, pot: str = CORAL) -> Prop:
    """A potted rubber plant."""
    leaves = "".join(
        put(
            w * 0.5,
            h * 0.62,
            form(
                f"M0 0Q{s * 0.36:.1f} {-s * 0.4:.1f} 0 {-s}Q{-s * 0.36:.1f} {-s * 0.4:.1f} 0 0z",
                c,
                s * 0.06,
                0,
                stroke(f"M0 0V{-s * 0.9:.1f}", light(c, 0.25), s * 0.02),
            ),
            1,
            a,
        )
        for a, s, c in (
            (-62, h * 0.42, "#4E8560"),
            (60, h * 0.4, "#5E9160"),
            (-34, h * 0.54, "#5E9160"),
            (34, h * 0.52, "#4E8560"),
            (-8, h * 0.6, "#6FA37A"),
            (12, h * 0.56, "#4E8560"),
        )
    )
    return Prop(
        "plant",
        w,
        h,
        shadow(w / 2, h - 1, w * 0.36, 4, 0.6)
        + stroke(f"M{w * 0.5:.1f} {h * 0.78:.1f}V{h * 0.5:.1f}", "#7A5A48", 3)
        + leaves
        + form(poly((w * 0.26, h * 0.74), (w * 0.74, h * 0.74), (w * 0.68, h - 1), (w * 0.32, h - 1)), pot, 4, 1)
        + form(box(w * 0.23, h * 0.71, w * 0.54, h * 0.05, 1.5), pot, 2),
    )


def paper_stack(n: int = 6) -> Prop:
    """A stack of files, 32 x 3n cm."""
    sheets = "".join(
        form(
            box(1 + i * 7 % 4, 3 * n - 3 - 3 * i, 28, 3, 0.6),
            (CREAM, "#BFD9E2", WHITE, SUN, "#CFE0BE", PINK)[i % 6],
            0.6,
        )
        for i in range(n)
    )
    return Prop("papers", 32, 3 * n, shadow(16, 3 * n - 0.4, 17, 1.4, 0.6) + sheets)


def mug(colour: str = RED) -> Prop:
    """A mug with steam, 12 x 16 cm."""
    steam = stroke("M4 4Q2 2 4 0M7 4Q5 2 7 0", WHITE, 0.8, 'opacity=".8"')
    return Prop(
        "mug",
        12,
        16,
        shadow(5, 15.6, 6, 0.8, 0.7)
        + steam
        + stroke("M9 8h1.6q1.4 0 1.4 2t-1.4 2H9", colour, 1.4)
        + form("M1 6H9V14Q9 16 7 16H3Q1 16 1 14z", colour, 1.4, 0.4)
        + path(oval(5, 6, 4, 0.9), dark(colour, 0.4)),
    )


def printer() -> Prop:
    """An office printer on its cabinet, 70 x 120 cm."""
    return Prop(
        "printer",
        70,
        120,
        shadow(36, 119, 40, 5, 0.6)
        + form(box(4, 50, 62, 68, 3), "#C9CFD6", 6, 1)
        + stroke("M4 84h62", dark("#C9CFD6", 0.2), 1.4)
        + path(box(28, 64, 14, 4, 2) + box(28, 96, 14, 4, 2), STEEL)
        + form(box(0, 18, 70, 34, 4), "#E4E7E8", 5, 1)
        + path(box(12, 34, 46, 6, 2), "#4B5368")
        + path(poly((16, 37), (54, 37), (58, 50), (12, 50)), WHITE)
        + path(box(48, 22, 16, 8, 1), BLUE)
        + form(poly((14, 18), (56, 18), (52, 4), (18, 4)), WHITE, 2),
    )


def water_cooler() -> Prop:
    """A water dispenser, 36 x 130 cm."""
    return Prop(
        "water cooler",
        36,
        130,
        shadow(18, 129, 22, 4, 0.6)
        + form(box(3, 46, 30, 82, 3), WHITE, 4, 1)
        + form("M8 46V12Q8 4 18 4T28 12V46z", "#A9D3E6", 4, 1.2)
        + stroke("M10 22H26", WHITE, 1.6)
        + path(box(10, 62, 4, 6, 1), BLUE)
        + path(box(20, 62, 4, 6, 1), RED)
        + path(box(8, 74, 20, 3, 1), STEEL),
    )


def office_door(colour: str = "#8D6B52") -> Prop:
    """A door with its frame, 96 x 208 cm."""
    return Prop(
        "door",
        96,
        208,
        form(box(0, 0, 96, 208, 2), WHITE, 3)
        + form(box(8, 8, 80, 200, 1), colour, 5, 1)
        + path(box(26, 24, 44, 70, 2), "#CFE3E6")
        + path(poly((26, 24), (54, 24), (26, 70)), WHITE, extra='opacity=".5"')
        + form(oval(80, 112, 4), SUN, 1),
    )


def keyboard() -> Prop:
    """A keyboard on a table, 44 x 5 cm as seen from the front."""
    return Prop(
        "keyboard",
        44,
        5,
        form(poly((3, 0), (41, 0), (44, 4), (0, 4)), "#DDE2E6", 0.6)
        + stroke("M5 1.4H39M4 2.8H40", "#A9B1BF", 0.7, 'stroke-dasharray="2 0.8"'),
    )


def crayon(colour: str = RED) -> Prop:
    """A wax crayon, tip up, 2.8 x 14 cm."""
    return Prop("crayon", 2.8, 14, form("M0 14V4L1 0h.8L2.8 4V14z", colour, 0.5))


def drawing_things() -> Prop:
    """A child's drawing and crayons on the floor, 70 x 16 cm."""
    sheet = (
        path(poly((12, 2), (52, 2), (58, 15), (4, 15)), WHITE)
        + path(oval(24, 8, 4, 2.4), SUN)
        + stroke("M32 12l6-6l7 6M30 12h18", RED, 1)
        + stroke("M10 13q8-3 14 0", "#6FA35A", 1)
    )
    return Prop(
        "drawing",
        70,
        16,
        sheet + stroke("M58 6l9 2", RED, 1.6) + stroke("M60 11l8-1", BLUE, 1.6) + stroke("M2 6l6-3", CORAL, 1.6),
    )


def palm(w: float = 120, h: float = 170, pot: str = "#7FA39A") -> Prop:
    """A potted plant with long arching leaves."""
    leaves = ""
    for i, (dx, up) in enumerate(
        ((-0.46, 0.3), (0.46, 0.3), (-0.38, 0.46), (0.4, 0.44), (-0.24, 0.58), (0.26, 0.56), (-0.08, 0.66), (0.1, 0.64))
    ):
        x, top, fall = dx * w, -up * h, -up * h * (0.55 + abs(0.46 - abs(dx)))
        arch = f"M0 0Q{x * 0.3:.1f} {top * 1.25:.1f} {x:.1f} {fall:.1f}Q{x * 0.5:.1f} {top * 0.92:.1f} 0 0z"
        leaves += form(arch, ("#4E8560", "#5E9A66", "#6FA37A")[i % 3], 2)
    stem = stroke(f"M{w * 0.5:.1f} {h * 0.66:.1f}V{h * 0.8:.1f}", "#8A6A4A", 7)
    tub = form(poly((w * 0.32, h * 0.76), (w * 0.68, h * 0.76), (w * 0.63, h - 1), (w * 0.37, h - 1)), pot, 5, 1)
    return Prop("plant", w, h, shadow(w / 2, h - 1, w * 0.24, 4, 0.6) + stem + put(w * 0.5, h * 0.72, leaves) + tub)


def cactus(pot: str = SUN) -> Prop:
    """A cactus with two arms and a flower in a pot, 50 x 92 cm."""
    green = "#6FA37A"
    arms = stroke("M25 52H13V36M25 44H38V28", green, 9)
    body = form(box(17, 12, 16, 56, 8), green, 4, 1, stroke("M21 16V66M25 14V66M29 16V66", dark(green, 0.14), 1))
    tub = form(poly((11, 62), (39, 62), (35, 91), (15, 91)), pot, 4, 1) + form(box(8, 58, 34, 8, 2), pot, 2)
    return Prop("cactus", 50, 92, shadow(25, 91, 18, 3, 0.6) + arms + body + path(oval(25, 11, 6, 5), PINK) + tub)
