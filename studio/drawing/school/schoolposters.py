"""What hangs on the walls of schools and stands on their stages: small pictures for posters, slides, signs, covers."""

from __future__ import annotations

from studio.drawing.faces import head
from studio.drawing.kit import (
    BLUE,
    CORAL,
    CREAM,
    INK,
    LEAF,
    NAVY,
    PINK,
    RED,
    SKY,
    STEEL,
    SUN,
    TEAL,
    WHITE,
    WOOD,
    Prop,
    box,
    clipped,
    dark,
    form,
    light,
    limb,
    oval,
    path,
    poly,
    put,
    stroke,
)  # fmt: skip
from studio.drawing.poses import Look, Pose
from studio.drawing.school.pupilware import star_points


def mast(x: float, base: float, h: float) -> str:
    """A radio mast with waves, its foot at (x, base)."""
    top, w = base - h, h * 0.24
    d = f"M{x - w} {base}L{x} {top}L{x + w} {base}"
    for i in range(5):
        a, b = 1 - i / 5, 1 - (i + 1) / 5
        low, high = base - h * (1 - a), base - h * (1 - b)
        d += "".join(f"M{x - k * w * a:.1f} {low:.1f}L{x + k * w * b:.1f} {high:.1f}" for k in (1, -1))
    waves = ""
    for r in (14, 23, 32):
        waves += f"M{x - r * 0.8:.1f} {top - r * 0.6:.1f}A{r} {r} 0 0 0 {x - r * 0.8:.1f} {top + r * 0.6:.1f}"
        waves += f"M{x + r * 0.8:.1f} {top - r * 0.6:.1f}A{r} {r} 0 0 1 {x + r * 0.8:.1f} {top + r * 0.6:.1f}"
    return stroke(d, NAVY, 3) + stroke(waves, CORAL, 3.4) + form(oval(x, top, 5), RED, 1)


def flu_mast() -> Prop:
    """A radio mast beside a red face with a thermometer in its mouth."""
    look = Look(sex="male", heads=6.2, skin="#F2B48C", hair="#5A3425", style="short", top=TEAL)
    back, front = head(look, Pose(mouth="sad", eyes="down", tilt=6))
    face = put(
        98,
        60,
        back + front + path(oval(-5.4, 4.6, 2.6, 1.9) + oval(5.4, 4.6, 2.6, 1.9), "#E8574A", extra='opacity=".6"'),
        3.1,
    )
    thermometer = (
        stroke("M98 82L126 92", WHITE, 6) + stroke("M100 83L116 88.6", RED, 2.4) + form(oval(127, 92.4, 5), RED, 1)
    )
    drops = path("M70 34q-5 8 0 11q5-3 0-11zM128 32q-5 8 0 11q5-3 0-11z", "#6FB4D6")
    shirt = form("M64 112Q66 92 98 92T132 112z", look.top, 3)
    return Prop("mast and flu", 140, 112, mast(34, 110, 78) + shirt + face + thermometer + drops)


def sunny_mast() -> Prop:
    """A radio mast and a smiling sun."""
    rays = "".join(
        stroke("M98 0V12", SUN, 5, f'transform="translate(0,52) rotate({45 * i} 98 0) translate(0,-46)"')
        for i in range(8)
    )
    face = (
        form(oval(98, 52, 27), SUN, 5, 1.4)
        + path(oval(89, 47, 3) + oval(107, 47, 3), INK)
        + stroke("M86 57q12 12 24 0", INK, 3)
    )
    return Prop("mast and sun", 140, 112, mast(34, 110, 78) + rays + face)


def passed_note() -> Prop:
    """Under a desk, one hand passes a folded note to another."""
    top = form(box(0, 0, 120, 12, 2), WOOD, 3, 1) + path(box(4, 12, 112, 5), dark(WOOD, 0.35))
    legs = form(box(8, 14, 9, 82), dark(WOOD, 0.15), 2) + form(box(103, 14, 9, 82), dark(WOOD, 0.15), 2)
    skin, other = "#E3A379", "#8E5838"
    left = form(limb([(-14, 96), (16, 84), (40, 70)], (30, 26, 20)), TEAL, 4)
    left += form(limb([(38, 71), (48, 64), (58, 58)], (17, 18, 15)), skin, 2) + stroke("M56 60Q66 62 72 58", skin, 6.6)
    right = form(limb([(132, 66), (118, 60), (106, 52)], (28, 25, 20)), CORAL, 4)
    right += form(limb([(108, 53), (102, 49), (96, 46)], (17, 17, 14)), other, 2) + stroke(
        "M97 48Q90 52 86 50", other, 6.6
    )
    note = form(poly((60, 26), (94, 22), (97, 50), (63, 55)), WHITE, 2.4)
    note += stroke("M66 33l22-2.4M67 39.6l22-2.4M68 46l14-1.6", BLUE, 2)
    thumbs = stroke("M54 56Q60 48 68 50", skin, 6.4) + stroke("M98 46Q95 39 89 40", other, 6.4)
    return Prop("note under a desk", 120, 96, legs + top + note + left + right + thumbs)


