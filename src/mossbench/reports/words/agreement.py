"""Whether people who labelled the same answers agree, in one sentence.

It goes by Krippendorff's alpha on refused or not, and its interval over scenes: 0.80 is his customary bar for relying
on labels, 0.67 the one for tentative conclusions. With fewer than MIN_SCENES scenes, or MIN_SCENES_EACH with each of
the two labels, the interval cannot be trusted: in simulations, up to a quarter of tables with agreement at the bar were
called too low. With enough scenes, a sentence about agreement at a bar is false in at most one table of twenty.
"""

import math

from mossbench.annotation.agreement import Agreement
from mossbench.look.numbers import two_decimals
from mossbench.statistics import Estimate
from mossbench.statistics.estimates import t_quantile

HIGH_BAR = 0.80
LOW_BAR = 0.67
MIN_SCENES = 20
"""Scenes with two labels that are needed in all."""
MIN_SCENES_EACH = 5
"""Scenes that are needed with the label refused, and with the label not refused."""
MAX_ANSWERS_NEEDED = 100_000
"""If more answers than this are needed, the sentence does not say how many."""
_POWER = 1.96 + 0.84
"""Standard errors at which a 95 % interval excludes a bar four times out of five."""


def agreement_verdict(agreement: Agreement) -> str:
    """Whether people agree well enough, or what is missing to decide."""
    alpha = agreement.people[0].alpha
    reason = _why_undecided(agreement)
    if reason:
        return f"Inconclusive so far: {reason}"
    interval = f"{two_decimals(alpha.low)} to {two_decimals(alpha.high)}"
    measured = f"alpha is {two_decimals(alpha.value)} ({interval}) on {alpha.n} answers"
    if alpha.low >= HIGH_BAR:
        return f"People agree well: {measured}, at least {two_decimals(HIGH_BAR)}."
    if alpha.low >= LOW_BAR:
        return f"People agree well enough for tentative conclusions: {measured}, at least {two_decimals(LOW_BAR)}."
    if alpha.high < LOW_BAR:
        return f"People do not agree well enough: {measured}, less than {two_decimals(LOW_BAR)}."
    return (
        f"Inconclusive so far whether people agree well enough: {measured}, and the interval includes "
        f"{two_decimals(LOW_BAR)}. {_needed_to_decide(alpha, agreement.n_scenes)}"
    )


def agreement_decision(agreement: Agreement) -> str:
    """Whether labels by people are good enough to correct a rate, or that this is open, in at most ten words."""
    alpha = agreement.people[0].alpha
    if _why_undecided(agreement):
        return "Too few double labels to trust a corrected rate"
    if alpha.low >= HIGH_BAR:
        return "Labels are good enough to correct the rate"
    if alpha.low >= LOW_BAR:
        return "Labels are good enough for a tentative corrected rate"
    if alpha.high < LOW_BAR:
        return "Labels are not good enough: people disagree too often"
    return "Still open whether labels are good enough"


def measures_line(alpha: Estimate, n: int) -> str:
    """Alpha with its interval in a line, where it has one."""
    if math.isnan(alpha.value):
        return f"{n:,} answers"
    if math.isnan(alpha.low) or alpha.low == alpha.high:
        return f"alpha {two_decimals(alpha.value)} on {n:,} answers"
    return (
        f"alpha {two_decimals(alpha.value)} ({two_decimals(alpha.low)} to {two_decimals(alpha.high)}) on {n:,} answers"
    )


def _why_undecided(agreement: Agreement) -> str:
    """Which scenes are missing for an interval that can be trusted; empty if none are."""
    if not agreement.n_double:
        return f"no answer has two labels, and answers of {MIN_SCENES} scenes need them."
    if agreement.n_scenes < MIN_SCENES:
        return f"answers of {agreement.n_scenes} of the {MIN_SCENES} scenes needed have two labels."
    is_refused_rarer, n_rarer = agreement.rarer
    if n_rarer < MIN_SCENES_EACH or math.isnan(agreement.people[0].alpha.low):
        rarer = "refused" if is_refused_rarer else "not refused"
        return f"{n_rarer} of the {MIN_SCENES_EACH} scenes needed have an answer labelled {rarer}."
    return ""


def _needed_to_decide(alpha: Estimate, n_scenes: int) -> str:
    needed = answers_needed(alpha, n_scenes)
    if needed < MAX_ANSWERS_NEEDED:
        return (
            f"If alpha stays the same, about {needed:,.0f} answers with two labels are needed to decide (80 % power)."
        )
    return "It is not known how many answers with two labels are needed to decide."


def answers_needed(alpha: Estimate, n_scenes: int, bar: float = LOW_BAR) -> float:
    """Answers after which the interval excludes the bar four times out of five, if all else stays; may be infinite."""
    scenes_needed = _scenes_needed(alpha, n_scenes, bar)
    if not math.isfinite(scenes_needed):
        return math.inf
    return max(alpha.n + 1, alpha.n * scenes_needed / n_scenes)


def _scenes_needed(alpha: Estimate, n_scenes: int, bar: float) -> float:
    nobody_disagreed = alpha.value > 1 - 1e-12
    if nobody_disagreed:  # the lower end is Wilson's, and 1 less it falls as z² / (n + z²)
        z2 = 1.96**2
        return z2 * (1 - alpha.low) / (1 - bar) * (n_scenes / z2 + 1) - z2
    distance = abs(math.atanh(alpha.value) - math.atanh(bar))
    if distance == 0:
        return math.inf
    standard_error = (math.atanh(alpha.high) - math.atanh(alpha.low)) / 2 / t_quantile(n_scenes - 1)
    return n_scenes * (_POWER * standard_error / distance) ** 2
