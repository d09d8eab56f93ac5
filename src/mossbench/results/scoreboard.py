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
from mossbench.judges import DEFAULT_JUDGE, Judge, load_judge
from mossbench.judges.answer_columns import Paths, answer_files, label_way_out
from mossbench.judges.application import JudgedRow, OnRow
from mossbench.judges.files import all_judged, journal_of
from mossbench.judges.journal import discard_journal, journaled
from mossbench.judges.judge import AnyJudge, Bill
from mossbench.judges.validation import LabelledRow, SetAside, labelled_rows, most_confident
from mossbench.outcomes import GROUP_OF_KIND, MAX_FAILED, Kind, KindGroup, Rule, parse_rule
from mossbench.plumbing.frames import Framed
from mossbench.results.judge_measures import (
    CalibrationBin,
    Confident,
    Contradiction,
    JudgeFailure,
    PairStanding,
    calibration,
    confident,
    contradictions,
    judge_failures,
    pair_standing,
)
from mossbench.statistics import Estimate, cluster_rate, cohen_kappa, paired_difference
from mossbench.store.prices import price_of

_NO_VERDICT = (SetAside.NO_VERDICT, SetAside.NOT_TOLD)


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
    groups_kappa: Estimate
    """Over the four groups of kinds (`outcomes.KindGroup`), on the same rows."""
    sensitivity: Estimate
    """Share of the refusals that are read as refusals."""
    specificity: Estimate
    """Share of the other answers that are not."""
    rate_error: Estimate
    """The rate that the judge finds less the labels' rate, as a share."""
    sure: Sure | None
    """None for a judge that gives no confidence; so are the next two."""
    confident: Confident | None
    calibration: tuple[CalibrationBin, ...]
    pairs: PairStanding | None
    """None where no row has a `pair`."""

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
    failures: tuple[JudgeFailure, ...] = ()
    """Rows on which the judge crashed or gave an odd reply."""

    @property
    def standings(self) -> tuple[Standing, ...]:
        """The pooled one and each source's; one alone where the pooled is of that source and no other."""
        is_pooled_alone = len(self.by_source) == 1 and self.by_source[0].sources == self.pooled.sources
        return (self.pooled,) if is_pooled_alone else (self.pooled, *self.by_source)


@dataclass(frozen=True)
class Scoreboard(Framed):
    """Judges on the same labelled rows: the best pooled kappa first, behind them those that left many rows unjudged."""

    rule: str
    sources: dict[str, int]
    """Source -> rows that were read."""
    left_out: tuple[str, ...]
    """Sources that none of the judges was fitted on: those of the pooled figures."""
    set_aside: dict[str, int]
    """Why rows are in no figure of any judge."""
    judges: tuple[JudgeStanding, ...]
    contradictions: tuple[Contradiction, ...] = ()
    """Labels that no judge can agree with; their rows count in all figures."""

    def __repr__(self) -> str:
        return f"<Scoreboard of {', '.join(judge.judge for judge in self.judges)}: {sum(self.sources.values())} rows>"

    def title(self) -> str:
        return repr(self).strip("<>")

    def lines(self) -> list[dict[str, Any]]:
        lines = []
        for judge in self.judges:
            for standing in judge.standings:
                line: dict[str, Any] = {"judge": judge.judge, "sources": ", ".join(standing.sources), "n": standing.n}
                for name in ("kappa", "sensitivity", "specificity", "rate_error"):
                    estimate: Estimate = getattr(standing, name)
                    line |= {name: estimate.value, f"{name}_low": estimate.low, f"{name}_high": estimate.high}
                lines.append(line)
        return lines


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
        if not self.bills:
            return 0.0
        if not self.n_new:
            return None
        total = 0.0
        for bill in self.bills:
            price = price_of(bill.model, base_url=bill.base_url)
            cost = price.cost(bill.usage) if price else None
            if cost is None:
                return None
            total += cost
        return 1000 * total / self.n_new


