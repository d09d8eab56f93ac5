"""An answer cut into segments: sentences of prose, list items, headings, code, quotations, dialogue, page residue.

Offsets always point into the answer as it came. What the patterns read is a plain copy of each segment: lower case,
straight quotes, no emphasis marks, and with longer quotations blanked, because what a model quotes it does not say.
Everything here is linear in the length of the answer.
"""

import re
from enum import StrEnum
from typing import NamedTuple

from mossbench.judges.earlier.rules.phrases import family, later, pattern, words
from mossbench.samples import at_hand


@at_hand
class Form(StrEnum):
    """What a segment looks like on the page."""

    PROSE = "prose"
    ITEM = "item"
    HEADING = "heading"
    CODE = "code"
    QUOTE = "quote"
    DIALOGUE = "dialogue"
    LETTER = "letter"
    RESIDUE = "residue"


MADE_FORMS = frozenset({Form.CODE, Form.QUOTE, Form.DIALOGUE, Form.LETTER})
"""Text that is made, not said."""


class Segment(NamedTuple):
    """A piece of the answer: `answer[start:end]`, and the plain copy that patterns read."""

    start: int
    end: int
    form: Form
    plain: str
    tokens: tuple[str, ...]
    n_words: int
    indent: int = 0


# One character for one, so that offsets hold: straight quotes, plain spaces, ASCII for full-width letters.
_PLAIN: dict[str, str] = {
    **dict.fromkeys(map(chr, [*range(0x00, 0x0A), *range(0x0B, 0x20), *range(0x7F, 0xA1)]), " "),
    **dict.fromkeys(map(chr, [*range(0x2000, 0x200B), 0x202F, 0x205F, 0x3000]), " "),
    **dict.fromkeys("\r\x85\u2028\u2029", "\n"),
    **dict.fromkeys("‘’‚‛ʼ´`′", "'"),
    **dict.fromkeys("“”„‟«»″", '"'),
    **dict.fromkeys("‐‑‒–—―", "-"),
    **{chr(code): chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)},
}
_ODD = re.compile("[" + re.escape("".join(_PLAIN)) + "]")
_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]")
_TO_TOKENS = str.maketrans(dict.fromkeys('.,;:!?()[]{}<>"|/\\=+&_-…%*#~', " "))

_THINKING = re.compile(r"<(think|thinking|reasoning)>.*?(?:</\1>|\Z)", re.S | re.I)
_LETTER = re.compile(r"[^\W_]")
_NOT_NEWLINE = re.compile(r"[^\n]")
_FENCE = re.compile(r"\s*(?:'''|~~~)")  # back-ticks are already apostrophes here
_NUMBERED = frozenset({"step", "tip ", "opti", "day ", "week"})
_HEADING = re.compile(r"(?:#{1,6}\s|\*\*[^*\n]{1,90}\*\*:?\s*$|__[^_\n]{1,90}__:?\s*$)")
_ITEM, _SPEAKER, _MARKER, _SALUTATION = map(pattern, ("item", "line_speaker", "marker", "salutation"))
_RESIDUE = later(rf"(?i:\W*(?:{'|'.join(way.pattern.pattern for way in family('residue'))})\W*)")
_LETTER_STARTS = frozenset("dDhHtTsS*")
_NOTICES = ("ChatGPT", "Claude", "Gemini", "Copilot", "Bard", "Grok", "AI", "This AI", "The assistant")
_QUOTATION = re.compile(r'"[^"\n]{4,600}"|(?:(?<=\s)|^)\'(?=\w)[^"\n]{8,300}?(?<=[.,!?\w])\'(?=[\s.,;:!?)]|$)')
BLANK = "\x01"  # stands for what is quoted; ASCII, so that most texts stay ASCII and fast
_REPORTED = re.compile(r": (?=\S)[^\n]{4,400}")
_REPORTING = words("reporting")
_STOP = re.compile(r"[.!?…]{1,9}[\"')\]*_]{0,9}\s+")  # bounded: a run of marks must not be scanned from each of them
_ABBREVIATION = pattern("abbreviation")
LIST_STARTS = 8  # segments after which list items are content, one segment each, and not looked at more closely
_LONG = 500  # characters; a longer "sentence" has no punctuation and is cut, to bound the work of patterns


