"""A table laid for breakfast and seen from straight above, and the hands around it."""

from __future__ import annotations

from dataclasses import replace

from studio.drawing.kit import (
    CORAL,
    CREAM,
    HUMAN,
    INK,
    LEAF,
    NAVY,
    RED,
    SKY,
    STEEL,
    SUN,
    TEAL,
    TEXT,
    WHITE,
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
    put,
    stroke,
    veil,
)
from studio.drawing.limbs import hand
from studio.drawing.scene import H, Setting, W

PX = 9.0
"""Pixels per centimetre everywhere on the table: the camera looks straight down."""


def table_from_above(cloth: str = "#F6EBDD", check: str = "#D9594A") -> Setting:
    """A chequered cloth that fills the page."""
    out = path(box(0, 0, W, H), cloth)
    for k in range(0, W, 96):
        out += veil(box(k, 0, 48, H), check, 0.3)
    for k in range(0, H, 96):
        out += veil(box(0, k, W, 48), check, 0.3)
    out += veil("M0 0H380L120 683H0z", "#FFF6DA", 0.35)
    return Setting("breakfast table", out, 0, 100)


def _under(d: str) -> str:
    return f'<g transform="translate(.8,1)">{veil(d, "#3A2A5C", 0.26)}</g>'


def plate_above(food: str = "", colour: str = WHITE) -> Prop:
    """24 cm across; `food` is drawn about (12, 12)."""
    return Prop(
        "plate",
        24,
        24,
        _under(oval(12, 12, 12))
        + form(oval(12, 12, 12), colour, 1, 0.3)
        + path(oval(12, 12, 8.4), dark(colour, 0.07))
        + food,
    )


def toast(jam: bool = False) -> str:
    slice_ = form("M5 8Q3 5 6 4.4Q12 3 18 4.4Q21 5 19 8L19.4 18Q19.4 20 17 20H7Q4.6 20 4.6 18z", "#B9743E", 1) + path(
        "M6.4 8.4Q5 6 7.4 5.8Q12 5 16.6 5.8Q19 6 17.6 8.4L18 17.4Q18 18.4 16.6 18.4H7.4Q6 18.4 6 17.4z", "#E9BE7C"
    )
    return slice_ + (form("M8 8Q12 6.6 15 8.4Q17 12 14 14Q10 15 8 13Q6.6 10 8 8z", "#B5303F", 0.8) if jam else "")


def egg_above() -> Prop:
    """A boiled egg in its cup, opened."""
    return Prop(
        "egg",
        9,
        9,
        _under(oval(4.5, 4.5, 4.5))
        + form(oval(4.5, 4.5, 4.5), SKY, 0.8)
        + form(oval(4.5, 4.5, 3.3), WHITE, 0.5)
        + form(oval(4.6, 4.6, 1.9), "#F0A23C", 0.5),
    )


def cup_above(drink: str = "#6B3F2A", colour: str = TEAL) -> Prop:
    return Prop(
        "cup",
        17,
        14,
        _under(oval(7, 7, 7))
        + form(oval(7, 7, 7), light(colour, 0.5), 0.8)
        + stroke("M10 7H15.4", colour, 2)
        + form(oval(7, 7, 4.6), colour, 0.6)
        + path(oval(7, 7, 3.7), drink),
    )


def jam_jar() -> Prop:
    """A nearly empty jar that lies on its side and shows its last spoonful, 36 x 18 cm."""
    jar = form(box(0, 0.6, 16, 11.6, 3), "#DCEBEE", 1.4, 0.4) + form(
        "M1 9Q6 7.4 10 9.4T15.6 9V10.6Q15 12 13 12H3.4Q1.4 12 1 10.6z", "#B5303F", 0.6
    )
    smear = stroke("M3 3.4q2 2.4 1 4.6M8 3q1.4 2-.4 4.4M12 3.6q1 1.6 0 3", "#C9505A", 1, 'opacity=".7"')
    label = (
        form(box(4, 3.6, 8, 5, 0.6), CREAM, 0.5)
        + form(oval(8, 6.2, 1.6), RED, 0.4)
        + stroke("M8 4.8q1-1.2 2-1", LEAF, 0.5)
    )
    body = _under(box(0, 0.6, 18, 11.6, 3)) + jar + smear + label + form(box(15.6, 1.6, 3, 9.6, 0.8), "#E4EEF0", 0.6)
    return Prop("nearly empty jam jar", 36, 18, put(0, 0, body, 36 / 26))


def jar_lid() -> Prop:
    return Prop(
        "lid",
        8,
        8,
        _under(oval(4, 4, 4)) + form(oval(4, 4, 4), RED, 0.7, 0.3) + stroke(oval(4, 4, 2.8), light(RED, 0.4), 0.4),
    )


def butter() -> Prop:
    return Prop(
        "butter dish",
        20,
        12,
        _under(box(0, 0, 20, 12, 2))
        + form(box(0, 0, 20, 12, 2), WHITE, 0.8, 0.3)
        + form(box(3, 2.4, 11, 7, 0.6), "#F7DE8A", 1, 0.3)
        + stroke("M13 8L22 13", STEEL, 1.3),
    )


