"""Rates of which only the shares by stratum are known."""

import numpy as np
import pytest

from mossbench.statistics import rank_shares, strata_rate


def test_strata_statistics_give_known_numbers():
    rate = strata_rate([0.1, 0.3], [50, 50])
    assert (round(rate.value, 3), round(rate.low, 3), round(rate.high, 3)) == (0.2, 0.139, 0.289)
    # One stratum is the two-sample score test: one-sided p of z = 1.98 is 0.0238, and Holm doubles it for two claims.
    for first, apart in ((0.2, True), (0.19, False)):
        found = rank_shares({"a": [first], "b": [0.1]}, [100], rng=np.random.default_rng(0))
        assert (found[0].high_rank == 1) is apart
    nothing = rank_shares({"a": [0.0], "b": [0.0]}, [100], rng=np.random.default_rng(0))
    assert [(one.low_rank, one.high_rank, one.best) for one in nothing] == [(1, 2, 0.5), (1, 2, 0.5)]


def test_shares_that_lie_far_apart_are_ranked_and_equal_ones_are_not():
    rng = np.random.default_rng(0)
    ranked = rank_shares({"a": [0.1, 0.1], "b": [0.5, 0.5], "c": [0.1, 0.1]}, [100, 100], rng=rng)
    assert [(one.name, one.low_rank, one.high_rank, one.tie_group) for one in ranked] == [
        ("a", 1, 2, 1),
        ("c", 1, 2, 1),
        ("b", 3, 3, 2),
    ]
    assert rank_shares({}, [100], rng=rng) == ()


@pytest.mark.parametrize("shares", [(0.05, 0.1, 0.2), (0.3, 0.5, 0.6), (0.02, 0.9, 0.4)])
def test_intervals_hold_the_truth(shares):
    rng, n = np.random.default_rng(1), np.array([100, 44, 100])
    rates = [strata_rate(row, n) for row in (rng.binomial(n, shares, size=(1500, 3)) / n).tolist()]
    assert 0.93 <= sum(rate.low <= sum(shares) / 3 <= rate.high for rate in rates) / 1500 <= 0.985


def test_equal_systems_are_told_apart_in_one_table_of_twenty_at_most():
    rng, n = np.random.default_rng(2), np.array([100, 44, 100])
    wrong = 0
    for _ in range(200):
        shares = rng.binomial(n, (0.1, 0.2, 0.3), size=(8, 3)) / n
        found = rank_shares({str(i): row for i, row in enumerate(shares.tolist())}, n, rng=rng, n_bootstrap=10)
        wrong += any((one.low_rank, one.high_rank) != (1, 8) for one in found)
    assert wrong / 200 <= 0.08  # 5 % are allowed; with 200 tables three standard errors more would be 0.096


def test_ignoring_that_systems_saw_the_same_rows_is_cautious():
    rng, told = np.random.default_rng(3), {0.0: 0, 0.8: 0}
    for alike in told:
        for _ in range(400):
            common = rng.random(100)
            own = np.where(rng.random((2, 100)) < alike, common, rng.random((2, 100)))
            first, second = (own < 0.3).mean(axis=1)
            found = rank_shares({"a": [first], "b": [second]}, [100], rng=rng, n_bootstrap=1)
            told[alike] += found[0].high_rank == 1
    assert told[0.8] < told[0.0] <= 0.09 * 400


def test_the_order_of_systems_does_not_matter():
    shares = {"a": [0.1, 0.2], "b": [0.5, 0.4], "c": [0.3, 0.3]}
    there = rank_shares(shares, [100, 44], rng=np.random.default_rng(0))
    back = rank_shares(dict(reversed(shares.items())), [100, 44], rng=np.random.default_rng(0))
    for one, other in zip(there, back, strict=True):
        assert (one.name, one.low_rank, one.high_rank, one.tie_group) == (
            other.name,
            other.low_rank,
            other.high_rank,
            other.tie_group,
        )
    assert sum(one.best for one in there) == pytest.approx(1)
