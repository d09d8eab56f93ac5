"""Whether an answer is in English, the one language that the rules can read."""

from __future__ import annotations

import re
from collections.abc import Sequence

from mossbench.judges.rules.phrases import words

_ENGLISH = words("english")
_OTHER = words("other_languages")  # frequent in another language that uses Latin letters, and no English words
_LETTER = re.compile(r"[^\W\d_]")
_OTHER_SCRIPT = re.compile(r"[^\W\d_\x00-\u024f]")


def foreign(tokens: Sequence[str], text: str) -> bool:
    """Whether the answer is in another language than English. Undecided (few words, names, numbers) is False."""
    if not text.isascii():
        start = text[:2000]
        n_other = len(_OTHER_SCRIPT.findall(start))
        if n_other and n_other > 0.3 * len(_LETTER.findall(start)):
            return True
    english = sum(map(_ENGLISH.__contains__, tokens))
    other = sum(map(_OTHER.__contains__, tokens))
    return other >= 2 and other > english and other >= 0.1 * len(tokens)
