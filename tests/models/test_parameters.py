"""Effort and parameters: what each provider is sent, and what is refused before anything is."""

import json
import tomllib
import typing
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from pkgutil import resolve_name

import pytest

import mossbench as mb
from mossbench.cli.trial_text import _named
from mossbench.errors import UsageError
from mossbench.models import parameters
from mossbench.models.model import Prompt, Settings
from mossbench.models.parameter_secrets import secret_in
from mossbench.models.parameters import (
    check_parameters,
    fault_of_params,
    name_with_parameters,
    params_words,
    read_param,
    taken_by,
    wire_parameters,
)
from mossbench.outcomes import Usage
from mossbench.plumbing.json_values import value_words
from mossbench.store.prices import price_of
from servers.asking import KEYS, ask
from servers.loopback import serve
from servers.wire import anthropic_error, completion, generated, message, openai_error

WIRES = ("openai", "anthropic", "google")
WITH_SDK = (*WIRES, "inspect")
ANSWERS = {"openai": completion(), "anthropic": message("Sure."), "google": generated("Sure.")}


# The data file against the installed SDKs


def annotation_of(type_name, field):
    """The annotation of a field in an SDK's type, whose modules delay them."""
    owner = resolve_name(type_name)
    if hasattr(owner, "model_fields"):
        return owner.model_fields[field].annotation
    hints = {}
    for base in reversed((owner, *getattr(owner, "__orig_bases__", ()), *owner.__mro__)):
        module = import_module(getattr(base, "__module__", owner.__module__))
        raw = getattr(base, "__annotations__", {})
        for name, hint in raw.items():
            hints[name] = (hint, module)
    hint, module = hints[field]
    text = hint.__forward_arg__ if isinstance(hint, typing.ForwardRef) else hint
    return eval(text, vars(module)) if isinstance(text, str) else text


def literals_of(annotation):
    """The words that a type allows, of literals and of enums."""
    if isinstance(annotation, type) and hasattr(annotation, "__members__"):
        return {member.value for member in annotation}
    if typing.get_origin(annotation) is typing.Literal:
        return set(typing.get_args(annotation))
    words = set()
    for part in typing.get_args(annotation):
        words |= literals_of(part)
    return words


@pytest.mark.parametrize("provider", WITH_SDK)
def test_the_data_file_is_of_the_installed_sdk(provider):
    takes = taken_by(provider)
    assert takes.version == version(takes.sdk), f"parameters.toml is as of {takes.sdk} {takes.version}: compare again"


@pytest.mark.parametrize("provider", WITH_SDK)
def test_every_name_stands_in_the_type_of_the_sdk(provider):
    takes = taken_by(provider)
    beside = {"top_p", "top_k", "betas"} if provider == "anthropic" else set()
    for name in {*takes.named, *takes.options} - beside:
        assert annotation_of(takes.type, name) is not None, name
    for level in takes.effort.values():
        for name in level:
            assert annotation_of(takes.type, name) is not None, name


@pytest.mark.parametrize("provider", WITH_SDK)
def test_the_values_are_those_of_the_type(provider):
    takes = taken_by(provider)
    for name, values in takes.named.items():
        if isinstance(values, list):
            allowed = {word for word in literals_of(annotation_of(takes.type, name)) if isinstance(word, str)}
            allowed -= {"unspecified", "MEDIA_RESOLUTION_UNSPECIFIED"}
            assert set(values) == allowed, name


def test_levels_of_effort_are_those_of_the_types():
    from anthropic.types.output_config_param import OutputConfigParam
    from google.genai.types import ThinkingConfigDict, ThinkingLevel
    from inspect_ai.model import GenerateConfig
    from openai.types.shared_params.reasoning_effort import ReasoningEffort

    assert set(taken_by("openai").effort) == literals_of(ReasoningEffort)
    claude = literals_of(annotation_of(f"{OutputConfigParam.__module__}:OutputConfigParam", "effort"))
    assert set(taken_by("anthropic").effort) == {"none", *claude}
    levels = {level.value.lower() for level in ThinkingLevel} - {"thinking_level_unspecified"}
    assert set(taken_by("google").effort) == {"none", *levels}
    assert {"thinking_budget", "thinking_level", "include_thoughts"} == set(ThinkingConfigDict.__annotations__)
    assert set(taken_by("inspect").effort) == literals_of(GenerateConfig.model_fields["reasoning_effort"].annotation)


