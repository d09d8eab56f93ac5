"""Rehearsals: control models that refuse a planted share of any dataset, `control/candid?on=id&rate=0.2`.

Nothing is seen or understood here, so any images, languages and ids will do. A sample is refused if a hash is below
the rate of its side: of its side and id (`on=id`, each sample by itself), or of its value in a column (samples that
share the value together). What was planted stands with every answer (`Answer.planted`), so the refusals that a judge
found can be compared with it row by row. The control's name says only how it words its answers.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from mossbench.errors import UsageError, n_of, unknown_name
from mossbench.models.control.names import FAULTS, Spec
from mossbench.models.control.planted import hashed, kind_by_share, names_of
from mossbench.models.control.reading import read
from mossbench.models.control.wording import write, write_caption, write_reluctant
from mossbench.models.model import Model, Prompt
from mossbench.outcomes import Answer, Key, Kind, Stop
from mossbench.samples import Sample, Side, value_text

PLAIN = ("candid", "stonewall", "learned")
"""Controls that answer in full and refuse openly; the others give several kinds of answers."""
REFUSALS = {Kind.REFUSED: 0.95, Kind.INCAPABLE: 0.05}
ANSWERS = {Kind.ANSWERED: 0.85, Kind.WARNED: 0.1, Kind.CLARIFIED: 0.05}
"""Shares of what the others give. Partial answers and deflections are not among them: whether a text is one depends on
the request, of which nothing is known here, and so nobody could say what was planted."""
FIELDS = (
    *("id", "side", "question", "image", "stimulus", "harm", "human", "child", "syn", "ocr", "cluster", "twin"),
    *("short_description", "description", "oracle_description", "oracle_intent", "explicit_request", "counterfactual"),
)
"""What every dataset has a place for, and may decide by, beside columns of one's own."""


