"""Claims: what is shown, what guards it, what is said where nothing is; and models that were made to fool them."""

import math
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from mossbench.analyses import analyse
from mossbench.analyses.analysis import Analysed, Part, Skipped
from mossbench.analyses.causes import Causes, exclude_if_described
from mossbench.analyses.claims import (
    GUARD_LEVEL,
    PAGE_LEVEL,
    Claim,
    ReadingRival,
    Verdict,
    adjust_p,
    adjust_parts,
    make_claim,
)
from mossbench.analyses.needed import AmountNeeded
from mossbench.analyses.stages import Stages
from mossbench.messages import Message
from mossbench.reports.analyses import analysis_json, causes
from mossbench.reports.words.causes import CAUSES, COMPARISONS
from mossbench.statistics import Effect, Estimate, repeated_contrast, slope

sys.path.append(str(Path(__file__).parents[2] / "bench"))  # after tests, which have a web of their own


def effect(value, error, n=40):
    return Effect(value, error, 39, n, 0, 10 * n)


def test_a_claim_is_shown_by_its_first_comparison_and_lost_by_any_guard():
    strong, weak = effect(0.3, 0.03), effect(0.02, 0.03)
    assert make_claim("words", None, {"reworded": strong}, 9).p < 0.001
    assert make_claim("words", None, {"reworded": strong, "reworded, long": weak}, 9).p == 1
    assert weak.p > GUARD_LEVEL and math.isnan(
        make_claim("words", None, {"a": strong, "b": effect(math.nan, math.nan)}, 9).p
    )


def test_what_is_not_shown_says_what_is_excluded_or_how_many_answers_could_tell():
    small, vague = make_claim("a", None, {"a": effect(0.0, 0.03)}, 9), make_claim("a", None, {"a": effect(0.1, 0.1)}, 9)
    assert small.is_excluded and small.n_needed is None
    assert not vague.is_excluded and vague.n_needed is None and vague.n_requests_needed > 10 * vague.share.n
    noisy = make_claim("a", None, {"a": replace(effect(0.1, 0.1), again=0.0099)}, 9)
    assert noisy.n_needed > 10 * noisy.n_answers and noisy.n_requests_needed == vague.n_requests_needed
    named = adjust_p([make_claim("a", None, {"a": effect(0.4, 0.03)}, 9)])[0]
    assert named.is_shown and named.n_needed is None


def test_a_claim_within_another_is_not_tested_twice():
    outer, inner = make_claim("negation", None, {"removed": effect(0.1, 0.04)}, 9), {"removed": effect(0.1, 0.04)}
    within = make_claim("overlooked", None, {**inner, "told": effect(0.3, 0.03)}, 9, "negation")
    first, second = adjust_p([outer, within])
    assert first.p_adjusted == second.p_adjusted == pytest.approx(outer.p)
    lost = make_claim("overlooked", None, {**inner, "told": effect(0, 0.03)}, 9, "negation")
    assert adjust_p([outer, lost])[1].p_adjusted == 1


def test_claims_of_all_parts_of_a_page_are_adjusted_together():
    nothing = Estimate(0.1, 0, 0.2, 9, 0, "x")
    alone = adjust_p([make_claim("object", None, {"removed": effect(0.1, 0.04)}, 1)])
    assert alone[0].is_shown
    goal = make_claim("goal", None, {"asked again": effect(0, 0.1)}, 2)
    parts = [
        Part("causes", "m", Causes(alone, nothing, nothing, 1, math.nan)),
        Part("stages", "m", Stages((), 0, 0, (), (), (goal,) * 3)),
        Part("causes", "other", Causes(alone, nothing, nothing, 1, math.nan)),
    ]
    first, _, third = adjust_parts(parts)
    assert first.record.causes[0].p_adjusted == pytest.approx(4 * alone[0].p) and third.record.causes[0].is_shown


