"""Animals of the farm in centimetres, from the side; `way` -1 faces left, 1 right."""

from __future__ import annotations

from studio.drawing.country.landscape import scallop
from studio.drawing.country.mirror import facing
from studio.drawing.kit import INK, RED, SUN, WHITE, Prop, dark, form, light, limb, oval, path, shadow, stroke


def _eye(x: float, y: float, r: float) -> tuple[str, str]:
    return oval(x, y, r, r * 1.15), oval(x - r * 0.3, y - r * 0.4, r * 0.36)


def sheep(way: int = -1, wool: str = "#F5EFE2") -> Prop:
    """A sheep, 110 x 82."""
    f = facing(110, way)
    skin = "#5B5058"
    legs = "".join(
        form(f(limb([(x, 54), (x, 66), (x, 80)], (8, 6, 5.6))), c, 1.2)
        for x, c in ((44, dark(skin, 0.3)), (86, dark(skin, 0.3)), (38, skin), (80, skin))
    )
    curls = stroke(
        "".join(f(f"M{x} {y}q5-6 10 0") for x, y in ((40, 30), (60, 24), (78, 34), (50, 46), (70, 50), (88, 48))),
        dark(wool, 0.14),
        2,
    )
    body = form(f(scallop(62, 38, 36, 26, 12, 2)), wool, 6, 1.5, curls)
    head = form(f("M34 20Q22 14 14 22Q6 36 10 44Q18 50 26 42Q36 36 36 26z"), skin, 2.4, 0.6)
    ear = form(f("M32 22q10-4 14 4q-6 6-14 2z"), dark(skin, 0.15), 1)
    a, b = _eye(20, 29, 2)
    tuft = form(f(scallop(30, 17, 11, 7, 7, 4)), wool, 1.6)
    return Prop(
        "sheep",
        110,
        82,
        shadow(60, 79, 46, 4, 0.5)
        + legs
        + body
        + head
        + ear
        + tuft
        + path(f(a), WHITE)
        + path(f(oval(19.6, 29.3, 1.2)), INK)
        + path(f(b), WHITE),
    )


def goat(way: int = -1, coat: str = "#D9C3A0", *, kid: bool = False) -> Prop:
    """A bearded goat, 100 x 92; a kid has no beard and buds for horns."""
    f = facing(100, way)
    legs = "".join(
        form(f(limb([(x, 58), (x + 1, 72), (x, 90)], (10, 7, 6))), c, 1.6)
        for x, c in ((46, dark(coat, 0.2)), (86, dark(coat, 0.2)), (38, coat), (78, coat))
    )
    tail = form(f("M88 36q10-8 10 2q-2 6-10 8z"), coat, 1.4)
    body = form(
        f("M30 40Q46 34 62 36Q82 30 91 40Q96 52 88 60Q74 68 58 67Q40 68 33 60Q27 50 30 40z"),
        coat,
        5,
        1.2,
        path(f(oval(72, 46, 11, 9) + oval(54, 58, 7, 5)), light(coat, 0.45)),
    )
    neck = form(f("M30 22L46 36L44 62L30 58Q22 40 22 28z"), coat, 3)
    head = form(f("M40 18Q30 8 18 16L4 28Q2 36 10 37L30 32Q40 28 40 18z"), coat, 2.4, 0.8)
    horns = "".join(
        stroke(f(f"M{30 + k * 5} 13q2-12 {14 + k * 2}-11"), c, 3.4) for k, c in ((1, "#7A6A5E"), (0, "#94826F"))
    )
    if kid:
        horns = stroke(f("M30 13q0-5 3-7M35 14q0-5 3-7"), "#94826F", 3)
    ear = form(f("M36 18q12-2 16 6q-10 4-16 0z"), dark(coat, 0.15), 1)
    beard = form(f("M10 36q2 10-2 15q10-3 9-16z"), light(coat, 0.5), 1)
    a, b = _eye(24, 21, 1.8)
    return Prop(
        "goat",
        100,
        92,
        shadow(58, 89, 42, 4, 0.5)
        + tail
        + legs
        + body
        + neck
        + ("" if kid else beard)
        + horns
        + head
        + ear
        + path(f(a), INK)
        + path(f(b), WHITE)
        + stroke(f("M5 33q5 2 9 0"), dark(coat, 0.4), 1),
    )


def hen(way: int = -1, plume: str = "#C8703A", comb: str = RED) -> Prop:
    """A hen, 42 x 42."""
    f = facing(42, way)
    legs = stroke(f("M20 33v6M26 33v6M16 40l4-2l3 2M22 40l4-2l3 2"), "#E0A03A", 1.6)
    tail = form(f("M30 20Q36 6 41 7Q42 18 38 28z"), dark(plume, 0.2), 1.6)
    body = form(f("M10 14Q14 24 24 20Q34 16 39 22Q38 35 24 36Q9 36 8 22z"), plume, 3, 0.6)
    neck = form(f("M8 10Q8 4 13 4Q18 5 18 12Q18 22 12 27Q6 22 8 10z"), light(plume, 0.16), 1.4)
    crest = form(f("M9 6q-2-5 2-4q1-4 4-1q4-1 2 5z"), comb, 0.6) + form(f("M7 13q-3 4 0 6q3-2 2-6z"), comb, 0.5)
    beak = form(f("M8 8L2 10.6L8 12z"), SUN, 0.5)
    wing = form(f("M18 22Q28 18 34 25Q28 33 20 31Q17 27 18 22z"), dark(plume, 0.14), 1.4)
    return Prop(
        "hen",
        42,
        42,
        shadow(22, 40, 15, 1.8, 0.5)
        + legs
        + tail
        + body
        + crest
        + neck
        + beak
        + wing
        + path(f(oval(11, 8.6, 1.2)), INK)
        + path(f(oval(10.7, 8.2, 0.4)), WHITE),
    )


def chick(way: int = -1) -> Prop:
    f = facing(14, way)
    body = form(f("M2 7Q3 2 7 3Q9 6 13 6Q13 12 8 12.4Q3 12 3 9z"), "#F7D45E", 1.2, 0.3)
    return Prop(
        "chick",
        14,
        14,
        shadow(7.5, 13.4, 5, 0.8, 0.5)
        + stroke(f("M7 12v1.6M9.4 12v1.6"), "#E0A03A", 0.7)
        + body
        + form(f("M2.4 6L0 7.2L2.6 8z"), "#E8873A", 0.2)
        + path(f(oval(4.8, 5.6, 0.65)), INK),
    )
