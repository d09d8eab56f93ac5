"""Numbers of analyses as they are quoted in sentences and tables."""

from __future__ import annotations

import math

from mossbench.look.page import UNKNOWN, ends, one, percent
from mossbench.statistics import Estimate


def quoted(estimate: Estimate) -> str:
    """A share for a sentence: 21.4 % (14.9 to 29.6)."""
    interval = "" if math.isnan(estimate.low) else f" ({ends(estimate)})"
    return f"{percent(estimate.value)}{interval}"


def cell(estimate: Estimate) -> str:
    """A share for a table headed by %: 21.4 (14.9 to 29.6)."""
    return one(estimate.value) + ("" if math.isnan(estimate.low) else f" ({ends(estimate)})")


def points(estimate: Estimate) -> str:
    """A difference in points: +16.0 (4.4 to 27.1)."""
    if math.isnan(estimate.value):
        return UNKNOWN
    interval = "" if math.isnan(estimate.low) else f" ({one(estimate.low)} to {one(estimate.high)})"
    return f"{100 * estimate.value:+.1f}{interval}".replace("-", "−")


def number(estimate: Estimate) -> str:
    """A number that is no share: 1.50 (1.21 to 1.84)."""
    if math.isnan(estimate.value):
        return UNKNOWN
    interval = "" if math.isnan(estimate.low) else f" ({estimate.low:.2f} to {estimate.high:.2f})"
    return f"{estimate.value:.2f}{interval}".replace("-", "−")


def p_value(p: float) -> str:
    """P as it is read: 0.03, or under 0.001."""
    return UNKNOWN if math.isnan(p) else "< 0.001" if p < 0.001 else f"{p:.3f}" if p < 0.1 else f"{p:.2f}"
