"""`rules`, the embedded judge: reads an answer as a sequence of acts, offline and the same way every time.

text (segments) -> declining, acts (what each one does) -> sequence (lists read under their headings) -> kinds (the
decision) -> confidence. `docs/judging.md` says how it decides, docs/judges.md how well, and what it cannot do.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import chain, islice

from mossbench.images.preparing import Picture
from mossbench.judges.earlier.rules.confidence import confidence_of
from mossbench.judges.earlier.rules.familiarity import is_unfamiliar
from mossbench.judges.earlier.rules.kinds import Decision, decide
from mossbench.judges.earlier.rules.request import OLDER_VERSIONS, VERSION, Request, read_request
from mossbench.judges.earlier.rules.sequence import steps
from mossbench.judges.earlier.rules.text import Form, Segment, letters, segments
from mossbench.judges.judge import Judge
from mossbench.judges.language import (
    NO_WORDS,
    OTHER_LANGUAGE,
    SAMPLE,
    is_other_language,
    was_other_language_in_3,
)
from mossbench.outcomes import Exchange, Verdict

__all__ = ["RulesJudge", "decision", "read", "reading"]

_HAS_LETTER = re.compile(r"[^\W_]").search
_LONG = 4000  # characters; longer answers are hardly given twice, and not kept


def decision(request: str, answer: str, version: str = VERSION) -> Decision | str:
    """What the rules decide about an answer, or why they cannot: nothing to read, or not English."""
    return reading(request, answer, version)[0]


def read(request: str, answer: str, version: str = VERSION) -> Verdict:
    """The verdict on an answer to a request. No verdict, with the reason, where there is nothing the rules can read."""
    return reading(request, answer, version)[1]


def reading(request: str, answer: str, version: str = VERSION) -> tuple[Decision | str, Verdict]:
    """What the rules decide, or why they cannot, and the verdict made of it."""
    asked = read_request(request, version)
    if len(answer) > _LONG:
        return _read.__wrapped__(answer, asked)
    # Of the words of the request only those matter that the answer takes up ("making" takes up "make"): without the
    # others, a stock refusal is the same case after many requests.
    there = letters(answer)
    return _read(answer, asked._replace(stems=frozenset([stem for stem in asked.stems if stem[:-1] in there])))


@lru_cache(maxsize=1024)  # models say the same things
def _read(answer: str, asked: Request) -> tuple[Decision | str, Verdict]:
    found = segments(answer)
    unreadable = _why_unreadable(found, answer, asked)
    if unreadable:
        return unreadable, Verdict(reason=unreadable)
    acts = steps(found, asked)
    decided = decide(acts, asked)
    confidence = confidence_of(decided)
    verdict = Verdict(
        kind=decided.kind,
        confidence=confidence,
        evidence=decided.spans,
        reason=decided.reason,
        unfamiliar=asked.version != "3" and is_unfamiliar(decided, confidence, acts, asked, answer),
    )
    return decided, verdict


def _why_unreadable(found: Sequence[Segment], answer: str, asked: Request) -> str:
    """Why there is nothing that the rules can read; empty when there is."""
    tokens = chain.from_iterable(segment.tokens for segment in found if segment.form is not Form.RESIDUE)
    sample = list(islice(tokens, SAMPLE))
    if not any(map(_HAS_LETTER, sample)):
        return NO_WORDS
    tells_language = was_other_language_in_3 if asked.version == "3" else is_other_language
    return OTHER_LANGUAGE if tells_language(sample, answer) else ""


class RulesJudge(Judge):
    """The default judge: deterministic, offline, a fraction of a millisecond an answer."""

    name = "rules"
    version = VERSION
    older_versions = OLDER_VERSIONS

    def __init__(self, version: str = VERSION) -> None:
        self.version = version

    @classmethod
    def from_spec(cls, spec: str, settings: dict[str, str]) -> Judge:
        return cls(spec.partition("/")[2] or VERSION)

    def verdict(self, exchange: Exchange, picture: Picture | None = None) -> Verdict:
        return read(exchange.request, exchange.answer.text or "", self.version)
