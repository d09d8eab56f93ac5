"""The conformance table: what each reply is, by every route the same.

One row is one form of reply, as providers and gateways give it. Every row goes through our adapter for its wire
format and through Inspect with the provider of that format; where Inspect itself loses what was said, the row
says what is left.
"""

from dataclasses import dataclass
from functools import cache
from typing import Any

import pytest

from servers.asking import KEYS, ask, ask_many, outcome_word
from servers.loopback import hang, reset, slow, truncated
from servers.wire import (
    anthropic_error,
    completion,
    generated,
    google_error,
    message,
    openai_error,
    prompt_blocked,
)


@dataclass(frozen=True, eq=False)
class Row:
    wire: str
    form: str
    reply: Any
    expected: str
    says: str = ""
    """A part of the signal, of the failure's message, or of the exception."""
    text: str | None = None
    by_inspect: str | None = None
    """What is left by way of Inspect, where that differs; `retried` where Inspect waits and asks again by itself."""


TOY = "I am sorry to hear that your toy broke. Glue helps."
NO = "I can't help with that."
POLICY = "Your request was rejected as a result of our safety system."


def openai(form, reply, expected, says="", text=None, by_inspect=None):
    return Row("openai", form, reply, expected, says, text, by_inspect)


def anthropic(form, reply, expected, says="", text=None, by_inspect=None):
    return Row("anthropic", form, reply, expected, says, text, by_inspect)


def google(form, reply, expected, says="", text=None, by_inspect=None):
    return Row("google", form, reply, expected, says, text, by_inspect)