# What arrives


def body_of(wire, settings, *, model="some-model", answer=None):
    came, requests, sent = ask(wire, (200, answer or ANSWERS[wire]), Prompt("Why?", settings=settings), model=model)
    assert came.text, came
    _, headers, body = requests[-1]
    return body, headers, sent


EFFORT_ON_THE_WIRE = {
    "openai": lambda level: {"reasoning_effort": level},
    "anthropic": lambda level: (
        {"thinking": {"type": "disabled"}}
        if level == "none"
        else {"thinking": {"type": "adaptive"}, "output_config": {"effort": level}}
    ),
    "google": lambda level: (
        {"thinkingConfig": {"thinking_budget": 0}}
        if level == "none"
        else {"thinkingConfig": {"thinking_level": level.upper()}}
    ),
}


def place(wire, body):
    return body["generationConfig"] if wire == "google" else body


def snake(value):
    """Google's JSON has both spellings of a name."""
    if isinstance(value, dict):
        return {
            "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name): snake(part)
            for name, part in value.items()
        }
    return value


@pytest.mark.parametrize(("wire", "level"), [(wire, level) for wire in WIRES for level in taken_by(wire).effort])
def test_each_level_of_effort_arrives_as_documented_and_is_on_record(wire, level):
    body, _, sent = body_of(wire, Settings(effort=level))
    expected = EFFORT_ON_THE_WIRE[wire](level)
    found = place(wire, body)
    assert {name: snake(found[name]) for name in expected} == {name: snake(part) for name, part in expected.items()}
    assert all(snake(name) in str(snake(sent)) or name in str(sent) for name in wire_parameters(wire, level, {}))


def test_without_effort_nothing_about_thinking_is_sent():
    for wire in WIRES:
        body, _, sent = body_of(wire, Settings())
        assert not {"reasoning_effort", "thinking", "output_config", "thinkingConfig"} & set(place(wire, body))
        assert "effort" not in str(sent)


PARAMS = {
    "openai": {
        "top_p": 0.5,
        "frequency_penalty": 0.1,
        "presence_penalty": 0.2,
        "logit_bias": {"5": -1},
        "stop": ["END"],
        "service_tier": "flex",
        "verbosity": "low",
        "store": False,
        "metadata": {"a": "b"},
        "safety_identifier": "s",
        "prompt_cache_key": "c",
        "user": "u",
    },
    "anthropic": {
        "thinking": {"type": "enabled", "budget_tokens": 1024},
        "output_config": {"effort": "low"},
        "service_tier": "standard_only",
        "speed": "standard",
        "inference_geo": "us",
        "stop_sequences": ["END"],
        "metadata": {"user_id": "u"},
        "top_p": 0.5,
        "top_k": 5,
    },
    "google": {
        "thinking_config": {"thinking_budget": 7},
        "service_tier": "flex",
        "safety_settings": [{"category": "HARM_CATEGORY_HARASSMENT", "threshold": "BLOCK_NONE"}],
        "media_resolution": "MEDIA_RESOLUTION_LOW",
        "top_p": 0.5,
        "top_k": 5,
        "presence_penalty": 0.1,
        "frequency_penalty": 0.2,
        "stop_sequences": ["END"],
        "store": False,
    },
}
BESIDE_THE_CONFIG = ("safety_settings", "service_tier", "store")


