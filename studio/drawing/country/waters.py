"""Sea and lake: settings with the hour, the weather and the camera as arguments."""

from __future__ import annotations

from studio.drawing.country.landscape import falling, ground, heavens, ridge, scallop, tinted, water
from studio.drawing.country.trees import palm, reeds
from studio.drawing.kit import CORAL, RED, SUN, WHITE, box, dark, form, light, oval, path, poly, put, shadow, stroke
from studio.drawing.scene import H, Setting, W

SAND = "#F0D9A4"


def seaside(
    hour: str = "day",
    weather: str = "",
    *,
    horizon: float = 250,
    eye: float = 120,
    shore: float = 400,
    seed: int = 1,
    far: str = "cliff",
) -> Setting:
    """A beach; the water ends at `shore`; `far` is cliff, island or pier."""
    sea = {"storm": "#6D8E9E", "golden": "#6FA9B0"}.get(hour, "#4FAFC6")
    out = heavens(hour, seed=seed, low=horizon, sun=(300, horizon - 30) if hour == "golden" else None)
    out += {"cliff": _cliff, "island": _island, "pier": _pier}[far](horizon)
    out += water(horizon, shore + 10, sea, seed) + path(box(-5, horizon, W + 10, 3), light(sea, 0.4))
    if hour == "golden":
        out += "".join(
            path(oval(300, horizon + 14 + 16 * k, 70 - k * 5, 3), "#FFE9B8", extra='opacity=".7"') for k in range(6)
        )
    y = shore
    out += path(f"M-5 {y - 20}Q170 {y - 42} 340 {y - 16}T700 {y - 26}T{W + 5} {y - 12}V{y + 40}H-5z", light(sea, 0.35))
    out += path(f"M-5 {y - 8}Q170 {y - 30} 340 {y - 2}T700 {y - 12}T{W + 5} {y + 2}V{y + 50}H-5z", "#FFFDF6")
    out += path(f"M-5 {y + 2}Q170 {y - 18} 340 {y + 8}T700 {y - 2}T{W + 5} {y + 12}V{H + 5}H-5z", dark(SAND, 0.16))
    out += ground(y + 36, SAND, seed=seed, kind="sand", n=30)
    return Setting("beach", out, horizon, eye, (falling(weather, seed) if weather else "") + tinted(hour))


def _cliff(y: float) -> str:
    rocks = form(
        f"M640 {y}Q650 {y - 70} 720 {y - 84}L800 {y - 118}Q900 {y - 128} 960 {y - 112}L1060 {y - 130}V{y}z",
        "#B9B4A4",
        12,
    )
    return rocks + path(
        f"M716 {y - 84}L800 {y - 120}Q900 {y - 132} 960 {y - 114}L1060 {y - 132}V{y - 116}Q900 {y - 110} 716 {y - 84}z",
        "#8FAF7C",
    )


def _island(y: float) -> str:
    return form(
        f"M90 {y}Q150 {y - 60} 240 {y - 54}Q310 {y - 80} 380 {y - 30}Q420 {y - 24} 450 {y}z", "#9DB79A", 6
    ) + put(320, y - 40, palm("#7FA884"), 0.24)


def _pier(y: float) -> str:
    wood = "#A58A76"
    posts = "".join(form(box(x, y - 8, 8, 70, 1), dark(wood, 0.2), 2) for x in range(640, W, 60))
    hut = form(box(700, y - 62, 90, 46, 2), "#F1E4CE", 6) + form(
        poly((688, y - 60), (802, y - 60), (745, y - 104)), CORAL, 6
    )
    rail = stroke(f"M610 {y - 34}H{W}" + "".join(f"M{x} {y - 34}v22" for x in range(612, W, 22)), dark(wood, 0.1), 3)
    return hut + rail + posts + form(box(600, y - 16, 440, 12, 2), wood, 3)


