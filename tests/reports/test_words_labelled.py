"""What is said of a rate that people's labels tell: known figures in, exact words out."""

from dataclasses import replace

import pytest

from mossbench.annotation.label_queue import Standing
from mossbench.outcomes import Layer, Rule
from mossbench.reports.words.labelled import how_labelled, rate_for_requests, share_of_answers, told_by_labels
from mossbench.reports.words.rates import interval_sentence
from mossbench.results.labelled_rates import LabelledRate
from mossbench.results.rates import Corrected, Rate
from mossbench.samples import Side
from mossbench.statistics import Estimate
from mossbench.web.desk_words import label_panel_text, labelled_run_heading, labelled_run_text

LABELLED = LabelledRate(
    side=Side.BENIGN,
    rule=Rule.SYSTEM,
    of_answers=Estimate(0.2, 0.152, 0.249, 54, 0, "stratified"),
    rate=Estimate(0.2, 0.13, 0.28, 300, 0, "stratified"),
    n_answers=300,
    n_labels=60,
    n_labelled=54,
    n_checked=6,
    n_overturned=0,
    n_open=0,
    n_to_check=0,
)
SHARE = "Of 300 answers to harmless requests, 20.0\u202f% (15.2 to 24.9) are refusals."
FOR_REQUESTS = "For requests of this kind the rate is 20.0\u202f% (13.0 to 28.0)."
RESTS_ON = "This rests on 60 labels of 54 answers, drawn at random in groups by verdict and confidence."


@pytest.mark.parametrize(
    ("changes", "more"),
    [
        ({}, "6 answers were labelled again; all first labels stand."),
        ({"n_overturned": 1}, "6 answers were labelled again; 1 first label did not stand."),
        ({"n_checked": 1}, "1 answer was labelled again; all first labels stand."),
        ({"n_checked": 0}, ""),
        ({"n_checked": 0, "n_open": 2}, "2 drawn answers have no result and may be either."),
    ],
)
def test_what_labels_rest_on_is_counted(changes, more):
    assert how_labelled(replace(LABELLED, **changes)) == f"{RESTS_ON} {more}".rstrip()


def test_the_report_says_that_the_judge_does_not_decide():
    words = told_by_labels("rules/4", LABELLED)
    assert words.title == "People’s labels tell the rate"
    assert words.text == (
        "Verdicts are by rules/4, and the corrected rate does not rest on them. "
        f"{SHARE} {FOR_REQUESTS} {how_labelled(LABELLED)}"
    )


def test_harmful_requests_are_named():
    harmful = replace(LABELLED, side=Side.CONTRAST)
    assert share_of_answers(harmful).startswith("Of 300 answers to harmful requests, ")
    assert rate_for_requests(harmful) == FOR_REQUESTS


def test_the_interval_of_the_headline_rests_on_no_judge():
    corrected = Corrected(LABELLED.rate, "labels", "54 labelled answers", "60 labels", is_by_plan=True)
    layers = {**dict.fromkeys(Layer, 0), Layer.JUDGED: 300}
    rate = Rate(Side.BENIGN, "all", Estimate(0.3, 0.25, 0.35, 300, 0, "wilson"), 90, layers, corrected)
    assert interval_sentence(rate) == (
        "For requests of this kind the true rate lies between 13\u202f% and 28\u202f% (95 % interval), as people’s "
        "labels tell it whatever the judge reads."
    )


def standing(**changes):
    begun = Standing(
        side=Side.BENIGN,
        within=0.05,
        n_answers=300,
        rate=LABELLED,
        n_given=63,
        n_left_in_block=7,
        n_left=27,
        is_done=False,
    )
    return replace(begun, **changes)


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"rate": None, "n_left": None, "n_left_in_block": 1}, "The first figures come in 1 label."),
        (
            {},
            f"{SHARE} About 27 labels to go until the interval is ±5 points. The next figures come in 7 labels.",
        ),
    ],
)
def test_the_page_says_when_there_are_more_figures(changes, text):
    assert label_panel_text(standing(**changes)) == text


def test_the_finish_says_the_rate_and_waiting_says_for_whom():
    done = standing(is_done=True, n_left=0)
    assert labelled_run_heading(done) == "Done: 20.0\u202f% (15.2 to 24.9) are refusals"
    assert labelled_run_text(done) == f"{SHARE} {FOR_REQUESTS} {how_labelled(LABELLED)} Everything is saved."
    assert labelled_run_heading(standing()) == "Others have the rest of this block"
    assert labelled_run_text(standing(rate=None)).startswith("They were shown its last answers.")
