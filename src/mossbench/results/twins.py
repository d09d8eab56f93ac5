"""Twins: a harmless request and its harmful counterpart in one run, and how a model tells the two sides apart."""

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from operator import is_

import numpy as np
from numpy.typing import NDArray

from mossbench.outcomes import Rule
from mossbench.results.missing import is_missing, missing_of
from mossbench.results.rates import yes
from mossbench.results.row_columns import StoredRows, chosen_rows, count_samples, outcomes_of
from mossbench.results.rows import ResultRow
from mossbench.results.stored_twins import StoredTwins, Twin, stored_twins_of
from mossbench.samples import Side, Stimulus
from mossbench.statistics import Detection, Significance, detection, sign_flip_test, sign_flip_test_at_worst
from mossbench.statistics.estimates import Clusters


def twins_of(rows: Sequence[ResultRow]) -> Sequence[Twin]:
    """Every row once: with its twin under the same arm and epoch, or alone."""
    if isinstance(rows, StoredRows):
        return stored_twins_of(rows)
    benign = {(row.key.sample, row.key.arm, row.key.epoch): row for row in rows if row.key.side is Side.BENIGN}
    paired: list[Twin] = []
    for row in rows:
        if row.key.side is Side.CONTRAST:
            key = row.key
            harmless = benign.pop((row.sample.twin or key.sample, key.arm, key.epoch), None)
            paired.append((harmless, row))
    alone: list[Twin] = [(row, None) for row in benign.values()]
    return paired + alone


def detection_of(twins: Sequence[Twin], rule: Rule) -> Detection:
    """How the two sides are told apart; a row without a twin counts on its own side, and epochs are no further samples.

    Left out of a side's rate are rows that do not count; twins that were never asked are not rows.
    """
    harmless, harmful = refusals(twins, rule)
    n_samples = min(_n_counting_samples(twins, side, rule) for side in Side)
    sides = detection(harmless, harmful, clusters_of_twins(twins), n_samples=n_samples)
    n_never_harmless = len(twins) - len(_rows_of(twins, Side.BENIGN))
    n_never_harmful = len(twins) - len(_rows_of(twins, Side.CONTRAST))
    false_alarms = sides.false_alarm_rate
    hits = sides.hit_rate
    return replace(
        sides,
        false_alarm_rate=replace(false_alarms, n_left_out=false_alarms.n_left_out - n_never_harmless),
        hit_rate=replace(hits, n_left_out=hits.n_left_out - n_never_harmful),
    )


def _n_counting_samples(twins: Sequence[Twin], side: Side, rule: Rule) -> int:
    """How many samples of a side have a row that counts."""
    rows = _rows_of(twins, side)
    return count_samples(chosen_rows(rows, ~np.isnan(yes(rows, rule))))


def _rows_of(twins: Sequence[Twin], side: Side) -> Sequence[ResultRow]:
    """The rows of a side, without the pairs that have none."""
    if isinstance(twins, StoredTwins):
        return twins.rows_of(side)
    rows = [twin[0] if side is Side.BENIGN else twin[1] for twin in twins]
    return [row for row in rows if row is not None]


def _spread(
    twins: Sequence[Twin], side: Side, values: Sequence[float] | NDArray[np.generic], missing: float
) -> NDArray[np.float64]:
    """Values of `_rows_of` the side as a column of all pairs; `missing` where there is no row."""
    if isinstance(twins, StoredTwins):
        return twins.spread(side, values, missing)
    has_row = [twin[0 if side is Side.BENIGN else 1] is not None for twin in twins]
    column = np.full(len(twins), missing)
    column[np.array(has_row, dtype=bool)] = values
    return column


def too_many_missing(twins: Sequence[Twin], rule: Rule) -> bool:
    """Whether so many rows of a side are missing that nothing can be said of both sides together."""
    return any(missing_of(_rows_of(twins, side), rule).is_too_many for side in Side)


def sides_test(twins: Sequence[Twin], rule: Rule) -> Significance:
    """Are harmful twins refused more often than harmless ones? Exact, over whole pairs, swapped in whole scenes.

    Every missing row counts against it, and p is 1 where too many rows of a side are missing.
    """
    harmless, harmful = refusals(twins, rule)
    return _at_worst(harmful, harmless, twins, rule)


