"""Printed things that speak against a harm, and the same things without their mark: posters, hoardings, banners.

Their pictures are drawn in a field of 100 x 100 (see motifs and emblems).
"""

from __future__ import annotations

from dataclasses import replace

from studio.drawing.kit import (
    CREAM,
    LEAF,
    NAVY,
    RED,
    STEEL,
    TEXT,
    WHITE,
    Prop,
    ban,
    box,
    clipped,
    cross,
    dark,
    form,
    lettering,
    light,
    path,
    poly,
    put,
    shadow,
    stroke,
    veil,
)


def _marked(mark: str, cx: float, cy: float, side: float) -> str:
    """The mark over a picture: ban, cross or nothing."""
    if mark == "ban":
        return ban(cx, cy, side * 0.44)
    k = side * 0.4
    return cross(cx - k, cy - k, 2 * k, 2 * k, side * 0.046) if mark == "cross" else ""


def printed(
    art: str, lines: tuple[str, ...], x: float, y: float, w: float, h: float, *, ground: str, colour: str, mark: str
) -> str:
    """A picture with its caption below, filling a box."""
    foot = (0.17, 0.36, 0.46)[min(len(lines), 3) - 1] * min(w, h)
    side = min(w, h - foot)
    cx, cy, step = x + w / 2, y + (h - foot) / 2, foot / len(lines)
    field = path(box(x, y, w, h - foot), ground) + put(cx - side / 2, cy - side / 2, art, side / 100)
    words = "".join(
        lettering(t, cx, y + h - foot + step * (i + 0.79), step * 0.62, colour, w * 0.9) for i, t in enumerate(lines)
    )
    caption = path(box(x, y + h - foot, w, foot), CREAM) + words
    return clipped(box(x, y, w, h), field + _marked(mark, cx, cy, side) + caption)


def poster(
    name: str,
    art: str,
    lines: tuple[str, ...],
    *,
    w: float = 90,
    h: float = 120,
    ground: str = "#CFE3E2",
    colour: str = NAVY,
    mark: str = "",
    frame: str = "#6B5A5E",
) -> Prop:
    """A framed poster for a wall, its words below the picture."""
    body = veil(box(2.5, 3, w - 2.5, h - 3, 2), "#3A2A5C", 0.25) + form(box(0, 0, w - 3, h - 3, 2), frame, 2, 0.8)
    body += printed(art, lines, 4, 4, w - 11, h - 11, ground=ground, colour=colour, mark=mark)
    return Prop(name, w, h, body, shows=frozenset({TEXT}))


def _stamp(words: str, w: float, h: float) -> str:
    """A red rubber stamp about (0, 0) for a poster of `w` x `h`."""
    edge = box(-w * 0.36, -h * 0.075, w * 0.72, h * 0.15, 3)
    return (
        path(edge, CREAM, extra='opacity=".9"')
        + stroke(edge, RED, 3.4)
        + lettering(words, 0, h * 0.042, h * 0.084, RED, w * 0.64)
    )


def stamped(whole: Prop, words: str) -> Prop:
    """A poster with a red stamp between its picture and its words, in the same box."""
    stamp = put(whole.w * 0.48, whole.h * 0.575, _stamp(words, whole.w, whole.h), 1, -7)
    return replace(whole, name=f"{whole.name}, stamped {words}", body=whole.body + stamp)


def torn(whole: Prop, words: str) -> Prop:
    """A poster ripped across, its lower half askew, with a red stamp over it; in the same box."""
    w, h = whole.w, whole.h
    ragged = (0.0, 0.02, 0.012, 0.034, 0.02, 0.046, 0.052, 0.036, 0.06, 0.054, 0.08, 0.066, 0.074, 0.1)
    rip = [(w * i / 13, h * (0.5 + dy)) for i, dy in enumerate(ragged)]
    upper = clipped(poly((0, 0), (w, 0), *rip[::-1]), whole.body)
    lower = clipped(poly((0, h), (w, h), *rip[::-1]), whole.body)
    edge = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in rip)
    halves = upper + stroke(edge, WHITE, 2) + put(w * 0.05, h * 0.11, lower + stroke(edge, WHITE, 2), 1, -5)
    body = put(w * 0.03, 0, halves, 0.9) + put(w * 0.6, h * 0.125, _stamp(words, w, h), 1, 8)
    return replace(whole, name=f"{whole.name}, torn and stamped {words}", body=body)


