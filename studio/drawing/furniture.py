"""Furniture that stands: all its legs, a top with depth, seats at the height of knees.

Anchors: `top` or `seat` is the middle of the surface, to place things on with `scene.at(placed, "top")` and the
carrier's own ground line.
"""

from __future__ import annotations

from studio.drawing.kit import (
    CREAM,
    LEAF,
    RED,
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
    shadow,
    stroke,
)


def table(w: float = 120, h: float = 74, colour: str = WOOD, *, deep: float = 0.16, cloth: str = "") -> Prop:
    """A table from the front: a top plane `deep` of its width high, a rail and four legs."""
    d, t = w * deep, 4.0
    back, leg = h - d * 0.45, max(w * 0.05, 4.5)
    legs = "".join(form(box(x, d, leg * 0.9, back - d, 1), dark(colour, 0.3), 1) for x in (w * 0.1, w * 0.9 - leg))
    rail = form(box(w * 0.05, d + t, w * 0.9, 7), dark(colour, 0.14), 1.4)
    front = "".join(form(box(x, d + t, leg, h - d - t, 1), colour, leg * 0.26, 0.6) for x in (w * 0.04, w * 0.96 - leg))
    plane = path(poly((w * 0.06, 0), (w * 0.94, 0), (w, d), (0, d)), light(colour, 0.34))
    edge = form(box(0, d, w, t, 1), colour, 1, 0.5)
    body = shadow(w / 2, h - 1, w * 0.54, max(d * 0.4, 4), 0.55) + legs + rail + front + plane + edge
    if cloth:
        drop = h * 0.32
        hang = (
            f"M0 {d}H{w}L{w + 1} {d + drop}" + "".join(f"q{-w / 16:.2f} 4 {-(w + 2) / 8:.2f} 0" for _ in range(8)) + "z"
        )
        folds = "".join(f"M{w * k / 8:.1f} {d + 3}L{w * k / 8 - 1:.1f} {d + drop:.1f}" for k in range(1, 8))
        body += form(hang, cloth, 2, 0, stroke(folds, dark(cloth, 0.12), 0.9))
        body += path(poly((w * 0.06, 0), (w * 0.94, 0), (w, d), (0, d)), light(cloth, 0.4))
    return Prop("table", w, h, body, {"top": (w / 2, d * 0.6), "edge": (w / 2, d)})


def round_table(w: float = 80, h: float = 72, colour: str = WOOD, cloth: str = "") -> Prop:
    """A table on one turned post with three feet."""
    ry = w * 0.11
    foot = stroke(
        f"M{w / 2} {h - 12}Q{w * 0.28} {h - 10} {w * 0.2} {h - 2}M{w / 2} {h - 12}Q{w * 0.72}"
        f" {h - 10} {w * 0.8} {h - 2}M{w / 2} {h - 14}V{h - 4}",
        dark(colour, 0.25),
        4,
    )
    post = form(
        f"M{w / 2 - 3} {ry}Q{w / 2 - 6} {h * 0.5} {w / 2 - 3} {h - 10}H{w / 2 + 3}Q{w / 2 + 6}"
        f" {h * 0.5} {w / 2 + 3} {ry}z",
        colour,
        1.6,
        0.6,
    )
    body = shadow(w / 2, h - 2, w * 0.42, 5, 0.6) + foot + post
    if cloth:
        hem = f"M0 {ry}V{ry + 15}A{w / 2} {ry} 0 0 0 {w} {ry + 15}V{ry}z"
        body += form(
            hem, cloth, 2.4, 0, stroke(f"M{w * 0.2} {ry}v40M{w * 0.5} {ry}v40M{w * 0.8} {ry}v40", dark(cloth, 0.14), 1)
        )
        body += path(oval(w / 2, ry, w / 2, ry), light(cloth, 0.35))
    else:
        body += form(f"M0 {ry}A{w / 2} {ry} 0 0 0 {w} {ry}v3.4A{w / 2} {ry} 0 0 1 0 {ry + 3.4}z", colour, 1.2)
        body += path(oval(w / 2, ry, w / 2, ry), light(colour, 0.34))
    return Prop("round table", w, h, body, {"top": (w / 2, ry * 1.1), "edge": (w / 2, ry * 1.8)})


