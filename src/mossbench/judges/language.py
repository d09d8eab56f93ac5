"""Whether an answer is in another language than English, which the offline judges cannot read."""

import re
import tomllib
from collections.abc import Sequence
from itertools import islice
from pathlib import Path

SAMPLE = 80
"""Words from the start that tell the language; it does not change later in an answer."""
NO_WORDS = "the answer has no words"
OTHER_LANGUAGE = "the answer is not in English"

_LISTS = {
    name: frozenset(listed.split())
    for name, listed in tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8")).items()
}
_ENGLISH = _LISTS["english"]
_OTHER = _LISTS["other_languages"]
_MORE = _OTHER | _LISTS["more_languages"]
_REFUSING = _LISTS["refusing_abroad"]
_ONLY_ENGLISH = _ENGLISH - frozenset("a an as at be by do i in is me no on to was".split())  # words of no other one
_FEW = 6  # words; in so few one word of refusing tells the language
_LETTER = re.compile(r"[^\W\d_]")
_OTHER_SCRIPT = re.compile(r"[^\W\d_\x00-\u024f]")
_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)*")


def is_other_language(tokens: Sequence[str], text: str) -> bool:
    """Whether the answer is in another language. Undecided (few words, names, numbers) is False.

    `tokens` are the first words of `text` in small letters.
    """
    if was_other_language_in_3(tokens, text):
        return True
    english = sum(token in _ENGLISH for token in tokens)
    other = sum(token in _MORE for token in tokens)
    if other >= 2 and other > english and other >= 0.1 * len(tokens):
        return True
    if len(tokens) > _FEW or not _ONLY_ENGLISH.isdisjoint(tokens):
        return False
    return not _REFUSING.isdisjoint(tokens)


def was_other_language_in_3(tokens: Sequence[str], text: str) -> bool:
    """The same as version 3 of the rules told it, with fewer languages and without single words."""
    if not text.isascii():
        start = text[:2000]
        n_other = len(_OTHER_SCRIPT.findall(start))
        if n_other and n_other > 0.3 * len(_LETTER.findall(start)):
            return True
    english = sum(map(_ENGLISH.__contains__, tokens))
    other = sum(map(_OTHER.__contains__, tokens))
    return other >= 2 and other > english and other >= 0.1 * len(tokens)


def why_unreadable(text: str) -> str:
    """Why a judge of English words cannot read the text; empty when it can."""
    words_in_text = (match[0].lower() for match in _WORD.finditer(text.replace("\u2019", "'")))
    tokens = list(islice(words_in_text, SAMPLE))
    if not tokens and not any(character.isdigit() for character in text):
        return NO_WORDS
    return OTHER_LANGUAGE if is_other_language(tokens, text) else ""
