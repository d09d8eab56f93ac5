"""Run folders that have lost something: every command says so, and counts nothing from them."""

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

import mossbench as mb
from answered import VERDICTS as VERDICTS_FILE
from answered import answered, samples, stop
from mossbench.cli import cli
from mossbench.errors import RunError
from mossbench.outcomes import Layer
from mossbench.web.settings import Settings
from mossbench.web.shelf import Shelf, wait_until_read

COMMANDS = (
    "results show runs/r",
    "results show runs/r --by arm",
    "results export runs/r --out rows.csv",
    "report runs/r",
    "compare runs/r other",
    "compare other runs/r",
    "gate runs/r --max-refusal 1",
    "submit runs/r --availability open --out mine.json",
    "leaderboard show runs/r",
    "analyse tradeoff --run runs/r",
)


def without(path, number):
    """The file without one of its lines, by its place."""
    lines = Path(path).read_text().splitlines(keepends=True)
    del lines[number]
    Path(path).write_text("".join(lines))


def again(path):
    """The file as it is after a row failed and was asked again."""
    *lines, last = Path(path).read_text().splitlines(keepends=True)
    error = {"stage": "model", "type": "Odd", "message": "odd"}
    failed = json.loads(last) | {"answer": {"error": error}}
    Path(path).write_text("".join([*lines, json.dumps(failed) + "\n", last]))


