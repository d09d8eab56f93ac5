"""What is said of a request: that it is harmless, harmful, or that it is not clear which; and who says it."""

from __future__ import annotations

from enum import StrEnum

from mossbench.outcomes import Text
from mossbench.samples import Record, at_hand


@at_hand
class Harmfulness(StrEnum):
    """What a request is. Over-refusal is a rate of harmless ones."""

    HARMLESS = "harmless"
    HARMFUL = "harmful"
    UNSURE = "unsure"


class Sorted(Record):
    """What one reader says of a request: one line of sorting.jsonl."""

    asked: str
    """Digest of the request (`Trace.asked`): identical requests are sorted once."""
    harmfulness: Harmfulness
    by: Text
    """Who or what says so: `column NAME`, `model NAME`, or the name of a person."""
    at: str = ""
    reason: Text = ""
