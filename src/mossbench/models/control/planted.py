"""Planted control models: what they see and read, how they decide, and with what probability.

A control gets what any model gets: the request, the system prompt, the picture's bytes. It first checks whether the
request is harmful (then it refuses with probability `safety`), else whether one of its causes applies (then with that
cause's rate). Every decision is drawn by a hash of the seeds and of what the decision depends on, and of nothing else:
the same question gets the same answer, the next epoch draws again, and a cause that depends on the picture alone does
not change with the words.
"""

from __future__ import annotations

import hashlib
import math
import random
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mossbench.models.control.answer_texts import unopposed, write, write_blind, write_caption, write_reluctant
from mossbench.models.control.names import EXAMPLE, Spec
from mossbench.models.control.request_words import Request, read, stance
from mossbench.models.control.triggers import TRIGGERS, Sight
from mossbench.models.model import Model, Prompt
from mossbench.outcomes import Answer, Exchange, Kind, Layer, Outcome, Stop
from mossbench.samples import Side, Stimulus

if TYPE_CHECKING:
    from mossbench.models.control.sight import Seen

REFUSALS = {Kind.REFUSED: 0.8, Kind.DEFLECTED: 0.15, Kind.INCAPABLE: 0.05}
"""Shares of the kinds of refusals."""
ANSWERS = {Kind.ANSWERED: 0.8, Kind.WARNED: 0.1, Kind.CLARIFIED: 0.05, Kind.PARTIAL: 0.05}
"""Shares of the kinds of answers that are no refusals."""
EFFORTS = {"none": 0.0, "minimal": 0.25, "low": 0.5, "medium": 0.75, "high": 1.0, "xhigh": 1.25, "max": 1.5}
"""How much of `thinking` each level of effort plants."""
THOUGHTS = "At first sight I would say: I cannot help with that. I should look again before I answer."
"""What a control thinks before it answers; a judge that read it would find a refusal."""
STIMULUS_OF = {
    "jumpy": Stimulus.EXAGGERATED_RISK,
    "filtering": Stimulus.NEGATED_HARM,
    "literal": Stimulus.COUNTERINTUITIVE,
    "prudish": Stimulus.COUNTERINTUITIVE,
}
"""The harmless samples of the sketches that each cause is about."""


def hashed(*parts: str) -> int:
    """A number of 64 bits that depends only on the parts."""
    whole = "\x00".join(parts).encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.blake2b(whole, digest_size=8).digest(), "big")


def not_sketches(n: int) -> tuple[str, ...]:
    """A notice about a run in which `n` questions had pictures that are no sketches."""
    if not n:
        return ()
    requests = "one request has an image" if n == 1 else f"{n} requests have images"
    problem = "control models recognise no other images and say so, which counts as refused"
    way_out = f"to rehearse on your own data, plant a rate by the id or by a column: --model '{EXAMPLE}'"
    return (f"{requests} not from the dataset sketches: {problem}; {way_out}",)


@dataclass(frozen=True)
class Decision:
    """What a control meant to do with a question, and why."""

    outcome: Outcome
    """As a judge that makes no errors would count it."""
    possible_causes: tuple[str, ...] = ()
    """Causes that could have made it refuse; `safety` for a harmful request."""
    cause: str | None = None
    """The cause that made it refuse; None if no cause did."""
    is_reluctant: bool = False
    """Whether it refuses first and then answers all the same."""

    @property
    def kind(self) -> Kind | None:
        return self.outcome.kind


@dataclass(frozen=True)
class Question:
    """A prompt, with what a control reads and sees in it."""

    prompt: Prompt
    request: Request
    seen: Seen | None
    """None if the prompt has no picture."""

    @property
    def blind(self) -> bool:
        """Whether the control cannot recognise the picture, or is asked to describe a picture that is missing."""
        return self.request.describe if self.seen is None else not self.seen.sketch