AZURE = {
    "message": "The response was filtered due to the prompt triggering Azure OpenAI's content management policy.",
    "code": "content_filter",
    "status": 400,
    "innererror": {"code": "ResponsibleAIPolicyViolation"},
}
AZURE_HITS = {"violence": {"filtered": True, "severity": "medium"}, "hate": {"filtered": False, "severity": "safe"}}
XAI = {"code": "no permission", "error": "Content violates usage guidelines. Failed check: SAFETY_CHECK_TYPE_X"}
ROUTER_FLAG = {
    "code": 403,
    "message": 'Your chosen model requires moderation and your input was flagged for "violence".',
    "metadata": {"reasons": ["violence"], "flagged_input": "…"},
}
RELAYED = {"code": 400, "message": "Provider returned error", "metadata": {"raw": "blocked: PROHIBITED_CONTENT"}}
KEY_INVALID = {"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "API_KEY_INVALID"}

CALL = {"id": "t1", "type": "function", "function": {"name": "look", "arguments": "{}"}}
CALLS = {"finish_reason": "tool_calls", "message": {"tool_calls": [CALL]}}
FUNCTION = {"function_call": CALL["function"]}
THINKING = {"type": "thinking", "thinking": "Hm", "signature": "x"}
HIDDEN = {"type": "redacted_thinking", "data": "eA=="}
TOOL_USE = {"type": "tool_use", "id": "t1", "name": "look", "input": {}}

OPENAI = [
    openai("a friendly answer that says sorry", (200, completion(TOY)), "answer", text=TOY),
    openai("a refusal in plain words is the model's answer", (200, completion(NO)), "answer", text=NO),
    openai("native refusal field", (200, completion(None, refusal=NO)), "answer", "refusal", NO),
    openai("cut off", (200, completion("Fold", finish_reason="length")), "cut off", "length", "Fold"),
    openai("empty string", (200, completion("")), "empty", text=""),
    openai("blank", (200, completion(" \n")), "empty"),
    openai("no parts", (200, completion([])), "empty"),
    openai(
        "null content, though it thought",
        (200, completion(None, message={"reasoning_content": "Hm"})),
        "failed",
        "content is null",
    ),
    openai(
        "null content",
        (200, completion(None)),
        "failed",
        "'stop', content is null",
        by_inspect="empty",  # Inspect makes an empty text of what is not there
    ),
    openai(
        "no content",
        (200, completion(choice={"message": {"role": "assistant"}})),
        "failed",
        "content is null",
        by_inspect="empty",
    ),
    openai(
        "only reasoning",
        (200, completion("", message={"reasoning_content": "Hm"})),
        "failed",
        "'stop', reasoning_content",
    ),
    openai("only reasoning, finished", (200, completion("<think>Hm</think>")), "failed", "'stop', reasoning"),
    openai("a thought that does not end", (200, completion("<think>Hm, this")), "failed", "'stop', reasoning"),
    openai("a thought that only begins", (200, completion("<think>")), "failed", "'stop', reasoning"),
    openai("a thought about nothing", (200, completion("<think>\n\n</think>\n\n")), "empty"),
    openai("blank reasoning", (200, completion("", message={"reasoning_content": "\n"})), "empty"),
    *(
        openai(f"no text, but {name}", (200, completion("", message={name: value})), "failed", name, by_inspect="empty")
        for name, value in {
            "images": [{"type": "image_url", "image_url": {"url": "data:,"}}],
            "output": "…",
            "parsed": {"steps": []},
            "audio": {"id": "a1"},
        }.items()
    ),
    openai(
        "a refusal that is no text",
        (200, completion("", refusal=True)),
        "failed",
        "refusal",
        by_inspect="answer",  # Inspect makes the text "True" of it
    ),
    openai("a text part that is null", (200, completion([{"type": "text", "text": None}])), "failed", "'text'"),
    openai("a text part that is a list", (200, completion([{"type": "text", "text": [TOY]}])), "failed", "'text'"),
    openai("content as an object", (200, completion({"text": TOY})), "failed", "content is an object"),
    openai("content as a number", (200, completion(7)), "failed", "content is a number"),
    openai(
        "parts that are no text",
        (200, completion([{"type": "audio", "audio": "…"}])),
        "failed",
        "'stop', part of type 'audio'",
    ),
    openai("tool calls", (200, completion(None, **CALLS)), "failed", "'tool_calls', content is null, tool_calls"),
    openai(
        "tool calls with a normal stop",
        (200, completion("", message=CALLS["message"])),
        "failed",
        "finish reason 'stop', tool_calls",
    ),
    openai("a function call", (200, completion("", message=FUNCTION)), "failed", "function_call", by_inspect="empty"),
    openai("a text and tool calls", (200, completion(TOY, **CALLS)), "answer", "tool_calls", TOY),
    openai("an unknown finish reason", (200, completion("", finish_reason="paused")), "failed", "'paused'"),
    openai(
        "an unknown finish reason with a text",
        (200, completion(TOY, finish_reason="paused")),
        "answer",
        "not recognised: paused",
        TOY,
    ),
    openai("no finish reason", (200, completion("", finish_reason=None)), "failed", "finish reason None"),
    openai("no finish reason with a text", (200, completion(TOY, finish_reason=None)), "answer", text=TOY),
    openai(
        "an unknown native finish reason",
        (200, completion("", choice={"native_finish_reason": "OTHER"})),
        "failed",
        "native finish reason 'OTHER'",
        by_inspect="empty",
    ),
    openai(
        "a native finish reason of length",
        (200, completion("", choice={"native_finish_reason": "MAX_TOKENS"})),
        "failed",
        "raise max_tokens",
        by_inspect="empty",
    ),
    openai(
        "a text with a native finish reason of length",
        (200, completion("Fold", choice={"native_finish_reason": "MAX_TOKENS"})),
        "cut off",
        "MAX_TOKENS",
        "Fold",
        by_inspect="answer",
    ),
    openai("finish reason eos", (200, completion("", finish_reason="eos")), "empty"),
    openai(
        "content_filter, null", (200, completion(None, finish_reason="content_filter")), "blocked", "content_filter"
    ),
    openai("content_filter midway", (200, completion("Fo", finish_reason="content_filter")), "blocked", text="Fo"),
    openai(
        "Azure filter with categories",
        (200, completion(None, finish_reason="content_filter", choice={"content_filter_results": AZURE_HITS})),
        "blocked",
        "violence",
    ),
    openai(
        "Azure filter with a normal stop",
        (200, completion("", choice={"content_filter_results": AZURE_HITS})),
        "blocked",
        "violence",
        by_inspect="empty",
    ),
    openai(
        "Azure filter beside a text",
        (200, completion(TOY, choice={"content_filter_results": AZURE_HITS})),
        "answer",
        "violence",
        TOY,
    ),
    openai(
        "refusal relayed as finish reason",
        (200, completion(None, finish_reason="refusal")),
        "blocked",
        "refusal",
        by_inspect="failed",  # Inspect has no word for it: "unknown"
    ),
    openai(
        "SAFETY relayed as finish reason",
        (200, completion(None, finish_reason="SAFETY")),
        "blocked",
        "SAFETY",
        by_inspect="failed",
    ),
    openai(
        "native finish reason of a gateway",
        (200, completion(None, choice={"native_finish_reason": "PROHIBITED_CONTENT"})),
        "blocked",
        "PROHIBITED_CONTENT",
        by_inspect="empty",
    ),
    openai("400 content_filter", (400, openai_error("filtered", "content_filter")), "blocked", "filtered"),
    openai("400 of Azure", (400, {"error": AZURE}), "blocked", "content management policy"),
    openai("400 moderation_blocked", (400, openai_error(POLICY, "moderation_blocked")), "blocked", "safety system"),
    openai("400 content_policy_violation", (400, openai_error("no", "content_policy_violation")), "blocked", "no"),
    openai("400 in words alone", (400, openai_error(POLICY)), "failed", "safety system"),
    openai("400 blocked: PROHIBITED_CONTENT", (400, openai_error("blocked: PROHIBITED_CONTENT")), "failed", "PROHIB"),
    openai(
        "400 flagged prompt",
        (400, openai_error("your prompt was flagged as potentially violating our usage policy", "invalid_prompt")),
        "failed",  # the code of any prompt that is not valid
        "usage policy",
    ),
    openai("400 relayed by a gateway", (400, {"error": RELAYED}), "failed", "PROHIBITED_CONTENT"),
    openai("403 violates usage guidelines", (403, XAI), "stops the run", "usage guidelines"),
    openai("403 flagged by a gateway", (403, {"error": ROUTER_FLAG}), "blocked", "violence"),
    openai("error in a 200, flagged", (200, {"error": ROUTER_FLAG}), "blocked", "violence", by_inspect="failed"),
    openai("400 bad picture", (400, openai_error("Invalid image.", "invalid_image")), "failed", "Invalid image"),
    openai("400 picture too large", (400, openai_error("image exceeds 20 MB")), "failed", "exceeds"),
    openai("413", (413, openai_error("too large")), "failed", "too large"),
    openai("422", (422, openai_error("unprocessable")), "failed", "unprocessable"),
    openai("no choices", (200, {**completion(), "choices": []}), "failed", "no choices"),
    openai("null choices", (200, {**completion(), "choices": None}), "failed", "no choices"),
    openai("no message", (200, completion(choice={"message": None})), "failed", "no message"),
    openai(
        "all tokens into reasoning",
        (200, completion(None, finish_reason="length", message={"reasoning_content": "Hm"})),
        "failed",
        "raise max_tokens",
    ),
    openai("error in a 200", (200, {"error": {"message": "odd", "code": "odd"}}), "failed", "odd"),
    openai(
        "502 in a 200",
        (200, {"error": {"message": "down", "code": 502}}),
        "later: server_error",
        "down",
        by_inspect="failed",
    ),
    openai("401", (401, openai_error("bad key", "invalid_api_key")), "stops the run", "OPENAI_API_KEY"),
    openai("402", (402, openai_error("no credits")), "stops the run", "no credits"),
    openai("403", (403, openai_error("not allowed")), "stops the run", "not allowed"),
    openai(
        "403 account",
        (403, openai_error("Your account was flagged for violating our usage policy")),
        "stops the run",
        "account",
    ),
    openai("404", (404, openai_error("no such model", "model_not_found")), "stops the run", "model's name"),
    openai("429 quota used up", (429, openai_error("quota", "insufficient_quota")), "stops the run", "quota"),
    openai("429", (429, openai_error("slow down")), "later: rate_limit", "slow down"),
    openai("500", (500, openai_error("oops")), "later: server_error", "oops"),
    openai("503 about its filter", (503, openai_error("content filter is down")), "later: overload", "down"),
    openai("529", (529, openai_error("overloaded")), "later: overload", "overloaded"),
    openai("a web page with 502", (502, b"<html>bad gateway</html>"), "later: server_error", "gateway"),
    openai("not JSON", (200, b"{not json"), "later: connection", "not JSON"),
    openai("a web page with 200", (200, b"<html>gateway</html>"), "later: connection", "not JSON"),
    openai("truncated", lambda body, headers: truncated, "later: connection"),
    openai("reset", lambda body, headers: reset, "later: connection"),
    openai("slow", lambda body, headers: slow(0.3, 200, completion(TOY)), "answer", text=TOY),
]
ANTHROPIC = [
    anthropic("a friendly answer that says sorry", (200, message(TOY)), "answer", text=TOY),
    anthropic("a refusal in plain words", (200, message(NO)), "answer", "end_turn", NO),
    anthropic("several texts", (200, message("Fold", " it.")), "answer", text="Fold it.", by_inspect="answer"),
    anthropic("cut off", (200, message("Fold", stop_reason="max_tokens")), "cut off", text="Fold"),
    anthropic(
        "context full",
        (200, message("Fold", stop_reason="model_context_window_exceeded")),
        "cut off",
        text="Fold",
        by_inspect="answer",
    ),
    anthropic("empty text", (200, message("")), "empty"),
    anthropic("no blocks", (200, message()), "empty"),
    anthropic("empty text at a stop sequence", (200, message("", stop_reason="stop_sequence")), "empty"),
    anthropic("only thinking", (200, message(THINKING)), "failed", "block of type 'thinking'"),
    anthropic("only hidden thinking", (200, message(HIDDEN)), "failed", "block of type 'redacted_thinking'"),
    anthropic("thinking and an empty text", (200, message(THINKING, "")), "failed", "reasoning"),
    anthropic(
        "a text that is null",
        (200, message({"type": "text", "text": None})),
        "failed",
        "block of type 'text'",
        by_inspect="empty",
    ),
    anthropic(
        "tool use", (200, message(TOOL_USE, stop_reason="tool_use")), "failed", "'tool_use', block of type 'tool_use'"
    ),
    anthropic("tool use with a normal stop", (200, message(TOOL_USE)), "failed", "block of type 'tool_use'"),
    anthropic("a text and tool use", (200, message(TOY, TOOL_USE, stop_reason="tool_use")), "answer", "tool_use", TOY),
    anthropic("pause_turn", (200, message(stop_reason="pause_turn")), "failed", "'pause_turn'", by_inspect="retried"),
    anthropic("an unknown stop reason", (200, message(stop_reason="paused")), "failed", "'paused'"),
    anthropic(
        "an unknown stop reason with a text",
        (200, message(TOY, stop_reason="paused")),
        "answer",
        "not recognised: paused",
        TOY,
    ),
    anthropic("no stop reason", (200, message("", stop_reason=None)), "failed", "finish reason None"),
    anthropic("content as an object", (200, {**message(), "content": {"text": TOY}}), "failed", "content is an object"),
    anthropic("refusal", (200, message(stop_reason="refusal")), "blocked", "refusal"),
    anthropic("refusal midway", (200, message("Hello..", stop_reason="refusal")), "blocked", text="Hello.."),
    anthropic(
        "refusal with category",
        (
            200,
            message(
                stop_reason="refusal",
                stop_details={"type": "refusal", "category": "cyber", "explanation": "could enable harm"},
            ),
        ),
        "blocked",
        "could enable harm",
    ),
    anthropic(
        "400 output filter", (400, anthropic_error("Output blocked by content filtering policy")), "failed", "policy"
    ),
    anthropic("400 bad picture", (400, anthropic_error("Could not process image")), "failed", "process image"),
    anthropic("400 picture too large", (400, anthropic_error("image exceeds 5 MB maximum")), "failed", "5 MB"),
    anthropic("413", (413, anthropic_error("too large", "request_too_large")), "failed", "too large"),
    anthropic("no content", (200, {**message(), "content": None}), "failed", "content is null"),
    anthropic("error in a 200", (200, anthropic_error("odd")), "failed", "odd"),
    anthropic(
        "all tokens into thinking",
        (200, message(THINKING, stop_reason="max_tokens")),
        "failed",
        "raise max_tokens",
    ),
    anthropic("401", (401, anthropic_error("bad key", "authentication_error")), "stops the run", "ANTHROPIC_API_KEY"),
    anthropic("403", (403, anthropic_error("no", "permission_error")), "stops the run"),
    anthropic("404", (404, anthropic_error("model: x", "not_found_error")), "stops the run", "model's name"),
    anthropic("400 no money", (400, anthropic_error("Your credit balance is too low")), "stops the run", "credit"),
    anthropic("429", (429, anthropic_error("slow down", "rate_limit_error")), "later: rate_limit", "slow down"),
    anthropic("500", (500, anthropic_error("oops", "api_error")), "later: server_error", "oops"),
    anthropic("503", (503, anthropic_error("busy", "api_error")), "later: overload", "busy"),
    anthropic("529", (529, anthropic_error("Overloaded", "overloaded_error")), "later: overload", "Overloaded"),
    anthropic("not JSON", (200, b"{not json"), "later: connection", "not JSON"),
    anthropic("truncated", lambda body, headers: truncated, "later: connection"),
    anthropic("reset", lambda body, headers: reset, "later: connection"),
]
RATINGS = [{"category": "HARM_CATEGORY_DANGEROUS_CONTENT", "probability": "HIGH", "blocked": True}]
PIXEL = {"inlineData": {"mimeType": "image/png", "data": "eA=="}}
GOOGLE = [
    google("a friendly answer that says sorry", (200, generated(TOY)), "answer", text=TOY),
    google("a refusal in plain words", (200, generated(NO)), "answer", "STOP", NO),
    google("cut off", (200, generated("Fold", finish_reason="MAX_TOKENS")), "cut off", text="Fold"),
    google("empty text", (200, generated("")), "empty"),
    google("no parts", (200, generated(content={"role": "model"})), "empty"),
    google("an empty list of parts", (200, generated(content={"role": "model", "parts": []})), "empty"),
    google("no content", (200, generated()), "failed", "'STOP', content is null", by_inspect="empty"),
    google("null content", (200, generated(content=None)), "failed", "content is null", by_inspect="empty"),
    google("null parts", (200, generated(content={"parts": None})), "failed", "parts is null", by_inspect="empty"),
    google("a text that is null", (200, generated({"text": None})), "failed", "text is null", by_inspect="empty"),
    google("a text that is a list", (200, generated({"text": [TOY]})), "failed", "text is a list"),
    google("only thoughts", (200, generated({"text": "Hm", "thought": True})), "failed", "reasoning"),
    google(
        "a signature and no text",
        (200, generated({"text": "", "thoughtSignature": "eA=="})),
        "empty",
        by_inspect="failed",
    ),  # Inspect takes it for hidden reasoning
    google("stopped for other reasons", (200, generated(finish_reason="OTHER")), "failed", "'OTHER'"),
    google("an unknown finish reason", (200, generated(finish_reason="PAUSED")), "failed", "'PAUSED'"),
    google(
        "an unknown finish reason with a text",
        (200, generated(TOY, finish_reason="PAUSED")),
        "answer",
        "not recognised: PAUSED",
        TOY,
    ),
    google("no finish reason", (200, generated("", finish_reason=None)), "failed", "None", by_inspect="empty"),
    google(
        "a function call",  # Gemini ends it with STOP
        (200, generated({"functionCall": {"name": "look", "args": {}}})),
        "failed",
        "finish reason 'STOP', part with functionCall",
    ),
    google("a picture", (200, generated(PIXEL)), "failed", "part with inlineData"),
    google("a text and a picture", (200, generated(TOY, PIXEL)), "answer", "STOP", TOY),
    google("parts as an object", (200, generated(content={"parts": {"text": TOY}})), "failed", "parts is an object"),
    google("content as a list", (200, generated(content=[TOY])), "failed", "content is a list"),
    *(
        google(f"finish reason {reason}", (200, generated(finish_reason=reason)), "blocked", reason)
        for reason in ("SAFETY", "RECITATION", "PROHIBITED_CONTENT", "BLOCKLIST", "SPII")
    ),
    google(
        "IMAGE_SAFETY", (200, generated(finish_reason="IMAGE_SAFETY")), "blocked", "IMAGE_SAFETY", by_inspect="failed"
    ),
    google("SAFETY midway", (200, generated("Fo", finish_reason="SAFETY")), "blocked", text="Fo"),
    google(
        "SAFETY with category", (200, generated(finish_reason="SAFETY", safetyRatings=RATINGS)), "blocked", "DANGEROUS"
    ),
    *(
        google(f"prompt blocked, {reason}", (200, prompt_blocked(reason)), "blocked", reason)
        for reason in ("SAFETY", "OTHER", "BLOCKLIST", "PROHIBITED_CONTENT", "IMAGE_SAFETY")
    ),
    google("prompt blocked, unspecified", (200, prompt_blocked("BLOCK_REASON_UNSPECIFIED")), "blocked", "UNSPECIFIED"),
    google(
        "an answer beside a block that is none",
        (200, {**generated(TOY), **prompt_blocked("BLOCK_REASON_UNSPECIFIED")}),
        "answer",
        "STOP",
        TOY,
    ),
    google("prompt blocked, news", (200, prompt_blocked("SOMETHING_NEW")), "blocked", "SOMETHING_NEW"),
    google(
        "a tool that is not there",
        (200, generated(finish_reason="MALFORMED_FUNCTION_CALL")),
        "failed",
        "MALFORMED",
        by_inspect="retried",
    ),
    google("no candidates", (200, {"candidates": []}), "failed", "no candidates"),
    google("an empty object", (200, {}), "failed", "no candidates"),
    google("all tokens into thoughts", (200, generated(finish_reason="MAX_TOKENS")), "failed", "raise max_tokens"),
    google("400 bad picture", (400, google_error(400, "Unable to process input image")), "failed", "input image"),
    google("400 filter in words", (400, google_error(400, "blocked: PROHIBITED_CONTENT")), "failed", "PROHIBITED"),
    google(
        "400 wrong key",
        (400, google_error(400, "API key not valid.", details=[KEY_INVALID])),
        "stops the run",
        "API_KEY",
    ),
    google("403", (403, google_error(403, "denied", "PERMISSION_DENIED")), "stops the run", "denied"),
    google("404", (404, google_error(404, "no such model", "NOT_FOUND")), "stops the run", "model's name"),
    google(
        "429",
        (429, google_error(429, "check your plan and billing", "RESOURCE_EXHAUSTED")),
        "later: rate_limit",
        "plan",
    ),
    google("500", (500, google_error(500, "oops", "INTERNAL")), "later: server_error", "oops"),
    google("503", (503, google_error(503, "overloaded", "UNAVAILABLE")), "later: overload", "overloaded"),
    google("not JSON", (200, b"{not json"), "later: connection", "not JSON"),
    google("truncated", lambda body, headers: truncated, "later: connection"),
    google("reset", lambda body, headers: reset, "later: connection", by_inspect="retried"),
]
ROWS = [*OPENAI, *ANTHROPIC, *GOOGLE]


ROUTED = {"model": "other/model-2", "provider": "Azure"}
STOOD_IN = {"input_tokens": 11, "output_tokens": 7} | {
    "iterations": [
        {"type": "message", "model": "some-model", "input_tokens": 5, "output_tokens": 1},
        {"type": "fallback_message", "model": "some-model-2", "input_tokens": 6, "output_tokens": 6},
    ]
}
HANDED_OVER = {
    "type": "fallback",
    "from": {"model": "some-model"},
    "to": {"model": "some-model-2"},
    "trigger": {"type": "refusal", "category": "bio"},
}
FLAGGED = {"error": {**ROUTER_FLAG, "metadata": {"reasons": ["violence", "hate"], "provider_name": "Other"}}}
AZURE_400 = {**AZURE, "innererror": {"code": "ResponsibleAIPolicyViolation", "content_filter_result": AZURE_HITS}}
DETAILS = {"type": "refusal", "category": "cyber", "explanation": "could enable harm"}
WHO = [  # wire format, form, reply, what the row keeps; and by way of Inspect, where that is less
    ("openai", "a model's own name", (200, completion(TOY)), {"model": "served-model"}),
    (
        "openai",
        "a router",
        (200, completion(TOY, **ROUTED)),
        {"model": "other/model-2", "host": "Azure"},
        {"host": None},
    ),
    (
        "openai",
        "Azure's results",
        (200, completion(None, finish_reason="content_filter", choice={"content_filter_results": AZURE_HITS})),
        {"category": "violence (medium)"},
        {"category": "violence"},
    ),
    ("openai", "Azure's error", (400, {"error": AZURE_400}), {"category": "violence (medium)"}),
    ("openai", "a gateway's reasons", (403, FLAGGED), {"category": "violence, hate"}, None),
    ("anthropic", "a model's own name", (200, message(TOY)), {"model": "served-model", "fallback": False}),
    (
        "anthropic",
        "a category",
        (200, message(stop_reason="refusal", stop_details=DETAILS)),
        {"category": "cyber", "fallback": False},
    ),
    (
        "anthropic",
        "a fallback",
        (200, message(HANDED_OVER, TOY, usage=STOOD_IN)),
        {"model": "some-model-2", "fallback": True, "category": "bio", "text": TOY},
        {"model": "some-model-2", "fallback": True, "category": None},
    ),
    ("google", "a model's own name", (200, generated(TOY)), {"model": "served-model", "category": None}),
    (
        "google",
        "ratings",
        (200, generated(finish_reason="SAFETY", safetyRatings=RATINGS)),
        {"category": "DANGEROUS_CONTENT (HIGH)"},
        {"category": "HARM_CATEGORY_DANGEROUS_CONTENT"},
    ),
    (
        "google",
        "a blocked prompt",
        (200, prompt_blocked("PROHIBITED_CONTENT")),
        {"category": "PROHIBITED_CONTENT"},
        {"category": None},
    ),
]


@pytest.mark.slow
@pytest.mark.parametrize("row", WHO, ids=lambda row: f"{row[0]}: {row[1]}")
def test_each_row_keeps_who_answered_and_what_a_filter_is_about(row):
    came, *_ = ask(row[0], row[2])
    assert {name: getattr(came, name) for name in row[3]} == row[3]


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("row", [row for row in WHO if row[-1] is not None], ids=lambda row: f"{row[0]}: {row[1]}")
def test_who_answered_is_kept_by_way_of_inspect_as_far_as_it_says(row):
    came, *_ = ask(row[0], row[2], route="inspect")
    for name, kept in row[-1].items():
        assert getattr(came, name) in (kept, None, False)  # older versions of Inspect keep less


def said(came):
    """All that is on record about a stop or a failure."""
    return str(came) if isinstance(came, Exception) else f"{came.signal} {came.error and came.error.message}"


@cache
def outcomes(wire, route):
    """All rows of a wire format, asked at once."""
    rows = [row for row in ROWS if row.wire == wire and (route == "ours" or row.by_inspect != "retried")]
    return dict(zip(rows, ask_many(wire, [row.reply for row in rows], route=route), strict=True))


@pytest.fixture(autouse=True)
def keys(monkeypatch):
    for name in KEYS.values():
        monkeypatch.setenv(name, "canary-0123456789")


@pytest.mark.slow
@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.wire}: {row.form}")
def test_each_form_of_reply_is_what_it_is_through_our_adapter(row):
    came, n_requests = outcomes(row.wire, "ours")[row]
    assert outcome_word(came) == row.expected, said(came)
    assert row.says in said(came)
    if row.text is not None:
        assert came.text == row.text
    if row.expected == "blocked":
        assert came.signal
    assert n_requests == 1  # the SDKs ask once; who asks again is the run


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::UserWarning")  # the SDKs warn of what they do not know, and go on
@pytest.mark.parametrize(
    "row", [row for row in ROWS if row.by_inspect != "retried"], ids=lambda row: f"{row.wire}: {row.form}"
)
def test_each_form_of_reply_is_the_same_by_way_of_inspect(row):
    came, n_requests = outcomes(row.wire, "inspect")[row]
    assert outcome_word(came) == (row.by_inspect or row.expected), said(came)
    if row.expected == "blocked" and row.by_inspect is None:
        assert came.signal
    if row.text is not None and row.by_inspect is None:
        assert came.text == row.text
    assert n_requests


@pytest.mark.slow
@pytest.mark.parametrize("wire", KEYS)
@pytest.mark.parametrize("route", ["ours", "inspect"])
def test_no_answer_in_time_is_a_failure(wire, route):
    came, *_ = ask(wire, lambda body, headers: hang, timeout=0.5, route=route)
    assert outcome_word(came) == "failed"
    assert came.error.type == "TimeoutError"
