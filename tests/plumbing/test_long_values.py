"""What a user gave is named in an error, but never echoed whole; and no error is pydantic's."""

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

import mossbench as mb
from mossbench.cli import cli
from mossbench.errors import DataError, SubmissionError, UsageError, shortened

LONG = "x" * 200_000
WORDS = "word " * 40_000
DEEP = "[" * 100_000
DEEP_AND_WHOLE = "[" * 100_000 + "]" * 100_000


@pytest.mark.parametrize("value", [LONG, WORDS])
def test_a_message_shows_the_beginning_the_end_and_the_length(value):
    text = str(UsageError(f"the field is {value!r}, expected less; shorten it"))
    assert text.startswith("the field is '") and text.endswith("expected less; shorten it") and len(text) < 2000
    assert "characters)" in text


def test_what_is_of_usual_length_is_shown_whole():
    path = "/home/somebody/" + "/".join(["a folder with a long name"] * 12)
    lines = "\n".join(f"  {i}. the row {i} is wrong" for i in range(1000))
    for text in (f"no run in {path!r}; give another", lines):
        assert str(DataError(text)) == text
    assert len(str(SubmissionError("wrong", [f"fault {i}" for i in range(50)])).splitlines()) == 51
    assert shortened("short") == "short"


def write(name, text):
    Path(name).write_text(text)
    return name


def table(**fields):
    row = {"id": "1", "question": "What is it?", **fields}
    return write("own.jsonl", json.dumps(row) + "\n")


def suite(text):
    return write("suite.toml", text)


ECHOED = {
    "a side": lambda value: ["data", "describe", table(side=value)],
    "a side, checked": lambda value: ["data", "check", table(side=value)],
    "an image": lambda value: ["data", "check", table(image=value)],
    "an id": lambda value: ["data", "check", table(id=value, image="no.png")],
    "a column": lambda value: ["data", "describe", table(**{value: 3, "question": 4})],
    "a key of a suite": lambda value: ["run", suite(f'"{value}" = 3\nmodels = ["control/candid"]\n')],
    "a value of a suite": lambda value: ["run", suite(f'limit = "{value}"\nmodels = ["control/candid"]\n')],
    "a model of a suite": lambda value: ["run", suite(f'models = ["{value}"]\n')],
    "a judge of a suite": lambda value: ["run", suite(f'models = ["control/candid"]\njudge = "{value}"\n')],
    "a baseline of a gate": lambda value: [
        "run",
        suite(f'models = ["control/candid"]\n[gates.a]\nbaseline = "{value}"\nmax_increase = 0.1\n'),
    ],
    "prices": lambda value: ["run", "--prices", write("p.json", json.dumps({value: {"input": value}}))],
    "a price": lambda value: ["run", "--prices", write("p.json", json.dumps({"a/b": {"input": value, "output": 1}}))],
    "drift": lambda value: ["judge", "drift", "--baseline", write("b.json", json.dumps({"judge": "a", "said": value}))],
    "drift, a key": lambda value: ["judge", "drift", "--baseline", write("b.json", json.dumps({value: value}))],
    "drift, a kind": lambda value: [
        "judge",
        "drift",
        "--baseline",
        write("b.json", json.dumps({"judge": "a", "said": {"p": {"kind": value}}})),
    ],
    "an option": lambda value: ["run", "--arm", value[:100_000]],
    "a model": lambda value: ["run", "--model", value[:100_000]],
    "a judge": lambda value: ["run", "--model", "control/candid", "--judge", value[:100_000]],
    "a command": lambda value: [value[:100_000]],
    "a map": lambda value: ["data", "describe", table(), "--map", f"question={value[:100_000]}"],
}


@pytest.mark.parametrize("value", [LONG, WORDS], ids=["one word", "words"])
@pytest.mark.parametrize("name", ECHOED)
def test_a_value_of_200_000_characters_is_not_echoed_whole(name, value):
    done = CliRunner().invoke(cli, ECHOED[name](value))
    assert done.exit_code in (1, 2) and not isinstance(done.exception, (ValueError, TypeError, AttributeError))
    assert 0 < len(done.output) < 6000, len(done.output)
    assert "pydantic" not in done.output and "Traceback" not in done.output


