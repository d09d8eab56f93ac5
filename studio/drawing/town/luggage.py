"""Cases, packs and a trolley."""

from __future__ import annotations

from studio.drawing.kit import (
    CREAM,
    INK,
    RED,
    STEEL,
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
    shadow,
    stroke,
)


def suitcase(colour: str = RED, *, stickers: bool = False, upright: bool = True) -> Prop:
    """A trolley case, 46 x 70 cm; lying it is 66 x 48."""
    if not upright:
        body = (
            form(box(2, 8, 62, 38, 5), colour, 6, 1.4)
            + form(box(8, 8, 8, 38), dark(colour, 0.3), 1.4)
            + form(box(50, 8, 8, 38), dark(colour, 0.3), 1.4)
        )
        return Prop(
            "suitcase",
            66,
            48,
            shadow(34, 46, 38, 4, 0.6) + stroke("M24 9V3h18v6", INK, 3) + body + path(oval(33, 26, 4), SUN),
        )
    handle = stroke("M15 26V3H31V26", "#5A6379", 3)
    ribs = stroke("".join(f"M{x} 30v30" for x in (12, 19, 27, 34)), dark(colour, 0.2), 1.6)
    marks = (
        (
            form(oval(14, 38, 6), SUN, 1)
            + path(box(24, 48, 12, 8, 1), CREAM)
            + path(poly((30, 32), (36, 40), (24, 40)), TEAL)
        )
        if stickers
        else ""
    )
    wheels = path(oval(10, 67, 3.4) + oval(36, 67, 3.4), INK)
    return Prop(
        "suitcase",
        46,
        70,
        shadow(23, 69, 27, 4, 0.6) + handle + wheels + form(box(3, 22, 40, 44, 6), colour, 6, 1.4, ribs) + marks,
    )


def backpack(colour: str = TEAL) -> Prop:
    """A hiking pack standing on the ground, 44 x 62 cm, with a rolled mat on top."""
    mat = form(box(3, 2, 38, 13, 6), SUN, 3) + path(oval(9, 8.5, 4, 6), dark(SUN, 0.2))
    pack = (
        form("M6 60Q2 60 3 48L6 22Q8 12 22 12T38 22L41 48Q42 60 38 60z", colour, 6, 1.2)
        + form(box(10, 36, 24, 20, 4), light(colour, 0.12), 3)
        + stroke("M14 12V30M30 12V30", dark(colour, 0.3), 2.4)
    )
    return Prop("backpack", 44, 62, shadow(22, 61, 26, 4, 0.6) + pack + mat + path(box(20, 40, 4, 6, 1), CREAM))


def luggage_cart() -> Prop:
    """A porter's trolley, 130 x 96 cm; things stand on its bed 24 cm up."""
    bar = stroke("M14 84V10Q14 4 22 4H34", "#C79A3C", 5) + stroke("M14 40H26", "#C79A3C", 4)
    wheels = "".join(form(oval(x, 86, 10), INK, 3) + path(oval(x, 86, 4), STEEL) for x in (26, 108))
    return Prop(
        "luggage trolley", 130, 96, shadow(68, 95, 70, 5, 0.6) + bar + form(box(10, 70, 116, 8, 2), WOOD, 3, 1) + wheels
    )
