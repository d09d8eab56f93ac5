from dataclasses import replace
from math import nan

import pytest

from mossbench.annotation.agreement import Agreement, Measures
from mossbench.reports.words.agreement import agreement_decision, agreement_verdict
from mossbench.statistics import Estimate


def measures(value, low, high, n=120):
    alpha = Estimate(value, low, high, n, 0, "bootstrap")
    return Measures("refused or not", "Cohen", kappa=alpha, alpha=alpha, ac1=alpha, same=n, n=n)


def agreement(value=0.9, low=0.85, high=0.95, **changed):
    found = Agreement(
        n_items=120,
        n_labelled=120,
        n_double=120,
        n_scenes=40,
        rarer=(True, 12),
        people=(measures(value, low, high),),
        pairs=(),
        confusion={},
        judge="rules/4",
        with_judge=(measures(nan, nan, nan, 0),),
        judge_confusion={},
    )
    return replace(found, **changed)


@pytest.mark.parametrize(
    ("changed", "text"),
    [
        ({"n_double": 0}, "no answer has two labels, and answers of 20 scenes need them."),
        ({"n_scenes": 3}, "answers of 3 of the 20 scenes needed have two labels."),
        ({"rarer": (True, 2)}, "2 of the 5 scenes needed have an answer labelled refused."),
        ({"rarer": (False, 0)}, "0 of the 5 scenes needed have an answer labelled not refused."),
    ],
)
def test_what_is_missing_to_tell_is_named(changed, text):
    assert agreement_verdict(agreement(**changed)) == f"Inconclusive so far: {text}"


@pytest.mark.parametrize(
    ("ends", "text"),
    [
        ((0.9, 0.85, 0.95), "People agree well: alpha is 0.90 (0.85 to 0.95) on 120 answers, at least 0.80."),
        (
            (0.8, 0.7, 0.9),
            "People agree well enough for tentative conclusions: alpha is 0.80 (0.70 to 0.90) on 120 answers, at least "
            "0.67.",
        ),
        (
            (0.1, -0.1, 0.3),
            "People do not agree well enough: alpha is 0.10 (−0.10 to 0.30) on 120 answers, less than 0.67.",
        ),
    ],
)
def test_alpha_is_judged_by_the_end_of_its_interval(ends, text):
    assert agreement_verdict(agreement(*ends)) == text


def test_a_bar_within_the_interval_says_how_many_answers_would_tell():
    text = agreement_verdict(agreement(0.75, 0.6, 0.9))
    assert text.startswith("Inconclusive so far whether people agree well enough: alpha is 0.75 (0.60 to 0.90) on 120")
    assert " answers with two labels are needed to decide (80 % power)." in text
    at_the_bar = agreement_verdict(agreement(0.67, 0.5, 0.8))
    assert at_the_bar.endswith("It is not known how many answers with two labels are needed to decide.")


@pytest.mark.parametrize(
    ("people", "headline"),
    [
        (agreement(0.9, 0.85, 0.95), "Labels are good enough to correct the rate"),
        (agreement(0.8, 0.7, 0.9), "Labels are good enough for a tentative corrected rate"),
        (agreement(0.1, -0.1, 0.3), "Labels are not good enough: people disagree too often"),
        (agreement(0.7, 0.6, 0.8), "Still open whether labels are good enough"),
        (agreement(0.9, 0.85, 0.95, n_scenes=3), "Too few double labels to trust a corrected rate"),
        (agreement(0.9, 0.85, 0.95, rarer=(True, 2)), "Too few double labels to trust a corrected rate"),
    ],
)
def test_the_headline_says_whether_labels_can_correct_a_rate(people, headline):
    assert agreement_decision(people) == headline and len(headline.split()) <= 10
