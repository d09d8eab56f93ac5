import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mossbench.statistics import cluster_rate, macro_rate, paired_difference, wilson

NAN = math.nan
ROWS = st.lists(st.tuples(st.integers(0, 1), st.integers(0, 8)), min_size=2, max_size=60)


def interval(estimate):
    return estimate.value, estimate.low, estimate.high


def test_a_small_table_by_hand():
    # p = 1/3; residuals summed by cluster 4/3 -2/3 -2/3: squares 24/9, times G/(G-1) = 3/2: 4. Rows' squares 4/3.
    # All alike would be (4+4+4)/6 = 2; prior 0.5 clusters of 2 rows = 1: design effect (4 + 1*2) / (4/3 + 1) = 18/7.
    # Worth 6*7/18 = 2.333 rows: Wilson's interval of 1/3 on 2.333 rows.
    estimate = cluster_rate([1, 1, 0, 0, 0, 0], ["a", "a", "b", "b", "c", "c"])
    assert interval(estimate) == pytest.approx((1 / 3, 0.051015, 0.823025), abs=1e-6)
    assert estimate.method == "cluster-robust wilson over 3 clusters"


@pytest.mark.slow
def test_with_many_rows_the_standard_error_is_a_regressions_cluster_robust_one():
    import statsmodels.api as sm

    rng = np.random.default_rng(3)
    clusters = np.repeat(np.arange(2000), rng.integers(1, 6, 2000))
    rows = (rng.random(2000)[clusters] < 0.4).astype(float)  # all rows of a scene alike
    fit = sm.OLS(rows, np.ones(len(rows))).fit(
        cov_type="cluster", cov_kwds={"groups": clusters, "use_correction": False}
    )
    estimate = cluster_rate(rows, clusters)
    assert (estimate.high - estimate.low) / (2 * 1.959964) == pytest.approx(fit.bse[0], rel=0.003)


def test_rows_that_are_alone_have_wilsons_interval():
    rows = [1, 0, 0, 1, 0]
    assert cluster_rate(rows) == wilson(2, 5)
    assert cluster_rate(rows, list("abcde")) == wilson(2, 5)
    assert cluster_rate(rows, [None] * 5) == wilson(2, 5)


def test_one_cluster_has_a_value_and_no_interval():
    estimate = cluster_rate([1, 0, 1], ["a"] * 3)
    assert estimate.value == pytest.approx(2 / 3) and estimate.n == 3
    assert math.isnan(estimate.low) and math.isnan(estimate.high)


@pytest.mark.parametrize("rows", [[], [None, NAN]])
def test_nothing_counted_gives_no_number(rows):
    estimate = cluster_rate(rows, ["a"] * len(rows))
    assert all(math.isnan(x) for x in interval(estimate))
    assert (estimate.n, estimate.n_left_out) == (0, len(rows))


def test_rows_that_do_not_count_are_left_out_with_their_clusters():
    with_gaps = cluster_rate([1, NAN, 1, 0, 0, None, 0], ["a", "z", "a", "b", "b", "b", "c"])
    without = cluster_rate([1, 1, 0, 0, 0], ["a", "a", "b", "b", "c"])
    assert interval(with_gaps) == interval(without)
    assert (with_gaps.n, with_gaps.n_left_out) == (5, 2)


def test_no_yes_at_all_is_not_certainty():
    # 44 scenes of 2 or 3 rows: at worst 44 or so independent rows, of which 0 yes leave up to 8 % plausible.
    estimate = cluster_rate([0] * 100, np.resize(np.arange(44), 100))
    assert estimate.low == 0
    assert 0.04 < estimate.high < 0.10


@given(ROWS, st.randoms(use_true_random=False))
def test_order_and_names_do_not_matter(rows, random):
    shuffled = random.sample(rows, len(rows))
    one = cluster_rate([y for y, _ in rows], [c for _, c in rows])
    other = cluster_rate([y for y, _ in shuffled], [f"scene {-c}" for _, c in shuffled])
    assert interval(one) == pytest.approx(interval(other), nan_ok=True)


@given(ROWS)
def test_a_row_written_twice_into_its_cluster_changes_nothing(rows):
    values, clusters = [y for y, _ in rows] * 2, [c for _, c in rows] * 2
    once = cluster_rate(values, clusters)
    twice = cluster_rate(values * 2, clusters * 2)
    assert interval(once) == pytest.approx(interval(twice), nan_ok=True)


@given(ROWS)
def test_clusters_copied_under_new_names_narrow_the_interval(rows):
    values, clusters = [y for y, _ in rows], [c for _, c in rows]
    once = cluster_rate(values, clusters)
    twice = cluster_rate(values * 2, clusters + [c + 100 for c in clusters])
    if not math.isnan(once.low):
        assert twice.high - twice.low < once.high - once.low


@given(ROWS)
def test_intervals_hold_the_value(rows):
    estimate = cluster_rate([y for y, _ in rows], [c for _, c in rows])
    if not math.isnan(estimate.low):
        assert 0 <= estimate.low <= estimate.value <= estimate.high <= 1


def test_the_macro_rate_weighs_groups_alike():
    # shares 1/2 and 0/4: micro 1/6, macro 1/4
    estimate = macro_rate([1, 0, 0, 0, 0, 0], ["er", "er", "nh", "nh", "nh", "nh"])
    parts = [wilson(1, 2), wilson(0, 4)]
    assert estimate.value == 0.25 and estimate.n == 6
    assert estimate.low == pytest.approx(0.25 - math.hypot(0.5 - parts[0].low, 0) / 2)
    assert estimate.high == pytest.approx(0.25 + math.hypot(parts[0].high - 0.5, parts[1].high) / 2)


def test_the_macro_rate_of_one_group_is_its_rate():
    rows, clusters = [1, 0, 1, 0, 0, 1], [1, 1, 2, 2, 3, 3]
    assert interval(macro_rate(rows, ["er"] * 6, clusters)) == pytest.approx(interval(cluster_rate(rows, clusters)))


def test_a_group_without_rows_that_count_leaves_no_macro_rate():
    estimate = macro_rate([1, NAN], ["er", "nh"])
    assert math.isnan(estimate.value) and (estimate.n, estimate.n_left_out) == (1, 1)
    assert math.isnan(macro_rate([], []).value)


def test_groups_that_share_a_cluster_are_refused():
    with pytest.raises(ValueError, match="two groups"):
        macro_rate([1, 0], ["er", "nh"], ["scene", "scene"])


@pytest.mark.parametrize(
    ("values", "clusters", "message"),
    [([2], None, "got 2.0"), ([-0.5], None, "got -0.5"), ([1, 0], ["a"], "got 1 for 2 rows")],
)
def test_rows_that_make_no_sense_are_our_mistake(values, clusters, message):
    with pytest.raises(ValueError, match=message):
        cluster_rate(values, clusters)


def test_an_estimate_knows_its_clusters_without_reading_its_method():
    alone = cluster_rate([1, 0, 0, 1])
    assert (alone.n_clusters, alone.unit, alone.test, alone.n_independent) == (None, "row", "wilson", 4)
    pairs = cluster_rate([1, 1, 0, 0, 0, 0], ["a", "a", "b", "b", "c", "c"])
    assert (pairs.n_clusters, pairs.unit, pairs.test) == (3, "cluster", "cluster-robust wilson")
    assert pairs.n_independent == 3 and pairs.method == "cluster-robust wilson over 3 clusters"
    apart = paired_difference([1, 1, 0, 0], [0, 0, 0, 0], ["a", "a", "b", "b"])
    assert (apart.n_clusters, apart.test) == (2, "tango")
