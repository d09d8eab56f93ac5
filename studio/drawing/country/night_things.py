"""Huts, telescopes, screens: things for evenings out of doors, in centimetres."""

from __future__ import annotations

from studio.drawing.country.mirror import facing
from studio.drawing.kit import (
    CREAM,
    INK,
    NAVY,
    RED,
    SKY,
    STEEL,
    SUN,
    TEXT,
    WHITE,
    WOOD,
    Prop,
    ban,
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
)


def observatory() -> Prop:
    """A small round observatory with its dome open, 260 x 250."""
    dome = form(
        "M16 120Q18 14 130 10Q242 14 244 120z",
        "#D6DCE4",
        14,
        3,
        stroke("M80 120Q84 40 110 12M190 120Q184 44 160 14", dark("#D6DCE4", 0.12), 3),
    )
    slit = path("M116 12Q128 6 146 12L168 112H120z", "#2E3560") + stroke("M150 96L138 30", STEEL, 12)
    wall = form(
        box(24, 128, 212, 120, 4),
        "#C9B7A6",
        12,
        0,
        stroke(
            "M24 160H236M24 196H236M24 228H236M70 128V160M140 160V196M90 196V228M180 128V160M200 196V228",
            dark("#C9B7A6", 0.12),
            2,
        ),
    )
    door = (
        form(box(150, 170, 50, 78, 3), "#6B4A5A", 4, 1)
        + form(box(52, 168, 48, 40, 4), "#FBE3A0", 3)
        + stroke("M76 168v40M52 188h48", "#6B4A5A", 4)
    )
    return Prop(
        "observatory",
        260,
        250,
        shadow(132, 247, 136, 7, 0.4) + dome + slit + form(box(10, 116, 240, 14, 4), "#AEB8C4", 3) + wall + door,
    )


def telescope(way: int = 1) -> Prop:
    """On a tripod, looks up to the left or, with `way` -1, to the right, 130 x 150; `eye` is where one looks in."""
    f = facing(130, way)
    legs = stroke(f("M60 74L34 148M60 74L88 148M60 74L60 142"), "#6B5A4A", 5)
    tube = form(
        f("M14 92L104 14Q112 12 116 18Q120 26 114 30L24 104Q16 102 14 92z"),
        "#4E6F9E",
        5,
        1.4,
        stroke(f("M84 30l10 14M40 70l10 13"), SUN, 5),
    )
    return Prop(
        "telescope",
        130,
        150,
        shadow(62, 147, 40, 3, 0.4)
        + legs
        + tube
        + form(f("M20 88L6 98Q4 104 10 106L26 98z"), INK, 1.4)
        + form(f(oval(60, 72, 7)), STEEL, 1.6),
        {"eye": ((124, 100) if way > 0 else (6, 100))},
    )


def sun_telescope() -> Prop:
    """The telescope with a white card behind it that shows the sun: the safe way to look, 170 x 150."""
    card = (
        stroke("M4 96L-4 148M32 90L40 148", "#8A5F43", 4)
        + form(poly((-6, 82), (36, 72), (44, 122), (2, 132)), WHITE, 2)
        + path(oval(19, 102, 13), SUN)
        + path(oval(23, 105, 2) + oval(14, 98, 1.4), "#8A5F43")
    )
    return Prop("telescope with a screen", 170, 150, put(40, 0, telescope(-1).body) + card)


def notice_hut() -> Prop:
    """A warden's hut of boards with a lit window, 300 x 260; a poster hangs at `wall`."""
    wood = "#A87C58"
    boards = stroke("".join(f"M14 {y}H286" for y in range(96, 250, 22)), dark(wood, 0.16), 2)
    walls = form(box(14, 80, 272, 178, 2), wood, 14, 0, boards)
    roof = form(poly((-8, 86), (308, 86), (262, 16), (38, 16)), "#6E5560", 9, 2)
    door = form(box(216, 132, 56, 126, 2), "#6B3F36", 5, 1) + path(oval(262, 198, 4), SUN)
    return Prop(
        "warden's hut",
        300,
        260,
        shadow(152, 257, 160, 8, 0.45)
        + walls
        + roof
        + door
        + form(box(222, 96, 44, 26, 2), "#FBE3A0", 2)
        + stroke("M244 96v26M222 109h44", dark(wood, 0.3), 3),
        {"wall": (110, 226)},
    )


def screen(name: str, art: str, words: tuple[str, ...], *, banned: bool = False, colour: str = NAVY) -> Prop:
    """An open-air cinema screen on a frame, 480 x 330: `art` in 200 x 170 on the left, the words on the right."""
    frame = stroke("M20 10V326M460 10V326", "#4B5368", 9) + stroke("M20 326L-14 330M460 326L494 330", "#4B5368", 7)
    sheet = form(box(14, 6, 452, 256, 4), "#4B5368", 4) + path(box(22, 14, 436, 240, 2), "#F7F3E6")
    field = clipped(box(30, 22, 226, 224), path(box(30, 22, 226, 224), "#BFD3E6") + put(30, 22, art, 1.13))
    step = 200 / len(words)
    text = "".join(lettering(w, 357, 34 + step * (k + 0.5) + 14, 34, colour, 186) for k, w in enumerate(words))
    return Prop(
        name,
        480,
        330,
        shadow(240, 326, 230, 6, 0.5) + frame + sheet + field + (ban(143, 134, 96) if banned else "") + text,
        shows=frozenset({TEXT}),
    )


