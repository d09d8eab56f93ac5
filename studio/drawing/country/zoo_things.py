"""What stands about in a zoo, in centimetres."""

from __future__ import annotations

from studio.drawing.country.landscape import scallop
from studio.drawing.kit import (
    CREAM,
    INK,
    LEAF,
    RED,
    SKY,
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
)


def life_ring_post(w: float, h: float) -> Prop:
    """A lifebuoy on a post, in a box of any size."""
    x, r = w / 2, min(w * 0.32, 24)
    y = h * 0.34
    marks = "".join(
        stroke(
            f"M{x + r * 0.72 * a:.1f} {y + r * 0.72 * b:.1f}L{x + r * 1.24 * a:.1f} {y + r * 1.24 * b:.1f}",
            WHITE,
            r * 0.4,
        )
        for a, b in ((0.7, 0.7), (-0.7, 0.7), (0.7, -0.7), (-0.7, -0.7))
    )
    return Prop(
        "lifebuoy on a post",
        w,
        h,
        shadow(x, h - 2, 20, 2.6, 0.5)
        + form(box(x - 4, 2, 8, h - 4, 2), WHITE, 2)
        + stroke(oval(x, y, r), RED, r * 0.5)
        + marks
        + stroke(f"M{x - r} {y + 4}Q{x} {y + r * 1.9:.0f} {x + r} {y + 4}", CREAM, 1.6),
    )


def fish_bucket() -> Prop:
    """A pail full of small fish, tails up, 44 x 50; `grip` at the top of its handle."""
    tones = ("#A9C0CE", "#8FA9B8", "#C3D3DC")
    tails = "".join(
        form(
            f"M{x} 24L{x + lean} 8L{x + lean - 5} 0Q{x + lean} 3 {x + lean + 5} 0L{x + lean + 2} 8L{x + 7} 24z",
            tones[k % 3],
            1.2,
        )
        for k, (x, lean) in enumerate(((6, -2), (14, 2), (22, 4), (29, 9)))
    )
    return Prop(
        "bucket of fish",
        44,
        50,
        shadow(22, 49, 22, 2, 0.55)
        + stroke("M4 22Q22-30 40 22", STEEL, 2)
        + path(oval(22, 21, 18, 3.4), dark(STEEL, 0.5))
        + tails
        + form("M3 21Q22 28 41 21L36 48Q22 52 8 48z", "#6C8FB0", 5, 1.2),
        {"grip": (22, -4)},
    )


def rail(w: float = 300) -> Prop:
    """A steel rail, `w` x 96."""
    posts = "".join(form(box(x, 2, 6, 93, 2), STEEL, 2) for x in (4, w / 2 - 3, w - 10))
    return Prop(
        "rail",
        w,
        96,
        shadow(w / 2, 95, w * 0.52, 3, 0.35)
        + form(box(0, 2, w, 7, 3), STEEL, 2)
        + form(box(0, 44, w, 5, 2), STEEL, 1.6)
        + posts,
    )


def tyre_swing() -> Prop:
    """A car tyre on two ropes, 70 x 200; `seat` is its lower rim."""
    return Prop(
        "tyre swing",
        70,
        200,
        stroke("M22 140L14-40M48 140L56-40", "#D9BE8C", 4)
        + stroke(oval(35, 160, 27, 29), "#4B4650", 17)
        + stroke(oval(35, 160, 20, 22), "#6B6672", 2)
        + stroke("M12 146q4-10 12-15", "#8C8792", 3),
        {"seat": (35, 172)},
    )


def bananas() -> Prop:
    """A bunch of five, 44 x 30."""
    bunch = "".join(
        put(12, 6, form("M-3 0Q10 8 5 24Q3 27 1 24Q3 12-6 4z", SUN, 1.4) + path(oval(3, 25, 1.2), INK), 1, a)
        for a in (20, -2, -24, -46, -68)
    )
    return Prop("bananas", 44, 30, shadow(22, 29, 20, 1.6, 0.5) + bunch + form("M5 1H12L15 8H8z", "#8A6A3A", 1))


