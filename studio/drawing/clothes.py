"""The trunk and what is worn on it: tops, jackets, coats, aprons, skirts, ties and the like."""

from __future__ import annotations

from typing import TYPE_CHECKING

from studio.drawing import sitting
from studio.drawing.kit import (
    CREAM,
    INK,
    SUN,
    Pt,
    box,
    dark,
    form,
    hull,
    light,
    oval,
    path,
    poly,
    stroke,
)  # fmt: skip
from studio.drawing.poses import Look, Pose, swing

if TYPE_CHECKING:
    from studio.drawing.people import Frame


def cloth(look: Look) -> str:
    """Colour of the outermost layer."""
    return look.coat or look.jacket or look.top


def trunk(look: Look, pose: Pose, f: Frame, outline: str) -> str:
    """The body from neck to hips with its clothes."""
    x, y = f.hip
    turn = f'transform="translate({x:.2f},{y:.2f}) rotate({f.lean:.2f})"'
    worn = f"<g {turn}>{_worn(look, pose, f)}</g>"
    return _cape(look, pose, f) + form(outline, cloth(look), f.hd * 0.12, 0, worn)


def trunk_outline(look: Look, pose: Pose, f: Frame) -> str:
    hd, sw, hw, face = f.hd, f.sw, f.hw, f.facing
    low = -hd * (0.12 if look.legs == "swim" else 0.2)
    drop = pose.sway * 0.05 / 0.66
    waist = 0.86 if look.sex == "female" and look.adult else 0.97
    flare = hw * (1.12 + 0.12 * look.belly)
    rows = (  # half the outline: across, up the trunk, and how far it moves towards where the figure faces
        (hd * 0.17, f.long + hd * 0.21, 0.1),
        (sw * 0.62, f.long + hd * 0.15, 0.06),
        (sw * 1.04, f.long + hd * 0.12, 0.02),
        (sw * 1.04, f.long - hd * 0.3, 0.1),
        (hw * waist, f.long - hd * 0.75, 0.22 + look.belly * 0.4),
        (hw * (waist + look.belly * 0.3), hd * 0.45, 0.02 + look.belly * 0.75),
        (flare, low, -0.02),
    )

    def at(side: int, row: tuple[float, float, float]) -> str:
        dx, up, forward = row
        sink = drop * dx * side if up > hd * 0.3 else 0  # tilted shoulders, level hem
        front = forward * hd * face
        if side * face < 0:  # the back is straighter than the front
            front *= 0.35
        return "{:.2f} {:.2f}".format(*f.at(side * dx + front, up - sink))

    lft, rgt = [at(-1, row) for row in rows], [at(1, row) for row in rows]
    dip = f.long + hd * (0.33 - (0.12 if pose.back else 0.34))
    neck, hem = f.at(face * hd * 0.12, dip), f.at(0, low - hd * 0.12)
    return (
        f"M{lft[0]}C{lft[1]} {lft[2]} {lft[3]}C{lft[4]} {lft[5]} {lft[6]}Q{hem[0]:.2f} {hem[1]:.2f} {rgt[6]}"
        f"C{rgt[5]} {rgt[4]} {rgt[3]}C{rgt[2]} {rgt[1]} {rgt[0]}Q{neck[0]:.2f} {neck[1]:.2f} {lft[0]}z"
    )


