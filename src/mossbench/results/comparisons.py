"""Runs on the same samples, compared pair by pair.

A pair is one sample under one epoch in both runs (and one arm; two runs with one arm each are paired across it, so that
system prompts can be compared). It counts when both of its rows do. Rows of one scene, and epochs of one sample, are
never taken as independent: intervals are Tango's at the design effect of the differences, p-values come from swapping
the two runs in whole scenes. Differences are the second run's rate less the first's.
"""

import math
import operator
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from mossbench.errors import UsageError
from mossbench.outcomes import Key, Rule, parse_rule
from mossbench.plumbing.frames import Framed
from mossbench.plumbing.storage import plain
from mossbench.results.comparability import (
    AskedDifferently,
    Pair,
    pair_rows,
    settings_that_were_asked_differently,
    why_not_comparable,
)
from mossbench.results.comparison_notes import Note, notes_on
from mossbench.results.comparison_words import asked_differently_words, not_comparable_words, note_words
from mossbench.results.missing import Missing, is_missing, missing_of, widened_difference
from mossbench.results.rates import check_by, clusters_of, group_of, groups_of, yes
from mossbench.results.rows import ResultRow
from mossbench.results.table import Results, load_results
from mossbench.samples import Side
from mossbench.statistics import (
    Estimate,
    Significance,
    cochran_q,
    holm,
    n_paired,
    paired_difference,
    sign_flip_test,
    sign_flip_test_at_worst,
)
from mossbench.statistics.clusters import design_effect
from mossbench.statistics.paired import counted_pairs

LEAST_DIFFERING = 6
"""Of five that differ, all one way, the exact two-sided p is 2 / 2**5 = 0.06: nothing is shown."""


@dataclass(frozen=True)
class Difference:
    """How two runs differ on one group of samples."""

    first: str
    second: str
    side: Side
    group: str
    """A stimulus, or `all`."""
    rates: tuple[float, float]
    """Of first and second, on the pairs that count."""
    estimate: Estimate
    """Second less first; n and n_left_out are pairs."""
    only_first: int
    """Pairs in which only the first run refused the request."""
    only_second: int
    p: float
    """Of the pairs that count."""
    p_adjusted: float
    """Of `p_decisive`, by Holm over the other runs for `all`, else over stimuli and other runs; each side apart."""
    n_needed: int | None
    """Samples that would show a difference as large as the one seen, four times of five; None: shown, or none seen."""
    p_worst: float = math.nan
    """With every missing row counted against the difference."""
    missing: tuple[Missing, Missing] = (Missing(), Missing())
    """Of first and second: rows that failed, that nobody read or that were not asked."""

    @property
    def told_apart(self) -> bool:
        return self.p_adjusted <= 0.05

    @property
    def p_decisive(self) -> float:
        """What decides: the larger p, and 1 where too many rows are missing to decide anything."""
        if self.too_many_missing and self.estimate.n:
            return 1.0
        return self.p if math.isnan(self.p_worst) else max(self.p, self.p_worst)

    @property
    def too_many_missing(self) -> bool:
        """Whether so many rows of either run are missing that the comparison is inconclusive in any case."""
        return any(missing.is_too_many for missing in self.missing)

    @property
    def missing_rows_decide(self) -> bool:
        """Whether the pairs that count show a difference, which the missing rows could explain."""
        return not self.told_apart and not self.too_many_missing and self.p <= 0.05 < self.p_worst

    @property
    def is_inconclusive(self) -> bool:
        return self.too_many_missing or self.missing_rows_decide

    @property
    def interval_differs(self) -> bool:
        """Whether the interval, taken alone, would say otherwise than p."""
        if not self.estimate.n or self.is_inconclusive:
            return False
        return self.told_apart != (self.estimate.low > 0 or self.estimate.high < 0)


@dataclass(frozen=True)
class Flip:
    """A pair that the two runs answered to different effect."""

    second: str
    side: Side
    sample: str
    epoch: int
    stimulus: str
    question: str
    refused_by: str
    outcomes: tuple[str, str]
    answers: tuple[str | None, str | None]
    arms: tuple[str, str] = ("plain", "plain")


