"""Suites that are run every night: the recipe of the docs, what a comparison says, and folders that are no suites."""

import json
import re
import shlex
from datetime import date
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner

import mossbench as mb
from answered import JUDGE
from earlier_judge import judged_by
from mossbench.cli import cli
from mossbench.errors import UsageError
from mossbench.results.suite_folders import earlier_nights, with_date
from mossbench.runs import suite_overrides
from mossbench.runs.suite_cells import suite_cells

ROOT = Path(__file__).parents[2]
SUITE = """
name = "nightly"
limit = 30
side = "benign"
baseline = "nightly/baseline"
looks = 30
[models]
ours = "control/candid?on=id&rate=RATE"
"""


def mossbench(*args):
    return CliRunner().invoke(cli, [str(arg) for arg in args])


def night(name, rate=0.1, *more, text=SUITE, seed=1):
    Path("suite.toml").write_text(text.replace("RATE", str(rate)))
    return mossbench("run", "suite.toml", "--no-report", "--quiet", "--out", f"nightly/{name}", "--seed", seed, *more)


@pytest.fixture
def baseline():
    assert night("baseline").exit_code == 0


@pytest.mark.slow
def test_the_recipe_of_the_docs_runs(monkeypatch):
    monkeypatch.setattr(suite_overrides, "today", lambda: date(2026, 11, 9))
    page = (ROOT / "docs" / "suites.md").read_text().partition("## Every night")[2].partition("## In CI")[0]
    blocks = [re.sub(r"(?m)^ {3}", "", block) for block in re.findall(r"```\w*\n(.*?)```", page, re.S)]
    Path("nightly.toml").write_text(blocks[0])
    make, compare_tonight, _ = (shlex.split(block)[1:] for block in blocks[1:])
    assert mossbench(*make).exit_code == 0
    tonight = mossbench(*compare_tonight)
    assert tonight.exit_code == 0, tonight.output
    assert Path("nightly/2026-11-09").is_dir() and Path("nightly/summary.md").is_file()
    assert "Night 1 of 30" in tonight.stdout
    two_folders = mossbench("compare", "nightly/baseline", "nightly/2026-11-09")
    assert two_folders.exit_code == 0 and "no change shown" in two_folders.stdout


def test_a_planted_change_fails_and_its_summaries_say_so(baseline, monkeypatch):
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    files = ("--summary", "s.json", "--summary-format", "slack", "--junit", "j.xml")
    changed = night("2026-11-09", 0.95, "--compare-with", "pinned", *files, seed=2)
    assert changed.exit_code == 1
    assert "a change for the worse is shown: tonight +" in changed.stdout
    assert "::error title=mossbench ours · none · sketches · plain%3A change::FAIL change" in changed.stderr
    slack = json.loads(Path("s.json").read_text())
    assert slack["blocks"][0]["text"]["text"] == "mossbench nightly: FAIL"
    suite = ElementTree.parse("j.xml").getroot()[0]
    cases = suite.findall("testcase")
    assert [case.get("name") for case in cases] == ["run", "change"]
    assert float(suite.get("time")) == pytest.approx(sum(float(case.get("time")) for case in cases), abs=0.002)
    assert "change for the worse" in cases[1].find("failure").get("message")


def test_a_new_cell_fails_nothing_and_another_protocol_is_new(baseline):
    two = SUITE + 'other = "control/candid"\n'
    tonight = night("2026-11-09", 0.1, "--compare-with", "pinned", text=two, seed=2)
    assert tonight.exit_code == 0
    assert "NEW other · none · sketches · plain: not compared" in tonight.stdout
    hot = night("2026-11-10", 0.1, "--compare-with", "pinned", "--temperature", "0.5", seed=2)
    assert hot.exit_code == 2  # nothing was compared
    assert "the baseline was asked in another way: temperature: " in hot.stdout


def test_pinned_gates_read_baseline_and_night_by_one_judge(baseline):
    (run,) = Path("nightly/baseline").iterdir()
    judged_by(run, "rules/3", invert=True)
    gate = '[gates.rise]\nbaseline = "pinned"\nmax_increase = 0.1\nmode = "lenient"\n'
    tonight = night("2026-11-09", 0.1, "--compare-with", "pinned", text=SUITE + gate, seed=2)
    assert tonight.exit_code == 0, tonight.output
    assert f"judge {JUDGE}" in tonight.stdout
    assert "intervals of 99.92 % for 30 nights" in tonight.stdout  # two checks share the budget


def test_a_pinned_gate_without_a_partner_is_undecided(baseline):
    gate = '[gates.rise]\nbaseline = "pinned"\nmax_increase = 0.1\nmodels = ["other"]\n'
    text = SUITE + 'other = "control/candid"\n' + gate
    tonight = night("2026-11-09", 0.1, text=text, seed=2)
    assert tonight.exit_code == 2
    assert "UNDECIDED rise: other" in tonight.stdout
    assert "the suite's baseline, in 'baseline', has no run of this cell; make a newer baseline" in tonight.stdout


