"""A teenager's corner at night: desk, screen, lamp, bed."""

from __future__ import annotations

from studio.drawing.kit import (
    BLUE,
    CORAL,
    CREAM,
    INK,
    LEAF,
    PINK,
    PLUM,
    RED,
    SKY,
    SUN,
    TEAL,
    WHITE,
    Prop,
    box,
    clipped,
    dark,
    form,
    light,
    oval,
    path,
    poly,
    put,
    shadow,
    stroke,
    veil,
)
from studio.drawing.scene import H, Setting, W


def bedroom() -> Setting:
    wall, base = "#6C6A97", 508
    out = path(box(0, 0, W, base), wall) + path(
        "".join(oval(30 + 92 * i + 46 * (j % 2), 26 + 62 * j, 4) for i in range(12) for j in range(8)),
        light(wall, 0.14),
    )
    out += path(box(0, base - 18, W, 18), light(wall, 0.4)) + path(box(0, base - 3, W, 3), dark(wall, 0.3))
    pane = box(92, 62, 216, 226)
    night = path(pane, "#26315C") + path(
        "".join(oval(104 + 61 * i % 200, 72 + 47 * i % 130, 1.8) for i in range(17)), "#FFF4DC"
    )
    moon = form(oval(246, 112, 26), "#FBE9B4", 7) + path(oval(238, 106, 4) + oval(254, 122, 3), dark("#FBE9B4", 0.12))
    roofs = path("M92 288V232l34-26l34 26v-20h46v-26h40v40l30-24l32 24v62z", "#1C2347")
    lit = path(
        box(112, 244, 12, 14)
        + box(136, 244, 12, 14)
        + box(216, 214, 11, 13)
        + box(216, 246, 11, 13)
        + box(266, 238, 12, 14),
        "#F4C152",
    )
    out += (
        path(box(86, 52, 236, 250, 6), dark(wall, 0.3))
        + path(box(80, 48, 238, 250, 6), CREAM)
        + clipped(pane, night + moon + roofs + lit)
    )
    out += (
        stroke("M200 62v226M92 172h216", CREAM, 9)
        + path(box(68, 294, 262, 15, 4), CREAM)
        + path(box(68, 306, 262, 5), dark(CREAM, 0.3))
    )
    out += stroke("M388 40Q560 104 716 44T1010 60", "#4A4870", 2.4)
    for (x0, y0), (x1, y1), (x2, y2) in (((388, 40), (560, 104), (716, 44)), ((716, 44), (872, -16), (1010, 60))):
        for t in (0.08, 0.24, 0.4, 0.56, 0.72, 0.88):
            x = (1 - t) ** 2 * x0 + 2 * t * (1 - t) * x1 + t * t * x2
            y = (1 - t) ** 2 * y0 + 2 * t * (1 - t) * y1 + t * t * y2
            out += veil(oval(x, y + 8, 15), "#FBDD8A", 0.25) + path(oval(x, y + 7, 5.4), "#FFE9A8")
    out += put(
        420,
        128,
        path(box(6, 7, 118, 146, 3), dark(wall, 0.3)) + form(box(0, 0, 118, 146, 3), "#27406B", 3, 1.4) + _planet(),
    )
    floor = "#8F6A66"
    out += path(box(0, base, W, H - base), floor)
    out += "".join(
        stroke(f"M{520 + (x - 520) * 0.5:.0f} {base}L{x} {H}", dark(floor, 0.2), 2) for x in range(-900, 1900, 88)
    )
    out += path(oval(600, 640, 330, 52), "#B7798A") + path(oval(600, 638, 306, 46), "#C98B98")
    glow = (
        '<defs><radialGradient id="lamp"><stop stop-color="#FFE3A0" stop-opacity=".75"/>'
        '<stop offset="1" stop-color="#FFE3A0" stop-opacity="0"/></radialGradien'
        "t></defs>"
    )
    return Setting("bedroom", out + glow + '<ellipse cx="850" cy="330" rx="290" ry="230" fill="url(#lamp)"/>', 290, 118)