def milk_jug() -> Prop:
    return Prop(
        "milk jug",
        15,
        12,
        _under(oval(6, 6, 6))
        + stroke("M11 4q5-.6 4 3t-5 2", CORAL, 1.6)
        + form("M6 0Q12 0 12 6T6 12Q0 12 0 6Q-1.6 5 .6 3.6Q2 0 6 0z", CORAL, 1, 0.3)
        + path(oval(6.2, 6, 4.3), WHITE),
    )


def posy() -> Prop:
    """Flowers in a glass, from above."""
    return Prop(
        "flowers in a glass",
        20,
        20,
        _under(oval(10, 10, 7))
        + "".join(put(10, 10, form("M0 0Q-3-6 0-10Q3-6 0 0z", LEAF, 0.6), 1, a) for a in (20, 100, 190, 280))
        + flower(6.4, 7, 4.4, RED, SUN)
        + flower(13.6, 8, 4.4, WHITE, SUN)
        + flower(9.6, 14, 4.4, CORAL, SUN),
    )


def bread_board() -> Prop:
    """A cut loaf on a board, 38 x 22 cm."""
    cut = "".join(
        _under(box(24 + 2 * i, 1.6 + 8 * i, 10, 10.4, 3))
        + form(box(24 + 2 * i, 1.6 + 8 * i, 10, 10.4, 3), "#B9743E", 0.5)
        + path(box(24.9 + 2 * i, 2.5 + 8 * i, 8.2, 8.6, 2.4), "#F0D3A0")
        for i in range(2)
    )
    return Prop(
        "loaf on a board",
        38,
        22,
        _under(box(0, 0, 38, 22, 2))
        + form(box(0, 0, 38, 22, 2), WOOD, 0.8, 0.4)
        + form(
            box(3, 4, 20, 14, 5), "#B9743E", 1.6, 0.4, stroke("M7 5q2 6 0 12M12 5q2 6 0 12M17 5q2 6 0 12", "#E0B07A", 1)
        )
        + cut,
    )


def newspaper() -> Prop:
    """A folded paper with the headline MOON IS CHEESE, 36 x 26 cm."""
    moon = (
        path(box(2.4, 12, 13, 11.6), "#26315C")
        + form(oval(9, 17.8, 4.6), SUN, 1)
        + path(oval(7.4, 16.4, 0.9) + oval(10.6, 18.6, 1.1) + oval(8, 20, 0.6), dark(SUN, 0.25))
    )
    text = stroke("".join(f"M17.4 {13 + 1.9 * i}h7.4M26 {13 + 1.9 * i}h7.6" for i in range(6)), "#9A93A0", 0.7)
    head = lettering("MOON IS CHEESE", 18, 9.2, 5, INK, 31) + stroke("M2.4 2.6H33.6M2.4 10.4H33.6", "#9A93A0", 0.4)
    return Prop(
        "newspaper",
        36,
        26,
        _under(box(0, 0, 35, 25)) + form(box(0, 0, 35.4, 25.4, 0.4), "#F4F0E6", 0.8) + head + moon + text,
        shows=frozenset({TEXT}),
    )


def place_mat() -> Prop:
    """A woven mat in the newspaper's box."""
    weave = stroke("".join(f"M0 {2.4 + 3 * i}H36" for i in range(8)), light(TEAL, 0.3), 0.6)
    return Prop(
        "place mat",
        36,
        26,
        _under(box(0, 0, 35, 25))
        + form(box(0, 0, 35.4, 25.4, 1), TEAL, 0.8, 0, weave + stroke(box(1.6, 1.6, 32.2, 22.2, 0.6), CREAM, 0.8)),
    )


def arm_from(skin: str, sleeve: str, kind: str = "open", held: str = "", long: float = 30, side: int = 1) -> Prop:
    """A forearm that comes from below, hand up, in a box of 16 x 44 cm; `held` lies under the fingers at (8, 5)."""
    under, over = hand((8, 13), 180, 10, skin, kind, side)
    bare = form(limb([(8, 12), (8, 20), (8, 30)], (5, 5.6, 6.4)), skin, 1)
    cloth = form(limb([(8, 22), (8, 32), (8, 46 + long)], (8.6, 9.4, 10.4)), sleeve, 1.6)
    return Prop(
        "hand",
        16,
        44,
        f'<g transform="translate(.9,1.2)">{veil(limb([(8, 4), (8, 20), (8, 44)], (6, 6, 9)), "#3A2A5C", 0.2)}</g>'
        + bare
        + under
        + held
        + over
        + cloth,
        shows=frozenset({HUMAN}),
    )


def turned(prop: Prop, angle: float) -> Prop:
    """The prop turned about its middle; the box stays."""
    return replace(prop, body=f'<g transform="rotate({angle} {prop.w / 2} {prop.h / 2})">{prop.body}</g>')


def table_knife() -> str:
    """A knife for butter, handle down at (0, 0)."""
    return form(box(-0.7, -3, 1.4, 8, 0.6), NAVY, 0.3) + form("M-.8-3V-11Q.4-13 .9-11L.8-3z", "#DDE5EA", 0.4)
