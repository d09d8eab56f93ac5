"""A town square on market day: town hall, fountain, cobbles, stalls and what lies on them."""

from __future__ import annotations

from studio.drawing.kit import (
    CORAL,
    CREAM,
    LEAF,
    NAVY,
    PINK,
    PLUM,
    RED,
    STEEL,
    SUN,
    TEAL,
    WHITE,
    WOOD,
    Prop,
    box,
    dark,
    flower,
    form,
    lettering,
    light,
    oval,
    path,
    poly,
    put,
    shadow,
    stroke,
)
from studio.drawing.scene import H, Setting, W
from studio.drawing.town.city import front
from studio.drawing.town.daylight import curtain, heaven


def town_hall(lit: bool = False) -> str:
    """A stone hall with arcade and clock tower, 420 px wide, base at y = 0."""
    stone, glass = "#E4D2B0", "#F9DD92" if lit else "#86AFBE"
    out = (
        form(box(0, -210, 420, 210), stone, 10)
        + path(box(-6, -216, 432, 12), light(stone, 0.5))
        + form(poly((-10, -214), (430, -214), (400, -262), (20, -262)), "#9A5F52", 7, 2)
    )
    for i in range(6):
        x = 16 + 68 * i
        out += (
            path(f"M{x} 0V-66q0-28 25-28t25 28V0z", dark(stone, 0.38))
            + path(box(x + 6, -186, 38, 62, 2), light(stone, 0.6))
            + path(f"M{x + 10} -128v-34q0-18 15-18t15 18v34z", glass)
        )
    tower = (
        form(box(172, -390, 76, 180), stone, 9)
        + form(poly((160, -388), (260, -388), (210, -470)), "#5F7F78", 10, 2)
        + path(box(164, -394, 92, 10), light(stone, 0.5))
    )
    dial = (
        form(oval(210, -340, 26), WHITE, 3)
        + stroke(oval(210, -340, 26), "#7C5A63", 4)
        + stroke("M210-340v-17M210-340h12", NAVY, 4)
    )
    return (
        out
        + tower
        + dial
        + path(box(198, -292, 24, 46, 3), dark(stone, 0.3))
        + stroke("M210-470v-22", "#5F7F78", 4)
        + form(oval(210, -494, 6), SUN, 2)
    )


def square(
    *,
    time: str = "morning",
    weather: str = "",
    hall_x: float = 300,
    base: float = 400,
    horizon: float = 290,
    eye: float = 155,
    bunting: bool = True,
    left: bool = True,
) -> Setting:
    """The square with its town hall; `hall_x` moves the hall, `left` keeps the houses beside it."""
    lit = time in ("dusk", "night")
    out = heaven(time)
    rows = ((-40, (210, 250, "#E3B48C", TEAL, "TEA")), (168, (150, 220, "#C9B8C4", "#6E4B5A", ""))) if left else ()
    out += "".join(put(x, base, front(h, lit)) for x, h in rows)
    out += put(hall_x + 410, base, front((190, 250, "#D5A28A", NAVY, ""), lit)) + put(
        hall_x + 600, base, front((230, 280, "#BFCDB2", RED, "BAKERY"), lit)
    )
    out += put(hall_x, base, town_hall(lit))
    stone = "#D6C9B6" if weather != "snow" else "#EFEFEC"
    out += path(box(0, base, W, H - base), stone) + path(box(0, base, W, 8), dark(stone, 0.22))
    for k in range(1, 11):
        y = base + (H - base) * (k / 10) ** 1.5
        step = 26 + 9 * k
        arcs = "".join(
            f"M{x} {y:.0f}q{step / 2} {-step * 0.22:.1f} {step} 0" for x in range(-60 + k * 17 % 30, W + 60, step)
        )
        out += stroke(arcs, dark(stone, 0.11), 2)
    if bunting:
        for y, sag in ((60, 70), (128, 60)):
            out += stroke(f"M-10 {y}Q{W / 2:.0f} {y + sag * 2} {W + 10} {y - 20}", dark(WOOD, 0.2), 2)
            for i in range(17):
                t = (i + 0.5) / 17
                px, py = t * W, (1 - t) ** 2 * y + 2 * t * (1 - t) * (y + sag * 2) + t * t * (y - 20)
                out += path(
                    poly((px - 13, py), (px + 13, py), (px, py + 26)), (RED, SUN, TEAL, PINK, WHITE, CORAL)[i % 6]
                )
    return Setting("square", out, horizon, eye, curtain(time, weather))


def stall(stripe: str = RED, goods: str = "fruit", sign: str = "") -> Prop:
    """A market stall with an awning, 240 x 240 cm; the counter is 84 high. goods: fruit, flowers, bread, bare."""
    poles = "".join(form(box(x, 40, 7, 198, 2), WOOD, 2) for x in (12, 221))
    back = path(box(19, 64, 202, 96), veil_tone := dark("#E9DCC2", 0.16)) + path(
        box(19, 150, 202, 10), dark(veil_tone, 0.2)
    )
    n = 8
    awning = "".join(
        form(
            poly((26 + 188 / n * i, 6), (26 + 188 / n * (i + 1), 6), (240 / n * (i + 1), 58), (240 / n * i, 58)),
            CREAM if i % 2 else stripe,
            2,
        )
        + form(
            f"M{240 / n * i:.1f} 57h{240 / n:.1f}v10q{-240 / n / 2:.1f} 14 {-240 / n:.1f} 0z",
            dark(CREAM, 0.06) if i % 2 else dark(stripe, 0.08),
            2,
        )
        for i in range(n)
    )
    front_ = (
        form(box(6, 160, 228, 76, 3), light(WOOD, 0.1), 6)
        + stroke("M6 186h228M6 211h228", dark(WOOD, 0.12), 2)
        + form(box(0, 152, 240, 10, 3), WOOD, 3, 1)
    )
    board = form(box(60, 172, 120, 38, 4), "#3F4F4A", 3) + lettering(sign, 120, 198, 17, CREAM, 104) if sign else ""
    return Prop(
        "market stall", 240, 240, shadow(124, 237, 130, 9, 0.6) + back + poles + _goods(goods) + front_ + board + awning
    )


