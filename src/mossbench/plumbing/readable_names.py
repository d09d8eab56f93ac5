"""Checks that names are readable: no hidden characters, no letters that look like others, not too long."""

import re
import unicodedata
from pathlib import PureWindowsPath

from mossbench.plumbing.look_alikes import mixed_scripts, odd_character

BLANK = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U0001d159\U000e0100-\U000e01ef]"
)
"""Characters that are letters, marks or symbols in Unicode but are invisible."""
RECORDED_MARK = "(recorded)"
"""Added to the name of recorded answers that looks like that of a model that was asked: `openai/gpt-4o (recorded)`."""


def name_wrong(name: str) -> str:
    """Why this cannot be the name of a model; empty if it can."""
    if not name.strip():
        return "is empty, expected a name"
    if hides_characters(name):
        return f"is {ascii(name[:60])}, which has hidden or control characters; remove them"
    odd = odd_character(name)
    if odd:
        return (
            f"is {ascii(name[:60])}, which has {ascii(odd)} ({unicodedata.name(odd, 'no name').lower()}); "
            "use letters and digits of a script in wide use, and ASCII punctuation"
        )
    script = mixed_scripts(name)
    if script:
        return f"is {ascii(name[:60])}, which mixes Latin and {script} letters in one word; use letters of one script"
    return f"is longer than 200 characters ({len(name)})" if len(name) > 200 else ""


def model_name_wrong(name: str) -> str:
    """Why this cannot be the name of a recorded model; empty if it can."""
    fault = name_wrong(name)
    if fault:
        return fault
    if name != name.strip():
        return f"is {ascii(name[:60])}, which begins or ends with a space; remove it"
    if name.startswith(("/", "~", "\\")) or PureWindowsPath(name).is_absolute():
        return f"is {ascii(name[:60])}, which is a path; use the usual name of the model"
    return ""


def same_name(name: str) -> str:
    """The name as boards compare it: names that differ only in width, case or spaces are the same."""
    folded = unicodedata.normalize("NFKC", name).casefold()
    return " ".join(unicodedata.normalize("NFKC", folded).split())


def without_mark(name: str) -> str:
    """The name without RECORDED_MARK at its end, as it is copied from a page; the mark alone is a name."""
    for start in range(1, len(name)):
        if same_name(name[start:]) == RECORDED_MARK and name[:start].strip():
            return without_mark(name[:start].rstrip())
    return name


def hides_characters(text: str) -> bool:
    """Whether a text of one line has invisible characters."""
    # Cc, Cf, Cs, Co, Cn: controls, zero-width and bidi marks, surrogates, unassigned; Zl, Zp: line ends.
    hidden = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")
    return BLANK.search(text) is not None or any(unicodedata.category(character) in hidden for character in text)
