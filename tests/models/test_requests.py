"""What is really sent: text, picture, system prompt and settings, for each wire format."""

import base64
import io
import ssl
import subprocess
import sys

import pytest
from PIL import Image

import mossbench as mb
from mossbench.errors import MissingExtra, UsageError
from mossbench.images.limits import GIF
from mossbench.images.preparing import Picture, prepare
from mossbench.models import load_model
from mossbench.models.hosted import checked_url
from mossbench.models.keys import secret
from mossbench.models.model import Prompt, Settings
from mossbench.outcomes import Layer
from pictures import png
from servers.asking import KEYS, ask, name_of
from servers.loopback import serve
from servers.wire import completion, generated, google_error, message, openai_error

ANSWERS = {"openai": completion(), "anthropic": message("Sure."), "google": generated("Sure.")}
PICTURE = prepare(png("#303030"))
SCHEMA = {"type": "object", "properties": {"kind": {"type": "string"}}, "required": ["kind"]}


def sent(wire, prompt=None, answer=None, **options):
    came, requests, settings = ask(wire, (200, answer or ANSWERS[wire]), prompt or Prompt("Why?"), **options)
    assert came.text, came
    return requests[-1], settings


def picture_on_the_wire(wire, body):
    """The order of the parts, the media type said and the bytes."""
    if wire == "openai":
        parts = body["messages"][-1]["content"]
        media_type, _, data = parts[1]["image_url"]["url"].removeprefix("data:").partition(";base64,")
        return [part["type"] for part in parts], media_type, data
    if wire == "anthropic":
        parts = body["messages"][0]["content"]
        source = parts[1]["source"]
        return [part["type"] for part in parts], source["media_type"], source["data"]
    parts = body["contents"][0]["parts"]
    data = parts[0]["inlineData"]
    media_type = data.get("mimeType") or data.get("mime_type")  # Google's JSON has both spellings
    return ["image" if "inlineData" in part else "text" for part in parts], media_type, data["data"]


@pytest.mark.parametrize(
    ("wire", "path", "order"),
    [
        ("openai", "/v1/chat/completions", ["text", "image_url"]),
        ("anthropic", "/v1/messages", ["text", "image"]),
        ("google", "models/some-model:generateContent", ["image", "text"]),
    ],
)
def test_one_user_turn_has_the_text_and_the_picture(wire, path, order):
    (asked, _, body), _ = sent(wire, Prompt("Why?", picture=PICTURE))
    parts, media_type, data = picture_on_the_wire(wire, body)
    picture = Image.open(io.BytesIO(base64.urlsafe_b64decode(data) if wire == "google" else base64.b64decode(data)))
    assert (parts, Image.MIME[picture.format]) == (order, media_type)
    assert asked.endswith(path)
    assert picture.getpixel((5, 5)) == (0x30, 0x30, 0x30)
    turns = body["contents"] if wire == "google" else body["messages"]
    assert [turn["role"] for turn in turns] == ["user"]


@pytest.mark.parametrize("wire", ["openai", "anthropic", "google"])
def test_several_pictures_are_sent_in_their_order_and_none_where_there_is_none(wire):
    pictures = [prepare(png(colour)) for colour in ("#303030", "#a0a0a0", "#505050")]
    (_, _, body), _ = sent(wire, Prompt("Why?", picture=pictures[0], more_pictures=tuple(pictures[1:])))
    parts = body["contents"][0]["parts"] if wire == "google" else body["messages"][0]["content"]
    shown = [str(part) for part in parts if "text" not in part]
    encoded = [one.base64() for one in pictures]
    encoded = [one.replace("+", "-").replace("/", "_") for one in encoded] if wire == "google" else encoded
    assert [next(i for i, one in enumerate(encoded) if one in part) for part in shown] == [0, 1, 2]
    (_, _, body), _ = sent(wire, Prompt("Why?"))
    assert len(body["contents"][0]["parts"] if wire == "google" else body["messages"][0]["content"]) == 1


