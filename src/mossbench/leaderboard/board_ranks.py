"""Ranks: the entries of a board compared sample by sample."""

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import partial
from operator import is_

import numpy as np

from mossbench.leaderboard.board_entries import Entry
from mossbench.results.missing import is_missing
from mossbench.results.rates import yes
from mossbench.results.row_columns import chosen_rows, label_of, of_side, share_samples, units_of
from mossbench.results.rows import ResultRow
from mossbench.samples import Side, Stimulus
from mossbench.statistics.estimates import as_codes
from mossbench.statistics.ranking import proven_lower


@dataclass(frozen=True)
class SideOutcomes:
    """All entries on all rows of a side that any of them has."""

    systems: dict[str, list[float]]
    """By entry: 1 refused, 0 not, NaN where it has no such row or the row does not count."""
    missing: dict[str, list[bool]]
    """By entry: rows that it was to be asked and that failed, or that nobody read."""
    units: list[Hashable]
    """What each row has in common with rows that are not independent of it."""


def outcomes_of(entries: dict[str, Entry], side: Side, stimulus: Stimulus | None = None) -> SideOutcomes:
    tables: dict[str, dict[tuple[str, int], ResultRow]] = {}
    units: dict[tuple[str, int], Hashable] = {}
    has_shared_samples = share_samples([entry.results.rows for entry in entries.values()])
    for name, entry in entries.items():
        chosen = of_side(entry.results.rows, side)
        if stimulus is not None:
            chosen = chosen_rows(chosen, label_of(chosen, "stimulus").where(partial(is_, stimulus)))
        row_keys = [row.key for row in chosen]
        keys = [(key.sample, key.epoch) for key in row_keys]
        tables[name] = dict(zip(keys, chosen, strict=True))
        units |= dict(zip(keys, _units(chosen, has_shared_samples=has_shared_samples), strict=True))
    systems: dict[str, list[float]] = {}
    missing: dict[str, list[bool]] = {}
    for name, table in tables.items():
        rule = entries[name].rule
        values = dict(zip(table, yes(table.values(), rule), strict=True))
        systems[name] = [values.get(key, math.nan) for key in units]
        missing[name] = [key in table and is_missing(table[key].outcome, rule) for key in units]
    return SideOutcomes(systems, missing, list(units.values()))


def _units(rows: Sequence[ResultRow], *, has_shared_samples: bool) -> Sequence[Hashable]:
    """What each row is alike with; as numbers only if these mean the same in all runs."""
    numbers: list[int] = units_of(rows).tolist() if has_shared_samples else []
    return numbers if has_shared_samples else [row.sample.unit for row in rows]


def shown_to_refuse_more(entries: dict[str, Entry], side: Side) -> dict[str, frozenset[str]]:
    """Of each entry the names of those that refuse significantly more requests of this side.

    Paired tests on the same samples with Holm's correction over all pairs and both directions, which must also hold
    with every missing row counted against them.
    """
    outcomes = outcomes_of(entries, side)
    if not outcomes.units:
        return dict.fromkeys(entries, frozenset())
    names = list(outcomes.systems)
    table = np.array([outcomes.systems[name] for name in names], dtype=float)
    missing = np.array([outcomes.missing[name] for name in names], dtype=bool)
    is_lower = proven_lower(table, as_codes(outcomes.units, len(outcomes.units)), missing)
    refuse_more: dict[str, frozenset[str]] = {}
    for name, is_lower_than in zip(names, is_lower, strict=True):
        refuse_more[name] = frozenset(names[place] for place in np.flatnonzero(is_lower_than))
    return refuse_more