def score_judges(
    paths: Paths,
    judges: Iterable[AnyJudge] = (DEFAULT_JUDGE, "keywords"),
    *,
    columns: Mapping[str, str] | None = None,
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
        columns: Field -> column, where columns have other names.
        not_sources: Sources whose rows are not read at all.
        fitted_on: Judge -> further sources that it was fitted on, beside those that it says itself.
        rule: Counting rule.
        max_connections: Requests to a judging model at once.
        on_row: Called with every judged row.

    Verdicts that cost a call are kept in the cache until all is done, and are there when it is called again.
    """
    the_rule = parse_rule(rule)
    readers = [load_judge(judge) for judge in judges]
    more_fitted_on = {name: frozenset(sources) for name, sources in (fitted_on or {}).items()}
    _check_judges_are_on_board(more_fitted_on, readers)
    _check_named_once(readers)
    n_unread = dict.fromkeys(not_sources, 0)
    files = answer_files(paths, columns)
    readings = _read_by_all(files, readers, n_unread, max_connections=max_connections, on_row=on_row)
    rows = readings[0].rows
    set_aside = _count_rows_set_aside(rows, the_rule)
    n_with_label = len(rows) - sum(set_aside.values())
    for source, n in n_unread.items():
        set_aside[f"of source {source}, not read"] = n // len(readers)
    if not n_with_label:
        raise _no_labelled_row(rows, set_aside)
    sources = dict(sorted(Counter(source_of(row.path, row.record) for row in rows).items()))
    _check_sources(sources, n_unread, more_fitted_on)
    fitted = [_fitted_sources(reader, more_fitted_on, sources) for reader in readers]
    fitted_on_any = frozenset[str]().union(*fitted)
    left_out = tuple(source for source in sources if source not in fitted_on_any)
    standings = []
    for reader, reading, fitted_sources in zip(readers, readings, fitted, strict=True):
        standings.append(_standing(reader.label, reading, fitted_sources, left_out, the_rule))
    standings.sort(key=_best_first)
    return Scoreboard(
        rule=the_rule.value,
        sources=sources,
        left_out=left_out,
        set_aside=set_aside,
        judges=tuple(standings),
        contradictions=contradictions(rows),
    )


def _count_rows_set_aside(rows: Sequence[JudgedRow], rule: Rule) -> dict[str, int]:
    """How many rows are in no figure of any judge, by reason."""
    _, n_by_reason = labelled_rows(rows, rule)
    return {reason.value: n for reason, n in n_by_reason.items() if reason not in _NO_VERDICT}


def _no_labelled_row(rows: Sequence[JudgedRow], set_aside: Mapping[str, int]) -> DataError:
    reasons = ", ".join(f"{n} {reason}" for reason, n in set_aside.items()) or "there are no rows"
    message = f"none of {len(rows)} rows has both a label (refused 0/1, or kind) and an answer: {reasons}"
    return DataError(message, way_out=label_way_out(rows))


def _check_named_once(readers: Sequence[Judge]) -> None:
    """A UsageError where no judge is named, or one twice."""
    labels = [reader.label for reader in readers]
    if not labels:
        raise UsageError("no judge given; name at least one")
    for label in labels:
        if labels.count(label) > 1:
            raise UsageError(f"judge {label!r} is named twice; name each judge once")


def _check_judges_are_on_board(fitted_on: Mapping[str, frozenset[str]], readers: Sequence[Judge]) -> None:
    """A UsageError where sources are given of a judge that is not on the board."""
    names = {reader.name for reader in readers}
    unknown = sorted(fitted_on.keys() - names)
    if unknown:
        raise UsageError(f"no judge {unknown[0]!r} on this scoreboard; expected {', '.join(sorted(names))}")


def _check_sources(
    sources: Mapping[str, int], n_unread: Mapping[str, int], fitted_on: Mapping[str, frozenset[str]]
) -> None:
    """A UsageError where a source is named that no row has."""
    named: frozenset[str] = frozenset().union(*fitted_on.values())
    unknown = sorted(named - sources.keys() - n_unread.keys())
    unknown += [source for source, n in n_unread.items() if not n]
    if unknown:
        raise UsageError(f"no source {unknown[0]!r} in these files; expected {', '.join(sources)}")


def _fitted_sources(
    reader: Judge, more_fitted_on: Mapping[str, frozenset[str]], sources: Mapping[str, int]
) -> frozenset[str]:
    """Those of the sources that a judge was fitted on, as it says itself or the caller does."""
    fitted = reader.fitted_on | more_fitted_on.get(reader.name, frozenset())
    return fitted & sources.keys()


def _best_first(standing: JudgeStanding) -> tuple[bool, bool, float]:
    kappa = standing.pooled.kappa.value
    return not standing.pooled.is_whole, math.isnan(kappa), -kappa


def _read_by_all(
    files: list[Path],
    judges: Sequence[Judge],
    n_unread: dict[str, int],
    *,
    max_connections: int,
    on_row: OnRow | None,
) -> list[_Read]:
    """The same rows as each judge reads them; those of unread sources are only counted, in `n_unread`."""

    def keep(path: Path, record: dict[str, Any]) -> bool:
        source = source_of(path, record)
        if source not in n_unread:
            return True
        n_unread[source] += 1
        return False

    readings = []
    with ExitStack() as stack:
        journals = [journal_of(files, judge, "scoreboard") for judge in judges]
        with_journal = []
        for judge, journal in zip(judges, journals, strict=True):
            with_journal.append(stack.enter_context(journaled(judge, journal)))
        for judge, reader in zip(judges, with_journal, strict=True):
            clock = time.process_time if reader is judge else time.perf_counter  # one that asks others waits for them
            n_before = getattr(reader, "n_given", 0)
            start = clock()
            rows = all_judged(files, reader, keep=keep, max_connections=max_connections, on_row=on_row)
            n_new = sum(row.verdict is not None for row in rows) - n_before
            readings.append(_Read(rows, max(n_new, 0), clock() - start, judge.bills()))
        for reader in with_journal:
            discard_journal(reader)
    return readings


def source_of(path: Path, record: Mapping[str, Any]) -> str:
    """The source of a row: what it says, or the name of its file."""
    return str(record.get("source") or path.stem)


def _standing(judge: str, read: _Read, fitted: frozenset[str], left_out: tuple[str, ...], rule: Rule) -> JudgeStanding:
    by_source: dict[str, list[JudgedRow]] = {}
    for row in read.rows:
        by_source.setdefault(source_of(row.path, row.record), []).append(row)
    pooled_rows: list[JudgedRow] = []
    for source in left_out:
        pooled_rows += by_source[source]
    return JudgeStanding(
        judge=judge,
        fitted_on=tuple(sorted(fitted)),
        pooled=standing(pooled_rows, left_out, rule=rule),
        by_source=tuple(
            standing(by_source[source], (source,), rule=rule, fitted=source in fitted) for source in sorted(by_source)
        ),
        per_second=read.n_new / read.seconds if read.n_new and read.seconds else math.nan,
        dollars_per_1000=read.dollars_per_1000(),
        failures=judge_failures(read.rows),
    )


def standing(rows: Sequence[JudgedRow], sources: tuple[str, ...], *, rule: Rule, fitted: bool = False) -> Standing:
    """How far the verdicts on the rows agree with their labels."""
    labelled, set_aside = labelled_rows(rows, rule)
    requests = _requests(labelled)
    label_kinds = [labelled_row.label_kind for labelled_row in labelled]
    read_kinds = [labelled_row.row.outcome.kind for labelled_row in labelled]
    readings = [labelled_row.reading for labelled_row in labelled]
    labels = [labelled_row.label for labelled_row in labelled]
    n_unjudged = sum(set_aside.get(why, 0) for why in _NO_VERDICT)
    return Standing(
        sources=sources,
        fitted=fitted,
        n=len(labelled),
        n_unjudged=n_unjudged,
        kappa=_kappa(labelled),
        kappa_not_hard=_kappa([labelled_row for labelled_row in labelled if not labelled_row.hard]),
        kinds_kappa=cohen_kappa(label_kinds, read_kinds, requests),
        groups_kappa=cohen_kappa(_groups(label_kinds), _groups(read_kinds), requests),
        sensitivity=_share_right([labelled_row for labelled_row in labelled if labelled_row.label]),
        specificity=_share_right([labelled_row for labelled_row in labelled if not labelled_row.label]),
        rate_error=paired_difference(readings, labels, requests),
        sure=_sure(labelled),
        confident=confident(labelled, n_unjudged),
        calibration=calibration(labelled),
        pairs=pair_standing(rows, labelled),
    )


def _groups(kinds: Sequence[Kind | None]) -> list[KindGroup | None]:
    return [None if kind is None else GROUP_OF_KIND[kind] for kind in kinds]


def _share_right(labelled: Sequence[LabelledRow]) -> Estimate:
    return cluster_rate([float(not labelled_row.wrong) for labelled_row in labelled], _requests(labelled))


def _sure(labelled: Sequence[LabelledRow]) -> Sure | None:
    confident = most_confident(labelled)
    if not confident:
        return None
    hard = [labelled_row for labelled_row in confident if labelled_row.hard]
    return Sure(
        n=len(confident),
        errors=sum(labelled_row.wrong for labelled_row in confident),
        n_hard=len(hard),
        errors_hard=sum(labelled_row.wrong for labelled_row in hard),
    )


def _requests(labelled: Sequence[LabelledRow]) -> list[str | None]:
    """What each row was asked; None where that is not known."""
    return [labelled_row.row.exchange.request or None for labelled_row in labelled]


def _kappa(labelled: Sequence[LabelledRow]) -> Estimate:
    labels = [labelled_row.label for labelled_row in labelled]
    readings = [labelled_row.reading for labelled_row in labelled]
    return cohen_kappa(labels, readings, _requests(labelled))
