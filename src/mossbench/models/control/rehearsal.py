"""Rehearsals: control models that refuse a planted share of any dataset, `control/candid?on=id&rate=0.2`.

Nothing is seen or understood here, so any images, languages and ids will do. A sample is refused if a hash is below
the rate of its side: of its side and id (`on=id`, each sample by itself), or of its value in a column (samples that
share the value together). What was planted stands with every answer (`Answer.planted`), so the refusals that a judge
found can be compared with it row by row. The control's name says only how it words its answers.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from mossbench.errors import UsageError, n_of, unknown_name
from mossbench.models.control.answer_texts import write, write_caption, write_reluctant
from mossbench.models.control.names import FAULTS, Spec
from mossbench.models.control.planted import hashed, kind_by_share, names_of
from mossbench.models.control.request_words import read
from mossbench.models.model import Model, Prompt
from mossbench.outcomes import Answer, Key, Kind, Stop
from mossbench.samples import Sample, Side, value_text

PLAIN_CONTROLS = ("candid", "stonewall", "learned")
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
_SIDE_WORDS = {Side.BENIGN: "harmless", Side.CONTRAST: "harmful"}
FEW_VALUES = 20
"""With fewer values in a column, the share of samples that is refused can be far from the rate."""
_WHOLE_NUMBER = re.compile(r"([+-]?\d+)\.0+", re.ASCII)
"""A whole number as some formats write it: `1.0`."""


class Rehearsal(Model):
    """A control that refuses by a hash of the id or of a column."""

    version = "2"
    """Moves when an answer to anything can."""

    def __init__(self, spec: Spec) -> None:
        self.spec = spec
        self.name = f"control/{spec.canonical}"
        self._column: str | None = "id" if spec.on == "id" else None
        """What the data call the column, whatever the user calls it. None: no data were shown yet."""
        self._values: dict[tuple[Side, str], str] = {}
        """What each sample has in the column; empty where it has nothing."""

    def read_data(self, samples: Sequence[Sample], columns: Mapping[str, str]) -> None:
        if self.spec.on == "id":
            return
        column = self._resolved_column(samples, columns)
        values = {} if column == "id" else {sample.key: value_of(sample, column) for sample in samples}
        self._check_same_data(column, values)
        self._column = column
        self._values.update(values)

    def _resolved_column(self, samples: Sequence[Sample], columns: Mapping[str, str]) -> str:
        """The column that the user named, by the name of the field where it has another one in the user's table."""
        if not samples:
            raise UsageError(f"{self.name} decides by column {self.spec.on!r}, and the data have no samples")
        field_of = {column: field for field, column in columns.items()}
        column = field_of.get(self.spec.on, self.spec.on)
        columns_in_data = columns_of(samples)
        if column not in columns_in_data:
            listed = f"on of control/{self.spec.name} takes one of {', '.join(columns_in_data)}"
            raise unknown_name("column of the data", self.spec.on, columns_in_data, listed)
        return column

    def _check_same_data(self, column: str, values: Mapping[tuple[Side, str], str]) -> None:
        """A UsageError where other data were shown before, for which what was decided would change."""
        is_other_column = self._column is not None and self._column != column
        changed = [key for key, value in values.items() if self._values.get(key, value) != value]
        if not is_other_column and not changed:
            return
        changed_data = (
            f"column {self.spec.on!r}" if is_other_column else f"{n_of(len(changed), 'sample')} of the same id"
        )
        raise UsageError(
            f"{self.name} was shown other data before, in which {changed_data} had other values, so its decisions on "
            f"them would change; load the model again for these data: load_model({self.name!r})"
        )

    def check(self, samples: Sequence[Sample]) -> tuple[str, ...]:
        if self._column is None or self._column == "id":
            return ()
        notices = (self._notice_of_missing_values(samples), self._notice_of_few_values(samples))
        return tuple(f"{self.name}: {notice}" for notice in notices if notice)

    def _notice_of_missing_values(self, samples: Sequence[Sample]) -> str:
        n_without = sum(not self._values.get(sample.key) for sample in samples)
        if not n_without:
            return ""
        have = "has" if n_without == 1 else "have"
        without = f"{n_without} of {n_of(len(samples), 'sample')} {have} nothing in column {self.spec.on!r}"
        each = "it" if n_without == 1 else "each of them"
        return f"{without}; {each} is decided by its id"

    def _notice_of_few_values(self, samples: Sequence[Sample]) -> str:
        """That the planted share can be far from the rate, since samples with the same value are decided together."""
        few = []
        for side in Side:
            rate = self._rate(side)
            n_samples = sum(sample.side is side for sample in samples)
            n_values = len({self._decided_by(Key(*sample.key)) for sample in samples if sample.side is side})
            is_certain = rate in (0, 1)
            if n_values < min(FEW_VALUES, n_samples) and not is_certain:
                few.append(f"{n_values} on the {_SIDE_WORDS[side]} side ({n_of(n_samples, 'sample')}, rate {rate:g})")
        if not few:
            return ""
        return (
            f"column {self.spec.on!r} has few values: {' and '.join(few)}. Samples that share a value are refused or "
            "answered together, so the share that is refused can be far from the rate; use a column with at least "
            f"{FEW_VALUES} values, or on=id"
        )

    def is_planted_refusal(self, key: Key, seed: int) -> bool:
        return self._draw("refusal", seed, *self._decided_by(key)) < self._rate(key.side)

    def _rate(self, side: Side) -> float:
        return self.spec.values["safety" if side is Side.CONTRAST else "rate"]

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
        if self._column is None:
            raise UsageError(f"{self.name} decides by column {self.spec.on!r}, and was shown no data; use on=id here")
        value = self._values.get((key.side, key.sample))
        if not value:
            return "id", key.side, key.sample
        return "column", self._column, value

    def _kind(self, prompt: Prompt, key: Key) -> Kind:
        """The kind of its answer: refused or answered, in the manner of the control that it is named after."""
        refuses = self.is_planted_refusal(key, prompt.settings.seed)
        if self.spec.name in PLAIN_CONTROLS:
            return Kind.REFUSED if refuses else Kind.ANSWERED
        if not refuses and self._describes(prompt):
            return Kind.ANSWERED
        if not refuses and self.spec.name == "reluctant":
            return Kind.WARNED
        drawn = self._draw("kind", prompt.settings.seed, key.side, key.sample, key.arm)
        kind = kind_by_share(REFUSALS if refuses else ANSWERS, drawn)
        if kind is Kind.INCAPABLE and prompt.picture is None:
            return Kind.REFUSED  # nobody says that they cannot see an image where there is none
        return kind

    def _fault(self, prompt: Prompt, key: Key) -> str:
        """Which of the faults of `faulty` befalls this call; empty: none."""
        drawn = self._draw("fault", prompt.settings.seed, key.side, key.sample, key.arm)
        for fault in FAULTS:
            drawn -= self.spec.values.get(fault, 0.0)
            if drawn < 0:
                return fault
        return ""

    async def _text(self, prompt: Prompt, key: Key, kind: Kind) -> str:
        rng = random.Random(self._hash("wording", prompt.settings.seed, key.side, key.sample, key.arm, prompt.request))
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
        return _plain_text(sample.metadata[column])
    if column in ("stimulus", "harm"):
        return sample.label(column)
    return _plain_text(getattr(sample, column) if column in FIELDS else None)


def _plain_text(value: Any) -> str:
    """A value as text, the same for every format of the data: `1` for 1.0, nothing for blanks."""
    if value is None:
        return ""
    text = value_text(value).strip()
    match = _WHOLE_NUMBER.fullmatch(text)
    return match[1] if match else text
