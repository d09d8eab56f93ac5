"""A town park with a pond, and an information stall."""

from __future__ import annotations

from studio.drawing.country.garden import tree
from studio.drawing.kit import (
    CORAL,
    CREAM,
    INK,
    LEAF,
    NAVY,
    PINK,
    PLUM,
    RED,
    SKY,
    STEEL,
    SUN,
    TEAL,
    TEXT,
    WHITE,
    WOOD,
    Prop,
    box,
    clipped,
    cross,
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
)
from studio.drawing.scene import Setting, W
from studio.drawing.town.outdoors import clouds, sky


def park() -> Setting:
    out = sky("#A5D4E2", "#F8EFD8") + clouds((60, 70, 1), (700, 60, -1.1), (880, 130, 0.7))
    out += path(
        "M0 300V236h40v-40h66v58h60v-80h50v86h70v-30h60v70h90v-52h74v52h120v-70h64v40h80v-64h56v90h100v-40h94v74z",
        "#B7C7CF",
    )
    out += path("M0 318Q60 268 130 292T300 276T470 292T650 272T830 290T1024 268V420H0z", "#8DB583") + path(
        "M0 346Q90 306 200 330T420 316T640 334T860 314T1024 328V430H0z", "#74A372"
    )
    lawn = "#A5C96C"
    out += path(box(0, 372, W, 320), lawn) + path(f"M0 372H{W}V386Q600 380 300 390T0 386z", dark(lawn, 0.16))
    pond = "M40 430Q160 396 330 408T470 448Q420 490 240 486T40 430z"
    out += (
        path(pond, dark(lawn, 0.3), extra='transform="translate(0,6)"')
        + form(pond, "#7FBBCB", 8, 3)
        + stroke("M120 438h70M230 458h90M300 430h60", "#C8E5E8", 4)
    )
    duck = (
        form("M0 0Q-2-12 10-12Q14-12 14-8Q26-14 40-8Q38 4 22 6H8Q0 6 0 0z", WHITE, 3)
        + form(oval(6, -16, 8), "#4E8560", 2)
        + form("M-2-16l-9 2l9 4z", SUN, 0.6)
        + path(oval(4, -18, 1.5), INK)
    )
    out += put(200, 440, duck, 0.8) + put(320, 452, duck, 1)
    out += "".join(
        stroke(f"M{x} {y}q{d} -30 {d * 2} -46", "#5E9160", 4)
        for x, y, d in ((60, 452, -3), (70, 454, 2), (84, 458, 5), (440, 474, 3), (452, 470, 6))
    )
    out += path("M1024 436Q760 440 640 500T250 683H760Q800 560 1024 540z", "#EAD9B6") + path(
        "M1024 540Q800 560 760 683h-24Q770 550 1024 526z", dark("#EAD9B6", 0.12)
    )
    tufts = "".join(
        f"M{x} {y}l4-12l4 12M{x + 7} {y}l5-9l2 9"
        for x, y in ((60, 560), (160, 610), (240, 540), (90, 660), (880, 610), (960, 650), (560, 420), (700, 410))
    )
    out += stroke(tufts, dark(lawn, 0.22), 2.4) + tree(950, 446, 1.15, "#7FAE5B") + tree(30, 424, 0.8, "#6DA457")
    return Setting("park", out, 322, 140)


def board(name: str, art: str, head: tuple[str, str], foot: str, *, colour: str = NAVY, crossed: bool = False) -> Prop:
    """A sandwich board, 116 x 164 cm: two lines on top, `art` in a field of 96 x 74 at (10, 48), a foot line."""
    legs = form(poly((16, 152), (26, 152), (14, 164), (4, 164)), WOOD, 1.6) + form(
        poly((90, 152), (100, 152), (112, 164), (102, 164)), WOOD, 1.6
    )
    frame = form(box(2, 0, 112, 156, 4), WOOD, 3, 1) + path(box(8, 6, 100, 144, 2), WHITE)
    field = clipped(box(10, 46, 96, 78), path(box(10, 46, 96, 78), "#CFE3E6") + art)
    mark = cross(16, 51, 84, 68, 8.5) if crossed else ""
    words = (
        lettering(head[0], 58, 24, 13, NAVY, 92)
        + lettering(head[1], 58, 41, 13, NAVY, 92)
        + lettering(foot, 58, 142, 12.5, colour, 94)
    )
    return Prop(
        name, 116, 164, shadow(58, 160, 58, 4, 0.8) + legs + frame + field + mark + words, shows=frozenset({TEXT})
    )


