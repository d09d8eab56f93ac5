"""The grammar: scenes, things and requests of ours, put together by a seed. Offline, and the same for the same seed.

A file for each stimulus has texts with slots and lists of values for them. The first slot has the domain; a value with
`at` is only for those domains. In the request a slot such as {this} is vague; elsewhere it is named.
"""

import hashlib
import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import chain, product, repeat, zip_longest
from types import SimpleNamespace

from mossbench.building.candidates import PREFIXES, Candidate, Origin
from mossbench.building.drafts import Draft, data_file, toml_file
from mossbench.errors import unknown_name
from mossbench.samples import Stimulus

BY = "grammar"
_NAMED = ("intent", "explicit_request")
_TRIED = 30  # combinations of which the one with the least used values is taken: even use at little cost


@dataclass(frozen=True)
class SlotValue:
    """A value of a slot, as its file has it."""

    name: str
    """Where it stands in the file: two values may have equal words."""
    number: int
    """Its place in its list, counted from 1."""
    texts: dict[str, str]
    """What the grammar's texts take from it, by name."""
    domain: str = ""
    """Of a value of the first slot."""
    harm: int | None = None
    only_at: frozenset[str] | None = None
    """The domains that it fits; None: all."""
    own: dict[str, tuple["SlotValue", ...]] = field(default_factory=dict)
    """Slot -> values that are only for this one and take the place of the shared ones."""


@dataclass(frozen=True)
class Grammar:
    """The file of one stimulus."""

    slots: tuple[str, ...]
    texts: dict[str, str]
    """Field of a draft -> text with slots in it."""
    plain: dict[str, str]
    """Vague words, for the request."""
    named: dict[str, str]
    """What the vague words stand for, where it is named."""
    values: dict[str, tuple[SlotValue, ...]]
    """Slot -> its values."""

    @property
    def first_values(self) -> tuple[SlotValue, ...]:
        return self.values[self.slots[0]]


def grammar_domains() -> list[str]:
    domains = set[str]()
    for stimulus in Stimulus:
        domains.update(value.domain for value in _grammar(stimulus).first_values)
    return sorted(domains)


def check_domain(domain: str | None) -> None:
    domains = grammar_domains()
    if domain is not None and domain not in domains:
        raise unknown_name(
            "domain of the grammar", domain, domains, f"known: {', '.join(domains)}; a model accepts any"
        )


def grammar_candidates(stimuli: tuple[Stimulus, ...], domain: str | None, seed: int) -> Iterator[Candidate]:
    """All that the grammar can say, the stimuli in turn; what comes first uses its values evenly."""
    digest = hashlib.sha256("".join(data_file(_file(stimulus)) for stimulus in Stimulus).encode()).hexdigest()
    origin = Origin(by=BY, version=digest[:8], seed=seed)
    drafts = zip_longest(*(zip(repeat(stimulus), _drafts(stimulus, domain, seed)) for stimulus in stimuli))
    for stimulus, (draft, cluster) in filter(None, chain.from_iterable(drafts)):
        yield draft.candidate(stimulus, origin).model_copy(update={"cluster": cluster})


def _file(stimulus: Stimulus) -> str:
    return f"grammar/{stimulus}.toml"


@cache
def _grammar(stimulus: Stimulus) -> Grammar:
    table = toml_file(_file(stimulus))
    slots = tuple(table["slots"])
    return Grammar(
        slots=slots,
        texts=table["texts"],
        plain=table["plain"],
        named=table["named"],
        values={slot: _read_values(slot, table.get(slot, ()), slots) for slot in slots},
    )


def _read_values(name: str, tables: Sequence[Mapping[str, object]], slots: Sequence[str]) -> tuple[SlotValue, ...]:
    return tuple(_read_value(f"{name} {number}", number, table, slots) for number, table in enumerate(tables, start=1))


def _read_value(name: str, number: int, table: Mapping[str, object], slots: Sequence[str]) -> SlotValue:
    texts: dict[str, str] = {}
    own: dict[str, tuple[SlotValue, ...]] = {}
    harm = None
    only_at = None
    for key, value in table.items():
        if isinstance(value, str):
            texts[key] = value
        elif isinstance(value, int):
            harm = value
        elif isinstance(value, list) and key in slots:
            own[key] = _read_values(f"{name} {key}", value, slots)
        elif isinstance(value, list):
            only_at = frozenset(value)
    return SlotValue(name, number, texts, texts.get("domain", ""), harm, only_at, own)


def _drafts(stimulus: Stimulus, domain: str | None, seed: int) -> Iterator[tuple[Draft, str]]:
    """Drafts, and what those of one place, practice or thing share."""
    grammar = _grammar(stimulus)
    unused = [values for values in _combinations(grammar) if domain in (None, values[0].domain)]
    rng = random.Random(f"{stimulus} {seed}")
    rng.shuffle(unused)
    n_used = Counter[str]()
    while unused:
        place = min(range(len(unused))[:_TRIED], key=lambda i: [n_used[value.name] for value in unused[i]])
        values = unused[place]
        unused[place] = unused[-1]
        unused.pop()
        n_used.update(value.name for value in values)
        yield _draft(grammar, values), f"{PREFIXES[stimulus]}-{values[0].number}"


def _combinations(grammar: Grammar) -> Iterator[tuple[SlotValue, ...]]:
    """Every choice of a value for each slot; a value of the first slot may have values of its own for the others."""
    other_slots = grammar.slots[1:]
    for first in grammar.first_values:
        choices = [first.own.get(slot) or grammar.values[slot] for slot in other_slots]
        for other_values in product(*choices):
            if all(_fits_domain(value, first.domain) for value in other_values):
                yield first, *other_values


def _fits_domain(value: SlotValue, domain: str) -> bool:
    return value.only_at is None or domain in value.only_at


def _draft(grammar: Grammar, values: tuple[SlotValue, ...]) -> Draft:
    slots = {slot: SimpleNamespace(**value.texts) for slot, value in zip(grammar.slots, values, strict=True)}
    templates = {"contrast_scene": "", "overlay_kind": "none", "overlay_text": "", **grammar.texts}
    texts = {}
    for name, template in templates.items():
        pronouns = grammar.named if name in _NAMED else grammar.plain
        texts[name] = _filled(template, {**slots, **pronouns})
    harm = next(value.harm for value in values if value.harm is not None)
    return Draft.model_validate({**texts, "harm": harm, "domain": values[0].domain})


def _filled(text: str, slots: Mapping[str, SimpleNamespace | str]) -> str:
    while "{" in text:  # what a slot says may have slots itself
        text = text.format_map(slots)
    return text
