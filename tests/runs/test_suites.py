"""Suites: one file of models, prompts, data, arms and gates; finished cells are skipped, torn ones go on."""

import json
import re
import tomllib
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner

import mossbench as mb
from answered import JUDGE
from earlier_judge import judged_by
from mossbench.cli import cli
from mossbench.errors import Interrupted, RunError, UsageError
from mossbench.results.gates import saved_gates
from mossbench.runs.suite_cells import suite_cells
from openai_server import completion, serve
from small_release import forget_facts, use_facts, write_facts, write_release

PLAIN = """\
name = "demo"
side = "benign"
max_connections = 1

[models]
calm = "control/candid"
wall = { model = "control/stonewall", seed = 7 }

[prompts]
none = ""
production = "@prompts/production.txt"
"""
GATES = """
[gates.release]
max_refusal = 0.6

[gates.no-worse]
max_increase = 0.5
baseline = "production"
prompts = ["none"]
mode = "lenient"
"""


@pytest.fixture
def suite_file(small):
    def write(text=PLAIN + GATES, **more):
        Path("prompts").mkdir(exist_ok=True)
        Path("prompts/production.txt").write_text("Answer briefly.\n")
        head = "" if "data =" in text else f'data = ["{small}"]\n'
        Path("suite.toml").write_text(head + text)
        return mb.load_suite("suite.toml", **more)

    return write


def mossbench(*args):
    return CliRunner().invoke(cli, [str(arg) for arg in args])


def states(done):
    return [one.state for one in done.cells]


def test_a_suite_is_the_product_of_its_axes_and_settings_of_a_model_come_first(suite_file):
    suite = suite_file('arms = ["plain", "text-only"]\nlimit = 2\nseed = 1\n' + PLAIN)
    cells = suite_cells(suite)
    assert [one.names.label.split(" · ")[::3] for one in cells] == [
        [model, arm] for model in ("calm", "wall") for _ in range(2) for arm in ("plain", "text-only")
    ]
    assert [one.options["seed"] for one in cells] == 4 * [1] + 4 * [7]
    assert {one.options["limit"] for one in cells} == {2}
    assert {one.options["system"] for one in cells} == {None, "Answer briefly."}
    assert len({one.folder for one in cells}) == 8
    assert not Path("runs").exists()


def test_a_suite_runs_decides_its_gates_and_is_saved_with_its_runs(suite_file):
    done = mb.run_suite(suite_file())
    assert states(done) == 4 * ["ran"] and done.state == "fail"
    assert [(one.cell.names.model, gate.name, gate.state) for one in done.cells for gate in one.gates] == [
        ("calm", "release", "pass"),
        ("calm", "no-worse", "pass"),
        ("calm", "release", "pass"),
        ("wall", "release", "fail"),
        ("wall", "no-worse", "pass"),
        ("wall", "release", "fail"),
    ]
    saved = mb.load_results(done.cells[0].cell.folder)
    assert (saved.info.suite.suite, saved.info.suite.prompt) == ("demo", "none")
    assert [gate.state for gate in saved_gates(saved)] == ["pass", "pass"]  # what a page needs is beside the answers
    baseline = saved.info.suite.gates[1].baseline
    assert (saved.folder.parent / baseline / "run.json").exists() and "/" not in baseline
    mb.resume_run(saved.folder)
    assert mb.load_results(saved.folder).info.suite == saved.info.suite


@pytest.mark.slow
def test_finished_cells_are_skipped_and_a_changed_cell_is_another_run(suite_file):
    first = mb.run_suite(suite_file())
    ended = [one.results[0].info.ended for one in first.cells]
    stamps = {path: path.stat().st_mtime_ns for path in Path("runs").rglob("answers.jsonl")}
    again = mb.run_suite(suite_file(PLAIN + GATES.replace("0.6", "1")))
    assert states(again) == 4 * ["skipped"] and [one.results[0].info.ended for one in again.cells] == ended
    assert again.state == "pass"  # the gates of today decide, and are the ones on record
    assert mb.load_results(again.cells[0].cell.folder).info.suite.gates[0].max_refusal == 1
    Path("prompts/production.txt").write_text("x")  # written again by suite_file: change it in the file instead
    changed = mb.run_suite(suite_file(PLAIN.replace("@prompts/production.txt", "Answer at length.") + GATES))
    assert states(changed) == ["skipped", "ran", "skipped", "ran"]
    assert {path: path.stat().st_mtime_ns for path in stamps} == stamps


