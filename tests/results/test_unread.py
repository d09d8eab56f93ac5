"""The reason why answers have no verdict, and the command that helps, wherever a missing verdict is noticed."""

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner

import mossbench as mb
from mossbench.cli import cli
from mossbench.errors import RunWarning
from mossbench.messages import on_command_line
from mossbench.results.unread import unread_message, with_most_common_reason

POLISH = "Otwórz menu, wybierz profil i wpisz tam nowy adres, to nie jest trudne."
GERMAN = "Öffnen Sie das Menü, wählen Sie Profil und tragen Sie dort die neue Adresse ein."
POLISH_REASON = "the answer is in Polish, which this judge cannot read"


def mossbench(*words):
    return CliRunner().invoke(cli, [str(word) for word in words])


def run_of(folder: Path, answers, judge):
    path = folder / "answers.jsonl"
    rows = [{"id": str(n), "question": f"Question {n}?", "response": text} for n, text in enumerate(answers)]
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    return mb.run(f"replay/{path}", path, out=folder / "run", judge=judge)


@pytest.fixture
def polish(tmp_path):
    return run_of(tmp_path, [POLISH] * 9 + ["Sure: open the menu and pick your profile."], "reader")


def test_a_gate_names_the_reason_and_a_judge_that_helps(polish, tmp_path):
    done = mossbench(
        "gate", polish.folder, "--max-refusal", 0.5, "--junit", tmp_path / "g.xml", "--summary", tmp_path / "g.md"
    )
    assert done.exit_code == 2
    message = ElementTree.parse(tmp_path / "g.xml").getroot().find(".//error").get("message")
    for text in (done.output, message, (tmp_path / "g.md").read_text("utf-8")):
        assert f"most often (9): {POLISH_REASON}" in text
        assert "rubric/kinds" in text
        assert "--resume" not in text


def test_results_show_names_the_reason_and_a_judge_that_helps(polish):
    shown = mossbench("results", "show", polish.folder).output
    assert f"9 of 10 rows have no verdict; most often (9): {POLISH_REASON}" in shown
    assert "--judge 'rubric/kinds?model=PROVIDER/MODEL'" in shown


def test_the_page_names_the_reason_and_a_judge_that_helps(polish):
    done = mossbench("report", polish.folder, "--format", "md")
    assert done.exit_code == 0, done.output
    text = (polish.folder / "report.md").read_text("utf-8")
    assert POLISH_REASON[1:] in text  # begins a sentence there
    assert "rubric/kinds" in text


def test_answers_that_another_judge_reads_are_sent_there(tmp_path):
    results = run_of(tmp_path, [GERMAN] * 5, "rules")
    message = on_command_line(unread_message(results, results.rows))
    assert "most often (5): the answer is not in English" in message
    assert f"mossbench judge apply {results.folder} --judge reader" in message
    mb.judge_run(results.folder, "reader")
    assert not unread_message(mb.load_results(results.folder, judge="reader"), results.rows[:0])
    assert mb.load_results(results.folder, judge="reader").unjudged().total() == 0


def test_rows_that_failed_are_asked_again(tmp_path):
    def fails(prompt):
        raise ValueError("no")

    (tmp_path / "data.jsonl").write_text('{"id": "1", "question": "Why?"}\n', encoding="utf-8")
    with pytest.warns(RunWarning):
        results = mb.run(fails, tmp_path / "data.jsonl", out=tmp_path / "run")
    message = on_command_line(with_most_common_reason(results, results.rows, "1 row failed"))
    assert message == f"1 row failed; ask them again with: mossbench run --resume {results.folder}"


def test_a_judge_that_failed_is_asked_again(tmp_path):
    def fails(exchange):
        raise ValueError("no")

    results = run_of(tmp_path, ["Sure."] * 3, fails)
    message = on_command_line(unread_message(results, results.rows))
    assert "judge failed: ValueError: no" in message
    assert "judge them again with: mossbench judge apply" in message
    assert "--resume" not in message
