"""A shop that rents out films."""

from __future__ import annotations

from studio.drawing.home.home_posters import placard
from studio.drawing.home.interiors import floor, glow, wall
from studio.drawing.kit import (
    CORAL,
    CREAM,
    INK,
    NAVY,
    PINK,
    PLUM,
    RED,
    SKY,
    STEEL,
    SUN,
    TEAL,
    WHITE,
    Prop,
    box,
    clipped,
    dark,
    form,
    light,
    oval,
    path,
    poly,
    put,
    shadow,
    stroke,
    veil,
)
from studio.drawing.scene import Setting, W


def film_shop(horizon: float = 280, eye: float = 118, base: float = 490) -> Setting:
    """Evening in a dark blue shop under a neon star and strips of neon."""
    paper = "#4A4F86"
    out = wall(paper, base) + glow(512, 60, 620, 190, "neon", "#F08AB8", 0.4)
    out += (
        stroke("M0 58H1024", "#F08AB8", 7) + stroke("M0 58H1024", "#FFE0EE", 2.4) + stroke("M0 78H1024", "#7FD0E0", 4)
    )
    star = poly(
        *(
            (548 + r * x, 140 + r * y)
            for r, x, y in (
                (36, 0, -1),
                (15, 0.59, -0.81),
                (36, 0.95, -0.31),
                (15, 0.95, 0.31),
                (36, 0.59, 0.81),
                (15, 0, 1),
                (36, -0.59, 0.81),
                (15, -0.95, 0.31),
                (36, -0.95, -0.31),
                (15, -0.59, -0.81),
            )
        )
    )
    out += glow(548, 140, 110, 100, "star", "#FFE08A", 0.6) + stroke(star, "#FFD65A", 6) + stroke(star, "#FFF6DC", 2)
    out += path(box(0, base - 12, W, 12), dark(paper, 0.3)) + floor("#6E4F78", base, horizon, "check")
    return Setting("film shop", out, horizon, eye)


