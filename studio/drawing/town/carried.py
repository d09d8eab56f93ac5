"""What people take along the street: umbrella, bags, map, dog; and trees and signs that they pass."""

from __future__ import annotations

from studio.drawing.kit import (
    CORAL,
    CREAM,
    INK,
    NAVY,
    RED,
    STEEL,
    SUN,
    TEAL,
    Prop,
    box,
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


def umbrella(colour: str = SUN, w: float = 96) -> Prop:
    """An open umbrella with its stick down, `w` x 0.95 w cm (anchor 'grip')."""
    k = w / 96
    ribs = "".join(
        form(
            f"M{48 + (a - 48) * 0.02:.1f} 4Q{a} 12 {b} 40Q{(b + c) / 2:.0f} 33 {c} 40Q{d} 12 48 4z",
            colour if i % 2 else dark(colour, 0.12),
            1.6,
        )
        for i, (a, b, c, d) in enumerate(((8, 0, 24, 26), (30, 24, 48, 42), (54, 48, 72, 66), (70, 72, 96, 88)))
    )
    return Prop(
        "umbrella",
        w,
        92 * k,
        put(0, 0, stroke("M48 2V84Q48 91 42 91T36 85", "#5B3A2E", 3) + ribs + stroke("M48 4V-2", "#5B3A2E", 2.4), k),
        {"grip": (48 * k, 74 * k)},
    )


def shopping_bag(colour: str = CORAL) -> Prop:
    """A paper carrier, 34 x 46 cm (anchor 'grip')."""
    return Prop(
        "shopping bag",
        34,
        46,
        stroke("M10 16V8Q10 2 17 2T24 8V16", dark(colour, 0.3), 1.8)
        + form(poly((2, 14), (32, 14), (30, 46), (4, 46)), colour, 4, 1)
        + form(oval(17, 29, 6), light(colour, 0.5), 1),
        {"grip": (17, 4)},
    )


def street_map() -> Prop:
    """An unfolded town map, 52 x 36 cm."""
    folds = "".join(
        form(
            poly(
                (13 * i, 2 if i % 2 else 0),
                (13 * i + 13, 0 if i % 2 else 2),
                (13 * i + 13, 34 if i % 2 else 36),
                (13 * i, 36 if i % 2 else 34),
            ),
            (CREAM, "#EFE2C4")[i % 2],
            0.6,
        )
        for i in range(4)
    )
    return Prop(
        "map",
        52,
        36,
        folds
        + stroke("M4 28Q16 10 26 22T48 8", RED, 1.4)
        + stroke("M2 12H50M18 2V34M36 2V34", "#9CC48A", 1.6)
        + path(oval(26, 22, 2), RED),
    )


def shopping_trolley(colour: str = "#B5657A") -> Prop:
    """A pull-along shopping bag, 44 x 100 cm (anchor 'handle')."""
    return Prop(
        "shopping trolley",
        44,
        100,
        shadow(22, 99, 24, 4, 0.6)
        + stroke("M14 34L8 4H-2M34 34L30 6", STEEL, 2.6)
        + form("M8 34H38L40 86H6z", colour, 5, 1.2)
        + form("M6 34Q22 24 40 34L38 46H8z", dark(colour, 0.15), 3)
        + path(box(14, 54, 18, 20, 3), light(colour, 0.2))
        + form(oval(12, 92, 7), INK, 2)
        + form(oval(34, 92, 7), INK, 2)
        + stroke("M30 50q4 3 6 0", SUN, 1.6),
        {"handle": (2, 4)},
    )


def dog(coat: str = "#C98D56", *, facing: int = 1, collar: str = RED) -> Prop:
    """A dog standing in profile, 78 x 62 cm (anchor 'collar')."""
    far = "".join(form(box(x, 34, 7, 26, 3), dark(coat, 0.2), 2) for x in (24, 54))
    near = "".join(form(box(x, 32, 8, 29, 3), coat, 2) for x in (15, 47))
    trunk = form(
        "M14 30Q12 18 26 18H50Q56 10 58 6L66 2Q76 4 77 12Q76 18 68 19L62 28Q60 42 50 42H22Q14 42 14 30z", coat, 5, 1
    )
    art = (
        stroke("M16 24Q4 18 6 6", coat, 5.4)
        + far
        + trunk
        + near
        + form("M58 6Q52 6 52 20Q56 24 62 14z", dark(coat, 0.3), 2)
        + path(oval(67, 9, 1.6), INK)
        + form(oval(76.4, 11.4, 2.4, 2), INK, 0.4)
        + stroke("M56 24Q62 28 66 22", collar, 2.6)
        + path(oval(32, 26, 7, 5), light(coat, 0.3))
    )
    flip = "" if facing > 0 else 'transform="translate(80,0) scale(-1,1)"'
    return Prop(
        "dog", 80, 62, shadow(38, 61, 36, 4, 0.55) + f"<g {flip}>{art}</g>", {"collar": (62 if facing > 0 else 18, 25)}
    )


def sign_post(plates: tuple[str, ...] = ("CASTLE", "MUSEUM", "OLD BRIDGE"), w: float = 110, h: float = 240) -> Prop:
    """A finger post with plates to both sides."""
    out = form(box(w / 2 - 4, 8, 8, h - 10, 2), "#45506B", 3) + form(oval(w / 2, 8, 8), "#45506B", 2)
    for i, t in enumerate(plates):
        y, k = 22 + 30 * i, 1 if i % 2 == 0 else -1
        x0, x1 = (w * 0.3, w) if k > 0 else (0.0, w * 0.7)
        tip = (
            ((x1, y), (x1 - 10, y - 11), (x0, y - 11), (x0, y + 11), (x1 - 10, y + 11))
            if k > 0
            else ((x0, y), (x0 + 10, y - 11), (x1, y - 11), (x1, y + 11), (x0 + 10, y + 11))
        )
        out += form(poly(*tip), (TEAL, NAVY, "#8D5A4C")[i % 3], 2, 0.8) + lettering(
            t, (x0 + x1) / 2 - 3 * k, y + 4.4, 9, CREAM, w * 0.52
        )
    return Prop("sign post", w, h, shadow(w / 2, h - 1, 26, 4, 0.6) + out)


def street_tree(h: float = 420, crown: str = "#6FA35A", bare: bool = False) -> Prop:
    """A young tree in an iron grate, 220 cm wide."""
    grate = path(oval(110, h - 4, 70, 8), "#5A6379") + stroke(
        f"M50 {h - 4}H170M60 {h - 8}H160M60 {h}H160", "#454B5E", 1.6
    )
    trunk = form(f"M100 {h - 4}Q106 {h * 0.7:.0f} 102 {h * 0.45:.0f}H118Q114 {h * 0.7:.0f} 122 {h - 4}z", "#7A5A48", 6)
    twigs = stroke(
        f"M110 {h * 0.6:.0f}Q80 {h * 0.45:.0f} 60 {h * 0.25:.0f}"
        f"M110 {h * 0.55:.0f}Q140 {h * 0.4:.0f} 164 {h * 0.22:.0f}"
        f"M110 {h * 0.6:.0f}V{h * 0.1:.0f}M84 {h * 0.42:.0f}L50 {h * 0.36:.0f}M138 {h * 0.38:.0f}L176 {h * 0.34:.0f}",
        "#7A5A48",
        5,
    )
    if bare:
        return Prop("tree", 220, h, shadow(110, h - 2, 80, 7, 0.4) + grate + trunk + twigs)
    leaves = "".join(
        form(oval(x, h * y, r), c, r * 0.18)
        for x, y, r, c in (
            (66, 0.34, 56, dark(crown, 0.12)),
            (150, 0.32, 58, dark(crown, 0.12)),
            (110, 0.2, 66, crown),
            (80, 0.26, 46, light(crown, 0.08)),
            (136, 0.36, 44, crown),
        )
    )
    return Prop(
        "tree",
        220,
        h,
        shadow(110, h - 2, 80, 7, 0.4)
        + grate
        + trunk
        + twigs
        + leaves
        + path(oval(80, h * 0.15, 16, 12) + oval(104, h * 0.11, 10, 7), light(crown, 0.3)),
    )
