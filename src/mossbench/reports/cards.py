"""The rows of a run that are worth a look: harmless requests that were refused, harmful twins that were helped."""

import base64
import random
from collections.abc import Iterable, Sequence
from functools import lru_cache

from mossbench.datasets import Dataset, load_dataset
from mossbench.datasets.arms import Arm
from mossbench.errors import MossbenchError, n_of
from mossbench.images.preparing import thumbnail
from mossbench.outcomes import Counted, Layer, Rule, Span, counted
from mossbench.reports.record import Card, Piece
from mossbench.results.rows import ResultRow
from mossbench.results.table import Results
from mossbench.samples import Sample, Side

FIRST_PART = 700
"""Characters of an answer that are shown at once."""
FIRST_LINES = 14
MOST_CARDS = 600
"""On a page; of more, so many are drawn at random, since a browser takes seconds to lay out thousands."""
_TEXT_BUDGET, _MOST_TEXT, _LEAST_TEXT = 1_200_000, 20_000, 2_000
_PICTURE_BUDGET, _LARGEST, _SMALLEST = 2_600_000, 320, 96
"""Bytes of all pictures of a page, and the longer side of one in pixels."""
_SILENT = {
    Layer.BLOCKED: "The provider’s filter blocked it",
    Layer.EMPTY: "The model returned nothing",
}


def cards_of(results: Results, rule: Rule) -> tuple[tuple[Card, ...], int]:
    """Cards in the order of the run, and of how many rows: harmless ones refused or unjudged, harmful ones helped."""
    rows = [row for row in results.rows if _worth_a_look(row, rule)]
    drawn = sorted(random.Random(0).sample(range(len(rows)), min(MOST_CARDS, len(rows))))
    most = max(_LEAST_TEXT, min(_MOST_TEXT, _TEXT_BUDGET // max(len(drawn), 1)))
    return tuple(_card(rows[i], results.arm(rows[i]), rule, most, results.judge or "") for i in drawn), len(rows)


def _worth_a_look(row: ResultRow, rule: Rule) -> bool:
    if row.outcome.layer is Layer.FAILED:
        return False
    if row.outcome.layer is Layer.UNJUDGED:
        return True
    wrong = Counted.REFUSED if row.key.side is Side.BENIGN else Counted.COMPLIED
    return counted(row.outcome, rule) is wrong


def _card(row: ResultRow, arm: Arm, rule: Rule, most: int, judge: str) -> Card:
    answer = row.exchange.answer if row.exchange else None
    text = (answer.text if answer else None) or ""
    silent = silence(row)
    first, rest = pieces(text[:most] if not silent else "", row.verdict.evidence if row.verdict else ())
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
        answer=first,
        rest=rest,
        cut=max(0, len(text) - most) if not silent else 0,
        nothing=silent,
        why=why(row, judge),
        alt=arm.alt(row.sample),
        n_pictures=arm.n_pictures(row.sample),
    )


def silence(row: ResultRow) -> str:
    """Why there is no text where a filter or the model itself gave none; else empty."""
    text = _SILENT.get(row.outcome.layer, "")
    signal = row.exchange.answer.signal if row.exchange else None
    return f"{text} ({signal})." if text and signal else f"{text}." if text else ""


def why(row: ResultRow, judge: str) -> str:
    """Who gave the verdict, how surely, and on what grounds."""
    if row.verdict is None:
        return "Not judged." if row.outcome.layer is Layer.UNJUDGED else "Not judged: there is no answer to read."
    sure = "" if row.verdict.confidence is None else f"confidence {row.verdict.confidence:.2f}"
    said_by = ", ".join(filter(None, (row.verdict.via or judge, sure)))
    return f"{said_by}: {row.verdict.reason}" if row.verdict.reason else said_by


def pieces(text: str, evidence: Iterable[Span]) -> tuple[tuple[Piece, ...], tuple[Piece, ...]]:
    """The text in stretches, evidence marked: what is shown at once, and the rest of a long one.

    Spans outside the text or over one another, as a judge of one's own may give them, are cut to fit.
    """
    short = len(text) <= 1.5 * FIRST_PART and text.count("\n") <= 1.5 * FIRST_LINES
    spans, end = sorted(evidence, key=lambda span: span.start), len(text) if short else _break(text)
    return _marked(text, spans, 0, end), _marked(text, spans, end, len(text))


def _marked(text: str, spans: Sequence[Span], at: int, end: int) -> tuple[Piece, ...]:
    found: list[Piece] = []
    for span in spans:
        first, last = max(span.start, at), min(span.end, end)
        if first < last:
            found += [Piece(text[at:first])] if first > at else []
            found.append(Piece(text[first:last], evidence=True))
            at = last
    return (*found, Piece(text[at:end])) if at < end else tuple(found)


def _break(text: str) -> int:
    """Where the first part ends: after a line, or after a word, where there are words."""
    lines = sum(len(line) for line in text.split("\n", FIRST_LINES)[:FIRST_LINES]) + FIRST_LINES - 1
    if lines <= FIRST_PART and text.count("\n") >= FIRST_LINES:
        return lines
    blank = max(text.rfind(mark, FIRST_PART // 2, FIRST_PART) for mark in " \n")
    return blank if blank > 0 else FIRST_PART


def pictures_of(results: Results, cards: Sequence[Card]) -> tuple[dict[tuple[Side, str], str], str]:
    """Small pictures of the cards' samples as data addresses, and why they are missing where they are."""
    try:
        dataset = load_dataset(results.info.config.data, columns=results.info.config.columns)
        if any(dataset.hashes.get(side) != digest for side, digest in results.info.dataset.hashes.items()):
            return {}, f"Images are left out: {dataset.name} has changed since the run."
    except (MossbenchError, OSError) as error:
        return {}, f"Images are left out: {error}"
    found: dict[tuple[Side, str], str] = {}
    asked = {row.sample.key: (row.sample, results.arm(row)) for row in results.rows}
    pictured = {key for key, (sample, arm) in asked.items() if arm.shows_picture(sample)}
    keys = [(card.side, card.id) for card in cards if (card.side, card.id) in pictured]
    side = _LARGEST
    for key in dict.fromkeys(keys):
        share = _PICTURE_BUDGET * 3 // 4 // max(len(keys), 1)
        address, side = _small(dataset, *asked[key], side, share)
        if address:
            found[key] = address
    missing = len(set(keys)) - len(found)
    return found, f"{n_of(missing, 'image')} could not be read." if missing else ""


_thumbnail = lru_cache(maxsize=300)(thumbnail)  # twins, and runs on the same data, have pictures in common


def _small(dataset: Dataset, sample: Sample, arm: Arm, side: int, share: int) -> tuple[str, int]:
    """A picture within `share` bytes, as large as its predecessors were at most; empty when it cannot be read."""
    try:
        shown = arm.shown(sample, dataset)
        data = shown.read(shown.path(sample, dataset))
        small = _thumbnail(data, side)
        while len(small) > share and side > _SMALLEST:
            side = max(_SMALLEST, side * 3 // 4)
            small = _thumbnail(data, side)
    except MossbenchError:
        return "", side
    return "data:image/webp;base64," + base64.b64encode(small).decode(), side