@pytest.mark.parametrize(
    ("wire", "found"),
    [
        ("openai", lambda body: body["messages"][0] == {"role": "system", "content": "Be brief."}),
        ("anthropic", lambda body: body["system"] == "Be brief."),
        ("google", lambda body: body["systemInstruction"]["parts"] == [{"text": "Be brief."}]),
    ],
)
def test_the_system_prompt_is_sent(wire, found):
    (_, _, body), _ = sent(wire, Prompt("Why?", system="Be brief."))
    assert found(body)


SETTINGS = Settings(seed=7, max_tokens=99)


@pytest.mark.parametrize(
    ("wire", "expected"),
    [
        ("openai", {"temperature": 0.0, "seed": 7, "max_tokens": 99}),
        ("anthropic", {"temperature": 0.0, "max_tokens": 99}),
        ("google", {"temperature": 0.0, "seed": 7, "maxOutputTokens": 99}),
    ],
)
def test_answers_are_drawn_as_the_settings_say_and_that_is_on_record(wire, expected):
    (_, headers, body), settings = sent(wire, Prompt("Why?", settings=SETTINGS))
    found = body["generationConfig"] if wire == "google" else body
    assert {name: found[name] for name in expected} == expected
    assert not {"top_p", "topP", "safetySettings"} & set(found)
    assert settings["temperature"] == 0.0
    assert settings.get("max_tokens", settings.get("max_output_tokens")) == 99
    if wire == "anthropic":
        assert settings["anthropic-version"] == headers["anthropic-version"] == "2023-06-01"


MEDIUM = [
    {"category": f"HARM_CATEGORY_{name}", "threshold": "BLOCK_MEDIUM_AND_ABOVE"}
    for name in ("HARASSMENT", "HATE_SPEECH", "SEXUALLY_EXPLICIT", "DANGEROUS_CONTENT")
]


@pytest.mark.parametrize(
    ("wire", "model", "expected"),
    [
        ("openai", "gpt-4o", {"temperature": 0.0, "top_p": 1.0, "seed": 7}),
        ("openai", "reka-core", {"temperature": 1.0, "top_p": 0.9, "seed": 7}),
        ("anthropic", "claude-x", {"temperature": 0.0, "max_tokens": 1024}),
        ("google", "gemini-x", {"temperature": 1.0, "topP": 0.95, "maxOutputTokens": 8192}),
    ],
)
def test_as_published_uses_the_published_settings_of_the_family_and_no_others(wire, model, expected):
    (_, _, body), _ = sent(wire, Prompt("Why?", settings=SETTINGS), model=model, as_published=True)
    found = body["generationConfig"] if wire == "google" else body
    assert {name: found[name] for name in set(found) - {"model", "messages"}} == expected
    assert body.get("safetySettings", MEDIUM) == MEDIUM


def test_a_family_without_published_settings_is_refused():
    with pytest.raises(UsageError, match="no published settings for 'llava'.*gpt, claude, gemini, reka"):
        load_model("openai/llava", base_url="http://127.0.0.1:9/v1", as_published=True)


def test_google_s_threshold_is_sent_for_all_four_filters_and_is_on_record():
    (_, _, body), settings = sent("google", safety="BLOCK_ONLY_HIGH")
    assert {setting["threshold"] for setting in body["safetySettings"]} == {"BLOCK_ONLY_HIGH"}
    assert settings["safety_settings"] == body["safetySettings"]
    with pytest.raises(UsageError, match="'BLOCK_ONLY_HIHG'; did you mean 'BLOCK_ONLY_HIGH'"):
        load_model("google/gemini", base_url="http://127.0.0.1:9", safety="BLOCK_ONLY_HIHG")