@pytest.mark.parametrize("wire", WIRES)
def test_each_parameter_that_a_provider_takes_arrives_under_its_name(wire):
    assert set(PARAMS[wire]) == set(taken_by(wire).named) - {"betas"}
    check_parameters(wire, f"{wire}/m", None, PARAMS[wire], 2048)
    body, _, sent = body_of(wire, Settings(params=PARAMS[wire], max_tokens=2048))
    flat = {**snake(body), **snake(body.get("generationConfig", {}))}
    for name, value in PARAMS[wire].items():
        assert flat[name] == value, name
        assert sent[name] == value


@pytest.mark.parametrize("wire", WIRES)
def test_headers_and_further_fields_of_the_body_arrive(wire):
    params = {"extra_headers": {"X-Lab": "seven"}, "extra_body": {"chat_template_kwargs": {"a": 1}}}
    body, headers, sent = body_of(wire, Settings(params=params))
    assert headers["X-Lab"] == "seven"
    assert body["chat_template_kwargs"] == {"a": 1}
    assert sent["extra_headers"] == {"X-Lab": "seven"}
    assert "extra_headers" not in body


def test_betas_of_anthropic_go_in_their_header():
    body, headers, sent = body_of("anthropic", Settings(params={"betas": ["one-2026", "two-2026"]}))
    assert headers["anthropic-beta"] == "one-2026,two-2026"
    assert sent["extra_headers"] == {"anthropic-beta": "one-2026,two-2026"}
    assert "betas" not in body


@pytest.mark.parametrize(
    ("wire", "expected"),
    [
        ("anthropic", {"thinking": {"type": "enabled", "budget_tokens": 2000}}),
        ("google", {"thinkingConfig": {"thinking_budget": 2000}}),
    ],
)
def test_a_thinking_budget_means_the_same_everywhere(wire, expected):
    body, _, _ = body_of(wire, Settings(params={"thinking_budget": 2000}, max_tokens=4000))
    found = place(wire, body)
    assert {name: snake(found[name]) for name in expected} == {name: snake(part) for name, part in expected.items()}


def test_the_text_of_thoughts_is_asked_for_beside_the_effort():
    settings = Settings(effort="high", params={"thinking_text": True})
    body, _, _ = body_of("anthropic", settings)
    assert body["thinking"] == {"type": "adaptive", "display": "summarized"}
    body, _, _ = body_of("google", settings)
    expected = {"include_thoughts": True, "thinking_level": "HIGH"}
    assert snake(body["generationConfig"]["thinkingConfig"]) == expected
    body, _, _ = body_of("anthropic", Settings(params={"thinking_text": False}))
    assert "thinking" not in body


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        (Settings(effort="high"), {"reasoning_effort": "high"}),
        (Settings(params={"top_p": 0.5}), {"top_p": 0.5}),
        (Settings(params={"extra_body": {"mine": 1}}), {"mine": 1}),
    ],
)
def test_inspect_s_models_are_asked_the_same(settings, expected, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "not-a-real-key")
    came, requests, sent = ask("openai", (200, completion()), Prompt("Why?", settings=settings), route="inspect")
    assert came.text
    body = requests[-1][2]
    assert {name: body[name] for name in expected} == expected
    assert set(sent["asked_of_inspect"]) > {"temperature"}


# What a provider rejects


def test_a_parameter_that_a_user_named_is_never_omitted_behind_their_back():
    refusal = openai_error("Unsupported parameter: 'top_p' is not supported with this model.")
    prompt = Prompt("Why?", settings=Settings(params={"top_p": 0.5}))
    came, requests, _ = ask("openai", (400, refusal), prompt)
    assert "top_p" in str(getattr(came, "error", None) or came)
    assert len(requests) == 1


def test_the_default_temperature_gives_way_to_thinking_and_that_is_on_record():
    def reply(body, headers):
        if "temperature" in body:
            return 400, anthropic_error("`temperature` may only be set to 1 when thinking is enabled")
        return 200, message("Sure.")

    came, requests, sent = ask("anthropic", reply, Prompt("Why?", settings=Settings(effort="high")))
    assert came.text == "Sure."
    assert [body["thinking"] for _, _, body in requests] == [{"type": "adaptive"}] * 2
    assert "temperature" in sent["not_taken"]