PYDANTICS = (
    r"pydantic|validation error|Input should|Field required|Extra inputs|Invalid JSON|recursion limit|String should"
)
BASELINES = {
    "no object": ("[]", "its content is [], expected an object"),
    "a key too many": (
        '{"judge": "rules/3", "said": {}, "more": 1}',
        "more is 1, but there is no field of this name",
    ),
    "a key missing": ('{"judge": "rules/3"}', "said is missing"),
    "another kind": (
        '{"judge": "rules/3", "said": {"a": {"kind": "nothing"}}}',
        "said.a.kind is 'nothing', expected '",
    ),
    "a number": ('{"judge": 3, "said": {}}', "judge is 3, expected a text"),
    "a list": ('{"judge": "rules/3", "said": []}', "said is [], expected an object"),
    "no JSON": ("{", "not JSON: "),
    "nothing": ("", "not JSON: "),
    "deep": (DEEP, "nested too deeply to be read"),
    "deep and whole": (DEEP_AND_WHOLE, "nested too deeply to be read"),
    "not UTF-8": ("\udcff", "not JSON: "),
}


@pytest.mark.parametrize("fault", BASELINES)
def test_a_baseline_of_verdicts_that_is_none_is_said_in_our_words(fault):
    text, reason = BASELINES[fault]
    Path("b.json").write_bytes(text.encode("utf-8", "surrogateescape"))
    done = CliRunner().invoke(cli, ["judge", "drift", "--baseline", "b.json"])
    told = " ".join(done.output.split())
    assert done.exit_code == 1 and f"b.json is not a baseline of judge verdicts: {reason}" in told, told
    assert not re.search(PYDANTICS, told) and "--save b.json" in told


OPTIONS_OF_RUN = {
    "limit": (-1, "limit is -1, expected at least 1"),
    "offset": (-1, "offset is -1, expected at least 0"),
    "epochs": (1001, "epochs is 1001, expected at most 1000"),
    "timeout": (0, "timeout is 0, expected more than 0"),
    "temperature": (float("nan"), "temperature is nan, expected a finite number"),
    "max_tokens": ("many", "max_tokens is 'many', expected a whole number"),
    "seed": (1.5, "seed is 1.5, expected a whole number"),
    "side": ("left", "side is 'left', expected 'benign', 'contrast' or 'both'"),
    "system": (3, "system is 3, expected a text"),
    "columns": (["a"], "columns is ['a'], expected an object"),
    "ids": (3, "ids is 3, expected a list"),
    "shard": ("2", "shard is '2': expected I/N, as in 2/8"),
}


@pytest.mark.parametrize("name", OPTIONS_OF_RUN)
def test_an_option_of_run_that_is_wrong_is_said_in_our_words(name, small):
    value, message = OPTIONS_OF_RUN[name]
    with pytest.raises(UsageError) as raised:
        mb.run("control/candid", small, out="runs/r", **{name: value})
    assert message in str(raised.value)
    assert not re.search(PYDANTICS, str(raised.value))


@pytest.mark.parametrize("text", [DEEP, DEEP_AND_WHOLE, f"a = {DEEP}", f"a = {DEEP_AND_WHOLE}"])
def test_files_that_are_nested_too_deeply_are_one_message(text, small):
    for name in ("suite.toml", "prices.json", "own.json", "own.jsonl", "in.jsonl", "labels.json"):
        Path(name).write_text(text)
    Path("build").mkdir()
    Path("build/build.toml").write_text(text)
    mb.run("control/candid", small, out="runs/r")
    Path("runs/gates.toml").write_text(text)
    for args in (
        ["run", "suite.toml"],
        ["run", "--prices", "prices.json"],
        ["data", "describe", "own.jsonl"],
        ["judge", "apply", "in.jsonl", "--out", "o.jsonl"],
        ["build", "status", "build"],
        ["results", "import", "own.json", "--out", "o"],
        ["leaderboard", "check", "own.json"],
        ["run", "--model", "replay/own.json"],
    ):
        done = CliRunner().invoke(cli, args)
        assert done.exit_code in (1, 2) and done.output.count("\n") < 12, (args, done.output)
        assert not isinstance(done.exception, RecursionError), args
    for name in ("run.json", "samples.jsonl", "answers.jsonl"):
        kept = Path("runs/r", name).read_text()
        Path("runs/r", name).write_text(kept + text + "\n" if name != "run.json" else text)
        done = CliRunner().invoke(cli, ["results", "show", "runs/r"])
        assert done.exit_code == 1 and "damaged" in done.output + "damaged" and name in done.output, done.output
        Path("runs/r", name).write_text(kept)
