"""A classroom: board, desks and what hangs on its walls."""

from __future__ import annotations

from dataclasses import replace

from studio.drawing.kit import (
    BLUE,
    CHILD,
    CORAL,
    CREAM,
    HUMAN,
    INK,
    LEAF,
    NAVY,
    PINK,
    RED,
    SUN,
    TEAL,
    TEXT,
    WHITE,
    WOOD,
    Prop,
    ban,
    box,
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
    veil,
)
from studio.drawing.people import person
from studio.drawing.poses import Look, Pose
from studio.drawing.scene import H, Setting, W


def classroom() -> Setting:
    wall, base = "#F3E3B8", 452
    out = path(box(0, 0, W, base), wall) + path(box(0, 330, W, base - 330), "#C9D6C6") + path(box(0, 324, W, 10), CREAM)
    out += (
        path(box(0, 334, W, 4), dark("#C9D6C6", 0.22))
        + path(box(0, base - 14, W, 14), CREAM)
        + path(box(0, base - 3, W, 3), dark(CREAM, 0.3))
    )
    out += veil(poly((0, 40), (0, 220), (420, base), (640, base)), "#FFF9E4", 0.45)
    board = (
        path(box(448, 68, 352, 206, 5), dark(wall, 0.2))
        + form(box(440, 60, 352, 206, 5), WOOD, 4, 2)
        + path(box(452, 72, 328, 182, 2), "#3E6B5C")
    )
    board += veil("M452 190Q600 120 780 150V254H452z", "#FFFFFF", 0.05)
    chalk = "#F4F1E2"
    sums = lettering("3 + 4 = 7", 540, 122, 19, chalk) + lettering("6 + 2 = 8", 540, 164, 19, chalk)
    fish = (
        stroke("M660 130q44-40 84 0q-40 40-84 0zM660 130l-24-20v40z", chalk, 3)
        + path(oval(722, 124, 4), chalk)
        + stroke("M630 196q12-10 24 0t24 0t24 0t24 0t24 0", "#BFE2EC", 3)
    )
    out += (
        board
        + sums
        + fish
        + form(box(446, 264, 340, 9, 3), light(WOOD, 0.2), 2)
        + path(box(480, 259, 26, 6, 2), CREAM)
        + path(box(516, 260, 18, 5, 2), PINK)
        + form(box(700, 254, 46, 11, 3), NAVY, 2)
    )
    clock = (
        path(oval(866, 70, 35), dark(wall, 0.2), extra='transform="translate(5,6)"')
        + form(oval(866, 70, 35), RED, 4, 1.5)
        + path(oval(866, 70, 28), WHITE)
    )
    out += (
        clock
        + stroke("M866 70V50M866 70L882 78", INK, 3.6)
        + path("".join(oval(866 + x, 70 + y, 1.8) for x, y in ((0, -24), (24, 0), (0, 24), (-24, 0))), INK)
    )
    floor = "#C9A27C"
    out += path(box(0, base, W, H - base), floor)
    out += "".join(
        stroke(f"M{560 + (x - 560) * 0.4:.0f} {base}L{x} {H}", dark(floor, 0.13), 2) for x in range(-1000, 2100, 92)
    )
    return Setting("classroom", out, 262, 118)


def wall_poster(name: str, art: str, lines: tuple[str, str], *, colour: str = NAVY, banned: bool = False) -> Prop:
    """A paper poster held by four pins, 120 x 150 cm; `art` fills a field of 108 x 100 at (6, 6)."""
    sheet = path(box(3, 3.5, 117, 146.5, 2), "#8E7F6B", extra='opacity=".45"') + form(
        box(0, 0, 117, 146, 2), WHITE, 1.2
    )
    field = form(box(6, 6, 105, 100), "#F6D6A8", 0, 0, path(box(6, 78, 105, 30), "#D9B98A") + art)
    pins = "".join(form(oval(x, y, 2.4), RED, 0.7) for x in (3.6, 113.4) for y in (3.6, 142))
    words = lettering(lines[0], 58.5, 123, 13, colour, 104) + lettering(lines[1], 58.5, 141, 13, colour, 104)
    return Prop(
        name,
        121,
        150,
        sheet + field + (ban(58.5, 56, 44) if banned else "") + words + pins,
        shows=frozenset({TEXT, HUMAN, CHILD}),
    )


def _drawn(x: float, y: float, scale: float, look: Look, pose: Pose) -> str:
    figure = person(look, pose)
    return put(x - figure.w * scale / 2, y - figure.h * scale, figure.body, scale)