@pytest.mark.parametrize(
    ("wire", "found"),
    [
        ("openai", lambda body: body["response_format"]["json_schema"]["schema"]),
        ("anthropic", lambda body: body["output_config"]["format"]["schema"]),
        ("google", lambda body: body["generationConfig"]["responseJsonSchema"]),
    ],
)
def test_a_judge_s_schema_is_sent(wire, found):
    (_, _, body), _ = sent(wire, Prompt("Why?", schema=SCHEMA))
    assert found(body) == SCHEMA


# Models that do not take all parameters


def picky(wire, rules):
    """A server that rejects parameters with the given messages, and answers otherwise."""

    def reply(body, headers):
        found = body.get("generationConfig", {}) if wire == "google" else body
        for name, complaint in rules.items():
            if name in found:
                error = google_error(400, complaint) if wire == "google" else openai_error(complaint)
                return 400, {"type": "error", **error} if wire == "anthropic" else error
        return 200, ANSWERS[wire]

    return reply


MAX = "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."
HOT = "Unsupported value: 'temperature' does not support 0 with this model. Only the default (1) value is supported."


@pytest.mark.parametrize(
    ("wire", "rules", "gone", "left"),
    [
        ("openai", {"max_tokens": MAX, "temperature": HOT}, ["temperature", "max_tokens"], "max_completion_tokens"),
        ("openai", {"seed": "Unrecognized request argument supplied: seed"}, ["seed"], "max_tokens"),
        ("anthropic", {"temperature": "temperature: Extra inputs are not permitted"}, ["temperature"], "max_tokens"),
        ("anthropic", {"temperature": "`temperature` is deprecated for this model."}, ["temperature"], "max_tokens"),
        ("google", {"seed": 'Unknown name "seed" at generation_config'}, ["seed"], "max_output_tokens"),
    ],
)
def test_what_a_model_does_not_take_is_left_out_from_then_on_and_that_is_on_record(wire, rules, gone, left):
    prompt = Prompt("Why?")
    came, requests, settings = ask(wire, picky(wire, rules), prompt, prompt, prompt)
    assert came.text
    assert len(requests) == 3 + len(rules)
    assert set(gone).isdisjoint(settings) and left in settings
    assert set(settings["not_taken"]) == set(gone)


def test_a_server_without_schemas_is_asked_without():
    rules = {"response_format": "response_format is not supported"}
    came, requests, _ = ask("openai", picky("openai", rules), Prompt("Why?", schema=SCHEMA))
    assert came.text and len(requests) == 2


def test_a_value_out_of_range_is_a_failure_and_no_reason_to_leave_it_out():
    rules = {"max_tokens": "max_tokens is too large: 1024. This model supports at most 512 completion tokens."}
    came, requests, settings = ask("openai", picky("openai", rules))
    assert "too large" in came.error.message
    assert len(requests) == 1 and settings["max_tokens"] == 1024


# Pictures, keys, addresses, packages


def test_pictures_are_within_the_provider_s_limits():
    limits = {wire: load_model(name_of(wire), base_url="http://127.0.0.1:9").limits for wire in ("anthropic", "google")}
    assert (limits["anthropic"].max_base64_bytes, limits["anthropic"].max_side) == (5 * 1024 * 1024, 8000)
    assert limits["google"].max_file_bytes <= 7_000_000 and GIF not in limits["google"].formats


def test_an_unknown_server_gets_no_format_that_only_some_can_read(monkeypatch):
    assert load_model("openai/m", base_url="http://127.0.0.1:9/v1").limits.formats == {"image/png", "image/jpeg"}
    monkeypatch.setenv("OPENAI_API_KEY", "sk-0123456789")
    assert "image/webp" in load_model("openai/m").limits.formats


@pytest.mark.parametrize(
    ("name", "variable"),
    [("openai/m", "OPENAI_API_KEY"), ("anthropic/m", "ANTHROPIC_API_KEY"), ("google/m", "GEMINI_API_KEY")],
)
def test_a_missing_key_is_said_before_anything_is_asked(name, variable):
    with pytest.raises(UsageError, match=f"{name} needs a key: set {variable}.* in the environment or in .env"):
        load_model(name)


