"""A living room and what stands in it."""

from __future__ import annotations

from studio.drawing.home.interiors import halo, landscape, picture, room, rug, shaft, tint, window
from studio.drawing.kit import (
    CORAL,
    CREAM,
    LEAF,
    NAVY,
    PINK,
    RED,
    SUN,
    TEAL,
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
)
from studio.drawing.scene import Setting


def living_room(
    time: str = "day",
    weather: str = "clear",
    *,
    paper: str = "#E9D8C4",
    pattern: str = "stripes",
    carpet: str = CORAL,
    horizon: float = 290,
    eye: float = 112,
    base: float = 480,
    panes: float = 92,
    pictures: bool = True,
) -> Setting:
    """A sitting room with a curtained window at `panes` px from the left; at night it is lamp-lit."""
    paper = {"day": paper, "dusk": dark(paper, 0.12), "night": dark(paper, 0.34)}[time]
    drape = {"day": TEAL, "dusk": "#B5657A", "night": "#4A5A8A"}[time]
    on_wall = window(panes, 84, 190, 214, time=time, weather=weather, curtains=drape)
    if time == "day" and weather == "clear" and panes < 600:
        on_wall = shaft(panes + 150, panes + 250, 90, 380, base) + on_wall
    if pictures:
        x = panes + 330 if panes < 500 else 120
        on_wall += landscape(x, 96, 128, 96, "dusk")
        moon = (
            path(box(x + 150, 60, 90, 120), "#CFE7EA")
            + form(oval(x + 194, 116, 22), CORAL, 5)
            + stroke(f"M{x + 160} 160q34-30 70 0", TEAL, 6)
        )
        on_wall += picture(x + 150, 60, 88, 112, moon, dark(WOOD, 0.3))
    ground = {"day": "#C99A6B", "dusk": "#B5835C", "night": "#7E5F60"}[time]
    front = {"day": "", "dusk": tint("#F08A3C", 0.1), "night": tint("#1B1F4A", 0.12)}[time]
    return room(
        "living room",
        paper=paper,
        pattern=pattern,
        ground=ground,
        base=base,
        horizon=horizon,
        eye=eye,
        on_wall=on_wall,
        on_floor=rug(520, base + 118, 400, 66, carpet),
        front=front,
        rail=light(paper, 0.5),
    )


def sofa(colour: str = TEAL, w: float = 190) -> Prop:
    """A sofa with two cushions, `w` x 84 cm; the seat is 42 cm high."""
    seat = w - 44
    back = form(f"M20 50V14Q20 2 34 2H{w - 34}Q{w - 20} 2 {w - 20} 14V50z", dark(colour, 0.1), 4, 1)
    seam = stroke(f"M{w / 2} 6V42", dark(colour, 0.26), 1)
    pads = "".join(form(box(22 + i * seat / 2, 38, seat / 2, 17, 5), light(colour, 0.08), 3, 0.8) for i in (0, 1))
    arms = "".join(form(f"M{x} 78V40Q{x} 27 {x + 12} 27T{x + 24} 40V78z", colour, 4, 1) for x in (0, w - 24))
    low = form(box(14, 54, w - 28, 22, 2), dark(colour, 0.16), 2)
    feet = "".join(
        form(poly((x, 76), (x + 7, 76), (x + 5, 84), (x + 2, 84)), dark(WOOD, 0.3), 1) for x in (8, w - 16, 30, w - 38)
    )
    return Prop("sofa", w, 84, shadow(w / 2, 82, w * 0.54, 6, 0.6) + feet + back + seam + low + pads + arms)


def cushion(colour: str = SUN, dots: str = CREAM) -> Prop:
    spots = path("".join(oval(x, y, 1.6) for x in range(4, 44, 8) for y in range(4, 40, 8)), dots)
    return Prop("cushion", 40, 36, form("M3 3Q20 6 37 3Q34 18 38 33Q20 30 2 33Q6 18 3 3z", colour, 4, 0.8, spots))


def armchair(colour: str = "#B5657A") -> Prop:
    """An armchair from the front, 92 x 96 cm; the seat is 42 cm high."""
    back = form(
        "M14 62V22Q14 2 46 2T78 22V62z",
        dark(colour, 0.08),
        5,
        1,
        path(
            "".join(oval(x, y, 1.3) for x, y in ((32, 20), (46, 16), (60, 20), (38, 34), (54, 34))), dark(colour, 0.3)
        ),
    )
    feet = "".join(form(poly((x, 86), (x + 8, 86), (x + 6, 96), (x + 2, 96)), dark(WOOD, 0.3), 1) for x in (8, 76))
    arms = "".join(form(f"M{x} 88V50Q{x} 38 {x + 10} 38T{x + 20} 50V88z", colour, 3, 1) for x in (2, 70))
    low = form(box(16, 64, 60, 24, 2), dark(colour, 0.2), 2)
    return Prop(
        "armchair",
        92,
        96,
        shadow(46, 94, 52, 5, 0.6)
        + feet
        + back
        + low
        + form(box(18, 50, 56, 18, 6), light(colour, 0.1), 3, 0.8)
        + arms,
    )


