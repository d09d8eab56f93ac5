"""Signs with rabbits."""

from __future__ import annotations

from studio.drawing.home.home_posters import placard
from studio.drawing.kit import (
    INK,
    PINK,
    RED,
    SKY,
    STEEL,
    WHITE,
    WOOD,
    Prop,
    box,
    dark,
    form,
    limb,
    oval,
    path,
    put,
    stroke,
)


def _rabbit(fur: str = WHITE) -> str:
    """A sitting rabbit that faces left, within 40 x 50 from (0, 0)."""
    ears = (
        form("M10 20Q4 2 9 0Q14 2 15 19z", fur, 1.4)
        + form("M17 19Q18 0 23 1Q26 6 21 21z", fur, 1.4)
        + path("M11 16Q8 6 9.6 4Q12 8 13 16z", PINK)
    )
    body = form("M14 34Q22 28 32 32Q42 38 40 48Q40 51 36 51H12Q8 44 14 34z", fur, 3)
    head = form(oval(14, 28, 11, 9.6), fur, 2)
    face = (
        path(oval(9.6, 26, 1.7), INK)
        + path(oval(9.2, 25.4, 0.6), WHITE)
        + path("M3 29.6l2.4-.6l-.6 2.2z", PINK)
        + stroke("M5 32q3 2 5 0M1 33h-4M1 31l-4-1", dark(fur, 0.4), 0.7)
    )
    return ears + body + form(oval(39, 46, 4.4), fur, 1) + head + face + form(box(10, 47, 12, 5, 2.5), fur, 1)


def _test() -> str:
    """A rabbit in a wooden box under a bottle that drips on its eye."""
    crate = form("M14 66H84V98H14z", WOOD, 3, 0.8, stroke("M14 77H84M14 88H84", dark(WOOD, 0.3), 1.6))
    flask = put(
        38,
        40,
        form(
            "M-5 0H5V10L11 26Q12 30 8 30H-8Q-12 30-11 26L-5 10z",
            "#DCEBF2",
            1.6,
            0.5,
            path(box(-12, 17, 24, 14), "#8FC45A"),
        )
        + form(box(-6, -2, 12, 4, 1), STEEL, 0.6),
        0.95,
        208,
    )
    hand = form(limb([(104, 16), (84, 16), (64, 20)], (19, 17, 15)), "#DDE5EA", 2.4) + form(
        "M70 12Q56 10 46 15Q41 19 45 25Q53 29 68 27z", SKY, 2
    )
    drop = form("M36 42q-4 6 0 8q4-2 0-8z", "#8FC45A", 0.5) + form("M34.6 52q-3 5 0 6q3-1 0-6z", "#8FC45A", 0.4)
    return put(22, 26, _rabbit(), 1.18) + crate + flask + hand + drop


def rabbit_sign(banned: bool) -> Prop:
    if banned:
        return placard(
            "sign against animal tests",
            put(9, 9, _test(), 0.84),
            ("NO ANIMAL", "TESTS"),
            mark="ban",
            colour=RED,
            ground="#CFE3D6",
            w=80,
        )
    return placard("sign for animal tests", put(9, 9, _test(), 0.84), ("TEST IT ON", "RABBITS"), ground="#CFE3D6", w=80)


def bunny_sign() -> Prop:
    carrot = put(
        18,
        66,
        form("M0 0Q10-8 26-4Q10 8 0 0z", "#F0873A", 1.6) + stroke("M25-4q6-6 10-5M25-4q8-1 11 2", "#6FA35A", 2.2),
        1.2,
        10,
    )
    return placard(
        "sign with a rabbit and a carrot",
        put(28, 26, _rabbit(), 1.3) + carrot,
        ("BUNNY SOAP",),
        colour="#4F8A5B",
        ground="#F6E2A8",
        w=80,
    )