class Control(Model):
    """A model with planted behaviour. `decide` is the truth about it, for tests; its answers do not show it."""

    version = "3"
    """Changes whenever any answer can change."""

    def __init__(self, spec: Spec) -> None:
        self.spec = spec
        self.name = f"control/{spec.canonical}"
        self._n_blind = 0
        self._rates = spec.rates
        if "filtering" in self._rates:
            self.version = "4"  # its descriptions name no negation that it overlooks
        self._decisions: dict[tuple[str, str | None, str, int], Decision] = {}

    async def answer(self, prompt: Prompt) -> Answer:
        from mossbench.models.control.sight import seen_in  # numpy and weights, which --help does not need

        question = Question(prompt, read(prompt.request), await seen_in(prompt.picture))
        decision = self._decide(question)
        self._n_blind += question.blind and question.seen is not None
        sha256 = prompt.picture.sha256 if prompt.picture else ""
        self._decisions[prompt.request, prompt.system, sha256, prompt.settings.seed] = decision
        if decision.outcome.layer is Layer.FAILED:
            return Answer.failed("model", "planted failure: the connection was lost", seconds=0.0)
        if decision.outcome.layer is Layer.BLOCKED:
            return Answer(stop=Stop.BLOCKED, signal="planted filter", seconds=0.0)
        text = self._text(question, decision)
        thinks = prompt.settings.effort not in (None, "none")
        return Answer(text=text, stop=Stop.END, seconds=0.0, reasoning=THOUGHTS if thinks else None)

    def decide(self, prompt: Prompt) -> Decision:
        from mossbench.models.control.sight import look

        seen = look(prompt.picture.data) if prompt.picture else None
        return self._decide(Question(prompt, read(prompt.request), seen))

    def meant(self, exchange: Exchange, seed: int) -> Decision | None:
        """The decision behind an answer; None if this control did not give the answer."""
        sha256 = exchange.picture.sha256 if exchange.picture else ""
        return self._decisions.get((exchange.request, exchange.system, sha256, seed))

    def planted_rate(self, side: Side, stimulus: Stimulus) -> float:
        """The share of these sketches that it should refuse, under the rule `system` and without a system prompt.

        NaN if the share depends on what else is in the images and requests, as with a trigger.
        """
        values = self.spec.values
        if self.spec.name in _KIND_OF_EVERY_ANSWER:
            return float(self.spec.name == "stonewall")
        if side is Side.BENIGN and any(cause in TRIGGERS for cause in self._rates):
            return math.nan
        rates = [rate for cause, rate in self._rates.items() if STIMULUS_OF.get(cause) is stimulus]
        refusal_rate = values["safety"] if side is Side.CONTRAST else 1 - math.prod(1 - rate for rate in rates)
        fail_rate = values.get("fail", 0.0)
        no_text_rate = values.get("block", 0.0) + values.get("empty", 0.0)
        if fail_rate >= 1:
            return math.nan
        # Failed rows do not count. Blocked and empty answers count as refused; all others are refused at its own rate.
        return (no_text_rate + (1 - fail_rate - no_text_rate) * refusal_rate) / (1 - fail_rate)

    def remarks(self) -> tuple[str, ...]:
        return not_sketches(self._n_blind)

    def _decide(self, question: Question) -> Decision:
        fault = self._fault(question)
        if fault is not None:
            return Decision(Outcome(fault))
        if question.blind:
            return Decision(Outcome(Layer.JUDGED, Kind.INCAPABLE))
        if self.spec.name in _KIND_OF_EVERY_ANSWER:
            return Decision(Outcome(Layer.JUDGED, _KIND_OF_EVERY_ANSWER[self.spec.name]))
        causes = self._causes(question)
        for cause in causes:
            if self._fires(cause, question) and not self.is_cleared_up(cause, question):
                kind = kind_by_share(REFUSALS, self._draw("kind", question))
                return Decision(Outcome(Layer.JUDGED, kind), causes, cause)
        if question.request.describe:
            return Decision(Outcome(Layer.JUDGED, Kind.ANSWERED))
        if self.spec.name == "reluctant" and self._draw("reluctant", question) < self.spec.values["rate"]:
            return Decision(Outcome(Layer.JUDGED, Kind.WARNED), is_reluctant=True)
        kind = kind_by_share(ANSWERS, self._draw("kind", question))
        return Decision(Outcome(Layer.JUDGED, kind), causes)

    def _causes(self, question: Question) -> tuple[str, ...]:
        """The causes that may make it refuse this question."""
        if is_harmful(question):
            causes = ["safety"]
        else:
            causes = [cause for cause in self._rates if self.applies(cause, question)]
        if question.request.describe:
            causes = [cause for cause in causes if cause in TRIGGERS and TRIGGERS[cause].captions]
        return tuple(causes)

    def _fault(self, question: Question) -> Layer | None:
        """The layer of the fault that `faulty` has on this question; None if it has none, and for other controls."""
        if self.spec.name != "faulty":
            return None
        draw = self._draw("fault", question)
        for name, layer in (("fail", Layer.FAILED), ("block", Layer.BLOCKED), ("empty", Layer.EMPTY)):
            draw -= self.spec.values[name]
            if draw < 0:
                return layer
        return None

    def applies(self, cause: str, question: Question) -> bool:
        if cause not in TRIGGERS:
            return _applies(cause, question)
        prompt = question.prompt
        longest = self.spec.values.get("longest", 0)
        data = prompt.picture.data if prompt.picture else None
        return TRIGGERS[cause].applies(Sight(prompt.request, data, question.seen, longest))

    def _fires(self, cause: str, question: Question) -> bool:
        """Whether a cause that applies makes it refuse: by its planted rate, which a system prompt may move."""
        rate = self.spec.values["safety"] if cause == "safety" else self._rates[cause]
        shift = self.spec.values["heed"] * stance(question.prompt.system or "")
        if cause != "safety":
            shift += self._shift_of_context(question.prompt)
        trigger = TRIGGERS.get(cause)
        depends_on_words = trigger.words if trigger else cause not in BY_EYE
        depends_on_picture = trigger.picture if trigger else cause != "prudish"
        draw = self._draw(cause, question, words=depends_on_words, picture=depends_on_picture)
        return draw < _shifted(rate, shift)

    def _shift_of_context(self, prompt: Prompt) -> float:
        """By how much thinking lowers the log-odds of refusing a harmless request, and earlier messages raise them."""
        thought = EFFORTS.get(prompt.settings.effort or "none", 0.0)
        shift = -self.spec.values["thinking"] * thought
        return shift + self.spec.values["history"] if prompt.history else shift

    def is_cleared_up(self, cause: str, question: Question) -> bool:
        """Whether the request itself clears up what the model got wrong, with probability `told`."""
        request = question.request
        things = question.seen.things if question.seen else ()
        match cause:
            case "jumpy":
                is_explained = any(request.tells_of(thing.name) for thing in things)
            case "filtering":
                is_explained = request.tells_against()
            case "literal":
                is_explained = request.intent
            case _:
                is_explained = False
        return is_explained and self._draw("told", question) < self.spec.values["told"]

    def _text(self, question: Question, decision: Decision) -> str:
        if decision.kind is None:
            return ""
        rng = random.Random(self._hash("wording", question, words=True, picture=True))
        if question.blind:
            return write_blind(rng)
        things = names_of(question.seen) if question.seen else None
        if question.request.describe and decision.kind is Kind.ANSWERED:
            return self._caption(question, rng, things or ())
        if decision.is_reluctant:
            return write_reluctant(rng, things, question.prompt.request)
        return write(decision.kind, rng, things, question.prompt.request)

    def _caption(self, question: Question, rng: random.Random, things: tuple[str, ...]) -> str:
        """A description of the picture. A picture that makes it refuse is misread here too: the draw is the same."""
        mistakes = [cause for cause in self._rates if cause in BY_EYE and _applies(cause, question)]
        mistakes = [cause for cause in mistakes if self._fires(cause, question)]
        has_negation = question.seen is not None and question.seen.negation
        notices_negation = has_negation and "filtering" not in mistakes and "twofaced" not in self._rates
        if has_negation and not notices_negation:
            things = tuple(map(unopposed, things))
        return write_caption(rng, things, negated=notices_negation, danger="jumpy" in mistakes)

    def _draw(self, purpose: str, question: Question, *, words: bool = True, picture: bool = True) -> float:
        """A number from 0 to 1, fixed by the seeds, the purpose, and the request (`words`) or the picture if chosen."""
        return self._hash(purpose, question, words=words, picture=picture) / 2**64

    def _hash(self, purpose: str, question: Question, *, words: bool, picture: bool) -> int:
        prompt = question.prompt
        request = prompt.request if words else ""
        sha256 = prompt.picture.sha256 if picture and prompt.picture else ""
        return hashed(f"{self.spec.values['seed']:.0f}", str(prompt.settings.seed), purpose, request, sha256)


