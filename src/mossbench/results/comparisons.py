"""Runs on the same samples, compared pair by pair.

A pair is one sample under one epoch in both runs (and one arm; two runs with one arm each are paired across it, so that
system prompts can be compared). It counts when both of its rows do. Rows of one scene, and epochs of one sample, are
never taken as independent: intervals are Tango's at the design effect of the differences, p-values come from swapping
the two runs in whole scenes. Differences are the second run's rate less the first's.
"""

import math
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
    ones, others = [one for one, _ in pairs], [other for _, other in pairs]
    before, after = yes(ones, rule), yes(others, rule)
    counting = [row for row, a, b in zip(ones, before, after, strict=True) if not math.isnan(a + b)]
    clusters = clusters_of(ones, rule) if clusters_of(counting, rule) else None  # None: every pair that counts is alone
    n_missing = sum(any(is_missing(row.outcome, rule) for row in pair) for pair in pairs)
    estimate = widened_difference(paired_difference(after, before, clusters), n_missing)
    test = sign_flip_test(after, before, clusters)
    worst = sign_flip_test_at_worst(
        after,
        before,
        [row.sample.unit for row in ones],
        first_missing=[is_missing(row.outcome, rule) for row in others],
        second_missing=[is_missing(row.outcome, rule) for row in ones],
    )
    one, other, codes, _ = counted_pairs(before, after, clusters)
    rates = (float(one.mean()), float(other.mean())) if len(one) else (math.nan, math.nan)
    found = Difference(
        first=first,
        second=second,
        side=side,
        group=group,
        rates=rates,
        estimate=estimate,
        only_first=int((one > other).sum()),
        only_second=int((other > one).sum()),
        p=test.p,
        p_adjusted=test.p,
        n_needed=_n_needed(one, other, codes, n_samples=len({row.key.sample for row in ones}), n_tests=n_tests),
        p_worst=worst.p,
        missing=(missing_of(ones, rule), missing_of(others, rule)),
    )
    return replace(found, p_adjusted=found.p_decisive)


def _n_needed(one: np.ndarray, other: np.ndarray, codes: np.ndarray, *, n_samples: int, n_tests: int) -> int | None:
    """Samples to see a difference of this size, with pairs correlated and alike as these are."""
    if not len(one) or one.mean() == other.mean():
        return None
    spread = float(one.std() * other.std())
    correlation = float(((one - one.mean()) * (other - other.mean())).mean()) / spread if spread else 0.0
    gap, rates = one - other, (float(one.mean()), float(other.mean()))
    effect, confidence = design_effect(gap - gap.mean(), codes), 1 - 0.05 / n_tests
    planned = n_paired(*rates, correlation=correlation, design_effect=effect, confidence=confidence)
    # The plan knows scenes only by their design effect: where so many samples have not shown it, it takes more than
    # these, and an exact test shows nothing before so many scenes (or samples) differ.
    n_differing = int(np.count_nonzero(np.bincount(codes, gap)))
    least = math.ceil(LEAST_DIFFERING * n_samples / n_differing)
    return max(math.ceil(planned * min(1.0, n_samples / len(one))), n_samples + 1, least)


def differences_of(
    first: str, second: str, pairs: Sequence[Pair], rule: Rule, *, n_others: int = 1, by: str = "stimulus"
) -> list[Difference]:
    """Second less first on each side: by group, then over all; p-values not adjusted yet."""
    found = []
    for side in Side:
        here = {one.key: (one, other) for one, other in pairs if one.key.side is side}
        groups = groups_of((one for one, _ in here.values()), by)
        if not here:
            continue
        n_tests = len(groups) * n_others
        for group, rows in groups.items():
            some = [here[row.key] for row in rows]
            found.append(difference(first, second, side, group, some, rule, n_tests=n_tests))
        every = [here[row.key] for rows in groups.values() for row in rows]
        found.append(difference(first, second, side, "all", every, rule, n_tests=n_others))
    return found


def adjusted(differences: Sequence[Difference]) -> tuple[Difference, ...]:
    """With p-values adjusted within each side, those over all apart from those of single stimuli."""
    families: dict[tuple[Side, bool], list[int]] = {}
    for place, one in enumerate(differences):
        families.setdefault((one.side, one.group == "all"), []).append(place)
    found_p = dict[int, float]()
    for places in families.values():
        found_p |= zip(places, holm([differences[place].p_decisive for place in places]).tolist(), strict=True)
    found = (replace(one, p_adjusted=found_p[place]) for place, one in enumerate(differences))
    # More samples do not help where rows of these are missing.
    return tuple(replace(one, n_needed=None) if one.told_apart or one.is_inconclusive else one for one in found)


def _flips(first: str, second: str, pairs: list[Pair], rule: Rule) -> Iterator[Flip]:
    ones, others = [one for one, _ in pairs], [other for _, other in pairs]
    for one, other, before, after in zip(ones, others, yes(ones, rule), yes(others, rule), strict=True):
        if before + after == 1:  # else NaN, or both the same
            texts = [row.exchange.answer.text if row.exchange else None for row in (one, other)]
            yield Flip(
                second=second,
                side=one.key.side,
                sample=one.key.sample,
                epoch=one.key.epoch,
                stimulus=group_of(one, "stimulus"),
                question=one.sample.question or other.sample.question,
                refused_by=first if before else second,
                outcomes=(one.outcome.label, other.outcome.label),
                answers=(texts[0], texts[1]),
                arms=(one.key.arm, other.key.arm),
            )


def _overall(paired: dict[str, list[Pair]], rule: Rule) -> dict[Side, Significance]:
    columns = [{one.key: (one, other) for one, other in pairs} for pairs in paired.values()]
    common = [key for key in columns[0] if all(key in column for column in columns)]
    found = {}
    for side in Side:
        keys = [key for key in common if key.side is side]
        if not keys:
            continue
        ones = [columns[0][key][0] for key in keys]
        others = [[column[key][1] for key in keys] for column in columns]
        if any(missing_of(rows, rule).is_too_many for rows in (ones, *others)):
            continue  # the rows that count in all of them are no fair choice
        table = [yes(rows, rule) for rows in (ones, *others)]
        rng = np.random.default_rng(0)
        found[side] = cochran_q(np.array(table).T, clusters_of(ones, rule), rng=rng)
    return found


def names_of(runs: Sequence[Results]) -> list[str]:
    """The runs by their models; where those are the same, by their system prompts too, and else by their folders."""
    models, labels = Counter(run.model for run in runs), Counter(run.label for run in runs)
    by_folder = [f"{run.model} ({run.name})" if labels[run.label] > 1 else run.label for run in runs]
    return [run.model if models[run.model] == 1 else name for run, name in zip(runs, by_folder, strict=True)]