def chair(
    colour: str = WOOD, *, facing: int = 0, seat: float = 45, w: float = 44, h: float = 90, pad: str = ""
) -> Prop:
    """A chair from the front (0), from behind (2) or from the side (1 looks right, -1 left), with four legs."""
    top, leg = h - seat, 4.2
    if facing in (1, -1):
        k = facing
        xs = {1: (w * 0.08, w * 0.9), -1: (w * 0.92, w * 0.1)}[k]  # back and front edge

        def bar(x: float, y: float, x1: float, y1: float, c: str) -> str:
            return form(poly((x - 2, y), (x + 2, y), (x1 + 2, y1), (x1 - 2, y1)), c, 0.9)

        far = bar(xs[0] + k * 4, top, xs[0] + k * 3, h - 3, dark(colour, 0.3)) + bar(
            xs[1] - k * 4, top, xs[1] - k * 4, h - 3, dark(colour, 0.3)
        )
        near = (
            bar(xs[0] - k * 3, 0, xs[0], top, colour)
            + bar(xs[0], top, xs[0] - k * 2, h, colour)
            + bar(xs[1], top, xs[1], h, colour)
        )
        plane = form(box(min(xs) - 2, top - 2, abs(xs[1] - xs[0]) + 4, 5, 1.6), pad or light(colour, 0.1), 1, 0.5)
        rung = stroke(f"M{xs[0]:.1f} {h - 14}L{xs[1]:.1f} {h - 14}", dark(colour, 0.2), 2)
        body = shadow(w / 2, h - 1, w * 0.56, 3.4, 0.6) + far + rung + near + plane
        return Prop("chair", w, h, body, {"seat": (w / 2, top - 2)})
    d = 7.0
    back = form(box(1, 0, 4.4, h - 6, 2), dark(colour, 0.2), 1) + form(
        box(w - 5.4, 0, 4.4, h - 6, 2), dark(colour, 0.2), 1
    )
    slats = "".join(form(box(4, y, w - 8, 6.4, 1.6), colour, 1.2, 0.5) for y in (2.5, 14, 25.5))
    plane = path(poly((4, top - d), (w - 4, top - d), (w, top), (0, top)), light(pad or colour, 0.3))
    edge = form(box(0, top, w, 4.4, 1.2), pad or colour, 1, 0.5)
    front = "".join(form(box(x, top + 4, leg, seat - 4, 1), colour, 1.1, 0.5) for x in (1.4, w - 1.4 - leg))
    rung = form(box(4, h - 16, w - 8, 2.6), dark(colour, 0.16), 0.7)
    parts = (back, slats, rung, plane, edge, front) if facing == 0 else (rung, plane, edge, front, back, slats)
    body = shadow(w / 2, h - 2, w * 0.56, 4, 0.6) + "".join(parts)
    return Prop("chair", w, h, body, {"seat": (w / 2, top - d * 0.3)})


def stool(colour: str = WOOD, seat: float = 45) -> Prop:
    w, h = 36.0, seat
    legs = "".join(
        form(poly((a, 4), (a + 4, 4), (b + 4, h - lift), (b, h - lift)), c, 0.9)
        for a, b, c, lift in (
            (8, 5, dark(colour, 0.3), 4),
            (24, 27, dark(colour, 0.3), 4),
            (5, 0, colour, 0),
            (27, 32, colour, 0),
        )
    )
    rung = stroke(f"M4 {h * 0.7:.1f}H32", dark(colour, 0.2), 2)
    top = form("M1 3.4A17 3.4 0 0 0 35 3.4v3A17 3.4 0 0 1 1 6.4z", colour, 1) + path(
        oval(18, 3.4, 17, 3.4), light(colour, 0.34)
    )
    return Prop("stool", w, h, shadow(18, h - 1, 20, 3, 0.6) + legs + rung + top, {"seat": (18, 3.4)})


