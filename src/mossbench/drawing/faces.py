"""Heads: hair, face and what is worn on them, drawn around (0, 0) in units of a tenth of the head's radius."""

from __future__ import annotations

import math

from mossbench.drawing.kit import INK, box, clipped, dark, form, light, mix, oval, path, stroke
from mossbench.drawing.poses import Look, Pose

FACE = "M-9.3-1C-9.6-12 9.6-12 9.3-1C9.4 5.5 5 10.6 0 10.6S-9.4 5.5-9.3-1z"


def head(look: Look, pose: Pose) -> tuple[str, str]:
    """What hangs behind the body, and the head itself. Radius 10: scale to taste."""
    t, n = pose.turn * 3.2, pose.nod * 2.6
    if pose.back:
        return "", _from_behind(look)
    cheeks = "".join(
        path(oval(5.6 * k + t * 0.9, 4.4 + n, 1.9, 1.3), mix(look.skin, "#E8574A", 0.5), extra='opacity=".55"')
        for k in (-1, 1)
    )
    face = form(FACE, look.skin, 1.5, 0, cheeks)
    nose = stroke(f"M{t * 1.15 - 0.5:.2f} {3.5 + n:.2f}q{0.9 + t * 0.15:.2f} 1.1 1.5 0", dark(look.skin, 0.34), 0.75)
    around = _scarf(look.hair) if look.style == "scarf" else _ears(look, pose, t, n)
    front = around + face + _eyes(look, pose, t, n) + nose + _mouth(look, pose, t, n)
    return _back_hair(look, t), front + _fringe(look, t) + _worn(look, t, n)


def _ears(look: Look, pose: Pose, t: float, n: float) -> str:
    out = ""
    for k in (-1, 1):
        if k * pose.turn < 0.6:
            x, y = 9.2 * k - t * 0.5, 1.6 + n * 0.3
            out += form(oval(x, y, 1.9, 2.5), look.skin, 0.5) + path(oval(x + 0.1, y, 0.9, 1.3), dark(look.skin, 0.16))
            out += path(oval(x, y + 3.2, 0.9), "#F4C152") if "earrings" in look.extra else ""
    return out


def _eyes(look: Look, pose: Pose, t: float, n: float) -> str:
    brow = INK if look.style in ("scarf", "bald", "cap") else mix(look.hair, INK, 0.3)
    inner = 1.6 if pose.mouth == "sad" else 0  # brows that rise at the nose
    return "".join(
        path(oval(3.7 * k + t, 1.2 + n, 1.05 - 0.1 * abs(pose.turn), 1.5), INK)
        + path(oval(3.7 * k + t - 0.35, 0.7 + n, 0.42), "#fff")
        + stroke(f"M{2.3 * k + t:.2f} {-2.2 + n - inner * 0.6:.2f}q{1.5 * k}-1.1 {2.9 * k} {0.5 + inner}", brow, 0.65)
        for k in (-1, 1)
    )


def _mouth(look: Look, pose: Pose, t: float, n: float) -> str:
    lip = mix(look.skin, "#B3283C", 0.55)
    if int(look.skin[1:3], 16) < 0x98:
        lip = mix(lip, "#FF9C94", 0.35)  # keep mouths readable on dark skin
    if "beard" in look.extra:
        chin = f"M-9.2 1C-9 8-5 12.6 0 12.6S9 8 9.2 1Q7 5 {t + 4:.2f} 4.8Q{t:.2f} 4 {t - 4:.2f} 4.8Q-7 5-9.2 1z"
        return form(chin, look.hair, 1.4) + stroke(f"M{t - 2:.2f} {7 + n:.2f}q2 1.7 4 0", light(look.skin, 0.3), 0.9)
    tash = ""
    if "moustache" in look.extra:
        tash = form(
            f"M{t:.2f} {4.6 + n:.2f}q3.4-.6 4.6 1.8q-2.6.9-4.6-.1q-2 1-4.6.1q1.2-2.4 4.6-1.8z",
            look.hair,
            0.4,
        )
    if pose.mouth == "laugh":
        d = f"M{t - 3:.2f} {5.5 + n:.2f}q3 .9 6 0q-.4 3.7-3 3.7t-3-3.7z"
        teeth = path(box(t - 3, 5 + n, 6, 1.7), "#fff") + path(oval(t, 9.3 + n, 1.7, 1.1), "#E8788A")
        return (
            form(d, "#8C2F39", 0, 0, teeth)
            + stroke(f"M{t - 3:.2f} {5.5 + n:.2f}q3 .9 6 0", dark(lip, 0.3), 0.55)
            + tash
        )
    if pose.mouth == "o":
        return path(oval(t, 7 + n, 1.1, 1.4), dark(lip, 0.45)) + tash
    curve = {"smile": (2.4, 6.0, 2.3), "calm": (1.7, 6.6, 0.7), "sad": (2.0, 7.6, -1.9)}[pose.mouth]
    half, y, sag = curve
    return stroke(f"M{t - half:.2f} {y + n:.2f}q{half} {sag} {2 * half} 0", dark(lip, 0.25), 0.85) + tash


