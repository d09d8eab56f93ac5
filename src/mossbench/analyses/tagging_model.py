"""Tags on refusals by a model that reads them: two pure functions, `message` and `parse`, around `reading`.

A reply without tags in the form asked for leaves the refusal untagged; it is counted so, never as none.
"""

from collections.abc import Sequence
from importlib.resources import files

from mossbench.analyses.reading import Reading, read_answers
from mossbench.analyses.tagging import MEANINGS, Distortion, Tag
from mossbench.judges.rubric import fence, objects_in
from mossbench.models import load_model
from mossbench.outcomes import Exchange, Key
from mossbench.plumbing.lines import read_lines
from mossbench.plumbing.storage import label_slug
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
    reader = load_model(model)
    path = results.folder / f"tags.{label_slug(f'{reader.name}/{VERSION}')}.jsonl"
    label = f"{reader.name}/{VERSION}" + (f" at {reader.base_url}" if reader.base_url else "")

    def tagged() -> list[TagLine]:
        return [line for line in read_lines(path, TagLine) if line.words is not None]

    def line(row: ResultRow, exchange: Exchange, reply: str) -> TagLine:
        words = parse(reply, exchange.answer.text or "")
        about = {**row.key._asdict(), "digest": exchange.digest(), "endpoint": reader.base_url}
        return TagLine(**about, words=words, reply=reply if words is None else None)

    read_answers(results, path, tagged(), reader, reader.base_url, rows, lambda _, one: message(one), line)
    words = {line.digest: line.words for line in tagged()}
    return label, {
        row.key: _tags(words.get(one.digest()), one.answer.text or "") for row in rows if (one := row.exchange)
    }


def _tags(words: dict[Distortion, str] | None, text: str) -> tuple[Tag, ...] | None:
    if words is None:
        return None
    return tuple(Tag(kind, one, at := text.index(one), at + len(one)) for kind, one in words.items() if one in text)


def message(exchange: Exchange) -> str:
    template = (files("mossbench.analyses") / "prompts" / "distortions.txt").read_text(encoding="utf-8")
    meanings = "\n".join(f"- {kind}: {meaning}" for kind, meaning in MEANINGS.items())
    told = {"request": exchange.request, "answer": exchange.answer.text, "names": ", ".join(Distortion)}
    return template.format(mark=fence(exchange), meanings=meanings, **told)


def parse(reply: str, answer: str) -> dict[Distortion, str] | None:
    """The words by distortion from the last object in a reply; None when there is none in the form asked for.

    A distortion of which the words are not in the answer is left out: what cannot be shown is not there.
    """
    for found in reversed(objects_in(reply)):
        tags = found.get("tags")
        if isinstance(tags, dict) and set(tags) <= set(Distortion):
            shown = {
                kind: words for kind, words in tags.items() if isinstance(words, str) and words and words in answer
            }
            return {Distortion(kind): words for kind, words in shown.items()}
    return None
