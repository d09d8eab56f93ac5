"""Somebody with a table of their own in a folder with a space: each command that is printed can be copied."""

import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from mossbench.cli import cli

TABLE = "Nr;Frage;Kategorie\nk1;Wie geht das?;Küche\nk2;Und das?;Werkzeug\nk3;Und dies?;Küche\n"


@pytest.fixture(autouse=True)
def table(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("my data").mkdir()
    Path("my data/set.csv").write_text(TABLE, encoding="utf-8")


def mossbench(*args, code=0):
    done = CliRunner(env={"COLUMNS": "110"}).invoke(cli, list(args), prog_name="mossbench")
    assert done.exit_code == code, done.output
    return done


MINE = ("--data", "my data/set.csv", "--map", "question=Frage,id=Nr")


def test_describe_shows_the_columns_that_rates_can_go_by():
    shown = mossbench("data", "describe", MINE[1], *MINE[2:]).stdout
    assert "Your own columns, for --by:\n  Kategorie: Küche (2), Werkzeug (1)\n" in shown


def test_a_set_without_stimuli_has_one_line_and_no_group_of_which_nothing_is_known():
    shown = mossbench("run", "--model", "control/candid", *MINE, "--name", "first run", "--quiet").stdout
    assert "unknown" not in shown.split("control/candid: 3 rows")[0] and "3/3" in shown
    assert "Küche" in mossbench("results", "show", "first run", "--by", "Kategorie").stdout


def test_the_command_under_a_sheet_can_be_copied():
    done = mossbench("transcript", "template", *MINE, "--limit", "2", "--out", "my data/sheet.csv")
    command = shlex.split(done.stderr.splitlines()[-1])
    assert command[command.index("--limit") + 1] == "2"
    sheet = Path("my data/sheet.csv")
    sheet.write_text(sheet.read_text(encoding="utf-8").replace(",\n", ",Sure.\n"), encoding="utf-8")
    assert "2 rows = 2 judged" in mossbench(*command[1:], "--quiet", "--no-report").stdout


def test_the_commands_to_go_on_with_can_be_copied():
    Path("mine.py").write_text("def answer(prompt):\n    raise ValueError('no')\n")
    failed = mossbench("run", "--model", "mine.py:answer", *MINE, "--name", "my run", "--no-report", code=1)
    assert "mossbench run --resume 'runs/my run'" in failed.stderr
    assert "mossbench runs restore 'my run'" in mossbench("runs", "archive", "my run").stderr
