import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mossbench.statistics import cohen_kappa, fleiss, gwet_ac1, krippendorff_alpha

LABELS = st.sampled_from(["answered", "partial", "refused"])
FULL = st.lists(st.lists(LABELS, min_size=3, max_size=3), min_size=2, max_size=30)
WITH_GAPS = st.lists(st.lists(st.one_of(st.none(), LABELS), min_size=3, max_size=3), min_size=2, max_size=30)
ALL = [fleiss, gwet_ac1, krippendorff_alpha]


def interval(estimate):
    return estimate.value, estimate.low, estimate.high


def pairs(both, only_first, only_second, neither):
    first = [1] * (both + only_first) + [0] * (only_second + neither)
    return first, [1] * both + [0] * only_first + [1] * only_second + [0] * neither


def test_cohens_kappa_by_hand_and_by_statsmodels():
    from statsmodels.stats.inter_rater import cohens_kappa

    # accuracy .7; rates .6 and .5: chance .5; (.7 - .5) / .5
    estimate = cohen_kappa(*pairs(20, 10, 5, 15))
    oracle = cohens_kappa(np.array([[20, 10], [5, 15]]))
    assert estimate.value == pytest.approx(0.4) == pytest.approx(oracle.kappa)
    assert (estimate.low, estimate.high) == pytest.approx((oracle.kappa_low, oracle.kappa_upp), abs=0.04)


def test_with_many_rows_the_jackknife_is_the_asymptotic_error_of_statsmodels():
    from statsmodels.stats.inter_rater import cohens_kappa

    estimate = cohen_kappa(*pairs(4000, 1000, 600, 4400))
    oracle = cohens_kappa(np.array([[4000, 1000], [600, 4400]]))
    assert (estimate.low, estimate.high) == pytest.approx((oracle.kappa_low, oracle.kappa_upp), abs=5e-4)


def test_fleiss_of_the_worked_example():
    # Fleiss 1971's method on 4 rows, 3 raters, 2 categories: rows 3/0, 2/1, 0/3, 1/2.
    # observed: (1 + 1/3 + 1 + 1/3)/4 = 2/3; shares 6/12, 6/12: chance 1/2; kappa = (2/3-1/2)/(1/2) = 1/3
    assert fleiss([[1, 1, 1], [1, 1, 0], [0, 0, 0], [1, 0, 0]]).value == pytest.approx(1 / 3)


@given(FULL)
def test_fleiss_is_that_of_statsmodels(ratings):
    from statsmodels.stats.inter_rater import aggregate_raters
    from statsmodels.stats.inter_rater import fleiss_kappa as oracle

    found = fleiss(ratings).value
    if len({label for row in ratings for label in row}) > 1:
        table = aggregate_raters(np.array(ratings))[0]
        assert found == pytest.approx(oracle(table))
    else:
        assert math.isnan(found)


@pytest.mark.parametrize("level", ["nominal", "ordinal", "interval"])
@given(st.lists(st.lists(st.one_of(st.none(), st.integers(1, 4)), min_size=4, max_size=4), min_size=3, max_size=20))
def test_alpha_is_that_of_krippendorff(level, ratings):
    import krippendorff

    found = krippendorff_alpha(ratings, level=level)
    pairable = [row for row in ratings if sum(label is not None for label in row) > 1]
    if len({label for row in pairable for label in row if label is not None}) > 1:
        expected = krippendorff.alpha(np.array(ratings, dtype=float).T, level_of_measurement=level)
        assert found.value == pytest.approx(expected)
    else:
        assert math.isnan(found.value)
    assert (found.n, found.n_left_out) == (len(pairable), len(ratings) - len(pairable))


def test_alpha_of_the_published_example():
    # Krippendorff 2011, Computing Krippendorff's Alpha-Reliability, example C: 0.743, 0.815 and 0.849
    observers = [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3],
        [None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None],
    ]
    ratings = [list(row) for row in zip(*observers, strict=True)]
    found = [krippendorff_alpha(ratings, level=level).value for level in ("nominal", "ordinal", "interval")]
    assert found == pytest.approx([0.743, 0.815, 0.849], abs=5e-4)


