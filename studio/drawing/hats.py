"""Hats and helmets on a head of radius 10, from the front, from behind and from the side."""

from __future__ import annotations

import math

from studio.drawing.kit import (
    CREAM,
    INK,
    STEEL,
    SUN,
    WHITE,
    dark,
    flower,
    form,
    light,
    oval,
    path,
    poly,
    put,
    stroke,
)
from studio.drawing.poses import Look

DOME = "M-10.4-3.4C-11.6-13-5-15.4 0-15.4S11.6-13 10.4-3.4Q0-7.4-10.4-3.4z"


def hat(look: Look, t: float, back: bool = False, side: float = 0) -> str:
    """The hat of `look`, or nothing; `t` moves its front as the face turns, `side` is -1 or 1 in profile."""
    if not look.hat:
        return ""
    draw = _HATS[look.hat]
    drawn = draw(look.hat_colour, t, back, side)
    return put(-side * 0.9, 0.4, drawn) if side else drawn


def _band(colour: str, y: float = -5.4) -> str:
    return stroke(f"M-10.2 {y + 1.4:.2f}Q0 {y - 2.6:.2f} 10.2 {y + 1.4:.2f}", colour, 2.4)


def _beanie(c: str, t: float, back: bool, side: float) -> str:
    ribs = stroke("M-6-14L-7-6M0-15.6V-7M6-14L7-6", dark(c, 0.14), 0.7)
    return (
        form(DOME, c, 1.4, 0, ribs)
        + stroke("M-10-3.8Q0-8 10-3.8", light(c, 0.3), 3.2)
        + form(oval(0, -16.4, 2.8), light(c, 0.4), 0.7)
    )


def _brim(c: str, crown: str, band: str, wide: float) -> str:
    brim = form(
        f"M{-wide} -3.6Q0-10 {wide} -3.6Q{wide * 0.6:.1f} -1.4 0-5.4Q{-wide * 0.6:.1f} -1.4 {-wide} -3.6z", c, 0.9
    )
    return form(crown, c, 1.4, 0, stroke("M-10-6.4Q0-10 10-6.4", band, 2.6)) + brim


def _straw(c: str, t: float, back: bool, side: float) -> str:
    return _brim(c, "M-8.4-4.6C-8.6-13-5-15 0-15S8.6-13 8.4-4.6z", dark(c, 0.5), 16)


def _cowboy(c: str, t: float, back: bool, side: float) -> str:
    crown = "M-8.2-4.6C-8-13-6.4-16-3-15.4Q0-13.8 3-15.4C6.4-16 8-13 8.2-4.6z"
    brim = form("M-16-8Q-13-3 0-5.4T16-8Q15-1-0-3T-16-8z", c, 1)
    return form(crown, c, 1.4, 0, stroke("M-9-6.4Q0-8.6 9-6.4", dark(c, 0.4), 2.4)) + brim


def _top(c: str, t: float, back: bool, side: float) -> str:
    body = form(
        "M-7.6-5C-8-12-8.4-18-8.6-22Q0-23.6 8.6-22C8.4-18 8-12 7.6-5Q0-7-7.6-5z",
        c,
        1.6,
        0.5,
        stroke("M-9-8Q0-10 9-8", "#B5657A", 2.6),
    )
    return body + form("M-12.6-4.4Q0-8.6 12.6-4.4Q0-2.6-12.6-4.4z", c, 0.7)


def _hard(c: str, t: float, back: bool, side: float) -> str:
    ridge = stroke(f"M{t * 0.6:.2f}-16.4Q{t:.2f}-12 {t * 1.1:.2f}-6", light(c, 0.4), 2.2)
    reach = 13.6 if not side else 12
    return form("M-10.6-4C-12-13.6-5.6-16.6 0-16.6S12-13.6 10.6-4Q0-7.6-10.6-4z", c, 1.6, 0.6, ridge) + form(
        f"M{-reach + side * 2} -3.4Q{t:.2f}-8.4 {reach + side * 2} -3.4Q{t * 1.3:.2f}-3.4 {-reach + side * 2} -3.4z",
        dark(c, 0.1),
        0.6,
    )


def _bike(c: str, t: float, back: bool, side: float) -> str:
    vents = "".join(path(oval(x + t * 0.8, -11 + abs(x) * 0.14, 1.1, 2.6), dark(c, 0.4)) for x in (-5.4, 0, 5.4))
    strap = (
        ""
        if back
        else stroke(
            f"M{-9.4 + t * 0.4:.2f}-3L{-6.4 + t * 0.6:.2f} 9.4Q{t:.2f} 12.4 {6.4 + t * 0.6:.2f}"
            f" 9.4L{9.4 + t * 0.4:.2f}-3",
            INK,
            0.7,
        )
    )
    return strap + form("M-11-3.6C-12.6-13-6-17 0-17S12.6-13 11-3.6Q0-8-11-3.6z", c, 1.6, 0.7, vents)


