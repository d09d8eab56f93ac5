"""How two runs differ on the rows that both have: with an interval, an exact p, and what would show it.

A pair counts when both of its rows do. Rows of one scene, and epochs of one sample, are never taken as independent:
intervals are Tango's at the design effect of the differences, p-values come from swapping the two runs in whole scenes.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from mossbench.outcomes import Rule
from mossbench.plumbing.key_places import first_codes
from mossbench.results.missing import Missing, is_missing, missing_of, widened_difference
from mossbench.results.pairs import Pair, as_pairs, joined_pairs, pairs_of_side
from mossbench.results.rates import clusters_of, pairs_by_group, yes
from mossbench.results.row_columns import chosen_rows, count_samples, outcomes_of, units_of
from mossbench.results.rows import ResultRow
from mossbench.results.unfamiliar import UnfamiliarAnswers, UnfamiliarSides
from mossbench.samples import Side
from mossbench.statistics import Estimate, holm, n_paired, paired_difference, sign_flip_test, sign_flip_test_at_worst
from mossbench.statistics.clusters import design_effect
from mossbench.statistics.estimates import CONFIDENCE, Clusters
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
    """Samples for 80 % power at the observed difference; None: it is shown, or none was observed."""
    p_worst: float = math.nan
    """With every missing row counted against the difference."""
    missing: tuple[Missing, Missing] = (Missing(), Missing())
    """Of first and second: rows that failed, that nobody read or that were not asked."""
    unfamiliar: tuple[UnfamiliarAnswers, ...] = ()
    """Why the rate of either run on this side is unknown; empty if both are known."""

    @property
    def is_significant(self) -> bool:
        return self.p_adjusted <= 0.05

    @property
    def p_decisive(self) -> float:
        """What decides: the larger p, and 1 where nothing can be decided."""
        if self.is_undecidable and self.estimate.n:
            return 1.0
        return self.p if math.isnan(self.p_worst) else max(self.p, self.p_worst)

    @property
    def too_many_missing(self) -> bool:
        """Whether so many rows of either run are missing that the comparison is inconclusive in any case."""
        return any(missing.is_too_many for missing in self.missing)

    @property
    def is_undecidable(self) -> bool:
        """Whether it is inconclusive whatever the pairs that count show."""
        return self.too_many_missing or bool(self.unfamiliar)

    @property
    def missing_rows_decide(self) -> bool:
        """Whether the pairs that count show a difference, which the missing rows could explain."""
        return not self.is_significant and not self.is_undecidable and self.p <= 0.05 < self.p_worst

    @property
    def is_inconclusive(self) -> bool:
        return self.is_undecidable or self.missing_rows_decide

    @property
    def interval_differs(self) -> bool:
        """Whether the interval, taken alone, would say otherwise than p."""
        if not self.estimate.n or self.is_inconclusive:
            return False
        return self.is_significant != (self.estimate.low > 0 or self.estimate.high < 0)


def difference(
    first: str,
    second: str,
    side: Side,
    group: str,
    pairs: Sequence[Pair],
    rule: Rule,
    *,
    n_tests: int = 1,
    unfamiliar: tuple[UnfamiliarAnswers, ...] = (),
    confidence: float = CONFIDENCE,
) -> Difference:
    """Second minus first over these pairs, with an interval and an exact p that know which pairs are alike.

    The samples needed are for a difference that is one of `n_tests` which Holm corrects together.
    """
    pairs = as_pairs(pairs)
    first_rows = pairs.first
    second_rows = pairs.second
    before = yes(first_rows, rule)
    after = yes(second_rows, rule)
    clusters = _clusters_of_pairs(first_rows, before, after, rule)
    first_missing = outcomes_of(first_rows).where(partial(is_missing, rule=rule))
    second_missing = outcomes_of(second_rows).where(partial(is_missing, rule=rule))
    n_missing = int((first_missing | second_missing).sum())
    # `statistics.paired` subtracts its second argument from its first: the later run goes first here.
    test = sign_flip_test(after, before, clusters)
    at_worst = sign_flip_test_at_worst(
        after,
        before,
        first_codes(units_of(first_rows)),
        first_missing=second_missing,  # swapped as above
        second_missing=first_missing,
    )
    first_counted, second_counted, codes, _ = counted_pairs(before, after, clusters)
    n_samples = count_samples(first_rows)
    has_pairs = len(first_counted) > 0
    unadjusted = Difference(
        first=first,
        second=second,
        side=side,
        group=group,
        rates=(float(first_counted.mean()), float(second_counted.mean())) if has_pairs else (math.nan, math.nan),
        estimate=widened_difference(paired_difference(after, before, clusters, confidence=confidence), n_missing),
        only_first=int((first_counted > second_counted).sum()),
        only_second=int((second_counted > first_counted).sum()),
        p=test.p,
        p_adjusted=test.p,
        n_needed=_n_needed(first_counted, second_counted, codes, n_samples=n_samples, n_tests=n_tests),
        p_worst=at_worst.p,
        missing=(missing_of(first_rows, rule), missing_of(second_rows, rule)),
        unfamiliar=unfamiliar,
    )
    return replace(unadjusted, p_adjusted=unadjusted.p_decisive)


def _clusters_of_pairs(
    rows: Sequence[ResultRow], before: Sequence[float], after: Sequence[float], rule: Rule
) -> Clusters | None:
    """What pairs have in common, by the rows of the first run; None where every pair that counts is alone."""
    counting = chosen_rows(rows, ~np.isnan(np.asarray(before) + np.asarray(after)))
    return clusters_of(rows, rule) if clusters_of(counting, rule) is not None else None


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
    first: str,
    second: str,
    pairs: Sequence[Pair],
    rule: Rule,
    *,
    n_others: int = 1,
    by: str = "stimulus",
    unfamiliar: UnfamiliarSides | None = None,
) -> list[Difference]:
    """Second minus first on each side: by group, then over all; p-values not adjusted yet.

    `unfamiliar` says on which sides the rate of a run is unknown.
    """
    unfamiliar = unfamiliar or {}
    differences = []
    for side in Side:
        of_side = pairs_of_side(as_pairs(pairs), side)
        if not of_side:
            continue
        groups = pairs_by_group(of_side, by)
        compare = partial(difference, first, second, side, rule=rule, unfamiliar=unfamiliar.get(side, ()))
        for group, of_group in groups.items():
            n_tests = len(groups) * n_others
            differences.append(compare(group, of_group, n_tests=n_tests))
        differences.append(compare("all", joined_pairs(list(groups.values())), n_tests=n_others))
    return differences


def adjust_p_values(differences: Sequence[Difference]) -> tuple[Difference, ...]:
    """The differences with p-values adjusted (Holm) within each side, totals and single stimuli separately."""
    families: dict[tuple[Side, bool], list[int]] = {}
    for index, unadjusted in enumerate(differences):
        families.setdefault((unadjusted.side, unadjusted.group == "all"), []).append(index)
    adjusted_differences = list(differences)
    for indexes in families.values():
        adjusted_p = holm([differences[index].p_decisive for index in indexes]).tolist()
        for index, p in zip(indexes, adjusted_p, strict=True):
            adjusted_differences[index] = _with_p(differences[index], p)
    return tuple(adjusted_differences)


def _with_p(unadjusted: Difference, p: float) -> Difference:
    """The difference with this p; without `n_needed` if it is significant, or inconclusive."""
    result = replace(unadjusted, p_adjusted=p)
    if result.is_significant or result.is_inconclusive:
        return replace(result, n_needed=None)
    return result