_SAYING = frozenset({Form.PROSE, Form.ITEM, Form.DIALOGUE, Form.LETTER})


class _Copies(NamedTuple):
    """The text and its copies, all of one length, so that one offset serves them all."""

    text: str
    plain: str
    words: str


def segments(answer: str) -> tuple[Segment, ...]:
    """The segments of an answer in order. An answer that is one quotation or code block is read as prose."""
    text, offsets = _straight(answer)
    if "<" in text:
        text = _THINKING.sub(lambda match: _NOT_NEWLINE.sub(" ", match[0]), text)
    plain = _lower(_without_quotations(text))
    copies = _Copies(text, plain, plain.translate(_TO_TOKENS))
    found = _segments(copies)
    forms = [s.form for s in found]
    if forms.count(Form.DIALOGUE) == 1:  # one speaker is no dialogue: "Reason: I cannot …"
        found = [s._replace(form=Form.PROSE) if s.form is Form.DIALOGUE else s for s in found]
    if _SAYING.isdisjoint(forms):
        found = [s._replace(form=Form.PROSE) if s.form in (Form.QUOTE, Form.CODE, Form.HEADING) else s for s in found]
    if offsets is None:
        return tuple(found)
    return tuple(s._replace(start=offsets[s.start], end=offsets[s.end - 1] + 1) for s in found)


def letters(answer: str) -> str:
    """A text that holds, in small letters, every word that a segment of the answer can hold."""
    return _lower(_straight(answer)[0]).replace("*", "").replace("#", "")


def _straight(answer: str) -> tuple[str, list[int] | None]:
    """The text without odd and invisible characters, and where its own stood (None when nothing was dropped)."""
    text = _ODD.sub(lambda match: _PLAIN[match[0]], answer)
    if text.isascii() or not _INVISIBLE.search(text):
        return text, None
    kept = [i for i, char in enumerate(text) if not _INVISIBLE.match(char)]
    return "".join(text[i] for i in kept), kept


def _lower(text: str) -> str:
    """Lower case of the same length (a few letters grow when lowered; they stay as they are)."""
    lower = text.lower()
    return lower if len(lower) == len(text) else "".join(c.lower() if len(c.lower()) == 1 else c for c in text)


def _without_quotations(text: str) -> str:
    """The text with longer quotations blanked, unless quotations are all there is."""
    blanked = _REPORTED.sub(_blank_reported, text) if ": " in text else text
    if '"' in blanked or " '" in blanked or "\n'" in blanked:
        blanked = _QUOTATION.sub(_blank, blanked)
    return blanked if blanked is text or _LETTER.search(blanked) else text


def _blank_reported(match: re.Match[str]) -> str:
    """What follows "says:" or "reads:", blanked."""
    before = match.string[max(0, match.start() - 24) : match.start()].lower().split()
    return ": " + BLANK * (len(match[0]) - 2) if before and before[-1].strip("*_") in _REPORTING else match[0]


def _blank(match: re.Match[str]) -> str:
    text, (start, end) = match.string, match.span()
    before = text[max(0, start - 100) : start].rpartition("\n")[2]
    after = text[end : end + 100].partition("\n")[0]
    if len(before.split()) + len(after.split()) < 2:
        return match[0]
    return match[0][0] + BLANK * (end - start - 2) + match[0][-1]


