"""What stands on a laboratory bench, in centimetres."""

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
    clipped,
    dark,
    form,
    light,
    oval,
    path,
    poly,
    shadow,
    stroke,
    veil,
)

GLASS, EDGE = "#D5ECEC", "#7FA9B3"
GEM = ((-1, 0.3), (-0.5, -0.9), (0.6, -1), (1, 0.2), (0.2, 1.1))


def glass(d: str, inside: str = "", rim: float = 0.5) -> str:
    """A clear vessel: a pale tone, what is in it, and its outline; nothing else in the set needs an outline."""
    return veil(d, GLASS, 0.72) + clipped(d, inside) + stroke(d, EDGE, rim)


def microscope() -> Prop:
    """24 x 36 cm, the eyepiece to the left."""
    body, iron = "#E9E6DF", "#4B5368"
    foot = form("M2 36Q2 31 8 31H22Q24 31 24 36z", iron, 1.4, 0.4)
    arm = form("M16 31C25 26 25 13 17 9L13.4 12.6C19 16 18 24 12.6 27V31z", body, 1.6, 0.5)
    stage = form(box(3, 23, 15, 2.4, 0.6), iron, 0.6) + path(box(6, 22.2, 8, 0.9), SKY)
    tube = form(poly((5.4, 4.6), (9.6, 2.6), (15.4, 14.6), (11.2, 16.6)), body, 1.2, 0.4)
    ends = form(poly((4, 2.4), (7.8, 0.6), (9.8, 3.4), (5.6, 5.4)), iron, 0.6) + form(
        poly((11.4, 16), (15, 14.2), (15.2, 19.4), (12.6, 20.6)), iron, 0.6
    )
    knob = form(oval(18.2, 22, 2.6), iron, 0.6, 0.2) + path(oval(18.2, 22, 1), STEEL)
    return Prop("microscope", 24, 36, shadow(13, 35.4, 13, 1.6, 0.6) + foot + arm + stage + tube + ends + knob)


def tube_rack(colours: tuple[str, ...] = (RED, SUN, BLUE, LEAF, CORAL)) -> Prop:
    """A wooden rack of tubes with coloured water, 34 x 22 cm."""
    out = shadow(17, 21.6, 19, 1.4, 0.6) + form(box(1, 11, 32, 2, 0.5), dark(WOOD, 0.2), 0.4)
    for i, c in enumerate(colours):
        x = 4.2 + 5.9 * i
        tube = f"M{x} 1.4h3.4V15.6a1.7 1.9 0 0 1-3.4 0z"
        out += glass(tube, path(box(x, 6 + (i * 3) % 5, 3.4, 16), c), 0.4) + stroke(f"M{x + 0.9} 4v9", WHITE, 0.5)
    rails = form(box(0, 8, 34, 2.6, 0.6), WOOD, 0.7, 0.3) + form(box(0, 17.6, 34, 4, 0.6), WOOD, 0.9, 0.3)
    return Prop(
        "rack of test tubes",
        34,
        22,
        out + rails + form(box(0, 8, 2.6, 13), WOOD, 0.6) + form(box(31.4, 8, 2.6, 13), WOOD, 0.6),
    )


def beaker(colour: str = SKY, full: float = 0.55) -> Prop:
    """11 x 13 cm with a spout and marks."""
    d = "M1 .8Q2 2 1.8 3V11Q1.8 12.8 3.6 12.8H8.6Q10 12.8 10 11V1z"
    liquid = path(box(0, 12.8 - 11 * full, 11, 12), colour) + path(
        oval(5.8, 12.8 - 11 * full, 4.2, 0.6), light(colour, 0.4)
    )
    marks = stroke("M7.4 5h2M7.4 7h2M7.4 9h2", WHITE, 0.4)
    return Prop(
        "beaker", 11, 13, shadow(6, 12.6, 6, 0.8, 0.6) + glass(d, liquid) + marks + stroke("M3 4v6", WHITE, 0.6)
    )


def burner() -> Prop:
    """A gas burner with a blue flame, 14 x 26 cm."""
    base = form("M1 26Q1 23 7 23T13 26z", "#4B5368", 0.9) + form(box(5.4, 13, 3.2, 11, 0.6), STEEL, 0.9, 0.3)
    collar = form(box(4.6, 18, 4.8, 2.4, 0.6), dark(STEEL, 0.3), 0.6) + stroke("M9 22Q14 22 14 25", CORAL, 1.3)
    flame = path("M7 13C3 10 5.4 5 7 .6C8.6 5 11 10 7 13z", "#7FC4EC") + path(
        "M7 13C5.2 11 6.2 8 7 6C7.8 8 8.8 11 7 13z", "#E4F6FF"
    )
    return Prop("gas burner", 14, 26, shadow(7, 25.6, 8, 0.9, 0.6) + flame + base + collar)


