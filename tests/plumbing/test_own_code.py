"""One's own model or judge in a file: what it may import, what it may be, and where its exceptions are found."""

import asyncio
import json
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

import mossbench as mb
from mossbench.cli import cli
from mossbench.errors import UsageError
from mossbench.judges import load_judge
from mossbench.models import Overloaded, load_model
from mossbench.models.model import Prompt
from mossbench.outcomes import Layer


def written(**files):
    for name, text in files.items():
        path = Path(name.replace("__", "/") + ".py")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def said(spec, request="Hello?"):
    return asyncio.run(load_model(spec).answer(Prompt(request))).text


def test_two_files_with_neighbours_of_one_name_do_not_mix_and_nobody_else_sees_them():
    written(
        a__model="import words\nfrom parts.one import ONE\ndef answer(prompt):\n    import later\n"
        "    return words.WORD + ONE + later.LATE",
        a__words="import deeper\nWORD = 'a' + deeper.MORE",
        a__deeper="MORE = '!'",
        a__parts__one="from . import two\nimport words\nONE = two.TWO + words.deeper.MORE",
        a__parts__two="TWO = '2'",
        a__later="LATE = ' late'",
        b__model="from words import WORD\ndef answer(prompt):\n    return WORD",
        b__words="WORD = 'b'",
    )
    Path("a/parts/__init__.py").write_text("")
    path = list(sys.path)
    assert said("a/model.py:answer") == "a!2! late" and said("b/model.py:answer") == "b"
    assert said("a/model.py:answer") == "a!2! late"
    assert sys.path == path and not {"words", "deeper", "parts", "later"} & sys.modules.keys()


def test_a_neighbour_does_not_stand_in_for_the_standard_library_or_for_itself():
    written(json="def dumps(_): return 'mine'", numpy="import numpy\nSIZE = str(numpy.zeros(3).size)")
    written(model="import json, os.path as p\nfrom numpy import SIZE\ndef f(_): return json.dumps([SIZE, p.sep])")
    assert said("model.py:f") == '["3", "/"]'
    Path("numpy.py").unlink()
    Path("numpy").mkdir()  # a folder without __init__.py is a package only where there is no other of its name
    written(model="import json, numpy\ndef f(_): return json.dumps([numpy.zeros(3).size])", texts__one="ONE = 1")
    assert said("model.py:f") == "[3]"
    written(model="import texts.one\ndef f(_): return str(texts.one.ONE)")
    assert said("model.py:f") == "1"


def test_a_changed_neighbour_is_another_version_and_is_loaded_again(small):
    written(model="import words\ndef f(_): return words.WORD", words="WORD = 'one'")
    alone = load_model("model.py:f").version
    assert said("model.py:f") == "one" and load_model("model.py:f").version == alone
    mb.run("model.py:f", small, out="run", limit=1)
    written(words="WORD = 'two'")
    assert said("model.py:f") == "two" and load_model("model.py:f").version != alone
    with pytest.raises(UsageError, match="model version"):
        mb.resume_run("run")


THINGS = {
    "function": "def it(prompt): return 'yes'",
    "lambda": "it = lambda prompt: 'yes'",
    "async": "async def it(prompt): return 'yes'",
    "class": "class it:\n def __init__(self, word='yes'): self.word = word\n def __call__(self, p): return self.word",
    "async class": "class it:\n async def __call__(self, prompt): return 'yes'",
    "instance": "class C:\n def __call__(self, prompt): return 'yes'\nit = C()",
    "partial": "from functools import partial\nit = partial(lambda word, prompt: word, 'yes')",
    "Model": "from mossbench import Model\nclass it(Model):\n limits = None\n async def answer(self, p): return 'yes'",
    "plain Model": "from mossbench import Model\nclass C(Model):\n def answer(self, prompt): return 'yes'\nit = C()",
    "dataclass": "from dataclasses import dataclass\n@dataclass\nclass it:\n word: str = 'yes'\n"
    " def __call__(self, prompt): return self.word",
}


@pytest.mark.slow
@pytest.mark.parametrize("thing", THINGS)
def test_a_name_may_be_a_function_a_class_or_an_instance(thing, small):
    written(mine=THINGS[thing])
    results = mb.run("mine.py:it", small, side="benign", limit=2, out="run")
    assert [row.exchange.answer.text for row in results.rows] == ["yes", "yes"]
    assert results.model == "mine.py:it" and results.info.model_version
    assert len(mb.resume_run("run")) == 2


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("it = 3", "'mine.py:it' is a int, expected a function of a Prompt, or a class or an instance that has"),
        ("class it: pass", "'mine.py:it' is a it, expected a function of a Prompt, .*derives from mossbench.Model"),
        ("import json as it", "is a module, expected a function"),
        ("def it(): pass", r"'mine.py:it' takes \(\), expected one argument: a Prompt"),
        ("def it(text, image): pass", r"takes \(text, image\), expected one argument"),
        (
            "class it:\n def __init__(self, key): pass",
            "cannot be created without arguments: missing a required .*'key'",
        ),
        (
            "class it:\n def __init__(self): self.x = open('no')",
            r"cannot be created: FileNotFoundError.*mine.py, line 2",
        ),
        ("it = 1 / 0", r"mine.py cannot be loaded: ZeroDivisionError: division by zero \(mine.py, line 1\)"),
    ],
)
def test_anything_else_is_one_message(source, message):
    written(mine=source)
    with pytest.raises(UsageError, match=message):
        load_model("mine.py:it")


