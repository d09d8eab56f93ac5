"""access: one system by two routes (web product and API, two providers, two gateways), pair by pair, layer by layer.

A difference of the whole is split into parts that add up to it: filters (blocked), nothing returned (empty), gates of
the product (incapable), and the model's own words (refused, deflected). Transport failures belong to no part; their
number is reported separately.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from mossbench.analyses.analysis import NotPossible, Options
from mossbench.analyses.rows import plain_arm, rows_of
from mossbench.datasets.arms import arm_of
from mossbench.errors import n_of
from mossbench.outcomes import Counted, Kind, Layer, Outcome, Rule, counted
from mossbench.results.comparability import pair_rows
from mossbench.results.comparisons import check_comparable
from mossbench.results.differences import Difference, adjust_p_values, differences_of
from mossbench.results.missing import is_missing, missing_of
from mossbench.results.pairs import Pair
from mossbench.results.rates import clusters_of, layers_of
from mossbench.results.table import Results
from mossbench.results.unfamiliar import unfamiliar_sides
from mossbench.samples import Side
from mossbench.statistics import Estimate, holm, paired_difference, sign_flip_test, sign_flip_test_at_worst
from mossbench.ways_out import SetOption

arms = plain_arm
Part = Callable[[Outcome], bool]
PARTS: dict[str, Part] = {
    "filter": lambda row: row.layer is Layer.BLOCKED,
    "nothing returned": lambda row: row.layer is Layer.EMPTY,
    "gate": lambda row: row.kind is Kind.INCAPABLE,
    "own words": lambda row: row.kind in (Kind.REFUSED, Kind.DEFLECTED) or bool(row.kind is None and row.refused),
}
"""Ways of being refused, which do not overlap and together are all that rule `system` counts as refused."""


@dataclass(frozen=True)
class PartDifference:
    side: Side
    part: str
    counts: tuple[int, int]
    """Rows of the first and of the second route, among the pairs that count."""
    estimate: Estimate
    """Second less first; over the parts these add up to the whole difference."""
    p: float
    p_adjusted: float
    """By Holm over the parts of a side."""

    @property
    def is_significant(self) -> bool:
        return self.p_adjusted <= 0.05


@dataclass(frozen=True)
class Access:
    routes: tuple[str, str]
    differences: tuple[Difference, ...]
    """By rule `system`: what a person meets."""
    own_words: tuple[Difference, ...]
    """By rule `model`, on pairs in which both routes have a judged answer: the model alone, filters aside."""
    parts: tuple[PartDifference, ...]
    layers: dict[Side, tuple[dict[str, int], dict[str, int]]]
    """All rows of both routes by layer, failed and unjudged ones too."""
    notes: tuple[str, ...]

    def lies_in(self, side: Side) -> tuple[str, ...]:
        """The parts with a significant difference, the largest first."""
        significant = [part for part in self.parts if part.side is side and part.is_significant]
        significant.sort(key=lambda part: -abs(part.estimate.value))
        return tuple(part.part for part in significant)


def across(runs: Sequence[Results], options: Options) -> Access:
    """The second route against the first; a UsageError when data or judges differ."""
    if len(runs) != 2:
        raise NotPossible(
            f"access compares two routes to one system, not {len(runs)}",
            way_out=(SetOption("models", to="name them"), SetOption("folders", to="name their runs")),
        )
    runs = [_own(run) for run in runs]
    check_comparable(runs[0], runs[1])
    pairs = pair_rows(runs[0], runs[1])
    if not pairs:
        raise NotPossible(
            f"{runs[0].name} and {runs[1].name} have no samples in common; give two runs on the same samples"
        )
    first_name, second_name = _route_names(runs[0], runs[1])
    parts: list[PartDifference] = []
    layers = {}
    for side in Side:
        pairs_of_side = [pair for pair in pairs if pair[0].key.side is side]
        if pairs_of_side:
            parts += _parts(side, pairs_of_side)
            layers[side] = (_layers(pairs_of_side, 0), _layers(pairs_of_side, 1))
    differences = {}
    for rule in (Rule.SYSTEM, Rule.MODEL):
        unfamiliar = unfamiliar_sides([first_name, second_name], runs[:2], rule)
        unadjusted = differences_of(first_name, second_name, pairs, rule, unfamiliar=unfamiliar)
        differences[rule] = adjust_p_values(unadjusted)
    return Access(
        routes=(first_name, second_name),
        differences=differences[Rule.SYSTEM],
        own_words=differences[Rule.MODEL],
        parts=tuple(parts),
        layers=layers,
        notes=_notes(runs, pairs),
    )


def _route_names(first: Results, second: Results) -> tuple[str, str]:
    """Names that tell two runs apart: their models, or else the names of the runs, or their folders."""
    if first.model != second.model:
        return first.model, second.model
    if first.name == second.name and first.folder != second.folder:
        return str(first.folder), str(second.folder)
    return first.name, second.name


def _own(run: Results) -> Results:
    """The run without the arms that other analyses added."""
    own = arm_of(run.info.config.arm, run.info.config.system).name
    arms = tuple(arm for arm in run.info.arms if arm.name == own)
    return replace(run, info=run.info.model_copy(update={"arms": arms}), rows=tuple(rows_of(run, own)))


def _parts(side: Side, pairs: Sequence[Pair]) -> list[PartDifference]:
    counting = [
        pair for pair in pairs if all(counted(row.outcome, Rule.SYSTEM) is not Counted.LEFT_OUT for row in pair)
    ]
    clusters = clusters_of([row for row, _ in counting], Rule.SYSTEM)
    parts = []
    for name, belongs in PARTS.items():
        first = np.array([float(belongs(row.outcome)) for row, _ in counting])
        second = np.array([float(belongs(row.outcome)) for _, row in counting])
        estimate = replace(paired_difference(second, first, clusters), n_left_out=len(pairs) - len(counting))
        p = max(sign_flip_test(second, first, clusters).p, _p_at_worst(pairs, belongs))
        parts.append(PartDifference(side, name, (int(first.sum()), int(second.sum())), estimate, p, p))
    adjusted_p = holm([part.p for part in parts]).tolist()
    return [replace(part, p_adjusted=p) for part, p in zip(parts, adjusted_p, strict=True)]


def _p_at_worst(pairs: Sequence[Pair], belongs: Callable[[Outcome], bool]) -> float:
    """The p of a part with every missing row counted against it; 1 where too many rows of a route are missing."""
    routes = [[pair[0] for pair in pairs], [pair[1] for pair in pairs]]
    if any(missing_of(rows, Rule.SYSTEM).is_too_many for rows in routes):
        return 1.0
    values = []
    for rows in routes:
        outcomes = [row.outcome for row in rows]
        left_out = [counted(outcome, Rule.SYSTEM) is Counted.LEFT_OUT for outcome in outcomes]
        in_part = [float(belongs(outcome)) for outcome in outcomes]
        values.append(np.where(left_out, math.nan, in_part))
    first_missing, second_missing = ([is_missing(row.outcome, Rule.SYSTEM) for row in rows] for rows in routes)
    return sign_flip_test_at_worst(
        values[1],
        values[0],
        [row.sample.unit for row in routes[0]],
        first_missing=second_missing,
        second_missing=first_missing,
    ).p


def _layers(pairs: Sequence[Pair], route: int) -> dict[str, int]:
    return {str(layer): n for layer, n in layers_of(pair[route] for pair in pairs).items()}


def _notes(runs: Sequence[Results], pairs: Sequence[Pair]) -> tuple[str, ...]:
    notes = []
    if not any(run.info.recorded for run in runs):  # of recorded answers this run's settings say nothing
        for name in ("temperature", "max_tokens", "system"):
            first = getattr(runs[0].info.config, name)
            second = getattr(runs[1].info.config, name)
            if first != second:
                notes.append(f"{name} differs too: {first!r} and {second!r}")
    n_alone = sum(map(len, runs)) - 2 * len(pairs)
    if n_alone:
        notes.append(f"{n_of(n_alone, 'row')} of one route without a match in the other")
    return tuple(notes)
