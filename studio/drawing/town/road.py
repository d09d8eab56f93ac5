"""A country road at dusk: car, billboard, signs."""

from __future__ import annotations

from studio.drawing.faces import head
from studio.drawing.kit import (
    BLUE,
    CORAL,
    CREAM,
    HUMAN,
    INK,
    LEAF,
    NAVY,
    PINK,
    PLUM,
    RED,
    STEEL,
    SUN,
    TEAL,
    TEXT,
    WHITE,
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
    veil,
)
from studio.drawing.poses import Look, Pose
from studio.drawing.scene import Setting, W
from studio.drawing.town.outdoors import sky


def evening_road() -> Setting:
    out = (
        sky("#5B5C97", "#F7B98A") + veil(oval(300, 330, 190), "#FFE0A8", 0.35) + form(oval(300, 330, 66), "#FFE6B0", 0)
    )
    out += "".join(
        stroke(f"M{x} {y}h{w}", "#F6C6A6", 9, 'opacity=".55"')
        for x, y, w in (
            (60, 120, 210),
            (150, 142, 120),
            (520, 92, 170),
            (600, 114, 220),
            (430, 190, 120),
            (20, 212, 130),
        )
    )
    out += path("".join(oval(400 + 173 * i % 620, 20 + 37 * i % 80, 1.8) for i in range(13)), "#FFF4DC")
    out += path("M0 330Q120 250 260 310T520 270T800 300T1024 250V470H0z", "#6E6A94") + path(
        "M0 380Q200 310 420 366T820 340T1024 352V480H0z", "#57668A"
    )
    out += path("M0 410Q260 370 520 404T1024 392V560H0z", "#4F7565") + path(
        "M0 440Q300 404 640 440T1024 424V600H0z", "#5E8A66"
    )
    for x, y, k in ((70, 418, 0.5), (150, 408, 0.38), (470, 398, 0.36), (540, 404, 0.46), (980, 400, 0.4)):
        out += put(
            x,
            y,
            form("M0 0L-40 0L-24-30L-34-30L-14-66L-22-66L0-104L22-66L14-66L34-30L24-30L40 0z", "#3F6257", 9),
            k * 1.4,
        ) + put(x, y, path(box(-5, 0, 10, 14), "#4B3A44"), k * 1.4)
    farm = (
        form(poly((0, 0), (0, -30), (30, -50), (60, -30), (60, 0)), "#A65A5A", 5)
        + path(box(22, -22, 16, 22), "#5B3A4A")
        + path(box(24, -40, 12, 9), SUN)
    )
    out += put(390, 428, farm, 0.8)
    out += path("M0 500Q300 480 1024 492V683H0z", "#6F9A6A")
    tar = "#5C5F78"
    out += (
        path(box(0, 536, W, 150), light("#B9AFA6", 0.1))
        + path(box(0, 546, W, 150), tar)
        + path(box(0, 546, W, 6), dark(tar, 0.2))
    )
    out += "".join(
        path(poly((x, 610), (x + 92, 610), (x + 84, 619), (x - 12, 619)), "#F3E9D2") for x in range(-40, W, 180)
    )
    out += path(box(0, 672, W, 5), "#F3E9D2")
    tufts = "".join(
        f"M{x} {y}l4-13l4 13M{x + 7} {y}l5-10l2 10"
        for x, y in ((40, 520), (190, 528), (330, 516), (455, 528), (960, 522), (560, 512))
    )
    return Setting("evening road", out + stroke(tufts, dark("#6F9A6A", 0.3), 2.6), 350, 150)


def billboard(name: str, art: str, lines: tuple[str, ...], *, colour: str = NAVY, banned: bool = False) -> Prop:
    """A roadside hoarding on two posts, 400 x 380 cm; `art` fills a field of 190 x 190 at (14, 14)."""
    posts = "".join(form(box(x, 210, 16, 166, 2), "#6B5A5E", 4) for x in (84, 300)) + stroke(
        "M96 350L304 236", "#564850", 7
    )
    frame = form(box(0, 0, 400, 222, 5), "#6B5A5E", 4, 1.6) + path(box(9, 9, 382, 204, 2), CREAM)
    picture = clipped(box(14, 14, 190, 194), path(box(14, 14, 190, 194), "#BFDCE3") + art)
    step = 190 / len(lines)
    words = "".join(
        lettering(t, 298, 14 + step * (i + 0.5) + 15, 31, colour if i != 1 else NAVY, 174) for i, t in enumerate(lines)
    )
    return Prop(
        name,
        400,
        380,
        shadow(200, 374, 150, 8, 0.7) + posts + frame + picture + (ban(109, 111, 84) if banned else "") + words,
        shows=frozenset({TEXT}),
    )


def drink_drive_board(banned: bool) -> Prop:
    """A foaming mug over a swerving car; the ban is the ring, the bar and one word."""
    road = path("M14 150h190v60H14z", "#5C5F78") + stroke(
        "M20 196Q60 170 84 190T150 178", "#3C3F55", 5, 'stroke-dasharray="14 8"'
    )
    car = put(134, 186, put(-92, -74, _little_car(RED)), 0.8, -9)
    beer = form(
        "M34 46h62v84q0 8-8 8H42q-8 0-8-8z",
        "#EFA93A",
        9,
        2,
        path(box(34, 46, 62, 20), "#FFF3D6") + "".join(stroke(f"M{x} 80v44", "#F9D58A", 6) for x in (50, 66, 82)),
    )
    beer += stroke("M98 66h14q12 0 12 14v20q0 14-12 14H98", "#F2E6CC", 9)
    foam = path(
        oval(42, 44, 15) + oval(64, 36, 18) + oval(86, 44, 15) + oval(74, 50, 14) + oval(52, 52, 13), "#FFF8E6"
    ) + form("M40 50q8 4 8 22q0 8-6 8t-6-8z", "#FFF8E6", 1)
    art = road + put(-2, 2, beer + foam) + car
    if banned:
        return billboard(
            "billboard against drink-driving", art, ("NEVER", "DRINK", "AND DRIVE"), colour=RED, banned=True
        )
    return billboard("billboard that advertises drink-driving", art, ("ALWAYS", "DRINK", "AND DRIVE"), colour=TEAL)


