"""Vegetables and fruit as they lie on a worktop, and drinks."""

from __future__ import annotations

from studio.drawing.kit import (
    CORAL,
    CREAM,
    LEAF,
    RED,
    SUN,
    WHITE,
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


def tomato(size: float = 8, colour: str = RED) -> Prop:
    star = put(5, 2, form("M0-1l1 1.4l2.4-.4l-1.6 1.8l.6 1.4L0 2l-2.4 1.2l.6-1.4l-1.6-1.8l2.4.4z", LEAF, 0.3))
    body = (
        shadow(5, 9.4, 5, 0.8, 0.6)
        + form("M5 1.6C9 .6 10 4 9.6 6.4S7.4 9.8 5 9.8S.8 8.6.4 6.4S1 .6 5 1.6z", colour, 1.6, 0.3)
        + star
    )
    return Prop(
        "tomato", size, size, put(0, 0, body + stroke("M2 5q.2-1.6 1.4-2", WHITE, 0.7, 'opacity=".7"'), size / 10)
    )


def apple(size: float = 9, colour: str = RED) -> Prop:
    body = form("M5 3C2 1 .2 3.4.6 6.2S3 10.4 5 9.8C7 10.4 9 9 9.4 6.2S8 1 5 3z", colour, 1.4, 0.3)
    return Prop(
        "apple",
        size,
        size * 1.1,
        put(
            0,
            0,
            shadow(5, 10, 4.6, 0.8, 0.6)
            + stroke("M5 3Q5 1.4 6 .6", "#7A4A31", 0.7)
            + form("M5.6 1.8Q7.4-.4 9.2.8Q8 2.8 5.6 1.8z", LEAF, 0.4)
            + body
            + stroke("M2 5.4q.2-1.4 1.2-1.6", WHITE, 0.7, 'opacity=".7"'),
            size / 10,
        ),
    )


def fruit_bowl(colour: str = CREAM) -> Prop:
    """Apples, an orange, bananas and grapes, 38 x 28 cm."""
    fruit = (
        put(3, 4, apple(11).body)
        + put(22, 5, form(oval(6, 6, 6), "#F0953F", 1.6, 0.4))
        + put(12, 2, apple(11, "#A9C04C").body)
    )
    bananas = form("M12 2Q22-4 34 8Q36 12 34 12Q24 4 13 6Q10 4 12 2z", SUN, 1.2, 0.4)
    grapes = "".join(form(oval(4 + 3.2 * (i % 3), 13 + 2.8 * (i // 3), 2), "#7E5B9A", 0.6) for i in range(6))
    bowl = form(
        "M1 15Q19 20 37 15Q35 25 25 26.4V28H13V26.4Q3 25 1 15z", colour, 3, 0.8, stroke("M0 20Q19 26 38 20", CORAL, 1.2)
    )
    return Prop("fruit bowl", 38, 28, shadow(19, 27.6, 14, 1.4, 0.6) + fruit + bananas + grapes + bowl)


def carrot(w: float = 20) -> Prop:
    greens = "".join(stroke(f"M15 3q3-{k} {5}-{k + (k > 2)}", LEAF, 0.9) for k in (1, 3, -1))
    return Prop(
        "carrot",
        w,
        w * 0.28,
        put(
            0,
            0,
            shadow(8, 5.2, 8, 0.6, 0.6)
            + greens
            + form(
                "M0 4.6Q10-.4 15 1.4Q16.6 3 15 4.6Q8 6.4 0 4.6z",
                "#F0873A",
                0.9,
                0.2,
                stroke("M6 2l1 1.4M10 1.6l.6 1.4M12 5l.4-1.2", dark("#F0873A", 0.2), 0.4),
            ),
            w / 20,
        ),
    )


def cup(colour: str = WHITE, steam: bool = True) -> Prop:
    """A cup of coffee on a saucer, 16 x 10 cm; steam may rise above the box."""
    vapour = stroke("M6-1q-2-3 0-5t0-5M10-2q-2-3 0-5t0-5", WHITE, 1, 'opacity=".6"') if steam else ""
    body = form("M2.6 1.6H13.4Q13.4 8 10 9H6Q2.6 8 2.6 1.6z", colour, 1.8, 0.4) + path(
        oval(8, 1.7, 5.4, 1.2), "#6B3F2A"
    )
    return Prop(
        "cup of coffee",
        16,
        10.4,
        shadow(8, 10, 8, 0.9, 0.6)
        + form(oval(8, 9.2, 8, 1.2), colour, 0.4)
        + stroke("M13 3q4-.4 3.4 2.4T12 7.4", colour, 1.1)
        + body
        + vapour,
    )


def glass(drink: str = "#F0953F", w: float = 8, h: float = 14, straw: str = RED) -> Prop:
    tube = stroke(f"M{w * 0.5} {h * 0.7}L{w * 0.8} {-h * 0.25}", straw, 0.8) if straw else ""
    return Prop(
        "glass",
        w,
        h,
        shadow(w / 2, h - 0.3, w * 0.5, 0.8, 0.6)
        + veil(f"M.3 0H{w - 0.3}L{w * 0.86} {h}H{w * 0.14}z", WHITE, 0.55)
        + tube
        + form(f"M.7 {h * 0.24}H{w - 0.7}L{w * 0.83} {h * 0.95}H{w * 0.17}z", drink, w * 0.12)
        + stroke(f"M1.6 {h * 0.12}L{w * 0.25} {h * 0.8}", WHITE, 0.6, 'opacity=".7"'),
    )


def milk(h: float = 24, colour: str = "#6FB4D6") -> Prop:
    """A carton, 0.46 h wide."""
    w = h * 0.46
    return Prop(
        "milk carton",
        w,
        h,
        shadow(w / 2, h - 0.4, w * 0.56, 1, 0.6)
        + form(poly((0.4, h * 0.3), (w * 0.5, h * 0.1), (w - 0.4, h * 0.3)), light(colour, 0.4), 0.8)
        + form(box(w * 0.1, h * 0.02, w * 0.8, h * 0.1, 0.3), WHITE, 0.5)
        + form(
            box(0.4, h * 0.3, w - 0.8, h * 0.7, 0.4),
            WHITE,
            w * 0.14,
            0,
            path(
                (
                    f"M0 {h * 0.75:.1f}Q{w * 0.3:.1f} {h * 0.62:.1f} {w * 0.5:.1f} {h * 0.75:.1f}"
                    f"T{w} {h * 0.72:.1f}V{h}H0z"
                ),
                colour,
            ),
        ),
    )


def eggs() -> Prop:
    """An open box of six eggs, 26 x 12 cm."""
    shells = "".join(
        form(oval(4.6 + 5.6 * i, 5.4, 2.5, 3.4), ("#F0D2B0", "#E3B98F")[i % 2], 0.7, 0.3) for i in range(4)
    )
    return Prop(
        "box of eggs",
        26,
        12,
        shadow(13, 11.6, 13, 1.1, 0.6)
        + shells
        + form("M.4 6Q3 9 5.8 6T11.4 6T17 6T22.6 6Q24.4 8 25.6 6L24.4 12H1.6z", "#A8A39A", 1.6, 0.3),
    )


def cheese() -> Prop:
    return Prop(
        "wedge of cheese",
        18,
        11,
        shadow(9, 10.4, 10, 0.9, 0.6)
        + form(poly((0, 7), (13, 0.6), (18, 4.6), (18, 7)), light(SUN, 0.3), 0)
        + form(
            poly((0, 6.6), (18, 4.4), (18, 11), (0, 11)),
            SUN,
            1.2,
            0,
            path(oval(5, 8.6, 1.2) + oval(11, 7.4, 1.5) + oval(14.6, 9.6, 1), dark(SUN, 0.2)),
        ),
    )


def leek(w: float = 36) -> Prop:
    leaves = form("M20 1Q30-1 36 0L33 3L36 4.6Q28 6.6 20 4.6z", LEAF, 0.8) + stroke("M22 2.6H32", dark(LEAF, 0.2), 0.4)
    return Prop(
        "leek",
        w,
        w * 0.16,
        put(
            0,
            0,
            shadow(16, 5.2, 17, 0.6, 0.5)
            + leaves
            + form(
                "M1 1.4Q10 .6 22 .8V5Q10 5.2 1 4.6Q-.4 3 1 1.4z", "#EEF3D8", 0.8, 0.2, path(box(14, 0, 9, 6), "#C7DBA0")
            ),
            w / 36,
        ),
    )


def cucumber(w: float = 32) -> Prop:
    return Prop(
        "cucumber",
        w,
        w * 5 / 32,
        put(
            0,
            0,
            shadow(15, 4.6, 15, 0.7, 0.6)
            + form(
                "M1 2.6Q2 .2 8 .4H26Q31 .6 31.4 2.6Q31 4.6 26 4.7H8Q2 4.8 1 2.6z",
                "#5E9448",
                1.1,
                0.5,
                stroke("M6 1.8H26M8 3.2H24", light("#5E9448", 0.3), 0.3),
            ),
            w / 32,
        ),
    )


def coconut(size: float = 15) -> Prop:
    hair = stroke(
        "".join(f"M{2.4 + 1.3 * i:.1f} {3 + 5 * (i % 3)}q.6 2 .2 3.4" for i in range(9)), light("#7A5238", 0.3), 0.4
    )
    return Prop(
        "coconut",
        size,
        size,
        put(
            0,
            0,
            shadow(7.5, 14.4, 7.4, 1, 0.6)
            + form(oval(7.5, 7.5, 7.2), "#7A5238", 2, 0.4, hair)
            + path(oval(5.6, 5.6, 1) + oval(9, 5.2, 1) + oval(7.6, 8, 1.1), "#3B2420"),
            size / 15,
        ),
    )


def mango(size: float = 13) -> Prop:
    return Prop(
        "mango",
        size,
        size * 0.7,
        put(
            0,
            0,
            shadow(6.5, 8.6, 6.4, 0.8, 0.6)
            + form(
                "M1 6Q0 1 6 .6Q11 0 12.6 4Q13 8 8 9Q2 9.4 1 6z", "#F0A23C", 1.4, 0.4, veil(oval(3, 2, 5, 4), RED, 0.5)
            )
            + stroke("M11 2.4l1.4-1.6", "#6B4A3A", 0.6),
            size / 13,
        ),
    )
