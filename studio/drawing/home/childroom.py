"""A child's bedroom door, bed and lamp; masks and hats on the hook."""

from __future__ import annotations

from studio.drawing.home.interiors import halo
from studio.drawing.kit import (
    CREAM,
    INK,
    PINK,
    RED,
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
)


def door(colour: str = "#B9C7D6") -> Prop:
    """A panelled door in its frame, 104 x 212 cm; anchor `hook` is where things hang."""
    frame = form(box(0, 0, 104, 212, 1), light(colour, 0.4), 2)
    panels = "".join(
        stroke(box(x, y, 32, h, 2), dark(colour, 0.18), 1.6)
        + stroke(box(x + 1, y + 1, 32, h, 2), light(colour, 0.3), 0.8)
        for x in (16, 56)
        for y, h in ((100, 96),)
    ) + stroke(box(16, 18, 72, 70, 2), dark(colour, 0.18), 1.6)
    return Prop(
        "door",
        104,
        212,
        frame
        + form(box(8, 8, 88, 204, 1), colour, 3)
        + panels
        + form(oval(88, 112, 3.4), SUN, 1)
        + form(box(49, 24, 6, 6, 1), STEEL, 0.8),
        {"hook": (52, 28)},
    )


def wolf_mask(w: float = 40, h: float = 42) -> Prop:
    """A grey wolf's face with teeth, on an elastic."""
    fur = "#8A8F9C"
    ears = (
        form("M6 16L4 2L16 9z", fur, 1.4)
        + form("M34 16L36 2L24 9z", fur, 1.4)
        + path("M7.6 12L6.8 5.6L12 9zM32.4 12L33.2 5.6L28 9z", PINK)
    )
    face = form("M4 15Q10 6 20 7Q30 6 36 15L39 24L32 27Q30 38 20 41Q10 38 8 27L1 24z", fur, 3, 0.6)
    cheeks = path(
        "M4 22Q12 20 15 27Q14 35 20 40Q10 38 8 27L1 24zM36 22Q28 20 25 27Q26 35 20 40Q30 38 32 27L39 24z", "#DDE0E4"
    )
    snout = form("M14 24Q20 20 26 24Q28 34 20 37Q12 34 14 24z", light(fur, 0.25), 1.4) + form(
        "M16.4 23.4H23.6Q23 27.4 20 27.6Q17 27.4 16.4 23.4z", INK, 0.6
    )
    eyes = "".join(
        form(poly((20 + k * 4, 20.4), (20 + k * 11.4, 16.4), (20 + k * 10.4, 21.2)), SUN, 0.3)
        + path(oval(20 + k * 8.2, 19.4, 1, 1.4), INK)
        for k in (-1, 1)
    )
    maw = path("M13 30Q20 34 27 30Q26 37.4 20 38.4T13 30z", "#7A2E3A") + path(
        "".join(
            poly(
                (14 + 2.6 * i, 30.6 + 0.5 * (2.4 - abs(i - 2.4))),
                (16.4 + 2.6 * i, 30.8 + 0.5 * (2.4 - abs(i - 2.4))),
                (15.2 + 2.6 * i, 34.4),
            )
            for i in range(5)
        ),
        WHITE,
    )
    cord = stroke("M3 16Q20-14 37 16", RED, 0.9)
    return Prop(
        "wolf mask",
        w,
        h,
        veil("M6 18Q20 10 37 18L40 27L33 29Q30 40 22 42Q12 40 10 29L3 27z", "#3A2A5C", 0.2)
        + cord
        + ears
        + face
        + cheeks
        + snout
        + maw
        + eyes,
    )


def straw_hat(w: float = 40, h: float = 42) -> Prop:
    """A straw hat seen from above, hung by its brim."""
    straw = "#E4C27A"
    weave = stroke(oval(20, 22, 14) + oval(20, 22, 16.6), dark(straw, 0.14), 0.7)
    return Prop(
        "straw hat",
        w,
        h,
        veil(oval(21.4, 23.6, 18.6), "#3A2A5C", 0.2)
        + form(oval(20, 22, 18.6), straw, 2, 0.7, weave)
        + form(oval(20, 22, 10.4), light(straw, 0.2), 2, 0.5)
        + stroke(oval(20, 22, 10.6), RED, 2.4)
        + form("M28 28l6 8l-4.4-.6l-1 3.8l-5-9z", RED, 0.6),
    )