def drawn_star() -> Prop:
    """A hand with a pencil that has drawn a star."""
    star = path(poly(*star_points(44, 44, 36)), SUN) + stroke(poly(*star_points(44, 44, 36)), CORAL, 4)
    arm = form(limb([(128, 98), (106, 84), (90, 72)], (26, 21, 16)), TEAL, 4) + form(
        limb([(92, 74), (84, 68), (78, 66)], (15, 16, 13)), "#8E5838", 2.4
    )
    pencil = form(poly((62, 60), (66, 56), (100, 34), (104, 40), (69, 62)), LEAF, 2) + path(
        poly((58, 64), (66, 56), (69, 62)), "#E9CFA4"
    )
    fingers = stroke("M80 60Q76 55 79 50M85 62Q83 55 86 48M76 68Q70 64 72 58", "#8E5838", 5.4)
    return Prop("pencil and star", 120, 96, star + arm + pencil + fingers)


def spying_eye() -> Prop:
    """A phone with a keyhole, an eye looking through it."""
    phone = (
        form(box(12, 0, 96, 122, 12), INK, 3, 1.4)
        + path(box(18, 9, 84, 102, 3), "#8FC7DC")
        + stroke("M52 116.4H68", STEEL, 2.4)
    )
    hole = path(oval(60, 46, 37) + "M50 74L38 108H82L70 74z", "#2B2340")
    white = path("M26 46Q60 8 94 46Q60 84 26 46z", WHITE)
    eye = white + form(oval(60, 46, 18), LEAF, 3) + path(oval(60, 46, 8.6), INK) + path(oval(54, 40, 4), WHITE)
    return Prop("eye at a keyhole in a phone", 120, 122, phone + hole + eye)


def night_owl() -> Prop:
    """An owl on the crescent moon."""
    moon = form("M88 8A56 56 0 1 0 112 96A46 46 0 1 1 88 8z", "#F6DC8E", 4, 1.4)
    body = form("M46 40Q44 24 52 18L58 26H72L78 18Q86 24 84 40V66Q82 90 65 90T46 66z", "#9A6A48", 4, 1)
    belly = path(oval(65, 68, 13, 17), "#E9CFA4") + stroke(
        "M57 62q3 4 6 0M67 62q3 4 6 0M57 72q3 4 6 0M67 72q3 4 6 0", "#9A6A48", 1.8
    )
    face = "".join(
        path(oval(x, 40, 10), CREAM) + path(oval(x, 40, 5.6), INK) + path(oval(x - 1.8, 38, 1.8), WHITE)
        for x in (56, 74)
    )
    beak = form("M61 48H69L65 57z", SUN, 1)
    stars = "".join(path(poly(*star_points(x, y, r)), WHITE) for x, y, r in ((98, 50, 6), (24, 16, 5), (112, 22, 4)))
    return Prop("owl on the moon", 120, 122, moon + stars + body + belly + face + beak)


def pirate_disc() -> Prop:
    """A shiny disc with a pirate's hat over a download arrow."""
    disc = form(
        oval(50, 66, 40),
        "#C6D3E2",
        5,
        2,
        path(poly((50, 66), (96, 34), (96, 62)), "#E6D3F0") + path(poly((50, 66), (4, 98), (4, 70)), "#D3F0E6"),
    )
    disc += (
        path(oval(50, 66, 13), WHITE)
        + path(oval(50, 66, 6), "#9FB2C4")
        + stroke(oval(50, 66, 30), WHITE, 1.4, 'opacity=".7"')
    )
    hat = form("M6 40Q14 10 36 16Q50 2 64 16Q86 10 94 40Q50 26 6 40z", INK, 3, 1.4) + stroke(
        "M10 38Q50 24 90 38", SUN, 3
    )
    bones = (
        stroke("M38 28L62 17M38 17L62 28", WHITE, 3)
        + path(oval(50, 20.6, 6.4, 6) + box(46.4, 24, 7.2, 5, 1.6), WHITE)
        + path(oval(47.6, 20.6, 1.7) + oval(52.4, 20.6, 1.7), INK)
    )
    arrow = form("M70 72H86V96H99L78 120L57 96H70z", BLUE, 3, 1) + stroke("M58 125H98", BLUE, 6)
    return Prop("disc with a pirate hat and a download arrow", 100, 128, disc + hat + bones + arrow)


