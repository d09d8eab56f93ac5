"""Rows that leave their texts in the files of a run count as those in memory do, and read no text to be counted."""

import copy
import pickle
import shutil

import pytest

import mossbench as mb
from answered import answered, samples, stop
from mossbench.errors import RunError
from mossbench.outcomes import Layer, Outcome
from mossbench.reports.build import make_report
from mossbench.results import rows as stored_rows
from mossbench.results import table
from mossbench.store import config


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    root = tmp_path_factory.mktemp("stored")
    data = samples(root / "data", 6, scene=lambda i: f"scene {i // 2}")
    answered(data, root / "one", refused=(1, 2), failed=(3,), epochs=2)
    answered(data, root / "other", refused=(2, 4), epochs=2)
    shutil.copytree(root / "one", root / "stopped")
    stop(root / "stopped", 4)
    return root


@pytest.mark.parametrize("name", ["one", "stopped"])
def test_stored_rows_say_what_rows_in_memory_say(made, name):
    stored, whole = (mb.load_results(made / name, stored=how) for how in (True, False))
    assert stored.to_dict() == whole.to_dict() and stored.records() == whole.records()
    assert repr(make_report(stored)) == repr(make_report(whole))  # where nothing counts it is NaN
    for one, other in zip(stored.rows, whole.rows, strict=True):
        assert (one.answered, one.judged) == (other.answered, other.judged)
        assert one.counted_as(Outcome(Layer.UNJUDGED)).exchange == other.exchange


def test_a_comparison_of_stored_rows_has_the_same_answers(made):
    found = [
        mb.compare(*(mb.load_results(made / name, stored=how) for name in ("one", "other"))) for how in (True, False)
    ]
    assert found[0] == found[1] and any(flip.answers[0] for flip in found[0].flips)


def test_counting_reads_no_text_and_a_large_run_is_stored_by_itself(made, monkeypatch):
    read = []
    monkeypatch.setattr(table, "LARGE", 3)
    results = mb.load_results(made / "one")
    monkeypatch.setattr(stored_rows.StoredLines, "at", lambda self, place, key: read.append(key))
    assert results.to_dict()["layers"]["failed"] and not read
    assert results.rows[0].exchange is None and len(read) == 1


def test_a_file_that_changed_is_not_read_as_if_it_had_not(made, tmp_path):
    folder = shutil.copytree(made / "one", tmp_path / "one")
    row = mb.load_results(folder, stored=True).rows[1]
    answers = folder / "answers.jsonl"
    answers.write_text(answers.read_text()[100:])
    with pytest.raises(RunError, match="one changed while it was being read; try again"):
        _ = row.exchange


def test_the_names_of_the_model_are_made_once_for_all_rows(made, monkeypatch):
    asked = []
    monkeypatch.setattr(config, "without_folders", lambda name: asked.append(name) or name)
    results = mb.load_results(made / "one")
    results.records()
    results.stood_in()
    assert len(asked) == 2  # as it is shown, and as it was asked


@pytest.mark.parametrize("keep_open", [True, False])
def test_another_run_in_the_place_of_one_is_not_taken_for_it(made, tmp_path, keep_open):
    folder = shutil.copytree(made / "one", tmp_path / "one")
    row = mb.load_results(folder, stored=True).rows[0]
    row.files[0].keep_open = keep_open
    answers = folder / "answers.jsonl"
    other = answers.read_bytes().replace(b'"text":"', b'"text":"But then: ')
    answers.rename(tmp_path / "before")  # so that no new file has its number
    answers.write_bytes(other)
    with pytest.raises(RunError, match="one changed while it was being read; try again"):
        _ = row.exchange


@pytest.mark.parametrize("keep_open", [True, False])
def test_a_run_that_goes_on_while_it_is_read_is_read_as_it_was(made, tmp_path, keep_open):
    folder = shutil.copytree(made / "one", tmp_path / "one")
    row = mb.load_results(folder, stored=True).rows[0]
    row.files[0].keep_open = keep_open
    text = row.exchange.answer.text
    answers = folder / "answers.jsonl"
    again = answers.read_bytes().splitlines(keepends=True)[0].replace(b'"text":"', b'"text":"But then: ')
    with answers.open("ab") as file:
        file.write(again)
    row.files[0]._last = None
    assert row.exchange.answer.text == text
    now = mb.load_results(folder, stored=True).rows[0]
    assert now.exchange.answer.text.startswith("But then: ")


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda results: pickle.loads(pickle.dumps(results))])
def test_results_of_a_large_run_can_be_copied_and_sent_to_another_process(made, copied):
    results = mb.load_results(made / "one", stored=True)
    found = copied(results)
    assert found.to_dict() == results.to_dict() and found.records() == results.records()
    assert [row.exchange for row in found.rows] == [row.exchange for row in results.rows]
