"""A run folder: what is written is read back, a torn last line costs one row, and of several lines the last counts."""

import json
import os
from pathlib import Path

import pytest

from mossbench.errors import RunError, UsageError
from mossbench.outcomes import Exchange, Key, Kind
from mossbench.plumbing.line_writer import LineWriter
from mossbench.samples import Side
from mossbench.store.run_folder import RunFolder
from store.written import JUDGE, SAMPLES, exchange, judgement, run_info, write_run


def key(sample):
    return Key(Side.BENIGN, sample)


def append(path, record):
    with LineWriter(path) as file:
        file.append(record)


def tear(path):
    """The file as a killed process leaves it: half of its last line."""
    content = path.read_bytes()
    path.write_bytes(content[:-20])


def test_what_is_written_is_read_back():
    folder = write_run(Path("r"))
    assert folder.info() == run_info()
    assert folder.samples() == SAMPLES
    assert {key.sample: one.answer.text for key, one in folder.exchanges().items()} == {
        "1": "One.",
        "2": "Two.",
        "3": "Three.",
    }
    assert folder.judges() == [JUDGE]
    assert [one.verdict.kind for one in folder.judgements(JUDGE).values()] == [Kind.ANSWERED] * 3


def test_the_files_have_the_names_that_the_manual_gives():
    folder = write_run(Path("r"))
    names = {path.name for path in folder.path.iterdir()}
    assert names == {"run.json", "samples.jsonl", "answers.jsonl", "verdicts.rules-4.jsonl"}
    assert (folder.batches_path.name, folder.errors_path.name) == ("batches.jsonl", "errors.log")
    assert folder.drift_path(JUDGE) == Path("r/drift.rules-4.txt")


def test_a_torn_last_line_is_not_read_and_dropped_before_the_next_one_is_written():
    folder = write_run(Path("r"))
    tear(folder.answers_path)
    assert set(folder.exchanges()) == {key("1"), key("2")}
    append(folder.answers_path, exchange("3", "Again."))
    assert folder.exchanges()[key("3")].answer.text == "Again."
    assert len(folder.answers_path.read_text().splitlines()) == 3


def test_of_several_lines_of_a_row_the_last_one_counts():
    folder = write_run(Path("r"), texts=("One.", None, "Three."))
    assert folder.exchanges()[key("2")].answer.error is not None
    append(folder.answers_path, exchange("2", "At last."))
    assert folder.exchanges()[key("2")].answer.text == "At last."
    assert len(folder.exchanges()) == 3


def test_a_later_verdict_takes_the_place_of_an_earlier_one():
    folder = write_run(Path("r"))
    append(folder.verdicts_path(JUDGE), judgement(folder.exchanges()[key("2")], Kind.REFUSED))
    assert folder.judgements(JUDGE)[key("2")].verdict.kind is Kind.REFUSED
    assert len(list(folder.read_judgements(JUDGE))) == 4


def test_failures_are_told_from_answers_and_only_they_are_kept():
    folder = write_run(Path("r"), texts=("One.", None, None))
    append(folder.answers_path, exchange("3", "At last."))
    failures = folder.failure_by_key()
    assert set(failures) == {key("1"), key("2"), key("3")}
    assert failures[key("1")] is None and failures[key("3")] is None
    assert isinstance(failures[key("2")], Exchange)


def test_runs_on_the_same_samples_hold_them_once():
    first = write_run(Path("first")).samples()
    second = write_run(Path("second")).samples()
    assert first is second
    third = write_run(Path("third"))
    third.samples_path.write_text(third.samples_path.read_text().replace("What is", "And what is"))
    assert third.samples() is not first and third.samples()[0].question == "And what is 1?"


def test_a_folder_without_files_has_no_rows_and_is_free():
    folder = RunFolder(Path("r"))
    assert folder.is_free() and folder.arms() == () and folder.judges() == []
    assert folder.exchanges() == {} and folder.samples() == []
    Path("r").mkdir()
    Path("r/.left.tmp").write_text("of a process that was killed")
    assert folder.is_free()
    Path("r/thesis.txt").write_text("years of work")
    assert not folder.is_free()
    with pytest.raises(UsageError, match="folder 'r' is not empty; choose another folder with out="):
        folder.check_is_free(or_begun=True)


