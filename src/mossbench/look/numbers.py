"""Numbers as text: the one set of formats. Rates come in as fractions; nothing heavy is imported.

Sentences, tables and pages quote an interval as (14.9 to 29.6), narrow tables of the terminal as [15–30].
"""

import math
from typing import Protocol

from mossbench.statistics import Estimate

NNBSP = "\u202f"
"""Narrow no-break space: stands before every % of a page."""
UNKNOWN = "–"
"""What stands for a number that is not known."""
NOT_KNOWN = "not known"
"""What stands for a rate of which the judge read too many answers that are unfamiliar to it."""
NUMBERS = "no one two three four five six seven eight nine ten eleven twelve".split()


def number_word(n: int) -> str:
    return NUMBERS[n] if n < len(NUMBERS) else f"{n:,}"


def counted_noun(n: int, noun: str) -> str:
    """`three rows`, `one row`."""
    return f"{number_word(n)} {noun}{'' if n == 1 else 's'}"


def bare_percent(fraction: float) -> str:
    """Per cent with one decimal and without the sign, for tables: 21.4."""
    return UNKNOWN if math.isnan(fraction) else f"{100 * fraction:z.1f}"


def percent(fraction: float) -> str:
    """Per cent with one decimal: 21.4 %."""
    return UNKNOWN if math.isnan(fraction) else f"{100 * fraction:z.1f}{NNBSP}%"


def whole(fraction: float) -> str:
    """Whole per cent, for sentences: 21 %. What is neither none nor all never reads as 0 or 100."""
    if math.isnan(fraction):
        return UNKNOWN
    for edge, near in ((0, "under 1"), (1, "over 99")):
        if fraction != edge and round(100 * fraction) == 100 * edge:
            return f"{near}{NNBSP}%"
    return f"{100 * fraction:.0f}{NNBSP}%"


class Interval(Protocol):
    """Anything with two ends: an estimate, or the range that a judge's errors leave."""

    @property
    def low(self) -> float: ...

    @property
    def high(self) -> float: ...


def ends(estimate: Interval) -> str:
    """Both ends of an interval: 14.9 to 29.6."""
    return f"{bare_percent(estimate.low)} to {bare_percent(estimate.high)}" if not math.isnan(estimate.low) else UNKNOWN


def stated(estimate: Estimate, count: int) -> str:
    """A rate as it is quoted: 21.4 % (14.9 to 29.6), 25 of 117."""
    return f"{quoted(estimate)}, {count} of {estimate.n}" if estimate.n else f"{UNKNOWN}, nothing counts"


def quoted(estimate: Estimate) -> str:
    """A share for a sentence: 21.4 % (14.9 to 29.6)."""
    return percent(estimate.value) + _within(ends(estimate))


def cell(estimate: Estimate) -> str:
    """A share for a table headed by %: 21.4 (14.9 to 29.6)."""
    return bare_percent(estimate.value) + _within(ends(estimate))


def percent_of_n(estimate: Estimate) -> str:
    """A share with what it is of: 21.4 % of 117."""
    return f"{percent(estimate.value)} of {estimate.n}"


def points(estimate: Estimate) -> str:
    """A difference in points: +16.0 (4.4 to 27.1)."""
    text = signed(estimate.value) + _within(ends(estimate)).replace("-", "−")
    return UNKNOWN if math.isnan(estimate.value) else text


def signed(fraction: float) -> str:
    """Points with their sign: +16.0, −3.1; what rounds to nothing has no minus."""
    return f"{100 * fraction:+z.1f}".replace("-", "−")


def number(estimate: Estimate) -> str:
    """A number that is no share: 1.50 (1.21 to 1.84)."""
    if math.isnan(estimate.value):
        return UNKNOWN
    interval = UNKNOWN if math.isnan(estimate.low) else f"{estimate.low:.2f} to {estimate.high:.2f}"
    return f"{estimate.value:.2f}{_within(interval)}".replace("-", "−")


def two(number: float) -> str:
    """A number that is no share, with two decimals: 0.81, −0.05."""
    return UNKNOWN if math.isnan(number) else f"{number:.2f}".replace("-", "−")


def p_value(p: float) -> str:
    """P as it is read: 0.03, or under 0.001."""
    if math.isnan(p):
        return UNKNOWN
    if p < 0.001:
        return "< 0.001"
    return f"{p:.3f}" if p < 0.1 else f"{p:.2f}"


def p_said(p: float) -> str:
    """P in a sentence: p = 0.031, p < 0.001."""
    is_number = p >= 0.001
    return f"p = {p_in_table(p)}" if is_number else f"p {p_in_table(p)}"


def p_in_table(p: float) -> str:
    """The same under a head that says p: 0.031, < 0.001."""
    if math.isnan(p):
        return "unknown"
    return "< 0.001" if p < 0.001 else f"{p:.3f}"


def _within(interval: str) -> str:
    return "" if interval == UNKNOWN else f" ({interval})"


def brackets(estimate: Estimate) -> str:
    """`[4–31]`, in per cent; empty where there is no interval."""
    return "" if math.isnan(estimate.low) else f"[{100 * estimate.low:.0f}–{100 * estimate.high:.0f}]"


def difference(estimate: Estimate, *, digits: int = 1, brackets: str = "[]") -> str:
    """A difference in points: `+16.0 [4.4 to 27.1]`, the ends with `digits`; a dash when nothing counts."""
    if math.isnan(estimate.value):
        return UNKNOWN
    low, high = (f"{100 * end:z.{digits}f}" for end in (estimate.low, estimate.high))
    interval = "" if math.isnan(estimate.low) else f" {brackets[0]}{low} to {high}{brackets[1]}"
    return f"{100 * estimate.value:+z.1f}{interval}"


def dollars(cost: float | None) -> str:
    """An amount with as many digits as it bears; an unknown one is said to be."""
    if cost is None:
        return "cost unknown"
    return f"{cost:.2f} USD" if cost >= 1 or cost == 0 else f"{cost:.2g} USD"


def duration(seconds: float) -> str:
    """`40 s`, `12 min`, `3.4 h`."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
