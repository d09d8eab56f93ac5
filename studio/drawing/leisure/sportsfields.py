"""Where sport is done: a running track, a baseball field towards evening, a football ground at dusk, a gym."""

from __future__ import annotations

from studio.drawing.kit import (
    TEAL,
    WHITE,
    WOOD,
    box,
    clipped,
    dark,
    form,
    lettering,
    light,
    oval,
    path,
    poly,
    stroke,
    veil,
)
from studio.drawing.rooms import floor, light_shaft, window
from studio.drawing.scene import H, Setting, W
from studio.drawing.town.outdoors import clouds
from studio.drawing.weather import lamp_glow, sky, tree


def grandstand(x: float, y: float, w: float, h: float, seats: str, roof: str, rows: int = 5) -> str:
    """A covered stand with rows of seats, its foot at `y`, in page pixels."""
    out = form(poly((x, y), (x, y - h * 0.5), (x + w, y - h * 0.5), (x + w, y)), dark(seats, 0.45), 0)
    out += path(box(x, y - h * 0.9, w, h * 0.42), dark(seats, 0.55))
    for i in range(rows):
        top, tone = y - h * (0.14 + 0.13 * i), light(seats, 0.1 * i) if i % 2 else seats
        out += path("".join(box(x + 6 + 17 * j, top, 13, h * 0.09, 3) for j in range(int((w - 10) // 17))), tone)
    out += "".join(form(box(px, y - h * 0.92, 6, h * 0.92), "#5A6379", 2) for px in (x + 3, x + w / 2 - 3, x + w - 9))
    return out + form(
        poly((x - 18, y - h * 0.86), (x - 6, y - h), (x + w + 6, y - h), (x + w + 18, y - h * 0.86)), roof, 4, 2
    )


def mesh_fence(y: float, high: float, step: int = 22, colour: str = "#7C8A94") -> str:
    """A wire fence across the page, its foot at `y`."""
    wires = "".join(f"M{x} {y - high}l{high} {high}M{x} {y}l{high} {-high}" for x in range(-int(high), W, step))
    posts = "".join(form(box(x, y - high - 6, 6, high + 6, 2), colour, 2) for x in range(30, W, 180))
    return (
        clipped(box(0, y - high, W, high), stroke(wires, colour, 1, 'opacity=".55"'))
        + stroke(f"M0 {y - high}H{W}", colour, 3)
        + posts
    )


def running_track() -> Setting:
    """A red track with white lanes before a lawn; grandstand and trees behind a fence; a sunny morning."""
    out = sky("morning", sun=(876, 84)) + clouds((330, 90, 0.9), (560, 56, -0.7))
    out += path("M0 300Q200 236 470 284T1024 262V360H0z", "#B3CDA0")
    out += "".join(
        tree(x, 356, h, k)
        for x, h, k in (
            (560, 150, "round"),
            (690, 120, "birch"),
            (790, 168, "round"),
            (930, 150, "round"),
            (1010, 130, "birch"),
        )
    )
    out += grandstand(-30, 366, 390, 190, "#5C86B0", "#E6E0D2")
    out += path(box(0, 360, W, 130), "#9CC568") + path(box(0, 360, W, 12), dark("#9CC568", 0.16)) + mesh_fence(398, 62)
    out += path("M0 470Q500 430 1024 462V500H0z", light("#9CC568", 0.2))
    red = "#C8664E"
    out += path(f"M0 486Q520 462 {W} 480V{H}H0z", red) + path(f"M0 620Q520 590 {W} 612V{H}H0z", light(red, 0.12))
    lanes = "".join(f"M0 {a}Q520 {a - 24 - i * 3} {W} {a - 6}" for i, a in enumerate((490, 518, 552, 594, 646)))
    out += stroke(lanes, "#FBEFE4", 3) + stroke("M708 473L812 683", "#FBEFE4", 5)
    out += "".join(_lane_number(x, y, n) for x, y, n in ((800, 536, "1"), (842, 584, "2"), (892, 644, "3")))
    return Setting("running track", out, 262, 172)


def _lane_number(x: float, y: float, n: str) -> str:
    """A lane's number, laid flat on the track."""
    return f'<g transform="translate({x},{y}) skewX(20) scale(1,.6)">{lettering(n, 0, 0, 30, "#FBEFE4")}</g>'


def baseball_field() -> Setting:
    """An infield of clay with white lines, a fence, a scoreboard that shows numbers, the low sun at the left."""
    out = sky("sunset", sun=(150, 196)) + path("M0 296Q240 230 520 280T1024 250V360H0z", "#A99A84")
    out += "".join(
        tree(x, 350, h, k)
        for x, h, k in (
            (40, 170, "autumn"),
            (290, 140, "round"),
            (420, 120, "autumn"),
            (900, 180, "round"),
            (1000, 150, "autumn"),
        )
    )
    board = form(box(600, 158, 210, 116, 5), "#3F5A4E", 5, 2) + "".join(
        form(box(x, 268, 12, 90), "#5A4A4A", 3) for x in (630, 768)
    )
    for i, (a, b) in enumerate((("1", "0"), ("0", "2"), ("3", "1"), ("2", "2"))):
        for j, n in enumerate((a, b)):
            board += path(box(622 + 44 * i, 174 + 48 * j, 34, 38, 3), "#24382F") + lettering(
                n, 639 + 44 * i, 204 + 48 * j, 24, "#F6D98A"
            )
    out += board + path(box(0, 344, W, 60), "#86A258") + mesh_fence(362, 52, 20, "#8C7F78")
    out += path(f"M0 372H{W}V{H}H0z", "#9DB45E") + path("M0 400Q500 380 1024 396V430H0z", light("#9DB45E", 0.2))
    clay = "#D8A273"
    out += path("M-40 520Q250 424 560 428T1064 500V683H-40z", clay) + path(
        "M120 600Q400 512 700 560T900 683H60z", "#9DB45E"
    )
    out += stroke("M-20 640L420 436L1040 560", "#FBF3E4", 4)
    out += path(poly((392, 440), (420, 430), (450, 438), (422, 449)), WHITE) + veil(
        poly((422, 449), (450, 438), (520, 444), (470, 454)), "#3A2A5C", 0.22
    )
    return Setting("baseball field", out, 268, 150, veil(box(0, 0, W, H), "#FF9A50", 0.12))


def football_ground() -> Setting:
    """The pitch from low down at dusk: a stand, two floodlights that burn, a goal at the left."""
    out = sky("dusk") + f'<g opacity=".35">{clouds((210, 120, 0.8), (760, 70, -0.9))}</g>'
    out += "".join(tree(x, 470, h, "round") for x, h in ((26, 190), (98, 150), (960, 200), (1020, 160)))
    out += grandstand(150, 474, 740, 330, "#5B6FA8", "#C9CBD8", 6)
    for x in (118, 912):
        out += stroke(f"M{x} 470V96", "#4B4E68", 9) + form(box(x - 46, 44, 92, 56, 5), "#3C3F55", 4)
        out += "".join(
            lamp_glow(x - 30 + 30 * i, 58 + 26 * j, 34) + path(oval(x - 30 + 30 * i, 58 + 26 * j, 10), "#FFF8DF")
            for i in range(3)
            for j in range(2)
        )
        out += lamp_glow(x, 72, 170)
    lawn = "#6E9E58"
    out += path(box(0, 468, W, H), lawn)
    out += "".join(
        path(
            poly((512 + (x - 512) * 0.2, 468), (512 + (x + 170 - 512) * 0.2, 468), (x + 170, H), (x, H)),
            light(lawn, 0.12),
        )
        for x in range(-2380, 3400, 340)
    )
    out += path(box(0, 468, W, 7), dark(lawn, 0.3)) + stroke(f"M0 520H{W}", "#EDF3E2", 4)
    net = clipped(
        box(-20, 372, 210, 122),
        stroke(
            "".join(f"M{x} 366V500" for x in range(-20, 200, 11))
            + "".join(f"M-30 {y}H200" for y in range(372, 500, 11)),
            "#E4E9F0",
            1,
            'opacity=".6"',
        ),
    )
    return Setting(
        "football ground",
        out + net + stroke("M-20 372H192V496", WHITE, 7),
        440,
        72,
        veil(box(0, 0, W, H), "#3A3F86", 0.13),
    )


def gym() -> Setting:
    """A tidy gym in the pale light of early morning: a mirror, wall bars, a window, a clock, a beam above."""
    wall, base = "#D5DEE2", 436
    out = path(box(0, 0, W, base), wall) + form(box(0, 20, W, 22), "#8E9AA6", 5, 2)
    out += light_shaft(70, 96, 210, 210, base, "#FFF4DE")
    out += window(40, 96, 210, 210, "morning", frame="#F6F8F6")
    glass = path(box(300, 110, 250, 318, 4), "#B9D0D8") + clipped(
        box(300, 110, 250, 318),
        path(box(300, 400, 250, 40), "#A9B8B4")
        + veil(
            poly((330, 110), (400, 110), (320, 428), (250, 428)) + poly((470, 110), (520, 110), (440, 428), (390, 428)),
            "#fff",
            0.4,
        ),
    )
    out += glass + stroke(box(300, 110, 250, 318, 4), "#F6F8F6", 7)
    rails = "".join(form(box(x, 70, 12, base - 76, 2), WOOD, 4, 1) for x in (846, 924, 1002))
    out += "".join(form(box(846, y, 168, 9, 4), light(WOOD, 0.25), 2.4) for y in range(84, base - 12, 27)) + rails
    x = 622
    hands = stroke(f"M{x} 122V94M{x} 122L{x - 10} 139", "#3F4658", 5)
    out += (
        path(oval(x + 4, 128, 44), dark(wall, 0.25))
        + form(oval(x, 122, 44), WHITE, 5)
        + stroke(oval(x, 122, 42), TEAL, 5)
        + stroke(f"M{x} 88v6M{x} 150v6M{x - 34} 122h6M{x + 28} 122h6", "#3F4658", 3)
        + hands
    )
    out += path(box(0, base - 12, W, 12), "#A9B6BC") + floor("#A9B8B4", base, 268, "boards", 440)
    out += veil(poly((190, base), (420, base), (560, 560), (300, 560)), "#FFEFC4", 0.4)
    return Setting("gym", out, 268, 158)
