"""Text as the numbers that the encoder reads: lower-case pieces of words, the longest known first."""

import re
import unicodedata
from collections.abc import Mapping
from functools import lru_cache

HEAD, TAIL, REQUEST = 112, 40, 40  # pieces: openings and endings tell what an answer does; the middle tells little
LONGEST_WORD = 40  # characters; what is longer is no word
_WORDS = re.compile(r"\w+|[^\w\s]")


class Pieces:
    """Cuts words into known pieces; a piece inside a word is written with ## before it."""

    def __init__(self, vocabulary: Mapping[str, int]) -> None:
        self._ids = vocabulary
        self._unknown = vocabulary["[UNK]"]
        self.of_word = lru_cache(maxsize=20_000)(self._of_word)  # models use the same words again and again

    def read(self, request: str, answer: str) -> tuple[list[int], list[int]]:
        """The pieces of a request and its answer with their marks, and for each piece whether it is the answer's."""
        start, end = self._ids["[CLS]"], self._ids["[SEP]"]
        asked = [start, *self._cut(request, REQUEST // 4, REQUEST - REQUEST // 4), end]
        said = [*self._cut(answer, HEAD, TAIL), end]
        return asked + said, [0] * len(asked) + [1] * len(said)

    def _cut(self, text: str, head: int, tail: int) -> list[int]:
        """The pieces of a text, of a long one those of its head and its tail."""
        if len(text) > 20 * (head + tail):  # no need to cut what is not read
            return self.all(text[: 10 * head])[:head] + self.all(text[-10 * tail :])[-tail:]
        found = self.all(text)
        return found if len(found) <= head + tail else found[:head] + found[-tail:]

    def all(self, text: str) -> list[int]:
        plain = unicodedata.normalize("NFKD", text.lower())
        if not plain.isascii():
            plain = "".join(c for c in plain if unicodedata.category(c) != "Mn").translate(_STRAIGHT)
        return [piece for word in _WORDS.findall(plain) for piece in self.of_word(word)]

    def _of_word(self, word: str) -> tuple[int, ...]:
        if len(word) > LONGEST_WORD:
            return (self._unknown,)
        found, start = [], 0
        while start < len(word):
            mark = "##" if start else ""
            for end in range(len(word), start, -1):
                piece = self._ids.get(mark + word[start:end])
                if piece is not None:
                    found.append(piece)
                    start = end
                    break
            else:
                return (self._unknown,)
        return tuple(found)


_STRAIGHT = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "–": "-", "—": "-"})