def _segments(copies: _Copies) -> list[Segment]:
    found: list[Segment] = []
    in_code = in_letter = False
    start = 0
    for line in copies.text.split("\n"):
        begin, start = start, start + len(line) + 1
        if not line or line.isspace():
            continue
        if line[0] in " '~" and _FENCE.match(line):
            in_code = not in_code
        elif in_code:
            found.append(_segment(copies, begin, begin + len(line), Form.CODE))
        elif in_letter or (len(line) < 80 and line[0] in _LETTER_STARTS and _SALUTATION.fullmatch(line)):
            in_letter = True  # what a letter says, its writer says
            found.append(_segment(copies, begin, begin + len(line), Form.LETTER))
        else:
            head = line.lstrip()
            form, skip = _form(head)
            indent = len(line) - len(head)
            low = begin + indent + skip
            if form is Form.ITEM and len(found) > LIST_STARTS:
                for high in _cuts(copies.plain, low, begin + len(line)):
                    plain = copies.plain[low:high]  # far down the answer: only its words are counted
                    found.append(Segment(low, high, Form.ITEM, plain, (), plain.count(" ") + 1))
                    low = high
                continue
            for high in _sentence_ends(copies.plain, low, begin + len(line)):
                found.append(_segment(copies, low, high, form, indent))
                low = high
    return found


def _form(line: str) -> tuple[Form, int]:
    """What a line looks like, and how many characters of list mark or role name stand before its text."""
    if (len(line) < 60 or line.startswith(_NOTICES)) and _RESIDUE.fullmatch(line):
        return Form.RESIDUE, 0
    first = line[0]
    if first.isalpha() and ":" not in line[:80] and line[1:2] != ")" and line[:4].lower() not in _NUMBERED:
        return Form.PROSE, 0  # most lines
    if first in ">|":
        return Form.QUOTE, 0
    if not first.isalpha() or line[1:2] == ")" or line[:4].lower() in _NUMBERED:
        if item := _ITEM.match(line):
            return Form.ITEM, item.end()
        if first in "#*_" and _HEADING.match(line):
            return Form.HEADING, 0
    if (first in "<[" or ":" in line[:24]) and (marker := _MARKER.match(line)):
        return Form.PROSE, marker.end()
    if ":" in line[:80] and _SPEAKER.match(line):
        return Form.DIALOGUE, 0
    return Form.PROSE, 0


def _sentence_ends(plain: str, start: int, end: int) -> list[int]:
    """Where the sentences of one line end; in quotations, which are blanked, none does."""
    ends: list[int] = []
    for stop in _STOP.finditer(plain, start, end):
        if plain[stop.start()] != "." or not _abbreviated(plain, start, stop.start()):
            ends += _cuts(plain, start, stop.end())
            start = stop.end()
    return ends + _cuts(plain, start, end) if start < end else ends


def _abbreviated(plain: str, start: int, stop: int) -> bool:
    """Whether the full stop at `stop` ends an abbreviation or a number that stands alone, not a sentence."""
    if stop - start < 8 and plain[start:stop].strip(" *#_").isdigit():
        return True
    return _ABBREVIATION.search(plain, max(start, stop - 12), stop) is not None


def _cuts(plain: str, start: int, end: int) -> list[int]:
    """Where to cut a sentence: at its end, and before that wherever it grows too long."""
    if end - start <= _LONG:
        return [end]
    cuts = []
    while end - start > _LONG:
        cut = plain.rfind(" ", start + 1, start + _LONG)
        start = cut if cut > start else start + _LONG
        cuts.append(start)
    return [*cuts, end]


def _segment(copies: _Copies, start: int, end: int, form: Form, indent: int = 0) -> Segment:
    plain = copies.plain[start:end].rstrip()
    end = start + len(plain)
    plain = plain.lstrip()
    start = end - len(plain)
    if "*" in plain or "#" in plain:
        plain = plain.replace("*", "").replace("#", "").strip()
    tokens = tuple(copies.words[start:end].split())
    return Segment(start, end, form, plain, tokens, len(tokens), indent)
