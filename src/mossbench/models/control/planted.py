"""Planted control models: what they see and read, what they make of it, and with what probability.

A control is shown what any model is shown: the request, the system prompt, the picture's bytes. It first asks whether
this is harmful (then it refuses with probability `safety`), else whether one of its causes applies (then with that
cause's rate). Every decision is drawn by a hash of the seeds and of what the decision looks at, and of nothing else:
the same ask gives the same answer, the next epoch draws anew, and a cause that lies in the picture does not change with
the words.
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
from mossbench.models.control.triggers import GATES, Sight
from mossbench.models.model import Model, Prompt
from mossbench.outcomes import Answer, Exchange, Kind, Layer, Outcome, Stop
from mossbench.samples import Side, Stimulus

if TYPE_CHECKING:
    from mossbench.models.control.sight import Seen

REFUSALS = {Kind.REFUSED: 0.8, Kind.DEFLECTED: 0.15, Kind.INCAPABLE: 0.05}
"""Shares of what a refusal is."""
ANSWERS = {Kind.ANSWERED: 0.8, Kind.WARNED: 0.1, Kind.CLARIFIED: 0.05, Kind.PARTIAL: 0.05}
"""Shares of what an answer is that is no refusal."""
STIMULUS_OF = {
    "jumpy": Stimulus.EXAGGERATED_RISK,
    "filtering": Stimulus.NEGATED_HARM,
    "literal": Stimulus.COUNTERINTUITIVE,
    "prudish": Stimulus.COUNTERINTUITIVE,
}
"""The harmless samples of the sketches that each cause is about."""


def hashed(*parts: str) -> int:
    """A number of 64 bits that follows from the parts alone."""
    whole = "\x00".join(parts).encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.blake2b(whole, digest_size=8).digest(), "big")


def not_sketches(n: int) -> tuple[str, ...]:
    """What to say of a run with so many questions about pictures that are no sketches."""
    many = (
        f"{n} requests come with images that are not from the dataset sketches"
        if n > 1
        else "one request comes with an image that is not from the dataset sketches"
    )
    says = "control models recognise no other images and say so, which counts as refused"
    way_out = f"to rehearse on data of your own, plant a rate by the id or by a column: --model '{EXAMPLE}'"
    return (f"{many}: {says}; {way_out}",) if n else ()


@dataclass(frozen=True)
class Planted:
    outcome: Outcome
    """As a judge that makes no errors would count it."""
    triggered: tuple[str, ...] = ()
    """What could have made it refuse: `safety` for a harmful one, or causes."""
    cause: str | None = None
    """What did."""

    @property
    def kind(self) -> Kind | None:
        return self.outcome.kind


@dataclass(frozen=True)
class _Asked:
    """A prompt as a control has taken it in."""

    prompt: Prompt
    request: Request
    seen: Seen | None
    """None without a picture."""

    @property
    def blind(self) -> bool:
        """Whether it cannot make out the picture, or is to describe one that is not there."""
        return self.request.describe if self.seen is None else not self.seen.sketch


class Control(Model):
    """A model with planted behaviour. `decide` is the truth about it, for tests; its answers do not say it."""

    version = "3"
    """Moves when an answer to anything can."""

    def __init__(self, spec: Spec) -> None:
        self.spec = spec
        self.name = f"control/{spec.canonical}"
        self._n_blind = 0
        self._rates = spec.rates
        if "filtering" in self._rates:
            self.version = "4"  # its descriptions name no negation that it overlooks
        self._meant: dict[tuple[str, str | None, str, int], Planted] = {}

    async def answer(self, prompt: Prompt) -> Answer:
        from mossbench.models.control.sight import seen_in  # numpy and weights, which --help does not need

        asked = _Asked(prompt, read(prompt.request), await seen_in(prompt.picture))
        decided = self._decide(asked)
        self._n_blind += asked.blind and asked.seen is not None
        sha256 = prompt.picture.sha256 if prompt.picture else ""
        self._meant[prompt.request, prompt.system, sha256, prompt.settings.seed] = decided
        if decided.outcome.layer is Layer.FAILED:
            return Answer.failed("model", "planted failure: the connection was lost", seconds=0.0)
        if decided.outcome.layer is Layer.BLOCKED:
            return Answer(stop=Stop.BLOCKED, signal="planted filter", seconds=0.0)
        return Answer(text=self._text(asked, decided), stop=Stop.END, seconds=0.0)

    def decide(self, prompt: Prompt) -> Planted:
        from mossbench.models.control.sight import look

        seen = look(prompt.picture.data) if prompt.picture else None
        return self._decide(_Asked(prompt, read(prompt.request), seen))

    def meant(self, exchange: Exchange, seed: int) -> Planted | None:
        """What it meant by an answer that it gave; None when it was not this one that gave it."""
        sha256 = exchange.picture.sha256 if exchange.picture else ""
        return self._meant.get((exchange.request, exchange.system, sha256, seed))

    def planted_rate(self, side: Side, stimulus: Stimulus) -> float:
        """The share of these sketches that it is to refuse, under the rule `system` and without a system prompt.

        NaN where that depends on what else the images and requests have, as behind a gate.
        """
        values = self.spec.values
        if self.spec.name in _ALWAYS:
            return float(self.spec.name == "stonewall")
        if side is Side.BENIGN and any(cause in GATES for cause in self._rates):
            return math.nan
        rates = [rate for cause, rate in self._rates.items() if STIMULUS_OF.get(cause) is stimulus]
        own = values["safety"] if side is Side.CONTRAST else 1 - math.prod(1 - rate for rate in rates)
        fail = values.get("fail", 0.0)
        silent = values.get("block", 0.0) + values.get("empty", 0.0)
        return (silent + (1 - fail - silent) * own) / (1 - fail) if fail < 1 else math.nan

    def remarks(self) -> tuple[str, ...]:
        return not_sketches(self._n_blind)

    def _decide(self, asked: _Asked) -> Planted:
        if self.spec.name == "faulty" and (broken := self._breaks(asked)) is not None:
            return Planted(Outcome(broken))
        if asked.blind:
            return Planted(Outcome(Layer.JUDGED, Kind.INCAPABLE))
        if self.spec.name in _ALWAYS:
            return Planted(Outcome(Layer.JUDGED, _ALWAYS[self.spec.name]))
        applying = ("safety",) if _is_harmful(asked) else tuple(c for c in self._rates if self._applies(c, asked))
        if asked.request.describe:
            applying = tuple(c for c in applying if c in GATES and GATES[c].captions)
        cause = next((c for c in applying if self._fires(c, asked) and not self._mended(c, asked)), None)
        if asked.request.describe and not cause:
            return Planted(Outcome(Layer.JUDGED, Kind.ANSWERED))
        if self.spec.name == "reluctant" and self._draw("reluctant", asked) < self.spec.values["rate"] and not cause:
            return Planted(Outcome(Layer.JUDGED, Kind.WARNED), ("reluctant",))
        kind = kind_by_share(REFUSALS if cause else ANSWERS, self._draw("kind", asked))
        return Planted(Outcome(Layer.JUDGED, kind), applying, cause)

    def _breaks(self, asked: _Asked) -> Layer | None:
        """The layer of what a faulty model lets go wrong."""
        drawn = self._draw("fault", asked)
        for name, layer in (("fail", Layer.FAILED), ("block", Layer.BLOCKED), ("empty", Layer.EMPTY)):
            drawn -= self.spec.values[name]
            if drawn < 0:
                return layer
        return None

    def _applies(self, cause: str, asked: _Asked) -> bool:
        if cause not in GATES:
            return _applies(cause, asked)
        prompt = asked.prompt
        longest = self.spec.values.get("longest", 0)
        data = prompt.picture.data if prompt.picture else None
        return GATES[cause].applies(Sight(prompt.request, data, asked.seen, longest))

    def _fires(self, cause: str, asked: _Asked) -> bool:
        """Whether a cause that applies makes it refuse: its planted rate, moved by a system prompt that is heeded."""
        rate = self.spec.values["safety"] if cause == "safety" else self._rates[cause]
        shift = self.spec.values["heed"] * stance(asked.prompt.system or "")
        gate = GATES.get(cause)
        words, picture = (gate.words, gate.picture) if gate else (cause not in _BY_EYE, cause != "prudish")
        drawn = self._draw(cause, asked, words=words, picture=picture)
        return drawn < _shifted(rate, shift)

    def _mended(self, cause: str, asked: _Asked) -> bool:
        """Whether the request itself clears up what the model had got wrong, with probability `told`."""
        request = asked.request
        things = asked.seen.things if asked.seen else ()
        told = {
            "jumpy": any(request.tells_of(thing.name) for thing in things),
            "filtering": request.tells_against(),
            "literal": request.intent,
        }.get(cause, False)
        return told and self._draw("told", asked) < self.spec.values["told"]

    def _text(self, asked: _Asked, decided: Planted) -> str:
        if decided.kind is None:
            return ""
        rng = random.Random(self._hash("wording", asked, words=True, picture=True))
        if asked.blind:
            return write_blind(rng)
        things = names_of(asked.seen) if asked.seen else None
        if asked.request.describe and decided.kind is Kind.ANSWERED:
            return self._caption(asked, rng, things or ())
        if decided.triggered == ("reluctant",):
            return write_reluctant(rng, things, asked.prompt.request)
        return write(decided.kind, rng, things, asked.prompt.request)

    def _caption(self, asked: _Asked, rng: random.Random, things: tuple[str, ...]) -> str:
        """What it sees. A picture that it would refuse over is misread here too: the draw is the same."""
        mistaken = [c for c in self._rates if c in _BY_EYE and _applies(c, asked) and self._fires(c, asked)]
        negated = asked.seen is not None and asked.seen.negation and "filtering" not in mistaken
        negated = negated and "twofaced" not in self._rates
        if asked.seen is not None and asked.seen.negation and not negated:
            things = tuple(map(unopposed, things))
        return write_caption(rng, things, negated=negated, danger="jumpy" in mistaken)

    def _draw(self, word: str, asked: _Asked, *, words: bool = True, picture: bool = True) -> float:
        """A number from 0 to 1 that follows from the seeds, the word and what is looked at."""
        return self._hash(word, asked, words=words, picture=picture) / 2**64

    def _hash(self, word: str, asked: _Asked, *, words: bool, picture: bool) -> int:
        prompt = asked.prompt
        looked_at = prompt.request if words else "", prompt.picture.sha256 if picture and prompt.picture else ""
        return hashed(f"{self.spec.values['seed']:.0f}", str(prompt.settings.seed), word, *looked_at)


_ALWAYS = {"candid": Kind.ANSWERED, "stonewall": Kind.REFUSED}
_BY_EYE = ("jumpy", "filtering")
"""Causes that lie in the picture alone; `prudish` lies in the words alone, the others in both."""


def _is_harmful(asked: _Asked) -> bool:
    """A harmful request, or one that favours what the picture shows as harm, without its negation."""
    seen = asked.seen
    favoured = asked.request.favours and seen is not None and seen.harm and not seen.negation
    return asked.request.harmful or favoured


def _applies(cause: str, asked: _Asked) -> bool:
    seen = asked.seen
    request = asked.request
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
    """What can be said to be in the picture, the thing that matters first."""
    if not seen.evidence:
        return ("blank picture",)
    found = [thing.name for thing in seen.things]
    found += ["people"] if seen.person and not seen.referent else []  # who or what is meant is often a person
    return (*found, "animal") if seen.animal else tuple(found)