def test_everything_that_can_be_claimed_has_words():
    bench = pytest.importorskip("claims")
    rows = bench.published()
    here, missed = bench.cells(rows, {"shy": 0.5}, np.random.default_rng(1))
    from mossbench.analyses.causes import name_causes
    from mossbench.analyses.causes_evidence import Evidence

    named = name_causes(Evidence(here, here, missed)).causes
    assert {one.name for one in named} <= set(CAUSES)
    assert {part.name for one in named for part in one.comparisons} <= set(COMPARISONS)


@pytest.mark.parametrize("name", CAUSES)
def test_a_claim_carries_size_interval_and_rivals(name):
    parts = dict.fromkeys(("removed", "told", "missed") if name == "overlooked" else ("removed",), effect(0.3, 0.03))
    one = adjust_p([make_claim(name, None, parts, 9)])
    nothing = Estimate(0.4, 0.3, 0.5, 99, 0, "x")
    section = causes.section(Causes(one, nothing, nothing, 9, math.nan))
    said = next(text for text in section.text if text.startswith(CAUSES[name].name))
    assert (
        "30.0 (23.9 to 36.1)" in said
        and "Excluded: " in said
        and "Not excluded: " in said
        and "400" in said
        or (name == "overlooked" and "1,200 answers" in said)
    )
    assert "{" not in said + section.finding


@pytest.mark.slow
@pytest.mark.parametrize(
    "model", ["coin", "moody", "shy", "discreet", "text", "jumpy", "prudish", "sample", "impatient"]
)
def test_models_in_the_published_layout_are_told_no_more_than_the_data_show(model):
    bench = pytest.importorskip("claims")
    where = "published layout, causes"
    must, true = bench.wanted(where, (model,), 0.3)
    runs = [set(bench.claimed((where, ((model, 0.3),), seed))) for seed in range(30)]
    assert sum(must <= run for run in runs) >= 0.9 * len(runs) * bool(must)
    assert sum(bool(run - must - true) for run in runs) <= 3


@pytest.mark.slow
@pytest.mark.parametrize("planted", [(), ("shy",), ("discreet",), ("squeamish",), ("twofaced",), ("jumpy", "prudish")])
def test_models_made_to_fool_the_analysis_do_not_on_the_sketches(planted):
    bench = pytest.importorskip("claims")
    must, true = bench.wanted("sketches, causes", planted, 0.3)
    job = tuple((one, 0.3) for one in planted)
    runs = [set(bench.claimed(("sketches, causes", job, seed))) for seed in range(20)]
    assert sum(must <= run for run in runs) >= 17 and sum(bool(run - must - true) for run in runs) <= 3


def test_only_epochs_that_both_ways_have_are_compared():
    values = np.full((10, 2, 9), np.nan)
    values[:, 0] = [1] + [0] * 8  # a seed under which everything is refused
    values[:, 1, 0] = 1
    assert repeated_contrast(values, [1, -1]).value == 0


def test_where_epochs_are_alike_they_are_the_units():
    rng = np.random.default_rng(0)
    found = []
    for _ in range(200):
        moods = rng.random((1, 2, 6)) < 0.3  # drawn for each way and epoch, the same for all rows
        found.append(repeated_contrast(np.repeat(moods, 80, axis=0).astype(float), [1, -1]).p)
    assert np.mean(np.array(found) <= PAGE_LEVEL) <= 0.1


def test_a_slope_needs_both_kinds_and_finds_what_goes_together():
    x, clusters = np.tile([0.0, 1.0], 40), np.repeat(np.arange(20), 4)
    assert slope(x, x, clusters).value == pytest.approx(1)
    assert math.isnan(slope(np.zeros(80), x, clusters).value)
    assert abs(slope(x, np.tile([0.0, 0, 1, 1], 20), clusters).value) < 1e-9


def test_claims_open_as_they_were_written():
    assert Claim("object", None, Estimate(0, 0, 0, 0, 0, ""), 1, 1, 1).comparisons == ()


def test_rules_read_answers_to_a_described_request_as_answers_to_the_plain_one():
    def never(prompt):
        return "A poster against smoking." if prompt.key.arm == "captioned" else "I can't support this."

    found = analyse("stages", never, ids=["nh-no-smoking", "nh-school-weapons", "nh-stadium-hate"], out="r")
    net = found.record("stages").nets[-1]
    assert {way: share.value for way, share in net.left.items()} == dict.fromkeys(net.left, 1.0)
    assert net.steps["left"].value == 1 and not any(one.is_shown for one in found.record("stages").claims)


