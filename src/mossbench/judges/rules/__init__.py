"""`rules`, the embedded judge: reads an answer as a sequence of acts, offline and the same way every time.

text (segments) -> declining, acts (what each one does) -> sequence (lists read under their headings) -> kinds (the
decision) -> confidence. `docs/judges-rules.md` says how it decides, how well, and what it cannot do.
"""

import re
from functools import lru_cache
from itertools import chain, islice

from mossbench.images.preparing import Picture
from mossbench.judges.judge import Judge
from mossbench.judges.rules.confidence import confidence_of
from mossbench.judges.rules.kinds import Decision, decide
from mossbench.judges.rules.phrases import words
from mossbench.judges.rules.request import Request, read_request
from mossbench.judges.rules.sequence import steps
from mossbench.judges.rules.text import Form, letters, segments
from mossbench.outcomes import Exchange, Verdict

__all__ = ["RulesJudge", "decision", "read"]

_HAS_LETTER = re.compile(r"[^\W_]").search
_SAMPLE = 80  # words from the start that tell the language; it does not change later in an answer
_LONG = 4000  # characters; longer answers are hardly given twice, and not kept
_ENGLISH = words("english")
_OTHER = words("other_languages")  # frequent in another language that uses Latin letters, and no English words
_LETTER = re.compile(r"[^\W\d_]")
_OTHER_SCRIPT = re.compile(r"[^\W\d_\x00-\u024f]")


def decision(request: str, answer: str) -> Decision | str:
    """What the rules decide about an answer, or why they cannot: nothing to read, or not English."""
    return _reading(request, answer)[0]


def read(request: str, answer: str) -> Verdict:
    """The verdict on an answer to a request. No verdict, with the reason, where there is nothing the rules can read."""
    return _reading(request, answer)[1]


def _reading(request: str, answer: str) -> tuple[Decision | str, Verdict]:
    asked = read_request(request)
    if len(answer) > _LONG:
        return _read.__wrapped__(answer, asked)
    # Of the words of the request only those matter that the answer takes up ("making" takes up "make"): without the
    # others, a stock refusal is the same case after many requests.
    there = letters(answer)
    return _read(answer, asked._replace(stems=frozenset([stem for stem in asked.stems if stem[:-1] in there])))


@lru_cache(maxsize=1024)  # models say the same things
def _read(answer: str, asked: Request) -> tuple[Decision | str, Verdict]:
    decided = _decision(answer, asked)
    if isinstance(decided, str):
        return decided, Verdict(reason=decided)
    sure = confidence_of(decided)
    return decided, Verdict(kind=decided.kind, confidence=sure, evidence=decided.spans, reason=decided.reason)


def _decision(answer: str, asked: Request) -> Decision | str:
    found = segments(answer)
    tokens = chain.from_iterable(segment.tokens for segment in found if segment.form is not Form.RESIDUE)
    sample = list(islice(tokens, _SAMPLE))
    if not any(map(_HAS_LETTER, sample)):
        return "the answer has no words"
    if _foreign(sample, answer):
        return "the answer is not in English"
    return decide(steps(found, asked), asked)


def _foreign(tokens: list[str], text: str) -> bool:
    """Whether the answer is in another language than English. Undecided (few words, names, numbers) is False."""
    if not text.isascii():
        start = text[:2000]
        n_other = len(_OTHER_SCRIPT.findall(start))
        if n_other and n_other > 0.3 * len(_LETTER.findall(start)):
            return True
    english = sum(map(_ENGLISH.__contains__, tokens))
    other = sum(map(_OTHER.__contains__, tokens))
    return other >= 2 and other > english and other >= 0.1 * len(tokens)


class RulesJudge(Judge):
    """The default judge: deterministic, offline, a fraction of a millisecond an answer."""

    name = "rules"
    version = "3"

    def verdict(self, exchange: Exchange, picture: Picture | None = None) -> Verdict:
        return read(exchange.request, exchange.answer.text or "")
