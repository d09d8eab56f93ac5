"""Heads seen from the side. Shapes are written for a face that looks right, as absolute "x,y" pairs, and mirrored."""

from __future__ import annotations

import math
import re

from studio.drawing.hats import hat
from studio.drawing.kit import INK, dark, form, light, mix, oval, path, stroke
from studio.drawing.poses import Look, Pose

SKULL = (
    "M-4.5,9.5 C-9.6,7 -10.8,-1 -9.4,-5.6 C-7,-12.4 4,-12.8 7.6,-7.2 C8.8,-5 8.9,-2.6 8.7,-0.4 "
    "C9,0.8 10,1.4 10.3,2.2 C10.6,3.3 9.6,3.9 8.7,4 C9.1,4.7 9.2,5.4 8.8,6 C9,6.6 8.8,7.2 8.4,7.6 "
    "C8.5,9.8 6.6,11.2 4.2,10.9 C1.4,10.6 -1,9.8 -2.4,11.6 Z"
)
HAIR = {
    "short": "M7.8,-6 C8.2,-12.6 0,-14.6 -5,-12 C-12,-9 -12,1 -8.8,6.4 C-6.8,6.8 -5.4,5 -4.6,3 C-4.6,0 -2.8,-1 -1,-1.4 "
    "C0.6,-3.6 4.4,-5.4 7.8,-6 Z",
    "crop": "M7.2,-7.2 C6.6,-12 0,-13.4 -5,-11.4 C-11.4,-8.6 -11.2,1 -8.6,5.4 C-6.8,5.6 -5.2,4.4 -4.6,2.6 "
    "C-4.4,-1 -2,-2.4 0.4,-3.2 C2.6,-6 5,-7 7.2,-7.2 Z",
    "quiff": "M8.6,-6.4 C12,-10 9,-16.4 2,-15.4 C-2,-15.8 -5,-13 -6,-12 C-12,-8 -11.4,1 -8.6,5.6 C-6.8,5.8 -5.2,4.4 "
    "-4.6,2.6 C-4.4,-1 -2,-2.4 0.4,-3.2 C3,-5 6,-6 8.6,-6.4 Z",
    "afro": "M7.8,-6 C11,-17 -4,-20 -11,-14 C-19,-7 -18,8 -9,9.6 C-6,9 -5,5 -4.6,3 C-4.6,0 -2.8,-1 -1,-1.4 "
    "C0.6,-3.6 4.4,-5.4 7.8,-6 Z",
    "bob": "M7.6,-6.6 C7.6,-12.6 0,-14.6 -5,-12.4 C-12.6,-9 -13,4 -11,11.4 C-7,13.6 -1,13 0.6,11.4 C1.8,6 1.2,1 2.4,-2 "
    "C4,-4.6 6,-6 7.6,-6.6 Z",
    "long": "M7.6,-6.6 C7.6,-12.6 0,-14.6 -5,-12.4 C-12.6,-9 -14,8 -12.6,22 C-9,24.6 -2.6,24 -1,21 C1,13 0.6,2 2,-2 "
    "C4,-4.6 6,-6 7.6,-6.6 Z",
}


def brow_colour(look: Look) -> str:
    return INK if look.style in ("scarf", "bald", "cap") else mix(look.hair, INK, 0.3)


def lip_colour(look: Look) -> str:
    lip = mix(look.skin, "#B3283C", 0.55)
    if int(look.skin[1:3], 16) < 0x98:
        lip = mix(lip, "#FF9C94", 0.35)  # keep mouths readable on dark skin
    return lip


def facing(d: str, k: float) -> str:
    """The path `d`, which looks right, for k = 1; mirrored for k = -1."""
    return re.sub(r"(-?[\d.]+),(-?[\d.]+)", lambda m: f"{float(m[1]) * k:.2f} {m[2]}", d)


def profile(look: Look, pose: Pose) -> tuple[str, str]:
    """What hangs behind the body, and the head in profile."""
    k = math.copysign(1, pose.turn)
    n = pose.nod * 1.4 + (0.5 if not look.adult else 0)
    skin = look.skin
    blush = path(oval(4.4 * k, 5 + n, 2, 1.4), mix(skin, "#E8574A", 0.5), extra='opacity=".5"')
    ear = form(oval(-2.4 * k, 2.2, 1.9, 2.7), skin, 0.5) + path(oval(-2.3 * k, 2.2, 0.9, 1.4), dark(skin, 0.16))
    if "earrings" in look.extra:
        ear += path(oval(-2.4 * k, 5.6, 0.9), "#F4C152")
    out = form(facing(SKULL, k), skin, 1.3, 0, blush) + _eye(look, pose, k, n, brow_colour(look))
    out += _mouth(look, pose, k, n, lip_colour(look))
    behind, over = _hair(look, k)
    if look.style in ("bob", "long", "scarf"):
        ear = ""
    return behind, out + over + ear + _worn(look, k, n) + hat(look, 3.2 * k, side=k)


