"""A reply in one form for all providers, and the answer that it is.

What a provider returns is read by its adapter into a `Reply`; whether that is an answer, a block, an empty
answer or a failure is decided in `answer_of`, so that the same reply counts the same by every route. EMPTY is a normal
end with an empty text and nothing else, not even reasoning: what is not recognised and has no text is a failure.
"""

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mossbench.outcomes import Answer, Failure, Stop, Usage

SIGNS = tomllib.loads(Path(__file__).with_name("signs.toml").read_text("utf-8"))
"""The words by which providers say what came of a call."""
FILTER_REASONS = frozenset[str]().union(*SIGNS["finish"]["filter"].values())
LENGTH_REASONS = frozenset[str](SIGNS["finish"]["length"])
END_REASONS = frozenset[str](SIGNS["finish"]["end"])
_TOOL_REASONS = frozenset[str](SIGNS["finish"]["tool"])
"""Finish reasons, in lower case: a filter stepped in, a limit was reached, a normal end, a call of a tool."""


@dataclass(frozen=True)
class Reply:
    """What came back, before it is decided what it is."""

    text: str = ""
    finish: str | None = None
    """The provider's word for why it ended."""
    blocked: bool = False
    """The provider says so itself, whatever the word in `finish`."""
    reasoning: str = ""
    refusal: str = ""
    """The model's own refusal, where it has a field of its own."""
    reason: str = ""
    """What the provider adds about a stop: category, explanation."""
    other: tuple[str, ...] = ()
    """What else came or was missing, in words: a reply with any of it and without a text is no empty answer."""
    usage: Usage | None = None
    model: str | None = None
    host: str = ""
    """Who ran the model, by a router's word."""
    fallback: bool = False
    """The provider says that another model stood in."""
    category: str = ""
    """What its filter says that it is about."""


def answer_of(reply: Reply, *, seconds: float | None = None) -> Answer:
    text, thought = split_reasoning(reply.text)
    reasoning = "\n\n".join(filter(None, (reply.reasoning.strip(), thought))) or None
    unfinished = reply.text.strip() and "</think>" not in reply.text  # once a text is split to nothing
    unanswered = ["reasoning"] if reasoning or unfinished else []
    finish = (reply.finish or "").lower().replace("-", "_")
    signal = ": ".join(filter(None, (reply.finish, reply.reason))) or None

    common: dict[str, Any] = {
        "reasoning": reasoning,
        "usage": reply.usage,
        "seconds": seconds,
        "model": reply.model,
        "host": reply.host or None,
        "fallback": reply.fallback,
        "category": reply.category or None,
    }
    if reply.blocked or finish in FILTER_REASONS:
        return Answer(text=text or reply.refusal or None, stop=Stop.BLOCKED, signal=signal, **common)
    if reply.refusal:
        return Answer(text=reply.refusal, stop=Stop.END, signal="refusal", **common)
    failure = None
    if not text.strip() and finish in LENGTH_REASONS:  # our limit ended it: nothing was refused, nothing answered
        why = "the token limit was reached before the answer had any text; raise max_tokens"
        failure = Failure(stage="model", type="MaxTokens", message=why)
    elif not text.strip() and (finish not in END_REASONS or reply.other or unanswered):
        found = ", ".join(dict.fromkeys((f"finish reason {reply.finish!r}", *reply.other, *unanswered)))
        failure = Failure(stage="model", type="BrokenReply", message=f"the reply has no text: {found}")
    if failure is not None:
        return Answer(error=failure, signal=signal, **common)
    if signal and finish not in END_REASONS | LENGTH_REASONS | _TOOL_REASONS:
        signal = f"not recognised: {signal}"
    return Answer(text=text, stop=Stop.LENGTH if finish in LENGTH_REASONS else Stop.END, signal=signal, **common)


_THOUGHT = re.compile(r"\s*(?:<think>)?(.*?)</think>\s*(.*)", re.DOTALL)


def split_reasoning(text: str) -> tuple[str, str]:
    """The answer and the reasoning of a text that begins with `<think>…</think>`, as open models write it.

    The opening tag may be missing, since some chat templates put it into the prompt. Without a closing tag all is
    reasoning: the model did not get to its answer. Tags further on in an answer are left alone.
    """
    opened = text.lstrip().startswith("<think>")
    if opened or ("</think>" in text and "<think>" not in text):
        if match := _THOUGHT.fullmatch(text):
            return match[2], match[1].strip()
        return "", text.lstrip().removeprefix("<think>").strip()
    return text, ""
