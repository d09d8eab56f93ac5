"""Large animals of the zoo, in centimetres; `way` -1 faces left, 1 right."""

from __future__ import annotations

from collections.abc import Callable

from studio.drawing.country.mirror import facing
from studio.drawing.kit import INK, SUN, WHITE, Prop, Pt, dark, form, light, limb, oval, path, put, shadow, stroke


def elephant(way: int = -1, tusks: bool = True) -> Prop:
    """An elephant, 330 x 240."""
    f, hide = facing(330, way), "#9AA0AE"
    legs = "".join(
        form(f(limb([(x, 150), (x, 190), (x, 230)], (54, 46, 44))), c, 8)
        + path(f("".join(oval(x - 12 + 12 * k, 233, 5, 4) for k in range(3))), light(hide, 0.5))
        for x, c in ((150, dark(hide, 0.2)), (270, dark(hide, 0.2)), (124, hide), (244, hide))
    )
    tail = stroke(f("M312 92Q328 120 318 160"), hide, 6) + form(f("M314 156h9l2 18h-12z"), "#5B5560", 2)
    body = form(f("M104 60Q160 20 230 30Q302 36 314 92Q322 150 296 182Q210 204 126 184Q92 140 104 60z"), hide, 18, 3)
    trunk = form(
        f("M66 96Q40 110 40 160Q40 196 20 208Q8 210 8 220Q24 232 42 216Q62 196 62 166Q64 140 88 132z"),
        hide,
        7,
        0,
        stroke(f("M44 140q10 5 18 1M41 158q10 5 20 1M40 176q10 5 20 2M34 194q9 6 18 3"), dark(hide, 0.16), 2.4),
    )
    head = form(f("M60 64Q76 26 116 32Q150 44 146 90Q140 138 96 142Q56 138 56 100z"), hide, 9, 2)
    ear = form(
        f("M118 44Q170 36 176 92Q176 140 140 146Q118 130 112 96Q108 60 118 44z"),
        light(hide, 0.1),
        7,
        2,
        path(f("M128 62Q158 60 160 94Q158 122 142 128Q126 108 128 62z"), "#D9AFA8", extra='opacity=".6"'),
    )
    tusk = form(f("M76 128Q60 150 34 146Q28 140 36 138Q54 138 62 118z"), "#FBF3DF", 2.4) if tusks else ""
    return Prop(
        "elephant",
        330,
        240,
        shadow(190, 235, 150, 10, 0.5)
        + tail
        + legs
        + body
        + trunk
        + tusk
        + head
        + ear
        + path(f(oval(84, 80, 4.6)), INK)
        + path(f(oval(82.6, 78, 1.6)), WHITE),
    )


def giraffe(way: int = -1) -> Prop:
    """A giraffe, 210 x 400."""
    f, coat, spot = facing(210, way), "#E9C06C", "#A8683F"
    legs = "".join(
        form(f(limb([(x, 230), (x + 2, 310), (x, 392)], (24, 16, 13))), c, 4)
        + path(f(f"M{x - 8} 386h16v13h-17z"), "#6B4A3A")
        for x, c in ((92, dark(coat, 0.2)), (172, dark(coat, 0.2)), (80, coat), (160, coat))
    )
    dots = "".join(
        path(f(oval(x, y, r, r * 0.8)), spot)
        for x, y, r in (
            (100, 200, 13),
            (128, 190, 12),
            (154, 202, 14),
            (116, 224, 12),
            (144, 228, 13),
            (172, 222, 11),
            (92, 228, 9),
            (76, 150, 9),
            (68, 120, 8),
            (84, 176, 10),
            (58, 90, 7),
            (54, 64, 6),
            (66, 100, 5),
        )
    )
    body = form(
        f("M40 44L62 40Q80 110 104 172Q150 166 184 190Q196 226 180 246Q120 258 78 244Q62 200 40 44z"), coat, 9, 2, dots
    )
    head = (
        form(f("M62 30Q52 22 40 34L14 56Q10 66 20 70Q40 66 58 54z"), coat, 3, 1)
        + form(f("M44 28v-16M54 26v-16"), coat, 0)
        + stroke(f("M46 30V14M55 28V12"), coat, 4)
        + path(f(oval(46, 12, 4)) + f(oval(55, 10, 4)), "#6B4A3A")
    )
    ear = form(f("M60 34q14-8 18 0q-6 8-18 6z"), coat, 1.4)
    return Prop(
        "giraffe",
        210,
        400,
        shadow(130, 396, 90, 7, 0.5)
        + stroke(f("M184 196Q200 220 192 256"), coat, 4)
        + legs
        + body
        + head
        + ear
        + path(f(oval(44, 42, 3)), INK)
        + path(f(oval(18, 60, 1.6)), dark(coat, 0.5)),
    )


_DOWN = ((11, 46), (15, 57)), ((49, 46), (45, 57))
_ARMS: dict[str, tuple[tuple[Pt, Pt], tuple[Pt, Pt]]] = {  # elbow and hand of either arm
    "sitting": _DOWN,
    "eating": (((7, 46), (13, 35)), _DOWN[1]),
    "swinging": (((8, 40), (13, 25)), ((52, 40), (47, 25))),
}