def _eye(look: Look, pose: Pose, k: float, n: float, brow: str) -> str:
    x, y = 5 * k, 1.1 + n
    if pose.eyes == "down" and pose.mouth != "asleep":
        out = path(f"M{x - 0.9:.2f} {y + 0.1:.2f}a.9 1.4 0 0 0 1.8 0z", INK)
        out += stroke(f"M{x - 1.3 * k:.2f} {y + 0.3:.2f}q{1.2 * k:.2f}-.9 {2.5 * k:.2f}-.1", INK, 0.6)
    elif pose.eyes == "shut" or pose.mouth == "asleep":
        out = stroke(f"M{x - 1.2 * k:.2f} {y:.2f}q{1.3 * k:.2f} 1.2 {2.6 * k:.2f} .1", INK, 0.7)
    elif pose.eyes == "happy":
        out = stroke(f"M{x - 1.2 * k:.2f} {y + 0.5:.2f}q{1.3 * k:.2f}-2 {2.6 * k:.2f} 0", INK, 0.8)
    else:
        out = path(oval(x, y, 0.95, 1.5), INK) + path(oval(x + 0.25 * k, y - 0.5, 0.4), "#fff")
        if look.sex == "female":
            out += stroke(f"M{x + 0.5 * k:.2f} {y - 1.1:.2f}q{0.7 * k:.2f} .1 {1.2 * k:.2f}-.5", INK, 0.5)
    slant = {"angry": 1.3, "focus": 0.2, "sad": -1.1, "worry": -1.1}.get(pose.mouth, 0)
    ends = f"{2.9 * k:.2f} {slant + (0.4 if slant else 0):.2f}"
    thin = 0.6 if look.sex == "female" else 0.75
    return out + stroke(f"M{x - 1.3 * k:.2f} {y - 3.5:.2f}q{1.4 * k:.2f} {slant * 0.5 - 1.5:.2f} {ends}", brow, thin)


def _mouth(look: Look, pose: Pose, k: float, n: float, lip: str) -> str:
    out = ""
    if "mask" in look.extra:
        return form(
            facing("M9.6,3.4 C11,6 10.6,9 8.6,11 C5,12.4 2,11 0.6,9 L-1.6,3 C2,3.6 6,2 9.6,3.4 Z", k), "#CFE7EA", 0.8
        )
    if "beard" in look.extra:
        out += form(facing("M8.8,5.6 C9.8,9 9,13 5,13 C0,13 -3.4,8 -3,0.6 C-1,4.6 3,4.6 8.8,5.6 Z", k), look.hair, 1)
    if "moustache" in look.extra or "beard" in look.extra:
        out += form(facing("M9.4,4.6 C9.8,5.8 7,6.6 4.8,6.2 C6,4.8 8,4.2 9.4,4.6 Z", k), look.hair, 0.3)
    y = 6.3
    if pose.mouth in ("laugh", "grin"):
        d = facing("M8.6,5.9 C7.2,6.4 5.8,6.2 4.5,5.2 C4.4,8 6,9.4 8.2,8.6 C8.7,7.8 8.4,6.8 8.6,5.9 Z", k)
        teeth = path(facing("M9,5.6 C7.2,6.4 5.8,6.2 4.4,5 L4.4,6 C5.8,7.2 7.2,7.2 9,6.8 Z", k), "#fff")
        return out + form(d, "#A23B45", 0, 0, path(oval(6.6 * k, 9, 1.6, 1), "#E8788A") + teeth)
    if pose.mouth in ("o", "asleep"):
        return out + path(oval(8.2 * k, 7 + n * 0, 0.9, 1.2), dark(lip, 0.45))
    sag = {"smile": -1.3, "calm": -0.5, "focus": 0, "sad": 1.1, "worry": 0.7, "angry": 0.9}[pose.mouth]
    deep, back = (1.5, 4.7) if pose.mouth == "smile" else (0.6, 5.9)
    line = f"M{8.6 * k:.2f} {y:.2f}Q{7 * k:.2f} {y + deep:.2f} {back * k:.2f} {y + sag:.2f}"
    return out + stroke(line, light(lip, 0.1) if "beard" in look.extra else dark(lip, 0.12), 0.85)