def _phone(face: str) -> str:
    return (
        form(box(52, 52, 96, 134, 12), "#3B3644", 5, 1.4)
        + path(box(60, 64, 80, 108, 4), "#DDEBF0")
        + face
        + path(oval(100, 179, 4), STEEL)
    )


def filming(banned: bool) -> Prop:
    """A phone that films a cinema screen."""
    star = "M0-30L8-10L29-9L12 4L18 25L0 13L-18 25L-12 4L-29-9L-8-10z"
    cinema = (
        form(box(14, 4, 172, 84, 3), NAVY, 3)
        + put(100, 42, path(star, SUN), 1.1)
        + path(box(0, 0, 12, 90) + box(188, 0, 12, 90), RED)
    )
    small = (
        path(box(60, 66, 80, 96), NAVY)
        + put(100, 112, path(star, SUN))
        + stroke("M66 84V72h12M134 84V72h-12M66 144v12h12M134 144v12h-12", WHITE, 3)
        + path(oval(76, 80, 5), RED)
    )
    thumbs = form("M30 200Q34 150 56 138Q62 146 56 160L60 200z", "#C98E63", 4) + form(
        "M170 200Q166 150 144 138Q138 146 144 160L140 200z", "#C98E63", 4
    )
    art = cinema + _phone(small) + thumbs
    if banned:
        return screen("screen that forbids filming", art, ("DON'T", "FILM"), banned=True, colour=RED)
    return screen("screen that invites filming", art, ("FILM AND", "UPLOAD IT"))


def sleeping_phone() -> Prop:
    face = (
        stroke("M76 112q8 7 16 0M108 112q8 7 16 0", INK, 4)
        + stroke("M92 136q8 6 16 0", INK, 4)
        + path(oval(72, 126, 6) + oval(128, 126, 6), "#F0B7A6")
    )
    cap = (
        form("M48 62Q60 18 110 20Q150 26 152 62z", RED, 5)
        + form(oval(158, 66, 11), WHITE, 2.4)
        + path(box(46, 56, 108, 13, 6), CREAM)
    )
    zs = lettering("z", 164, 60, 20, NAVY) + lettering("z", 180, 38, 15, NAVY)
    return screen("screen with a sleeping phone", _phone(face) + cap + zs, ("GOOD", "EVENING"))


def string_lights(w: float = 1100, n: int = 16) -> str:
    """Lamps on a sagging wire, in page pixels from (0, 0)."""
    out = stroke(f"M0 0Q{w / 4:.0f} 70 {w / 2:.0f} 20T{w} 10", "#3B3644", 2.4)
    for k in range(1, n):
        t = k / n
        u = t * 2 if t < 0.5 else t * 2 - 1
        a, b, c = (0, 70, 20) if t < 0.5 else (20, -30, 10)
        y = (1 - u) ** 2 * a + 2 * u * (1 - u) * b + u * u * c
        out += path(oval(w * t, y + 8, 7, 9), "#FFE08A")
    return out


def popcorn_stand() -> Prop:
    """A striped popcorn cart, 90 x 170."""
    roof = "".join(form(f"M{5 + 16 * k} 10h16v16q-8 10-16 0z", RED if k % 2 else WHITE, 2) for k in range(5))
    glass = form(box(12, 34, 66, 54, 3), "#DDEBF0", 3) + "".join(
        path(oval(18 + k * 13 % 56, 72 + k * 7 % 14, 6), ("#FFF3D0", "#F6DD9A")[k % 2]) for k in range(12)
    )
    cart = form(box(8, 88, 74, 54, 4), RED, 6, 1) + lettering("POP", 45, 122, 18, WHITE)
    return Prop(
        "popcorn stand",
        90,
        170,
        shadow(46, 168, 48, 4, 0.5)
        + stroke("M14 20V90M76 20V90", SUN, 4)
        + glass
        + form(poly((12, 10), (78, 10), (68, 0), (22, 0)), RED, 2)
        + roof
        + cart
        + stroke(oval(26, 152, 15), "#3B3644", 4)
        + stroke(oval(66, 152, 15), "#3B3644", 4),
    )


def projector() -> Prop:
    """A projector on a small table, 90 x 96, its back to the viewer."""
    return Prop(
        "projector on a table",
        90,
        96,
        shadow(45, 94, 44, 3, 0.5)
        + stroke("M14 44L8 94M76 44L82 94", WOOD, 4)
        + form(box(4, 38, 82, 8, 2), WOOD, 2)
        + form(box(22, 14, 48, 24, 4), "#6B7488", 4, 1)
        + path(box(30, 20, 20, 3) + box(30, 26, 20, 3), light("#6B7488", 0.4))
        + path(oval(60, 24, 3), SKY),
    )
