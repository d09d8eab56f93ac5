"""Snow and ice, as settings."""

from __future__ import annotations

from studio.drawing.country.landscape import falling, ground, heavens, mountains, ridge, tinted
from studio.drawing.country.trees import bare_tree, pine
from studio.drawing.kit import SUN, WHITE, WOOD, box, dark, form, oval, path, poly, put, shadow, stroke
from studio.drawing.scene import Setting, W


def snowfield(
    hour: str = "day",
    weather: str = "",
    *,
    horizon: float = 290,
    eye: float = 140,
    seed: int = 1,
    house: float | None = None,
    trees: tuple[tuple[float, float, float], ...] = (),
    moon: tuple[float, float] | None = None,
) -> Setting:
    """Snow before mountains; `house` is a cabin's middle, `trees` x, foot and size."""
    out = heavens(hour, seed=seed, low=horizon, sun=moon) + mountains(horizon + 40, 200, "#A9BACB", seed, "#F4F8FA")
    out += ridge(horizon + 40, 40, "#D6E2EA", seed) + "".join(
        put(x, horizon + 62, pine("#7D9C94", True), 0.34 + x % 5 * 0.03) for x in range(20, W, 57)
    )
    out += ground(horizon + 56, "#E3ECF2", seed=seed, kind="snow")
    if house is not None:
        out += put(house, horizon + 120, _cabin(), 1.05)
    for k, (x, foot, s) in enumerate(trees):
        out += put(x, foot, pine("#4E7F6B", True) if k % 2 == 0 else bare_tree(snow=True), s)
    return Setting("snow", out, horizon, eye, (falling(weather, seed) if weather else "") + tinted(hour))


def frozen_pond(hour: str = "day", *, horizon: float = 150, eye: float = 250, seed: int = 2) -> Setting:
    """A pond under ice from above, with a patch of open water and a village far off."""
    out = (
        heavens(hour, seed=seed, low=horizon, n_clouds=2)
        + mountains(horizon + 20, 110, "#A9BACB", seed, "#F4F8FA")
        + ridge(horizon + 20, 24, "#D6E2EA", seed)
    )
    for k in range(6):
        x = 560 + k * 62
        out += form(box(x, horizon - 6, 30, 24), ("#D9A08A", "#EBD6A8", "#C9B7C0")[k % 3], 3) + path(
            poly((x - 6, horizon - 4), (x + 36, horizon - 4), (x + 15, horizon - 22)), WHITE
        )
        out += stroke(f"M{x + 24} {horizon - 18}q-8-14 4-24t2-22", WHITE, 4, 'opacity=".8"') if k % 2 else ""
    out += ground(horizon + 16, "#E6EEF4", seed=seed, kind="snow", n=22)
    shore = "M60 400Q120 300 380 290T860 300Q980 340 930 420Q840 500 520 500T60 400z"
    out += (
        path(shore, "#C3D3DF", extra='transform="translate(-4,-7)"')
        + path(shore, "#CFE6F0")
        + path("M470 372Q474 340 560 338Q640 328 700 346Q752 362 728 396Q690 424 600 420Q486 420 470 372z", "#6FA9C0")
    )
    out += stroke("M160 380l60-14l30 10M260 440l70 6l26-14M800 360l40 16l30-8M420 330l50-6", "#F6FBFD", 3.4) + stroke(
        "M760 440l-30-14l-34 8l-26-14M730 426l-4-18", "#9FC3D3", 2.6
    )
    out += "".join(
        put(x, y, pine("#4E7F6B", True) if k % 2 else bare_tree(snow=True), s)
        for k, (x, y, s) in enumerate(
            ((930, 300, 0.62), (60, 300, 0.7), (1000, 420, 0.9), (240, 256, 0.5), (420, 240, 0.45))
        )
    )
    return Setting("frozen pond", out, horizon, eye, tinted(hour))


def _cabin() -> str:
    wood = "#9A6B4A"
    logs = stroke("".join(f"M-110 {y}H110" for y in range(-110, 0, 20)), dark(wood, 0.16), 3)
    out = (
        shadow(6, 0, 130, 9, 0.4)
        + form(box(-66, -216, 26, 60, 2), "#A58A86", 6)
        + form(box(-110, -120, 220, 120, 2), wood, 10, 0, logs)
    )
    out += form("M-134-112L0-210L134-112z", "#6E5560", 6) + path(
        "M-140-108L0-214L140-108Q120-104 108-118L0-190L-104-116Q-122-100-140-108z", WHITE
    )
    out += form(box(34, -78, 44, 78, 2), "#6B3F36", 4) + path(oval(70, -38, 3), SUN)
    out += (
        form(box(-78, -84, 72, 50, 2), "#FBE3A0", 4)
        + stroke("M-42-84v50M-78-60h72", WOOD, 5)
        + path(box(-82, -36, 80, 9, 3), WHITE)
    )
    return out
