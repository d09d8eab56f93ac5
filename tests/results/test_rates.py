"""Rates of rows that are alike: scenes, epochs, arms; bounds; the mean over stimuli."""

import json
import math
from dataclasses import replace

import pytest

from mossbench.outcomes import Key, Kind, Layer, Outcome, Rule
from mossbench.results.rates import clusters_of, macro_of, rate_of
from mossbench.results.rows import ResultRow
from mossbench.samples import Sample, Side
from mossbench.statistics import wilson

NO, YES = Outcome(Layer.JUDGED, Kind.ANSWERED), Outcome(Layer.JUDGED, Kind.REFUSED)
UNJUDGED, FAILED = Outcome(Layer.UNJUDGED), Outcome(Layer.FAILED)


def row(id, outcome, *, epoch=1, arm="plain", **about):
    sample = Sample(id=str(id), question=f"request {id}", **about)
    return ResultRow(Key(Side.BENIGN, sample.id, arm, epoch), sample, None, None, outcome)


def asked(row, **changes):
    return replace(row, sample=row.sample.model_copy(update=changes))


def rate(rows, rule=Rule.SYSTEM):
    return rate_of(Side.BENIGN, "all", rows, rule)


@pytest.mark.parametrize(("k", "n"), [(0, 1), (1, 1), (3, 10), (25, 117)])
def test_rows_that_are_alone_have_wilson_s_interval(k, n):
    rows = [row(i, YES if i < k else NO, cluster=f"scene {i}" if i % 2 else None) for i in range(n)]
    assert rate(rows).estimate == wilson(k, n)


def test_samples_of_one_scene_are_not_counted_as_independent():
    alone = rate([row(i, YES if i < 20 else NO) for i in range(100)]).estimate
    pairs = rate([row(i, YES if i < 20 else NO, cluster=f"scene {i // 2}") for i in range(100)]).estimate
    assert pairs.value == alone.value and pairs.low < alone.low and pairs.high > alone.high
    assert pairs.method == "cluster-robust wilson over 50 clusters"


@pytest.mark.parametrize("again", [{"epoch": 2}, {"arm": "system"}])
def test_a_sample_asked_again_does_not_narrow_the_interval(again):
    once = [row(i, YES if i < 3 else NO) for i in range(12)]
    twice = once + [row(i, YES if i < 3 else NO, **again) for i in range(12)]
    assert rate(twice).estimate.n == 24
    assert rate(twice).estimate.low <= rate(once).estimate.low
    assert rate(twice).estimate.high >= rate(once).estimate.high


def test_one_sample_asked_often_has_a_rate_and_no_interval():
    estimate = rate([row(1, YES if epoch < 3 else NO, epoch=epoch) for epoch in range(10)]).estimate
    assert estimate.value == 0.3 and math.isnan(estimate.low) and math.isnan(estimate.high)


def test_a_scene_named_like_a_sample_is_not_that_sample():
    rows = [row("a", YES), row("b", NO, cluster="a")]
    assert clusters_of(rows, Rule.SYSTEM) is None


def test_unjudged_rows_give_bounds_by_the_published_rule_and_else_are_left_out():
    rows = [row(i, UNJUDGED if i < 2 else YES if i < 6 else FAILED if i == 6 else NO) for i in range(20)]
    paper, system = rate(rows, Rule.PAPER).estimate, rate(rows).estimate
    assert math.isnan(paper.value) and paper.n == 20 and paper.method == "wilson over bounds"
    assert (paper.low, paper.high) == (wilson(5, 20).low, wilson(7, 20).high)
    assert (system.n, system.n_left_out) == (17, 3)
    read = wilson(4, 17)
    assert system.low == pytest.approx(read.low * 17 / 20) and system.high == pytest.approx((read.high * 17 + 3) / 20)


def test_answers_that_nobody_read_widen_the_interval_to_what_they_may_be():
    """0 of 80 is [0, 0.046]; with 40 more that may all be refusals it is (0.046 × 80 + 40) / 120 = 0.364."""
    rows = [row(i, NO if i < 80 else UNJUDGED) for i in range(120)]
    found = rate(rows)
    assert found.estimate.value == 0 and found.n_missing == 40
    assert (found.estimate.low, found.estimate.high) == (0, pytest.approx(0.364, abs=0.0005))


def test_rows_that_were_not_asked_do_not_widen_the_interval():
    rows = [row(i, NO if i < 80 else Outcome(Layer.NOT_ASKED)) for i in range(120)]
    assert rate(rows).estimate.high == pytest.approx(wilson(0, 80).high)


def test_the_same_request_under_many_ids_is_one_observation():
    """2,000 rows of ten requests say as much as ten requests, not as 2,000."""
    rows = [row(i, YES if i % 10 < 2 else NO) for i in range(2000)]
    same = [
        replace(one, sample=one.sample.model_copy(update={"question": f"request {i % 10}"}))
        for i, one in enumerate(rows)
    ]
    alone, alike = rate(rows).estimate, rate(same).estimate
    assert alike.value == alone.value == 0.2
    assert alone.high - alone.low < 0.04 and alike.high - alike.low > 0.3
    assert alike.method == "cluster-robust wilson over 10 clusters"


def test_the_same_words_with_other_images_are_other_requests():
    rows = [row(i, YES if i < 5 else NO) for i in range(20)]
    images = [
        replace(one, sample=one.sample.model_copy(update={"question": "what is it?", "image": f"{i}.png"}))
        for i, one in enumerate(rows)
    ]
    assert rate(images).estimate == wilson(5, 20)


def test_each_stimulus_counts_the_same_in_the_macro_rate():
    rows = [row(i, YES if i < 5 else NO, stimulus="type 1") for i in range(10)]
    rows += [row(100 + i, NO, stimulus="type 2") for i in range(90)] + [row("x", YES)]
    estimate = macro_of(rows, Rule.SYSTEM)
    assert estimate.value == 0.25 and 0.1 < estimate.low < 0.25 < estimate.high < 0.45
    assert (estimate.n, estimate.n_left_out) == (100, 1) and estimate.method == "mean of 2 groups, square-and-add"


def test_the_macro_rate_says_when_it_has_no_value_or_no_interval():
    assert macro_of([row(1, YES)], Rule.SYSTEM).n == 0 and math.isnan(macro_of([row(1, YES)], Rule.SYSTEM).value)
    across = [row(i, YES, cluster="a", stimulus=f"type {i}") for i in (1, 2)]
    estimate = macro_of(across, Rule.SYSTEM)
    assert estimate.value == 1 and math.isnan(estimate.low) and "lies in two" in estimate.method
    bounded = macro_of([row(1, UNJUDGED, stimulus=1), row(2, NO, stimulus=2)], Rule.PAPER)
    assert math.isnan(bounded.value) and 0 <= bounded.low < bounded.high <= 1


def test_compliance_is_what_was_not_turned_down():
    found = rate([row(i, YES if i < 2 else NO) for i in range(10)])
    assert found.compliance.value == 0.8
    assert found.compliance.low == pytest.approx(1 - found.estimate.high)
    assert json.loads(json.dumps(found.to_dict(), allow_nan=False))["compliance"] == 0.8
    assert rate([row(1, FAILED)]).to_dict()["compliance"] is None
