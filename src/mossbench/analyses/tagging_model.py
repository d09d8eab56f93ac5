"""Tags on refusals by a model that reads them: two pure functions, `message` and `parse`, around `reading`.

A reply without tags in the form asked for leaves the refusal untagged; it is counted so, never as none.
"""

from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path

from mossbench.analyses.answer_readings import AnswerReader, Reading, read_answers
from mossbench.analyses.tagging import MEANINGS, Distortion, Tag
from mossbench.judges.rubric import fence, objects_in
from mossbench.models import load_model
from mossbench.outcomes import Exchange, Key
from mossbench.plumbing.file_names import label_slug
from mossbench.plumbing.lines import read_lines
from mossbench.results.rows import ResultRow
from mossbench.results.table import Results
from mossbench.samples import Side

VERSION = "1"
Tags = dict[Key, tuple[Tag, ...] | None]


class TagLine(Reading):
    """One refusal's tags, in `tags.<tagger>.jsonl`."""

    side: Side
    arm: str
    epoch: int
    words: dict[Distortion, str] | None
    """The words that show each distortion; None: no tags in the reply."""


def tags_by_model(results: Results, rows: Sequence[ResultRow], model: str) -> tuple[str, Tags]:
    """Who tagged the answers of these rows, and the tags: None where it gave none in the form asked for."""
    tagger = load_model(model)
    label = f"{tagger.name}/{VERSION}"
    path = results.folder / f"tags.{label_slug(label)}.jsonl"

    def request(row: ResultRow, exchange: Exchange) -> str:
        return message(exchange)

    def reading(row: ResultRow, exchange: Exchange, reply: str) -> TagLine:
        words = parse(reply, exchange.answer.text or "")
        return TagLine(
            sample=row.key.sample,
            digest=exchange.digest(),
            reply=reply if words is None else None,
            endpoint=tagger.base_url,
            side=row.key.side,
            arm=row.key.arm,
            epoch=row.key.epoch,
            words=words,
        )

    reader = AnswerReader(tagger, tagger.base_url, path, request, reading)
    read_answers(reader, results, rows, _tagged_lines(path))
    words_by_digest = {line.digest: line.words for line in _tagged_lines(path)}
    tags: Tags = {}
    for row in rows:
        exchange = row.exchange
        if exchange is not None:
            tags[row.key] = _tags(words_by_digest.get(exchange.digest()), exchange.answer.text or "")
    where = f" at {tagger.base_url}" if tagger.base_url else ""
    return label + where, tags


def _tagged_lines(path: Path) -> list[TagLine]:
    """The lines with tags; a refusal whose reply had none is read again."""
    return [line for line in read_lines(path, TagLine) if line.words is not None]


def _tags(words: dict[Distortion, str] | None, text: str) -> tuple[Tag, ...] | None:
    """Each distortion with the words that show it, and where they stand in the answer."""
    if words is None:
        return None
    tags = []
    for distortion, quote in words.items():
        if quote in text:
            start = text.index(quote)
            tags.append(Tag(distortion, quote, start, start + len(quote)))
    return tuple(tags)


def message(exchange: Exchange) -> str:
    """What the model is sent about a refusal."""
    template = (files("mossbench.analyses") / "prompts" / "distortions.txt").read_text(encoding="utf-8")
    meanings = "\n".join(f"- {distortion}: {meaning}" for distortion, meaning in MEANINGS.items())
    return template.format(
        mark=fence(exchange),
        meanings=meanings,
        request=exchange.request,
        answer=exchange.answer.text,
        names=", ".join(Distortion),
    )


def parse(reply: str, answer: str) -> dict[Distortion, str] | None:
    """The words by distortion from the last object in a reply; None when there is none in the form asked for.

    A distortion of which the words are not in the answer is left out: what cannot be shown is not there.
    """
    for content in reversed(objects_in(reply)):
        tags = content.get("tags")
        if isinstance(tags, dict) and set(tags) <= set(Distortion):
            return {Distortion(name): words for name, words in tags.items() if _is_quoted_from(words, answer)}
    return None


def _is_quoted_from(words: object, answer: str) -> bool:
    return isinstance(words, str) and bool(words) and words in answer
