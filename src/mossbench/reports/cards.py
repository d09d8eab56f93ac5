"""The rows of a run that are worth a look: harmless requests that were refused, harmful twins that were helped."""

import base64
import random
from collections.abc import Iterable, Sequence, Set
from functools import lru_cache, partial

import numpy as np

from mossbench.datasets import Dataset, load_recorded_dataset
from mossbench.datasets.arms import Arm
from mossbench.errors import MossbenchError, n_of
from mossbench.images.preparing import thumbnail
from mossbench.outcomes import Counted, Layer, Outcome, Rule, Span, counted
from mossbench.reports.record import Card, Piece
from mossbench.results.row_columns import chosen_rows, of_side_mask, outcomes_of
from mossbench.results.rows import ResultRow
from mossbench.results.table import Results
from mossbench.samples import Sample, Side

FIRST_PART = 700
"""Characters of an answer that are shown at once."""
FIRST_LINES = 14
MOST_CARDS = 600
"""On a page; of more, so many are drawn at random, since a browser takes seconds to lay out thousands."""
_TEXT_BUDGET = 1_200_000
"""Characters of all answers of a page."""
_MOST_TEXT = 20_000
"""Characters of one answer, where there is room."""
_LEAST_TEXT = 2_000
"""Characters of one answer, however many there are."""
_PICTURE_BUDGET = 2_600_000
"""Bytes of all pictures of a page."""
_LARGEST = 320
"""The longer side of a picture in pixels, where there is room."""
_SMALLEST = 96
_SILENT = {
    Layer.BLOCKED: "The provider’s filter blocked it",
    Layer.EMPTY: "The model returned nothing",
}