def pot_on_burner() -> Prop:
    """A small steel pot of hot water on a tripod over a burner, 30 x 46 cm with its steam."""
    steam = stroke("M11 14C8 10 14 8 11 3M16 13C13 9 19 6 16 1M21 14C18 11 23 8 21 4", WHITE, 1.3, 'opacity=".75"')
    legs = stroke("M6 28L2 45M24 28L28 45M15 28V44", dark(STEEL, 0.45), 1.2)
    pot = form("M4 16H26V25Q26 28 23 28H7Q4 28 4 25z", STEEL, 2, 0.6) + path(oval(15, 16, 11, 1.8), dark(STEEL, 0.4))
    water = path(oval(15, 16.4, 9.6, 1.2), "#BFE2EC") + stroke("M26 18.6H31", INK, 1.6)
    plate = form(box(3, 28, 24, 1.2, 0.4), dark(STEEL, 0.3), 0.3)
    gas = form("M10 46Q10 44 15 44T20 46z", "#4B5368", 0.5) + form(box(13.6, 38, 2.8, 6.4, 0.4), STEEL, 0.7)
    flame = path("M15 38.4C11.6 36 13.4 32.6 15 30C16.6 32.6 18.4 36 15 38.4z", "#5FB2E6") + path(
        "M15 38.4C13.6 37 14.2 35.4 15 34C15.8 35.4 16.4 37 15 38.4z", "#E4F6FF"
    )
    return Prop(
        "pot on a burner", 32, 46, shadow(15, 45.4, 16, 1.3, 0.6) + gas + legs + flame + plate + pot + water + steam
    )


def round_flask() -> Prop:
    """Green water that bubbles and steams in a round flask on a cork ring, 26 x 46 cm."""
    bulb = "M10.6 12.4H15.4V20.6C22 22 25 27.6 24.2 33C23.2 40.4 17.6 43 13 43S2.8 40.4 1.8 33C1 27.6 4 22 10.6 20.6z"
    green, pale = "#55B948", "#A6E27A"
    liquid = path(box(0, 27.4, 26, 18), green) + veil("M16 46Q26 40 25 28H20Q22 38 12 46z", SHADE, 0.22)
    liquid += path(oval(13, 27.4, 11, 1.7), pale)
    spots = (
        (8, 38, 1.5),
        (13, 34, 1.9),
        (17.6, 39, 1.2),
        (10, 31, 1.1),
        (19, 32.4, 1.5),
        (5.4, 34, 0.9),
        (14.6, 29.8, 1),
    )
    bubbles = "".join(
        path(oval(x, y, r), pale) + path(oval(x - r * 0.3, y - r * 0.3, r * 0.35), WHITE) for x, y, r in spots
    )
    froth = "".join(
        path(oval(x, 27, r), light(pale, 0.4)) for x, r in ((7, 1.3), (10, 1.9), (13.6, 1.5), (17, 1.9), (20, 1.1))
    )
    steam = "".join(
        path(oval(x, y, r), "#F4F8F2", extra=f'opacity="{o}"')
        for x, y, r, o in ((13, 9.4, 2.4, 0.85), (11, 6.4, 2.7, 0.75), (15.4, 4.6, 2.6, 0.6), (12, 2.4, 1.9, 0.45))
    )
    lip = stroke("M9.8 12.4H16.2", EDGE, 1.1)
    ring = form("M4 46Q4 41.6 13 41.6T22 46z", "#B98A5A", 1, 0.4)
    shine = stroke("M5 31Q5.6 26 9 24", WHITE, 1.3, 'opacity=".9"')
    return Prop(
        "round flask with bubbling green liquid", 26, 46,
        shadow(13, 45, 12, 1, 0.6) + ring + glass(bulb, liquid + bubbles + froth, 0.7) + lip + shine + steam,
    )  # fmt: skip


SHADE = "#1F5A3C"


