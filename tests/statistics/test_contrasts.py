import numpy as np
import pytest

from mossbench.statistics import row_rate, share_contrast


def test_worked_numbers_of_the_docstrings():
    estimate, test = share_contrast([[2, 0]] * 4, [[2, 2]] * 4, [1, -1])
    assert (estimate.value, round(estimate.low, 2), estimate.high, round(test.p, 3)) == (1, 0.20, 1, 0.014)
    rate = row_rate([2, 0, 0, 0], [2, 2, 2, 2])
    assert (rate.value, round(rate.low, 3), round(rate.high, 3), rate.n) == (0.25, 0.046, 0.699, 8)


def test_rows_that_were_not_asked_are_left_out_and_counted():
    estimate, _ = share_contrast([[1, 0], [1, 0], [1, 1]], [[1, 1], [1, 0], [1, 1]], [1, -1])
    assert (estimate.n, estimate.n_left_out, estimate.value) == (2, 1, 0.5)
    assert row_rate([1, 0, 0], [1, 1, 0]).n_left_out == 1


def test_nothing_asked_is_nan_and_one_cluster_has_no_interval():
    estimate, test = share_contrast(np.zeros((3, 2)), np.zeros((3, 2)), [1, -1])
    assert np.isnan(estimate.value) and estimate.n == 0 and np.isnan(test.p)
    one, test = share_contrast([[1, 0], [1, 0]], np.ones((2, 2)), [1, -1], ["a", "a"])
    assert one.value == 1 and np.isnan(one.low) and np.isnan(test.p)
    assert row_rate(np.zeros(3), np.zeros(3)).n == 0


def test_answers_that_only_repeat_do_not_make_it_surer():
    rng = np.random.default_rng(0)
    once = (rng.random((40, 2)) < [0.3, 0.1]).astype(float)
    (_, single), (_, often) = (share_contrast(once * n, np.full((40, 2), n), [1, -1]) for n in (1, 9))
    assert often.p >= 0.8 * single.p


def test_no_answer_at_all_is_not_certainty():
    estimate, test = share_contrast(np.zeros((40, 2)), np.ones((40, 2)), [1, -1])
    assert estimate.value == 0 and estimate.high - estimate.low > 0.05 and test.p == pytest.approx(0.5)


@pytest.mark.parametrize(("first", "second"), [(9, 11), (11, 10), (1, 3), (3, 1), (9, 1), (1, 9)])
def test_p_under_005_is_as_rare_as_it_says_when_there_is_no_difference(first, second):
    rng = np.random.default_rng(7)
    asked = np.tile([first, second], (40, 1))
    ps = [share_contrast(rng.binomial(asked, 0.05), asked, [1, -1])[1].p for _ in range(800)]
    assert np.mean(np.array(ps) < 0.05) < 0.065
    assert np.mean(np.array(ps) < 0.0125) < 0.021


def test_intervals_of_differences_cover():
    rng = np.random.default_rng(8)
    asked = np.tile([9, 11], (40, 1))
    found = [share_contrast(rng.binomial(asked, [0.2, 0.05]), asked, [1, -1])[0] for _ in range(400)]
    assert 0.93 <= np.mean([one.low <= 0.15 <= one.high for one in found]) <= 0.99
