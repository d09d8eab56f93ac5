"""The cells of a suite: what makes one another run, what becomes of it, and which gates hold for it."""

import json
from pathlib import Path

import pytest

import mossbench as mb
from mossbench.errors import Interrupted, RunError, UsageError
from mossbench.plumbing.places import Fate, PlaceLost
from mossbench.runs import suites
from mossbench.runs.suite_cells import suite_cells
from mossbench.runs.suite_lines import line_of_key


@pytest.fixture
def write_suite(small):
    """Writes a suite of `control/candid` on six samples; the text may say more, or another `[models]`."""

    def write(text="", *, models='models = ["control/candid"]', data=None, **overrides):
        data_line = f'data = ["{small}"]' if data is None else data
        Path("suite.toml").write_text(f'name = "demo"\n{models}\n{data_line}\n{text}\n')
        return mb.load_suite("suite.toml", **overrides)

    return write


def folders(suite):
    return [cell.folder for cell in suite_cells(suite)]


def states(suite_run):
    return [cell_run.state for cell_run in suite_run.cells]


def test_settings_of_the_data_come_before_those_of_a_model(write_suite, small):
    suite = write_suite(
        f'[models.calm]\nmodel = "control/candid"\nseed = 7\n[data.mine]\ndata = "{small}"\nseed = 9',
        models="",
        data="",
    )
    assert [cell.options["seed"] for cell in suite_cells(suite)] == [9]


def test_other_images_are_another_cell_and_other_connections_are_not(write_suite, small):
    before = folders(write_suite("max_connections = 2"))
    assert folders(write_suite("max_connections = 4")) == before
    images = sorted((small / "images").iterdir())
    images[0].write_bytes(images[1].read_bytes())
    assert folders(write_suite("max_connections = 2")) != before


def test_another_version_of_ones_own_model_is_another_cell(write_suite):
    own_model = 'models = ["mine.py:answer"]'
    Path("mine.py").write_text("def answer(prompt):\n    return 'Sure.'\n")
    before = folders(write_suite(models=own_model))
    Path("mine.py").write_text("def answer(prompt):\n    return 'No.'\n")
    assert folders(write_suite(models=own_model)) != before


