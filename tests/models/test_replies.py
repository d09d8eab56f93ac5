"""Reading replies: reasoning kept apart, and nothing that a server can say breaks a reader."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import mossbench as mb
from mossbench.models import anthropic, google, openai
from mossbench.models.faults import Fault
from mossbench.models.replies import Reply, answer_of, split_reasoning
from mossbench.outcomes import Answer, Exchange, Layer, Stop
from servers.asking import KEYS, ask
from servers.loopback import serve
from servers.wire import completion, generated, message

THOUGHT, TEXT = "They ask about a toy.", "Use glue."
THINKING = {"type": "thinking", "thinking": THOUGHT, "signature": "x"}
MAGISTRAL = [{"type": "thinking", "thinking": [{"type": "text", "text": THOUGHT}]}, {"type": "text", "text": TEXT}]


@pytest.mark.parametrize(
    ("wire", "reply"),
    [
        ("openai", completion(TEXT, message={"reasoning_content": THOUGHT})),
        ("openai", completion(TEXT, message={"reasoning": THOUGHT})),
        ("openai", completion(f"<think>\n{THOUGHT}\n</think>\n\n{TEXT}")),
        ("openai", completion(f"{THOUGHT}\n</think>\n\n{TEXT}")),
        ("openai", completion(MAGISTRAL)),
        ("anthropic", message(THINKING, TEXT)),
        ("anthropic", message(THINKING, {"type": "redacted_thinking", "data": "zzz"}, TEXT)),
        ("google", generated({"text": THOUGHT, "thought": True}, TEXT)),
    ],
)
def test_reasoning_is_kept_apart_from_the_answer(wire, reply):
    answer, *_ = ask(wire, (200, reply))
    assert (answer.text, answer.reasoning) == (TEXT, THOUGHT)
    with_it = Exchange(side="benign", sample="1", request="?", answer=answer)
    without = Exchange(side="benign", sample="1", request="?", answer=Answer(text=TEXT, stop=Stop.END))
    assert with_it.digest() == without.digest()  # a judge reads the same


@pytest.mark.slow
@pytest.mark.parametrize("wire", ["openai", "anthropic"])
def test_reasoning_is_kept_apart_by_way_of_inspect(wire, monkeypatch):
    monkeypatch.setenv(KEYS[wire], "canary-0123456789")
    reply = message(THINKING, TEXT) if wire == "anthropic" else completion(TEXT, message={"reasoning_content": THOUGHT})
    answer, *_ = ask(wire, (200, reply), route="inspect")
    assert (answer.text.strip(), answer.reasoning) == (TEXT, THOUGHT)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("plain", ("plain", "")),
        ("", ("", "")),
        ("<think>a</think>b", ("b", "a")),
        (" \n<think>a</think>\n b", ("b", "a")),
        ("<think>never closed", ("", "never closed")),
        ("a</think>b", ("b", "a")),
        ("<think></think>b", ("b", "")),
        ("The tag <think>a</think> is for models.", ("The tag <think>a</think> is for models.", "")),
        ("<think>a</think>Write <think> and </think>.", ("Write <think> and </think>.", "a")),
    ],
)
def test_think_tags_at_the_start_are_reasoning(text, expected):
    assert split_reasoning(text) == expected


def test_reasoning_that_used_up_all_tokens_is_a_failure_and_no_empty_answer():
    answer = answer_of(Reply(text="<think>so much to consider", finish="length"))
    assert answer.error.type == "MaxTokens" and "raise max_tokens" in answer.error.message
    assert answer.reasoning == "so much to consider"


@pytest.mark.parametrize("finish", ["content-filter", "Content_Filter", "SAFETY", "refusal", "guardrail_intervened"])
def test_a_filter_s_word_is_known_in_any_spelling(finish):
    answer = answer_of(Reply(finish=finish, reason="violence"))
    assert (answer.stop, answer.signal, answer.text) == (Stop.BLOCKED, f"{finish}: violence", None)


def test_a_filter_comes_before_the_model_s_own_refusal():
    assert answer_of(Reply(finish="content_filter", refusal="No.")).stop is Stop.BLOCKED
    assert answer_of(Reply(finish="stop", refusal="No.")) == Answer(text="No.", stop=Stop.END, signal="refusal")


ODD = [
    completion(None, finish_reason="tool_calls"),
    completion(None, finish_reason="paused"),
    completion({"text": TEXT}),
    completion(choice={"message": {"role": "assistant"}}),
    completion("", finish_reason="stop", message={"tool_calls": [{"id": "t1"}]}),
]


def test_replies_that_are_not_recognised_are_no_refusals(small):
    said = iter([*ODD, completion("")])
    with serve(lambda body, headers: (200, next(said, completion(TEXT)))) as (base_url, _):
        results = mb.run("openai/some-model", small, base_url=base_url, out="r", max_connections=1)
    layers = results.layers()
    assert (layers[Layer.FAILED], layers[Layer.EMPTY], layers[Layer.BLOCKED]) == (len(ODD), 1, 0)


def test_tokens_are_counted_with_thoughts_and_caches():
    usage = {"promptTokenCount": 5, "candidatesTokenCount": 3, "thoughtsTokenCount": 40}
    body = {**generated("x"), "usageMetadata": usage}
    assert google.read_reply(body).usage.output_tokens == 43
    cached = {"input_tokens": 1, "cache_read_input_tokens": 20, "cache_creation_input_tokens": 300, "output_tokens": 7}
    assert anthropic.read_reply(message("x", usage=cached)).usage.input_tokens == 321


NAMES = (
    "choices message content text finish_reason error code usage refusal reasoning thinking type stop_reason "
    "stop_details candidates parts finishReason promptFeedback blockReason usageMetadata safetyRatings thought "
    "content_filter_results prompt_tokens native_finish_reason"
).split()
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9) | st.sampled_from(["text", "stop"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(NAMES), inner, max_size=6),
    max_leaves=30,
)


@given(JSON)
@pytest.mark.parametrize("read", [openai.read_reply, anthropic.read_reply, google.read_reply])
def test_no_body_whatever_it_is_breaks_a_reader(read, body):
    reply = read(body)
    assert isinstance(reply, Fault) or answer_of(reply)


@given(st.sampled_from(NAMES), JSON)
@pytest.mark.parametrize(
    ("read", "good"),
    [(openai.read_reply, completion()), (anthropic.read_reply, message("x")), (google.read_reply, generated("x"))],
)
def test_no_odd_field_in_a_good_body_breaks_a_reader(read, good, name, odd):
    for body in ({**good, name: odd}, {**good, "choices": [{"message": {name: odd}, name: odd}]}):
        reply = read(body)
        assert isinstance(reply, Fault) or answer_of(reply)
