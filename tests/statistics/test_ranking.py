import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mossbench.statistics import rank, ranking, spearman

NAN = math.nan


def ranked(systems, clusters=None, **options):
    return {place.name: place for place in rank(systems, clusters, rng=np.random.default_rng(1), **options)}


def systems(rates, n=300, seed=1):
    rng = np.random.default_rng(seed)
    return {f"model {rate}": (rng.random(n) < rate).astype(float) for rate in rates}


def test_clear_differences_give_sharp_ranks():
    found = ranked(systems([0.05, 0.3, 0.7]))
    assert list(found) == ["model 0.05", "model 0.3", "model 0.7"]
    assert [(place.low_rank, place.high_rank, place.tie_group) for place in found.values()] == [
        (1, 1, 1),
        (2, 2, 2),
        (3, 3, 3),
    ]
    assert found["model 0.05"].best == 1 and found["model 0.7"].best == 0


def test_what_cannot_be_told_apart_is_a_tie():
    found = ranked(systems([0.10, 0.11, 0.5]))
    assert [place.tie_group for place in found.values()] == [1, 1, 2]
    assert [(place.low_rank, place.high_rank) for place in found.values()] == [(1, 2), (1, 2), (3, 3)]
    assert sum(place.best for place in found.values()) == pytest.approx(1)


def test_two_systems_by_hand():
    # discordant 0 against 6: one-sided 1/64, two hypotheses: 2/64 = 0.031 is told apart; 0 against 5 (2/32) is not
    rows = np.zeros(20)
    for n_more, apart in ((6, True), (5, False)):
        found = ranked({"a": rows, "b": np.arange(20) < n_more})
        assert (found["b"].low_rank == 2) == apart and (found["b"].tie_group == 2) == apart


def test_one_more_refusal_is_no_proof_of_being_worse():
    # "b" has its one yes in a draw with chance 1 - (1 - 1/300)^300 = 0.632; other draws are shared
    found = ranked({"a": np.zeros(300), "b": np.arange(300) == 0})
    assert found["a"].best == pytest.approx(0.632 + 0.368 / 2, abs=0.02)
    assert found["a"].high_rank == 2


def test_rows_of_one_scene_count_once():
    rows = {"a": np.zeros(24), "b": np.arange(24) < 6}
    scenes = np.repeat(np.arange(8), 3)
    assert ranked(rows)["b"].low_rank == 2
    assert ranked(rows, scenes)["b"].low_rank == 1


def test_more_systems_make_claims_dearer():
    rows = {"a": np.zeros(20), "b": np.arange(20) < 6}
    assert ranked(rows)["b"].low_rank == 2
    assert ranked({**rows, "c": np.arange(20) < 3, "d": np.arange(20) < 4})["b"].low_rank == 1


def test_a_system_without_rows_comes_last_and_may_have_any_rank():
    found = ranked({"none": [NAN] * 50, "a": np.zeros(50), "b": np.ones(50)})
    assert list(found)[-1] == "none"
    place = found["none"]
    assert math.isnan(place.rate) and (place.low_rank, place.high_rank, place.best) == (1, 3, 0)
    assert (place.n, place.n_left_out) == (0, 50)
    assert (found["a"].low_rank, found["a"].high_rank) == (1, 2)  # nothing is known against "none"
    assert rank({}, rng=np.random.default_rng(1)) == ()


def test_systems_are_compared_on_the_rows_that_count_for_both():
    # on the shared rows they are alike; the rest was asked of one alone
    a = np.r_[np.zeros(30), np.ones(30)]
    b = np.r_[np.zeros(30), [NAN] * 30]
    found = ranked({"a": a, "b": b})
    assert found["a"].low_rank == 1 and found["b"].high_rank == 2
    assert found["b"].n_left_out == 30


