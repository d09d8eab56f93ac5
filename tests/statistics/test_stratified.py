"""Shares from labels drawn within strata: exact small cases, unbiased over all draws, and intervals that hold."""

import math
from itertools import combinations, product

import numpy as np
import pytest

from mossbench.statistics import wilson_interval
from mossbench.statistics.stratified import (
    FEWEST_PER_STRATUM,
    MOST_SLIPS,
    Slips,
    Stratum,
    allocate,
    is_within,
    label_error,
    labels_until,
    over_requests,
    stratified_share,
)

NO_SLIPS = Slips(1_000_000, 0)
"""So many labels that none is thought to be wrong."""


def test_the_share_weights_each_stratum_by_its_rows():
    strata = [Stratum(40, n_labelled=20, n_yes=10), Stratum(60, n_labelled=20, n_yes=0)]
    estimate = stratified_share(strata)
    assert estimate.value == pytest.approx(0.20)  # 0.4 * 10/20 + 0.6 * 0
    assert (estimate.n, estimate.n_left_out) == (40, 0)
    assert 0 < estimate.low < 0.20 < estimate.high < 0.4


def test_nothing_is_known_without_labels():
    estimate = stratified_share([Stratum(40), Stratum(60)])
    assert math.isnan(estimate.value) and estimate.n == 0
    assert not is_within(estimate, 1.0)


def test_labels_of_all_rows_leave_only_their_own_errors_open():
    strata = [Stratum(10, n_labelled=10, n_yes=2), Stratum(10, reads_yes=True, n_labelled=10, n_yes=9)]
    estimate = stratified_share(strata, NO_SLIPS)
    assert (estimate.value, estimate.low, estimate.high) == (pytest.approx(0.55),) * 3
    doubted = stratified_share(strata, Slips(20, 0))
    # 2 of 10 missed refusals and 1 of 10 false alarms, of which label errors may have hidden more
    assert doubted.low < 0.55 < doubted.high and doubted.high - 0.55 > 0.55 - doubted.low


def test_the_share_is_unbiased_over_all_draws():
    truth = ((1, 0, 0, 0, 0), (1, 1, 0, 1))
    shares = []
    for first, second in product(combinations(truth[0], 2), combinations(truth[1], 3)):
        strata = [Stratum(5, n_labelled=2, n_yes=sum(first)), Stratum(4, n_labelled=3, n_yes=sum(second))]
        shares.append(stratified_share(strata).value)
    assert len(shares) == 10 * 4
    assert np.mean(shares) == pytest.approx(4 / 9)


def test_labels_that_were_wrong_raise_the_share_that_differs_from_the_reading():
    strata = [Stratum(100, n_labelled=50, n_yes=9), Stratum(100, reads_yes=True, n_labelled=50, n_yes=41)]
    estimate = stratified_share(strata, Slips(100, 10))
    # 9 of 50 seen are 0.18 / 0.9 = 0.2 on either side, which evens out
    assert estimate.value == pytest.approx(0.5)
    alone = stratified_share(strata[:1], Slips(50, 5))
    assert alone.value == pytest.approx(0.2)


def test_rows_without_a_result_may_be_either():
    known = stratified_share([Stratum(100, n_labelled=40, n_yes=10)])
    with_open = stratified_share([Stratum(100, n_labelled=40, n_yes=10, n_open=5)])
    assert with_open.value == known.value and with_open.n_left_out == 5
    assert with_open.low < known.low and with_open.high > known.high + 0.05


def test_a_stratum_without_labels_may_be_anything():
    estimate = stratified_share([Stratum(80, n_labelled=40, n_yes=4), Stratum(20)], NO_SLIPS)
    assert estimate.high - estimate.low > 0.2 * 0.9
    assert estimate.value == pytest.approx(0.1)


@pytest.mark.parametrize(
    ("slips", "value", "high"),
    [(Slips(), 0.0, MOST_SLIPS), (Slips(60, 0), 0.0, 0.034), (Slips(60, 3), 0.05, 0.124), (Slips(4, 3), 0.25, 0.25)],
)
def test_the_share_of_wrong_labels_is_what_second_labels_showed(slips, value, high):
    rate = label_error(slips)
    assert (rate.value, rate.high) == (pytest.approx(value), pytest.approx(high, abs=0.001))


def test_for_other_requests_the_interval_is_joined_with_that_of_so_many_requests():
    share = stratified_share([Stratum(100, n_labelled=100, n_yes=20)], NO_SLIPS)
    wider = over_requests(share, 100)
    assert (wider.low, wider.high) == pytest.approx(wilson_interval(0.2, 100), abs=1e-6)
    assert over_requests(share, 25).high > wider.high


def test_every_stratum_gets_its_least_and_labels_go_where_they_tell_most():
    strata = [
        Stratum(800, expected=0.02),
        Stratum(100, expected=0.4),
        Stratum(2, expected=0.5),
        Stratum(98, expected=1),
    ]
    assert allocate(strata, 11) == [FEWEST_PER_STRATUM, FEWEST_PER_STRATUM, 2, FEWEST_PER_STRATUM]
    added = allocate(strata, 60)
    assert sum(added) == 60 and added[2] == 2
    assert added[1] / 100 > added[0] / 800  # more of those of which less is known
    assert added[0] > added[1] > added[3]


def test_labels_seen_move_where_the_next_ones_go():
    as_expected = [Stratum(200, expected=0.05, n_labelled=20, n_yes=1), Stratum(200, expected=0.05, n_labelled=20)]
    surprising = [Stratum(200, expected=0.05, n_labelled=20, n_yes=9), Stratum(200, expected=0.05, n_labelled=20)]
    assert allocate(surprising, 20)[0] > allocate(as_expected, 20)[0]


def test_no_more_is_drawn_than_there_is():
    assert allocate([Stratum(4, n_labelled=1, n_open=1), Stratum(3, n_labelled=3)], 20) == [2, 0]
    assert allocate([], 5) == []


def test_how_many_labels_are_left_is_what_makes_it_narrow_enough():
    strata = [Stratum(700, expected=0.05, n_labelled=15, n_yes=1), Stratum(300, reads_yes=True, n_labelled=5, n_yes=5)]
    n_left = labels_until(strata, Slips(20, 0), 0.05, block=10)
    assert n_left % 10 == 0 and 20 < n_left < 200
    assert labels_until(strata, Slips(20, 0), 0.5, block=10) == 0
    assert labels_until(strata, Slips(20, 0), 1e-9, block=10) == 980


@pytest.mark.parametrize("shares", [(0.0, 0.1), (0.02, 0.4), (0.1, 0.5), (0.3, 0.7)])
def test_intervals_hold_the_share_about_as_often_as_they_say(shares):
    rng = np.random.default_rng(1)
    n_rows = (700, 300)
    n_labels = (35, 25)
    n_held = 0
    for _ in range(600):
        n_yes = [rng.binomial(n, share) for n, share in zip(n_rows, shares, strict=True)]
        strata = []
        for n, labels, yes in zip(n_rows, n_labels, n_yes, strict=True):
            strata.append(Stratum(n, n_labelled=labels, n_yes=rng.hypergeometric(yes, n - yes, labels)))
        estimate = stratified_share(strata, NO_SLIPS)
        n_held += estimate.low <= sum(n_yes) / 1000 <= estimate.high
    assert 0.93 <= n_held / 600
