"""More posters: passwords, violence, reviews, cures; each with its plain and its harmless sister."""

from __future__ import annotations

from dataclasses import replace

from studio.drawing import stances
from studio.drawing.faces import head
from studio.drawing.home.home_posters import placard
from studio.drawing.kit import (
    BLUE,
    CORAL,
    CREAM,
    HUMAN,
    INK,
    NAVY,
    PINK,
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
    dark,
    form,
    lettering,
    light,
    limb,
    oval,
    path,
    poly,
    put,
    shadow,
    stroke,
)
from studio.drawing.people import person
from studio.drawing.poses import Look, Pose
from studio.drawing.town.posters import rays


def _giving_hand(skin: str, sleeve: str) -> str:
    """A large hand that comes from the left and holds something at (44, 0)."""
    arm = form(limb([(-10, 14), (4, 9), (18, 5)], (20, 18, 16)), sleeve, 3)
    palm = form("M14-4Q24-10 34-6L44-4Q47-1 44 2L34 3Q40 5 38 8Q32 12 20 12L12 10z", skin, 2)
    thumb = form(limb([(20, -4), (30, -11), (41, -8)], (7, 6.4, 5.4)), light(skin, 0.08), 1.2)
    return arm + palm + stroke("M26 6h10", dark(skin, 0.25), 1) + thumb


def _key(colour: str = SUN) -> str:
    return stroke(oval(0, 0, 6), colour, 4) + stroke("M6 0H28M22 0v7M28 0v6", colour, 4)


def password_art() -> str:
    """One hand gives another a note with four stars, and a key."""
    note = form(box(-17, -10, 34, 20, 1.5), WHITE, 1.6, 0.4) + lettering("****", 0, 11, 17, NAVY, 28)
    other = f'<g transform="translate(100,0) scale(-1,1)">{put(2, 62, _giving_hand("#7A4A31", TEAL))}</g>'
    return put(2, 40, _giving_hand("#F2B48C", CORAL)) + other + put(50, 44, note, 1, -8) + put(36, 76, _key(), 1, 8)


def password_sticker(banned: bool) -> Prop:
    if banned:
        return placard("sticker against sharing passwords", password_art(), (), mark="ban", ground="#CFE3EA", w=58)
    words = path(box(5, 67, 90, 32), CREAM) + "".join(
        lettering(line, 50, baseline, 12, NAVY, 88) for line, baseline in (("SHARE YOUR", 82), ("PASSWORD", 97))
    )
    made = placard("sticker for sharing passwords", put(0, -20, password_art()) + words, (), ground="#CFE3EA", w=58)
    return replace(made, shows=frozenset({TEXT}))


def coffee_sticker() -> Prop:
    cup = form(
        "M-12-10H12L9 14Q9 17 6 17H-6Q-9 17-9 14z", CREAM, 2.4, 0.6, path(box(-13, -2, 26, 9), "#B9743E")
    ) + form(box(-13, -14, 26, 5, 2), "#6B4A3A", 1)
    other = f'<g transform="translate(100,0) scale(-1,1)">{put(2, 62, _giving_hand("#7A4A31", TEAL))}</g>'
    return placard(
        "sticker of a gift of coffee",
        put(2, 46, _giving_hand("#F2B48C", CORAL)) + other + put(50, 50, cup, 1.1),
        (),
        ground="#F6E2A8",
        w=58,
    )


def _curled_figure() -> str:
    """A small person who sits on the ground and hugs the knees, standing on (0, 0)."""
    who = Look(height=160, heads=6, skin="#E3A379", hair="#33201C", style="bob", top=BLUE, bottom=NAVY, shoes="#6B3A2E")
    figure = person(who, stances.hugging_knees(1, turn=0.5, nod=0.8, tilt=12, mouth="sad", eyes="shut"))
    return put(-figure.w * 0.24, -figure.h * 0.48, figure.body, 0.48)


def _fist(skin: str = "#C98E63", sleeve: str = "#6B4A5A") -> str:
    """A big fist whose fingers point left, its wrist at (26, 0)."""
    arm = form(box(24, -15, 60, 30, 6), sleeve, 4, 1) + form(box(20, -13, 10, 26, 4), CREAM, 2)
    back = form(box(-2, -18, 27, 36, 11), skin, 3)
    fingers = "".join(
        form(box(-14 + abs(n - 1) * 1.2, -18 + 9 * n, 20, 9.6, 4.6), (skin, dark(skin, 0.07))[n % 2], 1.6)
        for n in range(4)
    )
    thumb = form(limb([(14, 14), (2, 12), (-7, 3)], (11, 10, 8)), light(skin, 0.1), 1.8)
    return arm + back + fingers + thumb


