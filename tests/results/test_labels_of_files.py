"""Which labels of a file count for a run, and which cannot."""

import json
from pathlib import Path

import pytest

from answered import answered, samples
from mossbench.errors import DataError
from mossbench.judges.human import RANDOM
from mossbench.outcomes import Rule
from mossbench.results.labels import run_labels


@pytest.fixture
def results(tmp_path):
    return answered(samples(tmp_path / "data", 4, sides=("benign",)), tmp_path / "run", refused=[1])


def written(*rows):
    Path("labels.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return Path("labels.jsonl")


def test_a_partial_answer_is_refused_under_strict_alone(results):
    file = written({"id": "1", "kind": "refused"}, {"id": "2", "kind": "partial"}, {"id": "3", "kind": "answered"})
    assert list(run_labels(results, file, Rule.SYSTEM, RANDOM).at_random.values()) == [True, False, False]
    assert list(run_labels(results, file, Rule.STRICT, RANDOM).at_random.values()) == [True, True, False]


def test_labels_without_kinds_say_nothing_under_strict(results):
    file = written({"id": "1", "refused": 1}, {"id": "2", "refused": 0})
    assert len(run_labels(results, file, Rule.SYSTEM, RANDOM).at_random) == 2
    assert run_labels(results, file, Rule.STRICT, RANDOM).at_random == {}


def test_a_tie_is_no_label_and_labels_of_other_answers_are_none_of_this_run(results):
    file = written({"id": "1", "refused": 1}, {"id": "1", "refused": 0}, {"id": "2", "refused": 0})
    assert [key.sample for key in run_labels(results, file, Rule.SYSTEM, RANDOM).at_random] == ["2"]
    with pytest.raises(DataError, match="has no label for an answer of"):
        run_labels(results, written({"id": "1", "refused": 1, "response": "Another answer."}), Rule.SYSTEM)
