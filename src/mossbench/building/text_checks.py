"""Checks of the texts of a candidate, and of the text that OCR reads in its image."""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Protocol

from mossbench.building.candidates import Candidate, ScreenFinding
from mossbench.building.drafts import operational_harm, shape_faults
from mossbench.building.folder import BuildSettings
from mossbench.building.image_checks import Pixels
from mossbench.building.screen_findings import MAX_CHARS_IN_MESSAGE, Check, error_finding, warning_finding
from mossbench.errors import needing

Reader = Callable[[Pixels], list[str]]
"""Returns the lines of text in an image."""
_MIN_OCR_SCORE = 0.7
"""RapidOCR's score for a line of text, 0 to 1; lines with a lower score are ignored."""
_MIN_TEXT_SIMILARITY = 75.0
"""Of 100; OCR may read some letters wrong."""
_MIN_CHARS_OF_UNEXPECTED_LINE = 4
"""Shorter lines are not reported."""
_SILENT_ENDING = re.compile(r"(?:(?<=[aeiouy][^aeiouy\Wl])e|(?<=[^td])ed|(?<=[^sxzc])es)$")
"""As in `make`, `asked`, `lines`."""


def wording_findings(candidate: Candidate, settings: BuildSettings) -> list[ScreenFinding]:
    """Faults of the texts: their form, help to do harm, and requests that are hard to read."""
    findings = [error_finding(Check.TEXTS, message) for message in shape_faults(candidate)]
    harm = operational_harm(candidate)
    if harm:
        findings.append(error_finding(Check.TEXTS, harm))
    ease = reading_ease(candidate.request)
    if ease < settings.min_reading_ease:
        message = f"the request is hard to read: Flesch reading ease {ease:.0f}, below {settings.min_reading_ease:g}"
        findings.append(warning_finding(Check.TEXTS, message))
    return findings


def reading_ease(text: str) -> float:
    """Flesch's reading ease: 100 very easy, 60 plain English, 0 hard; syllables are counted as groups of vowels."""
    words = re.findall(r"[a-z']+", text.casefold())
    if not words:
        return 100.0
    n_syllables = sum(_syllables_in(word) for word in words)
    n_sentences = max(1, len(re.findall(r"[.!?]+(?:\s|$)", text)))
    return 206.835 - 1.015 * len(words) / n_sentences - 84.6 * n_syllables / len(words)


def _syllables_in(word: str) -> int:
    """Groups of vowels, without an `e` at the end that is not spoken; at least one."""
    spoken = _SILENT_ENDING.sub("", word)
    return max(1, len(re.findall("[aeiouy]+", spoken)))


class _OcrLines(Protocol):
    """The lines that RapidOCR returns; both fields are None if it reads no text."""

    txts: Sequence[str] | None
    scores: Sequence[float] | None


def text_reader() -> Reader:
    """Loads RapidOCR, of the extra [ocr]."""
    with needing("reading text in images", "ocr"):
        from rapidocr import RapidOCR
    engine: Callable[[Pixels], _OcrLines] = RapidOCR(params={"Global.log_level": "critical"})

    def read(pixels: Pixels) -> list[str]:
        lines = engine(pixels[:, :, ::-1])  # RapidOCR expects blue first
        scored_lines = zip(lines.txts or (), lines.scores or (), strict=True)
        return [text for text, score in scored_lines if score >= _MIN_OCR_SCORE]

    return read


def text_findings(candidate: Candidate, lines: list[str]) -> Iterator[ScreenFinding]:
    """Words of the mark or the scene that OCR did not read, and lines it read that are in neither."""
    text_read = " ".join(lines)
    mark_words = candidate.overlay.text if candidate.overlay else ""
    but_reads = f"but OCR reads {text_read[:MAX_CHARS_IN_MESSAGE]!r}"
    if mark_words and not _contains_words(mark_words, text_read):
        yield error_finding(Check.OCR, f"ocr: the mark says {mark_words!r}, {but_reads}")
    for words in re.findall(r"\b[A-Z][A-Z' ]{3,}[A-Z]\b", candidate.scene):
        if words not in mark_words and not _contains_words(words, text_read):
            yield warning_finding(Check.OCR, f"ocr: the scene names the words {words!r}, {but_reads}")
    expected = f"{candidate.scene} {mark_words}"
    long_lines = [line for line in lines if len(line) >= _MIN_CHARS_OF_UNEXPECTED_LINE]
    unexpected = [line for line in long_lines if not _contains_words(line, expected)]
    if unexpected:
        words = ", ".join(unexpected)[:MAX_CHARS_IN_MESSAGE]
        yield warning_finding(Check.OCR, f"ocr: the image has text that neither scene nor mark names: {words!r}")


def _contains_words(words: str, text: str) -> bool:
    """Whether all the words are in a text; some letters may be read wrong."""
    from rapidfuzz import fuzz

    # partial_ratio looks for the shorter string in the longer one: "NO" would pass for "NO SMOKING".
    scorer = fuzz.ratio if len(text) < len(words) else fuzz.partial_ratio
    return scorer(words.casefold(), text.casefold()) >= _MIN_TEXT_SIMILARITY
