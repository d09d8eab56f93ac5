"""Many looks against one fixed set of columns: exact tests, and how their p-values are adjusted for all looks."""

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest

from bench.series import SETTINGS, share_of_alarms
from mossbench.statistics import look_scores, shuffle_test, shuffle_test_at_worst, sign_flip_test
from mossbench.statistics.estimates import at_confidence, wilson

NAN = math.nan


def p_by_counting(after, before, clusters):
    """Every way to choose the later columns of each cluster, counted one by one."""
    columns = np.hstack([after, before])
    n_chosen = after.shape[1]
    rows_of = [[i for i, name in enumerate(clusters) if name == cluster] for cluster in dict.fromkeys(clusters)]
    ways = list(itertools.combinations(range(columns.shape[1]), n_chosen))
    sums = [
        sum(columns[rows][:, list(way)].sum() for way, rows in zip(chosen, rows_of, strict=True))
        for chosen in itertools.product(ways, repeat=len(rows_of))
    ]
    observed = after.sum()
    as_large = sum(total >= observed for total in sums) / len(sums)
    as_small = sum(total <= observed for total in sums) / len(sums)
    return min(1.0, 2 * min(as_large, as_small))


@pytest.mark.parametrize("seed", range(4))
def test_the_shuffle_test_counts_all_ways_to_choose_the_columns(seed):
    rng = np.random.default_rng(seed)
    columns = (rng.random((6, 5)) < 0.5).astype(float)
    clusters = ["a", "a", "b", "b", "c", "d"]
    expected = p_by_counting(columns[:, :2], columns[:, 2:], clusters)
    assert shuffle_test(columns[:, :2], columns[:, 2:], clusters).p == pytest.approx(expected)


def test_with_one_column_on_each_side_it_is_the_sign_flip_test():
    rng = np.random.default_rng(1)
    after, before = (rng.random((2, 60)) < 0.4).astype(float)
    clusters = np.arange(60) // 2
    one_look = shuffle_test(after[:, None], before[:, None], clusters)
    assert one_look.p == pytest.approx(sign_flip_test(after, before, clusters).p)
    assert one_look.statistic == pytest.approx(after.mean() - before.mean())


def test_a_row_with_a_missing_column_counts_against_the_change_at_worst():
    after = np.array([[1.0]] * 8 + [[NAN]] * 2)
    before = np.array([[0.0, 0.0]] * 10)
    test = shuffle_test(after, before)
    assert (test.n, test.n_left_out) == (8, 2)
    assert test.p == pytest.approx(2 / 3**8)
    assert shuffle_test_at_worst(after, before).p >= test.p
    reversed_by_missing = np.array([[1.0], [NAN], [NAN]])
    assert shuffle_test_at_worst(reversed_by_missing, np.array([[0.0], [1.0], [1.0]])).p == 1


def test_columns_that_are_all_equal_show_nothing_and_nothing_counted_is_nan():
    assert shuffle_test(np.ones((5, 2)), np.ones((5, 1))).p == 1
    assert math.isnan(shuffle_test(np.full((3, 1), NAN), np.ones((3, 1))).p)


def test_one_look_is_not_adjusted_and_thirty_are_known_to_share_the_baseline():
    one = look_scores(1, rng=np.random.default_rng(0))
    assert one.p_over_looks(0.03) == pytest.approx(0.03, abs=0.002)
    thirty = look_scores(30, rng=np.random.default_rng(0))
    boundary = np.quantile(thirty.largest, 0.95)
    assert boundary == pytest.approx(3.06, abs=0.02)
    assert thirty.p_over_looks(0.0022) == pytest.approx(0.05, abs=0.004)
    assert thirty.p_over_looks(1e-12) <= 1e-9  # never more than Bonferroni's bound
    assert math.isnan(thirty.p_over_looks(NAN))
    assert 0.997 < thirty.confidence() < thirty.confidence(8) < 1


def test_an_interval_at_another_confidence_is_near_wilsons():
    for n_yes in (0, 30, 60, 300):
        approximate = at_confidence(wilson(n_yes, 300), 0.999)
        exact = wilson(n_yes, 300, confidence=0.999)
        assert (approximate.low, approximate.high) == pytest.approx((exact.low, exact.high), abs=0.003)
    assert at_confidence(wilson(1, 300), 0.999).high > wilson(1, 300, confidence=0.999).high
    unknown = replace(wilson(60, 300), low=NAN, high=NAN)
    assert at_confidence(unknown, 0.999) is unknown


@pytest.mark.parametrize(
    ("name", "least", "most"),
    [
        ("no change, 1 cell, chances differ", 0.0, 0.08),
        ("no change, 1 cell, looks left at 1", 0.25, 0.7),
        ("10 points, 1 cell, chances differ, baseline asked 1 times", 0.85, 1.0),
        ("10 points, 1 cell, same chances, baseline asked 3 times", 0.85, 1.0),
    ],
)
def test_alarms_of_a_hundred_series_of_thirty_nights(name, least, most):
    assert least <= share_of_alarms(SETTINGS[name], 100) <= most


def test_intervals_of_one_look_hold_at_95_percent_whatever_was_drawn():
    for seed in range(6):
        scores = look_scores(1, rng=np.random.default_rng(seed))
        assert scores.confidence() == pytest.approx(0.95)
        assert scores.confidence(20) == pytest.approx(1 - 0.05 / 20)


def test_with_more_tests_than_the_draws_can_tell_the_bound_is_used():
    scores = look_scores(30, rng=np.random.default_rng(0))
    share = 0.05 / 100_000
    assert scores.confidence(100_000) == pytest.approx(1 - share / 30, abs=1e-12)
    confidences = [scores.confidence(n) for n in (1, 10, 100, 500, 501, 1000, 100_000)]
    assert confidences == sorted(confidences)


def test_only_yes_and_no_are_shuffled():
    with pytest.raises(ValueError, match="values of 0, 1 or NaN are needed"):
        shuffle_test([[0], [0.5]], [[0], [1]])