def bench(w: float = 150, colour: str = WOOD, iron: str = "#4B5368") -> Prop:
    """A park bench from the front: backrest, seat with depth, two iron frames with a front and a back leg each."""
    h, top, d = 84.0, 38.0, 9.0
    frames = ""
    for x in (w * 0.1, w * 0.84):
        frames += form(box(x + 7, 2, 4, h - 9, 2), dark(iron, 0.3), 1)  # back leg, up to the backrest
    slats = "".join(form(box(0, y, w, 8.4, 2), colour, 1.6, 0.6) for y in (2, 13.5, 25))
    plane = "".join(
        path(poly((i, y), (w - i, y), (w - j, y1), (j, y1)), light(colour, t))
        for i, y, j, y1, t in ((4, top - d, 2.6, top - d * 0.62, 0.22), (2.4, top - d * 0.54, 1.2, top - d * 0.16, 0.3))
    )
    edge = form(box(0, top - 1, w, 5, 1.6), colour, 1.2, 0.6)
    for x in (w * 0.1, w * 0.84):
        frames_front = form(box(x, top + 4, 5, h - top - 4, 1.6), iron, 1.3, 0.6) + form(
            box(x - 3, h - 3, 11, 3, 1.4), iron, 0.8
        )
        arm = form(
            f"M{x - 1} {top - 2}V{top - 15}Q{x - 1} {top - 19} {x + 3} {top - 19}H{x + 7}V{top - 15}"
            f"H{x + 4}V{top - 2}z",
            iron,
            1.2,
            0.5,
        )
        edge += frames_front + arm
    body = shadow(w / 2, h - 2, w * 0.54, 6, 0.6) + frames + slats + plane + edge
    return Prop("bench", w, h, body, {"seat": (w / 2, top - d * 0.4)})


def sofa(colour: str = TEAL, w: float = 190, cushions: tuple[str, ...] = (CREAM, RED)) -> Prop:
    h, top = 84.0, 44.0
    feet = "".join(form(box(x, h - 7, 6, 7, 1), dark(WOOD, 0.3), 1.4) for x in (14, w * 0.3, w * 0.68, w - 20))
    back = form(box(12, 0, w - 24, 60, 12), dark(colour, 0.1), 4, 1)
    n = 1 if w < 120 else 2 if w < 210 else 3
    seat_w = (w - 44) / n
    seats = "".join(
        path(
            poly(
                (24 + i * seat_w, top - 8),
                (20 + (i + 1) * seat_w, top - 8),
                (22 + (i + 1) * seat_w, top),
                (22 + i * seat_w, top),
            ),
            light(colour, 0.3),
        )
        + form(box(22 + i * seat_w, top - 1, seat_w - 1, 17, 4), light(colour, 0.1), 3, 0.8)
        for i in range(n)
    )
    base = form(box(10, top + 14, w - 20, h - top - 20, 4), dark(colour, 0.12), 3)
    arms = "".join(form(box(x, 24, 24, h - 29, 10), colour, 4, 1.2) for x in (0, w - 24))
    pads = "".join(form(box(x, top - 30, 28, 26, 7), c, 3, 0.6) for x, c in zip((30, w - 60), cushions, strict=False))
    body = shadow(w / 2, h - 2, w * 0.53, 6, 0.6) + feet + back + base + seats + pads + arms
    return Prop("sofa", w, h, body, {"seat": (w / 2, top - 4)})


def armchair(colour: str = RED) -> Prop:
    made = sofa(colour, 96, ())
    return Prop("armchair", made.w, made.h, made.body, made.anchors)


