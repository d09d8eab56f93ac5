"""Rates with the judge's errors taken out, as estimates; `results.correction` decides which rates have one."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from mossbench.outcomes import Layer, Rule, tally_of_counts
from mossbench.results.missing import widened_rate
from mossbench.results.rates import Rate, yes
from mossbench.results.row_columns import judged_rows, outcomes_of, with_outcome
from mossbench.statistics import Confusion, Estimate, rogan_gladen, wilson

if TYPE_CHECKING:
    from mossbench.results.rows import ResultRow


def corrected_by_errors(rate: Rate, rows: Sequence[ResultRow], rule: Rule, counts: Confusion) -> Estimate:
    readings = yes(judged_rows(rows), rule)
    n = len(readings)
    n_refused = round(sum(readings))
    refused_of_judged = rogan_gladen(n_refused, n, counts, worth=n / widening(rate) ** 2)
    return with_certain_refusals(refused_of_judged, rate, rows, rule)


def with_certain_refusals(q: Estimate, rate: Rate, rows: Sequence[ResultRow], rule: Rule) -> Estimate:
    """The rate b + (1 - b) q, b the share that no judge had to read and q the refused share of judged answers.

    The intervals of both are joined by square-and-add.
    """
    not_judged = with_outcome(rows, lambda outcome: outcome.layer is not Layer.JUDGED)
    certain = tally_of_counts(outcomes_of(not_judged).counts(), rule).refused
    n = certain + len(rows) - len(not_judged)
    method = q.method + (", widened for scenes" if widening(rate) > 1 else "")
    if not certain:
        return widened_rate(Estimate(q.value, q.low, q.high, n, len(rows) - n, method), rate.n_missing)
    b = wilson(certain, n)
    value = b.value + (1 - b.value) * q.value
    below = math.hypot((1 - q.value) * (b.value - b.low), (1 - b.value) * (q.value - q.low))
    above = math.hypot((1 - q.value) * (b.high - b.value), (1 - b.value) * (q.high - q.value))
    joined = Estimate(value, max(0.0, value - below), min(1.0, value + above), n, len(rows) - n, method)
    return widened_rate(joined, rate.n_missing)


def widening(rate: Rate) -> float:
    """How much wider scenes make the interval of the rate as read."""
    alone = wilson(rate.refused, rate.estimate.n)
    read = without_missing(rate.estimate, rate.n_missing)
    return max(1.0, (read.high - read.low) / (alone.high - alone.low))


def without_missing(estimate: Estimate, n_missing: int) -> Estimate:
    """The interval of the rows that count, before `widened_rate`."""
    n_all = estimate.n + n_missing
    low = estimate.low * n_all / estimate.n
    high = (estimate.high * n_all - n_missing) / estimate.n
    return replace(estimate, low=low, high=high)
