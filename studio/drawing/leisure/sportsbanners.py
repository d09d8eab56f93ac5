"""Cloth banners on fences and stands, and the pictures on them."""

from __future__ import annotations

from studio.drawing.faces import head
from studio.drawing.kit import (
    BLUE,
    CORAL,
    CREAM,
    HUMAN,
    INK,
    RED,
    STEEL,
    SUN,
    TEAL,
    TEXT,
    WHITE,
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
    stroke,
)
from studio.drawing.negation import mark as overlay
from studio.drawing.poses import Look, Pose

GOLD = "#E2AF3C"


def hung(
    name: str,
    art: Prop,
    words: tuple[str, ...],
    mark: str = "",
    *,
    size: float = 1,
    ink: str = RED,
    field: str = "#BFE0E4",
) -> Prop:
    """A cloth banner to hang on a fence or a stand, 300 x 100 cm at size 1: picture at the left, words at the right."""
    w, h = 128.0, 86.0
    cloth = form("M0 0H300V97Q270 100 240 98T180 98T120 98T60 98T0 97z", CREAM, 2)
    k = min(w * 0.96 / art.w, h * 0.98 / art.h)
    picture = clipped(
        box(0, 0, w, h, 3), path(box(0, 0, w, h), field) + put((w - art.w * k) / 2, h - art.h * k, art.body, k)
    )
    body = (
        cloth
        + put(7, 6, picture + overlay(mark, w, h))
        + path("".join(oval(x, y, 1.8) for x in (3.5, 296.5) for y in (4, 92)), STEEL)
    )
    step = 80 / max(len(words), 2)
    for i, line in enumerate(words):
        body += lettering(line, 218, 10 + step * (i + 0.78), step * 0.58, ink, 148)
    return Prop(name, 300 * size, 100 * size, put(0, 0, body, size), shows=art.shows | {TEXT})


def medal() -> str:
    """A gold medal on a ribbon, in a field of 40 x 76."""
    ribbon = form(poly((6, 0), (18, 0), (24, 36), (14, 40)), BLUE, 2) + form(
        poly((34, 0), (22, 0), (16, 36), (26, 40)), light(BLUE, 0.2), 2
    )
    return (
        ribbon
        + form(oval(20, 54, 20), GOLD, 4, 1.4)
        + stroke(oval(20, 54, 14), dark(GOLD, 0.2), 1.6)
        + lettering("1", 20, 62, 16, dark(GOLD, 0.4))
    )


def doping_art() -> Prop:
    """A syringe beside a gold medal."""
    tube = (
        form(box(-6, -22, 12, 40, 2), "#EAF3F6", 2, 0.6)
        + path(box(-4.6, -4, 9.2, 20), CORAL)
        + stroke("M-6-14h5M-6-6h5M-6 2h5M-6 10h5", "#5A6379", 1.2)
    )
    plunger = (
        form(box(-1.8, -36, 3.6, 20), STEEL, 0.8)
        + form(box(-8, -39, 16, 4, 1.6), "#5A6379", 1)
        + form(box(-9, -24, 18, 3.4, 1.4), "#5A6379", 0.8)
    )
    needle = stroke("M0 18V38", "#5A6379", 2) + form(box(-2.6, 17, 5.2, 6, 1), "#5A6379", 0.8)
    return Prop(
        "syringe and medal",
        100,
        84,
        put(30, 42, needle + plunger + tube, 1, 24) + put(56, 5, medal()),
    )


def shoe_art() -> Prop:
    """A running shoe beside a gold medal."""
    shoe = (
        form("M2 30Q0 10 8 6Q12 14 20 12L30 20Q52 24 52 36V40H2z", TEAL, 3, 0.8)
        + form("M1 38H53V44Q30 47 1 44z", WHITE, 1)
        + stroke("M18 15l8-5M23 19l8-5M28 22l7-4", WHITE, 2)
    )
    return Prop("shoe and medal", 100, 84, put(2, 36, shoe, 0.95) + put(56, 5, medal()))


def _bust(x: float, y: float, size: float, look: Look, pose: Pose, angle: float = 0) -> str:
    back, face = head(look, pose)
    trunk = form("M-16 34C-16 16-10 10-4 8H4C10 10 16 16 16 34z", look.top, 2)
    return put(
        x,
        y,
        trunk + path(box(-3.4, 4, 6.8, 8, 2), dark(look.skin, 0.2)) + put(0, -5, back + face, 1, angle),
        size,
    )


def hate_art(friendly: bool = False) -> Prop:
    """A fan who yells at a player with hanging head; or the same two as friends."""
    fan = Look(sex="male", skin="#F2B48C", hair="#5A3425", style="short", top="#7A4A86")
    player = Look(sex="male", skin="#8E5838", hair="#241818", style="crop", top=SUN)
    if friendly:
        art = _bust(32, 48, 1.8, fan, Pose(turn=0.4, mouth="laugh"), -4) + _bust(
            98, 50, 1.7, player, Pose(turn=-0.4, mouth="laugh"), 4
        )
        scarf = stroke("M17 68Q32 76 47 68", RED, 9) + stroke("M46 70L52 94", RED, 9)
        return Prop("fan and player", 130, 92, art + scarf, shows=frozenset({HUMAN}))
    points = [
        (50, 26),
        (46, 8),
        (60, 15),
        (66, 0),
        (76, 12),
        (92, 1),
        (91, 15),
        (108, 11),
        (99, 24),
        (112, 33),
        (95, 35),
        (88, 46),
        (78, 36),
        (62, 44),
        (63, 34),
        (44, 40),
    ]
    bubble = (
        path(poly(*points), WHITE, INK, 1.6)
        + stroke("M64 17l9 12M73 17l-9 12", INK, 3)
        + stroke("M82 14v11M82 30v.5M91 14v11M91 30v.5", RED, 3.4)
    )
    art = (
        _bust(24, 50, 1.9, fan, Pose(turn=0.75, mouth="angry"), 2)
        + form(oval(29, 51, 4.4, 5.4), "#7A2F38", 1)
        + path(oval(29, 48, 3, 1.4), WHITE)
        + _bust(103, 68, 1.5, player, Pose(turn=-0.2, nod=0.9, mouth="sad", eyes="down"), 14)
    )
    return Prop("yelling fan and sad player", 130, 92, art + bubble, shows=frozenset({HUMAN}))