def star_bed(w: float = 170) -> Prop:
    """A child's bed from the side, headboard left, blanket with stars; `w` x 84 cm, mattress top 46 up."""
    quilt = "#5B6BA6"
    star = "M0-3.4L1-1L3.4-.8L1.6.8L2.2 3.2L0 1.8L-2.2 3.2L-1.6.8L-3.4-.8L-1-1z"
    stars = "".join(put(60 + 29 * i % 110, 36 + 17 * i % 30, path(star, SUN), 1.1, 20 * i) for i in range(11))
    head = form("M0 84V14Q0 2 6 2T12 14V84z", WOOD, 2, 0.8) + form(box(w - 8, 34, 8, 50, 2), WOOD, 2, 0.6)
    cover = form(
        f"M50 34Q70 26 {w - 24} 32Q{w - 7} 34 {w - 7} 46V66Q{w * 0.7:.0f} 70 {w * 0.5:.0f} 66T50 66z",
        quilt,
        4,
        1,
        stars,
    )
    return Prop(
        "bed",
        w,
        84,
        shadow(w / 2, 83, w * 0.53, 5, 0.5)
        + path(box(16, 74, 6, 10) + box(w - 26, 74, 6, 10), dark(WOOD, 0.4))
        + head
        + form(box(10, 40, w - 17, 18, 4), CREAM, 3)
        + form(box(8, 57, w - 14, 16, 2), dark(WOOD, 0.1), 2)
        + form("M13 38Q11 22 28 24Q48 22 50 36Q50 42 44 42H16z", WHITE, 3)
        + cover,
    )


def blanket_over(w: float = 90) -> Prop:
    """The part of a star blanket that lies over a sitting child's legs, `w` x 34 cm."""
    star = "M0-3.4L1-1L3.4-.8L1.6.8L2.2 3.2L0 1.8L-2.2 3.2L-1.6.8L-3.4-.8L-1-1z"
    stars = "".join(put(10 + 23 * i % int(w - 12), 8 + 11 * i % 22, path(star, SUN), 1.1, 20 * i) for i in range(7))
    return Prop("blanket", w, 34, form(f"M0 34Q-2 14 14 8Q30 0 {w * 0.5:.0f} 6T{w} 14V34z", "#5B6BA6", 4, 1, stars))


def bedside_lamp() -> Prop:
    """A lit lamp, 26 x 36 cm."""
    return Prop(
        "bedside lamp",
        26,
        36,
        halo(13, 12, 60, 50)
        + shadow(13, 35.6, 9, 1, 0.5)
        + form("M9 36Q7 28 11 24V18H15V24Q19 28 17 36z", TEAL, 1.6)
        + form("M6 0H20L26 19H0z", "#FFF1C0", 2.4, 0.6),
    )


def toy_box() -> Prop:
    """An open box of toys, 70 x 54 cm."""
    toys = (
        form(oval(18, 12, 10), RED, 2.4, 0.6)
        + form(box(30, 4, 16, 18, 1.4), TEAL, 2)
        + form(oval(56, 12, 9), WOOD, 2)
        + form(oval(50, 4, 3.4), WOOD, 0.8)
        + form(oval(62, 4, 3.4), WOOD, 0.8)
        + path(oval(53, 11, 1) + oval(59, 11, 1) + oval(56, 14, 1.4), INK)
    )
    star = "M0-8L2.4-2.4L8-2L3.8 2L5 7.6L0 4.4L-5 7.6L-3.8 2L-8-2L-2.4-2.4z"
    return Prop(
        "toy box",
        70,
        54,
        shadow(35, 53, 38, 3, 0.5)
        + toys
        + form(box(0, 18, 70, 36, 2), "#8FB8B0", 4, 0.8)
        + put(35, 36, path(star, SUN)),
    )