def _planet() -> str:
    stars = path("".join(oval(14 + 37 * i % 96, 14 + 53 * i % 122, 1.5) for i in range(14)), "#FFF4DC")
    return (
        stars
        + stroke("M22 88Q58 60 98 60", "#EFA7A0", 5)
        + form(oval(59, 74, 27), CORAL, 8, 1.6, stroke("M28 66q32 12 64-4M30 84q30 10 60-4", light(CORAL, 0.4), 5))
        + stroke("M22 88Q58 92 98 60", "#F7D7C4", 5)
    )


def desk() -> Prop:
    """A desk against the wall, 190 x 76 cm, with drawers; things stand on its top edge."""
    wood = "#D9A469"
    legs = form(box(6, 8, 7, 68, 1), dark(wood, 0.1), 1.6) + form(box(20, 8, 5, 60, 1), dark(wood, 0.34), 1.2)
    drawers = form(box(130, 8, 54, 64, 1.5), dark(wood, 0.1), 4) + "".join(
        form(box(134, 12 + 20 * i, 46, 17, 1.5), wood, 2, 0.5) + form(oval(157, 20.5 + 20 * i, 2.4), CREAM, 0.6)
        for i in range(3)
    )
    return Prop(
        "desk", 190, 76, shadow(96, 75, 104, 6, 0.6) + legs + drawers + form(box(0, 0, 190, 8, 2), wood, 2, 0.8)
    )


def _screen(picture: str, name: str) -> Prop:
    """A flat screen on a foot, 64 x 50 cm."""
    foot = form("M24 50Q26 46 32 46T40 50z", "#3C4356", 1) + path(box(29.5, 38, 5, 9), "#2B3044")
    glass = box(2.4, 2.4, 59.2, 34.8, 0.6)
    return Prop(
        name,
        64,
        50,
        shadow(32, 49.4, 15, 1.4, 0.6)
        + foot
        + form(box(0, 0, 64, 39.6, 1.6), "#3C4356", 1.4, 0.5)
        + clipped(glass, picture),
    )


def code_screen() -> Prop:
    """Green characters on black with a padlock: what films show when somebody breaks in."""
    widths = ((14, 6, 9), (5, 17), (9, 4, 12), (20,), (7, 10, 3), (4, 14), (12, 5, 6), (8, 8))
    code = ""
    for row, words in enumerate(widths):
        x = 5.0 + (row % 3) * 2.2
        for word in words:
            code += stroke(
                f"M{x} {6.4 + row * 3.9}h{word * 0.68:.1f}", "#45D483" if (row + word) % 4 else "#B6F5CE", 1.5
            )
            x += word * 0.68 + 2.4
    lock = stroke("M43.5 17v-4.5a5 5 0 0 1 10 0V17", "#45D483", 2.2) + path(box(40.5, 16.5, 16, 13, 1.6), "#45D483")
    lock += path(oval(48.5, 21.6, 1.9) + poly((47.6, 22), (49.4, 22), (50, 26.6), (47, 26.6)), "#0E1B1A")
    return _screen(path(box(0, 0, 64, 40), "#0E1B1A") + code + lock, "screen full of green code")


def paint_screen() -> Prop:
    art = (
        path(box(0, 0, 64, 40), "#BFE2EC")
        + form(oval(48, 12, 5), SUN, 1)
        + path("M0 30Q16 16 32 26T64 22V40H0z", "#9CC48A")
        + path("M0 36Q24 26 64 33V40H0z", LEAF)
    )
    return _screen(
        art
        + path(box(2.4, 2.4, 7, 36), CREAM)
        + "".join(path(oval(5.9, 7 + 6 * i, 2), c) for i, c in enumerate((RED, SUN, LEAF, BLUE, PLUM))),
        "screen with a drawing of hills",
    )


def desk_lamp() -> Prop:
    arm = stroke("M12 47L22 26L10 10", "#45506B", 2.2) + form(oval(22, 26, 2), "#45506B", 0.5)
    shade = form("M12 3L-7 12Q-4 20 5 22L18 12Q18 5 12 3z", RED, 2.4, 0.6) + path(
        oval(0, 17, 6, 3.4), "#FFF1C0", extra='transform="rotate(40 0 17)"'
    )
    return Prop(
        "desk lamp",
        28,
        50,
        shadow(13, 49.4, 11, 1.4, 0.6) + form("M3 50Q4 45 13 45T23 50z", "#45506B", 1) + arm + shade,
    )


