"""Answers of a log: the body of a provider's reply, read as a run reads it, or a last message.

A block is told by the provider's own flag, never by its wording. What the providers' adapters know is used, so that a
logged reply counts as the same reply in a run.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from mossbench.models import anthropic, google, openai
from mossbench.models.faults import Fault, fault_of
from mossbench.models.replies import FILTER_REASONS, LENGTH_REASONS, Reply, answer_of
from mossbench.outcomes import Answer, Stop
from mossbench.traces.formats.parts import Content, decoded, role_of
from mossbench.traces.formats.streams import joined_stream
from mossbench.traces.raw import RawTurn, Skipped, Unreadable

NO_ANSWER = "the log has no answer here"
CALLS_TOOL = "call of a tool, without an answer to the user"
_CAMEL = re.compile(r"_([a-z])")
_OUTPUT_ITEMS = ("message", "reasoning", "function_call", "web_search_call", "file_search_call", "output_text")
"""Types of items in the output of OpenAI's responses."""
_GOOGLE_KEYS = ("candidates", "promptFeedback", "prompt_feedback")


def answer_of_text(text: str | None, *, finish: str = "", error: str = "") -> Answer:
    """An answer of a log that has its text, a finish reason and an error in fields of their own."""
    if error:
        fault = fault_of(decoded(error), type="LoggedError", message=error, status=None)
        if fault.block:
            return _blocked_by(fault, text or None)
        return Answer.failed("record", error)
    word = finish.lower().replace("-", "_")
    if word in FILTER_REASONS:
        return Answer(text=text or None, stop=Stop.BLOCKED, signal=finish)
    if word == "error":
        return Answer.failed("record", "the log says that the call failed")
    if text is None:
        return Answer.failed("record", NO_ANSWER)
    stop = Stop.LENGTH if word in LENGTH_REASONS else Stop.END
    return Answer(text=text, stop=stop, signal=finish or None)


def answer_of_turn(turn: RawTurn, *, finish: str = "", error: str = "") -> Answer:
    """The answer that a message of the model is; a Skipped where it only calls a tool."""
    if turn.calls_tool and not turn.text.strip():
        raise Skipped(CALLS_TOOL)
    answer = answer_of_text(turn.text, finish=finish or turn.finish, error=error)
    is_plain = answer.error is None and answer.stop is Stop.END
    return answer.model_copy(update={"signal": "refusal"}) if turn.is_refusal and is_plain else answer


def answer_of_body(body: Any, *, status: int | None = None) -> Answer:
    """The answer in the body of a provider's reply; a Skipped where it calls a tool instead of answering."""
    body = joined_stream(decoded(body))
    if isinstance(body, str):
        if status is not None and status >= 400:
            return answer_of_text(None, error=body or f"HTTP {status}")
        return answer_of_text(body)
    if isinstance(body, Sequence):
        body = _body_of_list(body)
    if not isinstance(body, dict) or not body:
        return Answer.failed("record", NO_ANSWER)
    if status is not None and status >= 400:
        return _answer_of_fault(fault_of(body, type=f"HTTP {status}", message=f"HTTP {status}", status=status))
    if _calls_tool_only(body):
        raise Skipped(CALLS_TOOL)
    reply = _read(body)
    if isinstance(reply, Fault):
        return _answer_of_fault(reply)
    return answer_of(reply)


def _body_of_list(bodies: Sequence[Any]) -> Any:
    """The reply in a list: the output of OpenAI's responses, the last message of the model, or the only element."""
    objects = [body for body in bodies if isinstance(body, Mapping)]
    if any(body.get("type") in _OUTPUT_ITEMS and "stop_reason" not in body for body in objects):
        return {"output": objects}
    answers = [body for body in objects if role_of(str(body.get("role", ""))) == "assistant"]
    if answers:
        return dict(answers[-1])
    return bodies[0] if len(bodies) == 1 else None


def _read(body: dict[str, Any]) -> Reply | Fault:
    if "choices" in body:
        return openai.read_reply(_with_messages(body))
    if any(name in body for name in _GOOGLE_KEYS):
        return google.read_reply(_in_camel_case(body))
    if isinstance(body.get("output"), list):
        return _read_responses(body)
    if isinstance(body.get("content"), list) and ("stop_reason" in body or body.get("type") == "message"):
        return anthropic.read_reply(body)
    if body.get("error"):
        return fault_of(body, type="ErrorInReply", message="the log says that the call failed", status=None)
    return _read_message(body)