def monkey(way: int = -1, doing: str = "sitting") -> Prop:
    """A monkey that sits and looks at the viewer, 60 x 70; `doing` is sitting, eating (a banana) or swinging."""
    f, fur, skin = facing(60, way), "#8A5F43", "#E3B58E"
    tail = stroke(f("M44 62Q66 60 57 38Q51 28 46 36"), fur, 4.4)
    body = form(f("M19 29Q30 24 41 29Q49 48 44 66H16Q11 48 19 29z"), fur, 4, 1, path(f(oval(30, 50, 9, 13)), skin))
    legs = "".join(
        form(f(oval(30 + k * 15, 58, 9, 10)), fur, 2.4) + form(f(oval(30 + k * 17, 66, 8, 3.4)), skin, 1)
        for k in (-1, 1)
    )
    near, far = _ARMS[doing]
    arms = _monkey_arm(f, (20, 35), *near) + _monkey_arm(f, (40, 35), *far)
    meal = ""
    if doing == "eating":
        meal = form(f("M11 36Q8 24 17 16L21 18Q15 26 15 36z"), "#FBF1DD", 1) + form(
            f("M8 40Q7 30 9 27L12 30L15 27L18 32Q16 36 17 40z"), SUN, 1
        )
    return Prop("monkey", 60, 70, shadow(30, 68, 28, 2.4, 0.5) + tail + body + legs + _monkey_head(f) + meal + arms)


def _monkey_arm(f: Callable[[str], str], shoulder: Pt, elbow: Pt, hand: Pt) -> str:
    """Two shapes and a hand: one outline would fold over at the elbow."""
    middles = [((a[0] + b[0]) / 2, (a[1] + b[1]) / 2) for a, b in ((shoulder, elbow), (elbow, hand))]
    return (
        form(f(limb([shoulder, middles[0], elbow], (8, 7.4, 6.4))), "#7D5647", 1)
        + form(f(limb([elbow, middles[1], hand], (6.4, 6, 5.4))), "#7D5647", 1)
        + form(f(oval(*hand, 3.6)), "#E3B58E", 1)
    )


def _monkey_head(f: Callable[[str], str], asleep: bool = False) -> str:
    """The head about (30, 17)."""
    fur, skin = "#8A5F43", "#E3B58E"
    ears = "".join(form(f(oval(30 + k * 15, 18, 5)), skin, 1) for k in (-1, 1))
    face = form(f("M18 12Q24 7 30 12Q36 7 42 12Q45 22 39 28Q30 33 21 28Q15 22 18 12z"), skin, 1.4)
    eyes = path(f(oval(24.6, 17, 2)) + f(oval(35.4, 17, 2)), INK)
    if asleep:
        eyes = stroke(f("M22 17q2.6 2.4 5.2 0M32.8 17q2.6 2.4 5.2 0"), INK, 1.2)
    mouth = stroke(f("M24 25q6 4 12 0"), dark(skin, 0.5), 1.2) + path(f(oval(30, 21.6, 1.8, 1.1)), dark(skin, 0.4))
    return ears + form(f(oval(30, 17, 15, 14)), fur, 3, 0.6) + face + eyes + mouth


def sleeping_monkey(way: int = -1) -> Prop:
    """A monkey that sleeps on its belly on a branch, 80 x 56; the branch passes at 22 above its bottom edge."""
    f, fur = facing(80, way), "#8A5F43"
    hanging = "".join(
        form(f(limb([(x, 28), (x + 2, 40), (x - 1, 51)], (8, 6.4, 5))), dark(fur, 0.16), 1.2)
        + form(f(oval(x - 2, 52, 4, 3)), "#E3B58E", 0.8)
        for x in (32, 62)
    )
    tail = stroke(f("M70 24Q82 30 76 46Q72 54 68 48"), fur, 4)
    body = form(f("M22 34Q22 10 48 10Q72 12 72 28Q72 36 60 36z"), fur, 4, 1)
    head = put(0 if way < 0 else 20, 6, _monkey_head(facing(60, way), asleep=True), 0.86)
    return Prop("sleeping monkey", 80, 56, tail + body + hanging + head)


def seal() -> Prop:
    """A seal that looks out of the water to the right, mouth open, 100 x 80; the water is its bottom edge."""
    coat = "#7C8796"
    body = form(
        "M20 80Q14 46 34 34Q38 10 60 6Q82 4 86 20Q88 32 76 36Q84 56 80 80z",
        coat,
        7,
        1.6,
        path("M60 38Q74 44 74 80H56Q62 56 60 38z", light(coat, 0.35)),
    )
    snout = form("M74 18Q94 16 98 22Q96 28 84 30Q90 34 86 38Q76 40 70 34z", light(coat, 0.2), 1.6)
    whiskers = stroke("M88 26l12 4M87 28l10 8M84 29l7 10", WHITE, 0.9)
    ripple = path(oval(50, 78, 52, 5), "#E6F5F7", extra='opacity=".85"')
    return Prop(
        "seal",
        100,
        80,
        body
        + snout
        + whiskers
        + path(oval(70, 17, 3.4), INK)
        + path(oval(69, 15.6, 1.2), WHITE)
        + path(oval(98, 21, 2.4, 1.8), INK)
        + stroke("M84 29q-4 4-9 3", dark(coat, 0.4), 1.4)
        + ripple,
    )
