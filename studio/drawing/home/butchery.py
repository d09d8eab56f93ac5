"""A butcher's shop."""

from __future__ import annotations

from studio.drawing.home.food import loaf
from studio.drawing.home.interiors import floor, wall
from studio.drawing.kit import (
    CREAM,
    INK,
    LEAF,
    PINK,
    RED,
    STEEL,
    WHITE,
    Prop,
    box,
    boxed,
    dark,
    form,
    light,
    oval,
    path,
    put,
    shadow,
    stroke,
    veil,
)
from studio.drawing.scene import Setting, W


def tiled_shop(
    *, tile: str = "#EFF3F2", band: str = "#8FB3C6", horizon: float = 230, eye: float = 136, base: float = 470
) -> Setting:
    """A white tiled shop with a coloured row of tiles and a rail of hooks."""
    out = (
        wall(tile, base, "tiles")
        + path(box(0, 196, W, 38), band)
        + stroke("".join(f"M{x} 196v38" for x in range(0, W, 46)), light(band, 0.4), 2)
    )
    out += stroke("M360 70H980", "#8C93A6", 7) + stroke(
        "".join(f"M{x} 70v18q0 8 8 6" for x in (400, 464, 528, 848, 912)), "#8C93A6", 4
    )
    return Setting(
        "butcher's shop",
        out + path(box(0, base - 12, W, 12), dark(tile, 0.2)) + floor("#C9B7A8", base, horizon, "check"),
        horizon,
        eye,
    )


def joint_of_beef(w: float = 34) -> Prop:
    """A rolled roast tied with string, on paper; `w` x 0.5 w cm."""
    ties = "".join(stroke(f"M{7 + 5 * i} 2.4Q{9.4 + 5 * i} 8 {7 + 5 * i} 14", CREAM, 0.9) for i in range(5)) + stroke(
        "M3 8H31", CREAM, 0.8
    )
    end = (
        form(oval(29, 8.2, 3.4, 5.6), "#E39A8C", 0.8)
        + stroke("M29 5q2 1.6 0 3.4t1 3", "#B5524A", 0.9)
        + stroke(oval(29, 8.2, 3.2, 5.4), "#F6DCC8", 0.7)
    )
    sheet = form("M-1 14L3 12H31L35 14.6L33 17H1z", WHITE, 0.6)
    return Prop(
        "rolled joint of beef",
        w,
        w * 0.5,
        put(
            0,
            0,
            shadow(17, 16.4, 18, 1, 0.5)
            + sheet
            + form(
                "M5 2Q17 .6 28 2.4Q33 8 28 14Q17 15.6 5 14Q0 8 5 2z",
                "#A84A42",
                2,
                0.5,
                path("M4 3Q17 1.4 28 3V6Q16 4 4 6z", "#F0CDB8"),
            )
            + end
            + ties,
            w / 34,
        ),
    )


def cow_chart() -> Prop:
    """A framed picture of a cow with its cuts marked, 76 x 60 cm, on a wall."""
    hide = "#C98D56"
    cow = form(
        (
            "M14 24Q30 18 50 19Q54 14 57 12L53 9L59 9L62 10Q67 12 71 22Q70 26 66 25Q62 24 61 22Q61 31 57 35V46"
            "H54L53 37Q40 40 28 37L26 46H22L21 36Q13 32 14 22z"
        ),
        hide,
        2,
        0.5,
    )
    cuts = stroke(
        "M27 19Q24 28 27 37M39 18Q37 28 39 39M50 19Q47 28 50 37M27 28H50", CREAM, 1, 'stroke-dasharray="2 1.6"'
    )
    rest = (
        path(oval(62.6, 14.6, 0.9), INK)
        + stroke("M57 9Q55 5 58 4M63 9.4Q64 5 61.4 4.4", "#6B4A3A", 1.2)
        + path(oval(68.6, 23.4, 2.6, 2), PINK)
        + stroke("M14 23Q9 30 11 38", dark(hide, 0.2), 1.4)
        + form(oval(43, 39, 4, 2.4), PINK, 0.5)
    )
    return Prop(
        "picture of a cow",
        78,
        62,
        veil(box(2, 3, 76, 59, 2), "#3A2A5C", 0.2)
        + form(box(0, 0, 76, 58, 2), "#6B4A3A", 2, 0.8)
        + path(box(5, 5, 66, 48), CREAM)
        + cow
        + cuts
        + rest,
    )