def picnic_table(w: float = 170, colour: str = WOOD) -> Prop:
    """Table and two benches in one, on two crossed trestles."""
    h = 76.0
    legs = "".join(
        form(poly((x - 4, 14), (x + 2, 14), (x + k * 17 + 2, h - lift), (x + k * 17 - 4, h - lift)), c, 1.2)
        for x in (w * 0.24, w * 0.76)
        for k, c, lift in ((1, dark(colour, 0.3), 6), (-1, dark(colour, 0.12), 0))
    )
    far = form(box(6, 38, w - 12, 5, 1), dark(colour, 0.26), 1)
    near = path(poly((2, 46), (w - 2, 46), (w, 52), (0, 52)), light(colour, 0.3)) + form(
        box(0, 52, w, 4.4, 1), colour, 1, 0.5
    )
    top = path(poly((8, 0), (w - 8, 0), (w - 2, 13), (2, 13)), light(colour, 0.34)) + form(
        box(2, 13, w - 4, 5, 1), colour, 1, 0.5
    )
    seams = stroke(f"M6.6 4.4H{w - 6.6}M4.6 8.6H{w - 4.6}", dark(colour, 0.12), 0.7)
    body = shadow(w / 2, h - 2, w * 0.52, 7, 0.6) + far + legs + top + seams + near
    return Prop("picnic table", w, h, body, {"top": (w / 2, 8), "seat": (w / 2, 49)})


def bed(w: float = 200, quilt: str = TEAL, colour: str = WOOD, pillow: str = CREAM) -> Prop:
    """A bed from its side, the head to the left."""
    h = 90.0
    head = form(box(0, 0, 9, h, 3), colour, 2.4, 0.8)
    foot = form(box(w - 8, 34, 8, h - 34, 3), colour, 2.2, 0.8)
    rail = form(box(6, 62, w - 12, 14), dark(colour, 0.1), 2.4)
    legs = "".join(form(box(x, 74, 6, 12), dark(colour, 0.3), 1.4) for x in (24, w - 34))
    mattress = form(box(8, 46, w - 16, 20, 5), CREAM, 3)
    cushion = form(box(11, 34, 40, 18, 8), pillow, 3, 1)
    cover = form(
        f"M46 44Q{w * 0.6:.0f} 38 {w - 8} 44V68Q{w * 0.6:.0f} 74 46 70z",
        quilt,
        4,
        0,
        stroke(f"M60 48Q{w * 0.6:.0f} 42 {w - 10} 48", light(quilt, 0.3), 2),
    )
    body = shadow(w / 2, h - 2, w * 0.52, 6, 0.6) + legs + head + rail + mattress + cushion + cover + foot
    return Prop("bed", w, h, body, {"top": (w / 2, 44), "pillow": (30, 38)})


def shelf(w: float = 90, h: float = 180, rows: int = 4, colour: str = WOOD, inner: str = "") -> Prop:
    """An open shelf; anchors row0 (top board) to row<n> are where things stand."""
    t, gap = 3.4, (h - 6) / rows
    out = shadow(w / 2, h - 1, w * 0.55, 4, 0.6) + form(box(0, 0, w, h, 1.6), colour, 3, 1)
    anchors = {"row0": (w / 2, 0.0)}
    for i in range(rows):
        y = t + i * gap
        out += path(box(t, y, w - 2 * t, gap - t), inner or dark(colour, 0.36)) + path(
            box(t, y, w - 2 * t, gap * 0.16), dark(colour, 0.5), extra='opacity=".5"'
        )
        anchors[f"row{i + 1}"] = (w / 2, y + gap - t)
    return Prop("shelf", w, h, out, anchors)


def cupboard(w: float = 100, h: float = 90, colour: str = LEAF, doors: int = 2) -> Prop:
    """A low cupboard with doors and a top plane."""
    d = 8.0
    top = path(poly((4, 0), (w - 4, 0), (w, d), (0, d)), light(colour, 0.4)) + form(
        box(0, d, w, 4, 1), light(colour, 0.1), 1
    )
    front = form(box(2, d + 4, w - 4, h - d - 9), colour, 2.4)
    each = (w - 8) / doors
    for i in range(doors):
        x = 4 + i * each
        front += form(box(x + 2, d + 8, each - 4, h - d - 18, 1.6), light(colour, 0.12), 1.4, 0.6)
        front += form(oval(x + (each - 6 if i % 2 == 0 else 6), h * 0.5, 1.6), dark(colour, 0.5), 0.4)
    feet = "".join(form(box(x, h - 6, 6, 6), dark(colour, 0.4), 1.2) for x in (5, w - 11))
    return Prop(
        "cupboard", w, h, shadow(w / 2, h - 1, w * 0.54, 4, 0.6) + feet + front + top, {"top": (w / 2, d * 0.6)}
    )
