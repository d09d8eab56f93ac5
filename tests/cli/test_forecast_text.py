"""What a dry run says of one model, in lines that name what was assumed."""

from dataclasses import replace

from mossbench.cli.forecasts import forecast_text
from mossbench.runs.forecast import Forecast, JudgeCalls
from mossbench.runs.tries import Measured
from mossbench.store.prices import Price

PRICE = Price(input=2.0, output=8.0, as_of="2026-01", source="the vendor's page")
FORECAST = Forecast(
    model="openai/x",
    data="mine benign@1",
    n_requests=1200,
    n_pictures=1200,
    picture_bytes=2_500_000,
    unusable_pictures=(),
    input_tokens=1_000_000,
    output_tokens=360_000,
    most_output_tokens=1_228_800,
    price=PRICE,
    connections=16,
    latency=5.0,
)


def lines_of(forecast):
    return {line[:14].strip(): line[15:] for line in forecast_text(forecast).splitlines()}


def test_each_figure_has_a_line_with_what_was_assumed():
    lines = lines_of(FORECAST)
    assert list(lines) == ["model", "requests", "images", "input tokens", "output tokens", "cost", "time"]
    assert lines["requests"] == "1,200"
    assert lines["images"] == "1,200, 2.5 MB before base64"
    assert lines["output tokens"] == "about 360,000 at 300 an answer, at most 1,228,800"
    # 1 million tokens in at 2 dollars and 0.36 million out at 8
    assert lines["cost"].startswith("about 4.88 USD, at most 11.83 USD (")
    assert lines["time"] == "about 6 min with 16 connections, if an answer takes 5 s"


def test_what_nobody_knows_is_said_to_be_unknown_with_the_way_out():
    assert lines_of(replace(FORECAST, price=None))["cost"].endswith("give one with --prices FILE.json")
    lines = lines_of(replace(FORECAST, input_tokens=None))
    assert lines["input tokens"] == "unknown" and "or measure it with mossbench try" in lines["cost"]
    assert lines_of(replace(FORECAST, most_output_tokens=None))["output tokens"].endswith("no limit is sent")


def test_tries_stand_beside_what_was_taken_from_them():
    tries = Measured(n=1, output_tokens=80.4, seconds=2.0, on="2026-02-03")
    lines = lines_of(replace(FORECAST, measured=tries, latency=2.0))
    assert "at 80 an answer, as in 1 try, the last on 2026-02-03, at most" in lines["output tokens"]
    assert lines["time"].endswith("takes 2 s, as in 1 try, the last on 2026-02-03")
    assert "as in" not in lines_of(replace(FORECAST, measured=tries, latency=9.0))["time"]


def test_a_batch_takes_a_day_at_most():
    lines = lines_of(replace(FORECAST, batch=True))
    assert lines["time"] == "within about a day; the provider decides when a batch is done"
    assert ", in batches (" in lines["cost"]


def test_a_judging_model_has_a_line_and_a_share_in_the_cost():
    calls = JudgeCalls("openai/j", 1, at_most=True, input_tokens=500, output_tokens=150, price=PRICE)
    lines = lines_of(replace(FORECAST, judging=(calls,)))
    assert lines["judge"] == "at most 1 request to openai/j, 500 tokens in, 150 out, 0.0022 USD"
    assert lines["total cost"] == "at most 4.88 USD"
    lines = lines_of(replace(FORECAST, judging=(replace(calls, price=None),)))
    assert "cost unknown: there is no price" in lines["judge"] and lines["total cost"] == "unknown"


def test_of_many_images_that_cannot_be_sent_ten_are_named():
    text = forecast_text(replace(FORECAST, unusable_pictures=tuple(f"benign:{n}: too large" for n in range(12))))
    assert text.count("\ncannot be sent benign:") == 10
    assert text.endswith("\n               and 2 more images; --json lists all")
