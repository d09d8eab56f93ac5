"""A model proposes: batches of drafts by stimulus, each reply written down before anything is made of it.

A reply has the key of what was asked (model, prompts, stimulus, seed, domain, notes, number), so that whoever goes on
after a stop, or repeats a step, asks and pays for nothing twice. A reply that is not in the form is asked for once
more; then it is kept among the rejected.
"""

import asyncio
import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import Field, JsonValue, ValidationError

from mossbench.building.candidates import Candidate, Origin, Rejected, now
from mossbench.building.drafts import Draft, data_file, drafts_schema, toml_file
from mossbench.building.folder import BuildFolder
from mossbench.errors import RunError
from mossbench.judges.rubric import objects_in
from mossbench.models import Model, Prompt, Settings
from mossbench.models.connections import Connections
from mossbench.models.keys import redacted
from mossbench.outcomes import Answer, Exchange, Usage
from mossbench.plumbing.untrusted_files import record_fault
from mossbench.runs.budget import questions_budget
from mossbench.samples import Record, Side, Stimulus
from mossbench.store.prices import Prices
from mossbench.ways_out import SetOption

BATCH = 5
"""Candidates in one reply: more repeat each other, and more are lost with a bad one."""
WRITING = Settings(temperature=None, max_tokens=4096, timeout=300)
AVOIDED = 20  # requests that a model is told not to repeat
REMINDER = "Your last reply was not in the form asked for: {fault}. Reply again, in exactly that form.\n\n"


class Reply(Record):
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


def batch_request(stimulus: Stimulus, brief: Brief, avoid: Sequence[str]) -> str:
    """The words that ask a model for a batch of drafts, with the requests that it shall `avoid` to repeat."""
    about = f"All of them are about this field: {brief.domain}." if brief.domain else "Take them from many fields."
    if brief.notes:
        mark = "=" * 6 + hashlib.sha256(brief.notes.encode()).hexdigest()[:12]  # notes cannot hold a hash of themselves
        about += f" The notes between the marks say what the candidates are for.\n\n{mark}\n{brief.notes}\n{mark}"
    not_again = ""
    if avoid:
        listed = "".join(f"- {request}\n" for request in avoid[-AVOIDED:])
        not_again = f"Already there, not to be repeated:\n{listed}\n"
    stimulus_words: dict[str, str] = toml_file("prompts/stimuli.toml")[stimulus]
    exemplars: list[JsonValue] = toml_file("prompts/exemplars.toml")[stimulus]
    return data_file("prompts/propose.txt").format(
        n=BATCH,
        title=stimulus.title,
        about=about,
        avoid=not_again,
        exemplars="\n".join(json.dumps(exemplar) for exemplar in exemplars),
        **stimulus_words,
    )


def parse_drafts(reply: str) -> list[JsonValue] | str:
    """The drafts in a reply, each whole or not; a text that says what is wrong where none of them is whole."""
    objects = [json_object for json_object in objects_in(reply) if "candidates" in json_object]
    if not objects:
        return 'no JSON object with the key "candidates" in it'
    drafts: JsonValue = objects[-1]["candidates"]
    if not isinstance(drafts, list) or not drafts:
        return f'"candidates" is {str(drafts)[:60]!r}, expected a list of objects'
    faults = [_fault(draft) for draft in drafts]
    if all(faults):
        return f"none of its {len(drafts)} candidates is whole: {faults[0]}"
    return drafts


def _fault(draft: JsonValue) -> str:
    """What is wrong with a draft; empty: nothing."""
    try:
        Draft.model_validate(draft, strict=True)
    except ValidationError as error:
        return record_fault(error)
    return ""


