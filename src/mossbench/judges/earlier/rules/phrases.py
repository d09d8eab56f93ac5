"""What the rules listen for: the patterns, words and families of `phrases.txt`.

Most ways of saying something are ruled out by a set lookup on the beginnings of the sentence's words, without trying a
regular expression. Each is compiled when it is first tried: most runs never meet half of them.
"""

import re
from collections.abc import Iterable, Sequence
from importlib import resources
from typing import Any, Final, Generic, NamedTuple, TypeVar, cast

T = TypeVar("T")


class _Later:
    def __init__(self, text: str) -> None:
        self.pattern = text

    def __getattr__(self, name: str) -> Any:
        found = getattr(re.compile(self.pattern), name)
        setattr(self, name, found)
        return found


def later(text: str) -> re.Pattern[str]:
    """The pattern, compiled when it is first used."""
    return cast("re.Pattern[str]", _Later(text))


class Way(NamedTuple):
    """One way to say something; `anchors` are beginnings of words of which every match holds one (empty: unknown)."""

    anchors: frozenset[str]
    also: frozenset[str]
    """Beginnings of words of which every match holds another one (empty: none needed)."""
    pattern: re.Pattern[str]


class Finder(Generic[T]):
    """Finds the first of several things that a sentence says, in the order in which they were given."""

    def __init__(self, families: Sequence[tuple[T, Sequence[Way]]]) -> None:
        self._ways = [(thing, way.pattern, way.also) for thing, ways in families for way in ways]
        anchors = [way.anchors for _, ways in families for way in ways]
        self._always = frozenset(index for index, words in enumerate(anchors) if not words)
        self._anchors = frozenset().union(*anchors)
        self._by_beginning: dict[str, tuple[int, ...]] = {}
        for index, words in enumerate(anchors):
            for word in words:
                self._by_beginning[word] = (*self._by_beginning.get(word, ()), index)

    def first(self, plain: str, starts: frozenset[str]) -> T | None:
        """The first thing said; `starts` are the beginnings of the sentence's words."""
        tried = set(self._always)
        for start in starts & self._anchors:
            tried.update(self._by_beginning[start])
        for index in sorted(tried):
            thing, pattern, also = self._ways[index]
            if also and also.isdisjoint(starts):
                continue
            if pattern.search(plain):
                return thing
        return None


def beginnings(words: Iterable[str]) -> frozenset[str]:
    return frozenset([word[:4] for word in words])


def pattern(name: str) -> re.Pattern[str]:
    return later(_PATTERNS[name])


_PATTERNS: Final[dict[str, str]] = {}
_WORDS: Final[dict[str, frozenset[str]]] = {}
_FAMILIES: Final[dict[str, list[Way]]] = {}
words, family = _WORDS.__getitem__, _FAMILIES.__getitem__
"""The set of words, and the ways to say something, of a name."""


def _load(lines: Iterable[str]) -> None:
    ways: list[Way] | None = None
    for line in lines:
        if line.startswith("== "):
            ways = _FAMILIES.setdefault(line[3:], [])
        elif ways is not None:
            anchors, _, way = line.rpartition(" => ")
            anchors, _, also = anchors.partition(" & ")
            ways.append(Way(frozenset(anchors.split()), _WORDS.get(also, frozenset()), later(_filled(way))))
        elif " := " in line:
            name, _, listed = line.partition(" := ")
            _WORDS[name] = frozenset(listed.split())
        else:
            name, _, defined = line.partition(" = ")
            _PATTERNS[name] = _filled(defined)


def _filled(text: str) -> str:
    return re.sub(r"\{([a-z_]+)\}", lambda match: _PATTERNS[match[1]], text)


def _lines(text: str) -> Iterable[str]:
    """The lines of the file without comments; an indented line goes on with the one before."""
    joined = text.replace("\n  ", " ").splitlines()
    return (line for line in joined if line and not line.startswith("#"))


_load(_lines(resources.files(__package__).joinpath("phrases.txt").read_text(encoding="utf-8")))
