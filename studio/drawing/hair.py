"""Hair seen from the front and from behind, around a head of radius 10."""

from __future__ import annotations

import math

from studio.drawing.kit import clipped, dark, form, light, oval, path, stroke
from studio.drawing.poses import Look

FACE = "M-9.3-1C-9.6-12 9.6-12 9.3-1C9.4 5.5 5 10.6 0 10.6S-9.4 5.5-9.3-1z"


def back_hair(look: Look, t: float) -> str:
    """What hangs behind the head and the shoulders."""
    hair = look.hair
    if look.style == "bob":
        return form("M-10.6-3C-13 4-12 11-9 12.5H9C12 11 13 4 10.6-3z", dark(hair, 0.2), 1)
    if look.style == "long":
        return form("M-10.6-3C-13.5 6-13 18-10.5 22Q0 25 10.5 22C13 18 13.5 6 10.6-3z", dark(hair, 0.2), 1)
    if look.style == "ponytail":
        k = -1 if t > 0 else 1
        return form(
            f"M{7 * k}-7C{15 * k}-9 {18 * k} 0 {14 * k} 11C{12 * k} 12 {10 * k} 4 {8 * k} 0z", dark(hair, 0.12), 1
        )
    if look.style == "pigtails":
        return "".join(
            form(f"M{9 * k} 0C{15 * k}-1 {17 * k} 5 {15 * k} 13C{11 * k} 14 {9 * k} 8 {9 * k} 0z", dark(hair, 0.1), 1)
            + path(oval(9.6 * k, 1.2, 1.5), look.top)
            for k in (-1, 1)
        )
    if look.style == "braids":
        return "".join(
            form(oval(10.4 * k + (i % 2) * 0.5 * k, 4 + 4.2 * i, 2.5, 2.9), dark(hair, 0.1), 0.7)
            for k in (-1, 1)
            for i in range(5)
        ) + "".join(path(oval(10.6 * k, 24.4, 1.5, 1.9), look.top) for k in (-1, 1))
    if look.style == "afro":
        return form(oval(0, -3.5, 15, 14), dark(hair, 0.1), 1.6)
    if look.style == "bun":
        return form(oval(-t * 0.8, -11.5, 5), hair, 1.2)
    if look.style == "curls":
        angles = (math.radians(d) for d in range(140, 405, 26))
        return "".join(
            form(oval(12 * math.cos(a), -2.5 + 11.5 * math.sin(a), 4.6), dark(hair, 0.12), 0.8) for a in angles
        )
    return ""


def fringe_over(look: Look, t: float) -> str:
    """What lies over the forehead, moved by `t` as the face turns."""
    hair = look.hair
    if look.style == "bald":
        return "".join(
            form(f"M{9.8 * k}-3C{11 * k} 0 {10.4 * k} 3 {9.4 * k} 4Q{8.6 * k} 0 {8.8 * k}-4z", hair, 0.5)
            for k in (-1, 1)
        )
    if look.style == "curls":
        angles = (math.radians(d) for d in range(180, 361, 20))
        return "".join(form(oval(9.4 * math.cos(a), -5.6 + 6.2 * math.sin(a), 2.9), hair, 0.9) for a in angles)
    if look.style == "fluff":
        return stroke("M-3-9.5q1-3.4 3-2.6M1-9.8q2-2.8 4-1.4M-5-8.6q-.4-2 .8-3", hair, 1.5)
    if look.style == "cap":
        peak = form(
            f"M{-8 + t * 1.6:.2f}-4.6Q{t * 2:.2f}-8.6 {8 + t * 1.6:.2f}-4.6Q{t * 2.2:.2f}-1.4 {-8 + t * 1.6:.2f}-4.6z",
            dark(hair, 0.15),
            0.7,
        )
        return (
            form("M-10-3C-11-12-5-14 0-14S11-12 10-3Q0-8-10-3z", hair, 1.4)
            + path(oval(0, -13.8, 1.1), dark(hair, 0.2))
            + peak
        )
    fringe = {
        "short": "M-10-.5C-11-9-6-13 1-12.6C8-13 11-7 10-.5C8.6-2.5 8.4-4.5 7.4-6.2"
        "C3-4.4-3-4.8-6.4-6.6C-8-5-8.8-3-10-.5z",
        "crop": "M-9.7-1C-10.5-9-6-12 0-12S10.5-9 9.7-1C9-4 8-6.5 6-7.6Q0-8.8-6-7.6C-8-6.5-9-4-9.7-1z",
        "quiff": "M-9.8-1C-10.6-7-8-9.6-6-10.4C-5-15 6-16.5 9.4-12C11-9 10.4-5 9.8-1C9-4 8.6-5.4 7.8-6.6"
        "C3-5.6-4-6.6-6.4-8C-8-6-9-4-9.8-1z",
        "afro": (
            "M-10.4-1C-12.4-11-6-15.4 0-15.4S12.4-11 10.4-1C9.4-4.4 7.6-6.6 5.4-7.4Q0-9-5.4-7.4"
            "C-7.6-6.6-9.4-4.4-10.4-1z"
        ),
        "braids": f"M-10.2 1.5C-12-9-6-12.8 0-12.8S12-9 10.2 1.5C9.2-2 8-4.6 {t:.2f}-7.6C-8-4.6-9.2-2-10.2 1.5z",
        "bob": f"M-10.7 4C-12.5-9-6-13 0-13S12.5-9 10.7 4C9 1 8.8-2 8-4.2C4-4 0-5 {-2 + t:.2f}-7.4"
        "C-4-4.6-7-3-8.2-2.6C-8.8 0-9.4 2-10.7 4z",
        "long": (
            f"M-10.7 5C-12.5-9-6-13 0-13S12.5-9 10.7 5C9.5 2 9.2-2 8-4.6Q5-6.5 {t:.2f}-8.2"
            "Q-5-6.5-8-4.6C-9.2-2-9.5 2-10.7 5z"
        ),
        "ponytail": f"M-10 0C-11-9-6-12.8 0-12.8S11-9 10 0C9.2-3.5 7-6 {2 + t:.2f}-7C-3-6.8-8-5-10 0z",
        "pigtails": f"M-10.2 1.5C-12-9-6-12.8 0-12.8S12-9 10.2 1.5C9.2-2 8-4.6 {t:.2f}-7.6C-8-4.6-9.2-2-10.2 1.5z",
        "bun": f"M-10 0C-11-9-6-12.6 0-12.6S11-9 10 0C9-4 6-6.6 {t:.2f}-7.2C-6-6.6-9-4-10 0z",
        "scarf": f"M-11.4 6C-14-10-6-13.4 0-13.4S14-10 11.4 6Q10 12 6 13Q9.6 4 8-3Q5-7.6 {t * 0.5:.2f}-7.6"
        "Q-5-7.6-8-3Q-9.6 4-6 13Q-10 12-11.4 6z",
    }[look.style]
    return form(fringe, hair, 1.4, 0, stroke("M-6.5-8.2C-3-11 3-11 6-8.8", light(hair, 0.22), 0.9))


