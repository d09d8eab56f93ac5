"""A small concert at night."""

from __future__ import annotations

from studio.drawing.kit import (
    CREAM,
    RED,
    STEEL,
    SUN,
    Prop,
    box,
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


def concert() -> Setting:
    out = path(box(0, 0, W, H), "#2B2450")
    glow = (
        '<defs><linearGradient id="beam" x2="0" y2="1"><stop stop-color="#FFF1C0"'
        ' stop-opacity=".62"/><stop offset="1" stop-color="#FFF1C0" stop-opacity=".04"/>'
        "</linearGradient></defs>"
    )
    out += glow + path(box(120, 60, 784, 400), "#473A78")
    out += "".join(
        path(oval(150 + (i * i * 61 + i * 17) % 720, 80 + (i * i * 29 + i * 43) % 270, 2.2), "#8D7FC4")
        for i in range(42)
    )
    moon = form(oval(512, 224, 120), "#5B4C93", 0) + stroke(oval(512, 224, 134), "#6C5CA6", 5)
    out += moon
    curtain = "#A03A4E"
    for k, x in ((1, 0), (-1, W)):
        folds = "".join(
            stroke(
                f"M{x + k * (20 + 34 * i)} 0Q{x + k * (26 + 34 * i)} 250 {x + k * (14 + 30 * i)} 480",
                dark(curtain, 0.3),
                9,
            )
            for i in range(5)
        )
        out += form(
            f"M{x} 0H{x + k * 196}Q{x + k * 200} 200 {x + k * 132} 330Q{x + k * 120} 420 {x + k * 128} 480H{x}z",
            curtain,
            9,
            0,
            folds,
        )
    swags = "".join(form(f"M{x} 0h180q-10 66-90 66t-90-66z", light(curtain, 0.06), 6, 2) for x in range(-30, W, 178))
    out += form(box(0, 0, W, 30), curtain, 0) + swags
    for x, a, b in ((210, 300, 560), (512, 400, 624), (814, 470, 730)):
        out += path(poly((x - 12, 70), (x + 12, 70), (b, 462), (a, 462)), "url(#beam)")
        out += form(poly((x - 18, 38), (x + 18, 38), (x + 22, 72), (x - 22, 72)), "#3C3F55", 4) + path(
            oval(x, 72, 20, 6), "#FFF6D8"
        )
    wood = "#8A5F5A"
    out += path(poly((60, 446), (964, 446), (1024, 540), (0, 540)), wood) + "".join(
        stroke(f"M{512 + (x - 512) * 0.86:.0f} 446L{x} 540", dark(wood, 0.25), 2) for x in range(-60, 1100, 76)
    )
    out += (
        veil(oval(512, 486, 190, 34), "#FFE9B0", 0.5)
        + veil(oval(250, 488, 120, 22), "#FFE9B0", 0.22)
        + veil(oval(770, 488, 120, 22), "#FFE9B0", 0.22)
    )
    out += path(box(0, 538, W, 12), light(wood, 0.25)) + path(box(0, 550, W, 140), "#3A2C55")
    out += "".join(path(oval(x, 556, 5), "#FFE9A8") for x in range(26, W, 54))
    return Setting("stage", out, 330, 122)


def microphone_stand() -> str:
    return (
        form(oval(0, 0, 15, 3), "#4B5368", 1)
        + form(box(-1.5, -112, 3, 112, 1), "#9AA3B2", 0.8)
        + stroke("M0-112L-9-122", "#9AA3B2", 2.6)
        + form(oval(-12, -125, 5), "#3C3F55", 1.4)
        + stroke("M-14-127l3 4M-12-129l3 4", STEEL, 0.7)
    )


def stand_alone(w: float, h: float) -> Prop:
    """The microphone on its stand without the singer, in the singer's box."""
    return Prop(
        "microphone stand",
        w,
        h,
        shadow(w * 0.5 - 22, h - 2, 20, 2.6, 0.6) + put(w * 0.5 - 22, h - 3, microphone_stand()),
    )


def guitar(wood: str = "#D98F4A") -> Prop:
    """An acoustic guitar, neck up; 36 x 100 cm; anchors where the hands go."""
    neck = (
        form(box(15.6, 8, 5, 50, 1), "#6B4A35", 1)
        + form(box(14, 0, 8, 11, 2), "#4A3328", 1)
        + path("".join(oval(x, y, 1) for x in (13.4, 22.6) for y in (3, 7)), CREAM)
    )
    body = form(
        "M18 48C30 48 31 60 27 66C25 70 36 74 35 86C34 97 26 100 18 100S2 97 1 86C0 74 11 70 9 66C5 60 6 48 18 48z",
        wood,
        4,
        1,
    )
    return Prop(
        "guitar",
        36,
        100,
        neck
        + body
        + form(oval(18, 72, 6), "#4A3328", 1)
        + path(box(11, 87, 14, 3, 1), "#4A3328")
        + stroke("M16.5 10V88M18 10V88M19.5 10V88", CREAM, 0.4),
    )


def drums() -> Prop:
    red = "#C8553D"
    bass = form(oval(60, 72, 32), red, 6) + form(oval(60, 72, 27), CREAM, 3) + path(oval(60, 72, 9), SUN)
    toms = "".join(form(box(x, 26, 30, 20, 3), red, 4, 1) + form(oval(x + 15, 26, 15, 4), CREAM, 1) for x in (26, 64))
    floor_tom = form(box(96, 50, 30, 44, 3), red, 4, 1) + form(oval(111, 50, 15, 4), CREAM, 1)
    cymbals = "".join(
        stroke(f"M{x} 16L{x + d} 100", STEEL, 2) + form(oval(x, 14, 22, 4), SUN, 1.4) for x, d in ((8, 4), (118, 6))
    )
    return Prop("drum kit", 134, 104, shadow(66, 102, 76, 5, 0.6) + cymbals + toms + bass + floor_tom)


def speaker() -> Prop:
    cones = "".join(
        form(oval(24, y, r), "#4B4668", 3) + form(oval(24, y, r * 0.45), "#2A2740", 1.4)
        for y, r in ((24, 14), (68, 19))
    )
    return Prop(
        "loudspeaker", 48, 96, shadow(24, 95, 30, 3, 0.6) + form(box(0, 0, 48, 95, 3), "#2A2740", 4, 1.2) + cones
    )


def photo_camera() -> Prop:
    """A camera with a long lens that points to the viewer's right; 30 x 20 cm."""
    lens = (
        form(box(16, 5, 12, 11, 1.5), "#3C4356", 1.6, 0.4)
        + form(box(26, 3.4, 5, 14, 1.5), "#2B3044", 1.2)
        + path(box(30, 5, 1.6, 11, 0.8), "#9CC8DC")
    )
    body = (
        form(box(0, 3, 18, 15, 2.4), "#2B3044", 2, 0.5)
        + form(box(4, 0, 9, 5, 1.4), "#2B3044", 0.8)
        + path(box(1, 8, 15, 4), "#5A6379")
        + path(oval(15, 5.4, 1), RED)
    )
    return Prop("camera", 32, 19, body + lens)
