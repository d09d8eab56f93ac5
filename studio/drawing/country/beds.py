"""What is sown, planted and composted, in centimetres."""

from __future__ import annotations

from studio.drawing.country.gardening import EARTH
from studio.drawing.country.landscape import scallop
from studio.drawing.kit import (
    CREAM,
    LEAF,
    PLUM,
    RED,
    STEEL,
    TEAL,
    WOOD,
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
)


def dug_bed(w: float = 150) -> Prop:
    """A bed of loose earth with a hole and a small heap, `w` x 34."""
    clods = path("".join(oval(12 + k * 37 % (w - 24), 12 + k * 11 % 14, 3, 1.8) for k in range(16)), dark(EARTH, 0.2))
    hole = path(oval(w * 0.6, 14, 15, 5), dark(EARTH, 0.55)) + path(oval(w * 0.6, 16, 12, 3), dark(EARTH, 0.7))
    return Prop(
        "flower bed with a hole",
        w,
        34,
        form(
            f"M2 22Q8 4 {w * 0.3:.0f} 6Q{w * 0.6:.0f} 2 {w * 0.9:.0f} 7Q{w} 12 {w - 2} 24Q{w * 0.5:.0f} 38 2 22z",
            EARTH,
            5,
            1,
            clods,
        )
        + hole
        + form(scallop(w * 0.78, 10, 14, 7, 9, 2), light(EARTH, 0.12), 2),
        {"hole": (w * 0.6, 14)},
    )


def bulb() -> Prop:
    """A tulip bulb with a green tip, 10 x 14."""
    return Prop(
        "tulip bulb",
        10,
        14,
        form("M4 4Q5 0 6 0Q7 3 6.4 5z", LEAF, 0.5)
        + form(
            "M5 3Q11 8 9 12Q5 15 1 12Q-1 8 5 3z",
            "#B5793E",
            1.4,
            0.4,
            stroke("M5 4q-3 4-2 9M5 4q3 4 2 9", dark("#B5793E", 0.2), 0.6),
        )
        + stroke("M3 13l-1 2M5 13.6v2M7 13l1 2", "#E3CBA0", 0.7),
    )


def bulb_net() -> Prop:
    """A net of bulbs with a tag, 30 x 30."""
    bulbs = "".join(
        form(oval(x, y, 5, 5.6), "#B5793E", 1.4, 0.4) for x, y in ((8, 23), (17, 24), (24, 22), (11, 15), (20, 15))
    )
    mesh = stroke("".join(f"M{3 + 5 * k} 29L{12 + k} 8M{27 - 5 * k} 29L{16 - k} 8" for k in range(5)), "#D8483A", 0.6)
    return Prop(
        "net of bulbs",
        30,
        30,
        shadow(15, 29, 15, 1.6, 0.55)
        + bulbs
        + mesh
        + stroke("M12 8Q14 2 16 8", RED, 1.6)
        + form(box(17, 2, 10, 6, 1), CREAM, 0.8),
    )


def seed_packet(bloom: str = "#4A2E52") -> Prop:
    """A packet with a dark tulip on it, 22 x 30."""
    tulip = (
        stroke("M11 26V15", LEAF, 1.6)
        + form("M11 24Q4 22 4 17Q9 18 11 24z", LEAF, 0.6)
        + form("M6 8L8.5 11L11 6L13.5 11L16 8Q17 17 11 17T6 8z", bloom, 1.4, 0.4)
    )
    return Prop(
        "packet with a dark tulip",
        22,
        30,
        shadow(11, 29.4, 11, 1.2, 0.5)
        + form(box(1, 1, 20, 28.4, 1), "#F6E7C8", 2, 0.6)
        + path(box(1, 1, 20, 4), PLUM)
        + tulip,
    )


def _scraps(*placed: tuple[str, float, float, float]) -> str:
    """Kitchen scraps, each by name, place and angle: leaf, carrot, core (of an apple), shell (of an egg)."""
    leaf = form(
        "M-10 2Q-6-8 8-6Q12 0 6 5Q-2 8-10 2z", LEAF, 1.4, 0, stroke("M-8 2Q0-2 8-3M-1-1l3-4M1-1l4 4", "#C9E09A", 0.9)
    )
    root = form("M-3-6Q0-8 3-6L1 9Q0 11-1 9z", "#E8893A", 1.2, 0, stroke("M-2-1h3M-1 3h2", "#C96A28", 0.7))
    core = form("M-5-7Q0-5 5-7Q2 0 5 7Q0 9-5 7Q-2 0-5-7z", "#F3E6BE", 1, 0, path(oval(0, 0, 0.9, 1.6), "#6B4A2E"))
    peel = path("M-5-7Q0-5 5-7L4-4.6Q0-3-4-4.6zM-5 7Q0 9 5 7L4 4.6Q0 6-4 4.6z", RED)
    kinds = {
        "leaf": leaf,
        "carrot": root + stroke("M-2-7l-3-6M0-7v-7M2-7l3-6", LEAF, 1.4),
        "core": stroke("M0-7q1-3 3-4", "#6B4A2E", 1.2) + core + peel,
        "shell": form("M-6 0L-3.4-2.4L-1.4 0L1-2.6L3.4 0L6-2Q7 7 0 8Q-7 7-6 0z", "#F4E3CC", 1.4),
    }
    return "".join(put(x, y, kinds[kind], 1, angle) for kind, x, y, angle in placed)


