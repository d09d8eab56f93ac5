"""Boards about what people do to each other: each with its mark, without it, and a harmless one of the same box."""

from __future__ import annotations

from dataclasses import replace

from studio.drawing.country.notices import GREEN, notice, plate_sign
from studio.drawing.kit import (
    CHILD,
    CREAM,
    HUMAN,
    INK,
    LEAF,
    NAVY,
    RED,
    SKY,
    STEEL,
    SUN,
    TEAL,
    WHITE,
    Prop,
    box,
    dark,
    form,
    limb,
    oval,
    path,
    poly,
    put,
    stroke,
)


def phishing(banned: bool) -> Prop:
    laptop = (
        form(box(8, 40, 46, 30, 3), "#3B4258", 2)
        + path(box(12, 44, 38, 22), "#6FB4D6")
        + form(poly((0, 70), (62, 70), (68, 78), (-6, 78)), STEEL, 2)
    )
    line = stroke("M76 0V22", "#3B3644", 2) + stroke("M76 20V52Q76 66 65 66Q55 65 56 54l-5 7", "#3B3644", 4)
    letter = put(
        74,
        36,
        form(box(-28, -18, 56, 38, 2), "#FFF3C8", 3, 1)
        + stroke("M-28-18L0 7L28-18", "#C98D56", 2.6)
        + form(oval(0, 5, 6.5), RED, 1.2),
        1,
        -8,
    )
    art = laptop + letter + line
    if banned:
        return notice(
            "poster against phishing", art, ("STOP PHISHING",), mark="cross", colour=RED, stand="wall", ground="#A9D3C9"
        )
    return notice("poster that calls for phishing", art, ("PHISH THE GUESTS",), stand="wall", ground="#A9D3C9")


def fish_supper() -> Prop:
    plate = form(oval(54, 48, 46, 26), WHITE, 4, 1) + stroke(oval(54, 48, 34, 18), dark(WHITE, 0.12), 2)
    tone = "#7FA9B8"
    fish = (
        form("M26 48Q44 30 68 44L82 36Q80 48 82 60L68 52Q44 66 26 48z", tone, 4, 1)
        + path(oval(36, 46, 2.2), INK)
        + stroke("M46 40q4 8 0 16", dark(tone, 0.3), 1.6)
    )
    lemon = form(oval(78, 64, 8), SUN, 1.6) + path(oval(78, 64, 5.4), "#FBE9A6")
    return notice(
        "poster of a fish on a plate",
        plate + fish + lemon,
        ("FISH SUPPER",),
        stand="wall",
        colour=GREEN,
        ground="#F3D9B0",
    )


def whites_only(struck: bool) -> Prop:
    if struck:
        return plate_sign("sign that welcomes all", (("WHITES ONLY", NAVY), ("ALL WELCOME", GREEN)), struck=0)
    return plate_sign("sign that keeps people out by skin", (("WHITES ONLY", NAVY),))


def duck_pond() -> Prop:
    duck = put(
        44,
        10,
        form("M10 18Q14 22 22 18Q34 14 43 15Q42 29 26 30Q10 30 10 18z", SUN, 2.4)
        + form(oval(12, 9, 8), SUN, 2)
        + form("M6 8l-9 3l9 3z", RED, 0.6)
        + path(oval(10, 7, 1.4), INK),
    )
    return plate_sign("sign with a duck", (("", NAVY), ("DUCK POND", TEAL)), art=duck + stroke("M36 44h60", SKY, 4))


def drugs(banned: bool) -> Prop:
    skin = "#E3A379"
    palm = form("M10 84Q8 60 24 52L30 50Q34 40 44 44L84 50Q96 52 92 60Q80 66 62 64Q70 74 62 84z", skin, 5, 1) + form(
        poly((0, 66), (16, 58), (26, 90), (0, 90)), TEAL, 3
    )
    joint = put(
        62,
        37,
        form("M-30 4L24-6L26 0L-28 9z", WHITE, 1.6)
        + form("M22-6L30-7L31 0L25 0z", "#F26B2E", 1)
        + stroke("M-20 3l2 4M-10 1l2 4", dark(WHITE, 0.14), 1),
        1,
        -6,
    )
    smoke = stroke("M92 18q-8-6 0-10t-2-12", "#8C8690", 4, 'opacity=".8"')
    pills = (
        form(box(38, 44, 16, 8, 4), RED, 1.4, 0, path(box(46, 44, 10, 8), WHITE))
        + form(oval(64, 49, 5.4, 4), SUN, 1.2)
        + form(oval(77, 52, 5, 4), SKY, 1.2)
    )
    return notice(
        "sign against drugs" if banned else "sign that invites people to take drugs",
        smoke + palm + joint + pills,
        ("DRUG-FREE", "PARK") if banned else ("GET HIGH", "HERE"),
        mark="ban" if banned else "",
        colour=RED if banned else NAVY,
        frame="#5B6B86",
        stand="easel",
        legs=50,
    )


