"""Small cards of samples that a run refused, each with the sentence that refused it."""

import re
from dataclasses import dataclass

from mossbench.outcomes import Span
from mossbench.reports.cards import silence
from mossbench.results.rows import ResultRow
from mossbench.samples import Side
from mossbench.web.data import Data
from mossbench.web.loaded_run import LoadedRun, SampleKey
from mossbench.web.pages import explorer_address, picture_address

LONGEST_QUOTE = 140
"""Characters of an answer that a card quotes."""
_DECLINES = re.compile(
    r"\b(?:can(?:no|['’])t|won['’]t|unable|not able|not comfortable|decline|sorry|apologi[sz]e)\b", re.IGNORECASE
)
"""What the sentence says that a card quotes, of several that the verdict rests on."""
_SENTENCE_END = re.compile(r"""(?:(?<=[.!?])|(?<=[.!?]["”']))\s|\n""")


@dataclass(frozen=True)
class SampleCard:
    """A sample as a card shows it."""

    id: str
    link: str
    """The explorer with the run at this sample."""
    picture: str
    alt: str
    kind: str
    quote: str
    """The sentence that decided; empty where there is no answer to quote."""
    note: str


def refused_keys(run: LoadedRun, side: Side = Side.BENIGN) -> list[SampleKey]:
    """The samples of a side that a run refused, in the order of the run."""
    return [key for key, is_refused in run.refusals.items() if is_refused and key[0] is side]


def refused_cards(data: Data, run: LoadedRun, n: int) -> list[SampleCard]:
    """The `n` harmless samples whose refusal by this run is most surprising: the fewest other runs refused them."""
    keys = sorted(refused_keys(run), key=lambda key: data.n_refused[key])
    return [card_of(data, run, key, data.n_refused[key]) for key in keys[:n]]


def card_of(data: Data, run: LoadedRun, key: SampleKey, n_refused: int) -> SampleCard:
    row = run.by_sample[key][0]
    sample = row.sample
    return SampleCard(
        id=sample.id,
        link=explorer_address([run.name], key),
        picture=picture_address(data, sample, 240, run.results.arm(row)) if run.results else "",
        alt=sample.alt,
        kind=row.outcome.label,
        quote=deciding_sentence(row),
        note=silence(row) or f"refused in {n_refused} of {len(data.runs)} runs",
    )


def _start_of_refusal(text: str, evidence: Span) -> int:
    """Where evidence of several sentences declines; its start where none of them has such a word."""
    match = _DECLINES.search(text, evidence.start, evidence.end)
    return match.start() if match else evidence.start


def deciding_sentence(row: ResultRow) -> str:
    """The sentence that the verdict rests on, or the first one of the answer; cut if it is long."""
    text = (row.exchange.answer.text or "") if row.exchange else ""
    if not text or silence(row):
        return ""
    evidence = row.verdict.evidence if row.verdict else ()
    start = _start_of_refusal(text, evidence[0]) if evidence else 0
    before = [match.end() for match in _SENTENCE_END.finditer(text, 0, start)]
    begin = before[-1] if before else 0
    after = _SENTENCE_END.search(text, start)
    end = after.start() if after else len(text)
    sentence = " ".join(text[begin:end].split())
    return sentence if len(sentence) <= LONGEST_QUOTE else f"{sentence[: LONGEST_QUOTE - 1]}…"