def sausages() -> Prop:
    """A string of sausages that hangs from a hook, 22 x 56 cm."""
    links = "".join(
        put(x, y, form(box(-3, -8, 6, 17, 3), "#B5634A", 1.2, 0.3), 1, a)
        for x, y, a in ((6, 12, 8), (5, 30, -6), (8, 47, -20), (16, 12, -8), (17, 30, 6), (14, 47, 20))
    )
    return Prop("sausages", 22, 56, stroke("M11 0Q6 0 6 4M11 0Q16 0 16 4", CREAM, 0.9) + links)


def ham() -> Prop:
    return Prop(
        "ham",
        26,
        44,
        stroke("M13 0V6", CREAM, 1)
        + form(
            "M11 4H15L17 14Q26 20 24 32Q22 43 13 43T2 32Q0 20 9 14z",
            "#C9705F",
            3,
            0.6,
            stroke("M0 18L26 36M0 30L22 44M4 10L26 26M26 16L2 34M26 28L6 44", "#F3DCC8", 0.8),
        ),
    )


def meat_counter(w: float = 230) -> Prop:
    """A glass counter of meat, `w` x 112 cm; things stand on the top edge."""
    low = form(box(0, 64, w, 48, 2), "#8FB3C6", 3, 0.8)
    tray = path(box(4, 12, w - 8, 52), "#F6F1E4") + path(box(4, 52, w - 8, 12), "#DDE5EA")
    goods, x, i = "", 12.0, 0
    while x < w - 34:
        if i % 3 == 0:
            goods += put(x, 36, joint_of_beef(30).body)
        elif i % 3 == 1:
            goods += "".join(
                put(x + 4 * k, 40 + 3 * (k % 2), form(box(0, 0, 5, 14, 2.5), "#C9705F", 1)) for k in range(7)
            )
        else:
            goods += "".join(
                form(
                    f"M{x + 9 * k} 52Q{x - 2 + 9 * k} 40 {x + 6 + 9 * k} 38Q{x + 13 + 9 * k} 42 {x + 10 + 9 * k} 52z",
                    "#B5524A",
                    1.4,
                    0,
                    stroke(f"M{x + 9 * k} 44h10", "#F0CDB8", 1.2),
                )
                for k in range(3)
            )
        goods += (
            form(box(x + 8, 50, 12, 8, 1), WHITE, 0.6)
            + stroke(f"M{x + 10} 53h8", RED, 1)
            + form(oval(x + 34, 50, 3.4, 2.4), LEAF, 0.6)
        )
        x, i = x + 38, i + 1
    shine = veil(f"M4 12H{w * 0.3}L{w * 0.16} 64H4z", WHITE, 0.3)
    return Prop(
        "meat counter",
        w,
        112,
        shadow(w / 2, 111, w * 0.53, 5, 0.5)
        + path(box(1, 6, w - 2, 60, 2), STEEL)
        + tray
        + goods
        + shine
        + low
        + "".join(form(box(10 + i * 54, 74, 44, 28, 2), light("#8FB3C6", 0.2), 1.6) for i in range(int(w // 54)))
        + path(f"M4-4H{w - 4}L{w + 2} 3H-2z", light("#DDE5EA", 0.4))
        + form(box(-3, 2, w + 6, 6, 2), "#DDE5EA", 1.4, 0.5),
    )


def string_ball() -> Prop:
    return Prop(
        "ball of string",
        10,
        10,
        shadow(5, 9.6, 5, 0.7, 0.5)
        + stroke("M8 8Q14 10 18 9", CREAM, 0.6)
        + form(
            oval(5, 5, 5),
            "#E4D2B0",
            1.2,
            0.4,
            stroke("M0 3Q5 6 10 3M0 6Q5 9 10 6M3 0Q6 5 3 10M7 0Q10 5 7 10", dark("#E4D2B0", 0.2), 0.5),
        ),
    )


def loaf_in_box(w: float, h: float) -> Prop:
    """A loaf in a given box."""
    return boxed(loaf(w * 0.96), w, h)
