"""Judges side by side on labelled answers: how far each agrees with the labels, source by source, and what it takes.

A source is what a row's `source` says, or the name of its file. Sources that a judge was fitted on are shown apart.
Pooled figures are over the sources that none of the judges was fitted on, the same rows for all. A row without a
verdict is counted as that and is in no other figure. Answers to one request are alike, so intervals are over requests.
"""

import math
import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mossbench.errors import DataError, UsageError
from mossbench.judges import Judge, load_judge
from mossbench.judges.application import JudgedRow, OnRow
from mossbench.judges.files import AnyJudge, Paths, all_judged, journal_of, listed
from mossbench.judges.journal import discard_journal, journaled
from mossbench.judges.judge import Bill
from mossbench.judges.validation import LabelledRow, labelled_rows, most_confident
from mossbench.outcomes import MAX_FAILED, Rule, parse_rule
from mossbench.statistics import Estimate, cohen_kappa, paired_difference
from mossbench.store.prices import price_of

_NO_VERDICT = ("no verdict", "not told by this judge")


@dataclass(frozen=True)
class Sure:
    """Errors among the most confident 85 % of a judge's verdicts."""

    n: int
    errors: int
    n_hard: int
    errors_hard: int


@dataclass(frozen=True)
class Standing:
    """How a judge did on the rows of one source, or of several pooled."""

    sources: tuple[str, ...]
    fitted: bool
    n: int
    """Rows with a label and a verdict."""
    n_unjudged: int
    """Rows with a label and an answer on which the judge gave no verdict."""
    kappa: Estimate
    kappa_not_hard: Estimate
    kinds_kappa: Estimate
    """Over the seven kinds, on rows where label and verdict have one."""
    rate_error: Estimate
    """The rate that the judge finds less the labels' rate, as a share."""
    sure: Sure | None
    """None for a judge that gives no confidence."""

    @property
    def is_whole(self) -> bool:
        """Whether nearly every row has a verdict: a judge that leaves the hard ones out agrees better on the rest."""
        return self.n_unjudged <= MAX_FAILED * (self.n + self.n_unjudged)


@dataclass(frozen=True)
class JudgeStanding:
    judge: str
    fitted_on: tuple[str, ...]
    """Those of the board's sources that it was fitted on."""
    pooled: Standing
    """Over the sources that no judge on the board was fitted on: the same rows for all. n is 0 where there are none."""
    by_source: tuple[Standing, ...]
    per_second: float
    """Answers in a second, with reading the file: of the processor's time for a judge that asks nobody, of the clock's
    for one that does. NaN where every verdict was there from before."""
    dollars_per_1000: float | None
    """US dollars for a thousand answers; None where it is not known."""

    @property
    def standings(self) -> tuple[Standing, ...]:
        """The pooled one and each source's; one alone where the pooled is of that source and no other."""
        alone = [one.sources for one in self.by_source] == [self.pooled.sources]
        return (self.pooled,) if alone else (self.pooled, *self.by_source)


@dataclass(frozen=True)
class Scoreboard:
    """Judges on the same labelled rows: the best pooled kappa first, behind them those that left many rows unjudged."""

    rule: str
    sources: dict[str, int]
    """Source -> rows that were read."""
    left_out: tuple[str, ...]
    """Sources that none of the judges was fitted on: those of the pooled figures."""
    set_aside: dict[str, int]
    """Why rows are in no figure of any judge."""
    judges: tuple[JudgeStanding, ...]


@dataclass(frozen=True)
class _Read:
    """The rows as one judge reads them, and what that took."""

    rows: list[JudgedRow]
    n_new: int
    """Verdicts that were not there from before."""
    seconds: float
    bills: tuple[Bill, ...]

    def dollars_per_1000(self) -> float | None:
        """Of the answers that were judged now: what was there from before has no bill."""
        prices = [price_of(bill.model, base_url=bill.base_url) for bill in self.bills]
        costs = [price.cost(bill.usage) if price else None for price, bill in zip(prices, self.bills, strict=True)]
        known = [cost for cost in costs if cost is not None]
        if len(known) < len(costs) or (costs and not self.n_new):
            return None
        return 1000 * sum(known) / self.n_new if costs else 0.0


