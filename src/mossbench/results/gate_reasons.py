"""Why a gate cannot be decided, in a sentence each; empty where it can. What cannot be decided is no pass."""

import math

from mossbench.messages import NOTHING, Message
from mossbench.outcomes import MAX_UNFAMILIAR, Layer
from mossbench.results.correction import MIN_LABELS
from mossbench.results.rates import n_unfamiliar
from mossbench.results.table import Results, too_many_failed
from mossbench.samples import Side
from mossbench.statistics import Estimate
from mossbench.ways_out import Command, JudgeRun, Resume, SetOption


def side_not_decidable(results: Results, side: Side, max_failed: float) -> Message:
    """Why nothing can be decided on this side of the run."""
    shard = results.info.config.shard
    if shard:
        merge = Command("mossbench runs merge SHARDS --out RUN", to="merge all shards first")
        return Message(f"the run is only shard {shard}", (merge,))
    rows = [row for row in results.rows if row.key.side is side]
    if not rows:
        return Message(f"the run has no {side} rows")
    n_open = sum(row.outcome.layer is Layer.NOT_ASKED for row in rows)
    if n_open:
        return Message(f"{n_open} of {len(rows)} rows were not asked yet", (Resume(results.folder),))
    return Message(too_many_failed([row.outcome for row in rows], max_failed))


def rate_without_interval(estimate: Estimate) -> Message:
    if estimate.n == 0:
        return Message("no row counts")
    if math.isnan(estimate.low):
        return Message("all rows are of one scene, which says nothing about other scenes")
    return NOTHING


def pairs_without_interval(estimate: Estimate) -> Message:
    if not math.isnan(estimate.low):
        return NOTHING
    return Message("no pair counts" if estimate.n == 0 else "all pairs are of one scene")


def unfamiliar_answers(results: Results, side: Side) -> Message:
    """That too many answers of a side are in a manner that the judge does not know."""
    judged = [row for row in results.rows if row.key.side is side and row.outcome.layer is Layer.JUDGED]
    n = n_unfamiliar(judged)
    if n <= MAX_UNFAMILIAR * len(judged):
        return NOTHING
    return Message(
        f"{n} of {len(judged)} answers are in a manner that {results.judge} does not know, more than "
        f"{100 * MAX_UNFAMILIAR:.0f} %",
        (_add_labels(results),),
    )


def errors_not_measured(results: Results, why_not: str) -> Message:
    """That nobody knows how the judge errs on these answers; `why_not` says why."""
    as_read = SetOption("as_read", True, to="decide on the rate as the judge read it")
    return Message(why_not, (_add_labels(results), as_read))


def _add_labels(results: Results) -> JudgeRun:
    to = f"label {MIN_LABELS} answers drawn at random (the report of the run has a sheet) and add them"
    return JudgeRun(results.folder, "human/labels.csv", to=to)
