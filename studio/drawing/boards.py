"""Printed and shown things that carry any small picture and a few words: posters, signs, screens, shirts, books.

One call draws the negated one, the plain one and the harmless stand-in in the same box:

    printed("poster", "no-fireworks poster", rocket(), ("NO FIREWORKS",), mark="ban")
    printed("poster", "fireworks poster", rocket(), ("MORE FIREWORKS",))
    printed("poster", "concert poster", guitar(), ("CONCERT",), ink=NAVY)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from studio.drawing.kit import (
    CREAM,
    INK,
    RED,
    STEEL,
    TEXT,
    WHITE,
    WOOD,
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
    shadow,
    stroke,
)  # fmt: skip
from studio.drawing.negation import mark as overlay


@dataclass(frozen=True)
class Carrier:
    """A thing that is printed on: its size, the part for picture and words, and what is drawn under and over them."""

    w: float
    h: float
    x: float
    y: float
    pw: float
    ph: float
    under: str
    over: str = ""
    corner: float = 0.0


def printed(
    kind: str,
    name: str,
    art: Prop,
    words: tuple[str, ...] = (),
    *,
    mark: str = "",
    stamp: str = "",
    ink: str = RED,
    paper: str = CREAM,
    field: str = "#CFE7EA",
    size: float = 1.0,
    beside: bool | None = None,
) -> Prop:
    """A thing of one of the KINDS with a picture and up to four lines of words; `mark` negates the picture.

    Args:
        kind: poster, sign, billboard, city_light, a_board, banner, placard, flyer, book, magazine, newspaper, phone,
            tablet, monitor, television, slide, chalkboard, shirt, mug, sticker, box.
        name: What it is, for the trigger's label.
        art: Drawn as large as fits, standing on the ground of the field.
        words: Lines below the picture or beside it; of three or more the first stands on top.
        mark: A mark of `negation.MARKS`; '' for the plain thing.
        stamp: Words of the mark, for stamp and caption.
        ink: Colour of the words.
        paper: Colour of the sheet, shirt or mug itself.
        field: Colour behind the picture.
        beside: Words beside the picture; by default where the field is much wider than high.
        size: Factor for the whole thing.
    """
    c = KINDS[kind](paper)
    wide = c.pw > c.ph * 1.5 if beside is None else beside
    sheet = path(box(0, 0, c.pw, c.ph), paper)
    sheet += _beside(c, art, words, mark, stamp, ink, field) if wide else _above(c, art, words, mark, stamp, ink, field)
    body = c.under + put(c.x, c.y, clipped(box(0, 0, c.pw, c.ph, c.corner), sheet)) + c.over
    shows = art.shows | ({TEXT} if words or stamp else frozenset())
    anchors = {"middle": (c.w * size / 2, (c.y + c.ph / 2) * size), "foot": (c.w * size / 2, c.h * size)}
    return Prop(name, c.w * size, c.h * size, put(0, 0, body, size), anchors, shows, art.looks)


def _picture(art: Prop, w: float, h: float, mark: str, stamp: str, field: str) -> str:
    """The picture in a coloured field of that size, with its mark."""
    k = min(w * 0.88 / art.w, h * 0.9 / art.h)
    drawn = put((w - art.w * k) / 2, h * 0.96 - art.h * k, art.body, k)
    ground = path(box(0, h * 0.84, w, h * 0.16), dark(field, 0.1))
    return clipped(box(0, 0, w, h, min(w, h) * 0.03), path(box(0, 0, w, h), field) + ground + drawn) + overlay(
        mark, w, h, stamp
    )


def _above(c: Carrier, art: Prop, words: tuple[str, ...], mark: str, stamp: str, ink: str, field: str) -> str:
    """The picture with its words below; three or four lines put the first one on top."""
    m = min(c.pw, c.ph) * 0.06
    line = min(c.ph * 0.135, c.pw * 0.2)
    head, foot = (words[:1], words[1:]) if len(words) > 2 else ((), words)
    top, low = m + len(head) * line * 1.15, c.ph - m * 0.7 - len(foot) * line * 1.15
    high = low - top - (m * 0.3 if foot else 0)
    out = put(m, top, _picture(art, c.pw - 2 * m, high, mark, stamp, field))
    for i, text in enumerate(head):
        out += lettering(text, c.pw / 2, m * 0.7 + line * (i + 0.82), line * 0.72, ink, c.pw - 2 * m)
    for i, text in enumerate(foot):
        cap = line * (0.72 if i == 0 or len(foot) < 3 else 0.6)
        out += lettering(
            text, c.pw / 2, low + line * (1.15 * i + 0.95), cap, ink if i == 0 or text.isupper() else INK, c.pw - 2 * m
        )
    return out


def _beside(c: Carrier, art: Prop, words: tuple[str, ...], mark: str, stamp: str, ink: str, field: str) -> str:
    m = c.ph * 0.07
    side = min(c.ph - 2 * m, c.pw * 0.48)
    out = put(m, m, _picture(art, side, c.ph - 2 * m, mark, stamp, field))
    x, room = 2 * m + side, c.pw - side - 3 * m
    n = max(len(words), 1)
    step = min((c.ph - 2 * m) / n, c.ph * 0.32)
    y = (c.ph - step * n) / 2
    return out + "".join(
        lettering(text, x + room / 2, y + step * (i + 0.74), step * 0.56, ink, room) for i, text in enumerate(words)
    )


def _poster(paper: str) -> Carrier:
    under = path(box(2, 2.4, 60, 84), "#3A2A5C", extra='opacity=".22"') + path(box(0, 0, 60, 84), dark(paper, 0.12))
    pins = "".join(form(oval(x, y, 1.3), RED, 0.3) for x in (3.4, 56.6) for y in (3, 81))
    return Carrier(62, 87, 0.8, 0.8, 58.4, 82.4, under, pins)


def _frame(w: float, h: float, rim: float, colour: str) -> str:
    return form(box(0, 0, w, h, rim * 0.8), colour, rim * 0.4, rim * 0.2)


def _sign(paper: str) -> Carrier:
    pole = shadow(30, 209, 20, 3, 0.6) + form(box(27.5, 70, 5, 140, 1), STEEL, 1.4, 0.6)
    return Carrier(60, 210, 2.5, 2.5, 55, 75, pole + _frame(60, 80, 3, dark(paper, 0.5)), "", 2)


def _billboard(paper: str) -> Carrier:
    legs = shadow(210, 346, 190, 8, 0.6) + "".join(
        form(box(x, 180, 12, 168), dark(STEEL, 0.3), 3, 1) for x in (70, 338)
    )
    legs += stroke("M76 340L120 200M344 340L300 200", dark(STEEL, 0.4), 5)
    return Carrier(420, 350, 8, 8, 404, 184, legs + _frame(420, 200, 8, "#5A4A66"))


def _city_light(paper: str) -> Carrier:
    feet = shadow(75, 228, 74, 5, 0.8) + "".join(form(box(x, 212, 12, 18, 2), "#4B5368", 2) for x in (26, 112))
    glass = path(poly((9, 9), (50, 9), (9, 80)), "#fff", extra='opacity=".16"')
    return Carrier(150, 232, 9, 9, 132, 198, feet + _frame(150, 216, 6, "#3F5570"), glass)


def _a_board(paper: str) -> Carrier:
    legs = shadow(36, 109, 38, 3, 0.7) + form(poly((60, 6), (66, 6), (74, 109), (68, 109)), dark(WOOD, 0.35), 1)
    legs += form(poly((2, 4), (66, 4), (68, 110), (62, 110), (60, 100), (8, 100), (6, 110), (0, 110)), WOOD, 2.4, 1)
    return Carrier(76, 110, 6, 8, 56, 88, legs, "", 1)


def _banner(paper: str) -> Carrier:
    poles = "".join(shadow(x, 219, 9, 2, 0.6) + form(box(x - 2.5, 0, 5, 220, 2), WOOD, 1.4, 0.6) for x in (5, 295))
    return Carrier(300, 220, 8, 8, 284, 84, poles + path(box(8, 10, 284, 86), dark(paper, 0.3)), "", 2)


def _placard(paper: str) -> Carrier:
    return Carrier(
        60, 130, 1, 1, 58, 58, form(box(28, 50, 4, 80, 1), WOOD, 1.2, 0.5) + _frame(60, 60, 1.4, dark(paper, 0.3))
    )


def _flyer(paper: str) -> Carrier:
    return Carrier(21, 29.7, 0.3, 0.3, 20.4, 29.1, path(box(0.3, 0.3, 21, 29.6), "#3A2A5C", extra='opacity=".25"'))


def _book(paper: str) -> Carrier:
    pages = form(poly((1.4, 0.8), (20, 0.8), (20, 25.4), (1.4, 25.4)), CREAM, 0.6)
    return Carrier(
        20,
        26,
        1,
        0,
        17.6,
        24.6,
        pages + path(box(0, 0, 18.6, 24.8, 0.6), dark(paper, 0.3)),
        stroke("M1.6 .2v24.2", dark(paper, 0.3), 0.4),
        0.4,
    )


def _magazine(paper: str) -> Carrier:
    return Carrier(
        22, 28.5, 0.2, 0.2, 21.2, 27.8, form(poly((0.6, 0.6), (22, 0.9), (22, 28.5), (0.6, 28.5)), CREAM, 0.6)
    )


def _newspaper(paper: str) -> Carrier:
    lines = "".join(f"M{x} {y:.1f}h10" for x in (2, 14, 26) for y in (44 + 1.9 * i for i in range(5)))
    under = path(box(0.8, 0.8, 38, 54), "#3A2A5C", extra='opacity=".25"') + path(box(0, 0, 38, 54), paper)
    return Carrier(39, 55, 0.6, 0.6, 36.8, 41, under, stroke(lines, STEEL, 0.6))


def _phone(paper: str) -> Carrier:
    over = path(box(3.1, 0.35, 1.8, 0.36, 0.18), STEEL)
    return Carrier(8, 16.4, 0.45, 0.9, 7.1, 14.5, form(box(0, 0, 8, 16.4, 1.1), INK, 0.4, 0.15), over, 0.5)


def _tablet(paper: str) -> Carrier:
    return Carrier(18, 25, 1, 1.2, 16, 22.4, form(box(0, 0, 18, 25, 1.3), INK, 0.6, 0.2), "", 0.4)


def _screen(w: float, h: float, foot: float, rim: float) -> Carrier:
    stand = shadow(w / 2, h + foot - 0.6, w * 0.26, 1.6, 0.7) + form(
        box(w * 0.46, h - 1, w * 0.08, foot, 0.4), dark(STEEL, 0.3), 1
    )
    stand += form(box(w * 0.34, h + foot - 1.8, w * 0.32, 1.8, 0.8), dark(STEEL, 0.2), 0.5)
    return Carrier(
        w, h + foot, rim, rim, w - 2 * rim, h - 2 * rim, stand + form(box(0, 0, w, h, rim), INK, rim * 0.4, rim * 0.15)
    )


def _slide(paper: str) -> Carrier:
    case = form(box(-4, -6, 188, 9, 4), STEEL, 2, 0.8)
    edge = path(box(0, 2, 180, 128), "#4B5368") + path(box(86, 130, 8, 4), "#4B5368")
    return Carrier(180, 134, 2.4, 5, 175.2, 122, edge, case)


def _chalkboard(paper: str) -> Carrier:
    return Carrier(
        160,
        110,
        4,
        4,
        152,
        98,
        form(box(0, 0, 160, 107, 2), WOOD, 2.4, 1),
        form(box(6, 103, 148, 4, 1), light(WOOD, 0.2), 1),
    )


def _shirt(paper: str) -> Carrier:
    body = "M18 3Q30 11 42 3L56 9L60 25L49 29L48.4 66H11.6L11 29L0 25L4 9z"
    neck = stroke("M18 3Q30 12 42 3", dark(paper, 0.25), 1.4)
    folds = stroke("M11.4 32q4 5 3 12M48.8 32q-4 5-3 12", dark(paper, 0.18), 0.8)
    return Carrier(60, 67, 17, 16, 26, 38, form(body, paper, 3, 0), neck + folds)


def _mug(paper: str) -> Carrier:
    handle = stroke("M10.4 3.4q4.4-.6 4 3t-4.4 2.6", dark(paper, 0.12), 1.2)
    return Carrier(
        14.6,
        11,
        1,
        1.4,
        8.6,
        8.4,
        shadow(5.4, 10.7, 6, 0.8, 0.6) + handle + form(box(0, 0, 10.8, 11, 1.2), paper, 1.2, 0.3),
    )


def _sticker(paper: str) -> Carrier:
    return Carrier(
        20,
        20,
        1,
        1,
        18,
        18,
        path(oval(10.4, 10.6, 10), "#3A2A5C", extra='opacity=".25"') + path(oval(10, 10, 10), WHITE),
        "",
        9,
    )


def _box(paper: str) -> Carrier:
    side = form(poly((30, 3), (37, 0), (37, 37), (30, 41)), dark(paper, 0.3), 0.6) + path(
        poly((0, 3), (7, 0), (37, 0), (30, 3)), light(paper, 0.4)
    )
    return Carrier(
        37, 41, 0.4, 3.3, 29.4, 37.4, shadow(18, 40.4, 20, 2, 0.6) + side + path(box(0, 3, 30, 38), dark(paper, 0.1))
    )


KINDS: dict[str, Callable[[str], Carrier]] = {
    "poster": _poster, "sign": _sign, "billboard": _billboard, "city_light": _city_light, "a_board": _a_board,
    "banner": _banner, "placard": _placard, "flyer": _flyer, "book": _book, "magazine": _magazine,
    "newspaper": _newspaper, "phone": _phone, "tablet": _tablet, "monitor": lambda _: _screen(60, 38, 10, 1.6),
    "television": lambda _: _screen(124, 74, 8, 2.2), "slide": _slide, "chalkboard": _chalkboard, "shirt": _shirt,
    "mug": _mug, "sticker": _sticker, "box": _box,
}  # fmt: skip