def _worn(look: Look, pose: Pose, f: Frame) -> str:
    """Prints, seams and what lies over the top; drawn with the hips at (0, 0) and clipped to the trunk."""
    hd, top, mid = f.hd, -f.long, f.facing * f.hd * 0.16
    out = ""
    if look.dots and not look.coat:
        out += "".join(
            path(oval(hd * (0.3 * i + 0.15 * (j % 2)), top + hd * 0.26 * j, hd * 0.045), look.dots)
            for i in range(-5, 6)
            for j in range(0, 14)
        )
    if look.stripes and not look.coat:
        bands = "".join(
            f"M{-hd * 2:.2f} {top + hd * 0.3 * j:.2f}q{hd * 2:.2f} {hd * 0.16:.2f} {hd * 4:.2f} 0" for j in range(0, 11)
        )
        out += stroke(bands, look.stripes, hd * 0.11)
    if look.coat:
        out += _closed(look, f, mid) if not pose.back else ""
    elif look.jacket and not pose.back:
        out += _open(look, f, mid)
    elif look.top != look.skin:
        low = hd * 0.14
        seam = f"M{-hd:.2f} {low:.2f}Q0 {low + hd * 0.12:.2f} {hd:.2f} {low:.2f}"
        out += stroke(seam, dark(look.top, 0.14), hd * 0.05) if look.legs != "dress" else ""
        folds = f"M{f.hw * 0.85:.2f} {-hd * 0.55:.2f}q{-hd * 0.2:.2f} {hd * 0.12:.2f} {-hd * 0.34:.2f} {hd * 0.1:.2f}"
        out += stroke(folds, dark(look.top, 0.13), hd * 0.04)
    if not pose.back and look.top != look.skin:
        y = top - hd * 0.2
        collar = f"M{mid - hd * 0.2:.2f} {y:.2f}Q{mid:.2f} {y + hd * 0.34:.2f} {mid + hd * 0.2:.2f} {y:.2f}"
        out += stroke(collar, light(look.top, 0.5), hd * 0.08)
    out += _details(look, pose, f, mid)
    return out + (_apron(look, f, mid) if look.apron and not pose.back else "")


def _details(look: Look, pose: Pose, f: Frame, mid: float) -> str:
    """Each small thing that `extra` puts on the body."""
    hd, top, c = f.hd, -f.long, look.accent
    out = ""
    if "bands" in look.extra:
        for y in (top + hd * 0.62, top + hd * 1.15):
            out += path(box(-hd, y, 2 * hd, hd * 0.17), SUN) + path(box(-hd, y + hd * 0.05, 2 * hd, hd * 0.07), CREAM)
    if "belt" in look.extra:
        out += path(box(-hd, -hd * 0.12, 2 * hd, hd * 0.15), INK) + path(
            box(mid - hd * 0.1, -hd * 0.14, hd * 0.2, hd * 0.19, hd * 0.03), SUN
        )
    if "straps" in look.extra or "braces" in look.extra:
        for k in (-1, 1):
            out += stroke(
                f"M{mid + k * hd * 0.36:.2f} {top - hd * 0.3:.2f}L{mid + k * hd * 0.3:.2f} {hd * 0.3:.2f}", c, hd * 0.12
            )
    if "sash" in look.extra:
        out += stroke(f"M{mid - f.sw:.2f} {top:.2f}L{mid + f.hw:.2f} {0:.2f}", c, hd * 0.2)
    if pose.back:
        return out
    if "tie" in look.extra:
        x, y = mid, top - hd * 0.06
        out += path(
            poly(
                (x - hd * 0.07, y),
                (x + hd * 0.07, y),
                (x + hd * 0.13, y + hd * 0.85),
                (x, y + hd),
                (x - hd * 0.13, y + hd * 0.85),
            ),
            c,
        )
        out += path(poly((x - hd * 0.1, y - hd * 0.08), (x + hd * 0.1, y - hd * 0.08), (x, y + hd * 0.1)), dark(c, 0.2))
    if "bowtie" in look.extra:
        x, y = mid, top - hd * 0.06
        out += path(
            poly((x - hd * 0.24, y - hd * 0.12), (x, y), (x - hd * 0.24, y + hd * 0.12))
            + poly((x + hd * 0.24, y - hd * 0.12), (x, y), (x + hd * 0.24, y + hd * 0.12)),
            c,
        )
        out += path(oval(x, y, hd * 0.06), dark(c, 0.25))
    if "neckscarf" in look.extra:
        out += path(box(mid - hd * 0.4, top - hd * 0.32, hd * 0.8, hd * 0.34, hd * 0.14), c)
        out += path(
            poly(
                (mid + hd * 0.06, top - hd * 0.1),
                (mid + hd * 0.3, top - hd * 0.1),
                (mid + hd * 0.34, top + hd * 0.75),
                (mid + hd * 0.1, top + hd * 0.75),
            ),
            dark(c, 0.1),
        )
    if "stethoscope" in look.extra:
        u = (
            f"M{mid - hd * 0.24:.2f} {top - hd * 0.2:.2f}C{mid - hd * 0.3:.2f} {top + hd * 0.6:.2f}"
            f" {mid + hd * 0.3:.2f} {top + hd * 0.6:.2f} {mid + hd * 0.24:.2f} {top - hd * 0.2:.2f}"
        )
        out += stroke(u + f"M{mid:.2f} {top + hd * 0.42:.2f}v{hd * 0.3:.2f}", "#4B5368", hd * 0.06)
        out += path(oval(mid, top + hd * 0.78, hd * 0.11), "#8C93A6") + path(
            oval(mid, top + hd * 0.78, hd * 0.06), "#DDE3EA"
        )
    if "badge" in look.extra:
        x, y = mid + hd * 0.32, top + hd * 0.3
        out += path(
            poly(
                (x - hd * 0.11, y),
                (x + hd * 0.11, y),
                (x + hd * 0.1, y + hd * 0.16),
                (x, y + hd * 0.26),
                (x - hd * 0.1, y + hd * 0.16),
            ),
            SUN,
        )
    if "buttons" in look.extra:
        out += "".join(path(oval(mid, top + hd * y, hd * 0.05), light(c, 0.2)) for y in (0.2, 0.5, 0.8, 1.1))
    if "heart" in look.extra:
        x, y, r = mid, top + hd * 0.5, hd * 0.3
        out += path(
            f"M{x:.2f} {y + r:.2f}C{x - r * 1.6:.2f} {y:.2f} {x - r * 0.6:.2f} {y - r:.2f} {x:.2f}"
            f" {y - r * 0.3:.2f}C{x + r * 0.6:.2f} {y - r:.2f} {x + r * 1.6:.2f} {y:.2f} {x:.2f}"
            f" {y + r:.2f}z",
            c,
        )
    if "star" in look.extra:
        points = [swing((mid, top + hd * 0.6), hd * (0.32, 0.14)[i % 2], 180 + 36 * i) for i in range(10)]
        out += path(poly(*points), c)
    return out


