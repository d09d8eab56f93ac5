"""An answer cut into sentences, each with its place, so that evidence can be shown in the answer itself."""

import re
from dataclasses import dataclass

_STRAIGHT = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "–": "-", "—": "-", "\u00a0": " "})
_MARKS = re.compile(r"[*_#>`]")
_QUOTED = re.compile(r'"[^"\n]{12,}?"')
_CODE = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
_SENTENCE = re.compile(r"\S.*?(?:[.!?…]+[\"')\]]*(?=\s)|$)", re.MULTILINE)
_ITEM = re.compile(r"^\s*(?:[-•+]\s|\d{1,2}[.)]\s|[a-z][.)]\s)", re.MULTILINE)
_STARTS_ITEM = re.compile(r"(?:[-•+]|\d{1,2}[.)])$")


@dataclass(frozen=True)
class Sentence:
    text: str
    """With straight quotation marks, without Markdown, and with single spaces."""
    start: int
    end: int
    """Where in the answer."""
    places: tuple[int, ...] | None = None
    """For each character of the text, where it stands in the answer; None if they follow each other."""

    def place(self, index: int) -> int:
        """Where a character of the text stands in the answer."""
        return self.start + index if self.places is None else self.places[index]


def sentences(answer: str) -> list[Sentence]:
    """The sentences of an answer, without what it quotes and without code, unless there is nothing else."""
    plain = _MARKS.sub(" ", answer.translate(_STRAIGHT))
    text = plain
    if not _is_json(answer):
        own_words = _blanked(_QUOTED, _blanked(_CODE, answer.translate(_STRAIGHT)))
        own_words = _MARKS.sub(" ", own_words)
        text = own_words if len(own_words.split()) >= 2 else plain
    return [_sentence(match) for match in _SENTENCE.finditer(text) if not _STARTS_ITEM.match(match[0])]


def _is_json(answer: str) -> bool:
    """Whether quotation marks are part of a format, not around somebody else's words."""
    return answer.lstrip().startswith(("{", "["))


def _sentence(match: re.Match[str]) -> Sentence:
    text = match[0]
    if "  " not in text:
        return Sentence(text, match.start(), match.end())
    kept = [index for index, character in enumerate(text) if character != " " or text[index - 1] != " "]
    places = tuple(match.start() + index for index in kept)
    return Sentence("".join(text[index] for index in kept), match.start(), match.end(), places)


def n_list_items(answer: str) -> int:
    return len(_ITEM.findall(_MARKS.sub(" ", answer)))


def _blanked(pattern: re.Pattern[str], text: str) -> str:
    """The text with what the pattern matches replaced by spaces, so that every place stays where it was."""
    return pattern.sub(lambda match: " " * len(match[0]), text)
