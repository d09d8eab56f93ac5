"""Toys and the furniture of the playroom, each drawn in centimetres."""

from __future__ import annotations

from collections.abc import Sequence

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
    SUN,
    TEAL,
    WOOD,
    Prop,
    box,
    dark,
    flower,
    form,
    lettering,
    light,
    limb,
    oval,
    path,
    poly,
    shadow,
    stroke,
)


def books(widths: Sequence[tuple[float, float, str]]) -> Prop:
    x, out = 0.0, ""
    for w, h, c in widths:
        out += form(
            box(x, 30 - h, w, h, 0.6),
            c,
            0.9,
            0,
            path(box(x, 30 - h + 3, w, 1.6), light(c, 0.6)) + path(box(x, 30 - 5, w, 1), light(c, 0.6)),
        )
        x += w + 0.2
    return Prop("books", x, 30, out)


def cubby() -> Prop:
    """A low two-by-three toy shelf, 136 x 84 cm, already holding baskets and books."""
    wood, back = "#EBD3AE", "#B98F63"
    out = shadow(70, 84, 84, 5, 0.5) + form(box(0, 0, 136, 84, 2), wood, 2.4, 0.8)
    for i in range(3):
        for j in range(2):
            x, y = 4 + i * 43.5, 5 + j * 38.5
            out += path(box(x, y, 40.5, 35.5, 1), back) + path(
                poly((x, y), (x + 40.5, y), (x + 40.5, y + 6), (x, y + 9)), dark(back, 0.35)
            )
            out += path(poly((x, y), (x + 5, y), (x + 5, y + 35.5), (x, y + 35.5)), dark(back, 0.3)) + path(
                box(x, y + 31, 40.5, 4.5), dark(wood, 0.12)
            )
    for i, c in ((0, TEAL), (2, CORAL)):
        x = 7 + i * 43.5
        weave = "".join(stroke(f"M{x} {54 + 5 * k}h36", dark(c, 0.16), 1.2) for k in range(5))
        out += (
            form(f"M{x} 51h34l-2.5 27h-29z", c, 3, 0.8, weave)
            + form(box(x - 1, 49, 36, 5, 2), light(c, 0.2), 1)
            + path(box(x + 11, 60, 12, 5, 2.5), dark(c, 0.45))
        )
    row = books([(5, 24, RED), (4, 26, NAVY), (6, 22, SUN), (4, 25, TEAL), (5, 21, PINK), (4, 24, LEAF)])
    out += (
        f'<g transform="translate(7,9)">{row.body}</g>'
        + f'<g transform="translate(96,9)">{books([(6, 25, NAVY), (5, 22, CORAL), (4, 24, CREAM)]).body}</g>'
    )
    out += f'<g transform="translate(50,13.5) scale(1.05)">{car().body}</g>'
    out += f'<g transform="translate(56,48) scale(.9)">{rings().body}</g>'
    return Prop("toy shelf", 136, 84, out)


def car() -> Prop:
    wheel = "".join(form(oval(x, 17.5, 4.4), INK, 1) + path(oval(x, 17.5, 1.9), CREAM) for x in (8, 25))
    body = (
        shadow(17, 21.6, 17, 1.8, 0.7)
        + form("M1 17V11q0-2 3-2l5-1 4-6q1-1 3-1h7q2 0 3 2l3 5 4 1q2 .5 2 3v5z", "#3F8FC4", 2, 0.6)
        + path("M12 8l3.5-4.5h3V8zM20.5 8V3.5h3.5L27 8z", "#DDF0F5")
        + wheel
    )
    return Prop("toy car", 34, 22, body)


def rings() -> Prop:
    out = shadow(14, 32, 15, 2, 0.7) + form(box(12.5, 2, 3, 26, 1.5), WOOD, 1)
    for i, (w, c) in enumerate(((25, RED), (22, CORAL), (19, SUN), (16, LEAF), (12, BLUE))):
        out += form(box(14 - w / 2, 26 - i * 5, w, 5.6, 2.8), c, 1.6, 0.5)
    return Prop("stacking rings", 28, 32, out + form(oval(14, 3, 3.2), RED, 0.9))


def globe() -> Prop:
    land = path("M6 8q6-4 8 0t-2 7q-6 1-6-7zM17 14q6-1 6 3t-5 5q-4-3-1-8z", LEAF)
    body = (
        shadow(14, 33, 10, 2, 0.7)
        + form("M7 33q0-4 7-4t7 4z", WOOD, 1)
        + path(box(13, 25, 2, 5), dark(WOOD))
        + form(oval(14, 14, 11.5), SKY, 3, 0.7, land)
    )
    return Prop("globe", 28, 33, body + stroke("M4 22A13.3 13.3 0 0 0 24 23.5", WOOD, 1.6))


