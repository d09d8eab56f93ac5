"""The index of runs says what the runs say, and is made again whenever it cannot."""

import json
import os
import shutil
import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from answered import answered, samples, stop
from mossbench.errors import RunError
from mossbench.leaderboard.boards import Board, make_boards
from mossbench.results.index import RunIndex
from mossbench.results.listing import signature_of
from mossbench.results.table import load_results
from mossbench.store.run_folder import RunFolder


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    root = tmp_path_factory.mktemp("indexed")
    data = samples(root / "data", 6, scene=lambda i: f"scene {i // 2}")
    (root / "runs").mkdir()
    answered(data, root / "runs" / "one", refused=(1, 2), failed=(3,))
    answered(data, root / "runs" / "twice", refused=(2,), epochs=2)
    return root / "runs"


@pytest.fixture
def runs(made, tmp_path):
    return shutil.copytree(made, tmp_path / "runs")


def put(runs, name="one", index=None):
    index = index or RunIndex(runs)
    return index, signature_of(runs / name), index.add(name, signature_of(runs / name), name)


def indexed(runs, name="one"):
    index, signature, counted = put(runs, name)
    return index.results(name, signature, RunFolder(runs / name).info(), counted)


@pytest.mark.parametrize("name", ["one", "twice", "stopped"])
def test_rows_of_the_index_are_those_of_the_run(runs, name):
    if name == "stopped":
        shutil.copytree(runs / "one", runs / name)
        stop(runs / name, 4)
    found, true = indexed(runs, name), load_results(runs / name)
    assert found.to_dict() == true.to_dict() and len(found) == len(true)
    for ours, theirs in zip(found.rows, true.rows, strict=True):
        for field in ("key", "sample", "exchange", "verdict", "outcome"):
            assert getattr(ours, field) == getattr(theirs, field)


def test_what_was_counted_comes_back_as_it_was_while_the_files_are_the_same(runs):
    index, signature, counted = put(runs)
    assert RunIndex(runs).counted("one", signature) == counted and counted.rates
    with (runs / "one" / "answers.jsonl").open("a") as file:
        file.write("\n")
    assert index.counted("one", signature_of(runs / "one")) is None


def test_a_judge_that_has_drifted_since_is_told(runs):
    index, before, counted = put(runs)
    RunFolder(runs / "one").drift_path(counted.judge).write_text("it says other things now\n")
    assert signature_of(runs / "one") != before and index.counted("one", signature_of(runs / "one")) is None
    assert put(runs, index=index)[2].drift == load_results(runs / "one").drift == "it says other things now"


def test_what_was_made_of_runs_is_kept_until_they_change_or_it_cannot_be_read(runs):
    index, boards = RunIndex(runs), make_boards([load_results(runs / "one"), load_results(runs / "twice")])

    def kept(made_of, make):
        return index.kept("boards", made_of, tuple[Board, ...], make)

    assert kept(("a", 1), lambda: boards) is boards
    again = kept(("a", 1), lambda: pytest.fail("made again"))
    assert again is not boards and repr(again) == repr(boards) and again[0].rows[0].rate == boards[0].rows[0].rate
    assert kept(("a", 2), tuple) == () and kept(("a", 2), lambda: pytest.fail("made again")) == ()
    with index.open() as db:
        db.execute("UPDATE kept SET content = '[{}]'")
    assert kept(("a", 2), lambda: boards) is boards


def test_a_run_that_cannot_be_read_is_kept_with_its_reason(runs):
    (runs / "one" / "answers.jsonl").unlink()
    index, signature, counted = put(runs)
    assert "is damaged" in counted.error and index.counted("one", signature) == counted


def test_an_answer_is_read_from_the_line_that_counts_or_not_at_all(runs):
    answers = runs / "one" / "answers.jsonl"
    lines = answers.read_text().splitlines(keepends=True)
    again = {**json.loads(lines[0]), "tries": 2}
    answers.write_text("".join([*lines, json.dumps(again) + "\n"]))
    row = indexed(runs).rows[0]
    assert row.exchange.tries == 2
    answers.write_text("".join(lines[1:]))
    with pytest.raises(RunError, match="one changed while it was being read"):
        _ = row.exchange