def seedling_jar() -> Prop:
    """A glass jar with a seedling in earth, in the flask's box."""
    jar = "M5 17H21V20Q24.4 22 24.4 26V42Q24.4 45 21.4 45H4.6Q1.6 45 1.6 42V26Q1.6 22 5 20z"
    soil = path("M0 35Q7 32.6 13 34.4T26 34V46H0z", "#7A5540") + path(
        oval(7, 39, 0.8) + oval(17, 41, 1) + oval(12, 37.4, 0.7), "#A98565"
    )
    stem = stroke("M13 35Q12.4 22 13.4 9", LEAF, 1.4)
    leaves = "".join(
        form(d, c, 0.7)
        for d, c in (
            ("M13 24Q6 23 4.6 17Q12 16.6 13 24z", LEAF), ("M13 21Q20 20 21 13.6Q14 13.4 13 21z", dark(LEAF, 0.1)),
            ("M13.4 11Q8 9.6 7.6 3.6Q13.6 4 13.4 11z", light(LEAF, 0.15)),
            ("M13.4 11Q18.6 9 19 3Q13.2 3.6 13.4 11z", LEAF),
        )
    )  # fmt: skip
    shine = stroke("M4.6 27V38", WHITE, 1.3, 'opacity=".9"')
    return Prop(
        "glass jar with a seedling", 26, 46, shadow(13, 45, 12, 1, 0.6) + glass(jar, soil, 0.7) + stem + leaves + shine
    )


def crystal_jar(size: float = 1.0) -> Prop:
    """A jar in which blue crystals grow on a string that hangs from a pencil, 16 x 22 cm."""
    jar = "M2 3H14V5Q15.4 6 15.4 8V19Q15.4 21.6 13 21.6H3Q.6 21.6 .6 19V8Q.6 6 2 5z"
    water = path(box(0, 7.4, 16, 15), "#CBE6F4") + path(oval(8, 7.4, 7.4, 0.8), "#E6F5FB")
    gems = "".join(
        form(poly(*((x + dx * a, y + dy * a) for dx, dy in GEM)), c, a * 0.35, a * 0.12)
        for x, y, a, c in (
            (8, 13 - 2.8 * size, 1.9 * size, "#4A8ACB"), (8 - 1.7 * size, 13, 2.3 * size, "#2F6FB8"),
            (8 + 1.8 * size, 13.4, 2.4 * size, "#3F83CC"), (8 - 0.8 * size, 13 + 3.4 * size, 2.5 * size, "#3A78C2"),
            (8 + 1.6 * size, 13 + 3.8 * size, 1.9 * size, "#5FA4DA"),
        )
    )  # fmt: skip
    thread = stroke("M8 2.4V12", CREAM, 0.5)
    pencil = form(poly((-1, 1), (16, 1), (18, 2), (16, 3), (-1, 3)), SUN, 0.5) + path(
        poly((16, 1), (18, 2), (16, 3)), "#E9CFA4"
    )
    return Prop(
        "jar of growing crystals", 16, 22,
        shadow(8, 21.4, 9, 0.9, 0.6) + glass(jar, water + thread + gems, 0.5)
        + stroke("M2.4 9v9", WHITE, 0.9, 'opacity=".85"') + pencil,
    )  # fmt: skip


def powder_bag() -> Prop:
    """A clear bag of white powder on small electronic scales, 30 x 24 cm."""
    scales = form("M2 24L4 17.4H26L28 24z", "#4B5368", 1.2, 0.4) + path(box(10, 19, 10, 3.4, 0.5), "#BFE0C4")
    scales += stroke("M12 20.7h2M15 20.7h1.4M17.4 20.7h1", INK, 0.7) + form(
        box(3, 15.8, 24, 1.8, 0.9), light(STEEL, 0.5), 0.5
    )
    bag = "M6 16C2 13 4 8.4 12.6 6.4L10 1.6L12.6 2.2L15 .6L17.6 2.2L20.4 1.4L17.4 6.4C26 8.4 28 13 24 16z"
    powder = path("M2 17V9.6Q9 7.4 15 8.6T28 9.6V17z", "#FFFFFF") + veil(
        "M19 17Q27 14 25 9.6Q24 13.6 12 17z", "#8F9ABC", 0.4
    )
    tie = form(box(12, 5.2, 6, 1.9, 0.9), RED, 0.4) + stroke("M18 6l2.6-1.4M18 6.4l2.8 1", RED, 0.6)
    folds = stroke("M13 7.4Q9 9 7.4 11.6M15 7.6V10.6M17 7.4Q21 9 22.6 11.4M13 5L12 2.6M17 5l1-2.4", "#9DB4C9", 0.55)
    shine = stroke("M6.4 13.6Q6.4 11.6 8.4 10.4", "#D5E6F2", 0.9)
    sack = veil(bag, GLASS, 0.8) + clipped(bag, powder) + stroke(bag, "#A9C4D0", 0.4)
    return Prop(
        "bag of white powder on scales", 30, 24, shadow(15, 23.4, 14, 0.9, 0.6) + scales + sack + folds + shine + tie
    )


