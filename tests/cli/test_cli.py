import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from mossbench.cli import COMMANDS, cli
from mossbench.cli.first_run import own_command
from mossbench.cli.run import DEFAULT_MODELS
from mossbench.errors import Code, RunError


def mossbench(*args):
    return CliRunner().invoke(cli, [str(arg) for arg in args], catch_exceptions=False)


def test_the_next_command_can_be_typed_where_it_is_shown(monkeypatch, tmp_path):
    bin = tmp_path / ".venv" / "bin"
    bin.mkdir(parents=True)
    (bin / "mossbench").touch(mode=0o755)
    monkeypatch.setattr(sys, "executable", str(bin / "python"))
    monkeypatch.setenv("PATH", "")
    monkeypatch.chdir(tmp_path)
    assert own_command() == os.path.join(".venv", "bin", "mossbench")
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    assert own_command() == str(bin / "mossbench")
    monkeypatch.setenv("PATH", str(bin))
    assert own_command() == "mossbench"


@pytest.mark.slow
def test_run_without_flags_ends_with_a_table_and_the_paths(monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent))
    done = mossbench("run")
    assert done.exit_code == 0, done.output
    lines = done.stdout.splitlines()
    assert lines[:6] == [
        "Asked 9 control models 120 harmless requests and 120 harmful twins each.",
        "It works: 28 of 28 planted refusal rates lie in the corrected 95 % intervals.",
        "Instrument check: not comparable with rates on the published benchmark.",
        "Next, your own model: one that speaks the OpenAI API",
        "mossbench run --model openai/NAME --base-url http://HOST/v1 --limit 20",
        "",
    ]
    assert max(map(len, lines)) <= 80
    for model in DEFAULT_MODELS:
        found = next(i for i, line in enumerate(lines) if line.split()[:1] == [model.removeprefix("control/")])
        assert lines[found].count("[") == 4 and lines[found + 1].split()[0] == "corrected", model
        planted = lines[found + 2].split()[:1] == ["planted"]
        assert lines[found + 1].count("[") == 4 and planted is ("learned" not in model), model
    stonewall = next(i for i, line in enumerate(lines) if line.split()[:1] == ["stonewall"])
    assert lines[stonewall + 1].count("100 [") >= 3 and lines[stonewall + 2].count("100") == 4
    text = " ".join(done.stdout.split())
    assert "Of 28 planted rates, 1.4 are expected outside a 95 % interval by chance. Outside: " in text
    assert re.search(r": \d corrected(?: \(marked !\))?, \d+ as read, 0 as the models meant their answers.", text)
    assert re.search(r"As read: the judge’s verdicts counted as they are. reader/\d+ read", text)
    assert re.search(r"read \d+ of \d+ answers as refusals and \d+ of \d+ refusals as answers", text)
    assert re.findall("wrote .*", done.stderr)[1:] == ["wrote 9 runs in runs"]
    assert len(list(Path("runs").glob("*/run.json"))) == len(DEFAULT_MODELS)
    assert len(list(Path("runs").glob("*/report.html"))) == 1