def _fire(c: str, t: float, back: bool, side: float) -> str:
    shell = form(
        "M-10.6-4C-12-13.6-5.6-17 0-17S12-13.6 10.6-4Q0-7.6-10.6-4z",
        c,
        1.6,
        0.7,
        stroke(f"M{t:.2f}-17V-8", light(c, 0.3), 2.4),
    )
    shield = (
        ""
        if back
        else form(
            poly(
                (t * 1.4 - 3, -12.6),
                (t * 1.4 + 3, -12.6),
                (t * 1.4 + 2.6, -8.4),
                (t * 1.4, -6.4),
                (t * 1.4 - 2.6, -8.4),
            ),
            SUN,
            0.5,
        )
    )
    return shell + form("M-15-3Q0-9 15-3Q10-1.6 0-4.6T-15-3z", dark(c, 0.12), 0.8) + shield


def _police(c: str, t: float, back: bool, side: float) -> str:
    crown = form("M-9.8-5C-14.4-9-13.6-13 -8-14.4Q0-16.4 8-14.4C13.6-13 14.4-9 9.8-5Q0-7.6-9.8-5z", c, 1.5)
    band = stroke("M-9.8-4.6Q0-8.4 9.8-4.6", dark(c, 0.4), 2.6)
    if back:
        return crown + band
    x = t * 1.5
    star = path(poly(*(_spoke(x, -10.4, 2.6 if i % 2 == 0 else 1.2, i, 10) for i in range(10))), SUN)
    return (
        crown
        + band
        + form(f"M{x - 8:.2f}-4.2Q{x:.2f}-6.8 {x + 8:.2f}-4.2Q{x * 1.1:.2f}-.8 {x - 8:.2f}-4.2z", INK, 0.4)
        + star
    )


def _spoke(x: float, y: float, r: float, i: int, n: int) -> tuple[float, float]:
    a = math.tau * i / n - math.pi / 2
    return x + r * math.cos(a), y + r * math.sin(a)


def _chef(c: str, t: float, back: bool, side: float) -> str:
    puff = "M-9-9C-15-10-14.6-18-8.6-18.4C-7-23 6-23.4 8-18.8C15-18.6 15-10 9-9z"
    folds = stroke("M-4-9Q-4.6-14-6-16.6M1-9Q1-14 .4-18M5.4-9Q6-13 7.4-15", dark(WHITE, 0.12), 0.7)
    return form(puff, WHITE, 1.6, 0, folds) + form("M-9.6-4.2Q0-8 9.6-4.2V-10Q0-13-9.6-10z", CREAM, 1)


def _nurse(c: str, t: float, back: bool, side: float) -> str:
    x = t * 1.1
    cap = form(f"M-8.6-7.4Q{x:.2f}-11.4 8.6-7.4L7.4-13.4Q{x:.2f}-16.6-7.4-13.4z", WHITE, 0.9)
    return cap + ("" if back else stroke(f"M{x:.2f}-13.6v4.2M{x - 2.1:.2f}-11.5h4.2", "#4E8FC0", 1.3))


def _pirate(c: str, t: float, back: bool, side: float) -> str:
    x = t * 1.2
    shape = form(f"M-15-3.4C-14-10-8-10-6-13Q{x:.2f}-19.6 6-13C8-10 14-10 15-3.4Q0-8.6-15-3.4z", INK, 1.2, 0.5)
    edge = stroke("M-14.4-4Q0-9.4 14.4-4", SUN, 0.9)
    if back:
        return shape + edge
    skull = path(oval(x, -11.6, 2.3, 2.1) + f"M{x - 1.3:.2f}-10h2.6v2h-2.6z", CREAM) + path(
        oval(x - 0.9, -11.6, 0.6) + oval(x + 0.9, -11.6, 0.6), INK
    )
    return shape + edge + skull


def _crown(c: str, t: float, back: bool, side: float) -> str:
    gems = "".join(
        path(oval(x + t * 0.6, -7.6 + abs(x) * 0.1, 0.9), g)
        for x, g in ((-5, "#D8483A"), (0, "#4E8FC0"), (5, "#D8483A"))
    )
    return form("M-8.8-5Q0-8.4 8.8-5L10.4-15.4L5-10.6L0-17L-5-10.6L-10.4-15.4z", SUN, 1.1, 0.5, gems)


def _witch(c: str, t: float, back: bool, side: float) -> str:
    cone = form(
        "M-8-4.6C-5-13-2-20 4-26.6Q3-20 5-15C6.4-11 7.4-8 8-4.6Q0-7.4-8-4.6z",
        c,
        1.4,
        0,
        stroke("M-9-6.6Q0-9.6 9-6.6", SUN, 2.2),
    )
    return cone + form("M-16.4-3.2Q0-9 16.4-3.2Q0-1.6-16.4-3.2z", c, 0.8)


