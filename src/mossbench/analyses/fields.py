"""Several models, or prompts, by both rates at once: who is on the front, and do the two rates go together?

Models are compared with each other on one dataset under one judge. The published models were asked under
another protocol: they have fields of their own.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Self

import numpy as np
from numpy.typing import NDArray

from mossbench.analyses.rows import rows_of
from mossbench.errors import UsageError
from mossbench.outcomes import Rule
from mossbench.published.tables import N_HARMFUL, N_SCENES, STIMULI, published_points
from mossbench.results.comparisons import check_comparable, names_of
from mossbench.results.rates import clusters_of, yes
from mossbench.results.rows import ResultRow
from mossbench.results.table import Results
from mossbench.samples import Sample, Side, Stimulus
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
    harmless_refused: Estimate
    harmful_refused: Estimate
    on_front: bool
    """No other refuses as few harmless and as many harmful requests, and does better in one of the two."""
    front_share: float
    """In how many bootstrap draws of scenes that is so; NaN where a rate is not known."""

    @property
    def known(self) -> bool:
        """Whether both rates are known; if not, nobody can say whether it is on the front."""
        return not (math.isnan(self.harmless_refused.value) or math.isnan(self.harmful_refused.value))


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
        raise UsageError("comparing models needs two or more", way_out=ways_out)
    for run in runs[1:]:
        check_comparable(runs[0], run)
    return field_of(dict(zip(names_of(runs), map(rows_of, runs), strict=True)), rule)


def field_of(systems: dict[str, list[ResultRow]], rule: Rule) -> tuple[Field, ...]:
    """Systems by both rates, a field for each stimulus and one for all; a scene is drawn for all systems at once."""
    present = {row.sample.stimulus for row in chain.from_iterable(systems.values())}
    stimuli = [stimulus for stimulus in Stimulus if stimulus in present]
    fields = []
    if len(stimuli) > 1:
        fields += [_field(stimulus.title, systems, stimulus, rule) for stimulus in stimuli]
    fields.append(_field("All", systems, None, rule))
    return tuple(fields)


def published_field() -> tuple[Field, ...]:
    """The 16 published models, corrected, by stimulus and averaged; drawn from binomials, since no rows are known."""
    points = published_points()
    rng = np.random.default_rng(0)
    names = [point.model for point in points]
    harmless = _PublishedShares.draw(np.array([point.harmless_refused for point in points]), np.array(N_SCENES), rng)
    harmful = _PublishedShares.draw(np.array([point.harmful_refused for point in points]), np.array(N_HARMFUL), rng)
    columns_by_title = {stimulus.title: [k] for k, stimulus in enumerate(Stimulus)}
    columns_by_title["All"] = list(range(len(STIMULI)))
    fields = []
    for title, columns in columns_by_title.items():
        front_share = front(harmless.drawn_means(columns), harmful.drawn_means(columns)).mean(axis=0)
        field = _placed(title, names, harmless.rates(columns), harmful.rates(columns), front_share, published=True)
        fields.append(field)
    return tuple(fields)


@dataclass(frozen=True)
class _PublishedShares:
    """Refused shares of the published models on one side, and such as might have come out instead."""

    shares: Array
    """Models × stimuli."""
    n: NDArray[np.int64]
    """What the items of each stimulus are worth."""
    drawn: Array
    """Draws × models × stimuli."""

    @classmethod
    def draw(cls, shares: Array, n: NDArray[np.int64], rng: np.random.Generator) -> Self:
        return cls(shares, n, rng.binomial(n, shares, size=(4000, *shares.shape)) / n)

    def rates(self, columns: list[int]) -> list[Estimate]:
        """The rate of each model over these stimuli."""
        return [strata_rate(row[columns].tolist(), self.n[columns].tolist()) for row in self.shares]

    def drawn_means(self, columns: list[int]) -> Array:
        return np.asarray(self.drawn[:, :, columns].mean(axis=2))


Rows = dict[tuple[str, int], ResultRow]
"""By sample and epoch."""


def _field(group: str, systems: dict[str, list[ResultRow]], stimulus: Stimulus | None, rule: Rule) -> Field:
    benign = [_by_key(rows, Side.BENIGN, stimulus) for rows in systems.values()]
    contrast = [_by_key(rows, Side.CONTRAST, stimulus) for rows in systems.values()]
    benign_table, benign_scenes = _table(benign, rule)
    contrast_table, contrast_scenes = _table(contrast, rule)
    rng = np.random.default_rng(0)
    shares = front_shares(benign_table, contrast_table, benign_scenes, contrast_scenes, rng=rng)
    harmless = [_rate(rows, rule) for rows in benign]
    harmful = [_rate(rows, rule) for rows in contrast]
    return _placed(group, list(systems), harmless, harmful, shares)


def _rate(rows: Rows, rule: Rule) -> Estimate:
    return cluster_rate(yes(rows.values(), rule), clusters_of(rows.values(), rule))


def _by_key(rows: list[ResultRow], side: Side, stimulus: Stimulus | None) -> Rows:
    chosen = (row for row in rows if row.key.side is side and stimulus in (None, row.sample.stimulus))
    return {(row.key.sample, row.key.epoch): row for row in chosen}


def _table(systems: list[Rows], rule: Rule) -> tuple[Array, list[str]]:
    """Refused yes / no of systems × rows, and the scene of each row: the same for both twins."""
    samples: dict[tuple[str, int], Sample] = {}
    for rows in systems:
        samples |= {key: row.sample for key, row in rows.items()}
    scenes = [sample.cluster or f"sample {sample.twin or sample.id}" for sample in samples.values()]
    table = [[yes([rows[key]], rule)[0] if key in rows else np.nan for key in samples] for rows in systems]
    return np.array(table, dtype=float).reshape(len(systems), len(samples)), scenes


def _placed(
    group: str,
    names: list[str],
    harmless: list[Estimate],
    harmful: list[Estimate],
    shares: Array,
    published: bool = False,
) -> Field:
    harmless_rates = [estimate.value for estimate in harmless]
    harmful_rates = [estimate.value for estimate in harmful]
    is_on_front = front(harmless_rates, harmful_rates)
    points = []
    for i, name in enumerate(names):
        points.append(Placed(name, harmless[i], harmful[i], bool(is_on_front[i]), float(shares[i])))
    return Field(
        group=group,
        points=tuple(points),
        rho=spearman(harmless_rates, harmful_rates),
        rho_corrected=corrected_spearman(harmless_rates, harmful_rates, _errors(harmless), _errors(harmful)),
        p=spearman_test(harmless_rates, harmful_rates, rng=np.random.default_rng(0), n_draws=20_000).p,
        published=published,
    )


def _errors(estimates: Sequence[Estimate]) -> list[float]:
    """Standard errors, by the width of the intervals."""
    return [(estimate.high - estimate.low) / 2 / normal_quantile(0.95) for estimate in estimates]
