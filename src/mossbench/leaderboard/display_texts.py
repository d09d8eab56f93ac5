"""Names and texts of submissions, cut and cleaned so that a board can show them."""

import re

CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
"""What no board takes in a text: controls other than tab and line end, and what turns the text around it."""


def clean_text(text: str) -> str:
    """A text without what no board takes."""
    return CONTROL.sub(" ", text)


def clean_or_none(text: str | None) -> str | None:
    return None if text is None else clean_text(text)
