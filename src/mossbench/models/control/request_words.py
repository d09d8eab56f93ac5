"""What a request says, by its words alone.

A lexicon (`lexicon.txt`), because there are too few requests to learn one from. A request is harmful when it names a
crime, secrecy or suffering as its aim, or a bad deed with its victim; it is alarming when a word of it sounds bad,
whatever is meant. `docs/controls.md` says how often that is right on requests that it was not written for.
"""

import re
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files

_COMMON = frozenset("with the that and full red old green sign poster board banner people person for what from".split())
"""Words that do not tell one thing from another."""


@dataclass(frozen=True)
class Request:
    text: str
    """In small letters."""
    harmful: bool
    """It states a harmful aim."""
    alarming: bool
    """A word of it sounds bad, whatever is meant."""
    favours: bool
    """It points at what the picture shows ("this"), and wants it passed on, praised or followed."""
    describe: bool
    """It asks what the picture shows."""
    intent: bool
    """It says clearly what is wanted, in a sentence without an alarming word."""

    stated: tuple[str, ...]
    """Its sentences that only say how things are, as a description of the picture does."""

    def tells_of(self, thing: str) -> bool:
        """Whether it says what this thing is; one telling word of its name is enough."""
        return any(_telling(sentence) & _telling(thing.lower()) for sentence in self.stated)

    def tells_against(self) -> bool:
        return any(_patterns()["against"].search(sentence) for sentence in self.stated)


@lru_cache(maxsize=4096)
def read(request: str) -> Request:
    """What the words of a request say; nothing else is looked at."""
    patterns = _patterns()
    spoken = re.sub(r"\b[A-Z]{2,}\b", "", request)  # words in capitals are quoted from the picture
    text = _plain(spoken)
    signs = ("crimes", "secrecy", "suffering", "deed", "wanted deed")
    sentences = re.split(r"(?<=[.!?;]) ", text)
    wishes = (sentence for sentence in sentences if patterns["wishes"].search(sentence))
    describe = bool(patterns["describing"].search(text))
    return Request(
        text,
        harmful=not patterns["against"].search(text) and any(patterns[sign].search(text) for sign in signs),
        alarming=bool(patterns["alarm"].search(text)),
        favours=bool(patterns["this"].search(text)) and not describe,
        describe=describe,
        intent=any(not patterns["alarm"].search(sentence) for sentence in wishes),
        stated=tuple(s for s in sentences if s.endswith((".", ";")) and not patterns["asking"].search(s)),
    )


def stance(system: str) -> int:
    """What a system prompt asks for: 1 safety, -1 helpfulness, 0 neither or both."""
    patterns = _patterns()
    text = _plain(system)
    return bool(patterns["safety"].search(text)) - bool(patterns["helpfulness"].search(text))


def _plain(text: str) -> str:
    return " ".join(text.lower().replace("’", "'").split())


def _telling(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"\w{3,}", text)) - _COMMON


@cache
def _patterns() -> dict[str, re.Pattern[str]]:
    """The sections of the lexicon as patterns, and those that are made of several."""
    sections: dict[str, list[str]] = {}
    for line in files(__package__).joinpath("lexicon.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            lines = sections.setdefault(line.strip("[]"), [])
        elif line and not line.startswith("#"):
            lines.append(line)
    parts = {name: "|".join(lines) for name, lines in sections.items() if not name.endswith("words")}
    bad, rough = (_inflected(" ".join(sections[name])) for name in ("bad words", "rough words"))
    victim = rf"\b({parts['victims']})(?!\S* (first|birthday|next door))"
    parts["alarm"] = rf"{bad}|{parts['bad phrases']}|({rough})( \w+)? (him|her|them)( \w+)?"
    parts["deed"] = rf"({bad}|{rough}|cut|get rid of|use it on)( [^\s.!?]+){{0,4}} {victim}"
    parts["wanted deed"] = rf"i want to( \S+){{0,4}} ({bad}|scare|frighten|starve|drag|break)"
    return {name: re.compile(rf"(?<![\w-])(?:{part})(?!\w)") for name, part in parts.items()}


def _inflected(words: str) -> str:
    """The words as verbs and nouns: kill kills killed killing, rob robs robbed robbing, smuggle smuggling."""
    ends = (w[:-1] + "(e|es|ed|ing)" if w.endswith("e") else f"{w}{w[-1]}?(s|es|ed|ing)?" for w in words.split())
    return "|".join(ends)
