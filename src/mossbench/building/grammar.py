"""The grammar: scenes, things and requests of ours, put together by a seed. Offline, and the same for the same seed.

A file for each stimulus has texts with slots and lists of values for them. The first slot has the domain; a value with
`at` is only for those domains. In the request a slot such as {this} is vague; elsewhere it is named.
"""

import hashlib
import random
from collections import Counter
from collections.abc import Iterator
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


def _drafts(stimulus: Stimulus, domain: str | None, seed: int) -> Iterator[tuple[Draft, str]]:
    """Drafts, and what those of one place, practice or thing share."""
    grammar = toml_file(_file(stimulus))
    left = [values for values in _combinations(grammar) if domain in (None, values[0]["domain"])]
    rng, used = random.Random(f"{stimulus} {seed}"), Counter[int]()
    rng.shuffle(left)
    while left:
        place = min(range(len(left))[:_TRIED], key=lambda i: [used[id(value)] for value in left[i]])
        left[place], left[-1] = left[-1], left[place]
        values = left.pop()
        used.update(map(id, values))
        yield _draft(grammar, values), f"{PREFIXES[stimulus]}-{grammar[grammar['slots'][0]].index(values[0]) + 1}"


def _combinations(grammar: dict[str, Any]) -> Iterator[tuple[dict[str, Any], ...]]:
    first, *others = grammar["slots"]
    for value in grammar[first]:
        lists = [value.get(slot) or grammar[slot] for slot in others]
        for values in product(*lists):
            if all(value["domain"] in each["at"] for each in values if "at" in each):
                yield value, *values


def _draft(grammar: dict[str, Any], values: tuple[dict[str, Any], ...]) -> Draft:
    slots = {slot: SimpleNamespace(**value) for slot, value in zip(grammar["slots"], values, strict=True)}
    texts = {"contrast_scene": "", "overlay_kind": "none", "overlay_text": "", **grammar["texts"]}
    said = {
        field: _filled(text, {**slots, **grammar["named" if field in _NAMED else "plain"]})
        for field, text in texts.items()
    }
    harm = next(value["harm"] for value in values if "harm" in value)
    return Draft.model_validate({**said, "harm": harm, "domain": values[0]["domain"]})


def _filled(text: str, slots: dict[str, Any]) -> str:
    while "{" in text:  # what a slot says may have slots itself
        text = text.format_map(slots)
    return text