def dunes(hour: str = "day", *, horizon: float = 270, eye: float = 150, seed: int = 1) -> Setting:
    """A gravel car park behind the dunes, a strip of sea between them."""
    out = (
        heavens(hour, seed=seed, low=horizon)
        + path(box(-5, horizon - 6, W + 10, 60), "#5FB0C4")
        + path(box(-5, horizon - 6, W + 10, 3), "#BFE2EC")
    )
    out += form(
        f"M-10 {horizon + 90}Q40 {horizon - 30} 190 {horizon - 24}Q330 {horizon - 10} 420 {horizon + 30}"
        f"Q470 {horizon + 44} 540 {horizon + 30}Q660 {horizon - 44} 800 {horizon - 40}"
        f"Q960 {horizon - 50} 1040 {horizon + 10}V{horizon + 100}H-10z",
        "#EBD3A0",
        10,
    )
    for k in range(34):
        x = k * 67 % 1040
        if 400 < x < 560:
            continue
        y = horizon - 14 + k * 29 % 70
        out += stroke(
            f"M{x} {y}q-6-20-14-28M{x + 4} {y}q0-22 2-34M{x + 8} {y}q6-18 16-24", ("#8FA35A", "#A5B56C")[k % 2], 2.6
        )
    planks = "".join(form(box(455 - k * 6, horizon + 34 + k * 9, 60 + k * 12, 7, 1), "#C9A77C", 2) for k in range(6))
    out += ground(horizon + 84, "#D6CBB8", seed=seed, kind="earth", n=40) + planks
    out += "".join(
        path(
            poly((x, horizon + 120), (x + 10, horizon + 120), (x + 10 - 70, horizon + 250), (x - 84, horizon + 250)),
            WHITE,
            extra='opacity=".7"',
        )
        for x in (120, 360, 600, 840, 1080)
    )
    return Setting("beach car park", out, horizon, eye, tinted(hour))


def lake(hour: str = "day", *, horizon: float = 170, eye: float = 240, seed: int = 6) -> Setting:
    """A lake from above with a far shore of willows, a jetty on the right, reeds in front."""
    out = (
        heavens(hour, seed=seed, low=horizon)
        + ridge(horizon + 10, 90, "#B9CDB8", seed)
        + ridge(horizon + 30, 50, "#9CBB8F", seed + 1)
    )
    out += path(box(-5, horizon + 26, W + 10, 60), "#A2CA6C")
    for k, x in enumerate((30, 150, 240, 420, 560, 690)):
        out += put(
            x,
            horizon + 54,
            shadow(0, 0, 46, 6, 0.4)
            + form("M-6 2V-50H6V2z", "#8A5F43", 3)
            + form(scallop(0, -70, 44, 30, 9, k + 1), "#8FB36A", 6)
            + stroke(
                "".join(f"M{d} -62q{d * 0.2:.0f} 18 {d * 0.1:.0f} 32" for d in (-40, -28, -14, 0, 14, 28, 40)),
                "#9CBF74",
                6,
            ),
        )
    out += water(horizon + 84, 720, "#6FB3C6", seed) + path(f"M-5 {horizon + 84}H{W + 5}v8H-5z", dark("#A2CA6C", 0.3))
    out += path(f"M700 {horizon + 60}H{W + 5}V{horizon + 180}Q860 {horizon + 190} 760 {horizon + 130}z", "#B5D082")
    out += "".join(
        put(
            x,
            y,
            stroke("M0 0V-60", WHITE, 4)
            + form("M-44-50Q-36-92 0-94Q36-92 44-50Q33-58 22-50Q11-58 0-50Q-11-58-22-50Q-33-58-44-50z", c, 6),
        )
        for x, y, c in ((790, horizon + 122, RED), (975, horizon + 150, SUN))
    )
    planks = "".join(
        form(
            poly((960 - 7 * k, 400 + 18 * k), (1030, 400 + 18 * k), (1030, 414 + 18 * k), (952 - 7 * k, 414 + 18 * k)),
            "#C9A77C",
            3,
        )
        for k in range(9)
    )
    out += (
        "".join(form(box(x, y, 11, 46, 3), "#8A5F43", 3) for x, y in ((946, 420), (902, 540), (1000, 420), (1000, 548)))
        + planks
    )
    out += (
        put(60, 700, reeds(n=13), 1.7) + put(190, 706, reeds(n=8, seed=6), 1.3) + put(840, 706, reeds(n=9, seed=9), 1.4)
    )
    return Setting("lake", out, horizon, eye, tinted(hour))