@given(
    st.lists(st.lists(st.integers(0, 1), min_size=4, max_size=4), min_size=6, max_size=30), st.permutations(range(4))
)
def test_rank_sets_hold_the_rank_and_names_and_order_do_not_matter(table, order):
    rows = np.array(table, dtype=float)
    one = ranked({f"m{i}": rows[:, i] for i in range(4)}, n_bootstrap=50)
    other = ranked({f"m{i}": rows[::-1, i] for i in order}, n_bootstrap=50)
    for name, place in one.items():
        assert place.low_rank <= place.rank <= place.high_rank
        twin = other[name]
        assert (place.rank, place.low_rank, place.high_rank) == (twin.rank, twin.low_rank, twin.high_rank)


def test_spearman_by_hand_and_by_scipy():
    from scipy.stats import spearmanr

    assert spearman([1, 2, 3, 4, 5], [2, 1, 4, 3, 5]).value == pytest.approx(0.8)  # 1 - 6*4/120
    rng = np.random.default_rng(2)
    first, second = rng.integers(0, 8, 40), rng.integers(0, 8, 40)  # many equal values
    assert spearman(first, second).value == pytest.approx(spearmanr(first, second).statistic)


def test_the_interval_of_spearman_by_hand():
    # rho .8, n 5: atanh .8 = 1.0986; half 1.959964*sqrt((1 + .32)/2) = 1.5923; tanh(-.4937), tanh(2.6909)
    estimate = spearman([1, 2, 3, 4, 5], [2, 1, 4, 3, 5])
    assert (estimate.low, estimate.high) == pytest.approx((-0.4571, 0.9909), abs=1e-4)


@pytest.mark.parametrize("sign", [1, -1])
def test_perfect_order_is_not_certainty(sign):
    estimate = spearman(range(6), [sign * x for x in range(6)])
    near, far = (estimate.high, estimate.low) if sign > 0 else (estimate.low, estimate.high)
    assert estimate.value == pytest.approx(sign) and near == sign and 0 < far * sign < 0.9


@pytest.mark.parametrize(("first", "second"), [([], []), ([1], [1]), ([1, 1, 1, 1, 1], [1, 2, 3, 4, 5])])
def test_there_is_no_order_without_differences(first, second):
    assert math.isnan(spearman(first, second).value) and math.isnan(spearman(first, second).low)


def test_three_pairs_have_no_interval_and_gaps_are_left_out():
    estimate = spearman([1, 2, 3, NAN], [1, 3, 2, 4])
    assert (estimate.value, estimate.n, estimate.n_left_out) == (0.5, 3, 1) and math.isnan(estimate.low)


@given(st.lists(st.tuples(st.integers(-9, 9), st.integers(-9, 9)), min_size=5, max_size=30))
def test_only_the_order_matters_and_either_side_may_be_first(pairs):
    first, second = np.array(pairs, dtype=float).T
    one, other = spearman(first, second), spearman(np.exp(second), first**3)
    assert (one.value, one.low, one.high) == pytest.approx((other.value, other.low, other.high), nan_ok=True)
    if not math.isnan(one.low):
        assert -1 <= one.low <= one.value + 1e-9 and one.value - 1e-9 <= one.high <= 1


def test_clusters_are_drawn_few_at_a_time_with_the_same_chances(monkeypatch):
    table = (np.random.default_rng(1).random((4, 60)) < 0.3).astype(float)
    codes, asked = np.arange(60) // 2, []
    all_at_once = ranking.cluster_draws(30, 450, np.random.default_rng(0))

    def draws(n, size, rng):
        asked.append(size)
        return cluster_draws(n, size, rng)

    cluster_draws = ranking.cluster_draws
    monkeypatch.setattr(ranking, "cluster_draws", draws)
    chances = ranking.best_chances(table, codes, np.random.default_rng(0), 450)
    whole = ranking.most_often_lowest(ranking.drawn_rates(table, codes, all_at_once))
    assert sum(asked) == 450 and max(asked) <= 200 and chances.tolist() == whole.tolist()


def test_draws_without_any_rate_count_for_nobody():
    rates = np.array([[0.1, 0.2], [np.inf, np.inf], [np.inf, 0.3], [0.2, 0.2]])
    assert ranking.most_often_lowest(rates).tolist() == [0.5, 0.5]
    assert np.isnan(ranking.most_often_lowest(np.full((3, 2), np.inf))).all()
