"""Names in a field of models never overlap, whatever the models and the width."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mossbench.look.field import (
    DOT,
    HEIGHT,
    LETTER,
    LINE,
    NARROW,
    WIDE,
    Box,
    NamedDot,
    axis_across,
    axis_down,
    place_names,
)

SHARES = st.one_of(st.floats(0, 1), st.sampled_from([0.0, 0.05, 0.95, 1.0]))
MODELS = st.lists(st.tuples(st.text("abc/?=.", min_size=1, max_size=60), SHARES, SHARES), min_size=1, max_size=25)


def boxes(points, names, width):
    for (_, x, y), name in zip(points, names, strict=True):
        yield ("dot", x * width - DOT, x * width + DOT, y - DOT, y + DOT)
        if name:
            size, at = LETTER * len(name.text), x * width + name.dx
            left = at - size if name.ends_at_dx else at
            yield ("name", left, left + size, y + name.dy - LINE / 2, y + name.dy + LINE / 2)


@pytest.mark.slow
@settings(max_examples=80, deadline=None)
@given(MODELS, st.sampled_from([WIDE, NARROW]), st.floats(0, 1))
def test_no_name_meets_a_dot_or_another_name_or_leaves_the_drawing(models, widths, between):
    points = [NamedDot(name, x, (1 - y) * HEIGHT) for name, x, y in models]
    names = place_names(points, widths)
    width = widths[0] + between * (widths[1] - widths[0])
    drawn_boxes = list(boxes(points, names, width))
    for i, (kind, left, right, top, bottom) in enumerate(drawn_boxes):
        if kind == "dot":
            continue
        assert left > -5 and right < width + 9
        for j, (_, left_, right_, top_, bottom_) in enumerate(drawn_boxes):
            own = j == i - 1  # a name may stand as near to its own dot as it likes
            clear = right <= left_ or right_ <= left or bottom <= top_ or bottom_ <= top
            assert i == j or own or clear


def test_few_models_all_have_names_and_crowded_ones_those_that_matter():
    few = [NamedDot(f"model-{i}", 0.1 * i, 20.0) for i in range(8)]
    assert all(place_names(few, WIDE)) and all(place_names(few, NARROW))
    many = [NamedDot(f"model-{i}", 0.5, 180.0) for i in range(60)]
    names = place_names(many, NARROW, important=[59])
    assert names[59] and None in names


@pytest.mark.parametrize(("highs", "top"), [([0.03], 10), ([0.11, 0.4], 40), ([0.95], 100), ([1.0], 100), ([], 100)])
def test_the_axis_has_zero_and_all_of_every_interval(highs, top):
    assert axis_across(highs)[0] == top and axis_across(highs)[0] % axis_across(highs)[1] == 0


NAN = float("nan")


@pytest.mark.parametrize(
    ("lows", "bottom"), [([0.9, 0.76], 75), ([0.9, 0.74], 50), ([0.49, 0.99], 0), ([NAN, 0.8], 75)]
)
def test_models_that_are_all_safe_have_the_height_to_themselves(lows, bottom):
    assert axis_down(lows)[0] == bottom and (100 - bottom) % axis_down(lows)[1] == 0


@pytest.mark.parametrize("widths", [WIDE, NARROW])
def test_a_name_stands_beside_its_interval_and_without_room_on_it(widths):
    band = Box(0.35, 0.9, 0, 0, 176.0, 184.0)
    [name] = place_names([NamedDot("model", 0.6, 180.0)], widths, bands=[band])
    assert name and abs(name.dy) >= LINE
    [name] = place_names([NamedDot("model", 0.6, 180.0)], widths, bands=[Box(0, 1, 0, 0, 0, HEIGHT)])
    assert name and name.dy == 0


def test_names_lose_their_providers_together():
    dots = [NamedDot("lab/a", 0.2, 50.0), NamedDot("lab/" + "b" * 19, 0.05, 200.0)]
    assert [name.text for name in place_names(dots, NARROW)] == ["a", "b" * 19]
    assert [name.text for name in place_names(dots[:1], NARROW)] == ["lab/a"]


def test_a_name_that_is_too_long_without_its_provider_loses_its_middle():
    [name] = place_names([NamedDot(f"lab/{'a' * 15}{'b' * 15}", 0.1, 50.0)], NARROW)
    assert name.text == "a" * 10 + "…" + "b" * 9
