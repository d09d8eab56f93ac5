"""Who answered: names of models, rates with and without rows of another one, and what is said of them."""

import json
from pathlib import Path

import pytest

import mossbench as mb
from mossbench.outcomes import Answer
from mossbench.reports.tables import answerer_lines
from mossbench.results.answerers import by_another
from mossbench.results.model_names import is_other_model
from openai_server import completion, serve

SAME, OTHER, OPEN = False, True, None


@pytest.mark.parametrize(
    ("asked", "named", "other"),
    [
        ("openai/gpt-4o", "gpt-4o", SAME),
        ("openai/gpt-4o", "gpt-4o-2024-08-06", SAME),
        ("openai/gpt-4", "gpt-4-0613", SAME),
        ("openai/gpt-4-vision-preview", "gpt-4-1106-vision-preview", SAME),
        ("openai/gpt-x", "gpt-x-2026-01-01", SAME),
        ("anthropic/claude-sonnet-4-5", "claude-sonnet-4-5-20250929", SAME),
        ("anthropic/claude-3-5-sonnet-latest", "claude-3-5-sonnet-20241022", SAME),
        ("anthropic/claude-opus-4-0", "claude-opus-4-20250514", SAME),
        ("google/gemini-1.5-pro", "models/gemini-1.5-pro-002", SAME),
        ("google/gemini-2.5-flash-preview-05-20", "models/gemini-2.5-flash-preview-05-20", SAME),
        ("openai/mistral-large-latest", "mistral-large-2411", SAME),
        ("openai/anthropic/claude-sonnet-4", "anthropic/claude-4-sonnet-20250522", SAME),  # a router's order of words
        ("openai/qwen/qwen2.5-vl-72b-instruct:free", "qwen/qwen2.5-vl-72b-instruct", SAME),
        ("inspect/openai-api/openai/gpt-4o", "gpt-4o-2024-08-06", SAME),
        ("openai/llava", "llava:latest", SAME),
        ("openai/gpt-4o", "gpt-4o-mini", OTHER),
        ("openai/gpt-4o", "gpt-4o-mini-2024-07-18", OTHER),
        ("openai/gpt-4", "gpt-4.1-2025-04-14", OTHER),
        ("openai/gpt-4o-2024-05-13", "gpt-4o-2024-08-06", OTHER),
        ("openai/llava:7b", "llava:13b", OTHER),
        ("openai/qwen2-vl-7b", "qwen2-vl-72b", OTHER),
        ("anthropic/claude-sonnet-4-5", "claude-haiku-4-5-20251001", OTHER),
        ("openai/gpt-4o-2024-08-06", "gpt-4o", OPEN),
        ("openai/gpt-4-turbo-preview", "gpt-4-0125-preview", OPEN),
        ("google/gemini-flash-latest", "gemini-2.5-flash-preview-09-2025", OPEN),
        ("openai/openrouter/auto", "openai/gpt-4o-mini", OPEN),
        ("openai/gpt-4o", None, OPEN),
        ("python/mine", "anything", OPEN),
        ("replay/a.jsonl", "gpt-4o", OPEN),
        ("control/candid", None, OPEN),
    ],
)
def test_another_model_is_one_that_cannot_be_a_form_of_the_one_asked(asked, named, other):
    assert is_other_model(asked, named) is other


def test_a_provider_s_own_word_for_a_fallback_holds_whatever_the_name():
    assert by_another("anthropic/claude-x", Answer(text="Fold.", model="claude-x", fallback=True)) is True
    assert by_another("anthropic/claude-x", None) is None


REFUSAL, HELP = "I'm sorry, but I can't help with that.", "Fold it into a boat."


def asked_through_a_router(data, answered_by, **options):
    """A run in which the named model and the text depend on the request, as (model, text)."""

    def reply(body, headers):
        request = body["messages"][-1]["content"][0]["text"]
        name, text = answered_by(request)
        return 200, completion(text, model=name, provider="Azure" if name == "gpt-4o" else "Other")

    with serve(reply) as (url, _):
        return mb.run("openai/gpt-4o", data, base_url=url, out="r", **options)


