"""A bronze general, a fountain's rim, steps, placards: things of the town square that people gather round."""

from __future__ import annotations

from studio.drawing.kit import (
    CORAL,
    CREAM,
    INK,
    LEAF,
    NAVY,
    RED,
    STEEL,
    SUN,
    TEXT,
    WHITE,
    WOOD,
    Prop,
    box,
    dark,
    flower,
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


def general() -> Prop:
    """A bronze general with a cocked hat on a plinth, spotted by pigeons, 170 x 420 cm."""
    bronze, stone = "#6F8A78", "#C9BFB0"
    plinth = (
        form(box(30, 240, 110, 160, 2), stone, 12, 2)
        + form(box(18, 392, 134, 26, 3), stone, 6, 1.4)
        + form(box(20, 228, 130, 18, 3), stone, 6, 1.4)
        + form(box(52, 280, 66, 44, 3), dark(stone, 0.22), 3)
        + stroke("M62 294h46M62 304h46M62 313h30", light(stone, 0.2), 2.4)
    )
    legs = form("M66 228L70 150H86L84 228zM88 228L90 150H106L110 228z", dark(bronze, 0.12), 5) + form(
        "M60 230Q60 220 70 220H86V230zM86 230V220H104Q114 220 114 230z", dark(bronze, 0.3), 3
    )
    coat = (
        form("M58 92Q66 76 86 76T116 92L120 176Q104 186 88 172Q70 186 56 176z", bronze, 9, 2)
        + stroke("M88 82V172", dark(bronze, 0.3), 2.4)
        + path(oval(82, 104, 2.4) + oval(82, 120, 2.4) + oval(82, 136, 2.4), light(bronze, 0.4))
    )
    arms = (
        form("M112 88Q124 84 136 60L150 34L160 40L148 70Q136 104 118 108z", bronze, 5, 1.4)
        + form(oval(156, 34, 8), bronze, 2)
        + form("M60 90Q46 100 48 130L62 148L72 142L62 126L70 104z", bronze, 5)
        + form("M44 96Q40 92 58 88L64 96Q56 102 46 100zM112 88Q128 86 130 94Q124 102 112 100z", light(bronze, 0.2), 2)
    )
    head_ = (
        form("M72 52Q70 30 87 30T104 52Q104 74 88 76T72 52z", bronze, 5, 1.4)
        + stroke("M79 56q3-2 6 0M92 56q3-2 6 0M82 67q6 3 12 0M88 56l-1 6", dark(bronze, 0.45), 2)
        + form("M56 40Q70 8 88 12T120 40Q88 28 56 40z", dark(bronze, 0.16), 4, 1.4)
    )
    spots = "".join(
        form(
            f"M{x} {y}q{w} 0 {w * 0.9:.1f} {w}q-1 {w} -3 {w * 1.4:.1f}q-3-{w}"
            f" -4-{w * 0.8:.1f}q-3 0-3-{w * 0.7:.1f}q0-{w} {w * 0.4:.1f}-{w}z",
            "#F7F5EA",
            0.6,
        )
        for x, y, w in (
            (82, 13, 6),
            (104, 28, 5),
            (54, 92, 6),
            (114, 90, 6),
            (96, 34, 4),
            (148, 36, 5),
            (70, 120, 5),
            (102, 140, 5),
            (60, 232, 7),
            (120, 231, 8),
            (92, 60, 4),
        )
    )
    return Prop(
        "statue of a general", 170, 420, shadow(90, 417, 84, 8, 0.6) + plinth + legs + coat + arms + head_ + spots
    )


def bucket_brush() -> Prop:
    """A bucket with suds, 34 x 34 cm."""
    return Prop(
        "bucket",
        34,
        34,
        shadow(17, 33.4, 16, 1.6, 0.6)
        + stroke("M4 10Q17-10 30 10", STEEL, 1.4)
        + form(poly((3, 10), (31, 10), (27, 33), (7, 33)), SUN, 3, 0.8)
        + path(oval(10, 9, 5) + oval(18, 7, 6) + oval(25, 9, 4.6), WHITE),
    )


def scrub_brush() -> Prop:
    """A long brush, 12 x 70 cm (anchor 'grip')."""
    return Prop(
        "brush",
        16,
        70,
        stroke("M8 14V69", WOOD, 2.6)
        + form(box(0, 6, 16, 9, 2), WOOD, 2)
        + stroke("M2 6V0M5 6V-1M8 6V-1M11 6V-1M14 6V0", CREAM, 1.8),
        {"grip": (8, 52)},
    )


def step_ladder(h: float = 200) -> Prop:
    """A step ladder, 80 cm wide."""
    rungs = "".join(
        form(box(22 - 12 * t, h * (0.12 + 0.84 * t), 36 + 24 * t - 12 * t, 5, 1), "#D9B27C", 1)
        for t in (0.1, 0.3, 0.5, 0.7, 0.9)
    )
    return Prop(
        "ladder",
        80,
        h,
        shadow(40, h - 1, 44, 4, 0.5)
        + stroke(f"M50 6L74 {h - 2}", dark(WOOD, 0.3), 4)
        + stroke(f"M28 6L6 {h - 2}M46 6L56 {h - 2}", WOOD, 5)
        + rungs
        + form(box(24, 2, 30, 8, 2), RED, 2),
    )


def newspaper(w: float = 60) -> Prop:
    """An open newspaper seen from outside, `w` x 0.62 w cm."""
    k = w / 60
    art = (
        form(poly((0, 2), (30, 0), (30, 35), (0, 37)), "#F4F0E4", 1.4)
        + form(poly((30, 0), (60, 2), (60, 37), (30, 35)), "#E9E3D2", 1.4)
        + stroke(
            "M4 8h22M4 13h10M4 17h10M4 21h10M4 26h22M4 30h22M34 8h22M34 13h22M46 18h10M46 22h10M34 30h22",
            "#8C93A6",
            1.2,
        )
        + path(box(16, 12, 10, 10) + box(34, 17, 10, 9), "#A9B7C4")
    )
    return Prop("newspaper", w, 37 * k, f'<g transform="scale({k:.3f})">{art}</g>')


def paper_pile(w: float, h: float) -> Prop:
    """A bag and a tied pile of newspapers that fill a box, as left on a bench."""
    n = 9
    pile = "".join(
        form(
            box(w * 0.42 + i % 2 * 1.5, h * (0.94 - 0.045 * i) - h * 0.35, w * 0.4, h * 0.045, 0.6),
            ("#F4F0E4", "#E4DDCB")[i % 2],
            0.6,
        )
        for i in range(n)
    )
    string = stroke(f"M{w * 0.62:.1f} {h * 0.21:.1f}V{h * 0.63:.1f}", RED, 1.2)
    bag = form(
        f"M{w * 0.12:.1f} {h * 0.63:.1f}V{h * 0.36:.1f}Q{w * 0.12:.1f} {h * 0.3:.1f} {w * 0.18:.1f}"
        f" {h * 0.3:.1f}H{w * 0.34:.1f}Q{w * 0.4:.1f} {h * 0.3:.1f} {w * 0.4:.1f} {h * 0.36:.1f}V{h * 0.63:.1f}z",
        "#8D5A4C",
        3,
        0.8,
    ) + stroke(f"M{w * 0.2:.1f} {h * 0.3:.1f}Q{w * 0.26:.1f} {h * 0.18:.1f} {w * 0.33:.1f} {h * 0.3:.1f}", "#6B4438", 2)
    return Prop("newspapers and a bag", w, h, pile + string + bag)


def steps(w: float = 460) -> Prop:
    """Three broad stone steps, `w` x 54 cm."""
    stone = "#D3C7B2"
    return Prop(
        "steps",
        w,
        54,
        shadow(w / 2, 53, w * 0.52, 6, 0.5)
        + "".join(
            form(box(w * 0.05 * (2 - i), 18 * i, w - w * 0.1 * (2 - i), 18, 1), light(stone, 0.12 * (2 - i)), 3)
            + path(box(w * 0.05 * (2 - i), 18 * i, w - w * 0.1 * (2 - i), 5), light(stone, 0.5))
            for i in range(3)
        ),
    )


def placard(name: str, art: str, lines: tuple[str, ...], colour: str = NAVY, board: str = WHITE) -> Prop:
    """A board on a stick, 96 x 190 cm: a picture of 60 x 60 above its words."""
    words = "".join(lettering(t, 48, 84 + 17 * i, 13, colour, 84) for i, t in enumerate(lines))
    return Prop(
        name,
        96,
        190,
        form(box(45, 96, 6, 94, 2), WOOD, 2) + form(box(0, 0, 96, 108, 3), board, 4, 1) + put(18, 6, art) + words,
        {"grip": (48, 160)},
        frozenset({TEXT}),
    )


def fist() -> str:
    """A raised fist, in 60 x 60."""
    skin = CORAL
    wrist = form("M20 60L22 40H42L44 60z", skin, 3)
    palm = form("M16 40Q12 28 14 18H46Q50 30 46 42Q32 50 16 40z", skin, 3)
    fingers = "".join(
        form(box(13 + 8.6 * i, 6 + abs(i - 1.5) * 1.4, 8.4, 20, 4), light(skin, 0.08 * (i % 2)), 1.4) for i in range(4)
    )
    return (
        wrist
        + palm
        + fingers
        + form("M12 28Q10 22 18 23L36 27Q40 29 38 33Q36 36 30 35L16 34Q12 33 12 28z", light(skin, 0.1), 1.6)
        + stroke("M6 10L1 4M30 1V-5M54 10l5-6", RED, 3)
    )


def sunflower() -> str:
    """A sunflower, in 60 x 60."""
    return stroke("M30 34V60M30 52Q20 50 18 42M30 54Q40 52 42 44", LEAF, 4) + flower(30, 24, 22, SUN, "#7A4A31", 12)


def soap_box() -> Prop:
    """A wooden box to stand on, 60 x 36 cm."""
    return Prop(
        "wooden box",
        60,
        36,
        shadow(31, 35, 34, 4, 0.6)
        + "".join(form(box(1, 1 + 12 * i, 58, 11, 1), light(WOOD, 0.08 * i), 2) for i in range(3))
        + form(box(3, 0, 7, 35, 1), dark(WOOD, 0.1), 1)
        + form(box(50, 0, 7, 35, 1), dark(WOOD, 0.1), 1),
    )


def fountain_basin(w: float = 420) -> Prop:
    """The near rim of a fountain's basin with water behind it, `w` x 92 cm."""
    stone = "#CFC6B8"
    water = form(f"M10 26Q{w / 2} -14 {w - 10} 26Q{w / 2} 60 10 26z", "#7FBBCB", 4) + stroke(
        f"M{w * 0.2:.0f} 22h50M{w * 0.45:.0f} 14h70M{w * 0.6:.0f} 28h60M{w * 0.35:.0f} 33h40", "#DDF0F2", 2.4
    )
    rim = form(f"M0 26Q{w / 2} 58 {w} 26L{w - 6} 40Q{w / 2} 74 6 40z", light(stone, 0.3), 3) + form(
        f"M6 38Q{w / 2} 72 {w - 6} 38L{w - 24} 84Q{w / 2} 104 24 84z",
        stone,
        10,
        0,
        stroke(
            "".join(
                f"M{w * x:.0f} 44L{w * (0.5 + (x - 0.5) * 0.92):.0f} 96" for x in (0.12, 0.26, 0.42, 0.58, 0.74, 0.88)
            ),
            dark(stone, 0.14),
            2,
        ),
    )
    return Prop(
        "fountain",
        w,
        92,
        shadow(w / 2, 88, w * 0.5, 9, 0.5)
        + water
        + rim
        + path(oval(w * 0.3, 62, 3) + oval(w * 0.66, 66, 3), INK, extra='opacity=".15"'),
    )
