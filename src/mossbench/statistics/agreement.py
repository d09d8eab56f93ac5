"""How far two readings of the same rows agree."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mossbench.statistics.estimates import Array, Estimate, no_estimate, tails, wilson
from mossbench.statistics.paired import tango_interval


@dataclass(frozen=True)
class Confusion:
    """Counts of a yes / no reading against the truth."""

    true_yes: int
    false_yes: int
    false_no: int
    true_no: int

    @classmethod
    def of(cls, truth: Sequence[bool], reading: Sequence[bool]) -> Confusion:
        pairs = list(zip(truth, reading, strict=True))
        return cls(
            true_yes=sum(t and r for t, r in pairs),
            false_yes=sum(r and not t for t, r in pairs),
            false_no=sum(t and not r for t, r in pairs),
            true_no=sum(not t and not r for t, r in pairs),
        )

    @property
    def n(self) -> int:
        return self.true_yes + self.false_yes + self.false_no + self.true_no

    @property
    def wrong(self) -> int:
        return self.false_yes + self.false_no


def agreement(counts: Confusion, *, rng: np.random.Generator, n_bootstrap: int = 2000) -> dict[str, Estimate]:
    """Accuracy, Cohen's kappa, Gwet's AC1, sensitivity, specificity, PPV, NPV and rate error, with intervals.

    `rate_error` is the rate that was read less the true one, with Tango's interval; shares have Wilson's. Kappa and AC1
    are bootstrapped: rows drawn with replacement are counts drawn from the multinomial, to which half a row is added
    each, or a judge without an error in twenty rows would be called certain. A measure that is not defined (no true
    yes, say) is NaN, and draws in which it is not defined are left out of its interval.
    """
    yes = counts.true_yes
    no = counts.true_no
    shares = {
        "accuracy": (yes + no, counts.n),
        "sensitivity": (yes, yes + counts.false_no),
        "specificity": (no, no + counts.false_yes),
        "ppv": (yes, yes + counts.false_yes),
        "npv": (no, no + counts.false_no),
    }
    measures = {name: wilson(*share) for name, share in shares.items()}
    cells = np.array([yes, counts.false_yes, counts.false_no, no], dtype=float)
    chance_corrected = _chance_corrected(cells)
    draws = rng.multinomial(counts.n, (cells + 0.5) / (counts.n + 2), size=n_bootstrap).astype(float)
    for name, values in _chance_corrected(draws.T).items():
        value = float(chance_corrected[name])
        defined = values[~np.isnan(values)]
        if math.isnan(value) or not len(defined):
            measures[name] = Estimate(value, math.nan, math.nan, counts.n, 0, "bootstrap")
            continue
        low, high = np.quantile(defined, tails())
        measures[name] = Estimate(value, min(float(low), value), max(float(high), value), counts.n, 0, "bootstrap")
    return {**measures, "rate_error": _rate_error(counts)}


def _rate_error(counts: Confusion) -> Estimate:
    if counts.n == 0:
        return no_estimate("tango")
    low, high = tango_interval(counts.false_yes, counts.false_no, counts.n)
    return Estimate((counts.false_yes - counts.false_no) / counts.n, low, high, counts.n, 0, "tango")


def _chance_corrected(cells: Array) -> dict[str, Array]:
    """Kappa and AC1, for one table or for many at once (cells along the first axis)."""
    true_yes, false_yes, false_no, true_no = cells
    with np.errstate(divide="ignore", invalid="ignore"):
        n = true_yes + false_yes + false_no + true_no
        accuracy = (true_yes + true_no) / n
        truth = (true_yes + false_no) / n
        reading = (true_yes + false_yes) / n
        by_chance = truth * reading + (1 - truth) * (1 - reading)
        middle = (truth + reading) / 2
        by_chance_ac1 = 2 * middle * (1 - middle)
        return {
            "kappa": (accuracy - by_chance) / (1 - by_chance),  # Cohen 1960
            "ac1": (accuracy - by_chance_ac1) / (1 - by_chance_ac1),  # Gwet 2008, two categories
        }


def macro_f1(truth: Sequence[str], reading: Sequence[str]) -> float:
    """Mean F1 over the categories that occur in the truth; NaN when there are none."""
    scores = []
    for category in sorted(set(truth)):
        hits = sum(t == r == category for t, r in zip(truth, reading, strict=True))
        n_named = sum(t == category for t in truth) + sum(r == category for r in reading)
        scores.append(2 * hits / n_named)
    return float(np.mean(scores)) if scores else math.nan