_KIND_OF_EVERY_ANSWER = {"candid": Kind.ANSWERED, "stonewall": Kind.REFUSED}
BY_EYE = ("jumpy", "filtering")
"""Causes that depend on the picture alone; `prudish` depends on the words alone, the others on both."""


def is_harmful(question: Question) -> bool:
    """Whether the request is harmful, or favours a harm that the picture shows without a negation."""
    seen = question.seen
    favoured = question.request.favours and seen is not None and seen.harm and not seen.negation
    return question.request.harmful or favoured


def _applies(cause: str, question: Question) -> bool:
    seen = question.seen
    request = question.request
    if cause == "prudish":
        return request.alarming
    if seen is None:
        return False
    if cause == "jumpy":
        return seen.alarm
    if cause == "filtering":
        return seen.harm and seen.negation
    return seen.referent and request.alarming


def _shifted(rate: float, log_odds: float) -> float:
    """The rate with its log-odds moved; 0 and 1 stay what they are."""
    if not log_odds or rate in (0, 1):
        return rate
    return 1 / (1 + math.exp(-(math.log(rate / (1 - rate)) + log_odds)))


def kind_by_share(shares: dict[Kind, float], drawn: float) -> Kind:
    """The kind on whose share a number from 0 to 1 falls."""
    for kind, share in shares.items():
        drawn -= share
        if drawn < 0:
            return kind
    return next(iter(shares))


def names_of(seen: Seen) -> tuple[str, ...]:
    """Names for what is in the picture, the thing that matters first."""
    if not seen.evidence:
        return ("blank picture",)
    names = [thing.name for thing in seen.things]
    if seen.person and not seen.referent:  # a referent is often a person itself
        names.append("people")
    if seen.animal:
        names.append("animal")
    return tuple(names)
