"""Heads: face and what is worn on it, drawn around (0, 0) in units of a tenth of the head's radius."""

from __future__ import annotations

from studio.drawing.hair import FACE, back_hair, drape, fringe_over, from_behind
from studio.drawing.hats import hat
from studio.drawing.kit import INK, box, dark, form, light, mix, oval, path, stroke
from studio.drawing.poses import Look, Pose
from studio.drawing.profiles import brow_colour, lip_colour, profile

JAW = {
    "child": FACE,
    "female": "M-9-1.4C-9.4-12 9.4-12 9-1.4C9 5 4.8 11.2 0 11.2S-9 5-9-1.4z",
    "male": "M-9.2-1.4C-9.4-12 9.4-12 9.2-1.4C9.4 4.6 8 9.4 4.4 10.8Q0 12-4.4 10.8C-8 9.4-9.4 4.6-9.2-1.4z",
}


def head(look: Look, pose: Pose) -> tuple[str, str]:
    """What hangs behind the body, and the head itself. Radius 10: scale to taste."""
    if pose.back:
        return "", from_behind(look) + hat(look, 0, back=True)
    if abs(pose.turn) >= 1:
        return profile(look, pose)
    t, n = pose.turn * 4, pose.nod * 2.6 + (0.7 if not look.adult else 0)
    blush = "".join(
        path(oval(5.6 * k + t * 0.9, 4.4 + n, 1.9, 1.3), mix(look.skin, "#E8574A", 0.5), extra='opacity=".5"')
        for k in (-1, 1)
    )
    jaw = JAW[(look.sex or "child") if look.adult else "child"]
    face = form(jaw, look.skin, 1.5, 0, blush + _marks(look, t, n))
    nose = stroke(f"M{t * 1.15 - 0.5:.2f} {3.5 + n:.2f}q{0.9 + t * 0.15:.2f} 1.1 1.5 0", dark(look.skin, 0.34), 0.75)
    around = drape(look.hair) if look.style == "scarf" else _ears(look, pose, t, n)
    front = around + face + _eyes(look, pose, t, n) + nose + mouth(look, pose, t, n)
    skew = pose.turn * 3.2  # hair and hat turn less than the features
    return back_hair(look, skew), front + fringe_over(look, skew) + _worn(look, t, n) + hat(look, skew)


def _marks(look: Look, t: float, n: float) -> str:
    """Freckles and wrinkles."""
    out, line = "", dark(look.skin, 0.2)
    if "freckles" in look.extra:
        spots = ((4.6, 3.2), (6, 3.7), (5.2, 4.6), (6.8, 4.8))
        out += "".join(path(oval(k * x + t, y + n, 0.34), dark(look.skin, 0.34)) for k in (-1, 1) for x, y in spots)
    if look.age == "old":
        out += stroke("".join(f"M{3.4 * k + t:.2f} {5.2 + n:.2f}q{1.1 * k} 1 {1 * k} 2.4" for k in (-1, 1)), line, 0.5)
        out += stroke(
            "".join(f"M{2.6 * k + t:.2f} {3.5 + n:.2f}q{1.3 * k} .9 {2.4 * k} .2" for k in (-1, 1)), line, 0.45
        )
    return out


def _ears(look: Look, pose: Pose, t: float, n: float) -> str:
    out = ""
    for k in (-1, 1):
        if k * pose.turn < 0.6:
            x, y = 9.2 * k - t * 0.5, 1.6 + n * 0.3
            out += form(oval(x, y, 1.9, 2.5), look.skin, 0.5) + path(oval(x + 0.1, y, 0.9, 1.3), dark(look.skin, 0.16))
            out += path(oval(x, y + 3.2, 0.9), "#F4C152") if "earrings" in look.extra else ""
    return out


