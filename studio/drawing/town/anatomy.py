"""What stands in a doctor's room besides the furniture: a model skeleton, its stand-in, aids."""

from __future__ import annotations

from studio.drawing.kit import (
    CORAL,
    CREAM,
    INK,
    NAVY,
    RED,
    STEEL,
    WHITE,
    Prop,
    box,
    dark,
    form,
    oval,
    path,
    shadow,
    stroke,
    veil,
)


def skeleton() -> Prop:
    """A teaching skeleton that hangs from a stand on castors, 70 x 184 cm."""
    bone = "#F7EFD9"
    seam = dark(bone, 0.3)
    stand = stroke("M35 4H52V172M52 172L22 180M52 172L66 180M52 172V180", "#4B5368", 3.4) + path(
        oval(22, 181, 3) + oval(66, 181, 3) + oval(52, 182, 3), INK
    )
    skull = (
        form("M24 17Q24 4 35 4T46 17Q46 24 42 26V31Q35 35 28 31V26Q24 24 24 17z", bone, 2.4)
        + path(oval(30.6, 18, 3.2, 3.6) + oval(39.4, 18, 3.2, 3.6), INK)
        + path("M35 22l-1.8 4h3.6z", INK)
        + stroke("M30 29.6h10M32 28v3M35 28v3M38 28v3", seam, 0.7)
    )
    spine = "".join(form(box(32.8, 34 + 5 * i, 4.4, 4.2, 1.4), bone, 0.8) for i in range(12))
    ribs = stroke(
        "".join(
            f"M35 {46 + 6 * i}Q{20 - (1 if i < 3 else -i)} {44 + 6 * i} {21 + i} {54 + 6 * i}"
            f"M35 {46 + 6 * i}Q{50 + (1 if i < 3 else -i)} {44 + 6 * i} {49 - i} {54 + 6 * i}"
            for i in range(6)
        ),
        bone,
        2.6,
    )
    girdle = stroke("M18 43Q35 38 52 43", bone, 3.4) + form(
        "M22 92Q35 99 48 92Q51 104 41 110L35 105L29 110Q19 104 22 92z", bone, 2
    )
    arms = (
        stroke("M18 44L13 70M13 72L11 98M52 44L57 70M57 72L59 98", bone, 3.2)
        + "".join(form(oval(x, y, 2.4), bone, 0.6) for x, y in ((18, 43), (13, 71), (52, 43), (57, 71)))
        + stroke("M11 99l-3 9m3-9l-1 11m1-11l2 10M59 99l3 9m-3-9l1 11m-1-11l-2 10", bone, 1.5)
    )
    legs = (
        stroke("M28 108L26 136M26 141L27 168M42 108L44 136M44 141L43 168", bone, 3.8)
        + "".join(form(oval(x, 138.5, 3.2), bone, 0.8) for x in (26, 44))
        + stroke("M27 170L20 173M43 170L50 173", bone, 3.6)
    )
    return Prop(
        "model skeleton",
        70,
        184,
        shadow(44, 182, 30, 4, 0.6)
        + stand
        + stroke("M35 4V-1", STEEL, 1.4)
        + ribs
        + spine
        + girdle
        + arms
        + legs
        + skull,
    )


def coat_stand() -> Prop:
    """A coat stand with a coat, a scarf and a hat, 70 x 184 cm."""
    pole = form(box(33, 10, 4.4, 162, 1.4), "#8A5F40", 1.6) + stroke(
        "M35 170L14 182M35 170L56 182M35 172V183", "#8A5F40", 4
    )
    hooks = stroke("M35 26Q18 26 17 16M35 26Q52 26 53 16", "#8A5F40", 2.6)
    coat = (
        form(
            "M24 32Q35 26 46 32L58 62L54 116Q35 122 18 116L14 62z",
            "#5B7FA6",
            5,
            0,
            stroke("M36 34V120M26 84h7M40 84h7", dark("#5B7FA6", 0.25), 1.4),
        )
        + form("M16 58L9 100L17 102L23 66z", "#5B7FA6", 2)
        + form("M56 58L61 100L53 102L48 66z", "#5B7FA6", 2)
    )
    hat = (
        form("M20 20Q22 2 35 2T50 20z", "#8D5A4C", 4, 1)
        + form(oval(35, 20, 24, 4.4), "#8D5A4C", 1.4)
        + path(box(21, 14, 28, 4.4), dark("#8D5A4C", 0.35))
    )
    scarf = form("M28 32Q35 40 43 32L46 70H40L37 44L34 74H28z", CORAL, 1.6)
    return Prop("coat stand", 70, 184, shadow(38, 182, 28, 4, 0.6) + pole + hooks + coat + scarf + hat)


