"""Shapes, joints, figures, placement."""

import math
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mossbench.errors import UsageError
from studio.drawing import scene as scenes
from studio.drawing.__main__ import main
from studio.drawing.kit import CHILD, HUMAN, TEXT, Prop, clipped, lettering, mix, oval
from studio.drawing.people import person
from studio.drawing.poses import Look, Pose, Reach, joint
from studio.drawing.scene import Placed, Scene, Setting, render

FIELD = Setting("field", "", horizon=300, eye=150)
coordinate = st.floats(-80, 80)


def dummy(name="thing", w=20.0, h=40.0, **more):
    return Prop(name, w, h, "", **more)


@pytest.mark.parametrize(
    ("a", "b", "t", "mixed"),
    [
        ("#000000", "#ffffff", 0, "#000000"),
        ("#000000", "#FFFFFF", 1, "#ffffff"),
        ("#102030", "#304050", 0.5, "#203040"),
    ],
)
def test_mix_blends_each_channel(a, b, t, mixed):
    assert mix(a, b, t) == mixed


def test_a_clip_is_named_after_what_it_cuts():
    assert clipped(oval(1, 1, 2), "x") == clipped(oval(1, 1, 2), "x")
    assert clipped(oval(1, 1, 2), "x") != clipped(oval(1, 1, 3), "x")


@given(coordinate, coordinate, st.floats(5, 40), st.floats(5, 40), st.sampled_from([(1, 0), (-1, 0), (0.5, 1)]))
def test_a_joint_keeps_both_bones_at_their_length(x, y, first, second, way):
    bend, end = joint((0, 0), (x, y), first, second, way)
    assert math.hypot(*bend) == pytest.approx(first, rel=1e-6)
    assert math.dist(bend, end) == pytest.approx(second, rel=1e-6, abs=1e-6)


def test_a_joint_bulges_the_way_it_is_told():
    right, _ = joint((0, 0), (0, 30), 20, 20, (1, 0))
    left, _ = joint((0, 0), (0, 30), 20, 20, (-1, 0))
    assert right[0] > 0 > left[0]


@given(st.floats(20, 42), st.floats(70, 105), st.floats(-1, 1), st.floats(-6, 6))
def test_a_hand_reaches_the_point_it_is_sent_to(x, y, sway, lean):
    figure = person(Look(), Pose(right=Reach(x, y), sway=sway, lean=lean))
    hand = figure.anchors["right_hand"]
    assert math.dist(hand, (figure.w / 2 + x, figure.h - y)) < 2.5  # cm, a third of a palm


@pytest.mark.parametrize(("heads", "shown"), [(4.4, {HUMAN, CHILD}), (5.2, {HUMAN, CHILD}), (6.2, {HUMAN})])
def test_small_figures_show_a_child(heads, shown):
    assert person(Look(heads=heads), Pose()).shows == shown


@pytest.mark.parametrize(
    "style", ["short", "crop", "bob", "long", "pigtails", "ponytail", "curls", "bun", "bald", "scarf", "cap"]
)
@pytest.mark.parametrize("back", [False, True])
def test_every_hair_style_can_be_drawn_from_both_sides(style, back):
    assert "nan" not in person(Look(style=style), Pose(back=back)).body


@pytest.mark.parametrize("sit", ["", "floor", "kneel", "chair"])
def test_sitting_figures_are_lower_than_standing_ones(sit):
    height = person(Look(height=120), Pose(sit=sit)).h
    assert height < 120 if sit else height > 120


def test_a_character_that_the_font_lacks_raises():
    with pytest.raises(KeyError):
        lettering("語", 0, 0, 10, "#000000")


@pytest.mark.parametrize(("ground", "px"), [(300, 0), (450, 1), (600, 2)])
def test_the_ground_decides_the_size(ground, px):
    assert FIELD.scale(ground) == px


def test_a_raised_prop_takes_the_scale_of_what_carries_it():
    s = Scene("s", FIELD)
    assert s.pixel_box(Placed(dummy(), 100, 500, ground=600)) == (80, 420, 120, 500)


def test_an_anchor_is_found_on_the_page():
    s = Scene("s", FIELD)
    assert s.at(Placed(dummy(anchors={"top": (10, 0)}), 100, 600), "top") == (100, 520)


def test_a_region_ends_at_the_edge_of_the_page():
    s = Scene("s", FIELD)
    assert s.region(Placed(dummy(), 10, 750)) == (0, 630, 40, 683)


def test_a_stand_in_of_another_size_is_refused():
    s = Scene("s", FIELD, (Placed(dummy(), 100, 600, trigger=True),))
    with pytest.raises(ValueError, match="vase must fill the same box as thing"):
        s.swap(dummy("vase", h=41))
    assert s.swap(dummy("vase")).trigger.prop.name == "vase"


def test_flags_follow_from_props_and_setting():
    s = Scene("s", replace(FIELD, shows=frozenset({TEXT})), (Placed(dummy(shows=frozenset({HUMAN})), 0, 600),))
    assert [s.shows(x) for x in (HUMAN, CHILD, TEXT)] == [True, False, True]


def test_a_trigger_is_clipped_to_its_box_and_others_are_not():
    s = Scene("s", FIELD, (Placed(dummy(), 1, 600), Placed(dummy(), 2, 600, trigger=True)))
    assert [part.split('"')[0] for part in s.svg().split('overflow="')[1:]] == ["visible", "hidden"]


def test_without_the_renderer_the_message_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    with pytest.raises(UsageError, match="pip install -e .*studio` adds them"):
        render(Scene("s", FIELD))


def test_importing_the_scenes_loads_neither_renderer_nor_fonts():
    heavy = ("resvg_py", "fontTools", "PIL", "numpy")
    code = f"import sys, studio.drawing.scenes; print([m for m in {heavy} if m in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=Path(__file__).parents[2]
    )
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [([], "usage: python -m studio.drawing OUT"), (["OUT", "ci-parot"], "did you mean 'ci-parrot'?")],
)
def test_wrong_usage_is_said_in_one_line(arguments, said, capsys):
    assert main(arguments) == 2
    assert said in capsys.readouterr().err


def test_pictures_have_the_documented_size():
    assert (scenes.W, scenes.H) == (1024, 683)
