"""What a fault is, and when to ask again; without a server."""

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mossbench.errors import RunError
from mossbench.models import Overloaded
from mossbench.models.faults import Fault, answer_or_raise, fault_of, is_block, read_fault
from mossbench.models.model import Prompt
from mossbench.outcomes import Layer, layer_without_verdict
from servers.asking import ask
from servers.wire import anthropic_error, google_error, openai_error


@pytest.mark.parametrize(
    "message",
    [
        "Output blocked by content filtering policy",
        "Content violates usage guidelines. Team: x, API key ID: y, Failed check: SAFETY_CHECK_TYPE_X",
        "Your request was rejected as a result of our safety system.",
        "Invalid prompt: your prompt was flagged as potentially violating our usage policy.",
        "The response was filtered due to the prompt triggering Azure OpenAI's content management policy",
        "Input data may contain inappropriate content.",
        "blocked: PROHIBITED_CONTENT",
        "This request violates our Usage Policy",
        "The image was rejected: violation of the content policy",
    ],
)
@pytest.mark.parametrize("status", [400, 403, 422])
def test_words_about_a_filter_are_no_block(message, status):
    fault = fault_of({"error": {"message": message}}, type="BadRequestError", status=status)
    assert not is_block(fault)
    if status == 403:
        with pytest.raises(RunError):
            answer_or_raise(fault, "m", way_out="")
    else:
        assert layer_without_verdict(answer_or_raise(fault, "m", way_out="")) is Layer.FAILED


@pytest.mark.parametrize(
    "message",
    [
        "Invalid image data: the content type image/bmp is not supported",
        "Could not process image",
        "image exceeds 5 MB maximum",
        "messages.0.content.1.image.source.base64.data: invalid base64",
        "This model's maximum context length is 8192 tokens",
        "content must be a string",
        "Blocked by CORS policy",
        "The content-length header is missing",
    ],
)
def test_a_bad_request_is_no_block(message):
    fault = Fault("BadRequestError", message, 400)
    assert not is_block(fault)
    assert layer_without_verdict(answer_or_raise(fault, "m", way_out="")) is Layer.FAILED


def test_an_error_that_is_only_true_is_no_part_of_the_message():
    fault = fault_of({"error": True, "message": "Invalid API key"}, type="x", status=400)
    assert fault.message == "Invalid API key"
    with pytest.raises(RunError, match="Invalid API key"):
        answer_or_raise(fault, "m", way_out="")


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        (Fault("x", "Your account has been suspended for violating our usage policies", 403), "suspended"),
        (Fault("x", "Your organization has been disabled.", 400), "disabled"),
        (Fault("x", "no", 429, frozenset({"insufficient_quota"})), "no"),
        (Fault("x", "<html>You have been blocked</html>", 403), "blocked"),
    ],
)
def test_what_is_wrong_with_the_account_ends_the_run_and_is_no_block(fault, message):
    with pytest.raises(RunError, match=f"m: .*{message}.*; look here"):
        answer_or_raise(fault, "m", way_out="look here")


@pytest.mark.slow
@pytest.mark.parametrize("wire", ["openai", "anthropic", "google"])
def test_a_sentence_of_the_request_that_is_quoted_ends_no_run(wire):
    said = "Your account has been suspended. Is this mail real?"
    quoted, _, _ = ask(wire, (400, openai_error(f"{said} (image 1 is damaged)")), Prompt(said))
    assert layer_without_verdict(quoted) is Layer.FAILED
    meant, _, _ = ask(wire, (400, openai_error(said)), Prompt("Hello?"))
    assert isinstance(meant, RunError)


IN_TWO_HOURS = format_datetime(datetime.now(UTC) + timedelta(hours=2), usegmt=True)
RETRY_INFO = {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "34s"}


@pytest.mark.parametrize(
    ("headers", "body", "low", "high"),
    [
        ({"retry-after": "7"}, None, 7, 7),
        ({"retry-after": "0.5"}, None, 0.5, 0.5),
        ({"retry-after-ms": "250", "retry-after": "9"}, None, 0.25, 0.25),
        ({"retry-after": IN_TWO_HOURS}, None, 3600, 7200),
        ({"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}, None, 0, 0),
        ({}, google_error(429, details=[RETRY_INFO]), 34, 34),
    ],
)
def test_when_to_ask_again_is_read_in_every_form(headers, body, low, high):
    assert low <= fault_of(body, type="x", status=429, headers=headers).retry_after <= high


@pytest.mark.parametrize("value", ["soon", "-3", "nan", "inf", ""])
def test_a_retry_after_that_makes_no_sense_is_none(value):
    assert fault_of(None, type="x", headers={"retry-after": value}).retry_after is None


@pytest.mark.slow
@pytest.mark.parametrize(
    ("wire", "error"),
    [
        ("openai", openai_error("busy")),
        ("anthropic", anthropic_error("busy", "rate_limit_error")),
        ("google", google_error(429, "busy", "RESOURCE_EXHAUSTED")),
    ],
)
@pytest.mark.parametrize("headers", [{}, {"Retry-After": "3"}])
def test_retry_after_comes_through_the_sdk(wire, error, headers):
    came, requests, _ = ask(wire, (429, error, headers))
    assert isinstance(came, Overloaded) and len(requests) == 1
    assert came.retry_after == (3 if headers else None)
    assert came.answer().error.message == "busy"
    assert came.answer().error.type in ("RateLimitError", "ClientError")


@pytest.mark.slow
def test_a_server_that_is_not_there_may_be_there_later():
    import asyncio

    from mossbench.models import load_model

    for name in ("openai/m", "anthropic/m", "google/m"):
        model = load_model(name, base_url="http://127.0.0.1:9")
        with pytest.raises(Overloaded) as caught:
            asyncio.run(model.answer(Prompt("?")))
        assert caught.value.kind == "connection"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner, max_size=4),
)
KEYED = st.dictionaries(st.sampled_from(["error", "message", "code", "type", "detail", "loc", "retryDelay"]), JSON)


@pytest.mark.slow
@given(KEYED | JSON, st.sampled_from([None, 200, 400, 401, 403, 404, 413, 418, 422, 429, 500, 503, 529]))
def test_any_error_body_is_settled_one_way_or_another(body, status):
    try:
        answer = answer_or_raise(fault_of(body, type="x", message="m", status=status), "model", way_out="")
    except (RunError, Overloaded):
        return
    assert layer_without_verdict(answer) in (Layer.BLOCKED, Layer.FAILED)


def test_a_long_page_is_cut_and_a_wrapper_is_opened():
    assert len(fault_of("<p>" * 5000, type="x").message) < 1100
    error = RuntimeError("Request: {how to violate the content policy}")
    error.__cause__ = _Status("bad picture")
    assert read_fault(error).message == "bad picture"
    assert not is_block(read_fault(error))


class _Status(Exception):
    status_code = 400
