"""Commands that take runs take all that lies in a folder of runs: files that lie beside them are skipped."""

import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

import mossbench as mb
from answered import answered, samples
from mossbench.cli import cli

SKIPPED = "not a run, but a file that mossbench wrote next to the runs"


def mossbench(*args, code=0):
    done = CliRunner(env={"COLUMNS": "110"}).invoke(cli, list(map(str, args)), prog_name="mossbench")
    assert done.exit_code == code, done.output
    return done


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Two runs, and beside them a page, tables and what else is in a folder of runs."""
    root = tmp_path_factory.mktemp("made")
    data = samples(root / "data", 6)
    runs = root / "runs"
    runs.mkdir()
    for name in ("a", "b"):
        answered(data, runs / name, refused=(1,), model_name=f"Model {name}")
        (runs / f"{name}.jsonl").unlink()
    for suffix in ("html", "md", "json", "csv"):
        mb.write_report(mb.load_results(runs / "a"), runs / f"report.{suffix}")
    answered(data, runs / "c")
    (runs / "c.jsonl").unlink()
    mossbench("runs", "archive", "c", "--runs", runs)
    (runs / "gates.toml").write_text("[gates.a]\nmax_refusal = 1\n")
    return runs


@pytest.mark.parametrize(
    "command",
    [
        "leaderboard show",
        "compare",
        "report --out two.html",
        "results show",
        "results sets",
        "results export --out table.csv",
        "bundle --out bundle.zip",
        "paper --out paper",
    ],
)
def test_pages_and_tables_of_ours_are_skipped_and_named(made, command):
    words, _, out = command.partition(" --out ")
    paths = sorted(made.iterdir())
    done = mossbench(*words.split(), *paths, *(["--out", out] if out else []))
    assert done.stderr.count(SKIPPED) == len(paths) - 2
    assert f"{made / 'report.html'}: {SKIPPED}" in done.stderr


@pytest.mark.parametrize("command", ["gate --max-refusal 0.9", "submit --availability web --out s.json", "judge apply"])
def test_a_command_for_one_run_takes_a_folder_with_one(made, command):
    Path("one").mkdir()
    shutil.copytree(made / "a", "one/a")
    shutil.copy(made / "report.html", "one/report.html")
    words = command.split()
    first, rest = (words[:2], words[2:]) if words[0] == "judge" else (words[:1], words[1:])
    done = CliRunner().invoke(cli, [*first, *map(str, sorted(Path("one").iterdir())), *rest], prog_name="mossbench")
    assert SKIPPED in done.stderr and done.exit_code in (0, 1) and "mossbench:" not in done.stderr
    done = mossbench(*first, *sorted(made.iterdir()), *rest, code=2)
    assert "expected one run, got 2; repeat the command for each run" in done.stderr


def test_any_file_beside_a_given_run_is_skipped_and_named(made):
    Path("here").mkdir()
    for name in ("a", "b"):
        shutil.copytree(made / name, Path("here", name))
    for suffix in ("csv", "json", "md", "html"):
        runs = sorted(Path("here").iterdir())
        mossbench("leaderboard", "show", *runs, "--format", suffix, "--out", f"here/board.{suffix}")
    mossbench("results", "export", "here/a", "--out", "here/rows.csv")
    mossbench("results", "export", "here/a", "--side", "benign", "--format", "published", "--out", "here/results.json")
    mossbench("submit", "here/a", "--availability", "web", "--out", "here/submission.json")
    Path("here/notes.txt").write_text("mine")
    paths = sorted(Path("here").iterdir())
    done = mossbench("leaderboard", "show", *paths)
    assert len(paths) == 10 and done.stderr.count("note: skipped ") == 8
    assert "note: skipped here/notes.txt: a file, not a run folder" in done.stderr
    assert "Model a" in done.stdout and "Model b" in done.stdout
    one = mossbench("gate", "here/a", Path("here/notes.txt").resolve(), "--max-refusal", "0.9")
    assert "notes.txt: a file, not a run folder" in one.stderr


def test_only_results_in_the_published_layout_are_offered_to_be_imported(made):
    Path("there").mkdir()
    run = made / "a"
    mossbench("results", "export", run, "--side", "benign", "--format", "published", "--out", "there/results.json")
    mossbench("leaderboard", "show", run, "--format", "json", "--out", "there/board.json")
    Path("there/broken.json").write_text("{")
    for name in ("board.json", "broken.json"):
        for paths in ([run, f"there/{name}"], [f"there/{name}"]):
            done = mossbench("leaderboard", "show", *paths, code=2)
            assert "is a file, expected a run folder" in done.stderr and "results import" not in done.stderr
    done = mossbench("leaderboard", "show", "there/results.json", code=2)
    assert "mossbench results import there/results.json" in done.stderr


def test_what_is_not_ours_is_an_error_as_before(made):
    Path("notes.txt").write_text("mine")
    Path("page.html").write_text("<html>mine</html>")
    Path("folder").mkdir()
    for other in ("notes.txt", "page.html"):
        done = mossbench("leaderboard", "show", made / "a", other, code=2)
        assert f"'{other}' is a file, expected a run folder" in done.stderr and SKIPPED not in done.stderr
    assert "no run in 'folder'" in mossbench("leaderboard", "show", made / "a", "folder", code=2).stderr


@pytest.mark.parametrize("command", [("leaderboard", "show"), ("compare",), ("gate",)])
def test_a_page_alone_is_no_run(made, command):
    done = mossbench(*command, made / "report.html", code=2)
    assert "is a file, expected a run folder" in done.stderr and SKIPPED not in done.stderr
