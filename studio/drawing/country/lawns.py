"""Parks and gardens: settings with the hour, the weather and the camera as arguments."""

from __future__ import annotations

from studio.drawing.country.landscape import ground, heavens, ridge, scallop, tinted, way, weathered
from studio.drawing.country.trees import AUTUMN, broad_tree
from studio.drawing.kit import (
    LEAF,
    RED,
    SUN,
    WHITE,
    WOOD,
    box,
    dark,
    form,
    light,
    mix,
    oval,
    path,
    poly,
    put,
    shadow,
    stroke,
)
from studio.drawing.scene import Setting, W


def lawn_park(
    hour: str = "day",
    weather: str = "",
    *,
    horizon: float = 300,
    eye: float = 140,
    seed: int = 1,
    autumn: bool = False,
    trees: tuple[tuple[float, float, float], ...] = (),
    path_to: float | None = 620,
) -> Setting:
    """A town park: skyline, a belt of trees, a lawn; `trees` are (x, foot, size), `path_to` where a path comes near."""
    leaves = AUTUMN if autumn else ("#74A372", "#86B36A", "#6B9A6A")
    out = heavens(hour, seed=seed, low=horizon)
    blocks = "".join(
        box(k * 92 + seed * 53 % 90 - 60, horizon - 76 - (k + seed) * 37 % 64, 50 + k * 17 % 34, 200) for k in range(12)
    )
    out += path(blocks, mix("#A9BBC6", "#C9D2D2", 0.4))
    for k in range(13):
        x = k * 86 + seed * 31 % 60 - 30
        belt = scallop(x, horizon + 6, 76, 44 + k * 13 % 26, 9, seed + k)
        out += path(belt, mix(leaves[k % 3], "#BFD0B4", 0.3))
    lawn = "#B9B85E" if autumn else "#A2CA6C"
    out += ground(horizon + 34, lawn, seed=seed, n=18)
    if path_to is not None:
        out += way(
            ((path_to - 120, horizon + 36, 50), (path_to + 40, horizon + 150, 120), (path_to - 60, 700, 330)), "#EAD9B6"
        )
    for k, (tx, foot, s) in enumerate(trees):
        out += put(tx, foot, broad_tree(leaves[k % 3] if autumn else ("#6DA457", "#7FAE5B")[k % 2], seed + k), s)
    return Setting("park", out, horizon, eye, weathered(hour, weather, seed))


def back_garden(
    hour: str = "day",
    weather: str = "",
    *,
    horizon: float = 290,
    eye: float = 130,
    seed: int = 1,
    wall: str = "fence",
    shed: float | None = None,
    moon: tuple[float, float] | None = None,
    bald: bool = False,
    strip: bool = False,
    back: str = "trees",
) -> Setting:
    """A lawn behind a house.

    `wall` is fence, boards, hedge, brick or none; `shed` the middle of a shed; `back` shows trees or houses beyond;
    `bald` leaves bare patches in the lawn; `strip` lays a path.
    """
    foot = horizon + 120
    out = heavens(hour, seed=seed, low=horizon, sun=moon) + ridge(horizon + 40, 70, "#B5CFA6", seed)
    if back == "trees":
        out += "".join(
            put(x, foot - 10, broad_tree("#86AE7C", seed + x), k)
            for x, k in ((-10 + seed * 40, 0.74), (330 + seed * 29 % 200, 0.5), (900 - seed * 30, 0.86))
        )
    else:
        out += "".join(
            put(x, foot, _villa(*tones))
            for x, tones in (
                (120 + seed * 17, ("#E9C79A", "#A65A49")),
                (560, ("#D6DCC8", "#7C5A63")),
                (960, ("#E3B09A", "#6E5560")),
            )
        )
    if wall != "none":
        out += {"fence": _pickets, "boards": _boards, "hedge": _hedge, "brick": _bricks}[wall](foot)
    out += ground(foot, "#9CC568", seed=seed, kind="flowers", n=12)
    if strip:
        out += way(((200, foot + 14, 60), (300, foot + 90, 120), (250, 700, 260)), "#DCC8A2")
    if bald:
        out += "".join(
            path(scallop(x, y, rx, rx * 0.15, 22, x), "#C9AE7C")
            for x, y, rx in ((300, 470, 90), (620, 560, 130), (180, 640, 110), (880, 620, 90), (520, 440, 60))
        )
    if shed is not None:
        out += put(shed, foot + 20, _shed())
    return Setting("garden", out, horizon, eye, weathered(hour, weather, seed))


