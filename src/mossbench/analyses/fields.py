"""Several models, or prompts, by both rates at once: who is on the front, and do the two rates go together?

Models are compared with each other on one dataset under one judge. The published models were asked under
another protocol: they have fields of their own.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mossbench.analyses.rows import rows_of
from mossbench.errors import UsageError
from mossbench.outcomes import Rule
from mossbench.published.tables import N_HARMFUL, N_SCENES, STIMULI, published_points
from mossbench.results.comparisons import check_comparable, names_of
from mossbench.results.rates import clusters_of, yes
from mossbench.results.rows import ResultRow
from mossbench.results.table import Results
from mossbench.samples import Side, Stimulus
from mossbench.statistics import (
    Estimate,
    cluster_rate,
    corrected_spearman,
    front,
    front_shares,
    spearman,
    spearman_test,
    strata_rate,
)
from mossbench.statistics.estimates import Array, normal_quantile
from mossbench.ways_out import SetOption


@dataclass(frozen=True)
class Placed:
    """One of several models (or prompts) by both rates."""

    name: str
    over: Estimate
    safe: Estimate
    on_front: bool
    """No other refuses as few harmless and as many harmful requests, and does better in one of the two."""
    front_share: float
    """In how many bootstrap draws of scenes that is so; NaN where a rate is not known."""

    @property
    def known(self) -> bool:
        """Whether both rates are known; if not, nobody can say whether it is on the front."""
        return not (math.isnan(self.over.value) or math.isnan(self.safe.value))


@dataclass(frozen=True)
class Field:
    """Several models by both rates, on one group of samples."""

    group: str
    points: tuple[Placed, ...]
    rho: Estimate
    """Spearman: do models that refuse more harmful requests also refuse more harmless ones?"""
    rho_corrected: Estimate
    """The same once noise in the rates is allowed for."""
    p: float
    """Of `rho`, by shuffling models: an interval over few models is approximate."""
    published: bool = False


def measure_field(runs: Sequence[Results], *, rule: Rule = Rule.SYSTEM) -> tuple[Field, ...]:
    """The runs' models compared with each other, by stimulus and over all, on rows of one dataset and one judge."""
    if len(runs) < 2:
        ways_out = (SetOption("models", to="name them"), SetOption("folders", to="name their runs"))
        raise UsageError("a comparison of models needs two or more", way_out=ways_out)
    for run in runs[1:]:
        check_comparable(runs[0], run)
    return field_of(dict(zip(names_of(runs), map(rows_of, runs), strict=True)), rule)


def field_of(systems: dict[str, list[ResultRow]], rule: Rule) -> tuple[Field, ...]:
    """Systems by both rates, a field for each stimulus and one for all; a scene is drawn for all systems at once."""
    present = {row.sample.stimulus for rows in systems.values() for row in rows}
    kinds = [stimulus for stimulus in Stimulus if stimulus in present]
    return tuple(
        _field(stimulus.title if stimulus else "All", systems, stimulus, rule)
        for stimulus in [*(kinds if len(kinds) > 1 else []), None]
    )


def published_field() -> tuple[Field, ...]:
    """The 16 published models, corrected, by stimulus and averaged; drawn from binomials, since no rows are known."""
    points, rng = published_points(), np.random.default_rng(0)
    names = [point.model for point in points]
    over, safe = (np.array([getattr(point, side) for point in points]) for side in ("over", "safe"))
    worth = (np.array(N_SCENES), np.array(N_HARMFUL))
    drawn = [
        rng.binomial(n, rates, size=(4000, *rates.shape)) / n for n, rates in zip(worth, (over, safe), strict=True)
    ]
    titles = dict(zip(STIMULI, (stimulus.title for stimulus in Stimulus), strict=True))
    found = []
    for chosen, title in [*(([k], titles[name]) for k, name in enumerate(STIMULI)), ([0, 1, 2], "All")]:
        estimates = [
            [strata_rate(row[chosen].tolist(), n[chosen].tolist()) for row in table]
            for table, n in zip((over, safe), worth, strict=True)
        ]
        shares = front(*(table[:, :, chosen].mean(axis=2) for table in drawn)).mean(axis=0)
        found.append(_placed(title, names, estimates[0], estimates[1], shares, published=True))
    return tuple(found)


Rows = dict[tuple[str, int], ResultRow]
"""By sample and epoch."""


def _field(group: str, systems: dict[str, list[ResultRow]], stimulus: Stimulus | None, rule: Rule) -> Field:
    over, safe = ([_by_key(rows, side, stimulus) for rows in systems.values()] for side in (Side.BENIGN, Side.CONTRAST))
    rng = np.random.default_rng(0)
    (low, low_clusters), (high, high_clusters) = _table(over, rule), _table(safe, rule)
    shares = front_shares(low, high, low_clusters, high_clusters, rng=rng)
    rates = [
        [cluster_rate(yes(rows.values(), rule), clusters_of(rows.values(), rule)) for rows in side]
        for side in (over, safe)
    ]
    return _placed(group, list(systems), rates[0], rates[1], shares)


def _by_key(rows: list[ResultRow], side: Side, stimulus: Stimulus | None) -> Rows:
    chosen = (row for row in rows if row.key.side is side and stimulus in (None, row.sample.stimulus))
    return {(row.key.sample, row.key.epoch): row for row in chosen}


def _table(systems: list[Rows], rule: Rule) -> tuple[Array, list[str]]:
    """Refused yes / no of systems × rows, and the scene of each row: the same for both twins."""
    known = {key: row.sample for rows in systems for key, row in rows.items()}
    scenes = [sample.cluster or f"sample {sample.twin or sample.id}" for sample in known.values()]
    table = [[yes([rows[key]], rule)[0] if key in rows else np.nan for key in known] for rows in systems]
    return np.array(table, dtype=float).reshape(len(systems), len(known)), scenes


def _placed(
    group: str, names: list[str], over: list[Estimate], safe: list[Estimate], shares: Array, published: bool = False
) -> Field:
    overs, safes = [e.value for e in over], [e.value for e in safe]
    errors = [[(e.high - e.low) / 2 / normal_quantile(0.95) for e in side] for side in (over, safe)]
    best = front(overs, safes)
    points = tuple(Placed(name, over[i], safe[i], bool(best[i]), float(shares[i])) for i, name in enumerate(names))
    test = spearman_test(overs, safes, rng=np.random.default_rng(0), n_draws=20_000)
    return Field(group, points, spearman(overs, safes), corrected_spearman(overs, safes, *errors), test.p, published)
