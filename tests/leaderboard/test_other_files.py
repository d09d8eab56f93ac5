"""Files that people take to a board and that are no submissions: one line says what they are, and the steps follow."""

import json
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

import mossbench as mb
from answered import JUDGE, NO, YES, answered, samples
from mossbench.cli import cli
from mossbench.errors import SubmissionError
from mossbench.leaderboard.checking import check_submission


def mossbench(*args, code=0):
    done = CliRunner(env={"COLUMNS": "110"}).invoke(cli, list(map(str, args)), prog_name="mossbench")
    assert done.exit_code == code, done.output
    return done


@pytest.fixture
def data(tmp_path):
    return samples(tmp_path / "data", 6)


def results_json(data, path="results.json", rates=None, **more):
    """The published layout, with the answers of a model that refuses every third harmless request."""
    rows = {}
    for sample in mb.load_dataset(data).select("benign"):
        refused = int(sample.id) % 3 == 0
        rows[sample.id] = {
            "pid": sample.id,
            "image_path": sample.image,
            "question": sample.question,
            "response": NO if refused else YES,
            "rejected": int(refused),
            "reject_reasoning": "",
            "metadata": {"over": f"type {sample.stimulus.number}", "human": 0, "child": 0, "syn": 0, "ocr": 0},
            "evaluator_desc": "a square",
        }
    Path(path).write_text(json.dumps({"responses": rows, "reject Rate": rates or {"Total": 1 / 3}, **more}))
    return Path(path)


def steps_of(text):
    """The commands of a message, in order."""
    return [line.partition(". ")[2] for line in text.splitlines() if line.startswith("  ") and ". mossbench " in line]


@pytest.mark.parametrize("rates", [{"Total": 1 / 3}, {"Type 1": 0.5}, {"Total": float("nan")}])
def test_results_in_the_published_layout_are_named_and_the_steps_work(data, rates):
    results_json(data, rates=rates)
    done = mossbench("leaderboard", "add", "results.json", "--board", "board", code=1)
    first, *others = done.stderr.splitlines()
    assert first == (
        "mossbench: results.json is a file of results in the published layout, not a submission; the board in board is "
        "unchanged. Make one of it, with your own DATA and NAME:"
    )
    assert len(others) == 3 and "missing" not in done.stderr
    for command in steps_of(done.stderr):
        words = shlex.split(command.replace("DATA", str(data)).replace("NAME", "GPT-4o"))
        mossbench(*words[1:])
    (row,) = json.loads(mossbench("leaderboard", "show", "--board", "board", "--json").stdout)[0]["rows"]
    assert (row["name"], row["provider"], row["availability"]) == ("GPT-4o", "replay", "API")
    assert row["rate"]["value"] == pytest.approx(1 / 3)


def test_python_says_the_same_in_calls(data):
    path = results_json(data, model="LLaVA 1.5")
    with pytest.raises(SubmissionError) as caught:
        mb.add_submission(path, "board")
    first, second, third = caught.value.faults
    assert first == "import_results('results.json', 'runs/results', data='DATA', model='LLaVA 1.5')"
    assert second == (
        "write_submission(make_submission('runs/results', availability='API'), 'results-submission.json')"
    )
    assert third == "add_submission('results-submission.json', 'board', data=load_dataset('DATA'))"
    submission, faults = check_submission(path)
    assert submission is None and len(faults) == 1 and "is a file of results in the published layout" in faults[0]


def test_a_board_with_such_a_file_says_so_too(data):
    Path("board").mkdir()
    results_json(data, "board/results.json")
    done = mossbench("leaderboard", "check", "--board", "board", code=1)
    assert done.stderr.count("published layout") == 1 and "mossbench results import board/results.json" in done.stderr
    assert "missing" not in done.stderr


def test_other_commands_point_to_the_import_too(data):
    results_json(data)
    done = mossbench("leaderboard", "check", "--board", "results.json", code=1)
    assert (
        "results.json is a file of results in the published layout" in done.stderr and len(steps_of(done.stderr)) == 3
    )
    for command in (("submit", "results.json", "--out", "s.json"), ("leaderboard", "show", "results.json")):
        done = mossbench(*command, code=2)
        assert "mossbench results import results.json --out runs/NAME" in done.stderr


