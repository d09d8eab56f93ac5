"""Woods, fields and farmyards: settings with the hour, the weather and the camera as arguments."""

from __future__ import annotations

from studio.drawing.country.landscape import ground, heavens, mountains, ridge, tinted, way, weathered
from studio.drawing.country.trees import birch, broad_tree, pine
from studio.drawing.kit import RED, box, dark, form, light, oval, path, poly, put, shadow, stroke
from studio.drawing.scene import Setting, W


def woods(
    hour: str = "day",
    weather: str = "",
    *,
    horizon: float = 300,
    eye: float = 140,
    seed: int = 1,
    autumn: bool = False,
    mist: bool = False,
    trail: bool = False,
    stars: bool = False,
    clearing: tuple[float, float] = (250, 780),
) -> Setting:
    """A clearing among pines, or birches in autumn; `clearing` is the span of the page that near trees leave free."""
    out = heavens(hour, seed=seed, low=horizon, n_clouds=2, sun=(800, 90) if stars else None)
    if stars:
        out += path("".join(oval(37 + k * 173 % 990, 12 + k * 67 % 130, 1.6) for k in range(26)), "#FFF6DC")
    out += mountains(horizon + 40, 190, "#A7B8C6" if not autumn else "#B9B2B6", seed, "#EEF3F5")
    floor = "#B59A5E" if autumn else "#8FB36A"
    far = "#8AA593" if not autumn else "#C9A35E"
    out += "".join(put(x, horizon + 54, pine(far), 0.42 + x * 7 % 3 * 0.06) for x in range(-20, W + 40, 44))
    out += ground(horizon + 52, floor, seed=seed, n=14)
    if trail:
        out += way(
            ((560, horizon + 56, 40), (470, horizon + 120, 90), (560, horizon + 220, 200), (380, 700, 460)),
            "#D9BC8A" if autumn else "#DCC79A",
        )
    near = birch("#C9A845") if autumn else pine("#4E7F63")
    spots = [x for x in range(10, W, 88) if not clearing[0] < x < clearing[1]]
    for i, x in enumerate(spots):
        out += put(x, horizon + 100 + i * 29 % 50, near, 1.0 + i * 3 % 4 * 0.12)
    if mist:
        fade = '<stop stop-color="#fff" stop-opacity=".8"/><stop offset="1" stop-color="#fff" stop-opacity="0"/>'
        out += f'<defs><radialGradient id="mist">{fade}</radialGradient></defs>'
        out += "".join(
            path(oval(x, horizon + y, 420, 34), "url(#mist)") for x, y in ((140, 40), (620, 60), (960, 30), (420, 90))
        )
    return Setting("woods", out, horizon, eye, weathered(hour, weather, seed))


def hayfield(hour: str = "noon", *, horizon: float = 300, eye: float = 150, seed: int = 3) -> Setting:
    """Tall grass with poppies up to a barn far off."""
    out = (
        heavens(hour, seed=seed, low=horizon, n_clouds=2)
        + ridge(horizon + 6, 70, "#BCD0A8", seed)
        + ridge(horizon + 20, 40, "#A5C48C", seed + 1)
    )
    out += put(820, horizon + 26, _barn(), 0.34) + "".join(
        put(x, horizon + 26, broad_tree("#86AE7C", x), 0.24) for x in (700, 740, 890, 930, 60, 110)
    )
    hay = "#C9C46A"
    out += (
        path(box(-5, horizon + 22, W + 10, 400), hay)
        + path(f"M-5 {horizon + 90}Q400 {horizon + 60} {W + 5} {horizon + 100}V700H-5z", light(hay, 0.2))
        + path(f"M-5 {horizon + 210}Q500 {horizon + 170} {W + 5} {horizon + 220}V700H-5z", light(hay, 0.34))
    )
    blades = "".join(
        f"M{x} {y}q{d}-18 {d * 2}-{h}"
        for x, y, d, h in (
            (k * 61 % 1024, horizon + 44 + k * 43 % 330, (-3, 2, 4)[k % 3], 22 + k * 7 % 22) for k in range(170)
        )
    )
    out += stroke(blades, dark(hay, 0.16), 2.6)
    poppies = "".join(
        path(oval(x, y, 7, 6), RED) + path(oval(x, y, 2.2), "#3B2A45")
        for x, y in ((k * 131 % 1000 + 10, horizon + 250 + k * 37 % 110) for k in range(18))
    )
    return Setting("hay field", out + poppies, horizon, eye, tinted(hour))


