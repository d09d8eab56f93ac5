"""The grammar: scenes, things and requests of ours, put together by a seed. Offline, and the same for the same seed.

A file for each stimulus has texts with slots and lists of values for them. The first slot has the domain; a value with
`at` is only for those domains. In the request a slot such as {this} is vague; elsewhere it is named.
"""

import hashlib
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, product, repeat, zip_longest
from types import SimpleNamespace
from typing import Any

from mossbench.building.candidates import PREFIXES, Candidate, Origin
from mossbench.building.drafts import Draft, data_file, toml_file
from mossbench.errors import unknown_name
from mossbench.samples import Stimulus

BY = "grammar"
_NAMED = ("intent", "explicit_request")
_TRIED = 30  # combinations of which the one with the least used values is taken: even use at little cost


def grammar_domains() -> list[str]:
    grammars = [toml_file(_file(stimulus)) for stimulus in Stimulus]
    return sorted({value["domain"] for grammar in grammars for value in grammar[grammar["slots"][0]]})


def check_domain(domain: str | None) -> None:
    if domain is not None and domain not in grammar_domains():
        known = ", ".join(grammar_domains())
        raise unknown_name("domain of the grammar", domain, grammar_domains(), f"known: {known}; a model takes any")


def grammar_candidates(stimuli: tuple[Stimulus, ...], domain: str | None, seed: int) -> Iterator[Candidate]:
    """All that the grammar can say, the stimuli in turn; what comes first uses its values evenly."""
    digest = hashlib.sha256("".join(data_file(_file(stimulus)) for stimulus in Stimulus).encode()).hexdigest()
    origin = Origin(by=BY, version=digest[:8], seed=seed)
    drafts = zip_longest(*(zip(repeat(stimulus), _drafts(stimulus, domain, seed)) for stimulus in stimuli))
    for stimulus, (draft, cluster) in filter(None, chain.from_iterable(drafts)):
        yield draft.candidate(stimulus, origin).model_copy(update={"cluster": cluster})


def _file(stimulus: Stimulus) -> str:
    return f"grammar/{stimulus}.toml"


@dataclass(frozen=True)
class _Value:
    """A value of a slot, as its file has it."""

    name: str
    """Where it stands in the file: two values may have equal words."""
    fields: dict[str, Any]


def _drafts(stimulus: Stimulus, domain: str | None, seed: int) -> Iterator[tuple[Draft, str]]:
    """Drafts, and what those of one place, practice or thing share."""
    grammar = toml_file(_file(stimulus))
    combinations = list(_combinations(grammar))
    left = [values for values in combinations if domain in (None, values[0].fields["domain"])]
    rng = random.Random(f"{stimulus} {seed}")
    rng.shuffle(left)
    n_used = Counter[str]()
    while left:
        place = min(range(len(left))[:_TRIED], key=lambda i: [n_used[value.name] for value in left[i]])
        left[place], left[-1] = left[-1], left[place]
        values = left.pop()
        n_used.update(value.name for value in values)
        number = grammar[grammar["slots"][0]].index(values[0].fields) + 1
        yield _draft(grammar, values), f"{PREFIXES[stimulus]}-{number}"


def _combinations(grammar: dict[str, Any]) -> Iterator[tuple[_Value, ...]]:
    """Every choice of a value for each slot; a value of the first slot may have values of its own for the others."""
    first_slot, *other_slots = grammar["slots"]
    shared_values = {slot: _values(slot, grammar.get(slot, [])) for slot in other_slots}
    for first in _values(first_slot, grammar[first_slot]):
        choices = []
        for slot in other_slots:
            own_values = _values(f"{first.name} {slot}", first.fields.get(slot, []))
            choices.append(own_values or shared_values[slot])
        for others in product(*choices):
            if all(_fits_domain(value, first.fields["domain"]) for value in others):
                yield first, *others


def _values(slot: str, listed: list[dict[str, Any]]) -> list[_Value]:
    return [_Value(f"{slot} {number}", fields) for number, fields in enumerate(listed, start=1)]


def _fits_domain(value: _Value, domain: str) -> bool:
    return "at" not in value.fields or domain in value.fields["at"]


def _draft(grammar: dict[str, Any], values: tuple[_Value, ...]) -> Draft:
    chosen = zip(grammar["slots"], values, strict=True)
    slots = {slot: SimpleNamespace(**value.fields) for slot, value in chosen}
    templates = {"contrast_scene": "", "overlay_kind": "none", "overlay_text": "", **grammar["texts"]}
    texts = {}
    for field, template in templates.items():
        pronouns = grammar["named"] if field in _NAMED else grammar["plain"]
        texts[field] = _filled(template, {**slots, **pronouns})
    harm = next(value.fields["harm"] for value in values if "harm" in value.fields)
    return Draft.model_validate({**texts, "harm": harm, "domain": values[0].fields["domain"]})


def _filled(text: str, slots: dict[str, Any]) -> str:
    while "{" in text:  # what a slot says may have slots itself
        text = text.format_map(slots)
    return text