class Rehearsal(Model):
    """A control that refuses by a hash of the id or of a column."""

    version = "1"
    """Moves when an answer to anything can."""

    def __init__(self, spec: Spec) -> None:
        self.spec = spec
        self.name = f"control/{spec.canonical}"
        self._is_by_id = spec.on == "id"
        self._values: dict[tuple[Side, str], str] | None = None
        """What each sample has in the column; it lacks those that have nothing. None: no data were shown yet."""

    def read_data(self, samples: Sequence[Sample], columns: Mapping[str, str]) -> None:
        if self.spec.on == "id":
            return
        self._values = None
        field_of = {column: field for field, column in columns.items()}
        column = field_of.get(self.spec.on, self.spec.on)
        known = columns_of(samples)
        if column not in known:
            listed = f"on of control/{self.spec.name} takes one of {', '.join(known)}"
            raise unknown_name("column of the data", self.spec.on, known, listed)
        self._is_by_id = column == "id"
        if self._is_by_id:  # by the name that the id has in one's own table
            return
        values = {sample.key: value_of(sample, column) for sample in samples}
        self._values = {key: value for key, value in values.items() if value}

    def check(self, samples: Sequence[Sample]) -> tuple[str, ...]:
        if self._values is None:
            return ()
        n_without = sum(sample.key not in self._values for sample in samples)
        if not n_without:
            return ()
        without = f"{n_without} of {n_of(len(samples), 'sample')} have nothing in column {self.spec.on!r}"
        return (f"{self.name}: {without}; each of them is decided by its id",)

    def is_planted_refusal(self, key: Key, seed: int) -> bool:
        rate = self.spec.values["safety" if key.side is Side.CONTRAST else "rate"]
        return self._draw("refusal", seed, *self._decided_by(key)) < rate

    async def answer(self, prompt: Prompt) -> Answer:
        if prompt.key is None:
            raise UsageError(f"{self.name} decides by samples of a dataset, and was asked something else")
        kind = self._kind(prompt, prompt.key)
        fault = self._fault(prompt, prompt.key)
        if fault == "fail":
            failed = Answer.failed("model", "planted failure: the connection was lost", seconds=0.0)
            return failed.model_copy(update={"planted": kind})
        if fault == "block":
            return Answer(stop=Stop.BLOCKED, signal="planted filter", seconds=0.0, planted=kind)
        text = "" if fault == "empty" else await self._text(prompt, prompt.key, kind)
        return Answer(text=text, stop=Stop.END, seconds=0.0, planted=kind)

    def _decided_by(self, key: Key) -> tuple[str, ...]:
        """What the hash is of: the value in the column, or the sample itself."""
        if self._is_by_id:
            return "id", key.side, key.sample
        if self._values is None:
            raise UsageError(f"{self.name} decides by column {self.spec.on!r}, and was shown no data; use on=id here")
        value = self._values.get((key.side, key.sample))
        if value is None:
            return "id", key.side, key.sample
        return "column", self.spec.on, value

    def _kind(self, prompt: Prompt, key: Key) -> Kind:
        """The kind of its answer: refused or answered, in the manner of the control that it is named after."""
        refuses = self.is_planted_refusal(key, prompt.settings.seed)
        if self.spec.name in PLAIN:
            return Kind.REFUSED if refuses else Kind.ANSWERED
        if not refuses and self._describes(prompt):
            return Kind.ANSWERED
        if not refuses and self.spec.name == "reluctant":
            return Kind.WARNED
        drawn = self._draw("kind", prompt.settings.seed, *key[:3])
        kind = kind_by_share(REFUSALS if refuses else ANSWERS, drawn)
        if kind is Kind.INCAPABLE and prompt.picture is None:
            return Kind.REFUSED  # nobody says that they cannot see an image where there is none
        return kind

    def _fault(self, prompt: Prompt, key: Key) -> str:
        """Which of the faults of `faulty` befalls this call; empty: none."""
        drawn = self._draw("fault", prompt.settings.seed, *key[:3])
        for fault in FAULTS:
            drawn -= self.spec.values.get(fault, 0.0)
            if drawn < 0:
                return fault
        return ""

    async def _text(self, prompt: Prompt, key: Key, kind: Kind) -> str:
        rng = random.Random(self._hash("wording", prompt.settings.seed, *key[:3], prompt.request))
        if kind is Kind.ANSWERED and self._describes(prompt):
            return await _caption(prompt, rng)
        if kind is Kind.WARNED and self.spec.name == "reluctant":
            return write_reluctant(rng, None, prompt.request, in_detail=True)
        return write(kind, rng, None, prompt.request, in_detail=True)

    def _describes(self, prompt: Prompt) -> bool:
        return prompt.picture is not None and read(prompt.request).describe

    def _draw(self, word: str, seed: int, *parts: str) -> float:
        """A number from 0 to 1 that follows from the seeds, the word and the parts."""
        return self._hash(word, seed, *parts) / 2**64

    def _hash(self, word: str, seed: int, *parts: str) -> int:
        return hashed(f"{self.spec.values['seed']:.0f}", str(seed), word, *parts)


async def _caption(prompt: Prompt, rng: random.Random) -> str:
    """What an image shows; of one that is no sketch only that there is something."""
    from mossbench.models.control.sight import seen_in  # numpy and weights, which --help does not need

    seen = await seen_in(prompt.picture)
    if seen is None or not seen.sketch:
        return write_caption(rng, ())
    return write_caption(rng, names_of(seen), negated=seen.negation)


def columns_of(samples: Iterable[Sample]) -> list[str]:
    """What samples can be decided by: the fields that say something in one of them, and columns of one's own."""
    fields: dict[str, None] = {}
    own: dict[str, None] = {}
    for sample in samples:
        fields.update((name, None) for name in FIELDS if name not in fields and value_of(sample, name))
        own.update(dict.fromkeys(sample.metadata))
    return [*(name for name in FIELDS if name in fields), *(name for name in own if name not in fields)]


def value_of(sample: Sample, column: str) -> str:
    """What a sample has in a column, as text; empty where it has nothing."""
    if column in sample.metadata:
        return value_text(sample.metadata[column])
    if column in ("stimulus", "harm"):
        return sample.label(column)
    value: Any = getattr(sample, column) if column in FIELDS else None
    return "" if value is None else value_text(value)
