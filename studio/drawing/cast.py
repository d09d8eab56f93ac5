"""The people of the set: who they are, how they hold themselves, what they have in their hands.

Count skins, sexes and ages over all of them when you add one, and keep them even.
"""

from __future__ import annotations

from studio.drawing.country.beach import bucket
from studio.drawing.kit import BLUE, CORAL, CREAM, INK, NAVY, RED, SUN, TEAL, WHITE, Prop
from studio.drawing.leisure.museum import cane
from studio.drawing.leisure.stage import guitar, photo_camera
from studio.drawing.leisure.workshop import marionette
from studio.drawing.people import person
from studio.drawing.poses import Held, Look, Pose, Reach
from studio.drawing.stances import stance

# fmt: off


def building_child() -> Prop:
    return person(
        Look(sex="female", height=112, heads=4.5, skin="#B9754A", hair="#33201C", style="curls", top=SUN,
             bottom="#4C6E9C",
             shoes=RED, sleeve=0.3),
        Pose(left=(-30, 24), right=Reach(41, 47), sit="floor", lean=5, turn=0.6, nod=0.15, tilt=5,
             mouth="laugh", hands=("rest", "flat")),
        "child",
    )


def walking_mother() -> Prop:
    return person(
        Look(sex="female", height=166, heads=6.1, skin="#7A4A31", hair="#241818", style="bun", top="#E08A3C",
             legs="dress",
             shoes="#6B3A2E", dots="#FBE3B0", extra=("earrings",)),
        stance("strolling", left=(-30, -4), right=(22, 16), turn=0.7, tilt=5, under=(False, True)),
        "mother",
    )


def walking_son() -> Prop:
    return person(
        Look(sex="male", height=116, heads=4.6, skin="#8E5838", hair="#2B1B18", style="curls", top=TEAL, legs="shorts",
             bottom="#4C6E9C", shoes=RED, sleeve=0.3),
        Pose(left=(-52, -112), right=(58, 120), feet=(-0.6, 0.5), lift=(0.2, 0), lean=4, turn=0.7, nod=-0.3,
             tilt=-4, mouth="laugh", hands=("grip", "open")),
        "son",
    )


def parrot_girl() -> Prop:
    return person(
        Look(sex="female", height=128, heads=5.0, skin="#F0B58F", hair="#9A4B24", style="pigtails", top="#7E6BB5",
             legs="dress", shoes="#C8553D", sleeve=0.3, dots="#EADFF5"),
        Pose(left=(-34, 38), right=Reach(45, 82), feet=(-0.42, 0.36), sway=-0.8, turn=0.6, tilt=6,
             mouth="laugh", hands=("rest", "flat")),
        "girl",
    )


def castle_girl() -> Prop:
    return person(
        Look(sex="female", height=118, heads=4.7, skin="#6E3F2B", hair="#241818", style="pigtails", top=SUN,
             legs="shorts",
             bottom=CORAL, sleeve=0.3),
        Pose(sit="kneel", left=(-30, 20), right=Reach(40, 44), lean=9, turn=0.6, nod=0.2, tilt=5, mouth="laugh",
             hands=("rest", "flat")),
        "girl",
    )


def bucket_boy() -> Prop:
    return person(
        Look(sex="male", height=104, heads=4.4, skin="#F6C7A4", hair="#9A4B24", style="short", top=BLUE, stripes=CREAM,
             legs="shorts", bottom=NAVY, shoes="#E3A379", sleeve=0.3),
        Pose(left=Reach(-34, 40), right=(34, 58), feet=(-0.6, 0.55), lift=(0, 0.22), lean=-7, turn=-0.8,
             tilt=-5, mouth="laugh"),
        "boy",
        left=Held(bucket(), (12, -5)),
    )