def _post() -> str:
    return shadow(30, 206, 22, 3, 0.5) + form(box(26, 48, 8, 158, 2), "#8A5F43", 2.4)


def camera_post() -> Prop:
    """Trigger: a surveillance camera on a post, 70 x 208."""
    arm = stroke("M30 60V40Q30 34 36 34", STEEL, 5)
    body = put(
        34,
        30,
        form(box(-30, -13, 54, 24, 4), "#E6E8EC", 4, 1)
        + form(box(-36, -9, 8, 16, 2), "#4B5368", 1.4)
        + path(oval(-34, -1, 4.4, 6), INK)
        + path(oval(-35, -3, 1.6), SKY)
        + form(box(-34, -17, 62, 6, 2), "#C9CED6", 1.4)
        + path(oval(14, 1, 2.6), "#D8483A"),
        1,
        -12,
    )
    return Prop("surveillance camera", 70, 208, _post() + arm + body)


def nest_post() -> Prop:
    """A nesting box on the same post."""
    house = form(box(12, 18, 38, 44, 2), WOOD, 4, 1, stroke("M12 34h38M12 48h38", dark(WOOD, 0.16), 1)) + form(
        poly((6, 20), (56, 20), (44, 4), (18, 4)), "#7C5A63", 3
    )
    return Prop(
        "nesting box",
        70,
        208,
        _post() + house + path(oval(31, 36, 7), dark(WOOD, 0.6)) + stroke("M31 49v7", dark(WOOD, 0.3), 2.6),
    )


def low_wall(w: float = 1060) -> Prop:
    """A low stone wall to look over, `w` x 50."""
    stones = "".join(
        form(
            box(k * 44 - (22 if r else 0), 14 + 18 * r, 42, 17, 4),
            ("#B9B2A6", "#ADA598", "#C3BCB0")[(k * 2 + r) % 3],
            3,
        )
        for r in (0, 1)
        for k in range(int(w // 44) + 2)
    )
    return Prop("low wall", w, 50, stones + form(box(-6, 0, w + 12, 15, 4), "#D6CFC2", 3))


def potted_palm() -> Prop:
    """A palm in a tub, 90 x 150."""
    fronds = "".join(
        form(
            f"M45 100Q{45 + dx * 0.5:.0f} {100 + dy - 14} {45 + dx} {100 + dy}"
            f"Q{45 + dx * 0.5:.0f} {100 + dy * 0.5 + 8:.0f} 45 100z",
            c,
            2.4,
        )
        for dx, dy, c in (
            (-44, -40, LEAF),
            (44, -44, LEAF),
            (-28, -76, light(LEAF, 0.12)),
            (28, -80, light(LEAF, 0.12)),
            (0, -96, light(LEAF, 0.2)),
            (-46, -8, dark(LEAF, 0.2)),
            (46, -10, dark(LEAF, 0.2)),
        )
    )
    return Prop(
        "palm in a tub", 90, 150, shadow(46, 148, 30, 3, 0.5) + fronds + form("M22 102H68L62 149H28z", "#C8704A", 6, 1)
    )


def zoo_map() -> Prop:
    """A map on a post, 80 x 150, without words."""
    paths = stroke("M10 50Q30 20 50 40T72 20M30 60Q40 44 62 58", "#EAD9B6", 4)
    dots = "".join(
        path(oval(x, y, 4), c) for x, y, c in ((16, 24, "#D8483A"), (38, 50, SUN), (62, 30, SKY), (56, 60, WHITE))
    )
    return Prop(
        "zoo map",
        80,
        150,
        shadow(40, 148, 22, 3, 0.5)
        + form(box(36, 60, 8, 88, 2), "#8A5F43", 2.4)
        + form(box(0, 6, 80, 66, 4), "#8A5F43", 3)
        + form(box(5, 11, 70, 56, 2), "#9CC568", 0, 0, path(scallop(54, 24, 16, 10, 8, 2), "#7FBBCB") + paths)
        + dots,
    )