def swivel_chair() -> Prop:
    """Seen from behind: it hides the sitter up to the shoulder blades."""
    rest, iron = "#4E8FC0", "#3C4356"
    feet = "".join(
        stroke(f"M30 84L{x} {y}", iron, 4) + path(oval(x, y + 2, 3), dark(iron, 0.4))
        for x, y in ((6, 93), (20, 96), (42, 96), (54, 93))
    )
    seams = stroke("M16 14Q30 20 44 14M14 30Q30 36 46 30", dark(rest, 0.18), 1.2)
    body = (
        shadow(30, 97, 36, 4, 0.6)
        + feet
        + form(box(27, 60, 6, 26, 1), iron, 1.4)
        + form(box(4, 52, 52, 10, 5), dark(rest, 0.16), 2)
    )
    return Prop(
        "swivel chair",
        60,
        99,
        body
        + path(box(27, 40, 6, 16), iron)
        + form("M10 6Q30-2 50 6Q54 26 48 46Q30 50 12 46Q6 26 10 6z", rest, 5, 1, seams),
    )


def mug(colour: str = TEAL) -> Prop:
    return Prop(
        "mug",
        12,
        10,
        shadow(5, 9.8, 6, 0.8, 0.6)
        + stroke("M8.5 3q3.5 0 3 2.6t-3.4 2.2", colour, 1.3)
        + form(box(0.5, 0.5, 8.6, 9.4, 1.2), colour, 1.2, 0.4)
        + path(oval(4.8, 0.9, 4, 0.7), dark(colour, 0.4)),
    )


def papers() -> Prop:
    sheets = "".join(
        path(poly((2 + i, 5 - i), (26 + i, 4 - i), (30 - i, 6), (-1 + i, 7)), c)
        for i, c in enumerate((dark(CREAM, 0.1), WHITE))
    )
    return Prop("open notebook", 30, 8, shadow(15, 7.6, 16, 1, 0.5) + sheets + stroke("M5 5.6h9M17 5.4h8", BLUE, 0.5))


def cat(fur: str = "#E0934E") -> Prop:
    """Curled up asleep, 52 x 26 cm."""
    stripes = "".join(stroke(f"M{20 + 6 * i} 4q3 5 1 9", dark(fur, 0.3), 1.6) for i in range(4))
    body = form("M4 24Q-2 6 22 3Q46 1 50 16Q52 25 44 25H8z", fur, 3, 0, stripes)
    tail = stroke("M48 18Q54 26 40 25Q28 25 22 22", dark(fur, 0.16), 4.4)
    ears = form("M4 10l1-8l6 5zM14 6l5-5l1 8z", fur, 0.8)
    face = (
        form(oval(12, 14, 10, 8.4), fur, 1.8)
        + stroke("M6 14q2 2 4 0M14 14q2 2 4 0M12 17q-1.6 2-3 .6M12 17q1.6 2 3 .6", INK, 0.8)
        + path("M11 15.8h2l-1 1.4z", "#D77A6A")
    )
    return Prop("sleeping cat", 52, 26, shadow(27, 25, 30, 2.6, 0.5) + body + tail + ears + face)


def bed_end() -> Prop:
    """The foot of a bed with a quilt, cropped by the frame."""
    quilt = "".join(
        path(box(4 + 26 * i, 6 + 22 * j, 24, 20, 2), (PINK, CREAM, SKY, SUN)[(i + 2 * j) % 4])
        for i in range(6)
        for j in range(3)
    )
    return Prop(
        "bed",
        160,
        74,
        shadow(80, 72, 90, 5, 0.5)
        + form("M0 10Q2 0 14 0H146Q158 0 160 10V64H0z", "#A9C4D9", 5, 1, quilt)
        + form(box(-2, 58, 164, 16, 3), "#8A5F43", 3, 0.6),
    )
