"""What stands and hangs in a gym."""

from __future__ import annotations

from studio.drawing.kit import (
    BLUE,
    CORAL,
    CREAM,
    INK,
    NAVY,
    RED,
    STEEL,
    SUN,
    TEAL,
    WHITE,
    Prop,
    box,
    dark,
    form,
    light,
    limb,
    oval,
    path,
    poly,
    put,
    shadow,
    stroke,
)


def exercise_bike() -> Prop:
    """An exercise bike that faces right, 120 x 124 cm; anchors saddle, bar and pedal."""
    frame = stroke("M22 118H100", "#3F4658", 7) + stroke("M28 118v4M94 118v4", "#3F4658", 9)
    frame += stroke("M46 116L38 58M46 100L88 96M84 114L92 40", "#5A6379", 7)
    wheel = (
        form(oval(86, 92, 23), "#E4E8EA", 4, 1)
        + stroke(oval(86, 92, 23), "#3F4658", 3.4)
        + form(oval(86, 92, 9), TEAL, 2)
    )
    bar = (
        stroke("M92 42Q100 30 92 26L82 27", "#3F4658", 4.4)
        + form(poly((90, 22), (104, 14), (109, 26), (96, 33)), "#2E3448", 1.6)
        + path(poly((93, 23), (103, 17.5), (106, 24), (97, 29)), "#9ED6C4")
    )
    saddle = form("M22 54Q38 46 56 54Q48 62 30 60z", INK, 2)
    crank = form(oval(58, 98, 7), "#3F4658", 1.6) + stroke("M58 98L66 112", "#3F4658", 4)
    return Prop(
        "exercise bike",
        120,
        124,
        shadow(60, 122, 64, 4, 0.6) + frame + wheel + bar + saddle + crank,
        {"saddle": (39, 54), "bar": (84, 27), "pedal": (66, 114)},
    )


def punchbag() -> Prop:
    """A red punchbag on its chain with a pair of gloves tied to it, 60 x 190 cm; it hangs."""
    chain = stroke("M30 0V34", STEEL, 3, 'stroke-dasharray="5 3"') + stroke(
        "M30 34L14 50M30 34L46 50M30 34V50", STEEL, 2
    )
    bag = form("M10 52Q10 46 30 46T50 52V176Q50 190 30 190T10 176z", RED, 9, 2) + path(
        box(10, 60, 40, 12) + box(10, 150, 40, 9), dark(RED, 0.36)
    )
    cord = stroke("M30 52Q40 64 46 92M30 52Q24 70 22 96", CREAM, 1.6)
    gloves = "".join(
        put(
            x,
            y,
            form("M-9-8H8V2Q14 4 14 14Q14 28 1 28T-12 14Q-12 2-9-8z", NAVY, 3, 1)
            + form(box(-10, -13, 19, 8, 2), CREAM, 1.4)
            + form(limb([(-9, 8), (-14, 12), (-13, 19)], (7, 7, 6)), NAVY, 1.4),
            0.86,
        )
        for x, y in ((20, 108), (46, 104))
    )
    return Prop("red punchbag with boxing gloves", 64, 190, chain + bag + cord + gloves)


def hanging_mat() -> Prop:
    """The harmless stand-in: a rolled red mat that hangs from a strap, in the same box."""
    strap = stroke("M30 0V44", "#3F4658", 3) + stroke("M12 66Q14 44 30 44T48 66", "#3F4658", 4)
    roll = (
        form(box(12, 60, 36, 124, 6), RED, 8, 2)
        + form(oval(30, 184, 18, 6), light(RED, 0.2), 1)
        + stroke("M30 184q5-3 5 0t-8 2q-6-4 2-6", dark(RED, 0.3), 1.2)
    )
    return Prop("rolled red mat", 64, 190, strap + roll + path(box(12, 84, 36, 7) + box(12, 150, 36, 7), "#3F4658"))


def dumbbell_rack() -> Prop:
    """Three rows of dumb-bells on a rack, 130 x 84 cm."""
    legs = "".join(stroke(f"M{x} 6L{x - 8} 82M{x} 6L{x + 10} 80", "#3F4658", 4.4) for x in (14, 116))
    out = shadow(65, 82, 70, 4, 0.6) + legs
    for j, (y, c) in enumerate(((12, TEAL), (38, CORAL), (62, NAVY))):
        out += form(box(6, y + 7, 118, 4, 1), "#5A6379", 1)
        for i in range(4):
            x = 12 + 28 * i
            out += form(box(x + 6, y, 12, 4, 1), STEEL, 0.8) + "".join(
                form(box(x + d, y - 5 - j, 7, 13 + j, 2), c, 1.6, 0.6) for d in (0, 16)
            )
    return Prop("dumb-bells", 130, 84, out)


def mat_stack() -> Prop:
    """Blue gym mats, 150 x 34 cm."""
    return Prop(
        "gym mats",
        150,
        34,
        shadow(75, 32, 80, 4, 0.5)
        + "".join(
            form(box(3 * (i % 2), 24 - 8 * i, 146, 9, 3), c, 2, 0.6)
            for i, c in enumerate((BLUE, light(BLUE, 0.2), BLUE, light(BLUE, 0.2)))
        ),
    )


def gym_ball(colour: str = CORAL) -> Prop:
    """A big exercise ball, 66 cm."""
    bands = stroke("M4 24Q33 36 62 24M2 36Q33 50 64 36M8 50Q33 62 58 50", dark(colour, 0.12), 1.6)
    return Prop("exercise ball", 66, 66, shadow(33, 64, 34, 5, 0.6) + form(oval(33, 33, 32.5), colour, 8, 2, bands))


def towel() -> Prop:
    """A folded towel that hangs over an edge, 34 x 22 cm."""
    return Prop("towel", 34, 22, form("M4 0H34L32 8V20Q18 24 2 20V8z", SUN, 2, 0.6, path(box(0, 14, 34, 3), WHITE)))