def score_judges(
    paths: Paths,
    judges: Iterable[AnyJudge] = ("rules", "keywords"),
    *,
    not_sources: Iterable[str] = (),
    fitted_on: Mapping[str, Iterable[str]] | None = None,
    rule: Rule | str = Rule.MODEL,
    max_connections: int = 8,
    on_row: OnRow | None = None,
) -> Scoreboard:
    """Every judge on every labelled row of the files.

    Args:
        paths: Files of rows with `response` (or `answer`), `refused` or `kind`, and where known `question` (or
            `request`), `hard`, `disputed` and `source`.
        judges: Names of judges, judges, or functions of one exchange.
        not_sources: Sources whose rows are not read at all.
        fitted_on: Judge -> further sources that it was fitted on, beside those that it says itself.
        rule: Counting rule.
        max_connections: Requests to a judging model at once.
        on_row: Called with every judged row.

    Verdicts that cost a call are kept in the cache until all is done, and are there when it is called again.
    """
    the_rule, readers = parse_rule(rule), [load_judge(judge) for judge in judges]
    more = {name: frozenset(those) for name, those in (fitted_on or {}).items()}
    names = {reader.name for reader in readers}
    if unknown := sorted(more.keys() - names):
        raise UsageError(f"no judge {unknown[0]!r} on this board; on it: {', '.join(sorted(names))}")
    labels = [reader.label for reader in readers]
    if not labels:
        raise UsageError("no judge is named; name at least one")
    if twice := next((label for label in labels if labels.count(label) > 1), None):
        raise UsageError(f"judge {twice!r} is named twice; name each judge once")
    unread = dict.fromkeys(not_sources, 0)
    judged = _judged(listed(paths), readers, unread, max_connections=max_connections, on_row=on_row)
    aside_unread = {f"of source {name}, not read": n // len(readers) for name, n in unread.items()}
    first = judged[0].rows
    aside = {why: n for why, n in labelled_rows(first, the_rule)[1].items() if why not in _NO_VERDICT}
    if (n := len(first)) == sum(aside.values()):
        why = ", ".join(f"{n} {reason}" for reason, n in (aside | aside_unread).items()) or "there are no rows"
        raise DataError(f"none of {n} rows has both a label (refused 0/1, or kind) and an answer: {why}")
    sources = dict(sorted(Counter(source_of(row.where, row.record) for row in first).items()))
    named = frozenset[str]().union(*more.values())
    if unknown := [*sorted(named - sources.keys() - unread.keys()), *(name for name, n in unread.items() if not n)]:
        raise UsageError(f"no source {unknown[0]!r} in these files; in them: {', '.join(sources)}")
    fitted = [(reader.fitted_on | more.get(reader.name, frozenset())) & sources.keys() for reader in readers]
    left_out = tuple(name for name in sources if not any(name in one for one in fitted))
    found = [_standing(one, read, on, left_out, the_rule) for one, read, on in zip(labels, judged, fitted, strict=True)]
    found.sort(key=lambda one: (not one.pooled.is_whole, math.isnan(one.pooled.kappa.value), -one.pooled.kappa.value))
    return Scoreboard(the_rule.value, sources, left_out, aside | aside_unread, tuple(found))


def _judged(files: list[str | Path], judges: Sequence[Judge], unread: dict[str, int], **how: Any) -> list[_Read]:
    """The same rows as each judge reads them; those of unread sources are counted only."""

    def keep(where: str, record: dict[str, Any]) -> bool:
        source = source_of(where, record)
        if source in unread:
            unread[source] += 1
        return source not in unread

    with ExitStack() as stack:
        journals = [journal_of(files, judge, "scoreboard") for judge in judges]
        kept = [stack.enter_context(journaled(*one)) for one in zip(judges, journals, strict=True)]
        found = []
        for judge, one in zip(judges, kept, strict=True):
            clock = time.process_time if one is judge else time.perf_counter  # one that asks others waits for them
            n_before, start = getattr(one, "n_given", 0), clock()
            rows = all_judged(files, one, keep=keep, **how)
            n_new = sum(row.verdict is not None for row in rows) - n_before
            found.append(_Read(rows, max(n_new, 0), clock() - start, judge.bills()))
        for judged in kept:
            discard_journal(judged)
    return found


def source_of(where: str, record: Mapping[str, Any]) -> str:
    """The source of a row: what it says, or the name of its file."""
    return str(record.get("source") or Path(where.rpartition(",")[0]).stem)


def _standing(judge: str, read: _Read, fitted: frozenset[str], left_out: tuple[str, ...], rule: Rule) -> JudgeStanding:
    by_source: dict[str, list[JudgedRow]] = {}
    for row in read.rows:
        by_source.setdefault(source_of(row.where, row.record), []).append(row)
    return JudgeStanding(
        judge=judge,
        fitted_on=tuple(sorted(fitted)),
        pooled=standing([row for name in left_out for row in by_source[name]], left_out, rule=rule),
        by_source=tuple(
            standing(by_source[name], (name,), rule=rule, fitted=name in fitted) for name in sorted(by_source)
        ),
        per_second=read.n_new / read.seconds if read.n_new and read.seconds else math.nan,
        dollars_per_1000=read.dollars_per_1000(),
    )


def standing(rows: Sequence[JudgedRow], sources: tuple[str, ...], *, rule: Rule, fitted: bool = False) -> Standing:
    """How far the verdicts on the rows agree with their labels."""
    labelled, aside = labelled_rows(rows, rule)
    sure = most_confident(labelled)
    requests, kinds = [one.row.exchange.request or None for one in labelled], [one.row.outcome.kind for one in labelled]
    return Standing(
        sources=sources,
        fitted=fitted,
        n=len(labelled),
        n_unjudged=sum(aside.get(why, 0) for why in _NO_VERDICT),
        kappa=_kappa(labelled),
        kappa_not_hard=_kappa([row for row in labelled if not row.hard]),
        kinds_kappa=cohen_kappa([one.label_kind for one in labelled], kinds, requests),
        rate_error=paired_difference([row.reading for row in labelled], [row.label for row in labelled], requests),
        sure=Sure(*_errors(sure), *_errors([row for row in sure if row.hard])) if sure else None,
    )


def _kappa(rows: Sequence[LabelledRow]) -> Estimate:
    requests = [row.row.exchange.request or None for row in rows]
    return cohen_kappa([row.label for row in rows], [row.reading for row in rows], requests)


def _errors(rows: Sequence[LabelledRow]) -> tuple[int, int]:
    return len(rows), sum(row.wrong for row in rows)