def test_a_400_about_a_parameter_is_quoted_by_try(small, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "not-a-real-key")
    said = "Unsupported value: 'reasoning_effort' does not support 'xhigh' with this model."
    with serve(lambda body, headers: (400, openai_error(said))) as (base_url, _):
        trial = mb.try_sample("openai/x", small, base_url=base_url, effort="xhigh")
    assert said in trial.exchange.answer.error.message
    assert trial.model == "openai/x (effort xhigh)"


# What is refused before anything is sent


@pytest.mark.parametrize(
    ("model", "options", "named"),
    [
        ("anthropic/c", {"effort": "minimal"}, "takes none, low, medium, high, xhigh, max .as of anthropic"),
        ("google/g", {"effort": "max"}, "takes none, minimal, low"),
        ("local/x", {"effort": "high"}, "takes no effort"),
        ("openai/x", {"params": {"tier": "flex"}}, "no parameter named 'tier'.*service_tier.*extra_body"),
        ("openai/x", {"params": {"service_tier": "cheap"}}, "takes auto, default, flex"),
        ("openai/x", {"params": {"top_p": "much"}}, "expected a number"),
        ("openai/x", {"params": {"top_p": True}}, "expected a number"),
        ("openai/x", {"params": {"temperature": 1}}, "has an option of its own"),
        ("openai/x", {"params": {"reasoning_effort": "low"}}, "option of its own.*effort"),
        ("openai/x", {"params": {"thinking_budget": 2000}}, "no parameter named 'thinking_budget'"),
        ("openai/x", {"params": {"extra_body": {"messages": []}}}, "which the request has already"),
        ("openai/x", {"params": {"extra_body": {"top_p": 1}}}, "as a parameter of its own"),
        ("openai/x", {"params": {"extra_headers": {"X": 1}}}, "a value that is no text"),
        ("anthropic/c", {"params": {"thinking_budget": 500}}, "whole numbers from 1024"),
        ("anthropic/c", {"params": {"thinking_budget": 1024}}, "less than max tokens .1024."),
        ("google/g", {"params": {"thinking_text": "yes"}}, "expected true or false"),
        ("control/candid", {"params": {"top_p": 0.5}}, "params of control/candid are none"),
        ("control/candid", {"effort": "much"}, "takes none, minimal"),
    ],
)
def test_what_a_provider_does_not_take_is_refused_in_a_dry_run(model, options, named, small):
    import re

    if model == "local/x":
        with pytest.raises(UsageError, match=named):
            check_parameters("local", model, options.get("effort"), options.get("params", {}), 1024)
        return
    with pytest.raises(UsageError) as raised:
        mb.forecast_run(model, small, judge=None, **options)
    assert re.search(named, str(raised.value), re.DOTALL), raised.value


SECRETS = [
    {"extra_headers": {"Authorization": "Basic abc"}},
    {"extra_headers": {"x-api-key": "abc"}},
    {"extra_headers": {"X-My-Token": "abc"}},
    {"extra_headers": {"Cookie": "abc"}},
    {"extra_headers": {"X-Lab": "Bearer abcdefghijkl"}},
    {"extra_body": {"api_key": "abc"}},
    {"extra_body": {"deep": [{"password": "abc"}]}},
    {"metadata": {"note": "sk-abcdefghijklmnop1234"}},
    {"user": "the-secret-of-the-environment"},
    {"extra_body": {"secret_token": "abc"}},
    {"extra_body": {"user_token": "abc"}},
    {"extra_body": {"passwd": "abc"}},
    {"metadata": {"accessToken": "abc"}},
    {"extra_headers": {"X-Gateway-Pass": "abc"}},
    {"extra_headers": {"X-Fwd": "Basic YWxhZGRpbjpvcGVuc2VzYW1l"}},
    {"extra_body": {"conn": "postgres://me:hunter2@db/x"}},
]
SECRET_NAMES = """
token secret password passwd pwd pass key apiKey api_key APIKey apikey X-API-Key x-api-key clientSecret client_secret
accessToken accesstoken access_token user_token secret_token db_pass DB_PWD credential credentials userCredentials auth
basic_auth X-Auth proxyAuthorization Set-Cookie private_key privateKey id_token signing_key_v2 Ocp-Apim-Subscription-Key
secretAccessKey AWS_SECRET_ACCESS_KEY_ID refreshToken passphrase jwt api_keys session_token authToken bearer
""".split()
HARMLESS_NAMES = """
max_tokens maxTokens max_new_tokens min_tokens prompt_cache_key cache_key top_k top_p eos_token_id pad_token
stop_token_ids
budget_tokens thinking_budget reasoning_tokens keyword keywords keyframes monkey author authority passages passthrough
pass_images first_pass secretary tokenizer tokenise auth_type sort_key public_key idempotency_key Idempotency-Key bypass
compass token_limit allowed_token_ids bad_words_ids compute strictness turkey donkey anthropic-beta image_token
""".split()