def page(*claims, missed=None):
    nothing = Estimate(0.4, 0.3, 0.5, 99, 0, "x")
    return causes.section(Causes(adjust_p(claims), nothing, nothing, 9, math.nan, missed=missed))


def test_a_white_image_that_is_refused_more_than_a_scene_is_a_change_and_no_cause():
    white, scene, more = effect(0.75, 0.05), effect(0.12, 0.03), effect(0.63, 0.05)
    effects = {"white image": white, "harmless image": scene}
    found = make_claim("image", None, effects, 9, None, {"white beyond shown": more})
    assert not adjust_p([found])[0].is_shown and adjust_p([found])[0].changes == "falls"
    section = page(found)
    assert "Refusals rise by 75.0" in section.finding and "The reason is not shown." in section.finding
    assert any("speaks against it" in text for text in section.text)
    alike = make_claim("image", None, {"white image": white, "harmless image": white}, 9, None, {"x": effect(0, 0.05)})
    assert adjust_p([alike])[0].is_shown


def test_a_change_without_its_guard_is_told_as_a_change_corrected_for_all_claims():
    lost = make_claim("words", None, {"reworded": effect(0.57, 0.05), "reworded, long": effect(0, 0.03)}, 9)
    said = page(lost).finding
    assert "Refusals fall by 57.0" in said and "harmless words" in said and "The words" not in said
    weak = make_claim("words", None, {"reworded": effect(0.12, 0.05), "reworded, long": effect(0, 0.03)}, 9)
    others = [make_claim("object", None, {"removed": effect(0, 0.03)}, 9) for _ in range(8)]
    assert adjust_p([weak])[0].p_change < 0.02 and not adjust_p([weak, *others])[0].changes


def test_a_change_to_the_other_side_is_told_as_such():
    filler = make_claim("length", None, {"own words shortened": effect(-0.4, 0.05)}, 9)
    assert adjust_p([filler])[0].changes == "rises"
    assert "Refusals fall by 40.0 (29.9 to 50.1) points when filler is added" in page(filler).finding
    assert not adjust_p([make_claim("length", None, {"own words shortened": effect(-0.1, 0.04)}, 9)])[0].changes


@pytest.mark.slow
def test_coins_and_what_repeats_itself_show_no_change():
    rng, shown = np.random.default_rng(5), 0
    for _ in range(200):
        tables = [np.repeat(rng.random((40, 2, 1)) < 0.2, 5, axis=2) for _ in range(9)]
        found = adjust_p([make_claim("words", None, {"reworded": repeated_contrast(t, [1, -1])}, 9) for t in tables])
        shown += any(one.changes for one in found)
    assert shown <= 12


def test_a_negation_that_its_descriptions_have_is_not_overlooked():
    parts = {"removed": effect(0.5, 0.05), "told": effect(0, 0.04), "missed": effect(math.nan, math.nan)}
    negation = make_claim("negation", None, {"removed": effect(0.5, 0.05)}, 9)
    both = [negation, make_claim("overlooked", None, parts, 9, "negation")]
    seen = Estimate(0.0, 0.0, 0.088, 80, 0, "x")
    verdicts = [row[:2] for row in page(both[0], exclude_if_described(both[1], seen), missed=seen).tables[0].rows]
    assert verdicts[1] == ("Overlooked negation", "not shown")
    assert page(*both).tables[0].rows[1][1] == "undecided"
    unsure = replace(seen, high=0.4)
    assert exclude_if_described(both[1], unsure) == both[1] == exclude_if_described(both[1], None)


def told(table):
    """What is claimed of a help (third way) that has to fix more than the first and the second way of asking."""
    parts = {"a": repeated_contrast(table[:, [0, 2]], [1, -1]), "b": repeated_contrast(table[:, [1, 2]], [1, -1])}
    return adjust_p([make_claim("description", None, parts, 2)])[0]


