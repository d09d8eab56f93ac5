"""A café and a restaurant: tables, chairs, a cake case, lamps, a board."""

from __future__ import annotations

from studio.drawing.home.food import cake, cupcake, loaf
from studio.drawing.home.interiors import floor, glow, tint, wainscot, wall, window
from studio.drawing.kit import (
    CORAL,
    CREAM,
    INK,
    NAVY,
    PINK,
    RED,
    STEEL,
    SUN,
    WHITE,
    WOOD,
    Prop,
    box,
    dark,
    form,
    light,
    oval,
    path,
    poly,
    put,
    shadow,
    stroke,
    veil,
)
from studio.drawing.scene import Setting, W


def cafe(
    time: str = "day",
    weather: str = "clear",
    *,
    paper: str = "#D9E0CF",
    bricks: bool = False,
    horizon: float = 258,
    eye: float = 128,
    base: float = 490,
    panes: float = 60,
    lamps: tuple[int, ...] = (430, 640, 850),
) -> Setting:
    """A room with a large street window and hanging lamps, lit in the evening."""
    paper = {"day": paper, "dusk": dark(paper, 0.14), "night": dark(paper, 0.36)}[time]
    out = wall(paper, base, "bricks" if bricks else "plain") + wainscot(base - 130, base, dark(paper, 0.2))
    out += window(panes, 70, 280, 230, time=time, weather=weather, view="town", frame="#6B4A3A", bars=(1, 0))
    out += path(box(0, base - 12, W, 12), "#6B4A3A") + floor(
        {"day": "#C89A6C", "dusk": "#AE7F5A", "night": "#6F5358"}[time], base, horizon
    )
    for x in lamps:
        out += glow(x, 130, 130, 120, f"pendant{x}", strength=0.3 if time == "day" else 0.75)
        out += (
            stroke(f"M{x} 0V70", INK, 3)
            + form(f"M{x - 12} 70H{x + 12}L{x + 40} 112H{x - 40}z", "#4B5368", 6, 2)
            + form(f"M{x - 16} 112H{x + 16}Q{x + 12} 126 {x} 126T{x - 16} 112z", "#FFF1C0", 0)
        )
    return Setting(
        "café", out, horizon, eye, {"day": "", "dusk": tint("#F08A3C", 0.1), "night": tint("#1B1F4A", 0.1)}[time]
    )


def cafe_table(w: float = 76, cloth: str = "") -> Prop:
    """A round table on a foot, 75 cm high; with `cloth` it is covered."""
    x = w / 2
    foot = form(f"M{x - 20} 75Q{x - 16} 70 {x} 70T{x + 20} 75z", "#4B5368", 1.6) + form(
        box(x - 2.4, 4, 4.8, 68, 1), "#4B5368", 1.4
    )
    top = form(oval(x, 1.6, x, 4.4), "#C98D56", 1, 0.5) + path(oval(x, 0.6, x - 2, 3.4), light("#C98D56", 0.2))
    if cloth:
        drape = (
            f"M0 1Q-2 16 -4 28Q{x * 0.3:.0f} 22 {x * 0.6:.0f} 30Q{x} 24 {x * 1.4:.0f} 30"
            f"Q{x * 1.7:.0f} 22 {w + 4} 28Q{w + 2} 16 {w} 1z"
        )
        top = form(drape, cloth, 3) + path(oval(x, 1, x, 4), light(cloth, 0.3))
    return Prop("café table", w, 75, shadow(x, 74, 26, 3, 0.6) + foot + top)


def cafe_chair(colour: str = "#8A5A3B") -> Prop:
    """A bentwood chair, 44 x 88 cm, four legs; seat at 45."""
    bow = stroke("M7 44V14Q7 1 22 1T37 14V44", colour, 3) + stroke("M14 43V16Q14 8 22 8T30 16V43", dark(colour, 0.1), 2)
    seat = form("M4 41H40Q42 41 42 44T40 47H4Q2 47 2 44T4 41z", light(colour, 0.1), 1.4, 0.4)
    legs = stroke("M12 46L10 80M32 46L34 80", dark(colour, 0.36), 2.6) + stroke("M6 46L3 87M38 46L41 87", colour, 3)
    return Prop("chair", 44, 88, shadow(22, 87, 24, 3, 0.5) + bow + legs + seat)