class Asker:
    """A model that is asked for replies in a form, as long as they fit into `max_cost` US dollars for this call."""

    def __init__(
        self, model: Model, settings: Settings, most: int, tokens: int, max_cost: float | None, prices: Prices | None
    ) -> None:
        """`most` questions are asked at once, each of about so many `tokens`."""
        self.model = model
        self.settings = settings
        self.n_asked = 0
        self._connections = Connections(max_connections=most, start_connections=most, probe=model.probe)
        usage_per_question = Usage(input_tokens=tokens, output_tokens=settings.max_tokens)
        self._budget = questions_budget(max_cost, model, prices, usage_per_question)

    async def ask(self, prompt: Prompt, way_on: str) -> Answer:
        """The answer; a RunError that ends in `way_on` where none came, or none may be paid for."""
        async with self._budget.room_for("row") as admitted:
            if not admitted:
                limit = f"cost limit of {self._budget.limit:g} US dollars reached, {self._budget.spent:.2g} spent"
                message = f"stopped asking {self.model.name}: {limit}; {way_on}"
                raise RunError(message, way_out=SetOption("max_cost", to="raise the limit"))
            response = await self._connections.ask(lambda: self.model.answer(prompt), self.settings.timeout)
            answer = response.answer
            self._budget.pay(Exchange(side=Side.BENIGN, sample="", request="", answer=answer), None)
        fault = answer.error
        if fault:
            raise RunError(f"{self.model.name} did not reply: {fault.type}: {fault.message}; {way_on}")
        self.n_asked += 1
        return answer


@dataclass(frozen=True)
class Wave:
    """What came of asking once for each stimulus."""

    read: tuple[Candidate | Rejected, ...]
    fault: BaseException | None
    """What went wrong with one of the batches."""


class Author:
    """A model that is asked for candidates, and the replies that it has given in this folder."""

    def __init__(self, folder: BuildFolder, brief: Brief, asker: Asker) -> None:
        self.folder = folder
        self.brief = brief
        self.asker = asker
        self.model = asker.model
        self.replies = {reply.key: reply for reply in folder.read("replies", Reply)}

    async def wave(self, requests: dict[Stimulus, list[str]], number: int) -> Wave:
        """A batch for each of these stimuli, of which there are such `requests` already; asked, or from its file."""
        batches = [self._batch(stimulus, avoid, number) for stimulus, avoid in requests.items()]
        outcomes = await asyncio.gather(*batches, return_exceptions=True)  # those on their way are paid for
        read: list[Candidate | Rejected] = []
        first_fault: BaseException | None = None
        for outcome in outcomes:
            if isinstance(outcome, BaseException):
                first_fault = first_fault or outcome
            else:
                read += outcome
        return Wave(tuple(read), first_fault)

    async def _batch(self, stimulus: Stimulus, avoid: list[str], number: int) -> list[Candidate | Rejected]:
        """What came of one batch, which is asked for a second time if its reply is not in the form."""
        key = self.brief.key(self.model, stimulus, number)
        text = batch_request(stimulus, self.brief, avoid)
        rejected: list[Candidate | Rejected] = []
        for is_second in (False, True):
            reply = await self._reply(key, text, number)
            drafts = parse_drafts(reply.reply)
            if not isinstance(drafts, str):
                return [*rejected, *(self._read(draft, stimulus, key) for draft in drafts)]
            reason = f"asked twice: {drafts}" if is_second else drafts
            rejected.append(Rejected(code="bad-reply", reason=reason, reply=reply.reply, reply_key=key))
            key = f"{key}-again"
            text = REMINDER.format(fault=drafts) + text
        return rejected

    def _read(self, draft: JsonValue, stimulus: Stimulus, key: str) -> Candidate | Rejected:
        try:
            return Draft.model_validate(draft, strict=True).candidate(stimulus, self.brief.origin(self.model))
        except ValueError as error:  # pydantic's are such, too
            reason = record_fault(error) if isinstance(error, ValidationError) else str(error)
            whole = json.dumps(draft, ensure_ascii=False)
            return Rejected(code="bad-reply", reason=reason, reply=whole, reply_key=key)

    async def _reply(self, key: str, text: str, number: int) -> Reply:
        if key in self.replies:
            return self.replies[key]
        settings = self.asker.settings.model_copy(update={"seed": self.brief.seed + number})
        way_on = "all earlier replies are kept: propose again with the same options to resume"
        answer = await self.asker.ask(Prompt(text, settings=settings, schema=drafts_schema()), way_on)
        answered = answer.text or f"(blocked: {answer.signal or 'no reason given'})"
        reply = redacted(Reply(key=key, model=self.model.name, request=text, reply=answered, usage=answer.usage))
        self.folder.append("replies", [reply])  # before anything else: it is paid for
        self.replies[key] = reply
        return reply
