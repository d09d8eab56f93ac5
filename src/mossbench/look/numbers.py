"""Numbers as text, the same everywhere: rates and differences in per cent, p, money, time.

Rates and differences come in as fractions, and NaN is a number that is not known. Sentences, tables and pages write an
interval as (14.9 to 29.6), narrow tables of the terminal as [15–30]. Nothing heavy is imported.
"""

import math
from typing import Protocol

from mossbench.statistics import Estimate

NNBSP = "\u202f"
"""Narrow no-break space: stands before every % of a page."""
UNKNOWN = "–"
"""What stands for a number that is not known."""
NOT_KNOWN = "not known"
"""What stands for a rate that is not known, as too many of its answers are unfamiliar to the judge."""
NUMBER_WORDS = "no one two three four five six seven eight nine ten eleven twelve".split()


def number_word(n: int) -> str:
    """A count in a sentence: `no`, `three`, `1,204`."""
    return NUMBER_WORDS[n] if n < len(NUMBER_WORDS) else f"{n:,}"


def counted_noun(n: int, noun: str) -> str:
    """A count and its noun: `three rows`, `one row`."""
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
    rounded = round(100 * fraction)
    if rounded == 0 and fraction != 0:
        return f"under 1{NNBSP}%"
    if rounded == 100 and fraction != 1:
        return f"over 99{NNBSP}%"
    return f"{rounded}{NNBSP}%"


def rate_in_words(fraction: float) -> str:
    """A rate in a sentence, as precise as in tables: 22.5 %. What is neither none nor all never reads as 0 or 100."""
    if fraction in (0, 1):
        return f"{round(100 * fraction)}{NNBSP}%"
    text = percent(fraction)
    if text == percent(0):
        return f"under 0.1{NNBSP}%"
    return f"over 99.9{NNBSP}%" if text == percent(1) else text


class Interval(Protocol):
    """Anything with two ends: an estimate, or the range that a judge's errors leave."""

    @property
    def low(self) -> float: ...

    @property
    def high(self) -> float: ...


def ends(estimate: Interval) -> str:
    """Both ends of an interval: 14.9 to 29.6."""
    if math.isnan(estimate.low):
        return UNKNOWN
    return f"{bare_percent(estimate.low)} to {bare_percent(estimate.high)}"


def stated(estimate: Estimate, count: int) -> str:
    """A rate as it is quoted: 21.4 % (14.9 to 29.6), 25 of 117."""
    return f"{quoted(estimate)}, {count} of {estimate.n}" if estimate.n else f"{UNKNOWN}, nothing counts"


def quoted(estimate: Estimate) -> str:
    """A share for a sentence: 21.4 % (14.9 to 29.6)."""
    return percent(estimate.value) + _in_round_brackets(ends(estimate))


def cell(estimate: Estimate) -> str:
    """A share for a table headed by %: 21.4 (14.9 to 29.6)."""
    return bare_percent(estimate.value) + _in_round_brackets(ends(estimate))


def percent_of_n(estimate: Estimate) -> str:
    """A share with what it is of: 21.4 % of 117."""
    return f"{percent(estimate.value)} of {estimate.n}"


def points(estimate: Estimate) -> str:
    """A difference in points: +16.0 (4.4 to 27.1)."""
    if math.isnan(estimate.value):
        return UNKNOWN
    return signed(estimate.value) + _with_minus_signs(_in_round_brackets(ends(estimate)))


def signed(fraction: float) -> str:
    """Points with their sign: +16.0, −3.1; what rounds to 0.0 has no minus."""
    return _with_minus_signs(f"{100 * fraction:+z.1f}")


def number(estimate: Estimate) -> str:
    """A number that is no share: 1.50 (1.21 to 1.84)."""
    if math.isnan(estimate.value):
        return UNKNOWN
    interval = UNKNOWN if math.isnan(estimate.low) else f"{estimate.low:z.2f} to {estimate.high:z.2f}"
    return _with_minus_signs(f"{estimate.value:z.2f}{_in_round_brackets(interval)}")


def two_decimals(number: float) -> str:
    """A number that is no share, with two decimals: 0.81, −0.05."""
    return UNKNOWN if math.isnan(number) else _with_minus_signs(f"{number:z.2f}")


def p_value(p: float) -> str:
    """P in a table where it is one number among many: 0.24, 0.031, < 0.001."""
    if math.isnan(p):
        return UNKNOWN
    if p < 0.001:
        return "< 0.001"
    return f"{p:.3f}" if p < 0.1 else f"{p:.2f}"


def p_said(p: float) -> str:
    """P in a sentence: p = 0.240, p < 0.001, p unknown."""
    is_number = p >= 0.001
    return f"p = {p_in_table(p)}" if is_number else f"p {p_in_table(p)}"


def p_in_table(p: float) -> str:
    """P as `p_said` has it, under a head that says p: 0.240, < 0.001, unknown."""
    if math.isnan(p):
        return "unknown"
    return "< 0.001" if p < 0.001 else f"{p:.3f}"


def _in_round_brackets(interval: str) -> str:
    """The interval after its number; empty if it is not known."""
    return "" if interval == UNKNOWN else f" ({interval})"


def _with_minus_signs(text: str) -> str:
    """The text with the minus sign of print in place of hyphens."""
    return text.replace("-", "−")


def brackets(estimate: Estimate) -> str:
    """The interval of a narrow table, in whole per cent: [4–31]; empty if there is none."""
    return "" if math.isnan(estimate.low) else f"[{100 * estimate.low:z.0f}–{100 * estimate.high:z.0f}]"


def difference(estimate: Estimate, *, digits: int = 1, brackets: str = "[]") -> str:
    """A difference in points, in plain characters: +16.0 [4.4 to 27.1], the ends of the interval with `digits`."""
    if math.isnan(estimate.value):
        return UNKNOWN
    value = f"{100 * estimate.value:+z.1f}"
    if math.isnan(estimate.low):
        return value
    low = f"{100 * estimate.low:z.{digits}f}"
    high = f"{100 * estimate.high:z.{digits}f}"
    return f"{value} {brackets[0]}{low} to {high}{brackets[1]}"


def dollars(cost: float | None) -> str:
    """An amount: `12.40 USD`, of less than a dollar two digits that count: `0.50 USD`, `0.031 USD`."""
    if cost is None:
        return "cost unknown"
    n_zeros = 0 if cost == 0 else max(0, -math.floor(math.log10(cost)) - 1)
    return f"{cost:.{2 + n_zeros}f} USD"


def duration(seconds: float) -> str:
    """`40 s`, `12 min`, `3.4 h`."""
    minutes = seconds / 60
    if minutes < 1.5:
        return f"{seconds:.0f} s"
    return f"{minutes:.0f} min" if minutes < 90 else f"{minutes / 60:.1f} h"
