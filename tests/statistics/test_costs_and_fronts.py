"""Costs over base rates, the Pareto front, and correlations of noisy rates."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mossbench.statistics import corrected_spearman, cost_curve, front, front_shares, spearman, wilson

RATES = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=1, max_size=8)


def curve(alarms=(10, 100), hits=(80, 100), ratio=5.0, bases=(0.1,)):
    return cost_curve(wilson(*alarms), wilson(*hits), ratio=ratio, base_rates=bases)


def test_costs_are_those_of_the_worked_number():
    found = curve()
    (point,) = found.points
    assert (point.cost.value, point.never, point.always) == pytest.approx((190, 500, 900))
    assert found.better == pytest.approx((0.125 / 5.125, 4.5 / 9.5))
    assert point.cost.low < 190 < point.cost.high and point.cost.n == 200


def test_inside_the_range_and_only_there_it_costs_less_than_always_and_never():
    low, high = curve().better
    bases = (low * 0.99, low * 1.01, high * 0.99, high * 1.01)
    costs = curve(bases=bases).points
    assert [p.cost.value < min(p.never, p.always) for p in costs] == [False, True, True, False]


def test_what_is_shown_lies_inside_what_is_estimated_and_grows_with_the_rows():
    few, many = curve(), curve((100, 1000), (800, 1000))
    assert few.better[0] < few.shown[0] < few.shown[1] < few.better[1]
    assert many.shown[0] < few.shown[0] and many.shown[1] > few.shown[1]


@pytest.mark.parametrize("hits", [(10, 100), (5, 100)])
def test_a_model_that_does_not_tell_the_sides_apart_is_worth_its_while_nowhere(hits):
    assert curve(hits=hits).better is None and curve(hits=hits).shown is None


def test_a_model_without_misses_is_better_up_to_the_end():
    assert curve(hits=(100, 100)).better[1] == 1.0


def test_costs_of_nothing_are_nan():
    (point,) = curve(alarms=(0, 0)).points
    assert math.isnan(point.cost.value) and curve(alarms=(0, 0)).better is None


def test_the_front_holds_who_is_beaten_by_nobody():
    assert front([1, 2, 2], [5, 6, 5]).tolist() == [True, True, False]
    assert front([1, 1, math.nan], [5, 5, 9]).tolist() == [True, True, False]


@given(RATES)
def test_everybody_off_the_front_is_beaten_by_somebody_on_it(points):
    low, high = np.array(points, dtype=float).T
    on = front(low, high)
    assert on.any()
    for i in np.flatnonzero(~on):
        assert any(low[j] <= low[i] and high[j] >= high[i] for j in np.flatnonzero(on))


def test_membership_of_the_front_is_certain_only_where_the_rows_make_it_so():
    ids = list(range(40))
    low = np.array([[0] * 40, [1] * 10 + [0] * 30, [0] * 29 + [1] * 11])
    high = np.array([[1] * 40, [1] * 20 + [0] * 20, [1] * 40])
    shares = front_shares(low, high, ids, ids, rng=np.random.default_rng(1))
    assert shares[0] == 1 and shares[1] < 0.01 and shares[2] < 0.01
    even = front_shares(low[1:], high[[0, 0]], ids, ids, rng=np.random.default_rng(1))
    assert 0.3 < even[1] < even[0] < 0.8


def test_a_scene_is_drawn_whole():
    low, high = np.array([[0, 0, 1, 1], [1, 1, 0, 0]]), np.ones((2, 4))
    alone, together = (front_shares(low, high, ids, ids, rng=np.random.default_rng(0)) for ids in ("abcd", "aabb"))
    assert alone[0] == pytest.approx(11 / 16, abs=0.03)  # of 4 draws at least 2 from the right half
    assert together[0] == pytest.approx(3 / 4, abs=0.03)  # of 2 draws not both the wrong one
    nothing = np.ones((2, 0))
    assert np.isnan(front_shares(nothing, nothing, [], [], rng=np.random.default_rng(0))).all()


def test_the_corrected_correlation_is_divided_by_the_root_of_both_reliabilities():
    values, errors = np.array([1.0, 2, 3, 4, 5]), np.full(5, math.sqrt(0.5))  # variance 2.5, noise 0.5: 0.8
    other = np.array([2.0, 1, 4, 5, 3])
    found = corrected_spearman(values, other, errors, np.zeros(5))
    assert found.value == pytest.approx(spearman(values, other).value / math.sqrt(0.8))
    assert "0.80 and 1.00" in found.method
    assert math.isnan(corrected_spearman(values, other, np.full(5, 1.6), np.zeros(5)).value)  # nothing but noise


@pytest.mark.slow
def test_correction_takes_most_of_the_pull_towards_zero_away():
    rng = np.random.default_rng(3)
    truth, plain, corrected = [], [], []
    for _ in range(300):
        x = rng.normal(0, 1, 30)
        y = 0.7 * x + rng.normal(0, 0.7, 30)
        noisy = [v + rng.normal(0, 0.7, 30) for v in (x, y)]
        truth.append(spearman(x, y).value)
        plain.append(spearman(*noisy).value)
        corrected.append(corrected_spearman(*noisy, np.full(30, 0.7), np.full(30, 0.7)).value)
    wanted = np.mean(truth)
    assert abs(np.nanmean(corrected) - wanted) < 0.3 * abs(np.mean(plain) - wanted)
