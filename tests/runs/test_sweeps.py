"""Sweeps: one model at several settings, each compared with the first."""

import json

import pytest
from click.testing import CliRunner

import mossbench as mb
from mossbench.cli import cli
from mossbench.errors import UsageError
from mossbench.reports.sweeps import sweep_chart, sweep_markdown
from mossbench.runs.suite_cells import suite_cells
from mossbench.runs.sweeps import read_sweep
from mossbench.samples import Side

THINKS = "control/jumpy?rate=0.5&thinking=3"
DOES_NOT = "control/jumpy?rate=0.5"


def table_of(model, sweep, **settings):
    (table,) = mb.tables_of_sweep(mb.run_suite(mb.make_sweep(model, sweep=sweep, **settings)))
    return table


def test_values_are_json_or_texts():
    sweep = read_sweep(["effort=none,low", "temperature=0,0.5"])
    assert sweep == {"effort": ["none", "low"], "temperature": [0, 0.5]}


@pytest.mark.parametrize("text", ["effort", "=low", "effort="])
def test_a_sweep_without_values_is_refused(text):
    with pytest.raises(UsageError, match="expected NAME=VALUE"):
        read_sweep([text])


@pytest.mark.parametrize(
    ("sweep", "named"),
    [
        ({"effort": ["low"]}, "one point"),
        ({"effort": ["low", "low"]}, "twice"),
        ({"temperature": [0, 0.0]}, "temperature twice"),
        ({"limit": [5, 6]}, "changes the samples"),
        ({"side": ["benign", "contrast"]}, "changes the samples"),
        ({"model": ["a", "b"]}, "cannot be swept"),
        ({"timeout": [1, 2]}, "cannot be swept"),
        ({"seed": list(range(101))}, "at most 100"),
        ({"effort": "low"}, "no list of values"),
        ({"system": ["none", "no-such-file.txt"]}, "cannot be read"),
        ({"api_key": ["a", "b"]}, "secret"),
    ],
)
def test_a_sweep_that_cannot_be_made_is_refused(sweep, named):
    with pytest.raises(UsageError, match=named):
        mb.make_sweep("control/candid", sweep=sweep)


def test_every_combination_is_a_cell_with_its_own_folder(tmp_path):
    (tmp_path / "kind.txt").write_text("You are kind.")
    sweep = {"effort": ["none", "high"], "system": ["none", str(tmp_path / "kind.txt")]}
    cells = suite_cells(mb.make_sweep("control/candid", sweep=sweep))
    options = [(cell.options["effort"], cell.options["system"]) for cell in cells]
    assert options == [("none", None), ("none", "You are kind."), ("high", None), ("high", "You are kind.")]
    assert len({cell.folder for cell in cells}) == 4
    assert cells[3].names.model == "control/candid effort=high system=kind.txt"


def test_a_name_that_is_no_setting_is_a_parameter(small):
    suite = mb.make_sweep("openai/x", str(small), sweep={"service_tier": ["default", "flex"]})
    assert [choice.settings for choice in suite.models] == [{}, {"params": {"service_tier": "flex"}}]
    with pytest.raises(UsageError, match="no parameter named 'tier'"):
        suite_cells(mb.make_sweep("openai/x", str(small), sweep={"tier": ["a", "b"]}))


def test_a_planted_effect_of_thinking_is_found_and_only_on_its_side():
    table = table_of(THINKS, {"effort": ["none", "low", "high"]})
    first, low, high = table.lines
    assert first.differences == {}
    assert all(line.differences[Side.BENIGN].is_significant for line in (low, high))
    assert high.differences[Side.BENIGN].estimate.value < low.differences[Side.BENIGN].estimate.value < 0
    assert not any(line.differences[Side.CONTRAST].is_significant for line in (low, high))


def test_a_model_that_does_not_heed_thinking_shows_no_effect():
    table = table_of(DOES_NOT, {"effort": ["none", "low", "high"]})
    assert not any(difference.is_significant for line in table.lines for difference in line.differences.values())