def coffee_table(w: float = 110, colour: str = WOOD) -> Prop:
    """Four legs, 42 cm high; the back pair is darker and shorter."""
    legs = "".join(form(box(x, 6, 4, 28, 1), dark(colour, 0.36), 1) for x in (14, w - 18))
    legs += "".join(
        form(poly((x, 6), (x + 6, 6), (x + 5, 42), (x + 1, 42)), dark(colour, 0.14), 1.6) for x in (5, w - 11)
    )
    top = path(poly((8, -5), (w - 8, -5), (w, 3), (0, 3)), light(colour, 0.2)) + form(
        box(0, 2.6, w, 5, 1.6), colour, 1.4
    )
    return Prop("coffee table", w, 42, shadow(w / 2, 41, w * 0.52, 5, 0.6) + legs + top)


def floor_lamp(lit: bool = False, shade: str = SUN) -> Prop:
    """A standing lamp, 44 x 160 cm."""
    base = form("M8 160Q10 154 22 154T36 160z", "#5A4A52", 1.6) + stroke("M22 154V34", "#5A4A52", 2.4)
    shine = halo(22, 22, 70, 56) if lit else ""
    return Prop(
        "floor lamp",
        44,
        160,
        shadow(22, 159, 18, 2.4, 0.6)
        + base
        + shine
        + form("M10 2H34L44 38H0z", light(shade, 0.3) if lit else shade, 4, 1),
    )


def bookcase(w: float = 80, h: float = 190, colour: str = "#A8744A", seed: int = 1) -> Prop:
    """Shelves full of books, and a gap or two with a small thing in it."""
    out = form(box(0, 0, w, h, 2), colour, 3, 1) + path(box(4, 4, w - 8, h - 10), dark(colour, 0.42))
    n = round(h / 38)
    step, cover = (h - 10) / n, (RED, NAVY, SUN, TEAL, PINK, LEAF, CREAM, CORAL)
    for row in range(n):
        floor_y, x, i = 4 + step * (row + 1), 6.0, 0
        while x < w - 12:
            k = (seed * 7 + row * 5 + i * 3) % 11
            wide, high = 3.4 + k % 3, step * (0.6 + 0.03 * (k % 6))
            if k == 10 and x < w - 24:
                out += form(oval(x + 8, floor_y - 8, 6), TEAL if row % 2 else CORAL, 1.6) + path(
                    box(x + 5, floor_y - 3, 6, 1.6), WOOD
                )
                x += 17
            else:
                c = cover[(k + row + i) % 8]
                out += form(box(x, floor_y - 1.4 - high, wide, high, 0.4), c, 0.7) + path(
                    box(x + 0.6, floor_y - high * 0.8, wide - 1.2, 1.6), light(c, 0.5)
                )
                x += wide + 0.4
            i += 1
        out += path(box(2, floor_y - 1.6, w - 4, 4), colour) + path(box(2, floor_y + 2, w - 4, 1.6), dark(colour, 0.5))
    return Prop("bookcase", w, h, shadow(w / 2, h - 1, w * 0.55, 4, 0.6) + out)


def sofa_back(colour: str = TEAL, w: float = 230, throw: str = "") -> Prop:
    """A sofa seen from behind, `w` x 86 cm: it hides its sitters up to the shoulders."""
    seams = stroke(f"M{w / 2} 6V74M14 20Q{w / 2} 26 {w - 14} 20", dark(colour, 0.2), 1.2)
    if throw:
        bands = stroke(f"M{w * 0.58} 12H{w * 0.9}M{w * 0.58} 30H{w * 0.9}M{w * 0.58} 48H{w * 0.9}", CREAM, 3)
        seams += form(f"M{w * 0.6} -2H{w * 0.86}L{w * 0.87} 58H{w * 0.59}z", throw, 3, 0.8, bands)
    feet = path(box(14, 78, 9, 8) + box(w - 23, 78, 9, 8), dark(WOOD, 0.5))
    arms = "".join(form(f"M{x} 78V42Q{x} 30 {x + 10} 30T{x + 20} 42V78z", dark(colour, 0.12), 3) for x in (-8, w - 12))
    return Prop(
        "sofa",
        w,
        86,
        shadow(w / 2, 84, w * 0.54, 5, 0.6)
        + feet
        + arms
        + form(
            f"M4 78V16Q4 2 20 2H{w - 20}Q{w - 4} 2 {w - 4} 16V78Q{w - 4} 80 {w - 6} 80H6Q4 80 4 78z",
            colour,
            4,
            1.4,
            seams,
        ),
    )


def pot_plant(size: float = 60, pot: str = CORAL) -> Prop:
    """A leafy house plant, `size` x 1.3 size."""
    leaves = "".join(
        put(30, 48, form("M0 0Q-9-18 0-38Q9-18 0 0z", c, 2) + stroke("M0-4V-30", dark(c, 0.2), 0.7), k, a)
        for a, k, c in (
            (-62, 0.9, dark(LEAF, 0.16)),
            (62, 0.9, dark(LEAF, 0.2)),
            (-34, 1.08, LEAF),
            (36, 1.06, dark(LEAF, 0.08)),
            (0, 1.2, light(LEAF, 0.1)),
            (-84, 0.7, LEAF),
            (86, 0.7, dark(LEAF, 0.1)),
        )
    )
    return Prop(
        "house plant",
        size,
        size * 1.3,
        put(
            0,
            0,
            shadow(30, 77, 16, 2, 0.6)
            + leaves
            + form("M16 46H44L40 76Q40 78 38 78H22Q20 78 20 76z", pot, 4, 0.8)
            + form(box(14, 43, 32, 7, 2), light(pot, 0.15), 1.4),
            size / 60,
        ),
    )
