"""What the labels of several people are worth, in one sentence.

Judged is Krippendorff's alpha on refused or not, by its interval over scenes: 0.80 is his customary bar for relying on
labels, 0.67 that for tentative conclusions. With fewer than FEW scenes, or where one of the two was hardly said, the
interval is not to be trusted (agreement at the bar was called too low in up to a quarter of simulated tables); with
them a sentence about agreement at a bar is false in at most one table of twenty.
"""

import math

from mossbench.annotation.agreement import Agreement
from mossbench.look.texts import sentences
from mossbench.statistics import Estimate
from mossbench.statistics.estimates import t_quantile

_say = sentences(__file__)
HIGH_BAR, LOW_BAR = 0.80, 0.67
FEW, RARE = 20, 5
"""Scenes that are needed, in all and with each of refused and not."""
MOST = 100_000
"""Answers; more than that are as good as not known."""
_POWER = 1.96 + 0.84
"""Standard errors at which an interval of 95 % excludes a bar four times out of five."""


def agreement_verdict(found: Agreement) -> str:
    """Whether people agree well enough, or what is missing to tell."""
    alpha = found.people[0].alpha
    if not found.n_double or found.n_scenes < FEW or found.rarer[1] < RARE or math.isnan(alpha.low):
        return _say("cannot_tell_yet", found=found, few=FEW, rare=RARE)
    needed = answers_needed(alpha, found.n_scenes) if alpha.low < LOW_BAR <= alpha.high else math.nan
    return _say("verdict", alpha=alpha, high_bar=HIGH_BAR, low_bar=LOW_BAR, needed=needed, most=MOST, two=_two)


def _two(number: float) -> str:
    return f"{number:.2f}".replace("-", "−")


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