def front_garden(hour: str = "day", *, horizon: float = 250, eye: float = 128, seed: int = 2) -> Setting:
    """The front of a house after rain: door, window, a path with puddles, a rainbow."""
    out = heavens(hour, seed=seed, low=horizon, n_clouds=2)
    out += "".join(
        stroke(f"M560 {horizon + 40}A360 360 0 0 1 1160 60", c, 9, f'transform="translate(0,{9 * k})" opacity=".45"')
        for k, c in enumerate(("#E8574A", "#F4A63A", "#F4E04A", "#6FBF5A", "#4E8FC0", "#7E6BB5"))
    )
    out += ridge(horizon + 60, 60, "#A5C48C", seed) + _pickets(horizon + 128)
    wall = "#EBD6B8"
    out += (
        form(box(-20, -10, 420, 396), wall, 0)
        + form(box(380, -10, 26, 396), dark(wall, 0.16), 0)
        + form(box(-30, -20, 460, 60, 4), "#A65A49", 8)
    )
    out += (
        form(box(232, 150, 116, 236, 6), "#4F7F6B", 8, 2)
        + form(box(252, 172, 76, 60, 6), "#BFDCE3", 4)
        + path(oval(330, 276, 7), SUN)
        + form(box(216, 380, 148, 14, 3), "#B9B2A6", 4)
    )
    out += (
        form(box(30, 130, 150, 130, 4), WHITE, 4)
        + path(box(40, 140, 130, 110), "#9FC3D0")
        + path(poly((40, 140), (110, 140), (40, 230)), "#CFE3E6")
        + stroke("M105 140V250M40 194H170", WHITE, 8)
        + form(box(20, 256, 170, 14, 3), WOOD, 4)
        + "".join(path(oval(34 + 18 * k, 252, 11), (LEAF, RED, LEAF, "#EFA7A0")[k % 4]) for k in range(9))
    )
    out += ground(horizon + 136, "#8FC062", seed=seed, kind="grass", n=14)
    out += way(((290, horizon + 138, 130), (480, horizon + 250, 210), (760, 700, 420)), "#D9CDBD")
    out += "".join(
        path(oval(x, y, w, w * 0.22), "#A9D0E0") + path(oval(x - w * 0.2, y - 2, w * 0.4, w * 0.06), "#E6F5F7")
        for x, y, w in ((410, 446, 30), (590, 548, 54), (700, 640, 84))
    )
    return Setting("front garden", out, horizon, eye, tinted(hour))


def _pickets(y: float) -> str:
    posts = "".join(form(f"M{x} {y + 6}V{y - 70}l11-14l11 14v76z", "#FFF8EA", 4) for x in range(4, W, 38))
    return path(box(0, y - 52, W, 9) + box(0, y - 18, W, 9), "#E9DEC9") + posts


def _boards(y: float) -> str:
    tones = ("#C39A6E", "#BA9065", "#CBA278")
    return "".join(
        form(box(x, y - 128 - i % 2 * 3, 45, 136, 2), tones[i % 3], 3) for i, x in enumerate(range(-10, W, 46))
    )


def _hedge(y: float) -> str:
    top = "".join(f"q{14 + k % 3 * 3}-{20 + k * 7 % 9} {30 + k % 3 * 3} {-1 if k % 2 else 1}" for k in range(34))
    return form(f"M-10 {y - 90}{top}V{y + 8}H-10z", "#6B9C68", 8, 3)


def _bricks(y: float) -> str:
    wall = "#C98A70"
    rows = "".join(f"M0 {y - 120 + 16 * r}H{W}" for r in range(8))
    ends = "".join(f"M{x + 20 * (r % 2)} {y - 120 + 16 * r}v16" for r in range(8) for x in range(0, W, 40))
    return (
        path(box(0, y - 124, W, 130), wall)
        + stroke(rows + ends, dark(wall, 0.12), 1.6)
        + form(box(-4, y - 134, W + 8, 14, 3), light(wall, 0.3), 3)
    )


def _villa(wall: str, roof: str) -> str:
    """A neighbour's house over the fence."""
    panes = "".join(
        form(box(x, y, 40, 48, 2), "#9FB6C6", 3)
        + stroke(f"M{x + 20} {y}v48M{x} {y + 22}h40", WHITE, 4)
        + stroke(f"M{x - 4} {y + 51}h48", WHITE, 5)
        for x in (-88, -20, 48)
        for y in (-196, -118)
    )
    chimney = form(box(50, -300, 26, 60, 2), dark(roof, 0.1), 4)
    return (
        chimney
        + form(box(-110, -222, 220, 230, 2), wall, 12)
        + form(poly((-132, -216), (132, -216), (74, -292), (-74, -292)), roof, 8, 2)
        + panes
    )


def _shed() -> str:
    wood = "#8FA79A"
    slats = stroke("".join(f"M{x}-150V0" for x in range(-72, 90, 24)), dark(wood, 0.14), 2)
    door = form(box(-8, -118, 58, 118, 2), dark(wood, 0.22), 4, 0, stroke("M-8-118L50 0", dark(wood, 0.34), 4))
    window = form(box(-66, -112, 42, 40, 2), "#CFE3E6", 3, 1) + stroke("M-45-112v40M-66-92h42", "#F1EBDD", 4)
    roof = form(poly((-104, -146), (104, -146), (70, -204), (-70, -204)), "#7C5A63", 6, 2)
    return shadow(0, 0, 110, 10, 0.4) + form(box(-88, -150, 176, 150, 2), wood, 8, 0, slats) + door + window + roof
