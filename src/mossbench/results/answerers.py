"""Who answered: the model that was asked, or another one that stood in for it.

A reply names a model. It is the asked one if the names are alike but for a date, a version of three digits, a word such
as `latest`, the order of the words and who publishes it. What is named is another model only where that cannot be so;
where it may be an alias, both names are shown and nothing is concluded.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from mossbench.outcomes import Answer, Rule
from mossbench.results.rates import Rate, rate_of
from mossbench.samples import Side
from mossbench.statistics.planning import fisher_p

if TYPE_CHECKING:
    from mossbench.results.rows import AnswerFacts, ResultRow
    from mossbench.results.table import Results

_NAMES_MODELS = ("openai/", "anthropic/", "google/", "inspect/")
"""Providers whose replies name a model as they are asked for one; what own code says of itself is its own."""
# 2024-08-06, 20240806, 09-2025, 05-20 at the end; 0613 (month and day), 2411 (year and month); 001
_DATE = re.compile(
    r"(?<!\d)(?:20\d\d[-.]?\d\d[-.]?\d\d|\d\d-20\d\d|(?:0\d|1[0-2])-[0-3]\d(?=$)|"
    r"(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])|2[3-9](?:0[1-9]|1[0-2])|00\d)(?!\d)"
)
_FOLLOWED = {"latest", "preview", "exp", "experimental", "beta"}
"""Words of a name that stands for whatever is newest."""
_ROUTES = {"auto", "router"}
"""Words of a name that stands for whatever a router chooses."""
_SAME_MODEL = ("", "latest", "free", "nitro", "floor", "online", "extended", "exacto")
"""What routers add behind a colon without asking another model."""


def is_other(asked: str, named: str | None) -> bool | None:
    """Whether a reply names another model than the one that was asked; None where that cannot be told."""
    if not named or not asked.startswith(_NAMES_MODELS):
        return None
    asked_name = _last(asked)
    named_name = _last(named)
    if asked_name == named_name:
        return False
    asked_core = _core(asked_name)
    named_core = _core(named_name)
    if asked_core.words == named_core.words:
        return _is_other_date(asked_core.dates, named_core.dates)
    asked_words = Counter(asked_core.words)
    named_words = Counter(named_core.words)
    one_name_contains_the_other = asked_words <= named_words or named_words <= asked_words
    follows_newest = bool(_FOLLOWED & set(re.split(r"[^a-z]+", asked_name)))
    is_routed = bool(_ROUTES & set(asked_core.words))
    if is_routed or (follows_newest and one_name_contains_the_other):
        return None  # what is named may be what it stands for
    return True


def _is_other_date(asked: list[str], named: list[str]) -> bool | None:
    """Whether names that differ in their dates alone are of two models; a name without one stands for the newest."""
    if asked and named:
        return asked != named
    return None if asked else False


def _last(name: str) -> str:
    """The name without its publisher, and without what a router adds behind a colon."""
    name = name.lower().rpartition("/")[2]
    base, _, variant = name.partition(":")
    return base if variant in _SAME_MODEL else name


class _Core(NamedTuple):
    """What a name says of a model."""

    words: list[str]
    """Sorted, without dates and what follows the newest."""
    dates: list[str]
    """As digits."""


def _core(name: str) -> _Core:
    words = [word for word in re.split(r"[^a-z0-9]+", _DATE.sub(" ", name)) if word and word not in _FOLLOWED]
    while len(words) > 1 and words[-1] == "0":  # claude-opus-4-0 is claude-opus-4
        words.pop()
    dates = [re.sub(r"\D", "", date) for date in _DATE.findall(name)]
    return _Core(sorted(words), dates)


def by_another(asked: str, answer: Answer | AnswerFacts | None) -> bool | None:
    """Whether another model than `asked` gave this answer; None where that cannot be told."""
    if answer is None:
        return None
    return True if answer.fallback else is_other(asked, answer.model)


@dataclass(frozen=True)
class StoodIn:
    """The rows of a side that another model answered, and the rate with and without them."""

    side: Side
    names: dict[str, int]
    """Rows by the model that was named."""
    n_said_by_provider: int
    """Rows of which the provider itself says that another model stood in."""
    n: int
    n_answered: int
    n_own: int
    """Rows of the run, both sides, that the model asked for is known to have answered."""
    rate: Rate
    """All rows."""
    without: Rate
    """The others; no row counts where every one was answered by another model."""
    by_others: Rate
    """Those rows."""
    p: float
    """Fisher's exact test of those rows against the others, where scenes are shared on as many as there are scenes."""

    @property
    def may_be_alias(self) -> bool:
        """Whether no reply names the model asked for: then the other name may be the endpoint's own for it."""
        return not self.n_own and not self.n_said_by_provider

    @property
    def differs(self) -> bool:
        """Whether those rows are refused more or less often than the others, more than chance explains (95 %)."""
        return self.p <= 0.05

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
    """By side, where rows were answered by another model; nothing where none was, or nobody can tell."""
    is_by_another = [by_another(results.model, row.answered) for row in results.rows]
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