def bullying_poster(banned: bool) -> Prop:
    """A big boy points and laughs at a small one who cries; only ring, bar and caption make it a ban."""
    bully = Look(
        height=140,
        heads=5.0,
        skin="#F2B48C",
        hair="#9A4B24",
        style="short",
        top="#5F6B8A",
        bottom="#4A4458",
        shoes=INK,
        sleeve=0.3,
    )
    victim = Look(height=104, heads=4.3, skin="#E3A379", hair="#33201C", style="bob", top=SUN, bottom=BLUE, shoes=RED)
    art = _drawn(
        77,
        99,
        0.53,
        bully,
        Pose(left=(-76, -96), right=(40, -30), feet=(-0.5, 0.4), lean=-5, turn=-0.7, mouth="laugh"),
    )
    art += _drawn(
        35,
        100,
        0.54,
        victim,
        Pose(left=(-8, 140), right=(10, -138), turn=-0.3, nod=0.5, tilt=-9, mouth="sad", hands=("grip", "grip")),
    )
    art += path("M28 69q-2 4 0 5.5q2-1.5 0-5.5zM41 70q-2 4 0 5.5q2-1.5 0-5.5z", "#6FB4D6")
    if banned:
        return wall_poster("stop-bullying poster", art, ("STOP", "BULLYING"), colour=RED, banned=True)
    return wall_poster("poster that cheers bullying on", art, ("BULLY", "THE WEAK"))


def sports_poster() -> Prop:
    runner = Look(
        height=130,
        heads=5.0,
        skin="#8E5838",
        hair="#241818",
        style="curls",
        top=CORAL,
        legs="shorts",
        bottom=NAVY,
        shoes=WHITE,
        sleeve=0.3,
    )
    friend = Look(
        height=126,
        heads=5.0,
        skin="#F2B48C",
        hair="#D9A860",
        style="ponytail",
        top=TEAL,
        legs="shorts",
        bottom=NAVY,
        shoes=RED,
        sleeve=0.3,
    )
    go = Pose(left=(-50, 20), right=(50, 120), feet=(-0.9, 0.7), lift=(0.3, 0), lean=10, turn=0.8, mouth="laugh")
    art = _drawn(34, 98, 0.6, friend, go) + _drawn(78, 102, 0.62, runner, replace(go, mouth="smile"))
    return wall_poster("sports-day poster", art, ("SPORTS", "DAY"), colour=dark(LEAF, 0.4))


def school_desk() -> Prop:
    """A two-seat desk seen from the back row: top, modesty board and four legs."""
    wood, iron = "#DDB178", "#5A6379"
    legs = "".join(
        form(box(x, 12, 5, h, 1), c, 1.4)
        for x, h, c in ((20, 50, dark(iron, 0.3)), (115, 50, dark(iron, 0.3)), (6, 60, iron), (129, 60, iron))
    )
    top = path(poly((12, 0), (128, 0), (140, 10), (0, 10)), light(wood, 0.2)) + form(box(0, 9, 140, 5, 1.5), wood, 1.6)
    return Prop("school desk", 140, 74, shadow(70, 73, 78, 5, 0.5) + legs + top)


def school_chair(colour: str = BLUE) -> Prop:
    iron = "#5A6379"
    legs = "".join(
        stroke(f"M{a} 42L{b} {y}", c, 3)
        for a, b, y, c in (
            (11, 10, 74, dark(iron, 0.3)),
            (31, 32, 74, dark(iron, 0.3)),
            (6, 3, 80, iron),
            (36, 39, 80, iron),
        )
    )
    return Prop(
        "school chair",
        42,
        82,
        shadow(21, 80, 26, 3, 0.5)
        + legs
        + form(box(3, 38, 36, 6, 3), dark(colour, 0.14), 1.4)
        + stroke("M9 20V40M33 20V40", iron, 3)
        + form(box(4, 2, 34, 21, 6), colour, 3, 0.8),
    )


def school_bag(colour: str = CORAL) -> Prop:
    return Prop(
        "school bag",
        34,
        40,
        shadow(17, 39, 19, 2.6, 0.55)
        + stroke("M12 6Q17-2 22 6", dark(colour, 0.3), 2)
        + form("M3 38Q0 14 8 7Q17 3 26 7Q34 14 31 38Q17 42 3 38z", colour, 3.4, 0.8)
        + form(box(7, 22, 20, 14, 3), dark(colour, 0.12), 1.6, 0.4)
        + stroke("M7 16Q17 20 27 16", light(colour, 0.5), 1.6),
    )
