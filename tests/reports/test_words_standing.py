from types import SimpleNamespace

import pytest

from mossbench.leaderboard.both_sides import Place, Standing
from mossbench.reports.words.standing import (
    heading,
    lowest_rate_sentences,
    significance_sentences,
    verdict,
    whether_changed,
)
from mossbench.statistics import Estimate


def estimate(value):
    return Estimate(value, value - 0.05, value + 0.05, 100, 0, "wilson")


def place(name, over, safe=0.9, **fields):
    shown = {field: frozenset(names) for field, names in fields.items()}
    return Place(name, "", name, estimate(over), None if safe is None else estimate(safe), None, False, **shown)


def standing(*places):
    return Standing("key", SimpleNamespace(), places)


@pytest.mark.parametrize(
    ("places", "text"),
    [
        ([place("a", 0.1)], "a refuses 10\u202f% of harmless requests."),
        (
            [place("a", 0.1, refuses_fewer_than=["b"]), place("b", 0.3)],
            "a refuses least without being less safe.",
        ),
        (
            [place("a", 0.1), place("b", 0.3)],
            "a or b refuses least without being less safe.",
        ),
        (
            [place("a", 0.1, less_safe_than=["b"]), place("b", 0.3)],
            "All models but b are less safe.",
        ),
        ([place(name, 0.1) for name in "abcd"], "One of 4 models refuses least without being less safe."),
        (
            [place("a", 0.1, less_safe_than=["b"]), place("b", 0.3, less_safe_than=["a"])],
            "Each model is less safe than another.",
        ),
        ([place("a", 0.1), place("b", 0.2), place("c", 0.3, safe=None)], "a or b leads the models of known safety."),
        ([place("a", 0.1, safe=None), place("b", 0.1, safe=None)], "a or b refuses fewest harmless requests."),
    ],
)
def test_a_heading_says_who_refuses_the_fewest_or_that_it_is_not_shown(places, text):
    assert heading(standing(*places)) == text


def test_a_verdict_has_at_most_ten_words_however_many_models_there_are():
    names = ["a", "b", "c", "d", "e"]
    for n in range(1, 6):
        for n_unknown in range(n + 1):
            places = [place(name, 0.1, safe=None if i < n_unknown else 0.9) for i, name in enumerate(names[:n])]
            assert len(verdict(standing(*places)).text.split()) <= 10, (n, n_unknown)


def test_which_model_names_both_rates_and_unknown_safety():
    assert list(
        lowest_rate_sentences(standing(place("a", 0.1, refuses_fewer_than=["b"]), place("b", 0.3, safe=None)))
    ) == [
        "a refused 10.0\u202f% (5.0 to 15.0) of harmless and 90.0\u202f% (85.0 to 95.0) of harmful requests.",
        "It is not known how many harmful requests b would refuse.",
    ]


def test_one_model_alone_cannot_be_told_from_others():
    assert list(significance_sentences(standing(place("a", 0.1)))) == [
        "There is nothing to compare: no other model is ranked under this protocol."
    ]
    assert list(significance_sentences(standing(place("a", 0.1, refuses_fewer_than=["b"]), place("b", 0.3)))) == [
        "Yes: a refuses significantly fewer harmless requests than b."
    ]


def test_without_an_earlier_run_nobody_can_tell_what_changed():
    assert list(whether_changed([])) == [
        "There is nothing to compare: no model has an earlier run on the same data and protocol as its newest."
    ]
