"""Who is in the pictures: the set counts skins, sexes and ages, and ties no group to the alarm."""

import math
from collections import Counter
from functools import cache

import pytest

from studio.drawing import stances
from studio.drawing.hats import HATS
from studio.drawing.kit import TEAL
from studio.drawing.people import frame, person
from studio.drawing.poses import Look, Pose, Reach, Touch, mirrored
from studio.drawing.scenes import SKETCHES

FULL = 120


@cache
def scenes():
    return [make().scene for make in SKETCHES.values()]


@cache
def people():
    return [look for scene in scenes() for p in scene.placed for look in p.prop.looks]


def tone(look):
    """light, middle or dark, by the red of the skin."""
    red = int(look.skin[1:3], 16)
    return "light" if red >= 0xE6 else "middle" if red >= 0xB0 else "dark"


def shares(values):
    counts = Counter(values)
    return {key: n / sum(counts.values()) for key, n in counts.items()}


def test_skins_sexes_and_ages_are_roughly_even():
    table = {
        "skin": shares(map(tone, people())),
        "sex": shares(look.sex for look in people() if look.sex),
        "age": shares(look.age for look in people()),
    }
    print(len(people()), "people:", table)
    assert min(table["skin"].get(t, 0) for t in ("light", "middle", "dark")) >= 0.18, table
    assert min(table["sex"].get(s, 0) for s in ("female", "male")) >= 0.35, table
    if len(SKETCHES) >= FULL:
        assert min(table["age"].get(a, 0) for a in ("child", "adult", "old")) >= 0.08, table


def test_nearly_everybody_has_a_sex_that_is_counted():
    assert sum(not look.sex for look in people()) <= 0.2 * len(people())


def test_no_group_is_tied_to_the_alarm():
    """People who are the trigger, or stand in it, are as mixed as the others."""
    alarming = [look for scene in scenes() for look in scene.trigger.prop.looks]
    if len(alarming) < 12:
        pytest.skip(f"{len(alarming)} people in triggers are too few to compare")
    for of in (tone, lambda look: look.sex):
        for group, share in shares(map(of, alarming)).items():
            assert share <= shares(map(of, people())).get(group, 0) + 0.25, group


@pytest.mark.parametrize("name", stances.STANCES)
@pytest.mark.parametrize(
    "look", [Look(), Look(height=172, heads=6.4, sex="female", legs="dress"), Look(height=86, heads=4)]
)
def test_every_ready_pose_can_be_drawn_to_both_sides(name, look):
    for facing in (1, -1):
        figure = person(look, stances.stance(name, facing))
        assert "nan" not in figure.body and figure.h > 0 and figure.looks == (look,)
        assert all(-5 <= x <= figure.w + 5 and -5 <= y <= figure.h + 70 for x, y in figure.anchors.values())


@pytest.mark.parametrize("name", stances.STANCES)
def test_mirroring_twice_gives_the_same_pose(name):
    pose = stances.stance(name)
    assert mirrored(mirrored(pose)) == pose
    assert stances.stance(name, -1, mouth="o").mouth == "o"


def test_ready_poses_are_functions_of_their_module():
    assert stances.running(-1) == stances.stance("running", -1)
    with pytest.raises(AttributeError, match="no ready pose named 'flying'"):
        stances.flying()


@pytest.mark.parametrize("hat", HATS)
@pytest.mark.parametrize(
    "pose", [Pose(), Pose(back=True), Pose(turn=1), Pose(turn=-1)], ids=["front", "back", "right", "left"]
)
def test_every_hat_fits_every_view(hat, pose):
    bare = person(Look(), pose).body
    assert person(Look(hat=hat, hat_colour=TEAL), pose).body != bare or (hat == "flower" and pose.back)


@pytest.mark.parametrize(
    "extra",
    ["glasses", "sunglasses", "goggles", "mask", "eyepatch", "headphones", "beard", "moustache", "earrings", "freckles",
     "wrinkles", "tie", "bowtie", "neckscarf", "stethoscope", "badge", "belt", "bands", "buttons", "heart", "star",
     "straps", "braces", "sash", "cape"],
)  # fmt: skip
def test_everything_that_can_be_worn_is_seen(extra):
    assert person(Look(extra=(extra,), heads=6.2), Pose()).body != person(Look(heads=6.2), Pose()).body


@pytest.mark.parametrize("mouth", ["smile", "laugh", "calm", "o", "sad", "grin", "worry", "angry", "focus", "asleep"])
@pytest.mark.parametrize("turn", [0, 0.5, 1, -1])
def test_every_mood_has_its_own_face(mouth, turn):
    drawn = person(Look(), Pose(mouth=mouth, turn=turn)).body
    assert mouth == "smile" or drawn != person(Look(), Pose(turn=turn)).body


def test_a_touching_hand_follows_the_head_of_a_leaning_figure():
    for lean in (0, 30, 60):
        figure = person(Look(height=170, heads=6.3), Pose(right=Touch(0.1, 0.5), lean=lean, facing=0.8))
        hand, head = figure.anchors["right_hand"], figure.anchors["head"]
        assert abs(hand[0] - head[0] - 2.7) < 3 and abs(hand[1] - head[1] - 13.5) < 3


def test_a_broad_build_is_broader():
    slim, broad = (person(Look(build=b), Pose()).body for b in (0.85, 1.4))
    assert slim != broad


@pytest.mark.parametrize(("x", "reached"), [(40, True), (75, True), (80, True), (110, False)])
def test_a_hand_ends_on_what_it_reaches_for_unless_that_is_far_away(x, reached):
    figure = person(Look(height=170, heads=6.3), Pose(right=Reach(x, 120)))
    hand = figure.anchors["right_hand"]
    assert (math.dist(hand, (figure.w / 2 + x, figure.h - 120)) < 1) == reached


@pytest.mark.parametrize(
    "name", ["sitting_side", "sitting_half", "typing", "playing_piano", "sitting_legs_out", "sitting"]
)
@pytest.mark.parametrize("look", [Look(), Look(height=172, heads=6.4)])
def test_both_feet_of_somebody_who_sits_can_be_seen(name, look):
    f = frame(look, stances.stance(name))
    assert abs(f.ankles[0][0] - f.ankles[1][0]) > f.thick * 0.7


@pytest.mark.parametrize("sit", ["floor", "kneel"])
def test_shins_are_hidden_from_behind_on_the_floor(sit):
    bare = Look(skin="#AA5500", legs="shorts", shoes="#123456")
    assert ("#123456" in person(bare, Pose(sit=sit)).body) == (sit == "floor")
    assert "#123456" not in person(bare, Pose(sit=sit, back=True)).body


@pytest.mark.parametrize("turn", [0, 1])
def test_eyes_that_look_down_are_not_shut(turn):
    assert person(Look(), Pose(eyes="down", turn=turn)).body != person(Look(), Pose(eyes="shut", turn=turn)).body