def _party(c: str, t: float, back: bool, side: float) -> str:
    dots = "".join(path(oval(x, y, 0.9), SUN) for x, y in ((-2, -11), (2.4, -13), (0, -17), (-4, -8.4), (4.4, -9)))
    return form("M-6.4-7.6L0-25L6.4-7.6Q0-10-6.4-7.6z", c, 1.1, 0, dots) + form(oval(0, -25, 2), SUN, 0.5)


def _graduate(c: str, t: float, back: bool, side: float) -> str:
    base = form("M-9.4-4.6Q0-8.6 9.4-4.6V-11H-9.4z", c, 1.2)
    board = form(poly((-15, -12), (0, -17), (15, -12), (0, -7.4)), light(c, 0.08), 0.8)
    return base + board + stroke("M0-12.2L11-10.6V-4", SUN, 0.9) + path(oval(11, -3, 1.1, 1.6), SUN)


def _knight(c: str, t: float, back: bool, side: float) -> str:
    shell = form(
        "M-10.8-1C-12-14-6-17 0-17S12-14 10.8-1C10.8 4 10.4 8 9.4 10.4L6.8 8.4C8 4 8-1 6.6-3.6"
        "Q0-6.4-6.6-3.6C-8-1-8 4-6.8 8.4L-9.4 10.4C-10.4 8-10.8 4-10.8-1z",
        STEEL,
        1.6,
        0.7,
    )
    plume = form("M0-16C4-24 14-22 14-12C10-16 6-16 1-14z", "#D8483A", 1.2)
    if back:
        return plume + form("M-10.8-1C-12-14-6-17 0-17S12-14 10.8-1Q11 6 9 11H-9Q-11 6-10.8-1z", STEEL, 1.8, 0.7)
    visor = form(f"M-9.4-6.4Q{t:.2f}-12 9.4-6.4Q{t:.2f}-4-9.4-6.4z", light(STEEL, 0.3), 0.7) + stroke(
        f"M{t - 4:.2f}-7.4h8", INK, 0.7
    )
    return plume + shell + visor


def _swim(c: str, t: float, back: bool, side: float) -> str:
    return form(
        "M-10-2.6C-11-12.4-5-13.8 0-13.8S11-12.4 10-2.6Q0-6.8-10-2.6z",
        c,
        1.4,
        0.5,
        stroke(f"M{t:.2f}-14V-5", light(c, 0.5), 1.8),
    )


def _hood(c: str, t: float, back: bool, side: float) -> str:
    if back:
        return form("M-11 8C-14-12-6-15.4 0-15.4S14-12 11 8Q0 13-11 8z", c, 1.8)
    if side:
        k = side
        return form(
            f"M{8.6 * k} -5C{8 * k}-15 {-4 * k}-16 {-8 * k}-12C{-14 * k}-7 {-13 * k} 6 {-11 * k}"
            f" 12Q{-4 * k} 16 {2 * k} 12C{-3 * k} 8 {-3 * k}-2 {2 * k}-6Q{5 * k}-7 {8.6 * k} -5"
            "z",
            c,
            1.4,
        )
    return form(
        f"M-11 9C-14-11-7-15.4 0-15.4S14-11 11 9Q9 13 6 12Q10.4 4 8-3.4Q{t:.2f}-11-8-3.4Q-10.4 4-6 12Q-9 13-11 9z",
        c,
        1.4,
    )


def _flower(c: str, t: float, back: bool, side: float) -> str:
    return "" if back else flower(-7 + t * 0.5, -8, 4.2, c, SUN)


def _wig(c: str, t: float, back: bool, side: float) -> str:
    rolls = "".join(form(oval(10.4 * k, 4.4 * i - 4, 3.2, 2.4), CREAM, 0.7) for k in (-1, 1) for i in range(4))
    return rolls + form(
        "M-10.4-2C-12-13-6-15 0-15S12-13 10.4-2C8-6.4 4-8 0-8S-8-6.4-10.4-2z",
        CREAM,
        1.3,
        0,
        stroke("M-8-10Q0-13.6 8-10", dark(CREAM, 0.14), 0.8),
    )


_HATS = {
    "beanie": _beanie, "straw": _straw, "cowboy": _cowboy, "top": _top, "hard": _hard, "bike": _bike, "fire": _fire,
    "police": _police, "chef": _chef, "nurse": _nurse, "pirate": _pirate, "crown": _crown, "witch": _witch,
    "party": _party, "graduate": _graduate, "knight": _knight, "swim": _swim, "hood": _hood, "flower": _flower,
    "wig": _wig,
}  # fmt: skip
HATS = tuple(_HATS)
