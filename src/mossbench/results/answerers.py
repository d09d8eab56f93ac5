"""Who answered: the model that was asked, or another one that stood in for it.

A reply names a model. It is the asked one if the names are alike but for a date, a version of three digits, a word such
as `latest`, the order of the words and who publishes it. What is named is another model only where that cannot be so;
where it may be an alias, both names are shown and nothing is concluded.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

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


def is_other(asked: str, named: str | None) -> bool | None:
    """Whether a reply names another model than the one that was asked; None where that cannot be told."""
    if not named or not asked.startswith(_NAMES_MODELS):
        return None
    one, other = (_last(name) for name in (asked, named))
    if one == other:
        return False
    (words, dates), (named_words, named_dates) = _core(one), _core(other)
    if words == named_words:
        return dates != named_dates if dates and named_dates else None if dates else False
    contained = not (Counter(words) - Counter(named_words)) or not (Counter(named_words) - Counter(words))
    follows = _FOLLOWED & set(re.split(r"[^a-z]+", one))
    return None if _ROUTES & set(words) or (follows and contained) else True


def _last(name: str) -> str:
    """The name without its publisher, and without what a router adds behind a colon."""
    name = name.lower().rpartition("/")[2]
    base, _, variant = name.partition(":")
    return base if variant in ("", "latest", "free", "nitro", "floor", "online", "extended", "exacto") else name


def _core(name: str) -> tuple[list[str], list[str]]:
    """The words of a name, sorted, without dates and what follows the newest; and its dates."""
    words = [word for word in re.split(r"[^a-z0-9]+", _DATE.sub(" ", name)) if word and word not in _FOLLOWED]
    while len(words) > 1 and words[-1] == "0":  # claude-opus-4-0 is claude-opus-4
        words.pop()
    return sorted(words), [re.sub(r"\D", "", date) for date in _DATE.findall(name)]


def by_another(asked: str, answer: Answer | AnswerFacts | None) -> bool | None:
    """Whether another model than `asked` gave this answer; None where that cannot be told."""
    return True if answer is not None and answer.fallback else is_other(asked, answer.model if answer else None)


@dataclass(frozen=True)
class StoodIn:
    """The rows of a side that another model answered, and the rate with and without them."""

    side: Side
    names: dict[str, int]
    """Rows by the model that was named."""
    said: int
    """Rows of which the provider says itself that another model stood in."""
    n: int
    n_answered: int
    n_own: int
    """Rows of the run, both sides, that the model asked for is known to have answered."""
    rate: Rate
    """All rows."""
    without: Rate
    """The others; no row counts where every one was answered by another model."""
    those: Rate
    p: float
    """Fisher's exact test of those rows against the others, where scenes are shared on as many as there are scenes."""

    @property
    def may_be_alias(self) -> bool:
        """Whether no reply names the model asked for: then the other name may be the endpoint's own for it."""
        return not self.n_own and not self.said

    @property
    def differs(self) -> bool:
        """Whether those rows are refused more or less often than the others, more than chance explains (95 %)."""
        return self.p <= 0.05

    def to_dict(self) -> dict[str, Any]:
        about = {"side": str(self.side), "n": self.n, "named": self.names, "said": self.said}
        rates = {name: getattr(self, name).to_dict() for name in ("rate", "without", "those")}
        return {**about, "may_be_alias": self.may_be_alias, **rates, "p": self.p}


def stood_in(results: Results, rule: Rule) -> tuple[StoodIn, ...]:
    """By side, where rows were answered by another model; nothing where none was, or nobody can tell."""
    told = {row.key: by_another(results.model, row.answered) for row in results.rows}
    if True not in told.values():
        return ()
    n_own = sum(other is False for other in told.values())
    found = []
    for side in Side:
        rows = [row for row in results.rows if row.key.side is side]
        those, others = ([row for row in rows if bool(told[row.key]) is other] for other in (True, False))
        if those:
            found.append(_stood_in(side, those, others, rule, n_own))
    return tuple(found)


def _stood_in(side: Side, those: Sequence[ResultRow], others: Sequence[ResultRow], rule: Rule, n_own: int) -> StoodIn:
    answers = [answer for row in those if (answer := row.answered)]
    rate, without, apart = (rate_of(side, "all", part, rule) for part in ([*others, *those], others, those))
    (k, n), (m, total) = (_worth(part, one) for part, one in ((those, apart), (others, without)))
    return StoodIn(
        side=side,
        names=dict(Counter(answer.model or "not named" for answer in answers).most_common()),
        said=sum(answer.fallback for answer in answers),
        n=len(those),
        n_answered=len(those) + sum((found := row.answered) is not None and found.error is None for row in others),
        n_own=n_own,
        rate=rate,
        without=without,
        those=apart,
        p=fisher_p(k, n, m, total) if n and total else 1.0,
    )


def _worth(rows: Sequence[ResultRow], rate: Rate) -> tuple[int, int]:
    """How many refusals out of how many independent rows a rate is of: no more than there are scenes or samples."""
    estimate = rate.estimate
    if not estimate.n or estimate.value != estimate.value:
        return 0, 0
    n = min(estimate.n, len({row.sample.unit for row in rows}))
    return round(estimate.value * n), n