@pytest.mark.slow
def test_a_torn_cell_goes_on_and_one_that_cannot_run_leaves_the_others_alone(suite_file):
    Path("mine.py").write_text(
        "import mossbench\nfrom pathlib import Path\ndef answer(prompt):\n"
        "    if 'number 4' in prompt.request and not Path('mended').exists():\n"
        "        raise mossbench.MossbenchError('no credit')\n    return 'Sure: fold it.'\n"
    )
    text = PLAIN.replace("control/candid", "mine.py:answer") + GATES
    torn = mb.run_suite(suite_file(text))
    assert states(torn) == ["stopped", "stopped", "ran", "ran"]
    assert "no credit" in str(torn.cells[0].error) and torn.state == "undecided"
    assert [gate.state for gate in torn.cells[0].gates] == ["undecided", "undecided"]
    forecast = mb.forecast_suite(suite_file(text))
    there = [len((one.cell.folder / "answers.jsonl").read_text().splitlines()) for one in forecast]
    assert [one.forecast.n_requests for one in forecast] == [6 - n for n in there] and 0 < there[0] < 6 == there[2]
    Path("mended").touch()
    whole = mb.run_suite(suite_file(text))
    assert states(whole) == ["continued", "continued", "skipped", "skipped"] and whole.state == "fail"
    assert [one.forecast.n_requests for one in mb.forecast_suite(suite_file(text))] == [0, 0, 0, 0]


def test_a_cell_whose_record_is_damaged_leaves_the_others_alone(suite_file):
    suite = suite_file(PLAIN + GATES)
    damaged = suite_cells(suite)[0].folder
    damaged.mkdir(parents=True)
    (damaged / "run.json").write_text('{"config": ')
    with pytest.raises(RunError, match="run.json is damaged"):
        mb.forecast_suite(suite)  # not: it goes on
    found = mb.run_suite(suite)
    assert states(found) == ["stopped", "ran", "ran", "ran"] and found.state == "undecided"
    assert f"{damaged}/run.json is damaged" in str(found.cells[0].error)
    assert (damaged / "run.json").read_text() == '{"config": '


@pytest.mark.slow
def test_the_table_says_how_many_rows_of_a_cell_failed(suite_file):
    Path("mine.py").write_text("def answer(prompt):\n    raise ValueError('no')\n")
    suite_file(PLAIN.replace("control/candid", "mine.py:answer"))
    done = CliRunner(env={"COLUMNS": "200"}).invoke(cli, ["run", "suite.toml", "--quiet"])
    assert re.search(r"calm +none .* ran, 6 of 6 rows failed", done.stdout) and re.search(
        r"wall .* ran +–", done.stdout
    )


def test_a_stopped_suite_says_how_far_it_is(suite_file):
    def stopped(**how):
        raise Interrupted("stopped")

    with pytest.raises(Interrupted) as caught:
        mb.run_suite(suite_file(), start=stopped)
    assert caught.value.__notes__ == ["0 of 4 cells are done; resume with the same command for the 4 left"]

    def broken(**how):
        raise RunError("no machine")

    assert states(mb.run_suite(suite_file(), start=broken)) == 4 * ["stopped"]


def test_flags_come_before_the_file(suite_file):
    names = lambda suite: {one.names.label.split(" · ")[0] for one in suite_cells(suite)}  # noqa: E731
    suite = suite_file(PLAIN, models=("wall",), seed=9, system="production", out="elsewhere")
    (cell,) = suite_cells(suite)
    assert cell.options["seed"] == 9 and cell.options["system"] == "Answer briefly."
    assert cell.folder.parent == Path("elsewhere")
    assert names(suite_file(PLAIN, models=("control/jumpy",))) == {"control/jumpy"}
    assert suite_file(PLAIN, judge="keywords").judges == ("keywords",)
    assert suite_file(rule="strict").gates[0].limits.rule == "strict"
    with pytest.raises(
        UsageError, match="gate 'no-worse' of suite 'demo' matches no cell; the suite has models calm, wa"
    ):
        mb.run_suite(suite_file(system="production"))


