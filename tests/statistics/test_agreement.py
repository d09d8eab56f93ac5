import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mossbench.statistics import Confusion, agreement, macro_f1, mcnemar_mid_p

RNG = np.random.default_rng(1)


def measures(*cells, seed=1):
    return agreement(Confusion(*cells), rng=np.random.default_rng(seed))


def test_known_values_of_one_table():
    # 20 both yes, 5 only read, 10 only true, 15 both no. accuracy 35/50; true rate .6, read rate .5:
    # chance .6*.5 + .4*.5 = .5, kappa (.7-.5)/.5 = .4; AC1: middle .55, chance 2*.55*.45 = .495, (.7-.495)/.505
    found = measures(20, 5, 10, 15)
    values = {name: round(estimate.value, 4) for name, estimate in found.items()}
    assert values == {
        "accuracy": 0.7,
        "kappa": 0.4,
        "ac1": 0.4059,
        "sensitivity": 0.6667,
        "specificity": 0.75,
        "ppv": 0.8,
        "npv": 0.6,
        "rate_error": -0.1,
    }


def test_counts_are_taken_from_pairs_of_readings():
    truth = [True, True, False, False, True]
    reading = [True, False, True, False, True]
    assert Confusion.of(truth, reading) == Confusion(true_yes=2, false_yes=1, false_no=1, true_no=1)


def test_what_is_not_defined_is_not_a_number():
    found = measures(0, 0, 0, 10)
    assert math.isnan(found["sensitivity"].value) and math.isnan(found["kappa"].value)
    assert found["accuracy"].value == found["specificity"].value == 1.0
    assert all(math.isnan(estimate.value) for estimate in measures(0, 0, 0, 0).values())


@given(st.tuples(*[st.integers(0, 40)] * 4).filter(lambda cells: sum(cells) > 0))
def test_intervals_hold_the_value_and_swapping_the_readers_keeps_kappa(cells):
    true_yes, false_yes, false_no, true_no = cells
    found = measures(*cells)
    swapped = measures(true_yes, false_no, false_yes, true_no)
    for name in ("accuracy", "kappa", "ac1"):
        one, other = found[name].value, swapped[name].value
        assert (math.isnan(one) and math.isnan(other)) or one == pytest.approx(other)
    assert found["accuracy"].low - 1e-9 <= found["accuracy"].value <= found["accuracy"].high + 1e-9


def test_a_judge_without_an_error_is_not_certain():
    found = measures(20, 0, 0, 20)
    for name in ("accuracy", "kappa", "ac1", "sensitivity", "specificity"):
        assert found[name].value == found[name].high == 1 and found[name].low < 0.95
    assert found["rate_error"].value == 0 and found["rate_error"].low < 0 < found["rate_error"].high


def test_each_measure_says_how_it_was_made_and_on_how_many_rows():
    found = measures(20, 5, 10, 15)
    assert (found["sensitivity"].n, found["sensitivity"].method) == (30, "wilson")
    assert (found["kappa"].n, found["kappa"].method) == (50, "bootstrap")
    assert (found["rate_error"].n, found["rate_error"].method) == (50, "tango")


@pytest.mark.parametrize(
    ("one", "other", "p"),
    [
        (0, 0, 1.0),
        (1, 7, 10 / 256),  # 2*(1 + 8)/256 - 8/256
        (7, 1, 10 / 256),
        (0, 5, 1 / 32),  # 2/32 - 1/32
        (2, 2, 1 - 0.5 * 6 / 16),
    ],
)
def test_mcnemar_mid_p_of_small_tables(one, other, p):
    assert mcnemar_mid_p(one, other) == pytest.approx(p)


def test_mcnemar_stands_large_counts():
    assert mcnemar_mid_p(50_000, 51_000) == pytest.approx(0.00165, abs=2e-5)


def test_macro_f1():
    # a: 2 hits of (3 labelled + 2 read) -> 4/5; b: 1 hit of (1 + 2) -> 2/3
    assert macro_f1(["a", "a", "a", "b"], ["a", "a", "b", "b"]) == pytest.approx((4 / 5 + 2 / 3) / 2)
    assert math.isnan(macro_f1([], []))
