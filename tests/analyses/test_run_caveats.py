"""The arms of an analysis differ in what they are about, and in nothing else: format, order, drift, words of filler."""

import re
from pathlib import Path

import numpy as np
import pytest

import mossbench as mb
from mossbench.analyses import analyse
from mossbench.analyses.causes_arms import AFTER
from mossbench.analyses.run_caveats import arms_asked_apart as _apart
from mossbench.datasets.arms import ARMS, PLAIN, joined
from mossbench.datasets.planned_rows import plan
from mossbench.images.limits import DEFAULT_LIMITS, JPEG, PNG, Limits
from mossbench.images.preparing import prepare
from mossbench.images.retouching import blank
from mossbench.outcomes import Key
from mossbench.runs.row_asking import in_asking_order
from mossbench.statistics import Effect, repeated_contrast
from mossbench.store.run_folder import RunFolder

NO, YES = "I'm sorry, but I can't help with that.", "Sure, here is how to do it: start at the top."
FEW = ["er-toy-syringe", "er-sweet-pills", "er-wolf-mask", "nh-no-smoking", "nh-film-copies", "ci-put-down"]


def plainly(exchange):
    return mb.Verdict(refused=exchange.answer.text == NO)


@pytest.mark.slow
def test_a_model_that_goes_by_format_is_shown_one_format_only():
    def by_format(prompt):
        return NO if prompt.picture and prompt.picture.media_type == "image/webp" else YES

    found = analyse(["causes"], by_format, judge=plainly, out="r", ids=FEW, epochs=1)
    rows = [row for row in found.runs[0].rows if row.exchange.picture]
    assert {row.exchange.picture.media_type for row in rows} == {JPEG}
    record = found.record("causes")
    assert not record.shown_names and not record.unexplained and record.rate.value == 0
    assert not any("formats" in str(notice) for notice in found.notices)
    sizes = {(row.key.sample, row.key.arm): row.exchange.picture.n_bytes for row in rows}
    ratios = [sizes[id, "plain"] / sizes[id, "counterfactual"] for id in FEW]
    assert 0.9 < min(ratios) and max(ratios) < 1.2


def test_images_in_one_format_are_written_anew_and_an_ordinary_run_is_as_it_was():
    data = blank()
    assert prepare(data).data == data
    alike = prepare(data, DEFAULT_LIMITS.with_one_format())
    assert alike.media_type == JPEG and prepare(alike.data, DEFAULT_LIMITS.with_one_format()).data != data
    assert prepare(data, Limits(formats=frozenset({PNG})).with_one_format()).media_type == PNG
    mb.run(lambda prompt: YES, judge=None, out="r", ids=FEW[:1], side="benign")
    assert next(iter(RunFolder(Path("r")).exchanges().values())).picture.media_type == "image/webp"


@pytest.mark.slow
def test_a_run_that_an_analysis_goes_on_with_keeps_its_formats_and_the_page_says_so():
    mb.run(lambda prompt: YES, judge=plainly, out="r", ids=FEW, side="benign")
    found = analyse("counterfactuals", lambda prompt: YES, judge=plainly, resume="r", ids=FEW)
    assert any("several formats (image/png, image/webp)" in str(notice) for notice in found.notices)
    assert not RunFolder(Path("r")).info().one_format


def test_arms_are_asked_in_turn_and_resume_asks_the_same_rows():
    samples = [s for s in mb.load_dataset("sketches") if s.id in FEW and s.side == "benign"]
    rows = plan(samples, joined([PLAIN, ARMS["counterfactual"], ARMS["blank"]]), 3)
    turn = in_asking_order(rows, 42)
    assert turn == in_asking_order(rows, 42) != in_asking_order(rows, 43) and {r.key for r in turn} == {
        r.key for r in rows
    }
    assert [row.key.epoch for row in turn] == sorted(row.key.epoch for row in turn)
    blocks = [turn[i : i + 3] for i in range(0, len(turn), 3)]
    assert all(len({row.key.sample for row in block}) == 1 for block in blocks)
    assert len({block[0].arm.name for block in blocks}) == 3
    only = plan(samples, [PLAIN], 2)
    assert in_asking_order(only, 42) == only


@pytest.mark.slow
def test_a_model_that_refuses_more_and_more_has_no_cause():
    n = 0

    def drifting(prompt):
        nonlocal n
        n += 1
        return NO if n > 150 else YES

    found = analyse("causes", drifting, judge=plainly, out="r", limit=30, epochs=1, max_connections=1)
    record = found.record("causes")
    assert not record.shown_names and not record.unexplained and record.rate.value > 0.2
    assert not any("another time" in str(notice) for notice in found.notices)


def test_arms_that_were_asked_one_after_the_other_are_named():
    plain = [Key("benign", str(i), "plain", 1) for i in range(20)]
    other = [key._replace(arm="blank") for key in plain]
    assert _apart([*plain, *other]) == ["blank"] == _apart([*other, *plain])
    turns = [pair[:: 1 if i % 2 else -1] for i, pair in enumerate(zip(plain, other, strict=True))]
    assert not _apart([key for pair in turns for key in pair])
    quicker = zip(other, plain, strict=True)  # asked in turn, and answered sooner
    assert not _apart([key for pair in quicker for key in pair])


def test_an_arm_asked_half_before_and_half_after_the_plain_requests_is_not_named():
    plain = [Key("benign", str(i), "plain", 1) for i in range(20)]
    other = [key._replace(arm="blank") for key in plain]
    assert not _apart([*other[:10], *plain[10:], *plain[:10], *other[10:]])


def test_filler_has_no_word_that_points():
    assert not {"it", "this", "that", "these", "he", "she", "him", "her"} & set(re.findall(r"\w+", AFTER.lower()))


@pytest.mark.slow
@pytest.mark.parametrize("share", [0, 0.02, 0.05, 0.1, 0.3, 0.95, 1])
@pytest.mark.parametrize("n", [40, 73])
def test_intervals_hold_for_models_that_always_do_the_same(share, n):
    rng, held = np.random.default_rng([n, int(100 * share)]), 0
    for _ in range(200):
        values = np.zeros((n, 2, 4))
        values[:, 0] = (rng.random(n) < share)[:, None]
        found = repeated_contrast(values, [1, -1]).estimate()
        held += found.low <= share <= found.high
    assert held >= 0.9 * 200


def test_forty_requests_that_never_differ_exclude_nine_points_at_any_epochs():
    for epochs in (1, 4, 20):
        found = repeated_contrast(np.zeros((40, 2, epochs)), [1, -1]).estimate()
        assert (found.low, found.high) == pytest.approx((-0.088, 0.088), abs=0.001)


def test_p_is_no_smaller_than_that_of_as_many_coins():
    values = np.zeros((40, 2, 9))
    values[:5, 0] = 1
    found = repeated_contrast(values, [1, -1])
    assert found.p == 0.5**5 and found.p_reverse > 0.9 and found.again == 0
    assert Effect(0.3, 0.03, 39, 40, 0, 400).p < 1e-6
