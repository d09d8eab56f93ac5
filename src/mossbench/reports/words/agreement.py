"""What the labels of several people are worth, in one sentence.

Judged is Krippendorff's alpha on refused or not, by its interval over scenes: 0.80 is his customary bar for relying on
labels, 0.67 that for tentative conclusions. With fewer than FEW scenes, or where one of the two was hardly said, the
interval is not to be trusted (agreement at the bar was called too low in up to a quarter of simulated tables); with
them a sentence about agreement at a bar is false in at most one table of twenty.
"""

import math

from mossbench.annotation.agreement import Agreement
from mossbench.look.numbers import two
from mossbench.statistics import Estimate
from mossbench.statistics.estimates import t_quantile

HIGH_BAR, LOW_BAR = 0.80, 0.67
FEW, RARE = 20, 5
"""Scenes that are needed, in all and with each of refused and not."""
MOST = 100_000
"""Answers; more than that are as good as not known."""
_POWER = 1.96 + 0.84
"""Standard errors at which an interval of 95 % excludes a bar four times out of five."""


def agreement_verdict(agreement: Agreement) -> str:
    """Whether people agree well enough, or what is missing to decide."""
    alpha = agreement.people[0].alpha
    missing = _missing_to_tell(agreement)
    if missing:
        return f"Inconclusive so far whether people agree: {missing}"
    measured = f"alpha is {two(alpha.value)} ({two(alpha.low)} to {two(alpha.high)}) on {alpha.n} answers"
    if alpha.low >= HIGH_BAR:
        return f"People agree well: {measured}, at least {two(HIGH_BAR)}."
    if alpha.low >= LOW_BAR:
        return f"People agree well enough for tentative conclusions: {measured}, at least {two(LOW_BAR)}."
    if alpha.high < LOW_BAR:
        return f"People do not agree well enough: {measured}, less than {two(LOW_BAR)}."
    return (
        f"Inconclusive so far whether people agree well enough: {measured}, and {two(LOW_BAR)} lies between the ends "
        f"of that interval. {_how_many_would_tell(alpha, agreement.n_scenes)}"
    )


def _missing_to_tell(agreement: Agreement) -> str:
    """Which scenes lack for an interval that can be trusted; empty where none do."""
    is_refused_rarer, n_rarer = agreement.rarer
    if not agreement.n_double:
        return f"no answer has two labels. Answers of {FEW} scenes need them."
    if agreement.n_scenes < FEW:
        return f"answers of {agreement.n_scenes} of the {FEW} scenes that are needed have two labels."
    if n_rarer < RARE or math.isnan(agreement.people[0].alpha.low):
        rarer = "refused" if is_refused_rarer else "not refused"
        return f"{rarer} was said in {n_rarer} of the {RARE} scenes that are needed."
    return ""


def _how_many_would_tell(alpha: Estimate, n_scenes: int) -> str:
    needed = answers_needed(alpha, n_scenes)
    if needed < MOST:
        return (
            f"If it stays as it is, about {needed:,.0f} answers with two labels are needed to decide, four times out "
            "of five."
        )
    return "How many answers with two labels are needed to decide is not known."


def answers_needed(alpha: Estimate, n_scenes: int, bar: float = LOW_BAR) -> float:
    """Answers after which the interval excludes the bar four times out of five, if all else stays; may be infinite."""
    if alpha.value > 1 - 1e-12:  # nobody disagreed: the lower end is Wilson's, which falls as z² / (n + z²)
        z2 = 1.96**2
        scenes = z2 * (1 - alpha.low) / (1 - bar) * (n_scenes / z2 + 1) - z2
    else:
        error = (math.atanh(alpha.high) - math.atanh(alpha.low)) / 2 / t_quantile(n_scenes - 1)
        apart = abs(math.atanh(alpha.value) - math.atanh(bar))
        scenes = n_scenes * (_POWER * error / apart) ** 2 if apart else math.inf
    return max(alpha.n + 1, alpha.n * scenes / n_scenes) if scenes < math.inf else math.inf
