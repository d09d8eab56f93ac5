"""Rows that nobody can count (failed, unread, not asked), and how wide they leave a rate; decided only here.

A row is missing when its call failed, no judge read its answer, or it was not asked yet, unless the counting rule
counts its layer. Missing rows are not like the others: a model may refuse in a language that the judge does not read.
So a difference is shown only if it also holds with every missing row counted against it, nothing is shown where more
than `MAX_FAILED` of the rows of either run are missing, and intervals are widened to what the missing rows allow.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from mossbench.outcomes import MAX_FAILED, Counted, Layer, Outcome, Rule, counted
from mossbench.results.row_columns import with_outcome
from mossbench.results.rows import ResultRow
from mossbench.statistics import Estimate

MISSING_LAYERS = (Layer.FAILED, Layer.UNJUDGED, Layer.NOT_ASKED)
"""In the order in which they are named."""


@dataclass(frozen=True)
class Missing:
    """How many of some rows are missing, by layer, and why most of them are."""

    n_rows: int = 0
    """All rows, the missing ones included."""
    n_failed: int = 0
    n_unjudged: int = 0
    n_not_asked: int = 0
    reason: str = ""
    """The most common one; empty where none is known."""

    @property
    def n(self) -> int:
        return self.n_failed + self.n_unjudged + self.n_not_asked

    @property
    def is_too_many(self) -> bool:
        """Whether so many are missing that no comparison can be decided."""
        return self.n > MAX_FAILED * self.n_rows


def is_missing(outcome: Outcome, rule: Rule) -> bool:
    """Whether a row could have counted either way, had it been answered and read."""
    if outcome.layer not in MISSING_LAYERS:
        return False
    return counted(outcome, rule) in (Counted.LEFT_OUT, Counted.UNKNOWN)


def missing_of(rows: Sequence[ResultRow], rule: Rule) -> Missing:
    missing = with_outcome(rows, lambda outcome: is_missing(outcome, rule))
    layers = Counter(row.outcome.layer for row in missing)
    return Missing(
        n_rows=len(rows),
        n_failed=layers[Layer.FAILED],
        n_unjudged=layers[Layer.UNJUDGED],
        n_not_asked=layers[Layer.NOT_ASKED],
        reason=most_common_reason(missing),
    )


def most_common_reason(rows: Iterable[ResultRow]) -> str:
    """Why most of these rows failed or have no verdict; empty where no row says why."""
    reasons = Counter(reason for reason in map(_reason, rows) if reason)
    return reasons.most_common(1)[0][0] if reasons else ""


def _reason(row: ResultRow) -> str:
    if row.outcome.layer is Layer.FAILED:
        answer = row.answered
        return answer.error.message if answer and answer.error else ""
    if row.outcome.layer is Layer.UNJUDGED:
        verdict = row.judged
        return verdict.reason if verdict else "not judged yet"
    return ""


def widened_rate(estimate: Estimate, n_missing: int) -> Estimate:
    """The rate with an interval that holds whatever the missing rows would have been.

    Of n rows that count and m that are missing, the rate of all n + m lies between low n / (n + m), if none of the
    missing is a refusal, and (high n + m) / (n + m), if all are. Worked number: 0 of 80 in [0, 0.046] and 40 missing
    give [0, 0.364].
    """
    n_all = estimate.n + n_missing
    if not n_missing or math.isnan(estimate.low):
        return estimate
    low = estimate.low * estimate.n / n_all
    high = (estimate.high * estimate.n + n_missing) / n_all
    return replace(estimate, low=low, high=high, method=f"{estimate.method}, widened for missing rows")


def widened_difference(estimate: Estimate, n_missing: int) -> Estimate:
    """The same for a difference of rates over pairs, of which one row may be refused and the other not."""
    n_all = estimate.n + n_missing
    if not n_missing or math.isnan(estimate.low):
        return estimate
    low = (estimate.low * estimate.n - n_missing) / n_all
    high = (estimate.high * estimate.n + n_missing) / n_all
    return replace(estimate, low=low, high=high, method=f"{estimate.method}, widened for missing rows")
