"""Two system prompts never show under one name: in tables, comparisons, reports, on boards and pages."""

import re

import pytest
from click.testing import CliRunner

import mossbench as mb
from mossbench.cli import cli
from mossbench.reports.words.runs import run_names
from mossbench.web.loaded_run import label_of


def shown(*args):
    done = CliRunner().invoke(cli, [str(arg) for arg in args])
    assert done.exit_code == 0, done.output
    return done.stdout


def runs(small):
    """One model under no prompt and two others, one of them named by a suite."""
    plain, unnamed = (
        mb.run("control/candid", small, out=f"runs/{i}", system=p) for i, p in enumerate((None, "Be kind."))
    )
    with open("suite.toml", "w") as file:
        file.write(f'data = "{small}"\nmodels = ["control/candid"]\n[prompts]\nproduction = "Be brief."\n')
    (cell,) = mb.run_suite(mb.load_suite("suite.toml")).cells
    return plain, unnamed, cell.results[0]


@pytest.mark.slow
def test_each_prompt_has_a_name_of_its_own_wherever_runs_are_shown(small):
    found = plain, unnamed, named = runs(small)
    assert plain.label == "control/candid" and re.fullmatch(r"control/candid \(prompt@[0-9a-f]{8}\)", unnamed.label)
    assert re.fullmatch(r"control/candid \(production@[0-9a-f]{8}\)", named.label)
    labels = [run.label for run in found]
    folders = [run.folder for run in found]
    table = shown("results", "show", *folders)
    assert all(re.search(rf"^ *{re.escape(label)}:? ", table, re.M) for label in labels), table
    assert list(mb.compare(*found).runs) == labels
    again = mb.run("control/candid", small, out="runs/again", system="Be kind.")
    assert mb.compare(unnamed, again).runs == ("control/candid (1)", "control/candid (again)")
    names = run_names([mb.make_report(run) for run in found])
    assert len(set(names)) == 3 and any(
        "production@" in name for name in run_names([mb.make_report(r) for r in found[1:]])
    )
    web = [label_of(run.info) for run in found]
    assert web == labels
    boards = mb.make_boards(found)
    assert len({board.asked for board in boards}) == 3
    assert set(named.df()["prompt"]) == {named.info.prompt} and named.to_dict()["prompt"] == named.info.prompt


def test_one_name_with_two_texts_is_two_names(small):
    labels = set()
    for text in ("Be brief.", "Be very brief."):
        with open("suite.toml", "w") as file:
            file.write(f'data = "{small}"\nlimit = 1\nmodels = ["control/candid"]\n[prompts]\nproduction = "{text}"\n')
        labels.add(mb.run_suite(mb.load_suite("suite.toml")).cells[0].results[0].label)
    assert len(labels) == 2
