"""The figures of a forecast, what a trial tells, and what tries leave behind for the next forecast."""

from dataclasses import replace
from pathlib import Path

import pytest

import mossbench as mb
from mossbench.models.model import Model
from mossbench.outcomes import Answer, Exchange, SentPicture, Usage
from mossbench.plumbing.cache_folders import cache_folder
from mossbench.runs.forecast import Forecast, JudgeCalls
from mossbench.runs.tries import measured, remember
from mossbench.store.prices import Price

DOLLAR = Price(input=1, output=1)
MILLION = 1_000_000


@pytest.fixture(autouse=True)
def own_cache(monkeypatch, tmp_path):
    """Tries of other tests are not seen here."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


class Local(Model):
    name = "local"
    sends = False

    async def answer(self, prompt):
        return Answer(text="Sure.", usage=Usage(input_tokens=7, output_tokens=5), seconds=1.0)


class Hosted(Local):
    name = "hosted"
    sends = True

    def check(self, samples):
        return ("something to know",)


def a_forecast(**fields):
    calls = JudgeCalls(
        model="openai/j", n_requests=3, at_most=False, input_tokens=MILLION, output_tokens=MILLION, price=DOLLAR
    )
    forecast = Forecast(
        model="local",
        data="small",
        n_requests=3,
        n_pictures=0,
        picture_bytes=0,
        unusable_pictures=(),
        input_tokens=MILLION,
        output_tokens=2 * MILLION,
        most_output_tokens=None,
        price=DOLLAR,
        connections=10,
        latency=2.0,
        judging=(calls,),
    )
    return replace(forecast, **fields)


def test_calls_to_a_server_are_those_of_a_hosted_model_and_of_the_judge():
    assert a_forecast().n_sent == 6
    assert a_forecast(sends=False).n_sent == 3


def test_costs_are_with_the_judge_and_unknown_where_one_of_them_is():
    forecast = a_forecast()
    assert (forecast.cost, forecast.most_cost, forecast.total_cost) == (3, None, 5)
    (calls,) = forecast.judging
    assert a_forecast(judging=(replace(calls, input_tokens=None),)).total_cost is None
    assert a_forecast(price=None).total_cost is None


def test_no_more_connections_are_in_use_than_there_are_requests():
    assert a_forecast().seconds == 2.0
    assert a_forecast(n_requests=20).seconds == 4.0


def test_how_a_vendor_counts_images_is_known_at_its_own_address_only(small):
    assert mb.forecast_run("openai/gpt-4o", small).input_tokens > 0
    assert mb.forecast_run("openai/gpt-4o", small, base_url="http://127.0.0.1:1").input_tokens is None


def test_an_image_counts_as_the_user_says(small):
    few, many = (
        mb.forecast_run("openai/x", small, prices={"openai/x": Price(input=1, output=1, image_tokens=n)}).input_tokens
        for n in (10, 20)
    )
    assert many - few == 12 * 10


def test_answers_are_no_longer_than_is_allowed(small):
    forecast = mb.forecast_run("openai/x", small, max_tokens=5)
    assert forecast.output_tokens == forecast.most_output_tokens == 12 * 5


def test_a_forecast_in_batches_is_at_their_price(small):
    prices = [mb.forecast_run("openai/gpt-4o", small, engine=engine).price for engine in ("local", "batch")]
    assert prices[1].input == pytest.approx(prices[0].input / 2)


def test_a_judge_that_reads_every_answer_is_asked_as_often(small):
    judge = "rubric/kinds?model=openai/j&base_url=http://127.0.0.1:1"
    (calls,) = mb.forecast_run("control/candid", small, judge=judge).judging
    assert (calls.n_requests, calls.at_most) == (12, False)


def test_a_trial_sends_the_harmless_sample_of_two_and_tells_what_is_to_know(small):
    trial = mb.try_sample(Hosted(), small, id="2", arm="text-only")
    key = trial.exchange.key
    assert (key.side, key.sample, key.arm) == ("benign", "2", "text-only")
    assert trial.notices == ("something to know",)
    assert mb.try_sample(Hosted(), small, id="2", side="contrast").exchange.key.side == "contrast"


def test_a_price_is_that_of_the_vendors_own_address(small):
    class Elsewhere(Local):
        name = "openai/gpt-4o"
        base_url = "http://127.0.0.1:1"

    assert mb.try_sample(Elsewhere(), small).price is None


def test_the_traceback_of_ones_own_judge_is_shown(small):
    Path("own.py").write_text("def read(exchange):\n    raise ValueError('the judge is broken')\n")
    trial = mb.try_sample(Local(), small, judge="own.py:read")
    assert "the judge is broken" in trial.trace


def test_only_what_hosted_models_took_is_kept_for_a_forecast(small):
    mb.try_sample(Local(), small)
    mb.try_sample(Hosted(), small)
    assert measured("local", None) is None and measured("hosted", None).n == 1


def exchange_with(output_tokens, seconds, *, input_tokens=0, picture=None, usage=True):
    answer = Answer(text="Sure.", seconds=seconds)
    if usage:
        answer = answer.model_copy(update={"usage": Usage(input_tokens=input_tokens, output_tokens=output_tokens)})
    return Exchange(side="benign", sample="1", request="", answer=answer, picture=picture)


def test_tries_are_kept_as_means_by_model_and_address():
    picture = SentPicture(ref="a.png", sha256="0", n_bytes=1, width=1, height=1, media_type="image/png")
    remember("m", None, exchange_with(10, 1.0))
    assert measured("m", None).image_tokens is None
    remember("m", None, exchange_with(20, 2.0, input_tokens=100, picture=picture))
    remember("m", None, exchange_with(30, 6.0))
    remember("m", None, exchange_with(99, 9.0, usage=False))  # nobody counted it
    means = measured("m", None)
    assert (means.n, means.output_tokens, means.seconds, means.image_tokens) == (3, 20, 3.0, 100)
    assert measured("m", "http://127.0.0.1:1") is None


def test_the_mean_of_image_tokens_is_over_tries_with_an_image():
    picture = SentPicture(ref="a.png", sha256="0", n_bytes=1, width=1, height=1, media_type="image/png")
    remember("m", None, exchange_with(10, 1.0, input_tokens=1000, picture=picture))
    remember("m", None, exchange_with(10, 1.0))  # an arm without an image
    remember("m", None, exchange_with(10, 1.0, input_tokens=2000, picture=picture))
    assert measured("m", None).image_tokens == 1500


def test_a_file_of_tries_of_an_earlier_version_is_still_read():
    remember("m", None, exchange_with(10, 1.0))
    (path,) = cache_folder("tries").iterdir()
    path.write_text('{"n": 3, "image_tokens": 100.0, "output_tokens": 20.0, "seconds": 3.0, "on": "2026-01-01"}')
    picture = SentPicture(ref="a.png", sha256="0", n_bytes=1, width=1, height=1, media_type="image/png")
    remember("m", None, exchange_with(10, 1.0, input_tokens=500, picture=picture))
    means = measured("m", None)
    assert (means.n, means.image_tokens) == (4, 200)
