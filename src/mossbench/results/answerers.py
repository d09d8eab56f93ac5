"""Rows that another model answered than the one that was asked, and the rates with and without them.

A reply says who answered: by its provider's own word that a fallback did, or by the model that it names
(`model_names`). Where neither tells, both names are shown and nothing is concluded.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mossbench.outcomes import Answer, Rule
from mossbench.results.model_names import is_other_model
from mossbench.results.rates import Rate, rate_of
from mossbench.samples import Side
from mossbench.statistics.planning import fisher_p

if TYPE_CHECKING:
    from mossbench.results.rows import AnswerFacts, ResultRow
    from mossbench.results.table import Results

SIGNIFICANCE_LEVEL = 0.05


def by_another(asked: str, answer: Answer | AnswerFacts | None) -> bool | None:
    """Whether another model than `asked` gave this answer; None where that cannot be told."""
    if answer is None:
        return None
    if answer.fallback:
        return True
    return is_other_model(asked, answer.model)


@dataclass(frozen=True)
class StoodIn:
    """The rows of a side that another model answered, and the rate with and without them."""

    side: Side
    names: dict[str, int]
    """The models that the replies name, each with its number of rows."""
    n_said_by_provider: int
    """Rows of which the provider itself says that another model stood in."""
    n: int
    """Rows that another model answered."""
    n_answered: int
    """Rows of the side that have an answer, by whichever model."""
    n_own: int
    """Rows of the run, both sides, that the model asked for is known to have answered."""
    rate: Rate
    """All rows."""
    without: Rate
    """The others; no row counts where every one was answered by another model."""
    by_others: Rate
    """Those rows."""
    p: float
    """Fisher's exact test of those rows against the others, on no more rows of each than they have scenes."""

    @property
    def may_be_alias(self) -> bool:
        """Whether no reply names the model asked for: then the other name may be the endpoint's own for it."""
        return not self.n_own and not self.n_said_by_provider

    @property
    def differs(self) -> bool:
        """Whether those rows are refused more or less often than the others, more than chance explains (95 %)."""
        return self.p <= SIGNIFICANCE_LEVEL

    def to_dict(self) -> dict[str, Any]:
        return {
            "side": str(self.side),
            "n": self.n,
            "named": self.names,
            "said": self.n_said_by_provider,
            "may_be_alias": self.may_be_alias,
            "rate": self.rate.to_dict(),
            "without": self.without.to_dict(),
            "those": self.by_others.to_dict(),
            "p": self.p,
        }


def stood_in(results: Results, rule: Rule) -> tuple[StoodIn, ...]:
    """For each side with rows that another model answered: what stood in; empty where none did, or it is not known."""
    is_by_another = [by_another(results.asked_model, row.answered) for row in results.rows]
    if True not in is_by_another:
        return ()
    n_own = is_by_another.count(False)
    sides = []
    for side in Side:
        by_others: list[ResultRow] = []
        not_by_others: list[ResultRow] = []
        for row, is_by_other in zip(results.rows, is_by_another, strict=True):
            if row.key.side is not side:
                continue
            if is_by_other:
                by_others.append(row)
            else:
                not_by_others.append(row)
        if by_others:
            sides.append(_stood_in(side, by_others, not_by_others, rule, n_own))
    return tuple(sides)


def _stood_in(
    side: Side, by_others: Sequence[ResultRow], not_by_others: Sequence[ResultRow], rule: Rule, n_own: int
) -> StoodIn:
    answers = [answer for answer in (row.answered for row in by_others) if answer is not None]
    rate = rate_of(side, "all", [*not_by_others, *by_others], rule)
    rate_by_others = rate_of(side, "all", by_others, rule)
    rate_without = rate_of(side, "all", not_by_others, rule)
    refused_by_others, n_by_others = _count_independent(by_others, rate_by_others)
    refused_without, n_without = _count_independent(not_by_others, rate_without)
    p = 1.0
    if n_by_others and n_without:
        p = fisher_p(refused_by_others, n_by_others, refused_without, n_without)
    return StoodIn(
        side=side,
        names=dict(Counter(answer.model or "not named" for answer in answers).most_common()),
        n_said_by_provider=sum(answer.fallback for answer in answers),
        n=len(by_others),
        n_answered=len(by_others) + sum(_is_answered(row) for row in not_by_others),
        n_own=n_own,
        rate=rate,
        without=rate_without,
        by_others=rate_by_others,
        p=p,
    )


def _is_answered(row: ResultRow) -> bool:
    answer = row.answered
    return answer is not None and answer.error is None


def _count_independent(rows: Sequence[ResultRow], rate: Rate) -> tuple[int, int]:
    """How many refusals out of how many independent rows a rate is of: no more than there are scenes or samples."""
    estimate = rate.estimate
    if not estimate.n or math.isnan(estimate.value):
        return 0, 0
    n = min(estimate.n, len({row.sample.unit for row in rows}))
    return round(estimate.value * n), n
