"""The share in a population from a stratified sample, checked in part: exact cases, and intervals that hold."""

import math

import numpy as np
import pytest

from mossbench.statistics import wilson
from mossbench.statistics.two_phase import TwoPhaseRows, two_phase_share


def rows(strata, member, yes, *, member_checked=None, yes_checked=None, clusters=()):
    nothing = np.full(len(strata), np.nan)
    return TwoPhaseRows(
        np.array(strata),
        np.array(member, dtype=float),
        np.array(yes, dtype=float),
        nothing if member_checked is None else np.array(member_checked, dtype=float),
        nothing if yes_checked is None else np.array(yes_checked, dtype=float),
        tuple(np.array(codes) for codes in clusters),
    )


NAN = math.nan


def test_of_everything_it_is_the_share_with_about_wilson_s_interval():
    estimate = two_phase_share(rows([0] * 100, [1] * 100, [1] * 10 + [0] * 90))
    plain = wilson(10, 100)
    assert estimate.value == pytest.approx(0.1)
    assert (estimate.low, estimate.high) == pytest.approx((plain.low, plain.high), abs=0.01)


def test_rows_stand_for_those_of_their_stratum():
    # 4 rows of stratum 0, of which 2 are drawn and 1 is yes; 8 rows of stratum 1, of which 2 are drawn and none is yes
    member = [1, 1, NAN, NAN, 1, 1, *[NAN] * 6]
    yes = [1, 0, NAN, NAN, 0, 0, *[NAN] * 6]
    assert two_phase_share(rows([0] * 4 + [1] * 8, member, yes)).value == pytest.approx(2 / 12)


def test_members_alone_count():
    assert two_phase_share(rows([0] * 4, [1, 1, 0, 0], [1, 0, 1, 1])).value == pytest.approx(1 / 2)


def test_checks_correct_what_was_read():
    # Of 4 that are read as yes 2 are checked, and 1 of these is none: 4 - 4 * 1/2 = 2 of 8 members.
    strata = [0] * 4 + [1] * 4
    yes = [1] * 4 + [0] * 4
    checked = [1, 0, NAN, NAN, *[0] * 4]
    assert two_phase_share(rows(strata, [1] * 8, yes, yes_checked=checked)).value == pytest.approx(2 / 8)
    # Of the same 4, 2 are checked for being members, and 1 is none: 4 + 2 members, of which 2 are yes.
    assert two_phase_share(
        rows(strata, [1] * 8, yes, member_checked=[1, 0, NAN, NAN, *[1] * 4])
    ).value == pytest.approx(2 / 6)


def test_without_a_drawn_row_in_a_stratum_nothing_is_known():
    estimate = two_phase_share(rows([0, 0, 1], [1, 1, NAN], [1, 0, NAN]))
    assert math.isnan(estimate.value) and estimate.n == 0
    assert math.isnan(two_phase_share(rows([0, 0], [0, 0], [1, 0])).value)


def test_rows_of_one_cluster_tell_less():
    yes = ([1] * 5 + [0] * 45) * 2
    alone = two_phase_share(rows([0] * 100, [1] * 100, yes))
    users = two_phase_share(rows([0] * 100, [1] * 100, yes, clusters=[np.repeat(np.arange(20), 5)]))
    both = two_phase_share(
        rows([0] * 100, [1] * 100, yes, clusters=[np.repeat(np.arange(20), 5), np.tile(np.arange(50), 2)])
    )
    widths = [estimate.high - estimate.low for estimate in (alone, users, both)]
    assert widths[0] < widths[1] <= widths[2]
    assert users.n_clusters == 20


def test_one_cluster_has_no_interval():
    estimate = two_phase_share(rows([0] * 4, [1] * 4, [1, 0, 0, 0], clusters=[[0] * 4]))
    assert estimate.value == 0.25 and math.isnan(estimate.low)


def test_at_a_share_of_0_or_1_the_members_count_and_not_the_population():
    users = [np.arange(300) % 5]
    member = [1] * 10 + [0] * 290
    none = two_phase_share(rows([0] * 300, member, [0] * 10 + [1] * 290, clusters=users))
    every = two_phase_share(rows([0] * 300, member, [1] * 300, clusters=users))
    of_5_users = wilson(0, 5)
    assert (none.n, none.n_clusters) == (10, 5)
    assert (none.low, none.high) == pytest.approx((0, of_5_users.high))
    assert (every.low, every.high) == pytest.approx((1 - of_5_users.high, 1))
    alone = two_phase_share(rows([0] * 300, member, [0] * 10 + [1] * 290))
    assert alone.high == pytest.approx(wilson(0, 10).high)
    in_two_strata = two_phase_share(rows([0] * 10 + [1] * 290, member, [0] * 10 + [1] * 290, clusters=users))
    assert in_two_strata.high == pytest.approx(of_5_users.high)


def test_at_a_share_of_0_rows_of_few_clusters_tell_little_in_either_way():
    every = [1] * 300
    two_users = two_phase_share(rows([0] * 300, every, [0] * 300, clusters=[np.arange(300) % 2, np.arange(300)]))
    two_requests = two_phase_share(rows([0] * 300, every, [0] * 300, clusters=[np.arange(300), np.arange(300) % 2]))
    assert two_users.high == pytest.approx(wilson(0, 2).high)
    assert two_requests.high == pytest.approx(wilson(0, 2).high)


