import asyncio
import base64
import io

import pytest
from PIL import Image

import mossbench as mb
from mossbench.errors import RunError, UsageError
from mossbench.models import load_model
from mossbench.models.model import Prompt, Settings
from mossbench.outcomes import Answer, Layer, Stop, layer_without_verdict
from openai_server import completion, serve

CANARY = "sk-canary-0123456789"


def ask(reply, prompt=None, model="openai/some-model"):
    async def once(base_url):
        loaded = load_model(model, base_url=base_url)
        try:
            return await loaded.answer(prompt or Prompt("Hello?", settings=Settings(timeout=20)))
        finally:
            await loaded.close()

    with serve(reply) as (base_url, requests):
        return asyncio.run(once(base_url)), requests


def error(status, code=None, message="no"):
    return lambda body, headers: (status, {"error": {"message": message, "type": "x", "code": code, "param": None}})


def test_request_system_prompt_settings_and_picture_are_on_the_wire(small):
    with serve(lambda body, headers: (200, completion())) as (base_url, requests):
        results = mb.run(
            "openai/some-model", small, base_url=base_url, side="benign", system="Be brief.", seed=7, max_tokens=99
        )
    assert len(requests) == 6
    path, _headers, body = next(r for r in requests if "number 3?" in r[2]["messages"][1]["content"][0]["text"])
    assert path == "/v1/chat/completions"
    assert body["messages"][0] == {"role": "system", "content": "Be brief."}
    text, picture = body["messages"][1]["content"]
    assert text == {"type": "text", "text": "What could I do with number 3?"}
    media_type, _, data = picture["image_url"]["url"].removeprefix("data:").partition(";base64,")
    sent = Image.open(io.BytesIO(base64.b64decode(data)))
    assert (Image.MIME[sent.format], sent.size, sent.getpixel((5, 5))) == (media_type, (64, 48), (0x30, 0x30, 0x30))
    assert (body["model"], body["temperature"], body["seed"], body["max_tokens"]) == ("some-model", 0.0, 7, 99)
    answered = results.rows[0].exchange
    assert answered.system == "Be brief." and answered.key.arm == "system"
    assert answered.answer.usage.input_tokens == 11 and answered.answer.model == "served-model"
    assert answered.picture.media_type == "image/png" and answered.picture.width == 64


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        (
            completion("Sorry to hear that your toy broke. Glue helps."),
            Answer(text="Sorry to hear that your toy broke. Glue helps.", stop=Stop.END),
        ),
        (completion("cut o", finish_reason="length"), Answer(text="cut o", stop=Stop.LENGTH)),
        (completion(""), Answer(text="", stop=Stop.END)),
        (completion(None), Answer(text="", stop=Stop.END)),
        (completion(None, refusal="I can't help with that."), Answer(text="I can't help with that.", stop=Stop.END)),
        (completion(None, finish_reason="content_filter"), Answer(stop=Stop.BLOCKED)),
        (completion("part", finish_reason="content_filter"), Answer(text="part", stop=Stop.BLOCKED)),
    ],
)
def test_each_form_of_reply_is_what_it_is(reply, expected):
    answer, _ = ask(lambda body, headers: (200, reply))
    assert (answer.text, answer.stop, answer.error) == (expected.text, expected.stop, None)


@pytest.mark.parametrize("code", ["content_filter", "content_policy_violation", "moderation_blocked"])
def test_a_filter_that_answers_400_is_a_block_and_not_a_failure(code):
    answer, _ = ask(error(400, code, "blocked by policy"))
    assert answer.stop is Stop.BLOCKED and "blocked by policy" in answer.signal


@pytest.mark.parametrize(
    "reply",
    [
        error(400, "invalid_image", "bad picture"),
        error(422),
        lambda body, headers: (200, {**completion(), "choices": []}),
        lambda body, headers: (200, b"{not json"),
        lambda body, headers: (200, b"<html>gateway</html>"),
    ],
)
def test_a_call_that_failed_is_a_failure_and_never_a_refusal(reply):
    answer, _ = ask(reply)
    assert layer_without_verdict(answer) is Layer.FAILED
    assert answer.error.stage == "model" and answer.error.message


def test_overload_is_tried_again_and_then_answered():
    calls = iter([503, 429, 200])

    def reply(body, headers):
        status = next(calls)
        return status, completion() if status == 200 else {"error": {"message": "busy", "code": None}}

    answer, requests = ask(reply)
    assert answer.text and len(requests) == 3


@pytest.mark.parametrize("status", [401, 403, 404])
def test_what_stops_every_call_stops_the_run_at_once_and_hides_the_key(monkeypatch, small, status):
    monkeypatch.setenv("OPENAI_API_KEY", CANARY)
    with serve(error(status, message=f"wrong key {CANARY} given")) as (base_url, requests):
        with pytest.raises(RunError, match="OPENAI_API_KEY") as caught:
            mb.run("openai/m", small, base_url=base_url, out="r", max_connections=1)
    assert len(requests) == 1
    assert requests[0][1]["Authorization"] == f"Bearer {CANARY}"
    assert CANARY not in str(caught.value)


def test_the_key_is_in_no_file_of_the_run(monkeypatch, small, tmp_path):
    monkeypatch.setenv("OPENAI_API_KEY", CANARY)
    with serve(error(400, message=f"you sent {CANARY}")) as (base_url, _):
        mb.run("openai/m", small, base_url=base_url, out="r")
    written = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert any("you sent [key]" in path.read_text(errors="ignore") for path in written)
    assert not any(CANARY in path.read_text(errors="ignore") for path in written)


def test_a_missing_key_is_said_before_anything_is_asked(small):
    with pytest.raises(UsageError, match="set OPENAI_API_KEY in the environment or in .env"):
        mb.run("openai/gpt-4o", small)


def test_a_key_is_found_in_dotenv(tmp_path):
    from pathlib import Path

    from mossbench.models.keys import secret

    Path(".env").write_text(f'# keys\nexport OPENAI_API_KEY="{CANARY}"\n')
    assert secret("OPENAI_API_KEY") == CANARY


def test_a_server_that_is_not_there_is_a_failure_on_each_row(small):
    results = mb.run("openai/m", small, base_url="http://127.0.0.1:9/v1", limit=1, timeout=3)
    assert results.layers()[Layer.FAILED] == len(results) == 2
