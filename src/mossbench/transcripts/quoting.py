r"""Removes quotation marks that are not part of a recorded answer: from a spreadsheet, from JSON, or never closed.

A cell that is copied as CSV is in quotation marks, and those in its text are doubled. A program that writes JSON twice
adds `\"`. An answer that was pasted by hand may have the beginning of a quotation without its end. A judge skips
quotations, since they are somebody else's words: so such a mark, paired with the next one, would hide the words in
between, and a refusal could look like an answer.

Not changed: a quotation that is closed (`"Stop" is what the sign says`), an answer that is in quotation marks as a
whole and has none inside, a quotation of several paragraphs, each of which begins with a mark, and a text in which a
backslash may belong to a path or to TeX (`"C:\temp"`, `"\theta"`) instead of JSON.
"""

import json
import re

_INVISIBLE = "\ufeff\u200b\u200c\u200d\u200e\u200f\u2060"
_CLOSED_BY = {'"': '"', "“": "”", "”": "”", "„": "“”", "«": "»", "»": "«»", "'": "'’", "‘": "’'", "’": "’"}
"""Opening marks of several languages, and what closes each."""
_ELISION = re.compile(r"['‘’](?:tis|twas|twere|twill|til|cause|bout|round|em|n|\d\ds?)\b", re.IGNORECASE)
"""A word that begins with an apostrophe: 'Tis, '90s."""
_SHORT_WORD = re.compile(r"['‘’][a-z]{1,2}\b")
"""The beginning of some Dutch names: 't Hooft, ’s-Hertogenbosch. A quotation may begin so too, but is closed then."""
_APOSTROPHE = re.compile(r"\w['’]\w")
_RUN_OF_MARKS = re.compile('"+')
_JSON_ESCAPE = re.compile(r"""\\(?:u[0-9a-fA-F]{4}|.)""", re.DOTALL)
_END_OF_SENTENCE = re.compile(r"\w[.!?,;]$")
_MOST_MARKS = 8
"""Maximum number of marks to remove; a text that begins with more of them is no answer in quotation marks."""


def removal_signal(removed: str) -> str | None:
    """The note on an answer from which quotation marks were removed; None if there were none."""
    return f"not part of the answer, removed: {removed}" if removed else None


def strip_quoting(text: str) -> tuple[str, str]:
    """The answer without such quotation marks, and what was removed; empty if nothing was."""
    trimmed = _without_blanks(text)
    decoded = _json_string(trimmed)
    if decoded is not None:
        return decoded, "quotation marks and escapes of JSON"
    cell = _csv_cell(trimmed)
    if cell is not None:
        return cell, "quotation marks of a spreadsheet's cell"
    unescaped = _unescaped(trimmed)
    unmarked, removed = _without_unclosed_marks(trimmed if unescaped is None else unescaped)
    if unescaped is not None:
        removed = "backslashes before quotation marks" + (f", and {removed}" if removed else "")
    return (unmarked, removed) if removed else (text, "")


def _without_blanks(text: str) -> str:
    """The text without spaces and invisible characters at both ends."""
    start = 0
    end = len(text)
    while start < end and _is_blank(text[start]):
        start += 1
    while end > start and _is_blank(text[end - 1]):
        end -= 1
    return text[start:end]


def _is_blank(character: str) -> bool:
    return character.isspace() or character in _INVISIBLE


def _json_string(text: str) -> str | None:
    """The value of a text that is certainly one JSON string with escapes in it; None for any other text."""
    if not _is_wrapped(text) or "\\" not in text:
        return None
    try:
        value = json.loads(text, strict=False)
        str(value).encode()  # half of a character cannot be written anywhere
    except ValueError:
        return None
    if not isinstance(value, str) or not _has_escapes_of_json(text[1:-1]):
        return None
    return value


