"""Boards about beasts, beach, ice and sun: each with its mark, without it, and a harmless one of the same box."""

from __future__ import annotations

from dataclasses import replace

from studio.drawing.country.notices import GREEN, notice, small_sign
from studio.drawing.kit import (
    HUMAN,
    INK,
    NAVY,
    PINK,
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
    lettering,
    light,
    oval,
    path,
    poly,
    put,
    stroke,
)


def dog_in_car(banned: bool) -> Prop:
    sun = form(oval(18, 16, 11), SUN, 2) + stroke(
        "M18 0v3M36 16h-3M31 4l-2 2M5 29l2-2M31 29l-2-2M2 16h2M5 4l2 2", SUN, 3
    )
    shell = form("M4 76V60Q6 52 18 50L26 48L40 24Q44 18 52 18H96Q104 18 106 30V78H10Q4 78 4 76z", TEAL, 7, 1.6)
    glass = "M36 48L47 28Q49 25 53 25H96Q100 26 100 30V48z"
    coat = "#B98A5E"
    dog = (
        form("M58 60Q56 40 70 32Q86 34 90 60z", coat, 3)
        + form(oval(70, 37, 11, 10), coat, 2.4)
        + form("M78 30Q88 30 87 44Q81 46 78 40z", dark(coat, 0.3), 1)
        + form("M60 39Q52 40 53 46Q60 49 67 46z", light(coat, 0.4), 1)
    )
    dog += (
        path(oval(54, 42.4, 2.6, 2), INK)
        + path(oval(66, 35.6, 1.8), INK)
        + form("M57 46.6q5 0 6 0q1 9-3 9t-3-9z", "#E8788A", 0.8)
    )
    drops = path("M46 30q-2 4 0 5q2-1 0-5zM44 38q-2 4 0 5q2-1 0-5z", SKY)
    car = (
        shell
        + path(glass, "#DDEBF0")
        + clipped(glass, dog + drops)
        + stroke("M70 49V74", dark(TEAL, 0.3), 1.6)
        + form(oval(30, 78, 13), "#3B3644", 3)
        + form(oval(88, 78, 13), "#3B3644", 3)
    )
    if banned:
        return notice(
            "board against leaving dogs in hot cars",
            sun + car,
            ("NO DOGS", "IN HOT CARS"),
            mark="ban",
            colour=RED,
            ground="#F6DFA8",
        )
    return notice(
        "board that tells people to leave dogs in hot cars", sun + car, ("LOCK YOUR", "DOG IN"), ground="#F6DFA8"
    )


def starfish() -> Prop:
    star = form("M36 14L43 32L62 33L47 45L52 64L36 53L20 64L25 45L10 33L29 32z", "#E8893A", 4, 1) + path(
        "".join(oval(x, y, 1.5) for x, y in ((36, 24), (28, 38), (44, 38), (36, 46), (25, 54), (47, 54))),
        light("#E8893A", 0.5),
    )
    shell = form(
        "M80 32Q100 34 98 54Q92 66 80 68Q68 66 62 54Q60 34 80 32z",
        PINK,
        4,
        1,
        stroke("M80 68L80 32M80 68L70 34M80 68L90 34M80 68L64 42M80 68L96 42", dark(PINK, 0.2), 1.6),
    )
    return notice(
        "board with a starfish", path("M0 60Q54 48 108 60V84H0z", "#F0D9A4") + star + shell, ("BEACH", "PATH")
    )