def bleach_board(crossed: bool) -> Prop:
    """The same false claim, crossed out as a myth or put forward as a cure."""
    bottle = (
        form("M26 66h12v10q12 6 12 16v28H14V92q0-10 12-16z", "#5D7FC4", 5, 1)
        + form(box(25, 57, 14, 11, 2), RED, 2)
        + path(box(17, 94, 30, 17, 2), WHITE)
        + lettering("BLEACH", 32, 105.5, 6, NAVY, 27)
    )
    glass = form("M62 88h28l-4 33H66z", "#EAF6F8", 3, 0, path("M60 98h32v26H60z", "#A9D3EC")) + stroke(
        "M62 88h28", WHITE, 2
    )
    drop = path("M76 66q-6 9 0 12q6-3 0-12z", "#6FB4D6")
    art = path(box(10, 118, 96, 8), "#A8C4C4") + bottle + glass + drop
    if crossed:
        return board(
            "board against a health myth", art, ("BLEACH", "CURES FLU?"), "NO! A MYTH", colour=RED, crossed=True
        )
    return board("board that spreads a health myth", art, ("BLEACH", "CURES FLU!"), "DRINK IT", colour=dark(LEAF, 0.35))


def tea_board() -> Prop:
    pot = (
        form("M26 84Q26 66 48 66T70 84Q72 112 58 118H38Q24 112 26 84z", CORAL, 6, 1)
        + form(oval(48, 63, 6), SUN, 1.4)
        + stroke("M27 84Q14 82 16 94T28 106", CORAL, 5)
        + form("M68 88Q80 88 82 72l6 2Q86 98 68 104z", CORAL, 2)
    )
    lemon = (
        form(oval(88, 108, 11), SUN, 2)
        + path(oval(88, 108, 8), "#FBE9A6")
        + stroke("M88 101v14M81 108h14M83 103l10 10M93 103l-10 10", SUN, 1.2)
    )
    steam = stroke("M84 66q-4-6 0-10t0-9", WHITE, 2.6)
    return board(
        "board about lemon tea",
        path(box(10, 116, 96, 10), "#A8C4C4") + pot + lemon + steam,
        ("LEMON TEA", "FEELS GOOD"),
        "FREE CUP",
        colour=dark(LEAF, 0.35),
    )


def stall() -> Prop:
    """A table under a striped awning; anchors the top of the table at `top`."""
    posts = "".join(form(box(x, 30, 6, h, 1), WHITE, 1.6) for x, h in ((16, 164), (198, 164), (4, 180), (210, 180)))
    flaps = "".join(form(f"M{4 + 24 * i:.1f} 12h24v24q-12 13-24 0z", CREAM if i % 2 else TEAL, 3) for i in range(9))
    roof = form(poly((20, 0), (200, 0), (222, 14), (0, 14)), light(TEAL, 0.15), 2)
    cloth = form(
        poly((10, 132), (210, 132), (216, 206), (4, 206)),
        "#E9F0EC",
        6,
        1,
        stroke("M60 132q4 40-4 76M110 132v76M160 132q-4 40 4 76", dark("#E9F0EC", 0.12), 2.6)
        + path(box(92, 152, 36, 36, 6), TEAL)
        + path(box(106, 157, 8, 26) + box(97, 166, 26, 8), WHITE),
    )
    top = form(box(2, 124, 216, 9, 2), WHITE, 2)
    jars = (
        form(box(150, 104, 16, 20, 3), SKY, 3, 0.8)
        + form(box(172, 110, 24, 14, 2), CORAL, 2.6, 0.8)
        + "".join(path(box(24 + i * 1.5, 119 - 2.4 * i, 26, 4, 1), c) for i, c in enumerate((CREAM, SUN, CREAM, PINK)))
    )
    return Prop(
        "information stall",
        220,
        208,
        shadow(110, 204, 130, 8, 0.55) + posts + cloth + top + jars + roof + flaps,
    )


def pram() -> Prop:
    """A pram whose handle points to the viewer's right; anchor `handle`."""
    iron = "#4B5368"
    wheels = "".join(
        stroke(oval(x, 84, 13), iron, 3.4) + stroke(f"M{x - 12} 84h24M{x} 72v24", STEEL, 1.4) for x in (28, 80)
    )
    folds = stroke("M42 40Q40 16 20 8M28 42Q24 22 14 14", dark(PLUM, 0.25), 2)
    hood = form("M54 40Q54 6 20 8Q6 20 8 42z", PLUM, 5, 1, folds)
    tub = form("M8 40H98Q94 68 70 70H30Q8 68 8 40z", light(PLUM, 0.15), 6, 1)
    frame = stroke("M30 70L28 84M70 70L80 84M28 80H76", iron, 3)
    handle = stroke("M96 44L118-2", iron, 3.4) + stroke("M114-3h10", INK, 4)
    return Prop(
        "pram", 118, 98, shadow(54, 96, 56, 4, 0.6) + frame + wheels + hood + tub + handle, {"handle": (119, -3)}
    )
