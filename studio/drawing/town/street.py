"""Street furniture and house fronts."""

from __future__ import annotations

from studio.drawing.kit import (
    CREAM,
    LEAF,
    PINK,
    RED,
    SUN,
    WOOD,
    Prop,
    box,
    dark,
    form,
    lettering,
    light,
    oval,
    path,
    poly,
    shadow,
    stroke,
)


def house(w: float, h: float, wall: str, roof: str, door: str, shop: str = "") -> str:
    """A front, drawn in page pixels with its base at y = 0 and its left edge at x = 0."""
    out = (
        form(box(0, -h, w, h), wall, 7, 0)
        + form(poly((-8, -h), (w + 8, -h), (w - 14, -h - 46), (14, -h - 46)), roof, 5, 2)
        + path(box(-6, -h - 2, w + 12, 8), light(wall, 0.5))
    )
    for row in range(int((h - 120) // 84)):
        for k in range(2):
            x, y = w * (0.16 + 0.42 * k), -h + 28 + row * 84
            out += (
                path(box(x - 5, y - 5, w * 0.26 + 10, 62, 3), light(wall, 0.55))
                + path(box(x, y, w * 0.26, 52), "#7FA9B8")
                + path(poly((x, y), (x + w * 0.2, y), (x, y + 40)), "#B7D6DC")
            )
            out += (
                stroke(f"M{x + w * 0.13:.1f} {y}v52M{x} {y + 24}h{w * 0.26:.1f}", light(wall, 0.6), 4)
                + form(box(x - 6, y + 50, w * 0.26 + 12, 9, 2), WOOD, 2)
                + "".join(
                    path(oval(x + 4 + i * 9, y + 48, 6), (LEAF, PINK, LEAF, RED, LEAF)[i % 5])
                    for i in range(int(w * 0.26 // 9) + 1)
                )
            )
    out += (
        form(box(w * 0.62, -122, w * 0.25, 122, 3), door, 4, 1.5)
        + path(box(w * 0.66, -112, w * 0.17, 34, 3), "#B7D6DC")
        + path(oval(w * 0.83, -56, 3), SUN)
    )
    out += (
        path(box(w * 0.1, -112, w * 0.44, 84, 3), light(wall, 0.55))
        + path(box(w * 0.1 + 6, -106, w * 0.44 - 12, 72), "#6F9CAB")
        + path(poly((w * 0.1 + 6, -106), (w * 0.34, -106), (w * 0.1 + 6, -50)), "#A9CBD3")
    )
    if shop:
        n, aw = 6, w * 0.5
        out += "".join(
            form(
                f"M{w * 0.07 + aw / n * i:.1f} -124h{aw / n:.1f}v26q{-aw / n / 2:.1f} 14 {-aw / n:.1f} 0z",
                CREAM if i % 2 else door,
                2,
            )
            for i in range(n)
        )
        out += form(box(w * 0.07, -152, aw, 27, 4), dark(door, 0.2), 2) + lettering(
            shop, w * 0.07 + aw / 2, -133, 13, CREAM, aw - 14
        )
    return out


def lamp() -> Prop:
    return Prop(
        "street lamp",
        40,
        330,
        shadow(20, 328, 26, 5, 0.55)
        + form(box(17.5, 40, 5, 288, 1), "#45506B", 1.6)
        + form("M12 328q0-16 8-22q8 6 8 22z", "#45506B", 2)
        + stroke("M20 44Q20 20 20 20", "#45506B", 5)
        + form(poly((8, 12), (32, 12), (28, 40), (12, 40)), "#FBE7A6", 3)
        + form(poly((4, 12), (36, 12), (24, 0), (16, 0)), "#45506B", 2)
        + stroke("M20 12v28", "#45506B", 1.6),
    )
