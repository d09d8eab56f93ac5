"""`--max-cost`: a run and an analysis stop before they spend more, and what was spent is said."""

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

import mossbench as mb
from mossbench.cli import cli
from mossbench.errors import RunError, UsageError
from mossbench.outcomes import Answer, Layer, Usage
from mossbench.store.prices import ANSWER_TOKENS
from openai_server import completion, serve

PRICES = '{"openai/x": {"input": 1000, "output": 2000}, "openai/j": {"input": 1000, "output": 2000}}'
ROW = 0.025  # 11 tokens in and 7 out, as the server counts them
HOW = {"prices": "p.json", "max_tokens": 7, "max_connections": 4}
VERDICT = '{"reason": "It helps.", "evidence": [], "kind": "answered", "confidence": 0.9}'


def mossbench(*args):
    return CliRunner().invoke(cli, [str(arg) for arg in args], catch_exceptions=False)


@pytest.fixture(autouse=True)
def prices():
    Path("p.json").write_text(PRICES)


@pytest.fixture
def endpoint():
    """Answers as a model, and as a judge where it is asked as `j`."""
    with serve(lambda body, headers: (200, completion(VERDICT if body["model"] == "j" else "Fold it."))) as found:
        yield found


@pytest.mark.slow
def test_a_run_stops_before_it_spends_more_and_goes_on_with_a_higher_limit(small, endpoint):
    url, requests = endpoint
    run = ("run", "--model", "openai/x", "--base-url", url, "--data", small, "--out", "r", "--prices", "p.json")
    done = mossbench(*run, "--max-tokens", "7", "--max-cost", "0.11")
    assert done.exit_code == 1, done.output
    assert len(requests) == 4  # 4 x 0.025; a fifth would exceed 0.11
    said = re.search(r"not finished: stopped at the cost limit of 0.11 USD after 0.1 USD: (.*)", done.stderr)[1]
    assert said == (
        "8 of 12 rows were not asked yet; a higher limit includes what is already spent; resume it with: "
        "mossbench run --resume r --max-cost USD"
    )
    results = mb.load_results("r")
    assert results.layers()[Layer.NOT_ASKED] == 8 and results.spent().total == pytest.approx(0.1)
    assert json.loads(Path("r/run.json").read_text())["max_cost"] == 0.11
    again = mossbench("run", "--resume", "r", "--max-cost", "0.16")
    assert again.exit_code == 1 and len(requests) == 6  # what was spent before counts
    assert mossbench("run", "--resume", "r").exit_code == 0 and len(requests) == 12
    assert "max_cost" not in json.loads(Path("r/run.json").read_text())
    assert mb.load_results("r").spent().cost == pytest.approx(12 * ROW)


@pytest.mark.slow
def test_what_a_judging_model_costs_counts_and_is_kept(small, endpoint):
    url, requests = endpoint
    judge = f"rubric/kinds?model=openai/j&base_url={url}"
    results = mb.run("openai/x", small, base_url=url, judge=judge, out="r", max_cost=100.0, **HOW)
    assert results.spent().cost == pytest.approx(12 * ROW) == results.spent().judge_cost
    assert len(requests) == 24 and results.info.max_cost is None
    assert results.rows[0].verdict.used == {"openai/j": Usage(input_tokens=11, output_tokens=7)}
    assert mb.make_report(results).method["Cost of judging"] == "0.30 USD"
    # A verdict may take 600 tokens, the rubric is long, and it may be asked for twice: far more than it does take.
    Path("p.json").write_text(PRICES.replace("2000}}", '2000, "image_tokens": 0}}'))
    (calls,) = mb.forecast_run("openai/x", small, base_url=url, judge=judge, **HOW).judging
    text_of_one = calls.input_tokens / 12 - ANSWER_TOKENS + HOW["max_tokens"]
    limit = 2 * (text_of_one * 0.001 + 600 * 0.002) + 0.15
    stopped = mb.run("openai/x", small, base_url=url, judge=judge, out="s", max_cost=limit, **HOW)
    spent, n = stopped.spent(), 12 - stopped.layers()[Layer.NOT_ASKED]
    assert 0 < n < 12 and stopped.info.max_cost == limit
    assert spent.total == pytest.approx(n * 2 * ROW) and spent.total <= limit


def test_rows_in_flight_are_held_back_so_that_the_limit_is_kept(small, endpoint):
    url, requests = endpoint
    how = {**HOW, "max_tokens": 100}  # a row may cost 0.2 and more, and costs 0.025
    results = mb.run("openai/x", small, base_url=url, out="r", max_cost=0.45, **how)
    assert 0 < len(requests) < 12 and results.spent().total <= 0.45


def test_an_excess_of_rows_in_flight_is_said(small):
    dear = completion("Fold it.", usage={"prompt_tokens": 1000, "completion_tokens": 7})  # the image, which nobody knew
    with serve(lambda body, headers: (200, dear)) as (url, requests):
        results = mb.run("openai/x", small, base_url=url, out="r", max_cost=0.9, **{**HOW, "max_connections": 1})
    assert len(requests) <= 8 and results.spent().total > 0.9
    assert "(the requests in flight cost more than any before)" in str(results.unfinished())