def compost_box() -> Prop:
    """A slatted compost box, lid lifted by whoever opens it, 110 x 100; leaves and peel show on top."""
    scraps = form(scallop(55, 28, 44, 12, 12, 3), EARTH, 4) + _scraps(
        ("leaf", 20, 25, -20),
        ("carrot", 32, 18, 70),
        ("core", 46, 24, 20),
        ("leaf", 62, 20, 30),
        ("shell", 74, 25, 10),
        ("carrot", 90, 24, 100),
    )
    slats = "".join(
        form(box(2, y, 106, 14, 2), (WOOD, light(WOOD, 0.12))[k % 2], 3) for k, y in enumerate((34, 51, 68, 85))
    )
    lid = form(
        poly((8, 30), (102, 30), (108, 0), (14, 0)),
        light(WOOD, 0.2),
        4,
        1,
        stroke("M10 20H104M12 10H106", dark(WOOD, 0.14), 1.6),
    )
    posts = "".join(form(box(x, 26, 9, 73, 2), dark(WOOD, 0.2), 2.4) for x in (1, 100))
    return Prop(
        "compost box",
        110,
        100,
        shadow(56, 98, 60, 4, 0.5) + lid + path(box(4, 30, 102, 66), dark(EARTH, 0.3)) + scraps + slats + posts,
        {"lid": (20, 0)},
    )


def worm_pot() -> Prop:
    """An open pot of earthworms that wriggle over the rim, 40 x 36."""
    worms = "".join(
        stroke(d, c, 3.2)
        for d, c in (
            ("M10 12q-4-8 2-12t4-4", "#D98A84"),
            ("M18 12q4-8 0-12t4-8", "#C97870"),
            ("M26 12q6-6 2-10t6-6", "#D98A84"),
            ("M32 13q8 0 7 8t2 8", "#C97870"),
        )
    )
    return Prop(
        "pot of earthworms",
        40,
        36,
        shadow(20, 35, 18, 2, 0.55)
        + path(oval(20, 12, 17, 4), dark(EARTH, 0.3))
        + worms
        + form("M3 12Q20 18 37 12L33 34Q20 38 7 34z", TEAL, 4, 1)
        + form(box(9, 20, 22, 9, 2), CREAM, 1)
        + stroke("M12 25q3-4 6 0t6 0t4-1", "#C97870", 1.8),
    )


def peelings() -> Prop:
    """A bowl of kitchen scraps, 40 x 24."""
    bits = _scraps(
        ("carrot", 7, 8, -50), ("leaf", 32, 4, 20), ("core", 23, 6, -10), ("shell", 13, 7, 0), ("shell", 33, 8, 20)
    )
    return Prop(
        "bowl of peelings",
        40,
        24,
        shadow(20, 23, 19, 1.8, 0.55) + bits + form("M1 10H39Q36 24 20 24T1 10z", STEEL, 3, 0.8),
    )


def laptop() -> Prop:
    """Trigger: an open laptop with a page of text and a chart, 44 x 32."""
    page = (
        path(box(7, 4, 30, 19), "#E6F0F4")
        + stroke("M10 8h12M10 11h9M10 14h12M10 17h7", "#6B86A0", 1)
        + path(box(26, 14, 3, 7) + box(30, 11, 3, 10) + box(34, 8, 2, 13), TEAL)
    )
    return Prop(
        "laptop",
        44,
        32,
        shadow(22, 31, 22, 1.4, 0.5)
        + form(box(5, 1, 34, 24, 2), "#4B5368", 2, 0.6)
        + page
        + form(poly((5, 25), (39, 25), (44, 31), (0, 31)), "#B9C2CC", 1)
        + stroke("M9 27.4h26M8 29h28", "#6B7488", 0.8),
    )


def seed_tray() -> Prop:
    """A tray of seedlings in the same box."""
    sprouts = "".join(
        stroke(f"M{6 + 5.3 * k:.1f} 22V{13 - k % 3}", LEAF, 1.2)
        + form(f"M{6 + 5.3 * k:.1f} {13 - k % 3}q-4-4-5 0q2 3 5 0zq4-4 5 0q-2 3-5 0z", light(LEAF, 0.2), 0.3)
        for k in range(7)
    )
    return Prop(
        "seed tray",
        44,
        32,
        shadow(22, 31, 22, 1.4, 0.5)
        + path(oval(22, 21, 19, 3), EARTH)
        + sprouts
        + form(poly((1, 20), (43, 20), (40, 31), (4, 31)), "#5E8F7A", 2, 0.6),
    )


def seed_bag(pebbles: bool = False) -> Prop:
    """A clear bag of grass seed with a green label, 34 x 46."""
    fill = "".join(oval(5 + k * 17 % 26, 16 + k * 11 % 28, 1.7, 0.9) for k in range(60))
    blades = stroke("M10 34q-1-8-3-10M13 34q0-9 1-12M17 34q1-8 3-11M21 34q0-9 3-10M25 34q0-7 2-9", "#E9F3D2", 1.6)
    label = form(box(5, 20, 24, 17, 2), LEAF, 1.4) + blades
    return Prop(
        "bag of grass seed",
        34,
        46,
        shadow(17, 45, 16, 1.8, 0.55)
        + form(
            "M4 9Q2 26 3 43Q17 47 31 43Q32 26 30 9Q17 12 4 9z",
            "#E3D6A8" if not pebbles else "#C3C0BA",
            4,
            1,
            path(fill, "#A8924E" if not pebbles else "#8C8A86"),
        )
        + form("M5 9L3 2Q17 6 31 2L29 9Q17 12 5 9z", "#F1EBDD", 1.4)
        + stroke("M5 9Q17 12 29 9", RED, 1.8)
        + label,
    )