def fair_board() -> Prop:
    wheel = "".join(
        stroke(f"M109 96L{109 + x} {96 + y}", "#A8612E", 3) + form(box(109 + x - 11, 96 + y - 6, 22, 17, 5), c, 3)
        for x, y, c in (
            (0, -66, RED),
            (47, -47, SUN),
            (66, 0, TEAL),
            (47, 47, BLUE),
            (0, 66, CORAL),
            (-47, 47, LEAF),
            (-66, 0, PLUM),
            (-47, -47, PINK),
        )
    )
    art = (
        path("M14 176q90-30 190 0v40H14z", LEAF)
        + stroke("M109 96L74 196M109 96L144 196", "#7A4A31", 7)
        + stroke(oval(109, 96, 66), "#A8612E", 5)
        + wheel
        + form(oval(109, 96, 10), SUN, 3)
    )
    return billboard("billboard for a fair", art, ("COUNTRY", "FAIR", "IN MAY"), colour=RED)


def _little_car(colour: str) -> str:
    wheels = "".join(form(oval(x, 62, 17), INK, 4) + path(oval(x, 62, 7), CREAM) for x in (40, 142))
    return (
        form("M4 60V40q0-8 12-10l24-6l18-18q6-6 16-6h34q10 0 16 8l20 20l28 6q12 2 12 14v12z", colour, 9, 2)
        + path("M52 24l14-14h22v14zM96 24V10h12q6 0 10 6l8 8z", "#DDF0F5")
        + wheels
    )


def car(colour: str, driver: Look) -> Prop:
    """A family car that drives to the left, its driver behind the window; 410 x 150 cm."""
    face, dark_glass = head(driver, Pose(turn=-0.9)), "#8FA9C4"
    glass = "M112 62L148 18Q152 12 160 12H214V62zM226 62V12H262Q274 12 282 20L318 62z"
    inside = path(glass, dark_glass) + clipped(
        glass,
        form("M160 92Q158 56 186 50T216 92z", driver.top, 3)
        + put(186, 36, face[0] + face[1], 1.6)
        + stroke("M138 64q0-14 10-18", "#20263C", 4)
        + stroke("M176 64Q164 66 152 54", driver.top, 9)
        + form(oval(149, 52, 5.5), driver.skin, 1),
    )
    shell = form(
        (
            "M4 112V88Q4 76 20 72L96 60L136 14Q142 6 154 6H268Q282 6 290 14L332 58L386"
            " 66Q404 70 404 88V112q0 6-8 6H12q-8 0-8-6z"
        ),
        colour,
        16,
        3,
    )
    shine = veil("M118 58L148 22h14L136 58zM232 58V16h14V58z", "#fff", 0.22)
    wheels = "".join(
        path(oval(x, 116, 37), dark(colour, 0.6))
        + form(oval(x, 118, 31), "#2E2B38", 7)
        + form(oval(x, 118, 17), "#C9CEDA", 4)
        + path(oval(x, 118, 5), "#5A6379")
        for x in (86, 322)
    )
    trim = (
        stroke("M220 66V108M126 66h196", dark(colour, 0.3), 2.4)
        + form(box(232, 74, 20, 5, 2), dark(colour, 0.35), 0)
        + form(oval(16, 86, 11, 8), "#FFF1C0", 2)
        + form(box(394, 78, 10, 15, 3), RED, 1.4)
        + path(box(2, 102, 26, 9, 3), dark(colour, 0.4))
    )
    beam = path(poly((8, 78), (8, 94), (-190, 138), (-190, 90)), "#FFF1C0", extra='opacity=".28"')
    return Prop(
        "car",
        410,
        150,
        shadow(204, 147, 220, 11, 0.75) + beam + shell + inside + shine + trim + wheels,
        shows=frozenset({HUMAN}),
    )


def milestone() -> Prop:
    return Prop(
        "kilometre stone",
        34,
        60,
        shadow(17, 58, 20, 4, 0.6)
        + form("M3 58V18Q3 2 17 2T31 18V58z", "#E9E2D2", 4, 1, path(box(0, 0, 34, 18), RED))
        + lettering("12", 17, 44, 13, INK),
    )


def warning_sign() -> Prop:
    """A triangle that warns of a bend."""
    plate = form("M40 2Q44 2 46 6L78 60Q80 66 74 66H6Q0 66 2 60L34 6Q36 2 40 2z", RED, 4, 1)
    inner = path("M40 15L68 58H12z", WHITE) + stroke("M36 54V44Q36 38 41 36T44 28", INK, 5)
    return Prop(
        "warning sign", 80, 210, shadow(40, 208, 24, 4, 0.6) + form(box(37, 60, 6, 148, 1), STEEL, 1.6) + plate + inner
    )