def test_a_judge_may_be_a_class_too(small):
    written(
        mine="import mossbench as mb\nfrom words import NO\nclass Polite:\n def __call__(self, exchange): return NO\n"
        "class Own(mb.Judge):\n def verdict(self, exchange, picture=None): return mb.Verdict(kind='answered')",
        words="NO = 'refused'",
    )
    for name, kind in (("Polite", "refused"), ("Own", "answered")):
        results = mb.run("control/candid", small, judge=f"mine.py:{name}", limit=1)
        assert {str(row.outcome.kind) for row in results.rows} == {kind}
        assert results.judge == load_judge(f"mine.py:{name}").label
    with pytest.raises(UsageError, match="expected one argument: an Exchange"):
        written(mine="def f(): pass")
        load_judge("mine.py:f")


BROKEN = (
    "def look(prompt):\n    return prompt.request.index('number 7')\n"
    "def answer(prompt):\n    return look(prompt)\n"
    "def judge(exchange):\n    raise KeyError('what')\n"
)


def test_exceptions_of_own_code_leave_their_traceback_beside_the_run(small, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-a-long-secret-of-mine")
    written(mine=BROKEN + "def echo(prompt):\n    raise OSError('key sk-a-long-secret-of-mine')\n")
    mb.run("mine.py:answer", small, side="benign", out="run")
    log = Path("run/errors.log").read_text()
    assert log.count("Traceback") == 1 and log.count(": as for benign ") == 5  # each once, with its rows
    assert 'mine.py", line 2, in look' in log and "ValueError: substring not found" in log
    assert "mossbench/models" not in log
    assert "Traceback" not in Path("run/answers.jsonl").read_text()
    mb.run("mine.py:echo", small, side="benign", limit=1, out="run2")
    assert "OSError: key [redacted]" in Path("run2/errors.log").read_text()
    mb.run("control/candid", small, side="benign", out="run3")
    assert not Path("run3/errors.log").exists()
    mb.judge_run("run3", "mine.py:judge")
    assert "KeyError: 'what'" in Path("run3/errors.log").read_text()


def test_the_command_line_names_the_log_and_try_shows_the_traceback(small):
    written(mine=BROKEN)
    done = CliRunner().invoke(cli, ["run", "--model", "mine.py:answer", "--data", str(small), "--out", "run"])
    assert done.exit_code == 1 and "tracebacks of your own code are in run/errors.log" in done.output
    done = CliRunner().invoke(cli, ["try", "--model", "mine.py:answer", "--data", str(small)])
    assert done.exit_code == 1 and "traceback Traceback (most recent" in done.output and "in look" in done.output
    done = CliRunner().invoke(cli, ["try", "--model", "mine.py:answer", "--data", str(small), "--json"])
    assert "in look" in json.loads(done.stdout)["traceback"]
    done = CliRunner().invoke(
        cli, ["try", "--model", "control/candid", "--judge", "mine.py:judge", "--data", str(small)]
    )
    assert "KeyError: 'what'" in done.output and "in judge" in done.output


def test_a_function_may_say_that_it_is_too_early(small):
    tries = []

    def answer(prompt):
        tries.append(prompt)
        if len(tries) == 1:
            raise Overloaded(0.0, "rate_limit", "later")
        return "fine"

    results = mb.run(answer, small, side="benign", limit=1, max_connections=1)
    assert results.rows[0].outcome.layer is Layer.JUDGED and results.rows[0].exchange.tries == 2


def test_try_looks_for_an_id_on_both_sides(small):
    lines = [json.loads(line) for line in (small / "metadata.jsonl").read_text().splitlines()]
    lines = [line | {"id": "only"} if (line["id"], line["side"]) == ("6", "contrast") else line for line in lines]
    (small / "metadata.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert mb.try_sample("control/candid", small, id="only").exchange.side == "contrast"
    assert mb.try_sample("control/candid", small, id="1").exchange.side == "benign"
    assert mb.try_sample("control/candid", small, id="1", side="contrast").exchange.side == "contrast"
    with pytest.raises(UsageError, match="no sample with id 'onyl'; the closest to 'onyl' is 'only'"):
        mb.try_sample("control/candid", small, id="onyl")
    done = CliRunner().invoke(cli, ["try", "--model", "control/candid", "--data", str(small), "--id", "only"])
    assert "contrast only" in done.stdout