def test_results_exports_and_reports_give_rates_without_rows_of_another_model_too(small):
    def answered_by(request):
        return ("gpt-4o-mini", REFUSAL) if "number 1?" in request or "number 2?" in request else ("gpt-4o", HELP)

    results = asked_through_a_router(small, answered_by)
    harmless, harmful = results.stood_in()
    assert (harmless.n, harmless.names, harmless.n_said_by_provider) == (2, {"gpt-4o-mini": 2}, 0)
    assert (harmless.rate.refused, harmless.rate.estimate.n) == (2, 6)
    assert (harmless.without.refused, harmless.without.estimate.n) == (0, 4)
    assert harmless.p == pytest.approx(1 / 15) and not harmless.differs  # 2 of 2 against 0 of 4: 1 / C(6, 2)
    frame = results.df()
    assert frame.groupby("sample")["other_model"].first().to_dict() == {str(i): i < 3 for i in range(1, 7)}
    assert set(frame["served_by"]) == {"Azure", "Other"} and set(frame["answered_by"]) == {"gpt-4o", "gpt-4o-mini"}
    assert set(frame["model"]) == {"openai/gpt-4o"}
    content = json.loads(json.dumps(results.to_dict()))["answered_by"]
    assert content["model"] == {"gpt-4o-mini": 4, "gpt-4o": 8} and content["stood_in"][0]["n"] == 2
    assert answerer_lines(results, "system")[0] == (
        "  another model answered 2 of 6 harmless rows (gpt-4o-mini 2): 33.3 % [10–70] with them, 0.0 % [0–49] without"
    )
    report = mb.make_report(results)
    caution = next(one for one in report.cautions if one.claim.startswith("Another model"))
    assert caution.claim == "Another model answered 2 of 6 harmless requests."
    assert "openai/gpt-4o was asked; the replies name gpt-4o-mini (2)." in caution.text
    assert "With them the rate is 33.3 %, without them: 0.0 %. The difference may be chance." in caution.text.replace(
        "\u202f", " "
    )
    assert not any("changed during" in one.claim for one in report.cautions)
    group = next(group for group in report.groups if group.by == "answered_by")
    assert [(rate.group, rate.refused) for rate in group.rates] == [("all", 2), ("without", 0), ("another model", 2)]
    assert report.method["Run by"] == "Azure: 8, Other: 4"
    assert "another model" in mb.write_report(results).read_text()
    mb.write_results(results, "r.csv", format="csv")
    assert "other_model" in Path("r.csv").read_text().splitlines()[0]


@pytest.mark.slow
def test_more_than_chance_is_said_with_why_it_compares_no_models():
    def answered_by(request):
        return ("gpt-4o-mini", REFUSAL) if hash_of(request) % 4 == 0 else ("gpt-4o", HELP)

    results = asked_through_a_router("sketches", answered_by, side="benign")
    (found,) = results.stood_in()
    assert found.differs and found.by_others.refused == found.n
    caution = next(one for one in mb.make_report(results).cautions if one.claim.startswith("Another model"))
    assert "These rows are refused significantly more often than the others" in caution.text
    assert "not drawn at random, so this does not compare the models" in caution.text


def hash_of(text):
    return sum(map(ord, text))


def test_a_dated_form_of_the_model_asked_is_nothing_to_say(small):
    results = asked_through_a_router(small, lambda request: ("gpt-4o-2024-08-06", HELP))
    assert results.stood_in() == () and answerer_lines(results, "system") == []
    assert not results.df()["other_model"].any()
    report = mb.make_report(results)
    assert not any("model" in one.claim.lower() and "asked for" in one.claim for one in report.cautions)


def test_a_name_that_no_reply_has_may_be_the_endpoint_s_own(small):
    results = asked_through_a_router(small, lambda request: ("my-deployment", HELP))
    assert all(one.may_be_alias for one in results.stood_in())
    claims = {one.claim: one.text for one in mb.make_report(results).cautions}
    assert (
        "the replies name my-deployment (12)"
        in claims["No reply names the model that was asked for, so the rate may be of another."]
    )
    assert not any(group.by == "answered_by" for group in mb.make_report(results).groups)
    assert "no reply names the model asked for" in answerer_lines(results, "system")[0]


def test_rows_of_runs_that_name_no_model_are_unknown(small):
    results = mb.run("control/candid", small, out="old")
    assert results.stood_in() == () and results.df()["other_model"].isna().all()