def _apron(look: Look, f: Frame, mid: float) -> str:
    hd, top = f.hd, -f.long + f.hd * 0.22
    bib = (
        f"M{mid - hd * 0.3:.2f} {top:.2f}H{mid + hd * 0.3:.2f}L{mid + hd * 0.36:.2f} {-hd * 0.45:.2f}H{hd:.2f}"
        f"V{hd:.2f}H{-hd:.2f}V{-hd * 0.45:.2f}H{mid - hd * 0.36:.2f}z"
    )
    straps = "".join(
        f"M{mid + k * hd * 0.27:.2f} {top:.2f}L{mid + k * hd * 0.17:.2f} {top - hd * 0.5:.2f}" for k in (-1, 1)
    )
    return stroke(straps, look.apron, hd * 0.07) + form(bib, look.apron, hd * 0.06)


def _open(look: Look, f: Frame, mid: float) -> str:
    """What an open jacket leaves to be seen of the top, and the lapels."""
    hd, y = f.hd, -f.long
    sides = [
        [(mid + k * hd * 0.16, y - hd * 0.4), (mid + k * hd * 0.24, y + hd * 0.5), (mid + k * hd * 0.2, hd * 0.5)]
        for k in (-1, 1)
    ]
    out = path(poly(*sides[0], *sides[1][::-1]), look.top)
    for k in (-1, 1):
        tip, fold = (mid + k * hd * 0.44, y + hd * 0.16), (mid + k * hd * 0.22, y + hd * 0.6)
        out += path(poly((mid + k * hd * 0.14, y - hd * 0.3), tip, fold), dark(look.jacket, 0.2))
    return out


