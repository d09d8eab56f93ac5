"""Birds in centimetres, from the side; `way` -1 faces left, 1 right."""

from __future__ import annotations

from studio.drawing.country.mirror import facing
from studio.drawing.kit import (
    INK,
    PINK,
    SUN,
    WHITE,
    Prop,
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


def duck(way: int = -1, drake: bool = True, swims: bool = False) -> Prop:
    """A duck, 44 x 34; one that swims has a ripple instead of legs."""
    f = facing(44, way)
    legs = stroke(f("M22 28v5M28 28v5M19 33.4h5M25 33.4h5"), "#E8873A", 1.6)
    ripple = path(oval(23, 30, 26, 3), "#DFF1F4", extra='opacity=".75"')
    body = form(
        f("M10 18Q14 22 22 18Q34 14 43 15Q42 29 26 30Q10 30 10 18z"), "#D9CBB4" if drake else "#B98A5E", 2.6, 0.6
    )
    wing = form(
        f("M20 19Q30 15 38 19Q32 27 23 25Q19 22 20 19z"),
        "#A89A8A" if drake else "#9A6B4A",
        1.2,
        0,
        path(f("M31 22h8l-4 4h-6z"), "#4E7FC0"),
    )
    head = form(
        f("M6 8Q6 1 13 1Q20 2 19 10Q19 18 22 20L12 24Q8 16 8 14Q6 12 6 8z"), "#3F8560" if drake else "#B98A5E", 1.8, 0.5
    )
    ring = stroke(f("M9.5 17.5q5 2 10-1"), WHITE, 1.3) if drake else ""
    beak = form(f("M7 7Q3 8-1 9Q-1 12 7 12z"), SUN, 0.6)
    return Prop(
        "duck",
        44,
        34,
        (ripple if swims else shadow(24, 33, 18, 1.6, 0.5) + legs)
        + body
        + wing
        + head
        + ring
        + beak
        + path(f(oval(11, 6.4, 1.2)), INK)
        + path(f(oval(10.6, 6, 0.4)), WHITE),
    )


def pigeon(way: int = -1) -> Prop:
    f, coat = facing(30, way), "#8C93A6"
    return Prop(
        "pigeon",
        30,
        24,
        shadow(16, 23, 10, 1.2, 0.5)
        + stroke(f("M14 18v5M18 18v5"), PINK, 1.3)
        + form(
            f("M4 8Q4 2 9 2Q14 3 14 9Q24 9 30 17Q20 21 12 19Q6 16 6 10z"),
            coat,
            2,
            0.4,
            path(f("M5 8h9v4H5z"), "#5F9A8A"),
        )
        + form(f("M13 11Q22 10 28 16Q20 18 15 16z"), light(coat, 0.3), 0.8)
        + form(f("M5 6l-5 1.6l5 1.4z"), "#5B5560", 0.3)
        + path(f(oval(7.6, 6, 1)), "#E8693A"),
    )


def robin(way: int = -1) -> Prop:
    f = facing(18, way)
    return Prop(
        "robin",
        18,
        16,
        shadow(9, 15.6, 7, 0.9, 0.5)
        + stroke(f("M8 12v3.4M11 12v3.4"), "#6B4A3A", 0.8)
        + form(
            f("M3 6Q3 1 8 1Q12 2 13 6L18 10Q13 13 8 13Q3 12 3 6z"),
            "#8A6A55",
            1.4,
            0,
            path(f(oval(5, 7, 4, 4.6)), "#E8693A"),
        )
        + path(f(oval(6.4, 4.2, 0.9)), INK)
        + path(f(poly((3, 4), (0, 5), (3, 6))), "#5B5560"),
    )


def crow(way: int = -1) -> Prop:
    """A crow on its perch, 44 x 36; its feet are the bottom edge."""
    f, coat = facing(44, way), "#3B3A4E"
    return Prop(
        "crow",
        44,
        36,
        stroke(f("M20 28v8M26 28v8"), "#2E2B38", 1.8)
        + form(f("M9 10Q9 3 16 3Q22 4 22 12Q34 14 44 28Q30 30 20 29Q10 26 11 15z"), coat, 2.6, 0.8)
        + form(f("M10 8L1 12L10 13z"), "#4B4650", 0.5)
        + path(f(oval(14, 8.6, 1.5)), WHITE)
        + path(f(oval(13.8, 8.6, 0.8)), INK)
        + form(f("M20 15Q32 16 40 26Q28 26 22 22z"), dark(coat, 0.3), 1),
    )


def gull(flies: bool = False) -> Prop:
    """A gull, 44 x 34, standing or on the wing."""
    if flies:
        return Prop(
            "gull",
            80,
            34,
            form("M38 22Q20 0 0 4Q20 12 30 26z", "#C9D2DA", 2)
            + form("M38 22Q58-4 80 2Q60 12 48 28z", WHITE, 2.4)
            + form("M22 22Q34 14 50 22Q60 26 66 24Q58 32 44 31Q28 31 22 22z", WHITE, 2)
            + form("M24 20l-9 2l9 3z", SUN, 0.5)
            + path(oval(27, 20, 1.1), INK),
        )
    body = form("M8 10Q8 3 14 3Q20 4 20 12Q34 14 43 22Q32 27 22 26Q10 24 10 15z", WHITE, 2.4, 0.5)
    return Prop(
        "gull",
        44,
        34,
        shadow(24, 33, 14, 1.4, 0.5)
        + stroke("M20 25v8M26 25v8M17 33h5M23 33h5", "#E8A03A", 1.5)
        + body
        + form("M18 15Q32 14 42 22Q30 25 22 22z", "#B9C4CE", 1.2)
        + form("M9 8l-7 2l7 2z", SUN, 0.5)
        + path(oval(12.6, 8, 1.1), INK),
    )


def swans() -> Prop:
    """Three swans in a row, in the same box."""
    one = (
        form("M20 60Q34 40 62 46Q84 42 96 32Q98 62 76 72H34Q18 72 20 60z", WHITE, 6, 1)
        + form(limb([(30, 62), (14, 40), (24, 14)], (14, 10, 8)), WHITE, 2.4)
        + form("M30 8Q22 2 14 10Q12 16 18 20L32 18z", WHITE, 1.6)
        + form("M15 10L2 18L16 20z", "#E8873A", 1)
        + path(oval(20, 12, 1.8), INK)
        + form("M46 52Q66 44 86 40Q80 62 58 64z", dark(WHITE, 0.08), 2)
    )
    ripple = path(oval(56, 72, 50, 4), "#E6F5F7", extra='opacity=".8"')
    return Prop(
        "three swans",
        260,
        140,
        put(6, 62, one + ripple) + put(92, 50, one + ripple, 0.86) + put(170, 58, one + ripple, 0.8),
    )
