"""A lay-by: a rusty car without wheels, a camper van, a folding chair, thistles and crows."""

from __future__ import annotations

from studio.drawing.kit import (
    BLUE,
    CORAL,
    CREAM,
    INK,
    LEAF,
    RED,
    SKY,
    STEEL,
    SUN,
    TEAL,
    WHITE,
    WOOD,
    Prop,
    box,
    dark,
    form,
    oval,
    path,
    poly,
    put,
    shadow,
    stroke,
    veil,
)


def car_shell() -> Prop:
    """A rusty car body without wheels, doors or glass, on blocks, 400 x 140 cm."""
    rust = "#B8754A"
    blocks = "".join(
        form(box(x, 106, 40, 17, 1), "#A9A29A", 3) + form(box(x - 5, 122, 50, 16, 1), "#978F88", 3) for x in (130, 242)
    )
    patches = "".join(
        veil(oval(x, y, rx, ry), c, 0.7)
        for x, y, rx, ry, c in (
            (60, 84, 40, 16, "#8A4A2E"),
            (196, 96, 50, 12, "#8A4A2E"),
            (340, 80, 36, 18, "#8A4A2E"),
            (150, 30, 26, 10, "#7FA39A"),
            (270, 60, 30, 12, "#7FA39A"),
            (110, 72, 30, 8, "#D99A66"),
        )
    )
    shell = form(
        "M4 104V84Q4 72 20 68L96 56L136 12Q142 4 154 4H268Q282 4 290 12L332 54L382 62Q398 66"
        " 398 84V104q0 6-8 6H364Q360 76 326 76T288 110H124Q120 76 88 76T50 110H12q-8 0-8-6z",
        rust,
        16,
        3,
        patches,
    )
    holes = (
        path("M114 60L150 18H212V60zM226 60V18H262Q272 18 280 24L312 60z", "#5B4A4E")
        + form("M184 60V42q0-8 8-8h6q8 0 8 8V60z", "#8A7A78", 4)
        + stroke("M138 57q2-16 16-18", "#3C3440", 4)
    )
    lamp_ = (
        path(oval(16, 82, 11, 8), "#5B4A4E")
        + stroke("M218 62V104", dark(rust, 0.3), 3)
        + stroke("M4 100h30", dark(rust, 0.35), 5)
    )
    return Prop("rusty car body", 400, 140, shadow(200, 137, 210, 9, 0.6) + blocks + shell + holes + lamp_)


def camper() -> Prop:
    """A camper van with a striped awning, 460 x 220 cm, that looks left."""
    shell = (
        form("M8 188V120Q10 40 70 34H430Q450 34 450 54V188z", SKY, 16, 3)
        + path("M8 128Q60 150 110 120T450 124V188H8z", CREAM)
        + path(box(8, 176, 442, 12), dark(SKY, 0.4))
    )
    glass = "".join(
        path(box(x, 56, w, 52, 6), "#3C5A6B") + path(box(x + 4, 60, w - 8, 44, 4), "#CFE7EA")
        for x, w in ((134, 84), (232, 84), (330, 100))
    ) + path("M28 108Q34 62 66 56H118V108z", "#CFE7EA")
    wheels = "".join(
        path(oval(x, 186, 40), dark(SKY, 0.6)) + form(oval(x, 188, 31), "#2E2B38", 6) + form(oval(x, 188, 16), CREAM, 4)
        for x in (96, 366)
    )
    curtain = "".join(path(poly((x, 60), (x + 26, 60), (x, 96)), CORAL) for x in (138, 236, 334))
    return Prop(
        "camper van",
        460,
        220,
        shadow(230, 217, 240, 11, 0.7)
        + shell
        + glass
        + curtain
        + stroke("M124 50V172M224 120V172", dark(SKY, 0.3), 3)
        + form(oval(20, 140, 12), "#FFF1C0", 3)
        + form(box(110, 22, 300, 14, 4), WHITE, 3)
        + wheels,
    )


