"""Enclosures of a zoo, as settings."""

from __future__ import annotations

from studio.drawing.country.landscape import ground, heavens, scallop, tinted, water
from studio.drawing.country.trees import broad_tree, bush, crown, palm, rock
from studio.drawing.kit import box, dark, form, oval, path, poly, put, shadow, stroke
from studio.drawing.scene import H, Setting, W


def zoo(hour: str = "day", *, horizon: float = 270, eye: float = 140, seed: int = 1, kind: str = "rocks") -> Setting:
    """A zoo's paved walk before an enclosure: rocks and grass (`rocks`), or a house front with a window (`house`)."""
    out = heavens(hour, seed=seed, low=horizon)
    out += "".join(
        put(x, horizon + 40, broad_tree(("#7BA873", "#8DB57C")[k % 2], seed + k), 0.5 + k * 7 % 5 * 0.09)
        for k, x in enumerate((30, 130, 330, 430, 520, 760, 880, 1000))
    )
    y = horizon + 130
    if kind == "rocks":
        out += path(box(-5, horizon + 20, W + 10, 120), "#C9B98A")
        for k, (x, w, h) in enumerate(((90, 260, 170), (250, 190, 110), (880, 300, 190), (730, 200, 90))):
            out += put(x, y - 16, rock(w, h, ("#B7A48C", "#C3B197")[k % 2]))
        out += put(560, y - 18, palm("#6FA868"), 0.7)
    else:
        out += form(box(-10, horizon - 90, W + 20, 230), "#B9C3A8", 0) + stroke(
            "".join(f"M0 {horizon - 60 + 34 * k}H{W}" for k in range(6)), dark("#B9C3A8", 0.08), 2
        )
        out += form(box(-20, horizon - 112, W + 40, 28, 3), "#7C6A5A", 6)
    pave = "#D9CDBD"
    out += path(box(-5, y, W + 10, H - y + 5), pave) + form(box(-5, y - 10, W + 10, 16, 2), "#A8A096", 4)
    out += stroke("".join(f"M0 {y + d}H{W}" for d in (36, 84, 150, 230)), dark(pave, 0.1), 2)
    out += stroke(
        "".join(f"M{512 + (x - 512) * 0.5:.0f} {y}L{x} {H}" for x in range(-500, 1600, 130)), dark(pave, 0.1), 2
    )
    return Setting("zoo", out, horizon, eye, tinted(hour))


def seal_pool(hour: str = "noon", *, horizon: float = 230, eye: float = 140, seed: int = 3) -> Setting:
    """A zoo's pool under rocks, its near edge with a kerb and wet paving."""
    out = heavens(hour, seed=seed, low=horizon) + "".join(
        put(x, horizon + 30, broad_tree(("#7BA873", "#8DB57C")[k % 2], seed + k), 0.5 + k * 7 % 5 * 0.08)
        for k, x in enumerate((20, 240, 330, 480, 620, 820, 1000))
    )
    for k, (x, w, h) in enumerate(((120, 330, 190), (330, 220, 110), (900, 340, 210), (700, 240, 120), (520, 180, 70))):
        out += put(x, horizon + 92, rock(w, h, ("#A8A6A0", "#B7B2A6")[k % 2]))
    out += water(horizon + 80, 520, "#5FB6CC", seed)
    pave = "#CFC6BA"
    out += path(box(-5, 500, W + 10, 190), pave) + form(box(-5, 488, W + 10, 20, 4), "#E6DFD2", 5)
    out += stroke(
        "".join(f"M0 {y}H{W}" for y in (548, 604))
        + "".join(f"M{512 + (x - 512) * 0.7:.0f} 508L{x} {H}" for x in range(-300, 1500, 150)),
        dark(pave, 0.1),
        2,
    )
    out += "".join(
        path(oval(x, y, w, w * 0.16), "#B5CBD0", extra='opacity=".8"')
        for x, y, w in ((330, 560, 90), (700, 640, 110), (930, 570, 60))
    )
    return Setting("seal pool", out, horizon, eye, tinted(hour))


def monkey_yard(hour: str = "day", *, horizon: float = 330, eye: float = 92, seed: int = 1) -> Setting:
    """Inside a monkeys' enclosure: a painted jungle, a climbing tree in leaf, ropes and a hut."""
    wall, bark = "#D3DDBE", "#8A6248"
    out = path(box(-5, -5, W + 10, horizon + 60), wall)
    for row, (tone, lift) in enumerate((("#BBD0A4", 60), ("#9DBF8C", 0))):
        out += "".join(
            path(scallop(x + row * 60, horizon - lift, 120, 80 + x % 70, 10, k + row), tone)
            for k, x in enumerate(range(-40, W + 100, 140))
        )
    out += ground(horizon + 40, "#D9C694", seed=seed, kind="earth", n=26)
    out += put(790, horizon + 70, bush("#7FA86C", 4), 1.1) + put(470, horizon + 56, bush("#8DB57C", 7), 0.8)
    hut = (
        shadow(0, 0, 90, 9, 0.4)
        + form(
            box(-72, -120, 144, 120, 3),
            "#B98A5E",
            9,
            0,
            stroke("M-72-90H72M-72-60H72M-72-30H72", dark("#B98A5E", 0.16), 2),
        )
        + path("M-24 0V-56Q-24-82 0-82T24-56V0z", "#5B3A2E")
        + form(poly((-92, -116), (92, -116), (56, -168), (-56, -168)), "#8FA35A", 7, 2)
    )
    out += put(930, horizon + 128, hut)
    out += (
        shadow(240, 500, 110, 14, 0.5)
        + form(
            "M196 500Q222 380 206 240Q196 140 130 60L156 46Q206 110 226 170Q250 90 330 30L346 50"
            "Q270 120 262 240Q256 390 290 500z",
            bark,
            14,
            0,
            stroke("M226 470q6-90 0-180M246 440q4-70 0-130", dark(bark, 0.2), 4),
        )
        + form("M250 280Q360 240 470 250L468 272Q370 268 256 320z", bark, 6)
    )
    out += stroke("M330 60Q560 190 1030 60", "#B98A4E", 9) + stroke("M470 260Q640 330 1030 210", "#B98A4E", 8)
    out += (
        crown(120, 44, 120, 62, "#6FA35A", 3)
        + crown(330, 26, 110, 60, "#7FB068", 5)
        + crown(478, 240, 46, 26, "#7FB068", 8)
    )
    return Setting("monkey yard", out, horizon, eye, tinted(hour))
