import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mossbench.statistics import wilson, wilson_interval
from mossbench.statistics.estimates import jeffreys_interval

COUNTS = st.integers(1, 400).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


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


@pytest.mark.parametrize(("interval", "name"), [(wilson_interval, "wilson"), (jeffreys_interval, "jeffreys")])
@pytest.mark.parametrize(("successes", "n"), [(1, 10), (7, 44), (50, 100), (299, 300)])
@pytest.mark.parametrize("confidence", [0.8, 0.95, 0.99])
def test_every_interval_is_that_of_statsmodels(interval, name, successes, n, confidence):
    from statsmodels.stats.proportion import proportion_confint

    expected = proportion_confint(successes, n, alpha=1 - confidence, method=name)
    assert interval(successes / n, n, confidence=confidence) == pytest.approx(expected, abs=1e-9)


def test_nothing_counted_gives_no_number():
    estimate = wilson(0, 0, n_left_out=3)
    assert (estimate.n, estimate.n_left_out) == (0, 3)
    assert all(math.isnan(x) for x in (estimate.value, estimate.low, estimate.high))


def test_more_successes_than_trials_is_our_mistake():
    with pytest.raises(ValueError, match="5 of 4"):
        wilson(5, 4)


@pytest.mark.parametrize("confidence", [0, 1, 95])
def test_confidence_is_a_share(confidence):
    with pytest.raises(ValueError, match="between 0 and 1"):
        wilson(1, 4, confidence=confidence)


@given(COUNTS)
def test_intervals_hold_the_value_mirror_and_end_at_the_ends(counts):
    successes, n = counts
    one, other = wilson(successes, n), wilson(n - successes, n)
    assert 0 <= one.low <= one.value <= one.high <= 1
    assert (one.low == 0) == (successes == 0) and (one.high == 1) == (successes == n)
    assert (one.low, one.high) == pytest.approx((1 - other.high, 1 - other.low))
