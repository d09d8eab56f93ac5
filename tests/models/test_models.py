"""Models by name: controls, replay, one's own."""

import asyncio
import json
import threading
from pathlib import Path

import pytest

import mossbench as mb
from mossbench.errors import UsageError
from mossbench.judges.earlier.rules import RulesJudge
from mossbench.models import load_model
from mossbench.models.connections import Connections
from mossbench.models.model import Prompt, Settings
from mossbench.outcomes import REFUSED_KINDS, Answer, Exchange, Key, Layer
from mossbench.samples import Side
from waiting import LONG


def answer(model, request="What is this?", **more):
    return asyncio.run(load_model(model).answer(Prompt(request, **more)))


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("control/candit", "no control model named 'candit'; did you mean 'candid'"),
        ("contrl/candid", "did you mean 'control/candid'"),
        ("gpt-9", "expected provider/name with one of the providers control, replay, openai"),
        ("control/", "has no name after the provider"),
        ("nothing.py:f", "no file 'nothing.py'"),
    ],
)
def test_an_unknown_model_is_one_message_with_the_nearest_name(name, message):
    with pytest.raises(UsageError, match=message):
        load_model(name)


def test_a_base_url_for_a_model_that_has_none_is_refused():
    with pytest.raises(UsageError, match="base_url is for openai/<model>, .*, not for 'control/candid'"):
        load_model("control/candid", base_url="http://127.0.0.1:1/v1")


@pytest.mark.slow
@pytest.mark.parametrize(("name", "refused"), [("candid", False), ("stonewall", True)])
def test_controls_vary_their_wording_repeat_exactly_and_are_read_right(name, refused):
    replies = [answer(f"control/{name}", f"Question {i}?").text for i in range(200)]
    assert replies == [answer(f"control/{name}", f"Question {i}?").text for i in range(200)]
    assert len(set(replies)) >= 6
    for text in set(replies):
        exchange = Exchange(side="benign", sample="1", request="?", answer=Answer(text=text))
        assert (RulesJudge().verdict(exchange).kind in REFUSED_KINDS) is refused, text


def test_controls_do_not_look_at_the_key():
    keys = [Key(Side.BENIGN, "1"), Key(Side.CONTRAST, "nh-2", "system", 3), None]
    assert len({answer("control/candid", key=key).text for key in keys}) == 1
    assert len({answer("control/candid", settings=Settings(seed=seed)).text for seed in range(20)}) > 1


def transcript(rows, name="answers.jsonl"):
    Path(name).write_text("".join(json.dumps(row) + "\n" for row in rows))
    return f"replay/{name}"


def test_replay_tells_missing_null_empty_and_foreign_answers_apart(small):
    model = transcript(
        [
            {"id": "1", "response": "Fold it.", "question": " what could I do with  number 1?"},
            {"id": "2", "response": None},
            {"id": "3", "response": ""},
            {"id": "4", "response": "Paint it.", "question": "Quite another question?"},
            {"id": "99", "response": "Nobody asked."},
        ]
    )
    results = mb.run(model, small, side="benign")
    layers = {row.key.sample: row.outcome.layer for row in results.rows}
    assert layers == {
        "1": Layer.JUDGED,
        "2": Layer.FAILED,
        "3": Layer.EMPTY,
        "4": Layer.FAILED,
        "5": Layer.FAILED,
        "6": Layer.FAILED,
    }
    assert "another request for this sample" in results.rows[3].exchange.answer.error.message
    assert results.info.notices == (
        "2 ids not in the transcript: 5, 6",
        "1 id in the transcript but not asked: 99",
    )


def test_replay_without_sides_does_not_answer_both_sides(small):
    with pytest.raises(UsageError, match="add side='benign', or add side='contrast'"):
        mb.run(transcript([{"id": "1", "response": "x"}]), small)


def test_replay_with_sides_and_epochs_answers_each_row_with_its_own(small):
    rows = [
        {"id": "1", "side": side, "epoch": epoch, "response": f"{side} {epoch}"}
        for side in ("benign", "contrast")
        for epoch in (1, 2)
    ]
    results = mb.run(transcript(rows), small, ids=["1"], epochs=2)
    assert {row.exchange.answer.text for row in results.rows} == {"benign 1", "benign 2", "contrast 1", "contrast 2"}
    assert all(row.exchange.answer.text == f"{row.key.side} {row.key.epoch}" for row in results.rows)


def test_one_s_own_function_may_be_plain_or_async_and_sees_the_prompt(small):
    Path("mine.py").write_text(
        "async def slow(prompt):\n"
        "    return f'{prompt.request} {prompt.picture.media_type} {len(prompt.picture.data) > 0}'\n"
        "def plain(prompt):\n    return 'plain ' + prompt.request\n"
    )
    results = mb.run("mine.py:slow", small, limit=1, side="benign")
    assert results.rows[0].exchange.answer.text == "What could I do with number 1? image/png True"
    assert results.info.model_version is not None
    assert mb.run("mine.py:plain", small, limit=1, side="benign").rows[0].exchange.answer.text.startswith("plain What")
    assert mb.run(lambda prompt: "from a lambda", small, limit=1).rows[0].exchange.answer.text == "from a lambda"


def test_one_s_own_function_that_fails_is_a_failure_of_its_row_only(small):
    def fragile(prompt):
        if "number 2" in prompt.request:
            raise KeyError("oops")
        if "number 3" in prompt.request:
            return 42
        if "number 4" in prompt.request:
            raise SystemExit(3)
        return "fine"

    results = mb.run(fragile, small, side="benign")
    errors = {row.key.sample: row.exchange.answer.error for row in results.rows if row.exchange.answer.error}
    assert set(errors) == {"2", "3", "4"}
    assert errors["2"].type == "KeyError"
    assert "returned int, expected str or Answer" in errors["3"].message
    assert results.layers()[Layer.JUDGED] == 3


@pytest.mark.slow
def test_a_function_that_hangs_times_out_on_its_row(small, monkeypatch):
    end, came_back, ask = threading.Event(), [], Connections.ask

    def hurried(self, call, timeout, *, name, **more):  # for no other row: on a busy machine it might take that long
        return ask(self, call, 0.1 if name == "benign 2" else timeout, name=name, **more)

    monkeypatch.setattr(Connections, "ask", hurried)

    def hangs(prompt):
        if "number 2" in prompt.request:
            end.wait(LONG)
            came_back.append(prompt)
        return "fine"

    results = mb.run(hangs, small, side="benign", timeout=LONG)
    assert came_back == []
    end.set()
    assert [row.key.sample for row in results.rows if row.outcome.layer is Layer.FAILED] == ["2"]
    assert results.rows[1].exchange.answer.error.type == "TimeoutError"


@pytest.mark.parametrize(
    ("source", "name", "message"),
    [
        ("def f(p): return 'x'", "g", "no function in .*bad.py named 'g'; it defines: f"),
        ("f = 3", "f", "is a int, expected a function"),
        ("import nothing_like_it", "f", "cannot be loaded: ModuleNotFoundError"),
        ("def f(:", "f", "cannot be loaded: SyntaxError"),
    ],
)
def test_a_file_that_cannot_be_used_is_one_message(source, name, message):
    Path("bad.py").write_text(source)
    with pytest.raises(UsageError, match=message):
        load_model(f"bad.py:{name}")