def test_one_file_with_other_columns_is_other_data(write_suite):
    rows = [{"id": str(i), "side": "benign", "short": f"What is {i}?", "long": f"Tell me of {i}."} for i in range(3)]
    Path("own.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    text = """
[data.short]
data = "own.jsonl"
map = "question=short"
[data.long]
data = "own.jsonl"
map = "question=long"
"""
    done = mb.run_suite(write_suite(text, data=""))
    requests = [cell_run.results[0].rows[0].exchange.request for cell_run in done.cells]
    assert requests == ["What is 0?", "Tell me of 0."]
    hashes = [cell.folder.name[-8:] for cell in suite_cells(write_suite(text, data=""))]
    assert len(set(hashes)) == 2


def test_a_cell_with_failed_rows_or_without_a_verdict_goes_on(write_suite):
    Path("mine.py").write_text(
        "from pathlib import Path\ndef answer(prompt):\n"
        "    if prompt.key.sample == '4' and not Path('mended').exists():\n        raise ValueError('down')\n"
        "    return 'Sure: fold it.'\n"
    )
    own_model = 'models = ["mine.py:answer"]'
    first = mb.run_suite(write_suite("retries = 0", models=own_model, max_failed=0.0))
    assert states(first) == ["ran"]
    assert first.state == "undecided"  # there is no gate, and the cell is not whole
    Path("mended").touch()
    assert states(mb.run_suite(write_suite("retries = 0", models=own_model))) == ["continued"]
    assert states(mb.run_suite(write_suite("retries = 0", models=own_model))) == ["skipped"]
    with_judge = write_suite('retries = 0\njudge = ["rules", "keywords"]', models=own_model)
    assert states(mb.run_suite(with_judge)) == ["continued"]


def test_a_finished_suite_loads_no_model(write_suite, monkeypatch):
    mb.run_suite(write_suite())

    def refuse(*args, **options):
        raise UsageError("no key")

    monkeypatch.setattr(suites, "load_model", refuse)
    assert states(mb.run_suite(write_suite())) == ["skipped"]


def test_what_the_last_cell_lacks_is_said_before_the_first_is_asked(write_suite):
    suite = write_suite(models='models = ["control/candid", "openai/gpt-4o"]')
    assert len(suite_cells(suite)) == 2  # what a suite would do is said without keys
    with pytest.raises(UsageError, match="OPENAI_API_KEY"):
        mb.run_suite(suite)
    assert not Path("runs").exists()


def test_ctrl_c_says_how_many_cells_are_left(write_suite):
    suite = write_suite(models='models = ["control/candid", "control/stonewall", "control/jumpy"]')

    def start(model, **options):
        if model == "control/stonewall":
            raise Interrupted("stopped.")
        return mb.run(model, **options)

    with pytest.raises(Interrupted) as stopped:
        mb.run_suite(suite, start=start)
    assert stopped.value.__notes__ == ["1 of 3 cells are done; resume with the same command for the 2 left"]


def test_ctrl_c_does_not_count_stopped_cells_as_done(write_suite):
    suite = write_suite(models='models = ["control/candid", "control/stonewall", "control/jumpy"]')

    def start(model, **options):
        if model == "control/candid":
            raise RunError("no machine")
        if model == "control/jumpy":
            raise Interrupted("stopped.")
        return mb.run(model, **options)

    with pytest.raises(Interrupted) as stopped:
        mb.run_suite(suite, start=start)
    assert stopped.value.__notes__ == ["1 of 3 cells are done; resume with the same command for the 2 left"]


def test_when_the_folder_of_all_cells_is_gone_the_others_are_not_asked(write_suite):
    suite = write_suite(models='models = ["control/candid", "control/stonewall"]')
    asked = []

    def start(model, out, **options):
        asked.append(model)
        gone = Fate(out, is_deleted=True)
        raise PlaceLost(out / "answers.jsonl", gone, gone)

    with pytest.raises(PlaceLost) as lost:
        mb.run_suite(suite, start=start)
    assert lost.value.__notes__ == ["0 of 2 cells were done; the others were not finished"]
    assert asked == ["control/candid"]
    Path("runs").mkdir()  # only the folder of a cell is gone
    assert states(mb.run_suite(suite, start=start)) == ["stopped", "stopped"]


def test_the_first_judge_decides_the_gates(write_suite):
    Path("strict.py").write_text("def read(exchange):\n    return 'refused'\n")
    gate = "[gates.release]\nmax_refusal = 0.6\nas_read = true"
    done = mb.run_suite(write_suite(f'judge = ["rules", "strict.py:read"]\n{gate}'))
    assert len(done.cells[0].results) == 2 and done.state == "pass"
    assert mb.run_suite(write_suite(f'judge = ["strict.py:read", "rules"]\n{gate}')).state == "fail"


def test_prices_beside_the_suite_are_those_of_its_runs_and_forecasts(small):
    folder = Path("elsewhere")
    folder.mkdir()
    folder.joinpath("mine.py").write_text("def answer(prompt):\n    return 'Sure.'\n")
    text = f'models = ["mine.py:answer"]\ndata = ["{small}"]\nprices = "prices.json"\n'
    folder.joinpath("suite.toml").write_text(text)
    (cell,) = suite_cells(mb.load_suite(folder / "suite.toml"))
    name = mb.load_model(cell.model).name
    folder.joinpath("prices.json").write_text(json.dumps({name: {"input": 3, "output": 4, "image_tokens": 10}}))
    (forecast,) = mb.forecast_suite(mb.load_suite(folder / "suite.toml"))
    assert forecast.forecast.cost > 0
    done = mb.run_suite(mb.load_suite(folder / "suite.toml"))
    assert done.cells[0].results[0].info.price.input == 3


def test_a_forecast_on_an_engine_is_refused_where_a_run_on_it_would_be(write_suite):
    with pytest.raises(UsageError, match="batch"):
        mb.forecast_suite(write_suite(), engine="batch")


def test_a_forecast_counts_only_what_is_left(write_suite):
    mb.run_suite(write_suite("limit = 2"))
    (forecast,) = mb.forecast_suite(write_suite("limit = 2"))
    assert (forecast.state, forecast.forecast.n_requests) == ("skipped", 0)


def test_a_baseline_model_is_its_cell_under_the_same_prompt_and_gates_may_name_arms(write_suite):
    text = """
arms = ["plain", "text-only"]
[prompts]
none = ""
long = "Answer at length."
[gates.no-worse]
max_increase = 0.5
baseline = "control/candid"
arms = ["plain"]
"""
    cells = suite_cells(write_suite(text, models='models = ["control/candid", "control/stonewall"]'))
    gates = {(cell.names.model, cell.names.prompt, cell.names.arm): cell.names.gates for cell in cells}
    folder_of = {(cell.names.model, cell.names.prompt, cell.names.arm): cell.folder.name for cell in cells}
    for prompt in ("none", "long"):
        (gate,) = gates["control/stonewall", prompt, "plain"]
        assert gate.baseline == folder_of["control/candid", prompt, "plain"]
        assert gates["control/stonewall", prompt, "text-only"] == ()
        assert gates["control/candid", prompt, "plain"] == ()  # it is not compared with itself


def test_what_a_gate_says_itself_comes_before_what_the_suite_says(write_suite):
    text = """
max_failed = 0.1
[gates.own]
max_refusal = 0.5
max_failed = 0.3
[gates.all]
max_refusal = 0.5
"""
    limits = {gate.limits.name: gate.limits.max_failed for gate in write_suite(text).gates}
    assert limits == {"own": 0.3, "all": 0.1}


def test_files_of_judges_are_taken_from_the_folder_of_the_suite(small):
    folder = Path("elsewhere")
    folder.mkdir()
    text = f'models = ["control/candid"]\ndata = ["{small}"]\njudge = ["human/labels.csv", "own.py:read"]\n'
    folder.joinpath("suite.toml").write_text(text + '[gates.release]\nmax_refusal = 0.5\njudge = "own.py:read"\n')
    suite = mb.load_suite(folder / "suite.toml")
    assert suite.judges == ("human/elsewhere/labels.csv", "elsewhere/own.py:read")
    assert suite.gates[0].limits.judge == "elsewhere/own.py:read"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('[prompts]\nproduction = "@empty.txt"', r"key prompts.production names 'empty.txt', which is empty"),
        ('[gates.a]\nmax_refusal = 0.5\nbaseline = "control/candid"', "needs baseline and max_increase together"),
        ("[gates.a] # of all cells\nmax_refusal = 7", r"line 5: key gates.a.max_refusal"),
        ("[gates.a]  # of all cells\n", r"line 4: key gates.a has no limit"),
    ],
)
def test_what_cannot_be_meant_is_refused(write_suite, text, message):
    Path("empty.txt").write_text(" \n")
    with pytest.raises(UsageError, match=message):
        write_suite(text)


def test_a_text_over_several_lines_is_not_taken_for_a_key_before_it():
    assert line_of_key('limit = "x"\nname = """\nlimit = 3\n"""\n', ("limit",)) == 1


def test_one_name_and_an_empty_prompt_can_be_given_beside_the_file(write_suite):
    text = '[prompts]\nproduction = "Be brief."'
    write_suite(text, models='models = ["control/candid", "control/stonewall"]')
    (cell,) = suite_cells(mb.load_suite("suite.toml", models="control/stonewall", system=""))
    assert cell.model == "control/stonewall" and cell.options["system"] is None


def test_a_cell_whose_folder_is_damaged_does_not_hide_what_another_lacks(write_suite):
    suite = write_suite()
    (cell,) = suite_cells(suite)
    cell.folder.mkdir(parents=True)
    (cell.folder / "run.json").write_text("{")
    done = mb.run_suite(suite)
    assert states(done) == ["stopped"] and "run.json is damaged" in str(done.cells[0].error)
    with pytest.raises(RunError):
        mb.forecast_suite(suite)