def test_more_rows_than_a_submission_may_list_are_recognised_too(data):
    rows = {str(i): {"response": YES, "question": "?"} for i in range(2000)}
    Path("results.json").write_text(json.dumps({"responses": rows}))
    assert "published layout" in mossbench("leaderboard", "add", "results.json", "--board", "b", code=1).stderr


def test_a_run_a_transcript_and_a_log_are_named(data):
    answered(data, Path("run"), refused=(1,))
    for place, what in {
        "run": "run is a run, not a submission",
        "run/run.json": "run/run.json is a run, not a submission",
        "run.jsonl": "run.jsonl is a file of recorded answers, not a submission",
    }.items():
        done = mossbench("leaderboard", "add", place, "--board", "board", code=1)
        assert what in done.stderr and "mossbench submit run" in done.stderr
    Path("x.eval").write_bytes(b"PK")
    assert "x.eval is an Inspect log" in mossbench("leaderboard", "add", "x.eval", "--board", "b", code=1).stderr


@pytest.mark.parametrize("layout", [dict, list])
@pytest.mark.parametrize("has_verdicts", [True, False])
def test_bare_records_are_named_and_the_steps_work(data, layout, has_verdicts):
    rows = json.loads(results_json(data, "whole.json").read_text())["responses"]
    if not has_verdicts:
        rows = {id: {"pid": id, "side": "benign", "response": row["response"]} for id, row in rows.items()}
    Path("bare.json").write_text(json.dumps(rows if layout is dict else list(rows.values())))
    done = mossbench("leaderboard", "add", "bare.json", "--board", "board", code=1)
    assert "bare.json is a file of recorded answers" in done.stderr and "is missing" not in done.stderr
    first, *others = steps_of(done.stderr)
    assert first.startswith("mossbench results import" if has_verdicts else "mossbench run --model replay/bare.json")
    side = "" if has_verdicts else " --side benign"
    for command in (first + side, *others):
        words = shlex.split(command.replace("DATA", str(data)).replace("NAME", "GPT-4o"))
        mossbench(*words[1:])
    (row,) = json.loads(mossbench("leaderboard", "show", "--board", "board", "--json").stdout)[0]["rows"]
    assert row["name"] == "GPT-4o" and row["rate"]["value"] == pytest.approx(1 / 3)


def test_a_damaged_submission_still_lists_its_faults(data):
    answered(data, Path("run"), refused=(1,))
    mossbench("submit", "run", "--availability", "web", "--out", "s.json")
    content = json.loads(Path("s.json").read_text())
    del content["judge"]
    Path("s.json").write_text(json.dumps(content))
    done = mossbench("leaderboard", "add", "s.json", "--board", "board", "--data", data, code=1)
    assert "judge is missing" in done.stderr and "not a submission" not in done.stderr
    for text in ("{}", "[]", "{", '{"responses": []}', '{"a": 1}', '[{"response": "x"}]'):
        Path("junk.json").write_text(text)
        assert "was rejected" in mossbench("leaderboard", "add", "junk.json", "--board", "board", code=1).stderr


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (lambda rows: rows["1"].update(question="Something else?"), "pid 1: the request is 'Something else?'"),
        (lambda rows: rows["2"]["metadata"].update(over="type 1"), "pid 2: the stimulus is Exaggerated Risk"),
        (
            lambda rows: rows.update({"99": {**rows["1"], "pid": "99"}}),
            "1 row not among the benign samples of data (99)",
        ),
    ],
)
def test_rows_that_are_not_of_the_data_are_refused(data, change, fault):
    path = results_json(data)
    content = json.loads(path.read_text())
    change(content["responses"])
    path.write_text(json.dumps(content))
    done = mossbench("results", "import", path, "--out", "run", "--data", data, "--side", "benign", code=1)
    assert fault in done.stderr and not Path("run").exists()


def test_a_part_of_the_data_is_a_run_that_no_board_takes(data):
    path = results_json(data)
    content = json.loads(path.read_text())
    del content["responses"]["4"]
    path.write_text(json.dumps(content))
    done = mossbench("results", "import", path, "--out", "run", "--data", data, "--model", "GPT-4o")
    assert "note: results.json has no row for 1 of the 6 benign samples of data: 4" in done.stderr
    assert "boards only accept complete runs" in done.stderr and "mossbench submit" not in done.stderr
    assert len(mb.load_results("run")) == 5
    done = mossbench("submit", "run", "--availability", "API", "--out", "s.json", code=2)
    assert "results.json has no row for 1 sample of data (4); add these rows" in done.stderr
    assert "--limit" not in done.stderr and "--shard" not in done.stderr


