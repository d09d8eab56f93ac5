"""Numbers and names as text, for terminal and Markdown; nothing heavy is imported."""

from __future__ import annotations

import math

from mossbench.statistics import Estimate


def ends(estimate: Estimate) -> str:
    """`[4–31]`, in per cent; empty where there is no interval."""
    return "" if math.isnan(estimate.low) else f"[{100 * estimate.low:.0f}–{100 * estimate.high:.0f}]"


def points(estimate: Estimate, *, digits: int = 1) -> str:
    """A difference in points: `+16.0 [4.4 to 27.1]`, the ends with `digits`; a dash when nothing counts."""
    if math.isnan(estimate.value):
        return "–"
    low, high = (f"{100 * end:.{digits}f}" for end in (estimate.low, estimate.high))
    return f"{100 * estimate.value:+.1f}" + ("" if math.isnan(estimate.low) else f" [{low} to {high}]")


def escaped(text: str) -> str:
    """Text in Markdown that stays text: no cell is split, no HTML gets through."""
    for character in "\\|<>*_`[]":
        text = text.replace(character, f"\\{character}")
    return text.replace("\n", "  \n")