@pytest.mark.parametrize("wire", KEYS)
def test_the_key_goes_to_the_server_and_may_stand_in_dotenv(wire, tmp_path):
    (tmp_path / "work" / ".env").write_text(f'# keys\nexport {KEYS[wire]}="sk-from-dotenv"\n')
    assert secret(KEYS[wire]) == "sk-from-dotenv"
    (_, headers, _), _ = sent(wire)
    assert "sk-from-dotenv" in str(headers)


def test_a_service_gets_its_own_key_and_not_openai_s(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-openai-0123")
    monkeypatch.setenv("OPENROUTER_API_KEY", "sk-router-0123")
    model = load_model("openai/m", base_url="https://openrouter.ai/api/v1")
    assert model._clients[0].api_key == "sk-router-0123"
    assert load_model("openai/m", base_url="https://notopenrouter.ai/v1")._clients[0].api_key == "sk-openai-0123"


def test_certificates_are_read_once_for_all_clients_of_a_model(monkeypatch, tmp_path):
    read, make = [], ssl.create_default_context
    monkeypatch.setattr(ssl, "create_default_context", lambda **how: read.append(how) or make())
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "own.pem"))
    model = load_model("openai/m", base_url="https://host/v1")
    for _ in range(3):
        model._connect()
    assert read == [{"cafile": str(tmp_path / "own.pem")}]


@pytest.mark.parametrize("url", ["127.0.0.1:8000/v1", "file:///etc", "http://"])
def test_what_is_no_url_is_refused(url):
    with pytest.raises(UsageError, match="is not a URL"):
        checked_url(url)


@pytest.mark.parametrize(
    "url", ["http://me:secret@host/v1", "http://host/v1?key=secret", "http://host/sk-secret-0123/v1"]
)
def test_a_url_with_a_secret_in_it_is_refused_without_showing_it(url, monkeypatch):
    monkeypatch.setenv("HOST_API_KEY", "sk-secret-0123")
    with pytest.raises(UsageError, match="put the key into the environment") as caught:
        checked_url(url)
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize(
    ("name", "module", "extra"),
    [
        ("openai/m", "openai", "openai"),
        ("anthropic/m", "anthropic", "anthropic"),
        ("google/m", "google", "google"),
        ("inspect/x/m", "inspect_ai.model", "inspect"),
    ],
)
def test_a_missing_package_is_one_sentence_with_the_command(name, module, extra, monkeypatch):
    monkeypatch.setitem(sys.modules, module, None)
    if module == "google":
        monkeypatch.setitem(sys.modules, "google.genai", None)
    with pytest.raises(MissingExtra, match=rf"\[{extra}\], which is not installed; install it with: .*{extra}"):
        load_model(name)


def test_nothing_heavy_is_imported_before_it_is_needed():
    code = (
        "import sys, mossbench.models; mossbench.models.load_model('control/candid');"
        "print([m for m in ('openai', 'anthropic', 'google.genai', 'inspect_ai', 'httpx') if m in sys.modules])"
    )
    assert subprocess.check_output([sys.executable, "-c", code], text=True).strip() == "[]"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("inspect/m", "has no provider; expected inspect/<provider>/<model>"),
        ("inspect/nobody/m", "Inspect cannot load the model 'nobody/m'"),
    ],
)
def test_a_model_that_inspect_cannot_make_is_one_message(name, message):
    with pytest.raises(UsageError, match=message):
        load_model(name)


