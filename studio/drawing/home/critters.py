"""Small animals about the house, real and toy."""

from __future__ import annotations

from studio.drawing.kit import CORAL, INK, PINK, SUN, WHITE, Prop, dark, form, light, oval, path, put, shadow, stroke


def spider(w: float = 26, colour: str = "#2E2A3A") -> Prop:
    """A big toy spider, `w` x 0.6 w cm."""
    legs = "".join(
        stroke(
            f"M{13 + k * 3} 9Q{13 + k * (7 + 2 * i)} {-1 + i} {13 + k * (9 + 2.2 * (i % 2) + 0.4 * i)} {15 - 0.4 * i}",
            colour,
            1.1,
        )
        for i in range(4)
        for k in (-1, 1)
    )
    body = form(oval(13, 7.4, 5.4, 4.8), colour, 1.6, 0.6) + form(oval(13, 11.4, 3.4, 3), light(colour, 0.12), 0.8)
    eyes = (
        path(oval(11.6, 11, 1) + oval(14.4, 11, 1), WHITE)
        + path(oval(11.8, 11.2, 0.5) + oval(14.6, 11.2, 0.5), INK)
        + stroke("M11.6 13q1.4 1 2.8 0", WHITE, 0.4)
    )
    return Prop(
        "rubber spider",
        w,
        w * 15.6 / 26,
        put(0, 0, shadow(13, 15, 12, 1, 0.5) + legs + body + stroke("M10 5q1-2 3-2", "#8A86A0", 0.8) + eyes, w / 26),
    )


def sponge(w: float = 26) -> Prop:
    """A bath sponge in the spider's box."""
    holes = path("".join(oval(4 + 7 * i % 19, 5.4 + 5 * i % 9, 0.7 + 0.2 * (i % 3)) for i in range(14)), dark(SUN, 0.2))
    return Prop(
        "bath sponge",
        w,
        w * 15.6 / 26,
        put(
            0,
            0,
            shadow(13, 15.2, 12, 1, 0.5)
            + form("M2 13Q0 5 5 4Q13 1 21 4Q26 5 24 13Q23 15.4 20 15.2H6Q3 15.4 2 13z", SUN, 2, 0.6, holes),
            w / 26,
        ),
    )


def sleeping_dog(fur: str = "#C98D56", w: float = 84) -> Prop:
    """Curled up on the rug, nose under its tail."""
    body = form("M6 36Q-2 18 20 10Q44 0 66 10Q84 18 78 36Q76 40 68 40H14Q8 40 6 36z", fur, 4, 0.6)
    haunch = form("M48 40Q46 20 62 18Q78 20 76 36Q74 40 68 40z", dark(fur, 0.06), 3)
    tail = stroke("M74 36Q66 44 46 40Q38 38 34 36", dark(fur, 0.14), 5)
    head = form("M10 32Q6 22 16 18Q28 14 36 24Q44 32 34 37Q18 42 10 32z", light(fur, 0.1), 2, 0.4)
    ear = form("M14 20Q10 30 18 34Q24 30 22 20z", dark(fur, 0.3), 1.2)
    return Prop(
        "sleeping dog",
        w,
        w * 0.5,
        put(
            0,
            0,
            shadow(42, 39.6, 42, 3, 0.5)
            + body
            + haunch
            + tail
            + head
            + ear
            + path(oval(39, 31, 2.4, 2), INK)
            + stroke("M27 27q2.4 1.8 5 0", INK, 1),
            w / 84,
        ),
    )


def goldfish_bowl() -> Prop:
    fish = (
        form("M10 14Q16 8 22 14Q16 20 10 14z", CORAL, 1.2)
        + form("M10 14L5 10V18z", CORAL, 0.6)
        + path(oval(19.4, 13, 0.8), INK)
    )
    return Prop(
        "goldfish bowl",
        30,
        26,
        shadow(15, 25.4, 12, 1.2, 0.5)
        + form(
            "M6 2H24Q32 10 28 20Q26 25.4 20 25.4H10Q4 25.4 2 20Q-2 10 6 2z",
            "#CFE9EE",
            2,
            0,
            path("M-2 7Q7 5 15 7T32 7V26H-2z", "#8FCBE0") + path("M2 22Q15 19 28 22V26H2z", PINK),
        )
        + fish
        + stroke("M6 8q-3 5-1 10", WHITE, 1, 'opacity=".7"'),
    )
