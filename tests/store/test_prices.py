import json
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pytest

import mossbench as mb
from mossbench.errors import DataError
from mossbench.look.numbers import dollars
from mossbench.outcomes import Answer, Usage
from mossbench.reports.tables import spent_line
from mossbench.runs.planning import plan_run
from mossbench.runs.request import RunRequest
from mossbench.store.prices import PRICES, Price, judge_cost, load_prices, picture_tokens, price_of, text_tokens


def test_cost_is_tokens_times_price_for_a_million():
    # 400,000 x 2.5 / 1e6 + 90,000 x 10 / 1e6 = 1.0 + 0.9
    assert PRICES["openai/gpt-4o"].cost(Usage(input_tokens=400_000, output_tokens=90_000)) == pytest.approx(1.9)
    assert PRICES["openai/gpt-4o"].cost(None) is None


@pytest.mark.parametrize(
    ("model", "base_url", "known"),
    [
        ("openai/gpt-4o", None, (2.5, 10)),
        ("openai/gpt-4o-2024-08-06", None, (2.5, 10)),
        ("openai/gpt-4o-2024-05-13", None, (5, 15)),
        ("anthropic/claude-3-haiku-20240307", None, (0.25, 1.25)),
        ("google/gemini-2.0-flash-001", None, (0.1, 0.4)),
        ("openai/gpt-4o-audio-preview", None, None),
        ("openai/gpt-4o", "http://127.0.0.1:8000/v1", None),
        ("openai/no-such-model", None, None),
        ("mine.py:f", None, None),
        ("control/candid", None, (0, 0)),
        ("replay/answers.jsonl", None, (0, 0)),
    ],
)
def test_a_price_is_of_that_very_model_at_its_vendor_or_unknown(model, base_url, known):
    price = price_of(model, base_url=base_url)
    assert (price and (price.input, price.output)) == known


def test_every_price_in_the_table_says_when_and_whence():
    assert all(price.as_of and price.source and price.input < price.output for price in PRICES.values())


def test_own_prices_come_first_also_for_an_endpoint_of_ones_own(tmp_path):
    path = tmp_path / "prices.json"
    path.write_text(json.dumps({"openai/gpt-4o": {"input": 1, "output": 2, "as_of": "today"}}))
    prices = load_prices(path)
    assert price_of("openai/gpt-4o", base_url="http://127.0.0.1/v1", prices=prices) == Price(
        input=1, output=2, as_of="today", source=str(path)
    )
    assert price_of("openai/gpt-4o-mini", prices=prices) == PRICES["openai/gpt-4o-mini"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("[1]", "found list, expected"),
        ("{", "expected"),
        ('{"openai/x": 3}', "expected"),
        ('{"openai/x": {"input": "free", "output": 1}}', "is 'free', expected a number; expected"),
        ('{"openai/x": {"input": 1}}', "output is missing"),
        ('{"openai/x": {"input": -1, "output": 1}}', "input is -1, expected at least 0"),
        ('{"openai/x": {"input": 1, "output": NaN}}', "output is nan, expected a finite number"),
        ('{"openai/x": {"input": true, "output": 1}}', "openai/x: input is True, expected a number; expected"),
        ('{"openai/x": {"input": "2.5", "output": 1}}', "input is '2.5', expected a number; expected"),
        ('{"gpt-4o": {"input": 1, "output": 1}}', "'gpt-4o'.* is not the price of a model"),
    ],
)
def test_a_bad_prices_file_is_one_message_with_what_was_expected(tmp_path, content, message):
    (tmp_path / "prices.json").write_text(content)
    with pytest.raises(DataError, match=message):
        load_prices(tmp_path / "prices.json")
    with pytest.raises(DataError, match="cannot be read: No such file"):
        load_prices(tmp_path / "none.json")


@pytest.mark.parametrize("as_of", ["today", "2026-99", "2026-11-05"])
def test_a_price_that_names_no_month_is_shown_as_it_is(small, as_of):
    prices = {"python/free": Price(input=1, output=1, as_of=as_of)}
    results = mb.run(free, small, side="benign", out="r", prices=prices)
    assert f", prices of {as_of}" in mb.make_report(results).method["Cost"]


def free(prompt):
    return Answer(text="Fold it.", usage=Usage(input_tokens=1, output_tokens=1))


def test_prices_in_python_may_be_as_in_a_file_and_others_are_named(small):
    prices = {"python/free": {"input": 0, "output": 1}}
    assert mb.run(free, small, out="r", prices=prices, max_cost=1.0).info.price == Price(
        input=0, output=1, source="prices"
    )
    for wrong in (5, None, {"input": 1}):
        with pytest.raises(DataError, match="prices: .*python/free.*; expected {"):
            mb.run(free, small, out="s", prices={"python/free": wrong})