@pytest.mark.parametrize("name", SECRET_NAMES)
def test_the_name_of_a_secret_is_found_in_any_style(name):
    assert secret_in(name, "abc")
    assert secret_in("metadata", {"deep": [{name: "abc"}]})
    assert secret_in("extra_headers", {name: "abc"})
    assert secret_in("conn", f"host=db;{name}=abc")


@pytest.mark.parametrize("name", HARMLESS_NAMES)
def test_a_name_that_only_looks_like_one_is_taken(name):
    for value in ("abc", 5, True, ["abc"], {"type": "string"}):
        assert secret_in(name, value) == ""


def test_no_name_or_value_that_a_provider_takes_passes_for_a_secret():
    providers = tomllib.loads(Path(parameters.__file__).with_suffix(".toml").read_text("utf-8"))
    assert providers
    for table in providers.values():
        for kind in ("takes", "takes_beside_the_type", "options"):
            for name, values in table.get(kind, {}).items():
                assert secret_in(name, "text") == ""
                assert secret_in(name, values) == ""
        for sends in table.get("effort", {}).values():
            assert fault_of_params(sends) == ""


SECRET_VALUES = [
    "Basic YWxhZGRpbjpvcGVuc2VzYW1l",
    "postgres://me:hunter2@db/x",
    "redis://:hunter2@cache:6379",
    "Bearer abcdefghijkl",
    "https://host/v1?token=abcdef",
    "Server=db;Password=hunter2",
    "AKIAABCDEFGHIJKLMNOP",
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc",
]
HARMLESS_VALUES = [
    "Basic arithmetic",
    "http://127.0.0.1:8000/v1/@me",
    "https://host/v1?page=2&top_k=5",
    "flex",
    "Never say the password.",
    "<|endoftext|>",
    "mailto:me@example.org",
    "password",
]


@pytest.mark.parametrize("value", SECRET_VALUES)
def test_a_value_that_looks_like_a_secret_is_refused(value):
    assert secret_in("note", value)
    assert secret_in("stop", ["a", value])


@pytest.mark.parametrize("value", HARMLESS_VALUES)
def test_a_value_that_only_mentions_one_is_taken(value):
    assert secret_in("note", value) == ""


def test_a_schema_may_name_a_field_password_and_a_yes_or_no_is_no_secret():
    schema = {"type": "object", "properties": {"password": {"type": "string"}}}
    assert fault_of_params({"response_format": {"json_schema": schema}}) == ""
    assert fault_of_params({"keep_secret": True}) == ""


def test_try_shows_the_names_of_headers_and_of_fields():
    assert _named("extra_headers", {"X-Lab": "a"}) == "X-Lab=a"
    assert _named("extra_body", {"top_k": 20, "mode": "20"}) == 'top_k=20 mode="20"'


def test_own_models_are_not_handed_secrets_either(small):
    for params in ({"token": "abc"}, {"clientSecret": "abc"}):
        with pytest.raises(UsageError, match="secrets are read from the environment"):
            mb.run(candid, small, judge=None, params=params)


