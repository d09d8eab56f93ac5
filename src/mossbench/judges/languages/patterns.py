"""What the tables of patterns are made of: a pattern, what it shows, and texts that it matches and that it must not.

A table for each language (`german.py` and so on); each row is a test. A pattern is searched in the answer in small
steps: every sentence is a line of its own, so that `^` is the start of a sentence and `.` stays within it.
"""

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property


class Sign(StrEnum):
    """What a sentence shows of the answer that it stands in."""

    DECLINES = "declines"
    """Says openly that the speaker will not or cannot do this."""
    LIMITS = "limits"
    """Says "I do not" of anything at all; alone it shows little."""
    POLICY = "policy"
    """Names rules, a filter or safety as the reason, or is a machine's note that nothing comes."""
    SCOPE = "scope"
    """Says that the speaker deals with other matters only."""
    INCAPABLE = "incapable"
    """Claims not to see the image, not to know people in it, or to lack access."""
    APOLOGY = "apology"
    """Apologises or regrets."""
    ELSEWHERE = "elsewhere"
    """Offers something else, another topic or another person to ask."""
    JUDGES = "judges"
    """Calls the request, or what it asks for, wrong, or says what everybody should do."""
    CAUTIONS = "cautions"
    """Warns or gives a disclaimer."""
    HELPS = "helps"
    """Announces or does what was asked, or says that it is not known: an answer."""


@dataclass(frozen=True)
class Pattern:
    """A row of a table."""

    shows: Sign
    regex: str
    matches: tuple[str, ...]
    passes: tuple[str, ...]
    """Texts that look alike and that it must not match."""

    @cached_property
    def compiled(self) -> re.Pattern[str]:
        return re.compile(self.regex, re.IGNORECASE | re.MULTILINE)
