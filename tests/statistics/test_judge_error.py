import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from mossbench.statistics import Confusion, ppi_rate, random_choice, rogan_gladen, wilson

COUNTS = st.tuples(*[st.integers(0, 60)] * 4)


def sample(rng, n, labelled, *, p=0.3, sensitivity=0.9, specificity=0.95):
    truth = rng.random(n) < p
    reading = np.where(truth, rng.random(n) < sensitivity, rng.random(n) > specificity)
    return np.where(np.arange(n) < labelled, truth, math.nan), reading.astype(float)


def test_rogan_gladen_by_hand():
    # sensitivity .9, specificity .95, read .2: (.2 - .05) / .85
    estimate = rogan_gladen(60, 300, Confusion(true_yes=90, false_yes=10, false_no=10, true_no=190))
    assert estimate.value == pytest.approx(0.15 / 0.85)
    # the width by the delta method: sqrt(.2*.8/300 + .176²*.9*.1/100 + .824²*.95*.05/200)/.85 = .0317, times 3.92
    assert estimate.high - estimate.low == pytest.approx(3.92 * 0.0317, rel=0.05)


@pytest.mark.parametrize(("successes", "n"), [(0, 40), (1, 40), (17, 40), (40, 40), (119, 120)])
def test_a_judge_known_to_make_no_errors_leaves_clopper_and_pearson(successes, n):
    corrected = rogan_gladen(successes, n, Confusion(10**9, 0, 0, 10**9))
    exact = binomtest(successes, n).proportion_ci(method="exact")
    assert (corrected.low, corrected.high) == pytest.approx((exact.low, exact.high), abs=1e-5)


def test_fewer_yes_than_false_alarms_explain_are_not_certainty():
    # 6 % of no are read as yes and none of 120 is: the formula gives less than 0, which is not a rate known to be 0
    none = rogan_gladen(0, 120, Confusion(1900, 120, 100, 1880))
    assert none.value == 0 and none.low == 0 and none.high > 0.025
    all_of_them = rogan_gladen(120, 120, Confusion(1880, 100, 120, 1900))
    assert (all_of_them.low, all_of_them.high) == pytest.approx((1 - none.high, 1))


@pytest.mark.slow
@pytest.mark.parametrize("validated", [100, 4000])
@pytest.mark.parametrize("truth", [0.0, 1.0])
def test_rates_of_0_and_1_are_held_whatever_validation_leaves_open(truth, validated):
    rng, hit = np.random.default_rng(4), 0
    for _ in range(400):
        read = int(rng.binomial(40, 0.95 if truth else 0.04))
        yes, no = int(rng.binomial(validated, 0.95)), int(rng.binomial(validated, 0.96))
        estimate = rogan_gladen(read, 40, Confusion(yes, validated - no, validated - yes, no))
        hit += estimate.low <= truth <= estimate.high
    assert hit >= 0.95 * 400


def test_rows_that_are_alike_are_worth_less():
    validation = Confusion(90, 10, 10, 190)
    alone, alike = rogan_gladen(60, 300, validation), rogan_gladen(60, 300, validation, worth=100)
    assert alike.value == alone.value and alike.high - alike.low > 1.4 * (alone.high - alone.low)
    assert alike.low == pytest.approx(rogan_gladen(20, 100, validation).low)


def test_a_judge_that_never_erred_still_has_an_uncertain_rate():
    plain = wilson(30, 300)
    corrected = rogan_gladen(30, 300, Confusion(25, 0, 0, 25))
    assert corrected.value == pytest.approx(plain.value)
    assert corrected.high - corrected.low > plain.high - plain.low


def test_much_validation_leaves_the_sampling_error_alone():
    plain, corrected = wilson(90, 300), rogan_gladen(90, 300, Confusion(10**6, 0, 0, 10**6))
    assert (corrected.low, corrected.high) == pytest.approx((plain.low, plain.high), abs=4e-3)


@pytest.mark.parametrize("counts", [(1, 9, 9, 1), (5, 5, 5, 5), (0, 3, 0, 7), (7, 0, 3, 0), (0, 0, 0, 0)])
def test_a_judge_no_better_than_chance_says_nothing(counts):
    estimate = rogan_gladen(60, 300, Confusion(*counts))
    assert math.isnan(estimate.value) and (estimate.low, estimate.high) == (0, 1)


def test_nothing_read_gives_no_number():
    estimate = rogan_gladen(0, 0, Confusion(9, 1, 1, 9), n_left_out=4)
    assert math.isnan(estimate.value) and math.isnan(estimate.low) and (estimate.n, estimate.n_left_out) == (0, 4)


@given(st.integers(0, 50), COUNTS)
def test_corrected_rates_stay_within_bounds(successes, counts):
    estimate = rogan_gladen(successes, 50, Confusion(*counts))
    assert 0 <= estimate.low <= estimate.high <= 1
    if not math.isnan(estimate.value):
        assert estimate.low <= estimate.value <= estimate.high


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(8))
def test_the_value_is_that_of_ppi_python_with_each_weight_tuned_on_the_other_labels(seed):
    from ppi_py import ppi_mean_pointestimate

    rng = np.random.default_rng(seed)
    labels, readings = sample(rng, 400, 80, sensitivity=rng.uniform(0.3, 1), specificity=rng.uniform(0.5, 1))
    known = ~np.isnan(labels)
    y, f, others = labels[known], readings[known], readings[~known]
    values, trusts = [], []
    for i in range(len(y)):
        a, b = np.delete(y, i), np.delete(f, i)
        weight = np.cov(a, b, ddof=0)[0, 1] / ((1 + len(y) / len(others)) * readings.var(ddof=1))
        trusts.append(min(max(weight, 0), 1))
        values.append(ppi_mean_pointestimate(y[i : i + 1], f[i : i + 1], others, lam=trusts[-1]))
    found = ppi_rate(labels, readings)
    assert found.rate.value == pytest.approx(float(np.mean(values)))
    assert found.trust == pytest.approx(float(np.mean(trusts)))
    assert found.rate.value == pytest.approx(float(ppi_mean_pointestimate(y, f, others)[0]), abs=0.01)