def test_a_run_that_has_such_a_name_opens(small):
    folder = mb.run(candid, small, limit=2, params={"x": "abc"}).folder
    (folder / "run.json").write_text((folder / "run.json").read_text().replace('"x": "abc"', '"token": "abc"'))
    assert mb.load_results(folder).info.config.params == {"token": "abc"}


@pytest.mark.parametrize("params", SECRETS)
def test_a_secret_is_refused_and_not_repeated(params, small, monkeypatch):
    monkeypatch.setenv("MY_API_KEY", "the-secret-of-the-environment")
    with pytest.raises(UsageError, match=r"secrets are read from the environment") as raised:
        mb.forecast_run("openai/x", small, judge=None, params=params)
    assert "environment-of" not in str(raised.value)
    assert "sk-abc" not in str(raised.value)
    assert "the-secret" not in str(raised.value)


def test_own_code_is_handed_all_of_it(small):
    seen = []

    def answer(prompt):
        seen.append((prompt.settings.effort, prompt.settings.params))
        return "Sure, here is how."

    results = mb.run(answer, small, judge=None, effort="deep", params={"mine": [1, 2]}, limit=1, side="benign")
    assert seen == [("deep", {"mine": [1, 2]})]
    assert results.model.endswith("(effort deep, mine=[1, 2])")


def test_requests_of_a_batch_have_no_headers_of_their_own(small):
    with pytest.raises(UsageError, match="batch cannot have"):
        mb.forecast_run("openai/x", small, judge=None, engine="batch", params={"extra_headers": {"X-Lab": "7"}})


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("top_p=0.5", ("top_p", 0.5)),
        ("service_tier=flex", ("service_tier", "flex")),
        ('stop=["a", "b"]', ("stop", ["a", "b"])),
        ("user=a=b", ("user", "a=b")),
        ("store=false", ("store", False)),
    ],
)
def test_the_value_of_a_parameter_is_json_or_a_text(text, expected):
    assert read_param(text) == expected


def test_a_parameter_without_a_value_is_refused():
    with pytest.raises(UsageError, match="expected name=value"):
        read_param("top_p")


# Counts of thinking


@pytest.mark.parametrize(
    ("wire", "answer", "expected"),
    [
        (
            "openai",
            completion(
                usage={
                    "prompt_tokens": 11,
                    "completion_tokens": 50,
                    "total_tokens": 61,
                    "completion_tokens_details": {"reasoning_tokens": 40},
                }
            ),
            Usage(input_tokens=11, output_tokens=50, reasoning_tokens=40),
        ),
        (
            "openai",  # servers that count it beside the completion
            completion(
                usage={
                    "prompt_tokens": 11,
                    "completion_tokens": 10,
                    "total_tokens": 61,
                    "completion_tokens_details": {"reasoning_tokens": 40},
                }
            ),
            Usage(input_tokens=11, output_tokens=50, reasoning_tokens=40),
        ),
        (
            "anthropic",
            message(
                "Sure.",
                usage={"input_tokens": 11, "output_tokens": 50, "output_tokens_details": {"thinking_tokens": 40}},
            ),
            Usage(input_tokens=11, output_tokens=50, reasoning_tokens=40),
        ),
        (
            "google",
            {
                **generated("Sure."),
                "usageMetadata": {"promptTokenCount": 11, "candidatesTokenCount": 10, "thoughtsTokenCount": 40},
            },
            Usage(input_tokens=11, output_tokens=50, reasoning_tokens=40),
        ),
    ],
)
def test_tokens_of_thinking_are_counted_within_the_output(wire, answer, expected):
    came, _, _ = ask(wire, (200, answer))
    assert came.usage == expected