def folding_chair(w: float = 90, h: float = 100, colour: str = TEAL) -> str:
    """A camping chair in profile that looks right, drawn in `w` x `h` with the seat at 0.6 h."""
    legs = stroke(
        f"M{w * 0.2:.1f} {h * 0.98:.1f}L{w * 0.72:.1f} {h * 0.56:.1f}"
        f"M{w * 0.78:.1f} {h * 0.98:.1f}L{w * 0.26:.1f} {h * 0.5:.1f}",
        STEEL,
        3.4,
    )
    return (
        legs
        + form(poly((w * 0.2, h * 0.58), (w * 0.78, h * 0.54), (w * 0.78, h * 0.61), (w * 0.22, h * 0.66)), colour, 2)
        + form(
            poly((w * 0.0, h * 0.1), (w * 0.09, h * 0.07), (w * 0.3, h * 0.62), (w * 0.2, h * 0.64)), colour, 2.4, 0.6
        )
        + stroke(f"M{w * 0.22:.1f} {h * 0.42:.1f}H{w * 0.7:.1f}V{h * 0.56:.1f}", STEEL, 2.6)
    )


def sunshade_and_box(wide: float, high: float) -> Prop:
    """A camping chair with a folded sunshade and a cool box on it, in a box of `wide` x `high`."""
    w, h = 104.0, 112.0
    shade = form(
        poly((w * 0.24, h * 0.56), (w * 0.46, h * 0.1), (w * 0.53, h * 0.13), (w * 0.34, h * 0.6)),
        SUN,
        3,
        0.8,
        stroke(f"M{w * 0.28:.1f} {h * 0.5:.1f}L{w * 0.5:.1f} {h * 0.12:.1f}", RED, 3),
    )
    cool = (
        form(box(w * 0.38, h * 0.36, w * 0.34, h * 0.2, 2), BLUE, 3, 0.8)
        + form(box(w * 0.36, h * 0.3, w * 0.38, h * 0.07, 2), WHITE, 2)
        + stroke(f"M{w * 0.44:.1f} {h * 0.31:.1f}V{h * 0.25:.1f}H{w * 0.66:.1f}V{h * 0.31:.1f}", STEEL, 2)
    )
    return Prop(
        "sunshade and cool box on a chair",
        wide,
        high,
        put(
            (wide - w) / 2,
            high - h,
            shadow(w / 2, h - 1.5, w * 0.42, 4, 0.6) + folding_chair(w, h) + shade + cool,
        ),
    )


def thistles(w: float = 90) -> Prop:
    """Tall grass with thistles, `w` x 0.7 w cm."""
    k = w / 90
    blades = stroke(
        "".join(
            f"M{6 + 7 * i} 62Q{6 + 7 * i + (i % 3 - 1) * 8} {34 + i * 5 % 14}"
            f" {6 + 7 * i + (i % 5 - 2) * 6} {14 + i * 11 % 26}"
            for i in range(12)
        ),
        "#7E9A56",
        3,
    )
    heads = "".join(
        stroke(f"M{x} 62V{y}", "#6B8A4E", 3)
        + form(oval(x, y, 6), "#6B8A4E", 1.4)
        + path(
            poly(
                (x - 6, y - 3),
                (x - 5, y - 11),
                (x - 2, y - 6),
                (x, y - 13),
                (x + 2, y - 6),
                (x + 5, y - 11),
                (x + 6, y - 3),
            ),
            "#B06AA8",
        )
        for x, y in ((22, 22), (48, 16), (70, 28))
    )
    return Prop(
        "thistles",
        w,
        63 * k,
        shadow(w / 2, 62 * k, w * 0.46, 3, 0.5) + f'<g transform="scale({k:.3f})">{blades}{heads}</g>',
    )


def crow(facing: int = 1) -> Prop:
    """A crow on the ground, 40 x 30 cm."""
    art = (
        stroke("M18 24v6m5-6v6", INK, 1.4)
        + form("M2 20Q10 12 20 14Q26 4 32 5Q37 6 36 11L34 16Q30 26 18 25Q8 25 2 20z", "#3B3A4C", 3, 0.8)
        + form(poly((36, 8), (41, 11), (35, 12)), "#6B6478", 0.6)
        + path(oval(32.6, 8.6, 1), WHITE)
    )
    flip = "" if facing > 0 else 'transform="translate(40,0) scale(-1,1)"'
    return Prop("crow", 40, 30, shadow(20, 29, 14, 2, 0.5) + f"<g {flip}>{art}</g>")


def tow_rope() -> Prop:
    return Prop("rope", 60, 12, stroke("M2 8Q12 0 22 8T42 8Q54 2 52 9T30 10T8 10", WOOD, 3) + path(oval(3, 8, 2), LEAF))
