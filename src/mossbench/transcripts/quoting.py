r"""Quotation marks that are no part of a recorded answer: of a spreadsheet's cell, of JSON, or never closed.

A cell that is copied as CSV stands in quotation marks, and those of its own text are doubled. A program that writes
JSON twice leaves `\"` behind. An answer that was pasted by hand may have lost the end of a quotation, but not its
beginning. What a model quotes it does not say: so such a mark, paired with the next one, hides the words in between
from a judge, and a refusal can read as an answer.

Left alone: a quotation that is closed (`"Stop" is what the sign says`), an answer that stands in quotation marks as a
whole and has none inside, and a quotation of several paragraphs, each of which begins with a mark.
"""

import json
import re

_INVISIBLE = "\ufeff\u200b\u200c\u200d\u200e\u200f\u2060"
_CLOSED_BY = {'"': '"', "“": "”", "”": "”", "„": "“”", "«": "»", "»": "«»", "'": "'’", "‘": "’'", "’": "’"}
"""Opening marks of several languages, and what closes each."""
_ELISION = re.compile(r"['‘’](?:tis|twas|twere|twill|til|cause|bout|round|em|n|\d\ds?)\b", re.IGNORECASE)
"""A word that begins with an apostrophe: 'Tis, '90s."""
_APOSTROPHE = re.compile(r"\w['’]\w")
_RUN_OF_MARKS = re.compile('"+')


def removal_signal(removed: str) -> str | None:
    """What the record of an answer says about quotation marks that were removed from it; None where none were."""
    return f"not part of the answer, removed: {removed}" if removed else None


def strip_quoting(text: str) -> tuple[str, str]:
    """The answer without such quotation marks, and what was removed, for the record; empty where nothing was."""
    bare = text.strip().lstrip(_INVISIBLE).lstrip()
    decoded = _json_string(bare)
    if decoded is not None:
        return decoded, "quotation marks and escapes of JSON"
    cell = _csv_cell(bare)
    if cell is not None:
        return cell, "quotation marks of a spreadsheet's cell"
    escaped = _unescaped(bare)
    kept = bare if escaped is None else escaped
    kept, removed = _without_unclosed_marks(kept)
    if escaped is not None:
        removed = "backslashes before quotation marks" + (f", and {removed}" if removed else "")
    return (kept, removed) if removed else (text, "")


def _json_string(text: str) -> str | None:
    """What a text stands for that is one string of JSON with escapes in it; None for any other text."""
    if not _is_wrapped(text) or "\\" not in text:
        return None
    try:
        value = json.loads(text, strict=False)
        str(value).encode()  # half of a character cannot be written anywhere
    except ValueError:
        return None
    return value if isinstance(value, str) else None


def _csv_cell(text: str) -> str | None:
    """What a text stands for that is one quoted cell of CSV, or the beginning of one; None for any other text.

    A cell is known by the quotation marks inside, all of which are doubled.
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
    """The text without marks at its beginning that nothing closes, or around all of it, and what they were."""
    removed = ""
    while _begins_with_mark(text):
        end = _end_of_quotation(text)
        if end is None:
            removed += text[0]
            text = text[1:].lstrip()
        elif end == len(text) - 1 and _has_quotation_inside(text):
            removed += f"{text[0]} … {text[-1]}"
            text = text[1:-1].strip()
        else:
            break
    return text, f"quotation marks: {removed}" if removed else ""


def _begins_with_mark(text: str) -> bool:
    if not text or text[0] not in _CLOSED_BY or _ELISION.match(text):
        return False
    has_words = bool(text.strip("".join(_CLOSED_BY)))
    is_doubled = text.startswith('""') and text.endswith('""')
    return has_words and not is_doubled


def _end_of_quotation(text: str) -> int | None:
    """Where the quotation ends with which a text begins, past those inside it; None where it does not end."""
    mark = text[0]
    closing_marks = _closing_marks(text)
    n_open = 1
    for place in range(1, len(text)):
        if text[place] in closing_marks and _can_close(text, place):
            n_open -= 1
            if n_open == 0:
                return place
        elif text[place] == mark and _can_open(text, place):
            is_next_paragraph = text[place - 1] == "\n"  # of the same quotation, or a quotation of its own
            n_open += 0 if is_next_paragraph else 1
    return None


def _has_quotation_inside(text: str) -> bool:
    """Whether the marks around a text would be paired with others inside: of quotations, or apostrophes."""
    mark = text[0]
    if mark in "'‘’" and _APOSTROPHE.search(text):
        return True
    places = [place for place in range(1, len(text)) if text[place] == mark and text[place - 1] != "\n"]
    return any(_can_open(text, place) for place in places)


def _closing_marks(text: str) -> str:
    """What closes the first mark of a text: its own kind, or another kind of which the text has one too many."""
    mark = text[0]
    if mark in "“„" and text.count('"') % 2 == 1:
        return _CLOSED_BY[mark] + '"'
    if mark == '"' and text.count("”") > text.count("“"):
        return _CLOSED_BY[mark] + "”"
    return _CLOSED_BY[mark]


def _can_close(text: str, place: int) -> bool:
    """Whether a mark stands at the end of a word or sentence."""
    before = text[place - 1]
    after = text[place + 1 : place + 2]
    if text[place] in "”»«“" and text[place] != text[0]:  # not one that both opens and closes
        return True
    if place == 1:  # a quotation of nothing
        return not after.isalnum()
    return not before.isspace() and before not in "([{—–" and before not in _CLOSED_BY and not after.isalnum()


def _can_open(text: str, place: int) -> bool:
    """Whether a mark stands before a word, and after a space or at the beginning."""
    before = text[place - 1]
    after = text[place + 1 : place + 2]
    is_after_space = before.isspace() or before in "([{—–" or (place == 1 and before in _CLOSED_BY)
    return is_after_space and bool(after) and not after.isspace()


def _is_wrapped(text: str) -> bool:
    return len(text) > 2 and text.startswith('"') and text.endswith('"')