def test_no_run_a_file_and_a_damaged_run_are_told_apart():
    with pytest.raises(UsageError, match=r"no run in 'r': it has no run.json"):
        RunFolder(Path("r")).info()
    Path("notes.txt").write_text("notes")
    with pytest.raises(UsageError, match="'notes.txt' is a file, expected a run folder$"):
        RunFolder(Path("notes.txt")).info()
    Path("results.json").write_text(json.dumps({"responses": {}}))
    with pytest.raises(UsageError, match=r"with: import_results\('results.json', 'runs/NAME'\)"):
        RunFolder(Path("results.json")).info()
    folder = write_run(Path("r"))
    folder.info_path.write_text("{}")
    with pytest.raises(RunError, match=r"run.json is damaged or of another version"):
        folder.info()


def test_writing_a_run_again_changes_nothing_and_another_one_is_refused():
    folder = write_run(Path("r"))
    before = {path.name: path.stat().st_mtime_ns for path in folder.path.iterdir()}
    exchanges = folder.exchanges().values()
    judgements = {JUDGE: folder.judgements(JUDGE).values()}
    assert folder.write(folder.info(), SAMPLES, exchanges, judgements) is False
    assert {path.name: path.stat().st_mtime_ns for path in folder.path.iterdir()} == before
    with pytest.raises(UsageError, match="folder 'r' is not empty: it contains another run"):
        write_run(Path("r"), texts=("Something else.", "Two.", "Three."), started="2026-11-02T10:00:00+00:00")
    assert folder.exchanges()[key("1")].answer.text == "One."


def test_a_run_whose_writing_was_stopped_is_completed():
    whole = write_run(Path("whole"))
    folder = write_run(Path("r"))
    folder.info_path.unlink()
    folder.verdicts_path(JUDGE).unlink()
    folder.check_is_free(or_begun=True)
    write_run(Path("r"))
    for path in whole.path.iterdir():
        assert (folder.path / path.name).read_bytes() == path.read_bytes()


@pytest.mark.parametrize(("left", "word"), [(None, "deleted"), (30, "cut")])
def test_samples_that_somebody_deleted_or_cut_are_written_again(left, word):
    folder = write_run(Path("r"))
    content = folder.samples_path.read_bytes()
    if left is None:
        folder.samples_path.unlink()
    else:
        folder.samples_path.write_bytes(content[:left])
    assert f"samples.jsonl was {word} while the run was being written" in folder.restore_samples(SAMPLES, len(content))
    assert folder.samples_path.read_bytes() == content
    assert folder.restore_samples(SAMPLES, len(content)) == ""


def test_samples_that_were_changed_in_another_way_are_left_as_they_are():
    folder = write_run(Path("r"))
    n_bytes = len(folder.samples_path.read_bytes())
    folder.samples_path.write_text("mine\n")
    assert folder.restore_samples(SAMPLES, n_bytes) == ""
    assert folder.samples_path.read_text() == "mine\n"


def test_who_holds_a_folder_keeps_others_out_of_it():
    folder = write_run(Path("r"))
    assert not folder.is_being_written()
    with folder.held():
        assert folder.is_being_written()
        with pytest.raises(RunError, match="run folder 'r' is being written by another process"), folder.held():
            pass
    assert not folder.is_being_written() and not Path("r/.lock").exists()
    Path("r/.lock").touch()  # as a killed process leaves it
    assert not folder.is_being_written()


def test_the_judge_that_judged_last_comes_last_also_one_that_found_nothing_to_judge():
    folder = write_run(Path("r"))
    answered = folder.exchanges()[key("1")]
    append(folder.verdicts_path("mine/1"), judgement(answered, judge="mine/1"))
    append(folder.verdicts_path("people/2"), judgement(answered, judge="people/2"))
    folder.verdicts_path("people/2").write_text("")
    for place, label in enumerate((JUDGE, "people/2", "mine/1")):
        os.utime(folder.verdicts_path(label), (place, place))
    assert folder.judges() == [JUDGE, "people/2", "mine/1"]