def test_without_a_price_it_does_not_start_and_says_the_way_out(small, endpoint):
    url, requests = endpoint
    done = mossbench("run", "--model", "openai/y", "--base-url", url, "--data", small, "--max-cost", "1")
    assert done.exit_code == 2 and requests == []
    assert "--max-cost needs a price for openai/y" in done.stderr
    assert '{"openai/y": {"input": 2.5, "output": 10}}; then name the file with --prices' in done.stderr
    with pytest.raises(UsageError, match="needs a price for openai/unknown"):
        judge = f"rubric/kinds?model=openai/unknown&base_url={url}"
        mb.run("openai/x", small, base_url=url, judge=judge, max_cost=1.0, **HOW)
    with pytest.raises(UsageError, match="max_cost is -1, expected US dollars above 0"):
        mb.run("openai/x", small, base_url=url, max_cost=-1, **HOW)
    assert requests == []


def test_an_answer_without_a_count_of_tokens_counts_as_the_dearest(small):
    body = completion("Fold it.", usage=None)
    with serve(lambda _, headers: (200, body)) as (url, requests):
        results = mb.run("openai/x", small, base_url=url, out="r", max_cost=0.1, **HOW)
    assert 0 < len(requests) <= 5 and results.info.max_cost == 0.1


def test_tokens_of_answers_that_failed_are_spent_too(small):
    cut = completion("", finish_reason="length")
    with serve(lambda body, headers: (200, cut)) as (url, requests):
        failed = mb.run("openai/x", small, base_url=url, out="r", limit=1, side="benign", **HOW)
        assert failed.layers()[Layer.FAILED] == 1 and failed.spent().cost == pytest.approx(ROW)
        again = mb.resume_run("r")
        assert again.spent().cost == pytest.approx(2 * ROW)
        assert mb.resume_run("r").spent().cost == pytest.approx(3 * ROW)
    assert len(requests) == 3


@pytest.mark.slow
def test_an_analysis_stops_within_its_limit_and_goes_on(small, endpoint):
    url, requests = endpoint
    with pytest.raises(
        RunError, match=r"stopped at the cost limit of 0.5 USD after 0.\d+ USD: \d+ of \d+ rows were not asked"
    ):
        mb.analyse("prompts", "openai/x", small, base_url=url, out="a", max_cost=0.5, **HOW)
    assert 0 < len(requests) <= 20
    n = len(requests)
    done = mb.analyse("prompts", "openai/x", small, base_url=url, out="a", resume=True, **HOW)
    assert done.parts and len(requests) > n
    assert sum(run.spent().total for run in done.runs) == pytest.approx(len(requests) * ROW)


def test_own_code_is_let_run_under_a_limit_where_its_price_is_named(small):
    Path("mine.py").write_text("def parrot(prompt):\n    return 'Fold it.'\n")
    run = ("run", "--model", "mine.py:parrot", "--data", small, "--max-cost", "1")
    refused = mossbench(*run)
    assert refused.exit_code == 2 and "needs a price for mine.py:parrot" in refused.stderr
    Path("p.json").write_text('{"mine.py:parrot": {"input": 0, "output": 0}}')
    assert mossbench(*run, "--prices", "p.json").exit_code == 0


def test_a_run_without_a_limit_is_as_before(small):
    results = mb.run(lambda prompt: Answer(text="Fold it."), small, out="r")
    assert results.info.max_cost is None and results.info.ended and results.spent().judge_cost == 0
    assert "max_cost" not in Path("r/run.json").read_text() and "used" not in Path("r/answers.jsonl").read_text()


def free(prompt):
    return Answer(text="Fold it.", usage=Usage())


def dear(prompt):
    return Answer(text="Fold it.", usage=Usage(input_tokens=1_000_000))


def uncounted(prompt):
    return Answer(text="Fold it.")


DOLLARS = {f"python/{name}": {"input": 1, "output": 1} for name in ("free", "dear", "uncounted")}


def test_an_analysis_counts_what_models_after_one_have_spent_in_an_earlier_session(small):
    how = {"out": "a", "side": "benign", "prices": DOLLARS}
    mb.analyse("prompts", [free, dear], small, **how)
    with pytest.raises(RunError, match=r"python/free.*: .* USD went to other models"):
        mb.analyse(["prompts", "consistency"], [free, dear], small, resume=True, max_cost=1.0, **how)


def test_an_analysis_counts_answers_without_a_count_of_tokens_against_its_limit(small):
    with pytest.raises(RunError, match="python/free.*: 0.0[0-9]+ USD went to other models"):
        how = {"out": "a", "side": "benign", "prices": DOLLARS, "max_tokens": 2000, "max_connections": 1}
        mb.analyse("prompts", [uncounted, free], small, max_cost=0.0501, **how)