def _has_escapes_of_json(content: str) -> bool:
    r"""Whether a program wrote the escapes in a valid string: none may belong to a path or to TeX, or one is certain.

    Answers have no backspaces and no form feeds: `\b` and `\f` are the beginnings of words such as `\beta`.
    """
    is_sure = False
    is_doubtful = False
    for match in _JSON_ESCAPE.finditer(content):
        if match[0] in ("\\b", "\\f"):
            return False
        is_sure = is_sure or _is_sure_escape(content, match)
        is_doubtful = is_doubtful or _is_doubtful_escape(content, match)
    return is_sure or not is_doubtful


def _is_sure_escape(content: str, match: re.Match[str]) -> bool:
    r"""Whether nobody writes this by hand: `\uXXXX`, `\n\n`, or `\"` elsewhere than in TeX's `Schr\"odinger`."""
    escape = match[0]
    if escape == '\\"':
        return not _is_between_letters(content, match)
    is_line_end = escape in ("\\n", "\\r")
    return escape.startswith("\\u") or (is_line_end and content.startswith("\\n", match.end()))


def _is_doubtful_escape(content: str, match: re.Match[str]) -> bool:
    r"""Whether this may be text: `\temp` of a path, `\theta` of TeX, TeX's end of a line, the start of `\\server`."""
    escape = match[0]
    before = content[max(0, match.start() - 2) : match.start()]
    after = content[match.end() : match.end() + 1]
    if escape == '\\"':
        return _is_between_letters(content, match)
    if escape == "\\\\":
        return not before or not after or after.isspace()
    if escape in ("\\n", "\\r", "\\t"):
        makes_a_word = after.isascii() and after.islower()
        follows_line_end = before == "\\n" or _END_OF_SENTENCE.search(before) is not None
        return makes_a_word and not follows_line_end
    return False


def _is_between_letters(content: str, match: re.Match[str]) -> bool:
    before = content[max(0, match.start() - 1) : match.start()]
    after = content[match.end() : match.end() + 1]
    return before.isalpha() and after.isalpha()


def _csv_cell(text: str) -> str | None:
    """The value of a text that is one quoted CSV cell, or the beginning of one; None for any other text.

    In a cell all quotation marks inside are doubled.
    """
    if not text.startswith('"'):
        return None
    content = text[1:]
    marks_at_end = len(content) - len(content.rstrip('"'))
    if marks_at_end % 2 == 1:
        content = content[:-1]
    runs = _RUN_OF_MARKS.findall(content)
    if not runs or any(len(run) % 2 for run in runs) or not content.strip('"'):
        return None
    return content.replace('""', '"')


def _unescaped(text: str) -> str | None:
    r"""The text with `"` for `\"`, where it begins with one and has no other quotation marks; None for any other."""
    if not text.startswith('\\"') or text.count('"') != text.count('\\"'):
        return None
    return text.replace('\\"', '"')


def _without_unclosed_marks(text: str) -> tuple[str, str]:
    """The text without unclosed marks at its beginning, or marks around all of it; and which were removed."""
    if _is_doubled(text):
        unmarked, removed = _without_single_marks(text[1:-1])
        return (unmarked, removed) if removed else (text, "")
    return _without_single_marks(text)


def _is_doubled(text: str) -> bool:
    """Whether a whole text is in doubled marks: then both are removed, or none."""
    if len(text) <= 4 or text[0] not in _CLOSED_BY:
        return False
    return text[1] == text[0] and text[-2] == text[-1] and text[-1] in _CLOSED_BY[text[0]]


def _without_single_marks(text: str) -> tuple[str, str]:
    """The text without unclosed marks, as above, if they are not doubled."""
    remaining = text
    removed = ""
    for _ in range(_MOST_MARKS):
        if not _begins_with_mark(remaining):
            break
        end = _end_of_quotation(remaining)
        if end is None and _SHORT_WORD.match(remaining):
            break
        if end is None:
            removed += remaining[0]
            remaining = remaining[1:].lstrip()
        elif end == len(remaining) - 1 and _has_quotation_inside(remaining):
            removed += f"{remaining[0]} … {remaining[-1]}"
            remaining = remaining[1:-1].strip()
        else:
            break
    else:
        return text, ""
    return remaining, f"quotation marks: {removed}" if removed else ""


