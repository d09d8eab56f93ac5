"""Things of classrooms, computer rooms and corridors, in centimetres."""

from __future__ import annotations

from studio.drawing.kit import (
    CREAM,
    INK,
    PLUM,
    RED,
    SKY,
    SUN,
    TEXT,
    WHITE,
    WOOD,
    Prop,
    box,
    clipped,
    dark,
    form,
    lettering,
    light,
    oval,
    path,
    poly,
    put,
    shadow,
    stroke,
)  # fmt: skip


def sheets(n: int = 4) -> Prop:
    """A stack of test sheets to hand out, 21 x 28 cm."""
    out = "".join(path(box(i * 0.5, -i * 0.5, 21, 28, 0.6), CREAM if i % 2 else WHITE) for i in range(n))
    lines = "".join(f"M4 {6 + 3.4 * i:.1f}h{13 if i % 3 else 9}" for i in range(6))
    return Prop("sheets of paper", 23, 28, out + stroke(lines, SKY, 0.7))


def flat_sheet(angle: float = 0) -> Prop:
    """A sheet of paper lying on a desk, 30 x 6 cm."""
    return Prop(
        "sheet of paper",
        30,
        6,
        put(
            0,
            0,
            path(poly((5, 0.4), (27, 0), (30, 5.6), (0, 6)), WHITE) + stroke("M7 2h15M6 3.4h16M5 4.6h10", SKY, 0.4),
            1,
            angle,
        ),
    )


def pencil_case(colour: str = PLUM) -> Prop:
    return Prop(
        "pencil case",
        22,
        7,
        shadow(11, 6.8, 12, 0.8, 0.5)
        + form(box(0, 0, 22, 6.8, 3.2), colour, 1.4, 0.5)
        + stroke("M3 2.4H19", light(colour, 0.5), 0.6)
        + path(box(18, 2, 2.4, 1.6, 0.4), SUN),
    )


def old_radio() -> Prop:
    """A wooden valve radio, 46 x 30 cm."""
    case = form("M0 30V8Q0 0 8 0H38Q46 0 46 8V30z", "#8A5A3A", 2.6, 0.9)
    cloth = form(
        box(4, 5, 24, 18, 2),
        "#D9C39A",
        0.8,
        0,
        stroke("".join(f"M4 {7 + 2.4 * i:.1f}h24" for i in range(7)), "#B59A6A", 0.6),
    )
    dial = (
        form(oval(36, 12, 6.4), "#F6E3B0", 0.8)
        + stroke("M36 12L39.6 8.6", RED, 0.8)
        + stroke(oval(36, 12, 6.4), "#5B3A2E", 0.8)
    )
    knobs = form(oval(32.6, 24, 2.2), "#5B3A2E", 0.5) + form(oval(39.6, 24, 2.2), "#5B3A2E", 0.5)
    return Prop(
        "old radio",
        46,
        31,
        shadow(23, 30.4, 25, 1.4, 0.6) + case + cloth + dial + knobs + path(box(5, 29, 5, 2) + box(36, 29, 5, 2), INK),
    )


def newspaper(headline: str, art: str, name: str) -> Prop:
    """A yellowed front page held by two pins, 46 x 62 cm; the picture fills 40 x 20 at (3, 25)."""
    paper = "#EBDDB8"
    out = path(box(1.4, 1.8, 44, 60), "#3A2A5C", extra='opacity=".3"') + form(box(0, 0, 44, 60), paper, 0.8)
    out += stroke("M6 4.4h7M16 4.4h12M31 4.4h7", "#6B5F55", 1) + stroke("M3 7h38", "#6B5F55", 0.5)
    out += lettering(headline, 22, 21.4, 12, INK, 38)
    out += clipped(box(3, 25, 38, 17), path(box(3, 25, 38, 17), "#C9B892") + art)
    out += stroke(
        "".join(f"M{x} {y:.1f}h11.4" for x in (3, 16.2, 29.4) for y in (45.4 + 2.2 * i for i in range(6))),
        "#8A7D6B",
        0.8,
    )
    return Prop(name, 46, 62, out + form(oval(22, 1.4, 1.5), RED, 0.4), shows=frozenset({TEXT}))


def war_page() -> Prop:
    """An old front page: WAR! over soldiers' helmets in a row."""
    ground = path(box(3, 37, 38, 6), "#8A7D6B")
    men = "".join(
        form(f"M{x} 42V35q0-3 3.4-3t3.4 3V42z", "#6B6048", 0.6) + form(f"M{x - 0.6} 32.4q0-4 4-4t4 4z", "#57503C", 0.6)
        for x in (6, 14.4, 22.8, 31.2)
    )
    return newspaper("WAR!", ground + men, "old newspaper page with the headline WAR!")


def spring_page() -> Prop:
    """The same page with SPRING! over tulips."""
    tulips = "".join(
        stroke(f"M{x} 42V33", "#5E6B48", 1)
        + form(f"M{x - 2.4} 29l1.4 1.4l1-2l1 2l1.4-1.4v3q0 2-2.4 2t-2.4-2z", "#8A6B58", 0.4)
        for x in (8, 15, 22, 29, 36)
    )
    return newspaper(
        "SPRING!", path(box(3, 38, 38, 5), "#8A7D6B") + tulips, "old newspaper page with the headline SPRING!"
    )


def group_table(colour: str = "#DDB178") -> Prop:
    """Two desks pushed together, 150 x 74 cm, with a deep top; anchors: top."""
    iron, d = "#5A6379", 30
    legs = "".join(
        form(box(x, d - 4, 4.6, h, 1), c, 1.2)
        for x, h, c in ((22, 34, dark(iron, 0.3)), (123, 34, dark(iron, 0.3)), (5, 48, iron), (140, 48, iron))
    )
    top = path(poly((16, 0), (134, 0), (150, d), (0, d)), light(colour, 0.22)) + stroke(
        "M75 0V30", dark(colour, 0.2), 0.9
    )
    return Prop(
        "group table",
        150,
        74,
        shadow(75, 72, 80, 8, 0.5) + legs + top + form(box(0, d, 150, 4.4, 1.4), colour, 1.4, 0.5),
        {"top": (75, 16)},
    )


def locker_bin() -> Prop:
    """A bin, 34 x 60 cm."""
    return Prop(
        "bin",
        36,
        60,
        shadow(17, 59, 18, 2, 0.6)
        + form("M3 6H31L28 60H6z", "#6F8494", 3.4, 1)
        + form(box(0, 1, 34, 6, 2), dark("#6F8494", 0.2), 1.4)
        + stroke("M11 16V50M17 16V50M23 16V50", dark("#6F8494", 0.2), 1.2),
    )


def hall_bench() -> Prop:
    """A plain bench for a corridor, 130 x 46 cm, on four legs."""
    legs = "".join(
        form(box(x, 8, 6, h, 1), c, 1.4)
        for x, h, c in ((16, 32, dark(WOOD, 0.35)), (108, 32, dark(WOOD, 0.35)), (6, 38, WOOD), (118, 38, WOOD))
    )
    plane = path(poly((8, 0), (122, 0), (130, 7), (0, 7)), light(WOOD, 0.3))
    plane += form(box(0, 7, 130, 5, 1.4), WOOD, 1.2, 0.5)
    return Prop("bench", 130, 46, shadow(65, 45, 70, 4, 0.5) + legs + plane)