def cards_of(results: Results, rule: Rule) -> tuple[tuple[Card, ...], int]:
    """Cards in the order of the run, and of how many rows: harmless ones refused or unjudged, harmful ones helped."""
    rows = _rows_worth_a_look(results.rows, rule)
    drawn = sorted(random.Random(0).sample(range(len(rows)), min(MOST_CARDS, len(rows))))
    max_text = max(_LEAST_TEXT, min(_MOST_TEXT, _TEXT_BUDGET // max(len(drawn), 1)))
    judge = results.judge or ""
    cards = [_card(rows[i], results.arm(rows[i]), rule, max_text, judge) for i in drawn]
    return tuple(cards), len(rows)


def _rows_worth_a_look(rows: Sequence[ResultRow], rule: Rule) -> Sequence[ResultRow]:
    is_worth = np.zeros(len(rows), dtype=bool)
    for side in Side:
        is_worth_of_side = outcomes_of(rows).where(partial(_is_worth_a_look, side=side, rule=rule))
        is_worth |= is_worth_of_side & of_side_mask(rows, side)
    return chosen_rows(rows, is_worth)


def _is_worth_a_look(outcome: Outcome, side: Side, rule: Rule) -> bool:
    if outcome.layer is Layer.FAILED:
        return False
    if outcome.layer is Layer.UNJUDGED:
        return True
    wrong = Counted.REFUSED if side is Side.BENIGN else Counted.COMPLIED
    return counted(outcome, rule) is wrong


def _card(row: ResultRow, arm: Arm, rule: Rule, max_text: int, judge: str) -> Card:
    why_silent = silence(row)
    text = ""
    if row.exchange and not why_silent:
        text = row.exchange.answer.text or ""
    evidence = row.verdict.evidence if row.verdict else ()
    first_part, second_part = pieces(text[:max_text], evidence)
    return Card(
        id=row.key.sample,
        side=row.key.side,
        arm=row.key.arm,
        epoch=row.key.epoch,
        outcome=row.outcome.label,
        helped=counted(row.outcome, rule) is Counted.COMPLIED,
        stimulus=row.sample.label("stimulus"),
        harm=row.sample.label("harm"),
        request=row.exchange.request if row.exchange else row.sample.question,
        answer=first_part,
        rest=second_part,
        cut=max(0, len(text) - max_text),
        nothing=why_silent,
        why=why(row, judge),
        alt=arm.alt(row.sample),
        n_pictures=arm.n_pictures(row.sample),
    )


def silence(row: ResultRow) -> str:
    """Why there is no text where a filter or the model itself gave none; else empty."""
    text = _SILENT.get(row.outcome.layer)
    if text is None:
        return ""
    signal = row.exchange.answer.signal if row.exchange else None
    return f"{text} ({signal})." if signal else f"{text}."


def why(row: ResultRow, judge: str) -> str:
    """Who gave the verdict, how surely, and on what grounds."""
    if row.verdict is None:
        return "Not judged." if row.outcome.layer is Layer.UNJUDGED else "Not judged: there is no answer to read."
    parts = [row.verdict.via or judge]
    if row.verdict.confidence is not None:
        parts.append(f"confidence {row.verdict.confidence:.2f}")
    source = ", ".join(filter(None, parts))
    return f"{source}: {row.verdict.reason}" if row.verdict.reason else source


def pieces(text: str, evidence: Iterable[Span]) -> tuple[tuple[Piece, ...], tuple[Piece, ...]]:
    """The text in stretches, evidence marked: what is shown at once, and the rest of a long one.

    Spans outside the text or over one another, as a judge of one's own may give them, are cut to fit.
    """
    is_short = len(text) <= 1.5 * FIRST_PART and text.count("\n") <= 1.5 * FIRST_LINES
    break_at = len(text) if is_short else _break_of(text)
    spans = sorted(evidence, key=lambda span: span.start)
    return _marked(text, spans, 0, break_at), _marked(text, spans, break_at, len(text))


def _marked(text: str, spans: Sequence[Span], start: int, end: int) -> tuple[Piece, ...]:
    """The stretch from `start` to `end`, split where evidence begins and ends."""
    parts: list[Piece] = []
    position = start
    for span in spans:
        evidence_start = max(span.start, position)
        evidence_end = min(span.end, end)
        if evidence_start >= evidence_end:
            continue
        if evidence_start > position:
            parts.append(Piece(text[position:evidence_start]))
        parts.append(Piece(text[evidence_start:evidence_end], evidence=True))
        position = evidence_end
    if position < end:
        parts.append(Piece(text[position:end]))
    return tuple(parts)


def _break_of(text: str) -> int:
    """Where the first part ends: after a line, or after a word, where there are words."""
    first_lines = text.split("\n", FIRST_LINES)[:FIRST_LINES]
    lines = len("\n".join(first_lines))
    if lines <= FIRST_PART and text.count("\n") >= FIRST_LINES:
        return lines
    blank = max(text.rfind(mark, FIRST_PART // 2, FIRST_PART) for mark in " \n")
    return blank if blank > 0 else FIRST_PART


def pictures_of(results: Results, cards: Sequence[Card]) -> tuple[dict[tuple[Side, str], str], str]:
    """Small pictures of the cards' samples as data addresses, and why they are missing where they are."""
    sources = _sources_of(results, {(card.side, card.id) for card in cards})
    keys = [(card.side, card.id) for card in cards if _has_picture(sources.get((card.side, card.id)))]
    if not keys:
        return {}, ""
    try:
        dataset = load_recorded_dataset(results.info.config.data, columns=results.info.config.columns)
        if any(dataset.hashes.get(side) != digest for side, digest in results.info.dataset.hashes.items()):
            return {}, f"Images are left out: {dataset.name} has changed since the run."
    except (MossbenchError, OSError) as error:
        return {}, f"Images are left out: {error}"
    addresses: dict[tuple[Side, str], str] = {}
    side = _LARGEST
    for key in dict.fromkeys(keys):
        share = _PICTURE_BUDGET * 3 // 4 // len(keys)
        sample, arm = sources[key]
        address, side = _small(dataset, sample, arm, side, share)
        if address:
            addresses[key] = address
    n_missing = len(set(keys)) - len(addresses)
    return addresses, f"{n_of(n_missing, 'image')} could not be read." if n_missing else ""


def _sources_of(results: Results, keys: Set[tuple[Side, str]]) -> dict[tuple[Side, str], tuple[Sample, Arm]]:
    """The samples with these keys, each with the arm of its last row."""
    rows = {}
    for row in results.rows:
        key = (row.key.side, row.key.sample)
        if key in keys:
            rows[key] = row
    return {key: (row.sample, results.arm(row)) for key, row in rows.items()}


def _has_picture(source: tuple[Sample, Arm] | None) -> bool:
    if source is None:
        return False
    sample, arm = source
    return arm.shows_picture(sample)


_thumbnail = lru_cache(maxsize=300)(thumbnail)  # twins, and runs on the same data, have pictures in common


def _small(dataset: Dataset, sample: Sample, arm: Arm, side: int, share: int) -> tuple[str, int]:
    """A picture within `share` bytes, as large as its predecessors were at most; empty when it cannot be read."""
    try:
        picture = arm.shown(sample, dataset)
        data = picture.read(picture.path(sample, dataset))
        small = _thumbnail(data, side)
        while len(small) > share and side > _SMALLEST:
            side = max(_SMALLEST, side * 3 // 4)
            small = _thumbnail(data, side)
    except MossbenchError:
        return "", side
    return "data:image/webp;base64," + base64.b64encode(small).decode(), side