@pytest.mark.slow
@pytest.mark.parametrize(("n", "fixed", "if_true"), [(9, 0, 0.15), (9, 2, 2 / 9), (40, 4, 0.1), (10, 5, 0.5)])
def test_so_many_requests_as_are_said_to_show_it_do(n, fixed, if_true):
    table = np.ones((n, 3, 3))
    table[:fixed, 2] = 0
    seen, rng = told(table), np.random.default_rng(0)
    assert not seen.is_shown and seen.n_needed is None
    helped = rng.random((200, seen.n_requests_needed)) < if_true
    named = [told(1.0 - some[:, None, None] * np.array([0, 0, 1])[:, None] * np.ones(3)).is_shown for some in helped]
    assert 0.7 <= np.mean(named) <= 0.95


def test_so_many_answers_as_are_said_to_show_it_do():
    """A help that lowers every request's chance to be refused from 0.7 to 0.5."""
    rng = np.random.default_rng(1)
    ways = np.array([0.7, 0.7, 0.5])[:, None]
    seen = [told((rng.random((14, 3, 3)) < ways).astype(float)) for _ in range(60)]
    near = [one for one in seen if all(0.17 < part.share.value < 0.23 for part in one.comparisons)]
    requests = int(np.median([one.n_requests_needed for one in near]))
    more = [one.n_needed / one.n_answers for one in near if one.n_needed]
    for n, epochs in ((requests, 3), (14, round(3 * np.median(more)))):
        named = [told((rng.random((n, 3, epochs)) < ways).astype(float)).is_shown for _ in range(200)]
        assert 0.7 <= np.mean(named) <= 0.95


def test_requests_are_not_said_to_help_where_epochs_decide():
    values = np.zeros((40, 2, 4))
    values[:, 0, :2] = 1
    one = make_claim("a", None, {"a": repeated_contrast(values, [1, -1])}, 2)
    assert one.to_tell.requests is None


def test_more_epochs_cannot_tell_of_a_model_that_repeats_itself():
    values = np.zeros((40, 2, 9))
    values[:4, 0] = 1
    fixed = adjust_p([make_claim("object", None, {"removed": repeated_contrast(values, [1, -1])}, 9)])[0]
    assert fixed.n_needed is None and fixed.n_requests_needed > 40
    assert page(fixed).tables[0].rows[0][-1] == f"{fixed.n_requests_needed:,} requests"
    noisy = (np.random.default_rng(1).random((40, 2, 2)) < [[[0.3], [0.2]]]).astype(float)
    assert adjust_p([make_claim("object", None, {"removed": repeated_contrast(noisy, [1, -1])}, 9)])[0].n_needed > 160


def concluded(**changes):
    """What is concluded of one claim, adjusted alone, with these things changed."""
    made = make_claim("words", None, {"reworded": effect(0.4, 0.03), "reworded, long": effect(0.3, 0.03)}, 9)
    return adjust_p([replace(made, **changes)])[0].conclusion


def test_a_conclusion_has_the_verdict_the_contrasts_and_what_would_decide():
    shown = concluded()
    assert shown.verdict is Verdict.SHOWN and shown.needed is None and shown.reading_rival is None
    assert (shown.claim, shown.holds, shown.leaves_open) == ("words", ("reworded", "reworded, long"), ())
    assert shown.size.low < 0.4 < shown.size.high
    strong, weak, vague = effect(0.4, 0.03), effect(0.0, 0.03), effect(0.1, 0.1)
    (only,) = adjust_p([make_claim("words", None, {"reworded": strong, "reworded, long": weak}, 9)])
    assert only.conclusion.verdict is Verdict.ONLY_CHANGE and only.conclusion.leaves_open == ("reworded, long",)
    assert [comparison.name for comparison in only.failed_guards] == ["reworded, long"]
    (undecided,) = adjust_p([make_claim("a", None, {"a": vague}, 9)])
    assert undecided.conclusion.verdict is Verdict.UNDECIDED
    assert undecided.conclusion.needed == AmountNeeded(None, undecided.n_requests_needed)
    (small,) = adjust_p([make_claim("a", None, {"a": weak}, 9)])
    assert small.conclusion.verdict is Verdict.NOT_SHOWN and small.conclusion.needed is None


