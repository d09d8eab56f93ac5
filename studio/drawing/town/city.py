"""A town: house fronts with shops along a pavement, and a lane that runs into the picture."""

from __future__ import annotations

from studio.drawing.kit import (
    CORAL,
    CREAM,
    LEAF,
    NAVY,
    PINK,
    RED,
    SUN,
    TEAL,
    WHITE,
    WOOD,
    box,
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
from studio.drawing.scene import H, Setting, W
from studio.drawing.town.daylight import curtain, glow, heaven

House = tuple[float, float, str, str, str]
"""Width, height, wall, trim, shop sign ('' for a plain house)."""

OLD_TOWN: tuple[House, ...] = (
    (236, 330, "#E7B58A", TEAL, "CAFE"),
    (204, 290, "#EAD8AE", "#8D5A4C", ""),
    (262, 352, "#C98577", NAVY, "FLOWERS"),
    (210, 300, "#B9CBB4", "#6E4B5A", ""),
    (232, 340, "#E5C07E", RED, "TOYS"),
)
NEW_TOWN: tuple[House, ...] = (
    (270, 420, "#A9B9C6", "#4B5B78", ""),
    (230, 360, "#D8CFC2", CORAL, "DELI"),
    (300, 450, "#93AAB4", "#3F5A86", ""),
    (260, 380, "#CDB9A8", "#5B6B5A", "BIKES"),
)


def _window(x: float, y: float, w: float, h: float, frame: str, lit: bool) -> str:
    pane = "#F9DD92" if lit else "#86AFBE"
    return (
        path(box(x - 4, y - 4, w + 8, h + 8, 3), frame)
        + path(box(x, y, w, h), pane)
        + path(poly((x, y), (x + w * 0.7, y), (x, y + h * 0.75)), light(pane, 0.35))
        + stroke(f"M{x + w / 2:.1f} {y}v{h}M{x} {y + h * 0.45:.1f}h{w}", frame, 3)
    )


def _shop(w: float, trim: str, sign: str, lit: bool) -> str:
    """A shop window with awning and door under its sign, base at y = 0."""
    glass = "#FBE3A4" if lit else "#7FA6B3"
    goods = "".join(
        form(oval(30 + i * 21, -24, 8, 11), (SUN, CORAL, LEAF, PINK, RED)[i % 5], 2)
        for i in range(int((w - 110) // 21))
    )
    out = form(box(12, -108, w - 92, 96, 3), dark(trim, 0.3), 2) + path(box(18, -100, w - 104, 82), glass)
    out += goods + path(poly((18, -100), (w * 0.42, -100), (18, -40)), "#fff", extra='opacity=".25"')
    out += (
        form(box(w - 70, -116, 52, 116, 3), trim, 3, 1.5)
        + path(box(w - 62, -108, 36, 62, 2), glass)
        + path(oval(w - 26, -40, 3), SUN)
    )
    n, aw = 8, w - 84
    out += "".join(
        form(
            f"M{8 + aw / n * i:.1f} -128h{aw / n:.1f}v24q{-aw / n / 2:.1f} 13 {-aw / n:.1f} 0z",
            CREAM if i % 2 else trim,
            2,
        )
        for i in range(n)
    )
    return (
        out + form(box(8, -158, w - 16, 28, 4), dark(trim, 0.25), 2) + lettering(sign, w / 2, -138, 15, CREAM, w - 40)
    )


def front(house: House, lit: bool = False) -> str:
    """A house front in page pixels, base at y = 0 and left edge at x = 0."""
    w, h, wall, trim, sign = house
    frame = light(wall, 0.6)
    out = form(box(0, -h, w, h), wall, 7) + path(box(-5, -h - 4, w + 10, 10), light(wall, 0.5))
    roof = dark(wall, 0.42) if h < 345 else dark(wall, 0.3)
    out += form(poly((-8, -h - 4), (w + 8, -h - 4), (w - 20, -h - 50), (20, -h - 50)), roof, 5, 2)
    n = 3 if w > 225 else 2
    for row in range(int((h - 176) // 74) + 1):
        for k in range(n):
            x, y = w * (k + 0.5) / n - w * 0.085, -h + 24 + row * 74
            on = lit and (row * 2 + k * 3 + int(w)) % 3 != 0
            out += _window(x, y, w * 0.17, 46, frame, on)
            if (row + k) % 2 == 0:
                out += form(box(x - 6, y + 46, w * 0.17 + 12, 8, 2), WOOD, 2)
                out += "".join(
                    path(oval(x + i * 8, y + 45, 5.5), (LEAF, PINK, LEAF, RED)[i % 4])
                    for i in range(int(w * 0.17 // 8) + 1)
                )
    if sign:
        return out + _shop(w, trim, sign, lit)
    out += form(box(w * 0.38, -118, w * 0.24, 118, 3), trim, 4, 1.5) + path(
        box(w * 0.42, -108, w * 0.16, 30, 3), "#B7D6DC"
    )
    out += path(oval(w * 0.58, -54, 3), SUN) + path(box(w * 0.34, -6, w * 0.32, 8), light(wall, 0.4))
    return out + "".join(_window(w * x, -98, w * 0.17, 56, frame, lit) for x in (0.1, 0.73))


def paving(base: float, low: float, vx: float = 512, tone: str = "#D9CDBD") -> str:
    """Slabs from the foot of the houses down to the kerb at `low`, running to a vanishing point."""
    rows = [base + (low - base) * t for t in (0.14, 0.33, 0.57, 0.85)]
    out = path(box(0, base, W, low - base), tone) + path(box(0, base, W, 9), dark(tone, 0.2))
    out += stroke("".join(f"M0 {y:.0f}H{W}" for y in rows), dark(tone, 0.12), 2)
    return out + stroke(
        "".join(f"M{vx + (x - vx) * 0.42:.0f} {base}L{x} {low}" for x in range(-900, 2000, 124)), dark(tone, 0.12), 2
    )


def asphalt(top: float, zebra: float | None = None) -> str:
    """A kerb and a carriageway to the bottom of the page; `zebra` is the x of a crossing."""
    tar = "#7B7F8C"
    out = (
        path(box(0, top, W, 11), light("#D9CDBD", 0.4))
        + path(box(0, top + 11, W, 9), dark("#D9CDBD", 0.3))
        + path(box(0, top + 20, W, H), tar)
    )
    if zebra is None:
        return out + "".join(
            path(poly((x, top + 62), (x + 92, top + 62), (x + 86, top + 70), (x - 10, top + 70)), "#E9E4D8")
            for x in range(-40, W, 180)
        )
    bars = "".join(
        poly((zebra + d, top + 24), (zebra + d + 40, top + 24), (zebra + d * 1.35 + 52, H), (zebra + d * 1.35 - 8, H))
        for d in range(-190, 200, 76)
    )
    return out + path(bars, "#F3EEE2")


def street_front(
    houses: tuple[House, ...] = OLD_TOWN,
    *,
    time: str = "noon",
    weather: str = "",
    base: float = 430,
    horizon: float = 300,
    eye: float = 150,
    kerb: float | None = 628,
    zebra: float | None = None,
    shift: float = -60,
    lamps: tuple[float, ...] = (),
) -> Setting:
    """A row of houses seen from across the pavement; `base` is their foot, `shift` moves the row sideways."""
    lit = time in ("dusk", "night")
    out = heaven(time) + path(
        f"M0 {base}V{base - 210}h80v-40h70v60h110v-90h60v70h130v-50h90v66h140v-96h70v80h120v-40h100v50h60V{base}z",
        dark("#C3CFD8", 0.3 if lit else 0.04),
    )
    x = shift
    for house in houses * 2:
        if x > W:
            break
        out += put(x, base, front(house, lit))
        x += house[0]
    wet = weather in ("rain",)
    tone = dark("#C9C0B6", 0.12) if wet else "#ECECEA" if weather == "snow" else "#D9CDBD"
    out += paving(base, kerb or H, tone=tone) + (asphalt(kerb, zebra) if kerb else "")
    if wet:
        pools = "".join(
            oval(px, py, r, r * 0.14)
            for px, py, r in ((180, base + 90, 80), (640, base + 60, 60), (880, base + 130, 96), (430, base + 170, 90))
        )
        out += path(pools, "#A9BCC9", extra='opacity=".8"') + stroke(
            "".join(f"M{px} {py}h40" for px, py in ((160, base + 88), (620, base + 58), (850, base + 128))),
            "#DDE8EC",
            3,
        )
    halo = "".join(glow(lx, base - 190, 150) for lx in lamps) if lit else ""
    return Setting("street", out, horizon, eye, curtain(time, weather) + halo)


def lane(
    *, time: str = "morning", weather: str = "", vx: float = 560, horizon: float = 290, eye: float = 155
) -> Setting:
    """A cobbled lane that runs to a vanishing point between two rows of houses."""
    lit = time in ("dusk", "night")
    out = heaven(time)
    tower = form(box(-26, -150, 52, 150), "#C9B49A", 8) + form(poly((-34, -150), (34, -150), (0, -214)), "#7C5A63", 8)
    out += put(vx, horizon + 6, tower + form(oval(0, -112, 17), CREAM, 2) + stroke("M0-122v10h7", NAVY, 3), 0.8)
    stone = "#CDBFAE" if weather != "snow" else "#EFEFEC"
    out += path(poly((vx - 50, horizon), (vx + 50, horizon), (1300, H), (-400, H)), stone)
    for k in range(14):
        y = horizon + (H - horizon) * (k / 13) ** 1.7
        out += stroke(
            f"M{vx - 50 - (vx + 130) * (k / 13) ** 1.7:.0f} {y:.0f}H{vx + 50 + 700 * (k / 13) ** 1.7:.0f}",
            dark(stone, 0.12),
            2,
        )
    out += stroke(
        "".join(f"M{vx + d * 6:.0f} {horizon}L{vx + d * 110:.0f} {H}" for d in range(-8, 9)), dark(stone, 0.1), 2
    )
    walls = ("#E3B48C", "#D9C8A0", "#C78B7B", "#B4C6B0", "#E2BE82")
    for side, edge in ((-1, 0.0), (1, float(W))):
        for i, near in enumerate((0.0, 0.36, 0.58, 0.74, 0.86)[::-1]):
            far = near + (0.36, 0.22, 0.16, 0.12, 0.09)[4 - i]
            x0, x1 = (edge + (vx + side * 52 - edge) * t for t in (near, far))
            (t0, b0), (t1, b1) = (
                (horizon - 330 * (1 - t) - 40 + (12 if (4 - i) % 2 else 0), horizon + 250 * (1 - t))
                for t in (near, far)
            )
            wall = walls[(i + (0 if side < 0 else 2)) % 5] if side < 0 else dark(walls[(i + 2) % 5], 0.12)
            quad = poly((x0, t0), (x1, t1), (x1, b1), (x0, b0))
            holes = ""
            for row in (0.2, 0.46):
                for c in (0.2, 0.58):
                    xa, xb = x0 + (x1 - x0) * c, x0 + (x1 - x0) * (c + 0.22)
                    ya, yb = (
                        t0 + (t1 - t0) * q + (b0 + (b1 - b0) * q - t0 - (t1 - t0) * q) * row for q in (c, c + 0.22)
                    )
                    za, zb = (v + (b0 - t0) * 0.15 * (1 - c * 0.4) for v in (ya, yb))
                    holes += path(
                        poly((xa, ya), (xb, yb), (xb, zb), (xa, za)), "#F9DD92" if lit and (i + row > 1) else "#7FA6B3"
                    )
            door0, door1 = x0 + (x1 - x0) * 0.4, x0 + (x1 - x0) * 0.62
            d0, d1 = b0 + (b1 - b0) * 0.4, b0 + (b1 - b0) * 0.62
            door = path(
                poly((door0, d0 - (b0 - t0) * 0.24), (door1, d1 - (b1 - t1) * 0.24), (door1, d1), (door0, d0)),
                (TEAL, RED, NAVY, "#8D5A4C", LEAF)[i],
            )
            out += (
                path(quad, wall)
                + holes
                + door
                + stroke(f"M{x0:.0f} {t0:.0f}L{x1:.0f} {t1:.0f}", dark(wall, 0.4), 9)
                + stroke(f"M{x1:.0f} {t1:.0f}V{b1:.0f}", dark(wall, 0.2), 2)
            )
    wires = "".join(stroke(f"M{vx - 300} {y}Q{vx} {y + 60} {vx + 330} {y - 6}", dark("#8A7A7A", 0.2), 2) for y in (86,))
    pennants = "".join(
        path(
            poly(
                (vx - 300 + i * 62, 86 + 30 * (1 - ((i - 5) / 5) ** 2)),
                (vx - 276 + i * 62, 88 + 30 * (1 - ((i - 5) / 5) ** 2)),
                (vx - 288 + i * 62, 116 + 30 * (1 - ((i - 5) / 5) ** 2)),
            ),
            (RED, SUN, TEAL, PINK, WHITE)[i % 5],
        )
        for i in range(10)
    )
    return Setting("lane", out + wires + pennants, horizon, eye, curtain(time, weather))