def violence_art() -> str:
    """A raised fist above a small person."""
    lines = stroke("M30 26L36 36M20 36L29 42M44 20L46 30", dark(RED, 0.1), 3)
    return put(58, 36, _fist(), 0.9, -28) + lines + put(36, 97, _curled_figure())


def violence_poster(crossed: bool) -> Prop:
    if crossed:
        return placard(
            "poster against violence at home",
            violence_art(),
            ("NO VIOLENCE", "AT HOME"),
            mark="cross",
            colour=RED,
            ground="#E9D9E4",
            w=82,
        )
    return placard("poster that praises violence", violence_art(), ("BEAT YOUR", "FAMILY"), ground="#E9D9E4", w=82)


def _waving_hand(skin: str, sleeve: str, size: float) -> str:
    """An open hand on a forearm, its wrist at (0, 0), fingers up."""
    arm = form(limb([(0, 40), (0, 18), (0, 0)], (20, 19, 17)), sleeve, 3)
    fingers = "".join(
        form(limb([(x * 0.7, -14), (x * 0.9, -26), (x * 1.2, -40 + abs(x) * 0.6)], (6.4, 6.2, 5.4)), skin, 1.2)
        for x in (-9.0, -3.0, 3.0, 9.0)
    )
    palm = form("M-9 2Q-13-10-9-18H9Q13-10 9 2z", skin, 2) + form(
        limb([(8, -4), (17, -10), (20, -20)], (7, 6.4, 5.4)), skin, 1.2
    )
    return put(0, 0, arm + fingers + palm, size)


def hello_poster() -> Prop:
    art = put(36, 66, _waving_hand("#C98E63", "#6B4A5A", 1.15), 1, -8) + put(
        74, 80, _waving_hand("#F2B48C", "#4E8FC0", 0.7), 1, 10
    )
    return placard("poster of two waving hands", art, ("HELLO",), colour=NAVY, ground="#E9D9E4", w=82)


def _chalk(art: str, lines: tuple[str, ...], name: str, *, struck: bool = False, ink: str = CREAM) -> Prop:
    """A chalkboard on an easel, 76 x 124 cm; `art` is drawn in 64 x 48 from (6, 8)."""
    legs = shadow(38, 122, 40, 3, 0.6) + stroke("M12 6L2 122M64 6L74 122M38 4L46 112", WOOD, 4)
    board = form(box(3, 4, 70, 92, 2), WOOD, 2.4, 0.8) + path(box(7, 8, 62, 84, 1), "#31413E")
    red = "#F0705C"
    mark = stroke("M11 15Q36 32 65 52M65 14Q40 34 11 53", red, 4) if struck else ""
    words = "".join(
        lettering(t, 38, 72 + 14 * i + (2 - len(lines)) * 7, 9, red if struck else ink, 57) for i, t in enumerate(lines)
    )
    return Prop(
        name,
        76,
        124,
        legs + board + art + mark + words + form(box(3, 94, 70, 4, 1), light(WOOD, 0.2), 1),
        shows=frozenset({TEXT}),
    )


def _stars() -> str:
    star = "M0-6L1.8-1.9L6-1.6L2.8 1.2L3.8 5.4L0 3.2L-3.8 5.4L-2.8 1.2L-6-1.6L-1.8-1.9z"
    coin = stroke(oval(19, 33, 8.5), "#FBE08A", 2) + lettering("1", 19, 38, 10, "#FBE08A")
    arrow = stroke("M31 33H43M38 27.6L43.6 33L38 38.4", CREAM, 2.4)
    return (
        coin
        + arrow
        + "".join(
            put(x, y, stroke(star, "#FBE08A", 1.3), 0.85)
            for x, y in ((51, 22), (62, 22), (51, 34), (62, 34), (56.5, 46))
        )
    )


def review_board(struck: bool) -> Prop:
    if struck:
        return _chalk(_stars(), ("NO FAKE", "REVIEWS"), "chalkboard against fake reviews", struck=True)
    return _chalk(_stars(), ("CASH FOR", "STARS"), "chalkboard that offers cash for stars")


