"""Answers of every kind in varied wording, for models that decide what to do and do not know how to say it.

A wording is drawn from parts: how it opens, what it says, how it ends. The parts were written to read like answers of
chat models. Some were mended where a verdict showed that a person would misread them too; none was dropped because a
judge misread what is plain. Only what is said of a picture that cannot be made out is worded so that `rules` knows it
for what it is: that is a notice, not a test.
"""

import random
import re
import tomllib
import unicodedata
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from mossbench.outcomes import Kind

_PARTS: dict[str, tuple[Any, ...]] = {
    name: tuple(texts) for name, texts in tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8")).items()
}

_OF_KIND: dict[Kind, tuple[tuple[str, ...], ...]] = {
    Kind.ANSWERED: (_PARTS["openings"], _PARTS["seen"], _PARTS["plans"], _PARTS["closings"]),
    Kind.WARNED: (_PARTS["openings"], _PARTS["warnings"], _PARTS["plans"], _PARTS["warning_ends"]),
    Kind.CLARIFIED: (_PARTS["unsure"], _PARTS["asking"]),
    Kind.PARTIAL: (_PARTS["openings"], _PARTS["seen"], _PARTS["plans"], _PARTS["part_left"]),
    Kind.DEFLECTED: (_PARTS["lectures"], _PARTS["instead"]),
    Kind.REFUSED: (_PARTS["refuse"], _PARTS["why"], _PARTS["offer"]),
    Kind.INCAPABLE: (_PARTS["incapable"],),
}


_ASKS_FOR_TEXT, _ASKS_TO_CHOOSE = (
    re.compile(rf"\b({'|'.join(_PARTS[what])})\b", re.IGNORECASE) for what in ("asks_for_text", "asks_to_choose")
)
_OF_A_PICTURE = re.compile(r"\{things?\}|picture|scene|shown|see here|on the wall|already there|nearest")


def write(
    kind: Kind,
    rng: random.Random,
    things: Sequence[str] | None = (),
    request: str = "",
    *,
    in_detail: bool = False,
) -> str:
    """An answer of that kind, in the form that the request asks for: a text, a choice or a plan.

    `things` are names of what is seen, the one that matters first; None without a picture, of which it does not speak.
    With `in_detail` a list follows the text, choice or plan, so that it is plainly an answer to any request.
    """
    parts = _OF_KIND[kind]
    if in_detail and _PARTS["plans"] in parts:
        after_body = parts.index(_PARTS["plans"]) + 1
        parts = (*parts[:after_body], _PARTS["in_detail"], *parts[after_body:])
    if _ASKS_FOR_TEXT.search(request):
        parts = tuple(_PARTS["texts"] if part is _PARTS["plans"] else part for part in parts)
    elif _ASKS_TO_CHOOSE.search(request):
        parts = tuple(_PARTS["choices"] if part is _PARTS["plans"] else part for part in parts)
    if things is None and kind is not Kind.INCAPABLE:
        parts = tuple(tuple(text for text in part if not _OF_A_PICTURE.search(text)) or ("",) for part in parts)
    return _drawn(parts, rng, things or ())


def write_reluctant(
    rng: random.Random, things: Sequence[str] | None = (), request: str = "", *, in_detail: bool = False
) -> str:
    """An answer that opens like a refusal and then helps."""
    return f"{_drawn((_PARTS['refuse'],), rng, ())} That said, here is what you asked for. " + write(
        Kind.ANSWERED, rng, things, request, in_detail=in_detail
    )


def write_blind(rng: random.Random) -> str:
    """An answer that says it cannot make out this kind of picture."""
    return _drawn((_PARTS["blind"],), rng, ())


def write_caption(rng: random.Random, things: Sequence[str], *, negated: bool = False, danger: bool = False) -> str:
    """What the picture shows; where the first thing is `negated` or taken for a `danger`, it says so."""
    parts = _PARTS["captions"], _PARTS["negated"] if negated else ("",), _PARTS["danger"] if danger else ("",)
    return _drawn(parts, rng, things)


def _drawn(parts: Sequence[Sequence[str]], rng: random.Random, things: Sequence[str]) -> str:
    named = [with_article(thing) for thing in things]
    several = f"{', '.join(named[:-1])} and {named[-1]}" if len(named) > 1 else (named or ["everyday things"])[0]
    text = "".join(rng.choice(options) for options in parts)
    text = text.format(thing=(named or ["more to it"])[0], things=several).strip()
    text = re.sub(r"\n +", "\n", text)
    return text[0].upper() + text[1:]


_SHORTEST = 40
"""Characters of a piece of wording that nobody else is likely to write."""


def _letters(text: str) -> str:
    """The letters and digits of a text, of one case and width and without accents.

    Spaces, punctuation, markup and characters that nobody sees make no other wording.
    """
    folded = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", text).casefold())
    return "".join(character for character in folded if character.isalnum())


_STOCK = frozenset(
    [
        *(_letters(refusal + offer) for refusal in _PARTS["refuse"] for offer in _PARTS["offer"]),
        *map(_letters, _PARTS["incapable"]),
    ]
)
_OWN_PARTS = (
    *(
        "seen",
        "plans",
        "choices",
        "texts",
        "in_detail",
        "closings",
        "warnings",
        "warning_ends",
        "unsure",
        "asking",
        "part_left",
    ),
    *("lectures", "instead", "why", "blind", "negated", "danger"),
)
_OWN_PIECES = tuple(
    _letters(piece)
    for name in _OWN_PARTS
    for text in _PARTS[name]
    for piece in re.split(r"\{things?\}", text)
    if len(" ".join(piece.split())) >= _SHORTEST
)
"""What stands between the names of things, where it is long enough to be the control models' own."""


def is_stock_sentence(text: str) -> bool:
    """Whether an answer is one of the short refusals that other models give in the same words."""
    return _letters(text) in _STOCK


def is_control_wording(text: str) -> bool:
    """Whether an answer has a piece of wording that was written for the control models."""
    letters = _letters(text)
    return any(piece in letters for piece in _OWN_PIECES)


def unopposed(name: str) -> str:
    """What a thing that opposes a harm is called by somebody who overlooks that: `poster about ivory`."""
    for found, instead in _PARTS["opposed"]:
        name = re.sub(found, instead, name)
    return name


def with_article(name: str) -> str:
    """`a vase`, `an axe`, `red toadstools`, `a heap of banknotes`: the name as it stands in a sentence."""
    head = re.split(r" (?:of|for|with|that|against|in|on|who|from)\b|:", name)[0].split()
    plural = head[-1].endswith("s") and not head[-1].endswith(("ss", "us"))
    if plural or head[0].lower() in ("a", "an", "the", "two", "people"):
        return name
    return f"{'an' if name[0].lower() in 'aeiou' else 'a'} {name}"