def museum_grandfather() -> Prop:
    return person(
        Look(sex="male", height=172, heads=6.4, skin="#E3A379", hair="#D9D4CE", style="bald", extra=("glasses",
             "moustache"), top=CREAM, jacket="#7A5A6B", bottom="#5B5560", shoes="#4A3A46"),
        Pose(left=(-44, -150), right=Reach(44, 86), sway=0.7, feet=(-0.45, 0.3), turn=-0.5, tilt=-4,
             hands=("open", "rest")),
        "grandfather",
        right=Held(cane(), (7, 8)),
    )


def museum_girl() -> Prop:
    return person(
        Look(sex="female", height=122, heads=5.0, skin="#F2B48C", hair="#33201C", style="ponytail", top=SUN,
             legs="dress",
             shoes=RED),
        Pose(back=True, left=(-140, -158), right=(16, 6), sway=-0.7, feet=(-0.3, 0.42), tilt=-5),
        "girl",
    )


def desk_student() -> Prop:
    return person(
        Look(sex="female", height=158, heads=6.0, skin="#C98E63", hair="#33201C", style="bob", top="#4A5568",
             hood="#4A5568",
             bottom=NAVY, shoes=CREAM),
        Pose(back=True, sit="chair", left=Reach(-30, 92), right=Reach(34, 92), under=(True, True),
             hands=("grip", "grip"), tilt=-4),
        "student",
    )


def teacher() -> Prop:
    return person(
        Look(sex="female", height=164, heads=6.1, skin="#C98E63", hair="#3B6E8F", style="scarf", top="#B5657A",
             legs="trousers", bottom="#4A4458", shoes="#4A3A46"),
        Pose(left=(-46, -128), right=(30, -28), sway=0.8, feet=(-0.5, 0.3), turn=-0.5, tilt=-4, hands=("open",
             "rest")),
        "teacher",
    )


def pupils() -> list[Prop]:
    """Two children at their desks, seen from behind; the first one has a hand up."""
    return [
        person(
            Look(sex="male", height=128, heads=5.1, skin="#8E5838", hair="#241818", style="curls", top=TEAL,
                 bottom=NAVY,
                 shoes=RED),
            Pose(back=True, sit="chair", left=Reach(-26, 76), right=(132, 172), under=(True, False),
                 hands=("grip", "open"), tilt=4),
            "pupil",
        ),
        person(
            Look(sex="female", height=126, heads=5.1, skin="#F6C7A4", hair="#D9A860", style="pigtails", top=CORAL,
                 bottom=NAVY,
                 shoes=RED),
            Pose(back=True, sit="chair", left=Reach(-26, 76), right=Reach(26, 76), under=(True, True),
                 hands=("grip", "grip"), tilt=-5),
            "pupil",
        ),
    ]


def nurse() -> Prop:
    return person(
        Look(sex="female", height=168, heads=6.3, skin="#8E5838", hair="#33201C", style="bun", top="#8CC5C0",
             bottom="#8CC5C0", shoes=WHITE, sleeve=0.3, extra=("earrings",)),
        Pose(left=(-30, 26), right=Reach(42, 112), sway=-0.7, feet=(-0.3, 0.45), turn=0.6, tilt=4, mouth="calm",
             hands=("rest", "open")),
        "nurse",
    )


def pram_father() -> Prop:
    return person(
        Look(sex="male", height=178, heads=6.5, skin="#F2B48C", hair="#5A3425", style="short", extra=("beard",),
             top="#D98F5A", bottom="#4C5A78", shoes="#5B3A2E"),
        Pose(left=Reach(-40, 92), right=Reach(-16, 96), sway=0.6, feet=(-0.4, 0.35), turn=-0.7, tilt=-3,
             hands=("grip", "grip")),
        "father",
    )


def baking_grandmother() -> Prop:
    return person(
        Look(sex="female", height=162, heads=6.1, skin="#F0BE9C", hair="#D9D4CE", style="bun", extra=("glasses",),
             top="#B5657A", apron=CREAM, bottom=NAVY),
        Pose(left=(-24, 30), right=Reach(54, 92), lean=5, turn=0.6, nod=0.3, tilt=5, hands=("rest", "flat")),
        "grandmother",
    )