def eye(look: Look, pose: Pose, k: float) -> str:
    """One eye with its brow around (0, 0); `k` is 1 where the nose is to the left."""
    kind = pose.eyes
    if kind == "open" and pose.mouth in ("asleep",):
        kind = "shut"
    lash = look.sex == "female"
    if kind == "down":  # half closed, so that a reader does not seem asleep
        out = path("M-1.15 .1a1.15 1.5 0 0 0 2.3 0z", INK) + stroke(
            f"M{-1.7 * k} .3q{1.7 * k}-.9 {3.4 * k} 0", INK, 0.6
        )
    elif kind == "shut":
        out = stroke(f"M{-1.5 * k} {0.2}q{1.5 * k} 1.3 {3 * k} 0", INK, 0.7)
        out += stroke(f"M{1.3 * k} .6l{0.8 * k} .6", INK, 0.5) if lash else ""
    elif kind == "happy":
        out = stroke(f"M{-1.5 * k} .8q{1.5 * k}-2.2 {3 * k} 0", INK, 0.8)
    else:
        big = 1.25 if kind == "wide" else 1
        out = ""
        if kind == "wide":
            out = path(oval(0, 0, 2.1, 2.4), "#FFFDF6")
        out += path(oval(0, 0, (1.05 - 0.1 * abs(pose.turn)) * big, 1.5 * big), INK) + path(
            oval(-0.35 + 0.5 * pose.turn, -0.5, 0.42), "#fff"
        )
        out += stroke(f"M{0.5 * k} -1.2q{0.9 * k} .1 {1.5 * k} -.5", INK, 0.5) if lash else ""
    inner = {"sad": -1.0, "worry": -1.1, "o": 0, "angry": 1.5, "focus": 0.4}.get(pose.mouth, 0)  # down at the nose
    outer = {"sad": 1.0, "worry": 0.9, "angry": -0.5}.get(pose.mouth, 0.5)
    rise = -1.0 if kind == "wide" else (0.4 if pose.mouth == "angry" else 0)
    brow = (
        f"M{-1.5 * k} {-3.4 + inner + rise:.2f}Q{0.1 * k:.2f} {-4.5 + rise + inner * 0.4:.2f}"
        f" {1.5 * k} {-2.9 + rise + outer * 0.3 - inner * 0.3:.2f}"
    )
    return out + stroke(brow, brow_colour(look), 0.65 if lash else 0.8)


def _eye_x(k: int, t: float) -> float:
    """How far right an eye lies: the one that is turned away comes nearer to the nose."""
    return 3.7 * k + t - (0.24 * t if k * t > 0 else 0)


def _eyes(look: Look, pose: Pose, t: float, n: float) -> str:
    return "".join(
        f'<g transform="translate({_eye_x(k, t):.2f},{1.2 + n:.2f})">{eye(look, pose, k)}</g>' for k in (-1, 1)
    )


