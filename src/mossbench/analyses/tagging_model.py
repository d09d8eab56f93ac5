"""Tags on refusals by a model that reads them: two pure functions, `message` and `parse`, around one call.

Tags are kept in the run's folder (`tags.<tagger>.jsonl`), each with the digest of what was read, so that nothing is
asked twice. A reply without tags in the form asked for leaves the refusal untagged; it is counted so, never as none.
"""

import asyncio
import hashlib
from collections.abc import Iterable, Sequence
from importlib.resources import files
from pathlib import Path

from mossbench.analyses.tagging import MEANINGS, Distortion, Tag
from mossbench.errors import UsageError
from mossbench.judges.rubric import objects_in
from mossbench.models import Model, Prompt, Settings, load_model
from mossbench.models.connections import Connections
from mossbench.outcomes import Exchange, Key
from mossbench.plumbing.coroutines import finish
from mossbench.plumbing.lines import LineWriter, read_lines
from mossbench.plumbing.storage import label_slug
from mossbench.protocols import OWN_ADDRESS
from mossbench.runs.folder import RunFolder
from mossbench.samples import Record, Side

SETTINGS = Settings(temperature=0.0, max_tokens=600)
VERSION = "1"
Tags = dict[Key, tuple[Tag, ...] | None]


class TagLine(Record):
    """One refusal's tags on disk."""

    side: Side
    sample: str
    arm: str
    epoch: int
    digest: str
    """`Exchange.digest` of what was read."""
    words: dict[Distortion, str] | None
    """The words that show each distortion; None: no tags in the reply."""
    reply: str = ""
    """Kept where it held no tags."""
    endpoint: str | None = None
    """Where the model was asked; None: the provider's own address."""


def tags_by_model(folder: RunFolder, exchanges: Sequence[Exchange], model: str | Model) -> Tags:
    """The tags of these answers, as `model` reads them; None where it gave none in the form asked for."""
    the_model = load_model(model)
    path = folder.path / f"tags.{label_slug(f'{the_model.name}/{VERSION}')}.jsonl"
    there = {line.digest: line for line in read_lines(path, TagLine) if line.words is not None}
    check_reader(path, the_model.name, (line.endpoint for line in there.values()), the_model.base_url)
    todo = [exchange for exchange in exchanges if exchange.digest() not in there]
    if todo:
        with folder.held(), LineWriter(path) as file:
            there |= finish(_ask_all(the_model, todo, file))
    return {one.key: _tags(there[one.digest()].words, one.answer.text or "") for one in exchanges}


def tagger_label(model: Model) -> str:
    """Who tagged, for the record."""
    return f"{model.name}/{VERSION}" + (f" at {model.base_url}" if model.base_url else "")


def check_reader(path: Path, model: str, there: Iterable[str | None], endpoint: str | None) -> None:
    """A UsageError when what a model said at one endpoint would be mixed with what it says at another."""
    if others := {one for one in there if one != endpoint}:
        where = " and ".join(sorted(one or OWN_ADDRESS for one in others))
        raise UsageError(
            f"{path} has what {model} said at {where}, not at {endpoint or OWN_ADDRESS}: name that endpoint in the "
            "environment (…_BASE_URL), or delete the file to have everything read again"
        )


def message(exchange: Exchange) -> str:
    """The text that the reading model is sent."""
    # The answer cannot hold a hash of itself, so it cannot close the fence.
    mark = "=" * 6 + hashlib.sha256(f"fence {exchange.digest()}".encode()).hexdigest()[:12]
    template = (files("mossbench.analyses") / "prompts" / "distortions.txt").read_text(encoding="utf-8")
    meanings = "\n".join(f"- {kind}: {meaning}" for kind, meaning in MEANINGS.items())
    return template.format(
        mark=mark, request=exchange.request, answer=exchange.answer.text, meanings=meanings, names=", ".join(Distortion)
    )


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


def _tags(words: dict[Distortion, str] | None, answer: str) -> tuple[Tag, ...] | None:
    if words is None:
        return None
    places = [(kind, text, answer.find(text)) for kind, text in words.items()]
    return tuple(Tag(kind, text, start, start + len(text)) for kind, text, start in places if start >= 0)


async def _ask_all(model: Model, todo: Sequence[Exchange], file: LineWriter) -> dict[str, TagLine]:
    connections, found = Connections(most=16, start=4, probe=model.probe), dict[str, TagLine]()

    async def ask(exchange: Exchange) -> None:
        prompt = Prompt(message(exchange), settings=SETTINGS, key=exchange.key)
        answer = (await connections.ask(lambda: model.answer(prompt), SETTINGS.timeout)).answer
        text = exchange.answer.text or ""
        words = parse(answer.text or "", text)
        said = "" if words is not None else (answer.text or (answer.error.message if answer.error else ""))
        about = {**exchange.key._asdict(), "digest": exchange.digest(), "endpoint": model.base_url}
        line = TagLine(**about, words=words, reply=said)
        file.append(line)
        found[line.digest] = line

    try:
        await asyncio.gather(*map(ask, todo))
    finally:
        await model.close()
    return found