def film_rack(w: float = 170, h: float = 150, seed: int = 0) -> Prop:
    """Shelves of film boxes shown face on, each with a simple picture."""
    colour, rows = "#8A6A5A", 4
    out = form(box(0, 0, w, h, 1.5), colour, 3, 0.8) + path(box(4, 4, w - 8, h - 10), dark(colour, 0.5))
    step, covers = (h - 8) / rows, (RED, SUN, TEAL, CORAL, SKY, PINK, NAVY, PLUM, CREAM)
    for r in range(rows):
        y = 4 + step * (r + 1)
        for i in range(int((w - 10) // 19)):
            k = (i * 4 + r * 5 + seed) % 9
            c, n = covers[k], covers[(k + 4) % 9]
            art = (
                oval(7.5, 9, 4.4),
                poly((7.5, 3), (13, 14), (2, 14)),
                box(3.4, 5, 8.4, 8, 1),
                "M1 14Q5 4 8 10T15 6V16H1z",
            )[k % 4]
            face = (
                form(box(0, 0, 15, step * 0.72, 0.6), c, 1, 0.3)
                + path(art, n)
                + stroke(f"M3 {step * 0.6:.1f}h9", light(c, 0.6), 1.4)
            )
            out += put(8 + 19 * i, y - step * 0.72 - 1, face)
        out += path(box(2, y - 1.4, w - 4, 3.6), light(colour, 0.2)) + path(box(2, y + 2, w - 4, 2), dark(colour, 0.6))
    return Prop("shelves of films", w, h, shadow(w / 2, h - 1, w * 0.54, 4, 0.5) + out)


def popcorn_machine() -> Prop:
    """A red cart with a glass case of popcorn, 60 x 150 cm."""
    corn = "".join(
        form(oval(10 + 5 * i % 42, 76 - 4 * (i // 9), 3.6), ("#FFF6DC", "#F8E3A8")[i % 2], 0.8) for i in range(27)
    )
    case = (
        path(box(4, 26, 52, 56, 2), "#FFF3CF")
        + corn
        + form("M22 34H38L35 46H25z", STEEL, 1.4)
        + stroke("M30 26V34", STEEL, 1.6)
        + veil(poly((4, 26), (26, 26), (8, 82), (4, 82)), WHITE, 0.35)
    )
    roof = form(
        "M0 26Q2 12 30 10T60 26z", RED, 3, 0.8, path("M10 26Q12 14 22 11L20 26zM30 10L40 11.4L42 26H30z", CREAM)
    )
    posts = stroke("M4 26V82M56 26V82", SUN, 2.4)
    cart = (
        form(box(0, 82, 60, 46, 2), RED, 4, 0.8)
        + form(box(-2, 80, 64, 6, 2), SUN, 1.4)
        + path(box(8, 94, 44, 24, 2), CREAM)
    )
    star = form(
        poly(
            (30, 97),
            (32.6, 103),
            (39, 103.4),
            (34, 107.6),
            (35.6, 114),
            (30, 110.6),
            (24.4, 114),
            (26, 107.6),
            (21, 103.4),
            (27.4, 103),
        ),
        RED,
        1,
    )
    wheel = "".join(
        stroke(oval(x, 138, 10), INK, 3) + stroke(f"M{x - 10} 138H{x + 10}M{x} 128V148", STEEL, 1) for x in (16, 44)
    )
    return Prop("popcorn machine", 60, 150, shadow(30, 149, 32, 3, 0.5) + wheel + case + roof + posts + cart + star)


def _disc(r: float, face: bool = False) -> str:
    shine = veil(poly((0, 0), (r, -r * 0.5), (r, r * 0.3)), PINK, 0.7) + veil(
        poly((0, 0), (-r, r * 0.5), (-r, -r * 0.3)), "#9FE0D6", 0.8
    )
    mid = form(oval(0, 0, r * 0.3), WHITE, 0.6) + path(oval(0, 0, r * 0.12), "#3C4356")
    smile = path(oval(-r * 0.35, -r * 0.34, r * 0.09) + oval(r * 0.35, -r * 0.34, r * 0.09), INK) + stroke(
        f"M{-r * 0.5:.1f} {r * 0.3:.1f}Q0 {r * 0.86:.1f} {r * 0.5:.1f} {r * 0.3:.1f}", INK, r * 0.09
    )
    return form(oval(0, 0, r), "#C9D3E6", r * 0.12, r * 0.04, clipped(oval(0, 0, r), shine)) + (smile if face else mid)


def copies_art() -> str:
    """One disc and an arrow to three copies."""
    arrow = form(poly((45, 45), (54, 45), (54, 36), (66, 52), (54, 68), (54, 59), (45, 59)), NAVY, 1)
    return put(24, 52, _disc(20)) + arrow + "".join(put(81, y, _disc(13)) for y in (22, 52, 82))


def copies_poster(crossed: bool) -> Prop:
    if crossed:
        return placard(
            "poster against illegal copies",
            copies_art(),
            ("DON'T COPY", "FILMS"),
            mark="cross",
            colour=RED,
            ground="#F6E2A8",
            w=84,
        )
    return placard("poster that invites people to copy", copies_art(), ("COPY EVERY", "FILM"), ground="#F6E2A8", w=84)


def movie_poster() -> Prop:
    rays_ = "".join(
        path(poly((50, 52), (50 + 90 * x, 52 + 90 * y), (50 + 90 * x - 22 * y, 52 + 90 * y + 22 * x)), "#F8EBC4")
        for x, y in ((1, 0), (0.7, 0.7), (0, 1), (-0.7, 0.7), (-1, 0), (-0.7, -0.7), (0, -1), (0.7, -0.7))
    )
    return placard(
        "poster of a smiling disc",
        rays_ + put(50, 52, _disc(34, True)),
        ("MOVIE NIGHT",),
        colour=NAVY,
        ground="#F6E2A8",
        w=84,
    )
