"""Ready poses: `person(Look(...), stances.running(-1, mouth="laugh"))`.

Side poses take `facing`: 1 to the viewer's right, -1 to the left. In a figure that faces right the near arm is the left
one, in one that faces left the right one. Any field of Pose can be given besides and wins.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from studio.drawing.poses import Pose, Touch, mirrored

_SIDE: dict[str, Pose] = {  # all face right
    "walking": Pose(facing=0.8, turn=0.9, lean=3, thighs=((26, 8), (-14, -36)), left=(-24, -6), right=(28, 44)),
    "strolling": Pose(facing=0.5, turn=0.5, lean=1, thighs=((14, 4), (-10, -24)), left=(-16, -2), right=(18, 30)),
    "marching": Pose(facing=1, turn=1, thighs=((74, -8), (-4, -8)), left=(-34, -10), right=(40, 110), hands=("grip",
        "grip")),
    "running": Pose(
        facing=0.9, turn=0.9, lean=14, tilt=4, thighs=((62, -22), (-26, -92)), left=(-48, 38), right=(42, 128),
        air=0.22,
        mouth="laugh", hands=("grip", "grip"),
    ),
    "jumping": Pose(
        facing=0.4, turn=0.4, lean=-4, tilt=-4, thighs=((34, -50), (-16, -78)), left=(-128, -150), right=(128, 158),
        air=0.7,
        mouth="laugh", hands=("open", "open"),
    ),
    "kicking": Pose(facing=0.8, turn=0.8, lean=-12, thighs=((-6, -16), (62, 34)), left=(-52, -30), right=(58, 74),
        hands=("open", "open")),
    "throwing": Pose(facing=0.7, turn=0.8, lean=-8, thighs=((-20, -26), (26, 4)), left=(-128, -168), right=(70, 84),
        hands=("grip", "open")),
    "climbing": Pose(facing=0.8, turn=0.8, nod=-0.4, lean=6, thighs=((6, -4), (78, -4)), left=(140, 168), right=(120,
        172), hands=("grip", "grip")),
    "sitting_side": Pose(facing=1, turn=1, lean=-4, thighs=((81.1, 4), (82, -24)), left=(14, 66), right=(20, 74)),
    "sitting_half": Pose(facing=0.6, turn=0.6, lean=-2, thighs=((66.3, -2), (70, -28)), left=(2, 62), right=(24, 48)),
    "reclining": Pose(facing=0.9, turn=0.9, lean=-32, tilt=-16, thighs=((86, 28), (70.4, 10)), left=(-10, 56), right=(0,
        60)),
    "sitting_legs_out": Pose(facing=0.9, turn=0.9, lean=-10, thighs=((153, 32.5), (86, 92)), left=(-26, -14), right=(30,
        62), hands=("flat", "rest")),
    "hugging_knees": Pose(facing=0.9, turn=0.8, lean=10, thighs=((132, -38), (126, -32)), left=(40, 62), right=(44,
        66)),
    "kneeling_side": Pose(facing=0.9, turn=0.9, lean=8, nod=0.2, thighs=((12, -88), (22, -86)), left=(24, 58),
        right=(34, 66)),
    "sitting_on_heels": Pose(facing=0.9, turn=0.9, lean=4, nod=0.2, thighs=((72, -88), (80, -86)), left=(20, 62),
        right=(30, 66)),
    "on_one_knee": Pose(facing=0.9, turn=0.9, lean=8, nod=0.2, thighs=((86, -2), (-4, -90)), left=(28, 62), right=(36,
        72)),
    "crouching": Pose(facing=0.9, turn=0.9, lean=26, tilt=8, nod=0.2, thighs=((112, -36), (98, -40)), left=(20, 46),
        right=(36, 58)),
    "bending": Pose(facing=0.95, turn=0.9, lean=68, tilt=34, nod=0.2, thighs=((8, -12), (2, -16)), left=(2, 10),
        right=(16, 8)),
    "stooping": Pose(facing=0.9, turn=0.9, lean=32, tilt=16, nod=0.3, thighs=((12, -8), (-4, -16)), left=(14, 44),
        right=(26, 54)),
    "crawling": Pose(facing=1, turn=1, lean=78, tilt=12, nod=-0.2, thighs=((4, -84), (26, -80)), left=(-28, 34),
        right=(46, 8), hands=("flat", "flat")),
    "lying": Pose(facing=0.9, turn=0.9, lean=-88, tilt=-80, thighs=((126, 52), (92, 90)), left=(70, 118), right=(70,
        100), mouth="calm"),
    "sleeping": Pose(facing=0.9, turn=0.6, lean=-88, tilt=-82, thighs=((116, 55.68), (94, 88)), left=(92, 120),
        right=(70, 100), mouth="asleep", eyes="shut"),
    "lying_on_front": Pose(facing=1, turn=1, lean=70, tilt=6, thighs=((-88, -150), (-92, -128)), left=(16, 78),
        right=(28, 84)),
    "swimming": Pose(facing=1, turn=0.9, lean=84, tilt=20, thighs=((-84, -98), (-98, -84)), left=(128, 92), right=(20,
        -40), hands=("flat", "flat")),
    "carrying": Pose(facing=0.6, turn=0.7, lean=-7, thighs=((16, 0), (-12, -28)), left=(-2, 82), right=(10, 88),
        hands=("cup", "cup")),
    "pushing": Pose(facing=0.8, turn=0.9, lean=10, thighs=((26, 6), (-18, -36)), left=(32, 68), right=(38, 72),
        hands=("grip", "grip")),
    "pulling": Pose(facing=0.8, turn=0.6, lean=16, thighs=((30, -4), (-14, -40)), left=(-46, -62), right=(28, 60),
        hands=("grip", "rest")),
    "digging": Pose(facing=0.8, turn=0.9, lean=24, tilt=10, nod=0.3, thighs=((28, -6), (-12, -22)), left=(6, 58),
        right=(34, 42), hands=("grip", "grip")),
    "reaching_out": Pose(facing=0.6, turn=0.8, lean=8, thighs=((12, 2), (-10, -18)), left=(62, 78), right=(24, 30),
        hands=("open", "rest")),
    "reaching_down": Pose(facing=0.8, turn=0.9, lean=40, tilt=18, nod=0.4, thighs=((14, -16), (0, -22)), left=(22,
        30), right=(4, 28), hands=("open", "rest")),
    "reaching_high": Pose(facing=0.5, turn=0.7, nod=-0.8, tilt=-8, feet=(-0.2, 0.22), lift=(0.2, 0.2), left=(150,
        168), right=(12, 26), hands=("open", "rest")),
    "hugging": Pose(facing=0.9, turn=0.8, lean=8, tilt=10, thighs=((4, -4), (-8, -14)), left=(42, 112), right=(36,
        96), mouth="smile", eyes="happy"),
    "cycling": Pose(facing=1, turn=1, lean=26, tilt=4, thighs=((74, 6), (44, -24)), left=(46, 62), right=(50, 64),
        hands=("grip", "grip")),
    "leaning": Pose(facing=0.5, turn=0.5, lean=-10, thighs=((4, 16), (10, -6)), left=(-10, 20), right=(30, -50)),
    "typing": Pose(facing=1, turn=1, lean=4, nod=0.2, thighs=((80.5, 3), (80, -26)), left=(24, 78), right=(32, 82),
        hands=("flat", "flat")),
    "playing_piano": Pose(facing=1, turn=1, lean=6, nod=0.3, thighs=((82, 10), (80, -22)), left=(30, 84), right=(40,
        86), hands=("flat", "flat")),
    "stirring": Pose(facing=0.6, turn=0.7, nod=0.4, lean=6, tilt=6, thighs=((8, 2), (-8, -14)), left=(10, 74),
        right=(28, 80), hands=("grip", "rest")),
    "dancing": Pose(facing=0.4, turn=-0.5, lean=-8, tilt=8, thighs=((6, -6), (46, -34)), left=(-92, -142), right=(84,
        128), mouth="laugh", hands=("open", "open")),
    "fencing": Pose(facing=0.8, turn=0.9, lean=8, thighs=((58, -2), (-34, -40)), left=(-120, -60), right=(74, 84),
        hands=("open", "grip")),
    "skating": Pose(facing=0.8, turn=0.8, lean=28, tilt=6, thighs=((34, -8), (-34, -62)), left=(-56, -40), right=(58,
        64), hands=("open", "open")),
    "balancing": Pose(facing=0.3, turn=0.3, thighs=((-2, -2), (42, -48)), left=(-82, -98), right=(82, 98),
        hands=("open", "open")),
    "swinging": Pose(facing=1, turn=1, lean=-18, tilt=-6, thighs=((94, 58), (90, 50)), left=(96, 150), right=(100,
        154), hands=("grip", "grip"), mouth="laugh"),
}  # fmt: skip

_FRONT: dict[str, Pose] = {
    "standing": Pose(sway=0.8, feet=(-0.52, 0.26), left=(-18, 2), right=(16, 4), turn=-0.3, tilt=-4),
    "hands_on_hips": Pose(sway=-0.6, feet=(-0.3, 0.5), left=(-48, 36), right=(48, -36), turn=0.2, tilt=3),
    "arms_crossed": Pose(sway=0.6, feet=(-0.45, 0.3), left=(-6, 82), right=(10, -76), turn=-0.3, tilt=-3),
    "waving": Pose(sway=-0.7, feet=(-0.28, 0.5), left=(-16, 8), right=(118, 168), hands=("rest", "open"), tilt=5,
        mouth="laugh"),
    "cheering": Pose(feet=(-0.5, 0.5), left=(-150, -168), right=(152, 172), hands=("open", "open"), mouth="laugh",
        eyes="happy"),
    "pointing": Pose(sway=-0.6, feet=(-0.3, 0.46), left=(-30, 26), right=(78, 88), turn=0.8, tilt=3, hands=("rest",
        "point")),
    "explaining": Pose(sway=0.6, feet=(-0.46, 0.28), left=(-32, -104), right=(22, 74), turn=-0.4, tilt=-4,
        hands=("open", "flat")),
    "thinking": Pose(sway=-0.7, feet=(-0.28, 0.48), left=(-8, 74), right=Touch(0.14, 0.52), over=(False, True),
        hands=("rest", "grip"), turn=0.4, tilt=6, nod=-0.2, mouth="focus"),
    "phoning": Pose(sway=0.7, feet=(-0.48, 0.28), left=(-14, 10), right=Touch(0.48, 0.14), over=(False, True),
        hands=("rest", "grip"), turn=-0.4, tilt=6),
    "drinking": Pose(sway=0.6, feet=(-0.46, 0.28), left=(-16, 4), right=Touch(0.2, 0.5), over=(False, True),
        hands=("rest", "grip"), turn=0.4),
    "scratching_head": Pose(sway=-0.6, feet=(-0.3, 0.46), left=(-16, 4), right=Touch(0.42, -0.3), over=(False, True),
        hands=("rest", "rest"), turn=-0.3, tilt=8, mouth="focus"),
    "photographing": Pose(sway=0.5, feet=(-0.46, 0.3), left=Touch(-0.24, 0.12), right=Touch(0.28, 0.12), over=(True,
        True), hands=("grip", "grip")),
    "reading": Pose(sway=0.6, feet=(-0.46, 0.28), left=(-10, 58), right=(10, -58), hands=("grip", "grip"), nod=0.8,
        eyes="down", mouth="calm", tilt=-3),
    "shrugging": Pose(feet=(-0.3, 0.42), sway=-0.4, left=(-30, -112), right=(30, 112), hands=("open", "open"), tilt=8,
        mouth="calm"),
    "presenting": Pose(sway=-0.6, feet=(-0.3, 0.46), left=(-14, 6), right=(52, 84), hands=("rest", "flat"), turn=0.3,
        tilt=4),
    "offering": Pose(sway=-0.4, feet=(-0.34, 0.42), left=(-10, 56), right=(10, -56), hands=("cup", "cup")),
    "covering_ears": Pose(left=Touch(-0.46, 0.12), right=Touch(0.46, 0.12), over=(True, True), hands=("flat", "flat"),
        mouth="worry", eyes="shut"),
    "surprised": Pose(sway=0.4, left=Touch(-0.3, 0.55), right=Touch(0.3, 0.55), over=(True, True), hands=("flat",
        "flat"), mouth="o", eyes="wide"),
    "reaching_up": Pose(feet=(-0.22, 0.24), lift=(0.16, 0.16), left=(-14, 8), right=(158, 174), hands=("rest",
        "open"), nod=-0.8, turn=0.4, tilt=-5),
    "holding_up": Pose(sway=0.3, feet=(-0.4, 0.36), left=(-132, 176), right=(132, -176), hands=("grip", "grip"),
        mouth="laugh"),
    "sitting": Pose(sit="chair", left=(-10, 34), right=(10, -34), tilt=-4, turn=-0.2),
    "sitting_reading": Pose(sit="chair", left=(-12, 62), right=(12, -62), hands=("grip", "grip"), nod=0.8,
        eyes="down", mouth="calm"),
    "sitting_cross_legged": Pose(sit="floor", left=(-26, 26), right=(26, -26), tilt=4, turn=0.2),
    "kneeling": Pose(sit="kneel", left=(-20, 30), right=(20, -30), tilt=-4, lean=2),
    "at_table": Pose(sit="chair", left=(-30, 92), right=(30, -92), under=(False, False), hands=("flat", "flat"),
        tilt=-4),
    "from_behind": Pose(back=True, sway=0.7, feet=(-0.46, 0.26), left=(-16, 0), right=(18, 10), tilt=-4),
    "sitting_from_behind": Pose(back=True, sit="chair", left=(-16, 20), right=(16, -20), under=(True, True), tilt=4),
    "waving_from_behind": Pose(back=True, sway=-0.7, feet=(-0.28, 0.46), left=(-14, 2), right=(140, 170),
        hands=("rest", "open"), tilt=5),
}  # fmt: skip

STANCES: tuple[str, ...] = (*_FRONT, *_SIDE)
"""The names of all ready poses; each is also a function of this module."""


def stance(name: str, facing: float = 1, **more: Any) -> Pose:
    """The ready pose of that name, to the right (facing > 0) or the left, with some fields changed."""
    pose = _FRONT.get(name) or _SIDE[name]
    return replace(mirrored(pose) if facing < 0 else pose, **more)


def __getattr__(name: str) -> Callable[..., Pose]:
    """`stances.running(-1)` for `stance("running", -1)`."""
    if name not in STANCES:
        raise AttributeError(f"no ready pose named {name!r}; there are {', '.join(STANCES)}")

    def ready(facing: float = 1, **more: Any) -> Pose:
        return stance(name, facing, **more)

    return ready
