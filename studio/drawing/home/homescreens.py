"""Screens: a television, a laptop, a telephone, and what they show."""

from __future__ import annotations

from studio.drawing.kit import (
    CORAL,
    CREAM,
    INK,
    RED,
    SKY,
    SUN,
    TEAL,
    WHITE,
    WOOD,
    Prop,
    box,
    clipped,
    dark,
    flower,
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


def flat_screen(show: str, name: str) -> Prop:
    """A television on its foot, 130 x 84 cm; `show` fills the field 118 x 66 at (6, 4)."""
    foot = form(box(44, 80, 42, 4, 2), "#3C4356", 1) + path(box(60, 72, 10, 9), "#2B3044")
    case = form(box(3, 1, 124, 73, 2), "#2B3044", 1.6, 0.6) + clipped(
        box(6, 4, 118, 66, 1), path(box(6, 4, 118, 66), INK) + show
    )
    return Prop(
        name, 130, 84, shadow(65, 83.4, 26, 1.4, 0.6) + foot + case + veil(poly((6, 4), (34, 4), (6, 44)), WHITE, 0.12)
    )


def sideboard(w: float = 150, h: float = 44, colour: str = "#B98A5C") -> Prop:
    doors = "".join(
        form(box(4 + i * (w - 6) / 3, 6, (w - 6) / 3 - 3, h - 14, 1.5), light(colour, 0.1), 1.4, 0.4)
        + form(oval((i + 0.5) * (w - 6) / 3 + 2, h * 0.44, 1.6), CREAM, 0.4)
        for i in range(3)
    )
    return Prop(
        "sideboard",
        w,
        h,
        shadow(w / 2, h - 1, w * 0.54, 4, 0.6)
        + path(box(8, h - 8, 6, 8) + box(w - 14, h - 8, 6, 8), dark(colour, 0.5))
        + form(box(0, 2, w, h - 8, 2), colour, 3)
        + doors
        + form(box(-1, 0, w + 2, 4, 1.5), light(colour, 0.2), 1),
    )


def saucer_show() -> str:
    """A flying saucer with a beam over a city at night."""
    night = path(box(6, 4, 118, 66), "#1F2A5C") + path(
        "".join(oval(10 + 37 * i % 112, 6 + 23 * i % 40, 0.7) for i in range(22)), "#FFF4DC"
    )
    beam = veil(poly((56, 30), (76, 30), (96, 70), (38, 70)), "#B8F5C0", 0.55)
    town = path("M6 70V56h10v-8h9v10h8v-14h11v16h9v-9h10v11h10v-17h9v12h9v-8h10v12h9v-9h14v18z", "#131A3A")
    lit = path("".join(box(9 + 13 * i % 110, 60 + 3 * (i % 3), 2, 2) for i in range(17)), SUN)
    dome = form("M54 21Q55 10 66 10T78 21z", "#9FE0D6", 2, 0.6)
    ship = form("M36 25Q48 18 66 18T96 25Q84 33 66 33T36 25z", "#9AA3B8", 3, 0.8) + path(
        "".join(oval(46 + 10 * i, 26 + (2 if 0 < i < 4 else 0), 1.8) for i in range(5)), RED
    )
    return night + beam + town + lit + dome + ship


def boat_show() -> str:
    """A sailing boat on a sunny sea."""
    sky = (
        path(box(6, 4, 118, 66), "#BFE2EC")
        + form(oval(100, 18, 8), SUN, 1.6)
        + path("M14 20q2-8 10-6q4-6 12-2q8-2 8 6z", WHITE)
    )
    sea = path("M6 46Q30 42 60 46T124 45V70H6z", "#4E8FC0") + stroke(
        "M14 56q8-3 16 0M60 60q8-3 16 0M92 54q8-3 16 0", light("#4E8FC0", 0.5), 1.2
    )
    boat = (
        stroke("M64 14V46", WOOD, 1.6)
        + form("M66 14L86 42H66z", WHITE, 2)
        + form("M62 18L46 42H62z", CORAL, 2)
        + form("M42 45H88Q84 56 76 56H54Q46 56 42 45z", RED, 3, 0.6)
    )
    return sky + sea + boat


def laptop(show: str, name: str, case: str = "#8C93A6", w: float = 36) -> Prop:
    """An open laptop facing the viewer, 36 x 26 cm; `show` fills the field 32 x 19 at (2, 1.4)."""
    lid = form(box(0, 0, 36, 22, 1.4), case, 1, 0.4) + clipped(
        box(2, 1.6, 32, 18.6, 0.5), path(box(2, 1.6, 32, 18.6), "#26315C") + show
    )
    base = form("M1 22H35L38 25.4Q38 26 37 26H-1Q-2 26-2 25.4z", light(case, 0.2), 0.6) + path(
        "M4 22.8H32L33 24.2H3z", dark(case, 0.3)
    )
    return Prop(name, w, w * 26 / 36, put(0, 0, shadow(18, 25.6, 20, 1.2, 0.6) + lid + base, w / 36))


def padlock_show() -> str:
    """A login picture: a large closed padlock and a row of dots."""
    lock = (
        stroke("M14 9.6V7.4a4 4 0 0 1 8 0V9.6", CREAM, 1.6)
        + form(box(12, 9, 12, 7.6, 1), SUN, 1)
        + path(oval(18, 12, 1.2) + box(17.5, 12, 1, 2.8), INK)
    )
    return (
        path(box(2, 1.6, 32, 18.6), "#2F4A78")
        + lock
        + path("".join(oval(12.6 + 1.8 * i, 18.4, 0.5) for i in range(7)), WHITE)
    )


def cookbook(w: float = 36) -> Prop:
    """A cookery book open on a stand, in the laptop's box."""
    pages = form("M1 2Q10-1 18 2V22Q10 19 1 22z", WHITE, 1) + form("M18 2Q26-1 35 2V22Q26 19 18 22z", WHITE, 1.4)
    cake_ = (
        form(oval(9.4, 12, 5.4, 2), "#C98D56", 0.6)
        + form("M5 7h9v4.4q-4.5 1.6-9 0z", "#EFA7A0", 0.8)
        + path(oval(9.4, 6.4, 1.2), RED)
    )
    text = stroke("M21.4 6h10M21.4 8.6h10M21.4 11.2h7M21.4 14h10M21.4 16.6h8", "#9A8F9C", 0.7)
    stand = form("M-1 22H37L38 25.4Q38 26 37 26H-1Q-2 26-2 25.4z", WOOD, 0.8, 0.3)
    return Prop(
        "cookery book on a stand",
        w,
        w * 26 / 36,
        put(
            0,
            0,
            shadow(18, 25.6, 20, 1.2, 0.6) + stroke("M0 1.6V22M36 1.6V22", TEAL, 2) + pages + cake_ + text + stand,
            w / 36,
        ),
    )


def phone(show: str = "", case: str = INK) -> Prop:
    """A mobile phone seen from its back or, with `show`, its screen; 8 x 15 cm; grip at (4, 10)."""
    inner = (
        clipped(box(0.6, 1.2, 6.8, 12.4, 0.5), path(box(0.6, 1.2, 6.8, 12.4), SKY) + show)
        if show
        else path(oval(2, 2.2, 0.9), dark(case, 0.5)) + path(oval(2, 4.2, 0.6), "#8C93A6")
    )
    return Prop("phone", 8, 15, form(box(0, 0, 8, 15, 1.2), case, 0.6, 0.2) + inner)


def _lid(sticker: str, name: str) -> Prop:
    """The back of an open laptop, 38 x 27 cm; `sticker` is drawn about (0, 0)."""
    lid = form(box(0, 0, 38, 25, 1.8), "#9AA3B8", 1.4, 0.5)
    return Prop(
        name, 38, 27, shadow(19, 26.6, 20, 1, 0.5) + form(box(-1, 24.4, 40, 2.6, 1), "#6B7386", 0.6) + lid + sticker
    )


def skull_lid() -> Prop:
    """Stickers of a skull and a padlock."""
    bone = form("M-7-1Q-8-9 0-9T7-1Q7 3 4 4V7.4H-4V4Q-7 3-7-1z", WHITE, 1.2) + path(
        oval(-2.9, -1.6, 1.9, 2.2) + oval(2.9, -1.6, 1.9, 2.2) + poly((0, 1), (-1, 3), (1, 3)), INK
    )
    teeth = stroke("M-1.6 5v2.4M0 5v2.4M1.6 5v2.4", INK, 0.5)
    skull = form(oval(0, 0, 10.6), INK, 0) + bone + teeth
    lock = (
        form(oval(0, 0, 4.6), TEAL, 0)
        + stroke("M-1.5-.4v-1.2a1.5 1.5 0 0 1 3 0v1.2", WHITE, 0.8)
        + path(box(-2.3, -0.6, 4.6, 3.2, 0.5), WHITE)
    )
    return _lid(put(17, 12.4, skull) + put(32, 18.6, lock), "laptop with a skull sticker")


def flower_lid() -> Prop:
    """A sticker of a flower."""
    return _lid(
        put(17, 12.4, path(oval(0, 0, 10.6), "#DCEBF2") + flower(0, 0, 9.4, CORAL, SUN))
        + put(32, 18.6, path(oval(0, 0, 4.6), TEAL) + flower(0, 0, 3.6, WHITE, SUN)),
        "laptop with a flower sticker",
    )


def tablet_pc(case: str = INK) -> Prop:
    """A tablet seen from its back, 17 x 24 cm; carried at (3, 10)."""
    return Prop(
        "tablet",
        17,
        24,
        form(box(0, 0, 17, 24, 1.6), case, 1, 0.3)
        + path(oval(14, 2.6, 1), light(case, 0.3))
        + form("M8.5 10l1.5 3l3.2.4l-2.3 2.2l.6 3.2l-3-1.6l-3 1.6l.6-3.2l-2.3-2.2l3.2-.4z", SUN, 0.4),
    )