def test_several_judges_read_the_same_answers(suite_file):
    gate = '\n[gates.k]\nmax_refusal = 1\njudge = "keywords"'
    done = mb.run_suite(suite_file('judge = ["rules", "keywords"]\n' + PLAIN + gate))
    assert [results.judge for results in done.cells[0].results] == ["rules/4", "keywords/2"]
    assert done.cells[0].gates[0].judge == "keywords/2"
    assert states(mb.run_suite(suite_file('judge = ["rules", "keywords"]\n' + PLAIN + gate))) == 4 * ["skipped"]


FAULTS = {
    "no models": ("limit = 2", "suite.toml: key models is missing or empty, expected a table or a list"),
    "not TOML": ("models = = 3", r"suite.toml is not TOML: .*line 2"),
    "unknown key": ("modles = 3", "suite.toml, line 2: key modles: no key named 'modles'; did you mean 'models'"),
    "setting": ('models = ["x"]\nlimit = 0', "line 3: key limit is 0, expected at least 1"),
    "text": ('models = ["x"]\nlimit = "3"', "line 3: key limit is '3', expected a whole number"),
    "in a model": (
        '[models]\na = "control/candid"\n"b=c" = { model = "x", tempratur = 1 }',
        "line 4: key models.b=c.tempratur: no key named 'tempratur'; did you mean 'temperature'",
    ),
    "no model in it": ("[models.a]\nseed = 1", "line 2: key models.a has no model"),
    "a number": ("[models]\na = 3", "line 3: key models.a is 3, expected a text in quotes"),
    "twice": ('models = ["x", "x"]', "line 2: key models is .*, expected a text or a list of different ones"),
    "same name": ('models = ["x"]\ndata = ["a/x", "b/x"]', "line 2: key data has two named 'x'; use a table"),
    "arm": ('models = ["x"]\narms = ["blnk"]', "line 3: key arms: no arm named 'blnk'; did you mean 'blank'"),
    "rule": ('models = ["x"]\nrule = "x"', "line 3: key rule is 'x', expected 'system', 'model', 'strict' or"),
    "prompt file": ('models = ["x"]\n[prompts]\na = "@no.txt"', "line 4: key prompts.a names 'no.txt', which cannot"),
    "same prompt": ('models = ["x"]\n[prompts]\na = "b"\nc = "b"', "line 5: key prompts.c is the same text as 'a'"),
    "no limit": ('models = ["x"]\n[gates.a]\nmode = "lenient"', "line 3: key gates.a has no limit, expected"),
    "no gate": ('models = ["x"]\n[gates]', "line 3: key gates has no gate, expected"),
    "limit": (
        'models = ["x"]\n[gates.a]\nmax_refusal = 10',
        "line 4: key gates.a.max_refusal is 10, expected at most 1",
    ),
    "mode": (
        'models = ["x"]\n[gates.a]\nmax_refusal = 1\nmode = "l"',
        "line 5: key gates.a.mode is 'l', expected 'strict' or",
    ),
    "baseline": (
        'models = ["x"]\n[gates.a]\nmax_increase = 0.1\nbaseline = "y"',
        r"line 5: key gates.a.baseline is 'y'; expected a prompt or a model of the suite \(none, x\) or a run folder",
    ),
    "half": (
        'models = ["x"]\n[gates.a]\nmax_increase = 0.1',
        "line 3: key gates.a needs baseline and max_increase",
    ),
    "model of a gate": (
        'models = ["x"]\n[gates.a]\nmax_refusal = 1\nmodels = ["y"]',
        "line 5: key gates.a.models: no models named 'y'",
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_names_the_line_the_key_and_what_is_expected(fault, suite_file):
    text, message = FAULTS[fault]
    with pytest.raises(UsageError, match=message):
        suite_file(text)


def test_paths_are_those_of_the_suites_folder(small, tmp_path):
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    (folder / "mine.py").write_text("def f(prompt): return 'Sure.'\ndef j(exchange): return 'answered'\n")
    (folder / "p.txt").write_text("Be brief.")
    small.rename(folder / "own")
    (folder / "suite.toml").write_text(
        'models = ["mine.py:f"]\njudge = "mine.py:j"\ndata = "own"\nlimit = 1\n[prompts]\np = "@p.txt"\n'
    )
    (one,) = mb.run_suite(mb.load_suite(folder / "suite.toml")).cells
    assert one.results[0].info.config.system == "Be brief." and one.cell.folder.parent == Path("runs")
    with pytest.raises(UsageError, match="no suite file 'no.toml'; give the path of an existing .toml file"):
        mb.load_suite("no.toml")


@pytest.mark.slow
def test_the_command_line_ends_with_a_summary_and_the_exit_code_of_the_gates(suite_file, monkeypatch):
    monkeypatch.setenv("COLUMNS", "160")
    suite_file()
    dry = mossbench("run", "suite.toml", "--dry-run")
    assert dry.exit_code == 0 and "Nothing was sent." in dry.stdout and not Path("runs").exists()
    assert [line.split()[-4] for line in dry.stdout.splitlines() if "USD" in line] == ["6", "6", "6", "6", "24"]
    done = mossbench("run", "suite.toml", "--junit", "out/gates.xml", "--summary", "out/summary.md")
    assert done.exit_code == 1, done.output
    assert "wall    none         100.0 %" in done.stdout and "release FAIL, no-worse PASS" in done.stdout
    assert "FAIL release: wall · production" in done.stdout
    assert len(list(Path("runs").glob("*/report.html"))) == 4
    cases = ElementTree.parse("out/gates.xml").findall(".//testcase")
    assert [len(case.findall("failure")) for case in cases] == [0, 0, 0, 1, 0, 1]
    text = Path("out/summary.md").read_text()
    assert text.startswith("## mossbench demo: FAIL\n\n| model | prompt | harmless refused |")
    content = json.loads(mossbench("run", "suite.toml", "--json", "--no-report").stdout)
    assert content["state"] == "fail" and [cell["state"] for cell in content["cells"]] == 4 * ["skipped"]
    assert mossbench("run", "suite.toml", "--model", "calm").exit_code == 0
    assert mossbench("run", "suite.toml", "--resume", "x").exit_code == 2
    assert "name a suite file" in mossbench("run", "--model", "control/candid", "--junit", "x.xml").output


@pytest.mark.slow
def test_without_gates_the_exit_code_is_that_of_a_run(suite_file):
    suite_file(PLAIN)
    assert mossbench("run", "suite.toml", "--no-report").exit_code == 0
    Path("mine.py").write_text("def f(prompt): raise ValueError('x')")
    suite_file(PLAIN.replace("control/candid", "mine.py:f"))
    done = mossbench("run", "suite.toml", "--no-report")
    assert done.exit_code == 1 and "6 of 6 rows failed or have no verdict, more than the allowed 5 %" in done.output


@pytest.mark.slow
def test_the_summary_goes_where_github_shows_it_and_gate_writes_both_too(suite_file, monkeypatch):
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", "page.md")
    Path("page.md").write_text("before\n")
    done = mb.run_suite(suite_file())
    calm, wall = done.cells[0].cell.folder, done.cells[2].cell.folder
    assert mossbench("gate", calm, "--max-refusal", 0.9, "--junit", "gate.xml").exit_code == 0
    assert Path("page.md").read_text().startswith("before\n## mossbench demo-calm-none-small")
    assert mossbench("gate", wall, "--max-refusal", 0.1, "--summary", "own.md").exit_code == 1
    assert "FAIL" in Path("own.md").read_text() and "FAIL" not in Path("page.md").read_text()
    (case,) = ElementTree.parse("gate.xml").findall(".//testcase")
    line = case.find("system-out").text
    assert line.startswith("PASS control/candid: harmless refused at most 90 %") and "(strict, rule system, " in line


@pytest.mark.slow
def test_the_example_runs_and_is_the_one_that_the_page_shows():
    root = Path(__file__).parents[2]
    shown = re.search(r"```toml\n(.*?)```", (root / "docs/suites.md").read_text(), re.S)[1]
    assert tomllib.loads(shown) == tomllib.loads((root / "examples/suite.toml").read_text())
    done = mossbench("run", root / "examples/suite.toml", "--limit", 2, "--no-report")
    assert done.exit_code in (0, 1) and "PASS prompt: jumpy · none · sketches · plain" in done.stdout
    for text in re.findall(r"```toml\n(.*?)```", (root / "docs/suites.md").read_text(), re.S)[1:]:
        tomllib.loads(text)


@pytest.mark.slow
def test_a_dry_run_and_a_finished_suite_need_no_key_and_others_say_so_first(suite_file, monkeypatch):
    text = PLAIN.replace("control/stonewall", "openai/gpt-4o")
    forecast = mb.forecast_suite(suite_file(text))
    assert [one.forecast.n_requests for one in forecast] == [6, 6, 6, 6] and forecast[2].forecast.total_cost > 0
    with pytest.raises(UsageError, match="OPENAI_API_KEY"):
        mb.run_suite(suite_file(text))
    assert not Path("runs").exists()
    with serve(lambda body, headers: (200, completion("Sure, here is how."))) as (url, _):
        monkeypatch.setenv("OPENAI_API_KEY", "sk-nobody-at-all")
        done = mb.run_suite(with_url(suite_file, text, url))
        monkeypatch.delenv("OPENAI_API_KEY")
    assert states(done) == ["ran", "ran"]
    assert states(mb.run_suite(with_url(suite_file, text, url))) == ["skipped", "skipped"]


def with_url(suite_file, text, url):
    return suite_file(text.replace("seed = 7", f'base_url = "{url}"'), models=("wall",))


def own_table(folder):
    """A table of three requests whose columns have names that say nothing."""
    folder.mkdir(exist_ok=True)
    rows = [{"nr": str(i), "wording": f"What is number {i}?", "other": f"And what is {i}?"} for i in range(3)]
    (folder / "own.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return folder / "own.jsonl"


COLUMNS = {
    "map, a text": 'map = "id=nr,question=wording"\nmodels = ["control/candid"]\ndata = ["own.jsonl"]\n',
    "map, a table": 'map = { id = "nr", question = "wording" }\nmodels = ["control/candid"]\ndata = ["own.jsonl"]\n',
    "columns": 'columns = { id = "nr", question = "wording" }\nmodels = ["control/candid"]\ndata = ["own.jsonl"]\n',
    "columns, a text": 'columns = "id=nr,question=wording"\nmodels = ["control/candid"]\ndata = ["own.jsonl"]\n',
    "of the dataset": (
        'map = "question=other"\nmodels = ["control/candid"]\n[data]\n'
        'mine = { data = "own.jsonl", map = "id=nr,question=wording" }\n'
    ),
    "of the model": (
        'data = ["own.jsonl"]\n[models]\na = { model = "control/candid", map = "id=nr,question=wording" }\n'
    ),
}


@pytest.mark.parametrize("where", COLUMNS)
def test_map_works_in_a_suite_as_on_the_command_line(where, tmp_path):
    own_table(tmp_path / "at")
    (tmp_path / "at" / "suite.toml").write_text('judge = "rules"\n' + COLUMNS[where])
    suite = mb.load_suite(tmp_path / "at" / "suite.toml")
    (forecast,) = mb.forecast_suite(suite)
    assert forecast.forecast.n_requests == 3
    (one,) = mb.run_suite(suite).cells
    assert [row.sample.question for row in one.results[0].rows] == [f"What is number {i}?" for i in range(3)]
    assert one.results[0].info.config.columns == {"id": "nr", "question": "wording"}
    alone = mb.run("control/candid", tmp_path / "at" / "own.jsonl", columns={"id": "nr", "question": "wording"})
    assert alone.info.dataset.hashes == one.results[0].info.dataset.hashes
    assert states(mb.run_suite(suite)) == ["skipped"]


def test_another_map_is_another_cell_and_flags_come_before_the_file(tmp_path):
    own_table(tmp_path / "at")
    file = tmp_path / "at" / "suite.toml"
    file.write_text('map = "question=wording"\n' + 'models = ["control/candid"]\ndata = ["own.jsonl"]\nname = "s"\n')
    first = suite_cells(mb.load_suite(file))[0].folder
    for more in ({"columns": {"question": "other"}}, {"map": "question=other"}, {"map": {"question": "other"}}):
        (cell,) = suite_cells(mb.load_suite(file, **more))
        assert cell.folder != first and cell.options["columns"] == {"question": "other"}
    shown = mossbench("run", file, "--map", "question=other", "--no-report")
    assert shown.exit_code == 0, shown.output
    (made,) = Path("runs").iterdir()
    assert mb.load_results(made).rows[0].sample.question == "And what is 0?"
    dry = mossbench("run", file, "--map", "question=wordin", "--dry-run")
    assert dry.exit_code == 2 and "no column named 'wordin'; did you mean 'wording'?" in dry.output


MAP_FAULTS = {
    "a typo": ('map = "qestion=a"', "line 2: key map.qestion: no field named 'qestion'; did you mean 'question'"),
    "no pair": ('map = "question"', "line 2: key map is not FIELD=COLUMN"),
    "a number": ("map = 3", "line 2: key map is 3, expected .*FIELD"),
    "a number in it": ("[columns]\nquestion = 3", "key columns is .*question.*: 3.*, expected"),
    "both": ('map = "question=a"\ncolumns = "id=b"', "key map is the same as columns"),
    "near": ('mapp = "question=a"', "line 2: key mapp: no key named 'mapp'; did you mean 'map'"),
}


@pytest.mark.parametrize("fault", MAP_FAULTS)
def test_a_wrong_map_is_refused_with_its_line(fault, tmp_path):
    text, message = MAP_FAULTS[fault]
    (tmp_path / "suite.toml").write_text('models = ["control/candid"]\n' + text + "\n")
    with pytest.raises(UsageError, match=message):
        mb.load_suite(tmp_path / "suite.toml")


def test_a_named_dataset_has_no_columns_to_name(tmp_path):
    (tmp_path / "suite.toml").write_text('models = ["control/candid"]\nmap = "question=a"\n')
    with pytest.raises(UsageError, match="'sketches' of suite 'suite' has fixed columns.*set map only"):
        suite_cells(mb.load_suite(tmp_path / "suite.toml"))


@pytest.mark.parametrize("key", ["map", "columns"])
def test_columns_for_a_named_dataset_are_told_without_a_flag_twice(key, tmp_path):
    (tmp_path / "suite.toml").write_text(f'models = ["control/candid"]\n{key} = {{ question = "a" }}\n')
    done = CliRunner().invoke(cli, ["run", str(tmp_path / "suite.toml")])
    told = " ".join(done.output.split())
    assert done.exit_code == 2 and "map gives some for it: {'question': 'a'}; set map only" in told
    assert "--map" not in told


def test_an_option_that_load_suite_does_not_know_is_refused_with_the_nearest(suite_file):
    with pytest.raises(UsageError, match="no option named 'limt'; did you mean 'limit'"):
        suite_file(limt=3)
    with pytest.raises(UsageError, match="path of mossbench.load_suite is None .*expected a text or a Path"):
        mb.load_suite(None)


SETTING_VALUES = {
    "columns": '{ question = "other" }',
    "map": '"question=other"',
    "side": '"benign"',
    "ids": '["0"]',
    "offset": "1",
    "limit": "2",
    "shard": '"1/2"',
    "epochs": "2",
    "seed": "7",
    "temperature": "0.5",
    "max_tokens": "77",
    "effort": '"high"',
    "params": "{ mine = 1 }",
    "base_url": '"http://127.0.0.1:9/v1"',
    "as_published": "true",
    "google_safety": '"BLOCK_NONE"',
    "trust_remote_code": "true",
    "max_connections": "3",
    "start_connections": "2",
    "timeout": "9.5",
    "retries": "0",
    "batch_size": "5",
    "model_name": '"GPT-4o"',
}
REFUSED_BY_THE_MODEL = (
    "params",
    "base_url",
    "as_published",
    "google_safety",
    "trust_remote_code",
    "batch_size",
    "model_name",
)
"""What control models cannot have: an error that says so, as on the command line."""


@pytest.mark.parametrize("place", ["suite", "model", "data"])
@pytest.mark.parametrize("key", SETTING_VALUES)
def test_each_setting_that_a_suite_takes_changes_the_run(key, place, tmp_path):
    own_table(tmp_path)
    line = f"{key} = {SETTING_VALUES[key]}"
    of_model = ['model = "control/candid"']
    of_data = ['data = "own.jsonl"']
    if key not in ("map", "columns"):
        of_data.append('map = "id=nr,question=wording"')
    settings = {"suite": [], "model": of_model, "data": of_data}
    settings[place].append(line)
    tables = f"[models]\na = {{ {', '.join(of_model)} }}\n[data]\nd = {{ {', '.join(of_data)} }}\n"
    (tmp_path / "suite.toml").write_text("\n".join([*settings["suite"], tables]))
    suite = mb.load_suite(tmp_path / "suite.toml")
    if key in REFUSED_BY_THE_MODEL:
        with pytest.raises(UsageError, match=key.split("_")[0]):
            suite_cells(suite)
        return
    (cell,) = suite_cells(suite)
    name = "columns" if key == "map" else key
    (one,) = mb.run_suite(suite).cells
    written = one.results[0].info.config
    value = tomllib.loads(line)[key]
    expected = {"map": {"question": "other"}, "ids": ("0",)}.get(key, value)
    assert getattr(written, name) == expected == cell.options[name]


def test_every_setting_of_a_run_is_in_the_test_above():
    from mossbench.runs.suite_files import MAP, SETTINGS

    assert set(SETTING_VALUES) == {*SETTINGS, MAP}


BASELINES = """\
name = "guard"
side = "benign"

[models]
calm = "control/candid"

[prompts]
none = ""
other = "Refuse all that you are asked."

[gates.no-worse]
max_increase = 0.9
mode = "lenient"
baseline = "BASELINE"
"""


def test_a_run_folder_as_baseline_is_compared_only_with_cells_of_its_protocol(suite_file, small):
    base = mb.run("control/candid", small, out="base", side="benign", seed=5)
    suite_file(BASELINES.replace("BASELINE", str(base.folder)))
    done = mb.run_suite(mb.load_suite("suite.toml"))
    like, unlike = (one.gates[0] for one in done.cells)
    assert like.state == "pass"  # another seed is the same protocol
    assert unlike.state == "undecided" and done.state == "undecided"
    assert re.search("asked differently: system prompt: none and “Refuse all", str(unlike.checks[0].reason))
    shown = mossbench("run", "suite.toml", "--no-report")
    assert shown.exit_code == 2 and "system prompt: none and" in shown.output.replace("\n", " ")
    saved = mb.load_results(done.cells[1].cell.folder)
    assert [gate.state for gate in saved_gates(saved)] == ["undecided"]


def test_a_cell_of_the_suite_named_by_its_folder_is_a_run_folder_too(suite_file):
    suite_file(BASELINES.replace("BASELINE", "none"))
    first = mb.run_suite(mb.load_suite("suite.toml"))
    assert [gate.state for one in first.cells for gate in one.gates] == ["pass"]  # by its prompt: on purpose
    folder = first.cells[0].cell.folder
    for baseline in (str(folder), str(folder.resolve()), f"./{folder}"):
        suite_file(BASELINES.replace("BASELINE", baseline))
        again = mb.run_suite(mb.load_suite("suite.toml"))
        assert [gate.state for one in again.cells for gate in one.gates] == ["undecided", "undecided"]
        own, other = (str(one.gates[0].checks[0].reason) for one in again.cells)
        assert "is its own baseline" in own and "system prompt" in other


@pytest.mark.parametrize(
    ("how", "topic"),
    [
        ({"limit": 3}, "harmless samples"),
        ({"arm": "text-only"}, "arm: "),
        ({"temperature": 1.0}, "temperature: "),
        ({"epochs": 2}, "epochs: "),
        ({"max_tokens": 5}, "max tokens: "),
        ({"data": "sketches"}, "data|dataset|samples"),
    ],
)
def test_what_differs_from_a_run_folder_as_baseline_is_named(how, topic, suite_file, small):
    base = mb.run("control/candid", how.pop("data", small), out="base", side="benign", **how)
    suite_file(BASELINES.replace("BASELINE", str(base.folder)).replace('other = "Refuse all that you are asked."', ""))
    (gate,) = (gate for one in mb.run_suite(mb.load_suite("suite.toml")).cells for gate in one.gates)
    assert gate.state == "undecided" and re.search(topic, str(gate.checks[0].reason))


def test_a_baseline_by_another_judge_or_version_is_judged_again(suite_file, small):
    base = mb.run("control/candid", small, out="base", side="benign")
    judged_by(base.folder, "rules/3", invert=True)
    suite_file(BASELINES.replace("BASELINE", str(base.folder)).replace('other = "Refuse all that you are asked."', ""))
    (gate,) = (gate for one in mb.run_suite(mb.load_suite("suite.toml")).cells for gate in one.gates)
    assert gate.state == "pass" and [note.own_judge for note in gate.reread] == ["rules/3"]


def test_a_suite_whose_last_night_had_another_version_is_judged_again_and_not_asked(suite_file, small):
    suite_file(BASELINES.replace("BASELINE", "none"))
    first_night = mb.run_suite(mb.load_suite("suite.toml"))
    folders = [done.cell.folder for done in first_night.cells]
    answers = [(folder / "answers.jsonl").read_bytes() for folder in folders]
    judged_by(folders[0], "rules/3", invert=True)
    second_night = mb.run_suite(mb.load_suite("suite.toml"))
    assert [done.cell.folder for done in second_night.cells] == folders
    assert [(folder / "answers.jsonl").read_bytes() for folder in folders] == answers
    assert {done.results[0].judge for done in second_night.cells} == {JUDGE}
    assert (folders[0] / "verdicts.rules-3.jsonl").exists()
    gates = [gate for done in second_night.cells for gate in done.gates]
    assert [gate.state for gate in gates] == [gate.state for done in first_night.cells for gate in done.gates]


def test_gates_of_an_earlier_version_are_decided_by_what_the_runs_say(suite_file, small):
    suite_file(BASELINES.replace("BASELINE", "none"))
    done = mb.run_suite(mb.load_suite("suite.toml"))
    path = done.cells[1].cell.folder / "run.json"
    record = json.loads(path.read_text())
    del record["suite"]["gates"][0]["across_prompts"]
    path.write_text(json.dumps(record))
    assert [gate.state for gate in saved_gates(mb.load_results(path.parent))] == ["pass"]
    other = mb.run("control/candid", small, out="runs/alone", side="benign", system="Be brief.")
    record["suite"]["gates"][0]["baseline"] = other.folder.name
    path.write_text(json.dumps(record))
    assert [gate.state for gate in saved_gates(mb.load_results(path.parent))] == ["undecided"]


@pytest.fixture
def changed_copy(tmp_path, monkeypatch):
    """A copy of what is known as the published sets, in which one image was exchanged."""
    release = write_release(tmp_path / "copy")
    use_facts(write_facts(release, tmp_path / "facts.csv"), monkeypatch.setattr)
    (release / "data/images/1.png").write_bytes((release / "data/images/202.png").read_bytes())
    yield release
    monkeypatch.undo()
    forget_facts()


def test_a_suite_says_once_that_data_are_a_changed_copy_of_the_published_set(changed_copy):
    models = '[models]\na = "control/candid"\nb = "control/stonewall"\n'
    Path("suite.toml").write_text(f'name = "s"\nout = "r"\n{models}[data]\nmine = "{changed_copy}"\n')
    note = "note: the harmless samples are not those of the published set: benign/1: a different image"
    for _ in range(2):  # also when all cells are there already
        done = mossbench("run", "suite.toml", "--no-report", "--quiet")
        assert done.stderr.count(note) == 1


def test_with_several_datasets_the_notes_of_a_suite_name_theirs(changed_copy):
    data = f'[data]\nmine = "{changed_copy}"\nown = {{ data = "sketches", limit = 2 }}\n'
    Path("suite.toml").write_text(f'name = "s"\nout = "r"\n[models]\na = "control/candid"\n{data}')
    done = mossbench("run", "suite.toml", "--no-report", "--quiet", "--json")
    assert done.stderr.count("note: mine: the harmless samples are not those of the published set") == 1
    assert "note: own: the benign" not in done.stderr
    json.loads(done.stdout)
