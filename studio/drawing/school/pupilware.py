"""Small things that pupils and researchers hold or lay down: notebook, pencil, magnifier, laptop and the like."""

from __future__ import annotations

import math

from studio.drawing.kit import (
    BLUE,
    CORAL,
    CREAM,
    NAVY,
    STEEL,
    SUN,
    TEAL,
    WHITE,
    WOOD,
    Prop,
    box,
    clipped,
    dark,
    form,
    light,
    oval,
    path,
    poly,
    shadow,
    stroke,
    veil,
)


def goggles() -> Prop:
    """Safety goggles lying on the bench, 18 x 8 cm."""
    strap = stroke("M1 5Q-3 1 4 .8Q9 0 14 .8Q21 1 17 5", dark(STEEL, 0.3), 1.1)
    lens = "M1 3Q1 1.6 4 1.6H14Q17 1.6 17 3V6Q17 8 13.6 8Q11 8 9.6 6H8.4Q7 8 4.4 8Q1 8 1 6z"
    return Prop(
        "safety goggles",
        18,
        8.4,
        shadow(9, 8, 9, 0.7, 0.6) + strap + form(lens, "#BFE2EC", 0.8) + stroke(lens, CORAL, 0.9),
    )


def laptop(picture: str = "") -> Prop:
    """An open laptop from the front, 36 x 26 cm."""
    lid = form(box(3, 0, 30, 21, 1), "#5A6379", 1, 0.4) + clipped(
        box(4.2, 1.2, 27.6, 18.4), path(box(4, 1, 28, 19), "#CFE7EA") + picture
    )
    deck = form(poly((3, 21), (33, 21), (36, 25.4), (0, 25.4)), "#8C93A6", 0.6) + path(
        poly((6, 21.8), (30, 21.8), (31.4, 24), (4.6, 24)), "#4B5368"
    )
    return Prop("laptop", 36, 26, shadow(18, 25.6, 19, 1, 0.6) + deck + lid)


def magnifier() -> Prop:
    """A magnifying glass; hold it at (7, 19)."""
    return Prop(
        "magnifying glass", 14, 26,
        form(box(5.4, 13, 3.2, 12.6, 1.4), dark(WOOD, 0.3), 0.8) + veil(oval(7, 6.6, 5.8), "#DDF2F6", 0.75)
        + stroke(oval(7, 6.6, 6), NAVY, 1.3) + stroke("M3.6 5Q4.6 2.8 7 2.4", WHITE, 0.9),
    )  # fmt: skip


def notebook(colour: str = TEAL) -> Prop:
    """A spiral notebook to hold, 18 x 24 cm."""
    rings = stroke("".join(f"M{3 + 2.4 * i:.1f} -.6v2.4" for i in range(6)), STEEL, 0.7)
    return Prop(
        "notebook", 18, 24, form(box(0, 0, 18, 24, 1), colour, 1.2, 0.3) + path(box(4, 6, 10, 5, 0.6), CREAM) + rings
    )


def pencil(colour: str = SUN) -> Prop:
    """A pencil, its point down; hold it at (1, 9)."""
    return Prop(
        "pencil",
        2,
        18,
        path(box(0.2, 0, 1.6, 2, 0.5), CORAL)
        + path(box(0.2, 2, 1.6, 13), colour)
        + path(poly((0.2, 15), (1.8, 15), (1, 18)), "#E9CFA4"),
    )


def open_notes() -> Prop:
    """An open notebook with a drawing of a jar, lying flat, 34 x 9 cm."""
    pages = form(poly((5, 0), (17, 1), (17, 9), (0, 8)), WHITE, 0.4) + form(
        poly((29, 0), (17, 1), (17, 9), (34, 8)), CREAM, 0.4
    )
    return Prop(
        "open notebook", 34, 9.4,
        shadow(17, 8.8, 18, 0.9, 0.5) + pages + stroke("M4.6 3h8M4 4.8h9M3.4 6.4h6", BLUE, 0.45)
        + stroke("M21 2.4h6l.8 4h-7.4zM22.4 4.6h4", CORAL, 0.5) + stroke("M28 6.6L33 1", SUN, 1),
    )  # fmt: skip


def spoon() -> Prop:
    return Prop(
        "spoon",
        20,
        3,
        shadow(10, 2.8, 9, 0.4, 0.5)
        + stroke("M6 1.6H19", STEEL, 0.9)
        + form(oval(3.6, 1.5, 3.4, 1.4), light(STEEL, 0.3), 0.5),
    )


def star_points(cx: float, cy: float, r: float, n: int = 5, inner: float = 0.45) -> list[tuple[float, float]]:
    """The corners of a star."""
    return [
        (
            cx + r * (1 if i % 2 == 0 else inner) * math.sin(math.pi * i / n),
            cy - r * (1 if i % 2 == 0 else inner) * math.cos(math.pi * i / n),
        )
        for i in range(2 * n)
    ]
