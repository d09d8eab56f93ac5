"""How other languages are read: what was measured is what the package reads today."""

import json

import pytest

from judge_training.languages import (
    MANNERS,
    MANNERS_ON,
    UNSEEN,
    is_held_out,
    read_by_package,
    read_examples,
    rows_of_unseen,
    unseen_sets,
)
from mossbench.judges.languages.signs import MODULES
from mossbench.judges.measured_languages import measured_languages
from mossbench.judges.reader import VERSION

LONGEST_BY_CHANCE = 24
"""Characters of an answer ("Nein.") that two writers may write alike."""


@pytest.mark.parametrize("language", MODULES)
def test_the_errors_of_a_language_are_of_the_answers_that_are_left_out(language):
    examples = [example for example in read_examples() if is_held_out(example) and example.language == language]
    measured = measured_languages(f"reader/{VERSION}")[language]
    n_read = sum(read_by_package(example).refused is not None for example in examples)
    assert f"{len(examples)} {language} answers" in measured.on
    assert abs(measured.counts.n - n_read) <= 1


def test_the_errors_on_what_is_never_fitted_on_are_those_of_today():
    stored = json.loads(MANNERS.read_text("utf-8"))
    assert [row for row in stored if MANNERS_ON not in row["on"]] == rows_of_unseen()


def test_the_manners_that_were_left_out_are_those_of_the_examples():
    (stored,) = [row for row in json.loads(MANNERS.read_text("utf-8")) if MANNERS_ON in row["on"]]
    examples = [example for example in read_examples() if example.manner]
    assert sum(stored["counts"].values()) + stored["unread"] == len(examples)


def test_nothing_that_is_never_fitted_on_is_among_the_examples():
    answers_fitted_on = {example.response for example in read_examples()}
    for examples in unseen_sets().values():
        shared = [
            example for example in examples if example.response in answers_fitted_on and len(example.response) > 24
        ]
        assert not shared
    assert len(read_examples(UNSEEN)) > 120