def mortar() -> Prop:
    """A stone mortar with its pestle, in the box of the powder."""
    pestle = form(poly((17, 9), (25, 0.6), (28, 3), (20.4, 11)), "#B9B3AE", 0.9, 0.3)
    bowl = form("M3 9H27Q27 19 20 21V24H10V21Q3 19 3 9z", "#CFC9C2", 2.6, 0.7) + path(
        oval(15, 9, 12, 1.8), dark("#CFC9C2", 0.35)
    )
    return Prop("mortar and pestle", 30, 24, shadow(15, 23.4, 10, 0.9, 0.6) + pestle + bowl)


def scales() -> Prop:
    """A pair of balance scales, 40 x 36 cm."""
    brass = "#D9A441"
    post = form(box(18.8, 4, 2.4, 28, 0.6), brass, 0.8, 0.3) + form("M10 36Q10 32 20 32T30 36z", dark(WOOD, 0.2), 1.2)
    beam = stroke("M5 8.4L35 5.4", brass, 1.6) + form(oval(20, 4.6, 1.8), brass, 0.5)
    pans = ""
    for x, y in ((5, 8.4), (35, 5.4)):
        pans += stroke(f"M{x} {y}L{x - 5} {y + 14}M{x} {y}L{x + 5} {y + 14}", dark(brass, 0.3), 0.5)
        pans += form(f"M{x - 6} {y + 14}H{x + 6}Q{x + 4} {y + 18} {x} {y + 18}T{x - 6} {y + 14}z", brass, 0.9, 0.3)
    return Prop("scales", 41, 36, shadow(20, 35.4, 12, 1.2, 0.6) + post + beam + pans)


def molecule() -> Prop:
    """A model of coloured balls on sticks, 30 x 26 cm."""
    spots = ((15, 12, 5, INK), (5, 8, 3.4, RED), (25, 7, 3.4, RED), (8, 21.6, 3.6, SKY), (23, 21.8, 3.6, SUN))
    sticks = stroke("".join(f"M15 12L{x} {y}" for x, y, _, _ in spots[1:]), "#B9B3AE", 1.4)
    balls = "".join(
        form(oval(x, y, r), c if c != INK else "#5A6379", r * 0.3, 0.4) for x, y, r, c in spots[1:] + spots[:1]
    )
    return Prop("molecule model", 30, 26, shadow(15, 25.2, 13, 1, 0.5) + sticks + balls)


def tap() -> Prop:
    """A tall laboratory tap over a basin, 34 x 34 cm."""
    neck = stroke("M17 30V9Q17 3 23 3T29 9V12", light(STEEL, 0.2), 2.2) + form(box(15, 18, 4, 3, 0.6), TEAL, 0.6)
    basin = path(oval(19, 31.6, 16, 2.4), dark(STEEL, 0.2)) + path(oval(19, 32, 13, 1.5), dark(STEEL, 0.5))
    return Prop("tap", 36, 34, basin + neck + form(box(15.4, 28, 3.2, 3.4, 0.4), STEEL, 0.6))


def jars(colours: tuple[str, ...], w: float = 9, h: float = 16) -> Prop:
    """A row of stoppered bottles for a shelf."""
    out = ""
    for i, c in enumerate(colours):
        x, tall = i * (w + 2), h - (i * 5) % 4
        y = h - tall
        d = (
            f"M{x + w * 0.3} {y}h{w * 0.4}v{tall * 0.2}q{w * 0.3} {tall * 0.1} {w * 0.3} {tall * 0.25}V{h}H{x}"
            f"V{y + tall * 0.45}q0-{tall * 0.15} {w * 0.3}-{tall * 0.25}z"
        )
        out += form(d, c, 1.4, 0.4) + path(box(x + w * 0.15, h - tall * 0.42, w * 0.7, tall * 0.26, 0.4), CREAM)
        out += form(box(x + w * 0.25, y - 1.6, w * 0.5, 2.4, 0.6), "#8A6148", 0.4)
    return Prop("bottles", len(colours) * (w + 2) - 2, h, out)