def _goods(kind: str) -> str:
    if kind == "fruit":
        out = ""
        for i, c in enumerate((RED, "#E8923C", SUN, LEAF, PLUM)):
            x = 14 + 43 * i
            out += "".join(
                form(oval(x + 7 + 11 * k, y, 6.4), c, 2)
                for y, ks in ((128, (1,)), (136, (0, 1, 2)), (146, (0, 1, 2)))
                for k in ks
            ) + form(poly((x - 2, 142), (x + 40, 142), (x + 37, 156), (x + 1, 156)), dark(WOOD, 0.1), 2)
        return out
    if kind == "flowers":
        return "".join(
            stroke(f"M{24 + 24 * i} 150v-24m0 10l-8-10m8 10l8-12", "#5E9160", 3)
            + flower(24 + 24 * i, 122, 9, (PINK, SUN, WHITE, CORAL)[i % 4], (SUN, RED, SUN, CREAM)[i % 4])
            + flower(15 + 24 * i, 130, 7, (CORAL, WHITE, PINK, SUN)[i % 4], SUN)
            + form(
                poly((14 + 24 * i, 136), (34 + 24 * i, 136), (31 + 24 * i, 156), (17 + 24 * i, 156)),
                (STEEL, TEAL)[i % 2],
                3,
            )
            for i in range(9)
        )
    if kind == "bread":
        return "".join(
            form(
                f"M{16 + 36 * i} 154q-4-24 16-26t18 26z",
                ("#D9A05B", "#C4823F", "#E3B878")[i % 3],
                4,
                1,
                stroke(f"M{22 + 36 * i} 138l6 8m4-12l6 9", light("#D9A05B", 0.5), 2),
            )
            for i in range(6)
        )
    return ""


def crate(fill: str = RED) -> Prop:
    """A wooden crate of round fruit, 60 x 44 cm."""
    fruit = "".join(
        form(oval(10 + 10 * i + (5 if j else 0), 12 - 8 * j, 6.6), fill, 2) for j in (0, 1) for i in range(5 - j)
    )
    slats = "".join(form(box(0, 14 + 10 * i, 60, 8, 1), light(WOOD, 0.08 * i), 2) for i in range(3))
    return Prop(
        "crate of fruit",
        60,
        44,
        shadow(31, 43, 34, 4, 0.6)
        + fruit
        + slats
        + form(box(1, 13, 6, 30, 1), WOOD, 1)
        + form(box(53, 13, 6, 30, 1), WOOD, 1),
    )


def barrel() -> Prop:
    """A wooden barrel, 70 x 92 cm."""
    body = form(
        "M8 4H62Q74 46 62 90H8Q-4 46 8 4z",
        "#B67B48",
        9,
        2,
        stroke("M24 0Q18 46 24 94M46 0Q52 46 46 94", dark("#B67B48", 0.22), 2)
        + path(box(-4, 16, 80, 7) + box(-4, 68, 80, 7), "#5A6379"),
    )
    return Prop(
        "barrel", 70, 92, shadow(36, 90, 38, 5, 0.6) + body + form(oval(35, 6, 28, 6), light("#B67B48", 0.25), 2)
    )


def pigeon(facing: int = 1) -> Prop:
    """A pigeon that pecks, 30 x 24 cm; `facing` 1 looks right."""
    body = form(
        "M3 10Q10 4 18 10Q22 4 26 6Q29 8 27 12Q24 20 15 20Q6 19 0 13z",
        "#8C97AE",
        2.4,
        0,
        path("M6 11Q14 8 19 14Q12 18 6 11z", "#6F7A94") + path("M20 12q4 1 6-1v4q-3 3-6 1z", "#6FA39A"),
    )
    art = (
        stroke("M13 19v4m4-4v4", CORAL, 1.2)
        + body
        + path(poly((27, 8), (30.5, 9.6), (27, 10.6)), SUN)
        + path(oval(24.6, 8, 0.9), WHITE)
        + path(oval(24.8, 8, 0.5), "#3B2A45")
    )
    flip = "" if facing > 0 else 'transform="translate(30,0) scale(-1,1)"'
    return Prop("pigeon", 30, 24, shadow(15, 23, 12, 1.6, 0.6) + f"<g {flip}>{art}</g>")


def cafe_table(cloth: str = WHITE) -> Prop:
    """A round café table on one foot with three toes, 70 x 74 cm, with two cups."""
    foot = stroke("M35 20V66M35 64L14 73M35 64L56 73M35 64V74", "#45506B", 4)
    top = form(oval(35, 14, 35, 7), cloth, 2, 0.6) + form("M0 14Q35 27 70 14V18Q35 31 0 18z", dark(cloth, 0.15), 0)
    cups = "".join(
        form(f"M{x} 4h9v6q0 4-4.5 4T{x} 10z", c, 1.2) + path(oval(x + 4.5, 4, 4.5, 1.3), "#7A4A31")
        for x, c in ((18, CORAL), (42, TEAL))
    )
    return Prop("café table", 70, 74, shadow(36, 73, 30, 4, 0.5) + foot + top + cups)