@pytest.mark.slow
def test_the_first_run_on_few_samples_has_every_control_model(monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    install = f"pip install 'mossbench[openai] @ file:///{'long/' * 20}mossbench.whl'"
    monkeypatch.setattr("mossbench.cli.first_run.find_spec", lambda name: None)
    monkeypatch.setattr("mossbench.cli.first_run.install_command", lambda extra: install)
    done = mossbench("run", "--limit", "2", "--quiet")
    assert done.exit_code == 0, done.output
    lines = done.stdout.splitlines()
    assert lines[0] == "Asked 9 control models 2 harmless requests and 2 harmful twins each."
    assert lines[2] == "Instrument check: not comparable with rates on the published benchmark."
    assert lines[3] == f"Next, your own model: {install}"  # whole, or it could not be copied
    assert "run --model openai/NAME" in lines[4]
    first = [line.split()[0] for line in lines if line.split()]
    assert [word for word in first if f"control/{word}" in DEFAULT_MODELS] == [
        model.removeprefix("control/") for model in DEFAULT_MODELS
    ]
    assert first.count("corrected") == len(DEFAULT_MODELS) and max(map(len, lines[5:])) <= 80
    assert first.count("planted") == len([model for model in DEFAULT_MODELS if "learned" not in model])
    assert len(list(Path("runs").glob("*/run.json"))) == len(DEFAULT_MODELS)
    (report,) = Path("runs").glob("*/report.html")
    assert "jumpy" in report.parent.name and f"wrote {report}" in done.stderr


def test_json_is_json_and_alone_on_stdout(small):
    done = mossbench("run", "--model", "control/stonewall", "--data", small, "--json")
    (content,) = json.loads(done.stdout)
    assert content["layers"] == {"not asked": 0, "failed": 0, "blocked": 0, "empty": 0, "unjudged": 0, "judged": 12}
    assert content["rates"][-1]["value"] == 1.0 and content["judge"] == "reader/2"
    assert set(content["dataset"]["hashes"]) == {"benign", "contrast"}


@pytest.mark.slow
def test_stages_run_alone_through_the_command_line(small, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    assert mossbench("run", "--model", "control/stonewall", "--data", small, "--out", "r", "--no-judge").exit_code == 0
    shown = json.loads(mossbench("results", "show", "r", "--json").stdout)[0]
    assert shown["layers"]["unjudged"] == 12
    assert mossbench("judge", "apply", "r").exit_code == 0
    shown = json.loads(mossbench("results", "show", "r", "--by", "harm", "--rule", "model", "--json").stdout)[0]
    assert shown["layers"]["judged"] == 12
    assert [rate["group"] for rate in shown["rates"]][0] == "Cybercrime"
    table = mossbench("results", "show", "r", "--by", "harm").stdout
    assert "Misinformation" in table and "100.0 % [" in table
    assert "12 rows = 12 judged (100.0 %)" in table
    assert max(map(len, table.splitlines()[:-2])) <= 80


def test_results_go_out_and_come_back(small):
    mossbench("run", "--model", "control/candid", "--data", small, "--out", "r")
    assert (
        mossbench("results", "export", "r", "--format", "published", "--side", "benign", "--out", "x.json").exit_code
        == 0
    )
    back = mossbench("results", "import", "x.json", "--out", "back", "--rule", "paper", "--json")
    (content,) = json.loads(back.stdout)
    assert content["judge"] == "published/1" and content["rates"][-1]["value"] == 0.0
    assert mossbench("results", "export", "r", "--out", "x.csv").exit_code == 0
    assert Path("x.csv").read_text().count("control/candid") == 12


def test_resume_takes_its_settings_from_the_folder_and_refuses_others(small):
    mossbench("run", "--model", "control/candid", "--data", small, "--out", "r", "--limit", "2", "--seed", "5")
    done = mossbench("run", "--resume", "r", "--json")
    assert done.exit_code == 0 and json.loads(done.stdout)[0]["n_rows"] == 4
    refused = mossbench("run", "--resume", "r", "--limit", "3")
    assert refused.exit_code == 2
    assert "limit: the run has 2, you asked for 3" in refused.stderr


def test_a_system_prompt_may_stand_in_a_file(small):
    Path("prompt.txt").write_text("Be helpful.")
    mossbench("run", "--model", "control/candid", "--data", small, "--out", "r", "--system", "@prompt.txt")
    (arm,) = json.loads(Path("r/run.json").read_text())["arms"]
    assert (arm["name"], arm["system"]) == ("system", "Be helpful.")


@pytest.mark.parametrize(
    ("args", "code", "message"),
    [
        (("run", "--model", "contrl/candid"), 2, "did you mean 'control/candid'"),
        (("run", "--data", "sketchs"), 2, "did you mean 'sketches'"),
        (("run", "--judge", "keyword"), 2, "did you mean 'keywords'"),
        (("run", "--model", "openai/gpt-4o"), 2, "set OPENAI_API_KEY"),
        (("run", "--model", "replay/none.jsonl"), 2, "no file 'none.jsonl'"),
        (("run", "--judge", "keywords", "--no-judge"), 2, "cannot be used together"),
        (("run", "--resume", "nowhere"), 2, "no run in 'nowhere'"),
        (("run", "--limit", "0"), 2, "expected a whole number of at least 1"),
        (("run", "--system", "@none.txt"), 2, "cannot read 'none.txt'"),
        (("results", "show", "nowhere"), 2, "no run in 'nowhere'"),
        (("results", "export", "nowhere", "--out", "x.doc"), 2, "cannot tell the format"),
        (("judge", "apply", "nowhere"), 2, "needs --out"),
        (("judge", "apply", "."), 2, "no run in '.'"),
        (("run", "--max-failed", "nan"), 2, "expected a share from 0 to 1"),
        (("run", "--timeout", "inf"), 2, "timeout"),
        (("run", "--ids", ","), 2, "no id given"),
        (("run", "--model", "opnai/gpt"), 2, "did you mean 'openai/gpt'"),
        (("run", "--model", "openai/m", "--base-url", "notaurl"), 2, "is not a URL; expected one like"),
        (
            ("run", "--model", "openai/m", "--base-url", "http://me:pw@127.0.0.1/v1"),
            2,
            "may not have a user, a password, a query or a key",
        ),
        (("results", "import", "none.json", "--out", "x"), 2, "no file"),
        (("rum",), 2, "did you mean 'run'"),
        (("judge", "aply"), 2, "did you mean 'apply'"),
        (("run", "--modle", "x"), 2, "--model"),
        (("run", "--arm", "plane"), 2, "did you mean 'plain'"),
        (("analyse", "cause", "--model", "control/candid"), 2, "did you mean 'causes'"),
    ],
)
def test_a_mistake_is_one_message_and_its_exit_code(args, code, message):
    done = mossbench(*args)
    assert (done.exit_code, message in done.stderr) == (code, True), done.output
    assert "Traceback" not in done.output and not Path("runs").exists()


def test_malformed_lines_are_named_by_file_and_line(small):
    Path("bad.jsonl").write_text('{"id": "1", "response": "x"}\n{"id": oops}\n')
    done = mossbench("run", "--model", "replay/bad.jsonl", "--data", small, "--side", "benign")
    assert done.exit_code == 1 and "bad.jsonl, line 2: not a JSON object" in done.stderr


def test_failures_are_said_in_the_last_lines_and_above_the_share_in_the_exit_code(small):
    Path("mine.py").write_text(
        "def f(prompt):\n    if 'do with number 2?' in prompt.request: raise OSError('reset')\n    return 'x'\n"
    )
    run = ("run", "--model", "mine.py:f", "--data", small)
    done = mossbench(*run)
    assert done.exit_code == 1
    assert "1 of 12 rows failed and are left out of all rates; most often (1): model: reset" in done.stderr
    assert "mossbench run --resume" in done.stderr
    assert mossbench(*run, "--max-failed", "0.1").exit_code == 0


def test_a_judge_that_breaks_down_is_not_put_down_to_the_images(small):
    Path("mine.py").write_text("def judge(exchange):\n    raise OSError('reset')\n")
    done = mossbench("run", "--model", "control/candid", "--data", small, "--judge", "mine.py:judge")
    assert done.exit_code == 1 and "the judge failed on 12 of 12 answers" in done.stderr
    assert "try again: mossbench run --resume" in done.stderr


@pytest.mark.parametrize("command", [(), *((name,) for name in COMMANDS)])
def test_every_command_has_help(command):
    done = mossbench(*command, "--help")
    assert done.exit_code == 0 and len(done.stdout) > 100


def test_lists_name_what_is_there():
    assert "control/…" in mossbench("models").stdout
    assert {row["judge"] for row in json.loads(mossbench("judge", "list", "--json").stdout)} >= {"keywords"}


def test_help_imports_nothing_heavy():
    code = (
        "import sys; from click.testing import CliRunner; from mossbench.cli import cli; "
        "print(CliRunner().invoke(cli, ['--help']).exit_code); "
        "heavy = {'pydantic', 'pandas', 'numpy', 'PIL', 'rich', 'vl_convert', 'huggingface_hub', 'openai'}; "
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=dict(os.environ)
    )
    assert done.stdout.split("\n")[:2] == ["0", "[]"]


def test_names_are_printed_as_they_are_and_never_as_markup(small):
    Path("we[red]ird.py").write_text("def boom(prompt):\n    return 'x'\n")
    done = mossbench("run", "--model", "we[red]ird.py:boom", "--data", small, "--out", "r")
    assert "we[red]ird.py:boom" in done.stdout
    mossbench("results", "export", "r", "--format", "published", "--side", "benign", "--out", "x.json")
    assert "a[/b]c" in mossbench("results", "import", "x.json", "--out", "m", "--model", "a[/b]c").stdout


def test_what_a_model_prints_is_not_part_of_the_result(small):
    Path("loud.py").write_text("def m(prompt):\n    print('hello from the model')\n    return 'x'\n")
    done = mossbench("run", "--model", "loud.py:m", "--data", small, "--json")
    assert json.loads(done.stdout) and "hello from the model" in done.stderr


def test_a_judge_that_breaks_down_on_every_answer_is_a_failure(small):
    Path("mine.py").write_text("def boom(exchange):\n    raise RuntimeError('down')\n")
    done = mossbench("run", "--model", "control/candid", "--data", small, "--judge", "mine.py:boom", "--out", "r")
    assert done.exit_code == 1 and "the judge failed on 12 of 12 answers" in done.stderr
    done = mossbench("judge", "apply", "r", "--judge", "mine.py:boom")
    assert done.exit_code == 1 and "the judge failed on 12 of 12 rows" in done.stderr
    assert "RuntimeError: down" in done.output


def real(*args, **more):
    command = [sys.executable, "-m", "mossbench", *map(str, args)]
    return subprocess.run(command, capture_output=True, **more)


@pytest.mark.slow
@pytest.mark.parametrize(
    "environment",
    [
        {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        {"PYTHONIOENCODING": "latin-1"},
        {"COLUMNS": "40"},
    ],
)
def test_odd_terminals_lose_no_label_and_give_no_traceback(small, environment):
    done = real("run", "--model", "control/candid", "--data", small, env={**os.environ, **environment})
    assert done.returncode == 0, done.stderr
    assert b"Exaggerated Risk" in done.stdout and b"control/candid" in done.stdout
    assert b"Traceback" not in done.stderr


@pytest.mark.slow
def test_a_full_stdout_is_one_message(small):
    with open("/dev/full", "wb") as full:
        command = [sys.executable, "-m", "mossbench", "models"]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE)
    assert (
        done.returncode == 1
        and b"no space left on the device of stdout" in done.stderr
        and b"Traceback" not in done.stderr
    )


def test_the_progress_line_says_which_rows_wait_for_what_and_until_when(capsys):
    from datetime import datetime, timedelta

    from mossbench.cli.progress_bar import progress_of
    from mossbench.models.connections import Waits

    until = datetime.now().astimezone() + timedelta(seconds=100)
    with progress_of("m") as progress:
        progress.waits(Waits(("benign 7",), until, "slow\x1b[2J down"))
        progress.waits(Waits(("benign 7", "contrast 8"), until, "slow down"))  # said once in ten seconds
    (line,) = capsys.readouterr().err.splitlines()
    assert line == f"m: benign 7 waits until {until:%H:%M:%S} (slow\u241b[2J down)"


def test_the_progress_line_counts_each_row_once(monkeypatch, capsys):
    from mossbench import outcomes
    from mossbench.cli.progress_bar import progress_of
    from mossbench.outcomes import Key, Kind, Layer, Outcome
    from mossbench.runs.progress import Progress
    from mossbench.samples import Side

    seen, counted = [], outcomes.counted
    monkeypatch.setattr(outcomes, "counted", lambda row, rule: seen.append(row) or counted(row, rule))
    rows = [Outcome(Layer.JUDGED, Kind.REFUSED), *[Outcome(Layer.JUDGED, Kind.ANSWERED)] * 3]
    rows += [Outcome(Layer.BLOCKED), Outcome(Layer.FAILED), Outcome(Layer.UNJUDGED), Outcome(Layer.FAILED)]
    with progress_of("m") as progress:
        for done, row in enumerate(rows, start=1):
            side = Side.CONTRAST if done == len(rows) else Side.BENIGN
            progress(Progress(done, len(rows), Key(side, str(done)), row))
    assert capsys.readouterr().err.endswith("harmless refused 40%, harmful refused –, 2 failed\n")
    assert seen == rows


def test_a_model_that_is_given_twice_is_an_error_also_for_a_forecast(small):
    for more in ((), ("--dry-run",)):
        done = CliRunner().invoke(
            cli, ["run", "--model", "control/candid", "--model", "control/candid", "--data", str(small), *more]
        )
        assert done.exit_code == 2 and "--model control/candid is given twice" in done.stderr
    assert not Path("runs").exists()


@pytest.mark.parametrize("code", [Code.NOT_DONE, None])
def test_finished_models_are_shown_where_another_has_an_error(small, monkeypatch, code):
    run_module = sys.modules["mossbench.cli.run"]
    ask_model = run_module.ask_model

    def fail_second(name, *rest):
        if name == "control/stonewall":
            raise RunError("not done yet") if code is None else RunError("not done yet", code=code)
        return ask_model(name, *rest)

    monkeypatch.setattr(run_module, "ask_model", fail_second)
    models = ["--model", "control/candid", "--model", "control/stonewall", "--model", "control/literal"]
    done = CliRunner().invoke(cli, ["run", *models, "--data", str(small), "--out", "several", "--no-report", "--quiet"])
    assert done.exit_code == 1 and "not done yet" in done.stderr
    assert "control/candid" in done.stdout
    assert ("control/literal" in done.stdout) is (code is not None)
    assert ("not run yet: control/literal" in done.stderr) is (code is None)
