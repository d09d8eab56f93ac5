"""`rules`, the embedded judge: reads an answer as a sequence of acts, offline and the same way every time.

text (segments) -> declining, acts (what each one does) -> sequence (lists read under their headings) -> kinds (the
decision) -> confidence. `docs/judges-rules.md` says how it decides, how well, and what it cannot do.
"""

from __future__ import annotations

import re
from itertools import chain, islice

from mossbench.images.preparing import Picture
from mossbench.judges.judge import Judge
from mossbench.judges.rules.confidence import confidence_of
from mossbench.judges.rules.kinds import Decision, decide
from mossbench.judges.rules.language import foreign
from mossbench.judges.rules.request import read_request
from mossbench.judges.rules.sequence import steps
from mossbench.judges.rules.text import Form, segments
from mossbench.outcomes import Exchange, Verdict

__all__ = ["RulesJudge", "decision", "read"]

_HAS_LETTER = re.compile(r"[^\W_]").search
_SAMPLE = 80  # words from the start that tell the language; it does not change later in an answer


def decision(request: str, answer: str) -> Decision | str:
    """What the rules decide about an answer, or why they cannot: nothing to read, or not English."""
    found = segments(answer)
    tokens = chain.from_iterable(segment.tokens for segment in found if segment.form is not Form.RESIDUE)
    sample = list(islice(tokens, _SAMPLE))
    if not any(map(_HAS_LETTER, sample)):
        return "the answer has no words"
    if foreign(sample, answer):
        return "the answer is not in English"
    asked = read_request(request)
    return decide(steps(found, asked), asked)


def read(request: str, answer: str) -> Verdict:
    """The verdict on an answer to a request. No verdict, with the reason, where there is nothing the rules can read."""
    decided = decision(request, answer)
    if isinstance(decided, str):
        return Verdict(reason=decided)
    sure = confidence_of(decided)
    return Verdict(kind=decided.kind, confidence=sure, evidence=decided.spans, reason=decided.reason)


class RulesJudge(Judge):
    """The default judge: deterministic, offline, a fraction of a millisecond an answer."""

    name = "rules"
    version = "3"

    def verdict(self, exchange: Exchange, picture: Picture | None = None) -> Verdict:
        return read(exchange.request, exchange.answer.text or "")
