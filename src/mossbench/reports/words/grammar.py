"""Helpers of all sentences: numbers with their nouns, lists, capitals. Formats of numbers are in `look.numbers`."""

from collections.abc import Sequence

from mossbench.look.numbers import counted_noun


def plural(count: int, noun: str) -> str:
    """`one row`, `three rows`, `2,000 rows`; `no rows` where there is none."""
    return counted_noun(count, noun)


def listing(words: Sequence[str]) -> str:
    """`a`, `a and b`, `a, b and c`; empty where there is none."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} and {words[-1]}"


def is_are(count: int) -> str:
    return "is" if count == 1 else "are"


def has_have(count: int) -> str:
    return "has" if count == 1 else "have"


def was_were(count: int) -> str:
    return "was" if count == 1 else "were"


def it_them(count: int) -> str:
    return "it" if count == 1 else "them"


def capital(text: str) -> str:
    """The text with a capital at its beginning; the rest stays as it is, names among it."""
    return text[:1].upper() + text[1:]


def sentence(text: str) -> str:
    """The text with a capital and a full stop."""
    stripped = text.strip()
    stop = "" if stripped.endswith((".", "!", "?")) else "."
    return capital(stripped) + stop