def test_a_part_that_somebody_chose_is_named_by_what_chose_it(data):
    mb.run("control/candid", data, limit=3, out="run")
    done = mossbench("submit", "run", "--availability", "API", "--out", "s.json", code=2)
    assert "used only part of the data (limit); submit a run on all of it" in done.stderr


@pytest.mark.parametrize("n_null", [2, 6])
def test_a_file_without_answers_is_named_and_nobody_is_to_be_asked_again(data, n_null):
    path = results_json(data)
    content = json.loads(path.read_text())
    for row in list(content["responses"].values())[:n_null]:
        row["response"] = None
    path.write_text(json.dumps(content))
    mossbench("results", "import", path, "--out", "run", "--data", data, "--model", "GPT-4o")
    done = mossbench("submit", "run", "--availability", "API", "--out", "s.json", code=2)
    assert "results.json has no" in done.stderr and "resume" not in done.stderr
    done = mossbench("run", "--resume", "run", code=2)
    assert "'run' was imported from results.json" in done.stderr and "no judge named" not in done.stderr
    assert "mossbench judge apply run --judge reader" in done.stderr


def test_an_import_without_data_cannot_be_resumed(data):
    mossbench("results", "import", results_json(data), "--out", "run", "--side", "benign", "--model", "openai/gpt-4o")
    done = mossbench("run", "--resume", "run", code=2)
    assert "'run' was imported from results.json" in done.stderr


def test_what_was_imported_without_its_data_says_how_to_submit_it(data):
    path = results_json(data)
    done = mossbench("results", "import", path, "--out", "run", "--side", "benign", "--model", "GPT-4o")
    assert "import it again with --data" in done.stderr
    done = mossbench("submit", "run", "--availability", "API", "--out", "s.json", code=2)
    assert "mossbench results import FILE --out OUT --data DATA" in done.stderr


def test_verdicts_of_the_file_stay_and_an_embedded_judge_reads_for_a_board(data):
    path = results_json(data)
    content = json.loads(path.read_text())
    content["responses"]["1"]["rejected"] = 1  # the file says so; its answer helps
    content["responses"]["2"]["response"] = None
    path.write_text(json.dumps(content))
    results = mb.import_results(path, "run", data=data, model="openai/gpt-4o")
    assert (results.judge, results.model) == ("published/1", "openai/gpt-4o (recorded)")
    assert {row.key.sample for row in results.rows if row.outcome.refused} == {"1", "3", "6"}
    assert results.info.recorded and results.info.failed == 1
    done = mossbench("submit", "run", "--availability", "API", "--out", "s.json", "--max-failed", "0.5")
    assert f"submitted with the verdicts of {JUDGE}:" in done.stderr and "does not name their judge" in done.stderr
    submission = json.loads(Path("s.json").read_text())
    rejected = {id for id, row in submission["sides"]["benign"]["responses"].items() if row["rejected"]}
    assert rejected == {"3", "6"} and submission["provider"] == "replay" and submission["judge"] == JUDGE
    assert mb.load_results("run").judge == "published/1"  # as it was imported
    again = mb.make_submission("run", availability="API", max_failed=0.5)
    assert again.judge == submission["judge"]


def test_a_judge_of_ones_own_is_not_replaced_in_silence(data):
    Path("judge.py").write_text("def judge(exchange):\n    return False\n")
    answered(data, Path("run"), judge="judge.py:judge")
    done = mossbench("submit", "run", "--availability", "API", "--out", "s.json", code=2)
    assert "private code" in done.stderr and "mossbench judge apply run" in done.stderr
    mossbench("judge", "apply", "run")
    done = mossbench("submit", "run", "--availability", "API", "--out", "s.json")
    assert f"note: submitted with the verdicts of {JUDGE}:" in done.stderr and "private code" in done.stderr


def test_the_report_says_how_to_import_the_file_again(data):
    path = results_json(data)
    for more in ({"data": data, "model": "GPT-4o"}, {"side": "benign", "model": "GPT-4o"}):
        results = mb.import_results(path, f"run-{len(more)}-{'data' in more}", **more)
        command = mb.make_report(results).commands[0]
        assert command.startswith("mossbench results import results.json --out run-") and "--model GPT-4o" in command
        assert ("--data" in command) == ("data" in more)
