"""From Python, a run in which calls failed says so and why, as the command does."""

import asyncio
import json
import warnings
from pathlib import Path

import pytest
from click.testing import CliRunner

import mossbench as mb
from mossbench.cli import cli
from mossbench.errors import RunWarning


def broken(prompt):
    raise OSError("no such key")


def broken_judge(exchange):
    raise OSError("the judge is away")


def half(prompt):
    if "number 1" in prompt.request:
        raise OSError("reset")
    return "Sure: fold it."


FAILED = (
    r"12 of 12 rows failed and are left out of all rates; most often \(12\): .*no such key.*errors.log; "
    r"try again with: .*r"
)


def test_a_run_in_which_every_call_raised_warns_with_the_reason(small):
    with pytest.warns(RunWarning, match=FAILED):
        results = mb.run(broken, small, out="r")
    assert results.failures().total() == 12  # and they are there to look at


def test_so_do_its_siblings(small):
    with pytest.warns(RunWarning, match="12 of 12 rows failed"):
        mb.run([broken, half], small, out="two")
    with pytest.warns(RunWarning, match="12 of 12 rows failed"):
        asyncio.run(mb.arun(broken, small, out="r"))
    with pytest.warns(RunWarning, match="12 of 12 rows failed"):
        mb.resume_run("r", model=broken)
    with pytest.warns(RunWarning, match="12 of 12 rows failed"):
        mb.analyse("tradeoff", broken, small, out="a")
    Path("own.py").write_text("def f(prompt):\n    raise OSError('no such key')\n")
    Path("suite.toml").write_text(f'models = ["own.py:f"]\ndata = ["{small}"]\n')
    with pytest.warns(RunWarning, match="12 of 12 rows failed"):
        mb.run_suite(mb.load_suite("suite.toml"))


def test_a_warning_stands_on_the_users_own_line(small):
    asked = mb.run("control/candid", small, judge=None)
    calls = [
        lambda: mb.run(broken, small, out="r"),
        lambda: mb.run([broken], small, out="list"),
        lambda: mb.resume_run("r", model=broken),
        lambda: mb.judge_run(asked.folder, broken_judge),
        lambda: mb.analyse("tradeoff", broken, small, out="a"),
    ]
    for call in calls:
        with pytest.warns(RunWarning) as warned:
            call()
        assert {warning.filename for warning in warned} == {__file__}


def test_of_a_run_within_a_run_the_inner_line_is_named(small):
    def start_another(_):
        if not Path("inner").exists():
            mb.run(broken, small, out="inner", limit=1)

    with pytest.warns(RunWarning) as warned:
        mb.run("control/candid", small, out="outer", limit=1, progress=start_another)
    assert [warning.lineno for warning in warned] == [start_another.__code__.co_firstlineno + 2]


def test_a_judge_that_broke_down_is_warned_of(small):
    with pytest.warns(RunWarning, match=r"the judge failed on 12 of 12 answers, .* the judge is away"):
        mb.run("control/candid", small, judge=broken_judge)
    asked = mb.run("control/candid", small, judge=None)
    with pytest.warns(RunWarning, match="the judge failed on 12 of 12 answers"):
        mb.judge_run(asked.folder, broken_judge)
    Path("in.jsonl").write_text(json.dumps({"request": "What is it?", "answer": "A cup."}) + "\n")
    with pytest.warns(RunWarning, match="failed on 1 of 1 answers; .* the judge is away"):
        mb.apply_judge("in.jsonl", broken_judge, out="out.jsonl")


def test_a_few_are_said_too_and_none_is_not(small):
    with pytest.warns(RunWarning, match="2 of 12 rows failed"):
        mb.run(half, small)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        mb.run("control/candid", small)


def test_the_command_says_it_once(small):
    Path("own.py").write_text("def f(prompt):\n    raise OSError('no such key')\n")
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # a warning on top of the command's own words would raise
        done = CliRunner().invoke(cli, ["run", "--model", "own.py:f", "--data", str(small), "--no-report"])
    assert done.exit_code == 1 and done.output.count("rows failed and are left out of all rates") == 1, done.output
