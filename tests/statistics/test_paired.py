import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mossbench.statistics import cochran_q, holm, paired_difference, sign_flip_test

NAN = math.nan
PAIRS = st.lists(st.tuples(st.integers(0, 1), st.integers(0, 1), st.integers(0, 6)), min_size=2, max_size=50)


def rows(both=0, only_first=0, only_second=0, neither=0):
    first = [1] * (both + only_first) + [0] * (only_second + neither)
    return first, [1] * both + [0] * only_first + [1] * only_second + [0] * neither


def interval(estimate):
    return estimate.value, estimate.low, estimate.high


@pytest.mark.parametrize(
    ("counts", "low", "high"),
    [
        # Newcombe 1998, Stat. Med. 17:2635, one of the worked tables
        ((36, 12, 2, 0), 0.0611, 0.3447),
        # Fagerland, Lydersen and Laake 2014, Stat. Med. 33:2850: -0.517 -0.026, here with more digits
        ((1, 1, 7, 12), -0.51723, -0.02600),
        ((0, 0, 0, 30), -0.11351, 0.11351),  # nobody differs: z²/(n + z²) = 3.8415/33.8415
    ],
)
def test_published_intervals(counts, low, high):
    estimate = paired_difference(*rows(*counts))
    assert (estimate.low, estimate.high) == pytest.approx((low, high), abs=6e-5)
    assert estimate.n == sum(counts) and estimate.method == "tango"


def test_tango_agrees_with_its_own_test():
    # the ends are where the score statistic is ±1.96; at a difference of 0 it is (b - c) / sqrt(b + c)
    for only_first in range(0, 15):
        estimate = paired_difference(*rows(10, only_first, 4, 10))
        significant = abs(only_first - 4) / math.sqrt(only_first + 4) > 1.959964
        assert significant == (not estimate.low <= 0 <= estimate.high)


@given(PAIRS)
def test_swapping_the_sides_mirrors_and_order_and_names_do_not_matter(pairs):
    first, second, clusters = ([pair[i] for pair in pairs] for i in range(3))
    one = interval(paired_difference(first, second, clusters))
    back = paired_difference(second[::-1], first[::-1], [str(c) for c in clusters[::-1]])
    assert one == pytest.approx((-back.value, -back.high, -back.low), abs=1e-9, nan_ok=True)


@given(PAIRS)
def test_intervals_hold_the_value_and_copies_within_clusters_change_nothing(pairs):
    first, second, clusters = ([pair[i] for pair in pairs] * 2 for i in range(3))
    once = interval(paired_difference(first, second, clusters))
    twice = paired_difference(first * 2, second * 2, clusters * 2)
    assert once == pytest.approx(interval(twice), abs=1e-7, nan_ok=True)
    if not math.isnan(once[1]):
        assert -1 <= once[1] <= once[0] + 1e-9 and once[0] - 1e-9 <= once[2] <= 1


def test_pairs_of_which_one_side_does_not_count_are_left_out():
    estimate = paired_difference([1, NAN, 0, 1], [0, 1, None, 1])
    assert (estimate.value, estimate.n, estimate.n_left_out) == (0.5, 2, 2)


def test_nothing_counted_and_one_cluster():
    assert math.isnan(paired_difference([], []).value) and math.isnan(sign_flip_test([], []).p)
    assert math.isnan(sign_flip_test([NAN], [1]).p)
    one = paired_difference([1, 1], [0, 1], ["a", "a"])
    assert one.value == 0.5 and math.isnan(one.low) and math.isnan(one.high)
    assert sign_flip_test([1, 1], [0, 1], ["a", "a"]).p == 1
    with pytest.raises(ValueError, match="got 1 and 2"):
        paired_difference([1], [0, 1])