@pytest.mark.slow
@pytest.mark.parametrize("how", ["garbage", "cut", "empty", "other version", "trigger", "link", "folder", "fifo"])
def test_an_index_that_is_not_sound_is_made_again(runs, how, tmp_path):
    index, signature, counted = put(runs)
    path, other = index.path, tmp_path / "other.db"
    if how in ("garbage", "cut", "empty"):
        content = {"garbage": b"SQLite format 3\0" + b"x" * 9000, "cut": path.read_bytes()[:5000], "empty": b""}
        path.write_bytes(content[how])
    elif how in ("other version", "trigger"):
        with sqlite3.connect(path) as db:
            trigger = "CREATE TRIGGER t AFTER INSERT ON runs BEGIN DELETE FROM rows; END"
            db.execute(trigger if how == "trigger" else "UPDATE made SET by = 'another'")
        db.close()
    else:
        index._remove()
        {"link": lambda: path.symlink_to(other), "folder": path.mkdir, "fifo": lambda: os.mkfifo(path)}[how]()
    for _ in range(2):  # the first who meets the damage removes it
        found = put(runs, index=RunIndex(runs))[2]
        assert found == counted
    if how != "folder":  # which may hold somebody's files: the index is done without
        assert RunIndex(runs).counted("one", signature) == counted
    assert not other.exists() and indexed(runs).to_dict() == load_results(runs / "one").to_dict()


def test_an_index_of_another_version_is_not_read(runs):
    index, signature, counted = put(runs)
    with sqlite3.connect(index.path) as db:
        db.execute("UPDATE made SET by = 'another'")
    db.close()
    assert RunIndex(runs).counted("one", signature) is None and RunIndex(runs).signatures() == {}


KILLED = """
import os, sys
from pathlib import Path
from mossbench.results import index
from mossbench.results.listing import signature_of

class Killing(list):
    n = 0
    def __iter__(self):
        Killing.n += 1
        if Killing.n == 3:
            os._exit(9)
        return super().__iter__()

index._labels = lambda sample: Killing([("stimulus", "any")])
runs = Path(sys.argv[1])
index.RunIndex(runs).add("twice", signature_of(runs / "twice"), "twice")
"""


@pytest.mark.slow
def test_a_process_that_is_killed_leaves_nothing_of_the_run_that_it_put_in(runs):
    assert subprocess.run([sys.executable, "-c", KILLED, str(runs)], check=False).returncode == 9
    with RunIndex(runs).open() as db:
        for table in ("runs", "rows", "texts", "samples", "labels"):
            assert db.execute(f"SELECT COUNT(*) FROM {table}").fetchone() == (0,)
    assert indexed(runs, "twice").to_dict() == load_results(runs / "twice").to_dict()


def test_several_may_put_in_the_same_runs_at_once(runs):
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda name: put(runs, name)[2], ["one", "twice"] * 4))
    index = RunIndex(runs)
    assert sorted(index.signatures()) == ["one", "twice"] and found[0] == found[2] != found[1]
    with index.open() as db:
        n = sum(len(load_results(runs / name)) for name in ("one", "twice"))
        assert [db.execute(f"SELECT COUNT(*) FROM {table}").fetchone()[0] for table in ("rows", "texts")] == [n, n]
    index.forget(["one", "twice"])
    with index.open() as db:
        assert not any(db.execute(f"SELECT COUNT(*) FROM {t}").fetchone()[0] for t in ("rows", "texts", "samples"))


def test_runs_in_a_folder_that_may_not_be_written_have_their_index_in_the_cache(runs, monkeypatch):
    monkeypatch.setattr(os, "access", lambda path, mode, real=os.access: path != runs and real(path, mode))
    index, signature, counted = put(runs)
    assert runs not in index.path.parents and RunIndex(runs).counted("one", signature) == counted
