"""A railway station: the platform under its roof, trains, and what waits there."""

from __future__ import annotations

from studio.drawing.kit import (
    BLUE,
    CREAM,
    INK,
    LEAF,
    NAVY,
    RED,
    STEEL,
    SUN,
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
)
from studio.drawing.scene import H, Setting, W
from studio.drawing.town.daylight import curtain, heaven


def carriage(colour: str, lit: bool = False) -> str:
    """One railway coach in page pixels, 640 wide, rails at y = 0."""
    glass = "#FBE3A4" if lit else "#9CC3D0"
    out = (
        form(box(0, -196, 640, 166, 16), colour, 12, 3)
        + path(box(0, -66, 640, 12), CREAM)
        + path(box(14, -206, 612, 14, 6), dark(colour, 0.5))
    )
    for x in (40, 150, 260, 440, 550):
        out += (
            path(box(x, -164, 78, 66, 8), dark(colour, 0.5))
            + path(box(x + 4, -160, 70, 58, 6), glass)
            + path(poly((x + 4, -160), (x + 46, -160), (x + 4, -114)), light(glass, 0.4))
        )
    for x in (352, 392):
        out += form(box(x, -172, 38, 136, 4), light(colour, 0.15), 3) + path(box(x + 7, -160, 24, 54, 5), glass)
    wheels = "".join(form(oval(x, -14, 15), "#3C3F55", 4) + path(oval(x, -14, 5), STEEL) for x in (80, 132, 510, 562))
    return path(box(30, -34, 580, 14, 3), "#3C4356") + wheels + out


def _country(lit: bool) -> str:
    """Evening hills in two rows with a few trees, for a halt in the country."""
    tone = "#8FA98C" if not lit else "#7A7C8E"
    out = path("M0 300Q160 190 360 262T700 216T1024 250V420H0z", light(tone, 0.25))
    out += path("M0 330Q240 262 520 322T1024 296V420H0z", tone)
    spots = ((60, 342, 0.5), (120, 350, 0.7), (430, 344, 0.5), (700, 340, 0.6), (760, 350, 0.4), (980, 338, 0.7))
    crown = form(oval(0, -78, 40, 46), dark(tone, 0.25), 8)
    return out + "".join(put(x, y + 14, path(box(-5, -44, 10, 44), "#6B5560") + crown, k) for x, y, k in spots)