@pytest.mark.parametrize(
    ("only_first", "only_second"), [(0, 0), (1, 7), (12, 2), (5, 5), (30, 55), (980, 1021), (1100, 1000)]
)
def test_without_clusters_the_sign_flip_test_is_the_exact_mcnemar_test(only_first, only_second):
    from statsmodels.stats.contingency_tables import mcnemar as oracle

    found = sign_flip_test(*rows(8, only_first, only_second, 9))
    table = [[8, only_first], [only_second, 9]]
    assert found.p == pytest.approx(oracle(table, exact=True).pvalue if only_first + only_second else 1.0)
    assert found.statistic == pytest.approx((only_first - only_second) / (17 + only_first + only_second))


def test_sign_flips_of_clusters_by_hand():
    # totals 2 1 -1: sums of ±2 ±1 ±1 are 4 2 2 0 0 -2 -2 -4; seen 2: as large in 3 of 8, doubled 6/8
    found = sign_flip_test([1, 1, 1, 0], [0, 0, 0, 1], ["a", "a", "b", "c"])
    assert found.p == 6 / 8 and found.method == "sign flip over 3 clusters"


def test_fractions_are_refused_with_the_way_out():
    with pytest.raises(ValueError, match="its item as cluster"):
        sign_flip_test([0.5, 1], [0, 0])


def test_cochran_q_is_that_of_statsmodels():
    from statsmodels.stats.contingency_tables import cochrans_q

    rng = np.random.default_rng(4)
    table = (rng.random((80, 4)) < [0.2, 0.3, 0.3, 0.5]).astype(int)
    expected = cochrans_q(table)
    found = cochran_q(np.vstack([table, [1, 0, NAN, 1]]))
    assert (found.statistic, found.p) == pytest.approx((expected.statistic, expected.pvalue))
    assert (found.n, found.n_left_out) == (80, 1)


def test_cochran_q_of_two_arms_is_mcnemars_chi_square():
    first, second = rows(4, 3, 9, 6)  # (3 - 9)² / 12
    assert cochran_q(np.column_stack([first, second])).statistic == pytest.approx(3.0)


def test_shuffling_in_clusters_agrees_with_chi_square_only_when_rows_are_no_copies():
    rng = np.random.default_rng(6)
    table = (rng.random((300, 3)) < [0.25, 0.29, 0.33]).astype(int)  # with few rows equal sums are common, p coarse
    alone = cochran_q(table, np.arange(300), rng=rng, n_draws=3000)
    assert alone.p == pytest.approx(cochran_q(table).p, abs=0.03)
    copies = cochran_q(np.vstack([table] * 3), np.tile(np.arange(300), 3), rng=rng, n_draws=3000)
    assert copies.p == pytest.approx(alone.p, abs=0.03)
    fooled = cochran_q(np.vstack([table] * 3)).p  # Q is tripled, and with two degrees of freedom p = exp(-Q/2)
    assert fooled == pytest.approx(cochran_q(table).p ** 3)
    with pytest.raises(ValueError, match="rng"):
        cochran_q(table, np.arange(300))


def test_cochran_q_without_rows_or_differences():
    assert math.isnan(cochran_q(np.empty((0, 3))).p)
    assert cochran_q([[1, 1], [0, 0]]).p == 1
    with pytest.raises(ValueError, match="two or more arms"):
        cochran_q([1, 0])


@pytest.mark.slow
def test_adjusted_p_values_are_those_of_statsmodels():
    from statsmodels.stats.multitest import multipletests

    rng = np.random.default_rng(8)
    for n in (1, 2, 5, 30):
        for p_values in (rng.random(n), rng.random(n) ** 4, rng.integers(0, 3, n) / 2):
            assert holm(p_values) == pytest.approx(multipletests(p_values, method="holm")[1], abs=1e-12)


def test_tests_that_were_not_made_do_not_count():
    assert holm([0.01, NAN, 0.04, 0.03]) == pytest.approx([0.03, NAN, 0.06, 0.06], nan_ok=True)
    assert len(holm([])) == 0
