"""How other languages are read: what was measured is what the package reads today."""

import pytest

from judge_training.languages import UNSEEN_ON, counts_by_language, counts_of_unseen, is_held_out, read_examples
from mossbench.judges.languages.signs import MODULES
from mossbench.judges.measured_languages import measured_languages, measured_manners


@pytest.mark.parametrize("language", MODULES)
def test_the_errors_of_a_language_are_those_of_today(language):
    examples = [example for example in read_examples() if is_held_out(example) and example.language == language]
    measured = measured_languages("reader/1")[language]
    assert vars(measured.counts) == {**vars(measured.counts), **counts_by_language(examples)[language]}
    assert measured.counts.n == len(examples)


def test_the_errors_in_unseen_manners_are_those_of_today():
    (unseen,) = [manner for manner in measured_manners("reader/1") if UNSEEN_ON in manner.on]
    counts, n_unfamiliar = counts_of_unseen()
    assert vars(unseen.counts) == {**vars(unseen.counts), **counts}
    assert unseen.n_unfamiliar == n_unfamiliar >= 0.9 * counts["false_no"]