def teddy() -> Prop:
    fur, paw = "#C58B57", "#EBCB9C"
    legs = "".join(
        form(oval(22 + k * 13, 48, 8.5, 7), fur, 2) + form(oval(22 + k * 14.5, 48, 5, 4.6), paw, 1) for k in (-1, 1)
    )
    ears = "".join(
        form(oval(22 + k * 10.5, 6.5, 5), fur, 1.2) + path(oval(22 + k * 10.5, 7, 2.6), paw) for k in (-1, 1)
    )
    arms = form(limb([(11, 27), (4, 33), (5, 41)], (8, 7.5, 7.5)), fur, 1.6) + form(
        limb([(33, 27), (40, 33), (39, 41)], (8, 7.5, 7.5)), dark(fur, 0.06), 1.6
    )
    face = (
        form(oval(22, 20, 6, 4.8), paw, 1)
        + form("M19.5 17.5q2.5-1.4 5 0q-.5 2.6-2.5 2.6t-2.5-2.6z", INK, 0)
        + stroke("M22 20v1.5q-2 2-3.5.5M22 21.5q2 2 3.5.5", INK, 0.7)
    )
    eyes = "".join(
        path(oval(22 + k * 5.5, 14, 1.3, 1.6), INK) + path(oval(21.6 + k * 5.5, 13.5, 0.45), "#fff") for k in (-1, 1)
    )
    bow = form("M22 27l-8-4v8zM22 27l8-4v8z", RED, 1) + form(oval(22, 27, 2.2), RED, 0.6)
    return Prop(
        "teddy bear",
        44,
        56,
        shadow(22, 54.5, 26, 4, 0.6)
        + form(oval(22, 39, 13.5, 15), fur, 3)
        + path(oval(21.5, 40, 8.5, 10), paw)
        + legs
        + arms
        + ears
        + form(oval(22, 15.5, 13, 12), fur, 2.6, 0.6)
        + face
        + eyes
        + bow,
    )


def blocks() -> Prop:
    def cube(x: float, y: float, c: str, letter: str) -> str:
        top, side = (
            poly((x, y), (x + 3.5, y - 3), (x + 17.5, y - 3), (x + 14, y)),
            poly((x + 14, y), (x + 17.5, y - 3), (x + 17.5, y + 11), (x + 14, y + 14)),
        )
        face = path(box(x, y, 14, 14, 0.5), c) + path(box(x + 1.8, y + 1.8, 10.4, 10.4, 1), CREAM)
        return path(top, light(c, 0.45)) + path(side, dark(c, 0.3)) + face + lettering(letter, x + 7, y + 10.4, 7, c)

    return Prop(
        "blocks",
        52,
        49,
        shadow(26, 48.5, 32, 3.6, 0.6)
        + cube(1, 34, TEAL, "B")
        + cube(17, 34, RED, "C")
        + cube(33, 34.5, SUN, "D")
        + cube(10, 19.8, BLUE, "E")
        + cube(25.5, 20, CORAL, "F")
        + cube(17, 5.8, LEAF, "A"),
    )


def ball() -> Prop:
    stripes = (
        path("M-2 14Q13 5 28 12V7Q13 0-2 8z", CREAM)
        + path("M-2 22Q13 13 28 20v-4Q13 9-2 17z", SUN)
        + stroke("M12 0q-6 12 0 27", CREAM, 1.5)
    )
    return Prop(
        "ball",
        26,
        26,
        shadow(13, 25, 14, 2.6, 0.65)
        + form(oval(13, 13, 12.6), RED, 3.4, 0.8, stripes)
        + stroke("M4.5 8Q6 5 9 3.6", "#fff", 1.4, 'opacity=".8"'),
    )