@pytest.mark.parametrize(
    ("model", "size", "tokens"),
    [
        ("openai/gpt-4o", (1024, 1024), 765),  # the vendor's example: 768 x 768, four tiles: 85 + 4 x 170
        ("openai/gpt-4o", (2048, 4096), 1105),  # the vendor's example: 768 x 1536, six tiles
        ("openai/gpt-4o", (300, 200), 255),  # not enlarged: one tile
        ("openai/gpt-4.1-mini", (1024, 1024), 1659),  # 1,024 patches x 1.62
        ("anthropic/claude-3-haiku", (1000, 1000), 1334),  # 1e6 / 750
        ("anthropic/claude-3-haiku", (4000, 4000), 1600),
        ("google/gemini-1.5-pro", (4000, 4000), 258),
        ("google/gemini-2.5-flash", (384, 384), 258),
        ("google/gemini-2.5-flash", (1000, 700), 516),
        ("openai/unknown", (10, 10), None),
        ("control/candid", (10, 10), None),
    ],
)
def test_pictures_count_as_the_vendors_say_and_otherwise_not_at_all(model, size, tokens):
    assert picture_tokens(model, *size) == tokens


def test_texts_count_four_characters_a_token_rounded_up():
    assert text_tokens("12345", None, "1234", "") == 3


@pytest.mark.parametrize(
    ("cost", "text"), [(None, "cost unknown"), (0.0, "0.00 USD"), (12.345, "12.35 USD"), (0.001234, "0.0012 USD")]
)
def test_an_amount_has_the_digits_it_bears(cost, text):
    assert dollars(cost) == text


def test_the_cost_of_a_single_answer_is_written_out():
    assert dollars(5e-06) == "0.0000050 USD"


def counting(prompt):
    if "number 1?" in prompt.request:
        raise ConnectionError("reset")
    usage = None if "number 2?" in prompt.request else Usage(input_tokens=100_000, output_tokens=1000)
    return Answer(text="Fold it.", usage=usage)


def test_a_run_adds_up_its_tokens_and_keeps_the_price_it_was_asked_at(small):
    Path("prices.json").write_text('{"python/counting": {"input": 2, "output": 10}}')
    results = mb.run(counting, small, side="benign", out="r", prices="prices.json")
    spent = results.spent()
    assert (spent.n_counted, spent.n_uncounted) == (4, 1)
    assert (spent.input_tokens, spent.output_tokens) == (400_000, 4000)
    assert spent.cost == pytest.approx(0.84)  # 0.4 x 2 + 0.004 x 10
    assert spent_line(results) == "  400,000 tokens in, 4,000 out, 0.84 USD, 1 answer without a token count"
    Path("prices.json").unlink()
    again = mb.load_results("r")
    assert again.to_dict()["spent"]["cost"] == pytest.approx(0.84)
    assert list(again.df()["input_tokens"].dropna()) == [100_000] * 4
    assert mb.run(counting, small, side="benign", out="r", resume=True).spent().cost == pytest.approx(0.84)


def test_an_unknown_price_is_said_to_be_unknown(small):
    results = mb.run(counting, small, side="benign")
    assert results.spent().cost is None and "cost unknown" in spent_line(results)
    assert spent_line(mb.run("control/candid", small)) == ""


def test_an_endpoint_from_the_environment_has_no_vendor_s_price_either(small, monkeypatch):
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    assert mb.forecast_run("openai/gpt-4o", small).cost is None


def test_judging_costs_what_each_verdict_took_and_is_unknown_where_one_is():
    prices = {"openai/a": Price(input=1, output=2), "openai/b": Price(input=10, output=20)}
    million = Usage(input_tokens=1_000_000, output_tokens=0)
    assert judge_cost(prices, [{"openai/a": million, "openai/b": million}, {}, {"openai/a": million}]) == 12
    assert judge_cost(prices, [{"openai/a": million}, {"openai/c": million}]) is None
    assert judge_cost(prices, [{"openai/a": None}]) is None
    assert json.dumps(judge_cost(prices, [{}, {}])) == "0"  # as it always was in files


def test_a_resumed_run_keeps_the_prices_of_its_user_and_takes_new_ones(small, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-none")
    judge = "rubric/kinds?model=openai/gpt-4o"
    own = Price(input=1000, output=1000, source="mine")
    begin = RunRequest("openai/gpt-4o", small, options={}, judge=judge, out=Path("r"), prices={"openai/gpt-4o": own})
    with ExitStack() as lock:
        plan = plan_run(begin, lock)
        plan.folder.write_info(plan.info)
    for prices, input_dollars in ((None, 1000), ({"openai/gpt-4o": replace_price(own, 5)}, 5)):
        with ExitStack() as lock:
            info = plan_run(replace(begin, resume=True, prices=prices), lock).info
        assert (info.price.input, info.judge_prices["openai/gpt-4o"].input) == (input_dollars, input_dollars)


def replace_price(price, dollars):
    return price.model_copy(update={"input": dollars})
