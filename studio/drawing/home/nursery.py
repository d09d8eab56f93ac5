"""A child's bedroom: cot, baby, rocking chair, night light; and a lying dog."""

from __future__ import annotations

from studio.drawing.home.interiors import halo
from studio.drawing.kit import (
    CHILD,
    CORAL,
    HUMAN,
    INK,
    PINK,
    RED,
    SKY,
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
    put,
    shadow,
    stroke,
)


def cot(colour: str = "#E9D3AE") -> Prop:
    """A cot with bars, 126 x 96 cm, with a mobile above it."""
    ends = form("M0 96V14Q0 4 8 4T14 14V96z", colour, 2, 0.8) + form(
        "M112 96V14Q112 4 119 4T126 14V96z", dark(colour, 0.06), 2, 0.8
    )
    bars = "".join(form(box(x, 24, 3.4, 56, 1.5), dark(colour, 0.12), 0.9) for x in range(20, 110, 10))
    inner = form(box(12, 54, 102, 22, 4), SKY, 3, 0, stroke("M12 62H114", WHITE, 2)) + form(
        "M16 56Q16 44 30 46Q42 46 42 56z", WHITE, 2
    )
    rails = form(box(10, 20, 106, 6, 2), colour, 1.4, 0.5) + form(box(10, 78, 106, 7, 2), colour, 1.6, 0.5)
    arm = (
        stroke("M122 10V-40Q122-56 104-56H66", dark(WOOD, 0.2), 2.6)
        + stroke("M66-56V-44", INK, 0.7)
        + stroke("M44-40H88", WOOD, 2)
    )
    toys = "".join(
        stroke(f"M{x} -40V{-30 + d}", INK, 0.6) + put(x, -24 + d, shape)
        for x, d, shape in (
            (46, 0, form("M0-7l2 4l5 .6l-3.6 3.2l1 4.8L0 3.2l-4.4 2.4l1-4.8L-7-2.4l5-.6z", SUN, 1)),
            (66, 6, form(oval(0, 0, 6), CORAL, 1.6)),
            (86, 0, form("M-5 4Q-8-6 2-7Q-3-2 5 4Q0 8-5 4z", "#FBE9B4", 1)),
        )
    )
    return Prop("cot", 126, 96, shadow(63, 95, 66, 5, 0.5) + arm + toys + inner + bars + rails + ends)


def baby(wrap: str = "#F3C6C0", skin: str = "#F2B48C") -> Prop:
    """A yawning baby in a wrap, upright, 34 x 52 cm; grip it about (17, 34)."""
    body = form(
        "M5 26Q-2 46 8 51Q17 54 27 51Q36 44 29 26Q17 20 5 26z",
        wrap,
        4,
        0.8,
        path("".join(oval(x, y, 1.2) for x in range(4, 34, 7) for y in range(28, 52, 7)), WHITE),
    )
    arm = form("M27 30Q33 26 30 20Q28 16 25 18Q26 24 23 28z", wrap, 1.4) + form(oval(27, 17, 2.8), skin, 0.8)
    head = (
        form(oval(17, 14, 12, 11.4), skin, 2)
        + path(oval(9.6, 18, 2.4, 1.6) + oval(25, 18, 2.4, 1.6), "#E88A78", extra='opacity=".5"')
        + form(oval(4.8, 15, 2), skin, 0.5)
    )
    face = (
        stroke("M9.6 13.4q2 1.8 4 0M20.4 13.4q2 1.8 4 0", INK, 0.9)
        + path(oval(17, 19.6, 2.6, 3), "#8C2F39")
        + path(oval(17, 21.4, 1.6, 1), "#E8788A")
    )
    hair = stroke("M13 3.4q4-3 6 .4q3-2 3.4 1", "#7A4A31", 1.4)
    return Prop("baby", 34, 52, body + head + face + hair + arm, shows=frozenset({HUMAN, CHILD}))


def lying_dog(fur: str = "#F3EBDD", spots: str = "#6B4A3A", w: float = 92) -> Prop:
    """An old dog asleep on its belly, head on its paws to the left; `w` x 0.42 w cm."""
    patches = path(oval(58, 12, 10, 7) + oval(78, 22, 7, 6) + oval(40, 20, 5, 4), spots)
    tail = stroke("M86 26Q98 28 94 34Q90 38 82 36", fur, 5)
    body = form("M26 36Q24 12 48 8Q72 4 86 16Q94 28 88 37z", fur, 4, 0.6, patches)
    leg = form("M62 37Q58 22 74 22Q86 24 84 37z", light(fur, 0.1), 2.6) + form(box(58, 32, 24, 6, 3), fur, 1.2)
    paws = form(box(4, 32.4, 32, 6, 3), dark(fur, 0.08), 1.2) + form(box(8, 33.4, 30, 5.6, 2.8), fur, 1.2)
    head = form(
        "M6 32Q-1 30 2 25Q6 20 12 20Q16 11 26 12Q38 14 37 25Q36 34 24 34Q12 35 6 32z",
        fur,
        2,
        0.5,
        path("M22 10Q36 10 38 24Q30 28 24 22z", spots),
    )
    ear = form("M29 13Q40 14 39 27Q35 31 31 27Q28 20 29 13z", dark(spots, 0.1), 1.4)
    face = path(oval(3.6, 25.4, 2.4, 1.9), INK) + stroke("M17 23q2.4 2 5 0M6 31q4 1.6 9-.6", INK, 0.9)
    return Prop(
        "lying dog",
        w,
        w * 0.42,
        put(0, 0, shadow(48, 38.4, 46, 3, 0.5) + tail + body + leg + paws + head + ear + face, w / 96),
    )