def _hair(look: Look, k: float) -> tuple[str, str]:
    """What hangs behind the body, and what lies over the head."""
    hair, style = look.hair, look.style
    if style == "bald":
        return "", form(facing("M-4.6,3 C-4.4,0 -6,-2 -9.6,-2 C-10.4,2 -9.4,5 -8,7 C-6,7 -5,5 -4.6,3 Z", k), hair, 0.6)
    if style == "fluff":
        return "", stroke(f"M{2 * k}-9.8q{1.6 * k}-3 {3 * k}-1.6M{-1 * k}-10.2q{k}-3.4 {2.6 * k}-2.6", hair, 1.5)
    if style == "curls":
        back = "".join(
            form(oval((-2.4 + 10 * math.cos(a)) * k, -3 + 10 * math.sin(a), 4.4), hair, 0.9)
            for a in (math.radians(d) for d in range(95, 316, 22))
        )
        fill = path(facing("M6.6,-7 C0,-7 -1,-2 -4.4,3 L-9.6,6 L-11.4,-6 L-4,-13 L4,-12 Z", k), hair)
        return "", back + fill
    if style == "scarf":
        cloth = (
            "M8.4,-5 C8,-13.6 -2,-15 -7,-11.6 C-13,-7.4 -12.6,6 -11.4,13 C-6,18 4,18.6 6.4,15"
            " C6,12 4.4,11.4 3.6,10.8 C0,8 -0.6,0 3,-4 C5,-5.6 7,-5.6 8.4,-5 Z"
        )
        return "", form(facing(cloth, k), hair, 1.4)
    if style == "cap":
        dome = form(
            facing("M8,-4.6 C8,-12 2,-14 -2,-13.8 C-8,-13.4 -11,-9 -10.2,-2.6 C-4,-4.4 3,-5 8,-4.6 Z", k), hair, 1.3
        )
        peak = form(facing("M7,-5.8 C10,-6.4 14.6,-5 15.4,-3.4 C12,-3.6 9,-3.8 6.6,-3.8 Z", k), dark(hair, 0.15), 0.5)
        return "", dome + peak
    base = HAIR.get(style, HAIR["crop" if style == "bun" else "short"])
    over = form(
        facing(base, k), hair, 1.3, 0, stroke(facing("M4.6,-9.4 C1,-12 -5,-11.4 -7.6,-7.6", k), light(hair, 0.22), 0.9)
    )
    behind = ""
    if style == "ponytail":
        behind = form(facing("M-8,-7 C-14,-10 -18,-4 -16,8 C-14,9 -12,2 -8,-2 Z", k), dark(hair, 0.1), 1)
        over += path(oval(-9.6 * k, -5, 1.5), look.top)
    elif style in ("pigtails", "braids"):
        tail = form(facing("M-6,5 C-11,6 -12,12 -9.6,18 C-6,18 -4,11 -4.6,6 Z", k), dark(hair, 0.08), 1)
        over += tail + path(oval(-5.4 * k, 5.4, 1.5), look.top)
    elif style == "bun":
        over = form(oval(-9.4 * k, -8.6, 4.8), hair, 1.1) + over
    return behind, over


def _worn(look: Look, k: float, n: float) -> str:
    out, x, y = "", 5.3 * k, 1.1 + n
    if "glasses" in look.extra:
        out += stroke(
            oval(x + 0.6 * k, y, 2.1, 2.6) + f"M{x - 1.6 * k:.2f} {y - 0.5:.2f}L{-2 * k:.2f} {y - 0.2:.2f}",
            dark(look.top, 0.5),
            0.6,
        )
    if "sunglasses" in look.extra:
        out += path(oval(x + 0.6 * k, y, 2.4, 2.2), INK) + stroke(
            f"M{x - 1.6 * k:.2f} {y - 0.5:.2f}L{-2 * k:.2f} {y - 0.2:.2f}", INK, 0.8
        )
    if "goggles" in look.extra:
        out += stroke(f"M{6 * k} -6.6Q{-2 * k}-8 {-9.6 * k} -4", "#4B5368", 1.6) + form(
            oval(6.4 * k, -6.6, 2.4, 2.5), "#BFE2EC", 0.6
        )
    if "eyepatch" in look.extra:
        out += stroke(f"M{8.4 * k} -3L{-9.6 * k} -5", INK, 0.9) + path(oval(x, y, 2.6, 2.5), INK)
    if "headphones" in look.extra:
        out += stroke(f"M{-2.4 * k} 1V-8Q{-2.4 * k}-13 {-1 * k}-13.6", "#4B5368", 1.8) + form(
            oval(-2.4 * k, 2.4, 3, 3.6), look.accent, 0.8
        )
    return out