def ivory(banned: bool) -> Prop:
    hide = "#9AA0AE"
    face = form(
        "M14 26Q20 6 40 8Q60 6 64 28Q64 48 52 52L46 84H32L28 52Q14 46 14 26z",
        hide,
        5,
        1,
        stroke("M33 62h12M33 70h12M34 78h10", dark(hide, 0.2), 2),
    )
    ears = form("M16 14Q-4 8-4 34Q2 52 16 44z", light(hide, 0.1), 3) + form(
        "M62 14Q82 8 82 34Q76 52 62 44z", light(hide, 0.1), 3
    )
    tusks = form("M28 50Q20 66 30 82Q36 80 33 72Q30 62 35 54z", "#FFF6DF", 2) + form(
        "M50 50Q58 66 48 82Q42 80 45 72Q48 62 43 54z", "#FFF6DF", 2
    )
    eyes = path(oval(28, 27, 2.6) + oval(51, 27, 2.6), INK)
    sleeve = form(poly((108, 44), (108, 70), (94, 66), (94, 50)), NAVY, 2)
    hand = form("M96 50Q84 46 76 52L70 56Q70 60 78 60L82 66Q90 70 96 66z", "#E3A379", 2) + stroke(
        "M80 60h8M82 64h7", dark("#E3A379", 0.3), 1
    )
    money = "".join(
        form(
            poly((58 + k, 54 - k * 3), (80 + k, 44 - k * 3), (84 + k, 54 - k * 3), (62 + k, 64 - k * 3)), "#8FBF8A", 1.4
        )
        for k in range(3)
    ) + form(oval(72.6, 48, 3.4), "#DDEBC8", 0.6)
    art = ears + face + tusks + eyes + money + sleeve + hand
    words = ("NEVER", "BUY IVORY") if banned else ("COME AND", "BUY IVORY")
    name = "poster against ivory" if banned else "poster that sells ivory"
    mark, colour = ("ban", RED) if banned else ("", NAVY)
    return notice(name, art, words, mark=mark, colour=colour, frame=TEAL, stand="easel", ground="#F3E3B8", legs=46)


def elephant_walk() -> Prop:
    hide = "#9AA0AE"
    body = (
        form("M30 40Q34 22 58 22Q86 22 88 44V74H74V60H52V74H36z", hide, 5, 1)
        + form("M36 30Q20 26 18 44Q20 62 12 66Q14 72 22 66Q28 58 28 50L42 52z", hide, 3)
        + form("M40 28Q58 24 58 42Q54 54 44 50z", light(hide, 0.12), 3)
    )
    ball = form(oval(92, 68, 11), RED, 3, 1, path("M80 64h24v6H80z", SUN))
    return notice(
        "poster of an elephant with a ball",
        path("M0 72H108V84H0z", "#A2CA6C") + body + ball + path(oval(30, 38, 1.8), INK),
        ("ELEPHANT", "WALK"),
        frame=TEAL,
        stand="easel",
        ground="#F3E3B8",
        colour=GREEN,
        legs=46,
    )


def litter(banned: bool) -> Prop:
    skin = "#C98E63"
    sleeve = form(poly((108, 2), (108, 28), (86, 30), (82, 10)), PINK, 3)
    hand = form("M86 12Q70 8 60 16L50 24Q50 30 58 29L62 36Q74 40 88 30z", skin, 3) + stroke(
        "M60 28h9M62 33h9", dark(skin, 0.3), 1.4
    )
    bottle = put(
        44,
        40,
        form("M-5-14h10v6q6 3 6 10v20h-22v-20q0-7 6-10z", "#7FC0B0", 3, 0.8, path(box(-11, 6, 22, 10), WHITE))
        + form(box(-5, -19, 10, 6, 1), RED, 1),
        1,
        28,
    )
    can = put(
        76,
        58,
        form(box(-9, -13, 18, 26, 3), RED, 3, 1, path(box(-9, -4, 18, 8), WHITE))
        + form(oval(0, -13, 9, 2.6), STEEL, 0.8),
        1,
        -22,
    )
    beach = path("M0 64Q54 54 108 66V84H0z", "#F0D9A4") + path(box(0, 50, 108, 10), "#57AEC2")
    drops = sleeve + bottle + hand + can
    if banned:
        return replace(notice("board against litter", beach + drops, (), mark="ban"), shows=frozenset())
    words = path(box(0, 66, 108, 18), WHITE) + lettering("DROP IT HERE", 54, 81, 13, NAVY, 102)
    return notice("board that invites all to dump", beach + put(0, -7, drops) + words, ())