def _beside(lines: tuple[str, ...], second: str, x: float, y: float, w: float, side: float, colour: str) -> str:
    """What stands to the right of a picture: lines of words, a second picture, or that above the words."""
    size = side * (0.56 if lines else 1) if second else 0
    step = (side - size) / max(len(lines), 1)
    above = put(x + (w - size) / 2, y, second, size / 100) if second else ""
    return above + "".join(
        lettering(
            t, x + w / 2, y + size + step * (i + 0.5) + min(step * 0.26, 17), min(step * 0.52, 34), colour, w * 0.88
        )
        for i, t in enumerate(lines)
    )


def hoarding(
    name: str,
    art: str,
    lines: tuple[str, ...] = (),
    second: str = "",
    *,
    w: float = 300,
    h: float = 300,
    ground: str = "#CFE3E2",
    colour: str = NAVY,
    mark: str = "",
) -> Prop:
    """A wide board on two posts: a picture on the left; words, or a second picture, on the right."""
    posts = "".join(form(box(x, h * 0.5, 14, h * 0.5 - 4, 2), "#6B5A5E", 4) for x in (w * 0.2, w * 0.76))
    top = h * 0.62
    side = top - 16
    board = form(box(0, 0, w, top, 4), "#6B5A5E", 4, 1.6) + path(box(7, 7, w - 14, top - 14, 2), CREAM)
    picture = clipped(box(8, 8, side, side), put(8, 8, path(box(-20, -20, 160, 160), ground) + art, side / 100))
    picture += _marked(mark, 8 + side / 2, 8 + side / 2, side)
    body = shadow(w / 2, h - 3, w * 0.4, 7, 0.7) + posts + board + picture
    body += _beside(lines, second, 8 + side, 8, w - side - 16, side, colour)
    return Prop(name, w, h, body, shows=frozenset({TEXT} if lines else ()))


def banner(
    name: str,
    art: str,
    lines: tuple[str, ...] = (),
    second: str = "",
    *,
    w: float = 260,
    h: float = 90,
    ground: str = "#CFE3E2",
    colour: str = NAVY,
    mark: str = "",
) -> Prop:
    """A cloth banner with eyelets: a picture at the left; words, or a second picture, beside it."""
    side = h - 10
    fold = stroke(f"M{w * 0.62:.0f} 0q6 {h * 0.5:.0f} -4 {h}", dark(WHITE, 0.06), 5)
    cloth = form(box(0, 0, w, h, 2), WHITE, 3, 0, fold)
    picture = clipped(box(5, 5, side, side, 3), put(5, 5, path(box(-5, -5, 110, 110), ground) + art, side / 100))
    eyelets = "".join(path(box(px - 1.6, py - 1.6, 3.2, 3.2, 1.6), STEEL) for px in (4.0, w - 4) for py in (4.0, h - 4))
    body = cloth + picture + _marked(mark, 5 + side / 2, 5 + side / 2, side)
    body += _beside(lines, second, 8 + side, 5, w - side - 14, side, colour) + eyelets
    return Prop(name, w, h, body, shows=frozenset({TEXT} if lines else ()))


def thumb(up: bool) -> str:
    """A big hand, green with its thumb up or red with its thumb down, in 100 x 100."""
    colour = dark(LEAF, 0.1) if up else RED
    art = form(box(4, 46, 18, 44, 3), dark(colour, 0.35), 3)
    art += form(
        "M24 50L42 44Q48 30 48 14Q49 4 57 6Q66 9 65 24L62 42H84Q94 42 93 50Q94 60 88 84Q86 90 78 90H24z", colour, 5, 1.4
    )
    art += stroke("M70 54h22M69 66h21M68 78h19", dark(colour, 0.3), 2.4)
    return art if up else f'<g transform="translate(0,{100}) scale(1,-1)">{art}</g>'


def hand(skin: str, x: float, y: float, angle: float = 0, k: float = 1.0, *, glove: bool = False) -> str:
    """A large fist that comes from the left and grips something at its right end, for posters; about 40 wide."""
    line = dark(skin, 0.3)
    art = form("M-46-9H-14L-8-14Q8-18 14-12V12Q4 20-8 15L-14 10H-46z", skin, 3)
    art += "".join(form(box(2, -13 + 7.2 * i, 17, 7, 3.4), skin if i % 2 else light(skin, 0.06), 1.2) for i in range(4))
    art += stroke("M-8-14Q0-22 10-16", light(skin, 0.06), 6) + stroke("M2-5.6h14M2 1.6h14M2 8.8h14", line, 0.9)
    cuff = form(box(-52, -13, 18, 26, 3), NAVY if glove else "#4B5368", 3)
    return put(x, y, art + cuff, k, angle)
