"""Every way out is spelled so that the command line and the library accept it."""

import ast
import inspect
import shlex
from pathlib import Path
from typing import get_args

import click
import pytest

import mossbench
from mossbench.cli import cli
from mossbench.errors import MossbenchError, UsageError, bad_option, unknown_name
from mossbench.messages import Message, in_python, on_command_line
from mossbench.ways_out import (
    AddSubmission,
    Command,
    ExportDataset,
    FetchDataset,
    ImportDataset,
    ImportResults,
    Install,
    JudgeRun,
    Listing,
    LoadData,
    OmitOption,
    Resume,
    ResumeAnalysis,
    RunRecorded,
    SaveDriftBaseline,
    SetOption,
    SetOptions,
    ShowAllArms,
    WayOut,
    WriteSubmission,
    WriteTemplate,
    as_call,
    as_command,
)

RUN = Path("my runs/x")
SPELLED = [
    (Resume(RUN), "mossbench run --resume 'my runs/x'", "resume_run('my runs/x')"),
    (
        Resume(RUN, max_cost=True),
        "mossbench run --resume 'my runs/x' --max-cost USD",
        "resume_run('my runs/x', max_cost=…)",
    ),
    (
        ResumeAnalysis(("causes", "stages"), RUN),
        "mossbench analyse causes stages --resume 'my runs/x'",
        "analyse(['causes', 'stages'], resume='my runs/x')",
    ),
    (JudgeRun(RUN), "mossbench judge apply 'my runs/x'", "judge_run('my runs/x')"),
    (
        JudgeRun("RUN", "rules", batch=True),
        "mossbench judge apply RUN --judge rules --batch",
        "judge_run('RUN', 'rules', batch=True)",
    ),
    (SaveDriftBaseline(Path("b.json")), "mossbench judge drift --save b.json", "check_drift(save='b.json')"),
    (ShowAllArms(RUN), "mossbench results show 'my runs/x' --by arm", "load_results('my runs/x', arms='all')"),
    (FetchDataset("official"), "mossbench data fetch official", "fetch_dataset('official')"),
    (
        FetchDataset("official", "main"),
        "mossbench data fetch official --revision main",
        "fetch_dataset('official', revision='main')",
    ),
    (
        ImportDataset(Path("t.csv"), "FOLDER"),
        "mossbench data import t.csv --out FOLDER",
        "import_dataset('t.csv', 'FOLDER')",
    ),
    (ExportDataset("small", Path("own")), "mossbench data export small own", "export_dataset('small', 'own')"),
    (
        LoadData("FILE", (("question", "X"),)),
        "--data FILE --map question=X",
        "load_dataset('FILE', columns={'question': 'X'})",
    ),
    (
        WriteTemplate("small", "s.csv"),
        "mossbench transcript template --data small --out s.csv",
        "write_template('small', 's.csv')",
    ),
    (
        RunRecorded("a.jsonl", "DATA", "NAME", "runs/a"),
        "mossbench run --model replay/a.jsonl --data DATA --model-name NAME --out runs/a",
        "run('replay/a.jsonl', 'DATA', model_name='NAME', out='runs/a')",
    ),
    (
        ImportResults("a.json", "runs/a", "DATA", "NAME"),
        "mossbench results import a.json --out runs/a --data DATA --model NAME",
        "import_results('a.json', 'runs/a', data='DATA', model='NAME')",
    ),
    (
        WriteSubmission("runs/a", "s.json"),
        "mossbench submit runs/a --availability API --out s.json",
        "write_submission(make_submission('runs/a', availability='API'), 's.json')",
    ),
    (
        AddSubmission("s.json", Path("board"), "DATA"),
        "mossbench leaderboard add s.json --board board --data DATA",
        "add_submission('s.json', 'board', data=load_dataset('DATA'))",
    ),
    (Listing("datasets"), "mossbench data list", "list_datasets()"),
    (Listing("judges"), "mossbench judge list", "mossbench judge list"),
    (Listing("models"), "mossbench models", "mossbench models"),
    (Listing("analyses"), "mossbench analyse --help", "mossbench analyse --help"),
    (SetOption("max_cost"), "--max-cost", "max_cost=…"),
    (SetOption("overwrite", True), "--overwrite", "overwrite=True"),
    (SetOption("models"), "--model", "models=…"),
    (SetOption("columns", {"id": ""}), "--map id=", "columns={'id': ''}"),
    (
        SetOptions((SetOption("model", "openai/x"), SetOption("base_url", "URL")), to="ask a server"),
        "--model openai/x --base-url URL",
        "model='openai/x', base_url='URL'",
    ),
    (OmitOption("as_published"), "--as-published", "as_published"),
    (Install("pip install 'mossbench[openai]'"), "pip install 'mossbench[openai]'", "pip install 'mossbench[openai]'"),
    (Command("mossbench runs merge RUNS --out RUN", to="merge them"), *["mossbench runs merge RUNS --out RUN"] * 2),
]


