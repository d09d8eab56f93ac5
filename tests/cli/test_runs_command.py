"""`mossbench runs`: list, show, rename, archive, restore, delete; and where runs go."""

import csv
import json
import os
from collections import Counter
from pathlib import Path

import pytest
from click.testing import CliRunner
from filelock import FileLock

import mossbench as mb
from mossbench.annotation.store import Store
from mossbench.cli import cli
from mossbench.results.listing import line_of


def mossbench(*args, code=0, **more):
    done = CliRunner(env={"COLUMNS": "110"}).invoke(cli, list(map(str, args)), prog_name="mossbench", **more)
    assert done.exit_code == code, done.output
    return done


@pytest.fixture
def two(small):
    mossbench("run", "--model", "control/stonewall", "--data", small, "--name", "old", "--no-report", "--quiet")
    mossbench("run", "--model", "control/candid", "--data", small, "--name", "new", "--no-report", "--quiet")
    return Path("runs")


def names(*more):
    return [line["name"] for line in json.loads(mossbench("runs", "--json", *more).stdout)]


def test_a_list_says_of_each_run_what_it_is_and_what_came_out(two, small):
    lines = {line["name"]: line for line in json.loads(mossbench("runs", "--json").stdout)}
    assert lines.keys() == {"old", "new"}
    old = lines["old"]
    assert (old["model"], old["state"], old["n_rows"], old["summary"]["n_answers"]) == (
        "control/stonewall",
        "finished",
        12,
        12,
    )
    assert old["summary"]["rates"]["benign"]["value"] == 1 and old["summary"]["rates"]["contrast"]["refused"] == 6
    shown = mossbench("runs").stdout
    assert "control/stonewall" in shown and "100.0 %" in shown and small.name in shown


def test_a_list_is_counted_again_only_where_a_file_has_changed(two, monkeypatch):
    before = mb.list_runs()
    counted = []
    load = mb.load_results
    monkeypatch.setattr("mossbench.results.listing.load_results", lambda path: counted.append(path.name) or load(path))
    assert mb.list_runs() == before and counted == []
    mb.judge_run("runs/new", lambda exchange: True)
    after = {line.name: line for line in mb.list_runs()}
    assert (
        counted == ["new"] and after["new"].summary.rates["benign"].value == 0
    )  # its own judge is still the one shown


def test_runs_that_cannot_be_read_and_odd_things_are_no_reason_to_fail(two):
    Path("runs/torn").mkdir()
    Path("runs/torn/run.json").write_text("{")
    Path("runs/empty").mkdir()
    Path("runs/file").write_text("x")
    Path("runs/loop").symlink_to("loop")
    os.mkfifo("runs/fifo")
    Path("away").mkdir()
    Path("away/run.json").write_bytes(Path("runs/old/run.json").read_bytes())
    Path("runs/link").symlink_to(Path("away").resolve())
    lines = {line.name: line for line in mb.list_runs()}
    assert lines.keys() == {"old", "new", "torn"}
    assert lines["torn"].state == "cannot be read" and "run.json" in str(lines["torn"].error)
    assert "torn" in mossbench("runs").stdout
    Path("runs/old/answers.jsonl").write_text("")
    shown = " ".join(mossbench("runs").stdout.split())
    assert "run --resume runs/old" in shown and "resume_run(" not in shown


def test_the_state_is_told_by_who_writes_and_what_is_there(two):
    with FileLock("runs/old/.lock"):
        assert line_of(Path("runs/old")).state == "in progress"
    info = json.loads(Path("runs/old/run.json").read_text())
    Path("runs/old/run.json").write_text(json.dumps(info | {"ended": None}))
    answers = Path("runs/old/answers.jsonl")
    answers.write_text("".join(answers.read_text().splitlines(keepends=True)[:5]))
    line = line_of(Path("runs/old"))
    assert (line.state, line.summary.n_answers, line.n_rows) == ("not finished", 5, 12)
    assert "5 of 12" in mossbench("runs").stdout


def test_show_tells_settings_and_rates(two):
    shown = mossbench("runs", "show", "old").stdout
    assert "old: finished" in shown and "control/stonewall" in shown and "12 rows" in shown
    found = json.loads(mossbench("runs", "show", "runs/old", "--json").stdout)
    assert found["config"]["model"] == "control/stonewall" and found["results"]["n_rows"] == 12
    assert "did you mean 'old'" in mossbench("runs", "show", "ol", code=2).stderr


def test_every_command_that_takes_a_run_takes_its_name(two, small):
    assert "control/stonewall" in mossbench("results", "show", "old").stdout
    mossbench("gate", "new", "--baseline", "old", "--max-increase", "0.5", "--mode", "lenient")
    assert "control/candid" in mossbench("compare", "old", "new").stdout
    mossbench("report", "old", "--out", "old.html")
    mossbench("results", "export", "old", "new", "--out", "all.csv")
    mossbench("judge", "apply", "old", "--judge", "keywords")
    mossbench("run", "--resume", "old", "--no-report", "--quiet")
    Path("old").mkdir()  # what is at the path comes first, so that no other run is taken for it
    assert "no run in 'old'" in mossbench("results", "show", "old", code=2).stderr


