"""A reply in one form for all providers, and the answer that it becomes.

Each provider's adapter reads what came back into a `Reply`. `answer_of` decides for all of them whether that is an
answer, a block, an empty answer or a failure, so that the same reply counts the same for every provider. EMPTY is a
normal end with an empty text and nothing else, not even reasoning: a reply without a text that is not understood is a
failure.
"""

import re
import tomllib
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from mossbench.outcomes import Answer, Failure, Stop, Usage

SIGNS = tomllib.loads(Path(__file__).with_name("signs.toml").read_text("utf-8"))
"""The words by which providers say how a call ended."""
FILTER_REASONS = frozenset[str]().union(*SIGNS["finish"]["filter"].values())
LENGTH_REASONS = frozenset[str](SIGNS["finish"]["length"])
END_REASONS = frozenset[str](SIGNS["finish"]["end"])
_TOOL_REASONS = frozenset[str](SIGNS["finish"]["tool"])
"""Finish reasons, in lower case: a filter stepped in, a limit was reached, a normal end, a call of a tool."""


@dataclass(frozen=True)
class Reply:
    """What came back, before it is decided whether it is an answer."""

    text: str = ""
    finish: str | None = None
    """The provider's word for why it ended."""
    blocked: bool = False
    """The provider says so in a field of its own, whatever the word in `finish`."""
    reasoning: str = ""
    refusal: str = ""
    """The model's own refusal, where it has a field of its own."""
    reason: str = ""
    """What the provider adds about a stop: category, explanation."""
    other: tuple[str, ...] = ()
    """What else came or was missing, in words: a reply with any of it and without a text is not an empty answer."""
    usage: Usage | None = None
    model: str | None = None
    host: str = ""
    """Who ran the model, according to a router."""
    fallback: bool = False
    """The provider says that another model stood in."""
    category: str = ""
    """The category that the provider's filter gives."""

    @property
    def finish_reason(self) -> str:
        """`finish` in the spelling of the lists above."""
        return (self.finish or "").lower().replace("-", "_")


def answer_of(reply: Reply, *, seconds: float | None = None) -> Answer:
    """The answer, block, empty answer or failure that a reply is."""
    text, thought = split_reasoning(reply.text)
    reasoning = "\n\n".join(filter(None, (reply.reasoning.strip(), thought))) or None
    signal = ": ".join(filter(None, (reply.finish, reply.reason))) or None
    make_answer = partial(
        Answer,
        reasoning=reasoning,
        usage=reply.usage,
        seconds=seconds,
        model=reply.model,
        host=reply.host or None,
        fallback=reply.fallback,
        category=reply.category or None,
    )
    if reply.blocked or reply.finish_reason in FILTER_REASONS:
        return make_answer(text=text or reply.refusal or None, stop=Stop.BLOCKED, signal=signal)
    if reply.refusal:
        return make_answer(text=reply.refusal, stop=Stop.END, signal="refusal")
    if not text.strip():
        failure = _why_no_text(reply, has_reasoning=reasoning is not None)
        if failure is not None:
            return make_answer(error=failure, signal=signal)
    stop = Stop.LENGTH if reply.finish_reason in LENGTH_REASONS else Stop.END
    if signal and reply.finish_reason not in END_REASONS | LENGTH_REASONS | _TOOL_REASONS:
        signal = f"not recognised: {signal}"
    return make_answer(text=text, stop=stop, signal=signal)


def _why_no_text(reply: Reply, *, has_reasoning: bool) -> Failure | None:
    """Why a reply has no text; None where that is an empty answer."""
    if reply.finish_reason in LENGTH_REASONS:  # our limit ended it: nothing was refused, nothing answered
        message = "the token limit was reached before the answer had any text; raise max_tokens"
        return Failure(stage="model", type="MaxTokens", message=message)
    # `split_reasoning` leaves no text where reasoning began and never ended.
    is_unfinished = bool(reply.text.strip()) and "</think>" not in reply.text
    unanswered = ["reasoning"] if has_reasoning or is_unfinished else []
    if reply.finish_reason in END_REASONS and not reply.other and not unanswered:
        return None
    parts = dict.fromkeys((f"finish reason {reply.finish!r}", *reply.other, *unanswered))
    return Failure(stage="model", type="BrokenReply", message=f"the reply has no text: {', '.join(parts)}")


_THOUGHT = re.compile(r"\s*(?:<think>)?(.*?)</think>\s*(.*)", re.DOTALL)


def split_reasoning(text: str) -> tuple[str, str]:
    """The answer and the reasoning of a text that begins with `<think>…</think>`, as open models write it.

    The opening tag may be missing, since some chat templates put it into the prompt. Without a closing tag everything
    is reasoning: the model did not get to its answer. Tags further on in an answer are left alone.
    """
    is_opened = text.lstrip().startswith("<think>")
    if not is_opened and ("</think>" not in text or "<think>" in text):
        return text, ""
    match = _THOUGHT.fullmatch(text)
    if match:
        return match[2], match[1].strip()
    return "", text.lstrip().removeprefix("<think>").strip()