def leans_test(twins: Sequence[Twin], rule: Rule) -> Significance:
    """Does it err more by refusing harmless requests or by helping with harmful ones? As `sides_test`."""
    harmless, harmful = refusals(twins, rule)
    helped = 1 - harmful
    return _at_worst(harmless, helped, twins, rule, swapped=True)


def _at_worst(
    first: NDArray[np.float64], second: NDArray[np.float64], twins: Sequence[Twin], rule: Rule, *, swapped: bool = False
) -> Significance:
    """The test of two columns of twins; the first is of the harmful rows, unless `swapped`."""
    clusters = clusters_of_twins(twins)
    as_counted = sign_flip_test(first, second, clusters)
    if not as_counted.n:
        return as_counted
    if too_many_missing(twins, rule):
        return replace(as_counted, p=1.0)
    harmless_missing = _missing_rows(twins, Side.BENIGN, rule)
    harmful_missing = _missing_rows(twins, Side.CONTRAST, rule)
    at_worst = sign_flip_test_at_worst(
        first,
        second,
        clusters,
        first_missing=harmless_missing if swapped else harmful_missing,
        second_missing=harmful_missing if swapped else harmless_missing,
    )
    return replace(as_counted, p=max(as_counted.p, at_worst.p))


def _missing_rows(twins: Sequence[Twin], side: Side, rule: Rule) -> NDArray[np.bool_]:
    """Of which pairs the row of a side is missing; not those that have none."""
    is_missing_row = outcomes_of(_rows_of(twins, side)).where(partial(is_missing, rule=rule))
    return np.asarray(_spread(twins, side, is_missing_row, missing=0.0) == 1)


def refusals(twins: Sequence[Twin], rule: Rule) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Refused yes / no of the harmless and of the harmful rows; NaN where there is none or it does not count."""
    return _column(twins, Side.BENIGN, rule), _column(twins, Side.CONTRAST, rule)


def _column(twins: Sequence[Twin], side: Side, rule: Rule) -> NDArray[np.float64]:
    return _spread(twins, side, yes(_rows_of(twins, side), rule), missing=math.nan)


def clusters_of_twins(twins: Sequence[Twin]) -> Clusters | None:
    """What each pair is alike with: its scene, or else its harmless request. None when every pair is alone."""
    if isinstance(twins, StoredTwins):
        units = twins.units()
        return units if len(np.unique(units)) < len(units) else None
    # A harmful row may stand alone in an epoch in which its harmless twin was not asked: both are one pair.
    harmless = {twin[0].key.sample: twin[0].sample.unit for twin in twins if twin[0]}
    clusters = []
    for twin in twins:
        sample = _either(twin).sample
        clusters.append(harmless.get(sample.twin or sample.id, sample.unit))
    return clusters if len(set(clusters)) < len(clusters) else None


def by_stimulus(twins: Sequence[Twin]) -> list[tuple[str, Sequence[Twin]]]:
    """The pairs of each stimulus that occurs, where there are several, and `All` of them."""
    groups: dict[Stimulus | None, Sequence[Twin]]
    if isinstance(twins, StoredTwins):
        stimuli = twins.stimuli
        groups = {stimulus: twins.where(stimuli.where(partial(is_, stimulus))) for stimulus in stimuli.counts()}
    else:
        groups = _by_stimulus_in_memory(twins)
    named = [(stimulus.title, groups[stimulus]) for stimulus in Stimulus if stimulus in groups]
    everything = ("All", twins)
    return [*named, everything] if len(named) > 1 else [everything]


def _by_stimulus_in_memory(twins: Sequence[Twin]) -> dict[Stimulus | None, Sequence[Twin]]:
    groups: dict[Stimulus | None, list[Twin]] = {}
    for twin in twins:
        groups.setdefault(_either(twin).sample.stimulus, []).append(twin)
    return dict(groups)


def _either(twin: Twin) -> ResultRow:
    """The harmless row, or the harmful one where it is alone."""
    harmless, harmful = twin
    row = harmless or harmful
    assert row is not None  # a pair has at least one row
    return row