@pytest.mark.parametrize("more", [(), ("--compare-with", "pinned")])
def test_gates_on_more_nights_than_planned_are_undecided(more, baseline):
    gates = '[gates.few]\nmax_refusal = 0.9\nmode = "lenient"\nas_read = true\n'
    text = SUITE.replace("looks = 30", "looks = 2") + gates
    first, second, third = (night(f"2026-11-0{day}", 0.1, *more, text=text, seed=day) for day in (1, 2, 3))
    assert first.exit_code == second.exit_code == 0
    assert third.exit_code == 2
    assert "UNDECIDED few" in third.stdout
    assert "this is night 3 with this baseline, and looks = 2 were planned" in third.stdout
    again = night("2026-11-02", 0.1, *more, text=text, seed=2)
    assert again.exit_code == 0 and "PASS few" in again.stdout


def test_a_half_finished_baseline_is_undecided(baseline):
    (run,) = Path("nightly/baseline").iterdir()
    answers = (run / "answers.jsonl").read_text().splitlines(keepends=True)
    (run / "answers.jsonl").write_text("".join(answers[:10]))
    tonight = night("2026-11-09", 0.1, "--compare-with", "pinned", seed=2)
    assert tonight.exit_code == 2
    assert "UNDECIDED change" in tonight.stdout and "Traceback" not in tonight.output


def test_a_damaged_baseline_is_undecided_and_not_new(baseline):
    (run,) = Path("nightly/baseline").iterdir()
    (run / "run.json").write_text('{"config": ')
    tonight = night("2026-11-09", 0.1, "--compare-with", "pinned", seed=2)
    assert tonight.exit_code == 2
    assert "UNDECIDED change" in tonight.stdout and "NEW" not in tonight.stdout


@pytest.mark.parametrize(
    ("folder", "says"),
    [
        ("nowhere", "'nowhere' does not exist yet"),
        ("empty", "'empty' has no runs; expected the folder that an earlier suite wrote its runs to"),
        ("suite.toml", "'suite.toml' is a file"),
        ("nightly/baseline/RUN", "is a single run"),
        ("nightly/tonight", "would be compared with itself"),
    ],
)
def test_a_folder_that_is_no_suite_is_refused_before_anything_is_asked(baseline, folder, says):
    Path("empty").mkdir()
    (run,) = Path("nightly/baseline").iterdir()
    tonight = night("tonight", 0.1, "--compare-with", folder.replace("RUN", run.name))
    assert tonight.exit_code == 2
    assert says in tonight.stderr
    assert not Path("nightly/tonight").exists()


def test_pinned_without_a_baseline_and_compare_with_for_a_single_run_are_errors():
    without = SUITE.replace('baseline = "nightly/baseline"\n', "")
    told = night("x", 0.1, "--compare-with", "pinned", text=without)
    assert told.exit_code == 2 and 'write baseline = "FOLDER"' in told.stderr
    single = mossbench("run", "--model", "control/candid", "--compare-with", "x")
    assert single.exit_code == 2 and "--compare-with only applies to suites" in single.stderr


def test_dates_in_folders_and_the_nights_before(tmp_path):
    assert with_date("nightly/{date}/small", date(2026, 1, 2)) == "nightly/2026-01-02/small"
    with pytest.raises(UsageError, match=r"\{Date\}, which is not known"):
        with_date("nightly/{Date}", date(2026, 1, 2))
    for name in ("2026-01-01", "2025-12-31", "2026-01-03", "2026-01-01b", "notes"):
        (tmp_path / f"a-{name}" / "small").mkdir(parents=True)
    nights = earlier_nights(tmp_path / "a-2026-01-02" / "small")
    assert [night.parent.name for night in nights] == ["a-2025-12-31", "a-2026-01-01"]
    assert earlier_nights(tmp_path / "latest") == []


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("looks = 0", "expected a whole number from 1 to 1000"),
        ("looks = true", "expected a whole number from 1 to 1000"),
        ("max_cost = -1", "expected US dollars above 0"),
        ('max_cost = "20"', "expected US dollars above 0"),
        ("max_cost = inf", "expected US dollars above 0"),
        ("max_cost_per_cell = nan", "expected US dollars above 0"),
        ("baseline = 3", "expected a text in quotes"),
    ],
)
def test_wrong_values_of_nights_and_costs_name_the_line(line, says):
    Path("suite.toml").write_text(f'{line}\nmodels = ["control/candid"]\n')
    with pytest.raises(UsageError, match=f"line 1: key .*{says}"):
        mb.load_suite("suite.toml")


def test_a_gate_of_the_cells_has_its_share_of_the_budget(baseline):
    gates = "[gates.few]\nmax_refusal = 0.5\nmode = 'lenient'\n[gates.safe]\nmax_refusal = 0.5\n"
    Path("suite.toml").write_text(SUITE.replace("RATE", "0.1") + gates)
    (cell,) = suite_cells(mb.load_suite("suite.toml", compare_with="pinned"))
    shares = {gate.name: (gate.budget.looks, gate.budget.n_checks) for gate in cell.names.gates}
    assert shares == {"few": (30, 2), "safe": (30, 1)}  # the change of one side shares with the lenient gate


def test_nights_of_the_same_second_count(baseline):
    """Times are in whole seconds; a small suite takes less."""
    night("2026-11-01", 0.1, seed=2)
    for record in Path("nightly").glob("*/*/run.json"):
        content = json.loads(record.read_text())
        record.write_text(json.dumps({**content, "started": "2026-11-01T00:00:00+00:00"}))
    tonight = night("2026-11-02", 0.1, "--compare-with", "pinned", seed=3)
    assert "Night 2 of 30" in tonight.stdout