def _with_messages(body: dict[str, Any]) -> dict[str, Any]:
    """The body with a message where a text completion has only a text."""
    choices = body["choices"]
    first = choices[0] if isinstance(choices, list) and choices else None
    if not isinstance(first, Mapping) or first.get("message") is not None or not isinstance(first.get("text"), str):
        return body
    return {**body, "choices": [{**first, "message": {"role": "assistant", "content": first["text"]}}]}


def _read_message(body: dict[str, Any]) -> Reply:
    """A message alone, as some logs keep the answer: `{"role": "assistant", "content": …}`."""
    if not {"content", "text", "parts", "refusal"} & body.keys():
        raise Unreadable(f"the answer has none of the known fields; it has {', '.join(map(repr, list(body)[:8]))}")
    content = Content()
    content.add(body.get("content", body.get("parts", body.get("text"))))
    refusal = body.get("refusal")
    finish = body.get("finish_reason", body.get("stop_reason"))
    return Reply(
        text=content.text,
        finish=finish if isinstance(finish, str) else "stop",
        refusal=refusal if isinstance(refusal, str) and not content.text else "",
    )


def _read_responses(body: dict[str, Any]) -> Reply | Fault:
    """A reply of OpenAI's Responses API."""
    if body.get("error"):
        return fault_of(body, type="ErrorInReply", message="the log says that the call failed", status=None)
    texts: list[str] = []
    refusals: list[str] = []
    for item in body["output"]:
        if isinstance(item, Mapping) and item.get("type", "message") == "message":
            _add_output(item.get("content"), texts, refusals)
    details = body.get("incomplete_details")
    reason = details.get("reason") if isinstance(details, Mapping) else None
    finish = {"max_output_tokens": "length"}.get(str(reason), reason) or "stop"
    model = body.get("model")
    return Reply(
        text="".join(texts),
        finish=str(finish),
        refusal="".join(refusals) if not texts else "",
        model=model if isinstance(model, str) else None,
    )


def _add_output(content: Any, texts: list[str], refusals: list[str]) -> None:
    for part in content if isinstance(content, list) else ():
        if not isinstance(part, Mapping):
            continue
        if isinstance(part.get("refusal"), str):
            refusals.append(part["refusal"])
        elif isinstance(part.get("text"), str):
            texts.append(part["text"])


def _calls_tool_only(body: Mapping[str, Any]) -> bool:
    """Whether a reply calls a tool and has no text for the user."""
    content = Content()
    calls_tool = False
    choices = body.get("choices")
    if isinstance(choices, list) and choices and isinstance(choices[0], Mapping):
        message = choices[0].get("message")
        if isinstance(message, Mapping):
            calls_tool = bool(message.get("tool_calls") or message.get("function_call"))
            content.add(message.get("content"))
    elif isinstance(body.get("candidates"), list) and body["candidates"]:
        first = body["candidates"][0]
        candidate = first.get("content") if isinstance(first, Mapping) else None
        content.add(candidate.get("parts") if isinstance(candidate, Mapping) else None)
    elif isinstance(body.get("output"), list):
        for item in body["output"]:
            if isinstance(item, Mapping):
                calls_tool = calls_tool or str(item.get("type", "")).endswith("_call")
                content.add(item.get("content"))
    else:
        calls_tool = bool(body.get("tool_calls"))
        content.add(body.get("content"))
    return (calls_tool or content.calls_tool) and not content.text.strip()


def _answer_of_fault(fault: Fault) -> Answer:
    if fault.block:
        return _blocked_by(fault, None)
    return Answer.failed("record", f"{fault.type}: {fault.message}")


def _blocked_by(fault: Fault, text: str | None) -> Answer:
    return Answer(text=text, stop=Stop.BLOCKED, signal=fault.block, category=fault.category or None)


def _in_camel_case(value: Any, depth: int = 0) -> Any:
    """Google's fields as its API spells them; its Python library writes `finish_reason`."""
    if depth > 20:
        return value
    if isinstance(value, dict):
        return {
            _CAMEL.sub(lambda match: match[1].upper(), name): _in_camel_case(field, depth + 1)
            for name, field in value.items()
        }
    if isinstance(value, list):
        return [_in_camel_case(element, depth + 1) for element in value]
    return value