def toy_basket(w: float = 92, h: float = 38.64) -> Prop:
    """A low basket of soft toys in the box of the dog."""
    bear = (
        form(oval(26, 12, 8), WOOD, 2)
        + form(oval(20, 5, 3), WOOD, 0.8)
        + form(oval(32, 5, 3), WOOD, 0.8)
        + path(oval(23, 11, 1) + oval(29, 11, 1) + oval(26, 14, 1.4), INK)
    )
    balls = (
        form(oval(44, 14, 9), RED, 2.4, 0.6) + form(oval(60, 12, 8), TEAL, 2) + form(box(68, 6, 14, 14, 1.4), SUN, 2)
    )
    weave = stroke("M10 26H86M12 32H84M24 20V38M38 20V38M52 20V38M66 20V38", dark("#D9B27A", 0.2), 1)
    return Prop(
        "basket of toys",
        w,
        h,
        shadow(48, 37.4, 44, 2.4, 0.5)
        + bear
        + balls
        + form("M6 18H88L82 36Q82 38 80 38H14Q12 38 12 36z", "#D9B27A", 3, 0.6, weave),
    )


def rocking_chair(colour: str = "#A8744A") -> Prop:
    """From the side, facing left, 80 x 104 cm."""
    rockers = stroke("M2 96Q40 110 80 92", dark(colour, 0.1), 4)
    frame = (
        stroke("M14 98L20 54M58 100L62 52M20 74H60", colour, 4)
        + stroke("M60 54Q74 30 72 2", colour, 4.4)
        + stroke("M16 40H62M18 40V54", colour, 3.4)
    )
    slats = stroke("M66 46L70 6M61 50L64 10", dark(colour, 0.2), 2)
    return Prop(
        "rocking chair",
        80,
        104,
        shadow(40, 102, 40, 3, 0.5)
        + rockers
        + slats
        + frame
        + form(box(14, 48, 50, 8, 3), CORAL, 2, 0.6)
        + form("M60 44Q74 28 66 12Q58 14 58 34z", light(CORAL, 0.2), 2),
    )


def chest(colour: str = "#B9CDB2", w: float = 90) -> Prop:
    """A chest of drawers, `w` x 84 cm."""
    drawers = "".join(
        form(box(5, 8 + 24 * i, w - 10, 21, 2), light(colour, 0.16), 2, 0.5)
        + "".join(form(oval(x, 18 + 24 * i, 2.2), WOOD, 0.6) for x in (w * 0.3, w * 0.7))
        for i in range(3)
    )
    return Prop(
        "chest of drawers",
        w,
        84,
        shadow(w / 2, 83, w * 0.54, 4, 0.5)
        + path(box(4, 78, 8, 6) + box(w - 12, 78, 8, 6), dark(colour, 0.5))
        + form(box(1, 3, w - 2, 77, 2), colour, 3)
        + drawers
        + form(box(-1, 0, w + 2, 5, 2), light(colour, 0.2), 1.2, 0.4),
    )


def moon_light() -> Prop:
    """A night light in the shape of a moon, 24 x 28 cm."""
    return Prop(
        "moon night light",
        24,
        28,
        halo(12, 12, 40, 38)
        + shadow(12, 27.6, 9, 1, 0.5)
        + form(box(5, 24, 14, 4, 2), WOOD, 1)
        + form("M15 1A12 12 0 1 0 22 19A10 10 0 1 1 15 1z", "#FFF1C0", 1.4),
    )


def baby_bottle() -> Prop:
    return Prop(
        "baby bottle",
        8,
        20,
        shadow(4, 19.6, 4.4, 0.7, 0.5)
        + form("M3 4Q3 0 4 0T5 4z", "#E9BE7C", 0.4)
        + form(box(1, 3.6, 6, 2.6, 0.8), PINK, 0.5)
        + form(box(0.6, 6, 6.8, 14, 2), "#DCEBF2", 1)
        + path(box(0.6, 11, 6.8, 9, 2), WHITE)
        + stroke("M1 9h2M1 12h2M1 15h2", "#4E8FC0", 0.5),
    )