def _begins_with_mark(text: str) -> bool:
    if not text or text[0] not in _CLOSED_BY or _ELISION.match(text):
        return False
    has_words = bool(text.strip("".join(_CLOSED_BY)))
    return has_words and not (text[0] == '"' and _is_doubled(text))


def _end_of_quotation(text: str) -> int | None:
    """Where the quotation at the beginning of a text ends, after those inside it; None if it does not end."""
    mark = text[0]
    closing_marks = _closing_marks(text)
    are_paired = _n_marks(text, mark) % 2 == 0
    n_open = 1
    for place in range(1, len(text)):
        is_closing = text[place] in closing_marks
        if is_closing and (_can_close(text, place) or (are_paired and _stands_alone(text, place))):
            n_open -= 1
            if n_open == 0:
                return place
        elif text[place] == mark and _can_open(text, place) and not _begins_line(text, place):
            n_open += 1  # at the beginning of a line it is the next paragraph, or another quotation
    return None


def _n_marks(text: str, mark: str) -> int:
    """How often a mark occurs, without apostrophes inside words."""
    n_apostrophes = sum(mark in match[0] for match in _APOSTROPHE.finditer(text))
    return text.count(mark) - n_apostrophes


def _begins_line(text: str, place: int) -> bool:
    """Whether only spaces are before a mark on its line."""
    before = place - 1
    while before >= 0 and text[before] in " \t\u00a0\u3000":
        before -= 1
    return before < 0 or text[before] == "\n"


def _has_quotation_inside(text: str) -> bool:
    """Whether the marks around a text would be paired with others inside: quotation marks, or apostrophes."""
    mark = text[0]
    if mark in "'‘’" and _APOSTROPHE.search(text):
        return True
    places = [place for place in range(1, len(text)) if text[place] == mark and not _begins_line(text, place)]
    return any(_can_open(text, place) for place in places)


def _closing_marks(text: str) -> str:
    """The marks that close the first mark of a text: its own kind, or another kind with one mark too many."""
    mark = text[0]
    if mark in "“„" and text.count('"') % 2 == 1:
        return _CLOSED_BY[mark] + '"'
    if mark == '"' and text.count("”") > text.count("“"):
        return _CLOSED_BY[mark] + "”"
    return _CLOSED_BY[mark]


def _can_close(text: str, place: int) -> bool:
    """Whether a mark is at the end of a word or sentence."""
    mark = text[place]
    before = text[place - 1]
    is_before_word = text[place + 1 : place + 2].isalnum()
    only_closes = mark in "”»«“" and mark != text[0]
    if only_closes:
        return True
    is_quotation_of_nothing = place == 1
    if is_quotation_of_nothing:
        return not is_before_word
    is_after_word = not before.isspace() and before not in "([{—–" and before not in _CLOSED_BY
    return is_after_word and not is_before_word


def _stands_alone(text: str, place: int) -> bool:
    """Whether a mark has a space, or the end of the text, on both sides: `" Stop " is on the sign`."""
    before = text[place - 1]
    after = text[place + 1 : place + 2]
    return before.isspace() and (not after or after.isspace())


def _can_open(text: str, place: int) -> bool:
    """Whether a mark is before a word, and after a space or at the beginning."""
    before = text[place - 1]
    after = text[place + 1 : place + 2]
    is_after_space = before.isspace() or before in "([{—–" or (place == 1 and before in _CLOSED_BY)
    return is_after_space and bool(after) and not after.isspace()


def _is_wrapped(text: str) -> bool:
    return len(text) > 2 and text.startswith('"') and text.endswith('"')
