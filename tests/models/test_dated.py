"""Facts that vendors change have a month and a source, are said to be stale after 90 days, and are still used."""

import json
from datetime import date

import pytest
from click.testing import CliRunner

from mossbench.cli import cli
from mossbench.images.limits import DEFAULT_LIMITS
from mossbench.models import PRESETS, dated
from mossbench.models.anthropic import AnthropicModel
from mossbench.models.google import GoogleModel
from mossbench.models.offered import check_presets
from mossbench.models.openai import OpenAIModel
from mossbench.store.prices import PRICES, price_of
from servers.loopback import serve_lists

KEYS = {"OPENAI_API_KEY": "sk-openai-1", "ANTHROPIC_API_KEY": "sk-anthropic-1", "GEMINI_API_KEY": "google-key-1"}


@pytest.fixture(autouse=True)
def wide(monkeypatch):
    monkeypatch.setenv("COLUMNS", "120")


@pytest.fixture
def on(monkeypatch):
    return lambda day: monkeypatch.setattr(dated, "today", lambda: date.fromisoformat(day))


@pytest.mark.parametrize(
    ("month", "day", "says"),
    [
        ("2026-08", "2026-10-30", "2026-08"),  # 90 days after the first
        ("2026-08", "2026-10-31", "2026-08 (stale)"),
        ("check", "2099-01-01", "check"),
        ("", "2099-01-01", ""),
    ],
)
def test_a_month_is_stale_after_ninety_days(on, month, day, says):
    on(day)
    assert dated.dated(month) == says


def test_stale_presets_and_prices_are_flagged_and_still_used(on, small):
    forecast = ["run", "--model", "anthropic/claude-haiku-4-5", "--data", str(small), "--dry-run"]
    on("2026-11-16")
    fresh, cost = CliRunner().invoke(cli, ["models"]).output, CliRunner().invoke(cli, forecast, env=KEYS).output
    assert "(stale)" not in fresh and "(prices of 2026-11, vendors" in cost
    on("2027-06-01")
    old, cost = CliRunner().invoke(cli, ["models"]).output, CliRunner().invoke(cli, forecast, env=KEYS).output
    assert "available 2026-10 (stale) openai/gpt-5.6-sol" in old and "prices of 2026-11 (stale)" in old
    assert "USD, at most" in cost and "(prices of 2026-11 (stale), vendors" in cost
    assert "retired   2025-04 google/gemini-pro-vision" in old  # what is closed stays closed
    # What a run cost is told by the prices of its own time.
    assert price_of("openai/gpt-4o").month_text("2026-11-20T10:00:00+00:00") == "prices of 2026-11"
    rows = {row.get("name"): row for row in json.loads(CliRunner().invoke(cli, ["models", "--json"]).output)}
    assert rows["gpt-5.6-sol"]["stale"] and rows["gpt-5.6-sol"]["source"] and not rows["claude-3-opus"]["stale"]


def test_prices_and_limits_have_a_month_or_check_and_a_source():
    limits = [DEFAULT_LIMITS, OpenAIModel.limits, OpenAIModel.other_limits, AnthropicModel.limits, GoogleModel.limits]
    for fact in [*PRICES.values(), *limits]:
        assert fact.source and (fact.as_of == dated.CHECK or date.fromisoformat(f"{fact.as_of}-01"))


def test_a_current_preset_has_a_price_or_says_that_none_is_known():
    shown = CliRunner().invoke(cli, ["models"]).output
    current = [one.model for one in PRESETS.values() if one.group == "now" and not one.model.startswith("local/")]
    assert shown.count("no list price is known: give one with --prices FILE.json") == sum(
        price_of(model) is None for model in current
    )
    assert "1 USD in, 5 out for a million tokens (prices of " in shown  # Claude Haiku 4.5


LISTS = {
    "/v1/models": {"data": [{"id": "gpt-4o"}, {"id": "gpt-4-turbo-2024-04-09"}, {"id": "claude-haiku-4-5-20251001"}]},
    "/v1beta/models": {"models": [{"name": "models/gemini-3.5-flash"}, {"name": "models/gemini-9"}]},
}


def test_providers_lists_are_asked_where_there_is_a_key(monkeypatch):
    with serve_lists(LISTS) as (url, requests):
        monkeypatch.setenv("OPENAI_BASE_URL", f"{url}/v1")
        monkeypatch.setenv("GOOGLE_GEMINI_BASE_URL", url)
        for name, key in KEYS.items():
            monkeypatch.setenv(name, key)
        monkeypatch.delenv("ANTHROPIC_API_KEY")
        done = CliRunner().invoke(cli, ["models", "--check"])
        openai, google, anthropic, reka = check_presets()
    assert openai.listed == ("gpt-4v", "gpt-4o") and openai.surprises == ("gpt-4v", "gpt-5.6-sol")
    assert google.listed == ("gemini-3.5-flash",) and google.surprises == ()
    assert "ANTHROPIC_API_KEY" in anthropic.why_not and "set REKA_API_KEY in" in reka.why_not
    assert (
        done.exit_code == 1
        and "gpt-5.6-sol" in done.output
        and "not listed (available, 2026-10): changed" in done.output
    )
    sent = {(path.partition("?")[0], headers["Authorization"], headers["x-goog-api-key"]) for path, headers in requests}
    assert sent == {("/v1/models", "Bearer sk-openai-1", None), ("/v1beta/models", None, "google-key-1")}


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ((401, {"error": "no"}), "the list was not given: HTTP 401"),
        ((302, {}, {"Location": "http://127.0.0.1:9/elsewhere"}), "the list was not given: HTTP 302"),
        ((200, b"<html>"), "the list could not be read: "),
        ((200, {"data": 3}), "the list could not be read: TypeError"),
        ((200, ["x"]), "the list could not be read: TypeError"),
    ],
)
def test_a_list_that_does_not_come_is_said_and_no_preset_is_called_gone(monkeypatch, said, why):
    with serve_lists({"/v1/models": said}) as (url, _):
        monkeypatch.setenv("ANTHROPIC_BASE_URL", url)
        monkeypatch.setenv("ANTHROPIC_API_KEY", KEYS["ANTHROPIC_API_KEY"])
        (listing,) = [one for one in check_presets() if one.address == url]
    assert listing.why_not.startswith(why) and listing.surprises == ()