def _town(lit: bool) -> str:
    out = path("M0 300Q160 236 330 280T700 256T1024 276V420H0z", dark("#A9C3A0", 0.35 if lit else 0.05))
    rows = (
        (40, 110, 96, "#D8C3A4"),
        (170, 90, 64, "#C5A592"),
        (640, 130, 110, "#C9CEC6"),
        (800, 96, 70, "#D8B79C"),
        (910, 130, 90, "#BFC9CF"),
    )
    for x, w, h, wall in rows:
        panes = ((i, j) for i in range(w // 26) for j in range(h // 34))
        out += form(box(x, 300 - h, w, h + 60), wall, 6)
        out += "".join(
            path(box(x + 10 + 24 * i, 312 - h + 30 * j, 13, 17), "#F9DD92" if lit and (i + j) % 2 else "#8FB0BC")
            for i, j in panes
        )
    return out


def _roof(lit: bool, sign: str) -> str:
    """A roof on iron posts with a hanging sign."""
    out = path(box(0, 0, W, 66), "#5A6B78") + path(box(0, 58, W, 16), "#43525F")
    out += "".join(
        path(poly((x, 0), (x + 70, 0), (x + 62, 58), (x + 8, 58)), "#4A5672" if lit else "#8FA6B0")
        for x in range(20, W, 128)
    )
    out += stroke("".join(f"M{x} 74l16 14l16-14" for x in range(0, W, 32)), "#43525F", 3)
    for x in (96, 928):
        out += form(box(x - 9, 74, 18, 392), "#4F6B64", 5) + form(box(x - 15, 448, 30, 22, 3), "#3F5650", 4)
        out += stroke(f"M{x - 8} 140Q{x - 12} 90 {x - 64} 80M{x + 8} 140Q{x + 12} 90 {x + 64} 80", "#4F6B64", 7)
    return (
        out
        + form(box(400, 96, 236, 50, 5), NAVY, 4)
        + stroke("M430 74v22M606 74v22", "#43525F", 5)
        + lettering(sign, 518, 129, 22, WHITE, 214)
    )


def platform(
    *,
    time: str = "morning",
    weather: str = "",
    train: str = "#C9564A",
    train_x: float = -80,
    sign: str = "PLATFORM 2",
    roof: bool = True,
    horizon: float = 300,
    eye: float = 155,
) -> Setting:
    """A platform by the line; `train` is the coaches' colour, '' for none; without a roof it lies in the country."""
    lit = time in ("dusk", "night")
    out = heaven(time) + (_town(lit) if roof else _country(lit))
    out += path(box(0, 356, W, 20), dark("#7E9A74", 0.1)) + path(box(0, 372, W, 70), "#9C8F86")
    out += "".join(path(box(x, 414, 26, 9), "#7A5E50") for x in range(-10, W, 52))
    out += path(box(0, 408, W, 5), "#BFC6D2") + path(box(0, 421, W, 5), "#8C93A6")
    if train:
        out += put(train_x, 424, carriage(train, lit)) + put(train_x + 648, 424, carriage(train, lit))
    slab = "#CFC8BC"
    out += path(box(0, 444, W, H), slab) + path(box(0, 434, W, 10), light(slab, 0.5)) + path(box(0, 456, W, 9), SUN)
    seams = "".join(f"M{512 + (x - 512) * 0.5:.0f} 465L{x} {H}" for x in range(-700, 1800, 140))
    out += stroke("".join(f"M0 {y}H{W}" for y in (492, 538, 600)) + seams, dark(slab, 0.1), 2)
    if roof:
        out += _roof(lit, sign)
    else:
        birds = "".join(
            f"M{x} {y}q8-9 12 0q5-9 13-1" for x, y in ((610, 120), (660, 96), (700, 140), (560, 160), (760, 110))
        )
        out += stroke(birds, "#4A4458", 3)
    return Setting("station", out, horizon, eye, curtain(time, weather))


def station_clock(hands: str = "M35 36V18M35 36L47 43") -> Prop:
    """A clock on a cast-iron post, 70 x 300 cm; `hands` go from (35, 36)."""
    post = form(box(31, 60, 8, 238, 2), "#3F5650", 3) + form("M18 300Q20 272 35 266Q50 272 52 300z", "#3F5650", 4)
    dial = (
        form(oval(35, 36, 35), "#3F5650", 5, 2)
        + path(oval(35, 36, 28), WHITE)
        + stroke(
            "".join(
                f"M{35 + 24 * x:.1f} {36 + 24 * y:.1f}l{-4 * x:.1f} {-4 * y:.1f}"
                for x, y in ((0, -1), (1, 0), (0, 1), (-1, 0))
            ),
            INK,
            2.4,
        )
    )
    return Prop(
        "station clock",
        70,
        300,
        shadow(36, 298, 30, 5, 0.6) + post + dial + stroke(hands, INK, 3) + path(oval(35, 36, 3), RED),
    )


def departures(
    rows: tuple[tuple[str, str], ...] = (("9:15", "LAKESIDE"), ("9:40", "OLD MILL"), ("10:05", "HARBOUR")),
) -> Prop:
    """A departures board on two posts, 170 x 230 cm."""
    posts = "".join(form(box(x, 100, 8, 128, 2), "#43525F", 2) for x in (26, 136))
    frame = form(box(0, 0, 170, 118, 5), "#2E3A4E", 4, 1.4) + path(box(6, 24, 158, 88, 2), "#1C2436")
    lines = "".join(
        lettering(t, 34, 46 + 27 * i, 11, SUN) + lettering(w, 110, 46 + 27 * i, 11, WHITE, 92)
        for i, (t, w) in enumerate(rows)
    )
    return Prop(
        "departures board",
        170,
        230,
        shadow(85, 227, 80, 6, 0.5) + posts + frame + lettering("DEPARTURES", 85, 18, 11, CREAM) + lines,
    )


def ticket_machine() -> Prop:
    """A ticket machine, 80 x 180 cm."""
    screen = (
        path(box(14, 46, 44, 34, 2), "#1C2436")
        + path(box(17, 49, 38, 28), "#BFE2EC")
        + "".join(path(box(20, 52 + 8 * i, 20, 5, 1), (LEAF, BLUE, SUN)[i]) for i in range(3))
    )
    keys = (
        "".join(path(box(62 + 0 * i, 48 + 9 * i, 8, 6, 1), CREAM) for i in range(4))
        + path(box(16, 92, 30, 5, 2), INK)
        + path(box(20, 120, 38, 16, 3), "#1C2436")
    )
    head = form(box(0, 0, 80, 30, 6), SUN, 3, 1) + lettering("TICKETS", 40, 20, 12, NAVY, 70)
    return Prop(
        "ticket machine",
        80,
        180,
        shadow(42, 178, 46, 6, 0.6) + form(box(4, 26, 72, 152, 4), BLUE, 8, 2) + screen + keys + head,
    )


def book_kiosk() -> Prop:
    """A newspaper kiosk, 240 x 250 cm, open in front."""
    shell = form(box(10, 40, 220, 208, 4), "#4F6B64", 10, 2) + path(box(26, 64, 188, 92), "#2F4640")
    papers = "".join(
        form(
            box(34 + 30 * i, 72 + 42 * j, 22, 30, 1),
            (CREAM, "#BFD9E2", "#F2C6B0", SUN, "#CFE0BE", WHITE)[(i + j) % 6],
            2,
        )
        + stroke(f"M{37 + 30 * i} {79 + 42 * j}h16m-16 6h12m-12 5h15", dark("#8C93A6", 0.1), 1.6)
        for i in range(6)
        for j in range(2)
    )
    awning = "".join(form(f"M{4 + 29 * i} 40h29v20q-14 12-29 0z", RED if i % 2 else CREAM, 3) for i in range(8))
    top = form(box(30, 4, 180, 36, 5), NAVY, 4) + lettering("NEWS", 120, 32, 22, CREAM)
    return Prop(
        "kiosk",
        240,
        250,
        shadow(124, 247, 130, 9, 0.6)
        + shell
        + papers
        + form(box(16, 156, 208, 10, 2), WOOD, 3)
        + top
        + awning
        + clipped(
            box(26, 170, 188, 70),
            "".join(path(box(30 + 48 * i, 176, 40, 58, 2), light("#4F6B64", 0.14)) for i in range(4)),
        ),
    )