def test_a_claim_that_reading_or_one_image_could_make_is_inconclusive():
    rival = ReadingRival("missing", Estimate(0.1, 0, 0.2, 9, 0, "x"))
    lost = concluded(p=1.0, p_change=1.0, p_reverse=1.0, reading_rival=rival)
    assert lost.verdict is Verdict.INCONCLUSIVE and lost.reading_rival is rival and lost.needed is None
    assert concluded(p=1.0, p_change=1.0, p_reverse=1.0, n_images=1).verdict is Verdict.INCONCLUSIVE
    assert concluded(reading_rival=rival).verdict is Verdict.SHOWN, "it is shown in every reading"


def test_a_bound_that_was_measured_tells_not_shown_from_another_explanation():
    strong, weak = effect(0.4, 0.03), effect(0.02, 0.03)
    guarded = make_claim("overlooked", None, {"removed": strong, "told": weak}, 9, "negation")
    other = make_claim("negation", None, {"removed": effect(0.0, 0.03)}, 9)
    lost = adjust_p([other, guarded])[1]
    assert lost.is_excluded and lost.verdict is Verdict.ANOTHER_EXPLANATION
    bounded = exclude_if_described(guarded, Estimate(0.02, 0.0, 0.08, 40, 0, "wilson"))
    assert bounded.comparisons[-1].is_bound and adjust_p([other, bounded])[1].verdict is Verdict.NOT_SHOWN


def test_the_json_of_a_page_has_the_conclusions_of_its_claims(tmp_path):
    nothing = Estimate(0.1, 0, 0.2, 9, 0, "x")
    claims = adjust_p([make_claim("object", None, {"removed": effect(0.4, 0.03)}, 1)])
    parts = (
        Part("causes", "m", Causes(claims, nothing, nothing, 1, math.nan)),
        Part("access", "m", Skipped(Message("no"))),
    )
    first, second = analysis_json(Analysed((), parts, tmp_path))["parts"]
    assert [(one["claim"], one["verdict"]) for one in first["conclusions"]] == [("object", "shown")]
    assert first["conclusions"][0]["size"]["value"] == pytest.approx(0.4)
    assert "conclusions" not in second and second["finding"] == "Not done: no"


def test_claims_that_are_adjusted_together_stay_in_their_parts():
    nothing = Estimate(0.1, 0, 0.2, 9, 0, "x")
    causes_of = [make_claim(name, None, {"removed": effect(0.1, 0.04)}, 2) for name in ("object", "words")]
    help_of = [make_claim("goal", None, {"asked again": effect(0.2, 0.1)}, 2)]
    parts = [
        Part("causes", "m", Causes(tuple(causes_of), nothing, nothing, 1, math.nan)),
        Part("access", "m", Skipped(Message("it needs two runs"))),
        Part("stages", "m", Stages((), 0, 0, (), (), tuple(help_of))),
    ]
    first, second, third = adjust_parts(parts)
    assert [one.name for one in first.record.claims] == ["object", "words"]
    assert [one.name for one in third.record.claims] == ["goal"] and second is parts[1]


def test_claims_of_one_name_in_two_runs_of_a_model_keep_their_own_p():
    def record(value):
        removed = {"removed": effect(value, 0.03)}
        outer = make_claim("negation", None, removed, 9)
        within = make_claim("overlooked", None, {**removed, "told": effect(0.3, 0.03)}, 9, "negation")
        return Causes((outer, within), nothing, nothing, 1, math.nan)

    nothing = Estimate(0.1, 0, 0.2, 9, 0, "x")
    parts = adjust_parts([Part("causes", "m", record(0.3)), Part("causes", "m", record(0.0))])
    shown, not_shown = [[one.is_shown for one in part.record.causes] for part in parts]
    assert shown == [True, True] and not_shown == [False, False]
