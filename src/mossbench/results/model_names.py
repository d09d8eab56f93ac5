"""Whether a reply names another model than the one that was asked.

It is the asked one if the names are alike but for a date, a version of three digits, a word such as `latest`, the order
of the words and who publishes it. What is named is another model only where that cannot be so; where it may be an
alias, nothing is concluded.
"""

import re
from collections import Counter
from typing import NamedTuple

_PROVIDERS = ("openai/", "anthropic/", "google/", "inspect/")
"""Providers whose replies name a model as they are asked for one; what own code says of itself is its own."""
_DATE = re.compile(
    r"""
    (?<!\d)
    (?: 20\d\d [-.]? \d\d [-.]? \d\d             # 2024-08-06, 20240806
      | \d\d - 20\d\d                            # 09-2025
      | (?:0\d|1[0-2]) - [0-3]\d (?=$)            # 05-20, at the end
      | (?:0[1-9]|1[0-2]) (?:0[1-9]|[12]\d|3[01]) # 0613: month and day
      | 2[3-9] (?:0[1-9]|1[0-2])                  # 2411: year and month
      | 00\d                                      # 001: a version of three digits
    )
    (?!\d)
    """,
    re.VERBOSE,
)
_NEWEST_WORDS = {"latest", "preview", "exp", "experimental", "beta"}
"""Words of a name that stands for whatever is newest."""
_ROUTER_WORDS = {"auto", "router"}
"""Words of a name that stands for whatever a router chooses."""
_SAME_MODEL_VARIANTS = ("", "latest", "free", "nitro", "floor", "online", "extended", "exacto")
"""What routers add behind a colon without asking another model."""


class _Parts(NamedTuple):
    """What the name of a model consists of."""

    words: list[str]
    """Sorted, without dates and `_NEWEST_WORDS`."""
    dates: list[str]
    """Digits alone."""
    is_newest: bool
    """Whether it has one of `_NEWEST_WORDS`."""


def is_other_model(asked: str, named: str | None) -> bool | None:
    """Whether a reply that names this model was given by another one than was asked; None where that is not known."""
    if not named or not asked.startswith(_PROVIDERS):
        return None
    asked_name = _without_publisher(asked)
    replied_name = _without_publisher(named)
    if asked_name == replied_name:
        return False
    asked_parts = _parts_of(asked_name)
    replied_parts = _parts_of(replied_name)
    if asked_parts.words == replied_parts.words:
        return _is_other_date(asked_parts.dates, replied_parts.dates)
    if _ROUTER_WORDS & set(asked_parts.words):
        return None
    if asked_parts.is_newest and _contains_the_other(asked_parts.words, replied_parts.words):
        return None  # the newest model of a name may have one word more or less
    return True


def _is_other_date(asked: list[str], named: list[str]) -> bool | None:
    """Whether names that differ in their dates alone are of two models; a name without one stands for the newest."""
    if asked and named:
        return asked != named
    return None if asked else False


def _contains_the_other(words: list[str], other_words: list[str]) -> bool:
    """Whether one of two names has all words of the other."""
    counts = Counter(words)
    other_counts = Counter(other_words)
    return counts <= other_counts or other_counts <= counts


def _without_publisher(name: str) -> str:
    """The last part of a name, without what a router adds behind a colon."""
    last_part = name.lower().rpartition("/")[2]
    base, _, variant = last_part.partition(":")
    return base if variant in _SAME_MODEL_VARIANTS else last_part


def _parts_of(name: str) -> _Parts:
    all_words = [word for word in re.split(r"[^a-z0-9]+", _DATE.sub(" ", name)) if word]
    words = [word for word in all_words if word not in _NEWEST_WORDS]
    while len(words) > 1 and words[-1] == "0":  # claude-opus-4-0 is claude-opus-4
        words.pop()
    dates = [re.sub(r"\D", "", date) for date in _DATE.findall(name)]
    is_newest = bool(_NEWEST_WORDS & set(re.split(r"[^a-z]+", name)))
    return _Parts(sorted(words), dates, is_newest)
