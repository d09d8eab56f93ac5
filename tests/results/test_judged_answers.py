"""Answers that are no run: files, data frames and rows in memory, judged and counted."""

import json

import numpy as np
import pytest
from click.testing import CliRunner

import mossbench as mb
from mossbench.cli import cli
from mossbench.errors import DataError, UsageError

ANSWER = "Sure! First take the thing in your hand, and then turn it slowly until it comes off."
REFUSAL = "I'm sorry, but I can't help with that."


def rows(n=40, **columns):
    return [
        {"id": i, "question": f"How do I do {i}?", "response": REFUSAL if i % 4 == 0 else ANSWER, **columns}
        for i in range(n)
    ]


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def rate_of(judged):
    (rate,) = judged.rates
    return rate


def test_rows_in_memory_are_judged_and_have_a_rate_with_its_interval():
    pd = pytest.importorskip("pandas")
    for answers in (rows(), pd.DataFrame(rows()), iter(rows())):
        judged = mb.judge_answers(answers, "keywords")
        rate = rate_of(judged)
        assert (len(judged), rate.refused, rate.estimate.n, rate.estimate.value) == (40, 10, 40, 0.25)
        assert rate.estimate.low < 0.25 < rate.estimate.high
        assert list(judged.df()["refused"][:4]) == [1, 0, 0, 0]


def test_answers_to_one_request_are_not_counted_as_independent():
    same_request = [{**row, "question": "How?"} for row in rows()]
    assert rate_of(mb.judge_answers(rows(), "keywords")).estimate.n_clusters is None
    wider = mb.judge_answers([*rows(), *rows()], "keywords")
    assert rate_of(wider).estimate.n_clusters == 40
    one_request = rate_of(mb.judge_answers(same_request, "keywords")).estimate
    assert np.isnan(one_request.low) or one_request.high - one_request.low > 0.9


def test_one_request_about_different_images_is_as_many_requests():
    answers = [{**row, "question": "What is it?", "image": f"{row['id']}.png"} for row in rows()]
    assert rate_of(mb.judge_answers(answers, "keywords")).estimate.n_clusters is None


def test_several_models_or_files_have_a_rate_each(tmp_path):
    judged = mb.judge_answers([*rows(8, model="b"), *rows(8, model="a")], "keywords")
    assert [(rate.group, rate.estimate.n) for rate in judged.rates] == [("a", 8), ("b", 8)]
    files = []
    for name in ("one.jsonl", "two.jsonl"):
        files.append(tmp_path / name)
        files[-1].write_text("".join(json.dumps(row) + "\n" for row in rows(4)))
    assert [rate.group for rate in mb.judge_answers(files, "keywords").rates] == ["one.jsonl", "two.jsonl"]


def test_sides_have_rates_of_their_own():
    judged = mb.judge_answers([*rows(4, side="benign"), *rows(8, side="contrast")], "keywords")
    assert [(rate.side, rate.estimate.n) for rate in judged.rates] == [(mb.Side.BENIGN, 4), (mb.Side.CONTRAST, 8)]
    assert judged.has_sides


def test_columns_of_other_names_are_named_or_proposed(tmp_path):
    renamed = [{"key": row["id"], "ask": row["question"], "said": row["response"]} for row in rows()]
    file = tmp_path / "mine.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in renamed))
    for answers in (renamed, file):
        with pytest.raises(DataError, match=r"columns=\{'response': 'said', 'question': 'ask'\}"):
            mb.judge_answers(answers, "keywords")
        judged = mb.judge_answers(answers, "keywords", columns={"response": "said", "question": "ask"})
        assert rate_of(judged).estimate.value == 0.25
    with pytest.raises(UsageError, match="did you mean 'response'"):
        mb.judge_answers(renamed, columns={"respons": "said"})


def test_a_missing_answer_widens_the_interval():
    answers = rows()
    answers[1]["response"] = None
    judged = mb.judge_answers(answers, "keywords")
    rate = rate_of(judged)
    assert (rate.estimate.n, rate.n_missing) == (39, 1)
    assert judged.applied.layers[mb.Layer.FAILED] == 1


def test_an_answer_that_is_no_text_is_named_with_its_row():
    with pytest.raises(DataError, match=r"the list, row 2: column 'said' has 5 \(int\), expected a text or None"):
        mb.judge_answers([{"said": "Yes."}, {"said": 5}], columns={"response": "said"})


def test_no_rows_are_refused():
    with pytest.raises(DataError, match="the list has no rows; expected a row for each answer"):
        mb.judge_answers([])


def test_verdicts_that_cost_calls_need_a_file_that_stays(tmp_path):
    class Paid(mb.Judge):
        name = "paid"
        version = "1"

        async def verdict(self, exchange, picture=None):
            return mb.Verdict(kind="answered")

    with pytest.raises(
        UsageError, match=r"each verdict of paid/1 may cost a call; keep its verdicts in a file with out="
    ):
        mb.judge_answers(rows(), Paid())
    assert rate_of(mb.judge_answers(rows(), Paid(), out=tmp_path / "out.jsonl")).refused == 0
    with pytest.raises(mb.MossbenchError, match="overwrite"):
        mb.judge_answers(rows(), Paid(), out=tmp_path / "out.jsonl")


def apply(*arguments):
    result = CliRunner().invoke(cli, ["judge", "apply", *map(str, arguments), "--quiet"])
    return result


def test_the_command_ends_with_rates_and_what_they_rest_on(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    renamed = [{"ask": row["question"], "said": row["response"]} for row in rows()]
    (tmp_path / "mine.jsonl").write_text("".join(json.dumps(row) + "\n" for row in renamed))
    result = apply("mine.jsonl", "--out", "out.jsonl", "--judge", "keywords", "--map", "response=said,question=ask")
    assert result.exit_code == 0, result.output
    assert "25.0 % [" in result.stdout and "40/40" in result.stdout
    assert "no row says its side (column side): all are counted as harmless requests" in result.stdout
    assert "judge keywords/2 · rule system" in result.stdout


def test_the_command_gives_the_rates_as_json_too(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows()))
    result = apply("mine.jsonl", "--out", "out.jsonl", "--judge", "keywords", "--json")
    (rate,) = json.loads(result.stdout)["rates"]
    assert (rate["value"], rate["n"], rate["group"]) == (0.25, 40, "all")


def test_columns_of_a_run_cannot_be_named(tmp_path):
    run = mb.run("control/candid", limit=1, out=tmp_path / "run")
    result = apply(run.folder, "--map", "response=said")
    assert result.exit_code == 2 and "is a folder: omit --map" in result.stderr