@pytest.mark.parametrize(("way_out", "command", "call"), SPELLED)
def test_a_way_out_is_spelled_as_command_and_as_call(way_out, command, call):
    assert as_command(way_out) == command
    assert as_call(way_out) == call


def test_every_way_out_has_an_example():
    assert {type(way_out) for way_out, _, _ in SPELLED} == set(get_args(WayOut))


def commands(group=cli, path=("mossbench",)):
    for name in group.list_commands(click.Context(group)):
        command = group.get_command(click.Context(group), name)
        if isinstance(command, click.Group):
            yield from commands(command, (*path, name))
        if not isinstance(command, click.Group) or command.invoke_without_command:
            yield (*path, name), command


COMMANDS = dict(commands())
FLAGS = {flag for command in COMMANDS.values() for parameter in command.params for flag in parameter.opts}


@pytest.mark.parametrize("typed", [command for _, command, _ in SPELLED if not command.startswith("pip ")])
def test_the_command_line_accepts_every_command(typed):
    words = shlex.split(typed)
    if words[0] != "mossbench":
        assert {word for word in words if word.startswith("--")} <= FLAGS
        return
    path = max((path for path in COMMANDS if words[: len(path)] == list(path)), key=len)
    command = COMMANDS[path]
    context = click.Context(command)
    _, left, _ = command.make_parser(context).parse_args([word for word in words[len(path) :] if word != "--help"])
    assert left == []


@pytest.mark.parametrize("call", [call for _, _, call in SPELLED if "(" in call])
def test_the_library_has_every_function_and_parameter_of_a_call(call):
    tree = ast.parse(call.replace("…", "..."), mode="eval")
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    assert calls
    for node in calls:
        function = getattr(mossbench, node.func.id)
        keywords = {keyword.arg: keyword.value for keyword in node.keywords}
        inspect.signature(function).bind(*node.args, **keywords)


def test_a_message_ends_with_the_ways_out_in_either_spelling():
    message = Message("folder 'x' is not empty", (Resume(Path("x")), SetOption("out", to="choose another folder")))
    assert in_python(message) == (
        "folder 'x' is not empty; resume it with: resume_run('x'), or choose another folder with out=…"
    )
    assert on_command_line(message) == (
        "folder 'x' is not empty; resume it with: mossbench run --resume x, or choose another folder with --out"
    )
    assert str(message) == in_python(message)


def test_after_a_question_the_way_out_begins_a_sentence():
    error = unknown_name("dataset", "smal", ["small"], way_out=Listing("datasets"))
    assert str(error) == ("no dataset named 'smal'; did you mean 'small'? See all names with: list_datasets()")


def test_an_option_that_a_message_is_about_stands_before_it():
    error = bad_option("max_refusal", "is 7, expected a share from 0 to 1", OmitOption("max_refusal"))
    assert str(error) == "max_refusal is 7, expected a share from 0 to 1; omit max_refusal"
    assert on_command_line(error.message) == "--max-refusal is 7, expected a share from 0 to 1; omit --max-refusal"
    assert on_command_line(error.message.after("x.toml: ")).startswith("x.toml: max_refusal is 7")


def test_an_error_keeps_its_message_and_notes_as_data():
    error = UsageError("no verdicts", way_out=JudgeRun("runs/x"))
    error.add_note(Message("3 answers are saved", (Resume(Path("runs/x")),)))
    error.add_note("nothing is lost")
    assert error.message == Message("no verdicts", (JudgeRun("runs/x"),))
    assert [str(note) for note in error.notes] == error.__notes__
    assert error.__notes__ == ["3 answers are saved; resume it with: resume_run('runs/x')", "nothing is lost"]


def test_an_error_of_a_message_keeps_its_ways_out_and_adds_others():
    cause = MossbenchError("no verdicts", way_out=JudgeRun("runs/x"))
    error = UsageError(cause.message.after("runs/x: "), way_out=OmitOption("judge"))
    assert error.message == Message("runs/x: no verdicts", (JudgeRun("runs/x"), OmitOption("judge")))


def raised_texts(path):
    """The texts in what a module raises."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Raise):
            yield from (
                text for text in ast.walk(node) if isinstance(text, ast.Constant) and isinstance(text.value, str)
            )


def test_no_error_has_code_in_its_text():
    for path in Path(mossbench.__file__).parent.rglob("*.py"):
        assert [text.value for text in raised_texts(path) if "`" in text.value] == [], path.name
