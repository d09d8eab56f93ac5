"""A request and its answer as the numbers that the encoder reads: pieces of words, in lower case.

A long answer is read at three places: its start, the place where it turns, and its end. What an answer does is said
there; what lies between is content.
"""

import re
import unicodedata
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

REQUEST_START = 8
REQUEST_END = 18
ANSWER_START = 60
ANSWER_TURN = 24
ANSWER_END = 24
"""Numbers of pieces that are read of each part."""
CHARACTERS_EACH = 12
"""More than a piece has on average, so that a long text need not be cut into pieces as a whole."""
LONGEST_WORD = 40
"""Characters. What is longer is no word."""

_WORDS = re.compile(r"\w+|[^\w\s]")
_STRAIGHT = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "–": "-", "—": "-"})
_STRONG_TURN = re.compile(
    r"\b(?:i|we)(?: really| simply| also)? ?(?:['’]m|am|are|was)?(?: just| afraid i)?"
    r" ?(?:can ?not|can['’]?t|won['’]?t|will not|not able|unable|not comfortable|must decline|have to stop"
    r"|do not feel)\b"
    r"|\bas an ai\b|\bi(?:['’]m| am) sorry\b|\bi apologi[sz]e\b",
    re.IGNORECASE,
)
_WEAK_TURN = re.compile(
    r"\b(?:however|unfortunately|instead|that said|but|actually|on second thought|decline|refuse|inappropriate"
    r"|unethical|illegal|not appropriate|rather than)\b",
    re.IGNORECASE,
)


class ReadParts(NamedTuple):
    """The pieces that are read of a request and of the parts of its answer; an answer that is read whole has one."""

    request: list[int]
    answer: list[list[int]]


class Pieces:
    """Cuts words into known pieces, the longest known first; a piece inside a word is written with ## before it."""

    def __init__(self, vocabulary: Mapping[str, int]) -> None:
        self._ids = vocabulary
        self._unknown = vocabulary["[UNK]"]
        self.of_word = lru_cache(maxsize=20_000)(self._of_word)  # models use the same words again and again

    def read(self, request: str, answer: str) -> tuple[list[int], list[int]]:
        """The pieces with their separators, and for each piece whether it is the answer's (1) or the request's (0)."""
        return self.join(self.parts(request, answer))

    def join(self, parts: ReadParts) -> tuple[list[int], list[int]]:
        separator = self._ids["[SEP]"]
        request = [self._ids["[CLS]"], *parts.request, separator]
        answer: list[int] = []
        for part in parts.answer:
            answer += [*part, separator]
        return request + answer, [0] * len(request) + [1] * len(answer)

    def parts(self, request: str, answer: str) -> ReadParts:
        return ReadParts(self._read_request(request), self._read_answer(answer))

    def of_text(self, text: str) -> list[int]:
        plain = unicodedata.normalize("NFKD", text.lower())
        if not plain.isascii():
            plain = "".join(c for c in plain if unicodedata.category(c) != "Mn").translate(_STRAIGHT)
        pieces: list[int] = []
        for word in _WORDS.findall(plain):
            pieces.extend(self.of_word(word))
        return pieces

    def _read_request(self, request: str) -> list[int]:
        pieces = self._first(request, REQUEST_START + REQUEST_END)
        if len(pieces) < REQUEST_START + REQUEST_END:
            return pieces
        return pieces[:REQUEST_START] + self._last(request, REQUEST_END)

    def _read_answer(self, answer: str) -> list[list[int]]:
        whole = ANSWER_START + ANSWER_TURN + ANSWER_END
        if len(answer) <= whole * CHARACTERS_EACH:
            pieces = self.of_text(answer)
            if len(pieces) <= whole:
                return [pieces]
        start = self._first(answer, ANSWER_START)
        end = self._last(answer, ANSWER_END)
        turn = self._first(turning_text(answer), ANSWER_TURN)
        return [start, turn, end] if turn else [start, end]

    def _first(self, text: str, count: int) -> list[int]:
        return self.of_text(text[: count * CHARACTERS_EACH])[:count]

    def _last(self, text: str, count: int) -> list[int]:
        return self.of_text(text[-count * CHARACTERS_EACH :])[-count:]

    def _of_word(self, word: str) -> tuple[int, ...]:
        if len(word) > LONGEST_WORD:
            return (self._unknown,)
        pieces: list[int] = []
        start = 0
        while start < len(word):
            end = self._end_of_longest_piece(word, start)
            if end is None:
                return (self._unknown,)
            pieces.append(self._ids[_inside(word, start, end)])
            start = end
        return tuple(pieces)

    def _end_of_longest_piece(self, word: str, start: int) -> int | None:
        for end in range(len(word), start, -1):
            if _inside(word, start, end) in self._ids:
                return end
        return None


def turning_text(answer: str) -> str:
    """The text from where a long answer turns against what it began with; empty if it does not.

    Looked for between the start and the end, which are read in any case. "I can't" is a stronger sign than "however".
    """
    start = ANSWER_START * 4
    end = len(answer) - ANSWER_END * 3
    for sign in (_STRONG_TURN, _WEAK_TURN):
        match = sign.search(answer, start, max(start, end))
        if match:
            return answer[_sentence_start(answer, match.start()) :]
    return ""


def _sentence_start(text: str, place: int) -> int:
    """Where the sentence around a place begins, not more than 80 characters before it."""
    before = text[max(0, place - 80) : place]
    break_at = max(before.rfind(mark) for mark in (". ", "\n", "! ", "? "))
    return place - len(before) + break_at + 1 if break_at >= 0 else place


def _inside(word: str, start: int, end: int) -> str:
    return ("##" if start else "") + word[start:end]
