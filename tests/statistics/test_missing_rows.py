"""Tests with every missing row counted against what the others show."""

import numpy as np
import pytest

from mossbench.statistics import rank, sign_flip_test, sign_flip_test_at_worst
from mossbench.statistics.ranking import proven_lower


def test_without_missing_rows_nothing_changes():
    one, other = [1, 1, 1, 0, 0, 1], [0, 0, 0, 0, 1, 0]
    none = [False] * 6
    found = sign_flip_test_at_worst(one, other, None, first_missing=none, second_missing=none)
    assert found == sign_flip_test(one, other)


def test_missing_rows_count_against_the_side_that_is_higher():
    """Six to none is p = 2 / 64; with one missing row on each side it is six to two, p = 2 × 37 / 256."""
    one = [1] * 6 + [np.nan, 0]
    other = [0] * 6 + [0, np.nan]
    missing = [False] * 6
    found = sign_flip_test_at_worst(
        one, other, None, first_missing=[*missing, True, False], second_missing=[*missing, False, True]
    )
    # The first side's missing row becomes 0 against 0, the other's becomes 1 against 0.
    assert sign_flip_test(one, other).p == pytest.approx(2 / 64)
    assert found.p == pytest.approx(2 * (1 + 7) / 2**7)


def test_missing_rows_that_turn_the_difference_round_leave_nothing():
    one, other = [1, np.nan, np.nan], [0, 0, 1]
    found = sign_flip_test_at_worst(
        one, other, None, first_missing=[False, True, True], second_missing=[False, False, False]
    )
    assert found.p == 1.0


def test_two_systems_are_told_apart_only_if_missing_rows_cannot_explain_it():
    low = np.array([0.0] * 10 + [np.nan] * 10)
    high = np.array([1.0] * 10 + [0.0] * 10)
    table = np.stack([low, high])
    codes = np.arange(20)
    missing = np.stack([np.isnan(low), np.zeros(20, dtype=bool)])
    assert proven_lower(table, codes)[0, 1]
    assert not proven_lower(table, codes, missing).any()
    places = rank(
        {"low": low, "high": high}, rng=np.random.default_rng(0), missing={"low": missing[0], "high": missing[1]}
    )
    assert {place.name: (place.low_rank, place.high_rank) for place in places} == {"low": (1, 2), "high": (1, 2)}


def test_a_row_that_a_rule_leaves_out_is_not_counted_against_anything():
    low = np.array([0.0] * 10 + [np.nan] * 10)
    high = np.array([1.0] * 10 + [0.0] * 10)
    none = np.zeros((2, 20), dtype=bool)
    assert proven_lower(np.stack([low, high]), np.arange(20), none)[0, 1]
