"""What a public function is given in place of a path, a record or a name is one message, never a traceback of ours."""

import inspect
import pickle
import traceback
import types
from collections.abc import Sequence
from pathlib import Path

import pytest

import mossbench as mb
from mossbench.errors import MossbenchError, UsageError
from mossbench.plumbing.argument_checks import fits
from mossbench.runs.judging import judge_run

FUNCTIONS = [name for name in mb.__all__ if isinstance(getattr(mb, name), types.FunctionType) and name != "arun"]
WRONG = {
    "None": None,
    "a dict": {},
    "a dict of something": {"a": 1},
    "a number": 5,
    "bytes": b"x",
    "a list of None": [None],
    "a list of dicts": [{}],
    "an object": object(),
    "a text": "no-such",
    "a path": Path("no-such"),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_a_wrong_argument_is_one_message(wrong):
    needed = {name: needed_by(getattr(mb, name)) for name in FUNCTIONS}
    asked = {name: fault_of(getattr(mb, name), names, WRONG[wrong]) for name, names in needed.items() if names}
    assert len(asked) > 50
    assert {name: fault for name, fault in asked.items() if fault is not None} == {}


def needed_by(function):
    """The names of the arguments that have no default."""
    return [
        one.name
        for one in inspect.signature(function).parameters.values()
        if one.default is one.empty and one.kind in (one.POSITIONAL_OR_KEYWORD, one.KEYWORD_ONLY)
    ]


def fault_of(function, names, value):
    """What is wrong with how a function takes this value for these arguments; None where nothing is."""
    try:
        function(**dict.fromkeys(names, value))
    except MossbenchError as error:
        return None if str(error) else "an error without a message"
    except Exception:
        return traceback.format_exc()
    return None


def test_the_message_names_the_argument_its_value_and_what_is_expected():
    expected = r"folder of mossbench.load_results is None \(NoneType\), expected a text or a Path"
    with pytest.raises(UsageError, match=expected):
        mb.load_results(None)
    with pytest.raises(UsageError, match=r"suite of mossbench.run_suite is 'suite.toml' \(str\), expected Suite"):
        mb.run_suite("suite.toml")
    with pytest.raises(UsageError, match=r"folders of mossbench.analyse_runs is 'runs/a' \(str\), expected a list"):
        mb.analyse_runs("tradeoff", "runs/a")
    with pytest.raises(UsageError, match=r"options of mossbench.analyse is 3 \(int\), expected Options or a dict"):
        mb.analyse("tradeoff", "control/candid", options=3)


def test_functions_stay_what_they_are_for_other_processes_and_readers():
    assert mb.judge_run is mb.judge_run and pickle.loads(pickle.dumps(mb.judge_run)) is mb.judge_run
    assert inspect.signature(mb.judge_run) == inspect.signature(judge_run) and mb.judge_run.__doc__ == judge_run.__doc__


def test_kinds_are_told_apart():
    assert fits(1, float) and not fits(True, int) and not fits("abc", Sequence[str]) and fits(("a",), Sequence[str])
    assert fits(print, types.FunctionType | None) is False and fits(None, str | None)
