"""Posters."""

from __future__ import annotations

import math
from dataclasses import replace

from studio.drawing.faces import head
from studio.drawing.kit import (
    CREAM,
    HUMAN,
    LEAF,
    NAVY,
    RED,
    SUN,
    TEXT,
    Prop,
    ban,
    box,
    dark,
    form,
    lettering,
    limb,
    path,
    poly,
    put,
    shadow,
    stroke,
)
from studio.drawing.poses import Look, Pose


def smoker() -> str:
    """A man's head and shoulders drawing on a cigarette, in a 130 x 140 field."""
    look = Look(skin="#E3A379", hair="#4A3328", style="short", top="#6B7A99")
    back, front = head(look, Pose(turn=-0.9, nod=0.1, mouth="o"))
    coat = form(
        "M40 150C42 118 62 106 84 102Q96 110 108 102C132 108 140 124 142 150z",
        look.top,
        5,
        1.2,
        stroke("M82 100Q92 122 96 150M110 100Q104 122 98 150", dark(look.top, 0.25), 2.4)
        + path("M84 103L94 126L108 103z", CREAM),
    )
    neck = form("M84 88h23v18q-11 8-23 0z", dark(look.skin, 0.18), 2)
    arm = form(limb([(30, 156), (44, 138), (55, 121)], (22, 18, 14)), dark(look.top, 0.08), 3, 0.8)
    fist = form("M50 124C46 114 50 106 58 104L70 105C75 110 72 120 66 126Q57 130 50 124z", look.skin, 2.2)
    fingers = "".join(
        form(limb(pts, (5.4, 5.2, 4.6)), look.skin, 1)
        for pts in ([(60.0, 110.0), (59.0, 100.0), (64.0, 91.0)], [(66.0, 110.0), (67.0, 100.0), (71.0, 90.5)])
    )
    curl = "".join(stroke(f"M58 {113 + 4.6 * i}h10", dark(look.skin, 0.28), 1) for i in range(2)) + stroke(
        "M67 112q6 3 3 9", look.skin, 5
    )
    cigarette = (
        form(poly((49, 93.2), (87, 86.4), (88, 91.2), (50, 98)), "#FFFDF6", 1.2)
        + form(poly((76, 88.4), (87, 86.4), (88, 91.2), (77, 93.2)), "#E39A52", 1)
        + form(poly((45.5, 94), (49.5, 93.2), (50.5, 98), (46.5, 98.6)), "#F26B2E", 0.8)
    )
    smoke = stroke("M46 93C36 84 52 76 42 66S50 48 38 38S40 24 34 18", "#F3F1EE", 6, 'opacity=".85"') + stroke(
        "M45 92C44 82 60 74 52 62S56 46 52 36", "#E3E3E6", 3.6, 'opacity=".85"'
    )
    face = f'<g transform="translate(97,66) scale(2.85)">{back}{front}</g>'
    return neck + coat + face + smoke + arm + cigarette + fist + fingers + curl


def rays(cx: float, cy: float, colour: str) -> str:
    """Sun rays behind a motif, far beyond any board: clip them."""
    return "".join(
        path(
            poly(
                (cx, cy),
                (cx + 260 * math.cos(a), cy + 260 * math.sin(a)),
                (cx + 260 * math.cos(a + 0.2), cy + 260 * math.sin(a + 0.2)),
            ),
            colour,
        )
        for a in (k * 0.4 for k in range(16))
    )


def city_light(name: str, art: str, lines: tuple[str, str], *, colour: str = NAVY, banned: bool = False) -> Prop:
    """A lit poster case in the street, 150 x 232 cm; `art` fills a field of 130 x 146 at (10, 10)."""
    picture = form(box(10, 10, 130, 146), "#93C5C9", 0, 0, rays(75, 90, "#A9D3D3") + art)
    caption = path(box(10, 154, 130, 51), CREAM) + lettering(lines[0], 75, 180, 17, colour, 118)
    caption += lettering(lines[1], 75, 196, 8, NAVY, 112)
    legs = "".join(form(box(x, 212, 10, 19, 1), "#4B5368", 2) for x in (22, 118))
    frame = form(box(0, 0, 150, 216, 5), "#5A6379", 3, 1.2) + path(box(7, 7, 136, 201, 2), "#3C4356")
    glass = path(poly((10, 10), (46, 10), (10, 70)), "#fff", extra='opacity=".16"')
    body = shadow(70, 228, 70, 4, 0.8) + legs + frame + picture + (ban(76, 86, 57) if banned else "") + caption + glass
    return Prop(name, 150, 232, body, shows=frozenset({TEXT}))


def smoking_poster(banned: bool) -> Prop:
    """Negation is the ring, the bar and the caption; the smoker stays the same."""
    art = put(2, 8, smoker())
    if banned:
        made = city_light("no-smoking poster", art, ("NO SMOKING", "Thank you for clean air"), colour=RED, banned=True)
    else:
        made = city_light("poster that advertises smoking", art, ("START SMOKING", "Everyone cool does it"))
    return replace(made, shows=made.shows | {HUMAN})


def fruit_poster() -> Prop:
    apple = form(
        "M52 78C30 62 18 88 28 112C36 132 50 132 56 126C62 132 76 132 84 112C94 88 82 62 60 78Q56 80 52 78z", RED, 8, 2
    )
    apple += stroke("M56 80Q56 66 64 60", "#7A4A31", 4) + form("M62 66Q74 50 90 58Q80 74 62 66z", LEAF, 3)
    apple += stroke("M34 92Q36 82 44 80", "#fff", 4, 'opacity=".7"')
    pear = form("M104 66C94 66 94 82 90 92C82 108 84 130 104 130S128 108 118 92C114 82 114 66 104 66z", SUN, 7, 2)
    pear += stroke("M104 68Q103 56 108 50", "#7A4A31", 3.6)
    return city_light(
        "poster of fruit", pear + put(-4, 8, apple), ("FRESH FRUIT", "Market day is Friday"), colour=dark(LEAF, 0.4)
    )
