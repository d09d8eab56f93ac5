"""Texts from answers, ids and licences that would take over a terminal or a spreadsheet."""

import csv
import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

import mossbench as mb
from mossbench.cli import cli
from mossbench.cli.printing import console, safe
from mossbench.plumbing.spreadsheets import cell, uncell
from pictures import png

EVIL = "\x1b]0;owned\x07\x1b[2J\x9b31m\u202eevil\rover"
FORMULA = '=HYPERLINK("http://x","y")'
ODD = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]")


@pytest.fixture
def hostile(tmp_path):
    folder = tmp_path / "hostile"
    folder.mkdir()
    (folder / "a.png").write_bytes(png())
    rows = [
        {"id": f"1{EVIL}", "question": f"What is {EVIL}?", "image": "a.png"},
        {"id": "2", "question": FORMULA, "image": "a.png"},
        {"id": "2", "question": FORMULA, "image": f"{EVIL}.png"},
    ]
    (folder / "metadata.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (folder / "dataset.json").write_text(json.dumps({"licence": EVIL, "name": EVIL}))
    Path("mine.py").write_text(f"def evil(prompt):\n    return {EVIL + FORMULA!r}\n")
    return folder


@pytest.mark.parametrize(
    "command",
    [
        "try --model mine.py:evil --data {0}",
        "try --model mine.py:evil --data {0} --json",
        "data check {0}",
        "data describe {0}",
        "data check {0} --json",
        "run --model mine.py:evil --data {0} --dry-run",
        "run --model mine.py:evil --data {0} --quiet",
    ],
)
def test_no_command_prints_what_would_take_over_a_terminal(hostile, command):
    if not command.startswith("data check"):  # which is there for what is wrong; the others need it right
        lines = (hostile / "metadata.jsonl").read_text().splitlines(keepends=True)
        (hostile / "metadata.jsonl").write_text("".join(lines[:2]))
    done = CliRunner().invoke(cli, command.format(hostile).split())
    assert done.exit_code in (0, 1) and (done.exception is None or isinstance(done.exception, SystemExit))
    assert not ODD.search(done.output), done.output


def test_all_printing_goes_through_one_place():
    sources = (Path(mb.__file__).parent / "cli").glob("*.py")
    raw = {path.name for path in sources if re.search(r"click\.s?echo\(|\bprint\(", path.read_text())}
    assert raw == {
        "printing.py",
        "progress_bar.py",
        "__init__.py",
    }  # these have no texts from outside, or make them safe


def test_a_table_cannot_be_taken_over_either(capsys):
    from rich.table import Table
    from rich.text import Text

    table = Table(EVIL, title=EVIL)
    table.add_row(Text(EVIL))
    console().print(table)
    assert "evil" in (out := capsys.readouterr().out) and not ODD.search(out)
    assert safe("a\r\nb\tc") == "a\nb\tc"


@given(st.text() | st.text("'=+-@\t\r 1.,e%"))
def test_a_cell_is_no_formula_and_its_text_comes_back(text):
    assert uncell(cell(text)) == text
    shown = cell(text)
    assert shown.lstrip()[:1] not in tuple("=+-@") or re.fullmatch(r"[+-]?[\d.,]+([eE][+-]?\d+)?%?", shown)


def test_formulas_are_quoted_in_exported_tables_and_sheets_and_come_back(small):
    def answer(prompt):
        return FORMULA

    results = mb.run(answer, small, out="r")
    mb.write_results(results, "out.csv", format="csv")
    cells = [one for row in csv.reader(Path("out.csv").read_text().splitlines()) for one in row]
    assert f"'{FORMULA}" in cells and not any(one.startswith(("=", "@")) for one in cells)
    rows = [json.loads(line) for line in (small / "metadata.jsonl").read_text().splitlines()]
    rows[0]["question"] = FORMULA
    (small / "metadata.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    mb.write_template(small, "sheet.csv")
    sheet = Path("sheet.csv").read_text("utf-8-sig")
    assert "'=HYPERLINK" in sheet
    Path("sheet.csv").write_text(sheet.replace(",\n", ",It is a barn.\n").replace(",\r\n", ",It is a barn.\r\n"))
    again = mb.run("replay/sheet.csv", small, out="again")
    assert not again.failures(), again.failures()
