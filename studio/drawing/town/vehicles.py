"""Things on wheels, in profile unless said otherwise; `facing` -1 drives to the left, 1 to the right."""

from __future__ import annotations

from studio.drawing.kit import (
    RED,
    STEEL,
    SUN,
    TEAL,
    WHITE,
    Prop,
    box,
    dark,
    form,
    lettering,
    light,
    oval,
    path,
    poly,
    shadow,
    stroke,
)


def _facing(body: str, w: float, facing: int) -> str:
    """Mirrored for the other direction: flat colour shapes without letters."""
    return body if facing < 0 else f'<g transform="translate({w},0) scale(-1,1)">{body}</g>'


def _wheel(x: float, y: float, r: float, hub: str = "#C9CEDA") -> str:
    return (
        form(oval(x, y, r), "#2E2B38", r * 0.2)
        + form(oval(x, y, r * 0.55), hub, r * 0.12)
        + path(oval(x, y, r * 0.16), "#5A6379")
    )


def bus(colour: str = SUN, line: str = "7 HARBOUR") -> Prop:
    """A town bus that drives to the left, 900 x 300 cm."""
    panes = "".join(
        path(box(150 + 122 * i, 66, 108, 86, 8), "#3C4356")
        + path(box(154 + 122 * i, 70, 100, 78, 6), "#A8C6D4")
        + path(poly((154 + 122 * i, 70), (214 + 122 * i, 70), (154 + 122 * i, 130)), "#D3E6EA")
        for i in range(6)
    )
    front_ = (
        path("M18 66H128V172H16Q12 120 18 66z", "#3C4356")
        + path("M24 72H122V166H22Q18 120 24 72z", "#A8C6D4")
        + path("M26 72H76L40 166H22Q18 120 26 72z", "#D3E6EA")
    )
    shell = form("M10 262V90Q10 20 60 20H860Q892 20 892 52V262z", colour, 20, 4) + path(box(10, 178, 882, 16), WHITE)
    wheels = "".join(path(oval(x, 258, 54), dark(colour, 0.62)) + _wheel(x, 258, 42) for x in (210, 700))
    plate = path(box(150, 26, 330, 34, 4), "#1C2436") + lettering(line, 315, 53, 22, SUN, 310)
    return Prop(
        "bus",
        900,
        300,
        shadow(450, 297, 460, 14, 0.7)
        + shell
        + panes
        + front_
        + plate
        + form(oval(24, 224, 14, 11), "#FFF1C0", 3)
        + form(box(880, 190, 12, 34, 3), RED, 2)
        + stroke("M134 60V262", dark(colour, 0.3), 4)
        + wheels,
    )


def bicycle(colour: str = TEAL, *, facing: int = 1, basket: bool = False) -> Prop:
    """A bicycle on its stand, 176 x 104 cm."""
    spokes = "".join(
        f"M{x} 70l{a} {b}"
        for x in (36, 140)
        for a, b in ((0, -32), (0, 32), (32, 0), (-32, 0), (23, 23), (-23, -23), (23, -23), (-23, 23))
    )
    wheels = stroke(oval(36, 70, 33) + oval(140, 70, 33), "#3C4356", 4.4) + stroke(spokes, "#B9C0CC", 0.9)
    frame = stroke("M36 70L58 30H116L84 70L58 30M36 70H84M116 30L140 70M120 16L116 30", colour, 4.6) + stroke(
        "M58 30L54 18", STEEL, 3
    )
    parts = (
        form("M40 16Q54 10 68 17Q60 21 44 20z", "#7A4A31", 2)
        + stroke("M108 14H124Q134 14 132 24", "#3C4356", 4)
        + form(oval(84, 70, 7), STEEL, 2)
        + stroke("M84 70L92 82M88 82H97", "#3C4356", 3)
        + stroke("M70 72L62 103", STEEL, 3)
    )
    carrier = (
        form(poly((122, 20), (158, 20), (154, 44), (126, 44)), "#C98D56", 3)
        + stroke("M124 28H156M125 36H155M132 20v24M140 20v24M148 20v24", dark("#C98D56", 0.25), 1.2)
        if basket
        else ""
    )
    return Prop(
        "bicycle", 176, 104, _facing(shadow(88, 102, 90, 5, 0.55) + wheels + frame + parts + carrier, 176, -facing)
    )


def scooter(colour: str = RED) -> Prop:
    """A motor scooter that faces left, 180 x 120 cm."""
    wheels = _wheel(32, 98, 20) + _wheel(146, 98, 20)
    body = (
        form("M92 92V66Q94 50 110 48H158Q174 50 172 70L168 84Q150 70 126 92z", colour, 7, 1.6)
        + form("M28 78Q40 66 52 84L64 92H100V102H60Q42 100 28 78z", colour, 4)
        + form("M40 92L50 26Q58 24 60 32L66 94z", light(colour, 0.1), 5, 1)
    )
    return Prop(
        "scooter",
        180,
        120,
        shadow(92, 118, 90, 6, 0.6)
        + wheels
        + body
        + form("M100 46Q130 34 164 44Q168 50 160 52H104z", "#4A3A46", 3)
        + stroke("M50 30L46 12M34 10L58 14", "#3C4356", 4.4)
        + form(oval(42, 26, 7), "#FFF1C0", 2)
        + stroke("M36 6L30-4", STEEL, 2)
        + form(oval(28, -6, 6, 5), STEEL, 1),
    )


def pram(colour: str = "#7E6BB5") -> Prop:
    """A baby carriage, hood to the left, 110 x 104 cm (anchor 'handle')."""
    wheels = "".join(
        stroke(oval(x, 88, 14), "#4B5368", 3.4)
        + stroke(f"M{x - 13} 88h26M{x} 75v26", STEEL, 1.2)
        + path(oval(x, 88, 3), STEEL)
        for x in (30, 78)
    )
    hood = form("M14 48Q14 10 54 10V48z", colour, 6, 1.2, stroke("M54 48L26 18M54 48L16 34", dark(colour, 0.2), 1.8))
    return Prop(
        "pram",
        110,
        104,
        shadow(54, 102, 50, 5, 0.6)
        + stroke("M30 88L70 62M78 88L40 62M88 50L108 30", "#4B5368", 3)
        + form("M12 46H92Q92 72 70 74H34Q12 72 12 46z", light(colour, 0.1), 6, 1.2)
        + hood
        + wheels,
        {"handle": (108, 30)},
    )