def cake_case() -> Prop:
    """A counter with a glass case of cakes, 180 x 128 cm."""
    low = form(box(0, 70, 180, 58, 2), "#6E8F7A", 3, 0.8) + "".join(
        stroke(box(8 + 43 * i, 78, 36, 40, 2), dark("#6E8F7A", 0.2), 1.2) for i in range(4)
    )
    inside = path(box(3, 12, 174, 58), "#F6E8CE") + path(box(3, 38, 174, 3), STEEL)
    row1 = (
        "".join(put(12 + 15 * i, 26.6, cupcake((PINK, SUN, CREAM)[i % 3]).body) for i in range(6))
        + put(112, 16, loaf(28).body, 1)
        + put(142, 18, loaf(28).body)
    )
    row2 = (
        put(10, 46, cake(26, "#6B3F2A", "#8A5A3B").body)
        + put(52, 46, cake(26, RED, CREAM).body)
        + put(96, 46, cake(26, CREAM, "#E9C48F").body)
        + put(138, 46, cake(26, "#A9C97A", CREAM).body)
    )
    glass_ = veil(poly((3, 12), (60, 12), (20, 70), (3, 70)), WHITE, 0.3)
    return Prop(
        "cake counter",
        180,
        128,
        shadow(90, 127, 96, 5, 0.5)
        + path(box(1, 8, 178, 64, 2), "#6B4A3A")
        + inside
        + row1
        + row2
        + glass_
        + low
        + form(box(-2, 6, 184, 7, 2), "#E4C79B", 1.6, 0.5)
        + path(box(0, 69, 180, 3), "#6B4A3A"),
    )


def coffee_machine(colour: str = RED) -> Prop:
    """An espresso machine, 62 x 46 cm."""
    body = (
        form(box(2, 4, 58, 20, 3), colour, 3, 0.8)
        + form(box(6, 24, 50, 16), "#3C4356", 2)
        + form(box(0, 39, 62, 7, 2), STEEL, 2)
    )
    taps = "".join(
        form(box(x, 23, 12, 4, 1), STEEL, 1)
        + stroke(f"M{x + 10} 25l8 3", INK, 1.8)
        + path(box(x + 4, 27, 1.4, 4), STEEL)
        + form(box(x + 1, 33, 7, 6, 1), WHITE, 1)
        for x in (12, 34)
    )
    cups = "".join(form(box(8 + 10 * i, -1, 8, 5.4, 1.4), WHITE, 1) for i in range(5))
    return Prop(
        "coffee machine",
        62,
        46,
        shadow(31, 45.4, 32, 1.8, 0.5)
        + cups
        + body
        + taps
        + form(oval(31, 14, 4), CREAM, 0.8)
        + stroke("M31 14l1.6-2", INK, 0.7),
    )


def menu_board(lines: int = 4) -> Prop:
    """A blackboard with chalk squiggles and a chalk cup, 70 x 90 cm, on the wall."""
    rows = "".join(f"M12 {40 + 10 * i}q6-3 12 0t{8 + 3 * (i % 3)} 0M50 {40 + 10 * i}h8" for i in range(lines))
    cup_ = stroke("M24 14h18q0 12-9 12t-9-12M42 16q6 0 5 4t-6 3M28 9q-2-3 0-5M36 9q-2-3 0-5", CREAM, 1.4)
    return Prop(
        "menu board",
        70,
        90,
        veil(box(3, 4, 70, 90, 2), "#3A2A5C", 0.25)
        + form(box(0, 0, 70, 90, 2), WOOD, 3, 1)
        + path(box(5, 5, 60, 80), "#33423F")
        + cup_
        + stroke(rows, light("#9FC2B5", 0.2), 1.6),
    )


def coat_hooks() -> Prop:
    """A board of hooks with two coats and a scarf, 110 x 96 cm, on a wall."""

    def coat(x: float, c: str, long: float) -> str:
        return form(
            f"M{x} 8Q{x + 12} 2 {x + 24} 8L{x + 30} {long}Q{x + 12} {long + 5} {x - 6} {long}z",
            c,
            3,
            0.8,
            stroke(f"M{x + 12} 10V{long}M{x + 4} 30v20M{x + 20} 30v20", dark(c, 0.24), 1),
        )

    scarf = form("M88 8Q92 4 96 8V70H88z", CORAL, 1.6, 0, stroke("M86 20H98M86 34H98M86 48H98M86 62H98", CREAM, 2))
    return Prop(
        "coats on hooks",
        110,
        96,
        veil(box(3, 4, 110, 8, 2), "#3A2A5C", 0.2)
        + form(box(0, 0, 110, 8, 2), WOOD, 1.6, 0.5)
        + coat(10, "#5B6B8F", 88)
        + coat(48, "#A8744A", 78)
        + scarf,
    )


def umbrella_stand() -> Prop:
    """A pot with two umbrellas, 30 x 76 cm."""
    handles = (
        stroke("M10 30V8Q10 2 5 2T1 8", "#6B4A3A", 2.2)
        + form("M8 30L10 12L13 30z", NAVY, 0.8)
        + stroke("M19 30V12Q19 6 24 6T28 12", "#6B4A3A", 2.2)
        + form("M16 30L19 16L23 30z", RED, 0.8)
    )
    return Prop(
        "umbrella stand",
        30,
        76,
        shadow(15, 75, 15, 2, 0.5)
        + handles
        + form("M3 28H27L24 74Q24 76 22 76H8Q6 76 6 74z", "#8FB3A6", 3, 0.7, stroke("M2 40H28M3 62H27", CREAM, 2)),
    )
