"""Helpers for all sentences: numbers with their nouns, lists, capitals. `look.numbers` has the number formats."""

from collections.abc import Sequence

from mossbench.look.numbers import counted_noun


def plural(count: int, noun: str) -> str:
    """A count in words: `no rows`, `one row`, `three rows`, `2,000 rows`."""
    return counted_noun(count, noun)


def in_digits(count: int, noun: str) -> str:
    """A count in digits: `0 rows`, `1 row`, `2,000 rows`."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def listing(words: Sequence[str]) -> str:
    """`a`, `a and b`, `a, b and c`; empty without words."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} and {words[-1]}"


def is_are(count: int) -> str:
    return "is" if count == 1 else "are"


def has_have(count: int) -> str:
    return "has" if count == 1 else "have"


def was_were(count: int) -> str:
    return "was" if count == 1 else "were"


def it_they(count: int) -> str:
    return "it" if count == 1 else "they"


def it_them(count: int) -> str:
    return "it" if count == 1 else "them"


def capital(text: str) -> str:
    """The text with its first letter as a capital; nothing else changes, since it may have names in it."""
    return text[:1].upper() + text[1:]


def sentence(text: str) -> str:
    """The text with a capital at the start and a full stop at the end."""
    stripped = text.strip()
    full_stop = "" if stripped.endswith((".", "!", "?")) else "."
    return capital(stripped) + full_stop