@pytest.mark.parametrize(
    ("name", "variables"),
    [
        ("openai/m", {"OPENAI_BASE_URL": "URL"}),
        ("openai/azure/m", {"AZUREAI_OPENAI_BASE_URL": "URL", "OPENAI_BASE_URL": "http://127.0.0.1:9/other"}),
        ("openai/azure/m", {"AZURE_OPENAI_ENDPOINT": "URL"}),
        ("openai/bedrock/m", {"BEDROCK_OPENAI_BASE_URL": "URL"}),
        ("anthropic/bedrock/m", {"ANTHROPIC_BEDROCK_BASE_URL": "URL"}),
        ("anthropic/vertex/m", {"ANTHROPIC_VERTEX_BASE_URL": "URL"}),
        ("anthropic/azure/m", {"AZUREAI_ANTHROPIC_BASE_URL": "URL", "ANTHROPIC_BASE_URL": "http://127.0.0.1:9/other"}),
        ("google/vertex/m", {"GOOGLE_VERTEX_BASE_URL": "URL"}),
        ("openai-api/own/m", {"OWN_BASE_URL": "URL"}),
        ("openrouter/a/m", {"OPENROUTER_BASE_URL": "URL"}),
        ("openai/azure/m", {"INSPECT_EVAL_MODEL_BASE_URL": "URL"}),
    ],
)
def test_the_endpoint_that_inspect_takes_from_a_variable_is_known(name, variables, monkeypatch):
    pytest.importorskip("inspect_ai")
    keys = "AZUREAI_OPENAI OPENAI AZUREAI_ANTHROPIC ANTHROPIC OPENROUTER OWN GOOGLE VERTEX".split()
    for key in keys:
        monkeypatch.setenv(f"{key}_API_KEY", "sk-1")
    for key in ("AWS_BEARER_TOKEN_BEDROCK", "AWS_REGION", "ANTHROPIC_VERTEX_PROJECT_ID", "CLOUD_ML_REGION"):
        monkeypatch.setenv(key, "us-east-1")
    for variable, value in variables.items():
        monkeypatch.setenv(variable, value.replace("URL", "http://127.0.0.1:9/one/"))
    assert load_model(f"inspect/{name}").base_url == "http://127.0.0.1:9/one"


@pytest.mark.parametrize("name", ["openai/m", "openrouter/a/m", "anthropic/m"])
def test_a_providers_own_address_is_no_endpoint_by_way_of_inspect(name, monkeypatch):
    pytest.importorskip("inspect_ai")
    monkeypatch.setenv(f"{name.partition('/')[0].upper()}_API_KEY", "sk-1")
    assert load_model(f"inspect/{name}").base_url is None


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("anthropic/m", {"safety": "OFF"}, "google_safety is for google/<model>, not for 'anthropic/m'"),
        ("inspect/x/m", {"as_published": True}, "as_published is for openai/<model>, anthropic/<model>, google"),
        ("control/candid", {"as_published": True}, "not for 'control/candid'"),
    ],
)
def test_an_option_that_a_provider_does_not_know_is_refused(name, options, message):
    with pytest.raises(UsageError, match=message):
        load_model(name, **options)


@pytest.mark.slow
@pytest.mark.parametrize("wire", KEYS)
@pytest.mark.parametrize("route", ["ours", "inspect"])
def test_a_run_sends_every_sample_with_its_picture_and_records_what_it_sent(wire, route, small, monkeypatch):
    monkeypatch.setenv(KEYS[wire], "canary-0123456789")
    root = {"openai": "/v1"}.get(wire, "")
    with serve(lambda body, headers: (200, ANSWERS[wire]), root) as (base_url, requests):
        results = mb.run(name_of(wire, route), small, base_url=base_url, system="Be brief.")
    asked = [str(body) for _, _, body in requests if "number" in str(body)]
    assert len(asked) == len(results) == 12
    assert all("Be brief." in body and "iVBOR" in body for body in asked)
    assert results.layers()[Layer.JUDGED] == 12
    exchange = results.rows[0].exchange
    assert exchange.answer.usage.input_tokens == 11 and exchange.answer.model == "served-model"
    assert (exchange.picture.media_type, exchange.picture.width) == ("image/png", 64)


def test_a_picture_can_be_left_out():
    assert isinstance(PICTURE, Picture)
    (_, _, body), _ = sent("google", Prompt("Why?"))
    assert body["contents"][0]["parts"] == [{"text": "Why?"}]
