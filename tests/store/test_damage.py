"""Files that have lost rows are found out, with the way back; what is only unfinished or imported in part is not."""

from pathlib import Path

import pytest

from mossbench.errors import RunError
from mossbench.store.damage import check_verdicts, checked_exchanges, planned_rows
from store.written import JUDGE, write_run


def read(folder):
    info = folder.info()
    return checked_exchanges(folder, info, planned_rows(folder, info))


def without_last_line(path):
    path.write_text("".join(path.read_text().splitlines(keepends=True)[:-1]))


def test_a_whole_run_is_read():
    assert len(read(write_run(Path("r")))) == 3


def test_lost_samples_are_named_with_the_way_back():
    folder = write_run(Path("r"))
    without_last_line(folder.samples_path)
    message = r"samples for 2 of the 3 rows of the run; restore it, or delete it and write it again with: resume_run"
    with pytest.raises(RunError, match=message):
        read(folder)
    folder.samples_path.unlink()
    with pytest.raises(RunError, match="the 3 rows of the run; restore it, or write it again with"):
        read(folder)


def test_a_run_that_is_about_to_start_has_no_rows_and_no_damage():
    folder = write_run(Path("r"), ended=None)
    folder.samples_path.unlink()
    folder.answers_path.unlink()
    assert planned_rows(folder, folder.info()) == []


def test_missing_answers_are_lost_in_a_run_that_ended_and_not_in_a_stopped_one():
    folder = write_run(Path("r"), texts=("One.",))
    with pytest.raises(RunError, match=r"2 of its 3 answers are missing \(benign 2, benign 3\); restore it"):
        read(folder)
    assert len(read(write_run(Path("stopped"), texts=("One.",), ended=None))) == 1


def test_more_failures_than_when_the_run_ended_are_lost_answers():
    folder = write_run(Path("r"), texts=("One.", None, None), failed=1)
    with pytest.raises(RunError, match="2 rows in it failed, 1 when the run ended: later answers are missing"):
        read(folder)
    assert len(read(write_run(Path("same"), texts=("One.", None, None), failed=2))) == 3
    assert len(read(write_run(Path("old"), texts=("One.", None, None), failed=None))) == 3


def test_an_import_of_a_part_may_lack_answers():
    assert len(read(write_run(Path("r"), texts=("One.",), is_partial_import=True))) == 1


def test_lost_verdicts_are_named_with_the_way_back():
    folder = write_run(Path("r"))
    info = folder.info()
    check_verdicts(folder, info, JUDGE, 3)
    check_verdicts(folder, info, "another/1", 0)
    with pytest.raises(RunError, match=r"2 of 3 verdicts are there; restore it, or .*judge_run\('r', 'rules'\)"):
        check_verdicts(folder, info, JUDGE, 2)
