"""More small pictures for posters, each in a field of 100 x 100: people, pills, shoes, films."""

from __future__ import annotations

from studio.drawing.kit import (
    BLUE,
    CORAL,
    INK,
    LEAF,
    PLUM,
    RED,
    SUN,
    TEAL,
    WHITE,
    box,
    cross,
    dark,
    form,
    lettering,
    light,
    mix,
    oval,
    path,
    poly,
    put,
    stroke,
)
from studio.drawing.town.placards import hand


def fake_news() -> str:
    """A loudspeaker spits out a page with a long-nosed face."""
    horn = (
        form(poly((4, 40), (16, 36), (40, 20), (40, 74), (16, 58), (4, 54)), CORAL, 4, 1)
        + form(oval(40, 47, 7, 27.4), light(CORAL, 0.3), 2)
        + path(oval(41, 47, 4, 20), dark(CORAL, 0.5))
        + form(box(14, 58, 10, 22, 3), INK, 2)
    )
    page = put(
        72,
        48,
        form(box(-22, -32, 44, 64, 1.5), "#FBF8EC", 3)
        + stroke("M-17-25h34M-17 16h34M-17 22h34M-17 28h22", "#8C93A6", 2.4)
        + form(oval(-4, -3, 13), "#F2B48C", 2)
        + path(oval(-8, -6, 1.8) + oval(1, -6, 1.8), INK)
        + form("M-2-3L20-6Q23-4 20-2L-2 2z", "#F2B48C", 1)
        + stroke("M-9 4q5 3 9 0", INK, 1.4)
        + path("M-17-6Q-16-19-4-18T9-6Q4-12-4-12T-17-6z", "#5A3425"),
        1,
        8,
    )
    return path(box(-40, -40, 180, 180), "#C5D3DE") + stroke("M46 26L54 20M48 68L56 74M49 47h6", SUN, 3) + page + horn


def morning_paper() -> str:
    page = put(
        34,
        48,
        form(box(-26, -34, 52, 68, 1.5), "#FBF8EC", 3)
        + stroke("M-20-26h40M-20-18h18M-20-12h18M-20-6h18M-20 4h40M-20 12h40M-20 20h26", "#8C93A6", 2.4)
        + path(box(2, -20, 18, 18), "#9CC3D6"),
        1,
        -6,
    )
    cup = (
        form("M58 54H90V78Q90 88 80 88H68Q58 88 58 78z", TEAL, 4, 1)
        + stroke("M90 60h4q6 0 6 7t-6 7h-4", TEAL, 4)
        + path(oval(74, 54, 16, 3.4), "#7A4A31")
        + stroke("M68 46q-3-6 1-12M78 46q-3-6 1-12", WHITE, 3)
    )
    return path(box(-40, -40, 180, 180), "#F1E3C4") + page + cup


def _bust(x: float, y: float, k: float, skin: str, hair: str, top: str, mouth: str, look: float = 0) -> str:
    """A head with shoulders; `look` moves the eyes, mouth is sad, o or smile."""
    lips = {"sad": "M-4 8q4-4 8 0", "smile": "M-5 5q5 5 10 0", "o": oval(look * 1.6, 7, 2)}[mouth]
    brows = stroke("M-6-6l4-2M6-6l-4-2", dark(hair, 0.2), 1.2) if mouth == "sad" else ""
    art = (
        form("M-16 32Q-16 14 0 14T16 32z", top, 2.4)
        + form(oval(0, 0, 12), skin, 2)
        + form("M-12.6 0Q-13-14 0-14T12.6 0Q8-7 0-7T-12.6 0z", hair, 1.4)
        + path(oval(-4 + look * 3, 0, 1.5, 2) + oval(4 + look * 3, 0, 1.5, 2), INK)
        + stroke(lips, "#8C2F39", 1.6)
        + brows
    )
    return put(x, y, art, k)


def whispering() -> str:
    """Three whispering heads point at a sad one."""
    arms = "".join(
        stroke(f"M{x} {y}L{x + 20} {y + 6}", c, 5) + stroke(f"M{x + 20} {y + 6}l8 2", s, 3.4)
        for x, y, c, s in ((26, 50, TEAL, "#F2B48C"), (40, 72, SUN, "#C98E63"), (22, 92, BLUE, "#F0C49A"))
    )
    three = (
        _bust(18, 36, 0.62, "#F2B48C", "#9A4B24", TEAL, "o", 1)
        + _bust(34, 58, 0.62, "#C98E63", "#33201C", SUN, "o", 1)
        + _bust(14, 78, 0.62, "#F0C49A", "#241818", BLUE, "smile", 1)
    )
    marks = stroke("M29 32q4 3 2 7M45 54q4 3 2 7", INK, 1.6)
    return (
        path(box(-40, -40, 180, 180), "#E6DCE8")
        + three
        + arms
        + marks
        + _bust(80, 56, 1.1, "#E3A379", "#5A3425", PLUM, "sad", -0.4)
        + path("M71 70q-3 5 0 7q3-2 0-7z", BLUE)
    )


def laughing() -> str:
    spots = (
        (22, 34, "#F2B48C", "#9A4B24", TEAL),
        (60, 30, "#8E5838", "#241818", SUN),
        (40, 66, "#F0C49A", "#241818", BLUE),
        (80, 68, "#E3A379", "#D9A860", CORAL),
    )
    return path(box(-40, -40, 180, 180), "#DCEBD2") + "".join(
        _bust(x, y, 1.15, s, h, t, "smile") for x, y, s, h, t in spots
    )