def music_disc() -> Prop:
    """The disc with headphones, a note beside it."""
    disc = form(oval(50, 66, 40), "#C6D3E2", 5, 2, path(poly((50, 66), (96, 34), (96, 62)), "#E6D3F0"))
    disc += path(oval(50, 66, 13), WHITE) + path(oval(50, 66, 6), "#9FB2C4")
    phones = (
        stroke("M8 66C4 8 96 8 92 66", INK, 7)
        + form(box(-2, 58, 20, 34, 9), CORAL, 3, 1)
        + form(box(82, 58, 20, 34, 9), CORAL, 3, 1)
    )
    note = (
        stroke("M58 116V80L82 76V110", NAVY, 5)
        + form(oval(51, 118, 9, 7), NAVY, 1)
        + form(oval(75, 112, 9, 7), NAVY, 1)
    )
    return Prop("disc with headphones", 100, 128, disc + phones + note)


def knife_and_pistol() -> Prop:
    """A knife over a pistol, both plain and dark."""
    knife = (
        form("M4 30Q44 2 90 8L88 27H24z", light(STEEL, 0.4), 3, 1.4)
        + form("M86 5H96V31H86z", dark(STEEL, 0.4), 1)
        + form(box(95, 9, 40, 17, 6), "#6B4A38", 3, 1)
    )
    pistol = form(
        "M12 52H122Q130 52 130 60V74H104L114 112Q114 118 106 118H90Q85 118 84 112L76 82H66Q64 94 52 92T42 76H12z",
        "#4B5368",
        4,
        1.6,
    )
    guard = stroke("M46 77Q46 88 54 88T62 78", dark("#4B5368", 0.4), 3) + path(
        box(18, 58, 60, 4, 2), light("#4B5368", 0.2)
    )
    grip = stroke("M92 84l6 26M100 84l6 26", dark("#4B5368", 0.35), 2.4) + form(
        poly((20, 52), (28, 52), (28, 46), (22, 46)), "#4B5368", 1
    )
    return Prop("knife and pistol", 140, 120, knife + pistol + guard + grip)


def pencil_and_book() -> Prop:
    """A pencil over an open book."""
    pencil = (
        form(poly((8, 16), (112, 16), (112, 32), (8, 32)), SUN, 3, 1)
        + path(poly((112, 16), (136, 24), (112, 32)), "#E9CFA4")
        + path(poly((128, 21.4), (136, 24), (128, 26.6)), INK)
    )
    pencil += path(box(2, 16, 12, 16, 3), PINK) + path(box(14, 16, 6, 16), STEEL)
    book = form("M6 62Q40 48 70 62V112Q40 98 6 110z", WHITE, 2) + form(
        "M134 62Q100 48 70 62V112Q100 98 134 110z", CREAM, 2
    )
    lines = stroke(
        "M18 68q20-6 40 2M18 80q20-6 40 2M18 92q20-6 40 2M82 70q20-8 40-2M82 82q20-8 40-2M82 94q20-8 40-2", SKY, 3
    )
    return Prop(
        "pencil and book", 140, 120, pencil + path("M2 64V116Q40 106 70 118Q100 106 138 116V64z", NAVY) + book + lines
    )


def chalk_board(x: float, y: float, w: float, h: float, art: str = "") -> str:
    """A blackboard with its frame and ledge, in page pixels; `art` is drawn from its upper left corner."""
    out = path(box(x + 7, y + 8, w, h, 4), "#3A2A5C", extra='opacity=".2"') + form(box(x, y, w, h, 4), WOOD, 4, 2)
    inner = box(x + 11, y + 11, w - 22, h - 22, 2)
    out += clipped(
        inner,
        path(inner, "#3E6B5C")
        + path(
            f"M{x} {y + h * 0.6:.0f}Q{x + w * 0.5:.0f} {y + h * 0.3:.0f} {x + w} {y + h * 0.5:.0f}V{y + h}H{x}z",
            "#FFFFFF",
            extra='opacity=".05"',
        )
        + put(x + 11, y + 11, art),
    )
    return (
        out
        + form(box(x + 6, y + h - 4, w - 12, 9, 3), light(WOOD, 0.2), 2)
        + path(box(x + w * 0.2, y + h - 8, 24, 5, 2), CREAM)
        + path(box(x + w * 0.3, y + h - 8, 16, 5, 2), PINK)
    )