def farmyard(
    hour: str = "day",
    weather: str = "",
    *,
    horizon: float = 290,
    eye: float = 150,
    seed: int = 1,
    barn: float | None = 250,
    field: str = "crops",
    blossom: float | None = None,
) -> Setting:
    """A red barn with its middle at `barn` before a field: crops, wheat, pasture."""
    out = (
        heavens(hour, seed=seed, low=horizon)
        + ridge(horizon + 10, 60, "#BCD0A8", seed)
        + ridge(horizon + 30, 40, "#A5C48C", seed + 1)
    )
    tone = {"crops": "#A9B866", "wheat": "#E3C268", "pasture": "#9CC568"}[field]
    out += path(box(-5, horizon + 26, W + 10, 140), tone)
    if field != "pasture":
        rows = "".join(
            f"M{512 + (x - 512) * 0.5:.0f} {horizon + 26}L{x} {horizon + 150}" for x in range(-600, 1700, 60)
        )
        out += stroke(rows, dark(tone, 0.16), 4)
    rails = "".join(form(box(x, horizon + 74, 12, 66, 2), "#B98A5E", 3) for x in range(-20, W, 116))
    out += "".join(form(box(-5, horizon + y, W + 10, 10, 2), "#C99B6C", 3) for y in (86, 112)) + rails
    if barn is not None:
        out += put(barn, horizon + 140, _barn(), 1.25)
    if blossom is not None:
        out += put(blossom, horizon + 138, broad_tree("#F3C6CC", 9), 0.95)
    out += ground(
        horizon + 136,
        "#D8BE8C" if field != "pasture" else "#A2CA6C",
        seed=seed,
        kind="earth" if field != "pasture" else "grass",
        n=20,
    )
    return Setting("farm", out, horizon, eye, weathered(hour, weather, seed))


def shop_yard(hour: str = "morning", *, horizon: float = 262, eye: float = 150, seed: int = 4) -> Setting:
    """The yard of a farm shop: a long barn wall on the left to hang a banner on, fields on the right."""
    red = "#B8523F"
    out = (
        heavens(hour, seed=seed, low=horizon)
        + ridge(horizon + 20, 60, "#BCD0A8", seed)
        + ridge(horizon + 40, 40, "#A5C48C", seed + 1)
    )
    out += put(930, horizon + 96, broad_tree("#7FAE5B", 5, RED), 0.8)
    rails = "".join(form(box(x, horizon + 64, 11, 58, 2), "#B98A5E", 3) for x in range(540, W, 110))
    out += "".join(form(box(520, horizon + y, 520, 9, 2), "#C99B6C", 3) for y in (74, 98)) + rails
    planks = stroke("".join(f"M{x} 60V420" for x in range(-10, 520, 26)), dark(red, 0.12), 2)
    out += (
        form(box(-20, 62, 536, 340), red, 0, 0, planks)
        + form(poly((-30, 84), (540, 84), (510, -10), (-30, -10)), "#6E5560", 0)
        + form(box(-30, 78, 574, 13, 3), "#F1E4CE", 3)
    )
    out += form(box(392, 220, 96, 182), dark(red, 0.12), 4) + stroke(
        box(398, 226, 84, 170) + "M398 226l84 170M482 226l-84 170", "#F1E4CE", 6
    )
    out += ground(horizon + 118, "#DCC697", seed=seed, kind="earth", n=24)
    return Setting("farm shop", out, horizon, eye, weathered(hour, "", seed))


def _barn() -> str:
    red = "#B8523F"
    planks = stroke("".join(f"M{x}-220V0" for x in range(-96, 110, 17)), dark(red, 0.12), 2)
    face = form("M-104 0V-128L-70-186L0-222L70-186L104-128V0z", red, 10, 0, planks)
    roof = stroke("M-114-122L-76-192L0-230L76-192L114-122", "#6E5560", 12)
    doors = "".join(
        form(box(x, -92, 46, 92), dark(red, 0.1), 3)
        + stroke(box(x + 3, -89, 40, 86) + f"M{x + 3}-89l40 86M{x + 43}-89l-40 86", "#F1E4CE", 4.4)
        for x in (-47, 1)
    )
    loft = form(box(-20, -164, 40, 36, 2), "#5A3B40", 3) + stroke(box(-20, -164, 40, 36), "#F1E4CE", 4)
    return shadow(10, 0, 130, 11, 0.45) + face + doors + loft + roof
