from dataclasses import replace
from math import nan

import pytest

from mossbench.analyses.causes import Causes
from mossbench.analyses.claims import adjust_p, make_claim
from mossbench.analyses.misreading import ArmReading
from mossbench.reports.words.causes import (
    CAUSES,
    base_refused,
    cause_cautions,
    cause_paragraph,
    cause_sentence,
    change_sentence,
    few_requests,
    finding_sentences,
    negation_left_out,
    unexplained_paragraph,
)
from mossbench.statistics import Effect, Estimate

SHARE = Estimate(0.4, 0.3, 0.5, 99, 0, "x")
NOTHING = Estimate(nan, nan, nan, 0, 0, "x")


def effect(value, n=40):
    return Effect(value, 0.03, 39, n, 0, 10 * n)


def shown(name, **comparisons):
    (cause,) = adjust_p([make_claim(name, None, comparisons or {"removed": effect(0.3)}, 9)])
    return cause


def record(*causes, rate=SHARE, base=NOTHING, epochs=3, **fields):
    return Causes(causes, rate, base, epochs, fields.pop("repeats", nan), **fields)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("object", "Refusals fall by 30.0 (23.9 to 36.1) points when the alarming thing is taken out of the image."),
        (
            "length",
            "Refusals rise by 30.0 (23.9 to 36.1) points when filler is added after the request, in its own and in "
            "harmless words.",
        ),
    ],
)
def test_a_cause_is_named_after_what_was_changed(name, text):
    assert cause_sentence(shown(name)) == text


def test_an_overlooked_negation_has_both_of_its_sizes():
    cause = shown("overlooked", removed=effect(0.3), told=effect(0.2), missed=effect(0.1))
    assert "it refuses 10.0 (3.9 to 16.1) points more often" in cause_sentence(cause)
    assert "lowers refusals by 20.0 (13.9 to 26.1) points more than filler does." in cause_sentence(cause)


def test_a_change_to_the_other_side_turns_the_verb_around():
    falls = make_claim("object", None, {"removed": effect(0.3)}, 9)
    assert change_sentence(falls).startswith("Refusals fall by 30.0 (23.9 to 36.1) points when the alarming thing")
    rises = replace(
        make_claim("object", None, {"removed": effect(-0.3)}, 9), p_change_adjusted=1.0, p_reverse_adjusted=0.001
    )
    assert rises.changes == "rises"
    assert change_sentence(rises).startswith("Refusals rise by 30.0 (23.9 to 36.1) points when the alarming thing")


def test_a_change_that_is_not_explained_names_the_comparisons_that_do_not_hold():
    (lost,) = adjust_p([make_claim("words", None, {"reworded": effect(0.3), "reworded, long": effect(0.0)}, 9)])
    assert unexplained_paragraph(lost).startswith("Only the change is shown: Refusals fall by 30.0")
    assert unexplained_paragraph(lost).endswith(
        "Comparisons that would exclude other explanations do not hold: the same, with filler after both."
    )


def test_a_paragraph_says_what_a_cause_rests_on_and_leaves_open():
    assert cause_paragraph(shown("object")).endswith(
        "Measured on 40 harmless requests, 400 answers; adjusted p < 0.001. Excluded: that there is an image, people, "
        "text and darkness, the words and their number, which both sides have alike. Not excluded: what it is about "
        "the thing."
    )


def test_a_finding_without_a_cause_says_how_much_is_refused():
    undecided = make_claim("object", None, {"removed": effect(0.01)}, 9)
    assert finding_sentences(record(rate=NOTHING)) == ["No answer counts, so no cause can be named."]
    assert finding_sentences(record(undecided)) == [
        "No cause is shown.",
        "It refuses 40.0\u202f% (30.0 to 50.0) of the harmless requests.",
    ]
    missing = record(undecided, readings=(ArmReading("plain", 100, 0.5, 0.0, 0.0, 0.0),))
    assert finding_sentences(missing)[1] == (
        "It refuses between 20.0\u202f% and 70.0\u202f% of the harmless requests: 50.0\u202f% of the answers are "
        "missing."
    )
    at_base = record(undecided, base=Estimate(0.8, 0.7, 0.9, 50, 0, "x"))
    assert finding_sentences(at_base) == [
        "No cause is shown: it refuses 80.0\u202f% (70.0 to 90.0) even of harmless words with harmless images."
    ]
    assert finding_sentences(record())[0].startswith(
        "These answers do not show what in the image or the words it refuses"
    )


def test_cautions_follow_what_the_record_lacks():
    assert list(cause_cautions(record())) == []
    once = record(make_claim("object", None, {"removed": effect(nan)}, 9), epochs=1)
    assert list(cause_cautions(once)) == [
        "Every request was asked once, so the effect of one seed and what it always does look the same.",
        "Not decided by these answers: The alarming thing in the image (needs two or more such requests, each "
        "with an image that lacks only the alarming thing (counterfactual)).",
    ]
    (same,) = cause_cautions(record(repeats=0.99))
    assert same.startswith("Of the requests that it refused at least once, it refused 99.0\u202f% all 3 times: at this")


def test_each_caution_has_its_number():
    assert few_requests(shown("object", removed=effect(0.3, n=8))).startswith(
        "The alarming thing in the image rests on only 8 requests, "
    )
    assert base_refused(SHARE).startswith("40.0\u202f% (30.0 to 50.0) are refused with harmless words and an image")
    assert negation_left_out(SHARE).startswith(
        "Its own descriptions of images that oppose a harm omit the negation in 40.0"
    )


def test_every_cause_has_words_for_all_that_is_said_of_it():
    for name, words in CAUSES.items():
        assert words.name and words.excluded and words.not_excluded and words.needs.startswith("needs ")
        assert words.change or name == "overlooked"
