import math

import pytest

from mossbench.statistics import wilson


@pytest.mark.parametrize(
    ("successes", "n", "low", "high"),
    [
        # values of scipy.stats.binomtest(...).proportion_ci(method="wilson")
        # z = 1.959964; (p + z²/2n ± z·sqrt(p(1-p)/n + z²/4n²)) / (1 + z²/n)
        (1, 10, 0.01788, 0.40415),
        (0, 10, 0.0, 0.27753),
        (10, 10, 0.72247, 1.0),
        (50, 100, 0.40383, 0.59617),
        (226, 244, 0.88642, 0.95283),
    ],
)
def test_wilson_gives_known_intervals(successes, n, low, high):
    estimate = wilson(successes, n)
    assert estimate.value == successes / n
    assert estimate.low == pytest.approx(low, abs=1e-5)
    assert estimate.high == pytest.approx(high, abs=1e-5)


def test_nothing_counted_gives_no_number():
    estimate = wilson(0, 0, n_left_out=3)
    assert (estimate.n, estimate.n_left_out) == (0, 3)
    assert all(math.isnan(x) for x in (estimate.value, estimate.low, estimate.high))


def test_more_successes_than_trials_is_our_mistake():
    with pytest.raises(ValueError, match="5 of 4"):
        wilson(5, 4)


def test_swapping_success_and_failure_mirrors_the_interval():
    one, other = wilson(3, 17), wilson(14, 17)
    assert one.low == pytest.approx(1 - other.high)
    assert one.high == pytest.approx(1 - other.low)