def test_rename_archive_and_restore_move_the_folder_and_lose_nothing(two):
    before = mb.load_results("runs/old").rates()
    mossbench("runs", "rename", "old", "baseline")
    assert names() == ["new", "baseline"] or names() == ["baseline", "new"]
    assert mb.load_results("runs/baseline").rates() == before
    mossbench("runs", "archive", "baseline")
    assert names() == ["new"] and names("--archived") == ["baseline"]
    assert "it is archived" in mossbench("runs", "show", "baseline", code=2).stderr
    mossbench("runs", "restore", "baseline")
    assert set(names()) == {"new", "baseline"} and mb.load_results("runs/baseline").rates() == before


def test_a_name_that_is_no_name_is_refused(two):
    for name in ("a/b", "../x", ".hidden", "archive", "", "a\\b", "."):
        assert "not a valid name for a run" in mossbench("runs", "rename", "old", name, code=2).stderr, name
        assert "not a valid name for a run" in mossbench("run", "--name", name, code=2).stderr, name
    assert set(names()) == {"old", "new"}


@pytest.mark.slow
def test_nothing_is_moved_onto_something_or_from_under_a_writer(two):
    assert "already exists" in mossbench("runs", "rename", "old", "new", code=1).stderr
    with FileLock("runs/old/.lock"):
        for command in (["rename", "old", "x"], ["archive", "old"], ["delete", "old", "--yes"]):
            assert "being written" in mossbench("runs", *command, code=1).stderr
    assert set(names()) == {"old", "new"}


def test_delete_asks_first_and_takes_only_runs(two):
    Path("precious").mkdir()
    Path("precious/notes.txt").write_text("mine")
    assert "no run" in mossbench("runs", "delete", "precious", "--yes", code=2).stderr
    assert "nothing was deleted" in mossbench("runs", "delete", "old", input="n\n", code=2).stderr
    unanswered = mossbench("runs", "delete", "old", input="", code=2).stderr
    assert "nothing was deleted" in unanswered and "--yes" in unanswered
    assert set(names()) == {"old", "new"} and Path("precious/notes.txt").exists()
    done = mossbench("runs", "delete", "old", input="y\n")
    assert "12 answers of control/stonewall" in done.stdout and names() == ["new"]
    assert [path.name for path in Path("runs").iterdir()] == ["new"]


def test_a_run_that_people_have_labelled_keeps_the_name_that_their_labels_know(two):
    store = Store(two / "annotations.db")
    store.add_items([("one", {"run": "old", "sample": "1"})], double=0, seed=0)
    who = store.annotator(store.join("Ann"))
    store.record(who, store.next_item(who).ref, "label", {"kind": "REFUSED"})
    assert "in 1 label of" in mossbench("runs", "rename", "old", "x", code=2).stderr
    mossbench("runs", "rename", "new", "x")
    assert set(names()) == {"old", "x"}


def test_several_models_have_a_folder_each(small):
    both = ("--model", "control/candid", "--model", "control/stonewall", "--data", small, "--no-report", "--quiet")
    mossbench("run", *both, "--out", "out")
    assert {path.name for path in Path("out").iterdir()} == {"control-candid", "control-stonewall"}
    mossbench("run", *both, "--name", "night")
    assert set(names()) == {"night-control-candid", "night-control-stonewall"}
    assert "omit one of them" in mossbench("run", *both, "--name", "a", "--out", "b", code=2).stderr


def test_several_runs_are_exported_as_one_table(two):
    mossbench("results", "export", "runs/old", "runs/new", "--out", "all.csv")
    with open("all.csv", newline="") as file:
        assert Counter(row["run"] for row in csv.DictReader(file)) == {"old": 12, "new": 12}
    refused = mossbench("results", "export", "runs/old", "runs/new", "--out", "x.json", "--format", "published", code=2)
    assert "holds one run, not 2" in refused.stderr
    refused = mossbench("results", "export", "runs/old", "runs/new", "--out", "card.md", code=2)
    assert "a model card is of one run, not 2" in refused.stderr and not Path("card.md").exists()


def test_each_exported_file_is_named_once(two):
    shown = mossbench("results", "export", "runs/old", "--format", "every-eval-ever", "--out", "eee")
    (path,) = Path("eee").rglob("*.json")
    assert shown.stderr.count("wrote ") == 1 and f"wrote {path}\n" in shown.stderr


def test_an_import_always_names_the_folder_that_it_wrote(two):
    mossbench("results", "export", "runs/old", "--format", "every-eval-ever", "--out", "eee", "--with-answers")
    (path,) = Path("eee").rglob("*.json")
    assert "wrote back" in mossbench("results", "import", str(path), "--out", "back").stderr


def test_a_comparison_as_json_does_not_repeat_its_notes(two, small):
    model = ("--model", "control/candid", "--data", small, "--no-report", "--quiet")
    mossbench("run", *model, "--system", "Be kind.", "--out", "runs/kind")
    notes = mossbench("compare", "runs/old", "runs/kind", "--json", "--format", "csv")
    assert json.loads(notes.stdout)["asked_differently"] and "system prompt" not in notes.stderr


def test_cite_agrees_with_the_citation_file():
    text = (Path(__file__).parents[2] / "CITATION.cff").read_text()
    cited = mossbench("cite").stdout
    assert f"version: {mb.__version__}" in text and f"version = {{{mb.__version__}}}" in cited
    for part in ("Li", "Hengguang", "Cho-Jui", "2406.17806", "International Conference on Learning Representations"):
        assert part in text and part in cited