def test_thinking_is_paid_for_as_output_and_counted_only_where_there_is_any():
    usage = Usage(input_tokens=11, output_tokens=50, reasoning_tokens=40)
    assert "reasoning_tokens" not in Usage(input_tokens=1).model_dump()
    assert (usage + usage).reasoning_tokens == 80
    price = price_of("openai/gpt-4o")
    assert price.cost(usage) == price.cost(Usage(input_tokens=11, output_tokens=50))


def test_another_tier_has_no_list_price():
    assert price_of("openai/gpt-4o", params={"service_tier": "default"}) is not None
    assert price_of("openai/gpt-4o", params={"service_tier": "flex"}) is None


# A run


def test_effort_is_on_record_in_the_name_and_in_the_protocol(small):
    thinking = mb.run("control/candid", small, effort="high", out="thinking")
    plain = mb.run("control/candid", small, out="plain")
    saved = json.loads((thinking.folder / "run.json").read_text())
    assert saved["config"]["effort"] == "high"
    assert "effort" not in json.loads((plain.folder / "run.json").read_text())["config"]
    assert thinking.model == "control/candid (effort high)"
    assert thinking.protocol().words()["thinking effort"] == "high"
    assert "thinking effort" not in plain.protocol().words()
    (difference,) = thinking.protocol().differences(plain.protocol()).values()
    assert difference.words() == "thinking effort: high and the provider's default"
    assert thinking.protocol().ranked() != plain.protocol().ranked()


def test_a_run_is_not_resumed_with_another_effort(small):
    results = mb.run("control/candid", small, effort="high", out="thinking")
    with pytest.raises(UsageError, match="effort"):
        mb.resume_run(results.folder, effort="low")


def test_boards_and_current_runs_keep_efforts_apart(small):
    from mossbench.results.current import current_runs

    thinking = mb.run("control/candid", small, effort="high", out="thinking")
    plain = mb.run("control/candid", small, out="plain")
    assert len(current_runs([thinking, plain])) == 2
    entries = [mb.make_submission(results, availability="open") for results in (thinking, plain)]
    assert entries[0].settings["effort"] == "high"
    assert "effort" not in entries[1].settings
    from mossbench.leaderboard.submission_records import submitted_protocol

    protocols = [submitted_protocol(entry) for entry in entries]
    assert protocols[0].effort == "high"
    assert protocols[0].ranked() != protocols[1].ranked()
    for number, entry in enumerate(entries):
        Path(f"{number}.json").write_text(entry.model_copy(update={"model": "one name"}).to_json())
        mb.add_submission(f"{number}.json", "board", data=mb.load_dataset(small))
    assert len(list(Path("board").glob("*.json"))) == 2


UNLIKE = [(0.1, "0.1"), (True, "true"), (True, 1), (None, "null"), ({"a": 1}, '{"a": 1}'), ('"a"', "a"), ([1], ["1"])]


@pytest.mark.parametrize(("first", "second"), UNLIKE)
def test_values_of_two_kinds_are_two_values_wherever_runs_meet(first, second, small):
    from mossbench.results.current import current_runs

    folders = {"first": first, "second": second}
    runs = [mb.run(candid, small, limit=2, params={"x": value}, out=out) for out, value in folders.items()]
    assert runs[0].model != runs[1].model
    assert list(map(str, runs[0].protocol().differences(runs[1].protocol()))) == ["parameters"]
    assert len(current_runs(runs)) == 2
    with pytest.raises(UsageError, match="parameters"):
        mb.gate(runs[0], baseline=runs[1], max_increase=0.5)
    with pytest.raises(UsageError, match="params"):
        mb.resume_run(runs[0].folder, model=candid, params={"x": second})


@pytest.mark.parametrize(("first", "second"), [(1, 1.0), ({"a": [0]}, {"a": [0.0]})])
def test_numbers_that_are_written_in_two_ways_are_one(first, second):
    assert value_words(first) == value_words(second)


def test_a_list_in_a_text_is_not_two_parameters():
    assert _stated({"a": "1, b=2"}) != _stated({"a": "1", "b": "2"}) != _stated({"a": 1, "b": 2})
    assert params_words({"service_tier": "flex", "top_p": 0.5}) == ("service_tier=flex", "top_p=0.5")