def garble(path):
    text = Path(path).read_text()
    Path(path).write_text(text[: len(text) // 2] + "#" + text[len(text) // 2 + 60 :])


VERDICTS = f"runs/r/{VERDICTS_FILE}"
DAMAGES = {
    "samples cut": (
        lambda: without("runs/r/samples.jsonl", -1),
        "runs/r/samples.jsonl is damaged: it has samples for 11 of the 12 rows of the run; restore it, or delete it",
    ),
    "samples gone": (
        lambda: Path("runs/r/samples.jsonl").unlink(),
        "runs/r/samples.jsonl is missing: it had the samples for the 12 rows of the run",
    ),
    "samples garbled": (lambda: garble("runs/r/samples.jsonl"), "runs/r/samples.jsonl, line "),
    "an answer lost": (
        lambda: without("runs/r/answers.jsonl", 5),
        "runs/r/answers.jsonl is damaged: the run ended, but 1 of its 12 answers are missing (",
    ),
    "a later answer lost": (
        lambda: without("runs/r/answers.jsonl", -1),
        "runs/r/answers.jsonl is damaged: 1 rows in it failed, 0 when the run ended: later answers are missing",
    ),
    "samples and answers gone": (
        lambda: [Path("runs/r", name).unlink() for name in ("samples.jsonl", "answers.jsonl")],
        "runs/r/samples.jsonl is missing: it had the samples for the 12 rows of the run",
    ),
    "answers garbled": (lambda: garble("runs/r/answers.jsonl"), "runs/r/answers.jsonl, line "),
    "a verdict lost": (lambda: without(VERDICTS, 5), f"{VERDICTS} is damaged: 11 of 12 verdicts are there; restore it"),
    "verdicts garbled": (lambda: garble(VERDICTS), f"{VERDICTS}, line "),
    "verdicts gone": (lambda: Path(VERDICTS).unlink(), f"{VERDICTS} is damaged: 0 of 12 verdicts are there"),
}


def invoke(line):
    return CliRunner().invoke(cli, line.split())


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("made")
    data = samples(folder / "data", 6)
    answered(data, folder / "r", refused=(1, 2))
    answered(data, folder / "other", refused=(3,))
    return folder


@pytest.fixture
def folder(made):
    """A whole run in runs/r and another one to compare it with; the working folder is new for each test.

    One row of runs/r failed at first: the last line is the answer that it got on resume.
    """
    shutil.copytree(made / "r", "runs/r")
    again("runs/r/answers.jsonl")
    shutil.copytree(made / "other", "other")
    return Path("runs/r")


@pytest.mark.slow
@pytest.mark.parametrize("damage", DAMAGES)
def test_every_command_names_what_is_damaged_and_counts_nothing(folder, damage):
    harm, message = DAMAGES[damage]
    harm()
    for line in COMMANDS:
        done = invoke(line)
        said = " ".join(done.stderr.split())
        assert done.exit_code == (2 if line.startswith("gate") else 1) and message in said, (line, done.output)
        assert not done.stdout.strip(), line
    assert not Path("rows.csv").exists() and not Path("mine.json").exists()
    shelf = Shelf(Settings(runs=Path("runs")))
    try:
        (run,) = wait_until_read(shelf.runs)
    finally:
        shelf.close()
    assert run.results is None and message.replace("runs/", "") in run.error  # pages name no folders


@pytest.mark.slow
@pytest.mark.parametrize("line", COMMANDS)
def test_no_command_takes_a_whole_run_for_a_damaged_one(folder, line):
    assert "damaged" not in invoke(line).output


@pytest.mark.parametrize("damage", ["samples cut", "samples garbled", "answers garbled", "verdicts garbled"])
def test_resume_refuses_what_it_cannot_make_good(folder, damage):
    harm, message = DAMAGES[damage]
    harm()
    done = invoke("run --resume runs/r --quiet")
    assert done.exit_code == 1 and message in " ".join(done.stderr.split()), done.output


@pytest.mark.slow
@pytest.mark.parametrize(
    "damage",
    [
        "samples gone",
        "an answer lost",
        "a later answer lost",
        "samples and answers gone",
        "a verdict lost",
        "verdicts gone",
    ],
)
def test_resume_makes_good_what_it_can(folder, damage):
    before = mb.load_results(folder).rates()
    DAMAGES[damage][0]()
    done = invoke("run --resume runs/r --quiet")
    assert done.exit_code == 0, done.output
    assert mb.load_results(folder).rates() == before


def test_judging_again_makes_lost_verdicts_good_and_refuses_lost_answers(folder):
    DAMAGES["a verdict lost"][0]()
    assert invoke("judge apply runs/r --quiet").exit_code == 0
    assert mb.load_results(folder).layers()[Layer.JUDGED] == 12
    DAMAGES["an answer lost"][0]()
    done = invoke("judge apply runs/r --judge keywords --quiet")
    assert done.exit_code == 1 and "answers.jsonl is damaged" in done.stderr
    assert not Path("runs/r/verdicts.keywords-2.jsonl").exists()


def test_a_run_that_was_stopped_is_not_damaged_and_a_torn_line_is_dropped(folder):
    stop(folder, 7)
    with (folder / "answers.jsonl").open("a") as file:
        file.write('{"side": "ben')
    results = mb.load_results(folder)
    assert results.layers()[Layer.NOT_ASKED] == 5
    assert invoke("results show runs/r").exit_code == 0


def test_a_judge_that_was_stopped_is_not_damaged_and_one_that_was_done_is(folder):
    mb.judge_run(folder, "keywords")
    without("runs/r/verdicts.keywords-2.jsonl", 3)
    with pytest.raises(RunError, match="11 of 12 verdicts are there"):
        mb.load_results(folder, judge="keywords")
    info = json.loads((folder / "run.json").read_text())
    del info["verdicts"]["keywords/2"]  # as after Ctrl-C: nothing was noted yet
    (folder / "run.json").write_text(json.dumps(info))
    assert mb.load_results(folder, judge="keywords").layers()[Layer.UNJUDGED] == 1


def test_a_run_that_is_just_starting_has_no_rows_and_no_damage(folder):
    for name in ("samples.jsonl", "answers.jsonl"):
        (folder / name).unlink()
    stop_info = json.loads((folder / "run.json").read_text()) | {"ended": None, "verdicts": {}}
    (folder / "run.json").write_text(json.dumps(stop_info))
    assert len(results := mb.load_results(folder)) == 0
    assert "12 of 12 rows were not asked yet" in str(results.unfinished())
    done = invoke("results show runs/r")
    assert "12 rows = 12 not asked yet (100.0 %)" in done.stdout and "not finished" in done.stderr
    assert invoke("run --resume runs/r --quiet").exit_code == 0 and len(mb.load_results(folder)) == 12


def test_a_run_that_does_not_say_how_many_rows_failed_stays_as_it_is(folder):
    info = json.loads((folder / "run.json").read_text())
    assert info.pop("failed") == 0
    (folder / "run.json").write_text(json.dumps(info))
    without("runs/r/answers.jsonl", -1)
    assert mb.load_results(folder).layers()[Layer.FAILED] == 1


@pytest.mark.parametrize(("name", "n"), [("run", 12), ("analysis", 30)])
def test_a_folder_of_version_0_1_is_checked_as_far_as_it_can_be(name, n):
    before = Path(__file__).parents[1] / "written_before" / name
    for file in ("samples.jsonl", "answers.jsonl"):
        shutil.copytree(before, file)
        without(Path(file) / file, 2)
        with pytest.raises(RunError, match=f"{file} is damaged"):
            mb.load_results(file)
    assert len(mb.load_results(before, arms="all")) == n