@dataclass(frozen=True)
class Comparison(Framed):
    """Runs compared with the first of them."""

    runs: tuple[str, ...]
    data: str
    """Name and hash."""
    judge: str
    rule: Rule
    differences: tuple[Difference, ...]
    flips: tuple[Flip, ...]
    overall: dict[Side, Significance]
    """With three or more runs: Cochran's Q over all of them, on the rows that count in each."""
    n_unpaired: dict[str, int]
    """Rows of each run that have no partner in the first run (for the first: in any other)."""
    settings: tuple[AskedDifferently, ...] = ()
    """Which other runs were asked differently from the first, and in what (prompts, sampling)."""
    remarks: tuple[Note, ...] = ()
    """What to know of single runs before any number is read."""

    @property
    def asked_differently(self) -> tuple[str, ...]:
        """How other runs were asked differently from the first, to be said before any number."""
        return tuple(asked_differently_words(asked) for asked in self.settings)

    @property
    def notes(self) -> tuple[str, ...]:
        return tuple(note_words(note) for note in self.remarks)

    def title(self) -> str:
        first, *others = self.runs
        compared = f"{', '.join(others)} compared with {first}"
        return "; ".join((compared, f"data {self.data}", f"judge {self.judge}", *self.asked_differently, *self.notes))

    def lines(self) -> list[dict[str, Any]]:
        return [_line(difference) for difference in self.differences]

    def to_dict(self) -> dict[str, Any]:
        """All of it as plain values for JSON, what was asked differently before any number."""
        return {
            "runs": list(self.runs),
            "data": self.data,
            "judge": self.judge,
            "rule": str(self.rule),
            "asked_differently": list(self.asked_differently),
            "settings": plain(self.settings),
            "differences": plain(self.differences),
            "flips": plain(self.flips),
            "overall": plain(self.overall),
            "n_unpaired": self.n_unpaired,
            "notes": list(self.notes),
            "remarks": plain(self.remarks),
        }


def _line(difference: Difference) -> dict[str, Any]:
    estimate = difference.estimate
    first_rate, second_rate = difference.rates
    first_missing, second_missing = difference.missing
    return {
        "first": difference.first,
        "second": difference.second,
        "side": str(difference.side),
        "group": difference.group,
        "first_rate": first_rate,
        "second_rate": second_rate,
        "difference": estimate.value,
        "low": estimate.low,
        "high": estimate.high,
        "n": estimate.n,
        "only_first": difference.only_first,
        "only_second": difference.only_second,
        "p": difference.p,
        "p_worst": difference.p_worst,
        "p_adjusted": difference.p_adjusted,
        "told_apart": difference.told_apart,
        "inconclusive": difference.is_inconclusive,
        "first_missing": first_missing.n,
        "second_missing": second_missing.n,
    }


def compare(
    first: Results | str | Path,
    *others: Results | str | Path,
    rule: Rule | str = Rule.SYSTEM,
    judge: str | None = None,
    by: str = "stimulus",
) -> Comparison:
    """Each of the other runs compared with the first, over all samples and by stimulus or another column.

    A UsageError when they are not on the same data and judge.
    """
    rule = parse_rule(rule)
    runs = [run if isinstance(run, Results) else load_results(run, judge=judge) for run in (first, *others)]
    if len(runs) < 2:
        raise UsageError("a comparison needs two runs or more; give the folders of both")
    if len({run.folder.resolve() for run in runs}) < len(runs):
        raise UsageError("the same run is given twice; give the folders of different runs")
    names = names_of(runs)
    check_by(runs[0].rows, by)
    paired = _paired(names, runs)
    differences: list[Difference] = []
    flips: list[Flip] = []
    for name, pairs in paired.items():
        differences += differences_of(names[0], name, pairs, rule, n_others=len(paired), by=by)
        flips += _flips(names[0], name, pairs, rule)
    return Comparison(
        runs=tuple(names),
        data=runs[0].info.dataset.label,
        judge=str(runs[0].judge),
        rule=rule,
        differences=adjusted(differences),
        flips=tuple(flips),
        overall=_overall(paired, rule) if len(runs) > 2 else {},
        n_unpaired=_n_unpaired(names, runs, paired),
        settings=_asked_differently(names, runs),
        remarks=notes_on(names, runs),
    )


def _paired(names: Sequence[str], runs: Sequence[Results]) -> dict[str, list[Pair]]:
    """The rows that each of the other runs has in common with the first, by its name."""
    paired = {}
    first = runs[0]
    for name, run in zip(names[1:], runs[1:], strict=True):
        check_comparable(first, run)
        pairs = pair_rows(first, run)
        if not pairs:
            raise UsageError(f"{names[0]} and {name} have no sample in common; compare runs on the same samples")
        paired[name] = pairs
    return paired


