"""A model proposes: batches of drafts by stimulus, each reply written down before anything is made of it.

A reply has the key of what was asked (model, prompts, stimulus, seed, domain, notes, number), so that whoever goes on
after a stop, or repeats a step, asks and pays for nothing twice. A reply that is not in the form is asked for once
more; then it is kept among the rejected.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import Field, ValidationError

from mossbench.building.candidates import Candidate, Origin, Rejected, now
from mossbench.building.drafts import Draft, data_file, drafts_schema, toml_file
from mossbench.building.folder import BuildFolder, fault_of
from mossbench.errors import RunError
from mossbench.judges.rubric import objects_in
from mossbench.models import Model, Prompt, Settings
from mossbench.models.connections import Connections
from mossbench.models.keys import redacted
from mossbench.outcomes import Usage
from mossbench.samples import Record, Stimulus

BATCH = 5
"""Candidates in one reply: more repeat each other, and more are lost with a bad one."""
AVOIDED = 20  # requests that a model is told not to repeat
REMINDER = "Your last reply was not in the form asked for: {fault}. Reply again, in exactly that form.\n\n"


class Reply(Record):
    """A line of replies.jsonl."""

    key: str
    model: str
    request: str
    reply: str
    usage: Usage | None = None
    at: str = Field(default_factory=now)


@dataclass(frozen=True)
class Brief:
    """What a model is asked for."""

    seed: int
    domain: str | None = None
    notes: str = ""

    def key(self, model: Model, stimulus: Stimulus, number: int) -> str:
        parts = (model.name, model.base_url, prompts_version(), stimulus, self.seed, self.domain, self.notes, number)
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:16]

    def origin(self, model: Model) -> Origin:
        notes = hashlib.sha256(self.notes.encode()).hexdigest()[:8] if self.notes else ""
        return Origin(by=model.name, version=prompts_version(), seed=self.seed, notes=notes)


def prompts_version() -> str:
    parts = [data_file(f"prompts/{name}") for name in ("propose.txt", "stimuli.toml", "exemplars.toml")]
    return hashlib.sha256("".join(parts).encode()).hexdigest()[:8]


def message(stimulus: Stimulus, brief: Brief, avoid: Sequence[str]) -> str:
    """The text that the proposing model is sent."""
    about = f"All of them are about this field: {brief.domain}." if brief.domain else "Take them from many fields."
    if brief.notes:
        mark = "=" * 6 + hashlib.sha256(brief.notes.encode()).hexdigest()[:12]  # notes cannot hold a hash of themselves
        about += f" The notes between the marks say what the candidates are for.\n\n{mark}\n{brief.notes}\n{mark}"
    taken = "Already there, not to be repeated:\n" + "".join(f"- {text}\n" for text in avoid[-AVOIDED:]) + "\n"
    return data_file("prompts/propose.txt").format(
        n=BATCH,
        title=stimulus.title,
        about=about,
        avoid=taken if avoid else "",
        exemplars="\n".join(json.dumps(one) for one in toml_file("prompts/exemplars.toml")[stimulus]),
        **toml_file("prompts/stimuli.toml")[stimulus],
    )


def parse(reply: str) -> list[Any] | str:
    """What stands for drafts in a reply, whole or not; in words what is wrong where there is no list of them."""
    found = [one for one in objects_in(reply) if "candidates" in one]
    if not found:
        return 'no JSON object with the key "candidates" in it'
    drafts = found[-1]["candidates"]
    if not isinstance(drafts, list) or not drafts:
        return f'"candidates" is {str(drafts)[:60]!r}, expected a list of objects'
    faults = [fault for draft in drafts if (fault := _fault(draft))]
    return f"none of its {len(drafts)} candidates is whole: {faults[0]}" if len(faults) == len(drafts) else drafts


def _fault(draft: Any) -> str:
    try:
        Draft.model_validate(draft, strict=True)
    except ValidationError as error:
        return fault_of(error)
    return ""


class Author:
    """A model that is asked for candidates, and the replies that it has given in this folder."""

    def __init__(self, folder: BuildFolder, model: Model, brief: Brief) -> None:
        self.folder, self.model, self.brief = folder, model, brief
        self.replies = {one.key: one for one in folder.read("replies", Reply)}
        self.n_asked = 0
        self._connections = Connections(most=len(Stimulus), start=len(Stimulus), probe=model.probe)

    async def wave(self, wanted: dict[Stimulus, list[str]], number: int) -> list[Candidate | Rejected]:
        """A batch for each stimulus that is wanted, all at once; what was asked for before is read from its file."""
        batches = [self._batch(stimulus, avoid, number) for stimulus, avoid in wanted.items()]
        done = await asyncio.gather(*batches, return_exceptions=True)  # those on their way are paid for
        for one in done:
            if isinstance(one, BaseException):
                raise one
        return [each for one in done if not isinstance(one, BaseException) for each in one]

    async def _batch(self, stimulus: Stimulus, avoid: list[str], number: int) -> list[Candidate | Rejected]:
        key, text = self.brief.key(self.model, stimulus, number), message(stimulus, self.brief, avoid)
        reply = await self._reply(key, text, number)
        drafts, found = parse(reply.reply), list[Candidate | Rejected]()
        if isinstance(drafts, str):
            found.append(Rejected(code="bad-reply", reason=drafts, reply=reply.reply, reply_key=key))
            key += "-again"
            reply = await self._reply(key, REMINDER.format(fault=drafts) + text, number)
            drafts = parse(reply.reply)
        if isinstance(drafts, str):
            bad = Rejected(code="bad-reply", reason=f"asked twice: {drafts}", reply=reply.reply, reply_key=key)
            return [*found, bad]
        return [*found, *(self._read(draft, stimulus, key) for draft in drafts)]

    def _read(self, draft: Any, stimulus: Stimulus, key: str) -> Candidate | Rejected:
        try:
            return Draft.model_validate(draft, strict=True).candidate(stimulus, self.brief.origin(self.model))
        except ValueError as error:  # pydantic's are such, too
            reason = fault_of(error) if isinstance(error, ValidationError) else str(error)
            whole = json.dumps(draft, ensure_ascii=False)
            return Rejected(code="bad-reply", reason=reason, reply=whole, reply_key=key)

    async def _reply(self, key: str, text: str, number: int) -> Reply:
        if key in self.replies:
            return self.replies[key]
        settings = Settings(temperature=None, max_tokens=4096, seed=self.brief.seed + number, timeout=300)
        prompt = Prompt(text, settings=settings, schema=drafts_schema())
        answer = (await self._connections.ask(lambda: self.model.answer(prompt), settings.timeout)).answer
        if answer.error is not None:
            raise RunError(
                f"{self.model.name} did not reply: {answer.error.type}: {answer.error.message}; every reply before is "
                "kept: propose again with the same options to go on"
            )
        said = answer.text or f"(blocked: {answer.signal or 'no reason given'})"
        reply = redacted(Reply(key=key, model=self.model.name, request=text, reply=said, usage=answer.usage))
        self.folder.append("replies", [reply])  # before anything else: it is paid for
        self.replies[key] = reply
        self.n_asked += 1
        return reply
