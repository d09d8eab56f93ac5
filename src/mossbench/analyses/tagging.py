"""Tags on refusals: which distortion of thought do the words show? By rules, with the words that show it.

The four are the published reading of refusals by analogy with people's distortions. A tag says what is in the words,
not what went on in the model; a refusal may have several, or none. How good the rules are is measured on refusals that
they were not written with (docs/analyses.md).
"""

import re
import tomllib
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

TAGGER = "rules/2"


class Distortion(StrEnum):
    """What the words of a refusal show; `MEANINGS` says what each is."""

    CATASTROPHISING = "catastrophising"
    FILTERING = "mental filtering"
    MIND_READING = "mind reading"
    MORALISING = "moralising"


_TABLE = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
MEANINGS: dict[Distortion, str] = {Distortion(name): meaning for name, meaning in _TABLE["meanings"].items()}
"""The one definition, for pages, for people and for a model that tags."""


@dataclass(frozen=True)
class Tag:
    """One distortion and the words that show it."""

    distortion: Distortion
    words: str
    start: int
    end: int


def _rules() -> dict[Distortion, tuple[re.Pattern[str], ...]]:
    """The patterns of tagging.toml, with its words in the place of their names."""
    words = {name: text.replace("\n", "") for name, text in _TABLE["words"].items()}
    name_in_braces = re.compile(rf"\{{({'|'.join(words)})\}}")

    def compiled(pattern: str) -> re.Pattern[str]:
        return re.compile(name_in_braces.sub(lambda match: words[match[1]], pattern), re.IGNORECASE)

    return {Distortion(name): tuple(map(compiled, patterns)) for name, patterns in _TABLE["patterns"].items()}


_RULES = _rules()


def tags_of(text: str) -> tuple[Tag, ...]:
    """The distortions that the words show, each once, with the first words that show it."""
    plain = text.replace("\u2019", "'")
    tags = []
    for distortion, rules in _RULES.items():
        matches = [match for match in (rule.search(plain) for rule in rules) if match]
        if matches:
            first = min(matches, key=lambda match: match.start())
            tags.append(Tag(distortion, text[first.start() : first.end()], first.start(), first.end()))
    return tuple(tags)