def pill_sharing() -> str:
    """One hand gives pills to another."""
    pills = "".join(
        put(x, y, form(box(-8, -4, 16, 8, 4), WHITE, 1.4) + path("M0-4H4a4 4 0 0 1 0 8H0z", c), 1, a)
        for x, y, a, c in ((52, 34, 20, RED), (62, 44, -30, BLUE), (46, 48, 60, SUN))
    )
    skin = "#8E5838"
    cup = (
        "".join(
            stroke(f"M46 {88 - 5 * i}Q70 {88 - 6 * i} {84 + 3 * i} {78 - 7 * i}", dark(skin, 0.24 - 0.08 * i), 8)
            for i in range(4)
        )
        + form("M-8 66H40Q54 68 56 78Q54 92 36 93H-8z", skin, 3)
        + stroke("M22 72Q28 60 42 58", light(skin, 0.1), 8)
        + form(box(-40, 62, 40, 36, 3), TEAL, 4)
    )
    return path(box(-40, -40, 180, 180), "#CFE0E6") + hand("#F2B48C", 40, 22, 24, 0.8) + pills + cup


def warm_cup() -> str:
    cup = (
        form("M32 40H68V66Q68 76 58 76H42Q32 76 32 66z", CORAL, 5, 1)
        + path(oval(50, 40, 18, 4), "#7A4A31")
        + stroke("M44 32q-4-8 1-16M56 32q-4-8 1-16", WHITE, 3.4)
    )
    hands = form("M-6 62L24 56Q36 48 40 56Q44 66 34 74L-6 88z", "#F2B48C", 4) + form(
        "M106 62L76 56Q64 48 60 56Q56 66 66 74L106 88z", "#8E5838", 4
    )
    return path(box(-40, -40, 180, 180), "#F1E3C4") + cup + hands


def _trainer(colour: str, sole: str) -> str:
    """A high shoe with laces that points right, 48 x 38."""
    upper = form("M3 30V4Q10 1 17 4L21 13Q30 18 40 20Q47 22 47 30z", colour, 3, 1)
    laces = stroke("M17 8l6-2M20 12l6-2M24 15l5-3", WHITE, 2) + path("M36 20Q47 21 47 30H36z", light(colour, 0.5))
    return upper + laces + form(box(1, 29, 47, 7, 3), sole, 1.4)


def shoe_and_copy(crossed: bool = False) -> str:
    """A good shoe with a star and a wonky masked copy of it, which may be crossed out."""
    star = path(poly((0, -6), (2, -2), (6, -2), (3, 1), (4, 6), (0, 3), (-4, 6), (-3, 1), (-6, -2), (-2, -2)), SUN)
    mask = path("M-14-4Q0-10 14-4Q14 6 6 5Q0 2-6 5Q-14 6-14-4z", INK) + path(
        oval(-6, -1, 3, 2) + oval(6, -1, 3, 2), WHITE
    )
    good = put(4, 2, _trainer(BLUE, WHITE) + put(11, 20, star), 1.3)
    bad = _trainer("#6F9CC4", "#F0DDB0") + stroke("M10 29l-3 9M30 30l4 9", "#8A6A4A", 2) + put(15, 18, mask, 0.66)
    strike = cross(34, 46, 60, 50, 4.6) if crossed else ""
    return path(box(-40, -40, 180, 180), "#DCE6EA") + good + put(36, 48, bad, 1.25, 9) + strike


def dancing_shoes() -> str:
    one = "M0 26L4 2Q10 0 12 6Q16 18 30 20Q38 22 38 27H18L16 22L6 27z"
    return (
        path(box(-40, -40, 180, 180), "#F6DCE0")
        + put(12, 24, form(one, PLUM, 3, 1), 1.1, -12)
        + put(48, 52, form(one, CORAL, 3, 1), 1.1, 10)
        + stroke("M70 12v16M70 12q8 2 8 8M22 70v14M22 70q8 2 8 8", INK, 2.4)
        + path(oval(67, 29, 4, 3) + oval(19, 85, 4, 3), INK)
    )


def hacker() -> str:
    """A hooded figure before falling zeros and ones."""
    digits = path(box(-40, -40, 180, 180), "#17233A") + "".join(
        lettering(
            "01"[(i * 7 + j * 3 + i * j) % 2],
            4 + 8 * i,
            8 + 11 * j + i * 5 % 9,
            5,
            mix("#17233A", "#4FD882", 0.3 + (i * 3 + j * 5) % 7 / 10),
        )
        for i in range(13)
        for j in range(10)
    )
    figure = (
        form("M10 110Q14 66 36 60Q30 20 50 18T64 60Q86 66 90 110z", "#3A3F5C", 6, 1.4)
        + path("M36 46Q36 28 50 28T64 46Q64 62 50 66T36 46z", "#0F1526")
        + path(oval(44, 46, 3, 1.6) + oval(56, 46, 3, 1.6), "#4FD882")
    )
    return digits + figure


def summit() -> str:
    return (
        path(box(-40, -40, 180, 180), "#9CC8DE")
        + form(oval(78, 22, 9), SUN, 2)
        + form(poly((-30, 110), (34, 18), (90, 110)), "#7F8FA6", 8)
        + path(poly((34, 18), (22, 36), (30, 40), (36, 34), (44, 42), (47, 38)), WHITE)
        + form(poly((40, 110), (86, 48), (140, 110)), "#93A3B6", 6)
        + path("M-40 84Q40 70 140 88V140H-40z", LEAF)
        + form(poly((52, 92), (66, 66), (84, 92)), CORAL, 3, 1)
        + path(poly((62, 92), (66, 72), (71, 92)), dark(CORAL, 0.5))
    )
