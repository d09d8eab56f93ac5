"""People on, in and with larger things: bicycle, wheelchair, crutches, an embrace. Each comes as one prop."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from studio.drawing import stances
from studio.drawing.kit import (
    INK,
    RED,
    STEEL,
    WOOD,
    Prop,
    Pt,
    box,
    dark,
    form,
    group,
    light,
    oval,
    path,
    put,
    shadow,
    stroke,
)
from studio.drawing.people import person
from studio.drawing.poses import Held, Look, Pose, Reach


def wheel(x: float, y: float, r: float, spokes: int = 10) -> str:
    """A spoked wheel around (x, y)."""
    ends = [
        (x + r * 0.9 * math.cos(math.tau * i / spokes), y + r * 0.9 * math.sin(math.tau * i / spokes))
        for i in range(spokes)
    ]
    lines = stroke("".join(f"M{x:.1f} {y:.1f}L{a:.1f} {b:.1f}" for a, b in ends), STEEL, 0.5)
    return (
        lines
        + stroke(oval(x, y, r), INK, r * 0.12)
        + stroke(oval(x, y, r * 0.9), STEEL, r * 0.05)
        + path(oval(x, y, r * 0.1), dark(STEEL, 0.3))
    )


def bicycle(colour: str = RED, facing: int = 1, size: float = 1.0) -> Prop:
    """A bicycle from the side, 170 x 105 cm at size 1; anchors: saddle, grips, pedal."""
    k = facing

    def x(v: float) -> float:  # written for a bicycle that goes right
        return 85 + (v - 85) * k

    back, front, crank, seat, head = (x(34), 72), (x(138), 72), (x(78), 74), (x(62), 22), (x(122), 18)
    bars = (
        (back, crank),
        (back, (x(64), 32)),
        (crank, (x(64), 32)),
        (crank, (x(125), 34)),
        ((x(65), 36), (x(123), 26)),
        (head, front),
    )
    frame = stroke("".join(f"M{a[0]:.1f} {a[1]}L{b[0]:.1f} {b[1]}" for a, b in bars), colour, 4)
    post = stroke(f"M{x(64):.1f} 34L{seat[0]:.1f} {seat[1]}", STEEL, 3) + form(
        f"M{x(48):.1f} 18Q{x(54):.1f} 13 {x(76):.1f} 18Q{x(70):.1f} 23 {x(50):.1f} 23z", INK, 1.4
    )
    handle = stroke(f"M{head[0]:.1f} {head[1]}L{x(119):.1f} 6Q{x(128):.1f} 2 {x(112):.1f} 4", STEEL, 3) + stroke(
        f"M{x(117):.1f} 4.4L{x(106):.1f} 5", INK, 4
    )
    chain = stroke(oval(*crank, 8), dark(STEEL, 0.3), 2) + stroke(
        f"M{crank[0]:.1f} 74L{x(86):.1f} 87M{crank[0]:.1f} 74L{x(70):.1f} 61", STEEL, 2.4
    )
    pedals = stroke(f"M{x(81):.1f} 87.5h10M{x(65):.1f} 60.5h10", INK, 3)
    lamp = form(oval(x(130), 24, 4), light("#F4C152", 0.3), 0.8)
    body = (
        shadow(85, 103, 78, 5, 0.55)
        + wheel(*back, 32, 14)
        + wheel(*front, 32, 14)
        + chain
        + frame
        + post
        + handle
        + lamp
        + pedals
    )
    anchors: dict[str, Pt] = {"saddle": (x(62), 17), "grips": (x(110), 5), "pedal": (x(86), 88)}
    whole = {key: (a * size, b * size) for key, (a, b) in anchors.items()}
    return Prop("bicycle", 170 * size, 105 * size, put(0, 0, body, size), whole)


def cyclist(look: Look, facing: int = 1, colour: str = RED, **more: Any) -> Prop:
    """Somebody riding a bicycle of their size; keywords change the pose."""
    size = look.height / 172
    bike = bicycle(colour, facing, size)
    saddle, grips = bike.anchors["saddle"], bike.anchors["grips"]
    probe = person(look, stances.stance("cycling", facing), "rider")
    hip = probe.anchors["hip"]
    up = bike.h - saddle[1] - (probe.h - hip[1]) + look.head * 0.3
    dx = saddle[0] - bike.w / 2 - (hip[0] - probe.w / 2)
    hand = Reach(grips[0] - bike.w / 2 - dx, bike.h - grips[1] - up)
    rider = person(look, stances.stance("cycling", facing, left=hand, right=hand, **more), "rider", grounded=False)
    return group("cyclist", (bike, 0, 0), (rider, dx, up))


def in_wheelchair(look: Look, facing: int = 1, colour: str = "#3F5A86", **more: Any) -> Prop:
    """Somebody in a wheelchair, from the side; keywords change the pose."""
    k, s = facing, look.height / 170
    w, h = 100.0, 92.0

    def x(v: float) -> float:
        return 50 + (v - 50) * k

    pose = {"thighs": ((84, 20), (82, 26)) if k > 0 else ((-82, -26), (-84, -20)), "lean": -3 * k} | more
    rider = person(look, stances.stance("sitting_side", facing, **pose), "rider", grounded=False)
    rear = stroke(f"M{x(26):.1f} 2H{x(14):.1f}M{x(27):.1f} 3L{x(30):.1f} 56", dark(STEEL, 0.2), 3.4) + form(
        box(min(x(24), x(31)), 10, 7, 42, 3), colour, 1.6
    )
    seat = form(box(min(x(28), x(76)), 50, 48, 7, 3), colour, 1.6, 0.6)
    frame = stroke(
        f"M{x(74):.1f} 54L{x(82):.1f} 80M{x(80):.1f} 84H{x(96):.1f}M{x(30):.1f} 54L{x(34):.1f} 74", dark(STEEL, 0.2), 3
    )
    back = Prop("chair back", w * s, h * s, put(0, 0, shadow(52, 90, 46, 4, 0.6) + rear + seat + frame, s))
    rim = wheel(x(40), 62, 29, 16) + stroke(oval(x(40), 62, 23), light(STEEL, 0.3), 1.4)
    small = wheel(x(80), 82, 9, 6)
    front = Prop("wheels", w * s, h * s, put(0, 0, rim + small, s))
    hip, seat_y = rider.anchors["hip"], (h - 50) * s
    up = seat_y - (rider.h - hip[1]) + look.head * 0.42
    dx = (x(40) - 50) * s - (hip[0] - rider.w / 2)
    return group("person in a wheelchair", (back, 0, 0), (rider, dx, up), (front, 0, 0))


def crutch(height: float = 96) -> Prop:
    """A forearm crutch; hold it at (5, 22)."""
    body = (
        stroke(f"M5 14V{height - 2}", STEEL, 2.6)
        + stroke("M5 22h7", INK, 3.2)
        + stroke("M0 4Q5 12 10 4", INK, 3)
        + path(box(3, height - 5, 4, 5, 1), INK)
    )
    return Prop("crutch", 12, height, body)


def on_crutches(look: Look, **more: Any) -> Prop:
    """Somebody on two crutches with one foot off the ground; keywords change the pose."""
    tall, reach = look.height * 0.56, look.height * 0.2
    hands = Reach(-reach, tall * 0.78), Reach(reach, tall * 0.78)
    pose = Pose(left=hands[0], right=hands[1], lift=(0, 0.4), feet=(-0.1, 0.4), turn=0.2, tilt=3)
    stick = Held(crutch(tall), (5, 22))
    return person(look, replace(pose, **more), "person on crutches", left=stick, right=stick)


def embrace(one: Look, other: Look) -> Prop:
    """Two people in a hug; the first faces right."""
    gap = (one.head + other.head) * 0.36
    low = min(one.height, other.height) / max(one.height, other.height)
    bow = 6 + 60 * (1 - low)  # the taller one bends down
    a = person(one, stances.stance("hugging", 1, lean=bow if one.height > other.height else 4), "first")
    b = person(
        other,
        stances.stance("hugging", -1, lean=-bow if other.height > one.height else -4, under=(False, True)),
        "second",
    )
    return group("two people hugging", (b, gap, 0), (a, -gap, 0))


def cane_user(look: Look, facing: int = 1) -> Prop:
    """Somebody old on a stick, a little bent."""
    stick = Prop(
        "walking stick",
        14,
        look.height * 0.5,
        stroke(f"M7 {look.height * 0.5 - 1:.0f}V10Q7 3 {7 + 5 * facing} 4", dark(WOOD, 0.4), 2.6),
    )
    hand, held = Reach(facing * look.height * 0.17, look.height * 0.46), Held(stick, (7, 8))
    if facing < 0:
        pose = stances.stance("strolling", -1, lean=-10, right=hand)
        return person(look, pose, "person with a stick", right=held)
    return person(look, stances.stance("strolling", 1, lean=10, left=hand), "person with a stick", left=held)