def _n_unpaired(names: Sequence[str], runs: Sequence[Results], paired: Mapping[str, Sequence[Pair]]) -> dict[str, int]:
    """How many rows of each run have no partner."""
    with_partner: set[Key] = set()
    n_unpaired = {names[0]: 0}
    for name, run in zip(names[1:], runs[1:], strict=True):
        with_partner |= {row.key for row, _ in paired[name]}
        n_unpaired[name] = len(run) - len(paired[name])
    n_unpaired[names[0]] = len(runs[0]) - len(with_partner)
    return n_unpaired


def _asked_differently(names: Sequence[str], runs: Sequence[Results]) -> tuple[AskedDifferently, ...]:
    asked = []
    for name, run in zip(names[1:], runs[1:], strict=True):
        settings = settings_that_were_asked_differently(runs[0], run)
        if settings:
            asked.append(AskedDifferently(names[0], name, settings))
    return tuple(asked)


def check_comparable(first: Results, second: Results) -> None:
    """A UsageError when a difference of the two would be one of data or judges, or of what was not asked yet."""
    reason = why_not_comparable(first, second)
    if reason is not None:
        raise UsageError(not_comparable_words(reason))


def difference(
    first: str, second: str, side: Side, group: str, pairs: Sequence[Pair], rule: Rule, *, n_tests: int = 1
) -> Difference:
    """Second less first over these pairs, with an interval and an exact p that know which pairs are alike.

    The samples needed are for a difference that is one of `n_tests` which Holm corrects together.
    """
    first_rows = [row for row, _ in pairs]
    second_rows = [row for _, row in pairs]
    before = yes(first_rows, rule)
    after = yes(second_rows, rule)
    clusters = _clusters_of_pairs(first_rows, before, after, rule)
    first_missing = [is_missing(row.outcome, rule) for row in first_rows]
    second_missing = [is_missing(row.outcome, rule) for row in second_rows]
    n_missing = sum(map(operator.or_, first_missing, second_missing))
    test = sign_flip_test(after, before, clusters)
    at_worst = sign_flip_test_at_worst(
        after,
        before,
        [row.sample.unit for row in first_rows],
        first_missing=second_missing,
        second_missing=first_missing,
    )
    first_counted, second_counted, codes, _ = counted_pairs(before, after, clusters)
    n_samples = len({row.key.sample for row in first_rows})
    has_pairs = len(first_counted) > 0
    unadjusted = Difference(
        first=first,
        second=second,
        side=side,
        group=group,
        rates=(float(first_counted.mean()), float(second_counted.mean())) if has_pairs else (math.nan, math.nan),
        estimate=widened_difference(paired_difference(after, before, clusters), n_missing),
        only_first=int((first_counted > second_counted).sum()),
        only_second=int((second_counted > first_counted).sum()),
        p=test.p,
        p_adjusted=test.p,
        n_needed=_n_needed(first_counted, second_counted, codes, n_samples=n_samples, n_tests=n_tests),
        p_worst=at_worst.p,
        missing=(missing_of(first_rows, rule), missing_of(second_rows, rule)),
    )
    return replace(unadjusted, p_adjusted=unadjusted.p_decisive)


def _clusters_of_pairs(
    rows: Sequence[ResultRow], before: Sequence[float], after: Sequence[float], rule: Rule
) -> Sequence[tuple[str, ...]] | None:
    """What pairs have in common, by the rows of the first run; None where every pair that counts is alone."""
    counting = [row for row, a, b in zip(rows, before, after, strict=True) if not math.isnan(a + b)]
    return clusters_of(rows, rule) if clusters_of(counting, rule) else None


def _n_needed(first: np.ndarray, second: np.ndarray, codes: np.ndarray, *, n_samples: int, n_tests: int) -> int | None:
    """Samples to see a difference of this size, with pairs correlated and alike as these are."""
    if not len(first) or first.mean() == second.mean():
        return None
    first_rate = float(first.mean())
    second_rate = float(second.mean())
    spread = float(first.std() * second.std())
    covariance = float(((first - first.mean()) * (second - second.mean())).mean())
    gap = first - second
    planned = n_paired(
        first_rate,
        second_rate,
        correlation=covariance / spread if spread else 0.0,
        design_effect=design_effect(gap - gap.mean(), codes),
        confidence=1 - 0.05 / n_tests,
    )
    # The plan knows scenes only by their design effect: where so many samples have not shown it, it takes more than
    # these, and an exact test shows nothing before so many scenes (or samples) differ.
    n_differing = int(np.count_nonzero(np.bincount(codes, gap)))
    least = math.ceil(LEAST_DIFFERING * n_samples / n_differing)
    samples_a_pair = min(1.0, n_samples / len(first))
    return max(math.ceil(planned * samples_a_pair), n_samples + 1, least)


