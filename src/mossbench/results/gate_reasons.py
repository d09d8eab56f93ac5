"""Why a gate cannot be decided, in a sentence each; empty where it can. What cannot be decided is no pass."""

import math

from mossbench.outcomes import MAX_UNFAMILIAR, Layer
from mossbench.results.correction import FEWEST
from mossbench.results.rates import n_unfamiliar
from mossbench.results.table import Results, too_many_failed
from mossbench.samples import Side
from mossbench.statistics import Estimate


def side_not_decidable(results: Results, side: Side, max_failed: float) -> str:
    """Why nothing can be decided on this side of the run."""
    shard = results.info.config.shard
    if shard:
        return f"the run is only shard {shard}; merge all shards with `mossbench runs merge` and gate the merged run"
    rows = [row for row in results.rows if row.key.side is side]
    if not rows:
        return f"the run has no {side} rows"
    n_open = sum(row.outcome.layer is Layer.NOT_ASKED for row in rows)
    if n_open:
        return f"{n_open} of {len(rows)} rows were not asked yet; go on with: {results.again}"
    return too_many_failed([row.outcome for row in rows], max_failed)


def rate_without_interval(estimate: Estimate) -> str:
    if estimate.n == 0:
        return "no row counts"
    if math.isnan(estimate.low):
        return "all rows are of one scene, which says nothing about other scenes"
    return ""


def pairs_without_interval(estimate: Estimate) -> str:
    if not math.isnan(estimate.low):
        return ""
    return "no pair counts" if estimate.n == 0 else "all pairs are of one scene"


def unfamiliar_answers(results: Results, side: Side) -> str:
    """That too many answers of a side are in a manner that the judge does not know."""
    judged = [row for row in results.rows if row.key.side is side and row.outcome.layer is Layer.JUDGED]
    n = n_unfamiliar(judged)
    if n <= MAX_UNFAMILIAR * len(judged):
        return ""
    return (
        f"{n} of {len(judged)} answers are in a manner that {results.judge} does not know, more than "
        f"{100 * MAX_UNFAMILIAR:.0f} %; label {FEWEST} answers drawn at random (the report of the run has a sheet) "
        f"and add them with: {_call_that_adds_labels(results)}"
    )


def errors_not_measured(results: Results, why_not: str) -> str:
    """That nobody knows how the judge errs on these answers; `why_not` says why."""
    return (
        f"{why_not}; label {FEWEST} answers drawn at random (the report of the run has a sheet) and add them with: "
        f"{_call_that_adds_labels(results)}; or decide with `as_read=True`"
    )


def _call_that_adds_labels(results: Results) -> str:
    return f"`judge_run({str(results.folder)!r}, 'human/labels.csv')`"
