"""Run folders side by side: found by name or path, renamed, archived, taken back and deleted."""

from pathlib import Path

import pytest

from mossbench.errors import RunError, UsageError
from mossbench.store.keeping import (
    archive_run,
    check_name,
    delete_run,
    find_run,
    rename_run,
    restore_run,
    run_folders,
)
from store.written import write_run


@pytest.fixture
def runs():
    for name in ("first", "second"):
        write_run(Path("runs", name))
    return Path("runs")


def names(runs):
    return sorted(path.name for path in run_folders(runs))


def test_only_folders_with_a_run_json_are_runs(runs):
    (runs / "empty").mkdir()
    (runs / "notes.txt").write_text("notes")
    assert names(runs) == ["first", "second"]
    assert run_folders(Path("no such folder")) == []


def test_links_that_lead_out_or_to_themselves_are_no_runs(runs):
    write_run(Path("elsewhere/third"))
    (runs / "third").symlink_to(Path("elsewhere/third").resolve())
    (runs / "loop").symlink_to(runs.resolve() / "loop")
    (runs / "alias").symlink_to(runs.resolve() / "first")
    assert names(runs) == ["alias", "first", "second"]


def test_a_run_is_found_by_its_path_and_by_its_name(runs):
    assert find_run("first") == find_run("runs/first") == find_run(runs / "first") == runs / "first"
    assert find_run("first", "runs") == runs / "first"


def test_a_run_that_is_not_there_is_named_with_what_is(runs):
    with pytest.raises(UsageError, match="no run in 'runs' named 'frist'.*first") as error:
        find_run("frist")
    assert "archived" not in str(error.value)
    archive_run("first")
    with pytest.raises(UsageError, match="it is archived; restore it with: mossbench runs restore"):
        find_run("first")


def test_an_archived_run_is_left_out_of_lists_and_comes_back_whole(runs):
    before = {path.name: path.read_bytes() for path in (runs / "first").iterdir()}
    assert archive_run("first") == runs / "archive/first"
    assert names(runs) == ["second"] and names(runs / "archive") == ["first"]
    assert restore_run("first") == runs / "first"
    assert names(runs) == ["first", "second"]
    assert {path.name: path.read_bytes() for path in (runs / "first").iterdir()} == before


def test_only_an_archived_run_is_taken_back(runs):
    with pytest.raises(UsageError, match="the run in 'runs/second' is not archived"):
        restore_run("runs/second")


def test_an_archived_run_is_not_archived_once_more(runs):
    archive_run("first")
    with pytest.raises(UsageError, match="is already archived; restore it with: mossbench runs restore"):
        archive_run("runs/archive/first")
    assert names(runs / "archive") == ["first"]


def test_runs_in_a_folder_that_is_called_archive_can_be_archived():
    write_run(Path("archive/third"))
    assert archive_run("third", "archive") == Path("archive/archive/third")
    assert restore_run("third", "archive") == Path("archive/third")


def test_an_archived_run_is_taken_back_from_within_the_archive(runs, monkeypatch):
    archive_run("first")
    monkeypatch.chdir(runs / "archive")
    restore_run("first")
    assert sorted(path.name for path in Path("..").iterdir()) == ["archive", "first", "second"]


@pytest.mark.parametrize("run", [".", "..", "../../first"])
def test_the_folder_that_one_is_in_can_be_renamed(runs, monkeypatch, run):
    (runs / "first/sub").mkdir()
    monkeypatch.chdir(runs / "first" if run == "." else runs / "first/sub")
    renamed = rename_run(run, "better").resolve()
    assert renamed.name == "better" and renamed.parent.name == "runs"
    assert (renamed / "run.json").is_file()


def test_a_renamed_run_lies_beside_the_others(runs):
    assert rename_run("first", "better") == runs / "better"
    assert names(runs) == ["better", "second"]


@pytest.mark.parametrize("name", ["", ".", "..", ".hidden", "a/b", "a\\b", "archive"])
def test_what_cannot_be_a_name_is_refused(name):
    with pytest.raises(UsageError, match="not a valid name for a run"):
        check_name(name)


def test_nothing_is_moved_onto_another_run_from_under_a_writer_or_through_a_link(runs):
    with pytest.raises(RunError, match="'runs/second' already exists"):
        rename_run("first", "second")
    folder = write_run(runs / "third")
    with folder.held(), pytest.raises(RunError, match="being written by another process"):
        rename_run("third", "fourth")
    (runs / "alias").symlink_to(runs.resolve() / "first")
    with pytest.raises(UsageError, match="is a link to"):
        delete_run("alias")
    assert names(runs) == ["alias", "first", "second", "third"]


def test_a_deleted_run_is_gone_and_leaves_nothing(runs):
    delete_run("first")
    assert [path.name for path in runs.iterdir()] == ["second"]


def test_what_a_stopped_deletion_has_left_is_deleted_with_the_next_run_of_that_name(runs):
    (runs / ".deleted-first").mkdir()
    (runs / ".deleted-first/answers.jsonl").write_text("")
    delete_run("first")
    assert [path.name for path in runs.iterdir()] == ["second"]


def test_a_run_that_is_being_written_is_not_deleted(runs):
    folder = write_run(runs / "third")
    with folder.held(), pytest.raises(RunError, match="being written by another process"):
        delete_run("third")
    assert names(runs) == ["first", "second", "third"]