def _closed(look: Look, f: Frame, mid: float) -> str:
    """Neck, lapels and buttons of a coat."""
    hd, y, c = f.hd, -f.long, look.coat
    out = path(poly((mid - hd * 0.2, y - hd * 0.3), (mid + hd * 0.2, y - hd * 0.3), (mid, y + hd * 0.42)), look.top)
    for k in (-1, 1):
        out += path(
            poly(
                (mid + k * hd * 0.18, y - hd * 0.3), (mid + k * hd * 0.36, y + hd * 0.05), (mid + k * 0.4, y + hd * 0.5)
            ),
            dark(c, 0.16),
        )
    out += stroke(f"M{mid:.2f} {y + hd * 0.45:.2f}V{hd:.2f}", dark(c, 0.2), hd * 0.04)
    return out + "".join(path(oval(mid + hd * 0.09, y + hd * t, hd * 0.045), dark(c, 0.35)) for t in (0.65, 1.0, 1.35))


def _cape(look: Look, pose: Pose, f: Frame) -> str:
    if "cape" not in look.extra or pose.back:
        return ""
    a, b = f.shoulders
    blow = -f.facing * f.hd * 0.9 - pose.turn * f.hd * 0.2
    x, y = f.hip[0] + blow, f.hip[1] + f.hd * 0.9
    shape = hull([a, b, (x - f.hd * 0.95, y), (x + f.hd * 0.95, y + f.hd * 0.1)], f.hd * 0.2)
    return form(shape, look.accent, f.hd * 0.1)


def skirt(look: Look, pose: Pose, f: Frame) -> str:
    """A dress, skirt, coat or apron below the hips, draped over the thighs."""
    if look.coat:
        colour, share = look.coat, look.hem
    elif look.legs in ("dress", "skirt"):
        colour, share = (look.top if look.legs == "dress" else look.bottom), look.hem
    elif look.apron and not pose.back and not pose.sit:
        colour, share = look.apron, 0.42
    else:
        return ""
    if pose.sit or (f.side and sitting.sits(pose)):
        return sitting.lap(look, pose, f, colour, share)
    spread = pose.thighs and max(abs(a) for a, _ in pose.thighs) > 45
    t, wide = min(share * 2, 1), f.thick * (1.0 if spread else 1.35)
    edge: list[Pt] = [f.at(k * f.hw * 0.96, f.hd * 0.22) for k in (-1, 1)] + [
        f.at(k * f.hw * 1.1, -f.hd * 0.1) for k in (-1, 1)
    ]
    folds = ""
    for hip, knee, ankle in zip(f.hips, f.knees, f.ankles, strict=True):
        ends = [(hip[0] + (knee[0] - hip[0]) * t, hip[1] + (knee[1] - hip[1]) * t)]
        if share > 0.5:
            s = share * 2 - 1
            ends.append((knee[0] + (ankle[0] - knee[0]) * s, knee[1] + (ankle[1] - knee[1]) * s))
        for x, y in ends:
            edge += [(x + dx * wide, y + dy) for dx in (-1, 1) for dy in (-f.thick * 0.5, f.thick * 0.1)]
        if f.side:  # the cloth follows either leg
            folds += f"M{hip[0]:.2f} {hip[1] + f.hd * 0.1:.2f}L" + "L".join(f"{x:.2f} {y:.2f}" for x, y in ends)
    low = max(y for _, y in edge)
    shape = hull(edge, f.hd * 0.14)
    x = f.hip[0]
    folds = folds or "".join(
        f"M{x + k * f.hw * 0.5:.2f} {f.hd * 0.3:.2f}L{x + k * f.hw * 0.8:.2f} {low:.2f}" for k in (-1, 0.2, 1.1)
    )
    inside = sitting.dotted(look, f) + stroke(folds, dark(colour, 0.12), f.hd * 0.045)
    if look.coat and not pose.back:
        inside += stroke(f"M{x + f.facing * f.hd * 0.16:.2f} 0L{x:.2f} {low:.2f}", dark(colour, 0.22), f.hd * 0.05)
    if "bands" in look.extra:
        inside += path(box(x - f.hd * 2, low - f.hd * 0.3, 4 * f.hd, f.hd * 0.16), SUN)
    return form(shape, colour, f.hd * 0.1, 0, inside)
