"""Tonight's run against a fixed baseline: what is shown, what is left open, and how the nights before count."""

import math
from dataclasses import replace

import numpy as np
import pytest

from bench.series import Table, scores_of
from mossbench.outcomes import Layer
from mossbench.results.comparability import DifferentJudges
from mossbench.results.nightly import AskedInAnotherWay, adjust_for_suite, compare_night
from mossbench.results.suite_comparisons import CellComparison
from mossbench.samples import Side
from mossbench.store.suite_record import InSuite
from tables import results, sides

N = 60


def night(n_refused, name="tonight", **options):
    """A run of which the first so many requests are refused."""
    run = results(sides([i < n_refused for i in range(N)], []), model=name, **options)
    return run


def side_of(comparison):
    (side,) = comparison.sides
    return side


def test_a_large_change_is_shown_and_the_same_answers_are_none():
    changed = side_of(adjust_for_suite([compare_night(night(30), night(10), looks=30)])[0])
    assert changed.is_change and changed.is_worse and changed.window == 1
    assert changed.estimate.value == pytest.approx(20 / 60)
    assert changed.confidence > 0.99
    same = side_of(compare_night(night(10), night(10, "baseline"), looks=30))
    assert not same.is_change and same.p == 1


def test_fewer_refusals_of_harmless_requests_are_a_change_and_not_for_the_worse():
    better = side_of(compare_night(night(5), night(40), looks=30))
    assert better.is_change and not better.is_worse


def test_three_nights_together_show_what_no_night_shows_alone():
    rng = np.random.default_rng(3)
    baseline = results(sides(rng.random(N) < 0.2, []), model="baseline")
    nights = [results(sides(rng.random(N) < 0.5, []), model=f"night {i}") for i in range(3)]
    alone = side_of(compare_night(nights[-1], baseline, looks=30))
    together = side_of(compare_night(nights[-1], baseline, nights[:-1], looks=30))
    assert together.window > 1
    assert together.p < alone.p


def test_more_nights_than_planned_are_over_the_budget():
    comparison = compare_night(night(10), night(10, "baseline"), looks=2, look=3)
    assert comparison.is_over_budget
    assert not compare_night(night(10), night(10, "baseline"), looks=2, look=2).is_over_budget


def test_a_change_on_a_night_over_the_budget_is_undecided():
    names = InSuite(suite="s", model="m", prompt="none", data="d", arm="plain")
    states = {}
    for look in (2, 3):
        shown = compare_night(night(80), night(10, "baseline"), looks=2, look=look)
        assert shown.sides[0].is_worse
        states[look] = CellComparison(names, "tonight", "compared", night=shown).gate_state
    assert states == {2: "fail", 3: "undecided"}


def test_another_temperature_is_another_protocol_and_other_epochs_are_not():
    assert isinstance(compare_night(night(10, temperature=0.5), night(10, "baseline")), AskedInAnotherWay)
    rows = [row for epoch in (1, 2) for row in sides([i < 20 for i in range(N)], [], epoch=epoch)]
    baseline = results(rows, model="baseline", epochs=2)
    side = side_of(compare_night(night(10), baseline))
    assert side.n_samples == N
    assert side.rates == pytest.approx((20 / 60, 10 / 60))


def test_paid_judges_are_never_mixed():
    tonight = replace(night(10), judge="rubric/kinds?model=openai/x/2")
    baseline = replace(night(10, "baseline"), judge="rubric/kinds?model=openai/x/1")
    assert isinstance(compare_night(tonight, baseline), DifferentJudges)
    earlier = replace(night(10, "earlier"), judge="rubric/kinds?model=openai/x/1")
    same_judge = replace(baseline, judge=tonight.judge)
    comparison = compare_night(tonight, same_judge, [earlier])
    assert comparison.nights == ()
    assert [left_out.run for left_out in comparison.left_out] == ["/earlier"]


def test_too_many_missing_rows_leave_it_open_and_few_count_against_the_change():
    failed = results(sides([Layer.FAILED] * 10 + [True] * 50, []), model="tonight")
    side = side_of(compare_night(failed, night(5, "baseline")))
    assert side.is_undecidable and not side.is_change
    few = results(sides([Layer.FAILED] * 2 + [True] * 20 + [False] * 38, []), model="tonight")
    whole = results(sides([True] * 22 + [False] * 38, []), model="tonight")
    assert side_of(compare_night(few, night(5, "baseline"))).p >= side_of(compare_night(whole, night(5, "b"))).p


def test_p_is_adjusted_for_all_comparisons_of_the_suite():
    comparisons = [compare_night(night(20), night(10, "baseline"), looks=30) for _ in range(4)]
    alone = side_of(adjust_for_suite(comparisons[:1])[0]).p_adjusted
    together = [side_of(comparison).p_adjusted for comparison in adjust_for_suite(comparisons)]
    assert together == pytest.approx([min(1.0, 4 * alone)] * 4)
    with_gates = side_of(adjust_for_suite(comparisons[:1], n_other_tests=3)[0]).p_adjusted
    assert with_gates == pytest.approx(min(1.0, 4 * alone))


def test_the_simulation_decides_as_runs_are_decided():
    rng = np.random.default_rng(5)
    columns = rng.random((N, 4)) < 0.3
    columns[:, 2:] |= rng.random((N, 2)) < 0.5
    runs = [results(sides(column, []), model=f"run {i}") for i, column in enumerate(columns.T)]
    side = side_of(compare_night(runs[3], runs[0], runs[1:3], looks=30))
    table = Table(columns[:, :1].astype(float), columns[:, 1:].astype(float), np.arange(N))
    p = table.smallest_p(3, noise=0.0)
    assert side.p == pytest.approx(p)
    assert side.p_over_looks == pytest.approx(scores_of(30, 1.0).p_over_looks(p))


def test_a_side_that_only_one_run_asked_is_not_compared():
    both = results(sides([True] * N, [True] * N), model="baseline")
    comparison = compare_night(night(10), both)
    assert [side.side for side in comparison.sides] == [Side.BENIGN]
    assert not math.isnan(side_of(comparison).p)
