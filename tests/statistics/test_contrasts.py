import numpy as np
import pytest

from mossbench.statistics import row_rate


def test_worked_number_of_the_docstring():
    rate = row_rate([2, 0, 0, 0], [2, 2, 2, 2])
    assert (rate.value, round(rate.low, 3), round(rate.high, 3), rate.n) == (0.25, 0.046, 0.699, 8)


def test_rows_that_were_not_asked_are_left_out_and_counted():
    assert row_rate([1, 0, 0], [1, 1, 0]).n_left_out == 1


def test_nothing_asked_is_nan_and_one_cluster_has_no_interval():
    none, one = row_rate(np.zeros(3), np.zeros(3)), row_rate([1, 0], [1, 1], ["a", "a"])
    assert np.isnan(none.value) and none.n == 0
    assert one.value == 0.5 and np.isnan(one.low)


def test_answers_that_only_repeat_do_not_make_it_surer():
    once = (np.random.default_rng(0).random(40) < 0.3).astype(float)
    single, often = (row_rate(once * n, np.full(40, n)) for n in (1, 9))
    assert often.high - often.low == pytest.approx(single.high - single.low, rel=0.1)


def test_no_answer_at_all_is_not_certainty():
    rate = row_rate(np.zeros(40), np.ones(40))
    assert rate.value == 0 and rate.high > 0.05


def test_intervals_cover():
    rng, asked = np.random.default_rng(8), np.full(40, 9)
    chances = rng.beta(1, 4, size=(400, 40))  # items differ; their mean is 0.2
    found = [row_rate(rng.binomial(asked, some), asked) for some in chances]
    assert 0.93 <= np.mean([one.low <= 0.2 <= one.high for one in found]) <= 0.99