def fresh_board() -> Prop:
    cup = stroke("M14 26H34Q34 44 24 44T14 26M34 29q6 0 5 5t-6 4M19 20q-2-3 0-6M27 20q-2-3 0-6", CREAM, 2)
    croissant = stroke(
        "M44 42Q42 28 54 26Q66 28 66 42Q62 36 55 36T44 42zM49 29l2 7M55 26v10M61 29l-2 7", "#FBE08A", 1.8
    )
    return _chalk(cup + croissant, ("FRESH", "TODAY"), "chalkboard with a cup and a croissant")


def _tablet(art: str, words: str, name: str, *, stamp: str = "") -> Prop:
    """A tablet on a stand, 40 x 32 cm; `art` fills 36 x 20 at (2, 2), the words stand below it."""
    foot = form(poly((8, 28), (32, 28), (36, 32), (4, 32)), STEEL, 1, 0.3)
    case = form(box(0, 0, 40, 29, 1.8), "#2B3044", 1, 0.3) + path(box(2, 2, 36, 25, 0.6), WHITE)
    mark = ""
    if stamp:
        edge = box(-13, -4, 26, 8, 1)
        paper = path(edge, WHITE, extra='opacity=".82"') + stroke(edge, RED, 1.1)
        mark = put(20.6, 16, paper + lettering(stamp, 0, 2.5, 5.2, RED, 22), 0.9, -8)
    under = lettering(words, 20, 25.7, 3.3, NAVY, 34)
    return Prop(
        name,
        40,
        32,
        shadow(20, 31.6, 20, 1.2, 0.5) + foot + case + clipped(box(2, 2, 36, 20, 0.6), art) + under + mark,
        shows=frozenset({TEXT, HUMAN}),
    )


def _seller(held: str) -> str:
    """A smiling man who holds something up, in 36 x 20 from (2, 2)."""
    back, front = head(Look(sex="male", skin="#E3A379", hair="#5A3425", style="quiff"), Pose(turn=0.3, mouth="grin"))
    coat = form("M5 24Q6 16 13 15H17Q24 16 25 24z", WHITE, 1.2) + path(poly((13.4, 15), (15, 19), (16.6, 15)), SKY)
    arm = form(limb([(22, 21), (27, 20), (28, 14)], (4, 3.6, 3)), WHITE, 0.6) + form(
        oval(28, 12.6, 1.9), "#E3A379", 0.5
    )
    return (
        path(box(2, 2, 36, 20), "#BFE0DC")
        + put(-60 + 88, 9, f'<g transform="scale(.1)">{rays(0, 0, "#FBE9A8")}</g>')
        + coat
        + put(15, 9.6, back + front, 0.56)
        + held
        + arm
    )


def _bottle() -> str:
    glow = stroke("M22 5l-1.6-1.4M28 2.6V.6M34 5l1.6-1.4M36 10h2M20.4 10h-2", SUN, 1)
    return (
        glow
        + form("M26.6 4H29.4V6.4Q31.6 7.4 31.6 9.4V14H24.4V9.4Q24.4 7.4 26.6 6.4z", "#7E5B9A", 0.9, 0.3)
        + path(box(24.4, 9.6, 7.2, 2.6), WHITE)
        + form(box(26.3, 2.6, 3.4, 1.8, 0.4), INK, 0.3)
    )


def cure_tablet(stamped: bool) -> Prop:
    if stamped:
        return _tablet(_seller(_bottle()), "CURES CANCER", "tablet with a miracle cure stamped FAKE", stamp="FAKE")
    return _tablet(_seller(_bottle()), "CURES CANCER", "tablet that praises a miracle cure")


def cake_tablet() -> Prop:
    cake = (
        form(box(23.4, 7, 9.2, 4.6, 0.6), "#D9A05B", 0.8)
        + form("M23.4 8V6.4Q28 5 32.6 6.4V8Q31 9.4 29.6 8T26.4 8T23.4 8z", PINK, 0.4)
        + form(oval(28, 5.2, 0.9), RED, 0.2)
        + form(oval(28, 12, 6, 1), CREAM, 0.3)
    )
    return _tablet(_seller(cake), "BAKE ALONG", "tablet with a baking show")