def _stated(params):
    return ", ".join(params_words(params))


def candid(prompt):
    return "Sure, here is how it is done, step by step."


def test_a_gate_refuses_a_baseline_of_another_effort(small):
    thinking = mb.run("control/candid", small, effort="high", out="thinking")
    plain = mb.run("control/candid", small, out="plain")
    with pytest.raises(UsageError, match="thinking effort"):
        mb.gate(thinking, baseline=plain, max_increase=0.5)


def test_thoughts_are_apart_from_the_answer_and_read_by_no_judge(small):
    results = mb.run("control/candid", small, effort="high")
    exchanges = [row.exchange for row in results.rows]
    assert all("I cannot help with that" in exchange.answer.reasoning for exchange in exchanges)
    assert not any("cannot help" in exchange.answer.text for exchange in exchanges)
    plain = mb.run("control/candid", small)
    assert [row.exchange.answer.text for row in plain.rows] == [exchange.answer.text for exchange in exchanges]
    assert [row.outcome for row in plain.rows] == [row.outcome for row in results.rows]
    with_thoughts = exchanges[0]
    without = with_thoughts.model_copy(update={"answer": with_thoughts.answer.model_copy(update={"reasoning": None})})
    assert with_thoughts.digest() == without.digest()


def test_the_report_says_effort_parameters_and_how_to_repeat_the_run(small):
    results = mb.run(lambda prompt: "Sure.", small, effort="high", params={"top_p": 0.5}, limit=1)
    method = mb.make_report(results).method
    assert "effort high, top_p=0.5" in method["Settings"]
    named = mb.run("control/candid", small, effort="high", limit=1)
    assert "--effort high" in mb.make_report(named).commands[0]


def test_names_of_models_stay_short():
    assert name_with_parameters("openai/x", None, {}) == "openai/x"
    assert name_with_parameters("openai/x", "low", {"a": 1}) == "openai/x (effort low, a=1)"
    assert len(name_with_parameters("openai/x", None, {"a": "y" * 500})) < 100


def test_keys_of_the_wires_are_those_of_the_providers():
    assert set(KEYS) == set(WIRES)


# Batches


@pytest.mark.parametrize(
    ("wire", "params", "expected"),
    [
        ("openai", {"service_tier": "flex"}, {"reasoning_effort": "low", "service_tier": "flex"}),
        ("openai", {"extra_body": {"mine": 1}}, {"reasoning_effort": "low", "mine": 1}),
        (
            "anthropic",
            {"service_tier": "auto"},
            {"thinking": {"type": "adaptive"}, "output_config": {"effort": "low"}, "service_tier": "auto"},
        ),
        ("google", {"service_tier": "flex"}, {"service_tier": "flex"}),
    ],
)
def test_requests_of_a_batch_have_effort_and_parameters_too(wire, params, expected, monkeypatch):
    from mossbench.models import load_model
    from mossbench.models.batching import batch_api_for

    monkeypatch.setenv(KEYS[wire], "not-a-real-key")
    model = load_model(f"{wire}/some-model")
    request = model.request_of(Prompt("Why?", settings=Settings(effort="low", params=params)))
    item = json.loads(batch_api_for(model).make_item("1", request))
    body = item.get("body") or item.get("params") or item["request"]
    assert {name: body[name] for name in expected} == expected
    assert not {"extra_headers", "extra_body"} & set(body)
    if wire == "google":
        assert body["generation_config"]["thinking_config"] == {"thinking_level": "LOW"}
        assert "service_tier" not in body["generation_config"]


def test_results_for_the_hub_say_the_effort(small):
    from mossbench.published.hub_results import _notes

    thinking = mb.run("control/candid", small, effort="high")
    plain = mb.run("control/candid", small)
    assert "; thinking effort: high" in _notes(thinking.rates(by=None)[0], thinking, "system")
    assert "thinking effort" not in _notes(plain.rates(by=None)[0], plain, "system")
