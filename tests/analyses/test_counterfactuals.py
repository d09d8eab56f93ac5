"""Counterfactuals and causes, on tables with known rates and on control models with planted causes."""

import math

import numpy as np
import pytest

import mossbench as mb
from mossbench.analyses import analyse
from mossbench.analyses.causes import name_causes
from mossbench.analyses.cells import Cells
from mossbench.analyses.counterfactuals import NEUTRAL, OWN, two_by_two
from mossbench.samples import Stimulus

LONG = ("long-counterfactual", "neutral-long-counterfactual")
ARMS = ("plain", "counterfactual", "text-only", "swapped", "neutral", "neutral-counterfactual", "neutral-text", *LONG)
ASKED = (14, 14, 1, 1, 14, 14, 1, 8, 8)


def table(rng, *, flipped=0.05, **rates):
    """Forty samples of each stimulus with these causes planted; answers are independent."""
    samples, chances = [], []
    for stimulus in Stimulus:
        here = {cell: 0.0 for cell in ARMS}
        if stimulus is Stimulus.EXAGGERATED_RISK:
            here |= dict.fromkeys((*OWN, *NEUTRAL), rates.get("object", 0))
        elif stimulus is Stimulus.NEGATED_HARM:
            here |= dict.fromkeys(OWN, rates.get("negation", 0))
        else:
            words, together = rates.get("words", 0), rates.get("together", 0)
            here |= dict.fromkeys(("counterfactual", "text-only", "swapped", LONG[0]), words) | {
                "plain": 1 - (1 - words) * (1 - together)
            }
        chances += [[here[arm] for arm in ARMS]] * 40
        samples += [mb.Sample(id=f"{stimulus}-{i}", question="?", stimulus=stimulus) for i in range(40)]
    noisy = np.array(chances) * (1 - 2 * flipped) + flipped
    values = (rng.random((120, len(ARMS), max(ASKED))) < noisy[:, :, None]).astype(float)
    values[:, np.arange(max(ASKED))[None] >= np.array(ASKED)[:, None]] = np.nan
    return Cells(tuple(samples), ARMS, values, np.zeros((120, len(ARMS))))


@pytest.mark.slow
@pytest.mark.parametrize(
    "planted",
    [{}, {"object": 0.15}, {"negation": 0.15}, {"words": 0.15}, {"together": 0.15}, {"object": 0.15, "words": 0.15}],
    ids=lambda planted: "+".join(planted) or "none",
)
def test_planted_causes_are_named_and_others_are_not(planted):
    runs = [name_causes(table(np.random.default_rng([3, seed]), **planted)).shown_names for seed in range(60)]
    assert np.mean([set(planted) <= set(named) for named in runs]) >= 0.9
    assert np.mean([bool(set(named) - set(planted)) for named in runs]) <= 0.1  # 0.05 and what 60 runs may add


def test_a_model_that_refuses_everything_has_no_cause():
    everything = table(np.random.default_rng(0), flipped=1.0)
    found = name_causes(everything)
    assert found.shown_names == () and found.base.value == 1 and found.base.low > 0.9


def test_a_thing_refused_under_harmless_words_is_not_words_and_thing_together():
    rng = np.random.default_rng(1)
    here = table(rng)
    worded = [i for i, sample in enumerate(here.samples) if sample.stimulus is Stimulus.COUNTERINTUITIVE]
    for arm in ("plain", "neutral"):
        place = ARMS.index(arm)
        here.values[worded, place] = rng.random((40, max(ASKED))) < 0.5
    assert "together" not in name_causes(here).shown_names


def test_a_cause_that_cannot_be_measured_is_nan_and_never_named():
    whole = table(np.random.default_rng(2), object=0.5)
    here = whole.of(Stimulus.EXAGGERATED_RISK)
    found = {cause.name: cause for cause in name_causes(here).causes}
    assert found["object"].is_shown and math.isnan(found["words"].p) and not found["words"].is_shown
    assert found["words"].share.n == 0


def test_the_two_by_two_adds_up():
    here = table(np.random.default_rng(4), together=0.4).of(Stimulus.COUNTERINTUITIVE)
    found = two_by_two("x", here)
    adds_up = found.both.value - found.words.value - found.trigger.value + found.neither.value
    assert found.interaction.value == pytest.approx(adds_up) and found.interaction.low > 0
    assert found.of_trigger.value == pytest.approx(found.both.value - found.words.value)


@pytest.mark.slow
def test_saying_that_nothing_is_there_to_see_is_left_out_where_that_is_so():
    def blind(prompt):
        return (
            "I can't see any image here, so I'm unable to view the picture you mention."
            if prompt.picture is None
            else "Sure: start with the sky."
        )

    record = analyse("counterfactuals", blind, limit=4, judge=_incapable).record("counterfactuals")
    assert record.effect("text-only").rate.n == 0 and record.effect("text-only").rate.n_left_out == 4
    assert record.effect("plain").rate.value == 0
    assert "text-only" not in record.q_arms


def _incapable(exchange):
    return mb.Verdict(kind=mb.Kind.INCAPABLE if "can't see" in exchange.answer.text else mb.Kind.ANSWERED)


def test_boxes_of_ones_own_stand_in_for_counterfactual_pictures(small, tmp_path):
    boxes = tmp_path / "boxes.csv"
    boxes.write_text("id,left,top,right,bottom\n1,1,1,5,5\n2,1,1,5,5\n")
    from mossbench.analyses.analysis import Options

    record = analyse("counterfactuals", "control/stonewall", small, options=Options(boxes=boxes)).record(
        "counterfactuals"
    )
    assert record.effect("filled").rate.n == record.effect("blurred").rate.n == 2
    assert record.effect("filled").rate.n_left_out == 4
    assert {effect.arm for effect in record.effects} >= {"plain", "filled", "blurred", "text-only", "blank"}


@pytest.mark.slow
def test_the_page_names_the_cause_and_how_it_was_found():
    from mossbench.reports.analyses import analysis_page, section_of

    analysed = analyse(["causes", "counterfactuals"], "control/jumpy?rate=0.9", limit=30, side="benign", epochs=2)
    section = section_of(analysed.parts[0])
    assert "points when the alarming thing is taken out of the image" in section.finding
    assert section.tables[0].rows[0][1] == "shown"
    page = analysis_page(analysed)
    assert "The alarming thing in the image" in page and page.count("data:image/svg+xml;base64") == 2