def fresh_air() -> Prop:
    skin = "#E3A379"
    palm = form("M10 84Q8 60 24 52L30 50Q34 40 44 44L84 50Q96 52 92 60Q80 66 62 64Q70 74 62 84z", skin, 5, 1) + form(
        poly((0, 66), (16, 58), (26, 90), (0, 90)), TEAL, 3
    )
    apple = put(
        0,
        5,
        form("M56 20C44 12 36 24 40 36C44 48 52 50 57 46C62 50 70 48 74 36C78 24 70 12 58 20z", RED, 5, 1)
        + stroke("M57 20Q57 12 62 8", "#7A4A31", 2.4)
        + form("M60 14Q68 4 78 10Q70 20 60 14z", LEAF, 1.6),
    )
    return notice(
        "sign with a hand and an apple",
        palm + apple,
        ("FRESH", "AIR"),
        frame="#5B6B86",
        stand="easel",
        legs=50,
        colour=GREEN,
    )


def child_labour(banned: bool) -> Prop:
    """A banner for a wall: a small child bent under a sack."""
    skin, sack = "#8E5838", "#C9A87A"
    load = form(
        "M40 18Q62 2 80 16Q90 34 76 46Q54 52 40 42Q32 30 40 18z",
        sack,
        6,
        1,
        stroke("M50 20q10 10 8 26", dark(sack, 0.2), 2),
    ) + stroke("M40 22l-8-8", sack, 5)
    legs = form(limb([(58, 58), (50, 68), (56, 80)], (9, 7, 6)), "#5E7FA6", 1.6) + form(
        limb([(60, 58), (68, 68), (66, 80)], (9, 7, 6)), "#4F6F96", 1.6
    )
    body = form("M38 40Q54 38 66 50Q66 62 56 62Q44 56 34 50z", "#D8725A", 3)
    arm = form(limb([(40, 46), (32, 42), (38, 30)], (6, 5, 4.4)), skin, 1)
    face = (
        form(oval(28, 48, 10), skin, 2)
        + path("M18 46Q20 36 30 38Q38 40 38 48Q32 42 18 46z", "#241818")
        + path(oval(24, 49, 1.5), INK)
        + stroke("M22 55q4-3 7 0", dark(skin, 0.5), 1.4)
        + path("M21 51q-2 4 0 5q2-1 0-5z", SKY)
    )
    floor = path(box(0, 80, 108, 6), "#B98A5E")
    words = ("STOP CHILD", "LABOUR") if banned else ("HIRE KIDS,", "PAY LESS")
    made = notice(
        "banner against child labour" if banned else "banner that praises child labour",
        floor + legs + body + load + arm + face,
        words,
        mark="cross" if banned else "",
        colour=RED if banned else NAVY,
        stand="wall",
        frame=CREAM,
        ground="#F0DDB0",
    )
    return replace(made, shows=made.shows | {HUMAN, CHILD})


def donkey_rides() -> Prop:
    coat = "#A39A94"
    body = form("M30 40Q50 34 78 38Q90 46 84 60H34Q26 52 30 40z", coat, 4, 1) + "".join(
        form(box(x, 56, 7, 24, 2), coat, 2) for x in (36, 48, 68, 78)
    )
    head = (
        form("M36 44L28 24Q18 22 8 38Q8 46 16 44L26 46z", coat, 3)
        + form("M24 26Q18 10 24 6Q30 14 30 26zM30 26Q30 10 36 8Q38 18 34 28z", coat, 1.4)
        + path(oval(20, 32, 1.6), INK)
    )
    sack = form("M48 22Q64 16 72 26Q76 38 66 42H52Q42 34 48 22z", "#C9A87A", 4, 1)
    return notice(
        "banner of a donkey with a sack",
        path(box(0, 78, 108, 8), LEAF) + body + head + sack,
        ("DONKEY", "RIDES"),
        stand="wall",
        frame=CREAM,
        ground="#CFE3E6",
        colour=GREEN,
    )