def test_at_a_share_of_0_rows_that_were_not_drawn_tell_nothing():
    drawn = [1] * 30 + [NAN] * 970
    assert two_phase_share(rows([0] * 1000, drawn, [0] * 1000)).high == pytest.approx(wilson(0, 30).high)


def test_few_checks_without_an_error_do_not_show_that_there_is_none():
    strata = [0] * 100
    yes = [1] * 20 + [0] * 80
    few = two_phase_share(rows(strata, [1] * 100, yes, yes_checked=[*yes[:4], *[NAN] * 96]))
    many = two_phase_share(rows(strata, [1] * 100, yes, yes_checked=[*yes[:90], *[NAN] * 10]))
    assert few.high - few.low > many.high - many.low


# Products with planted rates, users who differ, popular requests, a judge and a sorting that err.


def planted_product(rng, *, n_users, per_user, rate, harmful, judge, sorting):
    user = np.repeat(np.arange(n_users), rng.geometric(1 / per_user, n_users))
    n = len(user)
    request = np.where(rng.random(n) < 0.1, rng.integers(0, 50, n), np.arange(n) + 50)
    is_harmless = rng.random(n) >= rng.beta(harmful * 5, (1 - harmful) * 5, n_users)[user]
    harmless_requests = rng.random(50) >= harmful
    is_harmless = np.where(request < 50, harmless_requests[np.minimum(request, 49)], is_harmless).astype(float)
    log_odds = math.log(rate / (1 - rate)) + rng.normal(0, 1, n_users)[user] + rng.normal(0, 0.7, n + 50)[request]
    refusal = np.where(is_harmless == 1, 1 / (1 + np.exp(-log_odds)), 0.6)
    refused = (rng.random(n) < refusal).astype(float)
    sensitivity, specificity = judge
    read = (rng.random(n) < np.where(refused == 1, sensitivity, 1 - specificity)).astype(float)
    sorted_as = np.where(rng.random(n) < sorting, 1 - is_harmless, is_harmless)
    return user, request, is_harmless, refused, read, sorted_as


def chosen_of(rng, strata, n, among):
    chosen = np.zeros(len(strata), dtype=bool)
    for stratum in (0, 1):
        places = np.flatnonzero((strata == stratum) & among)
        chosen[rng.choice(places, min(len(places), n // 2), replace=False)] = True
    return chosen


def estimate_of(rng, product, n_drawn, n_checked):
    user, request, is_harmless, refused, read, sorted_as = product
    strata = read.astype(int)
    everything = np.ones(len(user), dtype=bool)
    drawn = chosen_of(rng, strata, n_drawn, everything) if n_drawn else everything
    checked = chosen_of(rng, strata, n_checked, drawn) if n_checked else ~everything
    labelled = chosen_of(rng, strata, n_checked, drawn) if n_checked else ~everything
    values = [(sorted_as, drawn), (read, drawn), (is_harmless, checked), (refused, labelled)]
    arrays = [np.where(known, value, np.nan) for value, known in values]
    return two_phase_share(TwoPhaseRows(strata, *arrays, (user, request)))


PRODUCTS = {
    "everything read, no errors": ({"rate": 0.08}, (1.0, 1.0), 0.0, 0, 0),
    "400 drawn, no errors": ({"rate": 0.08}, (1.0, 1.0), 0.0, 400, 0),
    "errors, 400 drawn and 120 checked": ({"rate": 0.08}, (0.9, 0.97), 0.04, 400, 120),
    "errors, rare": ({"rate": 0.02}, (0.9, 0.97), 0.04, 400, 150),
    "many errors of the sorting": ({"rate": 0.08}, (0.9, 0.97), 0.1, 600, 200),
    "30 users, few requests": ({"rate": 0.1, "n_users": 30, "per_user": 3}, (1.0, 1.0), 0.0, 0, 0),
    "20 users, many requests": ({"rate": 0.1, "n_users": 20, "per_user": 50}, (0.9, 0.97), 0.04, 400, 150),
    "nearly everything": ({"rate": 0.97}, (1.0, 1.0), 0.0, 0, 0),
    "60 users, frequent": ({"rate": 0.2, "n_users": 60, "per_user": 20}, (0.9, 0.97), 0.04, 400, 150),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", PRODUCTS)
def test_planted_rates_come_out(name):
    """Coverage of the 95 % interval over 400 products of each kind; 93 to 98 %, give or take 2.2 points of chance."""
    options, judge, sorting, n_drawn, n_checked = PRODUCTS[name]
    options = {"n_users": 150, "per_user": 8, "harmful": 0.15, "judge": judge, "sorting": sorting, **options}
    rng = np.random.default_rng(1)
    products = [planted_product(rng, **options) for _ in range(400)]
    n_refused = sum((product[2] * product[3]).sum() for product in products)
    truth = n_refused / sum(product[2].sum() for product in products)
    estimates = [estimate_of(rng, product, n_drawn, n_checked) for product in products]
    values = np.array([estimate.value for estimate in estimates])
    assert values.mean() == pytest.approx(truth, abs=3 * values.std() / 20)
    coverage = np.mean([estimate.low <= truth <= estimate.high for estimate in estimates])
    assert 0.93 - 0.022 <= coverage <= 0.98 + 0.015