def baking_boy() -> Prop:
    return person(
        Look(sex="male", height=122, heads=4.8, skin="#C98E63", hair="#33201C", style="short", top=TEAL, stripes=CREAM,
             bottom=NAVY),
        Pose(left=Reach(-34, 92), right=(46, 152), turn=-0.5, nod=0.2, tilt=-6, mouth="laugh", hands=("rest",
             "open")),
        "boy",
    )


def singer() -> Prop:
    return person(
        Look(sex="female", height=168, heads=6.3, skin="#8E5838", hair="#241818", style="curls", top=SUN, legs="dress",
             shoes=RED, sleeve=0.3, extra=("earrings",)),
        Pose(left=Reach(-30, 128), right=(62, 140), sway=-0.8, feet=(-0.3, 0.5), turn=-0.4, tilt=-6,
             mouth="laugh", hands=("grip", "open")),
        "singer",
    )


def guitarist() -> Prop:
    return person(
        Look(sex="male", height=176, heads=6.4, skin="#E3A379", hair="#9A4B24", style="short", extra=("beard",),
             top="#3F5A86", bottom="#3A3550", shoes=INK),
        Pose(left=Reach(-22, 92), right=Reach(34, 122), sway=0.7, feet=(-0.5, 0.35), turn=-0.5, tilt=-6,
             hands=("grip", "grip")),
        "guitarist",
        left=Held(guitar(), (20, 76), 62),
    )


def photographer() -> Prop:
    return person(
        Look(sex="female", height=166, heads=6.2, skin="#F2B48C", hair="#5A3425", style="ponytail", top=TEAL,
             jacket="#6B5B4A", bottom=NAVY, shoes=INK),
        Pose(left=Reach(22, 138), right=Reach(30, 146), turn=0.9, lean=5, tilt=5, under=(True, False),
             hands=("grip", "grip")),
        "photographer",
        right=Held(photo_camera(), (8, 12)),
    )


def listeners() -> list[Prop]:
    """Three of the audience from behind; two wave."""
    who = (
        ("female", "#C98E63", "#33201C", "long", "#5A4A86", -5, (-150, -170), (14, 4)),
        ("male", "#6E3F2B", "#241818", "crop", "#4A6A8A", 4, (-14, -4), (14, 4)),
        ("female", "#F6C7A4", "#D9A860", "bob", "#8A4A6A", -3, (-14, -4), (150, 170)),
    )
    return [
        person(
            Look(sex=sex, height=172, heads=6.2, skin=skin, hair=hair, style=style, top=top),
            Pose(back=True, tilt=tilt, left=left, right=right, hands=("open", "open")),
            "listener",
        )
        for sex, skin, hair, style, top, tilt, left, right in who
    ]


def puppet_maker() -> Prop:
    return person(
        Look(sex="male", height=174, heads=6.4, skin="#6E3F2B", hair="#8C8690", style="crop", extra=("glasses",),
             top="#C9803F", apron="#4C6272", bottom="#5B5560", shoes="#4A3A46"),
        Pose(left=(-30, 20), right=Reach(46, 132), sway=-0.6, feet=(-0.35, 0.4), turn=0.6, tilt=4),
        "puppet maker",
        right=Held(marionette(), (28, 6)),
    )


def workshop_boy() -> Prop:
    return person(
        Look(sex="male", height=118, heads=4.7, skin="#B9754A", hair="#241818", style="curls", top=SUN, legs="shorts",
             bottom="#4C6E9C", shoes=RED, sleeve=0.3),
        Pose(left=(-58, -132), right=(24, -20), sway=0.7, feet=(-0.45, 0.3), turn=-0.7, nod=-0.1, tilt=-5,
             mouth="laugh", hands=("open", "rest")),
        "boy",
    )