def _back_hair(look: Look, t: float) -> str:
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
    if look.style == "bun":
        return form(oval(-t * 0.8, -11.5, 5), hair, 1.2)
    if look.style == "curls":
        angles = (math.radians(d) for d in range(140, 405, 26))
        return "".join(
            form(oval(12 * math.cos(a), -2.5 + 11.5 * math.sin(a), 4.6), dark(hair, 0.12), 0.8) for a in angles
        )
    return ""


def _fringe(look: Look, t: float) -> str:
    hair = look.hair
    if look.style == "bald":
        return "".join(
            form(f"M{9.8 * k}-3C{11 * k} 0 {10.4 * k} 3 {9.4 * k} 4Q{8.6 * k} 0 {8.8 * k}-4z", hair, 0.5)
            for k in (-1, 1)
        )
    if look.style == "curls":
        angles = (math.radians(d) for d in range(180, 361, 20))
        return "".join(form(oval(9.4 * math.cos(a), -5.6 + 6.2 * math.sin(a), 2.9), hair, 0.9) for a in angles)
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


def _worn(look: Look, t: float, n: float) -> str:
    out = ""
    if "glasses" in look.extra:
        rims = "".join(oval(3.7 * k + t, 1.2 + n, 2.7) for k in (-1, 1)) + f"M{t - 1:.2f} {0.9 + n:.2f}q1-.8 2 0"
        out += stroke(rims, dark(look.top, 0.5), 0.6)
    if "goggles" in look.extra:
        strap = stroke(f"M-9.3 {-6.5 + n:.2f}Q{t:.2f} {-8.5 + n:.2f} 9.3 {-6.5 + n:.2f}", "#4B5368", 1.6)
        lenses = "".join(form(oval(3.4 * k + t, -7.2 + n, 3.1, 2.5), "#BFE2EC", 0.7) for k in (-1, 1))
        rims = stroke("".join(oval(3.4 * k + t, -7.2 + n, 3.1, 2.5) for k in (-1, 1)), "#E08A3C", 0.8)
        out += strap + lenses + rims
    return out


def _scarf(cloth: str) -> str:
    return form("M-10.4 2C-12 12-11 17 0 18.5S12 12 10.4 2z", dark(cloth, 0.08), 1.6)  # the drape over the neck


def _from_behind(look: Look) -> str:
    """The back of a head: skin only at ears and nape."""
    hair = look.hair
    ears = "".join(form(oval(9.3 * k, 1.6, 1.6, 2.4), look.skin, 0.5) for k in (-1, 1))
    nape = form(FACE, look.skin, 1.5)
    if look.style == "bald":
        fluff = clipped(FACE, form("M-10-1Q0 3 10-1V6Q0 11-10 6z", hair, 1.2))
        return ears + nape + fluff
    ends = {
        "bob": 11.5,
        "long": 22,
        "short": 6.5,
        "crop": 5.5,
        "bun": 6,
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
    shine = stroke("M-6-7.5C-3-10.5 2-10.8 5-9", light(hair, 0.22), 0.9)
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
    if look.style == "pigtails":
        out += "".join(
            form(f"M{8 * k} 2C{14 * k} 2 {15 * k} 8 {13 * k} 16C{9 * k} 16 {7 * k} 9 {8 * k} 2z", dark(hair, 0.1), 1)
            + path(oval(8.4 * k, 3, 1.5), look.top)
            for k in (-1, 1)
        )
    return out
