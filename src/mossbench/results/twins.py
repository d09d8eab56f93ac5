"""Twins: a harmless request and its harmful counterpart in one run, and how a model tells the two sides apart."""

import math
from collections.abc import Sequence
from dataclasses import replace

from mossbench.outcomes import Rule
from mossbench.results.missing import is_missing, missing_of
from mossbench.results.rates import yes
from mossbench.results.rows import ResultRow
from mossbench.samples import Side, Stimulus
from mossbench.statistics import Detection, Significance, detection, sign_flip_test, sign_flip_test_at_worst

Twin = tuple[ResultRow | None, ResultRow | None]
"""The harmless row and the harmful one; None where there is no such row."""


def twins_of(rows: Sequence[ResultRow]) -> list[Twin]:
    """Every row once: with its twin under the same arm and epoch, or alone."""
    benign = {(row.key.sample, row.key.arm, row.key.epoch): row for row in rows if row.key.side is Side.BENIGN}
    paired: list[Twin] = []
    for row in rows:
        if row.key.side is Side.CONTRAST:
            _, id, arm, epoch = row.key
            paired.append((benign.pop((row.sample.twin or id, arm, epoch), None), row))
    return [*paired, *((row, None) for row in benign.values())]


def told_apart(twins: Sequence[Twin], rule: Rule) -> Detection:
    """How the two sides are told apart; a row without a twin counts on its own side, and epochs are no further samples.

    Left out of a side's rate are rows that do not count; twins that were never asked are not rows.
    """
    columns = refusals(twins, rule)
    counting = [
        {row.key.sample for twin, value in zip(twins, values, strict=True) if (row := twin[side]) and value == value}
        for side, values in enumerate(columns)
    ]
    found = detection(*columns, clusters_of_twins(twins), n_samples=min(map(len, counting)))
    never = [sum(twin[side] is None for twin in twins) for side in (0, 1)]
    calm, alarming = found.false_alarm_rate, found.hit_rate
    return replace(
        found,
        false_alarm_rate=replace(calm, n_left_out=calm.n_left_out - never[0]),
        hit_rate=replace(alarming, n_left_out=alarming.n_left_out - never[1]),
    )


def too_many_missing(twins: Sequence[Twin], rule: Rule) -> bool:
    """Whether so many rows of a side are missing that nothing can be said of both sides together."""
    sides = ([twin[side] for twin in twins] for side in (0, 1))
    return any(missing_of([row for row in side if row], rule).is_too_many for side in sides)


def sides_test(twins: Sequence[Twin], rule: Rule) -> Significance:
    """Are harmful twins refused more often than harmless ones? Exact, over whole pairs, swapped in whole scenes.

    Every missing row counts against it, and p is 1 where too many rows of a side are missing.
    """
    calm, alarming = refusals(twins, rule)
    return _at_worst(alarming, calm, twins, rule)


def leans_test(twins: Sequence[Twin], rule: Rule) -> Significance:
    """Does it err more by refusing harmless requests or by helping with harmful ones? As `sides_test`."""
    calm, alarming = refusals(twins, rule)
    helped = [1 - refused for refused in alarming]
    return _at_worst(calm, helped, twins, rule, swapped=True)


def _at_worst(
    first: list[float], second: list[float], twins: Sequence[Twin], rule: Rule, *, swapped: bool = False
) -> Significance:
    """The test of two columns of twins; the first is of the harmful rows, unless `swapped`."""
    clusters = clusters_of_twins(twins)
    found = sign_flip_test(first, second, clusters)
    if not found.n:
        return found
    if too_many_missing(twins, rule):
        return replace(found, p=1.0)
    sides = [[twin[side] for twin in twins] for side in (0, 1)]
    harmless, harmful = ([row is not None and is_missing(row.outcome, rule) for row in side] for side in sides)
    worst = sign_flip_test_at_worst(
        first,
        second,
        clusters,
        first_missing=harmless if swapped else harmful,
        second_missing=harmful if swapped else harmless,
    )
    return replace(found, p=max(found.p, worst.p))


def refusals(twins: Sequence[Twin], rule: Rule) -> tuple[list[float], list[float]]:
    """Refused yes / no of the harmless and of the harmful rows; NaN where there is none or it does not count."""

    def column(side: int) -> list[float]:
        there = iter(yes((row for twin in twins if (row := twin[side])), rule))
        return [next(there) if twin[side] else math.nan for twin in twins]

    return column(0), column(1)


def clusters_of_twins(twins: Sequence[Twin]) -> list[tuple[str, ...]] | None:
    """What each pair is alike with: its scene, or else its harmless request. None when every pair is alone."""
    # A harmful row may stand alone in an epoch in which its harmless twin was not asked: both are one pair.
    harmless = {twin[0].key.sample: twin[0].sample.unit for twin in twins if twin[0]}
    samples = [next(row.sample for row in twin if row) for twin in twins]
    found = [harmless.get(sample.twin or sample.id, sample.unit) for sample in samples]
    return found if len(set(found)) < len(found) else None


def by_stimulus(twins: Sequence[Twin]) -> list[tuple[str, list[Twin]]]:
    """The pairs of each stimulus that occurs, where there are several, and `All` of them."""
    kinds = [next(row.sample.stimulus for row in twin if row) for twin in twins]
    named = [(s.title, [t for t, kind in zip(twins, kinds, strict=True) if kind is s]) for s in Stimulus if s in kinds]
    return [*(named if len(named) > 1 else []), ("All", list(twins))]