@pytest.mark.slow
def test_few_labels_do_not_pull_a_rare_rate_down():
    """With the weight tuned on the same labels the mean is 1.9 points low."""
    rng = np.random.default_rng(0)
    values = [ppi_rate(*sample(rng, 300, 20, p=0.1, specificity=0.98)).rate.value for _ in range(2000)]
    assert abs(np.mean(values) - 0.1) < 3 * np.std(values) / math.sqrt(len(values)) < 0.005


def test_with_many_rows_the_interval_is_that_of_ppi_python():
    from ppi_py import ppi_mean_ci

    labels, readings = sample(np.random.default_rng(1), 40_000, 8_000)
    known = ~np.isnan(labels)
    low, high = ppi_mean_ci(labels[known], readings[known], readings[~known], alpha=0.05)
    rate = ppi_rate(labels, readings).rate
    assert (rate.low, rate.high) == pytest.approx((float(low[0]), float(high[0])), abs=2e-4)


def test_a_good_judge_makes_labels_worth_more_and_a_useless_one_costs_little():
    rng = np.random.default_rng(5)
    good = ppi_rate(*sample(rng, 2000, 200, sensitivity=0.98, specificity=0.98))
    assert good.trust > 0.7 and good.worth > 2.5 * 200
    useless = ppi_rate(*sample(rng, 2000, 200, sensitivity=0.5, specificity=0.5))
    assert useless.trust < 0.2 and useless.worth > 0.9 * 200


def test_labels_without_other_readings_are_a_plain_rate():
    found = ppi_rate([1, 0, 0, 0] * 10, [1, 0, 1, 0] * 10)
    assert found.trust == 0 and found.rate.value == 0.25 and found.n_labelled == 40


def test_no_error_among_the_labels_is_not_certainty():
    labels, readings = sample(np.random.default_rng(2), 1000, 30, p=0.1, sensitivity=1, specificity=1)
    found = ppi_rate(labels, readings)
    assert found.rate.high - found.rate.low > 0.08  # the published interval: 0.04


def test_too_few_labels():
    nothing = ppi_rate([math.nan] * 3, [1, 0, 1])
    assert math.isnan(nothing.rate.value) and (nothing.rate.n, nothing.rate.n_left_out) == (0, 3)
    one = ppi_rate([1, None, None, None], [1, 0, 1, None])
    assert not math.isnan(one.rate.value) and math.isnan(one.rate.low)
    assert (one.rate.n, one.rate.n_left_out) == (3, 1)
    with pytest.raises(ValueError, match="2 labels and 3 readings"):
        ppi_rate([1, 0], [1, 0, 1])


@given(st.lists(st.tuples(st.sampled_from([0, 1, None]), st.sampled_from([0, 1, None])), max_size=40))
def test_rates_stay_within_bounds_and_order_does_not_matter(rows):
    labels, readings = [label for label, _ in rows], [reading for _, reading in rows]
    one, other = ppi_rate(labels, readings), ppi_rate(labels[::-1], readings[::-1])
    assert one.rate.value == pytest.approx(other.rate.value, nan_ok=True)
    if not math.isnan(one.rate.low):
        assert 0 <= one.rate.low <= one.rate.value <= one.rate.high <= 1


@pytest.mark.slow
def test_a_random_choice_is_seldom_taken_for_another():
    rng = np.random.default_rng(3)
    features = rng.integers(0, 2, size=(80, 1)).astype(float)
    p = [random_choice(features, rng.permutation(80) < 30, rng=rng, n_permutations=200).p for _ in range(200)]
    assert np.mean(np.array(p) < 0.05) < 0.1


def test_a_choice_by_a_feature_is_seen():
    rng = np.random.default_rng(3)
    features = [[1.0]] * 30 + [[0.0]] * 50
    assert random_choice(features, [True] * 30 + [False] * 50, rng=rng).p < 0.001
    # 3 of 4 of one kind, none of 4 of the other: 4 of the 56 choices of 3 of 8 are as uneven that way, 4 the other way
    p = random_choice([[1.0]] * 4 + [[0.0]] * 4, [True] * 3 + [False] * 5, rng=rng, n_permutations=5000).p
    assert p == pytest.approx(8 / 56, abs=0.02)


@pytest.mark.parametrize("chosen", [[True] * 4, [False] * 4, []])
def test_a_choice_of_all_or_none_says_nothing(chosen):
    assert math.isnan(
        random_choice([[1.0], [0.0], [1.0], [0.0]][: len(chosen)], chosen, rng=np.random.default_rng(0)).p
    )


def test_without_an_interval_the_value_is_the_same():
    validation = Confusion(true_yes=90, false_yes=10, false_no=10, true_no=190)
    whole, quick = (rogan_gladen(60, 300, validation, interval=it) for it in (True, False))
    assert quick.value == whole.value
    assert math.isnan(quick.low) and math.isnan(quick.high)
