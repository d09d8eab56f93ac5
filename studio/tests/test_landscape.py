"""Mirrored outlines, leafy outlines, light of the hour, things on anchors."""

import re

import pytest

from studio.drawing import kit
from studio.drawing.country.cords import on, with_cord
from studio.drawing.country.landscape import HOURS, scallop, tinted
from studio.drawing.country.lawns import back_garden, lawn_park
from studio.drawing.country.meadows import farmyard, hayfield, woods
from studio.drawing.country.mirror import facing, mirrored
from studio.drawing.country.snow import frozen_pond, snowfield
from studio.drawing.country.waters import lake, seaside
from studio.drawing.country.zoo_grounds import zoo
from studio.drawing.kit import Prop, box, oval, poly
from studio.drawing.scene import Placed, Scene, Setting

OUTLINES = [
    "M0 0L10 0L10 4z",
    "M1 2q3 4 5 0t5 0",
    "M0 0C1 2 3 4 5 6S7 8 9 9z",
    "M2 2h6v3H2z",
    oval(4, 5, 3, 2),
    box(1, 1, 6, 4, 1),
]


def bounds(d):
    return kit._bounds(d)


@pytest.mark.parametrize("d", OUTLINES)
def test_an_outline_in_a_mirror_fills_the_mirrored_box(d):
    x0, y0, x1, y1 = bounds(d)
    assert bounds(mirrored(d, 20)) == pytest.approx((20 - x1, y0, 20 - x0, y1))


@pytest.mark.parametrize("d", OUTLINES)
def test_a_mirror_in_a_mirror_shows_the_outline_itself(d):
    assert bounds(mirrored(mirrored(d, 20), 20)) == pytest.approx(bounds(d))


def test_facing_left_leaves_outlines_alone_and_facing_right_turns_them():
    d = poly((0, 0), (4, 0), (4, 2))
    assert facing(10, -1)(d) == d
    assert bounds(facing(10, 1)(d)) == pytest.approx((6, 0, 10, 2))


def test_a_leafy_outline_stays_near_its_oval_and_depends_on_its_seed_alone():
    d = scallop(50, 40, 30, 20, 11, seed=3)
    x0, y0, x1, y1 = bounds(d)
    assert 0 < x0 < 30 and 70 < x1 < 100 and 0 < y0 < 26 and 54 < y1 < 80
    assert d == scallop(50, 40, 30, 20, 11, seed=3) != scallop(50, 40, 30, 20, 11, seed=4)


@pytest.mark.parametrize("place", [back_garden, farmyard, lake, lawn_park, seaside, snowfield, woods, zoo])
@pytest.mark.parametrize("hour", HOURS)
def test_every_place_can_be_seen_at_every_hour(place, hour):
    setting = place(hour)
    assert HOURS[hour].top in setting.body
    assert setting.front.endswith(tinted(hour))


@pytest.mark.parametrize("place", [frozen_pond, hayfield, lake, seaside, snowfield, woods, zoo])
def test_the_camera_decides_the_scale(place):
    low, high = place(horizon=200, eye=100), place(horizon=200, eye=200)
    assert low.scale(400) == 2 * high.scale(400) == 2


def test_a_thing_lies_with_its_grip_on_the_anchor_at_the_scale_of_its_base():
    base = Placed(Prop("base", 20, 40, "", {"hand": (15, 10)}), 300, 500)
    scene = Scene("s", Setting("field", "", horizon=300, eye=100), (base,))
    thing = on(scene, base, "hand", Prop("thing", 8, 6, "", {"grip": (2, 5)}), (2, 5), 1)
    assert scene.scale(thing) == scene.scale(base)
    assert scene.at(thing, "grip") == pytest.approx(scene.at(base, "hand"), abs=1)


def test_a_cord_runs_between_its_ends_under_the_light_of_the_hour():
    scene = Scene("s", Setting("field", "", horizon=300, eye=100, front="<dusk/>"))
    front = with_cord(scene, (10, 20), (110, 60), "#D8483A", 3, 8).setting.front
    assert re.search(r"M10 20Q60 48 110 60", front) and front.endswith("<dusk/>")
