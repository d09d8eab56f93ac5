"""Answers of every kind in varied wording, for control models, which decide only what kind of answer to give.

A wording is drawn from parts: how it opens, what it says, how it ends. The parts were written to read like answers of
chat models. Some were fixed where a verdict showed that a person would misread them too; none was dropped because a
judge misread what is clear. Only the answer to a picture that cannot be recognised is worded so that `rules` recognises
it: that is a notice, not a test.
"""

import random
import re
import tomllib
import unicodedata
from collections.abc import Sequence
from itertools import chain, product
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


_ASKS_FOR_TEXT = re.compile(rf"\b({'|'.join(_PARTS['asks_for_text'])})\b", re.IGNORECASE)
_ASKS_TO_CHOOSE = re.compile(rf"\b({'|'.join(_PARTS['asks_to_choose'])})\b", re.IGNORECASE)
_OF_A_PICTURE = re.compile(r"\{things?\}|picture|scene|shown|see here|on the wall|already there|nearest")


def write(
    kind: Kind,
    rng: random.Random,
    names: Sequence[str] | None = (),
    request: str = "",
    *,
    in_detail: bool = False,
) -> str:
    """An answer of that kind, in the form that the request asks for: a text, a choice or a plan.

    `names` are those of what is seen, the one that matters first; None without a picture, which is then not mentioned.
    With `in_detail` a list follows the text, choice or plan, so that it is clearly an answer to any request.
    """
    parts = list(_OF_KIND[kind])
    plans = _PARTS["plans"]
    if plans in parts:
        place = parts.index(plans)
        if in_detail:
            parts.insert(place + 1, _PARTS["in_detail"])
        parts[place] = _body_options(request)
    if names is None and kind is not Kind.INCAPABLE:
        parts = [_without_picture(options) for options in parts]
    return _drawn(parts, rng, names or ())


def _body_options(request: str) -> tuple[str, ...]:
    """Wordings for what an answer is mainly about: a text, a choice or a plan."""
    if _ASKS_FOR_TEXT.search(request):
        return _PARTS["texts"]
    if _ASKS_TO_CHOOSE.search(request):
        return _PARTS["choices"]
    return _PARTS["plans"]


def _without_picture(options: tuple[str, ...]) -> tuple[str, ...]:
    """The wordings that do not mention a picture; one empty one where all do."""
    return tuple(text for text in options if not _OF_A_PICTURE.search(text)) or ("",)


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
    names = [with_article(thing) for thing in things]
    main_name = names[0] if names else "more to it"
    all_names = names[0] if names else "everyday things"
    if len(names) > 1:
        all_names = f"{', '.join(names[:-1])} and {names[-1]}"
    text = "".join(rng.choice(options) for options in parts)
    text = text.format(thing=main_name, things=all_names).strip()
    text = re.sub(r"\n +", "\n", text)
    return text[0].upper() + text[1:]


_SHORTEST = 40
"""Characters of a piece of wording that nobody else is likely to write."""


_NO_LETTERS_OF_ASCII = re.compile(r"[^a-z0-9]+")


def _letters(text: str) -> str:
    """The letters and digits of a text, of one case and width and without accents.

    Spaces, punctuation, markup and invisible characters do not make it another wording.
    """
    if text.isascii():  # most answers: the same result, many times faster
        return _NO_LETTERS_OF_ASCII.sub("", text.lower())
    folded = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", text).casefold())
    return "".join(character for character in folded if character.isalnum())


_STOCK = frozenset(
    [
        *(_letters(refusal + offer) for refusal, offer in product(_PARTS["refuse"], _PARTS["offer"])),
        *map(_letters, _PARTS["incapable"]),
    ]
)
_OWN_PARTS = (
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
    "lectures",
    "instead",
    "why",
    "blind",
    "negated",
    "danger",
)


def _own_pieces() -> tuple[str, ...]:
    """The wording between the names of things, where it is long enough to be only the control models' own."""
    pieces: list[str] = []
    for text in chain.from_iterable(_PARTS[name] for name in _OWN_PARTS):
        for piece in re.split(r"\{things?\}", text):
            if len(" ".join(piece.split())) >= _SHORTEST:
                pieces.append(_letters(piece))
    return tuple(pieces)


_OWN_PIECES = _own_pieces()


def is_stock_sentence(text: str) -> bool:
    """Whether an answer is one of the short refusals that other models give in the same words."""
    return _letters(text) in _STOCK


def is_control_wording(text: str) -> bool:
    """Whether an answer has a piece of wording that was written for the control models."""
    letters = _letters(text)
    return any(piece in letters for piece in _OWN_PIECES)


def unopposed(name: str) -> str:
    """The name of a thing that opposes a harm, for a model that overlooks the opposition: `poster about ivory`."""
    for pattern, replacement in _PARTS["opposed"]:
        name = re.sub(pattern, replacement, name)
    return name


def with_article(name: str) -> str:
    """`a vase`, `an axe`, `red toadstools`, `a heap of banknotes`: the name as it stands in a sentence."""
    head = re.split(r" (?:of|for|with|that|against|in|on|who|from)\b|:", name)[0].split()
    is_plural = head[-1].endswith("s") and not head[-1].endswith(("ss", "us"))
    if is_plural or head[0].lower() in ("a", "an", "the", "two", "people"):
        return name
    article = "an" if name[0].lower() in "aeiou" else "a"
    return f"{article} {name}"
