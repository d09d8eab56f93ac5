"""How far two readings of the same rows agree."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mossbench.statistics.proportions import Estimate

Array = NDArray[np.float64]


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


def agreement(
    counts: Confusion, *, rng: np.random.Generator, n_bootstrap: int = 2000, confidence: float = 0.95
) -> dict[str, Estimate]:
    """Accuracy, Cohen's kappa, Gwet's AC1, sensitivity, specificity, PPV, NPV and rate error, with bootstrap intervals.

    `rate_error` is the rate that was read less the true one. Rows are drawn with replacement; since every measure is a
    function of the four counts, these are drawn from the multinomial, which is the same and much quicker. A measure
    that is not defined (no true yes, say) is NaN, and draws in which it is not defined are left out of its interval.
    """
    cells = np.array([counts.true_yes, counts.false_yes, counts.false_no, counts.true_no], dtype=float)
    if counts.n == 0:
        return {name: Estimate(math.nan, math.nan, math.nan, 0, 0, "bootstrap") for name in _measures(cells)}
    draws = rng.multinomial(counts.n, cells / counts.n, size=n_bootstrap).astype(float)
    tail = (1 - confidence) / 2
    found = {}
    for name, values in _measures(draws.T).items():
        value = float(_measures(cells)[name])
        defined = values[~np.isnan(values)]
        low, high = np.quantile(defined, [tail, 1 - tail]) if len(defined) else (math.nan, math.nan)
        found[name] = Estimate(value, float(low), float(high), counts.n, 0, "bootstrap")
    return found


def _measures(cells: Array) -> dict[str, Array]:
    """Every measure, for one table or for many at once (cells along the first axis)."""
    true_yes, false_yes, false_no, true_no = cells
    with np.errstate(divide="ignore", invalid="ignore"):
        n = true_yes + false_yes + false_no + true_no
        accuracy = (true_yes + true_no) / n
        truth, reading = (true_yes + false_no) / n, (true_yes + false_yes) / n
        by_chance = truth * reading + (1 - truth) * (1 - reading)
        middle = (truth + reading) / 2
        by_chance_ac1 = 2 * middle * (1 - middle)
        return {
            "accuracy": accuracy,
            "kappa": (accuracy - by_chance) / (1 - by_chance),  # Cohen 1960
            "ac1": (accuracy - by_chance_ac1) / (1 - by_chance_ac1),  # Gwet 2008, two categories
            "sensitivity": true_yes / (true_yes + false_no),
            "specificity": true_no / (true_no + false_yes),
            "ppv": true_yes / (true_yes + false_yes),
            "npv": true_no / (true_no + false_no),
            "rate_error": reading - truth,
        }


def fleiss_kappa(table: Sequence[Sequence[int]]) -> float:
    """Fleiss' kappa of a table of rows × categories, each row with the same number of raters; NaN when not defined.

    Fleiss (1971), Psychol. Bull. 76:378.
    """
    counts = np.asarray(table, dtype=float)
    if counts.size == 0:
        return math.nan
    raters = counts.sum(axis=1)
    if not np.all(raters == raters[0]) or raters[0] < 2:
        raise ValueError("every row needs the same number of raters, at least two")
    n = raters[0]
    observed = float(np.mean((np.square(counts).sum(axis=1) - n) / (n * (n - 1))))
    by_chance = float(np.square(counts.sum(axis=0) / counts.sum()).sum())
    return (observed - by_chance) / (1 - by_chance) if by_chance < 1 else math.nan


def macro_f1(truth: Sequence[str], reading: Sequence[str]) -> float:
    """Mean F1 over the categories that occur in the truth; NaN when there are none."""
    scores = []
    for category in sorted(set(truth)):
        hits = sum(t == r == category for t, r in zip(truth, reading, strict=True))
        asked = sum(t == category for t in truth) + sum(r == category for r in reading)
        scores.append(2 * hits / asked)
    return float(np.mean(scores)) if scores else math.nan