def differences_of(
    first: str, second: str, pairs: Sequence[Pair], rule: Rule, *, n_others: int = 1, by: str = "stimulus"
) -> list[Difference]:
    """Second less first on each side: by group, then over all; p-values not adjusted yet."""
    differences = []
    for side in Side:
        of_side = {pair[0].key: pair for pair in pairs if pair[0].key.side is side}
        if not of_side:
            continue
        groups = groups_of((row for row, _ in of_side.values()), by)
        whole_side: list[Pair] = []
        for group, rows in groups.items():
            of_group = [of_side[row.key] for row in rows]
            n_tests = len(groups) * n_others
            differences.append(difference(first, second, side, group, of_group, rule, n_tests=n_tests))
            whole_side += of_group
        differences.append(difference(first, second, side, "all", whole_side, rule, n_tests=n_others))
    return differences


def adjusted(differences: Sequence[Difference]) -> tuple[Difference, ...]:
    """With p-values adjusted within each side, those over all apart from those of single stimuli."""
    families: dict[tuple[Side, bool], list[int]] = {}
    for place, unadjusted in enumerate(differences):
        families.setdefault((unadjusted.side, unadjusted.group == "all"), []).append(place)
    adjusted_differences = list(differences)
    for places in families.values():
        adjusted_p = holm([differences[place].p_decisive for place in places]).tolist()
        for place, p in zip(places, adjusted_p, strict=True):
            adjusted_differences[place] = _with_p(differences[place], p)
    return tuple(adjusted_differences)


def _with_p(unadjusted: Difference, p: float) -> Difference:
    """The difference with this p; no more samples are asked for where it is shown, or where rows are missing."""
    result = replace(unadjusted, p_adjusted=p)
    if result.told_apart or result.is_inconclusive:
        return replace(result, n_needed=None)
    return result


def _flips(first: str, second: str, pairs: Sequence[Pair], rule: Rule) -> Iterator[Flip]:
    before = yes([row for row, _ in pairs], rule)
    after = yes([row for _, row in pairs], rule)
    for (row, other), refused_before, refused_after in zip(pairs, before, after, strict=True):
        if refused_before + refused_after != 1:  # both the same, or NaN: one does not count
            continue
        yield Flip(
            second=second,
            side=row.key.side,
            sample=row.key.sample,
            epoch=row.key.epoch,
            stimulus=group_of(row, "stimulus"),
            question=row.sample.question or other.sample.question,
            refused_by=first if refused_before else second,
            outcomes=(row.outcome.label, other.outcome.label),
            answers=(_answer_text(row), _answer_text(other)),
            arms=(row.key.arm, other.key.arm),
        )


def _answer_text(row: ResultRow) -> str | None:
    exchange = row.exchange  # of a large run it is read from its file each time
    return exchange.answer.text if exchange else None


def _overall(paired: Mapping[str, Sequence[Pair]], rule: Rule) -> dict[Side, Significance]:
    """Whether the runs differ at all, on the rows that each of them has."""
    columns = [{pair[0].key: pair for pair in pairs} for pairs in paired.values()]
    common = [key for key in columns[0] if all(key in column for column in columns)]
    tests = {}
    for side in Side:
        keys = [key for key in common if key.side is side]
        if not keys:
            continue
        first_rows = [columns[0][key][0] for key in keys]
        rows_of_runs = [first_rows]
        for column in columns:
            rows_of_runs.append([column[key][1] for key in keys])
        if any(missing_of(rows, rule).is_too_many for rows in rows_of_runs):
            continue  # the rows that count in all of them are no fair choice
        table = np.array([yes(rows, rule) for rows in rows_of_runs]).T
        tests[side] = cochran_q(table, clusters_of(first_rows, rule), rng=np.random.default_rng(0))
    return tests


def names_of(runs: Sequence[Results]) -> list[str]:
    """The runs by their models; where those are the same, by their system prompts too, and else by their folders."""
    n_of_model = Counter(run.model for run in runs)
    n_of_label = Counter(run.label for run in runs)
    names = []
    for run in runs:
        if n_of_model[run.model] == 1:
            names.append(run.model)
        elif n_of_label[run.label] == 1:
            names.append(run.label)
        else:
            names.append(f"{run.model} ({run.name})")
    return names
