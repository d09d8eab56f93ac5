"""Figures and tools of a dressmaker."""

from __future__ import annotations

from studio.drawing.kit import (
    CORAL,
    CREAM,
    INK,
    PINK,
    RED,
    STEEL,
    SUN,
    TEAL,
    WOOD,
    Prop,
    box,
    dark,
    form,
    light,
    limb,
    oval,
    path,
    put,
    shadow,
    stroke,
)


def mannequin() -> Prop:
    """An old shop-window figure with a cracked face and a faded gown, 70 x 176 cm."""
    skin, gown = "#E4D2BC", "#B7A6B4"
    stand = stroke("M35 130V168", "#8A8F9C", 3) + form("M14 176Q16 168 35 168T56 176z", "#8A8F9C", 2)
    arms = (
        form(limb([(21, 48), (11, 66), (8, 86)], (8, 7, 5)), skin, 1.6)
        + form(limb([(49, 48), (59, 66), (62, 86)], (8, 7, 5)), skin, 1.6)
        + form("M5 86H11Q12 96 8 99Q3 96 5 86zM59 86H65Q67 96 62 99Q58 96 59 86z", skin, 1)
    )
    joints = stroke("M8 64l7 3M55 67l7-3M5 86h6M59 86h6M30 38h10", dark(skin, 0.45), 1.2)
    dress = form(
        "M24 40Q35 46 46 40L50 50Q46 66 48 76L64 150Q35 160 6 150L22 76Q24 66 20 50z",
        gown,
        6,
        0.8,
        stroke("M24 80L16 150M35 78V154M46 80L54 150", dark(gown, 0.16), 1.4)
        + path("".join(oval(14 + 13 * i % 46, 90 + 11 * i % 58, 1.8) for i in range(12)), light(gown, 0.4)),
    )
    patch = put(46, 126, form(box(-6, -6, 12, 12, 1), "#A99DB0", 1) + stroke("M-6-3h12M-6 3h12", CREAM, 0.5))
    neck = form("M30 28H40V42Q35 46 30 42z", dark(skin, 0.14), 1)
    head = form("M23 18Q22 4 35 4T47 18Q47 32 35 34T23 18z", skin, 2.4, 0.6)
    face = (
        stroke("M28 16q2.4-1.4 4.6 0M38 16q2.4-1.4 4.6 0", dark(skin, 0.5), 0.9)
        + path(oval(30.4, 19, 1.5, 0.9) + oval(40, 19, 1.5, 0.9), "#6B6F86")
        + stroke("M35 20l-1 5h2", dark(skin, 0.3), 0.7)
        + stroke("M32 29.4q3 1 6 0", "#B5737A", 1.2)
    )
    crack = stroke("M44 8L40 13L43 17L38 22L41 26L38 31M40 13L37 12M38 22L35 24", "#5A4652", 0.9)
    return Prop(
        "old mannequin",
        70,
        176,
        shadow(35, 175, 26, 3, 0.5) + stand + arms + dress + patch + neck + head + face + crack + joints,
    )


def coat_rack(w: float, h: float) -> Prop:
    """A stand with a dress on a hanger, in any box; it reaches the ground."""
    x = w / 2
    pole = stroke(
        (
            f"M{x} 12V{h - 6}M{x} {h - 14}L{x - 20} {h - 2}M{x} {h - 14}L{x + 20} {h - 2}M{x} 16"
            f"L{x - 14} 8M{x} 16L{x + 14} 8"
        ),
        dark(WOOD, 0.2),
        3.4,
    )
    dress = form(
        f"M{x - 12} 34Q{x} 26 {x + 12} 34L{x + 8} 70L{x + 22} 124Q{x} 130 {x - 22} 124L{x - 8} 70z",
        INK,
        4,
        0.6,
        stroke(f"M{x - 6} 72L{x - 10} 124M{x + 6} 72L{x + 10} 124", light(INK, 0.12), 1),
    )
    return Prop(
        "coat stand with a dress",
        w,
        h,
        shadow(x, h - 1.6, 22, 2.6, 0.5) + pole + stroke(f"M{x - 14} 32L{x} 22L{x + 14} 32", STEEL, 1.6) + dress,
    )


def sewing_machine() -> Prop:
    """On a small table with a treadle, 62 x 104 cm."""
    table = form(box(0, 42, 62, 6, 1.4), WOOD, 1.4, 0.4) + stroke(
        "M8 48V102M54 48V102M8 90H54M12 50L50 88", "#3C4356", 2.6
    )
    arm = (
        form("M10 14H46Q50 14 50 18V42H40V26H18V36H12Q10 30 10 14z", "#3C4356", 2, 0.5)
        + form(oval(54, 22, 5), STEEL, 1)
        + stroke("M14 36V42", STEEL, 1)
        + path(box(26, 8, 5, 6), RED)
        + stroke("M20 18h18", SUN, 1)
    )
    cloth = form("M4 40Q14 36 24 41L20 60Q10 56 4 58z", CORAL, 2)
    return Prop("sewing machine", 62, 104, shadow(31, 103, 32, 3, 0.5) + table + arm + cloth)


def hat_boxes() -> Prop:
    out = (
        form(box(2, 34, 46, 26, 3), PINK, 4, 0.8)
        + form(box(0, 30, 50, 8, 3), light(PINK, 0.2), 2)
        + form(box(8, 8, 36, 24, 3), TEAL, 4, 0.8)
        + form(box(6, 5, 40, 7, 3), light(TEAL, 0.2), 2)
    )
    return Prop("hat boxes", 50, 60, shadow(25, 59, 27, 2.4, 0.5) + out + stroke("M25 8V32M25 36V60", CREAM, 2.4))