def test_a_planted_effect_of_earlier_messages_is_found(tmp_path):
    rows = []
    for sample in mb.load_dataset("sketches").select("benign"):
        row = json.loads(sample.model_dump_json(exclude={"metadata", "more_images", "counterfactual", "twin"}))
        row["history"] = [{"role": "user", "text": "Hello."}, {"role": "assistant", "text": "Hello."}]
        row["image"] = str(mb.load_dataset("sketches").picture_path(sample))
        rows.append({name: value for name, value in row.items() if value not in (None, [], "")})
    data = mb.load_dataset(rows)
    found = {}
    for model in ("control/jumpy?rate=0.3&history=3", "control/jumpy?rate=0.3"):
        plain = mb.run(model, data)
        without = mb.run(model, data, arm="without-history")
        (difference,) = [one for one in mb.compare(without, plain).differences if one.group == "all"]
        found[model] = difference.is_significant
    assert list(found.values()) == [True, False]


@pytest.mark.slow
def test_points_of_one_distribution_give_few_false_alarms(tmp_path):
    """Other seeds draw other answers from the same distribution: over 20 sweeps, 5 % would be one."""
    n_alarms = 0
    for repeat in range(20):
        seeds = [1000 * repeat + place for place in (1, 2, 3)]
        table = table_of("control/jumpy?rate=0.4", {"seed": seeds}, out=tmp_path / str(repeat), side="benign")
        n_alarms += any(one.is_significant for line in table.lines for one in line.differences.values())
    assert n_alarms <= 3  # 5 of 100 such tests would have more by chance: 1.6 %


def test_the_table_and_the_chart_say_the_same(small):
    suite_run = mb.run_suite(mb.make_sweep("control/candid", str(small), sweep={"effort": ["none", "high"]}))
    tables = mb.tables_of_sweep(suite_run)
    markdown = sweep_markdown(tables)
    assert markdown.count("| effort=") == 2
    assert "Holm" in markdown
    chart = sweep_chart(tables)
    assert len(chart["data"]["values"]) == 4
    assert "effort=high" in chart["description"]


def test_the_command_shows_the_table_writes_it_and_resumes(small, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    words = ["run", "--model", "control/candid", "--data", str(small), "--sweep", "effort=none,high", "--out", "out"]
    done = CliRunner().invoke(cli, [*words, "--quiet"])
    assert done.exit_code == 0, done.output
    assert "effort=high" in done.output
    again = CliRunner().invoke(cli, [*words, "--quiet", "--json"])
    points = json.loads(again.stdout)["sweeps"][0]["points"]
    assert [point["point"] for point in points] == ["effort=none", "effort=high"]
    assert points[1]["differences"]["benign"]["p_adjusted"] == 1.0
    assert "skipped" in again.stdout


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (["--sweep", "effort=none,low"], "--sweep needs a model"),
        (["--model", "control/candid", "--sweep", "effort=none,low", "--name", "x"], "omit --resume, --name"),
        (["--model", "control/candid", "--sweep", "effort=none,low", "--no-judge"], "omit --resume, --name"),
    ],
)
def test_options_that_a_sweep_would_ignore_are_refused(words, named):
    done = CliRunner().invoke(cli, ["run", *words])
    assert done.exit_code == 2
    assert named in str(done.exception) + done.output


SUITE = """
[models]
calm = "control/candid"
other = "control/stonewall"

[sweep]
effort = ["none", "high"]
system = ["none", "kind.txt"]

[gates.calm]
models = ["calm"]
max_refusal = 0.9
mode = "lenient"
"""


def test_a_suite_has_a_table_of_its_sweep_and_gates_hold_for_all_points(tmp_path, small):
    (tmp_path / "kind.txt").write_text("You are kind.")
    (tmp_path / "suite.toml").write_text(SUITE)
    suite = mb.load_suite(tmp_path / "suite.toml", data=str(small), out=str(tmp_path / "runs"))
    cells = suite_cells(suite)
    assert len(cells) == 8
    assert [bool(cell.names.gates) for cell in cells] == [True] * 4 + [False] * 4
    tables = mb.tables_of_sweep(mb.run_suite(suite))
    assert [len(table.lines) for table in tables] == [4, 4]


def test_a_sweep_given_beside_a_suite_stands_in_place_of_its_own(tmp_path):
    (tmp_path / "suite.toml").write_text(SUITE)
    suite = mb.load_suite(tmp_path / "suite.toml", sweep={"temperature": [0.0, 1.0]})
    points = [choice.point for choice in suite.models]
    assert points == [("temperature=0.0",), ("temperature=1.0",)] * 2