def stool(colour: str = NAVY) -> Prop:
    """A round stool on castors, 44 x 54 cm."""
    return Prop(
        "stool",
        44,
        54,
        shadow(22, 53, 22, 3, 0.5)
        + stroke("M22 10V40M22 40L6 50M22 40L38 50M22 40V51", STEEL, 3)
        + path(oval(6, 51, 2.6) + oval(38, 51, 2.6) + oval(22, 52, 2.6), INK)
        + form(box(2, 2, 40, 10, 5), colour, 2.4, 0.8),
    )


def bandage(w: float = 14) -> Prop:
    """A plaster with its pad, `w` x half of that."""
    return Prop(
        "plaster",
        w,
        w / 2,
        form(box(0, 0, w, w / 2, w / 4), "#FBF4E4", w * 0.05)
        + path(box(w * 0.32, w * 0.05, w * 0.36, w * 0.4, 0.6), "#F0DCC0"),
    )


def wall_clock(ring: str = NAVY) -> Prop:
    """A round clock, 34 x 34 cm."""
    return Prop(
        "clock",
        34,
        34,
        veil(oval(19, 20, 16), "#3A2A5C", 0.2)
        + form(oval(17, 17, 17), ring, 2, 0.8)
        + path(oval(17, 17, 13.6), WHITE)
        + stroke("M17 17V7M17 17L24 20", INK, 1.6)
        + path(oval(17, 17, 1.4), RED),
    )


def wheelchair() -> Prop:
    """An empty wheelchair in profile, 100 x 92 cm."""
    big = (
        stroke(oval(40, 62, 28), "#3C4356", 4)
        + stroke("M40 34V90M12 62H68M20 42L60 82M60 42L20 82", STEEL, 1.2)
        + path(oval(40, 62, 4), STEEL)
    )
    seat = form(box(26, 40, 46, 8, 3), NAVY, 2, 0.6) + form("M24 42L20 6Q20 2 25 2L30 40z", NAVY, 2)
    frame = (
        stroke("M22 6H10M28 26H66V42M70 46L80 74H94", STEEL, 3.4)
        + form(oval(78, 82, 9), "#3C4356", 3)
        + path(oval(78, 82, 3), STEEL)
    )
    return Prop("wheelchair", 100, 92, shadow(50, 91, 50, 5, 0.6) + frame + seat + big)


def scales() -> Prop:
    """A doctor's weighing scale with a height rod, 50 x 190 cm."""
    return Prop(
        "weighing scale",
        50,
        190,
        shadow(24, 189, 30, 5, 0.6)
        + form(box(33, 20, 6, 160, 2), STEEL, 2)
        + form(box(14, 60, 34, 9, 2), CREAM, 2)
        + path(box(24, 57, 6, 14, 1), INK)
        + stroke("M12 30H36", INK, 3)
        + form(box(0, 178, 48, 11, 3), "#4B5368", 3),
    )


def screen_curtain(w: float = 150, h: float = 190) -> Prop:
    """A folding screen on castors."""
    folds = "".join(
        form(box(6 + (w - 12) / 3 * i, 8, (w - 12) / 3 - 3, h - 30, 3), "#A9CBD3", 5)
        + stroke(
            f"M{6 + (w - 12) / 3 * (i + 0.33):.0f} 14v{h - 42}M{6 + (w - 12) / 3 * (i + 0.66):.0f} 14v{h - 42}",
            dark("#A9CBD3", 0.12),
            2,
        )
        for i in range(3)
    )
    feet = "".join(
        stroke(f"M{x:.0f} {h - 22}v16", STEEL, 3) + path(oval(x, h - 4, 4), INK) for x in (10, w / 2, w - 10)
    )
    return Prop(
        "folding screen", w, h, shadow(w / 2, h - 1, w * 0.5, 4, 0.5) + feet + stroke(f"M4 6H{w - 4}", STEEL, 4) + folds
    )
