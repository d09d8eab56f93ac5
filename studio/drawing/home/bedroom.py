"""A bedroom and what stands in it."""

from __future__ import annotations

from studio.drawing.home.interiors import landscape, room, rug, tint, window
from studio.drawing.kit import (
    CREAM,
    INK,
    RED,
    SKY,
    TEAL,
    WHITE,
    Prop,
    box,
    dark,
    form,
    light,
    oval,
    path,
    shadow,
    stroke,
)
from studio.drawing.scene import Setting


def bed_room(
    time: str = "day",
    weather: str = "clear",
    *,
    paper: str = "#D8CBE0",
    pattern: str = "dots",
    horizon: float = 270,
    eye: float = 118,
    base: float = 490,
    panes: float = 640,
    picture: bool = True,
) -> Setting:
    """A bedroom with a curtained window."""
    paper = {"day": paper, "dusk": dark(paper, 0.14), "night": dark(paper, 0.44)}[time]
    on_wall = window(
        panes, 86, 200, 200, time=time, weather=weather, curtains="#E9A58C" if time != "night" else "#5A5A8F"
    )
    on_wall += landscape(250 if panes > 400 else 640, 110, 130, 100) if picture else ""
    return room(
        "bedroom",
        paper=paper,
        pattern=pattern,
        ground="#C9A27A" if time != "night" else "#75606A",
        base=base,
        horizon=horizon,
        eye=eye,
        on_wall=on_wall,
        on_floor=rug(520, base + 112, 380, 58, "#8FB8B0"),
        rail=light(paper, 0.5),
        front=tint("#141A44", 0.14) if time == "night" else "",
    )


def bed(quilt: str = SKY, w: float = 150) -> Prop:
    """A bed from the side with pillow and headboard at the left, `w` x 80 cm; mattress top 48 cm up."""
    head = form(box(0, 0, 9, 80, 2), "#8A5F43", 2, 0.8) + form(box(w - 7, 34, 7, 46, 2), "#8A5F43", 2, 0.6)
    base = form(box(6, 54, w - 10, 16, 2), "#A8744A", 2)
    feet = path(box(14, 70, 6, 10) + box(w - 24, 70, 6, 10), dark("#8A5F43", 0.4))
    pillow = form("M10 36Q8 22 22 24Q38 22 40 34Q40 40 34 40H12z", WHITE, 3)
    cover = form(
        f"M34 36Q60 26 {w - 20} 32Q{w - 6} 34 {w - 6} 44V62Q{w * 0.7:.0f} 66 {w * 0.5:.0f} 62T34 62z",
        quilt,
        4,
        1,
        stroke(f"M44 26L58 70M74 26L88 70M104 26L118 70M134 26L{w} 70", light(quilt, 0.35), 3),
    )
    return Prop(
        "bed",
        w,
        80,
        shadow(w / 2, 79, w * 0.53, 5, 0.5)
        + feet
        + head
        + form(box(8, 38, w - 14, 18, 4), CREAM, 3)
        + base
        + pillow
        + cover,
    )


def night_table(colour: str = "#B98A5C") -> Prop:
    return Prop(
        "bedside table",
        46,
        54,
        shadow(23, 53, 26, 3, 0.5)
        + form(box(2, 4, 42, 44, 1.5), colour, 3)
        + "".join(
            form(box(6, 9 + 19 * i, 34, 16, 1.5), light(colour, 0.14), 1.4, 0.4)
            + form(oval(23, 17 + 19 * i, 1.9), CREAM, 0.5)
            for i in (0, 1)
        )
        + path(box(4, 47, 5, 7) + box(37, 47, 5, 7), dark(colour, 0.5))
        + form(box(0, 0, 46, 5.4, 1.5), colour, 1.4, 0.5),
    )


def beanbag(colour: str = TEAL) -> Prop:
    return Prop(
        "beanbag",
        80,
        56,
        shadow(40, 54, 42, 4, 0.5)
        + form(
            "M2 44Q0 30 16 22Q22 2 40 2T62 20Q80 30 78 46Q76 55 64 55H16Q4 55 2 44z",
            colour,
            6,
            1,
            stroke("M38 3Q30 20 34 50M42 3Q54 20 52 50", dark(colour, 0.2), 1.2),
        ),
    )


def skateboard(colour: str = RED) -> Prop:
    wheels = "".join(form(oval(x, 11, 4), CREAM, 0.8) + path(oval(x, 11, 1.4), INK) for x in (16, 60))
    return Prop(
        "skateboard",
        76,
        15,
        shadow(38, 14.4, 36, 1.6, 0.5)
        + wheels
        + form("M0 1Q2 0 4 2Q8 5 12 5H64Q68 5 72 2Q74 0 76 1Q74 9 66 9H10Q2 9 0 1z", colour, 1.4, 0.5),
    )