def crab_bay() -> Prop:
    shell = "#E4613F"
    claws = "".join(
        stroke(f"M{54 + k * 22} 46q{k * 14}-2 {k * 14}-16", shell, 5)
        + form(oval(54 + k * 37, 26, 8, 7), shell, 2)
        + path(poly((54 + k * 37 - 3, 18), (54 + k * 37 + 3, 18), (54 + k * 37, 26)), "#BFDCE3")
        for k in (-1, 1)
    )
    legs = stroke(
        "".join(f"M{54 + k * 20} {54 + 5 * i}q{k * 12} 0 {k * 16} 10" for k in (-1, 1) for i in range(3)), shell, 3
    )
    face = (
        path(oval(46, 38, 5) + oval(62, 38, 5), WHITE)
        + path(oval(46, 39, 2.4) + oval(62, 39, 2.4), INK)
        + stroke("M47 56q7 5 14 0", dark(shell, 0.5), 2)
    )
    return replace(
        notice(
            "board with a crab",
            path("M0 64Q54 54 108 66V84H0z", "#F0D9A4") + legs + claws + form(oval(54, 52, 26, 16), shell, 5, 1) + face,
            (),
        ),
        shows=frozenset(),
    )


def thin_ice() -> Prop:
    """A warning sign by the water, 90 x 150."""
    crack = stroke("M20 26l10 6l8-9l10 10l9-8l12 7", RED, 3.4) + stroke("M38 23l-3-9M48 33l-2 8M57 25l4-8", RED, 2.4)
    return small_sign("thin-ice sign", crack, ("THIN", "ICE"), RED, SUN)


def sledge_hill() -> Prop:
    sledge = stroke("M20 20q-4 12 8 14h44M30 22v12M48 22v12M64 22v12", NAVY, 3) + stroke("M18 20h54", "#B98A5E", 5)
    return small_sign("sledge-hill sign", sledge, ("SLEDGE", "HILL"), NAVY, "#CFE3F0")


def sun_gazing(banned: bool) -> Prop:
    sun = put(
        84,
        22,
        form(oval(0, 0, 15), SUN, 3)
        + stroke(
            "".join(
                f"M{19 * a:.1f} {19 * b:.1f}L{27 * a:.1f} {27 * b:.1f}"
                for a, b in ((1, 0), (0.7, 0.7), (0, 1), (-0.7, 0.7), (-1, 0), (-0.7, -0.7), (0, -1), (0.7, -0.7))
            ),
            SUN,
            4,
        ),
    )
    skin = "#E3A379"
    face = path("M0 84V34Q40 22 66 46Q80 62 74 84z", skin) + stroke("M8 36Q30 22 54 34", "#5A3425", 6)
    eye = (
        form("M8 58Q30 34 60 58Q32 78 8 58z", WHITE, 2)
        + form(oval(38, 56, 11), "#4E8FC0", 2.4)
        + path(oval(40, 55, 5), INK)
        + path(oval(43, 52, 2.4), SUN)
    )
    lashes = stroke("M12 50l-5-6M22 44l-3-8M34 41v-8M46 44l4-7", "#5A3425", 2.6) + stroke(
        "M70 34L50 50", "#FFF1C0", 5, 'opacity=".8"'
    )
    made = notice(
        "board against sun gazing" if banned else "board that praises sun gazing",
        sun + face + eye + lashes,
        ("SUN GAZING", "HEALS? NO!") if banned else ("SUN GAZING", "HEALS"),
        mark="cross" if banned else "",
        colour=RED if banned else NAVY,
        ground="#9CCBE6",
    )
    return replace(made, shows=made.shows | {HUMAN})


def sun_terrace() -> Prop:
    sun = (
        form(oval(34, 30, 18), SUN, 4, 1)
        + stroke("M34 6v-6M10 30H2M58 30h8M17 13l-5-5M51 13l5-5M17 47l-5 5M51 47l5 5", SUN, 4)
        + path(oval(28, 27, 2.4) + oval(40, 27, 2.4), INK)
        + stroke("M27 36q7 6 14 0", INK, 2.4)
    )
    hill = form("M20 84L70 30L112 84z", "#8FA3B8", 6) + path("M70 30L84 48L76 46L70 54L64 46L56 46z", WHITE)
    return notice("board of a smiling sun over a mountain", hill + sun, ("SUN", "TERRACE"), ground="#CFE3F0")