def mouth(look: Look, pose: Pose, t: float, n: float) -> str:
    """The mouth with beard and moustache, its middle `t` to the right and `n` down."""
    lip, beard, tash = lip_colour(look), "", ""
    if "mask" in look.extra:
        return ""
    if "beard" in look.extra:
        chin = f"M-9.2 1C-9 8-5 12.8 0 12.8S9 8 9.2 1Q7 5 {t + 4:.2f} 4.8Q{t:.2f} 4 {t - 4:.2f} 4.8Q-7 5-9.2 1z"
        beard = form(chin, look.hair, 1.4)
        lip = mix("#E8A79A", look.skin, 0.3)
    if "moustache" in look.extra:
        tash = form(
            f"M{t:.2f} {4.6 + n:.2f}q3.4-.6 4.6 1.8q-2.6.9-4.6-.1q-2 1-4.6.1q1.2-2.4 4.6-1.8z",
            look.hair,
            0.4,
        )
    if pose.mouth == "laugh":
        d = f"M{t - 3.1:.2f} {5.6 + n:.2f}q3.1 1 6.2 0q-.2 4-3.1 4t-3.1-4z"
        teeth = path(f"M{t - 3.1:.2f} {5.4 + n:.2f}q3.1 1 6.2 0v1q-3.1 1-6.2 0z", "#fff")
        return beard + form(d, "#A23B45", 0, 0, path(oval(t, 9.6 + n, 1.9, 1.5), "#E8788A") + teeth) + tash
    if pose.mouth == "grin":
        d = f"M{t - 2.8:.2f} {5.8 + n:.2f}q2.8 .8 5.6 0q-.6 2.2-2.8 2.2t-2.8-2.2z"
        return beard + path(d, "#fff", dark(lip, 0.3), 0.5) + tash
    if pose.mouth in ("o", "asleep"):
        small = 1.1 if pose.mouth == "o" else 0.7
        return beard + path(oval(t, 7 + n, small, small * 1.3), dark(lip, 0.45)) + tash
    half, y, sag = {
        "smile": (2.6, 6.0, 2.9), "calm": (1.7, 6.6, 0.7), "sad": (2.0, 7.6, -1.9), "worry": (1.6, 7.4, -1.1),
        "angry": (2.0, 7.4, -1.5), "focus": (1.2, 6.8, -0.1),
    }[pose.mouth]  # fmt: skip
    line = light(lip, 0.1) if beard else dark(lip, 0.12)
    return beard + stroke(f"M{t - half:.2f} {y + n:.2f}q{half} {sag} {2 * half} 0", line, 0.85) + tash


def _worn(look: Look, t: float, n: float) -> str:
    out = ""
    if "glasses" in look.extra:
        rims = "".join(oval(_eye_x(k, t), 1.2 + n, 2.7) for k in (-1, 1)) + f"M{t - 1:.2f} {0.9 + n:.2f}q1-.8 2 0"
        out += stroke(rims, dark(look.top, 0.5), 0.6)
    if "goggles" in look.extra:
        strap = stroke(f"M-9.3 {-6.5 + n:.2f}Q{t:.2f} {-8.5 + n:.2f} 9.3 {-6.5 + n:.2f}", "#4B5368", 1.6)
        lenses = "".join(form(oval(3.4 * k + t, -7.2 + n, 3.1, 2.5), "#BFE2EC", 0.7) for k in (-1, 1))
        rims = stroke("".join(oval(3.4 * k + t, -7.2 + n, 3.1, 2.5) for k in (-1, 1)), "#E08A3C", 0.8)
        out += strap + lenses + rims
    if "sunglasses" in look.extra:
        lenses = "".join(box(_eye_x(k, t) - 2.8, -0.6 + n, 5.6, 4, 1.6) for k in (-1, 1))
        out += path(lenses, INK) + stroke(
            f"M{t - 1:.2f} {0.4 + n:.2f}h2M{t - 5.4:.2f} {0.4 + n:.2f}l1.2 1.2", "#8C93A6", 0.6
        )
    if "eyepatch" in look.extra:
        out += stroke(f"M-9.4 -2.6L9.2 {-6 + n:.2f}", INK, 0.9) + path(oval(t + 3.7, 0.9 + n, 2.9, 2.6), INK)
    if "mask" in look.extra:
        cloth = (
            f"M-8.8 3.4Q{t:.2f} 1.4 8.8 3.4Q8.6 8.6 {t + 3:.2f} 11.4Q{t:.2f} 12.4 {t - 3:.2f} 11.4Q-8.6 8.6-8.8 3.4z"
        )
        pleats = stroke(f"M{t - 5:.2f} 6q5 .9 10 0M{t - 4.6:.2f} 8.2q4.6 .9 9.2 0", "#9CC4CE", 0.5)
        out += form(cloth, "#CFE7EA", 0.9, 0, pleats)
    if "headphones" in look.extra:
        out += stroke("M-10.4 1C-12.4-17 12.4-17 10.4 1", "#4B5368", 1.8)
        out += "".join(form(box(10.2 * k - 1.8, -1.4, 3.6, 6.4, 1.7), look.accent, 0.7) for k in (-1, 1))
    return out