def test_gwets_coefficient_by_hand():
    # accuracy .7; mean rate .55: chance 2*.55*.45 = .495; (.7 - .495) / .505
    assert gwet_ac1(list(zip(*pairs(20, 10, 5, 15), strict=True))).value == pytest.approx(0.205 / 0.505)


def test_where_one_answer_is_rare_kappa_collapses_and_ac1_does_not():
    ratings = list(zip(*pairs(0, 3, 3, 294), strict=True))
    assert fleiss(ratings).value < 0 < 0.97 < gwet_ac1(ratings).value


def test_ac1_counts_the_categories_there_were_to_choose_from():
    # agreement 1/2; shares 3/4 1/4: sum of p(1-p) = 3/8; over K - 1: 3/8 with two, 3/16 with three categories
    ratings = [["a", "a"], ["a", "b"]]
    assert gwet_ac1(ratings).value == pytest.approx((1 / 2 - 3 / 8) / (5 / 8))
    assert gwet_ac1(ratings, categories=["a", "b", "c"]).value == pytest.approx((1 / 2 - 3 / 16) / (13 / 16))
    with pytest.raises(ValueError, match="outside the categories: .*'b'"):
        gwet_ac1(ratings, categories=["a", "c"])


@pytest.mark.slow
@pytest.mark.parametrize("coefficient", ALL)
@given(WITH_GAPS, st.randoms(use_true_random=False))
def test_order_of_rows_and_raters_and_names_do_not_matter(coefficient, ratings, random):
    names = {"answered": "x", "partial": "a", "refused": "m", None: None}
    renamed = [[names[label] for label in random.sample(row, 3)] for row in random.sample(ratings, len(ratings))]
    assert interval(coefficient(ratings)) == pytest.approx(interval(coefficient(renamed)), nan_ok=True, abs=1e-9)


def test_a_row_without_which_all_ratings_are_alike_does_not_count_by_rounding():
    one, two = [None, None, "partial"], ["partial", "partial", None]
    ratings = [["answered", "answered", "partial"], one, one, two]  # shares without the first: 1, or 1 - 1e-16
    intervals = [interval(fleiss(order)) for order in itertools.permutations(ratings)]
    assert all(found == pytest.approx(intervals[0], nan_ok=True, abs=1e-9) for found in intervals)


@pytest.mark.parametrize("coefficient", ALL)
@given(WITH_GAPS)
def test_intervals_hold_the_value_and_end_at_one(coefficient, ratings):
    value, low, high = interval(coefficient(ratings))
    if not math.isnan(low):
        assert low - 1e-9 <= value <= high + 1e-9 and high <= 1


@pytest.mark.parametrize("coefficient", [fleiss, gwet_ac1])
def test_a_row_written_twice_into_its_cluster_changes_nothing(coefficient):
    rng = np.random.default_rng(3)
    ratings = rng.integers(0, 2, size=(40, 3)).tolist()
    clusters = np.repeat(np.arange(20), 2)
    once, twice = coefficient(ratings, clusters), coefficient(ratings * 2, np.tile(clusters, 2))
    assert interval(once) == pytest.approx(interval(twice))
    alone = coefficient(ratings * 2)
    assert alone.high - alone.low < twice.high - twice.low


@pytest.mark.parametrize("n", [20, 300])
def test_full_agreement_is_not_certainty(n):
    # no disagreement on n rows leaves z²/(n + z²) plausible; by chance half of the rows would disagree
    estimate = cohen_kappa([0, 1] * (n // 2), [0, 1] * (n // 2))
    assert estimate.value == estimate.high == 1
    assert estimate.low == pytest.approx(1 - 2 * 3.8415 / (n + 3.8415), abs=1e-4)


@pytest.mark.parametrize("coefficient", ALL)
def test_nothing_to_compare(coefficient):
    nothing = coefficient([["a", None], [None, None]])
    assert math.isnan(nothing.value) and (nothing.n, nothing.n_left_out) == (0, 2)
    assert coefficient([]).n == 0
    same = coefficient([["a", "a"], ["a", "a"]])
    assert math.isnan(same.value) and same.n == 2
    one_cluster = coefficient([["a", "b"], ["a", "a"]], ["scene", "scene"])
    assert not math.isnan(one_cluster.value) and math.isnan(one_cluster.low)
