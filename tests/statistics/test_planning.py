import math

import numpy as np
import pytest
from scipy.stats import binom

from mossbench.statistics import n_paired, planning, shown_between, sign_flip_test
from mossbench.statistics.planning import discordant_share, exact_power, fisher_p


def test_paired_rows_by_hand():
    # both .08 (= .02 + .5*.3*.4), discordant .14: 1.959964*sqrt(.14) = .73335; .841621*sqrt(.13) = .30345; (1.0368/.1)²
    assert discordant_share(0.1, 0.2, 0.5) == pytest.approx(0.14)
    # that is Connor's 108, for which the exact test has 77.6 %; at 114 it has 80 % (and 215 instead of 202 for none)
    assert n_paired(0.1, 0.2, correlation=0.5) == 114
    assert n_paired(0.1, 0.2) == 215
    assert n_paired(0.1, 0.2, correlation=0.5, design_effect=1.5) == 171  # clusters cost rows: 114 * 1.5
    assert exact_power(5, 1.0, 1.0) == 0 and exact_power(6, 1.0, 1.0) == pytest.approx(1)
    # 6 pairs, half of them differ, all one way: shown when all 6 differ, 1 / 2**6
    assert exact_power(6, 0.5, 0.5) == pytest.approx(1 / 64)


@pytest.mark.parametrize(("rates", "correlation"), [((0.1, 0.2), 0.3), ((0.3, 0.4), 0.6), ((0.5, 0.6), 0.0)])
def test_the_planned_pairs_have_the_planned_power(rates, correlation):
    one, other = rates
    n = n_paired(one, other, correlation=correlation)
    discordant, gap = discordant_share(one, other, correlation), other - one
    rng = np.random.default_rng(1)
    shares = [(discordant - gap) / 2, (discordant + gap) / 2, 1 - discordant]
    drawn = rng.multinomial(n, shares, size=100_000)[:, :2]
    p = np.minimum(2 * binom.cdf(drawn.min(axis=1), drawn.sum(axis=1), 0.5), 1)
    a, b = drawn[0].tolist()
    assert p[0] == pytest.approx(sign_flip_test([1] * a + [0] * b, [0] * a + [1] * b).p)  # the test that `compare` uses
    assert 0.796 < np.mean(p <= 0.05) < 0.815  # 0.8 within three standard errors, and one more pair adds little


@pytest.mark.parametrize(("rates", "correlation"), [((0.25, 0.254), 0.0), ((0.5, 0.503), 0.6), ((0.05, 0.0515), 0.0)])
def test_plans_of_very_many_pairs_are_hardly_larger_than_the_exact_ones(rates, correlation, monkeypatch):
    quick = n_paired(*rates, correlation=correlation)
    monkeypatch.setattr(planning, "MANY", 10**9)
    assert 1 <= quick / n_paired(*rates, correlation=correlation) < 1.0002


@pytest.mark.parametrize("n", [3, 7, 11, 13])
def test_runs_that_never_agree_are_planned_for_too(n):
    for k in range(n + 1):  # rates k / n and 1 - k / n at correlation -1: rounding once made more than all pairs differ
        if 2 * k != n:
            assert n_paired(k / n, 1 - k / n, correlation=-1.0 if 0 < k < n else 0.0) >= 6


@pytest.mark.slow
@pytest.mark.parametrize(("n", "m"), [(40, 40), (12, 30), (7, 41)])
@pytest.mark.parametrize("level", [0.05, 0.05 / 3])
def test_no_counts_that_are_nearer_are_shown_and_all_that_are_farther_apart_are(n, m, level):
    from scipy.stats import fisher_exact

    least, most = shown_between(n, m, confidence=1 - level)
    tables = [(a, b, abs(a / n - b / m)) for a in range(n + 1) for b in range(m + 1)]
    p = {(a, b): fisher_exact([[a, n - a], [b, m - b]]).pvalue for a, b, _ in tables}
    assert least == pytest.approx(min(gap for a, b, gap in tables if p[a, b] <= level))
    assert most == pytest.approx(max(gap for a, b, gap in tables if p[a, b] > level))
    assert all(fisher_p(a, n, b, m) == pytest.approx(p[a, b]) for a, b, _ in tables[::7])


def test_of_forty_and_forty_fifteen_points_can_be_shown_and_of_few_nothing():
    assert shown_between(40, 40) == pytest.approx((0.15, 0.225))
    assert shown_between(40, 40, confidence=1 - 0.05 / 3)[0] == pytest.approx(0.175)
    assert shown_between(1, 1) == shown_between(2, 3) == (math.inf, 1)


@pytest.mark.parametrize(
    ("plan", "message"),
    [
        (lambda: n_paired(0.2, 0.2), "two different rates"),
        (lambda: n_paired(0.2, 1.2), "two different rates"),
        (lambda: n_paired(0.1, 0.5, correlation=0.9), "cannot have correlation 0.9; the nearest is 0.333"),
    ],
)
def test_plans_that_make_no_sense(plan, message):
    with pytest.raises(ValueError, match=message):
        plan()