def train() -> Prop:
    def wheels(*xs: float) -> str:
        return "".join(
            form(oval(x, 25.5, 4.3), dark(SUN, 0.05), 1.2) + path(oval(x, 25.5, 1.6), dark(WOOD, 0.4)) for x in xs
        )

    engine = (
        form(box(4, 10, 22, 13, 2), RED, 2.2, 0.6)
        + form(box(22, 1.5, 14, 21.5, 1.5), BLUE, 2.2, 0.6)
        + path(box(25, 5, 8, 7, 1), "#DDF0F5")
        + form(box(8, 3, 5, 8, 1), NAVY, 1)
        + form(box(6.5, 1.5, 8, 3.4, 1.5), NAVY, 1)
        + form(box(20, -0.8, 18, 3.4, 1.7), SUN, 0.8)
        + form(oval(4.5, 16, 2.4), SUN, 0.7)
    )
    wagon = "".join(
        stroke(f"M{x - 4} 24h5", dark(WOOD, 0.4), 1.6) + form(box(x, 13, 25, 10, 1.5), c, 2, 0.6)
        for x, c in ((42, LEAF),)
    )
    load = form(oval(50, 10.5, 4.4), CORAL, 1.2) + form(oval(59, 10, 5), TEAL, 1.4)
    return Prop(
        "wooden train",
        68,
        30,
        shadow(34, 29, 40, 3.4, 0.6)
        + load
        + engine
        + wagon
        + form(box(4, 22, 33, 3, 1), NAVY, 0.8)
        + wheels(10, 20, 31, 48, 61),
    )


def tent() -> Prop:
    poles = stroke("M60 8L74-10M66 4L54-12", WOOD, 3)
    stripes = "".join(path(poly((62, 0), (x, 152), (x + 11, 152)), light(CORAL, 0.55)) for x in (8, 36, 92, 118))
    return Prop(
        "play tent",
        128,
        150,
        shadow(64, 149, 78, 6, 0.5)
        + poles
        + form(poly((62, 0), (128, 150), (0, 150)), CORAL, 4, 1, stripes)
        + path("M62 44Q56 110 34 150H94Q70 110 62 44z", dark(CORAL, 0.55))
        + form("M62 44Q60 96 34 150H24Q52 96 62 44z", light(CORAL, 0.35), 1.5)
        + form("M62 44Q66 96 92 150h12Q72 96 62 44z", light(CORAL, 0.25), 1.5)
        + path(oval(64, 146, 30, 6), SUN),
    )


def bomb_vase() -> Prop:
    """Trigger: a glossy round black vase whose one bent flower reads like a lit fuse."""
    body = (
        shadow(15, 41.4, 12, 2.6, 0.75)
        + stroke("M14.5 18C14 10 15 6 20.5 6.2", "#8A6A3C", 1.5)
        + stroke("M14.4 18C13.9 10 14.9 5.9 20.5 6.1", "#C7A15D", 0.8, 'stroke-dasharray="1.2 1.3"')
        + flower(22, 6.2, 4.6, "#F59A3C", "#FBDD5E")
        + form(box(10, 14.2, 9, 6.4, 1), "#3B3846", 1.6, 0.6)
        + path(oval(14.5, 14.8, 4.5, 1), "#211F2A")
        + form(oval(14.5, 29.3, 12.2), "#2E2B38", 3.4, 0.9)
        + stroke("M5.8 26C6.8 22.5 9 20.8 11.4 20.2", "#A9A7BC", 1.7)
        + path(oval(5.4, 28.8, 0.8), "#A9A7BC")
    )
    return Prop("bomb-shaped vase", 29, 42, body)


def round_vase() -> Prop:
    """The harmless stand-in: same box, a blue ceramic vase with tulips."""
    stems = "".join(stroke(f"M14.5 18Q{14 + k * 0.4} 12 {14.5 + k} 8", LEAF, 1.2) for k in (-6, 0, 6))
    tulips = "".join(
        form(f"M{14.5 + k - 3} {y - 3}l1.6 1.4 1.4-2 1.4 2 1.6-1.4q.8 6.2-3 6.2t-3-6.2z", c, 1)
        for k, y, c in ((-6, 8, PINK), (6, 8, SUN), (0, 5.4, RED))
    )
    bands = path("M-1 26q15.5 6 31 0v5q-15.5 6-31 0z", CREAM) + stroke("M-1 34q15.5 5 31 0", SUN, 1.4)
    body = (
        shadow(15, 41.4, 12, 2.6, 0.75)
        + stems
        + path("M14 17Q7 15 6 11Q12 11 14.5 17Q18 11 23 12Q21 16 15 17z", dark(LEAF, 0.1))
        + tulips
        + form(box(9.5, 15.2, 10, 5, 1), BLUE, 1.6, 0.5)
        + form("M14.5 17.5C29 17.5 31 33 21 41.5H8C-2 33 0 17.5 14.5 17.5z", BLUE, 3, 0.7, bands)
    )
    return Prop("ceramic vase", 29, 42, body)
