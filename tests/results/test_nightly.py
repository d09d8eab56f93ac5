"""Tonight's run against a fixed baseline: what is shown, what is left open, and how the nights before count."""

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from bench.series import Table, scores_of
from mossbench.datasets.arms import PLAIN
from mossbench.errors import RunError
from mossbench.outcomes import Layer, Outcome
from mossbench.results.comparability import DifferentJudges, pair_rows_of_all_epochs
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


# Earlier nights count without a gap


def in_folder(run, date):
    return replace(run, folder=Path(date) / "cell")


def test_a_night_that_cannot_be_used_ends_the_nights_that_are_taken_together():
    last = in_folder(night(30, temperature=0.5), "night 2")
    before_it = in_folder(night(30), "night 1")
    comparison = compare_night(night(30), night(10, "baseline"), [before_it, last], looks=30)
    assert comparison.nights == () and side_of(comparison).window == 1
    assert [(left_out.run, left_out.reason) for left_out in comparison.left_out] == [
        ("night 1/cell", "night 2/cell, which comes after it, is not either"),
        ("night 2/cell", "it was asked in another way: temperature: 0 and 0.5"),
    ]


def test_a_night_with_too_many_missing_rows_on_a_side_ends_them_on_this_side():
    failed = in_folder(results(sides([Layer.FAILED] * 10 + [True] * 50, []), model="f"), "night 2")
    complete = in_folder(night(30), "night 1")
    gap = side_of(compare_night(night(30), night(10, "baseline"), [complete, failed], looks=30))
    assert (gap.nights, gap.window) == ((), 1)
    no_gap = side_of(compare_night(night(30), night(10, "baseline"), [failed, complete], looks=30))
    assert no_gap.nights == ("night 1/cell",)


def test_an_earlier_night_without_a_judge_is_read_where_that_is_free():
    unjudged_rows = [
        replace(row, outcome=Outcome(Layer.UNJUDGED)) for row in results(sides([True] * N, []), model="e").rows
    ]
    unjudged = in_folder(replace(results(unjudged_rows), judge=None), "night 1")
    comparison = compare_night(night(10), night(10, "baseline"), [unjudged], looks=30)
    assert comparison.nights == ("night 1/cell",) and comparison.left_out == ()


def test_an_error_without_words_leaves_a_night_out(monkeypatch):
    def fail(*_):
        raise RunError("")

    monkeypatch.setattr("mossbench.results.nightly.why_not_comparable", lambda *_: None)
    monkeypatch.setattr("mossbench.results.nightly._why_left_out", fail)
    comparison = compare_night(night(10), night(10, "baseline"), [night(10, "earlier")], looks=30)
    assert comparison.nights == () and comparison.left_out[0].reason == "RunError"


def epochs(n_epochs, n_refused, name):
    rows = []
    for epoch in range(1, n_epochs + 1):
        rows += sides([i < n_refused for i in range(N)], [], epoch=epoch)
    return results(rows, model=name, epochs=n_epochs)


def test_the_boundary_holds_for_earlier_nights_with_fewer_epochs():
    baseline = epochs(3, 20, "baseline")
    once = side_of(compare_night(epochs(1, 20, "tonight"), baseline, looks=30)).confidence
    thrice = side_of(compare_night(epochs(3, 20, "tonight"), baseline, looks=30)).confidence
    mixed = side_of(compare_night(epochs(3, 20, "tonight"), baseline, [epochs(1, 20, "earlier")], looks=30))
    assert mixed.nights and once > thrice
    assert mixed.confidence == once


def two_arms(plain_refused, other_refused, name):
    arms = (PLAIN, PLAIN.model_copy(update={"name": "other"}))
    rows = sides([i < plain_refused for i in range(N)], [])
    rows += sides([i < other_refused for i in range(N)], [], arm="other")
    return results(rows, model=name, arms=arms)


def test_answers_of_two_arms_are_never_exchanged():
    baseline = two_arms(0, N, "baseline")
    tonight = two_arms(0, N, "tonight")
    assert {(first.key.arm, second.key.arm) for first, second in pair_rows_of_all_epochs(baseline, tonight)} == {
        ("plain", "plain"),
        ("other", "other"),
    }
    with_few = side_of(compare_night(two_arms(20, N, "tonight"), baseline, looks=30))
    of_the_arm = side_of(compare_night(night(20), night(0, "baseline"), looks=30))
    assert with_few.p == pytest.approx(of_the_arm.p)  # the other arm, which has not changed, is nothing to shuffle
