import math
from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mossbench.statistics import cluster_rate, detection

NAN = math.nan
Z = NormalDist().inv_cdf
TWINS = st.lists(st.tuples(st.sampled_from([0, 1, NAN]), st.sampled_from([0, 1, NAN])), min_size=2, max_size=40)


def interval(estimate):
    return estimate.value, estimate.low, estimate.high


def test_rates_and_measures_by_hand():
    found = detection([1] * 20 + [0] * 80, [1] * 75 + [0] * 25)
    assert (found.hit_rate.value, found.false_alarm_rate.value) == (0.75, 0.2)
    assert found.both_right.value == 0.55  # rows 21 to 75
    # log-linear: z(75.5/101) = .6667, z(20.5/101) = -.8311
    assert found.d_prime.value == pytest.approx(1.4978, abs=1e-4)
    assert found.criterion.value == pytest.approx(-(0.6667 - 0.8311) / 2, abs=1e-4)


def test_for_independent_sides_the_interval_is_near_the_delta_method():
    # var d' = H(1-H)/(n φ(zH)²) + F(1-F)/(n φ(zF)²) (Gourevitch and Galanter 1967)
    rng = np.random.default_rng(1)
    n, density = 20_000, NormalDist().pdf
    found = detection(rng.random(n) < 0.2, rng.random(n) < 0.8)
    error = math.sqrt(sum(p * (1 - p) / n / density(Z(p)) ** 2 for p in (0.2, 0.8)))
    assert (found.d_prime.high - found.d_prime.low) / (2 * 1.96) == pytest.approx(error, rel=0.03)
    assert (found.criterion.high - found.criterion.low) / (2 * 1.96) == pytest.approx(error / 2, rel=0.03)


def test_twins_that_move_together_sharpen_d_prime_and_blur_the_criterion():
    rng = np.random.default_rng(2)
    shared, other = rng.random(400), rng.random(400)
    together, apart = detection(shared < 0.3, shared < 0.7), detection(shared < 0.3, other < 0.7)
    width = [found.d_prime.high - found.d_prime.low for found in (together, apart)]
    assert width[0] < 0.9 * width[1]
    width = [found.criterion.high - found.criterion.low for found in (together, apart)]
    assert width[0] > 1.1 * width[1]


def test_a_model_that_never_errs_has_a_finite_d_prime_with_a_finite_interval():
    found = detection([0] * 50, [1] * 50)
    assert found.d_prime.value == pytest.approx(2 * Z(50.5 / 51))
    assert 3 < found.d_prime.low < found.d_prime.value < found.d_prime.high < 8
    assert found.criterion.value == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize("answer", [0, 1])
@pytest.mark.parametrize(("n_benign", "n_contrast"), [(40, 40), (360, 40), (40, 360), (300, 244), (3, 2)])
def test_a_model_that_always_says_the_same_tells_nothing_apart(answer, n_benign, n_contrast):
    n = max(n_benign, n_contrast)
    found = detection([answer] * n_benign + [NAN] * (n - n_benign), [answer] * n_contrast + [NAN] * (n - n_contrast))
    assert found.d_prime.value == 0 and found.d_prime.low < 0 < found.d_prime.high


def test_rows_repeated_on_one_side_leave_d_prime_as_it_is():
    benign, contrast, nothing = [1] * 20 + [0] * 80, [1] * 75 + [0] * 25, [NAN] * 100
    once = detection(benign, contrast, range(100))
    again = detection(benign * 9, contrast + nothing * 8, [*range(100)] * 9)
    assert again.d_prime.value == pytest.approx(once.d_prime.value)
    both = detection(benign * 9, contrast * 9, [*range(100)] * 9, n_samples=100)
    assert both.d_prime.value == pytest.approx(once.d_prime.value)
    assert both.d_prime.low < both.d_prime.value < both.d_prime.high


def test_a_row_without_a_twin_counts_on_its_own_side():
    found = detection([1, 0, 0, NAN], [1, 1, NAN, NAN])
    assert (found.false_alarm_rate.n, found.hit_rate.n, found.both_right.n) == (3, 2, 2)
    assert (found.both_right.n_left_out, found.d_prime.n, found.d_prime.n_left_out) == (2, 3, 1)
    assert found.both_right.value == 0.5


@pytest.mark.parametrize("sides", [([], []), ([NAN], [NAN]), ([1, 0], [NAN, NAN])])
def test_without_one_side_there_is_no_d_prime(sides):
    found = detection(*sides)
    for estimate in (found.d_prime, found.criterion, found.both_right, found.hit_rate):
        assert math.isnan(estimate.value) and estimate.n == 0


def test_one_cluster_has_values_and_no_intervals():
    found = detection([1, 0, 0], [1, 1, 0], ["scene"] * 3)
    for estimate in (found.d_prime, found.criterion, found.both_right):
        assert not math.isnan(estimate.value) and math.isnan(estimate.low) and math.isnan(estimate.high)


@given(TWINS, st.randoms(use_true_random=False))
def test_order_does_not_matter_and_swapping_yes_and_no_turns_the_criterion(twins, random):
    shuffled = random.sample(twins, len(twins))
    one = detection([b for b, _ in twins], [c for _, c in twins])
    other = detection([1 - c for _, c in shuffled], [1 - b for b, _ in shuffled])
    assert interval(one.d_prime) == pytest.approx(interval(other.d_prime), nan_ok=True)
    turned = (-other.criterion.value, -other.criterion.high, -other.criterion.low)
    assert interval(one.criterion) == pytest.approx(turned, nan_ok=True)
    assert interval(one.both_right) == pytest.approx(interval(other.both_right), nan_ok=True)


def test_copies_within_clusters_do_not_sharpen():
    rng = np.random.default_rng(3)
    benign, contrast, scenes = rng.random(60) < 0.2, rng.random(60) < 0.8, np.arange(60)
    once = detection(benign, contrast, scenes)
    twice = detection(np.tile(benign, 3), np.tile(contrast, 3), np.tile(scenes, 3))
    assert twice.d_prime.high - twice.d_prime.low == pytest.approx(once.d_prime.high - once.d_prime.low, rel=0.05)
    assert interval(twice.hit_rate) == pytest.approx(interval(cluster_rate(np.tile(contrast, 3), np.tile(scenes, 3))))