def drape(cloth: str) -> str:
    """A head scarf's cloth over the neck."""
    return form("M-10.4 2C-12 12-11 17 0 18.5S12 12 10.4 2z", dark(cloth, 0.08), 1.6)


def from_behind(look: Look) -> str:
    """The back of a head: skin only at ears and nape."""
    hair = look.hair
    ears = "".join(form(oval(9.3 * k, 1.6, 1.6, 2.4), look.skin, 0.5) for k in (-1, 1))
    nape = form(FACE, look.skin, 1.5)
    if look.style in ("bald", "fluff"):
        fluff = clipped(FACE, form("M-10-1Q0 3 10-1V6Q0 11-10 6z", hair, 1.2))
        return ears + nape + fluff
    ends = {
        "bob": 11.5,
        "long": 22,
        "short": 6.5,
        "crop": 5.5,
        "bun": 6,
        "quiff": 6,
        "braids": 7.5,
        "pigtails": 7,
        "curls": 8,
        "ponytail": 6,
        "cap": 6,
    }
    low = ends.get(look.style, 14)
    side = 10.6 if low > 9 else 9.9
    mass = (
        f"M{-side} -1C-11.5-10-6-13 0-13S11.5-10 {side} -1C{side + 0.8} {low * 0.6:.1f}"
        f" {side - 1} {low} 6 {low}Q0 {low + 1.4} -6 {low}C{1 - side} {low} {-side - 0.8}"
        f" {low * 0.6:.1f} {-side} -1z"
    )
    strands = ""
    if low > 9:  # loose hair narrows at the nape and ends in locks
        locks = "".join(f"q-1.4 {2 + i % 2} -3.2 {0.4 * (-1) ** i:.1f}" for i in range(5))
        mass = (
            f"M{-side} -1C-11.5-10-6-13 0-13S11.5-10 {side} -1C11.2 4 9.4 7 9.8 {low * 0.62:.1f}Q10 {low - 2} 8 {low}"
            f"{locks}Q-10 {low - 2} -9.8 {low * 0.62:.1f}C-9.4 7-11.2 4 {-side} -1z"
        )
        fall = "".join(f"M{x}-3Q{x * 1.5:.1f} {low * 0.5:.1f} {x * 1.3:.1f} {low - 1.5:.1f}" for x in (-4.4, -0.6, 3.6))
        strands = stroke(fall, dark(hair, 0.22), 0.6)
    shine = strands + stroke("M-6-7.5C-3-10.5 2-10.8 5-9", light(hair, 0.22), 0.9)
    out = ears + nape + form(mass, hair, 1.6, 0, shine)
    if look.style == "curls":
        out = "".join(
            form(oval(10.5 * math.cos(a), -2 + 10.5 * math.sin(a), 4.4), dark(hair, 0.08), 0.9)
            for a in (math.radians(d) for d in range(0, 360, 26))
        ) + form(oval(0, -2, 10.5), hair, 1.8)
    if look.style == "bun":
        out += form(oval(0, -8, 4.6), light(hair, 0.06), 1.2)
    if look.style == "ponytail":
        out += path(oval(0, -4, 1.8), look.top) + form("M-2-3C-5 4-4 12 0 18C4 12 5 4 2-3z", dark(hair, 0.1), 1)
    if look.style == "afro":
        out = form(oval(0, -3.5, 15, 14.4), hair, 1.8)
    if look.style == "braids":
        out += "".join(
            form(oval(6 * k, 8 + 4.2 * i, 2.5, 2.9), dark(hair, 0.1), 0.7) for k in (-1, 1) for i in range(4)
        )
    if look.style == "pigtails":
        out += "".join(
            form(f"M{8 * k} 2C{14 * k} 2 {15 * k} 8 {13 * k} 16C{9 * k} 16 {7 * k} 9 {8 * k} 2z", dark(hair, 0.1), 1)
            + path(oval(8.4 * k, 3, 1.5), look.top)
            for k in (-1, 1)
        )
    return out
